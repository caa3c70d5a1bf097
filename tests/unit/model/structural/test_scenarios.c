/* Inputs that are forecast: a run followed along scenarios, hosts that wait often or once. */
#include "structure_store.h"

#include "model/structural/scenario_evaluation.h"

/* 1 and 0.25 in turns of two minutes. */
static double turns(double t)
{
    return fmod(t - NOW + 240000, 240) < 120 ? 1 : 0.25;
}

static double other_turns(double t)
{
    return 1.25 - turns(t);
}

static double half(double t)
{
    (void)t;
    return 0.5;
}

static double none(double t)
{
    (void)t;
    return 0;
}

static double ten(double t)
{
    (void)t;
    return 10e6;
}

static int fill_store(void **state)
{
    if (make_store(state))
        return -1;
    add_series("t1", "", "cpu", turns, 4000, 10);
    add_series("t2", "", "cpu", other_turns, 4000, 10);
    add_series("h1", "", "cpu", half, 500, 10);
    add_series("h2", "", "cpu", half, 500, 10);
    add_series("h1", "h2", "bandwidth", ten, 100, 60);
    add_series("young", "", "cpu", half, 5, 10);
    add_series("stuck", "", "cpu", none, 500, 10);
    return 0;
}

/* What a model comes to, and what was forecast for it. */
struct found {
    struct rc_value *value;
    struct rc_scenario_facts facts;
    double inputs; /* the mean of what `probe` comes to afterwards */
};

static struct found ask(const char *text, const struct asked *asked, int as, struct rc_error *error)
{
    struct rc_model *model = parse_model(text);
    struct rc_binding *binding = try_bind(model, asked, error);
    struct rc_value_rules rules = drawing();
    struct rc_evaluation *evaluation = NULL;
    struct found found = {.value = NULL};

    if (binding)
        found.value =
            rc_structural_binding_answer(binding, as, &rules, &evaluation, &found.facts, error);
    if (found.value && rc_structural_binding_without(binding, NULL, &found.inputs, error))
        found.inputs = NAN;
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    return found;
}

static struct found must_ask(const char *text, const struct asked *asked)
{
    struct rc_error error = {.text = ""};
    struct found found = ask(text, asked, -1, &error);

    if (!found.value)
        fail_msg("%s\n%s (%s)", text, error.text, error.hint);
    return found;
}

#define HERE .now = NOW + 1, .store = store
#define CPU "model m\ninput cpu[h] from forecast cpu\ninput work = 600\n"
#define SLOWEST "total t = max(h in hosts: work / cpu[h])\n"

static void a_load_that_stays(void **state)
{
    struct found found = must_ask(CPU SLOWEST, ASK(.hosts = {"h1", "h2"}, HERE));

    (void)state;
    assert_int_equal(rc_value_kind(found.value), RC_SAMPLE);
    assert_near(rc_value_low(found.value), 1200, 1e-6);
    assert_near(rc_value_high(found.value), 1200, 1e-6);
    assert_int_equal(found.facts.n_series, 2);
    assert_false(found.facts.steady);
    assert_near(found.facts.newest, NOW, 1e-9);
    assert_near(found.inputs, 1200, 1e-6); /* with the means over the run */
    rc_value_drop(found.value);
}

/* One of two hosts has a quarter at any time, and each has 0.625 on average: over 600 s of work at
 * full speed that is 2400 s where they wait for one another, and 960 s where they do not. */
static void hosts_that_wait_often_go_at_the_pace_of_the_slowest(void **state)
{
    struct found often = must_ask(CPU SLOWEST, ASK(.hosts = {"t1", "t2"}, HERE));
    struct found once = must_ask(CPU "total t = max(h in hosts: work / cpu[h])\n    waits once\n",
                                 ASK(.hosts = {"t1", "t2"}, HERE));

    (void)state;
    /* Steps of the scenarios are half a minute, in which both may have had something. */
    assert_near(rc_value_mean(often.value), 2400, 0.03 * 2400);
    assert_near(rc_value_mean(once.value), 960, 0.08 * 960);
    /* With the means over the run, both come to the same as one that does not wait. */
    assert_near(often.inputs, 960, 0.08 * 960);
    assert_near(once.inputs, rc_value_mean(once.value), 0.03 * 960);
    rc_value_drop(often.value);
    rc_value_drop(once.value);
}

/* Parts that are long against the turns are as a run without waits, short ones as one with many;
 * in between, the time rises with the number of waits. */
static void in_between_each_host_goes_at_its_own_pace(void **state)
{
    static const char *const times[] = {"1", "2", "6", "30", "1000"};
    double seconds[5];

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char text[200];
        struct found found;

        snprintf(text, sizeof text,
                 CPU "input rounds = %s\n"
                     "total t = max(h in hosts: work / cpu[h])\n    waits 2 * rounds / 2\n",
                 times[i]);
        found = must_ask(text, ASK(.hosts = {"t1", "t2"}, HERE));
        seconds[i] = rc_value_mean(found.value);
        rc_value_drop(found.value);
    }
    assert_near(seconds[0], 960, 0.08 * 960);
    for (size_t i = 1; i < 5; i++)
        assert_true(seconds[i] >= seconds[i - 1] - 1e-6);
    /* 100 s of work: the host with the bad turn has done 30 when that is over, 190 s in all; the
     * second part takes as long, the third 175 s. */
    assert_near(seconds[2], 6 * 185, 0.05 * 6 * 185);
    assert_true(seconds[3] > 1.3 * seconds[2]);
    assert_near(seconds[4], 2400, 0.03 * 2400);
}

/* 60 s of work from the middle of a turn on take 60 s, if it is the good one. */
static void short_runs_meet_the_load_of_now(void **state)
{
    struct found found = must_ask(CPU SLOWEST, ASK(.hosts = {"t1"}, .set = {"work=20"}, HERE));

    (void)state;
    /* NOW begins a good turn of two minutes. */
    assert_near(rc_value_mean(found.value), 20, 0.1);
    rc_value_drop(found.value);
}

/* What does not change has the same draw in all steps: the spread is that of the whole. */
static void other_distributions_stay_what_they_are(void **state)
{
    struct found found = must_ask(CPU "total t = sum(h in hosts: work * factor / cpu[h])\n"
                                      "input factor = normal(1, 0.1)\n",
                                  ASK(.hosts = {"h1"}, HERE));

    (void)state;
    assert_near(rc_value_mean(found.value), 1200, 10);
    assert_near(rc_value_sd(found.value), 120, 8);
    rc_value_drop(found.value);
}

static void links_can_be_forecast_too(void **state)
{
    struct found found = must_ask(CPU "input bw[x, y] from forecast bandwidth\n"
                                      "total t = work / cpu[h1] + 1GB / bw[h1, h2]\n",
                                  ASK(.hosts = {"h1", "h2"}, HERE));

    (void)state;
    assert_near(rc_value_mean(found.value), 1300, 1e-6);
    assert_int_equal(found.facts.n_series, 2);
    rc_value_drop(found.value);
}

static void a_short_past_stays_as_it_is(void **state)
{
    struct found found = must_ask(CPU SLOWEST, ASK(.hosts = {"young"}, HERE));

    (void)state;
    assert_true(found.facts.steady);
    assert_near(rc_value_mean(found.value), 1200, 1e-6);
    rc_value_drop(found.value);
    found = must_ask(CPU "total t = work / cpu[young]\n    waits once\n",
                     ASK(.hosts = {"young"}, HERE));
    assert_near(rc_value_mean(found.value), 1200, 1e-6);
    rc_value_drop(found.value);
}

/* The kernel forgets nobody. */
static void a_host_that_has_nothing_left_goes_on_slowly(void **state)
{
    struct found found = must_ask(CPU SLOWEST, ASK(.hosts = {"stuck"}, HERE));

    (void)state;
    assert_near(rc_value_mean(found.value), 600 / 0.001, 1);
    rc_value_drop(found.value);
}

static void what_is_set_is_not_forecast(void **state)
{
    struct found found =
        must_ask(CPU SLOWEST, ASK(.hosts = {"t1", "t2"}, .set = {"cpu=0.5"}, HERE));

    (void)state;
    assert_int_equal(found.facts.n_series, 0);
    assert_int_equal(rc_value_kind(found.value), RC_POINT);
    assert_near(rc_value_mean(found.value), 1200, 1e-9);
    rc_value_drop(found.value);
}

static void other_kinds_can_be_asked_for(void **state)
{
    struct rc_error error = {.text = ""};
    struct found found = ask(CPU SLOWEST, ASK(.hosts = {"t1", "t2"}, HERE), RC_NORMAL, &error);

    (void)state;
    assert_non_null(found.value);
    assert_int_equal(rc_value_kind(found.value), RC_NORMAL);
    assert_near(rc_value_mean(found.value), 2400, 0.03 * 2400);
    rc_value_drop(found.value);
}

static void hindsight_takes_the_series_itself(void **state)
{
    struct found found =
        must_ask(CPU "total t = work * cpu[t1]\n",
                 ASK(.hosts = {"t1"}, .now = NOW - 2400, .until = NOW, .store = store));

    (void)state;
    assert_near(rc_value_mean(found.value), 600 * 0.625, 8);
    rc_value_drop(found.value);
}

static void assert_refused(const char *text, const struct asked *asked, const char *expected)
{
    struct rc_error error = {.text = ""};
    struct found found = ask(text, asked, -1, &error);

    assert_null(found.value);
    if (!strstr(error.text, expected))
        fail_msg("'%s' is not in '%s'", expected, error.text);
}

static void what_cannot_be_forecast_is_said(void **state)
{
    (void)state;
    assert_refused(CPU SLOWEST, ASK(.hosts = {"x1"}, HERE), "no series 'cpu' of x1");
    assert_refused(CPU SLOWEST, ASK(.hosts = {"t1"}, .now = NOW + 200000, .store = store),
                   "cpu: the database has no cpu of 't1' from the last 24 h");
    assert_refused(CPU SLOWEST, ASK(.hosts = {"t1"}, .now = NOW), "but there is none");
}

/* `else` counts for the hosts that have no series, and only for these. */
static void without_a_series_something_else_counts(void **state)
{
    static const char text[] = "model m\ninput spare = 0.8\ninput work = 600\n"
                               "input cpu[h] from forecast cpu else spare / 2\n" SLOWEST;
    struct found found = must_ask(text, ASK(.hosts = {"h1", "x1"}, HERE));

    (void)state;
    assert_near(rc_value_mean(found.value), 1500, 1e-6);
    assert_int_equal(found.facts.n_series, 1);
    rc_value_drop(found.value);
    found = must_ask(text, ASK(.hosts = {"h1", "x1"}, .now = NOW)); /* no store at all */
    assert_near(rc_value_mean(found.value), 1500, 1e-6);
    assert_int_equal(rc_value_kind(found.value), RC_POINT);
    rc_value_drop(found.value);
    found = must_ask("model m\ninput cpu[h] from series cpu last 60s as normal else 1\n"
                     "total t = 600 / cpu[x1]\n",
                     ASK(.hosts = {"x1"}, HERE));
    assert_near(rc_value_mean(found.value), 600, 1e-9);
    rc_value_drop(found.value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_stays),
        cmocka_unit_test(hosts_that_wait_often_go_at_the_pace_of_the_slowest),
        cmocka_unit_test(in_between_each_host_goes_at_its_own_pace),
        cmocka_unit_test(short_runs_meet_the_load_of_now),
        cmocka_unit_test(other_distributions_stay_what_they_are),
        cmocka_unit_test(links_can_be_forecast_too),
        cmocka_unit_test(a_short_past_stays_as_it_is),
        cmocka_unit_test(a_host_that_has_nothing_left_goes_on_slowly),
        cmocka_unit_test(what_is_set_is_not_forecast),
        cmocka_unit_test(other_kinds_can_be_asked_for),
        cmocka_unit_test(hindsight_takes_the_series_itself),
        cmocka_unit_test(what_cannot_be_forecast_is_said),
        cmocka_unit_test(without_a_series_something_else_counts),
    };

    return cmocka_run_group_tests(tests, fill_store, remove_store);
}
