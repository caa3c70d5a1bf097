// SPDX-License-Identifier: GPL-3.0-or-later
/* few_runs.c - the run time of a program after a few runs.
 *
 * The logarithm of the run time is that of a law, plus an unknown constant, plus a Gaussian process,
 * plus noise.  The process lets a program depart from the law: in the exponents of size and
 * processes, and locally.  It also has the effect of parameters and of CPU availability, whose
 * exponents are unknown.  Given the law, the noise and the size of the departures, all is Gaussian;
 * these three are averaged over, weighted by their prior and by the likelihood of the runs.
 * (Rasmussen and Williams, "Gaussian Processes for Machine Learning", Eq. 2.25 and 2.26 for the
 * process, and Section 2.7 for the constant, whose prior is flat.)
 *
 * Runs of the same configuration are one group, with their mean and their sum of squares. */
#include "model/history/few_runs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

#include "base/error.h"
#include "base/sort.h"
#include "model/history/scaling_laws.h"

enum { D = RC_HISTORY_GROUPS_MAX };

struct weighted {
    double value, prior;
};

/* The standard deviation of the logarithm of repeated runs. */
static const struct weighted noises[] = {{0.005, 0.07}, {0.01, 0.13}, {0.02, 0.18},
                                         {0.04, 0.215}, {0.08, 0.21}, {0.16, 0.125},
                                         {0.32, 0.052}, {0.64, 0.018}};
/* Of departures from laws: that of exponents, and that of the logarithm of the time. */
static const struct weighted departures[] = {
    {0.02, 0.17}, {0.08, 0.27}, {0.2, 0.29}, {0.5, 0.2}, {1, 0.07}};
enum {
    NOISES = sizeof noises / sizeof *noises,
    DEPARTURES = sizeof departures / sizeof *departures
};

static const double reach = 1.5; /* logarithms of size or processes over which departures vary */
/* Exponents: the mean is subtracted from the logarithm of the times. */
static const double cpu_exponent = -0.75, cpu_spread = 0.25;
static const double param_exponent = 0.5, param_spread = 0.5;
static const double cpu_bin =
    0.1; /* logarithms of CPU availability that differ less are the same */
static const double most_log = 690;  /* of a number that is neither infinite nor 0 */
static const double negligible = 25; /* by which the logarithm of a weight is below the largest */
static const double tiny = 1e-9;     /* keeps matrices positive definite in spite of rounding */

bool rc_history_same(const struct rc_history_run *a, const struct rc_history_run *b,
                     size_t n_params)
{
    if (a->size != b->size || a->procs != b->procs)
        return false;
    for (size_t i = 0; i < n_params; i++)
        if (a->params[i] != b->params[i])
            return false;
    return true;
}

/* ---- groups ---- */

struct group {
    struct rc_history_run run; /* the first one */
    double cpu;                /* the logarithm of CPU availability */
    double params[RC_HISTORY_PARAMS_MAX];
    double distance; /* from the question */
    double n, mean,
        squares; /* of logarithms of times, without the mean effects of cpu and params */
};

/* Logarithms of large parameters; defined for all. */
static void transform(struct group *group, const struct rc_history_run *run, size_t n_params)
{
    group->run = *run;
    group->cpu = log(run->cpu);
    for (size_t i = 0; i < n_params; i++)
        group->params[i] = asinh(run->params[i]);
}

static double mean_effect(const struct group *group, size_t n_params)
{
    double effect = cpu_exponent * group->cpu;

    for (size_t i = 0; i < n_params; i++)
        effect += param_exponent * group->params[i];
    return effect;
}

static double distance_between(const struct group *a, const struct group *b, size_t n_params)
{
    double distance = fabs(log(a->run.size / b->run.size)) + fabs(log(a->run.procs / b->run.procs));

    for (size_t i = 0; i < n_params; i++)
        distance += fabs(a->params[i] - b->params[i]);
    return distance;
}

static int by_distance(const void *a, const void *b)
{
    double x = ((const struct group *)a)->distance, y = ((const struct group *)b)->distance;

    return (x > y) - (x < y);
}

static void add_to(struct group *group, double log_seconds)
{
    double off = log_seconds - group->mean;

    group->n++;
    group->mean += off / group->n;
    group->squares += off * (log_seconds - group->mean);
}

/* The groups of the runs, those nearest to the question first; returns how many. */
static size_t make_groups(const struct rc_history_run *runs, size_t n, size_t n_params,
                          const struct group *question, struct group *groups)
{
    size_t n_groups = 0;

    for (size_t i = 0; i < n; i++) {
        struct group one = {.n = 0};
        size_t at = 0;

        transform(&one, &runs[i], n_params);
        while (at < n_groups && !(rc_history_same(&groups[at].run, &runs[i], n_params) &&
                                  fabs(groups[at].cpu - one.cpu) < cpu_bin))
            at++;
        if (at == n_groups) {
            one.distance = distance_between(&one, question, n_params);
            groups[n_groups++] = one;
        }
        add_to(&groups[at], log(runs[i].seconds) - mean_effect(&one, n_params));
    }
    qsort(groups, n_groups, sizeof *groups, by_distance);
    return n_groups < D ? n_groups : D;
}

static struct rc_history_point middle_of(const struct group *groups, size_t n)
{
    double size = 0, procs = 0;

    for (size_t i = 0; i < n; i++) {
        size += log(groups[i].run.size) / (double)n;
        procs += log(groups[i].run.procs) / (double)n;
    }
    return (struct rc_history_point){exp(size), exp(procs)};
}

/* ---- given noise and departures ---- */

/* Which depend on neither. */
struct kernels {
    double departure[D + 1][D + 1], known[D + 1][D + 1]; /* the last is of the question */
    size_t n, n_params;
};

static void fill_kernels(const struct group *groups, size_t n, size_t n_params,
                         const struct group *question, struct kernels *kernels)
{
    struct rc_history_point middle = middle_of(groups, n);

    kernels->n = n;
    kernels->n_params = n_params;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= n; j++) {
            const struct group *a = i < n ? &groups[i] : question;
            const struct group *b = j < n ? &groups[j] : question;
            double size = log(a->run.size / middle.size) * log(b->run.size / middle.size);
            double procs = log(a->run.procs / middle.procs) * log(b->run.procs / middle.procs);
            double known = cpu_spread * cpu_spread * a->cpu * b->cpu;

            for (size_t q = 0; q < n_params; q++)
                known += param_spread * param_spread * (a->params[q] - question->params[q]) *
                         (b->params[q] - question->params[q]);
            kernels->departure[i][j] =
                size + procs + exp(-distance_between(a, b, n_params) / reach);
            kernels->known[i][j] = known;
        }
}

/* Of one noise and one size of departures. */
struct setting {
    double prior;           /* logarithm, with what the likelihood has of all laws alike */
    double projected[D][D]; /* z' projected z is minus twice the log-likelihood of a law; the lower
                                * triangle has the sum of both */
    double weights[D], spread; /* the answer: a weighted sum, and its standard deviation */
};

/* The inverse of a covariance matrix, and half the logarithm of its determinant. */
static double invert(double matrix[D][D], size_t n)
{
    gsl_matrix_view view = gsl_matrix_view_array_with_tda(&matrix[0][0], n, n, D);
    double half_log = 0;

    gsl_linalg_cholesky_decomp1(&view.matrix);
    for (size_t i = 0; i < n; i++)
        half_log += log(matrix[i][i]);
    gsl_linalg_cholesky_invert(&view.matrix);
    return half_log;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Rasmussen and Williams, Eq. 2.41 and 2.42, with a flat prior of the constant. */
static void prepare(const struct kernels *kernels, const struct group *groups, double noise,
                    double departure, struct setting *setting)
{
    double inverse[D][D], across[D], constant[D], reduced[D], sum = 0, at;
    double scale = departure * departure;
    size_t n = kernels->n;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            inverse[i][j] = scale * kernels->departure[i][j] + kernels->known[i][j];
        inverse[i][i] += noise * noise / groups[i].n + tiny * inverse[i][i];
        across[i] = scale * kernels->departure[i][n] + kernels->known[i][n];
        setting->prior -= (groups[i].n - 1) * log(noise) + groups[i].squares / (2 * noise * noise);
    }
    setting->prior -= invert(inverse, n);
    for (size_t i = 0; i < n; i++) {
        reduced[i] = dot(inverse[i], across, n);
        constant[i] = 0;
        for (size_t j = 0; j < n; j++)
            constant[i] += inverse[i][j];
        sum += constant[i];
    }
    setting->prior -= 0.5 * log(sum);
    at = 1 - dot(across, constant, n);
    setting->spread = sqrt(scale * kernels->departure[n][n] + kernels->known[n][n] + noise * noise -
                           dot(across, reduced, n) + at * at / sum);
    for (size_t i = 0; i < n; i++) {
        setting->weights[i] = reduced[i] + at * constant[i] / sum;
        for (size_t j = 0; j <= i; j++)
            setting->projected[i][j] =
                (j < i ? 2 : 1) * (inverse[i][j] - constant[i] * constant[j] / sum);
    }
}

/* ---- the average ---- */

struct average {
    const struct group *groups;
    struct rc_history_laws laws; /* at the groups and, last, at the question */
    struct setting settings[NOISES * DEPARTURES];
    size_t n;
    double *weights; /* of each law with each setting */
};

static void make_settings(const struct kernels *kernels, struct average *average)
{
    struct setting *setting = average->settings;

    for (size_t i = 0; i < NOISES; i++)
        for (size_t j = 0; j < DEPARTURES; j++, setting++) {
            setting->prior = log(noises[i].prior * departures[j].prior);
            prepare(kernels, average->groups, noises[i].value, departures[j].value, setting);
        }
}

/* What the runs differ by from a law. */
static void differ(const struct average *average, size_t law, double *off)
{
    const double *log_time = average->laws.log_time + law * average->laws.n_points;

    for (size_t i = 0; i < average->n; i++)
        off[i] = average->groups[i].mean - log_time[i];
}

static void weigh(struct average *average)
{
    enum { SETTINGS = NOISES * DEPARTURES };
    size_t n = average->n, n_weights = average->laws.n_laws * SETTINGS;
    double most = -INFINITY, off[D];

    for (size_t k = 0; k < n_weights; k++) {
        const struct setting *setting = &average->settings[k % SETTINGS];
        double misfit = 0;

        if (k % SETTINGS == 0)
            differ(average, k / SETTINGS, off);
        for (size_t i = 0; i < n; i++)
            misfit += off[i] * dot(setting->projected[i], off, i + 1);
        average->weights[k] = average->laws.prior[k / SETTINGS] + setting->prior - misfit / 2;
        most = fmax(most, average->weights[k]);
    }
    for (size_t k = 0; k < n_weights; k++)
        average->weights[k] =
            average->weights[k] > most - negligible ? exp(average->weights[k] - most) : 0;
}

static double as_time(double log_seconds)
{
    return exp(fmax(-most_log, fmin(log_seconds, most_log)));
}

/* Samples in pairs at the same distance from the middle, so that the median varies little. */
static void draw(const struct average *average, double effect, struct rc_random *random,
                 double *samples, size_t n_samples)
{
    enum { SETTINGS = NOISES * DEPARTURES };
    size_t n_weights = average->laws.n_laws * SETTINGS, k = 0, last = average->laws.n_points - 1;
    double sum = 0, passed = 0, off[D];

    for (size_t i = 0; i < n_weights; i++)
        sum += average->weights[i];
    for (size_t i = 0; i < n_samples; i += 2) {
        double target = ((double)i + 1) / (double)(n_samples + 1) * sum, middle, spread;

        while (k + 1 < n_weights && passed + average->weights[k] < target)
            passed += average->weights[k++];
        differ(average, k / SETTINGS, off);
        middle = effect + average->laws.log_time[k / SETTINGS * average->laws.n_points + last] +
                 dot(average->settings[k % SETTINGS].weights, off, average->n);
        spread = rc_random_normal(random, 0, average->settings[k % SETTINGS].spread);
        samples[i] = as_time(middle + spread);
        if (i + 1 < n_samples)
            samples[i + 1] = as_time(middle - spread);
    }
    rc_sort_doubles(samples, n_samples);
}

static int average_over(struct average *average, const struct kernels *kernels,
                        const struct group *question, struct rc_error *error)
{
    struct rc_history_point points[D + 1];

    for (size_t i = 0; i <= average->n; i++) {
        const struct group *group = i < average->n ? &average->groups[i] : question;

        points[i] = (struct rc_history_point){group->run.size, group->run.procs};
    }
    if (rc_history_laws_make(points, average->n + 1, middle_of(average->groups, average->n),
                             &average->laws, error))
        return -1;
    average->weights = calloc(average->laws.n_laws * NOISES * DEPARTURES, sizeof *average->weights);
    if (!average->weights)
        return rc_error_no_memory(error);
    make_settings(kernels, average);
    weigh(average);
    return 0;
}

int rc_history_predict(const struct rc_history_run *runs, size_t n, size_t n_params,
                       const struct rc_history_run *question, struct rc_random *random,
                       double *samples, size_t n_samples, struct rc_error *error)
{
    struct group *groups = calloc(n, sizeof *groups), asked = {.n = 0};
    struct average *average = calloc(1, sizeof *average);
    struct kernels kernels;
    int status = -1;

    assert(n > 0 && n_params <= RC_HISTORY_PARAMS_MAX);
    if (groups && average) {
        transform(&asked, question, n_params);
        average->groups = groups;
        average->n = make_groups(runs, n, n_params, &asked, groups);
        fill_kernels(groups, average->n, n_params, &asked, &kernels);
        status = average_over(average, &kernels, &asked, error);
        if (status == 0)
            draw(average, mean_effect(&asked, n_params), random, samples, n_samples);
        rc_history_laws_free(&average->laws);
        free(average->weights);
    } else {
        rc_error_no_memory(error);
    }
    free(average);
    free(groups);
    return status;
}
