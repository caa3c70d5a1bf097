// SPDX-License-Identifier: BSD-2-Clause
/* init_finalize.h - MPI_Finalize, MPI_Abort and MPI_Pcontrol, for the wrappers of C and Fortran. */
#ifndef RC_MPI_PRELOAD_INIT_FINALIZE_H
#define RC_MPI_PRELOAD_INIT_FINALIZE_H

#include "mpi/preload/recorder.h"

/* After MPI_Finalize: records it, and ends all files. */
void rc_preload_finalized(struct rc_preload_frame *frame, int result);
/* Before MPI_Abort: what was recorded is written, since the process will be killed. */
void rc_preload_aborting(MPI_Comm comm);
/* MPI_Pcontrol: recorded, with its level as the tag. */
void rc_preload_control(int level);

#endif
