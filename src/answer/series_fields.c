// SPDX-License-Identifier: GPL-3.0-or-later
/* series_fields.c - the fields of answers about measured series. */
#include "answer/series_fields.h"

#include <math.h>

#include "base/json.h"

enum { LINK_SIZE = 1024 };

#define IMPORT struct rc_answer_series_import
const struct rc_field rc_answer_series_import[] = {
    {RC_FIELD(IMPORT, TEXT, file), .key = "file"},
    {RC_FIELD(IMPORT, UINT64, import.added), .key = "added"},
    {RC_FIELD(IMPORT, UINT64, import.there_already), .key = "already_stored"},
    {RC_FIELD(IMPORT, UINT64, import.skipped), .key = "skipped_rows"},
    {RC_FIELD(IMPORT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

#define SERIES struct rc_series_info
static void name_text(const void *record, char *text, size_t size)
{
    const struct rc_series_key *key = &((const SERIES *)record)->key;

    snprintf(text, size, "%s%s%s", key->host, *key->peer ? ":" : "", key->peer);
}

static json_t *link_json(const void *record)
{
    char name[LINK_SIZE];

    if (!*((const SERIES *)record)->key.peer)
        return json_null();
    name_text(record, name, sizeof name);
    return rc_json_text(name);
}

static json_t *host_json(const void *record)
{
    const struct rc_series_key *key = &((const SERIES *)record)->key;

    return *key->peer ? json_null() : rc_json_text(key->host);
}

const struct rc_field rc_answer_series[] = {
    {RC_FIELD(SERIES, TEXT, key.host), .key = "host", .title = "host or link", .json = host_json,
     .text = name_text, .type = "string"},
    {RC_FIELD(SERIES, TEXT, key.peer), .key = "link", .json = link_json, .type = "string"},
    {RC_FIELD(SERIES, TEXT, key.metric), .key = "metric", .title = "metric"},
    {RC_FIELD(SERIES, UINT64, samples), .key = "sample_count", .title = "samples"},
    {RC_FIELD(SERIES, TIME, first), .key = "first_sample", .title = "first sample"},
    {RC_FIELD(SERIES, TIME, last), .key = "last_sample", .title = "last sample"},
    RC_FIELDS_END};

#define SAMPLE struct rc_sample
const struct rc_field rc_answer_sample[] = {{RC_FIELD(SAMPLE, TIME, t), .key = "timestamp"},
                                            {RC_FIELD(SAMPLE, NUMBER, value), .key = "value"},
                                            RC_FIELDS_END};

#define DELETION struct rc_answer_series_deletion
const struct rc_field rc_answer_series_deletion[] = {
    {RC_FIELD(DELETION, UINT64, deleted), .key = "deleted"}, RC_FIELDS_END};

/* ---- a described series ---- */

const char *rc_answer_series_verdict(enum rc_series_verdict verdict)
{
    return verdict == RC_SERIES_LOCAL       ? "local"
           : verdict == RC_SERIES_NOT_LOCAL ? "not local"
                                            : "unknown";
}

#define MODE struct rc_answer_series_mode
static const struct rc_field mode_fields[] = {{RC_FIELD(MODE, SIZE, number), .key = "mode"},
                                              {RC_FIELD(MODE, NUMBER, mode.centre),
                                               .key = "centre"},
                                              {RC_FIELD(MODE, NUMBER, mode.mean), .key = "mean"},
                                              {RC_FIELD(MODE, NUMBER, mode.sd), .key = "sd"},
                                              {RC_FIELD(MODE, NUMBER, mode.low), .key = "min"},
                                              {RC_FIELD(MODE, NUMBER, mode.high), .key = "max"},
                                              {RC_FIELD(MODE, NUMBER, mode.share), .key = "share"},
                                              {RC_FIELD(MODE, SIZE, mode.n), .key = "sample_count"},
                                              {RC_FIELD(MODE, NUMBER, seconds), .key = "time_s"},
                                              {RC_FIELD(MODE, NUMBER, dwell), .key = "dwell_s"},
                                              RC_FIELDS_END};

#define DESCRIPTION struct rc_series_description
static const struct rc_field autocorrelation_fields[] = {
    {RC_FIELD(DESCRIPTION, NUMBER, next), .key = "lag1"},
    {RC_FIELD(DESCRIPTION, NUMBER, half), .key = "below_half_s"},
    RC_FIELDS_END};

static void frame_source_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s",
             rc_series_frame_source_text(((const DESCRIPTION *)record)->frame.source));
}

static const struct rc_field frame_fields[] = {
    {RC_FIELD(DESCRIPTION, NUMBER, frame.seconds), .key = "length_s"},
    {RC_FIELD(DESCRIPTION, NUMBER, frame.correlation), .key = "correlation"},
    {RC_FIELD(DESCRIPTION, SIZE, frame.pairs), .key = "window_pairs"},
    {.kind = RC_AS_COMPUTED, .key = "reason", .text = frame_source_text, .type = "string"},
    RC_FIELDS_END};

static void verdict_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s",
             rc_answer_series_verdict(((const DESCRIPTION *)record)->locality.verdict));
}

static json_t *now_json(const void *record)
{
    size_t now = ((const DESCRIPTION *)record)->locality.now;

    return now == RC_SERIES_NO_MODE ? json_null() : json_integer((json_int_t)now + 1);
}

static const struct rc_field locality_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "temporal_locality", .text = verdict_text, .type = "string"},
    {RC_FIELD(DESCRIPTION, NUMBER, locality.stays), .key = "stays_fraction"},
    {RC_FIELD(DESCRIPTION, SIZE, locality.switches), .key = "switch_count"},
    {RC_FIELD(DESCRIPTION, NUMBER, locality.switches_per_hour), .key = "switches_per_hour"},
    {RC_FIELD(DESCRIPTION, NUMBER, locality.observed), .key = "observed_s"},
    {.kind = RC_AS_COMPUTED, .key = "current_mode", .json = now_json, .type = "integer"},
    {RC_FIELD(DESCRIPTION, TIME, locality.since), .key = "current_mode_since"},
    RC_FIELDS_END};

static const struct rc_field normality_fields[] = {
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.distance), .key = "distance"},
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.chi_squared), .key = "chi_squared"},
    {RC_FIELD(DESCRIPTION, SIZE, closeness.cells), .key = "cell_count"},
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.chi_p_low), .key = "chi_squared_p_min"},
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.chi_p_high), .key = "chi_squared_p_max"},
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.ks), .key = "ks"},
    {RC_FIELD(DESCRIPTION, NUMBER, closeness.ks_p), .key = "ks_p"},
    RC_FIELDS_END};

/* A rule and what it gives. */
struct bins {
    const char *rule;
    size_t n;
    double width;
};
static const struct rc_field bins_fields[] = {{RC_FIELD(struct bins, TEXT, rule), .key = "rule"},
                                              {RC_FIELD(struct bins, SIZE, n), .key = "bin_count"},
                                              {RC_FIELD(struct bins, NUMBER, width),
                                               .key = "width"},
                                              RC_FIELDS_END};

static json_t *bins_json(const void *record)
{
    const DESCRIPTION *description = record;
    struct bins bins[RC_SERIES_BIN_RULES];

    for (int i = 0; i < RC_SERIES_BIN_RULES; i++)
        bins[i] = (struct bins){rc_series_bin_rule_name((enum rc_series_bin_rule)i),
                                description->bins[i].n, description->bins[i].width};
    return rc_field_json_list(bins_fields, bins, RC_SERIES_BIN_RULES, sizeof *bins);
}

static const struct rc_field description_fields[] = {
    {RC_FIELD(DESCRIPTION, SIZE, n), .key = "sample_count"},
    {RC_FIELD(DESCRIPTION, TIME, first), .key = "first_sample"},
    {RC_FIELD(DESCRIPTION, TIME, last), .key = "last_sample"},
    {RC_FIELD(DESCRIPTION, NUMBER, spacing), .key = "spacing_s"},
    {RC_FIELD(DESCRIPTION, NUMBER, moments.low), .key = "min"},
    {RC_FIELD(DESCRIPTION, NUMBER, moments.high), .key = "max"},
    {RC_FIELD(DESCRIPTION, NUMBER, moments.mean), .key = "mean"},
    {RC_FIELD(DESCRIPTION, NUMBER, moments.sd), .key = "sd"},
    {RC_FIELD(DESCRIPTION, NUMBER, quantiles[0]), .key = "p05"},
    {RC_FIELD(DESCRIPTION, NUMBER, quantiles[1]), .key = "p25"},
    {RC_FIELD(DESCRIPTION, NUMBER, quantiles[2]), .key = "p50"},
    {RC_FIELD(DESCRIPTION, NUMBER, quantiles[3]), .key = "p75"},
    {RC_FIELD(DESCRIPTION, NUMBER, quantiles[4]), .key = "p95"},
    {RC_FIELD(DESCRIPTION, NUMBER, modes.aggregate_mean), .key = "aggregate_mean"},
    {RC_FIELD(DESCRIPTION, NUMBER, modes.aggregate_sd), .key = "aggregate_sd"},
    {.kind = RC_AS_OBJECT, .key = "autocorrelation", .fields = autocorrelation_fields},
    {.kind = RC_AS_OBJECT, .key = "time_frame", .fields = frame_fields},
    {.kind = RC_AS_OBJECT, .key = "locality", .fields = locality_fields},
    {.kind = RC_AS_OBJECT, .key = "normality", .fields = normality_fields},
    {RC_FIELD(DESCRIPTION, SIZE, mode_bins), .key = "mode_bin_count"},
    {.kind = RC_AS_COMPUTED,
     .key = "bin_rules",
     .json = bins_json,
     .type = "list",
     .fields = bins_fields},
    RC_FIELDS_END};

#define DESCRIBED struct rc_answer_series_described
static bool of_link(const void *record)
{
    return *((const DESCRIBED *)record)->peer;
}

static json_t *described_host_json(const void *record)
{
    return of_link(record) ? json_null() : rc_json_text(((const DESCRIBED *)record)->host);
}

static json_t *described_link_json(const void *record)
{
    const DESCRIBED *described = record;
    char name[LINK_SIZE];

    if (!of_link(record))
        return json_null();
    snprintf(name, sizeof name, "%s:%s", described->host, described->peer);
    return rc_json_text(name);
}

const struct rc_field rc_answer_series_described[] = {
    {.kind = RC_AS_COMPUTED, .key = "host", .json = described_host_json, .type = "string"},
    {.kind = RC_AS_COMPUTED, .key = "link", .json = described_link_json, .type = "string"},
    {RC_FIELD(DESCRIBED, TEXT, metric), .key = "metric"},
    {RC_FIELD(DESCRIBED, TEXT, unit), .key = "unit"},
    {RC_FIELD(DESCRIBED, INLINE, of), .fields = description_fields},
    {RC_FIELD_ARRAY_OF(DESCRIBED, modes, n_modes), .key = "modes", .fields = mode_fields},
    {RC_FIELD(DESCRIBED, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

DESCRIBED rc_answer_series_described_of(const struct rc_series_key *key, const char *unit,
                                        const struct rc_series_description *description)
{
    DESCRIBED described = {.host = key->host,
                           .peer = key->peer,
                           .metric = key->metric,
                           .unit = unit,
                           .of = *description,
                           .n_modes = description->modes.n_modes};

    for (size_t i = 0; i < described.n_modes; i++) {
        double dwell = description->locality.modes[i].dwell;

        described.modes[i] =
            (struct rc_answer_series_mode){.number = i + 1,
                                           .mode = description->modes.modes[i],
                                           .seconds = description->locality.modes[i].seconds,
                                           .dwell = isfinite(dwell) ? dwell : NAN};
    }
    return described;
}
