/* expression.h - for tests of expressions: a scope with three hosts and some definitions, and ways to
 * ask. */
#ifndef RC_TESTS_EXPRESSION_H
#define RC_TESTS_EXPRESSION_H

#include "unit.h"

#include "base/random.h"
#include "stats/value/expression.h"

static struct rc_value_rules rules;

/* ---- a scope with three hosts ---- */

static unsigned lookups;

static inline struct rc_value *scope_value(void *data, const char *name, const char *const *indices,
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

static inline int scope_members(void *data, const char *set, const char *const *indices,
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
static inline const char *scope_member(void *data, const char *word)
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

static inline const struct rc_expression *
scope_definition(void *data, const char *name, const char *const *indices, size_t n_indices)
{
    (void)data;
    (void)indices;
    (void)n_indices;
    for (size_t i = 0; i < N_DEFINITIONS; i++)
        if (strcmp(definitions[i].name, name) == 0)
            return defined[i];
    return NULL;
}

static inline void define_all(void)
{
    struct rc_error error = {.text = ""};

    for (size_t i = 0; i < N_DEFINITIONS; i++) {
        const struct rc_expression_origin origin = {.file = "model",
                                                    .line = 10,
                                                    .column = 7,
                                                    .parameters = definitions[i].parameters,
                                                    .n_parameters = definitions[i].n_parameters};

        defined[i] = rc_value_expression_parse(definitions[i].text, strlen(definitions[i].text),
                                               &origin, &error);
        if (!defined[i])
            fail_msg("%s: %s", definitions[i].text, error.text);
    }
}

static const struct rc_expression_scope scope = {.definition = scope_definition,
                                                 .value = scope_value,
                                                 .members = scope_members,
                                                 .member = scope_member};

static inline int set_up(void **state)
{
    (void)state;
    rc_value_rules_init(&rules);
    rules.draws = 2000;
    rules.random = rc_random_create(7, 0);
    define_all();
    return rules.random ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    rc_random_destroy(rules.random);
    for (size_t i = 0; i < N_DEFINITIONS; i++)
        rc_value_expression_destroy(defined[i]);
    return 0;
}

/* ---- asking ---- */

static inline struct rc_value *evaluate_bytes(const char *text, size_t length, int as,
                                              struct rc_error *error)
{
    const struct rc_expression_origin origin = {.file = "test", .line = 1, .column = 1};
    struct rc_expression *expression = rc_value_expression_parse(text, length, &origin, error);
    struct rc_value *value = NULL;

    if (expression)
        value = rc_value_expression_evaluate(expression, as, &rules, &scope, error);
    rc_value_expression_destroy(expression);
    return value;
}

static inline struct rc_value *evaluate(const char *text, int as)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = evaluate_bytes(text, strlen(text), as, &error);

    if (!value)
        fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.text);
    return value;
}

static inline void assert_point(const char *text, double wanted)
{
    struct rc_value *value = evaluate(text, -1);
    double mean = rc_value_mean(value);

    if (rc_value_kind(value) != RC_POINT || !(fabs(mean - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%s is %s %.17g, not %.17g", text, rc_value_kind_name(rc_value_kind(value)), mean,
                 wanted);
    rc_value_drop(value);
}

static inline void assert_moments(const char *text, int as, enum rc_value_kind kind, double mean,
                                  double sd, double tolerance)
{
    struct rc_value *value = evaluate(text, as);

    if (rc_value_kind(value) != kind || !(fabs(rc_value_mean(value) - mean) <= tolerance) ||
        !(fabs(rc_value_sd(value) - sd) <= tolerance))
        fail_msg("%s is %s %.10g, sd %.10g", text, rc_value_kind_name(rc_value_kind(value)),
                 rc_value_mean(value), rc_value_sd(value));
    rc_value_drop(value);
}

static inline void assert_ends(const char *text, int as, double low, double high)
{
    struct rc_value *value = evaluate(text, as);

    if (rc_value_kind(value) != RC_INTERVAL || !(fabs(rc_value_low(value) - low) <= 1e-9) ||
        !(fabs(rc_value_high(value) - high) <= 1e-9))
        fail_msg("%s is %s from %.17g to %.17g", text, rc_value_kind_name(rc_value_kind(value)),
                 rc_value_low(value), rc_value_high(value));
    rc_value_drop(value);
}

static inline void assert_error_as(const char *text, int as, unsigned line, unsigned column,
                                   const char *says)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = evaluate_bytes(text, strlen(text), as, &error);

    if (value || !strstr(error.text, says) || error.line != line || error.column != column ||
        strcmp(error.file, "test") != 0)
        fail_msg("%s: %s:%u:%u: %s", text, error.file, error.line, error.column, error.text);
}

static inline void assert_error(const char *text, unsigned line, unsigned column, const char *says)
{
    assert_error_as(text, -1, line, column, says);
}

#endif
