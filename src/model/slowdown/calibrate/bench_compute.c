// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_compute.c - time of a fixed amount of computing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/process.h"
#include "base/text.h"
#include "testbed/load/load_processes.h"
#include "model/slowdown/calibrate/bench.h"

enum {
    SIDE = 512,
    LOOK = 8, /* sweeps between two checks for the end */
    OUTPUT_MAX = 1 << 16
};
#define RELAXATION 1.5

/* ---- the grid ---- */

double *rc_slowdown_bench_grid(void)
{
    double *grid = calloc((size_t)SIDE * SIDE, sizeof *grid);

    for (size_t i = 0; grid && i < SIDE; i++)
        grid[i] = 1; /* the edge is warm */
    return grid;
}

/* The points of one colour, which are not neighbours. */
static void half_sweep(double *grid, size_t colour)
{
    for (size_t i = 1; i < SIDE - 1; i++)
        for (size_t j = 1 + (i + colour) % 2; j < SIDE - 1; j += 2) {
            double *at = grid + i * SIDE + j;

            *at += RELAXATION / 4 * (at[-SIDE] + at[SIDE] + at[-1] + at[1] - 4 * *at);
        }
}

int rc_slowdown_bench_sweep(double *grid, unsigned sweeps, bool (*over)(const void *data),
                            const void *data)
{
    for (unsigned s = 0; s < sweeps; s++) {
        if (over && s % LOOK == 0 && over(data))
            return -1;
        half_sweep(grid, 0);
        half_sweep(grid, 1);
    }
    return 0;
}

/* ---- the benchmark of ours ---- */

struct computing {
    struct rc_bench_shared shared;
    double seconds[RC_BENCH_ROUNDS_MAX];
};

struct computing_task {
    const struct rc_slowdown_bench_compute *order;
    struct computing *computing;
    double *grid;
};

static int compute_body(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    struct computing_task *task = data;

    (void)error;
    for (size_t i = 0; i <= task->order->repeat; i++) {
        double begin = rc_load_now();

        if (rc_slowdown_bench_sweep(task->grid, task->order->sweeps, rc_slowdown_bench_over,
                                    worker))
            return 0;
        if (i > 0) /* the first one warms up memory and processor */
            task->computing->seconds[i - 1] = rc_load_now() - begin;
        task->computing->shared.done++;
    }
    return 0;
}

static int compute_here(const struct rc_slowdown_bench_compute *order, double *seconds,
                        const struct rc_monitor *monitor, struct rc_error *error)
{
    struct computing_task task = {order, rc_slowdown_bench_share(sizeof *task.computing, error),
                                  rc_slowdown_bench_grid()};
    const struct rc_load_task member = {
        .body = compute_body, .data = &task, .core = -1, .descriptor = -1};
    int status = -1;

    if (task.computing && task.grid) {
        task.computing->shared.total = order->repeat + 1;
        status = rc_slowdown_bench_run(&member, 1, &task.computing->shared, monitor, NULL, error);
    } else if (task.computing) {
        rc_error_no_memory(error);
    }
    for (size_t i = 0; status == 0 && i < order->repeat; i++)
        seconds[i] = task.computing->seconds[i];
    free(task.grid);
    rc_slowdown_bench_unshare(task.computing, sizeof *task.computing);
    return status;
}

/* ---- a command of the user's ---- */

/* The last line of the output. */
static const char *last_line(struct rc_buffer *output)
{
    char *line;

    while (output->length > 0 && strchr("\r\n", output->data[output->length - 1]))
        output->data[--output->length] = '\0';
    if (output->length == 0)
        return "";
    line = strrchr(output->data, '\n');
    line = line ? line + 1 : output->data;
    rc_text_clean(line, strlen(line));
    return line;
}

static int time_command(const char *command, double *seconds, const struct rc_monitor *monitor,
                        struct rc_error *error)
{
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    const struct rc_process_options options = {.seconds = INFINITY, .grace = 1, .monitor = monitor};
    struct rc_buffer output = RC_BUFFER_INIT(OUTPUT_MAX);
    struct rc_process_result result;
    struct rc_clock *clock = rc_clock_system();
    double begin = clock->monotonic(clock);
    int status = rc_process_run(argv, &options, &output, &result, error);

    *seconds = clock->monotonic(clock) - begin;
    if (status == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0)) {
        const char *said = last_line(&output);

        status = rc_error_set(error, "the benchmark '%.100s' %s %d%s%.200s", command,
                              result.end == RC_PROCESS_EXITED ? "ended with status"
                                                              : "was ended by signal",
                              result.status, *said ? ": " : "", said);
    }
    rc_buffer_free(&output);
    return status;
}

int rc_slowdown_bench_compute(const struct rc_slowdown_bench_compute *order, double *seconds,
                              const struct rc_monitor *monitor, struct rc_error *error)
{
    int status = 0;

    if (!order->command)
        return compute_here(order, seconds, monitor, error);
    for (size_t i = 0; i < order->repeat && status == 0; i++) {
        rc_progress_monitor_advance(monitor, i, order->repeat);
        status = time_command(order->command, &seconds[i], monitor, error);
    }
    return status;
}
