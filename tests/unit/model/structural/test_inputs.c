/* Where inputs come from: what is set, tables, and the platform. */
#include "structure.h"

/* Three hosts, each with a power of ten, so that a sum tells which of them were in it. */
#define HOSTS                                                                                      \
    "model m\nhosts a1, a2, a3\n"                                                                  \
    "input x[h] = table\n  a1 1\n  a2 10\n  a3 100\n  b7 1000\n"

/* ---- what is set ---- */

#define PAIRS                                                                                      \
    "model m\nhosts a1, a2\ninput b[x, y] = 1\n"                                                   \
    "total t = b[a1, a1] + 10 * b[a1, a2] + 100 * b[a2, a1] + 1000 * b[a2, a2]\n"

static void what_is_set_wins(void **state)
{
    const char text[] = HOSTS "total t = sum(h in hosts: x[h])\n";

    (void)state;
    assert_total(text, ASK(.set = {"x[a2]=5"}), 106);
    assert_total(text, ASK(.set = {"x=7"}), 21);
    assert_total(text, ASK(.set = {"x[a2]=5", "x=7"}), 19); /* that of the host, in either order */
    assert_total(text, ASK(.set = {"x=7", "x[ a2 ] = 5"}), 19);
    assert_total(text, ASK(.set = {"x=1", "x=2", "x[a1]=3", "x[a1]=4"}), 8); /* the last */
    assert_total(PAIRS, ASK(.set = {"b[a1,a2]=2", "b[a2, a1]=3"}), 1321);
    assert_total(PAIRS, ASK(.set = {"b=4", "b[a2,a2]=5"}), 5444);
    assert_total("model m\ninput N from size\ninput P from processes\ntotal t = N + P\n",
                 ASK(.hosts = {"a1"}, .size = 10, .set = {"N=20", "P=300"}), 320);
}

static void a_setting_is_a_formula(void **state)
{
    const char text[] = HOSTS "input k = 2\ndefine d[h] = 3 * x[h]\ninput y[h]\n"
                              "total t = sum(h in hosts: y[h])\n";

    (void)state;
    assert_total(text, ASK(.set = {"y=x[h] * k"}), 222);
    assert_total(text, ASK(.set = {"y=d[h]", "y[a1]=50%"}), 330.5);
    assert_total(text, ASK(.set = {"y=max(j in hosts: x[j])", "k=9"}), 300);
    assert_near(total_of("model m\ninput v\ntotal t = v - v\n", ASK(.set = {"v=normal(5, 1)"}),
                         NULL),
                0, 0);
    assert_fails(text, ASK(.set = {"y=nothing"}), "unknown name 'nothing'", NULL);
    assert_fails(text, ASK(.set = {"y=y[h]"}), "refer", NULL);
    assert_fails("model m\ninput a\ninput b\ntotal t = a\n", ASK(.set = {"a=b", "b=a"}), "refer",
                 NULL);
}

static void each_host_may_be_set_alone(void **state)
{
    const char hosts[] = "model m\nhosts a1, a2\ninput x[h]\ntotal t = x[a1] + x[a2]\n";

    (void)state;
    assert_total(hosts, ASK(.set = {"x[a1]=2", "x[a2]=3"}), 5);
    assert_fails(hosts, ASK(.set = {"x[a1]=2"}), "a2", "structural.set ");
}

static void each_number_may_be_set_alone(void **state)
{
    const char steps[] = "model m\nhosts a1, a2\ninput step[t]\n"
                         "total t = sum(t in 1 to 2: step[t])\n";

    (void)state;
    assert_total(steps, ASK(.set = {"step[1]=2", "step[2]=3"}), 5);
    assert_fails(steps, ASK(.set = {"step[1]=2"}), "2", "structural.set ");
}

static void settings_that_fit_nothing_are_refused(void **state)
{
    static const struct {
        const char *set, *says, *hint;
    } faults[] = {
        {"x", "missing value in 'x'", "NAME=VALUE"},
        {"=3", "missing value in '=3'", "NAME=VALUE"},
        {"speeed=3", "'speeed' is not an input", "did you mean 'speed'?"},
        {"zzzzzz=3", "'zzzzzz' is not an input", NULL},
        {"d=3", "'d' is not an input of the model, but computed from inputs", NULL},
        {"T=3", "'T' is not an input of the model, but computed from inputs", NULL},
        {"T.w=3", "'T.w' is not an input of the model", NULL},
        {"total=3", "'total' is not an input of the model", NULL},
        {"x[a1=3", "missing ']'", NULL},
        {"x[]=3", "empty brackets", NULL},
        {"x[a1,a2]=3", "'x' needs 1 ind", NULL},
        {"speed[a1]=3", "'speed' needs 0 ind", NULL},
        {"x[a,b,c,d,e]=3", "more than 4 indices", NULL},
        {"x=", "ends; expected a value", NULL},
        {"x=2 +", "ends; expected a value", NULL},
        {"x=(2", "", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(faults); i++)
        assert_fails(HOSTS "input speed = 2\ndefine d = 1\ncomponent T by w = 1\n"
                           "total t = x[a1]\n",
                     ASK(.set = {faults[i].set}), faults[i].says, faults[i].hint);
}

/* Faults in a setting have a place in it. */
static void faults_in_settings_are_placed(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    assert_null(try_total(HOSTS "total t = x[a1]\n", ASK(.set = {"x[a1] = 2 + )"}), &error));
    assert_string_equal(error.file, "set x[a1] = 2 + )");
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 13);
    assert_null(try_total(HOSTS "total t = x[a1]\n", ASK(.set = {"x=1/0"}), &error));
    assert_string_equal(error.file, "set x=1/0");
    assert_int_equal(error.column, 4);
}

/* ---- tables ---- */

#define TABLE                                                                                      \
    "model m\nhosts a1, a2\ninput k = 3\ninput b[x, y] = table\n"                                  \
    "         a1        a2\n    a1   1         k*10\n    a2   100       -\n"

static void tables_have_the_row_first(void **state)
{
    (void)state;
    assert_total(TABLE "total t = b[a1, a2] + b[a2, a1]\n", NOTHING, 130);
    assert_total(TABLE "total t = b[a1, a2]\n", ASK(.set = {"k=5"}), 50);
    assert_total(TABLE "total t = b[a2, a2]\n", ASK(.set = {"b[a2,a2]=7"}), 7);
    assert_fails(TABLE "total t = b[a2, a2]\n", NOTHING, "a2", "structural.set ");
    assert_fails(TABLE "total t = b[a1]\n", NOTHING, "'b' needs 2 indices, not 1", NULL);
    assert_total("model m\nhosts a1\ninput u[h] = table\n  a1 normal(3, 1)\n"
                 "total t = 2 * u[a1] - u[a1]\n",
                 NOTHING, 3);
}

static void every_cell_of_a_table_is_found(void **state)
{
    static const char *const rows[] = {"b1", "a2", "a10"}, *const columns[] = {"a2", "b1", "a10"};
    char text[300];

    (void)state;
    for (size_t i = 0; i < 9; i++) {
        snprintf(text, sizeof text,
                 "model m\ninput b[x, y] = table\n       a2  b1  a10\n"
                 "  b1   1   2   3\n  a2   4   5   6\n  a10  7   8   9\ntotal t = b[%s, %s]\n",
                 rows[i / 3], columns[i % 3]);
        assert_total(text, NOTHING, (double)(i + 1));
    }
}

static void lacking_rows_are_told(void **state)
{
    const char text[] = HOSTS "total t = sum(h in hosts: x[h])\n";

    (void)state;
    assert_fails(text, ASK(.hosts = {"a1", "zz"}), "zz", "structural.set ");
    assert_total(text, ASK(.hosts = {"a1", "zz"}, .set = {"x[zz]=5"}), 6);
    assert_fails(TABLE "total t = sum(h in hosts: b[h, a1])\n", ASK(.hosts = {"a1", "zz"}), "zz",
                 NULL);
    assert_fails(TABLE "total t = b[zz, a1]\n", NOTHING, "zz", NULL);
}

/* Rows that no formula asks for need not be there. */
static void a_table_may_be_of_some_hosts(void **state)
{
    const char text[] = "model m\nhosts a1, a2\nset master = first(hosts)\nset slaves = "
                        "rest(hosts)\ninput setup[h] = table\n  a1 5\ninput job[h] = table\n"
                        "  a2 7\ninput at[t] = table\n  1 100\n  2 1000\n";
    char with[400];

    (void)state;
    snprintf(with, sizeof with, "%stotal t = setup[master]\n", text);
    assert_total(with, NOTHING, 5);
    snprintf(with, sizeof with, "%stotal t = max(h in slaves: job[h])\n", text);
    assert_total(with, NOTHING, 7);
    snprintf(with, sizeof with, "%stotal t = sum(t in 1 to 2: at[t])\n", text);
    assert_total(with, NOTHING, 1100);
}

/* ---- the platform ---- */

static const char clusters[] =
    "name: three\n"
    "clusters:\n"
    "- {name: A, hosts: 'a[1-2]', cores: 2, memory: 4GB, speed: 2Gf, cost: 0.05,\n"
    "   networks: [{name: n, bandwidth: 10MB/s, latency: 1ms},\n"
    "              {name: other, bandwidth: 99MB/s, latency: 9ms}],\n"
    "   overrides: [{hosts: a2, cores: 3, speed: 5Gf}]}\n"
    "- {name: B, hosts: 'b[1-4]', cores: 4,\n"
    "   networks: [{name: n, bandwidth: 20MB/s, latency: 2ms}]}\n"
    "- {name: C, hosts: 'c[1-4]', cores: 4, placement: {order: spread},\n"
    "   networks: [{name: n, bandwidth: 30MB/s, latency: 3ms}]}\n"
    "links:\n"
    "- {between: [A, B], bandwidth: 1MB/s, latency: 50ms}\n"
    "- {between: [C, A], bandwidth: 2MB/s, latency: 60ms}\n";

static struct rc_platform *platform;

static int read_platform(void **state)
{
    struct rc_error error = {.text = ""};

    (void)state;
    platform = rc_platform_parse(clusters, strlen(clusters), "three.yaml", &error);
    if (!platform)
        print_message("%u: %s\n", error.line, error.text);
    return platform ? 0 : -1;
}

static int drop_platform(void **state)
{
    (void)state;
    rc_platform_destroy(platform);
    return 0;
}

/* What `field` of the platform is for these indices. */
static double field(const char *field_name, const char *parameters, const char *indices)
{
    const bool of_all = indices[0] != 'a' || strpbrk(indices, "bc");
    char text[300];

    snprintf(text, sizeof text,
             "model m\nhosts %s\ninput f[%s] from platform %s\n"
             "total t = f[%s]\n",
             of_all ? "a1, a2, b1, c1" : "a1, a2", parameters, field_name, indices);
    return total_of(text, ASK(.platform = platform), NULL);
}

static void fields_come_from_the_platform(void **state)
{
    (void)state;
    assert_same(field("speed", "h", "a2"), 5e9);
    assert_same(field("cores", "h", "a1"), 2);
    assert_same(field("cores", "h", "a2"), 3);
    assert_same(field("memory", "h", "a1"), 4e9);
    assert_same(field("cost", "h", "a2"), 0.05);
    assert_same(field("processes", "h", "b1"), 1);
    assert_same(field("bandwidth", "h", "c1"), 30e6);
    assert_same(field("latency", "h", "b1"), 2e-3);
    assert_same(field("bandwidth", "x, y", "a1, a2"), 10e6);
    assert_same(field("bandwidth", "x, y", "a1, a1"), 10e6);
    assert_same(field("bandwidth", "x, y", "a1, b1"), 1e6);
    assert_same(field("bandwidth", "x, y", "b1, a2"), 1e6);
    assert_same(field("latency", "x, y", "a1, c1"), 60e-3);
    assert_same(field("latency", "x, y", "c1, a1"), 60e-3);
}

static void what_the_platform_does_not_tell_is_told(void **state)
{
    const char memory[] = "model m\ninput f[h] from platform memory\n"
                          "total t = sum(h in hosts: f[h])\n";

    (void)state;
    assert_total(memory, ASK(.hosts = {"a1", "a2"}, .platform = platform), 8e9);
    assert_fails(memory, ASK(.hosts = {"a1", "b1"}, .platform = platform),
                 "the platform has no memory of 'b1'", "structural.set ");
    assert_total(memory, ASK(.hosts = {"a1", "b1"}, .platform = platform, .set = {"f[b1]=1GB"}),
                 5e9);
    assert_fails(memory, ASK(.hosts = {"a1", "z1"}, .platform = platform), "no host 'z1'", NULL);
    assert_fails(memory, ASK(.hosts = {"a1"}), "comes from a platform file, but none is given",
                 "structural.name-platform");
    assert_total(memory, ASK(.hosts = {"a1", "z1"}, .set = {"f=2"}), 4);
}

static void what_a_platform_would_tell_may_be_set_for_each_host(void **state)
{
    const char text[] = "model m\ninput f[h] from platform memory\ninput b[x, y] from platform "
                        "bandwidth\ntotal t = f[a1] + f[z1] + b[a1, z1]\n";

    (void)state;
    assert_total(text, ASK(.hosts = {"a1", "z1"}, .set = {"f[a1]=1", "f[z1]=2", "b=30"}), 33);
    assert_total(text, ASK(.hosts = {"a1", "z1"}, .set = {"f=1", "b[a1,z1]=30"}), 32);
}

/* What no formula asks for need not be there: the memory of b1, the link from b1 to c1. */
static void a_platform_may_tell_of_some_hosts(void **state)
{
    (void)state;
    assert_total("model m\ninput f[h] from platform memory\ntotal t = f[a1]\n",
                 ASK(.hosts = {"a1", "b1"}, .platform = platform), 4e9);
    assert_total("model m\ninput f[x, y] from platform bandwidth\ntotal t = f[b1, a1]\n",
                 ASK(.hosts = {"b1", "a1", "c1"}, .platform = platform), 1e6);
}

static void a_lacking_link_is_told_with_both_ends(void **state)
{
    const char link[] = "model m\ninput f[x, y] from platform bandwidth\ntotal t = f[b1, c1]\n";

    (void)state;
    assert_fails(link, ASK(.hosts = {"b1", "c1"}, .platform = platform), "'b1'", NULL);
    assert_fails(link, ASK(.hosts = {"b1", "c1"}, .platform = platform), "'c1'", NULL);
}

/* The processes of hosts in cluster B (packed) or C (spread), one digit for each. */
static double placed(const char *cluster, double processes)
{
    char text[300];

    snprintf(text, sizeof text,
             "model m\nhosts %s[1-4]\ninput f[h] from platform processes\n"
             "total t = f[%s1] * 1000 + f[%s2] * 100 + f[%s3] * 10 + f[%s4]\n",
             cluster, cluster, cluster, cluster, cluster);
    return total_of(text, ASK(.processes = processes, .platform = platform), NULL);
}

/* docs/reference/platform-file.md has six processes on four hosts with 4 cores each. */
static void processes_are_placed_as_the_platform_says(void **state)
{
    (void)state;
    assert_same(placed("b", 6), 4200);
    assert_same(placed("c", 6), 2211);
    assert_same(placed("b", 16), 4444);
    assert_same(placed("c", 15), 4443);
    assert_same(placed("c", 2), 1100);
    assert_same(placed("b", 0), 1111); /* not said: one for each host */
    assert_same(placed("c", 0), 1111);
}

static void size_and_processes_are_inputs(void **state)
{
    const char text[] = "model m\ninput N from size\ninput P from processes\ntotal t = N + P\n";

    (void)state;
    assert_total(text, ASK(.hosts = {"a", "b"}, .size = 100), 102);
    assert_total(text, ASK(.hosts = {"a", "b"}, .size = 100, .processes = 8), 108);
    assert_total(text, ASK(.size = 100, .processes = 8), 108);
    assert_fails(text, ASK(.hosts = {"a"}), "problem size", "structural.set N=VALUE");
    assert_fails(text, ASK(.size = 100), "P, the number of processes, is not set",
                 "structural.set P");
}

/* What is set must be of something that there is. */
static void what_is_set_is_of_something(void **state)
{
    const char text[] = "model m\nhosts a1, a2\ninput x[h] = table\n  a1 1\n  b1 2\n"
                        "input y\nset some = a1, a2\ntotal t = x[a1] + x[b1]\n";

    (void)state;
    assert_total(text, NOTHING, 3);
    assert_total(text, ASK(.set = {"x[b1]=10"}), 11);
    assert_fails(text, ASK(.set = {"x[c1]=10"}), "'c1' is not one of the hosts",
                 "structural.set-for-all x");
    assert_fails("model m\nhosts a1\ninput y = 1\ntotal t = y[a1]\n", NOTHING, "needs 0 indices",
                 NULL);
    assert_fails("model m\nhosts a1\ncomponent T by w = 1\ntotal t = T[a1]\n", NOTHING,
                 "needs 0 indices", NULL);
    assert_fails("model m\nhosts a1, a2\nset both = hosts\ninput x[h] = table\n  a1 1\n"
                 "total t = x[both]\n",
                 NOTHING, "'both' is a set of 2 hosts, not one", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_wins),
        cmocka_unit_test(a_setting_is_a_formula),
        cmocka_unit_test(each_host_may_be_set_alone),
        cmocka_unit_test(each_number_may_be_set_alone),
        cmocka_unit_test(settings_that_fit_nothing_are_refused),
        cmocka_unit_test(faults_in_settings_are_placed),
        cmocka_unit_test(tables_have_the_row_first),
        cmocka_unit_test(every_cell_of_a_table_is_found),
        cmocka_unit_test(lacking_rows_are_told),
        cmocka_unit_test(a_table_may_be_of_some_hosts),
        cmocka_unit_test(fields_come_from_the_platform),
        cmocka_unit_test(what_the_platform_does_not_tell_is_told),
        cmocka_unit_test(what_a_platform_would_tell_may_be_set_for_each_host),
        cmocka_unit_test(a_platform_may_tell_of_some_hosts),
        cmocka_unit_test(a_lacking_link_is_told_with_both_ends),
        cmocka_unit_test(processes_are_placed_as_the_platform_says),
        cmocka_unit_test(size_and_processes_are_inputs),
        cmocka_unit_test(what_is_set_is_of_something),
    };

    return cmocka_run_group_tests(tests, read_platform, drop_platform);
}
