// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_fields.c - fields of answers about measured inputs of structural models. */
#include "answer/model_measure_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text.h"

static json_t *texts_json(const char *const *texts, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, rc_json_text(texts[i]));
    return list;
}

#define MEASURED struct rc_answer_measured
static json_t *of_json(const void *record)
{
    const MEASURED *one = record;
    const char *const hosts[] = {one->row, one->column};

    return texts_json(hosts, (size_t)(*one->row != '\0') + (*one->column != '\0'));
}

static void input_text(const void *record, char *text, size_t size)
{
    const MEASURED *one = record;

    snprintf(text, size, "%.100s%s%.60s%s%.60s%s", one->input, *one->row ? "[" : "", one->row,
             *one->column ? ", " : "", one->column, *one->row ? "]" : "");
}

static void accuracy_text(const void *record, char *text, size_t size)
{
    double accuracy = ((const MEASURED *)record)->value.accuracy;
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(100 * accuracy, 6, number);
    snprintf(text, size, "%s%s", isnan(accuracy) ? "-" : number, isnan(accuracy) ? "" : " %");
}

static void source_text(const void *record, char *text, size_t size)
{
    const char *source = ((const MEASURED *)record)->how.source;

    snprintf(text, size, "%s", source ? source : "");
}

const struct rc_field rc_answer_measured[] = {
    {RC_FIELD(MEASURED, TEXT, input), .key = "input", .title = "input", .text = input_text},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = of_json, .type = "strings"},
    {RC_FIELD(MEASURED, NUMBER, value.mean), .key = "value", .title = "value"},
    {RC_FIELD(MEASURED, NUMBER, value.accuracy), .key = "accuracy_fraction"},
    {RC_FIELD(MEASURED, NUMBER, sd), .key = "sd", .title = "sd"},
    {RC_FIELD(MEASURED, NUMBER, value.accuracy), .title = "accuracy", .text = accuracy_text},
    {RC_FIELD(MEASURED, TIME, value.when), .key = "measured", .title = "measured"},
    {RC_FIELD(MEASURED, BOOL, fresh), .key = "new"},
    {RC_FIELD(MEASURED, TEXT, how.source), .key = "source", .title = "source", .wrap = true,
     .text = source_text},
    {RC_FIELD(MEASURED, NUMBER, how.size), .key = "size"},
    {RC_FIELD(MEASURED, NUMBER, how.bytes), .key = "message_bytes"},
    {RC_FIELD(MEASURED, NUMBER, how.repeats), .key = "repeat"},
    {RC_FIELD(MEASURED, TEXT, how.inputs), .key = "input_values"},
    {RC_FIELD(MEASURED, TEXT, how.machine), .key = "platform_facts"},
    {RC_FIELD(MEASURED, TEXT, how.command), .key = "command"},
    RC_FIELDS_END};

static MEASURED make_row(const struct rc_measuring_made *made, const struct rc_item *item,
                         const struct rc_benchmark_cell *cell)
{
    MEASURED row = {.input = item->name,
                    .row = cell->row,
                    .column = cell->column,
                    .value = cell->value,
                    .how = made->measured.hows[cell->value.how],
                    .sd = cell->value.spread * cell->value.mean,
                    .fresh =
                        rc_structural_benchmarks_find(&made->fresh, item, cell->row, cell->column)};
    const char **texts[] = {&row.how.source, &row.how.inputs, &row.how.machine, &row.how.command};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i] && !**texts[i])
            *texts[i] = NULL;
    return row;
}

MEASURED *rc_answer_measured_list(const struct rc_measuring *plan,
                                  const struct rc_measuring_made *made, size_t *n)
{
    const struct rc_model *model = plan->model;
    MEASURED *rows = NULL;
    size_t room = 0;

    *n = 0;
    if (rc_array_room(&rows, 1, &room, sizeof *rows, NULL))
        return NULL;
    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];
        const struct rc_benchmark_input *input =
            rc_structural_binding_find_item(plan->binding, item->name) == item
                ? rc_structural_benchmarks_input(&made->measured, item)
                : NULL;

        if (input && rc_array_room(&rows, *n + input->n_cells, &room, sizeof *rows, NULL)) {
            free(rows);
            return NULL;
        }
        for (size_t k = 0; input && k < input->n_cells; k++)
            rows[(*n)++] = make_row(made, item, &input->cells[k]);
    }
    return rows;
}

#define MEASURING struct rc_answer_measuring
const struct rc_field rc_answer_measuring[] = {
    {RC_FIELD(MEASURING, TEXT, app), .key = "app"},
    {RC_FIELD(MEASURING, TEXT, platform), .key = "platform"},
    {RC_FIELD(MEASURING, SIZE, n_measured), .key = "measured_count"},
    {RC_FIELD(MEASURING, SIZE, n_known), .key = "known"},
    {RC_FIELD(MEASURING, SIZE, n_failed), .key = "failed"},
    {RC_FIELD(MEASURING, SIZE, n_not_tried), .key = "skipped"},
    {RC_FIELD(MEASURING, BOOL, interrupted), .key = "interrupted"},
    {RC_FIELD_LIST_OF(MEASURING, values, n_values), .key = "values", .fields = rc_answer_measured},
    {RC_FIELD(MEASURING, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};

#define JOB struct rc_answer_measuring_job
static json_t *hosts_json(const void *record)
{
    const struct rc_measuring_job *job =
        &((const JOB *)record)->plan->jobs[((const JOB *)record)->job];

    return texts_json(job->hosts, job->n_hosts);
}

static json_t *inputs_json(const void *record)
{
    const struct rc_measuring_wanted *wanted;
    json_t *list = json_array();
    size_t n;

    wanted =
        rc_structural_measuring_of(((const JOB *)record)->plan, ((const JOB *)record)->job, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, rc_json_text(wanted[i].item->name));
    return list;
}

void rc_answer_measuring_describe(const struct rc_measuring *plan, size_t job, char *text,
                                  size_t size)
{
    const struct rc_measuring_job *made = &plan->jobs[job];
    const struct rc_measuring_wanted *wanted;
    size_t n;

    wanted = rc_structural_measuring_of(plan, job, &n);
    text[0] = '\0';
    for (size_t i = 0; i < n && strlen(text) < size / 2; i++) {
        bool again = false;

        for (size_t k = 0; k < i && !again; k++)
            again = wanted[k].item == wanted[i].item;
        if (!again)
            rc_text_append(text, size, "%s%.40s", i ? ", " : "", wanted[i].item->name);
    }
    rc_text_append(text, size, " on %.30s", made->hosts[0]);
    if (made->n_hosts == 2)
        rc_text_append(text, size, " and %.30s", made->hosts[1]);
    else if (made->n_hosts > 2)
        rc_text_append(text, size, ", …");
    rc_text_mend_cut(text, size);
}

static void job_text(const void *record, char *text, size_t size)
{
    const JOB *row = record;

    rc_answer_measuring_describe(row->plan, row->job, text, size < 160 ? size : 160);
}

const struct rc_field rc_answer_measuring_job[] = {
    {.kind = RC_AS_COMPUTED, .title = "inputs", .text = job_text},
    {.kind = RC_AS_COMPUTED, .key = "hosts", .json = hosts_json, .type = "strings"},
    {.kind = RC_AS_COMPUTED, .key = "inputs", .json = inputs_json, .type = "strings"},
    {RC_FIELD(JOB, NUMBER, size), .key = "size"},
    {RC_FIELD(JOB, INT64, times), .key = "run_count", .title = "runs"},
    {RC_FIELD(JOB, TEXT, command), .key = "command", .title = "command", .wrap = true},
    RC_FIELDS_END};

#define PLAN struct rc_answer_measuring_plan
const struct rc_field rc_answer_measuring_plan[] = {
    {RC_FIELD(PLAN, SIZE, n_known), .key = "known"},
    {RC_FIELD_LIST_OF(PLAN, jobs, n_jobs), .key = "jobs", .fields = rc_answer_measuring_job},
    {RC_FIELD(PLAN, JSON, notes), .key = "notes", .type = "strings"},
    RC_FIELDS_END};
