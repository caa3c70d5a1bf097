// SPDX-License-Identifier: GPL-3.0-or-later
/* scaling_table.c - 'runcast predict' for several numbers of processes: a table of run times,
 * speedup, parallel efficiency and cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/progress_monitor.h"
#include "cmd/core/hints.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/predict/predict.h"

struct table {
    struct rc_cmd_answer *answer;
    struct rc_answer_scaling scaling;
    double cost;      /* of a core for an hour; NAN: unknown */
    unsigned methods; /* that answered, as a set */
    size_t silent;    /* numbers of processes that no method can predict, ... */
    int64_t first_silent;
    char why[RC_HINT_SIZE]; /* ... the first of them, and why */
};

/* ---- rows ---- */

/* That of all hosts that are used, if it is the same on each. */
static double core_hour_cost(const struct rc_cmd_answer *answer)
{
    const struct rc_platform *platform = answer->platform_file;
    double cost = NAN;

    if (!platform)
        return NAN;
    for (size_t i = 0; i < answer->hosts.count; i++) {
        const struct rc_cluster *cluster = NULL;

        rc_platform_find_host(platform, answer->hosts.names[i], &cluster);
        if (!cluster || (i > 0 && cluster->core_hour_cost != cost))
            return NAN;
        cost = cluster->core_hour_cost;
    }
    return cost;
}

static void note_silence(struct table *table, int64_t procs)
{
    const struct rc_predict_answer *found = &table->answer->report.found;

    if (table->silent++ > 0)
        return;
    table->first_silent = procs;
    snprintf(table->why, sizeof table->why, "%s", found->methods[found->nearest].why.text);
}

static int add_row(struct table *table, int64_t procs, struct rc_error *error)
{
    struct rc_cmd_answer *answer = table->answer;
    struct rc_answer_scaled *list = table->scaling.list, *row = &list[table->scaling.n];
    const struct rc_predict_answer *found = &answer->report.found;

    if (rc_cmd_predict_place(answer, procs, error) || rc_cmd_predict_ask(answer, error))
        return -1;
    if (found->answered == 0) {
        note_silence(table, procs);
        return 0;
    }
    if (rc_cmd_predict_check_reach(answer, error))
        return -1;
    *row = (struct rc_answer_scaled){.procs = procs,
                                     .hosts = found->hosts ? strdup(found->hosts) : NULL,
                                     .method = answer->report.method,
                                     .summary = answer->report.summary};
    table->scaling.n++;
    if (found->hosts && !row->hosts)
        return rc_error_no_memory(error);
    for (int m = 0; m < RC_METHODS; m++)
        table->methods |= found->methods[m].answered ? 1U << m : 0;
    row->speedup = list[0].summary.predicted / row->summary.predicted;
    row->efficiency = row->speedup * (double)list[0].procs / (double)procs;
    row->core_hours = (double)procs * row->summary.mean / 3600;
    row->cost = table->cost * row->core_hours;
    return 0;
}

static int add_rows(struct table *table, const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_cmd_procs *numbers = &table->answer->numbers;
    int64_t room = rc_cmd_predict_room(table->answer);

    table->scaling.list = calloc(numbers->n, sizeof *table->scaling.list);
    if (!table->scaling.list)
        return rc_error_no_memory(error);
    table->cost = core_hour_cost(table->answer);
    for (size_t i = 0; i < numbers->n && numbers->numbers[i] <= room; i++) {
        rc_progress_monitor_advance(monitor, i, numbers->n);
        if (rc_progress_monitor_check(monitor, error) || add_row(table, numbers->numbers[i], error))
            return -1;
    }
    return 0;
}

/* ---- notes ---- */

static int note_all(const struct table *table, struct rc_db *db, struct rc_error *error)
{
    const struct rc_cmd_procs *numbers = &table->answer->numbers;

    rc_cmd_note_procs(numbers->numbers, numbers->n, rc_cmd_predict_room(table->answer), "");
    if (table->silent)
        rc_cmd_note("no prediction for %zu of the numbers of processes, such as %lld: %s",
                    table->silent, (long long)table->first_silent, table->why);
    return rc_cmd_predict_notes(table->answer, db, error);
}

/* ---- showing ---- */

static void print_methods(const struct table *table)
{
    const char *lead = "methods: ";

    for (int m = 0; m < RC_METHODS; m++)
        if (table->methods & 1U << m) {
            printf("%s%s", lead, rc_predict_method_name((enum rc_method)m));
            lead = ", ";
        }
    printf("\n");
}

/* How far the numbers are beyond those of the runs of the regression model. */
static void print_extrapolation(const struct table *table)
{
    const struct rc_run_model *run_model = table->answer->run_model;
    const struct rc_answer_scaling *scaling = &table->scaling;
    double fewest = (double)scaling->list[0].procs;
    double most = (double)scaling->list[scaling->n - 1].procs;

    if (!(table->methods & 1U << RC_METHOD_REGRESSION) || !run_model)
        return;
    rc_cmd_predict_extrapolation_line("size", run_model->beyond.n, run_model->question.n,
                                      run_model->model->n);
    rc_cmd_predict_extrapolation_line("smallest number of processes",
                                      run_model->model->p.low / fewest, fewest,
                                      run_model->model->p);
    rc_cmd_predict_extrapolation_line("largest number of processes",
                                      most / run_model->model->p.high, most, run_model->model->p);
}

static int print_table(const struct table *table, struct rc_error *error)
{
    enum { FIELDS_MOST = 16 };
    const struct rc_answer_scaling *scaling = &table->scaling;
    struct rc_field fields[FIELDS_MOST] = {{.kind = RC_AS_END}};
    char size[RC_NUMBER_SIZE], cost[64];
    long long base = (long long)scaling->list[0].procs;

    rc_number_format_short(scaling->question.size, 6, size);
    printf("%s, size %s%s%s\n", scaling->question.app, size,
           scaling->question.platform ? ", platform " : "",
           scaling->question.platform ? scaling->question.platform : "");
    snprintf(cost, sizeof cost, "cost%s%.40s", *scaling->currency ? ", " : "", scaling->currency);
    for (size_t i = 0; rc_answer_scaled[i].kind != RC_AS_END; i++) {
        fields[i] = rc_answer_scaled[i];
        if (fields[i].title && strcmp(fields[i].title, "cost") == 0)
            fields[i].title = isnan(table->cost) ? NULL : cost;
    }
    if (rc_field_table(stdout, fields, scaling->list, scaling->n, sizeof *scaling->list,
                       rc_cmd_width(), error))
        return -1;
    printf("speedup, efficiency: relative to %lld process%s\n", base, base == 1 ? "" : "es");
    rc_cmd_predict_defaults_show(table->answer);
    print_methods(table);
    print_extrapolation(table);
    return 0;
}

static void write_json(struct table *table)
{
    struct rc_clock *clock = rc_clock_system();

    table->scaling.created = clock->wall(clock);
    table->scaling.notes = rc_cmd_notes_json();
    rc_cmd_set_schema("predict procs");
    rc_cmd_print_json(rc_field_json(rc_answer_scaling, &table->scaling));
    json_decref(table->scaling.notes);
}

static int show(struct table *table, struct rc_db *db, struct rc_cmd_work *work)
{
    const struct rc_cmd_predict_options *options = table->answer->options;
    struct rc_error error;

    table->scaling.question = table->answer->report.question;
    table->scaling.currency =
        table->answer->platform_file ? table->answer->platform_file->currency : "";
    if (note_all(table, db, &error))
        return rc_cmd_predict_fail(&error, options);
    if (options->json)
        write_json(table);
    else if (print_table(table, &error))
        return rc_cmd_predict_fail(&error, options);
    if (options->plot &&
        rc_cmd_predict_draw(table->answer, table->scaling.list, table->scaling.n, db, work, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

int rc_cmd_predict_table(struct rc_cmd_answer *answer, struct rc_db *db, struct rc_cmd_work *work)
{
    struct table table = {.answer = answer};
    struct rc_error error;
    int status = add_rows(&table, &work->monitor, &error);

    rc_progress_end(&work->progress); /* before anything is printed */
    if (status) {
        status = rc_cmd_predict_fail(&error, answer->options);
    } else if (table.scaling.n == 0) {
        status = rc_cmd_predict_lack(answer);
    } else {
        rc_cmd_predict_store(answer, false, work);
        status = show(&table, db, work);
    }
    for (size_t i = 0; i < table.scaling.n; i++)
        free(table.scaling.list[i].hosts);
    free(table.scaling.list);
    return status;
}
