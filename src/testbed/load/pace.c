// SPDX-License-Identifier: GPL-3.0-or-later
/* pace.c - sending at a rate. */
#include "testbed/load/pace.h"

#include <math.h>

#define LOOK 0.1 /* seconds in which arrivals are counted */

void rc_load_pace_begin(struct rc_load_pace *pace, double now, double message)
{
    *pace = (struct rc_load_pace){now, 0, message, 0};
}

double rc_load_pace_wait(struct rc_load_pace *pace, double rate, double now)
{
    double earned = rate * fmax(now - pace->last, 0);

    pace->last = fmax(now, pace->last);
    pace->wanted += earned;
    pace->credit = fmin(pace->credit + earned, fmax(rate * RC_LOAD_ARREARS, 2 * pace->message));
    if (pace->credit >= pace->message)
        return 0;
    return rate > 0 ? (pace->message - pace->credit) / rate : INFINITY;
}

void rc_load_pace_spend(struct rc_load_pace *pace)
{
    pace->credit -= pace->message;
}

void rc_load_window_begin(struct rc_load_window *window, double now)
{
    *window = (struct rc_load_window){now, 0, 0};
}

double rc_load_window_most(struct rc_load_window *window, double message, uint64_t arrived,
                           double now)
{
    double passed = now - window->since;

    if (passed >= LOOK) {
        window->rate = (double)(arrived - window->before) / passed;
        window->before = arrived;
        window->since = now;
    }
    return fmax(window->rate * RC_LOAD_ARREARS, 2 * message);
}

double rc_load_pace_message(double rate)
{
    return floor(fmin(fmax(rate * 0.005, 1024), 65536));
}
