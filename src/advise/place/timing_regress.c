// SPDX-License-Identifier: GPL-3.0-or-later
/* timing_regress.c - the time of candidates by a regression model.
 *
 * A run has the speed of the least availability at each time (avgmin), or that of the host
 * that is worst over the run (minavg).  Both are minima over hosts, of values and of their sums: of
 * sets that begin alike, the longer one goes on from the minima of the shorter.  So all beginnings
 * of a ranking together cost as much as the longest. */
#include "advise/place/timing_regress.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "predict/run_time_distribution.h"
#include "predict/scenario_run_time.h"

enum { LOOKS_MAX = 3, QUICK_SCENARIOS = 64 };
static const double margin = 1.5; /* by which scenarios are longer than a run is expected to be */
static const double beyond_most = 0.05; /* of the samples may end beyond the scenarios */
static const double group_ratio = 4;    /* between the longest and the shortest run of one bundle */

/* The minima over a set's hosts, or links, for all scenarios. */
struct minima {
    const struct rc_host_forecast_scenarios *scenarios;
    size_t n_scenarios;
    float *least, *sums; /* of values; of the sums up to each value, in values; NULL: not needed */
    double steady;       /* of those that stay as they are; INFINITY: there are none */
    size_t n;            /* series that were taken in */
};

struct regress {
    struct rc_timing_regress_setup setup;
    struct rc_predict_load dedicated;
    bool needs[RC_REGRESSION_STATS];       /* statistics that members of the model take */
    struct rc_host_forecast_bundle bundle; /* the last one, for the next question */
    size_t *members;                       /* hosts of it */
    size_t *place; /* of each host in it; n_hosts of the bundle: it is not */
    double asked;  /* seconds that it was made for; 0: there is none */
    size_t asked_scenarios;
    bool *in; /* of its hosts, those of the present set */
    struct minima cpu, bw;
    double *scratch; /* of one scenario: CPU and bandwidth */
    double lane[4];  /* scratch of lanes of one series */
};

/* ---- bundles ---- */

static void drop_minima(struct minima *minima)
{
    free(minima->least);
    free(minima->sums);
    *minima = (struct minima){0};
}

static void drop_bundle(struct regress *regress)
{
    rc_predict_host_forecast_bundle_free(&regress->bundle);
    drop_minima(&regress->cpu);
    drop_minima(&regress->bw);
    free(regress->scratch);
    regress->scratch = NULL;
    regress->asked = 0;
}

static int make_minima(struct regress *regress, const struct rc_host_forecast_scenarios *scenarios,
                       struct minima *minima, struct rc_error *error)
{
    size_t cells = regress->bundle.n_scenarios * scenarios->n + 1;

    *minima = (struct minima){.scenarios = scenarios, .n_scenarios = regress->bundle.n_scenarios};
    if (regress->needs[RC_REGRESSION_AVGMIN])
        minima->least = calloc(cells, sizeof *minima->least);
    if (regress->needs[RC_REGRESSION_MINAVG])
        minima->sums = calloc(cells, sizeof *minima->sums);
    return (regress->needs[RC_REGRESSION_AVGMIN] && !minima->least) ||
                   (regress->needs[RC_REGRESSION_MINAVG] && !minima->sums)
               ? rc_error_no_memory(error)
               : 0;
}

static bool covers(const struct regress *regress, const size_t *hosts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (regress->place[hosts[i]] >= regress->bundle.n_hosts)
            return false;
    return true;
}

/* Gets scenarios of these hosts for runs of about so many seconds, the last ones where they do. */
static int get_bundle(struct regress *regress, const size_t *hosts, size_t n, double seconds,
                      size_t n_scenarios, struct rc_error *error)
{
    size_t most;

    if (regress->asked > 0 && regress->asked_scenarios >= n_scenarios &&
        fabs(log(seconds / regress->asked)) < log(margin) && covers(regress, hosts, n))
        return 0;
    drop_bundle(regress);
    memcpy(regress->members, hosts, n * sizeof *hosts);
    if (rc_predict_host_forecast_many_draw(regress->setup.forecast, regress->members, n, seconds,
                                           n_scenarios, regress->setup.seed, &regress->bundle,
                                           error))
        return -1;
    for (size_t i = 0; i < regress->setup.n_hosts; i++)
        regress->place[i] = n;
    for (size_t i = 0; i < n; i++)
        regress->place[hosts[i]] = i;
    most = regress->bundle.cpu.n + regress->bundle.bw.n;
    regress->scratch = calloc(most + 1, sizeof *regress->scratch);
    if (!regress->scratch)
        return rc_error_no_memory(error);
    regress->asked = seconds;
    regress->asked_scenarios = n_scenarios;
    return make_minima(regress, &regress->bundle.cpu, &regress->cpu, error) ||
                   make_minima(regress, &regress->bundle.bw, &regress->bw, error)
               ? -1
               : 0;
}

/* ---- minima ---- */

static void clear_minima(struct minima *minima)
{
    size_t cells = minima->n_scenarios * minima->scenarios->n;

    minima->steady = INFINITY;
    minima->n = 0;
    for (size_t i = 0; i < cells && minima->least; i++)
        minima->least[i] = INFINITY;
    for (size_t i = 0; i < cells && minima->sums; i++)
        minima->sums[i] = INFINITY;
}

static void take_sums(struct minima *minima, const float *values, float weight)
{
    size_t n = minima->scenarios->n;

    for (size_t f = 0; f < minima->n_scenarios; f++) {
        float *sums = minima->sums + f * n, sum = 0;

        for (size_t j = 0; j < n; j++) {
            sum += weight * values[f * n + j];
            sums[j] = sum < sums[j] ? sum : sums[j];
        }
    }
}

static void take_series(struct minima *minima, size_t series, double times)
{
    const struct rc_host_forecast_scenarios *scenarios = minima->scenarios;
    size_t cells = minima->n_scenarios * scenarios->n;
    const float *values;
    float *least = minima->least;
    float weight = (float)times;

    minima->n++;
    if (scenarios->n == 0) {
        minima->steady = fmin(minima->steady, times * scenarios->steady[series]);
        return;
    }
    values = scenarios->values + series * cells;
    for (size_t i = 0; i < cells && least; i++) {
        float value = weight * values[i];

        least[i] = value < least[i] ? value : least[i];
    }
    if (minima->sums)
        take_sums(minima, values, weight);
}

static void take_host(struct regress *regress, size_t host)
{
    const struct rc_host_forecast_bundle *bundle = &regress->bundle;
    size_t at = regress->place[host], series = bundle->cpu_of[at];
    double weight = regress->setup.weights[host];

    regress->in[at] = true;
    if (series < bundle->cpu.n_series)
        take_series(&regress->cpu, series, weight);
    else
        regress->cpu.steady = fmin(regress->cpu.steady, weight); /* nothing is known: it is idle */
    for (size_t l = 0; l < bundle->bw.n_series; l++) {
        size_t a = bundle->ends[l][0], b = bundle->ends[l][1];

        if ((a == at && regress->in[b]) || (b == at && a != at && regress->in[a]))
            take_series(&regress->bw, l, 1);
    }
}

static void leave_all(struct regress *regress)
{
    memset(regress->in, 0, regress->bundle.n_hosts * sizeof *regress->in);
    clear_minima(&regress->cpu);
    clear_minima(&regress->bw);
}

/* ---- one candidate ---- */

/* The minima of one scenario as a lane of one series. */
static void make_lane(const struct minima *minima, size_t scenario, enum rc_regression_stat stat,
                      double otherwise, double *scratch, double *lane_scratch,
                      struct rc_predict_lane *lane)
{
    const struct rc_host_forecast_scenarios *scenarios = minima->scenarios;
    size_t n = scenarios->n;

    *lane =
        (struct rc_predict_lane){.constant = isinf(minima->steady) ? otherwise : minima->steady};
    if (n == 0 || minima->n == 0)
        return;
    for (size_t j = 0, at = scenario * n; j < n; j++, at++) {
        /* There are no sums where the model asks for none. */
        scratch[j] = stat == RC_REGRESSION_AVGMIN
                         ? minima->least[at]
                         : (double)minima->sums[at] - (j > 0 ? (double)minima->sums[at - 1] : 0);
        scratch[j] = fmin(scratch[j], minima->steady);
    }
    *lane = (struct rc_predict_lane){
        .values = scratch, .n_series = 1, .n = n, .step = scenarios->step, .scratch = lane_scratch};
}

static int follow(struct regress *regress, int64_t procs, size_t n_samples, double *samples,
                  struct rc_error *error)
{
    struct rc_random *random = rc_random_create(regress->setup.seed, 1);
    struct rc_regression_question question = regress->setup.question;

    if (!random)
        return rc_error_no_memory(error);
    question.p = (double)procs;
    for (size_t i = 0; i < n_samples; i++) {
        size_t scenario = i % regress->bundle.n_scenarios;
        struct rc_predict_future lanes = {.begin = 0};
        struct rc_predict_end end;
        struct rc_regression_work work;
        double factor;

        rc_regression_draw(regress->setup.model, &question, random, &work, &factor);
        make_lane(&regress->cpu, scenario, work.stat, regress->dedicated.cpu[work.stat],
                  regress->scratch, regress->lane, &lanes.cpu);
        make_lane(&regress->bw, scenario, work.stat, regress->dedicated.bw[work.stat],
                  regress->scratch + regress->bundle.cpu.n, regress->lane + 2, &lanes.bw);
        rc_predict_follow(&work, factor, &lanes, &end);
        samples[i] = isfinite(end.seconds) ? rc_predict_as_time(end.seconds) : (double)INFINITY;
    }
    rc_random_destroy(random);
    return 0;
}

/* ---- several candidates ---- */

struct turn {
    const struct rc_candidate *candidate;
    size_t index; /* among those that were asked for */
};

static int by_seconds(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->candidate->seconds != y->candidate->seconds)
        return x->candidate->seconds < y->candidate->seconds ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Those that begin alike behind one another. */
static int by_hosts(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->candidate->hosts != y->candidate->hosts)
        return (uintptr_t)x->candidate->hosts < (uintptr_t)y->candidate->hosts ? -1 : 1;
    if (x->candidate->n_hosts != y->candidate->n_hosts)
        return x->candidate->n_hosts < y->candidate->n_hosts ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* All hosts of a group, each once. */
static size_t unite(const struct regress *regress, const struct turn *turns, size_t n, bool *there,
                    size_t *hosts)
{
    size_t all = 0;

    memset(there, 0, regress->setup.n_hosts * sizeof *there);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < turns[i].candidate->n_hosts; k++)
            there[turns[i].candidate->hosts[k]] = true;
    for (size_t host = 0; host < regress->setup.n_hosts; host++)
        if (there[host])
            hosts[all++] = host;
    return all;
}

/* The share of samples that end beyond what is forecast, of the candidate that has most. */
static double share_beyond(const struct regress *regress, const struct turn *turns, size_t n,
                           size_t n_samples, const double *samples)
{
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t late = 0;

        for (size_t k = 0; k < n_samples; k++)
            late += samples[turns[i].index * n_samples + k] > regress->bundle.seconds;
        most = fmax(most, (double)late / (double)n_samples);
    }
    return most;
}

static int draw_all(struct regress *regress, const struct turn *turns, size_t n, size_t n_samples,
                    double *samples, struct rc_error *error)
{
    const size_t *hosts = NULL;
    size_t taken = 0;

    for (size_t i = 0; i < n; i++) {
        const struct rc_candidate *candidate = turns[i].candidate;

        if (i == 0 || candidate->hosts != hosts) {
            leave_all(regress);
            taken = 0;
        }
        hosts = candidate->hosts;
        while (taken < candidate->n_hosts)
            take_host(regress, hosts[taken++]);
        if (follow(regress, candidate->procs, n_samples, samples + turns[i].index * n_samples,
                   error))
            return -1;
    }
    return 0;
}

/* Candidates that take about as long, by rising time. */
static int draw_group(struct regress *regress, struct turn *turns, size_t n, size_t n_samples,
                      double *samples, struct rc_error *error)
{
    double seconds = margin * turns[n - 1].candidate->seconds;
    size_t *hosts = calloc(regress->setup.n_hosts + 1, sizeof *hosts), all = 0;
    bool *there = calloc(regress->setup.n_hosts + 1, sizeof *there);
    int status = hosts && there ? 0 : rc_error_no_memory(error);

    if (status == 0) {
        qsort(turns, n, sizeof *turns, by_hosts);
        all = unite(regress, turns, n, there, hosts);
    }
    for (int look = 0; look < LOOKS_MAX && status == 0; look++) {
        status = get_bundle(regress, hosts, all, seconds, n_samples, error);
        if (status == 0)
            status = draw_all(regress, turns, n, n_samples, samples, error);
        if (status || regress->bundle.seconds < 0.99 * regress->asked ||
            share_beyond(regress, turns, n, n_samples, samples) <= beyond_most)
            break; /* all is covered, or the past has no more */
        seconds = 2 * regress->asked;
    }
    free(hosts);
    free(there);
    return status;
}

static int sample(void *data, const struct rc_candidate *const *candidates, size_t n,
                  size_t n_samples, double *samples, struct rc_error *error)
{
    struct regress *regress = data;
    struct turn *turns = calloc(n + 1, sizeof *turns);
    int status = turns ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < n && status == 0; i++)
        turns[i] = (struct turn){candidates[i], i};
    if (status == 0)
        qsort(turns, n, sizeof *turns, by_seconds);
    for (size_t first = 0, end; first < n && status == 0; first = end) {
        double most = group_ratio * turns[first].candidate->seconds;

        for (end = first + 1; end < n && turns[end].candidate->seconds <= most; end++)
            ;
        status = draw_group(regress, turns + first, end - first, n_samples, samples, error);
    }
    free(turns);
    return status;
}

/* ---- the quick ones ---- */

static double guess(void *data, int64_t procs, double share)
{
    struct regress *regress = data;
    struct rc_regression_question question = regress->setup.question;
    double cpu[RC_REGRESSION_STATS], seconds;

    question.p = (double)procs;
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++)
        cpu[stat] = fmax(share, RC_PREDICT_CPU_LEAST);
    seconds = rc_regression_seconds_at(regress->setup.model, &question, cpu, regress->dedicated.bw);
    return seconds > 0 ? rc_predict_as_time(seconds) : (double)INFINITY;
}

/* The mean over all scenarios of a series, over its first `seconds`. */
static double mean_ahead(const struct rc_host_forecast_scenarios *scenarios, size_t n_scenarios,
                         size_t series, double seconds)
{
    double cells = ceil(seconds / scenarios->step), sum = 0;
    size_t n = cells < (double)scenarios->n ? (size_t)fmax(cells, 1) : scenarios->n;

    for (size_t f = 0; f < n_scenarios; f++) {
        const float *values = scenarios->values + (series * n_scenarios + f) * scenarios->n;

        for (size_t j = 0; j < n; j++)
            sum += values[j];
    }
    return sum / (double)(n * n_scenarios);
}

static int forecast_shares(void *data, const size_t *hosts, size_t n, double seconds,
                           double *shares, struct rc_error *error)
{
    struct regress *regress = data;
    const struct rc_host_forecast_bundle *bundle = &regress->bundle;

    if (get_bundle(regress, hosts, n, margin * seconds, QUICK_SCENARIOS, error))
        return -1;
    for (size_t i = 0; i < n; i++) {
        size_t series = bundle->cpu_of[regress->place[hosts[i]]];

        shares[i] = regress->setup.weights[hosts[i]];
        if (series < bundle->cpu.n_series)
            shares[i] *= bundle->cpu.n
                             ? mean_ahead(&bundle->cpu, bundle->n_scenarios, series, seconds)
                             : bundle->cpu.steady[series];
    }
    return 0;
}

/* ---- making it ---- */

static void find_needs(struct regress *regress)
{
    const struct rc_regression_model *model = regress->setup.model;
    size_t n = model->criterion == RC_REGRESSION_PAPER ? 1 : model->n_members;

    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || model->members[i].weight > 0)
            regress->needs[model->members[i].stat] = true;
}

static void destroy(struct regress *regress)
{
    drop_bundle(regress);
    free(regress->members);
    free(regress->place);
    free(regress->in);
    free(regress);
}

struct rc_timing *rc_place_timing_regress_create(const struct rc_timing_regress_setup *setup,
                                                 struct rc_error *error)
{
    struct rc_timing *timing = calloc(1, sizeof *timing);
    struct regress *regress = calloc(1, sizeof *regress);

    if (timing && regress) {
        regress->setup = *setup;
        regress->members = calloc(setup->n_hosts + 1, sizeof *regress->members);
        regress->place = calloc(setup->n_hosts + 1, sizeof *regress->place);
        regress->in = calloc(setup->n_hosts + 1, sizeof *regress->in);
    }
    if (!timing || !regress || !regress->members || !regress->place || !regress->in) {
        rc_error_no_memory(error);
        free(timing);
        if (regress)
            destroy(regress);
        return NULL;
    }
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++)
        regress->dedicated.cpu[stat] = regress->dedicated.bw[stat] = NAN;
    rc_predict_load_complete(setup->model, &regress->dedicated);
    find_needs(regress);
    *timing = (struct rc_timing){regress, guess, forecast_shares, sample};
    return timing;
}

void rc_place_timing_regress_destroy(struct rc_timing *timing)
{
    if (!timing)
        return;
    destroy(timing->data);
    free(timing);
}
