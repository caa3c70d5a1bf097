// SPDX-License-Identifier: GPL-3.0-or-later
/* run_time_distribution.c - a model and the forecast load make a distribution of the run's time. */
#include "predict/run_time_distribution.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "base/sort.h"

/* How much further than the run is expected to take the scenarios go, how many draws may end
 * beyond, and how often they are made longer for that. */
static const double margin = 1.5, beyond_most = 0.05;
enum { LOOKS_MAX = 4 };

static double known(double value, double other, double otherwise)
{
    if (!isnan(value))
        return value;
    return isnan(other) ? otherwise : other;
}

void rc_predict_load_complete(const struct rc_regression_model *model, struct rc_predict_load *load)
{
    struct rc_predict_load had = *load;

    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        int other = RC_REGRESSION_STATS - 1 - stat;

        load->cpu[stat] = fmax(known(had.cpu[stat], had.cpu[other], 1), RC_PREDICT_CPU_LEAST);
        load->bw[stat] = known(had.bw[stat], had.bw[other], model->bw_mean);
    }
}

void rc_predict_ask_model(const struct rc_regression_model *model,
                          const struct rc_question *question, struct rc_regression_question *asked,
                          struct rc_predict_load *load)
{
    const struct rc_given_load *given = &question->given;

    *asked = (struct rc_regression_question){.n = question->size,
                                             .p = (double)question->procs,
                                             .bytes = NAN};
    if (!isnan(question->bytes_read) || !isnan(question->bytes_written))
        asked->bytes = fmax(question->bytes_read, 0) + fmax(question->bytes_written, 0);
    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        asked->params[i] = i < model->n_params
                               ? rc_predict_question_param(question, model->params[i])
                               : (double)NAN;
    *load = (struct rc_predict_load){.cpu = {given->cpu_minavg, given->cpu_avgmin},
                                     .bw = {given->bw_minavg, given->bw_avgmin}};
}

/* ---- summaries ---- */

/* The least draw that at least this share of them do not exceed. */
static double quantile(const double *draws, size_t n, double p)
{
    double at = ceil(p * (double)n) - 1;

    return draws[at > 0 ? (size_t)fmin(at, (double)n - 1) : 0];
}

void rc_predict_summarise(double *draws, size_t n, struct rc_predict_summary *summary)
{
    double sum = 0;

    rc_sort_doubles(draws, n);
    for (size_t i = 0; i < n; i++)
        sum += draws[i];
    summary->mean = sum / (double)n;
    summary->lo90 = quantile(draws, n, 0.05);
    summary->hi90 = quantile(draws, n, 0.95);
    summary->predicted = quantile(draws, n, 0.5);
}

/* ---- under a load that is known ---- */

double rc_predict_as_time(double seconds)
{
    return seconds > 1e-9 ? fmin(seconds, 1e300) : 1e-9;
}

/* The standard normal numbers that divide the distribution into n equal parts: with the model's
 * errors taken evenly, quantiles vary less from seed to seed than with random ones. */
static double spread_evenly(size_t i, size_t n)
{
    return gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / (double)n);
}

void rc_predict_at_load(const struct rc_regression_model *model,
                        const struct rc_regression_question *question,
                        const struct rc_predict_load *load, struct rc_random *random, double *draws,
                        size_t n_draws, struct rc_predict_summary *summary)
{
    for (size_t i = 0; i < n_draws; i++) {
        struct rc_regression_work work;
        double factor;

        rc_regression_draw_at(model, question, spread_evenly(i, n_draws), random, &work, &factor);
        draws[i] = rc_predict_as_time(
            factor * rc_regression_work_seconds(&work, load->cpu[work.stat], load->bw[work.stat]));
    }
    rc_predict_summarise(draws, n_draws, summary);
    summary->cpu = load->cpu[model->members[0].stat];
    summary->bw = load->bw[model->members[0].stat];
    if (model->criterion == RC_REGRESSION_PAPER)
        summary->predicted =
            rc_predict_as_time(rc_regression_seconds_at(model, question, load->cpu, load->bw));
}

/* ---- under the forecast load ---- */

struct drawing {
    rc_predict_next_work *next;
    void *data;
    struct rc_host_forecast *forecast;
    const struct rc_predict_load *otherwise;
    struct rc_random *random;
};

static size_t draw_times(void *data, double *draws, size_t n_draws,
                         struct rc_predict_summary *summary)
{
    const struct drawing *drawing = data;
    size_t ended = 0;

    summary->cpu = summary->bw = 0;
    for (size_t i = 0; i < n_draws; i++) {
        struct rc_predict_future scenario;
        struct rc_predict_end end;
        struct rc_regression_work work;
        double factor;

        drawing->next(drawing->data, i, n_draws, &work, &factor);
        rc_predict_host_forecast_draw(drawing->forecast, drawing->random,
                                      drawing->otherwise->cpu[work.stat],
                                      drawing->otherwise->bw[work.stat], &scenario);
        rc_predict_follow(&work, factor, &scenario, &end);
        if (!isfinite(end.seconds))
            continue;
        draws[ended++] = rc_predict_as_time(end.seconds);
        summary->cpu += (end.cpu - summary->cpu) / (double)ended;
        summary->bw += (end.bw - summary->bw) / (double)ended;
    }
    return ended;
}

void rc_predict_load_now(const struct rc_host_forecast *forecast,
                         const struct rc_predict_load *otherwise, struct rc_predict_load *now)
{
    struct rc_predict_host_forecast_facts facts;

    *now = *otherwise;
    rc_predict_host_forecast_facts(forecast, &facts);
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        if (!isnan(facts.cpu))
            now->cpu[stat] = fmax(facts.cpu, 0.05);
        if (!isnan(facts.bw) && facts.bw > 0)
            now->bw[stat] = facts.bw;
    }
}

int rc_predict_draw_ahead(struct rc_host_forecast *forecast, double seconds,
                          rc_predict_drawing *drawing, void *data, double *draws, size_t n_draws,
                          struct rc_predict_summary *summary, struct rc_error *error)
{
    seconds *= margin;
    for (int look = 0;; look++) {
        struct rc_predict_host_forecast_facts facts;
        double late;
        size_t ended;

        if (rc_predict_host_forecast_look(forecast, seconds, error))
            return -1;
        ended = drawing(data, draws, n_draws, summary);
        if (2 * ended < n_draws) {
            rc_error_set(error, "under the forecast load, the run would not end");
            return rc_error_code(error, "predict.would-not-end", NULL);
        }
        rc_predict_summarise(draws, ended, summary);
        while (ended < n_draws) /* what never ends is late */
            draws[ended] = draws[ended - 1], ended++;
        rc_predict_host_forecast_facts(forecast, &facts);
        late = quantile(draws, n_draws, 1 - beyond_most);
        if (late <= facts.seconds || facts.seconds < seconds || look + 1 == LOOKS_MAX)
            return 0;
        seconds = late * margin;
    }
}

int rc_predict_works_ahead(rc_predict_next_work *next, void *data, double seconds,
                           struct rc_host_forecast *forecast,
                           const struct rc_predict_load *otherwise, struct rc_random *random,
                           double *draws, size_t n_draws, struct rc_predict_summary *summary,
                           struct rc_error *error)
{
    struct drawing drawing = {next, data, forecast, otherwise, random};

    return rc_predict_draw_ahead(forecast, seconds, draw_times, &drawing, draws, n_draws, summary,
                                 error);
}

struct asked {
    const struct rc_regression_model *model;
    const struct rc_regression_question *question;
    struct rc_random *random;
};

static void next_work(void *data, size_t i, size_t n, struct rc_regression_work *work,
                      double *factor)
{
    const struct asked *asked = data;

    rc_regression_draw_at(asked->model, asked->question, spread_evenly(i, n), asked->random, work,
                          factor);
}

int rc_predict_ahead(const struct rc_regression_model *model,
                     const struct rc_regression_question *question,
                     struct rc_host_forecast *forecast, const struct rc_predict_load *otherwise,
                     struct rc_random *random, double *draws, size_t n_draws,
                     struct rc_predict_summary *summary, struct rc_error *error)
{
    struct asked asked = {model, question, random};
    struct rc_predict_load now;
    double seconds;

    rc_predict_load_now(forecast, otherwise, &now);
    seconds = rc_predict_as_time(rc_regression_seconds_at(model, question, now.cpu, now.bw));
    return rc_predict_works_ahead(next_work, &asked, seconds, forecast, otherwise, random, draws,
                                  n_draws, summary, error);
}
