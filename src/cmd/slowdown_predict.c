// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_predict.c - 'runcast slowdown predict': how long a run takes beside others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/plot.h"
#include "cmd/slowdown_nodes.h"
#include "cmd/value_report.h"
#include "slowdown/answer.h"

struct predict_options {
    struct rc_cmd_slowdown_options host;
    struct rc_cmd_nodes_options nodes;
    double dedicated;
    double communicating, link;
    const char *idle, *now;
    const char *coupling;
    int64_t draws, seed;
    double level, model_error;
    const char *plot, *db;
    bool json, explain;
};

static const char *const couplings[] = {"tight", "loose", NULL};

static const struct predict_options predict_defaults = {
    .host = RC_SLOWDOWN_DEFAULT,
    .dedicated = NAN,
    .link = NAN,
    .coupling = "tight",
    .draws = 1000,
    .seed = 1,
    .level = 0.9,
    .model_error = 0.05,
};

static const struct rc_option predict_options[] = {
    {.name = "dedicated",
     .letter = 'd',
     .kind = RC_OPTION_QUANTITY,
     .argument = "TIME",
     .dimension = RC_SECONDS,
     .help = "how long the run takes on idle hosts, such as 120s or 1h30min",
     .offset = offsetof(struct predict_options, dedicated)},
    RC_OPTIONS_SLOWDOWN(struct predict_options, host),
    RC_OPTIONS_NODES(struct predict_options, nodes),
    RC_OPTIONS_NETWORK(struct predict_options),
    {.name = "idle",
     .kind = RC_OPTION_TEXT,
     .argument = "RATE",
     .help = "rather than --link-slowdown: the rate of the program's bursts on the idle link",
     .offset = offsetof(struct predict_options, idle)},
    {.name = "now",
     .kind = RC_OPTION_TEXT,
     .argument = "RATE",
     .help = "with --idle: their rate now",
     .offset = offsetof(struct predict_options, now)},
    {.name = "coupling",
     .kind = RC_OPTION_CHOICE,
     .argument = "HOW",
     .choices = couplings,
     .help = "whether the hosts of the program wait for one another all the time (tight, the "
             "default) or only at the end (loose)",
     .offset = offsetof(struct predict_options, coupling)},
    {.name = "model-error",
     .kind = RC_OPTION_QUANTITY,
     .argument = "SD",
     .dimension = RC_FRACTION,
     .help = "the standard deviation of the method's own relative error (default: 0.05)",
     .offset = offsetof(struct predict_options, model_error)},
    {.name = "draws",
     .kind = RC_OPTION_INTEGER,
     .argument = "N",
     .least = 1,
     .help = "how often the run is played out (default: 1000)",
     .offset = offsetof(struct predict_options, draws)},
    {.name = "seed",
     .kind = RC_OPTION_INTEGER,
     .argument = "S",
     .least = 0,
     .help = "where the draws start (default: 1); the same seed gives the same answer",
     .offset = offsetof(struct predict_options, seed)},
    {.name = "level",
     .kind = RC_OPTION_QUANTITY,
     .argument = "P",
     .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)",
     .offset = offsetof(struct predict_options, level)},
    {.name = "plot",
     .kind = RC_OPTION_FILE,
     .argument = "FILE",
     .help = "draw the distribution (.svg, .png or .pdf)",
     .offset = offsetof(struct predict_options, plot)},
    {.name = "explain",
     .kind = RC_OPTION_FLAG,
     .help = "show each term of the equation with its numbers",
     .offset = offsetof(struct predict_options, explain)},
    RC_OPTION_DB(struct predict_options),
    RC_OPTION_JSON(struct predict_options),
    RC_OPTIONS_END,
};

/* A prediction on its way. */
struct prediction {
    const struct predict_options *options;
    bool many; /* by a nodes file */
    struct rc_cmd_slowdown one;
    struct rc_cmd_both both;
    struct rc_cmd_nodes nodes;
    struct rc_contest_host *hosts;
    double link; /* slowdown of messages; 1 where nothing is said of them */
    struct rc_slowdown_answer answer;
    struct rc_slowdown_doubts doubts;
};

/* ---- the question ---- */

static int check(const struct rc_invocation *invocation, const struct predict_options *options)
{
    struct rc_error error = {0};

    if (isnan(options->dedicated))
        return rc_cmd_usage_text(invocation, "--dedicated TIME is missing: how long the run takes "
                                             "on idle hosts");
    if (!(options->dedicated > 0))
        return rc_cmd_usage_text(invocation, "--dedicated: a run takes some time");
    if (options->nodes.file && (options->host.competitors.n || options->host.observed))
        return rc_cmd_usage_text(invocation, "--nodes has its own competitors: give one of both");
    if (!options->nodes.file && !options->host.competitors.n && !options->host.observed)
        return rc_cmd_usage_text(invocation, "say beside whom: --competitor SHARES, --observed "
                                             "FILE.json, or --nodes FILE");
    if (options->nodes.file && !options->nodes.policy)
        return rc_cmd_usage_text(invocation, "--policy is missing: load or constraint");
    if (options->draws > RC_CONTEST_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_CONTEST_DRAWS_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: a probability between 0 and 1");
    if (!(options->model_error >= 0 && options->model_error < 1))
        return rc_cmd_usage_text(invocation, "--model-error: from 0 to below 1");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

/* The slowdown of messages, given or by two rates. */
static int find_link(const struct rc_invocation *invocation, struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    double idle, now, link = options->link;
    int status;

    if (options->idle || options->now) {
        if (!options->idle || !options->now || !isnan(link))
            return rc_cmd_usage_text(invocation, "--idle and --now go together, and stand for "
                                                 "--link-slowdown");
        status = rc_cmd_slowdown_rate(invocation, "idle", options->idle, options->host.word_bytes,
                                      &idle);
        if (status == RC_EXIT_OK)
            status = rc_cmd_slowdown_rate(invocation, "now", options->now,
                                          options->host.word_bytes, &now);
        if (status != RC_EXIT_OK)
            return status;
        link = rc_burst_slowdown(idle, now);
    }
    prediction->link = isnan(link) ? 1 : link;
    return rc_cmd_network_check(invocation, options->communicating, link);
}

static int read_all(const struct rc_invocation *invocation, struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_cmd_nodes_options nodes = options->nodes;
    int status;

    if (prediction->many) {
        nodes.platform = options->host.platform;
        nodes.model = options->host.model;
        return rc_cmd_nodes_read(&nodes, options->db, &prediction->nodes);
    }
    status = rc_cmd_slowdown_read(invocation, &options->host, options->db, &prediction->one);
    if (status != RC_EXIT_OK)
        return status;
    prediction->one.way_given = false; /* the contest answers, whatever equations know */
    return rc_cmd_slowdown_both(&prediction->one, &prediction->both);
}

static void doubt(struct prediction *prediction)
{
    double seconds = rc_value_mean(prediction->answer.seconds);

    if (!prediction->many) {
        rc_slowdown_doubt(prediction->one.host.competitors, prediction->one.host.n_competitors,
                          seconds, &prediction->doubts);
        return;
    }
    for (size_t i = 0; i < prediction->nodes.nodes.n; i++)
        rc_slowdown_doubt(prediction->nodes.nodes.items[i].competitors,
                          prediction->nodes.nodes.items[i].n_competitors, seconds,
                          &prediction->doubts);
}

static int play(struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    size_t n = prediction->many ? prediction->nodes.nodes.n : 1;
    struct rc_slowdown_question question = {
        .contest = {.n_hosts = n,
                    .dedicated = options->dedicated,
                    .tight = strcmp(options->coupling, "tight") == 0,
                    .draws = (size_t)options->draws,
                    .seed = (uint64_t)options->seed},
        .dedicated = options->dedicated,
        .communicating = options->communicating,
        .link = prediction->link,
        .model_error = options->model_error,
    };
    struct rc_error error = {0};
    struct rc_cmd_work work;
    int status;

    prediction->hosts = calloc(n, sizeof *prediction->hosts);
    if (!prediction->hosts) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "predicting");
    }
    question.contest.hosts = prediction->hosts;
    if (prediction->many)
        question.contest.dedicated =
            rc_nodes_contest(&prediction->nodes.nodes, prediction->nodes.split,
                             prediction->nodes.terms, options->dedicated, prediction->hosts);
    else
        prediction->hosts[0] = (struct rc_contest_host){.local = prediction->one.host,
                                                        .work = options->dedicated};
    rc_cmd_work_begin(&work, "playing out runs");
    status = rc_slowdown_ask(&question, &work.monitor, &prediction->answer, &error);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "predicting");
    doubt(prediction);
    return RC_EXIT_OK;
}

/* ---- the answer ---- */

static const struct rc_cmd_remarks *remarks_of(const struct prediction *prediction)
{
    return prediction->many ? &prediction->nodes.remarks : &prediction->one.remarks;
}

static void print_equations(const struct prediction *prediction)
{
    const struct rc_local *ways = prediction->both.ways;
    char number[RC_NUMBER_SIZE], paper[RC_NUMBER_SIZE] = "-", queue[RC_NUMBER_SIZE] = "-";

    rc_number_format_short(rc_value_mean(prediction->answer.slowdown), 4, number);
    printf("slowdown %s on average", number);
    if (prediction->many) {
        rc_number_format_short(prediction->nodes.aggregate.slowdown, 4, paper);
        printf(" (%s: %s%s)\n", prediction->nodes.split == RC_SPLIT_LOAD ? "Eq. 5" : "Eq. 9",
               paper, prediction->options->communicating > 0 ? " for computing" : "");
        return;
    }
    if (!isnan(ways[RC_LOCAL_PAPER].slowdown))
        rc_number_format_short(ways[RC_LOCAL_PAPER].slowdown, 4, paper);
    if (!isnan(ways[RC_LOCAL_QUEUE].slowdown))
        rc_number_format_short(ways[RC_LOCAL_QUEUE].slowdown, 4, queue);
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
        printf("  %zu come%s and go%s\n", doubts->come_and_go,
               doubts->come_and_go == 1 ? "s" : "", doubts->come_and_go == 1 ? "es" : "");
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
    if (rc_report_table(seconds, &rules, options->level, error))
        return -1;
    if (options->explain && (prediction->many ? rc_cmd_nodes_explain(&prediction->nodes, error)
                                              : rc_cmd_slowdown_explain(&prediction->one,
                                                                        &prediction->both, error)))
        return -1;
    if (options->explain && options->communicating > 0)
        printf("with the network: (1 - %.3g) x the slowdown of computing + %.3g x %.4g\n",
               options->communicating, options->communicating, prediction->link);
    rc_cmd_remarks_show(remarks_of(prediction));
    return 0;
}

static json_t *doubts_json(const struct prediction *prediction)
{
    const struct rc_slowdown_doubts *doubts = &prediction->doubts;
    json_t *object = json_object();

    rc_json_set(object, "spread", rc_json_number(prediction->answer.spread));
    rc_json_set(object, "model_error", rc_json_number(prediction->options->model_error));
    rc_json_set(object, "long_cycles", json_integer((json_int_t)doubts->long_cycles));
    rc_json_set(object, "longest_cycle", rc_json_number(doubts->longest));
    rc_json_set(object, "come_and_go", json_integer((json_int_t)doubts->come_and_go));
    rc_json_set(object, "ranges", json_integer((json_int_t)doubts->ranges));
    rc_json_set(object, "unknown", json_integer((json_int_t)doubts->unknown));
    return object;
}

static json_t *competitors_json(const struct prediction *prediction)
{
    const struct rc_cmd_slowdown *one = &prediction->one;
    json_t *object = json_object();

    rc_json_set(object, "paper",
                rc_json_number(prediction->both.ways[RC_LOCAL_PAPER].slowdown));
    rc_json_set(object, "queue",
                rc_json_number(prediction->both.ways[RC_LOCAL_QUEUE].slowdown));
    rc_json_set(object, "cores", json_integer(one->host.cores));
    rc_json_set(object, "processes", json_integer(one->host.processes));
    rc_json_set(object, "competitors",
                rc_cmd_competitors_json(one->host.competitors, one->host.n_competitors));
    return object;
}

static void write_json(const struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_value_rules rules;
    json_t *object = json_object();

    rc_value_rules_init(&rules);
    rc_json_set(object, "dedicated", rc_json_number(options->dedicated));
    rc_json_set(object, "seconds",
                rc_report_json(prediction->answer.seconds, &rules, options->level));
    rc_json_set(object, "slowdown",
                rc_report_json(prediction->answer.slowdown, &rules, options->level));
    rc_json_set(object, "width", doubts_json(prediction));
    rc_json_set(object, "communicating", rc_json_number(options->communicating));
    rc_json_set(object, "link_slowdown", rc_json_number(prediction->link));
    rc_json_set(object, "coupling", rc_json_text(options->coupling));
    rc_json_set(object, "draws", json_integer(options->draws));
    rc_json_set(object, "seed", json_integer(options->seed));
    rc_json_set(object, prediction->many ? "aggregate" : "local",
                prediction->many ? rc_cmd_nodes_json(&prediction->nodes)
                                 : competitors_json(prediction));
    rc_json_set(object, "notes", rc_cmd_remarks_json(remarks_of(prediction)));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static int answer(const struct prediction *prediction)
{
    const struct predict_options *options = prediction->options;
    struct rc_error error = {0};

    if (options->json)
        write_json(prediction);
    else if (show(prediction, &error))
        return rc_cmd_fail(&error, "showing the prediction");
    if (options->plot &&
        rc_report_plot(options->plot, "beside others", "seconds of the run",
                       prediction->answer.seconds, options->level, NULL, &error))
        return rc_cmd_fail(&error, "drawing %s", options->plot);
    return RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    struct prediction prediction = {.options = invocation->options};
    int status = check(invocation, prediction.options);

    if (status != RC_EXIT_OK)
        return status;
    prediction.many = prediction.options->nodes.file != NULL;
    status = find_link(invocation, &prediction);
    if (status != RC_EXIT_OK)
        return status;
    status = read_all(invocation, &prediction);
    if (status == RC_EXIT_OK)
        status = play(&prediction);
    if (status == RC_EXIT_OK)
        status = answer(&prediction);
    rc_slowdown_answer_drop(&prediction.answer);
    free(prediction.hosts);
    rc_cmd_slowdown_both_free(&prediction.both);
    if (prediction.many)
        rc_cmd_nodes_free(&prediction.nodes);
    else
        rc_cmd_slowdown_free(&prediction.one);
    return status;
}

const struct rc_command rc_command_slowdown_predict = {
    .name = "predict",
    .summary = "Say how long a run takes beside others, and how sure that is",
    .details =
        "The run is played out many times beside its competitors, whose phases are drawn; what it "
        "took in all of them, times the method's own error, is the answer: a distribution. It is "
        "wide where cycles of competitors are long against the run, where they come and go, and "
        "where little is known of them. --competitor ? is one of which nothing is known: how busy "
        "the --host was in the last 7 days then tells.",
    .examples =
        "  runcast slowdown predict -d 2min -c 0.55:0.45,cycle=24s --delay 0.25\n"
        "  runcast slowdown predict -d 2min --competitor '?' --host node7\n"
        "  runcast slowdown predict -d 1h --nodes cluster.yaml --policy constraint\n",
    .options = predict_options,
    .options_size = sizeof(struct predict_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
