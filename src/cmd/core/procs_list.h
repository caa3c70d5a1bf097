// SPDX-License-Identifier: GPL-3.0-or-later
/* procs_list.h - several numbers of processes, as --procs takes them. */
#ifndef RC_CMD_CORE_PROCS_LIST_H
#define RC_CMD_CORE_PROCS_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_cmd_procs {
    int64_t *numbers; /* each once, in the order of the list; to be freed; NULL: there are none */
    size_t n, room;
};

/* Reads "8", a list "4,8,16" or a range "8..16" (also "8-16"), and lists of both.  A range stands
 * for all of its numbers or, if these are more than `all_up_to`, for its ends and the powers of two
 * between them.  NULL: none. */
int rc_cmd_procs_read(const char *text, int64_t all_up_to, struct rc_cmd_procs *procs,
                      struct rc_error *error);

/* A note on those of n numbers that are more than the hosts have room for.  `where` follows the
 * room: "", or " in one cluster". */
void rc_cmd_note_procs(const int64_t *numbers, size_t n, int64_t room, const char *where);

#endif
