// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_show.c - what 'runcast slowdown predict' says, to people and as JSON. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/slowdown/predict.h"
#include "cmd/core/value_report.h"

static void print_equations(const struct rc_cmd_prediction *prediction)
{
    const struct rc_local *models = prediction->both.models;
    char number[RC_NUMBER_SIZE], paper[RC_NUMBER_SIZE] = "-", queue[RC_NUMBER_SIZE] = "-";

    rc_number_format_short(rc_value_mean(prediction->answer.slowdown), 4, number);
    printf("slowdown %s on average", number);
    if (prediction->many) {
        rc_number_format_short(prediction->nodes.aggregate.slowdown, 4, paper);
        printf(" (%s: %s%s)\n", prediction->nodes.split == RC_SPLIT_LOAD ? "Eq. 5" : "Eq. 9", paper,
               prediction->options->communicating > 0 ? " for computing" : "");
        return;
    }
    if (!isnan(models[RC_LOCAL_PAPER].slowdown))
        rc_number_format_short(models[RC_LOCAL_PAPER].slowdown, 4, paper);
    if (!isnan(models[RC_LOCAL_QUEUE].slowdown))
        rc_number_format_short(models[RC_LOCAL_QUEUE].slowdown, 4, queue);
    printf(" (%sEq. 2: %s, queue: %s)\n",
           prediction->options->communicating > 0 ? "for computing: " : "", paper, queue);
}

static void print_width(const struct rc_cmd_prediction *prediction)
{
    const struct rc_slowdown_doubts *doubts = &prediction->doubts;
    char cycle[RC_UNIT_SIZE];

    printf("width: %.1f %% by what the run meets, %.1f %% by the method's own error\n",
           100 * prediction->answer.spread, 100 * prediction->options->model_error);
    rc_unit_format(doubts->longest, RC_SECONDS, cycle);
    if (doubts->long_cycles)
        printf("  %zu competitor%s with cycles that are long against the run (up to %s): what it "
               "meets is a matter of luck\n",
               doubts->long_cycles, doubts->long_cycles == 1 ? "" : "s", cycle);
    if (doubts->come_and_go)
        printf("  %zu come%s and go%s\n", doubts->come_and_go, doubts->come_and_go == 1 ? "s" : "",
               doubts->come_and_go == 1 ? "es" : "");
    if (doubts->ranges)
        printf("  of %zu the shares are known to lie in a range only\n", doubts->ranges);
    if (doubts->unknown)
        printf("  of %zu nothing is known\n", doubts->unknown);
}

static int show(const struct rc_cmd_prediction *prediction, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    const struct rc_value *seconds = prediction->answer.seconds;
    char mean[RC_UNIT_SIZE], from[RC_UNIT_SIZE], to[RC_UNIT_SIZE], alone[RC_UNIT_SIZE];
    struct rc_value_rules rules;
    double low, high;

    rc_value_rules_init(&rules);
    rc_value_span(seconds, options->level, &low, &high);
    rc_unit_format(rc_value_mean(seconds), RC_SECONDS, mean);
    rc_unit_format(low, RC_SECONDS, from);
    rc_unit_format(high, RC_SECONDS, to);
    rc_unit_format(options->dedicated, RC_SECONDS, alone);
    printf("the run takes %s beside others (%g %%: %s to %s), and %s alone\n", mean,
           100 * options->level, from, to, alone);
    print_equations(prediction);
    print_width(prediction);
    printf("seconds of the run:\n");
    if (rc_cmd_report_table(seconds, &rules, options->level, error))
        return -1;
    if (options->explain &&
        (prediction->many ? rc_cmd_nodes_explain(&prediction->nodes, error)
                          : rc_cmd_slowdown_explain(&prediction->one, &prediction->both, error)))
        return -1;
    if (options->explain && options->communicating > 0)
        printf("with the network: (1 - %.3g) x the slowdown of computing + %.3g x %.4g\n",
               options->communicating, options->communicating, prediction->link);
    return 0;
}

static json_t *width_json(const struct rc_cmd_prediction *prediction)
{
    struct rc_answer_width width = {prediction->answer.spread, prediction->options->model_error,
                                    prediction->doubts};

    if (width.doubts.long_cycles == 0)
        width.doubts.longest = NAN;
    return rc_field_json(rc_answer_width, &width);
}

static json_t *local_json(const struct rc_cmd_prediction *prediction)
{
    const struct rc_answer_local answer =
        rc_cmd_slowdown_answer(&prediction->one, &prediction->both, false);

    return rc_field_json(rc_answer_local, &answer);
}

static void write_json(const struct rc_cmd_prediction *prediction)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    struct rc_value_rules rules;
    json_t *object = json_object();

    rc_value_rules_init(&rules);
    rc_json_set(object, "dedicated", rc_json_number(options->dedicated));
    rc_json_set(object, "seconds",
                rc_cmd_report_json(prediction->answer.seconds, &rules, options->level));
    rc_json_set(object, "slowdown",
                rc_cmd_report_json(prediction->answer.slowdown, &rules, options->level));
    rc_json_set(object, "width", width_json(prediction));
    rc_json_set(object, "communicating", rc_json_number(options->communicating));
    rc_json_set(object, "link_slowdown", rc_json_number(prediction->link));
    rc_json_set(object, "coupling", rc_json_text(options->coupling ? options->coupling : "tight"));
    rc_json_set(object, "draws", json_integer(options->draws));
    rc_json_set(object, "seed", json_integer(options->seed));
    rc_json_set(object, prediction->many ? "aggregate" : "local",
                prediction->many ? rc_cmd_nodes_json(&prediction->nodes) : local_json(prediction));
    if (options->explain)
        rc_json_set(object, "equations",
                    prediction->many
                        ? rc_cmd_nodes_equations_json(&prediction->nodes)
                        : rc_cmd_slowdown_equations_json(&prediction->one, &prediction->both));
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(stdout, object, true);
    json_decref(object);
}

int rc_cmd_predict_answer(const struct rc_cmd_prediction *prediction)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    struct rc_error error = {0};

    if (options->json)
        write_json(prediction);
    else if (show(prediction, &error))
        return rc_cmd_fail(&error, "showing the prediction");
    if (options->plot &&
        rc_cmd_report_plot(options->plot, "beside others", "seconds of the run",
                           prediction->answer.seconds, options->level, NULL, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}
