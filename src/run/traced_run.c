// SPDX-License-Identifier: GPL-3.0-or-later
/* traced_run.c - the run that a recording of MPI calls is of. */
#include "run/traced_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Beginnings that differ by less, in seconds, are the same one: files have them in whole ns, and
 * the database as doubles. */
#define SAME_BEGINNING 1e-5

static void add_time(struct rc_traced *traced, const char *phase, uint32_t process, double seconds)
{
    if (!isnan(seconds))
        traced->times[traced->run.n_times++] =
            (struct rc_run_time){.phase = phase, .process = (int)process, .seconds = seconds};
}

int rc_run_traced_fill(struct rc_traced *traced, const struct rc_profile *profile,
                       const char *hosts, const struct rc_traced_phase *phases, size_t n_phases,
                       struct rc_error *error)
{
    const struct rc_trace_set *recording = profile->set;
    const struct rc_trace_about *about = &recording->about;
    struct rc_run *run = &traced->run;
    const char *name;

    if (!profile->whole) {
        rc_error_set(error, "the trace is not complete");
        return rc_error_code(error, "run.trace-incomplete", "%s", recording->directory);
    }
    name = strrchr(recording->files[0].header.program, '/');
    traced->app = strdup(name && name[1] ? name + 1 : recording->files[0].header.program);
    traced->hosts = strdup(hosts ? hosts : "");
    traced->times = calloc((n_phases + 1) * profile->n_ranks, sizeof *traced->times);
    if (!traced->app || !traced->hosts || !traced->times)
        return rc_error_no_memory(error);
    rc_db_run_init(run);
    run->app = traced->app;
    run->hosts = traced->hosts;
    run->p = profile->n_ranks;
    run->start = isnan(about->began) ? (double)recording->earliest * 1e-9 : about->began;
    run->seconds = isnan(about->seconds) ? profile->length : about->seconds;
    run->status = about->status > 0 ? RC_RUN_FAILED : RC_RUN_OK;
    run->times = traced->times;
    for (uint32_t i = 0; i < profile->n_ranks; i++)
        add_time(traced, "", i, profile->ranks[i].closing);
    for (size_t j = 0; j < n_phases; j++)
        for (uint32_t i = 0; i < profile->n_ranks; i++)
            add_time(traced, phases[j].name, i, phases[j].seconds[i]);
    return 0;
}

void rc_run_traced_free(struct rc_traced *traced)
{
    free(traced->app);
    free(traced->hosts);
    free(traced->times);
    memset(traced, 0, sizeof *traced);
}

/* The run of that app, beginning and number of processes; 0: there is none. */
static int find_same(struct rc_db *db, const struct rc_run *run, int64_t *id,
                     struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run other;
    int more;

    *id = 0;
    rc_db_run_filter_init(&filter);
    filter.app = run->app;
    filter.since = run->start - SAME_BEGINNING;
    filter.procs = (struct rc_range){(double)run->p, (double)run->p};
    cursor = rc_db_run_find(db, &filter, RC_FIELD_START, error);
    if (!cursor)
        return -1;
    while ((more = rc_db_run_next(cursor, &other, error)) == 1 && *id == 0)
        if (fabs(other.start - run->start) <= SAME_BEGINNING)
            *id = other.id;
    rc_db_run_cursor_close(cursor);
    return more < 0 ? -1 : 0;
}

int rc_run_traced_store(struct rc_db *db, const struct rc_run *run, int64_t *id,
                        struct rc_error *error)
{
    int64_t same;

    if (find_same(db, run, &same, error) != 0)
        return -1;
    if (same > 0) {
        rc_error_set(error, "it is already stored as run %" PRId64, same);
        return rc_error_code(error, "run.stored-already", "%" PRId64, same);
    }
    return rc_db_run_add(db, run, id, error);
}
