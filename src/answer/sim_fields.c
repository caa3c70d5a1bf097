// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_fields.c - the fields of simulated runs, and of sweeps of them. */
#include "answer/sim_fields.h"

#include "base/timestamp.h"

/* ---- a simulated run ---- */

#define STATISTICS struct rc_series_load
static const struct rc_field load_fields[] = {
    {RC_FIELD(STATISTICS, NUMBER, minavg), .key = "minavg"},
    {RC_FIELD(STATISTICS, NUMBER, avgmin), .key = "avgmin"},
    RC_FIELDS_END};

#define SIM struct rc_answer_sim
const struct rc_field rc_answer_sim[] = {
    {RC_FIELD(SIM, INT64, id), .key = "run", .zero_is_null = true},
    {RC_FIELD(SIM, CHARS, result.output.app), .key = "app"},
    {RC_FIELD(SIM, NUMBER, result.output.n), .key = "n"},
    {RC_FIELD(SIM, INT64, result.layout.processes), .key = "p"},
    {RC_FIELD(SIM, NUMBER, result.output.iterations), .key = "iterations"},
    {RC_FIELD(SIM, TEXT, platform), .key = "platform"},
    {RC_FIELD(SIM, TEXT, result.layout.text), .key = "hosts"},
    {RC_FIELD(SIM, SIZE, result.layout.n_hosts), .key = "host_count"},
    {RC_FIELD(SIM, TEXT, load), .key = "load"},
    {RC_FIELD(SIM, UINT64, seed), .key = "seed"},
    {RC_FIELD(SIM, NUMBER, start), .key = "start"},
    {RC_FIELD(SIM, NUMBER, result.seconds), .key = "seconds"},
    {RC_FIELD(SIM, NUMBER, result.output.total), .key = "simulated"},
    {RC_FIELD(SIM, NUMBER, result.output.operations), .key = "operations"},
    {RC_FIELD(SIM, NUMBER, result.output.memory), .key = "memory"},
    {RC_FIELD(SIM, TEXT, check), .key = "check"},
    {RC_FIELD(SIM, NUMBER, every), .key = "every"},
    {RC_FIELD(SIM, OBJECT, result.cpu), .key = "cpu", .fields = load_fields},
    {RC_FIELD(SIM, OBJECT, result.bandwidth), .key = "bandwidth", .fields = load_fields},
    RC_FIELDS_END};

SIM rc_answer_sim_make(const struct rc_sim_job *job, const struct rc_sim_result *result, int64_t id)
{
    return (SIM){.id = id,
                 .platform = result->layout.platform->name,
                 .load = rc_load_kind_name(job->load->kind),
                 .check = result->output.computed ? "ok" : "charged",
                 .seed = job->seed,
                 .start = job->base + result->start,
                 .every = job->every,
                 .result = *result};
}

/* ---- sweeps ---- */

#define POINT struct rc_answer_sweep_point
static void p_text(const void *point, char *text, size_t size)
{
    int64_t p = ((const POINT *)point)->p;

    snprintf(text, size, p ? "%lld" : "all", (long long)p);
}

static void start_text(const void *point, char *text, size_t size)
{
    char when[RC_TIME_SIZE];

    rc_timestamp_format(((const POINT *)point)->start, when);
    snprintf(text, size, "%s", when);
}

const struct rc_field rc_answer_sweep_point[] = {
    {RC_FIELD(POINT, TEXT, app), .key = "app", .title = "app"},
    {RC_FIELD(POINT, NUMBER, n), .key = "n", .title = "n"},
    {RC_FIELD(POINT, INT64, p), .key = "p", .title = "p", .zero_is_null = true, .text = p_text},
    {RC_FIELD(POINT, TEXT, load), .key = "load", .title = "load"},
    {RC_FIELD(POINT, UINT64, seed), .key = "seed", .title = "seed"},
    {RC_FIELD(POINT, NUMBER, start), .key = "start", .title = "start", .left = true,
     .text = start_text},
    {RC_FIELD(POINT, NUMBER, id), .key = RC_SIM_POINT},
    RC_FIELDS_END};

#define SWEEP struct rc_answer_sweep
const struct rc_field rc_answer_sweep[] = {{RC_FIELD(SWEEP, SIZE, progress.done), .key = "done"},
                                           {RC_FIELD(SWEEP, SIZE, progress.failures),
                                            .key = "failed"},
                                           {RC_FIELD(SWEEP, SIZE, known), .key = "known"},
                                           RC_FIELDS_END};

POINT rc_answer_sweep_point_make(const struct rc_sweep *sweep, const struct rc_sweep_point *point)
{
    const struct rc_sweep_app *app = &sweep->apps[point->app];

    return (POINT){.app = app->name,
                   .load = sweep->load_names[point->load],
                   .n = app->sizes[point->size],
                   .p = app->procs[point->procs],
                   .seed = sweep->seeds[point->seed],
                   .start = point->base + point->start,
                   .id = point->id};
}
