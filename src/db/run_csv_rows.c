// SPDX-License-Identifier: GPL-3.0-or-later
/* run_csv_rows.c - rows of a table as runs. */
#include "db/run_csv_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "db/run.h"

/* Bytes of a list of hosts. */
enum { HOSTS_MAX_BYTES = 65536 };

static const double YEAR_10000 = 253402300800.0; /* when it begins */

/* Whether the cell has no value. */
static bool is_blank(const struct rc_csv_field *field)
{
    if (field->length == 0)
        return true;
    if (field->length > 3 || field->quoted || (field->text[0] | 0x20) != 'n')
        return false;
    return strcasecmp(field->text, "NA") == 0 || strcasecmp(field->text, "nan") == 0;
}

/* An error at `field`, with the name of its column in front. */
static int fault(const struct rc_run_table *table, const struct rc_table_column *column,
                 const struct rc_csv_field *field, struct rc_error *error, const char *what)
{
    return rc_error_at(error, table->name, field->line, field->column, "column '%s': %s",
                       column->name, what);
}

/* The same for what a lower function has put into `error`. */
static int fault_from(const struct rc_run_table *table, const struct rc_table_column *column,
                      const struct rc_csv_field *field, struct rc_error *error)
{
    struct rc_error inner = {0};

    if (!error)
        return -1;
    inner = *error;
    inner.text[400] = '\0'; /* leaves room for the name of the column */
    fault(table, column, field, error, inner.text);
    return rc_error_hint_of(error, &inner);
}

static int read_quantity(const struct rc_csv_field *field, enum rc_dimension dimension,
                         double *value, struct rc_error *error)
{
    bool in_minutes;

    if (rc_number_parse(field->text, field->length, value) == 0)
        return 0;
    if (dimension == RC_SECONDS)
        return rc_unit_parse_elapsed(field->text, field->length, value, &in_minutes, error);
    return rc_unit_parse(field->text, field->length, dimension, value, error);
}

static int read_number(const struct rc_run_table *table, const struct rc_table_column *column,
                       const struct rc_csv_field *field, double *value, struct rc_error *error)
{
    const struct rc_known_column *known = column->known;
    char text[160], most[RC_NUMBER_SIZE];

    if (rc_number_has_comma(field->text, field->length)) {
        snprintf(text, sizeof text, "'%.60s' has a decimal comma; write a point", field->text);
        return fault(table, column, field, error, text);
    }
    if (read_quantity(field, known->dimension, value, error))
        return fault_from(table, column, field, error);
    if (*value < known->least || *value > known->most || (known->above && *value <= known->least)) {
        rc_number_format(known->most, most);
        snprintf(text, sizeof text, "%.60s is not %s %g%s%s", field->text,
                 known->above ? "greater than" : "at least", known->least,
                 isinf(known->most) ? "" : " and at most ", isinf(known->most) ? "" : most);
        return fault(table, column, field, error, text);
    }
    return 0;
}

static int read_count(const struct rc_run_table *table, const struct rc_table_column *column,
                      const struct rc_csv_field *field, int64_t *value, struct rc_error *error)
{
    double number;

    if (read_number(table, column, field, &number, error))
        return -1;
    if (number != floor(number))
        return fault(table, column, field, error, "not a whole number");
    *value = (int64_t)number;
    return 0;
}

static int read_text(const struct rc_run_table *table, const struct rc_table_column *column,
                     const struct rc_csv_field *field, const char **value, struct rc_error *error)
{
    size_t most = column->known->holds == RC_HOLDS_HOSTS ? HOSTS_MAX_BYTES : RC_RUN_NAME_MAX;

    if (field->length > most)
        return fault(table, column, field, error, "text too long");
    if (!rc_text_is_printable(field->text, field->length))
        return fault(table, column, field, error, "text with control characters, or not UTF-8");
    *value = field->text;
    return 0;
}

static int read_status(const struct rc_run_table *table, const struct rc_table_column *column,
                       const struct rc_csv_field *field, enum rc_run_status *value,
                       struct rc_error *error)
{
    if (rc_db_run_status_parse(field->text, value) == 0)
        return 0;
    return fault(table, column, field, error,
                 "not one of ok, failed, interrupted, or a final state of a Slurm job");
}

static int read_time(const struct rc_run_table *table, const struct rc_table_column *column,
                     const struct rc_csv_field *field, double *value, struct rc_error *error)
{
    enum rc_local_time occurs;

    if (table->options.zone ? rc_time_zone_parse(table->options.zone, field->text, field->length,
                                                 value, &occurs, error)
                            : rc_timestamp_parse(field->text, field->length, value, error))
        return fault_from(table, column, field, error);
    return *value < YEAR_10000
               ? 0
               : fault(table, column, field, error,
                       "after the year 9999; the unit is seconds, not milliseconds");
}

static int read_part(const struct rc_run_table *table, const struct rc_table_column *column,
                     const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    double seconds;

    if (read_number(table, column, field, &seconds, error))
        return -1;
    table->times[run->n_times++] = (struct rc_run_time){column->phase, column->process, seconds};
    return 0;
}

/* The number of processes is known once the whole row is read. */
static int check_parts(const struct rc_run_table *table, const struct rc_csv_row *row,
                       const struct rc_run *run, struct rc_error *error)
{
    for (size_t i = 0; i < table->n_columns && run->n_times > 0; i++) {
        const struct rc_table_column *column = &table->columns[i];

        if (column->known == &rc_db_phase_time_column && column->process >= run->p &&
            !is_blank(&row->fields[i]))
            return fault(table, column, &row->fields[i], error,
                         "the run has no such rank (ranks count from 0)");
    }
    return 0;
}

static int read_known(const struct rc_run_table *table, const struct rc_table_column *column,
                      const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    void *member = (char *)run + column->known->offset;

    if (is_blank(field))
        return rc_db_run_table_requires(table, column->known)
                   ? fault(table, column, field, error,
                           field->length ? "a value is required" : "empty")
                   : 0;
    switch (column->known->holds) {
    case RC_HOLDS_NAME:
    case RC_HOLDS_HOSTS:
        if (read_text(table, column, field, member, error))
            return -1;
        return table->asked && strcmp(run->app, table->options.app) != 0
                   ? fault(table, column, field, error, "not the app that was asked for")
                   : 0;
    case RC_HOLDS_NUMBER:
        return read_number(table, column, field, member, error);
    case RC_HOLDS_COUNT:
        return read_count(table, column, field, member, error);
    case RC_HOLDS_TIME:
        return read_time(table, column, field, member, error);
    case RC_HOLDS_STATUS:
        return read_status(table, column, field, member, error);
    case RC_HOLDS_PART:
        return read_part(table, column, field, run, error);
    case RC_HOLDS_BLANK:
        return fault(table, column, field, error, "the column has no name");
    default:
        return 0;
    }
}

static int read_param(struct rc_run_table *table, struct rc_table_column *column,
                      const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    double value;

    if (rc_number_parse(field->text, field->length, &value) == 0) {
        table->params[run->n_params++] = (struct rc_param){column->name, value};
        column->saw = RC_SAW_NUMBER;
        column->number = value;
        return 0;
    }
    column->saw = RC_SAW_TEXT;
    if (!table->settled)
        return 0;
    return rc_error_at(error, table->name, field->line, field->column,
                       "column '%s': '%.200s' is not a number", column->name, field->text);
}

static int describe_unfit(const struct rc_run_table *table, const struct rc_table_column *column,
                          const struct rc_csv_field *field, struct rc_error *error)
{
    char text[120];

    snprintf(text, sizeof text, "text longer than %d bytes, or not plain UTF-8", RC_META_TEXT_MAX);
    return fault(table, column, field, error, text);
}

static int read_meta(struct rc_run_table *table, struct rc_table_column *column,
                     const struct rc_csv_field *field, struct rc_run *run, struct rc_error *error)
{
    column->saw = RC_SAW_TEXT;
    if (rc_db_meta_text_is_good(field->text, field->length))
        table->meta[run->n_meta++] = (struct rc_meta){column->name, field->text};
    else if (table->settled)
        return describe_unfit(table, column, field, error);
    return 0;
}

/* A column whose name is not known. */
static int read_unknown(struct rc_run_table *table, struct rc_table_column *column,
                        const struct rc_csv_field *field, struct rc_run *run,
                        struct rc_error *error)
{
    column->saw = RC_SAW_NOTHING;
    if (column->is_key && is_blank(field))
        return fault(table, column, field, error, "the key is empty");
    if (is_blank(field) || column->role == RC_ROLE_IGNORED)
        return 0;
    return column->role == RC_ROLE_META ? read_meta(table, column, field, run, error)
                                        : read_param(table, column, field, run, error);
}

/* A run must fit into the database, whatever of it turns out to be metadata. */
static int check_meta(const struct rc_run_table *table, const struct rc_csv_row *row,
                      struct rc_error *error)
{
    size_t bytes = 0;

    for (size_t i = 0; i < table->n_columns; i++) {
        const struct rc_table_column *column = &table->columns[i];
        size_t length = row->fields[i].length;

        if (!column->known && column->saw != RC_SAW_NOTHING && column->role != RC_ROLE_PARAM &&
            length <= RC_META_TEXT_MAX)
            bytes += RC_RUN_META_BYTES(strlen(column->name), length);
        if (bytes > RC_RUN_META_MAX)
            return fault(table, column, &row->fields[i], error, "too much metadata in this row");
    }
    return 0;
}

/* What the value would be in the column that the heading is an alias of. */
static void learn_alias(struct rc_run_table *table, struct rc_table_column *column,
                        const struct rc_csv_field *field)
{
    const struct rc_table_column known = {.known = column->alias, .name = column->name};
    struct rc_error strange = {0};
    struct rc_run run;

    rc_db_run_init(&run);
    if (column->first_strange.line == 0 && read_known(table, &known, field, &run, &strange))
        column->first_strange = strange;
}

static void note_first_text(const struct rc_run_table *table, struct rc_table_column *column,
                            const struct rc_csv_field *field)
{
    column->decimal_comma = rc_number_has_comma(field->text, field->length);
    rc_error_at(&column->first_text, table->name, field->line, field->column,
                column->decimal_comma ? "column '%s': '%.200s' has a decimal comma; write a point"
                                      : "column '%s': '%.200s' is not a number",
                column->name, field->text);
}

/* Whether the field has two whole numbers, which could be hours and minutes as well. */
static void note_minutes(struct rc_run_table *table, const struct rc_table_column *column,
                         const struct rc_csv_field *field)
{
    bool in_minutes = false;
    double value;

    if (table->minutes.line || column->known->dimension != RC_SECONDS ||
        memchr(field->text, '.', field->length) ||
        rc_unit_parse_elapsed(field->text, field->length, &value, &in_minutes, NULL) || !in_minutes)
        return;
    rc_error_at(&table->minutes, table->name, field->line, field->column,
                "column '%s': '%.20s' is read as minutes and seconds", column->name, field->text);
}

static void note_local_time(const struct rc_run_table *table, struct rc_table_column *column,
                            const struct rc_csv_field *field)
{
    const struct rc_known_column *means = column->known ? column->known : column->alias;
    enum rc_local_time occurs;
    double value;

    if (!table->options.zone || column->first_odd_time.line || !means ||
        means->holds != RC_HOLDS_TIME ||
        rc_time_zone_parse(table->options.zone, field->text, field->length, &value, &occurs,
                           NULL) ||
        occurs == RC_LOCAL_ONCE)
        return;
    rc_error_at(&column->first_odd_time, table->name, field->line, field->column,
                occurs == RC_LOCAL_TWICE
                    ? "column '%s': '%.40s' occurs twice in the time zone; read as the first"
                    : "column '%s': '%.40s' does not occur in the time zone; read as if the clocks "
                      "had not been changed",
                column->name, field->text);
}

/* Only rows without another fault count. */
static void learn_kinds(struct rc_run_table *table, const struct rc_csv_row *row,
                        const struct rc_run *run)
{
    table->rows++;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct rc_table_column *column = &table->columns[i];
        const struct rc_csv_field *field = &row->fields[i];

        if (column->known)
            note_minutes(table, column, field);
        note_local_time(table, column, field);
        if (column->known || column->saw == RC_SAW_NOTHING)
            continue;
        if (column->alias)
            learn_alias(table, column, field);
        if (column->first_unfit.line == 0 && !rc_db_meta_text_is_good(field->text, field->length))
            describe_unfit(table, column, field, &column->first_unfit);
        if (column->saw == RC_SAW_NUMBER) {
            rc_db_column_values_number(&column->values, column->number);
            rc_db_column_pattern_add(&column->pattern, run->p, column->number);
            rc_db_column_ids_add(&column->ids, column->number);
            continue;
        }
        rc_db_column_values_text(&column->values, field->text, field->length);
        if (column->values.texts == 1)
            note_first_text(table, column, field);
    }
}

int rc_db_run_table_row(struct rc_run_table *table, const struct rc_csv_row *row,
                        struct rc_run *run, struct rc_error *error)
{
    rc_db_run_init(run);
    if (row->n_fields != table->n_columns) {
        const struct rc_csv_field *last =
            &row->fields[row->n_fields < table->n_columns ? row->n_fields - 1 : table->n_columns];

        return rc_error_at(error, table->name, last->line, last->column,
                           "%zu field%s, but the header has %zu columns", row->n_fields,
                           row->n_fields == 1 ? "" : "s", table->n_columns);
    }
    if (table->options.app)
        run->app = table->options.app;
    if (table->options.platform)
        run->platform = table->options.platform;
    for (size_t i = 0; i < row->n_fields; i++) {
        struct rc_table_column *column = &table->columns[i];

        if (column->known ? read_known(table, column, &row->fields[i], run, error)
                          : read_unknown(table, column, &row->fields[i], run, error))
            return -1;
    }
    run->params = table->params;
    run->meta = table->meta;
    run->times = table->times;
    if (check_parts(table, row, run, error) || check_meta(table, row, error))
        return -1;
    if (!table->settled)
        learn_kinds(table, row, run);
    return 0;
}
