// SPDX-License-Identifier: GPL-3.0-or-later
/* benchmarks.h - what was measured of the inputs of a model, on one platform.
 *
 * As a text it is a part of a model file: `on PLATFORM`, and for each input a table with a row for
 * each host, when it was measured, how well, and in which way.  So the parser of models reads it,
 * and people can.  Two things are said of an input as a whole that hold for each of its values: the
 * accuracy is the worst of them, and the date the oldest. */
#ifndef RC_STRUCTURE_BENCHMARKS_H
#define RC_STRUCTURE_BENCHMARKS_H

#include "base/buffer.h"
#include "structure/model.h"

struct rc_store;

/* What a model calls the file that its measured inputs stand in. */
#define RC_BENCHMARKS_FILE "(measured)"

enum { RC_BENCHMARKS_FORMAT = 1, RC_BENCHMARKS_DIGITS = 7 };
/* What writing a value with so many digits may change of it. */
#define RC_BENCHMARKS_ROUNDING 5e-7

/* One value. */
struct rc_benchmark_value {
    double mean;
    double accuracy; /* relative: two standard deviations of the mean; NAN where not known */
    double spread;   /* relative standard deviation of what the mean is of; NAN likewise */
    double when;     /* UTC epoch seconds */
};
struct rc_benchmark_cell {
    char *row, *column; /* hosts; "" where the input has no such parameter */
    struct rc_benchmark_value value;
};

/* All of one input. */
struct rc_benchmark_input {
    char *name, *description, *source; /* description, source: NULL where there is none */
    char *parameters[RC_MODEL_PARAMETERS_MAX];
    size_t n_parameters;
    char *clauses;   /* how it is measured, as a model says it */
    double lifetime; /* NAN: not stated */
    struct rc_benchmark_cell *cells; /* by row and column, in the order of strcmp() */
    size_t n_cells, room;
};

/* Start from {0}; free with rc_benchmarks_free(). */
struct rc_benchmarks {
    struct rc_benchmark_input *inputs;
    size_t n_inputs, room;
};
void rc_benchmarks_free(struct rc_benchmarks *measured);

/* The value of an input, if it was measured in the way that `item` says; NULL where it was not. */
const struct rc_benchmark_value *rc_benchmarks_find(const struct rc_benchmarks *measured,
                                                 const struct rc_item *item, const char *row,
                                                 const char *column);
/* Adds a value, in place of the one that was there; those that were measured in another way are
 * forgotten.  `source` (or NULL) then holds for all values of the input. */
int rc_benchmarks_put(struct rc_benchmarks *measured, const struct rc_item *item, const char *row,
                    const char *column, const struct rc_benchmark_value *value, const char *source,
                    struct rc_error *error);

/* The text, added to `text`; `platform` NULL, or none that a model can name: without `on`. */
int rc_benchmarks_write(const struct rc_benchmarks *measured, const char *platform,
                      struct rc_buffer *text, struct rc_error *error);
/* Reads such a text.  On failure `measured` is {0}. */
int rc_benchmarks_read(const char *text, size_t length, struct rc_benchmarks *measured,
                     struct rc_error *error);

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
int rc_benchmarks_join(struct rc_model **model, const struct rc_benchmark_part *parts,
                       size_t n_parts, size_t *n_left, struct rc_error *error);
/* Whether a platform can have a section of its name. */
bool rc_benchmarks_can_name(const char *platform);
/* Whether an item of a model is one of these. */
bool rc_benchmarks_is(const struct rc_model *model, const struct rc_item *item);

/* In the store, one for each app and platform.  Loading: 1, or 0 where there is none; `measured` is
 * {0} unless 1.  Saving is all or nothing; of two programs that load, change and save at the same
 * time, what the last one had stays. */
int rc_benchmarks_load(struct rc_store *store, const char *app, const char *platform,
                     struct rc_benchmarks *measured, struct rc_error *error);
int rc_benchmarks_save(struct rc_store *store, const char *app, const char *platform,
                     const struct rc_benchmarks *measured, struct rc_error *error);
/* Adds what the store has of a model's app on `platform` to the model, as rc_benchmarks_join(): in
 * its section `*section` or, where that is -1, in one of the platform's name, which it then is. */
int rc_benchmarks_add(struct rc_store *store, const char *platform, struct rc_model **model,
                      int *section, size_t *n_left, struct rc_error *error);
/* The platforms that something of `app` was measured on, up to a NULL; to be freed, each and all.
 */
char **rc_benchmarks_platforms(struct rc_store *store, const char *app, struct rc_error *error);

#endif
