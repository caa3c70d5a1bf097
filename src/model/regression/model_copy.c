// SPDX-License-Identifier: GPL-3.0-or-later
/* model_copy.c - a copy of a model. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/model.h"

static int copy_parts(struct rc_regression_model *copy, const struct rc_regression_model *model)
{
    copy->members = calloc(model->n_members, sizeof *copy->members);
    if (!copy->members)
        return -1;
    memcpy(copy->members, model->members, model->n_members * sizeof *copy->members);
    for (; copy->n_params < model->n_params; copy->n_params++) {
        copy->params[copy->n_params] = strdup(model->params[copy->n_params]);
        if (!copy->params[copy->n_params])
            return -1;
    }
    return 0;
}

struct rc_regression_model *rc_regression_model_copy(const struct rc_regression_model *model,
                                                     struct rc_error *error)
{
    struct rc_regression_model *copy = malloc(sizeof *copy);

    if (copy) {
        *copy = *model;
        copy->n_params = 0;
        copy->members = NULL;
        if (copy_parts(copy, model) == 0)
            return copy;
    }
    rc_regression_model_destroy(copy);
    rc_error_no_memory(error);
    return NULL;
}
