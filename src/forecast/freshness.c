// SPDX-License-Identifier: GPL-3.0-or-later
/* freshness.c - how old the newest samples of hosts are. */
#include "forecast/freshness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "forecast/series_scenarios.h"
#include "db/series_last.h"

enum { LOOKED_AT = 33 }; /* samples of a series, for the time between two */
static const double steps = 3;

struct name {
    const char *name;
    size_t host;
};

struct found {
    int64_t id;
    size_t host;
};

struct finding {
    struct name *names; /* sorted */
    size_t n_names;
    double at;
    struct found *found;
    size_t n, room;
    struct rc_error *error;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->name, ((const struct name *)b)->name);
}

static int meet_series(void *data, const struct rc_series_info *info)
{
    struct finding *finding = data;
    const struct name key = {info->key.host, 0}, *name;

    if (strcmp(info->key.metric, "cpu") != 0 || *info->key.peer || !(info->first <= finding->at) ||
        !(info->last >= finding->at - RC_SERIES_SCENARIOS_OLD))
        return 0;
    name = bsearch(&key, finding->names, finding->n_names, sizeof key, by_name);
    if (!name)
        return 0;
    if (rc_array_room(&finding->found, finding->n + 1, &finding->room, sizeof *finding->found,
                      finding->error))
        return -1;
    finding->found[finding->n++] = (struct found){info->id, name->host};
    return 0;
}

/* The middle one of the steps; 0 where there is none. */
static double step_of(const struct rc_sample *samples, size_t n)
{
    double gaps[LOOKED_AT];

    if (n < 2)
        return 0;
    for (size_t i = 0; i + 1 < n; i++)
        gaps[i] = samples[i + 1].t - samples[i].t;
    rc_sort_doubles(gaps, n - 1);
    return gaps[(n - 1) / 2];
}

static void judge(const struct finding *finding, size_t host, const struct rc_sample *samples,
                  size_t n, struct rc_freshness *freshness)
{
    double age = finding->at - samples[n - 1].t;

    if (age > RC_SERIES_SCENARIOS_OLD)
        return;
    freshness->n_hosts++;
    if (age <= fmax(RC_FRESHNESS_LEAST, steps * step_of(samples, n)))
        return;
    freshness->n_old++;
    if (!(age <= freshness->age)) {
        freshness->age = age;
        freshness->oldest = host;
    }
}

static int read_found(struct rc_db *db, const struct finding *finding,
                      struct rc_freshness *freshness, struct rc_error *error)
{
    struct rc_series_last last = {0};
    int status = rc_db_series_last_start(&last, db, error);

    for (size_t i = 0; i < finding->n && status == 0; i++) {
        struct rc_sample *samples;
        size_t n;

        status = rc_db_series_last_read(&last, finding->found[i].id,
                                        finding->at - RC_SERIES_SCENARIOS_PAST, finding->at,
                                        LOOKED_AT, &samples, &n, error);
        if (status == 0 && n > 0)
            judge(finding, finding->found[i].host, samples, n, freshness);
        if (status == 0)
            free(samples);
    }
    rc_db_series_last_end(&last);
    return status;
}

int rc_forecast_freshness_find(struct rc_db *db, const char *const *hosts, size_t n, double at,
                               struct rc_freshness *freshness, struct rc_error *error)
{
    struct finding finding = {.n_names = n, .at = at, .error = error};
    int status;

    *freshness = (struct rc_freshness){.age = NAN};
    finding.names = calloc(n + 1, sizeof *finding.names);
    if (!finding.names)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        finding.names[i] = (struct name){hosts[i], i};
    qsort(finding.names, n, sizeof *finding.names, by_name);
    status = rc_db_series_list(db, NULL, meet_series, &finding, error);
    if (status == 0)
        status = read_found(db, &finding, freshness, error);
    free(finding.names);
    free(finding.found);
    return status;
}
