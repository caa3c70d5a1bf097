// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_directory.c - the directory that a trace is made in, and the one that is replaced there.
 *
 * A trace that is to be replaced is moved to ASIDE, below it, until there is another one: a
 * mistyped command costs nobody a trace.  If this program is killed in between, that is where it
 * still is, and the next one that replaces it puts it back first.  Files are moved by way of
 * MOVING, so that it is known of which trace those are that are found then. */
#include "run/trace_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "mpi/trace/trace_set.h"

#define ABOUT "trace.json" /* is written last */
#define ASIDE ".before"
#define MOVING ".moving" /* on the way there or back: never all of a trace */

static bool belongs_to_set(const char *name)
{
    uint32_t rank, thread;

    return strcmp(name, ABOUT) == 0 || strcmp(name, RC_TRACE_RANKS_LINK) == 0 ||
           rc_trace_set_parse_name(name, &rank, &thread) == 0;
}

/* Moves the files of a trace to another directory, or what REMOVE and COUNT say; how many there
 * were, or -1 with errno. */
enum { REMOVE = -1, COUNT = -2 };
static int move_all(int from, int to)
{
    int copy = openat(from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), n = 0, problem = 0;
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *entry;

    if (!directory) {
        problem = errno;
        if (copy >= 0)
            close(copy);
        errno = problem;
        return -1;
    }
    while (problem == 0 && (entry = readdir(directory))) {
        if (!belongs_to_set(entry->d_name))
            continue;
        n++;
        if ((to == REMOVE && unlinkat(from, entry->d_name, 0)) ||
            (to >= 0 && renameat(from, entry->d_name, to, entry->d_name)))
            problem = errno;
    }
    closedir(directory);
    errno = problem;
    return problem ? -1 : n;
}

static bool is_there(int directory, const char *name)
{
    return faccessat(directory, name, F_OK, 0) == 0;
}

/* Moves, or removes, what is in a directory below, and then that; 0 also where there is none. */
static int empty(int directory, const char *name, int to)
{
    int below = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;

    if (below < 0)
        return errno == ENOENT ? 0 : -1;
    status = move_all(below, to) < 0 ? -1 : 0;
    close(below);
    return status ? -1 : unlinkat(directory, name, AT_REMOVEDIR);
}

/* In place of what is there now. */
static int put_back(int directory)
{
    if (!is_there(directory, ASIDE))
        return 0;
    if (move_all(directory, REMOVE) < 0 || renameat(directory, ASIDE, directory, MOVING))
        return -1;
    return empty(directory, MOVING, directory);
}

static int put_aside(struct rc_trace_directory *place, int directory)
{
    int moving = -1, status = -1, problem;

    if (mkdirat(directory, MOVING, 0777) == 0)
        moving = openat(directory, MOVING, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (moving >= 0 && move_all(directory, moving) >= 0)
        status = renameat(directory, MOVING, directory, ASIDE);
    problem = errno;
    if (moving >= 0)
        close(moving);
    if (status)
        (void)empty(directory, MOVING, directory);
    place->aside = !status;
    errno = problem;
    return status;
}

/* What this program, killed at any time, has left behind. */
static int recover(int directory)
{
    if (empty(directory, MOVING, directory)) /* all of it is one trace */
        return -1;
    return is_there(directory, ABOUT) ? empty(directory, ASIDE, REMOVE) : put_back(directory);
}

/* Makes room for a trace; fails if there is one. */
static int make_room(struct rc_trace_directory *place, bool force, struct rc_error *error)
{
    int directory = open(place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;

    if (directory < 0)
        return rc_error_errno(error, errno, "cannot read %s", place->output);
    if (move_all(directory, COUNT) == 0 && !is_there(directory, ASIDE) &&
        !is_there(directory, MOVING)) {
        close(directory);
        return 0;
    }
    if (!force) {
        rc_error_set(error, "%s already has a trace", place->output);
        status = rc_error_code(error, "run.trace-exists", NULL);
    } else if (recover(directory) || put_aside(place, directory)) {
        status = rc_error_errno(error, errno, "cannot replace the trace in %s", place->output);
    }
    close(directory);
    return status;
}

int rc_run_trace_directory_begin(struct rc_trace_directory *place, const char *output, bool force,
                                 struct rc_error *error)
{
    struct stat there;

    *place = (struct rc_trace_directory){.output = output};
    place->made = mkdir(output, 0777) == 0;
    if (!place->made && errno != EEXIST)
        return rc_error_errno(error, errno, "cannot make the directory %s", output);
    if (stat(output, &there) == 0 && !S_ISDIR(there.st_mode)) {
        rc_error_set(error, "%s is not a directory", output);
        return rc_error_code(error, "run.trace-not-a-directory", "%.100s", output);
    }
    if (!realpath(output, place->directory) || access(place->directory, W_OK | X_OK) != 0)
        return rc_error_errno(error, errno, "cannot write to %s", output);
    return make_room(place, force, error);
}

void rc_run_trace_directory_end(struct rc_trace_directory *place, bool recorded)
{
    int directory = open(place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (directory < 0)
        return;
    if (recorded) {
        (void)unlinkat(directory, RC_TRACE_RANKS_LINK, 0); /* the recorder's own */
        if (place->aside)
            (void)empty(directory, ASIDE, REMOVE);
    } else if (place->aside) {
        (void)put_back(directory);
    } else {
        (void)move_all(directory, REMOVE);
    }
    close(directory);
    if (!recorded && place->made)
        (void)rmdir(place->directory); /* unless there is something in it */
}
