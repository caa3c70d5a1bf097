// SPDX-License-Identifier: GPL-3.0-or-later
/* scale_make.c - one small run: its copies, what keeps other cores busy, and what is kept of it. */
#include "cmd/scale/make.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "run/jobs.h"
#include "run/output.h"
#include "run/template.h"
#include "platform/hostlist.h"
#include "run/record.h"

enum { PATH_SIZE = RC_CMD_MAKING_PATH, WORDS_MAX = 64 };

/* ---- a place for what is thrown away ---- */

static void find_self(char self[PATH_SIZE])
{
    ssize_t length = readlink("/proc/self/exe", self, PATH_SIZE - 1);

    if (length > 0)
        self[length] = '\0';
    else
        snprintf(self, PATH_SIZE, "runcast");
}

int rc_cmd_making_begin(struct rc_cmd_making *making, struct rc_error *error)
{
    const char *place = getenv("TMPDIR");

    find_self(making->self);
    snprintf(making->scratch, sizeof making->scratch, "%s/runcast-scale-XXXXXX",
             place && *place ? place : "/tmp");
    if (mkdtemp(making->scratch))
        return 0;
    making->scratch[0] = '\0';
    return rc_error_errno(error, errno, "cannot make a temporary directory");
}

void rc_cmd_making_end(const struct rc_cmd_making *making)
{
    DIR *directory = making->scratch[0] ? opendir(making->scratch) : NULL;
    struct dirent *entry;

    while (directory && (entry = readdir(directory)))
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    if (making->scratch[0])
        rmdir(making->scratch);
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
static void record_words(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                         size_t copy, struct words *words)
{
    const struct rc_cmd_scale_options *options = making->scale->options;

    *words = (struct words){.n = 0};
    add(words, "%s", making->self);
    add(words, "record");
    add(words, "--app=%s", options->app);
    add(words, "--platform=%s", making->scale->platform->name);
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
    if (run->alone && run->busy > 1)
        add_param(words, "alone", 1);
    add_param(words, "command", rc_cmd_scale_template_number(making->command));
    add(words, "--db=%s/%zu.db", making->scratch, copy); /* none waits for another's */
    add(words, "--json=%s/%zu.json", making->scratch, copy);
    add(words, "--quiet");
    if (!making->sense)
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
        rc_run_words_free(second);
        rc_error_no_memory(error);
        return NULL;
    }
    if (first->n)
        memcpy(all, first->items, first->n * sizeof *all);
    memcpy(all + first->n, second, n * sizeof *all);
    free(second);
    return all;
}

static char **timed_words(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                          size_t copy, struct rc_error *error)
{
    const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
    char **command = rc_cmd_scale_template_words(making->command, &fill, error);
    struct words words;

    if (!command)
        return NULL;
    record_words(making, run, copy, &words);
    return join(&words, command, error);
}

/* ---- one run ---- */

static size_t count_fillers(const struct rc_cmd_making_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < RC_CMD_MAKING_BESIDE; i++)
        n += run->beside[i].n_hosts * (size_t)run->beside[i].fillers;
    return n;
}

static int add_fillers(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                       const struct rc_cmd_making_beside *beside, struct rc_run_job *jobs,
                       size_t *n, struct rc_error *error)
{
    struct rc_hostlist list = {0};
    int status = 0;

    if (beside->fillers > 0)
        status = rc_platform_hostlist_expand(beside->hosts, strlen(beside->hosts), RC_HOSTS_MAX,
                                             &list, error);
    for (size_t i = 0; i < list.count && i < beside->n_hosts && !status; i++)
        for (int k = 0; k < beside->fillers && !status; k++) {
            const struct rc_cmd_scale_fill fill = {1, run->block, list.names[i], 1};

            jobs[*n].repeats = true;
            jobs[*n].words = rc_cmd_scale_template_words(making->command, &fill, error);
            status = jobs[*n].words ? 0 : -1;
            ++*n;
        }
    rc_platform_hostlist_free(&list);
    return status;
}

/* What one copy took, by its record, which is left open in `record`. */
static int read_copy(const struct rc_cmd_making *making, const struct rc_run_job *job, size_t copy,
                     struct rc_record *record, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_RECORD_FILE_MAX);
    char path[PATH_SIZE + 32];
    double memory = NAN;
    int status;

    snprintf(path, sizeof path, "%s/%zu.json", making->scratch, copy);
    status = rc_buffer_read_file(&text, path, error);
    if (status)
        rc_run_jobs_last_words(job, error); /* why the recorder wrote none */
    else
        status = rc_run_record_parse(record, text.data ? text.data : "", text.length, path, error);
    rc_buffer_free(&text);
    unlink(path);
    if (!status && record->run.status != RC_RUN_OK)
        status = rc_error_set(error, "the program was stopped for a while, so that its seconds "
                                     "tell nothing");
    if (status || !making->told)
        return status;
    status = rc_run_output_seconds(job->out.data ? job->out.data : "", job->out.length,
                                   &record->run.seconds, &memory, error);
    if (!isnan(memory)) /* else what was seen of it from outside */
        record->run.memory = memory;
    return status;
}

/* A run that took hours is not lost where the store does not take it. */
static int put_away(struct rc_db *store, const struct rc_record *record, int64_t *id,
                    struct rc_error *error)
{
    const char *temporary = getenv("TMPDIR");
    const char *const directories[] = {".", temporary && *temporary ? temporary : "/tmp", NULL};
    char path[PATH_SIZE];

    if (rc_run_record_store(store, record, id, error) == 0)
        return 0;
    if (rc_run_record_save(record, directories, path, sizeof path, NULL))
        return -1;
    return rc_error_hint(error, "it is kept: 'runcast runs import %s' adds it", path);
}

/* All copies become one run: as long as they took on average, with the most memory of them. */
static int keep(const struct rc_cmd_making *making, const struct rc_run_job *jobs, size_t copies,
                struct rc_db *store, struct rc_cmd_making_made *made, struct rc_error *error)
{
    struct rc_record first, other;
    double sum, memory;
    int status;

    rc_run_record_init(&first);
    status = read_copy(making, &jobs[0], 0, &first, error);
    sum = first.run.seconds;
    memory = first.run.memory;
    for (size_t i = 1; i < copies && !status; i++) {
        rc_run_record_init(&other);
        status = read_copy(making, &jobs[i], i, &other, error);
        sum += other.run.seconds;
        memory = fmax(memory, other.run.memory);
        rc_run_record_free(&other);
    }
    first.run.seconds = sum / (double)copies;
    first.run.memory = memory;
    made->unsensed = making->sense && isnan(first.run.cpu_avgmin);
    if (!status)
        status = put_away(store, &first, &made->id, error);
    rc_run_record_free(&first);
    return status;
}

/* A run that failed leaves its records, and a recorder writes new files only. */
static void forget_records(const struct rc_cmd_making *making, size_t copies)
{
    char path[PATH_SIZE + 32];

    for (size_t i = 0; i < copies; i++) {
        snprintf(path, sizeof path, "%s/%zu.json", making->scratch, i);
        unlink(path);
    }
}

/* Whether one of them was no program that can be started. */
static bool is_no_program(const struct rc_run_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (WIFEXITED(jobs[i].status) &&
            (WEXITSTATUS(jobs[i].status) == 126 || WEXITSTATUS(jobs[i].status) == 127))
            return true;
    return false;
}

int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                      struct rc_db *store, struct rc_cmd_making_made *made, struct rc_error *error)
{
    size_t copies = (size_t)run->copies, n = copies + count_fillers(run), ready = 0;
    struct rc_run_job *jobs = calloc(n + 1, sizeof *jobs);
    int status = jobs ? 0 : rc_error_no_memory(error);

    *made = (struct rc_cmd_making_made){0};
    if (jobs)
        rc_run_jobs_init(jobs, n);
    while (!status && ready < copies) {
        jobs[ready].words = timed_words(making, run, ready, error);
        status = jobs[ready++].words ? 0 : -1;
    }
    for (size_t i = 0; i < RC_CMD_MAKING_BESIDE && !status; i++)
        status = add_fillers(making, run, &run->beside[i], jobs, &ready, error);
    forget_records(making, copies);
    if (!status && rc_run_jobs_run(jobs, ready, &making->monitor, error))
        status = is_no_program(jobs, ready) ? -2 : -1;
    if (!status)
        status = keep(making, jobs, copies, store, made, error);
    for (size_t i = 0; jobs && i < ready; i++)
        rc_run_words_free(jobs[i].words);
    if (jobs)
        rc_run_jobs_free(jobs, n);
    free(jobs);
    return status;
}
