// SPDX-License-Identifier: GPL-3.0-or-later
/* load.c - the fields of loads. */
#include "answer/load.h"

#include "base/unit.h"

/* ---- bytes ---- */

#define TALLY struct rc_load_tally
static json_t *far_json(const TALLY *tally, uint64_t bytes)
{
    return tally->drained > 0 ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *far_received_json(const void *tally)
{
    return far_json(tally, ((const TALLY *)tally)->far_received);
}

static json_t *far_sent_json(const void *tally)
{
    return far_json(tally, ((const TALLY *)tally)->far_sent);
}

static const struct rc_field byte_fields[] = {
    {RC_FIELD(TALLY, UINT64, messages), .key = "messages"},
    {RC_FIELD(TALLY, UINT64, sent), .key = "sent_bytes"},
    {RC_FIELD(TALLY, UINT64, received), .key = "received_bytes"},
    {.kind = RC_AS_COMPUTED, .key = "far_received_bytes", .json = far_received_json},
    {.kind = RC_AS_COMPUTED, .key = "far_sent_bytes", .json = far_sent_json},
    RC_FIELDS_END};

/* ---- processes ---- */

#define PROCESS struct rc_answer_load_process
#define PART(type, member) RC_FIELD(type, NUMBER, member), .digits = 4

const struct rc_field rc_answer_load_cpu_process[] = {
    {RC_FIELD(PROCESS, SIZE, number), .title = "process"},
    {RC_FIELD(PROCESS, INT, tally.core), .key = "core", .title = "core"},
    {PART(PROCESS, asked), .key = "asked", .title = "asked"},
    {PART(PROCESS, used), .key = "used", .title = "used"},
    {RC_FIELD(PROCESS, NUMBER, tally.cpu), .key = "cpu_seconds"},
    {RC_FIELD(PROCESS, UINT64, tally.cycles), .key = "cycles", .title = "cycles"},
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
    {PART(PROCESS, computing), .key = "compute", .title = "computing"},
    {PART(PROCESS, communicating), .key = "communicate", .title = "communicating"},
    {PART(PROCESS, computing_alone), .key = "compute_alone"},
    {PART(PROCESS, communicating_alone), .key = "communicate_alone"},
    {RC_FIELD(PROCESS, NUMBER, tally.worked), .key = "computed_seconds"},
    {RC_FIELD(PROCESS, NUMBER, tally.communicating), .key = "communicated_seconds"},
    {PART(PROCESS, used), .key = "used", .title = "CPU used"},
    {RC_FIELD(PROCESS, UINT64, tally.cycles), .key = "cycles", .title = "cycles"},
    {RC_FIELD(PROCESS, UINT64, tally.bursts), .key = "bursts", .title = "bursts"},
    {RC_FIELD(PROCESS, UINT64, tally.sent), .title = "sent", .text = sent_text},
    {RC_FIELD(PROCESS, UINT64, tally.received), .title = "received", .text = received_text},
    {RC_FIELD(PROCESS, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};

/* ---- cores ---- */

#define CORE struct rc_answer_load_core
#define SAME_CORE(fields_) .kind = RC_AS_INLINE, .fields = fields_
#define CORE_PROBE                                                                                 \
    {                                                                                              \
        PART(CORE, probe), .key = "probe", .title = "the probe got"                                \
    }

const struct rc_field rc_answer_load_cpu_core[] = {
    {RC_FIELD(CORE, INT, core), .key = "core", .title = "core"},
    {RC_FIELD(CORE, SIZE, processes), .key = "processes", .title = "processes"},
    {PART(CORE, used), .key = "used", .title = "used"},
    {PART(CORE, leaves), .key = "leaves", .title = "leaves a competitor"},
    RC_FIELDS_END};

const struct rc_field rc_answer_load_cpu_probed[] = {{SAME_CORE(rc_answer_load_cpu_core)},
                                                     CORE_PROBE,
                                                     RC_FIELDS_END};

const struct rc_field rc_answer_load_follow_core[] = {
    {RC_FIELD(CORE, INT, core), .key = "core", .title = "core"},
    {PART(CORE, asked), .key = "asked_use", .title = "asked to use"},
    {PART(CORE, used), .key = "used", .title = "used"},
    RC_FIELDS_END};

const struct rc_field rc_answer_load_follow_probed[] = {{SAME_CORE(rc_answer_load_follow_core)},
                                                        CORE_PROBE,
                                                        RC_FIELDS_END};

const struct rc_field rc_answer_load_probe[] = {{RC_FIELD(CORE, INT, core), .key = "core"},
                                                CORE_PROBE,
                                                RC_FIELDS_END};

/* ---- streams ---- */

#define STREAM struct rc_answer_load_stream
const struct rc_field rc_answer_load_stream[] = {
    {RC_FIELD(STREAM, TEXT, direction), .key = "direction", .title = "direction"},
    {RC_FIELD(STREAM, RATE, asked), .key = "asked_rate", .title = "asked"},
    {RC_FIELD(STREAM, RATE, rate), .key = "rate", .title = "imposed"},
    {RC_FIELD(STREAM, BYTES, sent), .title = "sent"},
    {RC_FIELD(STREAM, BYTES, arrived), .title = "arrived"},
    {RC_FIELD(STREAM, UINT64, tally.messages), .title = "messages"},
    {RC_FIELD(STREAM, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};

const struct rc_field rc_answer_load_link[] = {
    {RC_FIELD(STREAM, NUMBER, asked_availability), .key = "asked_availability"},
    {RC_FIELD(STREAM, RATE, asked), .key = "asked_rate"},
    {RC_FIELD(STREAM, RATE, rate), .key = "rate"},
    {RC_FIELD(STREAM, INLINE, tally), .fields = byte_fields},
    RC_FIELDS_END};
