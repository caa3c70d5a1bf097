// SPDX-License-Identifier: GPL-3.0-or-later
/* relative_host_speeds.c - how fast hosts are as compared with one another, by runs on one host
 * each. */
#include "advise/split/relative_host_speeds.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* A run on one host. */
struct alone {
    size_t host;
    double n, iterations; /* NAN where not known */
    double seconds;       /* with all of a core */
};

struct runs {
    struct alone *items;
    size_t n, room;
};

static double iterations_of(const struct rc_param *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].name, "iterations") == 0)
            return params[i].value;
    return NAN;
}

static bool alike(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int take_run(struct runs *runs, const struct rc_host_times *asked, const struct rc_run *run,
                    struct rc_error *error)
{
    double cpu = isfinite(run->cpu_avgmin) && run->cpu_avgmin > 0 ? run->cpu_avgmin : 1;
    size_t host = 0;

    while (host < asked->n_hosts && strcmp(asked->hosts[host], run->hosts) != 0)
        host++;
    if (host == asked->n_hosts)
        return 0;
    if (rc_array_room(&runs->items, runs->n + 1, &runs->room, sizeof *runs->items, error))
        return -1;
    runs->items[runs->n++] =
        (struct alone){host, run->n, iterations_of(run->params, run->n_params), run->seconds * cpu};
    return 0;
}

static int read_runs(struct rc_db *db, const struct rc_host_times *asked, struct runs *runs,
                     struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int status;

    rc_db_run_filter_init(&filter);
    filter.app = asked->app;
    filter.platform = asked->platform ? asked->platform->name : NULL;
    filter.procs = (struct rc_range){1, 1};
    filter.status = RC_RUN_OK;
    cursor = rc_db_run_find(db, &filter,
                            RC_FIELD_HOSTS | RC_FIELD_N | RC_FIELD_SECONDS | RC_FIELD_CPU_AVGMIN |
                                RC_FIELD_PARAMS,
                            error);
    if (!cursor)
        return -1;
    while ((status = rc_db_run_next(cursor, &run, error)) > 0)
        if (take_run(runs, asked, &run, error)) {
            status = -1;
            break;
        }
    rc_db_run_cursor_close(cursor);
    return status;
}

static bool is_like(const struct alone *run, const struct alone *pattern, size_t host)
{
    return run->host == host && run->n == pattern->n && alike(run->iterations, pattern->iterations);
}

/* Speeds by the runs that are like `pattern`; false where some host has none. */
static bool speeds_like(const struct runs *runs, const struct alone *pattern, double *speeds,
                        size_t n_hosts)
{
    for (size_t h = 0; h < n_hosts; h++) {
        double sum = 0;
        size_t n = 0;

        for (size_t i = 0; i < runs->n; i++)
            if (is_like(&runs->items[i], pattern, h)) {
                sum += runs->items[i].seconds;
                n++;
            }
        if (n == 0)
            return false;
        speeds[h] = (double)n / sum;
    }
    return true;
}

/* How far these runs are from the mean of their host, relative; NAN where none has several. */
static double spread_like(const struct runs *runs, const struct alone *pattern,
                          const double *speeds, size_t n_hosts)
{
    double squares = 0, free_ones = 0;

    for (size_t h = 0; h < n_hosts; h++) {
        free_ones--; /* the mean takes one */
        for (size_t i = 0; i < runs->n; i++)
            if (is_like(&runs->items[i], pattern, h)) {
                squares += pow(runs->items[i].seconds * speeds[h] - 1, 2);
                free_ones++;
            }
    }
    return free_ones > 0 ? sqrt(squares / free_ones) : (double)NAN;
}

int rc_split_host_speeds_of_runs(struct rc_db *db, const struct rc_host_times *asked,
                                 double *speeds, double *spread, struct rc_error *error)
{
    struct runs runs = {0};
    double nearest = INFINITY, *tried = calloc(asked->n_hosts + 1, sizeof *tried);
    int status = tried ? read_runs(db, asked, &runs, error) : rc_error_no_memory(error);

    *spread = NAN;
    for (size_t i = 0; i < runs.n && status == 0; i++) {
        double apart = fabs(log(runs.items[i].n / asked->size));

        if (runs.items[i].host == 0 && apart < nearest &&
            speeds_like(&runs, &runs.items[i], tried, asked->n_hosts)) {
            nearest = apart;
            memcpy(speeds, tried, asked->n_hosts * sizeof *speeds);
            *spread = spread_like(&runs, &runs.items[i], tried, asked->n_hosts);
        }
    }
    free(tried);
    free(runs.items);
    return status < 0 ? -1 : isfinite(nearest);
}
