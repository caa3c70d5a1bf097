// SPDX-License-Identifier: GPL-3.0-or-later
/* term_library.c - all terms that a model may have, with their values in the runs at hand. */
#include "model/regression/term_library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Terms beyond these are not tried: no program does that. */
static const double most_surprising = 5.0, most_surprising_of_many = 2.5;

double rc_regression_term_in_run(const struct rc_regression_term *term,
                                 const struct rc_regression_rows *rows,
                                 const struct rc_regression_run *run)
{
    double value;

    if (term->parallel && run->p <= 1)
        return 0;
    value = rc_regression_size(term->size, run->n) / rc_regression_procs(term->procs, run->p);
    for (size_t i = 0; i < rows->n_params; i++)
        if (term->factors[i])
            value *= rc_regression_factor(term->factors[i], run->params[i]);
    if (term->bytes)
        value *= run->bytes;
    if (term->cpu && rows->cpu)
        value /= run->cpu[rows->stat];
    if (term->width)
        value /= rc_regression_width(term->width, run->bw[rows->stat]);
    return value;
}

/* How unlikely a term is before anything was measured. */
static double penalty_of(const struct rc_regression_term *term, size_t n_params)
{
    double penalty = rc_regression_size_penalty(term->size, term->cpu) +
                     rc_regression_procs_penalty(term->procs, term->cpu) +
                     (term->parallel ? rc_regression_width_penalty(term->width) : 0);

    for (size_t i = 0; i < n_params; i++)
        penalty += rc_regression_factor_penalty(term->factors[i]);
    /* A time that is always the same, and one for each byte, are as usual as computing is. */
    return term->bytes || (!term->cpu && !term->parallel) ? 0.5 : penalty;
}

/* ---- which terms there are ---- */

static void add_term(struct rc_regression_library *library, const struct rc_regression_term *term,
                     size_t n_params, double limit)
{
    double penalty = penalty_of(term, n_params);

    if (penalty > limit || library->n_columns == RC_REGRESSION_LIBRARY_MAX)
        return;
    library->terms[library->n_columns] = *term;
    library->penalties[library->n_columns++] = penalty;
}

/* Computation, and messages whose time hangs on the bandwidth and those whose does not. */
static void add_terms(struct rc_regression_library *library, const struct rc_regression_rows *rows,
                      const struct rc_regression_factors *factors, double limit)
{
    struct rc_regression_term term = {0};

    memcpy(term.factors, factors->of, sizeof term.factors);
    for (size_t i = 0; i < rows->n_params; i++)
        limit += rc_regression_factor_penalty(term.factors[i]);
    for (term.size = 0; term.size < RC_REGRESSION_SIZES; term.size++)
        for (term.procs = 0; term.procs < RC_REGRESSION_PROCS; term.procs++) {
            term.cpu = true;
            term.parallel = false;
            term.width = 0;
            add_term(library, &term, rows->n_params, limit);
            term.cpu = false;
            term.parallel = true;
            for (; term.width < RC_REGRESSION_WIDTHS; term.width++) {
                bool plain = term.width == 0 || term.width == 2;

                if (term.width == 0 || (rows->bw && (plain || rows->bw_varies)))
                    add_term(library, &term, rows->n_params, limit);
            }
        }
}

static void list_terms(struct rc_regression_library *library, const struct rc_regression_rows *rows,
                       const struct rc_regression_factors *factors, size_t n_factors)
{
    struct rc_regression_term constant = {0}, bytes = {.bytes = true};

    add_term(library, &constant, 0, most_surprising);
    if (rows->bytes)
        add_term(library, &bytes, 0, most_surprising);
    for (size_t i = 0; i < n_factors; i++)
        add_terms(library, rows, &factors[i],
                  n_factors == 1 ? most_surprising : most_surprising_of_many);
}

/* ---- their values ---- */

/* A column's values, scaled; its length, or 0 where it is none that can be used. */
static double fill_column(const struct rc_regression_term *term,
                          const struct rc_regression_rows *rows, double *column)
{
    double square = 0;

    for (size_t row = 0; row < rows->n; row++) {
        double value = rc_regression_term_in_run(term, rows, rows->runs[row]) * rows->scales[row];

        if (!(value >= 0) || !isfinite(value))
            return 0;
        column[row] = value;
        square += value * value;
    }
    return isfinite(square) ? sqrt(square) : 0;
}

static void fill_values(struct rc_regression_library *library,
                        const struct rc_regression_rows *rows, double *column)
{
    size_t kept = 0, stride = library->n_columns;

    for (size_t i = 0; i < library->n_columns; i++) {
        double length = fill_column(&library->terms[i], rows, column);

        if (!(length > 0))
            continue;
        library->terms[kept] = library->terms[i];
        library->penalties[kept] = library->penalties[i];
        library->lengths[kept] = length;
        for (size_t row = 0; row < rows->n; row++)
            library->values[row * stride + kept] = column[row] / length;
        kept++;
    }
    for (size_t row = 0; kept < stride && row < rows->n; row++)
        memmove(library->values + row * kept, library->values + row * stride,
                kept * sizeof *library->values);
    library->n_columns = kept;
}

static void multiply(struct rc_regression_library *library, const struct rc_regression_rows *rows)
{
    size_t k = library->n_columns;

    memset(library->products, 0, k * k * sizeof *library->products);
    memset(library->with_times, 0, k * sizeof *library->with_times);
    library->times = 0;
    for (size_t row = 0; row < rows->n; row++) {
        const double *restrict values = library->values + row * k;
        double time = rows->runs[row]->seconds * rows->scales[row];

        library->times += time * time;
        for (size_t i = 0; i < k; i++) {
            double *restrict products = library->products + i * k, value = values[i];

            library->with_times[i] += value * time;
            if (value != 0)
                for (size_t j = i; j < k; j++)
                    products[j] += value * values[j];
        }
    }
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < i; j++)
            library->products[i * k + j] = library->products[j * k + i];
}

void rc_regression_library_free(struct rc_regression_library *library)
{
    free(library->terms);
    free(library->penalties);
    free(library->lengths);
    free(library->values);
    free(library->products);
    free(library->with_times);
    *library = (struct rc_regression_library){0};
}

static int begin(struct rc_regression_library *library, size_t n_rows, size_t most_columns,
                 struct rc_error *error)
{
    *library = (struct rc_regression_library){.n_rows = n_rows};
    library->terms = calloc(most_columns, sizeof *library->terms);
    library->penalties = calloc(most_columns, sizeof *library->penalties);
    library->lengths = calloc(most_columns, sizeof *library->lengths);
    library->with_times = calloc(most_columns, sizeof *library->with_times);
    return library->terms && library->penalties && library->lengths && library->with_times
               ? 0
               : rc_error_no_memory(error);
}

/* Once the terms are listed. */
static int fill(struct rc_regression_library *library, const struct rc_regression_rows *rows,
                struct rc_error *error)
{
    double *column = malloc(rows->n * sizeof *column);
    size_t k = library->n_columns;

    library->values = malloc((rows->n * k + 1) * sizeof *library->values);
    library->products = malloc((k * k + 1) * sizeof *library->products);
    if (!column || !library->values || !library->products) {
        free(column);
        return rc_error_no_memory(error);
    }
    fill_values(library, rows, column);
    free(column);
    multiply(library, rows);
    if (library->n_columns)
        return 0;
    rc_error_set(error, "no function fits these runs");
    return rc_error_hint(error, "check that their times are in seconds, and their sizes");
}

int rc_regression_library_make(struct rc_regression_library *library,
                               const struct rc_regression_rows *rows,
                               const struct rc_regression_factors *factors, size_t n_factors,
                               struct rc_error *error)
{
    if (begin(library, rows->n, RC_REGRESSION_LIBRARY_MAX, error) != 0)
        return -1;
    list_terms(library, rows, factors, n_factors);
    return fill(library, rows, error);
}

int rc_regression_library_of(struct rc_regression_library *library,
                             const struct rc_regression_rows *rows,
                             const struct rc_regression_term *terms, size_t n_terms,
                             struct rc_error *error)
{
    if (begin(library, rows->n, n_terms, error) != 0)
        return -1;
    for (size_t i = 0; i < n_terms; i++) {
        library->terms[i] = terms[i];
        library->penalties[i] = penalty_of(&terms[i], rows->n_params);
    }
    library->n_columns = n_terms;
    return fill(library, rows, error);
}
