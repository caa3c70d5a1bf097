// SPDX-License-Identifier: GPL-3.0-or-later
/* candidate_rating.h - what a set of hosts and processes comes to, and which of two is better, by
 * what counts. */
#ifndef RC_ADVISE_PLACE_CANDIDATE_RATING_H
#define RC_ADVISE_PLACE_CANDIDATE_RATING_H

#include <stdbool.h>
#include <stddef.h>

#include "advise/place/candidates.h"
#include "predict/run_time_distribution.h"
#include "runcast.h"

enum rc_objective {
    RC_OBJECTIVE_TIME,  /* the least expected time */
    RC_OBJECTIVE_PRICE, /* the least expected price; of a cluster without one, core-hours */
    RC_OBJECTIVE_RISK   /* the least chance to miss the deadline or, where there is none, the least
                           time that 95 % of the runs end within */
};

/* What counts.  By time and price, only what meets the deadline with the confidence, and keeps to
 * the budget, is chosen; by risk, only what keeps to the budget. */
struct rc_aim {
    enum rc_objective objective;
    double deadline;      /* seconds; NAN: none */
    double confidence;    /* the probability to meet it that is asked for */
    double budget;        /* that the expected price does not exceed; NAN: none */
    const char *currency; /* of prices; NULL or "": not said */
};

/* A candidate and what it comes to. */
struct rc_advised {
    struct rc_candidate candidate;
    double *draws;                      /* of its time, in the order of their luck; or NULL */
    double mean, predicted, lo90, hi90; /* predicted: rc_predict_point() */
    double skeleton;                    /* seconds that a skeleton took there; 0: none was run */
    double miss;                        /* probability; NAN: there is no deadline */
    double core_hours;                  /* expected */
    double price;                       /* expected; NAN: not known */
    bool in_time, in_budget;            /* true where nobody asks */
};

/* Fills in all that follows from `n` samples, some of which may be INFINITY.  `summary` is the
 * predictor's, or NULL: it is made of the samples.  `cores` are paid for, each at `price` an hour.
 * `scratch` has n places. */
void rc_place_advised_judge(struct rc_advised *advised, const double *draws, size_t n,
                            const struct rc_predict_summary *summary, const struct rc_aim *aim,
                            int64_t cores, double price, double *scratch);

/* A price for people, with three digits, or as many more as it takes to see on which side of the
 * budget it is; the budget itself exactly.  With the currency where that is known and `named`; "-"
 * for NAN. */
enum { RC_ADVISE_PRICE = 96 };
void rc_place_advised_price(double price, const struct rc_aim *aim, bool named,
                            char text[RC_ADVISE_PRICE]);

/* Below 0 where `a` is better, above 0 where `b` is.  What may not be chosen comes last: within
 * the budget, what misses the deadline least; else what costs least. */
int rc_place_advised_compare(const struct rc_advised *a, const struct rc_advised *b,
                             const struct rc_aim *aim);

/* Whether it may be chosen. */
bool rc_place_advised_fits(const struct rc_advised *advised, const struct rc_aim *aim);

/* The share of n draws in which `a` takes less time than `b`, with common random numbers; where it takes
 * as long, half counts. */
double rc_place_advised_faster(const struct rc_advised *a, const struct rc_advised *b, size_t n);

/* Why `best` is chosen, before `second` (NULL: the short list has no other) and `n_candidates` in
 * all, in a sentence or two, without names of hosts.  n_draws 0: their draws cannot be compared one
 * by one. */
enum { RC_ADVISE_WHY = 512 };
void rc_place_advised_why(const struct rc_advised *best, const struct rc_advised *second,
                          size_t n_draws, size_t n_candidates, const struct rc_aim *aim,
                          char why[RC_ADVISE_WHY]);

#endif
