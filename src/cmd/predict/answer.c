// SPDX-License-Identifier: GPL-3.0-or-later
/* answer.c - 'runcast predict': asks the predictor and stores its answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/curve_plot.h"
#include "cmd/core/prediction_notes.h"
#include "cmd/core/time_limit.h"
#include "cmd/predict/predict.h"
#include "cmd/core/value_report.h"
#include "db/prediction.h"
#include "predict/scaling_curve.h"

/* ---- asking ---- */

static void fill_options(struct rc_cmd_answer *answer)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_predict_options *wanted = &answer->wanted;

    rc_predict_options_init(wanted);
    wanted->methods = answer->asked < 0 ? RC_METHODS_ALL : 1U << answer->asked;
    wanted->samples = options->samples ? (size_t)options->samples : RC_PREDICT_DRAWS;
    wanted->criterion = answer->criterion;
    wanted->parts = options->phases;
    wanted->set = options->set.items;
    wanted->n_set = options->set.n;
    wanted->uses = options->alternative.items;
    wanted->n_uses = options->alternative.n;
    wanted->omit = options->omit;
    wanted->explain = options->explain && answer->asked == RC_METHOD_STRUCTURAL;
}

static void fill_question(struct rc_cmd_answer *answer)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_question *question = &answer->report.question;

    rc_predict_question_init(question, options->app);
    question->platform = answer->platform;
    question->platform_file = answer->platform_file;
    question->size = answer->size;
    question->params = answer->params;
    question->n_params = answer->n_params;
    question->start = answer->start;
    question->given =
        (struct rc_given_load){options->cpu, options->cpu, options->bandwidth, options->bandwidth};
    question->seed = (uint64_t)options->seed;
    question->probe = options->probe ? rc_cmd_predict_probe : NULL;
    question->probe_data = answer;
}

/* Chooses what to show: the combined answer, or that of the one method. */
static void choose(struct rc_cmd_answer *answer)
{
    const struct rc_predict_answer *found = &answer->report.found;
    const struct rc_method_report *methods = found->methods;
    int asked = answer->asked;

    answer->run_model = rc_predict_run_model(answer->predictor);
    answer->structural = rc_predict_structural(answer->predictor);
    answer->report.history =
        methods[RC_METHOD_HISTORY].answered ? rc_predict_history(answer->predictor) : NULL;
    if (answer->run_model) {
        answer->pace = answer->run_model->pace;
        answer->pace_from = answer->run_model->source->hosts.speeds.from;
    }
    answer->shown = asked >= 0                               ? asked
                    : methods[RC_METHOD_REGRESSION].answered ? RC_METHOD_REGRESSION
                    : methods[RC_METHOD_STRUCTURAL].answered ? RC_METHOD_STRUCTURAL
                                                             : (int)found->best;
    answer->report.summary = asked < 0 ? found->summary : methods[asked].answer.summary;
    answer->report.method =
        asked < 0 && found->answered > 1 ? RC_COMBINED : methods[answer->shown].name;
}

int rc_cmd_predict_ask(struct rc_cmd_answer *answer, struct rc_error *error)
{
    struct rc_question *question = &answer->report.question;

    question->procs = answer->procs;
    question->hosts = (const char *const *)answer->hosts.names;
    question->n_hosts = answer->hosts.count;
    if (rc_predict_ask(answer->predictor, question, &answer->report.found, error))
        return -1;
    rc_cmd_fill_in_hints(&answer->report.found);
    if (answer->report.found.answered > 0)
        choose(answer);
    return 0;
}

/* The whole distribution, the time limit, and how earlier predictions fared. */
static int complete(struct rc_cmd_answer *answer, struct rc_db *store, struct rc_error *error)
{
    const struct rc_predict_answer *found = &answer->report.found;
    struct rc_answer_time_limit *limit = &answer->report.time_limit;
    int method = answer->asked < 0 ? RC_METHODS : answer->asked;
    const struct rc_method_answer *alone =
        answer->asked < 0 ? NULL : &found->methods[method].answer;
    const double *samples = alone ? alone->samples : found->samples;
    size_t n = alone ? alone->n_samples : found->n_samples;

    limit->risk = isnan(answer->options->risk) ? RC_CMD_RISK : answer->options->risk;
    answer->report.value = rc_value_sample(samples, n, error);
    return !answer->report.value ||
                   rc_predict_time_limit(answer->predictor, method, samples, n, limit->risk,
                                         &limit->found, error) ||
                   rc_db_prediction_held(store, answer->options->app, answer->platform,
                                         rc_predict_stored_as(method, &answer->wanted),
                                         &answer->report.predictions, &answer->report.held, error)
               ? -1
               : 0;
}

int rc_cmd_predict_lack(struct rc_cmd_answer *answer)
{
    const struct rc_method_report *part =
        &answer->report.found.methods[answer->report.found.nearest];
    struct rc_error error;

    answer->structural = rc_predict_structural(answer->predictor);
    if (answer->options->explain && answer->asked < 0 && !answer->options->json &&
        rc_cmd_predict_methods_show(answer, &error))
        return rc_cmd_predict_fail(&error, answer->options);
    if (answer->report.found.nearest == RC_METHOD_STRUCTURAL)
        return rc_cmd_predict_structure_fail(answer, &part->why);
    return rc_cmd_predict_fail(&part->why, answer->options);
}

/* ---- storing ---- */

/* If the database is read-only, the answer is shown all the same. */
void rc_cmd_predict_store(struct rc_cmd_answer *answer, bool prediction, struct rc_cmd_work *work)
{
    const struct rc_cmd_predict_options *options = answer->options;
    bool storing = prediction && !options->no_store && !answer->report.found.given;
    bool new_model = !options->no_store && rc_predict_has_models(answer->predictor);
    struct rc_db *store;
    struct rc_error error;
    char path[4096];
    int status;

    if (!storing && !new_model)
        return;
    store = rc_cmd_try_db(options->db, RC_DB_WRITE, &work->monitor, path, sizeof path, &error);
    status = store ? rc_predict_store_models(answer->predictor, store, &error) : -1;
    if (status == 0 && storing)
        status = rc_predict_store(answer->predictor, store, &answer->report.question,
                                  &answer->report.found, answer->asked < 0, &error);
    rc_db_close(store);
    answer->report.id = answer->asked < 0 ? answer->report.found.id
                                          : answer->report.found.methods[answer->asked].id;
    if (status)
        rc_cmd_note("the %s was not stored: %s", prediction ? "prediction" : "model", error.text);
}

/* The hosts of another number of processes, as in a table. */
static int place_point(void *data, struct rc_question *question, struct rc_error *error)
{
    struct rc_cmd_answer *answer = data;

    if (question->procs > rc_cmd_predict_room(answer))
        return 1;
    if (rc_cmd_predict_place(answer, question->procs, error))
        return -1;
    question->hosts = (const char *const *)answer->hosts.names;
    question->n_hosts = answer->hosts.count;
    return 0;
}

/* Whether the prediction is for a load that is given or forecast. */
static bool has_load(const struct rc_cmd_answer *answer)
{
    return rc_predict_question_is_given(&answer->report.question) ||
           (answer->hosts.count > 0 && answer->report.summary.cpu < 1);
}

int rc_cmd_predict_draw(struct rc_cmd_answer *answer, const struct rc_answer_scaled *runs, size_t n,
                        struct rc_db *db, struct rc_cmd_work *work, struct rc_error *error)
{
    const struct rc_range procs = {(double)runs[0].procs, (double)runs[n - 1].procs};
    const struct rc_predict_curve_setup setup = {.procs = answer->numbers.n > 1 ? &procs : NULL,
                                                 .place = place_point,
                                                 .data = answer};
    const struct rc_answer_time_limit *limit = &answer->report.time_limit; /* a table has none */
    const char *found = answer->report.found.hosts;
    char *hosts = found ? strdup(found) : NULL; /* part of the latest answer */
    struct rc_predict_curve curve;
    struct rc_cmd_curve_plot plot = {.path = answer->options->plot,
                                     .question = &answer->report.question,
                                     .curve = &curve,
                                     .has_load = has_load(answer),
                                     .other_load = has_load(answer),
                                     .runs = runs,
                                     .n_runs = n,
                                     .limit = limit->risk > 0 ? limit->found.seconds : (double)NAN,
                                     .risk = limit->risk};
    bool placed; /* each number of processes has its own hosts */
    int status;

    if (found && !hosts)
        return rc_error_no_memory(error);
    status = rc_predict_curve_make(answer->predictor, db, &answer->report.question, &setup, &curve,
                                   error);
    placed = curve.over_procs && answer->platform_file && !answer->options->hosts;
    plot.hosts = placed ? NULL : hosts;
    if (status == 0)
        status = rc_cmd_curve_plot(&plot, &work->monitor, error);
    rc_predict_curve_free(&curve);
    free(hosts);
    return status;
}

static int show(struct rc_cmd_answer *answer, struct rc_db *store, struct rc_cmd_work *work)
{
    const struct rc_cmd_predict_options *options = answer->options;
    const struct rc_answer_scaled run = {.procs = answer->procs, .summary = answer->report.summary};
    struct rc_error error;

    if (rc_cmd_predict_notes(answer, store, &error) || rc_cmd_predict_show(answer, &error))
        return rc_cmd_predict_fail(&error, options);
    if (options->plot && rc_cmd_predict_draw(answer, &run, 1, store, work, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

static int answer_one(struct rc_cmd_answer *answer, struct rc_db *store, struct rc_cmd_work *work)
{
    struct rc_error error;

    if (rc_cmd_predict_ask(answer, &error))
        return rc_cmd_predict_fail(&error, answer->options);
    if (answer->report.found.answered == 0)
        return rc_cmd_predict_lack(answer);
    if (rc_cmd_predict_check_reach(answer, &error) || complete(answer, store, &error))
        return rc_cmd_predict_fail(&error, answer->options);
    rc_cmd_predict_store(answer, true, work);
    return show(answer, store, work);
}

static int answer_from(struct rc_cmd_answer *answer, struct rc_db *store, struct rc_cmd_work *work)
{
    struct rc_error error;
    int status = rc_cmd_predict_take_defaults(answer, store);

    if (status != RC_EXIT_OK)
        return status;
    if (rc_cmd_predict_places(answer, &error))
        return rc_cmd_predict_fail(&error, answer->options);
    fill_options(answer);
    fill_question(answer);
    answer->predictor = rc_predict_open(store, &answer->report.question, &answer->wanted, &error);
    if (!answer->predictor)
        return rc_cmd_predict_fail(&error, answer->options);
    return answer->numbers.n > 1 ? rc_cmd_predict_table(answer, store, work)
                                 : answer_one(answer, store, work);
}

int rc_cmd_predict_answer(struct rc_cmd_answer *answer)
{
    struct rc_cmd_work work;
    struct rc_db *store;
    int status = RC_EXIT_FAILED;

    rc_cmd_work_begin(&work, "predicting");
    store = rc_cmd_open_db(answer->options->db, RC_DB_READ, &work);
    if (store)
        status = answer_from(answer, store, &work);
    rc_predict_close(answer->predictor);
    rc_db_close(store);
    rc_cmd_work_end(&work);
    return status;
}
