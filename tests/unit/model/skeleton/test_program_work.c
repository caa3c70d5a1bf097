// SPDX-License-Identifier: GPL-3.0-or-later
/* test_program_work.c - computing whose CPU time was measured, or was not, as work. */
#include "play.h"

#include "model/skeleton/match/recorded_program.h"

static void add(struct play *play, unsigned kind, uint64_t before, int64_t cpu)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(kind);
    uint64_t start = play->clocks[0] + before;

    rc_trace_writer_add(play->writers[0], &call, start, start + 1000, cpu, 0);
    play->clocks[0] = start + 1000;
}

/* On average; before the first call of a loop there may be more. */
static double work_before(const struct rc_program *program, unsigned kind)
{
    double sum = 0, n = 0;

    for (size_t e = 0; e < program->rank[0].n_events; e++)
        if (rc_skeleton_program_call(&program->rank[0], e)->kind == kind) {
            sum += rc_program_position(&program->rank[0], e)->work;
            n++;
        }
    assert_true(n > 0);
    return sum / n;
}

static struct rc_program *end(struct play *play)
{
    struct rc_error error = {0};
    struct rc_program *program;

    play_end(play);
    program = rc_skeleton_program_read(play->directory, &error);
    if (!program)
        fail_msg("%s", error.text);
    play_remove(play);
    return program;
}

/* A quarter of a core. */
static void what_is_not_known_is_as_the_rest(void **state)
{
    struct rc_program *program;
    struct play play;

    (void)state;
    play_begin(&play, 1);
    for (int i = 0; i < 20; i++)
        add(&play, RC_TRACE_Barrier, 1000000, 250000);
    add(&play, RC_TRACE_Allreduce, 80000000, -1);
    add(&play, RC_TRACE_Bcast, 10000, -1); /* too short to be measured */
    for (int i = 0; i < 20; i++)
        add(&play, RC_TRACE_Alltoall, i % 2 ? 4000000 : 10000, -1);
    program = end(&play);
    assert_near(work_before(program, RC_TRACE_Barrier), 250e-6, 1e-12);
    assert_near(work_before(program, RC_TRACE_Allreduce), 20e-3, 1e-12);
    assert_near(work_before(program, RC_TRACE_Bcast), 10e-6, 1e-12);
    assert_near(work_before(program, RC_TRACE_Alltoall), (1e-3 + 10e-6) / 2, 20e-6); /* by bins */
    rc_skeleton_program_destroy(program);
}

/* The first of four is measured: another may have waited, or was shorter. */
static void a_few_are_taken_one_by_one(void **state)
{
    struct rc_program *program;
    struct play play;

    (void)state;
    play_begin(&play, 1);
    for (int i = 0; i < 4; i++)
        add(&play, RC_TRACE_Barrier, i == 3 ? 100000 : 10000000, i == 0 ? 2000000 : -1);
    program = end(&play);
    assert_near(work_before(program, RC_TRACE_Barrier), (2e-3 + 2e-3 + 2e-3 + 100e-6) / 4, 1e-12);
    rc_skeleton_program_destroy(program);
}

/* Where nothing is measured, all is work. */
static void all_may_be_unknown(void **state)
{
    struct rc_program *program;
    struct play play;

    (void)state;
    play_begin(&play, 1);
    for (int i = 0; i < 20; i++)
        add(&play, RC_TRACE_Barrier, 1000000, -1);
    program = end(&play);
    assert_near(work_before(program, RC_TRACE_Barrier), 1e-3, 1e-12);
    rc_skeleton_program_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_known_is_as_the_rest),
        cmocka_unit_test(a_few_are_taken_one_by_one),
        cmocka_unit_test(all_may_be_unknown),
    };

    return RUN_TESTS(tests);
}
