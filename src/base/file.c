// SPDX-License-Identifier: BSD-2-Clause
/* file.c - whole files: replacing one at once, reading and writing small ones, paths. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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

int rc_file_read(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), number;
    size_t length = 0;
    ssize_t got = 0;

    text[0] = '\0';
    if (fd < 0)
        return -1;
    /* The kernel may hand such a file out in pieces. */
    while (length + 1 < size &&
           ((got = read(fd, text + length, size - 1 - length)) > 0 || (got < 0 && errno == EINTR)))
        length += got > 0 ? (size_t)got : 0;
    number = errno;
    close(fd);
    errno = number;
    if (got < 0)
        length = 0;
    while (length > 0 && text[length - 1] == '\n')
        length--;
    text[length] = '\0';
    return got < 0 ? -1 : 0;
}

int rc_file_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC), number = 0;

    if (fd < 0)
        return errno;
    if (write(fd, text, strlen(text)) < 0)
        number = errno;
    close(fd);
    return number;
}

int rc_file_beside(const char *file, const char *name, char *path, size_t size)
{
    const char *slash = *name == '/' ? NULL : strrchr(file, '/');
    int length = snprintf(path, size, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, name);

    return length >= 0 && (size_t)length < size ? 0 : -1;
}
