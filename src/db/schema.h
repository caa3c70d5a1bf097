// SPDX-License-Identifier: GPL-3.0-or-later
/* schema.h - the tables of a database, version by version. */
#ifndef RC_DB_SCHEMA_H
#define RC_DB_SCHEMA_H

#include <sqlite3.h>

#include "runcast.h"

/* Marks an SQLite file as a runcast database: "rcst". */
enum { RC_SCHEMA_APPLICATION_ID = 0x72637374 };

/* steps[i] is the SQL that converts a database from version i to version i + 1; never edit a
 * released step. */
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
