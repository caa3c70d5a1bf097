// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.c - measures a platform, step by step.
 *
 * Invariant: a step only adds complete measurements to the calibration, so it can be stored at any
 * time. */
#include "model/slowdown/calibrate/calibrate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"

#define MESSAGE 4096.0 /* bytes of messages of delay measurements: 1024 words, as in section 4 */

struct work {
    const struct rc_slowdown_calibrate *order;
    struct rc_calibration *calibration;
    const struct rc_monitor *monitor;
    struct rc_monitor inner; /* of the measurements */
    double done, step, total;
    size_t begun, doings; /* weight and memory of a host are two of them */
};

/* ---- progress ---- */

static void advance(void *data, uint64_t done, uint64_t total)
{
    const struct work *work = data;
    double part = total > 0 ? fmin((double)done / (double)total, 1) : 0;

    rc_progress_monitor_advance(work->monitor, (uint64_t)(1000 * (work->done + part * work->step)),
                                (uint64_t)(1000 * work->total));
}

static int cancelled(void *data)
{
    const struct work *work = data;

    return rc_progress_monitor_cancelled(work->monitor);
}

RC_PRINTF(3, 4)
static void begin_step(struct work *work, double step, const char *format, ...)
{
    char text[600];
    va_list arguments;
    int length = snprintf(text, sizeof text, "%zu of %zu: ", ++work->begun, work->doings);

    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    if (work->order->doing)
        work->order->doing(work->order->data, text);
    work->done += work->step;
    work->step = step;
    advance(work, 0, 1);
}

/* ---- hosts ---- */

static void doubt(const struct work *work, struct rc_slowdown_calibration_host *host,
                  const double *sorted, size_t n)
{
    char text[400];

    host->spread = n > 1 ? (sorted[n - 1] - sorted[0]) / sorted[n / 2] : NAN;
    if (!rc_slowdown_calibration_was_busy(host) || !work->order->note)
        return;
    snprintf(text, sizeof text,
             "%.255s: times of the benchmark differ by %.0f %%; is the host idle?", host->name,
             100 * host->spread);
    work->order->note(work->order->data, text);
}

/* Numbers in the answer of a host: `*n` of them or, if it is 0, any number up to `most`. */
static int ask_numbers(struct work *work, struct rc_remote *remote,
                       const struct rc_bench_order *order, const char *name, double least,
                       size_t most, double *values, size_t *n, struct rc_error *error)
{
    json_t *answer = rc_slowdown_remote_ask(remote, order, &work->inner, error);
    int status = 0;

    if (!answer)
        return -1;
    if (*n == 0)
        *n = json_array_size(json_object_get(answer, name));
    if (*n > most || rc_slowdown_bench_numbers_read(answer, name, least, 1e9, *n, values))
        status = rc_slowdown_remote_bad_answer(remote->host, error);
    json_decref(answer);
    return status;
}

static int weigh_host(struct work *work, struct rc_remote *remote,
                      struct rc_slowdown_calibration_host *host, struct rc_error *error)
{
    const struct rc_bench_order order = {.kind = RC_BENCH_COMPUTE,
                                         .compute = {.repeat = work->order->rounds,
                                                     .sweeps = work->order->sweeps,
                                                     .command = work->order->benchmark}};
    double seconds[RC_BENCH_ROUNDS_MAX];
    size_t n = work->order->rounds;

    begin_step(work, RC_CALIBRATE_WEIGHT, "weight of %s", host->name);
    if (ask_numbers(work, remote, &order, "seconds", 1e-9, n, seconds, &n, error))
        return -1;
    host->seconds = rc_slowdown_bench_median(seconds, n);
    if (isnan(host->seconds))
        return rc_slowdown_remote_bad_answer(remote->host, error);
    doubt(work, host, seconds, n);
    return 0;
}

static int measure_memory(struct work *work, struct rc_remote *remote,
                          struct rc_slowdown_calibration_host *host, struct rc_error *error)
{
    const struct rc_bench_order order = {.kind = RC_BENCH_MEMORY,
                                         .memory = {.rounds = work->order->rounds}};
    size_t n = 0;

    begin_step(work, RC_CALIBRATE_MEMORY, "memory of %s", host->name);
    if (ask_numbers(work, remote, &order, "slowdown", 1, RC_MEMORY_OTHERS_MAX,
                    host->memory.slowdown, &n, error))
        return -1;
    host->memory.n = n;
    return 0;
}

static int measure_host(struct work *work, const struct rc_calibrate_step *step,
                        struct rc_error *error)
{
    unsigned parts = work->order->parts;
    struct rc_slowdown_calibration_host *host;
    struct rc_remote remote;
    int status;

    if (!(parts & (RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_MEMORY)))
        begin_step(work, RC_CALIBRATE_LOOK, "cores of %s", step->from);
    status =
        rc_slowdown_remote_open(&remote, &work->order->launch, step->from, &work->inner, error);
    host = status ? NULL : rc_slowdown_calibration_add_host(work->calibration, step->from, error);
    if (host) {
        host->cores = remote.cores;
        if (parts & RC_CALIBRATION_WEIGHTS)
            status = weigh_host(work, &remote, host, error);
        if (status == 0 && (parts & RC_CALIBRATION_MEMORY))
            status = measure_memory(work, &remote, host, error);
    }
    rc_slowdown_remote_close(&remote);
    return host ? status : -1;
}

/* ---- two hosts ---- */

/* Makes the second host listen for one load; `peer` gets its address. */
static int listen_there(struct work *work, struct rc_remote *to, struct rc_peer *peer,
                        struct rc_error *error)
{
    const struct rc_bench_order order = {.kind = RC_BENCH_LISTEN};
    json_t *answer = rc_slowdown_remote_ask(to, &order, &work->inner, error);
    int status = answer ? rc_slowdown_bench_listening_read(answer, peer) : -1;

    if (answer && status)
        rc_slowdown_remote_bad_answer(to->host, error);
    json_decref(answer);
    snprintf(peer->host, sizeof peer->host, "%s",
             work->order->launch.launcher ? to->host : "localhost");
    return status;
}

/* Makes one host send the data of `order` to another, its `peer`.  Returns the answer of the first;
 * NULL on failure. */
static json_t *ask_pair(struct work *work, const struct rc_calibrate_step *step,
                        const struct rc_bench_order *order, struct rc_peer *peer,
                        struct rc_error *error)
{
    const struct rc_remote_launch *launch = &work->order->launch;
    struct rc_remote from = {.child = RC_WATCH_CHILD_NONE}, to = from;
    json_t *answer = NULL, *count = NULL;

    if (rc_slowdown_remote_open(&from, launch, step->from, &work->inner, error) == 0 &&
        rc_slowdown_remote_open(&to, launch, step->to, &work->inner, error) == 0 &&
        listen_there(work, &to, peer, error) == 0)
        answer = rc_slowdown_remote_ask(&from, order, &work->inner, error);
    if (answer && !(count = rc_slowdown_remote_wait(&to, &work->inner, error))) {
        json_decref(answer);
        answer = NULL;
    }
    json_decref(count);
    rc_slowdown_remote_close(&from);
    rc_slowdown_remote_close(&to);
    return answer;
}

static int keep_rates(struct work *work, const struct rc_calibrate_step *step, const double *rates,
                      struct rc_error *error)
{
    const struct rc_slowdown_calibrate *order = work->order;
    struct rc_slowdown_burst_rate *items = calloc(order->n_bursts + 1, sizeof *items);
    struct rc_slowdown_calibration_link *link =
        items ? rc_slowdown_calibration_add_link(work->calibration, step->from, step->to, error)
              : NULL;

    if (!link) {
        free(items);
        return items ? -1 : rc_error_no_memory(error);
    }
    link->bursts.items = items;
    for (size_t i = 0; i < order->n_bursts; i++)
        if (rates[i] > 0)
            link->bursts.items[link->bursts.n++] =
                (struct rc_slowdown_burst_rate){order->bursts[i], rates[i]};
    return 0;
}

static int measure_link(struct work *work, const struct rc_calibrate_step *step,
                        struct rc_error *error)
{
    const struct rc_slowdown_calibrate *order = work->order;
    struct rc_bench_order bursts = {.kind = RC_BENCH_BURSTS,
                                    .bursts = {.bursts = order->bursts,
                                               .n = order->n_bursts,
                                               .repeat = order->rounds,
                                               .longest = order->longest}};
    double rates[RC_BURSTS_MAX];
    json_t *answer;
    int status = -1;

    begin_step(work, RC_CALIBRATE_BURSTS, "link from %s to %s", step->from, step->to);
    answer = ask_pair(work, step, &bursts, &bursts.bursts.peer, error);
    if (answer &&
        rc_slowdown_bench_numbers_read(answer, "rates", 1e-9, 1e18, order->n_bursts, rates))
        rc_slowdown_remote_bad_answer(step->from, error);
    else if (answer)
        status = keep_rates(work, step, rates, error);
    json_decref(answer);
    return status;
}

/* ---- delays ---- */

static int keep_points(struct rc_calibration *calibration, size_t communicating,
                       const struct rc_delay_point *points, size_t n, struct rc_error *error)
{
    struct rc_calibration_point *grown =
        realloc(calibration->points, (calibration->n_points + n) * sizeof *grown);

    if (!grown)
        return rc_error_no_memory(error);
    calibration->points = grown;
    for (size_t i = 0; i < n; i++)
        grown[calibration->n_points++] = (struct rc_calibration_point){communicating, points[i]};
    return 0;
}

static int measure_delay(struct work *work, const struct rc_calibrate_step *step,
                         struct rc_error *error)
{
    const struct rc_slowdown_calibrate *order = work->order;
    struct rc_calibration *calibration = work->calibration;
    struct rc_bench_order delay = {.kind = RC_BENCH_DELAY,
                                   .delay = {.communicating = step->communicating,
                                             .points = order->points,
                                             .rounds = order->rounds,
                                             .sweeps = order->sweeps,
                                             .message = MESSAGE}};
    struct rc_delay_point points[RC_BENCH_POINTS_MAX];
    double cost = NAN;
    json_t *answer;
    int status = -1;

    begin_step(work, RC_CALIBRATE_CURVE, "delay on %s by %zu communicating", step->from,
               step->communicating);
    answer = ask_pair(work, step, &delay, &delay.delay.peer, error);
    if (answer && rc_slowdown_bench_points_read(answer, order->points, points, &cost))
        rc_slowdown_remote_bad_answer(step->from, error);
    else if (answer)
        status = keep_points(calibration, step->communicating, points, order->points, error);
    json_decref(answer);
    if (status)
        return -1;
    if (step->communicating == 1)
        calibration->byte_seconds = cost;
    snprintf(calibration->delay_from, sizeof calibration->delay_from, "%s", step->from);
    snprintf(calibration->delay_to, sizeof calibration->delay_to, "%s", step->to);
    return rc_slowdown_calibration_fit(calibration, error);
}

/* ---- all of it ---- */

static int (*const measure[])(struct work *work, const struct rc_calibrate_step *step,
                              struct rc_error *error) = {[RC_CALIBRATE_HOST] = measure_host,
                                                         [RC_CALIBRATE_LINK] = measure_link,
                                                         [RC_CALIBRATE_DELAY] = measure_delay};

/* The parts that the steps from `done` on would have measured.  Some values of the last host may
 * exist. */
static unsigned find_missing(const struct work *work, const struct rc_slowdown_calibrate_plan *plan,
                             size_t done)
{
    unsigned parts = 0;

    for (size_t i = done; i < plan->n; i++) {
        const struct rc_calibrate_step *step = &plan->steps[i];
        const struct rc_slowdown_calibration_host *host =
            rc_slowdown_calibration_host(work->calibration, step->from);

        if (step->kind == RC_CALIBRATE_LINK)
            parts |= RC_CALIBRATION_BURSTS;
        else if (step->kind == RC_CALIBRATE_DELAY)
            parts |= RC_CALIBRATION_DELAY;
        else
            parts |= (host && host->seconds > 0 ? 0 : RC_CALIBRATION_WEIGHTS) |
                     (host && host->memory.n > 0 ? 0 : RC_CALIBRATION_MEMORY);
    }
    return parts & work->order->parts;
}

int rc_slowdown_calibrate(const struct rc_slowdown_calibrate *order,
                          const struct rc_slowdown_calibrate_plan *plan,
                          const struct rc_monitor *monitor, struct rc_calibration *calibration,
                          size_t *done, struct rc_error *error)
{
    bool both = order->parts & RC_CALIBRATION_WEIGHTS && order->parts & RC_CALIBRATION_MEMORY;
    struct work work = {.order = order,
                        .calibration = calibration,
                        .monitor = monitor,
                        .total = plan->length,
                        .doings = plan->n + (both ? order->n_hosts : 0)};
    struct rc_clock *clock = rc_clock_system();
    int status = 0;

    work.inner = (struct rc_monitor){advance, NULL, cancelled, &work};
    *calibration = (struct rc_calibration){.made = clock->wall(clock), .byte_seconds = NAN};
    for (*done = 0; *done < plan->n && status == 0; *done += status == 0)
        status = measure[plan->steps[*done].kind](&work, &plan->steps[*done], error);
    calibration->quick = order->quick ? rc_slowdown_calibration_has(calibration) : 0;
    calibration->missing = find_missing(&work, plan, *done);
    if (rc_slowdown_calibration_weigh(calibration, status ? NULL : error))
        return -1;
    return status;
}

int rc_slowdown_calibrate_save(struct rc_db *db, const char *platform,
                               const struct rc_slowdown_calibrate *order,
                               const struct rc_slowdown_calibrate_plan *plan, size_t done,
                               const struct rc_calibration *before,
                               struct rc_calibration *calibration, struct rc_error *error)
{
    bool whole = order->parts == RC_CALIBRATION_ALL && done == plan->n;
    unsigned parts = order->parts;

    if (calibration->n_points == 0)
        parts &= ~(unsigned)RC_CALIBRATION_DELAY;
    if (before && !whole && rc_slowdown_calibration_complete(calibration, before, parts, error))
        return -1;
    return rc_slowdown_calibration_save(db, platform, calibration, error);
}
