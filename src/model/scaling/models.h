// SPDX-License-Identifier: GPL-3.0-or-later
/* models.h - all scaling models of one app on one platform: one for each cluster, network, number
 * of processes on a host, and length of messages.
 *
 * The database stores them as JSON: the groups of runs and the options of the fit.  Reading fits
 * again, and warns of lines that are nonlinear. */
#ifndef RC_MODEL_SCALING_MODELS_H
#define RC_MODEL_SCALING_MODELS_H

#include <jansson.h>

#include "model/scaling/estimate.h"
#include "model/scaling/model.h"
#include "platform/platform.h"

enum {
    RC_SCALING_MODELS_MAX = 1024,
    RC_SCALING_LINKS_MAX = 1024,
    RC_SCALING_TEXT_MAX = 1 << 24, /* bytes */
    RC_SCALING_FORMAT = 1
};

/* Start from {0}; free with rc_scaling_models_free(). */
struct rc_scaling_models {
    struct rc_scaling_model *items; /* they move when one is added: keep no pointers over that */
    size_t n, room;
    struct rc_scaling_link *links;
    size_t n_links, links_room;
    double made; /* when they were saved; 0: they are not from a database */
};
void rc_scaling_models_free(struct rc_scaling_models *models);

/* Adds a model, in place of the one for the same setting and messages (equal columns and layers
 * with a cut by rows, and an equal largest block with others).  The model is moved: `*model` is {0}
 * afterwards, also on failure. */
int rc_scaling_models_put(struct rc_scaling_models *models, struct rc_scaling_model *model,
                          struct rc_error *error);
/* Adds a link, in place of the one between the same clusters over the same network and columns. */
int rc_scaling_models_put_link(struct rc_scaling_models *models, const struct rc_scaling_link *link,
                               struct rc_error *error);

/* The model for `mesh` on `procs` processes: with a cut by rows one with the same columns and
 * layers; with other cuts the one whose largest block is nearest.  `per_host` 0: any, the first.
 * NULL where there is none; it belongs to `models`. */
const struct rc_scaling_model *rc_scaling_models_find(const struct rc_scaling_models *models,
                                                      const char *cluster, const char *network,
                                                      int per_host, int cut,
                                                      const struct rc_mesh *mesh, int64_t procs);
/* The cluster with so many processes on a host (0: as it is); shares all with the platform's. */
struct rc_cluster rc_scaling_placed(const struct rc_cluster *cluster, int per_host);
/* The name of a network of the cluster; "" where it has none. */
const char *rc_scaling_network_name(const struct rc_cluster *cluster, size_t network);

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

/* The link between two clusters, in either order.  `network` is the one of both sides; "" where
 * each has its own: then a link that was measured so or, where there is none, any.  NULL where
 * there is none. */
const struct rc_scaling_link *rc_scaling_models_find_link(const struct rc_scaling_models *models,
                                                          const char *a, const char *b,
                                                          const char *network, int64_t cols);

/* The text as JSON, to be released by the caller; NULL where memory runs out. */
json_t *rc_scaling_models_json(const struct rc_scaling_models *models);
/* Reads such a text.  Damage is an error; `models` is then {0}. */
int rc_scaling_models_read(const char *text, size_t length, struct rc_scaling_models *models,
                           struct rc_error *error);

struct rc_db;
/* The models of an app on a platform in the database: 1, or 0 where there are none; -2 where the
 * text is damaged, so that nothing is lost if others are saved in their place; -1 where they cannot
 * be read now, or a newer program made them, and they must be left alone.  `models` is {0} unless
 * 1. */
int rc_scaling_models_load(struct rc_db *db, const char *app, const char *platform,
                           struct rc_scaling_models *models, struct rc_error *error);
/* Saves all or nothing, and sets the number of the stored model.  Loading and saving are two
 * transactions: of two programs that load, change and save at the same time, the last one wins. */
int rc_scaling_models_save(struct rc_db *db, const char *app, const char *platform,
                           const struct rc_scaling_models *models, int64_t *id,
                           struct rc_error *error);

#endif
