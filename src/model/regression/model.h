// SPDX-License-Identifier: GPL-3.0-or-later
/* model.h - regression models of a program's time: what they are, and what they answer.
 *
 * A model is a list of members, each a sum of terms.  With the paper's criterion the first member
 * answers; by default all do, each as far as its weight goes. */
#ifndef RC_MODEL_REGRESSION_MODEL_H
#define RC_MODEL_REGRESSION_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/random.h"
#include "model/regression/basis_functions.h"
#include "model/regression/training_runs.h"

enum rc_regression_criterion { RC_REGRESSION_DEFAULT, RC_REGRESSION_PAPER };

enum {
    RC_REGRESSION_TERMS_MAX = 6,
    RC_REGRESSION_MEMBERS_MAX = 1000, /* of a list by the paper */
    RC_REGRESSION_ENSEMBLE_MAX = 64   /* who answer by default */
};

/* One term without its coefficient. */
struct rc_regression_term {
    unsigned char size, procs, width; /* functions, by number */
    bool cpu;                         /* divided by the available CPU: computation */
    bool bytes;                       /* times the bytes read and written: file I/O */
    bool parallel;                    /* 0 on one process: communication */
    unsigned char factors[RC_REGRESSION_PARAMS_MAX];
};

struct rc_regression_member {
    struct rc_regression_term terms[RC_REGRESSION_TERMS_MAX];
    double coefficients[RC_REGRESSION_TERMS_MAX];
    /* The lower triangle L of their covariance L L', in units of the variance of relative errors,
     * row by row. */
    double spread[RC_REGRESSION_TERMS_MAX * (RC_REGRESSION_TERMS_MAX + 1) / 2];
    unsigned n_terms;
    enum rc_regression_stat stat; /* the statistic of the load that it was fitted on */
    double error;    /* by which the list is sorted: the paper's standard error in seconds; or
                             the relative error on runs held out */
    double weight;   /* they sum to 1 */
    unsigned lowest; /* how often in a row it was in the lowest tenth of the list */
};

enum { RC_REGRESSION_RESIDUALS_MAX = 256, RC_REGRESSION_CLASSES = 24 };
/* The mean excess of a tail of errors is pooled with so many errors of a normal distribution, for
 * which it is so many standard deviations. */
enum { RC_REGRESSION_TAIL_POOLED = 3 };
#define RC_REGRESSION_NORMAL_EXCESS 0.4
/* Which class of numbers of processes this one is in. */
unsigned rc_regression_class(double p);

struct rc_regression_model {
    enum rc_regression_criterion criterion;
    struct rc_regression_member *members; /* the best first */
    size_t n_members;
    char *params[RC_REGRESSION_PARAMS_MAX];
    size_t n_params;
    struct rc_range n, p, cpu, bw,
        given[RC_REGRESSION_PARAMS_MAX]; /* that were seen; given: the params */
    double bw_mean;                      /* of the runs */
    /* Errors of the model on runs that it had not seen: log(true / predicted), over the noise of
     * such runs, sorted. */
    double residuals[RC_REGRESSION_RESIDUALS_MAX];
    unsigned char classes[RC_REGRESSION_RESIDUALS_MAX]; /* of numbers of processes, of these runs */
    size_t n_residuals;
    double sigma; /* their spread, before it was divided by the noise */
    /* The spread of runs on 1, 2 to 3, 4 to 7 ... processes, in times of sigma: runs on more
     * processes are the less even.  0 stands for 1. */
    double noise[RC_REGRESSION_CLASSES];
    double bytes_coefficient; /* bytes = coefficient * the value of bytes_term; 0: no I/O */
    struct rc_regression_term bytes_term;
    double bytes_sigma;       /* the spread of the logarithm of the bytes about that */
    bool ported;              /* from another platform: members were fitted to its runs, and the
                                 ranges are those of this one */
    uint64_t n_runs;          /* that it was fitted to, and that completed */
    uint64_t n_killed;        /* killed runs that it was fitted to, too */
    int64_t up_to;            /* the largest id among them */
    unsigned bad_predictions; /* by default: runs in a row that it predicted badly */
    uint64_t predictions;     /* since the last search; the paper searches again after 50 */
};
void rc_regression_model_destroy(struct rc_regression_model *model);

/* Whether any run of it has its load. */
bool rc_regression_knows_load(const struct rc_regression_model *model);

/* The spread of runs on so many processes, or of such a class of numbers of them, in times of
 * sigma. */
double rc_regression_noise(const struct rc_regression_model *model, double p);
double rc_regression_noise_of_class(const struct rc_regression_model *model, unsigned class);

/* Takes a number into a range; NAN and infinities are passed over. */
void rc_regression_widen(struct rc_range *range, double value);
/* NULL, with `error` set, where memory runs out. */
struct rc_regression_model *rc_regression_model_copy(const struct rc_regression_model *model,
                                                     struct rc_error *error);

/* What is asked. */
struct rc_regression_question {
    double n, p;
    double params[RC_REGRESSION_PARAMS_MAX]; /* in the model's order; NAN: unknown */
    double bytes;                            /* NAN: unknown */
    double pace; /* how fast the hosts are as compared with those of the model's runs; 0: alike */
};
/* -1 if the model needs a parameter that is unknown, or is not valid for it; the error names it. */
int rc_regression_question_check(const struct rc_regression_model *model,
                                 const struct rc_regression_question *question,
                                 struct rc_error *error);

/* What a run amounts to, as one member has it: how long it takes if the load stays as it is, for
 * any load. */
struct rc_regression_work {
    double cpu; /* seconds with a whole core */
    double width
        [RC_REGRESSION_WIDTHS]; /* to be divided by these functions of the bandwidth; [0]: by 1 */
    enum rc_regression_stat
        stat; /* RC_REGRESSION_AVGMIN: it goes at the pace of the slowest host at each
                                    instant; RC_REGRESSION_MINAVG: at that of the host that is slowest
                                    overall */
};
void rc_regression_member_work(const struct rc_regression_model *model, size_t member,
                               const struct rc_regression_question *question,
                               struct rc_regression_work *work);
double rc_regression_work_seconds(const struct rc_regression_work *work, double cpu, double bw);

/* What one term, with a coefficient of 1, adds to that. */
double rc_regression_term_seconds(const struct rc_regression_model *model,
                                  const struct rc_regression_term *term,
                                  const struct rc_regression_question *question, double cpu,
                                  double bw);

/* The answer for a load that is known, as one number: of the first member (paper), or the middle of
 * the members' predictions, to which errors refer.  The question has passed the check.  By default
 * always above 0, and infinite only where no number is large enough; the paper's models can be
 * wrong without bound. */
double rc_regression_seconds(const struct rc_regression_model *model,
                             const struct rc_regression_question *question, double cpu, double bw);

/* The same where both statistics of the load are known: each member takes its own. */
double rc_regression_seconds_at(const struct rc_regression_model *model,
                                const struct rc_regression_question *question,
                                const double cpu[RC_REGRESSION_STATS],
                                const double bw[RC_REGRESSION_STATS]);

/* Draws what may be: a member by its weight, its coefficients by their spread, bytes that are
 * unknown, and a factor for what the model does not know (from its errors on runs held out, wider
 * the further the question is from what was seen).  The time of a run is `*factor` times what
 * follows from `work`. */
void rc_regression_draw(const struct rc_regression_model *model,
                        const struct rc_regression_question *question, struct rc_random *random,
                        struct rc_regression_work *work, double *factor);

/* The same with the model's error given as a standard normal number (NAN: drawn, too), so that
 * errors of several models can be drawn together. */
void rc_regression_draw_at(const struct rc_regression_model *model,
                           const struct rc_regression_question *question, double out,
                           struct rc_random *random, struct rc_regression_work *work,
                           double *factor);

/* How far a question lies outside of what was seen: the factor beyond the nearest end, 1 inside. */
struct rc_regression_beyond {
    double n, p, params[RC_REGRESSION_PARAMS_MAX];
    double furthest;
};
void rc_regression_beyond(const struct rc_regression_model *model,
                          const struct rc_regression_question *question,
                          struct rc_regression_beyond *beyond);

/* For the database.  NULL, with `error` set, where memory runs out, or the text is none of these.
 */
json_t *rc_regression_model_to_json(const struct rc_regression_model *model);
struct rc_regression_model *rc_regression_model_from_json(const json_t *body,
                                                          struct rc_error *error);

#endif
