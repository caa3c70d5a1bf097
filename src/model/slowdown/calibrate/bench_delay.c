// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_delay.c - delay of computing by communicating processes (section 4 of Figueira and
 * Berman, Figure 2).
 *
 * One process computes; the others send, at a rate that the first one sets in shared memory.  At
 * rate 0 they report when all their data has arrived, so that nothing disturbs the time without
 * them.  Each time with them is compared with the mean of the times without them before and
 * after it, so that slow drifts, such as of the processor's speed, cancel out. */
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/error.h"
#include "testbed/load/send_credit.h"
#include "testbed/load/client_stream.h"
#include "model/slowdown/calibrate/bench.h"

#define FULL_SPEED 1e15 /* bytes/s: more than any link takes */
#define NAP 0.01        /* seconds between two reads of the rate, while it is 0 */
#define SETTLE 0.03     /* seconds for the senders to reach their rate */
#define STARTS 5.0      /* limit in seconds for their first message */
#define WORK_MOST 0.25  /* seconds of computing at a time, alone: slow hosts compute less */
enum { UNSENT_MOST = 1 << 17 };

struct contention {
    struct rc_bench_shared shared;
    _Atomic uint64_t rate; /* bytes/s, of each */
    _Atomic uint64_t bytes[RC_DELAY_CURVES_MAX];
    _Atomic bool quiet[RC_DELAY_CURVES_MAX];
    double k[RC_BENCH_POINTS_MAX][RC_BENCH_ROUNDS_MAX];
    double delay[RC_BENCH_POINTS_MAX][RC_BENCH_ROUNDS_MAX];
};

struct member {
    const struct rc_slowdown_bench_delay *order;
    struct contention *contention;
    struct rc_load_stream stream; /* of a sender */
    size_t number;                /* of a sender, from 0 */
    double *grid;                 /* of the computing process */
    unsigned sweeps;              /* of the computing process */
};

/* ---- those who send ---- */

static int connect_sender(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;
    int most = UNSENT_MOST;

    if (rc_load_stream_prepare(worker, &member->stream, error))
        return -1;
    /* On a slow link, data in a large socket buffer would be sent long after the rate is 0. */
    setsockopt(member->stream.fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &most, sizeof most);
    return 0;
}

/* Sends one message; with `confirm`, waits until all have arrived. */
static int send_one(struct member *member, struct rc_load_worker *worker, bool confirm,
                    struct rc_error *error)
{
    int status = rc_load_stream_push(&member->stream, worker,
                                     confirm ? RC_LOAD_PUSH_ACKNOWLEDGED : RC_LOAD_PUSH,
                                     (uint64_t)member->stream.message, error);

    if (status == 0)
        member->contention->bytes[member->number] += (uint64_t)member->stream.message;
    return status || !confirm ? status : rc_load_stream_await(&member->stream, worker, error);
}

static int send_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;
    struct contention *contention = member->contention;
    struct rc_load_send_credit pace = {0};
    int status = 0;

    while (status == 0 && !rc_load_over(worker) && !contention->shared.finished) {
        double now = rc_load_now(), rate = (double)contention->rate, wait;

        if (rate == 0) {
            if (!contention->quiet[member->number])
                status = send_one(member, worker, true, error);
            contention->quiet[member->number] = true;
            rc_load_sleep_until(worker, rc_load_now() + NAP);
            continue;
        }
        if (contention->quiet[member->number])
            rc_load_send_credit_begin(&pace, now, member->stream.message);
        contention->quiet[member->number] = false;
        wait = rc_load_send_credit_wait(&pace, rate, now);
        if (wait > 0) {
            rc_load_sleep_until(worker, now + fmin(wait, NAP));
            continue;
        }
        status = send_one(member, worker, false, error);
        rc_load_send_credit_spend(&pace);
    }
    if (status >= 0)
        rc_load_stream_finish(&member->stream, worker, 0);
    return status < 0 ? -1 : 0;
}

/* ---- the one that computes ---- */

static bool all_quiet(const struct member *member)
{
    for (size_t i = 0; i < member->order->communicating; i++)
        if (!member->contention->quiet[i])
            return false;
    return true;
}

static bool all_sending(const struct member *member, const uint64_t *before)
{
    for (size_t i = 0; i < member->order->communicating; i++)
        if (member->contention->bytes[i] == before[i])
            return false;
    return true;
}

static uint64_t look(const struct member *member, uint64_t *bytes)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < member->order->communicating; i++)
        sum += bytes[i] = member->contention->bytes[i];
    return sum;
}

/* The seconds of computing; NAN after the end. */
static double compute(struct member *member, struct rc_load_worker *worker)
{
    double begin = rc_load_now();

    return rc_slowdown_bench_sweep(member->grid, member->sweeps, rc_slowdown_bench_over, worker)
               ? NAN
               : rc_load_now() - begin;
}

static double compute_alone(struct member *member, struct rc_load_worker *worker)
{
    member->contention->rate = 0;
    while (!all_quiet(member) && !rc_load_over(worker))
        rc_load_sleep_until(worker, rc_load_now() + NAP / 4);
    return compute(member, worker);
}

/* `*k` is the rate of each sender meanwhile. */
static double compute_beside(struct member *member, struct rc_load_worker *worker, double rate,
                             double *k)
{
    uint64_t bytes[RC_DELAY_CURVES_MAX], before;
    double begin = rc_load_now(), seconds;

    look(member, bytes);
    member->contention->rate = (uint64_t)rate;
    while (!all_sending(member, bytes) && !rc_load_over(worker) && rc_load_now() < begin + STARTS)
        rc_load_sleep_until(worker, rc_load_now() + NAP / 4);
    rc_load_sleep_until(worker, rc_load_now() + SETTLE);
    before = look(member, bytes);
    begin = rc_load_now();
    seconds = compute(member, worker);
    /* At a low rate the computing may be shorter than the time between two messages. */
    while (!all_sending(member, bytes) && !rc_load_over(worker) && rc_load_now() < begin + STARTS)
        rc_load_sleep_until(worker, rc_load_now() + NAP / 4);
    *k = (double)(look(member, bytes) - before) / (rc_load_now() - begin) /
         (double)member->order->communicating;
    return seconds;
}

/* Full speed, and from there down in equal steps. */
static double rate_of(const struct member *member, size_t point)
{
    double part = 1 - (double)point / (double)member->order->points;

    return point == 0 ? FULL_SPEED : fmax(1, part * member->contention->k[0][0]);
}

static int compute_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct member *member = data;
    struct contention *contention = member->contention;
    double alone, after;

    alone = compute_alone(member, worker); /* warms up memory and processor */
    if (alone > WORK_MOST)
        member->sweeps = (unsigned)ceil(member->sweeps * WORK_MOST / alone);
    alone = compute_alone(member, worker);
    for (size_t r = 0; r < member->order->rounds; r++)
        for (size_t p = 0; p < member->order->points; p++) {
            double beside =
                compute_beside(member, worker, rate_of(member, p), &contention->k[p][r]);

            after = compute_alone(member, worker);
            if (rc_load_over(worker))
                return 0;
            if (!(contention->k[p][r] > 0))
                return rc_error_set(error, "no data reached %s", member->order->peer.host);
            contention->delay[p][r] = beside / ((alone + after) / 2) - 1;
            alone = after;
            contention->shared.done++;
        }
    contention->shared.finished = true;
    return 0;
}

/* ---- all of them ---- */

static int run(const struct rc_slowdown_bench_delay *order, struct contention *contention,
               struct member *members, struct rc_load_task *tasks, struct rc_load_tally *sum,
               const struct rc_monitor *monitor, struct rc_error *error)
{
    size_t n = order->communicating + 1;

    for (size_t i = 0; i < n; i++) {
        members[i] = (struct member){.order = order,
                                     .contention = contention,
                                     .number = i - 1,
                                     .grid = members[0].grid,
                                     .sweeps = order->sweeps,
                                     .stream = {.peer = order->peer,
                                                .streams = (int)order->communicating,
                                                .message = order->message}};
        tasks[i] = (struct rc_load_task){.prepare = i ? connect_sender : NULL,
                                         .body = i ? send_body : compute_body,
                                         .data = &members[i],
                                         .core = -1,
                                         .descriptor = -1};
    }
    contention->shared.total = order->points * order->rounds;
    return rc_slowdown_bench_run(tasks, n, &contention->shared, monitor, sum, error);
}

int rc_slowdown_bench_delay(const struct rc_slowdown_bench_delay *order,
                            struct rc_delay_point *points, double *byte_seconds,
                            const struct rc_monitor *monitor, struct rc_error *error)
{
    struct contention *contention = rc_slowdown_bench_share(sizeof *contention, error);
    struct member *members = calloc(order->communicating + 1, sizeof *members);
    struct rc_load_task *tasks = calloc(order->communicating + 1, sizeof *tasks);
    struct rc_load_tally sum = {0};
    double *grid = rc_slowdown_bench_grid();
    int status = -1;

    if (contention && members && tasks && grid) {
        members[0].grid = grid;
        status = run(order, contention, members, tasks, &sum, monitor, error);
    } else if (contention) {
        rc_error_no_memory(error);
    }
    for (size_t p = 0; p < order->points && status == 0; p++)
        points[p] =
            (struct rc_delay_point){rc_slowdown_bench_median(contention->k[p], order->rounds),
                                    rc_slowdown_bench_median(contention->delay[p], order->rounds)};
    *byte_seconds = sum.sent > 0 ? sum.cpu / (double)sum.sent : NAN;
    free(grid);
    free(tasks);
    free(members);
    rc_slowdown_bench_unshare(contention, sizeof *contention);
    return status;
}
