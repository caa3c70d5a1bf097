// SPDX-License-Identifier: GPL-3.0-or-later
/* prediction.h - predictions, and the runs that they were made for.
 *
 * A prediction is linked to a run when the run is stored: all predictions in the database then were
 * made without it. A run that ended well belongs, for each method, to the newest prediction
 *  - of its app, size and number of processes;
 *  - without a platform, or with that of the run; without hosts, or with those of the run (if they
 *    are known), in any notation (same_hosts.h); and without a parameter that the run lacks or has
 *    with another value;
 *  - of a model without an input of another value than a parameter of that name of the run;
 *  - for a start not later than that of the run (plus a second, since starts are often rounded) and
 *    not more than a day before it;
 * unless that one already has a run: a prediction is for one run, and a prediction that was
 * superseded by a newer one is for none. A run with unknown start belongs to no prediction. */
#ifndef RC_DB_PREDICTION_H
#define RC_DB_PREDICTION_H

#include "db/internal.h"

/* How much later than predicted a run may start, and the tolerance for rounded starts. */
#define RC_PREDICTION_DAY 86400.0
#define RC_PREDICTION_ROUNDED 1.0

/* Strings and arrays belong to the code that filled it in. */
struct rc_prediction {
    int64_t id;                 /* given by the database */
    double made;                /* time of storing; set by the database */
    const char *app, *platform; /* platform "": of any */
    const char *method;         /* of the model */
    int64_t model_id;           /* 0: not stored */
    double n;
    int64_t p;
    const char *hosts;  /* "": any */
    const char *params; /* a JSON object of numbers; "": none */
    const char *inputs; /* a JSON object of numbers that the model chose itself; NULL or "":
                           none.  Not read */
    double start;       /* planned start of the run */
    double predicted;   /* run time in seconds */
    double mean, lo90, hi90;
    /* Before recalibration by past accuracy.  0: not recalibrated; then read as the others. */
    double own_predicted, own_lo90, own_hi90;
    const double *quantiles; /* of the whole distribution, evenly spaced from 0 to 1 */
    size_t n_quantiles;
    /* Read only. */
    int64_t run_id;                /* 0: none yet */
    double run_start, run_seconds; /* of that run; NAN: none yet */
    bool run_killed;               /* it was interrupted: its time is a lower bound */
};

enum { RC_PREDICTION_QUANTILES_MAX = 1001 };

/* Several at once, all or nothing; `ids` has a place for each. */
int rc_db_prediction_add_all(struct rc_db *store, const struct rc_prediction *predictions, size_t n,
                             int64_t *ids, struct rc_error *error);

/* Calls `each` for every prediction of an app (platform NULL: of any), by increasing start of its
 * run or, without one, its own start, until it returns other than 0, which is then returned. Its
 * quantiles are set if `linked`, and valid until it returns. `linked`: only predictions with a run.
 */
int rc_db_prediction_list(struct rc_db *store, const char *app, const char *platform, bool linked,
                          int (*each)(void *data, const struct rc_prediction *prediction),
                          void *data, struct rc_error *error);

/* How many predictions of a method have a run whose time shows whether the interval holds it, and
 * how many do.  A killed run shows that only if it ran longer. */
int rc_db_prediction_held(struct rc_db *store, const char *app, const char *platform,
                          const char *method, uint64_t *count, uint64_t *held,
                          struct rc_error *error);

/* For code that adds runs, inside a write transaction: links predictions to runs by the rule above.
 * Start from zeros; always call end after begin. */
struct rc_prediction_linker {
    struct rc_db *store;
    sqlite3_stmt *link;
    double first, last; /* starts of the predictions that have no run yet, or an interrupted one */
};
int rc_db_prediction_linker_begin(struct rc_prediction_linker *linker, struct rc_db *store,
                                  struct rc_error *error);
/* The run with this app and platform was stored as `id`. */
int rc_db_prediction_linker_add(struct rc_prediction_linker *linker, const struct rc_run *run,
                                int64_t id, struct rc_error *error);
void rc_db_prediction_linker_end(struct rc_prediction_linker *linker);

#endif
