// SPDX-License-Identifier: GPL-3.0-or-later
/* usual_load.c - the past load of a host. */
#include "model/slowdown/usual_load.h"

#include <math.h>

#include "base/error.h"

/* A lower CPU availability could mean any number of competitors. */
#define LEAST 1e-3

struct sum {
    double cores, processes;
    size_t n;
    double mean, squares; /* about the mean (Welford) */
};

/* The share of each process if one would get `available`, relative to their share on an idle
 * host. */
static double share_of(const struct sum *sum, double available)
{
    double alone = fmin(1, sum->cores / sum->processes);

    if (sum->processes <= 1)
        return available;
    if (available >= RC_USUAL_LOAD_IDLE)
        return 1;
    return fmin(sum->cores / (sum->cores / fmax(available, LEAST) - 1 + sum->processes) / alone, 1);
}

static int add_sample(void *data, const struct rc_sample *sample)
{
    struct sum *sum = data;
    double share = share_of(sum, sample->value), away = share - sum->mean;

    if (!isfinite(sample->value))
        return 0;
    sum->n++;
    sum->mean += away / (double)sum->n;
    sum->squares += away * (share - sum->mean);
    return 0;
}

static int find_series(void *data, const struct rc_series_info *info)
{
    (void)info;
    *(bool *)data = true;
    return 0;
}

int rc_slowdown_usual_load_find(struct rc_db *db, const char *host, double now, int cores,
                                int processes, struct rc_usual_load *usual, struct rc_error *error)
{
    struct rc_series_key key = {.host = host, .peer = "", .metric = "cpu"};
    struct sum sum = {.cores = cores > 0 ? cores : 1, .processes = processes > 0 ? processes : 1};
    bool there = false;

    *usual = (struct rc_usual_load){.processes = processes};
    if (rc_db_series_list(db, &key, find_series, &there, error))
        return -1;
    if (there &&
        rc_db_series_window(db, &key, now - RC_USUAL_LOAD_SECONDS, now, add_sample, &sum, error))
        return -1;
    if (sum.n == 0)
        return 0;
    usual->samples = sum.n;
    usual->mean = fmin(1, fmax(LEAST, sum.mean));
    usual->sd = sum.n > 1 ? sqrt(sum.squares / (double)(sum.n - 1)) : 0;
    return 0;
}

int rc_slowdown_usual_load_check(struct rc_db *db, const char *host, struct rc_error *error)
{
    struct rc_series_key any = {.host = host};
    bool there = false;

    if (rc_db_series_list(db, &any, find_series, &there, error) || there)
        return there ? 0 : -1;
    rc_error_set(error, "no samples of host '%s'", host);
    return rc_error_code(error, "slowdown.unknown-host", "%s", host);
}
