// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_agent.c - serves the requests of a calibration. */
#include "model/slowdown/calibrate/bench.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "base/progress_monitor.h"
#include "host/sense/cores.h"
#include "testbed/load/receiver.h"
#include "model/slowdown/calibrate/bench_protocol.h"

#define PROGRESS_EVERY 0.2 /* seconds between two lines about progress */
#define LOAD_WITHIN 60.0   /* seconds until a load must have connected to a receiver */
enum { TICK = 500 };       /* ms between two checks of the monitor */

struct agent {
    int input, output;
    const struct rc_monitor *monitor;
    struct rc_buffer line;
    double reported; /* when progress was reported last */
    bool gone;       /* the answers are not read */
};

/* ---- talking ---- */

static void say(struct agent *agent, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    size_t length = text ? strlen(text) : 0, done = 0;

    if (text)
        text[length++] = '\n'; /* in place of the NUL */
    while (done < length) {
        ssize_t written = write(agent->output, text + done, length - done);

        if (written < 0 && errno != EINTR)
            break;
        done += written > 0 ? (size_t)written : 0;
    }
    agent->gone = agent->gone || done < length || length == 0;
    free(text);
    json_decref(object);
}

static void say_error(struct agent *agent, const struct rc_error *error)
{
    json_t *object = json_object();

    rc_json_set(object, "error", rc_json_text(error->text));
    say(agent, object);
}

static void greet(struct agent *agent)
{
    static struct rc_sense_cores cores;
    json_t *object = json_object();
    char name[256] = "";

    gethostname(name, sizeof name - 1);
    rc_json_set(object, "bench", json_integer(RC_BENCH_PROTOCOL));
    rc_json_set(object, "version", rc_json_text(rc_version()));
    rc_json_set(object, "host", rc_json_text(name));
    rc_json_set(object, "cores",
                json_integer(rc_sense_cores_allowed(&cores, NULL) ? 1 : (json_int_t)cores.n));
    say(agent, object);
}

/* The monitor of the measurements. */

static void say_progress(struct agent *agent, uint64_t done, uint64_t total)
{
    json_t *object = json_object(), *pair = json_array();

    agent->reported = rc_load_now();
    json_array_append_new(pair, json_integer((json_int_t)done));
    json_array_append_new(pair, json_integer((json_int_t)total));
    rc_json_set(object, "progress", pair);
    say(agent, object);
}

static void report_progress(void *data, uint64_t done, uint64_t total)
{
    struct agent *agent = data;

    if (total > 0 && rc_load_now() - agent->reported >= PROGRESS_EVERY)
        say_progress(agent, done, total);
}

/* Whether the requesting process has gone; pending input shows that it has not.  All long work
 * calls this now and then, so signs of life are written here, unless the last ones were not
 * read. */
static int has_gone(void *data)
{
    struct agent *agent = data;
    struct pollfd p[] = {{agent->input, POLLIN | POLLRDHUP, 0}, {agent->output, POLLOUT, 0}};

    if (agent->gone || rc_progress_monitor_cancelled(agent->monitor))
        return 1;
    if (poll(p, 2, 0) < 0)
        return 0;
    if (p[1].revents == POLLOUT && rc_load_now() - agent->reported >= RC_BENCH_SIGN)
        say_progress(agent, 0, 0);
    return (p[0].revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL)) ||
           (p[1].revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* ---- orders ---- */

static json_t *do_listen(struct agent *agent, const struct rc_monitor *monitor,
                         struct rc_error *error)
{
    struct rc_load_receiver receiver;
    struct rc_load_team *team = NULL;
    struct rc_peer peer = {.port = 0};
    double received = NAN;

    if (rc_load_receiver_open(&receiver, NULL, 0, NULL, error))
        return NULL;
    peer.port = receiver.port;
    memcpy(peer.key, receiver.key, sizeof peer.key);
    say(agent, rc_slowdown_bench_listening_json(&peer));
    team = rc_load_receiver_serve(&receiver, LOAD_WITHIN, monitor, error);
    if (team)
        received = (double)rc_load_team_sum(team, 0, SIZE_MAX, -1).received;
    rc_load_team_destroy(team);
    rc_load_receiver_close(&receiver);
    return isnan(received) ? NULL : rc_slowdown_bench_numbers_json("received", &received, 1);
}

static json_t *carry_out(struct agent *agent, const struct rc_bench_order *order,
                         struct rc_error *error)
{
    static double numbers[RC_BURSTS_MAX];
    static struct rc_memory_curve curve;
    const struct rc_monitor monitor = {report_progress, NULL, has_gone, agent};
    struct rc_delay_point points[RC_BENCH_POINTS_MAX];
    double byte_seconds;

    switch (order->kind) {
    case RC_BENCH_COMPUTE:
        return rc_slowdown_bench_compute(&order->compute, numbers, &monitor, error)
                   ? NULL
                   : rc_slowdown_bench_numbers_json("seconds", numbers, order->compute.repeat);
    case RC_BENCH_MEMORY:
        return rc_slowdown_bench_memory(&order->memory, &curve, &monitor, error)
                   ? NULL
                   : rc_slowdown_bench_numbers_json("slowdown", curve.slowdown, curve.n);
    case RC_BENCH_BURSTS:
        return rc_slowdown_bench_bursts(&order->bursts, numbers, &monitor, error)
                   ? NULL
                   : rc_slowdown_bench_numbers_json("rates", numbers, order->bursts.n);
    case RC_BENCH_DELAY:
        return rc_slowdown_bench_delay(&order->delay, points, &byte_seconds, &monitor, error)
                   ? NULL
                   : rc_slowdown_bench_points_json(points, order->delay.points, byte_seconds);
    case RC_BENCH_LISTEN:
    case RC_BENCH_KINDS:
        break;
    }
    return do_listen(agent, &monitor, error);
}

static void answer(struct agent *agent, const char *line, size_t length)
{
    struct rc_bench_order order;
    struct rc_error error = {0};
    json_t *object = NULL;

    if (rc_slowdown_bench_order_read(line, length, &order, &error)) {
        say_error(agent, &error);
        return;
    }
    object = carry_out(agent, &order, &error);
    rc_slowdown_bench_order_free(&order);
    if (object)
        say(agent, object);
    else
        say_error(agent, &error);
}

/* Serves all complete requests. */
static void answer_lines(struct agent *agent)
{
    char *end;

    while (!agent->gone && agent->line.length > 0 &&
           (end = memchr(agent->line.data, '\n', agent->line.length))) {
        size_t length = (size_t)(end - agent->line.data), rest = agent->line.length - length - 1;

        answer(agent, agent->line.data, length);
        memmove(agent->line.data, agent->line.data + length + 1, rest);
        agent->line.length = rest;
    }
}

/* 1: end of input; -1: too long. */
static int take(struct agent *agent, struct rc_error *error)
{
    char bytes[4096];
    ssize_t got = read(agent->input, bytes, sizeof bytes);

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (got <= 0)
        return 1;
    if (rc_buffer_add(&agent->line, bytes, (size_t)got))
        return rc_error_set(error, "request longer than %d bytes", RC_BENCH_LINE_MAX);
    answer_lines(agent);
    return 0;
}

int rc_slowdown_bench_serve(int input, int output, const struct rc_monitor *monitor,
                            struct rc_error *error)
{
    struct agent agent = {.input = input,
                          .output = output,
                          .monitor = monitor,
                          .line = RC_BUFFER_INIT(RC_BENCH_LINE_MAX),
                          .reported = -INFINITY};
    int status = 0;

    greet(&agent);
    while (status == 0 && !agent.gone && !rc_progress_monitor_cancelled(monitor)) {
        struct pollfd p[] = {{input, POLLIN, 0}, {output, 0, 0}};

        if (poll(p, 2, TICK) < 0 && errno != EINTR)
            status = rc_error_errno(error, errno, "cannot wait");
        else if (p[1].revents)
            agent.gone = true;
        else if (p[0].revents)
            status = take(&agent, error);
    }
    rc_buffer_free(&agent.line);
    return status < 0 ? -1 : 0;
}
