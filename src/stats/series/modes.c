// SPDX-License-Identifier: GPL-3.0-or-later
/* modes.c - data that gather around several values.
 *
 * J. M. Schopf's dissertation, section 4.B.3, Eq. 4.10 and 4.11.  It does not describe how it found
 * the modes.  Here:
 *
 *  1. A Gaussian kernel density (kernel_density.c), first with Silverman's bandwidth 0.9 s
 *     n^(-1/5), s being the lesser of the sd and of the quartiles' distance / 1.349.
 *  2. Its hills are candidates.  The valley of the least standard errors is filled up, its hills
 *     becoming one, as long as there is one of too few standard errors or too little depth; then
 *     the smallest hill joins the neighbour over the higher valley, as long as there is one with
 *     too small a share.
 *  3. s was taken over all modes, which blurs what lies near one another.  So s becomes the mean of
 *     the spreads inside the modes found, n that of one mode, and 1 and 2 are done again, as long
 *     as this finds more modes.  What keeps noise from being taken for modes is step 2, whatever
 *     the bandwidth.
 *
 * Two kinds of data need care.  A few numbers far away would leave all others to one step of the
 * grid; as a mode needs a share, nothing is lost where half of that share is cut from either end
 * before the grid is laid (with a margin beyond).  And numbers of a coarse scale (percents, whole
 * numbers) have a hill at each tick; so the bandwidth is at least half a tick, where all numbers
 * lie on ticks. */
#include "stats/series/modes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/series/kernel_density.h"
#include "stats/series/statistics.h"

enum { NUMBERS_LEAST = 10, ROUNDS = 8, VALUES_OF_A_SCALE = 6 };
#define QUARTILES_PER_SD 1.349

void rc_series_mode_options_init(struct rc_series_mode_options *options)
{
    *options = (struct rc_series_mode_options){
        .min_share = 0.05, .min_depth = 0.3, .min_z = 2.5, .effective = 1, .edge = 0.05};
}

static int check_options(const struct rc_series_mode_options *options, struct rc_error *error)
{
    if (!(options->min_share >= 1.0 / RC_SERIES_MODES_MAX && options->min_share <= 1))
        return rc_error_set(error, "the smallest share of a mode must be 1/%d to 1, not %g",
                            RC_SERIES_MODES_MAX, options->min_share);
    if (!(options->min_depth >= 0 && options->min_depth <= 1) || !(options->min_z >= 0))
        return rc_error_set(error, "invalid depths of valleys: %g and %g standard errors",
                            options->min_depth, options->min_z);
    if (!(options->effective > 0 && options->effective <= 1))
        return rc_error_set(error, "the independent part must be above 0 and up to 1, not %g",
                            options->effective);
    if (!(options->edge >= 0 && options->edge < 1))
        return rc_error_set(error, "the edge of a mode must be 0 or more and below 1, not %g",
                            options->edge);
    return 0;
}

/* What the search works on. */
struct search {
    const struct rc_series_mode_options *options;
    const double *sorted;
    size_t n;
    double low, high;  /* the grid */
    size_t first, end; /* sorted[first .. end - 1] are inside it */
    double tick;
    struct rc_series_density density;
    struct rc_series_hill hills[RC_SERIES_DENSITY_POINTS];
    size_t n_hills;
};

/* The spread of sorted[from .. to - 1], those outside the grid left out, which neither far numbers
 * nor many equal ones spoil. */
static double spread_of(const struct search *search, size_t from, size_t to)
{
    struct rc_series_moments moments;
    const double *sorted;
    double quartiles;
    size_t n;

    from = from > search->first ? from : search->first;
    to = to < search->end ? to : search->end;
    if (from >= to)
        return 0;
    sorted = search->sorted + from;
    n = to - from;
    quartiles = (rc_series_quantile(sorted, n, 0.75) - rc_series_quantile(sorted, n, 0.25)) /
                QUARTILES_PER_SD;
    rc_series_moments(sorted, n, &moments);
    if (!(moments.sd > 0))
        return 0;
    return quartiles > 0 ? fmin(quartiles, moments.sd) : moments.sd;
}

/* The distance of the ticks that all numbers inside the grid lie on; 0 where they lie on none, and
 * where they take so few values that each may be a mode. */
static double find_tick(const struct search *search)
{
    const double *sorted = search->sorted + search->first;
    size_t n = search->end - search->first, distinct = 1;
    double range = search->high - search->low, tick = range;

    /* Numbers may miss their tick by rounding. */
    for (size_t i = 1; i < n; i++)
        if (sorted[i] - sorted[i - 1] > 1e-6 * range) {
            tick = fmin(tick, sorted[i] - sorted[i - 1]);
            distinct++;
        }
    if (distinct < VALUES_OF_A_SCALE)
        return 0;
    for (size_t i = 1; i < n; i++) {
        double ticks = (sorted[i] - sorted[i - 1]) / tick;

        if (fabs(ticks - round(ticks)) > 0.01)
            return 0;
    }
    return tick;
}

/* Where the grid lies; -1 where there cannot be two modes. */
static int lay_grid(struct search *search)
{
    const double *sorted = search->sorted;
    double cut = search->options->min_share / 2, margin, step;
    double from = rc_series_quantile(sorted, search->n, cut);
    double to = rc_series_quantile(sorted, search->n, 1 - cut);

    margin = (to - from) / 2;
    search->low = fmax(sorted[0] - margin / 10, from - margin);
    search->high = fmin(sorted[search->n - 1] + margin / 10, to + margin);
    step = (search->high - search->low) / RC_SERIES_DENSITY_POINTS;
    /* Where the numbers differ by little more than rounding, the grid has no points between. */
    if (!(step > 0) || !isfinite(step) || !isfinite(1 / step) ||
        search->high + step == search->high || search->low + step == search->low)
        return -1;
    search->first = rc_series_count_below(sorted, search->n, search->low);
    search->end = rc_series_count_below(sorted, search->n, search->high);
    search->tick = find_tick(search);
    return 0;
}

static double boundary(const struct search *search, size_t point)
{
    return search->density.low + (double)point * search->density.step;
}

/* The numbers of hill i are sorted[*from .. *to - 1], all hills together having all numbers. */
static void numbers_of(const struct search *search, size_t i, size_t *from, size_t *to)
{
    const struct rc_series_hill *hills = search->hills;

    *from = i == 0 ? 0
                   : rc_series_count_below(search->sorted, search->n,
                                           boundary(search, hills[i - 1].valley));
    *to = i + 1 == search->n_hills
              ? search->n
              : rc_series_count_below(search->sorted, search->n, boundary(search, hills[i].valley));
}

/* Makes one of the hills i and i + 1. */
static void join(struct search *search, size_t i)
{
    struct rc_series_hill *pair = &search->hills[i];
    const double *at = search->density.at;

    pair[0].top = at[pair[1].top] > at[pair[0].top] ? pair[1].top : pair[0].top;
    pair[0].valley = pair[1].valley;
    for (size_t j = i + 1; j + 1 < search->n_hills; j++)
        search->hills[j] = search->hills[j + 1];
    search->n_hills--;
}

static void fill_shallow_valleys(struct search *search)
{
    const struct rc_series_mode_options *options = search->options;

    for (;;) {
        size_t worst = search->n_hills;
        double least = INFINITY;

        for (size_t i = 0; i + 1 < search->n_hills; i++) {
            const struct rc_series_hill *pair = &search->hills[i];
            double z = rc_series_density_z(&search->density, pair, options->effective);
            double depth = rc_series_density_depth(&search->density, pair);

            if ((z < options->min_z || depth < options->min_depth) && z < least) {
                least = z;
                worst = i;
            }
        }
        if (worst == search->n_hills)
            return;
        join(search, worst);
    }
}

static void join_small_hills(struct search *search)
{
    const double *at = search->density.at;

    while (search->n_hills > 1) {
        size_t smallest = 0, least = search->n, from, to;

        for (size_t i = 0; i < search->n_hills; i++) {
            numbers_of(search, i, &from, &to);
            if (to - from < least) {
                least = to - from;
                smallest = i;
            }
        }
        if ((double)least >= search->options->min_share * (double)search->n)
            return;
        if (smallest + 1 == search->n_hills ||
            (smallest > 0 &&
             at[search->hills[smallest - 1].valley] > at[search->hills[smallest].valley]))
            smallest--;
        join(search, smallest);
    }
}

/* The mean spread inside the hills. */
static double mean_spread(const struct search *search)
{
    double sum = 0;

    for (size_t i = 0; i < search->n_hills; i++) {
        size_t from, to;

        numbers_of(search, i, &from, &to);
        sum += (double)(to - from) * spread_of(search, from, to);
    }
    return sum / (double)search->n;
}

static void find_hills(struct search *search, double spread, double n_per_mode)
{
    double bandwidth = fmax(0.9 * spread * pow(n_per_mode, -0.2), search->tick / 2);

    rc_series_density(&search->density, search->sorted, search->n, search->low, search->high,
                      bandwidth);
    search->n_hills = rc_series_density_hills(&search->density, search->hills);
    fill_shallow_valleys(search);
    join_small_hills(search);
}

/* Steps 1 to 3. */
static void find_all(struct search *search)
{
    double spread = spread_of(search, 0, search->n), n = (double)search->n;
    double before_spread = spread, before_n = n;
    size_t found = 1;

    find_hills(search, spread, n);
    for (int round = 0; round < ROUNDS && search->n_hills > found; round++) {
        found = search->n_hills;
        before_spread = spread, before_n = n;
        spread = mean_spread(search);
        n = (double)search->n / (double)found;
        find_hills(search, spread, n);
    }
    if (search->n_hills < found)
        find_hills(search, before_spread, before_n);
}

/* Where the hill's density falls below the edge, to either side. */
static void edges_of(const struct search *search, size_t i, double *low, double *high)
{
    const double *at = search->density.at;
    size_t left = search->hills[i].top, right = left;
    size_t first = i ? search->hills[i - 1].valley : 0, last = search->hills[i].valley;
    double edge = search->options->edge * at[left];

    while (left > first && at[left - 1] >= edge)
        left--;
    while (right < last && at[right + 1] >= edge)
        right++;
    *low = boundary(search, left);
    *high = boundary(search, right);
}

static struct rc_series_mode mode_of_hill(const struct search *search, size_t i)
{
    struct rc_series_mode mode = {.centre = boundary(search, search->hills[i].top)};
    struct rc_series_moments moments;
    size_t from, to;

    numbers_of(search, i, &from, &to);
    mode.low = i ? boundary(search, search->hills[i - 1].valley) : search->sorted[0];
    mode.high = i + 1 < search->n_hills ? boundary(search, search->hills[i].valley)
                                        : search->sorted[search->n - 1];
    if (search->options->drop_between) {
        double low, high;

        edges_of(search, i, &low, &high);
        mode.low = fmax(mode.low, low);
        if (high < mode.high)
            mode.high = nextafter(high, INFINITY); /* its own upper edge is part of it */
        from = rc_series_count_below(search->sorted, search->n, mode.low);
        to = i + 1 < search->n_hills || mode.high < search->sorted[search->n - 1]
                 ? rc_series_count_below(search->sorted, search->n, mode.high)
                 : search->n;
    }
    rc_series_moments(search->sorted + from, to - from, &moments);
    mode.mean = moments.mean;
    mode.sd = moments.sd;
    mode.n = moments.n;
    return mode;
}

void rc_series_modes_aggregate(struct rc_series_modes *modes)
{
    double n = 0, inside = 0, between = 0;

    modes->aggregate_mean = modes->aggregate_sd = modes->full_sd = NAN;
    for (size_t i = 0; i < modes->n_modes; i++)
        n += (double)modes->modes[i].n;
    if (n == 0)
        return;
    modes->aggregate_mean = modes->aggregate_sd = 0;
    for (size_t i = 0; i < modes->n_modes; i++) {
        struct rc_series_mode *mode = &modes->modes[i];

        mode->share = (double)mode->n / n;
        modes->aggregate_mean += mode->share * mode->mean;
        modes->aggregate_sd += mode->n > 1 ? mode->share * mode->sd : 0;
    }
    for (size_t i = 0; i < modes->n_modes; i++) {
        const struct rc_series_mode *mode = &modes->modes[i];
        double distance = mode->mean - modes->aggregate_mean;

        inside += mode->n > 1 ? ((double)mode->n - 1) / (n - 1) * mode->sd * mode->sd : 0;
        between += n > 1 ? (double)mode->n / (n - 1) * distance * distance : 0;
    }
    modes->full_sd = n > 1 ? sqrt(inside + between) : NAN;
}

/* All numbers are one mode; nothing was searched. */
static void one_mode(const double *sorted, size_t n, struct rc_series_modes *modes)
{
    modes->n_modes = 1;
    modes->modes[0] = (struct rc_series_mode){
        rc_series_quantile(sorted, n, 0.5), modes->mean, modes->sd, 1, sorted[0], sorted[n - 1], n};
    modes->aggregate_mean = modes->mean;
    modes->aggregate_sd = modes->full_sd = modes->sd;
}

static void search_modes(struct search *search, struct rc_series_modes *modes)
{
    size_t in_modes = 0;

    if (search->n < NUMBERS_LEAST || lay_grid(search)) {
        one_mode(search->sorted, search->n, modes);
        return;
    }
    find_all(search);
    modes->bandwidth = search->density.bandwidth * search->density.step;
    modes->n_modes = search->n_hills;
    for (size_t i = 0; i < search->n_hills; i++) {
        modes->modes[i] = mode_of_hill(search, i);
        in_modes += modes->modes[i].n;
    }
    modes->n_dropped = search->n - in_modes;
    rc_series_modes_aggregate(modes);
}

int rc_series_modes(const double *values, size_t n, const struct rc_series_mode_options *options,
                    struct rc_series_modes *modes, struct rc_error *error)
{
    struct rc_series_mode_options defaults;
    struct rc_series_moments moments;
    struct search *search;
    double *sorted;
    size_t n_known;

    rc_series_mode_options_init(&defaults);
    options = options ? options : &defaults;
    if (check_options(options, error))
        return -1;
    sorted = rc_series_sorted(values, n, &n_known, error);
    search = sorted ? calloc(1, sizeof *search) : NULL;
    if (!search) {
        free(sorted);
        return rc_error_no_memory(error);
    }
    rc_series_moments(sorted, n_known, &moments);
    *modes = (struct rc_series_modes){.n = n_known,
                                      .gaps = options->drop_between,
                                      .mean = moments.mean,
                                      .sd = moments.sd,
                                      .aggregate_mean = NAN,
                                      .aggregate_sd = NAN,
                                      .full_sd = NAN};
    search->options = options;
    search->sorted = sorted;
    search->n = n_known;
    if (n_known > 0)
        search_modes(search, modes);
    free(search);
    free(sorted);
    return 0;
}
