// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes.h - a hosts file (docs/reference/slowdown-files.md): the hosts of a parallel program and
 * their competitors, and their slowdown. */
#ifndef RC_MODEL_SLOWDOWN_NODES_H
#define RC_MODEL_SLOWDOWN_NODES_H

#include "model/slowdown/aggregate_slowdown.h"
#include "model/slowdown/calibration.h"
#include "model/slowdown/run_time.h"

enum { RC_NODES_MAX = 4096, RC_NODE_GROUPS_MAX = 4096 };

struct rc_node {
    char *name;
    double weight;      /* NAN before rc_slowdown_nodes_settle(), if it is not in the file */
    double work;        /* its part of the work; NAN: missing in all hosts */
    double dedicated;   /* the same in the dedicated run */
    double slowdown;    /* local, from the file; NAN: to be computed */
    int cores;          /* 0: missing */
    bool cores_guessed; /* missing: one is assumed (rc_slowdown_nodes_settle()) */
    int processes;
    double memory;
    const struct rc_memory_curve *memory_curve; /* or NULL */
    struct rc_competitor *competitors;          /* made by rc_slowdown_nodes_settle() */
    size_t n_competitors;
};

/* A program, or `count` of them, that runs on some of the hosts. */
struct rc_node_group {
    struct rc_competitor competitor;
    size_t count;
    size_t *nodes; /* their numbers */
    size_t n_nodes;
    double *work; /* its parts of the work on them; NULL: equal parts */
    bool coupled; /* its processes wait for one another */
};

/* Start from {0}; free with rc_slowdown_nodes_free(). */
struct rc_slowdown_nodes {
    struct rc_node *items;
    size_t n;
    struct rc_node_group *groups;
    size_t n_groups;
    struct rc_delay delay;
    bool has_delay;
    double bandwidth;    /* NAN: missing */
    bool bare_bandwidth; /* without a unit */
    bool shared_link;    /* of the competitors on a host */
};

/* Reads `text`, or the file `name` if it is NULL.  Errors have their place. */
int rc_slowdown_nodes_parse(const char *text, size_t length, const char *name,
                            struct rc_slowdown_nodes *nodes, struct rc_error *error);
void rc_slowdown_nodes_free(struct rc_slowdown_nodes *nodes);

/* Completes what is missing in the file: weights, cores, memory and delay from a calibration (or
 * NULL), which must outlive the nodes; otherwise weights of 1, and one core.  Then adds the
 * competitors to each host, coupled ones with the shares that waiting leaves them.  To be called
 * once. */
int rc_slowdown_nodes_settle(struct rc_slowdown_nodes *nodes,
                             const struct rc_calibration *calibration, struct rc_error *error);

/* The needed parts of a calibration (a set of enum rc_calibration_part); before
 * rc_slowdown_nodes_settle(). */
unsigned rc_slowdown_nodes_parts(const struct rc_slowdown_nodes *nodes);

/* The number of competitors with a trait, and the causes of variation (rc_slowdown_doubt()): on
 * all hosts without a slowdown in the file. */
size_t rc_slowdown_nodes_count(const struct rc_slowdown_nodes *nodes,
                               enum rc_competitor_trait trait);
void rc_slowdown_nodes_doubt(const struct rc_slowdown_nodes *nodes, double seconds,
                             struct rc_slowdown_doubts *doubts);

/* The aggregate slowdown, and its terms for each host.  Local slowdowns are from the file or by
 * `model` (rc_slowdown_local_find()).  `uniform`: the dedicated run had equal parts (Eq. 12).
 * `notes` (or NULL) gets a set of enum rc_delay_note and of the following. */
enum { RC_NODES_WEIGHTS = 1 << 8 }; /* competitors have weights: another method was used */
int rc_slowdown_nodes_compute(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                              bool uniform, enum rc_local_model model,
                              struct rc_aggregate_node *terms, struct rc_aggregate *aggregate,
                              unsigned *notes, struct rc_error *error);

/* The row of a host in the paper's tables; 1 is an equal part of the work on a host of weight 1. */
struct rc_node_row {
    double dedicated; /* its part in the dedicated run */
    double extra;     /* work beyond an equal part: ew */
    double shared;    /* (1 + ew) x sd / w: time under contention */
    double alone;     /* (1 + ew) / w of the dedicated run */
};
struct rc_node_row rc_slowdown_nodes_row(const struct rc_aggregate_node *term, size_t n);

/* The aggregate slowdown with messages (rc_slowdown_aggregate_network()): a point, or the
 * interval from the low to the high ends of the competitors' shares.  `communicating` is the
 * share of messages in the dedicated run time, and `link` their slowdown, which is ignored if
 * that is 0.  NULL on failure. */
struct rc_value *rc_slowdown_nodes_value(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                         const struct rc_aggregate_node *terms,
                                         enum rc_local_model model, double communicating,
                                         double link, struct rc_error *error);

/* The hosts for a simulation of a run of `dedicated` seconds; `terms` are from
 * rc_slowdown_nodes_compute().  With policy load, the work is divided by the expected local
 * slowdowns. Given slowdowns multiply the work, and so do those of hosts with more competitors
 * than can be simulated.  Returns the run time on idle hosts with this division. */
double rc_slowdown_nodes_contention(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                    const struct rc_aggregate_node *terms, double dedicated,
                                    struct rc_contention_host *hosts);

#endif
