// SPDX-License-Identifier: GPL-3.0-or-later
/* run_selection.c - which runs of a table are looked at, and what is known of them. */
#include "model/regression/run_selection.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { LEAST_RUNS = 4 };
/* The scale of a run whose time is not known yet: it has a prediction, but does not count. */
static const double not_counted = 1e-6;

static bool is_known(double value)
{
    return value > 0 && isfinite(value);
}

/* Whether a number is known of enough of the runs that need it for the others to be left out. */
static bool is_mostly_known(size_t known, size_t needing)
{
    return known >= LEAST_RUNS && 2 * known >= needing;
}

struct knowledge {
    bool cpu[RC_REGRESSION_STATS], bw[RC_REGRESSION_STATS], bytes;
};

static struct knowledge look(const struct rc_regression_table *table)
{
    size_t parallel = 0, cpu[RC_REGRESSION_STATS] = {0}, bw[RC_REGRESSION_STATS] = {0}, bytes = 0;
    struct knowledge known;

    for (size_t i = 0; i < table->n_runs; i++) {
        const struct rc_regression_run *run = &table->runs[i];

        parallel += run->p > 1;
        bytes += run->bytes > 0 && isfinite(run->bytes);
        for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
            cpu[stat] += is_known(run->cpu[stat]);
            bw[stat] += run->p > 1 && is_known(run->bw[stat]);
        }
    }
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        known.cpu[stat] = is_mostly_known(cpu[stat], table->n_runs);
        known.bw[stat] = is_mostly_known(bw[stat], parallel);
    }
    known.bytes = bytes == table->n_runs;
    return known;
}

static bool is_usable(const struct rc_regression_run *run, const struct knowledge *known)
{
    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++)
        if ((known->cpu[stat] && !is_known(run->cpu[stat])) ||
            (known->bw[stat] && run->p > 1 && !is_known(run->bw[stat])))
            return false;
    return true;
}

static size_t count_usable(const struct rc_regression_table *table, const struct knowledge *known)
{
    size_t usable = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        usable += is_usable(&table->runs[i], known);
    return usable;
}

/* If hardly any run has all that most of them have (some have one load statistic, some the other),
 * one statistic is used, or none. */
static size_t know_less(const struct rc_regression_table *table, struct knowledge *known)
{
    struct knowledge all = *known;
    size_t usable = count_usable(table, known);

    for (unsigned dropped = 0; usable < LEAST_RUNS && dropped <= RC_REGRESSION_STATS; dropped++) {
        *known = all;
        for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++)
            if (stat == dropped || dropped == RC_REGRESSION_STATS)
                known->cpu[stat] = known->bw[stat] = false;
        usable = count_usable(table, known);
    }
    return usable;
}

/* ---- a view ---- */

static int make_room(struct rc_regression_view *view, size_t n, struct rc_error *error)
{
    *view = (struct rc_regression_view){
        .runs = malloc((n + 1) * sizeof *view->runs),
        .scales = malloc((n + 1) * sizeof *view->scales),
    };
    return view->runs && view->scales ? 0 : rc_error_no_memory(error);
}

/* Copies of the killed runs that are usable. */
static int copy_killed(struct rc_regression_view *view, const struct rc_regression_table *table,
                       const struct knowledge *known, struct rc_error *error)
{
    view->owns_killed = true;
    view->killed = malloc((table->n_killed + 1) * sizeof *view->killed);
    if (!view->killed)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < table->n_killed; i++) {
        const struct rc_regression_run *run = &table->killed[i];

        if (is_usable(run, known) && (!known->bytes || (run->bytes > 0 && isfinite(run->bytes))))
            view->killed[view->n_killed++] = *run;
    }
    return 0;
}

static bool varies(const struct rc_regression_view *view, enum rc_regression_stat stat)
{
    double first = NAN;

    for (size_t i = 0; i < view->n; i++) {
        double bw = view->runs[i]->bw[stat];

        if (view->runs[i]->p <= 1)
            continue;
        if (isnan(first))
            first = bw;
        else if (fabs(bw - first) > 1e-3 * first)
            return true;
    }
    return false;
}

static bool stats_differ(const struct rc_regression_view *view, const struct knowledge *known)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct rc_regression_run *run = view->runs[i];

        if ((known->cpu[0] && known->cpu[1] && run->cpu[0] != run->cpu[1]) ||
            (known->bw[0] && known->bw[1] && run->p > 1 && run->bw[0] != run->bw[1]))
            return true;
    }
    return false;
}

static void add_stat(struct rc_regression_view *view, const struct knowledge *known,
                     enum rc_regression_stat stat, size_t n_params)
{
    view->rows[view->n_stats++] = (struct rc_regression_rows){
        .runs = view->runs,
        .scales = view->scales,
        .n = view->n,
        .stat = stat,
        .cpu = known->cpu[stat],
        .bw = known->bw[stat],
        .bytes = known->bytes,
        .bw_varies = varies(view, stat),
        .n_params = n_params,
    };
}

/* Both statistics where both are known and not the same; otherwise the one that knows more. */
static void add_stats(struct rc_regression_view *view, const struct knowledge *known,
                      size_t n_params)
{
    int knows[RC_REGRESSION_STATS];

    for (unsigned stat = 0; stat < RC_REGRESSION_STATS; stat++)
        knows[stat] = known->cpu[stat] + known->bw[stat];
    if (knows[0] == knows[1] && stats_differ(view, known)) {
        add_stat(view, known, RC_REGRESSION_AVGMIN, n_params);
        add_stat(view, known, RC_REGRESSION_MINAVG, n_params);
    } else {
        add_stat(view, known, knows[1] > knows[0] ? RC_REGRESSION_AVGMIN : RC_REGRESSION_MINAVG,
                 n_params);
    }
}

int rc_regression_view_make(struct rc_regression_view *view,
                            const struct rc_regression_table *table, size_t most,
                            struct rc_error *error)
{
    struct knowledge known = look(table);
    size_t usable = know_less(table, &known), all, seen = 0;

    if (make_room(view, usable + table->n_killed < most ? usable + table->n_killed : most, error) ||
        copy_killed(view, table, &known, error))
        return -1;
    all = usable + view->n_killed;
    for (size_t i = 0; i < table->n_runs + view->n_killed; i++) {
        const struct rc_regression_run *run =
            i < table->n_runs ? &table->runs[i] : &view->killed[i - table->n_runs];

        /* Of more than `most`, those at which the count of chosen ones rises. */
        if (i < table->n_runs && !is_usable(run, &known))
            continue;
        seen++;
        if (all > most && seen * most / all == (seen - 1) * most / all)
            continue;
        view->scales[view->n] = (i < table->n_runs ? 1 : not_counted) / run->seconds;
        view->runs[view->n++] = run;
    }
    if (usable < LEAST_RUNS) {
        rc_error_set(error, "%zu usable run%s; a model needs %d", usable, usable == 1 ? "" : "s",
                     LEAST_RUNS);
        return rc_error_hint(error, "record runs of three or more sizes on 1 process, then on 2, 4 "
                                    "and 8");
    }
    add_stats(view, &known, table->n_params);
    return 0;
}

int rc_regression_view_thin(struct rc_regression_view *view, const struct rc_regression_view *of,
                            size_t most, struct rc_error *error)
{
    if (make_room(view, of->n < most ? of->n : most, error) != 0)
        return -1;
    for (size_t i = 0; i < of->n; i++) {
        if (of->n > most && (i + 1) * most / of->n == i * most / of->n)
            continue;
        view->runs[view->n] = of->runs[i];
        view->scales[view->n++] = of->scales[i];
    }
    view->killed = of->killed;
    view->n_killed = of->n_killed;
    view->n_stats = of->n_stats;
    for (size_t i = 0; i < of->n_stats; i++) {
        view->rows[i] = of->rows[i];
        view->rows[i].runs = view->runs;
        view->rows[i].scales = view->scales;
        view->rows[i].n = view->n;
    }
    return 0;
}

void rc_regression_view_free(struct rc_regression_view *view)
{
    free(view->runs);
    free(view->scales);
    if (view->owns_killed)
        free(view->killed);
    *view = (struct rc_regression_view){0};
}
