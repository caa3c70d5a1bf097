// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_all.c - 'runcast model measure': one run after the other, each of which is kept. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/measure.h"

enum { GIVE_UP = 3 }; /* failures in a row after which runs of that kind are not tried any more */

static void run_made(void *data)
{
    ((struct rc_cmd_measure *)data)->runs++;
}

static void show_progress(void *data, uint64_t done, uint64_t total)
{
    struct rc_cmd_measure *measure = data;

    (void)done;
    (void)total;
    rc_progress_update(&measure->progress->progress, measure->runs, measure->all_runs);
}

static int is_cancelled(void *data)
{
    (void)data;
    return rc_cmd_interrupted();
}

/* Adds what a job told to the database, and to what is known here. */
static int keep(struct rc_cmd_measure *measure, struct rc_db *db, const struct rc_benchmarks *fresh)
{
    struct rc_error error = {.text = ""};

    if (rc_structural_benchmarks_keep(db, measure->work->model->app, measure->platform, fresh,
                                      &measure->measured, &error) == 0 &&
        rc_structural_benchmarks_merge(&measure->fresh, fresh, &error) == 0)
        return 0;
    rc_progress_end(&measure->progress->progress);
    rc_cmd_fail(&error, "storing what was measured");
    return -1;
}

static void tell_failure(struct rc_cmd_measure *measure, size_t job, const struct rc_error *error)
{
    size_t *in_a_row = &measure->in_a_row[measure->plan.jobs[job].run];
    char text[RC_CMD_MEASURE_TEXT];

    measure->failed++;
    ++*in_a_row;
    rc_progress_end(&measure->progress->progress);
    rc_cmd_measure_describe(&measure->plan, job, text);
    rc_cmd_fail(error, "measuring %s", text);
    if (*in_a_row == GIVE_UP)
        rc_cmd_note("that was the %drd in a row: no more of these are tried", GIVE_UP);
}

/* 0 also where the job failed, which is told; -1 where all is to end. */
static int make_job(struct rc_cmd_measure *measure, size_t job, struct rc_db *db)
{
    size_t *in_a_row = &measure->in_a_row[measure->plan.jobs[job].run];
    struct rc_benchmarks fresh = {0};
    struct rc_error error = {.text = ""};
    int status;

    if (*in_a_row == GIVE_UP) {
        measure->not_tried++;
        return 0;
    }
    status = rc_cmd_measuring_make(&measure->making, job, measure->section, &measure->measured,
                                   &fresh, &error);
    if (status == 0 && (status = keep(measure, db, &fresh)) == 0) {
        measure->done++;
        measure->is_done[job] = true;
        *in_a_row = 0;
    } else if (error.text[0] && !rc_cmd_interrupted()) {
        tell_failure(measure, job, &error);
        status = 0;
    }
    rc_structural_benchmarks_free(&fresh);
    return rc_cmd_interrupted() ? -1 : status;
}

static int make_all(struct rc_cmd_measure *measure)
{
    struct rc_db *db = rc_cmd_open_db(measure->options->choice.db, RC_DB_CREATE, measure->progress);
    size_t n = measure->plan.n_jobs;
    int status = 0;

    if (!db)
        return RC_EXIT_FAILED;
    for (size_t i = 0; i < n; i++)
        measure->all_runs += measure->plan.jobs[i].run ? (uint64_t)measure->making.repeats : 1;
    for (size_t i = 0; i < n && status == 0; i++)
        status = make_job(measure, i, db);
    rc_db_close(db);
    rc_progress_end(&measure->progress->progress);
    rc_cmd_measure_note_spread(measure);
    if (status && measure->done)
        rc_cmd_note("what was measured until then is kept; the same command goes on from there%s",
                    measure->options->again ? ", without --again" : "");
    else if (rc_cmd_interrupted())
        rc_cmd_note("interrupted before anything was measured: nothing is kept");
    if (status == 0 || measure->options->json)
        rc_cmd_measure_show(measure);
    return status || measure->failed ? RC_EXIT_FAILED : RC_EXIT_OK;
}

int rc_cmd_measure_make(struct rc_cmd_measure *measure)
{
    struct rc_cmd_work progress;
    int status = RC_EXIT_OK;

    if (measure->plan.n_jobs) {
        rc_cmd_work_begin(&progress, "measuring");
        measure->progress = &progress;
        measure->making.monitor = (struct rc_monitor){.advance = show_progress,
                                                      .cancelled = is_cancelled,
                                                      .data = measure};
        measure->making.made = run_made;
        measure->making.data = measure;
        status = make_all(measure);
        rc_cmd_work_end(&progress);
    } else {
        rc_cmd_measure_show(measure);
    }
    if (measure->options->out && measure->measured.n_inputs && !rc_cmd_interrupted() &&
        rc_cmd_measure_write_out(measure) != RC_EXIT_OK)
        status = RC_EXIT_FAILED;
    return status;
}
