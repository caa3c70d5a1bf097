// SPDX-License-Identifier: GPL-3.0-or-later
/* late.c - a program that loads MPI when it is under way, as Python does, for the tests of the
 * recorder.  With -DMODULE it is what is loaded.
 *
 * usage: late MODULE */
#include <stdio.h>

#ifdef MODULE
#include <mpi.h>

int run(void);

int run(void)
{
    int rank, sum;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        puts(sum == 1 ? "late: all as it should be" : "a wrong sum");
    MPI_Finalize();
    return sum != 1;
}
#else
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(void) = module ? (int (*)(void))dlsym(module, "run") : NULL;

    return run ? run() : 1;
}
#endif
