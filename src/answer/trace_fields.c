// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_fields.c - the fields of answers about traces. */
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

/* ---- is it complete? ---- */

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
    {RC_FIELD(TRACE_FILE, BOOL, whole), .key = "complete"},
    {RC_FIELD(TRACE_FILE, TEXT, problem), .key = "problem"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.calls), .key = "calls", .title = "calls"},
    {RC_FIELD(TRACE_FILE, INT64, missing), .key = "missing_calls", .title = "missing",
     .type = "integer", .json = missing_json, .text = missing_text},
    {RC_FIELD(TRACE_FILE, UINT64, summary.positions), .key = "positions"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.loops), .key = "loop_count"},
    {RC_FIELD(TRACE_FILE, SECONDS, seconds), .key = "time_s", .title = "time"},
    {RC_FIELD(TRACE_FILE, UINT64, summary.bytes), .key = "size_bytes", .title = "bytes"},
    {RC_FIELD(TRACE_FILE, TEXT, state), .title = "state", .wrap = true},
    RC_FIELDS_END};

/* The number of missing calls is unknown if a file ends too early. */
TRACE_FILE rc_answer_trace_file_of(const struct rc_profile_file *file)
{
    return (TRACE_FILE){.name = rc_trace_set_file_name(file->file),
                        .rank = file->file->rank,
                        .thread = file->file->thread,
                        .whole = !file->problem,
                        .problem = file->problem,
                        .state = file->problem ? file->problem : "complete",
                        .missing = !file->problem || file->summary.lost > 0
                                       ? (int64_t)file->summary.lost
                                       : -1,
                        .seconds = (double)file->summary.end / 1e9,
                        .summary = file->summary};
}

static const struct rc_trace_set *set_of(const void *profile)
{
    return ((const struct rc_profile *)profile)->set;
}

static json_t *directory_json(const void *record)
{
    return rc_json_text(set_of(record)->directory);
}

static json_t *procs_json(const void *record)
{
    return json_integer(set_of(record)->ranks);
}

static json_t *files_json(const void *record)
{
    const struct rc_profile *profile = record;
    json_t *files = json_array();

    for (size_t i = 0; i < profile->set->n_files; i++) {
        TRACE_FILE file = rc_answer_trace_file_of(profile->files + i);

        json_array_append_new(files, rc_field_json(rc_answer_trace_file, &file));
    }
    return files;
}

static json_t *trace_faults_json(const void *record)
{
    return rc_answer_faults_json(&((const struct rc_profile *)record)->faults);
}

static json_t *notes_json(const void *record)
{
    return rc_answer_faults_json(&((const struct rc_profile *)record)->notes);
}

#define PROFILE struct rc_profile
const struct rc_field rc_answer_trace_check[] = {
    {.kind = RC_AS_COMPUTED, .key = "directory", .json = directory_json, .type = "string"},
    {.kind = RC_AS_COMPUTED, .key = "procs", .json = procs_json, .type = "integer"},
    {RC_FIELD(PROFILE, BOOL, whole), .key = "complete"},
    {.kind = RC_AS_COMPUTED,
     .key = "files",
     .json = files_json,
     .type = "list",
     .fields = rc_answer_trace_file},
    {.kind = RC_AS_COMPUTED, .key = "faults", .json = trace_faults_json, .type = "strings"},
    {.kind = RC_AS_COMPUTED, .key = "notes", .json = notes_json, .type = "strings"},
    RC_FIELDS_END};

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
    {RC_FIELD(KIND, SECONDS, seconds), .key = "time_s", .title = "time"},
    {RC_FIELD(KIND, BYTES, bytes), .key = "bytes", .title = "bytes", .text = bytes_text},
    {RC_FIELD(KIND, BYTES, bytes), .title = "bytes per call", .text = bytes_a_call_text},
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
    snprintf(text, size, of->below > 2 ? "%s to < %s" : "%s", low, high);
}

const struct rc_field rc_answer_trace_size[] = {
    {.kind = RC_AS_COMPUTED, .title = "bytes", .text = size_text},
    {RC_FIELD(SIZE, NUMBER, least), .key = "min_bytes"},
    {RC_FIELD(SIZE, NUMBER, below), .key = "below_bytes"},
    {RC_FIELD(SIZE, UINT64, sent.messages), .key = "messages", .title = "messages"},
    {RC_FIELD(SIZE, BYTES, sent.bytes), .key = "bytes", .title = "bytes sent"},
    {RC_FIELD(SIZE, UINT64, given.messages), .key = "collective_calls",
     .title = "in collective calls"},
    {RC_FIELD(SIZE, BYTES, given.bytes), .key = "collective_bytes", .title = "bytes in them"},
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

/* ---- communication between ranks ---- */

#define LINK struct rc_profile_link

const struct rc_field rc_answer_trace_link[] = {
    {RC_FIELD(LINK, UINT32, from), .key = "from", .title = "from"},
    {RC_FIELD(LINK, UINT32, to), .key = "to", .title = "to"},
    {RC_FIELD(LINK, UINT64, messages), .key = "messages", .title = "messages"},
    {RC_FIELD(LINK, BYTES, bytes), .key = "bytes", .title = "bytes"},
    {RC_FIELD(LINK, BYTES, collective), .key = "collective_bytes",
     .title = "bytes in collective calls"},
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

static json_t *kinds_json(const void *record)
{
    KIND kinds[RC_PROFILE_KINDS];
    size_t n = rc_answer_trace_kinds(record, kinds);

    return rc_field_json_list(rc_answer_trace_kind, kinds, n, sizeof *kinds);
}

/* Of a rank, and of all ranks. */
static const struct rc_field time_fields[] = {
    {RC_FIELD(RANK, SECONDS, computing), .key = "computing_s", .title = "computing"},
    {RC_FIELD(RANK, SECONDS, communicating), .key = "communicating_s", .title = "communicating"},
    {RC_FIELD(RANK, NUMBER, communicating), .title = "share", .text = share_text},
    {RC_FIELD(RANK, SECONDS, files), .key = "file_io_s", .title = "file I/O"},
    {RC_FIELD(RANK, SECONDS, other), .key = "other_s", .title = "other"},
    {.kind = RC_AS_COMPUTED, .key = "communicating_fraction", .json = share_json, .type = "number"},
    {RC_FIELD(RANK, NUMBER, cpu), .key = "cpu_s"},
    {RC_FIELD(RANK, NUMBER, measured), .key = "cpu_measured_over_s"},
    {RC_FIELD(RANK, UINT64, calls), .key = "calls", .title = "calls"},
    {.kind = RC_AS_COMPUTED,
     .key = "kinds",
     .json = kinds_json,
     .type = "list",
     .fields = rc_answer_trace_kind},
    RC_FIELDS_END};

const struct rc_field rc_answer_trace_rank[] = {
    {RC_FIELD(RANK, UINT32, number), .key = "rank", .title = "rank"},
    {RC_FIELD(RANK, TEXT, host), .key = "host", .title = "host"},
    {RC_FIELD(RANK, NUMBER, begins), .key = "begin_s"},
    {RC_FIELD(RANK, NUMBER, length), .key = "time_s"},
    {.kind = RC_AS_INLINE, .fields = time_fields},
    {RC_FIELD(RANK, SECONDS, closing), .key = "ready_s", .title = "ready at"},
    {RC_FIELD(RANK, SECONDS, waited), .key = "final_wait_s", .title = "final wait"},
    {RC_FIELD(RANK, TEXT, closing_call), .key = "final_call", .title = "in"},
    {.kind = RC_AS_COMPUTED, .key = "timeline", .json = line_json, .type = "numbers"},
    RC_FIELDS_END};

/* ---- profiles ---- */

#define INFO struct rc_answer_trace_info

static const PROFILE *profile_of(const void *info)
{
    return ((const INFO *)info)->profile;
}

static bool is_shown(const void *record, uint32_t rank)
{
    const INFO *info = record;

    return info->profile->ranks[rank].there && (info->rank < 0 || info->rank == (int64_t)rank);
}

static json_t *ranks_json(const void *record)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < profile_of(record)->n_ranks; i++)
        if (is_shown(record, i))
            json_array_append_new(list, rc_field_json(rc_answer_trace_rank,
                                                      profile_of(record)->ranks + i));
    return list;
}

static json_t *sizes_json(const void *record)
{
    const INFO *info = record;
    SIZE sizes[RC_TRAFFIC_SIZES];
    size_t n = rc_answer_trace_sizes(info->shown, sizes);

    return rc_field_json_list(rc_answer_trace_size, sizes, n, sizeof *sizes);
}

static json_t *links_json(const void *record)
{
    const INFO *info = record;
    size_t n;
    LINK *links = rc_answer_trace_links(info->profile, info->rank, &n);
    json_t *list = rc_field_json_list(rc_answer_trace_link, links, n, sizeof *links);

    free(links);
    return list;
}

static json_t *info_directory_json(const void *record)
{
    return directory_json(profile_of(record));
}

static json_t *info_procs_json(const void *record)
{
    return procs_json(profile_of(record));
}

static json_t *command_json(const void *record)
{
    const char *command = profile_of(record)->set->about.command;

    return command ? rc_json_text(command) : json_null();
}

static json_t *hosts_json(const void *record)
{
    size_t n;
    const char **names = rc_trace_set_hosts(profile_of(record)->set, &n);
    json_t *list = json_array();

    for (size_t i = 0; names && i < n; i++)
        json_array_append_new(list, rc_json_text(names[i]));
    free(names);
    return list;
}

static json_t *start_json(const void *record)
{
    uint64_t earliest = profile_of(record)->set->earliest;

    return earliest == UINT64_MAX ? json_null() : rc_json_time((double)earliest * 1e-9);
}

static json_t *complete_json(const void *record)
{
    return json_boolean(profile_of(record)->whole);
}

static json_t *time_json(const void *record)
{
    return rc_json_number(profile_of(record)->length);
}

static json_t *imbalance_json(const void *record)
{
    return rc_json_number(profile_of(record)->imbalance);
}

#define INFO_FIELD(key_, function, type_)                                                          \
    {                                                                                              \
        .kind = RC_AS_COMPUTED, .key = key_, .json = function, .type = type_                       \
    }
const struct rc_field rc_answer_trace_info[] = {
    INFO_FIELD("directory", info_directory_json, "string"),
    INFO_FIELD("command", command_json, "string"),
    INFO_FIELD("procs", info_procs_json, "integer"),
    INFO_FIELD("hosts", hosts_json, "strings"),
    INFO_FIELD("start", start_json, "time"),
    INFO_FIELD("complete", complete_json, "boolean"),
    INFO_FIELD("time_s", time_json, "number"),
    INFO_FIELD("imbalance_fraction", imbalance_json, "number"),
    {RC_FIELD(INFO, POINTER, shown), .key = "total", .fields = time_fields},
    {.kind = RC_AS_COMPUTED,
     .key = "ranks",
     .json = ranks_json,
     .type = "list",
     .fields = rc_answer_trace_rank},
    {.kind = RC_AS_COMPUTED,
     .key = "message_sizes",
     .json = sizes_json,
     .type = "list",
     .fields = rc_answer_trace_size},
    {.kind = RC_AS_COMPUTED,
     .key = "links",
     .json = links_json,
     .type = "list",
     .fields = rc_answer_trace_link},
    {RC_FIELD(INFO, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

INFO rc_answer_trace_info_of(const struct rc_profile *profile, int64_t rank)
{
    return (INFO){.profile = profile,
                  .rank = rank,
                  .shown = rank < 0 ? &profile->total : &profile->ranks[rank]};
}

/* ---- the run of a trace, in the database ---- */

#define RUN struct rc_run
const struct rc_field rc_answer_trace_imported[] = {
    {RC_FIELD(RUN, INT64, id), .key = "run"},
    {RC_FIELD(RUN, TEXT, app), .key = "app"},
    {RC_FIELD(RUN, INT64, p), .key = "procs"},
    {RC_FIELD(RUN, NUMBER, seconds), .key = "time_s"},
    {RC_FIELD(RUN, SIZE, n_times), .key = "time_count"},
    RC_FIELDS_END};
