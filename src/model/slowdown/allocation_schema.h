// SPDX-License-Identifier: GPL-3.0-or-later
/* allocation_schema.h - the shape of a file of tasks, as tables that libcyaml and yaml_check.h both
 * read. */
#ifndef RC_MODEL_SLOWDOWN_ALLOCATION_SCHEMA_H
#define RC_MODEL_SLOWDOWN_ALLOCATION_SCHEMA_H

#include <stdint.h>

#include <cyaml/cyaml.h>

#include "platform/yaml_check.h"
#include "model/slowdown/allocation_file.h"

/* The file as it was written; what is optional and was not there is NULL. */
struct rc_raw_task {
    char *name;
    char **seconds, **transfer;
    uint32_t seconds_count, transfer_count;
};

struct rc_raw_tasks {
    char **machines, **slowdown;
    struct rc_raw_task *tasks;
    uint32_t machines_count, slowdown_count, tasks_count;
};

extern const struct cyaml_schema_value rc_allocation_schema;
extern const struct rc_yaml_note rc_allocation_notes[];

#endif
