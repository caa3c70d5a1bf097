// SPDX-License-Identifier: GPL-3.0-or-later
/* message_dispatch.c - the lines that come from a sensor, and what each of them does. */
#include "host/watch/internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define LINES_PER_SECOND 100.0

enum {
    BANNER_MAX = 200,  /* lines that a login may print before the sensor's first message */
    NONSENSE_MAX = 20, /* lines of nonsense after which a sensor is given up */
    QUOTE_MAX = 60
};

/* ---- the time ---- */

static void handle_clock(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                         double now)
{
    struct rc_watch_member *member = &watch->members[host];
    struct rc_watch_clock *clock = &member->clock;

    if (!member->exchange || line->id != member->exchange)
        return;
    member->exchange = 0;
    rc_watch_clock_add(clock, member->asked, now, line->time);
    member->info.offset = rc_watch_clock_offset(clock, now) - watch->base.ahead;
    member->info.round_trip = clock->best.round_trip;
    member->info.drift = clock->drift;
}

/* ---- samples ---- */

static void handle_sample(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                          double now)
{
    struct rc_watch_member *member = &watch->members[host];
    double t = rc_watch_sample_time(watch, member, line->time, member->last, now);

    member->last = member->info.heard = t;
    member->info.messages++;
    if (!isnan(line->values[RC_WATCH_CPU]))
        member->info.cpu = line->values[RC_WATCH_CPU];
    if (!isnan(line->values[RC_WATCH_MEMORY]))
        member->info.memory = line->values[RC_WATCH_MEMORY];
    for (int i = 0; i < RC_WATCH_METRICS; i++)
        rc_watch_sample_report(watch, host, SIZE_MAX, rc_watch_metric_name((enum rc_watch_metric)i),
                               t, line->values[i]);
}

/* ---- all lines ---- */

static void handle_hello(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                         double now)
{
    struct rc_watch_member *member = &watch->members[host];

    if (line->protocol != RC_WATCH_PROTOCOL) {
        rc_watch_member_lose(watch, host, now,
                             "its sensor has another version (protocol %d, not %d)", line->protocol,
                             RC_WATCH_PROTOCOL);
        return;
    }
    member->info.cores = line->cores;
    if (member->info.state == RC_WATCH_UP)
        return;
    member->up_since = now;
    rc_watch_member_enter(watch, host, RC_WATCH_UP);
    rc_watch_clock_doubt(member, now);
}

/* A line that is no message.  Before the sensor's first message, a login may print anything. */
static void handle_invalid(struct rc_watch *watch, size_t host, double now, const char *why)
{
    struct rc_watch_member *member = &watch->members[host];
    bool up = member->info.state == RC_WATCH_UP;
    char quote[QUOTE_MAX + 1];

    member->info.faults += up;
    if (++member->nonsense <= (up ? NONSENSE_MAX : BANNER_MAX))
        return;
    snprintf(quote, sizeof quote, "%.*s", QUOTE_MAX, member->lines.text);
    rc_text_mend_cut(quote, sizeof quote);
    rc_watch_member_lose(watch, host, now, "invalid messages (%s): '%s'", why, quote);
}

static void handle_line(struct rc_watch *watch, size_t host, double now)
{
    static void (*const handlers[])(struct rc_watch *, size_t, const struct rc_watch_line *,
                                    double) = {
        [RC_WATCH_LINE_HELLO] = handle_hello,
        [RC_WATCH_LINE_SAMPLE] = handle_sample,
        [RC_WATCH_LINE_CLOCK] = handle_clock,
        [RC_WATCH_LINE_LISTENING] = rc_watch_probe_listening,
        [RC_WATCH_LINE_LINK] = rc_watch_probe_result,
        [RC_WATCH_LINE_ERROR] = rc_watch_probe_error,
    };
    struct rc_watch_member *member = &watch->members[host];
    struct rc_error error = {0};
    struct rc_watch_line line;

    if (member->lines.too_long) {
        handle_invalid(watch, host, now, "line too long");
    } else if (rc_watch_line_read(member->lines.text, member->lines.length, &line, &error)) {
        handle_invalid(watch, host, now, error.text);
    } else if (member->info.state != RC_WATCH_UP && line.kind != RC_WATCH_LINE_HELLO) {
        handle_invalid(watch, host, now, "no greeting");
    } else if (line.kind != RC_WATCH_LINE_OTHER) {
        handlers[line.kind](watch, host, &line, now);
    }
}

/* ---- reading ---- */

int rc_watch_lines_add(struct rc_watch_lines *lines, const char *bytes, size_t length, size_t *used)
{
    const char *end = memchr(bytes, '\n', length);
    size_t part = end ? (size_t)(end - bytes) : length;

    *used = end ? part + 1 : part;
    if (part > RC_WATCH_LINE_MAX - lines->length)
        lines->too_long = true;
    else if (!lines->too_long)
        memcpy(lines->text + lines->length, bytes, part);
    if (!lines->too_long)
        lines->length += part;
    if (!end)
        return 0;
    while (lines->length > 0 && lines->text[lines->length - 1] == '\r')
        lines->length--;
    lines->text[lines->length] = '\0';
    return 1;
}

/* Whether it may send one more line now. */
static bool allowed(struct rc_watch *watch, struct rc_watch_member *member, double now)
{
    double rate = fmax(LINES_PER_SECOND, 20 / watch->options.interval);

    member->allowance = fmin(fmax(RC_WATCH_LINES_AT_ONCE, rate),
                             member->allowance + rate * (now - member->allowed_at));
    member->allowed_at = now;
    member->allowance -= 1;
    return member->allowance >= 0;
}

void rc_watch_member_read(struct rc_watch *watch, size_t host)
{
    struct rc_watch_member *member = &watch->members[host];
    ssize_t got = read(member->child.output, watch->bytes, sizeof watch->bytes);
    double now = watch->clock->monotonic(watch->clock); /* what was read had come by then */
    char *end = watch->bytes + got;
    size_t used;

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        close(member->child.output);
        member->child.output = -1;
        member->closed_at = now;
        return;
    }
    /* A line may lose the host, and with it the launcher whose output this is. */
    for (char *at = watch->bytes; member->child.pid && at < end; at += used) {
        if (!rc_watch_lines_add(&member->lines, at, (size_t)(end - at), &used))
            continue;
        member->heard = now;
        if (!allowed(watch, member, now))
            rc_watch_member_lose(watch, host, now, "too many lines");
        else
            handle_line(watch, host, now);
        member->lines.length = 0;
        member->lines.too_long = false;
    }
}
