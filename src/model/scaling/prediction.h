// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction.h - time, memory and cost of a large run on one or several clusters. */
#ifndef RC_MODEL_SCALING_PREDICTION_H
#define RC_MODEL_SCALING_PREDICTION_H

#include "model/scaling/models.h"
#include "model/scaling/row_split.h"

/* One cluster's part of a run. */
struct rc_scaling_part {
    size_t cluster, network; /* of the platform and of the cluster */
    int64_t procs;
    int per_host;        /* 0: by the placement */
    double weight;       /* of RC_SPLIT_GIVEN */
    struct rc_mesh mesh; /* its part of the mesh, for plans */
};

/* The question. */
struct rc_scaling_target {
    const char *app;
    const struct rc_platform *platform;
    struct rc_mesh mesh;
    const struct rc_scaling_part *parts;
    size_t n_parts;
    int cut;
    enum rc_scaling_aim aim;
    double bytes_per_cell; /* NAN: as the models have it */
    bool link;             /* the measured cost of the link between two clusters counts */
    bool force;            /* also if it does not fit in memory or on the cluster */
};

/* The answer and its inputs; arrays are by the parts of the target.  Free with
 * rc_scaling_prediction_free(). */
struct rc_scaling_prediction {
    struct rc_scaling_target target;
    const struct rc_scaling_models *models;
    struct rc_scaling_mc *mc[RC_SCALING_PARTS_MAX];
    struct rc_scaling_side sides[RC_SCALING_PARTS_MAX];
    struct rc_scaling_share shares[RC_SCALING_PARTS_MAX];
    struct rc_scaling_estimate estimates[RC_SCALING_PARTS_MAX], estimate;
    struct rc_mesh blocks[RC_SCALING_PARTS_MAX];
    int per_host[RC_SCALING_PARTS_MAX];
    double memory[RC_SCALING_PARTS_MAX], host_memory[RC_SCALING_PARTS_MAX]; /* bytes of a process */
    const struct rc_scaling_link *link; /* of the models; NULL: none */
    double core_hours, cost;
    struct rc_scaling_notes notes; /* with the cluster's name where there are several */
};
void rc_scaling_prediction_free(struct rc_scaling_prediction *prediction);

/* Answers.  What the target points to, and `models`, must outlive the answer.  -1 where a model or
 * a measured link is missing, or it does not fit.  To be freed, also on failure. */
int rc_scaling_predict(const struct rc_scaling_target *target,
                       const struct rc_scaling_models *models,
                       struct rc_scaling_prediction *prediction, struct rc_error *error);

#endif
