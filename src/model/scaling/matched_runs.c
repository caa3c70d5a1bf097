// SPDX-License-Identifier: GPL-3.0-or-later
/* matched_runs.c - a plan of small runs, and which of them the database has. */
#include "model/scaling/matched_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/scaling/killed_small_runs.h"
#include "platform/hostlist.h"

/* ---- guesses ---- */

/* How long runs take: by those on this cluster and network or, where there is none, by all. */
static struct rc_scaling_cost_guess guess_cost(const struct rc_scaling_runs *runs,
                                               const struct rc_scaling_request *request,
                                               bool parallel)
{
    struct rc_scaling_run *own = calloc(runs->n + 1, sizeof *own);
    struct rc_scaling_cost_guess guess;
    size_t n = 0;

    for (size_t i = 0; own && i < runs->n; i++) {
        const struct rc_scaling_run *run = &runs->items[i];

        if (run->cluster == request->cluster && (run->procs > 1) == parallel &&
            (!parallel || run->network == 0 || (size_t)run->network == request->network + 1))
            own[n++] = *run;
    }
    guess = n ? rc_scaling_plan_cost_guess(own, n, parallel)
              : rc_scaling_plan_cost_guess(runs->items, runs->n, parallel);
    free(own);
    return guess;
}

/* ---- plans ---- */

/* What ran did fit: whatever is computed of memory, a run in the database is no reason to refuse
 * its repeats, nor other runs with such a block or a smaller one.  Of a run that was made alone
 * this is known of itself only. */
static void trust(struct rc_scaling_planned *planned, size_t have,
                  const struct rc_scaling_runs *used)
{
    double cells = rc_scaling_mesh_cells(&planned->block);
    struct rc_mesh block;

    planned->fits = planned->fits || have > 0;
    for (size_t i = 0; i < used->n && !planned->fits; i++) {
        const struct rc_scaling_run *run = &used->items[i];

        planned->fits =
            !run->alone &&
            rc_scaling_mesh_block(&run->mesh, run->procs, run->cut, &block, NULL) == 0 &&
            rc_scaling_mesh_cells(&block) >= cells;
    }
}

static int match_runs(const struct rc_scaling_runs *runs, struct rc_scaling_matched *plan,
                      struct rc_error *error)
{
    plan->have = calloc(plan->plan.n_runs + 1, sizeof *plan->have);
    if (!plan->have)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < runs->n; i++) {
        size_t which = rc_scaling_plan_match(&plan->plan, &plan->request, &runs->items[i]);

        if (which == plan->plan.n_runs)
            continue;
        plan->have[which]++;
        if (rc_scaling_runs_add(&plan->used, &runs->items[i], error))
            return -1;
    }
    for (size_t i = 0; i < plan->plan.n_runs; i++) {
        size_t wanted = (size_t)plan->plan.runs[i].repeats;

        plan->missing += plan->have[i] < wanted ? wanted - plan->have[i] : 0;
        trust(&plan->plan.runs[i], plan->have[i], &plan->used);
    }
    return 0;
}

int rc_scaling_matched_make(const struct rc_scaling_request *request,
                            const struct rc_scaling_runs *runs, struct rc_scaling_matched *matched,
                            struct rc_error *error)
{
    struct rc_scaling_request *own = &matched->request;

    *matched = (struct rc_scaling_matched){.request = *request};
    if (isnan(own->bytes_per_cell))
        rc_scaling_plan_bytes(runs->items, runs->n, &own->bytes_per_cell, &own->bytes_base);
    own->sequential = guess_cost(runs, own, false);
    own->parallel = guess_cost(runs, own, true);
    return rc_scaling_plan_make(own, &matched->plan, error) || match_runs(runs, matched, error) ? -1
                                                                                                : 0;
}

void rc_scaling_matched_free(struct rc_scaling_matched *matched)
{
    rc_scaling_plan_free(&matched->plan);
    free(matched->have);
    rc_scaling_runs_free(&matched->used);
    *matched = (struct rc_scaling_matched){0};
}

/* Whether a run is one that the plan could have asked for, had it been for other rows: then its
 * messages are the same. */
static bool is_like(const struct rc_scaling_matched *plan, const struct rc_scaling_run *run)
{
    for (size_t i = 0; i < plan->plan.n_runs; i++) {
        const struct rc_scaling_planned *planned = &plan->plan.runs[i];
        struct rc_scaling_run other = *run;

        other.mesh.extent[RC_MESH_ROWS] = planned->mesh.extent[RC_MESH_ROWS];
        if (planned->procs == run->procs && rc_scaling_mesh_equal(&other.mesh, &planned->mesh))
            return run->mesh.extent[RC_MESH_ROWS] % run->procs == 0 &&
                   rc_scaling_plan_match(&plan->plan, &plan->request, run) == plan->plan.n_runs &&
                   rc_scaling_plan_match(&plan->plan, &plan->request, &other) < plan->plan.n_runs;
    }
    return false;
}

/* Whether there is a sequential run of the block that `run` has. */
static bool has_sequential(const struct rc_scaling_matched *plan, const struct rc_scaling_run *run)
{
    int64_t rows = run->mesh.extent[RC_MESH_ROWS] / run->procs;

    for (size_t i = 0; i < plan->used.n; i++)
        if (plan->used.items[i].procs == 1 && plan->used.items[i].mesh.extent[RC_MESH_ROWS] == rows)
            return true;
    return false;
}

int rc_scaling_matched_add_alike(const struct rc_scaling_runs *runs,
                                 struct rc_scaling_matched *plan, struct rc_error *error)
{
    if (plan->plan.cut != 1)
        return 0;
    for (int parallel = 0; parallel < 2; parallel++)
        for (size_t i = 0; i < runs->n; i++) {
            const struct rc_scaling_run *run = &runs->items[i];

            if ((run->procs > 1) == parallel && is_like(plan, run) &&
                (!parallel || has_sequential(plan, run)) &&
                rc_scaling_runs_add(&plan->used, run, error))
                return -1;
        }
    return 0;
}

/* Whether the plan has asked for the run, or for one that differs in its rows alone. */
static bool is_usable(const struct rc_scaling_matched *plan, const struct rc_scaling_run *run)
{
    return rc_scaling_plan_match(&plan->plan, &plan->request, run) < plan->plan.n_runs ||
           (plan->plan.cut == 1 && is_like(plan, run));
}

int rc_scaling_matched_add_killed(const struct rc_scaling_runs *killed,
                                  struct rc_scaling_matched *matched, struct rc_error *error)
{
    struct rc_scaling_samples samples = {0};
    struct rc_scaling_run *runs = calloc(killed->n + 1, sizeof *runs);
    size_t n = 0;
    int status = runs ? rc_scaling_samples_make(matched->used.items, matched->used.n,
                                                matched->plan.cut, &samples, error)
                      : rc_error_no_memory(error);

    for (size_t i = 0; status == 0 && i < killed->n; i++)
        if (is_usable(matched, &killed->items[i]))
            runs[n++] = killed->items[i];
    if (status == 0)
        n = rc_scaling_killed_estimate(&samples, runs, n);
    for (size_t i = 0; status == 0 && i < n; i++)
        status = rc_scaling_runs_add(&matched->used, &runs[i], error);
    rc_scaling_samples_free(&samples);
    free(runs);
    return status;
}

/* ---- the run across two clusters ---- */

/* Two processes on two hosts of each cluster, and the hosts of both as one expression. */
static int place_sides(const struct rc_scaling_matched *plans, struct rc_scaling_crossing *crossing,
                       struct rc_error *error)
{
    struct rc_hostlist lists[RC_SCALING_CROSSING_SIDES] = {0};
    struct rc_scaling_planned *run = &crossing->run;
    const char *names[4];
    size_t n = 0;
    int status = 0;

    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES && !status; i++) {
        struct rc_scaling_planned *side = &crossing->sides[i];

        status = rc_scaling_plan_side(&plans[i].request, &run->block,
                                      run->procs / RC_SCALING_CROSSING_SIDES, side, error) ||
                 rc_platform_hostlist_expand(side->hosts, strlen(side->hosts), RC_HOSTS_MAX,
                                             &lists[i], error);
        run->busy = side->busy > run->busy ? side->busy : run->busy;
        for (size_t k = 0; k < lists[i].count && n < sizeof names / sizeof *names; k++)
            names[n++] = lists[i].names[k];
    }
    if (!status && !(run->hosts = rc_platform_hostlist_compress(names, n, error)))
        status = -1;
    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
        rc_platform_hostlist_free(&lists[i]);
    return status;
}

/* Whether a run across both clusters is the one that is asked for. */
static bool crosses(const struct rc_scaling_planned *asked,
                    const struct rc_scaling_request *request, const struct rc_scaling_run *run)
{
    return run->procs == asked->procs && rc_scaling_mesh_equal(&run->mesh, &asked->mesh) &&
           (run->network == 0 || (size_t)run->network == request->network + 1) &&
           (run->per_host == 0 || run->per_host == asked->busy);
}

int rc_scaling_crossing_make(const struct rc_scaling_matched *plans,
                             const struct rc_scaling_runs *runs,
                             struct rc_scaling_crossing *crossing, struct rc_error *error)
{
    struct rc_scaling_planned *run = &crossing->run;
    uint64_t across = 0;
    int status;

    *crossing = (struct rc_scaling_crossing){
        .run = {.procs = 4, .block = plans[0].plan.block, .per_host = 1, .copies = 1}};
    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
        across |= rc_scaling_cluster_bit(plans[i].request.cluster);
    status = place_sides(plans, crossing, error) ||
             rc_scaling_mesh_of_blocks(&run->block, run->procs, 1, &run->mesh, error);
    for (size_t i = 0; i < runs->n && !status; i++)
        if (across && runs->items[i].across == across &&
            crosses(run, &plans[0].request, &runs->items[i]))
            status = rc_scaling_runs_add(&crossing->used, &runs->items[i], error);
    return status ? -1 : 0;
}

void rc_scaling_crossing_free(struct rc_scaling_crossing *crossing)
{
    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
        free(crossing->sides[i].hosts);
    free(crossing->run.hosts);
    rc_scaling_runs_free(&crossing->used);
    *crossing = (struct rc_scaling_crossing){0};
}

int rc_scaling_crossing_check(const struct rc_scaling_crossing *crossing,
                              const struct rc_scaling_matched *plans, struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES && !status; i++) {
        struct rc_scaling_planned side = crossing->sides[i];

        trust(&side, crossing->used.n, &plans[i].used);
        status = rc_scaling_planned_check(&side, error);
    }
    return status;
}

/* ---- fits ---- */

int rc_scaling_matched_check(const struct rc_scaling_matched *matched, struct rc_error *error)
{
    char list[400] = "", mesh[RC_MESH_TEXT];
    size_t missing = 0;

    for (size_t i = 0; i < matched->plan.n_runs; i++) {
        const struct rc_scaling_planned *run = &matched->plan.runs[i];

        if (matched->have[i] == 0)
            rc_text_append(list, sizeof list, "%s%s on %lld", missing++ ? ", " : "",
                           rc_scaling_mesh_text(&run->mesh, mesh), (long long)run->procs);
    }
    if (missing == 0)
        return 0;
    rc_error_set(error, "%zu of %zu small runs are not in the database: %s", missing,
                 matched->plan.n_runs, list);
    return rc_error_code(error, "scaling.not-made", "them");
}

int rc_scaling_matched_fit(const struct rc_scaling_matched *matched,
                           const struct rc_scaling_options *options, struct rc_scaling_model *model,
                           struct rc_error *error)
{
    const struct rc_scaling_plan *plan = &matched->plan;
    const struct rc_scaling_request *request = &matched->request;
    const struct rc_cluster *cluster = &request->platform->clusters[request->cluster];
    struct rc_scaling_setting setting = {.per_host = plan->per_host,
                                         .cut = plan->cut,
                                         .packed = plan->packed};
    struct rc_scaling_samples samples = {0};
    struct rc_scaling_work work = {0};
    int status;

    snprintf(setting.cluster, sizeof setting.cluster, "%s", cluster->name);
    snprintf(setting.network, sizeof setting.network, "%s",
             cluster->networks[request->network].name);
    rc_scaling_setting_count(&setting, request->platform, request->cluster, matched->used.items,
                             matched->used.n);
    status =
        rc_scaling_matched_check(matched, error) ||
        rc_scaling_samples_make(matched->used.items, matched->used.n, plan->cut, &samples, error) ||
        (request->work->kind == RC_WORK_POWER
             ? rc_scaling_work_fit(&samples, &work, error)
             : rc_scaling_work_copy(request->work, &work, error)) ||
        rc_scaling_fit(&samples, &work, &setting, options, model, error) ||
        rc_scaling_runs_note(&matched->used, &model->notes, error);
    rc_scaling_samples_free(&samples);
    rc_scaling_work_free(&work);
    return status ? -1 : 0;
}

int rc_scaling_crossing_fit(const struct rc_scaling_crossing *crossing,
                            const struct rc_scaling_model *const models[RC_SCALING_CROSSING_SIDES],
                            bool force, struct rc_scaling_link *link,
                            struct rc_scaling_notes *notes, struct rc_error *error)
{
    const struct rc_scaling_planned *run = &crossing->run;
    struct rc_scaling_share shares[RC_SCALING_CROSSING_SIDES];
    struct rc_scaling_samples samples = {0};
    char mesh[RC_MESH_TEXT];
    int status;

    if (crossing->used.n == 0) {
        rc_error_set(error, "the run across both clusters is not in the database: %s on %lld",
                     rc_scaling_mesh_text(&run->mesh, mesh), (long long)run->procs);
        return rc_error_code(error, "scaling.not-made", "it");
    }
    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++) {
        int64_t procs = run->procs / RC_SCALING_CROSSING_SIDES;

        shares[i] = (struct rc_scaling_share){.model = models[i],
                                              .procs = procs,
                                              .rows = procs * run->block.extent[RC_MESH_ROWS]};
    }
    status = rc_scaling_samples_make(crossing->used.items, crossing->used.n, 1, &samples, error) ||
             rc_scaling_samples_agree(&samples, force, notes, error) ||
             rc_scaling_link_measure(crossing->used.items, crossing->used.n, shares,
                                     RC_SCALING_CROSSING_SIDES, link, error);
    rc_scaling_samples_free(&samples);
    return status ? -1 : 0;
}
