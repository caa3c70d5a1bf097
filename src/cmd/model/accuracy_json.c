// SPDX-License-Identifier: GPL-3.0-or-later
/* model_accuracy_json.c - what 'runcast model accuracy' tells, for programs. */
#include "cmd/model/accuracy.h"

#include "base/json.h"

static json_t *sizes_json(const struct rc_accuracy *accuracy)
{
    json_t *list = json_array();

    for (size_t i = 0; i < accuracy->n_sizes; i++) {
        const struct rc_accuracy_size *size = &accuracy->sizes[i];
        json_t *object = json_object();

        rc_json_set(object, "size", rc_json_number(size->size));
        rc_json_set(object, "runs", json_integer((json_int_t)size->runs));
        rc_json_set(object, "actual", rc_json_number(size->actual));
        rc_json_set(object, "modelled", rc_json_number(size->predicted));
        rc_json_set(object, "error", rc_json_number(size->error));
        rc_json_set(object, "bias", rc_json_number(size->bias));
        rc_json_set(object, "inside", json_integer((json_int_t)size->covered));
        rc_json_set(object, "valid", json_boolean(size->valid));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *tasks_json(const struct rc_accuracy *accuracy)
{
    json_t *list = json_array();

    for (size_t i = 0; i < accuracy->n_tasks; i++) {
        const struct rc_accuracy_task *task = &accuracy->tasks[i];
        json_t *object = json_object();

        rc_json_set(object, "name", rc_json_text(task->name));
        rc_json_set(object, "share", rc_json_number(task->share));
        rc_json_set(object, "factor", rc_json_number(task->factor));
        rc_json_set(object, "error_left", rc_json_number(task->remaining));
        rc_json_set(object, "measured", rc_json_number(task->measured));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *runs_json(const struct rc_accuracy *accuracy)
{
    json_t *list = json_array();

    for (size_t i = 0; i < accuracy->n_runs; i++) {
        const struct rc_accuracy_run *run = &accuracy->runs[i];
        json_t *object = json_object();

        rc_json_set(object, "id", json_integer((json_int_t)run->id));
        rc_json_set(object, "start", rc_json_number(run->start));
        rc_json_set(object, "n", rc_json_number(run->size));
        rc_json_set(object, "p", rc_json_number(run->processes));
        rc_json_set(object, "hosts", rc_json_text(run->hosts));
        rc_json_set(object, "actual", rc_json_number(run->actual));
        rc_json_set(object, "modelled", rc_json_number(run->predicted));
        rc_json_set(object, "low", rc_json_number(run->low));
        rc_json_set(object, "high", rc_json_number(run->high));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *learnt_json(const struct rc_cmd_compare_options *options,
                           const struct rc_cmd_learnt *learnt)
{
    json_t *object;

    if (!options->learn)
        return json_null();
    object = json_object();
    rc_json_set(object, "corrected", json_integer((json_int_t)learnt->n));
    rc_json_set(object, "factor", rc_json_number(rc_cmd_learnt_factor(learnt)));
    return object;
}

static json_t *notes_json(const struct rc_accuracy *accuracy)
{
    json_t *list = json_array();

    for (size_t i = 0; i < accuracy->n_notes; i++) {
        json_t *object = json_object();

        rc_json_set(object, "runs", json_integer((json_int_t)accuracy->notes[i].runs));
        rc_json_set(object, "text", rc_json_text(accuracy->notes[i].text));
        json_array_append_new(list, object);
    }
    return list;
}

void rc_cmd_model_accuracy_json(const struct rc_cmd_compare_options *options,
                                const struct rc_model *model, const char *app,
                                const struct rc_accuracy *accuracy,
                                const struct rc_cmd_learnt *learnt)
{
    json_t *object = json_object();
    int first = accuracy->look_first;

    rc_json_set(object, "model", rc_json_text(model->name));
    rc_json_set(object, "app", rc_json_text(app));
    rc_json_set(object, "runs", json_integer((json_int_t)accuracy->n_runs));
    rc_json_set(object, "skipped", json_integer((json_int_t)accuracy->n_skipped));
    rc_json_set(object, "error", rc_json_number(accuracy->error));
    rc_json_set(object, "worst", rc_json_number(accuracy->worst));
    rc_json_set(object, "level", rc_json_number(options->report.level));
    rc_json_set(object, "inside",
                accuracy->has_spread ? json_integer((json_int_t)accuracy->covered) : json_null());
    rc_json_set(object, "within", rc_json_number(options->within));
    rc_json_set(object, "pairs", json_integer((json_int_t)accuracy->pairs));
    rc_json_set(object, "ranked", json_integer((json_int_t)accuracy->ranked));
    rc_json_set(object, "ranked_over", rc_json_text(accuracy->over_sizes ? "sizes" : "choices"));
    rc_json_set(object, "look_first",
                first >= 0 ? rc_json_text(accuracy->tasks[first].name) : json_null());
    rc_json_set(object, "learnt", learnt_json(options, learnt));
    rc_json_set(object, "assumed", json_integer((json_int_t)accuracy->n_assumed));
    rc_json_set(object, "load_unknown", json_integer((json_int_t)accuracy->n_blind));
    rc_json_set(object, "notes", notes_json(accuracy));
    rc_json_set(object, "sizes", sizes_json(accuracy));
    rc_json_set(object, "tasks", tasks_json(accuracy));
    rc_json_set(object, "each", runs_json(accuracy));
    rc_json_write(stdout, object, true);
    json_decref(object);
}
