// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.c - the shape of a platform file. */
#include "platform/schema.h"

/* How many there may be of each, so that no check that compares all pairs takes long. */
enum { CLUSTERS_MAX = 1000, NETWORKS_MAX = 64, OVERRIDES_MAX = 10000, LINKS_MAX = 10000 };

/* Text that may not be empty. */
#define TEXT(key, flags, structure, member)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)

#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const struct cyaml_schema_field network_fields[] = {
    TEXT("name", REQUIRED, struct rc_raw_network, name),
    TEXT("bandwidth", REQUIRED, struct rc_raw_network, bandwidth),
    TEXT("latency", REQUIRED, struct rc_raw_network, latency),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value network_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_network, network_fields),
};

static const struct cyaml_strval orders[] = {
    {"packed", RC_PLACE_PACKED},
    {"spread", RC_PLACE_SPREAD},
};

static const struct cyaml_strval answers[] = {
    {"no", RC_RAW_NO},
    {"yes", RC_RAW_YES},
};

static const struct cyaml_schema_field placement_fields[] = {
    TEXT("per_host", OPTIONAL, struct rc_raw_placement, per_host),
    CYAML_FIELD_ENUM("order", CYAML_FLAG_STRICT | OPTIONAL, struct rc_raw_placement, order, orders,
                     sizeof orders / sizeof *orders),
    CYAML_FIELD_ENUM("contiguous", CYAML_FLAG_STRICT | OPTIONAL, struct rc_raw_placement,
                     contiguous, answers, sizeof answers / sizeof *answers),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_field override_fields[] = {
    TEXT("hosts", REQUIRED, struct rc_raw_override, hosts),
    TEXT("cores", OPTIONAL, struct rc_raw_override, cores),
    TEXT("memory", OPTIONAL, struct rc_raw_override, memory),
    TEXT("speed", OPTIONAL, struct rc_raw_override, speed),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value override_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_override, override_fields),
};

static const struct cyaml_schema_field cluster_fields[] = {
    TEXT("name", REQUIRED, struct rc_raw_cluster, name),
    TEXT("hosts", REQUIRED, struct rc_raw_cluster, hosts),
    TEXT("cores", REQUIRED, struct rc_raw_cluster, cores),
    TEXT("memory", OPTIONAL, struct rc_raw_cluster, memory),
    TEXT("speed", OPTIONAL, struct rc_raw_cluster, speed),
    CYAML_FIELD_SEQUENCE("networks", CYAML_FLAG_POINTER, struct rc_raw_cluster, networks,
                         &network_entry, 1, NETWORKS_MAX),
    TEXT("price", OPTIONAL, struct rc_raw_cluster, price),
    CYAML_FIELD_MAPPING_PTR("placement", OPTIONAL, struct rc_raw_cluster, placement,
                            placement_fields),
    CYAML_FIELD_SEQUENCE("overrides", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_cluster,
                         overrides, &override_entry, 0, OVERRIDES_MAX),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value cluster_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_cluster, cluster_fields),
};

static const struct cyaml_schema_value between_entry = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

static const struct cyaml_schema_field link_fields[] = {
    CYAML_FIELD_SEQUENCE("between", CYAML_FLAG_POINTER, struct rc_raw_link, between, &between_entry,
                         2, 2),
    TEXT("bandwidth", REQUIRED, struct rc_raw_link, bandwidth),
    TEXT("latency", REQUIRED, struct rc_raw_link, latency),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value link_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_link, link_fields),
};

static const struct cyaml_schema_field platform_fields[] = {
    TEXT("name", REQUIRED, struct rc_raw_platform, name),
    TEXT("currency", OPTIONAL, struct rc_raw_platform, currency),
    CYAML_FIELD_SEQUENCE("clusters", CYAML_FLAG_POINTER, struct rc_raw_platform, clusters,
                         &cluster_entry, 1, CLUSTERS_MAX),
    CYAML_FIELD_SEQUENCE("links", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_platform, links,
                         &link_entry, 0, LINKS_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_platform_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_platform, platform_fields),
};

const struct rc_yaml_note rc_platform_notes[] = {
    {"name", "a name"},
    {"currency", "a currency such as GBP"},
    {"clusters", "a list of clusters, each begun with '- '"},
    {"links", "a list of links, each begun with '- '"},
    {"hosts", "names of hosts as one text, such as a[001-064] or a1,b1"},
    {"cores", "a whole number from 1 to 65536"},
    {"memory", "a size such as 2GiB"},
    {"speed", "a speed such as 2.2Gf"},
    {"networks", "a list of networks, each begun with '- '"},
    {"bandwidth", "a rate such as 1Gbit"},
    {"latency", "a time such as 50us"},
    {"price", "a number such as 0.05"},
    {"overrides", "a list of hosts that differ, each begun with '- '"},
    {"per_host", "a whole number from 1 to 65536"},
    {"between", "the names of two clusters, such as [A, B]"},
    {NULL, NULL},
};

/* ---- loading ---- */

struct rc_raw_platform *rc_platform_raw_load(const char *text, size_t length, const char *name,
                                             struct rc_error *error)
{
    return rc_platform_yaml_load(text, length, name, &rc_platform_schema, error);
}

void rc_platform_raw_destroy(struct rc_raw_platform *raw)
{
    rc_platform_yaml_unload(&rc_platform_schema, raw);
}
