// SPDX-License-Identifier: GPL-3.0-or-later
/* plan.c - 'runcast scale plan': the small runs to make, their purpose and cost. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/unit.h"
#include "cmd/scale/scale.h"
#include "report/cell.h"

struct plan_options {
    struct rc_cmd_scale_options scale;
    const char *command;
};

static const struct plan_options plan_defaults = {.scale = RC_CMD_SCALE_DEFAULT};

static const struct rc_option plan_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: from runs in the database)"),
    RC_OPTION_SCALE_LINK("; measured plans a run across both clusters"),
    {RC_OPTION_OF(struct plan_options, TEXT, command), .name = "command", .argument = "COMMAND",
     .help = "command that starts a run, with {p}, {rows}, {cols}, {layers}, {hosts}, {slots} and "
             "{per_host}; plan prints the command of each run"},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* ---- text ---- */

static void show_memory(const struct rc_scaling_plan *plan)
{
    char needed[RC_UNIT_SIZE], has[RC_UNIT_SIZE];

    if (isnan(plan->memory)) {
        printf("memory: unknown; use --bytes-per-cell\n");
        return;
    }
    rc_unit_format_apart(plan->memory, plan->host_memory, RC_BYTES, needed, has);
    printf("memory: about %s per process of the target", needed);
    if (!isnan(plan->host_memory))
        printf(", %s available%s", has, plan->fits ? "" : ": DOES NOT FIT");
    printf("\n");
}

static void show_sums(const struct rc_answer_scale_plan *plan)
{
    char cost[RC_ANSWER_COST_SIZE];
    size_t runs = 0;

    for (size_t i = 0; i < plan->plan.n_runs; i++)
        runs += (size_t)plan->plan.runs[i].repeats;
    printf("%zu run%s, %zu missing; cost of all: about %s", runs, runs == 1 ? "" : "s",
           plan->missing, rc_answer_scale_cost(plan->plan.core_hours, plan->plan.share, cost));
    if (isnan(plan->plan.core_hours))
        printf(" of the target\n");
    else
        printf(" (target: %s)\n", rc_answer_scale_cost(plan->plan.target_core_hours, NAN, cost));
    if (plan->plan.share > 1)
        printf("the small runs cost more than the target; use fewer repetitions (--repeat) or "
               "smaller runs (--small-procs)\n");
}

static int show_plan(const char *app, const struct rc_answer_scale_plan *plan,
                     struct rc_error *error)
{
    const struct rc_scaling_plan *it = &plan->plan;
    char mesh[RC_MESH_TEXT], block[RC_MESH_TEXT];

    printf("%s, %s on %" PRId64 " process%s of %s (%s, %d per host), block %s\n", app,
           rc_scaling_mesh_text(&it->mesh, mesh), it->procs, rc_cell_plural(it->procs, "es"),
           plan->cluster, plan->network, it->per_host, rc_scaling_mesh_text(&it->block, block));
    if (rc_field_table(stdout, rc_answer_scale_run, plan->runs, plan->n_runs, sizeof *plan->runs,
                       rc_cmd_width(), error))
        return -1;
    show_sums(plan);
    show_memory(it);
    for (size_t i = 0; i < plan->n_runs && plan->runs[i].command; i++)
        printf("  %s\n", plan->runs[i].command);
    return 0;
}

static void show_crossing(const struct rc_scaling_crossing *crossing, int64_t repeats)
{
    char mesh[RC_MESH_TEXT], cost[RC_SCALING_CROSSING_SIDES][RC_ANSWER_COST_SIZE];

    for (size_t i = 0; i < RC_SCALING_CROSSING_SIDES; i++)
        rc_answer_scale_cost(crossing->sides[i].core_hours, crossing->sides[i].share, cost[i]);
    printf("link: %" PRId64 " processes, %s, on %s; %zu of %" PRId64 " runs stored; cost: about %s "
           "on the first cluster and %s on the second\n",
           crossing->run.procs, rc_scaling_mesh_text(&crossing->run.mesh, mesh),
           crossing->run.hosts, crossing->used.n, repeats, cost[0], cost[1]);
}

/* ---- the answer ---- */

static int fill_plan(const char *command, const struct rc_scaling_matched *from,
                     struct rc_answer_scale_plan *plan, struct rc_error *error)
{
    const struct rc_scaling_request *request = &from->request;
    const struct rc_cluster *cluster = &request->platform->clusters[request->cluster];

    *plan =
        (struct rc_answer_scale_plan){.cluster = cluster->name,
                                      .network = cluster->networks[request->network].name,
                                      .plan = from->plan,
                                      .missing = from->missing,
                                      .runs = calloc(from->plan.n_runs + 1, sizeof *plan->runs)};
    if (!plan->runs)
        return rc_error_no_memory(error);
    for (; plan->n_runs < from->plan.n_runs; plan->n_runs++) {
        const struct rc_scaling_planned *run = &from->plan.runs[plan->n_runs];
        const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
        char *line = command ? rc_cmd_scale_template_line(command, &fill, error) : NULL;

        if (command && !line)
            return -1;
        plan->runs[plan->n_runs] =
            (struct rc_answer_scale_run){.run = *run,
                                         .block_size = rc_scaling_plan_size_name(run->size),
                                         .stored = from->have[plan->n_runs],
                                         .command = line};
    }
    return 0;
}

static void free_answer(struct rc_answer_scale_plans *answer)
{
    for (size_t i = 0; i < answer->n_plans; i++) {
        for (size_t k = 0; k < answer->plans[i].n_runs; k++)
            free(answer->plans[i].runs[k].command);
        free(answer->plans[i].runs);
    }
}

static int show_answer(const struct plan_options *options, struct rc_answer_scale_plans *answer,
                       struct rc_error *error)
{
    for (size_t i = 0; i < answer->n_plans && !options->scale.json; i++)
        if (show_plan(answer->app, &answer->plans[i], error))
            return -1;
    for (size_t i = 0; i < answer->n_plans; i++)
        rc_cmd_scale_notes(answer->n_plans > 1 ? answer->plans[i].cluster : NULL,
                           &answer->plans[i].plan.notes);
    if (options->scale.json) {
        answer->notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_scale_plans, answer));
        json_decref(answer->notes);
    } else if (answer->link)
        show_crossing(answer->link, options->scale.repeat);
    return 0;
}

/* ---- the command ---- */

/* A plan that does not fit in memory is a failure, after it was shown. */
static int show_all(const struct plan_options *options,
                    const struct rc_cmd_scale_prepared *prepared)
{
    const struct rc_cmd_scale *scale = &prepared->scale;
    struct rc_answer_scale_plans answer = {.app = options->scale.app,
                                           .platform = scale->platform->name,
                                           .link = scale->with_link ? &prepared->crossing : NULL};
    struct rc_error error = {0};
    int status = 0;

    while (answer.n_plans < scale->n_parts && !status) {
        status = fill_plan(options->command, &prepared->plans[answer.n_plans],
                           &answer.plans[answer.n_plans], &error);
        answer.n_plans++;
    }
    if (!status)
        status = show_answer(options, &answer, &error);
    free_answer(&answer);
    if (status)
        return rc_cmd_fail(&error, "showing the plan");
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
    .summary = "List the small runs that predict a large run",
    .details =
        "Lists sequential runs and runs on 4 and 8 processes. Each process has the same block of "
        "the mesh as in the large run, so messages have the same length. Further runs have a "
        "quarter of the rows. Small runs use one process per host and include the slowest hosts. "
        "Costs are core-hours, or shares of the cost of the large run if the database has no runs "
        "of the app.\n\n"
        "The method is that of G. Romanazzi and P. K. Jimack, \"Parallel performance prediction "
        "for numerical codes in a multi-cluster environment\" (2008).",
    .examples = "  runcast scale plan --app mg --size 65536 --procs A:64,B:32 \\\n"
                "    --platform-file p.yaml\n"
                "  runcast scale plan --app mg --size 65536 --procs 64 --platform-file p.yaml \\\n"
                "    --command 'mpirun -np {p} --host {hosts} ./mg --size {cols} --rows {rows}'\n",
    .options = plan_options,
    .options_size = sizeof(struct plan_options),
    .defaults = &plan_defaults,
    .answers = {rc_answer_scale_plans},
    .run = run_plan,
};
