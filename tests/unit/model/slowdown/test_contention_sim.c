/* test_contention_sim.c - contests for cores that are played out, against what is known exactly. */
#include "unit.h"

#include "model/slowdown/contention_sim.h"

static struct rc_competitor competitor(double compute, double communicate)
{
    struct rc_competitor made = RC_COMPETITOR_INIT;

    made.compute = (struct rc_share){compute, compute};
    made.communicate = (struct rc_share){communicate, communicate};
    return made;
}

static struct rc_value *play(const struct rc_contention_sim *sim)
{
    struct rc_error error = {0};
    struct rc_value *value = rc_slowdown_contention_simulate(sim, NULL, &error);

    if (!value)
        fail_msg("%s", error.text);
    return value;
}

/* The mean of a contest on one host, of 100 s. */
static double mean_on(const struct rc_local_host *local)
{
    const struct rc_contention_host host = {*local, 100};
    const struct rc_contention_sim sim = {
        .hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 200, .seed = 5};
    struct rc_value *value = play(&sim);
    double mean = rc_value_mean(value);

    rc_value_drop(value);
    return mean;
}

static double reckoned(const struct rc_local_host *local)
{
    struct rc_local result;
    double slowdown;

    assert_int_equal(rc_slowdown_local_compute(local, RC_LOCAL_QUEUE, &result, NULL), 0);
    slowdown = result.slowdown;
    rc_slowdown_local_free(&result);
    return slowdown;
}

static void cores_are_shared_by_weight(void **state)
{
    const double weights[] = {1, 1, 2, 100};
    double shares[4];

    (void)state;
    rc_slowdown_core_shares(weights, 1, 3, 1, shares);
    assert_near(shares[0], 0.25, 1e-12);
    assert_near(shares[2], 0.5, 1e-12);
    rc_slowdown_core_shares(weights, 1, 4, 2, shares); /* nobody has more than a core */
    assert_near(shares[3], 1, 1e-12);
    assert_near(shares[2], 0.5, 1e-12);
    assert_near(shares[0], 0.25, 1e-12);
    rc_slowdown_core_shares(weights, 1, 4, 8, shares);
    for (int i = 0; i < 4; i++)
        assert_near(shares[i], 1, 1e-12);
    rc_slowdown_core_shares((const double[]){1e17, 1, 2, 1e17}, 1, 4, 3,
                            shares); /* small ones count too */
    assert_near(shares[0], 1, 1e-12);
    assert_near(shares[1], 1.0 / 3, 1e-12);
    assert_near(shares[2], 2.0 / 3, 1e-12);
}

/* What is played is what the product form says: one, two and five competitors, one and two cores,
 * steady ones, and ones that communicate. */
static void long_runs_are_as_reckoned(void **state)
{
    struct rc_competitor some[] = {competitor(0.5, 0.3), competitor(0.76, 0.24), competitor(0.3, 0),
                                   competitor(0.9, 0.1), competitor(0.6, 0)};
    const struct rc_delay delay = {.constant = 0};
    struct rc_local_host local = {.cores = 1, .processes = 1, .competitors = some, .delay = &delay};

    (void)state;
    for (int cores = 1; cores <= 2; cores++)
        for (size_t n = 1; n <= COUNT(some); n += n) {
            double expected;

            local.cores = local.processes = cores;
            local.n_competitors = n;
            expected = reckoned(&local);
            assert_near(mean_on(&local), expected, 0.015 * expected);
        }
    local.cores = local.processes = 1;
    local.n_competitors = 2;
    local.shared_link = true;
    assert_near(mean_on(&local), reckoned(&local), 0.015 * reckoned(&local));
    local.shared_link = false;
    some[0].steady = some[2].steady = true;
    local.cores = local.processes = 1;
    local.n_competitors = 3;
    assert_near(mean_on(&local), reckoned(&local), 0.02 * reckoned(&local));
}

static void weights_are_played_too(void **state)
{
    struct rc_competitor two[] = {competitor(0.5, 0), competitor(0.8, 0)};
    struct rc_local_host local = {
        .cores = 1, .processes = 1, .competitors = two, .n_competitors = 2};

    (void)state;
    two[0].weight = 4;
    two[1].weight = 0.2;
    assert_near(mean_on(&local), reckoned(&local), 0.03 * reckoned(&local));
    local.cores = 2; /* three on two cores: the light one has 0.4 of a core, when both are at it */
    two[0] = two[1] = competitor(1, 0);
    two[1].weight = 0.5;
    assert_near(mean_on(&local), 1 / 0.8, 1e-9);
}

/* Runs that would meet millions of phases: many processes, stays of a millisecond, and a
 * slowdown of half a million. */
static void runs_that_meet_too_much_are_played_too(void **state)
{
    struct rc_competitor many[RC_CONTENTION_COMPETITORS_MAX];
    struct rc_local_host local = {
        .cores = 1, .processes = 1, .competitors = many, .n_competitors = 1};

    (void)state;
    many[0] = competitor(1, 0);
    many[0].stay = many[0].away = 1e-6;
    assert_near(mean_on(&local), 4.0 / 3, 0.01); /* of two seconds, one and a half are done */
    for (size_t i = 0; i < COUNT(many); i++) {
        many[i] = competitor(0.9, 0);
        many[i].weight = 1e4;
    }
    local.n_competitors = COUNT(many);
    assert_near(mean_on(&local), reckoned(&local), 0.02 * reckoned(&local));
    many[0] = competitor(1, 0);
    local.n_competitors = 1;
    local.processes = 1 << 20;
    assert_near(mean_on(&local), 1 + ldexp(1, -20), 1e-9);
}

/* Section 4.3: with cycles of a tenth of the run results are close together; with cycles of three
 * times the run, some runs meet the competitor all the time and some never. */
static void long_cycles_make_wide_answers(void **state)
{
    struct rc_competitor one = competitor(0.5, 0);
    const struct rc_contention_host host = {
        {.cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1}, 100};
    const struct rc_contention_sim sim = {
        .hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 2000, .seed = 9};
    struct rc_value *value;
    double low, high;

    (void)state;
    one.cycle = 10;
    value = play(&sim);
    assert_true(rc_value_sd(value) < 0.1);
    assert_near(rc_value_mean(value), 1.5, 0.03);
    rc_value_drop(value);
    one.cycle = 1000;
    value = play(&sim);
    rc_value_span(value, 0.8, &low, &high);
    assert_near(low, 1, 1e-9);
    assert_near(high, 2, 1e-9);
    rc_value_drop(value);
}

/* One that leaves after 50 s on average: the run of 100 s is slowed down by half until then. */
static void competitors_leave(void **state)
{
    struct rc_competitor one = competitor(1, 0);
    const struct rc_contention_host host = {
        {.cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1}, 100};
    const struct rc_contention_sim sim = {
        .hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 20000, .seed = 2};
    struct rc_value *value;

    (void)state;
    one.stay = 50;
    value = play(&sim);
    /* it takes 100 s and half of the stay, which ends with the run after 200 s */
    assert_near(rc_value_mean(value), 1 + 0.5 * 0.5 * (1 - exp(-4)), 0.01);
    rc_value_drop(value);
}

/* Two hosts, each of which has a competitor half of the time.  Where they wait for one another at
 * every step, the program goes at full speed in a quarter of the time alone. */
static void coupled_hosts_meet_the_slowest(void **state)
{
    struct rc_competitor one = competitor(0.5, 0);
    const struct rc_local_host local = {
        .cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1};
    const struct rc_contention_host hosts[] = {{local, 100}, {local, 100}};
    struct rc_contention_sim sim = {
        .hosts = hosts, .n_hosts = 2, .dedicated = 100, .samples = 300, .seed = 4};
    struct rc_value *loose, *tight;

    (void)state;
    one.steady = true;
    loose = play(&sim);
    sim.tight = true;
    tight = play(&sim);
    assert_near(rc_value_mean(tight), 1 / (0.25 + 0.75 * 0.5), 0.02);
    assert_near(rc_value_mean(loose), 1 / 0.75, 0.04);
    rc_value_drop(loose);
    rc_value_drop(tight);
}

/* A host with half of the work waits, and its competitor has the core meanwhile. */
static void hosts_that_wait_yield(void **state)
{
    struct rc_competitor one = competitor(1, 0);
    const struct rc_contention_host hosts[] = {
        {{.cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1}, 50},
        {{.cores = 1, .processes = 1}, 100}};
    struct rc_contention_sim sim = {
        .hosts = hosts, .n_hosts = 2, .dedicated = 100, .samples = 1, .tight = true};
    struct rc_value *value = play(&sim);

    (void)state;
    assert_near(rc_value_mean(value), 1, 1e-9);
    rc_value_drop(value);
}

static void shares_that_are_ranges_widen_the_answer(void **state)
{
    struct rc_competitor one = competitor(0.5, 0);
    const struct rc_contention_host host = {
        {.cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1}, 100};
    const struct rc_contention_sim sim = {
        .hosts = &host, .n_hosts = 1, .dedicated = 100, .samples = 2000};
    struct rc_value *value;
    double low, high;

    (void)state;
    one.compute = (struct rc_share){0, 1};
    value = play(&sim);
    rc_value_span(value, 0.9, &low, &high);
    assert_near(low, 1.05, 0.03);
    assert_near(high, 1.95, 0.03);
    rc_value_drop(value);
}

static void contests_that_make_no_sense(void **state)
{
    struct rc_competitor one = competitor(0.5, 0);
    struct rc_contention_host host = {
        {.cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1}, 100};
    struct rc_contention_sim sim = {.hosts = &host, .n_hosts = 1, .dedicated = 50, .samples = 10};
    struct rc_error error = {0};

    (void)state;
    assert_null(rc_slowdown_contention_simulate(&sim, NULL, &error));
    assert_non_null(strstr(error.text, "host 1"));
    sim.dedicated = -1;
    assert_null(rc_slowdown_contention_simulate(&sim, NULL, &error));
    sim.dedicated = 100;
    host.local.cores = 0;
    assert_null(rc_slowdown_contention_simulate(&sim, NULL, &error));
    host.local.cores = 1;
    one.weight = -1;
    assert_null(rc_slowdown_contention_simulate(&sim, NULL, &error));
    assert_non_null(strstr(error.text, "weight"));
    one.weight = 1;
    sim.samples = 0;
    assert_null(rc_slowdown_contention_simulate(&sim, NULL, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_are_shared_by_weight),
        cmocka_unit_test(long_runs_are_as_reckoned),
        cmocka_unit_test(weights_are_played_too),
        cmocka_unit_test(runs_that_meet_too_much_are_played_too),
        cmocka_unit_test(long_cycles_make_wide_answers),
        cmocka_unit_test(competitors_leave),
        cmocka_unit_test(coupled_hosts_meet_the_slowest),
        cmocka_unit_test(hosts_that_wait_yield),
        cmocka_unit_test(shares_that_are_ranges_widen_the_answer),
        cmocka_unit_test(contests_that_make_no_sense),
    };

    return RUN_TESTS(tests);
}
