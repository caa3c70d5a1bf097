// SPDX-License-Identifier: GPL-3.0-or-later
/* model_measure.c - 'runcast model measure': makes the measurements that a model's inputs ask for,
 * and keeps them. */
#include "cmd/model_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/table.h"
#include "base/text.h"
#include "cmd/model.h"

enum {
    NAMES_MAX = 200,
    GIVE_UP = 3, /* failures in a row after which runs of that kind are not tried any more */
    REPEATS_MAX = 100000
};

#define BENCH "mpirun -np {p} --host {hosts} {program}"

struct measure_options {
    struct rc_cmd_model_choice choice;
    const char *command, *bench, *only, *out;
    int64_t repeats;
    bool timed, again, dry_run, json;
};

static const struct measure_options defaults = {
    .choice = {.omit = NAN, .at = NAN, .no_measured = true, .makes_store = true}, .bench = BENCH,
    .repeats = 25};

#define MEMBER(member) .offset = offsetof(struct measure_options, member)

static const struct rc_option measure_option_table[] = {
    {.name = "command", .kind = RC_OPTION_TEXT, .argument = "COMMAND",
     .help = "how the program is started, with {p}, {hosts}, {size}, {arguments} and inputs of the "
             "model without parameters, such as {iterations}",
     MEMBER(command)},
    {.name = "bench", .kind = RC_OPTION_TEXT, .argument = "COMMAND",
     .help = "how the yardstick is started, with {p}, {hosts} and {program}, or {options} for what "
             "it is told (default: " BENCH ")",
     MEMBER(bench)},
    {.name = "repeats", .kind = RC_OPTION_INTEGER, .argument = "R", .least = 1,
     .help = "how often each measurement is made (default: 25)", MEMBER(repeats)},
    {.name = "timed", .kind = RC_OPTION_FLAG,
     .help = "take the time of the command, for programs that do not tell their seconds as JSON",
     MEMBER(timed)},
    {.name = "only", .kind = RC_OPTION_TEXT, .argument = "NAMES",
     .help = "measure these inputs alone: point,bandwidth; none: only write --out", MEMBER(only)},
    {.name = "again", .kind = RC_OPTION_FLAG, .help = "measure anew what the store has already",
     MEMBER(again)},
    {.name = "dry-run", .kind = RC_OPTION_FLAG,
     .help = "list what would be made, and make nothing", MEMBER(dry_run)},
    {.name = "out", .kind = RC_OPTION_FILE, .argument = "FILE",
     .help = "write all that is measured as a part of a model, too, for --with", MEMBER(out)},
    RC_MODEL_PLACE_OPTIONS(struct measure_options, choice),
    RC_MODEL_OPTION_WITH(struct measure_options, choice.with),
    RC_OPTION_JSON(struct measure_options),
    {.name = "db", .kind = RC_OPTION_FILE, .argument = "FILE",
     .help = "the store to use (default: $RUNCAST_DB, then "
             "$XDG_DATA_HOME/runcast/runcast.db, then ~/.local/share/runcast/runcast.db)",
     MEMBER(choice.db)},
    RC_OPTIONS_END,
};

/* All of one call. */
struct measuring {
    const struct measure_options *options;
    struct rc_cmd_model_work *work;
    struct rc_cmd_work *progress;
    struct rc_measuring plan;
    struct rc_benchmarks measured;
    struct rc_cmd_measuring making;
    const char *platform, *section; /* whose it is in the store, and in the model */
    uint64_t runs, all_runs;        /* made, and to be made */
    size_t done, failed;            /* jobs */
    bool *is_done;                  /* of each job */
    size_t in_a_row[2];             /* failures of the yardstick, and of the program */
};

/* ---- words ---- */

enum { DESCRIBED = 160 };

/* "add, bw on a1 and a2" */
static void describe(const struct rc_measuring *plan, size_t job, char text[DESCRIBED])
{
    const struct rc_measuring_job *made = &plan->jobs[job];
    const struct rc_measuring_wanted *wanted;
    size_t n, length = 0;

    wanted = rc_measuring_of(plan, job, &n);
    text[0] = '\0';
    for (size_t i = 0; i < n && length < DESCRIBED / 2; i++) {
        bool again = false;

        for (size_t k = 0; k < i && !again; k++)
            again = wanted[k].item == wanted[i].item;
        if (!again)
            snprintf(text + length, DESCRIBED - length, "%s%.40s", i ? ", " : "",
                     wanted[i].item->name);
        length = strlen(text);
    }
    snprintf(text + length, DESCRIBED - length, " on %.30s%s%.30s", made->hosts[0],
             made->n_hosts > 2    ? ", …"
             : made->n_hosts == 2 ? " and "
                                  : "",
             made->n_hosts == 2 ? made->hosts[1] : "");
    rc_text_mend_cut(text, DESCRIBED);
}

/* Values that were measured; those of earlier calls are none of them. */
static size_t count_values(const struct measuring *measuring)
{
    size_t n = 0;

    for (size_t i = 0; i < measuring->plan.n_wanted; i++)
        n += measuring->is_done[measuring->plan.wanted[i].job];
    return n;
}

/* ---- what would be made ---- */

static json_t *job_json(const struct measuring *measuring, size_t job, const char *line)
{
    const struct rc_measuring_job *made = &measuring->plan.jobs[job];
    json_t *object = json_object(), *hosts = json_array(), *inputs = json_array();
    const struct rc_measuring_wanted *wanted;
    size_t n;

    for (size_t i = 0; i < made->n_hosts; i++)
        json_array_append_new(hosts, rc_json_text(made->hosts[i]));
    wanted = rc_measuring_of(&measuring->plan, job, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(inputs, rc_json_text(wanted[i].item->name));
    rc_json_set(object, "hosts", hosts);
    rc_json_set(object, "inputs", inputs);
    rc_json_set(object, "size", made->run ? rc_json_number(made->size) : json_null());
    rc_json_set(object, "times", json_integer(made->run ? measuring->options->repeats : 1));
    rc_json_set(object, "command", rc_json_text(line));
    return object;
}

static int list_jobs(struct measuring *measuring)
{
    static const struct rc_column heads[] = {
        {.title = "inputs"}, {.title = "runs", .right = true}, {.title = "command", .wrap = true}};
    bool json = measuring->options->json;
    struct rc_table *table = json ? NULL : rc_table_create(stdout, heads, 3, rc_cmd_width());
    json_t *list = json_array(), *object = json_object();

    for (size_t i = 0; i < measuring->plan.n_jobs && (json || table); i++) {
        const struct rc_measuring_job *job = &measuring->plan.jobs[i];
        char text[DESCRIBED], *line;

        if (job->run) /* what 'less' needs may not be measured yet, and is not needed here */
            rc_measuring_prepare(&measuring->plan, i, &measuring->measured, measuring->section,
                                 NULL);
        line = rc_cmd_measuring_line(&measuring->making, i, NULL);
        describe(&measuring->plan, i, text);
        if (json) {
            json_array_append_new(list, job_json(measuring, i, line ? line : ""));
        } else {
            rc_table_text(table, text);
            rc_table_integer(table, job->run ? measuring->options->repeats : 1);
            rc_table_text(table, line ? line : "");
        }
        free(line);
    }
    rc_json_set(object, "known", json_integer((json_int_t)measuring->plan.n_known));
    rc_json_set(object, "jobs", list);
    if (json)
        rc_json_write(stdout, object, true);
    json_decref(object);
    return json || (table && rc_table_finish(table) == 0) ? RC_EXIT_OK : RC_EXIT_FAILED;
}

/* ---- what was made ---- */

static json_t *values_json(const struct measuring *measuring)
{
    json_t *list = json_array();

    for (size_t i = 0; i < measuring->plan.n_wanted; i++) {
        const struct rc_measuring_wanted *wanted = &measuring->plan.wanted[i];
        const struct rc_benchmark_value *value = rc_benchmarks_find(
            &measuring->measured, wanted->item, wanted->row, wanted->column);
        json_t *object, *of;

        if (!value || !measuring->is_done[wanted->job])
            continue;
        object = json_object();
        of = json_array();
        rc_json_set(object, "input", rc_json_text(wanted->item->name));
        if (wanted->row[0])
            json_array_append_new(of, rc_json_text(wanted->row));
        if (wanted->column[0])
            json_array_append_new(of, rc_json_text(wanted->column));
        rc_json_set(object, "of", of);
        rc_json_set(object, "value", rc_json_number(value->mean));
        rc_json_set(object, "accuracy", rc_json_number(value->accuracy));
        json_array_append_new(list, object);
    }
    return list;
}

static void show(const struct measuring *measuring)
{
    size_t values = count_values(measuring);
    json_t *object;

    if (!measuring->options->json) {
        printf("%zu value%s of %s measured on %s", values, values == 1 ? "" : "s",
               measuring->work->model->app, measuring->platform);
        if (measuring->plan.n_known)
            printf(", %zu known already", measuring->plan.n_known);
        if (measuring->failed)
            printf(", %zu of %zu measurements failed", measuring->failed,
                   measuring->plan.n_jobs);
        putchar('\n');
        return;
    }
    object = json_object();
    rc_json_set(object, "app", rc_json_text(measuring->work->model->app));
    rc_json_set(object, "platform", rc_json_text(measuring->platform));
    rc_json_set(object, "measured", json_integer((json_int_t)values));
    rc_json_set(object, "known", json_integer((json_int_t)measuring->plan.n_known));
    rc_json_set(object, "failed", json_integer((json_int_t)measuring->failed));
    rc_json_set(object, "values", values_json(measuring));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static int write_out(const struct measuring *measuring)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_MODEL_BYTES_MAX);
    struct rc_error error = {.text = ""};
    const char *section = measuring->section ? measuring->section : measuring->platform;
    int failed = rc_benchmarks_write(&measuring->measured, section, &text, &error) ||
                 rc_file_replace(measuring->options->out, text.data, text.length, &error);

    rc_buffer_free(&text);
    return failed ? rc_cmd_fail(&error, "writing %s", measuring->options->out) : RC_EXIT_OK;
}

/* ---- making ---- */

static void run_made(void *data)
{
    ((struct measuring *)data)->runs++;
}

static void show_progress(void *data, uint64_t done, uint64_t total)
{
    struct measuring *measuring = data;

    (void)done;
    (void)total;
    rc_progress_update(&measuring->progress->progress, measuring->runs, measuring->all_runs);
}

static int is_cancelled(void *data)
{
    (void)data;
    return rc_cmd_interrupted();
}

/* 0 also where the job failed, which is told; -1 where all is to end. */
static int make_job(struct measuring *measuring, size_t job, struct rc_store *store)
{
    size_t *in_a_row = &measuring->in_a_row[measuring->plan.jobs[job].run];
    struct rc_error error = {.text = ""};
    char text[DESCRIBED];
    int status;

    if (*in_a_row == GIVE_UP) {
        measuring->failed++;
        return 0;
    }
    status = rc_cmd_measuring_make(&measuring->making, job, measuring->section,
                                   &measuring->measured, &error);
    if (status == 0) {
        measuring->done++;
        measuring->is_done[job] = true;
        *in_a_row = 0;
        if (rc_benchmarks_save(store, measuring->work->model->app, measuring->platform,
                               &measuring->measured, &error) == 0)
            return rc_cmd_interrupted() ? -1 : 0;
        rc_progress_end(&measuring->progress->progress);
        rc_cmd_fail(&error, "storing what was measured");
        return -1;
    }
    if (rc_cmd_interrupted())
        return -1;
    measuring->failed++;
    ++*in_a_row;
    rc_progress_end(&measuring->progress->progress);
    describe(&measuring->plan, job, text);
    rc_cmd_fail(&error, "measuring %s", text);
    if (*in_a_row == GIVE_UP)
        rc_cmd_note("that was the %drd in a row: no more of these are tried", GIVE_UP);
    return 0;
}

static int make_all(struct measuring *measuring)
{
    struct rc_store *store = rc_cmd_open_store(measuring->options->choice.db, RC_STORE_CREATE,
                                               measuring->progress);
    size_t n = measuring->plan.n_jobs;
    int status = 0;

    if (!store)
        return RC_EXIT_FAILED;
    for (size_t i = 0; i < n; i++)
        measuring->all_runs +=
            measuring->plan.jobs[i].run ? (uint64_t)measuring->options->repeats : 1;
    for (size_t i = 0; i < n && status == 0; i++)
        status = make_job(measuring, i, store);
    rc_store_close(store);
    rc_progress_end(&measuring->progress->progress);
    if (status && measuring->done)
        rc_cmd_note("what was measured until then is kept; the same command goes on from there%s",
                    measuring->options->again ? ", without --again" : "");
    if (status == 0)
        show(measuring);
    return status || measuring->failed ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int measure(struct measuring *measuring)
{
    struct rc_cmd_work progress;
    int status = RC_EXIT_OK;

    if (measuring->plan.n_jobs) {
        rc_cmd_work_begin(&progress, "measuring");
        measuring->progress = &progress;
        measuring->making.monitor = (struct rc_monitor){
            .advance = show_progress, .cancelled = is_cancelled, .data = measuring};
        measuring->making.made = run_made;
        measuring->making.data = measuring;
        status = make_all(measuring);
        rc_cmd_work_end(&progress);
    } else {
        show(measuring);
    }
    if (measuring->options->out && measuring->measured.n_inputs && !rc_cmd_interrupted() &&
        write_out(measuring) != RC_EXIT_OK)
        status = RC_EXIT_FAILED;
    return status;
}

/* ---- getting ready ---- */

/* What the store has already, where there is one. */
static int read_known(struct measuring *measuring)
{
    const char *db = measuring->options->choice.db;
    struct rc_error error = {.text = ""};
    struct rc_store *store;
    char path[4096];
    int found;

    if (rc_cmd_store_path(db, path, sizeof path, &error))
        return rc_cmd_fail(&error, "opening the store");
    if (access(path, F_OK) != 0)
        return RC_EXIT_OK;
    store = rc_cmd_open_store(db, RC_STORE_READ, NULL);
    if (!store)
        return RC_EXIT_FAILED;
    found = rc_benchmarks_load(store, measuring->work->model->app, measuring->platform,
                               &measuring->measured, &error);
    rc_store_close(store);
    return found < 0 ? rc_cmd_fail(&error, "reading what was measured") : RC_EXIT_OK;
}

/* The names of --only; they point into `text`, which is cut up. */
static size_t read_names(char *text, const char *names[NAMES_MAX])
{
    size_t n = 0;
    char *rest = NULL;

    for (char *name = text ? strtok_r(text, ", ", &rest) : NULL; name && n < NAMES_MAX;
         name = strtok_r(NULL, ", ", &rest))
        names[n++] = name;
    return n;
}

static int make_plan(struct measuring *measuring)
{
    const struct measure_options *options = measuring->options;
    char *text = options->only ? strdup(options->only) : NULL;
    const char *names[NAMES_MAX];
    struct rc_measuring_options wanted = {
        .again = options->again, .only = names,
        .nothing = options->only && strcmp(options->only, "none") == 0};
    struct rc_error error = {.text = ""};
    int status = RC_EXIT_OK;

    wanted.n_only = wanted.nothing ? 0 : read_names(text, names);
    if (rc_measuring_plan(measuring->work->model, &measuring->work->setting, &measuring->measured,
                          &wanted, &measuring->plan, &error))
        status = rc_cmd_model_fail(measuring->work, &error);
    free(text);
    if (status == RC_EXIT_OK && measuring->plan.n_inputs == 0) {
        rc_error_set(&error, "no input of the model says how it is measured");
        rc_error_hint(&error, "write 'measure' below an input; docs/models.md tells how");
        status = rc_cmd_fail(&error, "%s", measuring->work->doing);
    }
    return status;
}

static int carry_out(struct measuring *measuring, const struct rc_invocation *invocation)
{
    const struct measure_options *options = measuring->options;
    struct rc_error error = {.text = ""};
    int status = read_known(measuring);

    if (status == RC_EXIT_OK)
        status = make_plan(measuring);
    if (status != RC_EXIT_OK)
        return status;
    measuring->making = (struct rc_cmd_measuring){
        .plan = &measuring->plan, .bench = options->bench, .repeats = options->repeats,
        .timed = options->timed,
        .command = options->command || !options->dry_run
                       ? options->command
                       : "PROGRAM on {hosts}: size {size} {arguments}"};
    measuring->is_done = calloc(measuring->plan.n_jobs + 1, sizeof *measuring->is_done);
    if (!measuring->is_done) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", measuring->work->doing);
    }
    if (rc_cmd_measuring_check(&measuring->making, &error))
        return rc_cmd_usage(invocation, &error);
    return options->dry_run ? list_jobs(measuring) : measure(measuring);
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct measure_options *options = invocation->options;
    struct rc_cmd_model_work work;
    struct measuring measuring = {.options = options, .work = &work};
    int status;

    if (options->repeats > REPEATS_MAX)
        return rc_cmd_usage_text(invocation, "--repeats: at most %d", REPEATS_MAX);
    status = rc_cmd_model_begin(&work, "measuring", invocation->arguments[0],
                                &options->choice.with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_ask(&work, invocation, &options->choice, true);
    if (status == RC_EXIT_OK) {
        measuring.platform = rc_cmd_model_platform(&work);
        measuring.section = work.setting.section >= 0
                                ? work.model->sections[work.setting.section].name
                                : NULL;
        status = measuring.platform
                     ? carry_out(&measuring, invocation)
                     : rc_cmd_usage_text(invocation, "--platform FILE is missing: what is measured "
                                                     "holds for a platform");
    }
    free(measuring.is_done);
    rc_measuring_free(&measuring.plan);
    rc_benchmarks_free(&measuring.measured);
    rc_cmd_model_end(&work);
    return status;
}

const struct rc_command rc_command_model_measure = {
    .name = "measure",
    .summary = "Make the measurements that a model's inputs ask for, and keep them",
    .arguments = "FILE.rcm",
    .details =
        "Inputs with 'measure operation', 'bandwidth', 'startup' or 'packing' are measured by the "
        "yardstick, a small MPI program that comes with runcast, on one host or on two at a time; "
        "those with 'measure run' or 'together' by runs of the program itself, at the problem size "
        "that stands behind 'at'. A command is started as it is written, with its places filled "
        "in; there is no shell, and quotes and backslashes are understood. A program tells its "
        "seconds as JSON, unless --timed is given.\n\n"
        "Every value is in the store as soon as it is known, and what is there is not measured "
        "again: the same command goes on after an interruption. 'runcast model eval', 'explain' "
        "and 'accuracy' then take the values by themselves: they win over those of the model, and "
        "what is given with --set and --with wins over them.",
    .examples =
        "  runcast model measure sor.rcm --platform cluster.yaml --command \\\n"
        "    'mpirun -np {p} --host {hosts} ./sor --size {size}'\n"
        "  runcast model measure sor.rcm --platform c.yaml --repeats 2 --bench \\\n"
        "    'runcast lab sim --no-store --platform c.yaml --hosts {hosts} -p {p} --\n"
        "     {program}' --dry-run\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = measure_option_table,
    .options_size = sizeof(struct measure_options),
    .defaults = &defaults,
    .run = run_measure,
};
