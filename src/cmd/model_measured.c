// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measured.c - what 'runcast model measure' put into the store, as part of a model. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model.h"
#include "structure/benchmarks.h"

bool rc_cmd_model_wants_measured(const struct rc_model *model)
{
    for (size_t i = 0; i < model->n_items; i++)
        if (model->items[i].measure.kind != RC_MEASURE_NOTHING)
            return true;
    return false;
}

const char *rc_cmd_model_platform(const struct rc_cmd_model_work *work)
{
    return work->platform               ? work->platform->name
           : work->setting.section >= 0 ? work->model->sections[work->setting.section].name
                                        : NULL;
}

/* ---- joining ---- */

/* What was measured on several platforms, with the sections it holds in. */
struct measured {
    struct rc_benchmarks *items;
    struct rc_benchmark_part *parts; /* up to as many */
    char **names;                    /* of the platforms, up to a NULL */
    size_t n;
};

static void free_measured(struct measured *measured)
{
    for (size_t i = 0; i < measured->n; i++)
        rc_benchmarks_free(&measured->items[i]);
    for (size_t i = 0; measured->names && measured->names[i]; i++)
        free(measured->names[i]);
    free(measured->items);
    free(measured->parts);
    free(measured->names);
}

/* The platforms that matter: the one, or all of the app's whose runs can find their section. */
static int list_platforms(const struct rc_cmd_model_work *work, bool one_platform,
                          struct measured *measured, struct rc_error *error)
{
    const char *platform = rc_cmd_model_platform(work);

    if (!one_platform && !platform) {
        measured->names = rc_benchmarks_platforms(work->store, work->model->app, error);
        return measured->names ? 0 : -1;
    }
    measured->names = calloc(2, sizeof *measured->names);
    if (!measured->names)
        return rc_error_no_memory(error);
    if (platform && !(measured->names[0] = strdup(platform)))
        return rc_error_no_memory(error);
    return 0;
}

static int load(const struct rc_cmd_model_work *work, const char *section, bool one_platform,
                struct measured *measured, struct rc_error *error)
{
    size_t n = 0;
    int found = list_platforms(work, one_platform, measured, error);

    while (!found && measured->names[n])
        n++;
    measured->items = calloc(n + 1, sizeof *measured->items);
    measured->parts = calloc(n + 1, sizeof *measured->parts);
    if (!found && (!measured->items || !measured->parts))
        found = rc_error_no_memory(error);
    for (size_t i = 0; i < n && found >= 0; i++) {
        const char *name = measured->names[i];

        if (n > 1 && !rc_benchmarks_can_name(name))
            continue;
        found = rc_benchmarks_load(work->store, work->model->app, name,
                                   &measured->items[measured->n], error);
        if (found > 0) {
            measured->parts[measured->n] = (struct rc_benchmark_part){
                &measured->items[measured->n], section ? section : name};
            measured->n++;
        }
    }
    return found < 0 ? -1 : 0;
}

int rc_cmd_model_add_measured(struct rc_cmd_model_work *work, bool one_platform)
{
    struct rc_model_setting *setting = &work->setting;
    struct measured measured = {0};
    struct rc_error error = {.text = ""};
    char *section = NULL; /* a copy: the model will be another one */
    size_t n_left = 0;
    int taken = 0;

    if (!work->store || !rc_cmd_model_wants_measured(work->model))
        return RC_EXIT_OK;
    if (setting->section >= 0 &&
        !(section = strdup(work->model->sections[setting->section].name)))
        taken = rc_error_no_memory(&error);
    if (taken == 0 && load(work, section, one_platform, &measured, &error))
        taken = -1;
    if (taken == 0)
        taken = rc_benchmarks_join(&work->model, measured.parts, measured.n, &n_left, &error);
    if (section)
        setting->section = rc_model_find_section(work->model, section);
    else if (taken > 0 && one_platform)
        setting->section = rc_model_find_section(work->model, measured.parts[0].section);
    free_measured(&measured);
    free(section);
    if (n_left)
        rc_cmd_note("%zu measured input%s left out: the model now has %s measured in another way",
                    n_left, n_left == 1 ? " is" : "s are", n_left == 1 ? "it" : "them");
    if (taken >= 0)
        return RC_EXIT_OK;
    if (!error.hint[0])
        rc_error_hint(&error, "--no-measured does without them");
    return rc_cmd_fail(&error, "reading what was measured");
}
