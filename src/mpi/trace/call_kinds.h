// SPDX-License-Identifier: BSD-2-Clause
/* call_kinds.h - the kinds of MPI calls that a trace distinguishes. */
#ifndef RC_MPI_TRACE_CALL_KINDS_H
#define RC_MPI_TRACE_CALL_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* What a call does. */
enum rc_trace_class {
    RC_TRACE_SENDS,      /* to one peer */
    RC_TRACE_RECEIVES,   /* from one peer */
    RC_TRACE_EXCHANGES,  /* sends to one peer and receives from another */
    RC_TRACE_PROBES,     /* looks for a message */
    RC_TRACE_COMPLETES,  /* waits for requests, or asks after them */
    RC_TRACE_STARTS,     /* starts persistent requests, or ends any */
    RC_TRACE_COLLECTS,   /* all processes of a communicator, without a root */
    RC_TRACE_ROOTED,     /* all of them, with a root */
    RC_TRACE_NEIGHBOURS, /* all of them, each with its neighbours in a topology */
    RC_TRACE_CONSTRUCTS, /* communicators, groups and topologies */
    RC_TRACE_ONE_SIDED,  /* windows */
    RC_TRACE_FILES,      /* MPI-IO */
    RC_TRACE_OTHER       /* the beginning, the end, and what else takes time */
};

/* When a call returns. */
enum rc_trace_manner {
    RC_TRACE_BLOCKING,
    RC_TRACE_NONBLOCKING, /* gives a request that is under way */
    RC_TRACE_PERSISTENT   /* gives a request that is not yet started */
};

/* X(name without "MPI_", class, manner).  The place in the list is the number in files: rows may be
 * added at the end, and none may ever be moved or removed. */
#define RC_TRACE_KINDS(X)                                                                          \
    X(Init, OTHER, BLOCKING)                                                                       \
    X(Init_thread, OTHER, BLOCKING)                                                                \
    X(Finalize, OTHER, BLOCKING)                                                                   \
    X(Abort, OTHER, BLOCKING)                                                                      \
    X(Pcontrol, OTHER, BLOCKING)                                                                   \
    X(Send, SENDS, BLOCKING)                                                                       \
    X(Bsend, SENDS, BLOCKING)                                                                      \
    X(Ssend, SENDS, BLOCKING)                                                                      \
    X(Rsend, SENDS, BLOCKING)                                                                      \
    X(Isend, SENDS, NONBLOCKING)                                                                   \
    X(Ibsend, SENDS, NONBLOCKING)                                                                  \
    X(Issend, SENDS, NONBLOCKING)                                                                  \
    X(Irsend, SENDS, NONBLOCKING)                                                                  \
    X(Send_init, SENDS, PERSISTENT)                                                                \
    X(Bsend_init, SENDS, PERSISTENT)                                                               \
    X(Ssend_init, SENDS, PERSISTENT)                                                               \
    X(Rsend_init, SENDS, PERSISTENT)                                                               \
    X(Recv, RECEIVES, BLOCKING)                                                                    \
    X(Irecv, RECEIVES, NONBLOCKING)                                                                \
    X(Recv_init, RECEIVES, PERSISTENT)                                                             \
    X(Mrecv, RECEIVES, BLOCKING)                                                                   \
    X(Imrecv, RECEIVES, NONBLOCKING)                                                               \
    X(Sendrecv, EXCHANGES, BLOCKING)                                                               \
    X(Sendrecv_replace, EXCHANGES, BLOCKING)                                                       \
    X(Isendrecv, EXCHANGES, NONBLOCKING)                                                           \
    X(Isendrecv_replace, EXCHANGES, NONBLOCKING)                                                   \
    X(Probe, PROBES, BLOCKING)                                                                     \
    X(Iprobe, PROBES, NONBLOCKING)                                                                 \
    X(Mprobe, PROBES, BLOCKING)                                                                    \
    X(Improbe, PROBES, NONBLOCKING)                                                                \
    X(Wait, COMPLETES, BLOCKING)                                                                   \
    X(Waitall, COMPLETES, BLOCKING)                                                                \
    X(Waitany, COMPLETES, BLOCKING)                                                                \
    X(Waitsome, COMPLETES, BLOCKING)                                                               \
    X(Test, COMPLETES, NONBLOCKING)                                                                \
    X(Testall, COMPLETES, NONBLOCKING)                                                             \
    X(Testany, COMPLETES, NONBLOCKING)                                                             \
    X(Testsome, COMPLETES, NONBLOCKING)                                                            \
    X(Request_get_status, COMPLETES, NONBLOCKING)                                                  \
    X(Start, STARTS, NONBLOCKING)                                                                  \
    X(Startall, STARTS, NONBLOCKING)                                                               \
    X(Cancel, STARTS, BLOCKING)                                                                    \
    X(Request_free, STARTS, BLOCKING)                                                              \
    X(Buffer_attach, OTHER, BLOCKING)                                                              \
    X(Buffer_detach, OTHER, BLOCKING)                                                              \
    X(Barrier, COLLECTS, BLOCKING)                                                                 \
    X(Bcast, ROOTED, BLOCKING)                                                                     \
    X(Gather, ROOTED, BLOCKING)                                                                    \
    X(Gatherv, ROOTED, BLOCKING)                                                                   \
    X(Scatter, ROOTED, BLOCKING)                                                                   \
    X(Scatterv, ROOTED, BLOCKING)                                                                  \
    X(Reduce, ROOTED, BLOCKING)                                                                    \
    X(Allgather, COLLECTS, BLOCKING)                                                               \
    X(Allgatherv, COLLECTS, BLOCKING)                                                              \
    X(Alltoall, COLLECTS, BLOCKING)                                                                \
    X(Alltoallv, COLLECTS, BLOCKING)                                                               \
    X(Alltoallw, COLLECTS, BLOCKING)                                                               \
    X(Allreduce, COLLECTS, BLOCKING)                                                               \
    X(Reduce_scatter, COLLECTS, BLOCKING)                                                          \
    X(Reduce_scatter_block, COLLECTS, BLOCKING)                                                    \
    X(Scan, COLLECTS, BLOCKING)                                                                    \
    X(Exscan, COLLECTS, BLOCKING)                                                                  \
    X(Ibarrier, COLLECTS, NONBLOCKING)                                                             \
    X(Ibcast, ROOTED, NONBLOCKING)                                                                 \
    X(Igather, ROOTED, NONBLOCKING)                                                                \
    X(Igatherv, ROOTED, NONBLOCKING)                                                               \
    X(Iscatter, ROOTED, NONBLOCKING)                                                               \
    X(Iscatterv, ROOTED, NONBLOCKING)                                                              \
    X(Ireduce, ROOTED, NONBLOCKING)                                                                \
    X(Iallgather, COLLECTS, NONBLOCKING)                                                           \
    X(Iallgatherv, COLLECTS, NONBLOCKING)                                                          \
    X(Ialltoall, COLLECTS, NONBLOCKING)                                                            \
    X(Ialltoallv, COLLECTS, NONBLOCKING)                                                           \
    X(Ialltoallw, COLLECTS, NONBLOCKING)                                                           \
    X(Iallreduce, COLLECTS, NONBLOCKING)                                                           \
    X(Ireduce_scatter, COLLECTS, NONBLOCKING)                                                      \
    X(Ireduce_scatter_block, COLLECTS, NONBLOCKING)                                                \
    X(Iscan, COLLECTS, NONBLOCKING)                                                                \
    X(Iexscan, COLLECTS, NONBLOCKING)                                                              \
    X(Neighbor_allgather, NEIGHBOURS, BLOCKING)                                                    \
    X(Neighbor_allgatherv, NEIGHBOURS, BLOCKING)                                                   \
    X(Neighbor_alltoall, NEIGHBOURS, BLOCKING)                                                     \
    X(Neighbor_alltoallv, NEIGHBOURS, BLOCKING)                                                    \
    X(Neighbor_alltoallw, NEIGHBOURS, BLOCKING)                                                    \
    X(Ineighbor_allgather, NEIGHBOURS, NONBLOCKING)                                                \
    X(Ineighbor_allgatherv, NEIGHBOURS, NONBLOCKING)                                               \
    X(Ineighbor_alltoall, NEIGHBOURS, NONBLOCKING)                                                 \
    X(Ineighbor_alltoallv, NEIGHBOURS, NONBLOCKING)                                                \
    X(Ineighbor_alltoallw, NEIGHBOURS, NONBLOCKING)                                                \
    X(Comm_dup, CONSTRUCTS, BLOCKING)                                                              \
    X(Comm_dup_with_info, CONSTRUCTS, BLOCKING)                                                    \
    X(Comm_idup, CONSTRUCTS, NONBLOCKING)                                                          \
    X(Comm_split, CONSTRUCTS, BLOCKING)                                                            \
    X(Comm_split_type, CONSTRUCTS, BLOCKING)                                                       \
    X(Comm_create, CONSTRUCTS, BLOCKING)                                                           \
    X(Comm_create_group, CONSTRUCTS, BLOCKING)                                                     \
    X(Comm_free, CONSTRUCTS, BLOCKING)                                                             \
    X(Intercomm_create, CONSTRUCTS, BLOCKING)                                                      \
    X(Intercomm_merge, CONSTRUCTS, BLOCKING)                                                       \
    X(Cart_create, CONSTRUCTS, BLOCKING)                                                           \
    X(Cart_sub, CONSTRUCTS, BLOCKING)                                                              \
    X(Graph_create, CONSTRUCTS, BLOCKING)                                                          \
    X(Dist_graph_create, CONSTRUCTS, BLOCKING)                                                     \
    X(Dist_graph_create_adjacent, CONSTRUCTS, BLOCKING)                                            \
    X(Comm_spawn, CONSTRUCTS, BLOCKING)                                                            \
    X(Comm_spawn_multiple, CONSTRUCTS, BLOCKING)                                                   \
    X(Comm_accept, CONSTRUCTS, BLOCKING)                                                           \
    X(Comm_connect, CONSTRUCTS, BLOCKING)                                                          \
    X(Comm_disconnect, CONSTRUCTS, BLOCKING)                                                       \
    X(Comm_join, CONSTRUCTS, BLOCKING)                                                             \
    X(Win_create, ONE_SIDED, BLOCKING)                                                             \
    X(Win_create_dynamic, ONE_SIDED, BLOCKING)                                                     \
    X(Win_allocate, ONE_SIDED, BLOCKING)                                                           \
    X(Win_allocate_shared, ONE_SIDED, BLOCKING)                                                    \
    X(Win_free, ONE_SIDED, BLOCKING)                                                               \
    X(Win_fence, ONE_SIDED, BLOCKING)                                                              \
    X(Win_start, ONE_SIDED, BLOCKING)                                                              \
    X(Win_complete, ONE_SIDED, BLOCKING)                                                           \
    X(Win_post, ONE_SIDED, BLOCKING)                                                               \
    X(Win_wait, ONE_SIDED, BLOCKING)                                                               \
    X(Win_test, ONE_SIDED, NONBLOCKING)                                                            \
    X(Win_lock, ONE_SIDED, BLOCKING)                                                               \
    X(Win_lock_all, ONE_SIDED, BLOCKING)                                                           \
    X(Win_unlock, ONE_SIDED, BLOCKING)                                                             \
    X(Win_unlock_all, ONE_SIDED, BLOCKING)                                                         \
    X(Win_flush, ONE_SIDED, BLOCKING)                                                              \
    X(Win_flush_all, ONE_SIDED, BLOCKING)                                                          \
    X(Win_flush_local, ONE_SIDED, BLOCKING)                                                        \
    X(Win_flush_local_all, ONE_SIDED, BLOCKING)                                                    \
    X(Win_sync, ONE_SIDED, BLOCKING)                                                               \
    X(Put, ONE_SIDED, NONBLOCKING)                                                                 \
    X(Get, ONE_SIDED, NONBLOCKING)                                                                 \
    X(Accumulate, ONE_SIDED, NONBLOCKING)                                                          \
    X(Get_accumulate, ONE_SIDED, NONBLOCKING)                                                      \
    X(Fetch_and_op, ONE_SIDED, NONBLOCKING)                                                        \
    X(Compare_and_swap, ONE_SIDED, NONBLOCKING)                                                    \
    X(Rput, ONE_SIDED, NONBLOCKING)                                                                \
    X(Rget, ONE_SIDED, NONBLOCKING)                                                                \
    X(Raccumulate, ONE_SIDED, NONBLOCKING)                                                         \
    X(Rget_accumulate, ONE_SIDED, NONBLOCKING)                                                     \
    X(File_open, FILES, BLOCKING)                                                                  \
    X(File_close, FILES, BLOCKING)                                                                 \
    X(File_delete, FILES, BLOCKING)                                                                \
    X(File_set_size, FILES, BLOCKING)                                                              \
    X(File_preallocate, FILES, BLOCKING)                                                           \
    X(File_set_view, FILES, BLOCKING)                                                              \
    X(File_sync, FILES, BLOCKING)                                                                  \
    X(File_seek, FILES, BLOCKING)                                                                  \
    X(File_seek_shared, FILES, BLOCKING)                                                           \
    X(File_read, FILES, BLOCKING)                                                                  \
    X(File_read_all, FILES, BLOCKING)                                                              \
    X(File_read_at, FILES, BLOCKING)                                                               \
    X(File_read_at_all, FILES, BLOCKING)                                                           \
    X(File_read_shared, FILES, BLOCKING)                                                           \
    X(File_read_ordered, FILES, BLOCKING)                                                          \
    X(File_write, FILES, BLOCKING)                                                                 \
    X(File_write_all, FILES, BLOCKING)                                                             \
    X(File_write_at, FILES, BLOCKING)                                                              \
    X(File_write_at_all, FILES, BLOCKING)                                                          \
    X(File_write_shared, FILES, BLOCKING)                                                          \
    X(File_write_ordered, FILES, BLOCKING)                                                         \
    X(File_iread, FILES, NONBLOCKING)                                                              \
    X(File_iread_all, FILES, NONBLOCKING)                                                          \
    X(File_iread_at, FILES, NONBLOCKING)                                                           \
    X(File_iread_at_all, FILES, NONBLOCKING)                                                       \
    X(File_iread_shared, FILES, NONBLOCKING)                                                       \
    X(File_iwrite, FILES, NONBLOCKING)                                                             \
    X(File_iwrite_all, FILES, NONBLOCKING)                                                         \
    X(File_iwrite_at, FILES, NONBLOCKING)                                                          \
    X(File_iwrite_at_all, FILES, NONBLOCKING)                                                      \
    X(File_iwrite_shared, FILES, NONBLOCKING)                                                      \
    X(File_read_all_begin, FILES, NONBLOCKING)                                                     \
    X(File_read_all_end, FILES, BLOCKING)                                                          \
    X(File_read_at_all_begin, FILES, NONBLOCKING)                                                  \
    X(File_read_at_all_end, FILES, BLOCKING)                                                       \
    X(File_read_ordered_begin, FILES, NONBLOCKING)                                                 \
    X(File_read_ordered_end, FILES, BLOCKING)                                                      \
    X(File_write_all_begin, FILES, NONBLOCKING)                                                    \
    X(File_write_all_end, FILES, BLOCKING)                                                         \
    X(File_write_at_all_begin, FILES, NONBLOCKING)                                                 \
    X(File_write_at_all_end, FILES, BLOCKING)                                                      \
    X(File_write_ordered_begin, FILES, NONBLOCKING)                                                \
    X(File_write_ordered_end, FILES, BLOCKING)

/* RC_TRACE_Send and so on. */
#define RC_TRACE_KIND_NAME(name, class, manner) RC_TRACE_##name,
enum rc_trace_kind { RC_TRACE_KINDS(RC_TRACE_KIND_NAME) RC_TRACE_KIND_COUNT };
#undef RC_TRACE_KIND_NAME

enum { RC_TRACE_KIND_MAX = 4095 }; /* the largest number that a file may have */

struct rc_trace_kind_info {
    const char *name; /* "MPI_Send" */
    enum rc_trace_class class;
    enum rc_trace_manner manner;
};

/* What is known of a kind; a number of a newer runcast is "an unknown call", RC_TRACE_OTHER. */
const struct rc_trace_kind_info *rc_trace_kind_info(unsigned kind);

/* The kind of the call that waits, for a collective call that does not. */
unsigned rc_trace_kind_blocking(unsigned kind);

/* The number of the kind with that name ("MPI_Send"), or -1. */
int rc_trace_kind_find(const char *name);

#endif
