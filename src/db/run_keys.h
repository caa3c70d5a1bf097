// SPDX-License-Identifier: GPL-3.0-or-later
/* run_keys.h - recognizes runs by a key: metadata or a parameter that identifies a run of an app,
 * such as the number of its job. */
#ifndef RC_DB_RUN_KEYS_H
#define RC_DB_RUN_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "runcast.h"

struct rc_run_keys;

/* `name` is that of the metadata or parameter, and must outlive the keys. NULL if memory runs out.
 */
struct rc_run_keys *rc_db_run_keys_create(struct rc_db *store, const char *name);
void rc_db_run_keys_destroy(struct rc_run_keys *keys);

/* Whether the run has the key. */
bool rc_db_run_has_key(const struct rc_run *run, const char *name);

enum rc_key_match {
    RC_KEY_NEW,    /* the key is known from now on, as that of the run `*id` */
    RC_KEY_KNOWN,  /* a run has this key and the same contents */
    RC_KEY_DIFFERS /* the run `*id`, the first one with this key, has other contents */
};

/* Looks up a run that has the key. The runs of an app are read once, when the first one is looked
 * up; all others take constant time. */
int rc_db_run_keys_look_up(struct rc_run_keys *keys, const struct rc_run *run, int64_t *id,
                           enum rc_key_match *match, struct rc_error *error);

#endif
