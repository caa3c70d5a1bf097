// SPDX-License-Identifier: GPL-3.0-or-later
/* split_show.c - what 'runcast split' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/table.h"
#include "base/unit.h"
#include "cmd/split.h"

static const char *const idle_names[] = {"given", "model", "structure", "unknown"};
static const char *const idle_words[] = {"as you say", "by its regression model",
                                         "by its structural model", ""};
static const double low = 0.05, high = 0.95; /* of the interval that is told */

static const struct rc_split_plan *chosen(const struct rc_cmd_split *asked)
{
    return &asked->split.plans[asked->policy];
}

static double share_of(const struct rc_cmd_split *asked, const struct rc_split_plan *plan, size_t h)
{
    return (double)plan->units[h] / (double)asked->question.units;
}

/* As many digits as it takes for a program to come to the same whole units. */
static void format_share(const struct rc_cmd_split *asked, double share, char text[RC_NUMBER_SIZE])
{
    double finest = (double)asked->question.units * (double)asked->list.count *
                    (double)asked->options->per_host;

    rc_number_format_short(share, finest < 1e5 ? 6 : 15, text);
}

static size_t without_work(const struct rc_cmd_split *asked)
{
    size_t n = 0;

    for (size_t h = 0; h < asked->list.count; h++)
        n += chosen(asked)->units[h] == 0;
    return n;
}

/* ---- for people ---- */

static void print_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

static void print_answer(const struct rc_cmd_split *asked)
{
    const struct rc_split_plan *plan = chosen(asked);
    const char *left = asked->options->running ? " that are left" : "";

    if (asked->options->running && asked->question.waits == RC_ADVISE_OFTEN)
        left = " for the rest of the run";
    printf("%s, %" PRId64 " unit%s%s on %zu host%s, by %s", asked->options->app,
           asked->question.units, asked->question.units == 1 ? "" : "s", left, asked->list.count,
           asked->list.count == 1 ? "" : "s", rc_policy_name(asked->policy));
    if (!isnan(plan->factor)) {
        char factor[RC_NUMBER_SIZE];

        rc_number_format_short(plan->factor, 3, factor);
        printf(" (tuning factor %s)", factor);
    }
    if (plan->time) {
        print_seconds(": ", rc_value_mean(plan->time), "");
        print_seconds(" (90 %: ", rc_value_quantile(plan->time, low), "");
        print_seconds(" to ", rc_value_quantile(plan->time, high), ")");
    }
    printf("\n");
}

static void short_cell(struct rc_table *table, double value, int digits)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format_short(value, digits, text);
    rc_table_text(table, isnan(value) ? "-" : text);
}

static void seconds_cell(struct rc_table *table, double seconds)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    rc_table_text(table, text);
}

static int print_hosts(const struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct rc_column columns[] = {
        {.title = "host"},                   {.title = "CPU", .right = true},
        {.title = "sd", .right = true},      {.title = "last", .right = true},
        {.title = "foreseen", .right = true}, {.title = "share", .right = true},
        {.title = "units", .right = true},   {.title = "ends after", .right = true}};
    const struct rc_split_plan *plan = chosen(asked);
    struct rc_table *table = rc_table_create(stdout, columns, sizeof columns / sizeof *columns,
                                             rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < asked->list.count; h++) {
        const struct rc_split_fact *fact = &asked->split.facts[h];

        rc_table_text(table, asked->list.names[h]);
        short_cell(table, fact->known ? fact->mean : (double)NAN, 3);
        short_cell(table, fact->known ? fact->sd : (double)NAN, 2);
        short_cell(table, fact->known ? fact->last : (double)NAN, 3);
        short_cell(table, fact->known ? fact->forecast : (double)NAN, 3);
        short_cell(table, share_of(asked, plan, h), 3);
        rc_table_integer(table, plan->units[h]);
        seconds_cell(table, plan->time ? plan->alone[h] : (double)NAN);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

/* The processes of a host share its work as evenly as whole units can be. */
static double share_of_process(const struct rc_cmd_split *asked, size_t h, int64_t process)
{
    int64_t units = chosen(asked)->units[h], each = units / asked->options->per_host;

    return (double)(each + (process < units % asked->options->per_host)) /
           (double)asked->question.units;
}

/* Programs take no share of 0: whoever has no work is left out. */
static void print_line(const struct rc_cmd_split *asked)
{
    const char *before = "";

    printf("--split ");
    for (size_t h = 0; h < asked->list.count; h++)
        for (int64_t i = 0; i < asked->options->per_host && chosen(asked)->units[h] > 0; i++) {
            char text[RC_NUMBER_SIZE];

            format_share(asked, share_of_process(asked, h, i), text);
            printf("%s%s", before, text);
            before = ",";
        }
    printf("\n");
    if (without_work(asked) == 0)
        return;
    printf("without");
    for (size_t h = 0; h < asked->list.count; h++)
        if (chosen(asked)->units[h] == 0)
            printf(" %s", asked->list.names[h]);
    printf(", which would get no work: start the program on the others only\n");
}

/* ---- why ---- */

static int print_policies(const struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct rc_column columns[] = {
        {.title = "policy"},
        {.title = "factor", .right = true},
        {.title = "mean time", .right = true},
        {.title = "95 % within", .right = true},
        {.title = "units", .wrap = true}};
    struct rc_table *table = rc_table_create(stdout, columns, sizeof columns / sizeof *columns,
                                             rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (int policy = 0; policy < RC_POLICIES; policy++) {
        const struct rc_split_plan *plan = &asked->split.plans[policy];
        char units[200] = "";
        size_t used = 0;

        if (!plan->there)
            continue;
        for (size_t h = 0; h < asked->list.count && used + 24 < sizeof units; h++)
            used += (size_t)snprintf(units + used, sizeof units - used, "%s%" PRId64,
                                     h ? "," : "", plan->units[h]);
        rc_table_text(table, rc_policy_name((enum rc_policy)policy));
        short_cell(table, plan->factor, 3);
        seconds_cell(table, plan->time ? rc_value_mean(plan->time) : (double)NAN);
        seconds_cell(table, plan->time ? rc_value_quantile(plan->time, high) : (double)NAN);
        rc_table_text(table, units);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

static int print_why(const struct rc_cmd_split *asked, struct rc_error *error)
{
    const struct rc_split *split = &asked->split;

    if (!asked->options->explain)
        return 0;
    printf("\n");
    if (print_policies(asked, error))
        return -1;
    printf("\n");
    if (asked->idle == RC_CMD_IDLE_UNKNOWN)
        printf("How long the run takes is not known, so only paces are compared: %s.\n",
               asked->why);
    else
        print_seconds("With the same work on each host, the run takes ", asked->idle_time,
                      " when they are idle, ");
    if (asked->idle != RC_CMD_IDLE_UNKNOWN)
        printf("%s.\n", idle_words[asked->idle]);
    if (asked->speeds_of_runs)
        printf("How fast hosts are is by runs of it on each of them alone.\n");
    if (split->paths && isinf(split->seconds))
        printf("Loads are taken to stay as they are%s.\n",
               split->steady ? ": the past is too short to know how they change" : "");
    else if (split->paths)
        print_seconds("All splits are tried on the same futures, which go as far as ",
                      split->seconds, ".\n");
    printf("Processes wait for one another %s.\n",
           asked->question.waits == RC_ADVISE_ONCE ? "once, at the end"
                                                   : "often: at each instant the slowest counts");
    return 0;
}

/* ---- for programs ---- */

static json_t *host_json(const struct rc_cmd_split *asked, size_t h)
{
    const struct rc_split_fact *fact = &asked->split.facts[h];
    const struct rc_split_plan *plan = chosen(asked);
    json_t *object = json_object();

    rc_json_set(object, "host", rc_json_text(asked->list.names[h]));
    rc_json_set(object, "known", json_boolean(fact->known));
    rc_json_set(object, "mean", rc_json_number(fact->mean));
    rc_json_set(object, "sd", rc_json_number(fact->sd));
    rc_json_set(object, "last", rc_json_number(fact->last));
    rc_json_set(object, "forecast", rc_json_number(fact->forecast));
    rc_json_set(object, "tuning_value", rc_json_number(fact->value));
    rc_json_set(object, "share", rc_json_number(share_of(asked, plan, h)));
    rc_json_set(object, "units", json_integer(plan->units[h]));
    rc_json_set(object, "seconds", rc_json_number(plan->time ? plan->alone[h] : (double)NAN));
    return object;
}

static json_t *policy_json(const struct rc_cmd_split *asked, enum rc_policy policy)
{
    const struct rc_split_plan *plan = &asked->split.plans[policy];
    json_t *object = json_object(), *units = json_array();

    for (size_t h = 0; h < asked->list.count; h++)
        json_array_append_new(units, json_integer(plan->units[h]));
    rc_json_set(object, "units", units);
    rc_json_set(object, "factor", rc_json_number(plan->factor));
    if (!plan->time)
        return object;
    rc_json_set(object, "mean", rc_json_number(rc_value_mean(plan->time)));
    rc_json_set(object, "sd", rc_json_number(rc_value_sd(plan->time)));
    rc_json_set(object, "lo90", rc_json_number(rc_value_quantile(plan->time, low)));
    rc_json_set(object, "hi90", rc_json_number(rc_value_quantile(plan->time, high)));
    if (!isnan(asked->question.quantile))
        rc_json_set(object, "at_quantile",
                    rc_json_number(rc_value_quantile(plan->time, asked->question.quantile)));
    return object;
}

static void write_json(const struct rc_cmd_split *asked)
{
    json_t *object = json_object(), *hosts = json_array(), *policies = json_object();
    json_t *split = json_array();

    for (size_t h = 0; h < asked->list.count; h++) {
        json_array_append_new(hosts, host_json(asked, h));
        for (int64_t i = 0; i < asked->options->per_host; i++)
            json_array_append_new(split, rc_json_number(share_of_process(asked, h, i)));
    }
    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (asked->split.plans[policy].there)
            rc_json_set(policies, rc_policy_name((enum rc_policy)policy),
                        policy_json(asked, (enum rc_policy)policy));
    rc_json_set(object, "app", rc_json_text(asked->options->app));
    rc_json_set(object, "n", rc_json_number(asked->options->size));
    rc_json_set(object, "per_host", json_integer(asked->options->per_host));
    rc_json_set(object, "speeds_of_runs", json_boolean(asked->speeds_of_runs));
    rc_json_set(object, "policy", rc_json_text(rc_policy_name(asked->policy)));
    rc_json_set(object, "waits", rc_json_text(asked->options->waits));
    rc_json_set(object, "start", rc_json_number(asked->question.at));
    rc_json_set(object, "units", json_integer(asked->question.units));
    rc_json_set(object, "done", rc_json_number(asked->all_done));
    rc_json_set(object, "idle_time", rc_json_number(asked->idle_time));
    rc_json_set(object, "idle_time_from", rc_json_text(idle_names[asked->idle]));
    rc_json_set(object, "horizon", rc_json_number(asked->split.seconds));
    rc_json_set(object, "steady", json_boolean(asked->split.steady));
    rc_json_set(object, "split", split);
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "policies", policies);
    rc_json_write(stdout, object, true);
    json_decref(object);
}

int rc_cmd_split_show(const struct rc_cmd_split *asked, struct rc_error *error)
{
    if (asked->options->json) {
        write_json(asked);
        return 0;
    }
    print_answer(asked);
    if (print_hosts(asked, error))
        return -1;
    print_line(asked);
    return print_why(asked, error);
}
