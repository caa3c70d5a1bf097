// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_file.c - runs gnuplot and stores its picture.
 *
 * gnuplot reads its script from an unnamed file in memory and writes the picture to another one.
 * Only a complete picture is copied to a new file beside the target, which then replaces it. So an
 * older plot stays intact in any case; only a kill during the copy can leave a file. */
#include "report/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/progress_monitor.h"
#include "base/process.h"

enum { SCRIPT_MAX = 1 << 28, SAID_MAX = 4096, SECONDS = 120, NAMES = 100 };

/* ---- gnuplot ---- */

struct call {
    char program[PATH_MAX];
    int script, picture;
};

/* In the child process; only what is safe between fork and exec. */
static int be_gnuplot(void *data)
{
    const struct call *call = data;
    static char name[] = "gnuplot", settings[] = "--default-settings";
    char *const argv[] = {name, settings, NULL}; /* the user's own must not change the design */

    if (dup2(call->script, STDIN_FILENO) >= 0 && dup2(call->picture, STDOUT_FILENO) >= 0)
        execv(call->program, argv);
    return 127;
}

/* The last non-empty line of gnuplot: its error. */
static const char *last_words(struct rc_buffer *said)
{
    char *end = said->data ? said->data + said->length : NULL, *start;

    while (end && end > said->data && (end[-1] == '\n' || end[-1] == ' '))
        *--end = '\0';
    if (!end || end == said->data)
        return "no error message";
    start = strrchr(said->data, '\n');
    start = start ? start + 1 : said->data;
    return start + strspn(start, " ");
}

static int run_gnuplot(struct call *call, const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_process_options options = {.seconds = SECONDS, .monitor = monitor};
    struct rc_buffer said = RC_BUFFER_INIT(SAID_MAX);
    struct rc_process_result result;
    struct stat status;
    int failed;

    if (rc_process_find("gnuplot", call->program, sizeof call->program)) {
        rc_error_set(error, "gnuplot is not installed");
        return rc_error_hint(error, "apt install gnuplot-nox");
    }
    failed = rc_process_call(be_gnuplot, call, &options, &said, &result, error);
    if (result.end == RC_PROCESS_TIMED_OUT)
        rc_error_set(error, "gnuplot did not end within %d s", SECONDS);
    if (failed == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0 ||
                        fstat(call->picture, &status) || status.st_size == 0)) {
        failed = rc_error_set(error, "gnuplot failed: %s", last_words(&said));
        rc_error_hint(error, "'runcast doctor' checks gnuplot");
    }
    rc_buffer_free(&said);
    return failed;
}

/* ---- the file ---- */

/* A new file beside `path`; its name in `name`, of PATH_MAX. */
static int make_beside(const char *path, char *name, struct rc_error *error)
{
    const char *slash = strrchr(path, '/');
    int directory = slash ? (int)(slash - path + 1) : 0, file, length;

    for (int i = 0; i < NAMES; i++) {
        length = snprintf(name, PATH_MAX, "%.*s.runcast-plot-%ld-%d", directory, path,
                          (long)getpid(), i);
        if (length < 0 || length >= PATH_MAX)
            return rc_error_set(error, "the path is too long");
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    return file < 0 ? rc_error_errno(error, errno, "cannot make a file in its directory") : file;
}

static int copy(int from, int to)
{
    off_t place = 0;
    ssize_t sent;

    do
        sent = sendfile(to, from, &place, 1 << 20);
    while (sent > 0 || (sent < 0 && errno == EINTR));
    return sent < 0 ? -1 : 0;
}

/* Puts the picture in the place of `path`. */
static int replace(const char *path, int picture, struct rc_error *error)
{
    char name[PATH_MAX];
    struct stat before;
    int file = make_beside(path, name, error), status = 0;

    if (file < 0)
        return -1;
    if (copy(picture, file) || (stat(path, &before) == 0 && fchmod(file, before.st_mode & 0777)))
        status = rc_error_errno(error, errno, "cannot write it");
    if (close(file) && status == 0)
        status = rc_error_errno(error, errno, "cannot write it");
    if (status == 0 && rename(name, path))
        status = rc_error_errno(error, errno, "cannot rename the finished plot");
    if (status)
        unlink(name);
    return status;
}

/* A file in memory, at its start. */
static int open_memory(const char *content, size_t length, struct rc_error *error)
{
    int low = memfd_create("runcast-plot", MFD_CLOEXEC);
    /* Clear of 0 to 2, which may be free here, and which the child's own ends will take. */
    int file = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (low >= 0)
        close(low);
    if (file < 0)
        return rc_error_errno(error, errno, "cannot make a temporary file in memory");
    for (ssize_t written; length > 0; content += written, length -= (size_t)written) {
        written = write(file, content, length);
        if (written < 0 && errno == EINTR)
            written = 0;
        if (written < 0) {
            rc_error_errno(error, errno, "cannot make a temporary file in memory");
            close(file);
            return -1;
        }
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

int rc_plot_write(const char *path, const struct rc_plot *panels, size_t n_panels,
                  const struct rc_monitor *monitor, struct rc_error *error)
{
    struct rc_buffer script = RC_BUFFER_INIT(SCRIPT_MAX);
    struct call call = {.script = -1, .picture = -1};
    /* A link stays; its target is replaced. */
    char *target = realpath(path, NULL);
    int status = rc_plot_script(path, panels, n_panels, &script, error);

    if (status == 0)
        call.script = open_memory(script.data, script.length, error);
    rc_buffer_free(&script);
    if (call.script >= 0)
        call.picture = open_memory("", 0, error);
    if (call.script < 0 || call.picture < 0 || run_gnuplot(&call, monitor, error) ||
        rc_progress_monitor_check(monitor, error) ||
        replace(target ? target : path, call.picture, error))
        status = -1;
    if (call.script >= 0)
        close(call.script);
    if (call.picture >= 0)
        close(call.picture);
    free(target);
    return status;
}
