// SPDX-License-Identifier: GPL-3.0-or-later
/* binding_internal.h - what the files of a binding share.
 *
 * From the ground up, and none uses those below it in this list:
 *
 *     binding_lookup.c        finding by name
 *     input_notes.c           what a user should know of the inputs
 *     binding_hosts.c         hosts and sets
 *     input_windows.c         inputs from a window of a series
 *     input_forecasts.c       inputs from a forecast
 *     binding_settings.c      what is set on the command line
 *     binding_inputs.c        all inputs
 *     evaluate.c              what names mean to expressions, and what the model comes to
 *     formula_dependencies.c  what a formula rests on
 *     choose_alternative.c    which alternative of each task is taken
 *     binding.c               puts a binding together */
#ifndef RC_MODEL_STRUCTURAL_BINDING_INTERNAL_H
#define RC_MODEL_STRUCTURAL_BINDING_INTERNAL_H

#include "model/structural/binding.h"

/* Memory that runs out must not end the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct rc_bound_host {
    UT_hash_handle hh;
    const char *name;
    size_t index;                     /* among the hosts of the binding */
    const char **others;              /* made when first asked for */
    const struct rc_cluster *cluster; /* in the platform; NULL where it is not there */
    size_t host;                      /* in that cluster */
    int processes;                    /* placed on it */
};

/* Set on the command line. */
struct rc_setting {
    char *name;
    char *indices[RC_MODEL_PARAMETERS_MAX];
    size_t n_indices; /* 0: for all */
    struct rc_expression *expression;
};

/* A window of a series, as it was read. */
struct rc_window {
    UT_hash_handle hh;
    struct rc_sample *samples;
    size_t n;
    double from, to; /* the part of it that the series has */
    char key[];
};

/* What a user should know of inputs of one name; `number` is what is largest for `name`, and what
 * it is held against. */
struct rc_note {
    struct rc_note *next;
    enum rc_note_kind kind;
    const struct rc_item *item;
    double number, limit;
    size_t n;                  /* hosts or links */
    char name[RC_REASON_SIZE]; /* "cpu[a1]" */
};

/* An input or a definition, as it holds here. */
struct rc_bound_item {
    const struct rc_item *item;
    char missing[RC_REASON_SIZE]; /* why it cannot be told; "" as long as it can */
    struct rc_error advice;       /* what would help, where more is known: its hint, or its code */
};

/* What expressions of one evaluation are told. */
struct rc_bound_context {
    struct rc_bound_context *next;
    struct rc_binding *binding;
    const struct rc_value_rules *rules;
    const char *zero; /* a task that is taken to need no time; or NULL */
    bool modal;       /* series become modal values where the model does not ask for a kind */
    double *instants; /* at which draws of series are taken: fractions of the window, and then room
                         for as many times */
    size_t n_instants;
    struct rc_expression_scope scope;
};

struct rc_binding {
    const struct rc_model *model;
    struct rc_model_setting setting;
    double omit;
    struct rc_bound_host *hosts; /* n_hosts of them */
    struct rc_bound_host *by_name;
    const char **names; /* of the hosts */
    size_t n_hosts;
    double left_over;   /* processes that do not fit on the hosts */
    const char **pairs; /* of each host, the one before and the one after */
    const char ***sets; /* members of the model's sets; NULL: of another section */
    size_t *n_members;
    struct rc_bound_item *items;
    size_t n_items;
    struct rc_task *tasks;
    size_t n_tasks;
    struct rc_setting *settings;
    size_t n_settings;
    struct rc_window *windows;
    char **unknown; /* inputs that there is no series of, and something else counts: "cpu[a1]" */
    size_t n_unknown;
    struct rc_note *notes;
    bool over_hosts;                   /* what was evaluated asked for the hosts, */
    bool by_processes;                 /* ... and for the processes on one */
    struct rc_lane *lanes;             /* that inputs are forecast from (input_forecasts.h) */
    struct rc_bound_context *contexts; /* of all evaluations */
    struct rc_expression *nothing;     /* the expression 0 */
    const struct rc_item *missing;     /* the input that was last found to have no value */
    char why[RC_REASON_SIZE];          /* ... and what was said of it */
    struct rc_error advice;            /* ... and what would help */
};

/* Whether something of that section holds here. */
bool rc_structural_bound_holds(const struct rc_binding *binding, int section);
struct rc_bound_item *rc_structural_bound_find(const struct rc_binding *binding, const char *name);
struct rc_task *rc_structural_bound_task(const struct rc_binding *binding, const char *name);
/* The alternative that "Task.alternative" names, or NULL. */
struct rc_alternative *rc_structural_bound_alternative(const struct rc_binding *binding,
                                                       const char *name);

/* What is set for name[indices], or NULL. */
const struct rc_setting *rc_structural_bound_setting(const struct rc_binding *binding,
                                                     const char *name, const char *const *indices,
                                                     size_t n_indices);
/* The alternative that is asked for: by the setting, or else by the model; NULL: any. */
const char *rc_structural_bound_asked(const struct rc_binding *binding, const char *task);
/* The same by the setting alone. */
const char *rc_structural_bound_asked_by_user(const struct rc_binding *binding, const char *task);
/* "BM[a1]", "BW[a1,a2]" */
void rc_structural_bound_name(const struct rc_item *item, const char *const *indices,
                              size_t n_indices, char text[RC_REASON_SIZE]);

/* ---- evaluate.c ---- */

/* A context for an evaluation; it lasts as long as the binding. */
struct rc_bound_context *rc_structural_bound_context(struct rc_binding *binding,
                                                     const struct rc_value_rules *rules,
                                                     const char *zero, struct rc_error *error);

/* ---- binding_hosts.c ---- */

/* Finds the hosts, their places in the platform, and the members of sets. */
int rc_structural_bound_hosts(struct rc_binding *binding, struct rc_error *error);
/* Once the number of processes is known.  -1 where the platform knows all hosts, and the processes
 * are more than fit on them. */
int rc_structural_bound_place(struct rc_binding *binding, struct rc_error *error);
void rc_structural_bound_hosts_free(struct rc_binding *binding);
const struct rc_bound_host *rc_structural_bound_host(const struct rc_binding *binding,
                                                     const char *name);
/* The index of a set that holds here, or -1. */
int rc_structural_bound_set(const struct rc_binding *binding, const char *name);
/* Whether a set of the model has this member. */
bool rc_structural_bound_is_member(const struct rc_binding *binding, const char *name);
/* For an rc_expression_scope; `data` is a context. */
int rc_structural_bound_members(void *data, const char *set, const char *const *indices,
                                size_t n_indices, const char *const **members, size_t *n_members,
                                struct rc_error *error);

/* ---- binding_settings.c ---- */

/* Reads what was set on the command line. */
int rc_structural_bound_settings(struct rc_binding *binding, struct rc_error *error);
void rc_structural_bound_settings_free(struct rc_binding *binding);

/* ---- binding_inputs.c ---- */

/* Frees what the binding noted of its inputs, those of series included. */
void rc_structural_bound_inputs_free(struct rc_binding *binding);
/* The cells of a table are ordered by row and column. */
const struct rc_cell *rc_structural_bound_cell(const struct rc_item *item,
                                               const char *const *indices, size_t n_indices);
/* Why an input has no value for any host; "" where it may have one.  Whether it has one for the
 * hosts that matter shows when it is asked. */
void rc_structural_bound_check(const struct rc_binding *binding, const struct rc_item *item,
                               char missing[RC_REASON_SIZE]);
/* The value of an input that is no expression; where there is none, the binding notes it as
 * lacking. */
struct rc_value *rc_structural_bound_input(struct rc_bound_context *context,
                                           const struct rc_item *item, const char *const *indices,
                                           size_t n_indices, struct rc_error *error);

/* What the platform says of a host, or of the network between two (`to` not NULL); NAN where it
 * says nothing. */
double rc_structural_bound_field(const struct rc_binding *binding, const char *from, const char *to,
                                 enum rc_platform_field field);

/* What counts for an input that has an `else`; NULL: its series, which is there. */
const struct rc_expression *rc_structural_bound_otherwise(struct rc_binding *binding,
                                                          const struct rc_item *item,
                                                          const char *const *indices,
                                                          size_t n_indices);

/* ---- input_notes.c ---- */

/* Once for each series that it is about. */
void rc_structural_bound_note(struct rc_binding *binding, enum rc_note_kind kind,
                              const struct rc_item *item, const char *name, double number,
                              double limit);
void rc_structural_bound_notes_free(struct rc_binding *binding);

/* ---- input_windows.c ---- */

/* Whether the database has the window of an input from a series. */
bool rc_structural_bound_has_series(struct rc_binding *binding, const struct rc_item *item,
                                    const char *const *indices, size_t n_indices);
/* The value of such an input, to be dropped; NULL, with the error, where there is none. */
struct rc_value *rc_structural_bound_series(struct rc_bound_context *context,
                                            const struct rc_item *item, const char *const *indices,
                                            size_t n_indices, struct rc_error *error);
void rc_structural_bound_windows_free(struct rc_binding *binding);

/* ---- input_forecasts.c ---- */

/* Whether there is a recent series that an input can be forecast from. */
bool rc_structural_bound_has_forecast(struct rc_binding *binding, const struct rc_item *item,
                                      const char *const *indices, size_t n_indices);
/* A sample is old once so many steps of its series have passed. */
#define RC_BOUND_OLD_STEPS 3
/* What is more than a share of a core, with something for rounding. */
#define RC_BOUND_ONE 1.01
/* The value of an input from a forecast: its present mean or, while a run is followed, what it is
 * then in each draw. */
struct rc_value *rc_structural_bound_forecast(struct rc_bound_context *context,
                                              const struct rc_item *item,
                                              const char *const *indices, size_t n_indices,
                                              struct rc_error *error);

/* ---- formula_dependencies.c: what a formula of a model rests on ---- */

enum {
    RC_WALK_ALTERNATIVES = 64, /* more are counted again each time they are met */
    RC_WALK_STEPS_MAX = 1000000
};

struct rc_walk {
    struct rc_binding *binding;
    bool *items, *tasks; /* been there */
    unsigned depth;
    size_t steps; /* references followed */
    /* what was found */
    double squares;               /* of the expected errors, summed */
    bool stale;                   /* an input is older than its lifetime */
    char old[RC_REASON_SIZE];     /* ... which one */
    char missing[RC_REASON_SIZE]; /* what is not there; "" as long as nothing is */
    const struct rc_task *waits;  /* a task that is not decided yet; or NULL */
    const struct rc_alternative
        *alternatives[RC_WALK_ALTERNATIVES]; /* been there, by their own names */
    size_t n_alternatives;
};

/* -1 where memory runs out; to be ended either way. */
int rc_structural_walk_begin(struct rc_walk *walk, struct rc_binding *binding,
                             struct rc_error *error);
void rc_structural_walk_expression(struct rc_walk *walk, const struct rc_expression *expression);
void rc_structural_walk_end(struct rc_walk *walk);

/* ---- choose_alternative.c ---- */

/* Decides for every task which alternative is taken. */
int rc_structural_bound_choose(struct rc_binding *binding, struct rc_error *error);

#endif
