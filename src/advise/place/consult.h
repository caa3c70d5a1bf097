// SPDX-License-Identifier: GPL-3.0-or-later
/* consult.h - what all families of models say of a short list, in place of what regression says.
 *
 * A search looks at many candidates, which only regression can tell fast enough.  The few that are
 * left go through the one door (predict/door.h): structural models, scaling and slowdown factors
 * are asked besides, and what regression said of a candidate is one answer among theirs.  Luck stays
 * what it was: the draw that was the k-th of a candidate's own is the k-th of the joint answer. */
#ifndef RC_ADVISE_PLACE_CONSULT_H
#define RC_ADVISE_PLACE_CONSULT_H

#include "advise/place/search.h"
#include "predict/door.h"

/* All that it points to must outlive the calls. */
struct rc_consulting {
    struct rc_door *door;     /* with as many draws as the search */
    const char *const *names; /* of the hosts of the search */
    double n;                 /* the problem size */
    const struct rc_param *params;
    size_t n_params;
    double start;
    uint64_t seed;
};

/* Whether anybody but regression has something to answer from. */
bool rc_place_consult_worth(const struct rc_door *door);

/* Puts the joint answers in place of what the list has, sorts it anew, and says why anew.  A
 * candidate of which some draws do not end stays as it is.  `choice` becomes what is said of the
 * first of the list then, where all its draws end; its draws are good until the next question. */
int rc_place_consult(const struct rc_consulting *consulting,
                     const struct rc_search_question *question, struct rc_search *search,
                     struct rc_door_answer *choice, struct rc_error *error);

/* The question that the last answer was for, to keep it by; hosts are `names`, which has room for
 * all of the candidate. */
void rc_place_consult_question(const struct rc_consulting *consulting,
                               const struct rc_candidate *candidate, const char **names,
                               struct rc_door_question *question);

#endif
