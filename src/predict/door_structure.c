// SPDX-License-Identifier: GPL-3.0-or-later
/* door_structure.c - structural models at the door: one that the store has of the app. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "predict/door_internal.h"

static int open_family(struct rc_door *door, struct rc_error *error)
{
    struct rc_error *lacks = &door->lacks[RC_DOOR_STRUCTURE];

    door->reads_structure = true;
    if (rc_predict_structural_open(door->store, door->options.app, door->options.platform,
                                   &door->structural, lacks) == 0) {
        door->open[RC_DOOR_STRUCTURE] = true;
        return 0;
    }
    if (door->structural.source.lacking)
        return 0;
    if (error)
        *error = *lacks;
    return -1;
}

static int check_hosts(const struct rc_door *door, const struct rc_door_question *question,
                       struct rc_error *error)
{
    for (size_t i = 0; door->options.file && i < question->n_hosts; i++)
        if (!rc_platform_find_host(door->options.file, question->hosts[i], NULL))
            return rc_error_set(error, "--hosts: the platform has no host '%s'",
                                question->hosts[i]);
    return 0;
}

/* With a load that was said, or other ways, it is another question than those of the record. */
static int correct(struct rc_door *door, double start, double *draws, size_t n_draws,
                   struct rc_predict_summary *summary, struct rc_error *error)
{
    const struct rc_door_options *options = &door->options;
    struct rc_past_prediction *past;
    size_t n;
    int status;

    if (door->structural.load == RC_PREDICT_STRUCTURAL_GIVEN || options->n_uses ||
        !isnan(options->omit))
        return 0;
    if (rc_predict_door_own_record(door, RC_DOOR_STRUCTURE, start, &past, &n, error))
        return -1;
    memcpy(door->own, draws, n_draws * sizeof *draws);
    status =
        rc_predict_structural_correct(&door->structural, past, n, draws, n_draws, summary, error);
    free(past);
    return status;
}

static int ask(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error)
{
    const struct rc_door_options *options = &door->options;
    const struct rc_predict_structural_question asked = {.platform = options->file,
                                                         .hosts = question->hosts,
                                                         .n_hosts = question->n_hosts,
                                                         .size = question->n,
                                                         .processes = (double)question->p,
                                                         .start = question->start,
                                                         .params = question->params,
                                                         .n_params = question->n_params,
                                                         .set = options->set,
                                                         .n_set = options->n_set,
                                                         .uses = options->uses,
                                                         .n_uses = options->n_uses,
                                                         .omit = options->omit,
                                                         .explain = options->explain};

    rc_predict_structural_forget(&door->structural);
    if (check_hosts(door, question, error) ||
        rc_predict_structural_answer(&door->structural, door->store, &asked, random, draws, n_draws,
                                     summary, error))
        return 0;
    return correct(door, question->start, draws, *n_draws, summary, error) ? -1 : 1;
}

static void close_family(struct rc_door *door)
{
    if (door->reads_structure)
        rc_predict_structural_free(&door->structural);
}

const struct rc_predict_door_way rc_door_structure = {.name = "structure",
                                                      .stored = RC_STRUCTURAL_FAMILY,
                                                      .open = open_family,
                                                      .ask = ask,
                                                      .close = close_family};
