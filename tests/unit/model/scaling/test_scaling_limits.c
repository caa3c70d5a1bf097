/* test_scaling_limits.c - where the lines of scaling models end: memory that does not grow,
 * communication that is hidden, and blocks that are far from those that were run. */
#include "scaling.h"

#include "model/scaling/monte_carlo.h"
#include "model/scaling/estimate.h"
#include "model/scaling/plan.h"
#include "model/scaling/row_split.h"

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
        left = rc_scaling_line_rising(x, cases[i].y, NULL, 3, &a, &b);
        assert_near(a, cases[i].a, 1e-12);
        assert_near(b, cases[i].b, 1e-12);
        assert_near(left, cases[i].left, 1e-12);
    }
    /* the heavy point has most to say of the mean */
    rc_scaling_line_rising(x, (double[]){7, 6, 4}, (double[]){1, 1, 8}, 3, &a, &b);
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
        left = rc_scaling_line_rising(x, y, weight, 5, &a, &b);
        assert_true(a >= 0 && b >= 0);
        for (int i = 0; i < 9; i++) {
            double p = fmax(a + 0.01 * (i % 3 - 1), 0), q = fmax(b + 0.01 * (i / 3 - 1), 0);
            double sum = 0;

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
    struct rc_scaling_model model;
    double per_cell, base;

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 1, 0, NULL);
    assert_int_equal(small.n, COUNT(bytes));
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory = bytes[i];
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_same(model.bytes_per_cell, 0);
    assert_near(model.bytes_base, 20535296, 1);
    assert_near(rc_scaling_memory(&model, &far), 20535296, 1);
    rc_scaling_model_free(&model);
    rc_scaling_plan_bytes(small.runs, small.n, &per_cell, &base);
    assert_same(per_cell, 0);
    assert_near(base, 20535296, 1);
    /* all of it is cells, and the libraries of parallel runs a little less: no base below 0 */
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory =
            100 * rc_scaling_mesh_cells(&small.runs[i].mesh) / (double)small.runs[i].procs - 1e6;
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_same(model.bytes_base, 0);
    assert_near(model.bytes_per_cell, 100, 0.1);
    rc_scaling_model_free(&model);
}

/* ---- communication that is hidden ---- */

/* A program that communicates while it computes: the longer of the two counts. */
static void overlapping_runs(struct small_runs *small, double messages, int repeats, double noise,
                             struct rc_random *random)
{
    six_steps(small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, repeats, 0,
              NULL);
    for (size_t i = 0; i < small->n; i++) {
        struct rc_scaling_run *run = &small->runs[i];
        struct rc_mesh block;

        assert_int_equal(rc_scaling_mesh_block(&run->mesh, run->procs, 1, &block, NULL), 0);
        run->seconds = fmax(computing(&table_one, &block), run->procs > 1 ? messages : 0);
        run->seconds *= 1 + (random ? rc_random_normal(random, 0, noise) : 0);
    }
}

static bool has_note(const struct rc_scaling_notes *notes, const char *text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strstr(notes->text[i], text))
            return true;
    return false;
}

static void estimate_of(const struct rc_scaling_model *model, const struct rc_mesh *block,
                        int64_t procs, struct rc_scaling_estimate *estimate)
{
    struct rc_scaling_mc *mc = rc_scaling_mc_create(model, 1, NULL);
    struct rc_mesh mesh;

    assert_non_null(mc);
    assert_int_equal(rc_scaling_mesh_of_blocks(block, procs, model->setting.cut, &mesh, NULL), 0);
    assert_int_equal(rc_scaling_estimate(model, mc, &mesh, procs, estimate, NULL), 0);
    rc_scaling_mc_free(mc);
}

static void hidden_communication(void **state)
{
    /* of 673 s of computing with the block of 64 */
    static const double messages[] = {1000, 673, 400, 100};
    static struct small_runs small;
    struct rc_scaling_options options;
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;

    (void)state;
    rc_scaling_options_init(&options);
    options.model_error = 0;
    for (size_t i = 0; i < COUNT(messages); i++) {
        overlapping_runs(&small, messages[i], 2, 0, NULL);
        fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
        /* 100 s are hidden behind a quarter of the work, too: none were seen */
        assert_int_equal(has_note(&model.notes, "communication is hidden behind computation"),
                         i < 3);
        assert_int_equal(has_note(&model.warnings, "communication is hidden behind computation"),
                         i < 3);
        for (int64_t procs = 8; procs <= 512; procs *= 8)
            for (int64_t rows = 256; rows <= 16384; rows *= 4) {
                const struct rc_mesh block = {{rows, 65536, 1}};
                double alone = computing(&table_one, &block), exact = fmax(alone, messages[i]);
                double low, high;

                estimate_of(&model, &block, procs, &estimate);
                assert_near(estimate.point.seconds, exact, 1e-9 * exact);
                assert_true(estimate.point.communicating >= 0);
                rc_value_span(estimate.seconds, 0.998, &low, &high);
                assert_near(low, exact, 1e-9 * exact);
                assert_near(high, exact, 1e-9 * exact);
                rc_value_span(estimate.communicating, 0.998, &low, &high);
                assert_true(low >= 0);
                rc_scaling_estimate_free(&estimate);
            }
        rc_scaling_model_free(&model);
    }
}

/* With noise the large block stays about its computing; and at what was measured nothing is cut
 * off: there noise has two sides. */
static void hidden_communication_with_noise(void **state)
{
    static struct small_runs small;
    const struct rc_mesh large = {{16384, 65536, 1}};
    struct rc_random *random = rc_random_create(31, 0);
    struct rc_scaling_options options;
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;
    double alone = computing(&table_one, &large), sum = 0;
    size_t n = 0;

    (void)state;
    rc_scaling_options_init(&options);
    options.gamma = RC_GAMMA_EACH;
    options.form_sd = options.model_error = 0;
    options.noise = 0.02;
    overlapping_runs(&small, 673, 3, 0.02, random);
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    model.d = -1e-9; /* growth is not asked about here, and may be drawn as it comes */
    estimate_of(&model, &large, 64, &estimate);
    assert_near(rc_value_mean(estimate.seconds), alone, 0.05 * alone);
    assert_near(estimate.point.seconds, alone, 0.05 * alone);
    rc_scaling_estimate_free(&estimate);
    for (size_t i = 0; i < small.n; i++)
        if (small.runs[i].procs == 8 && small.runs[i].mesh.extent[RC_MESH_ROWS] == 8192) {
            sum += small.runs[i].seconds;
            n++;
        }
    estimate_of(&model, &block_of_64, 8, &estimate);
    assert_near(rc_value_mean(estimate.seconds), sum / (double)n, 0.002 * sum / (double)n);
    rc_scaling_estimate_free(&estimate);
    rc_scaling_model_free(&model);
    rc_random_destroy(random);
}

/* Alpha that falls leads to no time below computing, however far out. */
static void falling_alpha_ends_at_zero(void **state)
{
    static struct small_runs small;
    const struct truth falling = {.a = 2, .b = 1e-6, .c = 50, .d = -8};
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;
    double alone = computing(&falling, &block_of_64), low, high;

    (void)state;
    six_steps(&small, &falling, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    model.options.model_error = 0;
    assert_near(model.d, -8, 1e-9);
    estimate_of(&model, &block_of_64, 4096, &estimate);
    assert_near(estimate.point.seconds, alone, 1e-9 * alone);
    assert_true(estimate.point.hidden);
    rc_value_span(estimate.seconds, 0.998, &low, &high);
    assert_true(low >= alone * (1 - 1e-9));
    rc_scaling_estimate_free(&estimate);
    rc_scaling_model_free(&model);
}

/* Parallel runs that took less than computing alone, by more than noise, are no communication. */
static void faster_than_computing(void **state)
{
    static struct small_runs small;
    struct rc_scaling_model model;

    (void)state;
    for (int less = 0; less < 2; less++) {
        six_steps(&small, &(struct truth){.a = 2, .b = 1e-6}, &block_of_64, (int[]){1, 4}, 2,
                  (int64_t[]){4, 8}, 2, 2, 0, NULL);
        for (size_t i = 0; i < small.n; i++)
            small.runs[i].seconds *= small.runs[i].procs == 8 && less ? 0.97 : 1;
        fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
        assert_int_equal(has_note(&model.notes,
                                  "8 processes with 1024 x 65536 each took 67.04 s, and "
                                  "one process 69.11 s"),
                         less);
        assert_false(has_note(&model.notes, "4 processes with"));
        rc_scaling_model_free(&model);
    }
}

static void smaller_blocks_that_take_longer(void **state)
{
    static struct small_runs small;
    struct rc_scaling_options options;
    struct rc_scaling_model model;

    (void)state;
    rc_scaling_options_init(&options);
    for (int times = 1; times <= 4; times++) { /* the quarter on 4 took 74.5 s, the whole 129.8 */
        six_steps(&small, &(struct truth){.a = 2, .b = 1e-6, .c = 30, .d = 12, .gamma = 1e-7},
                  &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
        for (size_t i = 0; i < small.n; i++)
            if (small.runs[i].procs == 4 && small.runs[i].mesh.extent[RC_MESH_ROWS] == 1024)
                small.runs[i].seconds *= times;
        options.noise = times == 3 ? 0.5 : 0; /* no warning of what noise explains */
        fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
        assert_int_equal(has_note(&model.notes, "a smaller block took longer: "), times % 2 == 0);
        if (times == 2)
            assert_true(has_note(&model.warnings,
                                 "a smaller block took longer: 148.9 s with 256 x 65536 "
                                 "on 4 processes, but 129.8 s with 1024 x 65536"));
        rc_scaling_model_free(&model);
    }
}

/* ---- blocks that were not run ---- */

/* What is far from the blocks that were run is known less well, on one process too: half of the
 * interval is 1.645 sd.  What is between them is as sure as they are. */
static void other_blocks_are_less_certain(void **state)
{
    static const struct {
        int64_t procs, rows;
        double doublings;
    } cases[] = {{8, 1024, 0},   {8, 512, 0},  {8, 2048, 1},  {8, 16384, 4},
                 {8, 64, 2},     {1, 1024, 0}, {1, 16384, 4}, {64, 1024, 3},
                 {64, 16384, 7}, {64, 64, 5},  {4, 256, 0},   {2, 16384, 4}};
    static struct small_runs small;
    struct rc_scaling_options options;
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;

    (void)state;
    rc_scaling_options_init(&options);
    options.form_sd = 0;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rc_mesh block = {{cases[i].rows, 65536, 1}};
        double sd = 0.02 * sqrt(cases[i].doublings), low, high;

        estimate_of(&model, &block, cases[i].procs, &estimate);
        rc_value_span(estimate.seconds, 0.9, &low, &high);
        assert_near((high - low) / 2 / estimate.point.seconds, 1.645 * sd, 0.05 * sd + 1e-9);
        rc_scaling_estimate_free(&estimate);
    }
    rc_scaling_model_free(&model);
}

/* Messages that are longer than all that were run are said, with the cut that makes them so. */
static void long_messages(void **state)
{
    static struct small_runs small;
    const struct truth truth = {
        .a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6, .beta = 1e-4, .cut = 2};
    const struct rc_mesh block = {{1024, 1024, 1}}, halved = {{512, 512, 1}};
    const struct rc_mesh whole = {{8192, 8192, 1}};
    struct rc_scaling_estimate estimate;
    struct rc_scaling_mc *mc;
    struct rc_scaling_model model;

    (void)state;
    six_steps(&small, &truth, &block, (int[]){1, 4}, 2, (int64_t[]){9, 16}, 2, 2, 0, NULL);
    for (int64_t procs = 1; procs <= 16; procs += procs == 1 ? 8 : 7)
        add_runs(&small, &truth, &halved, procs, 2, 0, NULL);
    fit_runs(&small, 2, NULL, NULL, "A", "ethernet", 1, &model);
    assert_true(model.has_beta);
    mc = rc_scaling_mc_create(&model, 1, NULL);
    assert_non_null(mc);
    assert_int_equal(rc_scaling_estimate(&model, mc, &whole, 61, &estimate, NULL), 0);
    assert_true(has_note(&estimate.notes,
                         "the mesh is cut into 61 x 1 parts for 61 processes; their "
                         "messages have 16654 cells, those of the small runs at most "
                         "4096"));
    rc_scaling_estimate_free(&estimate);
    assert_int_equal(rc_scaling_estimate(&model, mc, &whole, 64, &estimate, NULL), 0);
    assert_int_equal(estimate.notes.n, 0);
    rc_scaling_estimate_free(&estimate);
    rc_scaling_mc_free(mc);
    rc_scaling_model_free(&model);
}

/* ---- one process beside others ---- */

/* A single process has nobody to talk to; one beside another cluster has. */
static void one_process_beside_a_cluster(void **state)
{
    const struct rc_mesh mesh = {{33 * 1024, 65536, 1}};
    struct rc_scaling_model models[2];
    struct rc_scaling_mc *mc[2];
    struct rc_scaling_side sides[2];
    struct rc_scaling_share shares[2] = {{.procs = 1, .rows = 1024}, {.procs = 32, .rows = 32768}};
    struct rc_scaling_estimate estimate, each[2];
    double alone = computing(&table_one, &block_of_64), two = overhead(&table_one, &block_of_64, 2);

    (void)state;
    for (int i = 0; i < 2; i++) {
        fit_truth(&table_one, &block_of_64, i == 0 ? "A" : "B", "ethernet", 1, &models[i]);
        shares[i].model = &models[i];
        shares[i].mc = mc[i] = rc_scaling_mc_create(&models[i], 1, NULL);
        assert_non_null(mc[i]);
        sides[i] = (struct rc_scaling_side){.share = shares[i], .memory = NAN};
    }
    assert_int_equal(rc_scaling_estimate_many(shares, 2, &mesh, NULL, &estimate, each, NULL), 0);
    assert_near(each[0].point.computing, alone, 1e-9 * alone);
    assert_near(each[0].point.communicating, two, 1e-9 * two);
    assert_int_equal(each[0].point.talking, 2);
    assert_near(rc_value_mean(each[0].communicating), two, 0.05 * two);
    assert_true(has_note(&each[0].notes, "one process has neighbours on other clusters"));
    assert_false(has_note(&each[1].notes, "one process has neighbours"));
    for (int i = 0; i < 2; i++)
        rc_scaling_estimate_free(&each[i]);
    rc_scaling_estimate_free(&estimate);
    /* so rows are shared by what they take together, and the larger part ends no later */
    assert_int_equal(rc_scaling_split(sides, 2, &mesh, RC_SPLIT_TIME, NULL), 0);
    assert_true(sides[0].share.rows > 1024);
    assert_near(true_seconds(&table_one, &(struct rc_mesh){{sides[0].share.rows * 2, 65536, 1}}, 2),
                true_seconds(&table_one, &(struct rc_mesh){{sides[1].share.rows, 65536, 1}}, 32),
                2);
    /* without the other it has all the mesh, and nobody to talk to */
    shares[0].rows = mesh.extent[RC_MESH_ROWS];
    shares[1].rows = 0;
    assert_int_equal(rc_scaling_estimate_many(shares, 2, &mesh, NULL, &estimate, NULL, NULL), 0);
    assert_same(estimate.point.communicating, 0);
    assert_int_equal(estimate.point.talking, 1);
    assert_false(has_note(&estimate.notes, "neighbours on other clusters"));
    rc_scaling_estimate_free(&estimate);
    for (int i = 0; i < 2; i++) {
        rc_scaling_mc_free(mc[i]);
        rc_scaling_model_free(&models[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_lines),
        cmocka_unit_test(rising_lines_are_the_best),
        cmocka_unit_test(memory_that_does_not_grow),
        cmocka_unit_test(hidden_communication),
        cmocka_unit_test(hidden_communication_with_noise),
        cmocka_unit_test(falling_alpha_ends_at_zero),
        cmocka_unit_test(faster_than_computing),
        cmocka_unit_test(smaller_blocks_that_take_longer),
        cmocka_unit_test(other_blocks_are_less_certain),
        cmocka_unit_test(long_messages),
        cmocka_unit_test(one_process_beside_a_cluster),
    };

    return RUN_TESTS(tests);
}
