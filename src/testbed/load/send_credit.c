// SPDX-License-Identifier: GPL-3.0-or-later
/* send_credit.c - sending at a rate. */
#include "testbed/load/send_credit.h"

#include <math.h>

#define LOOK 0.1 /* seconds in which arrivals are counted */

void rc_load_send_credit_begin(struct rc_load_send_credit *credit, double now, double message)
{
    *credit = (struct rc_load_send_credit){now, 0, message, 0};
}

double rc_load_send_credit_wait(struct rc_load_send_credit *credit, double rate, double now)
{
    double earned = rate * fmax(now - credit->last, 0);

    credit->last = fmax(now, credit->last);
    credit->wanted += earned;
    credit->bytes = fmin(credit->bytes + earned, fmax(rate * RC_LOAD_ARREARS, 2 * credit->message));
    if (credit->bytes >= credit->message)
        return 0;
    return rate > 0 ? (credit->message - credit->bytes) / rate : INFINITY;
}

void rc_load_send_credit_spend(struct rc_load_send_credit *credit)
{
    credit->bytes -= credit->message;
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

double rc_load_message_size(double rate)
{
    return floor(fmin(fmax(rate * 0.005, 1024), 65536));
}
