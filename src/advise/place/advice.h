// SPDX-License-Identifier: GPL-3.0-or-later
/* advice.h - recommends hosts, processes and a time limit.
 *
 * The regression model of the app's runs compares many candidates (search.h).  The shortlist gets
 * the predictor's answers.  Without runs, the predictor has all times; or, if a skeleton is to be
 * run on the shortlist, the time of its trace replaces a model. */
#ifndef RC_ADVISE_PLACE_ADVICE_H
#define RC_ADVISE_PLACE_ADVICE_H

#include "advise/place/search.h"
#include "advise/place/timing_predictor.h"
#include "forecast/freshness.h"
#include "platform/hostlist.h"
#include "predict/host_forecast_many.h"
#include "predict/predictor.h"
#include "stats/value/value.h"

enum { RC_ADVICE_HOSTS_MAX = 8192 };

/* Set the first part, the rest is {0}.  Free with rc_place_advice_free(). */
struct rc_place_advice {
    struct rc_question question; /* of all candidates: but for processes and hosts */
    int64_t *procs;              /* numbers of processes, to be freed; NULL: all that fit */
    size_t n_procs;
    struct rc_aim aim;
    size_t shortlist, samples;
    bool whole_hosts; /* all cores of a host are paid for, also those that are idle */
    double original;  /* seconds of the trace whose skeleton is to be run; NAN: there is none */
    int64_t ranks;    /* of it */

    /* hosts, by number */
    size_t n_hosts;
    const char **names; /* of the platform */
    struct rc_candidate_host *hosts;
    struct rc_search_cluster *clusters;
    double *usual, *weights;
    enum rc_weights_from weights_from;
    struct rc_freshness freshness; /* of their samples */
    size_t n_unknown;              /* without samples: left out, unless that is all */
    const char *unknown;           /* the first of them */
    struct rc_host_forecast_many *forecast;
    /* what answers */
    struct rc_predictor *predictor;
    const struct rc_predict_source *runs; /* the model of the app's runs; NULL: there is none */
    const struct rc_regression_model
        *model;                        /* by which candidates are ranked: of the runs, or ... */
    struct rc_regression_model *plain; /* ... one that only knows the load; NULL: it is not */
    const char *learnt_from;           /* the platform of the runs; NULL: any */
    bool by_model, by_trace; /* there are no runs: other models, or the trace, have the times */
    struct rc_timing *timing, *ranking; /* the same, unless by_model */
    struct rc_place_asking asking;
    struct rc_search_question wanted;
    struct rc_search search;
    struct rc_predict_answer answer; /* for the choice; answered 0: a skeleton was run instead */
    struct rc_time_limit time_limit; /* of the choice */
};
void rc_place_advice_free(struct rc_place_advice *advice);

/* Takes those hosts of the question's platform that are named (none: all), and have room for a
 * process of so many bytes (NAN: not known).  `named` is sorted by strcmp(). */
int rc_place_advice_hosts(struct rc_place_advice *advice, const struct rc_hostlist *named,
                          double memory, struct rc_error *error);

/* Reads models, track records and the load.  The database must stay open as long as the advice. */
int rc_place_advice_open(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error);

/* Makes the shortlist, with the predictor's answers unless a skeleton is to be run. */
int rc_place_advice_search(struct rc_place_advice *advice, struct rc_error *error);

/* Replaces the run time of a member of the shortlist by that of a skeleton, which took `seconds`.
 * After the last one, rc_place_search_conclude() chooses again. */
int rc_place_advice_take(struct rc_place_advice *advice, size_t member, double seconds,
                         const struct rc_value *value, struct rc_error *error);

/* The time limit for the choice, which is exceeded with probability `risk`, corrected by the past
 * accuracy of combined predictions. */
int rc_place_advice_time_limit(struct rc_place_advice *advice, double risk, struct rc_error *error);

/* Stores the prediction for the choice, with new models; the id goes to the answer. */
int rc_place_advice_store(struct rc_place_advice *advice, struct rc_db *db, struct rc_error *error);

/* The hosts of a candidate in the order of their clusters, to be freed: a list, whose names stay
 * the platform's, or one text. */
const char **rc_place_advice_hosts_of(const struct rc_place_advice *advice,
                                      const struct rc_candidate *candidate, struct rc_error *error);
char *rc_place_advice_name(const struct rc_place_advice *advice,
                           const struct rc_candidate *candidate, struct rc_error *error);

#endif
