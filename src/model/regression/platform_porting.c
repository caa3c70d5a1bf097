// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_porting.c - a model for another platform than it was fitted on. */
#include "model/regression/platform_porting.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/residuals.h"
#include "model/regression/sanjay_vadhiyar_model.h"

static const double dedicated_cpu = 0.95;
static const char *const side_names[] = {"the platform of the model", "the new platform"};

/* ---- runs ---- */

static enum rc_regression_stat stat_of(const struct rc_regression_model *model)
{
    return model->members[0].stat;
}

static double cpu_of(const struct rc_regression_model *model, const struct rc_regression_run *run)
{
    double cpu = run->cpu[stat_of(model)];

    return cpu > 0 && isfinite(cpu) ? cpu : 1;
}

static double bw_of(const struct rc_regression_model *model, const struct rc_regression_run *run)
{
    double bw = run->bw[stat_of(model)];

    return bw > 0 && isfinite(bw) ? bw : model->bw_mean;
}

static bool is_dedicated(const struct rc_regression_model *model,
                         const struct rc_regression_run *run)
{
    return cpu_of(model, run) >= dedicated_cpu;
}

static struct rc_regression_question question_of(const struct rc_regression_model *model,
                                                 const struct rc_regression_run *run)
{
    struct rc_regression_question question = {.n = run->n, .p = run->p, .bytes = run->bytes};

    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        question.params[i] = i < model->n_params ? run->params[i] : NAN;
    return question;
}

/* The runs on p processes of which only dedicated ones may be wanted, by pointer; NULL, with
 * `error` set, where memory runs out. */
static const struct rc_regression_run **select_runs(const struct rc_regression_model *model,
                                                    const struct rc_regression_table *table,
                                                    double p, bool dedicated, size_t *n,
                                                    struct rc_error *error)
{
    const struct rc_regression_run **runs = calloc(table->n_runs + 1, sizeof *runs);

    *n = 0;
    if (!runs) {
        rc_error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < table->n_runs; i++)
        if (table->runs[i].p == p && (!dedicated || is_dedicated(model, &table->runs[i])))
            runs[(*n)++] = &table->runs[i];
    return runs;
}

static size_t count_dedicated(const struct rc_regression_model *model,
                              const struct rc_regression_table *table, double p)
{
    size_t n = 0;

    for (size_t i = 0; i < table->n_runs; i++)
        n += table->runs[i].p == p && is_dedicated(model, &table->runs[i]);
    return n;
}

/* ---- Rcpu ---- */

static int by_size(const void *left, const void *right)
{
    const struct rc_regression_run *const *a = left, *const *b = right;

    return ((*a)->n > (*b)->n) - ((*a)->n < (*b)->n);
}

/* Walks through the sizes of both, rising, to the one that is the `wanted`th (from 0) of those they
 * have in common; SIZE_MAX: to the two that are nearest.  Returns how many they have in common. */
static size_t walk_sizes(const struct rc_regression_run **runs[], const size_t *n, size_t wanted,
                         double *sizes)
{
    double before = NAN, nearest = INFINITY;
    size_t common = 0;

    for (size_t i = 0, j = 0; i < n[0] && j < n[1];) {
        double a = runs[0][i]->n, b = runs[1][j]->n;
        bool is_next = a == b && a != before;

        if (is_next)
            before = a;
        if (wanted == SIZE_MAX ? fabs(log(a / b)) < nearest : is_next && common == wanted) {
            nearest = fabs(log(a / b));
            sizes[0] = a;
            sizes[1] = b;
        }
        common += is_next;
        if (a < b)
            i++;
        else
            j++;
    }
    return common;
}

/* The middle of the sizes that both have or, if there is none, the two that are nearest. */
static void choose_sizes(const struct rc_regression_run **runs[], const size_t *n, double *sizes)
{
    size_t common = walk_sizes(runs, n, SIZE_MAX, sizes);

    if (common)
        walk_sizes(runs, n, (common - 1) / 2, sizes);
}

/* The mean, over the runs of that size, of their times with a whole core, in units of the
 * model's prediction. */
static double mean_time(const struct rc_regression_model *model,
                        const struct rc_regression_run **runs, size_t n, double size, size_t *used)
{
    double sum = 0;

    *used = 0;
    for (size_t i = 0; i < n; i++)
        if (runs[i]->n == size) {
            struct rc_regression_question question = question_of(model, runs[i]);
            double unit = rc_regression_seconds(model, &question, 1, model->bw_mean);

            sum +=
                runs[i]->seconds * cpu_of(model, runs[i]) / (unit > 0 && isfinite(unit) ? unit : 1);
            ++*used;
        }
    return sum / (double)*used;
}

static int no_runs(struct rc_error *error, int side, double p)
{
    rc_error_set(error, "no run on %g process%s on %s", p, p == 1 ? "" : "es", side_names[side]);
    return rc_error_hint(error, "record dedicated runs on 1 and on 2 processes, of the same sizes, "
                                "on both platforms");
}

static int find_cpu(const struct rc_regression_model *model,
                    const struct rc_regression_table *const tables[],
                    struct rc_regression_port *port, struct rc_error *error)
{
    const struct rc_regression_run **runs[RC_REGRESSION_SIDES] = {NULL, NULL};
    size_t n[RC_REGRESSION_SIDES];
    int status = 0;

    port->dedicated = count_dedicated(model, tables[0], 1) && count_dedicated(model, tables[1], 1);
    for (int side = 0; side < RC_REGRESSION_SIDES && status == 0; side++) {
        runs[side] = select_runs(model, tables[side], 1, port->dedicated, &n[side], error);
        if (!runs[side])
            status = -1;
        else if (n[side] == 0)
            status = no_runs(error, side, 1);
        else
            qsort(runs[side], n[side], sizeof *runs[side], by_size);
    }
    if (status == 0) {
        choose_sizes(runs, n, port->n);
        port->r_cpu = mean_time(model, runs[1], n[1], port->n[1], &port->one_runs[1]) /
                      mean_time(model, runs[0], n[0], port->n[0], &port->one_runs[0]);
    }
    free(runs[0]);
    free(runs[1]);
    return status;
}

/* ---- Rbw ---- */

/* The best member's time, by what it is of. */
struct split {
    double computation, communication, rest;
};

static struct split split_of(const struct rc_regression_model *model, const double *coefficients,
                             const struct rc_regression_run *run)
{
    struct rc_regression_question question = question_of(model, run);
    struct rc_regression_member member = model->members[0];
    struct rc_regression_model one = *model;
    double cpu = cpu_of(model, run), bw = bw_of(model, run);
    struct split split = {0};

    one.members = &member;
    one.n_members = 1;
    for (unsigned i = 0; i < member.n_terms; i++) {
        struct rc_regression_work work;
        double *part = member.terms[i].cpu        ? &split.computation
                       : member.terms[i].parallel ? &split.communication
                                                  : &split.rest;

        memset(member.coefficients, 0, sizeof member.coefficients);
        member.coefficients[i] = coefficients[i];
        rc_regression_member_work(&one, 0, &question, &work);
        *part += rc_regression_work_seconds(&work, cpu, bw);
    }
    return split;
}

/* The paper's members are fitted again to these runs, as in the paper; others have coefficients
 * from all runs with relative errors, which stay. */
static void train(const struct rc_regression_model *model, const struct rc_regression_run **runs,
                  size_t n, double *coefficients)
{
    const struct rc_regression_member *member = &model->members[0];
    struct rc_regression_sums loads = {.stat = member->stat, .bw_mean = model->bw_mean};
    struct rc_regression_normal normal = {.n_columns = member->n_terms};
    double columns[RC_REGRESSION_TERMS_MAX], fitted[RC_REGRESSION_TERMS_MAX], communication = 0;

    memcpy(coefficients, member->coefficients, sizeof member->coefficients);
    if (model->criterion != RC_REGRESSION_PAPER || member->n_terms > RC_REGRESSION_COLUMNS_MAX)
        return;
    for (size_t i = 0; i < n; i++) {
        struct rc_regression_paper_row row;

        rc_regression_paper_row(&loads, runs[i], &row);
        if (!rc_regression_paper_columns(member, &row, columns))
            return;
        rc_regression_normal_add(&normal, columns, runs[i]->seconds);
    }
    if (!isfinite(rc_regression_normal_solve(&normal, fitted, NULL)))
        return;
    for (size_t i = 0; i < n; i++)
        communication += split_of(model, fitted, runs[i]).communication;
    if (communication > 0) /* otherwise there is nothing that could be scaled */
        memcpy(coefficients, fitted, member->n_terms * sizeof *fitted);
}

/* The sum of squares of the errors is a r^2 - 2 b r + c. */
struct parabola {
    double a, b, c, mean, left; /* left: N - p, and 1 at least */
};

static struct parabola errors_by_scale(const struct rc_regression_model *model,
                                       const double *coefficients,
                                       const struct rc_regression_run **runs, size_t n,
                                       double r_cpu)
{
    struct parabola errors = {0};

    for (size_t i = 0; i < n; i++) {
        struct split split = split_of(model, coefficients, runs[i]);
        double rest = runs[i]->seconds - r_cpu * split.computation - split.rest;

        errors.a += split.communication * split.communication;
        errors.b += rest * split.communication;
        errors.c += rest * rest;
        errors.mean += runs[i]->seconds / (double)n;
    }
    errors.left = fmax((double)n - model->members[0].n_terms, 1);
    return errors;
}

static double error_at(const struct parabola *errors, double scale)
{
    double squares = (errors->a * scale - 2 * errors->b) * scale + errors->c;

    return sqrt(fmax(squares, 0) / errors->left) / errors->mean;
}

static void choose_scale(const struct parabola *reference, const struct parabola *target,
                         struct rc_regression_port *port)
{
    double allowed, under;

    port->low = port->high = NAN;
    port->error[RC_REGRESSION_REFERENCE] = error_at(reference, 1);
    allowed = port->error[RC_REGRESSION_REFERENCE] * target->mean;
    under = target->b * target->b - target->a * (target->c - allowed * allowed * target->left);
    port->shows = target->a > 0;
    if (port->shows && under >= 0) {
        port->low = (target->b - sqrt(under)) / target->a;
        port->high = (target->b + sqrt(under)) / target->a;
        port->r_bw = fmax(port->low, fmin(port->high, 1));
    } else if (port->shows) {
        port->r_bw = target->b / target->a;
    }
    port->shows = port->shows && port->r_bw > 0;
    if (!port->shows)
        port->r_bw = 1;
    port->error[RC_REGRESSION_TARGET] = error_at(target, port->r_bw);
}

/* The smallest number of processes above one that both have; 0: none. */
static double common_procs(const struct rc_regression_table *const tables[])
{
    double p = INFINITY;

    for (size_t i = 0; i < tables[1]->n_runs; i++) {
        double here = tables[1]->runs[i].p;
        size_t j = 0;

        if (here <= 1 || here >= p)
            continue;
        while (j < tables[0]->n_runs && tables[0]->runs[j].p != here)
            j++;
        if (j < tables[0]->n_runs)
            p = here;
    }
    return isfinite(p) ? p : 0;
}

static int find_bw(const struct rc_regression_model *model,
                   const struct rc_regression_table *const tables[],
                   struct rc_regression_port *port, struct rc_error *error)
{
    const struct rc_regression_run **runs[RC_REGRESSION_SIDES] = {NULL, NULL};
    double coefficients[RC_REGRESSION_TERMS_MAX];
    int status = 0;

    port->p = common_procs(tables);
    if (port->p == 0)
        return no_runs(error, RC_REGRESSION_TARGET, 2);
    for (int side = 0; side < RC_REGRESSION_SIDES && status == 0; side++) {
        port->two_dedicated[side] =
            count_dedicated(model, tables[side], port->p) > model->members[0].n_terms;
        runs[side] = select_runs(model, tables[side], port->p, port->two_dedicated[side],
                                 &port->two_runs[side], error);
        status = runs[side] ? 0 : -1;
    }
    if (status == 0) {
        struct parabola reference, target;

        train(model, runs[0], port->two_runs[0], coefficients);
        reference = errors_by_scale(model, coefficients, runs[0], port->two_runs[0], 1);
        target = errors_by_scale(model, coefficients, runs[1], port->two_runs[1], port->r_cpu);
        choose_scale(&reference, &target, port);
    }
    free(runs[0]);
    free(runs[1]);
    return status;
}

int rc_regression_port_find(const struct rc_regression_model *model,
                            const struct rc_regression_table *reference,
                            const struct rc_regression_table *target,
                            struct rc_regression_port *port, struct rc_error *error)
{
    const struct rc_regression_table *const tables[] = {reference, target};

    *port = (struct rc_regression_port){0};
    if (find_cpu(model, tables, port, error) != 0 || find_bw(model, tables, port, error) != 0)
        return -1;
    if (port->r_cpu > 0 && isfinite(port->r_cpu) && isfinite(port->r_bw))
        return 0;
    return rc_error_set(error, "this model cannot compare the run times of the two platforms");
}

/* ---- Eq. (3) ---- */

static void scale_member(struct rc_regression_member *member, const struct rc_regression_port *port)
{
    double *row = member->spread;

    for (unsigned i = 0; i < member->n_terms; row += ++i) {
        double scale = member->terms[i].cpu        ? port->r_cpu
                       : member->terms[i].parallel ? port->r_bw
                                                   : 1;

        member->coefficients[i] *= scale;
        for (unsigned j = 0; j <= i; j++)
            row[j] *= scale;
    }
}

static void see_loads(struct rc_regression_model *model, const struct rc_regression_table *target)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < target->n_runs; i++) {
        const struct rc_regression_run *run = &target->runs[i];
        double bw = run->bw[stat_of(model)];

        if (run->id > model->up_to)
            model->up_to = run->id;
        if (run->p <= 1 || !(bw > 0) || !isfinite(bw))
            continue;
        model->bw.low = known ? fmin(model->bw.low, bw) : bw;
        model->bw.high = known ? fmax(model->bw.high, bw) : bw;
        sum += bw;
        known++;
    }
    if (known)
        model->bw_mean = sum / (double)known;
}

/* What was run there is what was seen: beyond it, answers are the less sure. */
static void see_sizes(struct rc_regression_model *model, const struct rc_regression_table *target)
{
    if (target->n_runs == 0)
        return;
    model->n = model->p = (struct rc_range){NAN, NAN};
    for (size_t i = 0; i < target->n_runs; i++) {
        rc_regression_widen(&model->n, target->runs[i].n);
        rc_regression_widen(&model->p, target->runs[i].p);
    }
}

/* Where the target's runs are further off than the model's errors are wide, these get wider. */
static void widen_errors(struct rc_regression_model *model,
                         const struct rc_regression_table *target)
{
    double squares = 0, wider;

    for (size_t i = 0; i < target->n_runs; i++) {
        const struct rc_regression_run *run = &target->runs[i];
        struct rc_regression_question question = question_of(model, run);
        double predicted =
            rc_regression_seconds(model, &question, cpu_of(model, run), bw_of(model, run));
        double off =
            rc_regression_errors_off(run->seconds, predicted) / rc_regression_noise(model, run->p);

        squares += off * off;
    }
    if (!(model->sigma > 0) || target->n_runs == 0)
        return;
    wider = fmax(1, sqrt(squares / (double)target->n_runs) / model->sigma);
    model->sigma *= wider;
    for (size_t i = 0; i < model->n_residuals; i++)
        model->residuals[i] *= wider;
    for (size_t i = 0; i < model->n_members; i++)
        for (size_t j = 0; j < sizeof model->members[i].spread / sizeof(double); j++)
            model->members[i].spread[j] /= wider; /* coefficients are as sure as before */
}

struct rc_regression_model *rc_regression_port_model(const struct rc_regression_model *model,
                                                     const struct rc_regression_table *reference,
                                                     const struct rc_regression_table *target,
                                                     const struct rc_regression_port *port,
                                                     struct rc_error *error)
{
    struct rc_regression_port scales = *port;
    struct rc_regression_model *ported = NULL;

    if (model->criterion == RC_REGRESSION_DEFAULT)
        ported = rc_regression_port_pool(reference, target, port->r_cpu);
    if (ported)
        scales.r_bw = 1; /* communication was fitted to the runs of both */
    else
        ported = rc_regression_model_copy(model, error);
    if (!ported)
        return NULL;
    for (size_t i = 0; i < ported->n_members; i++)
        scale_member(&ported->members[i], &scales);
    ported->ported = true;
    ported->up_to = 0;
    ported->predictions = 0;
    see_loads(ported, target);
    if (model->criterion == RC_REGRESSION_DEFAULT)
        see_sizes(ported, target);
    widen_errors(ported, target);
    return ported;
}
