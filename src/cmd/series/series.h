// SPDX-License-Identifier: GPL-3.0-or-later
/* series.h - shared by the verbs of 'runcast series'. */
#ifndef RC_CMD_SERIES_SERIES_H
#define RC_CMD_SERIES_SERIES_H

#include <stddef.h>

#include "cmd/core/command.h"
#include "stats/series/description.h"

/* Of all verbs; each has some of them. */
struct rc_cmd_series_options {
    const char *host, *link, *metric, *column, *plot, *db;
    double since, until, time_origin;
    int64_t bins;
    bool replace, skip_bad, csv, yes, json;
};

#define RC_OPTION_SERIES(name_, kind_, member)                                                     \
    .name = name_, .kind = RC_OPTION_##kind_,                                                      \
    .offset = offsetof(struct rc_cmd_series_options, member)

#define RC_OPTIONS_SERIES                                                                          \
    {RC_OPTION_SERIES("host", TEXT, host), .argument = "HOST", .help = "host"},                    \
        {RC_OPTION_SERIES("link", TEXT, link), .argument = "FROM:TO",                              \
         .help = "link between two hosts, instead of --host"},                                     \
    {                                                                                              \
        RC_OPTION_SERIES("metric", TEXT, metric),                                                  \
            .argument = "METRIC",                                                                  \
            .help = "measured quantity: cpu, memory, bandwidth, or another name"                   \
    }

#define RC_OPTIONS_SERIES_WINDOW                                                                   \
    {RC_OPTION_SERIES("since", SINCE, since), .argument = "TIME",                                  \
     .help = "only entries from TIME on (2026-11-15T09:30 in UTC, or 2h: two hours ago)"},         \
    {                                                                                              \
        RC_OPTION_SERIES("until", SINCE, until), .argument = "TIME",                               \
                                                 .help = "only entries up to TIME"                 \
    }

#define RC_OPTIONS_SERIES_END                                                                      \
    RC_OPTION_JSON(struct rc_cmd_series_options), RC_OPTION_DB(struct rc_cmd_series_options),      \
        RC_OPTIONS_END

enum { RC_CMD_LINK_MAX = 600 };

/* The series of --host, --link and --metric; an exit status.  Splits FROM:TO, or FROM>TO, into
 * `text`; `key` points into it. */
int rc_cmd_series_key(const struct rc_invocation *invocation, bool required,
                      struct rc_series_key *key, char text[RC_CMD_LINK_MAX]);

extern const struct rc_command rc_command_series_describe;

/* Draws the histogram with `bins` bins and the time line, both coloured by
 * mode.  `name` is that of the series. */
int rc_cmd_series_plot(const char *path, const char *name, const char *metric,
                       const struct rc_sample *samples, size_t n, size_t bins,
                       const struct rc_series_modes *modes, const struct rc_monitor *monitor,
                       struct rc_error *error);

#endif
