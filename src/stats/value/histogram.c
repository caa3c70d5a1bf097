// SPDX-License-Identifier: GPL-3.0-or-later
/* histogram.c - histograms as values: their bins, and questions to them.
 *
 * Inside, bins rise and do not overlap.  Bins given by a user may; they are merged by the
 * dissertation's Eq. 4.25, which sums densities and so integrates to 1 (its Eq. 4.22 sums
 * probabilities, and does not). */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/value/internal.h"

/* ---- making ---- */

/* Fills in what follows from the bins; takes them over, also on failure. */
static struct rc_value *from_bins(struct rc_bin *bins, size_t n_bins, struct rc_error *error)
{
    struct rc_value *value = rc_value_new(RC_HISTOGRAM, error);
    double total = 0, mean = 0, square = 0;

    if (value)
        value->cumulative = malloc((n_bins + 1) * sizeof *value->cumulative);
    if (!value || !value->cumulative) {
        free(bins);
        rc_value_drop(value);
        rc_error_no_memory(error);
        return NULL;
    }
    value->bins = bins;
    value->n_bins = n_bins;
    for (size_t i = 0; i < n_bins; i++) {
        assert(bins[i].p > 0 && bins[i].low <= bins[i].high);
        assert(i == 0 || bins[i - 1].high <= bins[i].low);
        total += bins[i].p;
    }
    value->cumulative[0] = 0;
    for (size_t i = 0; i < n_bins; i++) {
        bins[i].p /= total;
        value->cumulative[i + 1] = value->cumulative[i] + bins[i].p;
        mean += bins[i].p * (bins[i].low + (bins[i].high - bins[i].low) / 2);
    }
    value->cumulative[n_bins] = 1;
    for (size_t i = 0; i < n_bins; i++) {
        double width = bins[i].high - bins[i].low, off = bins[i].low + width / 2 - mean;

        square += bins[i].p * (off * off + width * width / 12);
    }
    value->low = bins[0].low;
    value->high = bins[n_bins - 1].high;
    value->mean = mean;
    value->sd = sqrt(square);
    return value;
}

/* Where the density changes, or an atom lies. */
struct event {
    double x;
    double density; /* change of it from here on */
    double atom;
    int ends; /* change of the number of bins that cover what follows */
};

static int by_place(const void *a, const void *b)
{
    double left = ((const struct event *)a)->x, right = ((const struct event *)b)->x;

    return (left > right) - (left < right);
}

static struct event *list_events(const struct rc_bin *bins, size_t n_bins, size_t *n_events)
{
    struct event *events = malloc((2 * n_bins + 1) * sizeof *events);

    *n_events = 0;
    for (size_t i = 0; events && i < n_bins; i++) {
        double width = bins[i].high - bins[i].low;

        if (bins[i].p == 0)
            continue;
        if (!(width > 0) || isinf(bins[i].p / width)) {
            events[(*n_events)++] = (struct event){bins[i].low, 0, bins[i].p, 0};
            continue;
        }
        events[(*n_events)++] = (struct event){bins[i].low, bins[i].p / width, 0, 1};
        events[(*n_events)++] = (struct event){bins[i].high, -bins[i].p / width, 0, -1};
    }
    if (events)
        qsort(events, *n_events, sizeof *events, by_place);
    return events;
}

/* Eq. 4.25: the density at a place is the sum of those of the bins that cover it. */
static struct rc_bin *merge(const struct rc_bin *bins, size_t n_bins, size_t *n_merged)
{
    size_t n_events;
    struct event *events = list_events(bins, n_bins, &n_events);
    struct rc_bin *merged = events ? malloc((2 * n_events + 1) * sizeof *merged) : NULL;
    double density = 0;
    int covering = 0;

    *n_merged = 0;
    for (size_t i = 0; merged && i < n_events;) {
        double x = events[i].x, atom = 0;

        for (; i < n_events && events[i].x == x; i++) {
            density += events[i].density;
            covering += events[i].ends;
            atom += events[i].atom;
        }
        if (covering == 0)
            density = 0; /* what rounding has left over */
        if (atom > 0)
            merged[(*n_merged)++] = (struct rc_bin){x, x, atom};
        if (covering > 0 && density > 0 && i < n_events)
            merged[(*n_merged)++] = (struct rc_bin){x, events[i].x, density * (events[i].x - x)};
    }
    free(events);
    return merged;
}

struct rc_value *rc_value_histogram(const struct rc_bin *bins, size_t n_bins,
                                    struct rc_error *error)
{
    struct rc_bin *merged;
    double total = 0;
    size_t n_merged;

    if (n_bins == 0 || n_bins > RC_VALUE_BINS_MAX)
        return rc_error_null(
            rc_error_set(error, "the number of bins must be from 1 to %d", RC_VALUE_BINS_MAX));
    for (size_t i = 0; i < n_bins; i++) {
        if (!isfinite(bins[i].low) || !isfinite(bins[i].high) || bins[i].low > bins[i].high ||
            !(bins[i].p >= 0 && bins[i].p <= 1 + 1e-6))
            return rc_error_null(rc_error_set(
                error, "bin %zu of a histogram needs two finite bounds and a probability", i + 1));
        total += bins[i].p;
    }
    if (fabs(total - 1) > 1e-6)
        return rc_error_null(
            rc_error_set(error, "the probabilities of a histogram add up to %g, not to 1", total));
    merged = merge(bins, n_bins, &n_merged);
    if (!merged)
        return rc_error_null(rc_error_no_memory(error));
    return from_bins(merged, n_merged, error);
}

/* How little probability a bin may hold, given what lies below and above it: less in the tails, so
 * that they keep their shape. */
static double least_share(double below, double above, size_t most)
{
    double even = 1.0 / (double)most, tail = (below < above ? below : above) / 2;

    return tail < even ? fmax(tail, ldexp(even, -12)) : even;
}

/* Bins between neighbouring edges, of which equal ones make an atom; where there are too many,
 * those with too little probability join their neighbours. */
struct rc_value *rc_value_histogram_from_cdf(const double *edges, const double *cdf, size_t n_edges,
                                             size_t most, struct rc_error *error)
{
    struct rc_bin *bins = malloc((n_edges + 1) * sizeof *bins);
    bool crowded = n_edges > most + 1;
    size_t n = 0, from = 0;

    if (!bins)
        return rc_error_null(rc_error_no_memory(error));
    if (cdf[0] > 0)
        bins[n++] = (struct rc_bin){edges[0], edges[0], cdf[0]};
    for (size_t i = 1; i < n_edges; i++) {
        double p = cdf[i] - cdf[from];
        bool last = i + 1 == n_edges;

        if (p <= 0) {
            from = i; /* a gap: nothing lies there */
            continue;
        }
        if (crowded && !last && edges[i] > edges[from] &&
            p < least_share(cdf[from], 1 - cdf[i], most))
            continue;
        bins[n++] = (struct rc_bin){edges[from], edges[i], p};
        from = i;
    }
    if (n == 0) {
        free(bins);
        rc_error_set(error, "all probabilities of the histogram are 0");
        return NULL;
    }
    return from_bins(bins, n, error);
}

/* ---- asking ---- */

/* The last bin that does not start beyond x; n_bins where x lies before all of them. */
static size_t find_bin(const struct rc_value *value, double x)
{
    size_t low = 0, high = value->n_bins, middle;

    while (low < high) {
        middle = low + (high - low) / 2;
        if (value->bins[middle].low <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? value->n_bins : low - 1;
}

double rc_value_histogram_cdf(const struct rc_value *value, double x)
{
    size_t i = find_bin(value, x);
    const struct rc_bin *bin;

    if (i == value->n_bins)
        return 0;
    bin = &value->bins[i];
    if (x >= bin->high)
        return value->cumulative[i + 1];
    return value->cumulative[i] + bin->p * (x - bin->low) / (bin->high - bin->low);
}

double rc_value_histogram_cdf_below(const struct rc_value *value, double x)
{
    size_t i = find_bin(value, x);

    if (i == value->n_bins)
        return 0;
    /* An atom at x comes before a bin that starts there. */
    while (i > 0 && value->bins[i].low == x)
        i--;
    if (value->bins[i].low == x)
        return value->cumulative[i];
    if (x >= value->bins[i].high)
        return value->cumulative[i + 1];
    return value->cumulative[i] +
           value->bins[i].p * (x - value->bins[i].low) / (value->bins[i].high - value->bins[i].low);
}

double rc_value_histogram_quantile(const struct rc_value *value, double p)
{
    size_t low = 0, high = value->n_bins - 1, middle;
    const struct rc_bin *bin;

    while (low < high) { /* the first bin that reaches p */
        middle = low + (high - low) / 2;
        if (value->cumulative[middle + 1] >= p)
            high = middle;
        else
            low = middle + 1;
    }
    bin = &value->bins[low];
    if (p >= value->cumulative[low + 1])
        return bin->high;
    if (p <= value->cumulative[low])
        return bin->low;
    return bin->low + (bin->high - bin->low) * (p - value->cumulative[low]) / bin->p;
}
