// SPDX-License-Identifier: GPL-3.0-or-later
/* signal_witness.c - finds out whether a signal came to the whole process group. */
#include "run/signal_witness.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

enum {
    LOOK = 100,       /* milliseconds between two looks at a process that is stopped */
    ANSWER = 2000,    /* milliseconds that an answer may take */
    SIGNALS_MAX = 64, /* that fit into a mask */
    SECOND_LOOK = 20  /* milliseconds until it is asked a second time */
};

/* 0: which signals came?  Otherwise the number of a process that is stopped. */
typedef pid_t request;

/* ---- the witness ---- */

static uint64_t take_pending(void)
{
    const struct timespec at_once = {0, 0};
    uint64_t taken = 0;
    sigset_t all;
    int number;

    sigfillset(&all);
    while ((number = sigtimedwait(&all, NULL, &at_once)) > 0)
        if (number <= SIGNALS_MAX)
            taken |= UINT64_C(1) << (number - 1);
    return taken;
}

static bool is_stopped(pid_t pid)
{
    char path[64], text[512];
    const char *end;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    if (rc_file_read(path, text, sizeof text))
        return false;
    end = strrchr(text, ')'); /* of the name, which may hold anything */
    return end && end[1] == ' ' && (end[2] == 'T' || end[2] == 't');
}

_Noreturn static void be_witness(pid_t parent, int line)
{
    struct pollfd asked = {3, POLLIN, 0};
    pid_t guarded = 0;
    sigset_t all;
    request r;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Its descriptors must not keep a pipe open. */
    if (getppid() != parent || dup2(line, 3) < 0 || close_range(4, ~0U, 0) || close_range(0, 2, 0))
        _exit(0);
    for (;;) {
        uint64_t taken;

        if (poll(&asked, 1, guarded ? LOOK : -1) == 0) {
            if (is_stopped(guarded))
                continue;
            kill(parent, SIGCONT);
            guarded = 0;
            continue;
        }
        if (read(3, &r, sizeof r) != (ssize_t)sizeof r)
            _exit(0);
        guarded = r ? r : guarded;
        taken = r ? 0 : take_pending();
        if (!r && write(3, &taken, sizeof taken) != (ssize_t)sizeof taken)
            _exit(0);
    }
}

/* ---- the process that asks ---- */

int rc_run_witness_start(struct rc_witness *witness, struct rc_error *error)
{
    pid_t parent = getpid();
    sigset_t all, before;
    int ends[2];

    *witness = (struct rc_witness){0, -1, 0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return rc_error_errno(error, errno, "cannot make a socket");
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    witness->pid = fork();
    if (witness->pid == 0)
        be_witness(parent, ends[1]);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    witness->line = ends[0];
    if (witness->pid > 0)
        return 0;
    close(ends[0]);
    *witness = (struct rc_witness){0, -1, 0};
    return rc_error_errno(error, errno, "cannot start a process");
}

/* Takes over what came to the witness since it was asked last. */
static void ask(struct rc_witness *witness)
{
    struct pollfd answer = {witness->line, POLLIN, 0};
    const request which = 0;
    uint64_t taken;

    if (witness->pid > 0 && send(witness->line, &which, sizeof which, MSG_NOSIGNAL) > 0 &&
        poll(&answer, 1, ANSWER) == 1 &&
        recv(witness->line, &taken, sizeof taken, MSG_DONTWAIT) == (ssize_t)sizeof taken)
        witness->seen |= taken;
}

bool rc_run_witness_saw(struct rc_witness *witness, int number)
{
    const struct timespec pause = {0, SECOND_LOOK * 1000000L};
    const uint64_t bit = number >= 1 && number <= SIGNALS_MAX ? UINT64_C(1) << (number - 1) : 0;

    if (!(witness->seen & bit))
        ask(witness);
    if (!(witness->seen & bit)) {
        /* The kernel signals the members of a group one by one, and this process may be ahead. */
        nanosleep(&pause, NULL);
        ask(witness);
    }
    if (!(witness->seen & bit))
        return false;
    witness->seen &= ~bit;
    return true;
}

void rc_run_witness_guard(struct rc_witness *witness, pid_t pid)
{
    const request guarded = pid;

    if (witness->pid > 0 && send(witness->line, &guarded, sizeof guarded, MSG_NOSIGNAL) < 0)
        rc_run_witness_stop(witness);
}

void rc_run_witness_stop(struct rc_witness *witness)
{
    if (witness->pid == 0)
        return;
    close(witness->line);
    kill(witness->pid, SIGKILL);
    while (waitpid(witness->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    *witness = (struct rc_witness){0, -1, 0};
}
