// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_schema.h - the shape of a sweep file, as tables for yaml.h. */
#ifndef RC_TESTBED_SIM_SWEEP_SCHEMA_H
#define RC_TESTBED_SIM_SWEEP_SCHEMA_H

#include <stdint.h>

#include "platform/yaml.h"

/* The file as it was written; what is optional and was not there is NULL. */
struct rc_raw_sweep_app {
    char *app, *cluster, *hosts, *network;
    char **sizes, **procs, **arguments;
    uint32_t sizes_count, procs_count, arguments_count;
};

struct rc_raw_sweep {
    char *platform, *db, *over, *from, *repeats, *every, *history, *speed;
    char **loads, **seeds, **starts;
    struct rc_raw_sweep_app *apps;
    uint32_t loads_count, seeds_count, starts_count, apps_count;
};

extern const struct cyaml_schema_value rc_sweep_schema;
extern const struct rc_yaml_expected rc_sweep_expected[];

#endif
