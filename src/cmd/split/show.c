// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - the output of 'runcast split'. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "answer/split_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "cmd/split/split.h"

/* Sources in JSON, and for people. */
struct source {
    const char *key, *text;
};
static const struct source dedicated_sources[] = {
    [RC_DEDICATED_GIVEN] = {"given", "given by --dedicated"},
    [RC_DEDICATED_MODEL] = {"regression", "by the regression model"},
    [RC_DEDICATED_STRUCTURE] = {"structural", "by the structural model"},
    [RC_DEDICATED_UNKNOWN] = {"unknown", ""},
};
static const struct source speed_sources[] = {
    [RC_SPEEDS_ALIKE] = {"equal", NULL},
    [RC_SPEEDS_GIVEN] = {"given", "given by --speed"},
    [RC_SPEEDS_PLATFORM] = {"platform", "by the platform file"},
    [RC_SPEEDS_RUNS] = {"runs", "by runs on one host each"},
    [RC_SPEEDS_MODEL] = {"structural", "by the structural model"},
};

static const struct rc_split_plan *chosen(const struct rc_cmd_split *asked)
{
    return &asked->split.plans[asked->policy];
}

/* With enough digits for a program to compute the same whole units. */
static void format_share(const struct rc_cmd_split *asked, double share, char text[RC_NUMBER_SIZE])
{
    double finest = (double)asked->question.units * (double)asked->list.count *
                    (double)asked->options->per_host;

    rc_number_format_short(share, finest < 1e5 ? 6 : 15, text);
}

/* Of the chosen policy: the share of one of the processes of a host, which share its work as evenly
 * as whole units can be. */
static double share_of(const struct rc_cmd_split *asked, size_t h, int64_t process)
{
    int64_t units = chosen(asked)->units[h], each = units / asked->options->per_host;

    return (double)(each + (process < units % asked->options->per_host)) /
           (double)asked->question.units;
}

/* ---- for people ---- */

static void print_seconds(const char *before, double seconds, const char *after)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    printf("%s%s%s", before, text, after);
}

static struct rc_answer_split_policy answer_of(const struct rc_cmd_split *asked,
                                               enum rc_policy policy)
{
    return rc_answer_split_policy_of(&asked->question, &asked->split, policy);
}

/* Without an interval, where nothing is known of the spread. */
static void print_time(const char *label, const struct rc_answer_split_policy *time)
{
    print_seconds(label, time->predicted, "");
    if (isnan(time->low))
        return;
    print_seconds(" (90 % interval: ", time->low, "");
    print_seconds(" to ", time->high, ")");
}

/* Why the load has no spread. */
static const char *load_unknown(const struct rc_cmd_split *asked)
{
    bool sampled = false;

    for (size_t h = 0; h < asked->list.count; h++)
        sampled |= asked->split.facts[h].known;
    return !sampled              ? "no samples of the load"
           : asked->split.steady ? "too few samples of the load"
                                 : "the load did not vary";
}

/* The errors that the interval includes; or what is missing for one. */
static void print_error(const struct rc_cmd_split *asked, const struct rc_answer_split_policy *time)
{
    char percent[RC_NUMBER_SIZE];

    rc_number_format_short(100 * asked->question.error.sd, 2, percent);
    if (isnan(time->low))
        printf(" (interval: unknown; %s, and %s)", load_unknown(asked),
               asked->question.error.known                         ? "the model error is 0"
               : asked->paces.dedicated_from == RC_DEDICATED_GIVEN ? "the error of --dedicated is "
                                                                     "unknown"
                                                                   : "the model error is unknown");
    else if (asked->question.error.known)
        printf(", with a model error of %s %%", percent);
    else
        printf(", from the load only");
}

static void print_answer(const struct rc_cmd_split *asked)
{
    const struct rc_split_plan *plan = chosen(asked);
    const struct rc_answer_split_policy time = answer_of(asked, asked->policy);
    const char *left = asked->options->running ? " remaining" : "";

    if (asked->options->running && asked->question.coupling == RC_COUPLING_TIGHT)
        left = " for the rest of the run";
    printf("%s, %" PRId64 " unit%s%s on %zu host%s, policy %s", asked->options->app,
           asked->question.units, asked->question.units == 1 ? "" : "s", left, asked->list.count,
           asked->list.count == 1 ? "" : "s", rc_split_policy_name(asked->policy));
    if (!isnan(plan->factor)) {
        char factor[RC_NUMBER_SIZE];

        rc_number_format_short(plan->factor, 3, factor);
        printf(" (tuning factor %s)", factor);
    }
    printf("\n");
    if (plan->time) {
        print_time(asked->options->running ? "predicted remaining time: " : "predicted run time: ",
                   &time);
        print_error(asked, &time);
        printf("\n");
    }
}

/* Programs take no share of 0: hosts without work are left out. */
static void print_line(const struct rc_cmd_split *asked)
{
    const char *before = "", *left_out = "without";

    printf("--split ");
    for (size_t h = 0; h < asked->list.count; h++)
        for (int64_t i = 0; i < asked->options->per_host && chosen(asked)->units[h] > 0; i++) {
            char text[RC_NUMBER_SIZE];

            format_share(asked, share_of(asked, h, i), text);
            printf("%s%s", before, text);
            before = ",";
        }
    printf("\n");
    for (size_t h = 0; h < asked->list.count; h++)
        if (chosen(asked)->units[h] == 0) {
            printf("%s %s", left_out, asked->list.names[h]);
            left_out = "";
        }
    if (!*left_out)
        printf(" (no work): start the program on the other hosts only\n");
}

/* ---- the current division ---- */

/* What moving to the chosen division saves, without the cost of moving. */
static void print_current(const struct rc_cmd_split *asked)
{
    const struct rc_split_plan *current = &asked->split.plans[RC_POLICY_CURRENT];
    struct rc_answer_split_policy time;
    char percent[RC_NUMBER_SIZE];
    double stays, saves;

    if (!current->there)
        return;
    time = answer_of(asked, RC_POLICY_CURRENT);
    printf("current division: %s units", time.units);
    if (!current->time || !chosen(asked)->time) {
        printf("; its remaining time, and what moving saves, are unknown\n");
        return;
    }
    stays = rc_value_mean(current->time);
    saves = stays - rc_value_mean(chosen(asked)->time);
    print_time("; predicted remaining time: ", &time);
    rc_number_format_short(100 * saves / stays, 2, percent);
    if (saves > 0) {
        print_seconds("\nmoving saves: ", saves, "");
        printf(" on average (%s %%), less the time to move the data\n", percent);
    } else {
        printf("\nmoving saves: nothing\n");
    }
}

/* ---- explanation ---- */

/* Sources of times and speeds, and their errors. */
static void print_sources(const struct rc_cmd_split *asked)
{
    char percent[RC_NUMBER_SIZE];

    if (asked->paces.dedicated_from == RC_DEDICATED_UNKNOWN) {
        printf("dedicated run time: unknown, so only speeds are compared: %s\n", asked->paces.why);
    } else {
        print_seconds("dedicated run time, with equal work on each host: ", asked->paces.dedicated,
                      "");
        printf(" (%s)\n", dedicated_sources[asked->paces.dedicated_from].text);
        rc_number_format_short(100 * asked->question.error.sd, 2, percent);
        if (asked->question.error.known)
            printf("model error: %s %% (standard deviation), included in the intervals\n", percent);
        else
            printf("model error: unknown%s\n",
                   isnan(answer_of(asked, asked->policy).low)
                       ? ""
                       : "; the intervals include only the variation of the load");
    }
    if (speed_sources[asked->paces.speeds].text)
        printf("speeds of hosts: %s\n", speed_sources[asked->paces.speeds].text);
}

/* `optimal` is shrunk towards a policy that the past supports. */
static void print_shrinkage(const struct rc_split *split)
{
    if (split->paths && split->weight < 1)
        printf("shrinkage: optimal has weight %.0f %% on the best division of these scenarios, and "
               "the rest on\n  that by %s, since the past is only %.0f times as long as they are "
               "(quantile is not shrunk)\n",
               100 * split->weight, rc_split_policy_name(split->weight_from), split->lengths);
}

static int print_why(const struct rc_cmd_split *asked, const struct rc_answer_split *answer,
                     struct rc_error *error)
{
    const struct rc_split *split = &asked->split;

    printf("\n");
    if (rc_field_table(stdout, rc_answer_split_policy, answer->policies, answer->n_policies,
                       sizeof *answer->policies, rc_cmd_width(), error))
        return -1;
    printf("\n");
    print_sources(asked);
    if (split->paths && isinf(split->seconds))
        printf("load scenarios: constant%s\n",
               split->steady ? ", since the past is too short to forecast changes" : "");
    else if (split->paths)
        print_seconds("load scenarios: the same for all policies, each ", split->seconds, "\n");
    print_shrinkage(split);
    printf("coupling: %s\n", asked->question.coupling == RC_COUPLING_LOOSE
                                 ? "loose: processes wait for one another once, at the end"
                                 : "tight: at each time, the slowest host determines the speed");
    return 0;
}

static int print_all(const struct rc_cmd_split *asked, const struct rc_answer_split *answer,
                     struct rc_error *error)
{
    print_answer(asked);
    if (rc_field_table(stdout, rc_answer_split_host, answer->hosts, answer->n_hosts,
                       sizeof *answer->hosts, rc_cmd_width(), error))
        return -1;
    print_line(asked);
    print_current(asked);
    return asked->options->explain ? print_why(asked, answer, error) : 0;
}

/* ---- for programs ---- */

static void print_json(const struct rc_cmd_split *asked, struct rc_answer_split *answer)
{
    const struct rc_cmd_split_options *options = asked->options;
    const struct rc_value *stays = asked->split.plans[RC_POLICY_CURRENT].time;
    const struct rc_value *moves = chosen(asked)->time;

    answer->app = options->app;
    answer->size = options->size;
    answer->params = asked->params;
    answer->n_params = asked->n_params;
    answer->per_host = options->per_host;
    answer->speeds_from = speed_sources[asked->paces.speeds].key;
    answer->policy = rc_split_policy_name(asked->policy);
    answer->coupling = options->coupling;
    answer->start = asked->question.at;
    answer->confidence = asked->question.quantile;
    answer->units = asked->question.units;
    answer->done = asked->all_done;
    answer->dedicated = asked->paces.dedicated;
    answer->dedicated_from = dedicated_sources[asked->paces.dedicated_from].key;
    answer->model_error = asked->question.error.known ? asked->question.error.sd : (double)NAN;
    answer->current = asked->split.plans[RC_POLICY_CURRENT].there;
    answer->moving_saves =
        stays && moves ? rc_value_mean(stays) - rc_value_mean(moves) : (double)NAN;
    answer->split = asked->split;
    if (asked->split.weight < 1)
        answer->optimal_from = rc_split_policy_name(asked->split.weight_from);
    answer->shares = json_array();
    for (size_t h = 0; h < asked->list.count; h++)
        for (int64_t i = 0; i < options->per_host; i++)
            json_array_append_new(answer->shares, rc_json_number(share_of(asked, h, i)));
    answer->notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_split, answer));
    json_decref(answer->shares);
    json_decref(answer->notes);
}

int rc_cmd_split_show(const struct rc_cmd_split *asked, struct rc_error *error)
{
    size_t n = asked->list.count;
    struct rc_answer_split_host *hosts = calloc(n, sizeof *hosts);
    struct rc_answer_split_policy policies[RC_POLICIES];
    struct rc_answer_split answer = {.hosts = hosts, .n_hosts = n, .policies = policies};
    int status = 0;

    if (!hosts)
        return rc_error_no_memory(error);
    for (size_t h = 0; h < n; h++)
        hosts[h] = rc_answer_split_host_of(&asked->question, &asked->split, asked->policy,
                                           asked->list.names[h], h);
    for (int policy = 0; policy < RC_POLICIES; policy++)
        if (asked->split.plans[policy].there)
            policies[answer.n_policies++] = answer_of(asked, (enum rc_policy)policy);
    if (asked->options->json)
        print_json(asked, &answer);
    else
        status = print_all(asked, &answer, error);
    free(hosts);
    return status;
}
