// SPDX-License-Identifier: GPL-3.0-or-later
/* fit_system.c - the factors by which the means of groups make alpha, gamma and beta.
 *
 * X has a row for each parallel group and the columns: 1 for its np; its work, in one column or in
 * that of its np; its surface.  With weights W, the estimate is R^-1 Q' W^(1/2) y where
 * W^(1/2) X = Q R.  y, the overheads, are the means less Tcomp, which is itself a sum of means. */
#include "model/scaling/fit_system.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "model/scaling/growth_curves.h"

void rc_scaling_fit_system_free(struct rc_fit_system *system)
{
    free(system->amount);
    free(system->rows);
    *system = (struct rc_fit_system){0};
}

const double *rc_scaling_fit_alpha(const struct rc_fit_system *system, size_t at)
{
    return system->rows + at * system->n_groups;
}

const double *rc_scaling_fit_gamma(const struct rc_fit_system *system, size_t at)
{
    return system->rows + (system->n_at + at) * system->n_groups;
}

const double *rc_scaling_fit_beta(const struct rc_fit_system *system)
{
    return system->rows + 2 * system->n_at * system->n_groups;
}

double rc_scaling_fit_sum(const double *row, const double *means, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += row[i] * means[i];
    return sum;
}

double rc_scaling_fit_mean(const double *row, const struct rc_scaling_samples *samples)
{
    double sum = 0;

    for (size_t i = 0; i < samples->n_groups; i++)
        sum += row[i] * samples->groups[i].mean;
    return sum;
}

double rc_scaling_fit_longest(const struct rc_scaling_samples *samples, int64_t procs)
{
    double most = 0;

    for (size_t i = 0; i < samples->n_groups; i++)
        if (samples->groups[i].procs == procs)
            most = fmax(most, samples->groups[i].mean);
    return most;
}

double rc_scaling_fit_sd(const double *row, const struct rc_scaling_samples *samples, double sd)
{
    double squares = 0;

    for (size_t i = 0; i < samples->n_groups; i++) {
        double part = row[i] * samples->groups[i].mean;

        squares += part * part / (double)samples->groups[i].n;
    }
    return sd * sqrt(squares);
}

double rc_scaling_fit_critical(const struct rc_scaling_noise *noise)
{
    return noise->freedom > 0 ? gsl_cdf_tdist_Pinv(0.975, (double)noise->freedom) : 1.96;
}

void rc_scaling_fit_range(const struct rc_fit_system *system, bool parallel, double *least,
                          double *most)
{
    size_t from = parallel ? system->n_sequential : 0,
           to = parallel ? system->n_groups : system->n_sequential;

    *least = INFINITY;
    *most = 0;
    for (size_t i = from; i < to; i++) {
        *least = fmin(*least, system->amount[i]);
        *most = fmax(*most, system->amount[i]);
    }
}

void rc_scaling_fit_growth(const double *alpha, const double *weight, const int64_t *procs,
                           size_t n, double k, bool level, double *c, double *d)
{
    double x[RC_SCALING_PROCS_MAX], zero[RC_SCALING_PROCS_MAX] = {0};

    for (size_t i = 0; i < n; i++)
        x[i] = rc_scaling_growth(k, (double)procs[i]);
    rc_scaling_line(x, alpha, weight, n, c, d);
    if (level && *d < 0)
        rc_scaling_line(zero, alpha, weight, n, c, d);
}

/* ---- Tcomp ---- */

static bool nearly_equal(double a, double b)
{
    return isfinite(a - b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* Adds `factor` times the mean of all sequential groups with this amount of work. */
static void add_amount(const struct rc_fit_system *system, double amount, double factor,
                       double *row)
{
    size_t count = 0;

    for (size_t i = 0; i < system->n_sequential; i++)
        count += nearly_equal(system->amount[i], amount);
    for (size_t i = 0; i < system->n_sequential; i++)
        if (nearly_equal(system->amount[i], amount))
            row[i] += factor / (double)count;
}

/* The line through the times of `from` and `to`, at `at`, added to that of `anchor`. */
static void add_line(const struct rc_fit_system *system, double anchor, double from, double to,
                     double at, double *row)
{
    double part = (at - anchor) / (to - from);

    add_amount(system, anchor, 1, row);
    add_amount(system, to, part, row);
    add_amount(system, from, -part, row);
}

static void interpolate(const struct rc_fit_system *system, double amount, double *row)
{
    double least = INFINITY, most = 0, below = 0, above = INFINITY;

    for (size_t i = 0; i < system->n_sequential; i++) {
        double x = system->amount[i];

        least = fmin(least, x);
        most = fmax(most, x);
        if (x <= amount || nearly_equal(x, amount))
            below = fmax(below, x);
        if (x >= amount || nearly_equal(x, amount))
            above = fmin(above, x);
    }
    if (below > 0 && (nearly_equal(below, amount) || nearly_equal(least, most)))
        add_amount(system, below, 1, row);
    else if (nearly_equal(least, most) || nearly_equal(above, amount))
        add_amount(system, above, 1, row);
    else if (below == 0)
        add_line(system, least, least, most, amount, row);
    else if (isinf(above))
        add_line(system, most, least, most, amount, row);
    else
        add_line(system, below, below, above, amount, row);
}

int rc_scaling_fit_computing(const struct rc_fit_system *system, const struct rc_mesh *block,
                             int64_t procs, double *row, double *amount, struct rc_error *error)
{
    if (rc_scaling_work_of(system->work, block, procs, amount, error))
        return -1;
    memset(row, 0, system->n_groups * sizeof *row);
    for (size_t i = 0; i < system->n_sequential; i++)
        if (rc_scaling_mesh_equal(&system->samples->groups[i].block, block) &&
            nearly_equal(system->amount[i], *amount)) {
            row[i] = 1;
            return 0;
        }
    interpolate(system, *amount, row);
    return 0;
}

/* ---- least squares ---- */

/* Least squares of the parallel groups: n observations, m columns. */
struct squares {
    size_t n, m;
    double *x;       /* [m][n], columns; becomes Q */
    double *r;       /* [m][m] */
    double *root;    /* [n]: roots of the weights */
    double *factors; /* [n][n_groups]: what the means add to each overhead */
};

static void squares_free(struct squares *s)
{
    free(s->x);
    free(s->r);
    free(s->root);
    free(s->factors);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Gram and Schmidt's way, twice, so that Q is orthogonal to the last digit.  -1 where a column is
 * made of those before it. */
static int orthogonal(struct squares *s)
{
    for (size_t j = 0; j < s->m; j++) {
        double *column = s->x + j * s->n, before = sqrt(dot(column, column, s->n)), length;

        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < j; i++) {
                double part = dot(s->x + i * s->n, column, s->n);

                s->r[i * s->m + j] += part;
                for (size_t l = 0; l < s->n; l++)
                    column[l] -= part * s->x[i * s->n + l];
            }
        length = sqrt(dot(column, column, s->n));
        if (!(length > 1e-7 * before))
            return -1;
        s->r[j * s->m + j] = length;
        for (size_t l = 0; l < s->n; l++)
            column[l] /= length;
    }
    return 0;
}

/* Row `j` of R^-1 Q' W^(1/2), times what the means add to each overhead. */
static void solve_row(const struct squares *s, size_t j, size_t n_groups, double unit, double *row)
{
    double inverse[2 * RC_SCALING_PROCS_MAX + 1]; /* of R: its row j */

    for (size_t i = 0; i < s->m; i++) {
        double sum = i == j;

        for (size_t l = j; l < i; l++)
            sum -= s->r[l * s->m + i] * inverse[l];
        inverse[i] = i < j ? 0 : sum / s->r[i * s->m + i];
    }
    for (size_t o = 0; o < s->n; o++) {
        double factor = 0;

        for (size_t i = j; i < s->m; i++)
            factor += inverse[i] * s->x[i * s->n + o];
        factor *= s->root[o] / unit;
        for (size_t g = 0; g < n_groups; g++)
            row[g] += factor * s->factors[o * n_groups + g];
    }
}

/* ---- making one ---- */

/* Which of the numbers of processes a parallel group has. */
static size_t place_of(const struct rc_fit_system *system, int64_t procs)
{
    size_t at = 0;

    while (system->procs[at] != procs)
        at++;
    assert(at < system->n_at);
    return at;
}

/* The largest amount of work and surface: what columns are measured in. */
static void units(const struct rc_fit_system *system, double *work, double *surface)
{
    *work = *surface = 0;
    for (size_t g = system->n_sequential; g < system->n_groups; g++) {
        const struct rc_mesh *block = &system->samples->groups[g].block;

        *work = fmax(*work, system->amount[g]);
        *surface = fmax(*surface, rc_scaling_mesh_surface(block, system->samples->cut));
    }
}

/* One observation: its overhead, its weight, and its row of X. */
static int observe(const struct rc_fit_system *system, size_t o, bool one_gamma, bool beta,
                   struct squares *s, struct rc_error *error)
{
    const struct rc_scaling_group *groups = system->samples->groups;
    size_t g = system->n_sequential + o, at = place_of(system, groups[g].procs);
    double *factors = s->factors + o * system->n_groups, squares = 0, amount, work, surface;

    if (rc_scaling_fit_computing(system, &groups[g].block, groups[g].procs, factors, &amount,
                                 error))
        return -1;
    for (size_t i = 0; i < system->n_sequential; i++)
        factors[i] = -factors[i];
    factors[g] = 1;
    for (size_t i = 0; i < system->n_groups; i++)
        squares += factors[i] * factors[i] * groups[i].mean * groups[i].mean / (double)groups[i].n;
    s->root[o] = 1 / sqrt(squares);
    units(system, &work, &surface);
    s->x[at * s->n + o] = s->root[o];
    s->x[(system->n_at + (one_gamma ? 0 : at)) * s->n + o] = s->root[o] * amount / work;
    if (beta)
        s->x[(s->m - 1) * s->n + o] =
            s->root[o] * rc_scaling_mesh_surface(&groups[g].block, system->samples->cut) / surface;
    return 0;
}

static int squares_make(const struct rc_fit_system *system, bool one_gamma, bool beta,
                        struct squares *s, struct rc_error *error)
{
    s->n = system->n_groups - system->n_sequential;
    s->m = system->n_at + (one_gamma ? 1 : system->n_at) + beta;
    s->x = calloc(s->n * s->m, sizeof *s->x);
    s->r = calloc(s->m * s->m, sizeof *s->r);
    s->root = calloc(s->n, sizeof *s->root);
    s->factors = calloc(s->n * system->n_groups, sizeof *s->factors);
    if (!s->x || !s->r || !s->root || !s->factors)
        return rc_error_no_memory(error);
    for (size_t o = 0; o < s->n; o++)
        if (observe(system, o, one_gamma, beta, s, error))
            return -1;
    return orthogonal(s) ? rc_error_set(error, "too few block sizes in the small runs to separate "
                                               "the cost of work from constant cost")
                         : 0;
}

/* Numbers of processes, amounts of work, and room for the factors. */
static int fill_in(struct rc_fit_system *system, struct rc_error *error)
{
    const struct rc_scaling_group *groups = system->samples->groups;

    system->n_groups = system->samples->n_groups;
    for (size_t i = 0; i < system->n_groups; i++) {
        if (groups[i].procs == 1) {
            assert(system->n_at == 0); /* groups are sorted */
            system->n_sequential++;
        } else if (system->n_at == 0 || system->procs[system->n_at - 1] != groups[i].procs) {
            if (system->n_at == RC_SCALING_PROCS_MAX)
                return rc_error_set(error, "runs on more than %d numbers of processes",
                                    RC_SCALING_PROCS_MAX);
            system->procs[system->n_at++] = groups[i].procs;
        }
    }
    system->amount = calloc(system->n_groups + 1, sizeof *system->amount);
    system->rows = calloc((2 * system->n_at + 1) * (system->n_groups + 1), sizeof *system->rows);
    if (!system->amount || !system->rows)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < system->n_groups; i++)
        if (rc_scaling_work_of(system->work, &groups[i].block, groups[i].procs, &system->amount[i],
                               error))
            return -1;
    return 0;
}

static void solve(struct rc_fit_system *system, const struct squares *s, bool one_gamma, bool beta)
{
    size_t n = system->n_groups;
    double work, surface;

    units(system, &work, &surface);
    for (size_t i = 0; i < system->n_at; i++) {
        solve_row(s, i, n, 1, system->rows + i * n);
        solve_row(s, system->n_at + (one_gamma ? 0 : i), n, work,
                  system->rows + (system->n_at + i) * n);
    }
    if (beta)
        solve_row(s, s->m - 1, n, surface, system->rows + 2 * system->n_at * n);
}

int rc_scaling_fit_system_prepare(const struct rc_scaling_samples *samples,
                                  const struct rc_scaling_work *work, struct rc_fit_system *system,
                                  struct rc_error *error)
{
    *system = (struct rc_fit_system){.samples = samples, .work = work};
    if (fill_in(system, error) == 0)
        return 0;
    rc_scaling_fit_system_free(system);
    return -1;
}

int rc_scaling_fit_system_make(const struct rc_scaling_samples *samples,
                               const struct rc_scaling_work *work, bool one_gamma, bool beta,
                               struct rc_fit_system *system, struct rc_error *error)
{
    struct squares s = {0};
    int status;

    if (rc_scaling_fit_system_prepare(samples, work, system, error))
        return -1;
    status = squares_make(system, one_gamma, beta, &s, error);
    if (!status)
        solve(system, &s, one_gamma, beta);
    squares_free(&s);
    if (status)
        rc_scaling_fit_system_free(system);
    return status;
}
