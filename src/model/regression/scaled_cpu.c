// SPDX-License-Identifier: GPL-3.0-or-later
/* scaled_cpu.c - CPU availability of runs on hosts of several speeds.
 *
 * A run has the least CPU of its hosts, but not whose it is.  If hosts are equally fast, the least
 * of speed times CPU follows from it.  If not, the host with the least CPU may be a fast one that
 * is ahead of a slow idle one; the samples of each host show that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "platform/hostlist.h"
#include "model/regression/speeds.h"
#include "stats/series/load_statistics.h"
#include "db/series_last.h"

enum { HOSTS_MOST = 4096, SAMPLES_MOST = 1 << 20 };
static const double good_for = 3600; /* seconds that a sample before the run holds for, at most */
/* Samples that are not those of the run, such as those of a sensor that took the run itself for
 * load, have another least CPU than the run. */
static const double agree = 0.1;

struct seen {
    char *host;
    int64_t series;
};

struct rc_regression_sampled {
    struct rc_series_last last;
    struct seen *hosts; /* that have samples, by name */
    size_t n, room;
};

struct listing {
    struct rc_regression_sampled *sampled;
    struct rc_error *error;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->host, ((const struct seen *)b)->host);
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    const struct listing *listing = data;
    struct rc_regression_sampled *sampled = listing->sampled;
    char *name = strdup(info->key.host);

    if (!name || rc_array_room(&sampled->hosts, sampled->n + 1, &sampled->room,
                               sizeof *sampled->hosts, listing->error)) {
        free(name);
        return rc_error_no_memory(listing->error);
    }
    sampled->hosts[sampled->n++] = (struct seen){name, info->id};
    return 0;
}

struct rc_regression_sampled *rc_regression_sampled_create(struct rc_db *store,
                                                           struct rc_error *error)
{
    const struct rc_series_key cpus = {.peer = "", .metric = "cpu"};
    struct rc_regression_sampled *sampled = calloc(1, sizeof *sampled);
    struct listing listing = {sampled, error};

    if (!sampled) {
        rc_error_no_memory(error);
        return NULL;
    }
    if (rc_db_series_last_start(&sampled->last, store, error) ||
        rc_db_series_list(store, &cpus, meet_series, &listing, error)) {
        rc_regression_sampled_destroy(sampled);
        return NULL;
    }
    if (sampled->n)
        qsort(sampled->hosts, sampled->n, sizeof *sampled->hosts, by_name);
    return sampled;
}

void rc_regression_sampled_destroy(struct rc_regression_sampled *sampled)
{
    if (!sampled)
        return;
    for (size_t i = 0; i < sampled->n; i++)
        free(sampled->hosts[i].host);
    rc_db_series_last_end(&sampled->last);
    free(sampled->hosts);
    free(sampled);
}

/* ---- one run ---- */

/* The hosts of a run, with their weights and samples. */
struct seats {
    struct rc_hostlist list;
    double *weights, least, most;
    struct rc_sample **samples;
    struct rc_series_track *tracks;
};

static void leave(struct seats *seats)
{
    for (size_t i = 0; seats->samples && i < seats->list.count; i++)
        free(seats->samples[i]);
    free(seats->samples);
    free(seats->tracks);
    free(seats->weights);
    rc_platform_hostlist_free(&seats->list);
}

/* False if nothing is known of the run's hosts. */
static bool take_seats(const struct rc_regression_speeds *speeds, const char *hosts,
                       struct seats *seats)
{
    *seats = (struct seats){.least = rc_regression_speeds_least(speeds, hosts)};
    if (isnan(seats->least) ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), HOSTS_MOST, &seats->list, NULL))
        return false;
    seats->weights = calloc(seats->list.count + 1, sizeof *seats->weights);
    seats->samples = calloc(seats->list.count + 1, sizeof *seats->samples);
    seats->tracks = calloc(seats->list.count + 1, sizeof *seats->tracks);
    if (!seats->weights || !seats->samples || !seats->tracks)
        return false;
    for (size_t i = 0; i < seats->list.count; i++) {
        seats->weights[i] = rc_regression_speeds_weight(speeds, seats->list.names[i]);
        seats->most = fmax(seats->most, seats->weights[i]);
    }
    return true;
}

/* Whether no time of the run goes by without a sample for longer than a quarter of it, or than
 * samples are usually apart: one and a half times as long as between the first two. */
static bool covers(const struct rc_sample *samples, size_t n, const struct rc_run *run)
{
    double end = run->start + run->seconds, most = 0.25 * run->seconds, last = run->start;

    if (n == 0 || samples[n - 1].t < run->start)
        return false; /* there is none of the run itself */
    if (n > 1)
        most = fmax(most, 1.5 * (samples[1].t - samples[0].t));
    for (size_t i = 0; i < n; i++) {
        if (samples[i].t - last > most)
            return false;
        last = fmax(last, samples[i].t);
    }
    return end - last <= most;
}

/* The last sample before the run holds at its beginning. */
static bool read_host(struct rc_regression_sampled *sampled, int64_t series,
                      const struct rc_run *run, struct rc_sample **samples, size_t *n)
{
    double from = run->start;

    if (rc_db_series_last_read(&sampled->last, series, run->start - good_for, run->start, 1,
                               samples, n, NULL))
        return false;
    if (*n > 0)
        from = (*samples)[0].t;
    free(*samples);
    return rc_db_series_last_read(&sampled->last, series, from, run->start + run->seconds,
                                  SAMPLES_MOST, samples, n, NULL) == 0 &&
           covers(*samples, *n, run);
}

/* Reads the samples of all hosts; false where one has none of that time. */
static bool read_samples(struct rc_regression_sampled *sampled, const struct rc_run *run,
                         struct seats *seats)
{
    for (size_t i = 0; i < seats->list.count; i++) {
        const struct seen key = {seats->list.names[i], 0};
        const struct seen *found =
            sampled->n ? bsearch(&key, sampled->hosts, sampled->n, sizeof key, by_name) : NULL;
        size_t n;

        if (!found || !read_host(sampled, found->series, run, &seats->samples[i], &n))
            return false;
        seats->tracks[i] = (struct rc_series_track){seats->samples[i], n};
    }
    return true;
}

static void weigh_samples(struct seats *seats)
{
    for (size_t i = 0; i < seats->list.count; i++)
        for (size_t k = 0; k < seats->tracks[i].n; k++)
            seats->samples[i][k].value *= seats->weights[i];
}

static bool close_to(double said, double found)
{
    return isnan(said) || fabs(found - said) <= agree * said;
}

/* Whether the samples suffice; then the CPU of the run is in `load`. */
static bool by_samples(struct rc_regression_sampled *sampled, const struct rc_run *run,
                       struct seats *seats, struct rc_series_load *load)
{
    double end = run->start + run->seconds;
    struct rc_series_load plain;

    if (!isfinite(run->start) || !(run->seconds > 0) || !read_samples(sampled, run, seats) ||
        rc_series_load_statistics(seats->tracks, seats->list.count, run->start, end, &plain,
                                  NULL) ||
        !close_to(run->cpu_minavg, plain.minavg) || !close_to(run->cpu_avgmin, plain.avgmin))
        return false;
    weigh_samples(seats);
    return rc_series_load_statistics(seats->tracks, seats->list.count, run->start, end, load,
                                     NULL) == 0 &&
           load->minavg > 0 && load->avgmin > 0;
}

enum rc_regression_scaled rc_regression_speeds_scale(const struct rc_regression_speeds *speeds,
                                                     struct rc_regression_sampled *sampled,
                                                     const struct rc_run *run,
                                                     double cpu[RC_REGRESSION_STATS])
{
    bool says = !isnan(cpu[RC_REGRESSION_MINAVG]) || !isnan(cpu[RC_REGRESSION_AVGMIN]);
    enum rc_regression_scaled how = RC_REGRESSION_UNSCALED;
    struct rc_series_load load;
    struct seats seats;

    if (take_seats(speeds, run->hosts, &seats))
        how = seats.most > seats.least ? RC_REGRESSION_LEAST : RC_REGRESSION_ALIKE;
    if (how == RC_REGRESSION_LEAST && sampled && says && by_samples(sampled, run, &seats, &load)) {
        cpu[RC_REGRESSION_MINAVG] =
            isnan(cpu[RC_REGRESSION_MINAVG]) ? cpu[RC_REGRESSION_MINAVG] : load.minavg;
        cpu[RC_REGRESSION_AVGMIN] =
            isnan(cpu[RC_REGRESSION_AVGMIN]) ? cpu[RC_REGRESSION_AVGMIN] : load.avgmin;
        how = RC_REGRESSION_SAMPLED;
    }
    for (int stat = 0;
         stat < RC_REGRESSION_STATS && (how == RC_REGRESSION_ALIKE || how == RC_REGRESSION_LEAST);
         stat++)
        cpu[stat] *= seats.least;
    leave(&seats);
    return how;
}
