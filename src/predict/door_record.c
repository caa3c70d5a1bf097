// SPDX-License-Identifier: GPL-3.0-or-later
/* door_record.c - how the predictions of each family fared, read once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/array.h"
#include "base/error.h"
#include "predict/door_internal.h"
#include "predict/score.h"
#include "db/prediction.h"

static const double reach = 1.6448536269514722; /* of a normal's interval for 90 % */

struct loading {
    struct rc_door *door;
    struct rc_error *error;
};

static int family_of(const struct rc_door *door, const char *stored)
{
    for (int f = 0; f <= RC_DOOR_FAMILIES; f++)
        if (strcmp(rc_predict_door_stored(door, f), stored) == 0)
            return f;
    return -1;
}

/* The point of the model's own distribution that a correction has moved to `x`. */
static double unmoved(double x, const struct rc_past_prediction *told,
                      const struct rc_past_prediction *own)
{
    double end = x < told->predicted ? told->low : told->high;
    double own_end = x < told->predicted ? own->low : own->high;
    double whole = end - told->predicted;

    if (fabs(whole) < 1e-9 * told->predicted)
        return own->predicted;
    return own->predicted + (x - told->predicted) / whole * (own_end - own->predicted);
}

/* Evenly spaced draws by the quantiles that were kept or, where there are none, log-normal ones on
 * either side of the one number. */
static void fill_draws(const struct rc_prediction *prediction, struct rc_door_past *past)
{
    const struct rc_past_prediction *own = &past->own;
    double down = fmax(log(own->predicted / own->low), 0) / reach;
    double up = fmax(log(own->high / own->predicted), 0) / reach;

    for (int i = 0; i < RC_DOOR_REPLAYED; i++) {
        double p = (i + 0.5) / RC_DOOR_REPLAYED, z = gsl_cdf_ugaussian_Pinv(p);
        size_t at = (size_t)(p * (double)prediction->n_quantiles);

        past->draws[i] =
            prediction->n_quantiles < RC_DOOR_REPLAYED
                ? own->predicted * exp(z * (z < 0 ? down : up))
                : rc_predict_as_time(unmoved(prediction->quantiles[at], &past->told, own));
    }
}

static int meet(void *data, const struct rc_prediction *prediction)
{
    struct loading *loading = data;
    struct rc_door *door = loading->door;
    int family = family_of(door, prediction->family);
    double came = prediction->run_seconds;

    if (family < 0 || !(came > 0) || !(prediction->own_lo90 > 0) || !(prediction->lo90 > 0))
        return 0;
    if (rc_array_room(&door->past, door->n_past + 1, &door->past_room, sizeof *door->past,
                      loading->error))
        return -1;
    door->past[door->n_past++] = (struct rc_door_past){
        .family = family,
        .run = prediction->run_id,
        .model = prediction->model_id,
        .end = prediction->run_start + came,
        .made = prediction->made,
        .told = {prediction->predicted, prediction->lo90, prediction->hi90, came},
        .own = {prediction->own_predicted, prediction->own_lo90, prediction->own_hi90, came}};
    fill_draws(prediction, &door->past[door->n_past - 1]);
    return 0;
}

static int by_end(const void *a, const void *b)
{
    const struct rc_door_past *x = a, *y = b;

    if (x->end != y->end)
        return (x->end > y->end) - (x->end < y->end);
    if (x->run != y->run)
        return (x->run > y->run) - (x->run < y->run);
    return x->family - y->family;
}

int rc_predict_door_record_load(struct rc_door *door, struct rc_error *error)
{
    struct loading loading = {door, error};

    if (rc_db_prediction_list(door->store, door->options.app, door->options.platform, true, meet,
                              &loading, error))
        return -1;
    if (door->n_past)
        qsort(door->past, door->n_past, sizeof *door->past, by_end);
    return 0;
}

bool rc_predict_door_teaches(const struct rc_door *door, const struct rc_door_past *past)
{
    const struct rc_structural *source = &door->structural.source;

    if (past->family == RC_DOOR_STRUCTURE)
        return past->model == source->id && past->made >= source->made;
    return past->family != RC_DOOR_SCALING || past->made >= door->book.made;
}

struct rc_predict_door_record rc_predict_door_record(const struct rc_door *door, int family,
                                                     double start)
{
    struct rc_predict_door_record record = {.error = NAN, .held = NAN};
    double sum = 0;
    size_t held = 0;

    for (size_t i = 0; i < door->n_past && door->past[i].end <= start; i++) {
        const struct rc_past_prediction *told = &door->past[i].told;

        if (door->past[i].family != family)
            continue;
        record.n++;
        sum += rc_predict_score_error(told->predicted, told->came);
        held += told->low <= told->came && told->came <= told->high;
    }
    if (record.n) {
        record.error = sum / (double)record.n;
        record.held = (double)held / (double)record.n;
    }
    return record;
}

int rc_predict_door_own_record(const struct rc_door *door, int family, double start,
                               struct rc_past_prediction **past, size_t *n, struct rc_error *error)
{
    size_t room = 0;

    *past = NULL;
    *n = 0;
    for (size_t i = 0; i < door->n_past && door->past[i].end <= start; i++) {
        if (door->past[i].family != family || !rc_predict_door_teaches(door, &door->past[i]))
            continue;
        if (rc_array_room(past, *n + 1, &room, sizeof **past, error)) {
            free(*past);
            return -1;
        }
        (*past)[(*n)++] = door->past[i].own;
    }
    return 0;
}
