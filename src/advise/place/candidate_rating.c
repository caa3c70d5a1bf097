// SPDX-License-Identifier: GPL-3.0-or-later
/* candidate_rating.c - rates sets of hosts and processes, and compares them. */
#include "advise/place/candidate_rating.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"
#include "predict/run_time_distribution.h"

static const double alike = 0.05;      /* share by which numbers of processes differ at most */
static const double equal_time = 0.01; /* the same of expected times */
static const double certain = 2;       /* standard errors from chance */

/* ---- rating ---- */

/* The samples that end, and how many these are. */
static size_t those_that_end(const double *samples, size_t n, double *ended)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (isfinite(samples[i]))
            ended[found++] = samples[i];
    return found;
}

static double share_over(const double *samples, size_t n, double deadline)
{
    size_t late = 0;

    for (size_t i = 0; i < n; i++)
        late += samples[i] > deadline;
    return (double)late / (double)n;
}

void rc_place_advised_judge(struct rc_advised *advised, const double *samples, size_t n,
                            const struct rc_predict_summary *predicted, const struct rc_aim *aim,
                            int64_t cores, double cost, double *scratch)
{
    struct rc_predict_summary summary = {
        .predicted = INFINITY, .mean = INFINITY, .lo90 = INFINITY, .hi90 = INFINITY};
    size_t ended = those_that_end(samples, n, scratch);

    /* As in a prediction: what seldom ends is late, what mostly does not end is no answer. */
    if (2 * ended >= n)
        rc_predict_summarise(scratch, ended, &summary);
    if (ended < n && (double)(n - ended) > 0.05 * (double)n)
        summary.hi90 = INFINITY;
    if (predicted)
        summary = *predicted;
    advised->predicted = summary.predicted;
    advised->mean = summary.mean;
    advised->lo90 = summary.lo90;
    advised->hi90 = summary.hi90;
    advised->miss = isnan(aim->deadline) ? (double)NAN : share_over(samples, n, aim->deadline);
    advised->core_hours = (double)cores * advised->mean / 3600;
    advised->cost = cost * advised->core_hours;
    advised->in_time = isnan(aim->deadline) || advised->miss <= 1 - aim->confidence + 1e-9;
    advised->in_budget = isnan(aim->budget) || advised->cost <= aim->budget;
}

/* ---- cost ---- */

enum { COST_DIGITS = 3, DIGITS_MOST = 17, CURRENCY_MOST = 40 };

void rc_place_advised_cost(double cost, const struct rc_aim *aim, bool named,
                           char text[RC_ADVISE_COST])
{
    const char *currency = named && !isnan(cost) && aim->currency ? aim->currency : "";
    char number[RC_NUMBER_SIZE] = "-";
    int digits = COST_DIGITS;
    double shown;

    if (cost == aim->budget)
        rc_number_format(cost, number);
    else if (!isnan(cost))
        do
            rc_number_format_short(cost, digits, number);
        while (!isnan(aim->budget) && rc_number_parse(number, strlen(number), &shown) == 0 &&
               (shown > aim->budget) != (cost > aim->budget) && ++digits <= DIGITS_MOST);
    snprintf(text, RC_ADVISE_COST, "%s%s%.*s", number, *currency ? " " : "", CURRENCY_MOST,
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

/* Where a cost is not known, core-hours count, behind all that have one. */
static int compare_costs(const struct rc_advised *a, const struct rc_advised *b)
{
    if (isnan(a->cost) != isnan(b->cost))
        return isnan(a->cost) ? 1 : -1;
    return isnan(a->cost) ? sign(a->core_hours, b->core_hours) : sign(a->cost, b->cost);
}

static int compare_risks(const struct rc_advised *a, const struct rc_advised *b)
{
    int order = isnan(a->miss) ? sign(a->hi90, b->hi90) : sign(a->miss, b->miss);

    /* Where all, or none, of the samples are late, what is later is nearer to it. */
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
        order = a->in_budget ? compare_risks(a, b) : compare_costs(a, b);
    else if (aim->objective == RC_OBJECTIVE_COST)
        order = compare_costs(a, b);
    else if (aim->objective == RC_OBJECTIVE_RISK)
        order = compare_risks(a, b);
    return order ? order : sign(a->mean, b->mean);
}

/* Of the mean difference, with common random numbers. */
static double standard_error(const double *a, const double *b, size_t n)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        mean += (a[i] - b[i]) / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    return sqrt(squares / (double)(n - 1) / (double)n);
}

bool rc_place_advised_alike(const struct rc_advised *a, const struct rc_advised *b)
{
    const struct rc_candidate *x = &a->candidate, *y = &b->candidate;

    return x->cluster == y->cluster && fabs(log((double)x->procs / (double)y->procs)) < alike;
}

bool rc_place_advised_tie(const struct rc_advised *best, const struct rc_advised *other,
                          const struct rc_aim *aim, size_t n)
{
    double longer = other->mean - best->mean;

    if (aim->objective != RC_OBJECTIVE_TIME || rc_place_advised_alike(best, other) ||
        !rc_place_advised_fits(best, aim) || !rc_place_advised_fits(other, aim))
        return false;
    return longer < equal_time * best->mean ||
           (n > 1 && best->samples && other->samples &&
            longer < certain * standard_error(best->samples, other->samples, n));
}

int rc_place_advised_compare_tied(const struct rc_advised *a, const struct rc_advised *b)
{
    int order = compare_costs(a, b);

    if (order == 0)
        order = sign((double)a->candidate.procs, (double)b->candidate.procs);
    return order ? order : sign(a->mean, b->mean);
}

double rc_place_advised_faster(const struct rc_advised *a, const struct rc_advised *b, size_t n)
{
    double faster = 0;

    for (size_t i = 0; i < n; i++)
        faster += a->samples[i] < b->samples[i] ? 1 : a->samples[i] == b->samples[i] ? 0.5 : 0;
    return n ? faster / (double)n : (double)NAN;
}

/* ---- why ---- */

static const char *objective_text(const struct rc_advised *best, const struct rc_aim *aim)
{
    if (aim->objective == RC_OBJECTIVE_TIME)
        return "least expected run time";
    if (aim->objective == RC_OBJECTIVE_COST)
        return isnan(best->cost) ? "fewest expected core-hours" : "least expected cost";
    return isnan(aim->deadline) ? "least P95 of the run time"
                                : "least probability of missing the deadline";
}

static void add_limits(const struct rc_aim *aim, char why[RC_ADVISE_WHY])
{
    char deadline[RC_UNIT_SIZE], budget[RC_ADVISE_COST];
    bool timed = !isnan(aim->deadline) && aim->objective != RC_OBJECTIVE_RISK;

    if (timed) {
        rc_unit_format(aim->deadline, RC_SECONDS, deadline);
        rc_text_append(why, RC_ADVISE_WHY, " within %s with probability %g", deadline,
                       aim->confidence);
    }
    if (!isnan(aim->budget)) {
        rc_place_advised_cost(aim->budget, aim, true, budget);
        rc_text_append(why, RC_ADVISE_WHY, "%s at a cost of at most %s", timed ? "," : "", budget);
    }
}

/* By how much the second is behind, in what counts. */
static void add_lead(const struct rc_advised *best, const struct rc_advised *second,
                     const struct rc_aim *aim, char why[RC_ADVISE_WHY])
{
    bool risk = aim->objective == RC_OBJECTIVE_RISK, cost = aim->objective == RC_OBJECTIVE_COST;
    double mine = best->mean, other = second->mean;

    if (risk && !isnan(aim->deadline)) {
        rc_text_append(why, RC_ADVISE_WHY, ": %.3g; runner-up: %.3g", best->miss, second->miss);
        return;
    }
    if (risk) {
        mine = best->hi90;
        other = second->hi90;
    } else if (cost) {
        mine = isnan(best->cost) ? best->core_hours : best->cost;
        other = isnan(best->cost) ? second->core_hours : second->cost;
    }
    if (!(mine > 0)) { /* what costs nothing has no percentage */
        rc_text_append(why, RC_ADVISE_WHY, "; runner-up: %s", other > 0 ? "not free" : "also free");
        return;
    }
    rc_text_append(why, RC_ADVISE_WHY, "; runner-up: %.3g %% %s", 100 * fabs(other / mine - 1),
                   cost           ? "more"
                   : other < mine ? "shorter"
                                  : "longer");
}

/* What decided a tie. */
static void add_tie(const struct rc_advised_choice *choice, char why[RC_ADVISE_WHY])
{
    const struct rc_advised *best = choice->best, *second = choice->second;

    if (choice->n_tied == 0)
        return;
    rc_text_append(why, RC_ADVISE_WHY, "; tie with %zu other%s of the shortlist", choice->n_tied,
                   choice->n_tied == 1 ? "" : "s");
    if (compare_costs(best, second) < 0)
        rc_text_append(why, RC_ADVISE_WHY, ", decided by %s",
                       isnan(best->cost) ? "core-hours" : "cost");
    else if (best->candidate.procs < second->candidate.procs)
        rc_text_append(why, RC_ADVISE_WHY, ", decided by the number of processes");
}

void rc_place_advised_why(const struct rc_advised_choice *choice, const struct rc_aim *aim,
                          char why[RC_ADVISE_WHY])
{
    const struct rc_advised *best = choice->best, *second = choice->second;
    size_t n_candidates = choice->n_candidates, n_samples = choice->n_samples;

    why[0] = '\0';
    rc_text_append(why, RC_ADVISE_WHY, "%s", objective_text(best, aim));
    add_limits(aim, why);
    if (n_candidates > 1 || second)
        rc_text_append(why, RC_ADVISE_WHY, ", of %zu candidates", n_candidates);
    if (!second) {
        rc_text_append(why, RC_ADVISE_WHY, "; %s",
                       n_candidates > 1 ? "the shortlist has no other" : "the only candidate");
        return;
    }
    add_tie(choice, why);
    if (!rc_place_advised_fits(second, aim))
        rc_text_append(why, RC_ADVISE_WHY, "; runner-up: exceeds the limits");
    else
        add_lead(best, second, aim, why);
    if (n_samples > 0 && best->samples && second->samples)
        rc_text_append(why, RC_ADVISE_WHY, ", slower in %.0f %% of the samples",
                       100 * rc_place_advised_faster(best, second, n_samples));
}
