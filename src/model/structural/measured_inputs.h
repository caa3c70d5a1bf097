// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs.h - what was measured of the inputs of a model, on one platform.
 *
 * As part of a model it is a text: `on PLATFORM`, and for each input a table with a row for each
 * host, when it was measured, how well, and in which way.  So the parser of models reads it, and
 * people can.  Two things are said there of an input as a whole that hold for each of its values:
 * the accuracy is the worst of them, and the date the oldest.  In the database it is JSON, which
 * has both of each value, and what it was measured with.
 *
 * An input is known by its name and by the way it is measured: models of one app may measure inputs
 * of one name in different ways, and each finds its own. */
#ifndef RC_MODEL_STRUCTURAL_MEASURED_INPUTS_H
#define RC_MODEL_STRUCTURAL_MEASURED_INPUTS_H

#include "base/buffer.h"
#include "model/structural/model.h"

struct rc_binding;
struct rc_db;

/* What a model calls the file that its measured inputs stand in. */
#define RC_BENCHMARKS_FILE "(measured)"

/* 1, which is still read, was the text that is part of a model. */
enum { RC_BENCHMARKS_FORMAT = 2, RC_BENCHMARKS_DIGITS = 7 };
/* What writing a value with so many digits may change of it. */
#define RC_BENCHMARKS_ROUNDING 5e-7

/* What values were measured with; NAN or NULL where it does not apply, or is not known. */
struct rc_benchmark_how {
    double size;      /* of the problem */
    double bytes;     /* of a message; NAN also where the microbenchmark chooses */
    double processes; /* of a run on all hosts */
    double repeats;
    const char *hosts;   /* of such a run */
    const char *inputs;  /* that counted: "iterations=5, tolerance=0.1" */
    const char *command; /* as it was given, with its places */
    const char *machine; /* what the platform said: "speed 2 Gflop/s" */
    const char *source;  /* in words */
    bool timed;          /* the seconds were those of the command */
    char *own;           /* for the use of measured_inputs.c: where its texts are; NULL of others */
};

/* One value. */
struct rc_benchmark_value {
    double mean;
    double accuracy; /* relative: two standard deviations of the mean; NAN where not known */
    double spread;   /* relative standard deviation of what the mean is of; NAN likewise */
    double when;     /* UTC epoch seconds */
    size_t how; /* which of those it was measured with; rc_structural_benchmarks_put() says so */
};
struct rc_benchmark_cell {
    char *row, *column; /* hosts; "" where the input has no such parameter */
    struct rc_benchmark_value value;
};

/* All of one input, measured in one way. */
struct rc_benchmark_input {
    char *name, *description; /* description: NULL where there is none */
    char *parameters[RC_MODEL_PARAMETERS_MAX];
    size_t n_parameters;
    char *clauses;                   /* how it is measured, as a model says it */
    double lifetime;                 /* NAN: not stated */
    struct rc_benchmark_cell *cells; /* by row and column, in the order of strcmp() */
    size_t n_cells, room;
};

/* Start from {0}; free with rc_structural_benchmarks_free(). */
struct rc_benchmarks {
    struct rc_benchmark_input *inputs;
    size_t n_inputs, room;
    struct rc_benchmark_how *hows; /* all different; their texts are its own */
    size_t n_hows, hows_room;
};
void rc_structural_benchmarks_free(struct rc_benchmarks *measured);

/* The value of an input, if it was measured in the way that `item` says; NULL where it was not. */
const struct rc_benchmark_value *rc_structural_benchmarks_find(const struct rc_benchmarks *measured,
                                                               const struct rc_item *item,
                                                               const char *row, const char *column);
/* All values of an input that were measured so; NULL where there is none. */
const struct rc_benchmark_input *
rc_structural_benchmarks_input(const struct rc_benchmarks *measured, const struct rc_item *item);
/* Adds a value, in place of the one that was there; value->how is not looked at. */
int rc_structural_benchmarks_put(struct rc_benchmarks *measured, const struct rc_item *item,
                                 const char *row, const char *column,
                                 const struct rc_benchmark_value *value,
                                 const struct rc_benchmark_how *how, struct rc_error *error);
/* Which of measured->hows is like `how`; adds a copy of it where there is none. */
int rc_structural_benchmarks_how(struct rc_benchmarks *measured, const struct rc_benchmark_how *how,
                                 size_t *index, struct rc_error *error);
/* Puts all values of `from` into `into`. */
int rc_structural_benchmarks_merge(struct rc_benchmarks *into, const struct rc_benchmarks *from,
                                   struct rc_error *error);

/* Whether a value would now be measured with something else; what is not known of either, and where
 * they come from in words, is the same.  `text` then says what was, and what is now: "problem size
 * 50, now 100". */
enum { RC_BENCHMARKS_TEXT = 200 };
bool rc_structural_benchmarks_differ(const struct rc_benchmark_how *was,
                                     const struct rc_benchmark_how *now,
                                     char text[RC_BENCHMARKS_TEXT]);

/* The text, added to `text`; `platform` NULL, or none that a model can name: without `on`.  With a
 * binding, of those inputs that are measured so there; without, there must not be two of a name. */
int rc_structural_benchmarks_write(const struct rc_benchmarks *measured,
                                   const struct rc_binding *binding, const char *platform,
                                   struct rc_buffer *text, struct rc_error *error);
/* Reads such a text.  On failure `measured` is {0}. */
int rc_structural_benchmarks_read(const char *text, size_t length, struct rc_benchmarks *measured,
                                  struct rc_error *error);

/* ---- as part of a model ---- */

/* What was measured, to be added to a model under the section of that name (NULL: everywhere). */
struct rc_benchmark_part {
    const struct rc_benchmarks *measured;
    const char *section;
};
/* Puts a model in the place of `*model` that has the measured inputs too.  They win over those of
 * the first file, and those of further files over them.  Left out are inputs
 * that the model no longer has or measures and, counted in `*n_left`, those that it has measured in
 * another way.  Returns how many were taken, 0 leaving the model as it is; -1 on failure, likewise.
 */
int rc_structural_benchmarks_join(struct rc_model **model, const struct rc_benchmark_part *parts,
                                  size_t n_parts, size_t *n_left, struct rc_error *error);
/* Whether a platform can have a section of its name. */
bool rc_structural_benchmarks_can_name(const char *platform);
/* Whether an item of a model is one of these. */
bool rc_structural_benchmarks_is(const struct rc_model *model, const struct rc_item *item);

/* What a model knows of its measured inputs, once the database was asked for them. */
struct rc_model_measured {
    struct rc_benchmarks values;
    size_t n_left;   /* inputs that are measured in another way now */
    char *elsewhere; /* platforms that they were measured on, where none was asked for; or NULL */
    bool noted;      /* for the user interface: n_left was reported */
};
/* Frees it; of no concern to others than rc_structural_model_destroy(). */
void rc_structural_model_measured_destroy(struct rc_model_measured *measured);

/* Adds what the database has of a model's app on `platform` to the model, as
 * rc_structural_benchmarks_join(): in its section `*section` or, where that is -1, in one of the
 * platform's name, which it then is. (*model)->measured has all of it then.  Without a platform
 * (NULL) nothing is added, and it tells where something was measured. */
int rc_structural_benchmarks_add(struct rc_db *db, const char *platform, struct rc_model **model,
                                 int *section, struct rc_error *error);
/* The same of all platforms, each in a section of its name, which runs find by their platform;
 * (*model)->measured stays as it is. */
int rc_structural_benchmarks_add_all(struct rc_db *db, struct rc_model **model, size_t *n_left,
                                     struct rc_error *error);

/* Tells, with a sentence for each input, where a measured value that holds for the hosts of the
 * binding was measured with something else than the model now has, on a host or a link of which the
 * platform now says something else, or is older than its lifetime. */
void rc_structural_benchmarks_outdated(struct rc_binding *binding,
                                       void (*tell)(void *data, const char *text), void *data);

/* ---- in the database ---- */

/* One for each app and platform.  Loading: 1, or 0 where there is none; `measured` is {0} unless
 * 1. */
int rc_structural_benchmarks_load(struct rc_db *db, const char *app, const char *platform,
                                  struct rc_benchmarks *measured, struct rc_error *error);
/* Adds values to those that the database has: reading, adding and keeping them is one transaction,
 * so that of what several programs measure at the same time nothing is lost.  `all`, if not NULL,
 * is freed, and then what the database has. */
int rc_structural_benchmarks_keep(struct rc_db *db, const char *app, const char *platform,
                                  const struct rc_benchmarks *fresh, struct rc_benchmarks *all,
                                  struct rc_error *error);
/* Removes values of inputs that are measured as `items` say (n_items 0: all that there is), of
 * these hosts (0: of any), and tells how many there were.  Without items and hosts, a text that
 * cannot be read is removed, too, and counts as one. */
int rc_structural_benchmarks_forget(struct rc_db *db, const char *app, const char *platform,
                                    const struct rc_item *const *items, size_t n_items,
                                    const char *const *hosts, size_t n_hosts, size_t *removed,
                                    struct rc_error *error);
/* The platforms that something of `app` was measured on, up to a NULL; to be freed, each and all.
 */
char **rc_structural_benchmarks_platforms(struct rc_db *db, const char *app,
                                          struct rc_error *error);
/* Whether there is any. */
bool rc_structural_benchmarks_any(struct rc_db *db, const char *app);

#endif
