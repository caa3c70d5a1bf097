// SPDX-License-Identifier: GPL-3.0-or-later
/* keep.c - samples of hosts into the store. */
#include "sense/keep.h"

#include <math.h>

#include "store/series.h"

static bool any_known(size_t metric, const struct rc_sense_sample *samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isnan(rc_sense_value(&samples[i], metric)))
            return true;
    return false;
}

static int keep_metric(struct rc_store *store, const char *host, size_t metric,
                       const struct rc_sense_sample *samples, size_t n, struct rc_error *error)
{
    const struct rc_series_key key = {host, "", rc_sense_metrics[metric].name};
    struct rc_series_writer writer;
    int status = rc_series_writer_begin(&writer, store, &key, true, error);

    for (size_t i = 0; i < n && status == 0; i++) {
        struct rc_sample sample = {samples[i].time, rc_sense_value(&samples[i], metric)};

        if (!isnan(sample.value))
            status = rc_series_writer_add(&writer, &sample, error);
    }
    return rc_series_writer_end(&writer, status, error);
}

int rc_sense_keep(struct rc_store *store, const char *host, const struct rc_sense_sample *samples,
                  size_t n, struct rc_error *error)
{
    int status = 0;

    if (rc_store_begin(store, error))
        return -1;
    for (size_t m = 0; m < RC_SENSE_METRICS && status == 0; m++)
        status = !any_known(m, samples, n) ? 0 : keep_metric(store, host, m, samples, n, error);
    return rc_store_end(store, status, error);
}
