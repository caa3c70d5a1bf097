// SPDX-License-Identifier: GPL-3.0-or-later
/* metric_units.c - the units of the metrics that runcast itself measures. */
#include "cmd/core/metric_units.h"

#include <math.h>
#include <stdbool.h>
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

double rc_cmd_metric_scale(const char *metric, double largest, char unit[RC_CMD_SCALE_UNIT])
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"},
                             *const binary[] = {"", "Ki", "Mi", "Gi", "Ti"},
                             *const small[] = {"", "m", "u", "n"};
    const struct metric *found = find_metric(metric);
    bool bytes = found && found->dimension == RC_BYTES,
         time = found && !bytes && found->dimension == RC_SECONDS;
    double step = bytes ? 1024 : 1000, factor = found && !bytes && !time ? 8 : 1;
    size_t k = 0;

    unit[0] = '\0';
    if (!found)
        return 1;
    if (time) {
        for (; k < 3 && largest * factor < 1; k++)
            factor *= step;
        snprintf(unit, RC_CMD_SCALE_UNIT, "%ss", small[k]);
        return factor;
    }
    for (; k < 4 && largest * factor >= step; k++)
        factor /= step;
    snprintf(unit, RC_CMD_SCALE_UNIT, "%s%s", (bytes ? binary : prefixes)[k],
             bytes ? "B" : "bit/s");
    return factor;
}
