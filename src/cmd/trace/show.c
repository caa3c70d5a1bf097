// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - what is known of a trace, as tables and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "answer/trace.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/trace/trace.h"

/* Columns of the time line, rows of tables that could be endless. */
enum { LINE_COLUMNS = 60, ROWS_MAX = 32, COLUMNS_MAX = 16 };

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

static void print_ranks(const struct rc_profile *profile, int64_t wanted)
{
    struct rc_column columns[COLUMNS_MAX];
    size_t n = rc_field_columns(rc_answer_trace_rank, columns, COLUMNS_MAX), shown = 0, all = 0;
    struct rc_table *table = rc_table_create(stdout, columns, n, rc_cmd_width());

    printf("\nRanks\n");
    for (uint32_t i = 0; table && i < profile->n_ranks; i++) {
        if (!profile->ranks[i].there || !is_shown(wanted, i) || all++ >= ROWS_MAX)
            continue;
        shown++;
        rc_field_row(table, rc_answer_trace_rank, profile->ranks + i);
    }
    rc_table_finish(table);
    put_rest(all, shown);
}

/* ---- the time line ---- */

/* Little communicating must look different from none. */
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

/* ---- calls, sizes, and who talks to whom ---- */

static void print_rows(const char *title, const struct rc_field *fields, const void *rows, size_t n,
                       size_t size)
{
    printf("\n%s\n", title);
    rc_field_table(stdout, fields, rows, n, size, rc_cmd_width(), NULL);
}

void rc_cmd_trace_tables(const struct rc_profile *profile, int64_t rank)
{
    const struct rc_profile_rank *shown = rank < 0 ? &profile->total : &profile->ranks[rank];
    struct rc_answer_trace_kind kinds[RC_PROFILE_KINDS];
    struct rc_answer_trace_size sizes[RC_TRAFFIC_SIZES];
    size_t n;
    struct rc_profile_link *links = rc_answer_trace_links(profile, rank, &n);
    size_t n_shown = n < ROWS_MAX ? n : ROWS_MAX;

    print_head(profile, shown);
    print_ranks(profile, rank);
    print_line(profile, rank);
    print_rows("Calls", rc_answer_trace_kind, kinds, rc_answer_trace_kinds(shown, kinds),
               sizeof *kinds);
    print_rows("Sizes of messages", rc_answer_trace_size, sizes,
               rc_answer_trace_sizes(shown, sizes), sizeof *sizes);
    rc_trace_profile_links_sort(links, n);
    print_rows("Who talks to whom", rc_answer_trace_link, links, n_shown, sizeof *links);
    put_rest(n, n_shown);
    free(links);
}

void rc_cmd_trace_json(const struct rc_profile *profile, int64_t rank)
{
    char *hosts = rc_cmd_trace_hosts(profile->set);
    json_t *object = rc_answer_trace_info(profile, rank, hosts);

    free(hosts);
    rc_json_write(stdout, object, true);
    json_decref(object);
}
