/* test_trials.c - what runs of a skeleton say of the program. */
#include "unit.h"

#include "model/skeleton/probe/skeleton_trials.h"

static void add(struct rc_trials *trials, const char *text)
{
    struct rc_error error = {0};

    if (rc_skeleton_trials_add(trials, text, strlen(text), &error))
        fail_msg("%s", error.text);
}

static void lines_of_skeletons_are_found(void **state)
{
    static const char other[] = "{\"skeleton\": \"t\", \"seconds\": 1}";
    struct rc_trials trials = {0};

    (void)state;
    add(&trials, "a warning\n{\"other\": 1}\n{\"skeleton\": \"s\", \"ratio\": 10, \"seconds\": 2, "
                 "\"communicating\": 0.25, \"ranks\": 4}\n{not JSON\n");
    add(&trials, "{\"skeleton\": \"s\", \"ratio\": 10, \"seconds\": 4, \"communicating\": 0.75}");
    assert_int_equal(trials.n, 2);
    assert_string_equal(trials.skeleton, "s");
    assert_near(rc_skeleton_trials_mean(&trials), 3, 1e-12);
    assert_near(rc_skeleton_trials_spread(&trials), sqrt(2) / 3, 1e-12);
    assert_near(trials.communicating, 0.5, 1e-12);
    assert_int_equal(rc_skeleton_trials_add(&trials, other, strlen(other), NULL), -1);
    assert_int_equal(trials.n, 2);
    add(&trials, "{\"skeleton\": \"s\", \"seconds\": -1}\n{\"skeleton\": \"s\", \"seconds\": 0}\n");
    assert_int_equal(trials.n, 2);
}

/* One trial: 5 %, and the spread of the measurement twice, once for the trial and once, by its
 * number of trials, for the ratio. */
static void the_spread_adds_up(void **state)
{
    struct rc_trials trials = {0};
    struct rc_measured measured = {.ratio = 8, .spread = 0.06, .trials = 4};
    struct rc_value *value;

    (void)state;
    add(&trials, "{\"skeleton\": \"s\", \"ratio\": 10, \"seconds\": 2}");
    value = rc_skeleton_trials_predict(&trials, &measured, NULL);
    assert_non_null(value);
    assert_near(rc_value_mean(value), 16, 1e-9);
    assert_near(rc_value_sd(value) / 16, sqrt(0.05 * 0.05 + 2 * 0.06 * 0.06 + 0.06 * 0.06 / 4),
                1e-3);
    rc_value_drop(value);
}

static void no_time_is_negative(void **state)
{
    struct rc_trials trials = {0};
    struct rc_measured measured = {.ratio = 10, .spread = NAN};
    struct rc_value *value;

    (void)state;
    add(&trials,
        "{\"skeleton\": \"s\", \"seconds\": 0.01}\n{\"skeleton\": \"s\", \"seconds\": 1}\n");
    value = rc_skeleton_trials_predict(&trials, &measured, NULL);
    assert_non_null(value);
    assert_true(rc_value_quantile(value, 0.001) > 0);
    assert_near(rc_value_mean(value), 5.05, 1e-9);
    rc_value_drop(value);
}

static void measured_ratios_are_kept(void **state)
{
    char directory[] = "/tmp/runcast-trials.XXXXXX", path[64];
    struct rc_trials trials = {.skeleton = "s"}, elsewhere = {.skeleton = "../s"};
    struct rc_measured measured;
    struct rc_error error = {0};
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(directory));
    assert_int_equal(rc_skeleton_measured_read(directory, &trials, 30, &measured, &error), 1);
    add(&trials, "{\"skeleton\": \"s\", \"seconds\": 2}\n{\"skeleton\": \"s\", \"seconds\": 4}\n");
    assert_int_equal(rc_skeleton_measured_write(directory, &trials, 30, NULL, &error), 0);
    assert_int_equal(rc_skeleton_measured_read(directory, &trials, 30, &measured, &error), 0);
    assert_near(measured.ratio, 10, 1e-12);
    assert_near(measured.spread, sqrt(2) / 3, 1e-12);
    assert_int_equal(measured.trials, 2);
    assert_int_equal(rc_skeleton_measured_read(directory, &elsewhere, 30, &measured, &error), -1);
    snprintf(path, sizeof path, "%s/skeleton-s.json", directory);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"ratio\": -3}", file);
    fclose(file);
    assert_int_equal(rc_skeleton_measured_read(directory, &trials, 30, &measured, &error), -1);
    unlink(path);
    rmdir(directory);
}

/* Where a measured skeleton's program is, is known as long as it is there. */
static void programs_are_found_again(void **state)
{
    char directory[] = "/tmp/runcast-trials.XXXXXX", path[64], program[RC_MEASURED_PATH];
    struct rc_trials trials = {0};
    struct rc_error error = {0};

    (void)state;
    assert_non_null(mkdtemp(directory));
    add(&trials, "{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 15, \"original\": 30}");
    assert_int_equal(rc_skeleton_measured_program(directory, program), 0);
    assert_int_equal(rc_skeleton_measured_write(directory, &trials, 30, NULL, &error), 0);
    assert_int_equal(rc_skeleton_measured_program(directory, program), 0);
    assert_int_equal(rc_skeleton_measured_write(directory, &trials, 30, "/bin/sh", &error), 0);
    assert_int_equal(rc_skeleton_measured_program(directory, program), 1);
    assert_string_equal(program, "/bin/sh");
    assert_int_equal(rc_skeleton_measured_write(directory, &trials, 30, "/no/such/program", &error),
                     0);
    assert_int_equal(rc_skeleton_measured_program(directory, program), 0);
    assert_int_equal(rc_skeleton_measured_program("/no/such/directory", program), 0);
    snprintf(path, sizeof path, "%s/skeleton-s.json", directory);
    unlink(path);
    rmdir(directory);
}

/* Which of two it is does not hang on the order in which they were measured. */
static void short_skeletons_are_the_last_choice(void **state)
{
    char directory[] = "/tmp/runcast-trials.XXXXXX", path[64], program[RC_MEASURED_PATH];
    struct rc_trials good = {0}, brief = {0};
    struct rc_error error = {0};

    (void)state;
    assert_non_null(mkdtemp(directory));
    add(&good, "{\"skeleton\": \"a\", \"seconds\": 2, \"ratio\": 15, \"original\": 30, "
               "\"shortest\": 1}");
    add(&brief, "{\"skeleton\": \"b\", \"seconds\": 0.2, \"ratio\": 150, \"original\": 30, "
                "\"shortest\": 1}");
    for (int turn = 0; turn < 2; turn++) {
        bool first = turn == 0;

        assert_int_equal(rc_skeleton_measured_write(directory, first ? &good : &brief, 30,
                                                    first ? "/bin/sh" : "/bin/ls", &error),
                         0);
        assert_int_equal(rc_skeleton_measured_write(directory, first ? &brief : &good, 30,
                                                    first ? "/bin/ls" : "/bin/sh", &error),
                         0);
        assert_int_equal(rc_skeleton_measured_program(directory, program), 1);
        assert_string_equal(program, "/bin/sh");
    }
    snprintf(path, sizeof path, "%s/skeleton-a.json", directory);
    unlink(path);
    assert_int_equal(rc_skeleton_measured_program(directory, program), 1);
    assert_string_equal(program, "/bin/ls");
    snprintf(path, sizeof path, "%s/skeleton-b.json", directory);
    unlink(path);
    rmdir(directory);
}

/* A fifth of the shortest good one: five times the error.  None is worse than knowing nothing. */
static void short_skeletons_are_less_sure(void **state)
{
    const struct rc_measured measured = {.ratio = 10, .spread = NAN};
    static const struct {
        const char *line;
        bool is_short;
        double sd;
    } cases[] = {
        {"{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 10, \"original\": 20, "
         "\"shortest\": 2}",
         false, 0.05},
        {"{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 10, \"original\": 20, "
         "\"shortest\": 10}",
         true, 0.25},
        {"{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 10, \"original\": 20, "
         "\"shortest\": 1e6}",
         true, 1},
        {"{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 10, \"original\": 20, "
         "\"shortest\": 0}",
         false, 0.05},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rc_trials trials = {0};
        struct rc_value *value;

        add(&trials, cases[i].line);
        assert_int_equal(rc_skeleton_trials_short(&trials), cases[i].is_short);
        value = rc_skeleton_trials_predict(&trials, &measured, NULL);
        assert_non_null(value);
        assert_near(rc_value_mean(value), 20, 1e-9);
        assert_near(rc_value_sd(value) / 20, cases[i].sd, 0.02 * cases[i].sd);
        rc_value_drop(value);
    }
}

/* A recording that was made anew, and a skeleton that was, are others. */
static void ratios_of_others_are_not_taken(void **state)
{
    char directory[] = "/tmp/runcast-trials.XXXXXX", path[64];
    struct rc_trials trials = {0}, shorter = {0}, newer = {0};
    struct rc_measured measured;
    struct rc_error error = {0};

    (void)state;
    assert_non_null(mkdtemp(directory));
    add(&trials, "{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 15, \"original\": 30}");
    add(&shorter, "{\"skeleton\": \"s\", \"seconds\": 1, \"ratio\": 30, \"original\": 30}");
    add(&newer, "{\"skeleton\": \"s\", \"seconds\": 2, \"ratio\": 15, \"original\": 31}");
    assert_true(rc_skeleton_trials_of(&trials, 30));
    assert_false(rc_skeleton_trials_of(&trials, 31));
    assert_int_equal(rc_skeleton_measured_write(directory, &trials, 30, NULL, &error), 0);
    assert_int_equal(rc_skeleton_measured_read(directory, &trials, 30, &measured, &error), 0);
    assert_int_equal(rc_skeleton_measured_read(directory, &trials, 31, &measured, &error), 2);
    assert_int_equal(rc_skeleton_measured_read(directory, &shorter, 30, &measured, &error), 2);
    assert_int_equal(rc_skeleton_measured_read(directory, &newer, 30, &measured, &error), 2);
    snprintf(path, sizeof path, "%s/skeleton-s.json", directory);
    unlink(path);
    rmdir(directory);
}

/* What a command takes besides its seconds is known only where those are seconds of a clock. */
static void simulated_skeletons_have_no_startup(void **state)
{
    static const struct {
        const char *script;
        bool simulated;
    } cases[] = {
        {"echo '{\"skeleton\": \"s\", \"seconds\": 1e-9}'", false},
        {"echo '{\"skeleton\": \"s\", \"seconds\": 1e-9, \"simulated\": true}'", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char shell[] = "sh", option[] = "-c", script[100];
        char *command[] = {shell, option, script, NULL};
        struct rc_trials trials = {0};
        struct rc_error error = {0};

        snprintf(script, sizeof script, "%s", cases[i].script);
        if (rc_skeleton_probe_run(command, 2, "s", NULL, &trials, &error))
            fail_msg("%s", error.text);
        assert_int_equal(trials.n, 2);
        assert_int_equal(rc_skeleton_trials_startup(&trials) > 0, !cases[i].simulated);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_skeletons_are_found),
        cmocka_unit_test(the_spread_adds_up),
        cmocka_unit_test(no_time_is_negative),
        cmocka_unit_test(measured_ratios_are_kept),
        cmocka_unit_test(programs_are_found_again),
        cmocka_unit_test(short_skeletons_are_the_last_choice),
        cmocka_unit_test(short_skeletons_are_less_sure),
        cmocka_unit_test(ratios_of_others_are_not_taken),
        cmocka_unit_test(simulated_skeletons_have_no_startup),
    };

    return RUN_TESTS(tests);
}
