// SPDX-License-Identifier: GPL-3.0-or-later
/* method_skeleton.c - a performance skeleton: a trace of this very run, made on idle hosts, and a
 * fresh run of its skeleton where the run is to be. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "predict/method.h"
#include "model/skeleton/match/recorded_program.h"
#include "db/trace.h"

/* Traces are of one size and number of processes: all is looked for when it is asked. */
static enum rc_method_result open_method(const struct rc_method_setup *setup, void **out,
                                         struct rc_error *error)
{
    struct rc_method_setup *state = malloc(sizeof *state);

    *out = state;
    if (!state) {
        rc_error_no_memory(error);
        return RC_METHOD_ERROR;
    }
    *state = *setup;
    return RC_METHOD_ANSWERED;
}

static void no_trace(const struct rc_question *question, struct rc_error *error)
{
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(question->size, 6, n);
    rc_error_set(error, "no trace of '%s' with size %s and %" PRId64 " process%s", question->app, n,
                 question->procs, question->procs == 1 ? "" : "es");
    rc_error_code(error, "predict.no-trace", "%.60s\n%s", question->app, n);
}

/* The trace, and the program of its skeleton. */
static enum rc_method_result find_skeleton(const struct rc_method_setup *setup,
                                           const struct rc_question *question,
                                           struct rc_stored_trace *trace,
                                           char program[RC_MEASURED_PATH], struct rc_error *error)
{
    int found = rc_db_trace_find(setup->db, question->app, question->platform, question->size,
                                 question->procs, question->start, trace, error);

    if (found < 0)
        return RC_METHOD_ERROR;
    if (found == 0) {
        no_trace(question, error);
        return RC_METHOD_UNAVAILABLE;
    }
    if (!rc_skeleton_measured_program(trace->path, program)) {
        rc_error_set(error, "no measured skeleton of the trace in %s", trace->path);
        rc_error_code(error, "predict.no-skeleton", NULL);
        return RC_METHOD_UNAVAILABLE;
    }
    if (question->probe)
        return RC_METHOD_ANSWERED;
    rc_error_set(error, "no run of the skeleton on the hosts");
    rc_error_code(error, "predict.no-probe", "%" PRId64, question->procs);
    return RC_METHOD_UNAVAILABLE;
}

/* The measured ratio or, if there is none, the intended one. */
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
        rc_error_set(error, "the skeleton %s was not made from the trace in %.300s",
                     trials->skeleton, directory);
        return rc_error_code(error, "predict.other-skeleton", NULL);
    }
    found = rc_skeleton_measured_read(directory, trials, original, measured, error);
    if (found < 0)
        return -1;
    if (found > 0)
        *measured = (struct rc_measured){.ratio = trials->ratio, .spread = NAN};
    return 0;
}

static int fill(const struct rc_trials *trials, const struct rc_measured *measured,
                struct rc_method_answer *answer, struct rc_error *error)
{
    struct rc_value *value = rc_skeleton_trials_predict(trials, measured, error);

    if (!value)
        return -1;
    for (size_t i = 0; i < answer->n_samples; i++)
        answer->samples[i] =
            rc_value_quantile(value, ((double)i + 0.5) / (double)answer->n_samples);
    rc_value_drop(value);
    rc_predict_summarise(answer->samples, answer->n_samples, &answer->summary);
    return 0;
}

/* A probe that fails makes it unavailable: other methods may answer all the same. */
static enum rc_method_result ask(void *state, const struct rc_question *question,
                                 struct rc_random *random, struct rc_method_answer *answer,
                                 struct rc_error *error)
{
    struct rc_stored_trace trace = {0};
    char program[RC_MEASURED_PATH];
    struct rc_trials trials = {.n = 0};
    struct rc_measured measured;
    enum rc_method_result result = find_skeleton(state, question, &trace, program, error);

    (void)random;
    if (result == RC_METHOD_ANSWERED &&
        (question->probe(question->probe_data, program, &trials, error) ||
         find_ratio(trace.path, &trials, &measured, error) ||
         fill(&trials, &measured, answer, error)))
        result = rc_predict_method_failed(error);
    rc_db_stored_trace_free(&trace);
    return result;
}

const struct rc_method_ops rc_method_skeleton = {
    .name = "skeleton", .open = open_method, .ask = ask, .close = free};
