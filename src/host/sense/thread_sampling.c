// SPDX-License-Identifier: GPL-3.0-or-later
/* thread_sampling.c - samples one thread many times a second. */
#include "host/sense/thread_sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { PATH = 80, TEXT = 1024 };

static int open_file(pid_t pid, pid_t tid, const char *name)
{
    char path[PATH];

    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads a file from its beginning; what is too long is cut. */
static int read_again(int fd, char text[TEXT])
{
    ssize_t length;

    while ((length = pread(fd, text, TEXT - 1, 0)) < 0)
        if (errno != EINTR)
            return -1;
    text[length] = '\0';
    return length > 0 ? 0 : -1;
}

/* One that has not been on a core yet has nothing but zeros. */
static int read_schedule(const char *text, struct rc_sense_times *times)
{
    if (rc_sense_proc_schedule_read(text, &times->run, &times->wait) == 0)
        return 0;
    times->run = times->wait = 0;
    return strncmp(text, "0 0 0", 5) == 0 ? 0 : -1;
}

/* The state after the name in /proc/PID/task/TID/stat. */
static int read_state(const char *text, enum rc_proc_call *call)
{
    const char *at = strrchr(text, ')');

    if (!at || at[1] != ' ')
        return -1;
    *call = at[2] == 'R' ? RC_PROC_RUNS : RC_PROC_WAITS;
    return 0;
}

int rc_sense_thread_open(struct rc_sense_thread *thread, pid_t pid, pid_t tid)
{
    char text[TEXT];

    *thread = (struct rc_sense_thread){.call = -1};
    thread->schedule = open_file(pid, tid, "schedstat");
    if (thread->schedule < 0)
        return -1;
    thread->call = open_file(pid, tid, "syscall");
    /* Every user may open it, but reading may be refused. */
    if (thread->call < 0 || read_again(thread->call, text)) {
        thread->hidden = errno == EACCES || errno == EPERM;
        thread->plain = true;
        if (thread->call >= 0)
            close(thread->call);
        thread->call = open_file(pid, tid, "stat");
    }
    if (thread->call >= 0)
        return 0;
    rc_sense_thread_close(thread);
    return -1;
}

void rc_sense_thread_close(struct rc_sense_thread *thread)
{
    if (thread->schedule >= 0)
        close(thread->schedule);
    if (thread->call >= 0)
        close(thread->call);
    thread->schedule = thread->call = -1;
}

int rc_sense_thread_read(const struct rc_sense_thread *thread, struct rc_sense_times *times)
{
    char text[TEXT];

    /* In this order: of a thread that is found blocked, all is counted by then. */
    if (read_again(thread->call, text) ||
        (thread->plain ? read_state(text, &times->call)
                       : rc_sense_proc_call_read(text, &times->call)))
        return -1;
    return read_again(thread->schedule, text) ? -1 : read_schedule(text, times);
}

int rc_sense_thread_glance(pid_t pid, pid_t tid, struct rc_sense_times *times)
{
    char path[PATH], text[TEXT];

    times->call = RC_PROC_WAITS;
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, (int)tid);
    return rc_file_read(path, text, sizeof text) ? -1 : read_schedule(text, times);
}
