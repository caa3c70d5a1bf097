// SPDX-License-Identifier: GPL-3.0-or-later
/* series_value.c - a stochastic value from the samples of a window.
 *
 * J. M. Schopf's dissertation, sections 4.A.1 (mean, sd, bounds), 4.C.1 (intervals) and 4.D.1
 * (histograms).  Drawing from the samples with replacement is the bootstrap's way (B. Efron, Annals
 * of Statistics 7, 1979). */
#include "stats/series/series_value.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/modes.h"
#include "stats/series/resample.h"
#include "stats/series/statistics.h"

void rc_series_value_options_init(struct rc_series_value_options *options)
{
    *options = (struct rc_series_value_options){.low = 0, .high = 1, .rule = RC_SERIES_BINS_SCOTT};
}

static struct rc_value *normal_of(const double *values, size_t n, uint64_t variable,
                                  struct rc_error *error)
{
    struct rc_series_moments moments;

    rc_series_moments(values, n, &moments);
    if (n < 2) {
        rc_error_set(error, "one sample has no standard deviation");
        rc_error_hint(error, "use a longer window");
        return NULL;
    }
    return rc_value_normal(moments.mean, moments.sd, variable, error);
}

static struct rc_value *modal_of(const double *values, size_t n, struct rc_error *error)
{
    struct rc_mode found[RC_SERIES_MODES_MAX];
    struct rc_series_modes modes;

    if (rc_series_modes(values, n, NULL, &modes, error))
        return NULL;
    for (size_t i = 0; i < modes.n_modes; i++)
        found[i] =
            (struct rc_mode){modes.modes[i].mean, isnan(modes.modes[i].sd) ? 0 : modes.modes[i].sd,
                             modes.modes[i].share};
    return rc_value_modal(found, modes.n_modes, error);
}

static struct rc_value *interval_of(const double *sorted, size_t n,
                                    const struct rc_series_value_options *options,
                                    struct rc_error *error)
{
    if (!(options->low >= 0 && options->low <= options->high && options->high <= 1))
        return rc_error_null(
            rc_error_set(error, "quantiles must be between 0 and 1 and rising, not %g and %g",
                         options->low, options->high));
    return rc_value_interval(rc_series_quantile(sorted, n, options->low),
                             rc_series_quantile(sorted, n, options->high), error);
}

static struct rc_value *histogram_of(const double *sorted, size_t n,
                                     const struct rc_series_value_options *options,
                                     struct rc_error *error)
{
    struct rc_value *value;
    struct rc_bin *bins;
    size_t n_bins;

    if (rc_series_histogram(options->rule, options->bins, sorted, n, &bins, &n_bins, error))
        return NULL;
    value = rc_value_histogram(bins, n_bins, error);
    free(bins);
    return value;
}

static struct rc_value *sample_of(const double *values, size_t n,
                                  const struct rc_series_value_options *options,
                                  struct rc_error *error)
{
    struct rc_value *value;
    double *draws;

    if (options->draws == 0)
        return rc_value_sample(values, n, error);
    if (!options->random)
        return rc_error_null(rc_error_set(error, "sampling needs a random generator"));
    if (options->draws > RC_VALUE_DRAWS_MAX)
        return rc_error_null(rc_error_set(error, "at most %d samples", RC_VALUE_DRAWS_MAX));
    draws = calloc(options->draws, sizeof *draws);
    if (!draws)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < options->draws; i++)
        draws[i] = values[rc_random_below(options->random, n)];
    value = rc_value_sample(draws, options->draws, error);
    free(draws);
    return value;
}

/* From numbers in their order, at least one. */
static struct rc_value *value_of(const double *values, size_t n, enum rc_value_kind kind,
                                 const struct rc_series_value_options *options,
                                 struct rc_error *error)
{
    struct rc_value *value = NULL;
    struct rc_series_moments moments;
    double *sorted;

    switch (kind) {
    case RC_POINT:
        rc_series_moments(values, n, &moments);
        return rc_value_point(moments.mean, error);
    case RC_NORMAL:
        return normal_of(values, n, options->variable, error);
    case RC_MODAL:
        return modal_of(values, n, error);
    case RC_SAMPLE:
        return sample_of(values, n, options, error);
    case RC_INTERVAL:
    case RC_HISTOGRAM:
        sorted = rc_series_sorted(values, n, &n, error);
        if (sorted)
            value = kind == RC_INTERVAL ? interval_of(sorted, n, options, error)
                                        : histogram_of(sorted, n, options, error);
        free(sorted);
        return value;
    case RC_VALUE_KINDS:
        break;
    }
    rc_error_set(error, "unknown kind of value: %d", (int)kind);
    return NULL;
}

struct rc_value *rc_series_value(const struct rc_sample *samples, size_t n, enum rc_value_kind kind,
                                 const struct rc_series_value_options *options,
                                 struct rc_error *error)
{
    struct rc_series_value_options defaults;
    struct rc_value *value = NULL;
    size_t n_known;
    double *values = rc_series_values(samples, n, &n_known, error);

    if (!values)
        return NULL;
    rc_series_value_options_init(&defaults);
    if (n_known == 0)
        rc_error_set(error, "no sample in the window");
    else
        value = value_of(values, n_known, kind, options ? options : &defaults, error);
    free(values);
    return value;
}

/* ---- at instants ---- */

void rc_series_instants(double from, double to, struct rc_random *random, double *instants,
                        size_t n)
{
    for (size_t i = 0; i < n; i++)
        instants[i] = from + (to - from) * rc_random_uniform(random);
}

/* The finite ones; the caller frees them. */
static struct rc_sample *known_samples(const struct rc_sample *samples, size_t n, size_t *n_known,
                                       struct rc_error *error)
{
    struct rc_sample *known = n > 0 ? calloc(n, sizeof *known) : NULL;

    *n_known = 0;
    if (n > 0 && !known)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < n; i++)
        if (isfinite(samples[i].t) && isfinite(samples[i].value))
            known[(*n_known)++] = samples[i];
    if (*n_known == 0) {
        rc_error_set(error, "no sample in the window");
        free(known);
        return NULL;
    }
    return known;
}

/* The last of rising samples at or before `t`, or the first. */
static double value_at(const struct rc_sample *samples, size_t n, double t)
{
    size_t first, n_before = rc_series_window(samples, n, NAN, t, &first);

    return samples[n_before > 0 ? n_before - 1 : 0].value;
}

struct rc_value *rc_series_value_at(const struct rc_sample *samples, size_t n,
                                    const double *instants, size_t n_instants,
                                    struct rc_error *error)
{
    struct rc_value *value = NULL;
    struct rc_sample *known;
    double *draws;
    size_t n_known;

    if (n_instants == 0 || n_instants > RC_VALUE_DRAWS_MAX)
        return rc_error_null(
            rc_error_set(error, "the number of samples must be 1 to %d", RC_VALUE_DRAWS_MAX));
    known = known_samples(samples, n, &n_known, error);
    if (!known)
        return NULL;
    draws = calloc(n_instants, sizeof *draws);
    if (draws) {
        for (size_t i = 0; i < n_instants; i++)
            draws[i] = value_at(known, n_known, instants[i]);
        value = rc_value_sample(draws, n_instants, error);
    } else {
        rc_error_no_memory(error);
    }
    free(draws);
    free(known);
    return value;
}
