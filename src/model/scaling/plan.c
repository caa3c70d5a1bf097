// SPDX-License-Identifier: GPL-3.0-or-later
/* plan.c - which small runs to make: their sizes. */
#include "model/scaling/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "model/scaling/plan_internal.h"

static const char *const size_names[RC_SCALING_PLAN_SIZES] = {"full", "quarter", "halved", "narrow",
                                                              "half"};

const char *rc_scaling_plan_size_name(enum rc_scaling_plan_size size)
{
    return size_names[size];
}

int64_t rc_scaling_plan_rows(int64_t rows, double part, int64_t procs)
{
    return (int64_t)ceil((double)rows * part / (double)procs - 1e-9) * procs;
}

void rc_scaling_request_init(struct rc_scaling_request *request)
{
    *request = (struct rc_scaling_request){.cut = 1,
                                           .repeats = 3,
                                           .bytes_per_cell = NAN,
                                           .sequential = {0, NAN},
                                           .parallel = {0, NAN}};
}

void rc_scaling_plan_free(struct rc_scaling_plan *plan)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        free(plan->runs[i].hosts);
    free(plan->runs);
    rc_scaling_notes_free(&plan->notes);
    *plan = (struct rc_scaling_plan){0};
}

/* ---- the request ---- */

static int by_number(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

    return (p > q) - (p < q);
}

/* Suggests numbers of processes: the largest below the target's, in shapes as even as the default
 * ones if there are any. */
static int hint_smaller(const struct rc_scaling_request *request, struct rc_error *error)
{
    static const int64_t of_directions[RC_MESH_DIRECTIONS][5][2] = {
        {{4, 8}, {2, 4}, {2, 3}},
        {{9, 16}, {4, 9}, {2, 4}, {2, 3}},
        {{27, 64}, {8, 27}, {4, 8}, {2, 4}, {2, 3}},
    };
    const int64_t(*pairs)[2] = of_directions[request->cut - 1];

    for (size_t i = 0; i < 5 && pairs[i][0] > 0; i++)
        if (pairs[i][1] < request->procs)
            return rc_error_code(error, "scaling.smaller-runs", "%lld\n%lld",
                                 (long long)pairs[i][0], (long long)pairs[i][1]);
    return rc_error_hint(error, "run it; it is as small as the small runs");
}

/* The numbers of processes of the small runs, rising. */
static int small_numbers(const struct rc_scaling_request *request, int64_t *small, size_t *n,
                         struct rc_error *error)
{
    static const int64_t usual[RC_MESH_DIRECTIONS][2] = {{4, 8}, {9, 16}, {27, 64}};

    *n = request->n_small > 0 ? request->n_small : 2;
    memcpy(small, request->n_small > 0 ? request->small : usual[request->cut - 1],
           *n * sizeof *small);
    qsort(small, *n, sizeof *small, by_number);
    if (*n < 2)
        return rc_error_set(error, "small runs need two numbers of processes or more");
    for (size_t i = 0; i < *n; i++) {
        if (small[i] < 2)
            return rc_error_set(error, "small runs need 2 processes or more, not %lld",
                                (long long)small[i]);
        if (i > 0 && small[i] == small[i - 1])
            return rc_error_set(error, "small runs on %lld processes appear twice",
                                (long long)small[i]);
    }
    if (small[*n - 1] < request->procs)
        return 0;
    rc_error_set(error, "a run on %lld processes is not larger than its small runs (%lld)",
                 (long long)request->procs, (long long)small[*n - 1]);
    return hint_smaller(request, error);
}

static int check_request(const struct rc_scaling_request *request, struct rc_error *error)
{
    if (request->cut < 1 || request->cut > RC_MESH_DIRECTIONS)
        return rc_error_set(error, "a mesh is cut in 1, 2 or 3 dimensions, not %d", request->cut);
    if (request->cluster >= request->platform->n_clusters)
        return rc_error_set(error, "the platform has no such cluster");
    if (request->network > 0 &&
        request->network >= request->platform->clusters[request->cluster].n_networks)
        return rc_error_set(error, "cluster '%s' has no such network",
                            request->platform->clusters[request->cluster].name);
    if (request->n_small > RC_SCALING_PLAN_SMALL_MAX)
        return rc_error_set(error, "small runs take at most %d numbers of processes",
                            RC_SCALING_PLAN_SMALL_MAX);
    if (request->repeats < 1 || request->repeats > RC_SCALING_PLAN_REPEATS_MAX)
        return rc_error_set(error, "runs are repeated 1 to %d times, not %d",
                            RC_SCALING_PLAN_REPEATS_MAX, request->repeats);
    return 0;
}

/* ---- sizes ---- */

static int64_t part_of(int64_t extent, int64_t by)
{
    int64_t part = (extent + by / 2) / by;

    return part > 0 ? part : 1;
}

static struct rc_mesh block_of(const struct rc_mesh *full, enum rc_scaling_plan_size size)
{
    static const int64_t parts[RC_SCALING_PLAN_SIZES][2] = {[RC_SCALING_PLAN_FULL] = {1, 1},
                                                            [RC_SCALING_PLAN_QUARTER] = {4, 1},
                                                            [RC_SCALING_PLAN_HALVED] = {2, 2},
                                                            [RC_SCALING_PLAN_NARROW] = {1, 4},
                                                            [RC_SCALING_PLAN_HALF] = {2, 1}};
    struct rc_mesh block = *full;

    block.extent[RC_MESH_ROWS] = part_of(full->extent[RC_MESH_ROWS], parts[size][RC_MESH_ROWS]);
    block.extent[RC_MESH_COLS] = part_of(full->extent[RC_MESH_COLS], parts[size][RC_MESH_COLS]);
    return block;
}

/* Whether a halved block has about as large a surface as a quarter of the rows: the two are equal
 * where rows are twice the columns.  The narrow one's is the quarter's where rows are as many as
 * columns. */
static bool is_long(const struct rc_mesh *block)
{
    double rows = (double)block->extent[RC_MESH_ROWS], cols = (double)block->extent[RC_MESH_COLS];

    return rows > 1.4 * cols && rows < 4 * cols && cols >= 4;
}

static bool size_wanted(const struct rc_scaling_request *request, const struct rc_mesh *full,
                        enum rc_scaling_plan_size size)
{
    if (size == RC_SCALING_PLAN_HALVED)
        return request->cut > 1 && !is_long(full);
    if (size == RC_SCALING_PLAN_NARROW)
        return request->cut > 1 && is_long(full);
    if (size == RC_SCALING_PLAN_HALF)
        return request->check || (request->work && request->work->kind == RC_WORK_POWER);
    return true;
}

static int check_block(const struct rc_scaling_plan *plan, struct rc_error *error)
{
    char text[RC_MESH_TEXT];

    if (plan->block.extent[RC_MESH_ROWS] >= 4 &&
        (plan->cut == 1 || plan->block.extent[RC_MESH_COLS] >= 2))
        return 0;
    rc_error_set(error,
                 "the block of a process, %s, is too small for small runs with a quarter of it",
                 rc_scaling_mesh_text(&plan->block, text));
    return rc_error_hint(error, "plan for fewer processes or a larger mesh");
}

/* The purpose of a size: sequentially, and on several processes. */
static const char *const why[RC_SCALING_PLAN_SIZES][2] = {
    [RC_SCALING_PLAN_FULL] = {"computation on the block of the target",
                              "block and messages of the target, few processes"},
    [RC_SCALING_PLAN_QUARTER] = {"computation with a quarter of the work",
                                 "a quarter of the work, messages of the target"},
    [RC_SCALING_PLAN_HALVED] = {"computation of the same work on a block of another shape",
                                "equal work, other messages"},
    [RC_SCALING_PLAN_NARROW] = {"computation of the same work on a block of another shape",
                                "equal work, other messages"},
    [RC_SCALING_PLAN_HALF] = {"checks that computation is linear in work",
                              "checks that the overhead is linear in work"},
};

/* ---- plans ---- */

static int plan_run(const struct rc_scaling_request *request, const struct rc_scaling_hosts *hosts,
                    struct rc_scaling_plan *plan, int64_t procs, enum rc_scaling_plan_size size,
                    struct rc_error *error)
{
    struct rc_scaling_planned *run = &plan->runs[plan->n_runs++]; /* so that it is freed */

    *run = (struct rc_scaling_planned){.size = size, .procs = procs, .repeats = request->repeats};
    run->block = block_of(&plan->block, size);
    if (rc_scaling_mesh_of_blocks(&run->block, procs, plan->cut, &run->mesh, error) ||
        rc_scaling_plan_place(hosts, plan, run, error) ||
        rc_scaling_plan_cost(request, hosts, plan, run, error))
        return -1;
    strcpy(run->why, why[size][procs > 1]);
    return 0;
}

static int plan_runs(const struct rc_scaling_request *request, const struct rc_scaling_hosts *hosts,
                     const int64_t *small, size_t n_small, struct rc_scaling_plan *plan,
                     struct rc_error *error)
{
    plan->runs = calloc((n_small + 1) * RC_SCALING_PLAN_SIZES, sizeof *plan->runs);
    if (!plan->runs)
        return rc_error_no_memory(error);
    for (size_t i = 0; i <= n_small; i++)
        for (int size = 0; size < RC_SCALING_PLAN_SIZES; size++)
            if (size_wanted(request, &plan->block, (enum rc_scaling_plan_size)size) &&
                plan_run(request, hosts, plan, i == 0 ? 1 : small[i - 1],
                         (enum rc_scaling_plan_size)size, error))
                return -1;
    for (size_t i = 0; i < plan->n_runs; i++) {
        plan->share += plan->runs[i].share;
        plan->core_hours += plan->runs[i].core_hours;
    }
    return 0;
}

/* With parts on all sides of some part: three in each direction that the target has so many in. */
static bool has_inner(const int64_t *parts, const int64_t *target)
{
    for (int i = 0; i < RC_MESH_DIRECTIONS; i++)
        if (parts[i] < 3 && target[i] >= 3)
            return false;
    return true;
}

/* Of cuts in several directions: small runs none of whose processes has the neighbours of the
 * target's inner ones. */
static int note_cuts(const int64_t *small, size_t n_small, struct rc_scaling_plan *plan,
                     struct rc_error *error)
{
    int64_t target[RC_MESH_DIRECTIONS];
    struct rc_mesh parts;
    char text[RC_MESH_TEXT];

    if (plan->cut == 1)
        return 0;
    if (rc_scaling_mesh_cut(plan->procs, plan->cut, target, error))
        return -1;
    for (size_t i = 0; i < n_small; i++)
        if (rc_scaling_mesh_cut(small[i], plan->cut, parts.extent, error) ||
            (!has_inner(parts.extent, target) &&
             rc_scaling_note(&plan->notes, error,
                             "%lld processes make %s parts: unlike in the target, none has "
                             "neighbours on all sides; the cost of messages may be underestimated",
                             (long long)small[i], rc_scaling_mesh_text(&parts, text))))
            return -1;
    return 0;
}

int rc_scaling_plan_make(const struct rc_scaling_request *request, struct rc_scaling_plan *plan,
                         struct rc_error *error)
{
    struct rc_scaling_hosts hosts = {0};
    int64_t small[RC_SCALING_PLAN_SMALL_MAX];
    size_t n_small;

    *plan = (struct rc_scaling_plan){.mesh = request->mesh,
                                     .procs = request->procs,
                                     .cut = request->cut};
    if (check_request(request, error) || small_numbers(request, small, &n_small, error) ||
        rc_scaling_mesh_block(&plan->mesh, plan->procs, plan->cut, &plan->block, error) ||
        check_block(plan, error))
        return -1;
    if (rc_scaling_hosts_find(request, small[n_small - 1], plan, &hosts, error) ||
        note_cuts(small, n_small, plan, error) ||
        plan_runs(request, &hosts, small, n_small, plan, error)) {
        rc_scaling_hosts_free(&hosts);
        rc_scaling_plan_free(plan);
        return -1;
    }
    rc_scaling_hosts_free(&hosts);
    return 0;
}

/* ---- asking ---- */

int rc_scaling_planned_check(const struct rc_scaling_planned *run, struct rc_error *error)
{
    char text[RC_MESH_TEXT], needs[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    if (run->fits)
        return 0;
    rc_unit_format_apart(run->memory, run->host_memory, RC_BYTES, needs, has);
    rc_error_set(error,
                 "a small run of %s on %lld process%s does not fit in memory: a process "
                 "needs %s; %s available with %d per host",
                 rc_scaling_mesh_text(&run->mesh, text), (long long)run->procs,
                 run->procs == 1 ? "" : "es", needs, has, run->busy);
    return rc_error_code(error, "scaling.does-not-fit", NULL);
}

int rc_scaling_plan_check(const struct rc_scaling_plan *plan, struct rc_error *error)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (rc_scaling_planned_check(&plan->runs[i], error))
            return -1;
    return 0;
}

/* One on fewer hosts was packed: without neighbours across the network it shows little of it. */
static bool is_spread(const struct rc_scaling_planned *planned, const struct rc_scaling_run *run)
{
    return run->procs == 1 || run->n_hosts == 0 || run->n_hosts >= planned->n_hosts;
}

size_t rc_scaling_plan_match(const struct rc_scaling_plan *plan,
                             const struct rc_scaling_request *request,
                             const struct rc_scaling_run *run)
{
    if (run->cluster != RC_SCALING_CLUSTER_UNSAID && run->cluster != request->cluster)
        return plan->n_runs;
    if (run->procs > 1 && ((run->network != 0 && (size_t)run->network != request->network + 1) ||
                           run->cut != plan->cut))
        return plan->n_runs;
    for (size_t i = 0; i < plan->n_runs; i++) {
        const struct rc_scaling_planned *planned = &plan->runs[i];

        if (planned->procs == run->procs && rc_scaling_mesh_equal(&planned->mesh, &run->mesh) &&
            (run->per_host == 0 || run->per_host == planned->busy) && is_spread(planned, run))
            return i;
    }
    return plan->n_runs;
}
