// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_messages.c - the rates of bursts of messages: the ping-pong of section 5 of Figueira and
 * Berman, with bursts of any size. */
#include <math.h>

#include "base/error.h"
#include "testbed/load/client_stream.h"
#include "model/slowdown/calibrate/bench.h"

enum { REPEAT_LEAST = 3, MESSAGES_MAX = 100000000 };
#define SPENT_MOST 2.0 /* seconds for one burst, after REPEAT_LEAST repetitions */

int rc_slowdown_bench_burst_check(const struct rc_burst *burst, struct rc_error *error)
{
    if (!(burst->messages >= 1 && burst->messages <= MESSAGES_MAX) ||
        burst->messages != floor(burst->messages))
        return rc_error_set(error, "a burst needs from 1 to %d messages", MESSAGES_MAX);
    if (!(burst->bytes >= RC_LOAD_REQUEST_SIZE && burst->bytes <= RC_LOAD_MESSAGE_MAX) ||
        burst->bytes != floor(burst->bytes))
        return rc_error_set(error, "a message needs from %d bytes to 1 GiB", RC_LOAD_REQUEST_SIZE);
    return 0;
}

struct bursting {
    struct rc_bench_shared shared;
    double rates[RC_BURSTS_MAX];
};

struct bursting_task {
    const struct rc_slowdown_bench_bursts *order;
    struct bursting *bursting;
    struct rc_load_stream stream;
};

static int prepare(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct bursting_task *task = data;

    return rc_load_stream_prepare(worker, &task->stream, error);
}

/* The seconds of one burst in `*seconds`: NAN if it was stopped since it took too long.  1: the
 * load ended before. */
static int send_once(struct bursting_task *task, struct rc_load_worker *worker,
                     const struct rc_burst *burst, double *seconds, struct rc_error *error)
{
    uint64_t last = (uint64_t)burst->messages, size = (uint64_t)burst->bytes, i = 1;
    double begin = rc_load_now();
    int status = 0;

    for (; i < last && status == 0 && rc_load_now() - begin <= task->order->longest; i++)
        status = rc_load_stream_push(&task->stream, worker, RC_LOAD_PUSH, size, error);
    if (status == 0)
        status = rc_load_stream_push(&task->stream, worker, RC_LOAD_PUSH_ACKNOWLEDGED, size, error);
    if (status == 0)
        status = rc_load_stream_await(&task->stream, worker, error);
    *seconds = rc_load_now() - begin;
    if (i < last || *seconds > task->order->longest)
        *seconds = NAN;
    return status;
}

/* Whether a smaller or equal burst already took too long. */
static bool is_too_long(const struct bursting_task *task, size_t number)
{
    const struct rc_burst *bursts = task->order->bursts;

    for (size_t i = 0; i < number; i++)
        if (isnan(task->bursting->rates[i]) && bursts[i].messages <= bursts[number].messages &&
            bursts[i].bytes <= bursts[number].bytes)
            return true;
    return false;
}

static int measure(struct bursting_task *task, struct rc_load_worker *worker, size_t number,
                   struct rc_error *error)
{
    const struct rc_burst *burst = &task->order->bursts[number];
    double seconds[RC_BENCH_ROUNDS_MAX], spent = 0;
    size_t n = 0;
    int status = 0;

    task->bursting->rates[number] = NAN;
    if (is_too_long(task, number))
        return 0;
    while (n < task->order->repeat && status == 0 && !(n >= REPEAT_LEAST && spent > SPENT_MOST)) {
        status = send_once(task, worker, burst, &seconds[n], error);
        if (isnan(seconds[n]))
            return status;
        spent += seconds[n++];
    }
    if (status == 0)
        task->bursting->rates[number] =
            burst->messages * burst->bytes / rc_slowdown_bench_median(seconds, n);
    return status;
}

static int body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    static const struct rc_burst first = {10, 1024}; /* warms up, and does not count */
    struct bursting_task *task = data;
    double seconds;
    int status = send_once(task, worker, &first, &seconds, error);

    for (size_t i = 0; i < task->order->n && status == 0; i++) {
        status = measure(task, worker, i, error);
        task->bursting->shared.done++;
    }
    if (status >= 0)
        rc_load_stream_finish(&task->stream, worker, 0);
    return status < 0 ? -1 : 0;
}

int rc_slowdown_bench_bursts(const struct rc_slowdown_bench_bursts *order, double *rates,
                             const struct rc_monitor *monitor, struct rc_error *error)
{
    struct bursting_task task = {.order = order, .stream = {.peer = order->peer, .streams = 1}};
    const struct rc_load_task member = {
        .prepare = prepare, .body = body, .data = &task, .core = -1, .descriptor = -1};
    int status;

    for (size_t i = 0; i < order->n; i++)
        if (rc_slowdown_bench_burst_check(&order->bursts[i], error))
            return -1;
    task.bursting = rc_slowdown_bench_share(sizeof *task.bursting, error);
    if (!task.bursting)
        return -1;
    task.bursting->shared.total = order->n;
    status = rc_slowdown_bench_run(&member, 1, &task.bursting->shared, monitor, NULL, error);
    for (size_t i = 0; i < order->n && status == 0; i++)
        rates[i] = task.bursting->rates[i];
    rc_slowdown_bench_unshare(task.bursting, sizeof *task.bursting);
    return status;
}
