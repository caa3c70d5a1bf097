// SPDX-License-Identifier: GPL-3.0-or-later
/* pmpi_calls.c - many short MPI calls of one rank with itself, for bench/pmpi.py.
 *
 * usage: pmpi_calls KIND CALLS; prints the nanoseconds of one call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

/* Each does four calls. */
static void exchange(void)
{
    static double a[4], b[4];
    MPI_Request requests[2];

    MPI_Irecv(b, 4, MPI_DOUBLE, rank, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(a, 4, MPI_DOUBLE, rank, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
}

static void probe(void)
{
    int flag;

    for (int i = 0; i < 4; i++)
        MPI_Iprobe(rank, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void nothing(void)
{
    int a = 0;

    for (int i = 0; i < 4; i++)
        MPI_Send(&a, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*body)(void);
    } kinds[] = {{"exchange", exchange}, {"probe", probe}, {"nothing", nothing}};
    double start;
    long calls;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    calls = argc > 2 ? atol(argv[2]) : 1000000;
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, argv[1]) == 0) {
            for (int j = 0; j < 1000; j++)
                kinds[i].body();
            start = MPI_Wtime();
            for (long j = 0; j < calls / 4; j++)
                kinds[i].body();
            printf("%.2f\n", (MPI_Wtime() - start) / (double)calls * 1e9);
        }
    MPI_Finalize();
    return 0;
}
