// SPDX-License-Identifier: GPL-3.0-or-later
/* matched_runs.h - a plan of small runs, matching runs of the database, and fits to these; and
 * the same of the run across two clusters, by which the link between them is measured. */
#ifndef RC_MODEL_SCALING_MATCHED_RUNS_H
#define RC_MODEL_SCALING_MATCHED_RUNS_H

#include "model/scaling/estimate.h"
#include "model/scaling/plan.h"
#include "model/scaling/usable_runs.h"

/* Start from {0}; free with rc_scaling_matched_free(), which makes it {0} again. */
struct rc_scaling_matched {
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    size_t *have;                /* runs of each planned run in the database */
    struct rc_scaling_runs used; /* all of them */
    size_t missing;              /* runs yet to be made, over all repeats */
};
void rc_scaling_matched_free(struct rc_scaling_matched *matched);

/* Plans as `request` says, and finds the planned runs among `runs`.  How long runs take, and what a
 * process has in memory where the request does not say so, is guessed from them.  What was run once
 * did fit in memory.  To be freed, also on failure. */
int rc_scaling_matched_make(const struct rc_scaling_request *request,
                            const struct rc_scaling_runs *runs, struct rc_scaling_matched *matched,
                            struct rc_error *error);
/* Adds those runs to the used ones that differ from the plan's in their rows alone, of a cut by
 * rows: they have the same messages. */
int rc_scaling_matched_add_alike(const struct rc_scaling_runs *runs,
                                 struct rc_scaling_matched *matched, struct rc_error *error);

/* Adds the killed runs that are equal to completed ones among the used runs, with the times that
 * they would have had (killed_small_runs.h). */
int rc_scaling_matched_add_killed(const struct rc_scaling_runs *killed,
                                  struct rc_scaling_matched *matched, struct rc_error *error);

/* A run across two clusters: two processes on each, one to a host, with blocks as large as the
 * first cluster's, and as many busy cores as each cluster's own small runs have.  In the database
 * it is a run on hosts of both.  Free with rc_scaling_crossing_free(). */
enum { RC_SCALING_CROSSING_SIDES = 2 };
struct rc_scaling_crossing {
    struct rc_scaling_planned
        run; /* its hosts, of both clusters, are its own; `busy` is the most of
                                      both sides */
    struct rc_scaling_planned sides[RC_SCALING_CROSSING_SIDES]; /* the same */
    struct rc_scaling_runs used;
};
void rc_scaling_crossing_free(struct rc_scaling_crossing *crossing);
/* Plans it for the clusters of `plans`, of which there are two, and finds those of `runs`.  To be
 * freed, also on failure. */
int rc_scaling_crossing_make(const struct rc_scaling_matched *plans,
                             const struct rc_scaling_runs *runs,
                             struct rc_scaling_crossing *crossing, struct rc_error *error);
/* As rc_scaling_plan_check(), of both sides. */
int rc_scaling_crossing_check(const struct rc_scaling_crossing *crossing,
                              const struct rc_scaling_matched *plans, struct rc_error *error);

/* ---- fits ---- */

/* Fits the model of the plan's runs, with the request's work.  Errors are also that the database
 * has none of some planned run, which rc_scaling_matched_check() finds alone. */
int rc_scaling_matched_check(const struct rc_scaling_matched *matched, struct rc_error *error);
int rc_scaling_matched_fit(const struct rc_scaling_matched *matched,
                           const struct rc_scaling_options *options, struct rc_scaling_model *model,
                           struct rc_error *error);
/* What the link adds to the models of both clusters.  Runs that disagree are an error or, with
 * `force`, noted. */
int rc_scaling_crossing_fit(const struct rc_scaling_crossing *crossing,
                            const struct rc_scaling_model *const models[RC_SCALING_CROSSING_SIDES],
                            bool force, struct rc_scaling_link *link,
                            struct rc_scaling_notes *notes, struct rc_error *error);

#endif
