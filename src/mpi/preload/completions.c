// SPDX-License-Identifier: BSD-2-Clause
/* completions.c - which requests a wait or test has completed. */
#include "mpi/preload/completions.h"

#include <stdlib.h>

/* The numbers of completed requests in the order of the program's array, and after them, behind
 * RC_TRACE_ANY, source and tag of those that were receives from any source. */
struct done {
    int32_t *list;
    uint32_t length;
    int32_t *sources; /* pairs; in the same memory, behind the numbers */
    uint32_t n_sources;
};

struct order {
    int index, position;
};

static size_t place_size(const struct rc_preload_wait *wait)
{
    return wait->fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request);
}

static MPI_Request request_at(const struct rc_preload_wait *wait, int i)
{
    const char *place = wait->places + (size_t)i * place_size(wait);

    if (wait->fortran)
        return PMPI_Request_f2c(*(const MPI_Fint *)(const void *)place);
    return *(const MPI_Request *)(const void *)place;
}

void rc_preload_wait_begin(struct rc_preload_wait *wait, unsigned kind, int n, const void *requests,
                           bool fortran)
{
    MPI_Request *handles;

    wait->kind = kind;
    wait->n = n > 0 ? n : 0;
    wait->fortran = fortran;
    wait->places = requests;
    wait->statuses = NULL;
    handles = rc_preload_scratch(wait->frame.thread, RC_PRELOAD_HANDLES,
                                 ((size_t)wait->n + 1) * sizeof *handles);
    for (int i = 0; handles && i < wait->n; i++)
        handles[i] = request_at(wait, i);
    wait->handles = handles;
}

void *rc_preload_wait_statuses(struct rc_preload_wait *wait, int n)
{
    if (__atomic_load_n(&rc_preload_wild_requests, __ATOMIC_RELAXED) <= 0)
        return NULL;
    /* A status of Fortran is no larger than one of C. */
    return rc_preload_scratch(wait->frame.thread, RC_PRELOAD_STATUSES,
                              ((size_t)(n > 0 ? n : 0) + 1) * sizeof(MPI_Status));
}

static void add_source(const struct rc_preload_wait *wait, struct done *done, int position)
{
    MPI_Status status;

    if (wait->fortran) {
        /* Not every MPI says that it leaves the first one alone. */
        PMPI_Status_f2c((MPI_Fint *)(uintptr_t)wait->statuses + position * RC_PRELOAD_STATUS_FINTS,
                        &status);
    } else {
        status = ((const MPI_Status *)wait->statuses)[position];
    }
    done->sources[2 * done->n_sources] = rc_preload_peer(status.MPI_SOURCE);
    done->sources[2 * done->n_sources + 1] = rc_preload_tag(status.MPI_TAG);
    done->n_sources++;
}

static void add_done(const struct rc_preload_wait *wait, struct done *done, int index, int position)
{
    unsigned flags;
    int32_t number =
        rc_preload_request_done(wait->handles[index],
                                wait->places + (size_t)index * place_size(wait), &flags);

    if (number < 0)
        return;
    done->list[done->length++] = number;
    if ((flags & RC_PRELOAD_WILD) && wait->statuses)
        add_source(wait, done, position);
}

static int compare(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    return (x->index > y->index) - (x->index < y->index);
}

static void collect(struct rc_preload_wait *wait, struct done *done, int n_done, const int *indices)
{
    struct order *order;

    if (!indices || n_done == 1) {
        for (int i = 0; i < n_done; i++)
            add_done(wait, done, indices ? indices[i] : i, i);
        return;
    }
    order =
        rc_preload_scratch(wait->frame.thread, RC_PRELOAD_ORDER, (size_t)n_done * sizeof *order);
    if (!order)
        return;
    for (int i = 0; i < n_done; i++)
        order[i] = (struct order){.index = indices[i], .position = i};
    qsort(order, (size_t)n_done, sizeof *order, compare);
    for (int i = 0; i < n_done; i++)
        add_done(wait, done, order[i].index, order[i].position);
}

/* After an error, what has become null is gone; more is not said of such a call. */
static void forget_null(struct rc_preload_wait *wait)
{
    unsigned flags;

    for (int i = 0; i < wait->n; i++)
        if (request_at(wait, i) == MPI_REQUEST_NULL)
            rc_preload_request_done(wait->handles[i], wait->places + (size_t)i * place_size(wait),
                                    &flags);
}

static void fill_in(struct rc_trace_call *call, struct done *done, bool one)
{
    if (done->n_sources > 0) {
        int32_t *end = done->list + done->length;

        /* The pairs are further back: they move down to where the numbers end. */
        *end++ = RC_TRACE_ANY;
        for (uint32_t i = 0; i < 2 * done->n_sources; i++)
            *end++ = done->sources[i];
        done->length += 1 + 2 * done->n_sources;
    }
    call->list = done->list;
    call->list_length = done->length;
    if (one && done->length > 0) {
        call->request = done->list[0];
        call->list++;
        call->list_length--;
    }
}

static bool is_test(unsigned kind)
{
    return kind == RC_TRACE_Test || kind == RC_TRACE_Testall || kind == RC_TRACE_Testany ||
           kind == RC_TRACE_Testsome;
}

void rc_preload_wait_end(struct rc_preload_wait *wait, int result, int n_done, const int *indices)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(wait->kind);
    struct done done = {0};
    size_t room = 3 * ((size_t)(n_done > 0 ? n_done : 0) + 1);

    if (!wait->handles) {
        rc_preload_record(&wait->frame, &call);
        return;
    }
    if (!rc_preload_succeeded(&call, result)) {
        forget_null(wait);
    } else {
        if (is_test(wait->kind))
            call.flags |= RC_TRACE_DONE;
        done.list =
            rc_preload_scratch(wait->frame.thread, RC_PRELOAD_LIST, room * sizeof *done.list);
        if (done.list) {
            done.sources = done.list + n_done + 1;
            collect(wait, &done, n_done, indices);
            fill_in(&call, &done, wait->kind == RC_TRACE_Wait || wait->kind == RC_TRACE_Test);
        }
    }
    rc_preload_record(&wait->frame, &call);
}

void rc_preload_wait_found_nothing(struct rc_preload_wait *wait)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(wait->kind);

    rc_preload_record_poll(&wait->frame, &call);
}

void rc_preload_started(struct rc_preload_wait *wait, int result)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Startall);
    int32_t *list = NULL;

    if (rc_preload_succeeded(&call, result) && wait->handles)
        list = rc_preload_scratch(wait->frame.thread, RC_PRELOAD_LIST,
                                  ((size_t)wait->n + 1) * sizeof *list);
    for (int i = 0; list && i < wait->n; i++) {
        list[i] = rc_preload_request(wait->handles[i], wait->places + (size_t)i * place_size(wait));
        rc_preload_request_start(list[i]);
    }
    call.list = list;
    call.list_length = list ? (uint32_t)wait->n : 0;
    rc_preload_record(&wait->frame, &call);
}

/* ---- the wrappers for C ---- */

#pragma weak PMPI_Wait
#pragma weak PMPI_Waitall
#pragma weak PMPI_Waitany
#pragma weak PMPI_Waitsome
#pragma weak PMPI_Test
#pragma weak PMPI_Testall
#pragma weak PMPI_Testany
#pragma weak PMPI_Testsome
#pragma weak PMPI_Startall

/* Statuses for the call: the program's own, ours, or none. */
static MPI_Status *choose_statuses(struct rc_preload_wait *wait, int n, MPI_Status *theirs,
                                   MPI_Status *ignore)
{
    MPI_Status *ours = theirs == ignore ? rc_preload_wait_statuses(wait, n) : theirs;

    wait->statuses = ours;
    return ours ? ours : ignore;
}

RC_PRELOAD_EXPORT int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Wait(request, status);
    rc_preload_wait_begin(&wait, RC_TRACE_Wait, 1, request, false);
    status = choose_statuses(&wait, 1, status, MPI_STATUS_IGNORE);
    result = PMPI_Wait(request, status);
    rc_preload_leave(&wait.frame);
    rc_preload_wait_end(&wait, result, 1, NULL);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Waitall(count, requests, statuses);
    rc_preload_wait_begin(&wait, RC_TRACE_Waitall, count, requests, false);
    statuses = choose_statuses(&wait, count, statuses, MPI_STATUSES_IGNORE);
    result = PMPI_Waitall(count, requests, statuses);
    rc_preload_leave(&wait.frame);
    rc_preload_wait_end(&wait, result, wait.n, NULL);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Waitany(count, requests, index, status);
    rc_preload_wait_begin(&wait, RC_TRACE_Waitany, count, requests, false);
    status = choose_statuses(&wait, 1, status, MPI_STATUS_IGNORE);
    result = PMPI_Waitany(count, requests, index, status);
    rc_preload_leave(&wait.frame);
    rc_preload_wait_end(&wait, result, *index != MPI_UNDEFINED, index);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Waitsome(int count, MPI_Request *requests, int *n_done, int *indices,
                                   MPI_Status *statuses)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Waitsome(count, requests, n_done, indices, statuses);
    rc_preload_wait_begin(&wait, RC_TRACE_Waitsome, count, requests, false);
    statuses = choose_statuses(&wait, count, statuses, MPI_STATUSES_IGNORE);
    result = PMPI_Waitsome(count, requests, n_done, indices, statuses);
    rc_preload_leave(&wait.frame);
    rc_preload_wait_end(&wait, result, *n_done == MPI_UNDEFINED ? 0 : *n_done, indices);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Test(request, flag, status);
    rc_preload_wait_begin(&wait, RC_TRACE_Test, 1, request, false);
    status = choose_statuses(&wait, 1, status, MPI_STATUS_IGNORE);
    result = PMPI_Test(request, flag, status);
    rc_preload_leave(&wait.frame);
    if (result == MPI_SUCCESS && !*flag)
        rc_preload_wait_found_nothing(&wait);
    else
        rc_preload_wait_end(&wait, result, 1, NULL);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Testall(count, requests, flag, statuses);
    rc_preload_wait_begin(&wait, RC_TRACE_Testall, count, requests, false);
    statuses = choose_statuses(&wait, count, statuses, MPI_STATUSES_IGNORE);
    result = PMPI_Testall(count, requests, flag, statuses);
    rc_preload_leave(&wait.frame);
    if (result == MPI_SUCCESS && !*flag)
        rc_preload_wait_found_nothing(&wait);
    else
        rc_preload_wait_end(&wait, result, wait.n, NULL);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag,
                                  MPI_Status *status)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Testany(count, requests, index, flag, status);
    rc_preload_wait_begin(&wait, RC_TRACE_Testany, count, requests, false);
    status = choose_statuses(&wait, 1, status, MPI_STATUS_IGNORE);
    result = PMPI_Testany(count, requests, index, flag, status);
    rc_preload_leave(&wait.frame);
    if (result == MPI_SUCCESS && !*flag)
        rc_preload_wait_found_nothing(&wait);
    else
        rc_preload_wait_end(&wait, result, *index != MPI_UNDEFINED, index);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Testsome(int count, MPI_Request *requests, int *n_done, int *indices,
                                   MPI_Status *statuses)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Testsome(count, requests, n_done, indices, statuses);
    rc_preload_wait_begin(&wait, RC_TRACE_Testsome, count, requests, false);
    statuses = choose_statuses(&wait, count, statuses, MPI_STATUSES_IGNORE);
    result = PMPI_Testsome(count, requests, n_done, indices, statuses);
    rc_preload_leave(&wait.frame);
    if (result == MPI_SUCCESS && *n_done == 0)
        rc_preload_wait_found_nothing(&wait);
    else
        rc_preload_wait_end(&wait, result, *n_done == MPI_UNDEFINED ? 0 : *n_done, indices);
    return result;
}

RC_PRELOAD_EXPORT int MPI_Startall(int count, MPI_Request *requests)
{
    struct rc_preload_wait wait;
    int result;

    if (!rc_preload_enter(&wait.frame))
        return PMPI_Startall(count, requests);
    rc_preload_wait_begin(&wait, RC_TRACE_Startall, count, requests, false);
    result = PMPI_Startall(count, requests);
    rc_preload_leave(&wait.frame);
    rc_preload_started(&wait, result);
    return result;
}
