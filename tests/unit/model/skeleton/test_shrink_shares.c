// SPDX-License-Identifier: GPL-3.0-or-later
/* test_shrink_shares.c - event groups of which less than one is left: how many calls, bytes, and
 * how much computing remain of them, and where. */
#include "play_loop_tree.h"
#include "unit.h"

/* Each rank sends to the next one, and computes a millisecond before each of the calls. */
static void ring(struct play *play, uint64_t bytes)
{
    static const int32_t requests[] = {0, 1};

    for (uint32_t r = 0; r < play->ranks; r++) {
        play_post(play, r, RC_TRACE_Irecv, (int32_t)((r + play->ranks - 1) % play->ranks), 1, bytes,
                  0);
        play_post(play, r, RC_TRACE_Isend, (int32_t)((r + 1) % play->ranks), 1, bytes, 1);
        play_waitall(play, r, requests, 2);
    }
}

/* Two event groups with the same kinds of calls, of which one is rare: their remainders count
 * together. */
static void calls_of_a_kind_keep_their_number(void **state)
{
    static const double ratios[] = {1.5, 2.3, 3.7, 9.05, 11.06, 13.4, 17.9, 22.1};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 240; i++) {
        ring(&play, 80000);
        play_collective(&play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
    }
    for (int i = 0; i < 3; i++)
        ring(&play, 30000);
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan plan;

        compose(&found, ratios[i], &plan);
        for (uint32_t r = 0; r < 4; r++) {
            assert_near(made_of(&plan, r, RC_TRACE_Isend).calls, 243 / ratios[i], 0.5 + 1e-9);
            assert_near(made_of(&plan, r, RC_TRACE_Waitall).calls, 243 / ratios[i], 0.5 + 1e-9);
            assert_near(sums_of(&plan, r).bytes * ratios[i] / (240 * 80000 + 3 * 30000), 1, 0.05);
            assert_near(sums_of(&plan, r).seconds * ratios[i], (243 * 3 + 240 + 1) * 1e-3, 1e-9);
        }
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* What is computed between Isend and Waitall is no less of it in a shorter program. */
static void computing_stays_while_messages_are_under_way(void **state)
{
    static const unsigned between[] = {RC_TRACE_Allreduce, RC_TRACE_Allgather, RC_TRACE_Alltoall};
    static const double ratios[] = {1.5, 2, 2.9, 6, 11};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            ring(&play, 2000000);
            play_collective(&play, between[k], RC_TRACE_NONE, 8);
        }
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan plan;

        compose(&found, ratios[i], &plan);
        for (uint32_t r = 0; r < 4; r++) {
            assert_near(made_of(&plan, r, RC_TRACE_Waitall).before * ratios[i], 12e-3, 1e-9);
            assert_near(sums_of(&plan, r).bytes * ratios[i] / (12 * 2e6), 1, 0.01);
        }
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* One that is the only one of its kind, and long, is done with a smaller message. */
static void what_there_is_one_of_is_made_smaller(void **state)
{
    struct play play;
    struct found found;
    struct rc_plan plan;

    (void)state;
    play_begin(&play, 4);
    ring(&play, 10000000);
    for (int i = 0; i < 100; i++)
        play_collective(&play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
    find(&play, 1, &found);
    compose(&found, 10, &plan);
    assert_near(made_of(&plan, 0, RC_TRACE_Isend).calls, 1, 0);
    assert_near(made_of(&plan, 0, RC_TRACE_Allreduce).calls, 10, 0);
    assert_near(sums_of(&plan, 0).bytes, 1e6 - 0.9 * RC_LOOP_TREE_HALF_SPEED + 10 * 8, 100);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

/* Many short loops, none of which has messages of the size of another's: of each something is left
 * over, for which a smaller message is sent, or the others are made longer. */
static void bytes_stay_the_same_in_all(void **state)
{
    enum { LOOPS = 50, TIMES = 19 };
    double all = 0;
    struct rc_plan plan;
    struct found found;
    struct play play;

    (void)state;
    play_begin(&play, 3);
    for (int i = 0; i < LOOPS; i++)
        for (int k = 0; k < TIMES; k++) {
            ring(&play, 14000 + 16 * (uint64_t)(i * 7 % LOOPS));
            all += 14000 + 16 * (i * 7 % LOOPS);
        }
    find(&play, 1, &found);
    assert_near(found.tree.threshold, 0, 1e-9);
    compose(&found, 5, &plan);
    for (uint32_t r = 0; r < 3; r++) {
        assert_near(5 * sums_of(&plan, r).bytes / all, 1, 0.005);
        assert_near(5 * made_of(&plan, r, RC_TRACE_Isend).calls / (LOOPS * TIMES), 1, 0.005);
    }
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

/* A few iterations of a multigrid cycle, which is on no level like on another: some levels are left
 * out, and so would be what is sent on them. */
static void bytes_stay_the_same_where_acts_are_few(void **state)
{
    static const uint64_t levels[] = {40000, 10400, 2800, 800, 240, 800, 2800, 10400};
    static const double ratios[] = {1.7, 2, 3, 5, 8, 10};
    double all = 0, across = 0;
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < COUNT(levels); k++) {
            ring(&play, levels[k]);
            play_send(&play, 0, 2, 7, levels[k] / 2);
            play_recv(&play, 2, 0, 7, levels[k] / 2);
            all += (double)levels[k];
            across += (double)levels[k] / 2;
        }
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan plan;

        compose(&found, ratios[i], &plan);
        assert_near(sums_of(&plan, 0).bytes * ratios[i] / (all + across), 1, 0.01);
        for (uint32_t r = 1; r < 4; r++)
            assert_near(sums_of(&plan, r).bytes * ratios[i] / all, 1, 0.01);
        assert_near(made_of(&plan, 3, RC_TRACE_Isend).calls, 4 * (double)COUNT(levels) / ratios[i],
                    1);
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* Where sends must not wait, no message may become so long that it does. */
static void messages_stay_short_where_sends_must_not_wait(void **state)
{
    enum { TIMES = 7, LENGTH = 3000 };
    static const double ratios[] = {1.3, 2, 3, 5};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 2);
    for (uint64_t i = 0; i < TIMES; i++) {
        for (uint32_t r = 0; r < 2; r++)
            play_send(&play, r, (int32_t)!r, 0, LENGTH + 800 * (i % 2));
        for (uint32_t r = 0; r < 2; r++)
            play_recv(&play, r, (int32_t)!r, 0, LENGTH + 800 * (i % 2));
    }
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan_checked checked;
        struct rc_error error = {0};
        struct rc_plan plan;

        if (rc_skeleton_compose_checked(&found.tree, ratios[i], &plan, &checked, &error))
            fail_msg("%s", error.text);
        assert_false(checked.synchronous);
        for (size_t op = 0; op < plan.n_ops; op++)
            assert_in_range(plan.ops[op].out.bytes, 0, LENGTH + 800);
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* A short message that goes with a long one is made smaller with it, but not to nothing. */
static void no_message_is_left_empty(void **state)
{
    static const int32_t requests[] = {0, 1};
    static const double ratios[] = {3, 20, 100};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 2);
    for (uint32_t r = 0; r < 2; r++)
        for (int32_t k = 0; k < 2; k++)
            play_post(&play, r, r ? RC_TRACE_Irecv : RC_TRACE_Isend, (int32_t)!r, k,
                      k ? 10000000 : 8, k);
    for (uint32_t r = 0; r < 2; r++)
        play_waitall(&play, r, requests, 2);
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan plan;

        compose(&found, ratios[i], &plan);
        assert_near(made_of(&plan, 0, RC_TRACE_Isend).calls, 2, 0);
        for (size_t op = 0; op < plan.n_ops; op++)
            assert_true(plan.ops[op].kind != RC_TRACE_Isend || plan.ops[op].out.bytes >= 8);
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* Event groups that all differ, and a last one that is large, for which others stand. */
static void what_comes_last_counts_from_the_beginning(void **state)
{
    enum { SINGLE = 90, LAST = 30 };
    struct play play;
    struct found found;
    struct rc_plan plan;
    int32_t requests[LAST];

    (void)state;
    play_begin(&play, 2);
    for (uint64_t i = 0; i < SINGLE; i++) {
        play_send(&play, 0, 1, 0, 8 * i);
        play_recv(&play, 1, 0, 0, 8 * i);
    }
    for (int32_t i = 0; i < LAST; i++) {
        requests[i] = i;
        play_post(&play, 1, RC_TRACE_Irecv, 0, i, 8, i);
        play_send(&play, 0, 1, i, 8);
    }
    play_waitall(&play, 1, requests, LAST);
    find(&play, 1, &found);
    compose(&found, 10, &plan);
    assert_near(made_of(&plan, 0, RC_TRACE_Send).calls, (SINGLE + LAST) / 10, 1);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_a_kind_keep_their_number),
        cmocka_unit_test(what_comes_last_counts_from_the_beginning),
        cmocka_unit_test(computing_stays_while_messages_are_under_way),
        cmocka_unit_test(what_there_is_one_of_is_made_smaller),
        cmocka_unit_test(bytes_stay_the_same_in_all),
        cmocka_unit_test(bytes_stay_the_same_where_acts_are_few),
        cmocka_unit_test(no_message_is_left_empty),
        cmocka_unit_test(messages_stay_short_where_sends_must_not_wait),
    };

    return RUN_TESTS(tests);
}
