// SPDX-License-Identifier: GPL-3.0-or-later
/* threads.c - several threads that call MPI at once, for the tests of the recorder. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 500, MATCHED = 10 };

static int rank, faults;

static void *talk(void *data)
{
    int tag = *(int *)data, other = 1 - rank;
    MPI_Request requests[2];
    MPI_Message message;

    for (int i = 0; i < ROUNDS; i++) {
        int a = i * 10 + tag, b = -1;

        MPI_Irecv(&b, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&a, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (b != a)
            __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
        MPI_Send(&a, 1, MPI_INT, other, MATCHED + tag, MPI_COMM_WORLD);
        MPI_Mprobe(other, MATCHED + tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&b, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    return NULL;
}

/* A thread that ends inside of a call, as one that is cancelled does. */
#ifdef OPEN_MPI
static void leave(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    pthread_exit(NULL);
}

static void *vanish(void *data)
{
    int a = 0;

    MPI_Send(&a, 1, MPI_INT, 99, 0, MPI_COMM_SELF);
    return data;
}

static void lose_a_thread(void)
{
    MPI_Errhandler handler;
    pthread_t thread;

    MPI_Comm_create_errhandler(leave, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    pthread_create(&thread, NULL, vanish, NULL);
    pthread_join(thread, NULL);
}
#else
static void lose_a_thread(void) /* others hold a lock there, for good */
{
}
#endif

int main(int argc, char **argv)
{
    int level, tags[THREADS];
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level != MPI_THREAD_MULTIPLE) {
        puts("no threads here");
        MPI_Finalize();
        return 77;
    }
    lose_a_thread();
    for (int round = 0; round < 2; round++) { /* the second ones take over from the first */
        for (int i = 0; i < THREADS; i++) {
            tags[i] = i;
            pthread_create(&threads[i], NULL, talk, &tags[i]);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    if (rank == 0 && faults == 0)
        puts("threads: all as it should be");
    MPI_Finalize();
    return faults != 0;
}
