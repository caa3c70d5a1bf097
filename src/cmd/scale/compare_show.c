// SPDX-License-Identifier: GPL-3.0-or-later
/* compare_show.c - the output of 'runcast scale compare'. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/scale_fields.h"
#include "base/error.h"
#include "base/text.h"
#include "cmd/scale/compare.h"

enum {
    N_COLUMNS = 10,
    SHOWN = 20,     /* choices of a mesh, besides the Pareto-optimal ones */
    SHOWN_UNFIT = 5 /* of those that do not fit */
};

static const char *const state_names[RC_CHOICE_STATES] = {
    [RC_CHOICE_OK] = "ok",
    [RC_CHOICE_NO_MEMORY] = "does not fit",
    [RC_CHOICE_NO_MODEL] = "not measured",
    [RC_CHOICE_NO_SPLIT] = "cannot be divided",
};

static const char *network_of(const struct rc_platform *platform, const struct rc_choice_part *part)
{
    return rc_scaling_network_name(&platform->clusters[part->cluster], part->network);
}

void rc_cmd_choice_name(const struct rc_platform *platform, const struct rc_choice *choice,
                        bool plain, char text[RC_ANSWER_CHOICE_NAME])
{
    text[0] = '\0';
    for (size_t i = 0; i < choice->n_parts; i++) {
        const struct rc_choice_part *part = &choice->parts[i];
        const char *network = network_of(platform, part);

        rc_text_append(text, RC_ANSWER_CHOICE_NAME, "%s%s", i ? " + " : "",
                       platform->clusters[part->cluster].name);
        if (!plain)
            rc_text_append(text, RC_ANSWER_CHOICE_NAME, ":%" PRId64, part->procs);
        if (!plain && part->per_host > 1)
            rc_text_append(text, RC_ANSWER_CHOICE_NAME, "/%d", part->per_host);
        /* once, after the last one, if all use it */
        if (*network && (i + 1 == choice->n_parts ||
                         strcmp(network, network_of(platform, &choice->parts[i + 1])) != 0))
            rc_text_append(text, RC_ANSWER_CHOICE_NAME, " %s", network);
    }
}

/* Follows the reason why a choice is impossible. */
static const char *remedy_of(const struct rc_choice *choice)
{
    return choice->state == RC_CHOICE_NO_MODEL ? "; run 'runcast scale measure' and 'fit'" : "";
}

/* All of a choice but its notes. */
static void fill_choice(const struct rc_cmd_compared *compared, const struct rc_choice *choice,
                        struct rc_answer_scale_choice *out)
{
    *out = (struct rc_answer_scale_choice){.mesh = compared->meshes[choice->mesh],
                                           .state = state_names[choice->state],
                                           .choice = *choice};
    rc_cmd_choice_name(compared->platform, choice, false, out->name);
    snprintf(out->reason, sizeof out->reason, "%s%s", choice->why, remedy_of(choice));
    for (size_t i = 0; i < choice->n_parts; i++)
        out->parts[i] = (struct rc_answer_scale_choice_part){
            compared->platform->clusters[choice->parts[i].cluster].name,
            network_of(compared->platform, &choice->parts[i]), choice->parts[i]};
}

/* The choices that are shown, and the number of the others. */
struct shown {
    bool *each;
    size_t left_out, unmeasured;
};

static void find_shown(const struct rc_choices *choices, bool all, struct shown *shown)
{
    size_t mesh = SIZE_MAX, ok = 0, unfit = 0;

    for (size_t i = 0; i < choices->n; i++) {
        const struct rc_choice *choice = &choices->items[i];

        if (choice->mesh != mesh) {
            mesh = choice->mesh;
            ok = unfit = 0;
        }
        if (all)
            shown->each[i] = true;
        else if (choice->state == RC_CHOICE_NO_MODEL)
            shown->unmeasured++;
        else if (choice->state == RC_CHOICE_OK ? ok++ < SHOWN || choice->pareto
                                               : unfit++ < SHOWN_UNFIT)
            shown->each[i] = true;
        else
            shown->left_out++;
    }
}

/* Why shown choices are impossible. */
static void show_reasons(const struct rc_cmd_compared *compared, const bool *shown)
{
    char name[RC_ANSWER_CHOICE_NAME], mesh[RC_MESH_TEXT];
    char text[RC_ANSWER_CHOICE_NAME + RC_MESH_TEXT + RC_SCALING_NOTE_SIZE + 64];
    bool several = compared->n_meshes > 1;

    for (size_t i = 0; i < compared->choices->n; i++) {
        const struct rc_choice *choice = &compared->choices->items[i];

        if (!shown[i] || choice->state == RC_CHOICE_OK || !*choice->why)
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
            printf("%s: no measurements; run 'runcast scale measure' and 'fit' with this --size\n",
                   rc_scaling_mesh_text(&compared->meshes[m], mesh));
    }
}

/* The legend of the marks, which go by cost only if all costs are known. */
static void show_marks(const struct rc_cmd_compared *compared, bool extrapolated)
{
    size_t known = 0, unknown = 0;

    for (size_t i = 0; i < compared->choices->n; i++) {
        const struct rc_choice *choice = &compared->choices->items[i];

        if (choice->state == RC_CHOICE_OK)
            *(isnan(choice->cost) ? &unknown : &known) += 1;
    }
    if (known + unknown == 0)
        return;
    printf("* Pareto-optimal: no choice is both faster and %s",
           unknown ? "uses fewer core-hours (some costs are unknown)" : "cheaper");
    if (known && *compared->platform->currency)
        printf("; cost in %s", compared->platform->currency);
    printf("\n");
    if (extrapolated)
        printf("~ extrapolated; --json has the details\n");
}

static int show_table(const struct rc_cmd_compared *compared, const bool *shown)
{
    struct rc_column columns[N_COLUMNS];
    size_t wanted = rc_field_columns(rc_answer_scale_choice, columns, N_COLUMNS), rows = 0;
    struct rc_answer_scale_choice row;
    struct rc_table *table;
    bool extrapolated = false;

    for (size_t i = 0; i < compared->choices->n; i++)
        rows += shown[i];
    if (rows == 0)
        return RC_EXIT_OK;
    if (compared->probabilities)
        wanted +=
            rc_field_columns(rc_answer_scale_probabilities, columns + wanted, N_COLUMNS - wanted);
    table = rc_table_create(stdout, columns, wanted, rc_cmd_width());
    if (!table)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "showing the choices");
    for (size_t i = 0; i < compared->choices->n; i++) {
        const struct rc_choice *choice = &compared->choices->items[i];

        if (!shown[i])
            continue;
        fill_choice(compared, choice, &row);
        rc_field_row(table, rc_answer_scale_choice, &row);
        if (compared->probabilities)
            rc_field_row(table, rc_answer_scale_probabilities, &row);
        extrapolated |= choice->state == RC_CHOICE_OK && choice->estimate.notes.n > 0;
    }
    if (rc_table_finish(table))
        return RC_EXIT_FAILED;
    show_marks(compared, extrapolated);
    return RC_EXIT_OK;
}

int rc_cmd_compared_show(const struct rc_cmd_compared *compared, bool all)
{
    struct shown shown = {.each = calloc(compared->choices->n + 1, sizeof *shown.each)};
    int status;

    if (!shown.each)
        return rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "showing the choices");
    find_shown(compared->choices, all, &shown);
    status = show_table(compared, shown.each);
    if (status == RC_EXIT_OK) {
        show_reasons(compared, shown.each);
        if (!all && compared->n_meshes > 1)
            show_unmeasured(compared);
        if (shown.left_out + shown.unmeasured)
            printf("not shown: %zu that are slower or do not fit, and %zu without measurements "
                   "(--all shows them)\n",
                   shown.left_out, shown.unmeasured);
        rc_cmd_scale_notes(NULL, &compared->choices->notes);
    }
    free(shown.each);
    return status;
}

/* ---- as JSON ---- */

/* With the notes about its estimate and its models. */
static json_t *choice_json(const struct rc_cmd_compared *compared, const struct rc_choice *choice)
{
    struct rc_answer_scale_choice out;
    json_t *object;

    fill_choice(compared, choice, &out);
    if (choice->state == RC_CHOICE_OK) {
        rc_scaling_notes_join(&out.notes, NULL, &choice->estimate.notes, NULL);
        for (size_t i = 0; i < choice->n_parts; i++)
            if (choice->parts[i].model)
                rc_scaling_notes_join(&out.notes, NULL, &choice->parts[i].model->notes, NULL);
    }
    object = rc_field_json(rc_answer_scale_choice, &out);
    rc_scaling_notes_free(&out.notes);
    return object;
}

void rc_cmd_compared_json(const struct rc_cmd_compared *compared)
{
    struct rc_answer_scale_choices answer = {.app = compared->app,
                                             .platform = compared->platform->name,
                                             .choices = json_array()};

    for (size_t i = 0; i < compared->choices->n; i++)
        json_array_append_new(answer.choices, choice_json(compared, &compared->choices->items[i]));
    rc_cmd_scale_notes(NULL, &compared->choices->notes);
    answer.notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_scale_choices, &answer));
    json_decref(answer.choices);
    json_decref(answer.notes);
}
