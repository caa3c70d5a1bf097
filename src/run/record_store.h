// SPDX-License-Identifier: GPL-3.0-or-later
/* record_store.h - what the files of this room share about storing. */
#ifndef RC_RUN_RECORD_STORE_H
#define RC_RUN_RECORD_STORE_H

#include "run/record.h"

/* Stores a record that was read from `path` and is known again by `digest`, in one transaction. */
int rc_run_record_store_import(struct rc_db *store, const struct rc_record *record,
                               const char *path, const char *digest,
                               struct rc_db_run_import *import, struct rc_error *error);

#endif
