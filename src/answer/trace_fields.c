// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_fields.c - the fields of what is known of a trace. */
#include "answer/trace_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/unit.h"

json_t *rc_answer_faults_json(const struct rc_faults *faults)
{
    json_t *list = json_array();

    for (size_t i = 0; i < faults->kept; i++)
        json_array_append_new(list, rc_json_text(faults->texts[i]));
    return list;
}

/* ---- whether it is whole ---- */

#define TRACE_FILE struct rc_answer_trace_file

static json_t *missing_json(const void *record)
{
    int64_t missing = ((const TRACE_FILE *)record)->missing;

    return missing < 0 ? json_null() : json_integer(missing);
}

static void missing_text(const void *record, char *text, size_t size)
{
    int64_t missing = ((const TRACE_FILE *)record)->missing;

    snprintf(text, size, missing < 0 ? "?" : "%" PRId64, missing);
}

const struct rc_field rc_answer_trace_file[] = {
    {RC_FIELD(TRACE_FILE, TEXT, name), .key = "file", .title = "file"},
    {RC_FIELD(TRACE_FILE, UINT32, rank), .key = "rank"},
    {RC_FIELD(TRACE_FILE, UINT32, thread), .key = "thread"},
    {RC_FIELD(TRACE_FILE, BOOL, whole), .key = "whole"},
    {RC_FIELD(TRACE_FILE, TEXT, problem), .key = "problem"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.calls), .key = "calls", .title = "calls"},
    {RC_FIELD(TRACE_FILE, INT64, missing), .key = "missing", .title = "missing",
     .json = missing_json, .text = missing_text},
    {RC_FIELD(TRACE_FILE, UINT64, summary.positions), .key = "positions"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.loops), .key = "loops"},
    {RC_FIELD(TRACE_FILE, NUMBER, seconds), .key = "seconds", .title = "seconds"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.bytes), .key = "bytes", .title = "bytes"},
    {RC_FIELD(TRACE_FILE, TEXT, state), .title = "state", .wrap = true},
    RC_FIELDS_END};

/* It is not known how many calls are missing where a file ends too early. */
TRACE_FILE rc_answer_trace_file_of(const struct rc_profile_file *file)
{
    return (TRACE_FILE){.name = rc_trace_set_file_name(file->file),
                        .rank = file->file->rank,
                        .thread = file->file->thread,
                        .whole = !file->problem,
                        .problem = file->problem,
                        .state = file->problem ? file->problem : "whole",
                        .missing = !file->problem || file->summary.lost > 0
                                       ? (int64_t)file->summary.lost
                                       : -1,
                        .seconds = (double)file->summary.end / 1e9,
                        .summary = file->summary};
}

json_t *rc_answer_trace_check(const struct rc_profile *profile)
{
    json_t *object = json_object(), *files = json_array();

    for (size_t i = 0; i < profile->set->n_files; i++) {
        TRACE_FILE file = rc_answer_trace_file_of(profile->files + i);

        json_array_append_new(files, rc_field_json(rc_answer_trace_file, &file));
    }
    rc_json_set(object, "directory", rc_json_text(profile->set->directory));
    rc_json_set(object, "ranks", json_integer(profile->set->ranks));
    rc_json_set(object, "whole", json_boolean(profile->whole));
    rc_json_set(object, "files", files);
    rc_json_set(object, "faults", rc_answer_faults_json(&profile->faults));
    rc_json_set(object, "notes", rc_answer_faults_json(&profile->notes));
    return object;
}

/* ---- calls ---- */

#define KIND struct rc_answer_trace_kind

static void format_bytes(double bytes, char *text, size_t size)
{
    char number[RC_UNIT_SIZE];

    rc_unit_format(bytes > 0 ? bytes : NAN, RC_BYTES, number);
    snprintf(text, size, "%s", number);
}

static void bytes_text(const void *record, char *text, size_t size)
{
    format_bytes(((const KIND *)record)->bytes, text, size);
}

static void bytes_a_call_text(const void *record, char *text, size_t size)
{
    const KIND *kind = record;

    format_bytes(kind->bytes / (double)kind->calls, text, size);
}

const struct rc_field rc_answer_trace_kind[] = {
    {RC_FIELD(KIND, TEXT, call), .key = "call", .title = "call"},
    {RC_FIELD(KIND, UINT64, calls), .key = "calls", .title = "calls"},
    {RC_FIELD(KIND, SECONDS, seconds), .key = "seconds", .title = "seconds"},
    {RC_FIELD(KIND, BYTES, bytes), .key = "bytes", .title = "bytes", .text = bytes_text},
    {RC_FIELD(KIND, BYTES, bytes), .title = "bytes a call", .text = bytes_a_call_text},
    RC_FIELDS_END};

size_t rc_answer_trace_kinds(const struct rc_profile_rank *rank, KIND kinds[RC_PROFILE_KINDS])
{
    unsigned numbers[RC_PROFILE_KINDS];
    size_t n = rc_trace_profile_kinds(rank, numbers);

    for (size_t i = 0; i < n; i++) {
        const struct rc_profile_kind *kind = &rank->kinds[numbers[i]];

        kinds[i] =
            (KIND){rc_trace_profile_kind_name(numbers[i]), kind->calls, kind->seconds, kind->bytes};
    }
    return n;
}

/* ---- sizes ---- */

#define SIZE struct rc_answer_trace_size

static void size_text(const void *record, char *text, size_t size)
{
    const SIZE *of = record;
    char low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    rc_unit_format(of->least, RC_BYTES, low);
    rc_unit_format(of->below, RC_BYTES, high);
    snprintf(text, size, of->below > 2 ? "%s to below %s" : "%s", low, high);
}

const struct rc_field rc_answer_trace_size[] = {
    {.kind = RC_AS_COMPUTED, .title = "bytes", .text = size_text},
    {RC_FIELD(SIZE, NUMBER, least), .key = "least"},
    {RC_FIELD(SIZE, NUMBER, below), .key = "below"},
    {RC_FIELD(SIZE, UINT64, sent.messages), .key = "messages", .title = "messages"},
    {RC_FIELD(SIZE, BYTES, sent.bytes), .key = "bytes", .title = "bytes sent"},
    {RC_FIELD(SIZE, UINT64, given.messages), .key = "collective_calls",
     .title = "in collective calls"},
    {RC_FIELD(SIZE, BYTES, given.bytes), .key = "collective_bytes", .title = "bytes given"},
    RC_FIELDS_END};

size_t rc_answer_trace_sizes(const struct rc_profile_rank *rank, SIZE sizes[RC_TRAFFIC_SIZES])
{
    size_t n = 0;

    for (int i = 0; i < RC_TRAFFIC_SIZES; i++)
        if (rank->sent[i].messages > 0 || rank->given[i].messages > 0)
            sizes[n++] =
                (SIZE){i > 0 ? ldexp(1, i - 1) : 0, ldexp(1, i), rank->sent[i], rank->given[i]};
    return n;
}

/* ---- who talks to whom ---- */

#define LINK struct rc_profile_link

const struct rc_field rc_answer_trace_link[] = {
    {RC_FIELD(LINK, UINT32, from), .key = "from", .title = "from"},
    {RC_FIELD(LINK, UINT32, to), .key = "to", .title = "to"},
    {RC_FIELD(LINK, UINT64, messages), .key = "messages", .title = "messages"},
    {RC_FIELD(LINK, BYTES, bytes), .key = "bytes", .title = "bytes"},
    {RC_FIELD(LINK, BYTES, collective), .key = "collective_bytes", .title = "in collective calls"},
    RC_FIELDS_END};

LINK *rc_answer_trace_links(const struct rc_profile *profile, int64_t rank, size_t *n)
{
    size_t all;
    LINK *links = rc_trace_profile_links(profile, &all);

    *n = 0;
    for (size_t i = 0; i < all; i++)
        if (rank < 0 || rank == (int64_t)links[i].from || rank == (int64_t)links[i].to)
            links[(*n)++] = links[i];
    return links;
}

/* ---- ranks ---- */

#define RANK struct rc_profile_rank

static json_t *share_json(const void *record)
{
    return rc_json_number(rc_trace_profile_share(record));
}

static void share_text(const void *record, char *text, size_t size)
{
    double share = rc_trace_profile_share(record);

    snprintf(text, size, isnan(share) ? "-" : "%.1f %%", 100 * share);
}

static json_t *line_json(const void *record)
{
    json_t *list = json_array();

    for (int i = 0; i < RC_PROFILE_BINS; i++) {
        double parts[RC_DOINGS];
        bool known = rc_trace_profile_line(record, i, i + 1, parts);

        json_array_append_new(list, known ? rc_json_number(
                                                round(parts[RC_DOING_COMMUNICATING] * 1e4) / 1e4)
                                          : json_null());
    }
    return list;
}

/* What ranks have, and their total. */
static const struct rc_field time_fields[] = {
    {RC_FIELD(RANK, SECONDS, computing), .key = "computing", .title = "computing"},
    {RC_FIELD(RANK, SECONDS, communicating), .key = "communicating", .title = "communicating"},
    {RC_FIELD(RANK, NUMBER, communicating), .title = "share", .text = share_text},
    {RC_FIELD(RANK, SECONDS, files), .key = "files", .title = "files"},
    {RC_FIELD(RANK, SECONDS, other), .key = "other", .title = "other"},
    {.kind = RC_AS_COMPUTED, .key = "share", .json = share_json},
    {RC_FIELD(RANK, NUMBER, cpu), .key = "cpu"},
    {RC_FIELD(RANK, NUMBER, measured), .key = "cpu_measured_over"},
    {RC_FIELD(RANK, UINT64, calls), .key = "calls", .title = "calls"},
    RC_FIELDS_END};

const struct rc_field rc_answer_trace_rank[] = {
    {RC_FIELD(RANK, UINT32, number), .key = "rank", .title = "rank"},
    {RC_FIELD(RANK, TEXT, host), .key = "host", .title = "host"},
    {RC_FIELD(RANK, NUMBER, begins), .key = "begins"},
    {RC_FIELD(RANK, NUMBER, length), .key = "seconds"},
    {.kind = RC_AS_INLINE, .fields = time_fields},
    {RC_FIELD(RANK, SECONDS, closing), .key = "ready", .title = "ready at"},
    {RC_FIELD(RANK, SECONDS, waited), .key = "closing_wait", .title = "then waits"},
    {RC_FIELD(RANK, TEXT, closing_call), .key = "closing_call", .title = "in"},
    {.kind = RC_AS_COMPUTED, .key = "line", .json = line_json},
    RC_FIELDS_END};

/* ---- all of it ---- */

static json_t *kinds_json(const RANK *rank)
{
    KIND kinds[RC_PROFILE_KINDS];
    size_t n = rc_answer_trace_kinds(rank, kinds);

    return rc_field_json_list(rc_answer_trace_kind, kinds, n, sizeof *kinds);
}

/* The kinds of calls of a rank that is shown alone are those of the whole answer. */
static json_t *ranks_json(const struct rc_profile *profile, int64_t wanted)
{
    json_t *list = json_array(), *object;

    for (uint32_t i = 0; i < profile->n_ranks; i++) {
        if (!profile->ranks[i].there || (wanted >= 0 && wanted != (int64_t)i))
            continue;
        object = rc_field_json(rc_answer_trace_rank, profile->ranks + i);
        if (wanted < 0)
            rc_json_set(object, "kinds", kinds_json(profile->ranks + i));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *rc_answer_trace_info(const struct rc_profile *profile, int64_t rank, const char *hosts)
{
    const RANK *shown = rank < 0 ? &profile->total : &profile->ranks[rank];
    const struct rc_trace_set *set = profile->set;
    SIZE sizes[RC_TRAFFIC_SIZES];
    size_t n_sizes = rc_answer_trace_sizes(shown, sizes), n_links;
    LINK *links = rc_answer_trace_links(profile, rank, &n_links);
    double began = set->earliest < UINT64_MAX ? (double)set->earliest * 1e-9 : NAN;
    json_t *object = json_object();

    rc_json_set(object, "directory", rc_json_text(set->directory));
    rc_json_set(object, "command",
                set->about.command ? rc_json_text(set->about.command) : json_null());
    rc_json_set(object, "ranks", json_integer(set->ranks));
    rc_json_set(object, "hosts", hosts ? rc_json_text(hosts) : json_null());
    rc_json_set(object, "began", rc_json_number(began));
    rc_json_set(object, "whole", json_boolean(profile->whole));
    rc_json_set(object, "seconds", rc_json_number(profile->length));
    rc_json_set(object, "imbalance", rc_json_number(profile->imbalance));
    rc_field_add(object, time_fields, shown);
    rc_json_set(object, "by_rank", ranks_json(profile, rank));
    rc_json_set(object, "kinds", kinds_json(shown));
    rc_json_set(object, "sizes",
                rc_field_json_list(rc_answer_trace_size, sizes, n_sizes, sizeof *sizes));
    rc_json_set(object, "links",
                rc_field_json_list(rc_answer_trace_link, links, n_links, sizeof *links));
    free(links);
    return object;
}

/* ---- the run of a trace, in the database ---- */

#define RUN struct rc_run
const struct rc_field rc_answer_trace_kept[] = {{RC_FIELD(RUN, INT64, id), .key = "run"},
                                                {RC_FIELD(RUN, TEXT, app), .key = "app"},
                                                {RC_FIELD(RUN, INT64, p), .key = "p"},
                                                {RC_FIELD(RUN, NUMBER, seconds), .key = "seconds"},
                                                {RC_FIELD(RUN, SIZE, n_times), .key = "times"},
                                                RC_FIELDS_END};
