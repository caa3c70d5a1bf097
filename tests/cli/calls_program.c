// SPDX-License-Identifier: GPL-3.0-or-later
/* calls_program.c - programs with calls that are seldom made: calls KIND ITERATIONS, on 4 ranks
 *
 *   buffered   long messages by MPI_Bsend, head to head
 *   freed      the same by MPI_Isend, whose requests are freed
 *   short      short ones by MPI_Send, head to head
 *   left       at the end, the first rank sends to all others and does not wait for it
 *   grid       neighbours in a grid of 2 x 2, periodic in one dimension
 *   graph      neighbours in a graph: each of a ring sends to the next two
 *   files      all write, more from iteration to iteration; the first rank reads
 *   gathered   all of a lot is gathered by the last rank
 *   anyone     messages along two axes, received from whoever sends them, with a tag for each axis
 *   asked      messages that are waited for in many ways
 *   started    messages to both sides of a ring by MPI_Startall, then one by MPI_Start */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1 << 20, RANKS = 4 };

static int rank;
static char out[LENGTH], in[RANKS * LENGTH];

static void head_to_head(int iterations, int is_buffered)
{
    int other = rank ^ 1, size = LENGTH + MPI_BSEND_OVERHEAD;
    char *buffer = malloc(4 * (size_t)size);
    MPI_Request request;

    if (is_buffered)
        MPI_Buffer_attach(buffer, 4 * size);
    for (int i = 0; i < iterations; i++) {
        if (is_buffered) {
            MPI_Bsend(out, LENGTH, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        } else {
            MPI_Isend(out, LENGTH, MPI_BYTE, other, 1, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
        }
        MPI_Recv(in, LENGTH, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (is_buffered)
        MPI_Buffer_detach(&buffer, &size);
    free(buffer);
}

static void short_ones(int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Send(out, 8, MPI_BYTE, rank ^ 1, 1, MPI_COMM_WORLD);
        MPI_Recv(in, 8, MPI_BYTE, rank ^ 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void left(int iterations)
{
    MPI_Request request;

    for (int i = 0; i < iterations; i++)
        MPI_Allreduce(out, in, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < RANKS; i++)
        MPI_Isend(out, 8, MPI_BYTE, i, 1, MPI_COMM_WORLD, &request);
    if (rank > 0)
        MPI_Recv(in, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void grid(int iterations)
{
    int sizes[] = {2, 2}, periods[] = {1, 0};
    MPI_Request request;
    MPI_Comm comm;

    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &comm);
    for (int i = 0; i < iterations; i++) {
        MPI_Neighbor_alltoall(out, 1000, MPI_BYTE, in, 1000, MPI_BYTE, comm);
        MPI_Ineighbor_allgather(out, 100, MPI_INT, in, 100, MPI_INT, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}

/* What rank r sends to the next one; to the one behind that, twice as much. */
static int sent_by(int r)
{
    return 1000 * (1 + (r + RANKS) % RANKS);
}

static void graph(int iterations)
{
    int sources[] = {(rank + 3) % RANKS, (rank + 2) % RANKS};
    int destinations[] = {(rank + 1) % RANKS, (rank + 2) % RANKS}, weights[] = {1, 1};
    int given[] = {sent_by(rank), 2 * sent_by(rank)}, given_places[] = {0, sent_by(rank)};
    int got[] = {sent_by(rank - 1), 2 * sent_by(rank - 2)}, got_places[] = {0, sent_by(rank - 1)};
    int same[] = {500, 500}, same_places[] = {0, 500};
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights,
                                   MPI_INFO_NULL, 0, &comm);
    for (int i = 0; i < iterations; i++) {
        MPI_Neighbor_alltoallv(out, given, given_places, MPI_BYTE, in, got, got_places, MPI_BYTE,
                               comm);
        MPI_Neighbor_allgatherv(out, 500, MPI_BYTE, in, same, same_places, MPI_BYTE, comm);
    }
    MPI_Comm_free(&comm);
}

static void files(int iterations)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, "calls.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < iterations; i++) {
        MPI_Offset place = (MPI_Offset)rank * LENGTH;

        MPI_File_write_at(file, place, out, 500000 + 1000 * i, MPI_BYTE, MPI_STATUS_IGNORE);
        if (rank == 0)
            MPI_File_read_at(file, 0, in, 200000, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
}

static void gathered(int iterations)
{
    int counts[RANKS], places[RANKS];

    for (int i = 0; i < RANKS; i++) {
        counts[i] = LENGTH;
        places[i] = i * LENGTH;
    }
    for (int i = 0; i < iterations; i++)
        MPI_Gatherv(out, LENGTH, MPI_BYTE, in, counts, places, MPI_BYTE, RANKS - 1, MPI_COMM_WORLD);
}

static void anyone(int iterations)
{
    MPI_Request request;

    for (int i = 0; i < iterations; i++)
        for (int axis = 0; axis < 2; axis++) {
            MPI_Irecv(in, 1000, MPI_BYTE, MPI_ANY_SOURCE, axis, MPI_COMM_WORLD, &request);
            MPI_Send(out, 1000, MPI_BYTE, rank ^ (1 << axis), axis, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
}

/* Posts a message to each side of a ring, and one from there. */
static void exchange(MPI_Request *requests, int tag)
{
    int left_one = (rank + RANKS - 1) % RANKS, right_one = (rank + 1) % RANKS;

    MPI_Irecv(in, 1000, MPI_BYTE, left_one, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + LENGTH, 1000, MPI_BYTE, right_one, tag + 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, 1000, MPI_BYTE, right_one, tag, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out, 1000, MPI_BYTE, left_one, tag + 1, MPI_COMM_WORLD, &requests[3]);
}

static void asked(int iterations)
{
    int left_one = (rank + RANKS - 1) % RANKS, right_one = (rank + 1) % RANKS, which;

    for (int i = 0; i < iterations; i++) {
        MPI_Request requests[4];

        exchange(requests, 1);
        for (int done = 0; !done;)
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
        for (int done = 0; !done;)
            MPI_Testany(1, &requests[1], &which, &done, MPI_STATUS_IGNORE);
        for (int done = 0; !done;)
            MPI_Testall(2, requests + 2, &done, MPI_STATUSES_IGNORE);
        exchange(requests, 3);
        for (int k = 0; k < 4; k++)
            MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
        MPI_Send(out, 1000, MPI_BYTE, right_one, 5, MPI_COMM_WORLD);
        MPI_Probe(left_one, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(in, 1000, MPI_BYTE, left_one, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, 1000, MPI_BYTE, right_one, 6, MPI_COMM_WORLD);
        for (int found = 0; !found;)
            MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Recv(in, 1000, MPI_BYTE, left_one, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv_replace(in, 1000, MPI_BYTE, right_one, 7, left_one, 7, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
}

static void started(int iterations)
{
    int left_one = (rank + RANKS - 1) % RANKS, right_one = (rank + 1) % RANKS;
    MPI_Request requests[5];

    MPI_Recv_init(in, 1000, MPI_BYTE, left_one, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in + LENGTH, 1000, MPI_BYTE, right_one, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(out, 1000, MPI_BYTE, right_one, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Ssend_init(out, 1000, MPI_BYTE, left_one, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Send_init(out, 100, MPI_BYTE, right_one, 3, MPI_COMM_WORLD, &requests[4]);
    MPI_Barrier(MPI_COMM_WORLD); /* so that the first iteration is like the others */
    for (int i = 0; i < iterations; i++) {
        MPI_Startall(2, requests);
        MPI_Startall(2, requests + 2);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        MPI_Start(&requests[4]);
        MPI_Recv(in, 100, MPI_BYTE, left_one, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[4], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 5; i++)
        MPI_Request_free(&requests[i]);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int iterations = argc > 2 ? atoi(argv[2]) : 10;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(kind, "buffered") || !strcmp(kind, "freed"))
        head_to_head(iterations, kind[0] == 'b');
    else if (!strcmp(kind, "short"))
        short_ones(iterations);
    else if (!strcmp(kind, "left"))
        left(iterations);
    else if (!strcmp(kind, "grid"))
        grid(iterations);
    else if (!strcmp(kind, "graph"))
        graph(iterations);
    else if (!strcmp(kind, "files"))
        files(iterations);
    else if (!strcmp(kind, "gathered"))
        gathered(iterations);
    else if (!strcmp(kind, "anyone"))
        anyone(iterations);
    else if (!strcmp(kind, "asked"))
        asked(iterations);
    else if (!strcmp(kind, "started"))
        started(iterations);
    else
        fprintf(stderr, "calls: what is '%s'?\n", kind);
    MPI_Finalize();
    return 0;
}
