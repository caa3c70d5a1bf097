// SPDX-License-Identifier: BSD-2-Clause
/* begin.h - what the wrappers for C and Fortran share about a program's beginning and end. */
#ifndef RC_MPI_PRELOAD_BEGIN_H
#define RC_MPI_PRELOAD_BEGIN_H

#include "mpi/preload/recorder.h"

#define RC_PMPI_EXPORT __attribute__((visibility("default")))

/* ns since 1970 when time 0 of the recording was; simulated_load.c makes it the same for all ranks. */
extern RC_PMPI_EXPORT uint64_t rc_pmpi_loaded_wall;

/* Fills in host, program and clock; place.c, and simulated.c for SMPI. */
void rc_pmpi_place(struct rc_trace_header *header);

void rc_pmpi_finalized(struct rc_pmpi_frame *frame, int result);
void rc_pmpi_aborting(MPI_Comm comm);
void rc_pmpi_control(int level);

#endif
