// SPDX-License-Identifier: GPL-3.0-or-later
/* local_slowdown.h - local slowdown: how much longer a program computes on a host that it shares.
 *
 * Two models, both from the same probabilities (activity_counts.h):
 *
 * paper  Eq. 2 of Figueira and Berman: 1 + sum of pp_i * i + sum of pm_i * delay_i.  It takes
 *        competitors to be as often at it as when they have the host to themselves.
 *
 * queue  Competitors have work to do, and are slowed down as well: while two compute at once, both
 *        are longer at it.  The cores are a server that all who compute share, and whoever does not
 *        compute is away for a time of its own.  Of such a network the probabilities are known
 *        exactly (local_queue.c).  With one competitor it comes to Eq. 2; with two that compute half of
 *        the time, to 2.2 rather than 2.
 *
 * Competitors that are steady (competitor.h) are at it as often as they say, however slow they are:
 * the paper has none of these; by the queue, one that wants a core half of the time costs 1.33.
 *
 * On hosts with several cores competitors are met where they and the program's own processes want
 * more cores than there are.  The time that is multiplied by a slowdown is that of a run with as
 * many processes on the host, and nobody else. */
#ifndef RC_MODEL_SLOWDOWN_LOCAL_SLOWDOWN_H
#define RC_MODEL_SLOWDOWN_LOCAL_SLOWDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/slowdown/activity_counts.h"
#include "host/observe/declared_competitor.h"
#include "model/slowdown/communication_delay.h"

enum rc_local_model { RC_LOCAL_PAPER, RC_LOCAL_QUEUE, RC_LOCAL_MODELS };

extern const char *const rc_slowdown_local_models[]; /* their names, up to a NULL */
/* The model of that name (which there is), or RC_LOCAL_PAPER for NULL. */
enum rc_local_model rc_slowdown_local_model_of(const char *name);

enum { RC_MEMORY_OTHERS_MAX = 1024 };

/* What others that use memory cost one that does nothing else: slowdown[i - 1] beside i of them on
 * other cores; past the last, that of the last.  n 0: nothing. */
struct rc_memory_curve {
    double slowdown[RC_MEMORY_OTHERS_MAX];
    size_t n;
};

/* A host, and the part of the program on it. */
struct rc_local_host {
    int cores;     /* >= 1 */
    int processes; /* of the program, >= 1; each wants a core all the time */
    const struct rc_competitor *competitors; /* their shares as their means */
    size_t n_competitors;
    const struct rc_delay *delay; /* NULL: communicating costs nothing */
    double bandwidth;             /* that competitors have; NAN where `delay` is a constant */
    bool shared_link; /* competitors communicate over one link, which one alone can fill: several at
                         once take longer (of up to RC_ACTIVITY_PAIRS_MAX; by the queue) */
    double memory;    /* the part of the program's computing that waits for memory */
    const struct rc_memory_curve *memory_curve; /* or NULL */
};

/* The terms of the equation.  Start from {0}; free with rc_slowdown_local_free(). */
struct rc_local {
    struct rc_activity computing, communicating; /* pp and pm */
    double *delays;                              /* delays[i], i from 0 to communicating.n */
    double by_computing;                         /* what computing competitors add */
    double by_communicating;
    double by_memory;
    double slowdown; /* 1 and all of these */
    unsigned notes;  /* a set of enum rc_delay_note */
};

/* -1 where something makes no sense, and where competitors' weights are not 1 of which Eq. 2 knows
 * nothing, and the queue only on a host with one core, and links of their own (contention_sim.h does). */
int rc_slowdown_local_compute(const struct rc_local_host *host, enum rc_local_model model,
                              struct rc_local *local, struct rc_error *error);
void rc_slowdown_local_free(struct rc_local *local);

/* What an equation adds to 1, one after the other: a probability times what it costs, with those of
 * equal cost as one, or a sum by itself. */
struct rc_local_term {
    const char *by; /* "computing", "communicating" or "memory" */
    double adds;
    double p, times; /* NAN: it is a sum */
};
enum {
    RC_LOCAL_TERMS_SHOWN = 20, /* competitors, of which the terms are listed one by one */
    RC_LOCAL_TERMS_MAX = 2 * RC_LOCAL_TERMS_SHOWN + 1
};
/* Lists them; returns how many there are. */
size_t rc_slowdown_local_terms(const struct rc_local_host *host, const struct rc_local *local,
                               enum rc_local_model model,
                               struct rc_local_term terms[RC_LOCAL_TERMS_MAX]);

/* Whether all competitors have the program's own weight. */
bool rc_slowdown_local_equal_turns(const struct rc_local_host *host);

/* What i competitors that compute at once add, by Eq. 2: i, where there is one core and one
 * process. */
double rc_slowdown_local_added(const struct rc_local_host *host, double i);

#endif
