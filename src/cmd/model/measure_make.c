// SPDX-License-Identifier: GPL-3.0-or-later
/* measure_make.c - carries out the plan of 'runcast model measure'. */

#include "answer/model_measure_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "run/concurrent_programs.h"
#include "cmd/model/measure.h"
#include "run/program_output.h"

static int put(const void *data, const char *name, struct rc_buffer *out)
{
    return rc_structural_measuring_put(data, name, out);
}

struct rc_template rc_cmd_measuring_template(const struct rc_cmd_measuring *measuring,
                                             const struct rc_measuring_command *command)
{
    static const char *const of_microbenchmark[] = {"program", "options", NULL};
    static const char *const of_run[] = {"arguments", NULL};
    bool run = command->job->run;

    return (struct rc_template){.source = run ? "--command" : "--microbenchmark",
                                .text = run ? measuring->command : measuring->microbenchmark,
                                .put = put,
                                .data = command,
                                .several = run ? of_run : of_microbenchmark};
}

static struct rc_measuring_command command_of(const struct rc_cmd_measuring *measuring, size_t job)
{
    return (struct rc_measuring_command){.plan = measuring->plan,
                                         .job = &measuring->plan->jobs[job],
                                         .microbenchmark = measuring->program,
                                         .repeats = measuring->repeats};
}

char *rc_cmd_measuring_line(const struct rc_cmd_measuring *measuring, size_t job)
{
    const struct rc_measuring_command command = command_of(measuring, job);
    struct rc_template template = rc_cmd_measuring_template(measuring, &command);

    return rc_run_template_line(&template, NULL);
}

/* ---- one run ---- */

/* Inputs that stand in the command must have a value. */
static int check_inputs(const struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    double number;

    for (const char *at = measuring->command; (at = rc_cmd_measuring_next_place(at, name));)
        if (rc_cmd_measuring_find_input(measuring, name) &&
            rc_structural_measuring_input(measuring->plan, name, &number, error))
            return -1;
    return 0;
}

/* The report of the microbenchmark.  Simulated clusters pass a program's output on as notes. */
static int find_report(const struct rc_run_job *done, json_t **report, struct rc_error *error)
{
    const struct rc_buffer *texts[] = {&done->out, &done->err};

    for (size_t i = 0; i < 2 && !*report; i++)
        if (texts[i]->length)
            *report = rc_run_output_object(texts[i]->data, texts[i]->length, "microbenchmark");
    if (*report)
        return 0;
    rc_error_set(error, "the microbenchmark printed no report (a JSON object)");
    return rc_run_jobs_last_words(done, error);
}

/* The JSON object that the program printed about its run. */
static int find_program_report(const struct rc_run_job *done, json_t **report,
                               struct rc_error *error)
{
    const char *text = done->out.data ? done->out.data : "";
    double seconds, memory;

    if (rc_run_output_seconds(text, done->out.length, &seconds, &memory, error))
        return rc_error_hint(error, "print a JSON object with a member \"seconds\" to standard "
                                    "output, or use --time-source command");
    *report = rc_run_output_object(text, done->out.length, "seconds");
    return 0;
}

/* As `run` of struct rc_measuring_maker.  None of its processes is left, also where it fails. */
static int run_job(void *data, size_t job, double *seconds, json_t **report, struct rc_error *error)
{
    struct rc_cmd_measure *measure = data;
    const struct rc_cmd_measuring *measuring = &measure->making;
    const struct rc_measuring_command command = command_of(measuring, job);
    struct rc_template template = rc_cmd_measuring_template(measuring, &command);
    struct rc_clock *clock = rc_clock_system();
    struct rc_run_job done;
    double begun;
    int status = command.job->run ? check_inputs(measuring, error) : 0;

    rc_run_jobs_init(&done, 1);
    done.words = status ? NULL : rc_run_template_words(&template, error);
    begun = clock->monotonic(clock);
    status = done.words ? rc_run_jobs_run(&done, 1, &measuring->monitor, error) : -1;
    *seconds = clock->monotonic(clock) - begun;
    if (status == 0 && !command.job->run)
        status = find_report(&done, report, error);
    else if (status == 0 && !measuring->timed)
        status = find_program_report(&done, report, error);
    rc_run_words_free(done.words);
    rc_run_jobs_free(&done, 1);
    measure->runs += status == 0;
    return status;
}

/* ---- all runs ---- */

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

static void report_failure(void *data, size_t job, const struct rc_error *error, bool given_up)
{
    struct rc_cmd_measure *measure = data;
    char text[RC_CMD_MEASURE_TEXT];

    rc_progress_end(&measure->progress->progress);
    rc_answer_measuring_describe(&measure->plan, job, text, sizeof text);
    rc_cmd_fail(error, "measuring %s", text);
    if (given_up)
        rc_cmd_note("%d failures in a row: the remaining measurements of this kind are skipped",
                    RC_MEASURING_GIVE_UP);
}

static int make_all(struct rc_cmd_measure *measure)
{
    struct rc_db *db = rc_cmd_open_db(measure->options->choice.db, RC_DB_CREATE, measure->progress);
    const struct rc_measuring_maker maker = {.run = run_job,
                                             .failed = report_failure,
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
        rc_cmd_fail(&error, "storing measured values");
    rc_cmd_measure_note_spread(measure);
    if (status && measure->made.done)
        rc_cmd_note("the values measured so far are stored; run the same command%s to continue",
                    measure->options->again ? " without --again" : "");
    else if (rc_cmd_interrupted())
        rc_cmd_note("interrupted before the first measurement: nothing was stored");
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
    if (measure->options->output && measure->made.measured.n_inputs && !rc_cmd_interrupted() &&
        rc_cmd_measure_write_output(measure) != RC_EXIT_OK)
        status = RC_EXIT_FAILED;
    return status;
}
