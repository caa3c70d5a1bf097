// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.c - `runcast platform`, and its verb `check`. */
#include "cmd/platform/platform.h"

#include <inttypes.h>

#include "base/json.h"
#include "cmd/core/commands.h"
#include "platform/platform.h"

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void rc_cmd_platform_totals(const struct rc_platform *platform)
{
    int64_t hosts = (int64_t)rc_platform_host_count(platform);
    int64_t cores = rc_platform_core_count(platform);
    int64_t clusters = (int64_t)platform->n_clusters, links = (int64_t)platform->n_links;

    printf("%" PRId64 " cluster%s, %" PRId64 " host%s, %" PRId64 " core%s", clusters,
           plural(clusters), hosts, plural(hosts), cores, plural(cores));
    if (links)
        printf(", %" PRId64 " link%s", links, plural(links));
}

/* ---- check ---- */

struct check_options {
    bool json;
};

static const struct rc_option check_options[] = {
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

static json_t *error_json(const struct rc_error *error)
{
    json_t *object = json_object();

    rc_json_set(object, "text", rc_json_text(error->text));
    rc_json_set(object, "hint", error->hint[0] ? rc_json_text(error->hint) : json_null());
    rc_json_set(object, "line", error->line ? json_integer(error->line) : json_null());
    rc_json_set(object, "column", error->column ? json_integer(error->column) : json_null());
    return object;
}

/* `platform` is NULL where the file was bad. */
static json_t *verdict_json(const char *file, const struct rc_platform *platform,
                            const struct rc_error *error)
{
    json_t *object = json_object();

    rc_json_set(object, "file", rc_json_text(file));
    rc_json_set(object, "ok", json_boolean(platform != NULL));
    if (!platform) {
        rc_json_set(object, "error", error_json(error));
        return object;
    }
    rc_json_set(object, "name", rc_json_text(platform->name));
    rc_json_set(object, "clusters", json_integer((json_int_t)platform->n_clusters));
    rc_json_set(object, "hosts", json_integer((json_int_t)rc_platform_host_count(platform)));
    rc_json_set(object, "cores", json_integer(rc_platform_core_count(platform)));
    rc_json_set(object, "links", json_integer((json_int_t)platform->n_links));
    return object;
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
            rc_json_stream_add(&stream, verdict_json(file, platform, &error));
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
