// SPDX-License-Identifier: GPL-3.0-or-later
/* choices.c - all that a user could ask for, and which of it nothing beats. */
#include "model/scaling/choices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unit.h"
#include "model/scaling/choice_builder.h"

void rc_scaling_choices_request_init(struct rc_choices_request *request)
{
    *request = (struct rc_choices_request){.cut = 1,
                                           .combinations = true,
                                           .split = RC_SPLIT_TIME,
                                           .bytes_per_cell = NAN,
                                           .deadline = NAN,
                                           .budget = NAN};
}

void rc_scaling_choices_free(struct rc_choices *choices)
{
    for (size_t i = 0; i < choices->n; i++)
        rc_scaling_estimate_free(&choices->items[i].estimate);
    free(choices->items);
    rc_scaling_notes_free(&choices->notes);
    *choices = (struct rc_choices){0};
}

/* ---- one choice ---- */

static void set_no_memory(const struct rc_choosing *choosing, struct rc_choice *choice)
{
    const struct rc_choice_part *part = &choice->parts[0];
    char needs[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    choice->state = RC_CHOICE_NO_MEMORY;
    rc_unit_format_apart(part->memory, part->host_memory, RC_BYTES, needs, has);
    snprintf(choice->why, sizeof choice->why,
             "a process needs %s; %s available on a host of '%s' with %d per host", needs, has,
             choosing->request->platform->clusters[part->cluster].name, part->per_host);
}

static void set_no_model(const struct rc_choosing *choosing, struct rc_choice *choice)
{
    const struct rc_choice_part *part = &choice->parts[0];
    const struct rc_cluster *cluster = &choosing->request->platform->clusters[part->cluster];
    char text[RC_MESH_TEXT];

    choice->state = RC_CHOICE_NO_MODEL;
    snprintf(choice->why, sizeof choice->why, "no measurements on '%s'%s%s for a mesh of %s",
             cluster->name, part->network < cluster->n_networks ? " over " : "",
             rc_scaling_network_name(cluster, part->network),
             rc_scaling_mesh_text(&choosing->request->meshes[choice->mesh], text));
}

/* ---- one cluster ---- */

/* 1 where there is no model, so that one such choice stands for all; -1 on failure. */
static int choose_one(struct rc_choosing *choosing, size_t mesh,
                      const struct rc_choice_place *place, int64_t procs, bool report,
                      struct rc_error *error)
{
    const struct rc_mesh *whole = &choosing->request->meshes[mesh];
    const struct rc_scaling_model *model = rc_scaling_choosing_model(choosing, place, whole, procs);
    const struct rc_scaling_mc *mc;
    struct rc_choice_part part;
    struct rc_choice *choice;

    rc_scaling_choosing_part(choosing, place, whole, procs, model, &part);
    if (!model && !report && rc_scaling_choice_part_fits(&part))
        return 1;
    choice = rc_scaling_choosing_add(choosing, mesh, error);
    if (!choice)
        return -1;
    choice->parts[choice->n_parts++] = part;
    if (!rc_scaling_choice_part_fits(&part)) {
        set_no_memory(choosing, choice);
        return 0;
    }
    if (!model) {
        set_no_model(choosing, choice);
        return 1;
    }
    mc = rc_scaling_choosing_mc(choosing, model, error);
    if (!mc || rc_scaling_estimate(model, mc, whole, procs, &choice->estimate, error))
        return -1;
    rc_scaling_choosing_finish(choosing, choice);
    return 0;
}

static int choose_place(struct rc_choosing *choosing, size_t mesh,
                        const struct rc_choice_place *place, struct rc_error *error)
{
    int64_t procs[RC_CHOICE_PROCS_MAX];
    bool reported = false;
    size_t n;

    if (rc_scaling_choosing_procs(choosing, place, procs, &n, error))
        return -1;
    /* from the largest number on, which is reported as not measured */
    for (size_t i = n; i-- > 0;) {
        struct rc_mesh block;
        int status;

        if (rc_scaling_mesh_block(&choosing->request->meshes[mesh], procs[i],
                                  choosing->request->cut, &block, NULL))
            continue;
        status = choose_one(choosing, mesh, place, procs[i], !reported, error);
        if (status < 0)
            return -1;
        reported = reported || status == 1;
    }
    return 0;
}

static bool wanted(const struct rc_choices_request *request, size_t cluster, size_t network)
{
    const struct rc_cluster *c = &request->platform->clusters[cluster];

    if (request->clusters && request->clusters[cluster].excluded)
        return false;
    return !request->network ||
           (network < c->n_networks && strcmp(c->networks[network].name, request->network) == 0);
}

static int choose_cluster(struct rc_choosing *choosing, size_t mesh, size_t cluster,
                          struct rc_error *error)
{
    const struct rc_cluster *c = &choosing->request->platform->clusters[cluster];
    size_t networks = c->n_networks > 0 ? c->n_networks : 1;

    for (size_t network = 0; network < networks; network++) {
        int per_host[RC_CHOICE_PER_HOST_MAX];
        size_t n;

        if (!wanted(choosing->request, cluster, network))
            continue;
        n = rc_scaling_choosing_per_host(choosing, cluster, network, per_host);
        for (size_t i = 0; i < n; i++) {
            const struct rc_choice_place place = {cluster, network, per_host[i]};

            if (choose_place(choosing, mesh, &place, error))
                return -1;
        }
    }
    return 0;
}

/* ---- sorting and marking ---- */

static int by_time(const void *a, const void *b)
{
    const struct rc_choice *p = a, *q = b;

    if (p->mesh != q->mesh)
        return (p->mesh > q->mesh) - (p->mesh < q->mesh);
    if (p->state != q->state)
        return (p->state > q->state) - (p->state < q->state);
    if (p->state == RC_CHOICE_OK && p->seconds != q->seconds)
        return (p->seconds > q->seconds) - (p->seconds < q->seconds);
    for (size_t i = 0; i < p->n_parts && i < q->n_parts; i++) {
        const struct rc_choice_part *x = &p->parts[i], *y = &q->parts[i];

        if (x->cluster != y->cluster)
            return (x->cluster > y->cluster) - (x->cluster < y->cluster);
        if (x->network != y->network)
            return (x->network > y->network) - (x->network < y->network);
        if (x->procs != y->procs)
            return (x->procs < y->procs) - (x->procs > y->procs);
    }
    return (p->n_parts > q->n_parts) - (p->n_parts < q->n_parts);
}

/* By cost, or by core-hours where a cost is not known. */
void rc_scaling_choices_pareto(struct rc_choice *items, size_t n)
{
    bool priced = true;

    for (size_t i = 0; i < n; i++)
        priced = priced && !isnan(items[i].cost);
    for (size_t i = 0; i < n; i++) {
        double seconds = items[i].seconds, cost = priced ? items[i].cost : items[i].core_hours;

        items[i].pareto = !isnan(cost) && !isnan(seconds);
        for (size_t j = 0; j < n && items[i].pareto; j++) {
            double other = priced ? items[j].cost : items[j].core_hours;

            items[i].pareto = !(items[j].seconds <= seconds && other <= cost &&
                                (items[j].seconds < seconds || other < cost));
        }
    }
}

/* The items are sorted: those of a mesh that are OK stand together. */
static void mark_all(const struct rc_choices *choices)
{
    for (size_t i = 0, n; i<choices->n; i += n> 0 ? n : 1) {
        n = 0;
        while (i + n < choices->n && choices->items[i + n].mesh == choices->items[i].mesh &&
               choices->items[i + n].state == RC_CHOICE_OK)
            n++;
        rc_scaling_choices_pareto(&choices->items[i], n);
    }
}

/* ---- all of it ---- */

/* The error has the notes on omissions, which would not be seen otherwise. */
static int nothing_left(const struct rc_scaling_notes *notes, struct rc_error *error)
{
    char text[400] = "";
    size_t at = 0;

    for (size_t i = 0; i < notes->n && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i > 0 ? "; " : ": ",
                               notes->text[i]);
    rc_text_mend_cut(text, sizeof text);
    rc_error_set(error, "no choices%s", text);
    return rc_error_hint(error, notes->n > 0 ? "use fewer processes, or more per host"
                                             : "is a cluster or network left out, or the mesh too "
                                               "small?");
}

static int verdict(const struct rc_choosing *choosing, struct rc_error *error)
{
    const struct rc_choices *choices = choosing->choices;
    size_t count[RC_CHOICE_STATES] = {0};

    for (size_t i = 0; i < choices->n; i++)
        count[choices->items[i].state]++;
    if (count[RC_CHOICE_OK] > 0)
        return 0;
    if (choices->n == 0)
        return nothing_left(&choices->notes, error);
    if (count[RC_CHOICE_NO_MODEL] > 0) {
        rc_error_set(error, "no measurements for any choice that fits in memory");
        return rc_error_code(error, "scaling.no-runs", NULL);
    }
    rc_error_set(error, "no choice fits in memory: %s", choices->items[0].why);
    return rc_error_hint(error, "use more processes, fewer per host, several clusters or a smaller "
                                "mesh");
}

/* The warnings about a model of choices, with its place. */
static int note_warnings(struct rc_choosing *choosing, const struct rc_scaling_model *model,
                         struct rc_error *error)
{
    const struct rc_scaling_setting *setting = &model->setting;
    bool named = setting->network[0] != '\0';

    for (size_t i = 0; i < model->warnings.n; i++)
        if (rc_scaling_note(&choosing->choices->notes, error, "%s%s%s, %d per host: %s",
                            setting->cluster, named ? " " : "", setting->network, setting->per_host,
                            model->warnings.text[i]))
            return -1;
    return 0;
}

static int note_all_warnings(struct rc_choosing *choosing, struct rc_error *error)
{
    const struct rc_choices *choices = choosing->choices;

    for (size_t m = 0; m < choosing->request->models->n; m++) {
        const struct rc_scaling_model *model = &choosing->request->models->items[m];
        bool used = false;

        for (size_t i = 0; i < choices->n && !used; i++)
            for (size_t k = 0; k < choices->items[i].n_parts; k++)
                used = used || (choices->items[i].state == RC_CHOICE_OK &&
                                choices->items[i].parts[k].model == model);
        if (used && note_warnings(choosing, model, error))
            return -1;
    }
    return 0;
}

/* Bytes per cell of an app, for models without them. */
static void find_bytes(struct rc_choosing *choosing)
{
    const struct rc_scaling_models *models = choosing->request->models;

    choosing->bytes_per_cell = choosing->request->bytes_per_cell;
    choosing->bytes_base = 0;
    for (size_t i = 0; i < models->n && isnan(choosing->bytes_per_cell); i++) {
        choosing->bytes_per_cell = models->items[i].bytes_per_cell;
        choosing->bytes_base = models->items[i].bytes_base;
    }
}

static int check_request(const struct rc_choices_request *request, struct rc_error *error)
{
    if (request->n_meshes == 0)
        return rc_error_set(error, "no mesh");
    if (request->cut < 1 || request->cut > RC_MESH_DIRECTIONS)
        return rc_error_set(error, "a mesh is cut in 1, 2 or 3 dimensions, not %d", request->cut);
    for (size_t i = 0; request->clusters && i < request->platform->n_clusters; i++)
        if (request->clusters[i].n_procs > RC_CHOICE_PROCS_MAX)
            return rc_error_set(error, "at most %d numbers of processes for a cluster",
                                RC_CHOICE_PROCS_MAX);
    return 0;
}

static int choose_all(struct rc_choosing *choosing, struct rc_error *error)
{
    const struct rc_choices_request *request = choosing->request;

    for (size_t mesh = 0; mesh < request->n_meshes; mesh++) {
        for (size_t i = 0; i < request->platform->n_clusters; i++)
            if (choose_cluster(choosing, mesh, i, error))
                return -1;
        if (request->combinations && request->cut == 1 &&
            rc_scaling_choosing_pairs(choosing, mesh, error))
            return -1;
    }
    return 0;
}

int rc_scaling_choices_make(const struct rc_choices_request *request, struct rc_choices *choices,
                            struct rc_error *error)
{
    struct rc_choosing choosing = {.request = request, .choices = choices};
    int status;

    *choices = (struct rc_choices){0};
    if (check_request(request, error))
        return -1;
    choosing.mc = calloc(request->models->n + 1, sizeof(struct rc_scaling_mc *));
    if (!choosing.mc)
        return rc_error_no_memory(error);
    find_bytes(&choosing);
    status = choose_all(&choosing, error) || note_all_warnings(&choosing, error) ? -1 : 0;
    for (size_t i = 0; i < request->models->n; i++)
        rc_scaling_mc_free(choosing.mc[i]);
    free(choosing.mc);
    if (!status && choices->n > 0)
        qsort(choices->items, choices->n, sizeof *choices->items, by_time);
    if (status) {
        rc_scaling_choices_free(choices);
        return -1;
    }
    mark_all(choices);
    return verdict(&choosing, error);
}
