/* test_scaling_limits.c - where the lines of scaling models end: memory that does not grow,
 * communication that is hidden, and blocks that are far from those that were run. */
#include "scaling.h"

#include "scaling/draws.h"
#include "scaling/estimate.h"
#include "scaling/plan.h"

static const struct rc_mesh block_of_64 = {{1024, 65536, 1}};

/* ---- lines that neither fall nor begin below 0 ---- */

static void rising_lines(void **state)
{
    static const struct {
        double y[3], a, b, left;
    } cases[] = {{{3, 5, 9}, 1, 2, 0},               /* 1 + 2 x */
                 {{7, 6, 4}, 17.0 / 3, 0, 14.0 / 3}, /* falls: the mean */
                 {{0, 2, 6}, 0, 28.0 / 21, 8.0 / 3}, /* -2 + 2 x: through 0 */
                 {{0, 0, 0}, 0, 0, 0},
                 {{-1, -2, -4}, 0, 0, 21}};
    const double x[3] = {1, 2, 4};
    double a, b, left;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        left = rc_scale_line_rising(x, cases[i].y, NULL, 3, &a, &b);
        assert_near(a, cases[i].a, 1e-12);
        assert_near(b, cases[i].b, 1e-12);
        assert_near(left, cases[i].left, 1e-12);
    }
    /* the heavy point has most to say of the mean */
    rc_scale_line_rising(x, (double[]){7, 6, 4}, (double[]){1, 1, 8}, 3, &a, &b);
    assert_near(a, 4.5, 1e-12);
    assert_same(b, 0);
}

/* No line within the bounds has fewer squares: those around on a grid have not. */
static void rising_lines_are_the_best(void **state)
{
    struct rc_random *random = rc_random_create(21, 0);

    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        double x[5], y[5], weight[5], a, b, left;

        for (int i = 0; i < 5; i++) {
            x[i] = i;
            y[i] = rc_random_normal(random, 1, 2);
            weight[i] = 0.1 + (i * trial) % 3;
        }
        left = rc_scale_line_rising(x, y, weight, 5, &a, &b);
        assert_true(a >= 0 && b >= 0);
        for (int i = 0; i < 9; i++) {
            double p = fmax(a + 0.01 * (i % 3 - 1), 0), q = fmax(b + 0.01 * (i / 3 - 1), 0), sum = 0;

            for (int j = 0; j < 5; j++)
                sum += weight[j] * (y[j] - p - q * x[j]) * (y[j] - p - q * x[j]);
            assert_true(sum >= left - 1e-12);
        }
    }
    rc_random_destroy(random);
}

/* ---- memory ---- */

static void memory_that_does_not_grow(void **state)
{
    /* six runs of a program whose libraries are all that it has: on 1, 4 and 8, full and quarter */
    static const double bytes[] = {20492288, 20545536, 20566016, 20488192, 20545536, 20574208};
    static struct small_runs small;
    const struct rc_mesh far = {{16384, 65536, 1}};
    struct rc_scale_model model;
    double per_cell, base;

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 1, 0, NULL);
    assert_int_equal(small.n, COUNT(bytes));
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory = bytes[i];
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_same(model.bytes_per_cell, 0);
    assert_near(model.bytes_base, 20535296, 1);
    assert_near(rc_scale_memory(&model, &far), 20535296, 1);
    rc_scale_model_free(&model);
    rc_scale_plan_bytes(small.runs, small.n, &per_cell, &base);
    assert_same(per_cell, 0);
    assert_near(base, 20535296, 1);
    /* all of it is cells, and the libraries of parallel runs a little less: no base below 0 */
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory = 100 * rc_mesh_cells(&small.runs[i].mesh) /
                                   (double)small.runs[i].procs -
                               1e6;
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_same(model.bytes_base, 0);
    assert_near(model.bytes_per_cell, 100, 0.1);
    rc_scale_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_lines),
        cmocka_unit_test(rising_lines_are_the_best),
        cmocka_unit_test(memory_that_does_not_grow),
    };

    return RUN_TESTS(tests);
}
