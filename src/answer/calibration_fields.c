// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration_fields.c - the document of a calibration.  src/model/slowdown/calibration_document.c
 * makes its members. */
#include "answer/slowdown_fields.h"

/* A member of an object that is made elsewhere. */
#define MADE(key_, type_)                                                                          \
    {                                                                                              \
        .kind = RC_AS_JSON, .key = key_, .type = type_                                             \
    }

static const struct rc_field host_fields[] = {MADE("name", "string"),
                                              MADE("cores", "integer"),
                                              MADE("benchmark_s", "number"),
                                              MADE("relative_speed", "number"),
                                              MADE("spread_fraction", "number"),
                                              MADE("memory_slowdowns", "numbers"),
                                              RC_FIELDS_END};

static const struct rc_field link_fields[] = {
    MADE("from", "string"),
    MADE("to", "string"),
    {.kind = RC_AS_JSON, .key = "bursts", .type = "list", .fields = rc_answer_burst},
    RC_FIELDS_END};

static const struct rc_field point_fields[] = {MADE("communicating", "integer"),
                                               MADE("bandwidth_bytes_per_s", "number"),
                                               MADE("delay", "number"), RC_FIELDS_END};

static const struct rc_field line_fields[] = {MADE("intercept", "number"),
                                              MADE("slope_s_per_byte", "number"), RC_FIELDS_END};

static const struct rc_field curve_fields[] = {
    MADE("communicating", "integer"),
    MADE("break_bytes_per_s", "number"),
    {.kind = RC_AS_JSON, .key = "below", .fields = line_fields},
    {.kind = RC_AS_JSON, .key = "above", .fields = line_fields},
    MADE("low_bytes_per_s", "number"),
    MADE("high_bytes_per_s", "number"),
    RC_FIELDS_END};

static const struct rc_field delay_fields[] = {
    MADE("constant", "number"),
    {.kind = RC_AS_JSON, .key = "curves", .type = "list", .fields = curve_fields},
    RC_FIELDS_END};

#define CALIBRATION struct rc_answer_calibration
const struct rc_field rc_answer_calibration[] = {
    {RC_FIELD(CALIBRATION, JSON, format), .key = "format", .type = "integer"},
    {RC_FIELD(CALIBRATION, JSON, created), .key = "created", .type = "time"},
    {RC_FIELD(CALIBRATION, JSON, quick), .key = "quick", .type = "strings"},
    {RC_FIELD(CALIBRATION, JSON, missing), .key = "missing", .type = "strings"},
    {RC_FIELD(CALIBRATION, JSON, hosts), .key = "hosts", .type = "list", .fields = host_fields},
    {RC_FIELD(CALIBRATION, JSON, links), .key = "links", .type = "list", .fields = link_fields},
    {RC_FIELD(CALIBRATION, JSON, delay_from), .key = "delay_from", .type = "string"},
    {RC_FIELD(CALIBRATION, JSON, delay_to), .key = "delay_to", .type = "string"},
    {RC_FIELD(CALIBRATION, JSON, points), .key = "delay_points", .type = "list",
     .fields = point_fields},
    {RC_FIELD(CALIBRATION, JSON, delay), .key = "delay", .fields = delay_fields},
    {RC_FIELD(CALIBRATION, JSON, byte_cost), .key = "byte_cost_s", .type = "number"},
    {RC_FIELD(CALIBRATION, TEXT, platform), .key = "platform"},
    {RC_FIELD(CALIBRATION, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

CALIBRATION rc_answer_calibration_of(const char *platform, const json_t *document)
{
    return (CALIBRATION){.platform = platform,
                         .format = json_object_get(document, "format"),
                         .created = json_object_get(document, "created"),
                         .quick = json_object_get(document, "quick"),
                         .missing = json_object_get(document, "missing"),
                         .hosts = json_object_get(document, "hosts"),
                         .links = json_object_get(document, "links"),
                         .delay_from = json_object_get(document, "delay_from"),
                         .delay_to = json_object_get(document, "delay_to"),
                         .points = json_object_get(document, "delay_points"),
                         .delay = json_object_get(document, "delay"),
                         .byte_cost = json_object_get(document, "byte_cost_s")};
}
