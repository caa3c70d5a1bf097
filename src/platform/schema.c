// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.c - the shape of a platform file. */
#include "platform/schema.h"

/* How many there may be of each, so that no check that compares all pairs takes long. */
enum { CLUSTERS_MAX = 1000, NETWORKS_MAX = 64, OVERRIDES_MAX = 10000, LINKS_MAX = 10000 };

static const struct cyaml_schema_field network_fields[] = {
    RC_YAML_TEXT("name", RC_YAML_REQUIRED, struct rc_raw_network, name),
    RC_YAML_TEXT("bandwidth", RC_YAML_REQUIRED, struct rc_raw_network, bandwidth),
    RC_YAML_TEXT("latency", RC_YAML_REQUIRED, struct rc_raw_network, latency),
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
    RC_YAML_TEXT("per_host", RC_YAML_OPTIONAL, struct rc_raw_placement, per_host),
    RC_YAML_CHOICE("order", RC_YAML_OPTIONAL, struct rc_raw_placement, order, orders),
    RC_YAML_CHOICE("contiguous", RC_YAML_OPTIONAL, struct rc_raw_placement, contiguous, answers),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_field override_fields[] = {
    RC_YAML_TEXT("hosts", RC_YAML_REQUIRED, struct rc_raw_override, hosts),
    RC_YAML_TEXT("cores", RC_YAML_OPTIONAL, struct rc_raw_override, cores),
    RC_YAML_TEXT("memory", RC_YAML_OPTIONAL, struct rc_raw_override, memory),
    RC_YAML_TEXT("speed", RC_YAML_OPTIONAL, struct rc_raw_override, speed),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value override_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_override, override_fields),
};

static const struct cyaml_schema_field cluster_fields[] = {
    RC_YAML_TEXT("name", RC_YAML_REQUIRED, struct rc_raw_cluster, name),
    RC_YAML_TEXT("hosts", RC_YAML_REQUIRED, struct rc_raw_cluster, hosts),
    RC_YAML_TEXT("cores", RC_YAML_REQUIRED, struct rc_raw_cluster, cores),
    RC_YAML_TEXT("memory", RC_YAML_OPTIONAL, struct rc_raw_cluster, memory),
    RC_YAML_TEXT("speed", RC_YAML_OPTIONAL, struct rc_raw_cluster, speed),
    RC_YAML_LIST("networks", RC_YAML_REQUIRED, struct rc_raw_cluster, networks, &network_entry, 1,
                 NETWORKS_MAX),
    RC_YAML_TEXT("cost", RC_YAML_OPTIONAL, struct rc_raw_cluster, cost),
    CYAML_FIELD_MAPPING_PTR("placement", RC_YAML_OPTIONAL, struct rc_raw_cluster, placement,
                            placement_fields),
    RC_YAML_LIST("overrides", RC_YAML_OPTIONAL, struct rc_raw_cluster, overrides, &override_entry,
                 0, OVERRIDES_MAX),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value cluster_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_cluster, cluster_fields),
};

static const struct cyaml_schema_field link_fields[] = {
    RC_YAML_LIST("between", RC_YAML_REQUIRED, struct rc_raw_link, between, &rc_platform_yaml_text,
                 2, 2),
    RC_YAML_TEXT("bandwidth", RC_YAML_REQUIRED, struct rc_raw_link, bandwidth),
    RC_YAML_TEXT("latency", RC_YAML_REQUIRED, struct rc_raw_link, latency),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value link_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_link, link_fields),
};

static const struct cyaml_schema_field platform_fields[] = {
    RC_YAML_TEXT("name", RC_YAML_REQUIRED, struct rc_raw_platform, name),
    RC_YAML_TEXT("currency", RC_YAML_OPTIONAL, struct rc_raw_platform, currency),
    RC_YAML_LIST("clusters", RC_YAML_REQUIRED, struct rc_raw_platform, clusters, &cluster_entry, 1,
                 CLUSTERS_MAX),
    RC_YAML_LIST("links", RC_YAML_OPTIONAL, struct rc_raw_platform, links, &link_entry, 0,
                 LINKS_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_platform_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_platform, platform_fields),
};

const struct rc_yaml_expected rc_platform_expected[] = {
    {"name", "a name"},
    {"currency", "a currency such as GBP"},
    {"clusters", "a list of clusters, each begun with '- '"},
    {"links", "a list of links, each begun with '- '"},
    {"hosts", "host names in one string, such as a[001-064] or a1,b1"},
    {"cores", "a whole number from 1 to 65536"},
    {"memory", "a size such as 2GiB"},
    {"speed", "a speed such as 2.2Gf"},
    {"networks", "a list of networks, each begun with '- '"},
    {"bandwidth", "a rate such as 1Gbit"},
    {"latency", "a time such as 50us"},
    {"cost", "a number such as 0.05"},
    {"overrides", "a list of hosts that differ, each begun with '- '"},
    {"per_host", "a whole number from 1 to 65536"},
    {"between", "the names of two clusters, such as [A, B]"},
    {NULL, NULL},
};
