// SPDX-License-Identifier: GPL-3.0-or-later
/* metric_units.c - the units of the metrics that runcast itself measures. */
#include "cmd/core/metric_units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const struct metric {
    const char *name, *unit;
    enum rc_dimension dimension;
} metrics[] = {
    {"memory", "bytes", RC_BYTES}, {"bandwidth", "bytes/s", RC_RATE},  {"in", "bytes/s", RC_RATE},
    {"out", "bytes/s", RC_RATE},   {"latency", "seconds", RC_SECONDS},
};

static const struct metric *find_metric(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

const char *rc_cmd_metric_unit(const char *metric)
{
    const struct metric *found = find_metric(metric);

    return found ? found->unit : NULL;
}

void rc_cmd_metric_format(const char *metric, double value, char text[RC_UNIT_SIZE])
{
    const struct metric *found = find_metric(metric);
    char number[RC_NUMBER_SIZE];

    if (found || isnan(value)) {
        rc_unit_format(value, found ? found->dimension : RC_COUNT, text);
        return;
    }
    rc_number_format_short(value, 4, number);
    snprintf(text, RC_UNIT_SIZE, "%s", number);
}
