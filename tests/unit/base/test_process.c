/* test_process.c - programs and functions in processes of their own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

/* Long enough for a loaded machine, where the limit is not what is tested. */
static const struct rc_process_options patient = {.seconds = 60};
static const struct rc_process_options hasty = {.seconds = 1.0};

struct outcome {
    struct rc_buffer output;
    struct rc_process_result result;
    struct rc_error error;
    int status;
};

static struct outcome run_script(const char *script, const struct rc_process_options *options)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct outcome o = {.output = RC_BUFFER_INIT(1 << 16)};

    o.status = rc_process_run(argv, options, &o.output, &o.result, &o.error);
    return o;
}

static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Whether a process that is no child of ours still does something; a zombie does not. */
static int is_alive(long pid)
{
    char path[64], text[512] = "";
    const char *state;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (!fgets(text, sizeof text, file))
        text[0] = '\0';
    fclose(file);
    state = strrchr(text, ')');
    return state && state[1] && state[2] != 'Z' && state[2] != 'X';
}

static void assert_dies(long pid)
{
    assert_true(pid > 1);
    /* SIGKILL has been sent; the kernel may take a moment. */
    for (int i = 0; i < 1000 && is_alive(pid); i++)
        usleep(10000);
    assert_false(is_alive(pid));
}

static void test_output_and_status(void **state)
{
    struct outcome o = run_script("echo out; echo err >&2; exit 3", &patient);

    (void)state;
    assert_int_equal(o.status, 0);
    assert_int_equal(o.result.end, RC_PROCESS_EXITED);
    assert_int_equal(o.result.status, 3);
    assert_false(o.result.truncated);
    assert_string_equal(o.output.data, "out\nerr\n");
    rc_buffer_free(&o.output);
    assert_no_children();
}

static void test_defaults(void **state)
{
    const char *argv[] = {"/bin/sh", "-c", "exit 0", NULL};

    (void)state;
    assert_int_equal(rc_process_run(argv, NULL, NULL, NULL, NULL), 0);
    assert_no_children();
}

static void test_signal(void **state)
{
    struct outcome o = run_script("kill -9 $$", &patient);

    (void)state;
    assert_int_equal(o.status, 0);
    assert_int_equal(o.result.end, RC_PROCESS_SIGNALLED);
    assert_int_equal(o.result.status, SIGKILL);
    rc_buffer_free(&o.output);
}

static void test_not_found(void **state)
{
    const char *missing[] = {"runcast-no-such-program", NULL}, *nameless[] = {"", NULL};
    const char *directory[] = {"/tmp", NULL}, *data[] = {"/etc/passwd", NULL};
    struct rc_process_result result;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_process_run(missing, &patient, NULL, &result, &error), -1);
    assert_int_equal(result.end, RC_PROCESS_NOT_FOUND);
    assert_non_null(strstr(error.text, "runcast-no-such-program"));
    assert_int_equal(rc_process_run(nameless, &patient, NULL, &result, &error), -1);
    assert_int_equal(result.end, RC_PROCESS_NOT_FOUND);
    assert_int_equal(rc_process_run(directory, &patient, NULL, &result, &error), -1);
    assert_int_equal(result.end, RC_PROCESS_NOT_FOUND);
    assert_int_equal(rc_process_run(data, &patient, NULL, &result, &error), -1);
    assert_int_equal(result.end, RC_PROCESS_NOT_FOUND);
}

/* A program that is there and yet cannot be started is not "not installed". */
static void test_not_startable(void **state)
{
    char path[] = "/tmp/runcast-test-XXXXXX";
    const char *argv[] = {path, NULL};
    static const char script[] = "#!/no/such/interpreter\n";
    struct rc_process_result result;
    struct rc_error error;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, script, sizeof script - 1), sizeof script - 1);
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
    assert_int_equal(rc_process_run(argv, &patient, NULL, &result, &error), -1);
    assert_int_equal(result.end, RC_PROCESS_FAILED);
    assert_non_null(strstr(error.text, path));
    unlink(path);
    assert_no_children();
}

static void test_no_input_no_terminal(void **state)
{
    struct outcome o = run_script("cat; (: < /dev/tty) 2> /dev/null || echo none", &patient);

    (void)state;
    assert_int_equal(o.result.end, RC_PROCESS_EXITED);
    assert_string_equal(o.output.data, "none\n");
    rc_buffer_free(&o.output);
}

static void test_time_limit_takes_the_group(void **state)
{
    struct outcome o = run_script("sleep 1000 & echo $!; wait", &hasty);

    (void)state;
    assert_int_equal(o.status, -1);
    assert_int_equal(o.result.end, RC_PROCESS_TIMED_OUT);
    assert_non_null(strstr(o.error.text, "1 s"));
    assert_non_null(o.output.data);
    assert_dies(strtol(o.output.data, NULL, 10));
    rc_buffer_free(&o.output);
    assert_no_children();
}

static void test_grace(void **state)
{
    static const struct rc_process_options graceful = {.seconds = 1.5, .grace = 60};
    static const struct rc_process_options firm = {.seconds = 1.5, .grace = 0.3};
    struct outcome o =
        run_script("trap 'echo bye; exit 0' TERM; while :; do sleep 0.1; done", &graceful);

    (void)state;
    assert_int_equal(o.result.end, RC_PROCESS_TIMED_OUT);
    assert_non_null(o.output.data);
    assert_non_null(strstr(o.output.data, "bye"));
    rc_buffer_free(&o.output);
    o = run_script("trap '' TERM; while :; do sleep 0.1; done", &firm);
    assert_int_equal(o.result.end, RC_PROCESS_TIMED_OUT);
    rc_buffer_free(&o.output);
    assert_no_children();
}

/* The answer comes with the end of the program, not with that of what it left behind. */
static void test_stray_process(void **state)
{
    struct outcome o = run_script("sleep 1000 & echo $!", &patient);

    (void)state;
    assert_int_equal(o.result.end, RC_PROCESS_EXITED);
    assert_non_null(o.output.data);
    assert_dies(strtol(o.output.data, NULL, 10));
    rc_buffer_free(&o.output);
    assert_no_children();
}

static void test_truncation(void **state)
{
    const char *argv[] = {"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x", NULL};
    struct rc_buffer output = RC_BUFFER_INIT(1000);
    struct rc_process_result result;

    (void)state;
    assert_int_equal(rc_process_run(argv, &patient, &output, &result, NULL), 0);
    assert_true(result.truncated);
    assert_int_equal(result.status, 0);
    assert_int_equal(output.length, 1000);
    assert_int_equal(strspn(output.data, "x"), 1000);
    rc_buffer_free(&output);
}

static void test_all_output_is_kept(void **state)
{
    const char *argv[] = {"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x", NULL};
    struct rc_buffer output = RC_BUFFER_INIT(1000000);
    struct rc_process_result result;

    (void)state;
    assert_int_equal(rc_process_run(argv, &patient, &output, &result, NULL), 0);
    assert_false(result.truncated);
    assert_int_equal(output.length, 1000000);
    rc_buffer_free(&output);
}

static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void test_descriptors(void **state)
{
    int leaky = open("/dev/null", O_RDONLY), before = count_descriptors();
    struct outcome o;

    (void)state;
    assert_true(leaky >= 3);
    o = run_script("for i in 3 4 5 6 7 8 9; do if (: <&$i) 2> /dev/null; then echo $i; fi; done",
                   &patient);
    assert_int_equal(o.result.end, RC_PROCESS_EXITED);
    assert_int_equal(o.output.length, 0);
    rc_buffer_free(&o.output);
    o = run_script("sleep 1000", &hasty);
    rc_buffer_free(&o.output);
    assert_int_equal(count_descriptors(), before);
    close(leaky);
}

static void test_signals_are_reset(void **state)
{
    struct outcome o;
    sigset_t blocked, before;

    (void)state;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGTERM, SIG_IGN);
    o = run_script("kill -TERM $$; echo still here", &patient);
    signal(SIGTERM, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(o.result.end, RC_PROCESS_SIGNALLED);
    assert_int_equal(o.result.status, SIGTERM);
    rc_buffer_free(&o.output);
}

static int say_yes(void *data)
{
    return ++*(int *)data > 1;
}

static void test_cancel(void **state)
{
    int asked = 0;
    struct rc_monitor monitor = {.cancelled = say_yes, .data = &asked};
    struct rc_process_options options = {.seconds = INFINITY, .monitor = &monitor};
    struct outcome o = run_script("sleep 1000", &options);

    (void)state;
    assert_int_equal(o.status, -1);
    assert_int_equal(o.result.end, RC_PROCESS_CANCELLED);
    rc_buffer_free(&o.output);
    assert_no_children();
}

static void test_environment(void **state)
{
    static const char *const environment[] = {"WORD=given", NULL};
    struct rc_process_options options = {.seconds = 60, .environment = environment};
    struct outcome o = run_script("echo $WORD${HOME:-}", &options);

    (void)state;
    assert_string_equal(o.output.data, "given\n");
    rc_buffer_free(&o.output);
}

/* Where a standard descriptor is closed, the pipes must not take its place. */
static int run_without_standard(void *data)
{
    const char *argv[] = {"sh", "-c", "cat; echo out; echo err >&2", NULL};
    struct rc_buffer output = RC_BUFFER_INIT(100);

    (void)data;
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
    if (rc_process_run(argv, &patient, &output, NULL, NULL))
        return 1;
    return strcmp(output.data, "out\nerr\n") == 0 ? 42 : 2;
}

static void test_without_standard_descriptors(void **state)
{
    struct rc_process_result result;

    (void)state;
    assert_int_equal(rc_process_call(run_without_standard, NULL, &patient, NULL, &result, NULL), 0);
    assert_int_equal(result.end, RC_PROCESS_EXITED);
    assert_int_equal(result.status, 42);
}

static int report_and_wait(void *data)
{
    dprintf(STDOUT_FILENO, "%s %d\n", (const char *)data, (int)getpid());
    while (getppid() > 0)
        pause();
    return 0;
}

static void test_call(void **state)
{
    static char word[] = "word";
    struct rc_buffer output = RC_BUFFER_INIT(100);
    struct rc_process_result result;

    (void)state;
    assert_int_equal(rc_process_call(report_and_wait, word, &hasty, &output, &result, NULL), -1);
    assert_int_equal(result.end, RC_PROCESS_TIMED_OUT);
    assert_memory_equal(output.data, "word ", 5);
    assert_int_not_equal(strtol(output.data + 5, NULL, 10), getpid());
    rc_buffer_free(&output);
    assert_no_children();
}

static int nest(void *data)
{
    const char *argv[] = {"sh", "-c", "echo $$ > \"$0\"; exec sleep 1000", data, NULL};

    rc_process_run(argv, &patient, NULL, NULL, NULL);
    return 0;
}

/* What such a process runs has a group of its own, and ends with it nevertheless. */
static void test_nested_end(void **state)
{
    char path[] = "/tmp/runcast-test-XXXXXX", text[32] = "";
    struct rc_process_options second = {.seconds = 1};
    struct rc_process_result result;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(rc_process_call(nest, path, &second, NULL, &result, NULL), -1);
    assert_int_equal(result.end, RC_PROCESS_TIMED_OUT);
    if (read(fd, text, sizeof text - 1) > 0)
        assert_dies(strtol(text, NULL, 10));
    close(fd);
    unlink(path);
    assert_no_children();
}

static void test_find(void **state)
{
    char path[4096], tiny[4], directory[] = "/tmp/runcast-test-XXXXXX", file[64], old[4096];
    int fd;

    (void)state;
    snprintf(old, sizeof old, "%s", getenv("PATH"));
    assert_int_equal(rc_process_find("sh", path, sizeof path), 0);
    assert_int_equal(path[0], '/');
    assert_int_equal(rc_process_find("/bin/sh", path, sizeof path), 0);
    assert_string_equal(path, "/bin/sh");
    assert_int_equal(rc_process_find("sh", tiny, sizeof tiny), -1);
    assert_string_equal(tiny, "");
    assert_int_equal(rc_process_find("", path, sizeof path), -1);

    assert_non_null(mkdtemp(directory));
    snprintf(file, sizeof file, "%s/sh", directory);
    fd = open(file, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    setenv("PATH", directory, 1);
    assert_int_equal(rc_process_find("sh", path, sizeof path), -1); /* it may not be executed */
    assert_string_equal(path, "");
    fchmod(fd, 0700);
    close(fd);
    assert_int_equal(rc_process_find("sh", path, sizeof path), 0);
    assert_string_equal(path, file);
    setenv("PATH", "", 1);
    assert_int_equal(rc_process_find("runcast-no-such-program", path, sizeof path), -1);
    unsetenv("PATH");
    assert_int_equal(rc_process_find("sh", path, sizeof path), 0);
    setenv("PATH", old, 1);
    unlink(file);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_status),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_not_startable),
        cmocka_unit_test(test_no_input_no_terminal),
        cmocka_unit_test(test_time_limit_takes_the_group),
        cmocka_unit_test(test_grace),
        cmocka_unit_test(test_stray_process),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_all_output_is_kept),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_signals_are_reset),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_without_standard_descriptors),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_nested_end),
        cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
