// SPDX-License-Identifier: GPL-3.0-or-later
/* task_cpu_times.h - CPU times of the processes of this machine, or of one control group.
 *
 * A machine may have thousands of processes, of which few are active.  Those are sampled each
 * time; the others in turns, and all at once when more CPU time was used than the active ones
 * account for.  Where that does not help, because short-lived processes used it, it is done
 * seldom enough to take at most a thousandth of a core. */
#ifndef RC_HOST_SENSE_TASK_CPU_TIMES_H
#define RC_HOST_SENSE_TASK_CPU_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "runcast.h"
#include "host/sense/proc_files.h"

enum { RC_SENSE_TASKS_MAX = 1 << 16 };

/* A process, or a thread of a busy one that has several. */
struct rc_sense_task {
    int pid, leader; /* `leader` is the process that a thread belongs to */
    int session, threads, core;
    enum rc_proc_class class;
    double weight;
    int position;          /* for the caller: 0 at first, and never changed */
    unsigned asked;        /* for the caller, too */
    double rate;           /* of a core, lately */
    bool awake, was_awake; /* it runs or wants to: now, and at the last look */
    bool left_out;         /* it is no competitor, although it uses cores */
    double here; /* the fraction of the time in between in which it did, as far as the kernel has
                    counted; NAN: not known */
    /* for task_cpu_times.c alone */
    char name[RC_PROC_NAME_SIZE];
    double start; /* seconds after the machine's start */
    double run, wait, seen, used;
    bool known, active, spread, old;
    unsigned quiet;
};

struct rc_sense_tasks {
    struct rc_sense_task *items;
    size_t n;
    double unseen;       /* cores used lately by processes that came and went between two looks */
    char *group;         /* directory of the control group; NULL: all of the machine */
    const char *exclude; /* names and PIDs of processes, separated by commas; names count for
                            processes that start after rc_sense_tasks_begin(); NULL: none; the
                            caller's */
    double begun;        /* seconds after the machine's start */
    double tick, looked, listed;
    double list_after, look_after; /* not before: what listing and looking at all cost is bounded */
    long long last_pid;            /* when they were listed */
    size_t turn;
    double used, gone; /* lately: by those that are there; rates of those that ended */
};

/* `group`: the directory of a control group: only its processes, and those of groups below it;
 * NULL: all of the machine. */
int rc_sense_tasks_begin(struct rc_sense_tasks *tasks, const char *group, struct rc_error *error);
void rc_sense_tasks_end(struct rc_sense_tasks *tasks);

/* Looks at them.  `now` is monotonic; `last_pid` the newest process of the machine, -1: not known;
 * `busy` how many cores were used since the last look (NAN: not known).  Processes that `mine`
 * points to (`n_mine`), which belong to the sensor, are left out, but what they used counts as
 * seen.  The first look only takes the beginning. */
int rc_sense_tasks_look(struct rc_sense_tasks *tasks, double now, long long last_pid, double busy,
                        const pid_t *mine, size_t n_mine, struct rc_error *error);

#endif
