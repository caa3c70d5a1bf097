// SPDX-License-Identifier: GPL-3.0-or-later
/* load_schema.c - the shape of a load file. */
#include "testbed/load/load_schema.h"

static const struct cyaml_schema_field shape_fields[] = {
    RC_YAML_TEXTS("levels", RC_YAML_OPTIONAL, struct rc_raw_shape, levels, RC_LOAD_LEVELS_MAX),
    RC_YAML_TEXT("dwell", RC_YAML_OPTIONAL, struct rc_raw_shape, dwell),
    RC_YAML_TEXT("rest", RC_YAML_OPTIONAL, struct rc_raw_shape, rest),
    RC_YAML_TEXT("again", RC_YAML_OPTIONAL, struct rc_raw_shape, again),
    RC_YAML_TEXT("spread", RC_YAML_OPTIONAL, struct rc_raw_shape, spread),
    CYAML_FIELD_END,
};

static const struct cyaml_strval whats[] = {{"cpu", RC_LOAD_CPU}, {"link", RC_LOAD_LINK}};
static const struct cyaml_strval meanings[] = {{"available", RC_LOAD_AVAILABLE},
                                               {"used", RC_LOAD_USED},
                                               {"queue", RC_LOAD_QUEUE}};
static const struct cyaml_strval beyonds[] = {{"stop", RC_LOAD_STOP},
                                              {"hold", RC_LOAD_HOLD},
                                              {"repeat", RC_LOAD_REPEAT}};
static const struct cyaml_strval kinds[] = {
    {"none", RC_LOAD_NONE},     {"random", RC_LOAD_RANDOM}, {"modal", RC_LOAD_MODAL},
    {"bursty", RC_LOAD_BURSTY}, {"replay", RC_LOAD_REPLAY},
};

static const struct cyaml_schema_field track_fields[] = {
    RC_YAML_TEXT("file", RC_YAML_REQUIRED, struct rc_raw_track, file),
    RC_YAML_TEXT("column", RC_YAML_OPTIONAL, struct rc_raw_track, column),
    RC_YAML_CHOICE("what", RC_YAML_OPTIONAL, struct rc_raw_track, what, whats),
    RC_YAML_TEXT("hosts", RC_YAML_OPTIONAL, struct rc_raw_track, hosts),
    RC_YAML_CHOICE("means", RC_YAML_OPTIONAL, struct rc_raw_track, means, meanings),
    RC_YAML_TEXT("full", RC_YAML_OPTIONAL, struct rc_raw_track, full),
    RC_YAML_TEXT("least", RC_YAML_OPTIONAL, struct rc_raw_track, least),
    RC_YAML_TEXT("shift", RC_YAML_OPTIONAL, struct rc_raw_track, shift),
    RC_YAML_CHOICE("beyond", RC_YAML_OPTIONAL, struct rc_raw_track, beyond, beyonds),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value track = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_track, track_fields),
};

static const struct cyaml_schema_field fields[] = {
    RC_YAML_CHOICE("kind", RC_YAML_REQUIRED, struct rc_raw_load, kind, kinds),
    CYAML_FIELD_MAPPING_PTR("cpu", RC_YAML_OPTIONAL, struct rc_raw_load, cpu, shape_fields),
    CYAML_FIELD_MAPPING_PTR("link", RC_YAML_OPTIONAL, struct rc_raw_load, link, shape_fields),
    RC_YAML_LIST("replay", RC_YAML_OPTIONAL, struct rc_raw_load, replay, &track, 1,
                 RC_LOAD_TRACKS_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_load_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_load, fields),
};

const struct rc_yaml_expected rc_load_expected[] = {
    {"kind", "none, random, modal, bursty or replay"},
    {"levels", "a list of fractions such as [1, 0.5]"},
    {"dwell", "times such as 60s..600s"},
    {"rest", "times such as 20s..120s"},
    {"again", "a probability from 0 to 1"},
    {"spread", "a fraction from 0 to 1"},
    {"replay", "a list of recorded series, each begun with '- '"},
    {"file", "the name of a CSV file"},
    {"column", "the name of a column"},
    {"what", "cpu or link"},
    {"hosts", "names of hosts as one text, such as a[001-064] or a1,b1"},
    {"means", "available, used or queue"},
    {"full", "a number above 0, such as 100"},
    {"least", "a fraction from 0 to 1"},
    {"shift", "a time such as 10min"},
    {"beyond", "stop, hold or repeat"},
    {NULL, NULL},
};
