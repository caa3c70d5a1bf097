// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_make.c - the runs of 'runcast model measure': of the microbenchmark, and of the program.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "run/jobs.h"
#include "cmd/model/measure.h"
#include "run/output.h"
#include "run/template.h"

/* ---- places ---- */

static int put_number(double number, struct rc_buffer *out)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format(number, text);
    return rc_buffer_add_text(out, text) ? -1 : 1;
}

static int put_hosts(const struct rc_measuring_job *job, struct rc_buffer *out)
{
    int status = 0;

    for (size_t i = 0; i < job->n_hosts && status == 0; i++)
        status = rc_buffer_printf(out, "%s%s", i ? "," : "", job->hosts[i]);
    return status ? -1 : 1;
}

/* What the microbenchmark is to do. */
static int put_options(const struct rc_cmd_measuring_filling *filling, struct rc_buffer *out)
{
    const struct rc_measuring_job *job = filling->job;
    const char *comma = "";
    int status = rc_buffer_add_text(out, "--what ");

    if (job->operations) {
        status |= rc_buffer_add_text(out, "operations");
        comma = ",";
    }
    if (job->bandwidth) {
        status |= rc_buffer_printf(out, "%sbandwidth", comma);
        comma = ",";
    }
    if (job->message) {
        status |= rc_buffer_printf(out, "%smessage", comma);
        comma = ",";
    }
    if (job->startup)
        status |= rc_buffer_printf(out, "%sstartup", comma);
    if (!isnan(job->bytes))
        status |= rc_buffer_printf(out, " --bytes %.0f", job->bytes);
    status |= rc_buffer_printf(out, " --repeats %lld", (long long)filling->measuring->repeats);
    return status ? -1 : 1;
}

/* Its path, which may have blanks, and its options. */
static int put_program(const struct rc_cmd_measuring_filling *filling, struct rc_buffer *out)
{
    int status = 0;

    for (const char *at = filling->measuring->microbenchmark; *at && status == 0; at++)
        status = rc_buffer_printf(out, "%s%c", strchr(" \t\n'\"\\", *at) ? "\\" : "", *at);
    return status || rc_buffer_add_text(out, " ") ? -1 : put_options(filling, out);
}

static int put_bench(const void *data, const char *name, struct rc_buffer *out)
{
    const struct rc_cmd_measuring_filling *filling = data;

    if (strcmp(name, "p") == 0)
        return put_number(filling->job->processes, out);
    if (strcmp(name, "hosts") == 0)
        return put_hosts(filling->job, out);
    if (strcmp(name, "options") == 0)
        return put_options(filling, out);
    return strcmp(name, "program") == 0 ? put_program(filling, out) : 0;
}

static int put_run(const void *data, const char *name, struct rc_buffer *out)
{
    const struct rc_cmd_measuring_filling *filling = data;
    const struct rc_measuring_job *job = filling->job;
    double number;

    if (strcmp(name, "p") == 0)
        return put_number(job->processes, out);
    if (strcmp(name, "hosts") == 0)
        return put_hosts(job, out);
    if (strcmp(name, "size") == 0)
        return put_number(job->size, out);
    if (strcmp(name, "arguments") == 0)
        return rc_buffer_add_text(out, job->arguments ? job->arguments : "") ? -1 : 1;
    if (!filling->measuring->plan->alone ||
        rc_structural_measuring_input(filling->measuring->plan, name, &number, NULL))
        return 0; /* which check_inputs() has told */
    return put_number(number, out);
}

struct rc_template rc_cmd_measuring_template(const struct rc_cmd_measuring_filling *filling)
{
    static const char *const of_bench[] = {"program", "options", NULL};
    static const char *const of_run[] = {"arguments", NULL};
    bool run = filling->job->run;

    return (struct rc_template){.source = run ? "--command" : "--bench",
                                .text =
                                    run ? filling->measuring->command : filling->measuring->bench,
                                .put = run ? put_run : put_bench,
                                .data = filling,
                                .several = run ? of_run : of_bench};
}

char *rc_cmd_measuring_line(const struct rc_cmd_measuring *measuring, size_t job,
                            struct rc_error *error)
{
    const struct rc_cmd_measuring_filling filling = {measuring, &measuring->plan->jobs[job]};
    struct rc_template template = rc_cmd_measuring_template(&filling);

    return rc_run_template_line(&template, error);
}

/* ---- making ---- */

/* The command of a job, run once; what it wrote is in `done`, to be freed in either case. */
static int run_once(const struct rc_cmd_measuring *measuring, size_t job, struct rc_run_job *done,
                    double *seconds, struct rc_error *error)
{
    const struct rc_cmd_measuring_filling filling = {measuring, &measuring->plan->jobs[job]};
    struct rc_template template = rc_cmd_measuring_template(&filling);
    struct rc_clock *clock = rc_clock_system();
    double begun;
    int status;

    rc_run_jobs_init(done, 1);
    done->words = rc_run_template_words(&template, error);
    if (!done->words)
        return -1;
    begun = clock->monotonic(clock);
    status = rc_run_jobs_run(done, 1, &measuring->monitor, error);
    *seconds = clock->monotonic(clock) - begun;
    if (status == 0 && measuring->made)
        measuring->made(measuring->data);
    return status;
}

static void free_done(struct rc_run_job *done)
{
    rc_run_words_free(done->words);
    rc_run_jobs_free(done, 1);
}

/* Simulated clusters pass on what a program writes as their own notes. */
static json_t *find_report(const struct rc_run_job *done)
{
    json_t *report = done->out.length
                         ? rc_run_output_object(done->out.data, done->out.length, "yardstick")
                         : NULL;

    if (!report && done->err.length)
        report = rc_run_output_object(done->err.data, done->err.length, "yardstick");
    return report;
}

static int make_bench(const struct rc_cmd_measuring *measuring, size_t job,
                      struct rc_benchmarks *fresh, struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_run_job done;
    json_t *report = NULL;
    double seconds;
    int status = run_once(measuring, job, &done, &seconds, error);

    if (status == 0 && !(report = find_report(&done))) {
        rc_error_set(error, "the yardstick did not write its report, a JSON object");
        status = rc_run_jobs_last_words(&done, error);
    }
    if (status == 0)
        status = rc_structural_measuring_take_report(measuring->plan, job, report,
                                                     floor(clock->wall(clock)), fresh, error);
    json_decref(report);
    free_done(&done);
    return status;
}

/* What the program says of its run, as far as it says something. */
static int look_at_told(const struct rc_cmd_measuring *measuring, size_t job,
                        const struct rc_run_job *done, double *seconds, struct rc_error *error)
{
    const char *text = done->out.data ? done->out.data : "";
    json_t *told;
    double memory;
    int status = rc_run_output_seconds(text, done->out.length, seconds, &memory, error);

    if (status)
        return rc_error_hint(error, "it is to write a JSON object with a member \"seconds\" to its "
                                    "standard output; --timed takes the time of the command "
                                    "instead");
    told = rc_run_output_object(text, done->out.length, "seconds");
    status = rc_structural_measuring_check_told(measuring->plan, job, told, error);
    json_decref(told);
    return status;
}

static int make_run(const struct rc_cmd_measuring *measuring, size_t job, double *seconds,
                    struct rc_error *error)
{
    struct rc_run_job done;
    int status = run_once(measuring, job, &done, seconds, error);

    if (status == 0 && !measuring->timed)
        status = look_at_told(measuring, job, &done, seconds, error);
    free_done(&done);
    return status;
}

/* Inputs that stand in the command must have a value. */
static int check_inputs(const struct rc_cmd_measuring *measuring, struct rc_error *error)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    double number;

    for (const char *at = strchr(measuring->command, '{'); at; at = strchr(at + 1, '{')) {
        const struct rc_item *item =
            rc_run_template_name(at, name)
                ? rc_structural_binding_find_item(measuring->plan->binding, name)
                : NULL;

        if (item && item->kind == RC_ITEM_INPUT && item->n_parameters == 0 &&
            rc_structural_measuring_input(measuring->plan, name, &number, error))
            return -1;
    }
    return 0;
}

static int make_runs(const struct rc_cmd_measuring *measuring, size_t job, const char *section,
                     const struct rc_benchmarks *known, struct rc_benchmarks *fresh,
                     struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    size_t n = (size_t)measuring->repeats;
    double *seconds = calloc(n, sizeof *seconds);
    int status = seconds
                     ? rc_structural_measuring_prepare(measuring->plan, job, known, section, error)
                     : rc_error_no_memory(error);

    if (status == 0)
        status = check_inputs(measuring, error);
    for (size_t i = 0; i < n && status == 0; i++)
        status = make_run(measuring, job, &seconds[i], error);
    if (status == 0)
        status = rc_structural_measuring_take_run(measuring->plan, job, seconds, n,
                                                  floor(clock->wall(clock)), fresh, error);
    free(seconds);
    return status;
}

int rc_cmd_measuring_make(struct rc_cmd_measuring *measuring, size_t job, const char *section,
                          const struct rc_benchmarks *known, struct rc_benchmarks *fresh,
                          struct rc_error *error)
{
    return measuring->plan->jobs[job].run ? make_runs(measuring, job, section, known, fresh, error)
                                          : make_bench(measuring, job, fresh, error);
}
