// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_interval.c - the range of a computation in intervals whose leaves may occur more than
 * once.
 *
 * Plain interval arithmetic takes each use of a leaf for another quantity: x - x is then [-1, 1]
 * for x in [4, 5].  The range is found by branch and bound instead (R. E. Moore, R. B. Kearfott and
 * M. J. Cloud, "Introduction to Interval Analysis", SIAM 2009, chapters 6 and 11), for the least
 * value and, with the sign turned, for the greatest:
 *
 * 1. A box gives each repeated leaf an interval; the other leaves always have their whole one.
 * 2. Where the derivative by a leaf has one sign over the box, the least value lies at one end of
 *    the leaf, and the box shrinks to it.
 * 3. The least value over a box is at least the plain lower end, and at least that of the mean
 *    value form.  With every repeated leaf at an end, the plain lower end is the least value.
 * 4. The box with the least bound is cut in two at the leaf that matters most, a limited number of
 *    times.  The least bound of all boxes is a bound for the whole at any time.
 *
 * Derivatives by all leaves come from one way back through the steps.  Those that this leaves
 * undecided are computed forward, for one leaf at a time: the quotient's (u' - q v') / v is
 * narrower than the sum over the ways back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "value/expression.h"
#include "value/internal.h"

enum {
    CUTS_MAX = 400,         /* of boxes, for each of the two ends */
    NUMBERS_MAX = 4000000,  /* in all boxes */
    WORK_MAX = 20000000     /* steps carried out, for each of the two ends */
};

static const double ROUNDING = 1e-14; /* what passes for 0, relative to the result */

static const double EVERYTHING[2] = {-INFINITY, INFINITY};

/* The part of the steps that the result is made of. */
struct problem {
    struct rc_step *steps; /* the last one is the result */
    size_t n;
    size_t *leaves; /* steps that are repeated leaves */
    size_t n_leaves;
    double (*values)[2], (*slopes)[2]; /* of each step */
    double (*rough)[2];                /* slopes by each step, from one way back */
    double turn;                       /* 1: the least value is sought; -1: of the negative */
    double scale;                      /* the size of the plain result */
    double work;
};

struct box {
    double bound;
    bool exact;
    size_t cut;        /* the leaf at which to cut it */
    double (*ends)[2]; /* for each repeated leaf */
};

int rc_steps_add(struct rc_steps *steps, struct rc_step step, struct rc_error *error)
{
    size_t capacity = steps->capacity ? 2 * steps->capacity : 64;
    struct rc_step *more;

    if (steps->n == steps->capacity) {
        more = realloc(steps->list, capacity * sizeof *more);
        if (!more)
            return rc_error_no_memory(error);
        steps->list = more;
        steps->capacity = capacity;
    }
    steps->list[steps->n] = step;
    return (int)steps->n++;
}

/* ---- intervals whose ends may be infinite, for derivatives ---- */

static void copy(double to[2], const double from[2])
{
    to[0] = from[0];
    to[1] = from[1];
}

static void set(double to[2], double low, double high)
{
    to[0] = isnan(low) ? -INFINITY : low;
    to[1] = isnan(high) ? INFINITY : high;
}

static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b; /* also with infinity: it stands for any large number */
}

static void multiply(const double a[2], const double b[2], double to[2])
{
    double low = INFINITY, high = -INFINITY;

    for (int i = 0; i < 4; i++) {
        double product = times(a[i & 1], b[i >> 1]);

        low = fmin(low, product);
        high = fmax(high, product);
    }
    set(to, low, high);
}

static void add(const double a[2], const double b[2], double to[2])
{
    set(to, a[0] + b[0], a[1] + b[1]);
}

static void subtract(const double a[2], const double b[2], double to[2])
{
    set(to, a[0] - b[1], a[1] - b[0]);
}

/* 1 / a for an `a` without 0 inside; 0 at an end gives infinity. */
static void invert(const double a[2], double to[2])
{
    if (a[0] >= 0)
        set(to, 1 / a[1], a[0] == 0 ? INFINITY : 1 / a[0]);
    else if (a[1] <= 0)
        set(to, a[1] == 0 ? -INFINITY : 1 / a[1], 1 / a[0]);
    else
        copy(to, EVERYTHING);
}

static bool is_zero(const double a[2])
{
    return a[0] == 0 && a[1] == 0;
}

/* ---- values and slopes ---- */

static bool has_two(const struct rc_step *step)
{
    return step->operation < RC_STEP_UNARY || step->operation == RC_STEP_MAX ||
           step->operation == RC_STEP_MIN;
}

static int step_value(const struct rc_step *step, const double a[2], const double b[2],
                      double to[2])
{
    switch (step->operation) {
    case RC_STEP_LEAF:
        return 0;
    case RC_STEP_MAX:
        set(to, fmax(a[0], b[0]), fmax(a[1], b[1]));
        return 0;
    case RC_STEP_MIN:
        set(to, fmin(a[0], b[0]), fmin(a[1], b[1]));
        return 0;
    default:
        if (step->operation < RC_STEP_UNARY)
            return rc_interval_binary((enum rc_binary)step->operation, a, b, to, NULL);
        return rc_interval_unary((enum rc_unary)(step->operation - RC_STEP_UNARY), a, to, NULL);
    }
}

/* (a^b)' = b a^(b-1) a' + a^b log(a) b' */
static void power_slope(const double a[2], const double b[2], const double value[2],
                        const double da[2], const double db[2], double to[2])
{
    const double one[2] = {1, 1};
    double less[2], part[2], logs[2];

    set(to, 0, 0);
    if (!is_zero(da)) {
        subtract(b, one, less);
        if (rc_interval_binary(RC_POWER, a, less, part, NULL))
            copy(part, EVERYTHING);
        multiply(part, b, part);
        multiply(part, da, to);
    }
    if (!is_zero(db)) {
        if (a[0] <= 0) {
            copy(to, EVERYTHING);
            return;
        }
        set(logs, log(a[0]), log(a[1]));
        multiply(logs, value, part);
        multiply(part, db, part);
        add(to, part, to);
    }
}

static void unary_slope(enum rc_unary operation, const double a[2], const double value[2],
                        const double da[2], double to[2])
{
    double factor[2];

    switch (operation) {
    case RC_NEGATE:
        set(factor, -1, -1);
        break;
    case RC_LOG:
        invert(a, factor);
        break;
    case RC_SQRT:
        invert(value, factor);
        factor[0] /= 2;
        factor[1] /= 2;
        break;
    case RC_EXP:
        copy(factor, value);
        break;
    default: /* the absolute value: every slope between those beside the kink */
        set(factor, a[0] < 0 ? -1 : 1, a[1] > 0 ? 1 : -1);
    }
    multiply(factor, da, to);
}

/* Of the two, whichever can be taken; where both can, every slope between. */
static void extreme_slope(bool first, bool second, const double da[2], const double db[2],
                          double to[2])
{
    if (first && second)
        set(to, fmin(da[0], db[0]), fmax(da[1], db[1]));
    else
        copy(to, first ? da : db);
}

/* The slope of step `i` by something of which those of its operands are `da` and `db`. */
static void step_slope(const struct problem *problem, size_t i, const double da[2],
                       const double db[2], double to[2])
{
    const struct rc_step *step = &problem->steps[i];
    const double *a = problem->values[step->a], *b = problem->values[step->b];
    double part[2], over[2];

    switch (step->operation) {
    case RC_ADD:
        add(da, db, to);
        break;
    case RC_SUBTRACT:
        subtract(da, db, to);
        break;
    case RC_MULTIPLY:
        multiply(da, b, part);
        multiply(a, db, over);
        add(part, over, to);
        break;
    case RC_DIVIDE:
        multiply(problem->values[i], db, part);
        subtract(da, part, part);
        invert(b, over);
        multiply(part, over, to);
        break;
    case RC_POWER:
        power_slope(a, b, problem->values[i], da, db, to);
        break;
    case RC_STEP_MAX:
        extreme_slope(a[1] >= b[0], b[1] >= a[0], da, db, to);
        break;
    case RC_STEP_MIN:
        extreme_slope(a[0] <= b[1], b[0] <= a[1], da, db, to);
        break;
    default:
        unary_slope((enum rc_unary)(step->operation - RC_STEP_UNARY), a, problem->values[i], da,
                    to);
    }
}

/* The values of all steps over a box; -1 where one cannot be computed. */
static int find_values(struct problem *problem, double (*ends)[2], double result[2])
{
    const struct rc_step *step;
    double last[2];

    for (size_t i = 0; i < problem->n; i++)
        if (problem->steps[i].operation == RC_STEP_LEAF)
            copy(problem->values[i], problem->steps[i].ends);
    for (size_t i = 0; i < problem->n_leaves; i++)
        copy(problem->values[problem->leaves[i]], ends[i]);
    for (size_t i = 0; i < problem->n; i++) {
        step = &problem->steps[i];
        if (step_value(step, problem->values[step->a], problem->values[step->b],
                       problem->values[i]))
            return -1;
    }
    problem->work += (double)problem->n;
    copy(last, problem->values[problem->n - 1]);
    set(result, problem->turn > 0 ? last[0] : -last[1], problem->turn > 0 ? last[1] : -last[0]);
    return 0;
}

/* Adds to the slope by step `to` what comes through step `i`, whose own slope by it is `part`. */
static void pass_back(struct problem *problem, size_t i, size_t to, const double part[2])
{
    double through[2];

    multiply(problem->rough[i], part, through);
    add(problem->rough[to], through, problem->rough[to]);
}

/* The slopes of the result by all steps, over the box that find_values() was last given. */
static void find_rough_slopes(struct problem *problem)
{
    static const double zero[2] = {0, 0}, one[2] = {1, 1};
    double part[2];

    memset(problem->rough, 0, problem->n * sizeof *problem->rough);
    set(problem->rough[problem->n - 1], problem->turn, problem->turn);
    for (size_t i = problem->n; i-- > 0;) {
        const struct rc_step *step = &problem->steps[i];

        if (step->operation == RC_STEP_LEAF || is_zero(problem->rough[i]))
            continue;
        step_slope(problem, i, one, zero, part);
        pass_back(problem, i, step->a, part);
        if (has_two(step)) {
            step_slope(problem, i, zero, one, part);
            pass_back(problem, i, step->b, part);
        }
    }
    problem->work += 2 * (double)problem->n;
}

/* The slope of the result by one repeated leaf, over the box that find_values() was last given. */
static void find_slope(struct problem *problem, size_t leaf, double slope[2])
{
    const double *last = problem->slopes[problem->n - 1];
    size_t first = problem->leaves[leaf];

    memset(problem->slopes, 0, problem->n * sizeof *problem->slopes);
    set(problem->slopes[first], 1, 1);
    for (size_t i = first + 1; i < problem->n; i++) {
        const struct rc_step *step = &problem->steps[i];

        if (step->operation != RC_STEP_LEAF &&
            !(is_zero(problem->slopes[step->a]) && is_zero(problem->slopes[step->b]))) {
            step_slope(problem, i, problem->slopes[step->a], problem->slopes[step->b],
                       problem->slopes[i]);
            problem->work++;
        }
    }
    problem->work += (double)problem->n / 8; /* passing over a step is quick */
    set(slope, problem->turn > 0 ? last[0] : -last[1], problem->turn > 0 ? last[1] : -last[0]);
}

/* ---- boxes ---- */

/* The slope by a repeated leaf, as narrow as the work that is left allows. */
static void choose_slope(struct problem *problem, size_t leaf, double width, double slope[2])
{
    const double *rough = problem->rough[problem->leaves[leaf]];

    copy(slope, rough);
    if (slope[0] >= 0 || slope[1] <= 0 || problem->work > WORK_MAX)
        return;
    find_slope(problem, leaf, slope);
    set(slope, fmax(slope[0], rough[0]), fmin(slope[1], rough[1]));
    /* Rounding may have put an end that is 0 on the wrong side of it. */
    if (-slope[0] * width <= ROUNDING * problem->scale)
        slope[0] = 0;
    else if (slope[1] * width <= ROUNDING * problem->scale)
        slope[1] = 0;
}

/* Moves every leaf by which the result is monotonic to its end, and tells whether there was one.
 * `left` is the number of leaves that are not at an end, `reach` how far below its value at the
 * middle the result may fall, by the slopes. */
static bool move_leaves(struct problem *problem, struct box *box, size_t *left, double *reach)
{
    double slope[2], most, best = -1;
    bool changed = false;

    *left = 0;
    *reach = 0;
    find_rough_slopes(problem);
    for (size_t i = 0; i < problem->n_leaves; i++) {
        double *ends = box->ends[i];

        if (ends[0] == ends[1])
            continue;
        choose_slope(problem, i, ends[1] - ends[0], slope);
        if (slope[0] >= 0 || slope[1] <= 0) {
            ends[0] = ends[1] = slope[0] >= 0 ? ends[0] : ends[1];
            changed = true;
            continue;
        }
        ++*left;
        most = fmax(-slope[0], slope[1]) * (ends[1] - ends[0]) / 2;
        *reach += most;
        if (most > best) {
            best = most;
            box->cut = i;
        }
    }
    return changed;
}

/* The result with the leaves that are left at their middles: a value that it does take. */
static int middle_value(struct problem *problem, const struct box *box, double (*scratch)[2],
                        double *value)
{
    double result[2];

    for (size_t i = 0; i < problem->n_leaves; i++) {
        double middle = box->ends[i][0] + (box->ends[i][1] - box->ends[i][0]) / 2;

        set(scratch[i], middle, middle);
    }
    if (find_values(problem, scratch, result))
        return -1;
    *value = result[0];
    return 0;
}

/* Shrinks the box, raises its bound, and lowers `known`, a value that the result takes. */
static void tighten(struct problem *problem, struct box *box, double (*scratch)[2], double *known)
{
    double result[2], reach, value;
    size_t left;

    box->exact = true; /* until there is something to cut */
    do {
        if (find_values(problem, box->ends, result))
            return;
        box->bound = fmax(box->bound, result[0]);
        if (problem->work > 2.0 * WORK_MAX)
            return;
    } while (move_leaves(problem, box, &left, &reach));
    if (left == 0) {
        *known = fmin(*known, result[0]);
        return;
    }
    if (middle_value(problem, box, scratch, &value))
        return;
    *known = fmin(*known, value);
    box->bound = fmax(box->bound, value - reach);
    box->exact = false;
}

static struct box *least_box(struct box *boxes, size_t n)
{
    struct box *least = boxes;

    for (size_t i = 1; i < n; i++)
        if (boxes[i].bound < least->bound)
            least = &boxes[i];
    return least;
}

/* Cuts `box` in two; the upper half goes to `half`. */
static int cut_box(const struct problem *problem, struct box *box, struct box *half)
{
    size_t size = problem->n_leaves * sizeof *box->ends;
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

/* The least value over the whole; `bound` is one known before. */
static double find_least(struct problem *problem, struct box *boxes, double (*scratch)[2],
                         double bound, double width)
{
    size_t n = 1, most = NUMBERS_MAX / (2 * (problem->n_leaves + 1));
    double known = INFINITY;
    struct box *box = boxes;

    boxes[0] = (struct box){.bound = bound,
                            .ends = malloc((problem->n_leaves + 1) * sizeof *boxes->ends)};
    if (!boxes[0].ends)
        return bound; /* wider than need be, but true */
    for (size_t i = 0; i < problem->n_leaves; i++)
        copy(boxes[0].ends[i], problem->steps[problem->leaves[i]].ends);
    problem->work = 0;
    tighten(problem, box, scratch, &known);
    while (!box->exact && n <= CUTS_MAX && n < most && problem->work < WORK_MAX &&
           box->bound < known - 10 * ROUNDING * width && cut_box(problem, box, &boxes[n]) == 0) {
        tighten(problem, box, scratch, &known);
        tighten(problem, &boxes[n++], scratch, &known);
        box = least_box(boxes, n);
    }
    bound = box->bound;
    while (n > 0)
        free(boxes[--n].ends);
    return bound;
}

/* ---- the problem ---- */

/* A product of a step with itself is a square, and no repetition. */
static bool is_square(const struct rc_step *step)
{
    return step->operation == RC_MULTIPLY && step->a == step->b;
}

/* How often each step up to `root` is used by it, up to 2, over all ways. */
static void count_uses(const struct rc_steps *steps, size_t root, unsigned char *uses)
{
    const struct rc_step *step;

    uses[root] = 1;
    for (size_t i = root + 1; i-- > 0;) {
        step = &steps->list[i];
        if (!uses[i] || step->operation == RC_STEP_LEAF)
            continue;
        uses[step->a] = uses[step->a] + uses[i] > 1 ? 2 : 1;
        if (has_two(step) && !is_square(step))
            uses[step->b] = uses[step->b] + uses[i] > 1 ? 2 : 1;
    }
}

/* Takes the steps that are used, with their new numbers; the first is the 2 of the squares. */
static void take_steps(struct problem *problem, const struct rc_steps *steps, size_t root,
                       const unsigned char *uses, uint32_t *numbers)
{
    struct rc_step *step;

    problem->steps[problem->n++] = (struct rc_step){.operation = RC_STEP_LEAF, .ends = {2, 2}};
    for (size_t i = 0; i <= root; i++) {
        if (!uses[i])
            continue;
        numbers[i] = (uint32_t)problem->n;
        step = &problem->steps[problem->n++];
        *step = steps->list[i];
        if (step->operation != RC_STEP_LEAF) {
            step->a = numbers[step->a];
            step->b = has_two(step) ? numbers[step->b] : step->a;
            if (is_square(step)) {
                step->operation = RC_POWER;
                step->b = 0;
            }
        } else if (uses[i] > 1 && step->ends[0] < step->ends[1]) {
            problem->leaves[problem->n_leaves++] = problem->n - 1;
        }
    }
}

/* Allocates for `n` steps; -1 where memory runs out. */
static int prepare(struct problem *problem, size_t n, struct rc_error *error)
{
    problem->steps = malloc(n * sizeof *problem->steps);
    problem->leaves = malloc(n * sizeof *problem->leaves);
    problem->values = malloc(n * sizeof *problem->values);
    problem->slopes = malloc(n * sizeof *problem->slopes);
    problem->rough = malloc(n * sizeof *problem->rough);
    return problem->steps && problem->leaves && problem->values && problem->slopes && problem->rough
               ? 0
               : rc_error_no_memory(error);
}

static void narrow(struct problem *problem, struct box *boxes, double (*scratch)[2],
                   const double plain[2], double ends[2])
{
    double width = plain[1] - plain[0], low, high;

    problem->scale = fmax(fabs(plain[0]), fabs(plain[1]));
    problem->turn = 1;
    low = find_least(problem, boxes, scratch, plain[0], width);
    problem->turn = -1;
    high = -find_least(problem, boxes, scratch, -plain[1], width);
    /* Where both are one value, rounding may have put them the wrong way round. */
    set(ends, fmin(low, high), fmax(low, high));
}

int rc_steps_sharpen(const struct rc_steps *steps, size_t root, double ends[2],
                     struct rc_error *error)
{
    struct problem problem = {.turn = 1};
    unsigned char *uses = calloc(root + 1, 1);
    uint32_t *numbers = malloc((root + 1) * sizeof *numbers);
    struct box *boxes = malloc((CUTS_MAX + 1) * sizeof *boxes);
    double (*scratch)[2] = NULL;
    int status = -1;

    if (!uses || !numbers || !boxes)
        rc_error_no_memory(error);
    else
        status = prepare(&problem, root + 2, error);
    if (status == 0) {
        count_uses(steps, root, uses);
        take_steps(&problem, steps, root, uses, numbers);
        scratch = malloc((problem.n_leaves + 1) * sizeof *scratch);
        if (!scratch)
            status = rc_error_no_memory(error);
        else
            narrow(&problem, boxes, scratch, steps->list[root].ends, ends);
    }
    free(scratch);
    free(boxes);
    free(numbers);
    free(uses);
    free(problem.steps);
    free(problem.leaves);
    free(problem.values);
    free(problem.slopes);
    free(problem.rough);
    return status;
}
