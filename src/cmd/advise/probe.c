// SPDX-License-Identifier: GPL-3.0-or-later
/* probe.c - runs a skeleton on each set of hosts of the shortlist. */
#include <stdlib.h>

#include "base/error.h"
#include "base/process.h"
#include "cmd/advise/advise.h"
#include "cmd/predict/predict.h"
#include "cmd/skeleton/skeleton.h"
#include "run/command_template.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/skeleton_trials.h"
#include "model/skeleton/match/recorded_program.h"

int rc_cmd_advise_trace(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const char *skeleton = asked->options->skeleton;
    struct rc_program *program = rc_skeleton_program_read(asked->options->trace, error);
    char path[4096];

    if (!program)
        return -1;
    asked->advice.original = program->seconds;
    asked->advice.ranks = (int64_t)program->ranks;
    rc_skeleton_program_destroy(program);
    if (rc_process_find(skeleton, path, sizeof path) == 0)
        return 0;
    rc_error_set(error, "--skeleton: no program '%s'", skeleton);
    return rc_error_hint(error, "build it from the C file of 'runcast skeleton build'");
}

static int run_on(const struct rc_cmd_advise *asked, const struct rc_candidate *candidate,
                  const struct rc_monitor *monitor, struct rc_trials *trials,
                  struct rc_error *error)
{
    size_t n = candidate->n_hosts;
    const char **names = calloc(n + 1, sizeof *names);
    int *slots = calloc(n + 1, sizeof *slots), status;
    const struct rc_cmd_probe probe = {.command = asked->options->probe,
                                       .program = asked->options->skeleton,
                                       .procs = candidate->procs,
                                       .hosts = names,
                                       .slots = slots,
                                       .n_hosts = n};

    for (size_t i = 0; i < n && names && slots; i++) {
        names[i] = asked->advice.names[candidate->hosts[i]];
        slots[i] = asked->advice.hosts[candidate->hosts[i]].slots;
    }
    *trials = (struct rc_trials){0};
    status = names && slots ? rc_cmd_probe_run(&probe, monitor, trials, error)
                            : rc_error_no_memory(error);
    free(names);
    free(slots);
    return status;
}

int rc_cmd_advise_probe(struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                        struct rc_error *error)
{
    struct rc_place_advice *advice = &asked->advice;
    struct rc_trials *trials = calloc(1, sizeof *trials);
    struct rc_measured measured = {0};
    double startup =
        0; /* the same for all sets of hosts: how it varies is no reason to choose one */
    int status = trials ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < advice->search.n_list && status == 0; i++) {
        struct rc_value *value = NULL;

        status = run_on(asked, &advice->search.list[i].candidate, monitor, trials, error);
        if (status == 0 && i == 0)
            status = rc_cmd_skeleton_ratio(asked->options->trace, trials, advice->original,
                                           &measured, error);
        if (i == 0)
            startup = trials->startup_sum;
        trials->startup_sum = startup;
        if (status == 0)
            value = rc_skeleton_trials_predict(trials, &measured, error);
        status =
            value ? rc_place_advice_take(advice, i, rc_skeleton_trials_mean(trials), value, error)
                  : -1;
        rc_value_drop(value);
    }
    if (status == 0)
        rc_place_search_conclude(&advice->wanted, &advice->search);
    free(trials);
    return status;
}
