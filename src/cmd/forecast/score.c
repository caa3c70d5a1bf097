// SPDX-License-Identifier: GPL-3.0-or-later
/* score.c - 'runcast forecast --score': the accuracy of past forecasts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/forecast_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/forecast/forecast.h"
#include "host/sense/cores.h"

enum { HORIZON = 30, WARMUP = 60 }; /* samples */

static int print_tables(const struct rc_answer_replays *answer, struct rc_error *error)
{
    const struct rc_predict_replay *all = &answer->all.is;
    struct rc_answer_replay_part parts[1 + RC_FORECAST_PARTS] = {{"combined", all->mae, all->rmse}};
    size_t rows = answer->n_files > 1 ? answer->n_files + 1 : answer->n_files;

    /* The row of all files follows those of the files. */
    if (rc_field_table(stdout, rc_answer_replay, answer->files, rows, sizeof *answer->files,
                       rc_cmd_width(), error))
        return -1;
    putchar('\n');
    for (size_t i = 0; i < RC_FORECAST_PARTS; i++)
        parts[1 + i] = (struct rc_answer_replay_part){rc_forecast_part_name(i), all->part_mae[i],
                                                      all->part_rmse[i]};
    return rc_field_table(stdout, rc_answer_replay_part, parts, 1 + RC_FORECAST_PARTS,
                          sizeof *parts, rc_cmd_width(), error);
}

/* `answer` has room for one file more: for all of them. */
static int score(struct rc_invocation *invocation, const struct rc_replay_options *how,
                 struct rc_predict_replay *replays, struct rc_answer_replays *answer)
{
    const struct rc_cmd_forecast_options *options = invocation->options;
    size_t n = answer->n_files;
    struct rc_sense_cores cores;
    struct rc_cmd_work work;
    struct rc_error error;
    int status;

    rc_cmd_work_begin(&work, "replaying");
    status = rc_forecast_replay_files((const char *const *)invocation->arguments, n, how,
                                      rc_sense_cores_allowed(&cores, NULL) ? 1 : cores.n, replays,
                                      &work.monitor, &error);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "scoring forecasts");
    rc_forecast_replay_join(replays, n, &answer->all.is);
    for (size_t i = 0; i < n; i++) {
        answer->files[i] = (struct rc_answer_replay){invocation->arguments[i], replays[i]};
        if (replays[i].points == 0)
            rc_cmd_note(
                "%s: too few samples to score: a warm-up of %zu and a horizon of %zu need %zu",
                invocation->arguments[i], how->warmup, how->horizon, how->warmup + how->horizon);
    }
    answer->files[n] = answer->all;
    if (options->json) {
        answer->notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_replays, answer));
        json_decref(answer->notes);
    } else if (print_tables(answer, &error))
        return rc_cmd_fail(&error, "scoring forecasts");
    return RC_EXIT_OK;
}

int rc_cmd_forecast_score(struct rc_invocation *invocation)
{
    const struct rc_cmd_forecast_options *options = invocation->options;
    bool next = options->target && strcmp(options->target, "next") == 0;
    int64_t horizon = HORIZON;
    size_t n = (size_t)invocation->n_arguments;
    struct rc_answer_replays answer = {.n_files = n};
    struct rc_predict_replay *replays;
    struct rc_error error;
    int status;

    if (n == 0)
        return rc_cmd_usage_text(invocation, "missing FILE.csv");
    if (options->host || options->link || options->hosts || !isnan(options->at))
        return rc_cmd_usage_text(invocation, "--score takes files, not series of the database");
    if (options->plot || options->stat || options->samples || options->seed >= 0)
        return rc_cmd_usage_text(invocation, "%s does not go with --score",
                                 options->plot      ? "--plot"
                                 : options->stat    ? "--stat"
                                 : options->samples ? "--samples"
                                                    : "--seed");
    if (options->horizon &&
        rc_number_parse_integer(options->horizon, strlen(options->horizon), &horizon))
        return rc_cmd_usage_text(invocation,
                                 "--horizon: with --score, an integer number of samples");
    if (horizon < 1 || horizon > 512)
        return rc_cmd_usage_text(invocation, "--horizon: with --score, 1 to 512 samples");
    replays = calloc(n, sizeof *replays);
    answer.files = calloc(n + 1, sizeof *answer.files);
    if (!replays || !answer.files) {
        rc_error_no_memory(&error);
        status = rc_cmd_fail(&error, "scoring forecasts");
    } else {
        status =
            score(invocation,
                  &(struct rc_replay_options){next ? 1 : (size_t)horizon,
                                              options->warmup ? (size_t)options->warmup : WARMUP},
                  replays, &answer);
    }
    free(answer.files);
    free(replays);
    return status;
}
