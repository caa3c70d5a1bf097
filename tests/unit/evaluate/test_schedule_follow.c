// SPDX-License-Identifier: GPL-3.0-or-later
/* A program's progress along the load of its hosts. */
#include "unit.h"

#include "schedule_follow.h"

/* Two hosts of 2 and 1 operations a second: 1, then 0.5 from 10 s on; 1, then 0.25 from 20 s to
 * 40 s. */
static struct rc_sample first[] = {{0, 1}, {10, 0.5}};
static struct rc_sample second[] = {{0, 1}, {20, 0.25}, {40, 1}};
static const struct rc_follow_host hosts[] = {{2, {first, 2}}, {1, {second, 3}}};

static void one_iteration_ends_with_the_last_host(void **state)
{
    const struct rc_follow_program program = {.iterations = 1, .operations = 1};

    (void)state;
    /* 20 operations by 10 s, 1 a second after that: 15 s. */
    assert_near(rc_follow(&program, hosts, 2, 0, (double[]){25, 5}), 15, 1e-12);
    /* 20 by 20 s, 5 more by 40 s, 1 after that. */
    assert_near(rc_follow(&program, hosts, 2, 0, (double[]){25, 26}), 41, 1e-12);
    /* From 15 s on: 5 by 20 s, 5 more by 40 s. */
    assert_near(rc_follow(&program, hosts, 2, 15, (double[]){1, 10}), 25, 1e-12);
}

static void hosts_wait_after_each_iteration(void **state)
{
    struct rc_follow_program program = {.iterations = 2, .operations = 1, .messages = 0.5};

    (void)state;
    /* The first host ends at 5 s, the second at 8 s, and both go on at 8.5 s: 3 operations by 10 s
     * and 7 after that, 17 s; 16.5 s. */
    assert_near(rc_follow(&program, hosts, 2, 0, (double[]){10, 8}), 17.5, 1e-12);
    program.beside = 2; /* 12 operations and 10: at 6 and 10 s; from 10.5 s on 12 and 10 s */
    assert_near(rc_follow(&program, hosts, 2, 0, (double[]){10, 8}), 23, 1e-12);
}

static void neighbours_wait_for_neighbours_only(void **state)
{
    struct rc_sample free_core[] = {{0, 1}}, slow_start[] = {{0, 0.5}, {20, 1}};
    const struct rc_follow_host three[] = {{1, {slow_start, 2}},
                                           {1, {free_core, 1}},
                                           {1, {free_core, 1}}};
    struct rc_follow_program program = {.iterations = 2, .operations = 1};
    const double units[] = {10, 10, 18};

    (void)state;
    /* The first host ends at 20 s, the second at 10 s, the third at 18 s.  All: from 20 s on, 18 s
     * more.  Neighbours: the third has waited for the second only, and goes on at 18 s. */
    assert_near(rc_follow(&program, three, 3, 0, units), 38, 1e-12);
    program.neighbours = true;
    assert_near(rc_follow(&program, three, 3, 0, units), 36, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_iteration_ends_with_the_last_host),
        cmocka_unit_test(hosts_wait_after_each_iteration),
        cmocka_unit_test(neighbours_wait_for_neighbours_only),
    };

    return RUN_TESTS(tests);
}
