// SPDX-License-Identifier: GPL-3.0-or-later
/* candidates.h - candidates: sets of hosts with numbers of processes.
 *
 * There are too many subsets of hosts to try all.  Hosts of a cluster are ranked by a score, their
 * speed times their availability, and the candidates are the beginnings of the ranking.  In a
 * cluster that allocates neighbours only, they are windows of its order instead: of each length
 * those with the best slowest host.  A ranking cannot show which hosts are loaded at the same time;
 * exchanging single hosts of a set (rc_place_candidates_add_swaps()) and trying runs on them can.
 */
#ifndef RC_ADVISE_PLACE_CANDIDATES_H
#define RC_ADVISE_PLACE_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_candidate_host {
    size_t cluster, place; /* which of the platform's, and where in its order */
    int slots;             /* processes that it takes */
    int cores;
    double score; /* the more the better */
    bool out;     /* it is not to be used */
};

/* Hosts are numbers, places in an array of struct rc_candidate_host. */
struct rc_candidate {
    size_t cluster;
    int64_t procs;
    const size_t *hosts; /* belong to the candidates */
    size_t n_hosts;
    double seconds; /* how long the run takes, about; for the caller to fill in */
};

/* Start from {0}; free with rc_place_candidates_free(). */
struct rc_candidates {
    struct rc_candidate *items;
    size_t n, room;
    size_t **orders; /* what the items' hosts point into */
    size_t n_orders, orders_room;
};
void rc_place_candidates_free(struct rc_candidates *candidates);

/* How processes go onto the hosts of a set, in its order. */
enum rc_candidate_filling {
    RC_FILL_PACKED, /* a host is filled before the next one gets a process */
    RC_FILL_SPREAD  /* as many hosts as there are processes */
};

/* How many of the first of these hosts so many processes take; 0: they do not fit. */
size_t rc_place_candidates_hosts_for(const struct rc_candidate_host *hosts, const size_t *order,
                                     size_t n, int64_t procs, enum rc_candidate_filling filling);

/* The default numbers of processes, up to `most`: all of them or, of more than 1024, powers of two
 * and multiples of `slots`, thinned out if these are too many as well, and `most`.  To be freed by
 * the caller; NULL where memory runs out. */
int64_t *rc_place_candidates_counts(int64_t most, int slots, size_t *n, struct rc_error *error);

/* `members` by falling score, equal ones by rising number, into `order`, which may be the same
 * array. The scores are those of the hosts, or `scores` by number of the host, unless that is NULL.
 */
int rc_place_candidates_rank(const struct rc_candidate_host *hosts, const double *scores,
                             const size_t *members, size_t n, size_t *order,
                             struct rc_error *error);

/* The numbers of processes. */
struct rc_candidate_counts {
    const int64_t *procs; /* those that do not fit are ignored */
    size_t n;
    enum rc_candidate_filling filling;
};

/* Adds for each number of processes at most `each` windows of neighbours of one cluster, which are
 * in its order: those whose least score is highest, of equal ones those with the higher mean. */
int rc_place_candidates_add_windows(struct rc_candidates *candidates,
                                    const struct rc_candidate_host *hosts, const size_t *members,
                                    size_t n, const struct rc_candidate_counts *counts, size_t each,
                                    struct rc_error *error);

/* Sorts hosts of one cluster by falling score, and adds the beginning of that order for each number
 * of processes; then, up to `each` sets in all for a number, those that begin further down, by half
 * of their hosts at a time: for a caller that runs something on them. */
int rc_place_candidates_add_further(struct rc_candidates *candidates,
                                    const struct rc_candidate_host *hosts, const size_t *members,
                                    size_t n, const struct rc_candidate_counts *counts, size_t each,
                                    struct rc_error *error);

/* Adds the sets that differ from `base` in one host: of the `reach` hosts of it that have the least
 * score, each exchanged for each of the `reach` best of `members` that it has not, where as many
 * processes fit.  `base` may be one of the items. */
int rc_place_candidates_add_swaps(struct rc_candidates *candidates,
                                  const struct rc_candidate_host *hosts,
                                  const struct rc_candidate *base, const size_t *members, size_t n,
                                  enum rc_candidate_filling filling, size_t reach,
                                  struct rc_error *error);

#endif
