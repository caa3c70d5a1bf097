// SPDX-License-Identifier: GPL-3.0-or-later
/* process_list.c - listing the processes of a host and their threads. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "host/observe/process_table.h"

enum {
    FILES_SPARE = 64, /* descriptors for other uses */
    OPEN_MAX = 2048   /* threads with open files */
};

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* The numbers among the names in a directory, in order; NULL if out of memory. */
static int *list_numbers(const char *path, size_t most, size_t *n, struct rc_error *error)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    int *numbers = NULL;
    size_t room = 0;
    int64_t number;

    *n = 0;
    if (rc_array_room(&numbers, 1, &room, sizeof *numbers, error))
        goto out;
    while (directory && *n < most && (entry = readdir(directory))) {
        if (rc_number_parse_integer(entry->d_name, strlen(entry->d_name), &number) || number < 1 ||
            number > INT32_MAX)
            continue;
        if (rc_array_room(&numbers, *n + 1, &room, sizeof *numbers, error)) {
            free(numbers);
            numbers = NULL;
            goto out;
        }
        numbers[(*n)++] = (int)number;
    }
    qsort(numbers, *n, sizeof *numbers, by_number);
out:
    if (directory)
        closedir(directory);
    return numbers;
}

/* Its start by the monotonic clock. */
static double start_of(const struct rc_proc_task *about)
{
    return about->start + rc_observe_clock(CLOCK_MONOTONIC) - rc_observe_clock(CLOCK_BOOTTIME);
}

/* New threads are observed since their start, and earlier ones from now on. */
static int add_thread(struct rc_process_table *table, struct rc_observed_process *process,
                      size_t place, int tid, struct rc_error *error)
{
    struct rc_observed_thread *thread;
    double now = rc_observe_now();

    if (rc_array_room(&process->threads, process->n + 1, &process->room, sizeof *thread, error))
        return -1;
    thread = &process->threads[place];
    memmove(thread + 1, thread, (process->n - place) * sizeof *thread);
    process->n++;
    *thread = (struct rc_observed_thread){.tid = tid, .at = now, .profile = RC_THREAD_PROFILE_INIT};
    if (rc_sense_thread_glance(process->pid, tid, &thread->last)) {
        thread->ended = true;
        return 0;
    }
    if (tid == process->pid && start_of(&process->about) > table->began + table->tick) {
        thread->fresh = thread->last;
        thread->last = (struct rc_sense_times){.run = 0};
        thread->at = fmin(now, start_of(&process->about));
        rc_observe_thread_take(table, process, thread, now, 0, RC_THREAD_UNKNOWN);
    }
    if (thread->last.run > 0)
        rc_observe_thread_open(table, process, thread);
    return 0;
}

static int list_threads(struct rc_process_table *table, struct rc_observed_process *process,
                        struct rc_error *error)
{
    size_t n, old = 0;
    int *tids, status = 0;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task", process->pid);
    tids = list_numbers(path, RC_OBSERVED_THREADS_MAX, &n, error);
    if (!tids)
        return -1;
    for (size_t i = 0; i < n && status == 0; i++) {
        while (old < process->n && process->threads[old].tid < tids[i])
            rc_observe_thread_end(table, &process->threads[old++]);
        if (old == process->n || process->threads[old].tid != tids[i])
            status = add_thread(table, process, old, tids[i], error);
        old++;
    }
    while (status == 0 && old < process->n)
        rc_observe_thread_end(table, &process->threads[old++]);
    free(tids);
    return status;
}

/* Samples threads without open files. */
static void glance(struct rc_process_table *table, struct rc_observed_process *process)
{
    for (size_t i = 0; i < process->n; i++) {
        struct rc_observed_thread *thread = &process->threads[i];

        if (thread->open || thread->ended)
            continue;
        if (rc_sense_thread_glance(process->pid, thread->tid, &thread->fresh)) {
            rc_observe_thread_end(table, thread);
            continue;
        }
        if (thread->fresh.run > thread->last.run)
            rc_observe_thread_open(table, process, thread);
        rc_observe_thread_take(table, process, thread, rc_observe_now(), 0, RC_THREAD_UNKNOWN);
    }
}

bool rc_observe_listed(const char *list, int pid, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list ? list : "", *end; *at; at = end + (*end == ',')) {
        int64_t number;

        end = strchrnul(at, ',');
        if (rc_number_parse_integer(at, (size_t)(end - at), &number) == 0 && number == pid)
            return true;
        if (length > 0 && strncmp(at, name, length) == 0 &&
            ((size_t)(end - at) == length ||
             ((size_t)(end - at) > length && length == RC_PROC_NAME_SIZE - 1)))
            return true;
    }
    return false;
}

static bool is_left_out(const struct rc_observe_options *options,
                        const struct rc_observed_process *process)
{
    const char *name = process->about.name;

    return process->pid == getpid() || rc_observe_listed(options->exclude, process->pid, name) ||
           (options->only && !rc_observe_listed(options->only, process->pid, name));
}

static bool is_outside(struct rc_process_table *table, int pid)
{
    const struct rc_sense_position *place =
        rc_sense_group_tree_get(&table->tree, rc_sense_group_tree_find(&table->tree, pid));

    return table->group && !(place && place->level >= table->tree.depth);
}

static int read_about(const struct rc_process_table *table, int pid, struct rc_proc_task *about)
{
    char path[64], text[2048];

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (rc_file_read(path, text, sizeof text) || rc_sense_proc_task_read(text, table->tick, about))
        return -1;
    return about->state == 'Z' || about->state == 'X' ? -1 : 0;
}

/* Adds a place for a new process. */
static struct rc_observed_process *make_room(struct rc_process_table *table, size_t place, int pid,
                                             struct rc_error *error)
{
    struct rc_observed_process *process;

    if (rc_array_room(&table->items, table->n + 1, &table->room, sizeof *table->items, error))
        return NULL;
    process = &table->items[place];
    memmove(process + 1, process, (table->n - place) * sizeof *process);
    table->n++;
    *process = (struct rc_observed_process){.pid = pid};
    return process;
}

static void meet(struct rc_process_table *table, struct rc_observed_process *process)
{
    struct stat owner;
    char path[64];

    snprintf(path, sizeof path, "/proc/%d", process->pid);
    process->user = stat(path, &owner) ? 0 : owner.st_uid;
    process->system = start_of(&process->about) > table->began ? 0 : process->about.system;
    process->left_out = is_left_out(table->options, process);
    process->outside = is_outside(table, process->pid);
    if (table->listening && !process->outside)
        rc_sense_sockets_enter(&table->sockets, process->pid);
}

/* The number may belong to a new process. */
static void renew(struct rc_process_table *table, struct rc_observed_process *process)
{
    rc_observe_process_end(table, process);
    table->ended_run += rc_observe_process_run(process);
    free(process->threads);
    *process = (struct rc_observed_process){.pid = process->pid};
}

/* `place` is its position, or where to insert it. */
static int look_at_one(struct rc_process_table *table, size_t place, int pid,
                       struct rc_error *error)
{
    struct rc_observed_process *process = place < table->n ? &table->items[place] : NULL;
    bool known = process && process->pid == pid;
    struct rc_proc_task about;

    if (read_about(table, pid, &about)) {
        if (known)
            rc_observe_process_end(table, process);
        return known ? 0 : 1;
    }
    if (!known && !(process = make_room(table, place, pid, error)))
        return -1;
    if (known && (process->ended || process->about.start != about.start)) {
        renew(table, process);
        known = false;
    }
    process->about = about;
    if (!known)
        meet(table, process);
    if (process->outside)
        return 0;
    glance(table, process);
    if (!known || (size_t)about.threads > 1 || process->n != 1)
        return list_threads(table, process, error);
    return 0;
}

int rc_observe_table_look_at_all(struct rc_process_table *table, bool last, struct rc_error *error)
{
    size_t n, at = 0;
    int *pids = list_numbers("/proc", RC_OBSERVED_PROCESSES_MAX, &n, error), status = 0;

    if (!pids)
        return -1;
    for (size_t i = 0; i < n && status == 0; i++) {
        while (at < table->n && table->items[at].pid < pids[i])
            rc_observe_process_end(table, &table->items[at++]);
        status = look_at_one(table, at, pids[i], error);
        at += status == 0;
        status = status < 0 ? -1 : 0;
    }
    while (status == 0 && at < table->n)
        rc_observe_process_end(table, &table->items[at++]);
    free(pids);
    for (size_t i = 0; last && i < table->n; i++)
        for (size_t k = 0; k < table->items[i].n; k++)
            if (!table->items[i].threads[k].ended)
                rc_observe_profile_close(&table->items[i].threads[k].profile, &table->costs);
    return status;
}

/* ---- beginning and end ---- */

/* Whether the group has a process that uses all idle time, as on the nodes of labs. */
static bool is_filled(struct rc_process_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        struct rc_observed_process *process = &table->items[i];
        const struct rc_sense_position *place;

        if (process->ended || process->about.class != RC_PROC_IDLE)
            continue;
        place = rc_sense_group_tree_get(&table->tree,
                                        rc_sense_group_tree_find(&table->tree, process->pid));
        if (place && place->level >= table->tree.depth)
            return true;
    }
    return false;
}

static size_t open_most(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur < 4 * FILES_SPARE)
        return FILES_SPARE;
    return files.rlim_cur > 2 * OPEN_MAX + FILES_SPARE ? OPEN_MAX
                                                       : (size_t)(files.rlim_cur - FILES_SPARE) / 2;
}

int rc_observe_table_begin(struct rc_process_table *table, const struct rc_observe_options *options,
                           double now, struct rc_observation *observation, struct rc_error *error)
{
    struct rc_error why = {0};

    *table = (struct rc_process_table){
        .options = options, .tick = rc_sense_proc_tick(), .began = now, .open_most = open_most()};
    table->costs = (struct rc_thread_costs){RC_THREAD_BYTE_SECONDS, RC_THREAD_SEGMENT_SECONDS};
    if (!isnan(options->byte_seconds))
        table->costs = (struct rc_thread_costs){options->byte_seconds, 0};
    rc_sense_group_find(&table->own);
    rc_sense_group_tree_begin(&table->tree, &table->own);
    table->listening = rc_sense_sockets_begin(&table->sockets, &why) == 0;
    if (!table->listening) {
        observation->deaf = true;
        snprintf(observation->deafness, sizeof observation->deafness, "%.199s", why.text);
    }
    table->group = options->scope == RC_OBSERVE_GROUP && table->tree.depth > 0;
    if (rc_observe_table_look_at_all(table, false, error))
        return -1;
    if (options->scope == RC_OBSERVE_AUTO && table->tree.depth > 0 && is_filled(table)) {
        table->group = true;
        for (size_t i = 0; i < table->n; i++)
            if (is_outside(table, table->items[i].pid)) {
                rc_observe_process_end(table, &table->items[i]);
                table->items[i].n = 0;
                table->items[i].ended = false;
                table->items[i].outside = true;
            }
    }
    return 0;
}

void rc_observe_table_end(struct rc_process_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        for (size_t k = 0; k < table->items[i].n; k++)
            rc_observe_thread_close(table, &table->items[i].threads[k]);
        free(table->items[i].threads);
    }
    free(table->items);
    if (table->listening)
        rc_sense_sockets_end(&table->sockets);
    rc_sense_group_tree_end(&table->tree);
    *table = (struct rc_process_table){0};
}
