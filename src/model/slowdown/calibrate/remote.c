// SPDX-License-Identifier: GPL-3.0-or-later
/* remote.c - a host that measures, reached by the user's launcher. */
#include "model/slowdown/calibrate/remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/launcher_command.h"
#include "base/progress_monitor.h"
#include "base/text.h"
#include "testbed/load/load_processes.h"

#define START_SECONDS 30.0 /* limit for a launcher */
#define LEAVE_SECONDS 3.0  /* limit to end without, and again with SIGTERM */
enum { TICK = 50, LINES_MAX = 1 << 20 };

/* ---- starting ---- */

static int is_other(const struct rc_remote *remote, const char *version, struct rc_error *error)
{
    char name[64];

    snprintf(name, sizeof name, "%s", version);
    rc_text_clean(name, strlen(name));
    rc_error_set(error, "%s: runcast %s is incompatible with this one, %s", remote->host, name,
                 rc_version());
    return rc_error_code(error, "slowdown.other-version", NULL);
}

static int read_greeting(struct rc_remote *remote, const json_t *greeting, struct rc_error *error)
{
    const json_t *bench = json_object_get(greeting, "bench"),
                 *cores = json_object_get(greeting, "cores");
    const char *version = json_string_value(json_object_get(greeting, "version"));

    if (json_is_integer(bench) && version && json_integer_value(bench) != RC_BENCH_PROTOCOL)
        return is_other(remote, version, error);
    if (json_integer_value(bench) != RC_BENCH_PROTOCOL || json_integer_value(cores) < 1 ||
        json_integer_value(cores) > 1 << 20)
        return rc_slowdown_remote_bad_answer(remote->host, error);
    remote->cores = (int)json_integer_value(cores);
    return 0;
}

/* ---- listening ---- */

/* Saves a complete line of its standard error, in case that it is the last one. */
static void end_line(struct rc_remote *remote)
{
    remote->line[remote->line_length] = '\0';
    if (remote->line_length > 0 && strncmp(remote->line, "hint:", 5) != 0)
        memcpy(remote->last, remote->line, remote->line_length + 1);
    remote->line_length = 0;
}

static void read_errors(struct rc_remote *remote)
{
    char bytes[512];
    ssize_t got;

    while ((got = read(remote->child.errors, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r')
                end_line(remote);
            else if (remote->line_length < sizeof remote->line - 1)
                remote->line[remote->line_length++] = bytes[i];
        }
    if (got == 0) {
        end_line(remote);
        close(remote->child.errors);
        remote->child.errors = -1;
    }
}

/* 1: end of its output. */
static int read_output(struct rc_remote *remote, struct rc_error *error)
{
    char bytes[4096];
    ssize_t got;

    while ((got = read(remote->child.output, bytes, sizeof bytes)) > 0)
        if (rc_buffer_add(&remote->lines, bytes, (size_t)got))
            return rc_error_set(error, "%s: answer too long", remote->host);
    return got == 0;
}

/* Takes the next whole line; NULL if there is none, or it is foreign. */
static json_t *take_line(struct rc_remote *remote, bool *taken)
{
    char *end =
        remote->lines.length > 0 ? memchr(remote->lines.data, '\n', remote->lines.length) : NULL;
    size_t length, rest;
    json_error_t where;
    json_t *object;

    *taken = end != NULL;
    if (!end)
        return NULL;
    length = (size_t)(end - remote->lines.data);
    rest = remote->lines.length - length - 1;
    object = length <= RC_BENCH_LINE_MAX
                 ? json_loadb(remote->lines.data, length, JSON_REJECT_DUPLICATES, &where)
                 : NULL;
    memmove(remote->lines.data, end + 1, rest);
    remote->lines.length = rest;
    if (json_is_object(object))
        return object;
    json_decref(object); /* a login shell may write a greeting */
    return NULL;
}

/* The next line other than progress; NULL if there is none yet. */
static json_t *take_answer(struct rc_remote *remote, const struct rc_monitor *monitor)
{
    bool taken = true;

    while (taken) {
        json_t *object = take_line(remote, &taken);
        const json_t *progress = json_object_get(object, "progress");
        json_int_t done = json_integer_value(json_array_get(progress, 0)),
                   total = json_integer_value(json_array_get(progress, 1));

        if (object && !progress)
            return object;
        if (progress && done >= 0 && total > 0)
            rc_progress_monitor_advance(monitor, (uint64_t)done, (uint64_t)total);
        json_decref(object);
    }
    return NULL;
}

static int explain_end(struct rc_remote *remote, struct rc_error *error)
{
    double until = rc_load_now() + 0.5;
    char how[128] = "ended without an error message";
    bool ended = false;
    int status = 0;

    while (!(ended = rc_watch_child_ended(&remote->child, &status)) && rc_load_now() < until)
        poll(NULL, 0, TICK / 5);
    read_errors(remote);
    if (ended)
        rc_watch_child_describe(status, how, sizeof how);
    rc_text_clean(remote->last, strlen(remote->last));
    rc_error_set(error, "%s: %s %s%s%s", remote->host,
                 remote->launcher[0] ? "the launcher" : "the measurement", how,
                 remote->last[0] ? ": " : "", remote->last);
    if (remote->launcher[0])
        rc_error_code(error, "slowdown.launcher-ended", "%s\n%s\n%s", remote->launcher,
                      remote->host, remote->program);
    return -1;
}

static int report_silence(const struct rc_remote *remote, double patience, bool signs,
                          struct rc_error *error)
{
    if (signs)
        return rc_error_set(error, "%s: no answer for %g s", remote->host, patience);
    return rc_error_set(error, "%s: '%s' did not start runcast within %g s", remote->host,
                        remote->launcher, patience);
}

/* Waits for an answer for `patience` seconds; with `signs`, any output restarts the time. 
 * Before the greeting it does not, since a launcher may write much. */
static json_t *await(struct rc_remote *remote, double patience, bool signs,
                     const struct rc_monitor *monitor, struct rc_error *error)
{
    double since = rc_load_now();
    json_t *answer;
    int ended = 0;

    while (!(answer = take_answer(remote, monitor))) {
        struct pollfd p[] = {{remote->child.output, POLLIN, 0}, {remote->child.errors, POLLIN, 0}};

        if (rc_progress_monitor_check(monitor, error))
            return NULL;
        if (ended) {
            explain_end(remote, error);
            return NULL;
        }
        if (rc_load_now() - since >= patience) {
            report_silence(remote, patience, signs, error);
            return NULL;
        }
        poll(p, 2, TICK);
        if (p[1].revents)
            read_errors(remote);
        if (p[0].revents && signs)
            since = rc_load_now();
        ended = p[0].revents ? read_output(remote, error) : 0;
        if (ended < 0)
            return NULL;
    }
    return answer;
}

int rc_slowdown_remote_open(struct rc_remote *remote, const struct rc_remote_launch *launch,
                            const char *host, const struct rc_monitor *monitor,
                            struct rc_error *error)
{
    const char *const rest[] = {host, launch->program, launch->arguments[0], launch->arguments[1],
                                launch->arguments[2]};
    size_t from = launch->launcher ? 0 : 1; /* without a launcher there is no host to name */
    struct rc_launcher_words words;
    json_t *greeting;
    int status;

    *remote = (struct rc_remote){.child = RC_WATCH_CHILD_NONE, .lines = RC_BUFFER_INIT(LINES_MAX)};
    snprintf(remote->host, sizeof remote->host, "%s", host);
    snprintf(remote->launcher, sizeof remote->launcher, "%s",
             launch->launcher ? launch->launcher : "");
    snprintf(remote->program, sizeof remote->program, "%s", launch->program);
    remote->patience = launch->patience > 0 ? launch->patience : RC_REMOTE_PATIENCE;
    if (rc_launcher_words_make(&words, launch->launcher, rest + from,
                               sizeof rest / sizeof *rest - from, error) ||
        rc_watch_child_start(&remote->child, words.argv, error))
        return -1;
    greeting = await(remote, START_SECONDS, false, monitor, error);
    status = greeting ? read_greeting(remote, greeting, error) : -1;
    json_decref(greeting);
    return status;
}

void rc_slowdown_remote_close(struct rc_remote *remote)
{
    double begun = rc_load_now();
    int status, sent = 0;

    rc_watch_child_close(&remote->child);
    while (remote->child.pid > 0 && !rc_watch_child_ended(&remote->child, &status)) {
        double passed = rc_load_now() - begun;
        int signal_now = passed > 2 * LEAVE_SECONDS ? SIGKILL
                         : passed > LEAVE_SECONDS   ? SIGTERM
                                                    : 0;

        if (signal_now != sent)
            rc_watch_child_kill(&remote->child, signal_now);
        sent = signal_now;
        if (passed > 3 * LEAVE_SECONDS)
            rc_watch_child_abandon(&remote->child);
        else
            poll(NULL, 0, TICK / 10);
    }
    rc_watch_child_reap(&remote->child);
    rc_buffer_free(&remote->lines);
}

/* ---- asking ---- */

int rc_slowdown_remote_bad_answer(const char *host, struct rc_error *error)
{
    rc_error_set(error, "%s: invalid answer", host);
    return rc_error_hint(error, "is its version of runcast the same as here, %s?", rc_version());
}

json_t *rc_slowdown_remote_wait(struct rc_remote *remote, const struct rc_monitor *monitor,
                                struct rc_error *error)
{
    json_t *answer = await(remote, remote->patience, true, monitor, error);
    const json_t *fault = json_object_get(answer, "error");

    if (!fault)
        return answer;
    rc_error_set(error, "%s: %s", remote->host,
                 json_is_string(fault) ? json_string_value(fault) : "it failed");
    json_decref(answer);
    return NULL;
}

/* Writes all of it: a request may be larger than the buffer of a pipe. */
static int send_text(struct rc_remote *remote, const char *text, size_t length,
                     const struct rc_monitor *monitor, struct rc_error *error)
{
    enum { PIECE = 512 }; /* at most PIPE_BUF: all or nothing */

    while (length > 0) {
        struct pollfd p = {remote->child.input, POLLOUT, 0};
        size_t piece = length < PIECE ? length : PIECE;
        int status;

        if (rc_progress_monitor_check(monitor, error))
            return -1;
        if (rc_watch_child_send(&remote->child, text, piece) == 0) {
            text += piece;
            length -= piece;
        } else if (rc_watch_child_ended(&remote->child, &status) || errno != EAGAIN) {
            return explain_end(remote, error);
        } else {
            poll(&p, 1, TICK);
        }
    }
    return 0;
}

json_t *rc_slowdown_remote_ask(struct rc_remote *remote, const struct rc_bench_order *order,
                               const struct rc_monitor *monitor, struct rc_error *error)
{
    json_t *object = rc_slowdown_bench_order_json(order);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0;
    int status;

    json_decref(object);
    if (!text) {
        rc_error_no_memory(error);
        return NULL;
    }
    text[length] = '\n'; /* in place of the NUL */
    status = send_text(remote, text, length + 1, monitor, error);
    free(text);
    return status ? NULL : rc_slowdown_remote_wait(remote, monitor, error);
}
