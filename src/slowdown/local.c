// SPDX-License-Identifier: GPL-3.0-or-later
/* local.c - local slowdown.
 *
 * The queue.  Let q processes of the program always be at the m cores, and s steady competitors.
 * Whoever computes gets min(1, m / k) of a core where k are at it.  The others go to and fro
 * between the cores and elsewhere, each with so much to do in both places that it computes for its
 * share of the time when alone.  This is a closed network of a server that is shared evenly and one
 * that delays, whose probabilities have a product form whatever the distributions of the times are
 * (F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, "Open, closed, and mixed networks of
 * queues with different classes of customers", JACM 22(2), 1975): that of i competitors at the cores
 * is in proportion to
 *
 *     pp_i  times the product of l / min(l, m) for l from q + s + 1 to q + s + i,
 *
 * where pp_i is what it would be if nobody slowed anybody down, the pp of Eq. 2.  For one core and
 * one process the product is (i + 1)!, and the slowdown the sum of (i + 1)! pp_i by that of i! pp_i.
 *
 * A link that competitors share is one more such server: the probability of i computing and l
 * communicating is in proportion to that of the pair if nobody slowed anybody down, times the product
 * above, times l!.
 *
 * Weights.  With turns of different length there is no product form.  On one core each competitor
 * is then taken to be at it independently of the others, for the part of the time that follows from
 * how fast it gets on, and that from how often the others are at it; a few rounds settle it.  The
 * mean of a share, w / (w + sum of the weights at it), is an integral from 0 to 1 of
 *
 *     w u^(w - 1)  times the product of 1 - b + b u^weight over the others,
 *
 * b being the part of the time that each is at it.  With equal weights this is within 1 % of the
 * product form for two competitors, and closer for more. */
#include "slowdown/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_integration.h>

#include "base/error.h"

enum { NODES = 128, ROUNDS = 200 };
#define SETTLED 1e-9

static const char *const way_names[RC_LOCAL_WAYS] = {"paper", "queue"};

const char *rc_local_way_name(enum rc_local_way way)
{
    return way_names[way];
}

int rc_local_way_find(const char *name)
{
    for (int i = 0; i < RC_LOCAL_WAYS; i++)
        if (strcmp(name, way_names[i]) == 0)
            return i;
    return -1;
}

void rc_local_free(struct rc_local *local)
{
    rc_activity_free(&local->computing);
    rc_activity_free(&local->communicating);
    free(local->delays);
    *local = (struct rc_local){0};
}

/* ---- what competitors do ---- */

enum which { COMPUTING, COMMUNICATING, MEMORY, LASTING, YIELDING };

/* A competitor's share of something; `LASTING` is computing of steady ones alone, `YIELDING` of the
 * others. */
static double share_of(const struct rc_competitor *competitor, enum which which)
{
    double compute = rc_share_mean(competitor->compute);

    switch (which) {
    case COMMUNICATING:
        return rc_share_mean(competitor->communicate);
    case MEMORY:
        return compute * competitor->memory;
    case LASTING:
        return competitor->steady ? compute : 0;
    case YIELDING:
        return competitor->steady ? 0 : compute;
    case COMPUTING:
        break;
    }
    return compute;
}

static int activity_of(const struct rc_local_host *host, enum which which,
                       struct rc_activity *activity, struct rc_error *error)
{
    size_t n = host->n_competitors;
    double *shares = malloc((n + 1) * sizeof *shares);
    int status;

    if (!shares)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        shares[i] = share_of(&host->competitors[i], which);
    status = rc_activity_of(shares, n, activity, error);
    free(shares);
    return status;
}

bool rc_local_equal_turns(const struct rc_local_host *host)
{
    for (size_t i = 0; i < host->n_competitors; i++)
        if (host->competitors[i].weight != 1)
            return false;
    return true;
}

/* ---- computing ---- */

/* The part of a core that each of k gets. */
static double part_of(double k, int cores)
{
    return fmin(1, cores / k);
}

double rc_local_added(const struct rc_local_host *host, double i)
{
    return part_of(host->processes, host->cores) / part_of(host->processes + i, host->cores) - 1;
}

/* Eq. 2's first sum; on several cores, what i competitors add is what they take from the program. */
static double add_by_paper(const struct rc_local_host *host, const struct rc_activity *computing)
{
    double sum = 0;

    for (size_t i = 1; i <= computing->n; i++)
        sum += computing->p[i] * rc_local_added(host, (double)i);
    return sum;
}

/* Those that yield: the logarithm of what the probability of i computing is in proportion to, without
 * the product. */
struct yielding {
    double *logs;
    size_t n;
};

/* How many times as likely each is to compute where as many are at it as there are on average. */
static double tilt_of(const struct rc_local_host *host)
{
    double tilt = 1, at_it = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0;

        for (size_t i = 0; i < host->n_competitors; i++) {
            double share = share_of(&host->competitors[i], YIELDING);

            sum += share * tilt / (1 - share + share * tilt);
        }
        at_it = (at_it + sum) / 2;
        tilt = 1 / part_of(host->processes + at_it, host->cores);
    }
    return tilt;
}

/* Over a link of its own for each.  Numbers that are hardly ever met when nobody slows anybody down
 * may be all that is met when everybody does: so the probabilities are those of shares that are
 * tilted towards what is met, which leaves the proportions but for a power of the tilt, and have a
 * wide range. */
static int yielding_apart(const struct rc_local_host *host, struct yielding *yielding,
                          struct rc_error *error)
{
    size_t n = host->n_competitors;
    double tilt = tilt_of(host), *logs = calloc(n + 1, sizeof *logs);
    long double *p = calloc(n + 2, sizeof *p);

    if (!logs || !p) {
        free(logs);
        free(p);
        return rc_error_no_memory(error);
    }
    p[0] = 1;
    for (size_t k = 0; k < n; k++) {
        double share = share_of(&host->competitors[k], YIELDING),
               tilted = share * tilt / (1 - share + share * tilt);

        for (size_t i = k + 1; i > 0; i--)
            p[i] = p[i] * (1 - tilted) + p[i - 1] * tilted;
        p[0] *= 1 - tilted;
    }
    for (size_t i = 0; i <= n; i++)
        logs[i] = (double)logl(p[i]) - (double)i * log(tilt);
    free(p);
    *yielding = (struct yielding){logs, n};
    return 0;
}

/* The logarithm of the sum of p[l] l!, which may be too large a number itself. */
static double log_of_sum(const long double *p, size_t n)
{
    double most = -INFINITY, sum = 0;

    for (size_t l = 0; l <= n; l++)
        most = fmax(most, (double)logl(p[l]) + lgamma((double)l + 1));
    for (size_t l = 0; l <= n && isfinite(most); l++)
        sum += exp((double)logl(p[l]) + lgamma((double)l + 1) - most);
    return isfinite(most) ? most + log(sum) : most;
}

/* Over one link: sums over those that communicate. */
static int yielding_together(const struct rc_local_host *host, struct yielding *yielding,
                             struct rc_error *error)
{
    size_t n = host->n_competitors;
    double *shares = calloc(2 * n + 1, sizeof *shares), *logs = NULL;
    long double *pairs = NULL;

    for (size_t i = 0; shares && i < n; i++)
        if (!host->competitors[i].steady) {
            shares[i] = share_of(&host->competitors[i], COMPUTING);
            shares[n + i] = share_of(&host->competitors[i], COMMUNICATING);
        }
    if (!shares || !(logs = calloc(n + 1, sizeof *logs)))
        rc_error_no_memory(error);
    else
        pairs = rc_activity_pairs(shares, shares + n, n, error);
    for (size_t i = 0; pairs && i <= n; i++)
        logs[i] = log_of_sum(pairs + i * (n + 1), n - i);
    free(shares);
    if (!pairs) {
        free(logs);
        return -1;
    }
    free(pairs);
    *yielding = (struct yielding){logs, n};
    return 0;
}

/* The program's part of a core beside `steady` competitors and those that yield. */
static double part_beside(const struct rc_local_host *host, const struct yielding *yielding,
                          double steady)
{
    double base = host->processes + steady, product = 0, most = -INFINITY, all = 0, got = 0;

    /* Products of thousands of factors: their logarithms, as compared with the largest. */
    for (int pass = 0; pass < 2; pass++) {
        product = 0;
        for (size_t i = 0; i <= yielding->n; i++) {
            double k = base + (double)i, probability;

            if (i > 0)
                product -= log(part_of(k, host->cores));
            if (pass == 0) {
                most = fmax(most, yielding->logs[i] + product);
                continue;
            }
            probability = exp(yielding->logs[i] + product - most);
            all += probability;
            got += probability * part_of(k, host->cores);
        }
    }
    return got / all;
}

static int add_by_queue(const struct rc_local_host *host, double *added, struct rc_error *error)
{
    struct rc_activity lasting = {0};
    struct yielding yielding = {0};
    double part = 0;
    int status = host->shared_link ? yielding_together(host, &yielding, error)
                                   : yielding_apart(host, &yielding, error);

    if (!status)
        status = activity_of(host, LASTING, &lasting, error);
    for (size_t i = 0; !status && i <= lasting.n; i++)
        if (lasting.p[i] > 0)
            part += lasting.p[i] * part_beside(host, &yielding, (double)i);
    *added = part_of(host->processes, host->cores) / part - 1;
    free(yielding.logs);
    rc_activity_free(&lasting);
    return status;
}

/* ---- turns of different length, on one core ---- */

struct contenders {
    const struct rc_local_host *host;
    gsl_integration_glfixed_table *table;
    double *at_it; /* the part of the time that each is */
    double products[NODES], places[NODES], sizes[NODES];
};

static double factor_of(const struct contenders *all, size_t i, double u)
{
    return 1 - all->at_it[i] + all->at_it[i] * pow(u, all->host->competitors[i].weight);
}

static void multiply_all(struct contenders *all)
{
    for (size_t node = 0; node < NODES; node++) {
        all->products[node] = 1;
        for (size_t i = 0; i < all->host->n_competitors; i++)
            all->products[node] *= factor_of(all, i, all->places[node]);
    }
}

/* The mean part of the core that one of this weight gets beside all others; `but` (or n) is itself
 * one of them. */
static double mean_part(const struct contenders *all, double weight, size_t but)
{
    double sum = 0;

    for (size_t node = 0; node < NODES; node++) {
        double u = all->places[node], others = all->products[node], exponent = weight - 1;

        if (but < all->host->n_competitors) {
            others /= factor_of(all, but, u);
            exponent += all->host->processes; /* the program's own, which are always there */
        } else {
            exponent += all->host->processes - 1;
        }
        sum += all->sizes[node] * weight * pow(u, exponent) * others;
    }
    return sum;
}

static double settle(struct contenders *all)
{
    size_t n = all->host->n_competitors;
    double moved = INFINITY;

    for (int round = 0; round < ROUNDS && moved > SETTLED; round++) {
        moved = 0;
        multiply_all(all);
        for (size_t i = 0; i < n; i++) {
            const struct rc_competitor *competitor = &all->host->competitors[i];
            double share = rc_share_mean(competitor->compute), before = all->at_it[i], part;

            if (competitor->steady || share <= 0 || share >= 1)
                continue; /* is at it as long, however slow it is */
            part = mean_part(all, competitor->weight, i);
            all->at_it[i] = (before + share / (share + part * (1 - share))) / 2;
            moved = fmax(moved, fabs(all->at_it[i] - before));
        }
    }
    multiply_all(all);
    return mean_part(all, 1, n);
}

static int add_by_weights(const struct rc_local_host *host, double *added, struct rc_error *error)
{
    struct contenders all = {.host = host, .table = gsl_integration_glfixed_table_alloc(NODES)};
    size_t n = host->n_competitors;

    all.at_it = malloc((n + 1) * sizeof *all.at_it);
    if (!all.at_it || !all.table) {
        free(all.at_it);
        gsl_integration_glfixed_table_free(all.table);
        return rc_error_no_memory(error);
    }
    for (size_t i = 0; i < n; i++)
        all.at_it[i] = rc_share_mean(host->competitors[i].compute);
    for (size_t node = 0; node < NODES; node++)
        gsl_integration_glfixed_point(0, 1, node, &all.places[node], &all.sizes[node], all.table);
    *added = part_of(host->processes, 1) / settle(&all) - 1;
    gsl_integration_glfixed_table_free(all.table);
    free(all.at_it);
    return 0;
}

static int add_computing(const struct rc_local_host *host, enum rc_local_way way,
                         struct rc_local *local, struct rc_error *error)
{
    if (rc_local_equal_turns(host)) {
        if (way == RC_LOCAL_QUEUE)
            return add_by_queue(host, &local->by_computing, error);
        local->by_computing = add_by_paper(host, &local->computing);
        return 0;
    }
    if (way == RC_LOCAL_PAPER) {
        rc_error_set(error, "Eq. 2 takes turns to be equal, and a competitor's weight is not 1");
        return rc_error_hint(error, "reckon by the queue");
    }
    if (host->cores > 1)
        return rc_error_set(error, "weights on several cores are for a contest that is played out");
    return add_by_weights(host, &local->by_computing, error);
}

/* ---- communicating and memory ---- */

static int add_communicating(const struct rc_local_host *host, struct rc_local *local,
                             struct rc_error *error)
{
    const struct rc_activity *pm = &local->communicating;

    local->delays = calloc(pm->n + 1, sizeof *local->delays);
    if (!local->delays)
        return rc_error_no_memory(error);
    for (size_t i = 1; host->delay && i <= pm->n; i++) {
        unsigned notes = 0;

        if (pm->p[i] <= 0)
            continue;
        local->delays[i] = rc_delay_at(host->delay, i, host->bandwidth, &notes);
        local->notes |= notes;
        local->by_communicating += pm->p[i] * local->delays[i];
    }
    return 0;
}

/* Those on the same core take turns with the program, and only others use memory meanwhile. */
static int add_memory(const struct rc_local_host *host, struct rc_local *local,
                      struct rc_error *error)
{
    const struct rc_memory_curve *curve = host->memory_curve;
    struct rc_activity users = {0};

    if (!curve || curve->n == 0 || host->memory <= 0 || host->cores < 2)
        return 0;
    if (activity_of(host, MEMORY, &users, error))
        return -1;
    for (size_t i = 1; i <= users.n; i++) {
        size_t others = i < (size_t)host->cores - 1 ? i : (size_t)host->cores - 1;

        others = others < curve->n ? others : curve->n;
        local->by_memory += users.p[i] * host->memory * (curve->slowdown[others - 1] - 1);
    }
    rc_activity_free(&users);
    return 0;
}

/* ---- all of it ---- */

static int check(const struct rc_local_host *host, struct rc_error *error)
{
    if (host->cores < 1 || host->processes < 1)
        return rc_error_set(error, "a host has one core at least, and the program one process");
    if (!(host->memory >= 0 && host->memory <= 1))
        return rc_error_set(error, "the part of computing that waits for memory is %g, and not "
                                   "between 0 and 1", host->memory);
    if (host->delay && host->delay->n > 0 && !(host->bandwidth > 0)) {
        rc_error_set(error, isnan(host->bandwidth)
                                ? "delays depend on the bandwidth of the competitors, which is not "
                                  "given"
                                : "a bandwidth is above 0");
        return -1;
    }
    for (size_t i = 0; i < host->n_competitors; i++)
        if (rc_competitor_check(&host->competitors[i], error))
            return -1;
    return 0;
}

int rc_local_reckon(const struct rc_local_host *host, enum rc_local_way way, struct rc_local *local,
                    struct rc_error *error)
{
    *local = (struct rc_local){0};
    if (check(host, error))
        return -1;
    if (activity_of(host, COMPUTING, &local->computing, error) ||
        activity_of(host, COMMUNICATING, &local->communicating, error) ||
        add_computing(host, way, local, error) || add_communicating(host, local, error) ||
        add_memory(host, local, error)) {
        rc_local_free(local);
        return -1;
    }
    local->slowdown = 1 + local->by_computing + local->by_communicating + local->by_memory;
    return 0;
}
