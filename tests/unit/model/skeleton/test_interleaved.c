// SPDX-License-Identifier: GPL-3.0-or-later
/* test_interleaved.c - programs whose messages cross iterations. */
#include "play_loop_tree.h"

#include "model/skeleton/match/event_groups.h"

/* ---- made-up programs ---- */

static int32_t above(const struct play *play, uint32_t rank)
{
    return rank + 1 < play->ranks ? (int32_t)rank + 1 : RC_TRACE_NULL;
}

static int32_t below(uint32_t rank)
{
    return rank > 0 ? (int32_t)rank - 1 : RC_TRACE_NULL;
}

/* Both sides of a row of ranks exchange, with receives posted one iteration ahead; after each
 * `every` iterations all meet. */
static void halo(struct play *play, uint32_t iterations, uint64_t bytes, uint32_t every)
{
    static const int32_t requests[2][4] = {{0, 1, 4, 5}, {2, 3, 4, 5}};

    for (uint32_t r = 0; r < play->ranks; r++) {
        play_post(play, r, RC_TRACE_Irecv, below(r), 1, bytes, 0);
        play_post(play, r, RC_TRACE_Irecv, above(play, r), 2, bytes, 1);
    }
    for (uint32_t i = 0; i < iterations; i++) {
        int32_t next = i % 2 ? 0 : 2;

        for (uint32_t r = 0; r < play->ranks; r++) {
            if (i + 1 < iterations) {
                play_post(play, r, RC_TRACE_Irecv, below(r), 1, bytes, next);
                play_post(play, r, RC_TRACE_Irecv, above(play, r), 2, bytes, next + 1);
            }
            play_post(play, r, RC_TRACE_Isend, above(play, r), 1, bytes, 4);
            play_post(play, r, RC_TRACE_Isend, below(r), 2, bytes, 5);
            play_waitall(play, r, requests[i % 2], 4);
        }
        if (i % every == every - 1)
            play_collective(play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
    }
}

/* A message goes round and round.  A send is waited for in the next iteration, together with that
 * one's receive, so that all waits of a rank hang together. */
static void ring(struct play *play, uint32_t iterations, uint64_t bytes, uint32_t tags)
{
    static const int32_t both[] = {0, 1};
    uint32_t n = play->ranks;

    for (uint32_t r = 0; r < n; r++) {
        int32_t left = (int32_t)((r + n - 1) % n), right = (int32_t)((r + 1) % n);

        if (r == 0)
            play_send(play, r, right, 0, bytes);
        for (uint32_t i = 0; i < iterations; i++) {
            play_post(play, r, RC_TRACE_Irecv, left, (int32_t)(i % tags), bytes, i == 0 ? 0 : 1);
            play_waitall(play, r, both, i == 0 ? 1 : 2);
            if (i + 1 < iterations || r > 0)
                play_post(play, r, RC_TRACE_Isend, right, (int32_t)((r ? i : i + 1) % tags), bytes,
                          0);
        }
        if (r > 0)
            play_wait(play, r, 0);
    }
}

/* From the first rank to the last; nothing comes back, so that only messages hold ranks together.
 * The first waits late for its sends, the last posts receives early. */
static void chain(struct play *play, uint32_t iterations, uint64_t bytes)
{
    uint32_t last = play->ranks - 1;

    for (uint32_t i = 0; i <= iterations; i++)
        for (uint32_t r = 0; r <= last; r++) {
            if (r > 0 && i < iterations)
                play_post(play, r, RC_TRACE_Irecv, (int32_t)r - 1, 3, bytes, (int32_t)(i % 2));
            if (r > 0 && i > 0)
                play_wait(play, r, (int32_t)((i - 1) % 2));
            if (r < last && i > 0)
                play_wait(play, r, 2);
            if (r < last && i < iterations)
                play_post(play, r, RC_TRACE_Isend, (int32_t)r + 1, 3, bytes, 2);
        }
}

/* ---- what is asked of plans ---- */

/* How many receives at most are under way on a rank. */
static int receives_ahead(const struct rc_plan *plan, uint32_t rank)
{
    const struct rc_plan_rank *program = plan->rank + rank;
    struct rc_loops loops = {.items = program->items, .n = program->n_items};
    bool is_receive[16] = {false};
    uint32_t *places;
    int now = 0, most = 0;

    loops.length = (size_t)sums_of(plan, rank).calls;
    places = malloc((loops.length + 1) * sizeof *places);
    assert_non_null(places);
    rc_skeleton_loops_places(&loops, places);
    for (size_t i = 0; i < loops.length; i++) {
        const struct rc_skeleton_plan_op *op =
            plan->ops + program->steps[program->items[places[i]].value].op;

        if (op->request >= 0 && op->kind != RC_TRACE_Wait)
            is_receive[op->request] = op->kind == RC_TRACE_Irecv;
        now += op->kind == RC_TRACE_Irecv;
        if (now > most)
            most = now;
        if (op->kind == RC_TRACE_Wait)
            now -= is_receive[op->request];
        for (uint32_t k = 0; op->kind == RC_TRACE_Waitall && k < op->list_length; k++)
            now -= is_receive[plan->lists[op->list + k]];
    }
    free(places);
    return most;
}

static double calls_of(const struct found *found, uint32_t rank)
{
    return (double)found->program->rank[rank].n_events;
}

/* Each call has a millisecond of computing before it, and so has the end. */
static void assert_shorter(const struct found *found, double ratio, double bytes, size_t most_items)
{
    struct rc_plan plan;

    compose(found, ratio, &plan);
    for (uint32_t r = 0; r < plan.ranks; r++) {
        struct sums sums = sums_of(&plan, r);

        assert_near(sums.seconds * ratio, (calls_of(found, r) + 1) * 1e-3, 1e-9);
        assert_near(sums.calls * ratio / calls_of(found, r), 1, 0.05);
        if (bytes > 0 && r > 0 && r + 1 < plan.ranks)
            assert_near(sums.bytes * ratio / bytes, 1, 0.05);
        assert_true(plan.rank[r].n_items <= most_items);
    }
    rc_skeleton_plan_free(&plan);
}

/* ---- tests ---- */

static void receives_posted_ahead_leave_loops(void **state)
{
    static const double ratios[] = {1, 2, 3.7, 10, 20};
    struct rc_skeleton_shrink_dominant dominant;
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 5);
    play_collective(&play, RC_TRACE_Bcast, 0, 8);
    halo(&play, 400, 60000, 10);
    find(&play, 10, &found);
    assert_true(found.tree.groups.interleaved);
    assert_true(found.tree.compression > 15);
    assert_true(rc_skeleton_shrink_dominant(&found.tree, &dominant));
    assert_true(dominant.iterations > 300);
    for (size_t i = 0; i < COUNT(ratios); i++)
        assert_shorter(&found, ratios[i], 2.0 * 400 * 60000, 120);
    forget(&found);
}

static void what_was_posted_ahead_stays_ahead(void **state)
{
    struct play play;
    struct found found;
    struct rc_plan plan;

    (void)state;
    play_begin(&play, 4);
    halo(&play, 200, 1000, 1000);
    find(&play, 10, &found);
    compose(&found, 10, &plan);
    for (uint32_t r = 0; r < 4; r++)
        assert_int_equal(receives_ahead(&plan, r), 4);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

static void waits_for_messages_of_two_iterations_do_not_bind_them(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    ring(&play, 300, 5000, 1);
    find(&play, 5, &found);
    assert_true(found.tree.groups.interleaved);
    for (double ratio = 1; ratio < 14; ratio *= 1.7)
        assert_shorter(&found, ratio, 300.0 * 5000, 60);
    forget(&found);
}

/* As many tags as iterations: they become one, or there would be no loops. */
static void tags_need_not_repeat(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 3);
    ring(&play, 300, 5000, 1000000);
    find(&play, 5, &found);
    assert_shorter(&found, 5, 300.0 * 5000, 60);
    forget(&found);
    play_begin(&play, 3);
    ring(&play, 300, 5000, 3);
    find(&play, 5, &found);
    assert_shorter(&found, 5, 300.0 * 5000, 120);
    forget(&found);
}

static void ranks_that_only_send_do_not_run_away(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 6);
    chain(&play, 400, 20000);
    find(&play, 10, &found);
    assert_true(found.tree.groups.interleaved);
    assert_true(found.tree.compression > 20);
    assert_shorter(&found, 10, 400.0 * 20000, 60);
    forget(&found);
}

static void short_or_odd_acts_stay_whole(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 3);
    halo(&play, 5, 1000, 100);
    find(&play, 2, &found);
    assert_false(found.tree.groups.interleaved);
    forget(&found);
    play_begin(&play, 2);
    for (int32_t i = 0; i < 40; i++) /* one message after the other, all waited for at the end */
        for (uint32_t r = 0; r < 2; r++)
            play_post(&play, r, r ? RC_TRACE_Irecv : RC_TRACE_Isend, 1 - (int32_t)r, 5,
                      (uint64_t)1 << (i % 20), i);
    for (int32_t i = 0; i < 40; i++)
        for (uint32_t r = 0; r < 2; r++)
            play_wait(&play, r, i);
    find(&play, 2, &found);
    assert_int_equal(found.tree.groups.n, 40);
    forget(&found);
}

/* ---- programs drawn at random ---- */

static uint64_t state_of_draws;

static uint32_t draw(uint32_t below_it)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_draws >> 33) % below_it;
}

static void piece(struct play *play)
{
    uint32_t times = 1 + draw(60), bytes = 1 + draw(100000);

    switch (draw(6)) {
    case 0:
        halo(play, times, bytes, 1 + draw(12));
        return;
    case 1:
        ring(play, times, bytes, 1 + draw(3) * 50);
        return;
    case 2:
        chain(play, times, bytes);
        return;
    case 3:
        play_collective(play, RC_TRACE_Allreduce, RC_TRACE_NONE, bytes);
        return;
    case 4:
        for (uint32_t i = 0; i < times; i++)
            for (uint32_t r = 0; r < play->ranks; r++)
                play_sendrecv(play, r, above(play, r), below(r), bytes);
        return;
    default:
        for (uint32_t i = 0, seed = draw(1000); i < 2 + times % 4; i++) {
            state_of_draws = seed;
            chain(play, 1 + draw(40), bytes);
            halo(play, 1 + draw(40), bytes, 1 + draw(12));
        }
        return;
    }
}

static void any_program_cut_anyhow_runs_to_its_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct play play;
        struct found found;

        state_of_draws = seed;
        play_begin(&play, 2 + draw(5));
        for (uint32_t i = 0, n = 1 + draw(5); i < n; i++)
            piece(&play);
        find(&play, 1 + draw(20), &found);
        for (double ratio = 1; ratio < 1000; ratio *= 2.3) {
            struct rc_plan plan;

            compose(&found, ratio, &plan);
            for (uint32_t r = 0; r < plan.ranks; r++)
                assert_near(sums_of(&plan, r).seconds * ratio, (calls_of(&found, r) + 1) * 1e-3,
                            1e-9);
            if (ratio == 1)
                for (uint32_t r = 0; r < plan.ranks; r++)
                    assert_near(sums_of(&plan, r).calls, calls_of(&found, r), 0.1);
            rc_skeleton_plan_free(&plan);
        }
        forget(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receives_posted_ahead_leave_loops),
        cmocka_unit_test(what_was_posted_ahead_stays_ahead),
        cmocka_unit_test(waits_for_messages_of_two_iterations_do_not_bind_them),
        cmocka_unit_test(tags_need_not_repeat),
        cmocka_unit_test(ranks_that_only_send_do_not_run_away),
        cmocka_unit_test(short_or_odd_acts_stay_whole),
        cmocka_unit_test(any_program_cut_anyhow_runs_to_its_end),
    };

    return RUN_TESTS(tests);
}
