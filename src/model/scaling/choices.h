// SPDX-License-Identifier: GPL-3.0-or-later
/* choices.h - the choices of a user: clusters, networks, numbers of processes and pairs of
 * clusters, with time, memory and cost. */
#ifndef RC_MODEL_SCALING_CHOICES_H
#define RC_MODEL_SCALING_CHOICES_H

#include "model/scaling/models.h"
#include "model/scaling/row_split.h"

enum { RC_CHOICES_MAX = 20000, RC_CHOICE_PROCS_MAX = 64, RC_CHOICE_PARTS = 2 };

/* What the user allows for one cluster. */
struct rc_choice_cluster {
    bool excluded;
    int64_t procs[RC_CHOICE_PROCS_MAX]; /* none: powers of two from 1 on, and all that there are.
                                           More than there are with so many on a host are left out,
                                           with a note */
    size_t n_procs;
    int per_host; /* 0: as the models were measured, or by the platform's placement */
};

/* Start from rc_scaling_choices_request_init(), which sets the defaults that are named here. */
struct rc_choices_request {
    const struct rc_platform *platform;
    const struct rc_scaling_models *models;
    const struct rc_mesh *meshes; /* one choice or several for each */
    size_t n_meshes;
    int cut;                                  /* 1 */
    const struct rc_choice_cluster *clusters; /* one for each of the platform; NULL: all is free */
    const char *network;                      /* only this one; NULL: all */
    bool combinations;         /* pairs of clusters that a link joins, too: true.  They run over the
                                first network of each, or over `network`; a mesh that is cut in
                                several directions is not shared */
    enum rc_scaling_aim split; /* of pairs: RC_SPLIT_TIME */
    const double *weights;     /* of RC_SPLIT_GIVEN, one for each cluster; NULL: all equal */
    bool links;                /* add the measured cost of links: false */
    bool whole_hosts;          /* pay for all cores of a host, also where some are idle: false */
    double bytes_per_cell;     /* NAN: as the models have it */
    double deadline;           /* seconds; NAN: none */
    double budget;             /* in the platform's currency; NAN: none */
};
void rc_scaling_choices_request_init(struct rc_choices_request *request);

enum rc_choice_state {
    RC_CHOICE_OK,
    RC_CHOICE_NO_MEMORY, /* it does not fit */
    RC_CHOICE_NO_MODEL,  /* no measurements; `why` has the remedy */
    RC_CHOICE_NO_SPLIT,  /* a pair whose rows cannot be divided; `why` has the reason */
    RC_CHOICE_STATES
};

struct rc_choice_part {
    size_t cluster, network; /* of the platform and of the cluster */
    int64_t procs, rows;
    int per_host;
    int64_t cores;      /* that are paid for */
    double memory;      /* bytes that a process needs; NAN: unknown */
    double host_memory; /* bytes that it may have; NAN: unknown */
    double core_cost;   /* of a core and an hour; NAN: unknown */
    const struct rc_scaling_model
        *model; /* of the request's models, with notes of its own; NULL where
                                           nothing was measured */
};

struct rc_choice {
    enum rc_choice_state state;
    char why[RC_SCALING_NOTE_SIZE]; /* of other states than OK; "" otherwise */
    size_t mesh;                    /* of the request */
    struct rc_choice_part parts[RC_CHOICE_PARTS];
    size_t n_parts;
    /* the rest of RC_CHOICE_OK alone */
    struct rc_scaling_estimate estimate; /* seconds; belongs to the choices.  Its notes are about
                                          extrapolation; parts[].model has more */
    double seconds;                      /* the mean of it */
    double low, high;                    /* its 90 % interval */
    double core_hours;                   /* by the mean */
    double cost;      /* from the mean; NAN: unknown.  Both are in proportion to the seconds */
    double on_time;   /* the probability to meet the deadline; NAN: there is none */
    double in_budget; /* that it costs no more than the budget; NAN: there is none */
    bool pareto;      /* no other choice of its mesh is both faster and cheaper (by cost, or by
                           core-hours where a cost is not known) */
};

/* Start from {0}; free with rc_scaling_choices_free(), which makes it {0} again. */
struct rc_choices {
    struct rc_choice *items; /* by mesh; in it the OK ones by time first, then the others */
    size_t n, room;
    struct rc_scaling_notes notes; /* omissions, and warnings of the models of OK choices */
};
void rc_scaling_choices_free(struct rc_choices *choices);

/* All choices.  -1, with an error, if none is OK: nothing fits in memory, nothing was measured, or
 * the request is wrong.  `choices` has the items even then, with the reasons, unless memory ran
 * out. */
int rc_scaling_choices_make(const struct rc_choices_request *request, struct rc_choices *choices,
                            struct rc_error *error);

/* Marks the Pareto-optimal ones of `n` choices: no other is at least as fast and as cheap, and
 * better in one of the two.  Choices whose time or cost is NAN are never marked. */
void rc_scaling_choices_pareto(struct rc_choice *items, size_t n);

#endif
