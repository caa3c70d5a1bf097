// SPDX-License-Identifier: GPL-3.0-or-later
/* choice_builder.h - builds choices; for this folder only. */
#ifndef RC_MODEL_SCALING_CHOICE_BUILDER_H
#define RC_MODEL_SCALING_CHOICE_BUILDER_H

#include "model/scaling/choices.h"

enum { RC_CHOICE_PER_HOST_MAX = 16 }; /* different numbers of processes on a host */

/* The state while choices are made. */
struct rc_choosing {
    const struct rc_choices_request *request;
    struct rc_choices *choices;
    struct rc_scaling_mc **mc;         /* of each model; made on demand */
    double bytes_per_cell, bytes_base; /* of the app, if its model has none; NAN: unknown */
};

/* A cluster with a network and a number of processes on a host. */
struct rc_choice_place {
    size_t cluster, network;
    int per_host;
};

/* The Monte Carlo samples of a model; NULL, with an error, where memory runs out. */
const struct rc_scaling_mc *rc_scaling_choosing_mc(struct rc_choosing *choosing,
                                                   const struct rc_scaling_model *model,
                                                   struct rc_error *error);
/* The model for a mesh at a place; NULL for none. */
const struct rc_scaling_model *rc_scaling_choosing_model(const struct rc_choosing *choosing,
                                                         const struct rc_choice_place *place,
                                                         const struct rc_mesh *mesh, int64_t procs);

/* The name of a place's network; "" where its cluster has none. */
const char *rc_scaling_choosing_network(const struct rc_choosing *choosing,
                                        const struct rc_choice_place *place);

/* The numbers of processes per host to consider for a cluster, over that network. */
size_t rc_scaling_choosing_per_host(const struct rc_choosing *choosing, size_t cluster,
                                    size_t network, int per_host[RC_CHOICE_PER_HOST_MAX]);
/* The numbers of processes to consider, maybe none.  Requested numbers above the capacity of the
 * place are left out, with a note. */
int rc_scaling_choosing_procs(struct rc_choosing *choosing, const struct rc_choice_place *place,
                              int64_t procs[RC_CHOICE_PROCS_MAX], size_t *n,
                              struct rc_error *error);

/* Fills in a part but for its rows; `model` may be NULL. */
void rc_scaling_choosing_part(const struct rc_choosing *choosing,
                              const struct rc_choice_place *place, const struct rc_mesh *mesh,
                              int64_t procs, const struct rc_scaling_model *model,
                              struct rc_choice_part *part);
/* Memory of a process of the part, once it has rows. */
void rc_scaling_choosing_memory(const struct rc_choosing *choosing, const struct rc_mesh *mesh,
                                const struct rc_scaling_model *model, struct rc_choice_part *part);
/* Whether that much memory is available. */
bool rc_scaling_choice_part_fits(const struct rc_choice_part *part);

/* A new choice, for `mesh` of the request; NULL, with an error, where there are too many. */
struct rc_choice *rc_scaling_choosing_add(struct rc_choosing *choosing, size_t mesh,
                                          struct rc_error *error);
/* Computes time and cost of a choice from its estimate. */
void rc_scaling_choosing_finish(const struct rc_choosing *choosing, struct rc_choice *choice);

/* All pairs of clusters, for one mesh. */
int rc_scaling_choosing_pairs(struct rc_choosing *choosing, size_t mesh, struct rc_error *error);

#endif
