/* test_scaling_choices.c - several clusters at once, and what to choose: with the figures of the
 * paper's Tables I and II. */
#include <stdlib.h>

#include "white_rose.h"

/* ---- several clusters ---- */

/* Cluster A is as in test_scaling.c; B computes faster. */
static const struct truth truth_b = {.a = 1, .b = 5e-6, .c = 20, .d = 8, .gamma = 0.5e-6};

static void fit_both(struct rc_scaling_model models[2])
{
    fit_truth(&table_one, &(struct rc_mesh){{1024, 65536, 1}}, "A", "ethernet", 1, &models[0]);
    fit_truth(&truth_b, &(struct rc_mesh){{1024, 65536, 1}}, "B", "ethernet", 4, &models[1]);
}

static double seconds_of(const struct truth *truth, int64_t rows, int64_t procs)
{
    return true_seconds(truth, &(struct rc_mesh){{rows, 65536, 1}}, procs);
}

static void the_slowest_counts(void **state)
{
    struct rc_scaling_model models[2];
    struct rc_scaling_share shares[2] = {{.procs = 64, .rows = 32768},
                                         {.procs = 32, .rows = 32768}};
    struct rc_scaling_estimate estimate, each[2];
    double a = seconds_of(&table_one, 32768, 64), b = seconds_of(&truth_b, 32768, 32);
    const double *mc[3];
    size_t n;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++) {
        shares[i].model = &models[i];
        shares[i].mc = rc_scaling_mc_create(&models[i], 1, NULL);
        assert_non_null(shares[i].mc);
    }
    assert_int_equal(rc_scaling_estimate_many(shares, 2, &n65536, NULL, &estimate, each, NULL), 0);
    assert_near(each[0].point.seconds, a, 1e-9 * a);
    assert_near(each[1].point.seconds, b, 1e-9 * b);
    assert_near(estimate.point.seconds, fmax(a, b), 1e-9 * a);
    mc[0] = rc_value_draws(each[0].seconds, &n);
    mc[1] = rc_value_draws(each[1].seconds, &n);
    mc[2] = rc_value_draws(estimate.seconds, &n);
    for (size_t i = 0; i < n; i++)
        assert_same(mc[2][i], fmax(mc[0][i], mc[1][i]));
    rc_scaling_estimate_free(&estimate);
    /* what the link costs comes on top */
    assert_int_equal(rc_scaling_estimate_many(shares, 2, &n65536,
                                              &(struct rc_scaling_link){.seconds = 50}, &estimate,
                                              NULL, NULL),
                     0);
    assert_near(estimate.point.seconds, fmax(a, b) + 50, 1e-6);
    rc_scaling_estimate_free(&estimate);
    shares[1].rows = 100;
    assert_int_equal(rc_scaling_estimate_many(shares, 2, &n65536, NULL, &estimate, NULL, NULL), -1);
    for (int i = 0; i < 2; i++) {
        rc_scaling_estimate_free(&each[i]);
        rc_scaling_mc_free((struct rc_scaling_mc *)(uintptr_t)shares[i].mc);
        rc_scaling_model_free(&models[i]);
    }
}

/* Two processes on each side, with the blocks of the target. */
static void a_measured_link(void **state)
{
    struct rc_scaling_model models[2];
    struct rc_scaling_share shares[2] = {{.procs = 2, .rows = 2048}, {.procs = 2, .rows = 2048}};
    struct rc_scaling_run runs[2] = {{.procs = 4, .cut = 1, .mesh = {{4096, 65536, 1}}},
                                     {.procs = 4, .cut = 1, .mesh = {{4096, 65536, 1}}}};
    double longest = fmax(seconds_of(&table_one, 2048, 2), seconds_of(&truth_b, 2048, 2));
    struct rc_scaling_link link;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++) {
        shares[i].model = &models[i];
        runs[i].seconds = longest + 6 + 2 * i;
    }
    assert_int_equal(rc_scaling_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_near(link.seconds, 7, 1e-6);
    assert_string_equal(link.cluster[0], "A");
    assert_string_equal(link.cluster[1], "B");
    assert_int_equal(link.cols, 65536);
    assert_string_equal(link.network, "ethernet");
    strcpy(models[0].setting.network, "myrinet"); /* each has its own */
    assert_int_equal(rc_scaling_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_string_equal(link.network, "");
    strcpy(models[1].setting.network, "myrinet");
    assert_int_equal(rc_scaling_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_string_equal(link.network, "myrinet");
    runs[1].procs = 8;
    assert_int_equal(rc_scaling_link_measure(runs, 2, shares, 2, &link, NULL), -1);
    for (int i = 0; i < 2; i++)
        rc_scaling_model_free(&models[i]);
}

static void splits(void **state)
{
    struct rc_scaling_model models[2];
    struct rc_scaling_side sides[2];
    struct rc_error error;
    double a, b;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++)
        sides[i] =
            (struct rc_scaling_side){.share = {.model = &models[i], .procs = i == 0 ? 64 : 32},
                                     .core_cost = i + 1,
                                     .memory = NAN};
    /* equal times, to within a row for each process */
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
    assert_int_equal(sides[0].share.rows + sides[1].share.rows, 65536);
    a = seconds_of(&table_one, sides[0].share.rows, 64);
    b = seconds_of(&truth_b, sides[1].share.rows, 32);
    assert_near(a, b, 2 * 10.8e-6 * 65536);
    /* nothing else is faster */
    for (int64_t by = -4096; by <= 4096; by += 512)
        assert_true(fmax(seconds_of(&table_one, sides[0].share.rows + by, 64),
                         seconds_of(&truth_b, sides[1].share.rows - by, 32)) >=
                    fmax(a, b) - 10.8e-6 * 65536);
    /* given, and by memory: 2 GiB on each of 64, 2 GiB on each of 32 */
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_GIVEN, NULL), 0);
    assert_int_equal(sides[0].share.rows, 32768);
    sides[0].weight = 3;
    sides[1].weight = 1;
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_GIVEN, NULL), 0);
    assert_int_equal(sides[0].share.rows, 49152);
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_MEMORY, &error), -1);
    for (int i = 0; i < 2; i++) {
        sides[i].memory = 0x1p31;
        sides[i].bytes_per_cell = 32;
    }
    assert_int_equal(rc_scaling_side_rows(&sides[0], &n65536), 65536);
    assert_int_equal(rc_scaling_side_rows(&sides[1], &n65536), 32768);
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_near((double)sides[0].share.rows, 65536 * 2 / 3.0, 1);
    /* memory limits the faster side */
    sides[1].memory = 0x1p30;
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
    assert_int_equal(sides[1].share.rows, 16384);
    sides[0].memory = 0x1p30;
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_TIME, &error), -1);
    assert_non_null(strstr(error.text, "do not fit in the memory of these clusters (49152 "
                                       "rows do)"));
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), -1);
    /* beyond memory, which still says who gets more */
    sides[0].beyond = sides[1].beyond = true;
    assert_true(rc_scaling_side_rows(&sides[0], &n65536) == RC_MESH_MAX);
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_near((double)sides[0].share.rows, 65536 * 2 / 3.0, 1);
    assert_int_equal(sides[0].share.rows + sides[1].share.rows, 65536);
    sides[0].memory = 0x1p29;
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_int_equal(sides[0].share.rows, 32768);
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
    for (int i = 0; i < 2; i++)
        rc_scaling_model_free(&models[i]);
}

/* Both until the end, or one alone: whatever costs less. */
static void least_cost(void **state)
{
    struct rc_scaling_model models[2];
    struct rc_scaling_side sides[2];

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++)
        sides[i] =
            (struct rc_scaling_side){.share = {.model = &models[i], .procs = i == 0 ? 64 : 32},
                                     .core_cost = 1,
                                     .memory = NAN};
    for (double cost = 0.25; cost <= 16; cost *= 2) {
        double alone[2], together, paid;

        sides[1].core_cost = cost;
        assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
        together = seconds_of(&table_one, sides[0].share.rows, 64);
        together = rc_scaling_cost(together, 64, 1) + rc_scaling_cost(together, 32, cost);
        alone[0] = rc_scaling_cost(seconds_of(&table_one, 65536, 64), 64, 1);
        alone[1] = rc_scaling_cost(seconds_of(&truth_b, 65536, 32), 32, cost);
        assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_COST, NULL), 0);
        paid = together;
        if (sides[0].share.rows == 0 || sides[1].share.rows == 0)
            paid = alone[sides[0].share.rows == 0];
        assert_near(paid, fmin(together, fmin(alone[0], alone[1])), 1e-3 * paid);
    }
    /* dear as B is by now, A does it alone */
    assert_int_equal(sides[1].share.rows, 0);
    sides[0].core_cost = NAN;
    assert_int_equal(rc_scaling_split(sides, 2, &n65536, RC_SPLIT_COST, NULL), -1);
    for (int i = 0; i < 2; i++)
        rc_scaling_model_free(&models[i]);
}

/* ---- the tables ---- */

/* Scenario 2: A costs 1 and B 2 for a core and an hour. */
static void cost_of_scenario_two(void **state)
{
    const double predicted = (rc_scaling_cost(1686.0, 32, 1) + rc_scaling_cost(1686.0, 32, 2)) /
                             rc_scaling_cost(259.5, 32, 2),
                 measured = (rc_scaling_cost(1645.5, 32, 1) + rc_scaling_cost(1645.5, 32, 2)) /
                            rc_scaling_cost(281.0, 32, 2);

    (void)state;
    assert_near(predicted, 10, 0.5);
    assert_near(measured, 8.8, 0.05);
    assert_near(rc_scaling_core_hours(1800, 64), 32, 1e-12);
}

/* 32 bytes for a cell make the fourth rows of Tables I and II. */
static void memory_of_the_tables(void **state)
{
    static const struct {
        int64_t rows, n, procs;
        double gib;
    } cases[] = {{65536, 65536, 64, 2},
                 {65536, 65536, 32, 4},
                 {32768, 65536, 64, 1},
                 {32768, 65536, 32, 2},
                 {32768, 32768, 32, 1}};
    struct rc_scaling_model model = {.bytes_per_cell = 32};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_mesh mesh = {{cases[i].rows, cases[i].n, 1}}, block;

        assert_int_equal(rc_scaling_mesh_block(&mesh, cases[i].procs, 1, &block, NULL), 0);
        assert_same(rc_scaling_memory(&model, &block), cases[i].gib * 0x1p30);
    }
}

/* ---- choices ---- */

static void make_book(struct rc_scaling_models *models)
{
    struct truth fast_a = table_one, fast_b = truth_b;
    const struct rc_mesh block = {{1024, 65536, 1}};
    struct rc_scaling_model model;

    *models = (struct rc_scaling_models){0};
    fast_a.c = fast_b.c = 1;
    fast_a.d = fast_b.d = 0.5;
    fit_truth(&table_one, &block, "A", "ethernet", 1, &model);
    assert_int_equal(rc_scaling_models_put(models, &model, NULL), 0);
    fit_truth(&fast_a, &block, "A", "myrinet", 1, &model);
    assert_int_equal(rc_scaling_models_put(models, &model, NULL), 0);
    fit_truth(&truth_b, &block, "B", "ethernet", 4, &model);
    assert_int_equal(rc_scaling_models_put(models, &model, NULL), 0);
}

static const struct rc_choice *choice_of(const struct rc_choices *choices, size_t n_parts,
                                         size_t cluster, size_t network)
{
    for (size_t i = 0; i < choices->n; i++)
        if (choices->items[i].n_parts == n_parts && choices->items[i].parts[0].cluster == cluster &&
            choices->items[i].parts[0].network == network)
            return &choices->items[i];
    return NULL;
}

/* Table I: 64 of A over either network, 32 of B, or both. */
static void scenario_one(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    struct rc_choices_request request;
    const struct rc_choice *choice;
    struct rc_choices choices;
    struct rc_scaling_models models;

    make_book(&models);
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.bytes_per_cell = 32;
    request.split = RC_SPLIT_GIVEN;
    request.deadline = 500;
    request.budget = 10;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 5);
    choice = choice_of(&choices, 1, 0, 0);
    assert_int_equal(choice->state, RC_CHOICE_OK);
    assert_same(choice->parts[0].memory, 0x1p31);
    assert_near(choice->estimate.point.seconds, true_seconds(&table_one, &n65536, 64), 1e-6);
    assert_near(choice->core_hours, choice->seconds * 64 / 3600, 1e-9);
    assert_near(choice->cost, choice->core_hours, 1e-9);
    for (size_t network = 0; network < 2; network++) {
        choice = choice_of(&choices, 1, 1, network);
        assert_int_equal(choice->state, RC_CHOICE_NO_MEMORY);
        assert_string_equal(choice->why, "a process needs 4 GiB; 2 GiB available on a host of 'B' "
                                         "with 4 per host");
    }
    choice = choice_of(&choices, 2, 0, 0);
    assert_int_equal(choice->state, RC_CHOICE_OK);
    assert_same(choice->parts[0].memory, 0x1p30);
    assert_same(choice->parts[1].memory, 0x1p31);
    assert_near(choice->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)), 1e-6);
    assert_near(choice->cost, choice->seconds * (64 * 1 + 32 * 2) / 3600, 1e-9);
    /* sorted by time; the pair is the fastest, and faster than the deadline */
    assert_ptr_equal(choice, &choices.items[0]);
    assert_true(choices.items[0].seconds < choices.items[1].seconds);
    assert_true(choice->pareto);
    assert_near(choice->on_time, 1, 0.05);
    assert_same(choices.items[2].on_time, 0);
    assert_same(choice->in_budget, 0);
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

static void all_choices(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.per_host = 1}, {.excluded = true}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scaling_models models;
    struct rc_error error;
    const struct rc_mesh meshes[2] = {n65536, n32768};
    size_t ok = 0, unknown = 0;

    make_book(&models);
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = meshes;
    request.n_meshes = 2;
    request.clusters = clusters;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    for (size_t i = 0; i < choices.n; i++) {
        ok += choices.items[i].state == RC_CHOICE_OK;
        unknown += choices.items[i].state == RC_CHOICE_NO_MODEL;
        assert_int_equal(choices.items[i].n_parts, 1);
    }
    /* 1, 2, 4 ... 128 over two networks; nothing was run with 32768 columns */
    assert_int_equal(ok, 16);
    assert_int_equal(unknown, 2);
    assert_non_null(strstr(choices.items[16].why, "no measurements on 'A' over ethernet for "
                                                  "a mesh of 32768 x 32768"));
    rc_scaling_choices_free(&choices);
    /* a mesh that fits nowhere */
    request.n_meshes = 1;
    request.bytes_per_cell = 1000;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "no choice fits in memory"));
    assert_non_null(strstr(error.hint, "more processes"));
    rc_scaling_choices_free(&choices);
    /* and one of which nothing is known */
    request.meshes = &meshes[1];
    request.bytes_per_cell = NAN;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "no measurements"));
    assert_string_equal(error.code, "scaling.no-runs");
    assert_int_equal(choices.n, 2);
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

/* Pairs that memory, or the asked split, is in the way of. */
static void impossible_pairs(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    const double weights[2] = {1, 1e-4};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scaling_models models;

    make_book(&models);
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.split = RC_SPLIT_GIVEN;
    request.weights = weights;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choice_of(&choices, 2, 0, 0)->state, RC_CHOICE_NO_SPLIT);
    assert_string_equal(choice_of(&choices, 2, 0, 0)->why,
                        "7 rows are too few for 32 processes of 'B'");
    rc_scaling_choices_free(&choices);
    request.bytes_per_cell = 64;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), -1);
    assert_int_equal(choice_of(&choices, 2, 0, 0)->state, RC_CHOICE_NO_MEMORY);
    assert_non_null(strstr(choice_of(&choices, 2, 0, 0)->why, "(49152 rows do)"));
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

/* With four on a host there is room for what does not fit with one on each. */
static void too_many_for_some(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.excluded = true}, {.procs = {128}, .n_procs = 1}};
    const struct rc_mesh block = {{1024, 65536, 1}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scaling_model model;
    struct rc_scaling_models models = {0};
    struct rc_error error;

    for (int per_host = 1; per_host <= 4; per_host += 3) {
        fit_truth(&truth_b, &block, "B", "ethernet", per_host, &model);
        assert_int_equal(rc_scaling_models_put(&models, &model, NULL), 0);
    }
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.network = "ethernet";
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 1);
    assert_int_equal(choices.items[0].parts[0].per_host, 4);
    assert_ptr_equal(choices.items[0].parts[0].model, &models.items[1]);
    assert_int_equal(choices.notes.n, 1);
    assert_string_equal(choices.notes.text[0], "cluster 'B' takes at most 87 processes with 1 per "
                                               "host; 128 are left out");
    rc_scaling_choices_free(&choices);
    clusters[1].procs[0] = 500;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, &error), -1);
    assert_int_equal(choices.n, 0);
    assert_string_equal(error.text, "no choices: cluster 'B' takes at most 87 processes with 1 per "
                                    "host; 500 are left out; cluster 'B' takes at most 348 "
                                    "processes with 4 per host; 500 are left out");
    rc_scaling_choices_free(&choices);
    clusters[1].procs[0] = 0;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "takes 1 to 87 processes, not 0"));
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

/* Of two links between the same clusters, a pair pays for that of its own network. */
static void links_of_networks(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    const struct rc_scaling_link links[2] = {
        {.cluster = {"A", "B"}, .network = "myrinet", .cols = 65536, .seconds = 500, .runs = 1},
        {.cluster = {"A", "B"}, .network = "ethernet", .cols = 65536, .seconds = 50, .runs = 1}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scaling_models models;

    make_book(&models);
    for (int i = 0; i < 2; i++)
        assert_int_equal(rc_scaling_models_put_link(&models, &links[i], NULL), 0);
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.split = RC_SPLIT_GIVEN;
    request.links = true;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_near(choice_of(&choices, 2, 0, 0)->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)) + 50,
                1e-6);
    assert_int_equal(choices.notes.n, 0);
    rc_scaling_choices_free(&choices);
    models.n_links = 1; /* the other network's alone is none */
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_near(choice_of(&choices, 2, 0, 0)->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)), 1e-6);
    assert_true(has_note(&choices.notes, "was not measured for 65536 columns"));
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

/* Clusters share rows: a mesh that is cut in other directions too is not shared. */
static void no_pairs_of_other_cuts(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    const struct truth truth = {.a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6, .cut = 2};
    const struct rc_mesh block = {{4096, 4096, 1}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scaling_model model;
    struct rc_scaling_models models = {0};

    for (int i = 0; i < 2; i++) {
        fit_truth(&truth, &block, i == 0 ? "A" : "B", "ethernet", i == 0 ? 1 : 4, &model);
        assert_int_equal(rc_scaling_models_put(&models, &model, NULL), 0);
    }
    rc_scaling_choices_request_init(&request);
    request.platform = *state;
    request.models = &models;
    request.meshes = &n32768;
    request.n_meshes = 1;
    request.cut = 2;
    request.clusters = clusters;
    request.network = "ethernet";
    request.split = RC_SPLIT_GIVEN;
    assert_int_equal(rc_scaling_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 2);
    for (size_t i = 0; i < choices.n; i++)
        assert_int_equal(choices.items[i].n_parts, 1);
    rc_scaling_choices_free(&choices);
    rc_scaling_models_free(&models);
}

static void pareto(void **state)
{
    const double seconds[] = {1, 2, 3, 4, 2, 5}, cost[] = {9, 5, 6, 1, 5, NAN};
    const bool expected[] = {true, true, false, true, true, false};
    struct rc_choice *items = calloc(6, sizeof *items);

    (void)state;
    assert_non_null(items);
    for (int i = 0; i < 6; i++) {
        items[i].seconds = seconds[i];
        items[i].cost = items[i].core_hours = cost[i];
    }
    rc_scaling_choices_pareto(items, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(items[i].pareto, expected[i]);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slowest_counts),
        cmocka_unit_test(a_measured_link),
        cmocka_unit_test(splits),
        cmocka_unit_test(least_cost),
        cmocka_unit_test(cost_of_scenario_two),
        cmocka_unit_test(memory_of_the_tables),
        cmocka_unit_test(scenario_one),
        cmocka_unit_test(all_choices),
        cmocka_unit_test(impossible_pairs),
        cmocka_unit_test(too_many_for_some),
        cmocka_unit_test(links_of_networks),
        cmocka_unit_test(no_pairs_of_other_cuts),
        cmocka_unit_test(pareto),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
