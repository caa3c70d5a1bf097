// SPDX-License-Identifier: GPL-3.0-or-later
/* candidate_rating.c - what a set of hosts and processes comes to, and which of two is better. */
#include "advise/place/candidate_rating.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "predict/run_time_distribution.h"

/* ---- what it comes to ---- */

/* Draws that end, sorted, and how many they are. */
static size_t those_that_end(const double *draws, size_t n, double *ended)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(draws[i]))
            ended[found++] = draws[i];
    return found;
}

static double share_over(const double *draws, size_t n, double deadline)
{
    size_t late = 0;

    for (size_t i = 0; i < n; i++)
        late += draws[i] > deadline;
    return (double)late / (double)n;
}

void rc_place_advised_judge(struct rc_advised *advised, const double *draws, size_t n,
                            const struct rc_predict_summary *predicted, const struct rc_aim *aim,
                            int64_t cores, double price, double *scratch)
{
    struct rc_predict_summary summary = {
        .mean = INFINITY, .predicted = INFINITY, .lo90 = INFINITY, .hi90 = INFINITY};
    size_t ended = those_that_end(draws, n, scratch);

    /* As in a prediction: what seldom ends is late, what mostly does not end is no answer. */
    if (2 * ended >= n)
        rc_predict_summarise(scratch, ended, &summary);
    if (ended < n && (double)(n - ended) > 0.05 * (double)n)
        summary.hi90 = INFINITY;
    if (predicted)
        summary = *predicted;
    advised->mean = summary.mean;
    advised->predicted = summary.predicted;
    advised->lo90 = summary.lo90;
    advised->hi90 = summary.hi90;
    advised->miss = isnan(aim->deadline) ? (double)NAN : share_over(draws, n, aim->deadline);
    advised->core_hours = (double)cores * advised->mean / 3600;
    advised->price = price * advised->core_hours;
    advised->in_time = isnan(aim->deadline) || advised->miss <= 1 - aim->confidence + 1e-9;
    advised->in_budget = isnan(aim->budget) || advised->price <= aim->budget;
}

/* ---- prices ---- */

enum { PRICE_DIGITS = 3, DIGITS_MOST = 17, CURRENCY_MOST = 40 };

void rc_place_advised_price(double price, const struct rc_aim *aim, bool named,
                            char text[RC_ADVISE_PRICE])
{
    const char *currency = named && !isnan(price) && aim->currency ? aim->currency : "";
    char number[RC_NUMBER_SIZE] = "-";
    int digits = PRICE_DIGITS;
    double shown;

    if (price == aim->budget)
        rc_number_format(price, number);
    else if (!isnan(price))
        do
            rc_number_format_short(price, digits, number);
        while (!isnan(aim->budget) && rc_number_parse(number, strlen(number), &shown) == 0 &&
               (shown > aim->budget) != (price > aim->budget) && ++digits <= DIGITS_MOST);
    snprintf(text, RC_ADVISE_PRICE, "%s%s%.*s", number, *currency ? " " : "", CURRENCY_MOST,
             currency);
}

/* ---- comparing ---- */

bool rc_place_advised_fits(const struct rc_advised *advised, const struct rc_aim *aim)
{
    return isfinite(advised->mean) && advised->in_budget &&
           (aim->objective == RC_OBJECTIVE_RISK || advised->in_time);
}

static int sign(double a, double b)
{
    return (a > b) - (a < b);
}

/* Where a price is not known, core-hours count, behind all that have one. */
static int compare_prices(const struct rc_advised *a, const struct rc_advised *b)
{
    if (isnan(a->price) != isnan(b->price))
        return isnan(a->price) ? 1 : -1;
    return isnan(a->price) ? sign(a->core_hours, b->core_hours) : sign(a->price, b->price);
}

static int compare_risks(const struct rc_advised *a, const struct rc_advised *b)
{
    int order = isnan(a->miss) ? sign(a->hi90, b->hi90) : sign(a->miss, b->miss);

    /* Where all, or none, of the draws are late, what is later is nearer to it. */
    return order ? order : sign(a->hi90, b->hi90);
}

int rc_place_advised_compare(const struct rc_advised *a, const struct rc_advised *b,
                             const struct rc_aim *aim)
{
    bool fits = rc_place_advised_fits(a, aim);
    int order = 0;

    if (fits != rc_place_advised_fits(b, aim))
        return fits ? -1 : 1;
    if (!fits && a->in_budget != b->in_budget)
        return a->in_budget ? -1 : 1;
    if (!fits)
        order = a->in_budget ? compare_risks(a, b) : compare_prices(a, b);
    else if (aim->objective == RC_OBJECTIVE_PRICE)
        order = compare_prices(a, b);
    else if (aim->objective == RC_OBJECTIVE_RISK)
        order = compare_risks(a, b);
    return order ? order : sign(a->mean, b->mean);
}

double rc_place_advised_faster(const struct rc_advised *a, const struct rc_advised *b, size_t n)
{
    double faster = 0;

    for (size_t i = 0; i < n; i++)
        faster += a->draws[i] < b->draws[i] ? 1 : a->draws[i] == b->draws[i] ? 0.5 : 0;
    return n ? faster / (double)n : (double)NAN;
}

/* ---- why ---- */

static const char *what_is_least(const struct rc_advised *best, const struct rc_aim *aim)
{
    if (aim->objective == RC_OBJECTIVE_TIME)
        return "the least expected time";
    if (aim->objective == RC_OBJECTIVE_PRICE)
        return isnan(best->price) ? "the fewest expected core-hours" : "the least expected price";
    return isnan(aim->deadline) ? "the least time that 95 % of the runs end within"
                                : "the least chance to miss the deadline";
}

static void say_limits(const struct rc_aim *aim, char why[RC_ADVISE_WHY])
{
    char deadline[RC_UNIT_SIZE], budget[RC_ADVISE_PRICE];
    bool timed = !isnan(aim->deadline) && aim->objective != RC_OBJECTIVE_RISK;

    if (timed) {
        rc_unit_format(aim->deadline, RC_SECONDS, deadline);
        rc_text_append(why, RC_ADVISE_WHY, " of those that end within %s with probability %g",
                       deadline, aim->confidence);
    }
    if (!isnan(aim->budget)) {
        rc_place_advised_price(aim->budget, aim, true, budget);
        rc_text_append(why, RC_ADVISE_WHY, " %s cost at most %s", timed ? "and" : "of those that",
                       budget);
    }
}

/* By how much the second is behind, in what counts. */
static void say_lead(const struct rc_advised *best, const struct rc_advised *second,
                     const struct rc_aim *aim, char why[RC_ADVISE_WHY])
{
    bool risk = aim->objective == RC_OBJECTIVE_RISK, price = aim->objective == RC_OBJECTIVE_PRICE;
    double mine = best->mean, other = second->mean;

    if (risk && !isnan(aim->deadline)) {
        rc_text_append(why, RC_ADVISE_WHY,
                       "; the runner-up misses it with probability %.3g, this one with %.3g",
                       second->miss, best->miss);
        return;
    }
    if (risk) {
        mine = best->hi90;
        other = second->hi90;
    } else if (price) {
        mine = isnan(best->price) ? best->core_hours : best->price;
        other = isnan(best->price) ? second->core_hours : second->price;
    }
    if (!(mine > 0)) { /* what costs nothing has no percentage */
        rc_text_append(why, RC_ADVISE_WHY, "; it costs nothing%s",
                       other > 0 ? ""
                                 : ", nor does the "
                                   "runner-up");
        return;
    }
    rc_text_append(why, RC_ADVISE_WHY, "; the runner-up %s %.3g %% more", price ? "costs" : "takes",
                   100 * (other / mine - 1));
}

void rc_place_advised_why(const struct rc_advised *best, const struct rc_advised *second,
                          size_t n_draws, size_t n_candidates, const struct rc_aim *aim,
                          char why[RC_ADVISE_WHY])
{
    why[0] = '\0';
    rc_text_append(why, RC_ADVISE_WHY, "%s", what_is_least(best, aim));
    say_limits(aim, why);
    if (n_candidates > 1 || second)
        rc_text_append(why, RC_ADVISE_WHY, ", of %zu that were looked at", n_candidates);
    if (!second) {
        rc_text_append(why, RC_ADVISE_WHY, "; %s",
                       n_candidates > 1 ? "the short list has no other" : "there is no other");
        return;
    }
    if (!rc_place_advised_fits(second, aim))
        rc_text_append(why, RC_ADVISE_WHY, "; the runner-up does not keep to the limits");
    else
        say_lead(best, second, aim, why);
    if (n_draws > 0 && best->draws && second->draws)
        rc_text_append(why, RC_ADVISE_WHY,
                       "; under the same load this one is the faster in %.0f %% of the cases",
                       100 * rc_place_advised_faster(best, second, n_draws));
}
