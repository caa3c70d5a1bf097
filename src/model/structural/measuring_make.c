// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_make.c - carrying out a plan of measurements. */
#include "model/structural/measuring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/process.h"

void rc_structural_measuring_made_free(struct rc_measuring_made *made)
{
    rc_structural_benchmarks_free(&made->measured);
    rc_structural_benchmarks_free(&made->fresh);
    free(made->is_done);
    made->is_done = NULL;
}

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
static int put_options(const struct rc_measuring_command *command, struct rc_buffer *out)
{
    const struct rc_measuring_job *job = command->job;
    const struct {
        bool wanted;
        const char *name;
    } parts[] = {{job->operations, "operations"},
                 {job->bandwidth, "bandwidth"},
                 {job->message, "message"},
                 {job->startup, "startup"}};
    const char *before = "--what ";
    int status = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].wanted) {
            status |= rc_buffer_printf(out, "%s%s", before, parts[i].name);
            before = ",";
        }
    if (!isnan(job->bytes))
        status |= rc_buffer_printf(out, " --bytes %.0f", job->bytes);
    status |= rc_buffer_printf(out, " --repeats %lld", (long long)command->repeats);
    return status ? -1 : 1;
}

/* Its path, which may have blanks, and its options. */
static int put_program(const struct rc_measuring_command *command, struct rc_buffer *out)
{
    int status = 0;

    for (const char *at = command->microbenchmark; *at && status == 0; at++)
        status = rc_buffer_printf(out, "%s%c", strchr(" \t\n'\"\\", *at) ? "\\" : "", *at);
    return status || rc_buffer_add_text(out, " ") ? -1 : put_options(command, out);
}

int rc_structural_measuring_put(const struct rc_measuring_command *command, const char *name,
                                struct rc_buffer *out)
{
    const struct rc_measuring_job *job = command->job;
    double number;

    if (strcmp(name, "p") == 0)
        return put_number(job->processes, out);
    if (strcmp(name, "hosts") == 0)
        return put_hosts(job, out);
    if (!job->run)
        return strcmp(name, "options") == 0   ? put_options(command, out)
               : strcmp(name, "program") == 0 ? put_program(command, out)
                                              : 0;
    if (strcmp(name, "size") == 0)
        return put_number(job->size, out);
    if (strcmp(name, "arguments") == 0)
        return rc_buffer_add_text(out, job->arguments ? job->arguments : "") ? -1 : 1;
    if (!command->plan->alone || rc_structural_measuring_input(command->plan, name, &number, NULL))
        return 0;
    return put_number(number, out);
}

/* ---- one job ---- */

static int make_microbenchmark(struct rc_measuring *plan, size_t job,
                               const struct rc_measuring_maker *maker, struct rc_benchmarks *fresh,
                               struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    json_t *report = NULL;
    double seconds;
    int status = maker->run(maker->data, job, &seconds, &report, error);

    if (status == 0)
        status = rc_structural_measuring_take_report(plan, job, report, floor(clock->wall(clock)),
                                                     fresh, error);
    json_decref(report);
    return status;
}

/* One run of the program.  What it says of its run counts, as far as it says something. */
static int make_run(struct rc_measuring *plan, size_t job, const struct rc_measuring_maker *maker,
                    double *seconds, struct rc_error *error)
{
    json_t *reported = NULL;
    int status = maker->run(maker->data, job, seconds, &reported, error);

    if (status == 0 && !maker->timed) {
        *seconds = json_number_value(json_object_get(reported, "seconds"));
        status = rc_structural_measuring_check_report(plan, job, reported, error);
    }
    json_decref(reported);
    return status;
}

static int make_runs(struct rc_measuring *plan, size_t job, const struct rc_measuring_maker *maker,
                     const struct rc_benchmarks *known, struct rc_benchmarks *fresh,
                     struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    size_t n = (size_t)maker->repeats;
    double *seconds = calloc(n, sizeof *seconds);
    int status = seconds ? rc_structural_measuring_prepare(plan, job, known, maker->section, error)
                         : rc_error_no_memory(error);

    for (size_t i = 0; i < n && status == 0; i++)
        status = make_run(plan, job, maker, &seconds[i], error);
    if (status == 0)
        status = rc_structural_measuring_take_run(plan, job, seconds, n, floor(clock->wall(clock)),
                                                  fresh, error);
    free(seconds);
    return status;
}

/* ---- all of them ---- */

/* 0 also where the job failed, which is reported; -1 where all is to end. */
static int make_job(struct rc_measuring *plan, size_t job, const struct rc_measuring_maker *maker,
                    struct rc_db *db, struct rc_measuring_made *made, size_t *in_a_row,
                    struct rc_error *error)
{
    struct rc_benchmarks fresh = {0};
    struct rc_error why = {.text = ""};
    int status = plan->jobs[job].run ? make_runs(plan, job, maker, &made->measured, &fresh, &why)
                                     : make_microbenchmark(plan, job, maker, &fresh, &why);

    if (status == 0) {
        status = rc_structural_benchmarks_keep(db, maker->app, maker->platform, &fresh,
                                               &made->measured, error) ||
                         rc_structural_benchmarks_merge(&made->fresh, &fresh, error)
                     ? -1
                     : 0;
        made->done += status == 0;
        made->is_done[job] = status == 0;
        *in_a_row = 0;
    } else if (!rc_progress_monitor_cancelled(maker->monitor)) {
        made->failed++;
        maker->failed(maker->data, job, &why, ++*in_a_row == RC_MEASURING_GIVE_UP);
        status = 0;
    }
    rc_structural_benchmarks_free(&fresh);
    return rc_progress_monitor_cancelled(maker->monitor) ? -1 : status;
}

int rc_structural_measuring_make(struct rc_measuring *plan, const struct rc_measuring_maker *maker,
                                 struct rc_db *db, struct rc_measuring_made *made,
                                 struct rc_error *error)
{
    size_t in_a_row[2] = {0, 0}; /* failures of the microbenchmark, and of the program */
    int status = 0;

    for (size_t i = 0; i < plan->n_jobs && status == 0; i++) {
        size_t *failures = &in_a_row[plan->jobs[i].run];

        if (*failures == RC_MEASURING_GIVE_UP)
            made->not_tried++;
        else
            status = make_job(plan, i, maker, db, made, failures, error);
    }
    return status;
}

/* What a host sends to itself is copied in memory, and varies more. */
const struct rc_measuring_wanted *
rc_structural_measuring_widest(const struct rc_measuring *plan,
                               const struct rc_measuring_made *made, double least, double *spread,
                               size_t *n)
{
    const struct rc_measuring_wanted *widest = NULL;

    *n = 0;
    *spread = least;
    for (size_t i = 0; i < plan->n_wanted; i++) {
        const struct rc_measuring_wanted *wanted = &plan->wanted[i];
        const struct rc_benchmark_value *value =
            rc_structural_benchmarks_find(&made->fresh, wanted->item, wanted->row, wanted->column);

        if (!value || !(value->spread > least) ||
            (*wanted->row && strcmp(wanted->row, wanted->column) == 0))
            continue;
        ++*n;
        if (value->spread > *spread) {
            *spread = value->spread;
            widest = wanted;
        }
    }
    return widest;
}

/* ---- the microbenchmark ---- */

int rc_structural_measuring_find_microbenchmark(char *found, size_t size, struct rc_error *error)
{
    static const char *const places[] = {"/apps/openmpi/microbenchmark",
                                         "/apps/mpich/microbenchmark",
                                         "/../lib/runcast/apps/openmpi/microbenchmark",
                                         "/../lib/runcast/apps/mpich/microbenchmark"};
    char here[4096 - 64] = "", path[4096], *slash;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    const char *apps = getenv("RUNCAST_APPS");

    if (apps && *apps &&
        snprintf(path, sizeof path, "%s/microbenchmark", apps) < (int)sizeof path &&
        rc_process_find(path, found, size) == 0)
        return 0;
    here[length > 0 ? length : 0] = '\0';
    if ((slash = strrchr(here, '/')))
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s", here, places[i]);
        if (rc_process_find(path, found, size) == 0)
            return 0;
    }
    if (rc_process_find("microbenchmark", found, size) == 0)
        return 0;
    rc_error_set(error, "missing program 'microbenchmark', for {program}");
    return rc_error_code(error, "structural.no-microbenchmark", NULL);
}
