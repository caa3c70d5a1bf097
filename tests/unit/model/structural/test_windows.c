/* Inputs from series of the store: which window, which kind, and draws that belong together. */
#include "structure_store.h"

/* Busy for one half of each minute: 1, then 0.5. */
static double busy(double t)
{
    return fmod(t - NOW + 6000, 60) < 30 ? 1 : 0.5;
}

static double busy_when_others_are_not(double t)
{
    return 1.5 - busy(t);
}

static double rising(double t)
{
    return t - NOW + 1000; /* 1000 now, 700 five minutes ago */
}

static double falling(double t)
{
    return NOW - t;
}

static int fill_store(void **state)
{
    static const struct rc_sample uneven[] = {{NOW - 300, 1}, {NOW - 30, 4}};
    static const struct rc_sample lone[] = {{NOW - 100, 7}, {NOW - 500, 1}, {NOW - 900, 3}};

    if (make_store(state))
        return -1;
    add_series("a1", "", "cpu", busy, 61, 10);
    add_series("a2", "", "cpu", busy, 61, 10);
    add_series("a3", "", "cpu", busy_when_others_are_not, 61, 10);
    add_series("r", "", "cpu", rising, 101, 10);
    add_series("a1", "a2", "bandwidth", rising, 61, 10);
    add_series("a2", "a1", "bandwidth", falling, 61, 10);
    rc_db_series_add(store, &(struct rc_series_key){"u", "", "cpu"}, uneven, 2, 0, NULL, NULL);
    rc_db_series_add(store, &(struct rc_series_key){"one", "", "cpu"}, lone, 3, 0, NULL, NULL);
    return 0;
}

/* The total of a model, with draws. */
static struct rc_value *drawn(const char *text, const struct asked *asked, int as,
                              struct rc_error *error)
{
    struct rc_model *model = parse_model(text);
    struct rc_binding *binding = try_bind(model, asked, error);
    struct rc_value_rules rules = drawing();
    struct rc_evaluation *evaluation = NULL;
    struct rc_value *value = NULL;

    if (binding)
        evaluation = rc_structural_binding_evaluation(binding, as, &rules, error);
    if (evaluation)
        value = rc_structural_binding_total(binding, evaluation, error);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    return value;
}

static struct rc_value *must_draw(const char *text, const struct asked *asked)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = drawn(text, asked, -1, &error);

    if (!value)
        fail_msg("%s\n%s (%s)", text, error.text, error.hint);
    return value;
}

/* The ends and the kind of a total. */
static void assert_ends(const char *text, const struct asked *asked, enum rc_value_kind kind,
                        double low, double high)
{
    struct rc_value *value = must_draw(text, asked);

    assert_int_equal(rc_value_kind(value), kind);
    assert_near(rc_value_low(value), low, 1e-9);
    assert_near(rc_value_high(value), high, 1e-9);
    rc_value_drop(value);
}

static double drawn_mean(const char *text, const struct asked *asked)
{
    struct rc_value *value = must_draw(text, asked);
    double mean = rc_value_mean(value);

    rc_value_drop(value);
    return mean;
}

#define CPU "model m\ninput c[h] from series cpu\n"
#define HERE .now = NOW, .store = store

/* ---- which window ---- */

static void a_series_is_a_sample_of_its_window(void **state)
{
    struct rc_value *value = must_draw(CPU "total t = c[a1]\n", ASK(HERE));
    size_t n;

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_SAMPLE);
    assert_non_null(rc_value_draws(value, &n));
    assert_int_equal(n, DRAWS);
    assert_near(rc_value_mean(value), 0.75, 0.03); /* sd of the mean: 0.25 / sqrt(3000) */
    assert_near(rc_value_sd(value), 0.25, 0.01);
    rc_value_drop(value);
}

/* With 3000 draws some hit the first and the last ten seconds. */
static void windows_end_now(void **state)
{
    (void)state;
    assert_ends(CPU "total t = c[r]\n", ASK(HERE), RC_SAMPLE, 700, 990);
    assert_ends("model m\ninput c[h] from series cpu last 100s\ntotal t = c[r]\n", ASK(HERE),
                RC_SAMPLE, 900, 990);
    assert_ends("model m\ninput c[h] from series cpu last 100s\ntotal t = c[r]\n",
                ASK(.now = NOW - 200, .store = store), RC_SAMPLE, 700, 790);
    assert_ends("model m\ninput c[h] from series cpu last 15s\ntotal t = c[r]\n", ASK(HERE),
                RC_SAMPLE, 980, 990); /* what held when it began counts, too */
    assert_ends("model m\ninput c[h] from series cpu last 100s\n"
                "input d[h] from series cpu last 15s\ntotal t = d[r] - 0 * c[r]\n",
                ASK(HERE), RC_SAMPLE, 980, 990); /* each its own */
}

static void windows_may_reach_from_now_on(void **state)
{
    (void)state;
    assert_ends(CPU "total t = c[r]\n", ASK(.now = NOW - 200, .until = NOW - 100, .store = store),
                RC_SAMPLE, 800, 890);
    assert_ends("model m\ninput c[h] from series cpu last 1h as interval\ntotal t = c[r]\n",
                ASK(.now = NOW - 200, .until = NOW - 100, .store = store), RC_INTERVAL, 800, 900);
}

/* A run that ends between two samples had what the one before it says. */
static void a_short_run_has_a_window(void **state)
{
    (void)state;
    assert_ends(CPU "total t = c[r]\n", ASK(.now = NOW - 198, .until = NOW - 192, .store = store),
                RC_SAMPLE, 800, 800);
}

/* ---- which kind ---- */

static void kinds_can_be_asked_for(void **state)
{
    struct rc_value *value =
        must_draw("model m\ninput c[h] from series cpu last 20s as normal\ntotal t = c[r]\n",
                  ASK(HERE)); /* of 980, 990 and 1000 */
    size_t n;

    (void)state;
    assert_int_equal(rc_value_kind(value), RC_NORMAL);
    assert_near(rc_value_mean(value), 990, 1e-9);
    assert_near(rc_value_sd(value), 10, 1e-9);
    rc_value_drop(value);
    assert_ends("model m\ninput c[h] from series cpu last 20s as interval\ntotal t = c[r]\n",
                ASK(HERE), RC_INTERVAL, 980, 1000);
    assert_ends("model m\ninput c[h] from series cpu last 20s as point\ntotal t = c[r]\n",
                ASK(HERE), RC_POINT, 990, 990);
    value =
        must_draw("model m\ninput c[h] from series cpu as histogram\ntotal t = c[r]\n", ASK(HERE));
    assert_int_equal(rc_value_kind(value), RC_HISTOGRAM);
    rc_value_drop(value);
    value = must_draw("model m\ninput c[h] from series cpu as modal\ntotal t = 2 * c[r]\n",
                      ASK(HERE)); /* one after the other: a single mode */
    assert_int_equal(rc_value_kind(value), RC_MODAL);
    assert_non_null(rc_value_modes(value, &n));
    assert_int_equal(n, 1);
    rc_value_drop(value);
    assert_ends("model m\ninput c[h] from series cpu last 200s as normal\ntotal t = c[one]\n",
                ASK(HERE), RC_POINT, 7, 7); /* one sample has no spread */
}

/* ---- draws that belong together ---- */

static void copies_differ_by_nothing(void **state)
{
    (void)state;
    assert_ends(CPU "total t = c[a1] - c[a1]\n", ASK(HERE), RC_SAMPLE, 0, 0);
    assert_ends(CPU "total t = c[a1] - c[a2]\n", ASK(HERE), RC_SAMPLE, 0, 0);
    assert_ends(CPU "input x = normal(10, 1)\ntotal t = (c[a1] + x) - (x + c[a2])\n", ASK(HERE),
                RC_SAMPLE, 0, 0);
    assert_ends(CPU "input d[h] from series cpu last 5min\ntotal t = c[a1] - d[a2]\n", ASK(HERE),
                RC_SAMPLE, 0, 0);
    assert_ends(CPU "component T[h] by w = 1 / c[h]\ndefine f[h] = 3 * T[h]\n"
                    "total t = f[a1] - f[a2]\n",
                ASK(HERE), RC_SAMPLE, 0, 0);
}

static void hosts_are_busy_at_the_same_instants(void **state)
{
    (void)state;
    /* a1 and a2 are slow together: the slower of them takes 1 s or 2 s, half of the time each. */
    assert_near(drawn_mean(CPU "total t = max(h in hosts: 1 / c[h])\n",
                           ASK(HERE, .hosts = {"a1", "a2"})),
                1.5, 0.06);
    /* Of a1 and a3 one is always slow. */
    assert_ends(CPU "total t = max(h in hosts: 1 / c[h])\n", ASK(HERE, .hosts = {"a1", "a3"}),
                RC_SAMPLE, 2, 2);
    assert_ends(CPU "total t = c[a1] + c[a3]\n", ASK(HERE), RC_SAMPLE, 1.5, 1.5);
}

/* Also with a hand-made kind of the whole, which keeps draws where it is a sample. */
static void what_is_drawn_follows_the_kind_asked_for(void **state)
{
    struct rc_error error = {.text = ""};
    struct rc_value *value = drawn(CPU "total t = c[a1] - c[a2]\n", ASK(HERE), RC_SAMPLE, &error);

    (void)state;
    assert_non_null(value);
    assert_near(rc_value_sd(value), 0, 0);
    rc_value_drop(value);
    value = drawn(CPU "total t = c[a1]\n", ASK(HERE), RC_POINT, &error);
    assert_non_null(value);
    assert_int_equal(rc_value_kind(value), RC_POINT);
    assert_near(rc_value_mean(value), 0.75, 0.03);
    rc_value_drop(value);
}

static void samples_count_by_their_time(void **state)
{
    struct rc_model *model = parse_model(CPU "total t = c[u]\n");
    struct rc_binding *binding = bind_model(model, ASK(HERE));
    double seconds = NAN;

    (void)state;
    /* 1 for 270 s, 4 for 30 s */
    assert_near(drawn_mean(CPU "total t = c[u]\n", ASK(HERE)), 1.3, 0.06);
    /* ... and no other with every input at its mean, which shares and conditions are told by. */
    assert_int_equal(rc_structural_binding_without(binding, NULL, &seconds, NULL), 0);
    assert_near(seconds, 1.3, 0.06);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
}

/* An evaluation is good until it is destroyed, whatever else is asked meanwhile. */
static void evaluations_stand_next_to_one_another(void **state)
{
    struct rc_model *model = parse_model(CPU "total t = c[a1] - c[a2] + 5\n");
    struct rc_binding *binding = bind_model(model, ASK(HERE));
    struct rc_error error = {.text = ""};
    struct rc_value_rules rules = drawing();
    struct rc_evaluation *evaluation =
        rc_structural_binding_evaluation(binding, -1, &rules, &error);
    struct rc_value *value;
    double seconds = NAN;

    (void)state;
    assert_non_null(evaluation);
    assert_int_equal(rc_structural_binding_without(binding, NULL, &seconds, &error), 0);
    assert_near(seconds, 5, 1e-9);
    value = rc_structural_binding_total(binding, evaluation, &error);
    assert_non_null(value);
    assert_int_equal(rc_value_kind(value), RC_SAMPLE);
    assert_near(rc_value_mean(value), 5, 1e-9);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
}

/* ---- links ---- */

#define LINKS "model m\ninput b[x, y] from series bandwidth last 15s\n"

static void series_of_links_have_a_direction(void **state)
{
    (void)state;
    assert_ends(LINKS "total t = b[a1, a2]\n", ASK(HERE, .hosts = {"a1", "a2"}), RC_SAMPLE, 980,
                990);
    assert_ends(LINKS "total t = b[a2, a1]\n", ASK(HERE, .hosts = {"a1", "a2"}), RC_SAMPLE, 10, 20);
    assert_ends(LINKS "total t = b[a1, a2] + b[a2, a1]\n", ASK(HERE, .hosts = {"a1", "a2"}),
                RC_SAMPLE, 1000, 1000);
    assert_ends(LINKS "total t = b[a1, a2]\n", ASK(HERE, .hosts = {"a1", "a2", "a3"}), RC_SAMPLE,
                980, 990); /* that a3 has none does not matter */
}

/* ---- what is not there ---- */

static void assert_undrawn(const char *text, const struct asked *asked, const char *says)
{
    struct rc_error error = {.text = ""};

    assert_null(drawn(text, asked, -1, &error));
    if (!strstr(error.text, says))
        fail_msg("%s\n%s (%s), not: %s", text, error.text, error.hint, says);
}

static void series_that_are_not_there_are_told(void **state)
{
    const char each[] = CPU "total t = sum(h in hosts: c[h])\n";

    (void)state;
    assert_undrawn(each, ASK(HERE, .hosts = {"a1", "zz"}), "'cpu' of zz");
    assert_undrawn(each, ASK(.store = store, .now = NOW + 1e6, .hosts = {"a1"}), "no sample from");
    assert_undrawn(each, ASK(.now = NOW, .hosts = {"a1"}), "the database, but there is none");
    assert_undrawn(LINKS "total t = b[a1, a3]\n", ASK(HERE, .hosts = {"a1", "a2", "a3"}), "a1:a3");
    assert_ends(each, ASK(HERE, .hosts = {"a1", "zz"}, .set = {"c[zz]=0.5", "c[a1]=1"}), RC_POINT,
                1.5, 1.5);
    assert_ends(each, ASK(.now = NOW, .hosts = {"a1", "zz"}, .set = {"c=0.5"}), RC_POINT, 1, 1);
    /* a share of a core that is more than one */
    assert_undrawn(each, ASK(.now = NOW, .hosts = {"a1"}, .set = {"c=5"}),
                   "a fraction of a core and cannot be 5");
}

/* Not one from a host to itself, which nobody asked for. */
static void the_link_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_undrawn(LINKS "total t = b[a1, a3]\n", ASK(HERE, .hosts = {"a1", "a3"}), "a1:a3");
}

static void alternatives_without_their_series_are_not_taken(void **state)
{
    const char text[] = CPU "component T by measured = max(h in hosts: c[h])\n"
                            "component T by guess = 40\n  accuracy 90%\ntotal t = T\n";
    const char when[] = CPU "component T[h] by w = 1\n  when c[h] > 0.7\n"
                            "component T[h] by v = 2\n  accuracy 90%\n"
                            "total t = sum(h in hosts: T[h])\n";

    (void)state;
    assert_ends(text, ASK(HERE, .hosts = {"a1", "zz"}), RC_POINT, 40, 40);
    assert_ends(text, ASK(HERE, .hosts = {"a1", "a2"}), RC_SAMPLE, 0.5, 1);
    assert_ends(when, ASK(HERE, .hosts = {"a1", "a3"}), RC_POINT, 2, 2); /* 0.75 on average */
    assert_ends(when, ASK(HERE, .hosts = {"a1"}, .set = {"c=0.7"}), RC_POINT, 2, 2);
}

static void draws_follow_from_the_seed(void **state)
{
    double means[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        rc_random_destroy(random_numbers);
        random_numbers = rc_random_create(i == 2 ? 8 : 7, 0);
        means[i] = drawn_mean(CPU "total t = c[r]\n", ASK(HERE));
    }
    assert_same(means[0], means[1]);
    assert_true(means[0] != means[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_is_a_sample_of_its_window),
        cmocka_unit_test(windows_end_now),
        cmocka_unit_test(windows_may_reach_from_now_on),
        cmocka_unit_test(a_short_run_has_a_window),
        cmocka_unit_test(kinds_can_be_asked_for),
        cmocka_unit_test(copies_differ_by_nothing),
        cmocka_unit_test(hosts_are_busy_at_the_same_instants),
        cmocka_unit_test(what_is_drawn_follows_the_kind_asked_for),
        cmocka_unit_test(samples_count_by_their_time),
        cmocka_unit_test(evaluations_stand_next_to_one_another),
        cmocka_unit_test(series_of_links_have_a_direction),
        cmocka_unit_test(series_that_are_not_there_are_told),
        cmocka_unit_test(the_link_that_is_not_there_is_named),
        cmocka_unit_test(alternatives_without_their_series_are_not_taken),
        cmocka_unit_test(draws_follow_from_the_seed),
    };

    return cmocka_run_group_tests(tests, fill_store, remove_store);
}
