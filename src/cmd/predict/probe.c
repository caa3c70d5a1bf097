// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_probe.c - 'runcast predict --probe': the command of the user that runs a skeleton. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cmd/predict/predict.h"
#include "run/template.h"
#include "model/skeleton/emit/emit.h"
#include "model/skeleton/probe/trials.h"

struct filling {
    const struct rc_cmd_answer *answer;
    const char *program;
};

/* The names of the hosts, with commas between them. */
static int put_hosts(const struct rc_hostlist *hosts, struct rc_buffer *out)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (rc_buffer_printf(out, "%s%s", i ? "," : "", hosts->names[i]))
            return -1;
    return 1;
}

static int put(const void *data, const char *name, struct rc_buffer *out)
{
    const struct filling *filling = data;

    if (strcmp(name, "skeleton") == 0)
        return rc_buffer_add_text(out, filling->program) ? -1 : 1;
    if (strcmp(name, "procs") == 0)
        return rc_buffer_printf(out, "%" PRId64, filling->answer->options->procs) ? -1 : 1;
    if (strcmp(name, "hosts") == 0 && filling->answer->hosts.count)
        return put_hosts(&filling->answer->hosts, out);
    return 0;
}

int rc_cmd_predict_probe(void *data, const char *program, struct rc_trials *trials,
                         struct rc_error *error)
{
    struct rc_cmd_answer *answer = data;
    const struct filling filling = {answer, program};
    const struct rc_template template = {
        .source = "--probe", .text = answer->options->probe, .put = put, .data = &filling};
    char **words = rc_run_template_words(&template, error), name[RC_EMIT_NAME];
    struct rc_cmd_work work;
    int status;

    if (!words)
        return -1;
    rc_skeleton_emit_name(program, name);
    rc_cmd_work_begin(&work, "running the skeleton");
    status = rc_skeleton_probe_run(words, 1, name, &work.monitor, trials, error);
    rc_cmd_work_end(&work);
    rc_run_words_free(words);
    if (status == 0) {
        snprintf(answer->probed.skeleton, sizeof answer->probed.skeleton, "%s", program);
        answer->probed.seconds = rc_skeleton_trials_mean(trials);
        answer->probed.is_short = rc_skeleton_trials_short(trials);
    }
    return status;
}
