// SPDX-License-Identifier: GPL-3.0-or-later
/* test_handles.c - numbers for the handles of a program that is recorded. */
#include "unit.h"

#include "mpi/preload/handle_table.h"

enum { MANY = 20000 };

static char places[MANY], elsewhere[MANY];

static struct rc_preload_table new_table(void)
{
    struct rc_preload_table table;

    assert_int_equal(rc_preload_table_init(&table, 1 << 17), 0);
    return table;
}

static void numbers_are_the_lowest_that_are_free(void **state)
{
    struct rc_preload_table table = new_table();

    (void)state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(rc_preload_table_add(&table, 1000 + (uint64_t)i, &places[i]), i);
    rc_preload_table_remove(&table, 70);
    rc_preload_table_remove(&table, 7);
    assert_int_equal(rc_preload_table_add(&table, 5, &places[7]), 7);
    assert_int_equal(rc_preload_table_add(&table, 6, &places[70]), 70);
    assert_int_equal(rc_preload_table_add(&table, 7, &places[100]), 100);
    assert_int_equal(rc_preload_table_find(&table, 1007, &places[7]), -1);
    rc_preload_table_free(&table);
}

static void handles_that_were_copied_are_found(void **state)
{
    struct rc_preload_table table = new_table();

    (void)state;
    for (int i = 0; i < MANY; i++)
        assert_int_equal(rc_preload_table_add(&table, 16 * (uint64_t)i, &places[0]), i);
    for (int i = MANY - 1; i >= 0; i--) {
        assert_int_equal(rc_preload_table_find(&table, 16 * (uint64_t)i, &elsewhere[i]), i);
        rc_preload_table_remove(&table, i);
        assert_int_equal(rc_preload_table_find(&table, 16 * (uint64_t)i, &elsewhere[i]), -1);
    }
    assert_int_equal(rc_preload_table_add(&table, 16, &places[0]), 0);
    assert_int_equal(rc_preload_table_find(&table, 16, &elsewhere[0]), 0);
    assert_int_equal(rc_preload_table_find(&table, 16, NULL), -1);
    rc_preload_table_free(&table);
}

static void of_those_with_one_handle_the_place_decides_and_then_age(void **state)
{
    struct rc_preload_table table = new_table();

    (void)state;
    for (int i = 0; i < 50; i++)
        assert_int_equal(rc_preload_table_add(&table, 8, &places[i]), i);
    assert_int_equal(rc_preload_table_find(&table, 8, &places[30]), 30);
    assert_int_equal(rc_preload_table_find(&table, 8, &elsewhere[0]), 0);
    rc_preload_table_remove(&table, 49);
    rc_preload_table_remove(&table, 1);
    rc_preload_table_remove(&table, 0);
    assert_int_equal(rc_preload_table_add(&table, 8, &places[0]), 0);
    for (int i = 2; i < 49; i++) {
        assert_int_equal(rc_preload_table_find(&table, 8, &elsewhere[0]), i);
        rc_preload_table_remove(&table, i);
    }
    assert_int_equal(rc_preload_table_find(&table, 8, &elsewhere[0]), 0);
    rc_preload_table_remove(&table, 0);
    assert_int_equal(rc_preload_table_find(&table, 8, &elsewhere[0]), -1);
    rc_preload_table_free(&table);
}

/* Another thread gets the handle of what is about to go, before that is gone. */
static void what_leaves_has_its_number_and_no_handle(void **state)
{
    struct rc_preload_table table = new_table();

    (void)state;
    assert_int_equal(rc_preload_table_add(&table, 4, NULL), 0);
    rc_preload_table_leave(&table, 0);
    assert_int_equal(rc_preload_table_find(&table, 4, NULL), -1);
    assert_int_equal(rc_preload_table_find(&table, 4, &places[0]), -1);
    for (int i = 1; i < 200; i++) /* enough for it to grow */
        assert_int_equal(rc_preload_table_add(&table, 3 + (uint64_t)i, NULL), i);
    assert_int_equal(rc_preload_table_find(&table, 4, NULL), 1);
    rc_preload_table_remove(&table, 0);
    assert_int_equal(rc_preload_table_find(&table, 4, NULL), 1);
    rc_preload_table_leave(&table, 1);
    rc_preload_table_stay(&table, 1);
    assert_int_equal(rc_preload_table_find(&table, 4, NULL), 1);
    assert_int_equal(rc_preload_table_find(&table, 4, &places[0]), 1);
    rc_preload_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_the_lowest_that_are_free),
        cmocka_unit_test(handles_that_were_copied_are_found),
        cmocka_unit_test(of_those_with_one_handle_the_place_decides_and_then_age),
        cmocka_unit_test(what_leaves_has_its_number_and_no_handle),
    };

    return RUN_TESTS(tests);
}
