// SPDX-License-Identifier: GPL-3.0-or-later
/* expression.h - formulas over stochastic values, as people write them.
 *
 *     work = 2.2Gf * 60; slow = normal(0.8, 0.1);
 *     max(h in hosts: work / (speed[h] * slow)) + sum(interval(1s, 2s), 50ms)
 *
 * Statements `name = expression` and at last an expression, separated by ';'.  Operators + - * / ^
 * ('^' goes from right to left and binds tighter than a sign), numbers with units right after them
 * (64KiB, 100Mbit, 1.5h, 40%), normal(mean, sd), interval(low, high), histogram(low:high:p, ...),
 * log, log2, log10, sqrt, exp, abs, and sum, max and min, either of values or over the members of a
 * set: max(h in hosts: cpu[h]).  Line ends are spaces.
 *
 * Every distribution that is written down, every name and every name[index] is one variable,
 * however often it is used: with x = normal(5, 1), x - x is 0.  A distribution inside a fold is one
 * for each member if it mentions the member, and else one for all.  Normals, intervals and samples
 * heed that; histograms cannot. */
#ifndef RC_VALUE_EXPRESSION_H
#define RC_VALUE_EXPRESSION_H

#include <stddef.h>
#include <stdint.h>

#include "value/value.h"

enum {
    RC_EXPRESSION_LENGTH_MAX = 64 * 1024, /* bytes of text */
    RC_EXPRESSION_DEPTH_MAX = 200,        /* brackets, signs and powers within one another */
    RC_EXPRESSION_NODES_MAX = 20000,
    RC_EXPRESSION_NAMES_MAX = 1000,       /* assignments */
    RC_EXPRESSION_NAME_MAX = 255,         /* bytes of a name or an index */
    RC_EXPRESSION_FOLDS_MAX = 16,         /* folds within one another */
    RC_EXPRESSION_STEPS_MAX = 1000000     /* of one evaluation, folds written out */
};

/* Where names come from that the expression does not define.  A function may be NULL: there are
 * none. */
struct rc_expression_scope {
    void *data;
    /* A reference to what `name` stands for, or name[index]; `index` is NULL where none is written.
     * NULL with `error` set where there is no such thing.  Asked once for each in an evaluation
     * (twice where samples turn out to be needed).  A normal that remembers no variable becomes
     * one of its own; variables that the caller numbers are below 2^63. */
    struct rc_value *(*value)(void *data, const char *name, const char *index,
                              struct rc_error *error);
    /* The members of a set; they must stay as they are until the evaluation is over.  -1 with
     * `error` set where there is no such set. */
    int (*members)(void *data, const char *set, const char *const **members, size_t *n_members,
                   struct rc_error *error);
};

struct rc_expression;

/* Reads `text`; `name` is what errors call it.  Neither is needed afterwards.  NULL, with `error`
 * and the place in it set, where it is no expression.  Destroy with rc_expression_destroy(). */
struct rc_expression *rc_expression_parse(const char *text, size_t length, const char *name,
                                          struct rc_error *error);
void rc_expression_destroy(struct rc_expression *expression);

/* The value of the expression.  With a kind in `as`, every distribution and every value from the
 * scope is first turned into that kind (points stay points), so that all is computed in it; with
 * -1, kinds meet as value.h says.  `scope` may be NULL.  NULL, with `error` and the place of the
 * operator in it, on failure.  An expression may be evaluated any number of times. */
struct rc_value *rc_expression_evaluate(const struct rc_expression *expression, int as,
                                        const struct rc_value_rules *rules,
                                        const struct rc_expression_scope *scope,
                                        struct rc_error *error);

/* ---- what the files of this room share ---- */

/* An expression is kept as code for a stack machine, in the order in which it is carried out: long
 * chains then need no recursion. */
enum rc_code {
    RC_CODE_NUMBER,    /* push `number` */
    RC_CODE_LOAD,      /* push assigned name `slot` */
    RC_CODE_STORE,     /* pop into assigned name `slot` */
    RC_CODE_LOOKUP,    /* push name, or name[index] */
    RC_CODE_BINARY,    /* pop two; `operation` is an enum rc_binary */
    RC_CODE_UNARY,     /* pop one; `operation` is an enum rc_unary */
    RC_CODE_LOG_BASE,  /* pop one; the logarithm to base `operation` */
    RC_CODE_MANY,      /* pop `count`; `operation` is an enum rc_many */
    RC_CODE_FOLD,      /* do the next `count` instructions for each member of the set `name` */
    RC_CODE_NORMAL,    /* pop two points */
    RC_CODE_INTERVAL,  /* pop two points */
    RC_CODE_HISTOGRAM  /* pop `count` points, low, high and p in turn */
};

enum rc_many { RC_SUM, RC_MAX, RC_MIN };

/* A stretch of the text. */
struct rc_stretch {
    uint32_t start, length;
};

struct rc_instruction {
    enum rc_code code;
    unsigned operation;
    uint32_t place; /* in the text, for errors */
    uint32_t count;
    uint32_t slot; /* of a fold: its level */
    struct rc_stretch name, index;
    int level;         /* of the fold whose member is the index; -1: the index is as written */
    uint32_t mentions; /* levels of the folds whose members a distribution mentions, as bits */
    double number;
};

struct rc_expression {
    char *name;
    char *text;
    size_t length;
    struct rc_instruction *code;
    size_t n_code, code_capacity;
    struct rc_stretch *names; /* assigned, by slot; one name may be assigned again */
    size_t n_names;
};

/* Gives `error` the place of byte `at`, if it has none yet; returns -1. */
int rc_expression_place(const struct rc_expression *expression, size_t at, struct rc_error *error);

/* The steps of a computation in intervals, each after those that it uses; expression_interval.c. */
enum {
    RC_STEP_UNARY = RC_BINARIES, /* + an enum rc_unary; below it, an enum rc_binary */
    RC_STEP_MAX = RC_STEP_UNARY + RC_UNARIES,
    RC_STEP_MIN,
    RC_STEP_LEAF
};
struct rc_step {
    int operation;
    uint32_t a, b; /* steps */
    double ends[2];
};
struct rc_steps {
    struct rc_step *list;
    size_t n, capacity;
};
/* The index of the new step, or -1. */
int rc_steps_add(struct rc_steps *steps, struct rc_step step, struct rc_error *error);
/* Narrows the ends of step `root`, heeding that a leaf has one value wherever it is used. */
int rc_steps_sharpen(const struct rc_steps *steps, size_t root, double ends[2],
                     struct rc_error *error);

#endif
