// SPDX-License-Identifier: GPL-3.0-or-later
/* launch_receiver.h - starts the receiver of a load with the user's launcher: ssh, srun, anything
 * that takes a host and a command. */
#ifndef RC_TESTBED_LOAD_LAUNCH_RECEIVER_H
#define RC_TESTBED_LOAD_LAUNCH_RECEIVER_H

#include <sys/types.h>

#include "base/socket.h"

/* How a receiver that was started so reports its port: RC_LOAD_ANNOUNCEMENT PORT KEY. */
#define RC_LOAD_ANNOUNCEMENT "runcast-receiver"

struct rc_load_launch {
    pid_t pid;
    int output; /* standard output and error of the launcher */
};

/* Runs `LAUNCHER HOST RECEIVER` (the launcher's words are separated by blanks; there is no shell)
 * and waits until the receiver reports its port; peer->port and peer->key are then filled in.
 * `receiver` is the command that starts one, word by word up to a NULL.  It ends with this process.
 * Stop it with rc_load_launch_stop(). */
int rc_load_launch_start(struct rc_load_launch *launch, const char *launcher, const char *host,
                         const char *const *receiver, struct rc_peer *peer,
                         const struct rc_monitor *monitor, struct rc_error *error);

/* Lets it end, and ends it where it does not.  Works on one that never started (pid 0). */
void rc_load_launch_stop(struct rc_load_launch *launch);

/* Reads an announcement, a whole line; -1 where it is none. */
int rc_load_announcement_read(const char *line, struct rc_peer *peer);

#endif
