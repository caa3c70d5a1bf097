// SPDX-License-Identifier: GPL-3.0-or-later
/* concurrent_copies.c - copies of a program that run at once, each with its recorder, and become
 * one run. */
#include "run/concurrent_copies.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "run/program_output.h"
#include "run/record.h"

enum { PATH_SIZE = RC_COPIES_PATH + 32 };

static const char *temporary_directory(void)
{
    const char *place = getenv("TMPDIR");

    return place && *place ? place : "/tmp";
}

int rc_run_copies_begin(struct rc_copies *copies, struct rc_error *error)
{
    snprintf(copies->scratch, sizeof copies->scratch, "%s/runcast-scale-XXXXXX",
             temporary_directory());
    if (mkdtemp(copies->scratch))
        return 0;
    copies->scratch[0] = '\0';
    return rc_error_errno(error, errno, "cannot make a temporary directory");
}

void rc_run_copies_end(const struct rc_copies *copies)
{
    DIR *directory = copies->scratch[0] ? opendir(copies->scratch) : NULL;
    struct dirent *entry;

    while (directory && (entry = readdir(directory)))
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    if (copies->scratch[0])
        rmdir(copies->scratch);
}

/* Reads what one copy took into `record`, which is to be freed. */
static int read_copy(const struct rc_copies *copies, const struct rc_run_job *job, size_t copy,
                     struct rc_record *record, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(RC_RECORD_FILE_MAX);
    char path[PATH_SIZE];
    double memory = NAN;
    int status;

    snprintf(path, sizeof path, "%s/%zu.json", copies->scratch, copy);
    status = rc_buffer_read_file(&text, path, error);
    if (status)
        rc_run_jobs_last_words(job, error); /* why the recorder wrote none */
    else
        status = rc_run_record_parse(record, text.data ? text.data : "", text.length, path, error);
    rc_buffer_free(&text);
    unlink(path);
    if (!status && record->run.status != RC_RUN_OK)
        status =
            rc_error_set(error, "the program was stopped for a while; its run time is invalid");
    if (status || !copies->reported)
        return status;
    status = rc_run_output_seconds(job->out.data ? job->out.data : "", job->out.length,
                                   &record->run.seconds, &memory, error);
    if (!isnan(memory)) /* else what was seen of it from outside */
        record->run.memory = memory;
    return status;
}

/* A run that took hours is not lost where the database does not take it. */
static int store_or_save(struct rc_db *db, const struct rc_record *record, int64_t *id,
                         struct rc_error *error)
{
    const char *const directories[] = {".", temporary_directory(), NULL};
    char path[RC_COPIES_PATH];

    if (rc_run_record_store(db, record, id, error) == 0)
        return 0;
    if (rc_run_record_save(record, directories, path, sizeof path, NULL))
        return -1;
    if (error)
        error->hint[0] = '\0'; /* where the run is matters more */
    return rc_error_code(error, "run.saved-to-file", "%s", path);
}

/* All copies become one run: as long as they took on average, with the most memory of them. */
static int keep(const struct rc_copies *copies, const struct rc_run_job *jobs, size_t n_copies,
                struct rc_db *db, struct rc_copies_made *made, struct rc_error *error)
{
    struct rc_record first, other;
    double sum, memory;
    int status;

    rc_run_record_init(&first);
    status = read_copy(copies, &jobs[0], 0, &first, error);
    sum = first.run.seconds;
    memory = first.run.memory;
    for (size_t i = 1; i < n_copies && !status; i++) {
        rc_run_record_init(&other);
        status = read_copy(copies, &jobs[i], i, &other, error);
        sum += other.run.seconds;
        memory = fmax(memory, other.run.memory);
        rc_run_record_free(&other);
    }
    first.run.seconds = sum / (double)n_copies;
    first.run.memory = memory;
    made->unsensed = copies->sensors && isnan(first.run.cpu_avgmin);
    if (!status)
        status = store_or_save(db, &first, &made->id, error);
    rc_run_record_free(&first);
    return status;
}

/* A run that failed leaves its records, and a recorder writes new files only. */
static void forget_records(const struct rc_copies *copies, size_t n_copies)
{
    char path[PATH_SIZE];

    for (size_t i = 0; i < n_copies; i++) {
        snprintf(path, sizeof path, "%s/%zu.json", copies->scratch, i);
        unlink(path);
    }
}

/* Whether one of them was no program that can be started. */
static bool is_no_program(const struct rc_run_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (WIFEXITED(jobs[i].status) &&
            (WEXITSTATUS(jobs[i].status) == 126 || WEXITSTATUS(jobs[i].status) == 127))
            return true;
    return false;
}

int rc_run_copies_make(const struct rc_copies *copies, struct rc_run_job *jobs, size_t n_jobs,
                       size_t n_copies, struct rc_db *db, struct rc_copies_made *made,
                       struct rc_error *error)
{
    *made = (struct rc_copies_made){0};
    forget_records(copies, n_copies);
    if (rc_run_jobs_run(jobs, n_jobs, &copies->monitor, error))
        return is_no_program(jobs, n_jobs) ? -2 : -1;
    return keep(copies, jobs, n_copies, db, made, error);
}
