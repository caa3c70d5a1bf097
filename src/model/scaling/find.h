// SPDX-License-Identifier: GPL-3.0-or-later
/* find.h - which model answers a question. */
#ifndef RC_MODEL_SCALING_FIND_H
#define RC_MODEL_SCALING_FIND_H

#include "platform/platform.h"
#include "model/scaling/models.h"

/* What is asked of a model. */
struct rc_scaling_question {
    const char *app; /* for errors */
    const struct rc_cluster *cluster;
    size_t network; /* of the cluster */
    int per_host;   /* 0: as the placement has it or, where that was not measured, any */
    int cut;
    const struct rc_mesh *mesh;
    int64_t procs;
};

/* The model for it, which belongs to `models`.  NULL where there is none, with an error that names
 * what is missing; its facts are in what the nearest model differs. */
const struct rc_scaling_model *rc_scaling_models_answering(const struct rc_scaling_models *models,
                                                           const struct rc_scaling_question *asked,
                                                           struct rc_error *error);

#endif
