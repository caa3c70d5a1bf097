// SPDX-License-Identifier: GPL-3.0-or-later
/* door_regression.c - regression at the door: a model of the app's runs. */
#include <string.h>

#include "predict/door_internal.h"

int rc_predict_door_open_run_model(struct rc_door *door, struct rc_error *error)
{
    const struct rc_door_options *options = &door->options;

    if (door->has_runs || door->no_runs.text[0])
        return 0;
    if (rc_predict_speeds(door->store, options->file, options->platform, &door->speeds, error))
        return -1;
    door->has_runs = rc_predict_run_model_open(door->store, options->app, options->platform,
                                               &door->speeds, options->criterion, options->parts,
                                               &door->run_model, &door->no_runs) == 0;
    if (door->has_runs || door->run_model.source.lacking)
        return 0;
    if (error)
        *error = door->no_runs;
    return -1;
}

static int open_family(struct rc_door *door, struct rc_error *error)
{
    int status = rc_predict_door_open_run_model(door, error);

    door->open[RC_DOOR_REGRESSION] = door->has_runs;
    door->lacks[RC_DOOR_REGRESSION] = door->no_runs;
    return status;
}

static int ask(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error)
{
    const struct rc_run_model_place place = {.store = door->store,
                                             .hosts = question->hosts,
                                             .n_hosts = question->n_hosts,
                                             .start = question->start,
                                             .forecast = question->forecast};
    struct rc_run run;

    if (question->run_model) {
        memcpy(draws, question->run_model, *n_draws * sizeof *draws);
        rc_predict_summarise(draws, *n_draws, summary);
        return 1;
    }
    rc_predict_door_run(question, &run);
    return rc_predict_run_model_ask(&door->run_model, &run, &place, random, draws, *n_draws,
                                    summary, error);
}

const struct rc_predict_door_way rc_door_regression = {.name = "regression",
                                                       .open = open_family,
                                                       .ask = ask};
