// SPDX-License-Identifier: GPL-3.0-or-later
/* predict.c - 'runcast slowdown predict': how long a run takes beside others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/plot.h"
#include "cmd/slowdown/predict.h"

static const char *const couplings[] = {"tight", "loose", NULL};

static const struct rc_cmd_predict_options predict_defaults = {
    .host = RC_SLOWDOWN_DEFAULT,
    .dedicated = NAN,
    .link = NAN,
    .draws = 1000,
    .seed = 1,
    .level = 0.9,
    .model_error = 0.05,
};

static const struct rc_option predict_options[] = {
    {RC_OPTION_OF(struct rc_cmd_predict_options, QUANTITY, dedicated), .name = "dedicated",
     .letter = 'd', .argument = "TIME", .dimension = RC_SECONDS,
     .help = "how long the run takes on idle hosts, such as 120s or 1h30min"},
    RC_OPTIONS_SLOWDOWN(struct rc_cmd_predict_options, host),
    RC_OPTIONS_NODES(struct rc_cmd_predict_options, nodes),
    RC_OPTIONS_NETWORK(struct rc_cmd_predict_options),
    {RC_OPTION_OF(struct rc_cmd_predict_options, TEXT, idle), .name = "idle", .argument = "RATE",
     .help = "rather than --link-slowdown: the rate of the program's bursts on the idle link, such "
             "as 12.5MB/s; bytes/s without a unit"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, TEXT, now), .name = "now", .argument = "RATE",
     .help = "with --idle: their rate now"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, CHOICE, coupling), .name = "coupling",
     .argument = "HOW", .choices = couplings,
     .help = "with --nodes: whether the hosts of the program wait for one another all the time "
             "(tight, the default) or only at the end (loose)"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, QUANTITY, model_error), .name = "model-error",
     .argument = "SD", .dimension = RC_FRACTION,
     .help = "the standard deviation of the method's own relative error (default: 0.05)"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, INTEGER, draws), .name = "draws", .argument = "N",
     .least = 1, .help = "how often the run is played out (default: 1000)"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, INTEGER, seed), .name = "seed", .argument = "S",
     .help = "where the draws start (default: 1); the same seed gives the same answer"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, QUANTITY, level), .name = "level", .argument = "P",
     .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)"},
    {RC_OPTION_OF(struct rc_cmd_predict_options, FILE, plot), .name = "plot", .argument = "FILE",
     .help = "draw the distribution (.svg, .png or .pdf)"},
    RC_OPTION_EXPLAIN(struct rc_cmd_predict_options),
    RC_OPTION_DB(struct rc_cmd_predict_options),
    RC_OPTION_JSON(struct rc_cmd_predict_options),
    RC_OPTIONS_END,
};

/* ---- the question ---- */

/* An option, and whether it is given. */
struct given {
    const char *name;
    bool given;
};

static const char *first_given(const struct given *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].given)
            return list[i].name;
    return NULL;
}

/* Options that are for one host, and for several. */
static int check_kind(const struct rc_invocation *invocation,
                      const struct rc_cmd_predict_options *options)
{
    const struct rc_cmd_slowdown_options *host = &options->host;
    const struct given one[] = {
        {"delay", host->delay != NULL},
        {"bandwidth", host->bandwidth != NULL},
        {"shared-link", host->shared_link},
        {"cores", host->cores > 0},
        {"processes", host->processes > 0},
        {"memory", !isnan(host->memory)},
        {"host", host->host != NULL},
        {"word-bytes", !isnan(host->word_bytes) && !rc_slowdown_word_rate_is(options->idle) &&
                           !rc_slowdown_word_rate_is(options->now)},
    };
    const struct given many[] = {
        {"policy", options->nodes.policy != NULL},
        {"dedicated-uniform", options->nodes.uniform},
        {"coupling", options->coupling != NULL},
        {"model", host->model != NULL},
    };
    const char *wrong = options->nodes.file ? first_given(one, sizeof one / sizeof *one)
                                            : first_given(many, sizeof many / sizeof *many);

    if (wrong && options->nodes.file)
        return rc_cmd_usage_text(invocation,
                                 "--%s has no effect with --nodes: the file says what "
                                 "there is to say of hosts",
                                 wrong);
    if (wrong)
        return rc_cmd_usage_text(invocation, "--%s has no effect without --nodes FILE", wrong);
    return RC_EXIT_OK;
}

static int check_beside(const struct rc_invocation *invocation,
                        const struct rc_cmd_predict_options *options)
{
    bool competitors = options->host.competitors.n || options->host.observed;
    int status;

    if (options->nodes.file && competitors)
        return rc_cmd_usage_text(invocation, "--nodes has its own competitors: give one of both");
    if (!options->nodes.file && !competitors)
        return rc_cmd_usage_text(invocation, "say beside whom: --competitor SHARES, --observed "
                                             "FILE.json, or --nodes FILE");
    status = check_kind(invocation, options);
    if (status != RC_EXIT_OK || !options->nodes.file)
        return status;
    return rc_cmd_nodes_check(invocation, &options->nodes);
}

static int check(const struct rc_invocation *invocation,
                 const struct rc_cmd_predict_options *options)
{
    struct rc_error error = {0};

    if (isnan(options->dedicated))
        return rc_cmd_usage_text(invocation, "--dedicated TIME is missing: how long the run takes "
                                             "on idle hosts");
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
    return check_beside(invocation, options);
}

/* The slowdown of messages, given or by two rates. */
static int find_link(const struct rc_invocation *invocation, struct rc_cmd_prediction *prediction)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    double idle, now, link = options->link, word = rc_cmd_word_bytes(options->host.word_bytes);
    int status;

    if (options->idle || options->now) {
        if (!options->idle || !options->now || !isnan(link))
            return rc_cmd_usage_text(invocation, "--idle and --now go together, and stand for "
                                                 "--link-slowdown");
        status = rc_cmd_slowdown_rate(invocation, "idle", options->idle, word, &idle);
        if (status == RC_EXIT_OK)
            status = rc_cmd_slowdown_rate(invocation, "now", options->now, word, &now);
        if (status != RC_EXIT_OK)
            return status;
        link = rc_slowdown_burst_slowdown(idle, now);
        prediction->faster = link < 1;
        link = fmax(link, 1);
    }
    prediction->link = isnan(link) ? 1 : link;
    return rc_cmd_network_check(invocation, options->communicating, link);
}

/* On the rates that the slowdown of messages came from. */
static void note_rates(struct rc_cmd_prediction *prediction)
{
    rc_cmd_note_rate("idle", prediction->options->idle);
    rc_cmd_note_rate("now", prediction->options->now);
    if (prediction->faster)
        rc_cmd_note("the link does better now than when idle (--now, --idle): its "
                    "slowdown is taken to be 1");
}

static int read_nodes(struct rc_cmd_prediction *prediction)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    struct rc_cmd_nodes_options nodes = options->nodes;
    struct rc_cmd_nodes *all = &prediction->nodes;
    int status;

    nodes.platform = options->host.platform;
    nodes.model = options->host.model;
    status = rc_cmd_nodes_read(&nodes, options->db, all);
    if (status == RC_EXIT_OK)
        rc_cmd_note_coreless(all->coreless);
    if (status == RC_EXIT_OK && all->crowded > 0)
        rc_cmd_note("%zu node%s more than %d competitors, which are too many to "
                    "be played out: the slowdown there is that of the equation, "
                    "and by how much runs differ is left out",
                    all->crowded, all->crowded == 1 ? " has" : "s have",
                    RC_CONTENTION_COMPETITORS_MAX);
    return status;
}

static int read_all(const struct rc_invocation *invocation, struct rc_cmd_prediction *prediction)
{
    struct rc_cmd_slowdown_options host = prediction->options->host;
    struct rc_cmd_slowdown *one = &prediction->one;
    int status;

    if (prediction->many)
        return read_nodes(prediction);
    host.words = rc_slowdown_word_rate_is(prediction->options->idle) ||
                 rc_slowdown_word_rate_is(prediction->options->now);
    status = rc_cmd_slowdown_read(invocation, &host, prediction->options->db, one);
    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_slowdown_both(one, &prediction->both);
    if (status == RC_EXIT_OK && one->host.n_competitors > RC_CONTENTION_COMPETITORS_MAX)
        rc_cmd_note("more than %d competitors are too many to be played out: the "
                    "slowdown is that of %s, and by how much runs differ is left "
                    "out",
                    RC_CONTENTION_COMPETITORS_MAX,
                    isnan(prediction->both.models[RC_LOCAL_QUEUE].slowdown) ? "Eq. 2"
                                                                            : "the queue");
    if (status == RC_EXIT_OK)
        rc_cmd_slowdown_note_cores(one);
    return status;
}

static size_t vain_cycles(const struct rc_cmd_prediction *prediction)
{
    const struct rc_local_host *host = &prediction->one.host;
    size_t vain = 0;

    if (!prediction->many)
        return prediction->options->host.observed
                   ? 0 /* nobody has meant anything by those */
                   : rc_observe_competitors_count(host->competitors, host->n_competitors,
                                                  RC_COMPETITOR_CYCLES_IN_VAIN);
    for (size_t i = 0; i < prediction->nodes.nodes.n; i++) {
        const struct rc_node *node = &prediction->nodes.nodes.items[i];

        if (isnan(node->slowdown))
            vain += rc_observe_competitors_count(node->competitors, node->n_competitors,
                                                 RC_COMPETITOR_CYCLES_IN_VAIN);
    }
    return vain;
}

static void doubt(struct rc_cmd_prediction *prediction)
{
    double seconds = rc_value_mean(prediction->answer.seconds);

    rc_cmd_note_cycles(vain_cycles(prediction), true);
    if (!prediction->many) {
        rc_slowdown_doubt(prediction->one.host.competitors, prediction->one.host.n_competitors,
                          seconds, &prediction->doubts);
        return;
    }
    for (size_t i = 0; i < prediction->nodes.nodes.n; i++)
        if (isnan(prediction->nodes.nodes.items[i].slowdown))
            rc_slowdown_doubt(prediction->nodes.nodes.items[i].competitors,
                              prediction->nodes.nodes.items[i].n_competitors, seconds,
                              &prediction->doubts);
}

static int play(struct rc_cmd_prediction *prediction)
{
    const struct rc_cmd_predict_options *options = prediction->options;
    size_t n = prediction->many ? prediction->nodes.nodes.n : 1;
    struct rc_slowdown_question question = {
        .sim = {.n_hosts = n,
                .dedicated = options->dedicated,
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
    if (prediction->many)
        question.sim.dedicated =
            rc_slowdown_nodes_contention(&prediction->nodes.nodes, prediction->nodes.split,
                                         prediction->nodes.terms, options->dedicated,
                                         prediction->hosts);
    else
        question.sim.dedicated =
            rc_slowdown_local_contention(&prediction->one.host, options->dedicated,
                                         isnan(queue) ? prediction->both.answer.slowdown : queue,
                                         prediction->hosts);
    rc_cmd_work_begin(&work, "playing out runs");
    status = rc_slowdown_ask(&question, &work.monitor, &prediction->answer, &error);
    rc_cmd_work_end(&work);
    if (status)
        return rc_cmd_fail(&error, "predicting");
    doubt(prediction);
    return RC_EXIT_OK;
}

static int run_predict(struct rc_invocation *invocation)
{
    struct rc_cmd_prediction prediction = {.options = invocation->options};
    int status = check(invocation, prediction.options);

    if (status != RC_EXIT_OK)
        return status;
    prediction.many = prediction.options->nodes.file != NULL;
    status = find_link(invocation, &prediction);
    if (status != RC_EXIT_OK)
        return status;
    status = read_all(invocation, &prediction);
    if (status == RC_EXIT_OK) {
        note_rates(&prediction);
        status = play(&prediction);
    }
    if (status == RC_EXIT_OK)
        status = rc_cmd_predict_answer(&prediction);
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
    .examples = "  runcast slowdown predict -d 2min -c 0.55:0.45,cycle=24s --delay 0.25\n"
                "  runcast slowdown predict -d 2min --competitor '?' --host node7\n"
                "  runcast slowdown predict -d 1h --nodes cluster.yaml --policy constraint\n",
    .options = predict_options,
    .options_size = sizeof(struct rc_cmd_predict_options),
    .defaults = &predict_defaults,
    .run = run_predict,
};
