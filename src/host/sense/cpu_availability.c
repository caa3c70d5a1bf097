// SPDX-License-Identifier: GPL-3.0-or-later
/* cpu_availability.c - availability, from the use of the cores since the last look.
 *
 * There are two cases.  On plain cores the competitors are all processes on them.  In a control
 * group in which a process of the lowest class (SCHED_IDLE) uses up whatever the others leave,
 * as in the virtual nodes of a testbed, the group is always busy: its use is all that it can
 * get, and the competitors are its other processes, whatever happens outside.  A quota limits
 * either. */
#include "host/sense/cpu_availability.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "host/sense/cores.h"
#include "host/sense/own_cgroup.h"
#include "host/sense/cgroup_tree.h"
#include "host/sense/proc_files.h"
#include "host/sense/task_cpu_times.h"

#define NOTICED 0.01 /* cores: a competitor worth counting */
#define SOFT 0.9     /* of the time: below it, a process does not want a core all the time */
#define FULL 0.5     /* of the time: a filler that was there for less is no evidence */
enum {
    STAT_SIZE = 1 << 18,
    ASK_AGAIN = 32 /* looks after which a competitor's group is read again */
};

struct rc_sense_cpu {
    struct rc_sense_group group;
    struct rc_sense_group_tree tree;
    struct rc_sense_tasks inside, everywhere;
    cpu_set_t cores;
    double tick, looked;
    double group_used, children_used;
    struct rc_proc_core all, each[RC_PROC_CORES_MAX];
    struct rc_proc_core all_before, before[RC_PROC_CORES_MAX];
    struct rc_sense_core model[RC_PROC_CORES_MAX];
    char text[STAT_SIZE];
};

struct rc_sense_cpu *rc_sense_cpu_create(struct rc_error *error)
{
    struct rc_sense_cpu *cpu = calloc(1, sizeof *cpu);

    if (!cpu)
        return rc_error_null(rc_error_no_memory(error));
    cpu->tick = rc_sense_proc_tick();
    cpu->looked = NAN;
    rc_sense_group_find(&cpu->group);
    rc_sense_group_tree_begin(&cpu->tree, &cpu->group);
    if (sched_getaffinity(0, sizeof cpu->cores, &cpu->cores)) {
        rc_error_errno(error, errno, "cannot read the allowed cores");
        rc_sense_cpu_destroy(cpu);
        return NULL;
    }
    if (rc_sense_tasks_begin(&cpu->inside, cpu->group.cpu.directory, error) ||
        rc_sense_tasks_begin(&cpu->everywhere, NULL, error)) {
        rc_sense_cpu_destroy(cpu);
        return NULL;
    }
    return cpu;
}

void rc_sense_cpu_destroy(struct rc_sense_cpu *cpu)
{
    if (!cpu)
        return;
    rc_sense_tasks_end(&cpu->inside);
    rc_sense_tasks_end(&cpu->everywhere);
    rc_sense_group_tree_end(&cpu->tree);
    free(cpu);
}

void rc_sense_cpu_exclude(struct rc_sense_cpu *cpu, const char *names)
{
    cpu->inside.exclude = cpu->everywhere.exclude = names;
}

size_t rc_sense_cpu_cores(const struct rc_sense_cpu *cpu)
{
    return (size_t)CPU_COUNT(&cpu->cores);
}

/* ---- what the sensor itself uses ---- */

static double children_used(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_CHILDREN, &usage))
        return 0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct look {
    double now, interval, before; /* `before`: when the last look was */
    double children;              /* cores that ended children of this process used */
    long long last_pid;
    pid_t mine[2];
    size_t n_mine;
};

/* The part of the load by processes that sleep now and then. */
static double soft_part(const struct rc_sense_tasks *tasks)
{
    double all = 0, soft = 0;

    for (size_t i = 0; i < tasks->n; i++) {
        const struct rc_sense_task *task = &tasks->items[i];

        if (task->class != RC_PROC_NORMAL || !(task->rate >= NOTICED) || task->left_out)
            continue;
        all += task->rate;
        soft += task->here < SOFT ? task->rate : 0;
    }
    return all > 0 ? soft / all : 0;
}

/* ---- inside the group ---- */

static struct rc_sense_competitor *competitors_inside(const struct rc_sense_tasks *tasks, size_t *n,
                                                      double *first)
{
    struct rc_sense_competitor *competitors = malloc((tasks->n + 1) * sizeof *competitors);

    *n = 0;
    *first = 0;
    for (size_t i = 0; competitors && i < tasks->n; i++) {
        const struct rc_sense_task *task = &tasks->items[i];

        if (task->left_out)
            continue;
        if (task->class == RC_PROC_NORMAL && task->rate > 0)
            competitors[(*n)++] = (struct rc_sense_competitor){task->rate, task->weight};
        else if (task->class == RC_PROC_REALTIME)
            *first += task->rate;
    }
    if (competitors && tasks->unseen > NOTICED)
        competitors[(*n)++] = (struct rc_sense_competitor){tasks->unseen, 1};
    return competitors;
}

static double level_inside(const struct rc_sense_tasks *tasks, double capacity)
{
    size_t n;
    double first, level;
    struct rc_sense_competitor *competitors = competitors_inside(tasks, &n, &first);

    level = competitors ? rc_sense_fair_share(capacity - first, competitors, n) : (double)NAN;
    free(competitors);
    return level;
}

/* The fraction of the time in which processes used up whatever the others left of all cores; 0:
 * they did not.  The time that one waits for a core is counted when it gets it, which may take
 * seconds here: it only serves for the look at which the process woke up. */
static double filled(const struct rc_sense_cpu *cpu)
{
    const struct rc_sense_tasks *tasks = &cpu->inside;
    double part = 1;
    size_t n = 0;

    for (size_t i = 0; i < tasks->n; i++) {
        const struct rc_sense_task *task = &tasks->items[i];

        if (task->class != RC_PROC_IDLE || !task->awake)
            continue;
        n++;
        if (!task->was_awake)
            part = fmin(part, isnan(task->here) ? 0 : task->here);
    }
    return n >= rc_sense_cpu_cores(cpu) ? part : 0;
}

/* Sets in `reading` what the group allows.  1: it decides alone. */
static int look_inside(struct rc_sense_cpu *cpu, const struct look *look,
                       struct rc_sense_reading *reading, struct rc_error *error)
{
    double used = rc_sense_group_used(&cpu->group), quota = rc_sense_group_quota(&cpu->group);
    double rate = (used - cpu->group_used) / look->interval, full;

    cpu->group_used = used;
    if (rc_sense_tasks_look(&cpu->inside, look->now, look->last_pid, rate - look->children,
                            look->mine, look->n_mine, error))
        return -1;
    full = filled(cpu);
    if (full > FULL && !isnan(rate)) {
        double capacity = fmin(rate / full, quota);

        reading->availability = level_inside(&cpu->inside, capacity);
        reading->most = fmin(1, capacity);
        reading->soft = soft_part(&cpu->inside);
        return 1;
    }
    if (isfinite(quota)) {
        reading->availability = level_inside(&cpu->inside, quota);
        reading->most = fmin(1, quota);
    }
    return 0;
}

/* ---- on plain cores ---- */

static int read_cores(struct rc_sense_cpu *cpu, struct rc_error *error)
{
    cpu->all_before = cpu->all;
    memcpy(cpu->before, cpu->each, sizeof cpu->each);
    if (rc_file_read("/proc/stat", cpu->text, sizeof cpu->text) ||
        rc_sense_proc_stat_read(cpu->text, cpu->tick, &cpu->all, cpu->each))
        return rc_error_set(error, "cannot read /proc/stat, or its format is unexpected");
    return 0;
}

/* Fractions of the time, from two readings; a core that the kernel lets sleep counts no time. */
static void compare_cores(struct rc_sense_cpu *cpu)
{
    for (size_t c = 0; c < RC_PROC_CORES_MAX; c++) {
        const struct rc_proc_core *now = &cpu->each[c], *then = &cpu->before[c];
        double busy = fmax(0, now->busy - then->busy), lost = fmax(0, now->lost - then->lost);
        double total = fmax(busy + lost + fmax(0, now->idle - then->idle), cpu->tick);
        bool there = now->there && then->there;

        cpu->model[c] = (struct rc_sense_core){there ? busy / total : 0, there ? lost / total : 0,
                                               there, there && CPU_ISSET(c, &cpu->cores)};
    }
}

/* Finds the level of the group tree at which a competitor competes, and with which weight. */
static void find_level(struct rc_sense_cpu *cpu, struct rc_sense_task *task, bool sessions,
                       struct rc_sense_user *user)
{
    const struct rc_sense_position *position;

    if (task->rate >= NOTICED && task->asked++ % ASK_AGAIN == 0)
        task->position = rc_sense_group_tree_find(&cpu->tree, task->leader);
    position = rc_sense_group_tree_get(&cpu->tree, task->position);
    user->weight = task->weight;
    user->level = position ? position->level : cpu->tree.depth;
    user->group = 0;
    if (position && position->group) {
        user->weight = position->weight;
        user->group = position->group;
    } else if (sessions && (position ? position->top : cpu->tree.depth == 0)) {
        user->weight = 1;
        user->group = -task->session; /* apart from the numbers of groups */
    }
}

/* Finds the cores on which a competitor may run. */
static void find_cores(const struct rc_sense_cpu *cpu, const struct rc_sense_task *task,
                       struct rc_sense_user *user)
{
    size_t n = 0;
    cpu_set_t may;

    user->kept = false;
    user->moves = true;
    if (task->rate < NOTICED || sched_getaffinity(task->pid, sizeof may, &may))
        return;
    user->kept = true;
    for (size_t c = 0; c < RC_PROC_CORES_MAX; c++)
        if (cpu->model[c].there && CPU_ISSET(c, &may)) {
            n++;
            user->kept &= cpu->model[c].mine;
        }
    user->moves = n > 1;
}

static double level_everywhere(struct rc_sense_cpu *cpu, double now, double *most)
{
    const struct rc_sense_group_weights weights = {cpu->tree.weights, cpu->tree.depth};
    struct rc_sense_tasks *tasks = &cpu->everywhere;
    struct rc_sense_user *users = malloc((tasks->n + 1) * sizeof *users);
    bool sessions = rc_sense_sessions_share();
    double level = NAN;
    size_t n = 0;

    if (rc_sense_group_tree_weigh(&cpu->tree, now))
        for (size_t i = 0; i < tasks->n; i++)
            tasks->items[i].position = tasks->items[i].asked = 0;
    for (size_t i = 0; users && i < tasks->n; i++) {
        struct rc_sense_task *task = &tasks->items[i];

        if (task->class == RC_PROC_IDLE || !(task->rate > 0) || task->left_out)
            continue;
        users[n] = (struct rc_sense_user){.rate = task->rate,
                                          .core = task->core,
                                          .first = task->class == RC_PROC_REALTIME};
        find_level(cpu, task, sessions, &users[n]);
        find_cores(cpu, task, &users[n++]);
    }
    if (users)
        level = rc_sense_cpu_model(cpu->model, RC_PROC_CORES_MAX, users, n, &weights, tasks->unseen,
                                   most);
    free(users);
    return level;
}

static int look_everywhere(struct rc_sense_cpu *cpu, const struct look *look,
                           struct rc_sense_reading *reading, struct rc_error *error)
{
    double busy, level, most = 1;

    busy = (cpu->all.busy - cpu->all_before.busy) / look->interval - look->children;
    if (cpu->everywhere.looked != look->before) /* the group decided alone for a while */
        busy = NAN;
    if (rc_sense_tasks_look(&cpu->everywhere, look->now, look->last_pid, busy, look->mine,
                            look->n_mine, error))
        return -1;
    if (isnan(look->interval))
        return 0;
    compare_cores(cpu);
    level = level_everywhere(cpu, look->now, &most);
    /* Where none of its cores is there, or memory ran out, nothing is known. */
    reading->availability =
        isnan(level) ? level
                     : fmin(level, isnan(reading->availability) ? 1 : reading->availability);
    reading->most = fmin(most, reading->most);
    reading->soft = soft_part(&cpu->everywhere);
    return 0;
}

int rc_sense_cpu_look(struct rc_sense_cpu *cpu, double now, pid_t helper,
                      struct rc_sense_reading *reading, struct rc_error *error)
{
    double children = children_used();
    struct look look = {.now = now,
                        .interval = now - cpu->looked,
                        .before = cpu->looked,
                        .children = (children - cpu->children_used) / (now - cpu->looked),
                        .last_pid = -1,
                        .mine = {getpid(), helper},
                        .n_mine = helper ? 2 : 1};
    struct rc_proc_load load;
    int status = 0;

    *reading = (struct rc_sense_reading){NAN, 1, 0};
    if (rc_file_read("/proc/loadavg", cpu->text, sizeof cpu->text) == 0 &&
        rc_sense_proc_load_read(cpu->text, &load) == 0)
        look.last_pid = load.last_pid;
    cpu->looked = now;
    cpu->children_used = children;
    if (read_cores(cpu, error))
        return -1;
    if (cpu->group.there)
        status = look_inside(cpu, &look, reading, error);
    if (status == 0)
        status = look_everywhere(cpu, &look, reading, error);
    return status < 0 ? -1 : 0;
}
