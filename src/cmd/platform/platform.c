// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.c - `runcast platform`, with its verbs `check` and `show`. */
#include <inttypes.h>

#include "answer/platform_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "cmd/core/commands.h"
#include "report/cell.h"

/* "2 clusters, 128 hosts, 384 cores, 1 link" */
static void print_totals(const struct rc_platform *platform)
{
    int64_t hosts = (int64_t)rc_platform_host_count(platform);
    int64_t cores = rc_platform_core_count(platform);
    int64_t clusters = (int64_t)platform->n_clusters, links = (int64_t)platform->n_links;

    printf("%" PRId64 " cluster%s, %" PRId64 " host%s, %" PRId64 " core%s", clusters,
           rc_cell_plural(clusters, "s"), hosts, rc_cell_plural(hosts, "s"), cores,
           rc_cell_plural(cores, "s"));
    if (links)
        printf(", %" PRId64 " link%s", links, rc_cell_plural(links, "s"));
}

/* ---- check ---- */

struct check_options {
    bool json;
};

static const struct rc_option check_options[] = {
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct rc_json_stream stream;
    int status = RC_EXIT_OK;

    if (options->json)
        rc_json_stream_begin(&stream, stdout, rc_cmd_schema(), "files");
    for (int i = 0; i < invocation->n_arguments; i++) {
        const char *file = invocation->arguments[i];
        struct rc_error error = {0};
        struct rc_platform *platform = rc_platform_load(file, &error);

        if (!platform)
            status = rc_cmd_fail(&error, "checking %s", file);
        if (options->json) {
            const struct rc_answer_platform_check check =
                rc_answer_platform_check_make(file, platform, &error);

            rc_json_stream_add(&stream, rc_field_json(rc_answer_platform_check, &check));
        } else if (platform) {
            printf("%s: ok: ", file);
            print_totals(platform);
            putchar('\n');
        }
        rc_platform_destroy(platform);
    }
    if (options->json)
        rc_json_stream_end(&stream);
    return status;
}

static const struct rc_command check_command = {
    .name = "check",
    .summary = "Check platform files",
    .arguments = "FILE.yaml...",
    .details = "Prints a line for each valid file, and an error with line, column and key for each "
               "other. The exit status is 1 if any file is invalid.",
    .examples = "  runcast platform check cluster.yaml\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = check_options,
    .options_size = sizeof(struct check_options),
    .rows = rc_answer_platform_check,
    .rows_key = "files",
    .run = run_check,
};

/* ---- show ---- */

struct show_options {
    bool json;
    int64_t procs;
    const char *cluster;
};

static const struct rc_option show_options[] = {
    {RC_OPTION_OF(struct show_options, INTEGER, procs), .name = "procs", .letter = 'p',
     .argument = "P", .least = 1,
     .help = "number of processes to place; shows their hosts and memory"},
    {RC_OPTION_OF(struct show_options, TEXT, cluster), .name = "cluster", .argument = "NAME",
     .help = "cluster of the platform on which to place --procs; required if there are several"},
    RC_OPTION_JSON(struct show_options),
    RC_OPTIONS_END,
};

/* ---- tables ---- */

/* Rows of all clusters in one table, which begins with the cluster's name; of those with fewer than
 * `least` rows, none. */
static int show_rows(const struct rc_answer_platform *answer, const struct rc_field *fields,
                     bool networks, size_t least, struct rc_error *error)
{
    struct rc_column columns[8] = {{.title = "cluster"}};
    size_t n_columns = 1 + rc_field_columns(fields, columns + 1, 7);
    struct rc_table *table = NULL;

    for (size_t i = 0; i < answer->n_clusters; i++) {
        const struct rc_answer_cluster *cluster = &answer->clusters[i];
        size_t n = networks ? cluster->is.n_networks : cluster->n_groups;

        if (!table && n >= least) {
            fputc('\n', stdout);
            table = rc_table_create(stdout, columns, n_columns, rc_cmd_width());
            if (!table)
                return rc_error_no_memory(error);
        }
        for (size_t j = 0; n >= least && j < n; j++) {
            rc_table_text(table, cluster->is.name);
            rc_field_row(table, fields,
                         networks ? (const void *)&cluster->is.networks[j] : &cluster->groups[j]);
        }
    }
    return table && rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

static int show_list(const struct rc_field *fields, const void *records, size_t n, size_t size,
                     struct rc_error *error)
{
    return rc_field_table(stdout, fields, records, n, size, rc_cmd_width(), error);
}

static int show_tables(const struct rc_platform *platform, const struct rc_answer_platform *answer,
                       struct rc_error *error)
{
    const struct rc_answer_placement *placement = &answer->placement;

    printf("%s: ", platform->name);
    print_totals(platform);
    if (answer->currency)
        printf("; cost in %s per core-hour", answer->currency);
    fputs("\n\n", stdout);
    if (show_list(rc_answer_cluster, answer->clusters, answer->n_clusters, sizeof *answer->clusters,
                  error) ||
        show_rows(answer, rc_answer_network, true, 1, error))
        return -1;
    if (answer->n_links > 0) {
        fputc('\n', stdout);
        if (show_list(rc_answer_link, answer->links, answer->n_links, sizeof *answer->links, error))
            return -1;
    }
    /* Groups of equal hosts, of clusters with several. */
    if (show_rows(answer, rc_answer_group, false, 2, error))
        return -1;
    if (!placement->on)
        return 0;
    printf("\n%" PRId64 " process%s on %s, %s:\n", placement->processes,
           rc_cell_plural(placement->processes, "es"), placement->cluster,
           rc_platform_placement_order_name(placement->on->order));
    return show_list(rc_answer_placed_group, placement->groups, placement->n_groups,
                     sizeof *placement->groups, error);
}

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_error error = {0};
    struct rc_platform *platform;
    struct rc_answer_platform answer;
    int status;

    if (options->cluster && !options->procs)
        return rc_cmd_usage_text(invocation, "--cluster needs --procs P");
    platform = rc_platform_load(file, &error);
    if (!platform)
        return rc_cmd_fail(&error, "reading %s", file);
    status = rc_answer_platform_make(platform, &answer, &error);
    if (status == 0 && options->procs)
        status =
            rc_answer_platform_place(&answer, platform, options->cluster, options->procs, &error);
    if (status == 0 && options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_platform, &answer));
    else if (status == 0)
        status = show_tables(platform, &answer, &error);
    if (status)
        rc_cmd_fail(&error, "showing %s", file);
    rc_answer_platform_free(&answer);
    rc_platform_destroy(platform);
    return status ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static const struct rc_command show_command = {
    .name = "show",
    .summary = "Show a platform file",
    .arguments = "FILE.yaml",
    .details = "Shows clusters, networks, links, and hosts that differ from the others of their "
               "cluster. Memory per process is the least that any process has on a full cluster. "
               "With --procs, it also shows the placement of that many processes.",
    .examples = "  runcast platform show lab.yaml\n"
                "  runcast platform show lab.yaml --procs 6 # the placement of 6 processes\n"
                "  runcast platform show lab.yaml --json\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .answers = {rc_answer_platform},
    .run = run_show,
};

/* ---- the verb ---- */

static const struct rc_command *const children[] = {&check_command, &show_command, NULL};

const struct rc_command rc_command_platform = {
    .name = "platform",
    .summary = "Check and show platform files",
    .details = "A platform file describes clusters of hosts, their networks and costs, and the "
               "placement of processes. The man page runcast-platform describes the format.",
    .children = children,
};
