// SPDX-License-Identifier: GPL-3.0-or-later
/* prospect.h - what several series of one kind will do together, from what the store has of their
 * past: futures (futures.h) that go as far as is asked for, or as the past allows. */
#ifndef RC_FORECAST_PROSPECT_H
#define RC_FORECAST_PROSPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "runcast.h"
#include "db/series.h"

/* Samples that are older than this, in seconds, tell nothing of what comes next. */
#define RC_PROSPECT_OLD 86400.0
/* What was longer ago is not read. */
#define RC_PROSPECT_PAST (14 * 86400.0)

/* Fewer samples tell nothing of how a series changes. */
enum { RC_PROSPECT_LEAST = 26 };

struct rc_prospect;

/* The future begins at `at`.  NULL where memory runs out.  Destroy with rc_forecast_prospect_destroy(). */
struct rc_prospect *rc_forecast_prospect_create(double at, struct rc_error *error);
void rc_forecast_prospect_destroy(struct rc_prospect *prospect);

/* Reads a series, as the next one.  1: it is there; 0: it has no sample in the day before, and is
 * not taken; -1: reading fails. */
int rc_forecast_prospect_add(struct rc_prospect *prospect, struct rc_db *store,
                             const struct rc_series_key *key, struct rc_error *error);
/* The same of samples that are not in the store, by rising time; what comes after the start is not
 * looked at, and none of them are kept. */
int rc_forecast_prospect_add_samples(struct rc_prospect *prospect, const struct rc_sample *samples,
                                     size_t n, struct rc_error *error);
/* The same of samples that the prospect takes, and frees, whatever is returned. */
int rc_forecast_prospect_take(struct rc_prospect *prospect, struct rc_sample *samples, size_t n,
                              struct rc_error *error);
/* Some of the series of another prospect, which must outlive it: nothing is read again.  Further
 * series cannot be added.  NULL where memory runs out. */
struct rc_prospect *rc_forecast_prospect_part(const struct rc_prospect *whole, const size_t *series,
                                              size_t n, struct rc_error *error);
/* Takes the last one out again. */
void rc_forecast_prospect_drop_last(struct rc_prospect *prospect);

size_t rc_forecast_prospect_series(const struct rc_prospect *prospect);
/* The oldest of the series' newest samples; INFINITY where there is no series. */
double rc_forecast_prospect_newest(const struct rc_prospect *prospect);
/* What is known of one series. */
struct rc_forecast_prospect_facts {
    size_t n;      /* samples */
    double newest; /* when */
    double step;   /* between its last samples, on average; NAN where there is one alone */
    double most;   /* its largest value */
};
void rc_forecast_prospect_facts(const struct rc_prospect *prospect, size_t series,
                                struct rc_forecast_prospect_facts *facts);
/* The mean of a series over its last samples: how it is now. */
double rc_forecast_prospect_lately(const struct rc_prospect *prospect, size_t series);
/* The mean of all of its samples. */
double rc_forecast_prospect_mean(const struct rc_prospect *prospect, size_t series);

/* Gets ready to draw futures of `*seconds`, or of half the past where that is shorter: then that is
 * put there.  Where the past is too short to know how the series change, they are taken to stay as
 * they are, and `*steady` is set; otherwise it is left alone. */
int rc_forecast_prospect_look(struct rc_prospect *prospect, double *seconds, bool *steady,
                              struct rc_error *error);

/* Value j of series s, values[s * n + j], holds from j * step to (j + 1) * step seconds after the
 * start. */
struct rc_prospect_paths {
    const double *values;
    size_t n_series, n; /* n = 0: they stay as they are, rc_forecast_prospect_lately() */
    double step;
};

/* Draws one future.  What it points to belongs to the prospect, and changes with the next one. */
void rc_forecast_prospect_draw(struct rc_prospect *prospect, struct rc_random *random,
                               struct rc_prospect_paths *paths);

#endif
