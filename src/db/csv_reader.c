// SPDX-License-Identifier: GPL-3.0-or-later
/* csv_reader.c - reads a CSV table twice: to check it, and to store it. */
#include "db/csv_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/progress_monitor.h"

/* How much of the progress bar the first reading takes: about a quarter of the time. */
enum { LOOK_SHARE = 1, ALL_SHARES = 4, ROWS_BETWEEN_CHECKS = 256 };

int rc_db_table_reader_open(struct rc_table_reader *reader, const char *path,
                            const struct rc_monitor *monitor, struct rc_error *error)
{
    memset(reader, 0, sizeof *reader);
    reader->monitor = monitor;
    return rc_db_input_open(&reader->input, path, monitor, error);
}

void rc_db_table_reader_fault(struct rc_table_reader *reader, const struct rc_error *fault)
{
    const struct rc_error *first = &reader->first_fault;

    if (reader->n_faults++ == 0 || fault->line < first->line ||
        (fault->line == first->line && fault->column < first->column))
        reader->first_fault = *fault;
}

static void meet_bad_row(struct rc_table_reader *reader, bool storing, const struct rc_error *fault)
{
    if (!storing) {
        rc_db_table_reader_fault(reader, fault);
        return;
    }
    reader->skipped++;
    if (reader->note)
        reader->note(reader->note_data, fault);
}

static int keep_going(const struct rc_table_reader *reader, const struct rc_csv *csv, bool storing,
                      struct rc_error *error)
{
    uint64_t size = rc_db_input_size(&reader->input), at = rc_csv_position(csv);

    rc_progress_monitor_advance(reader->monitor,
                                storing ? LOOK_SHARE * size + (ALL_SHARES - LOOK_SHARE) * at
                                        : LOOK_SHARE * at,
                                ALL_SHARES * size);
    return rc_progress_monitor_check(reader->monitor, error);
}

/* The next row, including malformed ones: 1 with `result` set, 0 at the end, -1 if reading failed.
 */
static int next_row(struct rc_table_reader *reader, struct rc_csv *csv, bool storing,
                    enum rc_row_result *result, struct rc_error *error)
{
    struct rc_csv_row row;
    int got = rc_csv_next(csv, &row, error);

    if (got > 0)
        *result = reader->row(reader->data, &row, storing, error);
    else if (got < 0)
        *result = error->line ? RC_ROW_BAD : RC_ROW_FAILED;
    return got ? 1 : 0;
}

static void note_separator(struct rc_table_reader *reader, const struct rc_csv *csv, unsigned line)
{
    char separator = rc_csv_separator(csv);

    if (separator != ',')
        rc_error_at(&reader->separator_note, reader->input.name, line, 1,
                    "columns are separated by %s",
                    separator == ';'   ? "semicolons"
                    : separator == '|' ? "'|'"
                                       : "tabs");
}

static int read_table(struct rc_table_reader *reader, struct rc_csv *csv, bool storing,
                      struct rc_error *error)
{
    struct rc_error local;
    struct rc_csv_row row;
    enum rc_row_result result = RC_ROW_GOOD;
    int got = rc_csv_next(csv, &row, error);

    if (got == 0)
        return rc_error_at(error, reader->input.name, 1, 1, "the table is empty");
    if (got < 0)
        return -1;
    note_separator(reader, csv, row.line);
    if (!storing && reader->header(reader->data, &row, error))
        return -1;
    for (uint64_t rows = 0;; rows++) {
        if (rows % ROWS_BETWEEN_CHECKS == 0 && keep_going(reader, csv, storing, error))
            return -1;
        if (next_row(reader, csv, storing, &result, &local) == 0)
            return 0;
        if (result == RC_ROW_FAILED) {
            if (error)
                *error = local;
            return -1;
        }
        if (result == RC_ROW_BAD)
            meet_bad_row(reader, storing, &local);
    }
}

struct rc_csv *rc_db_table_reader_csv(struct rc_table_reader *reader)
{
    struct rc_csv *csv = rc_csv_create(rc_db_input_source(&reader->input), reader->input.name);

    if (csv && reader->is_heading)
        rc_csv_expect(csv, reader->is_heading, reader->data);
    return csv;
}

static int read_with(struct rc_table_reader *reader, bool storing, struct rc_error *error)
{
    struct rc_csv *csv = rc_db_table_reader_csv(reader);
    int status = csv ? read_table(reader, csv, storing, error) : rc_error_no_memory(error);

    rc_csv_destroy(csv);
    return status;
}

int rc_db_table_reader_look(struct rc_table_reader *reader, struct rc_error *error)
{
    return read_with(reader, false, error);
}

int rc_db_table_reader_store(struct rc_table_reader *reader, struct rc_error *error)
{
    if (rc_db_input_rewind(&reader->input, error) || read_with(reader, true, error))
        return -1;
    return rc_db_input_check_unchanged(&reader->input, error);
}

int rc_db_table_reader_refuse(const struct rc_table_reader *reader, struct rc_error *error)
{
    size_t length;

    if (reader->n_faults == 0)
        return 0;
    if (!error)
        return -1;
    *error = reader->first_fault;
    length = strlen(error->text);
    if (reader->n_faults > 1)
        snprintf(error->text + length, sizeof error->text - length, " (and %llu more bad row%s)",
                 (unsigned long long)reader->n_faults - 1, reader->n_faults == 2 ? "" : "s");
    if (!error->hint[0] && !error->code)
        rc_error_code(error, "db.bad-rows", NULL);
    return -1;
}
