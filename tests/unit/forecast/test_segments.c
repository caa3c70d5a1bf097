/* Scenarios of series that stay and jump: chains of segments of the past. */
#include "unit.h"

#include "base/random.h"
#include "forecast/segment_chains.h"

enum { N = 600, HORIZON = 200 };

/* Rest at 1 for 6 values, then a burst at 0.2 or 0.5 for 2 and 3, in turns; the last burst has
 * lasted `age`. */
static size_t bursts(double *values, size_t age)
{
    size_t n = 0;
    int turn = 0;

    while (n + 40 < N) {
        for (int i = 0; i < 6; i++)
            values[n++] = 1;
        for (int i = 0; i < 2 + turn % 2; i++)
            values[n++] = turn % 2 ? 0.5 : 0.2;
        turn++;
    }
    for (int i = 0; i < 6; i++)
        values[n++] = 1;
    for (size_t i = 0; i < age; i++)
        values[n++] = 0.5;
    return n;
}

static struct rc_segments *make(const double *values, size_t n)
{
    struct rc_segments *segments;
    struct rc_error error;

    assert_int_equal(rc_forecast_segments_create(values, n, &segments, &error), 1);
    assert_non_null(segments);
    return segments;
}

/* The length of the run of equal values that begins at `i`. */
static size_t length(const double *path, size_t i)
{
    size_t end = i + 1;

    while (end < HORIZON && path[end] == path[i])
        end++;
    return end - i;
}

static void scenarios_follow_one_another_as_they_did(void **state)
{
    struct rc_random *random = rc_random_create(1, 0);
    double values[N], path[HORIZON];
    struct rc_segments *segments = make(values, bursts(values, 1));
    size_t deep = 0, shallow = 0;

    (void)state;
    for (int draw = 0; draw < 50; draw++) {
        size_t at;

        rc_forecast_segments_draw(segments, random, HORIZON, path);
        assert_same(path[0], 0.5); /* such bursts take three values; one has passed */
        assert_int_equal(length(path, 0), 2);
        for (at = 2; at + 10 < HORIZON;) {
            assert_same(path[at], 1); /* after a burst, rest */
            assert_int_equal(length(path, at), 6);
            at += 6;
            assert_true(path[at] == 0.5 || path[at] == 0.2);
            assert_int_equal(length(path, at), path[at] == 0.5 ? 3 : 2);
            *(path[at] == 0.5 ? &shallow : &deep) += 1;
            at += length(path, at);
        }
    }
    assert_in_range(deep, shallow * 8 / 10, shallow * 12 / 10);
    rc_forecast_segments_destroy(segments);
    rc_random_destroy(random);
}

/* What lasts longer than anything did goes on for up to as long again. */
static void what_was_never_seen_goes_on(void **state)
{
    struct rc_random *random = rc_random_create(1, 0);
    double values[N], path[HORIZON];
    struct rc_segments *segments = make(values, bursts(values, 9));
    size_t longest = 0;

    (void)state;
    for (int draw = 0; draw < 200; draw++) {
        size_t stays;

        rc_forecast_segments_draw(segments, random, HORIZON, path);
        stays = path[0] == 0.5 ? length(path, 0) : 0;
        assert_in_range(stays, 0, 9);
        longest = stays > longest ? stays : longest;
    }
    assert_int_equal(longest, 9);
    rc_forecast_segments_destroy(segments);
    rc_random_destroy(random);
}

/* Gaps cut segments, which then have no length; all but a few make nothing to go by. */
static void gaps_and_short_pasts(void **state)
{
    struct rc_random *random = rc_random_create(1, 0);
    double values[N], path[HORIZON];
    struct rc_segments *segments;
    struct rc_error error;
    size_t n = bursts(values, 1);

    (void)state;
    for (size_t i = 17; i < n / 2; i += 17)
        values[i] = NAN;
    segments = make(values, n);
    for (int draw = 0; draw < 50; draw++) {
        rc_forecast_segments_draw(segments, random, HORIZON, path);
        for (size_t at = 2; at + 10 < HORIZON; at += length(path, at))
            assert_int_equal(length(path, at), path[at] == 1 ? 6 : path[at] == 0.5 ? 3 : 2);
    }
    rc_forecast_segments_destroy(segments);
    assert_int_equal(rc_forecast_segments_create(values, 17, &segments, &error), 0);
    assert_null(segments);
    assert_int_equal(rc_forecast_segments_create(values, 0, &segments, &error), 0);
    rc_forecast_segments_destroy(NULL);
    rc_random_destroy(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_follow_one_another_as_they_did),
        cmocka_unit_test(what_was_never_seen_goes_on),
        cmocka_unit_test(gaps_and_short_pasts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
