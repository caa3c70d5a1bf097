// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - what a model answers. */
#include "model/regression/model.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"

enum { TAIL_LEAST = 3 }; /* errors that a tail is estimated from */
/* Each doubling beyond what was seen widens the error by this share, and adds this much of its
 * own. */
static const double wider_per_doubling = 0.7, drift_per_doubling = 0.025;

/* What a sum of functions that are all 0 there, such as log n of a size of 1, is taken as. */
static const double least_seconds = 1e-12;

void rc_regression_model_destroy(struct rc_regression_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->n_params; i++)
        free(model->params[i]);
    free(model->members);
    free(model);
}

void rc_regression_widen(struct rc_range *range, double value)
{
    if (!isfinite(value))
        return;
    if (!(range->low <= value))
        range->low = value;
    if (!(range->high >= value))
        range->high = value;
}

unsigned rc_regression_class(double p)
{
    double doublings = p > 1 ? floor(log2(p)) : 0;

    return doublings < RC_REGRESSION_CLASSES ? (unsigned)doublings : RC_REGRESSION_CLASSES - 1;
}

bool rc_regression_knows_load(const struct rc_regression_model *model)
{
    return isfinite(model->cpu.low) || isfinite(model->bw.low);
}

double rc_regression_noise(const struct rc_regression_model *model, double p)
{
    return rc_regression_noise_of_class(model, rc_regression_class(p));
}

double rc_regression_noise_of_class(const struct rc_regression_model *model, unsigned class)
{
    return model->noise[class] > 0 ? model->noise[class] : 1;
}

/* ---- terms ---- */

/* A term's value for a question with a core and a bandwidth of 1, without coefficient. */
static double term_value(const struct rc_regression_model *model,
                         const struct rc_regression_term *term,
                         const struct rc_regression_question *question)
{
    double value;

    if (term->parallel && question->p <= 1)
        return 0;
    value =
        rc_regression_size(term->size, question->n) / rc_regression_procs(term->procs, question->p);
    for (size_t i = 0; i < model->n_params; i++)
        if (term->factors[i])
            value *= rc_regression_factor(term->factors[i], question->params[i]);
    if (term->bytes)
        value *= question->bytes;
    return value;
}

/* The question with the bytes that a run of this size reads and writes, if it has none. */
static struct rc_regression_question completed(const struct rc_regression_model *model,
                                               const struct rc_regression_question *question)
{
    struct rc_regression_question all = *question;

    if (isnan(all.bytes)) {
        all.bytes = 1;
        all.bytes = model->bytes_coefficient * term_value(model, &model->bytes_term, &all);
    }
    return all;
}

/* Whether a member's function of a parameter has no value there: the logarithm of 0, for
 * example.  One that may be 0, or negative, in the runs may be so in a question; one that is above
 * 0 in all of them may not. */
static bool means_nothing(const struct rc_regression_model *model, size_t param, double x)
{
    for (size_t i = 0; i < model->n_members; i++)
        for (unsigned j = 0; j < model->members[i].n_terms; j++) {
            unsigned char function = model->members[i].terms[j].factors[param];
            double value = function ? rc_regression_factor(function, x) : 1;

            if (!(value >= 0) || !isfinite(value))
                return true;
        }
    return false;
}

int rc_regression_question_check(const struct rc_regression_model *model,
                                 const struct rc_regression_question *question,
                                 struct rc_error *error)
{
    if (!(question->n > 0) || !isfinite(question->n))
        return rc_error_set(error, "the problem size must be above 0");
    if (!(question->p >= 1) || !isfinite(question->p))
        return rc_error_set(error, "the number of processes must be 1 or more");
    for (size_t i = 0; i < model->n_params; i++)
        if (means_nothing(model, i, question->params[i]) ||
            (model->given[i].low > 0 && question->params[i] <= 0)) {
            if (isnan(question->params[i]))
                rc_error_set(error, "the model needs the parameter '%s'", model->params[i]);
            else
                rc_error_set(error, "the model cannot be used for '%s' = %g", model->params[i],
                             question->params[i]);
            return rc_error_code(error, "regression.no-param", "%s\n%g\n%g", model->params[i],
                                 model->given[i].low, model->given[i].high);
        }
    return 0;
}

/* ---- work ---- */

static void add_up(const struct rc_regression_model *model,
                   const struct rc_regression_member *member, const double *coefficients,
                   const struct rc_regression_question *question, struct rc_regression_work *work)
{
    *work = (struct rc_regression_work){.stat = member->stat};
    for (unsigned i = 0; i < member->n_terms; i++) {
        double amount = coefficients[i] * term_value(model, &member->terms[i], question);

        if (member->terms[i].cpu)
            work->cpu += amount;
        else
            work->width[member->terms[i].width] += amount;
    }
    if (question->pace > 0)
        work->cpu /= question->pace;
}

void rc_regression_member_work(const struct rc_regression_model *model, size_t member,
                               const struct rc_regression_question *question,
                               struct rc_regression_work *work)
{
    struct rc_regression_question all = completed(model, question);

    add_up(model, &model->members[member], model->members[member].coefficients, &all, work);
}

double rc_regression_work_seconds(const struct rc_regression_work *work, double cpu, double bw)
{
    double seconds = work->width[0] + work->cpu / cpu;

    for (unsigned i = 1; i < RC_REGRESSION_WIDTHS; i++)
        if (work->width[i] != 0)
            seconds += work->width[i] / rc_regression_width(i, bw);
    return seconds;
}

double rc_regression_term_seconds(const struct rc_regression_model *model,
                                  const struct rc_regression_term *term,
                                  const struct rc_regression_question *question, double cpu,
                                  double bw)
{
    struct rc_regression_question all = completed(model, question);
    struct rc_regression_member alone = {.terms = {*term}, .n_terms = 1};
    struct rc_regression_work work;

    add_up(model, &alone, (double[]){1}, &all, &work);
    return rc_regression_work_seconds(&work, cpu, bw);
}

/* ---- what lies beyond ---- */

static double factor_beyond(struct rc_range seen, double x)
{
    if (x > seen.high && seen.high > 0)
        return x / seen.high;
    return x < seen.low && x > 0 ? seen.low / x : 1;
}

void rc_regression_beyond(const struct rc_regression_model *model,
                          const struct rc_regression_question *question,
                          struct rc_regression_beyond *beyond)
{
    *beyond = (struct rc_regression_beyond){
        .n = factor_beyond(model->n, question->n),
        .p = factor_beyond(model->p, question->p),
    };
    beyond->furthest = fmax(beyond->n, beyond->p);
    for (size_t i = 0; i < model->n_params; i++) {
        beyond->params[i] =
            isnan(question->params[i]) ? 1 : factor_beyond(model->given[i], question->params[i]);
        beyond->furthest = fmax(beyond->furthest, beyond->params[i]);
    }
}

/* How many times what was seen must be doubled to get there. */
static double doublings_beyond(const struct rc_regression_model *model,
                               const struct rc_regression_question *question)
{
    struct rc_regression_beyond beyond;
    double doublings;

    rc_regression_beyond(model, question, &beyond);
    doublings = log2(beyond.n) + log2(beyond.p);
    for (size_t i = 0; i < model->n_params; i++)
        doublings += log2(beyond.params[i]);
    return doublings;
}

/* ---- answers ---- */

struct vote {
    double seconds, weight;
};

static int by_seconds(const void *left, const void *right)
{
    const struct vote *a = left, *b = right;

    return (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

/* The geometric mean of the middle half of the votes: a member that is alone with its answer does
 * not count, and the answer does not jump where weights change a little. */
static double middle_of(struct vote *votes, size_t n)
{
    double total = 0, before = 0, sum = 0, within = 0;

    qsort(votes, n, sizeof *votes, by_seconds);
    for (size_t i = 0; i < n; i++)
        total += votes[i].weight;
    for (size_t i = 0; i < n; i++) {
        double from = fmax(before, 0.25 * total), to = fmin(before + votes[i].weight, 0.75 * total);

        if (to > from) {
            sum += (to - from) * log(fmax(votes[i].seconds, least_seconds));
            within += to - from;
        }
        before += votes[i].weight;
    }
    return within > 0 ? exp(sum / within) : votes[n / 2].seconds;
}

double rc_regression_seconds_at(const struct rc_regression_model *model,
                                const struct rc_regression_question *question,
                                const double cpu[RC_REGRESSION_STATS],
                                const double bw[RC_REGRESSION_STATS])
{
    struct rc_regression_question all = completed(model, question);
    size_t n = model->criterion == RC_REGRESSION_PAPER ? 1 : model->n_members;
    struct vote votes[RC_REGRESSION_ENSEMBLE_MAX];

    if (n > RC_REGRESSION_ENSEMBLE_MAX)
        n = RC_REGRESSION_ENSEMBLE_MAX;
    for (size_t i = 0; i < n; i++) {
        struct rc_regression_work work;

        add_up(model, &model->members[i], model->members[i].coefficients, &all, &work);
        votes[i].seconds = rc_regression_work_seconds(&work, cpu[work.stat], bw[work.stat]);
        votes[i].weight = model->members[i].weight;
    }
    return model->criterion == RC_REGRESSION_PAPER ? votes[0].seconds
                                                   : fmax(middle_of(votes, n), least_seconds);
}

double rc_regression_seconds(const struct rc_regression_model *model,
                             const struct rc_regression_question *question, double cpu, double bw)
{
    return rc_regression_seconds_at(model, question, (double[]){cpu, cpu}, (double[]){bw, bw});
}

/* ---- draws ---- */

static const struct rc_regression_member *draw_member(const struct rc_regression_model *model,
                                                      struct rc_random *random)
{
    double left = rc_random_uniform(random);
    size_t i = 0;

    if (model->criterion == RC_REGRESSION_PAPER)
        return &model->members[0];
    while (i + 1 < model->n_members && left >= model->members[i].weight)
        left -= model->members[i++].weight;
    return &model->members[i];
}

/* Coefficients as they may be as well; none below 0, unless it is by the paper, whose terms may
 * make up for one another. */
static void draw_coefficients(const struct rc_regression_model *model,
                              const struct rc_regression_member *member, struct rc_random *random,
                              double *coefficients)
{
    double normals[RC_REGRESSION_TERMS_MAX];
    const double *row = member->spread;

    rc_random_normals(random, 0, model->sigma, normals, member->n_terms);
    for (unsigned i = 0; i < member->n_terms; row += ++i) {
        coefficients[i] = member->coefficients[i];
        for (unsigned j = 0; j <= i; j++)
            coefficients[i] += row[j] * normals[j];
        if (model->criterion != RC_REGRESSION_PAPER && member->coefficients[i] >= 0 &&
            coefficients[i] < 0)
            coefficients[i] = 0;
    }
}

/* The mean distance of the outermost errors from the next one: of the largest for `side` 1, of the
 * smallest for -1.  Few errors are pooled with what it is for a normal distribution. */
static double mean_excess(const struct rc_regression_model *model, int side)
{
    size_t n = model->n_residuals, k = n / 10 > TAIL_LEAST ? n / 10 : TAIL_LEAST;
    double sum = RC_REGRESSION_TAIL_POOLED * RC_REGRESSION_NORMAL_EXCESS * model->sigma;

    if (k >= n)
        k = n - 1;
    for (size_t i = 0; i < k; i++)
        sum += side > 0 ? model->residuals[n - 1 - i] - model->residuals[n - 1 - k]
                        : model->residuals[k] - model->residuals[i];
    return sum / (double)(k + RC_REGRESSION_TAIL_POOLED);
}

/* The error that the share u of all errors does not exceed.  Of n errors like the next one, each of
 * the n + 1 intervals between them is as likely to have it; the outermost ones have an exponential
 * tail. */
static double error_at(const struct rc_regression_model *model, double u)
{
    size_t n = model->n_residuals, below;
    double place = u * (double)(n + 1);

    if (place <= 1)
        return model->residuals[0] + mean_excess(model, -1) * log(fmax(place, DBL_MIN));
    if (place >= (double)n)
        return model->residuals[n - 1] -
               mean_excess(model, 1) * log(fmax((double)(n + 1) - place, DBL_MIN));
    below = (size_t)place;
    return model->residuals[below - 1] +
           (place - (double)below) * (model->residuals[below] - model->residuals[below - 1]);
}

/* What a model of so many runs is wrong by, as a factor: by its errors on runs held out, a
 * little blurred so that few errors do not look like all there are, and wider outside of what
 * was seen. */
static double draw_factor(const struct rc_regression_model *model,
                          const struct rc_regression_question *question, double out,
                          struct rc_random *random)
{
    double doublings = doublings_beyond(model, question), error;

    if (model->n_residuals)
        error = error_at(model, isnan(out) ? rc_random_uniform(random) : gsl_cdf_ugaussian_P(out)) +
                rc_random_normal(random, 0, model->sigma / sqrt((double)model->n_residuals));
    else
        error = isnan(out) ? rc_random_normal(random, 0, model->sigma) : out * model->sigma;
    error *= rc_regression_noise(model, question->p) * (1 + wider_per_doubling * doublings);
    error += rc_random_normal(random, 0, drift_per_doubling * doublings);
    return exp(error);
}

void rc_regression_draw(const struct rc_regression_model *model,
                        const struct rc_regression_question *question, struct rc_random *random,
                        struct rc_regression_work *work, double *factor)
{
    rc_regression_draw_at(model, question, NAN, random, work, factor);
}

void rc_regression_draw_at(const struct rc_regression_model *model,
                           const struct rc_regression_question *question, double out,
                           struct rc_random *random, struct rc_regression_work *work,
                           double *factor)
{
    struct rc_regression_question all = completed(model, question);
    const struct rc_regression_member *member = draw_member(model, random);
    double coefficients[RC_REGRESSION_TERMS_MAX];

    if (isnan(question->bytes) && model->bytes_sigma > 0)
        all.bytes *= exp(rc_random_normal(random, 0, model->bytes_sigma));
    draw_coefficients(model, member, random, coefficients);
    add_up(model, member, coefficients, &all, work);
    if (!(rc_regression_work_seconds(work, 1, model->bw_mean > 0 ? model->bw_mean : 1) > 0))
        add_up(model, member, member->coefficients, &all, work); /* all terms were drawn away */
    if (!(rc_regression_work_seconds(work, 1, model->bw_mean > 0 ? model->bw_mean : 1) > 0))
        work->width[0] += least_seconds;
    *factor = draw_factor(model, question, out, random);
}
