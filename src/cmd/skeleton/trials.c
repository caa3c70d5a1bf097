// SPDX-License-Identifier: GPL-3.0-or-later
/* trials.c - running a skeleton, and checking that it belongs to a trace. */
#include <math.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/skeleton/skeleton.h"
#include "model/skeleton/emit/emit.h"

int rc_cmd_skeleton_run(const struct rc_invocation *invocation, int64_t repeat,
                        struct rc_trials *trials, struct rc_error *error)
{
    struct rc_cmd_work work;
    char name[RC_EMIT_NAME];
    int status;

    rc_skeleton_emit_name(invocation->arguments[1], name);
    *trials = (struct rc_trials){0};
    rc_cmd_work_begin(&work, "running the skeleton");
    status = rc_skeleton_probe_run(invocation->arguments + 2, (size_t)repeat, name, &work.monitor,
                                   trials, error);
    rc_cmd_work_end(&work);
    return status;
}

int rc_cmd_skeleton_original(const char *directory, double *seconds, struct rc_error *error)
{
    struct rc_program *program = rc_cmd_skeleton_program(directory, error);

    if (!program)
        return -1;
    *seconds = program->seconds;
    rc_skeleton_program_destroy(program);
    return 0;
}

int rc_cmd_skeleton_check(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_error *error)
{
    if (!rc_skeleton_trials_of(trials, original)) {
        rc_error_set(error,
                     "%s was not made from the trace %s: that program took %.4g s, and the "
                     "skeleton's took %.4g s",
                     trials->skeleton, directory, original, trials->original);
        return rc_error_hint(error,
                             "use the trace that it was made from, or build it again: "
                             "'runcast skeleton build %.200s'",
                             directory);
    }
    if (rc_skeleton_trials_short(trials))
        rc_cmd_note("%s is too short to be reliable: its target time is %.3g s, and the shortest "
                    "good skeleton takes %.3g s",
                    trials->skeleton, trials->original / trials->ratio, trials->shortest);
    return 0;
}

void rc_cmd_skeleton_print(const struct rc_field *fields, struct rc_answer_skeleton_trials *answer)
{
    answer->notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(fields, answer));
    json_decref(answer->notes);
}

int rc_cmd_skeleton_ratio(const char *directory, const struct rc_trials *trials, double original,
                          struct rc_measured *measured, struct rc_error *error)
{
    int found;

    if (rc_cmd_skeleton_check(directory, trials, original, error))
        return -1;
    found = rc_skeleton_measured_read(directory, trials, original, measured, error);
    if (found < 0)
        return -1;
    if (found > 0) {
        *measured = (struct rc_measured){.ratio = trials->ratio, .spread = NAN};
        rc_cmd_note(
            "the ratio of program and skeleton was not measured%s; the intended ratio %.4g is "
            "used ('runcast skeleton measure' measures it)",
            found > 1 ? " since one of them was made again" : "", trials->ratio);
    }
    return 0;
}
