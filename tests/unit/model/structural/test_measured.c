/* What was measured: in models, and in the store. */
#include "measuring.h"
#include "own_store.h"

#include "db/fitted_models.h"

/* ---- in models ---- */

#define FIRST                                                                                      \
    "model m\nhosts a1\ninput v[h] = table\n  a1 5\n  measure run\n  at 7\n"                       \
    "total t = v[a1]\n"

static double joined_total(const char *with, const char *section, const char *on, int taken,
                           size_t left)
{
    struct rc_model_text texts[] = {{"first", FIRST, strlen(FIRST)},
                                    {"with", with, with ? strlen(with) : 0}};
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse_all(texts, with ? 2 : 1, &error);
    struct rc_model *source = parse_model(FIRST);
    struct rc_benchmarks measured = {0};
    const struct rc_benchmark_part part = {&measured, section};
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_binding *binding;
    struct rc_value *value;
    size_t n_left;
    double mean;

    assert_non_null(model);
    assert_int_equal(rc_structural_benchmarks_put(
                         &measured, &source->items[0], "a1", "",
                         &(struct rc_benchmark_value){30, 0.01, 0.02, 1000, 0}, &here, &error),
                     0);
    assert_int_equal(rc_structural_benchmarks_join(&model, &part, 1, &n_left, &error), taken);
    assert_int_equal(n_left, left);
    binding = bind_model(model, ASK(.on = on));
    rc_value_rules_init(&rules);
    evaluation = rc_structural_binding_evaluation(binding, -1, &rules, &error);
    value = rc_structural_binding_total(binding, evaluation, &error);
    mean = rc_value_mean(value);
    assert_int_equal(rc_structural_benchmarks_is(model,
                                                 rc_structural_binding_find_item(binding, "v")),
                     mean == 30);
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(source);
    rc_structural_model_destroy(model);
    return mean;
}

static void measured_inputs_win_over_the_first_file_alone(void **state)
{
    (void)state;
    assert_same(joined_total(NULL, NULL, NULL, 1, 0), 30);
    assert_same(joined_total(NULL, "c", "c", 1, 0), 30);
    assert_same(joined_total(NULL, "c", NULL, 1, 0), 5); /* elsewhere */
    assert_same(joined_total("input v[h] = 8\n", "c", "c", 0, 0), 8);
    assert_same(joined_total("on c\ninput v[h] = 8\n", "c", "c", 0, 0), 8);
    assert_same(joined_total("input w = 8\n", "c", "c", 1, 0), 30);
}

static void inputs_that_changed_are_left_out(void **state)
{
    struct rc_model *source = parse_model(FIRST);
    static const struct {
        const char *text;
        size_t left;
    } models[] = {
        {"model m\nhosts a1\ninput v[h] = 5\n  measure run\n  at 8\ntotal t = v[a1]\n", 1},
        {"model m\nhosts a1\ninput v\n  measure together\n  at 7\ntotal t = v\n", 1},
        {"model m\nhosts a1\ninput v[h] = 5\ntotal t = v[a1]\n", 0}, /* measured no more */
        {"model m\nhosts a1\ndefine v[h] = 5\ntotal t = v[a1]\n", 0},
        {"model m\nhosts a1\ntotal t = 5\n", 0}};
    struct rc_benchmarks measured = {0};
    const struct rc_benchmark_part part = {&measured, "c"};
    struct rc_error error = {.text = ""};
    size_t n_left;

    (void)state;
    assert_int_equal(rc_structural_benchmarks_put(
                         &measured, &source->items[0], "a1", "",
                         &(struct rc_benchmark_value){30, 0.01, 0.02, 1000, 0}, &here, &error),
                     0);
    for (size_t i = 0; i < COUNT(models); i++) {
        struct rc_model *model = parse_model(models[i].text), *before = model;

        assert_int_equal(rc_structural_benchmarks_join(&model, &part, 1, &n_left, &error), 0);
        assert_int_equal(n_left, models[i].left);
        assert_ptr_equal(model, before);
        rc_structural_model_destroy(model);
    }
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(source);
}

/* ---- in the store ---- */

static void the_store_has_one_for_each_platform(void **state)
{
    struct rc_model *model = parse_model(FIRST);
    struct rc_benchmarks measured = {0}, back;
    struct rc_error error = {.text = ""};
    char **names;

    (void)state;
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 0);
    names = rc_structural_benchmarks_platforms(store, "m", &error);
    assert_non_null(names);
    assert_null(names[0]);
    free(names);
    for (int i = 0; i < 3; i++) {
        struct rc_benchmark_value value = {i, 0.01, 0.02, 1000, 0};

        assert_int_equal(rc_structural_benchmarks_put(&measured, &model->items[0], "a1", "", &value,
                                                      &here, &error),
                         0);
        assert_int_equal(rc_structural_benchmarks_keep(store, "m", i == 1 ? "two words" : "c",
                                                       &measured, NULL, &error),
                         0);
    }
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 2);
    rc_structural_benchmarks_free(&back);
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "two words", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 1);
    rc_structural_benchmarks_free(&back);
    names = rc_structural_benchmarks_platforms(store, "m", &error);
    assert_string_equal(names[0], "c");
    assert_string_equal(names[1], "two words");
    assert_null(names[2]);
    free(names[0]);
    free(names[1]);
    free(names);
    rc_structural_benchmarks_free(&measured);
    rc_structural_model_destroy(model);
}

/* Models of one app that measure an input of one name in different ways. */
static void each_way_of_measuring_has_its_own_values(void **state)
{
    struct rc_model *model = parse_model(FIRST);
    struct rc_model *other = parse_model("model m\nhosts a1\ninput v[h]\n  measure run\n  at 8\n"
                                         "total t = v[a1]\n");
    const struct rc_item *items[] = {&model->items[0]};
    struct rc_benchmarks first = {0}, second = {0}, back = {0};
    struct rc_benchmark_value value = {5, 0.01, 0.02, 1000, 0};
    struct rc_benchmark_how how = here;
    struct rc_error error = {.text = ""};
    size_t removed;

    (void)state;
    how.command = "run {size}";
    how.size = 7;
    how.inputs = "points=3";
    how.timed = true;
    rc_structural_benchmarks_put(&first, &model->items[0], "a1", "", &value, &how, &error);
    value.mean = 6;
    rc_structural_benchmarks_put(&second, &other->items[0], "a1", "", &value, &here, &error);
    rc_structural_benchmarks_put(&second, &other->items[0], "a2", "", &value, &here, &error);
    /* Neither knows of the other one's. */
    assert_int_equal(rc_structural_benchmarks_keep(store, "m", "c", &first, NULL, &error), 0);
    assert_int_equal(rc_structural_benchmarks_keep(store, "m", "c", &second, &back, &error), 0);
    assert_int_equal(back.n_inputs, 2);
    rc_structural_benchmarks_free(&back);
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 5);
    assert_same(mean_of(other, &back, "v", "a1", ""), 6);
    how = back.hows[rc_structural_benchmarks_find(&back, &model->items[0], "a1", "")->how];
    assert_same(how.size, 7);
    assert_string_equal(how.command, "run {size}");
    assert_string_equal(how.inputs, "points=3");
    assert_true(how.timed);
    assert_null(how.machine);
    rc_structural_benchmarks_free(&back);
    assert_int_equal(
        rc_structural_benchmarks_forget(store, "m", "c", items, 1, NULL, 0, &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), NAN);
    assert_same(mean_of(other, &back, "v", "a1", ""), 6);
    assert_int_equal(back.n_hows, 1);
    rc_structural_benchmarks_free(&back);
    rc_structural_benchmarks_free(&first);
    rc_structural_benchmarks_free(&second);
    rc_structural_model_destroy(model);
    rc_structural_model_destroy(other);
}

/* What an earlier program wrote: the part of a model. */
static void the_first_format_is_read(void **state)
{
    static const char text[] = "on c\n\ninput v[h] = table\n    a1  31\n    accuracy 1%\n"
                               "    measured 2001-09-09T01:46:40Z\n    source \"4 runs\"\n"
                               "    measure run\n    at 7\n";
    struct rc_model *model = parse_model(FIRST);
    struct rc_benchmarks back, more = {0};
    struct rc_benchmark_value value = {5, 0.01, 0.02, 1000, 0};
    struct rc_error error = {.text = ""};
    uint64_t faults;

    (void)state;
    assert_int_equal(rc_db_model_add(store, "m", "c", "measured", 1, text, NULL, &error), 0);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 0);
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 1);
    assert_same(mean_of(model, &back, "v", "a1", ""), 31);
    assert_string_equal(back.hows[0].source, "4 runs");
    rc_structural_benchmarks_free(&back);
    /* Adding to it keeps it, in the new format. */
    rc_structural_benchmarks_put(&more, &model->items[0], "a2", "", &value, &here, &error);
    assert_int_equal(rc_structural_benchmarks_keep(store, "m", "c", &more, &back, &error), 0);
    assert_same(mean_of(model, &back, "v", "a1", ""), 31);
    assert_same(mean_of(model, &back, "v", "a2", ""), 5);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 0);
    assert_int_equal(rc_db_model_add(store, "m", "c", "measured", 1, "nonsense", NULL, &error), 0);
    assert_int_equal(rc_db_check(store, NULL, NULL, NULL, &faults, &error), 0);
    assert_int_equal(faults, 1);
    rc_structural_benchmarks_free(&back);
    rc_structural_benchmarks_free(&more);
    rc_structural_model_destroy(model);
}

static void damaged_stored_texts_are_told_of(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[1]",
        "{\"made\": [], \"inputs\": [{\"name\": \"v\"}]}",
        "{\"made\": [], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"\", 1, 0, 0, 0, 0]]}]}",
        "{\"made\": [{}], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"a2\", 1, 0, 0, 0, 0]]}]}",
        "{\"made\": [{}], \"inputs\": [{\"name\": \"v\", \"way\": \"\", \"parameters\": [\"h\"],"
        " \"values\": [[\"a1\", \"\", null, 0, 0, 0, 0]]}]}"};
    struct rc_benchmarks back, none = {0};
    struct rc_error error = {.text = ""};
    size_t removed;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(rc_db_model_add(store, "m", "c", "measured", 2, texts[i], NULL, &error),
                         0);
        assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), -1);
        assert_non_null(strstr(error.text, "damaged"));
        assert_null(back.inputs);
        assert_null(back.hows);
        assert_int_equal(rc_structural_benchmarks_keep(store, "m", "c", &none, NULL, &error), -1);
    }
    rc_db_model_add(store, "m", "c", "measured", 3, "{}", NULL, &error);
    assert_int_equal(rc_structural_benchmarks_keep(store, "m", "c", &none, NULL, &error), -1);
    assert_non_null(strstr(error.text, "have format 3"));
    assert_int_equal(
        rc_structural_benchmarks_forget(store, "m", "c", NULL, 0, NULL, 0, &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_structural_benchmarks_load(store, "m", "c", &back, &error), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_inputs_win_over_the_first_file_alone),
        cmocka_unit_test(inputs_that_changed_are_left_out),
        cmocka_unit_test_setup_teardown(the_store_has_one_for_each_platform, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(each_way_of_measuring_has_its_own_values, open_own_store,
                                        remove_own_store),
        cmocka_unit_test_setup_teardown(the_first_format_is_read, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(damaged_stored_texts_are_told_of, open_own_store,
                                        remove_own_store),
    };

    return RUN_TESTS(tests);
}
