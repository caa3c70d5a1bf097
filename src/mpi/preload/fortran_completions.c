// SPDX-License-Identifier: BSD-2-Clause
/* fortran_completions.c - the wrappers of Fortran's waits and tests. */
#include "mpi/preload/completions.h"
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
 * would have become null.  Persistent ones tell nothing. */
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

RC_PRELOAD_DECLARE(wait, MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(wait)(MPI_Fint *request, MPI_Fint *status,
                                                MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(wait)(request, status, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Wait, 1, request, true);
        status = choose_statuses(&wait, 1, status);
        RC_PRELOAD_UNDER(wait)(request, status, &result);
        rc_preload_leave(&wait.frame);
        rc_preload_wait_end(&wait, result, 1, NULL);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(wait, WAIT)

RC_PRELOAD_DECLARE(waitall, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *statuses,
                   MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(waitall)(MPI_Fint *count, MPI_Fint *requests,
                                                   MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(waitall)(count, requests, statuses, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Waitall, *count, requests, true);
        statuses = choose_statuses(&wait, *count, statuses);
        RC_PRELOAD_UNDER(waitall)(count, requests, statuses, &result);
        rc_preload_leave(&wait.frame);
        rc_preload_wait_end(&wait, result, wait.n, NULL);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(waitall, WAITALL)

RC_PRELOAD_DECLARE(waitany, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status,
                   MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(waitany)(MPI_Fint *count, MPI_Fint *requests,
                                                   MPI_Fint *index, MPI_Fint *status,
                                                   MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(waitany)(count, requests, index, status, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Waitany, *count, requests, true);
        status = choose_statuses(&wait, 1, status);
        RC_PRELOAD_UNDER(waitany)(count, requests, index, status, &result);
        rc_preload_leave(&wait.frame);
        end_any(&wait, result, index);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(waitany, WAITANY)

RC_PRELOAD_DECLARE(waitsome, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *n_done,
                   MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(waitsome)(MPI_Fint *count, MPI_Fint *requests,
                                                    MPI_Fint *n_done, MPI_Fint *indices,
                                                    MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(waitsome)(count, requests, n_done, indices, statuses, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Waitsome, *count, requests, true);
        statuses = choose_statuses(&wait, *count, statuses);
        RC_PRELOAD_UNDER(waitsome)(count, requests, n_done, indices, statuses, &result);
        rc_preload_leave(&wait.frame);
        end_some(&wait, result, *n_done, indices);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(waitsome, WAITSOME)

RC_PRELOAD_DECLARE(test, MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(test)(MPI_Fint *request, MPI_Fint *flag, MPI_Fint *status,
                                                MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(test)(request, flag, status, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Test, 1, request, true);
        status = choose_statuses(&wait, 1, status);
        RC_PRELOAD_UNDER(test)(request, flag, status, &result);
        rc_preload_leave(&wait.frame);
        if (result == MPI_SUCCESS && !*flag)
            rc_preload_wait_found_nothing(&wait);
        else
            rc_preload_wait_end(&wait, result, 1, NULL);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(test, TEST)

RC_PRELOAD_DECLARE(testall, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses,
                   MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(testall)(MPI_Fint *count, MPI_Fint *requests,
                                                   MPI_Fint *flag, MPI_Fint *statuses,
                                                   MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(testall)(count, requests, flag, statuses, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Testall, *count, requests, true);
        statuses = choose_statuses(&wait, *count, statuses);
        RC_PRELOAD_UNDER(testall)(count, requests, flag, statuses, &result);
        rc_preload_leave(&wait.frame);
        if (result == MPI_SUCCESS && !*flag)
            rc_preload_wait_found_nothing(&wait);
        else
            rc_preload_wait_end(&wait, result, wait.n, NULL);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(testall, TESTALL)

RC_PRELOAD_DECLARE(testany, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag,
                   MPI_Fint *status, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(testany)(MPI_Fint *count, MPI_Fint *requests,
                                                   MPI_Fint *index, MPI_Fint *flag,
                                                   MPI_Fint *status, MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(testany)(count, requests, index, flag, status, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Testany, *count, requests, true);
        status = choose_statuses(&wait, 1, status);
        RC_PRELOAD_UNDER(testany)(count, requests, index, flag, status, &result);
        rc_preload_leave(&wait.frame);
        if (result == MPI_SUCCESS && !*flag)
            rc_preload_wait_found_nothing(&wait);
        else
            end_any(&wait, result, index);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(testany, TESTANY)

RC_PRELOAD_DECLARE(testsome, MPI_Fint *count, MPI_Fint *requests, MPI_Fint *n_done,
                   MPI_Fint *indices, MPI_Fint *statuses, MPI_Fint *ierror)
RC_PRELOAD_EXPORT void RC_PRELOAD_FORTRAN(testsome)(MPI_Fint *count, MPI_Fint *requests,
                                                    MPI_Fint *n_done, MPI_Fint *indices,
                                                    MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct rc_preload_wait wait;
    MPI_Fint result = MPI_SUCCESS;

    if (!rc_preload_enter(&wait.frame)) {
        RC_PRELOAD_UNDER(testsome)(count, requests, n_done, indices, statuses, &result);
    } else {
        rc_preload_wait_begin(&wait, RC_TRACE_Testsome, *count, requests, true);
        statuses = choose_statuses(&wait, *count, statuses);
        RC_PRELOAD_UNDER(testsome)(count, requests, n_done, indices, statuses, &result);
        rc_preload_leave(&wait.frame);
        if (result == MPI_SUCCESS && *n_done == 0)
            rc_preload_wait_found_nothing(&wait);
        else
            end_some(&wait, result, *n_done, indices);
    }
    rc_preload_fortran_result(ierror, result);
}
RC_PRELOAD_FORTRAN_NAMES(testsome, TESTSOME)

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
