// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_compare_show.c - what 'runcast scale compare' shows, for people and as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/text.h"
#include "base/unit.h"
#include "cmd/scale/compare.h"

enum {
    CELL = 2 * RC_UNIT_SIZE + 16,
    SHOWN = 20,     /* choices of a mesh, besides those that no other beats */
    SHOWN_UNFIT = 5 /* of those that do not fit */
};

static const char *const state_names[RC_CHOICE_STATES] = {
    [RC_CHOICE_OK] = "ok",
    [RC_CHOICE_NO_MEMORY] = "does not fit",
    [RC_CHOICE_NO_MODEL] = "not measured",
    [RC_CHOICE_NO_SPLIT] = "cannot be split",
};

/* ---- for people ---- */

static const char *network_of(const struct rc_platform *platform, const struct rc_choice_part *part)
{
    const struct rc_cluster *cluster = &platform->clusters[part->cluster];

    return part->network < cluster->n_networks ? cluster->networks[part->network].name : "";
}

void rc_cmd_choice_name(const struct rc_platform *platform, const struct rc_choice *choice,
                        bool plain, char text[RC_CMD_CHOICE_NAME])
{
    text[0] = '\0';
    for (size_t i = 0; i < choice->n_parts; i++) {
        const struct rc_choice_part *part = &choice->parts[i];
        const char *network = network_of(platform, part);

        rc_text_append(text, RC_CMD_CHOICE_NAME, "%s%s", i ? " + " : "",
                       platform->clusters[part->cluster].name);
        if (!plain)
            rc_text_append(text, RC_CMD_CHOICE_NAME, ":%" PRId64, part->procs);
        if (!plain && part->per_host > 1)
            rc_text_append(text, RC_CMD_CHOICE_NAME, "/%d", part->per_host);
        /* once, after the last one, where it is that of all */
        if (*network && (i + 1 == choice->n_parts ||
                         strcmp(network, network_of(platform, &choice->parts[i + 1])) != 0))
            rc_text_append(text, RC_CMD_CHOICE_NAME, " %s", network);
    }
}

static const struct rc_column columns[] = {
    {.title = ""},
    {.title = "mesh"},
    {.title = "choice"},
    {.title = "time", .right = true},
    {.title = "90 %", .right = true},
    {.title = "core-hours", .right = true},
    {.title = "price", .right = true},
    {.title = "memory", .right = true},
    {.title = "in time", .right = true},
    {.title = "in budget", .right = true},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static void put_percent(struct rc_table *table, double part)
{
    char text[CELL];

    snprintf(text, sizeof text, isnan(part) ? "-" : "%.0f %%", 100 * part);
    rc_table_text(table, text);
}

/* What the worst-off process needs of what it may have. */
static void put_memory(struct rc_table *table, const struct rc_choice *choice)
{
    char text[CELL], needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];
    const struct rc_choice_part *worst = &choice->parts[0];

    for (size_t i = 1; i < choice->n_parts; i++)
        if (choice->parts[i].memory / choice->parts[i].host_memory >
            worst->memory / worst->host_memory)
            worst = &choice->parts[i];
    rc_unit_format_apart(worst->memory, worst->host_memory, RC_BYTES, needed, has);
    snprintf(text, sizeof text, "%s of %s", needed, has);
    rc_table_text(table, isnan(worst->memory) ? "-" : text);
}

static bool goes_beyond(const struct rc_choice *choice)
{
    return choice->state == RC_CHOICE_OK && choice->estimate.notes.n > 0;
}

static void put_choice(struct rc_table *table, const struct rc_cmd_compared *compared,
                       const struct rc_choice *choice, bool chances)
{
    char name[RC_CMD_CHOICE_NAME], mesh[RC_MESH_TEXT], text[CELL], low[RC_UNIT_SIZE],
        high[RC_UNIT_SIZE];
    bool ok = choice->state == RC_CHOICE_OK;

    snprintf(text, sizeof text, "%s%s", ok && choice->pareto ? "*" : "",
             goes_beyond(choice) ? "~" : "");
    rc_table_text(table, text);
    rc_table_text(table, rc_scaling_mesh_text(&compared->meshes[choice->mesh], mesh));
    rc_cmd_choice_name(compared->platform, choice, false, name);
    rc_table_text(table, name);
    rc_unit_format(choice->seconds, RC_SECONDS, text);
    rc_table_text(table, ok ? text : state_names[choice->state]);
    rc_unit_format(choice->low, RC_SECONDS, low);
    rc_unit_format(choice->high, RC_SECONDS, high);
    snprintf(text, sizeof text, "%s to %s", low, high);
    rc_table_text(table, ok ? text : "-");
    rc_table_number(table, ok ? choice->core_hours : NAN);
    rc_table_number(table, ok ? choice->cost : NAN);
    put_memory(table, choice);
    if (!chances)
        return;
    put_percent(table, ok ? choice->on_time : NAN);
    put_percent(table, ok ? choice->in_budget : NAN);
}

/* How many of a kind were shown of one mesh, and which were not. */
struct shown {
    size_t mesh, ok, unfit, left_out, unmeasured;
};

static bool is_shown(const struct rc_choice *choice, bool all, struct shown *shown)
{
    if (choice->mesh != shown->mesh) {
        shown->mesh = choice->mesh;
        shown->ok = shown->unfit = 0;
    }
    if (all)
        return true;
    if (choice->state == RC_CHOICE_NO_MODEL) {
        shown->unmeasured++;
        return false;
    }
    if (choice->state == RC_CHOICE_OK ? shown->ok++ < SHOWN || choice->pareto
                                      : shown->unfit++ < SHOWN_UNFIT)
        return true;
    shown->left_out++;
    return false;
}

/* What follows the reason why a choice cannot be. */
static const char *remedy_of(const struct rc_choice *choice)
{
    return choice->state == RC_CHOICE_NO_MODEL ? ": 'runcast scale measure' does so" : "";
}

/* Why choices that were shown cannot be. */
static void show_reasons(const struct rc_cmd_compared *compared, bool all)
{
    struct shown shown = {.mesh = SIZE_MAX};
    char name[RC_CMD_CHOICE_NAME], mesh[RC_MESH_TEXT];
    char text[RC_CMD_CHOICE_NAME + RC_MESH_TEXT + RC_SCALING_NOTE_SIZE + 64];
    bool several = compared->n_meshes > 1;

    for (size_t i = 0; i < compared->choices->n; i++) {
        const struct rc_choice *choice = &compared->choices->items[i];

        if (!is_shown(choice, all, &shown) || choice->state == RC_CHOICE_OK || !*choice->why)
            continue;
        rc_cmd_choice_name(compared->platform, choice, false, name);
        snprintf(text, sizeof text, "%s%s%s: %s%s",
                 several ? rc_scaling_mesh_text(&compared->meshes[choice->mesh], mesh) : "",
                 several ? ", " : "", name, choice->why, remedy_of(choice));
        rc_option_wrap(stdout, text, 2, rc_cmd_width() ? rc_cmd_width() : 10000);
    }
}

/* Meshes of which there is no row, since nothing was measured for them. */
static void show_unmeasured(const struct rc_cmd_compared *compared)
{
    char mesh[RC_MESH_TEXT];

    for (size_t m = 0; m < compared->n_meshes; m++) {
        bool measured = false;

        for (size_t i = 0; i < compared->choices->n && !measured; i++)
            measured = compared->choices->items[i].mesh == m &&
                       compared->choices->items[i].state != RC_CHOICE_NO_MODEL;
        if (!measured)
            printf("%s: nothing was measured for it ('runcast scale measure' and 'fit' with that "
                   "--size do so)\n",
                   rc_scaling_mesh_text(&compared->meshes[m], mesh));
    }
}

/* What the marks mean, which is by cost only where all costs are known. */
static void show_marks(const struct rc_cmd_compared *compared, bool beyond)
{
    size_t priced = 0, unpriced = 0;

    for (size_t i = 0; i < compared->choices->n; i++) {
        const struct rc_choice *choice = &compared->choices->items[i];

        if (choice->state == RC_CHOICE_OK)
            *(isnan(choice->cost) ? &unpriced : &priced) += 1;
    }
    if (priced + unpriced == 0)
        return;
    printf("* no other is both faster and %s",
           unpriced ? "takes fewer core-hours, since not all prices are known" : "cheaper");
    if (priced && *compared->platform->currency)
        printf("; prices are in %s", compared->platform->currency);
    printf("\n");
    if (beyond)
        printf("~ goes beyond what was measured (--json says how)\n");
}

static int show_table(const struct rc_cmd_compared *compared, bool all, struct shown *shown)
{
    size_t wanted = compared->chances ? N_COLUMNS : N_COLUMNS - 2, rows = 0;
    struct rc_table *table = NULL;
    bool beyond = false;

    for (size_t i = 0; i < compared->choices->n; i++) {
        if (!is_shown(&compared->choices->items[i], all, shown))
            continue;
        if (rows++ == 0)
            table = rc_table_create(stdout, columns, wanted, rc_cmd_width());
        if (!table)
            return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "showing the choices");
        put_choice(table, compared, &compared->choices->items[i], compared->chances);
        beyond |= goes_beyond(&compared->choices->items[i]);
    }
    if (rows == 0)
        return RC_EXIT_OK;
    if (rc_table_finish(table))
        return RC_EXIT_FAILED;
    show_marks(compared, beyond);
    return RC_EXIT_OK;
}

int rc_cmd_compared_show(const struct rc_cmd_compared *compared, bool all)
{
    struct shown shown = {.mesh = SIZE_MAX};
    int status = show_table(compared, all, &shown);

    if (status != RC_EXIT_OK)
        return status;
    show_reasons(compared, all);
    if (!all && compared->n_meshes > 1)
        show_unmeasured(compared);
    if (shown.left_out + shown.unmeasured)
        printf("not shown: %zu slower ones or such that do not fit, and %zu of which nothing was "
               "measured (--all)\n",
               shown.left_out, shown.unmeasured);
    rc_cmd_scale_notes_show(&compared->choices->notes);
    return RC_EXIT_OK;
}

/* ---- for programs ---- */

static json_t *part_json(const struct rc_platform *platform, const struct rc_choice_part *part)
{
    const struct rc_cluster *cluster = &platform->clusters[part->cluster];
    json_t *object = json_object();

    rc_json_set(object, "cluster", rc_json_text(cluster->name));
    rc_json_set(object, "network", rc_json_text(cluster->networks[part->network].name));
    rc_json_set(object, "p", json_integer(part->procs));
    rc_json_set(object, "per_host", json_integer(part->per_host));
    rc_json_set(object, "rows", json_integer(part->rows));
    rc_json_set(object, "cores", json_integer(part->cores));
    rc_json_set(object, "memory", rc_json_number(part->memory));
    rc_json_set(object, "host_memory", rc_json_number(part->host_memory));
    return object;
}

/* What is doubtful about a choice: of its answer, and of the models that it is by. */
static json_t *doubts_json(const struct rc_choice *choice)
{
    struct rc_scaling_notes notes = {0};
    json_t *list;

    if (choice->state == RC_CHOICE_OK) {
        rc_scaling_notes_join(&notes, &choice->estimate.notes, NULL);
        for (size_t i = 0; i < choice->n_parts; i++)
            if (choice->parts[i].model)
                rc_scaling_notes_join(&notes, &choice->parts[i].model->notes, NULL);
    }
    list = rc_cmd_scale_notes_json(&notes);
    rc_scaling_notes_free(&notes);
    return list;
}

static json_t *choice_json(const struct rc_cmd_compared *compared, const struct rc_choice *choice)
{
    json_t *object = json_object(), *parts = json_array();
    char why[RC_SCALING_NOTE_SIZE + 64];
    bool ok = choice->state == RC_CHOICE_OK;

    for (size_t i = 0; i < choice->n_parts; i++)
        json_array_append_new(parts, part_json(compared->platform, &choice->parts[i]));
    rc_json_set(object, "mesh", rc_cmd_scale_mesh_json(&compared->meshes[choice->mesh]));
    rc_json_set(object, "state", rc_json_text(state_names[choice->state]));
    snprintf(why, sizeof why, "%s%s", choice->why, remedy_of(choice));
    rc_json_set(object, "why", rc_json_text(why));
    rc_json_set(object, "parts", parts);
    rc_json_set(object, "seconds", rc_json_number(ok ? choice->seconds : NAN));
    rc_json_set(object, "low", rc_json_number(ok ? choice->low : NAN));
    rc_json_set(object, "high", rc_json_number(ok ? choice->high : NAN));
    rc_json_set(object, "core_hours", rc_json_number(ok ? choice->core_hours : NAN));
    rc_json_set(object, "price", rc_json_number(ok ? choice->cost : NAN));
    rc_json_set(object, "on_time", rc_json_number(ok ? choice->on_time : NAN));
    rc_json_set(object, "in_budget", rc_json_number(ok ? choice->in_budget : NAN));
    rc_json_set(object, "pareto", json_boolean(ok && choice->pareto));
    rc_json_set(object, "notes", doubts_json(choice));
    return object;
}

void rc_cmd_compared_json(const struct rc_cmd_compared *compared)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < compared->choices->n; i++)
        json_array_append_new(list, choice_json(compared, &compared->choices->items[i]));
    rc_json_set(object, "app", rc_json_text(compared->app));
    rc_json_set(object, "platform", rc_json_text(compared->platform->name));
    rc_json_set(object, "choices", list);
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&compared->choices->notes));
    rc_json_write(stdout, object, true);
    json_decref(object);
}
