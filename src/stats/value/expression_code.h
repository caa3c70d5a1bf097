// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_code.h - an expression as code for a stack machine; for this folder only. */
#ifndef RC_STATS_VALUE_EXPRESSION_CODE_H
#define RC_STATS_VALUE_EXPRESSION_CODE_H

#include "stats/value/expression.h"
#include "stats/value/expression_steps.h"

/* An expression is kept as code for a stack machine, in the order in which it is carried out: long
 * chains then need no recursion.  Indices that are numbers are pushed before the instruction that
 * has them, and popped by it. */
enum rc_code {
    RC_CODE_NUMBER,   /* push `number` */
    RC_CODE_MEMBER,   /* push the member of level `level`, a number */
    RC_CODE_LOAD,     /* push assigned name `slot` */
    RC_CODE_STORE,    /* pop into assigned name `slot` */
    RC_CODE_LOOKUP,   /* push name, or name[indices] */
    RC_CODE_COUNT,    /* push the number of members of the set `name` */
    RC_CODE_BINARY,   /* pop two; `operation` is an enum rc_binary */
    RC_CODE_UNARY,    /* pop one; `operation` is an enum rc_unary */
    RC_CODE_LOG_BASE, /* pop one; the logarithm to base `operation` */
    RC_CODE_MANY,     /* pop `count`; `operation` is an enum rc_many */
    RC_CODE_FOLD,     /* do the next `count` instructions for each member of the set `name` */
    RC_CODE_RANGE,    /* pop two points; the same for each number from the one to the other */
    RC_CODE_FARM,     /* the same as FOLD; then pop the number of jobs, too */
    RC_CODE_NORMAL,   /* pop two points */
    RC_CODE_INTERVAL, /* pop two points */
    RC_CODE_MODAL,    /* pop `count` points, mean, sd and p in turn */
    RC_CODE_HISTOGRAM /* the same: low, high and p */
};

enum rc_many { RC_SUM, RC_MAX, RC_MIN };

/* A stretch of the text. */
struct rc_stretch {
    uint32_t start, length;
};

struct rc_index {
    enum { RC_INDEX_WORD, RC_INDEX_MEMBER, RC_INDEX_NUMBER } kind;
    struct rc_stretch word;
    int level; /* of the member */
};

struct rc_instruction {
    enum rc_code code;
    unsigned operation;
    uint32_t place; /* in the text, for errors */
    uint32_t count;
    uint32_t slot;
    struct rc_stretch name;
    uint32_t first_index, n_indices; /* of the expression's indices */
    int level;         /* of a member, or that a fold gives to its own; otherwise -1 */
    uint32_t mentions; /* levels of the members that a distribution mentions, as bits */
    double number;
};

struct rc_expression {
    char *file;
    unsigned line, column; /* of the first character */
    char *text;
    size_t length;
    struct rc_instruction *code;
    size_t n_code, code_capacity;
    struct rc_index *indices;
    size_t n_indices, index_capacity;
    struct rc_stretch *names; /* assigned, by slot; one name may be assigned again */
    size_t n_names;
    size_t n_parameters; /* they are the members of the first levels */
};

/* Gives `error` the place of byte `at`, if it has none yet; returns -1. */
int rc_value_expression_place(const struct rc_expression *expression, size_t at,
                              struct rc_error *error);

#endif
