// SPDX-License-Identifier: GPL-3.0-or-later
/* sensors_watch.c - the hosts of a run, sensed by a watcher. */
#include "run/sensors_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct watching {
    struct rc_watch *watch;
    struct rc_tracks *tracks;
    bool *lost; /* by host: it was up, and then lost */
};

/* A sensor that was restarted during the run cannot distinguish the processes of the run from
 * others, so its CPU availability is ignored. */
static void take_sample(void *data, const struct rc_watch_sample *sample)
{
    const struct watching *w = data;
    const struct rc_series_key key = {sample->name, sample->peer, sample->metric};
    const struct rc_sample one = {sample->t, sample->value};

    if (!(w->lost[sample->host] && strcmp(sample->metric, "cpu") == 0))
        rc_run_tracks_add(w->tracks, &key,
                          &one); /* without memory it is lost, and the run goes on */
}

static void note_change(void *data, size_t host, const struct rc_watch_host *now)
{
    const struct watching *w = data;

    if (now->state == RC_WATCH_LOST && now->samples > 0)
        w->lost[host] = true;
}

static size_t watch_fds(void *data, struct pollfd *fds, size_t most)
{
    return rc_watch_fds(((struct watching *)data)->watch, fds, most);
}

static double watch_patience(void *data)
{
    return rc_watch_patience(((struct watching *)data)->watch);
}

static int watch_step(void *data, double timeout, struct rc_error *error)
{
    return rc_watch_step(((struct watching *)data)->watch, timeout, error);
}

static void watch_finish(void *data, double seconds)
{
    rc_watch_finish(((struct watching *)data)->watch, seconds);
}

/* Whether a host has sent its CPU availability. */
static bool has_cpu(const struct watching *w, size_t host)
{
    const struct rc_watch_host *it = rc_watch_host(w->watch, host);

    return rc_run_tracks_find(w->tracks, &(struct rc_series_key){it->name, "", "cpu"}) != NULL;
}

static bool watch_ready(void *data)
{
    const struct watching *w = data;

    for (size_t i = 0; i < rc_watch_n_hosts(w->watch); i++)
        if (!has_cpu(w, i))
            return false;
    for (size_t i = 0; i < rc_watch_n_links(w->watch); i++)
        if (!rc_watch_link(w->watch, i)->tried)
            return false; /* the first probe has not ended */
    return true;
}

static const char *watch_silent(void *data, char *reason, size_t size)
{
    const struct watching *w = data;

    for (size_t i = 0; i < rc_watch_n_hosts(w->watch); i++)
        if (!has_cpu(w, i) || w->lost[i]) {
            const struct rc_watch_host *it = rc_watch_host(w->watch, i);

            snprintf(reason, size, "%s", it->reason[0] ? it->reason : "it said nothing in time");
            return it->name;
        }
    return NULL;
}

static const char *watch_left_behind(void *data)
{
    const struct watching *w = data;

    for (size_t i = 0; i < rc_watch_n_hosts(w->watch); i++)
        if (rc_watch_host(w->watch, i)->left_behind)
            return rc_watch_host(w->watch, i)->name;
    return NULL;
}

static double watch_link_interval(void *data)
{
    const struct watching *w = data;
    double interval = 0;

    for (size_t i = 0; i < rc_watch_n_links(w->watch); i++)
        interval = fmax(interval, rc_watch_link(w->watch, i)->interval);
    return interval;
}

static bool watch_unmeasured(void *data, char *text, size_t size)
{
    const struct watching *w = data;

    for (size_t i = 0; i < rc_watch_n_links(w->watch); i++) {
        const struct rc_watch_link_info *it = rc_watch_link(w->watch, i);

        if (!isnan(it->bandwidth))
            continue;
        snprintf(text, size, "%s:%s: %s", rc_watch_host(w->watch, it->from)->name,
                 rc_watch_host(w->watch, it->to)->name,
                 it->reason[0] ? it->reason : "no probe ended in time");
        return true;
    }
    return false;
}

static void watch_destroy(void *data)
{
    struct watching *w = data;

    if (!w)
        return;
    rc_watch_destroy(w->watch);
    free(w->lost);
    free(w);
}

static const struct rc_sensors_kind kind = {
    .fds = watch_fds,
    .patience = watch_patience,
    .step = watch_step,
    .finish = watch_finish,
    .ready = watch_ready,
    .silent = watch_silent,
    .link_interval = watch_link_interval,
    .left_behind = watch_left_behind,
    .unmeasured = watch_unmeasured,
    .destroy = watch_destroy,
};

int rc_run_sensors_watch(struct rc_sensors *sensors, const struct rc_watch_options *options,
                         struct rc_tracks *tracks, struct rc_error *error)
{
    struct watching *w = calloc(1, sizeof *w);
    struct rc_watch_options own = *options;

    *sensors = (struct rc_sensors){NULL, NULL};
    if (w)
        w->lost = calloc(options->n_hosts + 1, sizeof *w->lost);
    if (!w || !w->lost) {
        free(w);
        return rc_error_no_memory(error);
    }
    w->tracks = tracks;
    own.sample = take_sample;
    own.change = note_change;
    own.data = w;
    w->watch = rc_watch_create(&own, error);
    if (!w->watch) {
        free(w->lost);
        free(w);
        return -1;
    }
    *sensors = (struct rc_sensors){&kind, w};
    return 0;
}
