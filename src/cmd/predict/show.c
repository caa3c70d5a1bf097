// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - what 'runcast predict' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/predict/predict.h"

/* ---- for people ---- */

static void print_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

static void print_quantiles(const struct rc_cmd_answer *answer)
{
    for (size_t i = 0; i < answer->report.n_percents; i++) {
        char percent[RC_NUMBER_SIZE];

        rc_number_format_short(answer->report.percents[i], 4, percent);
        printf("  %4s %% below ", percent);
        print_seconds("", rc_value_quantile(answer->report.value, answer->report.percents[i] / 100),
                      "\n");
    }
}

static void print_missing(const struct rc_predict_host_forecast_facts *facts)
{
    if (facts->n_missing == 0)
        return;
    if (facts->cpu_series == 0)
        printf("        without the CPU, since there are no samples of %s from the day before\n",
               facts->missing);
    else if (facts->n_missing == 1)
        printf("        %s is taken for idle: there are no samples of it from the day before\n",
               facts->missing);
    else
        printf("        %zu hosts (%s ...) are taken for idle: there are no samples of them from "
               "the day before\n",
               facts->n_missing, facts->missing);
}

static void print_pace(const struct rc_cmd_answer *answer)
{
    const struct rc_regression_model *model = answer->run_model->source->model;
    char number[RC_NUMBER_SIZE];

    if (!(answer->pace > 0) || answer->pace == 1)
        return;
    rc_number_format_short(answer->pace, 3, number);
    printf("        on hosts %s times as fast as those of the runs%s\n", number,
           model && !rc_regression_knows_load(model)
               ? ", which has no effect: no run had less than its cores, to tell computing by"
               : "");
}

static void print_load(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_host_forecast_facts *facts = &answer->run_model->facts;
    char cpu[RC_NUMBER_SIZE], bw[RC_UNIT_SIZE], when[RC_TIME_SIZE];

    rc_number_format_short(answer->report.summary.cpu, 3, cpu);
    rc_unit_format(answer->report.summary.bw, RC_RATE, bw);
    printf("load    CPU %s%s%s", cpu, isnan(answer->report.summary.bw) ? "" : ", bandwidth ",
           isnan(answer->report.summary.bw) ? "" : bw);
    if (answer->run_model->load == RC_RUN_MODEL_GIVEN) {
        printf("%s\n", isnan(answer->options->cpu)  ? " (of the CPU nothing was said)"
                       : isnan(answer->options->bw) ? " (of the bandwidth nothing was said)"
                                                    : ", as given");
        return;
    }
    if (answer->run_model->load == RC_RUN_MODEL_DEDICATED) {
        printf(": a dedicated machine, since nothing is known of the load to come\n");
        if (facts->missing)
            printf("        (the store has no CPU samples of %s from the day before)\n",
                   facts->missing);
        print_pace(answer);
        return;
    }
    rc_timestamp_format(facts->newest, when);
    printf(", foreseen for the time of the run\n");
    printf("        from %zu host%s and %zu link%s, samples up to %s\n", facts->cpu_series,
           facts->cpu_series == 1 ? "" : "s", facts->bw_series, facts->bw_series == 1 ? "" : "s",
           when);
    print_missing(facts);
    print_pace(answer);
    if (facts->bw_series == 0)
        printf("        without the bandwidth: that of the runs is taken\n");
    if (facts->steady)
        printf("        taken to stay as it is: the past is too short to know how it changes\n");
}

static int print_model(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_source *source = answer->run_model->source;
    const struct rc_regression_model *model = source->model;
    char *formula;

    if (source->parts)
        return rc_cmd_predict_parts_show(answer, error);
    formula = rc_regression_formula(model, &model->members[0]);
    if (!formula)
        return rc_error_no_memory(error);
    printf("model   %s\n", formula);
    free(formula);
    printf("        the best of %zu", model->n_members);
    if (rc_regression_knows_load(model))
        printf(", by %s", rc_regression_stat_name(model->members[0].stat));
    printf("; from %" PRIu64 " run%s", model->n_runs, model->n_runs == 1 ? "" : "s");
    if (source->fitted)
        printf(", fitted just now");
    else if (source->learnt)
        printf(", of which %" PRIu64 " new", source->learnt);
    printf("\n");
    return 0;
}

static void print_one_beyond(const char *what, double factor, double asked, struct rc_range seen)
{
    char number[RC_NUMBER_SIZE];

    if (!(factor > 1))
        return;
    rc_number_format_short(factor, 2, number);
    printf("beyond  %s is %s times %s seen\n", what, number,
           asked > seen.high ? "the largest" : "below the least");
}

static void print_beyond(const struct rc_cmd_answer *answer)
{
    const struct rc_regression_model *model = answer->run_model->model;

    print_one_beyond("n", answer->run_model->beyond.n, answer->run_model->question.n, model->n);
    print_one_beyond("p", answer->run_model->beyond.p, answer->run_model->question.p, model->p);
    for (size_t i = 0; i < model->n_params; i++)
        print_one_beyond(model->params[i], answer->run_model->beyond.params[i],
                         answer->run_model->question.params[i], model->given[i]);
}

static void print_probed(const struct rc_cmd_answer *answer)
{
    if (answer->report.found.methods[RC_METHOD_SKELETON].answered &&
        answer->report.probe.skeleton[0])
        printf("probe   %.4g s, by the skeleton %s\n", answer->report.probe.seconds,
               answer->report.probe.skeleton);
}

/* What the answer rests on: the answer of each method or, of a single one, its load and model. */
static int print_source(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    bool several = answer->asked < 0 && answer->report.found.answered > 1;

    if (answer->shown == RC_METHOD_REGRESSION)
        print_load(answer);
    if (several || answer->shown > RC_METHOD_STRUCTURAL) {
        rc_cmd_predict_methods_line(&answer->report.found, "from    ");
        print_probed(answer);
        if (answer->shown == RC_METHOD_REGRESSION)
            print_beyond(answer);
        return 0;
    }
    if (answer->shown == RC_METHOD_STRUCTURAL)
        return rc_cmd_predict_structure_show(answer, error);
    if (print_model(answer, error))
        return -1;
    print_beyond(answer);
    return 0;
}

static int print_answer(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(answer->report.question.size, 6, n);
    printf("%s, n = %s on %" PRId64 " process%s: ", answer->options->app, n, answer->options->procs,
           answer->options->procs == 1 ? "" : "es");
    print_seconds("", answer->report.summary.predicted, "");
    print_seconds(" (90 %: ", answer->report.summary.lo90, "");
    print_seconds(" to ", answer->report.summary.hi90, ")\n");
    print_quantiles(answer);
    if (print_source(answer, error))
        return -1;
    if (answer->asked < 0 && answer->shown != RC_METHOD_STRUCTURAL)
        rc_cmd_predict_learnt_line(answer);
    if (answer->report.predictions > 0)
        printf("so far  %" PRIu64 " of %" PRIu64 " such intervals held their run\n",
               answer->report.held, answer->report.predictions);
    return answer->options->explain && answer->asked != RC_METHOD_STRUCTURAL
               ? rc_cmd_predict_methods_show(answer, error)
               : 0;
}

/* ---- for programs ---- */

static void write_json(const struct rc_cmd_answer *answer)
{
    struct rc_answer_predict report = answer->report;
    json_t *object;

    report.method = answer->asked < 0 && report.found.answered > 1
                        ? RC_COMBINED
                        : report.found.methods[answer->shown].name;
    report.notes = rc_cmd_notes_json();
    if (answer->asked < 0)
        report.learnt = report.found.learnt;
    if (answer->shown == RC_METHOD_REGRESSION) {
        report.run_model = answer->run_model;
        report.facts = answer->run_model->facts;
        report.pace = answer->pace;
    } else if (answer->shown == RC_METHOD_STRUCTURAL) {
        report.structural_load = rc_cmd_predict_structure_load_json(answer);
        report.structural_model = rc_cmd_predict_structure_json(answer);
        report.explained = rc_cmd_predict_structure_explain(answer);
    }
    object = rc_answer_predict_json(&report);
    rc_cmd_print_json(object);
    json_decref(report.structural_load);
    json_decref(report.structural_model);
    json_decref(report.explained);
    json_decref(report.notes);
}

int rc_cmd_predict_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    if (!answer->options->json)
        return print_answer(answer, error);
    write_json(answer);
    return 0;
}
