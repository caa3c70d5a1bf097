// SPDX-License-Identifier: GPL-3.0-or-later
/* same_hosts.h - whether two texts name the same hosts. */
#ifndef RC_DB_SAME_HOSTS_H
#define RC_DB_SAME_HOSTS_H

#include <stdbool.h>

#include "db/internal.h"

/* Whether both are the same hosts, in any order and notation ("a1,a2" and "a[1-2]").  Texts that are
 * no list of hosts are compared as texts. */
bool rc_db_hosts_are_same(const char *a, const char *b);

/* Adds same_hosts(A, B) to SQL: 1 or 0. */
int rc_db_add_same_hosts(struct rc_db *store, struct rc_error *error);

#endif
