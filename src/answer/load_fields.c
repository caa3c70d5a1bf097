// SPDX-License-Identifier: GPL-3.0-or-later
/* load_fields.c - the fields of loads. */
#include "answer/load_fields.h"

#include <math.h>
#include <stdlib.h>

#include "base/unit.h"
#include "testbed/load/core_fraction.h"

/* ---- bytes ---- */

#define TALLY struct rc_load_tally
static json_t *peer_json(const TALLY *tally, uint64_t bytes)
{
    return tally->drained > 0 ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *peer_received_json(const void *tally)
{
    return peer_json(tally, ((const TALLY *)tally)->peer_received);
}

static json_t *peer_sent_json(const void *tally)
{
    return peer_json(tally, ((const TALLY *)tally)->peer_sent);
}

static const struct rc_field byte_fields[] = {
    {RC_FIELD(TALLY, UINT64, messages), .key = "messages"},
    {RC_FIELD(TALLY, UINT64, sent), .key = "sent_bytes"},
    {RC_FIELD(TALLY, UINT64, received), .key = "received_bytes"},
    {.kind = RC_AS_COMPUTED,
     .key = "peer_received_bytes",
     .json = peer_received_json,
     .type = "integer"},
    {.kind = RC_AS_COMPUTED, .key = "peer_sent_bytes", .json = peer_sent_json, .type = "integer"},
    RC_FIELDS_END};

/* ---- processes ---- */

#define PROCESS struct rc_answer_load_process
#define SHARE(type, member) RC_FIELD(type, NUMBER, member), .digits = 4

const struct rc_field rc_answer_load_cpu_process[] = {
    {RC_FIELD(PROCESS, SIZE, number), .title = "process"},
    {RC_FIELD(PROCESS, INT, tally.core), .key = "core", .title = "core"},
    {SHARE(PROCESS, requested), .key = "requested_fraction", .title = "requested"},
    {SHARE(PROCESS, used), .key = "used_fraction", .title = "used"},
    {RC_FIELD(PROCESS, NUMBER, tally.cpu), .key = "cpu_time_s"},
    {RC_FIELD(PROCESS, UINT64, tally.cycles), .key = "cycle_count", .title = "cycles"},
    RC_FIELDS_END};

static void bytes_text(uint64_t bytes, char *text, size_t size)
{
    char number[RC_UNIT_SIZE];

    rc_unit_format((double)bytes, RC_BYTES, number);
    snprintf(text, size, "%s", number);
}

static void sent_text(const void *process, char *text, size_t size)
{
    bytes_text(((const PROCESS *)process)->tally.sent, text, size);
}

static void received_text(const void *process, char *text, size_t size)
{
    bytes_text(((const PROCESS *)process)->tally.received, text, size);
}

const struct rc_field rc_answer_load_mix_process[] = {
    {RC_FIELD(PROCESS, SIZE, number), .title = "process"},
    {RC_FIELD(PROCESS, INT, tally.core), .key = "core", .title = "core"},
    {SHARE(PROCESS, computing), .key = "compute_fraction", .title = "computing"},
    {SHARE(PROCESS, communicating), .key = "communicate_fraction", .title = "communicating"},
    {SHARE(PROCESS, computing_idle), .key = "idle_core_compute_fraction"},
    {SHARE(PROCESS, communicating_idle), .key = "idle_core_communicate_fraction"},
    {RC_FIELD(PROCESS, NUMBER, tally.worked), .key = "compute_time_s"},
    {RC_FIELD(PROCESS, NUMBER, tally.communicating), .key = "communicate_time_s"},
    {SHARE(PROCESS, used), .key = "used_fraction", .title = "CPU used"},
    {RC_FIELD(PROCESS, UINT64, tally.cycles), .key = "cycle_count", .title = "cycles"},
    {RC_FIELD(PROCESS, UINT64, tally.bursts), .key = "burst_count", .title = "bursts"},
    {RC_FIELD(PROCESS, UINT64, tally.sent), .title = "sent", .text = sent_text},
    {RC_FIELD(PROCESS, UINT64, tally.received), .title = "received", .text = received_text},
    {RC_FIELD(PROCESS, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};

/* ---- cores ---- */

#define CORE struct rc_answer_load_core
#define SAME_CORE(fields_) .kind = RC_AS_INLINE, .fields = fields_
static bool has_competitor(const void *core)
{
    return ((const CORE *)core)->verified;
}

#define COMPETITOR                                                                                 \
    {                                                                                              \
        SHARE(CORE, competitor), .key = "competitor_fraction", .title = "competitor got",          \
                                 .when = has_competitor                                            \
    }

const struct rc_field rc_answer_load_cpu_core[] = {
    {RC_FIELD(CORE, INT, core), .key = "core", .title = "core"},
    {RC_FIELD(CORE, SIZE, processes), .key = "procs", .title = "processes"},
    {SHARE(CORE, used), .key = "used_fraction", .title = "used"},
    {SHARE(CORE, left), .key = "left_fraction", .title = "left for a competitor"},
    RC_FIELDS_END};

const struct rc_field rc_answer_load_cpu_verified[] = {{SAME_CORE(rc_answer_load_cpu_core)},
                                                       COMPETITOR,
                                                       RC_FIELDS_END};

const struct rc_field rc_answer_load_follow_core[] = {
    {RC_FIELD(CORE, INT, core), .key = "core", .title = "core"},
    {SHARE(CORE, requested), .key = "requested_fraction", .title = "requested"},
    {SHARE(CORE, used), .key = "used_fraction", .title = "used"},
    RC_FIELDS_END};

const struct rc_field rc_answer_load_follow_verified[] = {{SAME_CORE(rc_answer_load_follow_core)},
                                                          COMPETITOR,
                                                          RC_FIELDS_END};

static const struct rc_field competitor_fields[] = {{RC_FIELD(CORE, INT, core), .key = "core"},
                                                    COMPETITOR,
                                                    RC_FIELDS_END};

/* ---- streams ---- */

#define STREAM struct rc_answer_load_stream
const struct rc_field rc_answer_load_stream[] = {
    {RC_FIELD(STREAM, TEXT, direction), .key = "direction", .title = "direction"},
    {RC_FIELD(STREAM, RATE, requested), .key = "requested_bytes_per_s", .title = "requested"},
    {RC_FIELD(STREAM, RATE, rate), .key = "imposed_bytes_per_s", .title = "imposed"},
    {RC_FIELD(STREAM, BYTES, sent), .title = "sent"},
    {RC_FIELD(STREAM, BYTES, arrived), .title = "arrived"},
    {RC_FIELD(STREAM, UINT64, tally.messages), .title = "messages"},
    {RC_FIELD(STREAM, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};

static const struct rc_field link_fields[] = {
    {RC_FIELD(STREAM, NUMBER, requested_availability), .key = "requested_available_fraction"},
    {RC_FIELD(STREAM, RATE, requested), .key = "requested_bytes_per_s"},
    {RC_FIELD(STREAM, RATE, rate), .key = "imposed_bytes_per_s"},
    {RC_FIELD(STREAM, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};

/* ---- changing availability ---- */

#define SOURCE struct rc_answer_load_source
static bool is_random(const void *source)
{
    return ((const SOURCE *)source)->pattern != NULL;
}

static bool is_replayed(const void *source)
{
    return !is_random(source);
}

static bool has_host(const void *source)
{
    return ((const SOURCE *)source)->host != NULL;
}

static bool has_file(const void *source)
{
    return ((const SOURCE *)source)->file != NULL;
}

static const struct rc_field source_fields[] = {
    {RC_FIELD(SOURCE, TEXT, pattern), .key = "pattern", .when = is_random},
    {RC_FIELD(SOURCE, INT64, seed), .key = "seed", .when = is_random},
    {RC_FIELD(SOURCE, NUMBER, offset), .key = "offset_s", .when = is_random},
    {RC_FIELD(SOURCE, TEXT, host), .key = "host", .when = has_host},
    {RC_FIELD(SOURCE, TEXT, metric), .key = "metric", .when = has_host},
    {RC_FIELD(SOURCE, TEXT, file), .key = "file", .when = has_file},
    {RC_FIELD(SOURCE, NUMBER, speed_up), .key = "speed_up"},
    {RC_FIELD(SOURCE, BOOL, loop), .key = "loop", .when = is_replayed},
    RC_FIELDS_END};

/* ---- whole loads ---- */

#define LOAD struct rc_answer_load
static bool is_verified(const void *load)
{
    return ((const LOAD *)load)->verified;
}

static bool has_cores(const void *load)
{
    return ((const LOAD *)load)->n_cores > 0;
}

static bool has_link(const void *load)
{
    return ((const LOAD *)load)->n_streams > 0;
}

static const struct rc_field head_fields[] = {
    {RC_FIELD(LOAD, TEXT, name), .key = "load_kind"},
    {RC_FIELD(LOAD, NUMBER, seconds), .key = "duration_s"},
    {RC_FIELD(LOAD, BOOL, interrupted), .key = "interrupted"},
    RC_FIELDS_END};

#define HEAD                                                                                       \
    {                                                                                              \
        .kind = RC_AS_INLINE, .size = sizeof(LOAD), .fields = head_fields                          \
    }
#define NOTES                                                                                      \
    {                                                                                              \
        RC_FIELD(LOAD, JSON, notes), .key = "notes", .type = "strings"                             \
    }
const struct rc_field rc_answer_load_cpu[] = {
    HEAD,
    {RC_FIELD(LOAD, NUMBER, fraction), .key = "requested_fraction"},
    {RC_FIELD_LIST_OF(LOAD, processes, n_processes), .key = "processes",
     .fields = rc_answer_load_cpu_process},
    {RC_FIELD_LIST_OF(LOAD, cores, n_cores), .key = "loaded_cores",
     .fields = rc_answer_load_cpu_verified},
    NOTES,
    RC_FIELDS_END};

const struct rc_field rc_answer_load_net[] = {
    HEAD,
    {RC_FIELD(LOAD, TEXT, receiver), .key = "receiver"},
    {RC_FIELD(LOAD, NUMBER, message), .key = "message_bytes"},
    {RC_FIELD_LIST_OF(LOAD, streams, n_streams), .key = "streams", .fields = rc_answer_load_stream},
    NOTES,
    RC_FIELDS_END};

const struct rc_field rc_answer_load_mix[] = {
    HEAD,
    {RC_FIELD(LOAD, BOOL, fixed_work), .key = "fixed_work"},
    {RC_FIELD(LOAD, NUMBER, compute), .key = "requested_compute_fraction"},
    {RC_FIELD(LOAD, NUMBER, communicate), .key = "requested_communicate_fraction"},
    {RC_FIELD(LOAD, INT64, messages), .key = "messages_per_burst"},
    {RC_FIELD(LOAD, NUMBER, message), .key = "message_bytes"},
    {RC_FIELD_LIST_OF(LOAD, processes, n_processes), .key = "processes",
     .fields = rc_answer_load_mix_process},
    {RC_FIELD_LIST_OF(LOAD, cores, n_cores), .key = "loaded_cores", .fields = competitor_fields,
     .when = is_verified},
    NOTES,
    RC_FIELDS_END};

const struct rc_field rc_answer_load_follow[] = {
    HEAD,
    {RC_FIELD(LOAD, POINTER, source), .key = "load_source", .fields = source_fields},
    {RC_FIELD(LOAD, NUMBER, requested_availability), .key = "requested_cpu_availability",
     .when = has_cores},
    {RC_FIELD(LOAD, NUMBER, availability), .key = "imposed_cpu_availability", .when = has_cores},
    {RC_FIELD_LIST_OF(LOAD, cores, n_cores), .key = "loaded_cores",
     .fields = rc_answer_load_follow_verified, .when = has_cores},
    {RC_FIELD(LOAD, POINTER, streams), .key = "link_load", .fields = link_fields, .when = has_link},
    NOTES,
    RC_FIELDS_END};

const struct rc_field rc_answer_load_receiver[] = {
    HEAD,
    {RC_FIELD(LOAD, SIZE, connections), .key = "connections"},
    {RC_FIELD(LOAD, SIZE, refused), .key = "refused"},
    {RC_FIELD(LOAD, UINT64, total.messages), .key = "messages"},
    {RC_FIELD(LOAD, UINT64, total.received), .key = "received_bytes"},
    {RC_FIELD(LOAD, UINT64, total.sent), .key = "sent_bytes"},
    NOTES,
    RC_FIELDS_END};

/* ---- results of a team ---- */

int rc_answer_load_add_processes(LOAD *answer, const struct rc_load_team *team, size_t n,
                                 double requested)
{
    answer->processes = calloc(n + 1, sizeof *answer->processes);
    if (!answer->processes)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const TALLY *tally = rc_load_team_tally(team, i);

        answer->processes[i] =
            (PROCESS){.number = i + 1,
                      .requested = requested,
                      .used = rc_load_part(tally->cpu, tally),
                      .computing = rc_load_part(tally->computing, tally),
                      .communicating = rc_load_part(tally->communicating, tally),
                      .computing_idle = rc_load_part_alone(tally->worked, tally),
                      .communicating_idle = rc_load_part_alone(tally->communicating, tally),
                      .tally = *tally};
    }
    answer->n_processes = n;
    return 0;
}

int rc_answer_load_add_cores(LOAD *answer, const struct rc_load_team *team,
                             const struct rc_sense_cores *cores, size_t n, size_t first_competitor)
{
    answer->cores = calloc(cores->n + 1, sizeof *answer->cores);
    if (!answer->cores)
        return -1;
    for (size_t i = 0; i < cores->n; i++) {
        TALLY sum = rc_load_team_sum(team, 0, n, cores->items[i]);
        TALLY competitor = rc_load_team_sum(team, first_competitor, SIZE_MAX, cores->items[i]);
        size_t on_it = 0;

        for (size_t j = 0; j < n; j++)
            on_it += rc_load_team_tally(team, j)->core == cores->items[i];
        answer->cores[i] = (CORE){.core = cores->items[i],
                                  .processes = on_it,
                                  .requested = rc_load_part(sum.asked, &sum),
                                  .used = rc_load_part(sum.cpu, &sum),
                                  .left = rc_load_left(on_it, answer->fraction),
                                  .verified = answer->verified,
                                  .competitor = rc_load_part(competitor.cpu, &competitor)};
    }
    answer->n_cores = cores->n;
    return 0;
}

STREAM rc_answer_load_stream_make(const TALLY *tally, enum rc_load_direction direction)
{
    bool back = direction == RC_LOAD_RECEIVE, reported = tally->drained > 0;
    double peer_sent = reported ? (double)tally->peer_sent : NAN;
    double peer_received = reported ? (double)tally->peer_received : NAN;

    return (STREAM){.rate = rc_load_stream_rate(tally, direction),
                    .sent = back ? peer_sent : (double)tally->sent,
                    .arrived = back ? (double)tally->received : peer_received,
                    .tally = *tally};
}

void rc_answer_load_free(LOAD *answer)
{
    free(answer->processes);
    free(answer->cores);
}
