// SPDX-License-Identifier: GPL-3.0-or-later
/* method.c - the table of methods. */
#include <string.h>

#include "predict/predictor_internal.h"

const struct rc_method_ops *const rc_methods[RC_METHODS] = {
    [RC_METHOD_REGRESSION] = &rc_method_regression, [RC_METHOD_STRUCTURAL] = &rc_method_structural,
    [RC_METHOD_SCALING] = &rc_method_scaling,       [RC_METHOD_SKELETON] = &rc_method_skeleton,
    [RC_METHOD_SLOWDOWN] = &rc_method_slowdown,     [RC_METHOD_HISTORY] = &rc_method_history,
};

const char *rc_predict_method_name(enum rc_method method)
{
    return rc_methods[method]->name;
}

int rc_predict_method_find(const char *name)
{
    for (int m = 0; m < RC_METHODS; m++)
        if (strcmp(rc_methods[m]->name, name) == 0)
            return m;
    return -1;
}

const char *rc_predict_stored_as(int method, const struct rc_predict_options *options)
{
    const struct rc_method_ops *ops;

    if (method == RC_METHODS)
        return RC_COMBINED_STORED;
    ops = rc_methods[method];
    return ops->stored_as ? ops->stored_as(options) : ops->name;
}
