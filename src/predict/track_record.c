// SPDX-License-Identifier: GPL-3.0-or-later
/* track_record.c - how earlier predictions of an app fared, by method. */
#include "predict/track_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/array.h"
#include "base/error.h"
#include "base/random.h"
#include "predict/run_time_distribution.h"
#include "predict/prediction_score.h"
#include "db/prediction.h"

static const double reach = 1.6448536269514722; /* of a normal's 90 % interval */

struct loading {
    struct rc_track_record *record;
    const char *const *names;
    size_t n_names;
    struct rc_error *error;
};

static int find_name(const struct loading *loading, const char *name)
{
    for (size_t i = 0; i < loading->n_names; i++)
        if (strcmp(loading->names[i], name) == 0)
            return (int)i;
    return -1;
}

/* The point of the model's own distribution that a correction has moved to `x`. */
static double unmoved(double x, const struct rc_past_prediction *predicted,
                      const struct rc_past_prediction *own)
{
    double end = x < predicted->predicted ? predicted->low : predicted->high;
    double own_end = x < predicted->predicted ? own->low : own->high;
    double whole = end - predicted->predicted;

    if (fabs(whole) < 1e-9 * predicted->predicted)
        return own->predicted;
    return own->predicted + (x - predicted->predicted) / whole * (own_end - own->predicted);
}

/* Evenly spaced samples by the quantiles that were stored or, if there are none, log-normal ones on
 * either side of the prediction. */
static void fill_samples(const struct rc_prediction *prediction, struct rc_track_entry *entry)
{
    const struct rc_past_prediction *own = &entry->own;
    double down = fmax(log(own->predicted / own->low), 0) / reach;
    double up = fmax(log(own->high / own->predicted), 0) / reach;

    for (int i = 0; i < RC_TRACK_SAMPLES; i++) {
        double p = (i + 0.5) / RC_TRACK_SAMPLES, z = gsl_cdf_ugaussian_Pinv(p);
        size_t at = (size_t)(p * (double)prediction->n_quantiles);

        entry->samples[i] =
            prediction->n_quantiles < RC_TRACK_SAMPLES
                ? own->predicted * exp(z * (z < 0 ? down : up))
                : rc_predict_as_time(unmoved(prediction->quantiles[at], &entry->predicted, own));
    }
}

/* The time that a killed run would have had by its prediction. */
static void estimate(struct rc_track_entry *entry, size_t i)
{
    size_t below = 0;
    double came = entry->at_least;

    while (below < RC_TRACK_SAMPLES && entry->samples[below] <= came)
        below++;
    if (below < RC_TRACK_SAMPLES)
        came = entry->samples[below + (size_t)(rc_random_evenly(i) * (RC_TRACK_SAMPLES - below))];
    entry->predicted.came = entry->own.came = came;
}

static struct rc_time_limit_past tail_of(const struct rc_prediction *prediction)
{
    if (prediction->n_quantiles < 2 || !(prediction->quantiles[0] > 0))
        return (struct rc_time_limit_past){NAN, NAN};
    return rc_predict_time_limit_past_of(prediction->quantiles, prediction->n_quantiles,
                                         prediction->run_seconds);
}

static int add_entry(void *data, const struct rc_prediction *prediction)
{
    struct loading *loading = data;
    struct rc_track_record *record = loading->record;
    int method = find_name(loading, prediction->method);
    double came = prediction->run_seconds;

    if (method < 0 || !(came > 0) || !(prediction->own_lo90 > 0) || !(prediction->lo90 > 0))
        return 0;
    if (rc_array_room(&record->entries, record->n + 1, &record->room, sizeof *record->entries,
                      loading->error))
        return -1;
    record->entries[record->n++] = (struct rc_track_entry){
        .method = method,
        .run = prediction->run_id,
        .model = prediction->model_id,
        .end = prediction->run_start + came,
        .made = prediction->made,
        .predicted = {prediction->predicted, prediction->lo90, prediction->hi90, came},
        .own = {prediction->own_predicted, prediction->own_lo90, prediction->own_hi90, came},
        .tail = tail_of(prediction)};
    fill_samples(prediction, &record->entries[record->n - 1]);
    if (prediction->run_killed) {
        record->entries[record->n - 1].killed = true;
        record->entries[record->n - 1].at_least = came;
        record->entries[record->n - 1].tail.beyond *= rc_random_evenly(record->n);
        estimate(&record->entries[record->n - 1], record->n);
    }
    return 0;
}

static int by_end(const void *a, const void *b)
{
    const struct rc_track_entry *x = a, *y = b;

    if (x->end != y->end)
        return (x->end > y->end) - (x->end < y->end);
    if (x->run != y->run)
        return (x->run > y->run) - (x->run < y->run);
    return x->method - y->method;
}

int rc_predict_track_record_load(struct rc_track_record *record, struct rc_db *db, const char *app,
                                 const char *platform, const char *const *names, size_t n_names,
                                 struct rc_error *error)
{
    struct loading loading = {record, names, n_names, error};

    if (rc_db_prediction_list(db, app, platform, true, add_entry, &loading, error))
        return -1;
    if (record->n)
        qsort(record->entries, record->n, sizeof *record->entries, by_end);
    return 0;
}

void rc_predict_track_record_free(struct rc_track_record *record)
{
    free(record->entries);
    *record = (struct rc_track_record){0};
}

struct rc_track_summary rc_predict_track_summary(const struct rc_track_record *record, int method,
                                                 double until)
{
    struct rc_track_summary summary = {.error = NAN, .held = NAN};
    double sum = 0;
    size_t held = 0, judged = 0;

    for (size_t i = 0; i < record->n && record->entries[i].end <= until; i++) {
        const struct rc_past_prediction *predicted = &record->entries[i].predicted;

        if (record->entries[i].method != method)
            continue;
        if (record->entries[i].killed) { /* shows only whether it was longer */
            judged += record->entries[i].at_least > predicted->high;
            continue;
        }
        summary.n++;
        judged++;
        sum += rc_predict_score_error(predicted->predicted, predicted->came);
        held += predicted->low <= predicted->came && predicted->came <= predicted->high;
    }
    if (summary.n)
        summary.error = sum / (double)summary.n;
    if (judged)
        summary.held = (double)held / (double)judged;
    return summary;
}

int rc_predict_track_own(const struct rc_track_record *record, int method, double until,
                         rc_track_filter *counts, const void *data,
                         struct rc_past_prediction **past, size_t *n, struct rc_error *error)
{
    size_t room = 0;

    *past = NULL;
    *n = 0;
    for (size_t i = 0; i < record->n && record->entries[i].end <= until; i++) {
        const struct rc_track_entry *entry = &record->entries[i];

        if (entry->method != method || (counts && !counts(data, entry)))
            continue;
        if (rc_array_room(past, *n + 1, &room, sizeof **past, error)) {
            free(*past);
            *past = NULL;
            return -1;
        }
        (*past)[(*n)++] = entry->own;
    }
    return 0;
}
