// SPDX-License-Identifier: GPL-3.0-or-later
/* small_run.c - the commands of one small run: its copies, and the fillers on other cores. */
#include "cmd/scale/small_run.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "platform/hostlist.h"
#include "run/command_template.h"

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

/* Words up to a NULL; a failure is remembered. */
struct words {
    char **items;
    size_t n;
    bool bad;
};

static void add(struct words *words, const char *format, ...) RC_PRINTF(2, 3);
static void add(struct words *words, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    assert(words->n < WORDS_MAX);
    if (words->bad || vasprintf(&words->items[words->n], format, arguments) < 0) {
        words->bad = true;
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
static void record_words(const struct rc_cmd_making *making, const struct rc_scaling_planned *run,
                         size_t copy, struct words *words)
{
    const struct rc_cmd_scale_options *options = making->scale->options;
    char self[PATH_SIZE];

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
    add_param(words, "network", (int64_t)making->network + 1);
    add_param(words, "per_host", run->busy);
    if (run->procs == 1)
        add_param(words, "copies", run->busy);
    if (making->alone && run->busy > 1)
        add_param(words, "alone", 1);
    add_param(words, "command", rc_run_template_number(making->command));
    add(words, "--db=%s/%zu.db", making->copies.scratch, copy); /* none waits for another's */
    add(words, "--output=%s/%zu.json", making->copies.scratch, copy);
    add(words, "--quiet");
    if (!making->copies.sensors)
        add(words, "--no-monitor");
    add(words, "--");
}

/* The words of the user's command, behind those that record it. */
static char **timed_words(const struct rc_cmd_making *making, const struct rc_scaling_planned *run,
                          size_t copy, struct rc_error *error)
{
    const struct rc_cmd_scale_fill fill = {run->procs, run->mesh, run->hosts, run->per_host};
    char **command = rc_cmd_scale_template_words(making->command, &fill, error);
    struct words words = {0};
    size_t n = 0;

    if (!command)
        return NULL;
    while (command[n])
        n++;
    words.items = calloc(WORDS_MAX + n + 1, sizeof *words.items);
    if (words.items)
        record_words(making, run, copy, &words);
    if (!words.items || words.bad) {
        rc_run_words_free(words.items);
        rc_run_words_free(command);
        return rc_error_null(rc_error_no_memory(error));
    }
    memcpy(words.items + words.n, command, n * sizeof *command);
    free(command);
    return words.items;
}

/* ---- one run ---- */

static int add_fillers(const struct rc_cmd_making *making, const struct rc_mesh *block,
                       const struct rc_scaling_planned *side, struct rc_run_job *jobs, size_t *n,
                       struct rc_error *error)
{
    struct rc_hostlist list = {0};
    int status =
        rc_platform_hostlist_expand(side->hosts, strlen(side->hosts), RC_HOSTS_MAX, &list, error);

    for (size_t i = 0; i < list.count && i < side->n_hosts && !status; i++)
        for (int k = 0; k < side->fillers && !status; k++) {
            const struct rc_cmd_scale_fill fill = {1, *block, list.names[i], 1};

            jobs[*n].repeats = true;
            jobs[*n].words = rc_cmd_scale_template_words(making->command, &fill, error);
            status = jobs[*n].words ? 0 : -1;
            ++*n;
        }
    rc_platform_hostlist_free(&list);
    return status;
}

int rc_cmd_making_run(const struct rc_cmd_making *making, const struct rc_scaling_planned *run,
                      const struct rc_scaling_planned *sides, size_t n_sides, struct rc_db *db,
                      struct rc_copies_made *made, struct rc_error *error)
{
    size_t copies = making->alone ? 1 : (size_t)run->copies, n = copies, ready = 0;
    struct rc_run_job *jobs;
    int status = 0;

    if (making->alone)
        n_sides = 0;
    for (size_t i = 0; i < n_sides; i++)
        n += sides[i].n_hosts * (size_t)sides[i].fillers;
    jobs = calloc(n + 1, sizeof *jobs);
    if (!jobs)
        return rc_error_no_memory(error);
    rc_run_jobs_init(jobs, n);
    while (!status && ready < copies) {
        jobs[ready].words = timed_words(making, run, ready, error);
        status = jobs[ready++].words ? 0 : -1;
    }
    for (size_t i = 0; i < n_sides && !status; i++)
        if (sides[i].fillers > 0)
            status = add_fillers(making, &run->block, &sides[i], jobs, &ready, error);
    if (!status)
        status = rc_run_copies_make(&making->copies, jobs, ready, copies, db, made, error);
    for (size_t i = 0; i < ready; i++)
        rc_run_words_free(jobs[i].words);
    rc_run_jobs_free(jobs, n);
    free(jobs);
    return status;
}
