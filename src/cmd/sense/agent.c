// SPDX-License-Identifier: GPL-3.0-or-later
/* sense_agent.c - 'runcast sense --agent': a sensor that another runcast asks (docs/sense.md). */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/monitor.h"
#include "cmd/sense/sense.h"
#include "host/sense/link.h"
#include "host/sense/request.h"

#define JOB_GRACE 2.0 /* seconds that a probe may take beyond its time */
/* Seconds without an request after which one that has given some is gone: 'runcast watch' asks for
 * the time every 10 s.  A network that was cut would not tell that for long. */
#define FORGOTTEN 300.0

struct agent {
    struct rc_sense_host *host;
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

/* What a job tells. */
struct answer {
    int status;
    struct rc_link_result link;
    char text[512];
};

/* {NAME: {...}} with the id of the request. */
static int say(const char *name, int64_t id, json_t *body)
{
    json_t *object = json_object();

    rc_json_set(body, "id", json_integer(id));
    rc_json_set(object, name, body);
    return rc_cmd_sense_say(object);
}

static int say_error(int64_t id, const char *text)
{
    json_t *body = json_object();

    rc_json_set(body, "text", rc_json_text(text));
    return say("error", id, body);
}

static int say_hello(const struct agent *agent, double every)
{
    json_t *object = json_object();
    char name[256] = "";

    gethostname(name, sizeof name - 1);
    rc_json_set(object, "hello", json_integer(1));
    rc_json_set(object, "version", rc_json_text(rc_version()));
    rc_json_set(object, "host", rc_json_text(name));
    rc_json_set(object, "cores", json_integer((json_int_t)rc_sense_host_cores(agent->host)));
    rc_json_set(object, "every", rc_json_number(every));
    return rc_cmd_sense_say(object);
}

static int say_clock(const struct agent *agent, int64_t id)
{
    json_t *body = json_object();

    rc_json_set(body, "time", rc_json_number(agent->clock->wall(agent->clock)));
    return say("clock", id, body);
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
    return say("listening", request->id, body) ? 1 : 0;
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
    return say("link", agent->request.id, body);
}

/* What came of the job; who listened has said all that there is to say before. */
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
        return say_error(agent->request.id, "the probe ended without a word");
    memcpy(&answer, job->result, sizeof answer);
    return answer.status ? say_error(agent->request.id, answer.text) : say_link(agent, &answer);
}

/* ---- orders ---- */

static int carry_out(struct agent *agent, const char *line)
{
    struct rc_sense_request request;
    struct rc_error error = {0};
    int status;

    if (rc_sense_request_read(line, &request, &error))
        return say_error(request.id, error.text);
    if (request.kind == RC_SENSE_CLOCK)
        return say_clock(agent, request.id);
    if (agent->working)
        return say_error(request.id, "another probe is under way");
    agent->request = request;
    status = request.kind == RC_SENSE_LISTEN ? begin_listening(agent, &request, &error)
                                             : start_job(agent, probe_body, -1, &error);
    return status < 0 ? say_error(request.id, error.text) : status ? -1 : 0;
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
    return dropped ? say_error(0, "the line is too long") : carry_out(agent, agent->line);
}

/* -1 where there is no more, or nobody listens. */
static int read_orders(struct agent *agent)
{
    char bytes[4096];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);

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
    rc_json_set(object, "sample", rc_cmd_sense_json(&sample));
    return rc_cmd_sense_say(object) ? 1 : 0;
}

/* 0 where it is over; -1 where it failed. */
static int attend(struct agent *agent, double end, const struct rc_cmd_work *work,
                  struct rc_error *error)
{
    for (;;) {
        struct pollfd wait[] = {{STDIN_FILENO, POLLIN, 0},
                                {STDOUT_FILENO, 0, 0}, /* tells when nobody reads any more */
                                {agent->working ? rc_sense_host_job(agent->host)->output
                                                : rc_sense_host_descriptor(agent->host),
                                 POLLIN, 0}};
        double now = agent->clock->monotonic(agent->clock);
        double left = fmin(rc_sense_host_due(agent->host), end) - now;
        int status;

        if (now >= end || now - agent->asked > FORGOTTEN || rc_monitor_cancelled(&work->monitor))
            return 0;
        if (poll(wait, 3, (int)fmax(0, fmin(ceil(left * 1e3), 1000))) < 0 && errno != EINTR)
            return rc_error_errno(error, errno, "cannot wait");
        if (wait[1].revents & (POLLERR | POLLHUP | POLLNVAL))
            return 0;
        if (wait[0].revents && read_orders(agent))
            return 0;
        if (agent->working && end_job(agent))
            return 0;
        status = take_sample(agent, error);
        if (status)
            return status < 0 ? -1 : 0;
    }
}

int rc_cmd_sense_agent(const struct rc_invocation *invocation, struct rc_sense_host *host,
                       double every, double seconds, struct rc_cmd_work *work)
{
    struct agent agent = {.host = host, .clock = rc_clock_system(), .asked = INFINITY};
    struct rc_error error = {0};
    double end = agent.clock->monotonic(agent.clock) + seconds;

    if (say_hello(&agent, every))
        return RC_EXIT_FAILED;
    return attend(&agent, end, work, &error) ? rc_cmd_fail(&error, "%s", invocation->path)
                                             : RC_EXIT_OK;
}
