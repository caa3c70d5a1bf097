// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes_schema.h - the shape of a nodes file, as tables that libcyaml and yaml_check.h both
 * read. */
#ifndef RC_MODEL_SLOWDOWN_NODES_SCHEMA_H
#define RC_MODEL_SLOWDOWN_NODES_SCHEMA_H

#include <stdint.h>

#include <cyaml/cyaml.h>

#include "platform/yaml_check.h"
#include "model/slowdown/nodes.h"

/* The file as it was written; what is optional and was not there is NULL. */
struct rc_raw_node {
    char *name, *weight, *seconds, *work, *dedicated, *slowdown, *cores, *processes, *memory;
};

enum rc_raw_answer { RC_RAW_NO, RC_RAW_YES };

struct rc_raw_group {
    char *shares;
    char **nodes;
    char **work;
    uint32_t nodes_count, work_count;
    enum rc_raw_answer coupled;
};

struct rc_raw_nodes {
    struct rc_raw_node *nodes;
    struct rc_raw_group *competitors;
    uint32_t nodes_count, competitors_count;
    char *delay, *bandwidth, *word_bytes;
    enum rc_raw_answer shared_link;
};

extern const struct cyaml_schema_value rc_slowdown_nodes_schema;
extern const struct rc_yaml_note rc_slowdown_nodes_notes[];

#endif
