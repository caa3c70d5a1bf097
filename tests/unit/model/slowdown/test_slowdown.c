/* test_slowdown.c - slowdown factors: every worked number of the paper (S. M. Figueira, F. Berman,
 * "A slowdown model for applications executing on time-shared clusters of workstations", 2001), and
 * what it leaves open. */
#include "slowdown.h"

#include "base/random.h"
#include "model/slowdown/aggregate_slowdown.h"
#include "model/slowdown/task_allocation.h"
#include "model/slowdown/message_slowdown.h"

/* ---- probabilities ---- */

/* Section 4: 60 and 70 % of the time. */
static void the_paper_s_probabilities(void **state)
{
    static const double shares[] = {0.60, 0.70};
    struct rc_activity activity;

    (void)state;
    assert_int_equal(rc_slowdown_activity_of(shares, 2, &activity, NULL), 0);
    assert_near(activity.p[1], 0.60 * 0.30 + 0.70 * 0.40, 1e-15);
    assert_near(activity.p[2], 0.60 * 0.70, 1e-15);
    assert_near(activity.p[1] + 2 * activity.p[2], 1.3, 1e-15);
    rc_slowdown_activity_free(&activity);
}

static void probabilities_of_ten_thousand_sum_to_one(void **state)
{
    enum { N = 10000 };
    static double shares[N];
    struct rc_random *random = rc_random_create(3, 0);
    struct rc_activity activity;
    double sum = 0, mean = 0, found = 0;

    (void)state;
    for (int i = 0; i < N; i++)
        mean += shares[i] = rc_random_uniform(random);
    assert_int_equal(rc_slowdown_activity_of(shares, N, &activity, NULL), 0);
    for (int i = 0; i <= N; i++) {
        sum += activity.p[i];
        found += i * activity.p[i];
    }
    assert_near(sum, 1, 1e-12);
    assert_near(found, mean, 1e-9 * mean);
    rc_slowdown_activity_free(&activity);
    rc_random_destroy(random);
}

/* Against all subsets, one by one. */
static void probabilities_are_those_of_all_subsets(void **state)
{
    static const double shares[] = {0, 0.1, 0.35, 0.5, 0.77, 0.99, 1, 0.42};
    enum { N = COUNT(shares) };
    double expected[N + 1] = {0};
    struct rc_activity activity;

    (void)state;
    for (unsigned set = 0; set < 1u << N; set++) {
        double p = 1;
        int size = 0;

        for (int i = 0; i < N; i++) {
            p *= set >> i & 1 ? shares[i] : 1 - shares[i];
            size += set >> i & 1;
        }
        expected[size] += p;
    }
    assert_int_equal(rc_slowdown_activity_of(shares, N, &activity, NULL), 0);
    for (int i = 0; i <= N; i++)
        assert_near(activity.p[i], expected[i], 1e-15);
    rc_slowdown_activity_free(&activity);
}

static void shares_outside_are_refused(void **state)
{
    static const double bad[] = {0.5, 1.01}, nan[] = {NAN};
    struct rc_activity activity;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_slowdown_activity_of(bad, 2, &activity, &error), -1);
    assert_non_null(strstr(error.text, "share 2 is 1.01"));
    assert_int_equal(rc_slowdown_activity_of(nan, 1, &activity, &error), -1);
}

/* ---- delays ---- */

/* The four formulas below Figure 2, and what they say at 0.45. */
static void the_paper_s_delays(void **state)
{
    struct rc_delay delay;
    unsigned notes = 0;

    (void)state;
    rc_slowdown_delay_paper(4, &delay);
    assert_near(rc_slowdown_delay_at(&delay, 1, 0.45 * MWORDS, &notes), 0.0205, 1e-12);
    assert_near(rc_slowdown_delay_at(&delay, 1, 2.36 * MWORDS, &notes), -0.20 + 0.49 * 2.36, 1e-12);
    assert_near(rc_slowdown_delay_at(&delay, 1, 2.37 * MWORDS, &notes), 1.38 - 0.06 * 2.37, 1e-12);
    assert_near(rc_slowdown_delay_at(&delay, 2, 1.73 * MWORDS, &notes), -0.50 + 1.37 * 1.73, 1e-12);
    assert_near(rc_slowdown_delay_at(&delay, 2, 1.74 * MWORDS, &notes), 2.48, 1e-12);
    assert_int_equal(notes, 0);
    assert_same(rc_slowdown_delay_at(&delay, 0, MWORDS, &notes), 0);
    assert_same(rc_slowdown_delay_at(&delay, 1, 0.1 * MWORDS, &notes),
                0); /* the line is at -0.151 */
    assert_int_equal(notes, RC_DELAY_CLAMPED);
    notes = 0;
    /* the second one adds 1.27 to 1.21, and so does each further one */
    assert_near(rc_slowdown_delay_at(&delay, 4, 2.8 * MWORDS, &notes), 2.48 + 2 * (2.48 - 1.212),
                1e-12);
    assert_int_equal(notes, RC_DELAY_MORE);
}

static void one_number_may_stand_for_all_delays(void **state)
{
    const struct rc_delay delay = {.constant = 0.25};
    unsigned notes = 0;

    (void)state;
    assert_same(rc_slowdown_delay_at(&delay, 0, NAN, &notes), 0);
    assert_same(rc_slowdown_delay_at(&delay, 1, NAN, &notes), 0.25);
    assert_same(rc_slowdown_delay_at(&delay, 9, NAN, &notes), 0.25);
    assert_int_equal(notes, 0);
}

/* Points on the paper's first curve, with a little noise: the lines and the break come back. */
static void fitting_finds_lines_and_break(void **state)
{
    struct rc_random *random = rc_random_create(7, 0);
    struct rc_delay_point points[40];
    struct rc_delay_curve curve;
    struct rc_delay paper;
    double left;

    (void)state;
    rc_slowdown_delay_paper(4, &paper);
    for (int i = 0; i < 40; i++) {
        double k = (0.5 + 0.1 * ((i * 7) % 40)) * MWORDS; /* in no order */

        points[i] = (struct rc_delay_point){k, rc_slowdown_delay_at(&paper, 1, k, NULL) +
                                                   rc_random_normal(random, 0, 0.01)};
    }
    assert_int_equal(rc_slowdown_delay_fit(points, 40, &curve, &left, NULL), 0);
    assert_near(curve.at / MWORDS, 2.37, 0.1);
    assert_near(curve.intercept[0], -0.20, 0.03);
    assert_near(curve.slope[0] * MWORDS, 0.49, 0.03);
    assert_near(curve.intercept[1], 1.38, 0.05);
    assert_near(curve.slope[1] * MWORDS, -0.06, 0.02);
    assert_near(left, 0.01, 0.004);
    assert_near(curve.low, 0.5 * MWORDS, 1);
    assert_near(curve.high, 4.4 * MWORDS, 1);
    rc_random_destroy(random);
}

static void one_line_is_not_broken(void **state)
{
    struct rc_random *random = rc_random_create(8, 0);
    struct rc_delay_point points[30];
    struct rc_delay_curve curve;

    (void)state;
    for (int i = 0; i < 30; i++)
        points[i] = (struct rc_delay_point){1e8 * (i + 1),
                                            0.1 + 0.02 * i + rc_random_normal(random, 0, 0.02)};
    assert_int_equal(rc_slowdown_delay_fit(points, 30, &curve, NULL, NULL), 0);
    assert_same(curve.at, INFINITY);
    assert_near(curve.slope[0] * 1e8, 0.02, 0.002);
    assert_int_equal(rc_slowdown_delay_fit(points, 1, &curve, NULL, NULL), 0);
    assert_near(curve.intercept[0], points[0].delay, 1e-12);
    assert_same(curve.slope[0], 0);
    points[0].k = -1;
    assert_int_equal(rc_slowdown_delay_fit(points, 30, &curve, NULL, NULL), -1);
    rc_random_destroy(random);
}

/* ---- competitors ---- */

static void competitors_are_read(void **state)
{
    struct rc_competitor read;
    size_t count;

    (void)state;
    assert_int_equal(rc_observe_competitor_parse("0.55:45%", &read, &count, NULL), 0);
    assert_near(rc_observe_share_mean(read.compute), 0.55, 1e-15);
    assert_near(rc_observe_share_mean(read.communicate), 0.45, 1e-15);
    assert_int_equal(
        rc_observe_competitor_parse("0.2..0.4:0.1,nice=5,cycle=30s,count=3,steady,name=db,"
                                    "memory-bound=0.5,stay=1h,away=10min",
                                    &read, &count, NULL),
        0);
    assert_near(read.compute.low, 0.2, 1e-15);
    assert_near(read.compute.high, 0.4, 1e-15);
    assert_near(read.weight, pow(1.25, -5), 1e-12);
    assert_near(read.cycle, 30, 0);
    assert_near(read.stay, 3600, 0);
    assert_near(read.away, 600, 0);
    assert_int_equal(count, 3);
    assert_true(read.steady);
    assert_string_equal(read.name, "db");
    assert_int_equal(rc_observe_competitor_parse("?", &read, &count, NULL), 0);
    assert_true(read.unknown);
}

static void competitors_that_make_no_sense(void **state)
{
    static const char *const cases[][2] = {{"1.2", "computing"},
                                           {"-0.1:0.5", "computing"},
                                           {"0.5:1.5", "communicating"},
                                           {"0.8:0.4", "more than 1"},
                                           {"0.5,weight=0", "weight"},
                                           {"0.5,nice=20", "nice"},
                                           {"0.5,nice=0.5", "nice"},
                                           {"0.5,pace=1", "unknown setting 'pace'"},
                                           {"0.5,steady=1", "steady"},
                                           {"0.5,count=0", "count"},
                                           {"0.5,cycle=-1s", "cycle"},
                                           {"", "computing"},
                                           {"0.6..0.4", "computing"},
                                           {"0.5,name=", "name"},
                                           {"0.5,", "unknown setting ''"},
                                           {"nan", "computing"},
                                           {"1,away=10s", "needs stay="},
                                           {"1,weight=2,weight=3", "duplicate setting weight"},
                                           {"1,nice=5,weight=3", "either nice or weight"}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_competitor read;
        struct rc_error error = {0};
        size_t count;

        if (rc_observe_competitor_parse(cases[i][0], &read, &count, &error) != -1)
            fail_msg("'%s' was read", cases[i][0]);
        if (!strstr(error.text, cases[i][1]))
            fail_msg("'%s': '%s' does not name %s", cases[i][0], error.text, cases[i][1]);
    }
}

/* A host on which a new process got half of a core has one competitor that computes all the time;
 * one that is known to compute for 0.4 leaves 0.6 for the other. */
static void habits_fill_in_what_nobody_said(void **state)
{
    struct rc_competitor two[] = {competitor(0.4, 0.1), competitor(0, 0)};
    const struct rc_usual_load usual = {.mean = 0.5, .sd = 0.05, .samples = 100}, none = {0};

    (void)state;
    two[1].unknown = true;
    two[1].compute = (struct rc_share){0, 1};
    assert_int_equal(rc_observe_competitors_fill(two, 2, 1, &none), 1);
    assert_near(rc_observe_share_mean(two[1].compute), 0.5, 1e-15);
    assert_int_equal(rc_observe_competitors_fill(two, 2, 1, &usual), 1);
    assert_near(rc_observe_share_mean(two[1].compute), 0.6, 1e-12);
    assert_near(two[1].compute.high - two[1].compute.low, 2 * sqrt(3) * 0.2, 1e-12);
    assert_near(rc_observe_share_mean(two[0].compute), 0.4, 1e-15);
}

/* Availability is what one new process gets.  Where that is 0.4 on four cores, nine others compute:
 * 4 / (9 + 1).  So one process takes 2.5 times as long, on however many cores; what several take
 * follows from as many others. */
static void habits_of_several_cores_are_those_of_one_process(void **state)
{
    static const int cores[] = {1, 2, 4, 8};
    struct rc_competitor others[19];
    struct rc_usual_load usual = {.mean = 0.4, .samples = 100};

    (void)state;
    for (size_t i = 0; i < COUNT(cores); i++) {
        size_t n = (size_t)ceil(2.5 * cores[i] - 1);
        struct rc_local_host host = {
            .cores = cores[i], .processes = 1, .competitors = others, .n_competitors = n};

        for (size_t k = 0; k < n; k++) {
            others[k] = competitor(1, 0);
            others[k].unknown = true;
        }
        assert_near(rc_observe_competitors_missing(others, n, cores[i], &usual), 0, 1e-12);
        assert_int_equal(rc_observe_competitors_fill(others, n, cores[i], &usual), n);
        assert_near(rc_observe_share_mean(others[0].compute) * (double)n, 2.5 * cores[i] - 1, 1e-9);
        if (cores[i] % 2 == 0) /* all of them compute all the time */
            assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 2.5, 1e-9);
    }
    /* four processes on four cores that would each get 4 / (9 + 4) */
    usual = (struct rc_usual_load){.mean = 4. / 13, .samples = 100, .processes = 4};
    assert_near(rc_observe_competitors_missing(NULL, 0, 4, &usual), 9, 1e-9);
    /* idle: others may have three cores, or none */
    usual = (struct rc_usual_load){.mean = 1, .samples = 100};
    assert_near(rc_observe_competitors_missing(NULL, 0, 4, &usual), 0, 1e-12);
}

/* Table 15: a program on an RS/6000 and on an Alpha that is 3.07 times as fast waits there for two
 * thirds of the time, and so costs 1.33 and not 2. */
static void coupled_competitors_wait(void **state)
{
    static const double work[] = {0.5, 0.5}, weights[] = {3.07, 1};
    struct rc_competitor one;
    double shares[2];
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1};

    (void)state;
    rc_observe_competitor_couple(work, weights, 2, shares);
    assert_near(shares[1], 1, 1e-15);
    one = competitor(shares[0], 0);
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 1.33, 0.005);
}

/* ---- messages ---- */

static void bursts_are_read(void **state)
{
    static const char *const bad[] = {"",     "100",  "x100",  "0x100",  "1.5x100",
                                      "10x0", "10xa", "-1x10", "1e9x1e9"};
    struct rc_burst burst;

    (void)state;
    assert_int_equal(rc_slowdown_burst_parse("1000x4KiB", 4, &burst, NULL), 0);
    assert_near(burst.messages, 1000, 0);
    assert_near(burst.bytes, 4096, 0);
    assert_int_equal(rc_slowdown_burst_parse("100/500w", 8, &burst, NULL), 0);
    assert_near(burst.bytes, 4000, 0);
    for (size_t i = 0; i < COUNT(bad); i++)
        if (rc_slowdown_burst_parse(bad[i], 4, &burst, NULL) == 0)
            fail_msg("'%s' was read", bad[i]);
}

/* Section 5.2: 0.91 by 0.33 is 2.76, and 0.48 by 0.28 is 1.71. */
static void the_paper_s_communication_slowdowns(void **state)
{
    (void)state;
    assert_near(rc_slowdown_burst_slowdown(0.91 * MWORDS, 0.33 * MWORDS), 2.76, 0.005);
    assert_near(rc_slowdown_burst_slowdown(0.48 * MWORDS, 0.28 * MWORDS), 1.71, 0.005);
}

static void rates_between_measured_bursts(void **state)
{
    /* 1 us for each message and 10 ns for each byte */
    struct rc_slowdown_burst_rate items[12];
    const struct rc_burst_table table = {items, 12};
    size_t n = 0;

    (void)state;
    for (double messages = 10; messages <= 1000; messages *= 10)
        for (double bytes = 128; bytes <= 65536; bytes *= 8)
            items[n++] =
                (struct rc_slowdown_burst_rate){{messages, bytes}, bytes / (1e-6 + 1e-8 * bytes)};
    for (double bytes = 130; bytes < 60000; bytes *= 1.3) {
        const struct rc_burst burst = {55, bytes};
        double rate = rc_slowdown_burst_rate(&table, burst);

        assert_near(rate, bytes / (1e-6 + 1e-8 * bytes), 1e-9 * rate);
        assert_int_not_equal(rc_slowdown_burst_cover(&table, burst), RC_BURST_OUTSIDE);
    }
    assert_same(rc_slowdown_burst_rate(&table, items[3].burst), items[3].rate);
    assert_int_equal(rc_slowdown_burst_cover(&table, (struct rc_burst){1, 1024}), RC_BURST_OUTSIDE);
    assert_true(isnan(rc_slowdown_burst_rate(&(struct rc_burst_table){0}, items[0].burst)));
}

/* ---- several hosts ---- */

static double aggregate(const struct rc_aggregate_node *nodes, size_t n, enum rc_split split)
{
    struct rc_aggregate result;
    struct rc_error error = {0};

    if (rc_slowdown_aggregate_compute(nodes, n, split, &result, &error))
        fail_msg("%s", error.text);
    return result.slowdown;
}

/* Section 6.1: 7 / 3.67 = 1.9; section 6.3.1: 4/3 and 4/2.33. */
static void split_by_load(void **state)
{
    const struct rc_aggregate_node
        figure11[] = {{2, 2, 0, 0}, {2, 2, 0, 0}, {2, 3, 0, 0}, {1, 1, 0, 0}},
        first[] = {{1, 2, 0, 0}, {1, 2, 0, 0}, {1, 1, 0, 0}, {1, 1, 0, 0}},
        second[] = {{1, 2, 0, 0}, {1, 2, 0, 0}, {1, 3, 0, 0}, {1, 1, 0, 0}};

    (void)state;
    assert_near(aggregate(figure11, 4, RC_SPLIT_LOAD), 1.9, 0.01);
    assert_near(aggregate(figure11, 4, RC_SPLIT_LOAD), 7 / (11.0 / 3), 1e-12);
    assert_near(aggregate(first, 4, RC_SPLIT_LOAD), 4.0 / 3, 1e-12);
    assert_near(aggregate(second, 4, RC_SPLIT_LOAD), 12.0 / 7, 1e-12); /* 1.714 */
}

/* Section 6.2: 3, 2, 2 and 1.67, by Eq. 12. */
static void split_by_constraints(void **state)
{
    const double even = 0.25;
    struct rc_aggregate_node figure12[] = {
        {1, 3, even, even}, {1, 2, even, even}, {1, 2, even, even}, {1, 1, even, even}};
    struct rc_aggregate_node figure13[] = {{1, 3, 1 / 12.0, even},
                                           {1, 2, 3 / 12.0, even},
                                           {1, 2, 3 / 12.0, even},
                                           {1, 1, 5 / 12.0, even}};

    (void)state;
    assert_near(aggregate(figure12, 4, RC_SPLIT_CONSTRAINT), 3, 1e-12);
    assert_near(aggregate(figure13, 4, RC_SPLIT_CONSTRAINT), 2, 1e-12);
    for (int i = 0; i < 4; i++) /* node 2 is four times as slow as the others */
        figure12[i].weight = i == 1 ? 1 : 4;
    assert_near(aggregate(figure12, 4, RC_SPLIT_CONSTRAINT), 2, 1e-12);
    for (int i = 0; i < 4; i++) /* node 4 is twice as slow */
        figure13[i].weight = i == 3 ? 1 : 2;
    assert_near(aggregate(figure13, 4, RC_SPLIT_CONSTRAINT), 1.67, 0.005);
}

/* Table 12: 3.0 as compared with a uniform run; as compared with the same split, 2.25. */
static void table_12(void **state)
{
    struct rc_aggregate_node nodes[] = {
        {1, 3, 1 / 4.0, 0.25}, {1, 2, 1 / 6.0, 0.25}, {1, 2, 1 / 4.0, 0.25}, {1, 1, 1 / 3.0, 0.25}};
    struct rc_aggregate result;

    (void)state;
    assert_int_equal(rc_slowdown_aggregate_compute(nodes, 4, RC_SPLIT_CONSTRAINT, &result, NULL),
                     0);
    assert_near(result.slowdown, 3, 1e-12);
    assert_int_equal(result.slowest, 0);
    assert_near(rc_slowdown_aggregate_extra(1 / 6.0, 4), -0.33, 0.005);
    assert_near(rc_slowdown_aggregate_extra(1 / 3.0, 4), 0.33, 0.005);
    for (int i = 0; i < 4; i++)
        nodes[i].dedicated = NAN;
    assert_near(aggregate(nodes, 4, RC_SPLIT_CONSTRAINT), 2.25, 1e-12);
}

/* Tables 13 to 15: 2.00 and 2.45, printed as 2.01 and 2.46. */
static void tables_13_to_15(void **state)
{
    const double sixth = 1 / 6.0, third = 1 / 3.0;
    const struct rc_aggregate_node table14[] = {{3.07, 1, sixth, sixth},
                                                {3.07, 1, third, third},
                                                {1, 2, third, sixth},
                                                {1, 2, sixth, third}};
    const struct rc_aggregate_node table15[] = {{3.07, 4, 15 / 55.0, sixth},
                                                {3.07, 1.33, 15 / 55.0, third},
                                                {1, 3, 15 / 55.0, sixth},
                                                {1, 2, 10 / 55.0, third}};

    (void)state;
    assert_near(aggregate(table14, 4, RC_SPLIT_CONSTRAINT), 2.00, 1e-9);
    assert_near(aggregate(table15, 4, RC_SPLIT_CONSTRAINT), 2.4545, 0.0001);
}

static void nodes_that_make_no_sense(void **state)
{
    struct rc_aggregate_node nodes[] = {{1, 1, 0.5, NAN}, {1, 1, 0.4, NAN}};
    struct rc_aggregate result;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_slowdown_aggregate_compute(nodes, 2, RC_SPLIT_CONSTRAINT, &result, &error),
                     -1);
    assert_non_null(strstr(error.text, "0.9"));
    nodes[1].weight = 0;
    assert_int_equal(rc_slowdown_aggregate_compute(nodes, 2, RC_SPLIT_LOAD, &result, &error), -1);
    assert_non_null(strstr(error.text, "host 2"));
    nodes[1] = (struct rc_aggregate_node){1, 0.5, 0.5, NAN};
    assert_int_equal(rc_slowdown_aggregate_compute(nodes, 2, RC_SPLIT_LOAD, &result, &error), -1);
    assert_int_equal(rc_slowdown_aggregate_compute(nodes, 0, RC_SPLIT_LOAD, &result, &error), -1);
}

static void weights_and_the_network(void **state)
{
    static const double seconds[] = {10, 30.7, 30.7};
    double weights[3];

    (void)state;
    rc_slowdown_aggregate_weights(seconds, 3, weights);
    assert_near(weights[0], 3.07, 1e-12);
    assert_near(weights[2], 1, 0);
    assert_near(rc_slowdown_aggregate_network(2, 4, 0.25), 2.5, 1e-12);
}

/* ---- tasks in sequence ---- */

/* Tables 1 to 4: 16 on M1; 38 with A on M2 and B on M1; 48, of which there are two, on M1. */
static void the_introduction_s_mappings(void **state)
{
    static const double execution[] = {12, 18, 4, 30}, transfer[] = {0, 7, 8, 0, 0, 0, 0, 0};
    double slowdown[] = {1, 1}, link[] = {1, 1, 1, 1};
    const struct rc_allocation allocation = {2, 2, execution, transfer, slowdown, link};
    struct rc_mapping mapping;

    (void)state;
    assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, NULL), 0);
    assert_near(mapping.seconds, 16, 1e-12);
    assert_int_equal(mapping.machines[0] + mapping.machines[1], 0);
    assert_false(mapping.tie);
    rc_slowdown_mapping_free(&mapping);
    slowdown[0] = 3;
    assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, NULL), 0);
    assert_near(mapping.seconds, 38, 1e-12);
    assert_int_equal(mapping.machines[0], 1);
    assert_int_equal(mapping.machines[1], 0);
    rc_slowdown_mapping_free(&mapping);
    link[1] = link[2] = 3;
    assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, NULL), 0);
    assert_near(mapping.seconds, 48, 1e-12);
    assert_int_equal(mapping.machines[0], 0);
    assert_int_equal(mapping.machines[1], 0);
    assert_true(mapping.tie);
    rc_slowdown_mapping_free(&mapping);
}

/* Random problems against all mappings, one by one. */
static void no_mapping_is_better(void **state)
{
    enum { TASKS = 5, MACHINES = 3, ALL = 243 };
    double execution[TASKS * MACHINES], transfer[TASKS * MACHINES * MACHINES], slowdown[MACHINES],
        link[MACHINES * MACHINES];
    const struct rc_allocation allocation = {TASKS, MACHINES, execution, transfer, slowdown, link};
    struct rc_random *random = rc_random_create(11, 0);

    (void)state;
    for (int round = 0; round < 100; round++) {
        struct rc_mapping mapping;
        double best = INFINITY;

        for (size_t i = 0; i < COUNT(execution); i++)
            execution[i] = 10 * rc_random_uniform(random);
        for (size_t i = 0; i < COUNT(transfer); i++)
            transfer[i] = i % 7 == 6 ? INFINITY : 5 * rc_random_uniform(random);
        for (size_t i = 0; i < MACHINES; i++)
            slowdown[i] = 1 + rc_random_uniform(random);
        for (size_t i = 0; i < COUNT(link); i++)
            link[i] = 1 + rc_random_uniform(random);
        for (int code = 0; code < ALL; code++) {
            size_t machines[TASKS];

            for (int i = 0, rest = code; i < TASKS; i++, rest /= MACHINES)
                machines[i] = (size_t)(rest % MACHINES);
            best = fmin(best, rc_slowdown_allocation_seconds(&allocation, machines));
        }
        assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, NULL), 0);
        assert_near(mapping.seconds, best, 1e-9);
        rc_slowdown_mapping_free(&mapping);
    }
    rc_random_destroy(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_probabilities),
        cmocka_unit_test(probabilities_of_ten_thousand_sum_to_one),
        cmocka_unit_test(probabilities_are_those_of_all_subsets),
        cmocka_unit_test(shares_outside_are_refused),
        cmocka_unit_test(the_paper_s_delays),
        cmocka_unit_test(one_number_may_stand_for_all_delays),
        cmocka_unit_test(fitting_finds_lines_and_break),
        cmocka_unit_test(one_line_is_not_broken),
        cmocka_unit_test(competitors_are_read),
        cmocka_unit_test(competitors_that_make_no_sense),
        cmocka_unit_test(habits_fill_in_what_nobody_said),
        cmocka_unit_test(habits_of_several_cores_are_those_of_one_process),
        cmocka_unit_test(coupled_competitors_wait),
        cmocka_unit_test(bursts_are_read),
        cmocka_unit_test(the_paper_s_communication_slowdowns),
        cmocka_unit_test(rates_between_measured_bursts),
        cmocka_unit_test(split_by_load),
        cmocka_unit_test(split_by_constraints),
        cmocka_unit_test(table_12),
        cmocka_unit_test(tables_13_to_15),
        cmocka_unit_test(nodes_that_make_no_sense),
        cmocka_unit_test(weights_and_the_network),
        cmocka_unit_test(the_introduction_s_mappings),
        cmocka_unit_test(no_mapping_is_better),
    };

    return RUN_TESTS(tests);
}
