// SPDX-License-Identifier: GPL-3.0-or-later
/* advise.h - the parts of 'runcast advise'. */
#ifndef RC_CMD_ADVISE_ADVISE_H
#define RC_CMD_ADVISE_ADVISE_H

#include <jansson.h>

#include "advise/place/predict_list.h"
#include "advise/place/search.h"
#include "advise/place/timing_predictor.h"
#include "advise/place/timing_regress.h"
#include "advise/place/walltime.h"
#include "cmd/core/command.h"
#include "cmd/core/notes.h"
#include "cmd/core/params.h"
#include "platform/hostlist.h"
#include "predict/source.h"

struct rc_cmd_advise_options {
    const char *db, *app, *platform, *hosts, *procs, *objective, *budget, *plot;
    const char *probe, *recording, *skeleton;
    struct rc_option_list params;
    double size, deadline, confidence, walltime_risk, memory, at;
    int64_t shortlist, draws, seed;
    bool whole_hosts, no_store, json;
};

enum { RC_CMD_ADVISE_HOSTS_MAX = 8192 };

/* What a probe of one set came to. */
struct rc_cmd_probed {
    double seconds; /* of the skeleton, on average; NAN: it was not run */
};

/* A question with its answer. */
struct rc_cmd_advise {
    const struct rc_cmd_advise_options *options;
    struct rc_platform *platform;
    double at;
    /* hosts, by number */
    size_t n_hosts;
    const char **names; /* of the platform */
    struct rc_candidate_host *hosts;
    double *usual, *weights;
    enum rc_weights_from weights_from;
    struct rc_freshness freshness; /* of their samples */
    size_t n_unknown;              /* without samples, which are left out */
    const char *unknown;
    struct rc_search_cluster *clusters;
    int64_t *procs;
    size_t n_procs;
    struct rc_param params[RC_OPTION_LIST_MAX];
    char param_names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE];
    size_t n_params;
    double budget;         /* NAN: none */
    const char *budget_in; /* the currency that was said with it; "": none */
    /* what answers */
    struct rc_question template; /* of all candidates: but for processes and hosts */
    struct rc_predictor *predictor;
    const struct rc_predict_source *runs; /* the model of the app's runs; NULL: there is none */
    const struct rc_regression_model
        *model;                        /* by which candidates are ranked: of the runs, or ... */
    struct rc_regression_model *plain; /* ... one that only knows the load; NULL: it is not */
    const char *learnt_from;           /* the platform of the runs; NULL: any */
    bool by_model;                     /* there are no runs: other models tell all times */
    bool by_recording; /* there are no runs: the recording's time stands for a model */
    double original;   /* of the recording; NAN: there is none */
    int64_t ranks;
    struct rc_host_forecast_many *forecast;
    struct rc_timing *ranking;     /* what hosts will have to offer, */
    struct rc_timing *timing;      /* and how long runs take: the same, unless by_model */
    struct rc_place_asking asking; /* who is asked about candidates */
    struct rc_search_question question;
    struct rc_search search;
    struct rc_predict_answer answer; /* for the choice; answered 0: a skeleton was run instead */
    struct rc_cmd_probed *probed;    /* by place in the list; NULL: nothing was probed */
    struct rc_walltime walltime;     /* of the choice */
    int64_t id;                      /* of the prediction that was kept; 0: none */
};
void rc_cmd_advise_free(struct rc_cmd_advise *asked);

/* What is asked; in advise_question.c.  Says what is wrong with the options alone, and returns an
 * exit status; reads platform, hosts, processes and parameters; works out the rest from the
 * store. */
int rc_cmd_advise_check(const struct rc_invocation *invocation,
                        const struct rc_cmd_advise_options *options);
int rc_cmd_advise_read(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_prepare(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error);

/* Options that are lists or money; in advise_options.c.  The last one compares the currency with
 * that of the platform. */
int rc_cmd_advise_read_procs(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_read_budget(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_check_budget(const struct rc_cmd_advise *asked, struct rc_error *error);

/* The platform, and those of its hosts that are named (none: all) and have room; `named` is sorted.
 * In advise_hosts.c. */
int rc_cmd_advise_load(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_take_hosts(struct rc_cmd_advise *asked, struct rc_hostlist *named,
                             struct rc_error *error);

/* What the user should know besides the answer, to standard error; in advise_notes.c.  The second
 * one is where there is no answer: of which places it was looked for. */
void rc_cmd_advise_notes(const struct rc_cmd_advise *asked);
void rc_cmd_advise_note_places(const struct rc_cmd_advise *asked);

/* Runs the skeleton on each set of the short list, and chooses by that; in advise_probe.c.  The
 * first one reads the recording before anything is asked. */
int rc_cmd_advise_recording(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_probe(struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                        struct rc_error *error);

/* The predictor for all candidates; what it answers for the short list, by which the choice is made
 * then; what it answered for the choice goes to the database.  In methods.c. */
int rc_cmd_advise_open(struct rc_cmd_advise *asked, struct rc_db *db, struct rc_error *error);
int rc_cmd_advise_predict(struct rc_cmd_advise *asked, struct rc_error *error);
int rc_cmd_advise_store(struct rc_cmd_advise *asked, struct rc_db *db, struct rc_error *error);
/* For a program without runs: the predictor has all times. */
int rc_cmd_advise_ask_models(struct rc_cmd_advise *asked, struct rc_error *error);
/* What each method answered for the choice, and which are not asked. */
void rc_cmd_advise_methods_line(const struct rc_cmd_advise *asked);
json_t *rc_cmd_advise_methods_json(const struct rc_cmd_advise *asked);
json_t *rc_cmd_advise_not_asked_json(const struct rc_cmd_advise *asked);

/* For people, or as JSON; in advise_show.c.  -1 where memory runs out. */
int rc_cmd_advise_show(const struct rc_cmd_advise *asked, struct rc_error *error);
/* Why nothing can be chosen, and what comes nearest, as an error. */
int rc_cmd_advise_none(const struct rc_cmd_advise *asked, struct rc_error *error);
/* The hosts of a candidate as one text, in the order of their clusters, to be freed. */
char *rc_cmd_advise_hosts(const struct rc_cmd_advise *asked, const struct rc_candidate *candidate,
                          struct rc_error *error);

/* Time over processes; in advise_plot.c. */
int rc_cmd_advise_plot(const struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                       struct rc_error *error);

#endif
