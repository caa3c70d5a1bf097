// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_machine.h - the stack machine that carries expressions out; for this folder only.
 *
 * expression_machine.c has the stack, the operations on it, and what is made once and kept;
 * expression_eval.c names, folds and the running of code. */
#ifndef RC_STATS_VALUE_EXPRESSION_MACHINE_H
#define RC_STATS_VALUE_EXPRESSION_MACHINE_H

#include "stats/value/expression_code.h"

/* Memory that runs out must not end the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Next to each value that is a point, a normal or an interval stands the step of the computation
 * in intervals that gives it.  Whatever is not made from intervals is a leaf of those steps. */
struct rc_slot {
    struct rc_value *value;
    int step; /* -1: of a kind that is not computed in intervals */
};

/* A distribution, a value from the scope or that of a definition: made once and kept under a key,
 * so that it is the same variable, with the same draws, wherever it is used. */
struct rc_leaf {
    UT_hash_handle hh;
    struct rc_slot slot;
    char key[];
};

/* Between the parts of a key. */
enum { RC_KEY_BREAK = '\x1f' };
/* The longest key: a name or an index for each level, with its length. */
enum { RC_KEY_SIZE = (RC_EXPRESSION_FOLDS_MAX + 2) * (RC_EXPRESSION_NAME_MAX + 8) + 64 };

/* An expression that is being carried out. */
struct rc_frame {
    const struct rc_expression *expression;
    struct rc_slot *names;
    const char *members[RC_EXPRESSION_FOLDS_MAX]; /* at hand, by level */
};

struct rc_evaluation {
    int as;
    struct rc_value_rules rules;
    const struct rc_expression_scope *scope;
    struct rc_error *error;
    struct rc_slot *stack;
    size_t top, capacity;
    struct rc_leaf *leaves; /* in the order in which they were made */
    struct rc_steps steps;
    struct rc_frame *frame;
    unsigned calls; /* definitions within one another */
    size_t done;    /* instructions */
};

/* Functions that return an int give -1 with the error set. */

/* Takes the value over, also on failure; NULL is a failure that has set the error. */
int rc_value_machine_push(struct rc_evaluation *machine, struct rc_value *value, int step);
int rc_value_machine_push_point(struct rc_evaluation *machine, double x);
void rc_value_machine_pop(struct rc_evaluation *machine, size_t count);
/* Pops a point, whose number it gives; `what` says what it should have been, for the error. */
int rc_value_machine_pop_number(struct rc_evaluation *machine, const char *what, double *x);

/* Replace the topmost values by what comes of them. */
int rc_value_machine_binary(struct rc_evaluation *machine, enum rc_binary operation);
int rc_value_machine_unary(struct rc_evaluation *machine, enum rc_unary operation);
int rc_value_machine_log_base(struct rc_evaluation *machine, unsigned base);
/* Joins the two topmost values into one. */
int rc_value_machine_join(struct rc_evaluation *machine, enum rc_many operation);
/* Joins the topmost `count` values, the deepest first. */
int rc_value_machine_many(struct rc_evaluation *machine, enum rc_many operation, size_t count);
/* The topmost `count` values are times of hosts, and the one below the number of jobs. */
int rc_value_machine_farm(struct rc_evaluation *machine, size_t count);

/* Pushes what is kept under that key, if there is something: 1, else 0; -1 on failure. */
int rc_value_machine_push_known(struct rc_evaluation *machine, const char *key);
/* Keeps the topmost value under `key`. */
int rc_value_machine_keep(struct rc_evaluation *machine, const char *key);
/* Brings a leaf to the kind that is asked for, pushes it and keeps it; takes it over. */
int rc_value_machine_push_new(struct rc_evaluation *machine, const char *key,
                              struct rc_value *value);
/* Pops the numbers of a distribution and pushes it. */
int rc_value_machine_distribution(struct rc_evaluation *machine,
                                  const struct rc_instruction *instruction);
void rc_value_machine_forget(struct rc_evaluation *machine);

#endif
