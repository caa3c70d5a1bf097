// SPDX-License-Identifier: GPL-3.0-or-later
/* call_descriptions.h - what is clustered: messages and collective calls with all who take part,
 * and calls that read or write files. */
#ifndef RC_MODEL_SKELETON_SHRINK_CALL_DESCRIPTIONS_H
#define RC_MODEL_SKELETON_SHRINK_CALL_DESCRIPTIONS_H

#include <stdbool.h>

#include "model/skeleton/shrink/call_symbols.h"
#include "model/skeleton/shrink/loop_tree.h"
#include "model/skeleton/loops/hash_map.h"

struct rc_cluster_calls {
    struct rc_cluster_call *all; /* messages, then collective calls, then those of files */
    size_t n, room;
    struct rc_hash_map *files; /* by rank and event: which of the calls it is */
    bool has_files;
};

/* Of a loop tree whose messages and collective calls are matched.  Free with
 * rc_skeleton_cluster_calls_free(), on failure, too. */
int rc_skeleton_cluster_calls_find(const struct rc_loop_tree *tree, struct rc_cluster_calls *calls,
                                   struct rc_error *error);
void rc_skeleton_cluster_calls_free(struct rc_cluster_calls *calls);

/* Which of the calls an event is that reads or writes a file; RC_PROGRAM_NONE for others. */
uint32_t rc_skeleton_cluster_file_call(const struct rc_cluster_calls *calls, uint32_t rank,
                                       uint32_t event);

#endif
