// SPDX-License-Identifier: BSD-2-Clause
/* fortran_completions.c - the wrappers of Fortran's waits and tests. */
#include "mpi/preload/recorder_internal.h"
#include "mpi/preload/fortran.h"

/* Statuses for the call: the program's own, ours, or its constant for none. */
static MPI_Fint *choose_statuses(struct rc_preload_wait *wait, int n, MPI_Fint *theirs)
{
    MPI_Fint *ours =
        rc_preload_fortran_ignores(theirs) ? rc_preload_wait_statuses(wait, n) : theirs;

    wait->statuses = ours;
    return ours ? ours : theirs;
}

#ifdef OMPI_MAJOR_VERSION
static int first_index(const struct rc_preload_wait *wait, int n, const MPI_Fint *indices)
{
    (void)wait;
    (void)n;
    (void)indices;
    return 1;
}
#else
/* Whether a request cannot have been completed by the call: it was null before, or it is one that
 * would have become null.  Persistent ones show nothing. */
static bool was_left(const struct rc_preload_wait *wait, int i)
{
    const MPI_Fint *requests = (const MPI_Fint *)(const void *)wait->places;

    return i >= wait->n || wait->handles[i] == MPI_REQUEST_NULL ||
           (PMPI_Request_f2c(requests[i]) != MPI_REQUEST_NULL &&
            rc_preload_request_is_once(wait->handles[i], &requests[i]));
}

/* Indices begin with 1 in Fortran; those that MPI_Waitsome and MPI_Testsome of MPICH 4.0's mpi_f08
 * give begin with 0.  Once some have shown which it is, it is so for all. */
static int first_index(const struct rc_preload_wait *wait, int n, const MPI_Fint *indices)
{
    static int known = -1;
    int first = __atomic_load_n(&known, __ATOMIC_RELAXED);

    for (int i = 0; first < 0 && wait->handles && i < n; i++) {
        if (indices[i] == 0 || was_left(wait, indices[i] - 1))
            first = 0;
        else if (was_left(wait, indices[i]))
            first = 1;
    }
    if (first < 0)
        return 1;
    __atomic_store_n(&known, first, __ATOMIC_RELAXED);
    return first;
}
#endif

/* The end of a wait or test that completed these, counted from `first`. */
static void end_with_indices(struct rc_preload_wait *wait, int result, int n,
                             const MPI_Fint *indices, int first)
{
    int *from_0, kept = 0;

    from_0 = rc_preload_scratch(wait->frame.thread, RC_PRELOAD_INDICES,
                                ((size_t)n + 1) * sizeof *from_0);
    for (int i = 0; from_0 && i < n; i++)
        if (indices[i] - first >= 0 && indices[i] - first < wait->n)
            from_0[kept++] = indices[i] - first;
    rc_preload_wait_end(wait, result, kept, from_0);
}

static void end_any(struct rc_preload_wait *wait, int result, const MPI_Fint *index)
{
    end_with_indices(wait, result, result == MPI_SUCCESS && *index != MPI_UNDEFINED, index, 1);
}

static void end_some(struct rc_preload_wait *wait, int result, int n, const MPI_Fint *indices)
{
    if (n == MPI_UNDEFINED || n < 0 || result != MPI_SUCCESS)
        n = 0;
    end_with_indices(wait, result, n, indices, first_index(wait, n, indices));
}

/* As in completions.c; `parameters` are without the last one, ierror.  A test has found nothing
 * where `nothing` holds; else `end` ends the call. */
#define COMPLETION(name, Name, NAME, parameters, arguments, count, requests, n_statuses, statuses, \
                   nothing, end)                                                                   \
    RC_PRELOAD_DECLARE(name, UNPACK parameters, MPI_Fint *ierror)                                  \
    RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(name)(UNPACK parameters, MPI_Fint * ierror)          \
    {                                                                                              \
        struct rc_preload_wait wait;                                                               \
        MPI_Fint result = MPI_SUCCESS;                                                             \
                                                                                                   \
        if (!rc_preload_enter(&wait.frame)) {                                                      \
            RC_PRELOAD_UNDER(name)(UNPACK arguments, &result);                                     \
        } else {                                                                                   \
            rc_preload_wait_begin(&wait, RC_TRACE_##Name, count, requests, true);                  \
            statuses = choose_statuses(&wait, n_statuses, statuses);                               \
            RC_PRELOAD_UNDER(name)(UNPACK arguments, &result);                                     \
            rc_preload_leave(&wait.frame);                                                         \
            if (result == MPI_SUCCESS && (nothing))                                                \
                rc_preload_wait_found_nothing(&wait);                                              \
            else                                                                                   \
                end;                                                                               \
        }                                                                                          \
        rc_preload_fortran_result(ierror, result);                                                 \
    }                                                                                              \
    RC_PRELOAD_FORTRAN_NAMES(name, NAME)
#define UNPACK(...) __VA_ARGS__

COMPLETION(wait, Wait, WAIT, (MPI_Fint * request, MPI_Fint *status), (request, status), 1, request,
           1, status, false, rc_preload_wait_end(&wait, result, 1, NULL))
COMPLETION(waitall, Waitall, WAITALL, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *statuses),
           (count, requests, statuses), *count, requests, *count, statuses, false,
           rc_preload_wait_end(&wait, result, wait.n, NULL))
COMPLETION(waitany, Waitany, WAITANY,
           (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status),
           (count, requests, index, status), *count, requests, 1, status, false,
           end_any(&wait, result, index))
COMPLETION(waitsome, Waitsome, WAITSOME,
           (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *n, MPI_Fint *indices,
            MPI_Fint *statuses),
           (count, requests, n, indices, statuses), *count, requests, *count, statuses, false,
           end_some(&wait, result, *n, indices))
COMPLETION(test, Test, TEST, (MPI_Fint * request, MPI_Fint *flag, MPI_Fint *status),
           (request, flag, status), 1, request, 1, status, !*flag,
           rc_preload_wait_end(&wait, result, 1, NULL))
COMPLETION(testall, Testall, TESTALL,
           (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses),
           (count, requests, flag, statuses), *count, requests, *count, statuses, !*flag,
           rc_preload_wait_end(&wait, result, wait.n, NULL))
COMPLETION(testany, Testany, TESTANY,
           (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag,
            MPI_Fint *status),
           (count, requests, index, flag, status), *count, requests, 1, status, !*flag,
           end_any(&wait, result, index))
COMPLETION(testsome, Testsome, TESTSOME,
           (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *n, MPI_Fint *indices,
            MPI_Fint *statuses),
           (count, requests, n, indices, statuses), *count, requests, *count, statuses, *n == 0,
           end_some(&wait, result, *n, indices))

RC_PRELOAD_DECLARE(startall, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(startall)(MPI_Fint *count, MPI_Fint *requests,
                                                    MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(startall)(count, requests, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Startall, *count, requests, true);
        RC_PRELOAD_UNDER(startall)(count, requests, &result);
        rc_preload_leave(&wait.frame);
        rc_preload_started(&wait, result);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(startall, STARTALL)
