// SPDX-License-Identifier: GPL-3.0-or-later
/* measure.c - 'runcast scale measure': makes the small runs that are not in the database. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/scale/small_run.h"
#include "report/cell.h"
#include "run/command_template.h"

struct measure_options {
    struct rc_cmd_scale_options scale;
    const char *command, *time_source;
    bool no_copies, monitor, force;
};

static const struct measure_options measure_defaults = {.scale = RC_CMD_SCALE_DEFAULT,
                                                        .time_source = "command"};
static const char *const time_sources[] = {"command", "program", NULL};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct measure_options, member)

static const struct rc_option measure_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: from runs in the database)"),
    RC_OPTION_SCALE_LINK("; measured makes runs across both clusters"),
    {OPTION("command", TEXT, command), .argument = "COMMAND",
     .help = "command that starts a run, with {p}, {rows}, {cols}, {layers}, {hosts}, {slots} and "
             "{per_host} (required)"},
    {OPTION("time-source", CHOICE, time_source), .argument = "SOURCE", .choices = time_sources,
     .help = "source of run times: command or program (default: command); program uses the time "
             "and memory that the program reports as JSON"},
    {OPTION("no-copies", FLAG, no_copies),
     .help = "make each small run alone, without copies on the other cores: for simulated "
             "clusters, and cores that share no memory"},
    {OPTION("monitor", FLAG, monitor),
     .help = "monitor the hosts during the runs, as 'runcast record' does"},
    {OPTION("force", FLAG, force), .letter = 'f',
     .help = "proceed although a check failed: make runs that seem not to fit in memory"},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

struct measuring {
    const struct measure_options *options;
    const struct rc_cmd_scale_prepared *prepared;
    struct rc_cmd_work work;
    struct rc_cmd_making making;
    size_t total;
    struct rc_answer_scale_measured answer;
    bool noted_sensors; /* that sensors measured nothing */
};

/* ---- all runs ---- */

/* `fault` is NULL if the run was made. */
static void add_outcome(struct measuring *measuring, const struct rc_scaling_planned *run,
                        int64_t id, const char *fault)
{
    const struct rc_answer_scale_outcome outcome = {run->procs, run->mesh, run->hosts, id, fault};

    if (measuring->answer.runs)
        json_array_append_new(measuring->answer.runs,
                              rc_field_json(rc_answer_scale_outcome, &outcome));
}

/* Each run waits for the sensors of hosts that cannot be reached. */
static void note_sensors(struct measuring *measuring, const struct rc_scaling_planned *run)
{
    if (measuring->noted_sensors)
        return;
    measuring->noted_sensors = true;
    rc_progress_end(&measuring->work.progress);
    rc_cmd_note("no samples from the sensors on %.200s; each run waits for them and then starts "
                "without. 'runcast monitor' shows why",
                run->hosts);
}

/* 1 if it fails, as its repetitions would.  -1 if no more runs are to be made. */
static int try_run(struct measuring *measuring, const struct rc_scaling_planned *run,
                   const struct rc_scaling_planned *sides, size_t n_sides, struct rc_db *db)
{
    char mesh[RC_MESH_TEXT];
    struct rc_copies_made made;
    struct rc_error error = {0};
    int status;

    rc_progress_update(&measuring->work.progress, measuring->answer.made, measuring->total);
    status = rc_cmd_making_run(&measuring->making, run, sides, n_sides, db, &made, &error);
    if (status == 0) {
        measuring->answer.made++;
        add_outcome(measuring, run, made.id, NULL);
        if (made.unsensed)
            note_sensors(measuring, run);
        return 0;
    }
    if (rc_cmd_interrupted())
        return -1;
    measuring->answer.failed++;
    add_outcome(measuring, run, 0, error.text);
    rc_progress_end(&measuring->work.progress);
    rc_cmd_fail(&error, "%" PRId64 " process%s, %s, on %.60s", run->procs,
                rc_cell_plural(run->procs, "es"), rc_scaling_mesh_text(&run->mesh, mesh),
                run->hosts);
    if (status != -2)
        return 1;
    rc_cmd_note("the command cannot be started; the other runs are skipped");
    return -1;
}

/* One of each run, then again, so that changes over time affect all of them. */
static int measure_plan(struct measuring *measuring, const struct rc_scaling_matched *plan,
                        struct rc_db *db)
{
    bool *given_up = calloc(plan->plan.n_runs + 1, sizeof *given_up);
    int status = given_up ? 0 : -1;

    measuring->making.network = plan->request.network;
    for (size_t r = 0; r < (size_t)plan->request.repeats && status >= 0; r++)
        for (size_t i = 0; i < plan->plan.n_runs && status >= 0; i++) {
            const struct rc_scaling_planned *run = &plan->plan.runs[i];

            if (plan->have[i] > r || (int)r >= run->repeats || given_up[i])
                continue;
            status = try_run(measuring, run, run, 1, db);
            given_up[i] = status > 0;
        }
    free(given_up);
    return status < 0 ? -1 : 0;
}

static int measure_crossing(struct measuring *measuring, struct rc_db *db)
{
    const struct rc_scaling_crossing *it = &measuring->prepared->crossing;
    const struct rc_scaling_request *request = &measuring->prepared->plans[0].request;
    int status = 0;

    measuring->making.network = request->network;
    for (size_t r = it->used.n; r < (size_t)request->repeats && !status; r++)
        status = try_run(measuring, &it->run, it->sides, RC_SCALING_CROSSING_SIDES, db);
    return status < 0 ? -1 : 0;
}

static void show(struct measuring *measuring)
{
    struct rc_answer_scale_measured *answer = &measuring->answer;

    if (measuring->options->scale.json) {
        answer->notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_scale_measured, answer));
        json_decref(answer->notes);
        return;
    }
    printf("%zu run%s made", answer->made, rc_cell_plural((long long)answer->made, "s"));
    if (answer->known)
        printf(", %zu already in the database", answer->known);
    if (answer->failed)
        printf(", %zu failed", answer->failed);
    putchar('\n');
}

/* ---- the command ---- */

static void show_progress(void *data, uint64_t done, uint64_t total)
{
    struct measuring *measuring = data;

    (void)done;
    (void)total;
    rc_progress_update(&measuring->work.progress, measuring->answer.made, measuring->total);
}

static int is_cancelled(void *data)
{
    (void)data;
    return rc_cmd_interrupted();
}

static void count(struct measuring *measuring)
{
    const struct rc_scaling_crossing *crossing = &measuring->prepared->crossing;
    const struct rc_scaling_matched *plans = measuring->prepared->plans;

    for (size_t i = 0; i < measuring->prepared->scale.n_parts; i++) {
        measuring->total += plans[i].missing;
        measuring->answer.known += plans[i].used.n;
    }
    if (measuring->prepared->scale.with_link && crossing->used.n < (size_t)plans[0].request.repeats)
        measuring->total += (size_t)plans[0].request.repeats - crossing->used.n;
    measuring->answer.known += crossing->used.n;
}

static int make_all(struct measuring *measuring)
{
    struct rc_db *db = rc_cmd_open_db(measuring->options->scale.db, RC_DB_CREATE, &measuring->work);
    struct rc_error error = {0};
    int status = 0;

    if (!db)
        return RC_EXIT_FAILED;
    if (rc_run_copies_begin(&measuring->making.copies, &error)) {
        rc_db_close(db);
        return rc_cmd_fail(&error, "preparing the runs");
    }
    for (size_t i = 0; i < measuring->prepared->scale.n_parts && !status; i++)
        status = measure_plan(measuring, &measuring->prepared->plans[i], db);
    if (!status && measuring->prepared->scale.with_link)
        status = measure_crossing(measuring, db);
    rc_run_copies_end(&measuring->making.copies);
    rc_db_close(db);
    rc_progress_end(&measuring->work.progress);
    if (!rc_cmd_interrupted())
        show(measuring);
    else if (measuring->answer.made)
        rc_cmd_note("stored %zu run%s; the same command makes the others", measuring->answer.made,
                    rc_cell_plural((long long)measuring->answer.made, "s"));
    else
        rc_cmd_note("no run had ended; nothing was stored");
    return status || measuring->answer.failed ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int measure_missing(struct measuring *measuring)
{
    const char *command = measuring->options->command;
    int status;

    if (!rc_run_template_has(command, "hosts") && !rc_run_template_has(command, "slots"))
        rc_cmd_note("the command has neither {hosts} nor {slots}; runs are stored as if they used "
                    "the hosts of the plan");
    rc_cmd_work_begin(&measuring->work, "measuring");
    status = make_all(measuring);
    rc_cmd_work_end(&measuring->work);
    return status;
}

static int measure(const struct measure_options *options,
                   const struct rc_cmd_scale_prepared *prepared)
{
    const struct rc_cmd_scale *scale = &prepared->scale;
    struct measuring measuring = {.options = options, .prepared = prepared};
    struct rc_error error = {0};
    struct rc_scaling_notes notes = {0};
    int status = RC_EXIT_OK;

    if (!options->force && rc_cmd_scale_check_memory(prepared, &error))
        return rc_cmd_fail(&error, "planning");
    measuring.making =
        (struct rc_cmd_making){.scale = scale,
                               .command = options->command,
                               .alone = options->no_copies,
                               .copies = {.reported = strcmp(options->time_source, "program") == 0,
                                          .sensors = options->monitor,
                                          .monitor = {.advance = show_progress,
                                                      .cancelled = is_cancelled,
                                                      .data = &measuring}}};
    measuring.answer.runs = options->scale.json ? json_array() : NULL;
    count(&measuring);
    for (size_t i = 0; i < scale->n_parts; i++)
        rc_scaling_notes_join(&notes,
                              scale->n_parts > 1
                                  ? scale->platform->clusters[scale->parts[i].cluster].name
                                  : NULL,
                              &prepared->plans[i].plan.notes, NULL);
    rc_cmd_scale_notes(NULL, &notes);
    rc_scaling_notes_free(&notes);
    if (measuring.total == 0)
        show(&measuring);
    else
        status = measure_missing(&measuring);
    json_decref(measuring.answer.runs);
    return status;
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct measure_options *options = invocation->options;
    struct rc_cmd_scale_prepared prepared;
    int status;

    if (!options->command)
        return rc_cmd_usage_text(invocation, "missing --command COMMAND");
    status = rc_cmd_scale_prepare(invocation, &options->scale, options->command, &prepared);
    if (status == RC_EXIT_OK)
        status = measure(options, &prepared);
    rc_cmd_scale_prepared_free(&prepared);
    return status;
}

const struct rc_command rc_command_scale_measure = {
    .name = "measure",
    .summary = "Make the missing small runs",
    .details =
        "Makes and records the runs of 'runcast scale plan' that are not in the database. The same "
        "command continues after an interruption. Failed runs are reported and not stored.\n\n"
        "In the command, {p}, {rows}, {cols}, {layers}, {hosts} (a1,a2), {slots} (a1:2,a2:2) and "
        "{per_host} stand for the values of a run. No shell is involved; quotes and backslashes "
        "work.\n\n"
        "If the target has several processes on a host, several copies of a sequential run are "
        "made at once, and their mean counts. Sequential runs also keep the other cores busy "
        "during parallel ones.\n\n"
        "With --time-source program the run time is the one that the program reports: the last "
        "JSON object on its standard output with a member \"seconds\" (and \"memory\"), or "
        "\"time_s\" (and \"memory_bytes\").",
    .examples =
        "  runcast scale measure --app mg --size 8192 --procs 64 --platform-file p.yaml \\\n"
        "    --command 'mpirun -np {p} --host {hosts} ./mg --size {cols} --rows {rows}'\n",
    .options = measure_options,
    .options_size = sizeof(struct measure_options),
    .defaults = &measure_defaults,
    .answers = {rc_answer_scale_measured},
    .run = run_measure,
};
