// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_sampling.h - samples one thread many times a second; its files stay open. */
#ifndef RC_HOST_SENSE_THREAD_SAMPLING_H
#define RC_HOST_SENSE_THREAD_SAMPLING_H

#include <stdbool.h>
#include <sys/types.h>

#include "host/sense/proc_files.h"

struct rc_sense_thread {
    int schedule, call; /* descriptors */
    bool plain;         /* what it waits for cannot be read ... */
    bool hidden;        /* ... because it is another user's */
};

/* What is known of it at a moment. */
struct rc_sense_times {
    double run, wait; /* seconds so far on a core, and waiting for one */
    enum rc_proc_call call;
};

/* -1 where it is not there, or no more files can be opened. */
int rc_sense_thread_open(struct rc_sense_thread *thread, pid_t pid, pid_t tid);
void rc_sense_thread_close(struct rc_sense_thread *thread);

/* -1 where it has ended. */
int rc_sense_thread_read(const struct rc_sense_thread *thread, struct rc_sense_times *times);

/* Reads once what is kept open otherwise; `call` is left RC_PROC_WAITS. */
int rc_sense_thread_glance(pid_t pid, pid_t tid, struct rc_sense_times *times);

#endif
