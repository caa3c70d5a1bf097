// SPDX-License-Identifier: GPL-3.0-or-later
/* probe.c - --probe: the user's command that runs a skeleton. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cmd/predict/predict.h"
#include "run/command_template.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/skeleton_trials.h"

/* "a1,a2", or "a1:2,a2:2" where `slots`. */
static int put_hosts(const struct rc_cmd_probe *probe, bool slots, struct rc_buffer *out)
{
    int status = 0;

    for (size_t i = 0; i < probe->n_hosts; i++) {
        status |= rc_buffer_printf(out, "%s%s", i ? "," : "", probe->hosts[i]);
        if (slots)
            status |= rc_buffer_printf(out, ":%d", probe->slots[i]);
    }
    return status ? -1 : 1;
}

static int put(const void *data, const char *name, struct rc_buffer *out)
{
    const struct rc_cmd_probe *probe = data;

    if (strcmp(name, "skeleton") == 0)
        return rc_buffer_add_text(out, probe->program) ? -1 : 1;
    if (strcmp(name, "procs") == 0)
        return rc_buffer_printf(out, "%" PRId64, probe->procs) ? -1 : 1;
    if (strcmp(name, "hosts") == 0 && probe->n_hosts)
        return put_hosts(probe, false, out);
    if (strcmp(name, "slots") == 0 && probe->slots)
        return put_hosts(probe, true, out);
    return 0;
}

int rc_cmd_probe_run(const struct rc_cmd_probe *probe, const struct rc_monitor *monitor,
                     struct rc_trials *trials, struct rc_error *error)
{
    const struct rc_template template = {
        .source = "--probe", .text = probe->command, .put = put, .data = probe};
    char **words = rc_run_template_words(&template, error), name[RC_EMIT_NAME];
    int status;

    if (!words)
        return -1;
    rc_skeleton_emit_name(probe->program, name);
    status = rc_skeleton_probe_run(words, 1, name, monitor, trials, error);
    rc_run_words_free(words);
    return status;
}

int rc_cmd_predict_probe(void *data, const char *program, struct rc_trials *trials,
                         struct rc_error *error)
{
    struct rc_cmd_answer *answer = data;
    const struct rc_cmd_probe probe = {.command = answer->options->probe,
                                       .program = program,
                                       .procs = answer->procs,
                                       .hosts = answer->report.question.hosts,
                                       .n_hosts = answer->report.question.n_hosts};
    struct rc_answer_probe *report = &answer->report.probe;
    struct rc_cmd_work work;
    int status;

    rc_cmd_work_begin(&work, "running the skeleton");
    status = rc_cmd_probe_run(&probe, &work.monitor, trials, error);
    rc_cmd_work_end(&work);
    if (status == 0) {
        snprintf(report->skeleton, sizeof report->skeleton, "%s", program);
        report->seconds = rc_skeleton_trials_mean(trials);
        report->startup = rc_skeleton_trials_startup(trials);
        report->is_short = rc_skeleton_trials_short(trials);
    }
    return status;
}
