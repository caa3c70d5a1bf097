// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_fields.c - the fields of the answers of scaling models. */
#include "answer/scale_fields.h"

#include <math.h>
#include <string.h>

#include "answer/value_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "platform/hostlist.h"
#include "stats/value/expression.h"

#define NOTES(type, member) RC_FIELD_TEXTS_OF(type, member.text, member.n), .key = "notes"

#define LEVEL 0.9 /* of the prediction intervals of choices */

/* Hosts as a list: "a[1-2]" is ["a1", "a2"]. */
static json_t *hosts_list(const char *hosts)
{
    struct rc_hostlist list = {0};
    json_t *names = json_array();

    if (hosts && rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &list, NULL) == 0)
        for (size_t i = 0; i < list.count; i++)
            json_array_append_new(names, rc_json_text(list.names[i]));
    rc_platform_hostlist_free(&list);
    return names;
}

/* ---- plans ---- */

#define RUN struct rc_answer_scale_run
static void run_mesh(const void *record, char *text, size_t size)
{
    char mesh[RC_MESH_TEXT];

    snprintf(text, size, "%s", rc_scaling_mesh_text(&((const RUN *)record)->run.mesh, mesh));
}

/* Other processes during the run. */
static void run_concurrent(const void *record, char *text, size_t size)
{
    const struct rc_scaling_planned *run = &((const RUN *)record)->run;

    if (run->copies > 1)
        snprintf(text, size, "%d copies", run->copies);
    else if (run->fillers > 0)
        snprintf(text, size, "%d fillers per host", run->fillers);
    else if (run->per_host > 1)
        snprintf(text, size, "%d per host", run->per_host);
    else
        snprintf(text, size, "-");
}

static void run_stored(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%zu of %d", ((const RUN *)record)->stored,
             ((const RUN *)record)->run.repeats);
}

const char *rc_answer_scale_cost(double core_hours, double share, char text[RC_ANSWER_COST_SIZE])
{
    char number[RC_NUMBER_SIZE];
    bool known = !isnan(core_hours);

    rc_number_format_short(known ? core_hours : 100 * share, 3, number);
    snprintf(text, RC_ANSWER_COST_SIZE, "%s %s", number, known ? "core-h" : "%");
    return text;
}

static void run_cost(const void *record, char *text, size_t size)
{
    const struct rc_scaling_planned *run = &((const RUN *)record)->run;
    char cost[RC_ANSWER_COST_SIZE];

    snprintf(text, size, "%s", rc_answer_scale_cost(run->core_hours, run->share, cost));
}

static json_t *run_hosts(const void *record)
{
    return hosts_list(((const RUN *)record)->run.hosts);
}

static void run_purpose(const void *record, char *text, size_t size)
{
    const struct rc_scaling_planned *run = &((const RUN *)record)->run;

    snprintf(text, size, "%s", run->fits ? run->why : "DOES NOT FIT in the memory of its hosts");
}

const struct rc_field rc_answer_scale_run[] = {
    {RC_FIELD(RUN, INT64, run.procs), .key = "procs", .title = "procs"},
    {RC_FIELD(RUN, INT64S, run.mesh), .key = "mesh", .title = "mesh", .text = run_mesh},
    {RC_FIELD(RUN, INT64S, run.block), .key = "block"},
    {RC_FIELD(RUN, TEXT, block_size), .key = "block_size", .title = "block"},
    {RC_FIELD(RUN, TEXT, run.hosts), .key = "hosts", .title = "hosts", .wrap = true,
     .json = run_hosts, .type = "strings"},
    {.kind = RC_AS_COMPUTED, .title = "concurrent", .wrap = true, .text = run_concurrent},
    {RC_FIELD(RUN, INT, run.per_host), .key = "per_host"},
    {RC_FIELD(RUN, INT, run.copies), .key = "copies"},
    {RC_FIELD(RUN, INT, run.fillers), .key = "fillers"},
    {RC_FIELD(RUN, INT, run.repeats), .key = "repetitions"},
    {RC_FIELD(RUN, SIZE, stored), .key = "stored_runs", .title = "stored", .text = run_stored},
    {RC_FIELD(RUN, NUMBER, run.memory), .key = "memory_bytes"},
    {RC_FIELD(RUN, NUMBER, run.host_memory), .key = "host_memory_bytes"},
    {RC_FIELD(RUN, BOOL, run.fits), .key = "fits"},
    {RC_FIELD(RUN, NUMBER, run.share), .key = "cost_fraction"},
    {RC_FIELD(RUN, NUMBER, run.core_hours), .key = "core_hours", .title = "cost", .text = run_cost},
    {RC_FIELD(RUN, CHARS, run.why), .key = "purpose", .title = "purpose", .wrap = true,
     .text = run_purpose},
    {RC_FIELD(RUN, TEXT, command), .key = "command", .optional = true},
    RC_FIELDS_END};

#define PLAN struct rc_answer_scale_plan
static const struct rc_field plan_fields[] = {
    {RC_FIELD(PLAN, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(PLAN, TEXT, network), .key = "network"},
    {RC_FIELD(PLAN, INT64S, plan.mesh), .key = "mesh"},
    {RC_FIELD(PLAN, INT64S, plan.block), .key = "block"},
    {RC_FIELD(PLAN, INT64, plan.procs), .key = "procs"},
    {RC_FIELD(PLAN, INT, plan.cut), .key = "cut"},
    {RC_FIELD(PLAN, INT, plan.per_host), .key = "per_host"},
    {RC_FIELD(PLAN, BOOL, plan.packed), .key = "packed"},
    {RC_FIELD(PLAN, NUMBER, plan.memory), .key = "memory_bytes"},
    {RC_FIELD(PLAN, NUMBER, plan.host_memory), .key = "host_memory_bytes"},
    {RC_FIELD(PLAN, BOOL, plan.fits), .key = "fits"},
    {RC_FIELD(PLAN, SIZE, missing), .key = "missing_runs"},
    {RC_FIELD(PLAN, NUMBER, plan.share), .key = "cost_fraction"},
    {RC_FIELD(PLAN, NUMBER, plan.core_hours), .key = "core_hours"},
    {RC_FIELD(PLAN, NUMBER, plan.target_core_hours), .key = "target_core_hours"},
    {RC_FIELD_LIST_OF(PLAN, runs, n_runs), .key = "runs", .fields = rc_answer_scale_run},
    {NOTES(PLAN, plan.notes)},
    RC_FIELDS_END};

#define SIDE struct rc_scaling_planned
static json_t *side_hosts(const void *record)
{
    return hosts_list(((const SIDE *)record)->hosts);
}

static const struct rc_field side_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = side_hosts, .type = "strings"},
    {RC_FIELD(SIDE, INT, fillers), .key = "fillers"},
    {RC_FIELD(SIDE, NUMBER, memory), .key = "memory_bytes"},
    {RC_FIELD(SIDE, NUMBER, host_memory), .key = "host_memory_bytes"},
    {RC_FIELD(SIDE, BOOL, fits), .key = "fits"},
    {RC_FIELD(SIDE, NUMBER, share), .key = "cost_fraction"},
    {RC_FIELD(SIDE, NUMBER, core_hours), .key = "core_hours"},
    RC_FIELDS_END};

#define CROSSING struct rc_scaling_crossing
static json_t *sides_json(const void *record)
{
    return rc_field_json_list(side_fields, ((const CROSSING *)record)->sides,
                              RC_SCALING_CROSSING_SIDES, sizeof(SIDE));
}

static json_t *crossing_hosts(const void *record)
{
    return hosts_list(((const CROSSING *)record)->run.hosts);
}

static const struct rc_field crossing_fields[] = {
    {RC_FIELD(CROSSING, INT64, run.procs), .key = "procs"},
    {RC_FIELD(CROSSING, INT64S, run.mesh), .key = "mesh"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = crossing_hosts, .type = "strings"},
    {RC_FIELD(CROSSING, SIZE, used.n), .key = "stored_runs"},
    {.kind = RC_AS_COMPUTED,
     .key = "sides",
     .json = sides_json,
     .type = "list",
     .fields = side_fields},
    RC_FIELDS_END};

#define PLANS struct rc_answer_scale_plans
const struct rc_field rc_answer_scale_plans[] = {
    {RC_FIELD(PLANS, TEXT, app), .key = "app"},
    {RC_FIELD(PLANS, TEXT, platform), .key = "platform"},
    {RC_FIELD_ARRAY_OF(PLANS, plans, n_plans), .key = "plans", .fields = plan_fields},
    {RC_FIELD(PLANS, POINTER, link), .key = "cluster_link", .fields = crossing_fields,
     .optional = true},
    {RC_FIELD(PLANS, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- runs that were made ---- */

#define OUTCOME struct rc_answer_scale_outcome
static json_t *outcome_hosts(const void *record)
{
    return hosts_list(((const OUTCOME *)record)->hosts);
}

const struct rc_field rc_answer_scale_outcome[] = {
    {RC_FIELD(OUTCOME, INT64, procs), .key = "procs"},
    {RC_FIELD(OUTCOME, INT64S, mesh), .key = "mesh"},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = outcome_hosts, .type = "strings"},
    {RC_FIELD(OUTCOME, INT64, id), .key = "id", .zero_is_null = true},
    {RC_FIELD(OUTCOME, TEXT, error), .key = "error"},
    RC_FIELDS_END,
};

#define MEASURED struct rc_answer_scale_measured
const struct rc_field rc_answer_scale_measured[] = {
    {RC_FIELD(MEASURED, SIZE, made), .key = "made"},
    {RC_FIELD(MEASURED, SIZE, known), .key = "already_stored"},
    {RC_FIELD(MEASURED, SIZE, failed), .key = "failed"},
    {RC_FIELD(MEASURED, JSON, runs), .key = "runs", .type = "list",
     .fields = rc_answer_scale_outcome},
    {RC_FIELD(MEASURED, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- fits ---- */

#define GROUP struct rc_scaling_group
static const struct rc_field group_fields[] = {
    {RC_FIELD(GROUP, INT64, procs), .key = "procs"},
    {RC_FIELD(GROUP, INT64S, mesh), .key = "mesh"},
    {RC_FIELD(GROUP, INT64S, block), .key = "block"},
    {RC_FIELD(GROUP, SIZE, n), .key = "run_count"},
    {RC_FIELD(GROUP, NUMBER, mean), .key = "mean_s"},
    {RC_FIELD(GROUP, NUMBER, least), .key = "min_s"},
    {RC_FIELD(GROUP, NUMBER, most), .key = "max_s"},
    {RC_FIELD(GROUP, NUMBER, memory), .key = "memory_bytes"},
    RC_FIELDS_END,
};

#define ALPHA struct rc_scaling_alpha
static const struct rc_field alpha_fields[] = {
    {RC_FIELD(ALPHA, INT64, procs), .key = "procs"},
    {RC_FIELD(ALPHA, NUMBER, alpha), .key = "alpha_s"},
    {RC_FIELD(ALPHA, NUMBER, alpha_sd), .key = "alpha_sd_s"},
    {RC_FIELD(ALPHA, NUMBER, gamma), .key = "gamma_s"},
    RC_FIELDS_END,
};

#define FINDING struct rc_scaling_finding
static json_t *linear_json(const void *record)
{
    return json_boolean(!((const FINDING *)record)->nonlinear);
}

static const struct rc_field finding_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "linear", .json = linear_json, .type = "boolean"},
    {RC_FIELD(FINDING, NUMBER, deviation), .key = "deviation_fraction"},
    {RC_FIELD(FINDING, NUMBER, noise), .key = "noise_fraction"},
    {RC_FIELD(FINDING, CHARS, text), .key = "text"},
    RC_FIELDS_END,
};

#define FITTED struct rc_answer_scale_fitted
/* As the user writes it. */
static json_t *work_json(const void *record)
{
    const struct rc_scaling_work *work = &((const FITTED *)record)->model.work;

    if (work->kind == RC_WORK_EXPRESSION)
        return rc_json_text(rc_value_expression_text(work->expression));
    return rc_json_text(work->kind == RC_WORK_POWER ? "fitted" : "cells");
}

static json_t *beta_json(const void *record)
{
    const struct rc_scaling_model *model = &((const FITTED *)record)->model;

    return model->has_beta ? rc_json_number(model->beta) : json_null();
}

static json_t *memory_given_json(const void *record)
{
    return json_boolean(!isnan(((const FITTED *)record)->model.options.bytes_per_cell));
}

static const struct rc_field fitted_fields[] = {
    {RC_FIELD(FITTED, CHARS, model.setting.cluster), .key = "cluster"},
    {RC_FIELD(FITTED, CHARS, model.setting.network), .key = "network"},
    {RC_FIELD(FITTED, INT, model.setting.per_host), .key = "per_host"},
    {RC_FIELD(FITTED, INT, model.setting.cut), .key = "cut"},
    {.kind = RC_AS_COMPUTED, .key = "work_formula", .json = work_json, .type = "string"},
    {RC_FIELD(FITTED, SIZE, runs), .key = "run_count"},
    {RC_FIELD_LIST_OF(FITTED, model.samples.groups, model.samples.n_groups), .key = "groups",
     .fields = group_fields},
    {RC_FIELD(FITTED, NUMBER, model.c), .key = "c_s"},
    {RC_FIELD(FITTED, NUMBER, model.d), .key = "d_s"},
    {RC_FIELD(FITTED, NUMBER, model.k), .key = "k"},
    {RC_FIELD(FITTED, NUMBER, model.gamma), .key = "gamma_s"},
    {RC_FIELD(FITTED, BOOL, model.one_gamma), .key = "common_gamma"},
    {.kind = RC_AS_COMPUTED, .key = "beta_s", .json = beta_json, .type = "number"},
    {RC_FIELD_ARRAY_OF(FITTED, model.at, model.n_at), .key = "by_procs", .fields = alpha_fields},
    {RC_FIELD(FITTED, NUMBER, model.work.exponent), .key = "exponent"},
    {RC_FIELD(FITTED, NUMBER, model.noise.sd), .key = "noise_fraction"},
    {RC_FIELD(FITTED, SIZE, model.noise.freedom), .key = "noise_degrees_of_freedom"},
    {RC_FIELD(FITTED, NUMBER, model.bytes_per_cell), .key = "bytes_per_cell"},
    {RC_FIELD(FITTED, NUMBER, model.bytes_base), .key = "base_memory_bytes"},
    {.kind = RC_AS_COMPUTED, .key = "memory_given", .json = memory_given_json, .type = "boolean"},
    {RC_FIELD_ARRAY_OF(FITTED, findings, n_findings), .key = "findings", .fields = finding_fields},
    {NOTES(FITTED, model.notes)},
    RC_FIELDS_END};

#define LINK struct rc_answer_scale_link
static const struct rc_field link_fields[] = {
    {RC_FIELD(LINK, CHARS, link.network), .key = "network"},
    {RC_FIELD(LINK, NUMBER, link.seconds), .key = "time_s"},
    {RC_FIELD(LINK, NUMBER, link.sd), .key = "sd_s"},
    {RC_FIELD(LINK, SIZE, link.runs), .key = "run_count"},
    {NOTES(LINK, notes)},
    RC_FIELDS_END};

#define FIT struct rc_answer_scale_fit
const struct rc_field rc_answer_scale_fit[] = {
    {RC_FIELD(FIT, TEXT, app), .key = "app"},
    {RC_FIELD(FIT, TEXT, platform), .key = "platform"},
    {RC_FIELD_LIST_OF(FIT, fitted, n_fitted), .key = "models", .fields = fitted_fields},
    {RC_FIELD(FIT, POINTER, link), .key = "cluster_link", .fields = link_fields, .optional = true},
    {RC_FIELD(FIT, INT64, id), .key = "id", .zero_is_null = true},
    {RC_FIELD(FIT, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- predictions ---- */

#define STEPS struct rc_answer_scale_steps
/* The run time of a group, and how much of it is the computation of one process. */
struct step {
    struct rc_scaling_group group;
    double computing, communicating;
};
static const struct rc_field step_fields[] = {
    {RC_FIELD(struct step, INT64, group.procs), .key = "procs"},
    {RC_FIELD(struct step, INT64S, group.block), .key = "block"},
    {RC_FIELD(struct step, NUMBER, group.mean), .key = "time_s"},
    {RC_FIELD(struct step, NUMBER, computing), .key = "computation_s"},
    {RC_FIELD(struct step, NUMBER, communicating), .key = "communication_s"},
    RC_FIELDS_END};

static json_t *steps_runs(const void *record)
{
    const struct rc_scaling_samples *samples = &((const STEPS *)record)->model.samples;
    json_t *list = json_array();

    for (size_t i = 0; i < samples->n_groups; i++) {
        const GROUP *group = &samples->groups[i],
                    *alone = rc_scaling_samples_find(samples, 1, &group->block);
        struct step step = {.group = *group, .computing = alone ? alone->mean : NAN};

        step.communicating = group->mean - step.computing;
        json_array_append_new(list, rc_field_json(step_fields, &step));
    }
    return list;
}

static const struct rc_field steps_fields[] = {
    {RC_FIELD(STEPS, CHARS, model.setting.cluster), .key = "cluster"},
    {RC_FIELD(STEPS, CHARS, model.setting.network), .key = "network"},
    {.kind = RC_AS_COMPUTED,
     .key = "runs",
     .json = steps_runs,
     .type = "list",
     .fields = step_fields},
    {RC_FIELD_ARRAY_OF(STEPS, model.at, model.n_at), .key = "by_procs", .fields = alpha_fields},
    {RC_FIELD(STEPS, NUMBER, model.c), .key = "c_s"},
    {RC_FIELD(STEPS, NUMBER, model.d), .key = "d_s"},
    {RC_FIELD(STEPS, NUMBER, growth), .key = "growth"},
    {RC_FIELD(STEPS, NUMBER, parts.alpha), .key = "alpha_s"},
    {RC_FIELD(STEPS, NUMBER, model.gamma), .key = "gamma_s"},
    {RC_FIELD(STEPS, NUMBER, parts.work), .key = "work"},
    {RC_FIELD(STEPS, NUMBER, parts.surface), .key = "surface_s"},
    {RC_FIELD(STEPS, NUMBER, parts.communicating), .key = "communication_s"},
    {RC_FIELD(STEPS, NUMBER, parts.computing), .key = "computation_s"},
    {RC_FIELD(STEPS, NUMBER, parts.seconds), .key = "time_s"},
    RC_FIELDS_END};

#define PART struct rc_answer_scale_part
static bool has_rows(const void *record)
{
    return ((const PART *)record)->rows > 0;
}

static const struct rc_field part_fields[] = {
    {RC_FIELD(PART, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(PART, TEXT, network), .key = "network"},
    {RC_FIELD(PART, INT, per_host), .key = "per_host"},
    {RC_FIELD(PART, INT64, procs), .key = "procs"},
    {RC_FIELD(PART, INT64, rows), .key = "rows"},
    {RC_FIELD(PART, INT64S, block), .key = "block", .when = has_rows},
    {RC_FIELD(PART, JSON, time), .key = "time", .fields = rc_answer_value_time, .when = has_rows},
    {RC_FIELD(PART, NUMBER, memory), .key = "memory_bytes"},
    {RC_FIELD(PART, BOOL, memory_given), .key = "memory_given"},
    {RC_FIELD(PART, NUMBER, host_memory), .key = "host_memory_bytes"},
    RC_FIELDS_END};

#define PREDICTION struct rc_answer_scale_prediction
const struct rc_field rc_answer_scale_prediction[] = {
    {RC_FIELD(PREDICTION, TEXT, is.target.app), .key = "app"},
    {RC_FIELD(PREDICTION, TEXT, platform), .key = "platform"},
    {RC_FIELD(PREDICTION, INT64S, is.target.mesh), .key = "mesh"},
    {RC_FIELD(PREDICTION, JSON, time), .key = "time", .fields = rc_answer_value_time},
    {RC_FIELD(PREDICTION, JSON, computation), .key = "computation_time",
     .fields = rc_answer_value_time},
    {RC_FIELD(PREDICTION, JSON, communication), .key = "communication_time",
     .fields = rc_answer_value_time},
    {RC_FIELD(PREDICTION, NUMBER, is.estimate.point.seconds), .key = "point_s"},
    {RC_FIELD(PREDICTION, NUMBER, is.estimate.point.alpha), .key = "alpha_s"},
    {RC_FIELD(PREDICTION, NUMBER, is.estimate.point.gamma_work), .key = "gamma_work_s"},
    {RC_FIELD(PREDICTION, NUMBER, is.estimate.point.surface), .key = "surface_s"},
    {RC_FIELD(PREDICTION, NUMBER, is.estimate.point.work), .key = "work"},
    {RC_FIELD(PREDICTION, NUMBER, link), .key = "cluster_link_s"},
    {RC_FIELD(PREDICTION, TEXT, split), .key = "row_split"},
    {RC_FIELD_ARRAY_OF(PREDICTION, parts, is.target.n_parts), .key = "parts",
     .fields = part_fields},
    {RC_FIELD(PREDICTION, NUMBER, is.core_hours), .key = "core_hours"},
    {RC_FIELD(PREDICTION, NUMBER, is.cost), .key = "cost"},
    {RC_FIELD_LIST_OF(PREDICTION, steps, n_steps), .key = "steps", .fields = steps_fields,
     .optional = true},
    {RC_FIELD(PREDICTION, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

/* ---- choices ---- */

#define CHOICE_PART struct rc_answer_scale_choice_part
static const struct rc_field choice_part_fields[] = {
    {RC_FIELD(CHOICE_PART, TEXT, cluster), .key = "cluster"},
    {RC_FIELD(CHOICE_PART, TEXT, network), .key = "network"},
    {RC_FIELD(CHOICE_PART, INT64, part.procs), .key = "procs"},
    {RC_FIELD(CHOICE_PART, INT, part.per_host), .key = "per_host"},
    {RC_FIELD(CHOICE_PART, INT64, part.rows), .key = "rows"},
    {RC_FIELD(CHOICE_PART, INT64, part.cores), .key = "cores"},
    {RC_FIELD(CHOICE_PART, NUMBER, part.memory), .key = "memory_bytes"},
    {RC_FIELD(CHOICE_PART, NUMBER, part.host_memory), .key = "host_memory_bytes"},
    RC_FIELDS_END};

#define CHOICE struct rc_answer_scale_choice
static bool is_ok(const CHOICE *choice)
{
    return choice->choice.state == RC_CHOICE_OK;
}

/* "*": Pareto-optimal; "~": extrapolated. */
static void choice_marks(const void *record, char *text, size_t size)
{
    const CHOICE *choice = record;

    snprintf(text, size, "%s%s", choice->choice.pareto ? "*" : "",
             is_ok(choice) && choice->choice.estimate.notes.n > 0 ? "~" : "");
}

static void choice_mesh(const void *record, char *text, size_t size)
{
    char mesh[RC_MESH_TEXT];

    snprintf(text, size, "%s", rc_scaling_mesh_text(&((const CHOICE *)record)->mesh, mesh));
}

static void choice_time(const void *record, char *text, size_t size)
{
    const CHOICE *choice = record;
    char seconds[RC_UNIT_SIZE];

    rc_unit_format(choice->choice.seconds, RC_SECONDS, seconds);
    snprintf(text, size, "%s", is_ok(choice) ? seconds : choice->state);
}

static void choice_interval(const void *record, char *text, size_t size)
{
    const CHOICE *choice = record;
    char low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    rc_unit_format(choice->choice.low, RC_SECONDS, low);
    rc_unit_format(choice->choice.high, RC_SECONDS, high);
    if (is_ok(choice))
        snprintf(text, size, "%s to %s", low, high);
    else
        snprintf(text, size, "-");
}

static json_t *level_json(const void *record)
{
    (void)record;
    return rc_json_number(LEVEL);
}

static const struct rc_field interval_fields[] = {
    {.kind = RC_AS_COMPUTED, .key = "level", .json = level_json, .type = "number"},
    {RC_FIELD(CHOICE, NUMBER, choice.low), .key = "low"},
    {RC_FIELD(CHOICE, NUMBER, choice.high), .key = "high"},
    RC_FIELDS_END};

static json_t *choice_interval_json(const void *record)
{
    return is_ok(record) ? rc_field_json(interval_fields, record) : json_null();
}

/* Memory of the process with the least to spare, and the memory available to it. */
static void choice_memory(const void *record, char *text, size_t size)
{
    const struct rc_choice *choice = &((const CHOICE *)record)->choice;
    const struct rc_choice_part *worst = &choice->parts[0];
    char needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    for (size_t i = 1; i < choice->n_parts; i++)
        if (choice->parts[i].memory / choice->parts[i].host_memory >
            worst->memory / worst->host_memory)
            worst = &choice->parts[i];
    rc_unit_format_apart(worst->memory, worst->host_memory, RC_BYTES, needed, has);
    if (isnan(worst->memory))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s of %s", needed, has);
}

/* Four significant digits. */
static void put_number(double value, char *text, size_t size)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, 4, number);
    snprintf(text, size, "%s", isnan(value) ? "-" : number);
}

static void choice_core_hours(const void *record, char *text, size_t size)
{
    put_number(((const CHOICE *)record)->choice.core_hours, text, size);
}

static void choice_cost(const void *record, char *text, size_t size)
{
    put_number(((const CHOICE *)record)->choice.cost, text, size);
}

const struct rc_field rc_answer_scale_choice[] = {
    {.kind = RC_AS_COMPUTED, .title = "", .text = choice_marks},
    {RC_FIELD(CHOICE, INT64S, mesh), .key = "mesh", .title = "mesh", .text = choice_mesh},
    {RC_FIELD(CHOICE, CHARS, name), .title = "choice"},
    {RC_FIELD(CHOICE, TEXT, state), .key = "state"},
    {RC_FIELD(CHOICE, CHARS, reason), .key = "reason"},
    {RC_FIELD_ARRAY_OF(CHOICE, parts, choice.n_parts), .key = "parts",
     .fields = choice_part_fields},
    {RC_FIELD(CHOICE, NUMBER, choice.seconds), .key = "time_s", .title = "time",
     .text = choice_time},
    {RC_FIELD(CHOICE, NUMBER, choice.low), .key = "interval_s", .title = "90 % interval",
     .json = choice_interval_json, .fields = interval_fields, .text = choice_interval},
    {RC_FIELD(CHOICE, NUMBER, choice.core_hours), .key = "core_hours", .title = "core-hours",
     .text = choice_core_hours},
    {RC_FIELD(CHOICE, NUMBER, choice.cost), .key = "cost", .title = "cost", .text = choice_cost},
    {RC_FIELD(CHOICE, NUMBER, choice.on_time), .key = "deadline_probability"},
    {RC_FIELD(CHOICE, NUMBER, choice.in_budget), .key = "budget_probability"},
    {RC_FIELD(CHOICE, BOOL, choice.pareto), .key = "pareto_optimal"},
    {RC_FIELD(CHOICE, NUMBER, choice.seconds), .title = "memory", .text = choice_memory},
    {NOTES(CHOICE, notes)},
    RC_FIELDS_END};

const struct rc_field rc_answer_scale_probabilities[] = {
    {RC_FIELD(CHOICE, FIXED, choice.on_time), .title = "P(deadline)", .scale = 100, .unit = " %"},
    {RC_FIELD(CHOICE, FIXED, choice.in_budget), .title = "P(budget)", .scale = 100, .unit = " %"},
    RC_FIELDS_END};

#define CHOICES struct rc_answer_scale_choices
const struct rc_field rc_answer_scale_choices[] = {
    {RC_FIELD(CHOICES, TEXT, app), .key = "app"},
    {RC_FIELD(CHOICES, TEXT, platform), .key = "platform"},
    {RC_FIELD(CHOICES, JSON, choices), .key = "choices", .type = "list",
     .fields = rc_answer_scale_choice},
    {RC_FIELD(CHOICES, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
