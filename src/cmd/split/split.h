// SPDX-License-Identifier: GPL-3.0-or-later
/* split.h - the parts of 'runcast split'. */
#ifndef RC_CMD_SPLIT_SPLIT_H
#define RC_CMD_SPLIT_SPLIT_H

#include "advise/split/unit_times.h"
#include "cmd/core/command.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/core/params.h"
#include "platform/hostlist.h"

struct rc_cmd_split_options {
    const char *db, *app, *hosts, *platform_file, *policy, *coupling, *factors, *current;
    const char *plot;
    struct rc_option_list speed, fixed, max_units, done, params, dedicated;
    double size, memory_per_unit, confidence, tuning_factor, high_power;
    double high_variability, window, at;
    int64_t units, samples, seed, per_host;
    bool running, explain, json;
};

enum {
    RC_CMD_SPLIT_HOSTS_MAX = 1024,
    RC_CMD_SPLIT_SAMPLES_MAX = 100000,
    RC_CMD_SPLIT_PER_HOST_MAX = 4096
};

extern const struct rc_cmd_split_options rc_cmd_split_defaults;
extern const struct rc_option rc_cmd_split_option_table[];

/* A question with its answer. */
struct rc_cmd_split {
    const struct rc_cmd_split_options *options;
    enum rc_policy policy;
    struct rc_hostlist list;
    struct rc_platform *platform; /* or NULL */
    struct rc_param params[RC_OPTION_LIST_MAX];
    size_t n_params;
    char names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE]; /* of the parameters */
    bool speeds_lack; /* the platform has those of some hosts only, which have no effect */
    struct rc_split_paces paces; /* its speeds are the command's */
    struct rc_split_host *hosts;
    struct rc_freshness freshness; /* of their samples */
    double *current;               /* or NULL */
    double all_done;               /* share of the work */
    struct rc_split_question question;
    struct rc_split split;
};

/* Reports what is wrong with the options alone, and returns an exit status; in options.c. */
int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options);

/* Reads hosts, their options and the platform: returns an exit status, with the
 * error set but not reported; in question.c. */
int rc_cmd_split_read(struct rc_cmd_split *asked, struct rc_error *error);

/* In notes.c. */
void rc_cmd_split_notes(const struct rc_cmd_split *asked);

/* For people, or as JSON; in show.c.  -1 where memory runs out. */
int rc_cmd_split_show(const struct rc_cmd_split *asked, struct rc_error *error);

/* Draws the shares of the hosts and, if known, the distribution of the run time; in plot.c. */
int rc_cmd_split_plot(const struct rc_cmd_split *asked, const struct rc_monitor *monitor,
                      struct rc_error *error);

#endif
