// SPDX-License-Identifier: BSD-2-Clause
/* collective_arguments.c - collective calls whose arguments mean different things for different
 * processes.
 *
 * What does not count on this process is never read: it may be anything there. */
#include "mpi/preload/recorder_internal.h"

int32_t rc_preload_root(int root)
{
    /* Of an inter-communicator: this process is the root; or it has no part in it. */
    return root == MPI_ROOT ? RC_TRACE_ANY : root == MPI_PROC_NULL ? RC_TRACE_NULL : root;
}

/* Whether this process is the root. */
static bool begin_rooted(struct rc_trace_call *call, int root, MPI_Comm comm,
                         struct rc_preload_sizes *sizes)
{
    int inter = 0;

    call->communicator = rc_preload_communicator(comm);
    call->root = rc_preload_root(root);
    rc_preload_communicator_sizes(comm, sizes);
    if (root == MPI_ROOT)
        return true;
    if (root != sizes->rank)
        return false;
    PMPI_Comm_test_inter(comm, &inter);
    return !inter;
}

static bool is_in_place(struct rc_trace_call *call, const void *buffer)
{
    if (buffer != MPI_IN_PLACE)
        return false;
    call->flags |= RC_TRACE_IN_PLACE;
    return true;
}

/* Memory for a list of so many numbers, or NULL. */
static int32_t *make_list(struct rc_preload_thread *thread, struct rc_trace_call *call, int length)
{
    int32_t *list =
        rc_preload_scratch(thread, RC_PRELOAD_LIST, ((size_t)length + 1) * sizeof *list);

    if (list) {
        call->list = list;
        call->list_length = (uint32_t)length;
    }
    return list;
}

static int64_t count_of(struct rc_preload_counts counts, int i)
{
    return counts.large ? counts.large[i] : counts.usual[i];
}

/* For a list: what does not fit is cut. */
static int32_t cut(int64_t count)
{
    return count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

static int64_t copy_counts(int32_t *list, struct rc_preload_counts counts, int n)
{
    int64_t sum = 0;

    for (int i = 0; i < n; i++) {
        list[i] = cut(count_of(counts, i));
        sum += count_of(counts, i);
    }
    return sum;
}

void rc_preload_gather(struct rc_preload_thread *thread, struct rc_trace_call *call,
                       const void *sbuf, int64_t scount, MPI_Datatype stype, int64_t rcount,
                       MPI_Datatype rtype, int root, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    bool is_root = begin_rooted(call, root, comm, &sizes);

    (void)thread;
    if (is_root)
        rc_preload_elements(&call->from, rcount, rtype);
    if (is_root && is_in_place(call, sbuf))
        rc_preload_elements(&call->message, rcount, rtype);
    else if (root != MPI_ROOT && root != MPI_PROC_NULL)
        rc_preload_elements(&call->message, scount, stype);
}

void rc_preload_gatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                        const void *sbuf, int64_t scount, MPI_Datatype stype,
                        struct rc_preload_counts rcounts, MPI_Datatype rtype, int root,
                        MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    bool is_root = begin_rooted(call, root, comm, &sizes);
    int32_t *list = is_root ? make_list(thread, call, sizes.others) : NULL;

    if (list)
        rc_preload_elements(&call->from, copy_counts(list, rcounts, sizes.others), rtype);
    if (is_root && is_in_place(call, sbuf))
        rc_preload_elements(&call->message, count_of(rcounts, sizes.rank), rtype);
    else if (root != MPI_ROOT && root != MPI_PROC_NULL)
        rc_preload_elements(&call->message, scount, stype);
}

void rc_preload_scatter(struct rc_preload_thread *thread, struct rc_trace_call *call,
                        int64_t scount, MPI_Datatype stype, const void *rbuf, int64_t rcount,
                        MPI_Datatype rtype, int root, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    bool is_root = begin_rooted(call, root, comm, &sizes);

    (void)thread;
    if (is_root)
        rc_preload_elements(&call->message, scount, stype);
    if (is_root && is_in_place(call, rbuf))
        rc_preload_elements(&call->from, scount, stype);
    else if (root != MPI_ROOT && root != MPI_PROC_NULL)
        rc_preload_elements(&call->from, rcount, rtype);
}

void rc_preload_scatterv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                         struct rc_preload_counts scounts, MPI_Datatype stype, const void *rbuf,
                         int64_t rcount, MPI_Datatype rtype, int root, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    bool is_root = begin_rooted(call, root, comm, &sizes);
    int32_t *list = is_root ? make_list(thread, call, sizes.others) : NULL;

    if (list)
        rc_preload_elements(&call->message, copy_counts(list, scounts, sizes.others), stype);
    if (is_root && is_in_place(call, rbuf))
        rc_preload_elements(&call->from, count_of(scounts, sizes.rank), stype);
    else if (root != MPI_ROOT && root != MPI_PROC_NULL)
        rc_preload_elements(&call->from, rcount, rtype);
}

void rc_preload_allgather(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, int64_t scount, MPI_Datatype stype, int64_t rcount,
                          MPI_Datatype rtype, MPI_Comm comm)
{
    (void)thread;
    call->communicator = rc_preload_communicator(comm);
    rc_preload_elements(&call->from, rcount, rtype);
    if (is_in_place(call, sbuf))
        call->message = call->from;
    else
        rc_preload_elements(&call->message, scount, stype);
}

void rc_preload_allgatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                           const void *sbuf, int64_t scount, MPI_Datatype stype,
                           struct rc_preload_counts rcounts, MPI_Datatype rtype, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list;

    call->communicator = rc_preload_communicator(comm);
    rc_preload_communicator_sizes(comm, &sizes);
    list = make_list(thread, call, sizes.others);
    if (list)
        rc_preload_elements(&call->from, copy_counts(list, rcounts, sizes.others), rtype);
    if (is_in_place(call, sbuf))
        rc_preload_elements(&call->message, count_of(rcounts, sizes.rank), rtype);
    else
        rc_preload_elements(&call->message, scount, stype);
}

void rc_preload_alltoallv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, struct rc_preload_counts scounts, MPI_Datatype stype,
                          struct rc_preload_counts rcounts, MPI_Datatype rtype, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list;

    call->communicator = rc_preload_communicator(comm);
    rc_preload_communicator_sizes(comm, &sizes);
    if (is_in_place(call, sbuf)) {
        scounts = rcounts;
        stype = rtype;
    }
    list = make_list(thread, call, 2 * sizes.others);
    if (!list)
        return;
    rc_preload_elements(&call->message, copy_counts(list, scounts, sizes.others), stype);
    rc_preload_elements(&call->from, copy_counts(list + sizes.others, rcounts, sizes.others),
                        rtype);
}

/* Elements of different types, as bytes.  `types` is NULL where there was no memory for them. */
static void copy_bytes(struct rc_trace_message *message, int32_t *list,
                       struct rc_preload_counts counts, const MPI_Datatype *types, int n)
{
    message->size = 1;
    for (int i = 0; i < n; i++) {
        struct rc_trace_message one = {0};
        uint64_t bytes;

        if (types && count_of(counts, i) > 0)
            rc_preload_elements(&one, count_of(counts, i), types[i]);
        bytes = one.count * one.size;
        list[i] = cut(bytes > INT32_MAX ? INT32_MAX : (int64_t)bytes);
        message->count += bytes;
    }
}

void rc_preload_alltoallw(struct rc_preload_thread *thread, struct rc_trace_call *call,
                          const void *sbuf, struct rc_preload_counts scounts,
                          const MPI_Datatype *stypes, struct rc_preload_counts rcounts,
                          const MPI_Datatype *rtypes, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list;

    call->communicator = rc_preload_communicator(comm);
    rc_preload_communicator_sizes(comm, &sizes);
    if (is_in_place(call, sbuf)) {
        scounts = rcounts;
        stypes = rtypes;
    }
    list = make_list(thread, call, 2 * sizes.others);
    if (!list)
        return;
    copy_bytes(&call->message, list, scounts, stypes, sizes.others);
    copy_bytes(&call->from, list + sizes.others, rcounts, rtypes, sizes.others);
}

void rc_preload_reduce_scatter(struct rc_preload_thread *thread, struct rc_trace_call *call,
                               const void *sbuf, struct rc_preload_counts rcounts,
                               MPI_Datatype rtype, MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int inter = 0;
    int32_t *list;

    call->communicator = rc_preload_communicator(comm);
    rc_preload_communicator_sizes(comm, &sizes);
    /* The counts are those of the own side. */
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_size(comm, &sizes.others);
    is_in_place(call, sbuf);
    list = make_list(thread, call, sizes.others);
    if (!list)
        return;
    rc_preload_elements(&call->message, copy_counts(list, rcounts, sizes.others), rtype);
    rc_preload_elements(&call->from, count_of(rcounts, sizes.rank), rtype);
}

/* ---- neighbourhoods ---- */

static int32_t *begin_neighbours(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                 MPI_Comm comm, struct rc_preload_sizes *sizes)
{
    call->communicator = rc_preload_communicator(comm);
    rc_preload_communicator_sizes(comm, sizes);
    return make_list(thread, call, sizes->destinations + sizes->sources);
}

void rc_preload_neighbor_allgatherv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                    int64_t scount, MPI_Datatype stype,
                                    struct rc_preload_counts rcounts, MPI_Datatype rtype,
                                    MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list = begin_neighbours(thread, call, comm, &sizes);

    if (!list)
        return;
    for (int i = 0; i < sizes.destinations; i++)
        list[i] = cut(scount);
    rc_preload_elements(&call->message, scount, stype);
    rc_preload_elements(&call->from, copy_counts(list + sizes.destinations, rcounts, sizes.sources),
                        rtype);
}

void rc_preload_neighbor_alltoallv(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                   struct rc_preload_counts scounts, MPI_Datatype stype,
                                   struct rc_preload_counts rcounts, MPI_Datatype rtype,
                                   MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list = begin_neighbours(thread, call, comm, &sizes);

    if (!list)
        return;
    rc_preload_elements(&call->message, copy_counts(list, scounts, sizes.destinations), stype);
    rc_preload_elements(&call->from, copy_counts(list + sizes.destinations, rcounts, sizes.sources),
                        rtype);
}

void rc_preload_neighbor_alltoallw(struct rc_preload_thread *thread, struct rc_trace_call *call,
                                   struct rc_preload_counts scounts, const MPI_Datatype *stypes,
                                   struct rc_preload_counts rcounts, const MPI_Datatype *rtypes,
                                   MPI_Comm comm)
{
    struct rc_preload_sizes sizes;
    int32_t *list = begin_neighbours(thread, call, comm, &sizes);

    if (!list)
        return;
    copy_bytes(&call->message, list, scounts, stypes, sizes.destinations);
    copy_bytes(&call->from, list + sizes.destinations, rcounts, rtypes, sizes.sources);
}
