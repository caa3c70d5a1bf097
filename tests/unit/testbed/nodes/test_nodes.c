/* test_nodes.c - what of virtual nodes can be decided without making any. */
#include "unit.h"

#include "base/error.h"
#include "testbed/nodes/node_cores.h"
#include "testbed/nodes/supervisor.h"
#include "testbed/nodes/testbed.h"
#include "testbed/nodes/mpirun.h"
#include "testbed/nodes/virtual_network.h"

/* ---- cores ---- */

/* Cores 0, 1, ... of which so much is taken. */
#define CORES(cores, ...)                                                                          \
    set_cores(cores, (const double[]){__VA_ARGS__}, COUNT(((double[]){__VA_ARGS__})))

static void set_cores(struct rc_nodes_cores *cores, const double *taken, size_t n)
{
    cores->n = n;
    for (size_t i = 0; i < n; i++)
        cores->items[i] = (struct rc_nodes_core){.cpu = (int)i, .taken = taken[i]};
}

/* Assigns, and checks what is granted and the cores, given with blanks between them. */
static void check_assigned(struct rc_nodes_cores *cores, size_t n, double cpu, double wanted,
                           const char *places)
{
    struct rc_error error = {0};
    int assigned[RC_NODES_NODES_MAX];
    double granted = -1;
    char text[2000] = "";

    if (rc_nodes_cores_assign(cores, n, cpu, &granted, assigned, &error))
        fail_msg("%zu nodes with %g: %s", n, cpu, error.text);
    assert_near(granted, wanted, 1e-12);
    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? " " : "",
                 assigned[i]);
    assert_string_equal(text, places);
}

/* `most`: the share that all could have; NULL: none. */
static void check_no_room(struct rc_nodes_cores *cores, size_t n, double cpu, const char *text,
                          const char *most)
{
    struct rc_nodes_cores before = *cores;
    struct rc_error error = {0};
    int assigned[RC_NODES_NODES_MAX];
    double granted;

    assert_int_equal(rc_nodes_cores_assign(cores, n, cpu, &granted, assigned, &error), -1);
    assert_string_equal(error.text, text);
    assert_string_equal(error.hint, most ? "" : "use fewer nodes, or remove another lab");
    assert_string_equal(error.facts, most ? most : "");
    assert_string_equal(error.code ? error.code : "", most ? "nodes.no-room" : "");
    for (size_t i = 0; i < before.n; i++)
        assert_same(cores->items[i].taken, before.items[i].taken);
}

static void nodes_go_where_there_is_most_room(void **state)
{
    struct rc_nodes_cores cores;

    (void)state;
    CORES(&cores, 0, 0, 0, 0);
    check_assigned(&cores, 4, 1, 1, "3 2 1 0"); /* the first core comes last */
    for (size_t i = 0; i < 4; i++)
        assert_near(cores.items[i].taken, 1, 1e-12);
    CORES(&cores, 0, 0, 0, 0);
    check_assigned(&cores, 6, 0.5, 0.5, "3 2 1 0 3 2");
    assert_near(cores.items[3].taken, 1, 1e-12);
    assert_near(cores.items[0].taken, 0.5, 1e-12);
    CORES(&cores, 0.5, 0.2, 0.4);
    check_assigned(&cores, 3, 0.3, 0.3, "1 2 1");
    assert_near(cores.items[1].taken, 0.8, 1e-12);
    CORES(&cores, 0);
    check_assigned(&cores, 2, 0.5, 0.5, "0 0");
    CORES(&cores, 0.3, 0.3);
    check_assigned(&cores, 2, 0.7, 0.7, "1 0"); /* exactly full */
}

static void numbers_of_cores_are_the_kernels(void **state)
{
    struct rc_nodes_cores cores = {.n = 2, .items = {{.cpu = 4}, {.cpu = 9}}};

    (void)state;
    check_assigned(&cores, 3, 0.4, 0.4, "9 4 9");
}

static void sums_that_lose_a_bit_still_fit(void **state)
{
    struct rc_nodes_cores cores;

    (void)state;
    CORES(&cores, 0);
    check_assigned(&cores, 10, 0.1, 0.1, "0 0 0 0 0 0 0 0 0 0");
    CORES(&cores, 0);
    check_assigned(&cores, 100, 0.01, 0.01,
                   "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
                   "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
                   "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
                   "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
}

static void without_a_share_all_get_as_much_as_there_is(void **state)
{
    struct rc_nodes_cores cores;

    (void)state;
    CORES(&cores, 0, 0, 0, 0);
    check_assigned(&cores, 4, NAN, 1, "3 2 1 0");
    CORES(&cores, 0, 0, 0, 0);
    check_assigned(&cores, 2, NAN, 1, "3 2");
    CORES(&cores, 0, 0);
    check_assigned(&cores, 4, NAN, 0.5, "1 0 1 0");
    CORES(&cores, 0, 0);
    check_assigned(&cores, 3, NAN, 0.5, "1 0 1");
    CORES(&cores, 0);
    check_assigned(&cores, 3, NAN, 0.33, "0 0 0"); /* whole hundredths, rounded down */
    CORES(&cores, 0.9, 0.4);
    check_assigned(&cores, 1, NAN, 0.6, "1");
    CORES(&cores, 0.9, 0.4);
    check_assigned(&cores, 2, NAN, 0.3, "1 1"); /* better than 0.1 on the fuller core */
    CORES(&cores, 1, 0.4);
    check_assigned(&cores, 2, NAN, 0.3, "1 1");
}

static void no_room_says_how_much_there_is(void **state)
{
    struct rc_nodes_cores cores;

    (void)state;
    CORES(&cores, 0, 0);
    check_no_room(&cores, 4, 0.6,
                  "not enough cores for 4 nodes with 0.6 of a core each: this machine has 2",
                  "0.5");
    CORES(&cores, 0.4, 0.8);
    check_no_room(&cores, 2, 0.5,
                  "not enough cores for 2 nodes with 0.5 of a core each: of 2 "
                  "cores, other labs use 1.20",
                  "0.3");
    CORES(&cores, 1, 1);
    check_no_room(&cores, 1, 0.1,
                  "not enough cores for 1 nodes with 0.1 of a core each: of 2 "
                  "cores, other labs use 2.00",
                  NULL);
    CORES(&cores, 0);
    check_no_room(&cores, 101, 0.01,
                  "not enough cores for 101 nodes with 0.01 of a core each: this machine has 1",
                  NULL);
}

static void one_thread_of_each_core_is_used(void **state)
{
    int pairs[] = {0, 1, 2, 3}, far[] = {0, 1, 2, 3, 4}, alone[] = {3, 7};

    (void)state;
    rc_nodes_cores_thin(pairs, (const int[]){0, 0, 2, 2}, 4);
    assert_memory_equal(pairs, ((int[]){0, -1, 2, -1}), sizeof pairs);
    rc_nodes_cores_thin(far, (const int[]){0, 1, 0, 1, 0}, 5);
    assert_memory_equal(far, ((int[]){0, 1, -1, -1, -1}), sizeof far);
    /* The first thread of a core may be one that this process cannot have. */
    rc_nodes_cores_thin(alone, (const int[]){2, 6}, 2);
    assert_memory_equal(alone, ((int[]){3, 7}), sizeof alone);
}

static void cores_of_this_machine_are_found(void **state)
{
    static struct rc_nodes_cores cores;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_nodes_cores_find(&cores, &error), 0);
    assert_in_range(cores.n, 1, (size_t)sysconf(_SC_NPROCESSORS_CONF));
    for (size_t i = 0; i < cores.n; i++) {
        assert_same(cores.items[i].taken, 0);
        assert_true(i == 0 || cores.items[i].cpu > cores.items[i - 1].cpu);
    }
}

/* ---- shares, rates, names ---- */

static void the_rest_weighs_what_nodes_leave(void **state)
{
    (void)state;
    assert_near(rc_nodes_remainder_weight(0.4, 1), 0.6, 1e-12);
    assert_near(rc_nodes_remainder_weight(0.4, 0.9), 0.5, 1e-12);
    assert_near(rc_nodes_remainder_weight(0.8, 1.05), 0.2,
                1e-12); /* nobody gets more than a core */
    assert_same(rc_nodes_remainder_weight(0.8, 0.7), 0);
    assert_same(rc_nodes_remainder_weight(1, 1), 0);
    /* With that weight the nodes' part of what all get is the share that was asked for. */
    for (double got = 0.45; got <= 1; got += 0.05)
        assert_near(got * 0.4 / (0.4 + rc_nodes_remainder_weight(0.4, got)), 0.4, 1e-12);
}

static void links_are_shaped_as_told(void **state)
{
    char text[160];

    (void)state;
    /* The old queue goes first: what waits in it could be larger than the new burst. */
    rc_nodes_network_shaping("eth0", 1.25e6, NAN, text, sizeof text);
    assert_string_equal(text, "qdisc replace dev eth0 root pfifo limit 1000\n"
                              "qdisc replace dev eth0 root tbf rate 10000000bit burst 3200 latency "
                              "50ms\n");
    rc_nodes_network_shaping("lab1", 125e6, NAN, text, sizeof text);
    assert_string_equal(text, "qdisc replace dev lab1 root pfifo limit 1000\n"
                              "qdisc replace dev lab1 root tbf rate 1000000000bit burst 250000 "
                              "latency 50ms\n");
    rc_nodes_network_shaping("eth0", RC_NODES_LINK_LEAST, NAN, text, sizeof text);
    assert_string_equal(text, "qdisc replace dev eth0 root pfifo limit 1000\n"
                              "qdisc replace dev eth0 root tbf rate 8000bit burst 3200 latency "
                              "50ms\n");
    /* A wire. */
    rc_nodes_network_shaping("eth0", 12.5e6, RC_NODES_BURST_LEAST, text, sizeof text);
    assert_string_equal(text, "qdisc replace dev eth0 root pfifo limit 1000\n"
                              "qdisc replace dev eth0 root tbf rate 100000000bit burst 1600 "
                              "latency 50ms\n");
    rc_nodes_network_shaping("lab1", INFINITY, NAN, text, sizeof text);
    assert_string_equal(text, "qdisc replace dev lab1 root pfifo limit 1000\n");
}

static void names_of_labs_tell_their_nodes_apart(void **state)
{
    static const char *const good[] = {"a", "lab", "a-b", "a1b", "ninechars", "x-1-2-y"};
    static const char *const bad[] = {"",    "1",        "1a",   "a1",   "-a",        "a-",
                                      "Lab", "a b",      "a/b",  "..",   "a.b",       "tencharact",
                                      "a_b", "\xc3\xa4", "a\nb", "lab1", "runcast-c0"};
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_int_equal(rc_nodes_check_name(good[i], NULL), 0);
    for (size_t i = 0; i < COUNT(bad); i++) {
        memset(&error, 0, sizeof error);
        if (rc_nodes_check_name(bad[i], &error) != -1)
            fail_msg("'%s' is taken", bad[i]);
        assert_non_null(
            strstr(error.text, "is not a valid name of a lab: use at most 9 lower-case letters"));
    }
}

/* ---- requests that are refused before anything is done ---- */

static void wrong_requests_say_what_is_wrong(void **state)
{
    static const struct {
        struct rc_nodes_request request;
        const char *text;
    } cases[] = {
        {{"Lab", 1, 1, INFINITY, RC_NODES_GRAIN, NAN}, "'Lab' is not a valid name of a lab"},
        {{"a", 0, 1, INFINITY, RC_NODES_GRAIN, NAN}, "number of nodes must be from 1 to 250"},
        {{"a", 251, 1, INFINITY, RC_NODES_GRAIN, NAN}, "number of nodes must be from 1 to 250"},
        {{"a", 1, 0, INFINITY, RC_NODES_GRAIN, NAN}, "CPU share must be from 0.01 to 1"},
        {{"a", 1, 1.5, INFINITY, RC_NODES_GRAIN, NAN}, "CPU share must be from 0.01 to 1"},
        {{"a", 1, -0.4, INFINITY, RC_NODES_GRAIN, NAN}, "CPU share must be from 0.01 to 1"},
        {{"a", 1, 1, 999, RC_NODES_GRAIN, NAN}, "link rate must be at least 8 kbit/s"},
        {{"a", 1, 1, NAN, RC_NODES_GRAIN, NAN}, "link rate must be at least 8 kbit/s"},
        {{"a", 1, 1, 1e6, RC_NODES_GRAIN, 1599}, "link burst must be at least 1600 bytes"},
        {{"a", 1, 1, INFINITY, 49e-6, NAN}, "grain must be from 50 us to 10 ms"},
        {{"a", 1, 1, INFINITY, 11e-3, NAN}, "grain must be from 50 us to 10 ms"},
        {{"a", 1, 1, INFINITY, NAN, NAN}, "grain must be from 50 us to 10 ms"},
    };
    static struct rc_testbed testbed;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_error error = {0};

        assert_int_equal(rc_nodes_up(&cases[i].request, &testbed, NULL, &error), -1);
        if (!strstr(error.text, cases[i].text))
            fail_msg("case %zu: '%s', not '%s'", i, error.text, cases[i].text);
    }
}

/* ---- starting an MPI ---- */

/* A testbed of which only the names are looked at. */
static void make_lab(struct rc_testbed *testbed, size_t n)
{
    memset(testbed, 0, sizeof *testbed);
    snprintf(testbed->name, sizeof testbed->name, "lab");
    testbed->n_nodes = n;
    for (size_t i = 0; i < n; i++)
        snprintf(testbed->nodes[i].name, sizeof testbed->nodes[i].name, "lab%u",
                 (unsigned)(i + 1) % 1000);
}

static void check_hosts(int64_t ranks, int64_t per_node, size_t n_nodes, const char *wanted)
{
    static struct rc_testbed testbed;
    size_t nodes[RC_NODES_NODES_MAX];
    struct rc_nodes_mpirun mpirun = {
        .ranks = ranks, .per_node = per_node, .nodes = nodes, .n_nodes = n_nodes};
    struct rc_buffer text = RC_BUFFER_INIT(1 << 14);

    make_lab(&testbed, n_nodes);
    for (size_t i = 0; i < n_nodes; i++)
        nodes[i] = i;
    assert_int_equal(rc_nodes_mpirun_hosts(&testbed, &mpirun, &text), 0);
    assert_string_equal(text.data, wanted);
    rc_buffer_free(&text);
}

static void ranks_go_round_the_nodes(void **state)
{
    (void)state;
    check_hosts(1, 1, 4, "lab1:1");
    check_hosts(3, 1, 4, "lab1:1,lab2:1,lab3:1");
    check_hosts(4, 1, 4, "lab1:1,lab2:1,lab3:1,lab4:1");
    check_hosts(8, 1, 4, "lab1:2,lab2:2,lab3:2,lab4:2");
    /* No node is left idle while another has two more than it. */
    check_hosts(5, 1, 4, "lab1:2,lab2:1,lab3:1,lab4:1");
    check_hosts(6, 1, 4, "lab1:2,lab2:2,lab3:1,lab4:1");
    check_hosts(9, 1, 2, "lab1:5,lab2:4");
    check_hosts(4, 2, 4, "lab1:2,lab2:2");
    check_hosts(3, 2, 4, "lab1:2,lab2:1");
    check_hosts(5, 2, 2, "lab1:3,lab2:2");
    check_hosts(9, 2, 3, "lab1:4,lab2:3,lab3:2");
    check_hosts(3, 100, 2, "lab1:3");
    check_hosts(1000000, 1, 1, "lab1:1000000");
}

static void wrong_commands_say_what_is_wrong(void **state)
{
    static struct rc_testbed testbed;
    const size_t nodes[] = {0};
    struct rc_nodes_mpirun mpirun = {.mpi = "lam",
                                     .ranks = 1,
                                     .per_node = 1,
                                     .nodes = nodes,
                                     .n_nodes = 1,
                                     .runcast = "/nowhere"};
    struct rc_nodes_command command;
    struct rc_error error = {0};

    (void)state;
    make_lab(&testbed, 1);
    assert_int_equal(rc_nodes_mpirun_command(&testbed, &mpirun, &command, &error), -1);
    assert_string_equal(error.text, "unknown MPI library 'lam'; use openmpi or mpich");
    mpirun.mpi = "openmpi";
    mpirun.ranks = INT64_MAX;
    assert_int_equal(rc_nodes_mpirun_command(&testbed, &mpirun, &command, &error), -1);
    assert_string_equal(error.text, "more than 1048576 processes");
    assert_null(command.argv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_go_where_there_is_most_room),
        cmocka_unit_test(numbers_of_cores_are_the_kernels),
        cmocka_unit_test(sums_that_lose_a_bit_still_fit),
        cmocka_unit_test(without_a_share_all_get_as_much_as_there_is),
        cmocka_unit_test(no_room_says_how_much_there_is),
        cmocka_unit_test(one_thread_of_each_core_is_used),
        cmocka_unit_test(cores_of_this_machine_are_found),
        cmocka_unit_test(the_rest_weighs_what_nodes_leave),
        cmocka_unit_test(links_are_shaped_as_told),
        cmocka_unit_test(names_of_labs_tell_their_nodes_apart),
        cmocka_unit_test(wrong_requests_say_what_is_wrong),
        cmocka_unit_test(ranks_go_round_the_nodes),
        cmocka_unit_test(wrong_commands_say_what_is_wrong),
    };

    return RUN_TESTS(tests);
}
