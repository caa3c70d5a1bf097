// SPDX-License-Identifier: GPL-3.0-or-later
/* reuse.c - two threads, of which one gets a message with the handle of that which the other has
 * just received, before the call that received it returns; for the tests of the recorder. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static MPI_Message second;

static void *probe(void *data)
{
    MPI_Mprobe(0, 2, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    return data;
}

/* What the recorder calls: the first time, the other thread comes in between. */
int PMPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    static int calls;
    int (*next)(void *, int, MPI_Datatype, MPI_Message *, MPI_Status *) =
        (int (*)(void *, int, MPI_Datatype, MPI_Message *, MPI_Status *))dlsym(RTLD_NEXT,
                                                                               "PMPI_Mrecv");
    MPI_Message first = *message;
    int result = next(buffer, count, type, message, status);
    pthread_t thread;

    if (calls++ == 0) {
        pthread_create(&thread, NULL, probe, NULL);
        pthread_join(thread, NULL);
        puts(first == second ? "the same handle" : "another handle");
    }
    return result;
}

int main(int argc, char **argv)
{
    MPI_Message message;
    MPI_Request requests[2];
    int level, a = 0, b;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level != MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    for (int i = 0; i < 2; i++)
        MPI_Isend(&a, 1, MPI_INT, 0, 1 + i, MPI_COMM_WORLD, &requests[i]);
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&b, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&b, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
