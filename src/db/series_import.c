// SPDX-License-Identifier: GPL-3.0-or-later
/* series_import.c - reads a table of samples into the database, all of it or none, or into memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "db/series.h"
#include "db/csv_reader.h"

struct importing {
    struct rc_table_reader reader;
    double offset;
    struct rc_db_series_import *import; /* for the database */
    struct rc_series_writer *writer;    /* ... during the second reading */
    struct rc_series_table *table;      /* for memory */
    size_t capacity;
    const char *value_name;
    size_t time_column, value_column, n_columns;
};

static int find_column(const struct rc_csv_row *header, const char *name, size_t *column)
{
    for (*column = 0; *column < header->n_fields; (*column)++)
        if (strcasecmp(header->fields[*column].text, name) == 0)
            return 0;
    return -1;
}

static bool is_heading(void *data, const char *text)
{
    const struct importing *i = data;

    return strcasecmp(text, "t") == 0 || strcasecmp(text, "time") == 0 ||
           strcasecmp(text, "timestamp") == 0 || strcasecmp(text, i->value_name) == 0;
}

static int read_header(void *data, const struct rc_csv_row *row, struct rc_error *error)
{
    struct importing *i = data;

    i->n_columns = row->n_fields;
    if (find_column(row, "t", &i->time_column) && find_column(row, "time", &i->time_column) &&
        find_column(row, "timestamp", &i->time_column)) {
        rc_error_at(error, i->reader.input.name, row->line, 1, "missing column 't'");
        return rc_error_hint(error, "name the columns in the first line: t (time) and value");
    }
    if (find_column(row, i->value_name, &i->value_column)) {
        rc_error_at(error, i->reader.input.name, row->line, 1, "missing column '%s'",
                    i->value_name);
        return rc_error_code(error, "db.no-value-column", NULL);
    }
    return 0;
}

/* The valid range of a metric: later readers rely on it. */
static const struct bounds {
    const char *metric;
    bool of_link;
    double least, most;
    const char *what;
} bounds[] = {
    {"cpu", false, 0, 1, "a fraction of a core from 0 to 1"},
};

static int check_bounds(const struct importing *i, const struct rc_csv_field *field, double value,
                        struct rc_error *error)
{
    const struct rc_series_key *key = i->import ? &i->import->key : NULL;

    for (size_t k = 0; key && k < sizeof bounds / sizeof *bounds; k++) {
        const struct bounds *bound = &bounds[k];

        if (strcmp(key->metric, bound->metric) != 0 ||
            bound->of_link != (key->peer && key->peer[0]) ||
            (value >= bound->least && value <= bound->most))
            continue;
        rc_error_at(error, i->reader.input.name, field->line, field->column,
                    "column '%s': %.40s is not a value of '%s', %s", i->value_name, field->text,
                    bound->metric, bound->what);
        if (bound->most == 1 && value > 1)
            rc_error_code(error, "db.no-fraction", NULL);
        return -1;
    }
    return 0;
}

static int read_sample(const struct importing *i, const struct rc_csv_row *row,
                       struct rc_sample *sample, struct rc_error *error)
{
    const char *name = i->reader.input.name;
    const struct rc_csv_field *t, *value;
    struct rc_error inner;

    if (row->n_fields != i->n_columns)
        return rc_error_at(error, name, row->line, 1, "%zu field%s, but the header has %zu columns",
                           row->n_fields, row->n_fields == 1 ? "" : "s", i->n_columns);
    t = &row->fields[i->time_column];
    value = &row->fields[i->value_column];
    if (rc_timestamp_parse(t->text, t->length, &sample->t, &inner))
        return rc_error_at(error, name, t->line, t->column, "column 't': %.400s", inner.text);
    /* A date plus the time origin makes no sense. */
    if (i->offset != 0 && rc_number_parse(t->text, t->length, &sample->t))
        return rc_error_at(error, name, t->line, t->column,
                           "column 't': '%.100s' is a date, not seconds since the time origin",
                           t->text);
    if (rc_number_parse(value->text, value->length, &sample->value))
        return rc_error_at(error, name, value->line, value->column,
                           rc_number_has_comma(value->text, value->length)
                               ? "column '%s': '%.200s' has a decimal comma; write a point"
                               : "column '%s': '%.200s' is not a number",
                           i->value_name, value->text);
    if (check_bounds(i, value, sample->value, error))
        return -1;
    sample->t += i->offset;
    return 0;
}

static enum rc_row_result read_row(void *data, const struct rc_csv_row *row, bool storing,
                                   struct rc_error *error)
{
    struct importing *i = data;
    struct rc_sample sample;

    if (read_sample(i, row, &sample, error))
        return RC_ROW_BAD;
    if (!storing || rc_db_series_writer_add(i->writer, &sample, error) == 0)
        return RC_ROW_GOOD;
    /* The database has another value: add the row of the table. */
    snprintf(error->file, sizeof error->file, "%s", i->reader.input.name);
    error->line = row->line;
    return RC_ROW_FAILED;
}

static int store_samples(struct rc_db *store, struct importing *i, struct rc_error *error)
{
    struct rc_db_series_import *import = i->import;
    struct rc_series_writer writer;
    int status =
        rc_db_series_writer_begin(&writer, store, &import->key, import->replace != 0, error);

    i->writer = &writer;
    if (status == 0)
        status = rc_db_table_reader_store(&i->reader, error);
    import->skipped = i->reader.skipped;
    import->added = writer.added + writer.changed;
    import->there_already = writer.there_already;
    if (status == 0 && import->added + import->there_already == 0)
        status = rc_error_set(error, "no valid row");
    return rc_db_series_writer_end(&writer, status, error);
}

int rc_db_series_import(struct rc_db *store, const char *path, struct rc_db_series_import *import,
                        const struct rc_monitor *monitor, struct rc_error *error)
{
    struct importing i = {.import = import, .offset = import->offset};
    int status = rc_db_table_reader_open(&i.reader, path, monitor, error);

    import->added = import->there_already = import->skipped = 0;
    i.value_name = import->column ? import->column : "value";
    i.reader.header = read_header;
    i.reader.is_heading = is_heading;
    i.reader.row = read_row;
    i.reader.data = &i;
    i.reader.note = import->note;
    i.reader.note_data = import->note_data;
    if (status == 0)
        status = rc_db_table_reader_look(&i.reader, error);
    if (status == 0 && !import->skip_bad)
        status = rc_db_table_reader_refuse(&i.reader, error);
    if (status == 0 && import->note && i.reader.separator_note.text[0])
        import->note(import->note_data, &i.reader.separator_note);
    if (status == 0 && (status = rc_db_begin(store, error)) == 0)
        status = rc_db_end(store, store_samples(store, &i, error), error);
    rc_db_input_close(&i.reader.input);
    return status;
}

/* ---- into memory ---- */

static int keep_sample(struct importing *i, const struct rc_sample *sample, struct rc_error *error)
{
    struct rc_series_table *table = i->table;

    if (table->n > 0 && (sample->t < table->samples[table->n - 1].t ||
                         (sample->t == table->samples[table->n - 1].t && !table->same_times)))
        return rc_error_set(error, "times must increase");
    if (table->n == RC_SERIES_LOAD_MAX)
        return rc_error_set(error, "more than %d samples", RC_SERIES_LOAD_MAX);
    if (rc_array_room(&table->samples, table->n + 1, &i->capacity, sizeof *sample, error))
        return -1;
    table->samples[table->n++] = *sample;
    return 0;
}

static enum rc_row_result keep_row(void *data, const struct rc_csv_row *row, bool storing,
                                   struct rc_error *error)
{
    struct importing *i = data;
    const struct rc_csv_field *value;
    struct rc_sample sample;
    struct rc_error inner = {0};

    (void)storing;
    if (read_sample(i, row, &sample, error))
        return RC_ROW_BAD;
    value = &row->fields[i->value_column];
    if ((i->table->convert && i->table->convert(i->table->data, &sample, &inner)) ||
        keep_sample(i, &sample, &inner)) {
        rc_error_at(error, i->reader.input.name, value->line, value->column, "%.400s", inner.text);
        rc_error_hint_of(error, &inner);
        return RC_ROW_FAILED;
    }
    return RC_ROW_GOOD;
}

int rc_db_series_read_table(const char *path, struct rc_series_table *table, struct rc_error *error)
{
    struct importing i = {.table = table};
    int status = rc_db_table_reader_open(&i.reader, path, NULL, error);

    table->samples = NULL;
    table->n = 0;
    i.value_name = table->column ? table->column : "value";
    i.reader.header = read_header;
    i.reader.is_heading = is_heading;
    i.reader.row = keep_row;
    i.reader.data = &i;
    if (status == 0)
        status = rc_db_table_reader_look(&i.reader, error);
    if (status == 0 && i.reader.n_faults > 0) {
        status = -1;
        if (error)
            *error = i.reader.first_fault;
    }
    if (status == 0 && table->n == 0)
        status = rc_error_at(error, i.reader.input.name, 0, 0, "the table has no rows");
    rc_db_input_close(&i.reader.input);
    if (status) {
        free(table->samples);
        table->samples = NULL;
        table->n = 0;
    }
    return status;
}
