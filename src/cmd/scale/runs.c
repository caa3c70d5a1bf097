// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_runs.c - the small runs that the store has, and the plans that they are part of. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/scale/scale.h"
#include "platform/hostlist.h"

enum {
    WANTED = RC_FIELD_PLATFORM | RC_FIELD_HOSTS | RC_FIELD_N | RC_FIELD_P | RC_FIELD_SECONDS |
             RC_FIELD_MEMORY | RC_FIELD_STATUS | RC_FIELD_PARAMS | RC_FIELD_CPU_MINAVG |
             RC_FIELD_CPU_AVGMIN
};

/* ---- reading ---- */

static size_t cluster_of(const struct rc_platform *platform, const char *host)
{
    for (size_t i = 0; i < platform->n_clusters; i++)
        for (size_t k = 0; k < platform->clusters[i].n_hosts; k++)
            if (strcmp(platform->clusters[i].hosts[k].name, host) == 0)
                return i;
    return platform->n_clusters;
}

/* The clusters that have hosts of the run, as bits; 0 where one of them is of none. */
static uint64_t clusters_of(const struct rc_platform *platform, const char *hosts)
{
    struct rc_hostlist list = {0};
    uint64_t all = 0;

    if (rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &list, NULL))
        return 0;
    for (size_t i = 0; i < list.count; i++) {
        size_t cluster = cluster_of(platform, list.names[i]);

        if (cluster >= platform->n_clusters || cluster >= RC_CMD_CROSSING_CLUSTERS) {
            all = 0;
            break;
        }
        all |= (uint64_t)1 << cluster;
    }
    rc_platform_hostlist_free(&list);
    return all;
}

int rc_cmd_scale_runs_add(struct rc_cmd_scale_runs *runs, const struct rc_scaling_run *run,
                          const struct rc_cmd_scale_aside *aside, struct rc_error *error)
{
    size_t room = runs->room;

    if (runs->n == RC_SCALING_RUNS_MAX) {
        rc_error_set(error, "the store has more than %d runs of it", RC_SCALING_RUNS_MAX);
        return rc_error_hint(error, "'runcast runs delete' deletes those that are not wanted");
    }
    if (rc_array_room(&runs->items, runs->n + 1, &room, sizeof *runs->items, error) ||
        rc_array_room(&runs->asides, runs->n + 1, &runs->room, sizeof *runs->asides, error))
        return -1;
    runs->asides[runs->n] = *aside;
    runs->items[runs->n++] = *run;
    return 0;
}

void rc_cmd_scale_runs_free(struct rc_cmd_scale_runs *runs)
{
    free(runs->items);
    free(runs->asides);
    *runs = (struct rc_cmd_scale_runs){0};
}

/* Whether one of `hosts` is not among `named`, where any are. */
static bool is_elsewhere(const struct rc_hostlist *named, const char *hosts)
{
    struct rc_hostlist list = {0};
    bool elsewhere = false;

    if (named->count == 0 || !*hosts ||
        rc_platform_hostlist_expand(hosts, strlen(hosts), RC_HOSTS_MAX, &list, NULL))
        return false;
    for (size_t i = 0; i < list.count && !elsewhere; i++) {
        size_t k = 0;

        while (k < named->count && strcmp(named->names[k], list.names[i]) != 0)
            k++;
        elsewhere = k == named->count;
    }
    rc_platform_hostlist_free(&list);
    return elsewhere;
}

/* A parameter of the run; NAN where it has none of that name. */
static double param_of(const struct rc_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_params; i++)
        if (strcmp(run->params[i].name, name) == 0)
            return run->params[i].value;
    return NAN;
}

/* Runs of which the platform is not known may be this one's: their hosts tell. */
static int take_run(const struct rc_cmd_scale *scale, const struct rc_run *run,
                    struct rc_cmd_scale_runs *runs, struct rc_error *error)
{
    struct rc_cmd_scale_aside aside = {.command = param_of(run, "command"), .cpu = run->cpu_avgmin};
    struct rc_scaling_run each;

    if ((run->platform[0] && strcmp(run->platform, scale->platform->name) != 0) ||
        rc_scaling_run_of(run, scale->platform, &each, NULL) != 1)
        return 0;
    aside.elsewhere = is_elsewhere(&scale->hosts, run->hosts);
    if (isnan(aside.cpu))
        aside.cpu = run->cpu_minavg;
    if (each.cluster == RC_SCALING_CLUSTER_NONE)
        aside.across = clusters_of(scale->platform, run->hosts);
    return rc_cmd_scale_runs_add(runs, &each, &aside, error);
}

static int read_all(const struct rc_cmd_scale *scale, struct rc_db *store,
                    struct rc_cmd_scale_runs *runs, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = scale->options->app;
    cursor = rc_db_run_find(store, &filter, WANTED, error);
    if (!cursor)
        return -1;
    while ((got = rc_db_run_next(cursor, &run, error)) > 0)
        if (take_run(scale, &run, runs, error)) {
            got = -1;
            break;
        }
    rc_db_run_cursor_close(cursor);
    return got;
}

int rc_cmd_scale_read_runs(const struct rc_cmd_scale *scale, struct rc_cmd_scale_runs *runs,
                           struct rc_error *error)
{
    char path[4096];
    struct rc_db *store;
    int status;

    *runs = (struct rc_cmd_scale_runs){0};
    if (rc_cmd_db_path(scale->options->db, path, sizeof path, error))
        return -1;
    if (access(path, F_OK))
        return 0;
    store = rc_db_open(path, RC_DB_READ, NULL, error);
    status = store ? read_all(scale, store, runs, error) : -1;
    rc_db_close(store);
    if (status)
        rc_cmd_scale_runs_free(runs);
    return status;
}

/* ---- plans ---- */

int rc_cmd_scale_read_small(struct rc_cmd_scale *scale, struct rc_error *error)
{
    const char *at = scale->options->small, *end;

    for (; at; at = *end ? end + 1 : NULL) {
        int64_t *number = &scale->small[scale->n_small];

        end = strchrnul(at, ',');
        if (scale->n_small == RC_SCALING_PLAN_SMALL_MAX)
            return rc_error_set(error, "--small: at most %d numbers", RC_SCALING_PLAN_SMALL_MAX);
        if (rc_number_parse_integer(at, (size_t)(end - at), number) || *number < 2) {
            rc_error_set(error, "--small: '%.*s' is no number from 2 on",
                         (int)(end - at < 60 ? end - at : 60), at);
            return rc_error_hint(error, "write the processes of the small runs, such as 4,8");
        }
        for (size_t i = 0; i < scale->n_small; i++)
            if (scale->small[i] == *number)
                return rc_error_set(error, "--small: %" PRId64 " is there twice", *number);
        scale->n_small++;
    }
    return scale->n_small != 1 ? 0
                               : rc_error_set(error, "--small: two numbers are expected at least, "
                                                     "such as 4,8");
}

/* Whether some host of --hosts is of that cluster. */
static bool has_host_of(const struct rc_cmd_scale *scale, size_t cluster)
{
    for (size_t i = 0; i < scale->hosts.count; i++)
        if (cluster_of(scale->platform, scale->hosts.names[i]) == cluster)
            return true;
    return false;
}

int rc_cmd_scale_read_hosts(struct rc_cmd_scale *scale, struct rc_error *error)
{
    const char *text = scale->options->hosts;
    struct rc_error inner = {0};

    if (!text)
        return 0;
    if (rc_platform_hostlist_expand(text, strlen(text), RC_HOSTS_MAX, &scale->hosts, &inner)) {
        rc_error_set(error, "--hosts: %s", inner.text);
        return inner.hint[0] ? rc_error_hint(error, "%s", inner.hint) : -1;
    }
    for (size_t i = 0; i < scale->hosts.count; i++)
        if (cluster_of(scale->platform, scale->hosts.names[i]) == scale->platform->n_clusters)
            return rc_error_set(error, "--hosts: no cluster of '%s' has a host '%s'",
                                scale->platform->name, scale->hosts.names[i]);
    for (size_t i = 0; i < scale->n_parts; i++)
        if (!has_host_of(scale, scale->parts[i].cluster))
            return rc_error_set(error, "--hosts: none of these hosts is of cluster '%s'",
                                scale->platform->clusters[scale->parts[i].cluster].name);
    return 0;
}

/* How long runs take: by those on this cluster and network or, where there is none, by all. */
static struct rc_scaling_pace guess_pace(const struct rc_cmd_scale_runs *runs,
                                         const struct rc_scaling_request *request, bool parallel)
{
    struct rc_scaling_run *own = calloc(runs->n + 1, sizeof *own);
    struct rc_scaling_pace pace;
    size_t n = 0;

    for (size_t i = 0; own && i < runs->n; i++) {
        const struct rc_scaling_run *run = &runs->items[i];

        if (run->cluster == request->cluster && (run->procs > 1) == parallel &&
            (!parallel || run->network == 0 || (size_t)run->network == request->network + 1))
            own[n++] = *run;
    }
    pace = n ? rc_scaling_plan_pace(own, n, parallel)
             : rc_scaling_plan_pace(runs->items, runs->n, parallel);
    free(own);
    return pace;
}

static void fill_request(const struct rc_cmd_scale *scale, size_t part,
                         const struct rc_cmd_scale_runs *runs, struct rc_scaling_request *request)
{
    const struct rc_cmd_scale_options *options = scale->options;

    rc_scaling_request_init(request);
    request->platform = scale->platform;
    request->cluster = scale->parts[part].cluster;
    request->network = scale->parts[part].network;
    request->hosts = options->hosts;
    request->mesh = scale->parts[part].mesh;
    request->procs = scale->parts[part].procs;
    request->cut = (int)options->cut;
    request->per_host = scale->parts[part].per_host;
    request->repeats = (int)options->repeats;
    request->check = options->check || scale->work.kind == RC_WORK_POWER;
    request->work = &scale->work;
    request->bytes_per_cell = options->bytes_per_cell;
    if (isnan(options->bytes_per_cell))
        rc_scaling_plan_bytes(runs->items, runs->n, &request->bytes_per_cell, &request->bytes_base);
    request->alone = guess_pace(runs, request, false);
    request->together = guess_pace(runs, request, true);
    request->n_small = scale->n_small;
    memcpy(request->small, scale->small, sizeof scale->small);
}

/* What ran did fit: whatever is reckoned of memory, a run in the store is no reason to refuse its
 * repeats, nor other runs with such a block or a smaller one.  Of a run that was made alone this
 * is known of itself only. */
static void trust(struct rc_scaling_planned *planned, size_t have,
                  const struct rc_cmd_scale_runs *used)
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

static int sort_runs(const struct rc_cmd_scale_runs *runs, struct rc_cmd_scale_plan *plan,
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
        if (rc_cmd_scale_runs_add(&plan->used, &runs->items[i], &runs->asides[i], error))
            return -1;
    }
    for (size_t i = 0; i < plan->plan.n_runs; i++) {
        size_t wanted = (size_t)plan->plan.runs[i].repeats;

        plan->missing += plan->have[i] < wanted ? wanted - plan->have[i] : 0;
        trust(&plan->plan.runs[i], plan->have[i], &plan->used);
    }
    return 0;
}

/* Runs count wherever in the cluster they were made. */
static int note_elsewhere(struct rc_cmd_scale_plan *plan, struct rc_error *error)
{
    size_t n = 0;

    for (size_t i = 0; i < plan->used.n; i++)
        n += plan->used.asides[i].elsewhere;
    return n == 0
               ? 0
               : rc_scaling_note(&plan->plan.notes, error,
                                 "%zu run%s in the store %s made on hosts that --hosts does not "
                                 "name, and count%s all the same",
                                 n, n == 1 ? "" : "s", n == 1 ? "was" : "were", n == 1 ? "s" : "");
}

int rc_cmd_scale_make_plan(const struct rc_cmd_scale *scale, size_t part,
                           const struct rc_cmd_scale_runs *runs, struct rc_cmd_scale_plan *plan,
                           struct rc_error *error)
{
    *plan = (struct rc_cmd_scale_plan){0};
    fill_request(scale, part, runs, &plan->request);
    if (rc_scaling_plan_make(&plan->request, &plan->plan, error))
        return -1;
    return sort_runs(runs, plan, error) || note_elsewhere(plan, error) ? -1 : 0;
}

/* Whether a run is one that the plan could have asked for, had it been for other rows: then its
 * messages are the same. */
static bool is_like(const struct rc_cmd_scale_plan *plan, const struct rc_scaling_run *run)
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
static bool has_sequential(const struct rc_cmd_scale_plan *plan, const struct rc_scaling_run *run)
{
    int64_t rows = run->mesh.extent[RC_MESH_ROWS] / run->procs;

    for (size_t i = 0; i < plan->used.n; i++)
        if (plan->used.items[i].procs == 1 && plan->used.items[i].mesh.extent[RC_MESH_ROWS] == rows)
            return true;
    return false;
}

int rc_cmd_scale_more_runs(const struct rc_cmd_scale_runs *runs, struct rc_cmd_scale_plan *plan,
                           struct rc_error *error)
{
    if (plan->plan.cut != 1)
        return 0;
    for (int parallel = 0; parallel < 2; parallel++)
        for (size_t i = 0; i < runs->n; i++) {
            const struct rc_scaling_run *run = &runs->items[i];

            if ((run->procs > 1) == parallel && is_like(plan, run) &&
                (!parallel || has_sequential(plan, run)) &&
                rc_cmd_scale_runs_add(&plan->used, run, &runs->asides[i], error))
                return -1;
        }
    return 0;
}

void rc_cmd_scale_plan_free(struct rc_cmd_scale_plan *plan)
{
    rc_scaling_plan_free(&plan->plan);
    free(plan->have);
    rc_cmd_scale_runs_free(&plan->used);
    *plan = (struct rc_cmd_scale_plan){0};
}

int rc_cmd_scale_make_plans(const struct rc_cmd_scale *scale, struct rc_cmd_scale_runs *runs,
                            struct rc_cmd_scale_plan *plans)
{
    struct rc_error error = {0};

    memset(plans, 0, RC_SCALING_PARTS_MAX * sizeof *plans);
    if (rc_cmd_scale_read_runs(scale, runs, &error))
        return rc_cmd_fail(&error, "reading the store");
    for (size_t i = 0; i < scale->n_parts; i++)
        if (rc_cmd_scale_make_plan(scale, i, runs, &plans[i], &error))
            return rc_cmd_fail(&error, "planning for the cluster %s",
                               scale->platform->clusters[scale->parts[i].cluster].name);
    return RC_EXIT_OK;
}

void rc_cmd_scale_plans_free(struct rc_cmd_scale_plan *plans, struct rc_cmd_scale_runs *runs)
{
    for (size_t i = 0; i < RC_SCALING_PARTS_MAX; i++)
        rc_cmd_scale_plan_free(&plans[i]);
    rc_cmd_scale_runs_free(runs);
}

/* ---- memory ---- */

int rc_cmd_scale_check_memory(const struct rc_cmd_scale *scale,
                              const struct rc_cmd_scale_plan *plans,
                              const struct rc_cmd_scale_crossing *crossing, struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < scale->n_parts && !status; i++)
        status = rc_scaling_plan_check(&plans[i].plan, error);
    for (size_t i = 0; scale->link && i < RC_CMD_CROSSING_SIDES && !status; i++) {
        struct rc_scaling_planned side = crossing->sides[i];

        trust(&side, crossing->used.n, &plans[i].used);
        status = rc_scaling_planned_check(&side, error);
    }
    return status;
}

/* ---- all that is planned ---- */

/* Runs count whatever made them; that they were made by another command is said. */
static int note_commands(const struct rc_cmd_scale_runs *used, const char *command,
                         struct rc_scaling_notes *notes, struct rc_error *error)
{
    double number = rc_cmd_scale_template_number(command);
    size_t others = 0;

    for (size_t i = 0; i < used->n; i++)
        others += !isnan(used->asides[i].command) && used->asides[i].command != number;
    return others == 0
               ? 0
               : rc_scaling_note(notes, error,
                                 "%zu run%s in the store %s made by another command, and "
                                 "not made again: 'runcast runs delete' deletes what is not "
                                 "wanted, and another name (--app) keeps both apart",
                                 others, others == 1 ? "" : "s", others == 1 ? "was" : "were");
}

static int note_all(struct rc_cmd_scale_prepared *prepared, const char *command,
                    struct rc_error *error)
{
    for (size_t i = 0; i < prepared->scale.n_parts; i++)
        if (note_commands(&prepared->plans[i].used, command, &prepared->plans[i].plan.notes, error))
            return -1;
    return note_commands(&prepared->crossing.used, command, &prepared->plans[0].plan.notes, error);
}

int rc_cmd_scale_prepare(const struct rc_invocation *invocation,
                         const struct rc_cmd_scale_options *options, const char *command,
                         struct rc_cmd_scale_prepared *prepared)
{
    struct rc_cmd_scale *scale = &prepared->scale;
    struct rc_error error = {0};
    int status;

    *prepared = (struct rc_cmd_scale_prepared){0};
    status = rc_cmd_scale_begin_runs(invocation, options, scale);
    if (status == RC_EXIT_OK && command &&
        rc_cmd_scale_template_check(command, (int)options->cut, &error))
        status = rc_cmd_usage(invocation, &error);
    if (status == RC_EXIT_OK)
        status = rc_cmd_scale_make_plans(scale, &prepared->runs, prepared->plans);
    if (status == RC_EXIT_OK && scale->link &&
        rc_cmd_scale_make_crossing(scale, prepared->plans, &prepared->runs, &prepared->crossing,
                                   &error))
        status = rc_cmd_fail(&error, "planning");
    if (status == RC_EXIT_OK && command && note_all(prepared, command, &error))
        status = rc_cmd_fail(&error, "planning");
    return status;
}

void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared)
{
    rc_cmd_scale_crossing_free(&prepared->crossing);
    rc_cmd_scale_plans_free(prepared->plans, &prepared->runs);
    rc_cmd_scale_end(&prepared->scale);
}
