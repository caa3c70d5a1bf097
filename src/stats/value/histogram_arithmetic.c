// SPDX-License-Identifier: GPL-3.0-or-later
/* histogram_arithmetic.c - arithmetic over histograms of independent values.
 *
 * The dissertation (Eqs. 4.18 to 4.25) combines every bin with every other one and takes each
 * result for uniform.  That is right only for narrow bins, and gives m times n bins.  Here
 *
 * 1. one operand is cut into pieces of about equal probability, each stood for by its middle
 *    ("interval splitting"; each piece is so narrow that it makes no difference how it is filled);
 * 2. given such a piece x, the result is at most e just when the other operand is at most (or at
 *    least) some g(e, x), whose probability is read off its exact, piecewise linear cdf;
 * 3. summed over the pieces, that is the result's cdf at any e; it is taken at edges that lie at
 *    about equal steps of probability, with more of them in the tails.
 *
 * The cost is pieces times edges, whatever came before: a chain of operations costs its length.
 * Step 2 goes through pieces and edges in order, so that no search is needed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "stats/value/internal.h"

/* Pieces for finding the edges: the square of this many points is sorted. */
enum { COARSE = 64, TAIL = 12, GAPS = 16, COARSE_MOST = 128 };

struct piece {
    double x, p;
};

/* ---- pieces and edges ---- */

/* The part of a histogram between two levels of probability, stood for by its mean; `*span` is how
 * far it reaches, `*bin` the first bin that matters, for the next call. */
static struct piece part_between(const struct rc_value *value, double from, double to, size_t *bin,
                                 double *span)
{
    double p = 0, sum = 0, low = INFINITY, high = -INFINITY;

    while (*bin + 1 < value->n_bins && value->cumulative[*bin + 1] <= from)
        ++*bin;
    for (size_t k = *bin; k < value->n_bins && value->cumulative[k] < to; k++) {
        const struct rc_bin *b = &value->bins[k];
        double start = fmax(from, value->cumulative[k]), end = fmin(to, value->cumulative[k + 1]);
        double width = (b->high - b->low) / b->p, x, y;

        if (end <= start)
            continue;
        x = b->low + width * (start - value->cumulative[k]);
        y = b->low + width * (end - value->cumulative[k]);
        p += end - start;
        sum += (end - start) * (x + y) / 2;
        low = fmin(low, x);
        high = fmax(high, y);
    }
    *span = high - low;
    return (struct piece){p > 0 ? sum / p : 0, p};
}

/* Cuts a histogram at the levels given (rising, from 0 to 1) into at most `most` pieces.  A piece
 * that reaches far, because it lies in a tail or on both sides of a gap, is cut again: its mean
 * would stand where hardly anything is. */
static size_t cut(const struct rc_value *value, const double *levels, size_t n_levels,
                  struct piece *pieces, size_t most)
{
    enum { AGAIN = 8 };
    double far = value->sd / 16, span;
    size_t bin = 0, n = 0;

    for (size_t i = 0; i + 1 < n_levels; i++) {
        double from = levels[i], to = levels[i + 1];
        struct piece piece = part_between(value, from, to, &bin, &span);
        size_t left = n_levels - i;

        if (piece.p > 0 && (span <= far || n + left + AGAIN > most)) {
            pieces[n++] = piece;
            continue;
        }
        for (int k = 0; k < AGAIN && piece.p > 0; k++) {
            struct piece part = part_between(value, from + (to - from) * k / AGAIN,
                                             from + (to - from) * (k + 1) / AGAIN, &bin, &span);

            if (part.p > 0)
                pieces[n++] = part;
        }
    }
    return n;
}

/* Levels at even steps, and TAIL more in each tail, each half as far from the end. */
static size_t make_levels(size_t even, double *levels)
{
    size_t n = 0;

    levels[n++] = 0;
    for (int k = TAIL; k > 0; k--)
        levels[n++] = ldexp(1.0 / (double)even, -k);
    for (size_t i = 1; i < even; i++)
        levels[n++] = (double)i / (double)even;
    for (int k = 1; k <= TAIL; k++)
        levels[n++] = 1 - ldexp(1.0 / (double)even, -k);
    levels[n++] = 1;
    return n;
}

static double apply(enum rc_binary operation, double x, double y)
{
    switch (operation) {
    case RC_ADD:
        return x + y;
    case RC_SUBTRACT:
        return x - y;
    case RC_MULTIPLY:
        return x * y;
    case RC_DIVIDE:
        return x / y;
    default:
        return pow(x, y);
    }
}

/* Merges neighbouring sorted runs of `width` until all is sorted. */
static void merge_sort(struct piece *pieces, struct piece *other, size_t n, size_t width)
{
    struct piece *from = pieces, *to = other, *swap;

    for (; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t i = start, middle = start + width < n ? start + width : n, j = middle;
            size_t end = start + 2 * width < n ? start + 2 * width : n;

            for (size_t k = start; k < end; k++)
                to[k] = i < middle && (j >= end || from[i].x <= from[j].x) ? from[i++] : from[j++];
        }
        swap = from;
        from = to;
        to = swap;
    }
    if (from != pieces)
        memcpy(pieces, from, n * sizeof *pieces);
}

/* Edges for the result, at the levels given of what the coarse pieces make; and on both sides of
 * every gap, which a bin would otherwise fill. */
static size_t choose_edges(const struct piece *products, size_t n_products, const double ends[2],
                           const double *levels, size_t n_levels, double *edges)
{
    size_t at = 0, n = 0, kept = 0;
    double below = 0, quarter[2] = {ends[0], ends[1]}, wide;

    edges[n++] = ends[0];
    for (size_t i = 1; i + 1 < n_levels; i++) {
        while (at + 1 < n_products && below + products[at].p < levels[i])
            below += products[at++].p;
        edges[n++] = products[at].x;
        if (levels[i] <= 0.25)
            quarter[0] = products[at].x;
        if (levels[i] <= 0.75)
            quarter[1] = products[at].x;
    }
    edges[n++] = ends[1];
    wide = (quarter[1] - quarter[0]) / GAPS;
    for (size_t i = 1, gaps = 0; i < n_products && gaps < GAPS && wide > 0; i++)
        if (products[i].x - products[i - 1].x > wide) {
            edges[n++] = products[i - 1].x;
            edges[n++] = products[i].x;
            gaps++;
        }
    rc_sort_doubles(edges, n);
    for (size_t i = 0; i < n; i++)
        if (edges[i] >= ends[0] && edges[i] <= ends[1] && (kept == 0 || edges[i] > edges[kept - 1]))
            edges[kept++] = edges[i];
    return kept;
}

/* ---- the cdf of the result ---- */

/* Adds p times the probability that `value` is at most (or, if `falling`, at least) t[k] to cdf[k],
 * for rising or falling t, whichever makes the result rise. */
static void add_conditional(const struct rc_value *value, const double *t, size_t n, bool falling,
                            double p, double *cdf)
{
    const struct rc_bin *bins = value->bins;
    size_t last = value->n_bins - 1, bin = falling ? last : 0;

    for (size_t k = 0; k < n; k++) {
        double x = t[k], f;

        if (falling) { /* t falls with k */
            while (bin > 0 && bins[bin].low > x)
                bin--;
        } else {
            while (bin < last && bins[bin + 1].low <= x)
                bin++;
        }
        if (x < bins[bin].low)
            f = value->cumulative[bin];
        else if (x >= bins[bin].high)
            f = value->cumulative[bin + 1];
        else
            f = value->cumulative[bin] +
                bins[bin].p * (x - bins[bin].low) / (bins[bin].high - bins[bin].low);
        cdf[k] += p * (falling ? 1 - f : f);
    }
}

/* The operand that is cut into pieces, and the other one. */
struct split {
    const struct rc_value *cut, *whole;
    bool cut_is_first;
};

/* Given the piece x, the result is at most e when `whole` is at most (falling: at least) t. */
static bool solve(enum rc_binary operation, const struct split *s, double x, const double *edges,
                  size_t n, double *t)
{
    bool falling = false;

    for (size_t k = 0; k < n; k++)
        switch (operation) {
        case RC_ADD:
            t[k] = edges[k] - x;
            break;
        case RC_SUBTRACT: /* x - y <= e: y >= x - e;  y - x <= e: y <= e + x */
            falling = s->cut_is_first;
            t[k] = s->cut_is_first ? x - edges[k] : edges[k] + x;
            break;
        case RC_MULTIPLY:
            falling = x < 0;
            t[k] = x == 0 ? (edges[k] >= 0 ? INFINITY : -INFINITY) : edges[k] / x;
            break;
        case RC_DIVIDE: /* the divisor is the one that is cut */
            falling = x < 0;
            t[k] = edges[k] * x;
            break;
        default: /* the exponent is the one that is cut; the base is positive */
            falling = x < 0;
            t[k] = x == 0          ? (edges[k] >= 1 ? INFINITY : -INFINITY)
                   : edges[k] <= 0 ? (x > 0 ? 0 : INFINITY)
                                   : pow(edges[k], 1 / x);
        }
    return falling;
}

/* Which operand to cut: the one that spreads less, since its pieces are stood for by points. */
static struct split choose_split(enum rc_binary operation, const struct rc_value *a,
                                 const struct rc_value *b)
{
    bool first = a->sd < b->sd;

    if (operation == RC_MULTIPLY)
        first = a->sd * fabs(b->mean) < b->sd * fabs(a->mean);
    if (operation == RC_DIVIDE || operation == RC_POWER)
        first = false;
    return (struct split){first ? a : b, first ? b : a, first};
}

/* Room for one operation, in one piece. */
struct work {
    struct piece *coarse[2], *products, *other, *pieces;
    size_t n_pieces; /* room for them */
    double *levels, *edges, *t, *cdf;
};

static void *make_room(struct work *work, size_t most)
{
    size_t coarse = COARSE_MOST, n = most + 2 * TAIL + 4 + 2 * GAPS, products = coarse * coarse;
    size_t bytes =
        (2 * coarse + 2 * products + 2 * n) * sizeof(struct piece) + 4 * n * sizeof(double);
    struct piece *at = malloc(bytes);
    void *room = at;

    if (!at)
        return NULL;
    work->coarse[0] = at;
    work->coarse[1] = at += coarse;
    work->products = at += coarse;
    work->other = at += products;
    work->pieces = at += products;
    work->n_pieces = 2 * n;
    work->levels = (double *)(at + 2 * n);
    work->edges = work->levels + n;
    work->t = work->edges + n;
    work->cdf = work->t + n;
    return room;
}

static size_t find_edges(enum rc_binary operation, const struct rc_value *a,
                         const struct rc_value *b, const double ends[2], size_t even,
                         struct work *work)
{
    size_t n_levels = make_levels(COARSE, work->levels), n = 0;
    size_t n_a = cut(a, work->levels, n_levels, work->coarse[0], COARSE_MOST);
    size_t n_b = cut(b, work->levels, n_levels, work->coarse[1], COARSE_MOST);

    for (size_t i = 0; i < n_a; i++) {
        const struct piece *x = &work->coarse[0][i];
        struct piece *row = work->products + n;

        for (size_t j = 0; j < n_b; j++, n++) {
            const struct piece *y = &work->coarse[1][j];

            row[j] = (struct piece){apply(operation, x->x, y->x), x->p * y->p};
        }
        /* A row that falls is turned round; one that does neither (a divisor on both sides of 0)
         * cannot be. */
        if (n_b > 1 && row[0].x > row[n_b - 1].x)
            for (size_t j = 0; j < n_b / 2; j++) {
                struct piece swap = row[j];

                row[j] = row[n_b - 1 - j];
                row[n_b - 1 - j] = swap;
            }
    }
    merge_sort(work->products, work->other, n, n_b);
    n_levels = make_levels(even, work->levels);
    return choose_edges(work->products, n, ends, work->levels, n_levels, work->edges);
}

static bool is_constant(const struct rc_value *value)
{
    return value->low == value->high;
}

/* Adding, multiplying and dividing by a constant moves and stretches the bins, and is exact. */
static struct rc_value *with_constant(enum rc_binary operation, const struct rc_value *value,
                                      double constant, bool constant_first, struct rc_error *error)
{
    struct rc_bin *bins = malloc(value->n_bins * sizeof *bins);
    struct rc_value *result = NULL;

    if (!bins)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < value->n_bins; i++) {
        const struct rc_bin *bin = &value->bins[i];
        double x = constant_first ? apply(operation, constant, bin->low)
                                  : apply(operation, bin->low, constant);
        double y = constant_first ? apply(operation, constant, bin->high)
                                  : apply(operation, bin->high, constant);

        bins[i] = (struct rc_bin){fmin(x, y), fmax(x, y), bin->p};
    }
    result = rc_value_histogram(bins, value->n_bins, error);
    free(bins);
    return result;
}

struct rc_value *rc_value_histogram_binary(enum rc_binary operation, const struct rc_value *a,
                                           const struct rc_value *b, size_t most,
                                           struct rc_error *error)
{
    const double x[2] = {a->low, a->high}, y[2] = {b->low, b->high};
    struct split split = choose_split(operation, a, b);
    size_t even = most > 4 * TAIL ? most - 2 * TAIL : most / 2 + 1, n, n_pieces;
    struct rc_value *result = NULL;
    struct work work;
    double ends[2];
    void *room;

    if (rc_value_interval_binary(operation, x, y, ends, error))
        return NULL;
    if (is_constant(b) && operation != RC_POWER)
        return with_constant(operation, a, b->low, false, error);
    if (is_constant(a) && operation != RC_POWER && operation != RC_DIVIDE)
        return with_constant(operation, b, a->low, true, error);
    room = make_room(&work, even);
    if (!room)
        return rc_error_null(rc_error_no_memory(error));
    n = find_edges(operation, a, b, ends, even, &work);
    if (n < 2) {
        const struct rc_bin atom = {ends[0], ends[0], 1};

        free(room);
        return rc_value_histogram(&atom, 1, error);
    }
    n_pieces =
        cut(split.cut, work.levels, make_levels(even, work.levels), work.pieces, work.n_pieces);
    memset(work.cdf, 0, n * sizeof *work.cdf);
    for (size_t i = 0; i < n_pieces; i++) {
        bool falling = solve(operation, &split, work.pieces[i].x, work.edges, n, work.t);

        add_conditional(split.whole, work.t, n, falling, work.pieces[i].p, work.cdf);
    }
    work.cdf[0] = 0; /* what lies at the very ends belongs to the bins beside them */
    work.cdf[n - 1] = 1;
    result = rc_value_histogram_from_cdf(work.edges, work.cdf, n, n, error);
    free(room);
    return result;
}

/* ---- one operand ---- */

/* Cuts wide bins first, so that each is still nearly uniform after the function. */
static struct rc_bin *refine(const struct rc_value *a, size_t most, size_t *n_fine)
{
    struct rc_bin *fine = malloc((a->n_bins + most + 1) * sizeof *fine);

    *n_fine = 0;
    for (size_t i = 0; fine && i < a->n_bins; i++) {
        const struct rc_bin *bin = &a->bins[i];
        size_t parts = bin->high > bin->low ? (size_t)(bin->p * (double)most) + 1 : 1;
        double width = (bin->high - bin->low) / (double)parts;

        for (size_t k = 0; k < parts; k++)
            fine[(*n_fine)++] =
                (struct rc_bin){bin->low + width * (double)k,
                                k + 1 == parts ? bin->high : bin->low + width * (double)(k + 1),
                                bin->p / (double)parts};
    }
    return fine;
}

struct rc_value *rc_value_histogram_unary(enum rc_unary operation, const struct rc_value *a,
                                          size_t most, struct rc_error *error)
{
    struct rc_value *result = NULL;
    size_t n;
    struct rc_bin *bins = refine(a, operation == RC_NEGATE ? 0 : most, &n);

    if (!bins)
        return rc_error_null(rc_error_no_memory(error));
    for (size_t i = 0; i < n; i++) {
        const double ends[2] = {bins[i].low, bins[i].high};
        double mapped[2];

        if (rc_value_interval_unary(operation, ends, mapped, error)) {
            free(bins);
            return NULL;
        }
        bins[i].low = mapped[0];
        bins[i].high = mapped[1];
    }
    result = rc_value_histogram(bins, n, error);
    free(bins);
    return result;
}

/* ---- the larger and the smaller ---- */

/* All ends of the bins of both, rising, each once. */
static size_t collect_edges(const struct rc_value *a, const struct rc_value *b, double *edges)
{
    const struct rc_value *const both[] = {a, b};
    size_t n = 0, kept = 0;

    for (int v = 0; v < 2; v++)
        for (size_t i = 0; i < both[v]->n_bins; i++) {
            edges[n++] = both[v]->bins[i].low;
            edges[n++] = both[v]->bins[i].high;
        }
    rc_sort_doubles(edges, n);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || edges[i] > edges[kept - 1])
            edges[kept++] = edges[i];
    return kept;
}

/* P(max <= x) = F(x) G(x); P(min > x) = (1 - F(x)) (1 - G(x)). */
static double extreme_cdf(double f, double g, bool max)
{
    return max ? f * g : 1 - (1 - f) * (1 - g);
}

/* Exact at the edges, of which there are two where an atom lies. */
struct rc_value *rc_value_histogram_extreme(const struct rc_value *a, const struct rc_value *b,
                                            bool max, size_t most, struct rc_error *error)
{
    size_t room = 2 * (a->n_bins + b->n_bins) + 1, n_places, n = 0;
    double *places = malloc(5 * room * sizeof *places), *edges = places + room;
    double *cdf = edges + 2 * room;
    struct rc_value *result;

    if (!places)
        return rc_error_null(rc_error_no_memory(error));
    n_places = collect_edges(a, b, places);
    for (size_t i = 0; i < n_places; i++) {
        double x = places[i];
        double below = extreme_cdf(rc_value_histogram_cdf_below(a, x),
                                   rc_value_histogram_cdf_below(b, x), max);
        double at = extreme_cdf(rc_value_histogram_cdf(a, x), rc_value_histogram_cdf(b, x), max);

        if (at > below + 1e-15) {
            edges[n] = x;
            cdf[n++] = below;
        }
        edges[n] = x;
        cdf[n++] = at;
    }
    result = rc_value_histogram_from_cdf(edges, cdf, n, most, error);
    free(places);
    return result;
}
