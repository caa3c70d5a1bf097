/* Which alternative is taken for a task, and what is said of the others. */
#include "structure.h"

/* The alternative "Task.way", as it is after the choice; its item is gone. */
static struct rc_alternative alternative_of(const char *text, const struct asked *asked,
                                            const char *name)
{
    struct rc_model *model = parse_model(text);
    struct rc_binding *binding = bind_model(model, asked);
    size_t length = strcspn(name, "."), n;
    const struct rc_task *tasks = rc_structural_binding_tasks(binding, &n);
    struct rc_alternative alternative = {.item = NULL};

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tasks[i].n_alternatives; k++)
            if (strlen(tasks[i].name) == length && strncmp(tasks[i].name, name, length) == 0 &&
                strcmp(tasks[i].alternatives[k].item->alternative, name + length + 1) == 0) {
                alternative = tasks[i].alternatives[k];
                assert_int_equal(alternative.state == RC_ALTERNATIVE_CHOSEN,
                                 tasks[i].chosen == (int)k);
            }
    if (!alternative.item)
        fail_msg("no alternative %s", name);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    return alternative;
}

static void assert_alternative_at(const char *text, const struct asked *asked, const char *name,
                                  enum rc_alternative_state state, const char *reason, int line)
{
    struct rc_alternative alternative = alternative_of(text, asked, name);

    if (alternative.state != state ||
        (reason ? !strstr(alternative.reason, reason) : alternative.reason[0] != '\0'))
        fail_msg("line %d: %s is in state %d, not %d: '%s'", line, name, (int)alternative.state,
                 (int)state, alternative.reason);
}
#define assert_alternative(text, asked, name, state, reason)                                       \
    assert_alternative_at(text, asked, name, state, reason, __LINE__)
#define assert_taken(text, asked, name)                                                            \
    assert_alternative_at(text, asked, name, RC_ALTERNATIVE_CHOSEN, NULL, __LINE__)

/* What an alternative is expected to err by. */
#define assert_error(text, asked, name, wanted)                                                    \
    assert_near(alternative_of(text, asked, name).error, wanted, 1e-12)

/* ---- inputs that are not there ---- */

static void alternatives_without_their_inputs_are_not_taken(void **state)
{
    const char text[] = "model m\nhosts a1\ninput x\ndefine d = 2 * x\ncomponent U by w = d\n"
                        "input t[h] = table\n  b1 1\ninput s[h] from platform speed\n"
                        "input c[h] from series cpu\n"
                        "component T by direct = x\ncomponent T by defined = d\n"
                        "component T by task = U\ncomponent T by way = U.w\n"
                        "component T by table = t[a1]\ncomponent T by platform = s[a1]\n"
                        "component T by series = c[a1]\ncomponent T by name = nothing\n"
                        "component T by set = sum(h in nowhere: 1)\ncomponent T by size = N\n"
                        "component T by last = 5\n  accuracy 500%\n"
                        "input N from size\ntotal t = T\n";

    (void)state;
    assert_alternative(text, NOTHING, "T.direct", RC_ALTERNATIVE_MISSING, "x is not set");
    assert_alternative(text, NOTHING, "T.defined", RC_ALTERNATIVE_MISSING, "x is not set");
    assert_alternative(text, NOTHING, "T.task", RC_ALTERNATIVE_MISSING, "x is not set");
    assert_alternative(text, NOTHING, "T.way", RC_ALTERNATIVE_MISSING, "x is not set");
    assert_alternative(text, NOTHING, "T.table", RC_ALTERNATIVE_MISSING, "a1");
    assert_alternative(text, NOTHING, "T.platform", RC_ALTERNATIVE_MISSING,
                       "platform file, but none is given");
    assert_alternative(text, NOTHING, "T.series", RC_ALTERNATIVE_MISSING,
                       "the database, but there is none");
    assert_alternative(text, NOTHING, "T.name", RC_ALTERNATIVE_MISSING, "unknown name 'nothing'");
    assert_alternative(text, NOTHING, "T.set", RC_ALTERNATIVE_MISSING, "unknown set 'nowhere'");
    assert_alternative(text, NOTHING, "T.size", RC_ALTERNATIVE_MISSING, "problem size");
    assert_taken(text, NOTHING, "T.last");
    assert_true(isnan(alternative_of(text, NOTHING, "T.direct").error));
    assert_total(text, NOTHING, 5);
    assert_taken(text, ASK(.set = {"x=3"}), "T.direct");
    assert_total(text, ASK(.set = {"x=3"}), 3);
    assert_taken(text, ASK(.size = 9), "T.size");
    assert_taken(text, ASK(.set = {"t[a1]=9"}), "T.table");
    assert_taken(text, ASK(.set = {"c=0.9"}), "T.series");
}

/* Not only the rows of the hosts count, but all that the formula asks for. */
static void alternatives_that_ask_for_what_a_table_lacks_are_not_taken(void **state)
{
    const char text[] = "model m\nhosts a1, a2\ninput b[x, y] = table\n       a1  a2\n"
                        "  a1   1   2\n  a2   3   -\ninput x[h] = table\n  a1 1\n  a2 1\n"
                        "component T by v = 5\n  accuracy 90%\ntotal t = T\n";
    char with[400];

    (void)state;
    snprintf(with, sizeof with, "%scomponent T by w = b[a1, a2]\n", text);
    assert_total(with, NOTHING, 2);
    snprintf(with, sizeof with, "%scomponent T by w = b[a2, a2]\n", text);
    assert_total(with, NOTHING, 5);
    snprintf(with, sizeof with, "%scomponent T by w = x[zz]\n", text);
    assert_total(with, NOTHING, 5);
}

static void a_total_without_its_inputs_tells_the_reason(void **state)
{
    (void)state;
    assert_fails("model m\ninput x\ncomponent T by w = x\ntotal t = T\n", NOTHING, "x is not set",
                 "structural.set x=VALUE");
    assert_fails("model m\ninput x\ninput y\ncomponent T by v = x\ncomponent T by w = y\n"
                 "total t = T\n",
                 NOTHING, "x is not set", "structural.set x=VALUE");
    assert_fails("model m\ninput x\ntotal t = x\ntotal u = nothing\n", ASK(.use = {"total=u"}),
                 "'nothing'", NULL);
    assert_fails("model m\ncomponent T by w = 1\n", NOTHING, "the model has no total", NULL);
}

/* ---- conditions ---- */

#define WHEN(condition)                                                                            \
    "model m\ninput N = 10\ncomponent T by w = 1\n  when " condition                               \
    "\ncomponent T by other = 2\n  accuracy 50%\ntotal t = T\n"

static void conditions_rule_alternatives_out(void **state)
{
    (void)state;
    assert_total(WHEN("N < 10"), NOTHING, 2);
    assert_total(WHEN("N <= 10"), NOTHING, 1);
    assert_total(WHEN("N > 10"), NOTHING, 2);
    assert_total(WHEN("N >= 10"), NOTHING, 1);
    assert_total(WHEN("N = 10"), NOTHING, 1);
    assert_total(WHEN("N = 10"), ASK(.set = {"N=10.5"}), 2);
    assert_total(WHEN("N > 5 and N < 20"), NOTHING, 1);
    assert_total(WHEN("N > 5 and N < 7"), NOTHING, 2);
    assert_total(WHEN("N > 5\n  when 7 > N"), NOTHING, 2);
    assert_total(WHEN("2 * N + 1 = 21"), NOTHING, 1);
    assert_total(WHEN("N <= 10"), ASK(.set = {"N=normal(10, 3)"}), 1); /* of means */
    assert_total(WHEN("N <= 10"), ASK(.set = {"N=interval(0, 21)"}), 2);
    assert_alternative(WHEN("N < 7"), NOTHING, "T.w", RC_ALTERNATIVE_UNFIT,
                       "only for N < 7 (here 10 against 7)");
    assert_true(isnan(alternative_of(WHEN("N < 7"), NOTHING, "T.w").error));
    assert_alternative(WHEN("x < 7"), NOTHING, "T.w", RC_ALTERNATIVE_MISSING, "'x'");
    assert_alternative(WHEN("1 / (N - 10) > 2"), NOTHING, "T.w", RC_ALTERNATIVE_UNFIT,
                       "cannot be evaluated");
    assert_fails(WHEN("N < 7"), ASK(.use = {"T=w"}), "only for N < 7", NULL);
    assert_total("model m\ninput N = 3\ntotal small = 1\n  when N < 2\ntotal large = 2\n", NOTHING,
                 2);
}

static void a_condition_must_hold_on_every_host(void **state)
{
    const char text[] = "model m\nhosts a1, a2\ninput N from size\n"
                        "input memory[h] = table\n  a1 100\n  a2 50\n"
                        "component T[h] by inside = 1\n  when N <= memory[h]\n"
                        "component T[h] by outside = 1 + (N - memory[h]) / 10\n"
                        "total t = sum(h in hosts: T[h])\n";

    (void)state;
    assert_total(text, ASK(.size = 50), 2);
    assert_total(text, ASK(.size = 60), -1); /* 1 - 4 + 1 + 1: too large for a2 alone */
    assert_total(text, ASK(.size = 60, .hosts = {"a1"}), 1);
    assert_alternative(text, ASK(.size = 60), "T.inside", RC_ALTERNATIVE_UNFIT,
                       "(here 60 against 50 on a2)");
    assert_total(text, ASK(.size = 60, .set = {"memory[a2]=60"}), 2);
    assert_total("model m\nhosts a1\ncomponent T by w = 1\n  when count(hosts) > 1\n"
                 "component T by v = 2\n  accuracy 1%\ntotal t = T\n",
                 NOTHING, 2);
}

/* 'runcast model check' says that this has no meaning; it must come to an end all the same. */
static void a_condition_of_two_hosts_ends(void **state)
{
    const char text[] = "model m\nhosts a1, a2\ninput b[x, y] = table\n       a1  a2\n"
                        "  a1   3   4\n  a2   5   6\ncomponent T[x, y] by w = b[x, y]\n"
                        "  when b[x, y] > 2\ntotal t = T[a1, a2]\n";
    struct rc_error error = {.text = ""};
    struct rc_value *value = try_total(text, NOTHING, &error);

    (void)state;
    assert_true(value || error.text[0]);
    rc_value_drop(value);
}

/* ---- age ---- */

#define JANUARY 1767225600.0 /* 2026-01-01 */
static const double DAY = 86400;

static const char aging[] =
    "model m\ninput old = 1\n  accuracy 1%\n  measured 2026-01-01\n  lifetime 10d\n"
    "component T by fresh = 2\n  accuracy 50%\ncomponent T by old = old\ntotal t = T\n";

static void inputs_grow_too_old(void **state)
{
    (void)state;
    assert_taken(aging, ASK(.now = JANUARY), "T.old");
    assert_taken(aging, ASK(.now = JANUARY + 10 * DAY), "T.old");
    assert_total(aging, ASK(.now = JANUARY + 10 * DAY + 1), 2);
    assert_alternative(aging, ASK(.now = JANUARY + 11 * DAY), "T.old", RC_ALTERNATIVE_STALE,
                       "old was measured 11-00:00:00 ago; its lifetime is 10-00:00:00");
    assert_true(alternative_of(aging, ASK(.now = JANUARY + 11 * DAY), "T.old").stale);
    assert_taken(aging, ASK(.now = JANUARY + 11 * DAY, .set = {"old=7"}), "T.old");
    assert_taken(aging, ASK(.now = JANUARY + 11 * DAY, .use = {"T=old"}), "T.old");
}

static void of_old_ones_the_best_is_taken(void **state)
{
    const char text[] = "model m\ninput o = 1\n  measured 2026-01-01\n  lifetime 1h\n"
                        "input p = 2\n  measured 2026-01-01\n  lifetime 1h\n  accuracy 5%\n"
                        "define d = o\ncomponent T by worse = p\ncomponent T by better = d\n"
                        "total t = T\n";

    (void)state;
    assert_taken(text, ASK(.now = JANUARY + DAY), "T.better");
    assert_true(alternative_of(text, ASK(.now = JANUARY + DAY), "T.better").stale);
    assert_alternative(text, ASK(.now = JANUARY + DAY), "T.worse", RC_ALTERNATIVE_WORSE, "5 %");
    assert_taken("model m\ninput o = 1\n  measured 2026-01-01\ninput q = 1\n  lifetime 1s\n"
                 "component T by w = o + q\ncomponent T by v = 2\n  accuracy 1%\ntotal t = T\n",
                 ASK(.now = 2 * JANUARY), "T.w"); /* what is not stated does not age */
}

/* There is a reason also where a task, with an accuracy of its own, stands between. */
static void totals_age_with_their_tasks(void **state)
{
    const char text[] = "model m\ninput o = 1\n  measured 2026-01-01\n  lifetime 1d\n"
                        "component T by w = o\n  accuracy 5%\ntotal old = T\n"
                        "total fresh = 2\n  accuracy 50%\n";

    (void)state;
    assert_total(text, ASK(.now = JANUARY), 1);
    assert_total(text, ASK(.now = JANUARY + 3 * DAY), 2);
    assert_alternative(text, ASK(.now = JANUARY + 3 * DAY), "total.old", RC_ALTERNATIVE_STALE,
                       "T uses expired inputs");
}

/* ---- expected errors ---- */

static const char errors[] =
    "model m\nhosts a1\ninput a = 1\n  accuracy 3%\ninput b = 1\n  accuracy 4%\ninput e = 1\n"
    "input t[h] = table\n  a1 1\ninput s[h] = table\n  a1 1\n  accuracy 2%\n"
    "define d = a + b\ndefine f = a * t[a1]\n"
    "component T by exact = 2 * e\n"
    "component T by both = a + b\n"
    "component T by twice = a * a + d\n"
    "component T by table = t[a1]\n"
    "component T by stated = t[a1]\n  accuracy 7%\n"
    "component T by known = s[a1]\n"
    "component T by mixed = f + b\n"
    "total t = 1\n";

static void errors_of_inputs_add_as_squares(void **state)
{
    (void)state;
    assert_error(errors, NOTHING, "T.exact", 0);
    assert_error(errors, NOTHING, "T.both", 0.05);
    assert_error(errors, NOTHING, "T.twice", 0.05); /* each input once */
    assert_error(errors, NOTHING, "T.table", 0.1);  /* measured, with no word on how well */
    assert_error(errors, NOTHING, "T.stated", 0.07);
    assert_error(errors, NOTHING, "T.known", 0.02);
    assert_error(errors, NOTHING, "T.mixed", sqrt(0.0009 + 0.01 + 0.0016));
    assert_error(errors, ASK(.set = {"t=5"}), "T.mixed", 0.05); /* what is set is exact */
    assert_error(errors, ASK(.set = {"e=t[a1]"}), "T.exact", 0.1);
    assert_taken(errors, NOTHING, "T.exact");
    assert_alternative(errors, NOTHING, "T.both", RC_ALTERNATIVE_WORSE,
                       "expected error 5 %; that of 'exact' is 0 %");
}

#define TWO                                                                                        \
    "model m\ninput i = 1\n  accuracy 20%\ncomponent X by w = i\n  accuracy 10%\n"                 \
    "component Y by w = 1\n  accuracy 50%\ncomponent Z by w = i\ncomponent V by w = i\n"

static void errors_of_tasks_count_by_their_shares(void **state)
{
    (void)state;
    assert_error(TWO "total t = X + Y\nprofile\n  X 90%\n  Y 10%\n", NOTHING, "total.t",
                 sqrt(0.09 * 0.09 + 0.05 * 0.05));
    assert_error(TWO "total t = X + Y\n", NOTHING, "total.t", sqrt(0.01 + 0.25));
    assert_error(TWO "total t = X + Y\nprofile\n  X 90%\n", NOTHING, "total.t",
                 sqrt(0.0081 + 0.25));
    assert_error(TWO "total t = X + X + X\n", NOTHING, "total.t", 0.1);
    assert_error(TWO "total t = Z + V\n", NOTHING, "total.t", 0.2); /* one input, one error */
    assert_error(TWO "total t = Z\nprofile\n  Z 50%\n", NOTHING, "total.t", 0.1);
    assert_error(TWO "total t = X + Y\n  accuracy 1%\n", NOTHING, "total.t", 0.01);
    assert_error(TWO "total t = X + Y\nprofile\n  X 90%\n  Y 10%\nomit below 20%\n", NOTHING,
                 "total.t", 0.09);
}

/* An alternative that is named errs as it says, like one that is chosen. */
static void errors_of_named_alternatives_are_their_own(void **state)
{
    (void)state;
    assert_error(TWO "total t = X.w\n", NOTHING, "total.t", 0.1);
    assert_error(TWO "total t = Z.w\n", NOTHING, "total.t", 0.2);
    assert_error(TWO "total t = X.w + X.w\n", NOTHING, "total.t", 0.1); /* once */
    assert_error(TWO "total t = Z.w + X.w\n", NOTHING, "total.t", sqrt(0.04 + 0.01));
    assert_error(TWO "total t = X.w + Z.w\n", NOTHING, "total.t", sqrt(0.01 + 0.04));
}

static void of_equals_the_first_is_taken(void **state)
{
    const char text[] = "model m\ncomponent T by b = 1\n  accuracy 30%\ncomponent T by a = 2\n"
                        "  accuracy 30%\ncomponent T by c = 3\n  accuracy 31%\ntotal t = T\n";

    (void)state;
    assert_total(text, NOTHING, 1);
    assert_alternative(text, NOTHING, "T.a", RC_ALTERNATIVE_LATER,
                       "no better than 'b', which is first");
    assert_alternative(text, NOTHING, "T.c", RC_ALTERNATIVE_WORSE, "31 %");
}

/* ---- what is asked for ---- */

static const char asking[] =
    "model m\ninput x\ncomponent T by a = 1\ncomponent T by b = 2\n  accuracy 90%\n"
    "component T by c = 3\n  when 1 > 2\ncomponent T by d = x\ntotal t = T\ntotal u = 10 * T\n"
    "  accuracy 95%\non p\nuse T by b\non q\nuse total u\nuse T by d\n";

static void what_is_asked_for_is_taken(void **state)
{
    (void)state;
    assert_total(asking, NOTHING, 1);
    assert_total(asking, ASK(.use = {"T=b"}), 2);
    assert_alternative(asking, ASK(.use = {"T=b"}), "T.a", RC_ALTERNATIVE_NOT_ASKED,
                       "'b' was requested");
    assert_total(asking, ASK(.use = {"T=a", "T=b"}), 2); /* the last */
    assert_total(asking, ASK(.use = {"T=b", "total=u"}), 20);
    assert_total(asking, ASK(.on = "p"), 2);
    assert_total(asking, ASK(.on = "p", .use = {"T=a"}), 1);
    assert_total(asking, ASK(.on = "q", .set = {"x=7"}), 70);
    assert_total("model m\nuse T by a\ncomponent T by a = 1\n  accuracy 9%\ncomponent T by b = 2\n"
                 "total t = T\non p\nuse T by b\n",
                 NOTHING, 1);
    assert_total("model m\nuse T by a\ncomponent T by a = 1\n  accuracy 9%\ncomponent T by b = 2\n"
                 "total t = T\non p\nuse T by b\n",
                 ASK(.on = "p"), 2);
}

static void what_is_asked_for_but_cannot_be_is_told(void **state)
{
    (void)state;
    assert_fails(asking, ASK(.use = {"T=d"}), "x is not set", NULL);
    assert_fails(asking, ASK(.use = {"T=c"}), "only for 1 > 2", NULL);
    assert_fails(asking, ASK(.on = "q"), "x is not set", NULL);
    assert_fails("model m\nuse T by z\ncomponent T by a = 1\ntotal t = T\n", NOTHING, "'T'", NULL);
    assert_fails(asking, ASK(.use = {"T"}), "missing alternative in 'T'", "TASK=NAME");
    assert_fails(asking, ASK(.use = {"=a"}), "no task ''", NULL);
    assert_fails(asking, ASK(.use = {"T=z"}), "'z'", "use one of: a");
    assert_fails(asking, ASK(.use = {"T="}), "''", "use one of: a");
    assert_fails(asking, ASK(.use = {"x=a"}), "no task 'x'", NULL);
    assert_fails(asking, ASK(.use = {"total=z"}), "'z'", "use one of: t");
}

/* Where the alternative that is asked for cannot be, no other is taken, and that is why. */
static void the_others_were_not_asked_for(void **state)
{
    (void)state;
    assert_alternative(asking, ASK(.use = {"T=d"}), "T.a", RC_ALTERNATIVE_NOT_ASKED,
                       "'d' was requested");
    assert_alternative(asking, ASK(.on = "q"), "T.a", RC_ALTERNATIVE_NOT_ASKED,
                       "'use' in the model selects 'd'");
}

/* ---- what is left out ---- */

static const char omitting[] =
    "model m\ninput x\ncomponent A by w = 1\ncomponent B by w = x\ncomponent B by v = x + 1\n"
    "component C by w = 100\ncomponent D by w = 1000\ntotal t = A + B + C + D\n"
    "profile\n  A 90%\n  B 4%\n  C 5%\nomit below 5%\n"
    "on p\nprofile\n  B 50%\n  C 1%\non q\nomit below 60%\non r\nomit below 0\n";

static void small_tasks_are_left_out(void **state)
{
    (void)state;
    assert_total(omitting, NOTHING, 1101); /* B; x need not be there */
    assert_total(omitting, ASK(.omit = 0.051), 1001);
    assert_total(omitting, ASK(.omit = 0.95), 1000); /* D has no share */
    assert_total(omitting, ASK(.omit = -1, .set = {"x=10"}), 1111);
    assert_fails(omitting, ASK(.omit = -1), "x is not set", NULL);
    assert_fails(omitting, ASK(.on = "r"), "x is not set", NULL);
    assert_total(omitting, ASK(.on = "q"), 1001);                  /* 5 % is below 60 % */
    assert_total(omitting, ASK(.on = "p", .set = {"x=10"}), 1011); /* its profile says so */
}

static void use_brings_back_what_is_left_out(void **state)
{
    struct rc_model *model = parse_model(omitting);
    struct rc_binding *binding = bind_model(model, NOTHING);

    (void)state;
    assert_total(omitting, ASK(.use = {"B=v"}, .set = {"x=10"}), 1112);
    assert_fails(omitting, ASK(.use = {"B=v"}), "x is not set", NULL);
    assert_true(find_task(binding, "B")->omitted);
    assert_false(find_task(binding, "C")->omitted);
    assert_same(find_task(binding, "B")->share, 0.04);
    assert_true(isnan(find_task(binding, "D")->share));
    assert_same(rc_structural_binding_omit(binding), 0.05);
    rc_structural_binding_destroy(binding);
    binding = bind_model(model, ASK(.on = "q"));
    assert_same(rc_structural_binding_omit(binding), 0.6);
    rc_structural_binding_destroy(binding);
    rc_structural_model_destroy(model);
    assert_total("model m\ncomponent T by a = 1\ntotal t = T + T.a\nprofile\n  T 1%\n"
                 "omit below 2%\n",
                 NOTHING, 1); /* an alternative that is named is meant */
}

/* ---- circles ---- */

/* A circle rules out the alternative that closes it, whichever task stands first. */
static void circles_rule_out_one_alternative(void **state)
{
    const char a[] = "component A by loop = B\ncomponent A by flat = 1\n  accuracy 5%\n";
    const char b[] = "component B by w = 2 * A\n";
    char text[300];

    (void)state;
    snprintf(text, sizeof text, "model m\n%s%stotal t = B\n", a, b);
    assert_total(text, NOTHING, 2);
    assert_alternative(text, NOTHING, "A.loop", RC_ALTERNATIVE_MISSING, "itself");
    snprintf(text, sizeof text, "model m\n%s%stotal t = B\n", b, a);
    assert_total(text, NOTHING, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternatives_without_their_inputs_are_not_taken),
        cmocka_unit_test(alternatives_that_ask_for_what_a_table_lacks_are_not_taken),
        cmocka_unit_test(a_total_without_its_inputs_tells_the_reason),
        cmocka_unit_test(conditions_rule_alternatives_out),
        cmocka_unit_test(a_condition_must_hold_on_every_host),
        cmocka_unit_test(a_condition_of_two_hosts_ends),
        cmocka_unit_test(inputs_grow_too_old),
        cmocka_unit_test(of_old_ones_the_best_is_taken),
        cmocka_unit_test(totals_age_with_their_tasks),
        cmocka_unit_test(errors_of_inputs_add_as_squares),
        cmocka_unit_test(errors_of_tasks_count_by_their_shares),
        cmocka_unit_test(errors_of_named_alternatives_are_their_own),
        cmocka_unit_test(of_equals_the_first_is_taken),
        cmocka_unit_test(what_is_asked_for_is_taken),
        cmocka_unit_test(what_is_asked_for_but_cannot_be_is_told),
        cmocka_unit_test(the_others_were_not_asked_for),
        cmocka_unit_test(small_tasks_are_left_out),
        cmocka_unit_test(use_brings_back_what_is_left_out),
        cmocka_unit_test(circles_rule_out_one_alternative),
    };

    return RUN_TESTS(tests);
}
