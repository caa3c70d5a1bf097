// SPDX-License-Identifier: GPL-3.0-or-later
/* speeds.h - speeds of hosts, so that runs on fast and on slow ones can be learned together.
 *
 * A model predicts the time for a share of a reference core: that of the slowest host of a run,
 * median over the runs.  The CPU of a run is the least over its hosts of speed times CPU, as a part
 * of such a core.  So the model's CPU is that of one kind of host, for its runs and for forecasts.
 */
#ifndef RC_MODEL_REGRESSION_SPEEDS_H
#define RC_MODEL_REGRESSION_SPEEDS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "model/regression/training_runs.h"
#include "runcast.h"

/* What speeds rest on. */
enum rc_weights_from {
    RC_WEIGHTS_ALIKE,   /* all hosts are as fast, as far as is known: all weights are 1 */
    RC_WEIGHTS_RUNS,    /* compared with the hosts of runs: the slowest of a run's hosts counts, and
                           of all runs the middle one */
    RC_WEIGHTS_SLOWEST, /* no run has its hosts: compared with the slowest host */
    RC_WEIGHTS_UNKNOWN  /* some speeds are unknown: all weights are 1 */
};

struct rc_regression_speed {
    char *host;
    double speed; /* above 0, in any unit */
};

/* Start from {0}, which knows nothing: all hosts are alike.  Free with rc_regression_speeds_free().
 */
struct rc_regression_speeds {
    struct rc_regression_speed *hosts; /* by name, once they are closed */
    size_t n, room;
    double reference; /* speed that weights of 1 stand for; 0: nothing is known */
    enum rc_weights_from from;
    bool firm; /* from the user; earlier ones do not count then */
};
void rc_regression_speeds_free(struct rc_regression_speeds *speeds);
int rc_regression_speeds_copy(struct rc_regression_speeds *to,
                              const struct rc_regression_speeds *from, struct rc_error *error);

/* Adds a host; NAN: its speed is unknown. */
int rc_regression_speeds_add(struct rc_regression_speeds *speeds, const char *host, double speed,
                             struct rc_error *error);
/* After the last one.  Where all are alike, or some are unknown, nothing is left but `from`. */
void rc_regression_speeds_close(struct rc_regression_speeds *speeds);

/* Whether both know the same of the same hosts; what they refer to is not compared. */
bool rc_regression_speeds_same(const struct rc_regression_speeds *a,
                               const struct rc_regression_speeds *b);

/* Finds what they refer to, by the latest runs of `app` on `platform` (NULL: on any). */
int rc_regression_speeds_refer(struct rc_regression_speeds *speeds, struct rc_db *store,
                               const char *app, const char *platform, struct rc_error *error);

/* Speed by what is referred to; 1 of a host that is unknown, and where nothing is. */
double rc_regression_speeds_weight(const struct rc_regression_speeds *speeds, const char *host);

/* The least weight of the hosts in a run's text; NAN if it has none, or one is unknown. */
double rc_regression_speeds_least(const struct rc_regression_speeds *speeds, const char *hosts);

/* ---- runs ---- */

/* Reads what single hosts had during runs. */
struct rc_regression_sampled;
struct rc_regression_sampled *rc_regression_sampled_create(struct rc_db *store,
                                                           struct rc_error *error);
void rc_regression_sampled_destroy(struct rc_regression_sampled *sampled);

/* The CPU of a run for each statistic: from the least CPU of its hosts to the least of speed times
 * CPU.  If hosts differ, that takes samples of each, by `sampled` (or NULL); without samples, the
 * least CPU and the least speed are assumed to be those of one host, which gives a lower bound. */
enum rc_regression_scaled {
    RC_REGRESSION_UNSCALED, /* its hosts are unknown, and it is left as it is */
    RC_REGRESSION_ALIKE,    /* its hosts are equally fast */
    RC_REGRESSION_SAMPLED,
    RC_REGRESSION_LEAST
};
enum rc_regression_scaled rc_regression_speeds_scale(const struct rc_regression_speeds *speeds,
                                                     struct rc_regression_sampled *sampled,
                                                     const struct rc_run *run,
                                                     double cpu[RC_REGRESSION_STATS]);

/* ---- for the database ---- */

/* NULL if memory runs out; the caller owns it. */
json_t *rc_regression_speeds_to_json(const struct rc_regression_speeds *speeds);
/* NULL as `object` is no fault: nothing is known then. */
int rc_regression_speeds_from_json(const json_t *object, struct rc_regression_speeds *speeds,
                                   struct rc_error *error);

#endif
