// SPDX-License-Identifier: GPL-3.0-or-later
/* door_keep.c - answers of the door go to the store, one for each family and the door's own: all
 * for the same run, so that records come to be when it is recorded. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
#include "predict/door_internal.h"
#include "db/prediction.h"

enum { QUANTILES = 101, ALL = RC_DOOR_FAMILIES + 1 };

bool rc_predict_door_has_models(const struct rc_door *door)
{
    return door->has_runs && rc_predict_source_is_new(&door->run_model.source);
}

int rc_predict_door_keep_models(struct rc_door *door, struct rc_db *store, struct rc_error *error)
{
    if (!rc_predict_door_has_models(door))
        return 0;
    return rc_predict_run_model_keep(&door->run_model, store, door->options.app,
                                     door->options.platform, error);
}

/* ---- what a run must have, or must not have otherwise, to be the one that was foretold ---- */

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

/* Texts of the question alone, and of one that the structural model has answered. */
struct texts {
    char *params, *structure_params, *structure_inputs;
};

static int write_texts(const struct rc_door *door, const struct rc_door_question *question,
                       bool structure, struct texts *texts, struct rc_error *error)
{
    const struct rc_predict_structural *structural = &door->structural;

    *texts = (struct texts){.params = numbers_text(question->params, question->n_params, NULL, 0),
                            .structure_params = numbers_text(question->params, question->n_params,
                                                             structure ? structural->given : NULL,
                                                             structure ? structural->n_given : 0),
                            .structure_inputs =
                                numbers_text(NULL, 0, structure ? structural->assumed : NULL,
                                             structure ? structural->n_assumed : 0)};
    return texts->params && texts->structure_params && texts->structure_inputs
               ? 0
               : rc_error_no_memory(error);
}

/* ---- predictions ---- */

static void fill_quantiles(const double *draws, size_t n, double quantiles[QUANTILES])
{
    for (size_t i = 0; i < QUANTILES; i++) {
        size_t place = i * n / (QUANTILES - 1);

        quantiles[i] = draws[place < n ? place : n - 1];
    }
}

/* One answer; `own` is what was said before it was corrected, or NULL. */
static struct rc_prediction prediction_of(const struct rc_door *door,
                                          const struct rc_door_question *question, int family,
                                          const struct rc_predict_summary *summary,
                                          const struct rc_predict_summary *own,
                                          const double *quantiles)
{
    static const struct rc_predict_summary none = {0};
    const struct rc_predict_summary *before = own ? own : &none;

    return (struct rc_prediction){.app = door->options.app,
                                  .platform = door->options.platform ? door->options.platform : "",
                                  .family = rc_predict_door_stored(door, family),
                                  .n = question->n,
                                  .p = question->p,
                                  .hosts = question->n_hosts && door->hosts ? door->hosts : "",
                                  .start = question->start,
                                  .predicted = summary->predicted,
                                  .mean = summary->mean,
                                  .lo90 = summary->lo90,
                                  .hi90 = summary->hi90,
                                  .own_predicted = before->predicted,
                                  .own_lo90 = before->lo90,
                                  .own_hi90 = before->hi90,
                                  .quantiles = quantiles,
                                  .n_quantiles = QUANTILES};
}

/* What belongs to the family's own model. */
static void set_model(const struct rc_door *door, int family, const struct texts *texts,
                      struct rc_prediction *prediction)
{
    prediction->params = texts->params;
    if (family == RC_DOOR_REGRESSION)
        prediction->model_id = door->run_model.source.id;
    if (family != RC_DOOR_STRUCTURE)
        return;
    prediction->model_id = door->structural.source.id;
    prediction->params = texts->structure_params;
    prediction->inputs = texts->structure_inputs;
    prediction->hosts = door->hosts ? door->hosts : "";
}

static size_t fill(const struct rc_door *door, const struct rc_door_question *question,
                   const struct rc_door_answer *answer, bool whole, const struct texts *texts,
                   double quantiles[][QUANTILES], struct rc_prediction *predictions)
{
    const struct rc_predict_structural *structural = &door->structural;
    bool structure = answer->parts[RC_DOOR_STRUCTURE].answered;
    size_t n = 0;

    for (int f = 0; f < RC_DOOR_FAMILIES; f++) {
        const struct rc_door_part *part = &answer->parts[f];

        if (!part->answered)
            continue;
        fill_quantiles(part->draws, part->n_draws, quantiles[n]);
        predictions[n] =
            prediction_of(door, question, f, &part->summary,
                          f == RC_DOOR_STRUCTURE && structural->learnt.n ? &structural->own : NULL,
                          quantiles[n]);
        set_model(door, f, texts, &predictions[n++]);
    }
    if (!whole)
        return n;
    fill_quantiles(answer->draws, answer->n_draws, quantiles[n]);
    predictions[n] = prediction_of(door, question, RC_DOOR_FAMILIES, &answer->summary,
                                   answer->learnt.n ? &answer->mixed : NULL, quantiles[n]);
    predictions[n].params = structure ? texts->structure_params : texts->params;
    predictions[n].inputs = structure ? texts->structure_inputs : NULL;
    predictions[n].hosts = structure && door->hosts ? door->hosts : predictions[n].hosts;
    return n + 1;
}

static void tell_ids(struct rc_door_answer *answer, bool whole, const int64_t *ids)
{
    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        if (answer->parts[f].answered)
            answer->parts[f].id = *ids++;
    if (whole)
        answer->id = *ids;
}

int rc_predict_door_keep(struct rc_door *door, struct rc_db *store,
                         const struct rc_door_question *question, struct rc_door_answer *answer,
                         bool whole, struct rc_error *error)
{
    struct rc_prediction predictions[ALL];
    double(*quantiles)[QUANTILES] = calloc(ALL, sizeof *quantiles);
    struct texts texts = {0};
    int64_t ids[ALL];
    size_t n;
    int status = quantiles ? write_texts(door, question, answer->parts[RC_DOOR_STRUCTURE].answered,
                                         &texts, error)
                           : rc_error_no_memory(error);

    if (status == 0 && answer->answered > 0) {
        n = fill(door, question, answer, whole, &texts, quantiles, predictions);
        status = rc_db_prediction_add_all(store, predictions, n, ids, error);
        if (status == 0)
            tell_ids(answer, whole, ids);
    }
    free(texts.params);
    free(texts.structure_params);
    free(texts.structure_inputs);
    free(quantiles);
    return status;
}
