// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - what 'runcast advise' shows, for people and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/unit.h"
#include "answer/advise_fields.h"
#include "cmd/advise/advise.h"
#include "cmd/core/time_limit.h"

static bool has_costs(const struct rc_cmd_advise *asked)
{
    for (size_t c = 0; c < asked->platform->n_clusters; c++)
        if (!isnan(asked->advice.clusters[c].cost))
            return true;
    return false;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "es";
}

/* ---- nothing can be chosen ---- */

int rc_cmd_advise_none(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_advised *nearest = &asked->advice.search.list[0];
    const struct rc_aim *aim = &asked->advice.aim;
    char *hosts = rc_place_advice_name(&asked->advice, &nearest->candidate, error);
    char deadline[RC_UNIT_SIZE], median[RC_UNIT_SIZE];
    char budget[RC_ADVISE_COST], cost[RC_ADVISE_COST];
    long long procs = (long long)nearest->candidate.procs;

    if (!hosts)
        return -1;
    rc_unit_format_apart(aim->deadline, nearest->predicted, RC_SECONDS, deadline, median);
    rc_place_advised_cost(aim->budget, aim, true, budget);
    rc_place_advised_cost(nearest->cost, aim, true, cost);
    if (!nearest->in_budget) {
        rc_error_set(error, "every candidate exceeds --budget %s", budget);
        rc_error_hint(error, "cheapest: %lld process%s on %s, at a cost of %s", procs,
                      plural(procs), hosts, cost);
    } else {
        rc_error_set(error, "no candidate%s meets --deadline %s with --confidence %g",
                     isnan(aim->budget) ? "" : " within the budget", deadline, aim->confidence);
        rc_error_hint(error,
                      "nearest: %lld process%s on %s; predicted run time %s, in time with "
                      "probability %.2g",
                      procs, plural(procs), hosts, median, 1 - nearest->miss);
    }
    free(hosts);
    return -1;
}

/* ---- for people ---- */

enum { FIELDS_MOST = 16 };

/* Whether the question has a use for the column. */
static bool is_wanted(const struct rc_cmd_advise *asked, const char *title)
{
    if (strcmp(title, "skeleton") == 0)
        return asked->options->probe;
    if (strcmp(title, "P(late)") == 0)
        return !isnan(asked->advice.aim.deadline);
    return strcmp(title, "cost") != 0 || has_costs(asked);
}

static int print_table(const struct rc_cmd_advise *asked, const struct rc_answer_advised *list,
                       struct rc_error *error)
{
    struct rc_field fields[FIELDS_MOST];
    const char *currency = asked->platform->currency;
    char cost[RC_ADVISE_COST];
    size_t n = 0;

    snprintf(cost, sizeof cost, "cost%s%.40s", *currency ? ", " : "", currency);
    for (const struct rc_field *field = rc_answer_advised; field->kind != RC_AS_END; field++)
        if (field->title && is_wanted(asked, field->title)) {
            fields[n] = *field;
            if (strcmp(field->title, "cost") == 0)
                fields[n].title = cost;
            n++;
        }
    fields[n] = (struct rc_field)RC_FIELDS_END;
    return rc_field_table(stdout, fields, list, asked->advice.search.n_list, sizeof *list,
                          rc_cmd_width(), error);
}

static void print_choice(const struct rc_answer_advised *choice)
{
    int64_t procs = choice->advised.candidate.procs;
    char median[RC_UNIT_SIZE], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    rc_unit_format(choice->advised.predicted, RC_SECONDS, median);
    rc_unit_format(choice->advised.lo90, RC_SECONDS, low);
    rc_unit_format(choice->advised.hi90, RC_SECONDS, high);
    printf("run on: %s (cluster %s), %lld process%s\n"
           "predicted run time: %s (90 %% interval: %s to %s)\n",
           choice->hosts, choice->cluster, (long long)procs, plural(procs), median, low, high);
}

/* The median run time of the choice by each method, and the methods that were not asked. */
static void print_methods(const struct rc_cmd_advise *asked)
{
    const struct rc_predict_answer *answer = &asked->advice.answer;
    const char *lead = "predicted run time by method: ";
    char time[RC_UNIT_SIZE];

    if (asked->options->probe)
        return;
    for (int m = 0; m < RC_METHODS; m++) {
        const struct rc_method_report *method = &answer->methods[m];
        /* One that is corrected by its own track record has its factor in it already. */
        double factor = method->answer.own ? 1 : method->factor;

        if (!method->answered)
            continue;
        rc_unit_format(factor * method->answer.summary.predicted, RC_SECONDS, time);
        printf("%s%s %s", lead, method->name, time);
        if (answer->answered > 1)
            printf(" (weight %.2f)", method->weight);
        lead = ", ";
    }
    printf("\n");
    for (int m = 0; m < RC_METHODS; m++)
        if (rc_answer_not_asked[m])
            printf("not used: %s (needs --probe)\n", rc_answer_not_asked[m]);
}

static struct rc_answer_time_limit time_limit_of(const struct rc_cmd_advise *asked)
{
    return (struct rc_answer_time_limit){asked->options->risk, asked->advice.time_limit};
}

/* ---- the answer ---- */

/* Candidates with their names; NULL where memory runs out. */
static struct rc_answer_advised *name_all(const struct rc_cmd_advise *asked,
                                          const struct rc_advised *advised, size_t n,
                                          struct rc_error *error)
{
    struct rc_answer_advised *named = calloc(n + 1, sizeof *named);

    if (!named)
        rc_error_no_memory(error);
    for (size_t i = 0; i < n && named; i++) {
        struct rc_answer_advised *one = &named[i];

        one->advised = advised[i];
        one->cluster = asked->platform->clusters[advised[i].candidate.cluster].name;
        one->hosts = rc_place_advice_name(&asked->advice, &advised[i].candidate, error);
        one->host_names = rc_place_advice_hosts_of(&asked->advice, &advised[i].candidate, error);
        rc_place_advised_cost(advised[i].cost, &asked->advice.aim, false, one->cost);
    }
    return named;
}

static void free_all(struct rc_answer_advised *named, size_t n)
{
    for (size_t i = 0; i < n && named; i++) {
        free(named[i].hosts);
        free(named[i].host_names);
    }
    free(named);
}

static void write_json(const struct rc_cmd_advise *asked, struct rc_answer_advised *list,
                       struct rc_answer_advised *all)
{
    struct rc_answer_advise record = {.advice = asked->advice,
                                      .objective = asked->options->objective,
                                      .time_limit = time_limit_of(asked),
                                      .list = list,
                                      .all = all,
                                      .notes = rc_cmd_notes_json()};

    rc_cmd_fill_in_hints(&record.advice.answer);
    rc_cmd_print_json(rc_field_json(rc_answer_advise, &record));
    json_decref(record.notes);
}

static int print_answer(const struct rc_cmd_advise *asked, const struct rc_answer_advised *list,
                        struct rc_error *error)
{
    const struct rc_answer_time_limit limit = time_limit_of(asked);
    char size[RC_NUMBER_SIZE];

    rc_number_format_short(asked->options->size, 6, size);
    printf("%s, size %s, platform %s\n", asked->options->app, size, asked->platform->name);
    print_choice(&list[0]);
    rc_cmd_print_time_limit(&limit);
    printf("\n");
    if (print_table(asked, list, error))
        return -1;
    printf("\nreason: %s\n", asked->advice.search.why);
    print_methods(asked);
    rc_cmd_print_risk(&limit, asked->options->probe ? "the skeleton alone" : RC_CMD_BY_MODEL);
    return 0;
}

int rc_cmd_advise_show(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_search *search = &asked->advice.search;
    struct rc_answer_advised *list = name_all(asked, search->list, search->n_list, error);
    struct rc_answer_advised *all = name_all(asked, search->all, search->n_all, error);
    int status = list && all ? 0 : -1;

    if (status == 0 && asked->options->json)
        write_json(asked, list, all);
    else if (status == 0)
        status = print_answer(asked, list, error);
    free_all(list, search->n_list);
    free_all(all, search->n_all);
    return status;
}
