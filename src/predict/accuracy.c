// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.c - the accuracy of predictions of an app, past and replayed. */
#include "predict/accuracy.h"

#include <string.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "db/prediction.h"
#include "predict/predictor.h"

static bool is(const struct rc_predict_accuracy *accuracy, const char *method)
{
    return strcmp(accuracy->method, method) == 0;
}

/* Loads the predictions of a method, or RC_COMBINED. */
static int load(const struct rc_predict_accuracy *accuracy, struct rc_db *db, const char *method,
                enum rc_regression_criterion criterion, struct rc_history *history,
                struct rc_error *error)
{
    struct rc_predict_options options = {.criterion = criterion};
    int found = strcmp(method, RC_COMBINED) == 0 ? RC_METHODS : rc_predict_method_find(method);

    return rc_predict_history_load(history, db, accuracy->app, accuracy->platform,
                                   rc_predict_stored_as(found, &options), error);
}

static int load_history(struct rc_predict_accuracy *accuracy, struct rc_db *db, const char *method,
                        enum rc_regression_criterion criterion, struct rc_error *error)
{
    const char *regression = rc_predict_method_name(RC_METHOD_REGRESSION);
    bool any = !method && criterion == RC_REGRESSION_DEFAULT;

    accuracy->method = method ? method : any ? RC_COMBINED : regression;
    if (load(accuracy, db, accuracy->method, criterion, &accuracy->history, error))
        return -1;
    if (!any || accuracy->history.n + accuracy->history.waiting > 0)
        return 0;
    accuracy->method = regression;
    return load(accuracy, db, regression, criterion, &accuracy->history, error);
}

/* Beside the combined predictions, each method's for the same runs. */
static int load_methods(struct rc_predict_accuracy *accuracy, struct rc_db *db,
                        enum rc_regression_criterion criterion, struct rc_error *error)
{
    int status = 0;

    for (int m = 0; m < RC_METHODS && status == 0 && is(accuracy, RC_COMBINED); m++) {
        struct rc_method_accuracy *one = &accuracy->methods[accuracy->n_methods];
        struct rc_history history;

        *one = (struct rc_method_accuracy){.name = rc_predict_method_name((enum rc_method)m)};
        status = load(accuracy, db, one->name, criterion, &history, error);
        if (status == 0)
            status = rc_predict_history_common(&history, &accuracy->history, &one->report,
                                               &one->combined, error);
        one->waiting = history.waiting;
        one->alone = history.n - one->report.n;
        accuracy->n_methods += history.n + history.waiting > 0;
        rc_predict_history_free(&history);
    }
    return status;
}

/* Runs can be replayed with models that are fitted to them. */
static int replay(struct rc_predict_accuracy *accuracy, struct rc_db *db, size_t training,
                  const struct rc_monitor *monitor, struct rc_error *why)
{
    bool any = accuracy->history.n > 0;

    if (is(accuracy, rc_predict_method_name(RC_METHOD_REGRESSION)) || is(accuracy, RC_COMBINED))
        return rc_predict_replay(&accuracy->replay, db, accuracy->app, accuracy->platform, training,
                                 monitor, why);
    if (!is(accuracy, rc_predict_method_name(RC_METHOD_STRUCTURAL)))
        return rc_error_set(why,
                            any ? "runs are not replayed for the method %s"
                                : "no run yet that %s predicted",
                            accuracy->method);
    if (any)
        return rc_error_set(why, "structural models are not fitted to runs");
    rc_error_set(why, "no run yet that a structural model predicted");
    return rc_error_code(why, "predict.no-structural-runs", NULL);
}

/* If there are predictions without a run. */
static int find_mismatch(struct rc_predict_accuracy *accuracy, struct rc_db *db,
                         enum rc_regression_criterion criterion, struct rc_error *error)
{
    struct rc_predict_options options = {.criterion = criterion};
    int found = is(accuracy, RC_COMBINED) ? RC_METHODS : rc_predict_method_find(accuracy->method);

    return accuracy->history.waiting == 0
               ? 0
               : rc_db_prediction_mismatch(db, accuracy->app, accuracy->platform,
                                           rc_predict_stored_as(found, &options),
                                           accuracy->mismatch, error);
}

static void count_structural(struct rc_predict_accuracy *accuracy, struct rc_db *db)
{
    const struct rc_predict_options options = {.criterion = RC_REGRESSION_DEFAULT};
    const char *structural = rc_predict_stored_as(RC_METHOD_STRUCTURAL, &options);
    uint64_t covered;

    if (is(accuracy, rc_predict_method_name(RC_METHOD_REGRESSION)) &&
        rc_db_prediction_held(db, accuracy->app, accuracy->platform, structural,
                              &accuracy->structural, &covered, NULL))
        accuracy->structural = 0;
}

int rc_predict_accuracy_load(struct rc_predict_accuracy *accuracy, struct rc_db *db,
                             const char *app, const char *platform, const char *method,
                             enum rc_regression_criterion criterion, size_t training,
                             const struct rc_monitor *monitor, struct rc_error *error)
{
    int status = rc_db_hold(db, error);

    *accuracy = (struct rc_predict_accuracy){.app = app, .platform = platform};
    if (status == 0)
        status = load_history(accuracy, db, method, criterion, error);
    if (status == 0)
        status = load_methods(accuracy, db, criterion, error);
    if (status == 0)
        status = find_mismatch(accuracy, db, criterion, error);
    if (status == 0)
        count_structural(accuracy, db);
    if (status == 0 && replay(accuracy, db, training, monitor, &accuracy->no_replay) &&
        (accuracy->history.n == 0 || rc_progress_monitor_check(monitor, NULL))) {
        *error = accuracy->no_replay;
        status = -1;
    }
    rc_db_release(db);
    return status;
}

void rc_predict_accuracy_free(struct rc_predict_accuracy *accuracy)
{
    rc_predict_history_free(&accuracy->history);
    rc_predict_replay_free(&accuracy->replay);
}
