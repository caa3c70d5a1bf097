// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_fields.h - slowdowns by competing processes, and their inputs. */
#ifndef RC_ANSWER_SLOWDOWN_FIELDS_H
#define RC_ANSWER_SLOWDOWN_FIELDS_H

#include "host/observe/observe.h"
#include "model/slowdown/task_allocation.h"
#include "model/slowdown/message_slowdown.h"
#include "model/slowdown/nodes.h"
#include "model/slowdown/local_estimate.h"
#include "model/slowdown/run_time.h"
#include "report/field.h"

/* ---- equations with their numbers ---- */

enum { RC_ANSWER_EQUATION_SIZE = 4000 };
struct rc_answer_equation {
    const char *name;
    char text[RC_ANSWER_EQUATION_SIZE];
    double value;
    double above, below; /* of a fraction; NAN: it is none */
    bool sum;            /* 1 + all terms */
    struct rc_local_term terms[RC_LOCAL_TERMS_MAX];
    size_t n;
};
extern const struct rc_field rc_answer_equation[];

/* At the end of documents. */
struct rc_answer_slowdown_end {
    json_t *equations; /* a list; NULL: not asked for */
    json_t *notes;
};

/* The slowdown of a host by a model, and its terms. */
void rc_answer_equation_local(const struct rc_local_host *host, const struct rc_local *local,
                              enum rc_local_model model, struct rc_answer_equation *equation);
/* Eq. 3: rates. */
void rc_answer_equation_comm(double idle_rate, double current_rate,
                             struct rc_answer_equation *equation);
/* Eqs. 5 to 12.  `terms`: those of the first node. */
void rc_answer_equation_aggregate(const struct rc_aggregate *aggregate, enum rc_split split,
                                  bool uniform, const struct rc_aggregate_node *terms,
                                  struct rc_answer_equation *equation);
/* Slower computing and slower messages, for a share `communicating` of the time. */
void rc_answer_equation_network(double computing, double communicating, double link_slowdown,
                                struct rc_answer_equation *equation);

/* ---- one host ---- */

/* The probabilities that `i` compute or communicate at once, and what that adds. */
struct rc_answer_term {
    size_t i;
    double compute, adds, communicate, delay;
};
extern const struct rc_field rc_answer_term[];
/* The term of `i` competitors. */
struct rc_answer_term rc_answer_term_of(const struct rc_local_host *host,
                                        const struct rc_local *local, size_t i);

struct rc_answer_local {
    const char *model; /* that answered; NULL: only the factors of both models are wanted */
    double paper, queue;
    const char *cores_from;
    struct rc_local_host host; /* shares its pointers with the original */
    struct rc_local local;     /* the answer */
};
extern const struct rc_field rc_answer_local[];

struct rc_answer_slowdown_local {
    json_t *slowdown; /* a value */
    struct rc_answer_local local;
    struct rc_answer_slowdown_end end;
};
extern const struct rc_field rc_answer_slowdown_local[];

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
    bool constraint; /* the policy */
};
/* The hosts with their terms, of which `slowest` decides; to be freed.  NULL if out of memory. */
struct rc_answer_node *rc_answer_nodes_make(const struct rc_slowdown_nodes *nodes,
                                            const struct rc_aggregate_node *terms,
                                            enum rc_split split, size_t slowest);
/* Tables for the policies load and constraint. */
extern const struct rc_field rc_answer_node_load[];
extern const struct rc_field rc_answer_node_constraint[];

struct rc_answer_aggregate {
    const char *policy, *model;
    struct rc_aggregate aggregate;
    const char *slowest; /* NULL: policy load */
    struct rc_answer_node *nodes;
    size_t n;
};
extern const struct rc_field rc_answer_aggregate[];

struct rc_answer_slowdown_aggregate {
    struct rc_answer_aggregate aggregate;
    json_t *slowdown; /* a value */
    double communicating, link_slowdown;
    struct rc_answer_slowdown_end end;
};
extern const struct rc_field rc_answer_slowdown_aggregate[];

/* ---- predictions ---- */

struct rc_answer_contention {
    double dedicated;
    json_t *time, *slowdown; /* values */
    double spread, model_error;
    struct rc_slowdown_doubts doubts; /* `longest` NAN: no long cycles */
    double communicating, link_slowdown;
    const char *model, *coupling; /* no coupling: by an equation */
    int64_t samples, seed;
    const struct rc_answer_aggregate *aggregate; /* or NULL */
    const struct rc_answer_local *local;         /* or NULL */
    struct rc_answer_slowdown_end end;
};
extern const struct rc_field rc_answer_contention[];

/* ---- messages ---- */

struct rc_answer_comm {
    json_t *slowdown; /* a value */
    double idle_rate, current_rate;
    struct rc_burst burst; /* 0 messages: not given */
    char from[RC_CALIBRATION_NAME], to[RC_CALIBRATION_NAME];
    size_t measured; /* bursts from which the idle rate was computed */
    struct rc_answer_slowdown_end end;
};
extern const struct rc_field rc_answer_comm[];

/* A burst and its rate. */
extern const struct rc_field rc_answer_burst[]; /* of struct rc_slowdown_burst_rate */

struct rc_answer_bursts {
    const char *to;
    int64_t repeat;
    const struct rc_slowdown_burst_rate *bursts;
    size_t n;
};
extern const struct rc_field rc_answer_bursts[];

/* ---- calibrations ---- */

/* A row of a table, of struct rc_slowdown_calibration_host. */
extern const struct rc_field rc_answer_calibration_host[];

/* The document of a calibration, whose members are those of rc_slowdown_calibration_document(). */
struct rc_answer_calibration {
    const char *platform;
    json_t *format, *created, *quick, *missing, *hosts, *links, *delay_from, *delay_to, *points,
        *delay, *byte_cost, *notes;
};
struct rc_answer_calibration rc_answer_calibration_of(const char *platform, const json_t *document);
extern const struct rc_field rc_answer_calibration[];

/* ---- tasks ---- */

struct rc_answer_task {
    const char *name, *machine;
    double execution, transfer;
};
struct rc_answer_allocation {
    double time;
    bool tie;
    struct rc_answer_task *tasks;
    size_t n;
};
/* The tasks of a file on the machines of a mapping, in `tasks`, which is to be freed; -1 if out of
 * memory. */
int rc_answer_allocation_make(const struct rc_allocation_file *file,
                              const struct rc_mapping *mapping,
                              struct rc_answer_allocation *answer);
extern const struct rc_field rc_answer_task[];
extern const struct rc_field rc_answer_allocation[];

/* ---- observation ---- */

extern const struct rc_field rc_answer_observed[]; /* of struct rc_observed */

struct rc_answer_observation {
    struct rc_observation is; /* shares its pointers with the original */
    json_t *notes;
};
extern const struct rc_field rc_answer_observation[];

#endif
