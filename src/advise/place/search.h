// SPDX-License-Identifier: GPL-3.0-or-later
/* search.h - searches hosts and numbers of processes: candidates, a shortlist, and the choice.
 *
 *  1. For each number of processes, the hosts with the highest scores now, and an approximate time.
 *  2. Candidates with similar times are ranked again by the forecast shares of their hosts, and
 *     tried on a few scenarios.
 *  3. The shortlist has the best candidates.  Of several with about as many processes, it has the
 *     best one, and of sets of equal hosts, it has one.  In small sets, single hosts are exchanged
 *     as long as that helps.
 *  4. The shortlist is tried on many scenarios, which decide (candidate_rating.h).  Ties go to the
 *     cheaper candidate. */
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
    /* Cluster by cluster, in the order of the cluster.  `score` is the present share of a host, and
     * `usual` its usual one. */
    const struct rc_candidate_host *hosts;
    const double *usual;
    size_t n_hosts;
    const struct rc_search_cluster *clusters;
    size_t n_clusters;
    const int64_t *procs; /* NULL: all numbers of processes that fit */
    size_t n_procs;
    bool further;     /* several sets for each number of processes, also some with lower scores:
                             for a caller that tries them */
    bool as_ranked;   /* no single hosts are exchanged: for a timing that is slow */
    bool apart;       /* candidates do not have common random numbers */
    bool whole_hosts; /* all cores of a host are charged, also idle ones */
    struct rc_aim aim;
    size_t shortlist, samples;
};

/* Start from {0}; free with rc_place_search_free(). */
struct rc_search {
    struct rc_candidates candidates;
    struct rc_advised *all; /* tried on a few scenarios, by rising processes; without samples */
    size_t n_all;
    struct rc_advised *list; /* the shortlist: the choice, the runner-up and so on */
    size_t n_list, n_samples;
    bool none;               /* nothing may be chosen: the first comes nearest */
    char why[RC_ADVISE_WHY]; /* "" where there is no choice */
};
void rc_place_search_free(struct rc_search *search);

/* -1, with a hint where there is one, where nothing fits onto the hosts. */
int rc_place_search_make(const struct rc_search_question *question, const struct rc_timing *timing,
                         struct rc_search *search, struct rc_error *error);

/* Sorts the list again after its members have changed, with the new reason. */
void rc_place_search_conclude(const struct rc_search_question *question, struct rc_search *search);

/* How many processes fit at most: onto the hosts of one cluster, without those that are out. */
int64_t rc_place_search_room(const struct rc_search_question *question);

#endif
