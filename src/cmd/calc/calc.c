// SPDX-License-Identifier: GPL-3.0-or-later
/* calc.c - 'runcast calc': expressions over stochastic values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/value_fields.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "cmd/core/commands.h"
#include "report/plot.h"
#include "cmd/core/value_options.h"
#include "cmd/core/value_report.h"
#include "platform/hostlist.h"
#include "stats/series/resample.h"
#include "stats/series/series_value.h"
#include "db/series.h"
#include "stats/value/expression.h"

struct calc_options {
    struct rc_report_options report;
    const char *hosts, *db, *plot;
    double window, at;
    bool json;
};

static const struct calc_options defaults = {.report = RC_REPORT_DEFAULT, .window = 300, .at = NAN};

static const struct rc_option calc_option_table[] = {
    RC_REPORT_OPTIONS(struct calc_options, report),
    RC_CMD_OPTION(struct calc_options, hosts, TEXT, "hosts", "HOSTS",
                  "hosts, such as a1,b[1-4], of the set 'hosts'"),
    RC_CMD_OPTION_WITH(struct calc_options, window, QUANTITY, "window", "TIME",
                       "length of the recent past to use of each series (default: 5min)",
                       .dimension = RC_SECONDS),
    RC_CMD_OPTION(struct calc_options, at, SINCE, "at", "TIME",
                  "predict for this time; ignore later samples (2026-11-15T09:30 in UTC, "
                  "or 2h for two hours ago; default: now)"),
    RC_OPTION_PLOT(struct calc_options),
    RC_OPTION_JSON(struct calc_options),
    RC_OPTION_DB(struct calc_options),
    RC_OPTIONS_END,
};

/* ---- names ---- */

/* A separate stream of random numbers for the instants: other samples must not change them. */
enum { STREAM_OF_INSTANTS = 1 };

struct names {
    struct rc_hostlist hosts;
    struct rc_db *db; /* NULL: the expression has no series */
    double from, to;
    bool modal;       /* a series becomes its modes; otherwise a sample: */
    double *instants; /* sample i of each series is of instant i */
    size_t n_instants;
};

static void note_series(void *data, const struct rc_reference *reference)
{
    bool *asked = data;

    *asked |= !reference->is_set && !reference->is_index && strcmp(reference->name, "series") == 0;
}

static int draw_instants(struct names *names, const struct calc_options *options,
                         struct rc_error *error)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_random *random = rc_random_create((uint64_t)options->report.seed, STREAM_OF_INSTANTS);

    names->to = isnan(options->at) ? clock->wall(clock) : options->at;
    names->from = names->to - options->window;
    names->n_instants = (size_t)options->report.samples;
    names->instants = calloc(names->n_instants, sizeof *names->instants);
    if (random && names->instants)
        rc_series_instants(names->from, names->to, random, names->instants, names->n_instants);
    rc_random_destroy(random);
    return random && names->instants ? 0 : rc_error_no_memory(error);
}

/* The modes of the samples in the window; of one sample before it, if there is no other. */
static struct rc_value *modal_value(const struct names *names, const struct rc_sample *samples,
                                    size_t n, struct rc_error *error)
{
    size_t first, inside = rc_series_window(samples, n, names->from, NAN, &first);

    return inside > 0 ? rc_series_value(samples + first, inside, RC_MODAL, NULL, error)
                      : rc_series_value(samples, n, RC_MODAL, NULL, error);
}

static struct rc_value *find_value(void *data, const char *name, const char *const *indices,
                                   size_t n_indices, struct rc_error *error)
{
    const struct names *names = data;
    struct rc_series_key key;
    struct rc_sample *samples;
    struct rc_value *value;
    size_t n;

    if (strcmp(name, "series") != 0)
        return rc_error_null(rc_error_set(error, "unknown name '%s'", name));
    if (n_indices != 2 && n_indices != 3)
        return rc_error_null(
            rc_error_set(error, "a series needs two or three indices: series[HOST, METRIC] or "
                                "series[FROM, TO, METRIC]"));
    key = (struct rc_series_key){indices[0], n_indices == 3 ? indices[1] : "",
                                 indices[n_indices - 1]};
    if (rc_db_series_load(names->db, &key, names->from, names->to, &samples, &n, error))
        return NULL;
    value = names->modal
                ? modal_value(names, samples, n, error)
                : rc_series_value_at(samples, n, names->instants, names->n_instants, error);
    free(samples);
    return value;
}

static int find_members(void *data, const char *set, const char *const *indices, size_t n_indices,
                        const char *const **members, size_t *n_members, struct rc_error *error)
{
    const struct names *names = data;

    (void)indices;
    if (n_indices > 0 || strcmp(set, "hosts") != 0) {
        rc_error_set(error, "unknown set '%s'", set);
        return rc_error_hint(error, "the only set is 'hosts'");
    }
    if (names->hosts.count == 0) {
        rc_error_set(error, "the set 'hosts' is empty");
        return rc_error_hint(error, "name its hosts with --hosts 'a[1-4],b7'");
    }
    *members = (const char *const *)names->hosts.names;
    *n_members = names->hosts.count;
    return 0;
}

static void end_names(struct names *names)
{
    rc_platform_hostlist_free(&names->hosts);
    rc_db_close(names->db);
    free(names->instants);
}

/* ---- the command ---- */

static int check_options(const struct rc_invocation *invocation)
{
    const struct calc_options *options = invocation->options;
    struct rc_error error = {.text = ""};
    int status = rc_cmd_report_check(invocation, &options->report);

    if (status != RC_EXIT_OK)
        return status;
    if (!(options->window > 0 && isfinite(options->window)))
        return rc_cmd_usage_text(invocation, "--window: must be greater than 0");
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    return RC_EXIT_OK;
}

static int show(const struct calc_options *options, const char *title, const struct rc_value *value,
                const struct rc_value_rules *rules)
{
    double level = options->report.level;
    struct rc_error error = {.text = ""};
    struct rc_cmd_work work;
    json_t *facts;
    int failed = 0;

    if (options->json) {
        facts = rc_cmd_report_json(value, rules, level);
        rc_cmd_print_json(facts);
    } else if (rc_cmd_report_table(value, rules, level, &error)) {
        return rc_cmd_fail(&error, "showing the result");
    }
    if (options->plot) {
        rc_cmd_work_begin(&work, "plotting");
        failed =
            rc_cmd_report_plot(options->plot, title, "value", value, level, &work.monitor, &error);
        rc_cmd_work_end(&work);
    }
    return failed ? rc_cmd_fail(&error, "plotting %s", options->plot) : RC_EXIT_OK;
}

static int calculate(const struct calc_options *options, const char *text,
                     const struct rc_expression *expression, struct names *names)
{
    struct rc_expression_scope scope = {.data = names, .members = find_members};
    struct rc_error error = {.text = ""};
    struct rc_value *value = NULL;
    struct rc_value_rules rules;
    bool asked = false;
    int status;

    rc_value_expression_references(expression, note_series, &asked);
    if (asked) {
        scope.value = find_value;
        names->db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
        if (!names->db)
            return RC_EXIT_FAILED;
    }
    names->modal = rc_cmd_report_kind(&options->report) == RC_MODAL;
    if (rc_cmd_report_rules_begin(&options->report, &rules, &error) == 0 &&
        (!asked || draw_instants(names, options, &error) == 0))
        value = rc_value_expression_evaluate(expression, rc_cmd_report_kind(&options->report),
                                             &rules, &scope, &error);
    if (value) {
        status = show(options, text, value, &rules);
    } else {
        status = rc_cmd_fail(&error, "calculating");
        rc_cmd_show_caret(text, &error);
    }
    rc_value_drop(value);
    rc_cmd_report_rules_end(&rules);
    return status;
}

static int run_calc(struct rc_invocation *invocation)
{
    static const struct rc_expression_origin origin = {"expression", 1, 1, NULL, 0};
    const struct calc_options *options = invocation->options;
    const char *text = invocation->arguments[0];
    struct names names = {.db = NULL};
    struct rc_error error = {.text = ""};
    struct rc_expression *expression;
    int status = check_options(invocation);

    if (status != RC_EXIT_OK)
        return status;
    if (options->hosts && rc_platform_hostlist_expand(options->hosts, strlen(options->hosts),
                                                      RC_HOSTS_MAX, &names.hosts, &error))
        return rc_cmd_usage_text(invocation, "--hosts: %s", error.text);
    expression = rc_value_expression_parse(text, strlen(text), &origin, &error);
    if (expression) {
        status = calculate(options, text, expression, &names);
    } else {
        status = rc_cmd_fail(&error, "calculating");
        rc_cmd_show_caret(text, &error);
    }
    rc_value_expression_destroy(expression);
    end_names(&names);
    return status;
}

const struct rc_command rc_command_calc = {
    .name = "calc",
    .summary = "Calculate with stochastic values",
    .arguments = "EXPRESSION",
    .details =
        "An expression is a formula over numbers and distributions. Assignments may precede it: "
        "'x = normal(5, 1); x / (x + 2)'.\n\n"
        "Operators are + - * / ^ and brackets. Numbers may have a unit (64KiB, 100Mbit, 2.2Gf, "
        "50us, 1.5h, 40%). Results are in bytes, bytes/s, flop/s and seconds.\n\n"
        "Distributions are normal(mean, sd), interval(low, high), "
        "histogram(low:high:p, low:high:p, ...) and modal(mean:sd:p, mean:sd:p, ...), whose modes "
        "are normal. Functions are log, log2, log10, sqrt, exp and "
        "abs, and sum, max and min of any number of values.\n\n"
        "Each use of a name is the same quantity, so that x - x is 0. Histograms and modal "
        "values are an exception: operations treat them as independent. Use --as sample if that "
        "matters.\n\n"
        "series[HOST, METRIC] is a measured series of a host, and series[FROM, TO, METRIC] of a "
        "link. Its value is a sample of the series at random instants in the window that --window "
        "and --at select. All series are taken at the same instants, so that hosts that are busy "
        "at the same time stay correlated. With --as modal, its "
        "value is the modes of its samples in the window. max, min and sum can run over the hosts "
        "of --hosts: "
        "max(h in hosts: 10 / series[h, cpu]).\n\n"
        "--plot shows the density and the cumulative distribution of the result, with its mean "
        "and the interval of --level. It needs gnuplot.",
    .examples = "  runcast calc 'normal(12, 0.3) * 17' # the time of 17 steps\n"
                "  runcast calc 'normal(12, 0.3) * 17' --as interval\n"
                "  runcast calc '64MiB / interval(80Mbit, 100Mbit) + 50us'\n"
                "  runcast calc 'max(normal(5, 1), normal(4, 2))' --as sample --json\n"
                "  runcast calc 'exp(normal(0, 1))' --as sample --plot result.svg\n"
                "  runcast calc 'max(h in hosts: 60s / series[h, cpu])' --hosts 'a[1-4]'\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = calc_option_table,
    .options_size = sizeof(struct calc_options),
    .defaults = &defaults,
    .answers = {rc_answer_value},
    .run = run_calc,
};
