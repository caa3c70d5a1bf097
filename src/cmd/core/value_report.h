// SPDX-License-Identifier: GPL-3.0-or-later
/* value_report.h - a value that was computed, as a table, as JSON and as a plot. */
#ifndef RC_CMD_CORE_VALUE_REPORT_H
#define RC_CMD_CORE_VALUE_REPORT_H

#include <jansson.h>

#include "cmd/core/command.h"
#include "report/field.h"
#include "stats/value/value.h"

/* What is known of a value: kind, mean, standard deviation, ends, the interval that holds it with
 * probability `level`, and some quantiles.  A new reference. */
json_t *rc_cmd_report_json(const struct rc_value *value, const struct rc_value_rules *rules,
                           double level);

/* The same of a time in seconds, with units in the keys. */
json_t *rc_cmd_report_time_json(const struct rc_value *value, const struct rc_value_rules *rules,
                                double level);

/* The same, for people, on standard output.  -1 where memory runs out. */
int rc_cmd_report_table(const struct rc_value *value, const struct rc_value_rules *rules,
                        double level, struct rc_error *error);

/* Draws its density and its cdf into the file `path`, with the median and the interval; `what` says
 * what it is a value of.  In value_plot.c. */
int rc_cmd_report_plot(const char *path, const char *title, const char *what,
                       const struct rc_value *value, double level, const struct rc_monitor *monitor,
                       struct rc_error *error);

#endif
