// SPDX-License-Identifier: GPL-3.0-or-later
/* model_registry.h - structural models that are kept in the database, so that they can be asked by
 * the name of their app.
 *
 * Kept are the texts of all files of a model, as they were read: nothing of it is lost, and reading
 * it back finds the same faults, if any, at the same places.  An app may have one for each platform
 * (the part of the model that is for it), and one for any. */
#ifndef RC_MODEL_STRUCTURAL_MODEL_REGISTRY_H
#define RC_MODEL_STRUCTURAL_MODEL_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/structural/model.h"

#define RC_STRUCTURAL_METHOD "structure"
enum { RC_STRUCTURAL_FORMAT = 1 };

/* -1 where rc_structural_model_check() finds an error in a model: the first is in `error`, with its
 * place. */
int rc_structural_check(const struct rc_model *model, struct rc_error *error);

/* Keeps a model of `app` for a section of it (-1: for any platform), in place of the one that was
 * there, if rc_structural_check() finds nothing wrong with it. */
int rc_structural_save(struct rc_db *db, const char *app, const struct rc_model *model, int section,
                       int64_t *id, struct rc_error *error);

/* A model from the database.  Free with rc_structural_free(). */
struct rc_structural {
    struct rc_model *model;
    int section;    /* that it was kept for, or that has the platform's name; -1: none */
    size_t n_files; /* that were kept; what was measured since stands behind them */
    char *platform; /* that it was kept for; "": any */
    int64_t id;
    double made;
    bool missing; /* it could not be loaded, and nothing is wrong: there is none for it */
};
void rc_structural_free(struct rc_structural *structure);

/* Gets the model of `app` for a platform (NULL: not said): the one that was kept for it, else the
 * one for any, else the only one there is.  -1, with a hint, where there is none, or where there
 * are several and none is for it.  What the database has of its inputs, measured on the platform
 * (measured_inputs.h), is part of it then. */
int rc_structural_load(struct rc_db *db, const char *app, const char *platform,
                       struct rc_structural *structure, struct rc_error *error);

/* What is told of a model without reading it; good until `each` returns. */
struct rc_structural_entry {
    const char *app, *platform; /* platform "": any */
    const char *model;          /* its name; NULL where the text is damaged, or of a newer format */
    const char *file;           /* the first one, */
    size_t n_files;             /* and how many there are */
    int64_t id;
    double made;
};
/* Calls `each` for every model (app NULL: of any app) until it returns other than 0. */
int rc_structural_list(struct rc_db *db, const char *app,
                       int (*each)(void *data, const struct rc_structural_entry *entry), void *data,
                       struct rc_error *error);

/* Removes the model of `app` for `platform` ("": the one for any; NULL: all of them), and tells how
 * many there were. */
int rc_structural_remove(struct rc_db *db, const char *app, const char *platform, uint64_t *removed,
                         struct rc_error *error);

#endif
