/* Expressions: what they mean, what they refuse, and that a name is one quantity. */
#include "unit.h"

#include "base/random.h"
#include "value/expression.h"

static struct rc_value_rules rules;

static int set_up(void **state)
{
    (void)state;
    rc_value_rules_init(&rules);
    rules.draws = 2000;
    rules.random = rc_random_create(7, 0);
    return rules.random ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rc_random_destroy(rules.random);
    return 0;
}

/* ---- a scope with three hosts ---- */

static unsigned lookups;

static struct rc_value *scope_value(void *data, const char *name, const char *index,
                                    struct rc_error *error)
{
    static const double draws[] = {1, 2, 3, 4};
    double which = index ? index[strlen(index) - 1] - '0' : 0;

    (void)data;
    lookups++;
    if (strcmp(name, "cpu") == 0 && index)
        return rc_value_point(which / 4, error);
    if (strcmp(name, "load") == 0 && index)
        return rc_value_interval(which, which + 1, error);
    if (strcmp(name, "speed") == 0)
        return rc_value_normal(10, 1, 0, error);
    if (strcmp(name, "seen") == 0)
        return rc_value_sample(draws, 4, error);
    snprintf(error->text, sizeof error->text, "there is no '%s'", name);
    return NULL;
}

static int scope_members(void *data, const char *set, const char *const **members,
                         size_t *n_members, struct rc_error *error)
{
    static const char *const hosts[] = {"node-1", "node-2", "node-4"};

    (void)data;
    *members = hosts;
    *n_members = strcmp(set, "none") == 0 ? 0 : 3;
    if (strcmp(set, "hosts") == 0 || *n_members == 0)
        return 0;
    snprintf(error->text, sizeof error->text, "there is no set '%s'", set);
    return -1;
}

static const struct rc_expression_scope scope = {.value = scope_value, .members = scope_members};

/* ---- asking ---- */

static struct rc_value *evaluate_bytes(const char *text, size_t length, int as,
                                       struct rc_error *error)
{
    struct rc_expression *expression = rc_expression_parse(text, length, "test", error);
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
    assert_ends("x = interval(4, 5); y = interval(1, 2); (x - y) / (x + y)", -1, 1.0 / 3, 2.0 / 3);
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

/* Whatever numbers from the intervals give lies in the range that the intervals gave. */
static void sharp_intervals_hold_every_point(void **state)
{
    static const char *const shapes[] = {
        "(x*y - z)/(x + y*z) + x", "x^2*y - y*z/x + exp(z-x)",
        "max(x*y, z) - min(x, y/z)", "abs(x-y)*z - sqrt(x*z)*y",
        "x^y - log(z)*x + z*y",
    };
    char text[512], name[3][96];
    double low[3], width[3];

    (void)state;
    for (size_t round = 0; round < 200; round++) {
        const char *shape = shapes[round % 5];
        struct rc_value *range, *one;

        for (int i = 0; i < 3; i++) {
            low[i] = 0.1 + 3 * rc_random_uniform(rules.random);
            width[i] = 2 * rc_random_uniform(rules.random);
            snprintf(name[i], sizeof name[i], "interval(%.17g, %.17g)", low[i], low[i] + width[i]);
        }
        snprintf(text, sizeof text, "x=%s; y=%s; z=%s; %s", name[0], name[1], name[2], shape);
        range = evaluate(text, -1);
        for (int k = 0; k < 20; k++) {
            for (int i = 0; i < 3; i++)
                snprintf(name[i], sizeof name[i], "%.17g",
                         low[i] + width[i] * rc_random_uniform(rules.random));
            snprintf(text, sizeof text, "x=%s; y=%s; z=%s; %s", name[0], name[1], name[2],
                     shape);
            one = evaluate(text, -1);
            assert_true(rc_value_mean(one) >= rc_value_low(range) - 1e-9);
            assert_true(rc_value_mean(one) <= rc_value_high(range) + 1e-9);
            rc_value_drop(one);
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
    assert_error("1 + sqrt(1, 2)", 1, 5, "takes 1 argument, not 2");
    assert_error("normal(1)", 1, 1, "takes 2 arguments, not 1");
    assert_error("max()", 1, 5, "a value");
    assert_error("histogram(0:1)", 1, 14, "':'");
    assert_error("max(h in hosts, 1)", 1, 15, "':'");
    assert_error("max(h in hosts: h)", 1, 17, "member of a set");
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
    assert_repeated("max(h in hosts: ", 20, "1", "more than 16 folds");
    assert_repeated("1+", 9000, "1", NULL);
    assert_repeated("1+", 12000, "1", "20000 parts");
    assert_repeated("1+", 5000000, "1", "longer than 65536");
    assert_repeated("a=1;", 1001, "a", "1000 assignments");
    assert_repeated("a", 300, "", "more than 255");
    assert_repeated("sum(h in hosts: ", 14, "1))))))))))))))", "more than 1000000 steps");
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
        TEST(sharp_intervals_hold_every_point),
        TEST(the_scope_supplies_names_and_sets),
        TEST(faults_are_placed),
        TEST(failures_name_the_operator),
        TEST(limits_hold),
    };

    return RUN_TESTS(tests);
}
