// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_measure.c - 'runcast scale measure': makes the small runs that the store does not have yet.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/scale/make.h"

enum { DESCRIBED = 160 };

struct measure_options {
    struct rc_cmd_scale_options scale;
    const char *command;
    bool told, alone, sense, force;
};

static const struct measure_options measure_defaults = {.scale = RC_CMD_SCALE_DEFAULT};

#define MEMBER(member) .offset = offsetof(struct measure_options, member)

static const struct rc_option measure_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SIZE,
    RC_OPTION_SCALE_PROCS,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES("(default: as the runs in the store say)"),
    RC_OPTION_SCALE_LINK("none (the default), or measured: runs across both clusters too"),
    {.name = "command",
     .kind = RC_OPTION_TEXT,
     .argument = "COMMAND",
     .help = "how a run is started, with {p}, {rows}, {cols}, {layers}, {hosts}, {slots} and "
             "{per_host} (required)",
     MEMBER(command)},
    {.name = "told",
     .kind = RC_OPTION_FLAG,
     .help = "take the seconds, and the memory, that the program itself tells as JSON",
     MEMBER(told)},
    {.name = "alone",
     .kind = RC_OPTION_FLAG,
     .help = "no copies and no programs beside: for simulated clusters, and where cores share no "
             "memory",
     MEMBER(alone)},
    {.name = "sense",
     .kind = RC_OPTION_FLAG,
     .help = "have sensors on the hosts meanwhile, as 'runcast record' has",
     MEMBER(sense)},
    {.name = "force",
     .kind = RC_OPTION_FLAG,
     .help = "make runs that do not seem to fit in memory, too",
     MEMBER(force)},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

struct measuring {
    const struct measure_options *options;
    const struct rc_cmd_scale *scale;
    const struct rc_cmd_scale_plan *plans;
    struct rc_cmd_work *work;
    struct rc_cmd_making making;
    size_t done, total, known, failed;
    struct rc_scaling_notes notes; /* of the plans */
    bool unsensed;                 /* that sensors told nothing was said */
    json_t *runs;                  /* what became of each; NULL where nobody wants to know */
};

/* ---- all of them ---- */

static void describe(const struct rc_cmd_making_run *run, char text[DESCRIBED])
{
    char mesh[RC_MESH_TEXT];

    snprintf(text, DESCRIBED, "%" PRId64 " process%s, %s, on %.60s", run->procs,
             run->procs == 1 ? "" : "es", rc_scaling_mesh_text(&run->mesh, mesh), run->hosts);
}

/* For programs: `why` is NULL where the run was made. */
static void keep_outcome(struct measuring *measuring, const struct rc_cmd_making_run *run,
                         int64_t id, const char *why)
{
    json_t *object;

    if (!measuring->runs)
        return;
    object = json_object();
    rc_json_set(object, "p", json_integer(run->procs));
    rc_json_set(object, "mesh", rc_cmd_scale_mesh_json(&run->mesh));
    rc_json_set(object, "hosts", rc_json_text(run->hosts));
    rc_json_set(object, "id", why ? json_null() : json_integer(id));
    rc_json_set(object, "error", why ? rc_json_text(why) : json_null());
    json_array_append_new(measuring->runs, object);
}

/* Hosts that cannot be reached cost each run the time that is waited for their sensors. */
static void tell_unsensed(struct measuring *measuring, const struct rc_cmd_making_run *run)
{
    if (measuring->unsensed)
        return;
    measuring->unsensed = true;
    rc_progress_end(&measuring->work->progress);
    rc_cmd_note("sensors did not tell of the load on %.200s: where they cannot be started, each "
                "run waits for them, and does without ('runcast watch' says why)",
                run->hosts);
}

/* Where it fails, `*given_up` is set: the repeats would fail as well.  -1 where all is to end. */
static int try_run(struct measuring *measuring, const struct rc_cmd_making_run *run,
                   struct rc_db *store, bool *given_up)
{
    struct rc_cmd_making_made made;
    struct rc_error error = {0};
    char text[DESCRIBED];
    int status;

    rc_progress_update(&measuring->work->progress, measuring->done, measuring->total);
    status = rc_cmd_making_run(&measuring->making, run, store, &made, &error);
    if (status == 0) {
        measuring->done++;
        keep_outcome(measuring, run, made.id, NULL);
        if (made.unsensed)
            tell_unsensed(measuring, run);
        return 0;
    }
    if (rc_cmd_interrupted())
        return -1;
    *given_up = true;
    measuring->failed++;
    keep_outcome(measuring, run, 0, error.text);
    rc_progress_end(&measuring->work->progress);
    describe(run, text);
    rc_cmd_fail(&error, "%s", text);
    if (status == -2)
        rc_cmd_note("the command cannot be started: the other runs are not tried");
    return status == -2 ? -1 : 0;
}

static struct rc_cmd_making_run planned(const struct measuring *measuring,
                                        const struct rc_cmd_scale_plan *plan, size_t i)
{
    const struct rc_scaling_planned *run = &plan->plan.runs[i];
    bool alone = measuring->options->alone;

    return (
        struct rc_cmd_making_run){.procs = run->procs,
                                  .mesh = run->mesh,
                                  .block = run->block,
                                  .hosts = run->hosts,
                                  .beside = {{run->hosts, run->n_hosts, alone ? 0 : run->fillers}},
                                  .per_host = run->per_host,
                                  .copies = alone ? 1 : run->copies,
                                  .busy = run->busy,
                                  .alone = alone,
                                  .network = (int)plan->request.network + 1};
}

/* One of each run, then again, so that what changes with time is in all of them. */
static int measure_plan(struct measuring *measuring, const struct rc_cmd_scale_plan *plan,
                        struct rc_db *store)
{
    bool *given_up = calloc(plan->plan.n_runs + 1, sizeof *given_up);
    int status = given_up ? 0 : -1;

    for (size_t r = 0; r < (size_t)plan->request.repeats && !status; r++)
        for (size_t i = 0; i < plan->plan.n_runs && !status; i++) {
            struct rc_cmd_making_run run = planned(measuring, plan, i);

            if (plan->have[i] <= r && (int)r < plan->plan.runs[i].repeats && !given_up[i])
                status = try_run(measuring, &run, store, &given_up[i]);
        }
    free(given_up);
    return status;
}

static int measure_crossing(struct measuring *measuring, const struct rc_cmd_scale_crossing *it,
                            const struct rc_cmd_scale_plan *plans, struct rc_db *store)
{
    struct rc_cmd_making_run run = {.procs = it->procs,
                                    .mesh = it->mesh,
                                    .block = it->block,
                                    .hosts = it->hosts,
                                    .per_host = 1,
                                    .copies = 1,
                                    .busy = it->busy,
                                    .alone = measuring->options->alone,
                                    .network = (int)plans[0].request.network + 1};
    bool given_up = false;
    int status = 0;

    for (size_t i = 0; i < RC_CMD_CROSSING_SIDES; i++)
        run.beside[i] = (struct rc_cmd_making_beside){it->sides[i].hosts, it->sides[i].n_hosts,
                                                      run.alone ? 0 : it->sides[i].fillers};
    for (size_t r = it->used.n; r < (size_t)plans[0].request.repeats && !status && !given_up; r++)
        status = try_run(measuring, &run, store, &given_up);
    return status;
}

static void show(const struct measuring *measuring)
{
    json_t *object;

    if (!measuring->scale->options->json) {
        printf("%zu run%s made", measuring->done, measuring->done == 1 ? "" : "s");
        if (measuring->known)
            printf(", %zu in the store already", measuring->known);
        if (measuring->failed)
            printf(", %zu failed", measuring->failed);
        putchar('\n');
        return;
    }
    object = json_object();
    rc_json_set(object, "made", json_integer((json_int_t)measuring->done));
    rc_json_set(object, "known", json_integer((json_int_t)measuring->known));
    rc_json_set(object, "failed", json_integer((json_int_t)measuring->failed));
    rc_json_set(object, "runs", json_incref(measuring->runs));
    rc_json_set(object, "notes", rc_cmd_scale_notes_json(&measuring->notes));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

/* ---- the command ---- */

static void show_progress(void *data, uint64_t done, uint64_t total)
{
    struct measuring *measuring = data;

    (void)done;
    (void)total;
    rc_progress_update(&measuring->work->progress, measuring->done, measuring->total);
}

static int is_cancelled(void *data)
{
    (void)data;
    return rc_cmd_interrupted();
}

static void count(struct measuring *measuring, const struct rc_cmd_scale_plan *plans,
                  const struct rc_cmd_scale_crossing *crossing)
{
    for (size_t i = 0; i < measuring->scale->n_parts; i++) {
        measuring->total += plans[i].missing;
        measuring->known += plans[i].used.n;
    }
    if (measuring->scale->link && crossing->used.n < (size_t)plans[0].request.repeats)
        measuring->total += (size_t)plans[0].request.repeats - crossing->used.n;
    measuring->known += crossing->used.n;
}

static int make_all(struct measuring *measuring, const struct rc_cmd_scale_plan *plans,
                    const struct rc_cmd_scale_crossing *crossing)
{
    struct rc_db *store =
        rc_cmd_open_db(measuring->scale->options->db, RC_DB_CREATE, measuring->work);
    struct rc_error error = {0};
    int status = 0;

    if (!store)
        return RC_EXIT_FAILED;
    if (rc_cmd_making_begin(&measuring->making, &error)) {
        rc_db_close(store);
        return rc_cmd_fail(&error, "getting ready to make the runs");
    }
    for (size_t i = 0; i < measuring->scale->n_parts && !status; i++)
        status = measure_plan(measuring, &plans[i], store);
    if (!status && measuring->scale->link)
        status = measure_crossing(measuring, crossing, plans, store);
    rc_cmd_making_end(&measuring->making);
    rc_db_close(store);
    rc_progress_end(&measuring->work->progress);
    if (!rc_cmd_interrupted())
        show(measuring);
    else if (measuring->done)
        rc_cmd_note("%zu run%s made; the same command goes on from there", measuring->done,
                    measuring->done == 1 ? " is" : "s are");
    else
        rc_cmd_note("no run was done yet: nothing is stored");
    return status || measuring->failed ? RC_EXIT_FAILED : RC_EXIT_OK;
}

/* What is doubtful about the plans, by their clusters where there are several. */
static void gather_notes(struct measuring *measuring)
{
    const struct rc_cmd_scale *scale = measuring->scale;

    for (size_t i = 0; i < scale->n_parts; i++) {
        const struct rc_scaling_notes *own = &measuring->plans[i].plan.notes;
        const char *name = scale->platform->clusters[scale->parts[i].cluster].name;

        for (size_t k = 0; k < own->n; k++)
            rc_scaling_note(&measuring->notes, NULL, "%s%s%s", scale->n_parts > 1 ? name : "",
                            scale->n_parts > 1 ? ": " : "", own->text[k]);
    }
}

static int measure_missing(struct measuring *measuring,
                           const struct rc_cmd_scale_crossing *crossing)
{
    struct rc_cmd_work work;
    int status;

    if (!rc_cmd_scale_template_places(measuring->options->command))
        rc_cmd_note("the command has neither {hosts} nor {slots}: where it starts the runs is its "
                    "own choice, and they are stored as if on the hosts of the plan");
    measuring->work = &work;
    rc_cmd_work_begin(&work, "measuring");
    status = make_all(measuring, measuring->plans, crossing);
    rc_cmd_work_end(&work);
    return status;
}

static int measure(const struct measure_options *options, const struct rc_cmd_scale *scale,
                   const struct rc_cmd_scale_plan *plans,
                   const struct rc_cmd_scale_crossing *crossing)
{
    struct measuring measuring = {.options = options, .scale = scale, .plans = plans};
    struct rc_error error = {0};
    int status = RC_EXIT_OK;

    if (!options->force && rc_cmd_scale_check_memory(scale, plans, crossing, &error))
        return rc_cmd_fail(&error, "planning");
    measuring.making = (struct rc_cmd_making){
        .scale = scale,
        .command = options->command,
        .told = options->told,
        .sense = options->sense,
        .monitor = {.advance = show_progress, .cancelled = is_cancelled, .data = &measuring}};
    measuring.runs = scale->options->json ? json_array() : NULL;
    count(&measuring, plans, crossing);
    gather_notes(&measuring);
    for (size_t i = 0; i < measuring.notes.n; i++)
        rc_cmd_note("%s", measuring.notes.text[i]);
    if (measuring.total == 0)
        show(&measuring);
    else
        status = measure_missing(&measuring, crossing);
    json_decref(measuring.runs);
    rc_scaling_notes_free(&measuring.notes);
    return status;
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct measure_options *options = invocation->options;
    struct rc_cmd_scale_prepared prepared;
    int status;

    if (!options->command)
        return rc_cmd_usage_text(invocation, "--command COMMAND is missing");
    status = rc_cmd_scale_prepare(invocation, &options->scale, options->command, &prepared);
    if (status == RC_EXIT_OK)
        status = measure(options, &prepared.scale, prepared.plans, &prepared.crossing);
    rc_cmd_scale_prepared_free(&prepared);
    return status;
}

const struct rc_command rc_command_scale_measure = {
    .name = "measure",
    .summary = "Make the small runs that the store does not have yet",
    .details =
        "Each run of 'runcast scale plan' is started by the command, with its numbers in the "
        "places {p}, {rows}, {cols}, {layers}, {hosts} (a1,a2), {slots} (a1:2,a2:2) and "
        "{per_host}, and recorded as by 'runcast record'. There is no shell; quotes and "
        "backslashes are understood. Sequential runs are made in copies at once, where the target "
        "has several processes on a host, and what they take on average counts; beside parallel "
        "runs, sequential ones keep the other cores busy, and are ended with them.\n\n"
        "Runs that the store has are not made again, so that the same command goes on after an "
        "interruption. A run that fails is told, and not stored.\n\n"
        "With --told the seconds are those that the program tells: the last JSON object on its "
        "standard output with a member \"seconds\" (and \"memory\").",
    .examples = "  runcast scale measure --app mg --size 8192 --procs 64 --platform p.yaml \\\n"
                "    --command 'mpirun -np {p} --host {hosts} ./mg --size {cols} --rows {rows}'\n",
    .options = measure_options,
    .options_size = sizeof(struct measure_options),
    .defaults = &measure_defaults,
    .run = run_measure,
};
