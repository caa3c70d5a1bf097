// SPDX-License-Identifier: GPL-3.0-or-later
/* single_time_model.c - a model of a program of which one time alone is known. */
#include <math.h>
#include <stdlib.h>

#include "advise/place/timing_regress.h"
#include "base/error.h"

static const double spread = 0.05; /* what one time may be off by */

struct rc_regression_model *rc_place_timing_plain_model(double seconds, struct rc_error *error)
{
    struct rc_regression_model *model = calloc(1, sizeof *model);
    struct rc_regression_member *member = calloc(1, sizeof *member);

    if (!model || !member) {
        rc_error_no_memory(error);
        free(model);
        free(member);
        return NULL;
    }
    *member = (struct rc_regression_member){.terms = {{.cpu = true}},
                                            .coefficients = {seconds},
                                            .n_terms = 1,
                                            .stat = RC_REGRESSION_AVGMIN,
                                            .weight = 1};
    *model = (struct rc_regression_model){.criterion = RC_REGRESSION_DEFAULT,
                                          .members = member,
                                          .n_members = 1,
                                          .n = {-INFINITY, INFINITY},
                                          .p = {-INFINITY, INFINITY},
                                          .cpu = {-INFINITY, INFINITY},
                                          .bw = {-INFINITY, INFINITY},
                                          .bw_mean = 1,
                                          .sigma = spread};
    return model;
}
