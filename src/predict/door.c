// SPDX-License-Identifier: GPL-3.0-or-later
/* door.c - a question about a run, to every family of models that has what it needs. */
#include "predict/door.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "predict/door_internal.h"

static const struct rc_predict_door_way *const ways[RC_DOOR_FAMILIES] = {
    [RC_DOOR_REGRESSION] = &rc_door_regression, [RC_DOOR_STRUCTURE] = &rc_door_structure,
    [RC_DOOR_SCALING] = &rc_door_scaling,       [RC_DOOR_SKELETON] = &rc_door_skeleton,
    [RC_DOOR_SLOWDOWN] = &rc_door_slowdown,
};

const struct rc_predict_door_way *rc_predict_door_way(int family)
{
    return ways[family];
}

const char *rc_predict_door_family_name(enum rc_door_family family)
{
    return ways[family]->name;
}

int rc_predict_door_family_find(const char *name)
{
    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        if (strcmp(ways[f]->name, name) == 0)
            return f;
    return -1;
}

const char *rc_predict_door_stored(const struct rc_door *door, int family)
{
    if (family == RC_DOOR_FAMILIES)
        return RC_DOOR_FAMILY;
    return ways[family]->stored ? ways[family]->stored
                                : rc_predict_run_model_family(&door->run_model);
}

void rc_predict_door_options_init(struct rc_door_options *options)
{
    *options = (struct rc_door_options){.families = RC_DOOR_ALL,
                                        .draws = RC_PREDICT_DRAWS,
                                        .criterion = RC_REGRESSION_DEFAULT,
                                        .omit = NAN};
}

void rc_predict_door_question_init(struct rc_door_question *question)
{
    *question = (struct rc_door_question){.cpu = NAN, .bw = NAN, .seed = 1};
}

/* ---- opening ---- */

static int make_room(struct rc_door *door, struct rc_error *error)
{
    size_t n = door->options.draws;

    door->block = calloc((RC_DOOR_FAMILIES + 3) * n, sizeof *door->block);
    if (!door->block)
        return rc_error_no_memory(error);
    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        door->draws[f] = door->block + (size_t)f * n;
    door->own = door->block + RC_DOOR_FAMILIES * n;
    door->mixed = door->own + n;
    door->spare = door->mixed + n;
    return 0;
}

struct rc_door *rc_predict_door_open(struct rc_db *store, const struct rc_door_options *options,
                                     struct rc_error *error)
{
    struct rc_door *door = calloc(1, sizeof *door);
    int status;

    if (!door) {
        rc_error_no_memory(error);
        return NULL;
    }
    door->store = store;
    door->options = *options;
    status = make_room(door, error);
    for (int f = 0; f < RC_DOOR_FAMILIES && status == 0; f++)
        if (options->families & 1U << f)
            status = ways[f]->open(door, error);
    if (status == 0)
        status = rc_predict_door_record_load(door, error);
    if (status == 0)
        return door;
    rc_predict_door_close(door);
    return NULL;
}

void rc_predict_door_close(struct rc_door *door)
{
    if (!door)
        return;
    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        if (ways[f]->close)
            ways[f]->close(door);
    rc_predict_run_model_free(&door->run_model);
    rc_regression_speeds_free(&door->speeds);
    free(door->block);
    free(door->hosts);
    free(door->past);
    free(door);
}

unsigned rc_predict_door_open_families(const struct rc_door *door)
{
    unsigned families = 0;

    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        families |= door->open[f] ? 1U << f : 0;
    return families;
}

/* ---- asking ---- */

void rc_predict_door_run(const struct rc_door_question *question, struct rc_run *run)
{
    rc_db_run_init(run);
    run->n = question->n;
    run->p = question->p;
    run->params = question->params;
    run->n_params = question->n_params;
    run->cpu_minavg = run->cpu_avgmin = question->cpu;
    run->bw_minavg = run->bw_avgmin = question->bw;
}

static bool is_given(const struct rc_door_question *question)
{
    return !isnan(question->cpu) || !isnan(question->bw);
}

static int say_load(struct rc_error *error)
{
    rc_error_set(error, "it knows nothing of a load that is said, as regression does");
    return rc_error_hint(error, "leave out --cpu and --bw");
}

static int ask_family(struct rc_door *door, int family, const struct rc_door_question *question,
                      struct rc_door_part *part, struct rc_error *error)
{
    struct rc_random *random;
    int got;

    part->draws = door->draws[family];
    part->n_draws = door->options.draws;
    part->factor = 1;
    part->record = rc_predict_door_record(door, family, question->start);
    if (!door->open[family]) {
        part->why = door->lacks[family];
        return 0;
    }
    if (is_given(question) && family != RC_DOOR_REGRESSION) {
        say_load(&part->why);
        return 0;
    }
    random = rc_random_create(question->seed, 0);
    if (!random)
        return rc_error_no_memory(error);
    part->summary = (struct rc_predict_summary){.cpu = NAN, .bw = NAN};
    got = ways[family]->ask(door, question, random, door->draws[family], &part->n_draws,
                            &part->summary, &part->why);
    rc_random_destroy(random);
    part->answered = got > 0;
    if (got < 0 && error)
        *error = part->why;
    return got < 0 ? -1 : 0;
}

/* Where the run is, for who keeps or shows it. */
static int name_hosts(struct rc_door *door, const struct rc_door_question *question,
                      const struct rc_door_answer *answer, struct rc_error *error)
{
    const char *const *names = question->hosts;
    size_t n = question->n_hosts;

    free(door->hosts);
    door->hosts = NULL;
    if (n == 0 && answer->parts[RC_DOOR_STRUCTURE].answered)
        names = rc_structural_binding_hosts(door->structural.binding, &n);
    if (n == 0)
        return 0;
    door->hosts = rc_platform_hostlist_compress(names, n, error);
    return door->hosts ? 0 : -1;
}

/* One that has a model but cannot be asked so, before those that have none. */
static size_t find_nearest(const struct rc_door *door)
{
    static const int order[] = {RC_DOOR_REGRESSION, RC_DOOR_STRUCTURE, RC_DOOR_SCALING};
    enum { N = sizeof order / sizeof *order };

    for (size_t i = 0; i < N; i++)
        if (door->open[order[i]])
            return (size_t)order[i];
    for (size_t f = 0; f < RC_DOOR_FAMILIES; f++)
        if (door->options.families & 1U << f)
            return f;
    return 0;
}

int rc_predict_door_ask(struct rc_door *door, const struct rc_door_question *question,
                        struct rc_door_answer *answer, struct rc_error *error)
{
    const struct rc_door_options *options = &door->options;

    *answer = (struct rc_door_answer){.given = is_given(question) || options->n_uses ||
                                               !isnan(options->omit)};
    for (int f = 0; f < RC_DOOR_FAMILIES; f++) {
        struct rc_door_part *part = &answer->parts[f];

        part->asked = options->families & 1U << f;
        if (part->asked && ask_family(door, f, question, part, error))
            return -1;
        answer->answered += part->answered;
    }
    if (answer->parts[RC_DOOR_STRUCTURE].answered &&
        door->structural.load == RC_PREDICT_STRUCTURAL_GIVEN)
        answer->given = true;
    answer->record = rc_predict_door_record(door, RC_DOOR_FAMILIES, question->start);
    answer->nearest = find_nearest(door);
    if (answer->answered == 0)
        return 0;
    return name_hosts(door, question, answer, error) ||
                   rc_predict_door_mix(door, question->start, answer, error)
               ? -1
               : 0;
}

/* ---- what answers rest on ---- */

const struct rc_run_model *rc_predict_door_run_model(const struct rc_door *door)
{
    return door->has_runs ? &door->run_model : NULL;
}

const struct rc_predict_structural *rc_predict_door_structural(const struct rc_door *door)
{
    return door->reads_structure ? &door->structural : NULL;
}

const char *rc_predict_door_hosts(const struct rc_door *door)
{
    return door->hosts;
}
