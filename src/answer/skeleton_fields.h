// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_fields.h - skeletons: what a program does, the skeleton made of it, and what its runs say. */
#ifndef RC_ANSWER_SKELETON_FIELDS_H
#define RC_ANSWER_SKELETON_FIELDS_H

#include "model/skeleton/probe/skeleton_trials.h"
#include "model/skeleton/shrink/loop_tree.h"
#include "report/field.h"

/* A call of a program at its place in the loops. */
struct rc_answer_skeleton_call {
    const char *call;
    int64_t to, from, root; /* ranks; below 0: none */
    double bytes;
    double computing, seconds; /* before it, and in it */
};
/* What is known of a call of the tree. */
struct rc_answer_skeleton_call rc_answer_skeleton_call_of(const struct rc_loop_tree *tree,
                                                          const struct rc_loop_tree_call *call);

/* Whether a rank makes a call in the items of the loops from `begin` to before `end`. */
bool rc_answer_skeleton_has_rank(const struct rc_loop_tree *tree, size_t begin, size_t end,
                                 uint32_t rank);
/* What a rank computes before a loop, in seconds. */
double rc_answer_skeleton_before_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank);

/* What a program does, as JSON: its loops, with the calls of one rank. */
json_t *rc_answer_skeleton_show(const struct rc_loop_tree *tree, uint32_t rank);

/* A skeleton that was built. */
struct rc_answer_skeleton_built {
    const char *file, *program;
    uint32_t ranks;
    double ratio, original, seconds; /* times shorter; of the program, and of the skeleton */
    double shortest;                 /* of a good one; 0: there is none */
    double threshold, compression;
    bool by_time;
    uint64_t calls;
    size_t original_calls;
};
extern const struct rc_field rc_answer_skeleton_built[];

/* What runs of a skeleton say. */
struct rc_answer_skeleton_trials {
    const char *skeleton;
    double seconds, spread, communicating; /* means; NAN where they are not known */
    size_t trials;
    double original; /* seconds of the program where it was recorded */
    bool is_short;
    double ratio, meant; /* how much longer the program takes, measured and as it was meant */
    bool measured;
    double predicted, sd, low, high, level; /* of the program here and now */
};
/* Fills in what follows from the trials alone. */
struct rc_answer_skeleton_trials rc_answer_skeleton_trials_of(const struct rc_trials *trials,
                                                              double original);
extern const struct rc_field rc_answer_skeleton_measured[];
extern const struct rc_field rc_answer_skeleton_predicted[];

#endif
