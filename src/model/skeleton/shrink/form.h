// SPDX-License-Identifier: GPL-3.0-or-later
/* form.h - the loops of a whole program, of all its ranks together, with the times and sizes of
 * each place averaged over the iterations.
 *
 * The program is a string of acts (acts.h).  Acts in which the same ranks make the same calls with
 * sizes that are alike are one symbol; the string of symbols is folded into loops.  Since acts need
 * nothing outside of them, neither does an iteration of such a loop: leaving out some of them
 * leaves a program that still runs. */
#ifndef RC_MODEL_SKELETON_SHRINK_FORM_H
#define RC_MODEL_SKELETON_SHRINK_FORM_H

#include <stdbool.h>

#include "model/skeleton/match/acts.h"
#include "model/skeleton/match/first_come.h"
#include "model/skeleton/loops/loops.h"

/* A call at a place of the form: what it is on average over all iterations. */
struct rc_form_call {
    uint32_t rank;
    uint32_t event; /* one that stands for all */
    double n;       /* how often it is made */
    double work;    /* CPU seconds of the computing before it, but for that before a loop */
    double wall;    /* and its wall time */
    double inside;  /* seconds in the call */
    double out, in; /* bytes of the messages that it sends and receives; of a collective call, `out`
                     * is what all members give together, of one to a file what it moves */
    double read, written;
};

/* What stands at an item of the loops that is no loop. */
struct rc_form_leaf {
    uint32_t symbol; /* of the act */
    uint32_t act;    /* one that stands for all */
    size_t first;    /* its calls: part after part, in the order of the act's parts */
    uint32_t n_calls;
    double seconds; /* on average over the ranks of the program */
};

/* What a rank computes before a loop, on top of what it does before each iteration (entry.h). */
struct rc_form_entry {
    size_t loop; /* the item */
    uint32_t rank;
    uint32_t event; /* the rank's first call in the loop, in a first iteration */
    double work;    /* CPU seconds, each time that the loop is come to */
};

struct rc_form {
    const struct rc_program *program;
    struct rc_match match;
    struct rc_first_come first_come;
    struct rc_acts acts;
    struct rc_loops loops;       /* of symbols of acts */
    struct rc_form_leaf *leaves; /* by item of the loops; those of loops are empty */
    struct rc_form_call *calls;
    size_t n_calls;
    struct rc_form_entry *entries; /* in the order of loops */
    size_t n_entries;
    uint32_t n_symbols;
    double threshold;   /* sizes that differ by no more than this part count as alike */
    bool by_time;       /* part of the size and RC_FORM_HALF_SPEED, not of the size alone */
    double compression; /* Q: calls of the program for each call of the form */
};

/* So many bytes can be sent in the time that a message takes however short it is: half of the full
 * speed is reached with messages of that size. */
#define RC_FORM_HALF_SPEED 8192.0

/* Finds the form, raising the threshold until the compression reaches `wanted`, or the threshold
 * its maximum (Table 2 of the paper); where no loop makes up most of the program then, and more
 * than 1 is wanted, sizes are compared by the time that they take.  The program stays the caller's
 * and must outlive it.  Free with rc_skeleton_form_free(); on failure there is nothing to free. */
int rc_skeleton_form_find(const struct rc_program *program, double wanted, struct rc_form *form,
                          struct rc_error *error);
void rc_skeleton_form_free(struct rc_form *form);

/* The first of the entries of a loop, or of the next one that has any. */
size_t rc_skeleton_form_entries_of(const struct rc_form *form, size_t loop);

/* The part of the time of one rank, on average, that the items from `begin` to before `end` take:
 * seconds, with all iterations of loops among them. */
double rc_skeleton_form_seconds(const struct rc_form *form, size_t begin, size_t end);

/* Bytes that one member gives in a collective call, all together. */
double rc_skeleton_form_collective_bytes(const struct rc_trace_call *call);

#endif
