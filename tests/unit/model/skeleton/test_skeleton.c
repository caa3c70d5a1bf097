/* test_skeleton.c - from traces to plans: event groups, loop trees, shrunk trees. */
#include "play_loop_tree.h"
#include "loops_text.h"
#include "model/skeleton/shrink/call_symbols.h"
#include "model/skeleton/compose/compose.h"

/* ---- made-up programs ---- */

/* Exchange with both neighbours in a ring. */
static void exchange(struct play *play, uint64_t bytes)
{
    static const int32_t requests[] = {0, 1, 2, 3};

    for (uint32_t r = 0; r < play->ranks; r++) {
        int32_t left = (int32_t)((r + play->ranks - 1) % play->ranks);
        int32_t right = (int32_t)((r + 1) % play->ranks);

        play_post(play, r, RC_TRACE_Irecv, left, 1, bytes, 0);
        play_post(play, r, RC_TRACE_Irecv, right, 2, bytes, 1);
        play_post(play, r, RC_TRACE_Isend, right, 1, bytes, 2);
        play_post(play, r, RC_TRACE_Isend, left, 2, bytes, 3);
        play_waitall(play, r, requests, 4);
    }
}

/* From rank 0 to the last, each after the one before it. */
static void pipeline(struct play *play, uint64_t bytes)
{
    for (uint32_t r = 0; r < play->ranks; r++) {
        if (r > 0)
            play_recv(play, r, (int32_t)r - 1, 3, bytes);
        if (r + 1 < play->ranks)
            play_send(play, r, (int32_t)r + 1, 3, bytes);
    }
}

static void shift(struct play *play, uint64_t bytes)
{
    for (uint32_t r = 0; r < play->ranks; r++)
        play_sendrecv(play, r, (int32_t)((r + 1) % play->ranks),
                      (int32_t)((r + play->ranks - 1) % play->ranks), bytes);
}

/* ---- tests ---- */

static void assert_form(const struct found *found, const char *expected)
{
    struct rc_buffer text = RC_BUFFER_INIT(1 << 20);

    assert_int_equal(loops_text(&found->tree.loops, NULL, NULL, &text), 0);
    assert_string_equal(text.data, expected);
    rc_buffer_free(&text);
}

static void acts_are_the_smallest_closed_groups(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    play_collective(&play, RC_TRACE_Bcast, 0, 8); /* one event group */
    exchange(&play, 1000); /* one event group of all ranks: all wait for all */
    pipeline(&play, 100);  /* three: a message each */
    shift(&play, 50);      /* one: each call sends and receives */
    find(&play, 1, &found);
    assert_int_equal(found.tree.groups.n, 6);
    assert_int_equal(found.tree.groups.at[0].n_parts, 4);
    assert_int_equal(found.tree.groups.at[1].n_parts, 4);
    for (int i = 2; i < 5; i++) {
        const struct rc_event_group *group = found.tree.groups.at + i;

        assert_int_equal(group->n_parts, 2);
        assert_int_equal(found.tree.groups.parts[group->first].rank, i - 2);
    }
    assert_int_equal(found.tree.groups.at[5].n_parts, 4);
    forget(&found);
}

/* A receive that waits for a third rank first must not draw that into the event group. */
static void what_must_come_first_is_no_part_of_an_group(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 3);
    play_send(&play, 0, 1, 5, 10);
    play_recv(&play, 1, 2, 5, 20);
    play_recv(&play, 1, 0, 5, 10);
    play_send(&play, 2, 1, 5, 20);
    find(&play, 1, &found);
    assert_int_equal(found.tree.groups.n, 2);
    assert_int_equal(found.tree.groups.parts[found.tree.groups.at[0].first + 1].rank, 2);
    assert_int_equal(found.tree.groups.parts[found.tree.groups.at[1].first].rank, 0);
    forget(&found);
}

static void ranks_have_one_form(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    play_collective(&play, RC_TRACE_Bcast, 0, 8);
    for (int i = 0; i < 60; i++) {
        exchange(&play, 1000);
        for (int k = 0; k < 5; k++)
            shift(&play, 64);
        play_collective(&play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
    }
    find(&play, 1, &found);
    assert_form(&found, "0 [1 [2]5 3]60");
    assert_near(rc_skeleton_shrink_shortest(&found.tree) * 60 / found.program->seconds, 4, 1e-9);
    forget(&found);
}

/* A call that failed has no peer, no request, and no others who make it. */
static void calls_that_failed_are_left_out(void **state)
{
    static const unsigned kinds[] = {RC_TRACE_Isend, RC_TRACE_Bcast, RC_TRACE_Send};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 3);
    for (int i = 0; i < 20; i++) {
        exchange(&play, 1000);
        for (int k = 0; i % 5 == 2 && k < 3; k++) {
            struct rc_trace_call call = RC_TRACE_CALL_INIT(kinds[k]);

            call.flags = RC_TRACE_FAILED;
            play_call(&play, 1, &call, 1000);
        }
    }
    find(&play, 1, &found);
    assert_form(&found, "[0]20");
    assert_int_equal(found.program->failed, 12);
    forget(&found);
}

/* Rank 0 takes a message from whichever rank comes first, and answers it (or not). */
static void serve(struct play *play, uint32_t client, bool answer)
{
    struct rc_trace_call call = play_message(RC_TRACE_Recv, (int32_t)client, 0, 8);

    call.flags = RC_TRACE_ANY_SOURCE;
    play_send(play, client, 0, 0, 8);
    play_call(play, 0, &call, 1000);
    if (answer) {
        play_send(play, 0, (int32_t)client, 1, 8);
        play_recv(play, client, 0, 1, 8);
    }
}

/* `clients` are served in turn. */
static size_t refusals_of_server(uint32_t clients, bool answer)
{
    struct rc_suitability suitability;
    struct play play;
    struct found found;
    size_t refusals;

    play_begin(&play, 4);
    for (uint32_t i = 0; i < 60; i++)
        serve(&play, 1 + i % clients, answer);
    find(&play, 1, &found);
    rc_skeleton_suitability_check(&found.tree, 4, &suitability);
    refusals = suitability.refusals.kept;
    if (refusals)
        assert_non_null(strstr(suitability.refusals.texts[0], "depends on timing"));
    rc_skeleton_suitability_free(&suitability);
    forget(&found);
    return refusals;
}

/* Others may take messages from anyone: in turn, or from the only one there is. */
static void work_on_request_is_refused(void **state)
{
    (void)state;
    assert_int_equal(refusals_of_server(3, true), 1);
    assert_int_equal(refusals_of_server(3, false), 0);
    assert_int_equal(refusals_of_server(1, true), 0);
}

/* Rank 1 is on a CPU for so much of the time before its barriers, which take 50 ms, and rank 0
 * waits for it. */
static void wait_for_rank_1(double share, struct rc_suitability *suitability)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    const uint64_t ms = 1000000;
    struct play play;
    struct found found;

    play_begin(&play, 2);
    for (int i = 0; i < 60; i++)
        for (uint32_t rank = 0; rank < 2; rank++) {
            uint64_t start = play.clocks[rank] + (rank ? 50 : 1) * ms;
            uint64_t end = start + (rank ? 1 : 50) * ms;

            rc_trace_writer_add(play.writers[rank], &call, start, end,
                                rank ? (int64_t)(share * 50 * (double)ms) : (int64_t)ms, 0);
            play.clocks[rank] = end;
        }
    find(&play, 1, &found);
    rc_skeleton_suitability_check(&found.tree, 4, suitability);
    forget(&found);
}

static void work_that_is_not_seen_is_refused(void **state)
{
    struct rc_suitability suitability;

    (void)state;
    wait_for_rank_1(0.05, &suitability);
    assert_int_equal(suitability.refusals.kept, 1);
    assert_non_null(
        strstr(suitability.refusals.texts[0], "a rank was neither in MPI calls nor on"));
    rc_skeleton_suitability_free(&suitability);
    wait_for_rank_1(0.2, &suitability);
    assert_int_equal(suitability.refusals.kept, 0);
    assert_int_equal(suitability.notes.kept, 1);
    rc_skeleton_suitability_free(&suitability);
    wait_for_rank_1(1, &suitability);
    assert_int_equal(suitability.refusals.kept + suitability.notes.kept, 0);
    rc_skeleton_suitability_free(&suitability);
}

static void find_40_iterations(struct found *found)
{
    struct play play;

    play_begin(&play, 3);
    for (int i = 0; i < 40; i++)
        exchange(&play, 1000);
    find(&play, 1, found);
}

/* A skeleton that is 10 times shorter has four of them, and one that is 11 times shorter has not.
 */
static void too_short_a_skeleton_is_told(void **state)
{
    struct rc_suitability suitability;
    struct found found;

    (void)state;
    find_40_iterations(&found);
    rc_skeleton_suitability_check(&found.tree, 10, &suitability);
    assert_int_equal(suitability.notes.kept, 0);
    rc_skeleton_suitability_free(&suitability);
    rc_skeleton_suitability_check(&found.tree, 11, &suitability);
    assert_int_equal(suitability.notes.kept, 1);
    assert_non_null(strstr(suitability.notes.texts[0], "fewer than 4 iterations"));
    rc_skeleton_suitability_free(&suitability);
    forget(&found);
}

static void whole_iterations_are_preferred(void **state)
{
    struct found found;

    (void)state;
    find_40_iterations(&found);
    assert_near(rc_skeleton_shrink_even(&found.tree, 8.3), 8, 1e-12); /* 4.8 of 40 */
    assert_near(rc_skeleton_shrink_even(&found.tree, 9), 10, 1e-12);  /* 4.4 */
    assert_near(rc_skeleton_shrink_even(&found.tree, 38), 40, 1e-12); /* 1.05 */
    assert_near(rc_skeleton_shrink_even(&found.tree, 27), 27,
                1e-12); /* 1.5 is near neither 1 nor 2 */
    assert_near(rc_skeleton_shrink_even(&found.tree, 100), 100, 1e-12); /* less than one */
    assert_near(rc_skeleton_shrink_even(&found.tree, 1), 1, 1e-12);
    forget(&found);
}

/* Its time is then that up to the end of the recording. */
static void a_program_may_end_without_finalize(void **state)
{
    struct play play;
    struct rc_program *program;
    struct rc_error error = {0};

    (void)state;
    play_begin(&play, 2);
    play.clocks[1] += 1000000;
    for (int i = 0; i < 7; i++)
        play_collective(&play, RC_TRACE_Barrier, RC_TRACE_NONE, 0);
    for (uint32_t r = 0; r < 2; r++)
        assert_int_equal(rc_trace_writer_finish(play.writers[r], play.clocks[r] + 3000, NULL), 0);
    program = rc_skeleton_program_read(play.directory, &error);
    if (!program)
        fail_msg("%s", error.text);
    assert_near(program->rank[0].seconds, 7 * 1.010e-3 + 3e-6, 1e-12);
    assert_near(program->seconds, 1e-3 + 7 * 1.010e-3 + 3e-6, 1e-12);
    rc_skeleton_program_destroy(program);
    play_remove(&play);
}

static void pipelines_have_a_form(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 10; k++)
            pipeline(&play, 100);
        play_collective(&play, RC_TRACE_Barrier, RC_TRACE_NONE, 0);
    }
    find(&play, 1, &found);
    assert_true(found.tree.compression > 50);
    forget(&found);
}

/* Sizes that differ by a tenth count as alike where that is needed, and are averaged. */
static void likeness_is_raised_where_loops_need_it(void **state)
{
    struct play play;
    struct found found;
    struct rc_plan plan;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 50; i++)
        shift(&play, 100000 + (uint64_t)(i * 7919 % 50) * 200);
    find(&play, 10, &found);
    assert_form(&found, "[0]50");
    assert_true(found.tree.threshold > 0.05 && found.tree.threshold <= 0.1);
    compose(&found, 10, &plan);
    assert_near(sums_of(&plan, 2).bytes, 5 * 104900, 5);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

/* `wanted` calls for each; 50 messages whose sizes differ by up to 50 times `by` bytes. */
static double threshold_for(double wanted, uint64_t by)
{
    struct play play;
    struct found found;
    double threshold;

    play_begin(&play, 4);
    for (int i = 0; i < 50; i++)
        shift(&play, 100000 + (uint64_t)(i * 7919 % 50) * by);
    find(&play, wanted, &found);
    threshold = found.tree.threshold;
    assert_true(found.tree.compression >= wanted || by > 200);
    forget(&found);
    return threshold;
}

static void likeness_is_raised_no_further_than_needed(void **state)
{
    (void)state;
    assert_true(threshold_for(1, 200) == 0);
    assert_near(threshold_for(10, 200), 0.1, 1e-12); /* 100000 and 109800 differ by 0.089 */
    assert_true(threshold_for(50, 100000) <= RC_CLUSTERS_THRESHOLD_MAX); /* out of reach */
}

static void a_given_threshold_is_used_as_it_is(void **state)
{
    static const struct {
        double threshold;
        uint32_t clusters;
    } cases[] = {{0, 200}, {0.3, 4}, {0.07, 8}};
    struct rc_error error = {0};
    struct rc_loop_tree tree;
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 50; i++)
        shift(&play, 100000 + (uint64_t)i * 200); /* up to 0.089; from the 37th on above 0.07 */
    find(&play, 10, &found);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            rc_skeleton_loop_tree_find_at(found.program, cases[i].threshold, &tree, &error), 0);
        assert_near(tree.threshold, cases[i].threshold, 0);
        assert_int_equal(tree.n_clusters, cases[i].clusters);
        rc_skeleton_loop_tree_free(&tree);
    }
    assert_int_equal(rc_skeleton_loop_tree_find_at(found.program, 1, &tree, &error), -1);
    forget(&found);
}

/* All the computing is there, divided by the ratio, and the calls as far as they can be. */
/* Short messages of which none is as long as another, beside long ones: by their sizes there is no
 * loop, by their times there is one. */
static void short_messages_are_alike_where_loops_need_it(void **state)
{
    static const double wanted[] = {1, 10};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct play play;
        struct found found;
        uint64_t sum = 0;

        play_begin(&play, 3);
        for (uint64_t k = 0; k < 40; k++) {
            exchange(&play, 100000);
            pipeline(&play, 20 + (k * 7919) % 1500);
            sum += 20 + (k * 7919) % 1500;
        }
        find(&play, wanted[i], &found);
        assert_int_equal(found.tree.by_time, i == 1);
        assert_int_equal(rc_skeleton_shrink_shortest(&found.tree) > 0, i == 1);
        if (i == 1) {
            struct rc_plan plan;

            compose(&found, 10, &plan);
            assert_near(sums_of(&plan, 0).bytes * 10 / (40 * 200000 + (double)sum), 1, 0.005);
            rc_skeleton_plan_free(&plan);
        }
        forget(&found);
    }
}

static void a_plan_is_shorter_by_the_ratio(void **state)
{
    static const double ratios[] = {1, 2, 3.7, 10, 25, 60, 100, 1000};
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 4);
    play_collective(&play, RC_TRACE_Bcast, 0, 8);
    for (int i = 0; i < 60; i++) {
        exchange(&play, 100000);
        for (int k = 0; k < 7; k++)
            shift(&play, 64000);
        play_collective(&play, RC_TRACE_Allreduce, RC_TRACE_NONE, 8);
    }
    find(&play, 1, &found);
    for (size_t i = 0; i < COUNT(ratios); i++) {
        struct rc_plan plan;

        compose(&found, ratios[i], &plan);
        for (uint32_t r = 0; r < 4; r++) {
            struct sums sums = sums_of(&plan, r);

            /* Each call has a millisecond of computing before it, and so has the end. */
            assert_near(sums.seconds * ratios[i], (1 + 60 * (5 + 7 + 1) + 1) * 1e-3, 1e-9);
            assert_near(sums.bytes * ratios[i] / (60.0 * (200000 + 7 * 64000)), 1,
                        ratios[i] <= 100 ? 0.05 : 0.5);
            if (ratios[i] <= 10)
                assert_near(sums.calls * ratios[i] / (1 + 60 * 13), 1, 0.05);
        }
        rc_skeleton_plan_free(&plan);
    }
    forget(&found);
}

/* ---- programs drawn at random ---- */

static uint64_t state_of_draws;

static uint32_t draw(uint32_t below)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_of_draws >> 33) % below;
}

/* Both of a pair send before they receive, or one of them does. */
static void pair(struct play *play, uint32_t a, uint32_t b, uint64_t bytes, int both_first)
{
    play_send(play, a, (int32_t)b, 9, bytes);
    if (both_first)
        play_send(play, b, (int32_t)a, 9, bytes);
    play_recv(play, b, (int32_t)a, 9, bytes);
    if (!both_first)
        play_send(play, b, (int32_t)a, 9, bytes);
    play_recv(play, a, (int32_t)b, 9, bytes);
}

/* Receives are posted one round ahead: event groups never close. */
static void prefetched(struct play *play, uint32_t rounds, uint64_t bytes)
{
    uint32_t n = play->ranks;

    for (uint32_t r = 0; r < n; r++)
        play_post(play, r, RC_TRACE_Irecv, (int32_t)((r + n - 1) % n), 11, bytes, 0);
    for (uint32_t i = 0; i < rounds; i++)
        for (uint32_t r = 0; r < n; r++) {
            if (i + 1 < rounds)
                play_post(play, r, RC_TRACE_Irecv, (int32_t)((r + n - 1) % n), 11, bytes,
                          (int32_t)((i + 1) % 2));
            play_send(play, r, (int32_t)((r + 1) % n), 11, bytes);
            play_wait(play, r, (int32_t)(i % 2));
        }
}

static void piece(struct play *play, unsigned depth)
{
    static const unsigned collectives[] = {RC_TRACE_Allreduce, RC_TRACE_Alltoall, RC_TRACE_Barrier,
                                           RC_TRACE_Allgather};
    uint64_t bytes = 1 + draw(100000), seed;
    uint32_t a = draw(play->ranks), b = (a + 1 + draw(play->ranks - 1)) % play->ranks, times;

    switch (draw(depth ? 9 : 7)) {
    case 0:
        exchange(play, bytes);
        return;
    case 1:
        pipeline(play, bytes);
        return;
    case 2:
        shift(play, bytes);
        return;
    case 3:
        play_collective(play, collectives[draw(4)], RC_TRACE_NONE, bytes);
        return;
    case 4:
        play_collective(play, RC_TRACE_Bcast, (int32_t)a, bytes);
        return;
    case 5:
        pair(play, a, b, bytes, (int)draw(2));
        return;
    case 6:
        prefetched(play, 1 + draw(5), bytes);
        return;
    default:
        times = 2 + draw(12);
        seed = state_of_draws;
        for (uint32_t i = 0; i < times; i++) {
            uint32_t n;

            state_of_draws = seed;
            n = 1 + draw(4);
            for (uint32_t k = 0; k < n; k++)
                piece(play, depth - 1);
        }
        return;
    }
}

static void any_program_cut_anyhow_runs_to_its_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct play play;
        struct found found;

        state_of_draws = seed;
        play_begin(&play, 2 + draw(5));
        for (uint32_t i = 0, n = 1 + draw(8); i < n; i++)
            piece(&play, 3);
        find(&play, 1 + draw(20), &found);
        for (double ratio = 1; ratio < 3000; ratio *= 2.3) {
            struct rc_plan plan;

            compose(&found, ratio, &plan);
            rc_skeleton_plan_free(&plan);
        }
        forget(&found);
    }
}

/* Before a loop of `inner` shifts 20 ms are computed, and 1 ms before each other call. */
static void play_entries(struct play *play, uint32_t outer, uint32_t inner)
{
    for (uint32_t i = 0; i < outer; i++) {
        play_collective(play, RC_TRACE_Bcast, 0, 8);
        for (uint32_t j = 0; j < inner; j++) {
            play->computing = j == 0 ? 20000000 : 1000000;
            shift(play, 50);
        }
        play->computing = 1000000;
    }
}

static void computing_before_a_loop_stays_there(void **state)
{
    (void)state;
    for (uint32_t outer = 1; outer <= 30; outer += 29) { /* times one by one, and statistics */
        struct play play;
        struct found found;
        struct rc_plan plan;
        double all = outer * (1e-3 + 20e-3 + 5 * 1e-3);

        play_begin(&play, 3);
        play_entries(&play, outer, 6);
        find(&play, 1, &found);
        assert_form(&found, outer > 1 ? "[0 [1]6]30" : "0 [1]6");
        assert_int_equal(found.tree.n_prologues, 3);
        for (uint32_t r = 0; r < 3; r++) {
            const struct rc_loop_tree_prologue *prologue = found.tree.prologues + r;

            assert_int_equal(prologue->loop, outer > 1 ? 2 : 1);
            assert_int_equal(prologue->rank, r);
            assert_near(prologue->work, 19e-3, 1e-4);
        }
        compose(&found, 2, &plan);
        for (uint32_t r = 0; r < 3; r++) {
            double tail = found.program->rank[r].tail / 2;

            assert_near(sums_of(&plan, r).seconds - tail, all / 2, 1e-5);
        }
        /* bcast, computing, shift */
        assert_int_equal(plan.rank[0].n_steps, 3);
        assert_int_equal(plan.rank[0].steps[1].op, RC_PLAN_NO_OP);
        assert_near(plan.works[plan.rank[0].steps[2].work].seconds, 1e-3, 1e-4);
        rc_skeleton_plan_free(&plan);
        forget(&found);
    }
}

static void long_iterations_are_no_prologues(void **state)
{
    struct play play;
    struct found found;

    (void)state;
    play_begin(&play, 3);
    for (uint32_t i = 0; i < 30; i++) {
        play_collective(&play, RC_TRACE_Bcast, 0, 8);
        for (uint32_t j = 0; j < 6; j++) { /* every second one is */
            play.computing = j % 2 == 0 ? 20000000 : 1000000;
            shift(&play, 50);
        }
        play.computing = 1000000;
    }
    find(&play, 1, &found);
    assert_int_equal(found.tree.n_prologues, 0);
    forget(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acts_are_the_smallest_closed_groups),
        cmocka_unit_test(what_must_come_first_is_no_part_of_an_group),
        cmocka_unit_test(ranks_have_one_form),
        cmocka_unit_test(calls_that_failed_are_left_out),
        cmocka_unit_test(work_on_request_is_refused),
        cmocka_unit_test(work_that_is_not_seen_is_refused),
        cmocka_unit_test(too_short_a_skeleton_is_told),
        cmocka_unit_test(whole_iterations_are_preferred),
        cmocka_unit_test(a_program_may_end_without_finalize),
        cmocka_unit_test(pipelines_have_a_form),
        cmocka_unit_test(likeness_is_raised_where_loops_need_it),
        cmocka_unit_test(likeness_is_raised_no_further_than_needed),
        cmocka_unit_test(a_given_threshold_is_used_as_it_is),
        cmocka_unit_test(short_messages_are_alike_where_loops_need_it),
        cmocka_unit_test(a_plan_is_shorter_by_the_ratio),
        cmocka_unit_test(any_program_cut_anyhow_runs_to_its_end),
        cmocka_unit_test(computing_before_a_loop_stays_there),
        cmocka_unit_test(long_iterations_are_no_prologues),
    };

    return RUN_TESTS(tests);
}
