// SPDX-License-Identifier: GPL-3.0-or-later
/* app.h - what the workloads share: options, the split of the data, counted operations, the report.
 *
 *     PROGRAM --size N --iterations K [--seed S] [--split f1,f2,...] [--checkpoint K] [--resume]
 *             [--directory DIR] [--real]
 *
 * One source is built for Open MPI, for MPICH and for SimGrid's SMPI.  There a program computes
 * nothing unless --real is given: it is *charged*.  It sends the same messages and counts the same
 * operations, which the simulator turns into time, but has no large arrays, so that a simulated run
 * is exact, repeatable and quick.  A program therefore asks app.charged before it touches its data:
 *
 *     if (!app.charged)
 *         sweep(u, ...);
 *     app_work(&app, 6.0 * points);
 *
 * Every function that fails says why on standard error and ends all ranks. */
#ifndef APP_H
#define APP_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole number that one program alone takes.  The last of a table has no name. */
struct app_option {
    const char *name; /* "--rows"; it stands in the report without its dashes */
    const char *help;
    long *value, least; /* what it is where not given, and when it is reported; not less than */
};

/* All that a rank must keep for the next iteration, in up to so many parts; those that are not used
 * have no bytes. */
enum { APP_PARTS = 8 };
struct app_state {
    struct {
        void *data;
        size_t bytes;
    } part[APP_PARTS];
};

struct app {
    const char *name;
    int rank, size; /* in MPI_COMM_WORLD */
    bool charged;
    long n; /* problem size */
    long iterations;
    uint64_t seed;
    double *split;         /* share of the data of each rank, summing to 1; NULL: all alike */
    long checkpoint;       /* write a checkpoint after every so many iterations; 0: never */
    bool resume;           /* go on from the last checkpoint */
    const char *directory; /* where checkpoints are */
    const struct app_option *own; /* NULL: none */
    uint64_t run;                 /* a number that no other run has */
    long resumed;                 /* the iteration that it went on from; 0: from the beginning */
    double written, read;         /* bytes of checkpoints of this rank */
    double file_seconds;          /* that writing and reading them took this rank */
    double memory;                /* bytes of data and buffers of this rank */
    double operations;            /* counted on this rank */
    double seconds;               /* between app_start() and app_stop() */
};

/* Reads the options; `size` and `iterations` are what they are where not given. */
void app_begin(struct app *app, int *argc, char ***argv, const char *name, long size,
               long iterations);
/* The same with options of the program's own. */
void app_begin_with(struct app *app, int *argc, char ***argv, const char *name, long size,
                    long iterations, const struct app_option *own);

/* Ends all ranks with a message; where all of them fail alike, it is printed once. */
void app_fail(const struct app *app, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* Memory for data that only real computing touches; NULL, but counted, where it is charged. */
void *app_data(struct app *app, size_t count, size_t size);
/* Memory that messages are sent from and received into; always there.  Where it is charged, its
 * content has no meaning, and buffers of any size take little memory. */
void *app_buffer(struct app *app, size_t count, size_t size);
void app_free(const struct app *app, void *data_or_buffer);

/* Counts operations and, where it is charged, lets the time pass that they take. */
void app_work(struct app *app, double operations);

/* Which part of `total` items is this rank's (or `rank`'s), by --split or as evenly as can be. */
void app_share(const struct app *app, int rank, long total, long *first, long *count);

/* Random numbers that depend on the seed and on `index` alone, however the data is split: in
 * [0, 1), and any 64 bits. */
double app_random(const struct app *app, uint64_t index);
uint64_t app_random_bits(const struct app *app, uint64_t index);

/* The time between the two is what is reported; all ranks call both. */
void app_start(struct app *app);
void app_stop(struct app *app);

/* After iteration `iteration` (from 1), on all ranks: keeps the state if it is time for it, in one
 * file of each rank.  The one before it is kept too: a run may be killed when some ranks have
 * written and others have not.  All ranks wait for each other first, so that none is further ahead
 * than that.  A rank whose state has no bytes has no file.  Nothing is written where it is charged,
 * but they wait all the same. */
void app_checkpoint(struct app *app, long iteration, struct app_state state);

/* Where --resume is given, reads the newest state that all ranks have back, and returns the
 * iteration after which it was: the next one is to be done.  0, and the state is as it was, where
 * some rank has none, which is said.  A file that is not whole, or of a run that was asked for
 * something else, is refused; if nothing else is left, all ranks end.  All ranks call it, before
 * the first iteration. */
long app_resume(struct app *app, struct app_state state);

/* The larger of two errors.  One that is no number is the worst, and stays so: fmax() would drop
 * it. */
double app_worse(double a, double b);
/* The largest, and the sum, over all ranks. */
double app_max(double x);
double app_sum(double x);

/* Prints one JSON line from rank 0 and ends MPI.  `error` is how far the result is from what it
 * should be, and `tolerance` how far it may be; where the run was charged neither is looked at.
 * Returns the exit status: 0, or 1 where the result is wrong. */
int app_end(struct app *app, double error, double tolerance);

#endif
