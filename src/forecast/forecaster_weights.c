// SPDX-License-Identifier: GPL-3.0-or-later
/* forecaster_weights.c - weighs forecasters by their past errors.
 *
 * Four schemes each make a weighting of all forecasters:
 *  1. inverse powers of their mean absolute errors over a long time;
 *  2. higher inverse powers of those over a short time, for a series that changes its ways;
 *  3. polynomially weighted averages with the gradient of the absolute error and a learning rate
 * for each forecaster (P. Gaillard, G. Stoltz and T. van Erven, "A second-order bound with excess
 *     losses", COLT 2014, the algorithm ML-Poly), which finds weightings that are better than their
 *     parts, made forgetful;
 *  4. the best alone, for series that repeat a value exactly: any weighting would spoil it.
 * The answer weighs the schemes, again by inverse powers of their own past errors.
 *
 * Until many horizons have passed, the errors of forecasters have little information.  For that
 * time they are mixed with a prior, under which all are alike except those with much to learn,
 * which are worse. */
#include "forecast/forecaster_weights.h"

#include <math.h>

enum { GENTLE = 4, SHARP = 16, SCHEME_POWER = 32 };
enum { AT_FIRST = 64, EVERY = 2 }; /* weights move slowly after the first forecasts */
#define LONG_MEMORY 800.0          /* forecasts */
#define SHORT_MEMORY 100.0
#define SCHEME_MEMORY 300.0
#define REGRET_MEMORY 1000.0
#define DOUBT 1.5     /* the errors, as compared with others, of those with much to learn */
#define DOUBTFUL 10.0 /* horizons after which errors count as much as the belief */

static double power_of(double x, unsigned power)
{
    double result = 1;

    for (; power; power >>= 1, x *= x)
        if (power & 1)
            result *= x;
    return result;
}

/* Inverse powers of the losses, which sum to 1. */
static void weigh_inversely(const double *losses, size_t n, unsigned power, double *weights)
{
    double least = INFINITY, sum = 0;

    for (size_t i = 0; i < n; i++)
        least = fmin(least, losses[i]);
    for (size_t i = 0; i < n; i++) {
        weights[i] = losses[i] > 0 ? power_of(least / losses[i], power) : 1;
        sum += weights[i];
    }
    for (size_t i = 0; i < n; i++)
        weights[i] /= sum;
}

static void weigh_by_regret(const struct rc_forecast_chooser *chooser, double *weights)
{
    double sum = 0;

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        bool wanted = chooser->regrets[i] > 0 && chooser->squares[i] > 0;

        weights[i] = wanted ? chooser->regrets[i] / chooser->squares[i] : 0;
        sum += weights[i];
    }
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        weights[i] = sum > 0 && isfinite(sum) ? weights[i] / sum : chooser->schemes[0][i];
}

void rc_forecast_chooser_init(struct rc_forecast_chooser *chooser)
{
    *chooser = (struct rc_forecast_chooser){.n = 0};
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        chooser->weights[i] = 1 / (double)RC_FORECAST_PARTS;
        for (size_t k = 0; k < RC_FORECAST_SCHEMES; k++)
            chooser->schemes[k][i] = chooser->weights[i];
    }
}

/* Mixes what was seen with the belief; `trust` is the share of the former. */
static void believe(const double *losses, double usual, double trust, double *believed)
{
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        believed[i] =
            trust * losses[i] + (1 - trust) * usual * (rc_forecasters[i].learns ? DOUBT : 1);
}

/* The harmonic mean: what a forecaster that is not bad errs by. */
static double usual_loss(const struct rc_forecast_chooser *chooser)
{
    double sum = 0;

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        if (!(chooser->losses[i] > 0))
            return 0;
        sum += 1 / chooser->losses[i];
    }
    return (double)RC_FORECAST_PARTS / sum;
}

static void weigh(struct rc_forecast_chooser *chooser, double overlap)
{
    double believed[RC_FORECAST_PARTS], of_schemes[RC_FORECAST_SCHEMES], sum = 0;
    double horizons = (double)chooser->n / overlap, trust = horizons / (horizons + DOUBTFUL);
    double usual = usual_loss(chooser);
    size_t best = 0;

    believe(chooser->losses, usual, trust, believed);
    weigh_inversely(believed, RC_FORECAST_PARTS, GENTLE, chooser->schemes[0]);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        best = believed[i] < believed[best] ? i : best;
    believe(chooser->lately, usual, trust, believed);
    weigh_inversely(believed, RC_FORECAST_PARTS, SHARP, chooser->schemes[1]);
    weigh_by_regret(chooser, chooser->schemes[2]);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        chooser->schemes[3][i] = i == best;
    weigh_inversely(chooser->scheme_losses, RC_FORECAST_SCHEMES, SCHEME_POWER, of_schemes);
    for (size_t k = 0; k < RC_FORECAST_SCHEMES; k++) {
        of_schemes[k] *= k > 0 ? trust : 1;
        sum += of_schemes[k];
    }
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        chooser->weights[i] = 0;
        for (size_t k = 0; k < RC_FORECAST_SCHEMES; k++)
            chooser->weights[i] += of_schemes[k] / sum * chooser->schemes[k][i];
    }
}

double rc_forecast_chooser_answer(const struct rc_forecast_chooser *chooser,
                                  struct rc_forecast_answers *answers)
{
    double answer = 0;

    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        answer += chooser->weights[i] * answers->parts[i];
    for (size_t k = 0; k < RC_FORECAST_SCHEMES; k++) {
        double sum = 0;

        for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
            sum += chooser->schemes[k][i] * answers->parts[i];
        answers->schemes[k] = sum;
    }
    return answer;
}

/* The part of the way that a mean goes to the n-th number. */
static double gain(const struct rc_forecast_chooser *chooser, double memory)
{
    return fmax(1 / (double)chooser->n, 1 / memory);
}

void rc_forecast_chooser_judge(struct rc_forecast_chooser *chooser,
                               const struct rc_forecast_answers *answers, double came,
                               double overlap)
{
    double third = answers->schemes[2], slope = third > came ? 1 : third < came ? -1 : 0;
    double keep = 1 - 1 / REGRET_MEMORY, slow, quick, middle;

    chooser->n++;
    slow = gain(chooser, LONG_MEMORY);
    quick = gain(chooser, SHORT_MEMORY);
    middle = gain(chooser, SCHEME_MEMORY);
    for (size_t k = 0; k < RC_FORECAST_SCHEMES; k++)
        chooser->scheme_losses[k] +=
            middle * (fabs(came - answers->schemes[k]) - chooser->scheme_losses[k]);
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++) {
        double error = fabs(came - answers->parts[i]);
        double regret = slope * (third - answers->parts[i]);

        chooser->losses[i] += slow * (error - chooser->losses[i]);
        chooser->lately[i] += quick * (error - chooser->lately[i]);
        chooser->regrets[i] = keep * chooser->regrets[i] + regret;
        chooser->squares[i] = keep * chooser->squares[i] + regret * regret;
    }
    if (chooser->n < AT_FIRST || chooser->n % EVERY == 0)
        weigh(chooser, overlap);
}
