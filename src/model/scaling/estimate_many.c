// SPDX-License-Identifier: GPL-3.0-or-later
/* estimate_many.c - the time of a run over several clusters: Eq. 5, and the link between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "model/scaling/point.h"

/* The part of the mesh that a share has. */
static struct rc_mesh part_of(const struct rc_mesh *mesh, const struct rc_scaling_share *share)
{
    struct rc_mesh part = *mesh;

    part.extent[RC_MESH_ROWS] = share->rows;
    return part;
}

static int check_shares(const struct rc_scaling_share *shares, size_t n_shares,
                        const struct rc_mesh *mesh, struct rc_error *error)
{
    int64_t rows = 0;

    if (n_shares < 1 || n_shares > RC_SCALING_PARTS_MAX)
        return rc_error_set(error, "a run is shared by 1 to %d clusters, and not %zu",
                            RC_SCALING_PARTS_MAX, n_shares);
    for (size_t i = 0; i < n_shares; i++) {
        if (shares[i].rows < 0 || shares[i].rows > mesh->extent[RC_MESH_ROWS])
            return rc_error_set(error, "a cluster has from 0 to %lld rows, and not %lld",
                                (long long)mesh->extent[RC_MESH_ROWS], (long long)shares[i].rows);
        rows += shares[i].rows;
    }
    if (rows != mesh->extent[RC_MESH_ROWS])
        return rc_error_set(error, "the clusters have %lld rows together, and the mesh %lld",
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
        struct rc_mesh part = part_of(mesh, &shares[i]);
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
        return rc_error_set(error, "a link is measured by runs across two clusters");
    for (size_t i = 0; i < n_shares; i++)
        procs += shares[i].procs;
    for (size_t i = 0; i < n_runs; i++)
        if (!rc_scaling_mesh_equal(&runs[i].mesh, &runs[0].mesh) || runs[i].procs != procs)
            return rc_error_set(error, "runs that measure a link are of one mesh on as many "
                                       "processes as both sides have");
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
        struct rc_mesh part = part_of(mesh, &shares[i]);

        if (shares[i].rows == 0)
            continue;
        if (rc_scaling_estimate_of(shares[i].model, shares[i].mc, &part, shares[i].procs,
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
