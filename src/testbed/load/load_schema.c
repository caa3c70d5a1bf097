// SPDX-License-Identifier: GPL-3.0-or-later
/* load_schema.c - the shape of a load file. */
#include "testbed/load/load_schema.h"

#define TEXT(key, flags, structure, member)                                                        \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, CYAML_UNLIMITED)
#define CHOICE(key, flags, structure, member, table)                                               \
    CYAML_FIELD_ENUM(key, CYAML_FLAG_STRICT | (flags), structure, member, table,                   \
                     sizeof(table) / sizeof *(table))

#define REQUIRED CYAML_FLAG_DEFAULT
#define OPTIONAL CYAML_FLAG_OPTIONAL

static const struct cyaml_schema_value level = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

static const struct cyaml_schema_field shape_fields[] = {
    CYAML_FIELD_SEQUENCE("levels", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_shape, levels,
                         &level, 1, RC_LOAD_LEVELS_MAX),
    TEXT("dwell", OPTIONAL, struct rc_raw_shape, dwell),
    TEXT("rest", OPTIONAL, struct rc_raw_shape, rest),
    TEXT("again", OPTIONAL, struct rc_raw_shape, again),
    TEXT("spread", OPTIONAL, struct rc_raw_shape, spread),
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
    TEXT("file", REQUIRED, struct rc_raw_track, file),
    TEXT("column", OPTIONAL, struct rc_raw_track, column),
    CHOICE("what", OPTIONAL, struct rc_raw_track, what, whats),
    TEXT("hosts", OPTIONAL, struct rc_raw_track, hosts),
    CHOICE("means", OPTIONAL, struct rc_raw_track, means, meanings),
    TEXT("full", OPTIONAL, struct rc_raw_track, full),
    TEXT("least", OPTIONAL, struct rc_raw_track, least),
    TEXT("shift", OPTIONAL, struct rc_raw_track, shift),
    CHOICE("beyond", OPTIONAL, struct rc_raw_track, beyond, beyonds),
    CYAML_FIELD_END,
};

static const struct cyaml_schema_value track = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rc_raw_track, track_fields),
};

static const struct cyaml_schema_field fields[] = {
    CHOICE("kind", REQUIRED, struct rc_raw_load, kind, kinds),
    CYAML_FIELD_MAPPING_PTR("cpu", OPTIONAL, struct rc_raw_load, cpu, shape_fields),
    CYAML_FIELD_MAPPING_PTR("link", OPTIONAL, struct rc_raw_load, link, shape_fields),
    CYAML_FIELD_SEQUENCE("replay", CYAML_FLAG_POINTER | OPTIONAL, struct rc_raw_load, replay,
                         &track, 1, RC_LOAD_TRACKS_MAX),
    CYAML_FIELD_END,
};

const struct cyaml_schema_value rc_load_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rc_raw_load, fields),
};

const struct rc_yaml_note rc_load_notes[] = {
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
