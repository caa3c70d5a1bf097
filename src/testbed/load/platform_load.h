// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_load.h - a load for all hosts and links of a platform: a kind by its name, or a load
 * file.
 *
 * Times are seconds from the beginning of the load's own time, which for drawn loads is that of the
 * seed.  Tables with dates belong to a calendar: their time 0 is RC_LOAD_EPOCH. */
#ifndef RC_TESTBED_LOAD_PLATFORM_LOAD_H
#define RC_TESTBED_LOAD_PLATFORM_LOAD_H

#include "base/digest.h"
#include "testbed/load/load_pattern.h"
#include "platform/hostlist.h"
#include "runcast.h"

/* 2000-01-01 00:00 UTC: when the time of a simulated world begins. */
#define RC_LOAD_EPOCH 946684800.0

enum { RC_LOAD_TRACKS_MAX = 1000 };

/* What comes after the end of a recorded series. */
enum rc_load_beyond {
    RC_LOAD_STOP,  /* nothing: a load that needs more is an error */
    RC_LOAD_HOLD,  /* its last value */
    RC_LOAD_REPEAT /* all of it again, and before its beginning, too */
};

/* A recorded series, and the hosts that follow it. */
struct rc_load_track {
    enum rc_load_what what;
    struct rc_hostlist hosts; /* none: all */
    double shift;             /* each further one of `hosts` is that much further on in it */
    enum rc_load_beyond beyond;
    struct rc_load_steps steps;
    double end; /* until when the last value is known to hold */
};

struct rc_load {
    enum rc_load_kind kind;
    struct rc_load_shape shapes[2]; /* by rc_load_what; not for replay */
    struct rc_load_track *tracks;   /* for replay; the first that has a host is the host's */
    size_t n_tracks;
    char digest[RC_DIGEST_TEXT_SIZE]; /* by which the same load is known again */
};

/* Reads what a user calls a load: "none", "random", "modal", "bursty", "replay:FILE.csv" (the CPU
 * of every host follows the table) or the name of a load file.  Destroy with rc_load_destroy(). */
struct rc_load *rc_load_open(const char *text, struct rc_error *error);
/* A load file (docs/reference/load-files.md) from memory.  `name` stands for it in errors, and
 * tables are looked for in its directory; `tables` false: they are not read, and every series is 1.
 */
struct rc_load *rc_load_parse(const char *text, size_t length, const char *name, int tables,
                              struct rc_error *error);
void rc_load_destroy(struct rc_load *load);

/* From when until when the load of one host or link is known; infinite where it has no end. */
void rc_load_span(const struct rc_load *load, enum rc_load_what what, const char *name,
                  struct rc_range *span);

/* The steps of one host or link for the time from `from` to `to`, as rc_load_draw() gives them.  -1
 * also where that is not within rc_load_span(). */
int rc_load_steps(const struct rc_load *load, enum rc_load_what what, uint64_t seed,
                  const char *name, double from, double to, struct rc_load_steps *steps,
                  struct rc_error *error);

#endif
