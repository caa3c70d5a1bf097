// SPDX-License-Identifier: GPL-3.0-or-later
/* port.c - 'runcast port': a model for another platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/core/commands.h"
#include "predict/source.h"
#include "model/regression/port.h"

struct port_options {
    const char *app, *from, *to, *criterion, *db;
    bool json;
};

static const char *const criteria[] = {"default", "paper", NULL};
static const struct port_options defaults = {.criterion = "default"};

static const struct rc_option port_option_table[] = {
    {.name = "app",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the program that is meant",
     .offset = offsetof(struct port_options, app)},
    {.name = "from",
     .kind = RC_OPTION_TEXT,
     .argument = "PLATFORM",
     .help = "the platform that has the model, or the runs to fit it to",
     .offset = offsetof(struct port_options, from)},
    {.name = "to",
     .kind = RC_OPTION_TEXT,
     .argument = "PLATFORM",
     .help = "the platform that the model is wanted for",
     .offset = offsetof(struct port_options, to)},
    {.name = "criterion",
     .kind = RC_OPTION_CHOICE,
     .argument = "NAME",
     .choices = criteria,
     .help = "which kind of model: default, or paper (Sanjay and Vadhiyar's own)",
     .offset = offsetof(struct port_options, criterion)},
    RC_OPTION_JSON(struct port_options),
    RC_OPTION_DB(struct port_options),
    RC_OPTIONS_END,
};

/* What the command works on. */
struct porting {
    const struct port_options *options;
    struct rc_predict_source source;
    struct rc_regression_table tables[RC_REGRESSION_SIDES];
    struct rc_regression_port port;
    struct rc_regression_model *model;
};

/* ---- for people ---- */

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void show_cpu(const struct porting *porting)
{
    const struct rc_regression_port *port = &porting->port;
    char sizes[RC_REGRESSION_SIDES][RC_NUMBER_SIZE];

    for (int side = 0; side < RC_REGRESSION_SIDES; side++)
        rc_number_format_short(port->n[side], 6, sizes[side]);
    printf("Rcpu %.4g: computation takes so many times as long on %s\n", port->r_cpu,
           porting->options->to);
    printf("  from %zu run%s on 1 process of size %s there, %zu of size %s on %s",
           port->one_runs[1], plural(port->one_runs[1]), sizes[1], port->one_runs[0], sizes[0],
           porting->options->from);
    puts(port->dedicated ? ", dedicated" : ", corrected for the CPU that they had");
    if (port->n[0] != port->n[1])
        puts("  (no size is the same on both: the model says how these two compare)");
}

static void show_bw(const struct porting *porting)
{
    const struct rc_regression_port *port = &porting->port;

    printf("Rbw %.4g: communication takes so many times as long\n", port->r_bw);
    printf("  from %zu%s run%s on %g processes there, %zu%s on %s\n", port->two_runs[1],
           port->two_dedicated[1] ? " dedicated" : "", plural(port->two_runs[1]), port->p,
           port->two_runs[0], port->two_dedicated[0] ? " dedicated" : "", porting->options->from);
    printf("  standard error over mean time: %.2g %% there, %.2g %% on %s",
           100 * port->error[RC_REGRESSION_TARGET], 100 * port->error[RC_REGRESSION_REFERENCE],
           porting->options->from);
    if (!isnan(port->low))
        printf(" (equal at Rbw %.4g and %.4g)", port->low, port->high);
    puts("");
    if (!port->shows)
        puts("  (communication does not show in these runs: 1 is taken)");
}

static int show_text(const struct porting *porting)
{
    char *formula = rc_regression_formula(porting->model, &porting->model->members[0]);

    if (!formula)
        return -1;
    show_cpu(porting);
    show_bw(porting);
    printf("%s on %s: %s\n", porting->options->app, porting->options->to, formula);
    printf("  the best of %zu, fitted to %llu runs on %s\n", porting->model->n_members,
           (unsigned long long)porting->model->n_runs, porting->options->from);
    free(formula);
    return 0;
}

/* ---- for programs ---- */

static json_t *sides(const double *values)
{
    json_t *object = json_object();

    rc_json_set(object, "from", rc_json_number(values[RC_REGRESSION_REFERENCE]));
    rc_json_set(object, "to", rc_json_number(values[RC_REGRESSION_TARGET]));
    return object;
}

static json_t *counts(const size_t *values)
{
    return sides((double[]){(double)values[0], (double)values[1]});
}

static void show_json(const struct porting *porting)
{
    const struct rc_regression_port *port = &porting->port;
    char *formula = rc_regression_formula(porting->model, &porting->model->members[0]);
    json_t *object = json_object(), *one = json_object(), *two = json_object();

    rc_json_set(object, "app", rc_json_text(porting->options->app));
    rc_json_set(object, "from", rc_json_text(porting->options->from));
    rc_json_set(object, "to", rc_json_text(porting->options->to));
    rc_json_set(object, "criterion", rc_json_text(porting->options->criterion));
    rc_json_set(object, "rcpu", rc_json_number(port->r_cpu));
    rc_json_set(object, "rbw", rc_json_number(port->r_bw));
    rc_json_set(one, "runs", counts(port->one_runs));
    rc_json_set(one, "size", sides(port->n));
    rc_json_set(one, "dedicated", json_boolean(port->dedicated));
    rc_json_set(object, "computation", one);
    rc_json_set(two, "procs", rc_json_number(port->p));
    rc_json_set(two, "runs", counts(port->two_runs));
    rc_json_set(two, "error", sides(port->error));
    rc_json_set(two, "equal_low", rc_json_number(port->low));
    rc_json_set(two, "equal_high", rc_json_number(port->high));
    rc_json_set(two, "shows", json_boolean(port->shows));
    rc_json_set(object, "communication", two);
    rc_json_set(object, "formula", rc_json_text(formula ? formula : ""));
    rc_json_set(object, "members", json_integer((json_int_t)porting->model->n_members));
    rc_json_set(object, "runs", json_integer((json_int_t)porting->model->n_runs));
    rc_json_write(stdout, object, true);
    json_decref(object);
    free(formula);
}

/* ---- doing it ---- */

static int load_runs(struct porting *porting, struct rc_db *store, struct rc_error *error)
{
    static const char *const none[1] = {NULL};
    const struct rc_regression_model *model = porting->source.model;
    const char *platforms[] = {porting->options->from, porting->options->to};

    for (int side = 0; side < RC_REGRESSION_SIDES; side++) {
        struct rc_regression_wanted wanted = {
            .app = porting->options->app,
            .platform = platforms[side],
            .params = model->n_params ? (const char *const *)model->params : none,
            .n_params = model->n_params,
            .process = -1,
            .speeds = side == RC_REGRESSION_REFERENCE ? &porting->source.hosts.speeds : NULL,
        };

        if (rc_regression_table_load(&porting->tables[side], store, &wanted, error) != 0)
            return -1;
    }
    return 0;
}

static int port_and_keep(struct porting *porting, struct rc_db *store, struct rc_error *error)
{
    const struct port_options *options = porting->options;
    enum rc_regression_criterion criterion =
        strcmp(options->criterion, "paper") == 0 ? RC_REGRESSION_PAPER : RC_REGRESSION_DEFAULT;
    const struct rc_regression_table *target = &porting->tables[RC_REGRESSION_TARGET];

    if (rc_predict_source_open(store, options->app, options->from, NULL, criterion,
                               &porting->source, error) != 0 ||
        load_runs(porting, store, error) != 0 ||
        rc_regression_port_find(porting->source.model, &porting->tables[RC_REGRESSION_REFERENCE],
                                target, &porting->port, error) != 0)
        return -1;
    porting->model =
        rc_regression_port_model(porting->source.model, &porting->tables[RC_REGRESSION_REFERENCE],
                                 target, &porting->port, error);
    if (!porting->model)
        return -1;
    return rc_predict_model_keep(store, options->app, options->to, porting->model, NULL, NULL,
                                 error);
}

static int run_port(struct rc_invocation *invocation)
{
    struct porting porting = {.options = invocation->options};
    struct rc_db *store;
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (!porting.options->app || !porting.options->from || !porting.options->to)
        return rc_cmd_usage_text(invocation, "--app, --from and --to must be given");
    if (strcmp(porting.options->from, porting.options->to) == 0)
        return rc_cmd_usage_text(invocation, "--from and --to are the same platform");
    store = rc_cmd_open_db(porting.options->db, RC_DB_WRITE, NULL);
    if (!store)
        return RC_EXIT_FAILED;
    if (port_and_keep(&porting, store, &error) != 0)
        status = rc_cmd_fail(&error, "porting the model of %s to %s", porting.options->app,
                             porting.options->to);
    else if (porting.options->json)
        show_json(&porting);
    else if (show_text(&porting) != 0)
        status = RC_EXIT_FAILED;
    rc_regression_model_destroy(porting.model);
    rc_predict_source_free(&porting.source);
    for (int side = 0; side < RC_REGRESSION_SIDES; side++)
        rc_regression_table_free(&porting.tables[side]);
    rc_db_close(store);
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
