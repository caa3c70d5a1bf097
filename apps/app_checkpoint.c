// SPDX-License-Identifier: GPL-3.0-or-later
/* app_checkpoint.c - the state of a run in files, to go on from.
 *
 * A rank has two files, the newest state and the one before.  Before a rank writes, it waits for
 * all others: then all have written the state before.  So whenever a run is killed, the oldest of
 * the ranks' newest states is one that all have.
 *
 * A file is written under another name and renamed when it is whole.  A process that is killed thus
 * leaves whole files; what a machine that stops leaves, the checksums tell. */
#include "app.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, GENERATIONS = 2, VERSION = 1 };

static const char MAGIC[8] = "rcstate";
static const char *const ENDING[GENERATIONS] = {".checkpoint", ".checkpoint.previous"};
static const char PARTIAL[] = ".checkpoint.partial";

/* What a file begins with; the parts of the state follow. */
struct header {
    char magic[8];
    uint64_t version;
    char app[16];
    int64_t n, ranks, rank, iteration;
    uint64_t seed, split, own; /* the last two are checksums */
    uint64_t run, bytes, content;
    uint64_t checksum; /* of what is before it */
};

/* A state that a rank has: of which run, after which iteration (0: it has none). */
struct generation {
    uint64_t iteration, run;
};

/* ---- checksums ---- */

/* Each step can be undone, so that no single change is lost. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

static uint64_t checksum(uint64_t sum, const void *data, size_t bytes)
{
    const char *at = data;
    uint64_t word;

    for (size_t left = bytes; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = mix(sum, word);
    }
    word = 0;
    if (bytes % sizeof word)
        memcpy(&word, at, bytes % sizeof word);
    return mix(mix(sum, word), bytes);
}

static uint64_t checksum_header(const struct header *header)
{
    return checksum(0, header, offsetof(struct header, checksum));
}

static uint64_t checksum_state(const struct app_state *state)
{
    uint64_t sum = 0;

    for (int i = 0; i < APP_PARTS; i++)
        if (state->part[i].bytes > 0)
            sum = checksum(sum, state->part[i].data, state->part[i].bytes);
    return sum;
}

static uint64_t bytes_of(const struct app_state *state)
{
    uint64_t bytes = 0;

    for (int i = 0; i < APP_PARTS; i++)
        bytes += state->part[i].bytes;
    return bytes;
}

/* The header of a state of this run, but for the checksums of what it holds. */
static struct header describe(const struct app *app, const struct app_state *state, long iteration)
{
    struct header header;

    memset(&header, 0, sizeof header);
    memcpy(header.magic, MAGIC, sizeof header.magic);
    snprintf(header.app, sizeof header.app, "%s", app->name);
    header.version = VERSION;
    header.n = app->n;
    header.ranks = app->size;
    header.rank = app->rank;
    header.iteration = iteration;
    header.seed = app->seed;
    header.split = app->split ? checksum(0, app->split, (size_t)app->size * sizeof *app->split) : 0;
    for (const struct app_option *own = app->own; own && own->name; own++)
        header.own = mix(header.own, (uint64_t)*own->value);
    header.run = app->run;
    header.bytes = bytes_of(state);
    return header;
}

static void find_path(const struct app *app, const char *ending, char path[PATH])
{
    if (snprintf(path, PATH, "%s/%s-%d-of-%d%s", app->directory, app->name, app->rank, app->size,
                 ending) >= PATH)
        app_fail(app, "--directory: a name of %zu characters is too long", strlen(app->directory));
}

/* ---- writing ---- */

static bool write_file(const char *path, const struct header *header, const struct app_state *state)
{
    FILE *file = fopen(path, "wb");
    bool good;

    if (!file)
        return false;
    good = fwrite(header, sizeof *header, 1, file) == 1;
    for (int i = 0; good && i < APP_PARTS; i++)
        if (state->part[i].bytes > 0)
            good = fwrite(state->part[i].data, state->part[i].bytes, 1, file) == 1;
    if (fclose(file) != 0)
        good = false;
    return good;
}

static void keep(struct app *app, long iteration, const struct app_state *state)
{
    struct header header = describe(app, state, iteration);
    char partial[PATH], path[PATH], previous[PATH];

    find_path(app, PARTIAL, partial);
    find_path(app, ENDING[0], path);
    find_path(app, ENDING[1], previous);
    header.content = checksum_state(state);
    header.checksum = checksum_header(&header);
    if (!write_file(partial, &header, state)) {
        int because = errno;

        unlink(partial);
        app_fail(app, "cannot write %s: %s", partial, strerror(because));
    }
    if ((rename(path, previous) != 0 && errno != ENOENT) || rename(partial, path) != 0)
        app_fail(app, "cannot rename %s: %s", path, strerror(errno));
    app->written += (double)(sizeof header + header.bytes);
}

void app_checkpoint(struct app *app, long iteration, struct app_state state)
{
    double start;

    if (app->checkpoint == 0 || iteration % app->checkpoint != 0)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    if (!app->charged && bytes_of(&state) > 0)
        keep(app, iteration, &state);
    app->file_seconds += MPI_Wtime() - start;
}

/* ---- reading ---- */

/* Why a file cannot be gone on from, by its header; NULL if it can. */
static const char *find_fault(const struct app *app, const struct header *found,
                              const struct header *wanted)
{
    if (memcmp(found->magic, wanted->magic, sizeof found->magic) != 0)
        return "it is not a checkpoint";
    if (found->version != wanted->version)
        return "it is of another version or machine";
    if (found->checksum != checksum_header(found))
        return "its header is damaged";
    if (memcmp(found->app, wanted->app, sizeof found->app) != 0)
        return "it is of another program";
    if (found->n != wanted->n)
        return "it is of another --size";
    if (found->own != wanted->own)
        return "it is of other options of the program";
    if (found->ranks != wanted->ranks || found->rank != wanted->rank)
        return "it is of another rank or number of ranks";
    if (found->seed != wanted->seed)
        return "it is of another --seed";
    if (found->split != wanted->split)
        return "it is of another --split";
    if (found->bytes != wanted->bytes)
        return "its state is not as large as this run's";
    if (found->iteration < 1 || found->iteration > app->iterations)
        return "it is of an iteration beyond --iterations";
    return NULL;
}

static void refuse(const struct app *app, const char *path, const char *why)
{
    fprintf(stderr, "%s: %s is refused: %s\n", app->name, path, why);
}

/* Opens a file and reads its header; NULL where it is not there, or is refused. */
static FILE *open_file(struct app *app, int which, const struct header *wanted,
                       struct header *header, bool *refused)
{
    const char *fault;
    char path[PATH];
    FILE *file;

    find_path(app, ENDING[which], path);
    file = fopen(path, "rb");
    if (!file && errno == ENOENT)
        return NULL;
    if (!file)
        fault = strerror(errno);
    else if (fread(header, sizeof *header, 1, file) != 1)
        fault = "it is shorter than its header";
    else
        fault = find_fault(app, header, wanted);
    if (!fault) {
        app->read += sizeof *header;
        return file;
    }
    refuse(app, path, fault);
    *refused = true;
    if (file)
        fclose(file);
    return NULL;
}

/* Reads a file that open_file() was content with before. */
static bool read_state(struct app *app, int which, const struct app_state *state, bool *refused)
{
    const struct header wanted = describe(app, state, 0);
    const char *fault = NULL;
    struct header header;
    FILE *file = open_file(app, which, &wanted, &header, refused);
    char path[PATH];

    if (!file)
        return false;
    for (int i = 0; !fault && i < APP_PARTS; i++)
        if (state->part[i].bytes > 0 &&
            fread(state->part[i].data, state->part[i].bytes, 1, file) != 1)
            fault = "it is shorter than its state";
    if (!fault && fgetc(file) != EOF)
        fault = "it is longer than its state";
    if (!fault && header.content != checksum_state(state))
        fault = "its state is damaged";
    fclose(file);
    app->read += fault ? 0 : (double)header.bytes;
    find_path(app, ENDING[which], path);
    if (fault)
        refuse(app, path, fault);
    *refused = *refused || fault;
    return !fault;
}

static int find_generation(const struct generation *some, struct generation wanted)
{
    for (int i = 0; i < GENERATIONS; i++)
        if (some[i].iteration == wanted.iteration && some[i].run == wanted.run)
            return i;
    return -1;
}

/* The newest that all ranks have which have a state at all; `mine` has one more place, for that. */
static struct generation newest_of_all(const struct app *app, const struct generation *mine)
{
    const size_t each = GENERATIONS + 1;
    struct generation newest = {0, 0}, *all = malloc((size_t)app->size * each * sizeof *all);
    int numbers = (int)(each * sizeof *all / sizeof(uint64_t)), first = 0;

    if (!all)
        app_fail(app, "out of memory");
    MPI_Allgather(mine, numbers, MPI_UINT64_T, all, numbers, MPI_UINT64_T, MPI_COMM_WORLD);
    while (first + 1 < app->size && !all[(size_t)first * each + GENERATIONS].iteration)
        first++;
    for (size_t i = 0; i < GENERATIONS; i++) {
        struct generation one = all[(size_t)first * each + i];
        bool common = one.iteration > newest.iteration;

        for (size_t rank = 0; common && rank < (size_t)app->size; rank++)
            common = !all[rank * each + GENERATIONS].iteration ||
                     find_generation(all + rank * each, one) >= 0;
        if (common)
            newest = one;
    }
    free(all);
    return newest;
}

/* Goes back to the generation: what is newer was not written by all ranks, or is refused. */
static void drop_newer(const struct app *app, int which)
{
    char path[PATH], previous[PATH], partial[PATH];

    find_path(app, PARTIAL, partial);
    find_path(app, ENDING[0], path);
    find_path(app, ENDING[1], previous);
    unlink(partial);
    if (which == 1 && rename(previous, path) != 0)
        app_fail(app, "cannot rename %s: %s", previous, strerror(errno));
}

/* Which of the files the rank has, by their headers; the last place tells if it should. */
static bool look(struct app *app, const struct app_state *state, struct generation *mine)
{
    const struct header wanted = describe(app, state, 0);
    bool refused = false;

    memset(mine, 0, (GENERATIONS + 1) * sizeof *mine);
    mine[GENERATIONS].iteration = wanted.bytes > 0;
    for (int i = 0; wanted.bytes > 0 && i < GENERATIONS; i++) {
        struct header header;
        FILE *file = open_file(app, i, &wanted, &header, &refused);

        if (!file)
            continue;
        mine[i] = (struct generation){(uint64_t)header.iteration, header.run};
        fclose(file);
    }
    return refused;
}

/* Reads what all ranks have; false where it is not whole on some rank, which then no longer counts
 * it. */
static bool read_generation(struct app *app, const struct app_state *state, struct generation *mine,
                            struct generation wanted, bool *refused)
{
    int which = find_generation(mine, wanted);
    bool good = !mine[GENERATIONS].iteration || read_state(app, which, state, refused);

    if (!good)
        mine[which] = (struct generation){0, 0};
    if (app_max(good ? 0 : 1) > 0)
        return false;
    if (mine[GENERATIONS].iteration)
        drop_newer(app, which);
    app->resumed = (long)wanted.iteration;
    return true;
}

long app_resume(struct app *app, struct app_state state)
{
    struct generation mine[GENERATIONS + 1], wanted;
    double start = MPI_Wtime();
    bool refused;

    if (!app->resume)
        return 0;
    refused = look(app, &state, mine);
    do
        wanted = newest_of_all(app, mine);
    while (wanted.iteration > 0 && !read_generation(app, &state, mine, wanted, &refused));
    app->file_seconds += MPI_Wtime() - start;
    if (wanted.iteration > 0)
        return app->resumed;
    if (app_max(refused ? 1 : 0) > 0)
        app_fail(app,
                 "--resume: no other checkpoint in %s is there on all ranks; "
                 "remove them to start from the beginning",
                 app->directory);
    if (app->rank == 0)
        fprintf(stderr,
                "%s: --resume: there is no checkpoint of all %d ranks in %s; "
                "starting from the beginning\n",
                app->name, app->size, app->directory);
    return 0;
}
