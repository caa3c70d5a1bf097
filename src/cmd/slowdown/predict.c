// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast slowdown predict': run time under contention. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/value_report.h"
#include "cmd/slowdown/slowdown.h"
#include "report/cell.h"
#include "report/plot.h"

struct predict_options {
    struct rc_cmd_slowdown_options host;
    struct rc_cmd_hosts_options hosts;
    double dedicated;
    double communicating, link_slowdown;
    const char *idle_rate, *current_rate;
    const char *coupling; /* NULL: not given */
    int64_t samples, seed;
    double level, model_error;
    const char *plot, *db;
    bool json, explain;
};

struct prediction {
    const struct predict_options *options;
    bool many; /* from a hosts file */
    struct rc_cmd_slowdown one;
    struct rc_local_answers both;
    struct rc_cmd_hosts aggregate;
    struct rc_contention_host *hosts;
    double link_slowdown; /* 1 by default */
    bool faster;          /* the current rate is above the idle rate */
    struct rc_slowdown_answer answer;
    struct rc_slowdown_doubts doubts;
};

static const char *const couplings[] = {"tight", "loose", NULL};

static const struct predict_options predict_defaults = {
    .host = RC_SLOWDOWN_DEFAULT,
    .dedicated = NAN,
    .link_slowdown = NAN,
    .samples = 1000,
    .seed = 1,
    .level = 0.9,
    .model_error = 0.05,
};

static const struct rc_option predict_options[] = {
    {RC_OPTION_OF(struct predict_options, QUANTITY, dedicated), .name = "dedicated",
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "dedicated run time (on idle hosts), such as 120s or 1h30min"},
    RC_OPTIONS_SLOWDOWN(struct predict_options, host),
    {RC_OPTION_OF(struct predict_options, CHOICE, host.model), .name = "model", .argument = "MODEL",
     .choices = rc_slowdown_local_models,
     .help = "slowdown model: paper or queue, instead of a simulation: the dedicated run time is "
             "multiplied by its slowdown; paper is Eq. 2, and queue also slows down competitors"},
    RC_OPTIONS_HOSTS_FILE(struct predict_options, hosts),
    RC_OPTIONS_NETWORK(struct predict_options),
    {RC_OPTION_OF(struct predict_options, TEXT, idle_rate), .name = "idle-rate", .argument = "RATE",
     .help = "rate of the program's bursts on the idle link, such as 12.5MB/s, instead of "
             "--link-slowdown"},
    {RC_OPTION_OF(struct predict_options, TEXT, current_rate), .name = "current-rate",
     .argument = "RATE",
     .help = "rate of the program's bursts under the current load, with --idle-rate"},
    {RC_OPTION_OF(struct predict_options, CHOICE, coupling), .name = "coupling", .argument = "HOW",
     .choices = couplings,
     .help = "how often processes wait for one another: tight or loose; all the time or at the "
             "end, with --hosts-file (default: tight)"},
    {RC_OPTION_OF(struct predict_options, QUANTITY, model_error), .name = "model-error",
     .argument = "SD", .dimension = RC_FRACTION,
     .help = "standard deviation of the method's relative error (default: 0.05)"},
    {RC_OPTION_OF(struct predict_options, INTEGER, samples), .name = "samples", .argument = "N",
     .least = 1, .help = "number of Monte Carlo samples (default: 1000)"},
    {RC_OPTION_OF(struct predict_options, INTEGER, seed), .name = "seed", .argument = "N",
     .help = "seed of the random numbers (default: 1)"},
    {RC_OPTION_OF(struct predict_options, QUANTITY, level), .name = "level", .argument = "P",
     .dimension = RC_FRACTION, .help = "probability of the prediction interval (default: 0.9)"},
    {RC_OPTION_OF(struct predict_options, FILE, plot), .name = "plot", .argument = "FILE",
     .help = "draw a plot (.svg, .png or .pdf) of the distribution"},
    RC_OPTION_EXPLAIN(struct predict_options),
    RC_OPTION_DB(struct predict_options),
    RC_OPTION_JSON(struct predict_options),
    RC_OPTIONS_END,
};

/* ---- options ---- */

/* Refuses options for one host with a hosts file, and the reverse. */
static int check_kind(const struct rc_invocation *invocation, const struct predict_options *options)
{
    const struct rc_cmd_slowdown_options *host = &options->host;
    const struct {
        const char *name;
        bool many, given;
    } list[] = {
        {"delay", false, host->delay != NULL},
        {"bandwidth", false, host->bandwidth != NULL},
        {"shared-link", false, host->shared_link},
        {"cores", false, host->cores > 0},
        {"procs", false, host->procs > 0},
        {"memory-bound", false, !isnan(host->memory_bound)},
        {"host", false, host->host != NULL},
        {"word-bytes", false,
         !isnan(host->word_bytes) && !rc_slowdown_word_rate_is(options->idle_rate) &&
             !rc_slowdown_word_rate_is(options->current_rate)},
        {"policy", true, options->hosts.policy != NULL},
        {"dedicated-uniform", true, options->hosts.dedicated_uniform},
        {"coupling", true, options->coupling != NULL},
    };
    bool many = options->hosts.hosts_file != NULL;

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given && list[i].many != many)
            return rc_cmd_usage_text(
                invocation,
                many ? "--%s has no effect with --hosts-file: the file describes the hosts"
                     : "--%s has no effect without --hosts-file FILE",
                list[i].name);
    if (options->coupling && host->model)
        return rc_cmd_usage_text(invocation, "--coupling has no effect with --model: only the "
                                             "simulation has it");
    return RC_EXIT_OK;
}

static int check(const struct rc_invocation *invocation, const struct predict_options *options)
{
    bool competitors = options->host.competitors.n || options->host.observed;
    struct rc_error error = {0};
    int status;

    if (isnan(options->dedicated))
        return rc_cmd_usage_text(invocation,
                                 "missing option --dedicated TIME: run time on idle hosts");
    if (!(options->dedicated > 0))
        return rc_cmd_usage_text(invocation, "--dedicated: must be greater than 0");
    if (options->samples > RC_CONTENTION_SAMPLES_MAX)
        return rc_cmd_usage_text(invocation, "--samples: at most %d", RC_CONTENTION_SAMPLES_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: must be between 0 and 1");
    if (!(options->model_error >= 0 && options->model_error < 1))
        return rc_cmd_usage_text(invocation, "--model-error: must be at least 0 and below 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->hosts.hosts_file && competitors)
        return rc_cmd_usage_text(invocation,
                                 "use either --hosts-file or --competitor and --observed");
    if (!options->hosts.hosts_file && !competitors)
        return rc_cmd_usage_text(
            invocation,
            "no competitors; use --competitor SHARES, --observed FILE or --hosts-file FILE");
    status = check_kind(invocation, options);
    return status || !options->hosts.hosts_file ? status
                                                : rc_cmd_hosts_check(invocation, &options->hosts);
}

/* The slowdown of messages, given or by two rates. */
static int find_link(const struct rc_invocation *invocation, struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    double idle, current, link = options->link_slowdown,
                          word = rc_cmd_word_bytes(options->host.word_bytes);
    int status;

    if (options->idle_rate || options->current_rate) {
        if (!options->idle_rate || !options->current_rate || !isnan(link))
            return rc_cmd_usage_text(invocation, "use either --idle-rate and --current-rate, or "
                                                 "--link-slowdown");
        if ((status =
                 rc_cmd_slowdown_rate(invocation, "idle-rate", options->idle_rate, word, &idle)) ||
            (status = rc_cmd_slowdown_rate(invocation, "current-rate", options->current_rate, word,
                                           &current)))
            return status;
        link = rc_slowdown_burst_slowdown(idle, current);
        prediction->faster = link < 1;
        link = fmax(link, 1);
    }
    prediction->link_slowdown = isnan(link) ? 1 : link;
    return rc_cmd_network_check(invocation, options->communicating, link);
}

/* ---- the answer ---- */

static int read_hosts_file(struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_cmd_hosts_options hosts = options->hosts;
    struct rc_cmd_hosts *all = &prediction->aggregate;
    int status;

    hosts.platform = options->host.platform;
    hosts.model = options->host.model;
    status = rc_cmd_hosts_read(&hosts, options->db, all);
    if (status == RC_EXIT_OK)
        rc_cmd_note_coreless(all->coreless);
    if (status == RC_EXIT_OK && all->crowded > 0 && !options->host.model)
        rc_cmd_note_crowded(all->crowded, "the equation");
    return status;
}

static int read_host(const struct rc_invocation *invocation, struct prediction *prediction)
{
    struct rc_cmd_slowdown_options host = prediction->options->host;
    struct rc_cmd_slowdown *one = &prediction->one;
    int status;

    host.words = rc_slowdown_word_rate_is(prediction->options->idle_rate) ||
                 rc_slowdown_word_rate_is(prediction->options->current_rate);
    if ((status = rc_cmd_slowdown_read(invocation, &host, prediction->options->db, one)) ||
        (status = rc_cmd_slowdown_both(one, &prediction->both)))
        return status;
    if (one->host.n_competitors > RC_CONTENTION_COMPETITORS_MAX && !host.model)
        rc_cmd_note_crowded(0, isnan(prediction->both.models[RC_LOCAL_QUEUE].slowdown)
                                   ? "Eq. 2"
                                   : "the queueing model");
    rc_cmd_slowdown_note_cores(one);
    return RC_EXIT_OK;
}

static size_t count(const struct prediction *prediction, enum rc_competitor_trait trait)
{
    const struct rc_local_host *host = &prediction->one.host;

    return prediction->many
               ? rc_slowdown_nodes_count(&prediction->aggregate.nodes, trait)
               : rc_observe_competitors_count(host->competitors, host->n_competitors, trait);
}

/* Settings of competitors that have no effect. */
static void note_settings(const struct prediction *prediction)
{
    bool equation = prediction->options->host.model != NULL;

    if (equation)
        rc_cmd_note_leaving(count(prediction, RC_COMPETITOR_LEAVES));
    if (prediction->many || !prediction->options->host.observed) /* the user did not write those */
        rc_cmd_note_cycles(count(prediction,
                                 equation ? RC_COMPETITOR_CYCLES : RC_COMPETITOR_CYCLES_IN_VAIN),
                           !equation);
}

/* The causes of the variation between runs. */
static void find_doubts(struct prediction *prediction)
{
    const struct rc_local_host *host = &prediction->one.host;
    double seconds = rc_value_mean(prediction->answer.seconds);

    note_settings(prediction);
    if (prediction->many)
        rc_slowdown_nodes_doubt(&prediction->aggregate.nodes, seconds, &prediction->doubts);
    else
        rc_slowdown_doubt(host->competitors, host->n_competitors, seconds, &prediction->doubts);
}

/* The hosts and their competitors; returns the dedicated run time with the same division of work. */
static double find_contention(struct prediction *prediction)
{
    const struct rc_cmd_hosts *all = &prediction->aggregate;
    double dedicated = prediction->options->dedicated,
           queue = prediction->both.models[RC_LOCAL_QUEUE].slowdown;

    return prediction->many
               ? rc_slowdown_nodes_contention(&all->nodes, all->split, all->terms, dedicated,
                                              prediction->hosts)
               : rc_slowdown_local_contention(&prediction->one.host, dedicated,
                                              isnan(queue) ? prediction->both.answer.slowdown
                                                           : queue,
                                              prediction->hosts);
}

/* The slowdown of computing by the model that was asked for. */
static struct rc_value *by_model(const struct prediction *prediction, struct rc_error *error)
{
    const struct rc_cmd_hosts *all = &prediction->aggregate;

    return prediction->many
               ? rc_slowdown_nodes_value(&all->nodes, all->split, all->terms, all->model, 0, 1,
                                         error)
               : rc_slowdown_local_value(&prediction->one.host, prediction->one.model, error);
}

static int compute(struct prediction *prediction, struct rc_error *error)
{
    const struct predict_options *options = prediction->options;
    size_t n = prediction->many ? prediction->aggregate.nodes.n : 1;
    struct rc_value *equation = NULL;
    struct rc_slowdown_question question = {
        .sim = {.n_hosts = n,
                .tight = !options->coupling || strcmp(options->coupling, "tight") == 0,
                .samples = (size_t)options->samples,
                .seed = (uint64_t)options->seed},
        .dedicated = options->dedicated,
        .communicating = options->communicating,
        .link = prediction->link_slowdown,
        .model_error = options->model_error,
    };
    struct rc_cmd_work work;
    int status;

    prediction->hosts = calloc(n, sizeof *prediction->hosts);
    if (!prediction->hosts)
        return rc_error_no_memory(error);
    if (options->host.model && !(equation = by_model(prediction, error)))
        return -1;
    question.equation = equation;
    question.sim.hosts = prediction->hosts;
    question.sim.dedicated = find_contention(prediction);
    rc_cmd_work_begin(&work, "simulating runs");
    status = rc_slowdown_ask(&question, &work.monitor, &prediction->answer, error);
    rc_cmd_work_end(&work);
    rc_value_drop(equation);
    if (!status)
        find_doubts(prediction);
    return status;
}

/* ---- showing ---- */

static void print_equations(const struct prediction *prediction)
{
    const struct rc_local *models = prediction->both.models;
    char number[RC_NUMBER_SIZE], paper[RC_NUMBER_SIZE] = "-", queue[RC_NUMBER_SIZE] = "-";

    rc_number_format_short(rc_value_mean(prediction->answer.slowdown), 4, number);
    printf("slowdown: %s", number);
    if (prediction->many) {
        rc_number_format_short(prediction->aggregate.aggregate.slowdown, 4, paper);
        printf(" (%s: %s%s)\n", prediction->aggregate.split == RC_SPLIT_LOAD ? "Eq. 5" : "Eq. 9",
               paper, prediction->options->communicating > 0 ? " for computing alone" : "");
        return;
    }
    if (!isnan(models[RC_LOCAL_PAPER].slowdown))
        rc_number_format_short(models[RC_LOCAL_PAPER].slowdown, 4, paper);
    if (!isnan(models[RC_LOCAL_QUEUE].slowdown))
        rc_number_format_short(models[RC_LOCAL_QUEUE].slowdown, 4, queue);
    printf(" (%sEq. 2: %s, queueing model: %s)\n",
           prediction->options->communicating > 0 ? "for computing alone: " : "", paper, queue);
}

static void print_width(const struct prediction *prediction)
{
    const struct rc_slowdown_doubts *doubts = &prediction->doubts;
    char cycle[RC_UNIT_SIZE];

    printf("relative sd: %.1f %% between runs, %.1f %% error of the method\n",
           100 * prediction->answer.spread, 100 * prediction->options->model_error);
    rc_unit_format(doubts->longest, RC_SECONDS, cycle);
    if (doubts->long_cycles)
        printf("  competitors with cycles that are long for the run: %zu (up to %s)\n",
               doubts->long_cycles, cycle);
    if (doubts->come_and_go)
        printf("  competitors that come and go: %zu\n", doubts->come_and_go);
    if (doubts->ranges)
        printf("  competitors with ranges of shares: %zu\n", doubts->ranges);
    if (doubts->unknown)
        printf("  unknown competitors: %zu\n", doubts->unknown);
}

static int show(const struct prediction *prediction, struct rc_error *error)
{
    const struct predict_options *options = prediction->options;
    const struct rc_value *seconds = prediction->answer.seconds;
    char median[RC_UNIT_SIZE], from[RC_UNIT_SIZE], to[RC_UNIT_SIZE], alone[RC_UNIT_SIZE];
    struct rc_value_rules rules;
    double low, high;

    rc_value_rules_init(&rules);
    rc_value_span(seconds, options->level, &low, &high);
    rc_unit_format(rc_value_quantile(seconds, 0.5), RC_SECONDS, median);
    rc_unit_format(low, RC_SECONDS, from);
    rc_unit_format(high, RC_SECONDS, to);
    rc_unit_format(options->dedicated, RC_SECONDS, alone);
    printf("predicted run time: %s (%g %% interval: %s to %s)\n", median, 100 * options->level,
           from, to);
    printf("dedicated run time: %s\n", alone);
    print_equations(prediction);
    print_width(prediction);
    printf("run time in seconds:\n");
    if (rc_cmd_report_table(seconds, &rules, options->level, error))
        return -1;
    if (options->explain &&
        (prediction->many ? rc_cmd_hosts_explain(&prediction->aggregate, error)
                          : rc_cmd_slowdown_explain(&prediction->one, &prediction->both, error)))
        return -1;
    if (options->explain && options->host.model)
        printf("Eq. 1: %.4g s x %.4g\n", options->dedicated,
               rc_value_mean(prediction->answer.slowdown));
    if (options->explain && options->communicating > 0)
        printf("with messages: (1 - %.3g) x slowdown of computing + %.3g x %.4g\n",
               options->communicating, options->communicating, prediction->link_slowdown);
    return 0;
}

static int write_json(const struct prediction *prediction, struct rc_error *error)
{
    const struct predict_options *options = prediction->options;
    const char *model = options->host.model;
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    struct rc_answer_contention answer = {.dedicated = options->dedicated,
                                          .spread = prediction->answer.spread,
                                          .model_error = options->model_error,
                                          .doubts = prediction->doubts,
                                          .communicating = options->communicating,
                                          .link_slowdown = prediction->link_slowdown,
                                          .model = model ? model : "simulation",
                                          .coupling = model               ? NULL
                                                      : options->coupling ? options->coupling
                                                                          : "tight",
                                          .samples = options->samples,
                                          .seed = options->seed};
    struct rc_answer_aggregate aggregate = {.nodes = NULL};
    struct rc_answer_local local;
    struct rc_value_rules rules;
    size_t n = 1;

    if (prediction->many) {
        if (rc_cmd_hosts_answer(&prediction->aggregate, &aggregate, error))
            return -1;
        answer.aggregate = &aggregate;
        rc_cmd_hosts_equation(&prediction->aggregate, equations);
    } else {
        local = rc_cmd_slowdown_answer(&prediction->one, &prediction->both, false);
        answer.local = &local;
        n = rc_cmd_slowdown_equations(&prediction->one, &prediction->both, equations);
    }
    rc_value_rules_init(&rules);
    answer.time = rc_cmd_report_time_json(prediction->answer.seconds, &rules, options->level);
    answer.slowdown = rc_cmd_slowdown_json(prediction->answer.slowdown, options->level, NAN);
    answer.end = rc_cmd_slowdown_end(options->explain ? equations : NULL, n);
    if (answer.doubts.long_cycles == 0)
        answer.doubts.longest = NAN;
    rc_cmd_print_json(rc_field_json(rc_answer_contention, &answer));
    json_decref(answer.time);
    json_decref(answer.slowdown);
    rc_cmd_slowdown_end_free(&answer.end);
    free(aggregate.nodes);
    return 0;
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct predict_options *options = invocation->options;
    struct prediction prediction = {.options = options, .many = options->hosts.hosts_file != NULL};
    struct rc_error error = {0};
    int status;

    if ((status = check(invocation, options)) || (status = find_link(invocation, &prediction)))
        return status;
    status = prediction.many ? read_hosts_file(&prediction) : read_host(invocation, &prediction);
    if (status == RC_EXIT_OK) {
        rc_cmd_note_rate("idle-rate", options->idle_rate);
        rc_cmd_note_rate("current-rate", options->current_rate);
        if (prediction.faster)
            rc_cmd_note(
                "the current rate is above the idle rate: the slowdown of messages is set to "
                "1");
        if (compute(&prediction, &error))
            status = rc_cmd_fail(&error, "predicting");
    }
    if (status == RC_EXIT_OK &&
        (options->json ? write_json(&prediction, &error) : show(&prediction, &error)))
        status = rc_cmd_fail(&error, "showing the prediction");
    if (status == RC_EXIT_OK && options->plot &&
        rc_cmd_report_plot(options->plot, "Run time under contention", "run time in s",
                           prediction.answer.seconds, options->level, NULL, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_slowdown_answer_drop(&prediction.answer);
    free(prediction.hosts);
    rc_slowdown_local_answers_free(&prediction.both);
    rc_cmd_hosts_free(&prediction.aggregate);
    rc_cmd_slowdown_free(&prediction.one);
    return status;
}

const struct rc_command rc_command_slowdown_predict = {
    .name = "predict",
    .summary = "Predict the run time under contention, with a prediction interval",
    .details = "Simulates the run many times with its competitors, whose phases are random, and "
               "reports the distribution of the run time. The interval is wide if cycles of "
               "competitors are long for the run, if competitors come and go, or if little is "
               "known about them. For an unknown competitor (?), shares are estimated from the "
               "load of --host in the last 7 days.\n\n"
               "With --model, nothing is simulated: the computing part of the dedicated run time "
               "is multiplied by the slowdown of computing, and the communicating part by that of "
               "messages. The interval has only ranges of shares and the error of the method.",
    .examples = "  runcast slowdown predict --dedicated 2min --competitor 0.55:0.45,cycle=24s \\\n"
                "    --delay 0.25\n"
                "  runcast slowdown predict --dedicated 2min --competitor 0.8 --model paper\n"
                "  runcast slowdown predict --dedicated 2min --competitor '?' --host node7\n"
                "  runcast slowdown predict --dedicated 1h --hosts-file cluster.yaml \\\n"
                "    --policy constraint\n",
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .answers = {rc_answer_contention},
    .run = run_predict,
};
