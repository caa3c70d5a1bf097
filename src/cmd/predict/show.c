// SPDX-License-Identifier: GPL-3.0-or-later
/* predict_show.c - what 'runcast predict' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/predict/predict.h"

static const char *const load_names[] = {"given", "forecast", "dedicated"};

/* ---- for people ---- */

static void print_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

static void print_quantiles(const struct rc_cmd_answer *answer)
{
    for (size_t i = 0; i < answer->n_percents; i++) {
        char percent[RC_NUMBER_SIZE];

        rc_number_format_short(answer->percents[i], 4, percent);
        printf("  %4s %% below ", percent);
        print_seconds("", rc_value_quantile(answer->value, answer->percents[i] / 100), "\n");
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

    rc_number_format_short(answer->summary.cpu, 3, cpu);
    rc_unit_format(answer->summary.bw, RC_RATE, bw);
    printf("load    CPU %s%s%s", cpu, isnan(answer->summary.bw) ? "" : ", bandwidth ",
           isnan(answer->summary.bw) ? "" : bw);
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
    if (answer->found.methods[RC_METHOD_SKELETON].answered && answer->probed.skeleton[0])
        printf("probe   %.4g s, by the skeleton %s\n", answer->probed.seconds,
               answer->probed.skeleton);
}

/* Where the answer is from: of several families, who says what; else the one's load and model. */
static int print_source(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    bool several = answer->asked < 0 && answer->found.answered > 1;

    if (answer->shown == RC_METHOD_REGRESSION)
        print_load(answer);
    if (several || answer->shown > RC_METHOD_STRUCTURAL) {
        rc_cmd_families_line(&answer->found, "from    ");
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

    rc_number_format_short(answer->question.size, 6, n);
    printf("%s, n = %s on %" PRId64 " process%s: ", answer->options->app, n, answer->options->procs,
           answer->options->procs == 1 ? "" : "es");
    print_seconds("", answer->summary.predicted, "");
    print_seconds(" (90 %: ", answer->summary.lo90, "");
    print_seconds(" to ", answer->summary.hi90, ")\n");
    print_quantiles(answer);
    if (print_source(answer, error))
        return -1;
    if (answer->asked < 0 && answer->shown != RC_METHOD_STRUCTURAL)
        rc_cmd_predict_learnt_line(answer);
    if (answer->before > 0)
        printf("so far  %" PRIu64 " of %" PRIu64 " such intervals held their run\n", answer->held,
               answer->before);
    return answer->options->explain && answer->asked != RC_METHOD_STRUCTURAL
               ? rc_cmd_predict_families_show(answer, error)
               : 0;
}

/* ---- for programs ---- */

static json_t *load_json(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_host_forecast_facts *facts = &answer->run_model->facts;
    json_t *object = json_object();

    rc_json_set(object, "source", rc_json_text(load_names[answer->run_model->load]));
    rc_json_set(object, "cpu", rc_json_number(answer->summary.cpu));
    rc_json_set(object, "bw", rc_json_number(answer->summary.bw));
    if (!answer->run_model->forecast)
        return object;
    rc_json_set(object, "cpu_series", json_integer((json_int_t)facts->cpu_series));
    rc_json_set(object, "bw_series", json_integer((json_int_t)facts->bw_series));
    rc_json_set(object, "missing", facts->missing ? rc_json_text(facts->missing) : json_null());
    rc_json_set(object, "n_missing", json_integer((json_int_t)facts->n_missing));
    rc_json_set(object, "pace", rc_json_number(answer->pace > 0 ? answer->pace : 1));
    rc_json_set(object, "newest", rc_json_number(facts->newest));
    rc_json_set(object, "horizon", rc_json_number(facts->seconds));
    rc_json_set(object, "steady", json_boolean(facts->steady));
    return object;
}

static json_t *model_json(const struct rc_cmd_answer *answer)
{
    const struct rc_predict_source *source = answer->run_model->source;
    const struct rc_regression_model *model = source->model;
    char *formula = model ? rc_regression_formula(model, &model->members[0]) : NULL;
    json_t *object = json_object();

    rc_json_set(object, "criterion", rc_json_text(rc_cmd_criteria[answer->criterion]));
    if (model) {
        rc_json_set(object, "formula", formula ? rc_json_text(formula) : NULL);
        rc_json_set(object, "stat", rc_json_text(rc_regression_stat_name(model->members[0].stat)));
        rc_json_set(object, "members", json_integer((json_int_t)model->n_members));
        rc_json_set(object, "runs", json_integer((json_int_t)model->n_runs));
    } else {
        rc_json_set(object, "left_out", json_integer((json_int_t)source->parts->left_out));
    }
    rc_json_set(object, "fitted", json_boolean(source->fitted));
    rc_json_set(object, "learnt", json_integer((json_int_t)source->learnt));
    rc_json_set(object, "id", source->id ? json_integer(source->id) : json_null());
    free(formula);
    return object;
}

static json_t *beyond_json(const struct rc_cmd_answer *answer)
{
    const struct rc_regression_model *model = answer->run_model->model;
    json_t *object = json_object();

    rc_json_set(object, "n", rc_json_number(answer->run_model->beyond.n));
    rc_json_set(object, "p", rc_json_number(answer->run_model->beyond.p));
    for (size_t i = 0; i < model->n_params; i++)
        rc_json_set(object, model->params[i], rc_json_number(answer->run_model->beyond.params[i]));
    return object;
}

static json_t *asked_json(const struct rc_cmd_answer *answer)
{
    json_t *object = json_object(), *params = json_object();
    bool several = answer->asked < 0 && answer->found.answered > 1;
    enum rc_method shown = (enum rc_method)answer->shown;

    for (size_t i = 0; i < answer->n_params; i++)
        rc_json_set(params, answer->params[i].name, rc_json_number(answer->params[i].value));
    rc_json_set(object, "app", rc_json_text(answer->options->app));
    rc_json_set(object, "family",
                rc_json_text(several ? RC_COMBINED : rc_predict_method_name(shown)));
    rc_json_set(object, "platform",
                answer->platform ? rc_json_text(answer->platform) : json_null());
    rc_json_set(object, "n", rc_json_number(answer->question.size));
    rc_json_set(object, "p", json_integer(answer->options->procs));
    rc_json_set(object, "params", params);
    rc_json_set(object, "hosts",
                answer->found.hosts ? rc_json_text(answer->found.hosts) : json_null());
    rc_json_set(object, "start", rc_json_number(answer->start));
    return object;
}

/* The load and the model of one family, as members of `object`. */
static void source_json(const struct rc_cmd_answer *answer, json_t *object)
{
    if (answer->shown == RC_METHOD_STRUCTURAL) {
        rc_json_set(object, "load", rc_cmd_predict_structure_load_json(answer));
        rc_json_set(object, "model", rc_cmd_predict_structure_json(answer));
        rc_cmd_predict_structure_explain(answer, object);
    } else if (answer->shown == RC_METHOD_REGRESSION) {
        rc_json_set(object, "load", load_json(answer));
        rc_json_set(object, "model", model_json(answer));
        if (answer->run_model->source->parts)
            rc_json_set(object, "parts", rc_cmd_predict_parts_json(answer));
        rc_json_set(object, "beyond", beyond_json(answer));
    } else {
        rc_json_set(object, "load", json_null());
        rc_json_set(object, "model", json_null());
    }
}

static json_t *probed_json(const struct rc_cmd_answer *answer)
{
    json_t *object;

    if (!answer->probed.skeleton[0])
        return json_null();
    object = json_object();
    rc_json_set(object, "skeleton", rc_json_text(answer->probed.skeleton));
    rc_json_set(object, "seconds", rc_json_number(answer->probed.seconds));
    rc_json_set(object, "short", json_boolean(answer->probed.is_short));
    return object;
}

static void write_json(const struct rc_cmd_answer *answer)
{
    json_t *object = asked_json(answer), *quantiles = json_object(), *history = json_object();

    for (size_t i = 0; i < answer->n_percents; i++) {
        char name[RC_NUMBER_SIZE];

        rc_number_format(answer->percents[i], name);
        rc_json_set(quantiles, name,
                    rc_json_number(rc_value_quantile(answer->value, answer->percents[i] / 100)));
    }
    rc_json_set(object, "predicted", rc_json_number(answer->summary.predicted));
    rc_json_set(object, "mean", rc_json_number(answer->summary.mean));
    rc_json_set(object, "sd", rc_json_number(rc_value_sd(answer->value)));
    rc_json_set(object, "lo90", rc_json_number(answer->summary.lo90));
    rc_json_set(object, "hi90", rc_json_number(answer->summary.hi90));
    rc_json_set(object, "quantiles", quantiles);
    source_json(answer, object);
    rc_json_set(object, "probe", probed_json(answer));
    rc_json_set(object, "families", rc_cmd_predict_families_json(answer));
    rc_json_set(object, "learnt",
                rc_cmd_predict_learnt_json(answer->asked < 0 ? &answer->found.learnt
                                                             : &(struct rc_recalibration){0},
                                           &answer->found.combined));
    rc_json_set(history, "predictions", json_integer((json_int_t)answer->before));
    rc_json_set(history, "held", json_integer((json_int_t)answer->held));
    rc_json_set(object, "history", history);
    rc_json_set(object, "id", answer->id ? json_integer(answer->id) : json_null());
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(stdout, object, true);
    json_decref(object);
}

int rc_cmd_predict_show(const struct rc_cmd_answer *answer, struct rc_error *error)
{
    if (!answer->options->json)
        return print_answer(answer, error);
    write_json(answer);
    return 0;
}
