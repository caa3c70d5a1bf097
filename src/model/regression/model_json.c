// SPDX-License-Identifier: GPL-3.0-or-later
/* model_json.c - a model as JSON, for the database.
 *
 * Written by this program, but read with care: a database may have been copied, cut or edited, and
 * a number that is out of its range would be an index. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/regression/model.h"

static const char *const criteria[] = {"default", "paper"};

/* ---- writing ---- */

static json_t *numbers(const double *values, size_t n)
{
    json_t *array = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_real(values[i]));
    return array;
}

static json_t *range(struct rc_range seen)
{
    return numbers((double[]){seen.low, seen.high}, 2);
}

/* [size, procs, width, flags, factor...] */
static json_t *term_to_json(const struct rc_regression_term *term, size_t n_params)
{
    json_t *array = json_array();
    int flags = (term->cpu ? 1 : 0) | (term->bytes ? 2 : 0) | (term->parallel ? 4 : 0);

    json_array_append_new(array, json_integer(term->size));
    json_array_append_new(array, json_integer(term->procs));
    json_array_append_new(array, json_integer(term->width));
    json_array_append_new(array, json_integer(flags));
    for (size_t i = 0; i < n_params; i++)
        json_array_append_new(array, json_integer(term->factors[i]));
    return array;
}

static json_t *member_to_json(const struct rc_regression_model *model,
                              const struct rc_regression_member *member)
{
    json_t *object = json_object(), *terms = json_array();
    unsigned n = member->n_terms;

    for (unsigned i = 0; i < n; i++)
        json_array_append_new(terms, term_to_json(&member->terms[i], model->n_params));
    rc_json_set(object, "terms", terms);
    rc_json_set(object, "coefficients", numbers(member->coefficients, n));
    rc_json_set(object, "spread", numbers(member->spread, n * (n + 1) / 2));
    rc_json_set(object, "stat", json_integer(member->stat));
    rc_json_set(object, "error", json_real(member->error));
    rc_json_set(object, "weight", json_real(member->weight));
    rc_json_set(object, "lowest", json_integer(member->lowest));
    return object;
}

json_t *rc_regression_model_to_json(const struct rc_regression_model *model)
{
    json_t *object = json_object(), *members = json_array(), *params = json_array(),
           *given = json_array(), *classes = json_array();

    for (size_t i = 0; i < model->n_members; i++)
        json_array_append_new(members, member_to_json(model, &model->members[i]));
    for (size_t i = 0; i < model->n_residuals; i++)
        json_array_append_new(classes, json_integer(model->classes[i]));
    for (size_t i = 0; i < model->n_params; i++) {
        json_array_append_new(params, rc_json_text(model->params[i]));
        json_array_append_new(given, range(model->given[i]));
    }
    rc_json_set(object, "criterion", json_string(criteria[model->criterion]));
    rc_json_set(object, "params", params);
    rc_json_set(object, "given", given);
    rc_json_set(object, "n", range(model->n));
    rc_json_set(object, "p", range(model->p));
    if (isfinite(model->cpu.low))
        rc_json_set(object, "cpu", range(model->cpu));
    if (isfinite(model->bw.low))
        rc_json_set(object, "bw", range(model->bw));
    rc_json_set(object, "bw_mean", rc_json_number(model->bw_mean));
    rc_json_set(object, "residuals", numbers(model->residuals, model->n_residuals));
    rc_json_set(object, "classes", classes);
    rc_json_set(object, "sigma", json_real(model->sigma));
    rc_json_set(object, "noise", numbers(model->noise, RC_REGRESSION_CLASSES));
    rc_json_set(object, "bytes_coefficient", json_real(model->bytes_coefficient));
    rc_json_set(object, "bytes_term", term_to_json(&model->bytes_term, model->n_params));
    if (model->bytes_sigma > 0)
        rc_json_set(object, "bytes_sigma", json_real(model->bytes_sigma));
    if (model->ported)
        rc_json_set(object, "ported", json_true());
    rc_json_set(object, "runs", json_integer((json_int_t)model->n_runs));
    if (model->n_killed)
        rc_json_set(object, "killed", json_integer((json_int_t)model->n_killed));
    rc_json_set(object, "up_to", json_integer(model->up_to));
    rc_json_set(object, "surprises", json_integer(model->bad_predictions));
    rc_json_set(object, "predictions", json_integer((json_int_t)model->predictions));
    if (rc_json_set(object, "members", members) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading ---- */

struct reading {
    bool bad;
};

static double number_at(struct reading *reading, const json_t *value)
{
    double number = json_is_number(value) ? json_number_value(value) : NAN;

    if (!isfinite(number))
        reading->bad = true;
    return number;
}

static double number_of(struct reading *reading, const json_t *object, const char *name)
{
    return number_at(reading, json_object_get(object, name));
}

/* A whole number from 0. */
static int64_t count_of(struct reading *reading, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;

    if (number >= 0)
        return number;
    reading->bad = true;
    return 0;
}

/* A whole number from 0 to `most`. */
static unsigned index_at(struct reading *reading, const json_t *value, json_int_t most)
{
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;

    if (number >= 0 && number <= most)
        return (unsigned)number;
    reading->bad = true;
    return 0;
}

static size_t numbers_of(struct reading *reading, const json_t *object, const char *name,
                         double *values, size_t most)
{
    const json_t *array = json_object_get(object, name);
    size_t n = json_array_size(array);

    if (!json_is_array(array) || n > most) {
        reading->bad = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        values[i] = number_at(reading, json_array_get(array, i));
    return n;
}

/* A range that was never seen is left out when writing. */
static struct rc_range range_of(struct reading *reading, const json_t *object, const char *name,
                                bool needed)
{
    double ends[2];

    if (!needed && !json_object_get(object, name))
        return (struct rc_range){NAN, NAN};
    if (numbers_of(reading, object, name, ends, 2) == 2)
        return (struct rc_range){ends[0], ends[1]};
    reading->bad = true;
    return (struct rc_range){NAN, NAN};
}

static struct rc_regression_term term_from_json(struct reading *reading, const json_t *array,
                                                size_t n_params)
{
    struct rc_regression_term term = {0};
    unsigned flags;

    if (json_array_size(array) != 4 + n_params) {
        reading->bad = true;
        return term;
    }
    term.size = (unsigned char)index_at(reading, json_array_get(array, 0), RC_REGRESSION_SIZES - 1);
    term.procs =
        (unsigned char)index_at(reading, json_array_get(array, 1), RC_REGRESSION_PROCS - 1);
    term.width =
        (unsigned char)index_at(reading, json_array_get(array, 2), RC_REGRESSION_WIDTHS - 1);
    flags = index_at(reading, json_array_get(array, 3), 7);
    term.cpu = flags & 1;
    term.bytes = flags & 2;
    term.parallel = flags & 4;
    for (size_t i = 0; i < n_params; i++)
        term.factors[i] = (unsigned char)index_at(reading, json_array_get(array, 4 + i),
                                                  RC_REGRESSION_FACTORS - 1);
    return term;
}

static void member_from_json(struct reading *reading, const json_t *object,
                             const struct rc_regression_model *model,
                             struct rc_regression_member *member)
{
    const json_t *terms = json_object_get(object, "terms");
    size_t n = json_array_size(terms);

    if (n == 0 || n > RC_REGRESSION_TERMS_MAX) {
        reading->bad = true;
        return;
    }
    member->n_terms = (unsigned)n;
    for (size_t i = 0; i < n; i++)
        member->terms[i] = term_from_json(reading, json_array_get(terms, i), model->n_params);
    if (numbers_of(reading, object, "coefficients", member->coefficients,
                   RC_REGRESSION_TERMS_MAX) != n ||
        numbers_of(reading, object, "spread", member->spread,
                   sizeof member->spread / sizeof *member->spread) != n * (n + 1) / 2)
        reading->bad = true;
    member->stat = index_at(reading, json_object_get(object, "stat"), RC_REGRESSION_STATS - 1);
    member->error = number_of(reading, object, "error");
    member->weight = number_of(reading, object, "weight");
    member->lowest = index_at(reading, json_object_get(object, "lowest"), 1 << 20);
}

static void params_from_json(struct reading *reading, const json_t *body,
                             struct rc_regression_model *model)
{
    const json_t *names = json_object_get(body, "params"), *given = json_object_get(body, "given");

    if (!json_is_array(names) || json_array_size(names) > RC_REGRESSION_PARAMS_MAX ||
        json_array_size(given) != json_array_size(names)) {
        reading->bad = true;
        return;
    }
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        const json_t *ends = json_array_get(given, i);

        if (!name || !(model->params[i] = strdup(name))) {
            reading->bad = true;
            return;
        }
        model->n_params++;
        model->given[i].low = number_at(reading, json_array_get(ends, 0));
        model->given[i].high = number_at(reading, json_array_get(ends, 1));
    }
}

static void members_from_json(struct reading *reading, const json_t *body,
                              struct rc_regression_model *model)
{
    const json_t *members = json_object_get(body, "members");
    size_t n = json_array_size(members);
    size_t most = model->criterion == RC_REGRESSION_PAPER ? RC_REGRESSION_MEMBERS_MAX
                                                          : RC_REGRESSION_ENSEMBLE_MAX;

    if (n == 0 || n > most || !(model->members = calloc(n, sizeof *model->members))) {
        reading->bad = true;
        return;
    }
    model->n_members = n;
    for (size_t i = 0; i < n; i++)
        member_from_json(reading, json_array_get(members, i), model, &model->members[i]);
}

/* One for each residual.  Older models do not have them: theirs are taken to be of all numbers of
 * processes in turn. */
static void classes_from_json(struct reading *reading, const json_t *body,
                              struct rc_regression_model *model)
{
    const json_t *classes = json_object_get(body, "classes");
    unsigned low = rc_regression_class(model->p.low);
    unsigned n = model->p.low <= model->p.high ? rc_regression_class(model->p.high) - low + 1 : 1;

    if (classes && json_array_size(classes) != model->n_residuals)
        reading->bad = true;
    for (size_t i = 0; i < model->n_residuals; i++)
        model->classes[i] = (unsigned char)(classes ? index_at(reading, json_array_get(classes, i),
                                                               RC_REGRESSION_CLASSES - 1)
                                                    : low + i % n);
}

static void facts_from_json(struct reading *reading, const json_t *body,
                            struct rc_regression_model *model)
{
    const char *criterion = json_string_value(json_object_get(body, "criterion"));
    const json_t *mean = json_object_get(body, "bw_mean");

    if (criterion && strcmp(criterion, criteria[RC_REGRESSION_PAPER]) == 0)
        model->criterion = RC_REGRESSION_PAPER;
    else if (!criterion || strcmp(criterion, criteria[RC_REGRESSION_DEFAULT]) != 0)
        reading->bad = true;
    model->n = range_of(reading, body, "n", true);
    model->p = range_of(reading, body, "p", true);
    model->cpu = range_of(reading, body, "cpu", false);
    model->bw = range_of(reading, body, "bw", false);
    model->bw_mean = json_is_number(mean) ? json_number_value(mean) : NAN;
    model->n_residuals =
        numbers_of(reading, body, "residuals", model->residuals, RC_REGRESSION_RESIDUALS_MAX);
    classes_from_json(reading, body, model);
    model->sigma = number_of(reading, body, "sigma");
    if (numbers_of(reading, body, "noise", model->noise, RC_REGRESSION_CLASSES) !=
        RC_REGRESSION_CLASSES)
        reading->bad = true;
    model->bytes_coefficient = number_of(reading, body, "bytes_coefficient");
    model->bytes_term =
        term_from_json(reading, json_object_get(body, "bytes_term"), model->n_params);
    if (json_object_get(body, "bytes_sigma"))
        model->bytes_sigma = number_of(reading, body, "bytes_sigma");
    model->ported = json_is_true(json_object_get(body, "ported"));
    model->n_runs = (uint64_t)count_of(reading, body, "runs");
    if (json_object_get(body, "killed"))
        model->n_killed = (uint64_t)count_of(reading, body, "killed");
    model->up_to = count_of(reading, body, "up_to");
    model->bad_predictions = index_at(reading, json_object_get(body, "surprises"), 1 << 20);
    model->predictions = (uint64_t)count_of(reading, body, "predictions");
}

static bool is_range(struct rc_range range)
{
    return range.low > 0 && range.low <= range.high;
}

/* Whether a member can answer; by the paper, coefficients may be negative, and weights do not
 * count. */
static bool is_sound_member(const struct rc_regression_member *member)
{
    for (unsigned i = 0; i < member->n_terms; i++)
        if (member->coefficients[i] < 0)
            return false;
    return member->weight >= 0;
}

/* Whether the numbers, each of which can be read, can be those of a model together. */
static bool is_sound(const struct rc_regression_model *model)
{
    double weights = 0;

    if (!is_range(model->n) || !is_range(model->p) || model->bw_mean < 0 || model->sigma < 0 ||
        model->bytes_coefficient < 0 || model->bytes_sigma < 0)
        return false;
    for (size_t i = 0; i < RC_REGRESSION_CLASSES; i++)
        if (model->noise[i] < 0)
            return false;
    for (size_t i = 0; i < model->n_members && model->criterion == RC_REGRESSION_DEFAULT; i++) {
        if (!is_sound_member(&model->members[i]))
            return false;
        weights += model->members[i].weight;
    }
    return model->criterion == RC_REGRESSION_PAPER || fabs(weights - 1) < 1e-3;
}

struct rc_regression_model *rc_regression_model_from_json(const json_t *body,
                                                          struct rc_error *error)
{
    struct reading reading = {false};
    struct rc_regression_model *model = calloc(1, sizeof *model);

    if (!model) {
        rc_error_no_memory(error);
        return NULL;
    }
    params_from_json(&reading, body, model);
    facts_from_json(&reading, body, model); /* of which the criterion limits the members */
    members_from_json(&reading, body, model);
    if (!reading.bad && is_sound(model))
        return model;
    rc_regression_model_destroy(model);
    rc_error_set(error, "the stored model is damaged");
    rc_error_code(error, "regression.damaged", NULL);
    return NULL;
}
