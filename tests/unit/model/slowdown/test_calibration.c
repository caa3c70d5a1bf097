/* test_calibration.c - what was measured of a platform: as text, in the store, and together with
 * older measurements. */
#include "unit.h"

#include "own_store.h"
#include "model/slowdown/calibration.h"
#include "db/fitted_models.h"

/* ---- one to play with ---- */

static void add_link(struct rc_calibration *c, const char *from, const char *to, double rate)
{
    struct rc_slowdown_calibration_link *link = rc_slowdown_calibration_add_link(c, from, to, NULL);

    assert_non_null(link);
    link->bursts.n = 2;
    link->bursts.items = calloc(2, sizeof *link->bursts.items);
    assert_non_null(link->bursts.items);
    link->bursts.items[0] = (struct rc_slowdown_burst_rate){{1, 100}, rate / 10};
    link->bursts.items[1] = (struct rc_slowdown_burst_rate){{1000, 4096}, rate};
}

static void add_points(struct rc_calibration *c)
{
    c->points = calloc(20, sizeof *c->points);
    assert_non_null(c->points);
    for (size_t i = 1; i <= 2; i++)
        for (size_t j = 1; j <= 10; j++) {
            double k = 1e6 * (double)j;

            /* up to 5 MB/s a tenth of i for each MB/s, then flat */
            c->points[c->n_points++] =
                (struct rc_calibration_point){i, {k, (double)i * 0.1 * fmin((double)j, 5)}};
        }
    strcpy(c->delay_from, "a1");
    strcpy(c->delay_to, "b1");
}

static void fill(struct rc_calibration *c)
{
    struct rc_slowdown_calibration_host *host;

    *c = (struct rc_calibration){.made = 1.7e9,
                                 .byte_seconds = 2.5e-9,
                                 .quick = RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_DELAY,
                                 .missing = RC_CALIBRATION_MEMORY};
    host = rc_slowdown_calibration_add_host(c, "a1", NULL);
    assert_non_null(host);
    host->seconds = 0.5;
    host->cores = 4;
    host->spread = 0.25;
    host->memory = (struct rc_memory_curve){{1.125, 1.25, 1.5}, 3};
    host = rc_slowdown_calibration_add_host(c, "b1", NULL);
    assert_non_null(host);
    host->seconds = 2;
    add_link(c, "a1", "b1", 1e8);
    add_link(c, "b1", "a1", 9e7);
    add_points(c);
    assert_int_equal(rc_slowdown_calibration_weigh(c, NULL), 0);
    assert_int_equal(rc_slowdown_calibration_fit(c, NULL), 0);
}

static char *text_of(const struct rc_calibration *c)
{
    json_t *object = rc_slowdown_calibration_json(c);
    char *text = json_dumps(object, JSON_COMPACT);

    assert_non_null(text);
    json_decref(object);
    return text;
}

/* ---- reckoning ---- */

static void weights_and_curves(void **state)
{
    struct rc_calibration c;

    (void)state;
    fill(&c);
    assert_near(c.hosts[0].weight, 4, 1e-12);
    assert_near(c.hosts[1].weight, 1, 1e-12);
    assert_int_equal(c.delay.n, 2);
    assert_near(rc_slowdown_delay_at(&c.delay, 1, 2e6, NULL), 0.2, 1e-9);
    assert_near(rc_slowdown_delay_at(&c.delay, 2, 8e6, NULL), 1.0, 1e-9);
    assert_true(c.delay.curves[0].at > 4e6 && c.delay.curves[0].at < 6e6);
    rc_slowdown_calibration_free(&c);
}

static void asked_by_name(void **state)
{
    struct rc_calibration c;

    (void)state;
    fill(&c);
    assert_int_equal(rc_slowdown_calibration_host(&c, "a1")->cores, 4);
    assert_null(rc_slowdown_calibration_host(&c, "a"));
    assert_near(rc_slowdown_calibration_link(&c, "b1", "a1")->bursts.items[1].rate, 9e7, 0);
    assert_null(rc_slowdown_calibration_link(&c, "a1", "a1"));
    rc_slowdown_calibration_free(&c);
}

/* ---- text ---- */

static void text_and_back(void **state)
{
    struct rc_calibration c, back;
    struct rc_error error = {.text = ""};
    char *text, *again;

    (void)state;
    fill(&c);
    c.hosts[1].seconds = c.hosts[1].weight = NAN;
    c.byte_seconds = NAN;
    c.delay.curves[1].at = INFINITY;
    text = text_of(&c);
    if (rc_slowdown_calibration_read(text, strlen(text), &back, &error))
        fail_msg("%s", error.text);
    again = text_of(&back);
    assert_string_equal(text, again);
    assert_true(isnan(back.hosts[1].weight));
    assert_int_equal(back.quick, RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_DELAY);
    assert_int_equal(back.missing, RC_CALIBRATION_MEMORY);
    assert_true(rc_slowdown_calibration_was_busy(&back.hosts[0]));
    assert_false(rc_slowdown_calibration_was_busy(&back.hosts[1])); /* nobody knows */
    assert_true(isinf(back.delay.curves[1].at));
    assert_int_equal(back.n_points, 20);
    free(text);
    free(again);
    rc_slowdown_calibration_free(&back);
    rc_slowdown_calibration_free(&c);
}

/* The document for users has other keys, and no fractions of a second. */
static void document_and_back(void **state)
{
    struct rc_calibration c, back;
    struct rc_error error = {.text = ""};
    json_t *document;
    char *text, *before, *after;

    (void)state;
    fill(&c);
    c.made = floor(c.made);
    before = text_of(&c);
    document = rc_slowdown_calibration_document(rc_slowdown_calibration_json(&c));
    assert_true(json_is_string(json_object_get(document, "created")));
    assert_non_null(json_object_get(document, "byte_cost_s"));
    assert_null(json_object_get(document, "byte_seconds"));
    text = json_dumps(document, 0);
    if (rc_slowdown_calibration_read(text, strlen(text), &back, &error))
        fail_msg("%s", error.text);
    after = text_of(&back);
    assert_string_equal(before, after);
    json_object_set_new(document, "created", json_string("soon"));
    free(text);
    text = json_dumps(document, 0);
    rc_slowdown_calibration_free(&back);
    assert_int_equal(rc_slowdown_calibration_read(text, strlen(text), &back, &error), -1);
    assert_non_null(strstr(error.text, "its date"));
    json_decref(document);
    free(text);
    free(before);
    free(after);
    rc_slowdown_calibration_free(&c);
}

static void text_of_nothing(void **state)
{
    struct rc_calibration c = {.byte_seconds = NAN}, back;
    char *text = text_of(&c);

    (void)state;
    assert_int_equal(rc_slowdown_calibration_read(text, strlen(text), &back, NULL), 0);
    assert_int_equal(back.n_hosts + back.n_links + back.n_points + back.delay.n, 0);
    free(text);
    rc_slowdown_calibration_free(&back);
}

/* Puts `by` in place of the first `what`. */
static char *change(const char *text, const char *what, const char *by)
{
    const char *at = strstr(text, what);
    size_t size = strlen(text) + strlen(by) + 1;
    char *changed = malloc(size);

    if (!at)
        fail_msg("there is no %s in %s", what, text);
    assert_non_null(changed);
    snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, by, at + strlen(what));
    return changed;
}

/* Of format 1 nobody knows how it was measured. */
static void text_of_format_1(void **state)
{
    static const char *const changes[][2] = {{"\"calibration\":2", "\"calibration\":1"},
                                             {"\"quick\":[\"weights\",\"delay\"],", ""},
                                             {"\"lacking\":[\"memory\"],", ""},
                                             {"\"spread\":0.25,", ""},
                                             {"\"spread\":null,", ""}};
    struct rc_calibration c, back;
    struct rc_error error = {.text = ""};
    char *text, *older;

    (void)state;
    fill(&c);
    text = text_of(&c);
    for (size_t i = 0; i < COUNT(changes); i++) {
        older = change(text, changes[i][0], changes[i][1]);
        free(text);
        text = older;
    }
    if (rc_slowdown_calibration_read(text, strlen(text), &back, &error))
        fail_msg("%s", error.text);
    assert_int_equal(back.quick | back.missing, 0);
    assert_true(isnan(back.hosts[0].spread));
    assert_int_equal(back.hosts[0].cores, 4);
    assert_int_equal(back.n_points, 20);
    rc_slowdown_calibration_free(&back);
    assert_int_equal(rc_db_model_add(store, "slowdown", "old", "slowdown", 1, text, NULL, &error),
                     0);
    assert_int_equal(rc_slowdown_calibration_find(store, "old", &back, &error), 1);
    assert_int_equal(back.n_hosts, 2);
    rc_slowdown_calibration_free(&back);
    rc_slowdown_calibration_free(&c);
    free(text);
}

static void damaged_text(void **state)
{
    static const char *const changes[][2] = {
        {"\"calibration\":2", "\"calibration\":3"},
        {"\"calibration\":2", "\"calibration\":0"},
        {"\"calibration\":2", "\"calibration\":null"},
        {"\"quick\":[\"weights\",\"delay\"]", "\"quick\":[\"speed\"]"},
        {"\"quick\":[\"weights\",\"delay\"]", "\"quick\":true"},
        {"\"lacking\":[\"memory\"]", "\"lacking\":[4]"},
        {"\"spread\":0.25", "\"spread\":-1"},
        {"\"spread\":0.25", "\"spread\":\"wide\""},
        {"\"made\":1700000000", "\"made\":\"now\""},
        {"\"name\":\"a1\"", "\"name\":\"-a1\""},
        {"\"name\":\"a1\"", "\"name\":\"\""},
        {"\"name\":\"a1\"", "\"name\":\"b1\""},
        {"\"name\":\"a1\"", "\"name\":7"},
        {"\"cores\":4", "\"cores\":0"},
        {"\"cores\":4", "\"cores\":1e30"},
        {"\"seconds\":0.5", "\"seconds\":-1"},
        {"\"seconds\":0.5,", ""},
        {"[1.125,1.25,1.5]", "[0.5,1.25,1.5]"},
        {"[1.125,1.25,1.5]", "[null]"},
        {"[1.125,1.25,1.5]", "{}"},
        {"\"messages\":1000", "\"messages\":0"},
        {"\"bytes\":4096", "\"bytes\":-4096"},
        {"\"rate\":100000000", "\"rate\":0"},
        {"\"rate\":100000000", "\"rate\":null"},
        {"\"to\":\"b1\"", "\"to\":\"b 1\""},
        {"\"communicating\":1,\"bandwidth\"", "\"communicating\":0,\"bandwidth\""},
        {"\"communicating\":1,\"bandwidth\"", "\"communicating\":65,\"bandwidth\""},
        {"\"bandwidth\":1000000", "\"bandwidth\":-1"},
        {"\"curves\":[", "\"curves\":[7,"},
        {"\"below\":{", "\"below\":{\"x\":"},
        {"\"constant\":0", "\"constant\":-0.25"},
        {"\"byte_seconds\":2.5", "\"byte_seconds\":2,\"x\":2.5"},
        {"\"delay_from\":\"a1\"", "\"delay_from\":\"a\\u0000b\""},
        {"\"hosts\":[", "\"hosts\":[],\"hosts\":["},
    };
    struct rc_calibration c, back;
    struct rc_error error;
    char *text;

    (void)state;
    fill(&c);
    text = text_of(&c);
    for (size_t i = 0; i < COUNT(changes); i++) {
        char *changed = change(text, changes[i][0], changes[i][1]);

        error.text[0] = '\0';
        if (rc_slowdown_calibration_read(changed, strlen(changed), &back, &error) == 0)
            fail_msg("'%s' was taken", changes[i][1]);
        assert_true(error.text[0] != '\0');
        assert_int_equal(back.n_hosts, 0);
        free(changed);
    }
    for (size_t length = 0; length < strlen(text); length++)
        assert_int_equal(rc_slowdown_calibration_read(text, length, &back, NULL), -1);
    free(text);
    rc_slowdown_calibration_free(&c);
}

/* ---- the store ---- */

static void kept_and_found(void **state)
{
    struct rc_calibration c, back;
    struct rc_error error = {.text = ""};
    char *text, *again;

    (void)state;
    fill(&c);
    assert_int_equal(rc_slowdown_calibration_find(store, "lab", &back, &error), 0);
    assert_int_equal(rc_slowdown_calibration_save(store, "lab", &c, &error), 0);
    c.hosts[0].cores = 8;
    assert_int_equal(rc_slowdown_calibration_save(store, "lab", &c, &error), 0);
    assert_int_equal(rc_slowdown_calibration_find(store, "farm", &back, &error), 0);
    assert_int_equal(rc_slowdown_calibration_find(store, "lab", &back, &error), 1);
    text = text_of(&c);
    again = text_of(&back);
    assert_string_equal(text, again);
    free(text);
    free(again);
    rc_slowdown_calibration_free(&back);
    rc_slowdown_calibration_free(&c);
}

static void of_another_format(void **state)
{
    struct rc_calibration back;
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_db_model_add(store, "slowdown", "old", "slowdown",
                                     RC_CALIBRATION_FORMAT + 1, "{}", NULL, &error),
                     0);
    assert_int_equal(rc_slowdown_calibration_find(store, "old", &back, &error), -1);
    assert_non_null(strstr(error.text, "format"));
    assert_int_equal(rc_db_model_add(store, "slowdown", "old", "slowdown", RC_CALIBRATION_FORMAT,
                                     "{}", NULL, &error),
                     0);
    assert_int_equal(rc_slowdown_calibration_find(store, "old", &back, &error), -1);
}

/* ---- with an older one ---- */

static void parts_are_completed(void **state)
{
    struct rc_calibration before, c = {.byte_seconds = NAN};
    struct rc_slowdown_calibration_host *host;

    (void)state;
    fill(&before);
    host = rc_slowdown_calibration_add_host(&c, "b1", NULL);
    host->cores = 2;
    host->seconds = 1;
    assert_int_equal(rc_slowdown_calibration_complete(&c, &before, RC_CALIBRATION_WEIGHTS, NULL),
                     0);
    assert_int_equal(c.n_hosts, 2);
    assert_near(rc_slowdown_calibration_host(&c, "b1")->seconds, 1, 0);   /* measured anew */
    assert_near(rc_slowdown_calibration_host(&c, "a1")->seconds, 0.5, 0); /* as it was */
    assert_near(rc_slowdown_calibration_host(&c, "a1")->weight, 2, 1e-12);
    assert_int_equal(rc_slowdown_calibration_host(&c, "a1")->memory.n, 3);
    assert_int_equal(rc_slowdown_calibration_host(&c, "b1")->cores, 2);
    assert_int_equal(c.n_links, 2);
    assert_int_equal(c.n_points, 20);
    assert_int_equal(c.delay.n, 2);
    assert_near(c.byte_seconds, 2.5e-9, 0);
    rc_slowdown_calibration_free(&c);
    rc_slowdown_calibration_free(&before);
}

static void measured_parts_stay(void **state)
{
    struct rc_calibration before, c = {.byte_seconds = 1e-9};

    (void)state;
    fill(&before);
    add_link(&c, "a1", "b1", 5e7);
    rc_slowdown_calibration_add_host(&c, "a1", NULL)->memory = (struct rc_memory_curve){{2}, 1};
    assert_int_equal(rc_slowdown_calibration_complete(&c, &before,
                                                      RC_CALIBRATION_BURSTS | RC_CALIBRATION_DELAY |
                                                          RC_CALIBRATION_MEMORY,
                                                      NULL),
                     0);
    assert_near(rc_slowdown_calibration_link(&c, "a1", "b1")->bursts.items[1].rate, 5e7, 0);
    assert_near(rc_slowdown_calibration_link(&c, "b1", "a1")->bursts.items[1].rate, 9e7, 0);
    assert_int_equal(c.delay.n, 0);
    assert_near(c.byte_seconds, 1e-9, 0);
    assert_int_equal(rc_slowdown_calibration_host(&c, "a1")->memory.n, 1);
    assert_near(rc_slowdown_calibration_host(&c, "a1")->seconds, 0.5, 0);
    rc_slowdown_calibration_free(&c);
    rc_slowdown_calibration_free(&before);
}

/* What was to be measured and was not, as it was broken off, is taken from before. */
static void gaps_are_filled(void **state)
{
    struct rc_calibration before, c = {.byte_seconds = NAN};
    struct rc_slowdown_calibration_host *host;

    (void)state;
    fill(&before);
    rc_slowdown_calibration_add_host(&c, "a1", NULL)->cores = 4;
    host = rc_slowdown_calibration_add_host(&c, "b1", NULL);
    host->seconds = 1;
    assert_int_equal(rc_slowdown_calibration_complete(
                         &c, &before, RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_MEMORY, NULL),
                     0);
    assert_near(rc_slowdown_calibration_host(&c, "a1")->seconds, 0.5, 0);
    assert_int_equal(rc_slowdown_calibration_host(&c, "a1")->memory.n, 3);
    assert_near(rc_slowdown_calibration_host(&c, "b1")->seconds, 1, 0);
    assert_near(rc_slowdown_calibration_host(&c, "a1")->weight, 2, 1e-12);
    rc_slowdown_calibration_free(&c);
    rc_slowdown_calibration_free(&before);
}

static void sets_of_parts(void **state)
{
    struct rc_calibration c;
    char text[RC_CALIBRATION_PARTS_SIZE];

    (void)state;
    rc_slowdown_calibration_parts_text(RC_CALIBRATION_ALL, text);
    assert_string_equal(text, "weights,bursts,delay,memory");
    rc_slowdown_calibration_parts_text(RC_CALIBRATION_DELAY, text);
    assert_string_equal(text, "delay");
    rc_slowdown_calibration_parts_text(0, text);
    assert_string_equal(text, "");
    fill(&c);
    assert_int_equal(rc_slowdown_calibration_has(&c), RC_CALIBRATION_ALL);
    c.hosts[0].memory.n = 0;
    c.n_points = 0;
    assert_int_equal(rc_slowdown_calibration_has(&c),
                     RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_BURSTS);
    rc_slowdown_calibration_free(&c);
}

/* What was measured quickly is so as long as something of it is there; what was lacking, until it
 * is measured. */
static void how_it_was_measured_comes_along(void **state)
{
    struct rc_calibration before, c = {.byte_seconds = NAN};
    struct rc_slowdown_calibration_host *host;

    (void)state;
    fill(&before);
    host = rc_slowdown_calibration_add_host(&c, "b1", NULL);
    host->seconds = 1;
    assert_int_equal(rc_slowdown_calibration_complete(&c, &before, RC_CALIBRATION_WEIGHTS, NULL),
                     0);
    assert_int_equal(c.quick, RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_DELAY); /* that of a1 is */
    assert_int_equal(c.missing, RC_CALIBRATION_MEMORY);
    assert_near(rc_slowdown_calibration_host(&c, "a1")->spread, 0.25, 0);
    rc_slowdown_calibration_free(&c);

    c = (struct rc_calibration){.byte_seconds = NAN, .quick = RC_CALIBRATION_MEMORY};
    for (int i = 0; i < 2; i++) {
        host = rc_slowdown_calibration_add_host(&c, i ? "b1" : "a1", NULL);
        host->seconds = 1;
        host->cores = 2;
        host->memory = (struct rc_memory_curve){{2}, 1};
    }
    assert_int_equal(rc_slowdown_calibration_complete(
                         &c, &before, RC_CALIBRATION_WEIGHTS | RC_CALIBRATION_MEMORY, NULL),
                     0);
    assert_int_equal(c.quick, RC_CALIBRATION_MEMORY | RC_CALIBRATION_DELAY);
    assert_int_equal(c.missing, 0);
    assert_true(isnan(rc_slowdown_calibration_host(&c, "a1")->spread));
    rc_slowdown_calibration_free(&c);
    rc_slowdown_calibration_free(&before);
}

/* What could not be read again is not written. */
static void too_much_is_not_kept(void **state)
{
    struct rc_calibration c = {.byte_seconds = NAN};
    struct rc_error error = {.text = ""};
    char name[RC_CALIBRATION_NAME];

    (void)state;
    c.links = calloc(40000, sizeof *c.links);
    assert_non_null(c.links);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (; c.n_links < 40000; c.n_links++) {
        memcpy(c.links[c.n_links].from, name, sizeof name);
        memcpy(c.links[c.n_links].to, name, sizeof name);
    }
    assert_int_equal(rc_slowdown_calibration_save(store, "large", &c, &error), -1);
    assert_non_null(strstr(error.text, "at most 16777216 bytes"));
    assert_int_equal(rc_slowdown_calibration_find(store, "large", &c, &error), 0);
    rc_slowdown_calibration_free(&c);
}

static void names_have_limits(void **state)
{
    struct rc_calibration c = {.byte_seconds = NAN};
    char name[RC_CALIBRATION_NAME + 1];

    (void)state;
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_null(rc_slowdown_calibration_add_host(&c, name, NULL));
    assert_null(rc_slowdown_calibration_add_link(&c, "a", name, NULL));
    name[RC_CALIBRATION_NAME - 1] = '\0';
    assert_non_null(rc_slowdown_calibration_add_host(&c, name, NULL));
    rc_slowdown_calibration_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_and_curves),
        cmocka_unit_test(asked_by_name),
        cmocka_unit_test(text_and_back),
        cmocka_unit_test(document_and_back),
        cmocka_unit_test(text_of_nothing),
        cmocka_unit_test(damaged_text),
        cmocka_unit_test_setup_teardown(text_of_format_1, open_own_store, remove_own_store),
        cmocka_unit_test(sets_of_parts),
        cmocka_unit_test(how_it_was_measured_comes_along),
        cmocka_unit_test_setup_teardown(kept_and_found, open_own_store, remove_own_store),
        cmocka_unit_test_setup_teardown(of_another_format, open_own_store, remove_own_store),
        cmocka_unit_test(parts_are_completed),
        cmocka_unit_test(measured_parts_stay),
        cmocka_unit_test(gaps_are_filled),
        cmocka_unit_test_setup_teardown(too_much_is_not_kept, open_own_store, remove_own_store),
        cmocka_unit_test(names_have_limits),
    };

    return RUN_TESTS(tests);
}
