// SPDX-License-Identifier: GPL-3.0-or-later
/* advise_show.c - what 'runcast advise' shows, for people and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/advise/advise.h"
#include "platform/hostlist.h"

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

char *rc_cmd_advise_hosts(const struct rc_cmd_advise *asked, const struct rc_candidate *candidate,
                          struct rc_error *error)
{
    size_t n = candidate->n_hosts, *order = calloc(n + 1, sizeof *order);
    const char **names = calloc(n + 1, sizeof *names);
    char *text = NULL;

    if (order && names) {
        memcpy(order, candidate->hosts, n * sizeof *order);
        qsort(order, n, sizeof *order, by_number);
        for (size_t i = 0; i < n; i++)
            names[i] = asked->names[order[i]];
        text = rc_platform_hostlist_compress(names, n, error);
    } else
        rc_error_no_memory(error);
    free(order);
    free(names);
    return text;
}

static bool has_prices(const struct rc_cmd_advise *asked)
{
    for (size_t c = 0; c < asked->platform->n_clusters; c++)
        if (!isnan(asked->clusters[c].price))
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
    const struct rc_advised *nearest = &asked->search.list[0];
    const struct rc_aim *aim = &asked->question.aim;
    char *hosts = rc_cmd_advise_hosts(asked, &nearest->candidate, error);
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

static void seconds_cell(struct rc_table *table, double seconds)
{
    char text[RC_UNIT_SIZE];

    rc_unit_format(seconds, RC_SECONDS, text);
    rc_table_text(table, text);
}

static void short_cell(struct rc_table *table, double value, int digits)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format_short(value, digits, text);
    rc_table_text(table, isnan(value) ? "-" : text);
}

static void percent_cell(struct rc_table *table, double share)
{
    char text[RC_NUMBER_SIZE + 4];

    rc_number_format_short(100 * share, 2, text);
    strcat(text, " %");
    rc_table_text(table, isnan(share) ? "-" : text);
}

static void price_cell(const struct rc_cmd_advise *asked, struct rc_table *table, double price)
{
    char text[RC_ADVISE_PRICE];

    rc_place_advised_price(price, &asked->question.aim, false, text);
    rc_table_text(table, text);
}

enum { COLUMNS_MOST = 9 };

/* Columns that nobody asked for are not there.  `price` is the title of the last one. */
static size_t choose_columns(const struct rc_cmd_advise *asked, struct rc_column *columns,
                             const char *price)
{
    size_t n = 0;

    columns[n++] = (struct rc_column){.title = "hosts", .wrap = true};
    columns[n++] = (struct rc_column){.title = "processes", .right = true};
    if (asked->probed)
        columns[n++] = (struct rc_column){.title = "skeleton", .right = true};
    columns[n++] = (struct rc_column){.title = "expected", .right = true};
    columns[n++] = (struct rc_column){.title = "90 % from", .right = true};
    columns[n++] = (struct rc_column){.title = "to", .right = true};
    if (!isnan(asked->question.aim.deadline))
        columns[n++] = (struct rc_column){.title = "late", .right = true};
    columns[n++] = (struct rc_column){.title = "core-hours", .right = true};
    if (has_prices(asked))
        columns[n++] = (struct rc_column){.title = price, .right = true};
    return n;
}

static int print_row(const struct rc_cmd_advise *asked, struct rc_table *table, size_t i,
                     struct rc_error *error)
{
    const struct rc_advised *one = &asked->search.list[i];
    char *hosts = rc_cmd_advise_hosts(asked, &one->candidate, error);

    if (!hosts)
        return -1;
    rc_table_text(table, hosts);
    free(hosts);
    rc_table_integer(table, one->candidate.procs);
    if (asked->probed)
        seconds_cell(table, asked->probed[i].seconds);
    seconds_cell(table, one->mean);
    seconds_cell(table, one->lo90);
    seconds_cell(table, one->hi90);
    if (!isnan(asked->question.aim.deadline))
        percent_cell(table, one->miss);
    short_cell(table, one->core_hours, 3);
    if (has_prices(asked))
        price_cell(asked, table, one->price);
    return 0;
}

static int print_table(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    struct rc_column columns[COLUMNS_MOST];
    const char *currency = asked->platform->currency;
    char price[RC_ADVISE_PRICE];
    size_t n;
    struct rc_table *table;
    int status;

    snprintf(price, sizeof price, "price%s%.40s", *currency ? ", " : "", currency);
    n = choose_columns(asked, columns, price);
    table = rc_table_create(stdout, columns, n, rc_cmd_width());
    status = table ? 0 : rc_error_no_memory(error);
    for (size_t i = 0; i < asked->search.n_list && status == 0; i++)
        status = print_row(asked, table, i, error);
    if (table && rc_table_finish(table) && status == 0)
        status = rc_error_no_memory(error);
    return status;
}

static int print_one(const struct rc_cmd_advise *asked, const char *what, size_t i,
                     struct rc_error *error)
{
    const struct rc_advised *one = &asked->search.list[i];
    char *hosts = rc_cmd_advise_hosts(asked, &one->candidate, error);
    char expected[RC_UNIT_SIZE], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];

    if (!hosts)
        return -1;
    rc_unit_format(one->mean, RC_SECONDS, expected);
    rc_unit_format(one->lo90, RC_SECONDS, low);
    rc_unit_format(one->hi90, RC_SECONDS, high);
    printf("%s%lld process%s on %s: %s (90 %%: %s to %s)\n", what, (long long)one->candidate.procs,
           plural(one->candidate.procs), hosts, expected, low, high);
    free(hosts);
    return 0;
}

static void print_walltime(const struct rc_cmd_advise *asked)
{
    const struct rc_walltime *walltime = &asked->walltime;
    char text[RC_UNIT_SIZE];

    rc_unit_format(rc_place_walltime_round(walltime->seconds), RC_SECONDS, text);
    printf("wall time  %s, which is too short with probability %g at most", text,
           asked->options->walltime_risk);
    if (walltime->n_past > 0)
        printf(", also by how %zu earlier prediction%s fared", walltime->n_past,
               walltime->n_past == 1 ? "" : "s");
    if (walltime->continued)
        printf("; far out, --draws %zu tell little", asked->search.n_draws);
    printf("\n");
}

/* ---- for programs ---- */

static json_t *advised_json(const struct rc_cmd_advise *asked, const struct rc_advised *one,
                            struct rc_error *error)
{
    char *hosts = rc_cmd_advise_hosts(asked, &one->candidate, error);
    json_t *object = json_object();

    rc_json_set(object, "cluster",
                rc_json_text(asked->platform->clusters[one->candidate.cluster].name));
    rc_json_set(object, "hosts", rc_json_text(hosts ? hosts : ""));
    rc_json_set(object, "procs", json_integer(one->candidate.procs));
    rc_json_set(object, "mean", rc_json_number(one->mean));
    rc_json_set(object, "predicted", rc_json_number(one->predicted));
    rc_json_set(object, "lo90", rc_json_number(one->lo90));
    rc_json_set(object, "hi90", rc_json_number(one->hi90));
    rc_json_set(object, "late", rc_json_number(one->miss));
    rc_json_set(object, "core_hours", rc_json_number(one->core_hours));
    rc_json_set(object, "price", rc_json_number(one->price));
    rc_json_set(object, "in_time", json_boolean(one->in_time));
    rc_json_set(object, "in_budget", json_boolean(one->in_budget));
    free(hosts);
    return object;
}

static json_t *walltime_json(const struct rc_cmd_advise *asked)
{
    const struct rc_walltime *walltime = &asked->walltime;
    json_t *object = json_object();

    rc_json_set(object, "risk", rc_json_number(asked->options->walltime_risk));
    rc_json_set(object, "seconds", rc_json_number(walltime->seconds));
    rc_json_set(object, "rounded", rc_json_number(rc_place_walltime_round(walltime->seconds)));
    rc_json_set(object, "by_draws", rc_json_number(walltime->own));
    rc_json_set(object, "record", json_integer((json_int_t)walltime->n_past));
    rc_json_set(object, "continued", json_boolean(walltime->continued));
    return object;
}

static void write_json(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    const struct rc_search *search = &asked->search;
    json_t *object = json_object(), *list = json_array(), *all = json_array();

    for (size_t i = 0; i < search->n_list; i++) {
        json_t *one = advised_json(asked, &search->list[i], error);

        if (asked->probed)
            rc_json_set(one, "skeleton_seconds", rc_json_number(asked->probed[i].seconds));
        json_array_append_new(list, one);
    }
    for (size_t i = 0; i < search->n_all; i++)
        json_array_append_new(all, advised_json(asked, &search->all[i], error));
    rc_json_set(object, "app", rc_json_text(asked->options->app));
    rc_json_set(object, "n", rc_json_number(asked->options->size));
    rc_json_set(object, "platform", rc_json_text(asked->platform->name));
    rc_json_set(object, "currency", rc_json_text(asked->platform->currency));
    rc_json_set(object, "start", rc_json_number(asked->at));
    rc_json_set(object, "objective", rc_json_text(asked->options->objective));
    rc_json_set(object, "deadline", rc_json_number(asked->options->deadline));
    rc_json_set(object, "confidence", rc_json_number(asked->question.aim.confidence));
    rc_json_set(object, "budget", rc_json_number(asked->budget));
    rc_json_set(object, "candidates", json_integer((json_int_t)search->n_all));
    rc_json_set(object, "cpu_series",
                json_integer((json_int_t)rc_predict_host_forecast_many_cpus(asked->forecast)));
    rc_json_set(object, "bw_series",
                json_integer((json_int_t)rc_predict_host_forecast_many_links(asked->forecast)));
    rc_json_set(object, "left_out",
                json_integer(asked->n_unknown < asked->n_hosts ? (json_int_t)asked->n_unknown : 0));
    rc_json_set(object, "why", rc_json_text(search->why));
    rc_json_set(object, "families", rc_cmd_advise_methods_json(asked));
    rc_json_set(object, "not_asked", rc_cmd_advise_not_asked_json(asked));
    rc_json_set(object, "walltime", walltime_json(asked));
    rc_json_set(object, "id", asked->id ? json_integer(asked->id) : json_null());
    rc_json_set(object, "shortlist", list);
    rc_json_set(object, "looked_at", all);
    rc_json_set(object, "notes", rc_cmd_notes_json());
    rc_json_write(stdout, object, true);
    json_decref(object);
}

int rc_cmd_advise_show(const struct rc_cmd_advise *asked, struct rc_error *error)
{
    if (asked->options->json) {
        write_json(asked, error);
        return 0;
    }
    printf("%s, n = %g, on %s\n\n", asked->options->app, asked->options->size,
           asked->platform->name);
    if (print_table(asked, error))
        return -1;
    printf("\n");
    if (print_one(asked, "choice     ", 0, error) ||
        (asked->search.n_list > 1 && print_one(asked, "runner-up  ", 1, error)))
        return -1;
    printf("why        %s\n", asked->search.why);
    rc_cmd_advise_methods_line(asked);
    print_walltime(asked);
    return 0;
}
