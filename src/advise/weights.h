// SPDX-License-Identifier: GPL-3.0-or-later
/* weights.h - how fast hosts are as compared with those that a model's runs were made on. */
#ifndef RC_ADVISE_WEIGHTS_H
#define RC_ADVISE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"

struct rc_weights_host {
    const char *name;
    double speed; /* NAN: not known */
};

/* What the weights rest on. */
enum rc_weights_from {
    RC_WEIGHTS_ALIKE,   /* all hosts are as fast, as far as is known: all weights are 1 */
    RC_WEIGHTS_RUNS,    /* compared with the hosts of runs: the slowest of a run's hosts counts, and
                           of all runs the middle one */
    RC_WEIGHTS_SLOWEST, /* no run tells where it was made: compared with the slowest host */
    RC_WEIGHTS_UNKNOWN  /* some speeds are not known: all weights are 1 */
};

/* Fills the weights of `n` hosts; runs are those of `app` on `platform` (NULL: on any). */
int rc_weights_find(struct rc_store *store, const char *app, const char *platform,
                    const struct rc_weights_host *hosts, size_t n, double *weights,
                    enum rc_weights_from *from, struct rc_error *error);

/* Those of hosts by their names, compared with all hosts of a platform, since runs may have been
 * made on others than these.  Runs are those on `learnt_from` (NULL: on any).  A host that the
 * platform has not has the weight 1. */
int rc_weights_of(struct rc_store *store, const char *app, const char *learnt_from,
                  const struct rc_platform *platform, const char *const *names, size_t n,
                  double *weights, enum rc_weights_from *from, struct rc_error *error);

#endif
