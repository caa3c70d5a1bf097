// SPDX-License-Identifier: GPL-3.0-or-later
/* advise.h - the parts of 'runcast advise'. */
#ifndef RC_CMD_ADVISE_ADVISE_H
#define RC_CMD_ADVISE_ADVISE_H

#include "advise/place/advice.h"
#include "cmd/core/command.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/core/params.h"

struct rc_cmd_advise_options {
    const char *db, *app, *platform_file, *hosts, *procs, *objective, *budget, *plot;
    const char *probe, *trace, *skeleton;
    struct rc_option_list params;
    double size, deadline, confidence, risk, memory, at;
    int64_t shortlist, samples, seed;
    bool whole_hosts, no_store, json;
};

/* A question with its answer. */
struct rc_cmd_advise {
    const struct rc_cmd_advise_options *options;
    struct rc_platform *platform;
    struct rc_param params[RC_OPTION_LIST_MAX];
    char param_names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE];
    size_t n_params;
    struct rc_place_advice advice;
};

/* In question.c: reports faults of the options alone, and returns an exit status; reads platform,
 * hosts, processes and parameters, and returns an exit status, with the error. */
int rc_cmd_advise_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_advise_options *options);
int rc_cmd_advise_read(struct rc_cmd_advise *asked, struct rc_error *error);

/* In budget.c: a budget, with its currency, or "", which is compared with the platform's. */
int rc_cmd_advise_read_budget(const char *text, double *budget, const char **currency,
                              struct rc_error *error);
int rc_cmd_advise_check_budget(const struct rc_cmd_advise *asked, const char *currency,
                               struct rc_error *error);

/* In notes.c: notes on an answer, and, where there is none, on the hosts that were considered. */
void rc_cmd_advise_notes(const struct rc_cmd_advise *asked);
void rc_cmd_advise_note_places(const struct rc_cmd_advise *asked);

/* In probe.c.  Reads the trace; runs the skeleton on each set of hosts of the shortlist, and chooses by
 * its times. */
int rc_cmd_advise_trace(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_probe(struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                        struct rc_error *error);

/* In show.c.  For people, or as JSON; -1 where memory runs out. */
int rc_cmd_advise_show(const struct rc_cmd_advise *asked, struct rc_error *error);
/* An error: no candidate is within the limits; with the nearest one. */
int rc_cmd_advise_none(const struct rc_cmd_advise *asked, struct rc_error *error);

/* Time over processes; in plot.c. */
int rc_cmd_advise_plot(const struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                       struct rc_error *error);

#endif
