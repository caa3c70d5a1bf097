// SPDX-License-Identifier: GPL-3.0-or-later
/* fitted_models.h - fitted models in the database. Only a method knows its models: here, they are
 * texts with a name, a date and a version. */
#ifndef RC_DB_FITTED_MODELS_H
#define RC_DB_FITTED_MODELS_H

#include "db/internal.h"

enum { RC_MODEL_BODY_MAX = 1 << 24 }; /* bytes */

struct rc_stored_model {
    int64_t id;  /* given by the database */
    double made; /* when */
    int format;  /* version of the text, by the method's own count */
    char *body;
};
void rc_db_stored_model_free(struct rc_stored_model *model);

/* Stores a model of `app` on `platform` ("": of runs on any platform) with the current time,
 * replacing the one of the same method. Predictions of that one stay, without a reference to their
 * model. All or nothing. `id` may be NULL. */
int rc_db_model_add(struct rc_db *store, const char *app, const char *platform, const char *method,
                    int format, const char *body, int64_t *id, struct rc_error *error);

/* Changes a stored text atomically: the model of that method for `app` on `platform` is read,
 * changed and stored in one transaction. `change` gets the stored model (NULL: none) and returns
 * the new text, to be freed with free(); NULL removes it. If it fails, nothing changes. */
typedef int rc_db_model_changer(void *data, const struct rc_stored_model *now, char **body,
                                struct rc_error *error);
int rc_db_model_change(struct rc_db *store, const char *app, const char *platform,
                       const char *method, int format, rc_db_model_changer *change, void *data,
                       struct rc_error *error);

/* 1: `*model` is the newest of that method for `app` on `platform` ("": of runs on any), to be
 * freed; 0: there is none. */
int rc_db_model_find(struct rc_db *store, const char *app, const char *platform, const char *method,
                     struct rc_stored_model *model, struct rc_error *error);

/* A stored model; valid until `each` returns. */
struct rc_model_row {
    const char *app, *platform;
    struct rc_stored_model model;
};
/* Calls `each` for every model of a method (app NULL: of any app), by app and platform, until it
 * returns other than 0, which is then returned. */
int rc_db_model_list(struct rc_db *store, const char *app, const char *method,
                     int (*each)(void *data, const struct rc_model_row *row), void *data,
                     struct rc_error *error);

/* Removes the models of a method for `app` on `platform` (NULL: on all), and counts them; their
 * predictions stay. */
int rc_db_model_remove(struct rc_db *store, const char *app, const char *platform,
                       const char *method, uint64_t *removed, struct rc_error *error);

#endif
