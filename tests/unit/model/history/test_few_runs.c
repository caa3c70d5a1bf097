// SPDX-License-Identifier: GPL-3.0-or-later
/* The run time after a few runs. */
#include "unit.h"

#include <math.h>

#include "base/random.h"
#include "model/history/few_runs.h"
#include "model/history/killed_runs.h"
#include "model/history/scaling_laws.h"

enum { SAMPLES = 2000 };

struct answer {
    double samples[SAMPLES], median, low, high;
};

static struct rc_history_run run_of(double size, double procs, double seconds)
{
    return (struct rc_history_run){.size = size, .procs = procs, .seconds = seconds, .cpu = 1};
}

static void ask(const struct rc_history_run *runs, size_t n, size_t n_params,
                struct rc_history_run question, struct answer *answer)
{
    struct rc_random *random = rc_random_create(1, 0);

    assert_int_equal(rc_history_predict(runs, n, n_params, &question, random, answer->samples,
                                        SAMPLES, NULL),
                     0);
    for (size_t i = 1; i < SAMPLES; i++)
        assert_true(answer->samples[i - 1] <= answer->samples[i]);
    assert_true(answer->samples[0] > 0 && isfinite(answer->samples[SAMPLES - 1]));
    answer->median = answer->samples[SAMPLES / 2];
    answer->low = answer->samples[SAMPLES / 20];
    answer->high = answer->samples[SAMPLES - SAMPLES / 20];
    rc_random_destroy(random);
}

static void laws_are_those_of_their_terms(void **state)
{
    const struct rc_history_point points[] = {{100, 1}, {200, 4}};
    struct rc_history_laws laws;
    double sum = 0;
    bool linear = false, amdahl = false;

    (void)state;
    assert_int_equal(rc_history_laws_make(points, 2, points[0], &laws, NULL), 0);
    assert_int_equal(laws.n_points, 2);
    for (size_t k = 0; k < laws.n_laws; k++) {
        double ratio = exp(laws.log_time[2 * k + 1] - laws.log_time[2 * k]);

        sum += exp(laws.prior[k]);
        assert_true(isfinite(laws.log_time[2 * k]));
        linear |= fabs(ratio - 0.5) < 1e-12; /* n / P */
        /* n / P, and 15 % of its time on two processes serial: 0.85 n / (50 P) + 0.15 n / 100 */
        amdahl |= fabs(ratio - (0.85 + 0.3) / (1.7 + 0.15)) < 1e-12;
    }
    assert_true(linear && amdahl);
    assert_true(fabs(sum - 1) < 1e-9);
    rc_history_laws_free(&laws);
}

static void one_run_is_the_median_of_its_configuration(void **state)
{
    const struct rc_history_run run = run_of(1000, 8, 12.5);
    struct answer same, twice, far;

    (void)state;
    ask(&run, 1, 0, run, &same);
    assert_true(fabs(same.median / 12.5 - 1) < 0.01);
    assert_true(same.high / same.low > 1.2 && same.high / same.low < 3);
    /* Elsewhere, the interval widens with the distance. */
    ask(&run, 1, 0, run_of(2000, 8, NAN), &twice);
    assert_true(twice.median > 12.5 && twice.median < 8 * 12.5);
    assert_true(twice.high / twice.low > 2 * same.high / same.low);
    ask(&run, 1, 0, run_of(16000, 64, NAN), &far);
    assert_true(far.high / far.low > 5 * twice.high / twice.low);
}

static void repeated_runs_show_the_noise(void **state)
{
    struct rc_history_run runs[12];
    struct answer calm, noisy;

    (void)state;
    for (int i = 0; i < 12; i++)
        runs[i] = run_of(1000, 8, 10 * (1 + (i % 2 ? 0.01 : -0.01)));
    ask(runs, 12, 0, runs[0], &calm);
    assert_true(fabs(calm.median / 10 - 1) < 0.005);
    assert_true(calm.low > 9.7 && calm.low < 9.9 && calm.high > 10.1 && calm.high < 10.3);
    for (int i = 0; i < 12; i++)
        runs[i].seconds = 10 * (1 + (i % 2 ? 0.2 : -0.2));
    ask(runs, 12, 0, runs[0], &noisy);
    assert_true(noisy.low < 8 && noisy.high > 12);
}

static void the_unit_of_time_does_not_matter(void **state)
{
    struct rc_history_run runs[] = {run_of(1000, 1, 40), run_of(1000, 2, 22), run_of(500, 1, 11)};
    struct answer seconds, milliseconds;

    (void)state;
    ask(runs, 3, 0, run_of(2000, 4, NAN), &seconds);
    for (int i = 0; i < 3; i++)
        runs[i].seconds *= 1000;
    ask(runs, 3, 0, run_of(2000, 4, NAN), &milliseconds);
    for (int i = 0; i < SAMPLES; i++)
        assert_true(fabs(milliseconds.samples[i] / seconds.samples[i] / 1000 - 1) < 1e-6);
}

/* n^2 / P, without noise. */
static void runs_select_the_law(void **state)
{
    struct rc_history_run runs[8];
    struct answer few, more;

    (void)state;
    for (int i = 0; i < 8; i++) {
        double size = 500 * pow(2, i % 3), procs = pow(2, i / 2);

        runs[i] = run_of(size, procs, 1e-4 * size * size / procs);
    }
    ask(runs, 3, 0, run_of(4000, 16, NAN), &few);
    ask(runs, 8, 0, run_of(4000, 16, NAN), &more);
    assert_true(few.low < 100 && few.high > 100);
    assert_true(more.low < 100 && more.high > 100 && fabs(more.median / 100 - 1) < 0.15);
    assert_true(more.high / more.low < few.high / few.low);
}

static void parameters_and_cpu_have_an_effect(void **state)
{
    struct rc_history_run runs[3], question = run_of(1000, 4, NAN);
    struct answer answer;

    (void)state;
    for (int i = 0; i < 3; i++) {
        runs[i] = run_of(1000, 4, 10 * pow(10, i));
        runs[i].params[0] = 10 * pow(10, i);
    }
    question.params[0] = 300;
    ask(runs, 3, 1, question, &answer);
    assert_true(answer.median > 200 && answer.median < 450);
    /* A run with half of a core took longer than on an idle host. */
    runs[0].cpu = 0.5;
    ask(runs, 1, 0, run_of(1000, 4, NAN), &answer);
    assert_true(answer.low > 3 && answer.median > 5 && answer.median < 7.5 && answer.high < 10);
}

/* Of far more runs than configurations that count, and at extremes. */
static void many_and_extreme_runs_have_an_answer(void **state)
{
    struct rc_history_run runs[300];
    struct answer answer;

    (void)state;
    for (int i = 0; i < 300; i++)
        runs[i] = run_of(1e-3 * pow(2, i % 60), pow(2, i % 20), 1e-3 * (i + 1));
    ask(runs, 300, 0, run_of(1e15, 1e6, NAN), &answer);
    ask(runs, 300, 0, run_of(1e-300, 1, NAN), &answer);
    for (int i = 0; i < 300; i++)
        runs[i].params[0] = i % 2 ? 1e300 : -1e300;
    ask(runs, 300, 1, runs[7], &answer);
}

static void ask_with_killed(const struct rc_history_run *runs, size_t n, size_t n_killed,
                            struct rc_history_run question, struct answer *answer)
{
    struct rc_random *random = rc_random_create(1, 0);

    assert_int_equal(rc_history_predict_with_killed(runs, n, n_killed, 0, &question, random,
                                                    answer->samples, SAMPLES, NULL),
                     0);
    for (size_t i = 1; i < SAMPLES; i++)
        assert_true(answer->samples[i - 1] <= answer->samples[i]);
    answer->median = answer->samples[SAMPLES / 2];
    answer->high = answer->samples[SAMPLES - SAMPLES / 20];
    rc_random_destroy(random);
}

/* Half of normal times of 100 s are cut at their median: with their bounds, the median remains. */
static void killed_runs_are_lower_bounds(void **state)
{
    struct rc_history_run runs[40];
    struct rc_random *random = rc_random_create(5, 0);
    struct answer with, without;
    size_t n = 0, last = 40;

    (void)state;
    while (n < last) {
        double seconds = 100 * exp(rc_random_normal(random, 0, 0.1));

        if (seconds > 100)
            runs[--last] = run_of(10, 4, 100);
        else
            runs[n++] = run_of(10, 4, seconds);
    }
    rc_random_destroy(random);
    assert_in_range(n, 15, 25);
    ask(runs, n, 0, run_of(10, 4, NAN), &without);
    ask_with_killed(runs, n, 40 - n, run_of(10, 4, NAN), &with);
    assert_true(without.median < 96);
    assert_true(with.median > without.median + 3);
    assert_true(with.high > without.high + 5);
}

/* They have no effect: only a guess is known of them. */
static void killed_runs_of_other_configurations(void **state)
{
    const struct rc_history_run runs[] = {run_of(10, 4, 100), run_of(20, 4, 200)};
    struct rc_history_run killed[] = {run_of(20, 8, 1000), run_of(20, 4, 300), run_of(40, 4, 1),
                                      run_of(10, 4, 1e9)};

    (void)state;
    assert_int_equal(rc_history_killed_usable(runs, 2, 0, killed, 4), 2);
    assert_same(killed[0].seconds, 300);
    assert_same(killed[1].seconds, 1e9);
    assert_int_equal(rc_history_killed_usable(runs, 1, 0, killed, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_are_those_of_their_terms),
        cmocka_unit_test(one_run_is_the_median_of_its_configuration),
        cmocka_unit_test(repeated_runs_show_the_noise),
        cmocka_unit_test(the_unit_of_time_does_not_matter),
        cmocka_unit_test(runs_select_the_law),
        cmocka_unit_test(parameters_and_cpu_have_an_effect),
        cmocka_unit_test(killed_runs_are_lower_bounds),
        cmocka_unit_test(killed_runs_of_other_configurations),
        cmocka_unit_test(many_and_extreme_runs_have_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
