// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring.h - which runs are to be made so that the inputs of a model are known, and what follows
 * from them.
 *
 * After J. M. Schopf's dissertation (see model.h), section 3.A.4, points 3 and 4: simple benchmarks
 * of a platform (operations, bandwidth, start-up), and runs of the program by itself on a host, at
 * the problem size that it has there.
 *
 * The first kind is measured by a program, the microbenchmark, on one host or on two; a run of it
 * tells all that is wanted of these.  Runs of the program come last, one host after the other,
 * those first whose results others need (`less` may rest on what was measured before). */
#ifndef RC_MODEL_STRUCTURAL_MEASURING_H
#define RC_MODEL_STRUCTURAL_MEASURING_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/progress_monitor.h"
#include "model/structural/binding.h"
#include "model/structural/measured_inputs.h"

enum { RC_MEASURING_HOSTS_MAX = 1000, RC_MEASURING_WANTED_MAX = 100000 };

/* A value that is wanted. */
struct rc_measuring_wanted {
    const struct rc_item *item;
    const char *row, *column; /* hosts, or "" */
    const char *from, *to; /* of a microbenchmark on two hosts: between which; on one: the same */
    size_t job;
    size_t how;       /* what it is measured with: plan->hows.hows[how] */
    double per, less; /* of a run, once it is prepared */
};

/* Values of an input that are known, and measured again: they would now be measured with something
 * else, or are older than their lifetime. */
struct rc_measuring_again {
    const struct rc_item *item;
    const char *row, *column;     /* the first of them, */
    char why[RC_BENCHMARKS_TEXT]; /* ... and how it was: "with problem size 50, now 100" */
    size_t n;
};

/* One run; of the program it may be repeated. */
struct rc_measuring_job {
    bool run; /* of the program; otherwise of the microbenchmark */
    const char *const *hosts;
    size_t n_hosts;
    double processes;
    bool operations, bandwidth, message, startup; /* of the microbenchmark: what it is to measure */
    double bytes;          /* ... by messages of this length; NAN: its own choice */
    double size;           /* of the program: the problem size */
    const char *arguments; /* ... and what else it is reported; NULL: nothing */
    bool together;
    size_t order; /* jobs are in its order */
};

struct rc_measuring_options {
    bool nothing;            /* no value is wanted */
    bool again;              /* also what is known already */
    const char *const *only; /* names of inputs; none: all */
    size_t n_only;
    /* What is measured with, to be remembered with the values: */
    const char *command, *microbenchmark; /* NULL: not known */
    double repeats;
    bool timed;
    const char *const *places; /* inputs whose values stand in the command */
    size_t n_places;
    /* ... and which of it known values are measured again for, where it differs: */
    bool new_command, new_microbenchmark,
        new_repeats; /* command and timed; microbenchmark; more repeats */
};

/* Start from {0}; free with rc_structural_measuring_free(). */
struct rc_measuring {
    struct rc_measuring_job *jobs;
    size_t n_jobs, jobs_room;
    struct rc_measuring_wanted *wanted; /* those of a job stand together, in the order of jobs */
    size_t n_wanted, wanted_room;
    size_t n_known;                   /* values that are not wanted, as they are known */
    struct rc_measuring_again *again; /* of each input */
    size_t n_again, again_room;
    struct rc_benchmarks hows; /* what they are measured with; it has no values */
    size_t n_inputs;           /* that say how they are measured */
    const struct rc_model *model;
    struct rc_model_setting setting;
    struct rc_binding *binding; /* as the model is */
    const char **pairs;         /* hosts of the microbenchmark's jobs */
    const char **assignments;   /* of the setting, without those that a run has of its own */
    size_t n_assignments;
    struct rc_binding *as_run; /* the model as it is for runs of one size */
    /* of the job that is prepared: */
    struct rc_model *with; /* with what is measured by then */
    struct rc_binding *alone;
};

/* What is to be done.  `model` and `setting` (with all it points to) must outlive the plan.  What
 * is known is left out, unless it is too old or would be measured with something else.  Fails where
 * an input that is asked for is not measured, and where a problem size or a length of messages
 * cannot be reported. */
int rc_structural_measuring_plan(const struct rc_model *model,
                                 const struct rc_model_setting *setting,
                                 const struct rc_benchmarks *known,
                                 const struct rc_measuring_options *options,
                                 struct rc_measuring *plan, struct rc_error *error);
void rc_structural_measuring_free(struct rc_measuring *plan);

/* The values that a job is for. */
const struct rc_measuring_wanted *rc_structural_measuring_of(const struct rc_measuring *plan,
                                                             size_t job, size_t *n);

/* Before a run of the program: finds what its seconds are divided by, and what is taken off them,
 * with what is measured by now.  `section` is where that holds (NULL: everywhere). */
int rc_structural_measuring_prepare(struct rc_measuring *plan, size_t job,
                                    const struct rc_benchmarks *measured, const char *section,
                                    struct rc_error *error);
/* The value of an input without parameters in the run that was prepared, for its command. */
int rc_structural_measuring_input(struct rc_measuring *plan, const char *name, double *value,
                                  struct rc_error *error);

/* Adds what follows from a job that was done: the seconds of each repeat of a run, or the report of
 * the microbenchmark.  `when` is the date.  A report is refused that is of other hosts than were
 * asked for, of one host where two were, or of another number of processes or message length. */
int rc_structural_measuring_take_run(const struct rc_measuring *plan, size_t job,
                                     const double *seconds, size_t n, double when,
                                     struct rc_benchmarks *measured, struct rc_error *error);
int rc_structural_measuring_take_report(const struct rc_measuring *plan, size_t job,
                                        const json_t *report, double when,
                                        struct rc_benchmarks *measured, struct rc_error *error);
/* Whether what a program says of its run, a JSON object, is what it was asked for: the problem size
 * ("n" or "size"), the processes ("p"), inputs by their names, and "check", which is to be "ok" (or
 * "charged", of simulated runs that only pretend to compute).  What it does not say is good. */
int rc_structural_measuring_check_report(struct rc_measuring *plan, size_t job,
                                         const json_t *reported, struct rc_error *error);

/* ---- measuring_make.c: carrying out a plan, one job after the other ----
 *
 * The values of each job are stored before the next begins.  How a command is run is not known
 * here: a function of the caller does that. */

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
    int (*run)(void *data, size_t job, double *seconds, json_t **reported, struct rc_error *error);
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
 * measured cannot be stored; what was measured before is stored then.  Jobs that fail are reported
 * and counted. */
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
