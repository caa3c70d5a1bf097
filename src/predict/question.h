// SPDX-License-Identifier: GPL-3.0-or-later
/* question.h - a question about a run.  It goes unchanged from the command line, or the caller of
 * the library, to every method. */
#ifndef RC_PREDICT_QUESTION_H
#define RC_PREDICT_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/regression/model.h"
#include "model/skeleton/probe/skeleton_trials.h"
#include "platform/platform.h"
#include "runcast.h"

/* Runs the skeleton at `program`, as often as it likes.  -1 where that fails. */
typedef int rc_predict_probe(void *data, const char *program, struct rc_trials *trials,
                             struct rc_error *error);

/* The load during the run, by statistic: the minimum over hosts of the time average, and the time
 * average of the minimum over hosts.  NAN: unknown. */
struct rc_given_load {
    double cpu_minavg, cpu_avgmin; /* CPU availability */
    double bw_minavg, bw_avgmin;   /* bandwidth, in the unit of the runs */
};

/* Start from rc_predict_question_init().  All but the app may be unknown.  All that it points to
 * belongs to the caller. */
struct rc_question {
    const char *app;
    const char *platform;                    /* its name; NULL: any */
    const struct rc_platform *platform_file; /* NULL: there is none */
    double size;                             /* problem size; NAN: unknown */
    int64_t procs;                           /* processes; 0: unknown */
    int64_t ranks_per_node;                  /* 0: unknown */
    int64_t threads_per_rank, gpus_per_rank; /* 0: unknown; parameters of these names otherwise */
    const struct rc_param *params;
    size_t n_params;
    double bytes_read, bytes_written; /* by the program; NAN: unknown */
    const char *const *hosts;         /* none: unknown */
    size_t n_hosts;
    double start; /* later samples, and runs that had not ended by then, do not count */
    struct rc_given_load given; /* in place of a forecast: methods that know nothing of such a load
                                   are unavailable, and nothing is recalibrated */
    bool idle;                  /* whatever the load of the hosts is: they are to be idle */
    uint64_t seed;
    rc_predict_probe *probe; /* NULL: none */
    void *probe_data;
};

/* Everything but the app is unknown. */
void rc_predict_question_init(struct rc_question *question, const char *app);

/* Whether a load is given. */
bool rc_predict_question_is_given(const struct rc_question *question);

/* The value of a parameter: a number of the question with a name, or one of `params`.  NAN:
 * unknown. */
double rc_predict_question_param(const struct rc_question *question, const char *name);

/* ---- how it is answered ---- */

/* What does not change from question to question.  rc_predict_options_init() gives the defaults;
 * all that it points to must outlive the predictor. */
struct rc_predict_options {
    unsigned methods; /* those that are asked: a set of 1 << enum rc_method */
    size_t samples;   /* of each distribution; RC_PREDICT_DRAWS */
    /* of regression */
    enum rc_regression_criterion criterion;
    bool parts; /* models of phases and processes */
    /* of structural models, as in structural_prediction.h: */
    const char *const *set, *const *uses;
    size_t n_set, n_uses;
    double omit; /* NAN */
    bool explain;
};
/* All methods; the default number of samples; nothing of structural models is set. */
void rc_predict_options_init(struct rc_predict_options *options);

#endif
