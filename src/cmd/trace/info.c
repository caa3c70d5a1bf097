// SPDX-License-Identifier: GPL-3.0-or-later
/* info.c - 'runcast trace info': how a traced program spent its time. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "answer/trace_fields.h"
#include "base/timestamp.h"
#include "cmd/trace/trace.h"
#include "report/cell.h"
#include "report/plot.h"

/* Columns of the time line, rows of long tables. */
enum { LINE_COLUMNS = 60, ROWS_MAX = 32, COLUMNS_MAX = 16 };

struct info_options {
    int64_t rank;
    bool json;
    const char *plot;
};

static const struct info_options info_defaults = {.rank = -1};

static const struct rc_option info_options[] = {
    {RC_OPTION_OF(struct info_options, INTEGER, rank), .name = "rank", .argument = "R",
     .help = "rank to show (default: all)"},
    RC_OPTION_JSON(struct info_options),
    RC_OPTION_PLOT(struct info_options),
    RC_OPTIONS_END,
};

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

static void print_head(const struct rc_profile *profile, const struct rc_profile_rank *shown,
                       const char *hosts)
{
    const struct rc_trace_set *set = profile->set;
    const struct rc_trace_header *header = NULL;
    char length[RC_UNIT_SIZE], when[RC_TIME_SIZE];

    for (size_t i = 0; i < set->n_files && !header; i++)
        if (set->files[i].has_header)
            header = &set->files[i].header;
    if (header) {
        rc_timestamp_format(floor((double)set->earliest * 1e-9), when);
        printf("%s, %" PRIu32 " rank%s%s%s, %s, %s\n", rc_cmd_trace_title(set), set->ranks,
               rc_cell_plural(set->ranks, "s"), hosts ? " on " : "", hosts ? hosts : "",
               header->mpi, when);
    }
    rc_unit_format(profile->length, RC_SECONDS, length);
    printf("%s; %" PRIu64 " calls", length, shown->calls);
    if (!isnan(rc_trace_profile_share(shown)))
        printf("; communicating for %.1f %% of the time", 100 * rc_trace_profile_share(shown));
    if (profile->n_ranks > 1 && profile->whole)
        printf("; the busiest rank computes %.1f %% more than the mean", 100 * profile->imbalance);
    printf("\n");
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

    printf("\nTime line: darker means more communication (-: MPI starts or ends, .: unknown)\n");
    for (uint32_t i = 0; i < profile->n_ranks; i++) {
        if (!profile->ranks[i].there || !is_shown(wanted, i) || all++ >= ROWS_MAX)
            continue;
        shown++;
        printf("%5" PRIu32 " |", i);
        for (int column = 0; column < LINE_COLUMNS; column++) {
            int from = column * RC_PROFILE_BINS / LINE_COLUMNS;
            int to = (column + 1) * RC_PROFILE_BINS / LINE_COLUMNS;
            double parts[RC_DOINGS];

            fputs(rc_trace_profile_line(&profile->ranks[i], from, to, parts) ? shade_of(parts)
                                                                             : ".",
                  stdout);
        }
        printf("|\n");
    }
    put_rest(all, shown);
}

/* ---- calls, message sizes and partners ---- */

static void print_rows(const char *title, const struct rc_field *fields, const void *rows, size_t n,
                       size_t size)
{
    printf("\n%s\n", title);
    rc_field_table(stdout, fields, rows, n, size, rc_cmd_width(), NULL);
}

static void print_tables(const struct rc_profile *profile, int64_t rank, const char *hosts)
{
    const struct rc_profile_rank *shown = rank < 0 ? &profile->total : &profile->ranks[rank];
    struct rc_answer_trace_kind kinds[RC_PROFILE_KINDS];
    struct rc_answer_trace_size sizes[RC_TRAFFIC_SIZES];
    size_t n;
    struct rc_profile_link *links = rc_answer_trace_links(profile, rank, &n);
    size_t n_shown = n < ROWS_MAX ? n : ROWS_MAX;

    print_head(profile, shown, hosts);
    print_ranks(profile, rank);
    print_line(profile, rank);
    print_rows("Calls", rc_answer_trace_kind, kinds, rc_answer_trace_kinds(shown, kinds),
               sizeof *kinds);
    print_rows("Message sizes", rc_answer_trace_size, sizes, rc_answer_trace_sizes(shown, sizes),
               sizeof *sizes);
    rc_trace_profile_links_sort(links, n);
    print_rows("Communication between ranks", rc_answer_trace_link, links, n_shown, sizeof *links);
    put_rest(n, n_shown);
    free(links);
}

/* ---- info ---- */

static void print_json(const struct rc_profile *profile, int64_t rank)
{
    struct rc_answer_trace_info info = rc_answer_trace_info_of(profile, rank);

    info.notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_trace_info, &info));
    json_decref(info.notes);
}

static int run_info(struct rc_invocation *invocation)
{
    const struct info_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_cmd_trace trace;
    struct rc_cmd_work work;
    char *hosts;
    int status = RC_EXIT_OK;

    if (options->plot && rc_plot_check(options->plot, &error) != 0)
        return rc_cmd_usage(invocation, &error);
    if (rc_cmd_trace_open(&trace, invocation) != 0)
        return RC_EXIT_FAILED;
    if (options->rank >= (int64_t)trace.profile->n_ranks) {
        status = rc_cmd_usage_text(invocation, "--rank: the trace has ranks 0 to %" PRIu32,
                                   trace.profile->n_ranks - 1);
    } else {
        hosts = rc_cmd_trace_hosts(trace.set);
        if (!options->json)
            print_tables(trace.profile, options->rank, hosts);
        free(hosts);
        if (!trace.profile->whole)
            rc_cmd_note("the trace is not complete; see 'runcast trace check %s'",
                        invocation->arguments[0]);
        if (options->json)
            print_json(trace.profile, options->rank);
        if (options->plot) {
            rc_cmd_work_begin(&work, "drawing");
            if (rc_answer_trace_plot(options->plot, trace.profile, options->rank, &work.monitor,
                                     &error) != 0)
                status = RC_EXIT_FAILED;
            rc_cmd_work_end(&work);
            if (status != RC_EXIT_OK)
                rc_cmd_fail(&error, "drawing %s", options->plot);
        }
    }
    rc_cmd_trace_close(&trace);
    return status;
}

const struct rc_command rc_command_trace_info = {
    .name = "info",
    .summary = "Show how a traced program spent its time",
    .arguments = "DIR",
    .details =
        "Shows the time that each rank computes and communicates, a time line, the MPI calls, "
        "the message sizes and the bytes between ranks. Computing is the time between MPI "
        "calls, communicating the time in them. File I/O, and the start and end of MPI, are "
        "counted separately. The final wait of a rank is its last long call in which it "
        "waits for all others. Of a damaged trace, the readable part is shown.",
    .examples = "  runcast trace info heat.trace\n"
                "  runcast trace info heat.trace --rank 0 --json\n"
                "  runcast trace info heat.trace --plot trace.svg\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = info_options,
    .options_size = sizeof(struct info_options),
    .defaults = &info_defaults,
    .answers = {rc_answer_trace_info},
    .run = run_info,
};
