// SPDX-License-Identifier: GPL-3.0-or-later
/* ahead_program.c - programs whose messages cross iterations: ahead KIND ITERATIONS WORK
 *
 *   halo      receives of the next iteration are posted before those of this one are waited for
 *   ring      a send is waited for in the next iteration, together with its receive
 *   mixed     as halo, with an all-reduce every ten iterations
 *   chain     from the first rank to the last, sends and receives both ahead; the ranks at the ends
 *             make fewer calls than the others
 *
 * WORK: how much each rank computes in an iteration, in thousands of steps. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4096 }; /* doubles in a message */

static int rank, size;
static double in[2][2][LENGTH], out[2][2][LENGTH];
static volatile double sink;

static void compute(long thousands)
{
    double x = 1;

    for (long i = 0; i < thousands * 1000; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}

static void halo(int iterations, long work, int every)
{
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[2][4];
    double sum = 0, all;

    MPI_Irecv(in[0][0], LENGTH, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0][0]);
    MPI_Irecv(in[0][1], LENGTH, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0][1]);
    for (int i = 0; i < iterations; i++) {
        int now = i % 2, next = 1 - now;

        if (i + 1 < iterations) {
            MPI_Irecv(in[next][0], LENGTH, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[next][0]);
            MPI_Irecv(in[next][1], LENGTH, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,
                      &requests[next][1]);
        }
        MPI_Isend(out[now][0], LENGTH, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[now][2]);
        MPI_Isend(out[now][1], LENGTH, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[now][3]);
        compute(work);
        MPI_Waitall(4, requests[now], MPI_STATUSES_IGNORE);
        sum += in[now][0][0];
        if (every && i % every == every - 1)
            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void ring(int iterations, long work)
{
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    for (int i = 0; i < iterations; i++) {
        MPI_Irecv(in[i % 2][0], LENGTH, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (i + 1 < iterations || rank > 0)
            MPI_Isend(out[i % 2][0], LENGTH, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[0]);
        compute(work);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void chain(int iterations, long work)
{
    MPI_Request receives[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, sent = MPI_REQUEST_NULL;

    if (rank > 0)
        MPI_Irecv(in[0][0], LENGTH, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD, &receives[0]);
    for (int i = 0; i < iterations; i++) {
        if (rank > 0 && i + 1 < iterations)
            MPI_Irecv(in[(i + 1) % 2][0], LENGTH, MPI_DOUBLE, rank - 1, 4, MPI_COMM_WORLD,
                      &receives[(i + 1) % 2]);
        if (rank > 0)
            MPI_Wait(&receives[i % 2], MPI_STATUS_IGNORE);
        compute(work);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        if (rank + 1 < size)
            MPI_Isend(out[i % 2][0], LENGTH, MPI_DOUBLE, rank + 1, 4, MPI_COMM_WORLD, &sent);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "halo";
    int iterations = argc > 2 ? atoi(argv[2]) : 400;
    long work = argc > 3 ? atol(argv[3]) : 100;
    double begin;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    begin = MPI_Wtime();
    if (!strcmp(kind, "ring")) {
        /* Rank 0 starts it. */
        if (rank == 0)
            MPI_Send(out[0][0], LENGTH, MPI_DOUBLE, 1 % size, 3, MPI_COMM_WORLD);
        ring(iterations, work);
    } else if (!strcmp(kind, "chain"))
        chain(iterations, work);
    else
        halo(iterations, work, !strcmp(kind, "mixed") ? 10 : 0);
    if (rank == 0)
        printf("{\"seconds\": %.6f, \"check\": \"ok\"}\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
