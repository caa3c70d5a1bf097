// SPDX-License-Identifier: GPL-3.0-or-later
/* split_show.c - what 'runcast split' shows, for people. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/split/split.h"

static const char *const idle_words[] = {"as you say", "by its regression model",
                                         "by its structural model", ""};
static const char *const speed_words[] = {[RC_CMD_SPEEDS_ALIKE] = NULL,
                                          [RC_CMD_SPEEDS_SAID] = "as you say",
                                          [RC_CMD_SPEEDS_PLATFORM] = "by the platform",
                                          [RC_CMD_SPEEDS_RUNS] =
                                              "by runs of it on each of them alone",
                                          [RC_CMD_SPEEDS_MODEL] = "by its structural model"};

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

static void print_time(const char *before, const struct rc_value *time)
{
    print_seconds(before, rc_value_mean(time), "");
    print_seconds(" (90 %: ", rc_value_quantile(time, RC_CMD_SPLIT_LOW), "");
    print_seconds(" to ", rc_value_quantile(time, RC_CMD_SPLIT_HIGH), ")");
}

/* What the interval has in it. */
static void print_error(const struct rc_cmd_split *asked)
{
    char percent[RC_NUMBER_SIZE];

    rc_number_format_short(100 * asked->question.error.sd, 2, percent);
    if (asked->question.error.known)
        printf(", with a model error of %s %%", percent);
    else
        printf(", by the load alone");
}

static void print_answer(const struct rc_cmd_split *asked)
{
    const struct rc_split_plan *plan = chosen(asked);
    const char *left = asked->options->running ? " that are left" : "";

    if (asked->options->running && asked->question.waits == RC_ADVISE_OFTEN)
        left = " for the rest of the run";
    printf("%s, %" PRId64 " unit%s%s on %zu host%s, by %s", asked->options->app,
           asked->question.units, asked->question.units == 1 ? "" : "s", left, asked->list.count,
           asked->list.count == 1 ? "" : "s", rc_split_policy_name(asked->policy));
    if (!isnan(plan->factor)) {
        char factor[RC_NUMBER_SIZE];

        rc_number_format_short(plan->factor, 3, factor);
        printf(" (tuning factor %s)", factor);
    }
    if (plan->time) {
        print_time(": ", plan->time);
        print_error(asked);
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
    static const struct rc_column columns[] = {{.title = "host"},
                                               {.title = "CPU", .right = true},
                                               {.title = "sd", .right = true},
                                               {.title = "last", .right = true},
                                               {.title = "foreseen", .right = true},
                                               {.title = "share", .right = true},
                                               {.title = "units", .right = true},
                                               {.title = "ends after", .right = true}};
    const struct rc_split_plan *plan = chosen(asked);
    struct rc_table *table =
        rc_table_create(stdout, columns, sizeof columns / sizeof *columns, rc_cmd_width());

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

double rc_cmd_split_share(const struct rc_cmd_split *asked, size_t h, int64_t process)
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

            format_share(asked, rc_cmd_split_share(asked, h, i), text);
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

/* ---- the split that there is ---- */

static void list_units(const struct rc_cmd_split *asked, const struct rc_split_plan *plan,
                       char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t h = 0; h < asked->list.count && used + 24 < size; h++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRId64, h ? "," : "", plan->units[h]);
}

/* What moving to the chosen split saves, if moving cost nothing. */
static void print_current(const struct rc_cmd_split *asked)
{
    const struct rc_split_plan *current = &asked->split.plans[RC_POLICY_CURRENT];
    char units[200], percent[RC_NUMBER_SIZE];
    double stays, saves;

    if (!current->there)
        return;
    list_units(asked, current, units, sizeof units);
    printf("with the current split, of %s units", units);
    if (!current->time || !chosen(asked)->time) {
        printf(": how long the rest takes is not known, nor what moving saves\n");
        return;
    }
    stays = rc_value_mean(current->time);
    saves = stays - rc_value_mean(chosen(asked)->time);
    print_time(": ", current->time);
    rc_number_format_short(100 * saves / stays, 2, percent);
    if (saves > 0) {
        print_seconds("; moving saves ", saves, "");
        printf(" (%s %%), less what it costs to move the data\n", percent);
    } else {
        printf("; moving saves nothing\n");
    }
}

/* ---- why ---- */

static int print_policies(const struct rc_cmd_split *asked, struct rc_error *error)
{
    static const struct rc_column columns[] = {{.title = "policy"},
                                               {.title = "factor", .right = true},
                                               {.title = "mean time", .right = true},
                                               {.title = "95 % within", .right = true},
                                               {.title = "units", .wrap = true}};
    struct rc_table *table =
        rc_table_create(stdout, columns, sizeof columns / sizeof *columns, rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (int policy = 0; policy < RC_POLICIES; policy++) {
        const struct rc_split_plan *plan = &asked->split.plans[policy];
        char units[200];

        if (!plan->there)
            continue;
        list_units(asked, plan, units, sizeof units);
        rc_table_text(table, rc_split_policy_name((enum rc_policy)policy));
        short_cell(table, plan->factor, 3);
        seconds_cell(table, plan->time ? rc_value_mean(plan->time) : (double)NAN);
        seconds_cell(table,
                     plan->time ? rc_value_quantile(plan->time, RC_CMD_SPLIT_HIGH) : (double)NAN);
        rc_table_text(table, units);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

/* Where times and speeds come from, and how good they are. */
static void print_sources(const struct rc_cmd_split *asked)
{
    char percent[RC_NUMBER_SIZE];

    if (asked->idle == RC_CMD_IDLE_UNKNOWN) {
        printf("How long the run takes is not known, so only paces are compared: %s.\n",
               asked->why);
    } else {
        print_seconds("With the same work on each host, the run takes ", asked->idle_time,
                      " when they are idle, ");
        printf("%s.\n", idle_words[asked->idle]);
        rc_number_format_short(100 * asked->question.error.sd, 2, percent);
        if (asked->question.error.known)
            printf("That errs by %s %% (a standard deviation), which is in the times.\n", percent);
        else
            printf("How far off that may be is not known: the times vary with the load alone.\n");
    }
    if (speed_words[asked->speeds])
        printf("How fast hosts are is %s.\n", speed_words[asked->speeds]);
}

/* Why another policy may come out ahead of the one that searches. */
static void print_way(const struct rc_split *split)
{
    if (split->paths && split->way < 1)
        printf("From the split by %s to the best on these futures, optimal goes %.0f %% of the "
               "way: the past\nis as long as %.0f of them, and what is gained may be by chance. "
               "(quantile goes all of its way.)\n",
               rc_split_policy_name(split->way_from), 100 * split->way, split->lengths);
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
    print_sources(asked);
    if (split->paths && isinf(split->seconds))
        printf("Loads are taken to stay as they are%s.\n",
               split->steady ? ": the past is too short to know how they change" : "");
    else if (split->paths)
        print_seconds("All splits are tried on the same futures, which go as far as ",
                      split->seconds, ".\n");
    print_way(split);
    printf("Processes wait for one another %s.\n",
           asked->question.waits == RC_ADVISE_ONCE ? "once, at the end"
                                                   : "often: at each instant the slowest counts");
    return 0;
}

int rc_cmd_split_show(const struct rc_cmd_split *asked, struct rc_error *error)
{
    if (asked->options->json) {
        rc_cmd_split_json(asked);
        return 0;
    }
    print_answer(asked);
    if (print_hosts(asked, error))
        return -1;
    print_line(asked);
    print_current(asked);
    return print_why(asked, error);
}
