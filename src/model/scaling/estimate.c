// SPDX-License-Identifier: GPL-3.0-or-later
/* estimate.c - the time of a large run on one cluster, and over several: Eq. 5, and the link
 * between them. */
#include "model/scaling/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "model/scaling/fit_system.h"
#include "model/scaling/growth_curves.h"

/* ---- at the point ---- */

int rc_scaling_point_by(const struct rc_scaling_model *model, const struct rc_fit_system *system,
                        const struct rc_mesh *mesh, int64_t procs, bool joined,
                        struct rc_scaling_parts *parts, struct rc_error *error)
{
    double row[RC_SCALING_GROUPS_MAX];

    *parts = (struct rc_scaling_parts){0};
    if (rc_scaling_mesh_block(mesh, procs, model->setting.cut, &parts->block, error) ||
        rc_scaling_fit_computing(system, &parts->block, procs, row, &parts->work, error))
        return -1;
    parts->computing = fmax(rc_scaling_fit_mean(row, &model->samples), 0);
    parts->talking = rc_scaling_talking(procs, joined);
    if (parts->talking > 1) {
        parts->alpha = model->c + model->d * rc_scaling_growth(model->k, (double)parts->talking);
        parts->gamma_work = model->gamma * parts->work;
        parts->surface = model->beta * rc_scaling_mesh_surface(&parts->block, model->setting.cut);
    }
    parts->communicating = parts->alpha + parts->gamma_work + parts->surface;
    parts->hidden = parts->communicating < 0;
    parts->communicating = fmax(parts->communicating, 0);
    parts->seconds = parts->computing + parts->communicating;
    return 0;
}

int rc_scaling_point(const struct rc_scaling_model *model, const struct rc_mesh *mesh,
                     int64_t procs, bool joined, struct rc_scaling_parts *parts,
                     struct rc_error *error)
{
    struct rc_fit_system system;
    int status;

    if (rc_scaling_fit_system_prepare(&model->samples, &model->work, &system, error))
        return -1;
    status = rc_scaling_point_by(model, &system, mesh, procs, joined, parts, error);
    rc_scaling_fit_system_free(&system);
    return status;
}

double rc_scaling_core_hours(double seconds, int64_t cores)
{
    return seconds * (double)cores / 3600;
}

double rc_scaling_cost(double seconds, int64_t cores, double core_cost)
{
    return rc_scaling_core_hours(seconds, cores) * core_cost;
}

/* ---- extrapolation ---- */

/* So many times the largest small run is far; so little over a block is nothing. */
enum { FAR = 64 };
#define OUTSIDE 1.01

static const struct rc_scaling_group *largest_block(const struct rc_scaling_model *model,
                                                    const struct rc_scaling_group **smallest)
{
    const struct rc_scaling_group *most = NULL;

    *smallest = NULL;
    for (size_t i = 0; i < model->samples.n_groups && model->samples.groups[i].procs == 1; i++) {
        const struct rc_scaling_group *group = &model->samples.groups[i];

        if (!most || rc_scaling_mesh_cells(&group->block) > rc_scaling_mesh_cells(&most->block))
            most = group;
        if (!*smallest ||
            rc_scaling_mesh_cells(&group->block) < rc_scaling_mesh_cells(&(*smallest)->block))
            *smallest = group;
    }
    return most;
}

static int note_block(const struct rc_scaling_model *model, const struct rc_mesh *block,
                      struct rc_scaling_notes *notes, struct rc_error *error)
{
    const struct rc_scaling_group *least, *most = largest_block(model, &least);
    double cells = rc_scaling_mesh_cells(block);
    char text[RC_MESH_TEXT], other[RC_MESH_TEXT];
    bool above = cells > OUTSIDE * rc_scaling_mesh_cells(&most->block);

    if (!above && cells * OUTSIDE >= rc_scaling_mesh_cells(&least->block))
        return 0;
    return rc_scaling_note(notes, error,
                           "extrapolation: a block of %s is %s than all measured blocks (%s)",
                           rc_scaling_mesh_text(block, text), above ? "larger" : "smaller",
                           rc_scaling_mesh_text(above ? &most->block : &least->block, other));
}

/* The model has a term for messages: where they are longer than all that were measured, it goes on
 * along its line.  Numbers of processes with few divisors make them so. */
static int note_long_messages(const struct rc_scaling_model *model, const struct rc_mesh *block,
                              int64_t procs, struct rc_scaling_notes *notes, struct rc_error *error)
{
    double here = rc_scaling_mesh_surface(block, model->setting.cut), most = 0;
    struct rc_mesh parts = {{1, 1, 1}};
    char text[RC_MESH_TEXT];

    for (size_t i = 0; i < model->samples.n_groups; i++)
        if (model->samples.groups[i].procs > 1)
            most = fmax(most, rc_scaling_mesh_surface(&model->samples.groups[i].block,
                                                      model->setting.cut));
    if (here <= OUTSIDE * most ||
        rc_scaling_mesh_cut(procs, model->setting.cut, parts.extent, NULL))
        return 0;
    return rc_scaling_note(
        notes, error,
        "extrapolation: the mesh is cut into %s parts for %lld processes; their messages "
        "have %.0f cells, those of the small runs at most %.0f",
        rc_scaling_mesh_text(&parts, text), (long long)procs, here, most);
}

static int note_messages(const struct rc_scaling_model *model, const struct rc_mesh *block,
                         int64_t procs, struct rc_scaling_notes *notes, struct rc_error *error)
{
    const struct rc_scaling_group *least, *most = largest_block(model, &least);
    int cut = model->setting.cut;
    double here = rc_scaling_mesh_surface(block, cut),
           there = rc_scaling_mesh_surface(&most->block, cut);

    if (model->has_beta)
        return note_long_messages(model, block, procs, notes, error);
    if (fabs(here - there) <= (OUTSIDE - 1) * there)
        return 0;
    return rc_scaling_note(notes, error,
                           "messages of a process have %.0f cells, those of the small runs %.0f; "
                           "the prediction ignores the difference",
                           here, there);
}

static int note_all(const struct rc_scaling_model *model, const struct rc_scaling_parts *parts,
                    int64_t procs, struct rc_scaling_notes *notes, struct rc_error *error)
{
    int64_t most = model->at[model->n_at - 1].procs;

    assert(model->n_at >= 2); /* no fit has fewer */
    if (note_block(model, &parts->block, notes, error))
        return -1;
    if (parts->talking > 1 && note_messages(model, &parts->block, procs, notes, error))
        return -1;
    if (parts->talking > procs &&
        rc_scaling_note(notes, error,
                        "one process has neighbours on other clusters; it is assumed to "
                        "communicate as one of %lld processes on its cluster",
                        (long long)parts->talking))
        return -1;
    if (procs / most < FAR)
        return 0;
    return rc_scaling_note(notes, error,
                           "extrapolation: %lld processes are %lld times the most measured ones; a "
                           "third number of processes would narrow the interval",
                           (long long)procs, (long long)(procs / most));
}

/* ---- with Monte Carlo samples ---- */

void rc_scaling_estimate_free(struct rc_scaling_estimate *estimate)
{
    rc_value_drop(estimate->seconds);
    rc_value_drop(estimate->computing);
    rc_value_drop(estimate->communicating);
    rc_scaling_notes_free(&estimate->notes);
    *estimate = (struct rc_scaling_estimate){0};
}

static int estimate_of(const struct rc_scaling_model *model, const struct rc_scaling_mc *mc,
                       const struct rc_mesh *mesh, int64_t procs, bool joined,
                       struct rc_scaling_estimate *estimate, struct rc_error *error)
{
    double *times = malloc(3 * RC_SCALING_MC_SAMPLES * sizeof *times);
    int status = -1;

    *estimate = (struct rc_scaling_estimate){0};
    if (!times)
        return rc_error_no_memory(error);
    if (rc_scaling_point(model, mesh, procs, joined, &estimate->point, error) == 0 &&
        rc_scaling_mc_times(mc, mesh, procs, joined, times, times + RC_SCALING_MC_SAMPLES,
                            times + 2 * RC_SCALING_MC_SAMPLES, error) == 0 &&
        note_all(model, &estimate->point, procs, &estimate->notes, error) == 0) {
        estimate->computing = rc_value_sample(times, RC_SCALING_MC_SAMPLES, error);
        estimate->communicating =
            rc_value_sample(times + RC_SCALING_MC_SAMPLES, RC_SCALING_MC_SAMPLES, error);
        estimate->seconds =
            rc_value_sample(times + 2 * RC_SCALING_MC_SAMPLES, RC_SCALING_MC_SAMPLES, error);
        if (estimate->computing && estimate->communicating && estimate->seconds)
            status = 0;
    }
    free(times);
    if (status)
        rc_scaling_estimate_free(estimate);
    return status;
}

int rc_scaling_estimate(const struct rc_scaling_model *model, const struct rc_scaling_mc *mc,
                        const struct rc_mesh *mesh, int64_t procs,
                        struct rc_scaling_estimate *estimate, struct rc_error *error)
{
    return estimate_of(model, mc, mesh, procs, false, estimate, error);
}

/* ---- several clusters ---- */

static int check_shares(const struct rc_scaling_share *shares, size_t n_shares,
                        const struct rc_mesh *mesh, struct rc_error *error)
{
    int64_t rows = 0;

    if (n_shares < 1 || n_shares > RC_SCALING_PARTS_MAX)
        return rc_error_set(error, "a run uses 1 to %d clusters, not %zu", RC_SCALING_PARTS_MAX,
                            n_shares);
    for (size_t i = 0; i < n_shares; i++) {
        if (shares[i].rows < 0 || shares[i].rows > mesh->extent[RC_MESH_ROWS])
            return rc_error_set(error, "a cluster has 0 to %lld rows, not %lld",
                                (long long)mesh->extent[RC_MESH_ROWS], (long long)shares[i].rows);
        rows += shares[i].rows;
    }
    if (rows != mesh->extent[RC_MESH_ROWS])
        return rc_error_set(error, "the clusters have %lld rows in total, the mesh has %lld",
                            (long long)rows, (long long)mesh->extent[RC_MESH_ROWS]);
    return 0;
}

/* ---- the link ---- */

/* Do several take part? */
static bool is_joined(const struct rc_scaling_share *shares, size_t n_shares)
{
    size_t n = 0;

    for (size_t i = 0; i < n_shares; i++)
        n += shares[i].rows > 0;
    return n > 1;
}

/* The largest of the shares' times, at the point. */
static int longest(const struct rc_scaling_share *shares, size_t n_shares,
                   const struct rc_mesh *mesh, double *seconds, struct rc_error *error)
{
    *seconds = 0;
    for (size_t i = 0; i < n_shares; i++) {
        struct rc_mesh part = rc_scaling_mesh_with_rows(mesh, shares[i].rows);
        struct rc_scaling_parts parts;

        if (shares[i].rows == 0)
            continue;
        if (rc_scaling_point(shares[i].model, &part, shares[i].procs, is_joined(shares, n_shares),
                             &parts, error))
            return -1;
        *seconds = fmax(*seconds, parts.seconds);
    }
    return 0;
}

static int check_crossing(const struct rc_scaling_run *runs, size_t n_runs,
                          const struct rc_scaling_share *shares, size_t n_shares,
                          struct rc_error *error)
{
    int64_t procs = 0;

    if (n_runs == 0 || n_shares != 2)
        return rc_error_set(error, "the measurement of a link needs runs across two clusters");
    for (size_t i = 0; i < n_shares; i++)
        procs += shares[i].procs;
    for (size_t i = 0; i < n_runs; i++)
        if (!rc_scaling_mesh_equal(&runs[i].mesh, &runs[0].mesh) || runs[i].procs != procs)
            return rc_error_set(error, "runs that measure a link must have one mesh, and the "
                                       "processes of both sides");
    return check_shares(shares, n_shares, &runs[0].mesh, error);
}

int rc_scaling_link_measure(const struct rc_scaling_run *runs, size_t n_runs,
                            const struct rc_scaling_share *shares, size_t n_shares,
                            struct rc_scaling_link *link, struct rc_error *error)
{
    double mean = 0, without, noise = 0;

    *link = (struct rc_scaling_link){0};
    if (check_crossing(runs, n_runs, shares, n_shares, error) ||
        longest(shares, n_shares, &runs[0].mesh, &without, error))
        return -1;
    for (size_t i = 0; i < n_runs; i++)
        mean += runs[i].seconds / (double)n_runs;
    for (size_t i = 0; i < n_shares; i++) {
        const struct rc_scaling_setting *setting = &shares[i].model->setting;

        noise = fmax(noise, shares[i].model->noise.sd);
        memcpy(link->cluster[i], setting->cluster, sizeof setting->cluster);
        if (i == 0)
            memcpy(link->network, setting->network, sizeof setting->network);
        else if (strcmp(link->network, setting->network) != 0)
            link->network[0] = '\0';
    }
    link->cols = runs[0].mesh.extent[RC_MESH_COLS];
    link->seconds = fmax(mean - without, 0);
    /* the models' own time is taken to be as sure as one run */
    link->sd = noise * hypot(mean / sqrt((double)n_runs), without);
    link->runs = n_runs;
    return 0;
}

/* ---- together ---- */

/* Takes the larger of each draw; `first` takes them as they are. */
static void take_larger(double *to, const struct rc_value *from, int first)
{
    size_t n;
    const double *draws = rc_value_draws(from, &n);

    for (size_t i = 0; i < n; i++)
        to[i] = first ? draws[i] : fmax(to[i], draws[i]);
}

static int add_link(const struct rc_scaling_link *link, double *seconds, struct rc_error *error)
{
    struct rc_random *random = rc_random_create(1, 2);

    if (!random)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < RC_SCALING_MC_SAMPLES; i++)
        seconds[i] += fmax(rc_random_normal(random, link->seconds, link->sd), 0);
    rc_random_destroy(random);
    return 0;
}

/* Moves the parts of the longest share's answer, which is then freed. */
static void take_parts(struct rc_scaling_estimate *to, struct rc_scaling_estimate *from)
{
    rc_value_drop(to->computing);
    rc_value_drop(to->communicating);
    to->point = from->point;
    to->computing = rc_value_keep(from->computing);
    to->communicating = rc_value_keep(from->communicating);
}

static int estimate_shares(const struct rc_scaling_share *shares, size_t n_shares,
                           const struct rc_mesh *mesh, double *seconds,
                           struct rc_scaling_estimate *estimate, struct rc_scaling_estimate *each,
                           struct rc_error *error)
{
    int first = 1;

    for (size_t i = 0; i < n_shares; i++) {
        struct rc_mesh part = rc_scaling_mesh_with_rows(mesh, shares[i].rows);

        if (shares[i].rows == 0)
            continue;
        if (estimate_of(shares[i].model, shares[i].mc, &part, shares[i].procs,
                        is_joined(shares, n_shares), &each[i], error) ||
            rc_scaling_notes_join(&estimate->notes, NULL, &each[i].notes, error))
            return -1;
        if (first || each[i].point.seconds > estimate->point.seconds)
            take_parts(estimate, &each[i]);
        take_larger(seconds, each[i].seconds, first);
        first = 0;
    }
    return 0;
}

int rc_scaling_estimate_many(const struct rc_scaling_share *shares, size_t n_shares,
                             const struct rc_mesh *mesh, const struct rc_scaling_link *link,
                             struct rc_scaling_estimate *estimate,
                             struct rc_scaling_estimate *estimates, struct rc_error *error)
{
    struct rc_scaling_estimate own[RC_SCALING_PARTS_MAX] = {0};
    struct rc_scaling_estimate *each = estimates ? estimates : own;
    double *seconds;
    int status = -1;

    *estimate = (struct rc_scaling_estimate){0};
    if (check_shares(shares, n_shares, mesh, error))
        return -1;
    for (size_t i = 0; i < n_shares; i++)
        each[i] = (struct rc_scaling_estimate){0};
    seconds = calloc(RC_SCALING_MC_SAMPLES, sizeof *seconds);
    if (!seconds)
        return rc_error_no_memory(error);
    if (estimate_shares(shares, n_shares, mesh, seconds, estimate, each, error) == 0 &&
        (!link || add_link(link, seconds, error) == 0)) {
        estimate->seconds = rc_value_sample(seconds, RC_SCALING_MC_SAMPLES, error);
        status = estimate->seconds ? 0 : -1;
    }
    if (link)
        estimate->point.seconds += link->seconds;
    free(seconds);
    for (size_t i = 0; i < n_shares && (!estimates || status); i++)
        rc_scaling_estimate_free(&each[i]);
    if (status)
        rc_scaling_estimate_free(estimate);
    return status;
}
