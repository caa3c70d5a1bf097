/* Programs of plans, as far as that can be seen without compiling them; cli/skeleton_program.sh
 * runs them. */
#include "plans.h"

#include "model/skeleton/emit/emit.h"

static struct rc_buffer text = RC_BUFFER_INIT((size_t)1 << 26);
static struct rc_emit_options options = {.name = "a b/\"c\"", .speed = {.units = 1e9}};

static const char *emit(struct rc_plan *plan)
{
    struct rc_error error;

    rc_buffer_clear(&text);
    if (rc_skeleton_plan_emit(plan, &options, &text, &error))
        fail_msg("%s", error.text);
    rc_skeleton_plan_free(plan);
    return text.data;
}

static void assert_has(const char *program, const char *part)
{
    if (!strstr(program, part))
        fail_msg("there is no '%s' in the program", part);
}

static void assert_lacks(const char *program, const char *part)
{
    if (strstr(program, part))
        fail_msg("there is '%s' in the program", part);
}

static void assert_refused(struct rc_plan *plan, const char *what)
{
    struct rc_error error = {.text = ""};

    rc_buffer_clear(&text);
    assert_int_equal(rc_skeleton_plan_emit(plan, &options, &text, &error), -1);
    assert_string_equal(error.text, what);
    rc_skeleton_plan_free(plan);
}

static void ranks_of_one_shape_share_a_function(void **state)
{
    struct rc_plan plan = plan_make(4);
    const char *program;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        size_t loop = plan_loop(&plan, i, 60);

        plan_add(&plan, i,
                 plan_exchange(RC_TRACE_Sendrecv, (int)(i + 1) % 4, 8, (int)(i + 3) % 4, 8));
        if (i == 2)
            plan_add(&plan, i,
                     plan_send(RC_TRACE_Send, RC_TRACE_NULL, RC_TRACE_NONE, 9, RC_TRACE_NONE));
        plan_end_loop(&plan, i, loop);
    }
    program = emit(&plan);
    assert_has(program, "/* Of ranks 0 1 3. */\nstatic void program_0(void)\n{\n"
                        "    for (int i1 = 0; i1 < 60; i1++) {\n"
                        "        Sendrecv(0, to_0[me], 3, 8, from_1[me], 3, 8);\n    }\n}\n");
    assert_has(program, "to_0[] = {1, 2, 0};");
    assert_has(program, "from_1[] = {3, 0, 2};");
    assert_has(program, "/* Of rank 2. */");
    assert_has(program, "        Sendrecv(0, 3, 3, 8, 1, 3, 8);\n"
                        "        Send(0, MPI_PROC_NULL, 0, 9);\n");
    assert_has(program, "    case 3:\n        me = 2;\n        program_0();\n");
    assert_lacks(program, "MPI_Recv_init");
}

static void names_and_comments_cannot_break_out(void **state)
{
    struct rc_plan plan = plan_make(1);
    const char *program;

    (void)state;
    strcpy(plan.program, "prog */ int evil; /*");
    plan_add(&plan, 0, plan_op(RC_TRACE_Barrier));
    options.notes = "one */ two\nthree";
    program = emit(&plan);
    options.notes = NULL;
    assert_has(program, "#define NAME \"a_b__c_\"");
    assert_lacks(program, "*/ int evil");
    assert_has(program, " * one ?/ two\n * three\n");
}

static void tags_that_are_too_large_are_numbered(void **state)
{
    struct rc_plan plan = plan_make(2);
    const char *program;

    (void)state;
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 1000000, 8, RC_TRACE_NONE));
    plan_add(&plan, 0, plan_send(RC_TRACE_Send, 1, 7, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 1000000, 8, RC_TRACE_NONE));
    plan_add(&plan, 1, plan_receive(RC_TRACE_Recv, 0, 7, 8, RC_TRACE_NONE));
    program = emit(&plan);
    assert_has(program, "    Send(0, 1, 1, 8);\n    Send(0, 1, 0, 8);\n");
    assert_has(program, "    Recv(0, 0, 1, 8);\n    Recv(0, 0, 0, 8);\n");
}

static void equal_computing_and_lists_are_written_once(void **state)
{
    struct rc_plan plan = plan_make(2);
    const char *program;

    (void)state;
    plan.works[plan.n_works] = plan.works[0];
    plan.works[plan.n_works++].seconds = 0.25;
    for (uint32_t i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Allgatherv);

            op.out.bytes = 10 + 10 * (uint64_t)i;
            op.list = plan_list(&plan, (const int64_t[]){10, 20}, 2);
            op.list_length = 2;
            plan_add_after(&plan, i, 1, op);
        }
        plan.rank[i].tail = 1e-3;
    }
    program = emit(&plan);
    assert_has(program, "    compute(1); /* 250 ms */\n    Allgatherv(0, bytes_0[me], 0);\n"
                        "    compute(1); /* 250 ms */\n    Allgatherv(0, bytes_0[me], 0);\n"
                        "    compute(2); /* 1 ms */\n");
    assert_has(program, "static const int numbers[] = {\n    10, 20, };");
    assert_has(program, "static const int places[] = {\n    0, 10, };");
}

static void what_mpi_cannot_count_is_refused(void **state)
{
    const uint64_t large = (uint64_t)3 << 30;
    struct rc_plan plan = plan_make(2);
    struct rc_skeleton_plan_op op = plan_op(RC_TRACE_Allgatherv);

    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        plan_add(&plan, i, plan_collective(RC_TRACE_Bcast, 0, large, RC_TRACE_NONE));
    assert_has(emit(&plan), "MPI_Type_create_struct"); /* that it can */
    plan = plan_make(2);
    plan_add(&plan, 0,
             plan_collective(RC_TRACE_Allreduce, RC_TRACE_NONE, large + 1, RC_TRACE_NONE));
    assert_refused(&plan, "a MPI_Allreduce of 3221225473 bytes is more than MPI can count");
    plan = plan_make(2);
    op.list = plan_list(&plan, (const int64_t[]){(int64_t)large, 1}, 2);
    op.list_length = 2;
    plan_add(&plan, 0, op);
    assert_refused(&plan, "a call with different counts has more than 2 GiB in all");
}

static void the_kernel_has_a_speed(void **state)
{
    struct rc_kernel_speed speed;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_skeleton_kernel_calibrate(true, &speed, &error), 0);
    assert_true(speed.units > 1e6 && speed.units < 1e12);
    assert_true(speed.share > 0);
    for (int i = 0; i < RC_KERNEL_FOOTPRINTS; i++)
        assert_true(speed.lines[i] > 0);
}

/* Entries are 4 KiB times powers of two: 256 KiB is entry 6, 1 MiB entry 8. */
static void the_speed_of_the_recording_counts(void **state)
{
    struct rc_kernel_speed speed = {.units = 6e8};
    struct rc_trace_speed recorded = {.units = 3e8, .lines = {1e8, 2e8}};

    (void)state;
    for (int i = 0; i < RC_KERNEL_FOOTPRINTS; i++)
        speed.lines[i] = 4e8;
    assert_false(rc_skeleton_kernel_adapt(&speed, &recorded)); /* no samples */
    assert_true(speed.units == 6e8);
    recorded.samples = 10;
    assert_true(rc_skeleton_kernel_adapt(&speed, &recorded));
    assert_true(speed.units == 3e8);
    assert_true(speed.lines[0] == 2e8 && speed.lines[5] == 2e8); /* as the core: half */
    assert_true(speed.lines[6] == 1e8 && speed.lines[8] == 2e8); /* as measured */
    assert_true(speed.lines[7] == 1.5e8);
    assert_true(speed.lines[16] == 2e8); /* as at the largest that was */
}

static int clean_up(void **state)
{
    (void)state;
    rc_buffer_free(&text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_one_shape_share_a_function),
        cmocka_unit_test(names_and_comments_cannot_break_out),
        cmocka_unit_test(tags_that_are_too_large_are_numbered),
        cmocka_unit_test(equal_computing_and_lists_are_written_once),
        cmocka_unit_test(what_mpi_cannot_count_is_refused),
        cmocka_unit_test(the_kernel_has_a_speed),
        cmocka_unit_test(the_speed_of_the_recording_counts),
    };

    return cmocka_run_group_tests(tests, NULL, clean_up);
}
