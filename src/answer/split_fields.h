// SPDX-License-Identifier: GPL-3.0-or-later
/* split_fields.h - a division of work: hosts with their shares, and all policies. */
#ifndef RC_ANSWER_SPLIT_FIELDS_H
#define RC_ANSWER_SPLIT_FIELDS_H

#include "advise/split/split.h"
#include "report/field.h"

/* The quantiles of the interval. */
#define RC_ANSWER_SPLIT_LOW 0.05
#define RC_ANSWER_SPLIT_HIGH 0.95

struct rc_answer_split_host {
    const char *host;
    struct rc_split_fact fact, shown; /* NAN in `shown` where the host has no samples */
    double share;
    int64_t units;
    double seconds; /* until it finishes alone; NAN: not known */
};

enum { RC_ANSWER_SPLIT_UNITS = 200 };
struct rc_answer_split_policy {
    const char *policy;
    const struct rc_split_plan *plan;
    size_t n_hosts;
    double factor;
    double predicted; /* the median of the time; NAN: not known, as the next ones */
    double mean;
    double sd, low, high; /* NAN, too, where nothing is known of the spread: the error of the model
                             is unknown, or 0, and so is the variation of the load */
    double fastest;       /* share of the scenarios in which no policy is faster; NAN as `sd` */
    double at_quantile;   /* the quantile of the time at `confidence`; NAN: not asked, or as `sd` */
    char units[RC_ANSWER_SPLIT_UNITS]; /* as far as they fit */
};

struct rc_answer_split {
    const char *app, *speeds_from, *policy, *coupling, *dedicated_from;
    const char *optimal_from; /* that optimal is shrunk to; NULL: it is not */
    double size, start, done, dedicated, confidence;
    const struct rc_param *params;
    size_t n_params;
    int64_t per_host, units;
    double model_error;    /* NAN: not known */
    bool current;          /* there is a division to compare with */
    double moving_saves;   /* seconds, without the cost of moving the data */
    struct rc_split split; /* what it points to is the answer's */
    const struct rc_answer_split_host *hosts;
    size_t n_hosts;
    const struct rc_answer_split_policy *policies; /* those that have an answer */
    size_t n_policies;
    json_t *shares, *notes; /* of each process; of the whole answer */
};

/* Of the struct of the same name. */
extern const struct rc_field rc_answer_split_host[], rc_answer_split_policy[], rc_answer_split[];

/* Of a policy that has an answer. */
struct rc_answer_split_policy rc_answer_split_policy_of(const struct rc_split_question *question,
                                                        const struct rc_split *split,
                                                        enum rc_policy policy);
/* Host number `h` by that policy. */
struct rc_answer_split_host rc_answer_split_host_of(const struct rc_split_question *question,
                                                    const struct rc_split *split,
                                                    enum rc_policy policy, const char *name,
                                                    size_t h);

#endif
