// SPDX-License-Identifier: GPL-3.0-or-later
/* structural_prediction.c - predictions from a structural model that the database has for an app.
 */
#include "predict/structural_prediction.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/number.h"

int rc_predict_structural_open(struct rc_db *store, const char *app, const char *platform,
                               struct rc_predict_structural *structural, struct rc_error *error)
{
    *structural = (struct rc_predict_structural){.error = NAN};
    return rc_structural_load(store, app, platform, &structural->source, error);
}

static void free_params(struct rc_param *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free((char *)(uintptr_t)params[i].name);
    free(params);
}

void rc_predict_structural_forget(struct rc_predict_structural *structural)
{
    rc_structural_explanation_free(&structural->explanation);
    rc_structural_binding_destroy(structural->binding);
    for (size_t i = 0; i < structural->n_assignments; i++)
        free(structural->assignments[i]);
    free(structural->assignments);
    free_params(structural->given, structural->n_given);
    free_params(structural->assumed, structural->n_assumed);
    *structural = (struct rc_predict_structural){.source = structural->source, .error = NAN};
}

void rc_predict_structural_free(struct rc_predict_structural *structural)
{
    rc_predict_structural_forget(structural);
    rc_structural_free(&structural->source);
    *structural = (struct rc_predict_structural){0};
}

/* ---- what is set ---- */

static const struct rc_item *find_input(const struct rc_predict_structural *structural,
                                        const char *name)
{
    const struct rc_model *model = structural->source.model;
    const struct rc_item *found = NULL;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (item->kind == RC_ITEM_INPUT && strcmp(item->name, name) == 0 &&
            (item->section < 0 || item->section == structural->source.section) &&
            (!found || item->section > found->section))
            found = item;
    }
    return found;
}

static int no_input(const struct rc_predict_structural *structural, const char *name,
                    struct rc_error *error)
{
    const struct rc_model *model = structural->source.model;
    const char *names[256], *nearest;
    size_t n = 0;

    for (size_t i = 0; i < model->n_items && n < 256; i++)
        if (model->items[i].kind == RC_ITEM_INPUT)
            names[n++] = model->items[i].name;
    nearest = rc_nearest_word(name, names, n, sizeof *names);
    rc_error_set(error, "the model '%s' has no input for the parameter '%.60s'", model->name, name);
    return nearest ? rc_error_hint(error, "did you mean '%s'?", nearest) : -1;
}

/* Size and processes are set by the question alone: predictions are stored under these. */
static int check_set(const struct rc_predict_structural *structural, bool param, const char *text,
                     struct rc_error *error)
{
    char name[RC_MODEL_NAME_MAX + 1];
    const struct rc_item *item;
    size_t length = strcspn(text, "[= ");

    if (length > RC_MODEL_NAME_MAX)
        return 0; /* it is no input, which is reported elsewhere */
    memcpy(name, text, length);
    name[length] = '\0';
    item = find_input(structural, name);
    if (!item || (item->source != RC_FROM_SIZE && item->source != RC_FROM_PROCESSES))
        return 0;
    rc_error_set(error, "the input '%s' is the %s and cannot be set", name,
                 item->source == RC_FROM_SIZE ? "problem size" : "number of processes");
    return rc_error_code(error,
                         item->source == RC_FROM_SIZE ? "predict.size-is-set"
                                                      : "predict.processes-are-set",
                         "%s\n%.100s\n%s", param ? "param" : "set", text, name);
}

/* Parameters of the run first, so that what is set wins. */
static int bring_assignments(struct rc_predict_structural *structural,
                             const struct rc_question *question,
                             const struct rc_predict_options *options, struct rc_error *error)
{
    structural->assignments =
        calloc(question->n_params + options->n_set + 1, sizeof *structural->assignments);
    if (!structural->assignments)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < question->n_params; i++) {
        const struct rc_param *param = &question->params[i];
        char number[RC_NUMBER_SIZE], *text;

        if (!find_input(structural, param->name))
            return no_input(structural, param->name, error);
        if (check_set(structural, true, param->name, error))
            return -1;
        rc_number_format(param->value, number);
        text = malloc(strlen(param->name) + strlen(number) + 2);
        if (!text)
            return rc_error_no_memory(error);
        sprintf(text, "%s=%s", param->name, number);
        structural->assignments[structural->n_assignments++] = text;
    }
    for (size_t i = 0; i < options->n_set; i++) {
        char *text;

        if (check_set(structural, false, options->set[i], error))
            return -1;
        text = strdup(options->set[i]);
        if (!text)
            return rc_error_no_memory(error);
        structural->assignments[structural->n_assignments++] = text;
    }
    return 0;
}

/* ---- where the load is from ---- */

static enum rc_predict_structural_load find_load(const struct rc_predict_structural *structural)
{
    const struct rc_model *model = structural->source.model;
    bool series = false;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if ((item->source != RC_FROM_SERIES && item->source != RC_FROM_FORECAST) ||
            find_input(structural, item->name) != item)
            continue;
        if (rc_structural_binding_is_set(structural->binding, item->name))
            return RC_PREDICT_STRUCTURAL_GIVEN;
        series |= item->source == RC_FROM_SERIES;
    }
    return structural->facts.n_series > 0 ? RC_PREDICT_STRUCTURAL_FORECAST
           : series                       ? RC_PREDICT_STRUCTURAL_SERIES
                                          : RC_PREDICT_STRUCTURAL_STATED;
}

/* ---- what was taken ---- */

static bool is_number(const struct rc_item *item)
{
    return item && item->n_parameters == 0 &&
           (item->source == RC_FROM_FORMULA || item->source == RC_FROM_USER);
}

/* Adds an input that is a number to those that were given, or that the model has. */
static void take_input(void *data, const char *name, const char *const *indices, size_t n_indices,
                       const struct rc_value *value)
{
    struct rc_predict_structural *structural = data;
    bool set = rc_structural_binding_is_set(structural->binding, name);
    struct rc_param **list = set ? &structural->given : &structural->assumed, *more;
    size_t *n = set ? &structural->n_given : &structural->n_assumed;
    char *own;

    (void)indices;
    if (n_indices || !is_number(find_input(structural, name)) || rc_value_sd(value) > 0 ||
        !isfinite(rc_value_mean(value)))
        return;
    own = strdup(name);
    more = own ? realloc(*list, (*n + 1) * sizeof *more) : NULL;
    if (!more) {
        free(own);
        structural->forgot = true;
        return;
    }
    *list = more;
    more[(*n)++] = (struct rc_param){own, rc_value_mean(value)};
}

/* ---- answering ---- */

static int bind_model(struct rc_predict_structural *structural, struct rc_db *store,
                      const struct rc_question *question, const struct rc_predict_options *options,
                      struct rc_error *error)
{
    struct rc_model_setting setting;

    rc_structural_model_setting_init(&setting);
    setting.section = structural->source.section;
    setting.hosts = question->hosts;
    setting.n_hosts = question->n_hosts;
    setting.size = question->size;
    setting.processes = question->procs > 0 ? (double)question->procs : (double)NAN;
    setting.platform = question->platform_file;
    setting.db = store;
    setting.now = question->start;
    setting.assignments = (const char *const *)structural->assignments;
    setting.n_assignments = structural->n_assignments;
    setting.uses = options->uses;
    setting.n_uses = options->n_uses;
    setting.omit = options->omit;
    structural->binding = rc_structural_binding_create(structural->source.model, &setting, error);
    return structural->binding ? 0 : -1;
}

/* What the model comes to, as a sample, without what it errs by. */
static struct rc_value *ask(struct rc_predict_structural *structural, bool explain,
                            struct rc_value_rules *rules, struct rc_error *error)
{
    struct rc_evaluation *evaluation = NULL;
    struct rc_value *value = rc_structural_binding_answer(structural->binding, RC_SAMPLE, rules,
                                                          &evaluation, &structural->facts, error);
    struct rc_value *sample = value ? rc_value_convert(value, RC_SAMPLE, rules, error) : NULL;

    if (sample)
        rc_value_evaluation_names(evaluation, take_input, structural);
    if (structural->forgot)
        rc_error_no_memory(error);
    if (structural->forgot || (sample && explain &&
                               rc_structural_explain(structural->binding, evaluation, value,
                                                     &structural->explanation, error))) {
        rc_value_drop(sample);
        sample = NULL;
    }
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    return sample;
}

/* Times with the model's error: a lognormal factor with median 1.  `sd` is the standard deviation
 * of its logarithm. */
static void spread(double *draws, size_t n, double sd, struct rc_random *random)
{
    for (size_t i = 0; i < n && sd > 0; i++)
        draws[i] *= exp(rc_random_normal(random, 0, sd));
}

/* The same for one time: evenly spaced quantiles, with the time itself as their median. */
static void spread_around(double seconds, double *draws, size_t n, double sd)
{
    for (size_t i = 0; i < n; i++)
        draws[i] = seconds * exp(sd * gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / (double)n));
    draws[(n - 1) / 2] = seconds;
}

static int answer(struct rc_predict_structural *structural, bool explain,
                  struct rc_value_rules *rules, double *draws, size_t *n_draws,
                  struct rc_predict_summary *summary, struct rc_error *error)
{
    struct rc_value *value = ask(structural, explain, rules, error);
    const double *drawn;
    double sd;
    size_t n;

    if (!value)
        return -1;
    drawn = rc_value_draws(value, &n);
    *n_draws = n < *n_draws ? n : *n_draws;
    structural->error = rc_structural_binding_error(structural->binding);
    structural->certain = rc_value_low(value) == rc_value_high(value);
    structural->load = find_load(structural);
    sd = isnan(structural->error) ? 0 : structural->error / 2;
    sd = sqrt(log1p(sd * sd)); /* of the logarithm */
    for (size_t i = 0; i < *n_draws; i++) {
        structural->negative |= !(drawn[i] > 0);
        draws[i] = rc_predict_as_time(drawn[i]);
    }
    rc_value_drop(value);
    if (structural->certain)
        spread_around(draws[0], draws, *n_draws, sd);
    else
        spread(draws, *n_draws, sd, rules->random);
    rc_predict_summarise(draws, *n_draws, summary);
    summary->cpu = summary->bw = NAN;
    return 0;
}

int rc_predict_structural_answer(struct rc_predict_structural *structural, struct rc_db *store,
                                 const struct rc_question *question,
                                 const struct rc_predict_options *options, struct rc_random *random,
                                 double *draws, size_t *n_draws, struct rc_predict_summary *summary,
                                 struct rc_error *error)
{
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    rules.draws = *n_draws;
    rules.random = random;
    if (bring_assignments(structural, question, options, error) ||
        bind_model(structural, store, question, options, error))
        return -1;
    return answer(structural, options->explain, &rules, draws, n_draws, summary, error);
}

int rc_predict_structural_correct(struct rc_predict_structural *structural,
                                  const struct rc_past_prediction *past, size_t n, double *draws,
                                  size_t n_draws, struct rc_predict_summary *summary,
                                  struct rc_error *error)
{
    structural->own = *summary;
    if (rc_predict_recalibrate_learn(past, n, 0.9, &structural->learnt, error))
        return -1;
    rc_predict_correct(&structural->learnt, draws, n_draws, summary);
    return 0;
}

int rc_predict_correct_in_turn(void *data, struct rc_accuracy_run *runs, size_t n,
                               struct rc_error *error)
{
    struct rc_predict_corrections *made = data;
    struct rc_past_run *past = calloc(n + 1, sizeof *past);
    double sum = 0;
    int status;

    if (!past)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        past[i] =
            (struct rc_past_run){runs[i].start,
                                 {runs[i].predicted, runs[i].low, runs[i].high, runs[i].actual}};
    status = rc_predict_recalibrate_in_turn(past, n, made->level, error);
    made->n = 0;
    for (size_t i = 0; i < n && status == 0; i++) {
        double factor = past[i].prediction.predicted / runs[i].predicted;

        if (factor != 1 || past[i].prediction.low != runs[i].low ||
            past[i].prediction.high != runs[i].high) {
            sum += log(factor);
            made->n++;
        }
        runs[i].predicted = past[i].prediction.predicted;
        runs[i].low = past[i].prediction.low;
        runs[i].high = past[i].prediction.high;
    }
    made->factor = made->n ? exp(sum / (double)made->n) : (double)NAN;
    free(past);
    return status;
}
