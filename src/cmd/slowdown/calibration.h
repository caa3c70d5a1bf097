// SPDX-License-Identifier: GPL-3.0-or-later
/* calibration.h - the verbs of 'runcast slowdown' that measure, and how calibrations are
 * shown. */
#ifndef RC_CMD_SLOWDOWN_CALIBRATION_H
#define RC_CMD_SLOWDOWN_CALIBRATION_H

#include "cmd/core/command.h"
#include "cmd/slowdown/slowdown.h"
#include "model/slowdown/calibrate/calibrate.h"

extern const struct rc_command rc_command_slowdown_calibrate;
extern const struct rc_command rc_command_slowdown_show;
extern const struct rc_command rc_command_slowdown_burst;
extern const struct rc_command rc_command_slowdown_bench;

/* The platform that --platform names; without it, this machine by its name. */
const char *rc_cmd_slowdown_platform(const char *given, char name[RC_CMD_PLATFORM_SIZE]);

/* The command that measures these parts of a platform, for hints: of its calibration (or NULL) its
 * hosts are known. */
enum { RC_CMD_CALIBRATE_SIZE = 200 };
const char *rc_cmd_calibrate_command(const char *platform, const struct rc_calibration *calibration,
                                     unsigned parts, char text[RC_CMD_CALIBRATE_SIZE]);

/* Reads the calibration of a platform.  1: there is one; 0: there is none; -1 on failure, which was
 * reported where the error has no text. */
int rc_cmd_slowdown_find(const char *db, const char *platform, struct rc_calibration *calibration,
                         struct rc_error *error);

/* Tables and formulas on standard output, or one JSON object with the notes. */
void rc_cmd_calibration_print(const char *platform, const struct rc_calibration *calibration);
void rc_cmd_calibration_json(const char *platform, const struct rc_calibration *calibration);

/* A burst that an option gives, and that can be measured. */
int rc_cmd_slowdown_burst(const struct rc_invocation *invocation, const char *option,
                          const char *text, double word_bytes, struct rc_burst *burst);

/* Figure 2 of Figueira and Berman: the points that were measured, and the lines through them. */
int rc_cmd_calibration_plot(const char *path, const char *platform,
                            const struct rc_calibration *calibration, struct rc_error *error);

/* ---- of the verb that calibrates; in calibrate_report.c ---- */

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
