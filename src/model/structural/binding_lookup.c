// SPDX-License-Identifier: GPL-3.0-or-later
/* binding_lookup.c - finding things in a binding by their names: what holds here, what was set, and
 * what was asked for. */
#include "model/structural/binding_internal.h"

#include <stdio.h>
#include <string.h>

bool rc_structural_bound_holds(const struct rc_binding *binding, int section)
{
    return section < 0 || section == binding->setting.section;
}

struct rc_bound_item *rc_structural_bound_find(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_items; i++)
        if (strcmp(binding->items[i].item->name, name) == 0)
            return &binding->items[i];
    return NULL;
}

struct rc_task *rc_structural_bound_task(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_tasks; i++)
        if (strcmp(binding->tasks[i].name, name) == 0)
            return &binding->tasks[i];
    return NULL;
}

struct rc_alternative *rc_structural_bound_alternative(const struct rc_binding *binding,
                                                       const char *name)
{
    char start[RC_EXPRESSION_NAME_MAX + 1];
    const char *dot = strchr(name, '.');
    struct rc_task *task;

    if (!dot || dot - name > RC_EXPRESSION_NAME_MAX)
        return NULL;
    memcpy(start, name, (size_t)(dot - name));
    start[dot - name] = '\0';
    task = rc_structural_bound_task(binding, start);
    for (size_t i = 0; task && i < task->n_alternatives; i++)
        if (strcmp(task->alternatives[i].item->alternative, dot + 1) == 0)
            return &task->alternatives[i];
    return NULL;
}

/* The last one counts; one for this very host goes before one for all. */
const struct rc_setting *rc_structural_bound_setting(const struct rc_binding *binding,
                                                     const char *name, const char *const *indices,
                                                     size_t n_indices)
{
    const struct rc_setting *found = NULL;

    for (size_t i = 0; i < binding->n_settings; i++) {
        const struct rc_setting *setting = &binding->settings[i];
        bool fits = setting->name && strcmp(setting->name, name) == 0 &&
                    (setting->n_indices == 0 || setting->n_indices == n_indices);

        for (size_t k = 0; fits && k < setting->n_indices; k++)
            fits = strcmp(setting->indices[k], indices[k]) == 0;
        if (fits && (!found || setting->n_indices >= found->n_indices))
            found = setting;
    }
    return found;
}

bool rc_structural_binding_is_set(const struct rc_binding *binding, const char *name)
{
    for (size_t i = 0; i < binding->n_settings; i++)
        if (strcmp(binding->settings[i].name, name) == 0)
            return true;
    return false;
}

const char *rc_structural_bound_asked_by_user(const struct rc_binding *binding, const char *task)
{
    size_t length = strlen(task);
    const char *alternative = NULL;

    for (size_t i = 0; i < binding->setting.n_uses; i++)
        if (strncmp(binding->setting.uses[i], task, length) == 0 &&
            binding->setting.uses[i][length] == '=')
            alternative = binding->setting.uses[i] + length + 1;
    return alternative;
}

const char *rc_structural_bound_asked(const struct rc_binding *binding, const char *task)
{
    const char *alternative = rc_structural_bound_asked_by_user(binding, task);
    const struct rc_use *found = NULL;

    for (size_t i = 0; !alternative && i < binding->model->n_uses; i++) {
        const struct rc_use *use = &binding->model->uses[i];

        if (strcmp(use->task, task) == 0 && rc_structural_bound_holds(binding, use->section) &&
            (!found || use->section >= found->section))
            found = use;
    }
    return found ? found->alternative : alternative;
}

void rc_structural_bound_name(const struct rc_item *item, const char *const *indices,
                              size_t n_indices, char text[RC_REASON_SIZE])
{
    snprintf(text, RC_REASON_SIZE, "%.60s%s%.40s%s%.40s%s", item->name, n_indices ? "[" : "",
             n_indices ? indices[0] : "", n_indices > 1 ? "," : "", n_indices > 1 ? indices[1] : "",
             n_indices ? "]" : "");
}
