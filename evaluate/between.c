// SPDX-License-Identifier: GPL-3.0-or-later
/* between.c - a library that is loaded into an MPI program and measures its time from MPI_Init to
 * MPI_Finalize.  It writes the seconds of the slowest rank to the file that $RUNCAST_BETWEEN names.
 *
 * A trace has this time, too, but tracing takes time itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double began;

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);

    began = PMPI_Wtime();
    return result;
}

int MPI_Finalize(void)
{
    double seconds = PMPI_Wtime() - began, most = 0;
    const char *path = getenv("RUNCAST_BETWEEN");
    FILE *file;
    int rank;

    PMPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && path && (file = fopen(path, "w"))) {
        fprintf(file, "%.9f\n", most);
        fclose(file);
    }
    return PMPI_Finalize();
}
