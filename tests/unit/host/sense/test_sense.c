/* test_sense.c - the kernel's files, the model of availability, its correction, orders, links. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/socket.h"
#include "host/sense/cpu_availability.h"
#include "host/sense/sensor_child.h"
#include "host/sense/link_transfer.h"
#include "host/sense/watcher_request.h"
#include "host/sense/cgroup_tree.h"
#include "host/sense/availability_correction.h"
#include "host/sense/proc_files.h"
#include "host/sense/task_cpu_times.h"

/* ---- files ---- */

static void test_reads_the_cores(void **state)
{
    static struct rc_proc_core cores[RC_PROC_CORES_MAX];
    struct rc_proc_core all;

    (void)state;
    assert_int_equal(rc_sense_proc_stat_read("cpu  30 10 20 400 5 1 2 3 0 0\n"
                                             "cpu0 20 5 10 200 5 1 1 1 0 0\n"
                                             "cpu2 10 5 10 200 0 0 1 2 0 0\n"
                                             "intr 12 0 1\nctxt 7\n",
                                             0.01, &all, cores),
                     0);
    assert_near(all.busy, 0.6, 1e-12);
    assert_near(all.idle, 4.05, 1e-12);
    assert_near(all.lost, 0.06, 1e-12);
    assert_true(cores[0].there);
    assert_false(cores[1].there);
    assert_near(cores[2].busy, 0.25, 1e-12);
    assert_near(cores[2].lost, 0.03, 1e-12);
    assert_int_equal(rc_sense_proc_stat_read("cpu0 1 2 3", 0.01, &all, cores), -1);
    assert_int_equal(rc_sense_proc_stat_read("cpu  1 2 3 4 5 6 7\n", 0.01, &all, cores), -1);
    assert_int_equal(rc_sense_proc_stat_read("cpu  1 2 3 4 5 6 7 8\ncpux 1", 0.01, &all, cores),
                     -1);
    assert_int_equal(rc_sense_proc_stat_read("", 0.01, &all, cores), -1);
}

static void test_reads_load_and_memory(void **state)
{
    struct rc_proc_load load;
    double bytes;

    (void)state;
    assert_int_equal(rc_sense_proc_load_read("0.29 2.47 3.01 1/93 31507\n", &load), 0);
    assert_same(load.one, 0.29);
    assert_same(load.fifteen, 3.01);
    assert_int_equal(load.running, 1);
    assert_int_equal(load.last_pid, 31507);
    assert_int_equal(rc_sense_proc_load_read("0.29 2.47 3.01 1 93 31507\n", &load), -1);
    assert_int_equal(rc_sense_proc_load_read("0.29 2.47", &load), -1);
    assert_int_equal(
        rc_sense_proc_memory_read("MemTotal: 10 kB\nMemAvailable:    2048 kB\n", &bytes), 0);
    assert_same(bytes, 2097152);
    assert_int_equal(rc_sense_proc_memory_read("MemTotal: 10 kB\nXMemAvailable: 2 kB", &bytes), -1);
    assert_int_equal(rc_sense_proc_memory_read("MemAvailable: much", &bytes), -1);
}

static void test_reads_the_interfaces(void **state)
{
    double in, out;

    (void)state;
    assert_int_equal(rc_sense_proc_network_read(
                         "Inter-|   Receive                                      |  Transmit\n"
                         " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
                         "    lo: 5000 5 0 0 0 0 0 0 5000 5 0 0 0 0 0 0\n"
                         "  eth0: 100 5 0 0 0 0 0 0 7 5 0 0 0 0 0 0\n"
                         " lo1:200 5 0 0 0 0 0 0 3 5 0 0 0 0 0 0\n",
                         &in, &out),
                     0);
    assert_same(in, 300);
    assert_same(out, 10);
    assert_int_equal(rc_sense_proc_network_read("nothing: here\n", &in, &out), -1);
}

static void test_reads_processes(void **state)
{
    static const char after[] =
        " S 31500 31500 22432 0 -1 4194304 99 0 0 0 250 50 0 0 20 5 3 0 2487625 3133440 413 "
        "18446744073709551615 1 2 3 0 0 0 0 0 0 0 0 0 17 1 0 5 0 0 0";
    struct rc_proc_task task;
    char text[512];

    (void)state;
    snprintf(text, sizeof text, "12 (a) R (b c)%s", after);
    assert_int_equal(rc_sense_proc_task_read(text, 0.01, &task), 0);
    assert_int_equal(task.state, 'S');
    assert_int_equal(task.session, 22432);
    assert_int_equal(task.nice, 5);
    assert_int_equal(task.threads, 3);
    assert_int_equal(task.core, 1);
    assert_int_equal(task.class, RC_PROC_IDLE);
    assert_near(task.used, 3, 1e-12);
    assert_near(task.start, 24876.25, 1e-9);
    assert_int_equal(rc_sense_proc_task_read("12 (a) R 1 2 3", 0.01, &task), -1);
    assert_int_equal(rc_sense_proc_task_read("12 a R 1 2 3", 0.01, &task), -1);
}

static void test_reads_times_and_limits(void **state)
{
    double run, wait, used, cores;

    (void)state;
    assert_int_equal(rc_sense_proc_schedule_read("1500000000 250000000 9\n", &run, &wait), 0);
    assert_near(run, 1.5, 1e-12);
    assert_near(wait, 0.25, 1e-12);
    assert_int_equal(rc_sense_proc_schedule_read("0 0 0\n", &run, &wait), -1);
    assert_int_equal(rc_sense_proc_schedule_read("1 x 0\n", &run, &wait), -1);
    assert_int_equal(
        rc_sense_proc_group_usage_read("nr 1\nusage_usec 2500000\nuser_usec 1\n", &used), 0);
    assert_near(used, 2.5, 1e-12);
    assert_int_equal(rc_sense_proc_group_usage_read("user_usec 1\n", &used), -1);
    assert_int_equal(rc_sense_proc_group_max_read("50000 100000", &cores), 0);
    assert_same(cores, 0.5);
    assert_int_equal(rc_sense_proc_group_max_read("max 100000", &cores), 0);
    assert_true(isinf(cores));
    assert_int_equal(rc_sense_proc_group_max_read("0 100000", &cores), -1);
}

/* ---- the model ---- */

static void test_fills_up_to_a_level(void **state)
{
    const struct rc_sense_competitor spinners[] = {{0.25, 1}, {0.25, 1}, {0.25, 1}, {0.25, 1}};
    const struct rc_sense_competitor half = {0.5, 1}, little = {0.2, 1}, nice = {1, 0.25};
    const struct rc_sense_competitor mixed[] = {{0.2, 1}, {0.8, 1}};

    (void)state;
    assert_near(rc_sense_fair_share(1, NULL, 0), 1, 1e-9);
    assert_near(rc_sense_fair_share(0.4, NULL, 0), 0.4, 1e-9);
    assert_near(rc_sense_fair_share(1, spinners, 4), 0.2, 1e-9);
    assert_near(rc_sense_fair_share(1, spinners, 1), 0.75, 1e-9);
    assert_near(rc_sense_fair_share(1, &half, 1), 0.5, 1e-9);
    assert_near(rc_sense_fair_share(1, &little, 1), 0.8, 1e-9);
    assert_near(rc_sense_fair_share(1, &nice, 1), 0.8, 1e-9);
    assert_near(rc_sense_fair_share(1, mixed, 2), 0.4, 1e-9);
    assert_near(rc_sense_fair_share(3, mixed, 2), 1, 1e-9);
    assert_same(rc_sense_fair_share(0, mixed, 2), 0);
    assert_same(rc_sense_fair_share(-1, mixed, 2), 0);
}

static const struct rc_sense_group_weights top = {NULL, 0};

static void test_one_core(void **state)
{
    const struct rc_sense_core idle = {0, 0, true, true}, full = {1, 0, true, true};
    const struct rc_sense_core shared = {0.5, 0.1, true, true};
    const struct rc_sense_user spinner = {1, 1, 0, 0, 0, false, true, false};
    const struct rc_sense_user urgent = {0.3, 1, 0, 0, 0, true, true, false};
    const struct rc_sense_user session[] = {{0.5, 1, 0, 0, 7, false, true, false},
                                            {0.5, 1, 0, 0, 7, false, true, false}};
    const struct rc_sense_user two[] = {{0.5, 1, 0, 0, 0, false, true, false},
                                        {0.5, 1, 0, 0, 0, false, true, false}};
    double most;

    (void)state;
    assert_near(rc_sense_cpu_model(&idle, 1, NULL, 0, &top, 0, &most), 1, 1e-9);
    assert_near(most, 1, 1e-9);
    assert_near(rc_sense_cpu_model(&full, 1, &spinner, 1, &top, 0, &most), 0.5, 1e-9);
    assert_near(rc_sense_cpu_model(&full, 1, two, 2, &top, 0, &most), 1.0 / 3, 1e-9);
    /* Two of one session have one weight between them. */
    assert_near(rc_sense_cpu_model(&full, 1, session, 2, &top, 0, &most), 0.5, 1e-9);
    assert_near(rc_sense_cpu_model(&shared, 1, &urgent, 1, &top, 0, &most), 0.6, 1e-9);
    assert_near(most, 0.9, 1e-9);
    /* Nobody was seen, but somebody was there. */
    assert_near(rc_sense_cpu_model(&full, 1, NULL, 0, &top, 1, &most), 0.5, 1e-9);
    /* What nobody has seen on this core ended, or was elsewhere. */
    assert_near(rc_sense_cpu_model(&idle, 1, NULL, 0, &top, 1, &most), 1, 1e-9);
    assert_true(isnan(rc_sense_cpu_model(NULL, 0, NULL, 0, &top, 0, &most)));
}

static void test_several_cores(void **state)
{
    const struct rc_sense_core half_idle[] = {{1, 0, true, true}, {0, 0, true, true}};
    const struct rc_sense_core busy[] = {{1, 0, true, true}, {1, 0, true, true}};
    const struct rc_sense_core one_mine[] = {{1, 0, true, false}, {1, 0, true, true}};
    const struct rc_sense_user crowd[] = {{0.25, 1, 0, 0, 0, false, true, false},
                                          {0.25, 1, 0, 0, 0, false, true, false},
                                          {0.25, 1, 0, 0, 0, false, true, false},
                                          {0.25, 1, 0, 0, 0, false, true, false}};
    const struct rc_sense_user apart[] = {{1, 1, 0, 0, 0, false, true, false},
                                          {1, 1, 1, 0, 0, false, true, false}};
    const struct rc_sense_core free_beside[] = {{0, 0, true, false}, {1, 0, true, true}};
    const struct rc_sense_user roams = {1, 1, 1, 0, 0, false, false, true};
    const struct rc_sense_user both[] = {{1, 1, 0, 0, 0, false, true, true},
                                         {1, 1, 1, 0, 0, false, true, true}};
    double most;

    (void)state;
    assert_near(rc_sense_cpu_model(half_idle, 2, crowd, 4, &top, 0, &most), 1, 1e-9);
    assert_near(rc_sense_cpu_model(busy, 2, apart, 2, &top, 0, &most), 0.5, 1e-9);
    assert_near(rc_sense_cpu_model(busy, 2, both, 2, &top, 0, &most), 2.0 / 3, 1e-9);
    assert_near(rc_sense_cpu_model(one_mine, 2, apart, 2, &top, 0, &most), 0.5, 1e-9);
    /* One that can go where nobody is will not be in the way for long. */
    assert_near(rc_sense_cpu_model(free_beside, 2, &roams, 1, &top, 0, &most), 1, 1e-9);
}

static void test_groups_share_first(void **state)
{
    const struct rc_sense_core core = {1, 0, true, true};
    const double values[] = {1, 2};
    const struct rc_sense_group_weights weights = {values, 2};
    /* Two at the top in one group, one beside us further down, one in our own group. */
    const struct rc_sense_user users[] = {{0.25, 1, 0, 0, 5, false, true, false},
                                          {0.25, 1, 0, 0, 5, false, true, false},
                                          {0.2, 1, 0, 1, 0, false, true, false},
                                          {0.3, 1, 0, 2, 0, false, true, false}};
    double most;

    (void)state;
    /* 1/2 to each group; of ours a third to the single one; half of the rest to us. */
    assert_near(rc_sense_cpu_model(&core, 1, users, 4, &weights, 0, &most), 0.5 * 2 / 3 / 2, 1e-9);
    assert_near(rc_sense_fair_share_group(2, NULL, 0, 0.5), 2, 1e-9);
}

static void test_places_in_the_tree(void **state)
{
    static const struct {
        const char *mine, *theirs;
        size_t level, shared;
    } cases[] = {
        {"/m", "/m", 0, 0},           {"/m", "/m/a/b", 0, 4},      {"/m/a/b", "/m", 0, 0},
        {"/m/a/b", "/m/a/b", 2, 0},   {"/m/a/b", "/m/a", 1, 0},    {"/m/a/b", "/m/a/c/d", 1, 6},
        {"/m/a/b", "/m/a/b/x", 2, 8}, {"/m/a/bb", "/m/a/b", 1, 6}, {"/m/a/b", "/m/a/bb", 1, 7},
    };
    size_t level;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_sense_group_tree_compare(cases[i].mine, cases[i].theirs, 2, &level),
                         cases[i].shared);
        assert_int_equal(level, cases[i].level);
    }
}

/* Groups that come and go must not take the room for good. */
static void test_places_are_forgotten_when_full(void **state)
{
    struct rc_sense_group group;
    struct rc_sense_group_tree places;

    (void)state;
    rc_sense_group_find(&group);
    rc_sense_group_tree_begin(&places, &group);
    if (rc_sense_group_tree_find(&places, getpid()) == 0) {
        rc_sense_group_tree_end(&places);
        skip(); /* no control groups here */
    }
    assert_int_equal(rc_sense_group_tree_find(&places, getpid()), 1);
    assert_false(rc_sense_group_tree_weigh(&places, 100));
    assert_non_null(rc_sense_group_tree_get(&places, 1));
    places.items = realloc(places.items, RC_SENSE_POSITIONS_MAX * sizeof *places.items);
    for (; places.n < RC_SENSE_POSITIONS_MAX; places.n++)
        places.items[places.n] = (struct rc_sense_known){.directory = strdup("/gone")};
    assert_true(rc_sense_group_tree_weigh(&places, 101));
    assert_null(rc_sense_group_tree_get(&places, 1));
    assert_int_equal(rc_sense_group_tree_find(&places, getpid()), 1);
    assert_false(rc_sense_group_tree_weigh(&places, 102));
    rc_sense_group_tree_end(&places);
}

/* ---- its correction ---- */

static void test_learns_a_wrong_weight(void **state)
{
    const struct rc_sense_reading even = {0.5, 1, 0}, idle = {1, 1, 0}, node = {0.2, 0.4, 0};
    const struct rc_sense_spin poor = {0.2, 0.05};
    struct rc_sense_correction correction;

    (void)state;
    rc_sense_correction_begin(&correction, 60, 100);
    assert_true(correction.next > 100 && correction.next <= 160);
    assert_same(rc_sense_correct(&correction, &even), 0.5);
    for (int i = 0; i < 50; i++)
        rc_sense_correction_learn(&correction, &even, &even, &poor, 100 + 60 * i);
    assert_near(rc_sense_correct(&correction, &even), 0.23, 0.01); /* but for its noise */
    /* An idle core stays idle, and a node's share bounds it. */
    assert_near(rc_sense_correct(&correction, &idle), 1, 1e-9);
    assert_near(rc_sense_correct(&correction, &node), 0.09, 0.01);
}

static void test_learns_habits_apart_from_weights(void **state)
{
    const struct rc_sense_reading naps = {0.5, 1, 1}, spins = {0.5, 1, 0};
    const struct rc_sense_spin more = {0.7, 0.05};
    struct rc_sense_correction correction;

    (void)state;
    rc_sense_correction_begin(&correction, 60, 0);
    for (int i = 0; i < 20; i++)
        rc_sense_correction_learn(&correction, &naps, &naps, &more, i);
    assert_near(rc_sense_correct(&correction, &naps), 0.67, 0.01);
    assert_near(rc_sense_correct(&correction, &spins), 0.5, 1e-9);
}

static void test_correction_is_bounded(void **state)
{
    const struct rc_sense_reading even = {0.5, 1, 0}, unknown = {NAN, 1, 0}, idle = {1, 1, 0};
    const struct rc_sense_spin none = {0, 0.05}, all = {1, 0.05}, failed = {NAN, 0};
    struct rc_sense_correction correction;

    (void)state;
    rc_sense_correction_begin(&correction, 60, 0);
    for (int i = 0; i < 100; i++)
        rc_sense_correction_learn(&correction, &even, &even, &none, i);
    assert_true(rc_sense_correct(&correction, &even) > 0.1);
    for (int i = 0; i < 100; i++)
        rc_sense_correction_learn(&correction, &even, &even, &all, i);
    assert_true(rc_sense_correct(&correction, &even) < 0.9);
    rc_sense_correction_begin(&correction, 60, 0);
    rc_sense_correction_learn(&correction, &unknown, &unknown, &all, 0);
    rc_sense_correction_learn(&correction, &even, &idle, &all, 0); /* the load has changed */
    rc_sense_correction_learn(&correction, &even, &even, &failed, 0);
    assert_same(correction.shift, 0);
    assert_true(isnan(rc_sense_correct(&correction, &unknown)));
}

static void test_probes_cost_little(void **state)
{
    const struct rc_sense_reading even = {0.5, 1, 0};
    const struct rc_sense_spin right = {0.5, 0.1}, wrong = {0.2, 0.1};
    struct rc_sense_correction correction;
    double now = 0, used = 0;

    (void)state;
    /* However often they are wanted and whatever they find. */
    rc_sense_correction_begin(&correction, 1, 0);
    for (int i = 0; i < 100; i++) {
        now = correction.next;
        rc_sense_correction_learn(&correction, &even, &even, i % 3 ? &wrong : &right, now);
        used += 0.1;
    }
    assert_true(used / correction.next <= 0.005);
    rc_sense_correction_begin(&correction, 60, 0);
    for (int i = 0; i < 10; i++)
        rc_sense_correction_learn(&correction, &even, &even, &right, now);
    assert_near(correction.next - now, 600, 1e-6); /* nothing new */
    rc_sense_correction_learn(&correction, &even, &even, &wrong, now);
    assert_near(correction.next - now, 60, 1e-6);
    rc_sense_correction_begin(&correction, INFINITY, 0);
    assert_true(isinf(correction.next));
}

/* ---- processes ---- */

static const struct rc_sense_task *find(const struct rc_sense_tasks *tasks, pid_t pid)
{
    for (size_t i = 0; i < tasks->n; i++)
        if (tasks->items[i].pid == pid)
            return &tasks->items[i];
    return NULL;
}

static void test_sees_who_uses_a_core(void **state)
{
    struct rc_sense_tasks tasks;
    struct rc_error error;
    pid_t child = fork(), mine = getpid();

    (void)state;
    if (child == 0)
        for (;;)
            ;
    assert_true(child > 0);
    assert_int_equal(rc_sense_tasks_begin(&tasks, NULL, &error), 0);
    assert_int_equal(rc_sense_tasks_look(&tasks, 0, -1, NAN, &mine, 1, &error), 0);
    /* A busy machine may let it wait for a while. */
    for (double now = 1; !find(&tasks, child) || !(find(&tasks, child)->rate > 0); now++) {
        usleep(10000);
        assert_int_equal(rc_sense_tasks_look(&tasks, now, -1, 1, &mine, 1, &error), 0);
    }
    assert_int_equal(find(&tasks, child)->class, RC_PROC_NORMAL);
    assert_same(find(&tasks, mine)->rate, 0);
    for (size_t i = 1; i < tasks.n; i++)
        assert_true(tasks.items[i - 1].pid < tasks.items[i].pid);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(rc_sense_tasks_look(&tasks, 1e6, -1, NAN, &mine, 1, &error), 0);
    assert_null(find(&tasks, child));
    rc_sense_tasks_end(&tasks);
    assert_int_equal(rc_sense_tasks_begin(&tasks, "/nowhere", &error), 0);
    assert_int_equal(rc_sense_tasks_look(&tasks, 0, -1, NAN, &mine, 1, &error), -1);
    rc_sense_tasks_end(&tasks);
}

/* ---- jobs ---- */

static void answer_body(void *data, void *result)
{
    memcpy(result, data, 4);
}

static void stuck_body(void *data, void *result)
{
    (void)data;
    (void)result;
    for (;;)
        pause();
}

static void test_jobs_answer_or_end(void **state)
{
    struct rc_sense_job job = RC_SENSE_JOB_NONE;
    char text[] = "abc";
    struct rc_error error;
    int said;

    (void)state;
    assert_int_equal(rc_sense_job_check(&job, 0), 0);
    assert_int_equal(rc_sense_job_start(&job, answer_body, text, 4, -1, 60, &error), 0);
    assert_int_equal(rc_sense_job_start(&job, answer_body, text, 4, -1, 60, &error), -1);
    while ((said = rc_sense_job_check(&job, 0)) == 0)
        usleep(1000);
    assert_int_equal(said, 1);
    assert_string_equal(job.result, "abc");
    assert_int_equal(job.pid, 0);
    assert_int_equal(rc_sense_job_start(&job, stuck_body, text, 4, -1, 60, &error), 0);
    assert_int_equal(rc_sense_job_check(&job, 0), 0);
    assert_int_equal(rc_sense_job_check(&job, INFINITY), -1);
    assert_int_equal(waitpid(-1, NULL, 0), -1); /* nobody is left */
    rc_sense_job_stop(&job);
}

/* ---- orders ---- */

static void test_reads_orders(void **state)
{
    static const char *const bad[] = {"",
                                      "clock",
                                      "clock x",
                                      "clock 1 2",
                                      "clock  1",
                                      "listen 1",
                                      "listen 1 * x",
                                      "listen 1 -x",
                                      "probe 1 host 80 0123456789abcdef 1",
                                      "probe 1 host 0 0123456789abcdef 1 1",
                                      "probe 1 host 80 short 1 1",
                                      "probe 1 host 80 0123456789abcdef 0 1",
                                      "probe 1 -h 80 0123456789abcdef 1 1",
                                      "stop 1",
                                      "clock 1 "};
    struct rc_sense_request order;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_sense_request_read("clock 7", &order, &error), 0);
    assert_int_equal(order.kind, RC_SENSE_CLOCK);
    assert_int_equal(order.id, 7);
    assert_int_equal(rc_sense_request_read("listen 8 *", &order, &error), 0);
    assert_string_equal(order.peer.host, "");
    assert_int_equal(rc_sense_request_read("listen 8 10.0.0.1", &order, &error), 0);
    assert_string_equal(order.peer.host, "10.0.0.1");
    assert_int_equal(
        rc_sense_request_read("probe 9 b2 8080 0123456789abcdef 65536 1e6", &order, &error), 0);
    assert_string_equal(order.peer.host, "b2");
    assert_int_equal(order.peer.port, 8080);
    assert_same(order.burst, 65536);
    assert_same(order.most, 1e6);
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(rc_sense_request_read(bad[i], &order, &error), -1);
    assert_int_equal(rc_sense_request_read("probe 5 x", &order, &error), -1);
    assert_int_equal(order.id, 5); /* so that the answer can name it */
}

/* ---- links ---- */

static void test_headers_and_bandwidths(void **state)
{
    const double times[] = {9, 9, 0.11, 0.11}, tiny[] = {0.01};
    unsigned char header[8];
    uint64_t size;

    (void)state;
    rc_sense_link_header_write(header, 65536);
    assert_int_equal(rc_sense_link_header_read(header, &size), 0);
    assert_int_equal(size, 65536);
    rc_sense_link_header_write(header, 3);
    assert_int_equal(rc_sense_link_header_read(header, &size), -1);
    rc_sense_link_header_write(header, (uint64_t)RC_LINK_MESSAGE_MOST + 1);
    assert_int_equal(rc_sense_link_header_read(header, &size), -1);
    assert_near(rc_sense_link_bandwidth(1000, times, 4, 0.01), 10000, 1e-6);
    /* Where the way takes it all, a tenth is for the bytes. */
    assert_near(rc_sense_link_bandwidth(1000, tiny, 1, 0.01), 1e6, 1e-3);
    /* 90 KiB at 100 Mbit/s tell nothing, a tenth of a second does. */
    assert_false(rc_sense_link_tells(0.0074, 1));
    assert_true(rc_sense_link_tells(0.1, 2));
    assert_near(rc_sense_link_wants(65536, 0.0052, 1), 10 * 65536 + 256, 1);
    assert_near(rc_sense_link_wants(65536, 3, 1), 65536 + 256, 1);
}

static pid_t start_server(const char *key, int *port)
{
    int listener = rc_socket_listen("127.0.0.1", port, NULL);
    pid_t pid;

    assert_true(listener >= 0);
    pid = fork();
    if (pid == 0)
        _exit(rc_sense_link_serve(listener, key, 20, NULL) ? 1 : 0);
    close(listener);
    return pid;
}

static void test_probes_a_link(void **state)
{
    struct rc_peer peer = {.host = "127.0.0.1", .port = 0}, wrong;
    struct rc_link_result result;
    struct rc_error error = {0};
    int status;
    pid_t pid;

    (void)state;
    assert_int_equal(rc_socket_make_key(peer.key, NULL), 0);
    pid = start_server(peer.key, &peer.port);
    wrong = peer;
    wrong.key[0] = wrong.key[0] == 'a' ? 'b' : 'a';
    assert_int_equal(rc_sense_link_probe(&wrong, 65536, 1e6, &result, &error), -1);
    assert_int_equal(rc_sense_link_probe(&peer, 1e6, 1e5, &result, &error),
                     -1); /* more than it may */
    assert_int_equal(rc_sense_link_probe(&peer, 65536, 1e12, &result, &error), 0);
    assert_true(result.bandwidth > 0 && isfinite(result.bandwidth));
    assert_true(result.latency > 0 && result.latency < 10);
    assert_true(result.bytes >= 65536 && result.bytes <= 1e12);
    assert_true(result.wants >= 65536 && result.wants <= 1e12);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    /* The port is closed. */
    assert_int_equal(rc_sense_link_probe(&peer, 65536, 1e6, &result, &error), -1);
}

/* Strangers that connect and say nothing, more of them than are listened to at a time, keep nobody
 * out; and the port is closed in time although they stay. */
static void test_strangers_do_not_block(void **state)
{
    struct rc_peer peer = {.host = "127.0.0.1", .port = 0};
    struct rc_link_result result;
    int strangers[12], listener, status;
    pid_t pid;

    (void)state;
    assert_int_equal(rc_socket_make_key(peer.key, NULL), 0);
    pid = start_server(peer.key, &peer.port);
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        strangers[i] = rc_socket_connect(&peer, 5, NULL);
        assert_true(strangers[i] >= 0);
    }
    /* Where each of them were waited for, it would give up. */
    assert_int_equal(rc_sense_link_probe(&peer, 4096, 1e12, &result, NULL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        close(strangers[i]);

    peer.port = 0;
    listener = rc_socket_listen("127.0.0.1", &peer.port, NULL);
    strangers[0] = rc_socket_connect(&peer, 5, NULL);
    assert_int_equal(rc_sense_link_serve(listener, peer.key, 0.2, NULL), -1);
    assert_int_equal(rc_socket_connect(&peer, 1, NULL), -1);
    close(strangers[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_the_cores),
        cmocka_unit_test(test_reads_load_and_memory),
        cmocka_unit_test(test_reads_the_interfaces),
        cmocka_unit_test(test_reads_processes),
        cmocka_unit_test(test_reads_times_and_limits),
        cmocka_unit_test(test_fills_up_to_a_level),
        cmocka_unit_test(test_one_core),
        cmocka_unit_test(test_several_cores),
        cmocka_unit_test(test_groups_share_first),
        cmocka_unit_test(test_places_in_the_tree),
        cmocka_unit_test(test_places_are_forgotten_when_full),
        cmocka_unit_test(test_learns_a_wrong_weight),
        cmocka_unit_test(test_learns_habits_apart_from_weights),
        cmocka_unit_test(test_correction_is_bounded),
        cmocka_unit_test(test_probes_cost_little),
        cmocka_unit_test(test_sees_who_uses_a_core),
        cmocka_unit_test(test_jobs_answer_or_end),
        cmocka_unit_test(test_reads_orders),
        cmocka_unit_test(test_headers_and_bandwidths),
        cmocka_unit_test(test_probes_a_link),
        cmocka_unit_test(test_strangers_do_not_block),
    };

    return RUN_TESTS(tests);
}
