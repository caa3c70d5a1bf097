// SPDX-License-Identifier: GPL-3.0-or-later
/* signal_witness.h - finds out whether a signal came to the whole process group or to this process.
 *
 * A recorded program stays in the process group of the recorder, so that the terminal, the shell
 * and pipelines treat it as if it were alone.  Ctrl-C, `kill %1`, timeout(1) and batch systems
 * then signal both, while `kill PID` signals the recorder only, which has to pass it on.  A
 * signal must not reach the program twice: a second SIGTERM makes mpirun end without cleaning up.
 * Neither the sender nor the code of a signal distinguishes the two cases, but another process of
 * the same group does: it has the signal, too, or not.  The witness is that process.  It sleeps
 * until it is asked. */
#ifndef RC_RUN_SIGNAL_WITNESS_H
#define RC_RUN_SIGNAL_WITNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runcast.h"

struct rc_witness {
    pid_t pid;     /* 0: none */
    int line;      /* a socket to it */
    uint64_t seen; /* signals that it reported and that were not asked for yet */
};

/* Starts one in this process group.  It is killed when this process (this thread) ends. */
int rc_run_witness_start(struct rc_witness *witness, struct rc_error *error);

/* Whether signal `number`, which this process has just received, came to the whole group.  Where
 * the witness is gone it is taken to have come to this process alone. */
bool rc_run_witness_saw(struct rc_witness *witness, int number);

/* Before this process stops along with process `pid`: the witness continues it (SIGCONT) as soon as
 * `pid` runs again or has ended. */
void rc_run_witness_guard(struct rc_witness *witness, pid_t pid);

/* Ends the witness; does nothing where there is none. */
void rc_run_witness_stop(struct rc_witness *witness);

#endif
