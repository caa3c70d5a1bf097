// SPDX-License-Identifier: GPL-3.0-or-later
/* process_table.h - the observed processes; shared by the files of observe.h. */
#ifndef RC_HOST_OBSERVE_PROCESS_TABLE_H
#define RC_HOST_OBSERVE_PROCESS_TABLE_H

#include <time.h>

#include "host/sense/own_cgroup.h"
#include "host/sense/cgroup_tree.h"
#include "host/sense/proc_files.h"
#include "host/sense/tcp_connections.h"
#include "host/sense/thread_sampling.h"
#include "host/observe/observe.h"
#include "host/observe/thread_profile.h"

enum { RC_OBSERVED_THREADS_MAX = 4096 /* of one process */, RC_OBSERVED_PROCESSES_MAX = 1 << 16 };

struct rc_observed_thread {
    int tid;
    bool open, ended;
    struct rc_sense_thread files;      /* if `open`, sampled each time, otherwise in turns */
    struct rc_sense_times last, fresh; /* `fresh` during a sample */
    double at;                         /* monotonic, when `last` was */
    unsigned quiet;                    /* samples without time on a core */
    struct rc_thread_profile profile;
};

struct rc_observed_process {
    int pid;
    struct rc_proc_task about; /* as of the last time */
    double system;             /* about.system at first sight */
    unsigned user;
    bool left_out; /* by the options, or this process itself */
    bool outside;  /* it is not in the observed group, and not sampled */
    bool hidden, there, ended;
    struct rc_observed_thread *threads; /* by tid */
    size_t n, room;
    double at;              /* monotonic, of the last sample of its threads */
    double bytes, segments; /* since the last sample */
    bool under_way;         /* bytes that it sent are in transit */
    bool communicates;      /* the last sample found either */
};

/* Processes in the order of `pid`.  An ended one stays until its number is used again. */
struct rc_process_table {
    const struct rc_observe_options *options;
    struct rc_observed_process *items;
    size_t n, room;
    size_t open, open_most; /* threads whose files are open */
    struct rc_thread_costs costs;
    struct rc_sense_group own;
    struct rc_sense_group_tree tree;
    struct rc_sockets sockets;
    bool listening; /* `sockets` stands */
    bool group;
    double tick, began;         /* `began`: monotonic */
    double ended_run;           /* CPU seconds of ended processes whose numbers were used again */
    double all_due, owners_due; /* when all connections, or owners, are read next */
};

/* Lists all processes for the first time; `observation` gets what cannot be observed.  End in
 * any case. */
int rc_observe_table_begin(struct rc_process_table *table, const struct rc_observe_options *options,
                           double now, struct rc_observation *observation, struct rc_error *error);
void rc_observe_table_end(struct rc_process_table *table);

/* Lists all processes and their threads, and samples the quiet ones; with `last`, all of them. */
int rc_observe_table_look_at_all(struct rc_process_table *table, bool last, struct rc_error *error);
/* Samples connections and active threads. */
int rc_observe_table_look(struct rc_process_table *table, double now, struct rc_error *error);

/* ---- one thread, or process ---- */

/* Keeps its files open from now on, unless too many are open. */
void rc_observe_thread_open(struct rc_process_table *table, struct rc_observed_process *process,
                            struct rc_observed_thread *thread);
void rc_observe_thread_close(struct rc_process_table *table, struct rc_observed_thread *thread);
/* It is gone. */
void rc_observe_thread_end(struct rc_process_table *table, struct rc_observed_thread *thread);
void rc_observe_process_end(struct rc_process_table *table, struct rc_observed_process *process);

/* Adds the sample in `fresh`; `part`: its part of the bytes that the process moved. */
void rc_observe_thread_take(struct rc_process_table *table,
                            const struct rc_observed_process *process,
                            struct rc_observed_thread *thread, double now, double part,
                            enum rc_thread_state state);

/* The process of that number; NULL if there is none. */
struct rc_observed_process *rc_observe_process_find(const struct rc_process_table *table, int pid);
/* CPU seconds of all of its threads. */
double rc_observe_process_run(const struct rc_observed_process *process);

/* Seconds by a clock of the kernel; by the monotonic one; and of CPU time that this thread used. */
double rc_observe_clock(clockid_t clock);
double rc_observe_now(void);
double rc_observe_spent(void);

/* Fills in the result after the last sample.  `busy`: used cores; NAN: unknown. */
int rc_observe_report(struct rc_process_table *table, double busy,
                      struct rc_observation *observation, struct rc_error *error);

#endif
