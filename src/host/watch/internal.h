// SPDX-License-Identifier: GPL-3.0-or-later
/* internal.h - what the files of the watcher share. */
#ifndef RC_HOST_WATCH_INTERNAL_H
#define RC_HOST_WATCH_INTERNAL_H

#include <stdbool.h>

#include "base/random.h"
#include "host/watch/watch.h"
#include "host/watch/sensor_process.h"
#include "host/watch/time_base.h"
#include "host/watch/sensor_protocol.h"
#include "host/watch/probe_schedule.h"
#include "db/probe_budget.h"

#define RC_WATCH_LINES_AT_ONCE 4096.0 /* that a sensor may send in one go */

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

/* A host.  Times are monotonic unless stated otherwise. */
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
    struct rc_budget *budget;        /* of the bytes of probes; NULL: no database */
    double budget_at;                /* monotonic; it failed, and is not asked before */
    char *words[RC_WATCH_WORDS_MAX]; /* launcher, host, sensor */
    size_t n_words;
    size_t host_word; /* where the host's name goes in `words`; 0: nowhere, there is no launcher */
    struct pollfd *fds;
    int64_t next_id;
    bool finishing, finished;
    char bytes[RC_WATCH_READ_SIZE];
};

/* ---- host_state.c: the life of one host ---- */

/* Nothing is started yet; the first try is at `start_at`. */
void rc_watch_member_init(struct rc_watch_member *member, const char *name, double start_at);

/* Does what is due: starts, asks for the time, gives up, buries. */
void rc_watch_member_tick(struct rc_watch *watch, size_t host, double now);
/* When it has something to do next; INFINITY: never by itself. */
double rc_watch_member_wake(const struct rc_watch_member *member, double now);
/* Reads what came on its standard error, and saves the last line. */
void rc_watch_member_read_errors(struct rc_watch_member *member, double now);

/* Sets its state, and informs the caller of the watcher. */
void rc_watch_member_enter(struct rc_watch *watch, size_t host, enum rc_watch_state state);
/* Marks it as lost for this reason; its last line on standard error is added where there is any. */
void rc_watch_member_lose(struct rc_watch *watch, size_t host, double now, const char *format, ...)
    RC_PRINTF(4, 5);

/* How long to wait before try number `attempt` (from 0), with `uniform` in (0, 1) for the jitter:
 * 1, 2, 4 ... 60 s, a quarter more or less. */
double rc_watch_delay(unsigned attempt, double uniform);

/* ---- message_dispatch.c: the lines that come from a sensor ---- */

/* Reads the input, at most RC_WATCH_READ_SIZE bytes, and handles its lines. */
void rc_watch_member_read(struct rc_watch *watch, size_t host);

/* Adds bytes up to a line end; 1: a line is complete (or was too long), and `*used` bytes are used.
 * */
int rc_watch_lines_add(struct rc_watch_lines *lines, const char *bytes, size_t length,
                       size_t *used);

/* ---- sample.c: times of samples ---- */

/* The time on the base of a sample of this host that has `time` by the sensor's clock and came at
 * `now`; `last` is that of the sample before it.  Where the sensor's clock cannot be right, it is
 * asked for soon. */
double rc_watch_sample_time(struct rc_watch *watch, struct rc_watch_member *member, double time,
                            double last, double now);

/* Hands a sample to the callback and counts it; NAN is none. */
void rc_watch_sample_report(struct rc_watch *watch, size_t host, size_t link, const char *metric,
                            double t, double value);

/* The sensor's clock cannot be right, or is not known yet: it is asked soon, and more than once. */
void rc_watch_clock_doubt(struct rc_watch_member *member, double now);

/* ---- link_probes.c: probes of links ---- */

/* Begins the probes that can begin, and ends those that take too long. */
void rc_watch_probe_links(struct rc_watch *watch, double now);

/* A host that takes part in a probe is gone. */
void rc_watch_probe_abandon(struct rc_watch *watch, size_t host, double now, const char *reason);

/* What a host answered at `now`: that it listens, what the transfer came to, or why there is none.
 * Passed over where `line` is not of the open probe. */
void rc_watch_probe_listening(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                              double now);
void rc_watch_probe_result(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                           double now);
void rc_watch_probe_error(struct rc_watch *watch, size_t host, const struct rc_watch_line *line,
                          double now);

#endif
