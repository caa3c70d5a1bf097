// SPDX-License-Identifier: GPL-3.0-or-later
/* term_search.c - sums of terms that explain the runs, the best first.
 *
 * The idea: all pairs of terms are tried; to the best of them every third term is added, to the
 * best of those every fourth, and so on.  A sum is worth how likely the runs are with it (the
 * misfit), times how likely it is beforehand (the prior penalty of its terms), less what each
 * further coefficient costs (BIC: half the logarithm of the number of runs).
 *
 * Adding a column to columns whose Cholesky factor L is at hand takes one forward substitution:
 * with v = L^-1 g, where g are its products with them, the new diagonal is d = 1 - v'v, and the
 * sum of squares falls by (b - v'z)^2 / d, where b is its product with the times and z = L^-1
 * (theirs).
 *
 * Invariant: a sum in which least squares makes a coefficient negative is never a candidate.
 * With coefficients that may not be negative, the best of its kind has a 0 there, and is thus a
 * shorter sum, which is tried by itself. */
#include "model/regression/term_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns with less than this independent part, the rest being a sum of others, are too similar. */
static const double least_own = 1e-9;

double rc_regression_misfit(double squares, size_t n_rows)
{
    double n = (double)n_rows, floor = RC_REGRESSION_ERROR_FLOOR * RC_REGRESSION_ERROR_FLOOR;

    return 0.5 * n * log(fmax(squares, 0) / n + floor);
}

/* Whether some of the work is not split (Amdahl): a further term, but a usual one. */
static bool has_serial_share(const struct rc_regression_library *library,
                             const unsigned short *columns, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            const struct rc_regression_term *split = &library->terms[columns[i]];
            const struct rc_regression_term *serial = &library->terms[columns[j]];

            if (split->cpu && serial->cpu && serial->procs == 0 && split->procs == 2 &&
                split->size == serial->size)
                return true;
        }
    return false;
}

double rc_regression_form_penalty(const struct rc_regression_library *library,
                                  const unsigned short *columns, unsigned n)
{
    static const double per_term[RC_REGRESSION_TERMS_MAX + 1] = {0, 0, 0, 4, 8, 12, 16};
    double work = -1, messages = -1;

    for (unsigned i = 0; i < n; i++) {
        const struct rc_regression_term *term = &library->terms[columns[i]];
        double degree = rc_regression_size_degree(term->size);

        if (term->cpu)
            work = fmax(work, degree);
        else if (term->parallel)
            messages = fmax(messages, degree);
    }
    if (has_serial_share(library, columns, n))
        return per_term[n - 1] + 1;
    return per_term[n] + (work < 0 ? 6 : 0) + (messages > work ? 3 : messages == work ? 1 : 0);
}

/* ---- a list of the best, as a heap with the worst on top ---- */

struct best {
    struct rc_regression_candidate *items;
    size_t n, room;
};

static void sift_down(struct best *best)
{
    struct rc_regression_candidate *items = best->items;

    for (size_t i = 0, child; (child = 2 * i + 1) < best->n; i = child) {
        struct rc_regression_candidate swap = items[i];

        if (child + 1 < best->n && items[child + 1].score > items[child].score)
            child++;
        if (items[child].score <= items[i].score)
            return;
        items[i] = items[child];
        items[child] = swap;
    }
}

static void sift_up(struct best *best, size_t i)
{
    struct rc_regression_candidate *items = best->items;

    while (i > 0 && items[(i - 1) / 2].score < items[i].score) {
        struct rc_regression_candidate swap = items[i];

        items[i] = items[(i - 1) / 2];
        items[(i - 1) / 2] = swap;
        i = (i - 1) / 2;
    }
}

static bool is_wanted(const struct best *best, double score)
{
    return best->n < best->room || score < best->items[0].score;
}

static void keep(struct best *best, const struct rc_regression_candidate *candidate)
{
    if (best->n < best->room) {
        best->items[best->n] = *candidate;
        sift_up(best, best->n++);
        return;
    }
    best->items[0] = *candidate;
    sift_down(best);
}

static int by_score(const void *left, const void *right)
{
    const struct rc_regression_candidate *a = left, *b = right;

    if (a->score != b->score)
        return a->score < b->score ? -1 : 1;
    return memcmp(a->columns, b->columns, sizeof a->columns);
}

static bool is_same(const struct rc_regression_candidate *a,
                    const struct rc_regression_candidate *b)
{
    return a->n_terms == b->n_terms &&
           memcmp(a->columns, b->columns, a->n_terms * sizeof *a->columns) == 0;
}

/* Sorts, and drops sums that were found in several ways (their scores differ by rounding alone, so
 * that they need not be neighbours). */
static void settle(struct best *best)
{
    size_t kept = 0;

    qsort(best->items, best->n, sizeof *best->items, by_score);
    for (size_t i = 0; i < best->n; i++) {
        bool again = false;

        for (size_t j = kept;
             j-- > 0 && !again && best->items[j].score > best->items[i].score - 1e-6;)
            again = is_same(&best->items[j], &best->items[i]);
        if (!again)
            best->items[kept++] = best->items[i];
    }
    best->n = kept;
}

/* ---- adding a column ---- */

/* Columns that are there, ready for one more. */
struct base {
    unsigned n;
    const unsigned short *columns;
    double factor[RC_REGRESSION_TERMS_MAX][RC_REGRESSION_TERMS_MAX]; /* L */
    double z[RC_REGRESSION_TERMS_MAX];
    double squares; /* that are left */
    double cost;    /* prior penalties and coefficients */
};

/* v = L^-1 (products of the base's columns with `column`); what is left of 1. */
static double own_part(const struct rc_regression_library *library, const struct base *base,
                       size_t column, double *v)
{
    const double *products = library->products + column * library->n_columns;
    double own = 1;

    for (unsigned i = 0; i < base->n; i++) {
        double sum = products[base->columns[i]];

        for (unsigned j = 0; j < i; j++)
            sum -= base->factor[i][j] * v[j];
        v[i] = sum / base->factor[i][i];
        own -= v[i] * v[i];
    }
    return own;
}

static double last_z(const struct rc_regression_library *library, const struct base *base,
                     size_t column, const double *v, double own)
{
    double sum = library->with_times[column];

    for (unsigned i = 0; i < base->n; i++)
        sum -= v[i] * base->z[i];
    return sum / sqrt(own);
}

/* Whether all coefficients are positive once `column` is added: back substitution from the last. */
static bool all_positive(const struct base *base, const double *v, double own, double z)
{
    double c[RC_REGRESSION_TERMS_MAX];

    c[base->n] = z / sqrt(own);
    if (!(c[base->n] > 0))
        return false;
    for (unsigned i = base->n; i-- > 0;) {
        c[i] = base->z[i] - v[i] * c[base->n];
        for (unsigned j = i + 1; j < base->n; j++)
            c[i] -= base->factor[j][i] * c[j];
        c[i] /= base->factor[i][i];
        if (!(c[i] > 0))
            return false;
    }
    return true;
}

static bool base_make(const struct rc_regression_library *library, const unsigned short *columns,
                      unsigned n, struct base *base)
{
    *base = (struct base){.columns = columns, .squares = library->times};
    for (unsigned i = 0; i < n; i++) {
        double v[RC_REGRESSION_TERMS_MAX], own = own_part(library, base, columns[i], v);

        if (!(own > least_own))
            return false;
        base->z[i] = last_z(library, base, columns[i], v, own);
        memcpy(base->factor[i], v, i * sizeof *v);
        base->factor[i][i] = sqrt(own);
        base->squares -= base->z[i] * base->z[i];
        base->cost += library->penalties[columns[i]] + 0.5 * log((double)library->n_rows);
        base->n++;
    }
    return true;
}

static struct rc_regression_candidate joined(const struct base *base, size_t column, double score)
{
    struct rc_regression_candidate candidate = {.n_terms = base->n + 1, .score = score};
    unsigned at = 0;

    while (at < base->n && base->columns[at] < column) {
        candidate.columns[at] = base->columns[at];
        at++;
    }
    candidate.columns[at] = (unsigned short)column;
    for (; at < base->n; at++)
        candidate.columns[at + 1] = base->columns[at];
    return candidate;
}

/* Tries every column from `from` on with the base. */
static void extend(const struct rc_regression_library *library, const struct base *base,
                   size_t from, struct best *best)
{
    double coefficient_cost = 0.5 * log((double)library->n_rows);

    for (size_t column = from; column < library->n_columns; column++) {
        double v[RC_REGRESSION_TERMS_MAX], own = own_part(library, base, column, v), z, score;
        double cost = base->cost + coefficient_cost + library->penalties[column];

        if (!(own > least_own))
            continue;
        z = last_z(library, base, column, v, own);
        if (!(z > 0))
            continue;
        score = cost + rc_regression_misfit(base->squares - z * z, library->n_rows);
        if (is_wanted(best, score) && all_positive(base, v, own, z)) {
            struct rc_regression_candidate candidate = joined(base, column, score);

            candidate.score +=
                rc_regression_form_penalty(library, candidate.columns, candidate.n_terms);
            if (is_wanted(best, candidate.score))
                keep(best, &candidate);
        }
    }
}

/* ---- the search ---- */

static void extend_all(const struct rc_regression_library *library, const struct best *from,
                       struct best *to)
{
    struct base base;

    to->n = 0;
    for (size_t i = 0; i < from->n; i++)
        if (base_make(library, from->items[i].columns, from->items[i].n_terms, &base))
            extend(library, &base, 0, to);
    settle(to);
}

static void try_pairs(const struct rc_regression_library *library, struct best *best)
{
    struct base base;

    best->n = 0;
    for (size_t i = 0; i < library->n_columns; i++) {
        unsigned short column = (unsigned short)i;

        if (base_make(library, &column, 1, &base))
            extend(library, &base, i + 1, best);
    }
    settle(best);
}

static size_t collect(const struct best *best, struct rc_regression_candidate *candidates, size_t n,
                      size_t room)
{
    struct best all = {candidates, n, room};

    for (size_t i = 0; i < best->n; i++)
        if (is_wanted(&all, best->items[i].score))
            keep(&all, &best->items[i]);
    return all.n;
}

size_t rc_regression_search(const struct rc_regression_library *library,
                            struct rc_regression_effort effort,
                            struct rc_regression_candidate *candidates, size_t room)
{
    struct base nothing = {.squares = library->times};
    struct best lists[2] = {{.room = effort.beam}, {.room = effort.beam}}, all;
    size_t n = 0;

    for (unsigned i = 0; i < 2; i++)
        lists[i].items = malloc(effort.beam * sizeof *lists[i].items);
    if (lists[0].items && lists[1].items) {
        extend(library, &nothing, 0, &lists[0]);
        n = collect(&lists[0], candidates, n, room);
        for (unsigned terms = 2; terms <= effort.most_terms; terms++) {
            struct best *from = &lists[terms % 2], *to = &lists[(terms + 1) % 2];

            if (terms == 2)
                try_pairs(library, to);
            else
                extend_all(library, from, to);
            n = collect(to, candidates, n, room);
        }
    }
    for (unsigned i = 0; i < 2; i++)
        free(lists[i].items);
    all = (struct best){candidates, n, room};
    settle(&all);
    return all.n;
}

bool rc_regression_solve(const struct rc_regression_library *library, const unsigned short *columns,
                         unsigned n, double *coefficients, double *inverse)
{
    struct base base;

    if (!base_make(library, columns, n, &base))
        return false;
    for (unsigned i = n; i-- > 0;) {
        coefficients[i] = base.z[i];
        for (unsigned j = i + 1; j < n; j++)
            coefficients[i] -= base.factor[j][i] * coefficients[j];
        coefficients[i] /= base.factor[i][i];
    }
    for (unsigned i = 0; i < n; i++)
        if (!(coefficients[i] > 0))
            return false;
    for (unsigned column = 0; inverse && column < n; column++) { /* L L' x = e */
        double *x = inverse + column * n;

        for (unsigned i = 0; i < n; i++) {
            x[i] = i == column ? 1 : 0;
            for (unsigned j = 0; j < i; j++)
                x[i] -= base.factor[i][j] * x[j];
            x[i] /= base.factor[i][i];
        }
        for (unsigned i = n; i-- > 0;) {
            for (unsigned j = i + 1; j < n; j++)
                x[i] -= base.factor[j][i] * x[j];
            x[i] /= base.factor[i][i];
        }
    }
    return true;
}
