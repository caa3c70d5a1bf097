// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - the parts of 'runcast predict'. */
#ifndef RC_CMD_PREDICT_H
#define RC_CMD_PREDICT_H

#include "cmd/command.h"
#include "platform/hostlist.h"
#include "predict/predict.h"
#include "predict/source.h"

struct rc_cmd_predict_options {
    const char *db, *app, *platform, *hosts, *quantiles, *criterion, *plot, *csv, *out;
    struct rc_option_list params;
    double size, cpu, bw, at;
    int64_t procs, draws, seed;
    bool learn, no_store, json;
};

enum { RC_CMD_QUANTILES_MAX = 64 };

enum rc_cmd_load {
    RC_CMD_LOAD_GIVEN,
    RC_CMD_LOAD_FORECAST, /* at least in part */
    RC_CMD_LOAD_DEDICATED /* nothing is known */
};

/* A question with its answer. */
struct rc_cmd_answer {
    const struct rc_cmd_predict_options *options;
    enum rc_rg_criterion criterion;
    char *platform;  /* its name; NULL: any */
    struct rc_hostlist hosts;
    char *hosts_text; /* NULL: none are known */
    double start;
    double percents[RC_CMD_QUANTILES_MAX];
    size_t n_percents;
    struct rc_param params[RC_OPTION_LIST_MAX];
    size_t n_params;
    struct rc_predict_source source;
    struct rc_rg_question question;
    struct rc_rg_beyond beyond;
    enum rc_cmd_load load;
    struct rc_outlook *outlook; /* NULL: not looked for */
    struct rc_outlook_facts facts;
    struct rc_predict_summary summary;
    struct rc_value *value;
    uint64_t before, held; /* predictions that have their run, and those that held it */
    int64_t id;            /* in the store; 0: not there */
};

/* For people, or as JSON; in predict_show.c.  -1 where memory runs out. */
int rc_cmd_predict_show(const struct rc_cmd_answer *answer, struct rc_error *error);

/* 'runcast predict --csv'; in predict_csv.c. */
int rc_cmd_predict_csv(const struct rc_cmd_predict_options *options,
                       enum rc_rg_criterion criterion);

/* "md on intel", for errors; in predict.c. */
int rc_cmd_predict_fail(const struct rc_error *error, const struct rc_cmd_predict_options *options);

/* Reads "paper" or "default". */
enum rc_rg_criterion rc_cmd_criterion(const char *name);
extern const char *const rc_cmd_criteria[];

#endif
