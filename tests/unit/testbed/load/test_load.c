/* test_load.c - making load real: what is decided, what is said, and the processes. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "base/error.h"
#include "host/sense/cores.h"
#include "testbed/load/core_fraction.h"
#include "testbed/load/target_usage.h"
#include "testbed/load/launch_receiver.h"
#include "testbed/load/mixed_load.h"
#include "testbed/load/send_credit.h"
#include "testbed/load/receiver.h"

/* ---- the duty cycle, on a clock of our own ---- */

/* Runs cycles for `seconds` on a core of which the process gets `share` while it spins; returns the
 * CPU time that it used. */
static double run_duty(struct rc_load_duty *duty, double fraction, double share, double *now,
                       double *cpu, double seconds)
{
    double end = *now + seconds, before = *cpu, late = 0.0001;

    while (*now < end) {
        rc_load_duty_next(duty, fraction, *now, *cpu);
        if (*cpu < duty->target) {
            *now += (duty->target - *cpu) / share;
            *cpu = duty->target;
        }
        if (*now < duty->until)
            *now = duty->until + late; /* every sleep takes a little too long */
    }
    return *cpu - before;
}

static void test_duty_holds_the_fraction(void **state)
{
    struct rc_load_duty duty;

    (void)state;
    for (int i = 1; i <= 10; i++) {
        double now = 100, cpu = 3, fraction = i / 10.0;

        rc_load_duty_begin(&duty, now, cpu, i / 10.5);
        assert_near(run_duty(&duty, fraction, 1, &now, &cpu, 100) / 100, fraction, 0.001);
    }
}

static void test_duty_takes_its_fair_share_and_no_revenge(void **state)
{
    struct rc_load_duty duty;
    double now = 0, cpu = 0, used;

    (void)state;
    rc_load_duty_begin(&duty, now, cpu, 0);
    used = run_duty(&duty, 0.8, 0.5, &now, &cpu, 100); /* a competitor takes its half */
    assert_near(used / 100, 0.5, 0.002);
    used = run_duty(&duty, 0.8, 1, &now, &cpu, 100); /* it is gone */
    assert_true(used >= 79.9);
    assert_true(used <= 80 + RC_LOAD_DEBT_MAX + 0.01);
    run_duty(&duty, 0.8, 0.5, &now, &cpu, 100);
    used = run_duty(&duty, 0.1, 1, &now, &cpu, 100); /* another load owes nothing */
    assert_near(used / 100, 0.1, 0.0005);
}

static void test_no_two_cycles_in_step(void **state)
{
    struct rc_load_duty duty;
    double before = 0, least = 1, most = 0;

    (void)state;
    rc_load_duty_begin(&duty, 0, 0, 0);
    for (int i = 0; i < 1000; i++, before = duty.until) {
        rc_load_duty_next(&duty, 0.6, duty.until, duty.target);
        least = fmin(least, duty.until - before);
        most = fmax(most, duty.until - before);
    }
    assert_near(duty.until / 1000, RC_LOAD_CYCLE, RC_LOAD_CYCLE * 0.01);
    assert_near(least, 0.5 * RC_LOAD_CYCLE, RC_LOAD_CYCLE * 0.01);
    assert_near(most, 1.5 * RC_LOAD_CYCLE, RC_LOAD_CYCLE * 0.01);
}

static void test_what_is_left(void **state)
{
    (void)state;
    assert_near(rc_load_left(1, 0.3), 0.7, 1e-12);
    assert_near(rc_load_left(1, 0.7), 0.5, 1e-12);
    assert_near(rc_load_left(3, 0.1), 0.7, 1e-12);
    assert_near(rc_load_left(3, 1), 0.25, 1e-12);
    assert_same(rc_load_left(0, 1), 1);
}

/* ---- availability ---- */

static void test_processes_for_an_availability(void **state)
{
    double fraction;

    (void)state;
    assert_int_equal(rc_load_share(1, 19, &fraction), 0);
    assert_same(fraction, 0);
    assert_int_equal(rc_load_share(0.9, 19, &fraction), 1);
    assert_near(fraction, 0.1, 1e-12);
    assert_int_equal(rc_load_share(0.5, 19, &fraction), 1);
    assert_int_equal(rc_load_share(0.25, 19, &fraction), 3);
    assert_near(fraction, 0.25, 1e-12);
    assert_int_equal(rc_load_share(0, 19, &fraction), 19);
    assert_near(fraction, 0.05, 1e-12);
    for (int i = 5; i <= 100; i++) { /* whatever it is, a competitor is left with it */
        size_t n = rc_load_share(i / 100.0, 19, &fraction);

        assert_near(rc_load_left(n, fraction), i / 100.0, 1e-9);
    }
}

static struct rc_sample four_steps[] = {{10, 1}, {11, 0.25}, {12, 0}, {14, 0.5}};

static void test_steps_are_followed(void **state)
{
    const struct rc_load_follow follow = {
        .steps = {four_steps, 4}, .from = 10, .speed = 2, .most = 3};
    const struct rc_load_follow_core first = {&follow, 0}, third = {&follow, 2};
    const struct rc_load_follow_link link = {&follow, 1000};
    double made;

    (void)state;
    assert_same(rc_load_follow_at(&follow, 0.6), 0.25);
    assert_same(rc_load_follow_at(&follow, 1.2), 0);
    assert_near(rc_load_follow_fraction(&first, 1.2), 0.25, 1e-12); /* of 3, which leave 0.25 */
    assert_near(rc_load_follow_fraction(&first, 0.6), 0.25, 1e-12);
    assert_near(rc_load_follow_fraction(&third, 0.6), 0.25, 1e-12);
    assert_near(rc_load_follow_fraction(&first, 5), 0.5, 1e-12);
    assert_same(rc_load_follow_fraction(&third, 5), 0);
    assert_same(rc_load_follow_rate(&link, 0.6), 750);
    assert_near(rc_load_follow_mean(&follow, 2, &made), 1.25 / 4, 1e-12);
    assert_near(made, 1.75 / 4, 1e-12);
    assert_near(rc_load_follow_mean(&follow, 3, &made), 2.25 / 6, 1e-12); /* the last one holds */
}

static void test_steps_begin_anew(void **state)
{
    const struct rc_load_follow follow = {
        .steps = {four_steps, 4}, .from = 10, .speed = 1, .span = 4, .most = 3};
    double made;

    (void)state;
    assert_same(rc_load_follow_at(&follow, 5.5), 0.25);
    assert_near(rc_load_follow_mean(&follow, 8, &made), 1.25 / 4, 1e-12);
    assert_near(rc_load_follow_mean(&follow, 9, &made), (2 * 1.25 + 1) / 9, 1e-12);
}

/* ---- send credit ---- */

static void test_pace_does_not_drift(void **state)
{
    struct rc_load_send_credit credit;
    double now = 5, wait;
    long messages = 0;

    (void)state;
    rc_load_send_credit_begin(&credit, now, 1000);
    while (now < 105) {
        wait = rc_load_send_credit_wait(&credit, 1e6, now);
        if (wait > 0) {
            now += wait + 0.0003; /* sleeps take too long */
            continue;
        }
        rc_load_send_credit_spend(&credit);
        messages++;
    }
    assert_near((double)messages, 1e5, 20);
    assert_near(credit.wanted, 1e8, 1e4);
}

static void test_pace_forgets_what_was_long_ago(void **state)
{
    struct rc_load_send_credit credit;
    int at_once = 0;

    (void)state;
    rc_load_send_credit_begin(&credit, 0, 1000);
    while (rc_load_send_credit_wait(&credit, 1e5, 60) == 0) { /* nothing went for a minute */
        rc_load_send_credit_spend(&credit);
        at_once++;
    }
    assert_int_equal(at_once, (int)(1e5 * RC_LOAD_ARREARS / 1000));
    assert_true(isinf(rc_load_send_credit_wait(&credit, 0, 60)));
    assert_same(rc_load_message_size(100), 1024);
    assert_same(rc_load_message_size(1e6), 5000);
    assert_same(rc_load_message_size(1e10), 65536);
}

static void test_no_more_is_asked_for_than_arrives(void **state)
{
    struct rc_load_window window;
    uint64_t arrived = 0;
    double most = 0, now = 10;

    (void)state;
    rc_load_window_begin(&window, now);
    assert_same(rc_load_window_most(&window, 1000, 0, now), 2000); /* nothing known */
    for (int i = 0; i < 100; i++) {                                /* 1 MB/s */
        now += 0.01;
        arrived += 10000;
        most = rc_load_window_most(&window, 1000, arrived, now);
    }
    assert_near(most, 1e6 * RC_LOAD_ARREARS, 1e4);
    rc_load_window_most(&window, 1000, arrived, now + 1);
    now += 2; /* nothing comes any more */
    assert_same(rc_load_window_most(&window, 1000, arrived, now), 2000);
    now += 0.2;
    arrived += 20000000;
    assert_near(rc_load_window_most(&window, 1000, arrived, now), 1e8 * RC_LOAD_ARREARS, 1);
}

static void test_the_rate_is_that_of_the_measured_time(void **state)
{
    const struct rc_load_tally late = {.wall = 2,
                                       .drained = 4,
                                       .received = 4000,
                                       .arrived = 2000,
                                       .in_time = 2,
                                       .sent = 900,
                                       .peer_received = 800};
    struct rc_load_tally untold = late;

    (void)state;
    untold.drained = 0;
    assert_near(rc_load_stream_rate(&late, RC_LOAD_RECEIVE), 1000, 1e-9);
    assert_near(rc_load_stream_rate(&untold, RC_LOAD_RECEIVE), 1000, 1e-9);
    assert_near(rc_load_stream_rate(&late, RC_LOAD_SEND), 200, 1e-9);
    assert_near(rc_load_stream_rate(&untold, RC_LOAD_SEND), 450, 1e-9);
}

/* ---- texts ---- */

static void test_lists_of_cores(void **state)
{
    static const char *const bad[] = {"",    ",", "1,",  "-1",  "1-",
                                      "2-1", "a", "0x1", "1 2", "0-99999"};
    struct rc_sense_cores cores;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_sense_cores_parse("0,2-4,2", &cores, &error), 0);
    assert_int_equal(cores.n, 5);
    assert_int_equal(cores.items[3], 4);
    assert_int_equal(cores.items[4], 2);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(rc_sense_cores_parse(bad[i], &cores, &error), -1);
    assert_int_equal(rc_sense_cores_allowed(&cores, &error), 0);
    assert_true(cores.n > 0);
    assert_int_equal(rc_sense_cores_choose("1023", &cores, &error), -1);
    assert_non_null(strstr(error.text, "core 1023 does not exist"));
}

static void test_addresses(void **state)
{
    static const struct {
        const char *text, *host;
        int port;
    } good[] = {{"b1", "b1", 7},         {"b1:80", "b1", 80}, {"::1", "::1", 7},
                {"[::1]:80", "::1", 80}, {"[::1]", "::1", 7}, {"10.0.0.1:1", "10.0.0.1", 1}};
    static const char *const bad[] = {"",     ":80",  "b1:",     "b1:0",    "b1:65536",
                                      "b1:x", "[::1", "[::1]80", "-oProxy", "[]:1"};
    struct rc_peer peer;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        peer = (struct rc_peer){.port = 7};
        assert_int_equal(rc_socket_parse_peer(good[i].text, &peer, &error), 0);
        assert_string_equal(peer.host, good[i].host);
        assert_int_equal(peer.port, good[i].port);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(rc_socket_parse_peer(bad[i], &peer, &error), -1);
}

static void test_announcements(void **state)
{
    static const char *const bad[] = {"",
                                      "runcast-receiver",
                                      "runcast-receiver 1",
                                      "runcast-receiver 0 abcdefabcdefabcdef",
                                      "runcast-receiver 70000 abcdefabcdefabcdef",
                                      "runcast-receiver 80 short",
                                      "runcast-receiver 80 abc defabcdefabcdef",
                                      "runcast-receiver  80 abcdefabcdefabcdef"};
    struct rc_peer peer = {.port = 0};

    (void)state;
    assert_int_equal(rc_load_announcement_read("runcast-receiver 80 abcdefabcdefabcdef", &peer), 0);
    assert_int_equal(peer.port, 80);
    assert_string_equal(peer.key, "abcdefabcdefabcdef");
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(rc_load_announcement_read(bad[i], &peer), -1);
}

static void test_orders(void **state)
{
    unsigned char bytes[RC_LOAD_REQUEST_SIZE];
    enum rc_load_request request;
    uint64_t size;

    (void)state;
    rc_load_request_write(bytes, RC_LOAD_PULL, 123456789);
    assert_int_equal(rc_load_request_read(bytes, &request, &size), 0);
    assert_int_equal(request, RC_LOAD_PULL);
    assert_int_equal(size, 123456789);
    rc_load_request_write(bytes, RC_LOAD_PUSH, RC_LOAD_REQUEST_SIZE - 1); /* smaller than itself */
    assert_int_equal(rc_load_request_read(bytes, &request, &size), -1);
    rc_load_request_write(bytes, RC_LOAD_PULL, (uint64_t)RC_LOAD_MESSAGE_MAX + 1);
    assert_int_equal(rc_load_request_read(bytes, &request, &size), -1);
    rc_load_request_write(bytes, RC_LOAD_TOTAL_IN, UINT64_MAX);
    assert_int_equal(rc_load_request_read(bytes, &request, &size), 0);
    bytes[7] = 99;
    assert_int_equal(rc_load_request_read(bytes, &request, &size), -1);
    rc_load_request_write(bytes, RC_LOAD_PUSH, 100);
    bytes[0] = 'r';
    assert_int_equal(rc_load_request_read(bytes, &request, &size), -1);
}

/* ---- the greeting ---- */

/* Greets with `given` a receiver whose key is `wanted`; what the receiver made of it is the result.
 */
static int greet(const char *wanted, const char *given, int *streams)
{
    struct rc_peer peer = {.host = "here", .port = 1};
    int ends[2], status;
    pid_t child;

    snprintf(peer.key, sizeof peer.key, "%s", given);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    child = fork();
    if (child == 0)
        _exit(rc_load_greet(ends[1], &peer, 3, NULL) ? 1 : 0);
    close(ends[1]);
    *streams = rc_load_admit(ends[0], wanted, NULL);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void test_only_who_has_the_key_is_let_in(void **state)
{
    char key[RC_KEY_SIZE], other[RC_KEY_SIZE];
    int streams;

    (void)state;
    assert_int_equal(rc_socket_make_key(key, NULL), 0);
    assert_int_equal(rc_socket_make_key(other, NULL), 0);
    assert_true(rc_socket_is_key(key));
    assert_string_not_equal(key, other);
    assert_int_equal(greet(key, key, &streams), 0);
    assert_int_equal(streams, 3);
    assert_int_equal(greet(key, other, &streams), 1);
    assert_int_equal(streams, -1);
}

/* ---- processes ---- */

static int cancelled_at_once(void *data)
{
    (void)data;
    return 1;
}

static int refuse(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    (void)worker;
    (void)data;
    return rc_error_set(error, "not today");
}

static int count_cycle(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    (void)error;
    worker->tally->cycles = (uint64_t)(worker->index + 1);
    if (data) /* until it is told to stop */
        rc_load_sleep_until(worker, INFINITY);
    return 0;
}

static int kill_itself(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    (void)worker;
    (void)data;
    (void)error;
    raise(SIGKILL);
    return 0;
}

static struct rc_load_team *
team_of(int (*prepare)(struct rc_load_worker *, void *, struct rc_error *),
        int (*body)(struct rc_load_worker *, void *, struct rc_error *), void *data)
{
    struct rc_error error = {0};
    struct rc_load_team *team = rc_load_team_create(3, &error);
    const struct rc_load_task plain = {
        .body = count_cycle, .data = data, .core = -1, .descriptor = -1};
    const struct rc_load_task special = {
        .prepare = prepare, .body = body, .data = data, .core = -1, .descriptor = -1};

    assert_non_null(team);
    assert_int_equal(rc_load_team_add(team, &plain, &error), 0);
    assert_int_equal(rc_load_team_add(team, &special, &error), 0);
    assert_int_equal(rc_load_team_add(team, &plain, &error), 0);
    assert_int_equal(rc_load_team_add(team, &plain, &error), -1); /* it is full */
    return team;
}

static void test_a_team_does_its_work(void **state)
{
    struct rc_load_team *team = team_of(NULL, count_cycle, NULL);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_team_run(team, 60, NULL, &error), 0);
    assert_int_equal(rc_load_team_tally(team, 2)->cycles, 3);
    assert_int_equal(rc_load_team_sum(team, 1, 1, -1).cycles, 2);
    assert_int_equal(rc_load_team_sum(team, 0, SIZE_MAX, -1).cycles, 6);
    assert_true(rc_load_team_seconds(team) < 60); /* all had ended by themselves */
    rc_load_team_destroy(team);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_a_team_ends_when_it_should(void **state)
{
    const struct rc_monitor cancel = {.cancelled = cancelled_at_once};
    struct rc_load_team *team = team_of(NULL, count_cycle, &errno);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_team_run(team, 0.2, NULL, &error), 0);
    assert_near(rc_load_team_seconds(team), 0.2, 1e-9);
    rc_load_team_destroy(team);
    team = team_of(NULL, count_cycle, &errno);
    assert_int_equal(rc_load_team_run(team, INFINITY, &cancel, &error), 0);
    rc_load_team_destroy(team);
    team = team_of(NULL, count_cycle, &errno); /* one that never runs */
    rc_load_team_destroy(team);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void test_a_failure_is_told(void **state)
{
    struct rc_load_team *team = team_of(refuse, count_cycle, &errno);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_team_run(team, INFINITY, NULL, &error), -1);
    assert_string_equal(error.text, "not today");
    assert_same(rc_load_team_seconds(team), 0); /* it never began */
    rc_load_team_destroy(team);
    team = team_of(NULL, refuse, &errno);
    assert_int_equal(rc_load_team_run(team, INFINITY, NULL, &error), -1);
    assert_string_equal(error.text, "not today");
    assert_int_equal(rc_load_team_tally(team, 2)->cycles, 3); /* the others' work is known */
    rc_load_team_destroy(team);
    team = team_of(NULL, kill_itself, &errno);
    assert_int_equal(rc_load_team_run(team, INFINITY, NULL, &error), -1);
    assert_non_null(strstr(error.text, "another program killed a process"));
    rc_load_team_destroy(team);
    assert_null(rc_load_team_create(RC_LOAD_TEAM_MAX + 1, &error));
}

/* Fails, and then is slow to end: the kernel has much to take back. */
static int fail_at_length(struct rc_load_worker *worker, void *data, struct rc_error *error)
{
    const size_t much = (size_t)128 << 20;
    char *memory = mmap(NULL, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)worker;
    (void)data;
    if (memory != MAP_FAILED)
        memset(memory, 1, much);
    return rc_error_set(error, "no way");
}

static void test_a_load_that_cannot_be_prepared_does_not_begin(void **state)
{
    const struct rc_load_task task = {
        .prepare = fail_at_length, .body = rc_load_duty_body, .core = -1, .descriptor = -1};
    struct rc_load_team *team = rc_load_team_create(1, NULL);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 5, NULL, &error), -1);
    assert_string_equal(error.text, "no way");
    assert_true(rc_load_team_seconds(team) == 0);
    rc_load_team_destroy(team);
}

static void test_no_such_core(void **state)
{
    const struct rc_load_task task = {.body = count_cycle, .core = 1023, .descriptor = -1};
    struct rc_load_team *team = rc_load_team_create(1, NULL);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 1, NULL, &error), -1);
    assert_non_null(strstr(error.text, "core 1023"));
    rc_load_team_destroy(team);
}

/* ---- over the network of this machine ---- */

/* A receiver in a process of its own; its exit status is the number of connections it refused. */
static pid_t start_receiver(struct rc_peer *peer)
{
    struct rc_load_receiver receiver;
    struct rc_error error = {0};
    struct rc_load_team *team;
    pid_t child;

    assert_int_equal(rc_load_receiver_open(&receiver, "127.0.0.1", 0, NULL, &error), 0);
    *peer = (struct rc_peer){.host = "127.0.0.1", .port = receiver.port};
    memcpy(peer->key, receiver.key, sizeof peer->key);
    child = fork();
    if (child == 0) {
        team = rc_load_receiver_serve(&receiver, 30, NULL, &error);
        _exit(team && !error.text[0] ? (int)receiver.refused : 99);
    }
    rc_load_receiver_close(&receiver);
    return child;
}

static void mix_there_and_back(enum rc_load_direction direction)
{
    struct rc_load_mix mix = {.compute = 0,
                              .communicate = NAN,
                              .cycle = 0.001,
                              .steady = true,
                              .burst = 200,
                              .direction = direction,
                              .network = true,
                              .stream = {.streams = 1, .message = 1000}};
    const struct rc_load_task task = {.prepare = rc_load_mix_prepare,
                                      .body = rc_load_mix_body,
                                      .data = &mix,
                                      .core = -1,
                                      .descriptor = -1};
    struct rc_load_team *team = rc_load_team_create(1, NULL);
    struct rc_error error = {0};
    const struct rc_load_tally *tally;
    pid_t child = start_receiver(&mix.stream.peer);
    int status;

    assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 0.5, NULL, &error), 0);
    tally = rc_load_team_tally(team, 0);
    assert_true(tally->bursts > 0);
    assert_true(tally->drained > 0);
    assert_int_equal(tally->sent, tally->peer_received); /* both ends count the same */
    assert_int_equal(tally->received, tally->peer_sent);
    assert_int_equal(tally->sent > 0, direction != RC_LOAD_RECEIVE);
    assert_int_equal(tally->received > 0, direction != RC_LOAD_SEND);
    rc_load_team_destroy(team);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_both_ends_count_the_same(void **state)
{
    (void)state;
    mix_there_and_back(RC_LOAD_SEND);
    mix_there_and_back(RC_LOAD_RECEIVE);
    mix_there_and_back(RC_LOAD_BOTH);
}

/* Two of them on one core: each cycle has its CPU time, however long that takes. */
static void test_work_is_done_however_long_it_takes(void **state)
{
    struct rc_load_mix mix = {
        .compute = 0.5, .communicate = NAN, .cycle = 0.01, .work = true, .steady = true};
    struct rc_sense_cores cores;
    struct rc_load_task task = {
        .prepare = rc_load_mix_prepare, .body = rc_load_mix_body, .data = &mix, .descriptor = -1};
    struct rc_load_team *team = rc_load_team_create(2, NULL);
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_sense_cores_choose(NULL, &cores, &error), 0);
    task.core = cores.items[0];
    for (int i = 0; i < 2; i++)
        assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 0.4, NULL, &error), 0);
    for (size_t i = 0; i < 2; i++) {
        const struct rc_load_tally *tally = rc_load_team_tally(team, i);

        assert_true(tally->cycles > 0);
        /* the load may have ended amid the last one */
        assert_true(tally->worked >= 0.005 * (double)(tally->cycles - 1));
        assert_true(tally->worked < 0.007 * (double)(tally->cycles + 1));
        assert_true(tally->computing >= 0.99 * tally->worked);
        assert_true(tally->resting >= 0.005 * (double)(tally->cycles - 2));
    }
    rc_load_team_destroy(team);
}

static void test_bursts_of_a_cycle_are_counted(void **state)
{
    struct rc_load_mix mix = {.compute = 0.1,
                              .communicate = NAN,
                              .cycle = 0.01,
                              .work = true,
                              .steady = true,
                              .burst = 20,
                              .bursts = 3,
                              .network = true,
                              .stream = {.streams = 1, .message = 1000}};
    const struct rc_load_task task = {.prepare = rc_load_mix_prepare,
                                      .body = rc_load_mix_body,
                                      .data = &mix,
                                      .core = -1,
                                      .descriptor = -1};
    struct rc_load_team *team = rc_load_team_create(1, NULL);
    const struct rc_load_tally *tally;
    struct rc_error error = {0};
    pid_t child = start_receiver(&mix.stream.peer);

    (void)state;
    assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 0.3, NULL, &error), 0);
    tally = rc_load_team_tally(team, 0);
    assert_true(tally->cycles > 0);
    assert_in_range(tally->bursts, 3 * tally->cycles, 3 * tally->cycles + 3);
    assert_true(tally->resting == 0); /* the bursts take what they take, and it begins again */
    rc_load_team_destroy(team);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_a_stranger_is_refused_and_the_load_comes_through(void **state)
{
    struct rc_load_stream stream = {
        .streams = 1, .direction = RC_LOAD_SEND, .message = 1000, .rate = 1e6};
    struct rc_load_task task = {.prepare = rc_load_stream_prepare,
                                .body = rc_load_stream_body,
                                .data = &stream,
                                .core = -1,
                                .descriptor = -1};
    struct rc_error error = {0};
    struct rc_load_team *team;
    pid_t child = start_receiver(&stream.peer);
    char first = stream.peer.key[0];
    int status;

    (void)state;
    for (int attempt = 0; attempt < 2; attempt++) {
        stream.peer.key[0] = attempt ? first : first == 'a' ? 'b' : 'a';
        team = rc_load_team_create(1, NULL);
        assert_int_equal(rc_load_team_add(team, &task, &error), 0);
        assert_int_equal(rc_load_team_run(team, 0.2, NULL, &error), attempt ? 0 : -1);
        if (!attempt)
            assert_non_null(strstr(error.text, "wrong key"));
        rc_load_team_destroy(team);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 1);
    team = rc_load_team_create(1, NULL); /* it served one load, and is gone */
    assert_int_equal(rc_load_team_add(team, &task, &error), 0);
    assert_int_equal(rc_load_team_run(team, 0.2, NULL, &error), -1);
    assert_non_null(strstr(error.text, "cannot connect"));
    rc_load_team_destroy(team);
}

static void test_a_launcher_that_fails_is_told(void **state)
{
    const char *const receiver[] = {"runcast", "load", "net", "--listen", "0", "--announce", NULL};
    struct rc_load_launch launch;
    struct rc_peer peer = {.port = 0};
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_load_launch_start(&launch, "no-such-launcher-here", "b1", receiver, &peer,
                                          NULL, &error),
                     -1);
    assert_non_null(strstr(error.text, "no-such-launcher-here"));
    assert_int_equal(rc_load_launch_start(&launch, "  ", "b1", receiver, &peer, NULL, &error), -1);
    assert_int_equal(rc_load_launch_start(&launch, "true", "b1", receiver, &peer, NULL, &error),
                     -1);
    assert_non_null(strstr(error.text, "without output"));
    assert_int_equal(
        rc_load_launch_start(&launch, "printf %s:no\n", "b1", receiver, &peer, NULL, &error), -1);
    assert_string_equal(error.text, "no receiver on b1: --announce:no");
    assert_int_equal(rc_load_launch_start(&launch,
                                          "echo runcast-receiver 80 abcdefabcdefabcdef\nwell", "b1",
                                          receiver, &peer, NULL, &error),
                     0);
    assert_int_equal(peer.port, 80);
    rc_load_launch_stop(&launch);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_duty_holds_the_fraction),
        cmocka_unit_test(test_duty_takes_its_fair_share_and_no_revenge),
        cmocka_unit_test(test_no_two_cycles_in_step),
        cmocka_unit_test(test_what_is_left),
        cmocka_unit_test(test_processes_for_an_availability),
        cmocka_unit_test(test_steps_are_followed),
        cmocka_unit_test(test_steps_begin_anew),
        cmocka_unit_test(test_pace_does_not_drift),
        cmocka_unit_test(test_pace_forgets_what_was_long_ago),
        cmocka_unit_test(test_no_more_is_asked_for_than_arrives),
        cmocka_unit_test(test_the_rate_is_that_of_the_measured_time),
        cmocka_unit_test(test_lists_of_cores),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_announcements),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_only_who_has_the_key_is_let_in),
        cmocka_unit_test(test_a_team_does_its_work),
        cmocka_unit_test(test_a_team_ends_when_it_should),
        cmocka_unit_test(test_a_failure_is_told),
        cmocka_unit_test(test_a_load_that_cannot_be_prepared_does_not_begin),
        cmocka_unit_test(test_no_such_core),
        cmocka_unit_test(test_both_ends_count_the_same),
        cmocka_unit_test(test_work_is_done_however_long_it_takes),
        cmocka_unit_test(test_bursts_of_a_cycle_are_counted),
        cmocka_unit_test(test_a_stranger_is_refused_and_the_load_comes_through),
        cmocka_unit_test(test_a_launcher_that_fails_is_told),
    };

    return RUN_TESTS(tests);
}
