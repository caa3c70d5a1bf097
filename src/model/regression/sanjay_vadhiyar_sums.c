// SPDX-License-Identifier: GPL-3.0-or-later
/* sanjay_vadhiyar_sums.c - all that the paper's search needs to know of runs, however many they
 * are. */
#include "model/regression/sanjay_vadhiyar_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool is_known(double availability)
{
    return availability > 0 && isfinite(availability);
}

double rc_regression_sums_cpu(const struct rc_regression_sums *sums,
                              const struct rc_regression_run *run)
{
    return is_known(run->cpu[sums->stat]) ? run->cpu[sums->stat] : 1;
}

double rc_regression_sums_bw(const struct rc_regression_sums *sums,
                             const struct rc_regression_run *run)
{
    return is_known(run->bw[sums->stat]) ? run->bw[sums->stat] : sums->bw_mean;
}

/* ---- blocks ---- */

static size_t place_of(const struct rc_regression_sums *sums, double p)
{
    size_t at = 0;

    while (at < sums->n_blocks && sums->blocks[at]->p < p)
        at++;
    return at;
}

const struct rc_regression_block *rc_regression_sums_find(const struct rc_regression_sums *sums,
                                                          double p)
{
    size_t at = place_of(sums, p);

    return at < sums->n_blocks && sums->blocks[at]->p == p ? sums->blocks[at] : NULL;
}

static struct rc_regression_block *block_for(struct rc_regression_sums *sums, double p,
                                             struct rc_error *error)
{
    size_t at = place_of(sums, p);
    struct rc_regression_block *block;

    if (at < sums->n_blocks && sums->blocks[at]->p == p)
        return sums->blocks[at];
    if (sums->n_blocks == RC_REGRESSION_BLOCKS_MAX) {
        rc_error_set(error, "the runs are on more than %d different numbers of processes",
                     RC_REGRESSION_BLOCKS_MAX);
        return NULL;
    }
    block = calloc(1, sizeof *block);
    if (!block) {
        rc_error_no_memory(error);
        return NULL;
    }
    block->p = p;
    for (unsigned i = 0; i < RC_REGRESSION_PROCS_PAPER; i++)
        block->per_procs[i] = 1 / rc_regression_procs(i, p);
    block->n = (struct rc_range){INFINITY, -INFINITY};
    memmove(sums->blocks + at + 1, sums->blocks + at, (sums->n_blocks - at) * sizeof *sums->blocks);
    sums->n_blocks++;
    return sums->blocks[at] = block;
}

/* ---- runs ---- */

/* The columns of a run; returns how many there are. */
static unsigned columns_of(const struct rc_regression_sums *sums,
                           const struct rc_regression_run *run, double *columns)
{
    unsigned width = sums->bandwidth ? 1 : 0, end = sums->bandwidth ? RC_REGRESSION_WIDTHS : 1,
             n = 1;
    double cpu = rc_regression_sums_cpu(sums, run), bw = rc_regression_sums_bw(sums, run);
    double sizes[RC_REGRESSION_SIZES_PAPER];

    columns[0] = run->seconds;
    for (unsigned size = 0; size < RC_REGRESSION_SIZES_PAPER; size++) {
        sizes[size] = rc_regression_size(size, run->n);
        columns[n++] = sizes[size] / cpu;
    }
    if (run->p <= 1) /* no communication */
        return n;
    for (; width < end; width++) {
        double divisor = width ? rc_regression_width(width, bw) : 1;

        for (unsigned size = 0; size < RC_REGRESSION_SIZES_PAPER; size++)
            columns[n++] = sizes[size] / divisor;
    }
    return n;
}

int rc_regression_sums_add(struct rc_regression_sums *sums, const struct rc_regression_run *run,
                           struct rc_error *error)
{
    struct rc_regression_block *block = block_for(sums, run->p, error);
    double columns[RC_REGRESSION_SUMS_COLUMNS], *row;
    unsigned n;

    if (!block)
        return -1;
    n = columns_of(sums, run, columns);
    for (unsigned i = 0; i < n; i++)
        if (!(columns[i] > 0) || !isfinite(columns[i] * columns[i])) {
            sums->unusable[i] = true;
            columns[i] = 0;
        }
    row = block->sums;
    for (unsigned i = 0; i < n; row += ++i)
        for (unsigned j = 0; j <= i; j++)
            row[j] += columns[i] * columns[j];
    block->n_runs++;
    block->n.low = fmin(block->n.low, run->n);
    block->n.high = fmax(block->n.high, run->n);
    return 0;
}

/* ---- tables ---- */

static enum rc_regression_stat stat_of(const struct rc_regression_table *table)
{
    bool has[RC_REGRESSION_STATS] = {false};

    for (size_t i = 0; i < table->n_runs; i++)
        for (int stat = 0; stat < RC_REGRESSION_STATS; stat++)
            has[stat] = has[stat] || is_known(table->runs[i].cpu[stat]) ||
                        is_known(table->runs[i].bw[stat]);
    return has[RC_REGRESSION_AVGMIN] && !has[RC_REGRESSION_MINAVG] ? RC_REGRESSION_AVGMIN
                                                                   : RC_REGRESSION_MINAVG;
}

static void meet_bandwidth(struct rc_regression_sums *sums, const struct rc_regression_table *table)
{
    double sum = 0, known = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        if (table->runs[i].p > 1 && is_known(table->runs[i].bw[sums->stat])) {
            sum += table->runs[i].bw[sums->stat];
            known++;
        }
    sums->bandwidth = known > 0;
    sums->bw_mean = known > 0 ? sum / known : NAN;
}

struct rc_regression_sums *rc_regression_sums_create(const struct rc_regression_table *table,
                                                     struct rc_error *error)
{
    struct rc_regression_sums *sums = calloc(1, sizeof *sums);

    if (sums)
        sums->blocks = calloc(RC_REGRESSION_BLOCKS_MAX, sizeof *sums->blocks);
    if (!sums || !sums->blocks) {
        rc_error_no_memory(error);
        free(sums);
        return NULL;
    }
    sums->stat = stat_of(table);
    meet_bandwidth(sums, table);
    for (size_t i = 0; i < table->n_runs; i++)
        if (rc_regression_sums_add(sums, &table->runs[i], error) != 0) {
            rc_regression_sums_destroy(sums);
            return NULL;
        }
    return sums;
}

void rc_regression_sums_destroy(struct rc_regression_sums *sums)
{
    if (!sums)
        return;
    for (size_t i = 0; i < sums->n_blocks; i++)
        free(sums->blocks[i]);
    free(sums->blocks);
    free(sums);
}
