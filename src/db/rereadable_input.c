// SPDX-License-Identifier: GPL-3.0-or-later
/* rereadable_input.c - a file or standard input that can be read twice. */
#include "db/rereadable_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress_monitor.h"

/* A file without a name: nothing is left behind, however the program ends. */
static int open_temporary(struct rc_error *error)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int file;

    if (!directory || !*directory)
        directory = "/tmp";
    file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    /* Not every file system knows O_TMPFILE. */
    snprintf(path, sizeof path, "%s/runcast-XXXXXX", directory);
    file = mkostemp(path, O_CLOEXEC);
    if (file < 0) {
        rc_error_errno(error, errno, "cannot make a temporary file in %s", directory);
        return rc_error_hint(error, "set TMPDIR to a writable directory");
    }
    unlink(path);
    return file;
}

static int write_all(int file, const char *data, size_t length)
{
    ssize_t written;

    for (; length > 0; data += written, length -= (size_t)written) {
        written = write(file, data, length);
        if (written < 0 && errno == EINTR)
            written = 0;
        if (written < 0)
            return -1;
    }
    return 0;
}

static int copy(int from, int to, const struct rc_monitor *monitor, struct rc_error *error)
{
    char data[1 << 16];
    uint64_t total = 0;
    ssize_t got;

    for (;;) {
        if (rc_progress_monitor_check(monitor, error))
            return -1;
        got = read(from, data, sizeof data);
        if (got == 0)
            return 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return rc_error_errno(error, errno, "cannot read standard input");
        if (write_all(to, data, (size_t)got)) {
            rc_error_errno(error, errno, "cannot copy standard input to a temporary file");
            return rc_error_hint(error, "set TMPDIR to a directory with more space");
        }
        total += (uint64_t)got;
        rc_progress_monitor_advance(monitor, total, 0);
    }
}

int rc_db_input_open(struct rc_input *input, const char *path, const struct rc_monitor *monitor,
                     struct rc_error *error)
{
    bool is_standard = strcmp(path, "-") == 0;

    *input = (struct rc_input){.file = -1, .name = is_standard ? "standard input" : path};
    if (!is_standard) {
        input->file = open(path, O_RDONLY | O_CLOEXEC);
        if (input->file < 0)
            return rc_error_errno(error, errno, "cannot open it");
        if (fstat(input->file, &input->before))
            return rc_error_errno(error, errno, "cannot read its attributes");
        if (S_ISDIR(input->before.st_mode))
            return rc_error_set(error, "a directory, not a file");
        if (S_ISREG(input->before.st_mode))
            return 0;
    }
    {
        int from = is_standard ? STDIN_FILENO : input->file;
        int temporary = open_temporary(error);
        int status = temporary < 0 ? -1 : copy(from, temporary, monitor, error);

        if (!is_standard)
            close(from);
        input->file = temporary;
        if (status == 0 && fstat(temporary, &input->before))
            status =
                rc_error_errno(error, errno, "cannot read the attributes of the temporary file");
        return status ? -1 : rc_db_input_rewind(input, error);
    }
}

void rc_db_input_close(struct rc_input *input)
{
    if (input->file >= 0)
        close(input->file);
    input->file = -1;
}

int rc_db_input_rewind(struct rc_input *input, struct rc_error *error)
{
    return lseek(input->file, 0, SEEK_SET) < 0
               ? rc_error_errno(error, errno, "cannot go back to the start of %s", input->name)
               : 0;
}

int rc_db_input_check_unchanged(const struct rc_input *input, struct rc_error *error)
{
    struct stat now;

    if (fstat(input->file, &now))
        return rc_error_errno(error, errno, "cannot read its attributes");
    if (now.st_size != input->before.st_size ||
        now.st_mtim.tv_sec != input->before.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != input->before.st_mtim.tv_nsec) {
        rc_error_set(error, "the file changed during the import; nothing was imported");
        return rc_error_hint(error, "try again once it is complete");
    }
    return 0;
}

uint64_t rc_db_input_size(const struct rc_input *input)
{
    return (uint64_t)input->before.st_size;
}

static ptrdiff_t read_input(void *data, char *buffer, size_t size)
{
    struct rc_input *input = data;
    ssize_t got = read(input->file, buffer, size);

    if (got > 0 && input->digest)
        rc_digest_add(input->digest, buffer, (size_t)got);
    return got;
}

struct rc_csv_source rc_db_input_source(struct rc_input *input)
{
    return (struct rc_csv_source){read_input, input};
}
