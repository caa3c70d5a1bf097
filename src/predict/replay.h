// SPDX-License-Identifier: GPL-3.0-or-later
/* replay.h - a replay of the runs of the database in their order: predictions of each by a model
 * that stays as it was after training, and by models that learn.
 *
 * After Fig. 4 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of parallel applications for
 * grid scheduling" (2008): the single model is the first of the list at the end of the training.
 * The load is that during the run, so the errors are those of the models alone. */
#ifndef RC_PREDICT_REPLAY_H
#define RC_PREDICT_REPLAY_H

#include <stdbool.h>

#include "predict/prediction_score.h"
#include "runcast.h"

enum rc_replay_model {
    RC_REPLAY_SINGLE,  /* by the paper's criterion, and never changed */
    RC_REPLAY_LIST,    /* by the paper's criterion, with the list re-ranked after every run */
    RC_REPLAY_DEFAULT, /* by the default criterion, learning too */
    RC_REPLAY_MODELS
};

struct rc_replay_run {
    int64_t id;
    double start;                       /* NAN where unknown */
    double n, p, came;                  /* seconds */
    double predicted[RC_REPLAY_MODELS]; /* NAN where that model does not exist */
    double lo90, hi90;                  /* by the default criterion */
};

/* Free with rc_predict_replay_free(). */
struct rc_predict_replay {
    size_t n_training;
    struct rc_replay_run *runs; /* those after the training */
    size_t n;
    size_t n_earlier; /* runs before the training, which were left out */
    bool by_start;    /* in the order of their starts; otherwise of their numbers */
    struct rc_predict_score_report all[RC_REPLAY_MODELS];
    struct rc_error why[2]; /* for which the paper's (0), the default criterion (1) have none */
};

/* The default number of runs to train on: the paper's 60, or the first half of fewer than 120. */
enum { RC_REPLAY_TRAINING = 60 };
/* The runs that are predicted, at most: the latest. */
enum { RC_REPLAY_MOST = 2000 };

/* `training` 0: as above.  -1 where there are too few runs for any. */
int rc_predict_replay(struct rc_predict_replay *replay, struct rc_db *store, const char *app,
                      const char *platform, size_t training, const struct rc_monitor *monitor,
                      struct rc_error *error);
void rc_predict_replay_free(struct rc_predict_replay *replay);

/* The absolute percentage error of one run, as a fraction. */
double rc_predict_replay_error(const struct rc_replay_run *run, enum rc_replay_model which);

/* Sums up the runs from `first` to before `end`, by one model. */
int rc_predict_replay_part(const struct rc_predict_replay *replay, size_t first, size_t end,
                           enum rc_replay_model which, struct rc_predict_score_report *report,
                           struct rc_error *error);

#endif
