// SPDX-License-Identifier: GPL-3.0-or-later
/* watch_show.c - what 'runcast watch' shows: a table in place, and the summary at the end. */
#include "cmd/watch/watch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/terminal.h"
#include "base/unit.h"
#include "cmd/core/command.h"

enum { AROUND = 4, HEIGHT_DEFAULT = 24 }; /* lines of the screen that are not for hosts */

/* ---- cells ---- */

static void put_quantity(struct rc_table *table, double value, enum rc_dimension dimension)
{
    char text[RC_UNIT_SIZE];

    rc_table_cell(table, text, rc_unit_format(value, dimension, text));
}

static void put_short(struct rc_table *table, double value, int digits)
{
    char text[RC_NUMBER_SIZE];

    if (isnan(value))
        rc_table_text(table, "-");
    else
        rc_table_cell(table, text, rc_number_format_short(value, digits, text));
}

/* How many seconds ago, in whole ones. */
static void put_age(struct rc_table *table, double seconds)
{
    put_quantity(table, isnan(seconds) ? seconds : fmax(0, round(seconds)), RC_SECONDS);
}

/* ---- hosts ---- */

static const struct rc_column host_columns[] = {
    {.title = "host"},
    {.title = "state"},
    {.title = "cpu", .right = true},
    {.title = "memory", .right = true},
    {.title = "age", .right = true},
    {.title = "offset", .right = true},
    {.title = "samples", .right = true},
    {.title = "times lost", .right = true},
    {.title = "remark"},
};

static void put_host(struct rc_table *table, const struct rc_watch_host *host, double now)
{
    char remark[RC_WATCH_REASON_SIZE + 64] = "";

    if (host->state == RC_WATCH_LOST)
        snprintf(remark, sizeof remark, "%s", host->reason);
    rc_table_text(table, host->name);
    rc_table_text(table, rc_watch_state_name(host->state));
    put_short(table, host->cpu, 2);
    put_quantity(table, host->memory, RC_BYTES);
    put_age(table, now - host->heard);
    put_quantity(table, host->offset, RC_SECONDS);
    rc_table_integer(table, (long long)host->samples);
    rc_table_integer(table, (long long)host->losses);
    rc_table_text(table, remark);
}

/* Where not all fit, those that need a look come first. */
static size_t put_hosts(FILE *out, struct rc_watch *watch, size_t width, size_t most)
{
    static const enum rc_watch_state order[] = {RC_WATCH_LOST, RC_WATCH_STARTING, RC_WATCH_UP};
    size_t n = rc_watch_n_hosts(watch), shown = 0;
    bool all = n <= most;
    double now = rc_watch_now(watch);
    struct rc_table *table =
        rc_table_create(out, host_columns, sizeof host_columns / sizeof *host_columns, width);

    for (size_t pass = 0; table && pass < (all ? 1 : 3); pass++)
        for (size_t i = 0; i < n && shown < most; i++)
            if (all || rc_watch_host(watch, i)->state == order[pass]) {
                put_host(table, rc_watch_host(watch, i), now);
                shown++;
            }
    if (table)
        rc_table_finish(table);
    return n - shown;
}

/* ---- in place ---- */

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

static void put_state(FILE *out, const struct rc_watch *watch,
                      const struct rc_watch_db_info *stored)
{
    fprintf(out, "%zu up, %zu lost, %zu starting; %" PRIu64 " samples stored in %zu series",
            rc_watch_count(watch, RC_WATCH_UP), rc_watch_count(watch, RC_WATCH_LOST),
            rc_watch_count(watch, RC_WATCH_STARTING), stored->stored, stored->series);
    if (stored->dropped)
        fprintf(out, ", %" PRIu64 " lost", stored->dropped);
    fputc('\n', out);
}

void rc_cmd_watch_draw(struct rc_cmd_watch_screen *screen, struct rc_watch *watch,
                       const struct rc_watch_db_info *stored)
{
    size_t height = rc_terminal_height(stdout), size, left;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return;
    if (height == 0)
        height = HEIGHT_DEFAULT;
    left = put_hosts(out, watch, rc_cmd_width(), height > AROUND + 1 ? height - AROUND : 1);
    if (left > 0)
        fprintf(out, "... and %zu more\n", left);
    put_state(out, watch, stored);
    if (fclose(out) == 0) {
        /* To the first line of the last drawing, and all from there on wiped. */
        if (screen->lines > 0)
            printf("\033[%zuA\r\033[J", screen->lines);
        fputs(text, stdout);
        fflush(stdout);
        screen->lines = count_lines(text);
    }
    free(text);
}

/* ---- at the end ---- */

static void report_links(const struct rc_watch *watch)
{
    static const struct rc_column columns[] = {
        {.title = "link"},
        {.title = "probes", .right = true},
        {.title = "failed", .right = true},
        {.title = "too short", .right = true},
        {.title = "sent", .right = true},
        {.title = "bandwidth", .right = true},
        {.title = "latency", .right = true},
        {.title = "remark"},
    };
    struct rc_table *table =
        rc_table_create(stdout, columns, sizeof columns / sizeof *columns, rc_cmd_width());

    for (size_t i = 0; table && i < rc_watch_n_links(watch); i++) {
        const struct rc_watch_link_info *link = rc_watch_link(watch, i);
        char name[2 * 256 + 2];

        snprintf(name, sizeof name, "%s:%s", rc_watch_host(watch, link->from)->name,
                 rc_watch_host(watch, link->to)->name);
        rc_table_text(table, name);
        rc_table_integer(table, (long long)link->probes);
        rc_table_integer(table, (long long)link->failures);
        rc_table_integer(table, (long long)link->too_short);
        put_quantity(table, link->bytes, RC_BYTES);
        put_quantity(table, link->bandwidth, RC_RATE);
        put_quantity(table, link->latency, RC_SECONDS);
        rc_table_text(table, link->reason);
    }
    if (table)
        rc_table_finish(table);
}

void rc_cmd_watch_report(const struct rc_cmd_watch_summary *summary)
{
    const struct rc_watch_db_info *stored = &summary->stored;
    size_t n = rc_watch_n_hosts(summary->watch);
    char length[RC_UNIT_SIZE];

    put_hosts(stdout, summary->watch, rc_cmd_width(), n);
    if (rc_watch_n_links(summary->watch) > 0) {
        putchar('\n');
        report_links(summary->watch);
    }
    rc_unit_format(summary->seconds, RC_SECONDS, length);
    printf("\nwatched %zu host%s for %s%s: %" PRIu64 " samples stored in %zu series, %" PRIu64
           " lost\n",
           n, n == 1 ? "" : "s", length, summary->interrupted ? " (interrupted)" : "",
           stored->stored, stored->series, stored->dropped + stored->waiting);
}

static json_t *host_json(const struct rc_watch_host *host)
{
    json_t *object = json_object();

    rc_json_set(object, "host", rc_json_text(host->name));
    rc_json_set(object, "state", rc_json_text(rc_watch_state_name(host->state)));
    rc_json_set(object, "reason", rc_json_text(host->reason));
    rc_json_set(object, "cores", host->cores ? json_integer(host->cores) : json_null());
    rc_json_set(object, "messages", json_integer((json_int_t)host->messages));
    rc_json_set(object, "samples", json_integer((json_int_t)host->samples));
    rc_json_set(object, "losses", json_integer((json_int_t)host->losses));
    rc_json_set(object, "faults", json_integer((json_int_t)host->faults));
    rc_json_set(object, "heard", rc_json_number(host->heard));
    rc_json_set(object, "cpu", rc_json_number(host->cpu));
    rc_json_set(object, "memory", rc_json_number(host->memory));
    rc_json_set(object, "offset", rc_json_number(host->offset));
    rc_json_set(object, "round_trip", rc_json_number(host->round_trip));
    rc_json_set(object, "drift", rc_json_number(host->drift));
    return object;
}

static json_t *link_json(const struct rc_watch *watch, const struct rc_watch_link_info *link)
{
    json_t *object = json_object();

    rc_json_set(object, "from", rc_json_text(rc_watch_host(watch, link->from)->name));
    rc_json_set(object, "to", rc_json_text(rc_watch_host(watch, link->to)->name));
    rc_json_set(object, "probes", json_integer((json_int_t)link->probes));
    rc_json_set(object, "failures", json_integer((json_int_t)link->failures));
    rc_json_set(object, "too_short", json_integer((json_int_t)link->too_short));
    rc_json_set(object, "every", rc_json_number(link->every));
    rc_json_set(object, "bytes", rc_json_number(link->bytes));
    rc_json_set(object, "bandwidth", rc_json_number(link->bandwidth));
    rc_json_set(object, "latency", rc_json_number(link->latency));
    rc_json_set(object, "reason", rc_json_text(link->reason));
    return object;
}

void rc_cmd_watch_report_json(const struct rc_cmd_watch_summary *summary)
{
    const struct rc_watch_db_info *stored = &summary->stored;
    json_t *object = json_object(), *hosts = json_array(), *links = json_array();

    rc_json_set(object, "seconds", rc_json_number(summary->seconds));
    rc_json_set(object, "interrupted", json_boolean(summary->interrupted));
    rc_json_set(object, "stored", json_integer((json_int_t)stored->stored));
    rc_json_set(object, "series", json_integer((json_int_t)stored->series));
    rc_json_set(object, "there_already", json_integer((json_int_t)stored->known));
    rc_json_set(object, "lost", json_integer((json_int_t)(stored->dropped + stored->waiting)));
    for (size_t i = 0; i < rc_watch_n_hosts(summary->watch); i++)
        json_array_append_new(hosts, host_json(rc_watch_host(summary->watch, i)));
    for (size_t i = 0; i < rc_watch_n_links(summary->watch); i++)
        json_array_append_new(links, link_json(summary->watch, rc_watch_link(summary->watch, i)));
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "links", links);
    rc_json_write(stdout, object, true);
    json_decref(object);
}
