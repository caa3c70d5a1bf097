// SPDX-License-Identifier: GPL-3.0-or-later
/* make.c - the commands of one small run: its copies, and what keeps other cores busy. */
#include "cmd/scale/make.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "run/template.h"

enum { PATH_SIZE = 4096, WORDS_MAX = 64 };

/* The path of this program. */
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
static void record_words(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                         size_t copy, struct words *words)
{
    const struct rc_cmd_scale_options *options = making->scale->options;
    char self[PATH_SIZE];

    *words = (struct words){.n = 0};
    find_self(self);
    add(words, "%s", self);
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
    add_param(words, "command", rc_run_template_number(making->command));
    add(words, "--db=%s/%zu.db", making->copies.scratch, copy); /* none waits for another's */
    add(words, "--json=%s/%zu.json", making->copies.scratch, copy);
    add(words, "--quiet");
    if (!making->copies.sensors)
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

int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_cmd_making_run *run,
                      struct rc_db *db, struct rc_copies_made *made, struct rc_error *error)
{
    size_t copies = (size_t)run->copies, n = copies + count_fillers(run), ready = 0;
    struct rc_run_job *jobs = calloc(n + 1, sizeof *jobs);
    int status = jobs ? 0 : rc_error_no_memory(error);

    if (jobs)
        rc_run_jobs_init(jobs, n);
    while (!status && ready < copies) {
        jobs[ready].words = timed_words(making, run, ready, error);
        status = jobs[ready++].words ? 0 : -1;
    }
    for (size_t i = 0; i < RC_CMD_MAKING_BESIDE && !status; i++)
        status = add_fillers(making, run, &run->beside[i], jobs, &ready, error);
    if (!status)
        status = rc_run_copies_make(&making->copies, jobs, ready, copies, db, made, error);
    for (size_t i = 0; jobs && i < ready; i++)
        rc_run_words_free(jobs[i].words);
    if (jobs)
        rc_run_jobs_free(jobs, n);
    free(jobs);
    return status;
}
