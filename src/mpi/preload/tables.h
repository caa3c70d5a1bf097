// SPDX-License-Identifier: BSD-2-Clause
/* tables.h - the beginning of all tables of handles; -1 where there is no memory. */
#ifndef RC_MPI_PRELOAD_TABLES_H
#define RC_MPI_PRELOAD_TABLES_H

#include "mpi/preload/recorder.h"
#include "mpi/preload/table.h"

/* Makes all tables empty; -1 where there is no memory. */
int rc_preload_tables_init(void);
/* That of communicators, with those that MPI makes. */
int rc_preload_communicators_init(void);

/* How many processes a collective call has on the other side: all of the communicator, or of the
 * remote group of an inter-communicator; and this one's rank.  For neighbourhoods, how many this
 * process receives from and sends to. */
struct rc_preload_sizes {
    int rank, others;
    int sources, destinations;
};
void rc_preload_communicator_sizes(MPI_Comm comm, struct rc_preload_sizes *sizes);

/* A handle as the key of a table: an MPI may have pointers or numbers. */
#define RC_PRELOAD_KEY(handle) ((uint64_t)(uintptr_t)(handle))

#endif
