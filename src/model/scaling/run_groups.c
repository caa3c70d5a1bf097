// SPDX-License-Identifier: GPL-3.0-or-later
/* run_groups.c - small runs in groups of like ones. */
#include "model/scaling/run_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

void rc_scaling_samples_free(struct rc_scaling_samples *samples)
{
    free(samples->groups);
    *samples = (struct rc_scaling_samples){0};
}

static int check_run(const struct rc_scaling_run *run, int cut, struct rc_mesh *block,
                     struct rc_error *error)
{
    char text[RC_MESH_TEXT];

    if (!(run->seconds > 0 && isfinite(run->seconds)))
        return rc_error_set(error, "a run of %s on %lld processes has no run time above 0",
                            rc_scaling_mesh_text(&run->mesh, text), (long long)run->procs);
    return rc_scaling_mesh_block(&run->mesh, run->procs, cut, block, error);
}

/* The group that `run` belongs to, made where there is none. */
static struct rc_scaling_group *group_for(struct rc_scaling_samples *samples,
                                          const struct rc_scaling_run *run,
                                          const struct rc_mesh *block, struct rc_error *error)
{
    struct rc_scaling_group *group;

    for (size_t i = 0; i < samples->n_groups; i++) {
        group = &samples->groups[i];
        if (group->procs == run->procs && rc_scaling_mesh_equal(&group->mesh, &run->mesh))
            return group;
    }
    if (samples->n_groups >= RC_SCALING_GROUPS_MAX) {
        rc_error_set(error, "runs of more than %d sizes", RC_SCALING_GROUPS_MAX);
        return NULL;
    }
    if (rc_array_room(&samples->groups, samples->n_groups + 1, &samples->room,
                      sizeof *samples->groups, error))
        return NULL;
    group = &samples->groups[samples->n_groups++];
    *group = (struct rc_scaling_group){
        .procs = run->procs, .mesh = run->mesh, .block = *block, .least = INFINITY, .memory = NAN};
    return group;
}

static int by_size(const void *a, const void *b)
{
    const struct rc_scaling_group *p = a, *q = b;
    double cells = rc_scaling_mesh_cells(&p->block), other = rc_scaling_mesh_cells(&q->block);

    if (p->procs != q->procs)
        return (p->procs > q->procs) - (p->procs < q->procs);
    if (cells != other)
        return (cells < other) - (cells > other);
    for (int i = 0; i < RC_MESH_DIRECTIONS; i++) {
        int64_t extent = p->mesh.extent[i], with = q->mesh.extent[i];

        if (extent != with)
            return (extent > with) - (extent < with);
    }
    return 0;
}

/* Welford's sums: `squares` holds those of seconds until all runs are in. */
static void group_add(struct rc_scaling_group *group, const struct rc_scaling_run *run)
{
    double off = run->seconds - group->mean;

    group->n++;
    group->mean += off / (double)group->n;
    group->squares += off * (run->seconds - group->mean);
    group->least = fmin(group->least, run->seconds);
    group->most = fmax(group->most, run->seconds);
    if (isfinite(run->memory) && run->memory > 0)
        group->memory = fmax(group->memory, run->memory); /* fmax passes over NAN */
}

void rc_scaling_samples_sort(struct rc_scaling_samples *samples)
{
    if (samples->n_groups > 0)
        qsort(samples->groups, samples->n_groups, sizeof *samples->groups, by_size);
}

int rc_scaling_samples_make(const struct rc_scaling_run *runs, size_t n_runs, int cut,
                            struct rc_scaling_samples *samples, struct rc_error *error)
{
    *samples = (struct rc_scaling_samples){.cut = cut};
    if (n_runs > RC_SCALING_RUNS_MAX)
        return rc_error_set(error, "a model takes at most %d runs, not %zu", RC_SCALING_RUNS_MAX,
                            n_runs);
    for (size_t i = 0; i < n_runs; i++) {
        struct rc_scaling_group *group;
        struct rc_mesh block;

        if (check_run(&runs[i], cut, &block, error) ||
            !(group = group_for(samples, &runs[i], &block, error))) {
            rc_scaling_samples_free(samples);
            return -1;
        }
        group_add(group, &runs[i]);
    }
    for (size_t i = 0; i < samples->n_groups; i++)
        samples->groups[i].squares /= samples->groups[i].mean * samples->groups[i].mean;
    rc_scaling_samples_sort(samples);
    return 0;
}

int rc_scaling_samples_copy(const struct rc_scaling_samples *from, struct rc_scaling_samples *to,
                            struct rc_error *error)
{
    *to = (struct rc_scaling_samples){.cut = from->cut};
    if (from->n_groups == 0)
        return 0;
    if (rc_array_room(&to->groups, from->n_groups, &to->room, sizeof *to->groups, error))
        return -1;
    memcpy(to->groups, from->groups, from->n_groups * sizeof *to->groups);
    to->n_groups = from->n_groups;
    return 0;
}

const struct rc_scaling_group *rc_scaling_samples_find(const struct rc_scaling_samples *samples,
                                                       int64_t procs, const struct rc_mesh *block)
{
    for (size_t i = 0; i < samples->n_groups; i++)
        if (samples->groups[i].procs == procs &&
            rc_scaling_mesh_equal(&samples->groups[i].block, block))
            return &samples->groups[i];
    return NULL;
}

/* ---- how much runs differ ---- */

struct rc_scaling_noise rc_scaling_samples_noise(const struct rc_scaling_samples *samples)
{
    struct rc_scaling_noise noise = {RC_SCALING_NOISE_ASSUMED, 0};
    double squares = 0;

    for (size_t i = 0; i < samples->n_groups; i++) {
        squares += samples->groups[i].squares;
        noise.freedom += samples->groups[i].n - 1;
    }
    if (noise.freedom > 0)
        noise.sd = sqrt(squares / (double)noise.freedom);
    return noise;
}

static int by_seconds(const void *a, const void *b)
{
    const struct rc_scaling_run *p = a, *q = b;

    return (p->seconds > q->seconds) - (p->seconds < q->seconds);
}

size_t rc_scaling_group_runs(const struct rc_scaling_group *group,
                             const struct rc_scaling_run *runs, size_t n_runs,
                             struct rc_scaling_run *own)
{
    size_t n = 0;

    for (size_t i = 0; i < n_runs; i++)
        if (runs[i].procs == group->procs && rc_scaling_mesh_equal(&runs[i].mesh, &group->mesh))
            own[n++] = runs[i];
    qsort(own, n, sizeof *own, by_seconds);
    return n;
}

static double disagreement(const struct rc_scaling_group *group)
{
    return group->most / group->least - 1;
}

bool rc_scaling_group_disagrees(const struct rc_scaling_group *group)
{
    return disagreement(group) > RC_SCALING_DISAGREE;
}

int rc_scaling_samples_agree(const struct rc_scaling_samples *samples, bool force,
                             struct rc_scaling_notes *notes, struct rc_error *error)
{
    const struct rc_scaling_group *worst = NULL;
    char text[RC_MESH_TEXT], block[RC_MESH_TEXT];

    for (size_t i = 0; i < samples->n_groups; i++) {
        const struct rc_scaling_group *group = &samples->groups[i];

        if (!rc_scaling_group_disagrees(group))
            continue;
        if (!worst || disagreement(group) > disagreement(worst))
            worst = group;
        if (force &&
            rc_scaling_note(notes, error, "%zu runs of %s on %lld process%s disagree by %.0f %%",
                            group->n, rc_scaling_mesh_text(&group->mesh, text),
                            (long long)group->procs, group->procs == 1 ? "" : "es",
                            100 * disagreement(group)))
            return -1;
    }
    if (!worst || force)
        return 0;
    rc_error_set(
        error, "%zu runs of %s on %lld process%s disagree by %.0f %%: %.4g s to %.4g s (block %s)",
        worst->n, rc_scaling_mesh_text(&worst->mesh, text), (long long)worst->procs,
        worst->procs == 1 ? "" : "es", 100 * disagreement(worst), worst->least, worst->most,
        rc_scaling_mesh_text(&worst->block, block));
    return rc_error_code(error, "scaling.runs-disagree", NULL);
}
