// SPDX-License-Identifier: GPL-3.0-or-later
/* measuring.h - which runs are to be made so that the inputs of a model are known, and what follows
 * from them.  Nothing is run here.
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

#include "model/structural/binding.h"
#include "model/structural/benchmarks.h"

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
    const char *arguments; /* ... and what else it is told; NULL: nothing */
    bool together;
    size_t order; /* jobs are in its order */
};

struct rc_measuring_options {
    bool nothing;            /* no value is wanted */
    bool again;              /* also what is known already */
    const char *const *only; /* names of inputs; none: all */
    size_t n_only;
    /* What is measured with, to be remembered with the values: */
    const char *command, *bench; /* NULL: not known */
    double repeats;
    bool timed;
    const char *const *places; /* inputs whose values stand in the command */
    size_t n_places;
    /* ... and which of it known values are measured again for, where it differs: */
    bool new_command, new_bench, new_repeats; /* command and timed; bench; more repeats */
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
 * cannot be told. */
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
int rc_structural_measuring_check_told(struct rc_measuring *plan, size_t job, const json_t *told,
                                       struct rc_error *error);

#endif
