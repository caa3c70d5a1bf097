// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.h - slowdowns by competing processes, and what they rest on. */
#ifndef RC_ANSWER_SLOWDOWN_H
#define RC_ANSWER_SLOWDOWN_H

#include "host/observe/observe.h"
#include "model/slowdown/burst.h"
#include "model/slowdown/nodes.h"
#include "model/slowdown/slowdown_value.h"
#include "report/field.h"

/* ---- one host ---- */

/* How likely it is that `i` are at it at once, and what that adds. */
struct rc_answer_term {
    size_t i;
    double pp, adds, pm, delay;
};
extern const struct rc_field rc_answer_term[];
/* The term of `i` competitors. */
struct rc_answer_term rc_answer_term_of(const struct rc_local_host *host,
                                        const struct rc_local *local, size_t i);

struct rc_answer_local {
    const char *model; /* that answered; NULL: only what both models say is asked for */
    double paper, queue;
    const char *cores_from;
    struct rc_local_host host; /* share what they point to with what they were copied from */
    struct rc_local local;     /* the answer */
};
extern const struct rc_field rc_answer_local[];

/* ---- several hosts ---- */

struct rc_answer_node {
    const struct rc_node *is;
    const char *name;
    int cores, processes;
    struct rc_aggregate_node term;
    struct rc_node_row row;
    double capacity; /* weight by slowdown */
    bool given;      /* the slowdown, by the file */
    bool decides;
};
/* With work that is split by load, and by anything else. */
extern const struct rc_field rc_answer_node_load[];
extern const struct rc_field rc_answer_node_constraint[];

struct rc_answer_aggregate {
    const char *policy, *model;
    struct rc_aggregate aggregate;
    const char *slowest; /* NULL: split by load */
    const struct rc_answer_node *nodes;
    size_t n;
};
extern const struct rc_field rc_answer_aggregate[];

/* ---- predictions ---- */

struct rc_answer_width {
    double spread, model_error;
    struct rc_slowdown_doubts doubts; /* `longest` NAN: no long cycles */
};
extern const struct rc_field rc_answer_width[];

/* ---- messages ---- */

struct rc_answer_comm {
    double idle, now, slowdown;
    struct rc_burst burst; /* 0 messages: not given */
    const char *from, *to;
    size_t measured; /* bursts that the idle rate rests on */
};
extern const struct rc_field rc_answer_comm[];

/* A burst and its rate. */
extern const struct rc_field rc_answer_burst[]; /* of struct rc_slowdown_burst_rate */

/* ---- tasks ---- */

struct rc_answer_task {
    const char *name, *machine;
    double execution, transfer;
};
struct rc_answer_allocation {
    double seconds;
    bool tie;
    struct rc_answer_task *tasks;
    size_t n;
};
extern const struct rc_field rc_answer_task[];
extern const struct rc_field rc_answer_allocation[];

/* ---- observation ---- */

/* Of struct rc_observed, and of struct rc_observation. */
extern const struct rc_field rc_answer_observed[];
extern const struct rc_field rc_answer_observation[];

#endif
