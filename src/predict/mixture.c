// SPDX-License-Identifier: GPL-3.0-or-later
/* mixture.c - one distribution from those of several methods. */
#include "predict/mixture.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

enum {
    LATEST = 50, /* predictions of the record that count */
    PROMISED = 3 /* as many of them as the error implied by the distribution counts */
};
static const double least_promised = 0.1, least_error = 0.001;
/* The implied error of a model of the runs is a lower limit for other methods, up to this. */
static const double most_learned = 0.25;
static const double most_unproven = 0.8; /* weight of unproven methods beside proven ones */
/* Mean over standard deviation of the absolute error of a normal value, and the reach of its
 * interval for 90 %. */
static const double mean_of_sd = 0.798, reach = 1.645;

static double quantile(const struct rc_mixture_part *part, double p)
{
    double at = p * (double)part->n_draws;
    size_t place = at > 0 ? (size_t)at : 0;

    return part->draws[place < part->n_draws ? place : part->n_draws - 1];
}

/* The mean error that a distribution implies, by the width of its 90 % interval. */
static double promised(const struct rc_mixture_part *part)
{
    double width = (quantile(part, 0.95) - quantile(part, 0.05)) / quantile(part, 0.5);

    return fmax(mean_of_sd * width / (2 * reach), least_promised);
}

/* The lower limit of implied errors: the smallest that a model of the app's runs implies, since the
 * runs show how much they vary.  Methods that are known to have larger errors do not count. */
static double learned_error(const struct rc_mixture_part *parts, size_t n)
{
    double least = INFINITY;

    for (size_t i = 0; i < n; i++)
        if (parts[i].learns && !(parts[i].prior > 0))
            least = fmin(least, promised(&parts[i]));
    return isinf(least) ? least_promised : fmin(least, most_learned);
}

/* `floor` is the lower limit of the error that a distribution implies. */
static void judge(struct rc_mixture_part *part, double floor, double *scratch)
{
    size_t n = part->n_past < LATEST ? part->n_past : LATEST;
    const struct rc_past_prediction *past = n ? part->past + (part->n_past - n) : NULL;
    bool brief = n < RC_RECALIBRATE_LEAST;
    double sum =
        PROMISED * fmax(promised(part), floor) * (brief && part->prior > 0 ? part->prior : 1);

    part->factor = part->learns || brief ? 1 : rc_predict_past_factor(past, n, scratch);
    for (size_t i = 0; i < n; i++)
        sum += fabs(part->factor * past[i].predicted / past[i].came - 1);
    part->error = fmax(sum / (double)(n + PROMISED), least_error);
}

/* Whether more than its own distribution speaks for a method. */
static bool is_proven(const struct rc_mixture_part *part)
{
    return part->learns || part->n_past >= RC_RECALIBRATE_LEAST;
}

/* Leaves the proven parts, if there are any, at least their share. */
static void limit_unproven(struct rc_mixture_part *parts, size_t n)
{
    double proven = 0;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (is_proven(&parts[i])) {
            parts[i].weight = fmax(parts[i].weight, DBL_MIN);
            proven += parts[i].weight;
            count++;
        }
    if (count == 0 || proven >= 1 - most_unproven)
        return;
    for (size_t i = 0; i < n; i++)
        parts[i].weight *=
            is_proven(&parts[i]) ? (1 - most_unproven) / proven : most_unproven / (1 - proven);
}

int rc_predict_mixture_weigh(struct rc_mixture_part *parts, size_t n, struct rc_error *error)
{
    double *scratch = malloc(LATEST * sizeof *scratch), least = INFINITY, sum = 0;
    double floor = learned_error(parts, n);

    if (!scratch)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        judge(&parts[i], floor, scratch);
        least = fmin(least, parts[i].error);
    }
    free(scratch);
    for (size_t i = 0; i < n; i++) {
        parts[i].weight = pow(least / parts[i].error, 4);
        sum += parts[i].weight;
    }
    for (size_t i = 0; i < n; i++)
        parts[i].weight /= sum;
    limit_unproven(parts, n);
    return 0;
}

void rc_predict_mixture_draw(const struct rc_mixture_part *parts, size_t n, double *draws,
                             size_t n_draws)
{
    double weight = 0;
    size_t done = 0;

    for (size_t i = 0; i < n; i++) {
        size_t end, first = done;

        weight += parts[i].weight;
        end = i + 1 == n ? n_draws : (size_t)(weight * (double)n_draws + 0.5);
        end = end < n_draws ? end : n_draws;
        for (; done < end; done++)
            draws[done] = parts[i].factor * quantile(&parts[i], ((double)(done - first) + 0.5) /
                                                                    (double)(end - first));
    }
    rc_sort_doubles(draws, n_draws);
}
