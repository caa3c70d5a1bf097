/* test_registry.c - structural models in the store, and predictions from them. */
#include "structure_store.h"

#include "predict/structural_prediction.h"
#include "db/fitted_models.h"
#include "model/structural/model_registry.h"

/* ---- keeping and finding ---- */

static const char sweep[] = "model sweep # \"quoted\" \t and \xc3\xa4\n"
                            "input N from size\ninput P from processes\n"
                            "component Work by w = N / P\ntotal t = Work\n"
                            "on pcl\ncomponent Work by w = 2 * N / P\n"
                            "on linux\ncomponent Work by w = 3 * N / P\n";
static const char more[] = "component Work by w = 5 * N / P\n";

static int64_t save(const char *app, const char *text, const char *on)
{
    struct rc_model *model = parse_model(text);
    struct rc_error error = {.text = ""};
    int64_t id = 0;

    if (rc_structural_save(store, app, model, on ? rc_structural_model_find_section(model, on) : -1,
                           &id, &error))
        fail_msg("%s", error.text);
    rc_structural_model_destroy(model);
    return id;
}

/* What is loaded for a platform: the one it was kept for, and the section. */
static void assert_loads(const char *app, const char *platform, const char *kept_for,
                         const char *section)
{
    struct rc_structural structure;
    struct rc_error error = {.text = ""};

    if (rc_structural_load(store, app, platform, &structure, &error))
        fail_msg("%s (%s)", error.text, error.hint);
    assert_string_equal(structure.platform, kept_for);
    assert_string_equal(structure.section < 0 ? ""
                                              : structure.model->sections[structure.section].name,
                        section);
    rc_structural_free(&structure);
}

static void assert_not_loaded(const char *app, const char *platform, const char *says,
                              const char *hint)
{
    struct rc_structural structure;
    struct rc_error error = {.text = ""};

    assert_int_equal(rc_structural_load(store, app, platform, &structure, &error), -1);
    if (!strstr(error.text, says) || !advises(&error, hint))
        fail_msg("%s (%s), not: %s (%s)", error.text, error.hint, says, hint);
    rc_structural_free(&structure);
}

static void all_files_come_back(void **state)
{
    const struct rc_model_text texts[] = {{"a.rcm", sweep, sizeof sweep - 1},
                                          {"b.rcm", more, sizeof more - 1}};
    struct rc_error error = {.text = ""};
    struct rc_model *model = rc_structural_model_parse_all(texts, 2, &error);
    struct rc_structural structure;
    int64_t id;

    (void)state;
    assert_non_null(model);
    assert_int_equal(rc_structural_save(store, "app", model, -1, &id, &error), 0);
    assert_int_equal(rc_structural_load(store, "app", NULL, &structure, &error), 0);
    assert_int_equal(structure.id, id);
    assert_true(structure.made > 0);
    assert_int_equal(structure.model->n_files, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(structure.model->files[i].name, texts[i].name);
        assert_string_equal(structure.model->files[i].text, texts[i].text);
    }
    assert_int_equal(structure.model->n_items, model->n_items);
    for (size_t i = 0; i < model->n_items; i++) {
        assert_string_equal(structure.model->items[i].name, model->items[i].name);
        assert_int_equal(structure.model->items[i].line, model->items[i].line);
        assert_int_equal(structure.model->items[i].file, model->items[i].file);
    }
    rc_structural_free(&structure);
    rc_structural_model_destroy(model);
}

static void the_platform_chooses(void **state)
{
    int64_t id;

    (void)state;
    assert_not_loaded("app", NULL, "no structural model of 'app'", "structural.no-model app");
    save("app", sweep, "pcl");
    /* the only one there is */
    assert_loads("app", NULL, "pcl", "pcl");
    assert_loads("app", "linux", "pcl", "pcl");
    save("app", sweep, "linux");
    assert_loads("app", "linux", "linux", "linux");
    assert_loads("app", "pcl", "pcl", "pcl");
    assert_not_loaded("app", NULL, "several structural models of 'app', for linux, pcl",
                      "structural.other-platforms");
    assert_not_loaded("app", "alpha", "for other platforms than 'alpha': linux, pcl",
                      "structural.other-platforms");
    id = save("app", sweep, NULL);
    assert_loads("app", NULL, "", "");
    assert_loads("app", "alpha", "", "");
    assert_loads("app", "pcl", "pcl", "pcl");
    /* of one for any platform, the part that has the platform's name */
    save("other", sweep, NULL);
    assert_loads("other", "linux", "", "linux");
    /* and the only part there is */
    save("third", "model m\ntotal t = 1\non here\ntotal t = 2\n", NULL);
    assert_loads("third", NULL, "", "here");
    assert_not_loaded("sweep", NULL, "no structural model of 'sweep'", "structural.no-model sweep");
    /* a new one takes the place of the one before */
    assert_true(save("app", sweep, NULL) != id);
    assert_loads("app", NULL, "", "");
}

static int count_entry(void *data, const struct rc_structural_entry *entry)
{
    char *text = data;

    snprintf(text + strlen(text), 200 - strlen(text), "%s/%s/%s/%s/%zu ", entry->app,
             entry->platform, entry->model ? entry->model : "?", entry->file ? entry->file : "?",
             entry->n_files);
    return 0;
}

static void they_are_listed_and_removed(void **state)
{
    struct rc_error error = {.text = ""};
    char text[200] = "";
    uint64_t removed;

    (void)state;
    save("b", sweep, "pcl");
    save("b", sweep, NULL);
    save("a", sweep, "pcl");
    assert_int_equal(rc_structural_list(store, NULL, count_entry, text, &error), 0);
    assert_string_equal(text, "a/pcl/sweep/test.rcm/1 b//sweep/test.rcm/1 b/pcl/sweep/test.rcm/1 ");
    *text = 0;
    assert_int_equal(rc_structural_list(store, "a", count_entry, text, &error), 0);
    assert_string_equal(text, "a/pcl/sweep/test.rcm/1 ");
    assert_int_equal(rc_structural_remove(store, "b", "", &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_loads("b", NULL, "pcl", "pcl");
    assert_int_equal(rc_structural_remove(store, "b", NULL, &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_structural_remove(store, "b", NULL, &removed, &error), 0);
    assert_int_equal(removed, 0);
    assert_loads("a", NULL, "pcl", "pcl");
    /* models of other methods are not touched */
    assert_int_equal(rc_db_model_add(store, "a", "", "regress", 1, "{}", NULL, &error), 0);
    assert_int_equal(rc_structural_remove(store, "a", NULL, &removed, &error), 0);
    assert_int_equal(removed, 1);
    assert_int_equal(rc_db_model_remove(store, "a", NULL, "regress", &removed, &error), 0);
    assert_int_equal(removed, 1);
}

static void faulty_models_are_refused(void **state)
{
    struct rc_model *model = parse_model("model m\ninput N = 1\ntotal t = N + M\n");
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_structural_save(store, "app", model, -1, NULL, &error), -1);
    assert_string_equal(error.file, "test.rcm");
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.text, "'M'"));
    assert_not_loaded("app", NULL, "no structural model", "");
    rc_structural_model_destroy(model);
}

static void damage_is_told(void **state)
{
    static const struct {
        int format;
        const char *body, *says;
    } cases[] = {{1, "{", "damaged"},
                 {1, "{}", "damaged"},
                 {1, "[]", "damaged"},
                 {1, "{\"model\": \"m\", \"files\": []}", "damaged"},
                 {1, "{\"files\": [{\"name\": \"a\"}]}", "damaged"},
                 {1, "{\"files\": [{\"name\": 1, \"text\": \"model m\"}]}", "damaged"},
                 {1, "{\"files\": [{\"name\": \"a\", \"text\": \"modle m\"}]}", "modle"},
                 {2, "{}", "has format 2"}};
    struct rc_error error = {.text = ""};
    char text[200] = "";

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_db_model_add(store, "app", "", RC_STRUCTURAL_METHOD, cases[i].format,
                                         cases[i].body, NULL, &error),
                         0);
        assert_not_loaded("app", NULL, cases[i].says, "");
    }
    assert_int_equal(rc_structural_list(store, NULL, count_entry, text, &error), 0);
    assert_string_equal(text, "app//?/?/0 ");
}

/* ---- predictions ---- */

enum { ASKED_DRAWS = 2000 };
static double draws[ASKED_DRAWS];
static struct rc_predict_structural structural;
static struct rc_predict_summary summary;

static struct rc_predict_options options = {.omit = NAN}; /* what is set */

static int try_answer(const char *text, const struct rc_question *question, struct rc_error *error)
{
    struct rc_random *random = rc_random_create(7, 0);
    size_t n = ASKED_DRAWS;
    int status;

    save("app", text, NULL);
    status = rc_predict_structural_open(store, "app", NULL, &structural, error);
    if (status == 0)
        status = rc_predict_structural_answer(&structural, store, question, &options, random, draws,
                                              &n, &summary, error);
    rc_random_destroy(random);
    return status;
}

static void answer(const char *text, struct rc_question question)
{
    struct rc_error error = {.text = ""};

    rc_predict_structural_free(&structural);
    question.start = NOW;
    if (try_answer(text, &question, &error))
        fail_msg("%s:%u: %s (%s)", error.file, error.line, error.text, error.hint);
}

#define QUESTION(...) ((struct rc_question){.app = "app", .size = 120, .procs = 4, __VA_ARGS__})

static void a_number_stays_a_number(void **state)
{
    static const char *const hosts[] = {"a1", "a2"}, *const set[] = {"rounds=3", "cpu[a2]=0.5"};
    const struct rc_param params[] = {{"rounds", 7}, {"extra", 2}};
    static const char text[] = "model m\ninput N from size\ninput P from processes\n"
                               "input rounds = 1\ninput extra = 0\ninput cpu[h] = 1\n"
                               "total t = rounds * max(h in hosts: N / P / cpu[h]) + extra\n"
                               "    accuracy 0%\n";

    (void)state;
    answer(text, QUESTION(.hosts = hosts, .n_hosts = 2));
    assert_near(summary.predicted, 30, 1e-12);
    assert_near(summary.lo90, 30, 1e-12);
    assert_near(summary.hi90, 30, 1e-12);
    assert_true(structural.certain && !structural.negative);
    assert_int_equal(structural.load, RC_PREDICT_STRUCTURAL_STATED);
    answer(text, QUESTION(.hosts = hosts, .n_hosts = 2, .params = params, .n_params = 2));
    assert_near(summary.predicted, 7 * 30 + 2, 1e-12);
    /* what is set wins */
    options.set = set;
    options.n_set = 2;
    answer(text, QUESTION(.hosts = hosts, .n_hosts = 2, .params = params, .n_params = 2));
    options.n_set = 0;
    assert_near(summary.predicted, 3 * 60 + 2, 1e-12);
    assert_int_equal(structural.load,
                     RC_PREDICT_STRUCTURAL_STATED); /* none of it is from a series */
    rc_predict_structural_free(&structural);
}

static void what_it_errs_by_is_in_the_answer(void **state)
{
    double mean = 0;

    (void)state;
    /* nothing is stated, and no model is exact */
    answer("model m\ninput N from size\ntotal t = N\n", QUESTION(.hosts = NULL));
    assert_near(structural.error, RC_MODEL_LEAST_ERROR, 1e-12);
    assert_near(summary.predicted, 120, 1e-12);
    assert_near(summary.lo90, 120 * exp(-1.645 * 0.025), 0.6);
    assert_near(summary.hi90, 120 * exp(1.645 * 0.025), 0.6);
    answer("model m\ninput N from size\ninput x = 1\n    accuracy 20%\ntotal t = N * x\n",
           QUESTION(.hosts = NULL));
    assert_near(structural.error, 0.2, 1e-12);
    assert_true(structural.certain);
    assert_near(summary.predicted, 120, 1e-12); /* the model's own number */
    for (size_t i = 0; i < ASKED_DRAWS; i++)
        mean += draws[i] / ASKED_DRAWS;
    assert_near(summary.mean, mean, 1e-9);
    assert_near(mean, 120, 120 * 0.1 / sqrt(ASKED_DRAWS) * 4);
    /* 1.645 times a tenth to either side; of draws, within a few per cent of that */
    assert_near(summary.lo90, 120 * exp(-1.645 * 0.09975 - 0.005), 2.5);
    assert_near(summary.hi90, 120 * exp(1.645 * 0.09975 - 0.005), 2.5);
    /* however bad it is, no time is below 0 */
    answer("model m\ninput N from size\ninput x = 1\n    accuracy 300%\ntotal t = N * x\n",
           QUESTION(.hosts = NULL));
    assert_true(draws[0] > 1e-3);
    assert_false(structural.negative);
    rc_predict_structural_free(&structural);
}

static void distributions_are_drawn(void **state)
{
    (void)state;
    answer("model m\ninput N from size\ninput x = normal(1, 0.1)\ntotal t = N * x\n",
           QUESTION(.hosts = NULL));
    assert_false(structural.certain);
    assert_near(summary.mean, 120, 1.2);
    assert_near(summary.lo90, 120 - 12 * 1.645, 2);
    /* a little below the median: percentages of short runs are larger */
    assert_true(summary.predicted < 120 && summary.predicted > 116);
    answer("model m\ninput N from size\ninput x = normal(1, 1)\ntotal t = N * x\n",
           QUESTION(.hosts = NULL));
    assert_true(structural.negative);
    assert_near(summary.predicted, 120, 12);
    assert_true(draws[0] > 0);
    rc_predict_structural_free(&structural);
}

static double half(double t)
{
    (void)t;
    return 0.5;
}

static void where_the_load_is_from(void **state)
{
    static const char *const hosts[] = {"a1"}, *const set[] = {"cpu=0.25"};
    static const char lately[] = "model m\ninput N from size\ninput cpu[h] from series cpu\n"
                                 "total t = max(h in hosts: N / cpu[h])\n";
    static const char ahead[] =
        "model m\ninput N from size\ninput cpu[h] from forecast cpu else 1\n"
        "total t = max(h in hosts: N / cpu[h])\n";

    (void)state;
    answer(ahead, QUESTION(.hosts = hosts, .n_hosts = 1));
    assert_int_equal(structural.load, RC_PREDICT_STRUCTURAL_STATED);
    assert_near(summary.predicted, 120, 1e-9);
    add_series("a1", "", "cpu", half, 500, 10);
    answer(lately, QUESTION(.hosts = hosts, .n_hosts = 1));
    assert_int_equal(structural.load, RC_PREDICT_STRUCTURAL_SERIES);
    assert_near(summary.predicted, 240, 1e-9);
    answer(ahead, QUESTION(.hosts = hosts, .n_hosts = 1));
    assert_int_equal(structural.load, RC_PREDICT_STRUCTURAL_FORECAST);
    assert_int_equal(structural.facts.n_series, 1);
    assert_near(summary.predicted, 240, 1e-6);
    options.set = set;
    options.n_set = 1;
    answer(ahead, QUESTION(.hosts = hosts, .n_hosts = 1));
    options.n_set = 0;
    assert_int_equal(structural.load, RC_PREDICT_STRUCTURAL_GIVEN);
    assert_near(summary.predicted, 480, 1e-9);
    rc_predict_structural_free(&structural);
}

static void what_lacks_is_told(void **state)
{
    const struct rc_param params[] = {{"roudns", 7}};
    struct rc_error error = {.text = ""};
    struct rc_question question = QUESTION(.hosts = NULL);

    (void)state;
    assert_int_equal(try_answer("model m\ninput rounds\ntotal t = rounds\n", &question, &error),
                     -1);
    assert_string_equal(error.text, "rounds is not set");
    assert_true(advises(&error, "structural.set rounds=VALUE"));
    rc_predict_structural_free(&structural);
    question.params = params;
    question.n_params = 1;
    assert_int_equal(try_answer("model m\ninput rounds\ntotal t = rounds\n", &question, &error),
                     -1);
    assert_non_null(strstr(error.text, "has no input for the parameter 'roudns'"));
    assert_string_equal(error.hint, "did you mean 'rounds'?");
    rc_predict_structural_free(&structural);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_files_come_back, make_store, remove_store),
        cmocka_unit_test_setup_teardown(the_platform_chooses, make_store, remove_store),
        cmocka_unit_test_setup_teardown(they_are_listed_and_removed, make_store, remove_store),
        cmocka_unit_test_setup_teardown(faulty_models_are_refused, make_store, remove_store),
        cmocka_unit_test_setup_teardown(damage_is_told, make_store, remove_store),
        cmocka_unit_test_setup_teardown(a_number_stays_a_number, make_store, remove_store),
        cmocka_unit_test_setup_teardown(what_it_errs_by_is_in_the_answer, make_store, remove_store),
        cmocka_unit_test_setup_teardown(distributions_are_drawn, make_store, remove_store),
        cmocka_unit_test_setup_teardown(where_the_load_is_from, make_store, remove_store),
        cmocka_unit_test_setup_teardown(what_lacks_is_told, make_store, remove_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
