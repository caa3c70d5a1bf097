/* Models on given hosts: what hosts, sets, sections and definitions come to. */
#include "structure.h"

/* Three hosts, each with a power of ten, so that a sum tells which of them were in it. */
#define HOSTS                                                                                      \
    "model m\nhosts a1, a2, a3\n"                                                                  \
    "input x[h] = table\n  a1 1\n  a2 10\n  a3 100\n  b7 1000\n"

/* ---- hosts and sets ---- */

/* The hosts of a binding, such as "a1 a2 ". */
static const char *hosts_of(const char *text, const struct asked *asked)
{
    static char list[200];
    struct rc_model *model = parse_model(text);
    struct rc_binding *binding = bind_model(model, asked);
    const char *const *names;
    size_t n;

    list[0] = '\0';
    names = rc_structural_binding_hosts(binding, &n);
    for (size_t i = 0; i < n; i++)
        sprintf(list + strlen(list), "%s ", names[i]);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    return list;
}

static const char pair[] =
    "name: pair\nclusters:\n"
    "- {name: A, hosts: 'a[1-2]', cores: 1, networks: [{name: n, bandwidth: 1, latency: 0}]}\n"
    "- {name: B, hosts: b1, cores: 1, networks: [{name: n, bandwidth: 1, latency: 0}]}\n";

static void hosts_are_those_asked_for_then_the_model_s_then_the_platform_s(void **state)
{
    const char text[] = "model m\nhosts m2, m1\non p\nhosts p1\non q\n";
    struct rc_platform *platform = rc_platform_parse(pair, strlen(pair), "pair.yaml", NULL);

    (void)state;
    assert_non_null(platform);
    assert_string_equal(hosts_of(text, ASK(.hosts = {"z", "y"}, .platform = platform)), "z y ");
    assert_string_equal(hosts_of(text, ASK(.platform = platform)), "m2 m1 ");
    assert_string_equal(hosts_of(text, ASK(.on = "p")), "p1 ");
    assert_string_equal(hosts_of(text, ASK(.on = "q")), "m2 m1 ");
    assert_string_equal(hosts_of("model m\n", ASK(.platform = platform)), "a1 a2 b1 ");
    assert_string_equal(hosts_of("model m\n", NOTHING), "");
    assert_fails(HOSTS "total t = 1\n", ASK(.hosts = {"a1", "a2", "a1"}), "duplicate host 'a1'",
                 NULL);
    rc_platform_destroy(platform);
}

static void sets_are_made_of_hosts_and_of_sets(void **state)
{
    (void)state;
    assert_total(HOSTS "total t = sum(h in hosts: x[h])\n", NOTHING, 111);
    assert_total(HOSTS "set s = first(hosts)\ntotal t = sum(h in s: x[h])\n", NOTHING, 1);
    assert_total(HOSTS "set s = last(hosts)\ntotal t = sum(h in s: x[h])\n", NOTHING, 100);
    assert_total(HOSTS "set s = rest(hosts)\ntotal t = sum(h in s: x[h])\n", NOTHING, 110);
    assert_total(HOSTS "set t = rest(s)\nset s = rest(hosts)\ntotal t = sum(h in t: x[h])\n",
                 NOTHING, 100);
    assert_total(HOSTS "set s = u\nset u = b7,a2\ntotal t = sum(h in s: x[h])\n", NOTHING, 1010);
    assert_total(HOSTS "set s = first(hosts)\ntotal t = sum(h in s: x[h])\n",
                 ASK(.hosts = {"a3", "a1"}), 100);
    assert_total(HOSTS "set s = rest(hosts)\ntotal t = count(s) + 10 * count(hosts)\n", NOTHING,
                 32);
}

static void a_set_may_be_empty_but_not_everywhere(void **state)
{
    const char rest[] = HOSTS "set s = rest(hosts)\ntotal t = 5 + count(s) + sum(h in s: x[h])\n";

    (void)state;
    assert_total(rest, ASK(.hosts = {"a1"}), 5);
    assert_fails(HOSTS "set s = rest(hosts)\ntotal t = max(h in s: x[h])\n", ASK(.hosts = {"a1"}),
                 "'s' is empty", NULL);
    assert_fails(HOSTS "set s = rest(hosts)\nset f = first(s)\ntotal t = 1\n", ASK(.hosts = {"a1"}),
                 "an empty set", "structural.name-hosts");
    assert_fails("model m\nset s = first(hosts)\ntotal t = 1\n", NOTHING, "empty set",
                 "structural.name-hosts");
    assert_fails("model m\ntotal t = sum(h in hosts: 1)\n", NOTHING, "no hosts given",
                 "structural.no-hosts");
    assert_fails(HOSTS "set s = u\nset u = s\ntotal t = 1\n", NOTHING, "made from itself", NULL);
    assert_fails(HOSTS "set s = rest(nowhere)\ntotal t = 1\n", NOTHING, "from an unknown set",
                 NULL);
    assert_fails(HOSTS "on p\nset s = a1\non q\ntotal t = sum(h in s: 1)\n", ASK(.on = "q"),
                 "unknown set 's'", NULL);
}

static void hosts_have_sides(void **state)
{
    static const struct {
        const char *set;
        double first, second, third;
    } sides[] = {{"left", 0, 1, 10},
                 {"right", 10, 100, 0},
                 {"neighbours", 10, 101, 10},
                 {"others", 110, 101, 11}};
    char text[400];

    (void)state;
    for (size_t i = 0; i < COUNT(sides); i++) {
        snprintf(text, sizeof text,
                 "%sinput of\ntotal t = sum(h in hosts: of * 0 + w[h] * "
                 "sum(j in %s[h]: x[j]))\ninput w[h] = table\n  a1 1\n  a2 1e4\n  a3 1e8\n",
                 HOSTS, sides[i].set);
        assert_total(text, ASK(.set = {"of=1"}),
                     sides[i].first + 1e4 * sides[i].second + 1e8 * sides[i].third);
        snprintf(text, sizeof text, "%stotal t = count(%s[a1])\n", HOSTS, sides[i].set);
        assert_near(total_of(text, ASK(.hosts = {"a1"}), NULL), 0, 0); /* alone */
        snprintf(text, sizeof text, "%stotal t = count(%s[b7])\n", HOSTS, sides[i].set);
        assert_fails(text, NOTHING, "'b7' is not one of the hosts", NULL);
        snprintf(text, sizeof text, "%stotal t = count(%s)\n", HOSTS, sides[i].set);
        assert_fails(text, NOTHING, "needs one host", NULL);
    }
    assert_fails(HOSTS "total t = count(hosts[a1])\n", NOTHING, "'hosts' takes no index", NULL);
    assert_fails(HOSTS "set s = a1\ntotal t = count(s[a1])\n", NOTHING, "'s' takes no index", NULL);
}

static void a_set_of_one_host_is_an_index(void **state)
{
    (void)state;
    assert_total(HOSTS "set m = last(hosts)\ntotal t = x[m] + count(left[m])\n", NOTHING, 101);
    assert_total(HOSTS "set m = b7\ntotal t = x[m]\n", NOTHING, 1000);
    assert_total(HOSTS "set m = rest(hosts)\ntotal t = x[m]\n", ASK(.hosts = {"a1", "a2"}), 10);
    assert_total(HOSTS "set m = a2\ndefine f[h] = 2 * x[h]\ntotal t = f[m]\n", NOTHING, 20);
    assert_fails(HOSTS "set m = rest(hosts)\ntotal t = x[m]\n", NOTHING, "m", NULL);
}

static void the_only_host_is_an_index(void **state)
{
    (void)state;
    assert_total(HOSTS "total t = x[hosts]\n", ASK(.hosts = {"a2"}), 10);
}

static void an_index_may_be_a_host_or_a_number(void **state)
{
    const char steps[] = "model m\nhosts a1, a2\ninput n = 3\ninput step[t] = 10 * t\n";
    char text[300];

    (void)state;
    assert_total(HOSTS "total t = x[a2] + x[b7]\n", NOTHING, 1010);
    snprintf(text, sizeof text, "%stotal t = sum(t in 1 to n: step[t]) + step[n + 4]\n", steps);
    assert_total(text, NOTHING, 130);
    assert_total(text, ASK(.set = {"step[2]=1000"}), 1110);
    snprintf(text, sizeof text, "%stotal t = step[n]\n", steps);
    assert_total(text, NOTHING, 30); /* the name of a number is its value */
    assert_total(text, ASK(.set = {"n=7"}), 70);
    assert_fails(HOSTS "total t = sum(h in hosts: h)\n", NOTHING, "'h' is 'a1' here", "value[h]");
}

/* ---- sections ---- */

static const char sections[] = "model m\nhosts a1, a2\nset s = first(hosts)\n"
                               "input x = 1\ninput y[h] = table\n  a1 10\n  a2 20\n"
                               "define d = x\ncomponent T by w = d\ncomponent U[h] by w = y[h]\n"
                               "total t = T + sum(h in s: U[h])\n"
                               "on p\ninput x = 2\nset s = hosts\n"
                               "on q\nhosts b1\ninput y[h] = 300\ncomponent T by w = 5000\n"
                               "on r\ntotal t = -1\n"
                               "on u\ndefine d = 3 * x\ntotal other = 4\n  accuracy 99%\n";

static void sections_go_before_what_holds_everywhere(void **state)
{
    (void)state;
    assert_total(sections, NOTHING, 11);
    assert_total(sections, ASK(.on = "p"), 32);
    assert_total(sections, ASK(.on = "q"), 5300);
    assert_total(sections, ASK(.on = "r"), -1);
    assert_total(sections, ASK(.on = "u"), 13);
    assert_total(sections, ASK(.on = "u", .use = {"total=other"}), 4);
    assert_fails(sections, ASK(.on = "p", .use = {"total=other"}), "'other'", "use one of: t");
    assert_fails("model m\non p\ntotal t = 1\n", NOTHING, "the model has no total",
                 "structural.choose-section p");
    assert_fails("model m\ntotal t = z\non p\ninput z = 1\n", NOTHING, "'z'",
                 "structural.choose-section p");
}

/* An alternative that stands again without a formula keeps it, and its conditions. */
static void sections_may_say_more_of_an_alternative(void **state)
{
    const char text[] = "model m\ninput n = 5\ncomponent T by a = n\n  when n < 10\n  accuracy 5%\n"
                        "component T by b = 100\n  accuracy 20%\ntotal t = T\n"
                        "on p\ncomponent T by a\n  accuracy 50%\n"
                        "on q\ncomponent T by a\n  accuracy 1%\n";

    (void)state;
    assert_total(text, NOTHING, 5);
    assert_total(text, ASK(.on = "p"), 100);
    assert_total(text, ASK(.on = "p", .use = {"T=a"}), 5);
    assert_total(text, ASK(.on = "q"), 5);
    assert_total(text, ASK(.on = "q", .set = {"n=50"}), 100);
}

static void names_stand_for_what_holds_here(void **state)
{
    struct rc_model *model = parse_model(sections);
    struct rc_binding *binding = bind_model(model, ASK(.on = "q", .set = {"y[b1]=3"}));
    const struct rc_task *tasks;
    size_t n;

    (void)state;
    assert_int_equal(rc_structural_binding_section(binding), 1);
    assert_ptr_equal(rc_structural_binding_model(binding), model);
    assert_int_equal(rc_structural_binding_find_item(binding, "y")->section, 1);
    assert_int_equal(rc_structural_binding_find_item(binding, "x")->section, -1);
    assert_null(rc_structural_binding_find_item(binding, "T"));
    assert_true(rc_structural_binding_is_set(binding, "y"));
    assert_false(rc_structural_binding_is_set(binding, "x"));
    tasks = rc_structural_binding_tasks(binding, &n);
    assert_int_equal(n, 3);
    assert_string_equal(tasks[0].name, "total");
    assert_ptr_equal(find_task(binding, "total"), &tasks[0]);
    assert_int_equal(find_task(binding, "U")->n_parameters, 1);
    assert_int_equal(find_task(binding, "T")->n_alternatives, 1);
    assert_int_equal(find_task(binding, "T")->alternatives[0].item->section, 1);
    assert_null(find_task(binding, "x"));
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    rc_structural_binding_destroy(NULL);
}

/* ---- definitions ---- */

/* The standard deviation of a total over the hosts a1 and a2. */
static double spread(const char *items, const struct asked *asked)
{
    char text[400];
    double sd = NAN;

    snprintf(text, sizeof text, "model m\nhosts a1, a2\n%s", items);
    total_of(text, asked, &sd);
    return sd;
}

static void what_is_written_once_is_one_quantity(void **state)
{
    const double two = sqrt(2);

    (void)state;
    assert_near(spread("define e = normal(5, 1)\ntotal t = e - e\n", NOTHING), 0, 1e-12);
    assert_near(spread("define d[h] = normal(5, 1)\ntotal t = d[a1] - d[a1]\n", NOTHING), 0, 1e-12);
    assert_near(spread("define d[h] = normal(5, 1)\ntotal t = d[a1] - d[a2]\n", NOTHING), two,
                1e-12);
    assert_near(spread("input e = normal(5, 1)\ndefine d[h] = e\ntotal t = d[a1] - d[a2]\n",
                       NOTHING),
                0, 1e-12);
    assert_near(spread("input c[h] = table\n a[1-2] normal(5, 1)\ntotal t = c[a1] - c[a2]\n",
                       NOTHING),
                two, 1e-12);
    assert_near(spread("input c[h] = 1\ntotal t = c[a1] - c[a2]\n", ASK(.set = {"c=normal(5, 1)"})),
                two, 1e-12);
    assert_near(spread("component T[h] by w = normal(5, 1)\ntotal t = T[a1] + T[a1] - T.w[a1]\n",
                       NOTHING),
                1, 1e-12); /* a task is the alternative that is taken for it */
    assert_near(spread("component T[h] by w = normal(5, 1)\ntotal t = T[a1] - T[a2]\n", NOTHING),
                two, 1e-12);
}

static void definitions_take_hosts_and_numbers(void **state)
{
    (void)state;
    assert_total(HOSTS "define d[h, k] = k * x[h]\ntotal t = d[a3, 2] + d[a1, 3 * 4]\n", NOTHING,
                 212);
    assert_total(HOSTS "define d[k] = sum(t in 1 to k: t)\ntotal t = d[count(hosts)]\n", NOTHING,
                 6);
    assert_total(HOSTS "define d[x1, y1] = x[x1] - x[y1]\ntotal t = d[a3, a1]\n", NOTHING, 99);
    assert_fails(HOSTS "define d[h] = x[h]\ntotal t = d\n", NOTHING, "'d' needs 1 ind", NULL);
    assert_fails(HOSTS "component T[h] by w = x[h]\ntotal t = T\n", NOTHING, "'T' needs 1 ind",
                 NULL);
    assert_fails(HOSTS "total t = nothing\n", NOTHING, "unknown name 'nothing'", NULL);
}

static void circles_end(void **state)
{
    (void)state;
    assert_fails("model m\ndefine a = a\ntotal t = a\n", NOTHING, "refer", NULL);
    assert_fails("model m\ndefine a = 1 + b\ndefine b = 2 * a\ntotal t = b\n", NOTHING, "refer",
                 NULL);
    assert_fails("model m\ninput a = b\ninput b = a\ntotal t = b\n", NOTHING, "refer", NULL);
    assert_fails("model m\ncomponent T by w = T\ntotal t = T\n", NOTHING, "'T'", NULL);
    assert_fails("model m\ncomponent T by w = U\ncomponent U by w = 2 * T\ntotal t = T\n", NOTHING,
                 "itself", NULL);
    assert_fails("model m\ncomponent T by w = T.w\ntotal t = T\n", NOTHING, "nested definitions",
                 NULL);
    assert_fails("model m\ncomponent T by w = T.v + T.v\ncomponent T by v = T.w + T.w\n"
                 "total t = T\n",
                 NOTHING, "nested definitions", NULL);
    assert_fails("model m\ncomponent T by w = 1\ntotal t = total\n", NOTHING, "itself", NULL);
    assert_fails("model m\ndefine d[k] = d[k + 1]\ntotal t = d[1]\n", NOTHING, "nested definitions",
                 NULL);
}

/* Formulas within one another, fewer than the limit, are no circle. */
static void deep_formulas_are_evaluated(void **state)
{
    char text[4000] = "model m\ndefine d0 = 1\n";

    (void)state;
    for (int i = 1; i < 45; i++)
        sprintf(text + strlen(text), "define d%d = d%d + d%d\n", i, i - 1, i - 1);
    sprintf(text + strlen(text), "total t = d44\n");
    assert_total(text, NOTHING, pow(2, 44));
}

/* ---- out of memory ---- */

/* As Eq. 3.22 is meant: elements that fit take their time, the others an access besides.  With two
 * processes each has N/2 elements of 20 N bytes; a1 holds 8 MB, a2 32 MB. */
static void elements_beyond_the_memory_cost_an_access(void **state)
{
    const char text[] = "model m\nhosts a1, a2\ninput N from size\ninput P from processes\n"
                        "input memory[h] = table\n  a1 8MB\n  a2 32MB\ninput tour = 20B * N\n"
                        "define fitting[h] = min(N / P, memory[h] / tour)\n"
                        "component Slave[h] by memory\n"
                        "    = fitting[h] * 10ms + (N / P - fitting[h]) * (10ms + 4ms)\n"
                        "total t = max(h in hosts: Slave[h])\n";

    (void)state;
    assert_total(text, ASK(.size = 800), 4);     /* 400 elements, 6.4 MB: 400 * 0.01 */
    assert_total(text, ASK(.size = 1000), 5.4);  /* 500, 10 MB; a1: 400 * 0.01 + 100 * 0.014 */
    assert_total(text, ASK(.size = 2000), 13.2); /* 1000, 40 MB; a1: 200 * 0.01 + 800 * 0.014 */
    assert_total(text, ASK(.size = 2000, .hosts = {"a2"}, .processes = 2),
                 10.8); /* 800 * 0.01 + 200 * 0.014 */
}

/* The crossing lies at N^2 * 5 = 32 MiB on picard: between N = 2590 and 2591. */
static void the_genetic_algorithm_leaves_the_memory(void **state)
{
    char path[300];
    const char *const paths[] = {path};
    struct rc_error error = {.text = ""};
    struct rc_model *model;
    double seconds[2];

    (void)state;
    snprintf(path, sizeof path, "%s/models/ga.rcm", getenv("SOURCE_ROOT"));
    model = rc_structural_model_load(paths, 1, NULL, &error);
    if (!model)
        fail_msg("%s", error.text);
    for (int i = 0; i < 2; i++) {
        struct rc_binding *binding =
            bind_model(model, ASK(.on = "pcl", .size = i ? 2600 : 2590, .use = {"Slave=memory"},
                                  .set = {"MemAccess=1ms"}));

        assert_int_equal(rc_structural_binding_without(binding, NULL, &seconds[i], &error), 0);
        rc_structural_binding_destroy(binding);
    }
    assert_near(seconds[0], 647.5 * 33.8396e-3, 1e-12);
    /* 650 elements of 52 000 bytes, of which 33 554 432 / 52 000 fit */
    assert_near(seconds[1], 650 * 33.8396e-3 + (650 - 33554432 / 52000.0) * 1e-3, 1e-12);
    rc_structural_model_destroy(model);
}

/* ---- without a task ---- */

static void assert_without(struct rc_binding *binding, const char *task, double wanted)
{
    struct rc_error error = {.text = ""};
    double seconds = NAN;

    if (rc_structural_binding_without(binding, task, &seconds, &error))
        fail_msg("without %s: %s", task ? task : "nothing", error.text);
    assert_near(seconds, wanted, 1e-12 * fabs(wanted));
}

static void tasks_can_be_taken_to_need_no_time(void **state)
{
    struct rc_model *model = parse_model(
        HOSTS "input n = normal(4, 1)\ncomponent A by w = 2\ncomponent B[h] by w = x[h]\n"
              "component C by w = 3 * A\ntotal t = n + A + max(h in hosts: B[h]) + C + B[a1]\n"
              "total inverse = 1 / A\n");
    struct rc_binding *binding = bind_model(model, ASK(.use = {"total=t"}));
    struct rc_error error = {.text = ""};
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_value *value;
    double seconds = 7;

    (void)state;
    assert_without(binding, NULL, 113); /* 4 + 2 + 100 + 6 + 1 */
    assert_without(binding, "A", 105);
    assert_without(binding, "B", 12);
    assert_without(binding, "C", 107);
    assert_without(binding, "nothing", 113);
    assert_without(binding, "A", 105);
    rc_value_rules_init(&rules);
    evaluation = rc_structural_binding_evaluation(binding, -1, &rules, &error);
    value = rc_structural_binding_total(binding, evaluation, &error);
    assert_near(rc_value_mean(value), 113, 1e-12); /* it takes its time again */
    rc_value_drop(value);
    rc_value_evaluation_destroy(evaluation);
    rc_structural_binding_destroy(binding);
    binding = bind_model(model, ASK(.use = {"total=inverse"}));
    assert_int_equal(rc_structural_binding_without(binding, "A", &seconds, &error), -1);
    assert_same(seconds, 7);
    assert_true(error.text[0]);
    assert_int_equal(rc_structural_binding_without(binding, "A", &seconds, NULL), -1);
    assert_without(binding, NULL, 0.5);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_are_those_asked_for_then_the_model_s_then_the_platform_s),
        cmocka_unit_test(sets_are_made_of_hosts_and_of_sets),
        cmocka_unit_test(a_set_may_be_empty_but_not_everywhere),
        cmocka_unit_test(hosts_have_sides),
        cmocka_unit_test(a_set_of_one_host_is_an_index),
        cmocka_unit_test(the_only_host_is_an_index),
        cmocka_unit_test(an_index_may_be_a_host_or_a_number),
        cmocka_unit_test(sections_go_before_what_holds_everywhere),
        cmocka_unit_test(sections_may_say_more_of_an_alternative),
        cmocka_unit_test(names_stand_for_what_holds_here),
        cmocka_unit_test(what_is_written_once_is_one_quantity),
        cmocka_unit_test(definitions_take_hosts_and_numbers),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(deep_formulas_are_evaluated),
        cmocka_unit_test(elements_beyond_the_memory_cost_an_access),
        cmocka_unit_test(the_genetic_algorithm_leaves_the_memory),
        cmocka_unit_test(tasks_can_be_taken_to_need_no_time),
    };

    return RUN_TESTS(tests);
}
