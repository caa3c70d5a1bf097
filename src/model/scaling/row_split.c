// SPDX-License-Identifier: GPL-3.0-or-later
/* row_split.c - how many rows each cluster gets.
 *
 * Equal times: T_i(rows) does not fall, so for a time T each side can do rows_i(T), the most rows
 * that take no longer, found by halving; and the least T with enough rows in all is found by
 * halving too.  What is too much is then taken from the sides that take longest. */
#include "model/scaling/row_split.h"

#include <math.h>

#include "base/error.h"
#include "model/scaling/fit_system.h"

static const char *const aim_names[RC_SCALING_AIMS] = {"time", "memory", "cost", "given"};

const char *rc_scaling_aim_name(enum rc_scaling_aim aim)
{
    return aim_names[aim];
}

/* What is worked on: some of the sides. */
struct work {
    struct rc_scaling_side *sides;
    size_t n;
    const struct rc_mesh *mesh;
    struct rc_fit_system systems[RC_SCALING_PARTS_MAX];
    int64_t most[RC_SCALING_PARTS_MAX]; /* rows by memory, or all */
    unsigned used;                      /* bits of the sides that take part */
};

static bool takes_part(const struct work *work, size_t i)
{
    return (work->used >> i & 1) != 0;
}

/* ---- memory ---- */

static bool rows_fit(const struct rc_scaling_side *side, const struct rc_mesh *mesh, int64_t rows)
{
    struct rc_mesh part = rc_scaling_mesh_with_rows(mesh, rows), block;
    double bytes;

    if (rc_scaling_mesh_block(&part, side->share.procs, side->share.model->setting.cut, &block,
                              NULL))
        return false;
    bytes = side->bytes_per_cell > 0 ? side->bytes_per_cell * rc_scaling_mesh_cells(&block)
                                     : rc_scaling_memory(side->share.model, &block);
    return !(bytes > side->memory * (1 + 1e-9)); /* also where nothing is known of them */
}

/* The fewest rows that a side can take part with. */
static int64_t least_of(const struct rc_scaling_side *side)
{
    int64_t parts[RC_MESH_DIRECTIONS] = {1, 1, 1};

    rc_scaling_mesh_cut(side->share.procs, side->share.model->setting.cut, parts, NULL);
    return parts[RC_MESH_ROWS];
}

int64_t rc_scaling_side_rows(const struct rc_scaling_side *side, const struct rc_mesh *mesh)
{
    int64_t least = least_of(side), low = least - 1, high = RC_MESH_MAX;

    if (side->beyond || isnan(side->memory) || isinf(side->memory) || rows_fit(side, mesh, high))
        return high;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (rows_fit(side, mesh, middle))
            low = middle;
        else
            high = middle;
    }
    return low < least ? 0 : low;
}

/* ---- equal times ---- */

/* INFINITY where the rows cannot be cut. */
static double seconds_of(const struct work *work, size_t i, int64_t rows)
{
    const struct rc_scaling_share *share = &work->sides[i].share;
    bool joined = (work->used & (work->used - 1)) != 0; /* more than one bit */
    struct rc_mesh part = rc_scaling_mesh_with_rows(work->mesh, rows);
    struct rc_scaling_parts parts;

    if (rows == 0)
        return 0;
    if (rc_scaling_point_by(share->model, &work->systems[i], &part, share->procs, joined, &parts,
                            NULL))
        return INFINITY;
    return parts.seconds;
}

/* The most rows that a side does in `seconds`, but never fewer than it must have. */
static int64_t rows_in(const struct work *work, size_t i, double seconds)
{
    int64_t low = least_of(&work->sides[i]), high = work->most[i] + 1;

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (seconds_of(work, i, middle) <= seconds)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int64_t rows_of_all(struct work *work, double seconds)
{
    int64_t sum = 0;

    for (size_t i = 0; i < work->n; i++) {
        work->sides[i].share.rows = takes_part(work, i) ? rows_in(work, i, seconds) : 0;
        sum += work->sides[i].share.rows;
    }
    return sum;
}

/* The side that takes longest of those that can do with fewer rows; n for none. */
static size_t slowest(const struct work *work)
{
    double most = -1;
    size_t found = work->n;

    for (size_t i = 0; i < work->n; i++) {
        int64_t rows = work->sides[i].share.rows;
        double seconds = seconds_of(work, i, rows);

        if (rows > least_of(&work->sides[i]) && seconds > most) {
            most = seconds;
            found = i;
        }
    }
    return found;
}

/* Removes surplus rows, one of each process at a time: fewer make no block smaller. */
static void give_back(struct work *work, int64_t surplus)
{
    size_t from;

    while (surplus > 0 && (from = slowest(work)) < work->n) {
        struct rc_scaling_share *share = &work->sides[from].share;
        int64_t spare = share->rows - least_of(&work->sides[from]), step = share->procs;

        /* where times do not grow with rows there may be far too many of them */
        step = step > surplus / 16 ? step : surplus / 16;
        step = step < spare ? step : spare;
        step = step < surplus ? step : surplus;
        share->rows -= step;
        surplus -= step;
    }
}

/* -1 where the sides that take part cannot hold the mesh, or cannot all have a row. */
static int equal_times(struct work *work, double *seconds)
{
    int64_t wanted = work->mesh->extent[RC_MESH_ROWS], room = 0, needed = 0;
    double low = 0, high = 0;

    for (size_t i = 0; i < work->n; i++) {
        if (!takes_part(work, i))
            continue;
        if (work->most[i] < least_of(&work->sides[i]))
            return -1;
        needed += least_of(&work->sides[i]);
        room += work->most[i];
        high = fmax(high, seconds_of(work, i, work->most[i]));
    }
    if (room < wanted || needed > wanted || !isfinite(high))
        return -1;
    for (int i = 0; i < 100 && high - low > 1e-13 * high; i++) {
        double middle = low + (high - low) / 2;

        if (rows_of_all(work, middle) >= wanted)
            high = middle;
        else
            low = middle;
    }
    give_back(work, rows_of_all(work, high) - wanted);
    *seconds = 0;
    for (size_t i = 0; i < work->n; i++)
        *seconds = fmax(*seconds, seconds_of(work, i, work->sides[i].share.rows));
    return 0;
}

/* ---- the other aims ---- */

static int no_room(const struct work *work, struct rc_error *error)
{
    double rows = 0;

    for (size_t i = 0; i < work->n; i++)
        rows += (double)work->most[i];
    if (rows >= (double)work->mesh->extent[RC_MESH_ROWS])
        return rc_error_set(error, "the mesh has too few rows for so many processes");
    rc_error_set(error, "%lld rows do not fit in the memory of these clusters (%.0f rows do)",
                 (long long)work->mesh->extent[RC_MESH_ROWS], rows);
    return rc_error_hint(error, "use more processes, or fewer per host");
}

/* Rows in proportion to weights, up to the memory of each; the rest goes to the others. */
static int in_proportion(struct work *work, const double *weight, struct rc_error *error)
{
    int64_t left = work->mesh->extent[RC_MESH_ROWS];
    bool full[RC_SCALING_PARTS_MAX] = {false};

    for (;;) {
        double sum = 0, before = 0;
        int64_t given = 0;
        bool again = false;

        for (size_t i = 0; i < work->n; i++)
            sum += full[i] ? 0 : weight[i];
        if (!(sum > 0))
            return left == 0 ? 0 : no_room(work, error);
        for (size_t i = 0; i < work->n; i++) {
            int64_t upto;

            if (full[i])
                continue;
            before += weight[i];
            upto = llround((double)left * (before / sum));
            work->sides[i].share.rows = upto - given;
            given = upto;
        }
        for (size_t i = 0; i < work->n; i++)
            if (!full[i] && work->sides[i].share.rows > work->most[i]) {
                work->sides[i].share.rows = work->most[i];
                left -= work->most[i];
                full[i] = again = true;
            }
        if (!again)
            return 0;
    }
}

static int by_weights(struct work *work, enum rc_scaling_aim aim, struct rc_error *error)
{
    double weight[RC_SCALING_PARTS_MAX], sum = 0;

    for (size_t i = 0; i < work->n; i++) {
        const struct rc_scaling_side *side = &work->sides[i];

        weight[i] = aim == RC_SPLIT_GIVEN ? side->weight : (double)side->share.procs * side->memory;
        if (!(weight[i] >= 0 && isfinite(weight[i])))
            return aim == RC_SPLIT_GIVEN
                       ? rc_error_set(error, "the share of a cluster must not be below 0")
                       : rc_error_set(error, "the memory of the hosts of '%s' is unknown",
                                      side->share.model->setting.cluster);
        sum += weight[i];
    }
    for (size_t i = 0; i < work->n && sum == 0; i++)
        weight[i] = 1;
    if (in_proportion(work, weight, error))
        return -1;
    for (size_t i = 0; i < work->n; i++)
        if (work->sides[i].share.rows > 0 &&
            !isfinite(seconds_of(work, i, work->sides[i].share.rows)))
            return rc_error_set(error, "%lld rows are too few for %lld processes of '%s'",
                                (long long)work->sides[i].share.rows,
                                (long long)work->sides[i].share.procs,
                                work->sides[i].share.model->setting.cluster);
    return 0;
}

/* All clusters are held until the last has finished; so of each set of them equal times are the
 * cheapest, and only the set remains to be chosen. */
static int least_cost(struct work *work, struct rc_error *error)
{
    int64_t best[RC_SCALING_PARTS_MAX] = {0};
    double least = INFINITY;

    for (size_t i = 0; i < work->n; i++)
        if (!(work->sides[i].core_cost >= 0))
            return rc_error_set(error, "the cost of a core of '%s' is unknown",
                                work->sides[i].share.model->setting.cluster);
    for (work->used = 1; work->used < 1u << work->n; work->used++) {
        double seconds, cost = 0;

        if (equal_times(work, &seconds))
            continue;
        for (size_t i = 0; i < work->n; i++) {
            const struct rc_scaling_side *side = &work->sides[i];
            int64_t cores = side->cores > 0 ? side->cores : side->share.procs;

            cost += takes_part(work, i) ? rc_scaling_cost(seconds, cores, side->core_cost) : 0;
        }
        if (!(cost < least))
            continue;
        least = cost;
        for (size_t i = 0; i < work->n; i++)
            best[i] = work->sides[i].share.rows;
    }
    if (isinf(least))
        return no_room(work, error);
    for (size_t i = 0; i < work->n; i++)
        work->sides[i].share.rows = best[i];
    return 0;
}

static int split(struct work *work, enum rc_scaling_aim aim, struct rc_error *error)
{
    double seconds;

    switch (aim) {
    case RC_SPLIT_TIME:
        return equal_times(work, &seconds) ? no_room(work, error) : 0;
    case RC_SPLIT_COST:
        return least_cost(work, error);
    case RC_SPLIT_MEMORY:
    case RC_SPLIT_GIVEN:
        return by_weights(work, aim, error);
    case RC_SCALING_AIMS:
        break;
    }
    return rc_error_set(error, "unknown way to divide rows");
}

int rc_scaling_split(struct rc_scaling_side *sides, size_t n_sides, const struct rc_mesh *mesh,
                     enum rc_scaling_aim aim, struct rc_error *error)
{
    struct work work = {.sides = sides, .mesh = mesh};
    int status = 0;

    if (n_sides < 1 || n_sides > RC_SCALING_PARTS_MAX)
        return rc_error_set(error, "a run uses 1 to %d clusters, not %zu", RC_SCALING_PARTS_MAX,
                            n_sides);
    for (; work.n < n_sides && !status; work.n++) {
        const struct rc_scaling_model *model = sides[work.n].share.model;
        int64_t most = rc_scaling_side_rows(&sides[work.n], mesh);

        work.most[work.n] = most < mesh->extent[RC_MESH_ROWS] ? most : mesh->extent[RC_MESH_ROWS];
        work.used |= 1u << work.n;
        status = rc_scaling_fit_system_prepare(&model->samples, &model->work, &work.systems[work.n],
                                               error);
    }
    if (!status)
        status = split(&work, aim, error);
    for (size_t i = 0; i < work.n; i++)
        rc_scaling_fit_system_free(&work.systems[i]);
    return status;
}
