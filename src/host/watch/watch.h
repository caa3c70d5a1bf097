// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.h - sensors on many hosts, read from one place and put on one time base.
 *
 * A watcher starts `LAUNCHER HOST SENSOR` for each host, where SENSOR is a command with the
 * protocol of docs/reference/sensors.md, reads its output, and passes every sample to a callback.
 * It stores nothing and prints nothing; sample_db.h writes samples to a database.
 *
 * Guarantees:
 * 1. One thread and no signal handler; it waits only for its own children, by
 *    their numbers.  The thread that creates it must outlive it: the children end with that thread.
 * 2. No process is left behind.  Each launcher has a separate session, gets SIGTERM from the
 *    kernel when this process ends in whatever way, and the sensor behind it ends when its standard
 *    input does. rc_watch_destroy() returns after all launchers are gone, killed where they must
 *    be; but does not wait for one that we may not kill, as one of sudo's (see `left_behind`).
 * 3. A host that is lost (its launcher ends, it is silent for RC_WATCH_SILENCE seconds, or it sends
 *    invalid messages) is started again after 1, 2, 4 ... 60 s, with jitter; the others go on
 *    meanwhile.
 * 4. Times are on this machine's clock: offset and drift of each sensor's clock are measured all
 *    the time.  Within one series they rise strictly, and no sample is later than its arrival;
 *    neither a correction nor a clock that is set, here or there, changes that.
 * 5. No two probes of links overlap on a host; a link is probed once in `link_interval` seconds,
 *    and in any hour at most `link_bytes` bytes are sent over it: by all that share the database of
 *    the options, where there is one, and else by this watcher.  Where probes of so few bytes give
 *    no result, there are fewer and longer ones, if there is a database to count them in.
 * 6. Whatever a sensor writes, memory is bounded and no other host waits for it. */
#ifndef RC_HOST_WATCH_WATCH_H
#define RC_HOST_WATCH_WATCH_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "runcast.h"

struct rc_watch;

enum { RC_WATCH_HOSTS_MAX = 4096, RC_WATCH_LINKS_MAX = 1 << 16, RC_WATCH_REASON_SIZE = 256 };

#define RC_WATCH_SILENCE 30.0  /* seconds without a line after which a host is lost */
#define RC_WATCH_START 30.0    /* seconds that a launcher may take to bring a sensor up */
#define RC_WATCH_INTERVAL 10.0 /* the defaults of the options below */
#define RC_WATCH_LINK_INTERVAL 60.0
#define RC_WATCH_LINK_BYTES 67108864.0 /* 64 MiB in any hour */
#define RC_WATCH_BURST 65536.0

enum rc_watch_state {
    RC_WATCH_STARTING, /* the launcher runs, or will soon; no message yet */
    RC_WATCH_UP,       /* the sensor has sent its greeting */
    RC_WATCH_LOST      /* see `reason`; will be tried again */
};

/* One number of one series.  Good during the callback only, but for the names, which are good for
 * as long as the watcher. */
struct rc_watch_sample {
    size_t host;        /* index into the hosts of the options */
    size_t link;        /* index into the links; SIZE_MAX: a sample of the host itself */
    const char *name;   /* of the host, as it was given */
    const char *peer;   /* name of the link's far end; "" for a host */
    const char *metric; /* cpu, memory, load1, load5, load15, in, out; bandwidth, latency */
    double t, value;
};

/* From hosts[from] to hosts[to]. */
struct rc_watch_link {
    size_t from, to;
};

/* What is known of a host. */
struct rc_watch_host {
    const char *name;
    enum rc_watch_state state;
    char reason[RC_WATCH_REASON_SIZE]; /* why it is lost, or was last; "" where it never was */
    double since;                      /* when it came into this state */
    double retry_at;                   /* when a lost one is tried again */
    uint64_t messages;                 /* sample lines that came; all were handed on */
    uint64_t samples;                  /* numbers handed on, those of its links included */
    uint64_t losses;                   /* how often it was lost */
    uint64_t faults;                   /* lines that could not be understood */
    int cores;                         /* 0: not known */
    double heard;                      /* when the last sample came; NAN: none yet */
    double cpu, memory;                /* the last ones; NAN: none yet */
    double offset;     /* of its clock: positive where it is ahead; NAN: not measured yet */
    double round_trip; /* of the exchange that this rests on */
    double drift;      /* seconds by which it gains in a second */
    pid_t left_behind; /* a launcher that did not end and could not be killed; 0: none */
};

/* What is known of a link. */
struct rc_watch_link_info {
    size_t from, to;
    uint64_t probes, failures;
    uint64_t too_short; /* probes with too few bytes for a bandwidth */
    double
        interval; /* seconds from probe to probe: more than asked for where the link is so fast that
                     as many probes would be too short */
    bool too_fast;                     /* the bytes of an hour are too few even for one probe */
    double bytes;                      /* sent so far, as reported by the sensors */
    double bandwidth, latency;         /* the last ones; NAN: none yet */
    bool tried;                        /* the first probe has ended, or was put off */
    char reason[RC_WATCH_REASON_SIZE]; /* why there is no probe, or no good one; "": there is */
};

/* Start from rc_watch_options_init(); all is copied, so that nothing here needs to outlive the
 * call of rc_watch_create(). */
struct rc_watch_options {
    const char *const *hosts; /* names; no two alike */
    size_t n_hosts;
    const char *launcher; /* words between spaces, no shell; NULL or "": the sensor is started
                             directly, on this machine, and the host's name is only a name */
    const char *const *launcher_words; /* the same, word by word up to a NULL, where a word may have
                                          spaces in it; NULL: see `launcher` */
    const char *const *sensor; /* the command that starts a sensor, word by word up to a NULL */
    double interval;           /* seconds between samples, as that command has it */

    const struct rc_watch_link *links;
    size_t n_links;
    double link_interval, link_bytes, burst;
    struct rc_db *db;  /* where probes of all watchers are counted (db/probe_budget.h); must be
                               open for writing, and outlive the watcher; NULL: none */
    int links_at_once; /* other than 0: all are due at the beginning, rather than one after another
                          over the time of `link_interval` */

    struct rc_clock *clock; /* NULL: the system's; must outlive the watcher */
    uint64_t seed;          /* of the jitter */

    /* Called from rc_watch_step() and rc_watch_finish(); any may be NULL.  They must not step,
     * finish or destroy the watcher. */
    void (*sample)(void *data, const struct rc_watch_sample *sample);
    void (*change)(void *data, size_t host, const struct rc_watch_host *now); /* of state */
    /* A link is to be probed less often, or is too fast. */
    void (*probe_less)(void *data, const struct rc_watch_link_info *now);
    void *data;
};

/* Sets the defaults; `hosts` and `sensor` are left to be filled in. */
void rc_watch_options_init(struct rc_watch_options *options);

/* Makes the watcher; the first launchers are started by the first step.  NULL, with the error set,
 * for invalid options, an unknown launcher, or if memory runs out. */
struct rc_watch *rc_watch_create(const struct rc_watch_options *options, struct rc_error *error);

/* Waits until something came or is to be done, `timeout` seconds at most (0: does not wait;
 * INFINITY: until then), and does it.  Also returns, after less, when a signal came.  A host that
 * is lost is no failure: -1 only where memory ran out or the system does not work. */
int rc_watch_step(struct rc_watch *watch, double timeout, struct rc_error *error);

/* For a caller with its own poll(): writes the descriptors and events to wait for, at most
 * `most`, and returns how many there are in all (two for each host).  The caller then
 * calls rc_watch_step(watch, 0) when any is ready, and in any case after rc_watch_patience()
 * seconds. */
size_t rc_watch_fds(const struct rc_watch *watch, struct pollfd *fds, size_t most);
double rc_watch_patience(struct rc_watch *watch);

/* Lets every sensor end (it gets the end of its input), and takes what still comes from them; what
 * has not ended after `seconds` is killed.  After it there are no processes left, but for those
 * that could not be killed within 4 s, and a step does nothing.  The states stay as they were. */
void rc_watch_finish(struct rc_watch *watch, double seconds);

/* The same with a second, unless it was finished, and frees it. */
void rc_watch_destroy(struct rc_watch *watch);

/* The time on the watcher's time base, on which samples are. */
double rc_watch_now(struct rc_watch *watch);

/* As many as the options had. */
size_t rc_watch_n_hosts(const struct rc_watch *watch);
size_t rc_watch_n_links(const struct rc_watch *watch);
/* How many hosts are in this state. */
size_t rc_watch_count(const struct rc_watch *watch, enum rc_watch_state state);
/* How many hosts have given a sample since the beginning. */
size_t rc_watch_heard(const struct rc_watch *watch);
/* What is known of a host, or of a link; belongs to the watcher, and changes with every step. */
const struct rc_watch_host *rc_watch_host(const struct rc_watch *watch, size_t host);
const struct rc_watch_link_info *rc_watch_link(const struct rc_watch *watch, size_t link);

/* "starting", "up" or "lost". */
const char *rc_watch_state_name(enum rc_watch_state state);

/* Reads a list of links: "ring" (each host to the next, the last to the first), "all" (each to
 * each other, both ways), or a list such as a1:a2,a2>a3 of pairs of names from `hosts`.  An array
 * that the caller frees. */
int rc_watch_links_parse(const char *text, const char *const *hosts, size_t n_hosts,
                         struct rc_watch_link **links, size_t *n_links, struct rc_error *error);

/* The most bytes that one probe may send so that no hour sees more than `link_bytes`. */
double rc_watch_probe_bytes(double link_interval, double link_bytes);
/* How often a link can be probed, `link_interval` apart at least, where each probe is to have
 * `wanted` bytes; INFINITY where there are not so many. */
double rc_watch_probe_interval(double link_interval, double link_bytes, double wanted);

#endif
