// SPDX-License-Identifier: GPL-3.0-or-later
/* calibrate.h - what the files of 'runcast slowdown calibrate' share. */
#ifndef RC_CMD_SLOWDOWN_CALIBRATE_H
#define RC_CMD_SLOWDOWN_CALIBRATE_H

#include "model/slowdown/calibrate/calibrate.h"

struct rc_cmd_calibrate_options {
    const char *hosts, *launcher, *program, *platform, *only, *bursts, *benchmark, *plot, *db;
    int64_t communicating, points, rounds; /* 0: not given */
    double word_bytes;
    bool quick, all_links, loopback, json;
};

/* On a terminal: what is going to be measured, and roughly how long that takes. */
void rc_cmd_calibrate_announce(const struct rc_slowdown_calibrate *order,
                               const struct rc_slowdown_calibrate_plan *plan);

/* The command, for a shell, that measures these parts in the way that the options say; "..." where
 * there is no room for it. */
enum { RC_CMD_REST_SIZE = 800 };
void rc_cmd_calibrate_rest(const struct rc_cmd_calibrate_options *options, const char *platform,
                           unsigned parts, char text[RC_CMD_REST_SIZE]);

#endif
