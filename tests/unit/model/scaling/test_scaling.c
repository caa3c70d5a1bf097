/* test_scaling.c - the time of a large run from small ones: the paper's six steps, and what is past
 * them. */
#include "scaling.h"

#include "model/scaling/monte_carlo.h"
#include "model/scaling/estimate.h"
#include "model/scaling/linearity.h"

static const struct rc_mesh big = {{65536, 65536, 1}}, block_of_64 = {{1024, 65536, 1}};

/* ---- meshes ---- */

static void cuts(void **state)
{
    static const struct {
        int64_t procs;
        int directions;
        int64_t parts[3];
    } cases[] = {{1, 1, {1, 1, 1}},     {64, 1, {64, 1, 1}}, {12, 2, {4, 3, 1}},
                 {9, 2, {3, 3, 1}},     {7, 2, {7, 1, 1}},   {27, 3, {3, 3, 3}},
                 {64, 3, {4, 4, 4}},    {24, 3, {4, 3, 2}},  {16, 3, {4, 2, 2}},
                 {1024, 3, {16, 8, 8}}, {13, 3, {13, 1, 1}}, {36, 3, {4, 3, 3}}};
    int64_t parts[3];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_scaling_mesh_cut(cases[i].procs, cases[i].directions, parts, NULL), 0);
        assert_memory_equal(parts, cases[i].parts, sizeof parts);
    }
    assert_int_equal(rc_scaling_mesh_cut(0, 1, parts, NULL), -1);
    assert_int_equal(rc_scaling_mesh_cut(4, 4, parts, NULL), -1);
}

static void blocks(void **state)
{
    struct rc_mesh mesh = {{100, 60, 1}}, block, back;
    struct rc_error error;
    char text[RC_MESH_TEXT];

    (void)state;
    assert_int_equal(rc_scaling_mesh_block(&mesh, 12, 2, &block, NULL), 0);
    assert_string_equal(rc_scaling_mesh_text(&block, text), "25 x 20");
    assert_same(rc_scaling_mesh_surface(&block, 1), 40);
    assert_same(rc_scaling_mesh_surface(&block, 2), 90);
    assert_int_equal(rc_scaling_mesh_of_blocks(&block, 12, 2, &back, NULL), 0);
    assert_true(rc_scaling_mesh_equal(&mesh, &back));
    /* the largest block sets the guess */
    assert_int_equal(rc_scaling_mesh_block(&mesh, 8, 1, &block, NULL), 0);
    assert_int_equal(block.extent[0], 13);
    assert_int_equal(rc_scaling_mesh_block(&mesh, 101, 1, &block, &error), -1);
    assert_string_equal(error.text, "100 rows cannot be cut into 101 parts for 101 processes");
    assert_int_equal(rc_scaling_mesh_init(&mesh, 4, 0, 1, &error), -1);
    assert_int_equal(rc_scaling_mesh_init(&mesh, 64, 64, 64, NULL), 0);
    assert_string_equal(rc_scaling_mesh_text(&mesh, text), "64 x 64 x 64");
    assert_same(rc_scaling_mesh_surface(&mesh, 3), 6 * 64 * 64);
}

/* ---- the six steps ---- */

/* What the paper does by hand, step by step. */
static double by_hand(const struct truth *truth, int64_t procs)
{
    double alpha[2], gamma = 0, work = rc_scaling_mesh_cells(&block_of_64);
    struct rc_mesh quarter = {{256, 65536, 1}};
    double d, c;

    for (int i = 0; i < 2; i++) {
        double full = overhead(truth, &block_of_64, 4 << i),
               fourth = overhead(truth, &quarter, 4 << i);

        gamma = (full - fourth) / (0.75 * work);
        alpha[i] = full - gamma * work;
    }
    d = alpha[1] - alpha[0];
    c = alpha[0] - 2 * d;
    return computing(truth, &block_of_64) + c + d * log2((double)procs) + gamma * work;
}

static void six_steps_are_exact(void **state)
{
    struct rc_scaling_model model;
    struct rc_scaling_parts parts;
    double exact;

    (void)state;
    fit_truth(&table_one, &block_of_64, "A", "ethernet", 1, &model);
    assert_near(model.c, table_one.c, 1e-9 * table_one.c);
    assert_near(model.d, table_one.d, 1e-9 * table_one.d);
    assert_near(model.gamma, table_one.gamma, 1e-9 * table_one.gamma);
    assert_int_equal(model.n_at, 2);
    assert_near(model.at[0].alpha, 30 + 2 * 12, 1e-9);
    assert_near(model.at[1].alpha, 30 + 3 * 12, 1e-9);
    assert_int_equal(rc_scaling_point(&model, &big, 64, false, &parts, NULL), 0);
    exact = true_seconds(&table_one, &big, 64);
    assert_near(parts.seconds, exact, 1e-9 * exact);
    assert_near(parts.seconds, by_hand(&table_one, 64), 1e-9 * exact);
    assert_near(parts.computing, 2 + 10e-6 * 0x1p26, 1e-9 * exact);
    assert_near(parts.alpha, 30 + 6 * 12, 1e-9 * exact);
    assert_near(parts.gamma_work, 0.8e-6 * 0x1p26, 1e-9 * exact);
    assert_near(parts.computing + parts.communicating, parts.seconds, 1e-9);
    /* sizes that were not run lie on the line */
    for (int64_t procs = 2; procs <= 4096; procs *= 2) {
        exact = true_seconds(&table_one, &big, procs);
        assert_int_equal(rc_scaling_point(&model, &big, procs, false, &parts, NULL), 0);
        assert_near(parts.seconds, exact, 1e-9 * exact);
    }
    assert_int_equal(rc_scaling_point(&model, &big, 1, false, &parts, NULL), 0);
    assert_same(parts.communicating, 0);
    rc_scaling_model_free(&model);
}

/* gamma(8), and neither gamma(4) nor a mean of both: Eq. 4 and step 5. */
static void gamma_of_the_most(void **state)
{
    static struct small_runs small;
    struct truth on_four = table_one, on_eight = table_one;
    struct rc_scaling_model model;
    struct rc_scaling_parts parts;
    const double work = rc_scaling_mesh_cells(&block_of_64);
    double alpha[2];

    (void)state;
    on_four.gamma = 2e-6;
    six_steps(&small, &on_four, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4}, 1, 1, 0, NULL);
    for (int i = 0; i < 2; i++) {
        struct rc_mesh block = block_of_64;

        block.extent[RC_MESH_ROWS] /= i == 0 ? 1 : 4;
        add_runs(&small, &on_eight, &block, 8, 1, 0, NULL);
    }
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_false(model.one_gamma);
    assert_near(model.at[0].gamma, 2e-6, 1e-15);
    assert_near(model.gamma, 0.8e-6, 1e-15);
    alpha[0] = 30 + 2 * 12;
    alpha[1] = 30 + 3 * 12;
    assert_int_equal(rc_scaling_point(&model, &big, 64, false, &parts, NULL), 0);
    assert_near(parts.seconds,
                2 + 10e-6 * work + alpha[1] + 3 * (alpha[1] - alpha[0]) + 0.8e-6 * work, 1e-6);
    rc_scaling_model_free(&model);
}

/* One gamma is taken where repeats show no difference, each its own where they do. */
static void one_gamma_or_each(void **state)
{
    static struct small_runs small;
    struct rc_random *random = rc_random_create(3, 0);
    struct rc_scaling_options options;
    struct rc_scaling_model model;
    struct truth on_eight = table_one;
    const int64_t both[] = {4, 8};

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, both, 2, 3, 0.01, random);
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_true(model.one_gamma);
    assert_int_equal(model.noise.freedom, 12);
    assert_same(model.at[0].gamma, model.at[1].gamma);
    rc_scaling_model_free(&model);
    rc_scaling_options_init(&options);
    options.gamma = RC_GAMMA_EACH;
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    assert_false(model.one_gamma);
    assert_true(model.at[0].gamma != model.at[1].gamma);
    rc_scaling_model_free(&model);

    on_eight.gamma = 4e-6;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, both, 1, 3, 0.01, random);
    add_runs(&small, &on_eight, &block_of_64, 8, 3, 0.01, random);
    add_runs(&small, &on_eight, &(struct rc_mesh){{256, 65536, 1}}, 8, 3, 0.01, random);
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_false(model.one_gamma);
    rc_scaling_model_free(&model);

    /* nothing was repeated: the paper to the letter, and a note */
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, both, 2, 1, 0, NULL);
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_false(model.one_gamma);
    assert_same(model.noise.sd, RC_SCALING_NOISE_ASSUMED);
    assert_int_equal(model.noise.freedom, 0);
    assert_non_null(strstr(model.notes.text[0], "no run was repeated"));
    rc_scaling_model_free(&model);
    rc_random_destroy(random);
}

/* ---- work ---- */

static void work_by_expression_or_power(void **state)
{
    static struct small_runs small;
    const struct truth steep = {.a = 1, .b = 2e-8, .c = 5, .d = 1, .gamma = 1e-9, .exponent = 1.3};
    const struct rc_mesh block = {{128, 16384, 1}}, whole = {{16384, 16384, 1}};
    const double exact = true_seconds(&steep, &whole, 128);
    struct rc_scaling_samples samples;
    struct rc_scaling_parts parts;
    struct rc_scaling_model model;
    struct rc_scaling_work work;
    struct rc_error error;
    double amount;

    (void)state;
    six_steps(&small, &steep, &block, (int[]){1, 2, 4}, 3, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    assert_int_equal(rc_scaling_samples_make(small.runs, small.n, 1, &samples, NULL), 0);
    assert_int_equal(rc_scaling_work_fit(&samples, &work, NULL), 0);
    assert_near(work.exponent, 1.3, 1e-6);
    fit_runs(&small, 1, &work, NULL, "A", "myrinet", 1, &model);
    assert_int_equal(rc_scaling_point(&model, &whole, 128, false, &parts, NULL), 0);
    assert_near(parts.seconds, exact, 1e-6 * exact);
    rc_scaling_model_free(&model);
    rc_scaling_work_free(&work);
    assert_int_equal(rc_scaling_work_parse("cells ^ 1.3", &work, NULL), 0);
    fit_runs(&small, 1, &work, NULL, "A", "myrinet", 1, &model);
    assert_int_equal(rc_scaling_point(&model, &whole, 128, false, &parts, NULL), 0);
    assert_near(parts.seconds, exact, 1e-9 * exact);
    rc_scaling_model_free(&model);
    rc_scaling_work_free(&work);
    samples.n_groups = 2;
    assert_int_equal(rc_scaling_work_fit(&samples, &work, &error), -1);
    assert_non_null(strstr(error.text, "three sizes"));
    rc_scaling_samples_free(&samples);

    assert_int_equal(rc_scaling_work_parse("rows * cols * log2(procs) + layers", &work, NULL), 0);
    assert_int_equal(rc_scaling_work_of(&work, &block, 8, &amount, NULL), 0);
    assert_near(amount, 128 * 16384 * 3 + 1, 1e-6);
    rc_scaling_work_free(&work);
    assert_int_equal(rc_scaling_work_parse("rows * columns", &work, &error), -1);
    assert_non_null(strstr(error.hint, "rows, cols, layers, cells and procs"));
    assert_int_equal(rc_scaling_work_parse("rows -", &work, &error), -1);
    assert_int_equal(rc_scaling_work_parse("rows - cells - 1", &work, &error), -1);
}

/* ---- what is missing or disagrees ---- */

static int try_fit(const struct small_runs *small, bool force, struct rc_error *error)
{
    const struct rc_scaling_setting setting = {.cluster = "A"};
    const struct rc_scaling_work cells = {0};
    struct rc_scaling_options options;
    struct rc_scaling_samples samples;
    struct rc_scaling_model model;
    int status;

    rc_scaling_options_init(&options);
    options.force = force;
    assert_int_equal(rc_scaling_samples_make(small->runs, small->n, 1, &samples, NULL), 0);
    status = rc_scaling_fit(&samples, &cells, &setting, &options, &model, error);
    if (status == 0 && force)
        assert_non_null(strstr(model.notes.text[0], "disagree by 30 %"));
    rc_scaling_samples_free(&samples);
    rc_scaling_model_free(&model);
    return status;
}

static void missing_runs(void **state)
{
    static struct small_runs small;
    const struct truth *t = &table_one;
    const struct rc_mesh quarter = {{256, 65536, 1}};
    struct rc_error error;

    (void)state;
    small.n = 0;
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_string_equal(error.text, "no runs on 1 process");
    add_runs(&small, t, &block_of_64, 1, 1, 0, NULL);
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_string_equal(error.text, "only one block size in runs on 1 process");
    add_runs(&small, t, &quarter, 1, 1, 0, NULL);
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_string_equal(error.text, "no parallel runs");
    add_runs(&small, t, &block_of_64, 4, 1, 0, NULL);
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_string_equal(error.text, "only one block size in runs on 4 processes");
    add_runs(&small, t, &quarter, 4, 1, 0, NULL);
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_string_equal(error.text, "parallel runs on only one number of processes");
    assert_string_equal(error.code, "scaling.missing-runs");
    add_runs(&small, t, &block_of_64, 8, 1, 0, NULL);
    add_runs(&small, t, &(struct rc_mesh){{512, 65536, 1}}, 8, 1, 0, NULL);
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_non_null(strstr(error.text, "no sequential run of 512 x 65536"));
}

static void runs_that_disagree(void **state)
{
    static struct small_runs small;
    struct rc_error error;

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    small.runs[0].seconds *= 1.19;
    assert_int_equal(try_fit(&small, false, &error), 0);
    small.runs[0].seconds *= 1.3 / 1.19;
    assert_int_equal(try_fit(&small, false, &error), -1);
    assert_non_null(strstr(error.text, "2 runs of 1024 x 65536 on 1 process disagree by 30 %"));
    assert_string_equal(error.code, "scaling.runs-disagree");
    assert_int_equal(try_fit(&small, true, &error), 0);
}

/* ---- several directions ---- */

/* Messages change with the block, and the runs of the plan tell them from the work. */
static void cuts_of_two_and_three(void **state)
{
    static struct small_runs small;
    static const struct {
        int cut;
        int64_t procs[2], large;
        struct rc_mesh block, halved, whole;
    } cases[] = {{2, {9, 16}, 256, {{512, 512, 1}}, {{256, 256, 1}}, {{8192, 8192, 1}}},
                 {3, {27, 64}, 512, {{64, 64, 64}}, {{32, 32, 64}}, {{512, 512, 512}}}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct truth truth = {
            .a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6, .beta = 1e-4, .cut = cases[i].cut};
        struct rc_scaling_model model;
        struct rc_scaling_parts parts;
        double exact = true_seconds(&truth, &cases[i].whole, cases[i].large);

        six_steps(&small, &truth, &cases[i].block, (int[]){1, 4}, 2, cases[i].procs, 2, 2, 0, NULL);
        add_runs(&small, &truth, &cases[i].halved, 1, 2, 0, NULL);
        for (int j = 0; j < 2; j++)
            add_runs(&small, &truth, &cases[i].halved, cases[i].procs[j], 2, 0, NULL);
        fit_runs(&small, cases[i].cut, NULL, NULL, "A", "ethernet", 1, &model);
        assert_true(model.has_beta);
        assert_near(model.beta, truth.beta, 1e-7 * truth.beta);
        assert_int_equal(
            rc_scaling_point(&model, &cases[i].whole, cases[i].large, false, &parts, NULL), 0);
        assert_near(parts.seconds, exact, 1e-9 * exact);
        /* another number of processes has another block, and other messages */
        exact = true_seconds(&truth, &cases[i].whole, cases[i].large * 8);
        assert_int_equal(
            rc_scaling_point(&model, &cases[i].whole, cases[i].large * 8, false, &parts, NULL), 0);
        assert_near(parts.seconds, exact, 1e-7 * exact);
        rc_scaling_model_free(&model);
    }
}

static bool says_messages(const struct rc_scaling_model *model)
{
    for (size_t i = 0; i < model->notes.n; i++)
        if (strstr(model->notes.text[i], "cannot separate the cost of messages"))
            return true;
    return false;
}

/* Two sizes of block cannot tell messages from work: that is said, but of a cut by rows, where
 * messages are all alike. */
static void messages_without_a_term(void **state)
{
    static struct small_runs small;
    const struct rc_mesh block = {{512, 512, 1}}, halved = {{256, 256, 1}};
    const int64_t procs[2] = {9, 16};
    struct rc_scaling_model model;

    (void)state;
    for (int cut = 1; cut <= 2; cut++) {
        const struct truth truth = {
            .a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6, .beta = 1e-4, .cut = cut};

        six_steps(&small, &truth, &block, (int[]){1, 4}, 2, procs, 2, 2, 0, NULL);
        fit_runs(&small, cut, NULL, NULL, "A", "ethernet", 1, &model);
        assert_false(model.has_beta);
        assert_int_equal(says_messages(&model), cut == 2);
        rc_scaling_model_free(&model);
        add_runs(&small, &truth, &halved, 1, 2, 0, NULL);
        for (int j = 0; j < 2; j++)
            add_runs(&small, &truth, &halved, procs[j], 2, 0, NULL);
        fit_runs(&small, cut, NULL, NULL, "A", "ethernet", 1, &model);
        assert_int_equal(model.has_beta, cut == 2);
        assert_false(says_messages(&model));
        rc_scaling_model_free(&model);
    }
}

/* ---- draws ---- */

/* How often the time of a run to come lies in its interval of 90 %. */
static double coverage(double noise, int repeats, uint64_t seed, int trials)
{
    static struct small_runs small;
    struct rc_random *random = rc_random_create(seed, 0);
    int held = 0;

    for (int i = 0; i < trials; i++) {
        struct truth truth = table_one;
        struct rc_scaling_model model;
        struct rc_scaling_estimate estimate;
        struct rc_scaling_mc *mc;
        double low, high, seconds;

        truth.k = rc_random_normal(random, 0, 0.15);
        six_steps(&small, &truth, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, repeats,
                  noise, random);
        fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
        mc = rc_scaling_mc_create(&model, (uint64_t)i, NULL);
        assert_non_null(mc);
        assert_int_equal(rc_scaling_estimate(&model, mc, &big, 64, &estimate, NULL), 0);
        rc_value_span(estimate.seconds, 0.9, &low, &high);
        seconds = true_seconds(&truth, &big, 64) * (1 + rc_random_normal(random, 0, noise)) *
                  (1 + rc_random_normal(random, 0, 0.02 * sqrt(3))); /* 8 to 64: three doublings */
        held += seconds >= low && seconds <= high;
        rc_scaling_estimate_free(&estimate);
        rc_scaling_mc_free(mc);
        rc_scaling_model_free(&model);
    }
    rc_random_destroy(random);
    return (double)held / trials;
}

static void intervals_cover(void **state)
{
    (void)state;
    /* 400 trials of 90 %: an sd of 1.5 % */
    assert_near(coverage(0.02, 3, 11, 400), 0.9, 0.045);
    assert_near(coverage(0.005, 3, 12, 400), 0.9, 0.045);
    assert_near(coverage(0.02, 2, 13, 400), 0.9, 0.045);
}

static void samples_without_noise(void **state)
{
    struct rc_scaling_options options;
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;
    struct rc_scaling_mc *mc;
    static struct small_runs small;
    double exact = true_seconds(&table_one, &big, 64), low, high;

    (void)state;
    rc_scaling_options_init(&options);
    options.form_sd = options.model_error = 0;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    mc = rc_scaling_mc_create(&model, 1, NULL);
    assert_non_null(mc);
    assert_int_equal(rc_scaling_estimate(&model, mc, &big, 64, &estimate, NULL), 0);
    rc_value_span(estimate.seconds, 0.9, &low, &high);
    assert_near(estimate.point.seconds, exact, 1e-9 * exact);
    assert_near(low, exact, 1e-9 * exact);
    assert_near(high, exact, 1e-9 * exact);
    assert_near(rc_value_mean(estimate.computing), 2 + 10e-6 * 0x1p26, 1e-6);
    assert_near(rc_value_mean(estimate.communicating), exact - 2 - 10e-6 * 0x1p26, 1e-6);
    assert_int_equal(estimate.notes.n, 0);
    rc_scaling_estimate_free(&estimate);
    /* far out, and with blocks that were not run: said */
    assert_int_equal(rc_scaling_estimate(&model, mc, &big, 4096, &estimate, NULL), 0);
    assert_int_equal(estimate.notes.n, 2);
    assert_non_null(strstr(estimate.notes.text[0], "smaller than all measured blocks"));
    assert_non_null(strstr(estimate.notes.text[1], "4096 processes are 512 times"));
    rc_scaling_estimate_free(&estimate);
    rc_scaling_mc_free(mc);
    rc_scaling_model_free(&model);
}

/* What is far from the small runs is known less well, and they themselves are known: half of the
 * interval is 1.645 sd. */
static void the_model_error_grows(void **state)
{
    static const int64_t procs[] = {8, 16, 64, 512};
    struct rc_scaling_options options;
    struct rc_scaling_estimate estimate;
    struct rc_scaling_model model;
    struct rc_scaling_mc *mc;
    static struct small_runs small;
    double low, high;

    (void)state;
    rc_scaling_options_init(&options);
    assert_near(options.model_error, 0.02, 0);
    options.form_sd = 0;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    mc = rc_scaling_mc_create(&model, 1, NULL);
    assert_non_null(mc);
    for (size_t i = 0; i < sizeof procs / sizeof *procs; i++) {
        struct rc_mesh mesh = big;
        double sd = 0.02 * sqrt(log2((double)procs[i] / 8));

        mesh.extent[RC_MESH_ROWS] = block_of_64.extent[RC_MESH_ROWS] * procs[i];
        assert_int_equal(rc_scaling_estimate(&model, mc, &mesh, procs[i], &estimate, NULL), 0);
        rc_value_span(estimate.seconds, 0.9, &low, &high);
        assert_near((high - low) / 2 / estimate.point.seconds, 1.645 * sd, 0.05 * sd + 1e-9);
        rc_scaling_estimate_free(&estimate);
    }
    rc_scaling_mc_free(mc);
    rc_scaling_model_free(&model);
}

/* Growth that is not there but by noise is none. */
static void falling_alpha(void **state)
{
    static struct small_runs small;
    struct truth falling = table_one;
    struct rc_random *random = rc_random_create(5, 0);
    struct rc_scaling_options options;
    struct rc_scaling_model model;

    (void)state;
    falling.d = -0.5;
    rc_scaling_options_init(&options);
    options.noise = 0.02;
    six_steps(&small, &falling, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 1, 0, NULL);
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    assert_true(model.level);
    assert_same(model.d, 0);
    assert_near(model.c, 30 - 0.5 * 2.5, 0.3);
    rc_scaling_model_free(&model);
    options.noise = 0;
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    assert_false(model.level);
    assert_near(model.d, -0.5, 1e-9);
    rc_scaling_model_free(&model);
    rc_random_destroy(random);
}

/* ---- linearity ---- */

static size_t findings_of(const struct small_runs *small, struct rc_scaling_finding *findings,
                          struct rc_scaling_model *model)
{
    size_t n;

    fit_runs(small, 1, NULL, NULL, "A", "ethernet", 1, model);
    assert_int_equal(rc_scaling_linearity_check(model, findings, &n, NULL), 0);
    return n;
}

static void linear_times(void **state)
{
    static struct small_runs small;
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    struct rc_random *random = rc_random_create(7, 0);
    struct rc_scaling_model model;

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 3, 0.005,
              random);
    assert_int_equal(findings_of(&small, findings, &model), 0);
    rc_scaling_model_free(&model);
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 2, 4}, 3, (int64_t[]){4, 8, 16}, 3, 3,
              0.005, random);
    assert_int_equal(findings_of(&small, findings, &model), 5);
    for (size_t i = 0; i < 5; i++)
        if (findings[i].nonlinear)
            fail_msg("%s", findings[i].text);
    assert_int_equal(findings[0].kind, RC_LINE_COMPUTING);
    assert_int_equal(findings[1].kind, RC_LINE_OVERHEAD);
    assert_int_equal(findings[1].procs, 4);
    assert_int_equal(findings[4].kind, RC_LINE_GROWTH);
    assert_non_null(strstr(findings[4].text, "alpha is linear in log2 np"));
    assert_same(model.k, 0);
    assert_true(model.k_sd < 0.3);
    rc_scaling_model_free(&model);
    rc_random_destroy(random);
}

static void nonlinear_times(void **state)
{
    static struct small_runs small;
    static const struct {
        double exponent;
        enum rc_scaling_form best;
        const char *text;
    } cases[] = {{0.5, RC_FORM_SQRT, "sqrt(w) fits better"},
                 {1.6, RC_FORM_POWER, "w^1.60 fits better"}};
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];
    struct rc_scaling_model model;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct truth nonlinear = {.b = 1, .c = 1, .d = 1, .exponent = cases[i].exponent};

        nonlinear.b = 600 / pow(rc_scaling_mesh_cells(&block_of_64), nonlinear.exponent);
        six_steps(&small, &nonlinear, &block_of_64, (int[]){1, 2, 4}, 3, (int64_t[]){4, 8}, 2, 2, 0,
                  NULL);
        assert_int_equal(findings_of(&small, findings, &model), 3);
        assert_true(findings[0].nonlinear);
        assert_int_equal(findings[0].best, cases[i].best);
        assert_non_null(strstr(findings[0].text, "computation is not linear in work"));
        assert_non_null(strstr(findings[0].text, cases[i].text));
        assert_false(findings[1].nonlinear);
        rc_scaling_model_free(&model);
    }
}

static void nonlinear_growth(void **state)
{
    static struct small_runs small;
    static const struct {
        double k;
        enum rc_scaling_form best;
        const char *text;
    } cases[] = {{0.5, RC_FORM_SQRT, "sqrt(np) fits better"},
                 {1, RC_FORM_LINEAR, "np fits better"}};
    struct rc_scaling_finding findings[RC_SCALING_FINDINGS_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct truth steep = table_one;
        struct rc_scaling_model model;
        struct rc_scaling_parts parts;
        double exact;

        steep.k = cases[i].k;
        six_steps(&small, &steep, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8, 16, 32}, 4, 2,
                  0, NULL);
        assert_int_equal(findings_of(&small, findings, &model), 1);
        assert_int_equal(findings[0].kind, RC_LINE_GROWTH);
        assert_true(findings[0].nonlinear);
        assert_int_equal(findings[0].best, cases[i].best);
        assert_non_null(strstr(findings[0].text, cases[i].text));
        /* the model has taken note */
        assert_near(model.k, cases[i].k, 0.1);
        exact = true_seconds(&steep, &big, 64);
        assert_int_equal(rc_scaling_point(&model, &big, 64, false, &parts, NULL), 0);
        assert_near(parts.seconds, exact, 0.03 * exact);
        rc_scaling_model_free(&model);
    }
}

/* ---- memory, from the runs ---- */

static void memory_of_runs(void **state)
{
    static struct small_runs small;
    const struct rc_mesh block = {{2048, 32768, 1}};
    struct rc_scaling_options options;
    struct rc_scaling_model model;

    (void)state;
    six_steps(&small, &table_one, &block_of_64, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 1, 0, NULL);
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_true(isnan(rc_scaling_memory(&model, &block)));
    rc_scaling_model_free(&model);
    for (size_t i = 0; i < small.n; i++)
        small.runs[i].memory =
            1e7 + 32 * rc_scaling_mesh_cells(&small.runs[i].mesh) / (double)small.runs[i].procs;
    fit_runs(&small, 1, NULL, NULL, "A", "ethernet", 1, &model);
    assert_near(model.bytes_per_cell, 32, 1e-6);
    assert_near(rc_scaling_memory(&model, &block), 1e7 + 0x1p31, 10);
    rc_scaling_model_free(&model);
    rc_scaling_options_init(&options);
    options.bytes_per_cell = 40;
    fit_runs(&small, 1, NULL, &options, "A", "ethernet", 1, &model);
    assert_near(rc_scaling_memory(&model, &block), 40 * 0x1p26, 1e-3);
    rc_scaling_model_free(&model);
}

/* ---- runs of the database ---- */

static void runs_of_the_database(void **state)
{
    const struct rc_param params[] = {{"rows", 4096}, {"network", 2}, {"per_host", 4}};
    const struct rc_param bad[] = {{"rows", 40.5}};
    struct rc_run run;
    struct rc_scaling_run out;
    struct rc_error why;

    (void)state;
    rc_db_run_init(&run);
    run.p = 4;
    run.n = 65536;
    run.seconds = 7;
    assert_int_equal(rc_scaling_run_of(&run, NULL, &out, NULL), 1);
    assert_true(rc_scaling_mesh_equal(&out.mesh, &big));
    assert_int_equal(out.cut, 1);
    assert_int_equal(out.network, 0);
    assert_true(out.cluster == RC_SCALING_CLUSTER_UNSAID);
    run.params = params;
    run.n_params = COUNT(params);
    assert_int_equal(rc_scaling_run_of(&run, NULL, &out, NULL), 1);
    assert_int_equal(out.mesh.extent[RC_MESH_ROWS], 4096);
    assert_int_equal(out.mesh.extent[RC_MESH_COLS], 65536);
    assert_int_equal(out.network, 2);
    assert_int_equal(out.per_host, 4);
    run.params = bad;
    run.n_params = 1;
    assert_int_equal(rc_scaling_run_of(&run, NULL, &out, &why), 0);
    assert_non_null(strstr(why.text, "rows is 40.5"));
    run.n_params = 0;
    run.status = RC_RUN_FAILED;
    assert_int_equal(rc_scaling_run_of(&run, NULL, &out, &why), 0);
    assert_string_equal(why.text, "it failed");
}

/* A question has no time: size, processes and parameters are enough. */
static void layouts_without_time(void **state)
{
    const struct rc_param params[] = {{"rows", 4096}, {"per_host", 4}};
    struct rc_scaling_run out;

    (void)state;
    assert_int_equal(
        rc_scaling_run_layout(65536, 64, NULL, params, COUNT(params), NULL, &out, NULL), 0);
    assert_int_equal(out.procs, 64);
    assert_int_equal(out.mesh.extent[RC_MESH_ROWS], 4096);
    assert_int_equal(out.per_host, 4);
    assert_true(isnan(out.seconds) && isnan(out.memory));
    assert_int_equal(rc_scaling_run_layout(NAN, 64, NULL, NULL, 0, NULL, &out, NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts),
        cmocka_unit_test(blocks),
        cmocka_unit_test(six_steps_are_exact),
        cmocka_unit_test(gamma_of_the_most),
        cmocka_unit_test(one_gamma_or_each),
        cmocka_unit_test(work_by_expression_or_power),
        cmocka_unit_test(missing_runs),
        cmocka_unit_test(runs_that_disagree),
        cmocka_unit_test(cuts_of_two_and_three),
        cmocka_unit_test(messages_without_a_term),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(samples_without_noise),
        cmocka_unit_test(the_model_error_grows),
        cmocka_unit_test(falling_alpha),
        cmocka_unit_test(linear_times),
        cmocka_unit_test(nonlinear_times),
        cmocka_unit_test(nonlinear_growth),
        cmocka_unit_test(memory_of_runs),
        cmocka_unit_test(runs_of_the_database),
        cmocka_unit_test(layouts_without_time),
    };

    return RUN_TESTS(tests);
}
