// SPDX-License-Identifier: GPL-3.0-or-later
/* next_run.c - what to measure next to learn most.
 *
 * A run is most informative where the members of the ensemble disagree most, compared with how much
 * runs differ by themselves: with a spread s of what is predicted and a noise r, it yields log(1 +
 * s^2/r^2) / 2 of information.  Long runs cost more than short ones, so this is weighed against
 * their time, with little weight, since one run that decides is worth many that do not. */
#include "model/regression/next_run.h"

#include <math.h>

enum { SIZES = 5, PROCS_MAX = 16 };
/* Time counts by this power of it. */
static const double by_time = 0.25;
/* Less than this is not worth a run. */
static const double least_information = 0.35;

static double noise_at(const struct rc_regression_model *model, double p)
{
    return fmax(model->sigma, 0.01) * rc_regression_noise(model, p);
}

/* The variance of the logarithm of one prediction, from that of its coefficients. */
static double own_variance(const struct rc_regression_model *model,
                           const struct rc_regression_member *member,
                           const struct rc_regression_question *question, double bw, double seconds)
{
    double shares[RC_REGRESSION_TERMS_MAX], variance = 0;

    for (unsigned i = 0; i < member->n_terms; i++)
        shares[i] = rc_regression_term_seconds(model, &member->terms[i], question, 1, bw) / seconds;
    for (unsigned j = 0; j < member->n_terms; j++) { /* L' times the shares */
        double sum = 0;

        for (unsigned i = j; i < member->n_terms; i++)
            sum += member->spread[i * (i + 1) / 2 + j] * shares[i];
        variance += sum * sum;
    }
    return variance * model->sigma * model->sigma;
}

/* The spread of the logarithm of all predictions. */
static double spread_at(const struct rc_regression_model *model,
                        const struct rc_regression_question *question, double bw)
{
    size_t n = model->criterion == RC_REGRESSION_PAPER ? 1 : model->n_members;
    double mean = 0, squares = 0, own = 0, weights = 0;

    for (size_t i = 0; i < n; i++) {
        const struct rc_regression_member *member = &model->members[i];
        struct rc_regression_work work;
        double seconds, logarithm;

        rc_regression_member_work(model, i, question, &work);
        seconds = rc_regression_work_seconds(&work, 1, bw);
        if (!(seconds > 0) || !isfinite(seconds))
            continue;
        logarithm = log(seconds);
        mean += member->weight * logarithm;
        squares += member->weight * logarithm * logarithm;
        own += member->weight * own_variance(model, member, question, bw, seconds);
        weights += member->weight;
    }
    if (!(weights > 0))
        return INFINITY;
    mean /= weights;
    return sqrt(fmax(squares / weights - mean * mean, 0) + own / weights);
}

/* ---- where to look ---- */

static size_t sizes_to_try(const struct rc_regression_model *model, double *sizes)
{
    double middle = round(sqrt(model->n.low * model->n.high));
    size_t n = 0;

    if (model->n.low < model->n.high) {
        sizes[n++] = model->n.low;
        if (middle > model->n.low && middle < model->n.high)
            sizes[n++] = middle;
    } else {
        sizes[n++] = fmax(round(0.5 * model->n.low), 1);
    }
    sizes[n++] = model->n.high;
    sizes[n++] = 2 * model->n.high;
    return n;
}

/* Doubled, from half of the least that was seen, or the most that can be had, to four times the most
 * that was seen: who runs on hundreds of processes has no use for a run on one. */
static size_t procs_to_try(const struct rc_regression_model *model, double most_procs,
                           double *procs)
{
    double least = fmin(model->p.low, most_procs) / 2;
    size_t n = 0;

    for (double p = 1; p <= 4 * model->p.high && n < PROCS_MAX; p *= 2)
        if (p >= least)
            procs[n++] = p;
    return n;
}

/* Some value of a parameter that is usual in the runs. */
static double middle_of(struct rc_range given)
{
    return given.low > 0 ? sqrt(given.low) * sqrt(given.high) : given.high;
}

static double worth(const struct rc_regression_model *model,
                    struct rc_regression_suggestion *suggestion)
{
    struct rc_regression_question question = {.n = suggestion->n, .p = suggestion->p, .bytes = NAN};
    double bw = model->bw_mean > 0 ? model->bw_mean : 1, noise = noise_at(model, suggestion->p);
    double information;

    for (size_t i = 0; i < model->n_params; i++)
        question.params[i] = middle_of(model->given[i]);
    suggestion->seconds = rc_regression_seconds(model, &question, 1, bw);
    suggestion->unsure = spread_at(model, &question, bw);
    information = 0.5 * log1p(suggestion->unsure * suggestion->unsure / (noise * noise));
    if (!isfinite(information) || !(suggestion->seconds > 0) || information < least_information)
        return 0;
    return information / pow(suggestion->seconds, by_time);
}

static bool is_near(const struct rc_regression_suggestion *a,
                    const struct rc_regression_suggestion *b)
{
    return fabs(log(a->n / b->n)) < 0.4 && fabs(log(a->p / b->p)) < 0.8;
}

static bool is_near_any(const struct rc_regression_suggestion *suggestions, size_t n,
                        const struct rc_regression_suggestion *tried)
{
    for (size_t i = 0; i < n; i++)
        if (is_near(&suggestions[i], tried))
            return true;
    return false;
}

size_t rc_regression_suggest(const struct rc_regression_model *model, double most_procs,
                             struct rc_regression_suggestion *suggestions, bool *limited)
{
    double sizes[SIZES], procs[PROCS_MAX];
    size_t n_sizes = sizes_to_try(model, sizes), n_procs = procs_to_try(model, most_procs, procs),
           n;

    *limited = false;
    for (n = 0; n < RC_REGRESSION_SUGGESTIONS_MAX; n++) {
        double most = 0, beyond = 0;

        for (size_t i = 0; i < n_sizes * n_procs; i++) {
            struct rc_regression_suggestion tried = {.n = sizes[i / n_procs],
                                                     .p = procs[i % n_procs]};
            double value = worth(model, &tried);

            if (tried.p > most_procs) {
                beyond = fmax(beyond, value);
            } else if (value > most && !is_near_any(suggestions, n, &tried)) {
                most = value;
                suggestions[n] = tried;
            }
        }
        *limited = *limited || (n == 0 && beyond > most);
        if (most == 0)
            break;
    }
    return n;
}

struct rc_regression_gaps rc_regression_gaps(const struct rc_regression_model *model)
{
    bool parallel = model->p.high > 1;

    return (struct rc_regression_gaps){
        .size = !(model->n.high > model->n.low),
        .procs = !(model->p.high > model->p.low),
        .cpu = !(model->cpu.high > 1.05 * model->cpu.low),
        .bw = parallel && !(model->bw.high > 1.05 * model->bw.low),
        .no_cpu = isnan(model->cpu.low),
        .no_bw = parallel && isnan(model->bw.low),
        .alone = model->p.low > 1,
    };
}
