// SPDX-License-Identifier: GPL-3.0-or-later
/* task_cpu_times.c - CPU times of processes.
 *
 * Invariants:
 * 1.  `items` are in the order of `pid`, each once.
 * 2.  `run`, `wait` and `seen` are of the same moment; `known` is whether there was one.
 * 3. A process whose threads are listed one by one (`spread`) counts for its first thread alone. */
#include "host/sense/task_cpu_times.h"

#include <assert.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "host/sense/fair_share.h"

#define ACTIVE 0.003      /* of a core: what is worth a look each time */
#define UNEXPLAINED 0.03  /* cores: worth a look at all */
#define YOUNG 0.1         /* seconds: the age that a rate is at least taken over */
#define LIST_SECONDS 10.0 /* between two listings where no process came */
#define LIST_COST 0.0005  /* cores: what listing may take */
#define LOOK_COST 0.001   /* ... and looking at all processes */
enum {
    QUIET_LOOKS = 8,    /* without activity until a process is sampled in turns only */
    TURN = 16,          /* of those, at each look */
    ALL_MAX = 4096,     /* sampled at most */
    DEPTH_MAX = 4,      /* of groups below groups */
    THREADS_MAX = 512,  /* of one process that are listed */
    PROCS_MAX = 1 << 20 /* bytes of a group's list */
};

/* ---- listing ---- */

struct pids {
    struct rc_sense_task *items; /* only `pid` and `leader` are set */
    size_t n, capacity;
};

static int add_pid(struct pids *pids, int pid, int leader)
{
    if (pids->n == RC_SENSE_TASKS_MAX)
        return 0;
    if (rc_array_room(&pids->items, pids->n + 1, &pids->capacity, sizeof *pids->items, NULL))
        return -1;
    pids->items[pids->n++] = (struct rc_sense_task){.pid = pid, .leader = leader};
    return 0;
}

/* Adds the numbers among the names in a directory; `leader` 0: each is its own. */
static int list_directory(struct pids *pids, const char *path, int leader, size_t most)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    int status = 0;

    for (size_t n = 0; directory && status == 0 && n < most && (entry = readdir(directory));) {
        int64_t pid;

        if (rc_number_parse_integer(entry->d_name, strlen(entry->d_name), &pid) || pid < 1 ||
            pid > INT32_MAX)
            continue;
        if (leader && pid == leader)
            continue;
        status = add_pid(pids, (int)pid, leader ? leader : (int)pid);
        n++;
    }
    if (directory)
        closedir(directory);
    return status;
}

static int list_group(struct pids *pids, const char *group, int depth)
{
    struct rc_buffer list = RC_BUFFER_INIT(PROCS_MAX);
    char path[4096 + 300];
    struct dirent *entry;
    struct stat about;
    DIR *directory;
    int status = 0;

    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    if (rc_buffer_read_file(&list, path, NULL) == 0 && list.data)
        for (char *at = list.data, *end; status == 0 && *at; at = end + (*end == '\n')) {
            long pid = strtol(at, &end, 10);

            if (end == at)
                break;
            if (pid > 0) /* 0 stands for one that this process cannot see */
                status = add_pid(pids, (int)pid, (int)pid);
        }
    rc_buffer_free(&list);
    /* A directory without others in it has two links. */
    if (status || depth == DEPTH_MAX || stat(group, &about) || about.st_nlink <= 2)
        return status;
    directory = opendir(group);
    while (directory && status == 0 && (entry = readdir(directory)))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%.4000s/%s", group, entry->d_name);
            status = list_group(pids, path, depth + 1);
        }
    if (directory)
        closedir(directory);
    return status;
}

static int by_pid(const void *a, const void *b)
{
    const struct rc_sense_task *x = a, *y = b;

    return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Takes over the fresh list, with what is known of those that were there before. */
static void merge(struct rc_sense_tasks *tasks, struct pids *fresh)
{
    size_t old = 0, n = 0;

    qsort(fresh->items, fresh->n, sizeof *fresh->items, by_pid);
    for (size_t i = 0; i < fresh->n; i++) {
        int pid = fresh->items[i].pid;

        if (n > 0 && fresh->items[n - 1].pid == pid)
            continue;
        assert(n == 0 || fresh->items[n - 1].pid < pid);
        for (; old < tasks->n && tasks->items[old].pid < pid; old++)
            tasks->gone += tasks->items[old].rate;
        if (old < tasks->n && tasks->items[old].pid == pid)
            fresh->items[n++] = tasks->items[old++];
        else
            fresh->items[n++] = fresh->items[i];
    }
    for (; old < tasks->n; old++)
        tasks->gone += tasks->items[old].rate;
    free(tasks->items);
    tasks->items = fresh->items;
    tasks->n = n;
}

static int list(struct rc_sense_tasks *tasks, struct rc_error *error)
{
    struct pids fresh = {.n = 0};
    int status = tasks->group ? list_group(&fresh, tasks->group, 0)
                              : list_directory(&fresh, "/proc", 0, RC_SENSE_TASKS_MAX);

    for (size_t i = 0; status == 0 && i < tasks->n; i++)
        if (tasks->items[i].spread) {
            char path[64];

            snprintf(path, sizeof path, "/proc/%d/task", tasks->items[i].pid);
            status = list_directory(&fresh, path, tasks->items[i].pid, THREADS_MAX);
        }
    if (status || fresh.n == 0) {
        free(fresh.items);
        return status
                   ? rc_error_no_memory(error)
                   : rc_error_set(error, "no process in %s", tasks->group ? tasks->group : "/proc");
    }
    merge(tasks, &fresh);
    return 0;
}

/* ---- reading one ---- */

static int read_about(const struct rc_sense_task *task, double tick, struct rc_proc_task *about)
{
    char path[64], text[2048];

    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", task->leader, task->pid);
    if (task->pid == task->leader && !task->spread)
        snprintf(path, sizeof path, "/proc/%d/stat", task->pid);
    return rc_file_read(path, text, sizeof text) ? -1 : rc_sense_proc_task_read(text, tick, about);
}

static int read_times(const struct rc_sense_task *task, double *run, double *wait)
{
    char path[64], text[128];

    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", task->leader, task->pid);
    return rc_file_read(path, text, sizeof text) ? -1
                                                 : rc_sense_proc_schedule_read(text, run, wait);
}

static void take_about(struct rc_sense_task *task, const struct rc_proc_task *about)
{
    task->was_awake = task->known && task->awake;
    task->awake = about->state == 'R';
    task->session = about->session;
    task->threads = about->threads;
    task->core = about->core;
    task->class = about->class;
    task->weight = rc_sense_weight(about->nice);
    task->start = about->start;
    memcpy(task->name, about->name, sizeof task->name);
}

/* Whether it stands for one thread. */
static bool is_single(const struct rc_sense_task *task)
{
    return task->spread || task->pid != task->leader || task->threads <= 1;
}

/* The cores that it can use at once. */
static double most_of(const struct rc_sense_task *task)
{
    return is_single(task) ? 1 : task->threads;
}

/* A process that was sampled in turns has done what it did at any time since; `lately`: it is
 * known to be since the last look. */
static void rate_again(struct rc_sense_task *task, double run, double wait, double now,
                       double interval, bool lately)
{
    double since = fmax(now - task->seen, 1e-3);
    double over = lately && !isnan(interval) ? fmin(since, interval) : since;

    task->used = fmin(run - task->run, over * most_of(task));
    task->rate = fmax(task->used, 0) / over;
    task->here = isnan(wait) ? NAN : (run - task->run + wait - task->wait) / since;
}

/* 0, or -1 where it has ended. */
static int read_one(struct rc_sense_task *task, double tick, double now, double interval,
                    bool lately)
{
    struct rc_proc_task about;
    double run, wait;

    if (read_about(task, tick, &about) || about.state == 'Z' || about.state == 'X')
        return -1;
    take_about(task, &about);
    if (!is_single(task) || read_times(task, &run, &wait)) {
        run = about.used;
        wait = NAN;
    }
    if (task->known && run < task->run) /* the number was given to another */
        task->known = false;
    if (task->known) {
        rate_again(task, run, wait, now, interval, lately);
    } else {
        double age = rc_clock_read(CLOCK_BOOTTIME) - about.start;

        task->rate = fmin(run / fmax(age, YOUNG), most_of(task));
        task->used = age < interval ? run : isnan(interval) ? 0 : task->rate * interval;
        task->here = NAN;
    }
    task->run = run;
    task->wait = wait;
    task->seen = now;
    task->known = true;
    return 0;
}

/* ---- looking ---- */

/* Active ones are sampled each time. */
static void judge(struct rc_sense_task *task)
{
    if (task->rate >= ACTIVE) {
        task->active = true;
        task->quiet = 0;
    } else if (task->quiet++ >= QUIET_LOOKS) {
        task->active = false;
    }
    if (task->pid == task->leader && task->threads > 1 && task->active && !task->spread) {
        /* From now on each thread by itself; what was read is of them all. */
        task->spread = true;
        task->old = true;
    }
}

static void drop_ended(struct rc_sense_tasks *tasks)
{
    size_t n = 0;

    for (size_t i = 0; i < tasks->n; i++)
        if (tasks->items[i].pid)
            tasks->items[n++] = tasks->items[i];
    tasks->n = n;
}

static void look_at(struct rc_sense_tasks *tasks, size_t i, double now, double interval,
                    bool lately)
{
    struct rc_sense_task *task = &tasks->items[i];

    if (task->old) { /* was read as a whole, and is one thread now */
        task->known = task->old = false;
        if (read_one(task, tasks->tick, now, interval, false) == 0) {
            tasks->used += task->used;
            return;
        }
    } else if (read_one(task, tasks->tick, now, interval, lately) == 0) {
        tasks->used += task->used;
        judge(task);
        return;
    }
    tasks->gone += task->rate;
    task->pid = 0;
}

/* Looks at the processes that are quiet: the next few, or all. */
static void look_at_quiet(struct rc_sense_tasks *tasks, double now, double interval, size_t most,
                          bool lately)
{
    size_t begin = tasks->n ? tasks->turn % tasks->n : 0;

    for (size_t k = 0, done = 0; k < tasks->n && done < most; k++) {
        size_t i = (begin + k) % tasks->n;

        if (tasks->items[i].pid == 0 || tasks->items[i].seen == now)
            continue;
        look_at(tasks, i, now, interval, lately);
        tasks->turn = i + 1;
        done++;
    }
}

static bool must_list(const struct rc_sense_tasks *tasks, double now, long long last_pid)
{
    if (tasks->n == 0)
        return true;
    return now >= tasks->list_after &&
           (tasks->group || last_pid < 0 || last_pid != tasks->last_pid ||
            now - tasks->listed > LIST_SECONDS);
}

static int list_again(struct rc_sense_tasks *tasks, double now, long long last_pid,
                      struct rc_error *error)
{
    double begin = rc_clock_read(CLOCK_THREAD_CPUTIME_ID);

    if (list(tasks, error))
        return -1;
    tasks->listed = now;
    tasks->last_pid = last_pid;
    tasks->list_after = now + (rc_clock_read(CLOCK_THREAD_CPUTIME_ID) - begin) / LIST_COST;
    return 0;
}

/* Whether a task is to be ignored: by the number of its process, or by the name of a process that
 * started after the sensor.  The kernel cuts names, and counts starts in ticks. */
static bool is_excluded(const struct rc_sense_tasks *tasks, const struct rc_sense_task *task)
{
    const size_t length = strlen(task->name);
    const bool later = length > 0 && task->start >= tasks->begun - tasks->tick;
    char pid[16];
    const size_t digits = (size_t)snprintf(pid, sizeof pid, "%d", task->leader);

    if (!tasks->exclude)
        return false;
    for (const char *at = tasks->exclude, *end; *at; at = end + (*end == ',')) {
        size_t size;

        end = strchrnul(at, ',');
        size = (size_t)(end - at);
        if (size == digits && memcmp(at, pid, digits) == 0)
            return true;
        if (later && strncmp(at, task->name, length) == 0 &&
            (size == length || length == RC_PROC_NAME_SIZE - 1))
            return true;
    }
    return false;
}

static void mark_excluded(struct rc_sense_tasks *tasks, const pid_t *mine, size_t n_mine)
{
    for (size_t i = 0; i < tasks->n; i++) {
        for (size_t k = 0; k < n_mine; k++)
            if (tasks->items[i].leader == mine[k])
                tasks->items[i].rate = 0;
        tasks->items[i].left_out = is_excluded(tasks, &tasks->items[i]);
    }
}

int rc_sense_tasks_look(struct rc_sense_tasks *tasks, double now, long long last_pid, double busy,
                        const pid_t *mine, size_t n_mine, struct rc_error *error)
{
    double interval = now - tasks->looked, spent;

    tasks->used = tasks->gone = 0;
    if (must_list(tasks, now, last_pid) && list_again(tasks, now, last_pid, error))
        return -1;
    for (size_t i = 0; i < tasks->n; i++)
        if (!tasks->items[i].known || tasks->items[i].active)
            look_at(tasks, i, now, interval, true);
    spent = busy * interval;
    if (spent - tasks->used > UNEXPLAINED * interval && now >= tasks->look_after) {
        double begin = rc_clock_read(CLOCK_THREAD_CPUTIME_ID);

        look_at_quiet(tasks, now, interval, ALL_MAX, true);
        tasks->look_after = now + (rc_clock_read(CLOCK_THREAD_CPUTIME_ID) - begin) / LOOK_COST;
    } else {
        look_at_quiet(tasks, now, interval, TURN, false);
    }
    drop_ended(tasks);
    mark_excluded(tasks, mine, n_mine);
    /* Processes that ended since the last look account for their earlier use. */
    tasks->unseen = isnan(spent) ? 0 : fmax(0, (spent - tasks->used) / interval - tasks->gone);
    tasks->looked = now;
    return 0;
}

int rc_sense_tasks_begin(struct rc_sense_tasks *tasks, const char *group, struct rc_error *error)
{
    *tasks = (struct rc_sense_tasks){.tick = rc_sense_proc_tick(),
                                     .looked = NAN,
                                     .last_pid = -1,
                                     .begun = rc_clock_read(CLOCK_BOOTTIME),
                                     .list_after = -INFINITY,
                                     .look_after = -INFINITY};
    if (!group)
        return 0;
    tasks->group = strdup(group);
    return tasks->group ? 0 : rc_error_no_memory(error);
}

void rc_sense_tasks_end(struct rc_sense_tasks *tasks)
{
    free(tasks->items);
    free(tasks->group);
    *tasks = (struct rc_sense_tasks){.n = 0};
}
