// SPDX-License-Identifier: GPL-3.0-or-later
/* speeds.c - how fast hosts are. */
#include "model/regression/speeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/json.h"
#include "base/sort.h"
#include "platform/hostlist.h"

enum { RUNS_MOST = 1000, HOSTS_MOST = 4096 };
static const char *const froms[] = {"alike", "runs", "slowest", "unknown"};

static void drop_hosts(struct rc_regression_speeds *speeds)
{
    for (size_t i = 0; i < speeds->n; i++)
        free(speeds->hosts[i].host);
    free(speeds->hosts);
    speeds->hosts = NULL;
    speeds->n = speeds->room = 0;
}

void rc_regression_speeds_free(struct rc_regression_speeds *speeds)
{
    drop_hosts(speeds);
    *speeds = (struct rc_regression_speeds){0};
}

int rc_regression_speeds_add(struct rc_regression_speeds *speeds, const char *host, double speed,
                             struct rc_error *error)
{
    char *own = strdup(host);

    if (!own ||
        rc_array_room(&speeds->hosts, speeds->n + 1, &speeds->room, sizeof *speeds->hosts, error)) {
        free(own);
        return rc_error_no_memory(error);
    }
    speeds->hosts[speeds->n++] = (struct rc_regression_speed){own, speed};
    return 0;
}

int rc_regression_speeds_copy(struct rc_regression_speeds *to,
                              const struct rc_regression_speeds *from, struct rc_error *error)
{
    *to = (struct rc_regression_speeds){.reference = from->reference,
                                        .from = from->from,
                                        .firm = from->firm};
    for (size_t i = 0; i < from->n; i++)
        if (rc_regression_speeds_add(to, from->hosts[i].host, from->hosts[i].speed, error)) {
            rc_regression_speeds_free(to);
            return -1;
        }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct rc_regression_speed *)a)->host,
                  ((const struct rc_regression_speed *)b)->host);
}

void rc_regression_speeds_close(struct rc_regression_speeds *speeds)
{
    double least = INFINITY, most = 0;
    size_t unknown = 0;

    for (size_t i = 0; i < speeds->n; i++) {
        bool known = speeds->hosts[i].speed > 0 && isfinite(speeds->hosts[i].speed);

        unknown += !known;
        least = known ? fmin(least, speeds->hosts[i].speed) : least;
        most = known ? fmax(most, speeds->hosts[i].speed) : most;
    }
    speeds->from = unknown == 0 && least < most         ? RC_WEIGHTS_SLOWEST
                   : unknown > 0 && unknown < speeds->n ? RC_WEIGHTS_UNKNOWN
                                                        : RC_WEIGHTS_ALIKE;
    speeds->reference = least;
    if (speeds->from != RC_WEIGHTS_SLOWEST) {
        drop_hosts(speeds);
        speeds->reference = 0;
        return;
    }
    qsort(speeds->hosts, speeds->n, sizeof *speeds->hosts, by_name);
}

bool rc_regression_speeds_same(const struct rc_regression_speeds *a,
                               const struct rc_regression_speeds *b)
{
    for (size_t i = 0; i < a->n && a->n == b->n; i++)
        if (a->hosts[i].speed != b->hosts[i].speed ||
            strcmp(a->hosts[i].host, b->hosts[i].host) != 0)
            return false;
    return a->n == b->n;
}

static double speed_of(const struct rc_regression_speeds *speeds, const char *host)
{
    const struct rc_regression_speed key = {(char *)(uintptr_t)host, 0};
    const struct rc_regression_speed *found =
        speeds->n ? bsearch(&key, speeds->hosts, speeds->n, sizeof key, by_name) : NULL;

    return found ? found->speed : (double)NAN;
}

double rc_regression_speeds_weight(const struct rc_regression_speeds *speeds, const char *host)
{
    double speed = speed_of(speeds, host);

    return isnan(speed) ? 1 : speed / speeds->reference;
}

double rc_regression_speeds_least(const struct rc_regression_speeds *speeds, const char *hosts)
{
    struct rc_hostlist list = {0};
    double least = INFINITY;

    if (speeds->n == 0 || !hosts || !*hosts ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), HOSTS_MOST, &list, NULL))
        return NAN;
    for (size_t i = 0; i < list.count && !isnan(least); i++) {
        double speed = speed_of(speeds, list.names[i]);

        least = isnan(speed) ? speed : fmin(least, speed);
    }
    rc_platform_hostlist_free(&list);
    return isfinite(least) ? least / speeds->reference : (double)NAN;
}

/* The median over the runs; NAN if no run has it. */
static int find_middle(struct rc_db *store, const struct rc_run_filter *filter,
                       const struct rc_regression_speeds *speeds, double *middle,
                       struct rc_error *error)
{
    struct rc_run_cursor *cursor = rc_db_run_find(store, filter, RC_FIELD_HOSTS, error);
    double *found = calloc(RUNS_MOST, sizeof *found);
    struct rc_run run;
    size_t n = 0;
    int got = 0;

    if (!cursor || !found) {
        rc_db_run_cursor_close(cursor);
        free(found);
        return cursor ? rc_error_no_memory(error) : -1;
    }
    for (int i = 0; i < RUNS_MOST && (got = rc_db_run_next(cursor, &run, error)) > 0; i++) {
        found[n] = rc_regression_speeds_least(speeds, run.hosts);
        n += !isnan(found[n]);
    }
    rc_sort_doubles(found, n);
    *middle = n ? found[n / 2] : (double)NAN;
    rc_db_run_cursor_close(cursor);
    free(found);
    return got < 0 ? -1 : 0;
}

int rc_regression_speeds_refer(struct rc_regression_speeds *speeds, struct rc_db *store,
                               const char *app, const char *platform, struct rc_error *error)
{
    struct rc_run_filter filter;
    double middle = NAN;

    if (speeds->n == 0)
        return 0;
    rc_db_run_filter_init(&filter);
    filter.app = app;
    filter.platform = platform;
    filter.last = RUNS_MOST;
    if (find_middle(store, &filter, speeds, &middle, error))
        return -1;
    speeds->from = isnan(middle) ? RC_WEIGHTS_SLOWEST : RC_WEIGHTS_RUNS;
    speeds->reference *= isnan(middle) ? 1 : middle;
    return 0;
}

/* ---- for the database ---- */

json_t *rc_regression_speeds_to_json(const struct rc_regression_speeds *speeds)
{
    json_t *object = json_object(), *hosts = json_object();

    for (size_t i = 0; i < speeds->n; i++)
        rc_json_set(hosts, speeds->hosts[i].host, rc_json_number(speeds->hosts[i].speed));
    rc_json_set(object, "from", rc_json_text(froms[speeds->from]));
    rc_json_set(object, "reference", rc_json_number(speeds->reference));
    if (rc_json_set(object, "hosts", hosts) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static int damaged(struct rc_regression_speeds *speeds, struct rc_error *error)
{
    rc_regression_speeds_free(speeds);
    rc_error_set(error, "the stored model is damaged");
    return rc_error_code(error, "regression.damaged", NULL);
}

int rc_regression_speeds_from_json(const json_t *object, struct rc_regression_speeds *speeds,
                                   struct rc_error *error)
{
    double reference = json_number_value(json_object_get(object, "reference"));
    const char *from = json_string_value(json_object_get(object, "from")), *name;
    json_t *hosts = json_object_get(object, "hosts"), *value;

    *speeds = (struct rc_regression_speeds){0};
    if (!object)
        return 0;
    json_object_foreach(hosts, name, value)
    {
        if (!(json_number_value(value) > 0))
            return damaged(speeds, error);
        if (rc_regression_speeds_add(speeds, name, json_number_value(value), error)) {
            rc_regression_speeds_free(speeds);
            return -1;
        }
    }
    rc_regression_speeds_close(speeds);
    if (!from || (speeds->n > 0 && !(reference > 0)))
        return damaged(speeds, error);
    speeds->reference = speeds->n > 0 ? reference : 0;
    for (int i = 0; i < (int)(sizeof froms / sizeof *froms); i++)
        if (strcmp(from, froms[i]) == 0)
            speeds->from = (enum rc_weights_from)i;
    return 0;
}
