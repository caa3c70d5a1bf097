// SPDX-License-Identifier: GPL-3.0-or-later
/* local.c - 'runcast slowdown local': slowdown of computing on a shared host. */
#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cmd/slowdown/slowdown.h"
#include "report/cell.h"

#define DIFFER 0.01 /* relative difference from which both results are shown */

struct local_options {
    struct rc_cmd_slowdown_options host;
    const char *db;
    bool json, explain;
};

static const struct local_options local_defaults = {.host = RC_SLOWDOWN_DEFAULT};

static const struct rc_option local_options[] = {
    RC_OPTIONS_SLOWDOWN(struct local_options, host),
    RC_OPTION_SLOWDOWN_MODEL(struct local_options, host.model),
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
    printf("slowdown of computing by %zu competitor%s: %s", n, rc_cell_plural((long long)n, "s"),
           number);
    if (rc_value_kind(value) != RC_POINT) {
        rc_number_format_short(rc_value_low(value), 4, low);
        rc_number_format_short(rc_value_high(value), 4, high);
        printf(" (%s to %s, from the ranges of shares)", low, high);
    }
    printf("\n");
    if (fabs(queue / paper - 1) > DIFFER) {
        bool by_paper = both->method == RC_LOCAL_BY_PAPER;

        rc_number_format_short(by_paper ? queue : paper, 4, number);
        printf(by_paper ? "by the queueing model, which slows down competitors, too: %s\n"
                        : "by Eq. 2, which does not slow down competitors: %s\n",
               number);
    }
}

static void write_json(const struct local_options *options, const struct rc_cmd_slowdown *slowdown,
                       const struct rc_local_answers *both, const struct rc_value *value)
{
    struct rc_answer_equation equations[RC_LOCAL_MODELS];
    size_t n = rc_cmd_slowdown_equations(slowdown, both, equations);
    struct rc_answer_slowdown_local answer = {
        .slowdown = rc_cmd_slowdown_json(value, 0.9, both->answer.slowdown),
        .local = rc_cmd_slowdown_answer(slowdown, both, true),
        .end = rc_cmd_slowdown_end(options->explain ? equations : NULL, n)};

    rc_cmd_print_json(rc_field_json(rc_answer_slowdown_local, &answer));
    json_decref(answer.slowdown);
    rc_cmd_slowdown_end_free(&answer.end);
}

/* On the method, on settings that only predictions use, and on cores. */
static void note_all(struct rc_cmd_slowdown *slowdown, const struct rc_local_answers *both,
                     bool observed)
{
    const struct rc_local_host *host = &slowdown->host;

    if (both->method == RC_LOCAL_BY_QUEUE && !slowdown->model_given)
        rc_cmd_note("Eq. 2 has no weights: the queueing model is used");
    if (both->method == RC_LOCAL_BY_SIMULATION)
        rc_cmd_note("no equation for weights %s: the slowdown is from a simulation",
                    host->cores > 1 ? "on several cores" : "with a shared link");
    rc_cmd_note_leaving(
        rc_observe_competitors_count(host->competitors, host->n_competitors, RC_COMPETITOR_LEAVES));
    if (!observed) /* the user did not write those */
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
        status = rc_cmd_fail(&error, "computing the slowdown");
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
                                 "no competitors; use --competitor SHARES or --observed FILE");
    status = rc_cmd_slowdown_read(invocation, &options->host, options->db, &slowdown);
    if (status == RC_EXIT_OK)
        status = answer(options, &slowdown);
    rc_cmd_slowdown_free(&slowdown);
    return status;
}

const struct rc_command rc_command_slowdown_local = {
    .name = "local",
    .summary = "Compute the slowdown of computing on a shared host",
    .details =
        "Each competitor computes and communicates for shares of its time, as it would on an "
        "idle host. The slowdown follows from the probabilities that several do so at once "
        "(Eq. 2 of Figueira and Berman, 2001). With --model queue, competitors slow down "
        "one another, too.",
    .examples = "  runcast slowdown local --competitor 0.55:0.45 --delay 0.25 --cores 1\n"
                "  runcast slowdown local --competitor 0.76:0.24,count=2 --delay 0.25 --explain\n"
                "  runcast slowdown local --observed observed.json --cores 8 --procs 4\n",
    .options = local_options,
    .options_size = sizeof(struct local_options),
    .defaults = &local_defaults,
    .answers = {rc_answer_slowdown_local},
    .run = run_local,
};
