// SPDX-License-Identifier: GPL-3.0-or-later
/* speed_sources.c - how fast hosts are, and where that is known from. */
#include <math.h>

#include "base/error.h"
#include "predict/regression_source.h"
#include "model/slowdown/calibration.h"

/* Weights that were measured are never quite the same; hosts that differ by less are alike. */
static const double measured_alike = 1.05;

static int read_file(const struct rc_platform *file, struct rc_regression_speeds *speeds,
                     struct rc_error *error)
{
    bool any = false;

    for (size_t c = 0; c < file->n_clusters; c++)
        for (size_t i = 0; i < file->clusters[c].n_hosts; i++) {
            const struct rc_host *host = &file->clusters[c].hosts[i];

            any = any || !isnan(host->speed);
            if (rc_regression_speeds_add(speeds, host->name, host->speed, error))
                return -1;
        }
    rc_regression_speeds_close(speeds);
    speeds->firm = any;
    return 0;
}

static int read_measured(const struct rc_calibration *calibration,
                         struct rc_regression_speeds *speeds, struct rc_error *error)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < calibration->n_hosts; i++) {
        double weight = calibration->hosts[i].weight;

        if (!(weight > 0))
            continue;
        least = fmin(least, weight);
        most = fmax(most, weight);
    }
    for (size_t i = 0; i < calibration->n_hosts && most > measured_alike * least; i++)
        if (calibration->hosts[i].weight > 0 &&
            rc_regression_speeds_add(speeds, calibration->hosts[i].name,
                                     calibration->hosts[i].weight, error))
            return -1;
    rc_regression_speeds_close(speeds);
    return 0;
}

int rc_predict_speeds(struct rc_db *store, const struct rc_platform *file, const char *platform,
                      struct rc_regression_speeds *speeds, struct rc_error *error)
{
    struct rc_calibration calibration = {0};
    int found = 0;

    *speeds = (struct rc_regression_speeds){0};
    if (file && read_file(file, speeds, error))
        return -1;
    platform = file ? file->name : platform;
    if (!speeds->firm && platform)
        found = rc_slowdown_calibration_find(store, platform, &calibration, error);
    if (found > 0 && read_measured(&calibration, speeds, error))
        found = -1;
    rc_slowdown_calibration_free(&calibration);
    if (found < 0)
        rc_regression_speeds_free(speeds);
    return found < 0 ? -1 : 0;
}

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
