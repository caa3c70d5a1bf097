// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_schema.c - the shape of a sweep file. */
#include "testbed/sim/sweep_schema.h"

#include "testbed/sim/sweep.h"

#define TEXT(key, flags, structure, member)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)
#define TEXTS(key, flags, structure, member, most)                                                 \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), structure, member, &text, 1, most)

#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const struct cyaml_schema_value text = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

static const struct cyaml_schema_field app_fields[] = {
    TEXT("app", REQUIRED, struct rc_raw_sweep_app, app),
    TEXTS("sizes", REQUIRED, struct rc_raw_sweep_app, sizes, RC_SWEEP_LIST_MAX),
    TEXTS("procs", OPTIONAL, struct rc_raw_sweep_app, procs, RC_SWEEP_LIST_MAX),
    TEXTS("arguments", OPTIONAL, struct rc_raw_sweep_app, arguments, RC_SWEEP_LIST_MAX),
    TEXT("cluster", OPTIONAL, struct rc_raw_sweep_app, cluster),
    TEXT("hosts", OPTIONAL, struct rc_raw_sweep_app, hosts),
    TEXT("network", OPTIONAL, struct rc_raw_sweep_app, network),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value app_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_sweep_app, app_fields),
};

static const struct cyaml_schema_field fields[] = {
    TEXT("platform", REQUIRED, struct rc_raw_sweep, platform),
    TEXT("db", OPTIONAL, struct rc_raw_sweep, db),
    TEXTS("loads", OPTIONAL, struct rc_raw_sweep, loads, RC_SWEEP_LOADS_MAX),
    TEXTS("seeds", OPTIONAL, struct rc_raw_sweep, seeds, RC_SWEEP_SEEDS_MAX),
    TEXTS("starts", OPTIONAL, struct rc_raw_sweep, starts, RC_SWEEP_LIST_MAX),
    TEXT("over", OPTIONAL, struct rc_raw_sweep, over),
    TEXT("from", OPTIONAL, struct rc_raw_sweep, from),
    TEXT("repeats", OPTIONAL, struct rc_raw_sweep, repeats),
    TEXT("every", OPTIONAL, struct rc_raw_sweep, every),
    TEXT("history", OPTIONAL, struct rc_raw_sweep, history),
    TEXT("speed", OPTIONAL, struct rc_raw_sweep, speed),
    CYAML_FIELD_SEQUENCE("apps", CYAML_FLAG_POINTER, struct rc_raw_sweep, apps, &app_entry, 1,
                         RC_SWEEP_LIST_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_sweep_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_sweep, fields),
};

const struct rc_yaml_note rc_sweep_notes[] = {
    {"platform", "the name of a platform file"},
    {"db", "the name of a store"},
    {"loads", "a list of loads such as [none, random]"},
    {"seeds", "a list of whole numbers such as [1, 2]"},
    {"starts", "a list of times such as [1d, 36h]"},
    {"over", "a time such as 7d"},
    {"from", "a time such as 2d"},
    {"repeats", "a whole number such as 10"},
    {"every", "a time such as 10s"},
    {"history", "a time such as 1h"},
    {"speed", "a speed such as 2.2Gf"},
    {"apps", "a list of apps, each begun with '- '"},
    {"app", "the name of a program"},
    {"sizes", "a list of numbers such as [1000, 2000]"},
    {"procs", "a list of whole numbers such as [1, 2, 4]"},
    {"arguments", "a list of texts such as [--iterations, 200]"},
    {"cluster", "the name of a cluster"},
    {"hosts", "names of hosts as one text, such as a[001-064] or a1,b1"},
    {"network", "the name of a network"},
    {NULL, NULL},
};
