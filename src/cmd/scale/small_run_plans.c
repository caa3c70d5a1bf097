// SPDX-License-Identifier: GPL-3.0-or-later
/* small_run_plans.c - small runs in the database, and the plans that need them. */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cmd/scale/scale.h"
#include "run/command_template.h"

/* A missing database has no runs. */
static int read_runs(struct rc_cmd_scale_prepared *prepared, struct rc_error *error)
{
    const struct rc_cmd_scale *scale = &prepared->scale;
    char path[4096];
    struct rc_db *db;
    int status;

    if (rc_cmd_db_path(scale->options->db, path, sizeof path, error))
        return -1;
    if (access(path, F_OK))
        return 0;
    db = rc_db_open(path, RC_DB_READ, NULL, error);
    status = db ? rc_scaling_runs_read(db, scale->options->app, scale->platform, &scale->hosts,
                                       &prepared->runs, &prepared->killed, error)
                : -1;
    rc_db_close(db);
    return status;
}

static void fill_request(const struct rc_cmd_scale *scale, size_t part,
                         struct rc_scaling_request *request)
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
    request->repeats = (int)options->repeat;
    request->check = options->check_linearity || scale->work.kind == RC_WORK_POWER;
    request->work = &scale->work;
    request->bytes_per_cell = options->bytes_per_cell;
    request->n_small = scale->n_small;
    memcpy(request->small, scale->small, sizeof scale->small);
}

/* Runs count wherever in the cluster, and by whatever command, they were made. */
static int note_elsewhere(struct rc_scaling_matched *plan, struct rc_error *error)
{
    size_t n = rc_scaling_runs_elsewhere(&plan->used);

    return n == 0 ? 0
                  : rc_scaling_note(&plan->plan.notes, error,
                                    "%zu run%s in the database used hosts outside --hosts; %s used "
                                    "all the same",
                                    n, n == 1 ? "" : "s", n == 1 ? "it is" : "they are");
}

static int note_commands(const struct rc_scaling_runs *used, const char *command,
                         struct rc_scaling_notes *notes, struct rc_error *error)
{
    size_t others = rc_scaling_runs_by_others(used, rc_run_template_number(command));

    return others == 0
               ? 0
               : rc_scaling_note(notes, error,
                                 "%zu run%s in the database %s made by another command and %s not "
                                 "repeated; delete unwanted runs with 'runcast runs delete', or "
                                 "use another --app name",
                                 others, others == 1 ? "" : "s", others == 1 ? "was" : "were",
                                 others == 1 ? "is" : "are");
}

static int make_plans(struct rc_cmd_scale_prepared *prepared)
{
    const struct rc_cmd_scale *scale = &prepared->scale;
    struct rc_error error = {0};

    if (read_runs(prepared, &error))
        return rc_cmd_fail(&error, "reading the database");
    for (size_t i = 0; i < scale->n_parts; i++) {
        struct rc_scaling_request request;

        fill_request(scale, i, &request);
        if (rc_scaling_matched_make(&request, &prepared->runs, &prepared->plans[i], &error) ||
            note_elsewhere(&prepared->plans[i], &error))
            return rc_cmd_fail(&error, "planning for the cluster %s",
                               scale->platform->clusters[scale->parts[i].cluster].name);
    }
    return RC_EXIT_OK;
}

int rc_cmd_scale_check_memory(const struct rc_cmd_scale_prepared *prepared, struct rc_error *error)
{
    for (size_t i = 0; i < prepared->scale.n_parts; i++)
        if (rc_scaling_plan_check(&prepared->plans[i].plan, error))
            return -1;
    return prepared->scale.with_link
               ? rc_scaling_crossing_check(&prepared->crossing, prepared->plans, error)
               : 0;
}

/* ---- all that is planned ---- */

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
        status = make_plans(prepared);
    if (status == RC_EXIT_OK && scale->with_link &&
        rc_scaling_crossing_make(prepared->plans, &prepared->runs, &prepared->crossing, &error))
        status = rc_cmd_fail(&error, "planning");
    if (status == RC_EXIT_OK && command && note_all(prepared, command, &error))
        status = rc_cmd_fail(&error, "planning");
    return status;
}

void rc_cmd_scale_prepared_free(struct rc_cmd_scale_prepared *prepared)
{
    rc_scaling_crossing_free(&prepared->crossing);
    for (size_t i = 0; i < RC_SCALING_PARTS_MAX; i++)
        rc_scaling_matched_free(&prepared->plans[i]);
    rc_scaling_runs_free(&prepared->runs);
    rc_scaling_runs_free(&prepared->killed);
    rc_cmd_scale_end(&prepared->scale);
}
