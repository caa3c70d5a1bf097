// SPDX-License-Identifier: GPL-3.0-or-later
/* metric_units.h - the units of the metrics that runcast itself measures. */
#ifndef RC_CMD_CORE_METRIC_UNITS_H
#define RC_CMD_CORE_METRIC_UNITS_H

#include "base/unit.h"

/* The unit of a metric, such as "bytes/s"; NULL: it has none, or is another's. */
const char *rc_cmd_metric_unit(const char *metric);

/* A value of a metric with its unit, or with four digits where it has none; "-" for NAN. */
void rc_cmd_metric_format(const char *metric, double value, char text[RC_UNIT_SIZE]);

/* The scale on which values of a metric up to `largest` are drawn: a value times the factor is in
 * `unit`, such as "Mbit/s"; 1 and "" where the metric has no unit. */
enum { RC_CMD_SCALE_UNIT = 16 };
double rc_cmd_metric_scale(const char *metric, double largest, char unit[RC_CMD_SCALE_UNIT]);

#endif
