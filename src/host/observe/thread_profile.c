// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_profile.c - shares of time that a thread computes and communicates.
 *
 * The kernel counts a wait for a core at its end, and time on a core at its ticks; until then,
 * both look like being blocked.  All is counted when a thread is found blocked.  So a time is
 * only divided if it ends with such a sample; others are joined with the next one.
 *
 * Invariant: seconds = run + wait + blocked + unclear + idle, except for held samples. */
#include "host/observe/thread_profile.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Shares of computing in a sample at which a phase of computing begins and ends. */
#define COMPUTES 0.6
#define COMPUTES_NOT 0.3
/* If most samples have a share between these, phases are too short, and apparent cycles are an
 * effect of aliasing. */
#define LITTLE 0.2
#define PURE 0.75
#define GAP 2.0 /* least number of samples between two phases of computing */
enum { BEGINS_LEAST = 3 /* phases of computing for a length of cycles */ };

/* ---- one time ---- */

/* Divides the time in which it was blocked with bytes in transit, by its states at both ends. */
static void divide_blocked(struct rc_thread_profile *profile, double blocked,
                           enum rc_thread_state end)
{
    const enum rc_thread_state states[2] = {profile->before, end};
    double asleep = 0, waits = 0;

    for (size_t i = 0; i < 2; i++) {
        asleep += states[i] == RC_THREAD_ASLEEP;
        waits += states[i] == RC_THREAD_BLOCKED;
    }
    if (asleep + waits == 0) {
        profile->unclear += blocked;
        return;
    }
    profile->blocked += blocked * waits / (asleep + waits);
    profile->idle += blocked * asleep / (asleep + waits);
    profile->clear_blocked += waits;
    profile->clear_asleep += asleep;
}

/* Phases of computing, on a core or waiting for one.  To be called before the sample is added. */
static void follow_phase(struct rc_thread_profile *profile, double seconds, double computing)
{
    if (!profile->computing && computing >= COMPUTES * seconds) {
        profile->computing = true;
        profile->last = (struct rc_thread_moment){profile->run,
                                                  profile->seconds - profile->run - profile->wait};
        if (profile->begins++ == 0)
            profile->first = profile->last;
    } else if (profile->computing && computing <= COMPUTES_NOT * seconds) {
        profile->computing = false;
    }
    if (!profile->computing && profile->begins > 0)
        profile->gaps += seconds;
    if (computing <= LITTLE * seconds || computing >= (1 - LITTLE) * seconds)
        profile->pure += seconds;
}

/* `open`: the thread is awake at its end, so a wait may not be counted yet. */
static void divide(struct rc_thread_profile *profile, const struct rc_thread_sample *look,
                   bool open, const struct rc_thread_costs *costs)
{
    double run = fmin(fmax(look->run, 0), look->seconds);
    double wait = open ? look->seconds - run : fmin(fmax(look->wait, 0), look->seconds - run);
    double blocked = look->seconds - run - wait;
    double moving = fmin(run, costs->byte * look->bytes + costs->segment * look->segments);

    follow_phase(profile, look->seconds, run + wait - moving);
    profile->seconds += look->seconds;
    profile->run += run;
    profile->wait += wait;
    profile->moving += moving;
    profile->bytes += look->bytes;
    profile->segments += look->segments;
    if (look->bytes > 0 || look->under_way)
        divide_blocked(profile, blocked, look->state);
    else
        profile->idle += blocked;
    profile->before = look->state;
    assert(fabs(profile->run + profile->wait + profile->blocked + profile->unclear + profile->idle -
                profile->seconds) <= 1e-6 * (1 + profile->seconds));
}

static void release(struct rc_thread_profile *profile, bool open,
                    const struct rc_thread_costs *costs)
{
    struct rc_thread_sample look = profile->held;

    profile->held = (struct rc_thread_sample){.state = RC_THREAD_UNKNOWN};
    if (look.seconds > 0)
        divide(profile, &look, open, costs);
}

void rc_observe_profile_add(struct rc_thread_profile *profile, const struct rc_thread_sample *look,
                            const struct rc_thread_costs *costs)
{
    struct rc_thread_sample *held = &profile->held;

    if (!(look->seconds > 0))
        return;
    held->seconds += look->seconds;
    held->run += look->run;
    held->wait += look->wait;
    held->bytes += look->bytes;
    held->segments += look->segments;
    held->under_way |= look->under_way;
    profile->looks++;
    held->state = look->state;
    if (look->state != RC_THREAD_AWAKE)
        release(profile, false, costs);
}

void rc_observe_profile_close(struct rc_thread_profile *profile,
                              const struct rc_thread_costs *costs)
{
    release(profile, true, costs);
}

/* ---- the result ---- */

static double cycle_of(const struct rc_thread_profile *profile, double core_share)
{
    const struct rc_thread_moment *first = &profile->first, *last = &profile->last;

    double n = (double)profile->begins - 1, look = profile->seconds / (double)profile->looks;

    if (profile->begins < BEGINS_LEAST || profile->pure < PURE * profile->seconds ||
        profile->gaps < GAP * look * n)
        return 0;
    return ((last->run - first->run) / core_share + last->rest - first->rest) / n;
}

struct rc_observe_profile_shares rc_observe_profile_shares(const struct rc_thread_profile *profile,
                                                           double system, double core_share)
{
    double clear = profile->clear_blocked + profile->clear_asleep;
    double blocked =
        profile->blocked + profile->unclear * (clear > 0 ? profile->clear_blocked / clear : 1);
    double moving = isnan(system) ? profile->moving : fmin(profile->moving, system);
    double all = profile->run / core_share + profile->blocked + profile->unclear + profile->idle;
    struct rc_observe_profile_shares shares = {NAN, NAN, 0};

    if (!(all > 0))
        return shares;
    shares.compute = fmax(0, profile->run - moving) / core_share / all;
    shares.communicate = fmin(1 - shares.compute, (moving / core_share + blocked) / all);
    shares.cycle = cycle_of(profile, core_share);
    return shares;
}

static int by_computing(const void *a, const void *b)
{
    const struct rc_observe_profile_shares *x = a, *y = b;

    if (x->compute != y->compute)
        return x->compute < y->compute ? 1 : -1;
    return (x->communicate < y->communicate) - (x->communicate > y->communicate);
}

struct rc_observe_profile_shares
rc_observe_profile_process(struct rc_observe_profile_shares *shares, size_t n, size_t *count)
{
    struct rc_observe_profile_shares process = {0, 0, 0};
    double sum = 0;

    *count = n > 0;
    if (n == 0)
        return process;
    qsort(shares, n, sizeof *shares, by_computing);
    for (size_t i = 0; i < n; i++)
        sum += shares[i].compute;
    if (shares[0].compute > 0)
        *count = (size_t)fmax(1, floor(sum / shares[0].compute + 0.5));
    for (size_t i = 0; i < *count && i < n; i++)
        process.communicate += shares[i].communicate / (double)*count;
    process.compute = fmin(1, sum / (double)*count);
    process.communicate = fmin(process.communicate, 1 - process.compute);
    process.cycle = shares[0].cycle;
    return process;
}
