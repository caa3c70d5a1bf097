// SPDX-License-Identifier: GPL-3.0-or-later
/* concurrent_programs.h - programs of the user that run at once, none of which is left behind. */
#ifndef RC_RUN_CONCURRENT_PROGRAMS_H
#define RC_RUN_CONCURRENT_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "runcast.h"

struct rc_run_job {
    char **words; /* up to a NULL; not its own */
    bool repeats; /* started again whenever it ends, until all others have ended */
    /* set by rc_run_jobs_run() */
    struct rc_buffer out, err;      /* the end of what it wrote */
    int status;                     /* as of waitpid() */
    int pid, pidfd, out_fd, err_fd; /* while it runs; pid 0: it does not */
};
/* Every job of the array begins with the first and ends with the second, which frees the output. */
void rc_run_jobs_init(struct rc_run_job *jobs, size_t n);
void rc_run_jobs_free(struct rc_run_job *jobs, size_t n);

/* Runs all of them until those that do not repeat have ended.  None of their processes is left
 * when it returns, also where it fails.  -1 where one cannot be started, or ends badly (its last
 * words are in the error), or the monitor cancels. */
int rc_run_jobs_run(struct rc_run_job *jobs, size_t n, const struct rc_monitor *monitor,
                    struct rc_error *error);

/* Adds what the program said last, or its command where it said nothing, as a hint to an error that
 * is set; returns -1. */
int rc_run_jobs_last_words(const struct rc_run_job *job, struct rc_error *error);

#endif
