// SPDX-License-Identifier: GPL-3.0-or-later
/* mpi_detection.h - which MPI a program uses. */
#ifndef RC_RUN_MPI_DETECTION_H
#define RC_RUN_MPI_DETECTION_H

#include "runcast.h"

/* The MPI of programs on simulated clusters. */
#define RC_TRACE_SMPI "smpi"

/* Finds the MPI of the program in a command (words up to a NULL), "openmpi", "mpich" or
 * RC_TRACE_SMPI: the one that is `asked` for, if that can be, or (`asked` NULL) what the program
 * links, or its launcher belongs to.  `inspect` looks into a program, and returns NULL where it
 * finds none.  -1 where none is found, or the launcher is that of another MPI. */
int rc_run_trace_find_mpi(char *const *words, const char *asked,
                          const char *(*inspect)(const char *program), const char **mpi,
                          struct rc_error *error);

#endif
