/* fuzz_expression.c - any bytes as an expression, computed in every kind. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/error.h"
#include "base/random.h"
#include "stats/value/expression.h"

/* Whatever is asked for is there, of a kind that its name decides. */
static struct rc_value *scope_value(void *data, const char *name, const char *const *indices,
                                    size_t n_indices, struct rc_error *error)
{
    static const double draws[] = {1, 2, 4, 8};
    double x = n_indices ? (double)strlen(indices[n_indices - 1]) : 3;

    (void)data;
    switch (name[0] % 5) {
    case 0:
        return rc_value_point(x, error);
    case 1:
        return rc_value_normal(x, 1, 0, error);
    case 2:
        return rc_value_interval(x, x + 1, error);
    case 3:
        return rc_value_sample(draws, 4, error);
    default:
        rc_error_set(error, "there is no such name");
        return NULL;
    }
}

static int scope_members(void *data, const char *set, const char *const *indices, size_t n_indices,
                         const char *const **members, size_t *n_members, struct rc_error *error)
{
    static const char *const all[] = {"a", "bb", "node-3"};

    (void)data;
    (void)indices;
    (void)n_indices;
    *members = all;
    *n_members = (size_t)set[0] % 4;
    return set[0] == 'x' ? rc_error_set(error, "there is no such set") : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct rc_expression_scope scope = {.value = scope_value, .members = scope_members};
    const struct rc_expression_origin origin = {.file = "fuzz", .line = 1, .column = 1};
    struct rc_error error = {.text = ""};
    struct rc_expression *expression;
    struct rc_value_rules rules;
    struct rc_value *value;

    rc_value_rules_init(&rules);
    rules.bins = 8;
    rules.draws = 4;
    rules.extreme = (enum rc_extreme)(size % 3);
    expression = rc_value_expression_parse((const char *)data, size, &origin, &error);
    if (!expression) {
        must(error.text[0] && strcmp(error.file, "fuzz") == 0 && error.line > 0 &&
             error.column > 0);
        return 0;
    }
    rules.random = rc_random_create(1, 0);
    for (int as = -1; rules.random && as < RC_VALUE_KINDS; as++) {
        error = (struct rc_error){.text = ""};
        value = rc_value_expression_evaluate(expression, as, &rules, &scope, &error);
        if (value)
            must(isfinite(rc_value_mean(value)) && rc_value_low(value) <= rc_value_high(value));
        else
            must(error.text[0]);
        rc_value_drop(value);
    }
    rc_random_destroy(rules.random);
    rc_value_expression_destroy(expression);
    return 0;
}
