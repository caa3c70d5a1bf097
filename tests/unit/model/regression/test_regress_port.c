/* Models for other platforms (Eq. 3), and of phases and processes (Eq. 4). */
#include "laws.h"

#include "base/error.h"
#include "model/regression/phase_process_models.h"
#include "model/regression/platform_porting.h"

/* ---- Eq. (3) ---- */

/* The cubic law with computation 2.5 and communication 0.4 times as long. */
static double other_law(double n, double p, double cpu, double bw)
{
    return 2.5 * 2e-8 * n * n * n / (p * cpu) + (p > 1 ? 0.4 * 50 * n * n * log2(p) / bw : 0);
}

static struct rc_regression_model *reference_model(struct rc_regression_table *reference,
                                                   double noise)
{
    struct rc_regression_model *model;

    put_training(reference, cubic_law, noise);
    table_put(reference, law_run(cubic_law, 1000, 1, 1, 1e7)); /* dedicated */
    model = rc_regression_fit(reference, RC_REGRESSION_PAPER, NULL);
    assert_non_null(model);
    return model;
}

static void put_target(struct rc_regression_table *target, double cpu, double noise)
{
    table_put(target, law_run(other_law, 1000, 1, cpu, 1e7));
    for (int i = 0; i < 10; i++)
        table_put(target, some_run(other_law, 2, noise));
}

static void the_two_numbers_of_a_law(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model, *ported;
    struct rc_regression_port port;
    struct rc_regression_run run = law_run(other_law, 3000, 32, 0.6, 4e6);

    (void)state;
    seed(1);
    model = reference_model(&reference, 0);
    put_target(&target, 1, 0);
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, NULL), 0);
    assert_near(port.r_cpu, 2.5, 1e-9);
    assert_near(port.r_bw, 0.4, 1e-5);
    assert_true(port.dedicated && port.shows);
    assert_same(port.n[0], 1000);
    assert_same(port.n[1], 1000);
    assert_same(port.p, 2);
    assert_int_equal(port.one_runs[0], 1);
    assert_int_equal(port.two_runs[1], 10);
    ported = rc_regression_port_model(model, &reference, &target, &port, NULL);
    assert_non_null(ported);
    assert_int_equal(ported->n_members, model->n_members);
    assert_near(answer(ported, &run) / run.seconds, 1, 1e-4);
    assert_int_equal(ported->up_to, 11);
    assert_finite(ported);
    rc_regression_model_destroy(ported);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

/* A member made by hand: 100 s of computation and, on two processes, 30 s of communication at a
 * bandwidth of 1; Rcpu 2, Rbw 3: 2 * 100 / (0.5 * 2) + 3 * 30 / 1. */
static void equation_3_by_hand(void **state)
{
    struct rc_regression_member member = {
        .terms = {{.size = 0, .procs = 2, .cpu = true},
                  {.size = 0, .width = 2, .parallel = true},
                  {.size = 0}},
        .coefficients = {100, 30, 4},
        .spread = {1, 1, 1, 1, 1, 1},
        .n_terms = 3,
        .weight = 1,
    };
    struct rc_regression_model model = {
        .criterion = RC_REGRESSION_DEFAULT, .members = &member, .n_members = 1, .bw_mean = 1};
    struct rc_regression_port port = {.r_cpu = 2, .r_bw = 3};
    struct rc_regression_question question = {.n = 10, .p = 2, .bytes = NAN};
    struct rc_regression_table target = {0};
    struct rc_regression_model *ported =
        rc_regression_port_model(&model, &target, &target, &port, NULL);

    (void)state;
    assert_non_null(ported);
    assert_near(rc_regression_seconds(ported, &question, 0.5, 1), 2 * 100 / (0.5 * 2) + 3 * 30 + 4,
                1e-9);
    assert_same(ported->members[0].spread[0], 2); /* covariances scale by both rows */
    assert_same(ported->members[0].spread[1], 3);
    assert_same(ported->members[0].spread[2], 3);
    assert_same(ported->members[0].spread[3], 1);
    rc_regression_model_destroy(ported);
}

/* Two-process runs of the reference are 2 % off to either side in turn; the target's communication
 * takes `times` as long. */
static void port_noisy(double times, double target_noise, struct rc_regression_port *port)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model;

    seed(2);
    model = reference_model(&reference, 0);
    for (size_t i = 0; i < reference.n_runs; i++)
        if (reference.runs[i].p == 2)
            reference.runs[i].seconds *= i % 2 ? 1.02 : 0.98;
    table_put(&target, law_run(cubic_law, 1000, 1, 1, 1e7));
    for (int i = 0; i < 10; i++) {
        struct rc_regression_run run = some_run(cubic_law, 2, 0);

        run.seconds += (times - 1) * 50 * run.n * run.n / run.bw[0];
        run.seconds *= exp(rc_random_normal(chance, 0, target_noise));
        table_put(&target, run);
    }
    assert_int_equal(rc_regression_port_find(model, &reference, &target, port, NULL), 0);
    assert_true(isfinite(port->r_bw) && port->r_bw > 0);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

static void scaled_until_the_errors_are_equal(void **state)
{
    struct rc_regression_port port;

    (void)state;
    port_noisy(3, 0, &port); /* slower: from 1 up to the lower of the two */
    assert_same(port.r_bw, port.low);
    assert_true(port.low > 2 && port.high < 4);
    assert_near(port.error[RC_REGRESSION_TARGET], port.error[RC_REGRESSION_REFERENCE], 1e-9);
    port_noisy(0.1, 0, &port); /* quicker: down to the higher */
    assert_same(port.r_bw, port.high);
    assert_true(port.high < 0.5 && port.low < port.high);
    assert_near(port.error[RC_REGRESSION_TARGET], port.error[RC_REGRESSION_REFERENCE], 1e-9);
    port_noisy(1, 0, &port); /* it fits already */
    assert_same(port.r_bw, 1);
    assert_true(port.low < 1 && port.high > 1);
    assert_true(port.error[RC_REGRESSION_TARGET] <= port.error[RC_REGRESSION_REFERENCE]);
    port_noisy(3, 1.5, &port); /* nothing fits as well: what fits best */
    assert_true(isnan(port.low) && isnan(port.high));
    assert_true(port.error[RC_REGRESSION_TARGET] > port.error[RC_REGRESSION_REFERENCE]);
}

static void runs_that_were_not_dedicated_are_corrected(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model;
    struct rc_regression_port port;

    (void)state;
    seed(3);
    model = reference_model(&reference, 0);
    put_target(&target, 0.5, 0); /* half a core */
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, NULL), 0);
    assert_false(port.dedicated);
    assert_near(port.r_cpu, 2.5, 1e-6);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

static void sizes_that_differ_are_compared_by_the_model(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model;
    struct rc_regression_port port;

    (void)state;
    seed(4);
    model = reference_model(&reference, 0);
    put_target(&target, 1, 0);
    target.runs[0] = law_run(other_law, 1300, 1, 1, 1e7);
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, NULL), 0);
    assert_same(port.n[1], 1300);
    assert_true(port.n[0] != 1300);
    assert_near(port.r_cpu, 2.5, 1e-4);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

static void missing_runs_are_named(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model;
    struct rc_regression_port port;
    struct rc_error error = {0};

    (void)state;
    seed(5);
    model = reference_model(&reference, 0);
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, &error), -1);
    assert_non_null(strstr(error.text, "no run on 1 process"));
    table_put(&target, law_run(other_law, 1000, 1, 1, 1e7));
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, &error), -1);
    assert_non_null(strstr(error.text, "no run on 2 processes"));
    assert_non_null(strstr(error.hint, "on both platforms"));
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

/* It is not refitted to a handful of runs there; from 20 on, it is. */
static void a_ported_model_waits_for_runs_of_its_own(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model, *ported;
    struct rc_regression_learner *learner;
    struct rc_regression_port port;

    (void)state;
    seed(6);
    model = reference_model(&reference, 0.05);
    put_target(&target, 1, 0.05);
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, NULL), 0);
    ported = rc_regression_port_model(model, &reference, &target, &port, NULL);
    learner = rc_regression_learner_create(&target, ported, RC_REGRESSION_PAPER, NULL);
    assert_non_null(learner);
    for (int i = 0; i < 10; i++) {
        struct rc_regression_run run = some_run(other_law, 4, 0.05);

        assert_int_equal(rc_regression_learner_add(learner, &run, NULL), 0);
        assert_int_equal(rc_regression_learner_model(learner)->members[0].coefficients[0] ==
                             ported->members[0].coefficients[0],
                         i < 9);
        assert_finite(rc_regression_learner_model(learner));
    }
    rc_regression_learner_destroy(learner);
    rc_regression_model_destroy(ported);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

/* ---- Eq. (4) ---- */

/* A member of so many seconds, whatever is asked. */
static struct rc_regression_model *constant_model(double seconds)
{
    struct rc_regression_model *model = calloc(1, sizeof *model);

    assert_non_null(model);
    model->members = calloc(1, sizeof *model->members);
    assert_non_null(model->members);
    model->members[0].n_terms = model->n_members = 1;
    model->members[0].coefficients[0] = seconds;
    model->members[0].weight = 1;
    model->n = model->p = model->cpu = model->bw = (struct rc_range){1, 2};
    return model;
}

static void equation_4_by_hand(void **state)
{
    /* phase a: 3 and 5 s; phase b: 7 and 2 s, and 100 s on a process that few runs have */
    struct rc_regression_part list[] = {
        {strdup("a"), 0, constant_model(3)},   {strdup("a"), 1, constant_model(5)},
        {strdup("b"), 0, constant_model(7)},   {strdup("b"), 1, constant_model(2)},
        {strdup("b"), 7, constant_model(100)},
    };
    struct rc_regression_parts parts = {.parts = list, .n_parts = COUNT(list), .left_out = 3},
                               *copy;
    struct rc_regression_question question = {.n = 1, .p = 2, .bytes = NAN};
    json_t *json = rc_regression_parts_to_json(&parts);

    (void)state;
    assert_near(rc_regression_parts_seconds(&parts, &question, 1, 1), 5 + 7, 1e-12);
    question.p = 8;
    assert_near(rc_regression_parts_seconds(&parts, &question, 1, 1), 5 + 100, 1e-12);
    copy = rc_regression_parts_from_json(json, NULL);
    assert_non_null(copy);
    assert_int_equal(copy->n_parts, 5);
    assert_int_equal(copy->left_out, 3);
    assert_near(rc_regression_parts_seconds(copy, &question, 1, 1), 5 + 100, 1e-12);
    rc_regression_parts_destroy(copy);
    json_object_set_new(json_array_get(json_object_get(json, "parts"), 2), "process",
                        json_integer(-2));
    assert_null(rc_regression_parts_from_json(json, NULL));
    json_array_clear(json_object_get(json, "parts"));
    assert_null(rc_regression_parts_from_json(json, NULL));
    assert_null(rc_regression_parts_from_json(NULL, NULL));
    json_decref(json);
    for (size_t i = 0; i < COUNT(list); i++) {
        free(list[i].phase);
        rc_regression_model_destroy(list[i].model);
    }
}

/* Runs whose phases follow two laws, and whose process 1 takes twice as long as process 0. */
static void put_parts(struct rc_db *store, bool phases, bool processes)
{
    for (int i = 0; i < 60; i++) {
        struct rc_regression_run run = some_run(cubic_law, 2 << i % 3, 0);
        double first = cubic_law(run.n, run.p, run.cpu[0], run.bw[0]),
               second = transform_law(run.n, run.p, run.cpu[0], run.bw[0]);
        struct rc_run_time times[] = {{"solve", 0, first},      {"solve", 1, 2 * first},
                                      {"write", 0, second},     {"write", 1, 2 * second},
                                      {"solve", -1, 2 * first}, {"write", -1, 2 * second},
                                      {"", 0, first + second},  {"", 1, 2 * (first + second)}};
        struct rc_run stored;

        rc_db_run_init(&stored);
        stored.app = "solver";
        stored.n = run.n;
        stored.p = (int64_t)run.p;
        stored.seconds = 2 * (first + second);
        stored.cpu_minavg = run.cpu[0];
        stored.bw_minavg = run.bw[0];
        stored.times = phases ? times + (processes ? 0 : 4) : times + 6;
        stored.n_times = phases ? (processes ? 8 : 2) : 2;
        assert_int_equal(rc_db_run_add(store, &stored, NULL, NULL), 0);
    }
}

static void check_parts(bool phases, bool processes, size_t n_parts)
{
    char directory[] = "/tmp/runcast-parts-XXXXXX", path[60], command[60];
    struct rc_db *store;
    struct rc_regression_wanted wanted = {.app = "solver", .process = -1};
    struct rc_regression_question question = {.n = 1500, .p = 16, .bytes = NAN};
    struct rc_error error = {0};
    struct rc_regression_parts *parts;

    seed(7);
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/store.db", directory);
    store = rc_db_open(path, RC_DB_CREATE, NULL, NULL);
    assert_non_null(store);
    assert_null(rc_regression_parts_fit(store, &wanted, RC_REGRESSION_PAPER, &error));
    assert_non_null(strstr(error.text, "no times of phases or processes"));
    put_parts(store, phases, processes);
    parts = rc_regression_parts_fit(store, &wanted, RC_REGRESSION_PAPER, &error);
    if (!parts)
        fail_msg("%s", error.text);
    assert_int_equal(parts->n_parts, n_parts);
    assert_int_equal(parts->left_out, 0);
    if (phases) /* a sum of two laws for one part is none of the paper's */
        assert_near(rc_regression_parts_seconds(parts, &question, 0.7, 5e6) /
                        (2 * (cubic_law(1500, 16, 0.7, 5e6) + transform_law(1500, 16, 0.7, 5e6))),
                    1, 1e-4);
    rc_regression_parts_destroy(parts);
    rc_db_close(store);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

static void parts_of_runs(void **state)
{
    (void)state;
    check_parts(true, true, 4);
    check_parts(true, false, 2);
    check_parts(false, true, 2);
}

/* On the reference the network is so fast that its communication hardly shows; on the target, whose
 * cores take twice as long, it does.  20 times as wide: 50 n^2 log2(P) / bw of up to 3 % there. */
static void by_default_runs_of_both_are_fitted_together(void **state)
{
    struct rc_regression_table reference = {0}, target = {0};
    struct rc_regression_model *model, *ported;
    struct rc_regression_port port;
    struct rc_regression_question question = {.n = 1500, .p = 8, .bytes = NAN};
    double truth = 2 * 2e-8 * pow(1500, 3) / 8 + 50 * 1500.0 * 1500 * 3 / 1e6;

    (void)state;
    seed(5);
    for (int i = 0; i < 60; i++) {
        double p = i < 20 ? 1 : i < 40 ? 2 : i < 50 ? 4 : 8;
        struct rc_regression_run run = law_run(cubic_law, 500 + i * 37 % 1500, p, 1, 2e8);

        run.seconds *= exp(rc_random_normal(chance, 0, 0.03));
        table_put(&reference, run);
    }
    for (int i = 0; i < 10; i++) {
        struct rc_regression_run run = law_run(cubic_law, 600 + 100 * i, i ? 2 : 1, 0.5, 1e6);

        run.cpu[0] = 1; /* cores of half the speed */
        table_put(&target, run);
    }
    table_put(&reference, law_run(cubic_law, 600, 1, 1, 2e8));
    model = rc_regression_fit(&reference, RC_REGRESSION_DEFAULT, NULL);
    assert_non_null(model);
    assert_int_equal(rc_regression_port_find(model, &reference, &target, &port, NULL), 0);
    assert_near(port.r_cpu, 2, 1e-6);
    ported = rc_regression_port_model(model, &reference, &target, &port, NULL);
    assert_non_null(ported);
    assert_finite(ported);
    assert_near(rc_regression_seconds(ported, &question, 1, 1e6), truth, 0.25 * truth);
    assert_int_equal(ported->n_runs, reference.n_runs + target.n_runs);
    rc_regression_model_destroy(ported);
    for (size_t i = 0; i < target.n_runs; i++) /* of which nothing is known: by the two numbers */
        target.runs[i].bw[0] = NAN;
    assert_null(rc_regression_port_pool(&reference, &target, 2));
    rc_regression_model_destroy(model);
    rc_regression_table_free(&reference);
    rc_regression_table_free(&target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_numbers_of_a_law),
        cmocka_unit_test(equation_3_by_hand),
        cmocka_unit_test(scaled_until_the_errors_are_equal),
        cmocka_unit_test(runs_that_were_not_dedicated_are_corrected),
        cmocka_unit_test(sizes_that_differ_are_compared_by_the_model),
        cmocka_unit_test(missing_runs_are_named),
        cmocka_unit_test(a_ported_model_waits_for_runs_of_its_own),
        cmocka_unit_test(equation_4_by_hand),
        cmocka_unit_test(parts_of_runs),
        cmocka_unit_test(by_default_runs_of_both_are_fitted_together),
    };
    int failed = RUN_TESTS(tests);

    seed(0);
    return failed;
}
