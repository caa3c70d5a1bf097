// SPDX-License-Identifier: GPL-3.0-or-later
/* calls.c - one call of many kinds, on two ranks, for the tests of the recorder.
 *
 * usage: calls [PART]; each part checks its own results and says so at the end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, other, faults;

static void expect(int what, const char *text)
{
    if (what)
        return;
    fprintf(stderr, "rank %d: %s\n", rank, text);
    faults++;
}

static void point_to_point(void)
{
    int a[4] = {rank, 1, 2, 3}, b[4] = {-1, -1, -1, -1}, flag = 0, count;
    char space[4096];
    void *detached;
    int size;
    MPI_Request requests[4];
    MPI_Status status, statuses[4];
    MPI_Message message;
    MPI_Datatype gib, large;

    MPI_Buffer_attach(space, sizeof space);
    if (rank == 0) {
        MPI_Send(a, 4, MPI_INT, other, 1, MPI_COMM_WORLD);
        MPI_Bsend(a, 3, MPI_INT, other, 2, MPI_COMM_WORLD);
        MPI_Ssend(a, 2, MPI_INT, other, 3, MPI_COMM_WORLD);
        MPI_Send(a, 1, MPI_INT, other, 4, MPI_COMM_WORLD);
        MPI_Send(a, 4, MPI_INT, other, 5, MPI_COMM_WORLD);
        MPI_Send(a, 4, MPI_INT, other, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(b, 4, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(b[0] == 0 && b[3] == 3, "what was received by MPI_Recv");
        MPI_Recv(b, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        expect(status.MPI_SOURCE == 0 && status.MPI_TAG == 3 && count == 2, "a status");
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(b, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(b, 4, MPI_INT, &message, &status);
        MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, &status);
        MPI_Imrecv(b, 4, MPI_INT, &message, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&detached, &size);
    MPI_Send(a, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
    MPI_Recv(a, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_contiguous(1 << 30, MPI_BYTE, &gib);
    for (int i = 3; i <= 5; i += 2) {
        MPI_Type_contiguous(i, gib, &large);
        MPI_Type_commit(&large);
        MPI_Send(a, 2, large, MPI_PROC_NULL, 9, MPI_COMM_WORLD);
        MPI_Type_free(&large);
    }
    MPI_Type_free(&gib);
    MPI_Sendrecv(a, 2, MPI_INT, other, 7, b, 4, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    expect(b[0] == other, "what was received by MPI_Sendrecv");
    MPI_Sendrecv_replace(b, 2, MPI_INT, other, 8, other, 8, MPI_COMM_WORLD, &status);
    expect(b[0] == rank, "what was received by MPI_Sendrecv_replace");

    /* several at once, and in another order */
    MPI_Irecv(&b[0], 1, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&b[1], 1, MPI_INT, other, 11, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&a[0], 1, MPI_INT, other, 10, MPI_COMM_WORLD, &requests[2]);
    MPI_Issend(&a[1], 1, MPI_INT, other, 11, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    expect(b[0] == other && b[1] == 1, "what was received by MPI_Irecv");
    expect(requests[0] == MPI_REQUEST_NULL && requests[3] == MPI_REQUEST_NULL, "requests are gone");
    MPI_Waitall(4, requests, statuses);

    /* persistent ones keep their numbers */
    MPI_Recv_init(&b[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&a[0], 1, MPI_INT, other, 12, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], &status);
        expect(status.MPI_SOURCE == other && status.MPI_TAG == 12, "a status of a persistent one");
    }
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE); /* inactive */
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);

    /* the ways to wait for some of several */
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&b[i], 1, MPI_INT, other, 20 + i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send(&a[i], 1, MPI_INT, other, 20 + i, MPI_COMM_WORLD);
    }
    MPI_Waitany(3, requests, &count, MPI_STATUS_IGNORE);
    expect(count >= 0 && count < 3, "MPI_Waitany");
    for (int left = 2; left > 0;) {
        int n, indices[3];

        MPI_Waitsome(3, requests, &n, indices, statuses);
        left -= n;
    }
    MPI_Irecv(&b[0], 1, MPI_INT, other, 29, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    expect(!flag, "nothing was sent yet");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(a, 1, MPI_INT, other, 29, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    while (!flag)
        MPI_Request_get_status(requests[0], &flag, &status);
    MPI_Wait(&requests[0], &status);
    expect(status.MPI_SOURCE == other, "MPI_Request_get_status");
    flag = 0;
    MPI_Irecv(&b[0], 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &requests[0]);
    for (int i = 0; i < 1000; i++)
        MPI_Test(&requests[0], &flag, &status);
    expect(!flag, "nothing was sent yet");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(a, 1, MPI_INT, other, 30, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&requests[0], &flag, &status);
    expect(status.MPI_SOURCE == other, "MPI_Test");
}

static void collective(void)
{
    int a[8], b[8], counts[2] = {1, 2}, places[2] = {0, 1}, request_counts[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int byte_places[2] = {0, 4};
    MPI_Request request;

    for (int i = 0; i < 8; i++)
        a[i] = 10 * rank + i, b[i] = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(a, 3, MPI_INT, 1, MPI_COMM_WORLD);
    expect(a[0] == 10, "MPI_Bcast");
    MPI_Gather(a, 2, MPI_INT, b, rank == 0 ? 2 : -5, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, 0,
               MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, 2, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gather(a, 2, MPI_INT, NULL, 0, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gatherv(a, rank + 1, MPI_INT, b, rank == 0 ? counts : NULL, rank == 0 ? places : NULL,
                MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(a, rank == 0 ? counts : NULL, rank == 0 ? places : NULL, MPI_INT, b, rank + 1,
                 MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(a, b, 2, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 7, MPI_DATATYPE_NULL, b, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
    request_counts[0] = request_counts[1] = rank + 1;
    MPI_Alltoallv(a, counts, places, MPI_INT, b, request_counts, (int[]){0, rank + 1}, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Alltoallw(a, counts, byte_places, types, b, request_counts, (int[]){0, 4 * (rank + 1)},
                  types, MPI_COMM_WORLD);
    a[0] = rank;
    MPI_Allreduce(MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(a[0] == 1, "MPI_Allreduce");
    MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(b[0] == 2, "MPI_Iallreduce");
}

static void communicators(void)
{
    int size, a[8] = {0}, b[8], one = 1, dims[2] = {2, 1}, periods[2] = {0, 1};
    MPI_Comm world, half, cart, graph, inter, merged, dup;
    MPI_Request request;

    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_split(world, rank, 0, &half);
    MPI_Comm_size(half, &size);
    expect(size == 1, "MPI_Comm_split");
    MPI_Barrier(half);
    MPI_Comm_split(world, rank == 0 ? 0 : MPI_UNDEFINED, 0, &dup);
    expect((dup == MPI_COMM_NULL) == (rank == 1), "MPI_COMM_NULL");
    if (dup != MPI_COMM_NULL)
        MPI_Comm_free(&dup);
    MPI_Cart_create(world, 2, dims, periods, 0, &cart);
    MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, cart);
    MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, cart);
    MPI_Dist_graph_create_adjacent(world, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoallv(a, &one, (int[]){0}, MPI_INT, b, &one, (int[]){0}, MPI_INT, graph);
    MPI_Intercomm_create(half, 0, world, other, 3, &inter);
    MPI_Bcast(a, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    MPI_Intercomm_merge(inter, rank, &merged);
    MPI_Send(a, 1, MPI_INT, MPI_PROC_NULL, 0, merged);
    MPI_Comm_idup(world, &dup, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(dup);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&half);
    for (int i = 0; i < 100; i++) {
        MPI_Comm_dup(world, &dup);
        MPI_Barrier(dup);
        MPI_Comm_free(&dup);
    }
    MPI_Comm_disconnect(&world);
}

static void windows_and_files(const char *name)
{
    int memory[4] = {0}, a = rank, got = -1;
    MPI_Request request;
    MPI_Win win;
    MPI_File file;

    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&a, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    expect(memory[0] == other, "MPI_Put");
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Get(&got, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_unlock(other, win);
    expect(got == rank, "MPI_Get");
    MPI_Win_free(&win);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 4 * rank, &a, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 4 * other, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    expect(got == other, "MPI_File_read_at");
    MPI_File_iread_at(file, 4 * rank, &got, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(got == rank, "MPI_File_iread_at");
    MPI_File_close(&file);
}

/* With numbers that are larger than an int; only some are. */
#if MPI_VERSION >= 4
static void large(void)
{
    MPI_Count counts[2] = {1, 2};
    MPI_Aint places[2] = {0, 1};
    int a[4] = {rank, rank}, b[4];
    MPI_Request request;
    MPI_Comm dup;

    MPI_Send_c(a, (MPI_Count)1 << 33, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Irecv_c(b, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    MPI_Send_c(a, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(b[0] == other, "MPI_Irecv_c");
    MPI_Allgather_c(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv_c(a, rank + 1, MPI_INT, b, counts, places, MPI_INT, MPI_COMM_WORLD);
    expect(b[0] == 0 && b[2] == 1, "MPI_Allgatherv_c");
    MPI_Alltoallw_c(a, counts, (MPI_Aint[]){0, 0}, (MPI_Datatype[]){MPI_INT, MPI_INT}, b,
                    (MPI_Count[]){rank + 1, rank + 1}, (MPI_Aint[]){0, 8},
                    (MPI_Datatype[]){MPI_INT, MPI_INT}, MPI_COMM_WORLD);
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &dup, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(dup);
    MPI_Comm_free(&dup);
    for (int i = 0; i < 2; i++) {
        MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Request_free(&request);
    }
}
#endif

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "p2p";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    other = 1 - rank;
    expect(ranks == 2, "two ranks are needed");
    if (strcmp(part, "p2p") == 0)
        point_to_point();
    else if (strcmp(part, "collective") == 0)
        collective();
    else if (strcmp(part, "communicators") == 0)
        communicators();
    else if (strcmp(part, "others") == 0)
        windows_and_files(argc > 2 ? argv[2] : "others.data");
#if MPI_VERSION >= 4
    else if (strcmp(part, "large") == 0)
        large();
#endif
    if (rank == 0 && faults == 0)
        printf("%s: all as it should be\n", part);
    MPI_Finalize();
    return faults != 0;
}
