/* test_scaling_choices.c - plans of small runs, several clusters at once, and what to choose: with
 * the figures of the paper's Tables I and II. */
#include "scaling.h"

#include "scaling/choices.h"
#include "scaling/plan.h"

static const struct rc_mesh n65536 = {{65536, 65536, 1}}, n32768 = {{32768, 32768, 1}};

/* As examples/white-rose.yaml, which states one process on a host of A nowhere. */
static const char white_rose[] = "name: white-rose\n"
                                 "currency: units\n"
                                 "clusters:\n"
                                 "  - name: A\n"
                                 "    hosts: a[001-128]\n"
                                 "    cores: 2\n"
                                 "    memory: 2GiB\n"
                                 "    speed: 2.4Gf\n"
                                 "    networks:\n"
                                 "      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}\n"
                                 "      - {name: myrinet, bandwidth: 2Gbit, latency: 7us}\n"
                                 "    price: 1\n"
                                 "    overrides:\n"
                                 "      - hosts: a[076-128]\n"
                                 "        speed: 2.2Gf\n"
                                 "  - name: B\n"
                                 "    hosts: b[01-87]\n"
                                 "    cores: 4\n"
                                 "    memory: 8GiB\n"
                                 "    speed: 2.0Gf\n"
                                 "    networks:\n"
                                 "      - {name: ethernet, bandwidth: 100Mbit, latency: 70us}\n"
                                 "      - {name: myrinet, bandwidth: 2Gbit, latency: 7us}\n"
                                 "    price: 2\n"
                                 "links:\n"
                                 "  - {between: [A, B], bandwidth: 100Mbit, latency: 1ms}\n";

static int load(void **state)
{
    struct rc_error error;

    *state = rc_platform_parse(white_rose, strlen(white_rose), "white-rose", &error);
    return *state ? 0 : -1;
}

static int unload(void **state)
{
    rc_platform_destroy(*state);
    return 0;
}

/* ---- plans ---- */

static void ask(struct rc_scale_request *request, const struct rc_platform *platform,
                size_t cluster, const struct rc_mesh *mesh, int64_t procs, int per_host)
{
    rc_scale_request_init(request);
    request->platform = platform;
    request->cluster = cluster;
    request->mesh = *mesh;
    request->procs = procs;
    request->per_host = per_host;
}

static void plan_on_a(void **state)
{
    struct rc_scale_request request;
    struct rc_scale_plan plan;
    static const struct {
        int64_t procs, rows;
        const char *hosts;
    } expected[] = {{1, 1024, "a076"},        {1, 256, "a076"},         {4, 4096, "a[076-079]"},
                    {4, 1024, "a[076-079]"},  {8, 8192, "a[076-083]"},  {8, 2048, "a[076-083]"}};

    ask(&request, *state, 0, &n65536, 64, 1);
    request.bytes_per_cell = 32;
    request.rate = 1e-5;
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.n_runs, COUNT(expected));
    assert_int_equal(plan.notes.n, 0);
    assert_false(plan.packed);
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct rc_scale_planned *run = &plan.runs[i];

        assert_int_equal(run->procs, expected[i].procs);
        assert_int_equal(run->mesh.extent[RC_MESH_ROWS], expected[i].rows);
        assert_int_equal(run->mesh.extent[RC_MESH_COLS], 65536);
        assert_string_equal(run->hosts, expected[i].hosts);
        assert_int_equal(run->size, i % 2 == 0 ? RC_SCALE_PLAN_FULL : RC_SCALE_PLAN_QUARTER);
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
    assert_int_equal(rc_scale_plan_check(&plan, NULL), 0);
    rc_scale_plan_free(&plan);
}

/* Full nodes on B: sequential runs in four copies, three fillers beside each process. */
static void plan_on_b(void **state)
{
    static const int64_t rows[3] = {1024, 256, 512}; /* full, quarter, half */
    struct rc_scale_request request;
    struct rc_error error;
    struct rc_scale_plan plan;

    ask(&request, *state, 1, &n32768, 32, 0);
    request.check = true;
    request.bytes_per_cell = 32;
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.per_host, 4);
    assert_int_equal(plan.n_runs, 9);
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct rc_scale_planned *run = &plan.runs[i];

        assert_int_equal(run->copies, run->procs == 1 ? 4 : 1);
        assert_int_equal(run->fillers, run->procs == 1 ? 0 : 3);
        assert_int_equal(run->busy, 4);
        assert_int_equal(run->n_hosts, run->procs);
        assert_int_equal(run->block.extent[RC_MESH_ROWS], rows[i % 3]);
    }
    assert_same(plan.runs[0].memory, 0x1p30);
    assert_same(plan.runs[0].host_memory, 0x1p31);
    rc_scale_plan_free(&plan);
    /* 32 cores of B for 65536 need 4 GiB each, and have 2 */
    ask(&request, *state, 1, &n65536, 32, 0);
    request.bytes_per_cell = 32;
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_false(plan.fits);
    assert_int_equal(rc_scale_plan_check(&plan, &error), -1);
    assert_non_null(strstr(error.text, "needs 4 GiB, and has 2 GiB with 4 on a host"));
    assert_non_null(strstr(error.hint, "--per-host"));
    rc_scale_plan_free(&plan);
}

static void plan_packed(void **state)
{
    struct rc_scale_request request;
    struct rc_scale_plan plan;

    ask(&request, *state, 1, &n32768, 16, 0);
    request.hosts = "b[01-04]";
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_true(plan.packed);
    assert_int_equal(plan.notes.n, 1);
    assert_non_null(strstr(plan.notes.text[0], "the network's part may be understated"));
    for (size_t i = 2; i < plan.n_runs; i++) {
        assert_int_equal(plan.runs[i].per_host, 4);
        assert_int_equal(plan.runs[i].fillers, 0);
        assert_string_equal(plan.runs[i].hosts, plan.runs[i].procs == 4 ? "b01" : "b[01-02]");
    }
    rc_scale_plan_free(&plan);
    /* one host has no network to understate */
    ask(&request, *state, 1, &n32768, 4, 0);
    request.hosts = "b05";
    request.small[0] = 2;
    request.small[1] = 3;
    request.n_small = 2;
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.notes.n, 0);
    assert_int_equal(plan.runs[2].fillers, 2);
    assert_int_equal(plan.runs[4].fillers, 1);
    rc_scale_plan_free(&plan);
}

static void plan_in_two_directions(void **state)
{
    struct rc_scale_request request;
    struct rc_scale_plan plan;
    char text[RC_MESH_TEXT];
    static const char *const meshes[] = {"4096 x 4096",   "1024 x 4096",  "2048 x 2048",
                                         "12288 x 12288", "3072 x 12288", "6144 x 6144",
                                         "16384 x 16384", "4096 x 16384", "8192 x 8192"};

    ask(&request, *state, 0, &n32768, 64, 1);
    request.cut = 2;
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(plan.n_runs, COUNT(meshes));
    for (size_t i = 0; i < plan.n_runs; i++)
        assert_string_equal(rc_mesh_text(&plan.runs[i].mesh, text), meshes[i]);
    assert_int_equal(plan.runs[2].size, RC_SCALE_PLAN_HALVED);
    assert_string_equal(rc_scale_plan_size_name(RC_SCALE_PLAN_HALVED), "halved");
    rc_scale_plan_free(&plan);
}

static void plans_that_cannot_be(void **state)
{
    struct rc_scale_request request;
    struct rc_error error;
    struct rc_scale_plan plan;

    ask(&request, *state, 0, &n32768, 8, 1);
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "is no larger than its small runs, which have 8"));
    assert_non_null(strstr(error.hint, "--small 2,4"));
    ask(&request, *state, 0, &n32768, 129, 1);
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text,
                        "129 processes do not fit on cluster 'A', which takes 128");
    ask(&request, *state, 0, &(struct rc_mesh){{192, 32768, 1}}, 64, 1);
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "a block of 3 x 32768, which is too small"));
    ask(&request, *state, 0, &n32768, 64, 3);
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_non_null(strstr(error.text, "has 2 cores, and not the 3"));
    ask(&request, *state, 0, &n32768, 64, 1);
    request.hosts = "b01";
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text, "--hosts: none of these hosts is of cluster 'A'");
    request.hosts = "a[001-100],c01";
    assert_int_equal(rc_scale_plan_make(&request, &plan, &error), -1);
    assert_string_equal(error.text, "--hosts: no cluster of 'white-rose' has a host 'c01'");
}

/* One list of hosts is for the plans of several clusters: each takes its own. */
static void plans_share_hosts(void **state)
{
    static const char *const expected[2] = {"a[076-079]", "b[01-04]"};
    struct rc_scale_request request;
    struct rc_scale_plan plan;

    for (size_t cluster = 0; cluster < 2; cluster++) {
        ask(&request, *state, cluster, &n32768, 64, 0);
        request.hosts = "a[001-128],b[01-87]";
        assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.runs[2].procs, 4);
        assert_string_equal(plan.runs[2].hosts, expected[cluster]);
        rc_scale_plan_free(&plan);
    }
    /* those of others add no room */
    ask(&request, *state, 0, &n32768, 64, 1);
    request.hosts = "a[001-063],b[01-87]";
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), -1);
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
        const struct truth truth = {.a = 1, .b = 1e-5, .c = 2, .d = 0.5, .gamma = 1e-6,
                                    .beta = 1e-4, .cut = cases[i].cut};
        struct rc_scale_request request;
        struct rc_scale_model model;
        struct rc_scale_plan plan;
        char text[RC_MESH_TEXT];

        ask(&request, *state, 0, &cases[i].mesh, cases[i].procs, 1);
        request.cut = cases[i].cut;
        assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.n_runs, 9);
        assert_int_equal(plan.runs[2].size, RC_SCALE_PLAN_NARROW);
        assert_string_equal(rc_scale_plan_size_name(plan.runs[2].size), "narrow");
        assert_string_equal(rc_mesh_text(&plan.runs[2].mesh, text), cases[i].third);
        small.n = 0;
        for (size_t j = 0; j < plan.n_runs; j++)
            add_runs(&small, &truth, &plan.runs[j].block, plan.runs[j].procs, 2, 0, NULL);
        fit_runs(&small, truth.cut, NULL, NULL, "A", "ethernet", 1, &model);
        assert_true(model.has_beta);
        assert_near(model.beta, truth.beta, 1e-7 * truth.beta);
        rc_scale_model_free(&model);
        rc_scale_plan_free(&plan);
    }
    /* far from twice, half of both is as good as ever */
    for (int64_t rows = 32768; rows <= 131072; rows *= 4) {
        struct rc_scale_request request;
        struct rc_scale_plan plan;

        ask(&request, *state, 0, &(struct rc_mesh){{rows, 32768, 1}}, 64, 1);
        request.cut = 2;
        assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
        assert_int_equal(plan.n_runs, 9);
        assert_int_equal(plan.runs[2].size, RC_SCALE_PLAN_HALVED);
        rc_scale_plan_free(&plan);
    }
}

/* Which runs of the store are those of a plan. */
static void plans_and_runs(void **state)
{
    struct rc_scale_request request;
    struct rc_scale_plan plan;
    struct rc_scale_run run = {.procs = 4, .cut = 1, .mesh = {{4096, 65536, 1}}, .seconds = 1,
                               .cluster = 0, .network = 1, .per_host = 1};

    ask(&request, *state, 0, &n65536, 64, 1);
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 2);
    run.network = 2;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), plan.n_runs);
    run.network = 0;
    run.per_host = 2;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), plan.n_runs);
    run.per_host = 0;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 2);
    run.cluster = RC_SCALE_CLUSTER_NONE; /* two processes on each of two clusters, say */
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), plan.n_runs);
    run.cluster = RC_SCALE_CLUSTER_UNSAID;
    run.mesh.extent[RC_MESH_ROWS] = 1024;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 3);
    run.mesh.extent[RC_MESH_ROWS] = 1000;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), plan.n_runs);
    assert_near(rc_scale_plan_rate(&run, 1), 1 / (250.0 * 65536), 1e-15);
    assert_true(isnan(rc_scale_plan_rate(NULL, 0)));
    rc_scale_plan_free(&plan);
}

/* Four busy cores on a host are four processes, or one and three fillers: the hosts tell. */
static void packed_runs_are_others(void **state)
{
    struct rc_scale_request request;
    struct rc_scale_plan plan;
    struct rc_scale_run run = {.procs = 4, .cut = 1, .seconds = 1, .cluster = 1, .network = 1,
                               .per_host = 4, .n_hosts = 1};

    ask(&request, *state, 1, &n32768, 64, 0);
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    run.mesh = plan.runs[2].mesh;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), plan.n_runs);
    run.n_hosts = 4;
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 2);
    run.n_hosts = 0; /* not said */
    assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 2);
    rc_scale_plan_free(&plan);
    /* a plan that packs takes packed ones, and such as are better */
    ask(&request, *state, 1, &n32768, 16, 0);
    request.hosts = "b[01-04]";
    assert_int_equal(rc_scale_plan_make(&request, &plan, NULL), 0);
    run.mesh = plan.runs[2].mesh;
    for (run.n_hosts = 1; run.n_hosts <= 4; run.n_hosts++)
        assert_int_equal(rc_scale_plan_match(&plan, &request, &run), 2);
    rc_scale_plan_free(&plan);
}

/* What a run of the store says of its hosts, and of the cores beside it. */
static void hosts_of_runs(void **state)
{
    struct rc_param params[] = {{"per_host", 4}, {"alone", 1}};
    struct rc_run run;
    struct rc_scale_run out;
    struct rc_error why;

    rc_run_init(&run);
    run.p = 12;
    run.n = 1536;
    run.seconds = 7;
    run.hosts = "b[01-03]";
    assert_int_equal(rc_scale_run_of(&run, *state, &out, NULL), 1);
    assert_int_equal(out.cluster, 1);
    assert_int_equal(out.n_hosts, 3);
    assert_false(out.alone);
    run.params = params;
    run.n_params = COUNT(params);
    run.hosts = "a001,b01";
    assert_int_equal(rc_scale_run_of(&run, *state, &out, NULL), 1);
    assert_true(out.cluster == RC_SCALE_CLUSTER_NONE);
    assert_int_equal(out.n_hosts, 2);
    assert_true(out.alone);
    run.hosts = "";
    params[1].value = 0;
    assert_int_equal(rc_scale_run_of(&run, *state, &out, NULL), 1);
    assert_int_equal(out.n_hosts, 0);
    assert_false(out.alone);
    params[1].value = 2;
    assert_int_equal(rc_scale_run_of(&run, *state, &out, &why), 0);
    assert_non_null(strstr(why.text, "alone is 2"));
}

/* A line through all blocks, so that what a process has anyway is not taken for cells. */
static void memory_before_a_plan(void **state)
{
    struct rc_scale_run runs[3] = {{.procs = 1, .cut = 1, .mesh = {{16, 64, 1}}, .memory = NAN},
                                   {.procs = 4, .cut = 1, .mesh = {{64, 64, 1}}, .memory = NAN},
                                   {.procs = 4, .cut = 1, .mesh = {{256, 64, 1}}, .memory = NAN}};
    double bytes, base;

    (void)state;
    rc_scale_plan_bytes(runs, 3, &bytes, &base);
    assert_true(isnan(bytes));
    assert_same(base, 0);
    runs[0].memory = runs[1].memory = 1e7 + 32 * 1024; /* blocks of 16 x 64 */
    rc_scale_plan_bytes(runs, 3, &bytes, &base);
    assert_near(bytes, 1e7 / 1024 + 32, 1e-6); /* one size: no line */
    assert_same(base, 0);
    runs[2].memory = 1e7 + 32 * 4096;
    rc_scale_plan_bytes(runs, 3, &bytes, &base);
    assert_near(bytes, 32, 1e-6);
    assert_near(base, 1e7, 1e-2);
    runs[2].memory = 1e6; /* less for more: by the largest block */
    rc_scale_plan_bytes(runs, 3, &bytes, &base);
    assert_near(bytes, 1e6 / 4096, 1e-9);
    assert_same(base, 0);
}

/* A side of a run across clusters has the fillers of its plan, and needs and costs as much. */
static void sides_of_a_crossing(void **state)
{
    const struct rc_mesh block = {{1024, 32768, 1}}, large = {{4096, 32768, 1}};
    struct rc_scale_request request;
    struct rc_scale_planned side;
    struct rc_error error;

    ask(&request, *state, 1, &n32768, 32, 0);
    request.bytes_per_cell = 32;
    request.rate = 1e-5;
    assert_int_equal(rc_scale_plan_side(&request, &block, 2, &side, NULL), 0);
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
    assert_int_equal(rc_scale_planned_check(&side, NULL), 0);
    /* 2 hosts with 4 cores each, thrice, for the time of 32 */
    assert_near(side.share, 2 * 4 * 3 / 32.0, 1e-12);
    assert_near(side.core_hours, 2 * 4 * 3 * 1e-5 * 0x1p25 / 3600, 1e-9);
    free(side.hosts);
    assert_int_equal(rc_scale_plan_side(&request, &large, 2, &side, NULL), 0);
    assert_int_equal(rc_scale_planned_check(&side, &error), -1);
    assert_non_null(strstr(error.text, "needs 4 GiB, and has 2 GiB with 4 on a host"));
    assert_non_null(strstr(error.hint, "--bytes-per-cell"));
    free(side.hosts);
    /* also where small runs would be packed */
    ask(&request, *state, 1, &n32768, 12, 0);
    request.hosts = "b[01-03]";
    assert_int_equal(rc_scale_plan_side(&request, &block, 2, &side, NULL), 0);
    assert_string_equal(side.hosts, "b[01-02]");
    assert_int_equal(side.fillers, 3);
    free(side.hosts);
    request.procs = 4;
    request.hosts = "b05";
    assert_int_equal(rc_scale_plan_side(&request, &block, 2, &side, &error), -1);
    assert_null(side.hosts);
}

static bool has_note(const struct rc_scale_notes *notes, const char *text)
{
    for (size_t i = 0; i < notes->n; i++)
        if (strstr(notes->text[i], text))
            return true;
    return false;
}

/* Runs that were made alone, or do not say where, are doubts of the model. */
static void doubts_of_runs(void **state)
{
    static struct small_runs small;
    const struct rc_platform *platform = *state;
    struct rc_cluster cluster = platform->clusters[0];
    struct rc_platform single = *platform;
    const struct rc_scale_run runs[] = {
        {.procs = 1, .cluster = RC_SCALE_CLUSTER_UNSAID, .network = 1},
        {.procs = 4, .cluster = 0, .network = 0},
        {.procs = 1, .cluster = 0, .network = 0, .alone = true}, /* needs no network */
        {.procs = 4, .cluster = 0, .network = 1, .alone = true}};
    struct rc_scale_setting setting = {.cluster = "A", .network = "ethernet", .unsaid = 99};
    const struct rc_scale_work cells = {0};
    struct rc_scale_samples samples;
    struct rc_scale_options options;
    struct rc_scale_model model;

    rc_scale_options_init(&options);
    six_steps(&small, &table_one, &(struct rc_mesh){{1024, 65536, 1}}, (int[]){1, 4}, 2,
              (int64_t[]){4, 8}, 2, 2, 0, NULL);
    assert_int_equal(rc_scale_samples_make(small.runs, small.n, 1, &samples, NULL), 0);
    rc_scale_setting_count(&setting, platform, 0, runs, COUNT(runs));
    assert_int_equal(setting.alone, 2);
    assert_int_equal(setting.unsaid, 2);
    assert_int_equal(rc_scale_fit(&samples, &cells, &setting, &options, &model, NULL), 0);
    assert_true(has_note(&model.notes, "2 runs were made alone: shared memory is not in them"));
    assert_true(has_note(&model.notes, "2 runs do not say their hosts or network, and are taken to "
                                       "be of A (ethernet)"));
    rc_scale_model_free(&model);
    /* where there is one of each, nothing is in doubt */
    cluster.n_networks = 1;
    single.clusters = &cluster;
    single.n_clusters = 1;
    rc_scale_setting_count(&setting, &single, 0, runs, 2);
    assert_int_equal(setting.alone, 0);
    assert_int_equal(setting.unsaid, 0);
    assert_int_equal(rc_scale_fit(&samples, &cells, &setting, &options, &model, NULL), 0);
    assert_false(has_note(&model.notes, "made alone"));
    assert_false(has_note(&model.notes, "do not say"));
    rc_scale_model_free(&model);
    rc_scale_samples_free(&samples);
}

/* ---- several clusters ---- */

/* Cluster A is as in test_scaling.c; B computes faster. */
static const struct truth truth_b = {.a = 1, .b = 5e-6, .c = 20, .d = 8, .gamma = 0.5e-6};

static void fit_both(struct rc_scale_model models[2])
{
    fit_truth(&table_one, &(struct rc_mesh){{1024, 65536, 1}}, "A", "ethernet", 1, &models[0]);
    fit_truth(&truth_b, &(struct rc_mesh){{1024, 65536, 1}}, "B", "ethernet", 4, &models[1]);
}

static double seconds_of(const struct truth *truth, int64_t rows, int64_t procs)
{
    return true_seconds(truth, &(struct rc_mesh){{rows, 65536, 1}}, procs);
}

static void the_longest_counts(void **state)
{
    struct rc_scale_model models[2];
    struct rc_scale_share shares[2] = {{.procs = 64, .rows = 32768}, {.procs = 32, .rows = 32768}};
    struct rc_scale_estimate estimate, each[2];
    double a = seconds_of(&table_one, 32768, 64), b = seconds_of(&truth_b, 32768, 32);
    const double *draws[3];
    size_t n;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++) {
        shares[i].model = &models[i];
        shares[i].draws = rc_scale_draws_create(&models[i], 1, NULL);
        assert_non_null(shares[i].draws);
    }
    assert_int_equal(rc_scale_estimate_many(shares, 2, &n65536, NULL, &estimate, each, NULL), 0);
    assert_near(each[0].point.seconds, a, 1e-9 * a);
    assert_near(each[1].point.seconds, b, 1e-9 * b);
    assert_near(estimate.point.seconds, fmax(a, b), 1e-9 * a);
    draws[0] = rc_value_draws(each[0].seconds, &n);
    draws[1] = rc_value_draws(each[1].seconds, &n);
    draws[2] = rc_value_draws(estimate.seconds, &n);
    for (size_t i = 0; i < n; i++)
        assert_same(draws[2][i], fmax(draws[0][i], draws[1][i]));
    rc_scale_estimate_free(&estimate);
    /* what the link costs comes on top */
    assert_int_equal(rc_scale_estimate_many(shares, 2, &n65536,
                                            &(struct rc_scale_link){.seconds = 50}, &estimate, NULL,
                                            NULL), 0);
    assert_near(estimate.point.seconds, fmax(a, b) + 50, 1e-6);
    rc_scale_estimate_free(&estimate);
    shares[1].rows = 100;
    assert_int_equal(rc_scale_estimate_many(shares, 2, &n65536, NULL, &estimate, NULL, NULL), -1);
    for (int i = 0; i < 2; i++) {
        rc_scale_estimate_free(&each[i]);
        rc_scale_draws_free((struct rc_scale_draws *)(uintptr_t)shares[i].draws);
        rc_scale_model_free(&models[i]);
    }
}

/* Two processes on each side, with the blocks of the target. */
static void a_measured_link(void **state)
{
    struct rc_scale_model models[2];
    struct rc_scale_share shares[2] = {{.procs = 2, .rows = 2048}, {.procs = 2, .rows = 2048}};
    struct rc_scale_run runs[2] = {{.procs = 4, .cut = 1, .mesh = {{4096, 65536, 1}}},
                                   {.procs = 4, .cut = 1, .mesh = {{4096, 65536, 1}}}};
    double longest = fmax(seconds_of(&table_one, 2048, 2), seconds_of(&truth_b, 2048, 2));
    struct rc_scale_link link;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++) {
        shares[i].model = &models[i];
        runs[i].seconds = longest + 6 + 2 * i;
    }
    assert_int_equal(rc_scale_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_near(link.seconds, 7, 1e-6);
    assert_string_equal(link.cluster[0], "A");
    assert_string_equal(link.cluster[1], "B");
    assert_int_equal(link.cols, 65536);
    assert_string_equal(link.network, "ethernet");
    strcpy(models[0].setting.network, "myrinet"); /* each has its own */
    assert_int_equal(rc_scale_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_string_equal(link.network, "");
    strcpy(models[1].setting.network, "myrinet");
    assert_int_equal(rc_scale_link_measure(runs, 2, shares, 2, &link, NULL), 0);
    assert_string_equal(link.network, "myrinet");
    runs[1].procs = 8;
    assert_int_equal(rc_scale_link_measure(runs, 2, shares, 2, &link, NULL), -1);
    for (int i = 0; i < 2; i++)
        rc_scale_model_free(&models[i]);
}

static void splits(void **state)
{
    struct rc_scale_model models[2];
    struct rc_scale_side sides[2];
    struct rc_error error;
    double a, b;

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++)
        sides[i] = (struct rc_scale_side){.share = {.model = &models[i], .procs = i == 0 ? 64 : 32},
                                          .price = i + 1, .memory = NAN};
    /* equal times, to within a row for each process */
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
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
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_GIVEN, NULL), 0);
    assert_int_equal(sides[0].share.rows, 32768);
    sides[0].weight = 3;
    sides[1].weight = 1;
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_GIVEN, NULL), 0);
    assert_int_equal(sides[0].share.rows, 49152);
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_MEMORY, &error), -1);
    for (int i = 0; i < 2; i++) {
        sides[i].memory = 0x1p31;
        sides[i].bytes_per_cell = 32;
    }
    assert_int_equal(rc_scale_side_rows(&sides[0], &n65536), 65536);
    assert_int_equal(rc_scale_side_rows(&sides[1], &n65536), 32768);
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_near((double)sides[0].share.rows, 65536 * 2 / 3.0, 1);
    /* memory limits the faster side */
    sides[1].memory = 0x1p30;
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
    assert_int_equal(sides[1].share.rows, 16384);
    sides[0].memory = 0x1p30;
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_TIME, &error), -1);
    assert_non_null(strstr(error.text, "do not fit in the memory of these clusters, which hold "
                                       "49152"));
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), -1);
    /* beyond memory, which still says who gets more */
    sides[0].beyond = sides[1].beyond = true;
    assert_true(rc_scale_side_rows(&sides[0], &n65536) == RC_MESH_MAX);
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_near((double)sides[0].share.rows, 65536 * 2 / 3.0, 1);
    assert_int_equal(sides[0].share.rows + sides[1].share.rows, 65536);
    sides[0].memory = 0x1p29;
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_MEMORY, NULL), 0);
    assert_int_equal(sides[0].share.rows, 32768);
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
    for (int i = 0; i < 2; i++)
        rc_scale_model_free(&models[i]);
}

/* Both until the end, or one alone: whatever costs less. */
static void least_price(void **state)
{
    struct rc_scale_model models[2];
    struct rc_scale_side sides[2];

    (void)state;
    fit_both(models);
    for (int i = 0; i < 2; i++)
        sides[i] = (struct rc_scale_side){.share = {.model = &models[i], .procs = i == 0 ? 64 : 32},
                                          .price = 1, .memory = NAN};
    for (double price = 0.25; price <= 16; price *= 2) {
        double alone[2], together, paid;

        sides[1].price = price;
        assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_TIME, NULL), 0);
        together = seconds_of(&table_one, sides[0].share.rows, 64);
        together = rc_scale_price(together, 64, 1) + rc_scale_price(together, 32, price);
        alone[0] = rc_scale_price(seconds_of(&table_one, 65536, 64), 64, 1);
        alone[1] = rc_scale_price(seconds_of(&truth_b, 65536, 32), 32, price);
        assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_PRICE, NULL), 0);
        paid = together;
        if (sides[0].share.rows == 0 || sides[1].share.rows == 0)
            paid = alone[sides[0].share.rows == 0];
        assert_near(paid, fmin(together, fmin(alone[0], alone[1])), 1e-3 * paid);
    }
    /* dear as B is by now, A does it alone */
    assert_int_equal(sides[1].share.rows, 0);
    sides[0].price = NAN;
    assert_int_equal(rc_scale_split(sides, 2, &n65536, RC_SPLIT_PRICE, NULL), -1);
    for (int i = 0; i < 2; i++)
        rc_scale_model_free(&models[i]);
}

/* ---- the tables ---- */

/* Scenario 2: A costs 1 and B 2 for a core and an hour. */
static void price_of_scenario_two(void **state)
{
    const double predicted = (rc_scale_price(1686.0, 32, 1) + rc_scale_price(1686.0, 32, 2)) /
                             rc_scale_price(259.5, 32, 2),
                 measured = (rc_scale_price(1645.5, 32, 1) + rc_scale_price(1645.5, 32, 2)) /
                            rc_scale_price(281.0, 32, 2);

    (void)state;
    assert_near(predicted, 10, 0.5);
    assert_near(measured, 8.8, 0.05);
    assert_near(rc_scale_core_hours(1800, 64), 32, 1e-12);
}

/* 32 bytes for a cell make the fourth rows of Tables I and II. */
static void memory_of_the_tables(void **state)
{
    static const struct {
        int64_t rows, n, procs;
        double gib;
    } cases[] = {{65536, 65536, 64, 2}, {65536, 65536, 32, 4}, {32768, 65536, 64, 1},
                 {32768, 65536, 32, 2}, {32768, 32768, 32, 1}};
    struct rc_scale_model model = {.bytes_per_cell = 32};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_mesh mesh = {{cases[i].rows, cases[i].n, 1}}, block;

        assert_int_equal(rc_mesh_block(&mesh, cases[i].procs, 1, &block, NULL), 0);
        assert_same(rc_scale_memory(&model, &block), cases[i].gib * 0x1p30);
    }
}

/* ---- choices ---- */

static void make_book(struct rc_book *book)
{
    struct truth fast_a = table_one, fast_b = truth_b;
    const struct rc_mesh block = {{1024, 65536, 1}};
    struct rc_scale_model model;

    *book = (struct rc_book){0};
    fast_a.c = fast_b.c = 1;
    fast_a.d = fast_b.d = 0.5;
    fit_truth(&table_one, &block, "A", "ethernet", 1, &model);
    assert_int_equal(rc_book_put(book, &model, NULL), 0);
    fit_truth(&fast_a, &block, "A", "myrinet", 1, &model);
    assert_int_equal(rc_book_put(book, &model, NULL), 0);
    fit_truth(&truth_b, &block, "B", "ethernet", 4, &model);
    assert_int_equal(rc_book_put(book, &model, NULL), 0);
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
    struct rc_book book;

    make_book(&book);
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.bytes_per_cell = 32;
    request.split = RC_SPLIT_GIVEN;
    request.deadline = 500;
    request.budget = 10;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 5);
    choice = choice_of(&choices, 1, 0, 0);
    assert_int_equal(choice->state, RC_CHOICE_OK);
    assert_same(choice->parts[0].memory, 0x1p31);
    assert_near(choice->estimate.point.seconds, true_seconds(&table_one, &n65536, 64), 1e-6);
    assert_near(choice->core_hours, choice->seconds * 64 / 3600, 1e-9);
    assert_near(choice->price, choice->core_hours, 1e-9);
    for (size_t network = 0; network < 2; network++) {
        choice = choice_of(&choices, 1, 1, network);
        assert_int_equal(choice->state, RC_CHOICE_NO_MEMORY);
        assert_string_equal(choice->why, "a process needs 4 GiB, and has 2 GiB on a host of 'B' "
                                         "with 4 on each");
    }
    choice = choice_of(&choices, 2, 0, 0);
    assert_int_equal(choice->state, RC_CHOICE_OK);
    assert_same(choice->parts[0].memory, 0x1p30);
    assert_same(choice->parts[1].memory, 0x1p31);
    assert_near(choice->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)), 1e-6);
    assert_near(choice->price, choice->seconds * (64 * 1 + 32 * 2) / 3600, 1e-9);
    /* sorted by time; the pair is the fastest, and faster than the deadline */
    assert_ptr_equal(choice, &choices.items[0]);
    assert_true(choices.items[0].seconds < choices.items[1].seconds);
    assert_true(choice->pareto);
    assert_near(choice->on_time, 1, 0.05);
    assert_same(choices.items[2].on_time, 0);
    assert_same(choice->in_budget, 0);
    rc_choices_free(&choices);
    rc_book_free(&book);
}

static void all_choices(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.per_host = 1}, {.excluded = true}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_book book;
    struct rc_error error;
    const struct rc_mesh meshes[2] = {n65536, n32768};
    size_t ok = 0, unknown = 0;

    make_book(&book);
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = meshes;
    request.n_meshes = 2;
    request.clusters = clusters;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    for (size_t i = 0; i < choices.n; i++) {
        ok += choices.items[i].state == RC_CHOICE_OK;
        unknown += choices.items[i].state == RC_CHOICE_NO_MODEL;
        assert_int_equal(choices.items[i].n_parts, 1);
    }
    /* 1, 2, 4 ... 128 over two networks; nothing was run with 32768 columns */
    assert_int_equal(ok, 16);
    assert_int_equal(unknown, 2);
    assert_non_null(strstr(choices.items[16].why, "nothing was measured on 'A' over ethernet for "
                                                  "a mesh of 32768 x 32768"));
    rc_choices_free(&choices);
    /* a mesh that fits nowhere */
    request.n_meshes = 1;
    request.bytes_per_cell = 1000;
    assert_int_equal(rc_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "it fits in no memory"));
    assert_non_null(strstr(error.hint, "more processes"));
    rc_choices_free(&choices);
    /* and one of which nothing is known */
    request.meshes = &meshes[1];
    request.bytes_per_cell = NAN;
    assert_int_equal(rc_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "nothing was measured"));
    assert_non_null(strstr(error.hint, "scale measure"));
    assert_int_equal(choices.n, 2);
    rc_choices_free(&choices);
    rc_book_free(&book);
}

/* Pairs that memory, or the asked split, is in the way of. */
static void pairs_that_cannot_be(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    const double weights[2] = {1, 1e-4};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_book book;

    make_book(&book);
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.split = RC_SPLIT_GIVEN;
    request.weights = weights;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choice_of(&choices, 2, 0, 0)->state, RC_CHOICE_NO_SPLIT);
    assert_string_equal(choice_of(&choices, 2, 0, 0)->why,
                        "7 rows are too few for 32 processes of 'B'");
    rc_choices_free(&choices);
    request.bytes_per_cell = 64;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), -1);
    assert_int_equal(choice_of(&choices, 2, 0, 0)->state, RC_CHOICE_NO_MEMORY);
    assert_non_null(strstr(choice_of(&choices, 2, 0, 0)->why, "which hold 49152"));
    rc_choices_free(&choices);
    rc_book_free(&book);
}

/* With four on a host there is room for what does not fit with one on each. */
static void too_many_for_some(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.excluded = true}, {.procs = {128}, .n_procs = 1}};
    const struct rc_mesh block = {{1024, 65536, 1}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_scale_model model;
    struct rc_book book = {0};
    struct rc_error error;

    for (int per_host = 1; per_host <= 4; per_host += 3) {
        fit_truth(&truth_b, &block, "B", "ethernet", per_host, &model);
        assert_int_equal(rc_book_put(&book, &model, NULL), 0);
    }
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.network = "ethernet";
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 1);
    assert_int_equal(choices.items[0].parts[0].per_host, 4);
    assert_ptr_equal(choices.items[0].parts[0].model, &book.models[1]);
    assert_int_equal(choices.notes.n, 1);
    assert_string_equal(choices.notes.text[0], "cluster 'B' takes at most 87 processes with 1 on a "
                                               "host: 128 are left out");
    rc_choices_free(&choices);
    clusters[1].procs[0] = 500;
    assert_int_equal(rc_choices_make(&request, &choices, &error), -1);
    assert_int_equal(choices.n, 0);
    assert_string_equal(error.text, "there is nothing to choose from: cluster 'B' takes at most 87 "
                                    "processes with 1 on a host: 500 are left out; cluster 'B' "
                                    "takes at most 348 processes with 4 on a host: 500 are left "
                                    "out");
    rc_choices_free(&choices);
    clusters[1].procs[0] = 0;
    assert_int_equal(rc_choices_make(&request, &choices, &error), -1);
    assert_non_null(strstr(error.text, "takes from 1 to 87 processes, and not 0"));
    rc_choices_free(&choices);
    rc_book_free(&book);
}

/* Of two links between the same clusters, a pair pays for that of its own network. */
static void links_of_networks(void **state)
{
    struct rc_choice_cluster clusters[2] = {{.procs = {64}, .n_procs = 1, .per_host = 1},
                                            {.procs = {32}, .n_procs = 1, .per_host = 4}};
    const struct rc_scale_link links[2] = {
        {.cluster = {"A", "B"}, .network = "myrinet", .cols = 65536, .seconds = 500, .runs = 1},
        {.cluster = {"A", "B"}, .network = "ethernet", .cols = 65536, .seconds = 50, .runs = 1}};
    struct rc_choices_request request;
    struct rc_choices choices;
    struct rc_book book;

    make_book(&book);
    for (int i = 0; i < 2; i++)
        assert_int_equal(rc_book_put_link(&book, &links[i], NULL), 0);
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = &n65536;
    request.n_meshes = 1;
    request.clusters = clusters;
    request.split = RC_SPLIT_GIVEN;
    request.links = true;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_near(choice_of(&choices, 2, 0, 0)->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)) + 50,
                1e-6);
    assert_int_equal(choices.notes.n, 0);
    rc_choices_free(&choices);
    book.n_links = 1; /* the other network's alone is none */
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_near(choice_of(&choices, 2, 0, 0)->estimate.point.seconds,
                fmax(seconds_of(&table_one, 32768, 64), seconds_of(&truth_b, 32768, 32)), 1e-6);
    assert_true(has_note(&choices.notes, "was not measured for 65536 columns"));
    rc_choices_free(&choices);
    rc_book_free(&book);
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
    struct rc_scale_model model;
    struct rc_book book = {0};

    for (int i = 0; i < 2; i++) {
        fit_truth(&truth, &block, i == 0 ? "A" : "B", "ethernet", i == 0 ? 1 : 4, &model);
        assert_int_equal(rc_book_put(&book, &model, NULL), 0);
    }
    rc_choices_request_init(&request);
    request.platform = *state;
    request.book = &book;
    request.meshes = &n32768;
    request.n_meshes = 1;
    request.cut = 2;
    request.clusters = clusters;
    request.network = "ethernet";
    request.split = RC_SPLIT_GIVEN;
    assert_int_equal(rc_choices_make(&request, &choices, NULL), 0);
    assert_int_equal(choices.n, 2);
    for (size_t i = 0; i < choices.n; i++)
        assert_int_equal(choices.items[i].n_parts, 1);
    rc_choices_free(&choices);
    rc_book_free(&book);
}

static void pareto(void **state)
{
    const double seconds[] = {1, 2, 3, 4, 2, 5}, price[] = {9, 5, 6, 1, 5, NAN};
    const bool expected[] = {true, true, false, true, true, false};
    bool marked[6];

    (void)state;
    rc_choices_pareto(seconds, price, 6, marked);
    for (int i = 0; i < 6; i++)
        assert_int_equal(marked[i], expected[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_on_a),
        cmocka_unit_test(plan_on_b),
        cmocka_unit_test(plan_packed),
        cmocka_unit_test(plan_in_two_directions),
        cmocka_unit_test(plans_that_cannot_be),
        cmocka_unit_test(plans_share_hosts),
        cmocka_unit_test(plans_of_long_blocks),
        cmocka_unit_test(plans_and_runs),
        cmocka_unit_test(packed_runs_are_others),
        cmocka_unit_test(hosts_of_runs),
        cmocka_unit_test(memory_before_a_plan),
        cmocka_unit_test(sides_of_a_crossing),
        cmocka_unit_test(doubts_of_runs),
        cmocka_unit_test(the_longest_counts),
        cmocka_unit_test(a_measured_link),
        cmocka_unit_test(splits),
        cmocka_unit_test(least_price),
        cmocka_unit_test(price_of_scenario_two),
        cmocka_unit_test(memory_of_the_tables),
        cmocka_unit_test(scenario_one),
        cmocka_unit_test(all_choices),
        cmocka_unit_test(pairs_that_cannot_be),
        cmocka_unit_test(too_many_for_some),
        cmocka_unit_test(links_of_networks),
        cmocka_unit_test(no_pairs_of_other_cuts),
        cmocka_unit_test(pareto),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
