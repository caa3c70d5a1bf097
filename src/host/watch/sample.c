// SPDX-License-Identifier: GPL-3.0-or-later
/* sample.c - samples of sensors: their times, and the callback that takes them. */
#include "host/watch/internal.h"

#include <math.h>

enum { QUESTIONS = 4 }; /* about the time, without a pause, where the clock is in doubt */

void rc_watch_clock_doubt(struct rc_watch_member *member, double now)
{
    if (member->asks_at_once > 0 || member->exchange)
        return;
    member->asks_at_once = QUESTIONS;
    member->ask_at = now;
}

double rc_watch_sample_time(struct rc_watch *watch, struct rc_watch_member *member, double time,
                            double last, double now)
{
    const struct rc_watch_stamp mark = {time, now, member->started, last};
    bool doubtful;
    double t = rc_watch_stamp_put(&mark, &member->clock, &watch->base, &doubtful);

    if (doubtful)
        rc_watch_clock_doubt(member, now);
    return t;
}

void rc_watch_sample_report(struct rc_watch *watch, size_t host, size_t link, const char *metric,
                            double t, double value)
{
    struct rc_watch_host *info = &watch->members[host].info;
    const struct rc_watch_sample sample = {
        .host = host,
        .link = link,
        .name = info->name,
        .peer = link == SIZE_MAX ? "" : watch->names[watch->schedule.slots[link].info.to],
        .metric = metric,
        .t = t,
        .value = value};

    if (isnan(value))
        return;
    info->samples++;
    if (watch->options.sample)
        watch->options.sample(watch->options.data, &sample);
}
