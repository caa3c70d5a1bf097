// SPDX-License-Identifier: GPL-3.0-or-later
/* run.h - runs in the database, beyond runcast.h. */
#ifndef RC_DB_RUN_H
#define RC_DB_RUN_H

#include <stdbool.h>

#include "base/buffer.h"
#include "db/internal.h"
#include "db/prediction.h"

/* Limits of a run's parameters: how many, and their bytes as JSON. */
enum { RC_RUN_PARAMS_COUNT = 1 << 10, RC_RUN_PARAMS_MAX = 1 << 16 };
/* What a parameter takes of that at most, by the length of its name. */
#define RC_RUN_PARAM_BYTES(name_length) (2 * (name_length) + 40)

/* The same for metadata, whose names and texts have limits of their own. */
enum { RC_RUN_META_COUNT = 1 << 10, RC_RUN_META_MAX = 1 << 18 };
enum { RC_META_NAME_MAX = 200, RC_META_TEXT_MAX = 1 << 12 }; /* bytes */
#define RC_RUN_META_BYTES(name_length, text_length) (2 * ((name_length) + (text_length)) + 6)

/* Whether a text may be the value of metadata: not "", not too long, and plain UTF-8 text. */
bool rc_db_meta_text_is_good(const char *text, size_t length);

/* Whether a run may be stored: required members are set, and all are in range. */
int rc_db_run_check(const struct rc_run *run, struct rc_error *error);

/* Adds many runs inside a write transaction, and links them to their predictions (db/prediction.h).
 * Always call end, also if begin failed; with a `status` other than 0, end only frees, and returns
 * it. */
struct rc_run_writer {
    struct rc_db *store;
    struct rc_names apps, platforms;
    sqlite3_stmt *insert, *insert_time;
    struct rc_buffer params, meta;
    struct rc_prediction_linker linker;
    int64_t next_id;
};
int rc_db_run_writer_begin(struct rc_run_writer *writer, struct rc_db *store,
                           struct rc_error *error);
/* `run` has passed rc_db_run_check(). */
int rc_db_run_writer_add(struct rc_run_writer *writer, const struct rc_run *run,
                         struct rc_error *error);
int rc_db_run_writer_end(struct rc_run_writer *writer, int status, struct rc_error *error);

/* Counts the runs that the filter lets pass, and narrows it to them: it lets no later ones pass. */
int rc_db_run_pin(struct rc_db *db, struct rc_run_filter *filter, uint64_t *count,
                  struct rc_error *error);

#endif
