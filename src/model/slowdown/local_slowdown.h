// SPDX-License-Identifier: GPL-3.0-or-later
/* local_slowdown.h - local slowdown: slowdown of computing on a shared host.
 *
 * Two models, both from the same probabilities (activity_counts.h):
 *
 * paper  Eq. 2 of Figueira and Berman: 1 + sum of pp_i * i + sum of pm_i * delay_i.  It assumes
 *        that competitors compute and communicate as often as on an idle host.
 *
 * queue  Competitors have work to do, and are slowed down, too: while two compute at once, both
 *        take longer.  The cores are a shared server, and processes that do not compute are
 *        delayed elsewhere.  The probabilities of such a network are known exactly (local_queue.c).
 *        With one competitor it is Eq. 2; with two that compute half of the time, it gives 2.2
 *        rather than 2.
 *
 * Steady competitors (declared_competitor.h) have their shares at any speed.  The paper has none
 * of them; in the queueing model, one with a share of a half gives 1.33.
 *
 * With several cores, there is contention only if processes want more cores than there are.  The
 * slowdown is relative to a run with as many processes on the idle host. */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_SLOWDOWN_H
#define RC_MODEL_SLOWDOWN_LOCAL_SLOWDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/slowdown/activity_counts.h"
#include "host/observe/declared_competitor.h"
#include "model/slowdown/communication_delay.h"

enum rc_local_model { RC_LOCAL_PAPER, RC_LOCAL_QUEUE, RC_LOCAL_MODELS };

extern const char *const rc_slowdown_local_models[]; /* names, then NULL */
/* The model of that name, which must exist, or RC_LOCAL_PAPER for NULL. */
enum rc_local_model rc_slowdown_local_model_of(const char *name);

enum { RC_MEMORY_OTHERS_MAX = 1024 };

/* Slowdown of a program that only uses memory by i others on other cores: slowdown[i - 1], and
 * the last one for more.  n 0: none. */
struct rc_memory_curve {
    double slowdown[RC_MEMORY_OTHERS_MAX];
    size_t n;
};

/* A host, and the program's processes on it. */
struct rc_local_host {
    int cores;     /* >= 1 */
    int processes; /* of the program, >= 1; each wants a core all the time */
    const struct rc_competitor *competitors; /* with the means of their shares */
    size_t n_competitors;
    const struct rc_delay *delay; /* NULL: no delay by communicating */
    double bandwidth;             /* of competitors; NAN if `delay` is a constant */
    bool shared_link; /* competitors share one link, which one of them can saturate (at most
                         RC_ACTIVITY_PAIRS_MAX; queueing model) */
    double memory;    /* share of the program's computing that waits for memory */
    const struct rc_memory_curve *memory_curve; /* or NULL */
};

/* The terms of the equation.  Start from {0}; free with rc_slowdown_local_free(). */
struct rc_local {
    struct rc_activity computing, communicating; /* pp and pm */
    double *delays;                              /* delays[i], i from 0 to communicating.n */
    double by_computing;                         /* increase by computing competitors */
    double by_communicating;
    double by_memory;
    double slowdown; /* 1 + the sum of these */
    unsigned notes;  /* a set of enum rc_delay_note */
};

/* -1 for invalid values, and for weights other than 1 if the model does not have them: Eq. 2 has
 * none, and the queueing model only on one core without a shared link (contention_sim.h has
 * all). */
int rc_slowdown_local_compute(const struct rc_local_host *host, enum rc_local_model model,
                              struct rc_local *local, struct rc_error *error);
void rc_slowdown_local_free(struct rc_local *local);

/* A term of an equation: a probability times a factor, with equal factors in one term, or a sum. */
struct rc_local_term {
    const char *by; /* "computing", "communicating" or "memory" */
    double adds;
    double p, times; /* NAN: it is a sum */
};
enum {
    RC_LOCAL_TERMS_SHOWN = 20, /* competitors whose terms are listed one by one */
    RC_LOCAL_TERMS_MAX = 2 * RC_LOCAL_TERMS_SHOWN + 1
};
/* Lists them; returns their number. */
size_t rc_slowdown_local_terms(const struct rc_local_host *host, const struct rc_local *local,
                               enum rc_local_model model,
                               struct rc_local_term terms[RC_LOCAL_TERMS_MAX]);

/* Whether all competitors have the weight of the program. */
bool rc_slowdown_local_equal_turns(const struct rc_local_host *host);

/* The increase by i competitors that compute at once, by Eq. 2: i with one core and one process. */
double rc_slowdown_local_added(const struct rc_local_host *host, double i);

#endif
