// SPDX-License-Identifier: GPL-3.0-or-later
/* killed_runs.c - the times that killed runs would have had. */
#include "model/regression/killed_runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "model/regression/error_mixture.h"
#include "model/regression/residuals.h"

static const double longest = 100; /* times the time after which a run was killed */

/* ---- of a view ---- */

/* Errors of the runs, as logarithms over the noise of their class; of killed runs, bounds. */
static void find_errors(const struct rc_regression_view *view,
                        const struct rc_regression_ensemble *ensemble, const double *noise,
                        struct rc_regression_error_value *errors)
{
    for (size_t i = 0; i < view->n; i++) {
        const struct rc_regression_run *run = view->runs[i];
        bool killed = run->at_least > 0;
        double off =
            rc_regression_errors_off(killed ? run->at_least : run->seconds, ensemble->held_out[i]);

        errors[i].value = off / noise[rc_regression_class(run->p)];
        errors[i].is_bound = killed;
    }
}

static void estimate(struct rc_regression_run *run, double predicted, double error)
{
    double had = run->seconds;

    run->seconds = fmin(fmax(predicted * exp(error), run->at_least), longest * run->at_least);
    run->bytes *= run->seconds / had; /* input and output go on as before */
}

int rc_regression_killed_estimate(struct rc_regression_view *view,
                                  const struct rc_regression_ensemble *ensemble,
                                  const double *noise, struct rc_error *error)
{
    struct rc_regression_error_mixture mixture;
    struct rc_regression_error_value *errors;
    int status;

    if (view->n_killed == 0)
        return 0;
    errors = malloc(view->n * sizeof *errors);
    if (!errors)
        return rc_error_no_memory(error);
    find_errors(view, ensemble, noise, errors);
    status = rc_regression_error_mixture_fit(errors, view->n, &mixture, error);
    for (size_t i = 0; status == 0 && i < view->n; i++) {
        size_t killed = (size_t)(view->runs[i] - view->killed);

        if (errors[i].is_bound)
            estimate(&view->killed[killed], ensemble->held_out[i],
                     noise[rc_regression_class(view->runs[i]->p)] *
                         rc_regression_error_mixture_beyond(&mixture, errors[i].value,
                                                            rc_random_evenly(killed)));
    }
    free(errors);
    return status;
}
