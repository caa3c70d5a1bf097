// SPDX-License-Identifier: GPL-3.0-or-later
/* predicted_runs.c - past predictions and the runs that followed. */
#include "predict/predicted_runs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "db/prediction.h"

struct loading {
    struct rc_history *history;
    const char *stored_as;
    size_t room;
    struct rc_error *error;
};

/* Where the time of the run is in the distribution that was predicted. */
static double quantile_of(const struct rc_prediction *prediction)
{
    const double *quantiles = prediction->quantiles;
    double came = prediction->run_seconds;
    size_t below = 0, n = prediction->n_quantiles;

    if (n < 2 || prediction->run_killed)
        return NAN;
    while (below < n && quantiles[below] <= came)
        below++;
    if (below == 0 || below == n)
        return below > 0;
    return ((double)(below - 1) +
            (came - quantiles[below - 1]) / (quantiles[below] - quantiles[below - 1])) /
           (double)(n - 1);
}

static int add_prediction(void *data, const struct rc_prediction *prediction)
{
    struct loading *loading = data;
    struct rc_history *history = loading->history;

    if (strcmp(prediction->method, loading->stored_as) != 0)
        return 0;
    if (rc_array_room(&history->entries, history->n + 1, &loading->room, sizeof *history->entries,
                      loading->error))
        return -1;
    history->entries[history->n++] = (struct rc_history_entry){.run = prediction->run_id,
                                                               .start = prediction->run_start,
                                                               .n = prediction->n,
                                                               .p = prediction->p,
                                                               .predicted = prediction->predicted,
                                                               .lo90 = prediction->lo90,
                                                               .hi90 = prediction->hi90,
                                                               .came = prediction->run_seconds,
                                                               .killed = prediction->run_killed,
                                                               .quantile = quantile_of(prediction)};
    return 0;
}

static int count_waiting(void *data, const struct rc_prediction *prediction)
{
    struct loading *loading = data;

    loading->history->waiting +=
        !prediction->run_id && strcmp(prediction->method, loading->stored_as) == 0;
    return 0;
}

static int by_run(const void *a, const void *b)
{
    int64_t x = ((const struct rc_history_entry *)a)->run;
    int64_t y = ((const struct rc_history_entry *)b)->run;

    return (x > y) - (x < y);
}

/* Of n entries, those that have their run among `others`, which are sorted by runs; NULL: all. */
static int sum_up(const struct rc_history_entry *entries, size_t n,
                  const struct rc_history_entry *others, size_t n_others,
                  struct rc_predict_score_report *report, struct rc_error *error)
{
    struct rc_score score;
    int status = rc_predict_score_begin(&score, error);

    for (size_t i = 0; i < n && status == 0; i++) {
        const struct rc_history_entry *entry = &entries[i];

        if (others && !bsearch(entry, others, n_others, sizeof *others, by_run))
            continue;
        if (entry->killed)
            rc_predict_score_add_killed(&score, entry->hi90, entry->came);
        else
            rc_predict_score_add(&score, entry->predicted, entry->lo90, entry->hi90, entry->came);
    }
    if (status == 0)
        rc_predict_score_report(&score, report);
    rc_predict_score_free(&score);
    return status;
}

int rc_predict_history_part(const struct rc_history *history, size_t first, size_t end,
                            struct rc_predict_score_report *report, struct rc_error *error)
{
    assert(first <= end && end <= history->n);
    return sum_up(history->n ? history->entries + first : NULL, end - first, NULL, 0, report,
                  error);
}

/* The entries by their runs, to be freed. */
static struct rc_history_entry *sort_by_run(const struct rc_history *history)
{
    struct rc_history_entry *sorted = calloc(history->n + 1, sizeof *sorted);

    if (sorted && history->n > 0) {
        memcpy(sorted, history->entries, history->n * sizeof *sorted);
        qsort(sorted, history->n, sizeof *sorted, by_run);
    }
    return sorted;
}

int rc_predict_history_common(const struct rc_history *a, const struct rc_history *b,
                              struct rc_predict_score_report *of_a,
                              struct rc_predict_score_report *of_b, struct rc_error *error)
{
    struct rc_history_entry *in_a = sort_by_run(a), *in_b = sort_by_run(b);
    int status = in_a && in_b ? 0 : rc_error_no_memory(error);

    if (status == 0)
        status = sum_up(a->entries, a->n, in_b, b->n, of_a, error);
    if (status == 0)
        status = sum_up(b->entries, b->n, in_a, a->n, of_b, error);
    free(in_a);
    free(in_b);
    return status;
}

int rc_predict_history_load(struct rc_history *history, struct rc_db *db, const char *app,
                            const char *platform, const char *stored_as, struct rc_error *error)
{
    struct loading loading = {history, stored_as, 0, error};

    *history = (struct rc_history){0};
    if (rc_db_prediction_list(db, app, platform, true, add_prediction, &loading, error) ||
        rc_db_prediction_list(db, app, platform, false, count_waiting, &loading, error))
        return -1;
    return rc_predict_history_part(history, 0, history->n, &history->all, error);
}

void rc_predict_history_free(struct rc_history *history)
{
    free(history->entries);
    *history = (struct rc_history){0};
}
