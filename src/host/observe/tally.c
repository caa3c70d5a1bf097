// SPDX-License-Identifier: GPL-3.0-or-later
/* tally.c - for what part of its time a thread computes and communicates.
 *
 * The kernel counts a wait for a core when it is over, and time on a core at its ticks, so that
 * until then either looks like being blocked.  All is counted when a thread is found blocked.  So a
 * time is divided only when it ends with such a look; others are joined with what follows.
 *
 * Invariant: seconds = run + wait + blocked + unclear + idle, but for what is held. */
#include "host/observe/tally.h"

#include <math.h>
#include <stdlib.h>

/* A phase is one of computing from the one part of a time on, and none from the other on. */
#define COMPUTES 0.6
#define COMPUTES_NOT 0.3
/* Where looks are mostly neither the one nor the other, phases are too short to be told apart, and
 * those that seem to be there come from the beat of phases and looks. */
#define LITTLE 0.2
#define PURE 0.75
#define GAP 2.0 /* looks that there must be between two phases of computing */
enum { BEGINS_LEAST = 3 /* phases of computing from which the length of a cycle is told */ };

/* ---- one time ---- */

/* Divides the time in which it was blocked while something was under way, by what it was at at both
 * ends. */
static void divide_blocked(struct rc_tally *tally, double blocked, enum rc_tally_state end)
{
    const enum rc_tally_state states[2] = {tally->before, end};
    double asleep = 0, waits = 0;

    for (size_t i = 0; i < 2; i++) {
        asleep += states[i] == RC_TALLY_ASLEEP;
        waits += states[i] == RC_TALLY_BLOCKED;
    }
    if (asleep + waits == 0) {
        tally->unclear += blocked;
        return;
    }
    tally->blocked += blocked * waits / (asleep + waits);
    tally->idle += blocked * asleep / (asleep + waits);
    tally->clear_blocked += waits;
    tally->clear_asleep += asleep;
}

/* Phases of computing: those in which it is on a core, or wants to be.  To be called before the
 * look is added to the sums. */
static void follow_phase(struct rc_tally *tally, double seconds, double computing)
{
    if (!tally->computing && computing >= COMPUTES * seconds) {
        tally->computing = true;
        tally->last =
            (struct rc_tally_moment){tally->run, tally->seconds - tally->run - tally->wait};
        if (tally->begins++ == 0)
            tally->first = tally->last;
    } else if (tally->computing && computing <= COMPUTES_NOT * seconds) {
        tally->computing = false;
    }
    if (!tally->computing && tally->begins > 0)
        tally->gaps += seconds;
    if (computing <= LITTLE * seconds || computing >= (1 - LITTLE) * seconds)
        tally->pure += seconds;
}

/* `open`: it ends with a thread that is awake, whose wait is not counted yet. */
static void divide(struct rc_tally *tally, const struct rc_tally_look *look, bool open,
                   const struct rc_tally_costs *costs)
{
    double run = fmin(fmax(look->run, 0), look->seconds);
    double wait = open ? look->seconds - run : fmin(fmax(look->wait, 0), look->seconds - run);
    double blocked = look->seconds - run - wait;
    double moving = fmin(run, costs->byte * look->bytes + costs->segment * look->segments);

    follow_phase(tally, look->seconds, run + wait - moving);
    tally->seconds += look->seconds;
    tally->run += run;
    tally->wait += wait;
    tally->moving += moving;
    tally->bytes += look->bytes;
    tally->segments += look->segments;
    if (look->bytes > 0 || look->under_way)
        divide_blocked(tally, blocked, look->state);
    else
        tally->idle += blocked;
    tally->before = look->state;
}

static void release(struct rc_tally *tally, bool open, const struct rc_tally_costs *costs)
{
    struct rc_tally_look look = tally->held;

    tally->held = (struct rc_tally_look){.state = RC_TALLY_UNKNOWN};
    if (look.seconds > 0)
        divide(tally, &look, open, costs);
}

void rc_observe_tally_add(struct rc_tally *tally, const struct rc_tally_look *look,
                          const struct rc_tally_costs *costs)
{
    struct rc_tally_look *held = &tally->held;

    if (!(look->seconds > 0))
        return;
    held->seconds += look->seconds;
    held->run += look->run;
    held->wait += look->wait;
    held->bytes += look->bytes;
    held->segments += look->segments;
    held->under_way |= look->under_way;
    tally->looks++;
    held->state = look->state;
    if (look->state != RC_TALLY_AWAKE)
        release(tally, false, costs);
}

void rc_observe_tally_close(struct rc_tally *tally, const struct rc_tally_costs *costs)
{
    release(tally, true, costs);
}

/* ---- the answer ---- */

static double cycle_of(const struct rc_tally *tally, double pace)
{
    const struct rc_tally_moment *first = &tally->first, *last = &tally->last;

    double n = (double)tally->begins - 1, look = tally->seconds / (double)tally->looks;

    if (tally->begins < BEGINS_LEAST || tally->pure < PURE * tally->seconds ||
        tally->gaps < GAP * look * n)
        return 0;
    return ((last->run - first->run) / pace + last->rest - first->rest) / n;
}

struct rc_observe_tally_shares rc_observe_tally_shares(const struct rc_tally *tally, double system,
                                                       double pace)
{
    double clear = tally->clear_blocked + tally->clear_asleep;
    double blocked =
        tally->blocked + tally->unclear * (clear > 0 ? tally->clear_blocked / clear : 1);
    double moving = isnan(system) ? tally->moving : fmin(tally->moving, system);
    double all = tally->run / pace + tally->blocked + tally->unclear + tally->idle;
    struct rc_observe_tally_shares shares = {NAN, NAN, 0};

    if (!(all > 0))
        return shares;
    shares.compute = fmax(0, tally->run - moving) / pace / all;
    shares.communicate = fmin(1 - shares.compute, (moving / pace + blocked) / all);
    shares.cycle = cycle_of(tally, pace);
    return shares;
}

static int by_computing(const void *a, const void *b)
{
    const struct rc_observe_tally_shares *x = a, *y = b;

    if (x->compute != y->compute)
        return x->compute < y->compute ? 1 : -1;
    return (x->communicate < y->communicate) - (x->communicate > y->communicate);
}

struct rc_observe_tally_shares rc_observe_tally_process(struct rc_observe_tally_shares *shares,
                                                        size_t n, size_t *count)
{
    struct rc_observe_tally_shares process = {0, 0, 0};
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
