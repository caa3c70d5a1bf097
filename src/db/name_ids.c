// SPDX-License-Identifier: GPL-3.0-or-later
/* name_ids.c - the ids of names of apps and platforms. */
#include "db/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* More names than this are not remembered all at once. */
enum { NAMES_KNOWN_MAX = 4096 };

struct rc_known_name {
    int64_t id;
    UT_hash_handle hh;
    char name[];
};

int rc_db_names_begin(struct rc_names *names, struct rc_db *store, const char *table,
                      struct rc_error *error)
{
    char sql[96];

    *names = (struct rc_names){.store = store, .table = table};
    snprintf(sql, sizeof sql, "SELECT id FROM %s WHERE name = ?", table);
    names->find = rc_db_prepare(store, sql, error);
    snprintf(sql, sizeof sql, "INSERT INTO %s (name) VALUES (?)", table);
    names->add = names->find ? rc_db_prepare(store, sql, error) : NULL;
    return names->add ? 0 : -1;
}

static void forget(struct rc_names *names)
{
    struct rc_known_name *known, *next;

    HASH_ITER(hh, names->known, known, next)
    {
        HASH_DEL(names->known, known);
        free(known);
    }
}

static int look_up(struct rc_names *names, const char *name, int64_t *id, struct rc_error *error)
{
    int found;

    rc_db_bind(names->find, "s", name);
    found = rc_db_step(names->store, names->find, error);
    if (found > 0)
        *id = sqlite3_column_int64(names->find, 0);
    sqlite3_reset(names->find);
    if (found)
        return found < 0 ? -1 : 0;
    rc_db_bind(names->add, "s", name);
    if (rc_db_run(names->store, names->add, error))
        return -1;
    *id = sqlite3_last_insert_rowid(names->store->db);
    return 0;
}

int rc_db_names_id(struct rc_names *names, const char *name, int64_t *id, struct rc_error *error)
{
    size_t length = strlen(name);
    struct rc_known_name *known;

    HASH_FIND(hh, names->known, name, length, known);
    if (known) {
        *id = known->id;
        return 0;
    }
    if (look_up(names, name, id, error))
        return -1;
    if (HASH_COUNT(names->known) >= NAMES_KNOWN_MAX)
        forget(names);
    known = malloc(sizeof *known + length + 1);
    if (!known)
        return 0; /* only slower */
    known->id = *id;
    memcpy(known->name, name, length + 1);
    HASH_ADD(hh, names->known, name, length, known);
    if (!known->hh.tbl) /* there was no memory for it */
        free(known);
    return 0;
}

void rc_db_names_end(struct rc_names *names)
{
    forget(names);
    sqlite3_finalize(names->find);
    sqlite3_finalize(names->add);
    names->find = names->add = NULL;
}
