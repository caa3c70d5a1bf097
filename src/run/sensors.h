// SPDX-License-Identifier: GPL-3.0-or-later
/* sensors.h - the sensors on the hosts of a run.
 *
 * The recorder has one poll() loop and only knows this much of its sensors: which descriptors they
 * wait for, how long, and that they step when something is there.  sensors_watch.c joins it with a
 * watcher of hosts; tests have one that makes its samples up. */
#ifndef RC_RUN_SENSORS_H
#define RC_RUN_SENSORS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/load_tracks.h"
#include "runcast.h"

/* One const struct for each kind. */
struct rc_sensors_kind {
    /* As rc_watch_fds(), rc_watch_patience(), rc_watch_step() and rc_watch_finish() in
     * sense/watch.h. */
    size_t (*fds)(void *data, struct pollfd *fds, size_t most);
    double (*patience)(void *data);
    int (*step)(void *data, double timeout, struct rc_error *error);
    void (*finish)(void *data, double seconds);
    /* Whether every host has sent something, and every link was probed. */
    bool (*ready)(void *data);
    /* A host of which nothing was heard, or nothing more from some time on, and why; NULL where
     * there is none.  For the user. */
    const char *(*silent)(void *data, char *reason, size_t size);
    /* The seconds from probe to probe of the link that is probed least often; 0 without links. */
    double (*link_interval)(void *data);
    /* A link of which no bandwidth is known, and why, for the user; false where there is none. */
    bool (*unmeasured)(void *data, char *text, size_t size);
    /* After the end: a host whose launcher did not end and could not be killed; NULL: none. */
    const char *(*left_behind)(void *data);
    void (*destroy)(void *data);
};

/* Samples go to the tracks that `data` was made with. */
struct rc_sensors {
    const struct rc_sensors_kind *kind;
    void *data;
};

#endif
