// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring_make.h - carrying out a plan of measurements: one job after the other, the values of
 * each of which are stored before the next begins.
 *
 * How a command is run is not known here: a function of the caller does that. */
#ifndef RC_MODEL_STRUCTURAL_MEASURING_MAKE_H
#define RC_MODEL_STRUCTURAL_MEASURING_MAKE_H

#include "base/monitor.h"
#include "model/structural/measuring.h"

/* After so many failures in a row, runs of that kind are not tried any more. */
enum { RC_MEASURING_GIVE_UP = 3 };

/* What the command of a job is filled in with. */
struct rc_measuring_command {
    struct rc_measuring *plan;
    const struct rc_measuring_job *job;
    const char *microbenchmark; /* the path of the program */
    int64_t repeats;            /* that it is to make */
};
/* Appends the value of the place {name} in the command of a job: 1; 0 where there is no such place;
 * -1 where memory runs out.  Places of a run are p, hosts, size, arguments and the inputs without
 * parameters; those of the microbenchmark p, hosts, options and program. */
int rc_structural_measuring_put(const struct rc_measuring_command *command, const char *name,
                                struct rc_buffer *out);

/* How jobs are made. */
struct rc_measuring_maker {
    /* Runs the command of a job once, which has been prepared.  Tells how long it took and, unless
     * it is a run that is `timed`, gives the JSON object that the program wrote, to be released. 
     * -1 with the error. */
    int (*run)(void *data, size_t job, double *seconds, json_t **told, struct rc_error *error);
    /* A job failed; where `given_up`, it was the last of its kind that is tried. */
    void (*failed)(void *data, size_t job, const struct rc_error *error, bool given_up);
    void *data;
    const struct rc_monitor *monitor;
    int64_t repeats; /* of a run of the program */
    bool timed;      /* seconds are those of the command, not what the program tells */
    /* Whose values these are in the database, and the section of the model where they hold (NULL:
     * everywhere). */
    const char *app, *platform, *section;
};

/* What came of it; free with rc_structural_measuring_made_free(). */
struct rc_measuring_made {
    struct rc_benchmarks measured;  /* all that the database has */
    struct rc_benchmarks fresh;     /* what was measured now */
    size_t done, failed, not_tried; /* jobs */
    bool *is_done;                  /* of each job; room for them is the caller's */
};
void rc_structural_measuring_made_free(struct rc_measuring_made *made);

/* Carries out the plan.  -1 where the monitor cancels, with no error set, or where what was
 * measured cannot be stored; what was measured before is stored then.  Jobs that fail are told and
 * counted. */
int rc_structural_measuring_make(struct rc_measuring *plan, const struct rc_measuring_maker *maker,
                                 struct rc_db *db, struct rc_measuring_made *made,
                                 struct rc_error *error);
/* Of the values that were measured now, the one whose repeats differ most, with their relative
 * standard deviation in `*spread`; NULL where none has more than `least`.  `*n` have. */
const struct rc_measuring_wanted *
rc_structural_measuring_widest(const struct rc_measuring *plan,
                               const struct rc_measuring_made *made, double least, double *spread,
                               size_t *n);

/* Finds the program that measures: in $RUNCAST_APPS, beside this program, where it is installed for
 * one MPI or the other, or in $PATH. */
int rc_structural_measuring_find_microbenchmark(char *found, size_t size, struct rc_error *error);

#endif
