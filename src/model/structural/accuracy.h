// SPDX-License-Identifier: GPL-3.0-or-later
/* accuracy.h - a structural model against runs that were made.
 *
 * The dissertation's section 3.A.1 knows two kinds of accuracy: absolute, a small error, and
 * relative, the right ranking of choices, which is enough to choose by.  Section 3.A.4, point 7,
 * asks which component to mend first. */
#ifndef RC_MODEL_STRUCTURAL_ACCURACY_H
#define RC_MODEL_STRUCTURAL_ACCURACY_H

#include "model/structural/binding.h"

struct rc_accuracy_run;

struct rc_accuracy_options {
    /* What all runs have in common; size, processes, hosts and time come from each run, and so do
     * inputs that have the name of one of its parameters, unless they are set here. */
    struct rc_model_setting setting;
    int as;
    const struct rc_value_rules *rules;
    double level;     /* of the intervals whose coverage is reported: 0.9 */
    double tolerance; /* the error up to which the model counts as valid: 0.1 */
    bool hindsight; /* inputs from series: of the time of the run, rather than of the time before */
    /* Where not NULL: called with all runs before they are judged, to change what is predicted of
     * them. */
    int (*revise)(void *data, struct rc_accuracy_run *runs, size_t n, struct rc_error *error);
    void *revise_data;
};

/* One run, and what the model says of it. */
struct rc_accuracy_run {
    int64_t id;
    double start; /* NAN where not known */
    double size, processes;
    char *hosts, *platform;   /* as the run has them */
    double actual, predicted; /* seconds */
    double low, high;         /* the interval of `level` */
    double *parts; /* for each of the first tasks: what the time would be less were it to take
                      none; of tasks that are only known on other platforms there is none */
    size_t n_parts;
    bool blind; /* a load that it met is not known: the model's `else` stands for it or, in
                   hindsight, what was seen before it began */
};

/* A note on the inputs of a run (binding.h), and how many runs have one of that kind. */
struct rc_accuracy_note {
    enum rc_note_kind kind;
    size_t runs;
    char text[RC_NOTE_SIZE]; /* of the first */
};

/* A parameter that runs have, from the least to the most. */
struct rc_accuracy_param {
    char name[64];
    double least, most;
};
enum { RC_ACCURACY_PARAMS_MAX = 16 };

/* Runs of one size. */
struct rc_accuracy_size {
    double size;
    size_t runs;
    double actual, predicted; /* means */
    double error;             /* mean of |predicted - actual| / actual */
    double bias;              /* the same with its sign */
    size_t covered;           /* runs inside their interval */
    bool has_spread;          /* predictions have a spread, so that this means something */
    bool valid;               /* the error is small enough */
};

/* A task of the model. */
struct rc_accuracy_task {
    const char *name;
    double share;      /* of what the model predicts, on average */
    double factor;     /* by which it would have to be multiplied for the errors to be least; NAN
                         where all runs are blind, and so is what follows */
    double remaining;  /* root of the mean square error, relative, that would then be left */
    size_t n_measured; /* runs that have a phase of that name */
    double
        measured; /* mean of the measured time over the modelled one in those; NAN where there are
                         none */
};

struct rc_accuracy {
    struct rc_accuracy_run *runs;
    size_t n_runs;
    size_t n_skipped;             /* runs that the model cannot tell */
    struct rc_error skipped;      /* why, of the first */
    size_t n_killed;              /* killed runs that the model can tell; not among `runs` */
    size_t n_killed_longer;       /* ... that ran longer than their interval */
    size_t n_assumed;             /* runs for which the model's `else` counts, */
    char assumed[RC_REASON_SIZE]; /* ... of this input of the first */
    size_t n_blind;               /* runs that tell nothing of the tasks, as a load is not known */
    struct rc_accuracy_note notes[RC_NOTE_KINDS];
    size_t n_notes;
    struct rc_accuracy_param params[RC_ACCURACY_PARAMS_MAX]; /* of the runs */
    size_t n_params;
    struct rc_accuracy_size *sizes; /* rising */
    size_t n_sizes;
    struct rc_accuracy_task *tasks; /* as they were found */
    size_t n_tasks;
    int look_first;  /* task whose factor leaves least, or -1 where none helps */
    double error;    /* mean over the runs of |predicted - actual| / actual */
    double worst;    /* the largest of these */
    double root;     /* of the mean square, over the runs that are not blind */
    size_t covered;  /* runs inside their interval */
    bool has_spread; /* predictions have a spread, so that coverage means something */
    size_t pairs;    /* of choices whose ranking was compared */
    size_t ranked;   /* ... rightly */
    bool over_sizes; /* there are no two choices of one size: those of all sizes were compared */
};

/* Compares the model with the runs that pass `filter`.  To be freed with
 * rc_structural_accuracy_free() in either case.  Runs that failed are left out; killed ones, whose
 * times are lower bounds, are counted. */
int rc_structural_accuracy_find(const struct rc_model *model, struct rc_db *db,
                                const struct rc_run_filter *filter,
                                const struct rc_accuracy_options *options,
                                const struct rc_monitor *monitor, struct rc_accuracy *accuracy,
                                struct rc_error *error);
void rc_structural_accuracy_free(struct rc_accuracy *accuracy);

/* ---- accuracy_judge.c, for accuracy.c alone ---- */

/* Compares the times of phases that have the name of a task with what the model gives them. */
void rc_structural_accuracy_phases(struct rc_accuracy *accuracy, const struct rc_run *run,
                                   const struct rc_accuracy_run *found);

/* Fills in all that follows from the runs. */
int rc_structural_accuracy_judge(struct rc_accuracy *accuracy,
                                 const struct rc_accuracy_options *options, struct rc_error *error);

#endif
