// SPDX-License-Identifier: GPL-3.0-or-later
/* outlook.c - the load to come of the hosts of a run.
 *
 * CPU and bandwidth are drawn each by itself: they are often sampled at very different rates, and
 * one grid for both would be as coarse as the coarser.  Hosts are drawn together, and so are
 * links. */
#include "predict/outlook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "forecast/prospect.h"
#include "store/series.h"

/* The series of one kind. */
struct side {
    struct rc_prospect *prospect;
    double *scratch; /* of a lane */
};

struct rc_outlook {
    struct side cpu, bw;
    double at, seconds;
    bool steady;
    char *missing;
    size_t n_missing;
};

/* ---- reading ---- */

struct reading {
    struct rc_outlook *outlook;
    struct rc_store *store;
    const char *const *hosts;
    size_t n_hosts;
    bool *has_cpu; /* by host */
    struct rc_error *error;
};

static size_t host_of(const struct reading *reading, const char *name)
{
    size_t i = 0;

    while (i < reading->n_hosts && strcmp(reading->hosts[i], name) != 0)
        i++;
    return i;
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    struct reading *reading = data;
    const struct rc_series_key *key = &info->key;
    size_t host = host_of(reading, key->host);
    bool cpu = strcmp(key->metric, "cpu") == 0 && !*key->peer;
    struct side *side = cpu ? &reading->outlook->cpu : &reading->outlook->bw;
    int taken;

    if (host == reading->n_hosts || !(info->first <= reading->outlook->at) ||
        !(info->last >= reading->outlook->at - RC_PROSPECT_OLD) ||
        (!cpu && strcmp(key->metric, "bandwidth") != 0) ||
        (*key->peer && host_of(reading, key->peer) == reading->n_hosts))
        return 0;
    taken = rc_prospect_add(side->prospect, reading->store, key, reading->error);
    if (taken > 0 && cpu)
        reading->has_cpu[host] = true;
    return taken < 0 ? -1 : 0;
}

static int read_all(struct reading *reading)
{
    struct rc_outlook *outlook = reading->outlook;
    const char *first = NULL;

    if (rc_series_list(reading->store, NULL, meet_series, reading, reading->error))
        return -1;
    for (size_t i = 0; i < reading->n_hosts; i++)
        if (!reading->has_cpu[i]) {
            first = first ? first : reading->hosts[i];
            outlook->n_missing++;
        }
    outlook->missing = first ? strdup(first) : NULL;
    return first && !outlook->missing ? rc_error_no_memory(reading->error) : 0;
}

static int get_scratch(struct side *side, struct rc_error *error)
{
    side->scratch = calloc(2 * rc_prospect_series(side->prospect) + 1, sizeof *side->scratch);
    return side->scratch ? 0 : rc_error_no_memory(error);
}

static int fill(struct reading *reading, double at)
{
    struct rc_outlook *outlook = reading->outlook;

    outlook->at = at;
    outlook->cpu.prospect = rc_prospect_create(at, reading->error);
    outlook->bw.prospect = rc_prospect_create(at, reading->error);
    return !outlook->cpu.prospect || !outlook->bw.prospect || read_all(reading) ||
                   get_scratch(&outlook->cpu, reading->error) ||
                   get_scratch(&outlook->bw, reading->error)
               ? -1
               : 0;
}

struct rc_outlook *rc_outlook_create(struct rc_store *store, const char *const *hosts,
                                     size_t n_hosts, double at, struct rc_error *error)
{
    struct rc_outlook *outlook = calloc(1, sizeof *outlook);
    struct reading reading = {outlook, store, hosts, n_hosts, calloc(n_hosts + 1, 1), error};
    int status = outlook && reading.has_cpu ? fill(&reading, at) : rc_error_no_memory(error);

    free(reading.has_cpu);
    if (status == 0)
        return outlook;
    rc_outlook_destroy(outlook);
    return NULL;
}

void rc_outlook_destroy(struct rc_outlook *outlook)
{
    if (!outlook)
        return;
    rc_prospect_destroy(outlook->cpu.prospect);
    rc_prospect_destroy(outlook->bw.prospect);
    free(outlook->cpu.scratch);
    free(outlook->bw.scratch);
    free(outlook->missing);
    free(outlook);
}

/* ---- what is known ---- */

static double least_lately(const struct side *side)
{
    double least = NAN;

    for (size_t i = 0; i < rc_prospect_series(side->prospect); i++)
        least = fmin(least, rc_prospect_lately(side->prospect, i));
    return least;
}

void rc_outlook_facts(const struct rc_outlook *outlook, struct rc_outlook_facts *facts)
{
    double newest = fmin(rc_prospect_newest(outlook->cpu.prospect),
                         rc_prospect_newest(outlook->bw.prospect));

    *facts = (struct rc_outlook_facts){
        .cpu_series = rc_prospect_series(outlook->cpu.prospect),
        .bw_series = rc_prospect_series(outlook->bw.prospect),
        .n_missing = outlook->n_missing,
        .missing = outlook->missing,
        .newest = isfinite(newest) ? newest : (double)NAN,
        .cpu = least_lately(&outlook->cpu),
        .bw = least_lately(&outlook->bw),
        .seconds = outlook->seconds,
        .steady = outlook->steady,
    };
}

/* ---- futures ---- */

int rc_outlook_look(struct rc_outlook *outlook, double seconds, struct rc_error *error)
{
    double cpu = seconds, bw = seconds;

    outlook->steady = false;
    if (rc_prospect_look(outlook->cpu.prospect, &cpu, &outlook->steady, error) ||
        rc_prospect_look(outlook->bw.prospect, &bw, &outlook->steady, error))
        return -1;
    outlook->seconds = fmin(cpu, bw);
    return 0;
}

static void draw_lane(struct side *side, struct rc_random *random, double otherwise,
                      struct rc_predict_lane *lane)
{
    struct rc_prospect_paths paths;

    rc_prospect_draw(side->prospect, random, &paths);
    *lane = (struct rc_predict_lane){.constant = otherwise};
    if (paths.n == 0) {
        if (paths.n_series > 0)
            lane->constant = least_lately(side);
        return;
    }
    lane->values = paths.values;
    lane->n = paths.n;
    lane->n_series = paths.n_series;
    lane->step = paths.step;
    lane->scratch = side->scratch;
}

void rc_outlook_draw(struct rc_outlook *outlook, struct rc_random *random, double cpu, double bw,
                     struct rc_predict_future *future)
{
    draw_lane(&outlook->cpu, random, cpu, &future->cpu);
    draw_lane(&outlook->bw, random, bw, &future->bw);
    future->begin = 0;
}
