// SPDX-License-Identifier: GPL-3.0-or-later
/* local_queue.c - local slowdown if competitors are slowed down, too.
 *
 * Let q processes of the program and s steady competitors always be at the m cores.  If k
 * compute, each gets min(1, m / k) of a core.  The other competitors alternate between the cores
 * and a delay, with times that give their shares on an idle host.  This is a closed network of a
 * server with processor sharing and a delay, whose probabilities have a product form for any
 * distribution of times (F. Baskett, K. M. Chandy, R. R. Muntz, F. G. Palacios, "Open, closed,
 * and mixed networks of queues with different classes of customers", JACM 22(2), 1975): that of
 * i competitors at the cores is proportional to
 *
 *     pp_i  times the product of l / min(l, m) for l from q + s + 1 to q + s + i,
 *
 * where pp_i is the probability without contention, the pp of Eq. 2.  For one core and one
 * process, the product is (i + 1)!, and the slowdown the sum of (i + 1)! pp_i divided by that of
 * i! pp_i.
 *
 * A shared link is one more server: the probability of i computing and l communicating is
 * proportional to that without contention, times the product above, times l!. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/slowdown/local_internal.h"

enum { ROUNDS = 200 };

/* Competitors that are not steady: the logarithm of the unnormalized probability of i computing,
 * without the product. */
struct yielding {
    double *logs;
    size_t n;
};

static double tilted_share(const struct rc_local_host *host, size_t i, double tilt)
{
    double share = rc_slowdown_local_share(&host->competitors[i], RC_LOCAL_YIELDING);

    return share * tilt / (1 - share + share * tilt);
}

/* The factor of the odds of computing at the mean number of computing competitors. */
static double tilt_of(const struct rc_local_host *host)
{
    double tilt = 1, at_it = 0;

    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0;

        for (size_t i = 0; i < host->n_competitors; i++)
            sum += tilted_share(host, i, tilt);
        at_it = (at_it + sum) / 2;
        tilt = 1 / rc_slowdown_local_part(host->processes + at_it, host->cores);
    }
    return tilt;
}

/* With a separate link for each.  Numbers that are unlikely without contention may be the likely
 * ones under contention.  So the probabilities are of shares that are tilted towards these;
 * proportions then differ by a power of the tilt.  Outside of [low, high], they are 0. */
#define LEAST (LDBL_MIN / LDBL_EPSILON)

static void add_yielding(long double *p, size_t *low, size_t *high, double tilted)
{
    p[*high + 1] = p[*high] * tilted;
    for (size_t i = *high; i > *low; i--)
        p[i] = p[i] * (1 - tilted) + p[i - 1] * tilted;
    p[*low] *= 1 - tilted;
    ++*high;
    while (*high > *low && p[*high] < LEAST)
        p[(*high)--] = 0;
    while (*low < *high && p[*low] < LEAST)
        p[(*low)++] = 0;
}

/* The number of equal neighbours, as `count=` makes them: competitors [from, from + return). */
static size_t most_alike(const struct rc_local_host *host, size_t *from)
{
    size_t most = 0;

    for (size_t i = 0, count; i < host->n_competitors; i += count) {
        double share = rc_slowdown_local_share(&host->competitors[i], RC_LOCAL_YIELDING);

        count = 1;
        while (i + count < host->n_competitors &&
               rc_slowdown_local_share(&host->competitors[i + count], RC_LOCAL_YIELDING) == share)
            count++;
        if (share > 0 && share < 1 && count > most) {
            most = count;
            *from = i;
        }
    }
    return most;
}

/* The number of active ones among equal competitors: the binomial distribution. */
static void begin_alike(long double *p, size_t n, double tilted, size_t *low, size_t *high)
{
    double yes = log(tilted), no = log1p(-tilted), all = lgamma((double)n + 1);

    *low = n;
    for (size_t i = 0; i <= n; i++) {
        double k = (double)i, rest = (double)(n - i);

        p[i] = expl((long double)(all - lgamma(k + 1) - lgamma(rest + 1) + k * yes + rest * no));
        if (p[i] < LEAST) {
            p[i] = 0;
            continue;
        }
        *low = i < *low ? i : *low;
        *high = i;
    }
}

static int yielding_apart(const struct rc_local_host *host, struct yielding *yielding,
                          struct rc_error *error)
{
    size_t n = host->n_competitors, low = 0, high = 0, from = 0, alike = most_alike(host, &from);
    double tilt = tilt_of(host), *logs = calloc(n + 1, sizeof *logs);
    long double *p = calloc(n + 2, sizeof *p);

    if (!logs || !p) {
        free(logs);
        free(p);
        return rc_error_no_memory(error);
    }
    p[0] = 1;
    if (alike > 0 && tilted_share(host, from, tilt) < 1)
        begin_alike(p, alike, tilted_share(host, from, tilt), &low, &high);
    else
        alike = 0;
    for (size_t i = 0; i < n; i++)
        if (i < from || i >= from + alike)
            add_yielding(p, &low, &high, tilted_share(host, i, tilt));
    for (size_t i = 0; i <= n; i++)
        logs[i] = (double)logl(p[i]) - (double)i * log(tilt);
    free(p);
    *yielding = (struct yielding){logs, n};
    return 0;
}

/* The logarithm of the sum of p[l] l!, which may overflow. */
static double log_of_sum(const long double *p, size_t n)
{
    double most = -INFINITY, sum = 0;

    for (size_t l = 0; l <= n; l++)
        most = fmax(most, (double)logl(p[l]) + lgamma((double)l + 1));
    for (size_t l = 0; l <= n && isfinite(most); l++)
        sum += exp((double)logl(p[l]) + lgamma((double)l + 1) - most);
    return isfinite(most) ? most + log(sum) : most;
}

/* With one link: sums over the communicating ones. */
static int yielding_together(const struct rc_local_host *host, struct yielding *yielding,
                             struct rc_error *error)
{
    size_t n = host->n_competitors;
    double *shares = calloc(2 * n + 1, sizeof *shares), *logs = NULL;
    long double *pairs = NULL;

    for (size_t i = 0; shares && i < n; i++)
        if (!host->competitors[i].steady) {
            shares[i] = rc_slowdown_local_share(&host->competitors[i], RC_LOCAL_COMPUTING);
            shares[n + i] = rc_slowdown_local_share(&host->competitors[i], RC_LOCAL_COMMUNICATING);
        }
    if (!shares || !(logs = calloc(n + 1, sizeof *logs)))
        rc_error_no_memory(error);
    else
        pairs = rc_slowdown_activity_pairs(shares, shares + n, n, error);
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

/* The program's share of a core with `steady` competitors and the others. */
static double part_beside(const struct rc_local_host *host, const struct yielding *yielding,
                          double steady)
{
    double base = host->processes + steady, product = 0, most = -INFINITY, all = 0, got = 0;

    /* Products of thousands of factors: logarithms, relative to the largest. */
    for (int pass = 0; pass < 2; pass++) {
        product = 0;
        for (size_t i = 0; i <= yielding->n; i++) {
            double k = base + (double)i, probability;

            if (i > 0)
                product -= log(rc_slowdown_local_part(k, host->cores));
            if (pass == 0) {
                most = fmax(most, yielding->logs[i] + product);
                continue;
            }
            probability = exp(yielding->logs[i] + product - most);
            all += probability;
            got += probability * rc_slowdown_local_part(k, host->cores);
        }
    }
    return got / all;
}

int rc_slowdown_local_add_by_queue(const struct rc_local_host *host, double *added,
                                   struct rc_error *error)
{
    struct rc_activity lasting = {0};
    struct yielding yielding = {0};
    double part = 0;
    int status = host->shared_link ? yielding_together(host, &yielding, error)
                                   : yielding_apart(host, &yielding, error);

    if (!status)
        status = rc_slowdown_local_activity(host, RC_LOCAL_LASTING, &lasting, error);
    for (size_t i = 0; !status && i <= lasting.n; i++)
        if (lasting.p[i] > 0)
            part += lasting.p[i] * part_beside(host, &yielding, (double)i);
    *added = rc_slowdown_local_part(host->processes, host->cores) / part - 1;
    free(yielding.logs);
    rc_slowdown_activity_free(&lasting);
    return status;
}
