// SPDX-License-Identifier: GPL-3.0-or-later
/* measured_inputs_internal.h - measured_inputs.c has values in memory, measured_inputs_text.c their
 * text, measured_inputs_json.c what the database has, measured_inputs_model.c what models have of
 * them, and measured_inputs_outdated.c whether they still hold. */
#ifndef RC_MODEL_STRUCTURAL_MEASURED_INPUTS_INTERNAL_H
#define RC_MODEL_STRUCTURAL_MEASURED_INPUTS_INTERNAL_H

#include "model/structural/measured_inputs.h"

/* One input; description, lifetime and names of parameters are those of `item` unless NULL. */
int rc_structural_benchmarks_write_input(const struct rc_benchmarks *measured,
                                         const struct rc_benchmark_input *input,
                                         const struct rc_item *item, struct rc_buffer *text);
/* Adds `on PLATFORM`, if a model can name it. */
int rc_structural_benchmarks_write_platform(const char *platform, struct rc_buffer *text);

/* Whether the input was measured in the way that `item` says. */
bool rc_structural_benchmarks_fits(const struct rc_benchmark_input *input,
                                   const struct rc_item *item);
/* What is said of an input, without its values; nothing of it is its own. */
struct rc_benchmark_about {
    const char *name, *description, *clauses;
    const char *parameters[RC_MODEL_PARAMETERS_MAX];
    size_t n_parameters;
    double lifetime;
};
/* The input of the same name and way as `like`, added without its values where there is none; what
 * else is said of it is as `like` says.  NULL where memory runs out. */
struct rc_benchmark_input *rc_structural_benchmarks_place(struct rc_benchmarks *measured,
                                                          const struct rc_benchmark_about *like,
                                                          struct rc_error *error);
/* Adds a value to one of the inputs, in place of the one that was there. */
int rc_structural_benchmarks_put_cell(struct rc_benchmark_input *input, const char *row,
                                      const char *column, const struct rc_benchmark_value *value,
                                      struct rc_error *error);
/* Removes values of these hosts (0: of any), and counts them. */
size_t rc_structural_benchmarks_drop(struct rc_benchmark_input *input, const char *const *hosts,
                                     size_t n_hosts);

/* What the platform says of the host of a value, of the link or, for `together`, of all hosts:
 * "speed 2 Gflop/s"; NULL where it says nothing. */
const char *rc_structural_benchmarks_machine(const struct rc_binding *binding,
                                             const struct rc_item *item, const char *row,
                                             const char *column, char text[RC_BENCHMARKS_TEXT]);

#endif
