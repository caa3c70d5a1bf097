// SPDX-License-Identifier: GPL-3.0-or-later
/* open_db.c - finds and opens the database. */
#include "cmd/core/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

/* Makes the directories above `path`. */
static int make_parents(char *path, struct rc_error *error)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST) {
            rc_error_errno(error, errno, "cannot make the directory %s", path);
            *slash = '/';
            return rc_error_hint(error,
                                 "choose another database file with --db FILE or RUNCAST_DB");
        }
        *slash = '/';
    }
    return 0;
}

int rc_cmd_db_path(const char *db, char *path, size_t size, struct rc_error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length;

    if (!db)
        db = getenv("RUNCAST_DB");
    if (db && *db)
        length = snprintf(path, size, "%s", db);
    else if (data && *data == '/')
        length = snprintf(path, size, "%s/runcast/runcast.db", data);
    else if (home && *home)
        length = snprintf(path, size, "%s/.local/share/runcast/runcast.db", home);
    else {
        rc_error_set(error, "no HOME directory for the database");
        return rc_error_hint(error, "choose a database file with --db FILE or RUNCAST_DB");
    }
    return length < 0 || (size_t)length >= size ? rc_error_set(error, "the path is too long") : 0;
}

struct rc_db *rc_cmd_try_db(const char *db, enum rc_db_mode mode, const struct rc_monitor *monitor,
                            char *path, size_t size, struct rc_error *error)
{
    const char *named = db ? db : getenv("RUNCAST_DB");

    if (size > 0)
        path[0] = '\0';
    if (rc_cmd_db_path(db, path, size, error) ||
        /* A given path may be mistyped: only the directories of the default path are made. */
        (mode == RC_DB_CREATE && !(named && *named) && make_parents(path, error)))
        return NULL;
    return rc_db_open(path, mode, monitor, error);
}

struct rc_db *rc_cmd_open_db(const char *db, enum rc_db_mode mode, struct rc_cmd_work *work)
{
    char path[4096] = "";
    struct rc_error error;
    struct rc_db *opened =
        rc_cmd_try_db(db, mode, work ? &work->monitor : NULL, path, sizeof path, &error);

    if (!opened)
        rc_cmd_fail(&error, "opening the database%s%s", *path ? " " : "", path);
    return opened;
}
