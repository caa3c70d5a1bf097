// SPDX-License-Identifier: GPL-3.0-or-later
/* internal.h - what the files of the watcher share. */
#ifndef RC_HOST_WATCH_INTERNAL_H
#define RC_HOST_WATCH_INTERNAL_H

#include <stdbool.h>

#include "base/random.h"
#include "host/watch/watch.h"
#include "host/watch/child.h"
#include "host/watch/clock.h"
#include "host/watch/line.h"
#include "host/watch/links.h"
#include "db/budget.h"

enum {
    RC_WATCH_WORDS_MAX = 64,
    RC_WATCH_LAUNCHER_MAX = 4096,
    RC_WATCH_READ_SIZE = 1 << 16,
    RC_WATCH_SAID_MAX = 200 /* bytes that are kept of the last line on standard error */
};

/* Collects what comes until a line is complete; longer ones are dropped as a whole. */
struct rc_watch_lines {
    char text[RC_WATCH_LINE_MAX + 1];
    size_t length;
    bool too_long;
};

/* A host.  Times are monotonic unless said otherwise. */
struct rc_watch_member {
    struct rc_watch_host info;
    struct rc_watch_child child;   /* the launcher that runs */
    struct rc_watch_child leaving; /* one that was given up, and is still to be buried */
    double leaving_since;
    bool leaving_killed;
    struct rc_watch_lines lines;
    char said[RC_WATCH_SAID_MAX + 1], saying[RC_WATCH_SAID_MAX + 1]; /* last whole line; the next */
    size_t saying_length;
    double said_at;
    struct rc_watch_clock clock;
    int64_t exchange; /* the id of the question that is open; 0: none */
    double asked, ask_at;
    int asks_at_once;      /* how many more questions follow one another without a pause */
    double started, heard; /* heard: the last line of any kind */
    double closed_at;      /* where the output has ended: when */
    double retry_at, up_since;
    unsigned attempt;             /* how often it was tried without staying up */
    double allowance, allowed_at; /* lines that it may still send now */
    unsigned nonsense;            /* lines in this life of the sensor that were none */
    double last;                  /* time of the last sample, on the base; -INFINITY: none */
};

struct rc_watch {
    struct rc_watch_options options; /* without the arrays and texts of the caller */
    struct rc_clock *clock;
    struct rc_watch_base base;
    struct rc_random *random;
    struct rc_watch_member *members;
    size_t n_hosts;
    char **names;
    struct rc_watch_schedule schedule;
    struct rc_budget *budget; /* of the bytes of probes; NULL: no database */
    double budget_at;         /* monotonic; it failed, and is not asked before */
    char words_text[RC_WATCH_LAUNCHER_MAX];
    const char *words[RC_WATCH_WORDS_MAX + 1];
    size_t n_launcher; /* words of the launcher alone */
    char every[32], probe_every[32], *program, *leave_out;
    size_t host_word; /* where the host's name goes in `words`; SIZE_MAX: nowhere */
    struct pollfd *fds;
    int64_t next_id;
    bool finishing, finished;
    char bytes[RC_WATCH_READ_SIZE];
};

/* ---- host.c: the life of one host ---- */

/* Nothing is started yet; the first try is at `start_at`. */
void rc_watch_member_init(struct rc_watch_member *member, const char *name, double start_at);

/* Does what is due: starts, asks for the time, gives up, buries. */
void rc_watch_member_tick(struct rc_watch *watch, size_t host, double now);
/* When it has something to do next; INFINITY: never by itself. */
double rc_watch_member_wake(const struct rc_watch_member *member, double now);
/* Reads what came, and deals with it. */
void rc_watch_member_read(struct rc_watch *watch, size_t host);
void rc_watch_member_read_errors(struct rc_watch_member *member, double now);

/* It is in this state from now on; the caller of the watcher is told. */
void rc_watch_member_enter(struct rc_watch *watch, size_t host, enum rc_watch_state state);
/* It is lost, for this reason; what it said last on standard error is added where there is any. */
void rc_watch_member_lose(struct rc_watch *watch, size_t host, double now, const char *format, ...)
    RC_PRINTF(4, 5);

/* How long to wait before try number `attempt` (from 0), with `uniform` in (0, 1) for the jitter:
 * 1, 2, 4 ... 60 s, a quarter more or less. */
double rc_watch_delay(unsigned attempt, double uniform);

/* Adds bytes up to a line end; 1: a line is complete (or was too long), and `*used` bytes are used.
 * */
int rc_watch_lines_add(struct rc_watch_lines *lines, const char *bytes, size_t length,
                       size_t *used);

/* ---- messages.c: what a line of a sensor means ---- */

/* Deals with the line that is complete. */
void rc_watch_member_hear(struct rc_watch *watch, size_t host, double now);
/* Asks a sensor for its time. */
void rc_watch_ask(struct rc_watch *watch, size_t host, double now);

/* Begins the probes that can begin, and ends those that take too long. */
void rc_watch_probe_links(struct rc_watch *watch, double now);
/* A host that takes part in a probe is gone. */
void rc_watch_probe_abandon(struct rc_watch *watch, size_t host, double now, const char *reason);

#endif
