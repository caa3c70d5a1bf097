// SPDX-License-Identifier: GPL-3.0-or-later
/* weights.c - how fast hosts are as compared with those of a model's runs.
 *
 * A model tells the time for a share of a core, and that core is one of the hosts that its runs
 * were made on.  A tightly coupled run goes at the pace of the slowest of them. */
#include "advise/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "platform/hostlist.h"
#include "platform/platform.h"

enum { RUNS_MOST = 1000, HOSTS_MOST = 4096 };

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct rc_weights_host *)a)->name,
                  ((const struct rc_weights_host *)b)->name);
}

/* The slowest of the hosts in a run's text; NAN where one is not known. */
static double slowest_of(const char *text, const struct rc_weights_host *sorted, size_t n)
{
    struct rc_hostlist list = {0};
    double least = INFINITY;

    if (!text || !*text || rc_hostlist_expand(text, strlen(text), HOSTS_MOST, &list, NULL))
        return NAN;
    for (size_t i = 0; i < list.count && !isnan(least); i++) {
        const struct rc_weights_host key = {list.names[i], 0};
        const struct rc_weights_host *found = bsearch(&key, sorted, n, sizeof key, by_name);

        least = found ? fmin(least, found->speed) : (double)NAN;
    }
    rc_hostlist_free(&list);
    return isfinite(least) ? least : (double)NAN;
}

/* The middle one over the runs; NAN where no run tells. */
static int find_reference(struct rc_store *store, const struct rc_run_filter *filter,
                          const struct rc_weights_host *sorted, size_t n, double *reference,
                          struct rc_error *error)
{
    struct rc_run_cursor *cursor = rc_run_find(store, filter, RC_FIELD_HOSTS, error);
    double *speeds = calloc(RUNS_MOST, sizeof *speeds);
    size_t found = 0;
    struct rc_run run;
    int got = 0;

    if (!cursor || !speeds) {
        rc_run_cursor_close(cursor);
        free(speeds);
        return cursor ? rc_error_no_memory(error) : -1;
    }
    for (int i = 0; i < RUNS_MOST && (got = rc_run_next(cursor, &run, error)) > 0; i++) {
        speeds[found] = slowest_of(run.hosts, sorted, n);
        found += !isnan(speeds[found]);
    }
    rc_sort_doubles(speeds, found);
    *reference = found ? speeds[found / 2] : (double)NAN;
    rc_run_cursor_close(cursor);
    free(speeds);
    return got < 0 ? -1 : 0;
}

int rc_weights_find(struct rc_store *store, const char *app, const char *platform,
                    const struct rc_weights_host *hosts, size_t n, double *weights,
                    enum rc_weights_from *from, struct rc_error *error)
{
    struct rc_weights_host *sorted = calloc(n + 1, sizeof *sorted);
    double least = INFINITY, most = 0, reference = NAN;
    struct rc_run_filter filter;
    size_t unknown = 0;
    int status = sorted ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < n; i++) {
        weights[i] = 1;
        unknown += isnan(hosts[i].speed);
        least = fmin(least, hosts[i].speed);
        most = fmax(most, hosts[i].speed);
    }
    *from = unknown > 0 && unknown < n ? RC_WEIGHTS_UNKNOWN : RC_WEIGHTS_ALIKE;
    if (status == 0 && unknown == 0 && least < most) {
        memcpy(sorted, hosts, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_name);
        rc_run_filter_init(&filter);
        filter.app = app;
        filter.platform = platform;
        filter.last = RUNS_MOST;
        status = find_reference(store, &filter, sorted, n, &reference, error);
        *from = isnan(reference) ? RC_WEIGHTS_SLOWEST : RC_WEIGHTS_RUNS;
        for (size_t i = 0; i < n; i++)
            weights[i] = hosts[i].speed / (isnan(reference) ? least : reference);
    }
    free(sorted);
    return status;
}

int rc_weights_of(struct rc_store *store, const char *app, const char *learnt_from,
                  const struct rc_platform *platform, const char *const *names, size_t n,
                  double *weights, enum rc_weights_from *from, struct rc_error *error)
{
    size_t all = rc_platform_host_count(platform), k = 0;
    struct rc_weights_host *hosts = calloc(all + 1, sizeof *hosts);
    double *of_all = calloc(all + 1, sizeof *of_all);
    int status = hosts && of_all ? 0 : rc_error_no_memory(error);

    for (size_t c = 0; c < platform->n_clusters && status == 0; c++)
        for (size_t i = 0; i < platform->clusters[c].n_hosts; i++)
            hosts[k++] = (struct rc_weights_host){platform->clusters[c].hosts[i].name,
                                                  platform->clusters[c].hosts[i].speed};
    if (status == 0)
        status = rc_weights_find(store, app, learnt_from, hosts, all, of_all, from, error);
    for (size_t i = 0; i < all && status == 0; i++)
        hosts[i].speed = of_all[i];
    if (status == 0)
        qsort(hosts, all, sizeof *hosts, by_name);
    for (size_t i = 0; i < n && status == 0; i++) {
        const struct rc_weights_host key = {names[i], 0};
        const struct rc_weights_host *found = bsearch(&key, hosts, all, sizeof key, by_name);

        weights[i] = found ? found->speed : 1;
    }
    free(hosts);
    free(of_all);
    return status;
}
