/* test_traced.c - shares of tasks, from recordings whose times are all known. */
#include "structure.h"

#include <sys/stat.h>

#include "own_recording.h"
#include "model/structural/traced_internal.h"
#include "model/structural/task_profile.h"

/* ---- a master and its slaves ---- */

/* In each round rank 0 takes 4 ms to select, all are in MPI_Bcast for 1 ms after that, make
 * children for 20, 30 and 24 ms, and after the last of them MPI_Gatherv takes 2 ms: 37 ms. */
static void make_ga(int rounds, uint64_t setup)
{
    static const uint64_t slave[] = {20 * MS, 30 * MS, 24 * MS};

    for (uint32_t rank = 0; rank < 3; rank++) {
        struct maker maker = make_begin(directory, rank, 3);
        uint64_t waits = rank == 0 ? 0 : 4 * MS;

        make_plain(&maker, RC_TRACE_Init, 7 * MS, 500 * MS);
        for (int i = 0; i < rounds; i++) {
            uint64_t selects = i == 0 ? setup : 4 * MS;

            make_collective(&maker, RC_TRACE_Bcast, 0, 100, rank == 0 ? selects : 0,
                            1 * MS + (rank == 0 ? 0
                                      : i == 0  ? setup
                                                : waits));
            make_collective(&maker, RC_TRACE_Gatherv, 0, 10, slave[rank], 32 * MS - slave[rank]);
        }
        make_plain(&maker, RC_TRACE_Finalize, 0, 300 * MS);
        make_end(&maker, MS);
    }
}

#define GA_TASKS                                                                                   \
    "component Master by w = 1\n    traced computing before Bcast of first\n"                      \
    "component Scatter by w = 1\n    traced calls Bcast\n"                                         \
    "component Slave by w = 1\n    traced computing before MPI_Gatherv\n"                          \
    "component Gather by w = 1\n    traced calls gatherv\n"                                        \
    "total t = Master + Scatter + Slave + Gather\n"

/* ---- asking ---- */

static struct rc_shares shares;

static int try_shares(const char *text, const char *on, struct rc_error *error)
{
    struct rc_model *model = parse_model(text);
    struct rc_trace_set *recording = rc_trace_set_open(directory, error);
    int status = -1;

    if (recording)
        status = rc_structural_shares_find(&shares, model,
                                           on ? rc_structural_model_find_section(model, on) : -1,
                                           recording, NULL, error);
    for (size_t i = 0; status == 0 && i < shares.n; i++)
        shares.items[i].task = strdup(shares.items[i].task); /* outlives the model */
    rc_trace_set_close(recording);
    rc_structural_model_destroy(model);
    return status;
}

static void find_on(const char *text, const char *on)
{
    struct rc_error error = {.text = ""};

    if (try_shares(text, on, &error))
        fail_msg("%s:%u: %s (%s)", error.file, error.line, error.text, error.hint);
}

static void find(const char *text)
{
    find_on(text, NULL);
}

static void drop(void)
{
    for (size_t i = 0; i < shares.n; i++)
        free((char *)(uintptr_t)shares.items[i].task);
    rc_structural_shares_free(&shares);
}

static void assert_refused(const char *text, const char *says, const char *hint)
{
    struct rc_error error = {.text = ""};

    if (try_shares(text, NULL, &error) == 0)
        fail_msg("%s\nis taken", text);
    if (!strstr(error.text, says) || !strstr(error.hint, hint))
        fail_msg("%s (%s), not: %s (%s)", error.text, error.hint, says, hint);
    rc_structural_shares_free(&shares);
}

static const struct rc_share *share_of(const char *task)
{
    for (size_t i = 0; i < shares.n; i++)
        if (strcmp(shares.items[i].task, task) == 0)
            return &shares.items[i];
    fail_msg("no share of %s", task);
    return NULL;
}

#define assert_share(task, wanted) assert_near(share_of(task)->share, wanted, 1e-12)

static struct rc_rank_times *read_times(void)
{
    static struct rc_rank_times times;
    struct rc_error error = {.text = ""};
    struct rc_trace_set *recording = rc_trace_set_open(directory, &error);

    assert_non_null(recording);
    assert_int_equal(rc_structural_rank_times_read(&times, rc_trace_set_rank(recording, 0), &error),
                     0);
    rc_trace_set_close(recording);
    return &times;
}

/* ---- what counts ---- */

static void waiting_is_nobodys_own(void **state)
{
    static const int rounds[] = {1, 5, 40};

    (void)state;
    for (size_t i = 0; i < COUNT(rounds); i++) {
        make_ga(rounds[i], 4 * MS);
        find("model m\n" GA_TASKS);
        assert_int_equal(shares.n, 4);
        assert_int_equal(shares.ranks, 3);
        assert_near(shares.seconds, rounds[i] * 37e-3, 1e-12);
        assert_share("Master", 4.0 / 37);
        assert_share("Scatter", 1.0 / 37);
        assert_int_equal(share_of("Scatter")->rank, 0);
        assert_share("Slave", 30.0 / 37);
        assert_int_equal(share_of("Slave")->rank, 1);
        assert_share("Gather", 2.0 / 37);
        assert_int_equal(share_of("Gather")->rank, 1);
        assert_true(share_of("Gather")->calls && !share_of("Slave")->calls);
        assert_near(shares.left, 0, 1e-12);
        assert_int_equal(shares.n_parts, 0);
        assert_false(shares.overlap);
        drop();
    }
}

static void ranks_are_told_apart(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    find("model m\ncomponent A by w = 1\n    traced calls Gatherv of first\n"
         "component B by w = 1\n    traced calls Gatherv of rest\n"
         "component C by w = 1\n    traced computing of rest\n"
         "component D by w = 1\n    traced computing of first\ntotal t = A + B + C + D\n");
    /* one rank alone: with its waiting; 24 + 30 ms are more than all of it, and are scaled */
    assert_true(shares.overlap);
    assert_near(share_of("A")->share / share_of("C")->share, 12.0 / 30, 1e-12);
    assert_near(share_of("B")->share / share_of("C")->share, 2.0 / 30, 1e-12);
    assert_near(share_of("D")->share / share_of("C")->share, 24.0 / 30, 1e-12);
    assert_near(shares.left, 0, 1e-12);
    drop();
}

/* A is long on rank 0 and B on rank 1, one after the other, with nothing to send: each waits for
 * the other in one half of the time. */
static void who_waits_may_change(void **state)
{
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        struct maker maker = make_begin(directory, rank, 2);

        make_plain(&maker, RC_TRACE_Init, 0, MS);
        for (int i = 0; i < 20; i++) {
            make_plain(&maker, RC_TRACE_Barrier, rank == 0 ? 10 * MS : 0, rank == 0 ? 0 : 10 * MS);
            make_collective(&maker, RC_TRACE_Allreduce, RC_TRACE_NONE, 1, rank == 0 ? 0 : 6 * MS,
                            rank == 0 ? 6 * MS : 0);
        }
        make_plain(&maker, RC_TRACE_Finalize, 0, MS);
        make_end(&maker, 0);
    }
    find("model m\ncomponent A by w = 1\n    traced computing before Barrier\n"
         "component B by w = 1\n    traced computing before Allreduce\n"
         "component C by w = 1\n    traced calls Barrier, Allreduce\ntotal t = A + B + C\n");
    assert_share("A", 10.0 / 16);
    assert_share("B", 6.0 / 16);
    assert_share("C", 0);
    assert_false(shares.overlap);
    drop();
}

static void the_same_clause_is_shared(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    find("model m\ncomponent Red by w = 1\n    traced computing after Bcast\n"
         "component Black by w = 1\n    traced computing after bcast of all\n"
         "component R by w = 1\n    traced calls Bcast, Gatherv\n"
         "component B by w = 1\n    traced calls MPI_GATHERV, MPI_BCAST\n"
         "total t = Red + Black + R + B\n");
    assert_share("Red", 15.0 / 37);
    assert_share("Black", 15.0 / 37);
    assert_int_equal(share_of("Red")->alike, 2);
    /* in both calls together, rank 1 is for 5 + 2, rank 0 for 1 + 12, and rank 2 for 5 + 8 ms */
    assert_share("R", 3.5 / 37);
    assert_share("B", 3.5 / 37);
    assert_near(shares.left, 0, 1e-12);
    drop();
}

static void what_is_left_is_told(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    find("model m\ncomponent Slave by w = 1\n    traced computing after Bcast\ntotal t = Slave\n"
         "profile\n    Slave 90%\nomit below 85%\non x\nprofile\n    Slave 70%\nomit below 5%\n");
    assert_near(shares.left, 7.0 / 37, 1e-12);
    assert_near(share_of("Slave")->stated, 0.9, 0);
    assert_near(shares.omit, 0.85, 0);
    assert_int_equal(shares.n_parts, 4);
    assert_string_equal(shares.parts[0].what, "computing between MPI_Gatherv and MPI_Bcast");
    assert_near(shares.parts[0].share, 4 * 4.0 / (5 * 37), 1e-12);
    assert_string_equal(shares.parts[1].what, "MPI_Gatherv");
    assert_near(shares.parts[1].share, 2.0 / 37, 1e-12);
    assert_string_equal(shares.parts[2].what, "MPI_Bcast");
    assert_string_equal(shares.parts[3].what, "computing between MPI_Init and MPI_Bcast");
    drop();
    find_on("model m\ncomponent Slave by w = 1\ntotal t = Slave\n"
            "profile\n    Slave 90%\nomit below 85%\non x\nprofile\n    Slave 70%\nomit below 5%\n"
            "component Slave by w\n    traced computing after Bcast\n",
            "x");
    assert_near(share_of("Slave")->stated, 0.7, 0);
    assert_near(shares.omit, 0.05, 0);
    drop();
}

static void what_is_not_there_has_none(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    find("model m\ncomponent A by w = 1\n    traced calls Barrier\n"
         "component B by w = 1\n    traced computing\ntotal t = A + B\n");
    assert_share("A", 0);
    assert_false(share_of("A")->there);
    assert_true(share_of("B")->there);
    drop();
}

/* ---- which computing it is ---- */

static void computing_goes_to_its_neighbours(void **state)
{
    struct rc_rank_times *times;

    (void)state;
    make_ga(5, 100 * MS);
    times = read_times();
    assert_near(times->gaps[RC_TRACE_Init][RC_TRACE_Bcast], 0.1, 1e-12);
    assert_near(times->gaps[RC_TRACE_Gatherv][RC_TRACE_Bcast], 4 * 4e-3, 1e-12);
    assert_near(times->gaps[RC_TRACE_Bcast][RC_TRACE_Gatherv], 5 * 20e-3, 1e-12);
    assert_near(times->seconds, 0.1 + 5 * 37e-3 - 4e-3, 1e-12);
    /* of more than 8 rounds only the mean is known */
    make_ga(30, 100 * MS);
    times = read_times();
    assert_near(times->gaps[RC_TRACE_Init][RC_TRACE_Bcast], (0.1 + 29 * 4e-3) / 30, 1e-12);
    assert_near(times->gaps[RC_TRACE_Gatherv][RC_TRACE_Bcast], (0.1 + 29 * 4e-3) / 30 * 29, 1e-12);
}

static void loops_in_loops(void **state)
{
    struct rc_rank_times *times;

    (void)state;
    for (int rounds = 3; rounds <= 50; rounds += 47) {
        struct maker maker = make_begin(directory, 0, 1);

        make_plain(&maker, RC_TRACE_Init, 5 * MS, MS);
        for (int i = 0; i < rounds; i++) {
            for (int k = 0; k < 2; k++) {
                make_plain(&maker, RC_TRACE_Probe, k > 0 ? 2 * MS : i > 0 ? 5 * MS : 1 * MS, 0);
                make_plain(&maker, RC_TRACE_Iprobe, 3 * MS, 0);
            }
            make_plain(&maker, RC_TRACE_Barrier, 7 * MS, 0);
        }
        make_plain(&maker, RC_TRACE_Finalize, 11 * MS, MS);
        make_end(&maker, MS);
        times = read_times();
        assert_near(times->gaps[RC_TRACE_Probe][RC_TRACE_Iprobe], rounds * 6e-3, 1e-12);
        assert_near(times->gaps[RC_TRACE_Iprobe][RC_TRACE_Barrier], rounds * 7e-3, 1e-12);
        assert_near(times->gaps[RC_TRACE_Barrier][RC_TRACE_Finalize], 11e-3, 1e-12);
        if (rounds == 3) {
            assert_near(times->gaps[RC_TRACE_Init][RC_TRACE_Probe], 1e-3, 1e-12);
            assert_near(times->gaps[RC_TRACE_Iprobe][RC_TRACE_Probe], 3 * 2e-3, 1e-12);
            assert_near(times->gaps[RC_TRACE_Barrier][RC_TRACE_Probe], 2 * 5e-3, 1e-12);
        } else {
            double mean = (1e-3 + rounds * 2e-3 + (rounds - 1) * 5e-3) / (2 * rounds);

            assert_near(times->gaps[RC_TRACE_Init][RC_TRACE_Probe], mean, 1e-12);
            assert_near(times->gaps[RC_TRACE_Iprobe][RC_TRACE_Probe], mean * rounds, 1e-12);
            assert_near(times->gaps[RC_TRACE_Barrier][RC_TRACE_Probe], mean * (rounds - 1), 1e-12);
        }
        assert_near(times->seconds, 1e-3 + rounds * 15e-3 + (rounds - 1) * 5e-3 + 11e-3, 1e-12);
    }
}

/* ---- without clauses ---- */

static void kinds_stand_in_for_clauses(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    find("model m\ncomponent Comp by a = 1\n    kind computation\n"
         "component Comp by b = 1\n    kind computation\n"
         "component Comm by w = 1\n    kind communication\n"
         "component Other by w = 1\ntotal t = Comp + Comm + Other\n");
    assert_int_equal(shares.n, 2);
    assert_share("Comp", 30.0 / 37); /* of rank 1 */
    assert_share("Comm", 7.0 / 37);
    drop();
    assert_refused("model m\ncomponent A by w = 1\n    kind computation\n"
                   "component B by w = 1\n    kind computation\ntotal t = A + B\n",
                   "'A' and 'B' are both computation", "traced computing before");
    assert_refused("model m\ncomponent A by w = 1\ntotal t = A\n", "'traced' or 'kind' clause",
                   "traced computing");
}

/* ---- what is refused ---- */

static void what_is_claimed_twice_is_refused(void **state)
{
    (void)state;
    make_ga(5, 4 * MS);
    assert_refused("model m\ncomponent A by w = 1\n    traced calls Bcast\n"
                   "component B by w = 1\n    traced calls Bcast of first\ntotal t = A + B\n",
                   "MPI_Bcast, on rank 0, belongs to both 'A' and 'B'", "traced");
    assert_refused("model m\ncomponent A by w = 1\n    traced computing after Gatherv\n"
                   "component B by w = 1\n    traced computing before Bcast\ntotal t = A + B\n",
                   "computing between MPI_Gatherv and MPI_Bcast, on rank 0, belongs to both "
                   "'A' and 'B'",
                   "traced");
    assert_refused("model m\ncomponent A by w = 1\n    traced computing\n"
                   "component B by w = 1\n    traced computing of rest\ntotal t = A + B\n",
                   "on rank 1, belongs to both 'A' and 'B'", "traced");
    /* rank 0 is not among the rest */
    find("model m\ncomponent A by w = 1\n    traced calls Bcast of rest\n"
         "component B by w = 1\n    traced calls Bcast of first\ntotal t = A + B\n");
    drop();
}

static void clauses_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    make_ga(1, 4 * MS);
    assert_refused("model m\ncomponent A by w = 1\n    traced calls Bcats\ntotal t = A\n",
                   "'A': unknown MPI call 'Bcats'", "did you mean 'Bcast'?");
    assert_refused("model m\ncomponent A by w = 1\n    traced calls Init\ntotal t = A\n",
                   "MPI_Init is not part of the profiled run", "");
    assert_refused("model m\ncomponent A by v = 1\n    traced calls Bcast\n"
                   "component A by w = 1\n    traced calls Barrier\ntotal t = A\n",
                   "'A' by 'v' and by 'w' have different 'traced' clauses",
                   "the same 'traced' clause");
}

static void damage_is_refused(void **state)
{
    char path[128];

    (void)state;
    make_ga(5, 4 * MS);
    snprintf(path, sizeof path, "%s/rank-2.rct", directory);
    assert_int_equal(truncate(path, 300), 0);
    assert_refused("model m\n" GA_TASKS, "cut short", "");
    assert_int_equal(unlink(path), 0);
    assert_refused("model m\n" GA_TASKS, "rank 2", "");
}

/* ---- as a statement ---- */

static void the_statement_is_read_back(void **state)
{
    static const char text[] = "model m\n" GA_TASKS "on here\nprofile\n    Slave 10%\n";
    struct rc_model *model = parse_model(text), *both;
    struct rc_error error = {.text = ""};
    struct rc_model_text texts[2] = {{"m.rcm", text, sizeof text - 1}, {"p.rcm", NULL, 0}};
    char *statement;

    (void)state;
    make_ga(5, 4 * MS);
    for (int section = -1; section < 1; section++) {
        find_on(text, section < 0 ? NULL : "here");
        statement = rc_structural_shares_statement(&shares, model, section, "./ga\n3 ranks");
        assert_non_null(statement);
        texts[1].text = statement;
        texts[1].length = strlen(statement);
        both = rc_structural_model_parse_all(texts, 2, &error);
        if (!both)
            fail_msg("%s\n%u: %s", statement, error.line, error.text);
        /* the everywhere one beside the model's own, or in its place */
        assert_int_equal(both->n_profile, section < 0 ? 5 : 4);
        for (size_t i = both->n_profile - 4, k = 0; k < 4; i++, k++) {
            assert_string_equal(both->profile[i].task, shares.items[k].task);
            assert_int_equal(both->profile[i].section, section);
            assert_near(both->profile[i].share, shares.items[k].share, 1e-4);
        }
        rc_structural_model_destroy(both);
        free(statement);
        drop();
    }
    rc_structural_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(waiting_is_nobodys_own, begin, end),
        cmocka_unit_test_setup_teardown(ranks_are_told_apart, begin, end),
        cmocka_unit_test_setup_teardown(who_waits_may_change, begin, end),
        cmocka_unit_test_setup_teardown(the_same_clause_is_shared, begin, end),
        cmocka_unit_test_setup_teardown(what_is_left_is_told, begin, end),
        cmocka_unit_test_setup_teardown(what_is_not_there_has_none, begin, end),
        cmocka_unit_test_setup_teardown(computing_goes_to_its_neighbours, begin, end),
        cmocka_unit_test_setup_teardown(loops_in_loops, begin, end),
        cmocka_unit_test_setup_teardown(kinds_stand_in_for_clauses, begin, end),
        cmocka_unit_test_setup_teardown(what_is_claimed_twice_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(clauses_that_make_no_sense_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(damage_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(the_statement_is_read_back, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
