// SPDX-License-Identifier: GPL-3.0-or-later
/* method_structural.c - a structural model of the app, which the database has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "predict/method.h"
#include "predict/structural_prediction.h"

struct state {
    struct rc_method_setup setup;
    struct rc_predict_structural structural;
    double *own; /* samples before they were corrected */
};

const struct rc_predict_structural *rc_predict_method_structural(const void *state)
{
    return &((const struct state *)state)->structural;
}

static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    struct state *state = calloc(1, sizeof *state);

    *out = state;
    if (!state || !(state->own = calloc(setup->options->samples, sizeof *state->own))) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    state->setup = *setup;
    if (rc_predict_structural_open(setup->db, setup->app, setup->platform, &state->structural,
                                   error) == 0)
        return RC_METHOD_ANSWERED;
    return state->structural.source.missing ? rc_predict_method_failed(error) : RC_METHOD_ERROR;
}

static int check_hosts(const struct rc_question *question, struct rc_error *error)
{
    for (size_t i = 0; question->platform_file && i < question->n_hosts; i++)
        if (!rc_platform_find_host(question->platform_file, question->hosts[i], NULL)) {
            rc_error_set(error, "the platform has no host '%s'", question->hosts[i]);
            return rc_error_code(error, "predict.no-such-host", "%s", question->hosts[i]);
        }
    return 0;
}

static bool is_present(const void *data, const struct rc_track_entry *entry)
{
    const struct rc_structural *source = &((const struct state *)data)->structural.source;

    return entry->model == source->id && entry->made >= source->made;
}

/* With a load or alternatives that the user has set, it is another question than those of the track
 * record. */
static int correct(struct state *state, double start, struct rc_method_answer *answer,
                   struct rc_error *error)
{
    struct rc_predict_structural *structural = &state->structural;
    struct rc_past_prediction *past;
    size_t n;
    int status;

    if (answer->given)
        return 0;
    if (rc_predict_track_own(state->setup.record, RC_METHOD_STRUCTURAL, start, is_present, state,
                             &past, &n, error))
        return -1;
    memcpy(state->own, answer->samples, answer->n_samples * sizeof *state->own);
    status = rc_predict_structural_correct(structural, past, n, answer->samples, answer->n_samples,
                                           &answer->summary, error);
    free(past);
    if (structural->learnt.n) {
        answer->own_samples = state->own;
        answer->own = &structural->own;
    }
    return status;
}

static enum rc_method_result ask(void *data, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct state *state = data;
    struct rc_predict_structural *structural = &state->structural;
    const struct rc_predict_options *options = state->setup.options;

    rc_predict_structural_forget(structural);
    if (check_hosts(question, error) ||
        rc_predict_structural_answer(structural, state->setup.db, question, options, random,
                                     answer->samples, &answer->n_samples, &answer->summary, error))
        return rc_predict_method_failed(error);
    answer->given = structural->load == RC_PREDICT_STRUCTURAL_GIVEN || options->n_uses > 0 ||
                    !isnan(options->omit);
    if (correct(state, question->start, answer, error))
        return rc_predict_method_failed(error);
    answer->hosts = rc_structural_binding_hosts(structural->binding, &answer->n_hosts);
    answer->set = structural->given;
    answer->n_set = structural->n_given;
    answer->assumed = structural->assumed;
    answer->n_assumed = structural->n_assumed;
    return RC_METHOD_ANSWERED;
}

static int64_t model_id(const void *state)
{
    return ((const struct state *)state)->structural.source.id;
}

static void close_method(void *data)
{
    struct state *state = data;

    if (!state)
        return;
    rc_predict_structural_free(&state->structural);
    free(state->own);
    free(state);
}

static const char *stored_as(const struct rc_predict_options *options)
{
    (void)options;
    return RC_STRUCTURAL_METHOD;
}

const struct rc_method_ops rc_method_structural = {.name = "structural",
                                                   .stored_as = stored_as,
                                                   .knows_any_run = true,
                                                   .from_model = true,
                                                   .open = open_method,
                                                   .ask = ask,
                                                   .close = close_method,
                                                   .model_id = model_id,
                                                   .is_present = is_present};
