// SPDX-License-Identifier: GPL-3.0-or-later
/* csv_reader.h - reads a CSV table twice: to check it, and to store it.
 *
 * The first reading finds all faults and the digest of the content before the database is locked:
 * other writers do not wait for a bad table or a slow pipe. */
#ifndef RC_DB_CSV_READER_H
#define RC_DB_CSV_READER_H

#include "db/rereadable_input.h"

enum rc_row_result {
    RC_ROW_GOOD,
    RC_ROW_BAD,   /* `error` has place and reason; reading continues */
    RC_ROW_FAILED /* `error` has the reason; reading stops */
};

struct rc_table_reader {
    struct rc_input input;
    const struct rc_monitor *monitor;
    /* What the kind of table does with its header and its rows.  `storing` is false on the first
     * reading and true on the second. */
    int (*header)(void *data, const struct rc_csv_row *row, struct rc_error *error);
    enum rc_row_result (*row)(void *data, const struct rc_csv_row *row, bool storing,
                              struct rc_error *error);
    /* Whether a heading is that of a column that is known: helps to find the separator. */
    bool (*is_heading)(void *data, const char *text);
    void *data;
    /* Called on the second reading for each bad row; or NULL. */
    void (*note)(void *data, const struct rc_error *what);
    void *note_data;
    /* The result. */
    struct rc_error first_fault;
    uint64_t n_faults;              /* on the first reading */
    uint64_t skipped;               /* on the second */
    struct rc_error separator_note; /* which separator it is; no text: the comma */
};

/* Opens the table; the callbacks are to be set.  Close with rc_db_input_close(&reader->input), also
 * when opening failed. */
int rc_db_table_reader_open(struct rc_table_reader *reader, const char *path,
                            const struct rc_monitor *monitor, struct rc_error *error);

/* Reads the table from where the input is. Destroy with rc_csv_destroy(); NULL if memory runs out.
 */
struct rc_csv *rc_db_table_reader_csv(struct rc_table_reader *reader);

/* The first reading. */
int rc_db_table_reader_look(struct rc_table_reader *reader, struct rc_error *error);

/* Counts a fault that only showed once all rows were seen. */
void rc_db_table_reader_fault(struct rc_table_reader *reader, const struct rc_error *fault);

/* After the first reading: -1, with the first fault and the number of the others, if there were
 * any. */
int rc_db_table_reader_refuse(const struct rc_table_reader *reader, struct rc_error *error);

/* The second reading; bad rows are skipped. -1 also if the file was changed meanwhile. */
int rc_db_table_reader_store(struct rc_table_reader *reader, struct rc_error *error);

#endif
