// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure_show.c - what 'runcast model measure' shows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "cmd/model/measure.h"

/* A standard deviation of repeats that is worth a word. */
#define LARGE_SPREAD 0.2

/* ---- words ---- */

/* "add, bw on a1 and a2" */
void rc_cmd_measure_describe(const struct rc_measuring *plan, size_t job,
                             char text[RC_CMD_MEASURE_TEXT])
{
    const struct rc_measuring_job *made = &plan->jobs[job];
    const struct rc_measuring_wanted *wanted;
    size_t n, length = 0;

    wanted = rc_structural_measuring_of(plan, job, &n);
    text[0] = '\0';
    for (size_t i = 0; i < n && length < RC_CMD_MEASURE_TEXT / 2; i++) {
        bool again = false;

        for (size_t k = 0; k < i && !again; k++)
            again = wanted[k].item == wanted[i].item;
        if (!again)
            snprintf(text + length, RC_CMD_MEASURE_TEXT - length, "%s%.40s", i ? ", " : "",
                     wanted[i].item->name);
        length = strlen(text);
    }
    snprintf(text + length, RC_CMD_MEASURE_TEXT - length, " on %.30s%s%.30s", made->hosts[0],
             made->n_hosts > 2    ? ", …"
             : made->n_hosts == 2 ? " and "
                                  : "",
             made->n_hosts == 2 ? made->hosts[1] : "");
    rc_text_mend_cut(text, RC_CMD_MEASURE_TEXT);
}

/* "[a1, a2]" */
static void write_of(const char *row, const char *column, char text[RC_CMD_MEASURE_TEXT])
{
    snprintf(text, RC_CMD_MEASURE_TEXT, "%s%.60s%s%.60s%s", *row ? "[" : "", row,
             *column ? ", " : "", column, *row ? "]" : "");
}

void rc_cmd_measure_note_again(const struct rc_cmd_measure *measure)
{
    char of[RC_CMD_MEASURE_TEXT], more[40];

    for (size_t i = 0; i < measure->plan.n_again; i++) {
        const struct rc_measuring_again *again = &measure->plan.again[i];

        write_of(again->row, again->column, of);
        more[0] = '\0';
        if (again->n > 1)
            snprintf(more, sizeof more, " and %zu more", again->n - 1);
        rc_cmd_note("%.60s%s%s: measured again, as it was measured %s", again->item->name, of, more,
                    again->why);
    }
}

/* What a host sends to itself is copied in memory, and is like that. */
void rc_cmd_measure_note_spread(const struct rc_cmd_measure *measure)
{
    const struct rc_measuring_wanted *worst = NULL;
    char of[RC_CMD_MEASURE_TEXT], more[40] = "";
    double spread = LARGE_SPREAD;
    size_t n = 0;

    for (size_t i = 0; i < measure->plan.n_wanted; i++) {
        const struct rc_measuring_wanted *wanted = &measure->plan.wanted[i];
        const struct rc_benchmark_value *value =
            rc_structural_benchmarks_find(&measure->fresh, wanted->item, wanted->row,
                                          wanted->column);

        if (!value || !(value->spread > LARGE_SPREAD) ||
            (*wanted->row && strcmp(wanted->row, wanted->column) == 0))
            continue;
        n++;
        if (value->spread > spread) {
            spread = value->spread;
            worst = wanted;
        }
    }
    if (!worst)
        return;
    write_of(worst->row, worst->column, of);
    if (n > 1)
        snprintf(more, sizeof more, ", and %zu more much", n - 1);
    rc_cmd_note("the repeats of %.60s%s differ by %.0f %% (standard deviation)%s: was something "
                "else running there? --again --only %.60s measures anew",
                worst->item->name, of, 100 * spread, more, worst->item->name);
}

/* ---- what would be made ---- */

static json_t *job_json(const struct rc_cmd_measure *measure, size_t job, const char *line)
{
    const struct rc_measuring_job *made = &measure->plan.jobs[job];
    json_t *object = json_object(), *hosts = json_array(), *inputs = json_array();
    const struct rc_measuring_wanted *wanted;
    size_t n;

    for (size_t i = 0; i < made->n_hosts; i++)
        json_array_append_new(hosts, rc_json_text(made->hosts[i]));
    wanted = rc_structural_measuring_of(&measure->plan, job, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(inputs, rc_json_text(wanted[i].item->name));
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "inputs", inputs);
    rc_json_set(object, "size", made->run ? rc_json_number(made->size) : json_null());
    rc_json_set(object, "times", json_integer(made->run ? measure->making.repeats : 1));
    rc_json_set(object, "command", rc_json_text(line));
    return object;
}

int rc_cmd_measure_show_jobs(struct rc_cmd_measure *measure)
{
    static const struct rc_column heads[] = {{.title = "inputs"},
                                             {.title = "runs", .right = true},
                                             {.title = "command", .wrap = true}};
    bool json = measure->options->json;
    struct rc_table *table = json ? NULL : rc_table_create(stdout, heads, 3, rc_cmd_width());
    json_t *list = json_array(), *object = json_object();

    for (size_t i = 0; i < measure->plan.n_jobs && (json || table); i++) {
        const struct rc_measuring_job *job = &measure->plan.jobs[i];
        char text[RC_CMD_MEASURE_TEXT], *line;

        if (job->run) /* what 'less' needs may not be measured yet, and is not needed here */
            rc_structural_measuring_prepare(&measure->plan, i, &measure->measured, measure->section,
                                            NULL);
        line = rc_cmd_measuring_line(&measure->making, i, NULL);
        rc_cmd_measure_describe(&measure->plan, i, text);
        if (json) {
            json_array_append_new(list, job_json(measure, i, line ? line : ""));
        } else {
            rc_table_text(table, text);
            rc_table_integer(table, job->run ? measure->making.repeats : 1);
            rc_table_text(table, line ? line : "");
        }
        free(line);
    }
    rc_json_set(object, "known", json_integer((json_int_t)measure->plan.n_known));
    rc_json_set(object, "jobs", list);
    if (json)
        rc_json_write(stdout, object, true);
    json_decref(object);
    return json || (table && rc_table_finish(table) == 0) ? RC_EXIT_OK : RC_EXIT_FAILED;
}

/* ---- what was made, and what there is ---- */

/* Values that were measured; those of earlier calls are none of them. */
static size_t count_values(const struct rc_cmd_measure *measure)
{
    size_t n = 0;

    for (size_t i = 0; i < measure->plan.n_wanted; i++)
        n += measure->is_done[measure->plan.wanted[i].job];
    return n;
}

/* Calls `each` for all values that the database has of the model's inputs, as they are measured now.
 */
static void walk(const struct rc_cmd_measure *measure,
                 void (*each)(void *data, const struct rc_cmd_measure *measure,
                              const struct rc_item *item, const struct rc_benchmark_cell *cell),
                 void *data)
{
    const struct rc_model *model = measure->work->model;

    for (size_t i = 0; i < model->n_items; i++) {
        const struct rc_item *item = &model->items[i];
        const struct rc_benchmark_input *input =
            rc_structural_binding_find_item(measure->plan.binding, item->name) == item
                ? rc_structural_benchmarks_input(&measure->measured, item)
                : NULL;

        for (size_t k = 0; input && k < input->n_cells; k++)
            each(data, measure, item, &input->cells[k]);
    }
}

static void set_text(json_t *object, const char *name, const char *text)
{
    rc_json_set(object, name, text && *text ? rc_json_text(text) : json_null());
}

static void add_json(void *data, const struct rc_cmd_measure *measure, const struct rc_item *item,
                     const struct rc_benchmark_cell *cell)
{
    const struct rc_benchmark_value *value = &cell->value;
    const struct rc_benchmark_how *how = &measure->measured.hows[value->how];
    json_t *object = json_object(), *of = json_array();
    char when[RC_TIME_SIZE];

    if (*cell->row)
        json_array_append_new(of, rc_json_text(cell->row));
    if (*cell->column)
        json_array_append_new(of, rc_json_text(cell->column));
    rc_timestamp_format(value->when, when);
    rc_json_set(object, "input", rc_json_text(item->name));
    rc_json_set(object, "of", of);
    rc_json_set(object, "value", rc_json_number(value->mean));
    rc_json_set(object, "accuracy", rc_json_number(value->accuracy));
    rc_json_set(object, "sd", rc_json_number(value->spread * value->mean));
    rc_json_set(object, "measured", rc_json_text(when));
    rc_json_set(object, "new",
                json_boolean(rc_structural_benchmarks_find(&measure->fresh, item, cell->row,
                                                           cell->column) != NULL));
    set_text(object, "source", how->source);
    rc_json_set(object, "size", rc_json_number(how->size));
    rc_json_set(object, "bytes", rc_json_number(how->bytes));
    rc_json_set(object, "repeats", rc_json_number(how->repeats));
    set_text(object, "inputs", how->inputs);
    set_text(object, "machine", how->machine);
    set_text(object, "command", how->command);
    json_array_append_new(data, object);
}

static void show_json(const struct rc_cmd_measure *measure)
{
    json_t *object = json_object(), *values = json_array();

    walk(measure, add_json, values);
    rc_json_set(object, "app", rc_json_text(measure->work->model->app));
    rc_json_set(object, "platform", rc_json_text(measure->platform));
    rc_json_set(object, "measured", json_integer((json_int_t)count_values(measure)));
    rc_json_set(object, "known", json_integer((json_int_t)measure->plan.n_known));
    rc_json_set(object, "failed", json_integer((json_int_t)measure->failed));
    rc_json_set(object, "not_tried", json_integer((json_int_t)measure->not_tried));
    rc_json_set(object, "interrupted", json_boolean(rc_cmd_interrupted()));
    rc_json_set(object, "values", values);
    rc_json_write(stdout, object, true);
    json_decref(object);
}

void rc_cmd_measure_show(const struct rc_cmd_measure *measure)
{
    size_t values = count_values(measure);

    if (measure->options->json) {
        show_json(measure);
        return;
    }
    printf("%zu value%s of %s measured on %s", values, values == 1 ? "" : "s",
           measure->work->model->app, measure->platform);
    if (measure->plan.n_known)
        printf(", %zu known already", measure->plan.n_known);
    if (measure->failed)
        printf(", %zu of %zu measurements failed", measure->failed, measure->plan.n_jobs);
    if (measure->not_tried)
        printf(", %zu %s not tried", measure->not_tried, measure->not_tried == 1 ? "was" : "were");
    putchar('\n');
}

static void add_row(void *data, const struct rc_cmd_measure *measure, const struct rc_item *item,
                    const struct rc_benchmark_cell *cell)
{
    const struct rc_benchmark_value *value = &cell->value;
    const struct rc_benchmark_how *how = &measure->measured.hows[value->how];
    char of[RC_CMD_MEASURE_TEXT], name[2 * RC_CMD_MEASURE_TEXT], when[RC_TIME_SIZE];

    write_of(cell->row, cell->column, of);
    snprintf(name, sizeof name, "%.100s%s", item->name, of);
    rc_timestamp_format(value->when, when);
    rc_table_text(data, name);
    rc_table_number(data, value->mean);
    rc_table_number(data, value->spread * value->mean);
    rc_table_number(data, 100 * value->accuracy);
    rc_table_text(data, when);
    rc_table_text(data, how->source ? how->source : "");
}

int rc_cmd_measure_list(const struct rc_cmd_measure *measure)
{
    static const struct rc_column heads[] = {{.title = "input"},
                                             {.title = "value", .right = true},
                                             {.title = "sd", .right = true},
                                             {.title = "accuracy %", .right = true},
                                             {.title = "measured"},
                                             {.title = "source", .wrap = true}};
    struct rc_table *table;

    if (measure->options->json) {
        show_json(measure);
        return RC_EXIT_OK;
    }
    table = rc_table_create(stdout, heads, sizeof heads / sizeof *heads, rc_cmd_width());
    if (!table)
        return RC_EXIT_FAILED;
    walk(measure, add_row, table);
    return rc_table_finish(table) ? RC_EXIT_FAILED : RC_EXIT_OK;
}

int rc_cmd_measure_write_out(const struct rc_cmd_measure *measure)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_error error = {.text = ""};
    const char *section = measure->section ? measure->section : measure->platform;
    int failed = rc_structural_benchmarks_write(&measure->measured, measure->plan.binding, section,
                                                &text, &error) ||
                 rc_file_replace(measure->options->out, text.data, text.length, &error);

    rc_buffer_free(&text);
    return failed ? rc_cmd_fail(&error, "writing %s", measure->options->out) : RC_EXIT_OK;
}
