/* Nodes files, files of tasks, what was observed, and answers from them. */
#include <stdbool.h>

#include "own_store.h"

#include "base/buffer.h"
#include "model/slowdown/task_allocation.h"
#include "model/slowdown/local_estimate.h"
#include "model/slowdown/nodes.h"
#include "model/slowdown/competitors_file.h"
#include "model/slowdown/run_time.h"
#include "model/slowdown/usual_load.h"
#include "model/slowdown/communication_delay.h"

/* ---- words and delays ---- */

static void test_rates(void **state)
{
    struct rc_error error = {0};
    double rate = 0;

    (void)state;
    assert_int_equal(rc_slowdown_word_rate_parse("0.45Mw/s", 4, &rate, &error), 0);
    assert_near(rate, 1.8e6, 1e-6);
    assert_int_equal(rc_slowdown_word_rate_parse("0.45 Mw/s", 8, &rate, &error), 0);
    assert_near(rate, 3.6e6, 1e-6);
    assert_int_equal(rc_slowdown_word_rate_parse("12.5MB/s", 4, &rate, &error), 0);
    assert_near(rate, 12.5e6, 1e-6);
    rate = 7;
    assert_int_equal(rc_slowdown_word_rate_parse("-1Mw/s", 4, &rate, &error), -1);
    assert_non_null(strstr(error.text, "above 0"));
    assert_int_equal(rc_slowdown_word_rate_parse("0", 4, &rate, &error), -1);
    assert_int_equal(rc_slowdown_word_rate_parse("fast", 4, &rate, &error), -1);
    assert_int_equal(rc_slowdown_word_rate_parse("", 4, &rate, NULL), -1);
    assert_same(rate, 7);
    assert_true(rc_slowdown_rate_is_bare("100") && rc_slowdown_rate_is_bare("1.5e6"));
    assert_false(rc_slowdown_rate_is_bare("100B/s") || rc_slowdown_rate_is_bare("2w/s") ||
                 rc_slowdown_rate_is_bare("") || rc_slowdown_rate_is_bare(NULL));
}

static void test_delays(void **state)
{
    struct rc_error error = {0};
    struct rc_delay delay;

    (void)state;
    assert_int_equal(rc_slowdown_delay_parse("0.25", 4, &delay, &error), 1);
    assert_int_equal(delay.n, 0);
    assert_same(rc_slowdown_delay_at(&delay, 3, NAN, NULL), 0.25);
    assert_int_equal(rc_slowdown_delay_parse("alpha-farm", 4, &delay, &error), 1);
    assert_true(delay.n > 0);
    assert_near(rc_slowdown_delay_at(&delay, 1, 0.45 * 4e6, NULL), 0.0205, 1e-12);
    assert_int_equal(rc_slowdown_delay_parse("a-file.json", 4, &delay, &error), 0);
    assert_int_equal(rc_slowdown_delay_parse("-0.1", 4, &delay, &error), -1);
}

/* ---- nodes ---- */

static void open_nodes(const char *text, struct rc_slowdown_nodes *nodes)
{
    struct rc_error error = {0};

    if (rc_slowdown_nodes_parse(text, strlen(text), "nodes.yaml", nodes, &error) ||
        rc_slowdown_nodes_settle(nodes, NULL, &error))
        fail_msg("%s", error.text);
}

static void want_fault(const char *text, unsigned line, const char *words)
{
    struct rc_slowdown_nodes nodes;
    struct rc_error error = {0};

    if (rc_slowdown_nodes_parse(text, strlen(text), "nodes.yaml", &nodes, &error) == 0)
        fail_msg("it was taken: %s", text);
    if (error.line != line || !strstr(error.text, words))
        fail_msg("line %u: %s; not line %u: %s", error.line, error.text, line, words);
    assert_null(nodes.items);
}

static const char table_15[] = "hosts:\n"
                               "  - {name: alpha1, weight: 3.07, work: 15/55, dedicated: 1/6}\n"
                               "  - {name: alpha2, weight: 3.07, work: 15/55, dedicated: 1/3}\n"
                               "  - {name: rs1, weight: 1, work: 15/55, dedicated: 1/6}\n"
                               "  - {name: rs2, weight: 1, work: 10/55, dedicated: 1/3}\n"
                               "competitors:\n"
                               "  - {shares: \"1\", hosts: [rs1, rs2], coupled: yes}\n"
                               "  - {shares: \"1\", hosts: [rs1, alpha2], coupled: yes}\n"
                               "  - {shares: \"1,count=3\", hosts: [alpha1]}\n";

/* alpha2 has 1.33, since what runs there waits for rs1. */
static void test_table_15(void **state)
{
    static const double slowdowns[] = {4, 1 + 1 / 3.07, 3, 2};
    struct rc_aggregate_node terms[4];
    struct rc_aggregate aggregate;
    struct rc_slowdown_nodes nodes;
    struct rc_value *value;
    unsigned notes = 9;

    (void)state;
    open_nodes(table_15, &nodes);
    assert_int_equal(rc_slowdown_nodes_compute(&nodes, RC_SPLIT_CONSTRAINT, false, RC_LOCAL_PAPER,
                                               terms, &aggregate, &notes, NULL),
                     0);
    for (size_t i = 0; i < 4; i++)
        assert_near(terms[i].slowdown, slowdowns[i], 1e-12);
    assert_int_equal(aggregate.slowest, 2);
    assert_near(rc_slowdown_nodes_row(&terms[2], 4).shared, 4 * 15. / 55 * 3, 1e-12);
    assert_near(rc_slowdown_nodes_row(&terms[3], 4).alone, 4. / 3, 1e-12);
    assert_near(aggregate.slowdown, 4 * 15. / 55 * 3 / (4. / 3), 1e-12); /* 2.4545 */
    assert_int_equal(notes, 0);
    value =
        rc_slowdown_nodes_value(&nodes, RC_SPLIT_CONSTRAINT, terms, RC_LOCAL_PAPER, 0, NAN, NULL);
    assert_int_equal(rc_value_kind(value), RC_POINT);
    assert_same(rc_value_mean(value), aggregate.slowdown);
    rc_value_drop(value);
    value =
        rc_slowdown_nodes_value(&nodes, RC_SPLIT_CONSTRAINT, terms, RC_LOCAL_PAPER, 0.25, 3, NULL);
    assert_near(rc_value_mean(value), 0.75 * aggregate.slowdown + 0.25 * 3, 1e-12);
    rc_value_drop(value);
    rc_slowdown_nodes_free(&nodes);
}

/* Parts of a coupled program's work that are as the weights let nobody wait. */
static void test_coupled_work(void **state)
{
    struct rc_slowdown_nodes nodes;

    (void)state;
    open_nodes("hosts: [{name: a, seconds: 2s}, {name: b, seconds: 6s}]\n"
               "competitors: [{shares: '0.8:0.1', hosts: [a, b], coupled: yes, "
               "work: [3/4, 1/4]}]\n",
               &nodes);
    assert_near(nodes.items[0].weight, 3, 1e-12);
    assert_near(nodes.items[0].competitors[0].compute.low, 0.8, 1e-12);
    assert_near(nodes.items[1].competitors[0].compute.high, 0.8, 1e-12);
    rc_slowdown_nodes_free(&nodes);
    open_nodes("hosts: [{name: a, seconds: 2s}, {name: b, seconds: 6s}]\n"
               "competitors: [{shares: '0.8:0.1', coupled: yes}, {shares: '0.5'}]\n",
               &nodes);
    assert_int_equal(nodes.items[0].n_competitors, 2);
    assert_near(nodes.items[0].competitors[0].compute.low, 0.8 / 3, 1e-12);
    assert_near(nodes.items[0].competitors[1].compute.low, 0.5, 1e-12);
    rc_slowdown_nodes_free(&nodes);
}

/* Shares that are ranges make an interval. */
static void test_ranges(void **state)
{
    struct rc_aggregate_node terms[2];
    struct rc_aggregate aggregate;
    struct rc_slowdown_nodes nodes;
    struct rc_value *value;

    (void)state;
    open_nodes("hosts: [{name: a}, {name: b}]\ncompetitors: [{shares: '0.2..0.6'}]\n", &nodes);
    assert_int_equal(rc_slowdown_nodes_compute(&nodes, RC_SPLIT_LOAD, false, RC_LOCAL_PAPER, terms,
                                               &aggregate, NULL, NULL),
                     0);
    assert_near(aggregate.slowdown, 1.4, 1e-12);
    value = rc_slowdown_nodes_value(&nodes, RC_SPLIT_LOAD, terms, RC_LOCAL_PAPER, 0, NAN, NULL);
    assert_int_equal(rc_value_kind(value), RC_INTERVAL);
    assert_near(rc_value_low(value), 1.2, 1e-12);
    assert_near(rc_value_high(value), 1.6, 1e-12);
    rc_value_drop(value);
    rc_slowdown_nodes_free(&nodes);
}

/* What a calibration knows and the file does not say. */
static void test_calibrated(void **state)
{
    struct rc_slowdown_calibration_host hosts[2] = {{.name = "a", .cores = 4, .weight = 2},
                                                    {.name = "b", .cores = 2, .weight = 1}};
    const struct rc_calibration calibration = {.hosts = hosts, .n_hosts = 2};
    static const char text[] = "hosts: [{name: a, cores: 8}, {name: b}]\n",
                      stranger[] = "hosts: [{name: a}, {name: c}]\n";
    struct rc_error error = {0};
    struct rc_slowdown_nodes nodes;

    (void)state;
    assert_int_equal(rc_slowdown_nodes_parse(text, strlen(text), "n", &nodes, &error), 0);
    assert_int_equal(rc_slowdown_nodes_settle(&nodes, &calibration, &error), 0);
    assert_same(nodes.items[0].weight, 2);
    assert_int_equal(nodes.items[0].cores, 8);
    assert_int_equal(nodes.items[1].cores, 2);
    assert_ptr_equal(nodes.items[1].memory_curve, &hosts[1].memory);
    rc_slowdown_nodes_free(&nodes);
    assert_int_equal(rc_slowdown_nodes_parse(stranger, strlen(stranger), "n", &nodes, &error), 0);
    assert_int_equal(rc_slowdown_nodes_settle(&nodes, &calibration, &error), -1);
    assert_non_null(strstr(error.text, "'c'"));
    rc_slowdown_nodes_free(&nodes);
}

static void test_nodes_faults(void **state)
{
    (void)state;
    want_fault("hosts:\n  - {name: a, work: 1/2}\n  - {name: b}\n", 3,
               "'work' to all hosts, or to none");
    want_fault("hosts:\n  - {name: a, work: 1/2}\n  - {name: b, work: 1/3}\n", 2, "sums to 0.83");
    want_fault("hosts:\n  - {name: a}\n  - {name: a}\n", 3, "duplicate host 'a'");
    want_fault("hosts:\n  - {name: a, weight: 0}\n", 2, "weight");
    want_fault("hosts:\n  - {name: a, weight: 1, seconds: 3s}\n", 2, "use either");
    want_fault("hosts:\n  - {name: a, weight: 1}\n  - {name: b, seconds: 3s}\n", 3,
               "for all hosts");
    want_fault("hosts:\n  - {name: a, slowdown: 0.5}\n", 2, "slowdown");
    want_fault("hosts:\n  - {name: a, work: 3/2}\n", 2, "3/2");
    want_fault("hosts:\n  - {name: a, work: 1/0}\n", 2, "1/0");
    want_fault("hosts:\n  - {name: a, cores: 0}\n", 2, "whole number");
    want_fault("hosts: [{name: a}]\ncompetitors:\n  - {shares: '1.5'}\n", 3, "1.5");
    want_fault("hosts: [{name: a}]\ncompetitors:\n  - {shares: '1', hosts: [b]}\n", 3,
               "no host 'b'");
    want_fault("hosts: [{name: a}]\ncompetitors:\n  - {shares: '1', hosts: [a, a]}\n", 3,
               "duplicate");
    want_fault("hosts: [{name: a}]\ncompetitors:\n  - {shares: '1', work: [1]}\n", 3, "coupled");
    want_fault("hosts: [{name: a}]\nbandwidth: -3MB/s\n", 2, "above 0");
    want_fault("hosts: [{name: a}]\ndelay: often\n", 2, "alpha-farm");
    want_fault("hosts: [{name: a}]\nmachines: 3\n", 2, "machines");
    want_fault("hosts: [{name: a}]\nbandwidth: 3MB/s\nword-bytes: 8\n", 3, "in words");
}

/* ---- tasks ---- */

static const char tables_1_2[] = "machines: [M1, M2]\n"
                                 "tasks:\n"
                                 "  - {name: A, seconds: [12, 18], transfer: [M1>M2=7, M2>M1=8]}\n"
                                 "  - {name: B, seconds: [4, 30]}\n";

static void want_mapping(struct rc_allocation_file *file, const char *slowed, double seconds,
                         size_t first, size_t second, bool tie)
{
    struct rc_allocation allocation;
    struct rc_mapping mapping;
    struct rc_error error = {0};

    if (slowed && rc_slowdown_allocation_file_slow(file, slowed, &error))
        fail_msg("%s", error.text);
    allocation = rc_slowdown_allocation_file_view(file);
    assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, &error), 0);
    assert_same(mapping.seconds, seconds);
    assert_int_equal(mapping.machines[0], first);
    assert_int_equal(mapping.machines[1], second);
    assert_int_equal(mapping.tie, tie);
    assert_same(rc_slowdown_allocation_step(&allocation, mapping.machines, 0).execution +
                    rc_slowdown_allocation_step(&allocation, mapping.machines, 0).transfer +
                    rc_slowdown_allocation_step(&allocation, mapping.machines, 1).execution +
                    rc_slowdown_allocation_step(&allocation, mapping.machines, 1).transfer,
                seconds);
    rc_slowdown_mapping_free(&mapping);
}

static void test_tasks(void **state)
{
    struct rc_allocation_file file;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(
        rc_slowdown_allocation_file_parse(tables_1_2, strlen(tables_1_2), "t", &file, &error), 0);
    want_mapping(&file, NULL, 16, 0, 0, false);
    want_mapping(&file, "M1=3", 38, 1, 0, false);
    want_mapping(&file, "M1<>M2=3", 48, 0, 0, true);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "M3=2", &error), -1);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "M1>M1=2", &error), -1);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "M1=0", &error), -1);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "M1=x", &error), -1);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "any=2", &error), -1);
    assert_int_equal(rc_slowdown_allocation_file_slow(&file, "M1", &error), -1);
    rc_slowdown_allocation_file_free(&file);
}

static void want_task_fault(const char *text, unsigned line, const char *words)
{
    struct rc_allocation_file file;
    struct rc_error error = {0};

    if (rc_slowdown_allocation_file_parse(text, strlen(text), "t", &file, &error) == 0)
        fail_msg("it was taken: %s", text);
    if (error.line != line || !strstr(error.text, words))
        fail_msg("line %u: %s; not line %u: %s", error.line, error.text, line, words);
}

static void test_task_faults(void **state)
{
    static const char lonely[] = "machines: [a, b]\ntasks:\n"
                                 "  - {name: A, seconds: [1, none], transfer: [any=none]}\n"
                                 "  - {name: B, seconds: [none, 1]}\n";
    struct rc_allocation_file file;
    struct rc_allocation allocation;
    struct rc_mapping mapping;

    (void)state;
    want_task_fault("machines: [a, a]\ntasks: [{name: A, seconds: [1, 2]}]\n", 1, "duplicate");
    want_task_fault("machines: [a, any]\ntasks: [{name: A, seconds: [1, 2]}]\n", 1, "any");
    want_task_fault("machines: [a, b]\ntasks:\n  - {name: A, seconds: [1]}\n", 3, "1 times for 2");
    want_task_fault("machines: [a, b]\ntasks:\n  - {name: A, seconds: [1, -2]}\n", 3, "-2");
    want_task_fault("machines: [a, b]\ntasks:\n  - {name: A, seconds: [1, 2], transfer: [a>b=1]}\n",
                    3, "from b to a");
    want_task_fault("machines: [a, b]\ntasks:\n  - {name: A, seconds: [1, 2], transfer: [a>c=1]}\n",
                    3, "no machine 'c'");
    want_task_fault("machines: [a]\ntasks:\n  - {name: A, seconds: [1]}\nslowdown: [b=2]\n", 4,
                    "no machine 'b'");
    want_task_fault("machines: [a]\ntasks:\n  - {name: A, seconds: [1]}\nslowdown: [a=0.5]\n", 4,
                    "slowdown must be from 1");
    want_task_fault("machines: [a, b]\ntasks:\n  - {name: A, seconds: [1, 2], transfer: [any=1]}\n",
                    3, "the last task");
    want_task_fault("machines: [a, b]\ntasks:\n  - name: A\n    seconds: [1, 2]\n"
                    "    transfer: [a>b=1, 'a<>b=2']\n  - {name: B, seconds: [1, 2]}\n",
                    5, "duplicate");
    want_task_fault("machines: [a, b]\ntasks:\n  - name: A\n    seconds: [1, 2]\n"
                    "    transfer: [any=1, any=2]\n  - {name: B, seconds: [1, 2]}\n",
                    5, "duplicate");
    assert_int_equal(rc_slowdown_allocation_file_parse(lonely, strlen(lonely), "t", &file, NULL),
                     0);
    allocation = rc_slowdown_allocation_file_view(&file);
    assert_int_equal(rc_slowdown_allocation_solve(&allocation, &mapping, NULL), 0);
    assert_true(isinf(mapping.seconds));
    rc_slowdown_mapping_free(&mapping);
    rc_slowdown_allocation_file_free(&file);
}

/* ---- what was observed ---- */

static void test_observed(void **state)
{
    static const char text[] = "{\"seconds\": 10, \"competitors\": [{\"pid\": 3, \"competitor\": "
                               "\"0.5:0.2,count=3\"}, {\"competitor\": \"1,nice=5\"}]}",
                      wrong[] = "{\"competitors\": [{\"competitor\": \"0.5:0.7\"}]}",
                      other[] = "{\"competitor\": []}", broken[] = "{\"competitors\": [",
                      cores[] = "{\"cores\": 8, \"competitors\": []}",
                      no_cores[] = "{\"cores\": 0, \"competitors\": []}",
                      half[] = "{\"cores\": 1.5, \"competitors\": []}";
    struct rc_competitors all = {0};
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_slowdown_observed_parse(text, strlen(text), "o", &all, &error), 0);
    assert_int_equal(all.n, 4);
    assert_same(all.items[2].compute.low, 0.5);
    assert_near(all.items[3].weight, rc_observe_competitor_nice_weight(5), 1e-12);
    assert_int_equal(rc_slowdown_observed_parse(wrong, strlen(wrong), "o", &all, &error), -1);
    assert_non_null(strstr(error.text, "competitor 1"));
    assert_int_equal(rc_slowdown_observed_parse(other, strlen(other), "o", &all, &error), -1);
    assert_int_equal(rc_slowdown_observed_parse(broken, strlen(broken), "o", &all, &error), -1);
    assert_int_equal(rc_slowdown_competitors_add(&all, &all.items[0], RC_COMPETITORS_MAX, &error),
                     -1);
    assert_int_equal(all.n, 4);
    assert_int_equal(all.cores, 0);
    assert_int_equal(rc_slowdown_observed_parse(cores, strlen(cores), "o", &all, &error), 0);
    assert_int_equal(all.cores, 8);
    assert_int_equal(rc_slowdown_observed_parse(no_cores, strlen(no_cores), "o", &all, &error), -1);
    assert_non_null(strstr(error.text, "'cores'"));
    assert_int_equal(rc_slowdown_observed_parse(half, strlen(half), "o", &all, &error), -1);
    assert_int_equal(all.cores, 8);
    free(all.items);
}

/* ---- answers ---- */

static void test_local_value(void **state)
{
    struct rc_competitor competitor = RC_COMPETITOR_INIT;
    const struct rc_local_host host = {.cores = 1,
                                       .processes = 1,
                                       .competitors = &competitor,
                                       .n_competitors = 1,
                                       .bandwidth = NAN};
    struct rc_value *value = rc_slowdown_local_value(&host, RC_LOCAL_PAPER, NULL);

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_POINT);
    assert_same(rc_value_mean(value), 2);
    rc_value_drop(value);
    competitor.compute = (struct rc_share){0.2, 0.9};
    competitor.communicate = (struct rc_share){0, 0.3}; /* with 0.9 that is more than all */
    value = rc_slowdown_local_value(&host, RC_LOCAL_QUEUE, NULL);
    assert_int_equal(rc_value_kind(value), RC_INTERVAL);
    assert_near(rc_value_low(value), 1.2, 1e-9);
    assert_near(rc_value_high(value), 1.9, 1e-9);
    rc_value_drop(value);
    assert_same(rc_slowdown_local_added(&host, 3), 3);
}

/* A competitor that computes all the time, on one of two hosts; the method's own error alone gives
 * width. */
static void test_seconds(void **state)
{
    struct rc_competitor competitor = RC_COMPETITOR_INIT;
    const struct rc_local_host busy = {.cores = 1,
                                       .processes = 1,
                                       .competitors = &competitor,
                                       .n_competitors = 1,
                                       .bandwidth = NAN},
                               idle = {.cores = 1, .processes = 1, .bandwidth = NAN};
    const struct rc_contention_host hosts[] = {{busy, 50}, {idle, 100}};
    struct rc_slowdown_question question = {
        .sim = {.hosts = hosts, .n_hosts = 2, .dedicated = 100, .samples = 2000, .seed = 3},
        .dedicated = 80,
        .communicating = 0.2,
        .link = 3,
        .model_error = 0.1};
    struct rc_slowdown_answer answer;

    (void)state;
    /* 100 s on both; the dedicated run took 80 s, of which a fifth were messages */
    assert_int_equal(rc_slowdown_ask(&question, NULL, &answer, NULL), 0);
    assert_near(rc_value_mean(answer.slowdown), 0.8 * 100 / 80 + 0.2 * 3, 1e-9);
    assert_near(answer.spread, 0, 1e-9);
    assert_near(rc_value_mean(answer.seconds) / 128, 1, 0.01);
    assert_near(rc_value_sd(answer.seconds) / 12.8, 1, 0.1);
    rc_slowdown_answer_drop(&answer);
    question.link = 0;
    assert_int_equal(rc_slowdown_ask(&question, NULL, &answer, NULL), -1);
}

/* Where cycles are long against the run, the answer is wide, and it is known why. */
static void test_width(void **state)
{
    struct rc_competitor competitors[3] = {RC_COMPETITOR_INIT, RC_COMPETITOR_INIT,
                                           RC_COMPETITOR_INIT};
    const struct rc_local_host local = {.cores = 1,
                                        .processes = 1,
                                        .competitors = competitors,
                                        .n_competitors = 1,
                                        .bandwidth = NAN};
    const struct rc_contention_host host = {local, 100};
    struct rc_slowdown_question question = {
        .sim = {.hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 500, .seed = 1},
        .dedicated = 100,
        .link = 1};
    struct rc_slowdown_doubts doubts = {0};
    struct rc_slowdown_answer fast, slow;

    (void)state;
    competitors[0].compute = (struct rc_share){0.5, 0.5};
    competitors[0].cycle = 5;
    assert_int_equal(rc_slowdown_ask(&question, NULL, &fast, NULL), 0);
    competitors[0].cycle = 500;
    assert_int_equal(rc_slowdown_ask(&question, NULL, &slow, NULL), 0);
    assert_true(slow.spread > 5 * fast.spread);
    rc_slowdown_answer_drop(&fast);
    rc_slowdown_answer_drop(&slow);
    competitors[1].stay = 60;
    competitors[2].unknown = true;
    rc_slowdown_doubt(competitors, 3, 150, &doubts);
    assert_int_equal(doubts.long_cycles, 1);
    assert_same(doubts.longest, 500);
    assert_int_equal(doubts.come_and_go, 1);
    assert_int_equal(doubts.unknown, 1);
    assert_int_equal(doubts.ranges, 0);
}

/* A run that is split by load: all hosts end together, with as much work as the nodes' weights and
 * slowdowns give them; and a slowdown that is given makes work longer. */
static void test_nodes_contest(void **state)
{
    struct rc_aggregate_node terms[4];
    struct rc_contention_host hosts[4];
    struct rc_aggregate aggregate;
    struct rc_slowdown_nodes nodes;

    (void)state;
    open_nodes("hosts: [{name: a, weight: 2}, {name: b, weight: 1}, {name: c, weight: 1, "
               "slowdown: 4}]\ncompetitors: [{shares: '1', hosts: [b]}]\n",
               &nodes);
    assert_int_equal(rc_slowdown_nodes_compute(&nodes, RC_SPLIT_LOAD, false, RC_LOCAL_PAPER, terms,
                                               &aggregate, NULL, NULL),
                     0);
    assert_near(aggregate.slowdown, 4 / 2.75, 1e-12);
    assert_near(rc_slowdown_nodes_contention(&nodes, RC_SPLIT_LOAD, terms, 100, hosts), 400 / 2.75,
                1e-9);
    assert_near(hosts[0].work, 400 / 2.75, 1e-9);
    assert_near(hosts[1].work, 200 / 2.75, 1e-9); /* beside another one, it takes twice as long */
    assert_near(hosts[2].work, 400 / 2.75, 1e-9);
    assert_int_equal(hosts[1].local.n_competitors, 1);
    assert_int_equal(hosts[2].local.n_competitors, 0);
    rc_slowdown_nodes_free(&nodes);
    open_nodes(table_15, &nodes);
    assert_int_equal(rc_slowdown_nodes_compute(&nodes, RC_SPLIT_CONSTRAINT, false, RC_LOCAL_PAPER,
                                               terms, &aggregate, NULL, NULL),
                     0);
    /* rs2 had a third of the work in the dedicated run, and took all of its time */
    assert_near(rc_slowdown_nodes_contention(&nodes, RC_SPLIT_CONSTRAINT, terms, 100, hosts),
                300 * 15. / 55, 1e-9);
    assert_near(hosts[3].work, 300 * 10. / 55, 1e-9);
    assert_near(hosts[0].work, 300 * 15. / 55 / 3.07, 1e-9);
    rc_slowdown_nodes_free(&nodes);
}

/* ---- habits ---- */

static void test_habit(void **state)
{
    static const struct rc_series_key key = {"h", "", "cpu"};
    static const struct rc_sample samples[] = {{0, 0.1}, {1e6, 0.4}, {1e6 + 60, 0.6}};
    struct rc_usual_load usual;
    struct rc_error error = {0};

    (void)state;
    assert_int_equal(rc_db_series_add(store, &key, samples, COUNT(samples), 0, NULL, &error), 0);
    assert_int_equal(rc_slowdown_usual_load_find(store, "h", 1e6 + 100, 1, 1, &usual, &error), 0);
    assert_int_equal(usual.samples, 2);
    assert_near(usual.mean, 0.5, 1e-12);
    assert_near(usual.sd, sqrt(0.02), 1e-12);
    /* four processes beside 9 others on four cores get 4 / 13 each, beside 5.67 others 4 / 9.67 */
    assert_int_equal(rc_slowdown_usual_load_find(store, "h", 1e6 + 100, 4, 4, &usual, &error), 0);
    assert_near(usual.mean, (4. / 13 + 4. / (4 / 0.6 + 3)) / 2, 1e-12);
    assert_int_equal(usual.processes, 4);
    /* two on one core have half each when they are alone, and a third beside one more */
    assert_int_equal(rc_slowdown_usual_load_find(store, "h", 1e6 + 30, 1, 2, &usual, &error), 0);
    assert_near(usual.mean, 2 * 1 / (1 / 0.4 + 1), 1e-12);
    assert_int_equal(rc_slowdown_usual_load_find(store, "g", 1e6 + 100, 1, 1, &usual, &error), 0);
    assert_int_equal(usual.samples, 0);
    assert_int_equal(rc_slowdown_usual_load_find(store, "h", 1e7, 1, 1, &usual, &error), 0);
    assert_int_equal(usual.samples, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_delays),
        cmocka_unit_test(test_table_15),
        cmocka_unit_test(test_coupled_work),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_calibrated),
        cmocka_unit_test(test_nodes_faults),
        cmocka_unit_test(test_tasks),
        cmocka_unit_test(test_task_faults),
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_local_value),
        cmocka_unit_test(test_seconds),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_nodes_contest),
        cmocka_unit_test_setup_teardown(test_habit, open_own_store, remove_own_store),
    };

    return RUN_TESTS(tests);
}
