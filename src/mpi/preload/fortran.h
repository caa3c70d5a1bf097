// SPDX-License-Identifier: BSD-2-Clause
/* fortran.h - for the wrappers of Fortran's MPI calls.
 *
 * Open MPI.  Its Fortran functions call PMPI_ ones, which no wrapper for C sees.  So mpi_send_ is
 * wrapped, and calls pmpi_send_; `use mpi` and mpif.h call it by that name or another that a
 * compiler may make of it, and `use mpi_f08` by mpi_send_f08_, which takes the same arguments.
 *
 * MPICH.  Its Fortran functions call MPI_Send and so on, which the wrappers for C see.  Those of
 * `use mpi_f08` do so only where there is a buffer; the others, such as mpi_wait_f08_, call PMPI_
 * functions, and so these are wrapped.  The one underneath is the next of the same name. */
#ifndef RC_MPI_PRELOAD_FORTRAN_H
#define RC_MPI_PRELOAD_FORTRAN_H

#include <stddef.h>

#include "mpi/preload/recorder_internal.h"

#ifdef OMPI_MAJOR_VERSION
#define RC_PRELOAD_FORTRAN(name) mpi_##name##_
/* Other names of mpi_NAME_. */
#define RC_PRELOAD_ALIAS(name, other)                                                              \
    extern __typeof(mpi_##name##_) other                                                           \
        __attribute__((alias("mpi_" #name "_"), visibility("default")));
#define RC_PRELOAD_FORTRAN_NAMES(name, NAME)                                                       \
    RC_PRELOAD_ALIAS(name, mpi_##name)                                                             \
    RC_PRELOAD_ALIAS(name, mpi_##name##__)                                                         \
    RC_PRELOAD_ALIAS(name, MPI_##NAME)                                                             \
    RC_PRELOAD_ALIAS(name, mpi_##name##_f08_)
/* And where it gives a type(C_PTR). */
#define RC_PRELOAD_FORTRAN_POINTER_NAMES(name, NAME)                                               \
    RC_PRELOAD_ALIAS(name, mpi_##name##_cptr)                                                      \
    RC_PRELOAD_ALIAS(name, mpi_##name##_cptr_)                                                     \
    RC_PRELOAD_ALIAS(name, mpi_##name##_cptr__)                                                    \
    RC_PRELOAD_ALIAS(name, MPI_##NAME##_CPTR)
/* Declares the function underneath, whose arguments are those given, as RC_PRELOAD_UNDER(name). */
#define RC_PRELOAD_DECLARE(name, ...)                                                              \
    void pmpi_##name##_(__VA_ARGS__) __attribute__((weak));                                        \
    void mpi_##name##_(__VA_ARGS__);
#define RC_PRELOAD_UNDER(name) pmpi_##name##_
#else
#define RC_PRELOAD_FORTRAN(name) mpi_##name##_f08_
#define RC_PRELOAD_FORTRAN_NAMES(name, NAME)
#define RC_PRELOAD_FORTRAN_POINTER_NAMES(name, NAME)
#define RC_PRELOAD_DECLARE(name, ...)                                                              \
    void mpi_##name##_f08_(__VA_ARGS__);                                                           \
    static void *next_##name __attribute__((unused));
#define RC_PRELOAD_UNDER(name)                                                                     \
    ((__typeof(&mpi_##name##_f08_))rc_preload_next(&next_##name, "mpi_" #name "_f08_"))
#endif

/* The next function of that name behind this object; kept in `known`. */
void *rc_preload_next(void **known, const char *name);

/* Whether a status, or an array of them, is the constant by which the program ignores it. */
bool rc_preload_fortran_ignores(const void *status);

/* MPI_IN_PLACE where the buffer is Fortran's constant of that name. */
const void *rc_preload_fortran_buffer(const void *buffer);

/* The datatypes of an MPI_Alltoallw, one for each process of the communicator, or of a call among
 * neighbours, one for each that this process sends to, or receives from; which of the two it is is
 * a matter of the call, since an MPI_Alltoallw may be made where there is a topology.  NULL where
 * there is no memory. */
const MPI_Datatype *rc_preload_fortran_types(struct rc_preload_thread *thread,
                                             enum rc_preload_use use, const void *types,
                                             MPI_Comm comm, bool neighbours);

/* An ierror that the program left out, as mpi_f08 lets it, is NULL. */
static inline void rc_preload_fortran_result(MPI_Fint *ierror, MPI_Fint result)
{
    if (ierror)
        *ierror = result;
}

#endif
