// SPDX-License-Identifier: GPL-3.0-or-later
/* ends.c - the ways in which programs end, and much to record before, for the tests of the recorder.
 *
 * usage: ends finalize|exit|late|abort|handler|signal|kill|fork|full|gaps|rounds|memory|
 * requests|spawn|child */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* CPU time of this thread. */
static double used(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(double seconds)
{
    double end = used() + seconds;

    while (used() < end)
        ;
}

/* Half of each gap, or more where others are on the core, is spent without working. */
static void gaps(void)
{
    for (int i = 0; i < 20; i++) {
        work(0.002);
        usleep(2000);
        MPI_Barrier(MPI_COMM_SELF);
    }
}

/* A loop, come to again and again, whose first gap is long, and for the most part spent with
 * sleeping; the others are work, and too short to be measured each time. */
static void rounds(void)
{
    int a = 0;

    for (int i = 0; i < 100; i++) {
        MPI_Send(&a, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        work(0.002);
        usleep(8000);
        for (int k = 0; k < 64; k++) {
            MPI_Barrier(MPI_COMM_SELF);
            work(50e-6);
        }
    }
}

/* Each gap touches 8 MiB of 64, and writes 64 KiB.  How often a recorder looks follows the CPU time,
 * so that this goes on for as long as it takes to get 2 s of it, however busy the machine is. */
static void memory(void)
{
    enum { ALL = 64 << 20, PART = 8 << 20, PAGE = 4096, FILE_SIZE = 64 << 10 };
    char *space = malloc(ALL);
    FILE *file = fopen("/dev/null", "w");

    memset(space, 1, ALL);
    setvbuf(file, NULL, _IONBF, 0);
    for (int i = 0; used() < 2; i++) {
        for (int j = 0; j < PART; j += PAGE)
            space[j] = (char)i;
        fwrite(space, 1, FILE_SIZE, file);
        work(0.003);
        MPI_Barrier(MPI_COMM_SELF);
    }
    fclose(file);
    free(space);
}

/* More requests than are told apart. */
static void requests(void)
{
    enum { MANY = 140000 };
    MPI_Request *all = malloc(MANY * sizeof *all);
    int a = 0;

    for (int i = 0; i < MANY; i++)
        MPI_Isend(&a, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &all[i]);
    MPI_Waitall(MANY, all, MPI_STATUSES_IGNORE);
    free(all);
}

/* Calls that never fold. */
static void irregular(void)
{
    unsigned x = 1;
    int a = 0;

    for (int i = 0; i < 300000; i++) {
        x = x * 1664525 + 1013904223;
        MPI_Send(&a, 0, MPI_INT, MPI_PROC_NULL, (int)(x >> 9), MPI_COMM_WORLD);
    }
}

/* This program again, as three ranks more. */
static void spawn(char *program)
{
    char child[] = "child", *words[] = {child, NULL};
    MPI_Comm children;

    MPI_Comm_spawn(program, words, 3, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&children);
}

static void leave_parent(void)
{
    MPI_Comm parent;

    MPI_Comm_get_parent(&parent);
    MPI_Comm_disconnect(&parent);
}

static void finalize(void)
{
    MPI_Finalize();
}

static void give_up(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    MPI_Abort(*comm, 4);
}

/* From inside of a call that fails. */
static void abort_in_handler(void)
{
    MPI_Errhandler handler;
    int a = 0;

    MPI_Comm_create_errhandler(give_up, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Send(&a, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

static void abort_by_signal(int number)
{
    (void)number;
    MPI_Abort(MPI_COMM_WORLD, 4);
}

/* From inside of one that never returns. */
static void abort_while_waiting(void)
{
    int a;

    signal(SIGALRM, abort_by_signal);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 200000}}, NULL);
    MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "finalize";
    int a = 0;

    if (strcmp(how, "late") == 0) /* before MPI_Init: and so it comes after what that asks for */
        atexit(finalize);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        MPI_Send(&a, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    if (strcmp(how, "exit") == 0 || strcmp(how, "late") == 0)
        exit(3);
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
    if (strcmp(how, "handler") == 0)
        abort_in_handler();
    if (strcmp(how, "signal") == 0)
        abort_while_waiting();
    if (strcmp(how, "full") == 0) /* as a disk would be */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, 100000});
    if (strcmp(how, "full") == 0 || strcmp(how, "kill") == 0)
        irregular();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "gaps") == 0)
        gaps();
    if (strcmp(how, "rounds") == 0)
        rounds();
    if (strcmp(how, "memory") == 0)
        memory();
    if (strcmp(how, "requests") == 0)
        requests();
    if (strcmp(how, "spawn") == 0)
        spawn(argv[0]);
    if (strcmp(how, "child") == 0)
        leave_parent();
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();

        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    puts("went on to the end");
    MPI_Finalize();
    return 0;
}
