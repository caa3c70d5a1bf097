// SPDX-License-Identifier: GPL-3.0-or-later
/* expression_steps.c - the steps of a computation in intervals: noting them, and writing them anew
 * with each quantity once.
 *
 * 1. The same operation on the same operands is the same step: a table knows all steps by what they
 *    do (hash consing).  The operands of +, *, max and min are ordered first.
 * 2. Numbers are the same step where they are equal; other leaves never are, whatever their ends.
 * 3. Identities replace an operation by one that uses its operands less often.  But for powers of
 *    powers, each looks one step below the operands at most, so the whole takes time in proportion
 *    to the number of steps.
 * 4. Signs move outward: y - x, where x - y is there, is the negative of that, and (-a) * b that of
 *    a * b.  Negation rounds nothing, and equals then look equal.
 * 5. Nothing is reordered: a product that neither overflows nor vanishes on the way might do so in
 *    another order. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "stats/value/expression_interval.h"

enum {
    NEGATE = RC_STEP_UNARY + RC_NEGATE,
    LOG = RC_STEP_UNARY + RC_LOG,
    SQRT = RC_STEP_UNARY + RC_SQRT,
    EXP = RC_STEP_UNARY + RC_EXP,
    ABS = RC_STEP_UNARY + RC_ABS
};

/* More than what one step can become: an operation, the number in it, and signs. */
enum { SPARE = 16 };

static const double EXPONENT_MAX = 1e9; /* sums and products of such are exact */

struct simplifier {
    struct rc_steps steps;
    uint32_t *table; /* a step's index + 1, where its hash says or after; 0: free */
    size_t size;     /* of the table, a power of two */
};

/* ---- steps ---- */

int rc_value_steps_add(struct rc_steps *steps, struct rc_step step, struct rc_error *error)
{
    /* Each stands after those that it uses. */
    assert(step.operation == RC_STEP_LEAF || (step.a < steps->n && step.b < steps->n));
    if (rc_array_room(&steps->list, steps->n + 1, &steps->capacity, sizeof *steps->list, error))
        return -1;
    steps->list[steps->n] = step;
    return (int)steps->n++;
}

/* ---- the table ---- */

static uint64_t hash(const struct rc_step *step)
{
    uint64_t h = (uint64_t)step->a << 32 | step->b;

    if (step->operation == RC_STEP_LEAF)
        memcpy(&h, &step->ends[0], sizeof h);
    h ^= (uint64_t)step->operation * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 33; /* the finalizer of MurmurHash3 */
    h *= UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 33;
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

static bool is_same(const struct rc_step *one, const struct rc_step *other)
{
    return one->operation == other->operation && one->a == other->a && one->b == other->b &&
           (one->operation != RC_STEP_LEAF || one->ends[0] == other->ends[0]);
}

/* Where a step is in the table, or would be. */
static uint32_t *place_of(const struct simplifier *s, const struct rc_step *step)
{
    size_t at = (size_t)hash(step) & (s->size - 1);

    while (s->table[at] && !is_same(&s->steps.list[s->table[at] - 1], step))
        at = (at + 1) & (s->size - 1);
    return &s->table[at];
}

static int grow_table(struct simplifier *s)
{
    size_t size = s->size ? 2 * s->size : 256;
    uint32_t *table = calloc(size, sizeof *table);

    if (!table)
        return -1;
    free(s->table);
    s->table = table;
    s->size = size;
    for (size_t i = 0; i < s->steps.n; i++) {
        const struct rc_step *step = &s->steps.list[i];

        if (step->operation != RC_STEP_LEAF || rc_value_step_is_number(step))
            *place_of(s, step) = (uint32_t)i + 1;
    }
    return 0;
}

/* Makes sure that there is room for what one step becomes. */
static int reserve(struct simplifier *s)
{
    if (rc_array_room(&s->steps.list, s->steps.n + SPARE, &s->steps.capacity, sizeof *s->steps.list,
                      NULL))
        return -1;
    return 2 * (s->steps.n + SPARE) > s->size ? grow_table(s) : 0;
}

static uint32_t append(struct simplifier *s, const struct rc_step *step)
{
    s->steps.list[s->steps.n] = *step;
    return (uint32_t)s->steps.n++;
}

static uint32_t number(struct simplifier *s, double x)
{
    struct rc_step step = {.operation = RC_STEP_LEAF, .ends = {x + 0.0, x + 0.0}}; /* no -0 */
    uint32_t *place = place_of(s, &step);

    if (!*place)
        *place = append(s, &step) + 1;
    return *place - 1;
}

/* The step that does so, as it stands; a number, where it is of numbers. */
static uint32_t plain(struct simplifier *s, int operation, uint32_t a, uint32_t b)
{
    struct rc_step step = {.operation = operation, .a = a, .b = b};
    const struct rc_step *list = s->steps.list;
    uint32_t *place = place_of(s, &step);

    if (*place)
        return *place - 1;
    if (rc_value_step_value(operation, list[a].ends, list[b].ends, step.ends)) {
        step.ends[0] = -INFINITY;
        step.ends[1] = INFINITY;
    } else if (rc_value_step_is_number(&list[a]) && rc_value_step_is_number(&list[b]) &&
               step.ends[0] == step.ends[1]) {
        return number(s, step.ends[0]);
    }
    *place = append(s, &step) + 1;
    return *place - 1;
}

static uint32_t plain_ordered(struct simplifier *s, int operation, uint32_t a, uint32_t b)
{
    return plain(s, operation, a < b ? a : b, a < b ? b : a);
}

/* ---- what identities ask ---- */

static const struct rc_step *at(const struct simplifier *s, uint32_t a)
{
    return &s->steps.list[a];
}

static bool is(const struct simplifier *s, uint32_t a, int operation)
{
    return at(s, a)->operation == operation;
}

static bool is_number(const struct simplifier *s, uint32_t a, double x)
{
    return rc_value_step_is_number(at(s, a)) && at(s, a)->ends[0] == x;
}

/* Whether step `a` is such an operation with `operand` for one operand, and `other` the other. */
static bool is_with(const struct simplifier *s, uint32_t a, int operation, uint32_t operand,
                    uint32_t *other)
{
    const struct rc_step *step = at(s, a);

    *other = step->a == operand ? step->b : step->a;
    return step->operation == operation && (step->a == operand || step->b == operand);
}

/* Where steps `a` and `b` are such operations with an operand in common, takes their others. */
static void drop_common(const struct simplifier *s, int operation, uint32_t *a, uint32_t *b)
{
    const struct rc_step *step = at(s, *b);
    uint32_t other;

    if (step->operation != operation)
        return;
    if (is_with(s, *a, operation, step->a, &other))
        *b = step->b;
    else if (is_with(s, *a, operation, step->b, &other))
        *b = step->a;
    else
        return;
    *a = other;
}

/* The whole exponent of a power, and its base; 1 of anything else. */
static double exponent_of(const struct simplifier *s, uint32_t a, uint32_t *base)
{
    const struct rc_step *step = at(s, a), *exponent = at(s, step->b);
    double n = exponent->ends[0];

    *base = a;
    if (step->operation != RC_POWER || !rc_value_step_is_number(exponent) || n != floor(n) ||
        fabs(n) > EXPONENT_MAX)
        return 1;
    *base = step->a;
    return n;
}

/* ---- identities ---- */

static uint32_t add(struct simplifier *s, uint32_t a, uint32_t b);

static uint32_t negate(struct simplifier *s, uint32_t a)
{
    return is(s, a, NEGATE) ? at(s, a)->a : plain(s, NEGATE, a, a);
}

static uint32_t subtract(struct simplifier *s, uint32_t a, uint32_t b)
{
    uint32_t other;

    drop_common(s, RC_ADD, &a, &b);
    if (a == b)
        return number(s, 0);
    if (is_number(s, b, 0))
        return a;
    if (is_number(s, a, 0))
        return negate(s, b);
    if (is(s, b, NEGATE))
        return add(s, a, at(s, b)->a);
    if (is(s, a, NEGATE))
        return negate(s, add(s, at(s, a)->a, b));
    if (is_with(s, a, RC_ADD, b, &other)) /* (b + c) - b */
        return other;
    if (is_with(s, b, RC_ADD, a, &other)) /* a - (a + c) */
        return negate(s, other);
    if (is(s, b, RC_SUBTRACT) && at(s, b)->a == a) /* a - (a - c) */
        return at(s, b)->b;
    if (is(s, a, RC_SUBTRACT) && at(s, a)->a == b) /* (b - c) - b */
        return negate(s, at(s, a)->b);
    return a < b ? plain(s, RC_SUBTRACT, a, b) : negate(s, plain(s, RC_SUBTRACT, b, a));
}

static uint32_t add(struct simplifier *s, uint32_t a, uint32_t b)
{
    if (is_number(s, a, 0))
        return b;
    if (is_number(s, b, 0))
        return a;
    if (is(s, b, NEGATE))
        return subtract(s, a, at(s, b)->a);
    if (is(s, a, NEGATE))
        return subtract(s, b, at(s, a)->a);
    if (is(s, a, RC_SUBTRACT) && at(s, a)->b == b) /* (c - b) + b */
        return at(s, a)->a;
    if (is(s, b, RC_SUBTRACT) && at(s, b)->b == a)
        return at(s, b)->a;
    return plain_ordered(s, RC_ADD, a, b);
}

/* The power `n`, a whole number. */
static uint32_t whole_power(struct simplifier *s, uint32_t a, double n)
{
    bool negative = false, odd;
    uint32_t base;
    double m;

    while (n != 0 && n != 1) {
        m = exponent_of(s, a, &base);
        odd = fmod(n, 2) != 0;
        if (is(s, a, SQRT) && !odd) {
            a = at(s, a)->a;
            n /= 2;
        } else if (is(s, a, NEGATE) || (is(s, a, ABS) && !odd)) {
            a = at(s, a)->a;
            negative = negative != odd;
        } else if (base != a && fabs(n * m) <= EXPONENT_MAX) { /* (c^m)^n */
            a = base;
            n *= m;
        } else {
            break;
        }
    }
    if (n == 0)
        return number(s, 1);
    if (n != 1)
        a = plain(s, RC_POWER, a, number(s, n));
    return negative ? negate(s, a) : a;
}

static uint32_t multiply(struct simplifier *s, uint32_t a, uint32_t b)
{
    uint32_t base, other;
    double n = exponent_of(s, a, &base), m = exponent_of(s, b, &other);

    if (is_number(s, a, 0) || is_number(s, b, 1))
        return a;
    if (is_number(s, b, 0) || is_number(s, a, 1))
        return b;
    if (is(s, a, NEGATE))
        return negate(s, multiply(s, at(s, a)->a, b));
    if (is(s, b, NEGATE))
        return negate(s, multiply(s, a, at(s, b)->a));
    if (base == other)
        return whole_power(s, base, n + m);
    if (is(s, a, RC_DIVIDE) && at(s, a)->b == b) /* (c / b) * b */
        return at(s, a)->a;
    if (is(s, b, RC_DIVIDE) && at(s, b)->b == a)
        return at(s, b)->a;
    return plain_ordered(s, RC_MULTIPLY, a, b);
}

static uint32_t divide(struct simplifier *s, uint32_t a, uint32_t b)
{
    uint32_t base, other;
    double n, m;

    drop_common(s, RC_MULTIPLY, &a, &b);
    n = exponent_of(s, a, &base);
    m = exponent_of(s, b, &other);
    if (is_number(s, a, 0) || is_number(s, b, 1))
        return a;
    if (is(s, a, NEGATE))
        return negate(s, divide(s, at(s, a)->a, b));
    if (is(s, b, NEGATE))
        return negate(s, divide(s, a, at(s, b)->a));
    if (base == other)
        return whole_power(s, base, n - m);
    if (is_with(s, a, RC_MULTIPLY, b, &other)) /* (b * c) / b */
        return other;
    if (is_with(s, b, RC_MULTIPLY, a, &other)) /* a / (a * c) */
        return divide(s, number(s, 1), other);
    if (is(s, b, RC_DIVIDE) && at(s, b)->a == a) /* a / (a / c) */
        return at(s, b)->b;
    if (is(s, a, RC_DIVIDE) && at(s, a)->a == b) /* (b / c) / b */
        return divide(s, number(s, 1), at(s, a)->b);
    return plain(s, RC_DIVIDE, a, b);
}

static uint32_t power(struct simplifier *s, uint32_t a, uint32_t b)
{
    double n = at(s, b)->ends[0];

    return rc_value_step_is_number(at(s, b)) && n == floor(n) && fabs(n) <= EXPONENT_MAX
               ? whole_power(s, a, n)
               : plain(s, RC_POWER, a, b);
}

static uint32_t absolute(struct simplifier *s, uint32_t a)
{
    if (at(s, a)->ends[0] >= 0)
        return a;
    if (at(s, a)->ends[1] <= 0)
        return negate(s, a);
    return is(s, a, NEGATE) ? absolute(s, at(s, a)->a) : plain(s, ABS, a, a);
}

/* Max, or Min: what is always the greater (less) one; or, of max(a, max(a, c)), the inner one; or,
 * of max(a, min(a, c)), a. */
static uint32_t extreme(struct simplifier *s, int operation, uint32_t a, uint32_t b)
{
    const double *ends = at(s, a)->ends, *others = at(s, b)->ends;
    int opposite = operation == RC_STEP_MAX ? RC_STEP_MIN : RC_STEP_MAX;
    bool above = ends[0] >= others[1], below = ends[1] <= others[0];
    uint32_t other;

    if (a == b || (operation == RC_STEP_MAX ? above : below) ||
        is_with(s, a, operation, b, &other) || is_with(s, b, opposite, a, &other))
        return a;
    if ((operation == RC_STEP_MAX ? below : above) || is_with(s, b, operation, a, &other) ||
        is_with(s, a, opposite, b, &other))
        return b;
    return plain_ordered(s, operation, a, b);
}

/* ---- all steps ---- */

static uint32_t simplify(struct simplifier *s, int operation, uint32_t a, uint32_t b)
{
    if (rc_value_step_is_number(at(s, a)) && rc_value_step_is_number(at(s, b)))
        return plain(s, operation, a, b);
    switch (operation) {
    case RC_ADD:
        return add(s, a, b);
    case RC_SUBTRACT:
        return subtract(s, a, b);
    case RC_MULTIPLY:
        return multiply(s, a, b);
    case RC_DIVIDE:
        return divide(s, a, b);
    case RC_POWER:
        return power(s, a, b);
    case RC_STEP_MAX:
    case RC_STEP_MIN:
        return extreme(s, operation, a, b);
    case NEGATE:
        return negate(s, a);
    case ABS:
        return absolute(s, a);
    case LOG:
        return is(s, a, EXP) ? at(s, a)->a : plain(s, LOG, a, a);
    case EXP:
        return is(s, a, LOG) ? at(s, a)->a : plain(s, EXP, a, a);
    default: /* the square root */
        return is(s, a, RC_POWER) && is_number(s, at(s, a)->b, 2) ? absolute(s, at(s, a)->a)
                                                                  : plain(s, operation, a, a);
    }
}

/* Marks the steps that `root` uses. */
static void mark_used(const struct rc_steps *steps, size_t root, bool *used)
{
    used[root] = true;
    for (size_t i = root + 1; i-- > 0;)
        if (used[i] && steps->list[i].operation != RC_STEP_LEAF)
            used[steps->list[i].a] = used[steps->list[i].b] = true;
}

/* Gives `numbers` the new step of each that is used. */
static int simplify_used(struct simplifier *s, const struct rc_steps *steps, size_t root,
                         const bool *used, uint32_t *numbers)
{
    for (size_t i = 0; i <= root; i++) {
        const struct rc_step *step = &steps->list[i];

        if (!used[i])
            continue;
        if (reserve(s))
            return -1;
        if (rc_value_step_is_number(step))
            numbers[i] = number(s, step->ends[0]);
        else if (step->operation == RC_STEP_LEAF)
            numbers[i] = append(s, step);
        else
            numbers[i] = simplify(s, step->operation, numbers[step->a], numbers[step->b]);
    }
    return 0;
}

int rc_value_steps_simplify(const struct rc_steps *steps, size_t root, struct rc_steps *simple,
                            size_t *simple_root, struct rc_error *error)
{
    struct simplifier s = {.steps = *simple};
    bool *used = calloc(root + 1, sizeof *used);
    uint32_t *numbers = malloc((root + 1) * sizeof *numbers);
    int status = -1;

    if (used && numbers) {
        mark_used(steps, root, used);
        status = simplify_used(&s, steps, root, used, numbers);
    }
    if (status == 0)
        *simple_root = numbers[root];
    *simple = s.steps;
    free(s.table);
    free(numbers);
    free(used);
    return status ? rc_error_no_memory(error) : 0;
}
