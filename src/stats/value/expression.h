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
 * set: max(h in hosts: cpu[h]), max(j in neighbours[h]: ...), sum(t in 1 to 10: step[t]).
 * count(set) is the number of members; farm(jobs, h in hosts: seconds) when the last of many jobs
 * is done (job_farm.h).  Line ends are spaces.
 *
 * A name may have up to four indices: bw[a1, h].  An index is a member, a word whose meaning the
 * scope tells, or a number.  A member that is a number has its value: t * t.
 *
 * Every distribution that is written down, every name and every name[index] is one variable,
 * however often it is used: with x = normal(5, 1), x - x is 0.  A distribution inside a fold is one
 * for each member if it mentions the member, and else one for all; in an expression with parameters
 * it is one for each set of parameters.  Normals, intervals and samples heed that; histograms
 * cannot. */
#ifndef RC_STATS_VALUE_EXPRESSION_H
#define RC_STATS_VALUE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/value/value.h"

enum {
    RC_EXPRESSION_LENGTH_MAX = 64 * 1024, /* bytes of text */
    RC_EXPRESSION_DEPTH_MAX = 200,        /* brackets, signs and powers within one another */
    RC_EXPRESSION_NODES_MAX = 20000,
    RC_EXPRESSION_NAMES_MAX = 1000, /* assignments */
    RC_EXPRESSION_NAME_MAX = 255,   /* bytes of a name or an index */
    RC_EXPRESSION_INDICES_MAX = 4,
    RC_EXPRESSION_FOLDS_MAX = 16,     /* folds within one another, parameters included */
    RC_EXPRESSION_CALLS_MAX = 50,     /* definitions within one another */
    RC_EXPRESSION_STEPS_MAX = 2000000 /* of one evaluation, folds written out */
};

struct rc_expression;

/* Where names come from that the expression does not define.  A function may be NULL: there are
 * none.  Those that fail set `error`. */
struct rc_expression_scope {
    void *data;
    /* The expression that name[indices] stands for, with as many parameters as `n_indices`, or with
     * none; it is carried out in place, once for each set of indices.  NULL where there is none:
     * then `value` is asked. */
    const struct rc_expression *(*definition)(void *data, const char *name,
                                              const char *const *indices, size_t n_indices);
    /* A reference to what `name` stands for, or name[indices].  NULL where there is no such thing.
     * Asked once for each in an evaluation (twice where samples turn out to be needed).  A normal
     * that remembers no variable becomes one of its own; variables that the caller numbers are
     * below 2^63. */
    struct rc_value *(*value)(void *data, const char *name, const char *const *indices,
                              size_t n_indices, struct rc_error *error);
    /* The members of a set; they must stay as they are until the evaluation is over.  -1 where
     * there is no such set. */
    int (*members)(void *data, const char *set, const char *const *indices, size_t n_indices,
                   const char *const **members, size_t *n_members, struct rc_error *error);
    /* What a word stands for that is written as an index: itself, or another member; it must stay
     * until the evaluation is over.  NULL where it is the name of a number, whose value is then the
     * index.  Where the function is NULL, words stand for themselves. */
    const char *(*member)(void *data, const char *word);
};

/* Where an expression stands, for errors, and what its parameters are called. */
struct rc_expression_origin {
    const char *file;      /* what errors call it */
    unsigned line, column; /* of its first character, from 1 */
    const char *const *parameters;
    size_t n_parameters;
};

/* Reads `text`; neither it nor `origin` are needed afterwards.  NULL, with `error` and the place
 * in it set, where it is no expression.  Destroy with rc_value_expression_destroy(). */
struct rc_expression *rc_value_expression_parse(const char *text, size_t length,
                                                const struct rc_expression_origin *origin,
                                                struct rc_error *error);
void rc_value_expression_destroy(struct rc_expression *expression);

/* Another one of the same: distributions in it are other variables.  NULL where memory runs out. */
struct rc_expression *rc_value_expression_copy(const struct rc_expression *expression);

/* The text, as it was read. */
const char *rc_value_expression_text(const struct rc_expression *expression);

/* What an expression asks of its scope. */
struct rc_reference {
    const char *name;
    size_t n_indices;
    bool is_set;           /* of a fold or count() */
    bool is_index;         /* a word that is written as an index: a member or a number */
    unsigned line, column; /* where */
};

/* Calls `each` for every one, in the order of the text; `reference` is gone afterwards. */
void rc_value_expression_references(const struct rc_expression *expression,
                                    void (*each)(void *data, const struct rc_reference *reference),
                                    void *data);

/* The value of the expression, which has no parameters.  With a kind in `as`, every distribution
 * and every value from the scope is first turned into that kind (points stay points), so that all
 * is computed in it; with -1, kinds meet as value.h says.  `scope` may be NULL.  NULL, with `error`
 * and the place of the operator in it, on failure.  An expression may be evaluated any number of
 * times. */
struct rc_value *rc_value_expression_evaluate(const struct rc_expression *expression, int as,
                                              const struct rc_value_rules *rules,
                                              const struct rc_expression_scope *scope,
                                              struct rc_error *error);

/* Several evaluations that share what they find: a name has the same value, with the same draws, in
 * all of them.  `rules` and `scope` must outlive it. */
struct rc_evaluation;
struct rc_evaluation *rc_value_evaluation_create(int as, const struct rc_value_rules *rules,
                                                 const struct rc_expression_scope *scope,
                                                 struct rc_error *error);
void rc_value_evaluation_destroy(struct rc_evaluation *evaluation);
/* As rc_value_expression_evaluate(), with the given members for the parameters.  Where a result
 * turns out to be a sample, earlier values are forgotten and later ones are samples too. */
struct rc_value *rc_value_evaluation_value(struct rc_evaluation *evaluation,
                                           const struct rc_expression *expression,
                                           const char *const *members, size_t n_members,
                                           struct rc_error *error);
/* Calls `each` for the names of the scope that have a value so far, definitions included, in the
 * order in which they were found. */
void rc_value_evaluation_names(const struct rc_evaluation *evaluation,
                               void (*each)(void *data, const char *name,
                                            const char *const *indices, size_t n_indices,
                                            const struct rc_value *value),
                               void *data);

#endif
