// SPDX-License-Identifier: GPL-3.0-or-later
/* binding.h - a structural model on given hosts, with given inputs: which alternative is taken for
 * each task, and what comes out.
 *
 * After J. M. Schopf's dissertation (see model.h), sections 3.A.2 to 3.A.4: a task may have several
 * component models, and which one is used depends on the inputs at hand, on what is known of them
 * (age, accuracy), and on the task's share of the time.  docs/explanation/structural-models.md has
 * the rules. */
#ifndef RC_MODEL_STRUCTURAL_BINDING_H
#define RC_MODEL_STRUCTURAL_BINDING_H

#include "model/structural/model.h"

/* What a model is asked for.  rc_structural_model_setting_init() asks for nothing in particular. */
struct rc_model_setting {
    int section;              /* of the model; -1: none */
    const char *const *hosts; /* none: those that the model names */
    size_t n_hosts;
    double size;                        /* the problem size; NAN where not said */
    double processes;                   /* NAN: as many as hosts */
    const struct rc_platform *platform; /* NULL: none */
    struct rc_db *db;                   /* for series; NULL: none */
    double now;                         /* when windows of series end, and ages count from */
    double until;                       /* NAN; otherwise windows reach from `now` to here */
    const char *const *assignments;     /* "N=2000", "cpu[a1]=normal(0.8, 0.1)" */
    size_t n_assignments;
    bool any_host;           /* assignments may be of hosts that are not among these */
    const char *const *uses; /* "Slave=benchmark", "total=barriers" */
    size_t n_uses;
    double omit; /* tasks of a smaller share are left out; NAN: as the model says */
};
/* Before the text of an assignment, what errors in it call their file. */
#define RC_SETTING_FILE "set "
/* Asks for nothing in particular. */
void rc_structural_model_setting_init(struct rc_model_setting *setting);

/* What an input without stated accuracy counts as, if it was measured. */
#define RC_MODEL_UNKNOWN_ACCURACY 0.1
/* What a model whose total states no accuracy errs by at least: it is a model. */
#define RC_MODEL_LEAST_ERROR 0.05
/* What comes on top where a load is not known, or not how it changes. */
#define RC_MODEL_UNKNOWN_LOAD 0.5

enum { RC_REASON_SIZE = 160 };

enum rc_alternative_state {
    RC_ALTERNATIVE_CHOSEN,
    RC_ALTERNATIVE_NOT_ASKED, /* another one was asked for */
    RC_ALTERNATIVE_MISSING,   /* an input is not there */
    RC_ALTERNATIVE_UNFIT,     /* its condition does not hold */
    RC_ALTERNATIVE_STALE,     /* it has an input that is too old, and another alternative has not */
    RC_ALTERNATIVE_WORSE,     /* another alternative is expected to err less */
    RC_ALTERNATIVE_LATER      /* another alternative that is as good stands before it */
};

/* One alternative of a task. */
struct rc_alternative {
    const struct rc_item *item;
    enum rc_alternative_state state;
    double error;                /* expected, relative; NAN where it is missing or unfit */
    bool stale;                  /* it has an input that is older than its lifetime */
    char reason[RC_REASON_SIZE]; /* a sentence for people; "" of the chosen one */
};

struct rc_task {
    const char *name;
    size_t n_parameters;
    struct rc_alternative *alternatives; /* in the order of the model */
    size_t n_alternatives;
    int chosen;   /* index into alternatives; -1: none, as it is left out or cannot be told */
    bool decided; /* which alternative is taken */
    const struct rc_task *waits; /* while it is not: another one that must be decided before */
    bool omitted;                /* left out, since its share is small */
    double share;                /* by the profile; NAN where it has none */
};

struct rc_binding;

/* The model must outlive the binding, and so must what `setting` points to.  NULL, with `error`
 * and, where there is one, the place in the model, where the model cannot be evaluated so. */
struct rc_binding *rc_structural_binding_create(const struct rc_model *model,
                                                const struct rc_model_setting *setting,
                                                struct rc_error *error);
void rc_structural_binding_destroy(struct rc_binding *binding);

/* What the binding was made of; its hosts in their order. */
const struct rc_model *rc_structural_binding_model(const struct rc_binding *binding);
int rc_structural_binding_section(const struct rc_binding *binding);
const char *const *rc_structural_binding_hosts(const struct rc_binding *binding, size_t *n_hosts);
/* The share below which tasks are left out; 0: none is. */
double rc_structural_binding_omit(const struct rc_binding *binding);

/* All tasks; the total, whose name is "total", is the first. */
const struct rc_task *rc_structural_binding_tasks(const struct rc_binding *binding,
                                                  size_t *n_tasks);
/* The input or definition that `name` stands for here, or NULL. */
const struct rc_item *rc_structural_binding_find_item(const struct rc_binding *binding,
                                                      const char *name);
/* Inputs of which there is no series, so that what the model says otherwise counts, by name:
 * "cpu[a1]"; as far as the binding was evaluated. */
const char *const *rc_structural_binding_unknown(const struct rc_binding *binding, size_t *n);
/* What a user should know of the inputs besides, as far as the binding was evaluated: note
 * `index`, a sentence that begins with what it is about; RC_NOTE_NONE where there are no more. */
enum { RC_NOTE_SIZE = 400 };
enum rc_note_kind {
    RC_NOTE_NONE,
    RC_NOTE_SHORT_WINDOW,   /* a window reaches further back than the series */
    RC_NOTE_UNSEEN,         /* in hindsight, there is no sample during the run */
    RC_NOTE_OLD,            /* the newest sample is old, for how often there is one */
    RC_NOTE_SHORT_PAST,     /* too few samples to know how a load changes */
    RC_NOTE_ABOVE_ONE,      /* a share of a core that is more than one */
    RC_NOTE_NO_METRIC,      /* the database has no series of that name, of any host */
    RC_NOTE_MANY_PROCESSES, /* more than hosts, */
    RC_NOTE_FEW_PROCESSES,  /* or fewer, and the model does not tell what that means */
    RC_NOTE_KINDS
};
enum rc_note_kind rc_structural_binding_note(const struct rc_binding *binding, size_t index,
                                             char text[RC_NOTE_SIZE]);
/* Whether an input was set, rather than found in its source. */
bool rc_structural_binding_is_set(const struct rc_binding *binding, const char *name);

/* An evaluation in which the names of the model have their meaning; kinds as for
 * rc_value_expression_evaluate().  `rules` must outlive it, and so must the binding.  With
 * rules->random, draws from series at one instant belong together. */
struct rc_evaluation *rc_structural_binding_evaluation(struct rc_binding *binding, int as,
                                                       const struct rc_value_rules *rules,
                                                       struct rc_error *error);
/* What the model comes to. */
struct rc_value *rc_structural_binding_total(struct rc_binding *binding,
                                             struct rc_evaluation *evaluation,
                                             struct rc_error *error);

/* What that is expected to err by, relative: what the total states, or else what is known of its
 * parts and RC_MODEL_LEAST_ERROR at least; and RC_MODEL_UNKNOWN_LOAD besides where the model's
 * `else` stands for a load, or a load has too short a past.  NAN where there is no total. */
double rc_structural_binding_error(const struct rc_binding *binding);
/* The value with that error in it: multiplied by normal(1, half of it), as a stated accuracy is
 * taken for two standard deviations.  Takes `value` over, also on failure. */
struct rc_value *rc_structural_binding_spread(const struct rc_binding *binding,
                                              struct rc_value *value,
                                              const struct rc_value_rules *rules,
                                              struct rc_error *error);

/* A number from a formula of the model, for given members, with every input at its mean. */
int rc_structural_binding_number(struct rc_binding *binding, const struct rc_expression *formula,
                                 const char *const *members, size_t n_members, double *number,
                                 struct rc_error *error);
/* What the model comes to with every input at its mean and one task taking no time (NULL: none). */
int rc_structural_binding_without(struct rc_binding *binding, const char *task, double *seconds,
                                  struct rc_error *error);

#endif
