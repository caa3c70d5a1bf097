// SPDX-License-Identifier: GPL-3.0-or-later
/* declared_competitor.h - a program that competes with the predicted one on a host. */
#ifndef RC_HOST_OBSERVE_DECLARED_COMPETITOR_H
#define RC_HOST_OBSERVE_DECLARED_COMPETITOR_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

enum { RC_COMPETITOR_NAME = 40, RC_COMPETITORS_MAX = 1 << 20 };

/* A share of the time, in [0, 1]: a range, with equal ends if the share is known. */
struct rc_share {
    double low, high;
};

struct rc_competitor {
    char name[RC_COMPETITOR_NAME]; /* for people; may be "" */
    struct rc_share compute;       /* of its time on an idle host */
    struct rc_share communicate;   /* the same; their sum is at most 1 */
    double weight;                 /* of its turns on a core; the program has 1 */
    double cycle;      /* seconds from one phase of computing to the next, alone; 0: not known, and
                      taken to be short against the run */
    double memory;     /* the part of its computing that waits for memory, in [0, 1] */
    double stay, away; /* seconds, on average, that it is there and that it is gone after that;
                          INFINITY as `stay`: it does not leave; 0 as `away`: it does not come
                          back */
    bool steady;  /* the shares are of the time that passes, however slow it is; otherwise it has
                      so much to do in a cycle, which takes longer when it is slowed down */
    bool unknown; /* its activity is not declared: the shares are a guess */
};

/* One that computes all the time, in equal turns, and does not leave. */
#define RC_COMPETITOR_INIT                                                                         \
    {                                                                                              \
        .compute = {1, 1}, .weight = 1, .stay = INFINITY                                           \
    }

/* Reads "COMPUTE:COMMUNICATE", "COMPUTE", or "?" for an unknown competitor; each a share such as
 * 0.55, 55% or 0.4..0.6; and after commas any of name=TEXT, weight=W, nice=N, cycle=TIME,
 * memory-bound=SHARE, stay=TIME, away=TIME, steady, count=N (which goes to *count). */
int rc_observe_competitor_parse(const char *text, struct rc_competitor *competitor, size_t *count,
                                struct rc_error *error);

/* -1 for invalid members. */
int rc_observe_competitor_check(const struct rc_competitor *competitor, struct rc_error *error);

/* The weight that the kernel gives to a nice value, as compared with that of nice 0. */
double rc_observe_competitor_nice_weight(int nice);

enum rc_competitor_trait {
    RC_COMPETITOR_COMPUTES,
    RC_COMPETITOR_COMMUNICATES,
    RC_COMPETITOR_USES_MEMORY,
    RC_COMPETITOR_UNKNOWN,
    RC_COMPETITOR_LEAVES,        /* some time */
    RC_COMPETITOR_CYCLES,        /* its cycle is known */
    RC_COMPETITOR_CYCLES_IN_VAIN /* likewise, but it does the same all the time */
};
/* How many of them are such. */
size_t rc_observe_competitors_count(const struct rc_competitor *competitors, size_t n,
                                    enum rc_competitor_trait trait);

/* The middle of a share, and whether both ends are equal. */
double rc_observe_share_mean(struct rc_share share);
bool rc_observe_share_known(struct rc_share share);

/* ---- unknown competitors ---- */

/* The past load of a host: the share of a core that each of several new processes would have got,
 * relative to their share on an idle host. */
struct rc_usual_load {
    double mean, sd; /* of that; mean in (0, 1] */
    size_t samples;  /* 0: unknown load */
    int processes;   /* 0: one; then `mean` is the CPU availability */
};

/* A host where a new process gets more than this of a core counts as idle: with several cores,
 * others may use all but one of them, or none. */
#define RC_USUAL_LOAD_IDLE 0.98

/* Fills in the shares of those of competitors[0 .. n) that are `unknown`, on a host with so many
 * cores: in equal parts, the host's usual load less that of the known ones, plus or minus the
 * variation of the usual load.  Where the usual load is not known, anything between 0 and 1.
 * Returns how many were filled in. */
size_t rc_observe_competitors_fill(struct rc_competitor *competitors, size_t n, int cores,
                                   const struct rc_usual_load *usual);

/* How many more processes that compute all the time would make the host as busy as its usual load:
 * above 0 where neither the known ones nor any shares of the unknown ones can. */
double rc_observe_competitors_missing(const struct rc_competitor *competitors, size_t n, int cores,
                                      const struct rc_usual_load *usual);

/* The share of a coupled program's computing on each of its hosts: those that are faster, or have
 * less to do, wait for the others (the 1.33 of Table 15 of the paper).  work[i] is its part of the
 * work on host i, weights[i] the speed of that host. */
void rc_observe_competitor_couple(const double *work, const double *weights, size_t n,
                                  double *shares);

#endif
