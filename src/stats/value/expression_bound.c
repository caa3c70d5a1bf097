// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_bound.c - the range of a computation in intervals whose leaves may occur more than
 * once.
 *
 * Plain interval arithmetic takes each use of a leaf for another quantity: x - x is then [-1, 1]
 * for x in [4, 5].  The range is found by branch and bound instead (R. E. Moore, R. B. Kearfott and
 * M. J. Cloud, "Introduction to Interval Analysis", SIAM 2009, chapters 6 and 11), for the least
 * value and, with the sign turned, for the greatest:
 *
 * 1. Where the derivative by a leaf has one sign over the box, the least value lies at one end of
 *    the leaf, and the box shrinks to it.  For leaves that are not repeated this is of use where it
 *    lets the derivatives by others have one sign.
 * 2. The least value over a box is at least the plain lower end, and at least that of the mean
 *    value form.  With every repeated leaf at an end, the plain lower end is the least value.
 * 3. The box with the least bound is cut in two at the leaf that matters most, a limited number of
 *    times.  The least bound of all boxes is a bound for the whole at any time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/expression_interval.h"

enum {
    CUTS_MAX = 400,        /* of boxes, for each of the two ends */
    NUMBERS_MAX = 4000000, /* in all boxes */
    WORK_MAX = 20000000    /* steps carried out, for each of the two ends */
};

/* What passes for 0, relative to values that the result does take: its plain range may be larger by
 * any factor. */
static const double ROUNDING = 1e-14;

struct box {
    double bound;      /* no value over the box is less */
    bool exact;        /* cutting it is of no use */
    size_t cut;        /* the repeated leaf at which to cut it */
    double (*ends)[2]; /* for each leaf */
};

struct search {
    struct rc_problem problem;
    struct box *boxes;    /* CUTS_MAX + 1 of them */
    double (*scratch)[2]; /* a box to try something with */
    double trifle;        /* what passes for 0 in the result */
    double known;         /* the least value so far that the result takes */
};

static void copy(double to[2], const double from[2])
{
    to[0] = from[0];
    to[1] = from[1];
}

/* ---- one box ---- */

/* The slope by a leaf, as narrow as the work that is left allows; one that is not repeated is not
 * worth much work. */
static void choose_slope(struct search *search, size_t leaf, double width, double slope[2])
{
    struct rc_problem *problem = &search->problem;
    const double *rough = problem->rough[problem->leaves[leaf]];

    copy(slope, rough);
    if (slope[0] >= 0 || slope[1] <= 0 || problem->work > WORK_MAX || leaf >= problem->n_repeated)
        return;
    rc_value_problem_find_slope(problem, leaf, slope);
    slope[0] = fmax(slope[0], rough[0]);
    slope[1] = fmin(slope[1], rough[1]);
    /* Rounding may have put an end that is 0 on the wrong side of it. */
    if (-slope[0] * width <= search->trifle)
        slope[0] = 0;
    else if (slope[1] * width <= search->trifle)
        slope[1] = 0;
}

/* Moves every leaf by which the result is monotonic to its end, and tells whether there was one.
 * `reach` is how far the result may fall, by the slopes, below its value at the middle of the
 * repeated leaves. */
static bool move_leaves(struct search *search, struct box *box, double *reach)
{
    double slope[2], most, best = -1;
    bool changed = false;

    *reach = 0;
    rc_value_problem_find_rough(&search->problem);
    for (size_t i = 0; i < search->problem.n_leaves; i++) {
        double *ends = box->ends[i];

        if (ends[0] == ends[1])
            continue;
        choose_slope(search, i, ends[1] - ends[0], slope);
        if (slope[0] >= 0 || slope[1] <= 0) {
            ends[0] = ends[1] = slope[0] >= 0 ? ends[0] : ends[1];
            changed = true;
        }
        if (ends[0] == ends[1] || i >= search->problem.n_repeated)
            continue;
        most = fmax(-slope[0], slope[1]) * (ends[1] - ends[0]) / 2;
        *reach += most;
        if (most > best) {
            best = most;
            box->cut = i;
        }
    }
    return changed;
}

/* The result with every repeated leaf at that fraction of its interval: values that it takes. */
static int value_at(struct search *search, double (*ends)[2], double fraction, double result[2])
{
    memcpy(search->scratch, ends, search->problem.n_leaves * sizeof *ends);
    for (size_t i = 0; i < search->problem.n_repeated; i++)
        search->scratch[i][0] = search->scratch[i][1] =
            fmin(ends[i][0] + (ends[i][1] - ends[i][0]) * fraction, ends[i][1]);
    return rc_value_problem_evaluate(&search->problem, search->scratch, result);
}

/* Whether there is a repeated leaf that is not at an end. */
static bool is_open(const struct search *search, const struct box *box)
{
    for (size_t i = 0; i < search->problem.n_repeated; i++)
        if (box->ends[i][0] < box->ends[i][1])
            return true;
    return false;
}

/* Shrinks the box, raises its bound, and lowers `known`. */
static void tighten(struct search *search, struct box *box)
{
    double result[2], reach;

    box->exact = true; /* until there is something to cut */
    do {
        if (rc_value_problem_evaluate(&search->problem, box->ends, result))
            return;
        box->bound = fmax(box->bound, result[0]);
        if (!is_open(search, box)) {
            search->known = fmin(search->known, result[0]);
            return;
        }
        if (search->problem.work > 2.0 * WORK_MAX)
            return;
    } while (move_leaves(search, box, &reach));
    if (value_at(search, box->ends, 0.5, result))
        return;
    search->known = fmin(search->known, result[0]);
    box->bound = fmax(box->bound, result[0] - reach);
    box->exact = false;
}

/* ---- all boxes ---- */

static struct box *least_box(struct box *boxes, size_t n)
{
    struct box *least = boxes;

    for (size_t i = 1; i < n; i++)
        if (boxes[i].bound < least->bound)
            least = &boxes[i];
    return least;
}

/* Cuts `box` in two; the upper half goes to `half`. */
static int cut_box(const struct search *search, struct box *box, struct box *half)
{
    size_t size = search->problem.n_leaves * sizeof *box->ends;
    double *ends = box->ends[box->cut];
    double middle = ends[0] + (ends[1] - ends[0]) / 2;

    if (middle <= ends[0] || middle >= ends[1])
        return -1; /* no number lies between */
    *half = *box;
    half->ends = malloc(size);
    if (!half->ends)
        return -1;
    memcpy(half->ends, box->ends, size);
    ends[1] = half->ends[box->cut][0] = middle;
    return 0;
}

/* Whether `box`, that of the least bound among `n`, leaves something to be found. */
static bool is_worth_cutting(const struct search *search, const struct box *box, size_t n)
{
    size_t most = NUMBERS_MAX / (2 * (search->problem.n_leaves + 1));

    return !box->exact && n <= CUTS_MAX && n < most && search->problem.work < WORK_MAX &&
           box->bound < search->known - search->trifle;
}

/* Finds the size of the result at a few places of the whole box. */
static void look_around(struct search *search, const struct box *box)
{
    double result[2];

    search->trifle = 0;
    for (double fraction = 0; fraction <= 1; fraction += 0.5) {
        if (value_at(search, box->ends, fraction, result))
            continue;
        search->known = fmin(search->known, result[0]);
        search->trifle = fmax(search->trifle, ROUNDING * fmax(fabs(result[0]), fabs(result[1])));
    }
}

/* The least value over the whole; `bound` is one known before. */
static double find_least(struct search *search, double bound)
{
    const struct rc_problem *problem = &search->problem;
    struct box *box = search->boxes;
    size_t n = 1;

    *box =
        (struct box){.bound = bound, .ends = malloc((problem->n_leaves + 1) * sizeof *box->ends)};
    if (!box->ends)
        return bound; /* wider than need be, but true */
    for (size_t i = 0; i < problem->n_leaves; i++)
        copy(box->ends[i], problem->steps[problem->leaves[i]].ends);
    search->problem.work = 0;
    search->known = INFINITY;
    look_around(search, box);
    tighten(search, box);
    while (is_worth_cutting(search, box, n) && cut_box(search, box, &search->boxes[n]) == 0) {
        tighten(search, box);
        tighten(search, &search->boxes[n++]);
        box = least_box(search->boxes, n);
    }
    bound = box->bound;
    while (n > 0)
        free(search->boxes[--n].ends);
    return bound;
}

/* ---- both ends ---- */

/* Narrows `ends`. */
static void narrow(struct search *search, double ends[2])
{
    double low, high;

    search->problem.turn = 1;
    low = find_least(search, ends[0]);
    search->problem.turn = -1;
    high = -find_least(search, -ends[1]);
    /* Where both are one value, rounding may have put them the wrong way round. */
    ends[0] = fmin(low, high);
    ends[1] = fmax(low, high);
}

static int search_ends(const struct rc_steps *simple, size_t root, double ends[2],
                       struct rc_error *error)
{
    struct search search;
    int status = rc_value_problem_prepare(&search.problem, simple, root, error);

    search.boxes = malloc((CUTS_MAX + 1) * sizeof *search.boxes);
    search.scratch = malloc((search.problem.n_leaves + 1) * sizeof *search.scratch);
    if (status == 0 && !(search.boxes && search.scratch))
        status = rc_error_no_memory(error);
    if (status == 0)
        narrow(&search, ends);
    free(search.scratch);
    free(search.boxes);
    rc_value_problem_release(&search.problem);
    return status;
}

int rc_value_steps_sharpen(const struct rc_steps *steps, size_t root, double ends[2],
                           struct rc_error *error)
{
    struct rc_steps simple = {.list = NULL};
    size_t simple_root;
    int status;

    copy(ends, steps->list[root].ends);
    if (steps->list[root].operation == RC_STEP_LEAF)
        return 0;
    status = rc_value_steps_simplify(steps, root, &simple, &simple_root, error);
    if (status == 0) {
        /* Not wider but for rounding, which (x + 1e16) - 1e16 no longer suffers from. */
        if (rc_value_step_is_finite(&simple.list[simple_root]))
            copy(ends, simple.list[simple_root].ends);
        status = search_ends(&simple, simple_root, ends, error);
    }
    free(simple.list);
    return status;
}
