// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_place.c - the directory that a recording is made in, and the one that is replaced there.
 *
 * A recording that is to be replaced is moved to ASIDE, below it, until there is another one: a
 * mistyped command costs nobody a recording.  If this program is killed in between, that is where it
 * still is, and the next 'runcast trace --force' puts it back first. */
#include "cmd/trace_place.h"

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
#include "trace/recording.h"

#define ABOUT "trace.json" /* is written last */
#define ASIDE ".before"

static bool belongs_to_recording(const char *name)
{
    uint32_t rank, thread;

    return strcmp(name, ABOUT) == 0 || strcmp(name, RC_TRACE_RANKS_LINK) == 0 ||
           rc_recording_name(name, &rank, &thread) == 0;
}

/* Moves the files of a recording from one directory to another (-1: takes them away); how many
 * there were, or -1 with errno. */
static int move_all(int from, int to)
{
    int copy = dup(from), moved = 0, problem = 0;
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *entry;

    if (!directory) {
        problem = errno;
        if (copy >= 0)
            close(copy);
        errno = problem;
        return -1;
    }
    rewinddir(directory);
    while (problem == 0 && (entry = readdir(directory))) {
        if (!belongs_to_recording(entry->d_name))
            continue;
        if (to >= 0 ? renameat(from, entry->d_name, to, entry->d_name)
                    : unlinkat(from, entry->d_name, 0))
            problem = errno;
        moved++;
    }
    closedir(directory);
    errno = problem;
    return problem ? -1 : moved;
}

static int open_directory(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Puts back what is aside: 0, also where there is nothing. */
static int put_back(int directory)
{
    int aside = open_directory(directory, ASIDE), status;

    if (aside < 0)
        return errno == ENOENT ? 0 : -1;
    status = move_all(directory, -1) < 0 || move_all(aside, directory) < 0 ? -1 : 0;
    close(aside);
    return status ? -1 : unlinkat(directory, ASIDE, AT_REMOVEDIR);
}

static int take_away(int directory)
{
    int aside = open_directory(directory, ASIDE), status;

    if (aside < 0)
        return errno == ENOENT ? 0 : -1;
    status = move_all(aside, -1) < 0 ? -1 : 0;
    close(aside);
    return status ? -1 : unlinkat(directory, ASIDE, AT_REMOVEDIR);
}

static int put_aside(struct rc_cmd_trace_place *place, int directory)
{
    int aside = mkdirat(directory, ASIDE, 0777) == 0 ? open_directory(directory, ASIDE) : -1;
    int status, problem;

    if (aside < 0)
        return -1;
    status = move_all(directory, aside) < 0 ? -1 : 0;
    problem = errno;
    if (status)
        (void)move_all(aside, directory);
    else
        place->aside = true;
    close(aside);
    errno = problem;
    return status;
}

static bool has_recording(int at)
{
    int copy = dup(at);
    DIR *directory = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *entry;
    bool found = false;

    if (!directory) {
        if (copy >= 0)
            close(copy);
        return false;
    }
    rewinddir(directory);
    while (!found && (entry = readdir(directory)))
        found = belongs_to_recording(entry->d_name) || strcmp(entry->d_name, ASIDE) == 0;
    closedir(directory);
    return found;
}

/* Makes room for a recording, or says that there is one. */
static int make_room(struct rc_cmd_trace_place *place, bool force, struct rc_error *error)
{
    int directory = open(place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status = 0;

    if (directory < 0)
        return rc_error_errno(error, errno, "cannot read %s", place->output);
    if (has_recording(directory) && !force) {
        rc_error_set(error, "there is a recording in %s", place->output);
        status = rc_error_hint(error, "--force replaces it");
    } else if (has_recording(directory)) {
        status = faccessat(directory, ABOUT, F_OK, 0) == 0 ? take_away(directory)
                                                           : put_back(directory);
        if (status == 0)
            status = put_aside(place, directory);
        if (status != 0)
            rc_error_errno(error, errno, "cannot put aside the recording in %s", place->output);
    }
    close(directory);
    return status;
}

int rc_cmd_trace_place_begin(struct rc_cmd_trace_place *place, const char *output, bool force,
                             struct rc_error *error)
{
    struct stat there;

    *place = (struct rc_cmd_trace_place){.output = output};
    place->made = mkdir(output, 0777) == 0;
    if (!place->made && errno != EEXIST)
        return rc_error_errno(error, errno, "cannot make the directory %s", output);
    if (stat(output, &there) == 0 && !S_ISDIR(there.st_mode)) {
        rc_error_set(error, "%s is there, and is no directory", output);
        return rc_error_hint(error, "-o names the directory that the recording goes to: take "
                                    "another name, such as %.100s.rec", output);
    }
    if (!realpath(output, place->directory) || access(place->directory, W_OK | X_OK) != 0)
        return rc_error_errno(error, errno, "cannot write to %s", output);
    return make_room(place, force, error);
}

void rc_cmd_trace_place_end(struct rc_cmd_trace_place *place, bool recorded)
{
    int directory = open(place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (directory < 0)
        return;
    if (recorded) {
        (void)unlinkat(directory, RC_TRACE_RANKS_LINK, 0); /* the recorder's own */
        if (place->aside)
            (void)take_away(directory);
    } else if (place->aside) {
        (void)put_back(directory);
    } else {
        (void)move_all(directory, -1);
    }
    close(directory);
    if (!recorded && place->made)
        (void)rmdir(place->directory); /* unless there is something in it */
}
