// SPDX-License-Identifier: BSD-2-Clause
/* trace_set.c - the files of a trace, and whether they belong together. */
#include "mpi/trace/trace_set.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <uthash.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* Clocks of different hosts may be so far apart, in seconds. */
#define CLOCKS_APART 60.0

/* ---- names ---- */

/* A number without leading zeros; the rest of the text, or NULL. */
static const char *read_number(const char *text, uint32_t below, uint32_t *number)
{
    uint32_t value = 0;

    if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (uint32_t)(*text - '0');
        if (value >= below)
            return NULL;
    }
    *number = value;
    return text;
}

int rc_trace_set_parse_name(const char *name, uint32_t *rank, uint32_t *thread)
{
    const char *rest =
        strncmp(name, "rank-", 5) == 0 ? read_number(name + 5, RC_TRACE_SET_RANKS_MAX, rank) : NULL;

    *thread = 0;
    if (rest && strncmp(rest, ".thread-", 8) == 0) {
        rest = read_number(rest + 8, RC_TRACE_SET_RANKS_MAX, thread);
        if (*thread == 0)
            return -1;
    }
    return rest && strcmp(rest, ".rct") == 0 ? 0 : -1;
}

static bool looks_like_a_trace(const char *name)
{
    size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".rct") == 0;
}

/* ---- files ---- */

static void read_head(struct rc_trace_set_file *file)
{
    struct rc_error error = {0};
    struct rc_trace *trace = rc_trace_open(file->path, &error);

    if (!trace) {
        file->problem = strdup(error.text);
        return;
    }
    file->has_header = rc_trace_header(trace) != NULL;
    if (file->has_header)
        file->header = *rc_trace_header(trace);
    rc_trace_close(trace);
}

static int add_file(struct rc_trace_set *set, const char *name, size_t *room,
                    struct rc_error *error)
{
    struct rc_trace_set_file file = {0};

    if (rc_trace_set_parse_name(name, &file.rank, &file.thread) != 0) {
        char clean[256];

        snprintf(clean, sizeof clean, "%s", name);
        rc_text_clean(clean, strlen(clean));
        if (looks_like_a_trace(name))
            rc_trace_faults_add(&set->faults, "%s is not the name of a rank's trace", clean);
        return 0;
    }
    if (set->n_files == RC_TRACE_SET_FILES_MAX)
        return rc_error_set(error, "%s has more than %d files", set->directory,
                            RC_TRACE_SET_FILES_MAX);
    if (rc_array_room(&set->files, set->n_files + 1, room, sizeof *set->files, error))
        return -1;
    if (asprintf(&file.path, "%s/%s", set->directory, name) < 0)
        return rc_error_no_memory(error);
    set->files[set->n_files++] = file;
    return 0;
}

static int by_rank(const void *a, const void *b)
{
    const struct rc_trace_set_file *one = a, *other = b;

    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    return one->thread < other->thread ? -1 : one->thread > other->thread;
}

static int list_files(struct rc_trace_set *set, struct rc_error *error)
{
    DIR *directory = opendir(set->directory);
    const struct dirent *entry;
    size_t room = 0;
    int status = 0;

    if (!directory)
        return rc_error_errno(error, errno, "cannot read the directory %s", set->directory);
    while (status == 0 && (entry = readdir(directory)))
        status = add_file(set, entry->d_name, &room, error);
    closedir(directory);
    if (status == 0 && set->n_files == 0) {
        rc_error_set(error, "no trace in %s", set->directory);
        return rc_error_hint(error, "a trace has files rank-0.rct, rank-1.rct, ...");
    }
    if (status == 0)
        qsort(set->files, set->n_files, sizeof *set->files, by_rank);
    for (size_t i = 0; status == 0 && i < set->n_files; i++)
        read_head(&set->files[i]);
    return status;
}

/* ---- whether they agree ---- */

/* The number of ranks in most files: if any number has a majority, this finds it. */
static uint32_t count_ranks(const struct rc_trace_set *set)
{
    uint32_t most = 0, highest = 0;
    size_t lead = 0;

    for (size_t i = 0; i < set->n_files; i++) {
        const struct rc_trace_set_file *file = &set->files[i];

        highest = file->rank > highest ? file->rank : highest;
        if (!file->has_header || file->header.ranks > RC_TRACE_SET_RANKS_MAX)
            continue;
        if (lead == 0)
            most = file->header.ranks;
        lead = file->header.ranks == most ? lead + 1 : lead - 1;
    }
    return most > 0 ? most : highest + 1;
}

const char *rc_trace_set_file_name(const struct rc_trace_set_file *file)
{
    const char *slash = strrchr(file->path, '/');

    return slash ? slash + 1 : file->path;
}

static void check_time(struct rc_trace_set *set, const struct rc_trace_set_file *file)
{
    const struct rc_trace_about *about = &set->about;
    double began = (double)file->header.began_wall / 1e9;

    if (!about->there || isnan(about->began) || isnan(about->seconds))
        return;
    if (began < about->began - CLOCKS_APART || began > about->began + about->seconds + CLOCKS_APART)
        rc_trace_faults_add(&set->faults, "%s is from another run: it began %.0f s %s this one",
                            rc_trace_set_file_name(file), fabs(began - about->began),
                            began < about->began ? "before" : "after");
}

static void check_header(struct rc_trace_set *set, const struct rc_trace_set_file *file,
                         const struct rc_trace_set_file *first)
{
    const struct rc_trace_header *header = &file->header;
    struct rc_faults *faults = &set->faults;

    if (header->rank != file->rank)
        rc_trace_faults_add(faults, "%s is from rank %" PRIu32, rc_trace_set_file_name(file),
                            header->rank);
    if (header->thread != file->thread)
        rc_trace_faults_add(faults, "%s is from thread %" PRIu32, rc_trace_set_file_name(file),
                            header->thread);
    if (header->ranks != set->ranks)
        rc_trace_faults_add(faults,
                            "%s is from another run: one of %" PRIu32
                            " ranks, and this one has %" PRIu32,
                            rc_trace_set_file_name(file), header->ranks, set->ranks);
    if (strcmp(header->mpi, first->header.mpi) != 0)
        rc_trace_faults_add(faults, "%s was recorded with %s, and %s with %s",
                            rc_trace_set_file_name(file), header->mpi,
                            rc_trace_set_file_name(first), first->header.mpi);
    if (strcmp(header->clock, first->header.clock) != 0)
        rc_trace_faults_add(faults, "%s was recorded by %s, and %s by %s",
                            rc_trace_set_file_name(file), header->clock,
                            rc_trace_set_file_name(first), first->header.clock);
    check_time(set, file);
}

static void check_headers(struct rc_trace_set *set)
{
    const struct rc_trace_set_file *first = NULL;

    set->earliest = UINT64_MAX;
    for (size_t i = 0; i < set->n_files; i++) {
        const struct rc_trace_set_file *file = &set->files[i];

        if (!file->has_header)
            continue;
        if (file->header.began_wall < set->earliest)
            set->earliest = file->header.began_wall;
        if (!first && file->header.ranks == set->ranks)
            first = file;
    }
    for (size_t i = 0; i < set->n_files; i++)
        if (set->files[i].has_header)
            check_header(set, &set->files[i], first ? first : &set->files[i]);
}

/* Ranks that are missing, each stretch of them as one. */
static void check_missing(struct rc_trace_set *set)
{
    for (uint32_t rank = 0, end; rank < set->ranks; rank = end) {
        end = rank + 1;
        if (rc_trace_set_rank(set, rank))
            continue;
        while (end < set->ranks && !rc_trace_set_rank(set, end))
            end++;
        if (end == rank + 1)
            rc_trace_faults_add(&set->faults, "rank %" PRIu32 " is missing", rank);
        else
            rc_trace_faults_add(&set->faults, "ranks %" PRIu32 " to %" PRIu32 " are missing", rank,
                                end - 1);
    }
}

/* ---- the whole ---- */

struct rc_trace_set *rc_trace_set_open(const char *directory, struct rc_error *error)
{
    struct rc_trace_set *set = calloc(1, sizeof *set);

    if (!set || !(set->directory = strdup(directory))) {
        rc_error_no_memory(error);
        rc_trace_set_close(set);
        return NULL;
    }
    if (list_files(set, error) != 0) {
        rc_trace_set_close(set);
        return NULL;
    }
    set->ranks = count_ranks(set);
    rc_trace_about_read(&set->about, directory, &set->faults);
    check_headers(set);
    check_missing(set);
    return set;
}

void rc_trace_set_close(struct rc_trace_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->n_files; i++) {
        free(set->files[i].path);
        free(set->files[i].problem);
    }
    rc_trace_about_free(&set->about);
    rc_trace_faults_free(&set->faults);
    free(set->files);
    free(set->directory);
    free(set);
}

int rc_trace_set_whole(const struct rc_trace_set *set, struct rc_error *error)
{
    for (size_t i = 0; i < set->n_files; i++) {
        const struct rc_trace_set_file *file = &set->files[i];

        if (file->problem)
            return rc_error_at(error, file->path, 0, 0, "%s", file->problem);
        if (!file->has_header)
            return rc_error_at(error, file->path, 0, 0, "damaged: its header cannot be read");
    }
    if (set->faults.n > 0)
        return rc_error_at(error, set->directory, 0, 0, "%s",
                           set->faults.kept > 0 ? set->faults.texts[0] : "damaged");
    return 0;
}

void rc_trace_set_check(const struct rc_trace_set *set, struct rc_trace_summary *all,
                        struct rc_error *fault)
{
    for (size_t i = 0; i < set->n_files; i++) {
        struct rc_trace_summary summary = {0};
        struct rc_error ignored = {0};

        rc_trace_check(set->files[i].path, &summary, fault->text[0] ? &ignored : fault);
        all->calls += summary.calls;
        all->bytes += summary.bytes;
    }
}

const struct rc_trace_set_file *rc_trace_set_rank(const struct rc_trace_set *set, uint32_t rank)
{
    const struct rc_trace_set_file key = {.rank = rank};

    return bsearch(&key, set->files, set->n_files, sizeof key, by_rank);
}

double rc_trace_set_offset(const struct rc_trace_set *set, const struct rc_trace_set_file *file)
{
    return file->has_header ? (double)(file->header.began_wall - set->earliest) / 1e9 : 0;
}

/* A host that was met. */
struct host {
    const char *name;
    UT_hash_handle hh;
};

const char **rc_trace_set_hosts(const struct rc_trace_set *set, size_t *n)
{
    const char **names = calloc(set->n_files + 1, sizeof *names);
    struct host *hosts = calloc(set->n_files + 1, sizeof *hosts), *all = NULL, *known;

    *n = 0;
    for (size_t i = 0; names && hosts && i < set->n_files; i++) {
        const struct rc_trace_set_file *file = &set->files[i];

        if (!file->has_header || file->thread != 0 || !file->header.host[0])
            continue;
        HASH_FIND_STR(all, file->header.host, known);
        if (known)
            continue;
        hosts[*n].name = names[*n] = file->header.host;
        HASH_ADD_KEYPTR(hh, all, hosts[*n].name, strlen(hosts[*n].name), &hosts[*n]);
        ++*n;
    }
    HASH_CLEAR(hh, all);
    free(hosts);
    if (*n == 0) {
        free(names);
        names = NULL;
    }
    return names;
}

const char *rc_trace_set_program(const struct rc_trace_set *set)
{
    for (size_t i = 0; i < set->n_files; i++)
        if (set->files[i].has_header && set->files[i].header.program[0])
            return set->files[i].header.program;
    return "an MPI program";
}

int64_t rc_trace_set_bytes(const struct rc_trace_set *set)
{
    DIR *directory = opendir(set->directory);
    const struct dirent *entry;
    struct stat there;
    int64_t bytes = 0;

    while (directory && (entry = readdir(directory)))
        if (fstatat(dirfd(directory), entry->d_name, &there, 0) == 0 && S_ISREG(there.st_mode))
            bytes += there.st_size;
    if (directory)
        closedir(directory);
    return bytes;
}
