// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_template.c - the user's command with places for numbers of processes, meshes and hosts. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cmd/scale/scale.h"
#include "run/template.h"
#include "platform/hostlist.h"

/* ---- placeholders ---- */

static int put_procs(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->procs);
}

static int put_rows(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_ROWS]);
}

static int put_cols(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_COLS]);
}

static int put_layers(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%" PRId64, fill->mesh.extent[RC_MESH_LAYERS]);
}

static int put_per_host(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return rc_buffer_printf(word, "%d", fill->per_host);
}

static int put_names(const struct rc_cmd_scale_fill *fill, bool slots, struct rc_buffer *word)
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
    return status;
}

static int put_hosts(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return put_names(fill, false, word);
}

static int put_slots(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word)
{
    return put_names(fill, true, word);
}

static const struct placeholder {
    const char *name;
    int (*put)(const struct rc_cmd_scale_fill *fill, struct rc_buffer *word);
    int needed_from; /* the cut from which on a template must have it; 0: none */
} placeholders[] = {
    {"p", put_procs, 1},           {"rows", put_rows, 1},   {"cols", put_cols, 1},
    {"layers", put_layers, 3},     {"hosts", put_hosts, 0}, {"slots", put_slots, 0},
    {"per_host", put_per_host, 0},
};
enum { N_PLACEHOLDERS = sizeof placeholders / sizeof *placeholders };

static const struct placeholder *find_placeholder(const char *name)
{
    for (size_t i = 0; i < N_PLACEHOLDERS; i++)
        if (strcmp(placeholders[i].name, name) == 0)
            return &placeholders[i];
    return NULL;
}

#define KNOWN "{p} {rows} {cols} {layers} {hosts} {slots} {per_host}"

int rc_cmd_scale_template_check(const char *template, int cut, struct rc_error *error)
{
    bool found[N_PLACEHOLDERS] = {false};
    const struct placeholder *placeholder;
    char name[RC_TEMPLATE_NAME_SIZE];
    char **words;

    for (const char *at = strchr(template, '{'); at; at = strchr(at + 1, '{')) {
        if (!rc_run_template_name(at, name))
            continue;
        placeholder = find_placeholder(name);
        if (!placeholder) {
            rc_error_set(error, "--command: {%s} is not known", name);
            return rc_error_hint(error, "there are " KNOWN);
        }
        found[placeholder - placeholders] = true;
    }
    for (size_t i = 0; i < N_PLACEHOLDERS; i++)
        if (!found[i] && placeholders[i].needed_from && placeholders[i].needed_from <= cut) {
            rc_error_set(error,
                         "--command: there is no {%s} in it, so that all runs would be "
                         "alike",
                         placeholders[i].name);
            return rc_error_hint(error,
                                 "such as: mpirun -np {p} --host {hosts} ./app --rows "
                                 "{rows} --size {cols}%s",
                                 cut == RC_MESH_DIRECTIONS ? " --layers {layers}" : "");
        }
    words = rc_cmd_scale_template_words(
        template,
        &(struct rc_cmd_scale_fill){.procs = 1, .mesh = {{1, 1, 1}}, .hosts = "x", .per_host = 1},
        error);
    rc_run_words_free(words);
    return words ? 0 : -1;
}

bool rc_cmd_scale_template_places(const char *template)
{
    return rc_run_template_has(template, "hosts") || rc_run_template_has(template, "slots");
}

/* ---- filling in ---- */

static int put(const void *data, const char *name, struct rc_buffer *out)
{
    const struct placeholder *placeholder = find_placeholder(name);

    if (!placeholder)
        return 0;
    return placeholder->put(data, out) ? -1 : 1;
}

char **rc_cmd_scale_template_words(const char *template, const struct rc_cmd_scale_fill *fill,
                                   struct rc_error *error)
{
    return rc_run_template_words(
        &(struct rc_template){.source = "--command", .text = template, .put = put, .data = fill},
        error);
}

uint32_t rc_cmd_scale_template_number(const char *template)
{
    return rc_run_template_number(template);
}

char *rc_cmd_scale_template_line(const char *template, const struct rc_cmd_scale_fill *fill,
                                 struct rc_error *error)
{
    return rc_run_template_line(
        &(struct rc_template){.source = "--command", .text = template, .put = put, .data = fill},
        error);
}
