// SPDX-License-Identifier: GPL-3.0-or-later
/* import_log.h - the list of imports, which recognizes repeated content. These functions are called
 * inside a write transaction, in this order. */
#ifndef RC_DB_IMPORT_LOG_H
#define RC_DB_IMPORT_LOG_H

#include "db/internal.h"

/* 1: the content with this digest (base/digest.h) was imported before, and `import` has the time;
 * 0: it is new. */
int rc_db_import_find(struct rc_db *store, const char *digest, struct rc_db_run_import *import,
                      struct rc_error *error);

/* Gives the import its number, which its runs are to bear as `import_id`. */
int rc_db_import_add(struct rc_db *store, const char *digest, const char *name,
                     struct rc_db_run_import *import, struct rc_error *error);

/* Counts the runs from `first` on that equal one of the runs before it in app, size, processes, run
 * time and start.  Only the latest are compared, so that imports into large databases stay fast. */
enum { RC_REPEATED_AMONG = 100000 };
int rc_db_import_count_repeated(struct rc_db *store, int64_t first, struct rc_db_run_import *import,
                                struct rc_error *error);

/* Notes how many runs it added; one without any leaves no trace. */
int rc_db_import_finish(struct rc_db *store, const struct rc_db_run_import *import,
                        struct rc_error *error);

#endif
