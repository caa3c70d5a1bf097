// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_fields.h - the fields of an advice: the shortlist, and all candidates. */
#ifndef RC_ANSWER_ADVISE_FIELDS_H
#define RC_ANSWER_ADVISE_FIELDS_H

#include "advise/place/advice.h"
#include "answer/time_limit_fields.h"
#include "report/field.h"

/* A candidate with its names. */
struct rc_answer_advised {
    const char *cluster;
    char *hosts;
    const char **host_names;   /* the same, one by one */
    char cost[RC_ADVISE_COST]; /* for people */
    struct rc_advised advised;
};

/* What is reported.  All that it points to belongs to the caller. */
struct rc_answer_advise {
    struct rc_place_advice advice;
    const char *objective;
    struct rc_answer_time_limit time_limit;
    struct rc_answer_advised *list, *all; /* of its search */
    json_t *notes;
};

/* Of struct rc_answer_advise. */
extern const struct rc_field rc_answer_advise[];

/* The columns of the shortlist, of struct rc_answer_advised: those that are always there, and by
 * their titles "skeleton", "P(late)" and "cost". */
extern const struct rc_field rc_answer_advised[];

/* Why a method is not asked here, by enum rc_method; NULL: it is. */
extern const char *const rc_answer_not_asked[RC_METHODS];

#endif
