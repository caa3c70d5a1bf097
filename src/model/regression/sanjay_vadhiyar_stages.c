// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_stages.c - the three stages of the paper's search (sections 3.1 to 3.3).
 *
 * Each stage makes a list of candidates with their standard errors, leaves those within 20 % of
 * the least, sorts them, and keeps the first so many.  All fits are of at most four columns whose
 * sums of products are there already (sanjay_vadhiyar_sums.h). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/sanjay_vadhiyar_model.h"

static const double within = 1.2; /* times the least standard error */
static const double large = 2;    /* times the least so far */
/* Of the root of the mean square of the seconds: what is taken for exact, and the steps in which
 * errors are compared. */
static const double exact = 1e-6, step = 1e-8;
enum {
    SINGLES = RC_REGRESSION_SIZES_PAPER - 1,
    LEAST_RUNS = 3, /* on one process, for the first stage */
    ALL_COMBINATIONS =
        RC_REGRESSION_PAPER_FUNCTIONS * RC_REGRESSION_PAPER_FUNCTIONS * (RC_REGRESSION_WIDTHS - 1),
    TABLE_1 = RC_REGRESSION_PROCS_PAPER - 1
};

struct candidate {
    uint32_t error; /* in steps */
    unsigned terms;
    double penalty;
    unsigned group; /* of which only so many are kept */
    struct rc_regression_combination combination;
};

struct list {
    struct candidate *candidates;
    size_t n;
    double unit; /* the root of the mean square of the stage's seconds */
    uint32_t least;
    struct rc_regression_paper_stage *stage;
};

struct rc_regression_paper_function rc_regression_paper_function(unsigned function)
{
    struct rc_regression_paper_function result = {{0, 0}, 2};
    unsigned second = 1;

    if (function < 2 * SINGLES) {
        result.sizes[0] = (unsigned char)(1 + function % SINGLES);
        result.n = function < SINGLES ? 1 : 2;
        return result;
    }
    function -= 2 * SINGLES;
    while (function >= second) /* pairs (1,2), (1,3), (2,3), (1,4) ... */
        function -= second++;
    result.sizes[0] = (unsigned char)(1 + function);
    result.sizes[1] = (unsigned char)(1 + second);
    return result;
}

uint32_t rc_regression_paper_steps(double error, double root_mean_square)
{
    return (uint32_t)lround(fmin(fmax(error / root_mean_square, exact), 40) / step);
}

/* ---- lists ---- */

static void begin(struct list *list, struct candidate *candidates, double squares, double n_runs,
                  struct rc_regression_paper_stage *stage)
{
    *list = (struct list){candidates, 0, sqrt(squares / n_runs), UINT32_MAX, stage};
    *stage = (struct rc_regression_paper_stage){.runs = (size_t)n_runs};
}

static double penalty_of(struct rc_regression_combination made, unsigned *terms, bool communicates)
{
    struct rc_regression_paper_function comp = rc_regression_paper_function(made.comp),
                                        comm = rc_regression_paper_function(made.comm);
    double penalty = rc_regression_procs_penalty(made.procs_comp, true);

    *terms = comp.n;
    for (unsigned i = 0; i < comp.n; i++)
        penalty += rc_regression_size_penalty(comp.sizes[i], true);
    if (!communicates)
        return penalty;
    *terms += comm.n;
    for (unsigned i = 0; i < comm.n; i++)
        penalty += rc_regression_size_penalty(comm.sizes[i], false);
    return penalty + rc_regression_width_penalty(made.width) +
           rc_regression_procs_penalty(made.procs_comm, false);
}

/* Returns the error in steps; UINT32_MAX if there is none. */
static uint32_t put(struct list *list, const struct rc_regression_normal *normal, unsigned group,
                    struct rc_regression_combination made)
{
    double error = rc_regression_normal_error(normal);
    struct candidate *candidate = &list->candidates[list->n];

    list->stage->tried++;
    if (!isfinite(error))
        return UINT32_MAX;
    list->n++;
    list->stage->fitted++;
    candidate->error = rc_regression_paper_steps(error, list->unit);
    candidate->group = group;
    candidate->combination = made;
    if (candidate->error < list->least)
        list->least = candidate->error;
    return candidate->error;
}

static int by_error(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->error != b->error)
        return a->error < b->error ? -1 : 1;
    if (a->terms != b->terms)
        return a->terms < b->terms ? -1 : 1;
    if (a->penalty != b->penalty)
        return a->penalty < b->penalty ? -1 : 1;
    return memcmp(&a->combination, &b->combination, sizeof a->combination);
}

/* Leaves the best: at most `each` of a group, and `most` in all. */
static void keep(struct list *list, size_t each, size_t most, bool communicates)
{
    size_t kept = 0, near = 0, taken[RC_REGRESSION_PAPER_FUNCTIONS] = {0};

    for (size_t i = 0; i < list->n; i++)
        if (list->candidates[i].error <= within * list->least) {
            struct candidate *candidate = &list->candidates[near++];

            *candidate = list->candidates[i];
            candidate->penalty =
                penalty_of(candidate->combination, &candidate->terms, communicates);
        }
    qsort(list->candidates, near, sizeof *list->candidates, by_error);
    for (size_t i = 0; i < near && kept < most; i++)
        if (taken[list->candidates[i].group]++ < each)
            list->candidates[kept++] = list->candidates[i];
    list->n = kept;
    list->stage->within = near;
    list->stage->kept = kept;
    list->stage->least = list->n ? list->least * step * list->unit : 0;
}

/* ---- columns ---- */

struct columns {
    unsigned at[RC_REGRESSION_COLUMNS_MAX + 1]; /* the last is the seconds */
    unsigned n, n_comp;
};

/* False where one of them is not usable. */
static bool columns_of(const struct rc_regression_sums *sums, unsigned comp, int comm,
                       unsigned width, struct columns *columns)
{
    struct rc_regression_paper_function function = rc_regression_paper_function(comp);
    bool usable = true;

    columns->n = 0;
    for (unsigned i = 0; i < function.n; i++)
        columns->at[columns->n++] = rc_regression_column_comp(function.sizes[i]);
    columns->n_comp = columns->n;
    if (comm >= 0) {
        function = rc_regression_paper_function((unsigned)comm);
        for (unsigned i = 0; i < function.n; i++)
            columns->at[columns->n++] = rc_regression_column_comm(sums, function.sizes[i], width);
    }
    columns->at[columns->n] = 0;
    for (unsigned i = 0; i < columns->n; i++)
        usable = usable && !sums->unusable[columns->at[i]];
    return usable;
}

static void gather(const struct rc_regression_block *block, const struct columns *columns,
                   struct rc_regression_normal *normal)
{
    double *sum = normal->sums;

    normal->n_columns = columns->n;
    normal->n_runs = block->n_runs;
    for (unsigned i = 0; i <= columns->n; i++)
        for (unsigned j = 0; j <= i; j++)
            *sum++ = rc_regression_block_sum(block, columns->at[i], columns->at[j]);
}

/* The same divided by functions of the number of processes, and added. */
static void gather_scaled(const struct rc_regression_block *block, const struct columns *columns,
                          unsigned procs_comp, unsigned procs_comm,
                          struct rc_regression_normal *normal)
{
    double scale[RC_REGRESSION_COLUMNS_MAX + 1], *sum = normal->sums;

    for (unsigned i = 0; i < columns->n; i++)
        scale[i] = block->per_procs[i < columns->n_comp ? procs_comp : procs_comm];
    scale[columns->n] = 1;
    normal->n_columns = columns->n;
    normal->n_runs += block->n_runs;
    for (unsigned i = 0; i <= columns->n; i++)
        for (unsigned j = 0; j <= i; j++)
            *sum++ += scale[i] * scale[j] *
                      rc_regression_block_sum(block, columns->at[i], columns->at[j]);
}

/* Over the runs on so many processes or more. */
static void normal_from(const struct rc_regression_sums *sums,
                        struct rc_regression_combination made, double p,
                        struct rc_regression_normal *normal)
{
    struct columns columns;

    *normal = (struct rc_regression_normal){0};
    columns_of(sums, made.comp, made.comm, made.width, &columns);
    for (size_t i = 0; i < sums->n_blocks; i++)
        if (sums->blocks[i]->p >= p)
            gather_scaled(sums->blocks[i], &columns, made.procs_comp, made.procs_comm, normal);
}

void rc_regression_paper_normal(const struct rc_regression_sums *sums,
                                struct rc_regression_combination made,
                                struct rc_regression_normal *normal)
{
    normal_from(sums, made, 1, normal);
}

/* ---- stage one: computation, on one process ---- */

static void all_functions(struct rc_regression_paper_first *first)
{
    first->without_one = true;
    first->n = RC_REGRESSION_PAPER_FUNCTIONS;
    for (unsigned i = 0; i < RC_REGRESSION_PAPER_FUNCTIONS; i++)
        first->functions[i] = (unsigned char)i;
}

void rc_regression_paper_first(const struct rc_regression_sums *sums,
                               struct rc_regression_paper_first *first,
                               struct rc_regression_paper_report *report)
{
    const struct rc_regression_block *block = rc_regression_sums_find(sums, 1);
    struct candidate candidates[RC_REGRESSION_PAPER_FUNCTIONS];
    struct columns columns;
    struct rc_regression_normal normal;
    struct list list;

    *report = (struct rc_regression_paper_report){0};
    *first = (struct rc_regression_paper_first){0};
    if (block && block->n_runs >= LEAST_RUNS) {
        begin(&list, candidates, block->sums[0], block->n_runs, &report->stages[0]);
        list.stage->p = 1;
        for (unsigned comp = 0; comp < RC_REGRESSION_PAPER_FUNCTIONS; comp++) {
            if (!columns_of(sums, comp, -1, 0, &columns))
                continue;
            gather(block, &columns, &normal);
            put(&list, &normal, 0, (struct rc_regression_combination){.comp = (unsigned char)comp});
        }
        keep(&list, RC_REGRESSION_PAPER_AFTER_FIRST, RC_REGRESSION_PAPER_AFTER_FIRST, false);
        for (size_t i = 0; i < list.n; i++)
            first->functions[first->n++] = candidates[i].combination.comp;
    }
    if (first->n == 0)
        all_functions(first);
    report->without_one = first->without_one;
}

/* ---- stage two: communication, on two ---- */

static struct rc_regression_combination combination(unsigned comp, unsigned comm, unsigned width)
{
    return (struct rc_regression_combination){(unsigned char)comp, (unsigned char)comm,
                                              (unsigned char)width, 2,
                                              2}; /* Eq. (2): both over P */
}

static uint32_t try_pair(const struct rc_regression_sums *sums,
                         const struct rc_regression_block *block, struct list *list,
                         struct rc_regression_combination made)
{
    struct columns columns;
    struct rc_regression_normal normal;

    if (!columns_of(sums, made.comp, made.comm, made.width, &columns))
        return UINT32_MAX;
    gather(block, &columns, &normal);
    return put(list, &normal, made.comp, made);
}

static void try_all(const struct rc_regression_sums *sums,
                    const struct rc_regression_paper_first *first,
                    const struct rc_regression_block *block, struct list *list)
{
    unsigned width = sums->bandwidth ? 1 : 0, end = sums->bandwidth ? RC_REGRESSION_WIDTHS : 1;

    for (; width < end; width++)
        for (size_t i = 0; i < first->n; i++)
            for (unsigned comm = 0; comm < RC_REGRESSION_PAPER_FUNCTIONS; comm++)
                try_pair(sums, block, list, combination(first->functions[i], comm, width));
}

/* Without one-process runs: functions that give large errors too often are dropped on the way. */
static void try_and_drop(const struct rc_regression_sums *sums,
                         const struct rc_regression_block *block, struct list *list,
                         struct rc_regression_paper_report *report)
{
    unsigned first_width = sums->bandwidth ? 1 : 0,
             end = sums->bandwidth ? RC_REGRESSION_WIDTHS : 1;
    unsigned bad_comp[RC_REGRESSION_PAPER_FUNCTIONS] = {0},
             bad_comm[RC_REGRESSION_PAPER_FUNCTIONS] = {0};

    for (unsigned shift = 0; shift < RC_REGRESSION_PAPER_FUNCTIONS; shift++)
        for (unsigned comp = 0; comp < RC_REGRESSION_PAPER_FUNCTIONS; comp++) {
            unsigned comm = (comp + shift) % RC_REGRESSION_PAPER_FUNCTIONS;

            for (unsigned width = first_width; width < end; width++) {
                if (bad_comp[comp] > RC_REGRESSION_PAPER_LARGE_MOST ||
                    bad_comm[comm] > RC_REGRESSION_PAPER_LARGE_MOST)
                    continue;
                if (try_pair(sums, block, list, combination(comp, comm, width)) >
                    large * list->least) {
                    report->dropped += ++bad_comp[comp] == RC_REGRESSION_PAPER_LARGE_MOST + 1;
                    report->dropped += ++bad_comm[comm] == RC_REGRESSION_PAPER_LARGE_MOST + 1;
                }
            }
        }
}

/* ---- stage three: scalability, on two and more ---- */

static void try_scaling(const struct rc_regression_sums *sums,
                        const struct rc_regression_combination *pairs, size_t n_pairs,
                        struct list *list)
{
    for (size_t i = 0; i < n_pairs; i++)
        for (unsigned comp = 1; comp <= TABLE_1; comp++)
            for (unsigned comm = 1; comm <= TABLE_1; comm++) {
                struct rc_regression_combination made = pairs[i];
                struct rc_regression_normal normal;

                made.procs_comp = (unsigned char)comp;
                made.procs_comm = (unsigned char)comm;
                normal_from(sums, made, 2, &normal);
                put(list, &normal, (unsigned)i, made);
            }
}

/* Sorts the list by the errors on all runs: with them its members are trained and ranked. */
static void sort_by_all(const struct rc_regression_sums *sums, struct list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct candidate *candidate = &list->candidates[i];
        struct rc_regression_normal normal;

        rc_regression_paper_normal(sums, candidate->combination, &normal);
        candidate->error =
            rc_regression_paper_steps(rc_regression_normal_error(&normal), list->unit);
    }
    qsort(list->candidates, list->n, sizeof *list->candidates, by_error);
}

/* ---- two and three ---- */

static const struct rc_regression_block *smallest_above_one(const struct rc_regression_sums *sums)
{
    for (size_t i = 0; i < sums->n_blocks; i++)
        if (sums->blocks[i]->p > 1)
            return sums->blocks[i];
    return NULL;
}

static void sum_up(const struct rc_regression_sums *sums, double *squares, double *n_runs,
                   size_t *n_procs)
{
    *squares = *n_runs = 0;
    *n_procs = 0;
    for (size_t i = 0; i < sums->n_blocks; i++)
        if (sums->blocks[i]->p > 1) {
            *squares += sums->blocks[i]->sums[0];
            *n_runs += sums->blocks[i]->n_runs;
            ++*n_procs;
        }
}

static int too_few(struct rc_error *error, const struct rc_regression_sums *sums, const char *what)
{
    double low = INFINITY, high = 0;

    for (size_t i = 0; i < sums->n_blocks; i++) {
        low = fmin(low, sums->blocks[i]->n.low);
        high = fmax(high, sums->blocks[i]->n.high);
    }
    rc_error_set(error, "%s", what);
    if (high == 0)
        return rc_error_hint(error, "record runs of five or more sizes on each of 1, 2, 4 and 8 "
                                    "processes (the paper: 20, 20, 10 and 10)");
    if (low == high)
        low /= 2;
    return rc_error_hint(
        error,
        "record runs of five or more sizes (such as n from %.6g to %.6g) on each of "
        "1, 2, 4 and 8 processes (the paper: 20, 20, 10 and 10)",
        low, high);
}

static int search(const struct rc_regression_sums *sums,
                  const struct rc_regression_paper_first *first, struct candidate *candidates,
                  struct list *list, struct rc_regression_paper_report *report,
                  struct rc_error *error)
{
    const struct rc_regression_block *block = smallest_above_one(sums);
    struct rc_regression_combination pairs[RC_REGRESSION_PAPER_AFTER_SECOND];
    double squares, n_runs;
    size_t n_procs, n_pairs;

    sum_up(sums, &squares, &n_runs, &n_procs);
    if (n_procs < 2)
        return too_few(error, sums,
                       "too few process counts: scaling needs runs on two or more "
                       "different numbers of processes above 1");
    begin(list, candidates, block->sums[0], block->n_runs, &report->stages[1]);
    list->stage->p = block->p;
    if (first->without_one)
        try_and_drop(sums, block, list, report);
    else
        try_all(sums, first, block, list);
    keep(list, RC_REGRESSION_PAPER_SECOND_EACH, RC_REGRESSION_PAPER_AFTER_SECOND, true);
    n_pairs = list->n;
    for (size_t i = 0; i < n_pairs; i++)
        pairs[i] = candidates[i].combination;
    if (n_pairs == 0)
        return too_few(error, sums,
                       "too few or too similar runs on the smallest number of processes "
                       "above 1 to separate communication from computation");
    begin(list, candidates, squares, n_runs, &report->stages[2]);
    try_scaling(sums, pairs, n_pairs, list);
    keep(list, RC_REGRESSION_PAPER_THIRD_EACH, RC_REGRESSION_PAPER_AFTER_THIRD, true);
    sort_by_all(sums, list);
    return list->n ? 0
                   : too_few(error, sums,
                             "too few or too similar runs on two or more processes "
                             "to find how the program scales");
}

int rc_regression_paper_search(const struct rc_regression_sums *sums,
                               const struct rc_regression_paper_first *first,
                               struct rc_regression_combination *list, size_t *n_list,
                               struct rc_regression_paper_report *report, struct rc_error *error)
{
    struct candidate *candidates = malloc(ALL_COMBINATIONS * sizeof *candidates);
    struct list found = {0};
    int status;

    if (!candidates)
        return rc_error_no_memory(error);
    status = search(sums, first, candidates, &found, report, error);
    *n_list = status == 0 ? found.n : 0;
    for (size_t i = 0; i < *n_list; i++)
        list[i] = candidates[i].combination;
    free(candidates);
    return status;
}
