// SPDX-License-Identifier: GPL-3.0-or-later
/* allocation_schema.c - the shape of a file of tasks. */
#include "model/slowdown/allocation_schema.h"

static const struct cyaml_schema_value text = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

#define TEXTS(key, flags, structure, member, most)                                                 \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), structure, member, &text, 1, most)

static const struct cyaml_schema_field task_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct rc_raw_task, name, 1,
                           CYAML_UNLIMITED),
    TEXTS("seconds", CYAML_FLAG_DEFAULT, struct rc_raw_task, seconds, RC_ALLOCATION_MACHINES_MAX),
    TEXTS("transfer", CYAML_FLAG_OPTIONAL, struct rc_raw_task, transfer, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value task = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_task, task_fields),
};

static const struct cyaml_schema_field fields[] = {
    TEXTS("machines", CYAML_FLAG_DEFAULT, struct rc_raw_tasks, machines,
          RC_ALLOCATION_MACHINES_MAX),
    CYAML_FIELD_SEQUENCE("tasks", CYAML_FLAG_POINTER, struct rc_raw_tasks, tasks, &task, 1,
                         RC_ALLOCATION_TASKS_MAX),
    TEXTS("slowdown", CYAML_FLAG_OPTIONAL, struct rc_raw_tasks, slowdown, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_allocation_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_tasks, fields),
};

const struct rc_yaml_note rc_allocation_notes[] = {
    {"machines", "a list of names such as [M1, M2]"},
    {"tasks", "a list of tasks in their order, each begun with '- '"},
    {"name", "the name of a task"},
    {"seconds", "a list of times, one for each machine, such as [12, 18]; or none"},
    {"transfer", "a list of times to the next task, such as [M1>M2=7, any=8]"},
    {"slowdown", "a list of slowdowns from 1 on, such as [M1=3, M1>M2=3]"},
    {NULL, NULL},
};
