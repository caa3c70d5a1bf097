/* test_scaling_text.c - scaling models as text and in the database. */
#include "scaling.h"

#include <jansson.h>

#include "own_store.h"
#include "db/fitted_models.h"

static const struct rc_mesh block = {{1024, 65536, 1}};

static void add_model(struct rc_scaling_models *models, const char *cluster, const char *network,
                      const char *work_text, double noise)
{
    static struct small_runs small;
    struct rc_random *random = rc_random_create(9, 0);
    struct rc_scaling_work work = {0};
    struct rc_scaling_options options;
    struct rc_scaling_model model;

    rc_scaling_options_init(&options);
    options.bytes_per_cell = 32;
    if (work_text)
        assert_int_equal(rc_scaling_work_parse(work_text, &work, NULL), 0);
    six_steps(&small, &table_one, &block, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 3, noise, random);
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory = i % 2 == 0 ? 1e8 : NAN;
    fit_runs(&small, 1, &work, &options, cluster, network, 4, &model);
    assert_int_equal(rc_scaling_models_put(models, &model, NULL), 0);
    rc_scaling_work_free(&work);
    rc_random_destroy(random);
}

static void fill(struct rc_scaling_models *models)
{
    struct rc_scaling_link link = {.cluster = {"A", "B"},
                                   .network = "ethernet",
                                   .cols = 65536,
                                   .seconds = 1.5,
                                   .sd = 0.25,
                                   .runs = 3};

    *models = (struct rc_scaling_models){0};
    add_model(models, "A", "ethernet", NULL, 0.01);
    add_model(models, "A", "myrinet", "cells * (1 + log2(procs))", 0.01);
    add_model(models, "B", "ethernet", NULL, 0);
    models->items[2].work.kind = RC_WORK_POWER;
    models->items[2].work.exponent = 1.25;
    assert_int_equal(rc_scaling_models_put_link(models, &link, NULL), 0);
}

static char *text_of(const struct rc_scaling_models *models)
{
    json_t *object = rc_scaling_models_json(models);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;

    assert_non_null(text);
    json_decref(object);
    return text;
}

static void there_and_back(void **state)
{
    const struct rc_mesh mesh = {{65536, 65536, 1}};
    struct rc_scaling_models models, back;
    char *text, *again;

    (void)state;
    fill(&models);
    text = text_of(&models);
    assert_int_equal(rc_scaling_models_read(text, strlen(text), &back, NULL), 0);
    again = text_of(&back);
    assert_string_equal(text, again);
    assert_int_equal(back.n, 3);
    for (size_t i = 0; i < 2; i++) { /* the third was changed after its fit */
        struct rc_scaling_parts parts, same;

        assert_int_equal(rc_scaling_point(&models.items[i], &mesh, 64, false, &parts, NULL), 0);
        assert_int_equal(rc_scaling_point(&back.items[i], &mesh, 64, false, &same, NULL), 0);
        assert_same(parts.seconds, same.seconds);
        assert_int_equal(models.items[i].one_gamma, back.items[i].one_gamma);
        assert_same(models.items[i].noise.sd, back.items[i].noise.sd);
    }
    assert_same(back.items[2].work.exponent, 1.25);
    assert_int_equal(back.n_links, 1);
    assert_same(back.links[0].seconds, 1.5);
    free(text);
    free(again);
    rc_scaling_models_free(&models);
    rc_scaling_models_free(&back);
}

static bool has_note(const struct rc_scaling_model *model, const char *text)
{
    for (size_t i = 0; i < model->notes.n; i++)
        if (strstr(model->notes.text[i], text))
            return true;
    return false;
}

static bool has_warning(const struct rc_scaling_model *model, const char *text)
{
    for (size_t i = 0; i < model->warnings.n; i++)
        if (strstr(model->warnings.text[i], text))
            return true;
    return false;
}

/* Nonlinear times that a fit finds are found again when its model is read. */
static void nonlinear_times_are_noted(void **state)
{
    static struct small_runs small;
    static const struct {
        struct truth truth;
        int64_t procs[3];
        const char *warning;
    } cases[] = {
        {{.a = 1, .b = 1e-9, .c = 1, .d = 1, .exponent = 1.6},
         {4, 8, 16},
         "computation is not linear in work"},
        {{.a = 1, .b = 1e-6, .c = 1, .d = 9, .k = 1}, {4, 8, 32}, "alpha is not linear in log2 np"},
        {{.a = 1, .b = 1e-6, .c = 1, .d = 1}, {4, 8, 16}, NULL}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_scaling_models models = {0}, back;
        struct rc_scaling_model model;
        char *text;

        six_steps(&small, &cases[i].truth, &block, (int[]){1, 2, 4}, 3, cases[i].procs, 3, 2, 0,
                  NULL);
        fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
        assert_int_equal(rc_scaling_models_put(&models, &model, NULL), 0);
        text = text_of(&models);
        assert_int_equal(rc_scaling_models_read(text, strlen(text), &back, NULL), 0);
        if (cases[i].warning) {
            assert_true(has_warning(&back.items[0], cases[i].warning));
            assert_true(has_note(&back.items[0], cases[i].warning));
        } else {
            assert_int_equal(back.items[0].warnings.n, 0);
        }
        free(text);
        rc_scaling_models_free(&models);
        rc_scaling_models_free(&back);
    }
}

/* Takes the first `part` out of the text. */
static void take_out(char *text, const char *part)
{
    char *at = strstr(text, part);

    assert_non_null(at);
    memmove(at, at + strlen(part), strlen(at + strlen(part)) + 1);
}

/* Doubts about the runs stay with the model; texts of before they were counted have none. */
static void notes_are_stored(void **state)
{
    struct rc_scaling_models models, back;
    char *text;

    (void)state;
    fill(&models);
    models.items[0].setting.alone = 2;
    models.items[0].setting.unsaid = 1;
    text = text_of(&models);
    assert_int_equal(rc_scaling_models_read(text, strlen(text), &back, NULL), 0);
    assert_int_equal(back.items[0].setting.alone, 2);
    assert_int_equal(back.items[0].setting.unsaid, 1);
    assert_true(has_note(&back.items[0],
                         "2 runs were made without copies; memory contention is not "
                         "included"));
    assert_true(has_note(&back.items[0], "1 run has no hosts or network; A (ethernet) is assumed"));
    assert_false(has_note(&back.items[1], "made without copies"));
    rc_scaling_models_free(&back);
    take_out(text, "\"alone\":2,");
    take_out(text, "\"unsaid\":1,");
    assert_int_equal(rc_scaling_models_read(text, strlen(text), &back, NULL), 0);
    assert_int_equal(back.items[0].setting.alone, 0);
    assert_int_equal(back.items[0].setting.unsaid, 0);
    assert_false(has_note(&back.items[0], "made without copies"));
    rc_scaling_models_free(&back);
    free(text);
    rc_scaling_models_free(&models);
}

static void finding(void **state)
{
    const struct rc_mesh mesh = {{65536, 65536, 1}}, other = {{32768, 32768, 1}};
    struct rc_scaling_models models;

    (void)state;
    fill(&models);
    assert_ptr_equal(rc_scaling_models_find(&models, "A", "myrinet", 0, 1, &mesh, 64),
                     &models.items[1]);
    assert_ptr_equal(rc_scaling_models_find(&models, "A", "myrinet", 4, 1, &mesh, 32),
                     &models.items[1]);
    assert_null(rc_scaling_models_find(&models, "A", "myrinet", 1, 1, &mesh, 64));
    assert_null(rc_scaling_models_find(&models, "A", "myrinet", 4, 1, &other, 64));
    assert_null(rc_scaling_models_find(&models, "A", "myrinet", 4, 2, &mesh, 64));
    assert_null(rc_scaling_models_find(&models, "B", "myrinet", 4, 1, &mesh, 64));
    /* another of the same takes its place */
    add_model(&models, "A", "myrinet", NULL, 0.02);
    assert_int_equal(models.n, 3);
    assert_int_equal(models.items[1].work.kind, RC_WORK_CELLS);
    assert_ptr_equal(rc_scaling_models_find_link(&models, "B", "A", "ethernet", 65536),
                     &models.links[0]);
    assert_null(rc_scaling_models_find_link(&models, "B", "A", "myrinet", 65536));
    assert_null(rc_scaling_models_find_link(&models, "A", "B", "", 32768));
    /* each side its own network: any link, but rather one that was measured so */
    assert_ptr_equal(rc_scaling_models_find_link(&models, "A", "B", "", 65536), &models.links[0]);
    assert_int_equal(rc_scaling_models_put_link(&models,
                                                &(struct rc_scaling_link){.cluster = {"A", "B"},
                                                                          .cols = 65536,
                                                                          .seconds = 9,
                                                                          .runs = 1},
                                                NULL),
                     0);
    assert_int_equal(models.n_links, 2);
    assert_ptr_equal(rc_scaling_models_find_link(&models, "A", "B", "", 65536), &models.links[1]);
    assert_ptr_equal(rc_scaling_models_find_link(&models, "A", "B", "ethernet", 65536),
                     &models.links[0]);
    rc_scaling_models_free(&models);
}

/* Each replaces the first `from` of the text by `to`, and is then refused for `why`. */
static void damage(void **state)
{
    static const struct {
        const char *from, *to, *why;
    } cases[] = {
        {"{\"scaling\":1", "{\"scaling\":1,\"scaling\":1", "duplicate object key"},
        {"{\"scaling\":1", "{\"scaling\":2", "unknown format"},
        {"\"models\":[", "\"model\":[", "no lists of models and links"},
        {"\"cluster\":\"A\"", "\"cluster\":\"A\\u0007\"", "invalid name of a cluster or network"},
        {"\"cluster\":\"A\"", "\"cluster\":7", "invalid name of a cluster or network"},
        {"\"per_host\":4", "\"per_host\":-4", "invalid placement of processes"},
        {"\"cut\":1", "\"cut\":4", "invalid placement of processes"},
        {"\"alone\":0", "\"alone\":-1", "invalid placement of processes"},
        {"\"unsaid\":0", "\"unsaid\":null", "invalid placement of processes"},
        {"\"gamma\":\"auto\"", "\"gamma\":\"beta\"", "invalid options of the fit"},
        {"\"form_sd\":0.1", "\"form_sd\":-0.1", "invalid options of the fit"},
        {"\"procs\":1,", "\"procs\":0,", "invalid group of runs"},
        {"\"procs\":8,", "\"procs\":4,", "no sequential run of 2048 x 65536"},
        {"\"rows\":1024,", "\"rows\":256,", "a group of runs appears twice"},
        {"\"rows\":1024,", "\"rows\":1.5,", "invalid group of runs"},
        {"\"runs\":3", "\"runs\":1", "invalid group of runs"},
        {"\"least\":", "\"least\":9", "invalid group of runs"},
        {"\"squares\":", "\"squares\":-1", "invalid group of runs"},
        {"\"work\":null", "\"work\":\"cells +\"", "invalid work"},
        {"\"work\":null", "\"work\":99", "invalid work"},
        {"\"network\":\"myrinet\"", "\"network\":\"ethernet\"", "a model appears twice"},
        {"\"sd\":0.25", "\"sd\":-1", "invalid link"},
        {"}]}", "}]", "line 1"},
    };
    struct rc_scaling_models models;
    char *text;

    (void)state;
    fill(&models);
    text = text_of(&models);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *at = strstr(text, cases[i].from);
        size_t before, length = strlen(text) + 64;
        char *damaged = calloc(1, length);
        struct rc_error error = {0};
        struct rc_scaling_models back;

        if (!at || !damaged)
            fail_msg("%s is not in %s", cases[i].from, text);
        if (strcmp(cases[i].from, "}]}") == 0)
            at = text + strlen(text) - 3;
        before = (size_t)(at - text);
        snprintf(damaged, length, "%.*s%s%s", (int)before, text, cases[i].to,
                 at + strlen(cases[i].from));
        assert_int_equal(rc_scaling_models_read(damaged, strlen(damaged), &back, &error), -1);
        if (!strstr(error.text, cases[i].why))
            fail_msg("%s: %s", cases[i].to, error.text);
        assert_int_equal(back.n, 0);
        free(damaged);
    }
    free(text);
    rc_scaling_models_free(&models);
}

static void in_the_database(void **state)
{
    struct rc_scaling_models models, back;
    char *text, *again;

    (void)state;
    assert_int_equal(rc_scaling_models_load(store, "mg", "white-rose", &back, NULL), 0);
    assert_int_equal(back.n, 0);
    fill(&models);
    assert_int_equal(rc_scaling_models_save(store, "mg", "white-rose", &models, NULL, NULL), 0);
    assert_int_equal(rc_scaling_models_load(store, "mg", "white-rose", &back, NULL), 1);
    text = text_of(&models);
    again = text_of(&back);
    assert_string_equal(text, again);
    free(text);
    free(again);
    rc_scaling_models_free(&models);
    rc_scaling_models_free(&back);
    assert_int_equal(rc_scaling_models_load(store, "mg", "elsewhere", &back, NULL), 0);
}

/* A damaged text can be replaced; that of a newer version cannot. */
static void damaged_in_the_database(void **state)
{
    static const struct {
        int format;
        const char *body;
        int found;
        const char *code, *hint;
    } cases[] = {{RC_SCALING_FORMAT, "{\"scaling\":1,\"models\":[{}],\"links\":[]}", -2,
                  "scaling.fit-again", ""},
                 {RC_SCALING_FORMAT, "{", -2, "", ""},
                 {0, "{\"scaling\":1,\"models\":[],\"links\":[]}", -2, "scaling.fit-again", ""},
                 {RC_SCALING_FORMAT + 1, "{}", -1, "", "the newer version of runcast"}};
    struct rc_scaling_models models, back;

    (void)state;
    fill(&models);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_error error = {0};

        assert_int_equal(rc_db_model_add(store, "mg", "white-rose", "scaling", cases[i].format,
                                         cases[i].body, NULL, NULL),
                         0);
        assert_int_equal(rc_scaling_models_load(store, "mg", "white-rose", &back, &error),
                         cases[i].found);
        assert_int_equal(back.n, 0);
        assert_true(error.text[0] != '\0');
        assert_string_equal(error.code ? error.code : "", cases[i].code);
        assert_non_null(strstr(error.hint, cases[i].hint));
        assert_int_equal(rc_scaling_models_save(store, "mg", "white-rose", &models, NULL, NULL), 0);
        assert_int_equal(rc_scaling_models_load(store, "mg", "white-rose", &back, NULL), 1);
        assert_int_equal(back.n, 3);
        rc_scaling_models_free(&back);
    }
    rc_scaling_models_free(&models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(nonlinear_times_are_noted),
        cmocka_unit_test(notes_are_stored),
        cmocka_unit_test(finding),
        cmocka_unit_test(damage),
        cmocka_unit_test_setup_teardown(in_the_database, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(damaged_in_the_database, open_own_store, remove_own_store),
    };

    return RUN_TESTS(tests);
}
