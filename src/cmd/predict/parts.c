// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_parts.c - 'runcast predict --parts': what is shown of phases and processes. */
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/predict/predict.h"

void rc_cmd_part_name(const struct rc_regression_part *part, char text[RC_CMD_PART_SIZE])
{
    if (part->process < 0)
        snprintf(text, RC_CMD_PART_SIZE, "%.200s", part->phase);
    else
        snprintf(text, RC_CMD_PART_SIZE, "%.200s%sprocess %d", part->phase,
                 *part->phase ? ", " : "", part->process);
}

int rc_cmd_predict_parts_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    static const struct rc_column heads[] = {{.title = "part"},
                                             {.title = "time", .right = true},
                                             {.title = "share", .right = true},
                                             {.title = "best of its models"}};
    const struct rc_regression_parts *parts = answer->run_model->source->parts;
    struct rc_table *table = rc_table_create(stdout, heads, 4, rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < answer->run_model->asked.n; i++) {
        const struct rc_predict_part *one = &answer->run_model->asked.parts[i];
        const struct rc_regression_model *model = one->part->model;
        char *formula = rc_regression_formula(model, &model->members[0]);
        char name[RC_CMD_PART_SIZE], seconds[RC_UNIT_SIZE], share[32];

        rc_cmd_part_name(one->part, name);
        rc_unit_format(one->seconds, RC_SECONDS, seconds);
        snprintf(share, sizeof share, "%.0f %%", 100 * one->share);
        rc_table_text(table, name);
        rc_table_text(table, seconds);
        rc_table_text(table, share);
        rc_table_text(table, formula ? formula : "");
        free(formula);
    }
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    if (parts->left_out)
        printf("without %zu part%s of which there are too few runs\n", parts->left_out,
               parts->left_out == 1 ? "" : "s");
    if (answer->run_model->source->fitted)
        printf("the models were fitted just now\n");
    return 0;
}

json_t *rc_cmd_predict_parts_json(const struct rc_cmd_answer *answer)
{
    json_t *array = json_array();

    for (size_t i = 0; i < answer->run_model->asked.n; i++) {
        const struct rc_predict_part *one = &answer->run_model->asked.parts[i];
        const struct rc_regression_model *model = one->part->model;
        char *formula = rc_regression_formula(model, &model->members[0]);
        json_t *object = json_object();
        int process = one->part->process;

        rc_json_set(object, "phase",
                    *one->part->phase ? rc_json_text(one->part->phase) : json_null());
        rc_json_set(object, "process", process < 0 ? json_null() : json_integer(process));
        rc_json_set(object, "seconds", rc_json_number(one->seconds));
        rc_json_set(object, "share", rc_json_number(one->share));
        rc_json_set(object, "formula", rc_json_text(formula ? formula : ""));
        rc_json_set(object, "runs", json_integer((json_int_t)model->n_runs));
        json_array_append_new(array, object);
        free(formula);
    }
    return array;
}
