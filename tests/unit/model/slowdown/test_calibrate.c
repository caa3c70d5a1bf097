// SPDX-License-Identifier: GPL-3.0-or-later
/* test_calibrate.c - the plan of a calibration, and hosts that do not do as they should. */
#include "unit.h"

#include <sys/stat.h>

#include "model/slowdown/calibrate/calibrate.h"

/* ---- the plan ---- */

static const char *const names[] = {"a", "b", "c"};
static const struct rc_burst some_bursts[] = {{1, 100}, {10, 100}};

static struct rc_slowdown_calibrate order_of(size_t hosts, unsigned parts)
{
    return (struct rc_slowdown_calibrate){.hosts = names,
                                          .n_hosts = hosts,
                                          .parts = parts,
                                          .communicating = 2,
                                          .points = 3,
                                          .rounds = 1,
                                          .bursts = some_bursts,
                                          .n_bursts = 2};
}

/* "Ha Lab D1ab ..." */
static void check_plan(const struct rc_slowdown_calibrate *order, const char *wanted, double length)
{
    struct rc_slowdown_calibrate_plan plan;
    struct rc_error error = {0};
    char text[200] = "";

    assert_int_equal(rc_slowdown_calibrate_plan(order, &plan, &error), 0);
    for (size_t i = 0; i < plan.n; i++) {
        const struct rc_calibrate_step *step = &plan.steps[i];
        size_t at = strlen(text);

        if (step->kind == RC_CALIBRATE_HOST)
            snprintf(text + at, sizeof text - at, " H%s", step->from);
        else if (step->kind == RC_CALIBRATE_LINK)
            snprintf(text + at, sizeof text - at, " L%s%s", step->from, step->to);
        else
            snprintf(text + at, sizeof text - at, " D%zu%s%s", step->communicating, step->from,
                     step->to);
    }
    assert_string_equal(text, wanted);
    assert_near(plan.length, length, 1e-9);
    rc_slowdown_calibrate_plan_free(&plan);
}

static void plans_steps(void **state)
{
    struct rc_slowdown_calibrate order = order_of(3, RC_CALIBRATION_ALL);

    (void)state;
    check_plan(&order, " Ha Hb Hc Lab Lba Lbc Lcb D1ab D2ab", 3 * 3 + 4 * 4 + 2 * 10);
    order.all_links = true;
    order.parts = RC_CALIBRATION_BURSTS;
    check_plan(&order, " Ha Hb Hc Lab Lac Lba Lbc Lca Lcb", 3 + 6 * 4);
    order = order_of(1, RC_CALIBRATION_ALL);
    check_plan(&order, " Ha D1aa D2aa", 3 + 20);
    order.loopback = true;
    check_plan(&order, " Ha Laa D1aa D2aa", 3 + 4 + 20);
    order = order_of(2, RC_CALIBRATION_WEIGHTS);
    check_plan(&order, " Ha Hb", 2);
}

static double seconds_of(const struct rc_slowdown_calibrate *order)
{
    struct rc_slowdown_calibrate_plan plan;
    double seconds;

    assert_int_equal(rc_slowdown_calibrate_plan(order, &plan, NULL), 0);
    seconds = rc_slowdown_calibrate_seconds(order, &plan);
    rc_slowdown_calibrate_plan_free(&plan);
    return seconds;
}

/* How long it takes is known roughly: more of anything takes longer. */
static void estimates_its_duration(void **state)
{
    struct rc_slowdown_calibrate order = order_of(2, RC_CALIBRATION_ALL), more;
    double seconds;

    (void)state;
    order.sweeps = RC_BENCH_SWEEPS;
    order.longest = 2;
    seconds = seconds_of(&order);
    assert_true(seconds > 0);
    more = order;
    more.n_hosts = 3;
    assert_true(seconds_of(&more) > seconds);
    more = order;
    more.rounds = 5;
    assert_true(seconds_of(&more) > seconds && seconds_of(&more) < 5 * seconds);
    more = order;
    more.points = 10;
    assert_true(seconds_of(&more) > seconds);
    more.parts = RC_CALIBRATION_WEIGHTS;
    assert_true(seconds_of(&more) < seconds);
    order.parts = RC_CALIBRATION_WEIGHTS;
    order.benchmark = "true";
    assert_near(seconds_of(&order), 2 * 0.5, 1e-9); /* getting onto two hosts */
    order = order_of(2, RC_CALIBRATION_BURSTS);
    order.longest = 2;
    order.bursts = &(struct rc_burst){1e6, 1e6}; /* hours, broken off after 2 s on both links */
    order.n_bursts = 1;
    assert_near(seconds_of(&order), 2 * 0.5 + 2 * (2 * 0.5 + 2), 1e-9);
}

static void check_refused(const struct rc_slowdown_calibrate *order, const char *why)
{
    struct rc_slowdown_calibrate_plan plan;
    struct rc_error error = {0};

    assert_int_equal(rc_slowdown_calibrate_plan(order, &plan, &error), -1);
    if (!strstr(error.text, why))
        fail_msg("'%s' is not in: %s", why, error.text);
    rc_slowdown_calibrate_plan_free(&plan);
}

/* What cannot be kept in the end is not measured first. */
static void refuses_what_cannot_be_kept(void **state)
{
    enum { MANY = 300 };
    static const char *const twice[] = {"b", "a", "b"};
    static char text[MANY][8];
    const char *many[MANY];
    struct rc_slowdown_calibrate order = order_of(1, RC_CALIBRATION_BURSTS);

    (void)state;
    check_refused(&order, "no links");
    order = order_of(3, RC_CALIBRATION_ALL);
    order.hosts = twice;
    check_refused(&order, "duplicate host 'b'");
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof text[i], "n%d", i);
        many[i] = text[i];
    }
    order = order_of(MANY, RC_CALIBRATION_BURSTS);
    order.hosts = many;
    order.all_links = true;
    check_refused(&order, "89700 links between 300 hosts");
    order.n_hosts = 200;
    order.n_bursts = 25;
    check_refused(&order, "25 bursts on 39800 links");
    order.all_links = false;
    order.n_hosts = MANY;
    {
        struct rc_slowdown_calibrate_plan plan;

        assert_int_equal(rc_slowdown_calibrate_plan(&order, &plan, NULL), 0);
        assert_int_equal(plan.n, MANY + 2 * (MANY - 1));
        rc_slowdown_calibrate_plan_free(&plan);
    }
}

/* ---- hosts ---- */

/* A launcher, in a file of its own: what it says, and then does. */
static void write_launcher(char path[], const char *script)
{
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, script, strlen(script)), (ssize_t)strlen(script));
    assert_int_equal(fchmod(fd, 0700), 0);
    close(fd);
}

static void check_host(const char *script, double patience, const char *why)
{
    char path[] = "/tmp/runcast-launcher-XXXXXX";
    const struct rc_remote_launch launch = {.launcher = path,
                                            .program = "runcast",
                                            .arguments = {"slowdown", "bench", "--agent"},
                                            .patience = patience};
    const struct rc_bench_order order = {.kind = RC_BENCH_MEMORY, .memory = {.rounds = 1}};
    struct rc_error error = {0};
    struct rc_remote remote;
    json_t *answer = NULL;

    write_launcher(path, script);
    if (rc_slowdown_remote_open(&remote, &launch, "h1", NULL, &error) == 0)
        answer = rc_slowdown_remote_ask(&remote, &order, NULL, &error);
    rc_slowdown_remote_close(&remote);
    unlink(path);
    if (!why) {
        if (!answer)
            fail_msg("no answer: %s", error.text);
        json_decref(answer);
        return;
    }
    assert_null(answer);
    if (!strstr(error.text, why))
        fail_msg("'%s' is not in: %s", why, error.text);
}

#define GREETING                                                                                   \
    "#!/bin/sh\necho '{\"bench\": 2, \"version\": \"0.1.0\", \"cores\": 1}'\nread order\n"

static void bad_hosts_are_reported(void **state)
{
    (void)state;
    check_host("#!/bin/sh\necho '{\"bench\": 1, \"version\": \"0.0.7\", \"cores\": 1}'\ncat\n", 9,
               "h1: runcast 0.0.7 is incompatible with this one");
    check_host("#!/bin/sh\necho '{\"welcome\": 1}'\ncat\n", 9, "h1: invalid answer");
    check_host(GREETING "exec cat\n", 0.3, "h1: no answer for 0.3 s");
    check_host(GREETING "echo '{\"progress\": [1,'; echo no route >&2\nexit 3\n", 9,
               "h1: the launcher ended with status 3: no route");
    check_host(GREETING "kill -9 $$\n", 9, "h1: the launcher");
    check_host(GREETING "echo '{\"error\": \"out of paper\"}'\ncat\n", 9, "h1: out of paper");
    check_host(GREETING "exec tr '\\0' x < /dev/zero\n", 9, "h1: answer too long");
}

/* Noise before the greeting, and signs of life before an answer that comes late. */
static void noisy_hosts_are_heard(void **state)
{
    (void)state;
    check_host("#!/bin/sh\necho 'Welcome to h1 {'\nprintf '[1]\\n\\n'\necho noise >&2\n"
               "echo '{\"bench\": 2, \"version\": \"0.1.0\", \"cores\": 1}'\nread order\n"
               "for i in 1 2 3 4 5 6; do echo '{\"progress\": [0, 0]}'; sleep 0.3; done\n"
               "echo '{\"slowdown\": []}'\ncat\n",
               1.5, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_steps),
        cmocka_unit_test(estimates_its_duration),
        cmocka_unit_test(refuses_what_cannot_be_kept),
        cmocka_unit_test(bad_hosts_are_reported),
        cmocka_unit_test(noisy_hosts_are_heard),
    };

    return RUN_TESTS(tests);
}
