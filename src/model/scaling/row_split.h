// SPDX-License-Identifier: GPL-3.0-or-later
/* row_split.h - divides the rows of a mesh among clusters. */
#ifndef RC_MODEL_SCALING_ROW_SPLIT_H
#define RC_MODEL_SCALING_ROW_SPLIT_H

#include "model/scaling/estimate.h"

enum rc_scaling_aim {
    RC_SPLIT_TIME,   /* all finish at the same time, as nearly as rows allow and memory lets them */
    RC_SPLIT_MEMORY, /* in proportion to the memory they have, so that the most fits */
    RC_SPLIT_COST,   /* the least cost: clusters may be left out */
    RC_SPLIT_GIVEN,  /* in proportion to `weight`: equal ones where it is 0 everywhere */
    RC_SCALING_AIMS
};
/* "time", "memory", "cost", "given". */
const char *rc_scaling_aim_name(enum rc_scaling_aim aim);

struct rc_scaling_side {
    struct rc_scaling_share share; /* `rows` is the answer */
    double core_cost;              /* of a core and an hour; NAN: unknown */
    int64_t cores;                 /* that are paid for; 0: as many as processes */
    double memory;                 /* bytes that a process may have; NAN or INFINITY: no limit */
    double bytes_per_cell;         /* that a process needs; 0: as the model has it */
    double weight;                 /* RC_SPLIT_GIVEN */
    bool beyond; /* more than `memory` is allowed: it only weighs RC_SPLIT_MEMORY */
};

/* The rows, with the columns and layers of `mesh`, that a side can hold by its memory; RC_MESH_MAX
 * where there is no limit (also where it is `beyond`), and 0 where it cannot take part at all. */
int64_t rc_scaling_side_rows(const struct rc_scaling_side *side, const struct rc_mesh *mesh);

/* Fills in the rows of each side.  Times are those of rc_scaling_point(), which must not fall as
 * rows grow.  No side gets more than its memory holds (unless `beyond`), nor fewer rows than its
 * cut has parts of them (unless none).  Errors: they do not fit in the memory of all; a cost that
 * is not known (RC_SPLIT_COST). */
int rc_scaling_split(struct rc_scaling_side *sides, size_t n_sides, const struct rc_mesh *mesh,
                     enum rc_scaling_aim aim, struct rc_error *error);

#endif
