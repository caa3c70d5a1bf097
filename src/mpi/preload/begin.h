// SPDX-License-Identifier: BSD-2-Clause
/* begin.h - what the wrappers for C and Fortran share about a program's beginning and end. */
#ifndef RC_MPI_PRELOAD_BEGIN_H
#define RC_MPI_PRELOAD_BEGIN_H

#include "mpi/preload/recorder.h"

#define RC_PRELOAD_EXPORT __attribute__((visibility("default")))

/* ns since 1970 when time 0 of the trace was; simulated_load.c makes it the same for all ranks. */
extern RC_PRELOAD_EXPORT uint64_t rc_preload_loaded_wall;

/* Fills in host, program and clock; place.c, and simulated.c for SMPI. */
void rc_preload_place(struct rc_trace_header *header);

/* After MPI_Finalize: records it, and ends all files. */
void rc_preload_finalized(struct rc_preload_frame *frame, int result);
/* Before MPI_Abort: what was recorded is written, since the process will be killed. */
void rc_preload_aborting(MPI_Comm comm);
/* MPI_Pcontrol: recorded, with its level as the tag. */
void rc_preload_control(int level);

#endif
