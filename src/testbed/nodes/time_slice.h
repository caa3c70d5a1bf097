/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_slice.h - how long a process goes on before another of its node has a turn.
 *
 * The kernel gives each process a slice, of some milliseconds of its own CPU time; on a node of 0.4
 * of a core that two processes share, one slice is five times as long by the clock.  Programs whose
 * ranks wait for one another more often than that would lose far more beside a competitor than on
 * a whole core.  So the processes of a node get slices as short as the testbed's grain.
 *
 * May be called by any thread, for itself and those that it starts. */
#ifndef RC_TESTBED_NODES_TIME_SLICE_H
#define RC_TESTBED_NODES_TIME_SLICE_H

/* Asks for slices of that many seconds, for the calling thread and for all that it starts from now
 * on.  Kernels before 6.12 run to their own, and real-time processes have none: nothing is wrong
 * then, and nothing is said. */
void rc_nodes_set_time_slice(double seconds);

#endif
