// SPDX-License-Identifier: GPL-3.0-or-later
/* same_hosts.c - whether two texts name the same hosts. */
#include "db/same_hosts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platform/hostlist.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool expand(const char *text, struct rc_hostlist *list)
{
    struct rc_error error;

    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, list, &error))
        return false;
    qsort(list->names, list->count, sizeof *list->names, by_name);
    return true;
}

bool rc_db_hosts_are_same(const char *a, const char *b)
{
    struct rc_hostlist first = {0}, second = {0};
    bool same = strcmp(a, b) == 0;

    if (!same && expand(a, &first) && expand(b, &second) && first.count == second.count) {
        same = true;
        for (size_t i = 0; i < first.count && same; i++)
            same = strcmp(first.names[i], second.names[i]) == 0;
    }
    rc_platform_hostlist_free(&second);
    rc_platform_hostlist_free(&first);
    return same;
}

static void call(sqlite3_context *context, int n, sqlite3_value **values)
{
    const char *a = (const char *)sqlite3_value_text(values[0]);
    const char *b = (const char *)sqlite3_value_text(values[1]);

    (void)n;
    sqlite3_result_int(context, a && b && rc_db_hosts_are_same(a, b));
}

int rc_db_add_same_hosts(struct rc_db *store, struct rc_error *error)
{
    int code = sqlite3_create_function(store->db, "same_hosts", 2,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, call, NULL, NULL);

    return code == SQLITE_OK ? 0 : rc_db_error(store, error);
}
