/* Where an answer comes from, and what is wrong with a model before it is asked. */
#include "structure.h"

#include "model/structural/check.h"
#include "model/structural/explain.h"

/* ---- explanations ---- */

/* A model, taken apart; everything is kept until it is dropped. */
struct explained {
    struct rc_model *model;
    struct rc_binding *binding;
    struct rc_value_rules rules;
    struct rc_evaluation *evaluation;
    struct rc_value *value;
    struct rc_explanation parts;
};

static struct explained explain(const char *text, const struct asked *asked)
{
    struct explained e = {.model = parse_model(text)};
    struct rc_error error = {.text = ""};

    e.binding = bind_model(e.model, asked);
    rc_value_rules_init(&e.rules);
    e.evaluation = rc_structural_binding_evaluation(e.binding, -1, &e.rules, &error);
    e.value = rc_structural_binding_total(e.binding, e.evaluation, &error);
    if (!e.value || rc_structural_explain(e.binding, e.evaluation, e.value, &e.parts, &error))
        fail_msg("%s", error.text);
    return e;
}

static void drop(struct explained *e)
{
    rc_structural_explanation_free(&e->parts);
    rc_value_drop(e->value);
    rc_value_evaluation_destroy(e->evaluation);
    rc_structural_binding_destroy(e->binding);
    rc_structural_model_destroy(e->model);
}

/* The tree, such as "total 0; A 1; ": names and depths. */
static const char *tree_of(const struct explained *e)
{
    static char text[400];

    text[0] = '\0';
    for (size_t i = 0; i < e->parts.n_parts; i++)
        sprintf(text + strlen(text), "%s %zu; ", e->parts.parts[i].name, e->parts.parts[i].depth);
    return text;
}

static const struct rc_part *find(const struct rc_part *parts, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(parts[i].name, name) == 0)
            return &parts[i];
    fail_msg("no part %s", name);
    return NULL;
}

static const struct rc_part *part(const struct explained *e, const char *name)
{
    return find(e->parts.parts, e->parts.n_parts, name);
}

static const struct rc_part *input(const struct explained *e, const char *name)
{
    return find(e->parts.inputs, e->parts.n_inputs, name);
}

/* 60 s of A, 30 of B on the slowest host, 10 of C, and D, which is left out. */
static const char tasks[] =
    "model m\nhosts a1, a2, a3\ninput unused = 1\ninput n = normal(6, 1)\n"
    "input x[h] = table\n  a1 10\n  a2 30\n  a3 20\ninput open\n"
    "define twice = 2 * n\ndefine five = 5\n"
    "component A by count = five * twice\ncomponent A by guess = 77\n  accuracy 300%\n"
    "component A by unset = open\n"
    "component B[h] by table = x[h]\ncomponent C by w = twice - 2 + 0 * five\n"
    "component D by w = 1000\n"
    "total t = A + max(h in hosts: B[h]) + C + D\nprofile\n  D 1%\nomit below 2%\n";

static void the_tree_goes_from_the_total_to_the_definitions(void **state)
{
    struct explained e = explain(tasks, NOTHING);

    (void)state;
    assert_string_equal(tree_of(&e),
                        "total 0; A 1; five 2; twice 2; B 1; C 1; D 1; "); /* five only once */
    assert_near(rc_value_mean(e.value), 100, 1e-12);
    assert_string_equal(part(&e, "A")->item->alternative, "count");
    assert_null(part(&e, "twice")->task);
    assert_null(part(&e, "D")->item);
    assert_true(part(&e, "D")->task->omitted);
    drop(&e);
}

static void shares_are_what_would_be_less(void **state)
{
    struct explained e = explain(tasks, NOTHING);

    (void)state;
    assert_near(part(&e, "A")->share, 0.6, 1e-12);
    assert_near(part(&e, "B")->share, 0.3, 1e-12);
    assert_near(part(&e, "C")->share, 0.1, 1e-12);
    assert_true(isnan(part(&e, "D")->share));
    assert_true(isnan(part(&e, "twice")->share));
    drop(&e);
    e = explain("model m\ncomponent A by w = 3\ncomponent B by w = 2 * A\ncomponent C by w = 5\n"
                "total t = max(B, C)\n",
                NOTHING);
    assert_near(part(&e, "A")->share, 1 / 6.0, 1e-12); /* without it C is the larger: 6 - 5 */
    assert_near(part(&e, "B")->share, 1 / 6.0, 1e-12);
    assert_near(part(&e, "C")->share, 0, 0);
    assert_string_equal(tree_of(&e), "total 0; B 1; A 2; C 1; ");
    drop(&e);
    e = explain("model m\ncomponent A by w = 3\ntotal t = 0 * A\n", NOTHING);
    assert_true(isnan(part(&e, "A")->share)); /* of nothing */
    drop(&e);
}

static void values_are_told_for_each_host(void **state)
{
    struct explained e = explain(tasks, NOTHING);
    const struct rc_part *b = part(&e, "B");

    (void)state;
    assert_int_equal(b->n_used, 3);
    assert_string_equal(b->used[0].indices, "a1");
    assert_string_equal(b->used[b->least].indices, "a1");
    assert_string_equal(b->used[b->most].indices, "a2");
    assert_near(b->used[b->most].mean, 30, 0);
    assert_near(part(&e, "total")->used[0].mean, 100, 1e-12);
    assert_near(part(&e, "total")->used[0].sd, 12, 1e-12); /* 10 n + 2 n - 2 + 30 */
    assert_string_equal(part(&e, "total")->used[0].indices, "");
    assert_near(part(&e, "twice")->used[0].sd, 2, 1e-12);
    assert_int_equal(part(&e, "D")->n_used > 0 ? part(&e, "D")->used[0].mean != 0 : 0, 0);
    assert_int_equal(e.parts.n_inputs, 2); /* what was not asked for is not shown */
    assert_string_equal(e.parts.inputs[0].name, "n");
    assert_near(input(&e, "n")->used[0].sd, 1, 1e-12);
    assert_int_equal(input(&e, "x")->n_used, 3);
    drop(&e);
    e = explain("model m\nhosts a1, a2\ninput b[x, y] = 2\ntotal t = b[a1, a2] + b[a2, a1]\n",
                NOTHING);
    assert_string_equal(input(&e, "b")->used[1].indices, "a2, a1");
    drop(&e);
}

/* One alternative may be made of another; the task has the value of the one that is taken. */
static void a_task_has_the_value_of_its_alternative(void **state)
{
    struct explained e = explain("model m\ncomponent T by plain = 5\n"
                                 "component T by startup = 1 + T.plain\nuse T by startup\n"
                                 "total t = T\n",
                                 NOTHING);
    const struct rc_part *t = part(&e, "T");

    (void)state;
    assert_near(t->used[t->most].mean, 6, 0);
    assert_near(t->used[t->least].mean, 6, 0);
    assert_int_equal(t->n_used, 1);
    drop(&e);
}

/* An alternative that is named has its place in the tree. */
static void named_alternatives_are_parts(void **state)
{
    struct explained e = explain("model m\ninput x = 5\ncomponent T by w = x\n"
                                 "component T by v = 9\n  accuracy 5%\ntotal t = T.v + 1\n",
                                 NOTHING);

    (void)state;
    assert_string_equal(tree_of(&e), "total 0; T.v 1; ");
    assert_string_equal(part(&e, "T.v")->item->alternative, "v");
    assert_near(part(&e, "T.v")->used[0].mean, 9, 0);
    drop(&e);
}

static void what_cannot_be_told_cannot_be_explained(void **state)
{
    struct rc_model *model = parse_model("model m\ninput x\ntotal t = x\n");
    struct rc_binding *binding = bind_model(model, NOTHING);
    struct rc_explanation explanation;
    struct rc_error error = {.text = ""};

    (void)state;
    assert_int_equal(rc_structural_explain(binding, NULL, NULL, &explanation, &error), -1);
    assert_true(error.text[0]);
    rc_structural_explanation_free(&explanation);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
}

/* ---- findings ---- */

static char findings[4000];

static void take(void *data, const struct rc_finding *finding)
{
    static const char *const severities[] = {"error", "warning", "note"};

    (void)data;
    snprintf(findings + strlen(findings), sizeof findings - strlen(findings), "%u:%u %s: %s\n",
             finding->line, finding->column, severities[finding->severity], finding->text);
}

static const char *check(const char *text)
{
    struct rc_model *model = parse_model(text);

    findings[0] = '\0';
    assert_int_equal(rc_structural_model_check(model, take, NULL, NULL), 0);
    rc_structural_model_destroy(model);
    return findings;
}

/* There is a finding with these words.  If they end with a line feed, they are its whole text. */
static void assert_found_at(const char *text, const char *wanted, int line)
{
    if (!strstr(check(text), wanted))
        fail_msg("line %d: %s\n%s\nnot: %s", line, text, findings, wanted);
}
#define assert_found(text, wanted) assert_found_at(text, wanted, __LINE__)

#define M "model m\ninput x[h] = 1\ninput n = 1\n"
#define T "total t = x[a1] + n\nhosts a1\n"

static void sound_models_have_no_findings(void **state)
{
    (void)state;
    assert_string_equal(check(M T), "");
    assert_string_equal(
        check("model m\nset s = first(hosts)\ninput x[h] = table\n  a1 1\n  a2 1\nhosts a1, a2\n"
              "define d[h] = x[h]\ncomponent T[h] by w = d[h]\n  when x[h] > 0\n"
              "total t = T[s] + sum(h in hosts: sum(j in left[h]: x[j])) + T.w[a2]\n"
              "profile\n  T 90%\nomit below 1%\nuse T by w\nuse total t\n"),
        "");
    assert_string_equal(check("model m\ninput a\ninput N from size\ntotal t = a + N\n"),
                        "0:0 note: inputs to set: a, N (or the size of a run)\n");
    /* What only some platforms have is no fault, nor what they have in another way. */
    assert_string_equal(check("model m\ninput y\ntotal t = y + z\non p\ninput y = 1\ninput z = 2\n"
                              "on q\ninput y = 3\ninput z = 4\n"),
                        "");
}

static void names_that_nothing_has_are_found(void **state)
{
    (void)state;
    assert_found(M T "define d = speeed\ninput speed = 1\ntotal u = speed + d\n",
                 "6:12 error: unknown name 'speeed'; did you mean 'speed'?\n");
    assert_found(M T "total u = sum(h in slaves: 1)\nset slave = a1\n",
                 "6:20 error: unknown set 'slaves'; did you mean 'slave'?\n");
    assert_found(M T "component T by w = 1\ntotal u = T.v\n", "7:11 error: unknown name 'T.v'");
    assert_found("model m\non p\ntotal t = 1\ninput z = 1\non q\ntotal t = z\n",
                 "6:11 error: unknown name 'z' on q");
    assert_found("model m\ntotal t = z\non p\non q\n", "2:11 error: unknown name 'z'\n");
    assert_found(M T "total u = 1\n  when y > 1\n", "7:8 error: unknown name 'y'");
    assert_found(M T "input t1[h] = table\n  a1 yy\ntotal u = t1[a1]\n",
                 "7:6 error: unknown name 'yy'");
    assert_found(M T "profile\n  U 5%\n", "7:3 error: the profile has the task 'U'");
    assert_found(M T "component T by w = 1\nuse T by v\n", "7:5 error: 'T' has no alternative 'v'");
    assert_found(M T "use total u\n", "'total' has no alternative 'u'");
}

static void indices_that_do_not_fit_are_found(void **state)
{
    (void)state;
    assert_found(M T "total u = x\n", "6:11 error: 'x' needs 1 index, not 0\n");
    assert_found(M T "total u = n[a1]\n", "6:11 error: 'n' needs 0 indices, not 1\n");
    assert_found(M T "total u = x[a1, a1]\n", "6:11 error: 'x' needs 1 index, not 2\n");
    assert_found(M T "total u = count(others)\n", "error: 'others' needs a host: others[h]\n");
    assert_found(M T "total u = count(hosts[a1])\n", "error: the set 'hosts' takes no index\n");
    assert_found(M T "total u = x[a7]\n", "6:13 warning: assuming that 'a7' is a host");
    assert_found(M T "define d[h] = 1\ntotal u = x[d] + d[a1]\n", "error: 'd' needs indices");
    assert_found(M T "component T[a, b] by w = 1\n  when x[a] > 1\ntotal u = T[a1, a1]\n",
                 "error: 'when' of 'T' is not possible");
}

static void sets_that_are_made_of_nothing_are_found(void **state)
{
    (void)state;
    assert_found(M T "set s = first(slavs)\ntotal u = count(s)\n", "6:5 error: ");
    assert_found(M T "set s = b\nset b = s\ntotal u = count(s)\n", "error: ");
}

static void circles_are_found(void **state)
{
    (void)state;
    assert_found(M T "define a = b\ndefine b = a\ntotal u = b\n", "error: 'b' refers to itself\n");
    assert_found(M T "component T by w = 2 * T\ntotal u = T\n",
                 "6:0 error: 'T' by w refers to itself\n");
    assert_found(M T "component T by w = U\ncomponent U by w = 1\ncomponent U by v = T\n"
                     "total u = T\n",
                 "refers to itself\n");
    assert_null(
        strstr(check(M T "component T by w = 1\ncomponent T by v = T.w\ntotal u = T\n"), "refers"));
}

static void lacking_totals_are_found(void **state)
{
    (void)state;
    assert_found("model m\n", "1:0 error: no total\n");
    assert_found("model m\non p\ntotal t = 1\non q\n", "1:0 error: no total on q\n");
}

static void what_nobody_uses_is_found(void **state)
{
    (void)state;
    assert_found(M T "input lonely = 1\n", "6:0 warning: 'lonely' is not used\n");
    assert_found(M T "define d = 1\n", "6:0 warning: 'd' is not used\n");
    assert_found(M T "component T by w = 1\n", "6:0 warning: 'T' by w is not used\n");
    assert_null(strstr(check(M T "component T by w = 1\ntotal u = T\n"), "not used"));
}

static void tables_that_lack_a_host_are_found(void **state)
{
    (void)state;
    assert_found("model m\nhosts a1, a2\ninput x[h] = table\n  a1 1\n"
                 "total t = sum(h in hosts: x[h])\n",
                 "3:0 warning: the table of 'x' has no value for 'a2'");
    assert_found("model m\ninput x[h] = table\n  a1 1\ntotal t = sum(h in hosts: x[h])\n"
                 "on p\nhosts a1\non q\nhosts b1\n",
                 "2:0 warning: the table of 'x' has no value for 'b1' on q");
    assert_found("model m\nhosts a1, a2\ninput x[h, k] = table\n      a1  a2\n  a1  1   2\n"
                 "total t = x[a1, a2]\n",
                 "3:0 warning: the table of 'x' has no value for 'a2'");
}

static void tables_that_lack_a_column_are_found(void **state)
{
    (void)state;
    assert_found("model m\nhosts a1, a2\ninput x[h, k] = table\n      a1\n  a1  1\n  a2  2\n"
                 "total t = x[a1, a2]\n",
                 "3:0 warning: the table of 'x'");
}

/* Findings are as many as there are faults, not one for each platform. */
static void findings_are_told_once(void **state)
{
    const char *text = check("model m\ninput lonely = 1\ntotal t = nowhere\non p\non q\non r\n");

    (void)state;
    assert_string_equal(text, "3:11 error: unknown name 'nowhere'\n"
                              "2:0 warning: 'lonely' is not used\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_goes_from_the_total_to_the_definitions),
        cmocka_unit_test(shares_are_what_would_be_less),
        cmocka_unit_test(values_are_told_for_each_host),
        cmocka_unit_test(a_task_has_the_value_of_its_alternative),
        cmocka_unit_test(named_alternatives_are_parts),
        cmocka_unit_test(what_cannot_be_told_cannot_be_explained),
        cmocka_unit_test(sound_models_have_no_findings),
        cmocka_unit_test(names_that_nothing_has_are_found),
        cmocka_unit_test(indices_that_do_not_fit_are_found),
        cmocka_unit_test(sets_that_are_made_of_nothing_are_found),
        cmocka_unit_test(circles_are_found),
        cmocka_unit_test(lacking_totals_are_found),
        cmocka_unit_test(what_nobody_uses_is_found),
        cmocka_unit_test(tables_that_lack_a_host_are_found),
        cmocka_unit_test(tables_that_lack_a_column_are_found),
        cmocka_unit_test(findings_are_told_once),
    };

    return RUN_TESTS(tests);
}
