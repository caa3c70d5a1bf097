// SPDX-License-Identifier: GPL-3.0-or-later
/* test_trace_statistics.c - times of positions: what is kept of them, and what comes back. */
#include "trace.h"

#include <math.h>

static int keep_times(void *data, const struct rc_trace_position *position)
{
    *(struct rc_trace_times *)data = *position->times;
    assert_null(position->samples);
    return 0;
}

static void statistics_are_those_of_the_calls(void **state)
{
    struct rc_trace_times times;
    struct rc_trace_visitor visitor = {.call = keep_times, .data = &times};
    struct recording recording;
    struct rc_trace *trace;
    double mean = 0, squares = 0, n = 1000;
    uint64_t least = UINT64_MAX, most = 0, bins = 0;

    (void)state;
    record_begin(&recording, 1, NULL);
    for (int i = 0; i < 1000; i++)
        record_symbol(&recording, 1);
    record_end(&recording);
    for (int i = 0; i < 1000; i++) {
        uint64_t inside = recording.events[i].end - recording.events[i].start;

        mean += (double)inside / n;
        least = inside < least ? inside : least;
        most = inside > most ? inside : most;
    }
    for (int i = 0; i < 1000; i++)
        squares += pow((double)(recording.events[i].end - recording.events[i].start) - mean, 2);
    trace = rc_trace_open(trace_path(), NULL);
    assert_int_equal(rc_trace_walk(trace, &visitor, NULL), 0);
    assert_int_equal(times.inside.n, 1000);
    assert_int_equal(times.inside.least, least);
    assert_int_equal(times.inside.most, most);
    assert_true(fabs(rc_trace_statistic_mean(&times.inside) - mean) < 1e-6 * mean);
    assert_true(fabs(rc_trace_statistic_variance(&times.inside) / (squares / (n - 1)) - 1) < 1e-9);
    for (int i = 0; i < RC_TRACE_BINS; i++)
        bins += times.inside.bins[i];
    assert_int_equal(bins, 1000);
    assert_int_equal(times.cpu.n, 0);
    /* Times are drawn evenly from 50 to 5049. */
    assert_true(fabs(rc_trace_statistic_quantile(&times.inside, 0.5) / 2550 - 1) < 0.1);
    assert_true(rc_trace_statistic_quantile(&times.inside, 0) >= (double)least);
    assert_true(rc_trace_statistic_quantile(&times.inside, 1) <= (double)most);
    rc_trace_close(trace);
    record_free(&recording);
}

static void merging_is_as_good_as_adding(void **state)
{
    static struct rc_trace_statistic whole, parts[2];

    (void)state;
    for (uint64_t i = 0; i < 400; i++) {
        uint64_t value = 1000000000u + i * i * 7919 % 10007;

        rc_trace_statistic_add(&whole, value);
        rc_trace_statistic_add(&parts[i > 150], value);
    }
    rc_trace_statistic_merge(&parts[0], &parts[1]);
    assert_int_equal(parts[0].n, whole.n);
    assert_int_equal(parts[0].sum, whole.sum);
    assert_int_equal(parts[0].least, whole.least);
    assert_int_equal(parts[0].most, whole.most);
    assert_memory_equal(parts[0].bins, whole.bins, sizeof whole.bins);
    assert_true(fabs(rc_trace_statistic_variance(&parts[0]) / rc_trace_statistic_variance(&whole) -
                     1) < 1e-6);
}

static void bins_are_where_they_say(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RC_TRACE_BINS; i++) {
        assert_int_equal(rc_trace_bin(rc_trace_bin_start(i)), i);
        if (i > 0)
            assert_int_equal(rc_trace_bin(rc_trace_bin_start(i) - 1), i - 1);
    }
    assert_int_equal(rc_trace_bin(UINT64_MAX), RC_TRACE_BINS - 1);
}

static void adding_many_at_once_is_adding_each(void **state)
{
    static struct rc_trace_statistic each, at_once;

    (void)state;
    for (uint64_t i = 1; i < 50; i++) {
        uint64_t value = i * i * 7919 % 10007;

        for (uint64_t k = 0; k < i; k++)
            rc_trace_statistic_add(&each, value);
        rc_trace_statistic_add_times(&at_once, value, (uint32_t)i);
    }
    assert_int_equal(at_once.n, each.n);
    assert_int_equal(at_once.sum, each.sum);
    assert_int_equal(at_once.least, each.least);
    assert_int_equal(at_once.most, each.most);
    assert_memory_equal(at_once.bins, each.bins, sizeof each.bins);
    assert_true(fabs(rc_trace_statistic_variance(&at_once) / rc_trace_statistic_variance(&each) -
                     1) < 1e-9);
    rc_trace_statistic_add_times(&at_once, 5, UINT32_MAX);
    rc_trace_statistic_add_times(&at_once, 5, 7);
    assert_int_equal(at_once.bins[rc_trace_bin(5)], UINT32_MAX);
}

static void a_limit_leaves_the_proportions(void **state)
{
    static struct rc_trace_statistic all, some;
    uint64_t bins = 0;

    (void)state;
    for (uint64_t i = 0; i < 1000; i++)
        rc_trace_statistic_add(&all, i % 4 == 0 ? 100000 : 500);
    some = all;
    rc_trace_statistic_limit(&some, 300);
    assert_int_equal(some.n, 300);
    assert_int_equal(some.sum, 300 * all.sum / 1000);
    assert_int_equal(some.bins[rc_trace_bin(100000)], 75);
    assert_true(fabs(rc_trace_statistic_variance(&some) / rc_trace_statistic_variance(&all) - 1) <
                0.01);
    rc_trace_statistic_limit(&some, 1);
    assert_int_equal(some.n, 1);
    assert_true(some.sum >= some.least && some.sum <= some.most);
    for (int i = 0; i < RC_TRACE_BINS; i++)
        bins += some.bins[i];
    assert_true(bins <= 1);
}

/* The times of a loop's only position, whose computing is 70 ms long in the first of `rounds`
 * rounds and 100 us in the others, a fifth and all of it on a CPU; every tenth of these is
 * measured. */
static struct rc_trace_times mixed(int loops, int rounds, uint32_t also_for)
{
    struct rc_trace_call call = RC_TRACE_CALL_INIT(RC_TRACE_Barrier);
    struct rc_trace_times times = {0};
    struct rc_trace_visitor visitor = {.call = keep_times, .data = &times};
    struct recording recording;
    struct rc_trace *trace;
    uint64_t clock = 2000000;

    record_begin(&recording, 1, NULL);
    for (int i = 0, n = 0; i < loops; i++)
        for (int k = 0; k < rounds; k++) {
            bool first = k == 0, measured = first || ++n % 10 == 0;

            clock += first ? 70000000 : 100000;
            rc_trace_writer_add(recording.writer, &call, clock, clock,
                                !measured ? -1
                                : first   ? 14000000
                                          : 100000,
                                first ? 0 : also_for);
        }
    assert_int_equal(rc_trace_writer_finish(recording.writer, clock, NULL), 0);
    trace = rc_trace_open(trace_path(), NULL);
    assert_int_equal(rc_trace_walk(trace, &visitor, NULL), 0);
    rc_trace_close(trace);
    record_free(&recording);
    return times;
}

static void one_cpu_time_stands_for_many(void **state)
{
    struct rc_trace_times times = mixed(50, 64, 9);

    (void)state;
    assert_int_equal(times.before.n, 3200);
    assert_int_equal(times.cpu.n, 50 + 3150);
    assert_int_equal(times.cpu.sum, 50 * 14000000ull + 3150 * 100000ull);
    /* Some seem to be of other positions: then there are no more than calls, and the mean is that
     * of all that came. */
    times = mixed(50, 64, 19);
    assert_int_equal(times.cpu.n, 3200);
    assert_true(
        fabs(rc_trace_statistic_mean(&times.cpu) / ((50 * 14e6 + 6300 * 1e5) / (50 + 6300)) - 1) <
        1e-4);
    times = mixed(50, 64, 0);
    assert_int_equal(times.cpu.n, 50 + 315);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_the_calls),
        cmocka_unit_test(merging_is_as_good_as_adding),
        cmocka_unit_test(bins_are_where_they_say),
        cmocka_unit_test(adding_many_at_once_is_adding_each),
        cmocka_unit_test(a_limit_leaves_the_proportions),
        cmocka_unit_test(one_cpu_time_stands_for_many),
    };

    return RUN_TESTS(tests);
}
