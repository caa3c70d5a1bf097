// SPDX-License-Identifier: GPL-3.0-or-later
/* time_base.c - one time base for all hosts.
 *
 * A sensor is asked for its time; its answer T came at some moment between question and answer, so
 * that T minus the middle is its offset, within half of the round trip.  That is Cristian's method
 * ("Probabilistic clock synchronization", Distributed Computing 3, 1989, section 3); taking the
 * answer with the least round trip of the last eight is what NTP's clock filter does (RFC 5905,
 * section 10).  A longer round trip only widens the bound, and an old answer is as uncertain as
 * clocks drift, so the one with the least sum of both is used.
 *
 * Drift: the offsets of two good answers, a minute or more apart, give a rate whose error is known
 * from the two round trips; successive rates are joined by a Kalman filter with one state.
 *
 * Invariants:
 * 1. The true offset is within half a round trip of each answer.  Two answers whose bounds, widened
 *    by the drift between them, do not overlap mean that the clock was set: earlier answers are
 *    forgotten.
 * 2. The base never steps back, and neither do the times of a series. */
#include "host/watch/time_base.h"

#include <assert.h>
#include <math.h>

#define DRIFT_BOUND 2e-4   /* of any clock worth the name, and more than NTP corrects by */
#define DRIFT_DOUBT 1e-4   /* standard deviation of what is not known */
#define DRIFT_WANDER 1e-7  /* ... by which it changes from one estimate to the next */
#define DRIFT_SECONDS 60.0 /* between the two answers of an estimate */
#define AGEING 2e-5        /* seconds of doubt that each second adds to an answer */
#define STEP_SLACK 0.001   /* a smaller step is no change of the clock */
#define BACK_RATE 0.1      /* how fast the base goes back, of the time that passes */
#define INTERRUPTED 0.001  /* between two readings of the clock */
#define APART 0.001        /* of two samples, where only their order is known */
#define BEFORE_START 2.0   /* seconds by which a sample may be older than its sensor */

/* ---- this machine ---- */

void rc_watch_base_init(struct rc_watch_base *base, double wall, double monotonic)
{
    *base = (struct rc_watch_base){wall - monotonic, monotonic};
}

void rc_watch_base_follow(struct rc_watch_base *base, double wall, double monotonic)
{
    double wanted = wall - monotonic, back = BACK_RATE * (monotonic - base->updated);

    assert(monotonic >= base->updated); /* so that the base never steps back */
    base->ahead = wanted > base->ahead - back ? wanted : base->ahead - back;
    base->updated = monotonic;
}

double rc_watch_base_read(struct rc_watch_base *base, struct rc_clock *clock)
{
    double before = clock->monotonic(clock), wall = clock->wall(clock);
    double after = clock->monotonic(clock);

    if (after - before < INTERRUPTED)
        rc_watch_base_follow(base, wall, after);
    return after;
}

/* ---- a sensor's clock ---- */

void rc_watch_clock_init(struct rc_watch_clock *clock)
{
    *clock = (struct rc_watch_clock){.drift_variance = DRIFT_DOUBT * DRIFT_DOUBT};
}

void rc_watch_clock_restart(struct rc_watch_clock *clock)
{
    clock->n = clock->next = 0;
}

double rc_watch_clock_offset(const struct rc_watch_clock *clock, double monotonic)
{
    if (clock->n == 0)
        return NAN;
    return clock->best.offset + clock->drift * (monotonic - clock->best.at);
}

static bool was_set(const struct rc_watch_clock *clock, const struct rc_watch_exchange *now)
{
    double apart, most;

    if (clock->n == 0)
        return false;
    apart = fabs(now->offset - rc_watch_clock_offset(clock, now->at));
    most = (now->round_trip + clock->best.round_trip) / 2 +
           DRIFT_BOUND * fabs(now->at - clock->best.at) + STEP_SLACK;
    return apart > most;
}

/* The bound of an answer, as it is by now. */
static double doubt(const struct rc_watch_exchange *exchange, double now)
{
    return exchange->round_trip / 2 + AGEING * (now - exchange->at);
}

static void follow_drift(struct rc_watch_clock *clock)
{
    const struct rc_watch_exchange *from = &clock->drift_from, *to = &clock->best;
    double seconds = to->at - from->at, error, gain;

    if (!(seconds >= DRIFT_SECONDS))
        return;
    error = (from->round_trip + to->round_trip) / 2 / seconds;
    clock->drift_variance += DRIFT_WANDER * DRIFT_WANDER;
    gain = clock->drift_variance / (clock->drift_variance + error * error);
    clock->drift += gain * ((to->offset - from->offset) / seconds - clock->drift);
    clock->drift = fmax(-DRIFT_BOUND, fmin(DRIFT_BOUND, clock->drift));
    clock->drift_variance *= 1 - gain;
    clock->drift_from = *to;
}

void rc_watch_clock_add(struct rc_watch_clock *clock, double asked, double answered, double time)
{
    const struct rc_watch_exchange now = {(asked + answered) / 2, time - (asked + answered) / 2,
                                          answered - asked};

    if (was_set(clock, &now)) {
        clock->n = clock->next = 0;
        clock->steps++;
    }
    if (clock->n == 0)
        clock->drift_from = now;
    clock->last[clock->next] = now;
    clock->next = (clock->next + 1) % RC_WATCH_EXCHANGES;
    if (clock->n < RC_WATCH_EXCHANGES)
        clock->n++;
    clock->best = clock->last[0];
    for (size_t i = 1; i < clock->n; i++)
        if (doubt(&clock->last[i], answered) < doubt(&clock->best, answered))
            clock->best = clock->last[i];
    follow_drift(clock);
}

/* ---- times of samples ---- */

double rc_watch_stamp_put(const struct rc_watch_stamp *stamp, const struct rc_watch_clock *clock,
                          const struct rc_watch_base *base, bool *doubtful)
{
    double offset = rc_watch_clock_offset(clock, stamp->arrival), t = stamp->time - offset;
    double slack = clock->n ? doubt(&clock->best, stamp->arrival) + STEP_SLACK : 0;

    *doubtful = isnan(offset) || t > stamp->arrival + slack || t < stamp->earliest - BEFORE_START ||
                t + base->ahead < stamp->last - slack;
    if (*doubtful || t > stamp->arrival)
        t = stamp->arrival;
    t += base->ahead;
    if (t <= stamp->last)
        t = fmin(stamp->last + APART, stamp->arrival + base->ahead);
    t = t > stamp->last ? t : nextafter(stamp->last, INFINITY);
    assert(t > stamp->last);
    return t;
}
