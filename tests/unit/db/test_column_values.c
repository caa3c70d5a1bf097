/* test_column_values.c - what a column of a table of runs means by its values. */
#include "unit.h"

#include <string.h>

#include "db/column_values.h"

static void add_texts(struct rc_column_values *values, const char *const *texts)
{
    for (; *texts; texts++)
        rc_db_column_values_text(values, *texts, strlen(*texts));
}

static void states_and_dates_are_recognized(void **state)
{
    static const char *const states[] = {"COMPLETED", "failed", "CANCELLED by 12", "RUNNING", NULL};
    static const char *const dates[] = {"2026-11-15", "2026-11-15T02:47", NULL};
    static const char *const names[] = {"COMPLETEDLY", "batch", NULL};
    struct rc_column_values values = {0};

    (void)state;
    assert_false(rc_db_column_values_are(&values, "status", false));
    add_texts(&values, states);
    assert_true(rc_db_column_values_are(&values, "status", true));
    assert_false(rc_db_column_values_are(&values, "start", false));
    add_texts(&values, dates);
    assert_false(rc_db_column_values_are(&values, "status", true));
    assert_true(rc_db_column_values_are(&values, "status", false));
    add_texts(&values, names);
    rc_db_column_values_number(&values, 5);
    assert_false(rc_db_column_values_are(&values, "status", false));
}

static void seconds_since_1970_are_dates(void **state)
{
    struct rc_column_values values = {0};

    (void)state;
    rc_db_column_values_number(&values, 1794735000);
    assert_true(rc_db_column_values_are(&values, "start", true));
    rc_db_column_values_number(&values, 20261115);
    assert_false(rc_db_column_values_are(&values, "start", true));
}

static void final_states_have_a_status(void **state)
{
    enum rc_run_status status;

    (void)state;
    assert_int_equal(rc_db_run_status_parse("timeout", &status), 0);
    assert_int_equal(status, RC_RUN_INTERRUPTED);
    assert_int_equal(rc_db_run_status_parse("NODE_FAIL", &status), 0);
    assert_int_equal(status, RC_RUN_FAILED);
    assert_int_equal(rc_db_run_status_parse("RUNNING", &status), -1);
}

/* Numbers that follow from the number of processes, with 100 different ones or 2. */
static struct rc_column_pattern pattern_of(int64_t procs, int rows)
{
    struct rc_column_pattern pattern = {0};

    for (int i = 0; i < rows; i++) {
        int64_t p = 1 + i % procs;

        rc_db_column_pattern_add(&pattern, p, (double)(2 * p));
    }
    return pattern;
}

static void dependence_on_procs_is_recognized(void **state)
{
    struct rc_column_pattern pattern = pattern_of(4, 8);

    (void)state;
    assert_true(rc_db_column_pattern_of_procs(&pattern));
    rc_db_column_pattern_add(&pattern, 4, 7);
    assert_false(rc_db_column_pattern_of_procs(&pattern));
    pattern = pattern_of(4, 7); /* too few to tell */
    assert_false(rc_db_column_pattern_of_procs(&pattern));
    pattern = pattern_of(RC_COLUMN_PROCS_MAX + 1, 1000);
    assert_false(rc_db_column_pattern_of_procs(&pattern));
    pattern = pattern_of(1, 8);
    assert_false(pattern.varies || rc_db_column_pattern_of_procs(&pattern));
}

static bool are_ids(const double *numbers, size_t n)
{
    struct rc_column_ids ids = {0};
    bool are;

    for (size_t i = 0; i < n; i++)
        rc_db_column_ids_add(&ids, numbers[i]);
    are = rc_db_column_ids_are(&ids);
    rc_db_column_ids_free(&ids);
    return are;
}

static void ids_are_recognized(void **state)
{
    (void)state;
    assert_true(are_ids((double[]){1, 2, 3, 4, 5}, 5));
    assert_false(are_ids((double[]){1, 2, 3, 4}, 4)); /* too few to tell */
    assert_true(are_ids((double[]){9, -2, 3e15, 4, 0}, 5));
    assert_false(are_ids((double[]){9, 2, 3, 4, 9}, 5));
    assert_false(are_ids((double[]){0, 2, 3, 4, -0.0}, 5));
    assert_false(are_ids((double[]){1, 2, 3, 4, 4}, 5));
    assert_false(are_ids((double[]){1, 2, 3.5, 4, 5}, 5));
    assert_false(are_ids((double[]){0.5, 2, 3, 4, 5}, 5));
}

/* `n` different numbers that go up and down, and then the first one again. */
static bool are_long_ids(size_t n, bool rise)
{
    struct rc_column_ids ids = {0};
    bool are;

    for (size_t i = 0; i < n; i++)
        rc_db_column_ids_add(&ids, (double)(rise ? i : i ^ 1));
    if (!rise)
        rc_db_column_ids_add(&ids, 1);
    assert_true(ids.room <= 4 * RC_COLUMN_IDS_MAX);
    are = rc_db_column_ids_are(&ids);
    rc_db_column_ids_free(&ids);
    return are;
}

static void ids_of_long_tables_are_recognized(void **state)
{
    (void)state;
    assert_true(are_long_ids(100 * RC_COLUMN_IDS_MAX, true));
    assert_false(are_long_ids(RC_COLUMN_IDS_MAX - 2, false));
    assert_true(are_long_ids(RC_COLUMN_IDS_MAX, false)); /* it is not looked at any more */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_and_dates_are_recognized),
        cmocka_unit_test(seconds_since_1970_are_dates),
        cmocka_unit_test(final_states_have_a_status),
        cmocka_unit_test(dependence_on_procs_is_recognized),
        cmocka_unit_test(ids_are_recognized),
        cmocka_unit_test(ids_of_long_tables_are_recognized),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
