// SPDX-License-Identifier: GPL-3.0-or-later
/* linearity.c - tests whether times are linear.
 *
 * Every point of a line (a sequential time, an overhead, an alpha) is a sum of means of groups,
 * each times a factor (fit_system.h); so is its distance from the line through the outermost
 * points, and its sd follows from the noise of the runs. */
#include "model/scaling/linearity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/scaling/fit_system.h"

/* A line's points: x rises. */
struct points {
    size_t n, n_groups;
    double x[RC_SCALING_GROUPS_MAX], y[RC_SCALING_GROUPS_MAX];
    double time[RC_SCALING_GROUPS_MAX]; /* run times, to which deviations are relative */
    double sd[RC_SCALING_GROUPS_MAX];
    double *rows; /* [point][group] */
};

static double *row_of(struct points *points, size_t i)
{
    return points->rows + i * points->n_groups;
}

static void add_point(struct points *points, const struct rc_scaling_model *model, double x,
                      double y, double time)
{
    size_t i = points->n++;

    points->x[i] = x;
    points->y[i] = y;
    points->time[i] = time;
    points->sd[i] = rc_scaling_fit_sd(row_of(points, i), &model->samples, model->noise.sd);
}

/* ---- the three kinds of line ---- */

/* Times of the groups on `procs` processes, less Tcomp where that is more than one. */
static int gather_times(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                        int64_t procs, struct points *points, struct rc_error *error)
{
    for (size_t i = system->n_groups; i-- > 0;) {
        const struct rc_scaling_group *group = &model->samples.groups[i];
        double *row = row_of(points, points->n), amount = system->amount[i], surface = 0;

        if (group->procs != procs)
            continue;
        memset(row, 0, system->n_groups * sizeof *row);
        if (procs > 1) {
            if (rc_scaling_fit_computing(system, &group->block, procs, row, &amount, error))
                return -1;
            for (size_t j = 0; j < system->n_groups; j++)
                row[j] = -row[j];
            surface = model->beta * rc_scaling_mesh_surface(&group->block, model->setting.cut);
        }
        row[i] += 1;
        add_point(points, model, amount, rc_scaling_fit_mean(row, &model->samples) - surface,
                  group->mean);
    }
    return 0;
}

static void gather_alphas(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                          struct points *points)
{
    for (size_t at = 0; at < model->n_at; at++) {
        memcpy(row_of(points, at), rc_scaling_fit_alpha(system, at),
               system->n_groups * sizeof *points->rows);
        add_point(points, model, log2((double)model->at[at].procs), model->at[at].alpha,
                  rc_scaling_fit_longest(&model->samples, model->at[at].procs));
    }
}

/* ---- deviation from the line ---- */

/* Which points are outermost; false where none lies in between. */
static bool ends(const struct points *points, size_t *low, size_t *high)
{
    double gap;

    *low = *high = 0;
    for (size_t i = 0; i < points->n; i++) {
        if (points->x[i] < points->x[*low])
            *low = i;
        if (points->x[i] > points->x[*high])
            *high = i;
    }
    gap = 1e-9 * (points->x[*high] - points->x[*low]);
    for (size_t i = 0; i < points->n; i++)
        if (points->x[i] > points->x[*low] + gap && points->x[i] < points->x[*high] - gap)
            return true;
    return false;
}

/* Finds the point in between that is farthest from the line, as a part of its time. */
static void deviate(struct points *points, const struct rc_scaling_model *model, size_t low,
                    size_t high, struct rc_scaling_finding *finding)
{
    double off[RC_SCALING_GROUPS_MAX], span = points->x[high] - points->x[low];

    for (size_t i = 0; i < points->n; i++) {
        double part = (points->x[i] - points->x[low]) / span, deviation;

        if (!(part > 1e-9 && part < 1 - 1e-9))
            continue;
        deviation = (points->y[i] - points->y[low] - part * (points->y[high] - points->y[low])) /
                    points->time[i];
        if (fabs(deviation) < fabs(finding->deviation))
            continue;
        for (size_t j = 0; j < points->n_groups; j++)
            off[j] = row_of(points, i)[j] - (1 - part) * row_of(points, low)[j] -
                     part * row_of(points, high)[j];
        finding->deviation = deviation;
        finding->noise = rc_scaling_fit_sd(off, &model->samples, model->noise.sd) / points->time[i];
    }
    finding->nonlinear =
        fabs(finding->deviation) > rc_scaling_fit_critical(&model->noise) * finding->noise &&
        fabs(finding->deviation) > RC_SCALING_WORTH;
}

/* ---- better forms ---- */

static double transformed(const struct rc_scaling_finding *finding, enum rc_scaling_form form,
                          double x)
{
    if (finding->kind == RC_LINE_GROWTH) /* x is log2 np */
        return rc_scaling_growth(rc_scaling_form_k(form), exp2(x));
    if (form == RC_FORM_LOG2)
        return x * log2(x);
    return form == RC_FORM_SQRT ? sqrt(x) : x;
}

/* Whether the line of `form` comes within noise of all points; its squares in `*squares`. */
static bool try_form(const struct points *points, const struct rc_scaling_model *model,
                     const struct rc_scaling_finding *finding, enum rc_scaling_form form,
                     double *squares)
{
    double x[RC_SCALING_GROUPS_MAX], weight[RC_SCALING_GROUPS_MAX], a, b;
    bool within = true;

    for (size_t i = 0; i < points->n; i++) {
        double sd = hypot(points->sd[i], RC_SCALING_WORTH / 2 * points->time[i]);

        x[i] = transformed(finding, form, points->x[i]);
        weight[i] = 1 / (sd * sd);
    }
    *squares = rc_scaling_line(x, points->y, weight, points->n, &a, &b);
    for (size_t i = 0; i < points->n; i++)
        within = within && fabs(points->y[i] - a - b * x[i]) <=
                               fmax(rc_scaling_fit_critical(&model->noise) * points->sd[i],
                                    RC_SCALING_WORTH / 2 * points->time[i]);
    return within;
}

static void find_better(const struct points *points, const struct rc_scaling_model *model,
                        struct rc_scaling_finding *finding)
{
    static const enum rc_scaling_form forms[] = {RC_FORM_LINEAR, RC_FORM_LOG2, RC_FORM_SQRT};
    double least = INFINITY;
    bool within = false;

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double squares;
        bool near = try_form(points, model, finding, forms[i], &squares);

        if (squares < least) {
            least = squares;
            within = near;
            finding->best = forms[i];
        }
    }
    if (within || finding->kind == RC_LINE_GROWTH)
        return;
    finding->best = RC_FORM_POWER;
    finding->exponent = rc_scaling_exponent(points->x, points->y, NULL, points->n);
}

/* ---- text ---- */

static void describe(struct rc_scaling_finding *finding)
{
    char line[64], better[RC_FORM_TEXT];
    bool growth = finding->kind == RC_LINE_GROWTH;

    if (finding->kind == RC_LINE_OVERHEAD)
        snprintf(line, sizeof line, "overhead on %lld processes", (long long)finding->procs);
    else
        snprintf(line, sizeof line, "%s", growth ? "alpha" : "computation");
    if (!finding->nonlinear)
        snprintf(finding->text, sizeof finding->text,
                 "%s is linear in %s: deviation %.2f %% of the run time, noise %.2f %%%s", line,
                 growth ? "log2 np" : "work", 100 * fabs(finding->deviation), 100 * finding->noise,
                 finding->best == RC_FORM_CONSTANT ? "; it is constant" : "");
    else
        snprintf(finding->text, sizeof finding->text,
                 "%s is not linear in %s: %.2f %% of the run time %s the line, noise %.2f %%; %s "
                 "fits better",
                 line, growth ? "log2 np" : "work", 100 * fabs(finding->deviation),
                 finding->deviation > 0 ? "above" : "below", 100 * finding->noise,
                 growth ? rc_scaling_growth_name(finding->best)
                        : rc_scaling_work_form_name(finding->best, finding->exponent, better));
}

static void judge(struct points *points, const struct rc_scaling_model *model,
                  enum rc_scaling_line_kind kind, int64_t procs,
                  struct rc_scaling_finding *findings, size_t *n_findings)
{
    struct rc_scaling_finding *finding = &findings[*n_findings];
    size_t low, high;

    if (points->n < 3 || !ends(points, &low, &high))
        return;
    *finding = (struct rc_scaling_finding){.kind = kind, .procs = procs};
    finding->best = kind == RC_LINE_GROWTH ? RC_FORM_LOG2 : RC_FORM_LINEAR;
    deviate(points, model, low, high, finding);
    if (finding->nonlinear)
        find_better(points, model, finding);
    else if (kind == RC_LINE_GROWTH && model->level)
        finding->best = RC_FORM_CONSTANT;
    describe(finding);
    ++*n_findings;
}

static int judge_all(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                     struct points *points, struct rc_scaling_finding *findings, size_t *n_findings,
                     struct rc_error *error)
{
    if (gather_times(model, system, 1, points, error))
        return -1;
    judge(points, model, RC_LINE_COMPUTING, 0, findings, n_findings);
    for (size_t at = 0; at < model->n_at; at++) {
        points->n = 0;
        if (gather_times(model, system, model->at[at].procs, points, error))
            return -1;
        judge(points, model, RC_LINE_OVERHEAD, model->at[at].procs, findings, n_findings);
    }
    points->n = 0;
    gather_alphas(model, system, points);
    judge(points, model, RC_LINE_GROWTH, 0, findings, n_findings);
    return 0;
}

int rc_scaling_linearity_check(const struct rc_scaling_model *model,
                               struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX],
                               size_t *n_findings, struct rc_error *error)
{
    struct points *points = calloc(1, sizeof *points);
    size_t n = model->samples.n_groups;
    struct rc_fit_system system = {0};
    int status = -1;

    *n_findings = 0;
    if (points) {
        points->n_groups = n;
        points->rows = calloc(n * n + RC_SCALING_PROCS_MAX * n + 1, sizeof *points->rows);
    }
    if (!points || !points->rows)
        rc_error_no_memory(error);
    else if (rc_scaling_fit_system_make(&model->samples, &model->work, model->one_gamma,
                                        model->has_beta, &system, error) == 0)
        status = judge_all(model, &system, points, findings, n_findings, error);
    rc_scaling_fit_system_free(&system);
    if (points)
        free(points->rows);
    free(points);
    return status;
}

int rc_scaling_linearity_warnings(struct rc_scaling_model *model, struct rc_error *error)
{
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    size_t n;

    if (rc_scaling_linearity_check(model, findings, &n, error))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (findings[i].nonlinear && rc_scaling_warn(model, error, "%s", findings[i].text))
            return -1;
    return 0;
}
