// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_measure.c - 'runcast scale measure': makes the small runs that the store does not have yet.
 *
 * Each is made by 'runcast record', into a store of its own that is thrown away: only a run that
 * ended well, with all its copies, gets into the user's, as one. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "cmd/scale.h"
#include "platform/hostlist.h"
#include "record/record.h"

enum { PATH_SIZE = 4096, WORDS_MAX = 64, DESCRIBED = 160 };

struct measure_options {
    struct rc_cmd_scale_options scale;
    const char *command;
    bool told, alone, sense;
};

static const struct measure_options measure_defaults = {.scale = RC_CMD_SCALE_DEFAULT};

#define MEMBER(member) .offset = offsetof(struct measure_options, member)

static const struct rc_option measure_options[] = {
    RC_OPTIONS_SCALE_TARGET,
    RC_OPTION_SCALE_SIZE,
    RC_OPTION_SCALE_PROCS,
    RC_OPTIONS_SCALE_RUNS,
    RC_OPTION_SCALE_BYTES,
    RC_OPTION_SCALE_LINK("none (the default), or measured: runs across both clusters too"),
    {.name = "command", .kind = RC_OPTION_TEXT, .argument = "COMMAND",
     .help = "how a run is started, with {p}, {rows}, {cols}, {layers}, {hosts}, {slots} and "
             "{per_host} (required)",
     MEMBER(command)},
    {.name = "told", .kind = RC_OPTION_FLAG,
     .help = "take the seconds, and the memory, that the program itself tells as JSON",
     MEMBER(told)},
    {.name = "alone", .kind = RC_OPTION_FLAG,
     .help = "no copies and no programs beside: for simulated clusters, and where cores share no "
             "memory",
     MEMBER(alone)},
    {.name = "sense", .kind = RC_OPTION_FLAG,
     .help = "have sensors on the hosts meanwhile, as 'runcast record' has", MEMBER(sense)},
    RC_OPTION_DB(struct rc_cmd_scale_options),
    RC_OPTION_JSON(struct rc_cmd_scale_options),
    RC_OPTIONS_END,
};

/* One run that is to be made. */
struct run {
    int64_t procs;
    struct rc_mesh mesh, block;
    const char *hosts;
    size_t n_hosts;
    int per_host, copies, fillers, network;
    int busy; /* cores of a host that are, or stand for those that would be */
};

struct measuring {
    const struct measure_options *options;
    const struct rc_cmd_scale *scale;
    struct rc_cmd_work *work;
    struct rc_monitor monitor;
    char self[PATH_SIZE], scratch[PATH_SIZE];
    size_t done, total, known, failed;
};

/* ---- a place for what is thrown away ---- */

static int make_scratch(struct measuring *measuring, struct rc_error *error)
{
    const char *place = getenv("TMPDIR");

    snprintf(measuring->scratch, sizeof measuring->scratch, "%s/runcast-scale-XXXXXX",
             place && *place ? place : "/tmp");
    if (mkdtemp(measuring->scratch))
        return 0;
    measuring->scratch[0] = '\0';
    return rc_error_errno(error, errno, "cannot make a temporary directory");
}

static void remove_scratch(const struct measuring *measuring)
{
    DIR *directory = measuring->scratch[0] ? opendir(measuring->scratch) : NULL;
    struct dirent *entry;

    while (directory && (entry = readdir(directory)))
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    if (measuring->scratch[0])
        rmdir(measuring->scratch);
}

static void find_self(char self[PATH_SIZE])
{
    ssize_t length = readlink("/proc/self/exe", self, PATH_SIZE - 1);

    if (length > 0)
        self[length] = '\0';
    else
        snprintf(self, PATH_SIZE, "runcast");
}

/* ---- words ---- */

/* Words that grow; a failure is remembered. */
struct words {
    char *items[WORDS_MAX + 1];
    size_t n;
    bool bad;
};

static void add(struct words *words, const char *format, ...) RC_PRINTF(2, 3);
static void add(struct words *words, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (words->n == WORDS_MAX || vasprintf(&words->items[words->n], format, arguments) < 0) {
        words->bad = true;
        if (words->n < WORDS_MAX)
            words->items[words->n] = NULL;
    } else {
        words->n++;
    }
    va_end(arguments);
}

static void add_param(struct words *words, const char *name, int64_t value)
{
    add(words, "--param");
    add(words, "%s=%" PRId64, name, value);
}

/* "runcast record ... --", for copy number `copy` of a run. */
static void record_words(const struct measuring *measuring, const struct run *run, size_t copy,
                         struct words *words)
{
    const struct rc_cmd_scale_options *options = measuring->scale->options;

    *words = (struct words){.n = 0};
    add(words, "%s", measuring->self);
    add(words, "record");
    add(words, "--app=%s", options->app);
    add(words, "--platform=%s", measuring->scale->platform->name);
    add(words, "--size=%" PRId64, run->mesh.extent[RC_MESH_COLS]);
    add(words, "--procs=%" PRId64, run->procs);
    add(words, "--hosts=%s", run->hosts);
    add_param(words, "rows", run->mesh.extent[RC_MESH_ROWS]);
    add_param(words, "cols", run->mesh.extent[RC_MESH_COLS]);
    if (run->mesh.extent[RC_MESH_LAYERS] > 1)
        add_param(words, "layers", run->mesh.extent[RC_MESH_LAYERS]);
    add_param(words, "cut", options->cut);
    add_param(words, "network", run->network);
    add_param(words, "per_host", run->busy);
    if (run->procs == 1)
        add_param(words, "copies", run->busy);
    add(words, "--db=%s/scratch.db", measuring->scratch);
    add(words, "--json=%s/%zu.json", measuring->scratch, copy);
    add(words, "--quiet");
    if (!measuring->options->sense)
        add(words, "--no-sense");
    add(words, "--");
}

/* Joins both into one list of words, which owns them. */
static char **join(struct words *first, char **second, struct rc_error *error)
{
    size_t n = 0;
    char **all;

    while (second && second[n])
        n++;
    all = second && !first->bad ? calloc(first->n + n + 1, sizeof *all) : NULL;
    if (!all) {
        for (size_t i = 0; i < first->n; i++)
            free(first->items[i]);
        rc_cmd_scale_words_free(second);
        rc_error_no_memory(error);
        return NULL;
    }
    if (first->n)
        memcpy(all, first->items, first->n * sizeof *all);
    memcpy(all + first->n, second, n * sizeof *all);
    free(second);
    return all;
}

static char **timed_words(const struct measuring *measuring, const struct run *run, size_t copy,
                          struct rc_error *error)
{
    const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
    char **command = rc_cmd_scale_template_words(measuring->options->command, &fill, error);
    struct words words;

    if (!command)
        return NULL;
    record_words(measuring, run, copy, &words);
    return join(&words, command, error);
}

/* ---- one run ---- */

static int add_fillers(const struct measuring *measuring, const struct run *run,
                       struct rc_cmd_job *jobs, size_t *n, struct rc_error *error)
{
    struct rc_hostlist list = {0};
    int status = rc_hostlist_expand(run->hosts, strlen(run->hosts), RC_HOSTS_MAX, &list, error);

    for (size_t i = 0; i < list.count && i < run->n_hosts && !status; i++)
        for (int k = 0; k < run->fillers && !status; k++) {
            const struct rc_cmd_scale_fill fill = {1, run->block, list.names[i], 1};

            jobs[*n].goes_round = true;
            jobs[*n].words = rc_cmd_scale_template_words(measuring->options->command, &fill, error);
            status = jobs[*n].words ? 0 : -1;
            ++*n;
        }
    rc_hostlist_free(&list);
    return status;
}

/* What one copy took, by its record, which is left open in `record`. */
static int read_copy(const struct measuring *measuring, const struct rc_cmd_job *job, size_t copy,
                     struct rc_record *record, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_RECORD_FILE_MAX);
    char path[PATH_SIZE + 32];
    int status;

    snprintf(path, sizeof path, "%s/%zu.json", measuring->scratch, copy);
    status = rc_buffer_read_file(&text, path, error);
    if (!status)
        status = rc_record_parse(record, text.data ? text.data : "", text.length, path, error);
    rc_buffer_free(&text);
    unlink(path);
    if (!status && record->run.status != RC_RUN_OK)
        status = rc_error_set(error, "the program was stopped for a while, so that its seconds "
                                     "tell nothing");
    if (!status && measuring->options->told)
        status = rc_cmd_scale_told(job->out.data ? job->out.data : "", job->out.length,
                                   &record->run.seconds, &record->run.memory, error);
    return status;
}

/* All copies become one run: as long as they took on average, with the most memory of them. */
static int keep(const struct measuring *measuring, const struct rc_cmd_job *jobs, size_t copies,
                struct rc_store *store, struct rc_error *error)
{
    struct rc_record first, other;
    double sum, memory;
    int64_t id;
    int status;

    rc_record_init(&first);
    status = read_copy(measuring, &jobs[0], 0, &first, error);
    sum = first.run.seconds;
    memory = first.run.memory;
    for (size_t i = 1; i < copies && !status; i++) {
        rc_record_init(&other);
        status = read_copy(measuring, &jobs[i], i, &other, error);
        sum += other.run.seconds;
        memory = fmax(memory, other.run.memory);
        rc_record_free(&other);
    }
    first.run.seconds = sum / (double)copies;
    first.run.memory = memory;
    if (!status)
        status = rc_record_store(store, &first, &id, error);
    rc_record_free(&first);
    return status;
}

/* A run that failed leaves its records, and a recorder writes new files only. */
static void forget_records(const struct measuring *measuring, size_t copies)
{
    char path[PATH_SIZE + 32];

    for (size_t i = 0; i < copies; i++) {
        snprintf(path, sizeof path, "%s/%zu.json", measuring->scratch, i);
        unlink(path);
    }
}

static int make_run(const struct measuring *measuring, const struct run *run,
                    struct rc_store *store, struct rc_error *error)
{
    size_t copies = (size_t)run->copies, n = copies + run->n_hosts * (size_t)run->fillers, made = 0;
    struct rc_cmd_job *jobs = calloc(n + 1, sizeof *jobs);
    int status = jobs ? 0 : rc_error_no_memory(error);

    if (jobs)
        rc_cmd_jobs_init(jobs, n);
    while (!status && made < copies) {
        jobs[made].words = timed_words(measuring, run, made, error);
        status = jobs[made++].words ? 0 : -1;
    }
    if (!status)
        status = add_fillers(measuring, run, jobs, &made, error);
    forget_records(measuring, copies);
    if (!status)
        status = rc_cmd_jobs_run(jobs, made, &measuring->monitor, error);
    if (!status)
        status = keep(measuring, jobs, copies, store, error);
    for (size_t i = 0; jobs && i < made; i++)
        rc_cmd_scale_words_free(jobs[i].words);
    if (jobs)
        rc_cmd_jobs_free(jobs, n);
    free(jobs);
    return status;
}

/* ---- all of them ---- */

static void describe(const struct run *run, char text[DESCRIBED])
{
    char mesh[RC_MESH_TEXT];

    snprintf(text, DESCRIBED, "%" PRId64 " process%s, %s, on %.60s", run->procs,
             run->procs == 1 ? "" : "es", rc_mesh_text(&run->mesh, mesh), run->hosts);
}

/* Where it fails, `*given_up` is set: the repeats would fail as well.  -1 where all is to end. */
static int try_run(struct measuring *measuring, const struct run *run, struct rc_store *store,
                   bool *given_up)
{
    struct rc_error error = {0};
    char text[DESCRIBED];

    rc_progress_update(&measuring->work->progress, measuring->done, measuring->total);
    if (make_run(measuring, run, store, &error) == 0) {
        measuring->done++;
        return 0;
    }
    if (rc_cmd_interrupted())
        return -1;
    *given_up = true;
    measuring->failed++;
    rc_progress_end(&measuring->work->progress);
    describe(run, text);
    rc_cmd_fail(&error, "%s", text);
    return 0;
}

static struct run planned(const struct measuring *measuring, const struct rc_cmd_scale_plan *plan,
                          size_t i)
{
    const struct rc_planned_run *run = &plan->plan.runs[i];
    bool alone = measuring->options->alone;

    return (struct run){.procs = run->procs, .mesh = run->mesh, .block = run->block,
                        .hosts = run->hosts, .n_hosts = run->n_hosts, .per_host = run->per_host,
                        .copies = alone ? 1 : run->copies, .fillers = alone ? 0 : run->fillers,
                        .busy = run->busy, .network = (int)plan->request.network + 1};
}

/* One of each run, then again, so that what changes with time is in all of them. */
static int measure_plan(struct measuring *measuring, const struct rc_cmd_scale_plan *plan,
                        struct rc_store *store)
{
    bool *given_up = calloc(plan->plan.n_runs + 1, sizeof *given_up);
    int status = given_up ? 0 : -1;

    for (size_t r = 0; r < (size_t)plan->request.repeats && !status; r++)
        for (size_t i = 0; i < plan->plan.n_runs && !status; i++) {
            struct run run = planned(measuring, plan, i);

            if (plan->have[i] <= r && (int)r < plan->plan.runs[i].repeats && !given_up[i])
                status = try_run(measuring, &run, store, &given_up[i]);
        }
    free(given_up);
    return status;
}

static int measure_crossing(struct measuring *measuring, const struct rc_cmd_scale_crossing *it,
                            const struct rc_cmd_scale_plan *plans, struct rc_store *store)
{
    const struct run run = {.procs = it->procs, .mesh = it->mesh, .block = plans[0].plan.block,
                            .hosts = it->hosts, .n_hosts = 4, .per_host = 1, .copies = 1,
                            .busy = 1, .network = (int)plans[0].request.network + 1};
    bool given_up = false;
    int status = 0;

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
    struct rc_store *store = rc_cmd_open_store(measuring->scale->options->db, RC_STORE_CREATE,
                                               measuring->work);
    struct rc_error error = {0};
    int status = 0;

    if (!store)
        return RC_EXIT_FAILED;
    if (make_scratch(measuring, &error)) {
        rc_store_close(store);
        return rc_cmd_fail(&error, "getting ready to make the runs");
    }
    for (size_t i = 0; i < measuring->scale->n_parts && !status; i++)
        status = measure_plan(measuring, &plans[i], store);
    if (!status && measuring->scale->link)
        status = measure_crossing(measuring, crossing, plans, store);
    remove_scratch(measuring);
    rc_store_close(store);
    rc_progress_end(&measuring->work->progress);
    if (status && measuring->done)
        rc_cmd_note("%zu run%s made; the same command goes on from there", measuring->done,
                    measuring->done == 1 ? " is" : "s are");
    if (!status)
        show(measuring);
    return status || measuring->failed ? RC_EXIT_FAILED : RC_EXIT_OK;
}

static int measure(const struct measure_options *options, const struct rc_cmd_scale *scale,
                   const struct rc_cmd_scale_plan *plans,
                   const struct rc_cmd_scale_crossing *crossing)
{
    struct rc_cmd_work work;
    struct measuring measuring = {.options = options, .scale = scale, .work = &work};
    struct rc_error error = {0};
    int status;

    for (size_t i = 0; i < scale->n_parts; i++)
        if (rc_plan_check(&plans[i].plan, &error))
            return rc_cmd_fail(&error, "planning");
    find_self(measuring.self);
    measuring.monitor = (struct rc_monitor){.advance = show_progress, .cancelled = is_cancelled,
                                            .data = &measuring};
    count(&measuring, plans, crossing);
    if (measuring.total == 0) {
        show(&measuring);
        return RC_EXIT_OK;
    }
    rc_cmd_work_begin(&work, "measuring");
    status = make_all(&measuring, plans, crossing);
    rc_cmd_work_end(&work);
    return status;
}

static int run_measure(struct rc_invocation *invocation)
{
    const struct measure_options *options = invocation->options;
    struct rc_cmd_scale_plan plans[RC_SCALE_PARTS_MAX] = {0};
    struct rc_cmd_scale_crossing crossing = {0};
    struct rc_cmd_scale_runs runs = {0};
    struct rc_cmd_scale scale;
    struct rc_error error = {0};
    int status = rc_cmd_scale_begin(invocation, &options->scale, &scale);

    if (status == RC_EXIT_OK && !options->command)
        status = rc_cmd_usage_text(invocation, "--command COMMAND is missing");
    if (status == RC_EXIT_OK &&
        rc_cmd_scale_template_check(options->command, (int)options->scale.cut, &error))
        status = rc_cmd_usage(invocation, &error);
    if (status == RC_EXIT_OK)
        status = rc_cmd_scale_make_plans(&scale, &runs, plans);
    if (status == RC_EXIT_OK && scale.link &&
        rc_cmd_scale_make_crossing(&scale, plans, &runs, &crossing, &error))
        status = rc_cmd_fail(&error, "planning");
    if (status == RC_EXIT_OK)
        status = measure(options, &scale, plans, &crossing);
    rc_cmd_scale_crossing_free(&crossing);
    rc_cmd_scale_plans_free(plans, &runs);
    rc_cmd_scale_end(&scale);
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
    .examples =
        "  runcast scale measure --app mg --size 8192 --procs 64 --platform p.yaml \\\n"
        "    --command 'mpirun -np {p} --host {hosts} ./mg --size {cols} --rows {rows}'\n",
    .options = measure_options,
    .options_size = sizeof(struct measure_options),
    .defaults = &measure_defaults,
    .run = run_measure,
};
