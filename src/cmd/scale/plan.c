// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_plan.c - 'runcast scale plan': which small runs to make, why, and what they cost. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/scale/scale.h"

struct plan_options {
    struct rc_cmd_scale_options scale;
    const char *command;
};

static const struct plan_options plan_defaults = {.scale = RC_CMD_SCALE_DEFAULT};

static const struct rc_option plan_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SIZE,
    RC_OPTION_SCALE_PROCS,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: as the runs in the store say)"),
    RC_OPTION_SCALE_LINK("none (the default), or measured: a run across both clusters too"),
    {.name = "command",
     .kind = RC_OPTION_TEXT,
     .argument = "COMMAND",
     .help = "how a run is started, with {p}, {rows}, {cols}, {layers}, {hosts}, {slots} and "
             "{per_host}: the commands are shown too",
     .offset = offsetof(struct plan_options, command)},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- for people ---- */

static const struct rc_column columns[] = {
    {.title = "p", .right = true},
    {.title = "mesh"},
    {.title = "size"},
    {.title = "hosts", .wrap = true},
    {.title = "at once", .wrap = true},
    {.title = "have", .right = true},
    {.title = "cost", .right = true},
    {.title = "why", .wrap = true},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns, CELL = 96 };

/* What goes on at the same time. */
static void tell_beside(const struct rc_scaling_planned *run, char text[CELL])
{
    if (run->copies > 1)
        snprintf(text, CELL, "%d copies", run->copies);
    else if (run->fillers > 0)
        snprintf(text, CELL, "%d more on each host", run->fillers);
    else if (run->per_host > 1)
        snprintf(text, CELL, "%d on a host", run->per_host);
    else
        snprintf(text, CELL, "-");
}

static void tell_cost(double core_hours, double share, char text[CELL])
{
    char number[RC_NUMBER_SIZE];

    if (!isnan(core_hours)) {
        rc_number_format_short(core_hours, 3, number);
        snprintf(text, CELL, "%s core-h", number);
    } else {
        rc_number_format_short(100 * share, 3, number);
        snprintf(text, CELL, "%s %%", number);
    }
}

static void put_run(struct rc_table *table, const struct rc_scaling_planned *run, size_t have)
{
    char text[CELL], mesh[RC_MESH_TEXT];

    rc_table_integer(table, run->procs);
    rc_table_text(table, rc_scaling_mesh_text(&run->mesh, mesh));
    rc_table_text(table, rc_scaling_plan_size_name(run->size));
    rc_table_text(table, run->hosts);
    tell_beside(run, text);
    rc_table_text(table, text);
    snprintf(text, sizeof text, "%zu of %d", have, run->repeats);
    rc_table_text(table, text);
    tell_cost(run->core_hours, run->share, text);
    rc_table_text(table, text);
    rc_table_text(table, run->fits ? run->why : "DOES NOT FIT in the memory of its hosts");
}

static void show_memory(const struct rc_scaling_plan *plan)
{
    char needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    if (isnan(plan->memory)) {
        printf("memory: not known (--bytes-per-cell says it)\n");
        return;
    }
    rc_unit_format_apart(plan->memory, plan->host_memory, RC_BYTES, needed, has);
    printf("memory: a process of the target needs about %s", needed);
    if (!isnan(plan->host_memory))
        printf(" of the %s that it may have%s", has, plan->fits ? "" : ": it DOES NOT FIT");
    printf("\n");
}

static void show_sums(const struct rc_scaling_matched *plan)
{
    char cost[CELL], target[CELL];
    size_t runs = 0;

    for (size_t i = 0; i < plan->plan.n_runs; i++)
        runs += (size_t)plan->plan.runs[i].repeats;
    tell_cost(plan->plan.core_hours, plan->plan.share, cost);
    printf("%zu run%s, of which %zu %s missing; all cost about %s", runs, runs == 1 ? "" : "s",
           plan->missing, plan->missing == 1 ? "is" : "are", cost);
    if (isnan(plan->plan.core_hours)) {
        printf(" of the target\n");
    } else {
        tell_cost(plan->plan.target_core_hours, NAN, target);
        printf(", and the target %s\n", target);
    }
    if (plan->plan.share > 1)
        printf("that is more than the target itself: fewer repeats (--repeats) or smaller runs "
               "(--small) cost less\n");
}

static int show_commands(const struct plan_options *options, const struct rc_scaling_matched *plan,
                         struct rc_error *error)
{
    for (size_t i = 0; i < plan->plan.n_runs; i++) {
        const struct rc_scaling_planned *run = &plan->plan.runs[i];
        const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
        char *line = rc_cmd_scale_template_line(options->command, &fill, error);

        if (!line)
            return -1;
        printf("  %s\n", line);
        free(line);
    }
    return 0;
}

static int show_plan(const struct plan_options *options, const struct rc_cmd_scale *scale,
                     size_t part, const struct rc_scaling_matched *plan, struct rc_error *error)
{
    const struct rc_scaling_plan *it = &plan->plan;
    const struct rc_cluster *cluster = &scale->platform->clusters[scale->parts[part].cluster];
    struct rc_table *table;
    char mesh[RC_MESH_TEXT], block[RC_MESH_TEXT];

    printf("%s, %s on %" PRId64 " process%s of %s (%s, %d on a host), %s each\n",
           options->scale.app, rc_scaling_mesh_text(&it->mesh, mesh), it->procs,
           it->procs == 1 ? "" : "es", cluster->name,
           cluster->networks[scale->parts[part].network].name, it->per_host,
           rc_scaling_mesh_text(&it->block, block));
    table = rc_table_create(stdout, columns, N_COLUMNS, rc_cmd_width());
    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < it->n_runs; i++)
        put_run(table, &it->runs[i], plan->have[i]);
    if (rc_table_finish(table))
        return rc_error_no_memory(error);
    show_sums(plan);
    show_memory(it);
    rc_cmd_scale_notes_show(&it->notes);
    return options->command ? show_commands(options, plan, error) : 0;
}

static void show_crossing(const struct rc_scaling_crossing *crossing, int64_t repeats)
{
    char mesh[RC_MESH_TEXT], cost[RC_SCALING_CROSSING_SIDES][CELL];

    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
        tell_cost(crossing->sides[i].core_hours, crossing->sides[i].share, cost[i]);
    printf("the link: %" PRId64 " processes, %s, on %s: %zu of %" PRId64 "; costs about %s on the "
           "first cluster and %s on the second\n",
           crossing->procs, rc_scaling_mesh_text(&crossing->mesh, mesh), crossing->hosts,
           crossing->used.n, repeats, cost[0], cost[1]);
}

/* ---- for programs ---- */

static json_t *run_json(const struct plan_options *options, const struct rc_scaling_planned *run,
                        size_t have)
{
    const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
    char *line =
        options->command ? rc_cmd_scale_template_line(options->command, &fill, NULL) : NULL;
    json_t *object = json_object();

    rc_json_set(object, "p", json_integer(run->procs));
    rc_json_set(object, "mesh", rc_cmd_scale_mesh_json(&run->mesh));
    rc_json_set(object, "block", rc_cmd_scale_mesh_json(&run->block));
    rc_json_set(object, "size", rc_json_text(rc_scaling_plan_size_name(run->size)));
    rc_json_set(object, "hosts", rc_json_text(run->hosts));
    rc_json_set(object, "per_host", json_integer(run->per_host));
    rc_json_set(object, "copies", json_integer(run->copies));
    rc_json_set(object, "fillers", json_integer(run->fillers));
    rc_json_set(object, "repeats", json_integer(run->repeats));
    rc_json_set(object, "have", json_integer((json_int_t)have));
    rc_json_set(object, "memory", rc_json_number(run->memory));
    rc_json_set(object, "host_memory", rc_json_number(run->host_memory));
    rc_json_set(object, "fits", json_boolean(run->fits));
    rc_json_set(object, "share", rc_json_number(run->share));
    rc_json_set(object, "core_hours", rc_json_number(run->core_hours));
    rc_json_set(object, "why", rc_json_text(run->why));
    if (line)
        rc_json_set(object, "command", rc_json_text(line));
    free(line);
    return object;
}

static json_t *plan_json(const struct plan_options *options, const struct rc_cmd_scale *scale,
                         size_t part, const struct rc_scaling_matched *plan)
{
    const struct rc_scaling_plan *it = &plan->plan;
    const struct rc_cluster *cluster = &scale->platform->clusters[scale->parts[part].cluster];
    json_t *object = json_object(), *runs = json_array();

    for (size_t i = 0; i < it->n_runs; i++)
        json_array_append_new(runs, run_json(options, &it->runs[i], plan->have[i]));
    rc_json_set(object, "cluster", rc_json_text(cluster->name));
    rc_json_set(object, "network",
                rc_json_text(cluster->networks[scale->parts[part].network].name));
    rc_json_set(object, "mesh", rc_cmd_scale_mesh_json(&it->mesh));
    rc_json_set(object, "block", rc_cmd_scale_mesh_json(&it->block));
    rc_json_set(object, "p", json_integer(it->procs));
    rc_json_set(object, "cut", json_integer(it->cut));
    rc_json_set(object, "per_host", json_integer(it->per_host));
    rc_json_set(object, "packed", json_boolean(it->packed));
    rc_json_set(object, "memory", rc_json_number(it->memory));
    rc_json_set(object, "host_memory", rc_json_number(it->host_memory));
    rc_json_set(object, "fits", json_boolean(it->fits));
    rc_json_set(object, "missing", json_integer((json_int_t)plan->missing));
    rc_json_set(object, "share", rc_json_number(it->share));
    rc_json_set(object, "core_hours", rc_json_number(it->core_hours));
    rc_json_set(object, "target_core_hours", rc_json_number(it->target_core_hours));
    rc_json_set(object, "runs", runs);
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&it->notes));
    return object;
}

static json_t *side_json(const struct rc_scaling_planned *side)
{
    json_t *object = json_object();

    rc_json_set(object, "hosts", rc_json_text(side->hosts));
    rc_json_set(object, "fillers", json_integer(side->fillers));
    rc_json_set(object, "memory", rc_json_number(side->memory));
    rc_json_set(object, "host_memory", rc_json_number(side->host_memory));
    rc_json_set(object, "fits", json_boolean(side->fits));
    rc_json_set(object, "share", rc_json_number(side->share));
    rc_json_set(object, "core_hours", rc_json_number(side->core_hours));
    return object;
}

static void write_json(const struct plan_options *options, const struct rc_cmd_scale *scale,
                       const struct rc_scaling_matched *plans,
                       const struct rc_scaling_crossing *crossing)
{
    json_t *object = json_object(), *list = json_array(), *link = json_object();

    for (size_t i = 0; i < scale->n_parts; i++)
        json_array_append_new(list, plan_json(options, scale, i, &plans[i]));
    rc_json_set(object, "app", rc_json_text(options->scale.app));
    rc_json_set(object, "platform", rc_json_text(scale->platform->name));
    rc_json_set(object, "plans", list);
    if (scale->link) {
        json_t *sides = json_array();

        for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
            json_array_append_new(sides, side_json(&crossing->sides[i]));
        rc_json_set(link, "p", json_integer(crossing->procs));
        rc_json_set(link, "mesh", rc_cmd_scale_mesh_json(&crossing->mesh));
        rc_json_set(link, "hosts", rc_json_text(crossing->hosts));
        rc_json_set(link, "have", json_integer((json_int_t)crossing->used.n));
        rc_json_set(link, "sides", sides);
        rc_json_set(object, "link", json_incref(link));
    }
    json_decref(link);
    rc_json_write(stdout, object, true);
    json_decref(object);
}

/* ---- the command ---- */

/* What does not fit is a failure, once it was shown. */
static int show_all(const struct plan_options *options,
                    const struct rc_cmd_scale_prepared *prepared)
{
    const struct rc_cmd_scale *scale = &prepared->scale;
    struct rc_error error = {0};

    if (options->scale.json)
        write_json(options, scale, prepared->plans, &prepared->crossing);
    for (size_t i = 0; i < scale->n_parts && !options->scale.json; i++)
        if (show_plan(options, scale, i, &prepared->plans[i], &error))
            return rc_cmd_fail(&error, "showing the plan");
    if (scale->link && !options->scale.json)
        show_crossing(&prepared->crossing, options->scale.repeats);
    return rc_cmd_scale_check_memory(prepared, &error) ? rc_cmd_fail(&error, "planning")
                                                       : RC_EXIT_OK;
}

static int run_plan(struct rc_invocation *invocation)
{
    const struct plan_options *options = invocation->options;
    struct rc_cmd_scale_prepared prepared;
    int status = rc_cmd_scale_prepare(invocation, &options->scale, options->command, &prepared);

    if (status == RC_EXIT_OK)
        status = show_all(options, &prepared);
    rc_cmd_scale_prepared_free(&prepared);
    return status;
}

const struct rc_command rc_command_scale_plan = {
    .name = "plan",
    .summary = "Say which small runs foretell a large one, and what they cost",
    .details =
        "After G. Romanazzi and P. K. Jimack, \"Parallel performance prediction for numerical "
        "codes in a multi-cluster environment\" (2008): sequential runs and runs on 4 and 8 "
        "processes whose processes have just the block of the mesh that they have in the large "
        "run, so that messages are as long; and again with a quarter of the rows. Small runs are "
        "spread over hosts, one process to each, the slowest ones among them. Where nothing is "
        "known of the app's speed, costs are parts of the target's.",
    .examples = "  runcast scale plan --app mg --size 65536 --procs A:64,B:32 --platform p.yaml\n"
                "  runcast scale plan --app mg --size 65536 --procs 64 --platform p.yaml \\\n"
                "    --command 'mpirun -np {p} --host {hosts} ./mg --size {cols} --rows {rows}'\n",
    .options = plan_options,
    .options_size = sizeof(struct plan_options),
    .defaults = &plan_defaults,
    .run = run_plan,
};
