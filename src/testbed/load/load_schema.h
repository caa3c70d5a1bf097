// SPDX-License-Identifier: GPL-3.0-or-later
/* load_schema.h - the shape of a load file, as tables for yaml.h. */
#ifndef RC_TESTBED_LOAD_LOAD_SCHEMA_H
#define RC_TESTBED_LOAD_LOAD_SCHEMA_H

#include <stdint.h>

#include "testbed/load/load.h"
#include "platform/yaml.h"

/* The file as it was written; what is optional and was not there is NULL. */
struct rc_raw_shape {
    char **levels;
    char *dwell, *rest, *again, *spread;
    uint32_t levels_count;
};

struct rc_raw_track {
    enum rc_load_what what;
    enum rc_load_means means;
    enum rc_load_beyond beyond;
    char *hosts, *file, *column, *full, *least, *shift;
};

struct rc_raw_load {
    enum rc_load_kind kind;
    struct rc_raw_shape *cpu, *link;
    struct rc_raw_track *replay;
    uint32_t replay_count;
};

extern const struct cyaml_schema_value rc_load_schema;
extern const struct rc_yaml_expected rc_load_expected[];

#endif
