// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - the notes of 'runcast predict' on an answer. */
#include "cmd/core/prediction_notes.h"
#include "cmd/core/time_limit.h"
#include "cmd/predict/predict.h"

/* Speeds of hosts, as regression knows them. */
static void note_pace(const struct rc_cmd_answer *answer)
{
    if (!answer->report.found.methods[RC_METHOD_REGRESSION].answered)
        return;
    if (answer->pace_from == RC_WEIGHTS_UNKNOWN)
        rc_cmd_note_speeds(answer->platform_file, answer->options->platform_file,
                           "all are assumed equally fast");
    if (answer->pace_from == RC_WEIGHTS_SLOWEST && answer->pace != 1)
        rc_cmd_note_slowest(answer->options->app);
    rc_cmd_note_hosts_apart(&answer->run_model->source->hosts);
}

/* The load of a host without a process has no effect on the run, but on the answer.  (Structural
 * models have a separate note.) */
static void note_spare_hosts(const struct rc_cmd_answer *answer)
{
    const struct rc_method_report *methods = answer->report.found.methods;

    if (answer->options->hosts &&
        (methods[RC_METHOD_REGRESSION].answered || methods[RC_METHOD_SLOWDOWN].answered) &&
        (int64_t)answer->hosts.count > answer->numbers.numbers[0])
        rc_cmd_note(
            "%zu hosts for %lld process%s: the prediction uses the load of all hosts; list only "
            "hosts that run a process",
            answer->hosts.count, (long long)answer->numbers.numbers[0],
            answer->numbers.numbers[0] == 1 ? "" : "es");
}

/* For misspelled names.  It is unknown which parameters scaling uses. */
static void note_unknown_params(const struct rc_cmd_answer *answer)
{
    const struct rc_method_report *methods = answer->report.found.methods;

    if (answer->options->phases || methods[RC_METHOD_SCALING].answered ||
        !methods[RC_METHOD_REGRESSION].answered)
        return;
    rc_cmd_note_params(answer->options->app, answer->run_model->source->model, answer->params,
                       answer->n_params);
}

/* Regression, and slowdown through it, may have learned from other platforms. */
static void note_elsewhere(const struct rc_cmd_answer *answer)
{
    const struct rc_method_report *methods = answer->report.found.methods;
    const struct rc_predict_source *runs = rc_predict_runs(answer->predictor);

    if (runs && (methods[RC_METHOD_REGRESSION].answered || methods[RC_METHOD_SLOWDOWN].answered))
        rc_cmd_note_elsewhere(runs);
}

/* --probe without an answer of the skeleton. */
static void note_probe(const struct rc_cmd_answer *answer)
{
    const struct rc_method_report *part = &answer->report.found.methods[RC_METHOD_SKELETON];

    if (answer->options->probe && part->asked && !part->answered)
        rc_cmd_note("--probe had no effect: %s%s%s", part->why.text, part->why.hint[0] ? "; " : "",
                    part->why.hint);
    if (part->answered && answer->report.probe.is_short)
        rc_cmd_note(
            "%s runs too short for a good prediction; build a longer skeleton with 'runcast "
            "skeleton build' and measure it with 'runcast skeleton measure'",
            answer->report.probe.skeleton);
}

/* The age of the samples of the load. */
static int note_freshness(const struct rc_cmd_answer *answer, struct rc_db *store,
                          struct rc_error *error)
{
    const struct rc_method_report *methods = answer->report.found.methods;
    const char *const *hosts = (const char *const *)answer->hosts.names;
    struct rc_freshness freshness;

    if ((!methods[RC_METHOD_REGRESSION].answered && !methods[RC_METHOD_SLOWDOWN].answered) ||
        (answer->run_model && answer->run_model->load == RC_RUN_MODEL_GIVEN))
        return 0;
    if (rc_forecast_freshness_find(store, hosts, answer->hosts.count, answer->start, &freshness,
                                   error))
        return -1;
    rc_cmd_note_freshness(&freshness, hosts);
    if (methods[RC_METHOD_REGRESSION].answered) /* slowdown looks further back */
        rc_cmd_note_unwatched(answer->run_model ? answer->run_model->facts.missing : NULL,
                              answer->hosts.count - freshness.n_hosts, answer->hosts.count);
    return 0;
}

int rc_cmd_predict_notes(const struct rc_cmd_answer *answer, struct rc_db *store,
                         struct rc_error *error)
{
    if (note_freshness(answer, store, error))
        return -1;
    note_elsewhere(answer);
    note_probe(answer);
    note_pace(answer);
    note_spare_hosts(answer);
    note_unknown_params(answer);
    if (answer->asked < 0)
        rc_cmd_note_apart(&answer->report.found);
    rc_cmd_note_silent_methods(&answer->report.found, rc_predict_open_models(answer->predictor));
    rc_cmd_note_few_samples(&answer->report.time_limit, answer->wanted.samples);
    if (answer->shown == RC_METHOD_STRUCTURAL)
        rc_cmd_predict_structure_notes(answer);
    return 0;
}
