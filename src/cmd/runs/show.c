// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - 'runcast runs show'. */
#include "cmd/runs/runs.h"

#include <stdlib.h>
#include <string.h>

#include "answer/runs_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "report/cell.h"
#include "report/table.h"

struct show_options {
    const char *db;
    bool json;
};

static const struct rc_option show_options[] = {
    RC_OPTION_JSON(struct show_options),
    RC_OPTION_DB(struct show_options),
    RC_OPTIONS_END,
};

static void put_label(struct rc_table *table, const char *label)
{
    char text[320];

    snprintf(text, sizeof text, "%s:", label);
    rc_table_text(table, text);
}

static void put_measure(struct rc_table *table, const struct rc_field *field,
                        const struct rc_run *run)
{
    bool is_time = field->kind == RC_AS_SECONDS;
    double value = *(const double *)((const char *)run + field->offset);
    char exact[RC_NUMBER_SIZE], text[RC_UNIT_SIZE], both[RC_NUMBER_SIZE + RC_UNIT_SIZE + 16];
    const char *unit = is_time ? "s" : "B", *blank;

    rc_number_format(value, exact);
    rc_unit_format(value, is_time ? RC_SECONDS : RC_BYTES, text);
    blank = strrchr(text, ' '); /* none in HH:MM:SS */
    if (blank && strcmp(blank + 1, unit) == 0)
        snprintf(both, sizeof both, "%s %s", exact, unit);
    else
        snprintf(both, sizeof both, "%s %s (%s)", exact, unit, text);
    rc_table_text(table, both);
}

/* One line; none if the value is unknown. */
static void put_field(struct rc_table *table, const struct rc_field *field,
                      const struct rc_run *run)
{
    json_t *value = rc_field_value(field, run);

    if (!json_is_null(value)) {
        put_label(table, field->title);
        if (field->kind == RC_AS_SECONDS || field->kind == RC_AS_BYTES)
            put_measure(table, field, run);
        else
            rc_field_cell(table, field, run);
    }
    json_decref(value);
}

static int show_table(const struct rc_run *run, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = ""}, {.title = "", .wrap = true}};
    struct rc_table *table = rc_table_create(stdout, heads, 2, rc_cmd_width());
    char text[300], names[] = RC_RUNS_ALL_COLUMNS, *rest = names, *name;

    if (!table)
        return rc_error_no_memory(error);
    while ((name = strsep(&rest, ",")))
        put_field(table, rc_cmd_runs_column(name), run);
    for (size_t i = 0; i < run->n_params; i++) {
        snprintf(text, sizeof text, "parameter %s", run->params[i].name);
        put_label(table, text);
        rc_table_number(table, run->params[i].value);
    }
    for (size_t i = 0; i < run->n_meta; i++) {
        snprintf(text, sizeof text, "metadata %s", run->meta[i].name);
        put_label(table, text);
        rc_table_text(table, run->meta[i].text);
    }
    for (size_t i = 0; i < run->n_times; i++) {
        char rank[32] = "all ranks";

        if (run->times[i].process >= 0)
            snprintf(rank, sizeof rank, "rank %d", run->times[i].process);
        snprintf(text, sizeof text, "time of %s%s%s", rank, *run->times[i].phase ? ", phase " : "",
                 run->times[i].phase);
        put_label(table, text);
        rc_cell_quantity(table, run->times[i].seconds, RC_SECONDS);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

/* Shows the runs that exist; fails unless all do. */
static int show_found(struct rc_run_cursor *cursor, const struct show_options *options,
                      size_t wanted, struct rc_error *error)
{
    struct rc_json_stream stream;
    struct rc_run run;
    size_t found = 0;
    int got;

    if (options->json)
        rc_json_stream_begin(&stream, stdout, rc_cmd_schema(), "runs");
    while ((got = rc_db_run_next(cursor, &run, error)) > 0) {
        if (found++ && !options->json)
            putchar('\n');
        if (options->json ? rc_json_stream_add(&stream, rc_answer_run_json(&run, RC_FIELD_ALL))
                          : show_table(&run, error))
            return rc_error_no_memory(error);
    }
    if (options->json)
        rc_json_stream_end(&stream);
    if (got < 0)
        return -1;
    if (found == wanted)
        return 0;
    rc_error_set(error,
                 wanted == 1 ? "no run with this number" : "no run with some of these numbers");
    return rc_error_hint(error, "'runcast runs list' lists the runs");
}

static int compare_ids(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* Sorts them, too. */
static size_t count_different(int64_t *ids, size_t count)
{
    size_t different = 0;

    qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || ids[i] != ids[i - 1];
    return different;
}

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct rc_run_filter filter;
    struct rc_db *db = NULL;
    struct rc_run_cursor *cursor = NULL;
    struct rc_error error;
    int64_t *ids;
    int status = rc_cmd_runs_filter(invocation, NULL, &filter, &ids);

    if (status == RC_EXIT_OK) {
        db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
        status = db ? RC_EXIT_OK : RC_EXIT_FAILED;
    }
    if (db) {
        cursor = rc_db_run_find(db, &filter, RC_FIELD_ALL, &error);
        if (!cursor || show_found(cursor, options, count_different(ids, filter.n_ids), &error))
            status = rc_cmd_fail(&error, "showing the run%s", filter.n_ids == 1 ? "" : "s");
    }
    rc_db_run_cursor_close(cursor);
    rc_db_close(db);
    free(ids);
    return status;
}

const struct rc_command rc_command_runs_show = {
    .name = "show",
    .summary = "Show runs in detail",
    .arguments = "ID...",
    .details = "Shows all stored data of each run: parameters, metadata, hosts, load, memory, and "
               "times of phases and processes.",
    .examples = "  runcast runs show 17\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .rows = rc_answer_run,
    .rows_key = "runs",
    .run = run_show,
};
