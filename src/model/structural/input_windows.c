// SPDX-License-Identifier: GPL-3.0-or-later
/* input_windows.c - inputs that come from a window of a series in the database.
 *
 * Draws are taken at instants that all series of an evaluation share, so that hosts which are busy
 * at the same time are busy in the same draws.  A window that reaches further back than the series
 * does begins with its first sample. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/series/series_value.h"
#include "db/series.h"
#include "model/structural/binding_internal.h"

/* From which time to which. */
static void window_ends(const struct rc_binding *binding, const struct rc_item *item, double *from,
                        double *to)
{
    const struct rc_model_setting *setting = &binding->setting;

    *from = isnan(setting->until) ? setting->now - item->window : setting->now;
    *to = isnan(setting->until) ? setting->now : setting->until;
}

static struct rc_window *new_window(struct rc_binding *binding, const char *key,
                                    struct rc_error *error)
{
    struct rc_window *window = calloc(1, sizeof *window + strlen(key) + 1), *added;

    if (!window)
        return rc_error_null(rc_error_no_memory(error));
    strcpy(window->key, key);
    HASH_ADD_STR(binding->windows, key, window);
    HASH_FIND_STR(binding->windows, key, added);
    if (added == window)
        return window;
    free(window);
    rc_error_no_memory(error);
    return NULL;
}

/* A part of a window that is lacking, from which on it is worth a word. */
static const double worth_saying = 0.05;

/* Before the run: a beginning that is lacking, and an end that is old. */
static void note_on_past(struct rc_binding *binding, const struct rc_item *item, const char *name,
                         const struct rc_window *window, double from)
{
    const struct rc_sample *samples = window->samples;
    size_t n = window->n;
    double age = window->to - samples[n - 1].t, step;

    if (window->from - from > worth_saying * (window->to - from))
        rc_structural_bound_note(binding, RC_NOTE_SHORT_WINDOW, item, name, window->from - from,
                                 window->to - from);
    if (n < 2)
        return;
    step = (samples[n - 1].t - samples[0].t) / (double)(n - 1);
    if (age > RC_BOUND_OLD_STEPS * step)
        rc_structural_bound_note(binding, RC_NOTE_OLD, item, name, age, step);
}

static void note_on_window(struct rc_binding *binding, const struct rc_item *item,
                           const char *const *indices, size_t n_indices,
                           const struct rc_window *window, double from)
{
    double most = -INFINITY;
    char name[RC_REASON_SIZE];

    rc_structural_bound_name(item, indices, n_indices, name);
    if (isnan(binding->setting.until))
        note_on_past(binding, item, name, window, from);
    else if (!(window->samples[window->n - 1].t > from))
        rc_structural_bound_note(binding, RC_NOTE_UNSEEN, item, name, 0, 0);
    for (size_t i = 0; i < window->n; i++)
        most = fmax(most, window->samples[i].value);
    if (strcmp(item->metric, "cpu") == 0 && most > RC_BOUND_ONE)
        rc_structural_bound_note(binding, RC_NOTE_ABOVE_ONE, item, name, most, 1);
}

static int check_source(const struct rc_binding *binding, const struct rc_item *item,
                        struct rc_error *error)
{
    if (!binding->setting.db)
        return rc_error_set(error, "%s comes from the database, but there is none", item->name);
    if (isnan(binding->setting.now))
        return rc_error_set(error, "%s comes from a series, but the start of the run is not known",
                            item->name);
    return 0;
}

/* Reads a window once; one that is not there is an error each time. */
static struct rc_window *find_window(struct rc_binding *binding, const struct rc_item *item,
                                     const char *const *indices, size_t n_indices,
                                     struct rc_error *error)
{
    const struct rc_series_key series = {.host = indices[0],
                                         .peer = n_indices > 1 ? indices[1] : "",
                                         .metric = item->metric};
    char key[2 * RC_EXPRESSION_NAME_MAX + 512];
    struct rc_window *window;
    struct rc_sample *samples;
    double from, to;
    size_t n;

    if (check_source(binding, item, error))
        return NULL;
    window_ends(binding, item, &from, &to);
    snprintf(key, sizeof key, "%s\n%s\n%.200s\n%.17g", series.host, series.peer, item->metric,
             from);
    HASH_FIND_STR(binding->windows, key, window);
    if (window)
        return window;
    if (rc_db_series_load(binding->setting.db, &series, from, to, &samples, &n, error)) {
        /* In a short run there may be no sample; what was measured shortly before still held. */
        if (isnan(binding->setting.until) ||
            rc_db_series_load(binding->setting.db, &series, to - item->window, to, &samples, &n,
                              NULL))
            return NULL;
        if (error)
            memset(error, 0, sizeof *error);
    }
    window = new_window(binding, key, error);
    if (!window) {
        free(samples);
        return NULL;
    }
    window->samples = samples;
    window->n = n;
    window->from = fmax(from, samples[0].t);
    window->to = to;
    note_on_window(binding, item, indices, n_indices, window, from);
    return window;
}

bool rc_structural_bound_has_series(struct rc_binding *binding, const struct rc_item *item,
                                    const char *const *indices, size_t n_indices)
{
    return find_window(binding, item, indices, n_indices, NULL) != NULL;
}

void rc_structural_bound_windows_free(struct rc_binding *binding)
{
    struct rc_window *window, *next;

    HASH_ITER(hh, binding->windows, window, next)
    {
        HASH_DEL(binding->windows, window);
        free(window->samples);
        free(window);
    }
}

/* The instants, as fractions of a window; the same for all series of an evaluation. */
static int make_instants(struct rc_bound_context *context, struct rc_error *error)
{
    size_t n = context->rules->draws;

    if (context->instants)
        return 0;
    context->instants = malloc(2 * n * sizeof *context->instants);
    if (!context->instants)
        return rc_error_no_memory(error);
    rc_series_instants(0, 1, context->rules->random, context->instants, n);
    context->n_instants = n;
    return 0;
}

/* The mean of what draws would give: samples count by the time that they stand for. */
static struct rc_value *mean_over_time(const struct rc_window *window, struct rc_error *error)
{
    enum { STEPS = 2000 };
    double *at = malloc(STEPS * sizeof *at);
    struct rc_value *held, *mean = NULL;

    if (!at)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < STEPS; i++)
        at[i] = window->from + ((double)i + 0.5) / STEPS * (window->to - window->from);
    held = rc_series_value_at(window->samples, window->n, at, STEPS, error);
    if (held)
        mean = rc_value_point(rc_value_mean(held), error);
    rc_value_drop(held);
    free(at);
    return mean;
}

/* A kind other than draws, from the samples in the window; of one alone, that. */
static struct rc_value *value_of_samples(const struct rc_window *window, double from,
                                         enum rc_value_kind kind, struct rc_error *error)
{
    size_t skip = window->n > 1 && window->samples[0].t < from ? 1 : 0;
    size_t n = window->n - skip;

    return rc_series_value(window->samples + skip, n, n > 1 ? kind : RC_POINT, NULL, error);
}

/* The instant at that part of the time from `from` on.  Where nothing is known of it, another one
 * stands for it, at the same part of what is known: never one that would be made up. */
static double instant(const struct rc_window *window, double from, double part)
{
    double at = from + part * (window->to - from);

    return at >= window->from
               ? at
               : window->from + (at - from) / (window->from - from) * (window->to - window->from);
}

struct rc_value *rc_structural_bound_series(struct rc_bound_context *context,
                                            const struct rc_item *item, const char *const *indices,
                                            size_t n_indices, struct rc_error *error)
{
    struct rc_window *window = find_window(context->binding, item, indices, n_indices, error);
    enum rc_value_kind kind = item->window_kind >= 0 ? (enum rc_value_kind)item->window_kind
                              : context->modal       ? RC_MODAL
                                                     : RC_SAMPLE;
    double from, to, *at;

    if (!window)
        return NULL;
    window_ends(context->binding, item, &from, &to);
    if (kind != RC_SAMPLE) /* of the samples of the window alone */
        return value_of_samples(window, from, kind, error);
    if (!context->rules->random)
        return mean_over_time(window, error);
    if (make_instants(context, error))
        return NULL;
    at = context->instants + context->n_instants;
    for (size_t i = 0; i < context->n_instants; i++)
        at[i] = instant(window, from, context->instants[i]);
    return rc_series_value_at(window->samples, window->n, at, context->n_instants, error);
}
