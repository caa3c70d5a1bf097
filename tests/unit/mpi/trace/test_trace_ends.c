// SPDX-License-Identifier: GPL-3.0-or-later
/* test_trace_ends.c - how trace files begin and end: whole, or so that it can be seen. */
#include "trace.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { TIMES = 200 };

static struct rc_trace_writer *interrupted;

static void set_timer(int microseconds)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = microseconds}}, NULL);
}

static void end_now(int number)
{
    (void)number;
    if (rc_trace_writer_is_busy(interrupted))
        set_timer(10);
    else
        _exit(rc_trace_writer_seal(interrupted, UINT64_MAX, NULL) == 0 ? 0 : 1);
}

/* Adds calls until a signal comes. */
static void record_until(const char *path, int microseconds)
{
    static const int32_t list[] = {1, 2, 3};
    const struct rc_trace_header header = {.rank = 0, .ranks = 1};
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Waitall);

    interrupted = rc_trace_writer_create(path, &header, NULL, NULL);
    if (!interrupted)
        _exit(2);
    call.list = list;
    signal(SIGALRM, end_now);
    set_timer(microseconds);
    for (uint64_t i = 0;; i++) {
        call.list_length = i % 4;
        call.message.count = i % 1000 == 0 ? i : 0;
        rc_trace_writer_add(interrupted, &call, 2 * i, 2 * i + 1, -1, 0);
    }
}

static void a_signal_at_any_moment_can_end_a_file(void **state)
{
    const char *path = trace_path();
    struct rc_error error = {0};
    int status;

    (void)state;
    for (int i = 0; i < TIMES; i++) {
        pid_t child = fork();

        if (child == 0)
            record_until(path, 100 + 17 * i);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        if (rc_trace_check(path, NULL, &error) != 0)
            fail_msg("%s", error.text);
    }
    unlink(trace_path());
}

static void assert_has_no_end(uint64_t calls)
{
    struct rc_trace_summary summary;
    struct rc_error error = {0};

    assert_int_equal(rc_trace_check(trace_path(), &summary, &error), -1);
    assert_non_null(strstr(error.text, "incomplete: the program was killed"));
    assert_int_equal(summary.calls, calls);
}

static bool full_at_close;

/* Network file systems may find out that late that there is no room. */
int close(int file)
{
    long status = syscall(SYS_close, file);

    if (!full_at_close)
        return (int)status;
    errno = ENOSPC;
    return -1;
}

static void a_disk_that_is_full_at_close_leaves_whole_blocks(void **state)
{
    struct rc_error error = {0};
    struct recording recording;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_text(&recording, "abcabc");
    rc_trace_writer_flush(recording.writer);
    record_text(&recording, "abc");
    full_at_close = true;
    rc_trace_writer_flush(recording.writer);
    full_at_close = false;
    assert_false(rc_trace_writer_is_on(recording.writer));
    assert_int_equal(rc_trace_writer_finish(recording.writer, recording.clock, &error), -1);
    assert_non_null(strstr(error.text, "No space left"));
    assert_has_no_end(6);
    record_free(&recording);
}

static void a_file_without_its_end_is_not_whole(void **state)
{
    struct recording recording;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_text(&recording, "abcabc");
    rc_trace_writer_flush(recording.writer);
    rc_trace_writer_destroy(recording.writer);
    assert_has_no_end(6);
    record_free(&recording);
    rc_trace_writer_destroy(NULL);
}

static void a_file_that_is_there_is_left_alone(void **state)
{
    struct rc_trace_header header = {.rank = 0, .ranks = 1};
    struct rc_trace_writer_options options = {.fresh = true};
    struct rc_error error = {0};
    struct recording recording;

    (void)state;
    record_begin(&recording, 1, NULL);
    record_text(&recording, "abcabc");
    record_end(&recording);
    assert_null(rc_trace_writer_create(trace_path(), &header, &options, &error));
    assert_non_null(strstr(error.text, "File exists"));
    assert_int_equal(rc_trace_check(trace_path(), NULL, &error), 0);
    record_free(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_at_any_moment_can_end_a_file),
        cmocka_unit_test(a_disk_that_is_full_at_close_leaves_whole_blocks),
        cmocka_unit_test(a_file_without_its_end_is_not_whole),
        cmocka_unit_test(a_file_that_is_there_is_left_alone),
    };

    return RUN_TESTS(tests);
}
