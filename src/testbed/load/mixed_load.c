// SPDX-License-Identifier: GPL-3.0-or-later
/* mixed_load.c - a program that computes and communicates in turns.
 *
 * A cycle computes until the time spent computing since the beginning is its part of all time up to
 * the cycle's end, then communicates likewise in whole bursts, and sleeps for what is left.  A
 * burst that takes longer than its turn so is made good for by later cycles.
 *
 * One that has work to do goes by its own CPU time when it computes, and nothing that it missed is
 * made good for: its cycles grow with what others take. */
#include "testbed/load/mixed_load.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

/* Messages, and bytes, that are asked for before the first has come.  The load cannot end before
 * they are there. */
enum { AHEAD = 64, AHEAD_BYTES = 1 << 19 };

int rc_load_mix_prepare(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct rc_load_mix *mix = data;

    return mix->network ? rc_load_stream_prepare(worker, &mix->stream, error) : 0;
}

static void compute(struct rc_load_worker *worker, double until_spent)
{
    double now = rc_load_now(), cpu = rc_load_cpu(), before;

    while (worker->tally->computing < until_spent && !rc_load_over(worker)) {
        before = now;
        rc_load_spin();
        now = rc_load_now();
        worker->tally->computing += now - before;
    }
    worker->tally->worked += rc_load_cpu() - cpu;
}

static void compute_for(struct rc_load_worker *worker, double cpu_seconds)
{
    double began = rc_load_now(), cpu = rc_load_cpu(), used = 0;

    while (used < cpu_seconds && !rc_load_over(worker)) {
        rc_load_spin();
        used = rc_load_cpu() - cpu;
    }
    worker->tally->computing += rc_load_now() - began;
    worker->tally->worked += used;
}

/* The functions below return 1 where the load was over before they were done. */

static int send_burst(struct rc_load_mix *mix, struct rc_load_worker *worker,
                      struct rc_error *error)
{
    uint64_t size = (uint64_t)mix->stream.message;
    int status = 0;

    for (uint64_t i = 1; i <= mix->burst && status == 0; i++)
        status = rc_load_stream_push(&mix->stream, worker,
                                     i < mix->burst ? RC_LOAD_PUSH : RC_LOAD_PUSH_ACKNOWLEDGED,
                                     size, error);
    return status ? status : rc_load_stream_await(&mix->stream, worker, error);
}

static int receive_burst(struct rc_load_mix *mix, struct rc_load_worker *worker, uint64_t *owed,
                         struct rc_error *error)
{
    uint64_t size = (uint64_t)mix->stream.message, asked = 0, before;
    uint64_t ahead = size * AHEAD <= AHEAD_BYTES ? AHEAD : AHEAD_BYTES / size + 1;
    int status = 0;

    for (uint64_t i = 0; i < mix->burst && status == 0; i++) {
        for (; asked < mix->burst && asked < i + ahead && status == 0; asked++) {
            status = rc_load_stream_pull(&mix->stream, worker, size, error);
            *owed += status == 0 ? size : 0;
        }
        before = worker->tally->received;
        if (status == 0)
            status = rc_load_stream_take(&mix->stream, worker, size, error);
        *owed -= worker->tally->received - before;
    }
    return status;
}

static int one_burst(struct rc_load_mix *mix, struct rc_load_worker *worker, uint64_t *owed,
                     struct rc_error *error)
{
    bool back = mix->direction == RC_LOAD_RECEIVE ||
                (mix->direction == RC_LOAD_BOTH && worker->tally->bursts % 2 == 1);
    double before = rc_load_now();
    int status = back ? receive_burst(mix, worker, owed, error) : send_burst(mix, worker, error);

    worker->tally->communicating += rc_load_now() - before;
    worker->tally->bursts += status == 0;
    return status;
}

static int count_bursts(struct rc_load_mix *mix, struct rc_load_worker *worker, uint64_t *owed,
                        struct rc_error *error)
{
    uint64_t n = mix->bursts ? mix->bursts : 1;
    int status = 0;

    for (uint64_t i = 0; i < n && status == 0; i++)
        status = one_burst(mix, worker, owed, error);
    return status;
}

/* Whole bursts, until it has communicated for so many seconds since the beginning. */
static int communicate(struct rc_load_mix *mix, struct rc_load_worker *worker, double until_spent,
                       uint64_t *owed, struct rc_error *error)
{
    int status = 0;

    if (!mix->network)
        return 0;
    if (isnan(mix->communicate))
        return count_bursts(mix, worker, owed, error);
    while (status == 0 && worker->tally->communicating < until_spent)
        status = one_burst(mix, worker, owed, error);
    return status;
}

static void rest_until(struct rc_load_worker *worker, double when)
{
    double before = rc_load_now();

    rc_load_sleep_until(worker, when);
    worker->tally->resting += rc_load_now() - before;
}

/* What a process has done of its cycles. */
struct progress {
    double end;            /* when the cycle ends */
    double to_communicate; /* seconds, since the beginning (one that has work to do) */
    uint64_t owed;         /* bytes requested from the receiver */
};

static int steady_cycle(struct rc_load_mix *mix, struct rc_load_worker *worker, double length,
                        struct progress *progress, struct rc_error *error)
{
    int status;

    progress->end = fmax(progress->end + length, rc_load_now());
    compute(worker, mix->compute * (progress->end - worker->begin));
    status = communicate(mix, worker, mix->communicate * (progress->end - worker->begin),
                         &progress->owed, error);
    if (status == 0)
        rest_until(worker, progress->end);
    return status;
}

static int work_cycle(struct rc_load_mix *mix, struct rc_load_worker *worker, double length,
                      struct progress *progress, struct rc_error *error)
{
    bool counted = mix->network && isnan(mix->communicate);
    double part = mix->network ? mix->communicate : 0;
    int status;

    compute_for(worker, mix->compute * length);
    progress->to_communicate += counted ? 0 : part * length;
    status = communicate(mix, worker, progress->to_communicate, &progress->owed, error);
    if (status == 0 && !counted && mix->compute + part < 1)
        rest_until(worker, rc_load_now() + (1 - mix->compute - part) * length);
    return status;
}

int rc_load_mix_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct rc_load_mix *mix = data;
    struct rc_random *random = rc_random_create(mix->seed, mix->number);
    struct progress progress = {.end = worker->begin};
    int status = 0;

    if (!random)
        return rc_error_no_memory(error);
    while (status == 0 && !rc_load_over(worker)) {
        double length = mix->steady ? mix->cycle : mix->cycle * (0.5 + rc_random_uniform(random));

        status = mix->work ? work_cycle(mix, worker, length, &progress, error)
                           : steady_cycle(mix, worker, length, &progress, error);
        worker->tally->cycles += status == 0;
    }
    rc_random_destroy(random);
    if (mix->network && status >= 0)
        rc_load_stream_finish(&mix->stream, worker, progress.owed);
    return status < 0 ? -1 : 0;
}
