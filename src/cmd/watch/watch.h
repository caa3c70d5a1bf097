// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.h - what 'runcast watch' shows; in show.c. */
#ifndef RC_CMD_WATCH_WATCH_H
#define RC_CMD_WATCH_WATCH_H

#include <stdbool.h>
#include <stdio.h>

#include "answer/watch.h"

/* A table that is drawn again and again in the same place of a terminal.  Start from zeros. */
struct rc_cmd_watch_screen {
    size_t lines; /* of the last drawing */
};
/* Draws hosts and counts as they are now, over the last drawing. */
void rc_cmd_watch_draw(struct rc_cmd_watch_screen *screen, struct rc_watch *watch,
                       const struct rc_watch_db_info *stored);

/* At the end: what was stored and lost, of which hosts and links. */
void rc_cmd_watch_report(const struct rc_answer_watch *answer);

#endif
