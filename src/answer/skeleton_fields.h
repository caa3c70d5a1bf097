// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_fields.h - answers about skeletons: loops of a program, a skeleton, and its runs. */
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
/* The answer about a call of the tree. */
struct rc_answer_skeleton_call rc_answer_skeleton_call_of(const struct rc_loop_tree *tree,
                                                          const struct rc_loop_tree_call *call);

/* Does a rank make a call in the items of the loops from `begin` to before `end`? */
bool rc_answer_skeleton_has_rank(const struct rc_loop_tree *tree, size_t begin, size_t end,
                                 uint32_t rank);
/* The computing time of a rank before a loop, in seconds. */
double rc_answer_skeleton_before_loop(const struct rc_loop_tree *tree, size_t loop, uint32_t rank);

/* The loops of a program, with the calls of one rank. */
struct rc_answer_skeleton_shown {
    const struct rc_loop_tree *tree;
    const struct rc_suitability *suitability;
    const char *program;
    uint32_t procs, rank, clusters;
    double seconds, threshold, compression, shortest;
    size_t calls;
    bool by_time;
};
struct rc_answer_skeleton_shown
rc_answer_skeleton_shown_of(const struct rc_loop_tree *tree, uint32_t rank,
                            const struct rc_suitability *suitability);
extern const struct rc_field rc_answer_skeleton_shown[];

/* A skeleton that was built. */
struct rc_answer_skeleton_built {
    const char *file, *program;
    uint32_t ranks, clusters;
    double ratio, original, seconds; /* times shorter; of the program, and of the skeleton */
    double shortest;                 /* of a good one; 0: none */
    double threshold, compression;
    bool by_time;
    uint64_t calls;
    size_t original_calls;
    const struct rc_suitability *suitability;
};
extern const struct rc_field rc_answer_skeleton_built[];

/* Runs of a skeleton. */
struct rc_answer_skeleton_trials {
    const char *skeleton;
    double seconds, spread, communicating; /* means; NAN: unknown */
    size_t trials;
    double startup;  /* seconds of the command outside of MPI_Init to MPI_Finalize */
    double original; /* seconds of the traced run */
    bool is_short;
    double ratio, meant; /* of the program to the skeleton, measured and intended */
    bool measured;
    double predicted, mean, sd, low, high,
        level; /* of the program here and now; predicted: median */
    json_t *notes;
};
/* Fills in what follows from the trials alone. */
struct rc_answer_skeleton_trials rc_answer_skeleton_trials_of(const struct rc_trials *trials,
                                                              double original);
extern const struct rc_field rc_answer_skeleton_measured[];
extern const struct rc_field rc_answer_skeleton_predicted[];

#endif
