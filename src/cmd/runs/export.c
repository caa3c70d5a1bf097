// SPDX-License-Identifier: GPL-3.0-or-later
/* export.c - 'runcast runs export'. */
#include "cmd/runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "db/phase_time_columns.h"
#include "db/run_csv.h"

struct export_options {
    struct rc_runs_choice choice;
    const char *db;
    bool csv, json;
};

static const struct export_options export_defaults = {.choice = RC_RUNS_CHOICE_DEFAULT};

static const struct rc_option export_options[] = {
    RC_RUNS_CHOICE_OPTIONS(struct export_options),
    {RC_OPTION_OF(struct export_options, FLAG, csv), .name = "csv",
     .help = "write CSV that 'runcast import' reads (the default)"},
    RC_OPTION_JSON(struct export_options),
    RC_OPTION_DB(struct export_options),
    RC_OPTIONS_END,
};

/* ---- parameters, metadata, and times of phases and processes ---- */

/* Columns of a table besides these. */
enum { FIXED_COLUMNS = 15 };

/* Bytes of the longest heading. */
enum { COLUMN_SIZE = 300 };

struct further {
    UT_hash_handle hh;
    size_t place;
    double value;     /* of the run at hand */
    const char *text; /* the same of metadata; NULL: none */
    char name[];
};

static int add_name(struct further **names, const char *name)
{
    size_t length = strlen(name);
    struct further *known;

    HASH_FIND(hh, *names, name, length, known);
    if (known)
        return 0;
    known = malloc(sizeof *known + length + 1);
    if (!known)
        return -1;
    memcpy(known->name, name, length + 1);
    known->place = HASH_COUNT(*names);
    known->value = NAN;
    known->text = NULL;
    HASH_ADD(hh, *names, name, length, known);
    if (!known->hh.tbl) {
        free(known);
        return -1;
    }
    return 0;
}

/* The header needs all columns, so a first walk collects them. */
static int add_names(struct rc_db *db, const struct rc_run_filter *filter, struct further **names,
                     struct rc_error *error)
{
    struct rc_run_cursor *cursor =
        rc_db_run_find(db, filter, RC_FIELD_PARAMS | RC_FIELD_META | RC_FIELD_TIMES, error);
    char column[COLUMN_SIZE];
    struct rc_run run;
    int got = -1, bad = 0;

    if (!cursor)
        return -1;
    while (!bad && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        for (size_t i = 0; i < run.n_params; i++)
            bad |= add_name(names, run.params[i].name);
        for (size_t i = 0; i < run.n_meta; i++) {
            snprintf(column, sizeof column, RC_META_PREFIX "%s", run.meta[i].name);
            bad |= add_name(names, column);
        }
        for (size_t i = 0; i < run.n_times; i++) {
            rc_db_time_column_name(&run.times[i], column);
            bad |= add_name(names, column);
        }
    }
    rc_db_run_cursor_close(cursor);
    if (HASH_COUNT(*names) + FIXED_COLUMNS > RC_CSV_FIELDS_MAX) {
        rc_error_set(error,
                     "too many columns: the runs have %u different parameters, metadata and times",
                     HASH_COUNT(*names));
        return rc_error_hint(error, "choose fewer runs, or use --json");
    }
    return bad ? rc_error_no_memory(error) : got < 0 ? -1 : 0;
}

static void forget_names(struct further *names)
{
    struct further *name, *next;

    HASH_ITER(hh, names, name, next)
    {
        HASH_DEL(names, name);
        free(name);
    }
}

/* ---- CSV ---- */

static void put_text(const char *text)
{
    size_t length = strlen(text);

    /* Unquoted, '#' begins a comment and NA is an unknown value. */
    if (!strpbrk(text, ",\"\r\n") && text[0] != '#' && strcasecmp(text, "NA") != 0 &&
        strcasecmp(text, "nan") != 0 &&
        (length == 0 || (text[0] != ' ' && text[length - 1] != ' '))) {
        fwrite(text, 1, length, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

static void put_number(double value)
{
    char text[RC_NUMBER_SIZE];

    if (!isnan(value))
        fwrite(text, 1, rc_number_format(value, text), stdout);
}

static void set_value(struct further *names, const char *column, double value, const char *text)
{
    struct further *name;

    HASH_FIND_STR(names, column, name);
    if (!name)
        return;
    name->value = value;
    name->text = text;
}

/* The values of the run at hand, in the order of their first run. */
static void put_further(struct further *names)
{
    struct further *name, *next;

    HASH_ITER(hh, names, name, next)
    {
        putchar(',');
        if (name->text)
            put_text(name->text);
        else
            put_number(name->value);
        name->value = NAN;
        name->text = NULL;
    }
}

static void put_run(const struct rc_run *run, struct further *names)
{
    const double numbers[] = {run->seconds,    run->start,      run->memory,
                              run->cpu_minavg, run->cpu_avgmin, run->bw_minavg,
                              run->bw_avgmin,  run->bytes_read, run->bytes_written};
    char column[COLUMN_SIZE];

    put_text(run->app);
    putchar(',');
    put_text(run->platform);
    putchar(',');
    put_text(run->hosts);
    putchar(',');
    put_number(run->n);
    putchar(',');
    put_number((double)run->p);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        putchar(',');
        put_number(numbers[i]);
    }
    putchar(',');
    put_text(rc_db_run_status_name(run->status));
    for (size_t i = 0; i < run->n_params; i++)
        set_value(names, run->params[i].name, run->params[i].value, NULL);
    for (size_t i = 0; i < run->n_meta; i++) {
        snprintf(column, sizeof column, RC_META_PREFIX "%s", run->meta[i].name);
        set_value(names, column, NAN, run->meta[i].text);
    }
    for (size_t i = 0; i < run->n_times; i++) {
        rc_db_time_column_name(&run->times[i], column);
        set_value(names, column, run->times[i].seconds, NULL);
    }
    put_further(names);
    putchar('\n');
}

static int export_csv(struct rc_db *db, const struct rc_run_filter *filter, struct rc_error *error)
{
    struct further *names = NULL, *name, *next;
    struct rc_run_cursor *cursor = NULL;
    struct rc_runs_pace pace;
    struct rc_run run;
    int got = -1;

    /* The names and the rows must be of one state of the database. */
    if (rc_db_hold(db, error))
        return -1;
    rc_cmd_runs_pace_begin(&pace, db, filter, "exporting");
    if (add_names(db, filter, &names, error) == 0)
        cursor = rc_db_run_find(db, filter, RC_FIELD_ALL, error);
    if (cursor) {
        fputs("app,platform,hosts,n,p,seconds,start,memory,cpu_minavg,cpu_avgmin,bw_minavg,"
              "bw_avgmin,bytes_read,bytes_written,status",
              stdout);
        HASH_ITER(hh, names, name, next)
        {
            putchar(',');
            put_text(name->name);
        }
        putchar('\n');
        while ((got = rc_db_run_next(cursor, &run, error)) > 0 && !ferror(stdout)) {
            rc_cmd_runs_step(&pace);
            put_run(&run, names);
        }
    }
    rc_progress_end(&pace.progress);
    rc_db_run_cursor_close(cursor);
    rc_db_release(db);
    forget_names(names);
    return got < 0 ? -1 : 0;
}

static int export_json(struct rc_db *db, const struct rc_run_filter *filter, struct rc_error *error)
{
    struct rc_run_cursor *cursor = rc_db_run_find(db, filter, RC_FIELD_ALL, error);
    struct rc_runs_pace pace;
    int status;

    if (!cursor)
        return -1;
    rc_cmd_runs_pace_begin(&pace, db, filter, "exporting");
    status = rc_cmd_runs_write_json(cursor, RC_FIELD_ALL, &pace, error);
    rc_progress_end(&pace.progress);
    rc_db_run_cursor_close(cursor);
    return status;
}

static int run_export(struct rc_invocation *invocation)
{
    const struct export_options *options = invocation->options;
    struct rc_run_filter filter;
    struct rc_db *db = NULL;
    struct rc_error error;
    int64_t *ids;
    int status = rc_cmd_runs_filter(invocation, &options->choice, &filter, &ids);

    if (status == RC_EXIT_OK && options->csv && options->json)
        status = rc_cmd_usage_text(invocation, "--csv and --json exclude one another");
    if (status == RC_EXIT_OK) {
        db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
        status = db ? RC_EXIT_OK : RC_EXIT_FAILED;
    }
    if (db && (options->json ? export_json(db, &filter, &error) : export_csv(db, &filter, &error)))
        status = rc_cmd_fail(&error, "exporting the runs");
    rc_db_close(db);
    free(ids);
    return status;
}

const struct rc_command rc_command_runs_export = {
    .name = "export",
    .summary = "Export runs",
    .arguments = "[ID...]",
    .details =
        "Writes the runs to standard output, with all digits. 'runcast import' reads the CSV "
        "into another database. Times of phases and processes are in columns such as "
        "time:solve or time:solve:0, and metadata in columns such as meta:job.",
    .examples = "  runcast runs export --app lulesh > lulesh.csv\n",
    .most_arguments = -1,
    .options = export_options,
    .options_size = sizeof(struct export_options),
    .defaults = &export_defaults,
    .rows = rc_answer_run,
    .rows_key = "runs",
    .run = run_export,
};
