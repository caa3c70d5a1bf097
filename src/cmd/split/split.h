// SPDX-License-Identifier: GPL-3.0-or-later
/* split.h - the parts of 'runcast split'. */
#ifndef RC_CMD_SPLIT_SPLIT_H
#define RC_CMD_SPLIT_SPLIT_H

#include "advise/split/host_times.h"
#include "advise/split/split.h"
#include "predict/source.h"
#include "predict/predictor.h"
#include "cmd/core/command.h"
#include "cmd/core/notes.h"
#include "cmd/core/params.h"
#include "platform/hostlist.h"

struct rc_cmd_split_options {
    const char *db, *app, *hosts, *platform, *policy, *waits, *factors, *current;
    const char *plot;
    struct rc_option_list speed, fixed, most, done, params, idle_time;
    double size, memory_per_unit, quantile, tuning_factor, high_power;
    double high_variability, window, at;
    int64_t units, draws, seed, per_host;
    bool running, explain, json;
};

enum {
    RC_CMD_SPLIT_HOSTS_MAX = 1024,
    RC_CMD_SPLIT_DRAWS_MAX = 100000,
    RC_CMD_SPLIT_PER_HOST_MAX = 4096
};

/* Where the time of the run on idle hosts comes from. */
enum rc_cmd_idle {
    RC_CMD_IDLE_GIVEN,
    RC_CMD_IDLE_MODEL,
    RC_CMD_IDLE_STRUCTURE, /* a structural model, which also tells how hosts differ */
    RC_CMD_IDLE_UNKNOWN
};

/* Where it is known from how fast hosts are as compared with one another. */
enum rc_cmd_speeds {
    RC_CMD_SPEEDS_ALIKE, /* it is not */
    RC_CMD_SPEEDS_SAID,  /* by the user */
    RC_CMD_SPEEDS_PLATFORM,
    RC_CMD_SPEEDS_RUNS, /* of the program on each host by itself */
    RC_CMD_SPEEDS_MODEL /* a structural one */
};

/* A question with its answer. */
struct rc_cmd_split {
    const struct rc_cmd_split_options *options;
    enum rc_policy policy;
    struct rc_hostlist list;
    struct rc_platform *platform; /* or NULL */
    struct rc_param params[RC_OPTION_LIST_MAX];
    size_t n_params;
    char names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE]; /* of the parameters */
    struct rc_error model_lacks; /* why the structural model is not asked; no text: it is, or
                                      there is none */
    enum rc_cmd_speeds speeds;
    bool speeds_lack;   /* the platform says those of some hosts only, which counts for nothing */
    bool speeds_unused; /* the platform's differ, but the structural model knows better */
    enum rc_weights_from weights_from; /* where the platform's speeds count */
    double given_time;                 /* by --idle-time; NAN: not said */
    double *speed, *done;              /* by host; the speed NAN where not known */
    struct rc_split_host *hosts;
    struct rc_freshness freshness;        /* of their samples */
    double *current;                      /* or NULL */
    double all_done;                      /* share of the work */
    struct rc_predictor *predictor;       /* NULL: it is not asked */
    const struct rc_predict_source *runs; /* its model of the app's runs; NULL: there is none, */
    const char *learnt_from;              /* and the platform of its runs; NULL: any */
    enum rc_cmd_idle idle;
    double idle_time; /* of an even split; NAN: not known */
    char why[512];    /* ... since */
    struct rc_split_question question;
    struct rc_split split;
};

/* Says what is wrong with the options alone, and returns an exit status; in split_check.c. */
int rc_cmd_split_check(const struct rc_invocation *invocation,
                       const struct rc_cmd_split_options *options);

/* What is asked.  Reads hosts and what is said of them: returns an exit status, with the error set
 * but not said (in split_question.c); works out the rest, with the store or NULL (in
 * split_times.c). */
int rc_cmd_split_read(struct rc_cmd_split *asked, struct rc_error *error);
int rc_cmd_split_prepare(struct rc_cmd_split *asked, struct rc_db *store, struct rc_error *error);
void rc_cmd_split_free(struct rc_cmd_split *asked);

/* What a user should know besides; in split_notes.c. */
void rc_cmd_split_notes(const struct rc_cmd_split *asked);

/* For people, or as JSON (in split_json.c); in split_show.c.  -1 where memory runs out. */
int rc_cmd_split_show(const struct rc_cmd_split *asked, struct rc_error *error);
void rc_cmd_split_json(const struct rc_cmd_split *asked);
/* Of the chosen policy: the share of one of the processes of a host, which share its work as evenly
 * as whole units can be. */
double rc_cmd_split_share(const struct rc_cmd_split *asked, size_t host, int64_t process);
/* The interval that is told. */
#define RC_CMD_SPLIT_LOW 0.05
#define RC_CMD_SPLIT_HIGH 0.95

/* Draws the parts of the hosts and, where it is known, when the run ends; in split_plot.c. */
int rc_cmd_split_plot(const struct rc_cmd_split *asked, const struct rc_monitor *monitor,
                      struct rc_error *error);

#endif
