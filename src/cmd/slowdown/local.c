// SPDX-License-Identifier: GPL-3.0-or-later
/* local.c - 'runcast slowdown local': how much longer a program computes on a host that it
 * shares. */
#include <math.h>

#include "base/json.h"
#include "base/number.h"
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
