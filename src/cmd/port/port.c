// SPDX-License-Identifier: GPL-3.0-or-later
/* port.c - 'runcast port': a model for another platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/port_fields.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/core/commands.h"
#include "cmd/predict/predict.h"
#include "predict/fit.h"

struct port_options {
    const char *app, *from, *to, *criterion, *db;
    bool json;
};

static const struct port_options defaults = {.criterion = "default"};

static const struct rc_option port_option_table[] = {
    {RC_OPTION_OF(struct port_options, TEXT, app), .name = "app", .argument = "NAME",
     .help = "the program that is meant"},
    {RC_OPTION_OF(struct port_options, TEXT, from), .name = "from", .argument = "PLATFORM",
     .help = "the platform that has the model, or the runs to fit it to"},
    {RC_OPTION_OF(struct port_options, TEXT, to), .name = "to", .argument = "PLATFORM",
     .help = "the platform that the model is wanted for"},
    {RC_OPTION_OF(struct port_options, CHOICE, criterion), .name = "criterion", .argument = "NAME",
     .choices = rc_cmd_criteria,
     .help = "which kind of model: default, or paper (Sanjay and Vadhiyar's own)"},
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
    printf("Rcpu %.4g: computation takes so many times as long on %s\n", port->r_cpu, answer->to);
    printf("  from %zu run%s on 1 process of size %s there, %zu of size %s on %s",
           port->one_runs[1], plural(port->one_runs[1]), sizes[1], port->one_runs[0], sizes[0],
           answer->from);
    puts(port->dedicated ? ", dedicated" : ", corrected for the CPU that they had");
    if (port->n[0] != port->n[1])
        puts("  (no size is the same on both: the model says how these two compare)");
}

static void show_bw(const struct rc_answer_port *answer)
{
    const struct rc_regression_port *port = &answer->ratios;

    printf("Rbw %.4g: communication takes so many times as long\n", port->r_bw);
    printf("  from %zu%s run%s on %g processes there, %zu%s on %s\n", port->two_runs[1],
           port->two_dedicated[1] ? " dedicated" : "", plural(port->two_runs[1]), port->p,
           port->two_runs[0], port->two_dedicated[0] ? " dedicated" : "", answer->from);
    printf("  standard error over mean time: %.2g %% there, %.2g %% on %s",
           100 * port->error[RC_REGRESSION_TARGET], 100 * port->error[RC_REGRESSION_REFERENCE],
           answer->from);
    if (!isnan(port->low))
        printf(" (equal at Rbw %.4g and %.4g)", port->low, port->high);
    puts("");
    if (!port->shows)
        puts("  (communication does not show in these runs: 1 is taken)");
}

static void show_text(const struct rc_answer_port *answer)
{
    show_cpu(answer);
    show_bw(answer);
    printf("%s on %s: %s\n", answer->app, answer->to, answer->formula);
    printf("  the best of %zu, fitted to %llu runs on %s\n", answer->members,
           (unsigned long long)answer->runs, answer->from);
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
        return rc_cmd_usage_text(invocation, "--app, --from and --to must be given");
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
        if (options->json)
            rc_cmd_print_json(rc_field_json(rc_answer_port, &answer));
        else
            show_text(&answer);
    }
    free(answer.formula);
    rc_regression_model_destroy(model);
    rc_db_close(db);
    return status;
}

const struct rc_command rc_command_port = {
    .name = "port",
    .summary = "Carry a program's model over to another platform",
    .details =
        "Takes the model that was fitted to the runs on one platform and makes it one for "
        "another, with two numbers from a few runs there: Rcpu, how many times as long "
        "computation takes, and Rbw, the same for communication (Sanjay and Vadhiyar, 2008, "
        "section 3.5). The model is stored for the other platform, in place of one that it had; "
        "'runcast predict' uses it, and learns from the runs that are recorded there.\n\n"
        "Rcpu is the ratio of the times of runs on one process, of the same size (of several, "
        "the middle one) on both platforms: dedicated runs, which had at least 95 % of a core, "
        "or of which no load is known. Where one platform has none, times are taken times the "
        "CPU that the run had.\n\n"
        "For Rbw, communication is scaled, from 1 on, until the model fits the runs on two "
        "processes there as well as it fits those on the platform it comes from; where no scale "
        "does that, it is the one that fits best.\n\n"
        "By default the model is then made anew from the runs of both platforms, with times of "
        "computation there taken over Rcpu, since communication shows best where the network is "
        "another one; where one of the platforms does not tell bandwidths, and with --criterion "
        "paper, the two numbers alone carry it over.\n\n"
        "So record, on both platforms, a dedicated run or more on one process, and some of "
        "different sizes on two.",
    .examples = "runcast port --app cg --from intel --to amd # from a few runs on amd\n"
                "runcast port --app cg --from intel --to amd --criterion paper --json",
    .options = port_option_table,
    .options_size = sizeof(struct port_options),
    .defaults = &defaults,
    .run = run_port,
};
