// SPDX-License-Identifier: GPL-3.0-or-later
/* weights.c - how fast hosts are as compared with those of a model's runs. */
#include "predict/host_weights.h"

#include "predict/source.h"

void rc_predict_weights_by(const struct rc_regression_speeds *speeds, const char *const *names,
                           size_t n, double *weights, enum rc_weights_from *from)
{
    *from = speeds->from;
    for (size_t i = 0; i < n; i++)
        weights[i] = rc_regression_speeds_weight(speeds, names[i]);
}

int rc_predict_weights_of(struct rc_db *store, const char *app, const char *learnt_from,
                          const struct rc_platform *platform, const char *const *names, size_t n,
                          double *weights, enum rc_weights_from *from, struct rc_error *error)
{
    struct rc_regression_speeds speeds;
    int status = rc_predict_speeds(store, platform, NULL, &speeds, error);

    if (status == 0)
        status = rc_regression_speeds_refer(&speeds, store, app, learnt_from, error);
    if (status == 0)
        rc_predict_weights_by(&speeds, names, n, weights, from);
    rc_regression_speeds_free(&speeds);
    return status;
}
