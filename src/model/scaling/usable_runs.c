// SPDX-License-Identifier: GPL-3.0-or-later
/* usable_runs.c - the runs of an app in the database that a scaling model can use. */
#include "model/scaling/usable_runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "platform/platform.h"

enum {
    WANTED = RC_FIELD_PLATFORM | RC_FIELD_HOSTS | RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS |
             RC_FIELD_MEMORY | RC_FIELD_STATUS | RC_FIELD_PARAMS | RC_FIELD_CPU_MINAVG |
             RC_FIELD_CPU_AVGMIN
};
#define FREE 0.9 /* of a core: hosts with less are busy */

void rc_scaling_runs_free(struct rc_scaling_runs *runs)
{
    free(runs->items);
    *runs = (struct rc_scaling_runs){0};
}

int rc_scaling_runs_add(struct rc_scaling_runs *runs, const struct rc_scaling_run *run,
                        struct rc_error *error)
{
    if (runs->n == RC_SCALING_RUNS_MAX) {
        rc_error_set(error, "the database has more than %d runs of the app", RC_SCALING_RUNS_MAX);
        return rc_error_code(error, "scaling.too-many-runs", NULL);
    }
    if (rc_array_room(&runs->items, runs->n + 1, &runs->room, sizeof *runs->items, error))
        return -1;
    runs->items[runs->n++] = *run;
    return 0;
}

/* Whether one of the run's hosts is not among `named`, where any are. */
static bool is_elsewhere(const struct rc_hostlist *named, const char *hosts)
{
    struct rc_hostlist list = {0};
    bool elsewhere = false;

    if (named->count == 0 || !*hosts ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &list, NULL))
        return false;
    for (size_t i = 0; i < list.count && !elsewhere; i++) {
        size_t k = 0;

        while (k < named->count && strcmp(named->names[k], list.names[i]) != 0)
            k++;
        elsewhere = k == named->count;
    }
    rc_platform_hostlist_free(&list);
    return elsewhere;
}

int rc_scaling_runs_read(struct rc_db *db, const char *app, const struct rc_platform *platform,
                         const struct rc_hostlist *hosts, struct rc_scaling_runs *runs,
                         struct rc_scaling_runs *killed, struct rc_error *error)
{
    struct rc_run_cursor *cursor;
    struct rc_run_filter filter;
    struct rc_scaling_run each;
    struct rc_run run;
    int got;

    *runs = *killed = (struct rc_scaling_runs){0};
    rc_db_run_filter_init(&filter);
    filter.app = app;
    cursor = rc_db_run_find(db, &filter, WANTED, error);
    if (!cursor)
        return -1;
    while ((got = rc_db_run_next(cursor, &run, error)) > 0) {
        /* a run of an unknown platform may be of this one: its hosts show it */
        if ((run.platform[0] && strcmp(run.platform, platform->name) != 0) ||
            rc_scaling_run_of(&run, platform, &each, NULL) != 1)
            continue;
        each.elsewhere = is_elsewhere(hosts, run.hosts);
        if (rc_scaling_runs_add(each.killed ? killed : runs, &each, error)) {
            got = -1;
            break;
        }
    }
    rc_db_run_cursor_close(cursor);
    if (got) {
        rc_scaling_runs_free(runs);
        rc_scaling_runs_free(killed);
    }
    return got;
}

size_t rc_scaling_runs_by_others(const struct rc_scaling_runs *runs, double command)
{
    size_t n = 0;

    for (size_t i = 0; i < runs->n; i++)
        n += !isnan(runs->items[i].command) && runs->items[i].command != command;
    return n;
}

size_t rc_scaling_runs_elsewhere(const struct rc_scaling_runs *runs)
{
    size_t n = 0;

    for (size_t i = 0; i < runs->n; i++)
        n += runs->items[i].elsewhere;
    return n;
}

/* Runs of several commands make one model, but may be of two programs. */
static int note_commands(const struct rc_scaling_runs *runs, struct rc_scaling_notes *notes,
                         struct rc_error *error)
{
    const struct rc_scaling_run *first = NULL;

    for (size_t i = 0; i < runs->n; i++) {
        const struct rc_scaling_run *run = &runs->items[i];

        if (isnan(run->command))
            continue;
        if (!first)
            first = run;
        else if (run->command != first->command)
            return rc_scaling_note(notes, error,
                                   "the runs were made by different commands, such as runs %" PRId64
                                   " and %" PRId64,
                                   first->id, run->id);
    }
    return 0;
}

static int note_killed(const struct rc_scaling_runs *runs, struct rc_scaling_notes *notes,
                       struct rc_error *error)
{
    size_t n = 0;

    for (size_t i = 0; i < runs->n; i++)
        n += runs->items[i].killed;
    return n == 0 ? 0
                  : rc_scaling_note(notes, error,
                                    "%zu of %zu runs %s killed; their times are estimated from "
                                    "equal runs that completed",
                                    n, runs->n, n == 1 ? "was" : "were");
}

int rc_scaling_runs_note(const struct rc_scaling_runs *runs, struct rc_scaling_notes *notes,
                         struct rc_error *error)
{
    const struct rc_scaling_run *worst = NULL;
    size_t n = 0;

    for (size_t i = 0; i < runs->n; i++) {
        const struct rc_scaling_run *run = &runs->items[i];

        if (!(run->cpu < FREE)) /* also where it is not known */
            continue;
        n++;
        if (!worst || run->cpu < worst->cpu)
            worst = run;
    }
    if (note_commands(runs, notes, error) || note_killed(runs, notes, error))
        return -1;
    return !worst ? 0
                  : rc_scaling_note(notes, error,
                                    "%zu run%s used busy hosts; the lowest CPU availability was "
                                    "%.2g, in run %" PRId64,
                                    n, n == 1 ? "" : "s", worst->cpu, worst->id);
}
