/* Sets of hosts and numbers of processes that are worth a look. */
#include "unit.h"

#include "advise/place/candidates.h"

/* Five hosts of a cluster. */
static const struct rc_candidate_host five[] = {{.slots = 1, .score = 0.5},
                                                {.place = 1, .slots = 1, .score = 0.9},
                                                {.place = 2, .slots = 1, .score = 0.2},
                                                {.place = 3, .slots = 1, .score = 0.9},
                                                {.place = 4, .slots = 1, .score = 0.7}};
static const size_t all[] = {0, 1, 2, 3, 4};

static void check(const struct rc_candidate *candidate, int64_t procs, const char *hosts)
{
    char text[100] = "";

    for (size_t i = 0; i < candidate->n_hosts; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu", i ? " " : "",
                 candidate->hosts[i]);
    assert_int_equal(candidate->procs, procs);
    assert_string_equal(text, hosts);
}

static void ranks_hosts(void **state)
{
    const int64_t procs[] = {1, 3, 5, 6};
    const struct rc_candidate_counts counts = {procs, COUNT(procs), RC_FILL_PACKED};
    struct rc_candidates candidates = {0};
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_place_candidates_add_further(&candidates, five, all, 5, &counts, 1, &error),
                     0);
    assert_int_equal(candidates.n, 3); /* six do not fit */
    check(&candidates.items[0], 1, "1");
    check(&candidates.items[1], 3, "1 3 4");
    check(&candidates.items[2], 5, "1 3 4 0 2");
    assert_ptr_equal(candidates.items[0].hosts, candidates.items[2].hosts);
    rc_place_candidates_free(&candidates);
}

static void fills_hosts(void **state)
{
    const struct rc_candidate_host hosts[] = {{.slots = 4}, {.slots = 2}, {.slots = 4}};

    (void)state;
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 4, RC_FILL_PACKED), 1);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 5, RC_FILL_PACKED), 2);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 10, RC_FILL_PACKED), 3);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 11, RC_FILL_PACKED), 0);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 1, RC_FILL_SPREAD), 1);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 2, RC_FILL_SPREAD), 2);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 7, RC_FILL_SPREAD), 3);
    assert_int_equal(rc_place_candidates_hosts_for(hosts, all, 3, 11, RC_FILL_SPREAD), 0);
}

static void counts_processes(void **state)
{
    struct rc_error error;
    size_t n;
    int64_t *counts = rc_place_candidates_counts(5, 2, &n, &error);

    (void)state;
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(counts[i], i + 1);
    free(counts);
    /* 4096 hosts of 16: powers of two, and hosts in steps of 4 */
    counts = rc_place_candidates_counts(65536, 16, &n, &error);
    assert_int_equal(counts[0], 1);
    assert_int_equal(counts[1], 2);
    assert_int_equal(counts[n - 1], 65536);
    assert_int_equal(n, 1024 + 6); /* 1 to 32, and multiples of 64 */
    for (size_t i = 1; i < n; i++)
        assert_true(counts[i] > counts[i - 1]);
    free(counts);
}

static void finds_windows(void **state)
{
    const int64_t procs[] = {2, 3};
    const struct rc_candidate_counts counts = {procs, COUNT(procs), RC_FILL_PACKED};
    struct rc_candidates candidates = {0};
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_place_candidates_add_windows(&candidates, five, all, 5, &counts, 2, &error),
                     0);
    assert_int_equal(candidates.n, 4);
    check(&candidates.items[0], 2, "3 4");   /* at least 0.7 */
    check(&candidates.items[1], 2, "0 1");   /* at least 0.5 */
    check(&candidates.items[2], 3, "1 2 3"); /* all have the 0.2: by the mean */
    check(&candidates.items[3], 3, "2 3 4");
    rc_place_candidates_free(&candidates);
}

/* Against all windows, one by one. */
static void finds_the_best_window(void **state)
{
    struct rc_candidate_host hosts[60];
    size_t members[60];
    struct rc_candidates candidates = {0};
    struct rc_error error;
    int64_t procs[60];
    struct rc_candidate_counts counts = {procs, 60, RC_FILL_PACKED};

    (void)state;
    for (size_t i = 0; i < 60; i++) {
        hosts[i] =
            (struct rc_candidate_host){.place = i, .slots = 1, .score = (double)(i * 7919 % 61)};
        members[i] = i;
        procs[i] = (int64_t)i + 1;
    }
    assert_int_equal(
        rc_place_candidates_add_windows(&candidates, hosts, members, 60, &counts, 1, &error), 0);
    assert_int_equal(candidates.n, 60);
    for (size_t c = 0; c < 60; c++) {
        double best = 0, found = INFINITY;

        for (size_t first = 0; first + c < 60; first++) {
            double least = INFINITY;

            for (size_t i = first; i <= first + c; i++)
                least = fmin(least, hosts[i].score);
            best = fmax(best, least);
        }
        for (size_t i = 0; i < candidates.items[c].n_hosts; i++)
            found = fmin(found, hosts[candidates.items[c].hosts[i]].score);
        assert_int_equal(candidates.items[c].n_hosts, c + 1);
        assert_same(found, best);
    }
    rc_place_candidates_free(&candidates);
}

static void goes_further_down(void **state)
{
    const int64_t procs[] = {2};
    const struct rc_candidate_counts counts = {procs, 1, RC_FILL_PACKED};
    struct rc_candidates candidates = {0};
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_place_candidates_add_further(&candidates, five, all, 5, &counts, 9, &error),
                     0);
    assert_int_equal(candidates.n, 4);
    check(&candidates.items[0], 2, "1 3");
    check(&candidates.items[1], 2, "3 4");
    check(&candidates.items[2], 2, "4 0");
    check(&candidates.items[3], 2, "0 2");
    rc_place_candidates_free(&candidates);
}

static void exchanges_hosts(void **state)
{
    const size_t own[] = {3, 1, 4};
    const struct rc_candidate base = {.procs = 3, .hosts = own, .n_hosts = 3};
    struct rc_candidates candidates = {0};
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_place_candidates_add_swaps(&candidates, five, &base, all, 5, RC_FILL_PACKED,
                                                   2, &error),
                     0);
    assert_int_equal(candidates.n, 4);
    check(&candidates.items[0], 3, "1 3 0");
    check(&candidates.items[1], 3, "1 3 2");
    check(&candidates.items[2], 3, "1 0 4");
    check(&candidates.items[3], 3, "1 2 4");
    rc_place_candidates_free(&candidates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_hosts),           cmocka_unit_test(fills_hosts),
        cmocka_unit_test(counts_processes),      cmocka_unit_test(finds_windows),
        cmocka_unit_test(finds_the_best_window), cmocka_unit_test(goes_further_down),
        cmocka_unit_test(exchanges_hosts),
    };

    return RUN_TESTS(tests);
}
