// SPDX-License-Identifier: BSD-2-Clause
/* mpi_weak.h - mpi.h, with nothing of it needed for the object to be loaded.
 *
 * The object is loaded into whatever is started: the launcher, shells, and at last the program.
 * Only that has an MPI library in it, and so the object brings none, and does without one.  The
 * wrappers' own PMPI_ functions are made weak where they are generated. */
#ifndef RC_PMPI_MPI_WEAK_H
#define RC_PMPI_MPI_WEAK_H

#include <mpi.h>

#ifdef OMPI_MAJOR_VERSION
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_mpi_file_null
#pragma weak ompi_mpi_win_null
#pragma weak ompi_mpi_group_null
#pragma weak ompi_request_null
#pragma weak ompi_message_null
#pragma weak ompi_message_no_proc
#endif

#pragma weak PMPI_Cart_shift
#pragma weak PMPI_Cartdim_get
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

#ifndef PMPI_Comm_f2c /* MPICH has macros in their place */
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Win_f2c
#endif

#endif
