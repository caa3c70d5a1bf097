// SPDX-License-Identifier: GPL-3.0-or-later
/* store_answer.c - stores answers in the database, one for each method and the combined one: all
 * for the same run, which extends all track records when it is recorded. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
#include "predict/predictor_internal.h"
#include "db/prediction.h"

enum { QUANTILES = 101, ALL = RC_METHODS + 1 };

bool rc_predict_has_models(const struct rc_predictor *predictor)
{
    return predictor->runs.there && rc_predict_source_is_new(&predictor->runs.source);
}

int rc_predict_store_models(struct rc_predictor *predictor, struct rc_db *db,
                            struct rc_error *error)
{
    struct rc_predict_source *source = &predictor->runs.source;
    const char *app = predictor->setup.app, *platform;

    if (!rc_predict_has_models(predictor))
        return 0;
    platform = rc_predict_source_platform(source, predictor->setup.platform);
    return source->parts ? rc_predict_parts_keep(db, app, platform, source->parts, &source->hosts,
                                                 &source->id, error)
                         : rc_predict_model_keep(db, app, platform, source->model, &source->hosts,
                                                 &source->id, error);
}

/* ---- what a run must have, or must not have otherwise, to be the one that was predicted ---- */

static char *numbers_text(const struct rc_param *params, size_t n, const struct rc_param *more,
                          size_t n_more)
{
    json_t *object = json_object();
    char *text;

    for (size_t i = 0; i < n; i++)
        rc_json_set(object, params[i].name, json_real(params[i].value));
    for (size_t i = 0; i < n_more; i++)
        rc_json_set(object, more[i].name, json_real(more[i].value));
    text = json_object_size(object) ? json_dumps(object, JSON_COMPACT) : strdup("");
    json_decref(object);
    return text;
}

/* The texts of a prediction. */
struct texts {
    char *params, *inputs;
};

static int write_texts(const struct rc_question *question, const struct rc_method_answer *answer,
                       struct texts *texts, struct rc_error *error)
{
    texts->params = numbers_text(question->params, question->n_params, answer->set, answer->n_set);
    texts->inputs = numbers_text(NULL, 0, answer->assumed, answer->n_assumed);
    return texts->params && texts->inputs ? 0 : rc_error_no_memory(error);
}

/* ---- predictions ---- */

static void fill_quantiles(const double *samples, size_t n, double quantiles[QUANTILES])
{
    for (size_t i = 0; i < QUANTILES; i++) {
        size_t place = i * n / (QUANTILES - 1);

        quantiles[i] = samples[place < n ? place : n - 1];
    }
}

/* What is stored of all methods and, last, of the combined answer. */
struct storing {
    struct rc_prediction predictions[ALL];
    double quantiles[ALL][QUANTILES];
    struct texts texts[ALL];
    size_t n;
};

static int64_t model_of(const struct rc_predictor *predictor, int method)
{
    return method < RC_METHODS && rc_methods[method]->model_id
               ? rc_methods[method]->model_id(predictor->methods[method].state)
               : 0;
}

/* Adds one prediction.  `own` is what was predicted before it was corrected, or NULL; `answer` has
 * what a run must have to be the one that was predicted. */
static int add(struct storing *storing, const struct rc_predictor *predictor,
               const struct rc_question *question, int method,
               const struct rc_method_answer *answer, const double *samples, size_t n_samples,
               const struct rc_predict_summary *summary, const struct rc_predict_summary *own,
               struct rc_error *error)
{
    static const struct rc_predict_summary none = {0};
    const struct rc_predict_summary *before = own ? own : &none;
    bool knows_hosts = question->n_hosts || answer->n_hosts;
    size_t i = storing->n++;

    if (write_texts(question, answer, &storing->texts[i], error))
        return -1;
    fill_quantiles(samples, n_samples, storing->quantiles[i]);
    storing->predictions[i] = (struct rc_prediction){
        .app = question->app,
        .platform = question->platform ? question->platform : "",
        .method = rc_predict_stored_as(method, &predictor->options),
        .n = question->size,
        .p = question->procs,
        .hosts = knows_hosts && predictor->hosts ? predictor->hosts : "",
        .params = storing->texts[i].params,
        .inputs = answer->assumed || answer->set || answer->hosts ? storing->texts[i].inputs : NULL,
        .model_id = model_of(predictor, method),
        .start = question->start,
        .predicted = summary->predicted,
        .mean = summary->mean,
        .lo90 = summary->lo90,
        .hi90 = summary->hi90,
        .own_predicted = before->predicted,
        .own_lo90 = before->lo90,
        .own_hi90 = before->hi90,
        .quantiles = storing->quantiles[i],
        .n_quantiles = QUANTILES};
    return 0;
}

/* The combined answer is for the run that the first method with numbers of its own is for. */
static struct rc_method_answer run_of(const struct rc_predict_answer *answer)
{
    for (int m = 0; m < RC_METHODS; m++)
        if (answer->methods[m].answered && answer->methods[m].answer.hosts)
            return answer->methods[m].answer;
    return (struct rc_method_answer){0};
}

static int fill(struct storing *storing, const struct rc_predictor *predictor,
                const struct rc_question *question, const struct rc_predict_answer *answer,
                bool combined, struct rc_error *error)
{
    const struct rc_method_answer run = run_of(answer);

    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_answer *own = &answer->methods[m].answer;

        if (answer->methods[m].answered && add(storing, predictor, question, m, own, own->samples,
                                               own->n_samples, &own->summary, own->own, error))
            return -1;
    }
    return combined ? add(storing, predictor, question, RC_METHODS, &run, answer->samples,
                          answer->n_samples, &answer->summary,
                          answer->learnt.n ? &answer->combined : NULL, error)
                    : 0;
}

static void take_ids(struct rc_predict_answer *answer, bool combined, const int64_t *ids)
{
    for (int m = 0; m < RC_METHODS; m++)
        if (answer->methods[m].answered)
            answer->methods[m].id = *ids++;
    if (combined)
        answer->id = *ids;
}

int rc_predict_store(struct rc_predictor *predictor, struct rc_db *db,
                     const struct rc_question *question, struct rc_predict_answer *answer,
                     bool combined, struct rc_error *error)
{
    struct storing *storing = calloc(1, sizeof *storing);
    int64_t ids[ALL];
    int status = 0;

    if (!storing)
        return rc_error_no_memory(error);
    if (answer->answered > 0) {
        status = fill(storing, predictor, question, answer, combined, error);
        if (status == 0)
            status = rc_db_prediction_add_all(db, storing->predictions, storing->n, ids, error);
        if (status == 0)
            take_ids(answer, combined, ids);
    }
    for (size_t i = 0; i < storing->n; i++) {
        free(storing->texts[i].params);
        free(storing->texts[i].inputs);
    }
    free(storing);
    return status;
}
