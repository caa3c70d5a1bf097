// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - what 'runcast advise' shows, for people and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/unit.h"
#include "answer/advise_fields.h"
#include "cmd/advise/advise.h"
#include "cmd/predict/predict.h"

static bool has_prices(const struct rc_cmd_advise *asked)
{
    for (size_t c = 0; c < asked->platform->n_clusters; c++)
        if (!isnan(asked->advice.clusters[c].price))
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
    char deadline[RC_UNIT_SIZE], expected[RC_UNIT_SIZE];
    char budget[RC_ADVISE_PRICE], price[RC_ADVISE_PRICE];
    long long procs = (long long)nearest->candidate.procs;

    if (!hosts)
        return -1;
    rc_unit_format_apart(aim->deadline, nearest->mean, RC_SECONDS, deadline, expected);
    rc_place_advised_price(aim->budget, aim, true, budget);
    rc_place_advised_price(nearest->price, aim, true, price);
    if (!nearest->in_budget) {
        rc_error_set(error, "nothing costs as little as --budget %s", budget);
        rc_error_hint(error, "%s with %lld process%s comes nearest: it costs %s", hosts, procs,
                      plural(procs), price);
    } else {
        rc_error_set(error, "nothing%s ends within --deadline %s with --confidence %g",
                     isnan(aim->budget) ? "" : " that keeps to the budget", deadline,
                     aim->confidence);
        rc_error_hint(error,
                      "%s with %lld process%s comes nearest: it takes %s on average, and "
                      "ends in time with probability %.2g",
                      hosts, procs, plural(procs), expected, 1 - nearest->miss);
    }
    free(hosts);
    return -1;
}

/* ---- for people ---- */

enum { FIELDS_MOST = 16 };

/* Whether the column applies to what was asked for. */
static bool is_wanted(const struct rc_cmd_advise *asked, const char *title)
{
    if (strcmp(title, "skeleton") == 0)
        return asked->options->probe;
    if (strcmp(title, "late") == 0)
        return !isnan(asked->advice.aim.deadline);
    return strcmp(title, "price") != 0 || has_prices(asked);
}

static int print_table(const struct rc_cmd_advise *asked, const struct rc_answer_advised *list,
                       struct rc_error *error)
{
    struct rc_field fields[FIELDS_MOST];
    const char *currency = asked->platform->currency;
    char price[RC_ADVISE_PRICE];
    size_t n = 0;

    snprintf(price, sizeof price, "price%s%.40s", *currency ? ", " : "", currency);
    for (const struct rc_field *field = rc_answer_advised; field->kind != RC_AS_END; field++)
        if (field->title && is_wanted(asked, field->title)) {
            fields[n] = *field;
            if (strcmp(field->title, "price") == 0)
                fields[n].title = price;
            n++;
        }
    fields[n] = (struct rc_field)RC_FIELDS_END;
    return rc_field_table(stdout, fields, list, asked->advice.search.n_list, sizeof *list,
                          rc_cmd_width(), error);
}

static void print_one(const char *what, const struct rc_answer_advised *one)
{
    int64_t procs = one->advised.candidate.procs;
    char expected[RC_UNIT_SIZE], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    rc_unit_format(one->advised.mean, RC_SECONDS, expected);
    rc_unit_format(one->advised.lo90, RC_SECONDS, low);
    rc_unit_format(one->advised.hi90, RC_SECONDS, high);
    printf("%s%lld process%s on %s: %s (90 %%: %s to %s)\n", what, (long long)procs, plural(procs),
           one->hosts, expected, low, high);
}

/* What each method answered for the choice, and which are not asked. */
static void print_methods(const struct rc_cmd_advise *asked)
{
    size_t shown = 0;

    if (asked->options->probe)
        return;
    rc_cmd_predict_methods_line(&asked->advice.answer, "from       ");
    for (int m = 0; m < RC_METHODS; m++)
        if (rc_answer_not_asked[m])
            printf("%s%s (--probe runs one)", shown++ ? ", " : "not asked  ",
                   rc_answer_not_asked[m]);
    printf("\n");
}

static void print_time_limit(const struct rc_cmd_advise *asked)
{
    const struct rc_time_limit *time_limit = &asked->advice.time_limit;
    char text[RC_UNIT_SIZE];

    rc_unit_format(rc_place_time_limit_round(time_limit->seconds), RC_SECONDS, text);
    printf("wall time  %s, which is too short with probability %g at most", text,
           asked->options->risk);
    if (time_limit->n_past > 0)
        printf(", also by how %zu earlier prediction%s fared", time_limit->n_past,
               time_limit->n_past == 1 ? "" : "s");
    if (time_limit->continued)
        printf("; far out, --draws %zu tell little", asked->advice.search.n_draws);
    printf("\n");
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
        rc_place_advised_price(advised[i].price, &asked->advice.aim, false, one->price);
    }
    return named;
}

static void free_all(struct rc_answer_advised *named, size_t n)
{
    for (size_t i = 0; i < n && named; i++)
        free(named[i].hosts);
    free(named);
}

static void write_json(const struct rc_cmd_advise *asked, struct rc_answer_advised *list,
                       struct rc_answer_advised *all)
{
    const struct rc_answer_advise record = {.advice = asked->advice,
                                            .objective = asked->options->objective,
                                            .risk = asked->options->risk,
                                            .list = list,
                                            .all = all,
                                            .notes = rc_cmd_notes_json()};
    json_t *object = rc_field_json(rc_answer_advise, &record);

    rc_cmd_print_json(object);
    json_decref(record.notes);
}

static int print_answer(const struct rc_cmd_advise *asked, const struct rc_answer_advised *list,
                        struct rc_error *error)
{
    printf("%s, n = %g, on %s\n\n", asked->options->app, asked->options->size,
           asked->platform->name);
    if (print_table(asked, list, error))
        return -1;
    printf("\n");
    print_one("choice     ", &list[0]);
    if (asked->advice.search.n_list > 1)
        print_one("runner-up  ", &list[1]);
    printf("why        %s\n", asked->advice.search.why);
    print_methods(asked);
    print_time_limit(asked);
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
