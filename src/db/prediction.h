// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction.h - what was predicted, and the run that came of it.
 *
 * Which run a prediction was for is decided when the run is stored: what is in the store by then
 * was predicted without it.  A run that ended well belongs, for each method, to the
 * newest prediction
 *  - of its app, n and p;
 *  - that named no platform, or the run's; no hosts, or the run's (where those are known), however
 *    they are written (same_hosts.h); and no parameter that the run has with another value, or not
 *    at all;
 *  - of a model that took no input of another value than the run has a parameter of that name;
 *  - for a start no later than the run's (a second is forgiven, since people write whole ones) and
 *    no more than a day before it;
 * unless that one has a run already: a prediction is for one run, and one that a newer one took
 * the place of is for none.  A run of which the start is not known belongs to no prediction. */
#ifndef RC_DB_PREDICTION_H
#define RC_DB_PREDICTION_H

#include "db/internal.h"

/* Strings and arrays belong to whoever filled it in. */
struct rc_prediction {
    int64_t id;                 /* given by the store */
    double made;                /* when; given by the store */
    const char *app, *platform; /* platform "": of any */
    const char *method;         /* of the model */
    int64_t model_id;           /* 0: not in the store */
    double n;
    int64_t p;
    const char *hosts;  /* "": any */
    const char *params; /* a JSON object of numbers; "": none */
    const char *inputs; /* a JSON object of numbers, what the model took without being told; NULL
                             or "": nothing.  Not read */
    double start;       /* when the run was to start */
    double predicted;   /* seconds: the one number */
    double mean, lo90, hi90;
    double own_predicted, own_lo90, own_hi90; /* what the model itself said, where it was corrected
                                                 by how earlier ones fared.  0: it was not; then
                                                 they are read as the others are */
    const double *quantiles; /* of the whole distribution, evenly spaced from 0 to 1 */
    size_t n_quantiles;
    /* Read only. */
    int64_t run_id;                /* 0: none yet */
    double run_start, run_seconds; /* of that run; NAN: none yet */
};

enum { RC_PREDICTION_QUANTILES_MAX = 1001 };

/* Several at once, all or nothing; `ids` has a place for each. */
int rc_db_prediction_add_all(struct rc_db *store, const struct rc_prediction *predictions, size_t n,
                             int64_t *ids, struct rc_error *error);

/* Calls `each` for every prediction of an app (platform NULL: of any), by rising start of their
 * run or, where there is none yet, of their own, until it returns other than 0, which is then
 * returned.  Its quantiles are there where `linked`, and are good until it returns.  `linked`: only those with a run. */
int rc_db_prediction_list(struct rc_db *store, const char *app, const char *platform, bool linked,
                          int (*each)(void *data, const struct rc_prediction *prediction),
                          void *data, struct rc_error *error);

/* How many predictions of a method have their run, and how many of those intervals hold it. */
int rc_db_prediction_held(struct rc_db *store, const char *app, const char *platform,
                          const char *method, uint64_t *count, uint64_t *held,
                          struct rc_error *error);

/* For who adds runs, inside a write transaction: joins predictions to runs by the rule above.
 * Start from zeros; always end what was begun. */
struct rc_prediction_linker {
    struct rc_db *store;
    sqlite3_stmt *link;
    double first, last; /* starts of the predictions that have no run yet */
};
int rc_db_prediction_linker_begin(struct rc_prediction_linker *linker, struct rc_db *store,
                                  struct rc_error *error);
/* The run is in the store as `id`, of those app and platform. */
int rc_db_prediction_linker_add(struct rc_prediction_linker *linker, const struct rc_run *run,
                                int64_t id, struct rc_error *error);
void rc_db_prediction_linker_end(struct rc_prediction_linker *linker);

#endif
