// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_agent.c - answers a watcher in lines of text (docs/reference/sensors.md). */
#include "host/sense/sensor_agent.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/progress_monitor.h"
#include "host/sense/link_transfer.h"
#include "host/sense/watcher_request.h"

#define JOB_GRACE 2.0 /* seconds that a probe may take beyond its time */
/* Seconds without a request after which a watcher that has made some is considered gone: it asks
 * for the time every 10 s.  A cut network would go unnoticed for long. */
#define FORGOTTEN 300.0

struct agent {
    struct rc_sense_host *host;
    int input;
    FILE *output;
    struct rc_clock *clock;
    char line[RC_SENSE_LINE_MAX];
    size_t length;
    bool too_long;                   /* the rest of a line is dropped */
    double asked;                    /* monotonic: when the last request came; INFINITY: none yet */
    struct rc_sense_request request; /* that the job under way carries out */
    bool working;
    int listener; /* of that job */
    char key[RC_KEY_SIZE];
};

/* The result of a job. */
struct answer {
    int status;
    struct rc_link_result link;
    char text[512];
};

json_t *rc_sense_sample_json(const struct rc_sense_sample *sample)
{
    json_t *object = json_object();

    rc_json_set(object, "time", rc_json_number(sample->time));
    for (size_t m = 0; m < RC_SENSE_METRICS; m++)
        if (!isnan(rc_sense_value(sample, m)))
            rc_json_set(object, rc_sense_metrics[m].name,
                        rc_json_number(rc_sense_value(sample, m)));
    return object;
}

int rc_sense_write_line(FILE *output, json_t *object)
{
    rc_json_write(output, object, false);
    fputc('\n', output);
    json_decref(object);
    return fflush(output) || ferror(output) ? -1 : 0;
}

/* {NAME: {...}} with the id of the request. */
static int say(const struct agent *agent, const char *name, int64_t id, json_t *body)
{
    json_t *object = json_object();

    rc_json_set(body, "id", json_integer(id));
    rc_json_set(object, name, body);
    return rc_sense_write_line(agent->output, object);
}

static int say_error(const struct agent *agent, int64_t id, const char *text)
{
    json_t *body = json_object();

    rc_json_set(body, "text", rc_json_text(text));
    return say(agent, "error", id, body);
}

static int say_hello(const struct agent *agent, double interval)
{
    json_t *object = json_object();
    char name[256] = "";

    gethostname(name, sizeof name - 1);
    rc_json_set(object, "hello", json_integer(1));
    rc_json_set(object, "version", rc_json_text(rc_version()));
    rc_json_set(object, "host", rc_json_text(name));
    rc_json_set(object, "cores", json_integer((json_int_t)rc_sense_host_cores(agent->host)));
    rc_json_set(object, "every", rc_json_number(interval));
    return rc_sense_write_line(agent->output, object);
}

/* ---- links ---- */

static void serve_body(void *data, void *result)
{
    const struct agent *agent = data;
    struct answer *answer = result;
    struct rc_error error = {0};

    answer->status = rc_sense_link_serve(agent->listener, agent->key, RC_LINK_SECONDS, &error);
    memcpy(answer->text, error.text, sizeof answer->text);
}

static void probe_body(void *data, void *result)
{
    const struct agent *agent = data;
    const struct rc_sense_request *request = &agent->request;
    struct answer *answer = result;
    struct rc_error error = {0};

    answer->status =
        rc_sense_link_probe(&request->peer, request->burst, request->most, &answer->link, &error);
    memcpy(answer->text, error.text, sizeof answer->text);
}

static int start_job(struct agent *agent, void (*body)(void *data, void *result), int keep,
                     struct rc_error *error)
{
    int status =
        rc_sense_job_start(rc_sense_host_job(agent->host), body, agent, sizeof(struct answer), keep,
                           RC_LINK_SECONDS + JOB_GRACE, error);

    agent->working = status == 0;
    return status;
}

static int begin_listening(struct agent *agent, const struct rc_sense_request *request,
                           struct rc_error *error)
{
    json_t *body;
    int port = 0, status;

    if (rc_socket_make_key(agent->key, error))
        return -1;
    agent->listener =
        rc_socket_listen(request->peer.host[0] ? request->peer.host : NULL, &port, error);
    if (agent->listener < 0)
        return -1;
    status = start_job(agent, serve_body, agent->listener, error);
    close(agent->listener); /* the job has it */
    if (status)
        return -1;
    body = json_object();
    rc_json_set(body, "port", json_integer(port));
    rc_json_set(body, "key", rc_json_text(agent->key));
    return say(agent, "listening", request->id, body) ? 1 : 0;
}

static int say_link(const struct agent *agent, const struct answer *answer)
{
    const struct rc_link_result *link = &answer->link;
    json_t *body = json_object();

    rc_json_set(body, "time", rc_json_number(agent->clock->wall(agent->clock)));
    if (!isnan(link->bandwidth))
        rc_json_set(body, "bandwidth", rc_json_number(link->bandwidth));
    rc_json_set(body, "wants", rc_json_number(link->wants));
    rc_json_set(body, "latency", rc_json_number(link->latency));
    rc_json_set(body, "bytes", rc_json_number(link->bytes));
    rc_json_set(body, "seconds", rc_json_number(link->seconds));
    return say(agent, "link", agent->request.id, body);
}

/* Reports the result of the job; a listening job has reported everything before. */
static int end_job(struct agent *agent)
{
    struct rc_sense_job *job = rc_sense_host_job(agent->host);
    int said = rc_sense_job_check(job, agent->clock->monotonic(agent->clock));
    struct answer answer;

    if (said == 0)
        return 0;
    agent->working = false;
    if (agent->request.kind != RC_SENSE_PROBE)
        return 0;
    if (said < 0)
        return say_error(agent, agent->request.id, "the probe ended without a result");
    memcpy(&answer, job->result, sizeof answer);
    return answer.status ? say_error(agent, agent->request.id, answer.text)
                         : say_link(agent, &answer);
}

/* ---- requests ---- */

static int carry_out(struct agent *agent, const char *line)
{
    struct rc_sense_request request;
    struct rc_error error = {0};
    json_t *body;
    int status;

    if (rc_sense_request_read(line, &request, &error))
        return say_error(agent, request.id, error.text);
    if (request.kind == RC_SENSE_CLOCK) {
        body = json_object();
        rc_json_set(body, "time", rc_json_number(agent->clock->wall(agent->clock)));
        return say(agent, "clock", request.id, body);
    }
    if (agent->working)
        return say_error(agent, request.id, "another probe is running");
    agent->request = request;
    status = request.kind == RC_SENSE_LISTEN ? begin_listening(agent, &request, &error)
                                             : start_job(agent, probe_body, -1, &error);
    return status < 0 ? say_error(agent, request.id, error.text) : status ? -1 : 0;
}

static int take_byte(struct agent *agent, char c)
{
    bool whole = c == '\n', dropped = agent->too_long;

    if (!whole && agent->length < sizeof agent->line - 1)
        agent->line[agent->length++] = c;
    else if (!whole)
        agent->too_long = true;
    if (!whole)
        return 0;
    if (agent->length > 0 && agent->line[agent->length - 1] == '\r')
        agent->length--;
    agent->line[agent->length] = '\0';
    agent->length = 0;
    agent->too_long = false;
    return dropped ? say_error(agent, 0, "the line is too long") : carry_out(agent, agent->line);
}

/* -1 where there is no more, or the reader is gone. */
static int read_requests(struct agent *agent)
{
    char bytes[4096];
    ssize_t got = read(agent->input, bytes, sizeof bytes);

    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    agent->asked = agent->clock->monotonic(agent->clock);
    for (ssize_t i = 0; i < got; i++)
        if (take_byte(agent, bytes[i]))
            return -1;
    return got == 0 ? -1 : 0;
}

static int take_sample(struct agent *agent, struct rc_error *error)
{
    struct rc_sense_sample sample;
    int status = rc_sense_host_step(agent->host, &sample, error);
    json_t *object;

    if (status <= 0)
        return status;
    object = json_object();
    rc_json_set(object, "sample", rc_sense_sample_json(&sample));
    return rc_sense_write_line(agent->output, object) ? 1 : 0;
}

/* 0 where it is over; -1 where it failed. */
static int attend(struct agent *agent, double end, const struct rc_monitor *monitor,
                  struct rc_error *error)
{
    for (;;) {
        struct pollfd wait[] = {{agent->input, POLLIN, 0},
                                {fileno(agent->output), 0, 0}, /* detects that the reader is gone */
                                {agent->working ? rc_sense_host_job(agent->host)->output
                                                : rc_sense_host_descriptor(agent->host),
                                 POLLIN, 0}};
        double now = agent->clock->monotonic(agent->clock);
        double left = fmin(rc_sense_host_due(agent->host), end) - now;
        int status;

        if (now >= end || now - agent->asked > FORGOTTEN || rc_progress_monitor_cancelled(monitor))
            return 0;
        if (poll(wait, 3, (int)fmax(0, fmin(ceil(left * 1e3), 1000))) < 0 && errno != EINTR)
            return rc_error_errno(error, errno, "cannot wait");
        if (wait[1].revents & (POLLERR | POLLHUP | POLLNVAL))
            return 0;
        if (wait[0].revents && read_requests(agent))
            return 0;
        if (agent->working && end_job(agent))
            return 0;
        status = take_sample(agent, error);
        if (status)
            return status < 0 ? -1 : 0;
    }
}

int rc_sense_agent(struct rc_sense_host *host, int input, FILE *output, double interval,
                   double seconds, const struct rc_monitor *monitor, struct rc_error *error)
{
    struct agent agent = {.host = host,
                          .input = input,
                          .output = output,
                          .clock = rc_clock_system(),
                          .asked = INFINITY};

    if (say_hello(&agent, interval))
        return -1;
    return attend(&agent, rc_clock_now() + seconds, monitor, error);
}
