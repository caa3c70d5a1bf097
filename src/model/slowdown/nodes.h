// SPDX-License-Identifier: GPL-3.0-or-later
/* nodes.h - a hosts file (docs/reference/slowdown-files.md): the hosts of a parallel program and their
 * competitors, and their slowdown. */
#ifndef RC_MODEL_SLOWDOWN_NODES_H
#define RC_MODEL_SLOWDOWN_NODES_H

#include "model/slowdown/aggregate_slowdown.h"
#include "model/slowdown/calibration.h"
#include "model/slowdown/run_time.h"

enum { RC_NODES_MAX = 4096, RC_NODE_GROUPS_MAX = 4096 };

struct rc_node {
    char *name;
    double weight;      /* NAN before rc_slowdown_nodes_settle(), where the file does not say it */
    double work;        /* its part of the work; NAN: not said, as of all of them */
    double dedicated;   /* its part in the dedicated run; likewise */
    double slowdown;    /* local, as the file has it; NAN: to be computed */
    int cores;          /* 0: not said */
    bool cores_guessed; /* nobody has said: one was taken (rc_slowdown_nodes_settle()) */
    int processes;
    double memory;
    const struct rc_memory_curve *memory_curve; /* or NULL */
    struct rc_competitor *competitors;          /* made by rc_slowdown_nodes_settle() */
    size_t n_competitors;
};

/* A program, or `count` of them, that runs on some of the nodes. */
struct rc_node_group {
    struct rc_competitor competitor;
    size_t count;
    size_t *nodes; /* their numbers */
    size_t n_nodes;
    double *work; /* its parts of its own work on them; NULL: equal parts */
    bool coupled; /* its parts wait for one another */
};

/* Start from {0}; free with rc_slowdown_nodes_free(). */
struct rc_slowdown_nodes {
    struct rc_node *items;
    size_t n;
    struct rc_node_group *groups;
    size_t n_groups;
    struct rc_delay delay;
    bool has_delay;
    double bandwidth;    /* NAN: not said */
    bool bare_bandwidth; /* said without a unit */
    bool shared_link;    /* of the competitors on a node */
};

/* Reads a nodes file: `text`, or the file `name` where it is NULL.  An error has its place. */
int rc_slowdown_nodes_parse(const char *text, size_t length, const char *name,
                            struct rc_slowdown_nodes *nodes, struct rc_error *error);
void rc_slowdown_nodes_free(struct rc_slowdown_nodes *nodes);

/* Completes what the file leaves open: weights, cores, memory and delay from a calibration (or
 * NULL), which must outlive the nodes; otherwise weights of 1, and one core.  Then gives each node
 * its competitors, coupled ones with the shares that waiting leaves them.  To be called once. */
int rc_slowdown_nodes_settle(struct rc_slowdown_nodes *nodes,
                             const struct rc_calibration *calibration, struct rc_error *error);

/* The parts of a calibration that the file leaves to it (a set of enum rc_calibration_part); before
 * rc_slowdown_nodes_settle(). */
unsigned rc_slowdown_nodes_parts(const struct rc_slowdown_nodes *nodes);

/* How many of the competitors are such, and why an answer is as wide as it is (rc_slowdown_doubt()):
 * over all nodes whose slowdown the file does not give. */
size_t rc_slowdown_nodes_count(const struct rc_slowdown_nodes *nodes,
                               enum rc_competitor_trait trait);
void rc_slowdown_nodes_doubt(const struct rc_slowdown_nodes *nodes, double seconds,
                             struct rc_slowdown_doubts *doubts);

/* The aggregate slowdown, and its terms for each of the nodes.  Local slowdowns are those of the
 * file, or found by the model `model` (rc_slowdown_local_find()).  `uniform`: the dedicated run had equal parts
 * (Eq. 12).  `notes` (or NULL) gets a set of enum rc_delay_note and of the below. */
enum { RC_NODES_WEIGHTS = 1 << 8 }; /* competitors have weights: another way was taken */
int rc_slowdown_nodes_compute(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                              bool uniform, enum rc_local_model model,
                              struct rc_aggregate_node *terms, struct rc_aggregate *aggregate,
                              unsigned *notes, struct rc_error *error);

/* The row of a node in the paper's tables, in units of an equal part of the work on a host of
 * weight 1. */
struct rc_node_row {
    double dedicated; /* its part in the dedicated run */
    double extra;     /* work beyond an equal part: ew */
    double shared;    /* (1 + ew) x sd / w, what it takes beside others */
    double alone;     /* (1 + ew) / w of the dedicated run */
};
struct rc_node_row rc_slowdown_nodes_row(const struct rc_aggregate_node *term, size_t n);

/* The aggregate slowdown with the network in it (rc_slowdown_aggregate_network()): a point, or the interval
 * between what the low ends and the high ends of the competitors' shares come to.  `communicating`
 * is the part of the dedicated time that messages take, and `link` their slowdown, which is not
 * looked at where that is 0.  NULL on failure. */
struct rc_value *rc_slowdown_nodes_value(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                         const struct rc_aggregate_node *terms,
                                         enum rc_local_model model, double communicating,
                                         double link, struct rc_error *error);

/* The nodes as a simulation has them, where a dedicated run takes so many seconds and `terms` are
 * those of rc_slowdown_nodes_compute(): where work is split by load, by the local slowdowns that are
 * expected.  Given slowdowns make work longer, and so do those of nodes with more competitors than a
 * simulation takes.  Returns what the run then takes on idle hosts. */
double rc_slowdown_nodes_contention(const struct rc_slowdown_nodes *nodes, enum rc_split split,
                                    const struct rc_aggregate_node *terms, double dedicated,
                                    struct rc_contention_host *hosts);

#endif
