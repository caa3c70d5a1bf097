// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy_judge.c - what follows from a model's predictions for many runs.
 *
 * Which component to look at first.  Were one task alone wrong, by one factor everywhere, the
 * errors of all runs would be in proportion to that task's part of the time.  So for each task the
 * factor is found that leaves the least sum of squared relative errors; the task with the smallest
 * rest explains the errors best.  The rest is compared at what it is relative to the run's time,
 * so that long runs do not outweigh the others.  Runs of which a load is not known tell nothing of
 * tasks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/accuracy.h"

/* A factor that takes this part of the errors away is worth a word. */
static const double WORTH_SAYING = 0.25;

static double part_of(const struct rc_accuracy_run *run, size_t task)
{
    return task < run->n_parts ? run->parts[task] : 0;
}

static double relative(const struct rc_accuracy_run *run)
{
    return (run->predicted - run->actual) / run->actual;
}

/* ---- phases ---- */

void rc_structural_accuracy_phases(struct rc_accuracy *accuracy, const struct rc_run *run,
                                   const struct rc_accuracy_run *found)
{
    for (size_t i = 0; i < accuracy->n_tasks; i++) {
        struct rc_accuracy_task *task = &accuracy->tasks[i];
        double slowest = NAN;

        for (size_t k = 0; k < run->n_times; k++)
            if (strcmp(run->times[k].phase, task->name) == 0)
                slowest = fmax(slowest, run->times[k].seconds); /* NAN gives way */
        if (isnan(slowest) || !(found->parts[i] > 0))
            continue;
        if (task->n_measured++ == 0)
            task->measured = 0;
        task->measured += (slowest / found->parts[i] - task->measured) / (double)task->n_measured;
    }
}

/* ---- tasks ---- */

static void judge_task(const struct rc_accuracy *accuracy, size_t index,
                       struct rc_accuracy_task *task)
{
    double cross = 0, square = 0, rest = 0, share = 0, beta;
    double seen = (double)(accuracy->n_runs - accuracy->n_blind);

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        double part = run->blind ? 0 : part_of(run, index) / run->actual;

        cross += -relative(run) * part;
        square += part * part;
        share += run->predicted != 0 ? part_of(run, index) / run->predicted : 0;
    }
    beta = square > 0 ? fmax(cross / square, -1) : 0; /* no task takes less than no time */
    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        double left = relative(run) + beta * part_of(run, index) / run->actual;

        rest += run->blind ? 0 : left * left;
    }
    task->share = share / (double)accuracy->n_runs;
    task->factor = seen > 0 ? 1 + beta : (double)NAN;
    task->remaining = seen > 0 ? sqrt(rest / seen) : (double)NAN;
}

/* Where phases were measured, the task that is most off by its measured time counts. */
static void find_first(struct rc_accuracy *accuracy)
{
    double most = 0, least = accuracy->root * (1 - WORTH_SAYING);
    int measured = -1, fitted = -1;

    for (size_t i = 0; i < accuracy->n_tasks; i++) {
        const struct rc_accuracy_task *task = &accuracy->tasks[i];
        double off = isnan(task->measured) ? 0 : fabs(task->measured - 1) * task->share;

        if (fabs(log(task->measured)) > log(1 + WORTH_SAYING) && off > most) {
            most = off;
            measured = (int)i;
        }
        if (task->remaining < least) {
            least = task->remaining;
            fitted = (int)i;
        }
    }
    accuracy->look_first = measured >= 0 ? measured : fitted;
}

/* ---- runs and sizes ---- */

static void judge_runs(struct rc_accuracy *accuracy)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        double off = fabs(relative(run));

        sum += off;
        squares += run->blind ? 0 : off * off;
        accuracy->worst = fmax(accuracy->worst, off);
        accuracy->covered += run->low <= run->actual && run->actual <= run->high;
    }
    accuracy->error = sum / (double)accuracy->n_runs;
    accuracy->root = sqrt(squares / (double)(accuracy->n_runs - accuracy->n_blind));
}

static int compare_sizes(const void *a, const void *b)
{
    const struct rc_accuracy_size *x = a, *y = b;

    return (x->size > y->size) - (x->size < y->size);
}

static int compare_runs(const void *a, const void *b)
{
    const struct rc_accuracy_run *x = a, *y = b;
    int order = (x->size > y->size) - (x->size < y->size);

    if (order == 0)
        order = (x->processes > y->processes) - (x->processes < y->processes);
    if (order == 0)
        order = strcmp(x->platform, y->platform);
    if (order == 0)
        order = strcmp(x->hosts, y->hosts);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* Runs are in the order of their sizes. */
static void judge_sizes(struct rc_accuracy *accuracy, double tolerance)
{
    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        struct rc_accuracy_size *size;

        if (i == 0 || run->size != accuracy->runs[i - 1].size)
            accuracy->sizes[accuracy->n_sizes++].size = run->size;
        size = &accuracy->sizes[accuracy->n_sizes - 1];
        size->runs++;
        size->actual += run->actual;
        size->predicted += run->predicted;
        size->error += fabs(relative(run));
        size->bias += relative(run);
        size->covered += run->low <= run->actual && run->actual <= run->high;
    }
    for (size_t i = 0; i < accuracy->n_sizes; i++) {
        struct rc_accuracy_size *size = &accuracy->sizes[i];

        size->actual /= (double)size->runs;
        size->predicted /= (double)size->runs;
        size->error /= (double)size->runs;
        size->bias /= (double)size->runs;
        size->valid = size->error <= tolerance;
        size->has_spread = accuracy->has_spread;
    }
    qsort(accuracy->sizes, accuracy->n_sizes, sizeof *accuracy->sizes, compare_sizes);
}

/* ---- ranking ---- */

struct choice {
    double size, actual, predicted;
};

/* Means over the runs of one size on the same hosts. */
static size_t find_choices(const struct rc_accuracy *accuracy, struct choice *choices)
{
    size_t n = 0;

    for (size_t first = 0, end; first < accuracy->n_runs; first = end) {
        const struct rc_accuracy_run *run = &accuracy->runs[first];
        struct choice choice = {.size = run->size};

        for (end = first; end < accuracy->n_runs && accuracy->runs[end].size == run->size &&
                          accuracy->runs[end].processes == run->processes &&
                          strcmp(accuracy->runs[end].platform, run->platform) == 0 &&
                          strcmp(accuracy->runs[end].hosts, run->hosts) == 0;
             end++) {
            choice.actual += accuracy->runs[end].actual;
            choice.predicted += accuracy->runs[end].predicted;
        }
        choice.actual /= (double)(end - first);
        choice.predicted /= (double)(end - first);
        choices[n++] = choice;
    }
    return n;
}

/* Counts the pairs of choices, of one size or of any, and those that are ranked as they ran. */
static void count_pairs(const struct choice *choices, size_t n, bool over_sizes,
                        struct rc_accuracy *accuracy)
{
    accuracy->pairs = accuracy->ranked = 0;
    accuracy->over_sizes = over_sizes;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && (over_sizes || choices[k].size == choices[i].size); k++) {
            double actual = choices[k].actual - choices[i].actual;
            double predicted = choices[k].predicted - choices[i].predicted;

            if (actual == 0)
                continue;
            accuracy->pairs++;
            accuracy->ranked += (actual > 0) == (predicted > 0) && predicted != 0;
        }
}

static int judge_ranking(struct rc_accuracy *accuracy, struct rc_error *error)
{
    struct choice *choices = calloc(accuracy->n_runs, sizeof *choices);
    size_t n;

    if (!choices)
        return rc_error_no_memory(error);
    n = find_choices(accuracy, choices);
    count_pairs(choices, n, false, accuracy);
    if (accuracy->pairs == 0)
        count_pairs(choices, n, true, accuracy);
    free(choices);
    return 0;
}

int rc_structural_accuracy_judge(struct rc_accuracy *accuracy,
                                 const struct rc_accuracy_options *options, struct rc_error *error)
{
    if (accuracy->n_runs == 0)
        return 0;
    accuracy->sizes = calloc(accuracy->n_runs, sizeof *accuracy->sizes);
    if (!accuracy->sizes)
        return rc_error_no_memory(error);
    qsort(accuracy->runs, accuracy->n_runs, sizeof *accuracy->runs, compare_runs);
    judge_runs(accuracy);
    judge_sizes(accuracy, options->tolerance);
    for (size_t i = 0; i < accuracy->n_tasks; i++)
        judge_task(accuracy, i, &accuracy->tasks[i]);
    find_first(accuracy);
    return judge_ranking(accuracy, error);
}
