/* test_scaling_plan.c - plans of small runs, their hosts, and matching runs of the database. */
#include "white_rose.h"

static void ask(struct rc_scaling_request *request, const struct rc_platform *platform,
                size_t cluster, const struct rc_mesh *mesh, int64_t procs, int per_host)
{
    rc_scaling_request_init(request);
    request->platform = platform;
    request->cluster = cluster;
    request->mesh = *mesh;
    request->procs = procs;
    request->per_host = per_host;
}

static void plan_on_a(void **state)
{
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    static const struct {
        int64_t procs, rows;
        const char *hosts;
    } expected[] = {{1, 1024, "a076"},       {1, 256, "a076"},        {4, 4096, "a[076-079]"},
                    {4, 1024, "a[076-079]"}, {8, 8192, "a[076-083]"}, {8, 2048, "a[076-083]"}};

    ask(&request, *state, 0, &n65536, 64, 1);
    request.bytes_per_cell = 32;
    request.sequential.per_cell = 1e-5;
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.n_runs, COUNT(expected));
    assert_int_equal(plan.notes.n, 0);
    assert_false(plan.packed);
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct rc_scaling_planned *run = &plan.runs[i];

        assert_int_equal(run->procs, expected[i].procs);
        assert_int_equal(run->mesh.extent[RC_MESH_ROWS], expected[i].rows);
        assert_int_equal(run->mesh.extent[RC_MESH_COLS], 65536);
        assert_string_equal(run->hosts, expected[i].hosts);
        assert_int_equal(run->size, i % 2 == 0 ? RC_SCALING_PLAN_FULL : RC_SCALING_PLAN_QUARTER);
        assert_int_equal(run->repeats, 3);
        assert_int_equal(run->copies, 1);
        assert_int_equal(run->fillers, 0);
        assert_true(run->fits);
        assert_true(*run->why != '\0');
    }
    assert_same(plan.memory, 0x1p31);
    assert_same(plan.host_memory, 0x1p31);
    /* (1 + 4 + 8) cores for 5/4 of the run's time, thrice, by its 64 cores */
    assert_near(plan.share, 3 * 13 * 1.25 / 64, 1e-12);
    assert_near(plan.target_core_hours, 64 * 0x1p26 * 1e-5 / 3600, 1e-9);
    assert_near(plan.core_hours, plan.share * plan.target_core_hours, 1e-9);
    assert_int_equal(rc_scaling_plan_check(&plan, NULL), 0);
    rc_scaling_plan_free(&plan);
}

/* Full nodes on B: sequential runs in four copies, three fillers beside each process. */
static void plan_on_b(void **state)
{
    static const int64_t rows[3] = {1024, 256, 512}; /* full, quarter, half */
    struct rc_scaling_request request;
    struct rc_error error;
    struct rc_scaling_plan plan;

    ask(&request, *state, 1, &n32768, 32, 0);
    request.check = true;
    request.bytes_per_cell = 32;
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.per_host, 4);
    assert_int_equal(plan.n_runs, 9);
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct rc_scaling_planned *run = &plan.runs[i];

        assert_int_equal(run->copies, run->procs == 1 ? 4 : 1);
        assert_int_equal(run->fillers, run->procs == 1 ? 0 : 3);
        assert_int_equal(run->busy, 4);
        assert_int_equal(run->n_hosts, run->procs);
        assert_int_equal(run->block.extent[RC_MESH_ROWS], rows[i % 3]);
    }
    assert_same(plan.runs[0].memory, 0x1p30);
    assert_same(plan.runs[0].host_memory, 0x1p31);
    rc_scaling_plan_free(&plan);
    /* 32 cores of B for 65536 need 4 GiB each, and have 2 */
    ask(&request, *state, 1, &n65536, 32, 0);
    request.bytes_per_cell = 32;
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_false(plan.fits);
    assert_int_equal(rc_scaling_plan_check(&plan, &error), -1);
    assert_non_null(strstr(error.text, "needs 4 GiB; 2 GiB available with 4 per host"));
    assert_string_equal(error.code, "scaling.does-not-fit");
    rc_scaling_plan_free(&plan);
}

static void plan_packed(void **state)
{
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;

    ask(&request, *state, 1, &n32768, 16, 0);
    request.hosts = "b[01-04]";
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_true(plan.packed);
    assert_int_equal(plan.notes.n, 1);
    assert_non_null(strstr(plan.notes.text[0], "the network cost may be underestimated"));
    for (size_t i = 2; i < plan.n_runs; i++) {
        assert_int_equal(plan.runs[i].per_host, 4);
        assert_int_equal(plan.runs[i].fillers, 0);
        assert_string_equal(plan.runs[i].hosts, plan.runs[i].procs == 4 ? "b01" : "b[01-02]");
    }
    rc_scaling_plan_free(&plan);
    /* one host has no network to understate */
    ask(&request, *state, 1, &n32768, 4, 0);
    request.hosts = "b05";
    request.small[0] = 2;
    request.small[1] = 3;
    request.n_small = 2;
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.notes.n, 0);
    assert_int_equal(plan.runs[2].fillers, 2);
    assert_int_equal(plan.runs[4].fillers, 1);
    rc_scaling_plan_free(&plan);
}

static void plan_in_two_directions(void **state)
{
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    char text[RC_MESH_TEXT];
    static const char *const meshes[] = {"4096 x 4096",   "1024 x 4096",  "2048 x 2048",
                                         "12288 x 12288", "3072 x 12288", "6144 x 6144",
                                         "16384 x 16384", "4096 x 16384", "8192 x 8192"};

    ask(&request, *state, 0, &n32768, 64, 1);
    request.cut = 2;
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.n_runs, COUNT(meshes));
    for (size_t i = 0; i < plan.n_runs; i++)
        assert_string_equal(rc_scaling_mesh_text(&plan.runs[i].mesh, text), meshes[i]);
    assert_int_equal(plan.runs[2].size, RC_SCALING_PLAN_HALVED);
    assert_string_equal(rc_scaling_plan_size_name(RC_SCALING_PLAN_HALVED), "halved");
    rc_scaling_plan_free(&plan);
}

static void impossible_plans(void **state)
{
    struct rc_scaling_request request;
    struct rc_error error;
    struct rc_scaling_plan plan;

    ask(&request, *state, 0, &n32768, 8, 1);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "is not larger than its small runs (8)"));
    assert_string_equal(error.code, "scaling.smaller-runs");
    assert_string_equal(error.facts, "2\n4");
    ask(&request, *state, 0, &n32768, 129, 1);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text, "129 processes do not fit on cluster 'A', which takes 128");
    ask(&request, *state, 0, &(struct rc_mesh){{192, 32768, 1}}, 64, 1);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "the block of a process, 3 x 32768, is too small"));
    ask(&request, *state, 0, &n32768, 64, 3);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "has 2 cores, fewer than the 3"));
    ask(&request, *state, 0, &n32768, 64, 1);
    request.hosts = "b01";
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text, "none of these hosts is in cluster 'A'");
    request.hosts = "a[001-100],c01";
    assert_int_equal(rc_scaling_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text, "platform 'white-rose' has no host 'c01'");
}

/* One list of hosts is for the plans of several clusters: each takes its own. */
static void plans_share_hosts(void **state)
{
    static const char *const expected[2] = {"a[076-079]", "b[01-04]"};
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;

    for (size_t cluster = 0; cluster < 2; cluster++) {
        ask(&request, *state, cluster, &n32768, 64, 0);
        request.hosts = "a[001-128],b[01-87]";
        assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.runs[2].procs, 4);
        assert_string_equal(plan.runs[2].hosts, expected[cluster]);
        rc_scaling_plan_free(&plan);
    }
    /* those of others add no room */
    ask(&request, *state, 0, &n32768, 64, 1);
    request.hosts = "a[001-063],b[01-87]";
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), -1);
}

/* Where rows are twice the columns, half of both is a quarter of the rows turned round: the runs of
 * the plan tell messages from work all the same. */
static void plans_of_long_blocks(void **state)
{
    static struct small_runs small;
    static const struct {
        int cut;
        int64_t procs;
        struct rc_mesh mesh;
        const char *third; /* of the sequential runs */
    } cases[] = {{2, 64, {{32768, 16384, 1}}, "4096 x 512"},
                 {2, 64, {{32768, 21760, 1}}, "4096 x 680"},
                 {3, 125, {{320, 160, 160}}, "64 x 8 x 32"}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct truth truth = {
            .a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6, .beta = 1e-4, .cut = cases[i].cut};
        struct rc_scaling_request request;
        struct rc_scaling_model model;
        struct rc_scaling_plan plan;
        char text[RC_MESH_TEXT];

        ask(&request, *state, 0, &cases[i].mesh, cases[i].procs, 1);
        request.cut = cases[i].cut;
        assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.n_runs, 9);
        assert_int_equal(plan.runs[2].size, RC_SCALING_PLAN_NARROW);
        assert_string_equal(rc_scaling_plan_size_name(plan.runs[2].size), "narrow");
        assert_string_equal(rc_scaling_mesh_text(&plan.runs[2].mesh, text), cases[i].third);
        small.n = 0;
        for (size_t j = 0; j < plan.n_runs; j++)
            add_runs(&small, &truth, &plan.runs[j].block, plan.runs[j].procs, 2, 0, NULL);
        fit_runs(&small, truth.cut, NULL, NULL, "A", "ethernet", 1, &model);
        assert_true(model.has_beta);
        assert_near(model.beta, truth.beta, 1e-7 * truth.beta);
        rc_scaling_model_free(&model);
        rc_scaling_plan_free(&plan);
    }
    /* far from twice, half of both is as good as ever */
    for (int64_t rows = 32768; rows <= 131072; rows *= 4) {
        struct rc_scaling_request request;
        struct rc_scaling_plan plan;

        ask(&request, *state, 0, &(struct rc_mesh){{rows, 32768, 1}}, 64, 1);
        request.cut = 2;
        assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.n_runs, 9);
        assert_int_equal(plan.runs[2].size, RC_SCALING_PLAN_HALVED);
        rc_scaling_plan_free(&plan);
    }
}

/* Numbers that cannot be cut so that a process has neighbours on all sides are said. */
static void plans_without_inner_parts(void **state)
{
    static const struct {
        int cut;
        int64_t procs, small[2];
        const char *note; /* NULL: none */
    } cases[] = {
        {2, 64, {9, 16}, NULL},
        {2, 64, {7, 16}, "7 processes make 7 x 1 parts: unlike in the target, none has"},
        {2, 64, {4, 16}, "4 processes make 2 x 2 parts: unlike in the target, none has"},
        {3, 125, {27, 64}, NULL},
        {3, 125, {27, 16}, "16 processes make 4 x 2 x 2 parts: unlike in the target, none has"},
        {2, 61, {7, 16}, NULL}, /* nor has the target */
        {1, 64, {7, 16}, NULL}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_scaling_request request;
        struct rc_scaling_plan plan;

        ask(&request, *state, 0, &(struct rc_mesh){{8192, 8192, cases[i].cut == 3 ? 8192 : 1}},
            cases[i].procs, 1);
        request.cut = cases[i].cut;
        request.n_small = 2;
        memcpy(request.small, cases[i].small, sizeof cases[i].small);
        assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.notes.n, cases[i].note ? 1 : 0);
        assert_true(!cases[i].note || has_note(&plan.notes, cases[i].note));
        rc_scaling_plan_free(&plan);
    }
}

/* What parallel runs took longer is in the costs of those to come, and of the target. */
static void costs_with_communication(void **state)
{
    static struct small_runs small;
    const struct rc_mesh block = {{1024, 65536, 1}};
    const struct truth truth = {.a = 2, .b = 1e-6, .c = 100};
    const double work = rc_scaling_mesh_cells(&block), alone = 2 + 1e-6 * work;
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;

    six_steps(&small, &truth, &block, (int[]){1, 4}, 2, (int64_t[]){4, 8}, 2, 2, 0, NULL);
    ask(&request, *state, 0, &n65536, 64, 1);
    request.sequential = rc_scaling_plan_cost_guess(small.runs, small.n, false);
    request.parallel = rc_scaling_plan_cost_guess(small.runs, small.n, true);
    assert_near(request.sequential.base, 2, 1e-6);
    assert_near(request.parallel.base, 102, 1e-4);
    assert_near(request.parallel.per_cell, 1e-6, 1e-12);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_near(plan.target_core_hours, 64 * (alone + 100) / 3600, 1e-6);
    assert_near(plan.runs[0].core_hours, 3 * alone / 3600, 1e-6);
    assert_near(plan.runs[3].core_hours, 3 * 4 * (102 + 1e-6 * work / 4) / 3600, 1e-6);
    assert_near(plan.share, plan.core_hours / plan.target_core_hours, 1e-12);
    rc_scaling_plan_free(&plan);
    /* sequential ones alone: without communication, until some are made */
    request.parallel = rc_scaling_plan_cost_guess(small.runs, 2, true);
    assert_true(isnan(request.parallel.per_cell));
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_near(plan.target_core_hours, 64 * alone / 3600, 1e-6);
    rc_scaling_plan_free(&plan);
}

/* Runs of the database that match a plan. */
static void plans_and_runs(void **state)
{
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    struct rc_scaling_run run = {.procs = 4,
                                 .cut = 1,
                                 .mesh = {{4096, 65536, 1}},
                                 .seconds = 1,
                                 .cluster = 0,
                                 .network = 1,
                                 .per_host = 1};
    struct rc_scaling_cost_guess guess;

    ask(&request, *state, 0, &n65536, 64, 1);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 2);
    run.network = 2;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), plan.n_runs);
    run.network = 0;
    run.per_host = 2;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), plan.n_runs);
    run.per_host = 0;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 2);
    run.cluster = RC_SCALING_CLUSTER_NONE; /* two processes on each of two clusters, say */
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), plan.n_runs);
    run.cluster = RC_SCALING_CLUSTER_UNSAID;
    run.mesh.extent[RC_MESH_ROWS] = 1024;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 3);
    run.mesh.extent[RC_MESH_ROWS] = 1000;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), plan.n_runs);
    guess = rc_scaling_plan_cost_guess(&run, 1, true);
    assert_near(guess.per_cell, 1 / (250.0 * 65536), 1e-15);
    assert_same(guess.base, 0);
    assert_true(isnan(rc_scaling_plan_cost_guess(&run, 1, false).per_cell));
    assert_true(isnan(rc_scaling_plan_cost_guess(NULL, 0, true).per_cell));
    rc_scaling_plan_free(&plan);
}

/* Four busy cores on a host are four processes, or one and three fillers: the hosts tell. */
static void packed_runs_are_not_used(void **state)
{
    struct rc_scaling_request request;
    struct rc_scaling_plan plan;
    struct rc_scaling_run run = {.procs = 4,
                                 .cut = 1,
                                 .seconds = 1,
                                 .cluster = 1,
                                 .network = 1,
                                 .per_host = 4,
                                 .n_hosts = 1};

    ask(&request, *state, 1, &n32768, 64, 0);
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    run.mesh = plan.runs[2].mesh;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), plan.n_runs);
    run.n_hosts = 4;
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 2);
    run.n_hosts = 0; /* not said */
    assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 2);
    rc_scaling_plan_free(&plan);
    /* a plan that packs takes packed ones, and such as are better */
    ask(&request, *state, 1, &n32768, 16, 0);
    request.hosts = "b[01-04]";
    assert_int_equal(rc_scaling_plan_make(&request, &plan, NULL), 0);
    run.mesh = plan.runs[2].mesh;
    for (run.n_hosts = 1; run.n_hosts <= 4; run.n_hosts++)
        assert_int_equal(rc_scaling_plan_match(&plan, &request, &run), 2);
    rc_scaling_plan_free(&plan);
}

/* The hosts of a run, and the other busy cores, from its columns. */
static void hosts_of_runs(void **state)
{
    struct rc_param params[] = {{"per_host", 4}, {"alone", 1}};
    struct rc_run run;
    struct rc_scaling_run out;
    struct rc_error why;

    rc_db_run_init(&run);
    run.p = 12;
    run.n = 1536;
    run.seconds = 7;
    run.hosts = "b[01-03]";
    assert_int_equal(rc_scaling_run_of(&run, *state, &out, NULL), 1);
    assert_int_equal(out.cluster, 1);
    assert_int_equal(out.n_hosts, 3);
    assert_false(out.alone);
    run.params = params;
    run.n_params = COUNT(params);
    run.hosts = "a001,b01";
    assert_int_equal(rc_scaling_run_of(&run, *state, &out, NULL), 1);
    assert_true(out.cluster == RC_SCALING_CLUSTER_NONE);
    assert_int_equal(out.n_hosts, 2);
    assert_true(out.alone);
    run.hosts = "";
    params[1].value = 0;
    assert_int_equal(rc_scaling_run_of(&run, *state, &out, NULL), 1);
    assert_int_equal(out.n_hosts, 0);
    assert_false(out.alone);
    params[1].value = 2;
    assert_int_equal(rc_scaling_run_of(&run, *state, &out, &why), 0);
    assert_non_null(strstr(why.text, "alone is 2"));
}

/* A line through all blocks, so that what a process has anyway is not taken for cells. */
static void memory_before_a_plan(void **state)
{
    struct rc_scaling_run runs[3] = {{.procs = 1, .cut = 1, .mesh = {{16, 64, 1}}, .memory = NAN},
                                     {.procs = 4, .cut = 1, .mesh = {{64, 64, 1}}, .memory = NAN},
                                     {.procs = 4, .cut = 1, .mesh = {{256, 64, 1}}, .memory = NAN}};
    double bytes, base;

    (void)state;
    rc_scaling_plan_bytes(runs, 3, &bytes, &base);
    assert_true(isnan(bytes));
    assert_same(base, 0);
    runs[0].memory = runs[1].memory = 1e7 + 32 * 1024; /* blocks of 16 x 64 */
    rc_scaling_plan_bytes(runs, 3, &bytes, &base);
    assert_near(bytes, 1e7 / 1024 + 32, 1e-6); /* one size: no line */
    assert_same(base, 0);
    runs[2].memory = 1e7 + 32 * 4096;
    rc_scaling_plan_bytes(runs, 3, &bytes, &base);
    assert_near(bytes, 32, 1e-6);
    assert_near(base, 1e7, 1e-2);
    runs[2].memory = 1e6; /* less for more: nothing hangs on the cells */
    rc_scaling_plan_bytes(runs, 3, &bytes, &base);
    assert_same(bytes, 0);
    assert_near(base, (2 * (1e7 + 32 * 1024) + 1e6) / 3, 1e-2);
}

/* A side of a run across clusters has the fillers of its plan, and needs and costs as much. */
static void sides_of_a_crossing(void **state)
{
    const struct rc_mesh block = {{1024, 32768, 1}}, large = {{4096, 32768, 1}};
    struct rc_scaling_request request;
    struct rc_scaling_planned side;
    struct rc_error error;

    ask(&request, *state, 1, &n32768, 32, 0);
    request.bytes_per_cell = 32;
    request.sequential.per_cell = 1e-5;
    assert_int_equal(rc_scaling_plan_side(&request, &block, 2, &side, NULL), 0);
    assert_string_equal(side.hosts, "b[01-02]");
    assert_int_equal(side.n_hosts, 2);
    assert_int_equal(side.per_host, 1);
    assert_int_equal(side.copies, 1);
    assert_int_equal(side.fillers, 3);
    assert_int_equal(side.busy, 4);
    assert_int_equal(side.repeats, 3);
    assert_int_equal(side.mesh.extent[RC_MESH_ROWS], 2048);
    assert_same(side.memory, 0x1p30);
    assert_same(side.host_memory, 0x1p31);
    assert_int_equal(rc_scaling_planned_check(&side, NULL), 0);
    /* 2 hosts with 4 cores each, thrice, for the time of 32 */
    assert_near(side.share, 2 * 4 * 3 / 32.0, 1e-12);
    assert_near(side.core_hours, 2 * 4 * 3 * 1e-5 * 0x1p25 / 3600, 1e-9);
    free(side.hosts);
    assert_int_equal(rc_scaling_plan_side(&request, &large, 2, &side, NULL), 0);
    assert_int_equal(rc_scaling_planned_check(&side, &error), -1);
    assert_non_null(strstr(error.text, "needs 4 GiB; 2 GiB available with 4 per host"));
    assert_string_equal(error.code, "scaling.does-not-fit");
    free(side.hosts);
    /* also where small runs would be packed */
    ask(&request, *state, 1, &n32768, 12, 0);
    request.hosts = "b[01-03]";
    assert_int_equal(rc_scaling_plan_side(&request, &block, 2, &side, NULL), 0);
    assert_string_equal(side.hosts, "b[01-02]");
    assert_int_equal(side.fillers, 3);
    free(side.hosts);
    request.procs = 4;
    request.hosts = "b05";
    assert_int_equal(rc_scaling_plan_side(&request, &block, 2, &side, &error), -1);
    assert_null(side.hosts);
}

/* Runs that were made alone, or do not say where, are doubts of the model. */
static void notes_of_runs(void **state)
{
    static struct small_runs small;
    const struct rc_platform *platform = *state;
    struct rc_cluster cluster = platform->clusters[0];
    struct rc_platform single = *platform;
    const struct rc_scaling_run runs[] = {
        {.procs = 1, .cluster = RC_SCALING_CLUSTER_UNSAID, .network = 1},
        {.procs = 4, .cluster = 0, .network = 0},
        {.procs = 1, .cluster = 0, .network = 0, .alone = true}, /* needs no network */
        {.procs = 4, .cluster = 0, .network = 1, .alone = true}};
    struct rc_scaling_setting setting = {.cluster = "A", .network = "ethernet", .unsaid = 99};
    const struct rc_scaling_work cells = {0};
    struct rc_scaling_samples samples;
    struct rc_scaling_options options;
    struct rc_scaling_model model;

    rc_scaling_options_init(&options);
    six_steps(&small, &table_one, &(struct rc_mesh){{1024, 65536, 1}}, (int[]){1, 4}, 2,
              (int64_t[]){4, 8}, 2, 2, 0, NULL);
    assert_int_equal(rc_scaling_samples_make(small.runs, small.n, 1, &samples, NULL), 0);
    rc_scaling_setting_count(&setting, platform, 0, runs, COUNT(runs));
    assert_int_equal(setting.alone, 2);
    assert_int_equal(setting.unsaid, 2);
    assert_int_equal(rc_scaling_fit(&samples, &cells, &setting, &options, &model, NULL), 0);
    assert_true(has_note(&model.notes, "2 runs were made without copies; memory contention is not "
                                       "included"));
    assert_true(has_note(&model.notes, "2 runs have no hosts or network; A (ethernet) is assumed"));
    rc_scaling_model_free(&model);
    /* where there is one of each, nothing is in doubt */
    cluster.n_networks = 1;
    single.clusters = &cluster;
    single.n_clusters = 1;
    rc_scaling_setting_count(&setting, &single, 0, runs, 2);
    assert_int_equal(setting.alone, 0);
    assert_int_equal(setting.unsaid, 0);
    assert_int_equal(rc_scaling_fit(&samples, &cells, &setting, &options, &model, NULL), 0);
    assert_false(has_note(&model.notes, "made without copies"));
    assert_false(has_note(&model.notes, "have no hosts"));
    rc_scaling_model_free(&model);
    rc_scaling_samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_on_a),
        cmocka_unit_test(plan_on_b),
        cmocka_unit_test(plan_packed),
        cmocka_unit_test(plan_in_two_directions),
        cmocka_unit_test(impossible_plans),
        cmocka_unit_test(plans_share_hosts),
        cmocka_unit_test(plans_of_long_blocks),
        cmocka_unit_test(plans_without_inner_parts),
        cmocka_unit_test(costs_with_communication),
        cmocka_unit_test(plans_and_runs),
        cmocka_unit_test(packed_runs_are_not_used),
        cmocka_unit_test(hosts_of_runs),
        cmocka_unit_test(memory_before_a_plan),
        cmocka_unit_test(sides_of_a_crossing),
        cmocka_unit_test(notes_of_runs),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
