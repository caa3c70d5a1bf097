// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast predict': how long a run will take, and how sure that is. */
#include "cmd/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "cmd/commands.h"
#include "cmd/plot.h"
#include "cmd/value_report.h"
#include "store/prediction.h"

enum { STORED_QUANTILES = 101 };

const char *const rc_cmd_criteria[] = {"default", "paper", NULL};

const char *const rc_cmd_families[] = {"regression", "structure", NULL};

bool rc_cmd_is_structure(const char *family)
{
    return strcmp(family, "structure") == 0;
}

enum rc_rg_criterion rc_cmd_criterion(const char *name)
{
    return strcmp(name, "paper") == 0 ? RC_RG_PAPER : RC_RG_DEFAULT;
}

static const struct rc_cmd_predict_options defaults = {
    .quantiles = "5,25,50,75,95", .criterion = "default", .family = "regression", .size = NAN,
    .cpu = NAN, .bw = NAN, .at = NAN, .omit = NAN, .seed = 1};

static const struct rc_option predict_options[] = {
    {.name = "app", .kind = RC_OPTION_TEXT, .argument = "NAME", .help = "the program",
     .offset = offsetof(struct rc_cmd_predict_options, app)},
    {.name = "size", .kind = RC_OPTION_QUANTITY, .argument = "N", .dimension = RC_COUNT,
     .help = "the problem size", .offset = offsetof(struct rc_cmd_predict_options, size)},
    {.name = "procs", .kind = RC_OPTION_INTEGER, .argument = "P", .least = 1,
     .help = "the number of processes", .offset = offsetof(struct rc_cmd_predict_options, procs)},
    {.name = "param", .kind = RC_OPTION_LIST, .argument = "NAME=NUMBER",
     .help = "a further parameter of the run; as often as there are some",
     .offset = offsetof(struct rc_cmd_predict_options, params)},
    {.name = "hosts", .kind = RC_OPTION_TEXT, .argument = "HOSTS",
     .help = "where it will run, such as a[1-8]: the load to come is forecast from their series in "
             "the store",
     .offset = offsetof(struct rc_cmd_predict_options, hosts)},
    {.name = "platform", .kind = RC_OPTION_TEXT, .argument = "NAME|FILE",
     .help = "learn from runs on this platform only; of a platform file (.yaml), the hosts that "
             "its first cluster would put the processes on are taken too",
     .offset = offsetof(struct rc_cmd_predict_options, platform)},
    {.name = "cpu", .kind = RC_OPTION_QUANTITY, .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "the load instead of a forecast: the share of a core that it gets, such as 0.6",
     .offset = offsetof(struct rc_cmd_predict_options, cpu)},
    {.name = "bw", .kind = RC_OPTION_QUANTITY, .argument = "RATE", .dimension = RC_RATE,
     .help = "... and the bandwidth, in the unit of the runs, such as 100Mbit",
     .offset = offsetof(struct rc_cmd_predict_options, bw)},
    {.name = "at", .kind = RC_OPTION_SINCE, .argument = "TIME",
     .help = "when it starts; later samples are not looked at (default: now)",
     .offset = offsetof(struct rc_cmd_predict_options, at)},
    {.name = "quantiles", .kind = RC_OPTION_TEXT, .argument = "LIST",
     .help = "which quantiles to show, in percent (default: 5,25,50,75,95)",
     .offset = offsetof(struct rc_cmd_predict_options, quantiles)},
    {.name = "family", .kind = RC_OPTION_CHOICE, .argument = "WHICH",
     .choices = rc_cmd_families,
     .help = "which kind of model answers: regression (the default), or structure, a structural "
             "model of 'runcast model add'",
     .offset = offsetof(struct rc_cmd_predict_options, family)},
    {.name = "set", .kind = RC_OPTION_LIST, .argument = "NAME=VALUE",
     .help = "with --family structure: set an input of the model, such as 'cpu[a1]=0.8' (may be "
             "given several times)",
     .offset = offsetof(struct rc_cmd_predict_options, set)},
    {.name = "use", .kind = RC_OPTION_LIST, .argument = "TASK=WAY",
     .help = "with --family structure: tell a task in this way; such an answer is not kept (may be "
             "given several times)",
     .offset = offsetof(struct rc_cmd_predict_options, use)},
    {.name = "omit", .kind = RC_OPTION_QUANTITY, .argument = "SHARE", .dimension = RC_FRACTION,
     .help = "with --family structure: leave out tasks that the profile gives less than this; such "
             "an answer is not kept (default: as the model says)",
     .offset = offsetof(struct rc_cmd_predict_options, omit)},
    {.name = "explain", .kind = RC_OPTION_FLAG,
     .help = "with --family structure: show where the answer comes from, as 'runcast model "
             "explain' does",
     .offset = offsetof(struct rc_cmd_predict_options, explain)},
    {.name = "criterion", .kind = RC_OPTION_CHOICE, .argument = "WHICH",
     .choices = rc_cmd_criteria,
     .help = "the model of 'runcast fit' by this criterion: default or paper",
     .offset = offsetof(struct rc_cmd_predict_options, criterion)},
    {.name = "parts", .kind = RC_OPTION_FLAG,
     .help = "answer from models of the program's phases and processes ('runcast fit --parts'), "
             "with the share of each",
     .offset = offsetof(struct rc_cmd_predict_options, parts)},
    {.name = "draws", .kind = RC_OPTION_INTEGER, .argument = "N", .least = 20,
     .help = "draws that the distribution is made of (default: 1000; for each row of a table: 400)",
     .offset = offsetof(struct rc_cmd_predict_options, draws)},
    {.name = "seed", .kind = RC_OPTION_INTEGER, .argument = "S", .least = 0,
     .help = "where the draws start (default: 1)",
     .offset = offsetof(struct rc_cmd_predict_options, seed)},
    {.name = "csv", .kind = RC_OPTION_FILE, .argument = "FILE",
     .help = "predict every row of a table (-: standard input) with the columns of 'runcast runs "
             "import', and add predicted, lo90 and hi90",
     .offset = offsetof(struct rc_cmd_predict_options, csv)},
    {.name = "out", .kind = RC_OPTION_FILE, .argument = "FILE",
     .help = "with --csv: where to write it (default: standard output)",
     .offset = offsetof(struct rc_cmd_predict_options, out)},
    {.name = "learn", .kind = RC_OPTION_FLAG,
     .help = "with --csv: learn from each row that has its seconds, once it is predicted",
     .offset = offsetof(struct rc_cmd_predict_options, learn)},
    {.name = "no-store", .kind = RC_OPTION_FLAG, .help = "do not keep the prediction in the store",
     .offset = offsetof(struct rc_cmd_predict_options, no_store)},
    RC_OPTION_PLOT(struct rc_cmd_predict_options),
    RC_OPTION_JSON(struct rc_cmd_predict_options),
    RC_OPTION_DB(struct rc_cmd_predict_options),
    RC_OPTIONS_END,
};

int rc_cmd_predict_fail(const struct rc_error *error, const struct rc_cmd_predict_options *options)
{
    return rc_cmd_fail(error, "predicting %s", options->app);
}

/* ---- the answer ---- */

/* What is asked of the model, and the load as far as it is given. */
static int ask(struct rc_cmd_answer *answer, struct rc_predict_load *load, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    const struct rc_rg_model *model = answer->source.model;
    struct rc_run run;

    answer->load = isnan(options->cpu) && isnan(options->bw) ? RC_CMD_LOAD_DEDICATED
                                                             : RC_CMD_LOAD_GIVEN;
    rc_run_init(&run);
    run.n = options->size;
    run.p = options->procs;
    run.params = answer->params;
    run.n_params = answer->n_params;
    run.cpu_minavg = run.cpu_avgmin = options->cpu;
    run.bw_minavg = run.bw_avgmin = options->bw;
    if (options->parts)
        return rc_predict_parts_ask(answer->source.parts, &run, &answer->asked, error);
    answer->model = model;
    rc_predict_run(model, &run, &answer->question, load);
    rc_predict_load_complete(model, load);
    rc_rg_beyond(model, &answer->question, &answer->beyond);
    return rc_rg_question_check(model, &answer->question, error);
}

static int answer_ahead(struct rc_cmd_answer *answer, const struct rc_predict_load *load,
                        struct rc_random *random, double *draws, size_t n_draws,
                        struct rc_error *error)
{
    int status = answer->options->parts
                     ? rc_predict_parts_ahead(&answer->asked, answer->outlook, random, draws,
                                              n_draws, &answer->summary, error)
                     : rc_predict_ahead(answer->source.model, &answer->question, answer->outlook,
                                        load, random, draws, n_draws, &answer->summary, error);

    rc_outlook_facts(answer->outlook, &answer->facts);
    return status;
}

static int answer_question(struct rc_cmd_answer *answer, struct rc_store *store, double *draws,
                           size_t n_draws, struct rc_error *error)
{
    struct rc_random *random = rc_random_create((uint64_t)answer->options->seed, 0);
    struct rc_predict_load load;
    int status = random ? ask(answer, &load, error) : rc_error_no_memory(error);

    if (status == 0 && answer->load == RC_CMD_LOAD_DEDICATED && answer->hosts.count > 0) {
        answer->outlook = rc_outlook_create(store, (const char *const *)answer->hosts.names,
                                            answer->hosts.count, answer->start, error);
        status = answer->outlook ? 0 : -1;
    }
    if (status == 0 && answer->outlook) {
        rc_outlook_facts(answer->outlook, &answer->facts);
        if (answer->facts.cpu_series + answer->facts.bw_series > 0)
            answer->load = RC_CMD_LOAD_FORECAST;
    }
    if (status == 0 && answer->load == RC_CMD_LOAD_FORECAST)
        status = answer_ahead(answer, &load, random, draws, n_draws, error);
    else if (status == 0 && answer->options->parts)
        rc_predict_parts_at_load(&answer->asked, random, draws, n_draws, &answer->summary);
    else if (status == 0)
        rc_predict_at_load(answer->source.model, &answer->question, &load, random, draws, n_draws,
                           &answer->summary);
    if (status == 0 && answer->options->parts)
        rc_cmd_predict_parts_lead(answer);
    rc_random_destroy(random);
    return status;
}

static const char *family(const struct rc_cmd_answer *answer)
{
    if (answer->by_structure)
        return RC_STRUCTURE_FAMILY;
    return answer->options->parts ? rc_predict_parts_family(answer->criterion)
                                  : rc_predict_family(answer->criterion);
}

static int answer_by_regression(struct rc_cmd_answer *answer, struct rc_store *store,
                                double *draws, size_t n_draws, struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;

    if ((options->parts ? rc_predict_parts_open : rc_predict_source_open)(
            store, options->app, answer->platform, answer->criterion, &answer->source, error))
        return -1;
    return answer_question(answer, store, draws, n_draws, error);
}

static int read_and_answer(struct rc_cmd_answer *answer, struct rc_store *store,
                           struct rc_error *error)
{
    const struct rc_cmd_predict_options *options = answer->options;
    size_t n_draws = options->draws ? (size_t)options->draws : RC_PREDICT_DRAWS;
    double *draws = calloc(n_draws, sizeof *draws);
    int status = draws ? 0 : rc_error_no_memory(error);

    if (status == 0)
        status = answer->by_structure
                     ? rc_cmd_predict_structure(answer, store, draws, &n_draws, error)
                     : answer_by_regression(answer, store, draws, n_draws, error);
    if (status == 0) {
        answer->value = rc_value_sample(draws, n_draws, error);
        status = answer->value ? rc_prediction_held(store, options->app, answer->platform,
                                                    family(answer),
                                                    &answer->before, &answer->held, error)
                               : -1;
    }
    free(draws);
    return status;
}

/* ---- keeping it ---- */

static void set_params(json_t *object, const struct rc_param *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rc_json_set(object, params[i].name, json_real(params[i].value));
}

/* What a run must have, or must not have otherwise, to be the one that was foretold. */
static int write_params(const struct rc_cmd_answer *answer, char **params, char **inputs,
                        struct rc_error *error)
{
    const struct rc_structured *structured = &answer->structured;
    json_t *asked = json_object(), *assumed = json_object();

    set_params(asked, answer->params, answer->n_params);
    set_params(asked, structured->given, structured->n_given);
    set_params(assumed, structured->assumed, structured->n_assumed);
    *params = json_object_size(asked) ? json_dumps(asked, JSON_COMPACT) : strdup("");
    *inputs = json_object_size(assumed) ? json_dumps(assumed, JSON_COMPACT) : strdup("");
    json_decref(asked);
    json_decref(assumed);
    return *params && *inputs ? 0 : rc_error_no_memory(error);
}

static int keep_prediction(struct rc_cmd_answer *answer, struct rc_store *store,
                           struct rc_error *error)
{
    const struct rc_predict_summary none = {0};
    const struct rc_predict_summary *own =
        answer->structured.learnt.n ? &answer->structured.own : &none;
    double quantiles[STORED_QUANTILES];
    char *params = NULL, *inputs = NULL;
    int status = write_params(answer, &params, &inputs, error);

    for (size_t i = 0; i < STORED_QUANTILES; i++)
        quantiles[i] =
            rc_value_quantile(answer->value, (double)i / (STORED_QUANTILES - 1));
    status = status ? status : rc_prediction_add(
        store,
        &(struct rc_prediction){
            .app = answer->options->app, .platform = answer->platform ? answer->platform : "",
            .family = family(answer),
            .model_id = answer->by_structure ? answer->structured.source.id : answer->source.id,
            .n = answer->question.n, .p = answer->options->procs,
            .hosts = answer->hosts_text ? answer->hosts_text : "",
            .params = params, .inputs = inputs, .start = answer->start,
            .predicted = answer->summary.predicted, .mean = answer->summary.mean,
            .lo90 = answer->summary.lo90, .hi90 = answer->summary.hi90,
            .own_predicted = own->predicted, .own_lo90 = own->lo90, .own_hi90 = own->hi90,
            .quantiles = quantiles,
            .n_quantiles = STORED_QUANTILES},
        &answer->id, error);
    free(params);
    free(inputs);
    return status;
}

/* A store that only others may write to still answers. */
static void keep(struct rc_cmd_answer *answer, struct rc_cmd_work *work)
{
    const struct rc_cmd_predict_options *options = answer->options;
    bool foretold = !options->no_store && answer->load != RC_CMD_LOAD_GIVEN &&
                    options->use.n == 0 && isnan(options->omit);
    bool new_model = rc_predict_source_is_new(&answer->source) && !options->no_store;
    struct rc_store *store;
    struct rc_error error;
    char path[4096];
    int status;

    if (!foretold && !new_model)
        return;
    store = rc_cmd_try_store(options->db, RC_STORE_WRITE, &work->monitor, path, sizeof path,
                             &error);
    status = store ? 0 : -1;
    if (status == 0 && new_model && options->parts)
        status = rc_predict_parts_keep(store, options->app, answer->platform, answer->source.parts,
                                       &answer->source.id, &error);
    else if (status == 0 && new_model)
        status = rc_predict_model_keep(store, options->app, answer->platform, answer->source.model,
                                       &answer->source.id, &error);
    if (status == 0 && foretold)
        status = keep_prediction(answer, store, &error);
    rc_store_close(store);
    if (status)
        rc_cmd_note("this prediction is not kept: %s", error.text);
}

/* ---- the command ---- */

static void answer_free(struct rc_cmd_answer *answer)
{
    rc_value_drop(answer->value);
    rc_outlook_destroy(answer->outlook);
    rc_predict_parts_free(&answer->asked);
    rc_predict_source_free(&answer->source);
    rc_structured_free(&answer->structured);
    rc_platform_destroy(answer->platform_file);
    rc_hostlist_free(&answer->hosts);
    free(answer->hosts_text);
    free(answer->platform);
}

static int predict_one(struct rc_cmd_answer *answer)
{
    const struct rc_cmd_predict_options *options = answer->options;
    struct rc_cmd_work work;
    struct rc_store *store;
    struct rc_error error;
    int status = -1;

    rc_cmd_work_begin(&work, "predicting");
    store = rc_cmd_open_store(options->db, RC_STORE_READ, &work);
    if (store) {
        status = read_and_answer(answer, store, &error);
        if (status && answer->by_structure)
            rc_cmd_predict_structure_fail(answer, &error);
        else if (status)
            rc_cmd_predict_fail(&error, options);
        rc_store_close(store);
    }
    if (status == 0) {
        keep(answer, &work);
        if ((status = rc_cmd_predict_show(answer, &error)))
            rc_cmd_predict_fail(&error, options);
    }
    if (status == 0 && options->plot &&
        (status = rc_report_plot(options->plot, options->app, "seconds", answer->value, 0.9,
                                 &work.monitor, &error)))
        rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_cmd_work_end(&work);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct rc_cmd_predict_options *options = invocation->options;
    struct rc_cmd_answer answer = {.options = options,
                                   .criterion = rc_cmd_criterion(options->criterion),
                                   .by_structure = rc_cmd_is_structure(options->family)};
    struct rc_clock *clock = rc_clock_system();
    char names[RC_OPTION_LIST_MAX][RC_CMD_PARAM_SIZE];
    struct rc_error error;
    int status = rc_cmd_predict_check(invocation, options);

    if (status != RC_EXIT_OK)
        return status;
    if (options->csv)
        return rc_cmd_predict_csv(options, answer.criterion);
    answer.start = isnan(options->at) ? clock->wall(clock) : options->at;
    if (rc_cmd_predict_read(&answer, names, &error))
        status = rc_cmd_usage(invocation, &error);
    else if (rc_cmd_predict_places(&answer, &error))
        status = rc_cmd_predict_fail(&error, options);
    else
        status = predict_one(&answer);
    answer_free(&answer);
    return status;
}

const struct rc_command rc_command_predict = {
    .name = "predict",
    .summary = "Say how long a run will take, and how sure that is",
    .details =
        "Answers from the regression model of the program's runs in the store; runs that are newer "
        "than the model are learnt first, and where there is no model, one is fitted.\n\n"
        "With --hosts, the load to come is forecast from the series that the store has of them, "
        "and the run is followed along many possible futures until its work is done. With --cpu "
        "and --bw, the load is what you say. With neither, a dedicated machine is meant.\n\n"
        "With --parts, every phase and every process that runs have times of has a model of its "
        "own: phases follow one another, in the order of their names, and each lasts as long as "
        "its slowest process.\n\n"
        "With --family structure, the structural model answers that 'runcast model add' has kept "
        "for the program: for the size, the processes, the hosts and the platform file, with its "
        "other inputs as the model says or --set does.\n\n"
        "A prediction for hosts or for a dedicated machine is kept; once the run is in the store, "
        "'runcast accuracy' tells how good it was. What is predicted for a load that you say is "
        "not kept.",
    .examples = "  runcast predict --app md --size 4000 --procs 8 --hosts a[1-8]\n"
                "  runcast predict --app md --size 4000 --procs 8 --cpu 0.6 --bw 100Mbit\n"
                "  runcast predict --app md --size 4000 --procs 8 --parts\n"
                "  runcast predict --app md --csv planned.csv --out predicted.csv\n"
                "  runcast predict --app ga --family structure --size 2000 --procs 4 \\\n"
                "      --platform cluster.yaml\n",
    .options = predict_options,
    .options_size = sizeof(struct rc_cmd_predict_options),
    .defaults = &defaults,
    .run = run_predict,
};
