// SPDX-License-Identifier: GPL-3.0-or-later
/* phase_models.h - the time of a run from the models of its phases and processes.
 *
 * Sanjay and Vadhiyar, section 5 (Eq. 4): phases follow one another, and each lasts as long as the
 * slowest of its processes.  In each sample, every part has its own work, an error that is as
 * correlated with those of the others as in the runs, and the same load; under a forecast load, a
 * phase begins in the scenario where the one before it ended. */
#ifndef RC_PREDICT_PHASE_MODELS_H
#define RC_PREDICT_PHASE_MODELS_H

#include "predict/run_time_distribution.h"
#include "model/regression/phase_process_models.h"

struct rc_predict_part {
    const struct rc_regression_part *part;
    struct rc_regression_question question;
    bool beside; /* of the same phase as the one before it */
    /* The answer, on average over the draws. */
    double seconds; /* that it takes */
    double share;   /* of the run's time, as the slowest of its phase; they sum to 1 */
    double took;    /* in the draw at hand */
    bool slowest;
};

/* What is asked of the parts that a run has.  Free with rc_predict_parts_free(). */
struct rc_predict_parts {
    struct rc_predict_part *parts;
    size_t n;
    double together;             /* how much the parts' errors have in common */
    struct rc_predict_load load; /* that is known; the rest is idle hosts */
};
void rc_predict_parts_free(struct rc_predict_parts *asked);

/* `parts` must outlive the result.  -1 if a model needs what the question lacks, or no part
 * is one of a run on so many processes. */
int rc_predict_parts_ask(const struct rc_regression_parts *parts,
                         const struct rc_question *question, struct rc_predict_parts *asked,
                         struct rc_error *error);

/* As rc_predict_at_load() and rc_predict_ahead().  With models by the paper's criterion,
 * the prediction under a load that is known is that of Eq. (4), from each model's own number. */
void rc_predict_parts_at_load(struct rc_predict_parts *asked, struct rc_random *random,
                              double *draws, size_t n_draws, struct rc_predict_summary *summary);
int rc_predict_parts_ahead(struct rc_predict_parts *asked, struct rc_host_forecast *forecast,
                           struct rc_random *random, double *draws, size_t n_draws,
                           struct rc_predict_summary *summary, struct rc_error *error);

#endif
