// SPDX-License-Identifier: GPL-3.0-or-later
/* level_switching.c - a series that jumps between levels, as the CPU available on a host does.
 *
 * The levels are the modes of the recent values (stats/series/modes.h, after Schopf 1998, section
 * 4.B.3), and where the series goes from each of them is counted: a Markov chain M.  With c the
 * centres, the mean over the next H values from level i is the i-th of S(H) c, where S(H) is the
 * mean of M, M^2, ... M^H, and S(2H) = (S(H) + M^H S(H)) / 2.  For as long as the series stays
 * where it is, it stays at the mean of the values since it came there, rather than at the centre.
 */
#include <string.h>

#include "forecast/forecaster.h"
#include "stats/series/modes.h"

enum { FIT_EVERY = 128, LEAST = 64, LOOKED_AT = 512 }; /* samples */
#define TRUST 8.0 /* values at a level after which their own mean counts as much as its centre */

typedef double matrix[RC_FORECAST_ERROR_LEVELS][RC_FORECAST_ERROR_LEVELS];

static size_t level_of(const struct rc_forecast_switching *switching, double value)
{
    size_t level = 0;

    while (level + 1 < switching->n_levels && value >= switching->edges[level])
        level++;
    return level;
}

static void multiply(size_t n, matrix a, matrix b, matrix product)
{
    matrix result;

    memset(result, 0, sizeof result);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                result[i][j] += a[i][k] * b[k][j];
    memcpy(product, result, sizeof result);
}

/* The probabilities of going from one level to another within one sample. */
static void count_moves(const struct rc_forecast_switching *switching,
                        const struct rc_forecast_history *past, size_t looked_at, matrix chain)
{
    size_t from = level_of(switching, rc_forecast_back(past, looked_at - 1));

    memset(chain, 0, sizeof(matrix));
    for (size_t i = 0; i < switching->n_levels; i++)
        chain[i][i] = 1;
    for (size_t lag = looked_at - 1; lag-- > 0;) {
        size_t to = level_of(switching, rc_forecast_back(past, lag));

        chain[from][to]++;
        from = to;
    }
    for (size_t i = 0; i < switching->n_levels; i++) {
        double sum = 0;

        for (size_t j = 0; j < switching->n_levels; j++)
            sum += chain[i][j];
        for (size_t j = 0; j < switching->n_levels; j++)
            chain[i][j] /= sum;
    }
}

/* What is usual on each rung of the ladder. */
static void look_ahead(struct rc_forecast_switching *switching, matrix chain)
{
    size_t n = switching->n_levels;
    matrix share, further;

    memcpy(share, chain, sizeof share);
    for (size_t rung = 0; rung < RC_FORECAST_LADDER; rung++) {
        for (size_t i = 0; i < n; i++) {
            switching->usual[rung][i] = 0;
            for (size_t j = 0; j < n; j++)
                switching->usual[rung][i] += share[i][j] * switching->centres[j];
            switching->own[rung][i] = share[i][i];
        }
        multiply(n, chain, share, further);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                share[i][j] = (share[i][j] + further[i][j]) / 2;
        multiply(n, chain, chain, chain);
    }
}

static void fit(struct rc_forecast_switching *switching, const struct rc_forecast_history *past)
{
    double values[LOOKED_AT];
    size_t n = past->n < LOOKED_AT ? (size_t)past->n : LOOKED_AT;
    struct rc_series_mode_options options;
    struct rc_series_modes modes;
    matrix chain;

    for (size_t i = 0; i < n; i++)
        values[i] = rc_forecast_back(past, i);
    rc_series_mode_options_init(&options);
    options.min_share = 1.0 / RC_FORECAST_ERROR_LEVELS;
    if (rc_series_modes(values, n, &options, &modes, NULL) || modes.n_modes == 0)
        return; /* memory is short: what was known before will do */
    switching->n_levels =
        modes.n_modes < RC_FORECAST_ERROR_LEVELS ? modes.n_modes : RC_FORECAST_ERROR_LEVELS;
    for (size_t i = 0; i < switching->n_levels; i++) {
        switching->edges[i] = modes.modes[i].high;
        switching->centres[i] = modes.modes[i].mean;
    }
    count_moves(switching, past, n, chain);
    look_ahead(switching, chain);
    switching->since = 0;
    switching->sum = 0;
}

void rc_forecast_switching_update(const struct rc_forecaster *self, void *state,
                                  const struct rc_forecast_history *past)
{
    struct rc_forecast_switching *switching = state;
    double value = rc_forecast_back(past, 0);
    size_t level;

    (void)self;
    if (past->n >= LEAST && (past->n % FIT_EVERY == 0 || past->n == LEAST))
        fit(switching, past);
    if (switching->n_levels == 0)
        return;
    level = level_of(switching, value);
    if (level != switching->level) {
        switching->since = 0;
        switching->sum = 0;
    }
    switching->level = level;
    switching->since++;
    switching->sum += value;
}

double rc_forecast_switching_mean(const struct rc_forecaster *self, const void *state,
                                  const struct rc_forecast_history *past, size_t horizon)
{
    const struct rc_forecast_switching *switching = state;
    struct rc_forecast_place place = rc_forecast_place((double)horizon);
    size_t level = switching->level;
    double since = (double)switching->since, shift;

    (void)self;
    if (switching->n_levels == 0)
        return past->mean;
    shift = (switching->sum / since - switching->centres[level]) * since / (since + TRUST);
    return rc_forecast_between(
        place, (double)horizon,
        switching->usual[place.rung][level] + switching->own[place.rung][level] * shift,
        switching->usual[place.next][level] + switching->own[place.next][level] * shift);
}
