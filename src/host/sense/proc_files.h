// SPDX-License-Identifier: GPL-3.0-or-later
/* proc_files.h - parsers of the kernel's files.
 *
 * Each takes the text of a file.  Names of processes and interfaces are arbitrary, so that
 * nothing of a line is used before it has the right shape. */
#ifndef RC_HOST_SENSE_PROC_FILES_H
#define RC_HOST_SENSE_PROC_FILES_H

#include <stdbool.h>
#include <stdint.h>

enum { RC_PROC_CORES_MAX = 1024, RC_PROC_NAME_SIZE = 16 };

/* Seconds since the machine's start, of one core or of all. */
struct rc_proc_core {
    bool there;
    double busy; /* by processes */
    double lost; /* to interrupts, and to other guests of the host (steal) */
    double idle;
};

/* /proc/stat: `all` is of the whole machine, cores[i] of core i.  `tick` is the length of the
 * kernel's unit in seconds.  -1 where it is something else. */
int rc_sense_proc_stat_read(const char *text, double tick, struct rc_proc_core *all,
                            struct rc_proc_core cores[RC_PROC_CORES_MAX]);

/* /proc/loadavg. */
struct rc_proc_load {
    double one, five, fifteen;
    int64_t running;  /* processes that run or want to */
    int64_t last_pid; /* that was given */
};
int rc_sense_proc_load_read(const char *text, struct rc_proc_load *load);

/* /proc/meminfo: bytes that a new process can have without swapping. */
int rc_sense_proc_memory_read(const char *text, double *available);

/* /proc/net/dev: bytes over all interfaces but the loopback, since they are there. */
int rc_sense_proc_network_read(const char *text, double *in, double *out);

enum rc_proc_class { RC_PROC_NORMAL, RC_PROC_IDLE, RC_PROC_REALTIME };

/* /proc/PID/stat. */
struct rc_proc_task {
    char name[RC_PROC_NAME_SIZE]; /* of the program, cut by the kernel to 15 bytes */
    char state;                   /* 'R', 'S', 'T', ... */
    int session;
    int threads;
    int nice;
    int core; /* that it ran on last */
    enum rc_proc_class class;
    double used;   /* seconds of CPU time, of all its threads */
    double system; /* of these, in the kernel on its behalf */
    double start;  /* seconds after the machine's start */
};
int rc_sense_proc_task_read(const char *text, double tick, struct rc_proc_task *task);

/* /proc/PID/schedstat: seconds of one thread on a core, and waiting for one.  -1 also where the
 * kernel does not count. */
int rc_sense_proc_schedule_read(const char *text, double *run, double *wait);

/* /proc/PID/task/TID/syscall: what a thread is at. */
enum rc_proc_call {
    RC_PROC_RUNS,   /* it is on a core, or wants to */
    RC_PROC_SLEEPS, /* it waits for time to pass, for other threads or processes, or for a disk */
    RC_PROC_WAITS   /* it waits for something else, which may be a message */
};
int rc_sense_proc_call_read(const char *text, enum rc_proc_call *call);

/* The length of the kernel's unit of time in these files, in seconds. */
double rc_sense_proc_tick(void);

/* ---- control groups ---- */

/* cpu.stat of version 2: seconds of CPU time used in the group. */
int rc_sense_proc_group_usage_read(const char *text, double *used);
/* cpu.max of version 2, "50000 100000" or "max 100000": cores; INFINITY where there is no limit. */
int rc_sense_proc_group_max_read(const char *text, double *cores);

#endif
