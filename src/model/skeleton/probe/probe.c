// SPDX-License-Identifier: GPL-3.0-or-later
/* probe.c - running a skeleton, to hear how long it takes. */
#include "model/skeleton/probe/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/last_line.h"
#include "base/process.h"
#include "model/skeleton/emit/emit.h"

enum { OUTPUT_MAX = 16 << 20 };

/* Says what a command that failed printed: the skeleton's own words, since its launcher may have
 * said more after them, or else the last ones. */
static int run_failed(const struct rc_process_result *result, const struct rc_buffer *output,
                      const char *skeleton, struct rc_error *error)
{
    const char *text = output->data ? output->data : "", *own;
    struct rc_buffer words = RC_BUFFER_INIT(OUTPUT_MAX);
    char begins[RC_EMIT_NAME + 8];

    rc_error_set(error, "the command ended with %s %d",
                 result->end == RC_PROCESS_SIGNALLED ? "signal" : "status", result->status);
    snprintf(begins, sizeof begins, "%s: rank ", skeleton);
    own = strstr(text, begins);
    if (own)
        return rc_error_hint(error, "it said: %.*s", (int)strcspn(own, "\n"), own);
    rc_last_line(text, output->length, &words);
    if (words.length)
        rc_error_hint(error, "its last words: %s", words.data);
    rc_buffer_free(&words);
    return -1;
}

static int run_once(char *const *command, const struct rc_monitor *monitor, const char *skeleton,
                    struct rc_trials *trials, struct rc_error *error)
{
    struct rc_buffer output = RC_BUFFER_INIT(OUTPUT_MAX);
    struct rc_process_options options = {.seconds = INFINITY, .grace = 5, .monitor = monitor};
    struct rc_process_result result;
    size_t before = trials->n;
    int status = rc_process_run((const char *const *)command, &options, &output, &result, error);

    if (!status && (result.end != RC_PROCESS_EXITED || result.status))
        status = run_failed(&result, &output, skeleton, error);
    if (!status)
        status =
            rc_skeleton_trials_add(trials, output.data ? output.data : "", output.length, error);
    if (!status && trials->n == before) {
        status = rc_error_set(error, "it is no skeleton: it did not say how long it took");
        rc_error_code(error, "skeleton.not-a-skeleton", NULL);
    }
    rc_buffer_free(&output);
    return status;
}

int rc_skeleton_probe_run(char *const *command, size_t times, const char *name,
                          const struct rc_monitor *monitor, struct rc_trials *trials,
                          struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < times && !status; i++)
        status = run_once(command, monitor, name, trials, error);
    if (status || strcmp(trials->skeleton, name) == 0)
        return status;
    rc_error_set(error, "the command ran the skeleton %s, not %s", trials->skeleton, name);
    return rc_error_hint(error, "a skeleton has the name of the file that it was built as");
}
