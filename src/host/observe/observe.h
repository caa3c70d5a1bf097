// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.h - observes the processes of this host for some seconds, as competitors.
 *
 * thread_profile.h describes how shares follow from observations.  Active threads are sampled about
 * every 10 ms, the others now and then.  With many threads, samples are further apart, so that
 * observing takes at most about 5 % of a core. */
#ifndef RC_HOST_OBSERVE_OBSERVE_H
#define RC_HOST_OBSERVE_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"
#include "host/observe/declared_competitor.h"

#define RC_OBSERVE_SECONDS 10.0
#define RC_OBSERVE_INTERVAL 0.01
#define RC_OBSERVE_INTERVAL_LEAST 0.001
/* Less than this gives unreliable shares: states of a thread at samples are independent, and the
 * mean of 50 of them is within 0.14 in 19 of 20 cases. */
#define RC_OBSERVE_SECONDS_LEAST 0.5
#define RC_OBSERVE_SAMPLES_LEAST 50
#define RC_OBSERVE_SMALL 0.01 /* of the time: less active processes are ignored */

enum { RC_OBSERVE_USER = 33, RC_OBSERVE_MISSING = 100 };

/* Which processes are observed. */
enum rc_observe_scope {
    RC_OBSERVE_AUTO,    /* on a node of a lab the group's, elsewhere the machine's */
    RC_OBSERVE_MACHINE, /* all */
    RC_OBSERVE_GROUP    /* those in the control group of this process, and in groups below it */
};

struct rc_observe_options {
    double seconds, interval;
    const char *exclude; /* names and PIDs to ignore, separated by commas; or NULL */
    const char *only;    /* names and PIDs of the only processes to observe; or NULL */
    enum rc_observe_scope scope;
    double byte_seconds; /* CPU time of a byte; NAN: as in thread_profile.h */
};

/* A process; or, with pid 0, the sum of short-lived and invisible processes. */
struct rc_observed {
    int pid;
    char user[RC_OBSERVE_USER];
    struct rc_competitor competitor; /* with the program's name */
    size_t count; /* of such competitors: threads that are busy at the same time */
    double rate;  /* bytes/s sent and received */
    double
        waited;  /* share of the time that it waited for a core, which is not in the shares: of the
                      thread that waited most */
    bool hidden; /* it is another user's, and its communication is invisible */
};

/* Start from {0}; free with rc_observe_observation_free(). */
struct rc_observation {
    struct rc_observed *items; /* the most active first */
    size_t n;
    double seconds;    /* how long they were observed */
    size_t samples;    /* in that time */
    double interval;   /* mean time between two samples */
    double cost;       /* of a core, that observing took */
    double core_share; /* of a core, that a program can get here: 1 but on nodes of a lab, and with
                        a quota */
    int cores;         /* that a program can use here: those allowed to this process */
    size_t small;      /* processes below RC_OBSERVE_SMALL */
    size_t yielding;   /* ignored processes with policy SCHED_IDLE */
    size_t ended;      /* processes that ended meanwhile: in the item with pid 0 */
    size_t excluded;   /* ignored by the options; this process is not counted */
    size_t meant;      /* not ignored: 0 if `only` names no existing process */
    /* Items of the options' lists that match no process but this one, separated by commas, cut to
     * the room; "" if there are none. */
    char exclude_missing[RC_OBSERVE_MISSING], only_missing[RC_OBSERVE_MISSING];
    size_t hidden; /* among the items: those of other users */
    bool group;    /* only the control group was observed */
    bool deaf; /* the kernel does not report traffic of connections, for the reason `deafness` */
    char deafness[200];
    bool blind; /* some processes are in a network namespace that cannot be read */
    bool interrupted;
};
void rc_observe_observation_free(struct rc_observation *observation);

/* Observes.  If the monitor cancels, the result is from the time until then. */
int rc_observe(const struct rc_observe_options *options, const struct rc_monitor *monitor,
               struct rc_observation *observation, struct rc_error *error);

/* Whether there were too few samples for reliable shares. */
bool rc_observe_observation_short(const struct rc_observation *observation);

/* Whether a list, separated by commas, has this process by PID or name (15 bytes in the kernel). */
bool rc_observe_listed(const char *list, int pid, const char *name);

/* The weight of a process among others in a group that has `group` times the weight of the one that
 * would compete with it: `own` is its own weight, and `others` the sum of the others' weights, each
 * times the part of the time that it computes. */
double rc_observe_weight(double group, double own, double others);

/* The text that rc_observe_competitor_parse() reads; returns its length, or 0 where it does not
 * fit. */
size_t rc_observe_observed_format(const struct rc_observed *observed, char *text, size_t size);

#endif
