// SPDX-License-Identifier: GPL-3.0-or-later
/* app.c - what the workloads share. */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef APP_SMPI
#include <smpi/smpi.h>
#endif

void app_fail(const struct app *app, const char *format, ...)
{
    va_list arguments;

    if (app->rank > 0)
        usleep(200000); /* if rank 0 has the same to say, it has said it by then, and ended all */
    fprintf(stderr, "%s: ", app->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

/* ---- options ---- */

static long whole_number(const struct app *app, const char *name, const char *text, long least)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < least)
        app_fail(app, "%s: '%s' is not a whole number from %ld on", name, text, least);
    return value;
}

/* Shares of any size; they are scaled to sum to 1. */
static void read_split(struct app *app, const char *text)
{
    double sum = 0;

    app->split = malloc((size_t)app->size * sizeof *app->split);
    if (!app->split)
        app_fail(app, "out of memory");
    for (int i = 0; i < app->size; i++) {
        char *end;

        app->split[i] = strtod(text, &end);
        if (end == text || !(app->split[i] > 0) || *end != (i + 1 < app->size ? ',' : '\0'))
            app_fail(app, "--split: '%s' is not a share for each of %d ranks", text, app->size);
        sum += app->split[i];
        text = end + 1;
    }
    for (int i = 0; i < app->size; i++)
        app->split[i] /= sum;
}

static void read_option(struct app *app, const char *name, const char *value)
{
    if (strcmp(name, "--size") == 0)
        app->n = whole_number(app, name, value, 1);
    else if (strcmp(name, "--iterations") == 0)
        app->iterations = whole_number(app, name, value, 1);
    else if (strcmp(name, "--seed") == 0)
        app->seed = (uint64_t)whole_number(app, name, value, 0);
    else if (strcmp(name, "--checkpoint") == 0)
        app->checkpoint = whole_number(app, name, value, 1);
    else if (strcmp(name, "--directory") == 0)
        app->directory = value;
    else if (strcmp(name, "--split") == 0)
        read_split(app, value);
    else
        app_fail(app, "unknown option '%s'", name);
}

static void show_help(const struct app *app)
{
    if (app->rank == 0)
        printf("usage: %s [--size N] [--iterations K] [--seed S] [--split f1,f2,...]\n"
               "           [--checkpoint K] [--directory DIR] [--real]\n"
               "defaults: --size %ld --iterations %ld --seed %llu\n",
               app->name, app->n, app->iterations, (unsigned long long)app->seed);
    MPI_Finalize();
    exit(0);
}

void app_begin(struct app *app, int *argc, char ***argv, const char *name, long size,
               long iterations)
{
    *app = (struct app){.name = name, .n = size, .iterations = iterations, .seed = 1,
                        .directory = "."};
#ifdef APP_SMPI
    app->charged = true;
#endif
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &app->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &app->size);
    for (int i = 1; i < *argc; i++) {
        if (strcmp((*argv)[i], "--help") == 0)
            show_help(app);
        if (strcmp((*argv)[i], "--real") == 0) {
            app->charged = false;
            continue;
        }
        if (i + 1 == *argc)
            app_fail(app, "'%s' needs a value", (*argv)[i]);
        read_option(app, (*argv)[i], (*argv)[i + 1]);
        i++;
    }
}

/* ---- memory ---- */

static size_t count_memory(struct app *app, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        app_fail(app, "out of memory");
    app->memory += (double)count * (double)size;
    return count > 0 && size > 0 ? count * size : 1;
}

void *app_data(struct app *app, size_t count, size_t size)
{
    size_t bytes = count_memory(app, count, size);
    void *data = app->charged ? NULL : calloc(1, bytes);

    if (!data && !app->charged)
        app_fail(app, "out of memory: %zu bytes", bytes);
    return data;
}

void *app_buffer(struct app *app, size_t count, size_t size)
{
    size_t bytes = count_memory(app, count, size);
    void *buffer;

#ifdef APP_SMPI
    if (app->charged)
        return SMPI_SHARED_MALLOC(bytes);
#endif
    buffer = calloc(1, bytes);
    if (!buffer)
        app_fail(app, "out of memory: %zu bytes", bytes);
    return buffer;
}

void app_free(const struct app *app, void *data_or_buffer)
{
#ifdef APP_SMPI
    if (app->charged) {
        if (data_or_buffer)
            SMPI_SHARED_FREE(data_or_buffer);
        return;
    }
#endif
    (void)app;
    free(data_or_buffer);
}

/* ---- work ---- */

void app_work(struct app *app, double operations)
{
    app->operations += operations;
#ifdef APP_SMPI
    if (app->charged && operations > 0)
        smpi_execute_flops(operations);
#endif
}

void app_share(const struct app *app, int rank, long total, long *first, long *count)
{
    double before = 0, with;

    if (!app->split) {
        *first = total / app->size * rank + (rank < total % app->size ? rank : total % app->size);
        *count = total / app->size + (rank < total % app->size ? 1 : 0);
        return;
    }
    for (int i = 0; i < rank; i++)
        before += app->split[i];
    with = rank + 1 == app->size ? 1 : before + app->split[rank];
    *first = lround(before * (double)total);
    *count = lround(with * (double)total) - *first;
}

/* The finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014) on a counter. */
uint64_t app_random_bits(const struct app *app, uint64_t index)
{
    uint64_t x = (app->seed + 1) * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double app_random(const struct app *app, uint64_t index)
{
    return (double)(app_random_bits(app, index) >> 11) * 0x1p-53;
}

/* ---- time ---- */

void app_start(struct app *app)
{
    MPI_Barrier(MPI_COMM_WORLD);
    app->seconds = -MPI_Wtime();
}

void app_stop(struct app *app)
{
    MPI_Barrier(MPI_COMM_WORLD);
    app->seconds += MPI_Wtime();
}

double app_worse(double a, double b)
{
    const double worst = 1e300; /* JSON has no word for infinity */

    if (!(fabs(a) < worst) || !(fabs(b) < worst))
        return worst;
    return a > b ? a : b;
}

double app_max(double x)
{
    double most;

    MPI_Allreduce(&x, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

double app_sum(double x)
{
    double sum;

    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* ---- checkpoints ---- */

static void checkpoint_path(const struct app *app, char path[4096], const char *ending)
{
    snprintf(path, 4096, "%s/%s-%d-of-%d.checkpoint%s", app->directory, app->name, app->rank,
             app->size, ending);
}

void app_checkpoint(struct app *app, long iteration, const void *data, size_t bytes)
{
    char path[4096], partial[4096];
    FILE *file;

    if (app->checkpoint == 0 || iteration % app->checkpoint != 0 || app->charged)
        return;
    checkpoint_path(app, path, "");
    checkpoint_path(app, partial, ".partial");
    file = fopen(partial, "wb");
    if (!file)
        app_fail(app, "cannot write %s: %s", partial, strerror(errno));
    if (fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0 || rename(partial, path) != 0)
        app_fail(app, "cannot write %s: %s", path, strerror(errno));
}

bool app_restore(struct app *app, void *data, size_t bytes)
{
    char path[4096];
    FILE *file;
    bool whole;

    if (app->charged)
        return false;
    checkpoint_path(app, path, "");
    file = fopen(path, "rb");
    if (!file)
        return false;
    whole = fread(data, 1, bytes, file) == bytes && fgetc(file) == EOF;
    fclose(file);
    return whole;
}

/* ---- the report ---- */

int app_end(struct app *app, double error, double tolerance)
{
    double memory = app_max(app->memory), operations = app_sum(app->operations);
    bool good = app->charged || app_worse(error, 0) <= tolerance;
    int status = good ? 0 : 1;

    if (app->rank == 0) {
        printf("{\"app\": \"%s\", \"n\": %ld, \"p\": %d, \"iterations\": %ld, "
               "\"seconds\": %.15g, \"check\": \"%s\", \"error\": %.3g, "
               "\"memory\": %.0f, \"operations\": %.0f}\n",
               app->name, app->n, app->size, app->iterations, app->seconds,
               app->charged ? "charged" : good ? "ok" : "wrong",
               app->charged ? 0 : app_worse(error, 0), memory, operations);
        fflush(stdout);
    }
    if (!good && app->rank == 0)
        fprintf(stderr, "%s: the result is off by %g, more than %g\n", app->name, error,
                tolerance);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(app->split);
    MPI_Finalize();
    return status;
}
