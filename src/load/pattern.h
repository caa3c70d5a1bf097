// SPDX-License-Identifier: GPL-3.0-or-later
/* pattern.h - how what is available of a host or a link changes with time, as steps.
 *
 * A pattern says what there is; it does not make it so.  The commands that put load on a real
 * machine and the simulated clusters both follow it.
 *
 * `random` is the load of section 4.1 of H. A. Sanjay and S. Vadhiyar, "Performance modeling of
 * parallel applications for grid scheduling" (2008), with numbers of our own where the paper gives
 * none.  Everything drawn is a function of the seed and the name alone: the same name has the same
 * load in every run, whoever else takes part, and whichever part of it is looked at. */
#ifndef RC_LOAD_PATTERN_H
#define RC_LOAD_PATTERN_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum rc_load_kind {
    RC_LOAD_NONE,   /* all of it, always */
    RC_LOAD_RANDOM, /* one of a set of levels, held for 60 to 600 s */
    RC_LOAD_MODAL,  /* as random, with shorter stays in few levels that attract */
    RC_LOAD_BURSTY, /* mostly free, with short deep bursts */
    RC_LOAD_REPLAY  /* what was recorded */
};
enum rc_load_what { RC_LOAD_CPU, RC_LOAD_LINK };

/* "random" and so on; rc_load_kind_find() is -1 where there is no such kind. */
const char *rc_load_kind_name(enum rc_load_kind kind);
int rc_load_kind_find(const char *name);

/* Steps by rising time; each value holds from its time to the next.  The first is at or before the
 * beginning of the time asked for.  Free with rc_load_steps_free(). */
struct rc_load_steps {
    struct rc_sample *items;
    size_t n;
};
void rc_load_steps_free(struct rc_load_steps *steps);

/* Draws the steps of one host or link (`name`) for the time from `from` to `to`, in seconds from the
 * beginning of the seed's time (from >= 0).  Not for replay. */
int rc_load_draw(enum rc_load_kind kind, enum rc_load_what what, uint64_t seed, const char *name,
                 double from, double to, struct rc_load_steps *steps, struct rc_error *error);

/* Reads recorded availability from a CSV file with the columns `t` and `column` (NULL: "value"),
 * each in [0, 1].  Times are as in the file. */
int rc_load_read(const char *path, const char *column, struct rc_load_steps *steps,
                 struct rc_error *error);

/* What is available at a time; the first value before the first step, the last after the last. */
double rc_load_at(const struct rc_load_steps *steps, double t);

#endif
