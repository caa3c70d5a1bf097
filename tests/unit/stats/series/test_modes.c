/* The modes of a load, and how long it stays in them. */
#include "series.h"

#include <float.h>

#include "stats/series/modes.h"

/* ---- modes ---- */

static void the_three_modes_of_a_workstation_are_found(void **state)
{
    static const double centres[] = {0.33, 0.49, 0.94}, sds[] = {0.03, 0.03, 0.02};
    static const double shares[] = {0.2, 0.3, 0.5};
    double values[2000];
    struct rc_series_modes modes;

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        draw_all(values, 2000, seed % 2 ? THREE_MODES : PERCENTS, seed);
        values[77] = 1e9; /* a stray must not blind it; it is left out below */
        values[78] = NAN;
        assert_int_equal(rc_series_modes(values, 2000, NULL, &modes, NULL), 0);
        assert_int_equal(modes.n_modes, 3);
        values[77] = NAN;
        assert_int_equal(rc_series_modes(values, 2000, NULL, &modes, NULL), 0);
        assert_int_equal(modes.n_modes, 3);
        assert_int_equal(modes.n, 1998);
        for (size_t i = 0; i < 3; i++) {
            assert_near(modes.modes[i].centre, centres[i], 0.02);
            assert_near(modes.modes[i].mean, centres[i], 0.01);
            assert_near(modes.modes[i].sd, sds[i], 0.006);
            assert_near(modes.modes[i].share, shares[i], 0.04);
            assert_int_equal(rc_series_mode_of(&modes, centres[i]), i);
        }
        assert_near(modes.aggregate_mean, modes.mean, 1e-12);
        assert_near(modes.aggregate_sd, 0.2 * 0.03 + 0.3 * 0.03 + 0.5 * 0.02, 0.005);
        assert_near(modes.full_sd, modes.sd, 1e-12);
        assert_same(modes.modes[0].high, modes.modes[1].low);
    }
}

static void one_mode_is_not_torn_apart(void **state)
{
    static const enum shape shapes[] = {NORMAL, UNIFORM, EXPONENTIAL, WHOLE};
    static const size_t counts[] = {10, 50, 200, 2000};
    size_t cases = 0, torn = 0;
    double values[2000];
    struct rc_series_modes modes;

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (size_t j = 0; j < COUNT(counts); j++)
            for (uint64_t seed = 100; seed < 200; seed++) {
                draw_all(values, counts[j], shapes[i], seed);
                assert_int_equal(rc_series_modes(values, counts[j], NULL, &modes, NULL), 0);
                cases++;
                torn += modes.n_modes != 1;
            }
    /* Chance makes valleys, too: in 22 of 20 000 sets of 200 uniform numbers, the worst of these. */
    if (1000 * torn > cases)
        fail_msg("%zu of %zu are torn apart", torn, cases);
}

static void exact_levels_are_modes(void **state)
{
    double values[300];
    struct rc_series_modes modes;

    (void)state;
    draw_all(values, 300, LEVELS, 5);
    assert_int_equal(rc_series_modes(values, 300, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 3);
    for (size_t i = 0; i < 3; i++)
        assert_same(modes.modes[i].sd, 0);
    assert_same(modes.modes[1].mean, 0.5);
    assert_same(modes.aggregate_sd, 0);
    assert_near(modes.full_sd, modes.sd, 1e-12);
}

static void what_lies_between_modes_can_be_dropped(void **state)
{
    struct rc_series_mode_options options;
    double values[1010];
    struct rc_series_modes modes;

    (void)state;
    draw_all(values, 1000, THREE_MODES, 9);
    for (size_t i = 1000; i < 1010; i++)
        values[i] = 0.7; /* between all modes */
    rc_series_mode_options_init(&options);
    options.drop_between = true;
    assert_int_equal(rc_series_modes(values, 1010, &options, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 3);
    assert_in_range(modes.n_dropped, 10, 40);
    assert_int_equal(modes.modes[0].n + modes.modes[1].n + modes.modes[2].n + modes.n_dropped,
                     1010);
    assert_near(modes.modes[0].share + modes.modes[1].share + modes.modes[2].share, 1, 1e-15);
    assert_true(rc_series_mode_of(&modes, 0.7) == RC_SERIES_NO_MODE);
    assert_true(rc_series_mode_of(&modes, 5) == RC_SERIES_NO_MODE);
    assert_true(rc_series_mode_of(&modes, NAN) == RC_SERIES_NO_MODE);
    assert_int_equal(rc_series_mode_of(&modes, 0.94), 2);
    for (size_t i = 0, in; i < 3; i++) {
        in = 0;
        for (size_t j = 0; j < 1010; j++)
            in += rc_series_mode_of(&modes, values[j]) == i;
        assert_int_equal(in, modes.modes[i].n);
    }
}

static void aggregates_follow_the_formulas(void **state)
{
    struct rc_series_modes modes = {.n_modes = 2};

    (void)state;
    modes.modes[0] = (struct rc_series_mode){.mean = 1, .sd = 0.5, .n = 6};
    modes.modes[1] = (struct rc_series_mode){.mean = 3, .sd = 0.25, .n = 4};
    rc_series_modes_aggregate(&modes);
    assert_near(modes.modes[0].share, 0.6, 1e-15);
    assert_near(modes.aggregate_mean, 0.6 * 1 + 0.4 * 3, 1e-15);    /* Eq. 4.10 */
    assert_near(modes.aggregate_sd, 0.6 * 0.5 + 0.4 * 0.25, 1e-15); /* Eq. 4.11 */
    /* 5 0.5^2 + 3 0.25^2 inside, 6 0.8^2 + 4 1.2^2 between, by 10 - 1 */
    assert_near(modes.full_sd, sqrt((1.25 + 0.1875 + 3.84 + 5.76) / 9), 1e-15);
}

static void modes_at_the_edges(void **state)
{
    double values[40] = {0.5, 0.7, 0.5};
    struct rc_series_mode_options options;
    struct rc_series_modes modes;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_series_modes(values, 0, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 0);
    assert_true(rc_series_mode_of(&modes, 1) == RC_SERIES_NO_MODE);
    assert_int_equal(rc_series_modes(values, 1, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    assert_same(modes.aggregate_mean, 0.5);
    assert_true(isnan(modes.aggregate_sd));
    assert_int_equal(rc_series_modes(values, 2, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = 0.1;
    assert_int_equal(rc_series_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    assert_same(modes.full_sd, 0);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? DBL_MAX : -DBL_MAX;
    assert_int_equal(rc_series_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? 1 : 1 + DBL_EPSILON;
    assert_int_equal(rc_series_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    for (size_t i = 0; i < 40; i++)
        values[i] = i % 2 ? 5e-324 : 1e-323;
    assert_int_equal(rc_series_modes(values, 40, NULL, &modes, NULL), 0);
    assert_int_equal(modes.n_modes, 1);
    rc_series_mode_options_init(&options);
    options.min_share = 0.001;
    assert_int_equal(rc_series_modes(values, 40, &options, &modes, &error), -1);
    rc_series_mode_options_init(&options);
    options.effective = 0;
    assert_int_equal(rc_series_modes(values, 40, &options, &modes, NULL), -1);
    rc_series_mode_options_init(&options);
    options.edge = NAN;
    assert_int_equal(rc_series_modes(values, 40, &options, &modes, NULL), -1);
}

/* ---- locality ---- */

static const struct rc_series_modes two_modes = {.modes = {{.centre = 0.25, .low = 0, .high = 0.5},
                                                           {.centre = 0.75, .low = 0.5, .high = 1}},
                                                 .n_modes = 2};

static void locality_is_measured(void **state)
{
    /* mode 0 for 300 s, mode 1 for 200 s, then mode 0 */
    static const struct rc_sample samples[] = {{0, .2},    {100, .3}, {200, .2}, {300, .9},
                                               {350, NAN}, {400, .8}, {500, -.1}};
    struct rc_series_locality locality;

    (void)state;
    assert_int_equal(rc_series_locality(samples, 7, &two_modes, 150, INFINITY, &locality, NULL), 0);
    assert_int_equal(locality.now, 0);
    assert_same(locality.since, 500);
    assert_same(locality.observed, 500);
    assert_int_equal(locality.switches, 2);
    assert_near(locality.switches_per_hour, 14.4, 1e-12);
    assert_same(locality.modes[0].dwell, 300);
    assert_same(locality.modes[1].dwell, 200);
    /* 150 s of the first visit and 50 s of the second, of the 350 s from which 150 s were seen */
    assert_near(locality.stays, 200.0 / 350, 1e-15);
    assert_int_equal(locality.verdict, RC_SERIES_LOCAL);
    assert_int_equal(rc_series_locality(samples, 7, &two_modes, 0, INFINITY, &locality, NULL), 0);
    assert_same(locality.stays, 0); /* 300 s */
    assert_int_equal(locality.verdict, RC_SERIES_NOT_LOCAL);
    assert_int_equal(rc_series_locality(samples, 7, &two_modes, 600, INFINITY, &locality, NULL), 0);
    assert_true(isnan(locality.stays));
    assert_int_equal(locality.verdict, RC_SERIES_UNKNOWN);
}

static void gaps_tell_nothing_of_locality(void **state)
{
    static const struct rc_sample samples[] = {{0, .2},    {100, .3},  {200, .2},
                                               {1000, .9}, {1100, .9}, {1300, .9}};
    struct rc_series_locality locality;

    (void)state;
    assert_int_equal(rc_series_locality(samples, 6, &two_modes, 100, 500, &locality, NULL), 0);
    assert_same(locality.observed, 500);
    assert_int_equal(locality.switches, 0);
    assert_same(locality.modes[0].dwell, INFINITY);
    assert_same(locality.modes[0].seconds, 200);
    assert_int_equal(locality.now, 1);
    assert_same(locality.since, 1000);
    assert_same(locality.stays, 1);
    assert_int_equal(rc_series_locality(samples, 0, &two_modes, 100, 500, &locality, NULL), 0);
    assert_true(locality.now == RC_SERIES_NO_MODE && isnan(locality.since));
    assert_true(isnan(locality.switches_per_hour) && isnan(locality.modes[0].dwell));
    assert_int_equal(locality.verdict, RC_SERIES_UNKNOWN);
    assert_int_equal(rc_series_locality(samples, 6, &two_modes, -1, 500, &locality, NULL), -1);
    assert_int_equal(rc_series_locality(samples, 6, &two_modes, 1, 0, &locality, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_modes_of_a_workstation_are_found),
        cmocka_unit_test(one_mode_is_not_torn_apart),
        cmocka_unit_test(exact_levels_are_modes),
        cmocka_unit_test(what_lies_between_modes_can_be_dropped),
        cmocka_unit_test(aggregates_follow_the_formulas),
        cmocka_unit_test(modes_at_the_edges),
        cmocka_unit_test(locality_is_measured),
        cmocka_unit_test(gaps_tell_nothing_of_locality),
    };

    return RUN_TESTS(tests);
}
