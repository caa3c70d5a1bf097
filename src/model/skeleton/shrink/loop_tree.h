// SPDX-License-Identifier: GPL-3.0-or-later
/* loop_tree.h - the loops of a whole program, of all its ranks together, with the times and sizes
 * of each place averaged over the iterations.
 *
 * The program is a string of event groups (event_groups.h).  Event groups in which the same ranks
 * make the same calls with sizes that are alike are one symbol; the string of symbols is folded
 * into loops.  Since event groups need nothing outside of them, neither does an iteration of such a
 * loop: leaving out some of them leaves a program that still runs. */
#ifndef RC_MODEL_SKELETON_SHRINK_LOOP_TREE_H
#define RC_MODEL_SKELETON_SHRINK_LOOP_TREE_H

#include <stdbool.h>

#include "model/skeleton/match/event_groups.h"
#include "model/skeleton/match/event_matching.h"
#include "model/skeleton/loops/loops.h"

/* A call at a place of the loop tree: what it is on average over all iterations. */
struct rc_loop_tree_call {
    uint32_t rank;
    uint32_t event; /* one that stands for all */
    double n;       /* how often it is made */
    double work;    /* CPU seconds of the computing before it, but for that before a loop */
    double wall;    /* and its elapsed time */
    double inside;  /* seconds in the call */
    double out, in; /* bytes of the messages that it sends and receives; of a collective call, `out`
                     * is what all members give together, of one to a file what it moves */
    double read, written;
};

/* What stands at an item of the loops that is no loop. */
struct rc_loop_tree_leaf {
    uint32_t symbol; /* of the event group */
    uint32_t group;  /* one that stands for all */
    size_t first;    /* its calls: part after part, in the order of the event group's parts */
    uint32_t n_calls;
    double seconds; /* on average over the ranks of the program */
};

/* What a rank computes before a loop, besides that before each iteration (match/prologues.c). */
struct rc_loop_tree_prologue {
    size_t loop; /* the item */
    uint32_t rank;
    uint32_t event; /* the rank's first call in the loop, in a first iteration */
    double work;    /* CPU seconds, each time that the loop is come to */
};

struct rc_loop_tree {
    const struct rc_program *program;
    struct rc_match match;
    struct rc_nondeterminism nondeterminism;
    struct rc_event_groups groups;
    struct rc_loops loops;            /* of symbols of event groups */
    struct rc_loop_tree_leaf *leaves; /* by item of the loops; those of loops are empty */
    struct rc_loop_tree_call *calls;
    size_t n_calls;
    struct rc_loop_tree_prologue *prologues; /* in the order of loops */
    size_t n_prologues;
    uint32_t n_symbols;
    uint32_t n_clusters; /* of messages, collective calls and file calls that count as alike */
    double threshold;    /* sizes that differ by no more than this part count as alike */
    bool by_time;        /* part of the size and RC_LOOP_TREE_HALF_SPEED, not of the size alone */
    double compression;  /* Q: calls of the program for each call of the loop tree */
};

/* So many bytes can be sent in the time that a message takes however short it is: half of the full
 * speed is reached with messages of that size. */
#define RC_LOOP_TREE_HALF_SPEED 8192.0

/* Finds the loop tree, raising the threshold until the compression reaches `wanted`, or the
 * threshold its maximum (Table 2 of the paper); where no loop makes up most of the program then,
 * and more than 1 is wanted, sizes are compared by the time that they take.  The program stays the
 * caller's and must outlive it.  Free with rc_skeleton_loop_tree_free(); on failure there is
 * nothing to free. */
int rc_skeleton_loop_tree_find(const struct rc_program *program, double wanted,
                               struct rc_loop_tree *tree, struct rc_error *error);

/* Finds the loop tree with this similarity threshold, from 0 to below 1, whatever the compression.
 */
int rc_skeleton_loop_tree_find_at(const struct rc_program *program, double threshold,
                                  struct rc_loop_tree *tree, struct rc_error *error);
void rc_skeleton_loop_tree_free(struct rc_loop_tree *tree);

/* The first of the prologues of a loop, or of the next one that has any. */
size_t rc_skeleton_loop_tree_prologues_of(const struct rc_loop_tree *tree, size_t loop);

/* The part of the time of one rank, on average, that the items from `begin` to before `end` take:
 * seconds, with all iterations of loops among them. */
double rc_skeleton_loop_tree_seconds(const struct rc_loop_tree *tree, size_t begin, size_t end);

/* Bytes that one member gives in a collective call, all together. */
double rc_skeleton_cluster_collective_bytes(const struct rc_trace_call *call);

/* ---- what ranks compute before the loops of a loop tree ---- */

/* Of a call at a place of the loop tree: its first iterations alone, in the innermost loop. */
struct rc_loop_tree_opening {
    double n, work; /* how many, and the sum of their computing */
    uint32_t event; /* one of them */
};

/* For each place of the string, whether it is in the first iteration of the innermost loop around
 * it; `first` has room for the string's length, and is false everywhere. */
void rc_skeleton_loop_tree_first_iterations(const struct rc_loops *loops, bool *first);

/* Finds the prologues of the loop tree.  The sums of its calls are not yet divided; those of calls
 * with a prologue are made as if it were not there. */
int rc_skeleton_loop_tree_find_prologues(struct rc_loop_tree *tree,
                                         const struct rc_loop_tree_opening *openings,
                                         struct rc_error *error);

#endif
