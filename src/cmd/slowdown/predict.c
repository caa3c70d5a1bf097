// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast slowdown predict': how long a run takes beside others. */
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
    struct rc_cmd_nodes_options nodes;
    double dedicated;
    double communicating, link;
    const char *idle, *now;
    const char *coupling; /* NULL: not given */
    int64_t draws, seed;
    double level, model_error;
    const char *plot, *db;
    bool json, explain;
};

/* A prediction on its way. */
struct prediction {
    const struct predict_options *options;
    bool many; /* by a nodes file */
    struct rc_cmd_slowdown one;
    struct rc_local_answers both;
    struct rc_cmd_nodes nodes;
    struct rc_contention_host *hosts;
    double link; /* slowdown of messages; 1 where nothing is said of them */
    bool faster; /* ... or where the link does better now than when idle */
    struct rc_slowdown_answer answer;
    struct rc_slowdown_doubts doubts;
};

static const char *const couplings[] = {"tight", "loose", NULL};

static const struct predict_options predict_defaults = {
    .host = RC_SLOWDOWN_DEFAULT,
    .dedicated = NAN,
    .link = NAN,
    .draws = 1000,
    .seed = 1,
    .level = 0.9,
    .model_error = 0.05,
};

static const struct rc_option predict_options[] = {
    {RC_OPTION_OF(struct predict_options, QUANTITY, dedicated), .name = "dedicated", .letter = 'd',
     .argument = "TIME", .dimension = RC_SECONDS,
     .help = "how long the run takes on idle hosts, such as 120s or 1h30min"},
    RC_OPTIONS_SLOWDOWN(struct predict_options, host),
    RC_OPTIONS_NODES(struct predict_options, nodes),
    RC_OPTIONS_NETWORK(struct predict_options),
    {RC_OPTION_OF(struct predict_options, TEXT, idle), .name = "idle", .argument = "RATE",
     .help = "rather than --link-slowdown: the rate of the program's bursts on the idle link, such "
             "as 12.5MB/s; bytes/s without a unit"},
    {RC_OPTION_OF(struct predict_options, TEXT, now), .name = "now", .argument = "RATE",
     .help = "with --idle: their rate now"},
    {RC_OPTION_OF(struct predict_options, CHOICE, coupling), .name = "coupling", .argument = "HOW",
     .choices = couplings,
     .help = "with --nodes: whether the hosts of the program wait for one another all the time "
             "(tight, the default) or only at the end (loose)"},
    {RC_OPTION_OF(struct predict_options, QUANTITY, model_error), .name = "model-error",
     .argument = "SD", .dimension = RC_FRACTION,
     .help = "the standard deviation of the method's own relative error (default: 0.05)"},
    {RC_OPTION_OF(struct predict_options, INTEGER, draws), .name = "draws", .argument = "N",
     .least = 1, .help = "how often the run is played out (default: 1000)"},
    {RC_OPTION_OF(struct predict_options, INTEGER, seed), .name = "seed", .argument = "S",
     .help = "where the draws start (default: 1); the same seed gives the same answer"},
    {RC_OPTION_OF(struct predict_options, QUANTITY, level), .name = "level", .argument = "P",
     .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)"},
    {RC_OPTION_OF(struct predict_options, FILE, plot), .name = "plot", .argument = "FILE",
     .help = "draw the distribution (.svg, .png or .pdf)"},
    RC_OPTION_EXPLAIN(struct predict_options),
    RC_OPTION_DB(struct predict_options),
    RC_OPTION_JSON(struct predict_options),
    RC_OPTIONS_END,
};

/* ---- the question ---- */

/* Options that are for one host, and for several. */
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
        {"processes", false, host->processes > 0},
        {"memory", false, !isnan(host->memory)},
        {"host", false, host->host != NULL},
        {"word-bytes", false,
         !isnan(host->word_bytes) && !rc_slowdown_word_rate_is(options->idle) &&
             !rc_slowdown_word_rate_is(options->now)},
        {"policy", true, options->nodes.policy != NULL},
        {"dedicated-uniform", true, options->nodes.uniform},
        {"coupling", true, options->coupling != NULL},
        {"model", true, host->model != NULL},
    };
    bool many = options->nodes.file != NULL;

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i].given && list[i].many != many)
            return rc_cmd_usage_text(
                invocation,
                many
                    ? "--%s has no effect with --nodes: the file says what there is to say of hosts"
                    : "--%s has no effect without --nodes FILE",
                list[i].name);
    return RC_EXIT_OK;
}

static int check(const struct rc_invocation *invocation, const struct predict_options *options)
{
    bool competitors = options->host.competitors.n || options->host.observed;
    struct rc_error error = {0};
    int status;

    if (isnan(options->dedicated))
        return rc_cmd_usage_text(
            invocation, "--dedicated TIME is missing: how long the run takes on idle hosts");
    if (!(options->dedicated > 0))
        return rc_cmd_usage_text(invocation, "--dedicated: a run takes some time");
    if (options->draws > RC_CONTENTION_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_CONTENTION_DRAWS_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: a probability between 0 and 1");
    if (!(options->model_error >= 0 && options->model_error < 1))
        return rc_cmd_usage_text(invocation, "--model-error: from 0 to below 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->nodes.file && competitors)
        return rc_cmd_usage_text(invocation, "--nodes has its own competitors: give one of both");
    if (!options->nodes.file && !competitors)
        return rc_cmd_usage_text(
            invocation,
            "say beside whom: --competitor SHARES, --observed FILE.json, or --nodes FILE");
    status = check_kind(invocation, options);
    return status || !options->nodes.file ? status
                                          : rc_cmd_nodes_check(invocation, &options->nodes);
}

/* The slowdown of messages, given or by two rates. */
static int find_link(const struct rc_invocation *invocation, struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    double idle, now, link = options->link, word = rc_cmd_word_bytes(options->host.word_bytes);
    int status;

    if (options->idle || options->now) {
        if (!options->idle || !options->now || !isnan(link))
            return rc_cmd_usage_text(invocation,
                                     "--idle and --now go together, and stand for --link-slowdown");
        if ((status = rc_cmd_slowdown_rate(invocation, "idle", options->idle, word, &idle)) ||
            (status = rc_cmd_slowdown_rate(invocation, "now", options->now, word, &now)))
            return status;
        link = rc_slowdown_burst_slowdown(idle, now);
        prediction->faster = link < 1;
        link = fmax(link, 1);
    }
    prediction->link = isnan(link) ? 1 : link;
    return rc_cmd_network_check(invocation, options->communicating, link);
}

/* ---- the answer ---- */

static int read_nodes(struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_cmd_nodes_options nodes = options->nodes;
    struct rc_cmd_nodes *all = &prediction->nodes;
    int status;

    nodes.platform = options->host.platform;
    nodes.model = options->host.model;
    status = rc_cmd_nodes_read(&nodes, options->db, all);
    if (status == RC_EXIT_OK)
        rc_cmd_note_coreless(all->coreless);
    if (status == RC_EXIT_OK && all->crowded > 0)
        rc_cmd_note(
            "%zu node%s more than %d competitors, which are too many to be played out: the "
            "slowdown there is that of the equation, and by how much runs differ is left out",
            all->crowded, all->crowded == 1 ? " has" : "s have", RC_CONTENTION_COMPETITORS_MAX);
    return status;
}

static int read_host(const struct rc_invocation *invocation, struct prediction *prediction)
{
    struct rc_cmd_slowdown_options host = prediction->options->host;
    struct rc_cmd_slowdown *one = &prediction->one;
    int status;

    host.words = rc_slowdown_word_rate_is(prediction->options->idle) ||
                 rc_slowdown_word_rate_is(prediction->options->now);
    if ((status = rc_cmd_slowdown_read(invocation, &host, prediction->options->db, one)) ||
        (status = rc_cmd_slowdown_both(one, &prediction->both)))
        return status;
    if (one->host.n_competitors > RC_CONTENTION_COMPETITORS_MAX)
        rc_cmd_note("more than %d competitors are too many to be played out: the slowdown is that "
                    "of %s, and by how much runs differ is left out",
                    RC_CONTENTION_COMPETITORS_MAX,
                    isnan(prediction->both.models[RC_LOCAL_QUEUE].slowdown) ? "Eq. 2"
                                                                            : "the queue");
    rc_cmd_slowdown_note_cores(one);
    return RC_EXIT_OK;
}

/* Why the answer is as wide as it is. */
static void find_doubts(struct prediction *prediction)
{
    const struct rc_local_host *host = &prediction->one.host;
    double seconds = rc_value_mean(prediction->answer.seconds);

    if (prediction->many) {
        rc_cmd_note_cycles(
            rc_slowdown_nodes_count(&prediction->nodes.nodes, RC_COMPETITOR_CYCLES_IN_VAIN), true);
        rc_slowdown_nodes_doubt(&prediction->nodes.nodes, seconds, &prediction->doubts);
        return;
    }
    if (!prediction->options->host.observed) /* nobody has meant anything by those */
        rc_cmd_note_cycles(rc_observe_competitors_count(host->competitors, host->n_competitors,
                                                        RC_COMPETITOR_CYCLES_IN_VAIN),
                           true);
    rc_slowdown_doubt(host->competitors, host->n_competitors, seconds, &prediction->doubts);
}

static int play(struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    size_t n = prediction->many ? prediction->nodes.nodes.n : 1;
    struct rc_slowdown_question question = {
        .sim = {.n_hosts = n,
                .tight = !options->coupling || strcmp(options->coupling, "tight") == 0,
                .draws = (size_t)options->draws,
                .seed = (uint64_t)options->seed},
        .dedicated = options->dedicated,
        .communicating = options->communicating,
        .link = prediction->link,
        .model_error = options->model_error,
    };
    double queue = prediction->both.models[RC_LOCAL_QUEUE].slowdown;
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status;

    prediction->hosts = calloc(n, sizeof *prediction->hosts);
    if (!prediction->hosts) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "predicting");
    }
    question.sim.hosts = prediction->hosts;
    question.sim.dedicated =
        prediction->many
            ? rc_slowdown_nodes_contention(&prediction->nodes.nodes, prediction->nodes.split,
                                           prediction->nodes.terms, options->dedicated,
                                           prediction->hosts)
            : rc_slowdown_local_contention(&prediction->one.host, options->dedicated,
                                           isnan(queue) ? prediction->both.answer.slowdown : queue,
                                           prediction->hosts);
    rc_cmd_work_begin(&work, "playing out runs");
    status = rc_slowdown_ask(&question, &work.monitor, &prediction->answer, &error);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "predicting");
    find_doubts(prediction);
    return RC_EXIT_OK;
}

/* ---- showing ---- */

static void print_equations(const struct prediction *prediction)
{
    const struct rc_local *models = prediction->both.models;
    char number[RC_NUMBER_SIZE], paper[RC_NUMBER_SIZE] = "-", queue[RC_NUMBER_SIZE] = "-";

    rc_number_format_short(rc_value_mean(prediction->answer.slowdown), 4, number);
    printf("slowdown %s on average", number);
    if (prediction->many) {
        rc_number_format_short(prediction->nodes.aggregate.slowdown, 4, paper);
        printf(" (%s: %s%s)\n", prediction->nodes.split == RC_SPLIT_LOAD ? "Eq. 5" : "Eq. 9", paper,
               prediction->options->communicating > 0 ? " for computing" : "");
        return;
    }
    if (!isnan(models[RC_LOCAL_PAPER].slowdown))
        rc_number_format_short(models[RC_LOCAL_PAPER].slowdown, 4, paper);
    if (!isnan(models[RC_LOCAL_QUEUE].slowdown))
        rc_number_format_short(models[RC_LOCAL_QUEUE].slowdown, 4, queue);
    printf(" (%sEq. 2: %s, queue: %s)\n",
           prediction->options->communicating > 0 ? "for computing: " : "", paper, queue);
}

static void print_width(const struct prediction *prediction)
{
    const struct rc_slowdown_doubts *doubts = &prediction->doubts;
    char cycle[RC_UNIT_SIZE];

    printf("width: %.1f %% by what the run meets, %.1f %% by the method's own error\n",
           100 * prediction->answer.spread, 100 * prediction->options->model_error);
    rc_unit_format(doubts->longest, RC_SECONDS, cycle);
    if (doubts->long_cycles)
        printf("  %zu competitor%s with cycles that are long against the run (up to %s): what it "
               "meets is a matter of luck\n",
               doubts->long_cycles, doubts->long_cycles == 1 ? "" : "s", cycle);
    if (doubts->come_and_go)
        printf("  %zu come%s and go%s\n", doubts->come_and_go, doubts->come_and_go == 1 ? "s" : "",
               doubts->come_and_go == 1 ? "es" : "");
    if (doubts->ranges)
        printf("  of %zu the shares are known to lie in a range only\n", doubts->ranges);
    if (doubts->unknown)
        printf("  of %zu nothing is known\n", doubts->unknown);
}

static int show(const struct prediction *prediction, struct rc_error *error)
{
    const struct predict_options *options = prediction->options;
    const struct rc_value *seconds = prediction->answer.seconds;
    char mean[RC_UNIT_SIZE], from[RC_UNIT_SIZE], to[RC_UNIT_SIZE], alone[RC_UNIT_SIZE];
    struct rc_value_rules rules;
    double low, high;

    rc_value_rules_init(&rules);
    rc_value_span(seconds, options->level, &low, &high);
    rc_unit_format(rc_value_mean(seconds), RC_SECONDS, mean);
    rc_unit_format(low, RC_SECONDS, from);
    rc_unit_format(high, RC_SECONDS, to);
    rc_unit_format(options->dedicated, RC_SECONDS, alone);
    printf("the run takes %s beside others (%g %%: %s to %s), and %s alone\n", mean,
           100 * options->level, from, to, alone);
    print_equations(prediction);
    print_width(prediction);
    printf("seconds of the run:\n");
    if (rc_cmd_report_table(seconds, &rules, options->level, error))
        return -1;
    if (options->explain &&
        (prediction->many ? rc_cmd_nodes_explain(&prediction->nodes, error)
                          : rc_cmd_slowdown_explain(&prediction->one, &prediction->both, error)))
        return -1;
    if (options->explain && options->communicating > 0)
        printf("with the network: (1 - %.3g) x the slowdown of computing + %.3g x %.4g\n",
               options->communicating, options->communicating, prediction->link);
    return 0;
}

static void write_json(const struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    struct rc_answer_contention answer = {
        .dedicated = options->dedicated,
        .seconds = rc_cmd_slowdown_json(prediction->answer.seconds, options->level, NAN),
        .slowdown = rc_cmd_slowdown_json(prediction->answer.slowdown, options->level, NAN),
        .spread = prediction->answer.spread,
        .model_error = options->model_error,
        .doubts = prediction->doubts,
        .communicating = options->communicating,
        .link = prediction->link,
        .coupling = options->coupling ? options->coupling : "tight",
        .draws = options->draws,
        .seed = options->seed};
    json_t *object;
    size_t n = 1;

    if (answer.doubts.long_cycles == 0)
        answer.doubts.longest = NAN;
    object = rc_field_json(rc_answer_contention, &answer);
    json_decref(answer.seconds);
    json_decref(answer.slowdown);
    if (prediction->many) {
        rc_json_set(object, "aggregate", rc_cmd_nodes_json(&prediction->nodes));
        rc_cmd_nodes_equation(&prediction->nodes, equations);
    } else {
        const struct rc_answer_local local =
            rc_cmd_slowdown_answer(&prediction->one, &prediction->both, false);

        rc_json_set(object, "local", rc_field_json(rc_answer_local, &local));
        n = rc_cmd_slowdown_equations(&prediction->one, &prediction->both, equations);
    }
    rc_cmd_slowdown_print(object, options->explain ? equations : NULL, n);
}

static int run_predict(struct rc_invocation *invocation)
{
    const struct predict_options *options = invocation->options;
    struct prediction prediction = {.options = options, .many = options->nodes.file != NULL};
    struct rc_error error = {0};
    int status;

    if ((status = check(invocation, options)) || (status = find_link(invocation, &prediction)))
        return status;
    status = prediction.many ? read_nodes(&prediction) : read_host(invocation, &prediction);
    if (status == RC_EXIT_OK) {
        rc_cmd_note_rate("idle", options->idle);
        rc_cmd_note_rate("now", options->now);
        if (prediction.faster)
            rc_cmd_note("the link does better now than when idle (--now, --idle): its slowdown is "
                        "taken to be 1");
        status = play(&prediction);
    }
    if (status == RC_EXIT_OK && options->json)
        write_json(&prediction);
    else if (status == RC_EXIT_OK && show(&prediction, &error))
        status = rc_cmd_fail(&error, "showing the prediction");
    if (status == RC_EXIT_OK && options->plot &&
        rc_cmd_report_plot(options->plot, "beside others", "seconds of the run",
                           prediction.answer.seconds, options->level, NULL, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_slowdown_answer_drop(&prediction.answer);
    free(prediction.hosts);
    rc_slowdown_local_answers_free(&prediction.both);
    rc_cmd_nodes_free(&prediction.nodes);
    rc_cmd_slowdown_free(&prediction.one);
    return status;
}

const struct rc_command rc_command_slowdown_predict = {
    .name = "predict",
    .summary = "Say how long a run takes beside others, and how sure that is",
    .details = "The run is played out many times beside its competitors, whose phases are drawn; "
               "what it took in all of them, times the method's own error, is the answer: a "
               "distribution. It is wide where cycles of competitors are long against the run, "
               "where they come and go, and where little is known of them. --competitor ? is one "
               "of which nothing is known: how busy the --host was in the last 7 days then tells.",
    .examples = "  runcast slowdown predict -d 2min -c 0.55:0.45,cycle=24s --delay 0.25\n"
                "  runcast slowdown predict -d 2min --competitor '?' --host node7\n"
                "  runcast slowdown predict -d 1h --nodes cluster.yaml --policy constraint\n",
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
