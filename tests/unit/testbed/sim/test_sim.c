/* Simulated clusters: load files, load statistics, who runs where, what SimGrid is told, what
 * programs say, and the points of a sweep.  tests/cli/lab_sim.sh runs programs. */
#include <stdbool.h>

#include "unit.h"

#include "base/buffer.h"
#include "testbed/sim/sim.h"
#include "testbed/sim/sweep.h"
#include "stats/series/load_statistics.h"

/* ---- statistics ---- */

static void test_statistics(void **state)
{
    static const struct rc_sample a[] = {{0, 1}, {10, .5}, {20, 1}}, b[] = {{-5, .5}, {10, 1}};
    const struct rc_series_track tracks[] = {{a, 3}, {b, 2}};
    struct rc_series_load load;

    (void)state;
    assert_int_equal(rc_series_load_statistics(tracks, 2, 0, 40, &load, NULL), 0);
    assert_near(load.minavg, (10 * 1 + 10 * .5 + 20 * 1) / 40., 1e-15); /* both are 0.875 */
    assert_near(load.avgmin, (20 * .5 + 20 * 1) / 40., 1e-15);
    /* a stretch that begins between samples, and ends before the next */
    assert_int_equal(rc_series_load_statistics(tracks, 2, 12, 13, &load, NULL), 0);
    assert_same(load.minavg, .5);
    assert_same(load.avgmin, .5);
    /* before the first sample of a, nothing is known */
    assert_int_equal(rc_series_load_statistics(tracks, 2, -5, 10, &load, NULL), 0);
    assert_same(load.minavg, .5);
    assert_int_equal(rc_series_load_statistics(tracks, 2, -5, 0, &load, NULL), 0);
    assert_true(isnan(load.minavg) && isnan(load.avgmin));
    assert_int_equal(rc_series_load_statistics(tracks, 0, 0, 1, &load, NULL), 0);
    assert_true(isnan(load.avgmin));
    assert_int_equal(rc_series_load_statistics(tracks, 2, 1, 1, &load, NULL), -1);
}

/* An average of equal numbers is that number, whatever the rounding of times. */
static void test_statistics_of_equal(void **state)
{
    struct rc_sample samples[1000];
    struct rc_series_track track = {samples, COUNT(samples)};
    struct rc_series_load load;

    (void)state;
    for (size_t i = 0; i < COUNT(samples); i++)
        samples[i] = (struct rc_sample){946684800 + 0.1 * (double)i, .33};
    assert_int_equal(rc_series_load_statistics(&track, 1, 946684800.05, 946684890.123, &load, NULL),
                     0);
    assert_same(load.minavg, .33);
    assert_same(load.avgmin, .33);
}

/* ---- load files ---- */

static struct rc_load *parse(const char *text, struct rc_error *error)
{
    return rc_load_parse(text, strlen(text), "load.yaml", 0, error);
}

static void test_load_file(void **state)
{
    struct rc_error error;
    struct rc_load *load = parse("kind: random\ncpu: {levels: [1, 0.25], dwell: 1min..2min}\n"
                                 "link:\n  rest: 5s..6s\n  again: 0.5\n  spread: 10%\n",
                                 &error);

    (void)state;
    if (!load)
        fail_msg("%s", error.text);
    assert_int_equal(load->shapes[RC_LOAD_CPU].n_levels, 2);
    assert_same(load->shapes[RC_LOAD_CPU].levels[1], .25);
    assert_same(load->shapes[RC_LOAD_CPU].dwell.high, 120);
    assert_int_equal(load->shapes[RC_LOAD_LINK].n_levels, 5); /* as random has it */
    assert_same(load->shapes[RC_LOAD_LINK].rest.high, 6);
    assert_same(load->shapes[RC_LOAD_LINK].spread, .1);
    rc_load_destroy(load);
}

static void test_load_faults(void **state)
{
    static const struct {
        const char *text, *complaint;
        unsigned line;
    } cases[] = {
        {"kind: chaotic\n", "kind", 1},
        {"cpu: {levels: [1]}\n", "kind", 1},
        {"kind: random\ncpu: {levels: [1, 0]}\n", "level 0 is not greater than 0", 2},
        {"kind: random\ncpu:\n  dwell: 5\n  levels: [2]\n", "not from 0 to 1", 4},
        {"kind: random\ncpu: {dwell: 9s..3s}\n", "", 2},
        {"kind: none\ncpu: {levels: [1]}\n", "have no levels", 2},
        {"kind: replay\n", "need the list 'replay'", 1},
        {"kind: random\nreplay:\n  - file: x.csv\n", "only loads of kind replay", 3},
        {"kind: replay\nreplay:\n  - file: x.csv\n    shift: 1min\n", "'shift' needs 'hosts'", 4},
        {"kind: replay\nreplay:\n  - file: x.csv\n    hosts: a[1-\n", "hosts", 4},
        {"kind: replay\nreplay:\n  - file: x.csv\n    full: 0\n", "full", 4},
    };
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_null(parse(cases[i].text, &error));
        if (!strstr(error.text, cases[i].complaint) || error.line != cases[i].line)
            fail_msg("%zu: line %u: %s", i, error.line, error.text);
    }
    assert_null(rc_load_open("replay", &error));
    assert_non_null(strstr(error.hint, "replay:FILE.csv"));
    assert_null(rc_load_open("randm", &error));
    assert_non_null(strstr(error.hint, "'random'"));
}

/* A series of three steps, 30 s long, for two hosts of which the second is 5 s further on. */
static struct rc_load *recorded(enum rc_load_beyond beyond)
{
    static const struct rc_sample items[] = {{0, 1}, {10, .5}, {20, .25}};
    struct rc_error error;
    struct rc_load *load =
        parse("kind: replay\nreplay:\n  - {file: x, hosts: \"a,b\", shift: 5s}\n", &error);

    assert_non_null(load);
    load->tracks[0].beyond = beyond;
    load->tracks[0].end = 30;
    free(load->tracks[0].steps.items);
    load->tracks[0].steps.items = malloc(sizeof items);
    memcpy(load->tracks[0].steps.items, items, sizeof items);
    load->tracks[0].steps.n = COUNT(items);
    return load;
}

static void test_replay(void **state)
{
    static const double wanted[] = {1, .5, .25}; /* by tens of seconds */
    struct rc_load_steps steps;
    struct rc_range span;
    struct rc_error error;

    (void)state;
    for (int beyond = RC_LOAD_STOP; beyond <= RC_LOAD_REPEAT; beyond++) {
        struct rc_load *load = recorded((enum rc_load_beyond)beyond);

        rc_load_span(load, RC_LOAD_CPU, "b", &span);
        assert_same(span.low, beyond == RC_LOAD_REPEAT ? -INFINITY : -5);
        assert_same(span.high, beyond == RC_LOAD_STOP ? 25 : INFINITY);
        assert_int_equal(rc_load_steps(load, RC_LOAD_CPU, 1, "a", 12, 29, &steps, &error), 0);
        assert_int_equal(steps.n, 2);
        assert_same(steps.items[0].t, 10);
        rc_load_steps_free(&steps);
        assert_int_equal(rc_load_steps(load, RC_LOAD_LINK, 1, "a", 12, 1e6, &steps, &error), 0);
        assert_same(rc_load_at(&steps, 500), 1); /* no series is for links */
        rc_load_steps_free(&steps);
        if (beyond == RC_LOAD_STOP) {
            assert_int_equal(rc_load_steps(load, RC_LOAD_CPU, 1, "a", 12, 31, &steps, &error), -1);
            assert_non_null(
                strstr(error.text, "the series of a covers 0 s to 30 s, not 12 s to 31 s"));
        } else {
            assert_int_equal(rc_load_steps(load, RC_LOAD_CPU, 1, "b", 3, 200, &steps, &error), 0);
            for (double t = 3; t <= 200; t++)
                assert_same(rc_load_at(&steps, t), beyond == RC_LOAD_HOLD && t >= 15
                                                       ? .25
                                                       : wanted[(int)fmod(floor((t + 5) / 10), 3)]);
            rc_load_steps_free(&steps);
        }
        rc_load_destroy(load);
    }
}

/* ---- who runs where ---- */

static const char platform_text[] =
    "name: two\nclusters:\n"
    "  - {name: A, hosts: \"a[1-4]\", cores: 2, speed: 1Gf, networks: [{name: e, bandwidth: 1MB/s, "
    "latency: 100us}, {name: m, bandwidth: 9MB/s, latency: 2us}]}\n"
    "  - {name: B, hosts: \"b[1-2]\", cores: 1, networks: [{name: e, bandwidth: 2MB/s, latency: "
    "200us}]}\n"
    "  - {name: C, hosts: c, cores: 1, speed: 5f, networks: [{name: e, bandwidth: 2MB/s, latency: "
    "200us}]}\n"
    "links:\n  - {between: [A, B], bandwidth: 3MB/s, latency: 1ms}\n";

static struct rc_platform *platform;

static int make_platform(void **state)
{
    struct rc_error error;

    (void)state;
    platform = rc_platform_parse(platform_text, strlen(platform_text), "two", &error);
    return platform ? 0 : -1;
}

static int drop_platform(void **state)
{
    (void)state;
    rc_platform_destroy(platform);
    return 0;
}

static struct rc_sim_layout lay(struct rc_sim_choice choice)
{
    struct rc_sim_layout layout;
    struct rc_error error;

    choice.platform = platform;
    if (rc_sim_layout(&choice, &layout, &error))
        fail_msg("%s", error.text);
    return layout;
}

static void test_layout(void **state)
{
    struct rc_sim_layout layout = lay((struct rc_sim_choice){.speed = NAN});

    (void)state;
    assert_int_equal(layout.processes, 8);
    assert_string_equal(layout.text, "a[1-4]");
    rc_sim_layout_free(&layout);
    layout = lay((struct rc_sim_choice){.speed = NAN, .processes = 3, .network = "m"});
    assert_string_equal(layout.text, "a[1-2]");
    assert_int_equal(layout.hosts[0].processes, 2);
    assert_int_equal(layout.hosts[1].processes, 1);
    assert_same(layout.hosts[0].bandwidth, 9e6);
    rc_sim_layout_free(&layout);
    layout = lay((struct rc_sim_choice){.speed = NAN, .processes = 3, .per_host = 1});
    assert_string_equal(layout.text, "a[1-3]");
    assert_int_equal(layout.hosts[0].processes, 1);
    rc_sim_layout_free(&layout);
    layout = lay((struct rc_sim_choice){.speed = 7, .hosts = "b2,a1"});
    assert_int_equal(layout.processes, 3);
    assert_int_equal(layout.n_links, 1);
    assert_string_equal(layout.links[0].name, "A:B");
    assert_same(layout.hosts[0].speed, 7);
    assert_same(layout.hosts[1].speed, 1e9);
    rc_sim_layout_free(&layout);
}

static void test_layout_faults(void **state)
{
    static const struct {
        struct rc_sim_choice choice;
        const char *complaint;
    } cases[] = {
        {{.cluster = "D"}, "no cluster 'D'"},
        {{.cluster = "B"}, "no speed of b1"},
        {{.hosts = "a1,x1"}, "no host x1"},
        {{.hosts = "a1,c", .processes = 3}, "no link between the clusters 'A' and 'C'"},
        {{.hosts = "a1", .cluster = "A"}, "mutually exclusive"},
        {{.processes = 9}, "9 processes do not fit on the hosts, which take 8"},
        {{.network = "n"}, "no network 'n'"},
    };
    struct rc_sim_layout layout;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_sim_choice choice = cases[i].choice;

        choice.platform = platform;
        choice.speed = NAN;
        assert_int_equal(rc_sim_layout(&choice, &layout, &error), -1);
        if (!strstr(error.text, cases[i].complaint))
            fail_msg("%zu: %s", i, error.text);
        rc_sim_layout_free(&layout);
    }
}

/* ---- what sensors see ---- */

static void test_samples(void **state)
{
    struct rc_sim_layout layout = lay((struct rc_sim_choice){.speed = 1, .hosts = "a1,b1"});
    struct rc_load *load = rc_load_open("random", NULL);
    struct rc_sim_world world;
    struct rc_load_steps steps;

    (void)state;
    assert_int_equal(rc_sim_world(&layout, load, &world, NULL), 0);
    assert_int_equal(world.n_resources, 5); /* two processors, two links, one between clusters */
    assert_int_equal(rc_sim_world_steps(&world, load, 3, 1000, 9000, NULL), 0);
    assert_int_equal(rc_sim_world_sample(&world, 60, 1000, 8999, NULL), 0);
    for (size_t r = 0; r < world.n_resources; r++) {
        const struct rc_sim_resource *resource = &world.resources[r];

        assert_int_equal(
            rc_load_steps(load, resource->what, 3, resource->name, 0, 9000, &steps, NULL), 0);
        assert_int_equal(resource->n_samples, 133);
        for (size_t i = 0; i < resource->n_samples; i++) {
            assert_same(resource->samples[i].t, 1020 + 60 * (double)i);
            assert_same(resource->samples[i].value,
                        rc_load_at(&steps, resource->samples[i].t) * resource->full);
        }
        rc_load_steps_free(&steps);
    }
    assert_same(world.resources[4].full, 3e6);
    rc_sim_world_free(&world);
    rc_sim_layout_free(&layout);
    rc_load_destroy(load);
}

/* ---- SimGrid's files ---- */

static char *slurp(const char *directory, const char *name)
{
    struct rc_buffer text = RC_BUFFER_INIT(1 << 20);
    struct rc_error error;
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (rc_buffer_read_file(&text, path, &error))
        fail_msg("%s", error.text);
    unlink(path);
    return text.data;
}

static void wants(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in:\n%s", part, text);
}

static void test_files(void **state)
{
    char directory[] = "/tmp/runcast-files-XXXXXX", *text;
    struct rc_sim_layout layout = lay((struct rc_sim_choice){.speed = 1, .hosts = "a1,b1"});
    struct rc_load *load = recorded(RC_LOAD_HOLD);
    struct rc_sim_world world;

    (void)state;
    free(load->tracks[0].hosts.names[0]);
    load->tracks[0].hosts.names[0] = strdup("a1");
    load->tracks[0].steps.items[1].value = 0;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(rc_sim_world(&layout, load, &world, NULL), 0);
    assert_int_equal(rc_sim_world_steps(&world, load, 1, 0, 100, NULL), 0);
    assert_int_equal(rc_sim_files_write(&layout, &world, 7, directory, "p", NULL), 0);
    text = slurp(directory, "hosts");
    assert_string_equal(text, "a1\na1\nb1\n");
    free(text);
    text = slurp(directory, "p.0");
    assert_string_equal(text, "0 1\n3 1e-09\n13 0.25\n");
    free(text);
    text = slurp(directory, "platform.xml");
    wants(text, "<host id=\"a1\" core=\"2\" speed=\"1000000000f\" speed_file=\"p.0\"/>");
    wants(text, "<host id=\"b1\" core=\"1\" speed=\"1f\"/>"); /* nothing was recorded for it */
    /* half of 100 us, half of 200 us, and what is missing of 1 ms between the clusters */
    wants(text, "bandwidth=\"1000000Bps\" latency=\"5e-05s\"/>");
    wants(text, "bandwidth=\"2000000Bps\" latency=\"0.0001s\"/>");
    wants(text, "bandwidth=\"3000000Bps\" latency=\"0.00085");
    free(text);
    assert_int_equal(rmdir(directory), 0); /* and no other file */
    rc_sim_world_free(&world);
    rc_sim_layout_free(&layout);
    rc_load_destroy(load);
}

/* ---- what programs say ---- */

#define TIMING "@12.5@smpi_utils@INFO@Simulated time: 12.5 seconds. \n\nThe simulation took 1 s\n"
#define REPORT                                                                                     \
    "{\"app\": \"ep\", \"n\": 20, \"p\": 2, \"iterations\": 3, \"seconds\": 12.25, "               \
    "\"check\": \"charged\", \"error\": 0, \"memory\": 99, \"operations\": 7}\n"

static void test_output(void **state)
{
    struct rc_sim_output output;

    (void)state;
    assert_int_equal(rc_sim_output_read("hello\n" REPORT TIMING, strlen("hello\n" REPORT TIMING),
                                        NULL, &output, NULL),
                     0);
    assert_string_equal(output.app, "ep");
    assert_same(output.n, 20);
    assert_same(output.iterations, 3);
    assert_same(output.seconds, 12.25);
    assert_same(output.total, 12.5);
    assert_same(output.memory, 99);
    assert_int_equal(rc_sim_output_read(TIMING, strlen(TIMING), NULL, &output, NULL), 0);
    assert_true(isnan(output.seconds) && isnan(output.n) && output.app[0] == '\0');
}

static void test_output_words(void **state)
{
    static const char text[] = "one\n" REPORT "{not ours}\n" TIMING "two";
    struct rc_buffer printed = RC_BUFFER_INIT(100);

    (void)state;
    rc_sim_output_text(text, strlen(text), &printed);
    assert_string_equal(printed.data, "one\n{not ours}\ntwo\n");
    rc_buffer_free(&printed);
}

/* The report of a skeleton is part of its output. */
static void test_output_skeletons(void **state)
{
    static const char report[] = "{\"skeleton\": \"s\", \"ratio\": 3, \"seconds\": 4}\n";
    static const char text[] =
        REPORT "{\"skeleton\": \"s\", \"ratio\": 3, \"seconds\": 4}\n" TIMING;
    struct rc_buffer printed = RC_BUFFER_INIT(100);
    struct rc_sim_output output;

    (void)state;
    rc_sim_output_text(text, strlen(text), &printed);
    assert_string_equal(printed.data, report);
    rc_buffer_free(&printed);
    assert_int_equal(rc_sim_output_read(text, strlen(text), NULL, &output, NULL), 0);
    assert_same(output.seconds, 4);
}

static void test_output_faults(void **state)
{
    static const struct {
        const char *text;
        const char *ended;
        const char *complaint;
    } cases[] = {
        {REPORT, NULL, "no simulated time in the output"},
        {"{\"seconds\": 1, \"check\": \"wrong\", \"error\": 0.5}\n" TIMING,
         "it ended with status 1", "wrong result: its deviation is 0.5"},
        {"ep: no such thing\n@0@smpi_pmpi@WARNING@MPI_Abort was called, something\n" TIMING, NULL,
         "the program called MPI_Abort; its last output: ep: no such thing"},
        {"one\ntwo\n@0@smpi_kernel@WARNING@SMPI process did not return 0.\n" TIMING
         "@0@smpi_utils@INFO@More than 75% of the time was spent inside the application code.\n"
         "You may want to use sampling functions or trace replay to reduce this.\n",
         "it ended with status 3", "it ended with status 3; its last output: two"},
        {"one\n@0@ker_engine@CRITICAL@Oops! Deadlock detected, some\n" TIMING, NULL,
         "deadlock: all processes wait"},
        {"@0@root@CRITICAL@The Impossible\nBacktrace (displayed in actor maestro):\n  -> 0\n",
         "it was killed by signal 6", "it was killed by signal 6: The Impossible"},
        {"@0@root@CRITICAL@dlopen failed: x\nError: Did you compile the program with a "
         "SMPI-specific compiler (spmicc or friends)?\n",
         "it ended with status 1", "not built for SMPI"},
        {"", "it ended with status 1", "without output"},
        {"{\"seconds\": 0}\n" TIMING, NULL, "a run time of 0 s"},
    };
    struct rc_sim_output output;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rc_sim_output_read(cases[i].text, strlen(cases[i].text), cases[i].ended,
                                            &output, &error),
                         -1);
        if (!strstr(error.text, cases[i].complaint))
            fail_msg("%zu: %s", i, error.text);
    }
}

/* ---- sweeps ---- */

static struct rc_sweep *sweep_of(const char *text, struct rc_error *error)
{
    return rc_sim_sweep_parse(text, strlen(text), "sweep.yaml", 0, error);
}

static void test_sweep(void **state)
{
    struct rc_error error;
    struct rc_sweep *sweep = sweep_of("platform: p.yaml\nloads: [none, random]\nseeds: [4, 9]\n"
                                      "over: 2d\nfrom: 5d\nrepeat: 3\napps:\n"
                                      "  - {app: ep, sizes: [10, 2Ki], procs: [1, 2]}\n"
                                      "  - {app: is, sizes: [5], arguments: [--iterations, 7]}\n",
                                      &error);
    struct rc_sweep_point *points, *again;
    struct rc_sim_sweep_job job;
    size_t n, n_again;

    (void)state;
    if (!sweep)
        fail_msg("%s", error.text);
    assert_int_equal(rc_sim_sweep_points(sweep, &points, &n, &error), 0);
    assert_int_equal(n, 3 * 2 * 2 * (4 + 1));
    assert_int_equal(rc_sim_sweep_points(sweep, &again, &n_again, &error), 0);
    for (size_t i = 0; i < n; i++) {
        assert_same(points[i].id, again[i].id);
        assert_true(points[i].id >= 0 && points[i].id < 4503599627370496.0);
        assert_true(points[i].start >= 5 * 86400 && points[i].start < 7 * 86400);
        for (size_t j = 0; j < i; j++) {
            assert_true(points[i].id != points[j].id);
            /* those who share a calendar share seed and load */
            assert_int_equal(points[i].base == points[j].base,
                             points[i].seed == points[j].seed && points[i].load == points[j].load);
        }
    }
    assert_int_equal(rc_sim_sweep_job(sweep, &points[4], &job, &error), 0);
    assert_string_equal(job.program[0], "is");
    assert_string_equal(job.program[2], "5");
    assert_string_equal(job.program[4], "7");
    assert_null(job.program[5]);
    rc_sim_sweep_job_free(&job);
    free(points);
    free(again);
    rc_sim_sweep_destroy(sweep);
}

static void test_sweep_faults(void **state)
{
    static const struct {
        const char *text, *complaint;
        unsigned line;
    } cases[] = {
        {"apps: [{app: ep, sizes: [1]}]\n", "platform", 1},
        {"platform: p\napps: [{app: ep}]\n", "sizes", 2},
        {"platform: p\nseeds: [1, x]\napps: [{app: ep, sizes: [1]}]\n", "not a whole number", 2},
        {"platform: p\nseeds: [1, 1]\napps: [{app: ep, sizes: [1]}]\n", "duplicate seed", 2},
        {"platform: p\nrepeat: 3\napps: [{app: ep, sizes: [1]}]\n", "gives the same result", 2},
        {"platform: p\nstarts: [1d]\nover: 3d\napps: [{app: ep, sizes: [1]}]\n",
         "mutually exclusive", 3},
        {"platform: p\nover: 900d\napps: [{app: ep, sizes: [1]}]\n", "not from", 2},
        {"platform: p\nfrom: 2d\napps: [{app: ep, sizes: [1]}]\n", "need 'over'", 2},
        {"platform: p\nover: 9d\nfrom: 360d\napps: [{app: ep, sizes: [1]}]\n", "not from", 2},
        {"platform: p\napps: [{app: ep, sizes: [0]}]\n", "not from", 2},
        {"platform: p\napps: [{app: ep, sizes: [1], procs: [0]}]\n", "whole number", 2},
        {"platform: p\napps: [{app: ep, sizes: [1], size: 3}]\n", "unknown key", 2},
    };
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_null(sweep_of(cases[i].text, &error));
        if (!strstr(error.text, cases[i].complaint) || error.line != cases[i].line)
            fail_msg("%zu: line %u: %s", i, error.line, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics),    cmocka_unit_test(test_statistics_of_equal),
        cmocka_unit_test(test_load_file),     cmocka_unit_test(test_load_faults),
        cmocka_unit_test(test_replay),        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_layout_faults), cmocka_unit_test(test_samples),
        cmocka_unit_test(test_files),         cmocka_unit_test(test_output),
        cmocka_unit_test(test_output_words),  cmocka_unit_test(test_output_skeletons),
        cmocka_unit_test(test_output_faults), cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_sweep_faults),
    };

    return cmocka_run_group_tests(tests, make_platform, drop_platform);
}
