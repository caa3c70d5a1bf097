/* Sanjay and Vadhiyar's method: least squares, and the three stages. */
#include "laws.h"

#include "base/error.h"
#include "model/regression/formula.h"
#include "model/regression/sanjay_vadhiyar.h"

/* ---- least squares ---- */

static void one_column_by_hand(void **state)
{
    /* x = 1 2 3, y = 2 4 7: b = 31/14, SSE = 69 - 31^2/14 = 5/14, SE = sqrt(5/28) */
    struct rc_regression_normal normal = {.n_columns = 1};
    double coefficient, root;

    (void)state;
    rc_regression_normal_add(&normal, (double[]){1}, 2);
    rc_regression_normal_add(&normal, (double[]){2}, 4);
    rc_regression_normal_add(&normal, (double[]){3}, 7);
    assert_near(rc_regression_normal_error(&normal), sqrt(5.0 / 28), 1e-12);
    assert_near(rc_regression_normal_solve(&normal, &coefficient, &root), sqrt(5.0 / 28), 1e-12);
    assert_near(coefficient, 31.0 / 14, 1e-12);
    assert_near(root * root, 1.0 / 14, 1e-12);
}

static void two_columns_by_hand(void **state)
{
    /* 1 and x at x = 0 1 2 3, y = 1 3 4 8: slope 2.2, intercept 0.7, SSE 1.8, SE sqrt(0.9);
     * the inverse of (4 6; 6 14) is (0.7 -0.3; -0.3 0.2) */
    static const double y[] = {1, 3, 4, 8};
    struct rc_regression_normal normal = {.n_columns = 2};
    double c[2], root[3];

    (void)state;
    for (int x = 0; x < 4; x++)
        rc_regression_normal_add(&normal, (double[]){1, x}, y[x]);
    assert_near(rc_regression_normal_solve(&normal, c, root), sqrt(0.9), 1e-12);
    assert_near(c[0], 0.7, 1e-12);
    assert_near(c[1], 2.2, 1e-12);
    assert_near(root[0] * root[0], 0.7, 1e-12);
    assert_near(root[0] * root[1], -0.3, 1e-12);
    assert_near(root[1] * root[1] + root[2] * root[2], 0.2, 1e-12);
}

static void what_cannot_be_fitted_has_no_error(void **state)
{
    struct rc_regression_normal normal = {.n_columns = 2}, none = {.n_columns = 0},
                                zero = {.n_columns = 1};

    (void)state;
    rc_regression_normal_add(&normal, (double[]){1, 2}, 3);
    rc_regression_normal_add(&normal, (double[]){2, 3}, 4);
    assert_true(isinf(rc_regression_normal_error(&normal))); /* two runs, two columns */
    normal = (struct rc_regression_normal){.n_columns = 2};
    for (int i = 1; i < 9; i++)
        rc_regression_normal_add(&normal, (double[]){i, 1e9 * i}, i * i);
    assert_true(isinf(rc_regression_normal_error(&normal))); /* one column twice */
    assert_true(isinf(rc_regression_normal_error(&none)));
    for (int i = 0; i < 3; i++)
        rc_regression_normal_add(&zero, (double[]){0}, 1);
    assert_true(isinf(rc_regression_normal_error(&zero)));
}

static void the_functions_are_77(void **state)
{
    unsigned alone = 0, with_constant = 0, pairs = 0;
    bool met[RC_REGRESSION_SIZES_PAPER][RC_REGRESSION_SIZES_PAPER] = {{false}};

    (void)state;
    for (unsigned i = 0; i < RC_REGRESSION_PAPER_FUNCTIONS; i++) {
        struct rc_regression_paper_function f = rc_regression_paper_function(i);
        unsigned second = f.n == 2 ? f.sizes[1] : f.sizes[0];

        assert_true(f.sizes[0] >= 1 && f.sizes[0] < RC_REGRESSION_SIZES_PAPER);
        assert_true(second < RC_REGRESSION_SIZES_PAPER);
        assert_false(met[f.sizes[0]][second]);
        met[f.sizes[0]][second] = true;
        if (f.n == 1)
            alone++;
        else if (second == 0)
            with_constant++;
        else
            pairs += second > f.sizes[0];
    }
    assert_int_equal(alone, 11);
    assert_int_equal(with_constant, 11);
    assert_int_equal(pairs, 55);
}

/* ---- stages ---- */

/* How many members share what the first stage, and the second, decided on. */
static void count_members(const struct rc_regression_model *model, size_t *each, size_t *different)
{
    bool seen[RC_REGRESSION_MEMBERS_MAX] = {false};

    *each = *different = 0;
    for (size_t i = 0; i < model->n_members; i++) {
        size_t same = 0;

        if (seen[i])
            continue;
        for (size_t j = i; j < model->n_members; j++) {
            const struct rc_regression_member *a = &model->members[i], *b = &model->members[j];
            bool equal = a->n_terms == b->n_terms;

            for (unsigned k = 0; equal && k < a->n_terms; k++)
                equal = a->terms[k].size == b->terms[k].size &&
                        a->terms[k].width == b->terms[k].width &&
                        a->terms[k].cpu == b->terms[k].cpu;
            seen[j] = seen[j] || equal;
            same += equal;
        }
        if (same > *each)
            *each = same;
        ++*different;
    }
}

/* The standard error of a member's terms on the runs on two processes or more. */
static double error_above_one(const struct rc_regression_member *member,
                              const struct rc_regression_table *table)
{
    struct rc_regression_normal normal = {.n_columns = member->n_terms};

    for (size_t i = 0; i < table->n_runs; i++) {
        const struct rc_regression_run *run = &table->runs[i];
        double columns[RC_REGRESSION_COLUMNS_MAX];

        for (unsigned j = 0; j < member->n_terms; j++)
            columns[j] =
                rc_regression_size(member->terms[j].size, run->n) /
                rc_regression_procs(member->terms[j].procs, run->p) /
                (member->terms[j].cpu ? run->cpu[0]
                                      : rc_regression_width(member->terms[j].width, run->bw[0]));
        if (run->p > 1)
            rc_regression_normal_add(&normal, columns, run->seconds);
    }
    return rc_regression_normal_error(&normal);
}

static void each_stage_tries_and_keeps_what_the_paper_says(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;

    (void)state;
    seed(4);
    put_training(&table, cubic_law, 0.3);
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    assert_false(report.without_one);
    assert_same(report.stages[0].p, 1);
    assert_same(report.stages[1].p, 2);
    assert_int_equal(report.stages[0].runs, 20);
    assert_int_equal(report.stages[1].runs, 20);
    assert_int_equal(report.stages[2].runs, 40);
    assert_int_equal(report.stages[0].tried, 77);
    assert_int_equal(report.stages[1].tried, 12320);
    assert_int_equal(report.stages[2].tried, 5120);
    assert_true(report.stages[0].within > 20 && report.stages[1].within > 20);
    assert_int_equal(report.stages[0].kept, 20);
    assert_int_equal(report.stages[1].kept, 20);
    assert_int_equal(report.stages[2].kept, model->n_members);
    for (size_t i = 0; i < model->n_members; i++) {
        assert_true(error_above_one(&model->members[i], &table) <=
                    1.2 * report.stages[2].least * (1 + 1e-6));
        assert_true(i == 0 || model->members[i].error >= model->members[i - 1].error - 1e-6);
        assert_same(model->members[i].weight, i == 0);
    }
    assert_finite(model);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* Times that follow from nothing, so that all fit as badly. */
static void no_more_than_50_each_and_1000_in_all(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;
    size_t each, different;

    (void)state;
    seed(5);
    put_training(&table, cubic_law, 0);
    for (size_t i = 0; i < table.n_runs; i++)
        table.runs[i].seconds = 100 * exp(rc_random_normal(chance, 0, 1));
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    count_members(model, &each, &different);
    assert_int_equal(each, 50);
    assert_in_range(different, 2, 20);
    assert_true(report.stages[2].within > 1000);
    assert_int_equal(model->n_members, 50 * different);
    assert_finite(model);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* The second stage keeps ten for each function of computation: with one such function left, ten. */
static void no_more_than_ten_for_each_computation(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_sums *sums;
    struct rc_regression_paper_first first = {.functions = {9}, .n = 1}; /* n^2.5 / cpu */
    struct rc_regression_paper_report report = {0};
    struct rc_regression_combination list[RC_REGRESSION_PAPER_AFTER_THIRD];
    size_t n;

    (void)state;
    seed(6);
    put_training(&table, cubic_law, 0.3);
    sums = rc_regression_sums_create(&table, NULL);
    assert_non_null(sums);
    assert_int_equal(rc_regression_paper_search(sums, &first, list, &n, &report, NULL), 0);
    assert_int_equal(report.stages[1].tried, 616);
    assert_true(report.stages[1].within > 10);
    assert_int_equal(report.stages[1].kept, 10);
    assert_int_equal(report.stages[2].tried, 2560);
    rc_regression_sums_destroy(sums);
    rc_regression_table_free(&table);
}

static void laws_are_found(void **state)
{
    static const law_function laws[] = {cubic_law, transform_law, slow_law};

    (void)state;
    seed(7);
    for (size_t i = 0; i < COUNT(laws); i++) {
        struct rc_regression_table table = {0};
        struct rc_regression_model *model;

        put_training(&table, laws[i], 0);
        model = rc_regression_paper_fit(&table, NULL);
        assert_non_null(model);
        for (double p = 1; p <= 64; p *= 2) { /* sizes and processes that were not seen */
            struct rc_regression_run run = law_run(laws[i], 4000, p, 0.7, 8e6);

            assert_near(answer(model, &run) / run.seconds, 1, 1e-5);
        }
        assert_int_equal(model->members[0].stat, RC_REGRESSION_MINAVG);
        assert_int_equal(model->criterion, RC_REGRESSION_PAPER);
        assert_int_equal(model->n_runs, 60);
        assert_int_equal(model->up_to, 60);
        assert_finite(model);
        rc_regression_model_destroy(model);
        rc_regression_table_free(&table);
    }
}

static void the_formula_of_a_law(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    char *formula;

    (void)state;
    seed(8);
    put_training(&table, cubic_law, 0);
    model = rc_regression_paper_fit(&table, NULL);
    assert_non_null(model);
    formula = rc_regression_formula(model, &model->members[0]);
    assert_string_equal(formula, "2e-08 n^3 / (cpu P) + 50 n^2 log P / bw");
    free(formula);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* Eq. (1) by hand, of a member put together from a combination: n = 100, P = 4, cpu = 0.5, bw = 10
 * with 2 n^2 + 3 for computation over P, 5 n log2(n) for communication over sqrt(P) and bw^2. */
static void equation_1_by_hand(void **state)
{
    struct rc_regression_member member = {
        .terms = {{.size = 7, .procs = 2, .cpu = true},
                  {.size = 0, .procs = 2, .cpu = true},
                  {.size = 5, .procs = 1, .width = 4, .parallel = true}},
        .coefficients = {2, 3, 5},
        .n_terms = 3,
        .weight = 1,
    };
    struct rc_regression_model model = {.criterion = RC_REGRESSION_PAPER,
                                        .members = &member,
                                        .n_members = 1};
    struct rc_regression_question question = {.n = 100, .p = 4, .bytes = NAN};

    (void)state;
    assert_near(rc_regression_seconds(&model, &question, 0.5, 10),
                20003 / (0.5 * 4) + 5 * 100 * log2(100) / (100 * 2), 1e-9);
    question.p = 1; /* no communication */
    assert_near(rc_regression_seconds(&model, &question, 0.5, 10), 20003 / 0.5, 1e-9);
}

/* Eq. (2): on two processes both parts are over 2, so a combination of the second stage that is
 * fitted to two-process runs alone has the coefficients of the law. */
static void equation_2_by_hand(void **state)
{
    struct rc_regression_combination made = {
        .comp = 9, .comm = 6, .width = 2, .procs_comp = 2, .procs_comm = 2}; /* n^3; n^2 */
    struct rc_regression_table table = {0};
    struct rc_regression_normal normal;
    struct rc_regression_sums *sums;
    double c[2];

    (void)state;
    assert_string_equal(rc_regression_size_name(rc_regression_paper_function(9).sizes[0]), "n^3");
    assert_string_equal(rc_regression_size_name(rc_regression_paper_function(6).sizes[0]), "n^2");
    for (int i = 1; i <= 5; i++) {
        struct rc_regression_run run = law_run(cubic_law, 100 * i, 2, 1.0 / i, 10 * (6 - i));

        run.seconds =
            3 * pow(100 * i, 3) / (2 * run.cpu[0]) + 7e5 * pow(100 * i, 2) / (2 * run.bw[0]);
        table_put(&table, run);
    }
    sums = rc_regression_sums_create(&table, NULL);
    assert_non_null(sums);
    rc_regression_paper_normal(sums, made, &normal);
    assert_true(rc_regression_normal_solve(&normal, c, NULL) < 1);
    assert_near(c[0], 3, 1e-6);
    assert_near(c[1], 7e5, 1e-1);
    rc_regression_sums_destroy(sums);
    rc_regression_table_free(&table);
}

/* ---- what runs may lack ---- */

static void a_bandwidth_below_one_has_no_logarithm(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;

    (void)state;
    seed(9);
    put_training(&table, cubic_law, 0.3);
    for (size_t i = 0; i < table.n_runs; i++)
        table.runs[i].bw[0] /= 2e7; /* Gbit/s, say: 0.15 to 0.5 */
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    assert_int_equal(report.stages[1].tried, 20 * 77 * 6);
    assert_true(uses_width(model, 1, 6));
    assert_false(uses_width(model, 7, 8));
    assert_false(uses_width(model, 0, 0));
    assert_finite(model);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void a_size_of_one_has_no_logarithm(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;

    (void)state;
    seed(10);
    put_training(&table, cubic_law, 0.3);
    table.runs[0].n = 1;
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    /* of eleven functions five have a logarithm: six alone, six with a constant, 15 pairs */
    assert_int_equal(report.stages[0].tried, 27);
    assert_finite(model);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void without_a_known_load_it_is_a_whole_core(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;
    struct rc_regression_run run;

    (void)state;
    seed(11);
    put_training(&table, cubic_law, 0);
    for (size_t i = 0; i < table.n_runs; i++) {
        table.runs[i].seconds = cubic_law(table.runs[i].n, table.runs[i].p, 1, 5e6);
        table.runs[i].cpu[0] = table.runs[i].bw[0] = NAN;
    }
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    assert_int_equal(report.stages[1].tried, report.stages[0].kept * 77);
    assert_true(uses_width(model, 0, 0));
    assert_false(uses_width(model, 1, 8));
    run = law_run(cubic_law, 1200, 16, 1, 5e6);
    assert_near(answer(model, &run) / run.seconds, 1, 1e-5);
    assert_true(isnan(model->bw_mean));
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void the_other_statistic_serves_where_minavg_is_missing(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;

    (void)state;
    seed(12);
    put_training(&table, cubic_law, 0);
    for (size_t i = 0; i < table.n_runs; i++) {
        table.runs[i].cpu[1] = table.runs[i].cpu[0];
        table.runs[i].bw[1] = table.runs[i].bw[0];
        table.runs[i].cpu[0] = table.runs[i].bw[0] = NAN;
    }
    model = rc_regression_paper_fit(&table, NULL);
    assert_non_null(model);
    assert_int_equal(model->members[0].stat, RC_REGRESSION_AVGMIN);
    assert_near(model->members[0].coefficients[0], 2e-8, 1e-12);
    rc_regression_model_destroy(model);
    table.runs[0].cpu[0] = 0.5; /* one has it: it is minavg, and of the others nothing is known */
    model = rc_regression_paper_fit(&table, NULL);
    assert_non_null(model);
    assert_int_equal(model->members[0].stat, RC_REGRESSION_MINAVG);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void programs_that_cannot_run_on_one_process(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_paper_report report;
    struct rc_regression_model *model;
    struct rc_regression_run run;

    (void)state;
    seed(13);
    for (int i = 0; i < 20; i++)
        table_put(&table, some_run(cubic_law, 4, 0));
    for (int i = 0; i < 20; i++)
        table_put(&table, some_run(cubic_law, 8 + 8 * (i % 2), 0));
    model = rc_regression_paper_fit_report(&table, &report, NULL);
    assert_non_null(model);
    assert_true(report.without_one);
    assert_int_equal(report.stages[0].tried, 0);
    assert_same(report.stages[1].p, 4);
    assert_in_range(report.dropped, 1, 153);
    assert_in_range(report.stages[1].tried, 616, 77 * 77 * 8 - 1);
    assert_true(report.stages[1].kept <= 20);
    run = law_run(cubic_law, 3000, 32, 0.5, 4e6);
    assert_near(answer(model, &run) / run.seconds, 1, 1e-5);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

/* ---- trouble ---- */

static void refuse(const struct rc_regression_table *table, const char *what)
{
    struct rc_error error = {0};
    struct rc_regression_model *model = rc_regression_paper_fit(table, &error);

    assert_null(model);
    if (!strstr(error.text, what))
        fail_msg("'%s' has no '%s'", error.text, what);
    assert_non_null(strstr(error.hint, "1, 2, 4 and 8 processes"));
}

static void too_few_runs_are_refused_with_a_hint(void **state)
{
    struct rc_regression_table table = {0};

    (void)state;
    seed(14);
    refuse(&table, "too few process counts");
    for (int i = 0; i < 20; i++)
        table_put(&table, some_run(cubic_law, 1, 0.1));
    refuse(&table, "too few process counts");
    for (int i = 0; i < 20; i++)
        table_put(&table, some_run(cubic_law, 2, 0.1));
    refuse(&table, "too few process counts");
    table.n_runs = 21; /* one run on two processes, one on four */
    table_put(&table, some_run(cubic_law, 4, 0.1));
    refuse(&table, "too few or too similar");
    table.n_runs = 2;
    refuse(&table, "too few process counts");
    rc_regression_table_free(&table);
}

static void runs_that_are_alike_are_refused(void **state)
{
    struct rc_regression_table table = {0};

    (void)state;
    for (int i = 0; i < 40; i++)
        table_put(&table, law_run(cubic_law, 1000, 2 << i % 3, 1, 1e7));
    refuse(&table, "too similar");
    rc_regression_table_free(&table);
}

static void a_size_that_never_varies_can_do(void **state)
{
    struct rc_regression_table table = {0};
    struct rc_regression_model *model;
    struct rc_regression_run run = law_run(cubic_law, 1000, 16, 0.8, 5e6);

    (void)state;
    seed(15);
    for (int i = 0; i < 60; i++) {
        double cpu = 0.3 + 0.7 * rc_random_uniform(chance);

        table_put(&table, law_run(cubic_law, 1000, 1 << i % 4, cpu,
                                  1e7 * (0.3 + 0.7 * rc_random_uniform(chance))));
    }
    model = rc_regression_paper_fit(&table, NULL);
    assert_non_null(model);
    assert_near(answer(model, &run) / run.seconds, 1, 1e-4);
    assert_finite(model);
    rc_regression_model_destroy(model);
    rc_regression_table_free(&table);
}

static void times_that_cannot_be_are_refused(void **state)
{
    static const double bad[] = {0, -1, NAN, INFINITY};
    struct rc_regression_table table = {0};
    struct rc_error error;

    (void)state;
    seed(16);
    put_training(&table, cubic_law, 0.1);
    for (size_t i = 0; i < COUNT(bad); i++) {
        table.runs[30].seconds = bad[i];
        assert_null(rc_regression_paper_fit(&table, &error));
        assert_non_null(strstr(error.text, "cannot learn from"));
        assert_null(rc_regression_learner_create(&table, NULL, RC_REGRESSION_PAPER, &error));
    }
    rc_regression_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_column_by_hand),
        cmocka_unit_test(two_columns_by_hand),
        cmocka_unit_test(what_cannot_be_fitted_has_no_error),
        cmocka_unit_test(the_functions_are_77),
        cmocka_unit_test(each_stage_tries_and_keeps_what_the_paper_says),
        cmocka_unit_test(no_more_than_50_each_and_1000_in_all),
        cmocka_unit_test(no_more_than_ten_for_each_computation),
        cmocka_unit_test(laws_are_found),
        cmocka_unit_test(the_formula_of_a_law),
        cmocka_unit_test(equation_1_by_hand),
        cmocka_unit_test(equation_2_by_hand),
        cmocka_unit_test(a_bandwidth_below_one_has_no_logarithm),
        cmocka_unit_test(a_size_of_one_has_no_logarithm),
        cmocka_unit_test(without_a_known_load_it_is_a_whole_core),
        cmocka_unit_test(the_other_statistic_serves_where_minavg_is_missing),
        cmocka_unit_test(programs_that_cannot_run_on_one_process),
        cmocka_unit_test(too_few_runs_are_refused_with_a_hint),
        cmocka_unit_test(runs_that_are_alike_are_refused),
        cmocka_unit_test(a_size_that_never_varies_can_do),
        cmocka_unit_test(times_that_cannot_be_are_refused),
    };

    int failed = RUN_TESTS(tests);

    seed(0);
    return failed;
}
