// SPDX-License-Identifier: GPL-3.0-or-later
/* probe.c - runs a skeleton on each set of hosts of the short list. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/process.h"
#include "cmd/advise/advise.h"
#include "cmd/skeleton/skeleton.h"
#include "run/template.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/probe.h"
#include "model/skeleton/match/program.h"
#include "model/skeleton/probe/trials.h"

int rc_cmd_advise_trace(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const char *skeleton = asked->options->skeleton;
    struct rc_program *program = rc_skeleton_program_read(asked->options->recording, error);
    char path[4096];

    if (!program)
        return -1;
    asked->advice.original = program->seconds;
    asked->advice.ranks = (int64_t)program->ranks;
    rc_skeleton_program_destroy(program);
    if (rc_process_find(skeleton, path, sizeof path) == 0)
        return 0;
    rc_error_set(error, "--skeleton: there is no program '%s'", skeleton);
    return rc_error_hint(error, "'runcast skeleton build' makes it");
}

/* ---- the command ---- */

struct filling {
    const struct rc_cmd_advise *asked;
    const struct rc_candidate *candidate;
};

/* "a1,a2", with so many processes behind each where `slots`. */
static int put_hosts(const struct filling *filling, bool slots, struct rc_buffer *out)
{
    const struct rc_candidate *candidate = filling->candidate;
    int status = 0;

    for (size_t i = 0; i < candidate->n_hosts; i++) {
        size_t host = candidate->hosts[i];

        status |= rc_buffer_printf(out, "%s%s", i ? "," : "", filling->asked->advice.names[host]);
        if (slots)
            status |= rc_buffer_printf(out, ":%d", filling->asked->advice.hosts[host].slots);
    }
    return status ? -1 : 1;
}

static int put(const void *data, const char *name, struct rc_buffer *out)
{
    const struct filling *filling = data;
    int status;

    if (strcmp(name, "hosts") == 0 || strcmp(name, "slots") == 0)
        return put_hosts(filling, *name == 's', out);
    if (strcmp(name, "procs") == 0)
        status = rc_buffer_printf(out, "%lld", (long long)filling->candidate->procs);
    else if (strcmp(name, "skeleton") == 0)
        status = rc_buffer_add_text(out, filling->asked->options->skeleton);
    else
        return 0;
    return status ? -1 : 1;
}

static int run_on(const struct rc_cmd_advise *asked, const struct rc_candidate *candidate,
                  const struct rc_monitor *monitor, struct rc_trials *trials,
                  struct rc_error *error)
{
    const struct filling filling = {asked, candidate};
    const struct rc_template template = {
        .source = "--probe", .text = asked->options->probe, .put = put, .data = &filling};
    char **words = rc_run_template_words(&template, error);
    char name[RC_EMIT_NAME];
    int status;

    if (!words)
        return -1;
    rc_skeleton_emit_name(asked->options->skeleton, name);
    *trials = (struct rc_trials){0};
    status = rc_skeleton_probe_run(words, 1, name, monitor, trials, error);
    rc_run_words_free(words);
    return status;
}

int rc_cmd_advise_probe(struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                        struct rc_error *error)
{
    struct rc_place_advice *advice = &asked->advice;
    struct rc_trials *trials = calloc(1, sizeof *trials);
    struct rc_measured measured = {0};
    int status = trials ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < advice->search.n_list && status == 0; i++) {
        struct rc_value *value = NULL;

        status = run_on(asked, &advice->search.list[i].candidate, monitor, trials, error);
        if (status == 0 && i == 0)
            status = rc_cmd_skeleton_ratio(asked->options->recording, trials, advice->original,
                                           &measured, error);
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
