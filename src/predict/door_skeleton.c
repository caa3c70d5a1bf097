// SPDX-License-Identifier: GPL-3.0-or-later
/* door_skeleton.c - skeletons at the door: a recording of this very run, made on idle hosts, and a
 * fresh run of its skeleton where the run is to be. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/number.h"
#include "predict/door_internal.h"
#include "model/skeleton/match/program.h"
#include "db/trace.h"

static int open_family(struct rc_door *door, struct rc_error *error)
{
    (void)error;
    door->open[RC_DOOR_SKELETON] = true; /* recordings are of one size and number of processes */
    return 0;
}

static int no_recording(const struct rc_door *door, const struct rc_door_question *question,
                        struct rc_error *error)
{
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(question->n, 6, n);
    rc_error_set(error, "the store knows no recording of '%s' with n = %s on %" PRId64 " process%s",
                 door->options.app, n, question->p, question->p == 1 ? "" : "es");
    return rc_error_hint(error,
                         "'runcast trace -o DIR -- COMMAND' makes one, and 'runcast trace "
                         "keep DIR --app %.60s --size %s' tells the store",
                         door->options.app, n);
}

/* The directory of the recording and the program of its skeleton: 1, or 0 with what is lacking. */
static int find_skeleton(const struct rc_door *door, const struct rc_door_question *question,
                         struct rc_stored_trace *recording, char program[RC_MEASURED_PATH],
                         struct rc_error *error)
{
    int found = rc_db_trace_find(door->store, door->options.app, door->options.platform,
                                 question->n, question->p, question->start, recording, error);

    if (found < 0)
        return -1;
    if (found == 0) {
        no_recording(door, question, error);
        return 0;
    }
    if (!rc_skeleton_measured_program(recording->path, program)) {
        rc_error_set(error, "no skeleton of the recording in %s was measured, or it is gone",
                     recording->path);
        rc_error_hint(error, "'runcast skeleton build' makes one, and 'runcast skeleton measure' "
                             "runs it where the program was recorded");
        return 0;
    }
    if (question->probe)
        return 1;
    rc_error_set(error, "it lacks a probe: a run of the skeleton where the program is to run");
    rc_error_hint(error, "--probe 'mpirun -np %" PRId64 " {skeleton}' makes one", question->p);
    return 0;
}

/* The measured ratio, or where there is none the one that was meant. */
static int find_ratio(const char *directory, const struct rc_trials *trials,
                      struct rc_measured *measured, struct rc_error *error)
{
    struct rc_program *program = rc_skeleton_program_read(directory, error);
    double original = program ? program->seconds : NAN;
    int found;

    rc_skeleton_program_destroy(program);
    if (!program)
        return -1;
    if (!rc_skeleton_trials_of(trials, original)) {
        rc_error_set(error, "the skeleton %s was not made of the recording in %.300s",
                     trials->skeleton, directory);
        return rc_error_hint(error, "build and measure it anew: 'runcast skeleton build'");
    }
    found = rc_skeleton_measured_read(directory, trials, original, measured, error);
    if (found < 0)
        return -1;
    if (found > 0)
        *measured = (struct rc_measured){.ratio = trials->ratio, .spread = NAN};
    return 0;
}

static int fill(const struct rc_trials *trials, const struct rc_measured *measured, double *draws,
                size_t *n_draws, struct rc_predict_summary *summary, struct rc_error *error)
{
    struct rc_value *value = rc_skeleton_trials_predict(trials, measured, error);

    if (!value)
        return -1;
    for (size_t i = 0; i < *n_draws; i++)
        draws[i] = rc_value_quantile(value, ((double)i + 0.5) / (double)*n_draws);
    rc_value_drop(value);
    rc_predict_summarise(draws, *n_draws, summary);
    return 1;
}

/* A probe that fails is told as a lack: others may answer all the same. */
static int ask(struct rc_door *door, const struct rc_door_question *question,
               struct rc_random *random, double *draws, size_t *n_draws,
               struct rc_predict_summary *summary, struct rc_error *error)
{
    struct rc_stored_trace recording = {0};
    char program[RC_MEASURED_PATH];
    struct rc_trials trials = {.n = 0};
    struct rc_measured measured;
    int got = find_skeleton(door, question, &recording, program, error);

    (void)random;
    if (got > 0 && (question->probe(question->probe_data, program, &trials, error) ||
                    find_ratio(recording.path, &trials, &measured, error)))
        got = 0;
    if (got > 0)
        got = fill(&trials, &measured, draws, n_draws, summary, error);
    rc_db_stored_trace_free(&recording);
    return got;
}

const struct rc_predict_door_way rc_door_skeleton = {
    .name = "skeleton", .stored = "skeleton", .open = open_family, .ask = ask};
