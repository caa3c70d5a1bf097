// SPDX-License-Identifier: GPL-3.0-or-later
/* cluster_pairs.c - runs over two clusters at once. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/scaling/choice_builder.h"

/* A pair of places, as it is gone through. */
struct pair {
    struct rc_choice_place place[2];
    int64_t procs[2][RC_CHOICE_PROCS_MAX];
    size_t n_procs[2];
};

/* The network that a cluster takes part over: the one that is asked for, or its first. */
static bool network_of(const struct rc_choices_request *request, size_t cluster, size_t *network)
{
    const struct rc_cluster *c = &request->platform->clusters[cluster];

    *network = 0;
    if (request->clusters && request->clusters[cluster].excluded)
        return false;
    if (!request->network)
        return true;
    while (*network < c->n_networks && strcmp(c->networks[*network].name, request->network) != 0)
        ++*network;
    return *network < c->n_networks;
}

static const char *name_of(const struct rc_choosing *choosing, const struct rc_choice_place *place)
{
    return choosing->request->platform->clusters[place->cluster].name;
}

/* What was measured of the link; NULL where it is not asked for. */
static const struct rc_scaling_link *link_of(struct rc_choosing *choosing, const struct pair *pair,
                                             const struct rc_mesh *mesh, struct rc_error *error)
{
    const struct rc_scaling_link *link;
    const char *a = name_of(choosing, &pair->place[0]), *b = name_of(choosing, &pair->place[1]);
    const char *network = rc_scaling_choosing_network(choosing, &pair->place[0]);

    if (!choosing->request->links)
        return NULL;
    if (strcmp(network, rc_scaling_choosing_network(choosing, &pair->place[1])) != 0)
        network = "";
    link = rc_scaling_models_find_link(choosing->request->models, a, b, network,
                                       mesh->extent[RC_MESH_COLS]);
    if (!link)
        rc_scaling_note(&choosing->choices->notes, error,
                        "the link between '%s' and '%s' was not measured for %lld columns; its "
                        "cost is assumed to be 0",
                        a, b, (long long)mesh->extent[RC_MESH_COLS]);
    return link;
}

/* ---- one pair ---- */

static void set_no_model(const struct rc_choosing *choosing, const struct rc_choice_place *place,
                         struct rc_choice *choice)
{
    choice->state = RC_CHOICE_NO_MODEL;
    snprintf(choice->why, sizeof choice->why, "no measurements on '%s' for it",
             name_of(choosing, place));
}

static int estimate_pair(struct rc_choosing *choosing, const struct pair *pair,
                         const struct rc_scaling_side *sides, struct rc_choice *choice,
                         struct rc_error *error)
{
    const struct rc_mesh *mesh = &choosing->request->meshes[choice->mesh];
    struct rc_scaling_share shares[2];

    for (int i = 0; i < 2; i++) {
        shares[i] = sides[i].share;
        shares[i].mc = rc_scaling_choosing_mc(choosing, shares[i].model, error);
        if (!shares[i].mc)
            return -1;
        choice->parts[i].rows = shares[i].rows;
        rc_scaling_choosing_memory(choosing, mesh, shares[i].model, &choice->parts[i]);
    }
    if (rc_scaling_estimate_many(shares, 2, mesh, link_of(choosing, pair, mesh, error),
                                 &choice->estimate, NULL, error))
        return -1;
    rc_scaling_choosing_finish(choosing, choice);
    return 0;
}

/* Splits a mesh; 1 where it cannot be, with the reason in the choice. */
static int split_pair(const struct rc_choosing *choosing, struct rc_scaling_side *sides,
                      struct rc_choice *choice)
{
    const struct rc_mesh *mesh = &choosing->request->meshes[choice->mesh];
    struct rc_error why;
    bool room;

    if (rc_scaling_split(sides, 2, mesh, choosing->request->split, &why) == 0)
        return 0;
    room = rc_scaling_side_rows(&sides[0], mesh) + rc_scaling_side_rows(&sides[1], mesh) >=
           mesh->extent[RC_MESH_ROWS];
    choice->state = room ? RC_CHOICE_NO_SPLIT : RC_CHOICE_NO_MEMORY;
    snprintf(choice->why, sizeof choice->why, "%.300s", why.text);
    return 1;
}

/* What the split needs to know of a side. */
static void fill_side(const struct rc_choosing *choosing, const struct rc_choice_part *part,
                      const struct rc_scaling_model *model, struct rc_scaling_side *side)
{
    double asked = choosing->request->bytes_per_cell;

    if (isnan(asked) && isnan(model->bytes_per_cell))
        asked = choosing->bytes_per_cell;
    *side = (struct rc_scaling_side){.share = {.model = model, .procs = part->procs},
                                     .core_cost = part->core_cost,
                                     .cores = part->cores,
                                     .memory = part->host_memory};
    if (choosing->request->weights)
        side->weight = choosing->request->weights[part->cluster];
    if (!isnan(asked))
        side->bytes_per_cell = asked;
}

static int choose_pair(struct rc_choosing *choosing, size_t mesh, const struct pair *pair,
                       const int64_t procs[2], bool *reported, struct rc_error *error)
{
    const struct rc_mesh *whole = &choosing->request->meshes[mesh];
    const struct rc_scaling_model *models[2];
    struct rc_scaling_side sides[2];
    struct rc_choice *choice;
    int missing = -1;

    for (int i = 0; i < 2; i++) {
        models[i] = rc_scaling_choosing_model(choosing, &pair->place[i], whole, procs[i]);
        missing = models[i] || missing >= 0 ? missing : i;
    }
    if (missing >= 0 && *reported)
        return 0;
    choice = rc_scaling_choosing_add(choosing, mesh, error);
    if (!choice)
        return -1;
    choice->n_parts = 2;
    for (int i = 0; i < 2; i++)
        rc_scaling_choosing_part(choosing, &pair->place[i], whole, procs[i], models[i],
                                 &choice->parts[i]);
    if (missing >= 0) {
        set_no_model(choosing, &pair->place[missing], choice);
        *reported = true;
        return 0;
    }
    for (int i = 0; i < 2; i++)
        fill_side(choosing, &choice->parts[i], models[i], &sides[i]);
    if (split_pair(choosing, sides, choice))
        return 0;
    if (sides[0].share.rows == 0 || sides[1].share.rows == 0) { /* that is one cluster alone */
        choosing->choices->n--;
        return 0;
    }
    return estimate_pair(choosing, pair, sides, choice, error);
}

/* ---- all of them ---- */

static int choose_numbers(struct rc_choosing *choosing, size_t mesh, struct pair *pair,
                          bool *reported, struct rc_error *error)
{
    for (int i = 0; i < 2; i++)
        if (rc_scaling_choosing_procs(choosing, &pair->place[i], pair->procs[i], &pair->n_procs[i],
                                      error))
            return -1;
    for (size_t i = pair->n_procs[0]; i-- > 0;)
        for (size_t j = pair->n_procs[1]; j-- > 0;) {
            const int64_t procs[2] = {pair->procs[0][i], pair->procs[1][j]};

            if (procs[0] + procs[1] <= choosing->request->meshes[mesh].extent[RC_MESH_ROWS] &&
                choose_pair(choosing, mesh, pair, procs, reported, error))
                return -1;
        }
    return 0;
}

static int choose_link(struct rc_choosing *choosing, size_t mesh,
                       const struct rc_cluster_link *link, struct rc_error *error)
{
    int per_host[2][RC_CHOICE_PER_HOST_MAX];
    size_t n[2], network[2];
    bool reported = false;

    for (int i = 0; i < 2; i++) {
        if (!network_of(choosing->request, link->cluster[i], &network[i]))
            return 0;
        n[i] = rc_scaling_choosing_per_host(choosing, link->cluster[i], network[i], per_host[i]);
    }
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++) {
            struct pair pair = {.place = {{link->cluster[0], network[0], per_host[0][i]},
                                          {link->cluster[1], network[1], per_host[1][j]}}};

            if (choose_numbers(choosing, mesh, &pair, &reported, error))
                return -1;
        }
    return 0;
}

int rc_scaling_choosing_pairs(struct rc_choosing *choosing, size_t mesh, struct rc_error *error)
{
    const struct rc_platform *platform = choosing->request->platform;

    for (size_t i = 0; i < platform->n_links; i++)
        if (choose_link(choosing, mesh, &platform->links[i], error))
            return -1;
    return 0;
}
