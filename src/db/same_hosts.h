// SPDX-License-Identifier: GPL-3.0-or-later
/* same_hosts.h - whether two texts name the same hosts, in SQL. */
#ifndef RC_DB_SAME_HOSTS_H
#define RC_DB_SAME_HOSTS_H

#include "db/internal.h"

/* Adds same_hosts(A, B): 1 if both are the same hosts, in any order and notation ("a1,a2" and
 * "a[1-2]"), otherwise 0. Texts that are no list of hosts are compared as texts. */
int rc_db_add_same_hosts(struct rc_db *store, struct rc_error *error);

#endif
