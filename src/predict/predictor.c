// SPDX-License-Identifier: GPL-3.0-or-later
/* predictor.c - a question about a run, to every method that has what it needs. */
#include "predict/predictor.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "predict/predictor_internal.h"

/* ---- opening ---- */

static int make_room(struct rc_predictor *predictor, struct rc_error *error)
{
    size_t n = predictor->options.samples;

    predictor->block = calloc((RC_METHODS + 1) * n, sizeof *predictor->block);
    if (!predictor->block)
        return rc_error_no_memory(error);
    for (size_t m = 0; m < RC_METHODS; m++)
        predictor->methods[m].samples = predictor->block + m * n;
    predictor->combined = predictor->block + RC_METHODS * n;
    return 0;
}

static int open_methods(struct rc_predictor *predictor, struct rc_error *error)
{
    for (int m = 0; m < RC_METHODS; m++) {
        struct rc_error why = {.text = ""};
        enum rc_method_result result;

        if (!(predictor->options.methods & 1U << m))
            continue;
        result = rc_methods[m]->open(&predictor->setup, &predictor->methods[m].state, &why);
        predictor->methods[m].open = result == RC_METHOD_ANSWERED;
        predictor->methods[m].why = why;
        if (result == RC_METHOD_ERROR) {
            if (error)
                *error = why;
            return -1;
        }
    }
    return 0;
}

static int load_record(struct rc_predictor *predictor, struct rc_error *error)
{
    const char *names[RC_METHODS + 1];

    for (int m = 0; m <= RC_METHODS; m++)
        names[m] = rc_predict_stored_as(m, &predictor->options);
    return rc_predict_track_record_load(&predictor->record, predictor->setup.db,
                                        predictor->setup.app, predictor->setup.platform, names,
                                        RC_METHODS + 1, error);
}

struct rc_predictor *rc_predict_open(struct rc_db *db, const struct rc_question *question,
                                     const struct rc_predict_options *options,
                                     struct rc_error *error)
{
    struct rc_predictor *predictor = calloc(1, sizeof *predictor);

    if (!predictor) {
        rc_error_no_memory(error);
        return NULL;
    }
    predictor->options = *options;
    predictor->setup = (struct rc_method_setup){.db = db,
                                                .app = question->app,
                                                .platform = question->platform,
                                                .platform_file = question->platform_file,
                                                .options = &predictor->options,
                                                .runs = &predictor->runs,
                                                .record = &predictor->record};
    if (make_room(predictor, error) == 0 && open_methods(predictor, error) == 0 &&
        load_record(predictor, error) == 0)
        return predictor;
    rc_predict_close(predictor);
    return NULL;
}

void rc_predict_close(struct rc_predictor *predictor)
{
    if (!predictor)
        return;
    for (int m = 0; m < RC_METHODS; m++)
        rc_methods[m]->close(predictor->methods[m].state);
    rc_predict_source_free(&predictor->runs.source);
    rc_regression_speeds_free(&predictor->runs.speeds);
    rc_predict_track_record_free(&predictor->record);
    free(predictor->block);
    free(predictor->hosts);
    free(predictor);
}

unsigned rc_predict_open_models(const struct rc_predictor *predictor)
{
    unsigned methods = 0;

    for (int m = 0; m < RC_METHODS; m++)
        methods |= predictor->methods[m].open && rc_methods[m]->from_model ? 1U << m : 0;
    return methods;
}

const struct rc_error *rc_predict_unavailable(const struct rc_predictor *predictor,
                                              enum rc_method method)
{
    return (predictor->options.methods & 1U << method) && !predictor->methods[method].open
               ? &predictor->methods[method].why
               : NULL;
}

/* ---- asking ---- */

/* Whether the question is one that the method can be asked, whatever it has read. */
static bool is_its_question(const struct rc_method_ops *ops, const struct rc_question *question,
                            struct rc_error *why)
{
    if (rc_predict_question_is_given(question) && !ops->knows_given_load) {
        rc_error_set(why, "cannot use a given load; regression can");
        rc_error_code(why, "predict.given-load", NULL);
        return false;
    }
    if (question->idle && !ops->knows_idle) {
        rc_error_set(why, "cannot predict a dedicated run");
        return false;
    }
    if (!ops->knows_any_run && (isnan(question->size) || question->procs < 1)) {
        rc_error_set(why, "needs the problem size and the number of processes");
        return false;
    }
    return true;
}

static int ask_method(struct rc_predictor *predictor, int method,
                      const struct rc_question *question, struct rc_method_report *report,
                      struct rc_error *error)
{
    const struct rc_method_ops *ops = rc_methods[method];
    enum rc_method_result result;
    struct rc_random *random;

    report->factor = 1;
    report->record = rc_predict_track_summary(&predictor->record, method, question->start);
    report->why = predictor->methods[method].why;
    if (!predictor->methods[method].open || !is_its_question(ops, question, &report->why))
        return 0;
    random = rc_random_create(question->seed, 0);
    if (!random)
        return rc_error_no_memory(error);
    report->answer = (struct rc_method_answer){.samples = predictor->methods[method].samples,
                                               .n_samples = predictor->options.samples,
                                               .summary = {.cpu = NAN, .bw = NAN}};
    result =
        ops->ask(predictor->methods[method].state, question, random, &report->answer, &report->why);
    rc_random_destroy(random);
    report->answered = result == RC_METHOD_ANSWERED;
    if (result == RC_METHOD_ERROR && error)
        *error = report->why;
    return result == RC_METHOD_ERROR ? -1 : 0;
}

/* Where the run is. */
static int name_hosts(struct rc_predictor *predictor, const struct rc_question *question,
                      struct rc_predict_answer *answer, struct rc_error *error)
{
    const char *const *names = question->hosts;
    size_t n = question->n_hosts;

    free(predictor->hosts);
    predictor->hosts = NULL;
    for (int m = 0; m < RC_METHODS && n == 0; m++)
        if (answer->methods[m].answered) {
            names = answer->methods[m].answer.hosts;
            n = answer->methods[m].answer.n_hosts;
        }
    if (n == 0)
        return 0;
    answer->hosts = predictor->hosts = rc_platform_hostlist_compress(names, n, error);
    return predictor->hosts ? 0 : -1;
}

/* Of the methods that know such questions, one that has a model before those that have none. */
static size_t find_nearest(const struct rc_predictor *predictor, const struct rc_question *question)
{
    size_t nearest = RC_METHODS;

    for (size_t m = RC_METHODS; m-- > 0;) {
        bool knows = is_its_question(rc_methods[m], question, NULL);

        if ((predictor->options.methods & 1U << m) && (knows || nearest == RC_METHODS))
            nearest = m;
    }
    for (size_t m = RC_METHODS; m-- > 0;)
        if (predictor->methods[m].open && rc_methods[m]->from_model &&
            is_its_question(rc_methods[m], question, NULL))
            nearest = m;
    return nearest < RC_METHODS ? nearest : 0;
}

/* The answer of a method that stands in for others is dropped if a method that does not learn from
 * the app's runs has answered, unless that one is known to have large errors. */
static void give_way(struct rc_predict_answer *answer)
{
    for (int m = 0; m < RC_METHODS; m++)
        for (int k = 0; k < RC_METHODS && rc_methods[m]->stands_in; k++) {
            const struct rc_method_report *other = &answer->methods[k];

            if (!answer->methods[m].answered || k == m || !other->answered ||
                other->answer.learns || rc_methods[k]->prior > 0)
                continue;
            answer->methods[m].answered = false;
            answer->answered--;
            rc_error_set(&answer->methods[m].why, "method %s has answered", other->name);
        }
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

int rc_predict_ask(struct rc_predictor *predictor, const struct rc_question *question,
                   struct rc_predict_answer *answer, struct rc_error *error)
{
    assert(same_text(question->app, predictor->setup.app) &&
           same_text(question->platform, predictor->setup.platform) &&
           question->platform_file == predictor->setup.platform_file);
    (void)same_text;
    *answer = (struct rc_predict_answer){.given = rc_predict_question_is_given(question) ||
                                                  question->idle};
    for (int m = 0; m < RC_METHODS; m++) {
        struct rc_method_report *report = &answer->methods[m];

        report->name = rc_methods[m]->name;
        report->asked = predictor->options.methods & 1U << m;
        if (report->asked && ask_method(predictor, m, question, report, error))
            return -1;
        answer->answered += report->answered;
        answer->given |= report->answered && report->answer.given;
    }
    give_way(answer);
    answer->record = rc_predict_track_summary(&predictor->record, RC_METHODS, question->start);
    answer->nearest = find_nearest(predictor, question);
    if (answer->answered == 0)
        return 0;
    return name_hosts(predictor, question, answer, error) ||
                   rc_predict_combine(predictor, question->start, answer, error)
               ? -1
               : 0;
}

int rc_predict_time_limit(const struct rc_predictor *predictor, int method, const double *samples,
                          size_t n, double risk, struct rc_time_limit *time_limit,
                          struct rc_error *error)
{
    const struct rc_track_record *record = &predictor->record;
    struct rc_time_limit_past *past = calloc(record->n + 1, sizeof *past);
    size_t n_past = 0;
    int status;

    if (!past)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < record->n; i++)
        if (record->entries[i].method == method && !isnan(record->entries[i].tail.beyond))
            past[n_past++] = record->entries[i].tail;
    status = rc_predict_time_limit_find(samples, n, risk, past, n_past, time_limit, error);
    free(past);
    return status;
}

int rc_predict_learn(struct rc_predictor *predictor, const struct rc_run *run,
                     struct rc_error *error)
{
    for (int m = 0; m < RC_METHODS; m++)
        if (predictor->methods[m].open && rc_methods[m]->learn &&
            rc_methods[m]->learn(predictor->methods[m].state, run, error))
            return -1;
    return 0;
}

/* ---- what answers rest on ---- */

const struct rc_run_model *rc_predict_run_model(const struct rc_predictor *predictor)
{
    return predictor->methods[RC_METHOD_REGRESSION].open
               ? rc_predict_method_run_model(predictor->methods[RC_METHOD_REGRESSION].state)
               : NULL;
}

const struct rc_predict_structural *rc_predict_structural(const struct rc_predictor *predictor)
{
    void *state = predictor->methods[RC_METHOD_STRUCTURAL].state;

    return state ? rc_predict_method_structural(state) : NULL;
}

const struct rc_predict_history *rc_predict_history(const struct rc_predictor *predictor)
{
    return predictor->methods[RC_METHOD_HISTORY].open
               ? rc_predict_method_history(predictor->methods[RC_METHOD_HISTORY].state)
               : NULL;
}

const struct rc_predict_source *rc_predict_runs(const struct rc_predictor *predictor)
{
    return predictor->runs.there ? &predictor->runs.source : NULL;
}
