// SPDX-License-Identifier: GPL-3.0-or-later
/* small_run_command.c - the user's command with placeholders for processes, meshes and hosts. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cmd/scale/scale.h"
#include "platform/hostlist.h"
#include "run/command_template.h"

/* ---- placeholders ---- */

/* Placeholders that a template must have, from this --cut on. */
static const struct {
    const char *name;
    int from;
} needed[] = {{"p", 1}, {"rows", 1}, {"cols", 1}, {"layers", RC_MESH_DIRECTIONS}};
enum { N_NEEDED = sizeof needed / sizeof *needed };

#define KNOWN "{p} {rows} {cols} {layers} {hosts} {slots} {per_host}"

/* "a1,a2", or "a1:4,a2:4" with the slots of each. */
static int put_hosts(const struct rc_cmd_scale_fill *fill, bool slots, struct rc_buffer *word)
{
    struct rc_hostlist list = {0};
    int status =
        rc_platform_hostlist_expand(fill->hosts, strlen(fill->hosts), RC_HOSTS_MAX, &list, NULL);

    for (size_t i = 0; i < list.count && !status; i++) {
        status = rc_buffer_printf(word, "%s%s", i ? "," : "", list.names[i]);
        if (!status && slots)
            status = rc_buffer_printf(word, ":%d", fill->per_host);
    }
    rc_platform_hostlist_free(&list);
    return status ? -1 : 1;
}

/* As struct rc_template has it. */
static int put(const void *data, const char *name, struct rc_buffer *out)
{
    const struct rc_cmd_scale_fill *fill = data;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"p", fill->procs},
                   {"rows", fill->mesh.extent[RC_MESH_ROWS]},
                   {"cols", fill->mesh.extent[RC_MESH_COLS]},
                   {"layers", fill->mesh.extent[RC_MESH_LAYERS]},
                   {"per_host", fill->per_host}};
    bool slots = strcmp(name, "slots") == 0;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].name, name) == 0)
            return rc_buffer_printf(out, "%" PRId64, numbers[i].value) ? -1 : 1;
    return slots || strcmp(name, "hosts") == 0 ? put_hosts(fill, slots, out) : 0;
}

static struct rc_template filled(const char *template, const struct rc_cmd_scale_fill *fill)
{
    return (struct rc_template){.source = "--command", .text = template, .put = put, .data = fill};
}

/* ---- the command ---- */

int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error)
{
    char name[RC_TEMPLATE_NAME_SIZE];
    char **words;

    for (const char *at = strchr(template, '{'); at; at = strchr(at + 1, '{'))
        if (rc_run_template_name(at, name) && !rc_run_template_has(KNOWN, name)) {
            rc_error_set(error, "--command: unknown placeholder {%s}", name);
            return rc_error_hint(error, "placeholders are " KNOWN);
        }
    for (size_t i = 0; i < N_NEEDED; i++)
        if (needed[i].from <= cut && !rc_run_template_has(template, needed[i].name)) {
            rc_error_set(error, "--command: missing placeholder {%s}", needed[i].name);
            return rc_error_hint(error,
                                 "example: mpirun -np {p} --host {hosts} ./app --rows {rows} "
                                 "--size {cols}%s",
                                 cut == RC_MESH_DIRECTIONS ? " --layers {layers}" : "");
        }
    words = rc_cmd_scale_template_words(
        template,
        &(struct rc_cmd_scale_fill){.procs = 1, .mesh = {{1, 1, 1}}, .hosts = "x", .per_host = 1},
        error);
    rc_run_words_free(words);
    return words ? 0 : -1;
}

char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error)
{
    const struct rc_template it = filled(template, fill);

    return rc_run_template_words(&it, error);
}

char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error)
{
    const struct rc_template it = filled(template, fill);

    return rc_run_template_line(&it, error);
}
