// SPDX-License-Identifier: GPL-3.0-or-later
/* replay.c - the runs of the database once more, in the order in which they came. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "predict/run_time_distribution.h"
#include "predict/replay.h"
#include "predict/regression_source.h"
#include "model/regression/fit.h"

enum { DRAWS = 400, LEAST_TRAINING = 4 };

/* ---- the order ---- */

struct place {
    int64_t id;
    double start;
    size_t row; /* of the table */
};

static int by_start(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* The starts of the table's runs, which come by rising id as the table's do. */
static int read_starts(struct rc_db *store, const char *app, const char *platform,
                       const struct rc_regression_table *table, struct place *places, bool *known,
                       struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    size_t n = 0;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = app;
    filter.platform = platform;
    filter.status = RC_RUN_OK;
    cursor = rc_db_run_find(store, &filter, RC_FIELD_START, error);
    if (!cursor)
        return -1;
    *known = true;
    while ((got = rc_db_run_next(cursor, &run, error)) > 0 && n < table->n_runs)
        if (run.id == table->runs[n].id) {
            places[n] = (struct place){run.id, run.start, n};
            *known = *known && !isnan(run.start);
            n++;
        }
    rc_db_run_cursor_close(cursor);
    return got < 0              ? -1
           : n == table->n_runs ? 0
                                : rc_error_set(error, "the runs were changed meanwhile");
}

/* The table in the order in which the runs came, and their starts. */
static int put_in_order(struct rc_db *store, const char *app, const char *platform,
                        struct rc_regression_table *table, double *starts, bool *ordered,
                        struct rc_error *error)
{
    struct place *places = calloc(table->n_runs, sizeof *places);
    struct rc_regression_run *runs = calloc(table->n_runs, sizeof *runs);
    int status = places && runs ? 0 : rc_error_no_memory(error);

    if (status == 0)
        status = read_starts(store, app, platform, table, places, ordered, error);
    if (status == 0) {
        if (*ordered)
            qsort(places, table->n_runs, sizeof *places, by_start);
        for (size_t i = 0; i < table->n_runs; i++) {
            runs[i] = table->runs[places[i].row];
            starts[i] = places[i].start;
        }
        free(table->runs);
        table->runs = runs;
        table->capacity = table->n_runs;
        runs = NULL;
    }
    free(places);
    free(runs);
    return status;
}

/* ---- the models ---- */

struct models {
    struct rc_regression_model *single;
    struct rc_regression_learner *list, *own;
    struct rc_random *random;
    size_t n_killed; /* killed runs that were learned from */
    double draws[DRAWS];
};

static void free_models(struct models *models)
{
    rc_regression_model_destroy(models->single);
    rc_regression_learner_destroy(models->list);
    rc_regression_learner_destroy(models->own);
    rc_random_destroy(models->random);
}

static int train(struct models *models, const struct rc_regression_table *table,
                 struct rc_predict_replay *replay, struct rc_error *error)
{
    struct rc_regression_table training = *table;
    struct rc_regression_model *model;

    training.n_runs = replay->n_training;
    while (training.n_killed > 0 &&
           training.killed[training.n_killed - 1].id > table->runs[training.n_runs].id)
        training.n_killed--;
    models->n_killed = training.n_killed;
    models->random = rc_random_create(1, 0);
    if (!models->random)
        return rc_error_no_memory(error);
    models->single = rc_regression_fit(&training, RC_REGRESSION_PAPER, &replay->why[0]);
    if (models->single)
        models->list = rc_regression_learner_create(&training, models->single, RC_REGRESSION_PAPER,
                                                    &replay->why[0]);
    model = rc_regression_fit(&training, RC_REGRESSION_DEFAULT, &replay->why[1]);
    if (model)
        models->own =
            rc_regression_learner_create(&training, model, RC_REGRESSION_DEFAULT, &replay->why[1]);
    rc_regression_model_destroy(model);
    if (models->list || models->own)
        return 0;
    if (error)
        *error = replay->why[1];
    return -1;
}

static void ask(const struct rc_regression_model *model, const struct rc_regression_run *run,
                struct rc_regression_question *question, struct rc_predict_load *load)
{
    *question = (struct rc_regression_question){.n = run->n, .p = run->p, .bytes = run->bytes};
    for (size_t i = 0; i < RC_REGRESSION_PARAMS_MAX; i++)
        question->params[i] = run->params[i];
    for (int stat = 0; stat < RC_REGRESSION_STATS; stat++) {
        load->cpu[stat] = run->cpu[stat];
        load->bw[stat] = run->bw[stat];
    }
    rc_predict_load_complete(model, load);
}

static double one_number(const struct rc_regression_model *model,
                         const struct rc_regression_run *run)
{
    struct rc_regression_question question;
    struct rc_predict_load load;

    ask(model, run, &question, &load);
    return rc_regression_seconds_at(model, &question, load.cpu, load.bw);
}

static int predict_run(struct models *models, const struct rc_regression_run *run,
                       struct rc_replay_run *out, struct rc_error *error)
{
    out->lo90 = out->hi90 = NAN;
    for (int which = 0; which < RC_REPLAY_MODELS; which++)
        out->predicted[which] = NAN;
    if (models->list) {
        out->predicted[RC_REPLAY_SINGLE] = one_number(models->single, run);
        out->predicted[RC_REPLAY_LIST] = one_number(rc_regression_learner_model(models->list), run);
        if (rc_regression_learner_add(models->list, run, error))
            return -1;
    }
    if (models->own) {
        const struct rc_regression_model *model = rc_regression_learner_model(models->own);
        struct rc_predict_summary summary;
        struct rc_regression_question question;
        struct rc_predict_load load;

        ask(model, run, &question, &load);
        rc_predict_at_load(model, &question, &load, models->random, models->draws, DRAWS, &summary);
        out->predicted[RC_REPLAY_DEFAULT] = summary.predicted;
        out->lo90 = summary.lo90;
        out->hi90 = summary.hi90;
        if (rc_regression_learner_add(models->own, run, error))
            return -1;
    }
    return 0;
}

/* Learns from the killed runs that were stored before a run. */
static int learn_killed(struct models *models, const struct rc_regression_table *table, int64_t id,
                        struct rc_error *error)
{
    for (; models->own && models->n_killed < table->n_killed &&
           table->killed[models->n_killed].id < id;
         models->n_killed++)
        if (rc_regression_learner_add(models->own, &table->killed[models->n_killed], error))
            return -1;
    return 0;
}

/* ---- the replay ---- */

static int play(struct rc_predict_replay *replay, const struct rc_regression_table *table,
                const double *starts, const struct rc_monitor *monitor, struct rc_error *error)
{
    struct models *models = calloc(1, sizeof *models);
    int status = models ? train(models, table, replay, error) : rc_error_no_memory(error);

    for (size_t i = replay->n_training; i < table->n_runs && status == 0; i++) {
        struct rc_replay_run *out = &replay->runs[replay->n++];
        const struct rc_regression_run *run = &table->runs[i];

        *out = (struct rc_replay_run){
            .id = run->id, .start = starts[i], .n = run->n, .p = run->p, .came = run->seconds};
        rc_progress_monitor_advance(monitor, i, table->n_runs);
        status = rc_progress_monitor_check(monitor, error);
        if (status == 0)
            status = learn_killed(models, table, run->id, error);
        if (status == 0)
            status = predict_run(models, run, out, error);
    }
    if (models)
        free_models(models);
    free(models);
    return status;
}

static int choose_training(struct rc_predict_replay *replay, size_t n_runs, size_t training,
                           const char *app, struct rc_error *error)
{
    if (n_runs <= LEAST_TRAINING) {
        rc_error_set(error, "%zu run%s of '%s': too few to replay", n_runs, n_runs == 1 ? "" : "s",
                     app);
        return rc_error_hint(
            error, "models are trained on %d runs or more, and predict the runs after them",
            LEAST_TRAINING);
    }
    replay->n_training = training ? training : RC_REPLAY_TRAINING;
    if (!training && n_runs < 2 * RC_REPLAY_TRAINING)
        replay->n_training = n_runs < 2 * LEAST_TRAINING ? LEAST_TRAINING : n_runs / 2;
    if (replay->n_training >= n_runs)
        return rc_error_set(error, "no run is left to predict: %zu of %zu runs are for training",
                            n_runs, replay->n_training);
    return 0;
}

/* Of very many runs, the latest: every one that is learned takes its time. */
static void leave_out_earlier(struct rc_predict_replay *replay, struct rc_regression_table *table,
                              double *starts)
{
    size_t most = replay->n_training + RC_REPLAY_MOST;

    if (table->n_runs <= most)
        return;
    replay->n_earlier = table->n_runs - most;
    memmove(table->runs, table->runs + replay->n_earlier, most * sizeof *table->runs);
    memmove(starts, starts + replay->n_earlier, most * sizeof *starts);
    table->n_runs = most;
}

static int load_and_play(struct rc_predict_replay *replay, struct rc_db *store,
                         const struct rc_regression_wanted *wanted, size_t training,
                         const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_regression_table table = {0};
    double *starts = NULL;
    int status = rc_regression_table_load(&table, store, wanted, error);

    if (status == 0)
        status = choose_training(replay, table.n_runs, training, wanted->app, error);
    if (status == 0) {
        starts = calloc(table.n_runs, sizeof *starts);
        status = starts ? put_in_order(store, wanted->app, wanted->platform, &table, starts,
                                       &replay->by_start, error)
                        : rc_error_no_memory(error);
    }
    if (status == 0) {
        leave_out_earlier(replay, &table, starts);
        replay->runs = calloc(table.n_runs - replay->n_training, sizeof *replay->runs);
        status =
            replay->runs ? play(replay, &table, starts, monitor, error) : rc_error_no_memory(error);
    }
    free(starts);
    rc_regression_table_free(&table);
    return status;
}

int rc_predict_replay(struct rc_predict_replay *replay, struct rc_db *store, const char *app,
                      const char *platform, size_t training, const struct rc_monitor *monitor,
                      struct rc_error *error)
{
    struct rc_regression_speeds speeds;
    struct rc_regression_wanted wanted = {
        .app = app, .platform = platform, .process = -1, .speeds = &speeds};
    int status;

    *replay = (struct rc_predict_replay){0};
    if (rc_predict_speeds_kept(store, app, platform, &speeds, error))
        return -1;
    status = load_and_play(replay, store, &wanted, training, monitor, error);
    rc_regression_speeds_free(&speeds);
    for (int which = 0; which < RC_REPLAY_MODELS && status == 0; which++)
        status = rc_predict_replay_part(replay, 0, replay->n, (enum rc_replay_model)which,
                                        &replay->all[which], error);
    if (status)
        rc_predict_replay_free(replay);
    return status;
}

void rc_predict_replay_free(struct rc_predict_replay *replay)
{
    free(replay->runs);
    *replay = (struct rc_predict_replay){0};
}

double rc_predict_replay_error(const struct rc_replay_run *run, enum rc_replay_model which)
{
    return rc_predict_score_error(run->predicted[which], run->came);
}

int rc_predict_replay_part(const struct rc_predict_replay *replay, size_t first, size_t end,
                           enum rc_replay_model which, struct rc_predict_score_report *report,
                           struct rc_error *error)
{
    struct rc_score score;
    int status = rc_predict_score_begin(&score, error);

    for (size_t i = first; i < end && status == 0; i++) {
        const struct rc_replay_run *run = &replay->runs[i];
        bool own = which == RC_REPLAY_DEFAULT;

        if (!isnan(run->predicted[which]))
            rc_predict_score_add(&score, run->predicted[which], own ? run->lo90 : (double)NAN,
                                 own ? run->hi90 : (double)NAN, run->came);
    }
    if (status == 0)
        rc_predict_score_report(&score, report);
    rc_predict_score_free(&score);
    return status;
}
