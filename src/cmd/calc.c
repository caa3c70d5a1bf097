// SPDX-License-Identifier: GPL-3.0-or-later
/* calc.c - 'runcast calc': an expression over stochastic values, and what its result is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/table.h"
#include "base/text.h"
#include "cmd/commands.h"
#include "value/expression.h"

struct calc_options {
    const char *as;
    int64_t draws, seed, bins;
    const char *rules;
    bool correlated;
    const char *extreme;
    double level;
    bool json;
};

static const struct calc_options defaults = {
    .draws = 10000, .seed = 1, .bins = 256, .rules = "exact", .extreme = "true", .level = 0.9};

static const char *const kinds[] = {"point", "normal", "interval", "histogram", "sample", NULL};
static const char *const rule_names[] = {"exact", "dissertation", NULL};
static const char *const extremes[] = {"true", "mean", "end", NULL};

static const struct rc_option calc_option_table[] = {
    {.name = "as", .kind = RC_OPTION_CHOICE, .argument = "KIND", .choices = kinds,
     .help = "compute in this kind: point, normal, interval, histogram or sample (default: in the "
             "kinds that are written)",
     .offset = offsetof(struct calc_options, as)},
    {.name = "draws", .kind = RC_OPTION_INTEGER, .argument = "N", .least = 1,
     .help = "draws of a sample (default: 10000)", .offset = offsetof(struct calc_options, draws)},
    {.name = "seed", .kind = RC_OPTION_INTEGER, .argument = "S", .least = 0,
     .help = "where the draws start (default: 1); the same seed gives the same draws",
     .offset = offsetof(struct calc_options, seed)},
    {.name = "bins", .kind = RC_OPTION_INTEGER, .argument = "N", .least = 2,
     .help = "bins of a histogram that is computed (default: 256)",
     .offset = offsetof(struct calc_options, bins)},
    {.name = "rules", .kind = RC_OPTION_CHOICE, .argument = "RULES", .choices = rule_names,
     .help = "how normals are combined: exact (the default), or by the rules of the dissertation",
     .offset = offsetof(struct calc_options, rules)},
    {.name = "correlated", .kind = RC_OPTION_FLAG,
     .help = "with --rules dissertation: its rules for correlated values",
     .offset = offsetof(struct calc_options, correlated)},
    {.name = "extreme", .kind = RC_OPTION_CHOICE, .argument = "HOW", .choices = extremes,
     .help = "what max and min give: the true distribution of the largest (the default), or the "
             "one value with the largest mean or end",
     .offset = offsetof(struct calc_options, extreme)},
    {.name = "level", .kind = RC_OPTION_QUANTITY, .argument = "P", .dimension = RC_FRACTION,
     .help = "the probability of the interval that is shown (default: 0.9)",
     .offset = offsetof(struct calc_options, level)},
    RC_OPTION_JSON(struct calc_options),
    RC_OPTIONS_END,
};

/* ---- the place of an error ---- */

enum { CARET_WIDTH = 76 };

/* The line of `text` with that number, without its end. */
static const char *find_line(const char *text, unsigned line, size_t *length)
{
    while (line > 1 && *text)
        line -= *text++ == '\n';
    *length = strcspn(text, "\n");
    return text;
}

/* Shows the line that is at fault, or a part of it, and a caret under the place. */
static void show_caret(const char *text, const struct rc_error *error)
{
    char shown[4 * CARET_WIDTH + 1];
    size_t length, start = 0, at = 0, column = 1;
    const char *line;

    if (error->line == 0 || error->column == 0)
        return;
    line = find_line(text, error->line, &length);
    while (column < error->column && at < length)
        if (((unsigned char)line[++at] & 0xc0) != 0x80)
            column++;
    while (rc_text_width(line + start, at - start) > CARET_WIDTH * 2 / 3)
        start += rc_text_prefix(line + start, at - start, 8);
    length = rc_text_prefix(line + start, length - start, CARET_WIDTH);
    length = length < sizeof shown ? length : sizeof shown - 1;
    at = at - start < length ? at - start : length;
    memcpy(shown, line + start, length);
    for (size_t i = 0; i < length; i++)
        if (shown[i] == '\t')
            shown[i] = ' ';
    rc_text_clean(shown, length);
    fprintf(stderr, "  %.*s\n", (int)length, shown);
    fprintf(stderr, "  %*s^\n", (int)rc_text_width(shown, at), "");
}

/* ---- what is known of a value ---- */

static const int percents[] = {5, 25, 50, 75, 95};
enum { N_PERCENTS = sizeof percents / sizeof *percents };

struct facts {
    const char *kind;
    double mean, sd, low, high; /* the ends; of a normal, of its interval */
    double level, span_low, span_high;
    double quantiles[N_PERCENTS];
};

static void find_facts(const struct rc_value *value, const struct rc_value_rules *rules,
                       double level, struct facts *facts)
{
    struct rc_value *ends = rc_value_kind(value) == RC_NORMAL
                                ? rc_value_convert(value, RC_INTERVAL, rules, NULL)
                                : NULL;

    *facts = (struct facts){
        .kind = rc_value_kind_name(rc_value_kind(value)),
        .mean = rc_value_mean(value),
        .sd = rc_value_sd(value),
        .low = rc_value_low(ends ? ends : value),
        .high = rc_value_high(ends ? ends : value),
        .level = level,
    };
    rc_value_drop(ends);
    rc_value_span(value, level, &facts->span_low, &facts->span_high);
    for (int i = 0; i < N_PERCENTS; i++)
        facts->quantiles[i] = rc_value_quantile(value, percents[i] / 100.0);
}

static void show_json(const struct facts *facts)
{
    json_t *object = json_object(), *quantiles = json_object();
    char name[16];

    for (int i = 0; i < N_PERCENTS; i++) {
        snprintf(name, sizeof name, "%d", percents[i]);
        rc_json_set(quantiles, name, rc_json_number(facts->quantiles[i]));
    }
    rc_json_set(object, "kind", rc_json_text(facts->kind));
    rc_json_set(object, "mean", rc_json_number(facts->mean));
    rc_json_set(object, "sd", rc_json_number(facts->sd));
    rc_json_set(object, "lo", rc_json_number(facts->low));
    rc_json_set(object, "hi", rc_json_number(facts->high));
    rc_json_set(object, "level", rc_json_number(facts->level));
    rc_json_set(object, "low", rc_json_number(facts->span_low));
    rc_json_set(object, "high", rc_json_number(facts->span_high));
    rc_json_set(object, "quantiles", quantiles);
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void show_number(struct rc_table *table, const char *what, double value)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(value, 6, number);
    rc_table_text(table, what);
    rc_table_text(table, number);
}

static void show_between(struct rc_table *table, const char *what, double low, double high)
{
    char first[RC_NUMBER_SIZE], second[RC_NUMBER_SIZE], both[2 * RC_NUMBER_SIZE + 8];

    rc_number_format_short(low, 6, first);
    rc_number_format_short(high, 6, second);
    snprintf(both, sizeof both, "%s to %s", first, second);
    rc_table_text(table, what);
    rc_table_text(table, both);
}

static void show_table(const struct facts *facts)
{
    static const struct rc_column heads[] = {{.title = "what"}, {.title = "value"}};
    struct rc_table *table = rc_table_create(stdout, heads, 2, rc_cmd_width());
    char name[RC_NUMBER_SIZE + 16], number[RC_NUMBER_SIZE];

    if (!table)
        return;
    rc_table_text(table, "kind");
    rc_table_text(table, facts->kind);
    show_number(table, "mean", facts->mean);
    show_number(table, "sd", facts->sd);
    show_between(table, strcmp(facts->kind, "normal") == 0 ? "ends (2 sd)" : "ends", facts->low,
                 facts->high);
    rc_number_format_short(100 * facts->level, 6, number);
    snprintf(name, sizeof name, "%s %% within", number);
    show_between(table, name, facts->span_low, facts->span_high);
    for (int i = 0; i < N_PERCENTS; i++) {
        snprintf(name, sizeof name, "%d %% below", percents[i]);
        show_number(table, name, facts->quantiles[i]);
    }
    rc_table_finish(table);
}

/* ---- the command ---- */

static int kind_of(const char *name)
{
    for (int i = 0; name && kinds[i]; i++)
        if (strcmp(kinds[i], name) == 0)
            return i; /* the names stand in the order of enum rc_value_kind */
    return -1;
}

static void fill_rules(const struct calc_options *options, struct rc_value_rules *rules)
{
    rc_value_rules_init(rules);
    rules->dissertation = strcmp(options->rules, "dissertation") == 0;
    rules->correlated = options->correlated;
    rules->extreme = strcmp(options->extreme, "mean") == 0  ? RC_EXTREME_MEAN
                     : strcmp(options->extreme, "end") == 0 ? RC_EXTREME_END
                                                            : RC_EXTREME_TRUE;
    rules->bins = (size_t)options->bins;
    rules->draws = (size_t)options->draws;
}

static int check_options(const struct rc_invocation *invocation)
{
    const struct calc_options *options = invocation->options;

    if (options->draws > RC_VALUE_DRAWS_MAX)
        return rc_cmd_usage_text(invocation, "--draws: at most %d", RC_VALUE_DRAWS_MAX);
    if (options->bins > RC_VALUE_BINS_MAX)
        return rc_cmd_usage_text(invocation, "--bins: at most %d", RC_VALUE_BINS_MAX);
    if (!(options->level > 0 && options->level < 1))
        return rc_cmd_usage_text(invocation, "--level: a probability between 0 and 1");
    if (options->correlated && strcmp(options->rules, "dissertation") != 0)
        return rc_cmd_usage_text(invocation, "--correlated needs --rules dissertation");
    return RC_EXIT_OK;
}

static int run_calc(struct rc_invocation *invocation)
{
    const struct calc_options *options = invocation->options;
    const char *text = invocation->arguments[0];
    struct rc_error error = {.text = ""};
    struct rc_expression *expression;
    struct rc_value *value = NULL;
    struct rc_value_rules rules;
    struct facts facts;
    int status = check_options(invocation);

    if (status != RC_EXIT_OK)
        return status;
    fill_rules(options, &rules);
    rules.random = rc_random_create((uint64_t)options->seed, 0);
    if (!rules.random) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "calculating");
    }
    expression = rc_expression_parse(text, strlen(text), "expression", &error);
    if (expression)
        value = rc_expression_evaluate(expression, kind_of(options->as), &rules, NULL, &error);
    if (value) {
        find_facts(value, &rules, options->level, &facts);
        if (options->json)
            show_json(&facts);
        else
            show_table(&facts);
    } else {
        status = rc_cmd_fail(&error, "calculating");
        show_caret(text, &error);
    }
    rc_value_drop(value);
    rc_expression_destroy(expression);
    rc_random_destroy(rules.random);
    return status;
}

const struct rc_command rc_command_calc = {
    .name = "calc",
    .summary = "Calculate with numbers of which only a distribution is known",
    .arguments = "EXPRESSION",
    .details =
        "An expression is a formula, with assignments before it if need be: 'x = normal(5, 1); "
        "x / (x + 2)'. There are + - * / ^, brackets, and numbers with units right after them "
        "(64KiB, 100Mbit, 2.2Gf, 50us, 1.5h, 40%); all is computed in bytes, bytes/s, flop/s and "
        "seconds.\n\n"
        "Distributions are normal(mean, sd), interval(low, high) and "
        "histogram(low:high:p, low:high:p, ...). Functions are log, log2, log10, sqrt, exp, abs, "
        "and of any number of values sum, max and min.\n\n"
        "A name stands for one quantity however often it is used, so x - x is 0. Histograms alone "
        "cannot heed that: they are combined as if they were independent. Where that matters, use "
        "--as sample.",
    .examples = "  runcast calc 'normal(12, 0.3) * 17'             # how long 17 steps take\n"
                "  runcast calc 'normal(12, 0.3) * 17' --as interval\n"
                "  runcast calc '64MiB / interval(80Mbit, 100Mbit) + 50us'\n"
                "  runcast calc 'max(normal(5, 1), normal(4, 2))' --as sample --json\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = calc_option_table,
    .options_size = sizeof(struct calc_options),
    .defaults = &defaults,
    .run = run_calc,
};
