// SPDX-License-Identifier: BSD-2-Clause
/* file.c - files that are there as a whole, or as they were before. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* An errno, or 0. */
static int write_all(int file, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t n = write(file, data, length);

        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            data += n;
            length -= (size_t)n;
        }
    }
    return 0;
}

static int write_new(const char *path, int flags, const void *data, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666), number;

    if (file < 0)
        return errno;
    number = write_all(file, data, length);
    if (close(file) && number == 0)
        number = errno;
    return number;
}

int rc_file_replace(const char *path, const void *data, size_t length, struct rc_error *error)
{
    char partial[4096];
    struct stat there;
    int number;

    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        number = S_ISDIR(there.st_mode) ? EISDIR : write_new(path, 0, data, length);
        return number ? rc_error_errno(error, number, "cannot write %s", path) : 0;
    }
    if (snprintf(partial, sizeof partial, "%s.part-%ld", path, (long)getpid()) >=
        (int)sizeof partial)
        return rc_error_errno(error, ENAMETOOLONG, "cannot write %s", path);
    number = write_new(partial, O_TRUNC, data, length);
    if (number == 0 && rename(partial, path))
        number = errno;
    if (number == 0)
        return 0;
    unlink(partial);
    return rc_error_errno(error, number, "cannot write %s", path);
}

bool rc_file_is_same(const char *a, const char *b)
{
    struct stat one, other;

    return a && b && stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}
