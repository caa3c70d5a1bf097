// SPDX-License-Identifier: GPL-3.0-or-later
/* candidate_rating.h - time, cost and risk of a set of hosts and processes, and which of two is
 * better. */
#ifndef RC_ADVISE_PLACE_CANDIDATE_RATING_H
#define RC_ADVISE_PLACE_CANDIDATE_RATING_H

#include <stdbool.h>
#include <stddef.h>

#include "advise/place/candidates.h"
#include "predict/run_time_distribution.h"
#include "runcast.h"

enum rc_objective {
    RC_OBJECTIVE_TIME, /* the least expected time */
    RC_OBJECTIVE_COST, /* the least expected cost; of a cluster without one, core-hours */
    RC_OBJECTIVE_RISK /* the least probability of missing the deadline; without one, the least P95 */
};

/* Objective and limits.  By time and cost, the choice meets the deadline with the confidence, and
 * the budget; by risk, only the budget. */
struct rc_aim {
    enum rc_objective objective;
    double deadline;      /* seconds; NAN: none */
    double confidence;    /* required probability of meeting it */
    double budget;        /* largest expected cost; NAN: none */
    const char *currency; /* of costs; NULL or "": unknown */
};

/* A candidate, rated. */
struct rc_advised {
    struct rc_candidate candidate;
    double *samples;                    /* of its time: one for each scenario; or NULL */
    double predicted, mean, lo90, hi90; /* predicted: the median */
    double skeleton;                    /* seconds that a skeleton took there; 0: none was run */
    double miss;                        /* probability; NAN: there is no deadline */
    double core_hours;                  /* expected */
    double cost;                        /* expected; NAN: not known */
    bool in_time, in_budget;            /* true without a limit */
};

/* Fills in all that follows from `n` samples, some of which may be INFINITY.  `summary` is the
 * predictor's, or NULL: it is made of the samples.  `cores` are paid for, each at `cost` an hour.
 * `scratch` has n places. */
void rc_place_advised_judge(struct rc_advised *advised, const double *samples, size_t n,
                            const struct rc_predict_summary *summary, const struct rc_aim *aim,
                            int64_t cores, double cost, double *scratch);

/* A cost for people, with three digits, or as many more as it takes to see on which side of the
 * budget it is; the budget itself exactly.  With the currency where that is known and `named`; "-"
 * for NAN. */
enum { RC_ADVISE_COST = 96 };
void rc_place_advised_cost(double cost, const struct rc_aim *aim, bool named,
                           char text[RC_ADVISE_COST]);

/* Below 0 where `a` is better, above 0 where `b` is.  What may not be chosen comes last: within
 * the budget, what misses the deadline least; else what costs least. */
int rc_place_advised_compare(const struct rc_advised *a, const struct rc_advised *b,
                             const struct rc_aim *aim);

/* Whether they have about as many processes, of one cluster. */
bool rc_place_advised_alike(const struct rc_advised *a, const struct rc_advised *b);

/* Whether two candidates tie.  `best` is the better one.  Only the objective time has ties, between
 * candidates that are not alike: if their expected times differ by less than 1 %, or by less than
 * two standard errors of the difference of their n samples (n 0: without common random numbers). */
bool rc_place_advised_tie(const struct rc_advised *best, const struct rc_advised *other,
                          const struct rc_aim *aim, size_t n);

/* Of two that tie, the cheaper one is better, else the one with fewer processes.  Below 0 where `a`
 * is better. */
int rc_place_advised_compare_tied(const struct rc_advised *a, const struct rc_advised *b);

/* Whether it may be chosen. */
bool rc_place_advised_fits(const struct rc_advised *advised, const struct rc_aim *aim);

/* The share of n samples in which `a` takes less time than `b`, with common random numbers; where
 * it takes as long, half counts. */
double rc_place_advised_faster(const struct rc_advised *a, const struct rc_advised *b, size_t n);

/* The candidates that a choice was made of. */
struct rc_advised_choice {
    const struct rc_advised *best;
    const struct rc_advised *second; /* NULL: the shortlist has no other */
    size_t n_tied;                   /* others of the shortlist that tie */
    size_t n_samples;                /* 0: they cannot be compared one by one */
    size_t n_candidates;
};

/* The reason for a choice, without names of hosts. */
enum { RC_ADVISE_WHY = 512 };
void rc_place_advised_why(const struct rc_advised_choice *choice, const struct rc_aim *aim,
                          char why[RC_ADVISE_WHY]);

#endif
