// SPDX-License-Identifier: GPL-3.0-or-later
/* model.c - a structural model in memory: how it grows, and how it is freed. */
#include "model/structural/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/structural/measured_inputs.h"
#include "model/structural/parse.h"

double rc_structural_model_constant(const struct rc_expression *formula)
{
    const char *const members[RC_MODEL_PARAMETERS_MAX] = {"", "", "", ""}; /* of no use */
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_value *value = NULL;
    double mean = NAN;

    rc_value_rules_init(&rules);
    evaluation = rc_value_evaluation_create(RC_POINT, &rules, NULL, NULL);
    for (size_t n = 0; evaluation && !value && n <= RC_MODEL_PARAMETERS_MAX; n++)
        value = rc_value_evaluation_value(evaluation, formula, members, n, NULL);
    if (value)
        mean = rc_value_mean(value);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    return mean;
}

int rc_structural_model_number(const struct rc_expression *formula, double *number,
                               struct rc_error *error)
{
    struct rc_value_rules rules;
    struct rc_value *value;

    rc_value_rules_init(&rules);
    value = rc_value_expression_evaluate(formula, RC_POINT, &rules, NULL, error);
    if (value)
        *number = rc_value_mean(value);
    rc_value_drop(value);
    return value ? 0 : -1;
}

/* ---- growing and copying ---- */

int rc_structural_model_push(void *list, size_t *count, const void *one, size_t size,
                             struct rc_error *error)
{
    char *grown;

    memcpy(&grown, list, sizeof grown);
    /* The room doubles whenever the count reaches a power of two. */
    if (*count == 0 || (*count & (*count - 1)) == 0)
        grown = realloc(grown, (*count > 0 ? 2 * *count : 1) * size);
    if (!grown)
        return rc_error_no_memory(error);
    memcpy(list, &grown, sizeof grown);
    memcpy(grown + (*count)++ * size, one, size);
    return 0;
}

int rc_structural_traced_copy(struct rc_traced *to, const struct rc_traced *from)
{
    *to = *from;
    to->n_calls = 0;
    to->calls = from->n_calls ? calloc(from->n_calls, sizeof *to->calls) : NULL;
    if (from->n_calls && !to->calls)
        return -1;
    for (size_t i = 0; i < from->n_calls; i++) {
        to->calls[i] = strdup(from->calls[i]);
        if (!to->calls[i])
            return -1;
        to->n_calls++;
    }
    return 0;
}

/* ---- freeing ---- */

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void clear_meta(struct rc_item_meta *meta)
{
    free(meta->source);
    free(meta->note);
}

static void clear_measure(struct rc_measure *measure)
{
    rc_value_expression_destroy(measure->bytes);
    rc_value_expression_destroy(measure->size);
    rc_value_expression_destroy(measure->per);
    rc_value_expression_destroy(measure->less);
    free(measure->arguments);
}

static void clear_traced(struct rc_traced *traced)
{
    for (size_t i = 0; i < traced->n_calls; i++)
        free(traced->calls[i]);
    free(traced->calls);
}

void rc_structural_item_clear(struct rc_item *item)
{
    free(item->name);
    free(item->alternative);
    free(item->description);
    free(item->metric);
    clear_meta(&item->meta);
    for (size_t i = 0; i < item->n_parameters; i++)
        free(item->parameters[i]);
    rc_value_expression_destroy(item->expression);
    rc_value_expression_destroy(item->otherwise);
    rc_value_expression_destroy(item->times);
    clear_measure(&item->measure);
    clear_traced(&item->traced);
    for (size_t i = 0; i < item->n_conditions; i++) {
        rc_value_expression_destroy(item->conditions[i].left);
        rc_value_expression_destroy(item->conditions[i].right);
    }
    for (size_t i = 0; i < item->n_cells; i++) {
        free(item->cells[i].row);
        free(item->cells[i].column);
        rc_value_expression_destroy(item->cells[i].expression);
    }
    free(item->cells);
    *item = (struct rc_item){0};
}

void rc_structural_model_set_clear(struct rc_model_set *set)
{
    free(set->name);
    free(set->of);
    free_names(set->hosts, set->n_hosts);
    *set = (struct rc_model_set){0};
}

void rc_structural_use_clear(struct rc_use *use)
{
    free(use->task);
    free(use->alternative);
    *use = (struct rc_use){0};
}

void rc_structural_model_hosts_clear(struct rc_model_hosts *hosts)
{
    free_names(hosts->names, hosts->n_names);
    *hosts = (struct rc_model_hosts){0};
}

static void destroy_statements(struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        rc_structural_item_clear(&model->items[i]);
    for (size_t i = 0; i < model->n_sets; i++)
        rc_structural_model_set_clear(&model->sets[i]);
    for (size_t i = 0; i < model->n_profile; i++)
        free(model->profile[i].task);
    for (size_t i = 0; i < model->n_uses; i++)
        rc_structural_use_clear(&model->uses[i]);
    for (size_t i = 0; i < model->n_hosts; i++)
        rc_structural_model_hosts_clear(&model->hosts[i]);
    free(model->items);
    free(model->sets);
    free(model->profile);
    free(model->uses);
    free(model->hosts);
    free(model->omits);
}

void rc_structural_model_destroy(struct rc_model *model)
{
    if (!model)
        return;
    destroy_statements(model);
    for (size_t i = 0; i < model->n_sections; i++) {
        free(model->sections[i].name);
        free(model->sections[i].description);
    }
    for (size_t i = 0; i < model->n_files; i++) {
        free(model->files[i].name);
        free(model->files[i].text);
    }
    free(model->sections);
    free(model->files);
    free(model->name);
    free(model->description);
    free(model->app);
    clear_meta(&model->meta);
    rc_structural_model_measured_destroy(model->measured);
    free(model);
}

/* ---- asking ---- */

int rc_structural_model_find_section(const struct rc_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_sections; i++)
        if (strcmp(model->sections[i].name, name) == 0)
            return (int)i;
    return -1;
}

double rc_structural_model_omit(const struct rc_model *model, int section)
{
    const struct rc_model_omit *found = NULL;

    for (size_t i = 0; i < model->n_omits; i++)
        if (rc_structural_model_holds(model->omits[i].section, section) &&
            (!found || model->omits[i].section >= found->section))
            found = &model->omits[i];
    return found ? found->below : 0;
}

double rc_structural_model_share(const struct rc_model *model, int section, const char *task)
{
    const struct rc_profile_entry *found = NULL;

    for (size_t i = 0; i < model->n_profile; i++)
        if (rc_structural_model_holds(model->profile[i].section, section) &&
            strcmp(model->profile[i].task, task) == 0 &&
            (!found || model->profile[i].section >= found->section))
            found = &model->profile[i];
    return found ? found->share : (double)NAN;
}

size_t rc_structural_model_count(const struct rc_model *model, enum rc_item_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < model->n_items; i++) {
        bool first = model->items[i].kind == kind;

        for (size_t k = 0; first && k < i; k++)
            first = model->items[k].kind != kind ||
                    strcmp(model->items[k].name, model->items[i].name) != 0 ||
                    (kind == RC_ITEM_TOTAL &&
                     strcmp(model->items[k].alternative, model->items[i].alternative) != 0);
        n += first;
    }
    return n;
}
