// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.h - the shape of a platform file, as tables for yaml.h. */
#ifndef RC_PLATFORM_SCHEMA_H
#define RC_PLATFORM_SCHEMA_H

#include <stdint.h>

#include "platform/yaml.h"
#include "runcast.h"

/* The file as it was written: quantities are still text, so that an error can quote them.  What
 * is optional and was not there is NULL. */
struct rc_raw_network {
    char *name, *bandwidth, *latency;
};

struct rc_raw_placement {
    char *per_host;
    enum rc_placement_order order;
    enum rc_raw_answer { RC_RAW_NO, RC_RAW_YES } contiguous;
};

struct rc_raw_override {
    char *hosts, *cores, *memory, *speed;
};

struct rc_raw_cluster {
    char *name, *hosts, *cores, *memory, *speed, *cost;
    struct rc_raw_network *networks;
    struct rc_raw_placement *placement;
    struct rc_raw_override *overrides;
    uint32_t networks_count, overrides_count;
};

struct rc_raw_link {
    char **between; /* two */
    char *bandwidth, *latency;
    uint32_t between_count;
};

struct rc_raw_platform {
    char *name, *currency;
    struct rc_raw_cluster *clusters;
    struct rc_raw_link *links;
    uint32_t clusters_count, links_count;
};

extern const struct cyaml_schema_value rc_platform_schema;
extern const struct rc_yaml_expected rc_platform_expected[];

#endif
