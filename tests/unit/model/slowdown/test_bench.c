/* test_bench.c - the measurements of a calibration, on this machine; the orders for them; and the
 * one that carries orders out.  No time is asserted, only that there is one. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

#include "testbed/load/receiver.h"
#include "model/slowdown/calibrate/bench.h"
#include "model/slowdown/calibrate/bench_protocol.h"

static int cancel(void *data)
{
    (void)data;
    return 1;
}
static const struct rc_monitor cancelling = {NULL, NULL, cancel, NULL};

/* ---- medians, grids ---- */

static void medians(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};

    (void)state;
    assert_near(rc_slowdown_bench_median(odd, 3), 2, 0);
    assert_near(rc_slowdown_bench_median(even, 4), 2.5, 0);
    assert_true(isnan(rc_slowdown_bench_median(odd, 0)));
}

static bool at_once(const void *data)
{
    (void)data;
    return true;
}

static void sweeps_compute(void **state)
{
    double *grid = rc_slowdown_bench_grid(), sum = 0;

    (void)state;
    assert_non_null(grid);
    assert_int_equal(rc_slowdown_bench_sweep(grid, 100, at_once, NULL), -1);
    for (size_t i = 512; i < 1024; i++)
        assert_near(grid[i], 0, 0);
    assert_int_equal(rc_slowdown_bench_sweep(grid, 50, NULL, NULL), 0);
    for (size_t i = 512; i < 1024; i++)
        sum += grid[i]; /* the row beside the warm edge */
    assert_true(sum > 256 && sum < 512);
    free(grid);
}

/* ---- measurements ---- */

static void computing_takes_time(void **state)
{
    const struct rc_slowdown_bench_compute order = {.repeat = 3, .sweeps = 2};
    double seconds[3];
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_slowdown_bench_compute(&order, seconds, NULL, &error), 0);
    for (int i = 0; i < 3; i++)
        assert_true(seconds[i] > 0);
    assert_int_equal(rc_slowdown_bench_compute(&order, seconds, &cancelling, &error), -1);
}

static void commands_are_timed(void **state)
{
    struct rc_slowdown_bench_compute order = {.repeat = 2, .sweeps = 1, .command = "sleep 0.05"};
    double seconds[2];
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_slowdown_bench_compute(&order, seconds, NULL, &error), 0);
    assert_true(seconds[0] >= 0.05 && seconds[1] >= 0.05);
    order.command = "echo no such luck >&2; exit 3";
    assert_int_equal(rc_slowdown_bench_compute(&order, seconds, NULL, &error), -1);
    assert_non_null(strstr(error.text, "status 3: no such luck"));
    assert_int_equal(rc_slowdown_bench_compute(&order, seconds, &cancelling, &error), -1);
}

static void memory_is_shared(void **state)
{
    const struct rc_slowdown_bench_memory order = {.rounds = 1, .bytes = 3e6};
    static struct rc_memory_curve curve;
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_slowdown_bench_memory(&order, &curve, NULL, &error), 0);
    assert_int_equal(curve.n, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? curve.n : 0);
    for (size_t i = 0; i < curve.n; i++)
        assert_true(curve.slowdown[i] >= 1);
}

/* A receiver for one load, in a process of its own. */
static pid_t receive(struct rc_peer *peer)
{
    struct rc_load_receiver receiver;
    struct rc_error error = {.text = ""};
    pid_t pid;

    assert_int_equal(rc_load_receiver_open(&receiver, "127.0.0.1", 0, NULL, &error), 0);
    *peer = (struct rc_peer){.host = "127.0.0.1", .port = receiver.port};
    memcpy(peer->key, receiver.key, sizeof peer->key);
    pid = fork();
    if (pid == 0) {
        rc_load_team_destroy(rc_load_receiver_serve(&receiver, 10, NULL, &error));
        _exit(0);
    }
    rc_load_receiver_close(&receiver);
    return pid;
}

static void bursts_have_rates(void **state)
{
    const struct rc_burst bursts[] = {{1, 16}, {10, 1000}, {1e8, 16}, {1e8, 17}, {3, 100}};
    struct rc_slowdown_bench_bursts order = {.bursts = bursts, .n = 5, .repeat = 2, .longest = 0.3};
    struct rc_error error = {.text = ""};
    pid_t pid = receive(&order.peer);
    double rates[5];

    (void)state;
    if (rc_slowdown_bench_bursts(&order, rates, NULL, &error))
        fail_msg("%s", error.text);
    assert_true(rates[0] > 0 && rates[1] > 0 && rates[4] > 0);
    assert_true(isnan(rates[2]) && isnan(rates[3])); /* they take long */
    waitpid(pid, NULL, 0);
    if (rc_slowdown_bench_bursts(&order, rates, NULL, &error) == 0) /* nobody listens any more */
        fail_msg("there was somebody");
    order.bursts = &(const struct rc_burst){1, 15};
    order.n = 1;
    assert_int_equal(rc_slowdown_bench_bursts(&order, rates, NULL, &error), -1);
    assert_non_null(strstr(error.text, "16 bytes"));
}

static void delays_are_measured(void **state)
{
    struct rc_slowdown_bench_delay order = {
        .communicating = 2, .points = 3, .rounds = 1, .sweeps = 4, .message = 4096};
    struct rc_error error = {.text = ""};
    struct rc_delay_point points[3];
    pid_t pid = receive(&order.peer);
    double cost;

    (void)state;
    if (rc_slowdown_bench_delay(&order, points, &cost, NULL, &error))
        fail_msg("%s", error.text);
    for (int i = 0; i < 3; i++)
        assert_true(points[i].k > 0 && points[i].delay > -1);
    assert_true(cost > 0 && cost < 1e-3);
    waitpid(pid, NULL, 0);
    pid = receive(&order.peer);
    assert_int_equal(rc_slowdown_bench_delay(&order, points, &cost, &cancelling, &error), -1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* ---- orders ---- */

static char *line_of(const struct rc_bench_order *order)
{
    json_t *object = rc_slowdown_bench_order_json(order);
    char *line = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);

    assert_non_null(line);
    json_decref(object);
    return line;
}

static void orders_and_back(void **state)
{
    static const struct rc_burst bursts[] = {{1, 100}, {1000, 4096}};
    const struct rc_peer peer = {.host = "b1", .port = 4711, .key = "0123456789abcdef"};
    const struct rc_bench_order orders[] = {
        {.kind = RC_BENCH_COMPUTE, .compute = {.repeat = 5, .sweeps = 600}},
        {.kind = RC_BENCH_COMPUTE, .compute = {.repeat = 1, .sweeps = 1, .command = "./sor \"1\""}},
        {.kind = RC_BENCH_MEMORY, .memory = {.rounds = 3}},
        {.kind = RC_BENCH_LISTEN},
        {.kind = RC_BENCH_BURSTS,
         .bursts = {.peer = peer, .bursts = bursts, .n = 2, .repeat = 5, .longest = 2}},
        {.kind = RC_BENCH_BURSTS,
         .bursts = {.peer = peer, .bursts = bursts, .n = 1, .repeat = 1, .longest = INFINITY}},
        {.kind = RC_BENCH_DELAY,
         .delay = {.peer = peer,
                   .communicating = 2,
                   .points = 10,
                   .rounds = 5,
                   .sweeps = 600,
                   .message = 4096}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(orders); i++) {
        char *line = line_of(&orders[i]), *again;
        struct rc_bench_order back;
        struct rc_error error = {.text = ""};

        if (rc_slowdown_bench_order_read(line, strlen(line), &back, &error))
            fail_msg("%s: %s", line, error.text);
        assert_int_equal(back.kind, orders[i].kind);
        again = line_of(&back);
        assert_string_equal(line, again);
        for (size_t length = 0; length < strlen(line); length++) {
            rc_slowdown_bench_order_free(&back);
            assert_int_equal(rc_slowdown_bench_order_read(line, length, &back, &error), -1);
        }
        rc_slowdown_bench_order_free(&back);
        free(line);
        free(again);
    }
}

static void bad_orders(void **state)
{
    static const char *const lines[] = {
        "",
        "7",
        "[]",
        "{}",
        "{\"do\":\"dance\"}",
        "{\"do\":7}",
        "{\"do\":\"compute\"}",
        "{\"do\":\"compute\",\"repeat\":0,\"sweeps\":1}",
        "{\"do\":\"compute\",\"repeat\":1,\"sweeps\":1e9}",
        "{\"do\":\"compute\",\"repeat\":1,\"sweeps\":1,\"command\":\"\"}",
        "{\"do\":\"compute\",\"repeat\":1,\"sweeps\":1,\"command\":\"a\\u0000b\"}",
        "{\"do\":\"memory\",\"rounds\":102,\"bytes\":0}",
        "{\"do\":\"memory\",\"rounds\":1,\"bytes\":-1}",
        "{\"do\":\"bursts\",\"host\":\"-b\",\"port\":1,\"key\":\"0123456789abcdef\",\"repeat\":1,"
        "\"longest\":1,\"bursts\":[[1,100]]}",
        "{\"do\":\"bursts\",\"host\":\"b\",\"port\":0,\"key\":\"0123456789abcdef\",\"repeat\":1,"
        "\"longest\":1,\"bursts\":[[1,100]]}",
        "{\"do\":\"bursts\",\"host\":\"b\",\"port\":1,\"key\":\"short\",\"repeat\":1,"
        "\"longest\":1,\"bursts\":[[1,100]]}",
        "{\"do\":\"bursts\",\"host\":\"b\",\"port\":1,\"key\":\"0123456789abcdef\",\"repeat\":1,"
        "\"longest\":1,\"bursts\":[]}",
        "{\"do\":\"bursts\",\"host\":\"b\",\"port\":1,\"key\":\"0123456789abcdef\",\"repeat\":1,"
        "\"longest\":1,\"bursts\":[[1.5,100]]}",
        "{\"do\":\"delay\",\"host\":\"b\",\"port\":1,\"key\":\"0123456789abcdef\","
        "\"communicating\":65,\"points\":1,\"rounds\":1,\"sweeps\":1,\"message\":4096}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rc_bench_order order;
        struct rc_error error = {.text = ""};

        if (rc_slowdown_bench_order_read(lines[i], strlen(lines[i]), &order, &error) == 0)
            fail_msg("%s was taken", lines[i]);
        assert_true(error.text[0] != '\0');
    }
}

static void answers(void **state)
{
    struct rc_delay_point points[] = {{1e6, 0.1}, {2e6, -0.05}}, back[2];
    struct rc_peer peer = {.port = 4711, .key = "0123456789abcdef"}, heard = {.port = 0};
    const double numbers[] = {1, NAN, 3};
    double read[3], cost;
    json_t *answer = rc_slowdown_bench_points_json(points, 2, 1e-9);

    (void)state;
    assert_int_equal(rc_slowdown_bench_points_read(answer, 2, back, &cost), 0);
    assert_near(back[1].delay, -0.05, 0);
    assert_near(cost, 1e-9, 0);
    assert_int_equal(rc_slowdown_bench_points_read(answer, 1, back, &cost), -1);
    json_decref(answer);
    answer = rc_slowdown_bench_numbers_json("rates", numbers, 3);
    assert_int_equal(rc_slowdown_bench_numbers_read(answer, "rates", 0, 10, 3, read), 0);
    assert_true(isnan(read[1]) && read[2] == 3);
    assert_int_equal(rc_slowdown_bench_numbers_read(answer, "rates", 0, 2, 3, read), -1);
    assert_int_equal(rc_slowdown_bench_numbers_read(answer, "seconds", 0, 10, 3, read), -1);
    json_decref(answer);
    answer = rc_slowdown_bench_listening_json(&peer);
    assert_int_equal(rc_slowdown_bench_listening_read(answer, &heard), 0);
    assert_int_equal(heard.port, 4711);
    json_decref(answer);
    assert_int_equal(rc_slowdown_bench_listening_read(NULL, &heard), -1);
}

/* ---- the one that carries them out ---- */

struct agent {
    pid_t pid;
    FILE *to, *from;
};

static void start_agent(struct agent *agent)
{
    int in[2], out[2];

    assert_int_equal(pipe(in) | pipe(out), 0);
    agent->pid = fork();
    if (agent->pid == 0) {
        close(in[1]);
        close(out[0]);
        _exit(rc_slowdown_bench_serve(in[0], out[1], NULL, NULL) ? 1 : 0);
    }
    close(in[0]);
    close(out[1]);
    agent->to = fdopen(in[1], "w");
    agent->from = fdopen(out[0], "r");
    assert_true(agent->to && agent->from);
}

static json_t *hear(struct agent *agent)
{
    json_t *line = json_loadf(agent->from, JSON_DISABLE_EOF_CHECK, NULL);

    assert_non_null(line);
    return line;
}

static void ask(struct agent *agent, const char *order)
{
    fprintf(agent->to, "%s\n", order);
    fflush(agent->to);
}

static void end_agent(struct agent *agent)
{
    int status;

    fclose(agent->to);
    assert_int_equal(waitpid(agent->pid, &status, 0), agent->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fclose(agent->from);
}

static void orders_are_carried_out(void **state)
{
    struct agent agent;
    json_t *answer;

    (void)state;
    start_agent(&agent);
    answer = hear(&agent);
    assert_int_equal(json_integer_value(json_object_get(answer, "bench")), RC_BENCH_PROTOCOL);
    assert_true(json_integer_value(json_object_get(answer, "cores")) >= 1);
    json_decref(answer);
    ask(&agent, "nonsense");
    answer = hear(&agent);
    assert_non_null(json_object_get(answer, "error"));
    json_decref(answer);
    ask(&agent, "{\"do\":\"compute\",\"repeat\":2,\"sweeps\":1}");
    while (json_object_get(answer = hear(&agent), "progress"))
        json_decref(answer);
    assert_int_equal(json_array_size(json_object_get(answer, "seconds")), 2);
    json_decref(answer);
    end_agent(&agent);
}

static void it_ends_with_its_input(void **state)
{
    struct agent agent;

    (void)state;
    start_agent(&agent);
    json_decref(hear(&agent));
    ask(&agent, "{\"do\":\"compute\",\"repeat\":100,\"sweeps\":1000000}");
    usleep(50000);
    end_agent(&agent); /* rather than hours later */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(sweeps_compute),
        cmocka_unit_test(computing_takes_time),
        cmocka_unit_test(commands_are_timed),
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(bursts_have_rates),
        cmocka_unit_test(delays_are_measured),
        cmocka_unit_test(orders_and_back),
        cmocka_unit_test(bad_orders),
        cmocka_unit_test(answers),
        cmocka_unit_test(orders_are_carried_out),
        cmocka_unit_test(it_ends_with_its_input),
    };

    return RUN_TESTS(tests);
}
