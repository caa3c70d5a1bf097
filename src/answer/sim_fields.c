// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_fields.c - the fields of simulated runs, and of sweeps of them. */
#include "answer/sim_fields.h"

/* ---- a simulated run ---- */

#define STATISTICS struct rc_series_load
static const struct rc_field load_fields[] = {
    {RC_FIELD(STATISTICS, NUMBER, minavg), .key = "minavg"},
    {RC_FIELD(STATISTICS, NUMBER, avgmin), .key = "avgmin"},
    RC_FIELDS_END};

#define SIM struct rc_answer_sim
static json_t *hosts_json(const void *sim)
{
    const struct rc_sim_layout *layout = &((const SIM *)sim)->result.layout;
    json_t *hosts = json_array();

    for (size_t i = 0; i < layout->n_hosts; i++)
        json_array_append_new(hosts, json_string(layout->hosts[i].name));
    return hosts;
}

const struct rc_field rc_answer_sim[] = {
    {RC_FIELD(SIM, INT64, id), .key = "run", .zero_is_null = true},
    {RC_FIELD(SIM, CHARS, result.output.app), .key = "app"},
    {RC_FIELD(SIM, NUMBER, result.output.n), .key = "size"},
    {RC_FIELD(SIM, INT64, result.layout.processes), .key = "procs"},
    {RC_FIELD(SIM, NUMBER, result.output.iterations), .key = "iterations"},
    {RC_FIELD(SIM, TEXT, platform), .key = "platform"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = hosts_json, .type = "strings"},
    {RC_FIELD(SIM, TEXT, load), .key = "load_kind"},
    {RC_FIELD(SIM, UINT64, seed), .key = "seed"},
    {RC_FIELD(SIM, TIME, start), .key = "start"},
    {RC_FIELD(SIM, NUMBER, result.seconds), .key = "time_s"},
    {RC_FIELD(SIM, NUMBER, result.output.total), .key = "simulated_time_s"},
    {RC_FIELD(SIM, NUMBER, result.output.operations), .key = "operations_flop"},
    {RC_FIELD(SIM, NUMBER, result.output.memory), .key = "memory_bytes"},
    {RC_FIELD(SIM, TEXT, check), .key = "check"},
    {RC_FIELD(SIM, NUMBER, interval), .key = "sample_interval_s"},
    {RC_FIELD(SIM, OBJECT, result.cpu), .key = "cpu_availability", .fields = load_fields},
    {RC_FIELD(SIM, OBJECT, result.bandwidth), .key = "bandwidth_bytes_per_s",
     .fields = load_fields},
    {RC_FIELD(SIM, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

SIM rc_answer_sim_make(const struct rc_sim_job *job, const struct rc_sim_result *result, int64_t id)
{
    return (SIM){.id = id,
                 .platform = result->layout.platform->name,
                 .load = rc_load_kind_name(job->load->kind),
                 .check = result->output.computed ? "ok" : "charged",
                 .seed = job->seed,
                 .start = job->base + result->start,
                 .interval = job->every,
                 .result = *result};
}

/* ---- sweeps ---- */

#define POINT struct rc_answer_sweep_point
static void procs_text(const void *point, char *text, size_t size)
{
    int64_t procs = ((const POINT *)point)->procs;

    snprintf(text, size, procs ? "%lld" : "all", (long long)procs);
}

const struct rc_field rc_answer_sweep_point[] = {
    {RC_FIELD(POINT, TEXT, app), .key = "app", .title = "app"},
    {RC_FIELD(POINT, NUMBER, size), .key = "size", .title = "size"},
    {RC_FIELD(POINT, INT64, procs), .key = "procs", .title = "processes", .zero_is_null = true,
     .text = procs_text},
    {RC_FIELD(POINT, TEXT, load), .key = "load_kind", .title = "load"},
    {RC_FIELD(POINT, UINT64, seed), .key = "seed", .title = "seed"},
    {RC_FIELD(POINT, TIME, start), .key = "start", .title = "start"},
    {RC_FIELD(POINT, NUMBER, id), .key = RC_SIM_POINT},
    RC_FIELDS_END};

#define SWEEP struct rc_answer_sweep
const struct rc_field rc_answer_sweep[] = {
    {RC_FIELD(SWEEP, SIZE, progress.done), .key = "finished_runs"},
    {RC_FIELD(SWEEP, SIZE, progress.failures), .key = "failed_runs"},
    {RC_FIELD(SWEEP, SIZE, known), .key = "already_stored"},
    {RC_FIELD(SWEEP, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

POINT rc_answer_sweep_point_make(const struct rc_sweep *sweep, const struct rc_sweep_point *point)
{
    const struct rc_sweep_app *app = &sweep->apps[point->app];

    return (POINT){.app = app->name,
                   .load = sweep->load_names[point->load],
                   .size = app->sizes[point->size],
                   .procs = app->procs[point->procs],
                   .seed = sweep->seeds[point->seed],
                   .start = point->base + point->start,
                   .id = point->id};
}
