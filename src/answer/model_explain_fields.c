// SPDX-License-Identifier: GPL-3.0-or-later
/* model_explain_fields.c - fields of explanations: how a result of a structural model is computed. */
#include "answer/model_explain_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/structural/measured_inputs.h"

#define PART struct rc_answer_explanation_part
#define NOT_USED struct rc_answer_not_used

/* ---- texts ---- */

/* "Slave[h]", indented by its depth. */
static void name_text(const void *record, char *text, size_t size)
{
    const struct rc_part *part = &((const PART *)record)->part;
    size_t n = part->item ? part->item->n_parameters : 0;

    snprintf(text, size, "%*s%.80s", (int)(2 * part->depth), "", part->name);
    for (size_t i = 0; i < n; i++)
        rc_text_append(text, size, "%s%.30s%s", i ? ", " : "[", part->item->parameters[i],
                       i + 1 == n ? "]" : "");
}

/* "12.5", "12.5 ± 0.3", or "4.95 (thing1) to 16.9 (picard)". */
static void value_text(const void *record, char *text, size_t size)
{
    const struct rc_part *part = &((const PART *)record)->part;
    const struct rc_used *least, *most;
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE], sd[RC_NUMBER_SIZE];

    if (part->n_used == 0)
        return;
    least = &part->used[part->least];
    most = &part->used[part->most];
    rc_number_format_short(least->mean, 4, low);
    rc_number_format_short(most->mean, 4, high);
    rc_number_format_short(most->sd, 2, sd);
    if (least->mean != most->mean)
        snprintf(text, size, "%s (%.50s) to %s (%.50s)", low, least->indices, high, most->indices);
    else
        snprintf(text, size, "%s%s%s%s", high, most->sd > 0 ? " ± " : "", most->sd > 0 ? sd : "",
                 part->n_used > 1 ? " (each)" : "");
}

static void percent_text(double share, char *text, size_t size)
{
    if (isnan(share))
        text[0] = '\0';
    else
        snprintf(text, size, "%.3g %%", 100 * share);
}

static void share_text(const void *record, char *text, size_t size)
{
    percent_text(((const PART *)record)->part.share, text, size);
}

static void profile_text(const void *record, char *text, size_t size)
{
    const PART *row = record;

    percent_text(row->part.depth ? row->profile : NAN, text, size);
}

/* How a part is computed: "benchmark (Eq. 3.21)". */
static void alternative_text(const void *record, char *text, size_t size)
{
    const PART *row = record;
    const char *source = row->meta.source;
    char limit[40], own[40];

    percent_text(rc_structural_binding_omit(row->binding), limit, sizeof limit);
    percent_text(row->profile, own, sizeof own);
    if (!row->part.item)
        snprintf(text, size, "omitted: %s of the profile, below %s", own, limit);
    else
        snprintf(text, size, "%.60s%s%.150s%s",
                 row->alternative ? row->alternative : "(definition)", source ? " (" : "",
                 source ? source : "", source ? ")" : "");
}

/* The number of hosts (or links) for which the model's `else` value is used. */
static size_t count_assumed(const PART *row)
{
    const char *const *names;
    size_t n, length = strlen(row->part.item->name), count = 0;

    names = rc_structural_binding_unknown(row->binding, &n);
    for (size_t i = 0; i < n; i++)
        count += strncmp(names[i], row->part.item->name, length) == 0 && names[i][length] == '[';
    return count;
}

/* The source of an input. */
static void source_text(const void *record, char *text, size_t size)
{
    static const char *const sources[] = {
        [RC_FROM_USER] = "set",
        [RC_FROM_FORMULA] = "the model",
        [RC_FROM_TABLE] = "table",
        [RC_FROM_SIZE] = "problem size",
        [RC_FROM_PROCESSES] = "processes",
        [RC_FROM_PLATFORM] = "platform",
        [RC_FROM_SERIES] = "series",
        [RC_FROM_FORECAST] = "forecast",
    };
    const PART *row = record;
    const struct rc_item *item = row->part.item;
    const char *source = row->meta.source;
    const char *extra = item->source == RC_FROM_PLATFORM
                            ? rc_structural_platform_field_names[item->field]
                        : item->metric ? item->metric
                                       : "";
    bool measured = rc_structural_benchmarks_is(rc_structural_binding_model(row->binding), item);
    size_t assumed = count_assumed(row);

    if (rc_structural_binding_is_set(row->binding, item->name))
        snprintf(text, size, "set");
    else if (assumed > 0 && assumed >= row->part.n_used)
        snprintf(text, size, "'else' of the model; no series %.60s", extra);
    else
        snprintf(text, size, "%s%s%.60s%s%.150s%s", measured ? "measured" : sources[item->source],
                 extra[0] ? " " : "", extra, source ? " (" : "", source ? source : "",
                 source ? ")" : "");
    if (assumed > 0 && assumed < row->part.n_used)
        rc_text_append(text, size, "; 'else' of the model for %zu of %zu", assumed,
                       row->part.n_used);
}

/* The stated accuracy of an input or, in parentheses, the assumed one. */
static void accuracy_text(const void *record, char *text, size_t size)
{
    const PART *row = record;
    const struct rc_item *item = row->part.item;

    percent_text(row->meta.accuracy, text, size);
    if (isnan(row->meta.accuracy) && !rc_structural_binding_is_set(row->binding, item->name) &&
        (item->source == RC_FROM_TABLE || item->source == RC_FROM_PLATFORM ||
         item->source == RC_FROM_SERIES || item->source == RC_FROM_FORECAST))
        snprintf(text, size, "(%.3g %%)",
                 100 * (count_assumed(row) ? RC_MODEL_UNKNOWN_LOAD : RC_MODEL_UNKNOWN_ACCURACY));
}

static void age_text(const void *record, char *text, size_t size)
{
    const PART *row = record;
    double age = row->now - row->meta.measured;
    char span[RC_UNIT_SIZE];

    rc_unit_format(age, RC_SECONDS, span);
    if (age < 0)
        snprintf(text, size, "measured later");
    else if (!isnan(age))
        snprintf(text, size, "%s%s", span, age > row->meta.lifetime ? ", expired" : "");
}

/* ---- JSON ---- */

static NOT_USED not_used(const struct rc_task *task, const struct rc_alternative *alternative)
{
    return (NOT_USED){task->name, alternative->item->alternative, alternative->reason,
                      alternative->error};
}

static json_t *not_used_json(const void *record)
{
    const struct rc_task *task = ((const PART *)record)->part.task;
    json_t *list = json_array();

    for (size_t i = 0; i < task->n_alternatives; i++)
        if (task->alternatives[i].state != RC_ALTERNATIVE_CHOSEN) {
            const NOT_USED row = not_used(task, &task->alternatives[i]);

            json_array_append_new(list, rc_field_json(rc_answer_not_used, &row));
        }
    return list;
}

/* Rows as a list of trees. */
static json_t *tree_json(const PART *rows, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i += 1 + rows[i].n_below)
        json_array_append_new(list, rc_field_json(rc_answer_explanation_part, &rows[i]));
    return list;
}

static json_t *below_json(const void *record)
{
    const PART *row = record;

    return tree_json(row + 1, row->n_below);
}

static json_t *parts_json(const void *record)
{
    const struct rc_answer_explanation *answer = record;

    return tree_json(answer->parts, answer->n_parts);
}

/* ---- fields ---- */

static bool is_task(const void *record)
{
    return ((const PART *)record)->part.task;
}

static const struct rc_field used_fields[] = {
    {RC_FIELD(struct rc_used, TEXT, indices), .key = "index"},
    {RC_FIELD(struct rc_used, NUMBER, mean), .key = "mean"},
    {RC_FIELD(struct rc_used, NUMBER, sd), .key = "sd"},
    RC_FIELDS_END};

#define VALUES                                                                                     \
    RC_FIELD_LIST_OF(PART, part.used, part.n_used), .key = "values", .fields = used_fields

const struct rc_field rc_answer_explanation_part[] = {
    {RC_FIELD(PART, TEXT, part.name), .key = "name", .title = "part", .text = name_text},
    {VALUES},
    {.kind = RC_AS_COMPUTED, .title = "value", .text = value_text},
    {RC_FIELD(PART, TEXT, meta.source), .key = "source"},
    {RC_FIELD(PART, TEXT, alternative), .key = "alternative", .when = is_task},
    {RC_FIELD(PART, TEXT, kind), .key = "task_kind", .when = is_task},
    {RC_FIELD(PART, BOOL, omitted), .key = "is_omitted", .when = is_task},
    {RC_FIELD(PART, NUMBER, part.share), .key = "share", .title = "share", .when = is_task,
     .text = share_text},
    {RC_FIELD(PART, NUMBER, profile), .key = "profile_share", .title = "profile", .when = is_task,
     .text = profile_text},
    {RC_FIELD(PART, NUMBER, error), .key = "expected_error_fraction", .when = is_task},
    {.kind = RC_AS_COMPUTED,
     .key = "not_used",
     .when = is_task,
     .json = not_used_json,
     .type = "list",
     .fields = rc_answer_not_used},
    {.kind = RC_AS_COMPUTED, .key = "components", .json = below_json, .type = "objects"},
    {.kind = RC_AS_COMPUTED, .title = "alternative", .wrap = true, .text = alternative_text},
    RC_FIELDS_END};

const struct rc_field rc_answer_input[] = {
    {RC_FIELD(PART, TEXT, part.name), .key = "name", .title = "input", .text = name_text},
    {VALUES},
    {.kind = RC_AS_COMPUTED, .title = "value", .text = value_text},
    {RC_FIELD(PART, TEXT, meta.source), .key = "source"},
    {.kind = RC_AS_COMPUTED, .key = "origin", .type = "string", .text = source_text},
    {RC_FIELD(PART, NUMBER, meta.accuracy), .key = "accuracy_fraction", .title = "accuracy",
     .text = accuracy_text},
    {RC_FIELD(PART, TIME, meta.measured), .key = "measured"},
    {RC_FIELD(PART, NUMBER, meta.measured), .title = "age", .text = age_text},
    {RC_FIELD(PART, TEXT, meta.note), .key = "note"},
    {.kind = RC_AS_COMPUTED, .title = "source", .wrap = true, .text = source_text},
    RC_FIELDS_END};

const struct rc_field rc_answer_not_used[] = {
    {RC_FIELD(NOT_USED, TEXT, task), .title = "not used"},
    {RC_FIELD(NOT_USED, TEXT, alternative), .key = "alternative", .title = "alternative"},
    {RC_FIELD(NOT_USED, TEXT, reason), .key = "reason", .title = "reason", .wrap = true},
    {RC_FIELD(NOT_USED, NUMBER, error), .key = "expected_error_fraction"},
    RC_FIELDS_END};

const struct rc_field rc_answer_explanation[] = {{.kind = RC_AS_COMPUTED,
                                                  .key = "components",
                                                  .json = parts_json,
                                                  .type = "list",
                                                  .fields = rc_answer_explanation_part},
                                                 {RC_FIELD_LIST_OF(struct rc_answer_explanation,
                                                                   inputs, n_inputs),
                                                  .key = "inputs", .fields = rc_answer_input},
                                                 RC_FIELDS_END};

/* ---- rows ---- */

static PART make_row(const struct rc_part *part, const struct rc_binding *binding, double now)
{
    const struct rc_task *task = part->task;
    const struct rc_item *item = part->item;
    PART row = {.part = *part, .profile = NAN, .error = NAN, .binding = binding, .now = now};

    if (item) {
        row.meta = item->meta;
        row.alternative = item->alternative;
        row.kind = rc_structural_task_kind_names[item->task_kind];
    }
    if (task) {
        row.omitted = task->omitted;
        row.profile = task->share;
        row.error = task->chosen >= 0 ? task->alternatives[task->chosen].error : (double)NAN;
    }
    return row;
}

static void fill_parts(struct rc_answer_explanation *answer, const struct rc_binding *binding,
                       double now, const struct rc_explanation *explanation)
{
    for (size_t i = 0; i < explanation->n_parts; i++)
        answer->parts[answer->n_parts++] = make_row(&explanation->parts[i], binding, now);
    for (size_t i = 0; i < explanation->n_inputs; i++)
        answer->inputs[answer->n_inputs++] = make_row(&explanation->inputs[i], binding, now);
    for (size_t i = 0; i < answer->n_parts; i++) {
        PART *row = &answer->parts[i];

        while (i + row->n_below + 1 < answer->n_parts &&
               answer->parts[i + row->n_below + 1].part.depth > row->part.depth)
            row->n_below++;
    }
}

int rc_answer_explanation_make(struct rc_answer_explanation *answer,
                               const struct rc_binding *binding, double now,
                               const struct rc_explanation *explanation)
{
    const struct rc_task *tasks;
    size_t n, room = 1;

    tasks = rc_structural_binding_tasks(binding, &n);
    for (size_t i = 0; i < n; i++)
        room += tasks[i].n_alternatives;
    *answer = (struct rc_answer_explanation){
        .parts = calloc(explanation ? explanation->n_parts + 1 : 1, sizeof *answer->parts),
        .inputs = calloc(explanation ? explanation->n_inputs + 1 : 1, sizeof *answer->inputs),
        .not_used = calloc(room, sizeof *answer->not_used)};
    if (!answer->parts || !answer->inputs || !answer->not_used)
        return -1;
    if (explanation)
        fill_parts(answer, binding, now, explanation);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tasks[i].n_alternatives && !tasks[i].omitted; k++)
            if (tasks[i].alternatives[k].state != RC_ALTERNATIVE_CHOSEN)
                answer->not_used[answer->n_not_used++] =
                    not_used(&tasks[i], &tasks[i].alternatives[k]);
    return 0;
}

void rc_answer_explanation_free(struct rc_answer_explanation *answer)
{
    free(answer->parts);
    free(answer->inputs);
    free(answer->not_used);
}
