// SPDX-License-Identifier: GPL-3.0-or-later
/* track_record.h - past accuracy of the predictions of an app, by method, read once. */
#ifndef RC_PREDICT_TRACK_RECORD_H
#define RC_PREDICT_TRACK_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "predict/recalibrate.h"
#include "predict/time_limit.h"
#include "runcast.h"

enum { RC_TRACK_SAMPLES = 50 };

/* A prediction whose run is in the database. */
struct rc_track_entry {
    int method; /* index into the names that the record was loaded for */
    int64_t run, model;
    double end;      /* of the run */
    bool killed;     /* the run was killed: its time is drawn from the samples that are longer */
    double at_least; /* the time after which it was killed */
    double made;     /* the prediction */
    struct rc_past_prediction predicted; /* as it was reported, ... */
    struct rc_past_prediction own;       /* ... and before it was corrected; */
    double samples[RC_TRACK_SAMPLES];    /* the distribution before it was corrected; they rise */
    struct rc_time_limit_past tail;      /* of the distribution as it was reported; NAN: unknown */
};

/* By rising end of the runs; entries of one run stand together.  Start from {0}; free with
 * rc_predict_track_record_free(). */
struct rc_track_record {
    struct rc_track_entry *entries;
    size_t n, room;
};

/* Loads the predictions of `app` on `platform` (NULL: any) that have their run and are stored under
 * one of these names. */
int rc_predict_track_record_load(struct rc_track_record *record, struct rc_db *db, const char *app,
                                 const char *platform, const char *const *names, size_t n_names,
                                 struct rc_error *error);
/* Leaves it as {0}. */
void rc_predict_track_record_free(struct rc_track_record *record);

/* The accuracy of one method for runs that had ended by a time. */
struct rc_track_summary {
    size_t n;
    double error; /* mean absolute percentage error, as a fraction; NAN: there are none */
    double held;  /* coverage of the 90 % intervals; NAN likewise */
};
struct rc_track_summary rc_predict_track_summary(const struct rc_track_record *record, int method,
                                                 double until);

/* Whether an entry may be learned from. */
typedef bool rc_track_filter(const void *data, const struct rc_track_entry *entry);

/* The uncorrected predictions of one method for these runs, of those that `counts` (NULL: all), by
 * rising end, in an array that the caller frees.  NULL with *n 0 if there are none. */
int rc_predict_track_own(const struct rc_track_record *record, int method, double until,
                         rc_track_filter *counts, const void *data,
                         struct rc_past_prediction **past, size_t *n, struct rc_error *error);

#endif
