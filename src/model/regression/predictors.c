// SPDX-License-Identifier: GPL-3.0-or-later
/* predictors.c - what the run time of a model may depend on, and what it does depend on. */
#include "model/regression/predictors.h"

#include <math.h>

enum kind { SIZE, PROCS, CPU, BANDWIDTH, BYTES, PARAMS };

static bool term_has(const struct rc_regression_term *term, unsigned predictor)
{
    switch (predictor) {
    case SIZE:
        return term->size;
    case PROCS:
        return term->procs || term->parallel;
    case CPU:
        return term->cpu;
    case BANDWIDTH:
        return term->width;
    case BYTES:
        return term->bytes;
    default:
        return term->factors[predictor - PARAMS];
    }
}

static double weight_of(const struct rc_regression_model *model, unsigned predictor)
{
    double weight = 0;

    for (size_t i = 0; i < model->n_members; i++) {
        const struct rc_regression_member *member = &model->members[i];
        bool has = false;

        for (unsigned k = 0; k < member->n_terms; k++)
            has |= member->coefficients[k] != 0 && term_has(&member->terms[k], predictor);
        weight += has ? member->weight : 0;
    }
    return fmin(weight, 1);
}

static bool varies(const struct rc_range *range)
{
    return isfinite(range->low) && range->low < range->high;
}

size_t rc_regression_predictors(const struct rc_regression_model *model,
                                struct rc_regression_predictor *predictors)
{
    const struct {
        const char *name;
        bool varies;
    } usual[PARAMS] = {[SIZE] = {"size", varies(&model->n)},
                       [PROCS] = {"procs", varies(&model->p)},
                       [CPU] = {"cpu_availability", varies(&model->cpu)},
                       [BANDWIDTH] = {"bandwidth", varies(&model->bw)},
                       [BYTES] = {"bytes", model->bytes_coefficient > 0}};
    size_t n = 0;

    for (unsigned i = 0; i < PARAMS; i++)
        if (usual[i].varies)
            predictors[n++] = (struct rc_regression_predictor){usual[i].name, weight_of(model, i)};
    for (unsigned i = 0; i < model->n_params; i++)
        predictors[n++] =
            (struct rc_regression_predictor){model->params[i], weight_of(model, PARAMS + i)};
    return n;
}
