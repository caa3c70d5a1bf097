// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_child.c - a part of the sensor's work in a child process. */
#include "host/sense/sensor_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/process.h"

_Noreturn static void be_child(void (*body)(void *data, void *result), void *data, size_t size,
                               int output, int keep)
{
    char result[RC_SENSE_JOB_RESULT] = {0};

    rc_process_ignore_signals();
    setsid(); /* if sessions share the cores, it gets a share as a user's program does */
    rc_process_close_others(output, keep);
    body(data, result);
    _exit(write(output, result, size) == (ssize_t)size ? 0 : 1);
}

int rc_sense_job_start(struct rc_sense_job *job, void (*body)(void *data, void *result), void *data,
                       size_t size, int keep, double seconds, struct rc_error *error)
{
    int ends[2];
    pid_t pid;

    if (job->pid)
        return rc_error_set(error, "another probe is running");
    if (size > sizeof job->result || pipe2(ends, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    pid = rc_process_fork(SIGKILL);
    if (pid == 0)
        be_child(body, data, size, ends[1], keep);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return rc_error_errno(error, errno, "cannot start a process");
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *job = (struct rc_sense_job){
        .pid = pid, .output = ends[0], .size = size, .deadline = rc_clock_now() + seconds};
    return 0;
}

void rc_sense_job_stop(struct rc_sense_job *job)
{
    if (job->pid) {
        kill(job->pid, SIGKILL);
        while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        close(job->output);
    }
    job->pid = 0;
    job->output = -1;
}

int rc_sense_job_check(struct rc_sense_job *job, double now)
{
    ssize_t n = 1;

    if (!job->pid)
        return 0;
    while (n > 0 && job->got < job->size) {
        n = read(job->output, job->result + job->got, job->size - job->got);
        job->got += n > 0 ? (size_t)n : 0;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR) && now < job->deadline)
        return 0;
    rc_sense_job_stop(job);
    return job->got == job->size ? 1 : -1;
}
