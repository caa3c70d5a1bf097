// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_interval.c - the range of a computation over a box, and its derivatives there.
 *
 * 1. Over a box, the plain range of every step holds all values that the step takes.  It is sharp
 *    where no leaf is repeated: every operation then has operands that have nothing in common.
 * 2. A step that is used more than once, but is itself of leaves that only it uses, and each once,
 *    is therefore as good as a leaf: it takes every value of its plain range, whatever the other
 *    leaves are.
 * 3. Derivatives by all steps come from one way back through the steps.  Those that this leaves
 *    undecided can be computed forward, for one leaf at a time: the quotient's (u' - q v') / v is
 *    narrower than the sum over the ways back.  The way back is the narrower one where steps are
 *    shared: what is uncertain within such a step then counts once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/value/expression_interval.h"
#include "stats/value/internal.h"

static const double EVERYTHING[2] = {-INFINITY, INFINITY};

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

/* ---- values and slopes of a step ---- */

int rc_value_step_value(int operation, const double a[2], const double b[2], double to[2])
{
    switch (operation) {
    case RC_STEP_LEAF:
        return 0;
    case RC_STEP_MAX:
        set(to, fmax(a[0], b[0]), fmax(a[1], b[1]));
        return 0;
    case RC_STEP_MIN:
        set(to, fmin(a[0], b[0]), fmin(a[1], b[1]));
        return 0;
    default:
        if (operation < RC_STEP_UNARY)
            return rc_value_interval_binary((enum rc_binary)operation, a, b, to, NULL);
        return rc_value_interval_unary((enum rc_unary)(operation - RC_STEP_UNARY), a, to, NULL);
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
        if (rc_value_interval_binary(RC_POWER, a, less, part, NULL))
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
static void step_slope(const struct rc_problem *problem, size_t i, const double da[2],
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

/* ---- making a problem ---- */

/* Of each step that the result uses. */
struct usage {
    unsigned char users; /* steps that have it for an operand, up to 2 */
    unsigned char ways;  /* by which the result uses it, up to 2 */
    bool single;         /* of leaves that it uses once, and nothing else does */
};

static void count_one(unsigned char *count)
{
    *count = *count ? 2 : 1;
}

static void count_users(const struct rc_steps *steps, size_t root, struct usage *usage)
{
    usage[root].users = 1;
    for (size_t i = root + 1; i-- > 0;) {
        const struct rc_step *step = &steps->list[i];

        if (!usage[i].users || step->operation == RC_STEP_LEAF)
            continue;
        count_one(&usage[step->a].users);
        if (rc_value_step_has_two(step))
            count_one(&usage[step->b].users);
    }
}

/* Whether step `i` may be part of a single one. */
static bool is_own(const struct rc_steps *steps, const struct usage *usage, size_t i)
{
    return rc_value_step_is_number(&steps->list[i]) || (usage[i].single && usage[i].users == 1);
}

static void find_single(const struct rc_steps *steps, size_t root, struct usage *usage)
{
    for (size_t i = 0; i <= root; i++) {
        const struct rc_step *step = &steps->list[i];

        usage[i].single = rc_value_step_is_finite(step) &&
                          (step->operation == RC_STEP_LEAF ||
                           (is_own(steps, usage, step->a) && is_own(steps, usage, step->b)));
    }
}

/* Whether step `i` is taken as a leaf. */
static bool ends_here(const struct rc_steps *steps, const struct usage *usage, size_t i)
{
    return steps->list[i].operation == RC_STEP_LEAF || (usage[i].single && usage[i].users > 1);
}

/* Counts the ways, which end at leaves.  Returns how many steps are used. */
static size_t count_ways(const struct rc_steps *steps, size_t root, struct usage *usage)
{
    size_t n = 0;

    usage[root].ways = 1;
    for (size_t i = root + 1; i-- > 0;) {
        const struct rc_step *step = &steps->list[i];

        n += usage[i].ways > 0;
        if (!usage[i].ways || ends_here(steps, usage, i))
            continue;
        for (int way = 0; way < usage[i].ways; way++) {
            count_one(&usage[step->a].ways);
            if (rc_value_step_has_two(step))
                count_one(&usage[step->b].ways);
        }
    }
    return n;
}

/* Takes the steps that are used, with their new numbers. */
static void take_steps(struct rc_problem *problem, const struct rc_steps *steps, size_t root,
                       const struct usage *usage, uint32_t *numbers)
{
    struct rc_step *step;

    for (size_t i = 0; i <= root; i++) {
        if (!usage[i].ways)
            continue;
        numbers[i] = (uint32_t)problem->n;
        step = &problem->steps[problem->n++];
        *step = steps->list[i];
        if (ends_here(steps, usage, i)) {
            step->operation = RC_STEP_LEAF;
            step->a = step->b = 0;
        } else {
            step->a = numbers[step->a];
            step->b = numbers[step->b];
        }
    }
}

/* Adds the leaves, but for numbers, that are used once, or more often. */
static void list_leaves(struct rc_problem *problem, const struct rc_steps *steps, size_t root,
                        const struct usage *usage, const uint32_t *numbers, unsigned char ways)
{
    for (size_t i = 0; i <= root; i++)
        if (usage[i].ways == ways && ends_here(steps, usage, i) &&
            !rc_value_step_is_number(&steps->list[i]))
            problem->leaves[problem->n_leaves++] = numbers[i];
}

/* Allocates for `n` steps; -1 where memory runs out. */
static int allocate(struct rc_problem *problem, size_t n)
{
    problem->steps = malloc(n * sizeof *problem->steps);
    problem->leaves = malloc(n * sizeof *problem->leaves);
    problem->values = malloc(n * sizeof *problem->values);
    problem->slopes = malloc(n * sizeof *problem->slopes);
    problem->rough = malloc(n * sizeof *problem->rough);
    return problem->steps && problem->leaves && problem->values && problem->slopes && problem->rough
               ? 0
               : -1;
}

int rc_value_problem_prepare(struct rc_problem *problem, const struct rc_steps *steps, size_t root,
                             struct rc_error *error)
{
    struct usage *usage = calloc(root + 1, sizeof *usage);
    uint32_t *numbers = malloc((root + 1) * sizeof *numbers);
    int status = -1;

    *problem = (struct rc_problem){.turn = 1};
    if (usage && numbers) {
        count_users(steps, root, usage);
        find_single(steps, root, usage);
        status = allocate(problem, count_ways(steps, root, usage));
    }
    if (status == 0) {
        take_steps(problem, steps, root, usage, numbers);
        list_leaves(problem, steps, root, usage, numbers, 2);
        problem->n_repeated = problem->n_leaves;
        list_leaves(problem, steps, root, usage, numbers, 1);
    }
    free(numbers);
    free(usage);
    return status ? rc_error_no_memory(error) : 0;
}

void rc_value_problem_release(struct rc_problem *problem)
{
    free(problem->steps);
    free(problem->leaves);
    free(problem->values);
    free(problem->slopes);
    free(problem->rough);
}

/* ---- a box ---- */

int rc_value_problem_evaluate(struct rc_problem *problem, double (*ends)[2], double result[2])
{
    const struct rc_step *step;
    double last[2];

    for (size_t i = 0; i < problem->n; i++)
        if (rc_value_step_is_number(&problem->steps[i]))
            copy(problem->values[i], problem->steps[i].ends);
    for (size_t i = 0; i < problem->n_leaves; i++)
        copy(problem->values[problem->leaves[i]], ends[i]);
    for (size_t i = 0; i < problem->n; i++) {
        step = &problem->steps[i];
        if (rc_value_step_value(step->operation, problem->values[step->a], problem->values[step->b],
                                problem->values[i]))
            return -1;
    }
    problem->work += (double)problem->n;
    copy(last, problem->values[problem->n - 1]);
    set(result, problem->turn > 0 ? last[0] : -last[1], problem->turn > 0 ? last[1] : -last[0]);
    return 0;
}

/* Adds to the slope by step `to` what comes through step `i`, whose own slope by it is `part`. */
static void pass_back(struct rc_problem *problem, size_t i, size_t to, const double part[2])
{
    double through[2];

    multiply(problem->rough[i], part, through);
    add(problem->rough[to], through, problem->rough[to]);
}

void rc_value_problem_find_rough(struct rc_problem *problem)
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
        if (rc_value_step_has_two(step)) {
            step_slope(problem, i, zero, one, part);
            pass_back(problem, i, step->b, part);
        }
    }
    problem->work += 2 * (double)problem->n;
}

void rc_value_problem_find_slope(struct rc_problem *problem, size_t leaf, double slope[2])
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
