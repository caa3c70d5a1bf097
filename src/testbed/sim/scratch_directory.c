// SPDX-License-Identifier: GPL-3.0-or-later
/* scratch_directory.c - the temporary directory of a simulation. */
#include "testbed/sim/scratch_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define PREFIX "runcast-sim-"

static void empty(DIR *directory)
{
    const struct dirent *entry;

    while ((entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
}

/* Returns the descriptor of a locked directory.  A directory is in use as long as its maker holds a
 * lock on it, which also ends when that is killed.  A directory without a lock may be just in the
 * making, so makers hold the lock on the directory above until they have theirs: with that lock, a
 * directory without one is left over.  Locks above are short; after a second, -1. */
static int hold(const char *directory)
{
    static const struct timespec moment = {.tv_nsec = 10000000};
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (int tries = 0; fd >= 0 && tries < 100; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return fd;
        if (errno != EWOULDBLOCK) /* no such locks there, as on some file systems of networks */
            break;
        nanosleep(&moment, NULL);
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static void remove_if_left(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    DIR *directory;

    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && (directory = fdopendir(fd))) {
        empty(directory);
        unlinkat(parent, name, AT_REMOVEDIR);
        closedir(directory);
    } else {
        close(fd);
    }
}

/* `parent` is held. */
static void remove_left(const char *path, int parent)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    DIR *directory = atomic_flag_test_and_set(&done) ? NULL : opendir(path);
    const struct dirent *entry;

    while (directory && (entry = readdir(directory)))
        if (strncmp(entry->d_name, PREFIX, sizeof PREFIX - 1) == 0)
            remove_if_left(parent, entry->d_name);
    if (directory)
        closedir(directory);
}

int rc_sim_directory_make(struct rc_sim_directory *directory, struct rc_error *error)
{
    const char *above = getenv("TMPDIR");
    int parent, status = 0;

    /* SimGrid's options are broken at blanks. */
    if (!above || *above != '/' || strpbrk(above, " \t\n:,"))
        above = "/tmp";
    parent = hold(above);
    if (parent >= 0)
        remove_left(above, parent);
    directory->lock = -1;
    if (snprintf(directory->path, sizeof directory->path, "%s/" PREFIX "XXXXXX", above) >=
            (int)sizeof directory->path ||
        !mkdtemp(directory->path)) {
        directory->path[0] = '\0';
        status = rc_error_errno(error, errno, "cannot make a directory in %s", above);
    } else {
        directory->name = strrchr(directory->path, '/') + 1;
        directory->lock = hold(directory->path);
    }
    if (parent >= 0)
        close(parent);
    return status;
}

void rc_sim_directory_remove(struct rc_sim_directory *directory)
{
    DIR *files = directory->path[0] ? opendir(directory->path) : NULL;

    if (files) {
        empty(files);
        closedir(files);
    }
    if (directory->path[0])
        rmdir(directory->path);
    if (directory->path[0] && directory->lock >= 0)
        close(directory->lock);
    directory->path[0] = '\0';
}
