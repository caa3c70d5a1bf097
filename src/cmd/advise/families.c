// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_families.c - what 'runcast advise' does with families of models besides regression. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/advise/advise.h"
#include "cmd/predict/predict.h"

/* Slowdown factors go by how busy hosts were in the last days, and not by what is foreseen now; a
 * skeleton runs where --probe says.  The user is told (not_asked). */
static const unsigned asked_families =
    1U << RC_DOOR_REGRESSION | 1U << RC_DOOR_STRUCTURE | 1U << RC_DOOR_SCALING;

static struct rc_consulting consulting_of(const struct rc_cmd_advise *asked)
{
    return (struct rc_consulting){.door = asked->door,
                                  .names = asked->names,
                                  .n = asked->options->size,
                                  .params = asked->params,
                                  .n_params = asked->n_params,
                                  .start = asked->at,
                                  .seed = (uint64_t)asked->options->seed};
}

static int open_door(struct rc_cmd_advise *asked, struct rc_db *store, const char *platform,
                     struct rc_error *error)
{
    struct rc_door_options options;

    rc_predict_door_options_init(&options);
    options.app = asked->options->app;
    options.platform = platform;
    options.file = asked->platform;
    options.families = asked_families;
    options.draws = (size_t)asked->options->draws;
    asked->door = rc_predict_door_open(store, &options, error);
    return asked->door ? 0 : -1;
}

int rc_cmd_advise_consult(struct rc_cmd_advise *asked, struct rc_db *store, struct rc_error *error)
{
    struct rc_consulting consulting;

    if (asked->by_model)
        return rc_place_timing_door_ask(asked->timing, &asked->search.list[0].candidate,
                                        &asked->consulted, error);
    if (open_door(asked, store, asked->learnt_from, error))
        return -1;
    if (!rc_place_consult_worth(asked->door))
        return 0;
    consulting = consulting_of(asked);
    return rc_place_consult(&consulting, &asked->question, &asked->search, &asked->consulted,
                            error);
}

/* ---- programs without runs ---- */

enum { FEW = 24 }; /* numbers of processes that are looked at where nobody says any */

int rc_cmd_advise_find_models(struct rc_cmd_advise *asked, struct rc_db *store, bool *found,
                              struct rc_error *error)
{
    if (open_door(asked, store, asked->platform->name, error))
        return -1;
    *found = rc_place_consult_worth(asked->door);
    return 0;
}

/* By equal factors, as asking takes long. */
static int choose_few(struct rc_cmd_advise *asked, struct rc_error *error)
{
    int64_t room = rc_place_search_room(&asked->question), last = 0;

    asked->procs = calloc(FEW + 1, sizeof *asked->procs);
    if (!asked->procs)
        return rc_error_no_memory(error);
    for (int i = 0; i < FEW && room > 0; i++) {
        int64_t p = room <= FEW ? i + 1 : (int64_t)round(pow((double)room, (double)i / (FEW - 1)));

        if (p > last && p <= room)
            asked->procs[asked->n_procs++] = last = p;
    }
    asked->question.procs = asked->procs;
    asked->question.n_procs = asked->n_procs;
    return 0;
}

int rc_cmd_advise_ask_models(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_timing_door_setup setup = {&asked->consulting, &asked->question,
                                               asked->ranking};

    asked->consulting = consulting_of(asked);
    asked->question.as_ranked = asked->question.apart = true;
    asked->timing = rc_place_timing_door_create(&setup, error);
    return asked->timing && (asked->question.procs || choose_few(asked, error) == 0) ? 0 : -1;
}

/* ---- keeping ---- */

int rc_cmd_advise_keep_families(struct rc_cmd_advise *asked, struct rc_db *store,
                                struct rc_error *error)
{
    const struct rc_candidate *choice = &asked->search.list[0].candidate;
    struct rc_consulting consulting = consulting_of(asked);
    const char **names = calloc(choice->n_hosts + 1, sizeof *names);
    struct rc_door_question question;
    int status;

    if (!names)
        return rc_error_no_memory(error);
    rc_place_consult_question(&consulting, choice, names, &question);
    status = rc_predict_door_keep_models(asked->door, store, error);
    if (status == 0)
        status =
            rc_predict_door_keep(asked->door, store, &question, &asked->consulted, true, error);
    asked->id = asked->consulted.id;
    free(names);
    return status;
}

/* ---- showing ---- */

/* Why a family that others ask is not asked here; NULL: it is. */
static const char *const not_asked[RC_DOOR_FAMILIES] = {
    [RC_DOOR_SKELETON] = "a skeleton (--probe runs one)",
    [RC_DOOR_SLOWDOWN] = "slowdown factors (they know how busy hosts are as a rule, and not now)",
};

void rc_cmd_advise_families_line(const struct rc_cmd_advise *asked)
{
    size_t shown = 0;

    if (asked->options->probe)
        return;
    if (asked->consulted.answered > 0)
        rc_cmd_families_line(&asked->consulted, "from       ");
    else if (asked->walltime.n_past > 0)
        printf("from       regression alone; how its %zu earlier prediction%s fared does not move "
               "the interval\n",
               asked->walltime.n_past, asked->walltime.n_past == 1 ? "" : "s");
    else
        printf("from       regression alone\n");
    for (int f = 0; f < RC_DOOR_FAMILIES; f++)
        if (not_asked[f])
            printf("%s%s", shown++ ? ", " : "not asked  ", not_asked[f]);
    printf("\n");
}

json_t *rc_cmd_advise_not_asked_json(const struct rc_cmd_advise *asked)
{
    json_t *list = json_array();

    for (int f = 0; f < RC_DOOR_FAMILIES && !asked->options->probe; f++)
        if (not_asked[f])
            json_array_append_new(list, rc_json_text(
                                            rc_predict_door_family_name((enum rc_door_family)f)));
    return list;
}

json_t *rc_cmd_advise_families_json(const struct rc_cmd_advise *asked)
{
    json_t *list = json_array();

    for (int f = 0; f < RC_DOOR_FAMILIES; f++) {
        const struct rc_door_part *part = &asked->consulted.parts[f];
        json_t *object;

        if (!part->answered)
            continue;
        object = json_object();
        rc_json_set(object, "family",
                    rc_json_text(rc_predict_door_family_name((enum rc_door_family)f)));
        rc_json_set(object, "predicted", rc_json_number(part->summary.predicted));
        rc_json_set(object, "lo90", rc_json_number(part->summary.lo90));
        rc_json_set(object, "hi90", rc_json_number(part->summary.hi90));
        rc_json_set(object, "weight", rc_json_number(part->weight));
        json_array_append_new(list, object);
    }
    return list;
}
