// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_probe.c - runs a skeleton on each set of hosts of the short list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/process.h"
#include "cmd/advise/advise.h"
#include "cmd/skeleton/skeleton.h"
#include "run/template.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/trials.h"
#include "model/skeleton/match/program.h"

int rc_cmd_advise_recording(struct rc_cmd_advise *asked, struct rc_error *error)
{
    const char *skeleton = asked->options->skeleton;
    struct rc_program *program = rc_skeleton_program_read(asked->options->recording, error);
    char path[4096];

    if (!program)
        return -1;
    asked->original = program->seconds;
    asked->ranks = (int64_t)program->ranks;
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

        status |= rc_buffer_printf(out, "%s%s", i ? "," : "", filling->asked->names[host]);
        if (slots)
            status |= rc_buffer_printf(out, ":%d", filling->asked->hosts[host].slots);
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

/* ---- what it says ---- */

/* Puts the time that follows from a trial in place of the model's. */
static int take_answer(struct rc_cmd_advise *asked, size_t entry, const struct rc_trials *trials,
                       const struct rc_measured *measured, double *scratch, struct rc_error *error)
{
    struct rc_search *search = &asked->search;
    struct rc_advised *one = &search->list[entry];
    struct rc_value *value = rc_skeleton_trials_predict(trials, measured, error);

    if (!value)
        return -1;
    for (size_t i = 0; i < search->n_draws; i++)
        one->draws[i] = rc_value_quantile(value, ((double)i + 0.5) / (double)search->n_draws);
    rc_value_drop(value);
    rc_place_advised_judge(one, one->draws, search->n_draws, NULL, &asked->question.aim,
                           rc_place_search_cores(&asked->question, &one->candidate),
                           asked->clusters[one->candidate.cluster].price, scratch);
    return 0;
}

/* The seconds follow their entries when these are sorted anew. */
static int remember(struct rc_cmd_advise *asked, const double *seconds,
                    const struct rc_candidate *before, struct rc_error *error)
{
    size_t n = asked->search.n_list;

    asked->probed = calloc(n + 1, sizeof *asked->probed);
    if (!asked->probed)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (before[k].hosts == asked->search.list[i].candidate.hosts &&
                before[k].n_hosts == asked->search.list[i].candidate.n_hosts)
                asked->probed[i].seconds = seconds[k];
    return 0;
}

int rc_cmd_advise_probe(struct rc_cmd_advise *asked, const struct rc_monitor *monitor,
                        struct rc_error *error)
{
    struct rc_search *search = &asked->search;
    double *scratch = calloc(search->n_draws + 1, sizeof *scratch);
    double *seconds = calloc(search->n_list + 1, sizeof *seconds);
    struct rc_candidate *before = calloc(search->n_list + 1, sizeof *before);
    struct rc_trials *trials = calloc(1, sizeof *trials);
    struct rc_measured measured = {0};
    int status = scratch && seconds && before && trials ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < search->n_list && status == 0; i++) {
        before[i] = search->list[i].candidate;
        status = run_on(asked, &before[i], monitor, trials, error);
        if (status == 0 && i == 0)
            status = rc_cmd_skeleton_ratio(asked->options->recording, trials, asked->original,
                                           &measured, error);
        if (status == 0)
            status = take_answer(asked, i, trials, &measured, scratch, error);
        seconds[i] = status == 0 ? rc_skeleton_trials_mean(trials) : (double)NAN;
    }
    if (status == 0) {
        rc_place_search_conclude(&asked->question, search);
        status = remember(asked, seconds, before, error);
    }
    free(scratch);
    free(seconds);
    free(before);
    free(trials);
    return status;
}
