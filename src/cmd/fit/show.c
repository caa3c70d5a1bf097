// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - models that were fitted, as text. */
#include "cmd/fit/fit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/command.h"

enum { SHOWN = 5 };

/* Of a model that lacks something. */
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
    print_range("n", model->n);
    print_range("p", model->p);
    for (size_t i = 0; i < model->n_params; i++)
        print_range(model->params[i], model->given[i]);
    puts("");
}

static int show_members(const struct rc_regression_model *model)
{
    size_t shown = model->n_members < SHOWN ? model->n_members : SHOWN;

    puts(model->criterion == RC_REGRESSION_PAPER ? "  std. error  load    seconds"
                                                 : "  weight   error  load    seconds");
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

static void show_gaps(const struct rc_regression_gaps *gaps)
{
    if (gaps->size)
        puts("all runs are of one size: how the time grows with it is a guess");
    if (gaps->procs)
        puts("all runs are on one number of processes: how the time falls with more is a guess");
    else if (gaps->alone)
        puts("no run is on 1 process: what is computation and what is communication is told by "
             "their growth alone");
    if (gaps->cpu)
        puts("the CPU that the runs had does not differ, or is not known: that computation takes "
             "longer by as much as it is less is assumed");
    if (gaps->bw)
        puts("the bandwidth does not differ, or is not known: how communication depends on it is "
             "assumed");
}

static void show_suggestions(const struct rc_predict_fitted *fitted)
{
    if (fitted->n_suggestions == 0 && fitted->errors.n && fitted->errors.median > error_large) {
        puts("the models agree with one another, but not with the runs: the time depends on "
             "something that they do not say");
        return;
    }
    if (fitted->n_suggestions == 0) {
        puts("the models agree, also beyond these runs: more runs would tell little");
        return;
    }
    puts("to learn most, record next:");
    for (size_t i = 0; i < fitted->n_suggestions; i++) {
        const struct rc_regression_suggestion *next = &fitted->suggestions[i];
        char n[RC_NUMBER_SIZE], seconds[RC_UNIT_SIZE];

        rc_number_format_short(next->n, 6, n);
        rc_unit_format(next->seconds, RC_SECONDS, seconds);
        printf("  n = %s on p = %.0f (about %s; the models differ by %.0f %%)\n", n, next->p,
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
        printf(
            "runs that a model had not seen were off by %.1f %% (half of them by less), 9 of 10 by "
            "less than %.1f %%\n",
            100 * fitted->errors.median, 100 * fitted->errors.most);
    show_gaps(&fitted->gaps);
    if (fitted->partly)
        printf(
            "only %zu of the runs say '%s', so that it is left aside; --param %s leaves the other "
            "runs aside instead\n",
            fitted->n_partly, fitted->partly, fitted->partly);
    if (fitted->n_silent)
        printf(
            "%zu of the runs do not say which CPU they had, and are left out where models reckon "
            "with it\n",
            fitted->n_silent);
    show_suggestions(fitted);
    if (fitted->id)
        printf("stored; 'runcast predict --app %s%s%s' uses it\n", answer->app,
               answer->platform ? " --platform " : "", answer->platform ? answer->platform : "");
    return 0;
}

int rc_cmd_fit_show_parts(const struct rc_answer_parts *answer, struct rc_error *error)
{
    size_t left_out = answer->left_out;

    if (rc_field_table(stdout, rc_answer_fit_part, answer->parts, answer->n_parts,
                       sizeof *answer->parts, rc_cmd_width(), error))
        return -1;
    puts("error: half of the runs that a model had not seen were off by less");
    if (left_out)
        printf("%zu part%s left out, since there are too few runs with %s\n", left_out,
               left_out == 1 ? " is" : "s are", left_out == 1 ? "it" : "them");
    if (answer->stored)
        printf("stored; 'runcast predict --app %s --parts' uses them\n", answer->app);
    return 0;
}
