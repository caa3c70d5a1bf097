// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_schema.c - the shape of a sweep file. */
#include "testbed/sim/sweep_schema.h"

#include "testbed/sim/sweep.h"

static const struct cyaml_schema_field app_fields[] = {
    RC_YAML_TEXT("app", RC_YAML_REQUIRED, struct rc_raw_sweep_app, app),
    RC_YAML_TEXTS("sizes", RC_YAML_REQUIRED, struct rc_raw_sweep_app, sizes, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXTS("procs", RC_YAML_OPTIONAL, struct rc_raw_sweep_app, procs, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXTS("arguments", RC_YAML_OPTIONAL, struct rc_raw_sweep_app, arguments,
                  RC_SWEEP_LIST_MAX),
    RC_YAML_TEXT("cluster", RC_YAML_OPTIONAL, struct rc_raw_sweep_app, cluster),
    RC_YAML_TEXT("hosts", RC_YAML_OPTIONAL, struct rc_raw_sweep_app, hosts),
    RC_YAML_TEXT("network", RC_YAML_OPTIONAL, struct rc_raw_sweep_app, network),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value app_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_sweep_app, app_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_TEXT("platform", RC_YAML_REQUIRED, struct rc_raw_sweep, platform),
    RC_YAML_TEXT("db", RC_YAML_OPTIONAL, struct rc_raw_sweep, db),
    RC_YAML_TEXTS("loads", RC_YAML_OPTIONAL, struct rc_raw_sweep, loads, RC_SWEEP_LOADS_MAX),
    RC_YAML_TEXTS("seeds", RC_YAML_OPTIONAL, struct rc_raw_sweep, seeds, RC_SWEEP_SEEDS_MAX),
    RC_YAML_TEXTS("starts", RC_YAML_OPTIONAL, struct rc_raw_sweep, starts, RC_SWEEP_LIST_MAX),
    RC_YAML_TEXT("over", RC_YAML_OPTIONAL, struct rc_raw_sweep, over),
    RC_YAML_TEXT("from", RC_YAML_OPTIONAL, struct rc_raw_sweep, from),
    RC_YAML_TEXT("repeats", RC_YAML_OPTIONAL, struct rc_raw_sweep, repeats),
    RC_YAML_TEXT("every", RC_YAML_OPTIONAL, struct rc_raw_sweep, every),
    RC_YAML_TEXT("history", RC_YAML_OPTIONAL, struct rc_raw_sweep, history),
    RC_YAML_TEXT("speed", RC_YAML_OPTIONAL, struct rc_raw_sweep, speed),
    RC_YAML_LIST("apps", RC_YAML_REQUIRED, struct rc_raw_sweep, apps, &app_entry, 1,
                 RC_SWEEP_LIST_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_sweep_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_sweep, fields),
};

const struct rc_yaml_expected rc_sweep_expected[] = {
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
