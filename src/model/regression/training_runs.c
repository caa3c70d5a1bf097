// SPDX-License-Identifier: GPL-3.0-or-later
/* training_runs.c - the runs that a model is fitted to, from the database. */
#include "model/regression/training_runs.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "db/run_param.h"
#include "model/regression/speeds.h"

/* What runs of simulated clusters are marked with; no property of the program. */
static const char *const bookkeeping[] = {"seed", "every", "load", "sim_point", "measured"};

const char *rc_regression_stat_name(enum rc_regression_stat stat)
{
    return stat == RC_REGRESSION_MINAVG ? "minavg" : "avgmin";
}

void rc_regression_left_out_free(struct rc_regression_left_out *left_out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(left_out[i].name);
}

void rc_regression_table_free(struct rc_regression_table *table)
{
    for (size_t i = 0; i < table->n_params; i++)
        free(table->params[i]);
    for (size_t i = 0; i < table->n_places; i++)
        free(table->places[i]);
    free(table->places);
    rc_regression_left_out_free(table->left_out, table->n_left_out);
    free(table->runs);
    free(table->killed);
    *table = (struct rc_regression_table){0};
}

static double bytes_of(const struct rc_run *run)
{
    if (isnan(run->bytes_read))
        return run->bytes_written;
    return isnan(run->bytes_written) ? run->bytes_read : run->bytes_read + run->bytes_written;
}

int rc_regression_table_append(struct rc_regression_table *table,
                               const struct rc_regression_run *run, struct rc_error *error)
{
    if (!(run->seconds > 0) || !isfinite(run->seconds) || !(run->n > 0) || !isfinite(run->n) ||
        !(run->p >= 1) || !isfinite(run->p))
        return rc_error_set(error,
                            "cannot learn from a run without a size, a number of processes or a "
                            "time");
    if (run->at_least > 0) {
        if (rc_array_room(&table->killed, table->n_killed + 1, &table->killed_room,
                          sizeof *table->killed, error))
            return -1;
        table->killed[table->n_killed++] = *run;
        return 0;
    }
    if (rc_array_room(&table->runs, table->n_runs + 1, &table->capacity, sizeof *table->runs,
                      error))
        return -1;
    table->runs[table->n_runs++] = *run;
    return 0;
}

/* If a run has one of the two, it stands for the other, too, as in questions; otherwise members
 * with the other one would not learn from it. */
static void complete(double stats[RC_REGRESSION_STATS])
{
    if (isnan(stats[RC_REGRESSION_MINAVG]))
        stats[RC_REGRESSION_MINAVG] = stats[RC_REGRESSION_AVGMIN];
    else if (isnan(stats[RC_REGRESSION_AVGMIN]))
        stats[RC_REGRESSION_AVGMIN] = stats[RC_REGRESSION_MINAVG];
}

int rc_regression_table_add(struct rc_regression_table *table, const struct rc_run *run,
                            struct rc_error *error)
{
    struct rc_regression_run row = {
        .id = run->id,
        .n = run->n,
        .p = (double)run->p,
        .seconds = run->seconds,
        .at_least = run->status == RC_RUN_INTERRUPTED ? run->seconds : 0,
        .cpu = {run->cpu_minavg, run->cpu_avgmin},
        .bw = {run->bw_minavg, run->bw_avgmin},
        .bytes = bytes_of(run),
    };

    if (run->status == RC_RUN_FAILED)
        return rc_error_set(error, "cannot learn from a failed run");
    complete(row.cpu);
    complete(row.bw);
    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        row.params[i] = i < table->n_params ? rc_db_run_param(run, table->params[i]) : NAN;
    return rc_regression_table_append(table, &row, error);
}

/* ---- parameters by name ---- */

static bool is_bookkeeping(const char *name)
{
    for (size_t i = 0; i < sizeof bookkeeping / sizeof *bookkeeping; i++)
        if (strcmp(name, bookkeeping[i]) == 0)
            return true;
    return false;
}

static bool is_known(const struct rc_regression_table *table, const char *name)
{
    for (size_t i = 0; i < table->n_params; i++)
        if (strcmp(name, table->params[i]) == 0)
            return true;
    return false;
}

static int add_name(struct rc_regression_table *table, const char *name, struct rc_error *error)
{
    if (table->n_params == RC_REGRESSION_PARAMS_MAX) {
        rc_error_set(error, "the runs have more than %d parameters", RC_REGRESSION_PARAMS_MAX);
        return rc_error_code(error, "regression.too-many-params", NULL);
    }
    table->params[table->n_params] = strdup(name);
    if (!table->params[table->n_params])
        return rc_error_no_memory(error);
    table->n_params++;
    return 0;
}

static int leave_out(struct rc_regression_table *table, const char *name, int reason, size_t n_runs,
                     struct rc_error *error)
{
    struct rc_regression_left_out *left_out = &table->left_out[table->n_left_out];

    if (table->n_left_out == RC_REGRESSION_LEFT_OUT_MAX)
        return 0;
    *left_out = (struct rc_regression_left_out){strdup(name), reason, n_runs};
    if (!left_out->name)
        return rc_error_no_memory(error);
    table->n_left_out++;
    return 0;
}

static int leave_out_bookkeeping(struct rc_regression_table *table, const char *name,
                                 struct rc_error *error)
{
    for (size_t i = 0; i < table->n_left_out; i++)
        if (strcmp(table->left_out[i].name, name) == 0) {
            table->left_out[i].n_runs++;
            return 0;
        }
    return leave_out(table, name, RC_REGRESSION_SIMULATED, 1, error);
}

static int meet_names(struct rc_regression_table *table, const struct rc_run *run,
                      struct rc_error *error)
{
    for (size_t i = 0; i < run->n_params; i++) {
        const char *name = run->params[i].name;

        if (is_bookkeeping(name) ? leave_out_bookkeeping(table, name, error)
                                 : !is_known(table, name) && add_name(table, name, error))
            return -1;
    }
    return 0;
}

static void drop_value(struct rc_regression_run *run, size_t param)
{
    memmove(run->params + param, run->params + param + 1,
            (RC_REGRESSION_PARAMS_MAX - param - 1) * sizeof *run->params);
    run->params[RC_REGRESSION_PARAMS_MAX - 1] = NAN;
}

static void drop_param(struct rc_regression_table *table, size_t param)
{
    free(table->params[param]);
    table->n_params--;
    for (size_t i = param; i < table->n_params; i++)
        table->params[i] = table->params[i + 1];
    for (size_t run = 0; run < table->n_runs; run++)
        drop_value(&table->runs[run], param);
    for (size_t run = 0; run < table->n_killed; run++)
        drop_value(&table->killed[run], param);
}

/* How many runs have it, and whether it varies. */
static size_t count_known(const struct rc_regression_table *table, size_t param, bool *varies)
{
    double first = NAN;
    size_t known = 0;

    *varies = false;
    for (size_t run = 0; run < table->n_runs; run++) {
        double value = table->runs[run].params[param];

        if (!isfinite(value))
            continue;
        if (known++ == 0)
            first = value;
        *varies = *varies || value != first;
    }
    return known;
}

static bool says_all(const struct rc_regression_table *table, const struct rc_regression_run *run)
{
    for (size_t i = 0; i < table->n_params; i++)
        if (!isfinite(run->params[i]))
            return false;
    return true;
}

/* Removes the runs that lack a parameter; returns how many are left. */
static size_t keep_complete(const struct rc_regression_table *table, struct rc_regression_run *runs,
                            size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (says_all(table, &runs[i]))
            runs[kept++] = runs[i];
    return kept;
}

/* Parameters that do not vary, or that some completed runs lack, are dropped. */
static int drop_what_tells_nothing(struct rc_regression_table *table, struct rc_error *error)
{
    for (size_t i = table->n_params; i-- > 0;) {
        bool varies;
        size_t known = count_known(table, i, &varies);

        if (varies && known == table->n_runs)
            continue;
        if (known > 0 &&
            leave_out(table, table->params[i],
                      varies ? RC_REGRESSION_PARTLY : RC_REGRESSION_CONSTANT, known, error))
            return -1;
        drop_param(table, i);
    }
    table->n_killed = keep_complete(table, table->killed, table->n_killed);
    return 0;
}

/* For parameters that were asked for. */
static int leave_out_runs(struct rc_regression_table *table, struct rc_error *error)
{
    for (size_t i = 0; i < table->n_params && table->n_runs > 0; i++) {
        bool varies;

        if (count_known(table, i, &varies) == 0) {
            rc_error_set(error, "no run has a parameter '%.100s'", table->params[i]);
            return rc_error_code(error, "regression.no-such-param", NULL);
        }
    }
    table->n_runs = keep_complete(table, table->runs, table->n_runs);
    table->n_killed = keep_complete(table, table->killed, table->n_killed);
    return 0;
}

/* ---- where runs were ---- */

/* Runs of one place often follow one another: the last ones first. */
static int find_place(struct rc_regression_table *table, const char *hosts, size_t *place,
                      struct rc_error *error)
{
    size_t i = table->n_places;

    *place = 0;
    if (!hosts || !*hosts)
        return 0;
    while (i > 0 && strcmp(table->places[i - 1], hosts) != 0)
        i--;
    *place = i;
    if (i > 0 || table->n_places == RC_REGRESSION_PLACES_MAX)
        return 0;
    if (rc_array_room(&table->places, table->n_places + 1, &table->places_room,
                      sizeof *table->places, error))
        return -1;
    table->places[table->n_places] = strdup(hosts);
    if (!table->places[table->n_places])
        return rc_error_no_memory(error);
    *place = ++table->n_places;
    return 0;
}

/* What the run that was added last had of its hosts. */
static int see_hosts(struct rc_regression_table *table, const struct rc_run *run,
                     const struct rc_regression_wanted *wanted,
                     struct rc_regression_sampled *sampled, struct rc_error *error)
{
    struct rc_regression_run *row = run->status == RC_RUN_OK ? &table->runs[table->n_runs - 1]
                                                             : &table->killed[table->n_killed - 1];
    double said[RC_REGRESSION_STATS] = {row->cpu[RC_REGRESSION_MINAVG],
                                        row->cpu[RC_REGRESSION_AVGMIN]};
    enum rc_regression_scaled how;

    if (find_place(table, run->hosts, &row->place, error))
        return -1;
    how = wanted->speeds ? rc_regression_speeds_scale(wanted->speeds, sampled, run, row->cpu)
                         : RC_REGRESSION_UNSCALED;
    if (how != RC_REGRESSION_UNSCALED)
        row->weight = rc_regression_speeds_least(wanted->speeds, run->hosts);
    for (int stat = 0; stat < RC_REGRESSION_STATS && how >= RC_REGRESSION_SAMPLED; stat++)
        row->gain[stat] =
            how == RC_REGRESSION_LEAST ? (double)NAN : row->cpu[stat] / (row->weight * said[stat]);
    return 0;
}

/* Runs without samples had more than the least that they can have had: as much more, on average, as
 * runs on the same hosts with samples had.  No more than all of the slowest host's core. */
static void share_gains(struct rc_regression_table *table, size_t place, int stat)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        if (table->runs[i].place == place && table->runs[i].gain[stat] > 0) {
            sum += log(table->runs[i].gain[stat]);
            n++;
        }
    for (size_t i = 0; i < table->n_runs && n > 0; i++) {
        struct rc_regression_run *run = &table->runs[i];

        if (run->place == place && isnan(run->gain[stat]) && !isnan(run->cpu[stat]))
            run->cpu[stat] = fmin(run->cpu[stat] * exp(sum / n), run->weight);
    }
}

static bool weights_tell(const struct rc_regression_table *table)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < table->n_runs; i++) {
        const struct rc_regression_run *run = &table->runs[i];

        if (!(run->weight > 0) || !isnan(run->cpu[RC_REGRESSION_MINAVG]) ||
            !isnan(run->cpu[RC_REGRESSION_AVGMIN]))
            return false;
        least = fmin(least, run->weight);
        most = fmax(most, run->weight);
    }
    return least < most;
}

/* If the load is unknown, runs differ in the speeds of their hosts only. */
static void take_for_idle(struct rc_regression_table *table)
{
    if (!weights_tell(table))
        return;
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        for (size_t i = 0; i < table->n_runs; i++)
            table->runs[i].cpu[stat] = table->runs[i].weight;
        for (size_t i = 0; i < table->n_killed; i++)
            table->killed[i].cpu[stat] = table->killed[i].weight;
    }
}

/* ---- from the database ---- */

/* The time that is wanted; NAN where the run has none of it. */
static double time_of(const struct rc_run *run, const struct rc_regression_wanted *wanted)
{
    const char *phase = wanted->phase ? wanted->phase : "";

    if (!*phase && wanted->process < 0)
        return run->seconds;
    for (size_t i = 0; i < run->n_times; i++)
        if (strcmp(run->times[i].phase, phase) == 0 && run->times[i].process == wanted->process)
            return run->times[i].seconds;
    return NAN;
}

static int take(struct rc_regression_table *table, struct rc_run *run,
                const struct rc_regression_wanted *wanted, struct rc_regression_sampled *sampled,
                struct rc_error *error)
{
    bool of_part = (wanted->phase && *wanted->phase) || wanted->process >= 0;
    double whole = run->seconds;

    if (run->id <= wanted->after || run->status == RC_RUN_FAILED ||
        (run->status != RC_RUN_OK && of_part))
        return 0;
    run->seconds = time_of(run, wanted);
    if (!(run->seconds > 0)) /* a phase that this run did not have, or that took no time */
        return 0;
    if ((!wanted->params && meet_names(table, run, error) != 0) ||
        rc_regression_table_add(table, run, error) != 0)
        return -1;
    run->seconds = whole; /* of single phases no load is recorded */
    return see_hosts(table, run, wanted, sampled, error);
}

static int read_runs(struct rc_regression_table *table, struct rc_db *store,
                     const struct rc_regression_wanted *wanted,
                     struct rc_regression_sampled *sampled, struct rc_error *error)
{
    unsigned fields = RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS | RC_FIELD_CPU_MINAVG |
                      RC_FIELD_CPU_AVGMIN | RC_FIELD_BW_MINAVG | RC_FIELD_BW_AVGMIN |
                      RC_FIELD_BYTES_READ | RC_FIELD_BYTES_WRITTEN | RC_FIELD_STATUS |
                      RC_FIELD_PARAMS | RC_FIELD_HOSTS;
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = wanted->app;
    filter.platform = wanted->platform;
    if ((wanted->phase && *wanted->phase) || wanted->process >= 0)
        fields |= RC_FIELD_TIMES;
    if (sampled)
        fields |= RC_FIELD_START;
    cursor = rc_db_run_find(store, &filter, fields, error);
    if (!cursor)
        return -1;
    while ((got = rc_db_run_next(cursor, &run, error)) > 0)
        if (take(table, &run, wanted, sampled, error) != 0) {
            got = -1;
            break;
        }
    rc_db_run_cursor_close(cursor);
    return got;
}

int rc_regression_table_load(struct rc_regression_table *table, struct rc_db *store,
                             const struct rc_regression_wanted *wanted, struct rc_error *error)
{
    bool weighed = wanted->speeds && wanted->speeds->n > 0;
    struct rc_regression_sampled *sampled =
        weighed ? rc_regression_sampled_create(store, error) : NULL;
    int status = weighed && !sampled ? -1 : 0;

    for (size_t i = 0; i < wanted->n_params && status == 0; i++)
        if (!is_known(table, wanted->params[i]))
            status = add_name(table, wanted->params[i], error);
    if (status == 0)
        status = read_runs(table, store, wanted, sampled, error);
    rc_regression_sampled_destroy(sampled);
    if (status)
        return -1;
    take_for_idle(table);
    for (size_t place = 1; place <= table->n_places && weighed; place++)
        for (int stat = 0; stat < RC_REGRESSION_STATS; stat++)
            share_gains(table, place, stat);
    return wanted->params ? leave_out_runs(table, error) : drop_what_tells_nothing(table, error);
}
