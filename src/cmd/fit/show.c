// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the answer of 'runcast fit' as text. */
#include "cmd/fit/fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/command.h"
#include "model/regression/predictors.h"

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
    puts("");
}

static int show_members(const struct rc_regression_model *model)
{
    size_t shown = model->n_members < SHOWN ? model->n_members : SHOWN;

    puts(model->criterion == RC_REGRESSION_PAPER ? "  std. error  load    run time (s)"
                                                 : "  weight   error  load    run time (s)");
    for (size_t i = 0; i < shown; i++) {
        const struct rc_regression_member *member = &model->members[i];
        char *formula = rc_regression_formula(model, member);

        if (!formula)
            return -1;
        if (model->criterion == RC_REGRESSION_PAPER)
            printf("  %8.3g s", member->error);
        else
            printf("  %4.0f %%  %4.1f %%", 100 * member->weight, 100 * member->error);
        printf("  %-6s  %s\n",
               rc_regression_knows_load(model) ? rc_regression_stat_name(member->stat) : "-",
               formula);
        free(formula);
    }
    if (shown < model->n_members)
        printf("  and %zu more\n", model->n_members - shown);
    return 0;
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
        puts("gap: one size only; growth with size is a guess");
    if (gaps->procs)
        puts("gap: one number of processes only; scaling is a guess");
    else if (gaps->alone)
        puts("gap: no run on 1 process; computation and communication can be distinguished only by "
             "how they grow");
    if (gaps->cpu)
        puts("gap: constant or unknown CPU availability; computation is assumed to be inversely "
             "proportional to it");
    if (gaps->bw)
        puts("gap: constant or unknown bandwidth; its effect on communication is assumed");
}

static void show_suggestions(const struct rc_predict_fitted *fitted)
{
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
}

int rc_cmd_fit_show(const struct rc_answer_fit *answer)
{
    const struct rc_predict_fitted *fitted = &answer->fitted;

    show_head(answer);
    if (show_members(fitted->model) != 0)
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
