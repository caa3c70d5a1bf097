// SPDX-License-Identifier: GPL-3.0-or-later
/* observe.h - observing competitors: what the processes of this host do, for some seconds.
 *
 * thread_profile.h describes how shares follow from observations.  Active threads are looked at
 * about every 10 ms, the others now and then.  Where there are many, the looks are further
 * apart, so that observing takes at most about 5 % of a core. */
#ifndef RC_HOST_OBSERVE_OBSERVE_H
#define RC_HOST_OBSERVE_OBSERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "runcast.h"
#include "host/observe/declared_competitor.h"

#define RC_OBSERVE_SECONDS 10.0
#define RC_OBSERVE_INTERVAL 0.01
#define RC_OBSERVE_INTERVAL_LEAST 0.001
/* Less than this is too short to trust the shares: what a thread is found at is as if drawn anew at
 * each look, and the mean of 50 such draws is within 0.14 in 19 of 20 cases. */
#define RC_OBSERVE_SECONDS_LEAST 0.5
#define RC_OBSERVE_LOOKS_LEAST 50
#define RC_OBSERVE_SMALL 0.01 /* of the time: less active processes are left out */

enum { RC_OBSERVE_USER = 33, RC_OBSERVE_MISSING = 100 };

/* Which processes are observed. */
enum rc_observe_scope {
    RC_OBSERVE_AUTO,    /* on a node of a lab the group's, elsewhere the machine's */
    RC_OBSERVE_MACHINE, /* all */
    RC_OBSERVE_GROUP    /* those in the control group of this process, and in groups below it */
};

struct rc_observe_options {
    double seconds, interval;
    const char *exclude; /* names and numbers of processes, between commas, to leave out; or NULL */
    const char *only;   /* likewise: no others are looked at; or NULL */
    enum rc_observe_scope scope;
    double byte_seconds; /* CPU time that a byte costs; NAN: as thread_profile.h has it */
};

/* A process; or, with pid 0, those that came and went, or are not to be seen, taken together. */
struct rc_observed {
    int pid;
    char user[RC_OBSERVE_USER];
    struct rc_competitor competitor; /* with the program's name */
    size_t count;  /* of such competitors: threads that are busy at the same time */
    double rate;   /* bytes/s sent and received */
    double waited; /* the part of the time that it waited for a core, which does not count in the
                      shares: of the thread that did so most */
    bool hidden;   /* it is another user's: whether it communicates cannot be observed */
};

/* Start from {0}; free with rc_observe_observation_free(). */
struct rc_observation {
    struct rc_observed *items; /* those that do most first */
    size_t n;
    double seconds;    /* how long they were observed */
    size_t looks;      /* how often, in that time */
    double interval;   /* between two looks, on average */
    double cost;       /* of a core, that observing took */
    double core_share; /* of a core, that a program can get here: 1 but on nodes of a lab, and with
                        a quota */
    int cores;         /* that a program can use here: those allowed to this process */
    size_t small;      /* processes that do too little to be reported */
    size_t yielding;   /* processes that only take what others leave (SCHED_IDLE), also left out */
    size_t ended;      /* processes that ended meanwhile: in the item without a number */
    size_t excluded;   /* left out by the options; this process is not counted */
    size_t meant;      /* not left out: 0 where `only` names no existing process */
    /* The items of the options' lists that match no process but this one, separated by commas, as
     * far as they fit; "" where there are none. */
    char exclude_missing[RC_OBSERVE_MISSING], only_missing[RC_OBSERVE_MISSING];
    size_t hidden; /* among the items: those of other users */
    bool group;    /* only those of the control group were looked at */
    bool deaf;     /* the kernel does not report what goes through connections: `deafness` why */
    char deafness[200];
    bool blind; /* some processes are in a network namespace that cannot be looked into */
    bool interrupted;
};
void rc_observe_observation_free(struct rc_observation *observation);

/* Observes.  Where the monitor cancels, the result is what was observed until then. */
int rc_observe(const struct rc_observe_options *options, const struct rc_monitor *monitor,
               struct rc_observation *observation, struct rc_error *error);

/* Whether that was too short, or too seldom, for its shares to be trusted. */
bool rc_observe_observation_short(const struct rc_observation *observation);

/* Whether a list between commas has this process, by its number or by its name (of which the kernel
 * keeps 15 bytes). */
bool rc_observe_listed(const char *list, int pid, const char *name);

/* The weight of a process among others in a group that has `group` times the weight of the one that
 * would compete with it: `own` is its own weight, and `others` the sum of the others' weights, each
 * times the part of the time that it computes. */
double rc_observe_weight(double group, double own, double others);

/* The text that rc_observe_competitor_parse() reads; returns its length, or 0 where it does not
 * fit. */
size_t rc_observe_observed_format(const struct rc_observed *observed, char *text, size_t size);

#endif
