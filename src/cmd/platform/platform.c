// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.c - `runcast platform`, and its verb `check`. */
#include "cmd/platform/platform.h"

#include <inttypes.h>

#include "answer/platform.h"
#include "base/json.h"
#include "cmd/core/commands.h"
#include "report/cell.h"

void rc_cmd_platform_totals(const struct rc_platform *platform)
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

/* `platform` is NULL where the file was bad. */
static json_t *check_json(const char *file, const struct rc_platform *platform,
                          const struct rc_error *error)
{
    struct rc_answer_platform_check check = {.file = file, .ok = platform, .error = error};

    if (platform) {
        check.name = platform->name;
        check.clusters = platform->n_clusters;
        check.hosts = rc_platform_host_count(platform);
        check.cores = rc_platform_core_count(platform);
        check.links = platform->n_links;
    }
    return rc_field_json(rc_answer_platform_check, &check);
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct rc_json_stream stream;
    int status = RC_EXIT_OK;

    if (options->json)
        rc_json_stream_begin(&stream, stdout, "files");
    for (int i = 0; i < invocation->n_arguments; i++) {
        const char *file = invocation->arguments[i];
        struct rc_error error = {0};
        struct rc_platform *platform = rc_platform_load(file, &error);

        if (!platform)
            status = rc_cmd_fail(&error, "checking %s", file);
        if (options->json) {
            rc_json_stream_add(&stream, check_json(file, platform, &error));
        } else if (platform) {
            printf("%s: ok: ", file);
            rc_cmd_platform_totals(platform);
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
    .details = "Says in one line what each file describes, or what is wrong with it, with line, "
               "column and key. The exit status is 1 if any file is bad.",
    .examples = "  runcast platform check white-rose.yaml # is the description right?\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = check_options,
    .options_size = sizeof(struct check_options),
    .run = run_check,
};

static const struct rc_command *const children[] = {&check_command, &rc_command_platform_show,
                                                    NULL};

const struct rc_command rc_command_platform = {
    .name = "platform",
    .summary = "Check and show descriptions of machines",
    .details = "A platform file describes clusters of hosts, their networks and prices, and how "
               "processes are placed on them. The manual page runcast-platform describes its "
               "format.",
    .children = children,
};
