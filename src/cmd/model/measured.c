// SPDX-License-Identifier: GPL-3.0-or-later
/* measured.c - what 'runcast model measure' put into the database, as part of a model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/core/hints.h"
#include "cmd/model/model.h"
#include "model/structural/benchmarks.h"

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

/* ---- several platforms ---- */

/* What was measured on each platform, with the section it holds in. */
struct several {
    struct rc_benchmarks *items;
    struct rc_benchmark_part *parts;
    size_t n;
    char **names; /* of the platforms, up to a NULL */
};

static void free_several(struct several *several)
{
    for (size_t i = 0; i < several->n; i++)
        rc_structural_benchmarks_free(&several->items[i]);
    for (size_t i = 0; several->names && several->names[i]; i++)
        free(several->names[i]);
    free(several->items);
    free(several->parts);
    free(several->names);
}

static int load_several(const struct rc_cmd_model_work *work, struct several *several,
                        struct rc_error *error)
{
    size_t n = 0;

    several->names = rc_structural_benchmarks_platforms(work->db, work->model->app, error);
    if (!several->names)
        return -1;
    while (several->names[n])
        n++;
    several->items = calloc(n + 1, sizeof *several->items);
    several->parts = calloc(n + 1, sizeof *several->parts);
    if (!several->items || !several->parts)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        struct rc_benchmarks *item = &several->items[several->n];
        int found = rc_structural_benchmarks_can_name(several->names[i])
                        ? rc_structural_benchmarks_load(work->db, work->model->app,
                                                        several->names[i], item, error)
                        : 0;

        if (found < 0)
            return -1;
        if (found > 0)
            several->parts[several->n++] = (struct rc_benchmark_part){item, several->names[i]};
    }
    return 0;
}

/* Each in a section of its own, which runs find by their platform. */
static int add_several(struct rc_cmd_model_work *work, size_t *n_left, struct rc_error *error)
{
    struct several several = {0};
    int taken = load_several(work, &several, error);

    if (taken == 0)
        taken =
            rc_structural_benchmarks_join(&work->model, several.parts, several.n, n_left, error);
    free_several(&several);
    return taken;
}

/* ---- all ---- */

static void note_left(size_t n)
{
    if (n)
        rc_cmd_note("%zu measured input%s left out: the model now has %s measured in another way",
                    n, n == 1 ? " is" : "s are", n == 1 ? "it" : "them");
}

int rc_cmd_model_add_measured(struct rc_cmd_model_work *work, bool one_platform)
{
    const char *platform = rc_cmd_model_platform(work);
    struct rc_error error = {.text = ""};
    int section = work->setting.section, taken = 0;
    size_t n_left = 0;

    if (!work->db || !rc_cmd_model_wants_measured(work->model))
        return RC_EXIT_OK;
    if (platform || one_platform)
        taken = rc_structural_benchmarks_add(work->db, platform, &work->model, &section, &error);
    else
        taken = add_several(work, &n_left, &error);
    if (one_platform || work->setting.section >= 0) /* else each run finds its own */
        work->setting.section = section;
    if (work->model->measured)
        n_left = work->model->measured->n_left;
    note_left(n_left);
    if (work->model->measured)
        work->model->measured->told = true;
    if (taken >= 0)
        return RC_EXIT_OK;
    if ((!error.hint[0] && !error.code) ||
        (error.code && strcmp(error.code, "structural.benchmarks-damaged") == 0))
        rc_error_hint(&error, "--no-measured does without them; 'runcast model measure FILE.rcm "
                              "--forget all' removes them");
    return rc_cmd_fail(&error, "reading what was measured");
}

/* ---- whether it holds ---- */

static void note_outdated(void *data, const char *text)
{
    (void)data;
    rc_cmd_note("%s; 'runcast model measure' measures anew", text);
}

void rc_cmd_model_note_measured(struct rc_binding *binding)
{
    struct rc_model_measured *measured = rc_structural_binding_model(binding)->measured;

    if (measured && !measured->told) {
        note_left(measured->n_left);
        measured->told = true;
    }
    rc_structural_benchmarks_outdated(binding, note_outdated, NULL);
}

void rc_cmd_model_mend_hint(const struct rc_model *model, struct rc_error *error)
{
    static const char measures[] = "'runcast model measure' measures it; ";
    const struct rc_model_measured *measured = model ? model->measured : NULL;
    char hint[RC_HINT_SIZE], rest[sizeof error->hint];

    rc_cmd_hint(error, hint);
    if (!measured || strncmp(hint, measures, strlen(measures)) != 0)
        return;
    snprintf(rest, sizeof rest, "%.80s", hint + strlen(measures));
    if (measured->elsewhere)
        rc_error_hint(error,
                      "inputs of %.60s were measured on %.60s: --platform FILE says where; "
                      "%s",
                      model->app, measured->elsewhere, rest);
    else if (measured->n_left)
        rc_error_hint(error,
                      "%zu measured input%s left out, as the model has %s measured in "
                      "another way: 'runcast model measure' measures it so; %s",
                      measured->n_left, measured->n_left == 1 ? " is" : "s are",
                      measured->n_left == 1 ? "it" : "them", rest);
}
