// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.h - what 'runcast watch' shows; in watch_show.c. */
#ifndef RC_CMD_WATCH_WATCH_H
#define RC_CMD_WATCH_WATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "host/watch/watch.h"
#include "host/watch/db.h"

/* A table that is drawn again and again in the same place of a terminal.  Start from zeros. */
struct rc_cmd_watch_screen {
    size_t lines; /* of the last drawing */
};
void rc_cmd_watch_draw(struct rc_cmd_watch_screen *screen, struct rc_watch *watch,
                       const struct rc_watch_db_info *stored);

/* At the end: what was stored and lost, of which hosts and links. */
struct rc_cmd_watch_summary {
    struct rc_watch *watch;
    struct rc_watch_db_info stored;
    double seconds;
    bool interrupted;
};
void rc_cmd_watch_report(const struct rc_cmd_watch_summary *summary);
void rc_cmd_watch_report_json(const struct rc_cmd_watch_summary *summary);

#endif
