// SPDX-License-Identifier: GPL-3.0-or-later
/* binding_settings.c - what is set on the command line: "name[i, j]=expression". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "base/number.h"
#include "base/text.h"
#include "model/structural/binding_internal.h"

/* "name[i, j]" into its parts; `text` is cut up. */
static int split_target(struct rc_setting *setting, char *text, struct rc_error *error)
{
    char *open = strchr(text, '['), *end = text + strlen(text), *save = NULL;

    for (; end > text && end[-1] == ' '; end--)
        end[-1] = '\0';
    if (open && (end == text || end[-1] != ']'))
        return rc_error_set(error, "missing ']' in '%s'", text);
    if (open) {
        end[-1] = *open = '\0';
        for (char *at = strtok_r(open + 1, ", ", &save); at; at = strtok_r(NULL, ", ", &save)) {
            if (setting->n_indices == RC_MODEL_PARAMETERS_MAX)
                return rc_error_set(error, "more than %d indices", RC_MODEL_PARAMETERS_MAX);
            setting->indices[setting->n_indices] = strdup(at);
            if (!setting->indices[setting->n_indices++])
                return rc_error_no_memory(error);
        }
        if (setting->n_indices == 0)
            return rc_error_set(error, "empty brackets");
    }
    setting->name = strdup(text);
    return setting->name ? 0 : rc_error_no_memory(error);
}

/* The input that is to be set; the nearest name, where there is none of that one. */
static const struct rc_item *find_input(const struct rc_binding *binding, const char *name,
                                        struct rc_error *error)
{
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, name);
    const char *nearest;
    const char **names;
    size_t n = 0;

    if (bound && bound->item->kind == RC_ITEM_INPUT)
        return bound->item;
    rc_error_set(error,
                 bound || rc_structural_bound_task(binding, name)
                     ? "'%s' is not an input of the model, but computed from inputs"
                     : "'%s' is not an input of the model",
                 name);
    names = calloc(binding->n_items + 1, sizeof *names);
    for (size_t i = 0; names && i < binding->n_items; i++)
        if (binding->items[i].item->kind == RC_ITEM_INPUT)
            names[n++] = binding->items[i].item->name;
    nearest = names ? rc_nearest_word(name, names, n, sizeof *names) : NULL;
    if (nearest)
        rc_error_hint(error, "did you mean '%s'?", nearest);
    free(names);
    return NULL;
}

/* A number that is more than a whole core, for an input that is the share of one. */
static int check_share(const struct rc_item *item, const struct rc_expression *expression,
                       struct rc_error *error)
{
    double mean = item->metric && strcmp(item->metric, "cpu") == 0
                      ? rc_structural_model_constant(expression)
                      : (double)NAN;

    if (!(mean > RC_BOUND_ONE))
        return 0;
    rc_error_set(error, "%s is a fraction of a core and cannot be %g", item->name, mean);
    return rc_error_hint(error, "write 0.85 or 85%%");
}

/* Reads one "name[i]=expression"; `text` is cut up. */
static int read_setting(struct rc_binding *binding, struct rc_setting *setting, char *text,
                        const char *whole, struct rc_error *error)
{
    char *value = strchr(text, '=');
    const struct rc_item *item;
    struct rc_expression_origin origin = {.line = 1};
    char file[sizeof error->file];
    double *number;

    if (!value || value == text) {
        rc_error_set(error, "missing value in '%s'", whole);
        return rc_error_hint(error, "write NAME=VALUE, such as N=2000");
    }
    *value++ = '\0';
    if (split_target(setting, text, error))
        return -1;
    item = find_input(binding, setting->name, error);
    if (!item)
        return -1;
    if (setting->n_indices && setting->n_indices != item->n_parameters)
        return rc_error_set(error, "'%s' needs %zu indices, not %zu", item->name,
                            item->n_parameters, setting->n_indices);
    snprintf(file, sizeof file, RC_SETTING_FILE "%s", whole);
    rc_text_mend_cut(file, sizeof file);
    origin.file = file;
    origin.column = (unsigned)rc_text_width(whole, (size_t)(value - text)) + 1;
    origin.parameters = (const char *const *)item->parameters;
    origin.n_parameters = item->n_parameters;
    setting->expression = rc_value_expression_parse(value, strlen(value), &origin, error);
    if (!setting->expression || check_share(item, setting->expression, error))
        return -1;
    /* What is set for the number of processes, or for the size, holds wherever these matter. */
    number = item->source == RC_FROM_PROCESSES ? &binding->setting.processes
             : item->source == RC_FROM_SIZE    ? &binding->setting.size
                                               : NULL;
    return number ? rc_structural_model_number(setting->expression, number, error) : 0;
}

static bool is_in_table(const struct rc_item *item, const char *name)
{
    for (size_t i = 0; i < item->n_cells; i++)
        if (strcmp(item->cells[i].row, name) == 0 || strcmp(item->cells[i].column, name) == 0)
            return true;
    return false;
}

/* A slip in the name of a host would set nothing. */
static int check_indices(const struct rc_binding *binding, const struct rc_setting *setting,
                         struct rc_error *error)
{
    const struct rc_bound_item *bound = rc_structural_bound_find(binding, setting->name);
    double number;

    for (size_t i = 0; i < setting->n_indices; i++) {
        const char *index = setting->indices[i];

        if (rc_number_parse(index, strlen(index), &number) == 0 || binding->setting.any_host ||
            rc_structural_bound_host(binding, index) ||
            rc_structural_bound_is_member(binding, index) || is_in_table(bound->item, index))
            continue;
        rc_error_set(error, "'%s' is not one of the hosts", index);
        return rc_error_code(error, "structural.set-for-all", "%s", setting->name);
    }
    return 0;
}

int rc_structural_bound_settings(struct rc_binding *binding, struct rc_error *error)
{
    const struct rc_model_setting *asked = &binding->setting;

    binding->settings = calloc(asked->n_assignments + 1, sizeof *binding->settings);
    if (!binding->settings)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < binding->n_items; i++) {
        const struct rc_item *item = binding->items[i].item;

        if (item->otherwise && check_share(item, item->otherwise, error))
            return -1;
    }
    for (size_t i = 0; i < asked->n_assignments; i++) {
        char *text = strdup(asked->assignments[i]);
        int status;

        if (!text)
            return rc_error_no_memory(error);
        status = read_setting(binding, &binding->settings[binding->n_settings++], text,
                              asked->assignments[i], error);
        free(text);
        if (status || check_indices(binding, &binding->settings[binding->n_settings - 1], error))
            return -1;
    }
    return 0;
}

void rc_structural_bound_settings_free(struct rc_binding *binding)
{
    for (size_t i = 0; binding->settings && i < binding->n_settings; i++) {
        for (size_t k = 0; k < binding->settings[i].n_indices; k++)
            free(binding->settings[i].indices[k]);
        free(binding->settings[i].name);
        rc_value_expression_destroy(binding->settings[i].expression);
    }
    free(binding->settings);
}
