// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes_schema.c - the shape of a nodes file. */
#include "model/slowdown/nodes_schema.h"

#define TEXT(key, flags, structure, member)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)

#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const struct cyaml_schema_value text = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

static const struct cyaml_schema_field node_fields[] = {
    TEXT("name", REQUIRED, struct rc_raw_node, name),
    TEXT("weight", OPTIONAL, struct rc_raw_node, weight),
    TEXT("seconds", OPTIONAL, struct rc_raw_node, seconds),
    TEXT("work", OPTIONAL, struct rc_raw_node, work),
    TEXT("dedicated", OPTIONAL, struct rc_raw_node, dedicated),
    TEXT("slowdown", OPTIONAL, struct rc_raw_node, slowdown),
    TEXT("cores", OPTIONAL, struct rc_raw_node, cores),
    TEXT("processes", OPTIONAL, struct rc_raw_node, processes),
    TEXT("memory", OPTIONAL, struct rc_raw_node, memory),
    CYAML_FIELD_END,
};

static const struct cyaml_strval answers[] = {
    {"no", RC_RAW_NO}, {"yes", RC_RAW_YES}, {"false", RC_RAW_NO}, {"true", RC_RAW_YES}};

static const struct cyaml_schema_field group_fields[] = {
    TEXT("shares", REQUIRED, struct rc_raw_group, shares),
    CYAML_FIELD_SEQUENCE("nodes", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_group, nodes, &text,
                         1, RC_NODES_MAX),
    CYAML_FIELD_SEQUENCE("work", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_group, work, &text, 1,
                         RC_NODES_MAX),
    CYAML_FIELD_ENUM("coupled", CYAML_FLAG_STRICT | OPTIONAL, struct rc_raw_group, coupled, answers,
                     sizeof answers / sizeof *answers),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value node = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_node, node_fields),
};
static const struct cyaml_schema_value group = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_group, group_fields),
};

static const struct cyaml_schema_field fields[] = {
    CYAML_FIELD_SEQUENCE("nodes", CYAML_FLAG_POINTER, struct rc_raw_nodes, nodes, &node, 1,
                         RC_NODES_MAX),
    CYAML_FIELD_SEQUENCE("competitors", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_nodes,
                         competitors, &group, 1, RC_NODE_GROUPS_MAX),
    TEXT("delay", OPTIONAL, struct rc_raw_nodes, delay),
    TEXT("bandwidth", OPTIONAL, struct rc_raw_nodes, bandwidth),
    TEXT("word-bytes", OPTIONAL, struct rc_raw_nodes, word_bytes),
    CYAML_FIELD_ENUM("shared-link", CYAML_FLAG_STRICT | OPTIONAL, struct rc_raw_nodes, shared_link,
                     answers, sizeof answers / sizeof *answers),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_slowdown_nodes_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_nodes, fields),
};

const struct rc_yaml_note rc_slowdown_nodes_notes[] = {
    {"name", "the name of a host"},
    {"weight", "a number above 0, such as 3.07"},
    {"seconds", "a time that one task takes on the idle host, such as 12.5s"},
    {"work", "a part of the work such as 1/6 or 0.25 (of a competitor: a list of them)"},
    {"dedicated", "a part of the work such as 1/6 or 0.25"},
    {"slowdown", "a number from 1 on"},
    {"cores", "a whole number from 1 on"},
    {"processes", "a whole number from 1 on"},
    {"memory", "a fraction from 0 to 1"},
    {"competitors", "a list of programs, each begun with '- '"},
    {"shares", "what a competitor does, as in \"0.55:0.45\""},
    {"coupled", "yes or no"},
    {"nodes", "a list of nodes (of a competitor: of their names)"},
    {"delay", "a number such as 0.25, or alpha-farm"},
    {"bandwidth", "a rate such as 12.5MB/s or 0.45Mw/s (bytes/s without a unit)"},
    {"word-bytes", "a size above 0, such as 4"},
    {"shared-link", "yes or no"},
    {NULL, NULL},
};
