// SPDX-License-Identifier: GPL-3.0-or-later
/* host_state.c - the life of one watched host: started, up, lost, tried again.
 *
 * Invariants:
 * 1. A launcher is started only when the one before it was waited for: a host has one sensor of
 *    ours.
 * 2. What one call reads is bounded, and so is what is kept; a flood only loses the host. */
#include "host/watch/internal.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define DELAY_MOST 60.0
#define JITTER 0.25
#define SETTLED 30.0     /* seconds up after which waiting begins anew with a second */
#define MOMENT 0.25      /* seconds from the end of the output to that of the launcher */
#define GRACE 2.0        /* seconds from SIGTERM to SIGKILL */
#define REAP_TICK 0.05   /* seconds between two looks at one that is to end */
#define SAID_LATELY 10.0 /* seconds before it was lost in which it may have printed the reason */
#define ORPHAN 15.0      /* seconds of silence after which the launcher is checked */
#define ANSWER_MOST 5.0  /* seconds that an answer about the time may take */
#define ASK_EVERY 10.0   /* seconds between two questions for the time */
#define ASK_SOON 0.05    /* ... at the beginning, and where the time is in doubt */

enum { SAID_READ = 4096, COMMAND_MAX = 64 };

double rc_watch_delay(unsigned attempt, double uniform)
{
    double seconds = attempt < 6 ? (double)(1U << attempt) : DELAY_MOST;

    return fmin(seconds, DELAY_MOST) * (1 + JITTER * (2 * uniform - 1));
}

void rc_watch_member_init(struct rc_watch_member *member, const char *name, double start_at)
{
    const struct rc_watch_child none = RC_WATCH_CHILD_NONE;

    *member = (struct rc_watch_member){.info = {.name = name,
                                                .state = RC_WATCH_STARTING,
                                                .heard = NAN,
                                                .cpu = NAN,
                                                .memory = NAN,
                                                .offset = NAN,
                                                .round_trip = NAN,
                                                .retry_at = NAN},
                                       .child = none,
                                       .leaving = none,
                                       .retry_at = start_at,
                                       .last = -INFINITY};
    rc_watch_clock_init(&member->clock);
}

void rc_watch_member_enter(struct rc_watch *watch, size_t host, enum rc_watch_state state)
{
    struct rc_watch_host *info = &watch->members[host].info;
    bool changed = info->state != state;

    info->state = state;
    info->since = watch->base.updated + watch->base.ahead;
    if (changed && watch->options.change)
        watch->options.change(watch->options.data, host, info);
}

/* ---- losing it ---- */

/* Ends the launcher; it is waited for later. */
static void leave(struct rc_watch_member *member, double now)
{
    rc_watch_member_read_errors(member, now);
    rc_watch_child_close(&member->child);
    rc_watch_child_kill(&member->child, SIGTERM);
    member->leaving = member->child;
    member->leaving_since = now;
    member->leaving_killed = false;
    member->child = (struct rc_watch_child)RC_WATCH_CHILD_NONE;
}

static void reap(struct rc_watch_member *member, double now)
{
    int status;

    if (member->leaving.pid == 0)
        return;
    if (rc_watch_child_ended(&member->leaving, &status)) {
        rc_watch_child_reap(&member->leaving);
    } else if (!member->leaving_killed && now >= member->leaving_since + GRACE) {
        rc_watch_child_kill(&member->leaving, SIGKILL);
        member->leaving_killed = true;
    }
}

void rc_watch_member_lose(struct rc_watch *watch, size_t host, double now, const char *format, ...)
{
    struct rc_watch_member *member = &watch->members[host];
    struct rc_watch_host *info = &member->info;
    va_list arguments;
    size_t length;
    double delay;

    va_start(arguments, format);
    vsnprintf(info->reason, sizeof info->reason, format, arguments);
    va_end(arguments);
    if (member->child.pid)
        leave(member, now);
    length = strlen(info->reason);
    /* What a login printed long ago is not why it is lost now. */
    if (member->said[0] && now - member->said_at < SAID_LATELY)
        snprintf(info->reason + length, sizeof info->reason - length, ": %s", member->said);
    rc_text_mend_cut(info->reason, sizeof info->reason);
    rc_text_clean(info->reason, strlen(info->reason));
    rc_watch_probe_abandon(watch, host, now, "a host was lost");
    if (info->state == RC_WATCH_UP && now - member->up_since >= SETTLED)
        member->attempt = 0;
    delay = rc_watch_delay(member->attempt++, rc_random_uniform(watch->random));
    member->retry_at = now + delay;
    info->retry_at = member->retry_at + watch->base.ahead;
    info->losses += info->state != RC_WATCH_LOST;
    rc_watch_member_enter(watch, host, RC_WATCH_LOST);
}

/* Its output has ended.  The launcher's exit status is mostly known in a moment, and is more
 * informative. */
static void lose_ended(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];
    char how[96] = "closed its output";
    int status;

    if (rc_watch_child_ended(&member->child, &status))
        rc_watch_child_describe(status, how, sizeof how);
    else if (now < member->closed_at + MOMENT)
        return;
    rc_watch_member_lose(watch, host, now, "%s %s",
                         member->info.state == RC_WATCH_UP ? "the sensor" : "the launcher", how);
}

/* ---- starting it ---- */

static void start(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];
    const char *words[RC_WATCH_WORDS_MAX + 1] = {NULL};
    struct rc_error error = {0};

    assert(member->child.pid == 0 && member->leaving.pid == 0);
    memcpy(words, watch->words, watch->n_words * sizeof *words);
    if (watch->host_word > 0)
        words[watch->host_word] = member->info.name;
    member->lines.length = 0;
    member->lines.too_long = false;
    member->said[0] = '\0';
    member->saying_length = member->nonsense = 0;
    member->exchange = 0;
    member->asks_at_once = 0;
    member->started = member->heard = member->allowed_at = now;
    member->allowance = RC_WATCH_LINES_AT_ONCE;
    rc_watch_clock_restart(&member->clock);
    if (rc_watch_child_start(&member->child, words, &error))
        rc_watch_member_lose(watch, host, now, "%s", error.text);
}

static void ask_clock(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];
    char command[COMMAND_MAX];

    member->exchange = ++watch->next_id;
    snprintf(command, sizeof command, "clock %" PRId64 "\n", member->exchange);
    member->asked = watch->clock->monotonic(watch->clock);
    member->ask_at = now + (member->asks_at_once > 0 ? ASK_SOON : ASK_EVERY);
    if (member->asks_at_once > 0)
        member->asks_at_once--;
    if (rc_watch_child_send(&member->child, command, strlen(command)))
        member->exchange = 0;
}

static void look_after(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];
    bool up = member->info.state == RC_WATCH_UP;
    double silence = now - member->heard;
    char how[96];
    int status;

    if (member->child.output < 0) {
        lose_ended(watch, host, now);
    } else if (!up && now - member->started >= RC_WATCH_START) {
        rc_watch_member_lose(watch, host, now, "no sensor started within %g s", RC_WATCH_START);
    } else if (up && silence >= RC_WATCH_SILENCE) {
        rc_watch_member_lose(watch, host, now, "no answer for %g s", RC_WATCH_SILENCE);
    } else if (silence >= ORPHAN && rc_watch_child_ended(&member->child, &status)) {
        rc_watch_child_describe(status, how, sizeof how);
        rc_watch_member_lose(watch, host, now, "the launcher %s", how);
    } else if (up && member->exchange && now >= member->asked + ANSWER_MOST) {
        member->exchange = 0; /* a later answer would be useless */
    } else if (up && !member->exchange && now >= member->ask_at) {
        ask_clock(watch, host, now);
    }
}

void rc_watch_member_tick(struct rc_watch *watch, size_t host, double now)
{
    struct rc_watch_member *member = &watch->members[host];

    reap(member, now);
    if (member->child.pid)
        look_after(watch, host, now);
    else if (!watch->finishing && now >= member->retry_at && member->leaving.pid == 0)
        start(watch, host, now);
}

double rc_watch_member_wake(const struct rc_watch_member *member, double now)
{
    double wake = member->heard + ORPHAN;

    if (member->leaving.pid || (member->child.pid && member->child.output < 0))
        return now + REAP_TICK;
    if (!member->child.pid)
        return member->retry_at;
    if (wake <= now)
        wake = now + ORPHAN / 5;
    if (member->info.state != RC_WATCH_UP)
        return fmin(wake, member->started + RC_WATCH_START);
    wake = fmin(wake, member->heard + RC_WATCH_SILENCE);
    return fmin(wake, member->exchange ? member->asked + ANSWER_MOST : member->ask_at);
}

/* ---- reading ---- */

void rc_watch_member_read_errors(struct rc_watch_member *member, double now)
{
    char bytes[SAID_READ];
    ssize_t got;

    if (member->child.errors < 0)
        return;
    got = read(member->child.errors, bytes, sizeof bytes);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
        close(member->child.errors);
        member->child.errors = -1;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] != '\n' && bytes[i] != '\r') {
            if (member->saying_length < RC_WATCH_SAID_MAX)
                member->saying[member->saying_length++] = bytes[i];
            continue;
        }
        member->saying[member->saying_length] = '\0';
        /* A hint follows the line that it belongs to. */
        if (member->saying_length > 0 && strncmp(member->saying, "hint:", 5) != 0) {
            memcpy(member->said, member->saying, member->saying_length + 1);
            member->said_at = now;
        }
        member->saying_length = 0;
    }
}
