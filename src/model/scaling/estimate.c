// SPDX-License-Identifier: GPL-3.0-or-later
/* estimate.c - the time of a large run on one cluster. */
#include "model/scaling/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/scaling/fit_system.h"
#include "model/scaling/forms.h"
#include "model/scaling/point.h"

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
    for (size_t i = 0; i < system->n_sequential; i++)
        parts->computing += row[i] * model->samples.groups[i].mean;
    parts->computing = fmax(parts->computing, 0);
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

/* ---- what goes beyond the small runs ---- */

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

    if (cells > OUTSIDE * rc_scaling_mesh_cells(&most->block))
        return rc_scaling_note(notes, error,
                               "a block of %s is larger than all that were measured (%s): its time "
                               "goes on along the line",
                               rc_scaling_mesh_text(block, text),
                               rc_scaling_mesh_text(&most->block, other));
    if (cells * OUTSIDE < rc_scaling_mesh_cells(&least->block))
        return rc_scaling_note(
            notes, error,
            "a block of %s is smaller than all that were measured (%s): its time "
            "goes on along the line",
            rc_scaling_mesh_text(block, text), rc_scaling_mesh_text(&least->block, other));
    return 0;
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
        "the mesh is cut into %s parts for %lld processes: messages of each have "
        "%.0f cells, and those of the small runs at most %.0f",
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
                           "messages of a process have %.0f cells, and those of the small runs "
                           "%.0f: the difference is not in the answer",
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
        rc_scaling_note(
            notes, error,
            "one process has neighbours on other clusters: it is taken to communicate as "
            "%lld on its own cluster would",
            (long long)parts->talking))
        return -1;
    if (procs / most < FAR)
        return 0;
    return rc_scaling_note(notes, error,
                           "%lld processes are %lld times the most that were measured: a third "
                           "number of processes would make the answer surer",
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

int rc_scaling_estimate_of(const struct rc_scaling_model *model, const struct rc_scaling_mc *mc,
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
    return rc_scaling_estimate_of(model, mc, mesh, procs, false, estimate, error);
}
