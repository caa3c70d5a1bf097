// SPDX-License-Identifier: GPL-3.0-or-later
/* load_pattern.h - how what is available of a host or a link changes with time, as steps.
 *
 * A pattern describes what is available; it does not produce it.  The commands that put load on a
 * real machine and the simulated clusters both follow it.
 *
 * `random` is the load of section 4.1 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of
 * parallel applications for grid scheduling" (2008), with numbers of our own where the paper
 * gives none.  Everything drawn is a function of the seed and the name alone: the same name has
 * the same load in every run, whatever other names there are, and whichever part of it is read. */
#ifndef RC_TESTBED_LOAD_LOAD_PATTERN_H
#define RC_TESTBED_LOAD_LOAD_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum rc_load_kind {
    RC_LOAD_NONE,   /* all of it, always */
    RC_LOAD_RANDOM, /* one of a set of levels, held for 60 to 600 s */
    RC_LOAD_MODAL,  /* as random, with shorter stays in few levels that attract */
    RC_LOAD_BURSTY, /* mostly free, with short deep bursts */
    RC_LOAD_REPLAY, /* what was recorded */
    RC_LOAD_KINDS
};
enum rc_load_what { RC_LOAD_CPU, RC_LOAD_LINK };

/* "random" and so on; rc_load_kind_find() is -1 where there is no such kind. */
const char *rc_load_kind_name(enum rc_load_kind kind);
int rc_load_kind_find(const char *name);

/* Steps by rising time; each value holds from its time to the next.  The first is at or before the
 * beginning of the time asked for.  Start from {0}; free with rc_load_steps_free(). */
struct rc_load_steps {
    struct rc_sample *items;
    size_t n;
};
void rc_load_steps_free(struct rc_load_steps *steps);

/* ---- drawn ---- */

enum { RC_LOAD_LEVELS_MAX = 64 };
/* Drawing begins at time 0 whatever part is asked for, so that times have an end: ten years. */
#define RC_LOAD_TIME_MAX (3652 * 86400.0)
/* The shortest stay, in seconds. */
#define RC_LOAD_STAY_MIN 0.1

/* A stay is at one level, for a time drawn from `dwell`.  The level of the next one is drawn anew
 * or, with the probability `again`, is the same.  What is available is the level, give or take up
 * to `spread`.  Where `rest` is above 0, before each stay all is free for a time drawn from it. */
struct rc_load_shape {
    double levels[RC_LOAD_LEVELS_MAX]; /* in (0, 1]; one given twice is drawn twice as often */
    size_t n_levels;
    struct rc_range dwell; /* seconds */
    struct rc_range rest;
    double again;
    double spread;
};

/* The shape of a kind; NULL for replay. */
const struct rc_load_shape *rc_load_shape_of(enum rc_load_kind kind, enum rc_load_what what);

/* Whether it can be drawn: -1 with an error that names what is out of its range. */
int rc_load_shape_check(const struct rc_load_shape *shape, struct rc_error *error);

/* Draws the steps of one host or link (`name`) for the time from `from` to `to`, in seconds from
 * the beginning of the seed's time (0 <= from <= to <= RC_LOAD_TIME_MAX).  Times are whole
 * milliseconds.  -1 where the shape or the times make no sense, and where memory runs out. */
int rc_load_shape_draw(const struct rc_load_shape *shape, enum rc_load_what what, uint64_t seed,
                       const char *name, double from, double to, struct rc_load_steps *steps,
                       struct rc_error *error);

/* The same with the shape of a kind.  Not for replay. */
int rc_load_draw(enum rc_load_kind kind, enum rc_load_what what, uint64_t seed, const char *name,
                 double from, double to, struct rc_load_steps *steps, struct rc_error *error);

/* ---- recorded ---- */

/* What the numbers of a table mean, where they are not availability as it is. */
enum rc_load_means {
    RC_LOAD_AVAILABLE, /* value / full */
    RC_LOAD_USED,      /* 1 - value / full */
    RC_LOAD_QUEUE      /* 1 / (1 + value / full): the load average */
};
struct rc_load_table {
    const char *column; /* NULL: "value" */
    enum rc_load_means means;
    double full;  /* the value that stands for all of it; 0: 1 */
    double least; /* less than this is never available; 0 for none */
};

/* Reads recorded availability from a CSV file with the columns `t` and `column` (NULL: "value"),
 * each in [0, 1].  Times are as in the file, and rise. */
int rc_load_read(const char *path, const char *column, struct rc_load_steps *steps,
                 struct rc_error *error);

/* The same from a table of other numbers; what they come to must be in [0, 1]. */
int rc_load_read_table(const char *path, const struct rc_load_table *table,
                       struct rc_load_steps *steps, struct rc_error *error);

/* What is available at a time; the first value before the first step, the last after the last. */
double rc_load_at(const struct rc_load_steps *steps, double t);

#endif
