// SPDX-License-Identifier: GPL-3.0-or-later
/* input_forecasts.h - the series that inputs of a binding are forecast from, and their scenarios;
 * for structure's own files. */
#ifndef RC_MODEL_STRUCTURAL_INPUT_FORECASTS_H
#define RC_MODEL_STRUCTURAL_INPUT_FORECASTS_H

#include "forecast/series_scenarios.h"
#include "model/structural/binding_internal.h"

struct rc_lane_series {
    char *host, *peer; /* peer "": of the host itself */
    bool used;         /* by what was evaluated since this was last cleared */
};

/* The series of one metric. */
struct rc_lane {
    struct rc_lane *next;
    char *metric;
    bool brief; /* series of which the past is too short to know how they change */
    struct rc_series_scenarios *scenarios;
    struct rc_lane_series *series; /* in the order of the scenarios */
    size_t n_series;
    size_t n_steps, n_draws; /* n_steps = 0: they stay as they are */
    double step;             /* seconds */
    double *paths; /* of series s in step j and draw i: paths[(s * n_steps + j) * n_draws + i] */
    double *level; /* of series s in draw i, for the evaluation at hand: level[s * n_draws + i];
                      NULL: the present means count */
    double *sum;   /* its integral since hosts last waited for one another, in the same order */
    double *all;   /* ... and since the start */
};

/* Gets ready for scenarios of `*seconds`, as rc_forecast_series_scenarios_look(); then draws so
 * many of them. */
int rc_structural_lane_look(struct rc_lane *lane, double *seconds, bool *steady,
                            struct rc_random *random, struct rc_error *error);
int rc_structural_lane_draw(struct rc_lane *lane, size_t n_draws, struct rc_random *random,
                            struct rc_error *error);
/* Until when what holds at `t` does; INFINITY beyond the scenarios. */
double rc_structural_lane_until(const struct rc_lane *lane, double t);
/* Puts what holds at `t` into `level`. */
void rc_structural_lane_set(struct rc_lane *lane, double t);

/* Forgets all scenarios: the present means count again. */
void rc_structural_lane_forget(struct rc_binding *binding);
void rc_structural_lanes_free(struct rc_binding *binding);

#endif
