// SPDX-License-Identifier: GPL-3.0-or-later
/* sweep.c - 'runcast lab sim --sweep FILE': many simulated runs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "answer/sim_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "report/cell.h"
#include "cmd/lab/sim.h"
#include "host/sense/cores.h"

enum { REPORTED_MAX = 10, COLUMNS = 8 }; /* REPORTED_MAX: failures reported one by one */

struct sweeping {
    struct rc_sweep *sweep;
    struct rc_sweep_point *points; /* those that are left */
    size_t n_points, n_known;
    struct rc_cmd_work *work;
    size_t reported;
};

/* "poisson, size 2000, 8 processes, random, seed 1" */
static void describe(const struct rc_sweep *sweep, const struct rc_sweep_point *point, char *text,
                     size_t size)
{
    const struct rc_sweep_app *app = &sweep->apps[point->app];
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(app->sizes[point->size], 12, n);
    snprintf(text, size, "%s, size %s, %" PRId64 " processes, %s, seed %" PRIu64, app->name, n,
             app->procs[point->procs], sweep->load_names[point->load], sweep->seeds[point->seed]);
}

static void report_failure(void *data, const struct rc_sweep_point *point,
                           const struct rc_error *error)
{
    struct sweeping *sweeping = data;
    char text[512];

    if (sweeping->reported++ >= REPORTED_MAX)
        return;
    rc_progress_end(&sweeping->work->progress);
    describe(sweeping->sweep, point, text, sizeof text);
    rc_cmd_fail(error, "%s", text);
}

/* ---- the plan ---- */

static int print_plan(const struct sweeping *sweeping, bool as_json)
{
    struct rc_column columns[COLUMNS];
    struct rc_json_stream stream;
    struct rc_table *table = NULL;

    if (as_json)
        rc_json_stream_begin(&stream, stdout, rc_cmd_schema(), "runs");
    else if (!(table = rc_table_create(stdout, columns,
                                       rc_field_columns(rc_answer_sweep_point, columns, COLUMNS),
                                       rc_cmd_width())))
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "listing the runs");
    for (size_t i = 0; i < sweeping->n_points; i++) {
        const struct rc_answer_sweep_point point =
            rc_answer_sweep_point_make(sweeping->sweep, &sweeping->points[i]);

        if (as_json)
            rc_json_stream_add(&stream, rc_field_json(rc_answer_sweep_point, &point));
        else
            rc_field_row(table, rc_answer_sweep_point, &point);
    }
    if (as_json) {
        rc_json_stream_end(&stream);
        return RC_EXIT_OK;
    }
    if (rc_table_finish(table))
        return RC_EXIT_FAILED;
    printf("%zu run%s to do, %zu in the database\n", sweeping->n_points,
           rc_cell_plural((long long)sweeping->n_points, "s"), sweeping->n_known);
    return RC_EXIT_OK;
}

/* ---- the runs ---- */

static void print_done(const struct rc_answer_sweep *answer)
{
    const struct rc_sweep_progress *progress = &answer->progress;

    printf("%zu run%s done", progress->done, rc_cell_plural((long long)progress->done, "s"));
    if (answer->known)
        printf(", %zu already in the database", answer->known);
    if (progress->failures)
        printf(", %zu failed", progress->failures);
    putchar('\n');
}

static int do_points(struct sweeping *sweeping, const struct rc_cmd_lab_sim_options *options,
                     struct rc_db *db)
{
    struct rc_answer_sweep answer = {.progress = {.failed = report_failure, .data = sweeping},
                                     .known = sweeping->n_known};
    struct rc_sense_cores cores = {.n = 1};
    struct rc_error error;
    int status;

    rc_sense_cores_allowed(&cores, NULL);
    status = rc_sim_sweep_run(sweeping->sweep, sweeping->points, sweeping->n_points,
                              options->jobs ? (size_t)options->jobs : cores.n, db, &answer.progress,
                              &sweeping->work->monitor, &error);

    rc_progress_end(&sweeping->work->progress);
    if (sweeping->reported > REPORTED_MAX)
        rc_cmd_note("%zu more runs failed", sweeping->reported - REPORTED_MAX);
    if (options->json) {
        answer.notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_sweep, &answer));
        json_decref(answer.notes);
    } else {
        print_done(&answer);
    }
    if (status)
        return rc_cmd_fail(&error, "sweeping %s", options->sweep);
    return answer.progress.failures ? RC_EXIT_FAILED : RC_EXIT_OK;
}

/* Finds the points that the database does not have. */
static int list_points(struct sweeping *sweeping, const char *file, struct rc_db *db)
{
    struct rc_error error;
    size_t all = 0;

    if (rc_sim_sweep_points(sweeping->sweep, &sweeping->points, &sweeping->n_points, &error))
        return rc_cmd_fail(&error, "sweeping %s", file);
    all = sweeping->n_points;
    if (db && rc_sim_sweep_left(db, sweeping->points, &sweeping->n_points, &error))
        return rc_cmd_fail(&error, "reading the database");
    sweeping->n_known = all - sweeping->n_points;
    return RC_EXIT_OK;
}

/* Reports impossible runs before any run. */
static int check(const struct rc_sweep *sweep, const char *file)
{
    struct rc_error error;
    size_t app, procs;

    if (rc_sim_sweep_check(sweep, &app, &procs, &error) == 0)
        return RC_EXIT_OK;
    if (procs == sweep->apps[app].n_procs)
        return rc_cmd_fail(&error, "sweeping %s", file);
    return rc_cmd_fail(&error, "sweeping %s: %s", file, sweep->apps[app].name);
}

/* A database that is not there yet has none of the runs. */
static int plan_or_do(struct sweeping *sweeping, const struct rc_cmd_lab_sim_options *options)
{
    const char *name = options->db ? options->db : sweeping->sweep->db;
    struct rc_db *db = NULL;
    struct rc_error error;
    char path[4096];
    int status;

    if (options->dry_run) {
        if (rc_cmd_db_path(name, path, sizeof path, &error) == 0)
            db = rc_db_open(path, RC_DB_READ, NULL, &error);
    } else if (!(db = rc_cmd_open_db(name, RC_DB_CREATE, sweeping->work))) {
        return RC_EXIT_FAILED;
    }
    status = list_points(sweeping, options->sweep, db);
    if (status == RC_EXIT_OK && options->dry_run)
        status = print_plan(sweeping, options->json);
    else if (status == RC_EXIT_OK)
        status = do_points(sweeping, options, db);
    rc_db_close(db);
    return status;
}

int rc_cmd_lab_sweep(struct rc_invocation *invocation, const struct rc_cmd_lab_sim_options *options)
{
    struct rc_cmd_work work;
    struct sweeping sweeping = {.work = &work};
    struct rc_error error;
    int status;

    if (invocation->n_arguments || options->platform_file || options->load || options->start ||
        options->procs || options->per_host || options->cluster || options->hosts ||
        options->network || options->keep_files || options->plot || options->no_store ||
        !isnan(options->default_speed) || options->compute_time || !isnan(options->local_speed) ||
        !isnan(options->size) || options->seed != 1 || options->interval != RC_SIM_EVERY ||
        options->history != RC_SIM_HISTORY)
        return rc_cmd_usage_text(invocation,
                                 "--sweep: only --jobs, --dry-run, --db and --json can be "
                                 "added; the file has all else");
    sweeping.sweep = rc_sim_sweep_load(options->sweep, &error);
    if (!sweeping.sweep)
        return rc_cmd_fail(&error, "reading the sweep");
    status = check(sweeping.sweep, options->sweep);
    if (status == RC_EXIT_OK) {
        rc_cmd_work_begin(&work, "simulating");
        status = plan_or_do(&sweeping, options);
        rc_cmd_work_end(&work);
    }
    free(sweeping.points);
    rc_sim_sweep_destroy(sweeping.sweep);
    return status;
}
