// SPDX-License-Identifier: GPL-3.0-or-later
/* sim.c - one simulated run, from the choice of hosts to the load that it saw.
 *
 * How long a run takes is only known once it was simulated.  The load is therefore given up to a
 * horizon; a run that goes on beyond it is simulated again with one that is further away.  What
 * happened before the horizon is the same both times. */
#include "testbed/sim/sim.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "testbed/sim/smpi_launch.h"

enum { PATH_SIZE = 4096, FURTHER = 8 };
#define HORIZON 21600.0 /* seconds after the start */

void rc_sim_result_free(struct rc_sim_result *result)
{
    rc_sim_layout_free(&result->layout);
    rc_sim_world_free(&result->world);
    rc_buffer_free(&result->printed);
}

/* ---- times ---- */

int rc_sim_start_parse(const char *text, double base, double *start, struct rc_error *error)
{
    double when;

    /* 2000-01-02 is a date, and 2-01:30:00 a length of time */
    if (rc_unit_parse(text, strlen(text), RC_SECONDS, start, NULL) == 0)
        return 0;
    if (rc_timestamp_parse(text, strlen(text), &when, NULL)) {
        rc_error_set(error, "'%s' is not a start time", text);
        return rc_error_hint(error,
                             "use a time after the start of the load, such as 1d or 90min, or a "
                             "date such as 2000-01-02T12:00");
    }
    *start = when - base;
    return 0;
}

static int settle_times(const struct rc_sim_job *job, struct rc_sim_result *result,
                        struct rc_error *error)
{
    const struct rc_range *span = &result->world.span;
    double begin = isfinite(span->low) ? span->low : 0;
    char text[RC_TIME_SIZE], first[RC_TIME_SIZE], last[RC_TIME_SIZE];

    if (!(job->every > 0 && isfinite(job->every)) || !(job->history >= 0 && isfinite(job->history)))
        return rc_error_set(error, "samples are to be more than 0 s apart, and a history 0 s or "
                                   "longer");
    result->start = job->start;
    if (isnan(job->start))
        result->start = job->load->kind == RC_LOAD_REPLAY ? begin + job->history : RC_SIM_START;
    result->history_from = fmax(result->start - job->history, fmax(begin, 0));
    result->sampled_from =
        fmax(fmin(result->history_from, floor(result->start / job->every) * job->every),
             fmax(begin, 0));
    if (result->start >= fmax(span->low, 0) && result->start < span->high &&
        result->start <= RC_LOAD_TIME_MAX)
        return 0;
    rc_timestamp_format(job->base + result->start, text);
    rc_timestamp_format(job->base + begin, first);
    rc_timestamp_format(job->base + fmin(span->high, RC_LOAD_TIME_MAX), last);
    return rc_error_set_code(error, "sim.start-outside",
                             "the start %s is outside the load, %s to %s", text, first, last);
}

/* ---- simulating ---- */

/* The same files, for people to look at. */
static int keep_files(const struct rc_sim_job *job, const struct rc_sim_result *result,
                      const char *prefix, struct rc_error *error)
{
    if (!job->keep)
        return 0;
    if (mkdir(job->keep, 0777) && errno != EEXIST)
        return rc_error_errno(error, errno, "cannot make the directory %s", job->keep);
    return rc_sim_files_write(&result->layout, &result->world, result->start, job->keep, prefix,
                              error);
}

static int too_long(const struct rc_sim_job *job, const struct rc_sim_result *result,
                    struct rc_error *error)
{
    char text[RC_TIME_SIZE];

    rc_timestamp_format(job->base + result->world.span.high, text);
    rc_error_set(error, "the run continues after the end of the load, %s", text);
    return job->load->kind == RC_LOAD_REPLAY
               ? rc_error_hint(error, "start earlier, or use a load file with 'beyond: repeat' or "
                                      "'beyond: hold'")
               : -1;
}

static int simulate(const struct rc_sim_job *job, const char *const *program,
                    const struct rc_sim_directory *directory, struct rc_sim_result *result,
                    const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_sim_start start = {program, result->layout.processes,
                                       !job->measured     ? NAN
                                       : isnan(job->here) ? result->layout.hosts[0].speed
                                                          : job->here};
    double end = result->world.span.high;

    for (double horizon = HORIZON;; horizon *= FURTHER) {
        double to = fmin(result->start + horizon, end);

        if (rc_progress_monitor_check(monitor, error) ||
            rc_sim_world_steps(&result->world, job->load, job->seed, result->sampled_from, to,
                               error) ||
            rc_sim_files_write(&result->layout, &result->world, result->start, directory->path,
                               directory->name, error))
            return -1;
        rc_buffer_clear(&result->printed); /* only what is written in the last round counts */
        if (rc_sim_program_run(&start, directory, monitor, &result->output, &result->printed,
                               error))
            return -1;
        if (result->start + result->output.total <= to)
            return 0;
        if (to == end)
            return too_long(job, result, error);
    }
}

/* ---- what came of it ---- */

static int settle_output(const struct rc_sim_job *job, struct rc_sim_result *result,
                         struct rc_error *error)
{
    struct rc_sim_output *output = &result->output;
    const char *slash = strrchr(job->program[0], '/');

    if (output->app[0] == '\0')
        snprintf(output->app, sizeof output->app, "%s", slash ? slash + 1 : job->program[0]);
    if (isnan(output->n) || !isnan(job->n))
        output->n = isnan(job->n) ? rc_sim_program_size(job->program) : job->n;
    result->seconds = isnan(output->seconds) ? output->total : output->seconds;
    if (!(result->seconds > 0))
        return rc_error_set_code(error, "sim.no-time",
                                 "no simulated time passed: the program counts no operations and "
                                 "sends no messages");
    return 0;
}

static int look_back(const struct rc_sim_job *job, struct rc_sim_result *result,
                     struct rc_error *error)
{
    double end = result->start + result->seconds;

    if (rc_sim_world_sample(&result->world, job->every, result->sampled_from, end, error))
        return -1;
    return rc_sim_world_statistics(&result->world, result->start, end, &result->cpu,
                                   &result->bandwidth, error);
}

static int run_in(const struct rc_sim_job *job, const char *const *program,
                  struct rc_sim_result *result, const struct rc_monitor *monitor,
                  struct rc_error *error)
{
    struct rc_sim_directory directory = {.path = ""};
    int status = rc_sim_directory_make(&directory, error);

    if (status == 0)
        status = simulate(job, program, &directory, result, monitor, error);
    if (status == 0)
        status = keep_files(job, result, directory.name, error);
    rc_sim_directory_remove(&directory);
    return status || settle_output(job, result, error) || look_back(job, result, error) ? -1 : 0;
}

int rc_sim_run(const struct rc_sim_job *job, struct rc_sim_result *result,
               const struct rc_monitor *monitor, struct rc_error *error)
{
    char path[PATH_SIZE];
    const char **program;
    size_t n = 0;
    int status;

    *result = (struct rc_sim_result){.seconds = NAN, .printed = RC_BUFFER_INIT(RC_SIM_OUTPUT_MAX)};
    if (rc_sim_find_program(job->program[0], path, sizeof path, error) ||
        rc_sim_layout(&job->choice, &result->layout, error) ||
        rc_sim_world(&result->layout, job->load, &result->world, error) ||
        settle_times(job, result, error))
        return -1;
    while (job->program[n])
        n++;
    program = calloc(n + 1, sizeof *program);
    if (!program)
        return rc_error_no_memory(error);
    memcpy(program, job->program, n * sizeof *program);
    program[0] = path;
    status = run_in(job, program, result, monitor, error);
    free(program);
    return status;
}
