/* Intervals that occur more than once: ends as narrow as can be told, that still hold every point. */
#include "expression.h"

static void intervals_are_sharp(void **state)
{
    (void)state;
    assert_ends("x = interval(4, 5); x - x", -1, 0, 0);
    assert_ends("x = normal(5, 1); x - x", RC_INTERVAL, 0, 0);
    assert_ends("x = interval(0, 1); x * (1 - x)", -1, 0, 0.25);
    assert_ends("x = interval(-1, 2); x * x", -1, 0, 4);
    assert_ends("x = interval(-1, 2); x ^ 2 - 2 * x", -1, -1, 3);
    assert_ends("x = interval(-2, 3); x ^ 3 - 3 * x", -1, -2, 18);
    assert_ends("x = interval(-1, 1); y = interval(-1, 1); x ^ 2 + x * y + y ^ 2", -1, 0, 3);
    assert_ends("x = interval(1, 2); s = x + interval(1, 2); s / x", -1, 1.5, 3);
    assert_ends("x = interval(0.25, 2); x ^ x", -1, exp(-1 / exp(1)), 4);
    assert_ends("x = interval(0, 4); sqrt(x) - x", -1, -2, 0.25);
    assert_ends("x = interval(1, 4); log(x) - x", -1, log(4) - 4, -1);
    assert_ends("x = interval(-1, 2); abs(x) - x", -1, 0, 2);
    assert_ends("x = interval(0, 3); max(x, 1) - min(x, 2)", -1, 0, 1);
    assert_ends("x = normal(5, 1); y = interval(1, 2); (x - y) / (x + y)", -1, 0.2, 0.75);
    assert_ends("load[a1] - load[a1] + load[a2]", -1, 2, 3);
}

/* The dissertation's example of 4.C.2, in both of its forms and as a definition might have it. */
static void the_example_of_4_c_2_is_exact(void **state)
{
    (void)state;
    assert_ends("x = interval(4, 5); y = interval(1, 2); (x - y) / (x + y)", -1, 1.0 / 3, 2.0 / 3);
    assert_ends("x = interval(4, 5); y = interval(1, 2); 2 / (1 + y / x) - 1", -1, 1.0 / 3,
                2.0 / 3);
    assert_ends("x = interval(4, 5); y = interval(1, 2); (y - x) / (-y - x)", -1, 1.0 / 3, 2.0 / 3);
    assert_ends("x = interval(4, 5); y = interval(1, 2); q = (x - y) / (x + y); q + q - q", -1,
                1.0 / 3, 2.0 / 3);
}

/* Exactly: no rounding, no search. */
static void assert_known(const char *text, double wanted)
{
    char whole[256];
    struct rc_value *value;

    snprintf(whole, sizeof whole, "x = interval(1, 2); y = interval(3, 4); z = interval(-5, 6); %s",
             text);
    value = evaluate(whole, -1);
    if (rc_value_low(value) != wanted || rc_value_high(value) != wanted)
        fail_msg("%s is from %.17g to %.17g", text, rc_value_low(value), rc_value_high(value));
    rc_value_drop(value);
}

static void equal_parts_are_one_quantity(void **state)
{
    static const char *const nothing[] = {
        "x*y - x*y",
        "x*y - y*x",
        "(x + y)*z - z*(y + x)",
        "max(x*z, y) - max(y, z*x)",
        "x*y + -(x*y)",
        "-(x*y) + y*x",
        "(x - y)*z + (y - x)*z",
        "abs(x*z - y) - abs(y - x*z)",
        "(x - z)^2 - (z - x)^2",
        "x*x*x - x^3",
        "z*z - z^2",
        "(x*z)^3 + (-x*z)^3",
        "sqrt(x + y) - sqrt(y + x)",
        "exp(z*x) - exp(x*z)",
        "x/y - -x/-y",
        "max(z*x, z*x) - x*z",
        "min(x*z, max(x*z, y)) - x*z",
        "max(x*z, max(x*z, y)) - max(y, x*z)",
        "(x*z + y) - y - x*z",
        "(x*z - y) + y - x*z",
        "x*z - (x*z - y) - y",
        "abs(z)^2 - z*z",
        "abs(x*y) - x*y",
        "abs(-x*y) - x*y",
        "sqrt(x*y)^2 - x*y",
        "sqrt(z^2) - abs(z)",
        "log(exp(z)) - z",
        "exp(log(x*y)) - x*y",
        "0 * z",
        "z*1 + 0 - z/1",
        "max(x, y) - y",
        "min(x + y, 4) - 4",
        "x * (z / x) - z",
        "x / (x / y) - y",
        "z^0 - 1",
        "z^1 - z",
        "abs(abs(abs(z)^3)^3)^2 - z^18",
        "(x*z + y) - (3 + x*z) + 3 - y",
        "sum(t in 1 to 3: x*z) - sum(t in 1 to 3: z*x)",
    };
    static const char *const one[] = {
        "x/x",
        "x*y / (y*x)",
        "(x + y)/(y + x)",
        "x*y / x / y",
        "x^3 / (x*x) / x",
        "x / (x*y) * y",
        "(x/y) / x * y",
        "(x - y)/(x - y)",
        "x^2 * x^-2",
        "(x^2 + 1) / (1 + x*x)",
        "(x^2)^3 / x^6",
        "-x*y * (-(sqrt(x*y)^-2))",
        "exp(x*z) / exp(z*x)",
        "max(x/x, 1)",
        "(x*y) / (x*3) * 3 / y",
    };

    (void)state;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        assert_known(nothing[i], 0);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        assert_known(one[i], 1);
    assert_known("(x - y)/(y - x)", -1);
    assert_known("(-(sqrt(x*y)^-2))^-1 / (y*x)", -1);
    /* What only it has is one quantity, too. */
    assert_ends("x = interval(1, 2); y = interval(0.1, 4); t = x*y; t + 1/t", -1, 2, 10.1);
    assert_ends("x = interval(-1, 2); y = interval(1, 2); t = x/y; t*(1 - t)", -1, -2, 0.25);
    assert_ends("x = interval(-1, 2); x*x*x", -1, -1, 8);
}

/* Small is what is small for the true range: the plain ones here reach up to exp(62). */
static void exaggeration_costs_no_truth(void **state)
{
    (void)state;
    assert_ends("y = interval(2, 5); z = interval(0.15, 2); exp(z * (y/z - y))", -1, exp(-5),
                exp(4.25));
    assert_ends("y = interval(2, 5); z = interval(0.15, 2); exp((abs(z) - min(y, 0)) * (y/z - y))",
                -1, exp(-5), exp(4.25));
}

/* What cancels takes its rounding along: plain arithmetic, in steps of 2, says [2, 4]. */
static void rounding_that_cancels_is_gone(void **state)
{
    (void)state;
    assert_ends("x = interval(1.5, 5); (x + 1e16) - 1e16", -1, 1.5, 5);
    assert_ends("x = interval(1e-200, 2e-200); sqrt(x^2) * 1e200", -1, 1, 2);
}

/* Leaves are not equal for having equal ends, and what is refused stays so. */
static void unequal_parts_stay_apart(void **state)
{
    (void)state;
    assert_ends("interval(1, 2) - interval(1, 2)", -1, -1, 1);
    assert_ends("x = interval(1, 2); y = interval(1, 2); x - y", -1, -1, 1);
    assert_ends("x = interval(1, 2); y = interval(1, 2); x / y", -1, 0.5, 2);
    assert_ends("x = interval(1, 2); y = interval(1, 2); max(x, y)", -1, 1, 2);
    assert_ends("x = interval(1, 2); y = interval(3, 4); x/y - y/x", -1, 0.25 - 4, 2.0 / 3 - 1.5);
    assert_ends("x = interval(1, 2); y = interval(3, 4); x^y", -1, 1, 16);
    assert_ends("x = interval(1, 2); y = interval(3, 4); z = x - y; x - z - z", -1, 4, 7);
    assert_error("x = interval(-1, 1); x / x", 1, 24, "division");
    assert_error("x = interval(-1, 1); x * 2 / x", 1, 28, "division");
    assert_error("x = interval(-1, 1); 2 * x^-1 * x", 1, 27, "negative power");
    assert_error("x = interval(0, 1); log(x) - log(x)", 1, 21, "logarithm");
    assert_error("x = interval(-1, 1); sqrt(x)^2", 1, 22, "square root");
    assert_error("x = interval(1, 1000); exp(x) / exp(x)", 1, 24, "too large");
}

/* Evaluates with numbers from the intervals, at whose ends they often are, and checks that what
 * comes of it lies in the range. */
static void assert_holds_points(const char *shape, const double low[3], const double width[3],
                                const struct rc_value *range, int points)
{
    double most = fmax(fabs(rc_value_low(range)), fabs(rc_value_high(range)));
    double tolerance = 1e-9 * fmax(1, most);
    char text[2048];

    while (points-- > 0) {
        double at[3];
        struct rc_value *one;

        for (int i = 0; i < 3; i++) {
            double where = 1.5 * rc_random_uniform(rules.random) - 0.25;

            at[i] = low[i] + width[i] * fmin(1, fmax(0, where));
        }
        snprintf(text, sizeof text, "x=%.17g; y=%.17g; z=%.17g; %s", at[0], at[1], at[2], shape);
        one = evaluate(text, -1);
        if (!(rc_value_mean(one) >= rc_value_low(range) - tolerance) ||
            !(rc_value_mean(one) <= rc_value_high(range) + tolerance))
            fail_msg("%s is %.17g, not from %.17g to %.17g", text, rc_value_mean(one),
                     rc_value_low(range), rc_value_high(range));
        rc_value_drop(one);
    }
}

static struct rc_value *range_of(const char *shape, const double low[3], const double width[3],
                                 struct rc_error *error)
{
    char text[2048];

    snprintf(text, sizeof text,
             "x=interval(%.17g, %.17g); y=interval(%.17g, %.17g); z=interval(%.17g, %.17g); %s",
             low[0], low[0] + width[0], low[1], low[1] + width[1], low[2], low[2] + width[2],
             shape);
    return evaluate_bytes(text, strlen(text), -1, error);
}

/* Whatever numbers from the intervals give lies in the range that the intervals gave. */
static void sharp_intervals_hold_every_point(void **state)
{
    static const char *const shapes[] = {
        "(x*y - z)/(x + y*z) + x",  "x^2*y - y*z/x + exp(z-x)", "max(x*y, z) - min(x, y/z)",
        "abs(x-y)*z - sqrt(x*z)*y", "x^y - log(z)*x + z*y",
    };
    struct rc_error error = {.text = ""};
    double low[3], width[3];

    (void)state;
    for (size_t round = 0; round < 200; round++) {
        struct rc_value *range;

        for (int i = 0; i < 3; i++) {
            low[i] = 0.1 + 3 * rc_random_uniform(rules.random);
            width[i] = 2 * rc_random_uniform(rules.random);
        }
        range = range_of(shapes[round % 5], low, width, &error);
        assert_non_null(range);
        assert_holds_points(shapes[round % 5], low, width, range, 20);
        rc_value_drop(range);
    }
}

/* ---- random expressions ---- */

enum { SHAPE_SIZE = 800 };

static unsigned pick(unsigned n)
{
    return (unsigned)(n * rc_random_uniform(rules.random)) % n;
}

static void join(char out[SHAPE_SIZE], const char *const form[3], const char *a, const char *b)
{
    int length = snprintf(out, SHAPE_SIZE, "%s%s%s%s%s", form[0], a, form[1], b, form[2]);

    assert_true(length < SHAPE_SIZE);
}

/* Some expression of x, y and z, and in `mirror` the same with the operands of what commutes
 * swapped. */
static void grow(int depth, char shape[SHAPE_SIZE], char mirror[SHAPE_SIZE])
{
    static const char *const leaves[] = {"x", "y", "z", "x", "y", "z", "2", "1", "0", "0.5", "-1"};
    static const char *const two[][3] = {{"(", " + ", ")"},   {"(", " * ", ")"},
                                         {"max(", ", ", ")"}, {"min(", ", ", ")"},
                                         {"(", " - ", ")"},   {"(", " / ", ")"}};
    static const char *const one[][3] = {{"(-", ")", ""},   {"abs(", ")", ""},  {"(", ")^2", ""},
                                         {"(", ")^3", ""},  {"sqrt(", ")", ""}, {"log(", ")", ""},
                                         {"exp(", ")", ""}, {"(", ")^-1", ""}};
    char a[2][SHAPE_SIZE], b[2][SHAPE_SIZE];
    unsigned which = pick(8);

    if (depth == 0 || pick(8) == 0) {
        strcpy(shape, leaves[pick(sizeof leaves / sizeof *leaves)]);
        strcpy(mirror, shape);
        return;
    }
    grow(depth - 1, a[0], a[1]);
    if (pick(4) == 0) {
        join(shape, one[which], a[0], "");
        join(mirror, one[which], a[1], "");
        return;
    }
    grow(depth - 1, b[0], b[1]);
    which = which < 4 ? which : 4 + which % 2;
    join(shape, two[which], a[0], b[0]);
    join(mirror, two[which], which < 4 ? b[1] : a[1], which < 4 ? a[1] : b[1]);
}

/* (shape) `operation` (mirror) is just one number, unless it is a division by what may be 0. */
static void assert_equal_parts(const char *shape, char operation, const char *mirror,
                               const double low[3], const double width[3], double wanted)
{
    struct rc_error error = {.text = ""};
    char text[2 * SHAPE_SIZE + 16];
    struct rc_value *range;

    snprintf(text, sizeof text, "(%s) %c (%s)", shape, operation, mirror);
    range = range_of(text, low, width, &error);
    if (!range && strstr(error.text, "division"))
        return;
    if (!range || !(fabs(rc_value_low(range) - wanted) <= 1e-9) ||
        !(fabs(rc_value_high(range) - wanted) <= 1e-9))
        fail_msg("%s is from %.17g to %.17g%s", text, range ? rc_value_low(range) : NAN,
                 range ? rc_value_high(range) : NAN, error.text);
    rc_value_drop(range);
}

static void random_expressions_hold_every_point(void **state)
{
    char shape[SHAPE_SIZE], mirror[SHAPE_SIZE];
    unsigned done = 0;

    (void)state;
    while (done < 400) {
        struct rc_error error = {.text = ""};
        double low[3], width[3];
        struct rc_value *range;

        for (int i = 0; i < 3; i++) {
            low[i] = 4 * rc_random_uniform(rules.random) - 1;
            width[i] = 2 * rc_random_uniform(rules.random);
        }
        grow(4, shape, mirror);
        range = range_of(shape, low, width, &error);
        /* Not what may be undefined, nor what rounding makes much of. */
        if (range && fmax(fabs(rc_value_low(range)), fabs(rc_value_high(range))) < 1e3) {
            assert_holds_points(shape, low, width, range, 10);
            assert_equal_parts(shape, '-', mirror, low, width, 0);
            assert_equal_parts(shape, '/', mirror, low, width, 1);
            done++;
        }
        rc_value_drop(range);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(intervals_are_sharp),
        TEST(the_example_of_4_c_2_is_exact),
        TEST(equal_parts_are_one_quantity),
        TEST(rounding_that_cancels_is_gone),
        TEST(unequal_parts_stay_apart),
        TEST(exaggeration_costs_no_truth),
        TEST(sharp_intervals_hold_every_point),
        TEST(random_expressions_hold_every_point),
    };

    return RUN_TESTS(tests);
}
