// SPDX-License-Identifier: GPL-3.0-or-later
/* measure_show.c - output of 'runcast model measure'. */
#include <math.h>
#include <stdlib.h>

#include "answer/model_measure_fields.h"
#include "base/error.h"
#include "base/file.h"
#include "cmd/model/measure.h"

/* A relative standard deviation that is worth a note. */
#define LARGE_SPREAD 0.2

/* ---- notes ---- */

/* "[a1, a2]" */
static void write_of(const char *row, const char *column, char text[RC_CMD_MEASURE_TEXT])
{
    snprintf(text, RC_CMD_MEASURE_TEXT, "%s%.60s%s%.60s%s", *row ? "[" : "", row,
             *column ? ", " : "", column, *row ? "]" : "");
}

void rc_cmd_measure_note_again(const struct rc_cmd_measure *measure)
{
    char of[RC_CMD_MEASURE_TEXT], more[40];

    for (size_t i = 0; i < measure->plan.n_again; i++) {
        const struct rc_measuring_again *again = &measure->plan.again[i];

        write_of(again->row, again->column, of);
        more[0] = '\0';
        if (again->n > 1)
            snprintf(more, sizeof more, " and %zu more", again->n - 1);
        rc_cmd_note("%.60s%s%s: measuring again: %s", again->item->name, of, more, again->why);
    }
}

void rc_cmd_measure_note_spread(const struct rc_cmd_measure *measure)
{
    const struct rc_measuring_wanted *worst;
    char of[RC_CMD_MEASURE_TEXT], more[40] = "";
    double spread;
    size_t n;

    worst =
        rc_structural_measuring_widest(&measure->plan, &measure->made, LARGE_SPREAD, &spread, &n);
    if (!worst)
        return;
    write_of(worst->row, worst->column, of);
    if (n > 1)
        snprintf(more, sizeof more, "; and %zu more", n - 1);
    rc_cmd_note("%.60s%s varies by %.0f %% (standard deviation)%s; were there competing "
                "processes? measure again with --again --inputs %.60s",
                worst->item->name, of, 100 * spread, more, worst->item->name);
}

/* ---- the plan ---- */

static int fill_job(struct rc_cmd_measure *measure, size_t index,
                    struct rc_answer_measuring_job *row)
{
    const struct rc_measuring_job *job = &measure->plan.jobs[index];

    if (job->run) /* 'less' may need values that are not measured yet; they are not needed here */
        rc_structural_measuring_prepare(&measure->plan, index, &measure->made.measured,
                                        measure->section, NULL);
    *row =
        (struct rc_answer_measuring_job){.plan = &measure->plan,
                                         .job = index,
                                         .size = job->run ? job->size : (double)NAN,
                                         .times = job->run ? measure->making.repeats : 1,
                                         .command = rc_cmd_measuring_line(&measure->making, index)};
    return row->command ? 0 : -1;
}

int rc_cmd_measure_show_jobs(struct rc_cmd_measure *measure)
{
    struct rc_answer_measuring_plan plan = {.n_known = measure->plan.n_known,
                                            .notes = rc_cmd_notes_json()};
    struct rc_error error = {.text = ""};

    plan.jobs = calloc(measure->plan.n_jobs + 1, sizeof *plan.jobs);
    while (plan.jobs && plan.n_jobs < measure->plan.n_jobs &&
           fill_job(measure, plan.n_jobs, &plan.jobs[plan.n_jobs]) == 0)
        plan.n_jobs++;
    if (!plan.jobs || plan.n_jobs < measure->plan.n_jobs)
        rc_error_no_memory(&error);
    else if (measure->options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_measuring_plan, &plan));
    else
        rc_field_table(stdout, rc_answer_measuring_job, plan.jobs, plan.n_jobs, sizeof *plan.jobs,
                       rc_cmd_width(), &error);
    for (size_t i = 0; plan.jobs && i < measure->plan.n_jobs; i++)
        free(plan.jobs[i].command);
    free(plan.jobs);
    json_decref(plan.notes);
    return error.text[0] ? rc_cmd_fail(&error, "showing the plan") : RC_EXIT_OK;
}

/* ---- results ---- */

/* Values measured by this call. */
static size_t count_values(const struct rc_cmd_measure *measure)
{
    size_t n = 0;

    for (size_t i = 0; i < measure->plan.n_wanted; i++)
        n += measure->made.is_done[measure->plan.wanted[i].job];
    return n;
}

int rc_cmd_measure_list(const struct rc_cmd_measure *measure)
{
    struct rc_answer_measuring answer = {.app = measure->work->model->app,
                                         .platform = measure->platform,
                                         .n_measured = count_values(measure),
                                         .n_known = measure->plan.n_known,
                                         .n_failed = measure->made.failed,
                                         .n_not_tried = measure->made.not_tried,
                                         .interrupted = rc_cmd_interrupted(),
                                         .notes = rc_cmd_notes_json()};
    struct rc_error error = {.text = ""};
    int status = 0;

    answer.values = rc_answer_measured_list(&measure->plan, &measure->made, &answer.n_values);
    if (!answer.values)
        status = rc_error_no_memory(&error);
    else if (measure->options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_measuring, &answer));
    else
        status = rc_field_table(stdout, rc_answer_measured, answer.values, answer.n_values,
                                sizeof *answer.values, rc_cmd_width(), &error);
    free(answer.values);
    json_decref(answer.notes);
    return status ? rc_cmd_fail(&error, "showing measured values") : RC_EXIT_OK;
}

void rc_cmd_measure_show(const struct rc_cmd_measure *measure)
{
    size_t values = count_values(measure);

    if (measure->options->json) {
        rc_cmd_measure_list(measure);
        return;
    }
    printf("%zu value%s of %s measured on %s", values, values == 1 ? "" : "s",
           measure->work->model->app, measure->platform);
    if (measure->plan.n_known)
        printf(", %zu already in the database", measure->plan.n_known);
    if (measure->made.failed)
        printf(", %zu of %zu measurements failed", measure->made.failed, measure->plan.n_jobs);
    if (measure->made.not_tried)
        printf(", %zu skipped", measure->made.not_tried);
    putchar('\n');
}

int rc_cmd_measure_write_output(const struct rc_cmd_measure *measure)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_error error = {.text = ""};
    const char *section = measure->section ? measure->section : measure->platform;
    int failed = rc_structural_benchmarks_write(&measure->made.measured, measure->plan.binding,
                                                section, &text, &error) ||
                 rc_file_replace(measure->options->output, text.data, text.length, &error);

    rc_buffer_free(&text);
    return failed ? rc_cmd_fail(&error, "writing %s", measure->options->output) : RC_EXIT_OK;
}
