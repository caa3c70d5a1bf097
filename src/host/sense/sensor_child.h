// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_child.h - a part of the sensor's work that takes its time, in a child process, while
 * sampling goes on.
 *
 * There is one at a time: no two probes of a sensor overlap.  The child ends with its parent,
 * however that ends. */
#ifndef RC_HOST_SENSE_SENSOR_CHILD_H
#define RC_HOST_SENSE_SENSOR_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "runcast.h"

enum { RC_SENSE_JOB_RESULT = 1024 };

struct rc_sense_job {
    pid_t pid;       /* 0: there is none */
    int output;      /* to wait for (POLLIN); -1: there is none */
    double deadline; /* monotonic: when it is ended by force */
    size_t size, got;
    char result[RC_SENSE_JOB_RESULT];
};

#define RC_SENSE_JOB_NONE                                                                          \
    {                                                                                              \
        .pid = 0, .output = -1                                                                     \
    }

/* Starts `body` in a child, which fills `result` (`size` bytes, all zero before) and returns.
 * `keep`: a descriptor of ours that it needs; -1: none.  After `seconds` it is ended by force. */
int rc_sense_job_start(struct rc_sense_job *job, void (*body)(void *data, void *result), void *data,
                       size_t size, int keep, double seconds, struct rc_error *error);

/* Whether it has ended by `now`; it is then waited for, and there is none any more.  1: `result` is
 * filled in; -1: it ended without a result; 0: it still runs. */
int rc_sense_job_check(struct rc_sense_job *job, double now);

/* Ends it at once. */
void rc_sense_job_stop(struct rc_sense_job *job);

#endif
