// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.h - the parts of 'runcast predict'. */
#ifndef RC_CMD_PREDICT_H
#define RC_CMD_PREDICT_H

#include "cmd/command.h"
#include "platform/hostlist.h"
#include "predict/parts.h"
#include "predict/predict.h"
#include "predict/source.h"

struct rc_cmd_predict_options {
    const char *db, *app, *platform, *hosts, *quantiles, *criterion, *plot, *csv, *out;
    struct rc_option_list params;
    double size, cpu, bw, at;
    int64_t procs, draws, seed;
    bool parts, learn, no_store, json;
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
    struct rc_predict_parts asked; /* with --parts */
    const struct rc_rg_model *model; /* whose ranges are told: of parts, that of the largest share */
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

/* What 'runcast predict --parts' does else; in predict_parts.c.  Chooses the part of which the
 * ranges are told; shows a table of the parts; the same as JSON. */
void rc_cmd_predict_parts_lead(struct rc_cmd_answer *answer);
int rc_cmd_predict_parts_show(const struct rc_cmd_answer *answer, struct rc_error *error);
json_t *rc_cmd_predict_parts_json(const struct rc_cmd_answer *answer);

/* "solve, process 3" of a part, into `text`; in predict_parts.c. */
enum { RC_CMD_PART_SIZE = 240 };
void rc_cmd_part_name(const struct rc_rg_part *part, char text[RC_CMD_PART_SIZE]);

/* 'runcast predict --csv'; in predict_csv.c. */
int rc_cmd_predict_csv(const struct rc_cmd_predict_options *options,
                       enum rc_rg_criterion criterion);

/* "md on intel", for errors; in predict.c. */
int rc_cmd_predict_fail(const struct rc_error *error, const struct rc_cmd_predict_options *options);

/* Reads "paper" or "default". */
enum rc_rg_criterion rc_cmd_criterion(const char *name);
extern const char *const rc_cmd_criteria[];

#endif
