// SPDX-License-Identifier: BSD-2-Clause
/* fortran.c - constants and arrays of Fortran, and the wrappers that are not generated: beginning
 * and end. */
#include "mpi/preload/fortran.h"

#include <dlfcn.h>

#include "mpi/preload/init_finalize.h"

/* Addresses that stand for something; looked for once, when a program first uses Fortran. */
static struct {
    bool known;
    const void *in_place, *ignore[2];
} constants;

static const void *find(const char *open_mpi, const char *mpich)
{
#ifdef OMPI_MAJOR_VERSION
    (void)mpich;
    return dlsym(RTLD_DEFAULT, open_mpi);
#else
    (void)open_mpi;
    return dlsym(RTLD_DEFAULT, mpich);
#endif
}

static void find_constants(void)
{
    if (__atomic_load_n(&constants.known, __ATOMIC_ACQUIRE))
        return;
    constants.in_place = find("mpi_fortran_in_place_", "MPIR_F08_MPI_IN_PLACE");
    constants.ignore[0] = find("mpi_fortran_status_ignore_", "MPIR_F08_MPI_STATUS_IGNORE_OBJ");
    constants.ignore[1] = find("mpi_fortran_statuses_ignore_", "MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
    __atomic_store_n(&constants.known, true, __ATOMIC_RELEASE);
}

void *rc_preload_next(void **known, const char *name)
{
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);

    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(known, function, __ATOMIC_RELAXED);
    }
    return function;
}

bool rc_preload_fortran_ignores(const void *status)
{
    find_constants();
    return status && (status == constants.ignore[0] || status == constants.ignore[1]);
}

const void *rc_preload_fortran_buffer(const void *buffer)
{
    find_constants();
    return buffer && buffer == constants.in_place ? MPI_IN_PLACE : buffer;
}

const MPI_Datatype *rc_preload_fortran_types(struct rc_preload_thread *thread,
                                             enum rc_preload_use use, const void *types,
                                             MPI_Comm comm, bool neighbours)
{
    struct rc_preload_sizes sizes;
    MPI_Datatype *converted;
    int n;

    rc_preload_communicator_sizes(comm, &sizes);
    n = !neighbours ? sizes.others : use == RC_PRELOAD_TYPES ? sizes.destinations : sizes.sources;
    converted = rc_preload_scratch(thread, use, ((size_t)n + 1) * sizeof *converted);
    for (int i = 0; converted && i < n; i++)
        converted[i] = PMPI_Type_f2c(((const MPI_Fint *)types)[i]);
    return converted;
}

/* ---- the wrappers ---- */

RC_PRELOAD_DECLARE(init, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(init)(MPI_Fint *ierror)
{
    uint64_t start = rc_preload_now();
    MPI_Fint result = MPI_SUCCESS;
    int level = MPI_THREAD_SINGLE;

    RC_PRELOAD_UNDER(init)(&result);
    if (result == MPI_SUCCESS) {
        PMPI_Query_thread(&level);
        rc_preload_begin(RC_TRACE_Init, start, rc_preload_now(), level);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(init, INIT)

RC_PRELOAD_DECLARE(init_thread, MPI_Fint *required, MPI_Fint *provided, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(init_thread)(MPI_Fint *required, MPI_Fint *provided,
                                                       MPI_Fint *ierror)
{
    uint64_t start = rc_preload_now();
    MPI_Fint result = MPI_SUCCESS;

    RC_PRELOAD_UNDER(init_thread)(required, provided, &result);
    if (result == MPI_SUCCESS)
        rc_preload_begin(RC_TRACE_Init_thread, start, rc_preload_now(), *provided);
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(init_thread, INIT_THREAD)

RC_PRELOAD_DECLARE(finalize, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(finalize)(MPI_Fint *ierror)
{
    struct rc_preload_frame frame;
    MPI_Fint result = MPI_SUCCESS;
    bool recorded = rc_preload_enter(&frame);

    RC_PRELOAD_UNDER(finalize)(&result);
    if (recorded)
        rc_preload_finalized(&frame, result);
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(finalize, FINALIZE)

RC_PRELOAD_DECLARE(abort, MPI_Fint *comm, MPI_Fint *code, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(abort)(MPI_Fint *comm, MPI_Fint *code, MPI_Fint *ierror)
{
    MPI_Fint result = MPI_SUCCESS;

    rc_preload_aborting(PMPI_Comm_f2c(*comm));
    RC_PRELOAD_UNDER(abort)(comm, code, &result);
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(abort, ABORT)

RC_PRELOAD_DECLARE(pcontrol, MPI_Fint *level)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(pcontrol)(MPI_Fint *level)
{
    rc_preload_control(*level);
}
RC_PRELOAD_FORTRAN_NAMES(pcontrol, PCONTROL)
