// SPDX-License-Identifier: GPL-3.0-or-later
/* test_program_notes.c - what was noted of the computing between calls, and who gets it. */
#include "play.h"

#include "model/skeleton/match/recorded_program.h"
#include "mpi/trace/compute_notes.h"

/* The footprint before the first call of that size. */
static uint64_t footprint_before(const struct rc_program_rank *rank, uint64_t bytes)
{
    for (size_t e = 0; e < rank->n_events; e++)
        if (rc_skeleton_program_call(rank, e)->message.count == bytes)
            return rc_program_position(rank, e)->footprint;
    fail_msg("there is no call of %zu bytes", (size_t)bytes);
    return 0;
}

/* Neighbours that compute between messages of 8, of 16 and of 32 bytes.  Each rank has looked at its
 * memory before one of these only. */
static void ranks_make_up_for_each_other(void **state)
{
    struct rc_trace_note notes[2] = {{.before = play_message(RC_TRACE_Send, 1, 0, 8),
                                      .after = play_message(RC_TRACE_Send, 1, 0, 16),
                                      .footprints = 3,
                                      .footprint = 1 << 20},
                                     {.before = play_message(RC_TRACE_Recv, 0, 0, 16),
                                      .after = play_message(RC_TRACE_Recv, 0, 0, 32),
                                      .footprints = 1,
                                      .footprint = 2 << 20}};
    struct rc_program *program;
    struct rc_error error = {0};
    struct play play;

    (void)state;
    play_begin(&play, 4);
    for (int i = 0; i < 20; i++)
        for (uint64_t bytes = 8; bytes <= 32; bytes *= 2)
            for (uint32_t r = 0; r < 4; r += 2) {
                /* One pair computes for less time, once for less than it takes to go over memory. */
                play.computing = r == 0 ? 1000000 : bytes == 16 ? 50000 : 500000;
                play_send(&play, r, (int32_t)r + 1, 0, bytes);
                play_recv(&play, r + 1, (int32_t)r, 0, bytes);
            }
    rc_trace_writer_notes(play.writers[0], notes, 1);
    rc_trace_writer_notes(play.writers[1], notes + 1, 1);
    play_end(&play);
    program = rc_skeleton_program_read(play.directory, &error);
    if (!program)
        fail_msg("%s", error.text);
    assert_int_equal(footprint_before(&program->rank[0], 16), 1 << 20);
    assert_int_equal(footprint_before(&program->rank[0], 32), 0); /* none sends that is known */
    assert_int_equal(footprint_before(&program->rank[1], 32), 2 << 20);
    assert_int_equal(footprint_before(&program->rank[1], 16), 0);
    assert_int_equal(footprint_before(&program->rank[2], 16), 0);
    assert_int_equal(footprint_before(&program->rank[3], 32), 1 << 20);
    rc_skeleton_program_destroy(program);
    play_remove(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_make_up_for_each_other),
    };

    return RUN_TESTS(tests);
}
