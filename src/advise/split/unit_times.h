// SPDX-License-Identifier: GPL-3.0-or-later
/* unit_times.h - the time of a unit of work on each host.
 *
 * The user's values come first; then a structural model of the app, which has the time of a share
 * on each host; then runs on one host each for the speeds of hosts, and the regression model of the
 * app for the dedicated run time.
 *
 * A model that does not distinguish hosts is one of the hosts that it was made on.  The platform's
 * speeds compare others with these, as they do for placements (predict/regression_source.h). */
#ifndef RC_ADVISE_SPLIT_UNIT_TIMES_H
#define RC_ADVISE_SPLIT_UNIT_TIMES_H

#include "advise/split/host_times.h"
#include "advise/split/split.h"
#include "predict/predictor.h"

/* Where the time of the run on idle hosts comes from. */
enum rc_split_dedicated {
    RC_DEDICATED_GIVEN,
    RC_DEDICATED_MODEL,
    RC_DEDICATED_STRUCTURE, /* a structural model, which also has how hosts differ */
    RC_DEDICATED_UNKNOWN
};

/* Where the speeds of hosts, as compared with one another, come from. */
enum rc_split_speeds {
    RC_SPEEDS_ALIKE, /* they are not known */
    RC_SPEEDS_GIVEN, /* by the user */
    RC_SPEEDS_PLATFORM,
    RC_SPEEDS_RUNS, /* of the program on each host by itself */
    RC_SPEEDS_MODEL /* a structural one */
};

/* Start from {0} and what is known; free with rc_split_paces_free(). */
struct rc_split_paces {
    /* what is known */
    struct rc_host_times run;
    uint64_t seed;
    double given_time; /* of the run on idle hosts; NAN: not given */
    double high_power; /* of the tuning rules, as a speed; NAN: not given */
    double *speed;     /* of each host; NAN where not known */
    bool fixed_given;  /* the user gave fixed times of hosts */
    bool ahead;        /* the time of the run must be known */
    /* the first three are known; becomes what counts */
    enum rc_split_speeds speeds;
    /* what is found */
    enum rc_split_dedicated dedicated_from;
    double dedicated;   /* with an even division; NAN: not known, ... */
    char why[512];      /* ... since */
    bool speeds_unused; /* the platform's differ, but the structural model has its own */
    struct rc_error
        model_missing; /* why the structural model is not asked; no text: it is, or there
                                      is none */
    enum rc_weights_from weights_from;    /* where the platform's speeds count */
    struct rc_predictor *predictor;       /* NULL: it is not asked */
    const struct rc_predict_source *runs; /* its model of the app's runs; NULL: there is none */
};
void rc_split_paces_free(struct rc_split_paces *paces);

/* Sets the units of `hosts`, which are those of the question, and how far off they may be.  `db` is
 * NULL where there is none.  -1 where the time is needed and not known, the database fails or
 * memory runs out. */
int rc_split_paces_find(struct rc_split_paces *paces, struct rc_db *db,
                        struct rc_split_question *question, struct rc_split_host *hosts,
                        struct rc_error *error);

#endif
