// SPDX-License-Identifier: GPL-3.0-or-later
/* measure_all.c - 'runcast model measure': carrying out its plan. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/measure.h"

static int run_job(void *data, size_t job, double *seconds, json_t **told, struct rc_error *error)
{
    struct rc_cmd_measure *measure = data;
    int status = rc_cmd_measuring_run(&measure->making, job, seconds, told, error);

    measure->runs += status == 0;
    return status;
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

static void tell_failure(void *data, size_t job, const struct rc_error *error, bool given_up)
{
    struct rc_cmd_measure *measure = data;
    char text[RC_CMD_MEASURE_TEXT];

    rc_progress_end(&measure->progress->progress);
    rc_cmd_measure_describe(&measure->plan, job, text);
    rc_cmd_fail(error, "measuring %s", text);
    if (given_up)
        rc_cmd_note("that was the %drd in a row: no more of these are tried", RC_MEASURING_GIVE_UP);
}

static int make_all(struct rc_cmd_measure *measure)
{
    struct rc_db *db = rc_cmd_open_db(measure->options->choice.db, RC_DB_CREATE, measure->progress);
    const struct rc_measuring_maker maker = {.run = run_job,
                                             .failed = tell_failure,
                                             .data = measure,
                                             .monitor = &measure->making.monitor,
                                             .repeats = measure->making.repeats,
                                             .timed = measure->making.timed,
                                             .app = measure->work->model->app,
                                             .platform = measure->platform,
                                             .section = measure->section};
    struct rc_error error = {.text = ""};
    int status;

    if (!db)
        return RC_EXIT_FAILED;
    for (size_t i = 0; i < measure->plan.n_jobs; i++)
        measure->all_runs += measure->plan.jobs[i].run ? (uint64_t)measure->making.repeats : 1;
    status = rc_structural_measuring_make(&measure->plan, &maker, db, &measure->made, &error);
    rc_db_close(db);
    rc_progress_end(&measure->progress->progress);
    if (error.text[0])
        rc_cmd_fail(&error, "storing what was measured");
    rc_cmd_measure_note_spread(measure);
    if (status && measure->made.done)
        rc_cmd_note("what was measured until then is kept; the same command goes on from there%s",
                    measure->options->again ? ", without --again" : "");
    else if (rc_cmd_interrupted())
        rc_cmd_note("interrupted before anything was measured: nothing is kept");
    if (status == 0 || measure->options->json)
        rc_cmd_measure_show(measure);
    return status || measure->made.failed ? RC_EXIT_FAILED : RC_EXIT_OK;
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
        status = make_all(measure);
        rc_cmd_work_end(&progress);
    } else {
        rc_cmd_measure_show(measure);
    }
    if (measure->options->out && measure->made.measured.n_inputs && !rc_cmd_interrupted() &&
        rc_cmd_measure_write_out(measure) != RC_EXIT_OK)
        status = RC_EXIT_FAILED;
    return status;
}
