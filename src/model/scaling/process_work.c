// SPDX-License-Identifier: GPL-3.0-or-later
/* process_work.c - how much a process has to do for its block. */
#include "model/scaling/process_work.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/scaling/growth_curves.h"
#include "stats/value/expression.h"

void rc_scaling_work_free(struct rc_scaling_work *work)
{
    rc_value_expression_destroy(work->expression);
    *work = (struct rc_scaling_work){0};
}

int rc_scaling_work_copy(const struct rc_scaling_work *from, struct rc_scaling_work *to,
                         struct rc_error *error)
{
    *to = (struct rc_scaling_work){.kind = from->kind, .exponent = from->exponent};
    if (from->kind != RC_WORK_EXPRESSION)
        return 0;
    to->expression = rc_value_expression_copy(from->expression);
    return to->expression ? 0 : rc_error_no_memory(error);
}

/* ---- expressions ---- */

struct local {
    const struct rc_mesh *block;
    int64_t procs;
};

static const char *const names[] = {"rows", "cols", "layers", "cells", "procs"};
enum { NAMES = sizeof names / sizeof *names };

static double named(const struct local *local, size_t which)
{
    if (which < RC_MESH_DIRECTIONS)
        return (double)local->block->extent[which];
    return which == 3 ? rc_scaling_mesh_cells(local->block) : (double)local->procs;
}

static struct rc_value *value_of(void *data, const char *name, const char *const *indices,
                                 size_t n_indices, struct rc_error *error)
{
    (void)indices;
    for (size_t i = 0; n_indices == 0 && i < NAMES; i++)
        if (strcmp(name, names[i]) == 0)
            return rc_value_point(named(data, i), error);
    rc_error_set(error, "unknown name '%s'", name);
    rc_error_hint(error, "names are rows, cols, layers, cells and procs");
    return NULL;
}

static int evaluate(const struct rc_expression *expression, const struct rc_mesh *block,
                    int64_t procs, double *amount, struct rc_error *error)
{
    struct local local = {block, procs};
    const struct rc_expression_scope scope = {.data = &local, .value = value_of};
    struct rc_value_rules rules;
    struct rc_value *value;
    char text[RC_MESH_TEXT];

    rc_value_rules_init(&rules);
    value = rc_value_expression_evaluate(expression, -1, &rules, &scope, error);
    if (!value)
        return -1;
    *amount = rc_value_mean(value);
    rc_value_drop(value);
    if (*amount > 0 && isfinite(*amount))
        return 0;
    return rc_error_set(error, "work of a block of %s on %lld processes: '%s' is %g",
                        rc_scaling_mesh_text(block, text), (long long)procs,
                        rc_value_expression_text(expression), *amount);
}

int rc_scaling_work_parse(const char *text, struct rc_scaling_work *work, struct rc_error *error)
{
    const struct rc_expression_origin origin = {.file = "work", .line = 1, .column = 1};
    const struct rc_mesh some = {{8, 8, 8}};
    double amount;

    *work = (struct rc_scaling_work){0};
    if (strlen(text) > RC_SCALING_EXPRESSION_MAX)
        return rc_error_set(error, "an expression of work has at most %d bytes",
                            RC_SCALING_EXPRESSION_MAX);
    work->expression = rc_value_expression_parse(text, strlen(text), &origin, error);
    if (!work->expression)
        return -1;
    work->kind = RC_WORK_EXPRESSION;
    work->exponent = 1;
    if (evaluate(work->expression, &some, 8, &amount, error)) {
        rc_scaling_work_free(work);
        return -1;
    }
    return 0;
}

/* ---- a power, fitted ---- */

int rc_scaling_work_fit(const struct rc_scaling_samples *samples, struct rc_scaling_work *work,
                        struct rc_error *error)
{
    double cells[RC_SCALING_GROUPS_MAX], seconds[RC_SCALING_GROUPS_MAX],
        weight[RC_SCALING_GROUPS_MAX];
    size_t n = 0, sizes = 0;

    *work = (struct rc_scaling_work){0};
    for (size_t i = 0; i < samples->n_groups && samples->groups[i].procs == 1; i++, n++) {
        const struct rc_scaling_group *group = &samples->groups[i];

        cells[n] = rc_scaling_mesh_cells(&group->block);
        seconds[n] = group->mean;
        weight[n] = (double)group->n / (group->mean * group->mean);
        sizes += n == 0 || cells[n] < cells[n - 1];
    }
    if (sizes < 3) {
        rc_error_set(
            error,
            "a fitted power of the work needs sequential runs of three sizes; the database "
            "has %zu",
            sizes);
        return rc_error_code(error, "scaling.third-size", NULL);
    }
    work->kind = RC_WORK_POWER;
    work->exponent = rc_scaling_exponent(cells, seconds, weight, n);
    return 0;
}

int rc_scaling_work_of(const struct rc_scaling_work *work, const struct rc_mesh *block,
                       int64_t procs, double *amount, struct rc_error *error)
{
    switch (work->kind) {
    case RC_WORK_CELLS:
        *amount = rc_scaling_mesh_cells(block);
        return 0;
    case RC_WORK_POWER:
        *amount = pow(rc_scaling_mesh_cells(block), work->exponent);
        return isfinite(*amount) ? 0 : rc_error_set(error, "the work of a block is too large");
    case RC_WORK_EXPRESSION:
        break;
    }
    return evaluate(work->expression, block, procs, amount, error);
}
