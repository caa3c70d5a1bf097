// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the answer of 'runcast fit' as text. */
#include "cmd/fit/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/command.h"
#include "model/regression/formula.h"
#include "model/regression/predictors.h"
#include "report/cell.h"

enum { SHOWN = 5 };

/* The median APE of a model that lacks a predictor. */
static const double error_large = 0.25;

static void print_range(const char *what, struct rc_range range)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];

    rc_number_format_short(range.low, 6, low);
    rc_number_format_short(range.high, 6, high);
    if (range.low == range.high)
        printf(", %s %s", what, low);
    else
        printf(", %s %s to %s", what, low, high);
}

static void show_head(const struct rc_answer_fit *answer)
{
    const struct rc_regression_model *model = answer->fitted.model;

    printf("%s", answer->app);
    if (answer->platform)
        printf(" on %s", answer->platform);
    printf(": %" PRIu64 " runs", model->n_runs);
    print_range("size", model->n);
    print_range("processes", model->p);
    for (size_t i = 0; i < model->n_params; i++)
        print_range(model->params[i], model->given[i]);
    if (model->n_killed)
        printf("; %" PRIu64 " killed run%s: times at least as long", model->n_killed,
               rc_cell_plural((long long)model->n_killed, "s"));
    puts("");
}

static int show_formulas(const struct rc_regression_model *model)
{
    struct rc_regression_formula *formulas = calloc(model->n_members, sizeof *formulas);
    size_t n = formulas ? rc_regression_formulas(model, formulas) : 0;
    size_t shown = n < SHOWN ? n : SHOWN;
    int status = formulas ? 0 : -1;

    puts(model->criterion == RC_REGRESSION_PAPER ? "  std. error  load    run time (s)"
                                                 : "  weight   error  load    run time (s)");
    for (size_t i = 0; i < shown && status == 0; i++) {
        const struct rc_regression_member *member = formulas[i].member;
        char *formula = rc_regression_formula(model, member);

        status = formula ? 0 : -1;
        if (!formula)
            continue;
        if (model->criterion == RC_REGRESSION_PAPER)
            printf("  %8.3g s", member->error);
        else
            printf("  %4.0f %%  %4.1f %%", 100 * formulas[i].weight, 100 * member->error);
        printf("  %-6s  %s\n",
               rc_regression_knows_load(model) ? rc_regression_stat_name(member->stat) : "-",
               formula);
        free(formula);
    }
    if (shown < n)
        printf("  and %zu more\n", n - shown);
    free(formulas);
    return status;
}

/* The names of predictors that have other ones in JSON. */
static const char *predictor_title(const char *name)
{
    static const char *const titles[][2] = {{"procs", "processes"},
                                            {"cpu_availability", "CPU availability"},
                                            {"bytes", "bytes read and written"}};

    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strcmp(titles[i][0], name) == 0)
            return titles[i][1];
    return name;
}

static void show_predictors(const struct rc_regression_model *model)
{
    struct rc_regression_predictor predictors[RC_REGRESSION_PREDICTORS_MAX];
    size_t n = rc_regression_predictors(model, predictors);

    for (size_t i = 0; i < n; i++)
        printf("%s%s %.0f %%", i ? ", " : "predictors: ", predictor_title(predictors[i].name),
               100 * predictors[i].weight);
    if (n)
        puts(" (weight of the formulas that use them)");
}

static void show_left_out(const struct rc_predict_fitted *fitted, int reason, const char *why)
{
    size_t shown = 0;

    for (size_t i = 0; i < fitted->n_left_out; i++)
        if ((int)fitted->left_out[i].reason == reason)
            printf("%s%s", shown++ ? ", " : "ignored parameters: ", fitted->left_out[i].name);
    if (shown)
        printf(" (%s)\n", why);
}

static void show_all_left_out(const struct rc_predict_fitted *fitted)
{
    show_left_out(fitted, RC_REGRESSION_SIMULATED, "set by the simulation");
    show_left_out(fitted, RC_REGRESSION_CONSTANT, "the same in all runs that have them");
    for (size_t i = 0; i < fitted->n_left_out; i++) {
        const struct rc_regression_left_out *param = &fitted->left_out[i];

        if (param->reason == RC_REGRESSION_PARTLY)
            printf("parameter '%s': ignored, since only %zu runs have it; --predictor %s uses "
                   "these runs alone\n",
                   param->name, param->n_runs, param->name);
    }
}

static void show_gaps(const struct rc_regression_gaps *gaps)
{
    if (gaps->size)
        puts("gap: one size only; the formulas are for this size, and growth with size is a guess");
    if (gaps->procs)
        puts(
            "gap: one number of processes only; the formulas are for this number, and scaling is a "
            "guess");
    else if (gaps->alone)
        puts("gap: no run on 1 process; computation and communication can be distinguished only by "
             "how they grow");
    if (gaps->no_cpu)
        puts("gap: no CPU availability in the runs; computation is assumed to take 1/availability "
             "times as long");
    else if (gaps->cpu)
        puts("gap: constant CPU availability; computation is assumed to take 1/availability times "
             "as long");
    if (gaps->no_bw)
        puts("gap: no bandwidth in the runs; communication is assumed not to depend on it");
    else if (gaps->bw)
        puts("gap: constant bandwidth; its effect on communication is assumed");
}

/* What keeps suggestions from larger runs, where they would be better. */
static void show_reach(const struct rc_predict_reach *reach, const char *before, const char *after)
{
    static const char *const limits[] = {[RC_PREDICT_REACH_PLATFORM] = "the cores of the platform",
                                         [RC_PREDICT_REACH_HOST] = "the cores of this host",
                                         [RC_PREDICT_REACH_RUNS] = "twice the most of the runs"};

    printf("%s%" PRId64 " process%s (%s)%s\n", before, reach->procs, reach->procs == 1 ? "" : "es",
           limits[reach->from], after);
}

static void show_suggestions(const struct rc_predict_fitted *fitted)
{
    if (fitted->n_suggestions == 0 && fitted->reach.limits) {
        show_reach(&fitted->reach, "no suggestion: the models agree up to ",
                   ", and differ beyond that");
        return;
    }
    if (fitted->n_suggestions == 0 && fitted->errors.n && fitted->errors.median > error_large) {
        puts("no suggestion: the models agree with one another, but not with the runs; the run "
             "time depends on something that no parameter describes");
        return;
    }
    if (fitted->n_suggestions == 0) {
        puts("no suggestion: the models agree, also when they extrapolate");
        return;
    }
    puts("record next:");
    for (size_t i = 0; i < fitted->n_suggestions; i++) {
        const struct rc_regression_suggestion *next = &fitted->suggestions[i];
        char n[RC_NUMBER_SIZE], seconds[RC_UNIT_SIZE];

        rc_number_format_short(next->n, 6, n);
        rc_unit_format(next->seconds, RC_SECONDS, seconds);
        printf("  --size %s --procs %.0f (about %s; models differ by %.0f %%)\n", n, next->p,
               seconds, 100 * next->unsure);
    }
    if (fitted->reach.limits)
        show_reach(&fitted->reach, "  limited to ", "");
}

int rc_cmd_fit_show(const struct rc_answer_fit *answer)
{
    const struct rc_predict_fitted *fitted = &answer->fitted;

    show_head(answer);
    if (show_formulas(fitted->model) != 0)
        return -1;
    if (fitted->errors.n)
        printf("held-out runs: median APE %.1f %%, P90 of APE %.1f %%\n",
               100 * fitted->errors.median, 100 * fitted->errors.most);
    show_predictors(fitted->model);
    show_all_left_out(fitted);
    show_gaps(&fitted->gaps);
    if (fitted->n_silent)
        printf("runs without CPU availability: %zu, ignored by models that need it\n",
               fitted->n_silent);
    show_suggestions(fitted);
    if (fitted->id)
        printf("stored; next: runcast predict --app %s%s%s\n", answer->app,
               answer->platform ? " --platform " : "", answer->platform ? answer->platform : "");
    return 0;
}

int rc_cmd_fit_show_phases(const struct rc_answer_parts *answer, struct rc_error *error)
{
    if (rc_field_table(stdout, rc_answer_fit_part, answer->parts, answer->n_parts,
                       sizeof *answer->parts, rc_cmd_width(), error))
        return -1;
    if (answer->left_out)
        printf("left out: %zu of the phases and processes (too few runs)\n", answer->left_out);
    if (answer->stored)
        printf("stored; next: runcast predict --app %s --phases\n", answer->app);
    return 0;
}
