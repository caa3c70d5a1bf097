/* test_slowdown_local.c - local slowdown by Eq. 2 and by the queue: the paper's worked numbers, and
 * what it leaves open. */
#include "slowdown.h"

#include "model/slowdown/local_estimate.h"

/* Section 4.1: 1 + 0.55 x 1 + 0.45 x 0.02 = 1.56; with one competitor both ways are the same. */
static void one_competitor(void **state)
{
    struct rc_competitor one = competitor(0.55, 0.45);
    struct rc_delay delay;
    struct rc_local_host host = {.cores = 1,
                                 .processes = 1,
                                 .competitors = &one,
                                 .n_competitors = 1,
                                 .delay = &delay,
                                 .bandwidth = 0.45 * MWORDS};

    (void)state;
    rc_slowdown_delay_paper(4, &delay);
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 1 + 0.55 + 0.45 * 0.0205, 1e-12);
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 1 + 0.55 + 0.45 * 0.0205, 1e-12);
}

/* Section 4.2: 1 + 0.58 x 2 + 0.36 x 1 + 0.42 x 0.25 = 2.6 (2.6256 without rounding in between). */
static void two_competitors(void **state)
{
    struct rc_competitor two[] = {competitor(0.76, 0.24), competitor(0.76, 0.24)};
    const struct rc_delay delay = {.constant = 0.25};
    struct rc_local_host host = {.cores = 1,
                                 .processes = 1,
                                 .competitors = two,
                                 .n_competitors = 2,
                                 .delay = &delay,
                                 .bandwidth = NAN};
    struct rc_local local;

    (void)state;
    assert_int_equal(rc_slowdown_local_compute(&host, RC_LOCAL_PAPER, &local, NULL), 0);
    assert_near(local.computing.p[2], 0.58, 0.005);
    assert_near(local.computing.p[1], 0.36, 0.005);
    assert_near(local.by_communicating, 0.42 * 0.25, 0.001);
    assert_near(local.slowdown, 2.6256, 1e-12);
    rc_slowdown_local_free(&local);
    /* 0.0576, 0.3648 and 0.5776, times 1, 2, 6 by those times 1, 1, 2 */
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 4.2528 / 1.5776 + 0.4224 * 0.25, 1e-12);
}

/* Those that always compute share evenly, whichever way. */
static void competitors_without_pause(void **state)
{
    struct rc_competitor many[20];
    struct rc_local_host host = {.cores = 1, .processes = 1, .competitors = many};

    (void)state;
    for (int i = 0; i < 20; i++) {
        many[i] = competitor(1, 0);
        host.n_competitors = (size_t)i + 1;
        for (int model = 0; model < RC_LOCAL_MODELS; model++)
            assert_near(local_slowdown(&host, (enum rc_local_model)model), i + 2, 1e-12);
    }
}

/* Shares of the time that passes: half of the time the program has half of a core. */
static void steady_competitors(void **state)
{
    struct rc_competitor two[] = {competitor(0.5, 0), competitor(1, 0)};
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = two, .n_competitors = 1};

    (void)state;
    two[0].steady = true;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 1 / 0.75, 1e-12);
    host.n_competitors = 2; /* half of the time a half, half of the time a third */
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 1 / (0.25 + 1.0 / 6), 1e-12);
}

/* Two that compute for half of the time and send for the other half: 0.25, 0.5 and 0.25, times 1, 2,
 * 6 for those that compute and 2, 1, 1 for those that send. */
static void competitors_that_share_a_link(void **state)
{
    struct rc_competitor two[] = {competitor(0.5, 0.5), competitor(0.5, 0.5)}, many[300];
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = two, .n_competitors = 2, .shared_link = true};

    (void)state;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), (0.5 + 1 + 1.5) / (0.5 + 0.5 + 0.5), 1e-12);
    host.n_competitors = 1;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 1.5, 1e-12);
    two[0].communicate = two[1].communicate = (struct rc_share){0, 0}; /* nobody uses it */
    host.n_competitors = 2;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 2.2, 1e-12);
    /* Far more to do than one core can: of 301, nine are away on average, since that many times 0.1
     * by 0.9 is a core's work; the link has little to do with it. */
    for (int i = 0; i < 300; i++)
        many[i] = competitor(0.1, 0.02);
    host.competitors = many;
    host.n_competitors = 300;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 292, 0.5);
    host.shared_link = false;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 292, 0.5);
}

static void cores_that_suffice_cost_nothing(void **state)
{
    struct rc_competitor three[] = {competitor(1, 0), competitor(1, 0), competitor(0.5, 0)};
    struct rc_local_host host = {
        .cores = 4, .processes = 2, .competitors = three, .n_competitors = 2};

    (void)state;
    for (int model = 0; model < RC_LOCAL_MODELS; model++)
        assert_near(local_slowdown(&host, (enum rc_local_model)model), 1, 1e-12);
    host.n_competitors = 3; /* half of the time five want four cores */
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 1 + 0.5 * 0.25, 1e-12);
    /* by the queue 0.5 and 0.5 x 5/4 times over: 1.125 by 0.5 + 0.625 x 0.8 */
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), 1.125, 1e-12);
    host.processes = 8; /* as many as two to a core, also when alone */
    host.n_competitors = 1;
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 9.0 / 8, 1e-12);
}

/* One that yields and has weight w: its work takes (1 + w) / w as long, in which the program gets
 * 1 / w of it done. */
static void turns_of_other_lengths(void **state)
{
    static const double weights[] = {0.1, 0.5, 3, 10};
    struct rc_competitor one = competitor(0.5, 0.2), three[3];
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1};
    struct rc_error error = {0};
    struct rc_local local;

    (void)state;
    for (size_t i = 0; i < COUNT(weights); i++) {
        double w = one.weight = weights[i];

        assert_near(local_slowdown(&host, RC_LOCAL_QUEUE),
                    (0.5 * (1 + w) / w + 0.5) / (0.5 / w + 0.5), 1e-4);
    }
    assert_int_equal(rc_slowdown_local_compute(&host, RC_LOCAL_PAPER, &local, &error), -1);
    assert_non_null(strstr(error.text, "weight"));
    /* nearly equal turns are nearly the product form */
    for (int i = 0; i < 3; i++)
        three[i] = competitor(0.6, 0);
    host.competitors = three;
    host.n_competitors = 3;
    double exact = local_slowdown(&host, RC_LOCAL_QUEUE);

    three[0].weight = 1 + 1e-9;
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE), exact, 0.015 * exact);
    three[0].weight = rc_observe_competitor_nice_weight(19); /* hardly there */
    assert_true(local_slowdown(&host, RC_LOCAL_QUEUE) < exact - 0.3);
}

/* Of one competitor what it comes to is known exactly; of those that always compute, of any number:
 * all weights by the program's. */
static void turns_of_any_length(void **state)
{
    static const double weights[] = {1e-12, 1e-4, 0.3, 1e3, 1e4, 1e5, 1e8, 1e15};
    struct rc_competitor one = competitor(0.5, 0.2), many[3000];
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = &one, .n_competitors = 1};

    (void)state;
    for (size_t i = 0; i < COUNT(weights); i++) {
        double w = one.weight = weights[i];

        assert_near(local_slowdown(&host, RC_LOCAL_QUEUE) /
                        ((0.5 * (1 + w) / w + 0.5) / (0.5 / w + 0.5)),
                    1, 1e-7);
        one.compute = (struct rc_share){1, 1};
        one.communicate = (struct rc_share){0, 0};
        assert_near(local_slowdown(&host, RC_LOCAL_QUEUE) / (1 + w), 1, 1e-7);
        host.processes = 7;
        assert_near(local_slowdown(&host, RC_LOCAL_QUEUE) / (1 + w / 7), 1, 1e-7);
        host.processes = 1;
        one = competitor(0.5, 0.2);
    }
    for (size_t i = 0; i < COUNT(many); i++) {
        many[i] = competitor(1, 0);
        many[i].weight = i % 2 ? 1e4 : 0.5;
    }
    host.competitors = many;
    host.n_competitors = COUNT(many);
    assert_near(local_slowdown(&host, RC_LOCAL_QUEUE) / (1 + 1500 * 10000.5), 1, 1e-7);
}

/* Neighbours that are alike are taken together, which changes nothing. */
static void the_order_of_competitors_does_not_matter(void **state)
{
    struct rc_competitor together[] = {competitor(0.3, 0), competitor(0.3, 0), competitor(0.3, 0),
                                       competitor(0.7, 0), competitor(0.7, 0), competitor(1, 0)},
                         apart[] = {competitor(0.3, 0), competitor(0.7, 0), competitor(0.3, 0),
                                    competitor(1, 0),   competitor(0.7, 0), competitor(0.3, 0)};
    struct rc_local_host one = {.cores = 2,
                                .processes = 2,
                                .competitors = together,
                                .n_competitors = 6},
                         other = one;
    struct rc_competitor many[10000];

    (void)state;
    other.competitors = apart;
    assert_near(local_slowdown(&one, RC_LOCAL_QUEUE), local_slowdown(&other, RC_LOCAL_QUEUE),
                1e-11);
    for (size_t i = 0; i < COUNT(many); i++)
        many[i] = competitor(0.5, 0);
    one = (struct rc_local_host){
        .cores = 1, .processes = 1, .competitors = many, .n_competitors = COUNT(many)};
    /* all but one are at it at any time, about, and each of them for 10000 turns */
    assert_near(local_slowdown(&one, RC_LOCAL_QUEUE), 10000, 1e-3);
}

/* No equation knows of both. */
static void weights_beside_a_shared_link(void **state)
{
    struct rc_competitor two[] = {competitor(0.5, 0.5), competitor(0.5, 0.5)};
    struct rc_local_host host = {
        .cores = 1, .processes = 1, .competitors = two, .n_competitors = 2, .shared_link = true};
    struct rc_error error = {0};
    enum rc_local_method method;
    struct rc_local local;

    (void)state;
    two[0].weight = 1.000001;
    assert_int_equal(rc_slowdown_local_compute(&host, RC_LOCAL_QUEUE, &local, &error), -1);
    assert_non_null(strstr(error.text, "shared link"));
    assert_int_equal(rc_slowdown_local_find(&host, RC_LOCAL_PAPER, &local, &method, &error), 0);
    assert_int_equal(method, RC_LOCAL_BY_SIMULATION);
    two[0].weight = 1;
    assert_near(local.slowdown, local_slowdown(&host, RC_LOCAL_QUEUE), 0.02);
    rc_slowdown_local_free(&local);
}

static void memory_is_shared_by_those_on_other_cores(void **state)
{
    struct rc_competitor two[] = {competitor(1, 0), competitor(1, 0)};
    const struct rc_memory_curve curve = {.slowdown = {1.2, 1.6}, .n = 2};
    struct rc_local_host host = {.cores = 4,
                                 .processes = 1,
                                 .competitors = two,
                                 .n_competitors = 2,
                                 .memory = 0.5,
                                 .memory_curve = &curve};

    (void)state;
    two[0].memory = 1;
    two[1].memory = 0.5;
    /* one of them always, the other half of the time */
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 1 + 0.5 * (0.5 * 0.2 + 0.5 * 0.6), 1e-12);
    host.memory = 0;
    assert_near(local_slowdown(&host, RC_LOCAL_PAPER), 1, 1e-12);
}

static void a_bandwidth_is_needed_for_curves(void **state)
{
    struct rc_competitor one = competitor(0.5, 0.5);
    struct rc_delay delay;
    struct rc_local_host host = {.cores = 1,
                                 .processes = 1,
                                 .competitors = &one,
                                 .n_competitors = 1,
                                 .delay = &delay,
                                 .bandwidth = NAN};
    struct rc_error error = {0};
    struct rc_local local;

    (void)state;
    rc_slowdown_delay_paper(4, &delay);
    assert_int_equal(rc_slowdown_local_compute(&host, RC_LOCAL_PAPER, &local, &error), -1);
    assert_non_null(strstr(error.text, "bandwidth"));
    host.bandwidth = -1;
    assert_int_equal(rc_slowdown_local_compute(&host, RC_LOCAL_PAPER, &local, &error), -1);
    assert_non_null(strstr(error.text, "above 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_competitor),
        cmocka_unit_test(two_competitors),
        cmocka_unit_test(competitors_without_pause),
        cmocka_unit_test(steady_competitors),
        cmocka_unit_test(competitors_that_share_a_link),
        cmocka_unit_test(cores_that_suffice_cost_nothing),
        cmocka_unit_test(turns_of_other_lengths),
        cmocka_unit_test(turns_of_any_length),
        cmocka_unit_test(the_order_of_competitors_does_not_matter),
        cmocka_unit_test(weights_beside_a_shared_link),
        cmocka_unit_test(memory_is_shared_by_those_on_other_cores),
        cmocka_unit_test(a_bandwidth_is_needed_for_curves),
    };

    return RUN_TESTS(tests);
}
