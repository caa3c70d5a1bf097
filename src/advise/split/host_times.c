// SPDX-License-Identifier: GPL-3.0-or-later
/* host_times.c - what the same share of a run takes on each host, by a structural model. */
#include "advise/split/host_times.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "model/structural/scenario_evaluation.h"
#include "model/structural/model_registry.h"

enum { ERROR_SAMPLES = 1000 };
static const double little = 1e-3; /* of a core: less than hosts differ by */

struct questions {
    const struct rc_host_times *asked;
    struct rc_db *db;
    struct rc_structural structure;
    const char *load;   /* the input with the CPU availability of a host */
    char **assignments; /* of the parameters, then one for each host */
    size_t n_params;
};

static const char *find_load(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (item->kind == RC_ITEM_INPUT && item->n_parameters == 1 && item->metric &&
            strcmp(item->metric, "cpu") == 0 &&
            (item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST))
            return item->name;
    }
    return NULL;
}

/* Whether a field of the platform is the speed of hosts; other tables are measured on each. */
static bool distinguishes(const struct rc_item *item)
{
    return item->kind == RC_ITEM_INPUT && item->n_parameters == 1 &&
           item->source != RC_FROM_SERIES && item->source != RC_FROM_FORECAST &&
           (item->source != RC_FROM_PLATFORM || item->field == RC_FIELD_OF_SPEED);
}

static bool can_be_set(const struct rc_item *item)
{
    return item->kind == RC_ITEM_INPUT && item->n_parameters == 0 && item->source != RC_FROM_SIZE &&
           item->source != RC_FROM_PROCESSES;
}

static int no_input(const struct rc_model *model, const char *name, struct rc_error *error)
{
    char inputs[200] = "";

    for (size_t i = 0; i < model->n_items; i++)
        if (can_be_set(&model->items[i]))
            rc_text_append(inputs, sizeof inputs, "%s%s", inputs[0] ? ", " : "",
                           model->items[i].name);
    rc_error_set(error, "the model '%s' has no input for the parameter '%.60s'", model->name, name);
    return rc_error_hint(error, "its inputs are: %s", inputs[0] ? inputs : "none");
}

static int refuse(const char *name, const char *what, const char *code, struct rc_error *error)
{
    rc_error_set(error, "the input '%s' is the %s, which is set already", name, what);
    return rc_error_code(error, code, "%s", name);
}

/* 1: parameters can set it; 0: there is none of that name; -1: the question has it. */
static int find_input(const struct rc_model *model, const char *name, struct rc_error *error)
{
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];

        if (item->kind != RC_ITEM_INPUT || strcmp(item->name, name) != 0)
            continue;
        if (item->source == RC_FROM_SIZE)
            return refuse(name, "problem size", "split.size-is-set", error);
        if (item->source == RC_FROM_PROCESSES)
            return refuse(name, "number of processes", "split.processes-are-set", error);
        return item->n_parameters == 0;
    }
    return 0;
}

static int assign(struct questions *questions, size_t place, const char *name, const char *host,
                  double value, struct rc_error *error)
{
    char number[RC_NUMBER_SIZE], *text = NULL;

    rc_number_format(value, number);
    if (asprintf(&text, host ? "%s[%s]=%s" : "%s%s=%s", name, host ? host : "", number) < 0)
        return rc_error_no_memory(error);
    free(questions->assignments[place]);
    questions->assignments[place] = text;
    return 0;
}

/* 1; 0 where the model has no input for a parameter, with why; -1. */
static int assign_all(struct questions *questions, struct rc_error *why, struct rc_error *error)
{
    const struct rc_host_times *asked = questions->asked;
    const struct rc_model *model = questions->structure.model;

    questions->assignments =
        calloc(asked->n_params + asked->n_hosts + 1, sizeof *questions->assignments);
    if (!questions->assignments)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < asked->n_params; i++) {
        int found = find_input(model, asked->params[i].name, error);

        if (found == 0) {
            no_input(model, asked->params[i].name, why);
            return 0;
        }
        if (found < 0 || assign(questions, questions->n_params++, asked->params[i].name, NULL,
                                asked->params[i].value, error))
            return -1;
    }
    for (size_t h = 0; h < asked->n_hosts; h++)
        if (assign(questions, questions->n_params + h, questions->load, asked->hosts[h], 1, error))
            return -1;
    return 1;
}

/* The model with the inputs as they are assigned. */
static struct rc_binding *bind(const struct questions *questions, struct rc_error *error)
{
    const struct rc_host_times *asked = questions->asked;
    struct rc_model_setting setting;

    rc_structural_model_setting_init(&setting);
    setting.section = questions->structure.section;
    setting.hosts = asked->hosts;
    setting.n_hosts = asked->n_hosts;
    setting.size = asked->size;
    setting.processes = asked->processes;
    setting.platform = asked->platform;
    setting.db = questions->db;
    setting.now = asked->at;
    setting.assignments = (const char *const *)questions->assignments;
    setting.n_assignments = questions->n_params + asked->n_hosts;
    return rc_structural_binding_create(questions->structure.model, &setting, error);
}

/* The model's time with this CPU availability of one host, and full availability of the others. */
static int ask(struct questions *questions, size_t host, double cpu, double *seconds,
               struct rc_error *error)
{
    struct rc_binding *binding;
    int status;

    if (assign(questions, questions->n_params + host, questions->load,
               questions->asked->hosts[host], cpu, error))
        return -1;
    binding = bind(questions, error);
    status = binding ? rc_structural_binding_without(binding, NULL, seconds, error) : -1;
    rc_structural_binding_destroy(binding);
    return status;
}

static int ask_of(struct questions *questions, size_t host, double *work, double *fixed,
                  struct rc_error *error)
{
    const char *name = questions->asked->hosts[host];
    double once, twice;

    if (ask(questions, host, little, &once, error) ||
        ask(questions, host, little / 2, &twice, error) ||
        assign(questions, questions->n_params + host, questions->load, name, 1, error))
        return -1;
    *work = (twice - once) * little;
    *fixed = fmax(once - *work / little, 0);
    if (!(*work > 0 && isfinite(*work)))
        return rc_error_set(error, "load on %s does not change its run time", name);
    return 0;
}

/* The error of the model's time on idle hosts, from samples that include it. */
static void take_error(struct rc_binding *binding, const struct rc_value *sample,
                       struct rc_random *random, struct rc_split_error *found)
{
    size_t n, positive = 0;
    const double *drawn = rc_value_draws(sample, &n);
    double samples[ERROR_SAMPLES], accuracy = rc_structural_binding_error(binding);
    /* An accuracy is two standard deviations. */
    double sd = isnan(accuracy) ? 0 : sqrt(log1p(accuracy * accuracy / 4));

    for (size_t i = 0; i < ERROR_SAMPLES; i++) {
        double seconds = drawn[i % n] * exp(rc_random_normal(random, 0, sd));

        if (seconds > 0 && isfinite(seconds))
            samples[positive++] = seconds;
    }
    if (positive > 0)
        rc_split_error_of_samples(samples, positive, found);
}

static int find_error(const struct questions *questions, struct rc_split_error *found,
                      struct rc_error *error)
{
    struct rc_binding *binding = bind(questions, error);
    struct rc_random *random = rc_random_create(1, 0);
    struct rc_evaluation *evaluation = NULL;
    struct rc_value *value = NULL, *sample = NULL;
    struct rc_scenario_facts facts;
    struct rc_value_rules rules;

    rc_value_rules_init(&rules);
    rules.draws = ERROR_SAMPLES;
    rules.random = random;
    if (!random)
        rc_error_no_memory(error);
    else if (binding)
        value =
            rc_structural_binding_answer(binding, RC_SAMPLE, &rules, &evaluation, &facts, error);
    if (value)
        sample = rc_value_convert(value, RC_SAMPLE, &rules, error);
    if (sample)
        take_error(binding, sample, random, found);
    rc_value_drop(value);
    rc_value_drop(sample);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_random_destroy(random);
    return sample ? 0 : -1;
}

static int ask_all(struct questions *questions, double *work, double *fixed,
                   struct rc_host_facts *facts, struct rc_error *why)
{
    for (size_t h = 0; h < questions->asked->n_hosts; h++)
        if (ask_of(questions, h, &work[h], &fixed[h], why))
            return -1;
    return find_error(questions, &facts->error, why);
}

static void free_assignments(struct questions *questions)
{
    size_t n = questions->asked->n_params + questions->asked->n_hosts;

    for (size_t i = 0; questions->assignments && i < n; i++)
        free(questions->assignments[i]);
    free(questions->assignments);
}

int rc_split_host_times_of_model(struct rc_db *db, const struct rc_host_times *asked, double *work,
                                 double *fixed, struct rc_host_facts *facts, struct rc_error *why,
                                 struct rc_error *error)
{
    struct questions questions = {.asked = asked, .db = db};
    const char *platform = asked->platform ? asked->platform->name : NULL;
    const struct rc_model *model;
    int found = 0;

    *facts = (struct rc_host_facts){.there = false};
    if (rc_structural_load(db, asked->app, platform, &questions.structure, why)) {
        facts->there = !questions.structure.missing;
        return 0;
    }
    model = questions.structure.model;
    facts->there = true;
    for (size_t i = 0; i < model->n_items; i++)
        facts->apart |= distinguishes(&model->items[i]);
    questions.load = find_load(model);
    if (asked->n_hosts > RC_HOST_TIMES_MOST)
        rc_error_set(why, "it can divide work over at most %d hosts", RC_HOST_TIMES_MOST);
    else if (!questions.load)
        rc_error_set(why, "it does not use the CPU availability of hosts");
    else
        found = assign_all(&questions, why, error);
    if (found > 0)
        found = ask_all(&questions, work, fixed, facts, why) == 0;
    free_assignments(&questions);
    rc_structural_free(&questions.structure);
    return found;
}
