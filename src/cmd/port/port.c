// SPDX-License-Identifier: GPL-3.0-or-later
/* port.c - 'runcast port': ports a model to another platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/port_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/core/commands.h"
#include "cmd/predict/predict.h"
#include "model/regression/formula.h"
#include "predict/fit.h"

struct port_options {
    const char *app, *from, *to, *criterion, *db;
    bool json;
};

static const struct port_options defaults = {.criterion = "default"};

static const struct rc_option port_option_table[] = {
    {RC_OPTION_OF(struct port_options, TEXT, app), .name = "app", .letter = 'a', .argument = "NAME",
     .help = "name of the app"},
    {RC_OPTION_OF(struct port_options, TEXT, from), .name = "from", .argument = "PLATFORM",
     .help = "platform that the model comes from, or the runs to fit it to"},
    {RC_OPTION_OF(struct port_options, TEXT, to), .name = "to", .argument = "PLATFORM",
     .help = "platform to which the model is ported"},
    {RC_OPTION_OF(struct port_options, CHOICE, criterion), .name = "criterion", .argument = "NAME",
     .choices = rc_cmd_criteria,
     .help = "criterion that selects regression models: default or paper (Sanjay and Vadhiyar)"},
    RC_OPTION_JSON(struct port_options),
    RC_OPTION_DB(struct port_options),
    RC_OPTIONS_END,
};

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void show_cpu(const struct rc_answer_port *answer)
{
    const struct rc_regression_port *port = &answer->ratios;
    char sizes[RC_REGRESSION_SIDES][RC_NUMBER_SIZE];

    for (int side = 0; side < RC_REGRESSION_SIDES; side++)
        rc_number_format_short(port->n[side], 6, sizes[side]);
    printf("Rcpu: %.4g (computation time on %s / %s)\n", port->r_cpu, answer->to, answer->from);
    printf("  %s: %zu run%s on 1 process of size %s\n", answer->to, port->one_runs[1],
           plural(port->one_runs[1]), sizes[1]);
    printf("  %s: %zu run%s on 1 process of size %s\n", answer->from, port->one_runs[0],
           plural(port->one_runs[0]), sizes[0]);
    puts(port->dedicated ? "  dedicated runs" : "  times multiplied by CPU availability");
    if (port->n[0] != port->n[1])
        puts("  no common size: the model relates the two");
}

static void show_bw(const struct rc_answer_port *answer)
{
    const struct rc_regression_port *port = &answer->ratios;
    const char *const platforms[RC_REGRESSION_SIDES] = {
        [RC_REGRESSION_REFERENCE] = answer->from, [RC_REGRESSION_TARGET] = answer->to};

    printf("Rbw: %.4g (communication time on %s / %s)\n", port->r_bw, answer->to, answer->from);
    for (int side = RC_REGRESSION_SIDES - 1; side >= 0; side--)
        printf("  %s: %zu%s run%s on %g processes, standard error %.2g %% of the mean time\n",
               platforms[side], port->two_runs[side], port->two_dedicated[side] ? " dedicated" : "",
               plural(port->two_runs[side]), port->p, 100 * port->error[side]);
    if (!isnan(port->low))
        printf("  equal errors at: Rbw %.4g and %.4g\n", port->low, port->high);
    if (!port->shows)
        puts("  communication is not visible in these runs: 1 assumed");
}

static void show_text(const struct rc_answer_port *answer)
{
    show_cpu(answer);
    show_bw(answer);
    printf("model of %s on %s: %s\n", answer->app, answer->to, answer->formula);
    printf("  best of %zu models, fitted to %llu runs\n", answer->members,
           (unsigned long long)answer->runs);
}

static int run_port(struct rc_invocation *invocation)
{
    const struct port_options *options = invocation->options;
    struct rc_answer_port answer = {options->app, options->from, options->to, options->criterion,
                                    .formula = NULL};
    struct rc_regression_model *model = NULL;
    struct rc_error error = {0};
    struct rc_db *db;
    int status = RC_EXIT_OK;

    if (!options->app || !options->from || !options->to)
        return rc_cmd_usage_text(invocation, "use --app NAME, --from PLATFORM and --to PLATFORM");
    if (strcmp(options->from, options->to) == 0)
        return rc_cmd_usage_text(invocation, "--from and --to are the same platform");
    db = rc_cmd_open_db(options->db, RC_DB_WRITE, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    if (rc_predict_fit_port(db, options->app, options->from, options->to,
                            rc_cmd_criterion(options->criterion), &answer.ratios, &model,
                            &error) == 0 &&
        !(answer.formula = rc_regression_formula(model, &model->members[0])))
        rc_error_no_memory(&error);
    if (!answer.formula)
        status = rc_cmd_fail(&error, "porting the model of %s to %s", options->app, options->to);
    else {
        answer.members = model->n_members;
        answer.runs = model->n_runs;
        answer.notes = rc_cmd_notes_json();
        if (options->json)
            rc_cmd_print_json(rc_field_json(rc_answer_port, &answer));
        else
            show_text(&answer);
        json_decref(answer.notes);
    }
    free(answer.formula);
    rc_regression_model_destroy(model);
    rc_db_close(db);
    return status;
}

const struct rc_command rc_command_port = {
    .name = "port",
    .summary = "Port a regression model to another platform",
    .details =
        "Makes a model for a new platform from the model of another one and a few runs on the new "
        "one (Sanjay and Vadhiyar, 2008, section 3.5). Stores it for 'runcast predict', in place "
        "of an earlier model of the new platform.\n\n"
        "Record on both platforms at least one dedicated run on 1 process, and runs of several "
        "sizes on 2 processes.\n\n"
        "Rcpu is the ratio of computation times. It comes from runs of the same size on 1 process. "
        "They must be dedicated (CPU availability of 95 % or more, or unknown). If a platform "
        "has none, times are multiplied by the CPU availability during the run.\n\n"
        "Rbw is the ratio of communication times. It is the ratio, starting at 1, at which the "
        "model fits the runs on 2 processes of both platforms equally well. If there is none, it "
        "is the ratio with the best fit.\n\n"
        "By default, the model is then fitted again to the runs of both platforms, with "
        "computation times on the new platform divided by Rcpu. With --criterion paper, or if the "
        "runs of a platform have no bandwidths, the model is only scaled by the two ratios.",
    .examples = "  runcast port --app cg --from intel --to amd\n"
                "  runcast port --app cg --from intel --to amd --criterion paper --json\n",
    .options = port_option_table,
    .options_size = sizeof(struct port_options),
    .defaults = &defaults,
    .answers = {rc_answer_port},
    .run = run_port,
};
