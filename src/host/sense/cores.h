// SPDX-License-Identifier: GPL-3.0-or-later
/* cores.h - the cores that this process may use. */
#ifndef RC_HOST_SENSE_CORES_H
#define RC_HOST_SENSE_CORES_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_SENSE_CORES_MAX = 1024 };

struct rc_sense_cores {
    int items[RC_SENSE_CORES_MAX];
    size_t n;
};

/* The cores that this process may use, by rising number. */
int rc_sense_cores_allowed(struct rc_sense_cores *cores, struct rc_error *error);

/* Reads "0", "0,2", "0-3,8"; a core may come twice.  Whether there are such cores is not asked. */
int rc_sense_cores_parse(const char *text, struct rc_sense_cores *cores, struct rc_error *error);

/* The cores that `text` names, or all allowed ones where it is NULL.  An error where this process
 * may not use one of them. */
int rc_sense_cores_choose(const char *text, struct rc_sense_cores *cores, struct rc_error *error);

/* The cores of a list, each once, in the order in which they come first. */
struct rc_sense_cores rc_sense_cores_distinct(const struct rc_sense_cores *cores);

/* Keeps this process on one core; -1 as `core`: where it is. */
int rc_sense_cores_pin(int core, struct rc_error *error);

/* Whether the kernel shares the cores between sessions, rather than between the processes that are
 * in no control group (autogroups). */
bool rc_sense_sessions_share(void);

#endif
