/* Expressions: what they mean, what they refuse, and that a name is one quantity. */
#include "expression.h"

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
    assert_error("sum(t in 1 to interval(1, 2): t)", 1, 1,
                 "must be a number, not a value of kind interval");
    assert_error("sum(t in 1 to 1e9: t)", 1, 1, "too long");
    assert_error("sum(t in 1 2: t)", 1, 12, "'to' between two numbers");
    assert_error("cpu[1, 2, 3, 4, 5]", 1, 4, "more than 4 indices");
    assert_error("cpu[load[a1] + 1]", 1, 1,
                 "an index must be a number, not a value of kind interval");
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
    assert_error("farm(2, hosts)", 1, 9, "'NAME in SET: time of one job'");
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
    struct rc_expression *expression =
        rc_value_expression_parse(text, strlen(text), &origin, &error);
    struct rc_value *value = NULL;

    if (expression)
        value = rc_value_evaluation_value(evaluation, expression, NULL, 0, &error);
    if (!value)
        fail_msg("%s: %s", text, error.text);
    rc_value_expression_destroy(expression);
    return value;
}

static void evaluations_share_what_they_find(void **state)
{
    struct rc_evaluation *evaluation = rc_value_evaluation_create(RC_SAMPLE, &rules, &scope, NULL);
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
    rc_value_evaluation_destroy(evaluation);

    evaluation = rc_value_evaluation_create(RC_POINT, &rules, &scope, NULL);
    rc_value_drop(next_value(evaluation, "over[node-4] + cpu[node-2]"));
    rc_value_evaluation_names(evaluation, see, &seen);
    assert_string_equal(seen.text, "bw/node-1/node-4=14 bw/node-2/node-4=24 speed=10 twice=20 "
                                   "over/node-4=1.9 cpu/node-2=0.5 ");
    rc_value_evaluation_destroy(evaluation);
}

/* What is in a sample stays the same when a sample turns up late. */
static void a_late_sample_makes_all_samples(void **state)
{
    struct rc_evaluation *evaluation = rc_value_evaluation_create(-1, &rules, &scope, NULL);
    struct rc_value *value = next_value(evaluation, "speed");

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_NORMAL);
    rc_value_drop(value);
    rc_value_drop(next_value(evaluation, "speed + seen"));
    value = next_value(evaluation, "speed");
    assert_int_equal(rc_value_kind(value), RC_SAMPLE);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
}

static void collect(void *data, const struct rc_reference *reference)
{
    struct seen *seen = data;
    size_t length = strlen(seen->text);

    snprintf(seen->text + length, sizeof seen->text - length, "%s%s%zu@%u:%u ", reference->name,
             reference->is_set     ? "*"
             : reference->is_index ? "#"
                                   : "/",
             reference->n_indices, reference->line, reference->column);
}

static void references_are_listed(void **state)
{
    const char *const parameters[] = {"h"};
    const struct rc_expression_origin origin = {
        .file = "m", .line = 3, .column = 5, .parameters = parameters, .n_parameters = 1};
    const char *text = "x = N; sum(g in near[h]:\n bw[master, g]) + x + count(all) + h";
    struct rc_expression *expression = rc_value_expression_parse(text, strlen(text), &origin, NULL);
    struct seen seen = {.text = ""};

    (void)state;
    assert_non_null(expression);
    assert_string_equal(rc_value_expression_text(expression), text);
    rc_value_expression_references(expression, collect, &seen);
    assert_string_equal(seen.text, "N/0@3:9 near*1@3:21 bw/2@4:2 master#0@4:5 all*0@4:29 ");
    rc_value_expression_destroy(expression);
}

/* ---- what is refused ---- */

static void faults_are_placed(void **state)
{
    (void)state;
    assert_error("", 1, 1, "the expression ends; expected a value");
    assert_error("1 +", 1, 4, "the expression ends; expected a value");
    assert_error("1 + * 2", 1, 5, "unexpected '*'; expected a value");
    assert_error("(1 + 2", 1, 7, "')'");
    assert_error("1 2", 1, 3, "an operator or ';'");
    assert_error("1;2", 1, 1, "this statement has no effect");
    assert_error("x = 1;\n  y = µ", 2, 7, "unexpected 'µ'; expected a value");
    assert_error("64K", 1, 1, "not a number");
    assert_error("1.2.3", 1, 1, "not a number");
    assert_error("1e999", 1, 1, "not a number");
    assert_error("sine(1)", 1, 1, "unknown function 'sine'");
    assert_error("max + 1", 1, 5, "'('");
    assert_error("max = 1", 1, 1, "is a reserved word");
    assert_error("to = 1", 1, 1, "is a reserved word");
    assert_error("1 + sqrt(1, 2)", 1, 5, "takes 1 argument, not 2");
    assert_error("normal(1)", 1, 1, "takes 2 arguments, not 1");
    assert_error("max()", 1, 5, "a value");
    assert_error("histogram(0:1)", 1, 14, "':'");
    assert_error("max(h in hosts, 1)", 1, 15, "':'");
    assert_error("max(in in hosts: 1)", 1, 5, "is a reserved word");
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
    assert_error("normal(interval(1, 2), 1)", 1, 1, "must be a number");
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
    assert_repeated("(", 10000, "1", "nested brackets");
    assert_repeated("-", 10000, "1", "nested brackets");
    assert_repeated("2^", 10000, "1", "nested brackets");
    assert_repeated("max(", 10000, "1", "nested brackets");
    assert_repeated("a[", 10000, "1", "nested brackets");
    assert_repeated("sum(h in a[", 5000, "1", "nested brackets");
    assert_repeated("farm(", 10000, "1", "nested brackets");
    assert_repeated("max(h in hosts: ", 20, "1", "more than 16 nested sums");
    assert_repeated("1+", 9000, "1", NULL);
    assert_repeated("1+", 12000, "1", "20000 operations");
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
