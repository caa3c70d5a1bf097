// SPDX-License-Identifier: GPL-3.0-or-later
/* local.c - 'runcast slowdown local': how much longer a program computes on a host that
 * it shares; and what is shown of one host. */
#include <math.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/core/value_report.h"
#include "cmd/slowdown/slowdown.h"
#include "report/cell.h"

#define DIFFER 0.01 /* from which on both results are shown */

struct local_options {
    struct rc_cmd_slowdown_options host;
    const char *db;
    bool json, explain;
};

static const struct local_options local_defaults = {.host = RC_SLOWDOWN_DEFAULT};

static const struct rc_option local_options[] = {
    RC_OPTIONS_SLOWDOWN(struct local_options, host),
    RC_OPTION_EXPLAIN(struct local_options),
    RC_OPTION_DB(struct local_options),
    RC_OPTION_JSON(struct local_options),
    RC_OPTIONS_END,
};

/* ---- what is shown of one host ---- */

int rc_cmd_slowdown_both(struct rc_cmd_slowdown *slowdown, struct rc_local_answers *both)
{
    struct rc_error error = {0}, why = {0};

    if (rc_slowdown_local_answers(&slowdown->host, slowdown->model, slowdown->model_given, both,
                                  &why, &error))
        return rc_cmd_fail(&error, "reckoning the slowdown");
    if (isnan(both->models[RC_LOCAL_QUEUE].slowdown) && both->method == RC_LOCAL_BY_PAPER)
        rc_cmd_note("what the queue says is not known: %s", why.text);
    rc_cmd_note_delay(slowdown->host.delay, both->answer.notes);
    return RC_EXIT_OK;
}

size_t rc_cmd_slowdown_equations(const struct rc_cmd_slowdown *slowdown,
                                 const struct rc_local_answers *both,
                                 struct rc_answer_equation equations[RC_LOCAL_MODELS])
{
    size_t n = 0;

    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        if (!isnan(both->models[model].slowdown))
            rc_answer_equation_local(&slowdown->host, &both->models[model],
                                     (enum rc_local_model)model, &equations[n++]);
    return n;
}

int rc_cmd_slowdown_explain(const struct rc_cmd_slowdown *slowdown,
                            const struct rc_local_answers *both, struct rc_error *error)
{
    const struct rc_local_host *host = &slowdown->host;
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    struct rc_answer_term terms[RC_LOCAL_TERMS_SHOWN + 1];
    size_t n = rc_cmd_slowdown_equations(slowdown, both, equations);
    char rate[RC_UNIT_SIZE];

    for (size_t i = 0; i < n; i++)
        printf("%s: %s\n", equations[i].name, equations[i].text);
    if (!isnan(host->bandwidth)) {
        rc_unit_format(host->bandwidth, RC_RATE, rate);
        printf("k = %s\n", rate);
    }
    if (host->n_competitors == 0)
        return 0;
    n = both->answer.computing.n + 1;
    if (n > RC_LOCAL_TERMS_SHOWN + 1) {
        printf("the probabilities of up to %zu at once are in the answer of --json\n",
               host->n_competitors);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        terms[i] = rc_answer_term_of(host, &both->answer, i);
    if (rc_field_table(stdout, rc_answer_term, terms, n, sizeof *terms, rc_cmd_width(), error))
        return -1;
    printf("i: so many competitors at once; pp: probability that they compute, and what that adds; "
           "pm: that they communicate, and the delay\n");
    return 0;
}

struct rc_answer_local rc_cmd_slowdown_answer(const struct rc_cmd_slowdown *slowdown,
                                              const struct rc_local_answers *both, bool whole)
{
    static const char *const cores_from[] = {"assumed", "given", "calibrated", "observed"};

    return (struct rc_answer_local){.model = whole ? rc_slowdown_local_methods[both->method] : NULL,
                                    .paper = both->models[RC_LOCAL_PAPER].slowdown,
                                    .queue = both->models[RC_LOCAL_QUEUE].slowdown,
                                    .cores_from = cores_from[slowdown->cores_from],
                                    .host = slowdown->host,
                                    .local = both->answer};
}

json_t *rc_cmd_slowdown_json(const struct rc_value *value, double level, double mean)
{
    struct rc_value_rules rules;
    json_t *object;

    rc_value_rules_init(&rules);
    object = rc_cmd_report_json(value, &rules, level);
    if (!isnan(mean))
        rc_json_set(object, "mean", rc_json_number(mean));
    return object;
}

void rc_cmd_slowdown_print(json_t *object, const struct rc_answer_equation *equations, size_t n)
{
    if (equations)
        rc_json_set(object, "equations",
                    rc_field_json_list(rc_answer_equation, equations, n, sizeof *equations));
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_cmd_print_json(object);
}

/* ---- the verb ---- */

static void show(const struct rc_cmd_slowdown *slowdown, const struct rc_local_answers *both,
                 const struct rc_value *value)
{
    double paper = both->models[RC_LOCAL_PAPER].slowdown,
           queue = both->models[RC_LOCAL_QUEUE].slowdown;
    char number[RC_NUMBER_SIZE], low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];
    size_t n = slowdown->host.n_competitors;

    rc_number_format_short(both->answer.slowdown, 4, number);
    printf("the program computes %s times as long beside %zu competitor%s", number, n,
           rc_cell_plural((long long)n, "s"));
    if (rc_value_kind(value) != RC_POINT) {
        rc_number_format_short(rc_value_low(value), 4, low);
        rc_number_format_short(rc_value_high(value), 4, high);
        printf(" (from %s to %s, by the ranges of their shares)", low, high);
    }
    printf("\n");
    if (fabs(queue / paper - 1) > DIFFER) {
        bool by_paper = both->method == RC_LOCAL_BY_PAPER;

        rc_number_format_short(by_paper ? queue : paper, 4, number);
        printf(by_paper ? "%s by the queue, where competitors are slowed down as well\n"
                        : "%s by Eq. 2, where competitors are taken not to be slowed down\n",
               number);
    }
}

static void write_json(const struct local_options *options, const struct rc_cmd_slowdown *slowdown,
                       const struct rc_local_answers *both, const struct rc_value *value)
{
    const struct rc_answer_local answer = rc_cmd_slowdown_answer(slowdown, both, true);
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    json_t *object = json_object();

    rc_json_set(object, "slowdown", rc_cmd_slowdown_json(value, 0.9, both->answer.slowdown));
    rc_field_add(object, rc_answer_local, &answer);
    rc_cmd_slowdown_print(object, options->explain ? equations : NULL,
                          rc_cmd_slowdown_equations(slowdown, both, equations));
}

/* On what took the place of Eq. 2, on what matters to predictions alone, and on cores. */
static void note_all(struct rc_cmd_slowdown *slowdown, const struct rc_local_answers *both,
                     bool observed)
{
    const struct rc_local_host *host = &slowdown->host;

    if (both->method == RC_LOCAL_BY_QUEUE && !slowdown->model_given)
        rc_cmd_note("competitors have weights, of which Eq. 2 knows nothing: the queue answers");
    if (both->method == RC_LOCAL_BY_SIMULATION)
        rc_cmd_note(
            "competitors have weights %s, of which no equation knows anything: it was played out",
            host->cores > 1 ? "on several cores" : "beside a shared link");
    rc_cmd_note_leaving(
        rc_observe_competitors_count(host->competitors, host->n_competitors, RC_COMPETITOR_LEAVES));
    if (!observed) /* nobody has meant anything by those */
        rc_cmd_note_cycles(rc_observe_competitors_count(host->competitors, host->n_competitors,
                                                        RC_COMPETITOR_CYCLES),
                           false);
    rc_cmd_slowdown_note_cores(slowdown);
}

static int answer(const struct local_options *options, struct rc_cmd_slowdown *slowdown)
{
    struct rc_error error = {0};
    struct rc_local_answers both;
    struct rc_value *value;
    int status = rc_cmd_slowdown_both(slowdown, &both);

    if (status != RC_EXIT_OK)
        return status;
    note_all(slowdown, &both, options->host.observed != NULL);
    value = rc_slowdown_local_value(&slowdown->host, slowdown->model, &error);
    if (!value) {
        status = rc_cmd_fail(&error, "reckoning the slowdown");
    } else if (options->json) {
        write_json(options, slowdown, &both, value);
    } else {
        show(slowdown, &both, value);
        if (options->explain && rc_cmd_slowdown_explain(slowdown, &both, &error))
            status = rc_cmd_fail(&error, "explaining");
    }
    rc_value_drop(value);
    rc_slowdown_local_answers_free(&both);
    return status;
}

static int run_local(struct rc_invocation *invocation)
{
    const struct local_options *options = invocation->options;
    struct rc_cmd_slowdown slowdown;
    int status;

    if (options->host.competitors.n == 0 && !options->host.observed)
        return rc_cmd_usage_text(invocation,
                                 "say beside whom: --competitor SHARES, or --observed FILE.json");
    status = rc_cmd_slowdown_read(invocation, &options->host, options->db, &slowdown);
    if (status == RC_EXIT_OK)
        status = answer(options, &slowdown);
    rc_cmd_slowdown_free(&slowdown);
    return status;
}

const struct rc_command rc_command_slowdown_local = {
    .name = "local",
    .summary = "How much longer a program computes on a host that it shares",
    .details = "Competitors compute and communicate for parts of their time, which are those when "
               "they have the host to themselves; the rest they do neither. Eq. 2 of Figueira and "
               "Berman (2001) gives the slowdown from how likely it is that several are at it at "
               "once. --model queue reckons with competitors that are slowed down as well.",
    .examples = "  runcast slowdown local -c 0.55:0.45 --bandwidth 0.45Mw/s --delay alpha-farm\n"
                "  runcast slowdown local -c 0.76:0.24,count=2 --delay 0.25 --explain\n"
                "  runcast slowdown local --observed seen.json --cores 8 --processes 4\n",
    .options = local_options,
    .options_size = sizeof(struct local_options),
    .defaults = &local_defaults,
    .run = run_local,
};
