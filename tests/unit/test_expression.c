/* Expressions: what they mean, what they refuse, and that a name is one quantity. */
#include "unit.h"

#include "base/random.h"
#include "value/expression.h"

static struct rc_value_rules rules;

/* ---- a scope with three hosts ---- */

static unsigned lookups;

static struct rc_value *scope_value(void *data, const char *name, const char *const *indices,
                                    size_t n_indices, struct rc_error *error)
{
    static const double draws[] = {1, 2, 3, 4};
    const char *index = n_indices ? indices[0] : NULL;
    double which = index ? index[strlen(index) - 1] - '0' : 0;

    (void)data;
    lookups++;
    if (strcmp(name, "cpu") == 0 && index)
        return rc_value_point(which / 4, error);
    if (strcmp(name, "load") == 0 && index)
        return rc_value_interval(which, which + 1, error);
    if (strcmp(name, "speed") == 0)
        return rc_value_normal(10, 1, 0, error);
    if (strcmp(name, "bw") == 0 && n_indices == 2)
        return rc_value_point(10 * which + indices[1][strlen(indices[1]) - 1] - '0', error);
    if (strcmp(name, "size") == 0)
        return rc_value_point(4, error);
    if (strcmp(name, "seen") == 0)
        return rc_value_sample(draws, 4, error);
    snprintf(error->text, sizeof error->text, "there is no '%s'", name);
    return NULL;
}

static int scope_members(void *data, const char *set, const char *const *indices,
                         size_t n_indices, const char *const **members, size_t *n_members,
                         struct rc_error *error)
{
    static const char *const hosts[] = {"node-1", "node-2", "node-4"};

    (void)data;
    *members = hosts;
    *n_members = 3;
    if (strcmp(set, "hosts") == 0)
        return 0;
    *n_members = 0;
    if (strcmp(set, "none") == 0)
        return 0;
    if (strcmp(set, "before") == 0 && n_indices == 1) {
        while (*n_members < 3 && strcmp(hosts[*n_members], indices[0]) != 0)
            ++*n_members;
        return 0;
    }
    snprintf(error->text, sizeof error->text, "there is no set '%s'", set);
    return -1;
}

/* Words stand for themselves, but for `first`, a host, and `size`, a number. */
static const char *scope_member(void *data, const char *word)
{
    (void)data;
    return strcmp(word, "first") == 0 ? "node-1" : strcmp(word, "size") == 0 ? NULL : word;
}

/* ---- definitions ---- */

static const struct definition {
    const char *name, *text, *parameters[2];
    size_t n_parameters;
} definitions[] = {
    {"twice", "2 * speed", {NULL}, 0},
    {"ratio", "x - y", {"x", "y"}, 2},
    {"share", "r = interval(1, 2); r * cpu[h]", {"h"}, 1},
    {"noise", "normal(1, 1)", {"h"}, 1},
    {"over", "sum(g in before[h]: bw[g, h]) / twice", {"h"}, 1},
    {"endless", "1 + endless[n + 1]", {"n"}, 1},
    {"factorial", "n * product[n - 1]", {"n"}, 1},
    {"product", "max(n, 1)", {"n"}, 1},
    {"broken", "1 +\n  1 / (n - n)", {"n"}, 1},
};
enum { N_DEFINITIONS = sizeof definitions / sizeof *definitions };
static struct rc_expression *defined[N_DEFINITIONS];

static const struct rc_expression *scope_definition(void *data, const char *name,
                                                    const char *const *indices, size_t n_indices)
{
    (void)data;
    (void)indices;
    (void)n_indices;
    for (size_t i = 0; i < N_DEFINITIONS; i++)
        if (strcmp(definitions[i].name, name) == 0)
            return defined[i];
    return NULL;
}

static void define_all(void)
{
    struct rc_error error = {.text = ""};

    for (size_t i = 0; i < N_DEFINITIONS; i++) {
        const struct rc_expression_origin origin = {
            .file = "model", .line = 10, .column = 7,
            .parameters = definitions[i].parameters, .n_parameters = definitions[i].n_parameters};

        defined[i] = rc_expression_parse(definitions[i].text, strlen(definitions[i].text), &origin,
                                         &error);
        if (!defined[i])
            fail_msg("%s: %s", definitions[i].text, error.text);
    }
}

static const struct rc_expression_scope scope = {.definition = scope_definition,
                                                 .value = scope_value,
                                                 .members = scope_members,
                                                 .member = scope_member};

static int set_up(void **state)
{
    (void)state;
    rc_value_rules_init(&rules);
    rules.draws = 2000;
    rules.random = rc_random_create(7, 0);
    define_all();
    return rules.random ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rc_random_destroy(rules.random);
    for (size_t i = 0; i < N_DEFINITIONS; i++)
        rc_expression_destroy(defined[i]);
    return 0;
}

/* ---- asking ---- */

static struct rc_value *evaluate_bytes(const char *text, size_t length, int as,
                                       struct rc_error *error)
{
    const struct rc_expression_origin origin = {.file = "test", .line = 1, .column = 1};
    struct rc_expression *expression = rc_expression_parse(text, length, &origin, error);
    struct rc_value *value = NULL;

    if (expression)
        value = rc_expression_evaluate(expression, as, &rules, &scope, error);
    rc_expression_destroy(expression);
    return value;
}

static struct rc_value *evaluate(const char *text, int as)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = evaluate_bytes(text, strlen(text), as, &error);

    if (!value)
        fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.text);
    return value;
}

static void assert_point(const char *text, double wanted)
{
    struct rc_value *value = evaluate(text, -1);
    double mean = rc_value_mean(value);

    if (rc_value_kind(value) != RC_POINT || !(fabs(mean - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%s is %s %.17g, not %.17g", text, rc_value_kind_name(rc_value_kind(value)), mean,
                 wanted);
    rc_value_drop(value);
}

static void assert_moments(const char *text, int as, enum rc_value_kind kind, double mean,
                           double sd, double tolerance)
{
    struct rc_value *value = evaluate(text, as);

    if (rc_value_kind(value) != kind || !(fabs(rc_value_mean(value) - mean) <= tolerance) ||
        !(fabs(rc_value_sd(value) - sd) <= tolerance))
        fail_msg("%s is %s %.10g, sd %.10g", text, rc_value_kind_name(rc_value_kind(value)),
                 rc_value_mean(value), rc_value_sd(value));
    rc_value_drop(value);
}

static void assert_ends(const char *text, int as, double low, double high)
{
    struct rc_value *value = evaluate(text, as);

    if (rc_value_kind(value) != RC_INTERVAL || !(fabs(rc_value_low(value) - low) <= 1e-9) ||
        !(fabs(rc_value_high(value) - high) <= 1e-9))
        fail_msg("%s is %s from %.17g to %.17g", text, rc_value_kind_name(rc_value_kind(value)),
                 rc_value_low(value), rc_value_high(value));
    rc_value_drop(value);
}

static void assert_error_as(const char *text, int as, unsigned line, unsigned column,
                            const char *says)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = evaluate_bytes(text, strlen(text), as, &error);

    if (value || !strstr(error.text, says) || error.line != line || error.column != column ||
        strcmp(error.file, "test") != 0)
        fail_msg("%s: %s:%u:%u: %s", text, error.file, error.line, error.column, error.text);
}

static void assert_error(const char *text, unsigned line, unsigned column, const char *says)
{
    assert_error_as(text, -1, line, column, says);
}

/* ---- what expressions mean ---- */

static void operators_bind_as_in_school(void **state)
{
    (void)state;
    assert_point("1 + 2 * 3 - 4 / 8", 6.5);
    assert_point("10 - 4 - 3", 3);
    assert_point("64 / 4 / 2", 8);
    assert_point("2 ^ 3 ^ 2", 512);
    assert_point("-2 ^ 2", -4);
    assert_point("2 ^ -1", 0.5);
    assert_point("2 * -3", -6);
    assert_point("--3 + +2", 5);
    assert_point("(1 + 2) * (3 - 5)", -6);
    assert_point("x = 2; y.1_b = x * 3; x = x + 1; x + y.1_b", 9);
    assert_point(" x = 4 ;\n\tx\r\n;", 4);
    assert_point("x = 4", 4);
}

static void numbers_carry_units(void **state)
{
    (void)state;
    assert_point("64KiB", 65536);
    assert_point("100Mbit", 12.5e6);
    assert_point("2.2Gf", 2.2e9);
    assert_point("50us", 50e-6);
    assert_point("1.5h", 5400);
    assert_point("1h30min", 5400);
    assert_point("40%", 0.4);
    assert_point(".5 + 1e3", 1000.5);
    assert_point("64MiB / 1MiB", 64);
}

static void functions_are_there(void **state)
{
    (void)state;
    assert_point("log(exp(2)) + log2(8) + log10(1000)", 8);
    assert_point("sqrt(abs(-9))", 3);
    assert_point("sum(1, 2, 3) + max(4, 7, 5) - min(4, 7, 5)", 9);
    assert_ends("log2(interval(2, 8)) + log10(interval(10, 100))", -1, 2, 5);
    assert_ends("sum(interval(1, 2), 3) * max(1, interval(0, 4))", -1, 4, 20);
}

static void distributions_are_values(void **state)
{
    (void)state;
    assert_moments("normal(12, 0.3) * 17", -1, RC_NORMAL, 204, 5.1, 1e-12);
    assert_ends("normal(12, 0.3) * 17", RC_INTERVAL, 193.8, 214.2);
    assert_ends("m = 2; interval(-m, m ^ 2)", -1, -2, 4);
    assert_moments("histogram(0:1:0.5, 2:2:25%, 3:3:25%)", -1, RC_HISTOGRAM, 1.5,
                   sqrt(0.5 / 3 + 1 + 2.25 - 2.25), 1e-12);
    assert_moments("interval(0, 12)", RC_NORMAL, RC_NORMAL, 6, sqrt(12), 1e-12);
    assert_moments("normal(3, 1) + 1", RC_POINT, RC_POINT, 4, 0, 0);
    assert_moments("normal(8, 0.6) + normal(5, 0.8)", -1, RC_NORMAL, 13, 1, 1e-12);
    assert_moments("normal(8, 0.6) + normal(5, 0.8)", RC_SAMPLE, RC_SAMPLE, 13, 1, 0.1);
    assert_ends("normal(8, 1) + interval(1, 2)", -1, 7, 12);
}

/* ---- one name, one quantity ---- */

static void a_name_is_one_variable(void **state)
{
    (void)state;
    assert_moments("x = normal(5, 1); x - x", -1, RC_NORMAL, 0, 0, 1e-12);
    assert_moments("x = normal(5, 1); x - x", RC_SAMPLE, RC_SAMPLE, 0, 0, 1e-12);
    assert_moments("x = interval(5, 6); x - x", RC_NORMAL, RC_NORMAL, 0, 0, 1e-12);
    assert_moments("x = interval(5, 6); x / x", RC_SAMPLE, RC_SAMPLE, 1, 0, 1e-12);
    assert_moments("normal(5, 1) - normal(5, 1)", -1, RC_NORMAL, 0, sqrt(2), 1e-12);
    assert_moments("speed - speed", -1, RC_NORMAL, 0, 0, 1e-12);
    assert_moments("x = normal(5, 1); y = x + seen; y - x", -1, RC_SAMPLE, 2.5, sqrt(5.0 / 3),
                   1e-9);
}

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
    assert_ends("x = interval(4, 5); y = interval(1, 2); (y - x) / (-y - x)", -1, 1.0 / 3,
                2.0 / 3);
    assert_ends("x = interval(4, 5); y = interval(1, 2); q = (x - y) / (x + y); q + q - q", -1,
                1.0 / 3, 2.0 / 3);
}

/* Exactly: no rounding, no search. */
static void assert_known(const char *text, double wanted)
{
    char whole[256];
    struct rc_value *value;

    snprintf(whole, sizeof whole,
             "x = interval(1, 2); y = interval(3, 4); z = interval(-5, 6); %s", text);
    value = evaluate(whole, -1);
    if (rc_value_low(value) != wanted || rc_value_high(value) != wanted)
        fail_msg("%s is from %.17g to %.17g", text, rc_value_low(value), rc_value_high(value));
    rc_value_drop(value);
}

static void equal_parts_are_one_quantity(void **state)
{
    static const char *const nothing[] = {
        "x*y - x*y", "x*y - y*x", "(x + y)*z - z*(y + x)", "max(x*z, y) - max(y, z*x)",
        "x*y + -(x*y)", "-(x*y) + y*x", "(x - y)*z + (y - x)*z", "abs(x*z - y) - abs(y - x*z)",
        "(x - z)^2 - (z - x)^2", "x*x*x - x^3", "z*z - z^2", "(x*z)^3 + (-x*z)^3",
        "sqrt(x + y) - sqrt(y + x)", "exp(z*x) - exp(x*z)", "x/y - -x/-y", "max(z*x, z*x) - x*z",
        "min(x*z, max(x*z, y)) - x*z", "max(x*z, max(x*z, y)) - max(y, x*z)",
        "(x*z + y) - y - x*z", "(x*z - y) + y - x*z", "x*z - (x*z - y) - y", "abs(z)^2 - z*z",
        "abs(x*y) - x*y", "abs(-x*y) - x*y", "sqrt(x*y)^2 - x*y", "sqrt(z^2) - abs(z)",
        "log(exp(z)) - z", "exp(log(x*y)) - x*y", "0 * z", "z*1 + 0 - z/1", "max(x, y) - y",
        "min(x + y, 4) - 4", "x * (z / x) - z", "x / (x / y) - y", "z^0 - 1", "z^1 - z",
        "abs(abs(abs(z)^3)^3)^2 - z^18", "(x*z + y) - (3 + x*z) + 3 - y",
        "sum(t in 1 to 3: x*z) - sum(t in 1 to 3: z*x)",
    };
    static const char *const one[] = {
        "x/x", "x*y / (y*x)", "(x + y)/(y + x)", "x*y / x / y", "x^3 / (x*x) / x", "x / (x*y) * y",
        "(x/y) / x * y", "(x - y)/(x - y)", "x^2 * x^-2", "(x^2 + 1) / (1 + x*x)", "(x^2)^3 / x^6",
        "-x*y * (-(sqrt(x*y)^-2))", "exp(x*z) / exp(z*x)", "max(x/x, 1)",
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
        "(x*y - z)/(x + y*z) + x", "x^2*y - y*z/x + exp(z-x)",
        "max(x*y, z) - min(x, y/z)", "abs(x-y)*z - sqrt(x*z)*y",
        "x^y - log(z)*x + z*y",
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
    static const char *const two[][3] = {{"(", " + ", ")"}, {"(", " * ", ")"},
                                         {"max(", ", ", ")"}, {"min(", ", ", ")"},
                                         {"(", " - ", ")"}, {"(", " / ", ")"}};
    static const char *const one[][3] = {{"(-", ")", ""}, {"abs(", ")", ""}, {"(", ")^2", ""},
                                         {"(", ")^3", ""}, {"sqrt(", ")", ""}, {"log(", ")", ""},
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

/* ---- names from outside ---- */

static void the_scope_supplies_names_and_sets(void **state)
{
    (void)state;
    assert_point("work = 8; max(h in hosts: work / cpu[h])", 32);
    assert_point("sum(h in hosts: cpu[h]) + min(h in hosts: cpu[h])", 2);
    assert_point("cpu[node-4] + cpu[a.b:c2]", 1.5);
    assert_point("sum(h in hosts: sum(g in hosts: cpu[h] * cpu[g]))", 1.75 * 1.75);
    assert_point("sum(h in none: cpu[h])", 0);
    lookups = 0;
    assert_ends("sum(h in hosts: load[h] - load[h])", -1, 0, 0);
    assert_int_equal(lookups, 3);
    /* One variable for all members, or one for each that it mentions. */
    assert_moments("sum(h in hosts: normal(1, 1))", -1, RC_NORMAL, 3, 3, 1e-12);
    assert_moments("sum(h in hosts: normal(4 * cpu[h], 1))", -1, RC_NORMAL, 7, sqrt(3), 1e-12);
    rules.extreme = RC_EXTREME_END;
    assert_ends("max(h in hosts: load[h]) - load[node-4]", -1, 0, 0);
}

static void indices_are_members_words_or_numbers(void **state)
{
    (void)state;
    assert_point("bw[node-1, node-2] + bw[first, node-4]", 12 + 14);
    assert_point("sum(h in hosts: bw[first, h])", 11 + 12 + 14);
    assert_point("sum(h in hosts: sum(g in before[h]: bw[g, h]))", 12 + 14 + 24);
    assert_point("count(hosts) + 10 * count(before[node-4]) + sum(h in hosts: count(before[h]))",
                 3 + 20 + 3);
    assert_point("sum(t in 1 to 4: t * t) + max(t in size to 2 * size: t)", 30 + 8);
    assert_point("sum(t in 3 to 2: t)", 0);
    assert_point("n = 3; ratio[n, 1] + ratio[size, n] + ratio[n - 1, 1KiB]", 2 + 1 + 2 - 1024);
    assert_point("ratio[2 * (3 + 1), ratio[7, 4]]", 5);
    assert_error("max(h in hosts: h)", 1, 17, "'h' is 'node-1' here, which is not a number");
    assert_error("max(t in 3 to 2: t)", 1, 1, "is empty");
    assert_error("sum(t in 1 to interval(1, 2): t)", 1, 1, "of kind interval, not a number");
    assert_error("sum(t in 1 to 1e9: t)", 1, 1, "too long");
    assert_error("sum(t in 1 2: t)", 1, 12, "'to' between two numbers");
    assert_error("cpu[1, 2, 3, 4, 5]", 1, 4, "more than 4 indices");
    assert_error("cpu[load[a1] + 1]", 1, 1, "an index is of kind interval");
    assert_error("count(1)", 1, 7, "a name");
    assert_error("count(nowhere)", 1, 1, "no set 'nowhere'");
}

static void definitions_are_carried_out_in_place(void **state)
{
    (void)state;
    assert_moments("twice - 2 * speed", -1, RC_NORMAL, 0, 0, 1e-12);
    assert_moments("twice - 2 * speed", RC_SAMPLE, RC_SAMPLE, 0, 0, 1e-12);
    assert_ends("twice - 2 * speed", RC_INTERVAL, 0, 0);
    /* A distribution is one for each set of parameters. */
    assert_moments("sum(h in hosts: noise[h] - noise[node-1])", -1, RC_NORMAL, 0, sqrt(6), 1e-12);
    assert_ends("share[node-4] - share[node-4] + share[node-2]", -1, 0.5, 1);
    assert_moments("over[node-4]", RC_POINT, RC_POINT, 38 / 20.0, 0, 1e-12);
    assert_point("factorial[5]", 20);
    lookups = 0;
    assert_moments("sum(t in 1 to 50: twice)", -1, RC_NORMAL, 1000, 100, 1e-9);
    assert_int_equal(lookups, 1);
    assert_error("ratio[1]", 1, 1, "'ratio' has 2 indices, not 1");
}

static void faults_in_definitions_are_placed_there(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    assert_null(evaluate_bytes("2 + broken[3]", 13, -1, &error));
    assert_string_equal(error.file, "model");
    assert_int_equal(error.line, 11);
    assert_int_equal(error.column, 5);
    assert_null(evaluate_bytes("endless[1]", 10, -1, &error));
    assert_non_null(strstr(error.text, "does 'endless' refer to itself?"));
    assert_int_equal(error.line, 10);
    assert_int_equal(error.column, 11);
}

static void farms_are_there(void **state)
{
    (void)state;
    assert_point("farm(2, h in hosts: 4 * cpu[h])", 2);
    assert_point("farm(size, h in hosts: 4 * cpu[h])", 4);
    /* Jobs of 14, 22 and 41 s: the tenth starts at 56 s, the last to end starts at 41 s. */
    assert_point("farm(10, h in hosts: 40 * cpu[h] + 1 / cpu[h])", 82);
    assert_moments("farm(2, h in hosts: 4 * cpu[h] * normal(1, 0.01))", RC_SAMPLE, RC_SAMPLE, 2,
                   0.02, 0.002);
    assert_error("farm(2.5, h in hosts: 1)", 1, 1, "a whole number");
    assert_error("farm(0, h in hosts: 1)", 1, 1, "a whole number");
    assert_error("farm(1e30, h in hosts: 1)", 1, 1, "too large");
    assert_error("farm(2, h in none: 1)", 1, 1, "empty");
    assert_error("farm(2, hosts)", 1, 9, "'NAME in SET: seconds for one job'");
    assert_error("farm(2, h in 1 to 3: 1)", 1, 14, "a name");
}

/* ---- several at once ---- */

struct seen {
    char text[512];
};

static void see(void *data, const char *name, const char *const *indices, size_t n_indices,
                const struct rc_value *value)
{
    struct seen *seen = data;
    size_t length = strlen(seen->text);

    snprintf(seen->text + length, sizeof seen->text - length, "%s%s%s%s%s=%g ", name,
             n_indices ? "/" : "", n_indices ? indices[0] : "", n_indices > 1 ? "/" : "",
             n_indices > 1 ? indices[1] : "", rc_value_mean(value));
}

static struct rc_value *next_value(struct rc_evaluation *evaluation, const char *text)
{
    const struct rc_expression_origin origin = {.file = "test", .line = 1, .column = 1};
    struct rc_error error = {.text = ""};
    struct rc_expression *expression = rc_expression_parse(text, strlen(text), &origin, &error);
    struct rc_value *value = NULL;

    if (expression)
        value = rc_evaluation_value(evaluation, expression, NULL, 0, &error);
    if (!value)
        fail_msg("%s: %s", text, error.text);
    rc_expression_destroy(expression);
    return value;
}

static void evaluations_share_what_they_find(void **state)
{
    struct rc_evaluation *evaluation = rc_evaluation_create(RC_SAMPLE, &rules, &scope, NULL);
    struct rc_value *a = next_value(evaluation, "speed + 1"), *b = next_value(evaluation, "twice");
    struct rc_value *difference = rc_value_binary(RC_SUBTRACT, a, b, &rules, NULL);
    struct rc_value *sum = rc_value_binary(RC_ADD, difference, a, &rules, NULL);
    struct seen seen = {.text = ""};

    (void)state;
    assert_true(fabs(rc_value_mean(sum) - 2) < 1e-9 && rc_value_sd(sum) < 1e-9);
    rc_value_drop(a);
    rc_value_drop(b);
    rc_value_drop(difference);
    rc_value_drop(sum);
    rc_evaluation_destroy(evaluation);

    evaluation = rc_evaluation_create(RC_POINT, &rules, &scope, NULL);
    rc_value_drop(next_value(evaluation, "over[node-4] + cpu[node-2]"));
    rc_evaluation_names(evaluation, see, &seen);
    assert_string_equal(seen.text, "bw/node-1/node-4=14 bw/node-2/node-4=24 speed=10 twice=20 "
                                   "over/node-4=1.9 cpu/node-2=0.5 ");
    rc_evaluation_destroy(evaluation);
}

/* What is in a sample stays the same when a sample turns up late. */
static void a_late_sample_makes_all_samples(void **state)
{
    struct rc_evaluation *evaluation = rc_evaluation_create(-1, &rules, &scope, NULL);
    struct rc_value *value = next_value(evaluation, "speed");

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_NORMAL);
    rc_value_drop(value);
    rc_value_drop(next_value(evaluation, "speed + seen"));
    value = next_value(evaluation, "speed");
    assert_int_equal(rc_value_kind(value), RC_SAMPLE);
    rc_value_drop(value);
    rc_evaluation_destroy(evaluation);
}

static void collect(void *data, const struct rc_reference *reference)
{
    struct seen *seen = data;
    size_t length = strlen(seen->text);

    snprintf(seen->text + length, sizeof seen->text - length, "%s%s%zu@%u:%u ", reference->name,
             reference->is_set ? "*" : reference->is_index ? "#" : "/", reference->n_indices,
             reference->line, reference->column);
}

static void references_are_listed(void **state)
{
    const char *const parameters[] = {"h"};
    const struct rc_expression_origin origin = {.file = "m", .line = 3, .column = 5,
                                                .parameters = parameters, .n_parameters = 1};
    const char *text = "x = N; sum(g in near[h]:\n bw[master, g]) + x + count(all) + h";
    struct rc_expression *expression = rc_expression_parse(text, strlen(text), &origin, NULL);
    struct seen seen = {.text = ""};

    (void)state;
    assert_non_null(expression);
    assert_string_equal(rc_expression_text(expression), text);
    rc_expression_references(expression, collect, &seen);
    assert_string_equal(seen.text, "N/0@3:9 near*1@3:21 bw/2@4:2 master#0@4:5 all*0@4:29 ");
    rc_expression_destroy(expression);
}

/* ---- what is refused ---- */

static void faults_are_placed(void **state)
{
    (void)state;
    assert_error("", 1, 1, "ends where a value");
    assert_error("1 +", 1, 4, "ends where a value");
    assert_error("1 + * 2", 1, 5, "'*' where a value");
    assert_error("(1 + 2", 1, 7, "')'");
    assert_error("1 2", 1, 3, "an operator or ';'");
    assert_error("1;2", 1, 1, "not used");
    assert_error("x = 1;\n  y = µ", 2, 7, "'µ' where a value");
    assert_error("64K", 1, 1, "not a number");
    assert_error("1.2.3", 1, 1, "not a number");
    assert_error("1e999", 1, 1, "not a number");
    assert_error("sine(1)", 1, 1, "no function 'sine'");
    assert_error("max + 1", 1, 5, "'('");
    assert_error("max = 1", 1, 1, "a meaning of its own");
    assert_error("to = 1", 1, 1, "a meaning of its own");
    assert_error("1 + sqrt(1, 2)", 1, 5, "takes 1 argument, not 2");
    assert_error("normal(1)", 1, 1, "takes 2 arguments, not 1");
    assert_error("max()", 1, 5, "a value");
    assert_error("histogram(0:1)", 1, 14, "':'");
    assert_error("max(h in hosts, 1)", 1, 15, "':'");
    assert_error("max(in in hosts: 1)", 1, 5, "a meaning of its own");
    assert_error("max(h inside: 1)", 1, 7, "an operator");
    assert_error("cpu[]", 1, 5, "an index");
    assert_error("cpu[a", 1, 6, "']'");
}

static void failures_name_the_operator(void **state)
{
    (void)state;
    assert_error("1 + 2 / (3 - 3)", 1, 7, "division");
    assert_error("y = interval(-1, 1);\n1 / y", 2, 3, "division");
    assert_error("2 * log(0 - 1)", 1, 5, "logarithm");
    assert_error("interval(2, 1)", 1, 1, "lower one first");
    assert_error("normal(interval(1, 2), 1)", 1, 1, "not a number");
    assert_error("histogram(0:1:0.5)", 1, 1, "");
    assert_error("10 ^ 400", 1, 4, "too large");
    assert_error("1 + nothing", 1, 5, "no 'nothing'");
    assert_error("1 + max(h in nowhere: 1)", 1, 5, "no set 'nowhere'");
    assert_error("max(h in none: 1)", 1, 1, "empty");
    rules.random = (rc_random_destroy(rules.random), NULL);
    assert_error_as("1 + normal(1, 1)", RC_SAMPLE, 1, 5, "random");
}

/* `part` n times, then `end`: refused with those words, or taken where there are none. */
static void assert_repeated(const char *part, size_t n, const char *end, const char *says)
{
    size_t length = strlen(part), total = n * length + strlen(end);
    char *text = malloc(total + 1);
    struct rc_error error = {.text = ""};
    struct rc_value *value;

    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * length, part, length);
    strcpy(text + n * length, end);
    value = evaluate_bytes(text, total, -1, &error);
    free(text);
    if (says ? value || !strstr(error.text, says) : !value)
        fail_msg("%zu times '%s': %s", n, part, error.text);
    rc_value_drop(value);
}

static void limits_hold(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    assert_repeated("(", 10000, "1", "within one another");
    assert_repeated("-", 10000, "1", "within one another");
    assert_repeated("2^", 10000, "1", "within one another");
    assert_repeated("max(", 10000, "1", "within one another");
    assert_repeated("a[", 10000, "1", "within one another");
    assert_repeated("sum(h in a[", 5000, "1", "within one another");
    assert_repeated("farm(", 10000, "1", "within one another");
    assert_repeated("max(h in hosts: ", 20, "1", "more than 16 folds");
    assert_repeated("1+", 9000, "1", NULL);
    assert_repeated("1+", 12000, "1", "20000 parts");
    assert_repeated("1+", 5000000, "1", "longer than 65536");
    assert_repeated("a=1;", 1001, "a", "1000 assignments");
    assert_repeated("a", 300, "", "more than 255");
    assert_repeated("sum(h in hosts: ", 14, "1))))))))))))))", "steps");
    assert_null(evaluate_bytes("1\0+2", 4, -1, &error));
    assert_string_equal(error.text, "a NUL byte");
    assert_int_equal(error.column, 2);
    assert_null(evaluate_bytes("1 +", 3, -1, NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(operators_bind_as_in_school),
        TEST(numbers_carry_units),
        TEST(functions_are_there),
        TEST(distributions_are_values),
        TEST(a_name_is_one_variable),
        TEST(intervals_are_sharp),
        TEST(the_example_of_4_c_2_is_exact),
        TEST(equal_parts_are_one_quantity),
        TEST(rounding_that_cancels_is_gone),
        TEST(unequal_parts_stay_apart),
        TEST(exaggeration_costs_no_truth),
        TEST(sharp_intervals_hold_every_point),
        TEST(random_expressions_hold_every_point),
        TEST(the_scope_supplies_names_and_sets),
        TEST(indices_are_members_words_or_numbers),
        TEST(definitions_are_carried_out_in_place),
        TEST(faults_in_definitions_are_placed_there),
        TEST(farms_are_there),
        TEST(evaluations_share_what_they_find),
        TEST(a_late_sample_makes_all_samples),
        TEST(references_are_listed),
        TEST(faults_are_placed),
        TEST(failures_name_the_operator),
        TEST(limits_hold),
    };

    return RUN_TESTS(tests);
}
