// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_tables.c - what is known of a trace, as tables for people. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/table.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/trace/trace.h"

/* Columns of the time line, rows of tables that could be endless. */
enum { LINE_COLUMNS = 60, ROWS_MAX = 32 };

static struct rc_table *make_table(const struct rc_column *columns, size_t n)
{
    return rc_table_create(stdout, columns, n, rc_cmd_width());
}

static void put_quantity(struct rc_table *table, double value, enum rc_dimension dimension)
{
    char text[RC_UNIT_SIZE];

    rc_table_cell(table, text, rc_unit_format(value, dimension, text));
}

static void put_share(struct rc_table *table, double share)
{
    char text[32];

    if (isnan(share))
        rc_table_text(table, "-");
    else
        rc_table_cell(table, text, (size_t)snprintf(text, sizeof text, "%.1f %%", 100 * share));
}

static bool is_shown(int64_t wanted, uint32_t rank)
{
    return wanted < 0 || wanted == (int64_t)rank;
}

static void put_rest(size_t all, size_t shown)
{
    if (all > shown)
        printf("and %zu more\n", all - shown);
}

/* ---- the head ---- */

static const struct rc_trace_header *any_header(const struct rc_trace_set *set)
{
    for (size_t i = 0; i < set->n_files; i++)
        if (set->files[i].has_header)
            return &set->files[i].header;
    return NULL;
}

static void print_head(const struct rc_profile *profile, const struct rc_profile_rank *shown)
{
    const struct rc_trace_set *set = profile->set;
    const struct rc_trace_header *header = any_header(set);
    char *hosts = rc_cmd_trace_hosts(set);
    char length[RC_UNIT_SIZE], when[RC_TIME_SIZE];

    if (header) {
        rc_timestamp_format(floor((double)set->earliest * 1e-9), when);
        printf("%s, %" PRIu32 " rank%s%s%s, %s, %s\n", rc_cmd_trace_title(profile->set), set->ranks,
               set->ranks == 1 ? "" : "s", hosts ? " on " : "", hosts ? hosts : "", header->mpi,
               when);
    }
    rc_unit_format(profile->length, RC_SECONDS, length);
    printf("%s; %" PRIu64 " calls", length, shown->calls);
    if (!isnan(rc_trace_profile_share(shown)))
        printf("; communicating for %.1f %% of the time", 100 * rc_trace_profile_share(shown));
    if (profile->n_ranks > 1 && profile->whole)
        printf("; the busiest rank computes %.1f %% longer than the mean",
               100 * profile->imbalance);
    printf("\n");
    free(hosts);
}

/* ---- ranks ---- */

static void put_closing(struct rc_table *table, const struct rc_profile_rank *rank)
{
    put_quantity(table, rank->closing, RC_SECONDS);
    put_quantity(table, rank->waited, RC_SECONDS);
    rc_table_text(table, rank->closing_kind < 0
                             ? "-"
                             : rc_trace_profile_kind_name((unsigned)rank->closing_kind));
}

static void print_ranks(const struct rc_profile *profile, int64_t wanted)
{
    static const struct rc_column columns[] = {{.title = "rank", .right = true},
                                               {.title = "host"},
                                               {.title = "computing", .right = true},
                                               {.title = "communicating", .right = true},
                                               {.title = "share", .right = true},
                                               {.title = "files", .right = true},
                                               {.title = "other", .right = true},
                                               {.title = "calls", .right = true},
                                               {.title = "ready at", .right = true},
                                               {.title = "then waits", .right = true},
                                               {.title = "in"}};
    struct rc_table *table = make_table(columns, sizeof columns / sizeof *columns);
    size_t shown = 0, all = 0;

    printf("\nRanks\n");
    for (uint32_t i = 0; table && i < profile->n_ranks; i++) {
        const struct rc_profile_rank *rank = &profile->ranks[i];
        const struct rc_trace_set_file *file = rc_trace_set_rank(profile->set, i);

        if (!rank->there || !is_shown(wanted, i) || all++ >= ROWS_MAX)
            continue;
        shown++;
        rc_table_integer(table, i);
        rc_table_text(table, file && file->has_header ? file->header.host : "-");
        put_quantity(table, rank->computing, RC_SECONDS);
        put_quantity(table, rank->communicating, RC_SECONDS);
        put_share(table, rc_trace_profile_share(rank));
        put_quantity(table, rank->files, RC_SECONDS);
        put_quantity(table, rank->other, RC_SECONDS);
        rc_table_integer(table, (long long)rank->calls);
        put_closing(table, rank);
    }
    rc_table_finish(table);
    put_rest(all, shown);
}

/* ---- the time line ---- */

/* Little communicating is to be told from none. */
static const char *shade_of(const double parts[RC_DOINGS])
{
    static const char *const shades[] = {"░", "▒", "▓", "█"};
    static const double little = 0.02;

    if (parts[RC_DOING_OTHER] > 0.5)
        return "-";
    return parts[RC_DOING_COMMUNICATING] < little
               ? " "
               : shades[(int)fmin(parts[RC_DOING_COMMUNICATING] * 4, 3)];
}

static void print_line(const struct rc_profile *profile, int64_t wanted)
{
    size_t shown = 0, all = 0;

    printf("\nTime line: the darker, the more a rank communicates (- begins or ends MPI, . not "
           "known)\n");
    for (uint32_t i = 0; i < profile->n_ranks; i++) {
        if (!profile->ranks[i].there || !is_shown(wanted, i) || all++ >= ROWS_MAX)
            continue;
        shown++;
        printf("%5" PRIu32 " |", i);
        for (int column = 0; column < LINE_COLUMNS; column++) {
            int from = column * RC_PROFILE_BINS / LINE_COLUMNS;
            int to = (column + 1) * RC_PROFILE_BINS / LINE_COLUMNS;
            double parts[RC_DOINGS];

            if (rc_trace_profile_line(&profile->ranks[i], from, to, parts))
                fputs(shade_of(parts), stdout);
            else
                fputs(".", stdout);
        }
        printf("|\n");
    }
    put_rest(all, shown);
}

/* ---- calls ---- */

static void print_kinds(const struct rc_profile_rank *rank)
{
    static const struct rc_column columns[] = {{.title = "call"},
                                               {.title = "calls", .right = true},
                                               {.title = "seconds", .right = true},
                                               {.title = "bytes", .right = true},
                                               {.title = "bytes a call", .right = true}};
    struct rc_table *table = make_table(columns, sizeof columns / sizeof *columns);
    unsigned kinds[RC_PROFILE_KINDS];
    size_t n = rc_trace_profile_kinds(rank, kinds);

    printf("\nCalls\n");
    for (size_t i = 0; table && i < n; i++) {
        const struct rc_profile_kind *kind = &rank->kinds[kinds[i]];

        rc_table_text(table, rc_trace_profile_kind_name(kinds[i]));
        rc_table_integer(table, (long long)kind->calls);
        put_quantity(table, kind->seconds, RC_SECONDS);
        put_quantity(table, kind->bytes > 0 ? kind->bytes : NAN, RC_BYTES);
        put_quantity(table, kind->bytes > 0 ? kind->bytes / (double)kind->calls : NAN, RC_BYTES);
    }
    rc_table_finish(table);
}

/* ---- sizes ---- */

static void put_size(struct rc_table *table, int place)
{
    char low[RC_UNIT_SIZE], high[RC_UNIT_SIZE], text[2 * RC_UNIT_SIZE + 16];

    rc_unit_format(place > 0 ? ldexp(1, place - 1) : 0, RC_BYTES, low);
    rc_unit_format(ldexp(1, place), RC_BYTES, high);
    if (place <= 1)
        snprintf(text, sizeof text, "%s", low);
    else
        snprintf(text, sizeof text, "%s to below %s", low, high);
    rc_table_text(table, text);
}

static void print_sizes(const struct rc_profile_rank *rank)
{
    static const struct rc_column columns[] = {{.title = "bytes"},
                                               {.title = "messages", .right = true},
                                               {.title = "bytes sent", .right = true},
                                               {.title = "in collective calls", .right = true},
                                               {.title = "bytes given", .right = true}};
    struct rc_table *table = make_table(columns, sizeof columns / sizeof *columns);

    printf("\nSizes of messages\n");
    for (int i = 0; table && i < RC_TRAFFIC_SIZES; i++) {
        const struct rc_traffic_size *sent = &rank->sent[i], *given = &rank->given[i];

        if (sent->messages == 0 && given->messages == 0)
            continue;
        put_size(table, i);
        rc_table_integer(table, (long long)sent->messages);
        put_quantity(table, sent->bytes, RC_BYTES);
        rc_table_integer(table, (long long)given->messages);
        put_quantity(table, given->bytes, RC_BYTES);
    }
    rc_table_finish(table);
}

/* ---- who talks to whom ---- */

static void print_links(const struct rc_profile *profile, int64_t wanted)
{
    static const struct rc_column columns[] = {{.title = "from", .right = true},
                                               {.title = "to", .right = true},
                                               {.title = "messages", .right = true},
                                               {.title = "bytes", .right = true},
                                               {.title = "in collective calls", .right = true}};
    struct rc_table *table = make_table(columns, sizeof columns / sizeof *columns);
    size_t n, shown = 0, all = 0;
    struct rc_profile_link *links = rc_trace_profile_links(profile, &n);

    rc_trace_profile_links_sort(links, n);
    printf("\nWho talks to whom\n");
    for (size_t i = 0; table && i < n; i++) {
        const struct rc_profile_link *link = &links[i];

        if ((!is_shown(wanted, link->from) && !is_shown(wanted, link->to)) || all++ >= ROWS_MAX)
            continue;
        shown++;
        rc_table_integer(table, link->from);
        rc_table_integer(table, link->to);
        rc_table_integer(table, (long long)link->messages);
        put_quantity(table, link->bytes, RC_BYTES);
        put_quantity(table, link->collective, RC_BYTES);
    }
    rc_table_finish(table);
    put_rest(all, shown);
    free(links);
}

void rc_cmd_trace_tables(const struct rc_profile *profile, int64_t rank)
{
    const struct rc_profile_rank *shown = rank < 0 ? &profile->total : &profile->ranks[rank];

    print_head(profile, shown);
    print_ranks(profile, rank);
    print_line(profile, rank);
    print_kinds(shown);
    print_sizes(shown);
    print_links(profile, rank);
}
