// SPDX-License-Identifier: GPL-3.0-or-later
/* fitted_models.h - fitted models in the store.  What a model is, only its method knows: here it is a text
 * with a name, a date and a version. */
#ifndef RC_DB_FITTED_MODELS_H
#define RC_DB_FITTED_MODELS_H

#include "db/internal.h"

enum { RC_MODEL_BODY_MAX = 1 << 24 }; /* bytes */

struct rc_stored_model {
    int64_t id;  /* given by the store */
    double made; /* when */
    int format;  /* version of the text, by the method's own count */
    char *body;
};
void rc_db_stored_model_free(struct rc_stored_model *model);

/* Keeps a model of `app` on `platform` ("": of runs on any), made now, in place of the one of the
 * same method that was there; predictions made with that one stay, and forget which model it was.
 * All or nothing.  `id` may be NULL. */
int rc_db_model_add(struct rc_db *store, const char *app, const char *platform, const char *method,
                    int format, const char *body, int64_t *id, struct rc_error *error);

/* Makes another text of the one that is there, without a moment in between for another process: the
 * model of that method for `app` on `platform` is read, changed and kept in one transaction.
 * `change` gets what is there (NULL: nothing) and gives the new text, to be freed with free(); NULL
 * removes it.  Where it fails, all is as it was. */
typedef int rc_db_model_changer(void *data, const struct rc_stored_model *now, char **body,
                                struct rc_error *error);
int rc_db_model_change(struct rc_db *store, const char *app, const char *platform,
                       const char *method, int format, rc_db_model_changer *change, void *data,
                       struct rc_error *error);

/* 1: `*model` is the newest of that method for `app` on `platform` ("": of runs on any), to be
 * freed; 0: there is none. */
int rc_db_model_find(struct rc_db *store, const char *app, const char *platform, const char *method,
                     struct rc_stored_model *model, struct rc_error *error);

/* One of them, with whose it is; all of it is good until `each` returns. */
struct rc_model_row {
    const char *app, *platform;
    struct rc_stored_model model;
};
/* Calls `each` for every model of a method (app NULL: of any app), by app and platform, until it
 * returns other than 0, which is then returned. */
int rc_db_model_list(struct rc_db *store, const char *app, const char *method,
                     int (*each)(void *data, const struct rc_model_row *row), void *data,
                     struct rc_error *error);

/* Removes those of a method for `app` on `platform` (NULL: on all), and tells how many there were;
 * predictions made with them stay. */
int rc_db_model_remove(struct rc_db *store, const char *app, const char *platform,
                       const char *method, uint64_t *removed, struct rc_error *error);

#endif
