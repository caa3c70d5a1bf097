// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_conditions.c - what values are measured with, so that it is seen where that changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "model/structural/measured_inputs_internal.h"
#include "model/structural/binding_internal.h"
#include "model/structural/measuring_internal.h"

/* ---- which inputs count ---- */

struct reach {
    const struct rc_model *model;
    bool *been; /* of each item */
};

static void look_at(void *data, const struct rc_reference *reference)
{
    struct reach *reach = data;
    size_t length = strcspn(reference->name, "."); /* Task.alternative */

    for (size_t i = 0; i < reach->model->n_items; i++) {
        const struct rc_item *item = &reach->model->items[i];

        if (reach->been[i] || strlen(item->name) != length ||
            strncmp(item->name, reference->name, length) != 0)
            continue;
        reach->been[i] = true;
        if (item->expression)
            rc_value_expression_references(item->expression, look_at, reach);
        for (size_t k = 0; k < item->n_cells; k++)
            rc_value_expression_references(item->cells[k].expression, look_at, reach);
    }
}

void rc_structural_measuring_reach(const struct rc_model *model, const struct rc_item *item,
                                   bool *been)
{
    struct reach reach = {model, been};

    memset(been, 0, model->n_items * sizeof *been);
    if (item->measure.per)
        rc_value_expression_references(item->measure.per, look_at, &reach);
    if (item->measure.less)
        rc_value_expression_references(item->measure.less, look_at, &reach);
}

static bool can_count(const struct rc_item *item)
{
    return item->kind == RC_ITEM_INPUT && item->n_parameters == 0 &&
           item->measure.kind == RC_MEASURE_NOTHING && item->source != RC_FROM_SIZE &&
           item->source != RC_FROM_PROCESSES && item->source != RC_FROM_SERIES &&
           item->source != RC_FROM_FORECAST;
}

const char **rc_structural_measuring_names(const struct rc_measuring *plan,
                                           const struct rc_item *item,
                                           const struct rc_measuring_options *options,
                                           struct rc_error *error)
{
    const struct rc_model *model = plan->model;
    bool *been = calloc(model->n_items + 1, sizeof *been);
    const char **names = calloc(model->n_items + 1, sizeof *names);
    size_t n = 0;

    if (!been || !names) {
        rc_error_no_memory(error);
        free(been);
        free(names);
        return NULL;
    }
    rc_structural_measuring_reach(model, item, been);
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *one = &model->items[i];

        for (size_t k = 0; k < options->n_places && item->measure.kind >= RC_MEASURE_RUN; k++)
            been[i] |= strcmp(options->places[k], one->name) == 0;
        if (been[i] && can_count(one) &&
            rc_structural_binding_find_item(plan->binding, one->name) == one)
            names[n++] = one->name;
    }
    free(been);
    return names;
}

/* ---- their values ---- */

/* Whether "NAME=…" sets the size or the number of processes, which the run has of its own. */
static bool sets_the_run(const struct rc_model *model, const char *assignment)
{
    const char *name = assignment + strspn(assignment, " ");
    size_t length = strcspn(name, " =[");

    for (size_t i = 0; i < model->n_items; i++)
        if ((model->items[i].source == RC_FROM_SIZE ||
             model->items[i].source == RC_FROM_PROCESSES) &&
            strlen(model->items[i].name) == length &&
            strncmp(model->items[i].name, name, length) == 0)
            return true;
    return false;
}

int rc_structural_measuring_setting(struct rc_measuring *plan, double size, double processes,
                                    struct rc_model_setting *setting, struct rc_error *error)
{
    *setting = plan->setting;
    if (!plan->assignments) {
        plan->assignments = calloc(setting->n_assignments + 1, sizeof *plan->assignments);
        if (!plan->assignments)
            return rc_error_no_memory(error);
        for (size_t i = 0; i < setting->n_assignments; i++)
            if (!sets_the_run(plan->model, setting->assignments[i]))
                plan->assignments[plan->n_assignments++] = setting->assignments[i];
    }
    setting->assignments = plan->assignments;
    setting->n_assignments = plan->n_assignments;
    setting->size = size;
    setting->processes = processes;
    return 0;
}

int rc_structural_measuring_value(struct rc_binding *binding, const char *name, double *value,
                                  struct rc_error *error)
{
    static const struct rc_expression_origin origin = {.file = "model", .line = 1, .column = 1};
    const struct rc_item *item = rc_structural_binding_find_item(binding, name);
    struct rc_expression *expression;
    int status;

    if (!item || item->n_parameters > 0)
        return rc_error_set(error, "'%s' is not an input without parameters", name);
    expression = rc_value_expression_parse(name, strlen(name), &origin, error);
    status =
        expression ? rc_structural_binding_number(binding, expression, NULL, 0, value, error) : -1;
    rc_value_expression_destroy(expression);
    return status;
}

/* The model as it is for a run of that size. */
static struct rc_binding *bind_as_run(struct rc_measuring *plan, double size, double processes)
{
    struct rc_model_setting setting;

    if (plan->as_run && plan->as_run->setting.size == size &&
        plan->as_run->setting.processes == processes)
        return plan->as_run;
    rc_structural_binding_destroy(plan->as_run);
    plan->as_run = rc_structural_measuring_setting(plan, size, processes, &setting, NULL) == 0
                       ? rc_structural_binding_create(plan->model, &setting, NULL)
                       : NULL;
    return plan->as_run;
}

/* "iterations=5, eps=0.1"; what cannot be told is left out, and told when the run is made. */
static int write_inputs(struct rc_measuring *plan, const struct rc_measuring_job *job,
                        const char *const *names, struct rc_buffer *text)
{
    struct rc_binding *binding = *names ? bind_as_run(plan, job->size, job->processes) : NULL;
    int status = rc_buffer_add_text(text, "");
    double number;

    for (size_t i = 0; binding && names[i] && status == 0; i++)
        if (rc_structural_measuring_value(binding, names[i], &number, NULL) == 0)
            status =
                rc_buffer_printf(text, "%s%s=%.15g", text->length ? ", " : "", names[i], number);
    return status;
}

int rc_structural_measuring_how(struct rc_measuring *plan, const struct rc_measuring_wanted *wanted,
                                const struct rc_measuring_job *job, const char *const *names,
                                const struct rc_measuring_options *options, size_t *how,
                                struct rc_error *error)
{
    struct rc_benchmark_how now = {.size = job->size,
                                   .bytes = job->bytes,
                                   .processes = NAN,
                                   .repeats = options->repeats > 0 ? options->repeats : NAN,
                                   .command = job->run ? options->command : options->microbenchmark,
                                   .timed = job->run && options->timed};
    struct rc_buffer inputs = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    char machine[RC_BENCHMARKS_TEXT], *hosts = NULL;
    int status = 0;

    now.machine = rc_structural_benchmarks_machine(plan->binding, wanted->item, wanted->row,
                                                   wanted->column, machine);
    if (job->run && write_inputs(plan, job, names, &inputs))
        status = rc_error_no_memory(error);
    now.inputs = inputs.data;
    if (job->together) {
        now.processes = job->processes;
        now.hosts = hosts = rc_platform_hostlist_compress(job->hosts, job->n_hosts, error);
        status |= hosts ? 0 : -1;
    }
    if (status == 0)
        status = rc_structural_benchmarks_how(&plan->hows, &now, how, error);
    free(hosts);
    rc_buffer_free(&inputs);
    return status;
}
