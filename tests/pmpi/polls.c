// SPDX-License-Identifier: GPL-3.0-or-later
/* polls.c - tests that find nothing, with and without computing between them, for the tests of the
 * recorder.  Meanwhile there is a clock that goes on when it is read, so that it takes as long
 * wherever it runs. */
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STEP = 50 }; /* ns */

static long now; /* ns; 0: the true time */

int clock_gettime(clockid_t which, struct timespec *time)
{
    if (now == 0 || which != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, which, time);
    now += STEP;
    *time = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
    return 0;
}

static long read_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void compute(long ns)
{
    long end = read_clock() + ns;

    while (read_clock() < end)
        ;
}

int main(int argc, char **argv)
{
    MPI_Request request;
    int a = 0, b, flag;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&b, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    now = read_clock();
    MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 1000; i++) {
        compute(10000);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 1000; i++)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
    now = 0;
    MPI_Send(&a, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
