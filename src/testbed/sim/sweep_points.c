// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep_points.c - the runs of a sweep, and which of them the database has. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "testbed/sim/sweep.h"

enum { PATH_SIZE = 4096, ID_DIGITS = 13 }; /* hexadecimal: 52 bits, which a double holds exactly */

/* ---- what defines a point ---- */

static void sign_text(struct rc_digest *digest, const char *text)
{
    rc_digest_add(digest, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void sign_number(struct rc_digest *digest, double value)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format(value, text);
    sign_text(digest, text);
}

static uint64_t digest_number(struct rc_digest *digest)
{
    char text[RC_DIGEST_TEXT_SIZE];

    rc_digest_end(digest, text);
    text[ID_DIGITS] = '\0';
    return strtoull(text, NULL, 16);
}

/* What is run.  The parts are ended by NULs, so that none runs into the next. */
static struct rc_digest sign_program(const struct rc_sweep *sweep,
                                     const struct rc_sweep_point *point)
{
    const struct rc_sweep_app *app = &sweep->apps[point->app];
    struct rc_digest digest;

    rc_digest_begin(&digest);
    sign_text(&digest, "sweep 1");
    sign_text(&digest, app->name);
    sign_text(&digest, app->cluster);
    sign_text(&digest, app->hosts);
    sign_text(&digest, app->network);
    for (size_t i = 0; i < app->n_arguments; i++)
        sign_text(&digest, app->arguments[i]);
    sign_number(&digest, app->sizes[point->size]);
    sign_number(&digest, (double)app->procs[point->procs]);
    return digest;
}

/* On what, and when. */
static void sign_world(struct rc_digest *digest, const struct rc_sweep *sweep,
                       const struct rc_sweep_point *point)
{
    sign_text(digest, sweep->digest);
    sign_text(digest, sweep->loads[point->load] ? sweep->loads[point->load]->digest : "");
    sign_number(digest, (double)sweep->seeds[point->seed]);
    sign_number(digest, sweep->every);
    sign_number(digest, sweep->history);
    sign_number(digest, sweep->speed);
    sign_number(digest, point->start);
    sign_number(digest, point->base);
}

/* Fills in when it starts, and its number.  A start that is drawn depends on what is run and on the
 * seed alone, so that sweeps that differ in how often sensors look have the same runs. */
static int settle(const struct rc_sweep *sweep, struct rc_sweep_point *point,
                  struct rc_error *error)
{
    struct rc_digest digest = sign_program(sweep, point), drawn = digest;
    struct rc_random *random;

    point->base = RC_LOAD_EPOCH +
                  (double)(point->seed * RC_SWEEP_LOADS_MAX + point->load) * RC_SWEEP_CALENDAR;
    point->start = isnan(sweep->over) ? sweep->starts[point->repeat] : 0;
    if (!isnan(sweep->over)) {
        sign_number(&drawn, (double)point->repeat);
        random = rc_random_create(sweep->seeds[point->seed], digest_number(&drawn));
        if (!random)
            return rc_error_no_memory(error);
        point->start = sweep->from + floor(rc_random_uniform(random) * sweep->over);
        rc_random_destroy(random);
    }
    sign_world(&digest, sweep, point);
    point->id = (double)digest_number(&digest);
    return 0;
}

/* ---- runs that belong to no sweep ---- */

enum { NAMED_FIRST = RC_SWEEP_LOADS_MAX - RC_LOAD_KINDS, OTHERS = 1500 };

static bool is_named(const struct rc_load *load)
{
    const char *name = rc_load_kind_name(load->kind);
    struct rc_digest digest;
    char text[RC_DIGEST_TEXT_SIZE];

    rc_digest_begin(&digest);
    rc_digest_add(&digest, name, strlen(name));
    rc_digest_end(&digest, text);
    return strcmp(text, load->digest) == 0;
}

double rc_sim_sweep_single_base(const struct rc_load *load, uint64_t seed)
{
    struct rc_digest digest;
    uint64_t slot;

    if (load->kind == RC_LOAD_REPLAY)
        return RC_LOAD_EPOCH;
    if (is_named(load) && seed >= 1 && seed <= RC_SWEEP_SEEDS_MAX) {
        slot = (seed - 1) * RC_SWEEP_LOADS_MAX + NAMED_FIRST + (uint64_t)load->kind;
    } else {
        rc_digest_begin(&digest);
        sign_text(&digest, load->digest);
        sign_number(&digest, (double)seed);
        slot = RC_SWEEP_SEEDS_MAX * RC_SWEEP_LOADS_MAX + digest_number(&digest) % OTHERS;
    }
    return RC_LOAD_EPOCH + (double)slot * RC_SWEEP_CALENDAR;
}

/* ---- before anything is run ---- */

int rc_sim_sweep_check(const struct rc_sweep *sweep, size_t *app, size_t *procs,
                       struct rc_error *error)
{
    char path[PATH_SIZE];

    for (*app = 0; *app < sweep->n_apps; (*app)++) {
        const struct rc_sweep_app *each = &sweep->apps[*app];

        *procs = each->n_procs;
        if (rc_sim_find_program(each->name, path, sizeof path, error))
            return -1;
        for (*procs = 0; *procs < each->n_procs; (*procs)++) {
            const struct rc_sim_choice choice = {sweep->platform,
                                                 each->cluster,
                                                 each->hosts,
                                                 each->network,
                                                 each->procs[*procs],
                                                 sweep->speed,
                                                 0};
            struct rc_sim_layout layout;
            int status = rc_sim_layout(&choice, &layout, error);

            rc_sim_layout_free(&layout);
            if (status)
                return -1;
        }
    }
    return 0;
}

/* ---- all of them ---- */

static double count(const struct rc_sweep *sweep)
{
    double n = 0;

    for (size_t i = 0; i < sweep->n_apps; i++)
        n += (double)sweep->apps[i].n_sizes * (double)sweep->apps[i].n_procs;
    return n * (double)(sweep->n_loads * sweep->n_seeds) *
           (double)(isnan(sweep->over) ? sweep->n_starts : sweep->repeat);
}

/* Adds those of one app, with one load, one seed and one start. */
static size_t add_app(const struct rc_sweep *sweep, struct rc_sweep_point point,
                      struct rc_sweep_point *points)
{
    const struct rc_sweep_app *app = &sweep->apps[point.app];
    size_t n = 0;

    for (point.size = 0; point.size < app->n_sizes; point.size++)
        for (point.procs = 0; point.procs < app->n_procs; point.procs++)
            points[n++] = point;
    return n;
}

int rc_sim_sweep_points(const struct rc_sweep *sweep, struct rc_sweep_point **points, size_t *n,
                        struct rc_error *error)
{
    struct rc_sweep_point point = {.start = NAN};
    size_t repeat = isnan(sweep->over) ? sweep->n_starts : sweep->repeat;
    double total = count(sweep);

    *n = 0;
    if (total > RC_SWEEP_POINTS_MAX)
        return rc_error_set(error, "the sweep has %.0f runs, more than %d", total,
                            RC_SWEEP_POINTS_MAX);
    *points = calloc((size_t)total, sizeof **points);
    if (!*points)
        return rc_error_no_memory(error);
    for (point.repeat = 0; point.repeat < repeat; point.repeat++)
        for (point.load = 0; point.load < sweep->n_loads; point.load++)
            for (point.seed = 0; point.seed < sweep->n_seeds; point.seed++)
                for (point.app = 0; point.app < sweep->n_apps; point.app++)
                    *n += add_app(sweep, point, *points + *n);
    for (size_t i = 0; i < *n; i++)
        if (settle(sweep, &(*points)[i], error)) {
            free(*points);
            return -1;
        }
    return 0;
}

/* ---- those that are done ---- */

static int by_number(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* The numbers of all points in the database, rising; to be freed. */
static int read_done(struct rc_db *db, double **done, size_t *n, struct rc_error *error)
{
    struct rc_run_cursor *cursor = rc_db_run_find(db, NULL, RC_FIELD_PARAMS, error);
    size_t capacity = 0;
    struct rc_run run;
    int got = cursor ? 0 : -1;

    *done = NULL;
    *n = 0;
    while (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0)
        for (size_t i = 0; i < run.n_params; i++) {
            if (strcmp(run.params[i].name, RC_SIM_POINT) != 0)
                continue;
            if (rc_array_room(done, *n + 1, &capacity, sizeof **done, error)) {
                rc_db_run_cursor_close(cursor);
                return -1;
            }
            (*done)[(*n)++] = run.params[i].value;
        }
    rc_db_run_cursor_close(cursor);
    if (*n)
        qsort(*done, *n, sizeof **done, by_number);
    return got;
}

int rc_sim_sweep_left(struct rc_db *db, struct rc_sweep_point *points, size_t *n,
                      struct rc_error *error)
{
    double *done;
    size_t n_done, left = 0;
    int status = read_done(db, &done, &n_done, error);

    for (size_t i = 0; i < *n && status == 0; i++)
        if (n_done == 0 || !bsearch(&points[i].id, done, n_done, sizeof *done, by_number))
            points[left++] = points[i];
    free(done);
    if (status == 0)
        *n = left;
    return status;
}

/* ---- as a job ---- */

int rc_sim_sweep_job(const struct rc_sweep *sweep, const struct rc_sweep_point *point,
                     struct rc_sim_sweep_job *job, struct rc_error *error)
{
    const struct rc_sweep_app *app = &sweep->apps[point->app];
    size_t n = 0;

    rc_number_format(app->sizes[point->size], job->size);
    job->program = calloc(app->n_arguments + 4, sizeof *job->program);
    if (!job->program)
        return rc_error_no_memory(error);
    job->program[n++] = app->name;
    job->program[n++] = "--size";
    job->program[n++] = job->size;
    for (size_t i = 0; i < app->n_arguments; i++)
        job->program[n++] = app->arguments[i];
    job->job =
        (struct rc_sim_job){.choice = {sweep->platform, app->cluster, app->hosts, app->network,
                                       app->procs[point->procs], sweep->speed, 0},
                            .load = sweep->loads[point->load],
                            .seed = sweep->seeds[point->seed],
                            .base = point->base,
                            .start = point->start,
                            .every = sweep->every,
                            .history = sweep->history,
                            .program = job->program,
                            .n = NAN,
                            .point = point->id};
    return 0;
}

void rc_sim_sweep_job_free(struct rc_sim_sweep_job *job)
{
    free(job->program);
}
