// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the answer of 'runcast predict', as text and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/core/time_limit.h"
#include "cmd/predict/predict.h"
#include "model/regression/formula.h"

/* ---- text ---- */

static void print_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

static void print_quantiles(const struct rc_cmd_answer *answer)
{
    const struct rc_answer_predict *report = &answer->report;

    for (size_t i = 0; i < report->n_quantiles; i++) {
        char percent[RC_NUMBER_SIZE];

        rc_number_format_short(100 * report->quantiles[i], 4, percent);
        printf("P%s%s: ", strlen(percent) == 1 ? "0" : "", percent);
        print_seconds("", rc_value_quantile(report->value, report->quantiles[i]), "\n");
    }
}

static void print_missing(const struct rc_predict_host_forecast_facts *facts)
{
    if (facts->n_missing == 0)
        return;
    if (facts->n_missing == 1)
        printf("no samples: CPU of %s in the day before; assumed to be idle\n", facts->missing);
    else
        printf("no samples: CPU of %zu hosts (%s ...) in the day before; assumed to be idle\n",
               facts->n_missing, facts->missing);
}

static void print_pace(const struct rc_cmd_answer *answer)
{
    const struct rc_regression_model *model = answer->run_model->source->model;
    char number[RC_NUMBER_SIZE];

    if (!(answer->pace > 0) || answer->pace == 1)
        return;
    rc_number_format_short(answer->pace, 3, number);
    printf("host speed: %s times that of the runs%s\n", number,
           model && !rc_regression_knows_load(model)
               ? "; no effect, since no run had a CPU availability below 1"
               : "");
}

static void print_forecast(const struct rc_predict_host_forecast_facts *facts)
{
    char when[RC_TIME_SIZE];

    rc_timestamp_format(facts->newest, when);
    printf("forecast: from %zu host%s and %zu link%s, samples up to %s\n", facts->cpu_series,
           facts->cpu_series == 1 ? "" : "s", facts->bw_series, facts->bw_series == 1 ? "" : "s",
           when);
    print_missing(facts);
    if (facts->bw_series == 0)
        printf("no samples: bandwidth; bandwidth of the runs assumed\n");
    if (facts->steady)
        printf("constant load assumed: too few samples to forecast changes\n");
}

static void print_load(const struct rc_cmd_answer *answer)
{
    static const char *const sources[] = {[RC_RUN_MODEL_GIVEN] = "given",
                                          [RC_RUN_MODEL_FORECAST] = "forecast",
                                          [RC_RUN_MODEL_DEDICATED] = "idle hosts assumed"};
    const struct rc_run_model *run_model = answer->run_model;
    const struct rc_predict_summary *summary = &answer->report.summary;
    char cpu[RC_NUMBER_SIZE], bw[RC_UNIT_SIZE];
    bool given = run_model->load == RC_RUN_MODEL_GIVEN;

    rc_number_format_short(summary->cpu, 3, cpu);
    rc_unit_format(summary->bw, RC_RATE, bw);
    printf("load: CPU availability %s%s%s (%s%s)\n", cpu, isnan(summary->bw) ? "" : ", bandwidth ",
           isnan(summary->bw) ? "" : bw, sources[run_model->load],
           given && isnan(answer->options->cpu)         ? "; CPU availability assumed"
           : given && isnan(answer->options->bandwidth) ? "; bandwidth assumed"
                                                        : "");
    if (run_model->load == RC_RUN_MODEL_FORECAST)
        print_forecast(&run_model->facts);
    else if (run_model->load == RC_RUN_MODEL_DEDICATED && run_model->facts.missing)
        printf("no samples: CPU of %s in the day before\n", run_model->facts.missing);
    if (!given)
        print_pace(answer);
}

static int print_model(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_predict_source *source = answer->run_model->source;
    const struct rc_regression_model *model = source->model;
    char *formula;

    if (source->parts)
        return rc_cmd_predict_phases_show(answer, error);
    formula = rc_regression_formula(model, &model->members[0]);
    if (!formula)
        return rc_error_no_memory(error);
    printf("model: %s\n", formula);
    free(formula);
    printf("fit: best of %zu models", model->n_members);
    if (rc_regression_knows_load(model))
        printf(" (%s)", rc_regression_stat_name(model->members[0].stat));
    printf(", %" PRIu64 " run%s", model->n_runs, model->n_runs == 1 ? "" : "s");
    if (model->n_killed)
        printf(" and %" PRIu64 " killed", model->n_killed);
    if (source->fitted || (source->learnt && source->learnt >= model->n_runs))
        printf(", fitted now");
    else if (source->learnt)
        printf(", %" PRIu64 " added since the last fit", source->learnt);
    printf("\n");
    if (isnan(model->cpu.low) && !model->ported && answer->report.summary.cpu < 1)
        printf("no run has a CPU availability: computation is assumed to take 1/availability times "
               "as long\n");
    return 0;
}

void rc_cmd_predict_extrapolation_line(const char *what, double factor, double asked,
                                       struct rc_range seen)
{
    char number[RC_NUMBER_SIZE];

    if (!(factor >= 1.05)) /* "1 times" */
        return;
    rc_number_format_short(factor, 2, number);
    printf("extrapolation: %s is %s times %s of the runs\n", what, number,
           asked > seen.high ? "the largest" : "below the smallest");
}

static void print_extrapolation(const struct rc_cmd_answer *answer)
{
    const struct rc_run_model *run_model = answer->run_model;
    const struct rc_regression_model *model = run_model->model;

    rc_cmd_predict_extrapolation_line("size", run_model->beyond.n, run_model->question.n, model->n);
    rc_cmd_predict_extrapolation_line("number of processes", run_model->beyond.p,
                                      run_model->question.p, model->p);
    for (size_t i = 0; i < model->n_params; i++)
        rc_cmd_predict_extrapolation_line(model->params[i], run_model->beyond.params[i],
                                          run_model->question.params[i], model->given[i]);
}

static void print_probed(const struct rc_cmd_answer *answer)
{
    if (answer->report.found.methods[RC_METHOD_SKELETON].answered &&
        answer->report.probe.skeleton[0])
        printf("skeleton: %.4g s (%s)\n", answer->report.probe.seconds,
               answer->report.probe.skeleton);
}

/* What a prediction from a few runs rests on. */
static void print_history(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_history *history = answer->report.history;

    if (!history)
        return;
    if (history->n_same)
        print_seconds("last time: ", history->last, "");
    else
        printf("history: %zu run%s", history->n_runs, history->n_runs == 1 ? "" : "s");
    if (history->n_same)
        printf(" (%zu run%s of this configuration", history->n_same,
               history->n_same == 1 ? "" : "s");
    else
        printf(" (none of this configuration");
    printf("%s)\n", history->elsewhere ? "; on other platforms" : "");
    if (history->n_killed)
        printf("killed runs: %zu (lower bound%s of the run time)\n", history->n_killed,
               history->n_killed == 1 ? "" : "s");
}

/* Of answers that no model of the runs has given. */
static void print_forecast_load(const struct rc_cmd_answer *answer)
{
    char cpu[RC_NUMBER_SIZE];

    if (isnan(answer->report.summary.cpu))
        return;
    rc_number_format_short(answer->report.summary.cpu, 3, cpu);
    printf("load: CPU availability %s (forecast)\n", cpu);
}

/* The answer of each method or, of a single one, its load and model. */
static int print_source(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    bool several = answer->asked < 0 && answer->report.found.answered > 1;

    if (answer->shown == RC_METHOD_REGRESSION)
        print_load(answer);
    else if (answer->shown == RC_METHOD_HISTORY)
        print_forecast_load(answer);
    if (several || answer->shown > RC_METHOD_STRUCTURAL) {
        rc_cmd_predict_methods_line(&answer->report.found, "methods: ");
        print_history(answer);
        print_probed(answer);
        if (answer->shown == RC_METHOD_REGRESSION)
            print_extrapolation(answer);
        return 0;
    }
    if (answer->shown == RC_METHOD_STRUCTURAL)
        return rc_cmd_predict_structure_show(answer, error);
    if (print_model(answer, error))
        return -1;
    print_extrapolation(answer);
    return 0;
}

static int print_answer(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    const struct rc_answer_predict *report = &answer->report;
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(report->question.size, 6, n);
    printf("%s, size %s, %" PRId64 " process%s: ", answer->options->app, n, answer->procs,
           answer->procs == 1 ? "" : "es");
    print_seconds("", report->summary.predicted, "");
    print_seconds(" (90 % interval: ", report->summary.lo90, "");
    print_seconds(" to ", report->summary.hi90, ")\n");
    print_quantiles(answer);
    rc_cmd_print_time_limit(&report->time_limit);
    rc_cmd_print_risk(&report->time_limit, RC_CMD_BY_MODEL);
    rc_cmd_predict_defaults_show(answer);
    if (print_source(answer, error))
        return -1;
    if (answer->asked < 0 && answer->shown != RC_METHOD_STRUCTURAL)
        rc_cmd_predict_recalibration_line(answer);
    if (report->predictions > 0)
        printf("past coverage: %" PRIu64 " of %" PRIu64 " intervals\n", report->held,
               report->predictions);
    return answer->options->explain && answer->asked != RC_METHOD_STRUCTURAL
               ? rc_cmd_predict_methods_show(answer, error)
               : 0;
}

/* ---- JSON ---- */

static void write_json(const struct rc_cmd_answer *answer)
{
    struct rc_answer_predict report = answer->report;
    struct rc_answer_structural structural = {.load = NULL};
    struct rc_clock *clock = rc_clock_system();

    report.created = clock->wall(clock);
    report.notes = rc_cmd_notes_json();
    report.defaults = rc_cmd_predict_defaults_json(answer);
    if (answer->asked < 0)
        report.learnt = report.found.learnt;
    if (answer->shown == RC_METHOD_REGRESSION) {
        report.run_model = answer->run_model;
        report.facts = answer->run_model->facts;
        report.pace = answer->pace;
    } else if (answer->shown == RC_METHOD_STRUCTURAL) {
        structural = rc_cmd_predict_structure_make(answer);
        report.structural = &structural;
        report.explained = rc_cmd_predict_structure_explain(answer);
    }
    rc_cmd_print_json(rc_field_json(rc_answer_predict, &report));
    rc_cmd_predict_structure_free(&structural);
    json_decref(report.explained);
    json_decref(report.notes);
    json_decref(report.defaults);
}

int rc_cmd_predict_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    if (!answer->options->json)
        return print_answer(answer, error);
    write_json(answer);
    return 0;
}
