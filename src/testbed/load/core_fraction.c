// SPDX-License-Identifier: GPL-3.0-or-later
/* core_fraction.c - using a fraction of a core. */
#include "testbed/load/core_fraction.h"

#include <math.h>

/* Steps of this size fill [0, 1) evenly, and never come round. */
#define GOLDEN 0.6180339887498949
#define IDLE 0.05 /* seconds between two looks at a plan that wants nothing */

void rc_load_duty_begin(struct rc_load_duty *duty, double now, double cpu, double phase)
{
    *duty = (struct rc_load_duty){now, cpu, 0, phase};
}

void rc_load_duty_next(struct rc_load_duty *duty, double fraction, double now, double cpu)
{
    double until = fmax(duty->until + RC_LOAD_CYCLE * (0.5 + duty->phase), now);

    duty->phase = fmod(duty->phase + GOLDEN, 1);
    if (fraction != duty->fraction) /* what was missed of another load is not owed to this one */
        duty->target = fmin(duty->target, cpu);
    duty->target += fraction * (until - duty->until);
    duty->target = fmin(duty->target, cpu + RC_LOAD_DEBT_MAX);
    duty->until = until;
    duty->fraction = fraction;
}

int rc_load_duty_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    const struct rc_load_duty_plan *plan = data;
    struct rc_load_duty duty;

    (void)error;
    rc_load_duty_begin(&duty, worker->begin, rc_load_cpu(), fmod(0.37 * (double)worker->index, 1));
    while (!rc_load_over(worker)) {
        double now = rc_load_now(), before = duty.until;
        double fraction =
            plan->fraction ? plan->fraction(plan->data, now - worker->begin) : plan->fixed;

        if (!(fraction > 0)) {
            rc_load_sleep_until(worker, now + IDLE);
            rc_load_duty_begin(&duty, rc_load_now(), rc_load_cpu(), duty.phase);
            continue;
        }
        rc_load_duty_next(&duty, fraction, now, rc_load_cpu());
        worker->tally->asked += fraction * (fmin(duty.until, worker->end) - before);
        while (rc_load_cpu() < duty.target && !rc_load_over(worker))
            rc_load_spin();
        worker->tally->cycles++;
        rc_load_sleep_until(worker, duty.until);
    }
    return 0;
}

int rc_load_duty_add(struct rc_load_team *team, struct rc_load_duty_plan *plan,
                     const struct rc_sense_cores *cores, size_t n, struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < n && status == 0; i++) {
        const struct rc_load_task task = {.body = rc_load_duty_body,
                                          .data = plan,
                                          .core = cores->items[i % cores->n],
                                          .descriptor = -1};

        status = rc_load_team_add(team, &task, error);
    }
    return status;
}

double rc_load_left(size_t n, double fraction)
{
    return fmax(1 - (double)n * fraction, 1 / ((double)n + 1));
}
