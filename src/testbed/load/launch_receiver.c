// SPDX-License-Identifier: GPL-3.0-or-later
/* launch_receiver.c - starts the receiver of a load with the user's launcher. */
#include "testbed/load/launch_receiver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/launcher_command.h"
#include "base/progress_monitor.h"
#include "base/number.h"
#include "base/process.h"
#include "base/text.h"
#include "testbed/load/protocol.h"
#include "testbed/load/load_processes.h"

#define START_SECONDS 30.0 /* that a launcher may take */
#define STOP_SECONDS 3.0   /* that it may take to end by itself */

enum { LINE_SIZE = 512, OUTPUT_MAX = 1 << 20, TICK = 50 };

int rc_load_announcement_read(const char *line, struct rc_peer *peer)
{
    const size_t length = strlen(RC_LOAD_ANNOUNCEMENT);
    const char *port = line + length + 1, *key;
    int64_t number;

    if (strncmp(line, RC_LOAD_ANNOUNCEMENT " ", length + 1) != 0 || !(key = strchr(port, ' ')))
        return -1;
    if (rc_number_parse_integer(port, (size_t)(key - port), &number) || number < 1 ||
        number > 65535 || !rc_socket_is_key(key + 1))
        return -1;
    peer->port = (int)number;
    snprintf(peer->key, sizeof peer->key, "%s", key + 1);
    return 0;
}

/* ---- starting ---- */

_Noreturn static void be_launcher(const char *path, const char *const *argv, int output)
{
    int nothing = open("/dev/null", O_RDONLY);

    rc_process_reset_signals();
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    rc_process_close_on_exec();
    rc_process_exec(path, argv);
    dprintf(2, "%s: %s\n", path, strerror(errno));
    _exit(127);
}

static int start(struct rc_load_launch *launch, const struct rc_launcher_words *words,
                 struct rc_error *error)
{
    char path[4096];
    int ends[2];

    if (rc_process_find(words->argv[0], path, sizeof path))
        return rc_error_set(error, "cannot find the program '%s'", words->argv[0]);
    if (pipe2(ends, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    launch->pid = rc_process_fork(SIGTERM);
    if (launch->pid == 0)
        be_launcher(path, words->argv, ends[1]);
    close(ends[1]);
    launch->output = ends[0];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (launch->pid > 0)
        return 0;
    launch->pid = 0;
    close(ends[0]);
    return rc_error_errno(error, errno, "cannot start a process");
}

/* ---- listening to it ---- */

struct hearing {
    char line[LINE_SIZE], last[LINE_SIZE]; /* `last`: the last line with any text */
    size_t length, total;
};

/* 1: the announcement was read; 0: not yet; -1: no more comes. */
static int hear(int fd, struct hearing *hearing, struct rc_peer *peer)
{
    char c;
    ssize_t got;

    while ((got = read(fd, &c, 1)) == 1 && hearing->total++ < OUTPUT_MAX) {
        if (c != '\n') {
            if (hearing->length < sizeof hearing->line - 1)
                hearing->line[hearing->length++] = c;
            continue;
        }
        while (hearing->length > 0 && hearing->line[hearing->length - 1] == '\r')
            hearing->length--;
        hearing->line[hearing->length] = '\0';
        if (rc_load_announcement_read(hearing->line, peer) == 0)
            return 1;
        if (hearing->length > 0 && strncmp(hearing->line, "hint:", 5) != 0)
            memcpy(hearing->last, hearing->line, hearing->length + 1);
        hearing->length = 0;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

static int await(const struct rc_load_launch *launch, const char *launcher, const char *host,
                 struct rc_peer *peer, const struct rc_monitor *monitor, struct rc_error *error)
{
    double deadline = rc_load_now() + START_SECONDS;
    struct hearing hearing = {.length = 0};
    int heard = 0;

    while ((heard = hear(launch->output, &hearing, peer)) == 0) {
        struct pollfd p = {launch->output, POLLIN, 0};

        if (rc_progress_monitor_cancelled(monitor))
            return rc_error_set(error, "interrupted before the load began");
        if (rc_load_now() >= deadline)
            return rc_error_set(error, "'%s' started no receiver on %s within %g s", launcher, host,
                                START_SECONDS);
        rc_progress_monitor_advance(monitor, 0, 0);
        poll(&p, 1, TICK);
    }
    if (heard > 0)
        return 0;
    rc_text_clean(hearing.last, strlen(hearing.last));
    rc_error_set(error, "no receiver on %s: %s", host,
                 hearing.last[0] ? hearing.last : "the launcher ended without output");
    return rc_error_code(error, "load.no-receiver", "%s\n%s", launcher, host);
}

int rc_load_launch_start(struct rc_load_launch *launch, const char *launcher, const char *host,
                         const char *const *receiver, struct rc_peer *peer,
                         const struct rc_monitor *monitor, struct rc_error *error)
{
    const char *rest[RC_LAUNCHER_WORDS_MAX] = {host};
    struct rc_launcher_words words;
    size_t n = 1;

    *launch = (struct rc_load_launch){0, -1};
    for (; *receiver && n < RC_LAUNCHER_WORDS_MAX; receiver++)
        rest[n++] = *receiver;
    if (rc_launcher_words_make(&words, launcher, rest, n, error) || start(launch, &words, error))
        return -1;
    if (await(launch, launcher, host, peer, monitor, error) == 0)
        return 0;
    kill(launch->pid, SIGTERM);
    rc_load_launch_stop(launch);
    return -1;
}

void rc_load_launch_stop(struct rc_load_launch *launch)
{
    double begun = rc_load_now(), passed;
    int signal_now;

    if (launch->pid == 0)
        return;
    for (;;) {
        struct pollfd none = {-1, 0, 0};

        if (waitpid(launch->pid, NULL, WNOHANG) != 0)
            break;
        passed = rc_load_now() - begun;
        signal_now = passed > 2 * STOP_SECONDS ? SIGKILL : passed > STOP_SECONDS ? SIGTERM : 0;
        kill(launch->pid, signal_now);
        poll(&none, 1, TICK / 5);
    }
    close(launch->output);
    *launch = (struct rc_load_launch){0, -1};
}
