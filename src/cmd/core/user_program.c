// SPDX-License-Identifier: GPL-3.0-or-later
/* user_program.c - programs of the user's: whether one exists, and ending by the signal that ended
 * one. */
#include "cmd/core/command.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };

int rc_cmd_end_by(int number)
{
    const struct rlimit none = {0, 0};
    sigset_t one;

    setrlimit(RLIMIT_CORE, &none); /* the program's core is the one of interest */
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    return 128 + number;
}

int rc_cmd_check_program(const char *name)
{
    char path[4096];
    struct rc_error error = {0};
    int number;

    if (rc_process_find(name, path, sizeof path) == 0)
        return 0;
    number = strchr(name, '/') && access(name, F_OK) == 0 ? EACCES : ENOENT;
    rc_error_errno(&error, number, "cannot start '%.200s'", name);
    rc_cmd_fail(&error, "running the program");
    return number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}
