// SPDX-License-Identifier: GPL-3.0-or-later
/* test_nondeterminism.c - programs in which something depends on who comes first: what is left to
 * chance, what is refused, and what tests, probes and waits for any become. */
#include "play_loop_tree.h"

#include "model/skeleton/compose/compose.h"
#include "model/skeleton/match/event_groups.h"

enum { ROUNDS = 60 };

/* ---- calls ---- */

/* A receive of any source; that is told where it is completed. */
static void post_any(struct play *play, uint32_t rank, int32_t tag, int32_t request)
{
    struct rc_trace_call call = play_message(RC_TRACE_Irecv, RC_TRACE_ANY, tag, 100);

    call.flags = RC_TRACE_ANY_SOURCE;
    call.request = request;
    play_call(play, rank, &call, 500);
}

static void wait_any_source(struct play *play, uint32_t rank, int32_t request, int32_t source,
                            int32_t tag)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Wait);
    int32_t told[] = {RC_TRACE_ANY, source, tag};

    call.request = request;
    call.list = told;
    call.list_length = 3;
    play_call(play, rank, &call, 2000);
}

/* Completes one request by that kind of call. */
static void complete_one(struct play *play, uint32_t rank, unsigned kind, int32_t request)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    if (rc_trace_kind_info(kind)->manner == RC_TRACE_NONBLOCKING)
        call.flags = RC_TRACE_DONE;
    if (kind == RC_TRACE_Test) {
        call.request = request;
    } else {
        call.list = &request;
        call.list_length = 1;
    }
    play_call(play, rank, &call, 2000);
}

/* A test or probe that finds nothing. */
static void ask_in_vain(struct play *play, uint32_t rank, unsigned kind)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);

    play_call(play, rank, &call, 700);
}

static void probe(struct play *play, uint32_t rank, unsigned kind, int32_t peer, int32_t tag,
                  unsigned flags)
{
    struct rc_trace_call call = play_message(kind, peer, tag, 100);

    call.flags = flags;
    play_call(play, rank, &call, 1000);
}

/* ---- what is found ---- */

struct judged {
    uint64_t taken, requests;
    bool refused;
};

static struct judged judge(struct play *play)
{
    struct rc_suitability suitability;
    struct judged judged;
    struct found found;

    find(play, 1, &found);
    rc_skeleton_suitability_check(&found.tree, 4, &suitability);
    judged = (struct judged){.taken = found.tree.nondeterminism.taken,
                             .requests = found.tree.nondeterminism.requests,
                             .refused = suitability.refusals.kept > 0};
    if (judged.refused)
        assert_non_null(strstr(suitability.refusals.texts[0], "depends on timing"));
    rc_skeleton_suitability_free(&suitability);
    forget(&found);
    return judged;
}

/* ---- exchanges ---- */

/* Along two axes, with the neighbour on either side of each; receives are of any source. */
static struct judged exchange_of_any(int32_t tag_of_second_axis)
{
    struct play play;

    play_begin(&play, 4);
    for (int i = 0; i < ROUNDS; i++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            int32_t tag = axis ? tag_of_second_axis : 1;

            for (uint32_t r = 0; r < 4; r++) {
                int32_t neighbour = (int32_t)(r ^ 1u << axis);

                post_any(&play, r, tag, 0);
                play_send(&play, r, neighbour, tag, 100);
                wait_any_source(&play, r, 0, neighbour, tag);
            }
        }
    return judge(&play);
}

/* What is sent before the other's message has come is no answer to it. */
static void exchanges_are_no_requests(void **state)
{
    struct judged judged;

    (void)state;
    judged = exchange_of_any(2);
    assert_int_equal(judged.taken, 0);
    assert_false(judged.refused);
    judged = exchange_of_any(1);
    assert_int_equal(judged.taken, 2 * 4 * ROUNDS);
    assert_int_equal(judged.requests, 0);
    assert_false(judged.refused);
}

/* Receives from both neighbours in a ring are completed as they come. */
static void play_ring(struct play *play, unsigned kind, int rounds)
{
    for (int i = 0; i < rounds; i++)
        for (uint32_t r = 0; r < play->ranks; r++) {
            int32_t left = (int32_t)((r + play->ranks - 1) % play->ranks);
            int32_t right = (int32_t)((r + 1) % play->ranks);
            int32_t first = i * 7 % 3 > 0;

            play_post(play, r, RC_TRACE_Irecv, left, 1, 100, 0);
            play_post(play, r, RC_TRACE_Irecv, right, 2, 100, 1);
            play_send(play, r, right, 1, 100);
            play_send(play, r, left, 2, 100);
            complete_one(play, r, kind, first);
            complete_one(play, r, kind, 1 - first);
        }
}

static void neighbours_that_come_as_they_like_are_no_requests(void **state)
{
    struct judged judged;
    struct play play;

    (void)state;
    play_begin(&play, 4);
    play_ring(&play, RC_TRACE_Waitany, ROUNDS);
    judged = judge(&play);
    assert_int_equal(judged.taken, 2 * 4 * ROUNDS);
    assert_int_equal(judged.requests, 0);
    assert_false(judged.refused);
}

/* ---- work on request ---- */

enum asking { BY_REQUEST, BY_PROBE };

/* Rank 0 takes what comes first, of one request for each of the others or of what a probe finds,
 * and answers. */
static struct judged hand_out(enum asking how, uint32_t clients)
{
    struct play play;

    play_begin(&play, 4);
    for (uint32_t r = 1; how == BY_REQUEST && r <= clients; r++)
        play_post(&play, 0, RC_TRACE_Irecv, (int32_t)r, 0, 100, (int32_t)r);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t client = 1 + i % clients;

        play_send(&play, client, 0, 0, 100);
        if (how == BY_REQUEST) {
            complete_one(&play, 0, RC_TRACE_Waitany, (int32_t)client);
            if (i + clients < ROUNDS)
                play_post(&play, 0, RC_TRACE_Irecv, (int32_t)client, 0, 100, (int32_t)client);
        } else {
            probe(&play, 0, RC_TRACE_Probe, (int32_t)client, 0, RC_TRACE_ANY_SOURCE);
            play_recv(&play, 0, (int32_t)client, 0, 100);
        }
        play_send(&play, 0, (int32_t)client, 1, 100);
        play_recv(&play, client, 0, 1, 100);
    }
    return judge(&play);
}

static void work_on_request_is_found(void **state)
{
    (void)state;
    for (enum asking how = BY_REQUEST; how <= BY_PROBE; how++) {
        struct judged judged = hand_out(how, 3);

        assert_int_equal(judged.taken, ROUNDS);
        assert_int_equal(judged.requests, ROUNDS);
        assert_true(judged.refused);
        assert_false(hand_out(how, 1).refused);
    }
}

/* ---- what becomes of the calls ---- */

/* How many calls of a kind rank 0 makes. */
static double made(const struct rc_plan *plan, unsigned kind)
{
    return made_of(plan, 0, kind).calls;
}

/* Completions stay what they were.  Which of several requests is done first hides no loop. */
static void completions_stay_what_they_were(void **state)
{
    static const unsigned kinds[] = {RC_TRACE_Waitany, RC_TRACE_Waitsome, RC_TRACE_Test,
                                     RC_TRACE_Testany, RC_TRACE_Testsome, RC_TRACE_Testall};

    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct found found;
        struct rc_plan plan;
        struct play play;

        play_begin(&play, 4);
        play_ring(&play, kinds[k], ROUNDS);
        find(&play, 1, &found);
        if (kinds[k] != RC_TRACE_Test && kinds[k] != RC_TRACE_Testall)
            assert_int_equal(found.tree.loops.n, 2);
        compose(&found, 10, &plan);
        assert_near(made(&plan, kinds[k]), 2 * ROUNDS / 10, 1e-9);
        rc_skeleton_plan_free(&plan);
        forget(&found);
    }
}

/* A message is probed, once or twice, and received; what is sent on hangs on nothing. */
static void probes_go_with_their_messages(void **state)
{
    static const unsigned kinds[] = {RC_TRACE_Probe, RC_TRACE_Iprobe};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct found found;
        struct rc_plan plan;
        struct play play;

        play_begin(&play, 3);
        for (int i = 0; i < ROUNDS; i++) {
            play_send(&play, 1, 0, 3, 100);
            probe(&play, 0, kinds[k], 1, 3, RC_TRACE_DONE);
            if (i % 2)
                probe(&play, 0, kinds[k], 1, 3, RC_TRACE_DONE);
            play_send(&play, 0, 2, 5, 100);
            play_recv(&play, 0, 1, 3, 100);
            play_recv(&play, 2, 0, 5, 100);
        }
        find(&play, 1, &found);
        compose(&found, 10, &plan);
        assert_near(made(&plan, kinds[k]), ROUNDS / 10, 1e-9);
        assert_near(made(&plan, RC_TRACE_Recv), ROUNDS / 10, 1e-9);
        rc_skeleton_plan_free(&plan);
        forget(&found);
    }
}

/* However often a program asks in vain, its loop is found; what it computes meanwhile is kept. */
static void what_is_asked_in_vain_hides_no_loop(void **state)
{
    uint32_t unsuccessful = 0;
    struct found found;
    struct rc_plan plan;
    struct play play;

    (void)state;
    play_begin(&play, 2);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t n = i * i % 7 % 4;

        play_post(&play, 0, RC_TRACE_Irecv, 1, 3, 100, 0);
        play_send(&play, 1, 0, 3, 100);
        for (uint32_t k = 0; k < n; k++)
            ask_in_vain(&play, 0, k % 2 ? RC_TRACE_Iprobe : RC_TRACE_Test);
        unsuccessful += n;
        complete_one(&play, 0, RC_TRACE_Test, 0);
    }
    ask_in_vain(&play, 0, RC_TRACE_Testany); /* and goes into the tail */
    find(&play, 1, &found);
    assert_int_equal(found.program->unsuccessful, unsuccessful + 1);
    assert_int_equal(found.program->events, 3 * ROUNDS);
    assert_int_equal(found.tree.loops.n, 2);
    compose(&found, 10, &plan);
    /* A millisecond before each call, and before MPI_Finalize. */
    assert_near(sums_of(&plan, 0).seconds, (2 * ROUNDS + unsuccessful + 2) * 1e-3 / 10, 1e-9);
    assert_near(made(&plan, RC_TRACE_Test), ROUNDS / 10, 1e-9);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

/* ---- messages that come in any order ---- */

/* Each rank has a receive under way, and takes what comes, until all that was sent is there:
 * nothing ends before the end, and no order repeats. */
static void play_updates(struct play *play, uint32_t messages)
{
    uint32_t at = 1;

    for (uint32_t r = 0; r < play->ranks; r++)
        post_any(play, r, 9, 0);
    for (uint32_t i = 0; i < messages; i++) {
        uint32_t from, to;

        at = at * 1103515245 + 12345;
        from = at >> 16 & 3;
        to = (from + 1 + (at >> 20) % 3) & 3;
        play_post(play, from, RC_TRACE_Isend, (int32_t)to, 9, 100, 1);
        wait_any_source(play, to, 0, (int32_t)from, 9);
        post_any(play, to, 9, 0);
        play_wait(play, from, 1);
    }
    for (uint32_t r = 0; r < play->ranks; r++) { /* a last one for each receive that is left */
        play_send(play, r, (int32_t)((r + 1) % play->ranks), 9, 100);
        wait_any_source(play, (r + 1) % play->ranks, 0, (int32_t)r, 9);
    }
}

/* Others stand for those that are left out, wherever they are. */
static void messages_in_any_order_are_cut_one_by_one(void **state)
{
    struct found found;
    struct rc_plan plan;
    struct play play;
    double n = 0;

    (void)state;
    play_begin(&play, 4);
    play_updates(&play, 2000);
    find(&play, 1, &found);
    compose(&found, 5, &plan);
    for (uint32_t r = 0; r < 4; r++)
        n += sums_of(&plan, r).bytes / 100;
    assert_near(n, 2004 / 5, 0.02 * 2004 / 5);
    rc_skeleton_plan_free(&plan);
    forget(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_are_no_requests),
        cmocka_unit_test(neighbours_that_come_as_they_like_are_no_requests),
        cmocka_unit_test(work_on_request_is_found),
        cmocka_unit_test(completions_stay_what_they_were),
        cmocka_unit_test(probes_go_with_their_messages),
        cmocka_unit_test(what_is_asked_in_vain_hides_no_loop),
        cmocka_unit_test(messages_in_any_order_are_cut_one_by_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
