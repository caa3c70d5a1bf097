// SPDX-License-Identifier: GPL-3.0-or-later
/* app.c - what the workloads share. */
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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
#ifdef APP_SMPI
    fflush(NULL);
    _exit(2); /* all ranks are threads of it, and MPI_Abort() would leave the exit status at 0 */
#endif
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

static void read_own_option(const struct app *app, const char *name, const char *value)
{
    for (const struct app_option *own = app->own; own && own->name; own++)
        if (strcmp(name, own->name) == 0) {
            *own->value = whole_number(app, name, value, own->least);
            return;
        }
    app_fail(app, "unknown option '%s'", name);
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
        read_own_option(app, name, value);
}

/* Whether it is an option that has no value. */
static bool read_flag(struct app *app, const char *name)
{
    if (strcmp(name, "--real") == 0)
        app->charged = false;
    else if (strcmp(name, "--resume") == 0)
        app->resume = true;
    else
        return false;
    return true;
}

static void show_help(const struct app *app)
{
    if (app->rank == 0) {
        printf("usage: %s [--size N] [--iterations K] [--seed S] [--split f1,f2,...]\n"
               "           [--checkpoint K] [--resume] [--directory DIR] [--real]\n"
               "defaults: --size %ld --iterations %ld --seed %llu --directory %s\n",
               app->name, app->n, app->iterations, (unsigned long long)app->seed, app->directory);
        for (const struct app_option *own = app->own; own && own->name; own++)
            printf("%s K: %s\n", own->name, own->help);
    }
    MPI_Finalize();
    exit(0);
}

/* A number for this run, which its checkpoints bear. */
static void number_run(struct app *app)
{
    struct timespec now;
    struct app other = {.seed = 0}; /* than this, for its random numbers */

    clock_gettime(CLOCK_REALTIME, &now);
    other.seed = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    app->run = app_random_bits(&other, (uint64_t)getpid());
    MPI_Bcast(&app->run, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

void app_begin_with(struct app *app, int *argc, char ***argv, const char *name, long size,
                    long iterations, const struct app_option *own)
{
    *app = (struct app){
        .name = name, .n = size, .iterations = iterations, .seed = 1, .directory = ".", .own = own};
#ifdef APP_SMPI
    app->charged = true;
#endif
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &app->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &app->size);
    for (int i = 1; i < *argc; i++) {
        if (strcmp((*argv)[i], "--help") == 0)
            show_help(app);
        if (read_flag(app, (*argv)[i]))
            continue;
        if (i + 1 == *argc)
            app_fail(app, "unknown option '%s', or it needs a value", (*argv)[i]);
        read_option(app, (*argv)[i], (*argv)[i + 1]);
        i++;
    }
    if (app->charged && app->resume)
        app_fail(app, "--resume: where computing is charged there are no checkpoints; see --real");
    if (app->charged && app->checkpoint && app->rank == 0)
        fprintf(stderr, "%s: --checkpoint: computing is charged, so nothing is written\n", name);
    if (app->checkpoint)
        number_run(app);
}

void app_begin(struct app *app, int *argc, char ***argv, const char *name, long size,
               long iterations)
{
    app_begin_with(app, argc, argv, name, size, iterations, NULL);
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

/* ---- the report ---- */

static void print_report(const struct app *app, bool good, double error, const double of_all[5])
{
    printf("{\"app\": \"%s\", \"n\": %ld, ", app->name, app->n);
    for (const struct app_option *own = app->own; own && own->name; own++)
        printf("\"%s\": %ld, ", own->name + 2, *own->value);
    printf("\"p\": %d, \"iterations\": %ld, \"seconds\": %.15g, \"check\": \"%s\", "
           "\"error\": %.3g, \"memory\": %.0f, \"operations\": %.0f, \"resumed\": %ld, "
           "\"bytes_written\": %.0f, \"bytes_read\": %.0f, \"file_seconds\": %.9g}\n",
           app->size, app->iterations, app->seconds,
           app->charged ? "charged"
           : good       ? "ok"
                        : "wrong",
           app->charged ? 0 : app_worse(error, 0), of_all[0], of_all[1], app->resumed, of_all[2],
           of_all[3], of_all[4]);
    fflush(stdout);
}

int app_end(struct app *app, double error, double tolerance)
{
    const double of_all[5] = {app_max(app->memory), app_sum(app->operations), app_sum(app->written),
                              app_sum(app->read), app_max(app->file_seconds)};
    bool good = app->charged || app_worse(error, 0) <= tolerance;
    int status = good ? 0 : 1;

    if (app->rank == 0)
        print_report(app, good, error, of_all);
    if (!good && app->rank == 0)
        fprintf(stderr, "%s: the result is off by %g, more than %g\n", app->name, error, tolerance);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(app->split);
    MPI_Finalize();
    return status;
}
