// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.h - what a store is made of, version by version. */
#ifndef RC_DB_SCHEMA_H
#define RC_DB_SCHEMA_H

#include <sqlite3.h>

#include "runcast.h"

/* Marks an SQLite file as a store of runcast's: "rcst". */
enum { RC_SCHEMA_APPLICATION_ID = 0x72637374 };

/* steps[i] is the SQL that takes a store from version i to version i + 1; a step that has landed
 * is never edited again. */
struct rc_schema {
    const char *const *steps;
    int version; /* how many steps there are */
};

/* The schema of this program. */
const struct rc_schema *rc_db_schema_current(void);

/* Brings a database, which is inside a write transaction, from version `from` to the last one.  On
 * failure the caller rolls back. */
int rc_db_schema_migrate(sqlite3 *db, const struct rc_schema *schema, int from,
                         struct rc_error *error);

#endif
