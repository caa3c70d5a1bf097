// SPDX-License-Identifier: GPL-3.0-or-later
/* search.h - where to run a program, and on how many processes: candidates, a short list of them,
 * and the choice.
 *
 *  1. For each number of processes the hosts that look best now, and about how long that takes.
 *  2. Candidates that take about as long are ranked anew, by what their hosts will have to offer
 *     over that time, and are tried on a few scenarios.
 *  3. The best of these make the short list, without those that hardly differ from a better one.
 *     In small sets single hosts are exchanged as long as that helps.
 *  4. The short list is tried on many scenarios, and from that the choice is made
 *     (candidate_rating.h). */
#ifndef RC_ADVISE_PLACE_SEARCH_H
#define RC_ADVISE_PLACE_SEARCH_H

#include "advise/place/candidate_rating.h"
#include "advise/place/timing.h"

enum {
    RC_SEARCH_SHORTLIST = 8,
    RC_SEARCH_SHORTLIST_MAX = 1000,
    RC_SEARCH_SAMPLES = 1000,
    RC_SEARCH_QUICK = 64 /* samples of every candidate, half of that where there are many */
};

struct rc_search_cluster {
    double cost;     /* of a core for an hour; NAN: not known */
    bool contiguous; /* it gives out neighbours only */
    enum rc_candidate_filling filling;
};

struct rc_search_question {
    /* Those of a cluster behind one another in its order.  `score` is their
     * share now, and `usual` that which each has usually. */
    const struct rc_candidate_host *hosts;
    const double *usual;
    size_t n_hosts;
    const struct rc_search_cluster *clusters;
    size_t n_clusters;
    const int64_t *procs; /* NULL: all numbers of processes that fit */
    size_t n_procs;
    bool further;     /* several sets for each number of processes, also some that do not look
                             best: for a caller that tries them out */
    bool as_ranked;   /* no single hosts are exchanged: for a timing that is slow */
    bool apart;       /* samples of different candidates are not with common random numbers */
    bool whole_hosts; /* all cores of a host are paid for, also those that are idle */
    struct rc_aim aim;
    size_t shortlist, samples;
};

/* Start from {0}; free with rc_place_search_free(). */
struct rc_search {
    struct rc_candidates candidates;
    struct rc_advised *all; /* tried on a few scenarios, by rising processes; without samples */
    size_t n_all;
    struct rc_advised *list; /* the short list: the choice, the runner-up and so on */
    size_t n_list, n_samples;
    bool none;               /* nothing may be chosen: the first comes nearest */
    char why[RC_ADVISE_WHY]; /* "" where there is no choice */
};
void rc_place_search_free(struct rc_search *search);

/* -1, with a hint where there is one, where nothing fits onto the hosts. */
int rc_place_search_make(const struct rc_search_question *question, const struct rc_timing *timing,
                         struct rc_search *search, struct rc_error *error);

/* Sorts the list anew, after something else was found out of its members, and says why anew. */
void rc_place_search_conclude(const struct rc_search_question *question, struct rc_search *search);

/* How many processes fit at most: onto the hosts of one cluster, without those that are out. */
int64_t rc_place_search_room(const struct rc_search_question *question);

#endif
