// SPDX-License-Identifier: GPL-3.0-or-later
/* watch.h - what the parts of 'runcast watch' share. */
#ifndef RC_CMD_WATCH_WATCH_H
#define RC_CMD_WATCH_WATCH_H

#include <stdbool.h>

#include "answer/watch_fields.h"
#include "cmd/core/command.h"

/* ---- options.c ---- */

struct rc_cmd_watch_options {
    const char *hosts, *platform, *launcher, *program, *links, *how_long, *probe_every, *db;
    double every, link_every, link_bytes, burst;
    bool json, quiet;
};
extern const struct rc_cmd_watch_options rc_cmd_watch_defaults;
extern const struct rc_option rc_cmd_watch_options[];

/* ---- show.c ---- */

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
