// SPDX-License-Identifier: BSD-2-Clause
/* mpi_weak.h - mpi.h, with nothing of it needed for the object to be loaded.
 *
 * The object is loaded into whatever is started: the launcher, shells, and at last the program.
 * Only that has an MPI library in it, and so the object brings none, and does without one.  The
 * wrappers' own PMPI_ functions are made weak where they are generated. */
#ifndef RC_MPI_PRELOAD_MPI_WEAK_H
#define RC_MPI_PRELOAD_MPI_WEAK_H

#include <mpi.h>

#include <stdbool.h>

#ifdef OMPI_MAJOR_VERSION
/* Open MPI's constants are addresses of variables in its library, which a program may load only
 * after it has begun: they are looked for at MPI_Init. */
struct rc_preload_constants {
    void *comm_world, *comm_self, *comm_null, *datatype_null, *request_null, *message_no_proc;
};
extern struct rc_preload_constants rc_preload_constants;

#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#undef MPI_COMM_NULL
#undef MPI_DATATYPE_NULL
#undef MPI_REQUEST_NULL
#undef MPI_MESSAGE_NO_PROC
#define MPI_COMM_WORLD ((MPI_Comm)rc_preload_constants.comm_world)
#define MPI_COMM_SELF ((MPI_Comm)rc_preload_constants.comm_self)
#define MPI_COMM_NULL ((MPI_Comm)rc_preload_constants.comm_null)
#define MPI_DATATYPE_NULL ((MPI_Datatype)rc_preload_constants.datatype_null)
#define MPI_REQUEST_NULL ((MPI_Request)rc_preload_constants.request_null)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)rc_preload_constants.message_no_proc)
#endif

#ifdef RC_PRELOAD_SIMULATED
/* SMPI's is 0, which is also a rank; it has no inter-communicators for which it would be asked. */
#undef MPI_ROOT
#define MPI_ROOT (-3)
#endif

/* Before anything is called: makes an MPI library that the program has loaded by itself visible to
 * this object.  Then finds the constants; false where one is not there.  mpi_library.c. */
void rc_preload_library_find(void);
bool rc_preload_library_constants(void);

/* MPICH has macros for these. */
#ifdef OMPI_MAJOR_VERSION
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Win_f2c
#endif

#pragma weak PMPI_Cart_shift
#pragma weak PMPI_Cartdim_get
#pragma weak PMPI_Comm_get_parent
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_group
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Dist_graph_neighbors
#pragma weak PMPI_Dist_graph_neighbors_count
#pragma weak PMPI_File_f2c
#pragma weak PMPI_Get_library_version
#pragma weak PMPI_Graph_neighbors
#pragma weak PMPI_Graph_neighbors_count
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_size
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Status_f2c
#pragma weak PMPI_Topo_test
#pragma weak PMPI_Type_size
#pragma weak PMPI_Type_size_x

#endif
