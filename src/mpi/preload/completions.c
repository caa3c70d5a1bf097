// SPDX-License-Identifier: BSD-2-Clause
/* completions.c - which requests a wait or test has completed. */
#include "mpi/preload/recorder_internal.h"

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
        /* Not every MPI declares the first argument const. */
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

/* After an error, what has become null is gone; nothing more is known of such a call. */
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

/* MPI_NAME with its parameters, and the arguments that they are for PMPI_NAME.  The call is about
 * `count` requests, and takes `n_statuses` statuses unless they are `ignore`.  A test has found
 * nothing where `nothing` holds; else `n_done` requests are completed, those at `indices`, or all
 * where that is NULL. */
#define COMPLETION(name, parameters, arguments, count, requests, n_statuses, statuses, ignore,     \
                   nothing, n_done, indices)                                                       \
    RC_PRELOAD_EXPORT int MPI_##name parameters                                                    \
    {                                                                                              \
        struct rc_preload_wait wait;                                                               \
        int result;                                                                                \
                                                                                                   \
        if (!rc_preload_enter(&wait.frame))                                                        \
            return PMPI_##name arguments;                                                          \
        rc_preload_wait_begin(&wait, RC_TRACE_##name, count, requests, false);                     \
        statuses = choose_statuses(&wait, n_statuses, statuses, ignore);                           \
        result = PMPI_##name arguments;                                                            \
        rc_preload_leave(&wait.frame);                                                             \
        if (result == MPI_SUCCESS && (nothing))                                                    \
            rc_preload_wait_found_nothing(&wait);                                                  \
        else                                                                                       \
            rc_preload_wait_end(&wait, result, n_done, indices);                                   \
        return result;                                                                             \
    }

COMPLETION(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1, request, 1,
           status, MPI_STATUS_IGNORE, false, 1, NULL)
COMPLETION(Waitall, (int count, MPI_Request *requests, MPI_Status *statuses),
           (count, requests, statuses), count, requests, count, statuses, MPI_STATUSES_IGNORE,
           false, wait.n, NULL)
COMPLETION(Waitany, (int count, MPI_Request *requests, int *index, MPI_Status *status),
           (count, requests, index, status), count, requests, 1, status, MPI_STATUS_IGNORE, false,
           *index != MPI_UNDEFINED, index)
COMPLETION(Waitsome, (int count, MPI_Request *requests, int *n, int *indices, MPI_Status *statuses),
           (count, requests, n, indices, statuses), count, requests, count, statuses,
           MPI_STATUSES_IGNORE, false, *n == MPI_UNDEFINED ? 0 : *n, indices)
COMPLETION(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1,
           request, 1, status, MPI_STATUS_IGNORE, !*flag, 1, NULL)
COMPLETION(Testall, (int count, MPI_Request *requests, int *flag, MPI_Status *statuses),
           (count, requests, flag, statuses), count, requests, count, statuses, MPI_STATUSES_IGNORE,
           !*flag, wait.n, NULL)
COMPLETION(Testany, (int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status),
           (count, requests, index, flag, status), count, requests, 1, status, MPI_STATUS_IGNORE,
           !*flag, *index != MPI_UNDEFINED, index)
COMPLETION(Testsome, (int count, MPI_Request *requests, int *n, int *indices, MPI_Status *statuses),
           (count, requests, n, indices, statuses), count, requests, count, statuses,
           MPI_STATUSES_IGNORE, *n == 0, *n == MPI_UNDEFINED ? 0 : *n, indices)

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
