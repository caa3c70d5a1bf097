// SPDX-License-Identifier: GPL-3.0-or-later
/* monitor.h - what the files of 'runcast monitor' share. */
#ifndef RC_CMD_MONITOR_MONITOR_H
#define RC_CMD_MONITOR_MONITOR_H

#include <inttypes.h>
#include <stdbool.h>

#include "answer/monitor_fields.h"
#include "cmd/core/command.h"

#define RC_CMD_MONITOR_WAIT 1.0   /* longest wait in seconds before signals are checked */
#define RC_CMD_MONITOR_FLUSH 10.0 /* longest wait in seconds for another writer, at the end */

/* The number of samples that were lost at the end. */
#define RC_CMD_MONITOR_LOST                                                                        \
    "%" PRIu64 " samples were lost because the database accepted none for too long"

/* As given; NULL or NAN: not given. */
struct rc_cmd_monitor_options {
    const char *hosts, *platform_file, *launcher, *runcast_path, *links, *duration, *probe_interval,
        *exclude, *db;
    double interval, link_interval, link_bytes, probe_bytes;
    bool json, quiet, agent, no_store;
};

/* One call, with the times in seconds. */
struct rc_cmd_monitor {
    const struct rc_invocation *invocation;
    const struct rc_cmd_monitor_options *options;
    double duration;       /* INFINITY: until Ctrl-C */
    double interval;       /* between two samples */
    double probe_interval; /* between two CPU probes; NAN: the default, INFINITY: never */
};

/* ---- this_host.c, hosts.c ---- */

/* Each returns the exit status. */
int rc_cmd_monitor_this_host(const struct rc_cmd_monitor *monitor);
int rc_cmd_monitor_hosts(const struct rc_cmd_monitor *monitor);

/* ---- show.c ---- */

/* A table that is drawn again and again in the same place of a terminal.  Start from zeros. */
struct rc_cmd_monitor_screen {
    size_t lines; /* of the last drawing */
};
/* Draws hosts and counts as they are now, over the last drawing. */
void rc_cmd_monitor_draw(struct rc_cmd_monitor_screen *screen, struct rc_watch *watch,
                         const struct rc_watch_db_info *stored);
/* Moves to the first line of the last drawing and clears all from there on. */
void rc_cmd_monitor_clear(struct rc_cmd_monitor_screen *screen);

/* At the end: the hosts and links, and how much was stored and lost. */
void rc_cmd_monitor_report(const struct rc_answer_monitor *answer);

#endif
