/* fuzz_trace.c - any bytes as a trace file, as a block of one with a good checksum, and as
 * trace.json; and what a profile makes of such a trace. */
#include <math.h>

#include "fuzz.h"
#include "base/text.h"
#include "mpi/trace/trace_set.h"
#include "mpi/trace/format.h"
#include "mpi/trace/rank_outline.h"
#include "mpi/trace/reader.h"
#include "mpi/trace/traffic.h"

enum { EVENTS_MAX = 2000 }; /* a loop may go round 2^60 times */

struct looking {
    uint64_t calls, lost;
    int events, depth;
};

static void check_statistic(const struct rc_trace_statistic *statistic)
{
    double mean = rc_trace_statistic_mean(statistic), middle;

    if (statistic->n == 0)
        return;
    must(statistic->least <= statistic->most);
    must(mean >= 0 && isfinite(mean));
    must(rc_trace_statistic_variance(statistic) >= 0);
    middle = rc_trace_statistic_quantile(statistic, 0.5);
    must(isfinite(middle));
}

static int look_at_call(void *data, const struct rc_trace_position *position)
{
    struct looking *looking = data;
    int64_t sum = 0;

    must(position->n >= 1 && (int)position->depth == looking->depth);
    must(position->call->kind <= RC_TRACE_KIND_MAX);
    must(rc_trace_kind_info(position->call->kind)->name != NULL);
    must((position->samples != NULL) == (position->n <= RC_TRACE_SAMPLES));
    must(position->times->before.n == position->n && position->times->inside.n == position->n);
    must(position->times->cpu.n <= position->n);
    check_statistic(&position->times->before);
    check_statistic(&position->times->inside);
    check_statistic(&position->times->cpu);
    for (uint32_t i = 0; i < position->call->list_length; i++)
        sum += position->call->list[i];
    looking->calls += position->n + (uint64_t)(sum & 0);
    return 0;
}

static int look_at_loop(void *data, uint64_t count, uint32_t length)
{
    must(count >= 2 && length >= 1);
    ((struct looking *)data)->depth++;
    return 0;
}

static int look_at_loop_end(void *data)
{
    must(--((struct looking *)data)->depth >= 0);
    return 0;
}

static int look_at_gap(void *data, uint64_t calls)
{
    ((struct looking *)data)->lost += calls;
    return 0;
}

static int look_at_event(void *data, const struct rc_trace_event *event)
{
    must(event->end >= event->start && event->cpu >= -1);
    return ++((struct looking *)data)->events >= EVENTS_MAX;
}

/* ---- what a profile does ---- */

struct profiling {
    struct rc_traffic *traffic;
    struct rc_outline *outline;
    double bytes;
};

static int profile_call(void *data, const struct rc_trace_position *position)
{
    struct profiling *profiling = data;

    profiling->bytes += rc_trace_traffic_call(profiling->traffic, position->call, position->n);
    rc_trace_outline_call(profiling->outline, position,
                          rc_trace_traffic_waits(profiling->traffic, position->call));
    return 0;
}

static int profile_loop(void *data, uint64_t count, uint32_t length)
{
    (void)length;
    rc_trace_outline_loop_begin(((struct profiling *)data)->outline, count);
    return 0;
}

static int profile_loop_end(void *data)
{
    rc_trace_outline_loop_end(((struct profiling *)data)->outline);
    return 0;
}

static void profile_it(struct rc_trace *trace)
{
    static struct rc_outline outline;
    static struct rc_traffic_size sent[RC_TRAFFIC_SIZES], given[RC_TRAFFIC_SIZES];
    struct profiling profiling = {.traffic = rc_trace_traffic_create(3), .outline = &outline};
    struct rc_trace_visitor visitor = {profile_call, profile_loop, profile_loop_end, NULL,
                                       &profiling};
    struct rc_faults faults = {.n = 0}, notes = {.n = 0};
    struct rc_closing closing;

    must(profiling.traffic != NULL);
    rc_trace_outline_init(&outline);
    for (uint32_t rank = 0; rank < 3; rank++) {
        must(rc_trace_traffic_begin(profiling.traffic, rank, sent, given) == 0);
        if (rank == 0)
            rc_trace_walk(trace, &visitor, NULL);
        rc_trace_traffic_end(profiling.traffic);
    }
    rc_trace_traffic_compare(profiling.traffic, &faults, &notes);
    closing = rc_trace_outline_closing(&outline);
    must(profiling.bytes >= 0 && closing.length >= 0 && isfinite(closing.start));
    must(isfinite(outline.end) && outline.end >= 0);
    rc_trace_faults_free(&faults);
    rc_trace_faults_free(&notes);
    rc_trace_outline_free(&outline);
    rc_trace_traffic_destroy(profiling.traffic);
}

static void read_about(const uint8_t *data, size_t size)
{
    struct rc_trace_about about;
    struct rc_faults faults = {.n = 0};

    rc_trace_about_parse(&about, (const char *)data, size, &faults);
    must(about.there == (faults.n == 0));
    rc_trace_about_free(&about);
    rc_trace_faults_free(&faults);
}

static void read_it(const uint8_t *data, size_t size)
{
    struct looking looking = {0};
    struct rc_trace_visitor visitor = {look_at_call, look_at_loop, look_at_loop_end, look_at_gap,
                                       &looking};
    struct rc_error error = {0};
    struct rc_trace *trace = rc_trace_open_bytes(data, size, "fuzz", &error);
    int status;

    if (!trace) {
        must(error.text[0] != '\0' && rc_text_is_printable(error.text, strlen(error.text)));
        return;
    }
    if (rc_trace_header(trace))
        must(rc_text_is_printable(rc_trace_header(trace)->program,
                                  strlen(rc_trace_header(trace)->program)));
    status = rc_trace_walk(trace, &visitor, &error);
    must((status == 0) == (error.text[0] == '\0'));
    must(looking.depth == 0 && rc_trace_summary(trace)->calls == looking.calls);
    must(rc_trace_summary(trace)->lost == looking.lost);
    rc_trace_expand(trace, look_at_event, &looking, NULL);
    profile_it(trace);
    rc_trace_close(trace);
}

/* Checksums are not to be guessed: the bytes in a file around them that is good. */
static void read_inside(const uint8_t *data, size_t size)
{
    struct rc_trace_header header = {.rank = 0, .ranks = 1};
    struct rc_trace_block block = {.type = RC_TRACE_BLOCK_CALLS, .number = 1};
    uint8_t *bytes = malloc(size + RC_TRACE_HEADER_MAX);
    struct rc_bytes_out out = {.data = bytes, .size = size + RC_TRACE_HEADER_MAX};

    if (!bytes)
        return;
    rc_trace_header_write(&header, &out);
    /* The number of calls is for the input to tell, too. */
    block.calls = size > 0 ? data[0] : 0;
    block.length = (uint32_t)(size > 0 ? size - 1 : 0);
    block.checksum = rc_trace_checksum(data + (size > 0), block.length);
    rc_trace_block_write(&block, bytes + out.length);
    out.length += RC_TRACE_BLOCK_SIZE;
    rc_trace_put_bytes(&out, data + (size > 0), block.length);
    must(!out.full);
    read_it(bytes, out.length);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_it(data, size);
    read_inside(data, size);
    read_about(data, size);
    return 0;
}
