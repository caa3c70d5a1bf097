// SPDX-License-Identifier: GPL-3.0-or-later
/* contents_info.c - counts the contents of a database. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"
#include "db/internal.h"

/* SQLite reports how this process uses the file, which differs if it may only read it. */
static int read_journal_mode(struct rc_db *store, struct rc_db_info *info, struct rc_error *error)
{
    enum { WRITE_VERSION_AT = 18, WRITE_VERSION_WAL = 2 }; /* in the header of an SQLite file */
    unsigned char version = 0;
    ssize_t got;
    int64_t wal;
    int file;

    if (!store->unshared) {
        if (rc_db_integer(store, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &wal,
                          error))
            return -1;
        info->wal = wal;
        return 0;
    }
    /* No lock is held that closing the file could drop. */
    file = open(store->path, O_RDONLY | O_CLOEXEC);
    got = file < 0 ? -1 : pread(file, &version, 1, WRITE_VERSION_AT);
    if (got != 1)
        rc_error_errno(error, errno, "cannot read it");
    if (file >= 0)
        close(file);
    info->wal = version == WRITE_VERSION_WAL;
    return got == 1 ? 0 : -1;
}

int rc_db_info(struct rc_db *store, struct rc_db_info *info, struct rc_error *error)
{
    const struct {
        const char *sql;
        int64_t *value;
    } questions[] = {
        {"PRAGMA user_version", &info->format},
        {"SELECT count(*) FROM app", &info->apps},
        {"SELECT count(*) FROM platform WHERE id > 0", &info->platforms},
        {"SELECT count(*) FROM run", &info->runs},
        {"SELECT count(*) FROM import", &info->imports},
        {"SELECT count(*) FROM series", &info->series},
        {"SELECT coalesce(sum(samples), 0) FROM series", &info->samples},
        {"SELECT count(*) FROM model WHERE family <> 'measured'", &info->models},
        {"SELECT count(*) FROM model WHERE family = 'measured'", &info->measured},
        {"SELECT count(*) FROM prediction", &info->predictions},
        {"SELECT count(*) FROM trace", &info->traces},
        {"SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", &info->bytes},
    };
    bool held = !sqlite3_get_autocommit(store->db); /* by the caller, which releases it */
    int status = held ? 0 : rc_db_hold(store, error);

    for (size_t i = 0; i < sizeof questions / sizeof *questions && status == 0; i++)
        status = rc_db_integer(store, questions[i].sql, questions[i].value, error);
    if (!held)
        rc_db_release(store);
    return status || rc_db_stood_still(store, error) ? -1 : read_journal_mode(store, info, error);
}
