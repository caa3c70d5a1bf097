/* Which of several sets is best, and the search for it. */
#include "unit.h"

#include "advise/place/candidate_rating.h"
#include "advise/place/search.h"

/* ---- judging and comparing ---- */

static struct rc_aim aim_of(enum rc_objective objective, double deadline, double budget)
{
    return (struct rc_aim){objective, deadline, 0.75, budget, "EUR"};
}

static struct rc_advised judged(const double *samples, size_t n, const struct rc_aim *aim,
                                int64_t cores, double cost)
{
    struct rc_advised one = {.candidate = {.procs = cores}};
    double scratch[64];

    rc_place_advised_judge(&one, samples, n, NULL, aim, cores, cost, scratch);
    return one;
}

static void judges(void **state)
{
    const double samples[] = {3600, 7200, 3600, 7200};
    struct rc_aim aim = aim_of(RC_OBJECTIVE_TIME, 4000, 1.4);
    struct rc_advised one = judged(samples, 4, &aim, 10, 0.1);

    (void)state;
    assert_same(one.mean, 5400);
    assert_same(one.lo90, 3600);
    assert_same(one.hi90, 7200);
    assert_same(one.miss, 0.5);
    assert_near(one.core_hours, 15, 1e-12);
    assert_near(one.cost, 1.5, 1e-12);
    assert_false(one.in_time);   /* half are late, and a quarter may be */
    assert_false(one.in_budget); /* 1.5 of 1.4 */
    aim = aim_of(RC_OBJECTIVE_TIME, 7200, 1.5);
    one = judged(samples, 4, &aim, 10, 0.1);
    assert_true(one.in_time && one.in_budget);
    assert_same(one.miss, 0);
}

static void does_not_end(void **state)
{
    const double seldom[] = {10, 20, INFINITY}, mostly[] = {10, INFINITY, INFINITY};
    struct rc_aim aim = aim_of(RC_OBJECTIVE_TIME, 15, NAN);
    struct rc_advised one = judged(seldom, 3, &aim, 1, NAN);

    (void)state;
    assert_same(one.mean, 15);
    assert_true(isinf(one.hi90));
    assert_near(one.miss, 2.0 / 3, 1e-12);
    assert_true(isnan(one.cost));
    one = judged(mostly, 3, &aim, 1, NAN);
    assert_true(isinf(one.mean));
    assert_false(rc_place_advised_fits(&one, &aim));
}

/* Fast and dear; slow and cheap; in between, and sure. */
static const double fast[] = {10, 10, 10, 50}, slow[] = {40, 40, 40, 40}, sure[] = {25, 25, 25, 25};

static char best_of(const struct rc_aim *aim)
{
    const struct rc_advised three[] = {judged(fast, 4, aim, 8, 3600), judged(slow, 4, aim, 1, 3600),
                                       judged(sure, 4, aim, 4, 3600)};
    size_t best = 0;

    for (size_t i = 1; i < 3; i++)
        if (rc_place_advised_compare(&three[i], &three[best], aim) < 0)
            best = i;
    return rc_place_advised_fits(&three[best], aim) ? "fsm"[best] : "FSM"[best];
}

static void compares(void **state)
{
    const struct {
        enum rc_objective objective;
        double deadline, budget;
        char best;
    } cases[] = {
        {RC_OBJECTIVE_TIME, NAN, NAN, 'f'}, /* 20 s */
        {RC_OBJECTIVE_COST, NAN, NAN, 's'}, /* 40, where the others cost 160 and 100 */
        {RC_OBJECTIVE_RISK, NAN, NAN, 'm'}, /* 95 % end within 25 s */
        {RC_OBJECTIVE_COST, 30, NAN, 'm'},  /* the cheapest in time; a quarter may be late */
        {RC_OBJECTIVE_TIME, 30, 120, 'm'},  {RC_OBJECTIVE_TIME, NAN, 50, 's'},
        {RC_OBJECTIVE_RISK, 30, NAN, 'm'},  {RC_OBJECTIVE_RISK, 15, NAN, 'f'},
        {RC_OBJECTIVE_TIME, 5, NAN, 'M'},  /* nobody: all are late, and this one least far */
        {RC_OBJECTIVE_TIME, 30, 60, 'S'},  /* within the budget, though late */
        {RC_OBJECTIVE_TIME, NAN, 30, 'S'}, /* nobody: the cheapest */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_aim aim = aim_of(cases[i].objective, cases[i].deadline, cases[i].budget);

        if (best_of(&aim) != cases[i].best)
            fail_msg("case %zu is %c", i, best_of(&aim));
    }
}

static void reason_has_limits_and_lead(void **state)
{
    struct rc_aim aim = aim_of(RC_OBJECTIVE_COST, 50, NAN);
    struct rc_advised a = judged(slow, 4, &aim, 1, 3600), b = judged(sure, 4, &aim, 4, 3600);
    double own[] = {40, 40, 40, 40}, other[] = {25, 25, 25, 41};
    char why[RC_ADVISE_WHY];

    (void)state;
    a.samples = own;
    b.samples = other;
    assert_same(rc_place_advised_faster(&a, &b, 4), 0.25);
    rc_place_advised_why(&(struct rc_advised_choice){&a, &b, 0, 4, 7}, &aim, why);
    assert_string_equal(why,
                        "least expected cost within 50 s with probability 0.75, of 7 candidates; "
                        "runner-up: 150 % more, slower in 25 % of the samples");
    /* without common random numbers */
    rc_place_advised_why(&(struct rc_advised_choice){&a, &b, 0, 0, 7}, &aim, why);
    assert_null(strstr(why, "slower"));
    rc_place_advised_why(&(struct rc_advised_choice){&a, NULL, 0, 4, 1}, &aim, why);
    assert_string_equal(why, "least expected cost within 50 s with probability 0.75; the only "
                             "candidate");
    /* A shortlist of one, of many candidates. */
    aim = aim_of(RC_OBJECTIVE_TIME, NAN, 0.1234567);
    rc_place_advised_why(&(struct rc_advised_choice){&a, NULL, 0, 4, 32}, &aim, why);
    assert_string_equal(why, "least expected run time at a cost of at most 0.1234567 EUR, of 32 "
                             "candidates; the shortlist has no other");
}

static void ties(void **state)
{
    const struct rc_aim by_time = aim_of(RC_OBJECTIVE_TIME, NAN, NAN),
                        by_cost = aim_of(RC_OBJECTIVE_COST, NAN, NAN),
                        late = aim_of(RC_OBJECTIVE_TIME, 100.4, NAN);
    double first[] = {100, 100, 100, 100}, second[] = {100.5, 100.5, 100.5, 100.5},
           noisy[] = {60, 145, 70, 137}, third[] = {103, 103, 103, 103};
    struct rc_advised best = judged(first, 4, &by_time, 8, 1),
                      near = judged(second, 4, &by_time, 4, 1),
                      chance = judged(noisy, 4, &by_time, 4, 1),
                      apart = judged(third, 4, &by_time, 4, 1);
    char why[RC_ADVISE_WHY];

    (void)state;
    best.samples = first;
    near.samples = second;
    chance.samples = noisy;
    apart.samples = third;
    assert_true(rc_place_advised_tie(&best, &near, &by_time, 4));
    assert_false(rc_place_advised_tie(&best, &apart, &by_time, 4));
    /* 3 % longer, with a standard error of 22 % */
    assert_true(rc_place_advised_tie(&best, &chance, &by_time, 4));
    assert_false(rc_place_advised_tie(&best, &chance, &by_time, 0));
    assert_false(rc_place_advised_tie(&best, &near, &by_cost, 4));
    /* The other one misses the deadline. */
    near.in_time = false;
    assert_false(rc_place_advised_tie(&best, &near, &late, 4));
    near.in_time = true;
    /* About as many processes of one cluster: the better one stays. */
    near.candidate.procs = best.candidate.procs;
    assert_true(rc_place_advised_alike(&best, &near));
    assert_false(rc_place_advised_tie(&best, &near, &by_time, 4));
    near.candidate.cluster = 1;
    assert_true(rc_place_advised_tie(&best, &near, &by_time, 4));
    near.candidate.procs = 4;
    /* The cheaper one, else the one with fewer core-hours, else with fewer processes. */
    assert_true(rc_place_advised_compare_tied(&near, &best) < 0);
    near.cost = best.cost = NAN;
    assert_true(rc_place_advised_compare_tied(&near, &best) < 0);
    near.core_hours = best.core_hours;
    assert_true(rc_place_advised_compare_tied(&near, &best) < 0);
    near.candidate.procs = 9;
    assert_true(rc_place_advised_compare_tied(&near, &best) > 0);
    near.core_hours = best.core_hours / 2;
    rc_place_advised_why(&(struct rc_advised_choice){&near, &best, 1, 4, 7}, &by_time, why);
    assert_string_equal(why, "least expected run time, of 7 candidates; tie with 1 other of the "
                             "shortlist, decided by core-hours; runner-up: 0.498 % shorter, "
                             "slower in 0 % of the samples");
    near.core_hours = best.core_hours;
    near.candidate.procs = 4;
    rc_place_advised_why(&(struct rc_advised_choice){&near, &best, 2, 0, 7}, &by_time, why);
    assert_non_null(strstr(why, "; tie with 2 others of the shortlist, decided by the number of "
                                "processes; runner-up: "));
}

/* Rounding does not carry a cost over the budget, nor below it. */
static void costs_show_on_which_side_of_the_budget_they_are(void **state)
{
    const struct {
        double cost, budget;
        const char *text;
    } cases[] = {
        {0.0123456, NAN, "0.0123 EUR"},
        {0.0123456, 1, "0.0123 EUR"},
        {0.0123456, 0.0123, "0.01235 EUR"},
        {0.01230001, 0.0123, "0.01230001 EUR"},
        {0.01226, 0.0122, "0.0123 EUR"},
        {0.01226, 0.01227, "0.01226 EUR"},
        {0.01230001, 0.01230001, "0.01230001 EUR"},
        {NAN, 1, "-"},
    };
    char text[RC_ADVISE_COST];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rc_aim aim = aim_of(RC_OBJECTIVE_TIME, NAN, cases[i].budget);

        rc_place_advised_cost(cases[i].cost, &aim, true, text);
        assert_string_equal(text, cases[i].text);
        rc_place_advised_cost(1.5, &aim, false, text);
        assert_string_equal(text, "1.5");
    }
}

/* ---- the search, with times that follow a law ---- */

/* A program that takes 100 / p + p seconds on hosts of share 1, and goes at the pace of the worst
 * host.  Host 0 has now what it will not have later. */
struct law {
    const double *later;
    size_t drawn;
};

static double guess(void *data, int64_t procs, double share)
{
    (void)data;
    return (100 / (double)procs + (double)procs) / share;
}

static int forecast_shares(void *data, const size_t *hosts, size_t n, double seconds,
                           double *shares, struct rc_error *error)
{
    const struct law *law = data;

    (void)seconds;
    (void)error;
    for (size_t i = 0; i < n; i++)
        shares[i] = law->later[hosts[i]];
    return 0;
}

static int sample(void *data, const struct rc_candidate *const *candidates, size_t n,
                  size_t n_samples, double *samples, struct rc_error *error)
{
    struct law *law = data;

    (void)error;
    for (size_t c = 0; c < n; c++) {
        double worst = INFINITY;

        for (size_t i = 0; i < candidates[c]->n_hosts; i++)
            worst = fmin(worst, law->later[candidates[c]->hosts[i]]);
        for (size_t i = 0; i < n_samples; i++)
            samples[c * n_samples + i] = guess(NULL, candidates[c]->procs, worst) *
                                         (0.9 + 0.2 * (double)i / (double)n_samples);
    }
    law->drawn += n;
    return 0;
}

static void searches(void **state)
{
    enum { HOSTS = 16 };
    struct rc_candidate_host hosts[HOSTS];
    double later[HOSTS], usual[HOSTS];
    struct law law = {later, 0};
    const struct rc_timing timing = {&law, guess, forecast_shares, sample};
    const struct rc_search_cluster cluster = {.cost = 36, .filling = RC_FILL_PACKED};
    struct rc_search_question question = {.hosts = hosts,
                                          .usual = usual,
                                          .n_hosts = HOSTS,
                                          .clusters = &cluster,
                                          .n_clusters = 1,
                                          .aim = {RC_OBJECTIVE_TIME, NAN, 0.95, NAN, NULL},
                                          .shortlist = 4,
                                          .samples = 100};
    struct rc_search search;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < HOSTS; i++) {
        hosts[i] = (struct rc_candidate_host){.place = i, .slots = 1, .cores = 2, .score = 1};
        later[i] = usual[i] = 1;
    }
    later[0] = 0.1;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.n_all, HOSTS);
    assert_int_equal(search.n_list, 4);
    assert_false(search.none);
    /* 100 / p + p is least for p = 10; 9 and 11 take 0.56 and 0.45 % longer */
    assert_int_equal(search.list[0].candidate.procs, 9);
    assert_int_equal(search.list[1].candidate.procs, 10);
    assert_int_equal(search.list[2].candidate.procs, 11);
    assert_non_null(strstr(search.why, "; tie with 2 others of the shortlist, decided by cost; "));
    assert_int_equal(search.list[0].candidate.n_hosts, 9);
    assert_near(search.list[0].mean, 20.11, 0.03);
    for (size_t i = 0; i < 9; i++)
        assert_true(search.list[0].candidate.hosts[i] != 0);
    rc_place_search_free(&search);
    /* the fewest core-hours: one process, at 36 an hour */
    question.aim.objective = RC_OBJECTIVE_COST;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.list[0].candidate.procs, 1);
    assert_near(search.list[0].cost, 1.01, 0.01);
    rc_place_search_free(&search);
    /* ... of those that end within 25 s: (100 / p + p) p is least for the least p */
    question.aim.deadline = 25;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.list[0].candidate.procs, 6); /* up to 24.9 s; p = 5: 25 on average */
    rc_place_search_free(&search);
    /* all cores of a host are paid for */
    question.whole_hosts = true;
    question.aim.deadline = NAN;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_near(search.list[0].cost, 2.02, 0.02);
    rc_place_search_free(&search);
    question.aim.budget = 1;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_true(search.none);
    assert_false(search.list[0].in_budget);
    rc_place_search_free(&search);
}

/* A program whose time hardly depends on the number of processes: on many of two equal clusters. */
static double flat(void *data, int64_t procs, double share)
{
    (void)data;
    return (100 + 10 / (double)procs) / share;
}

static int sample_flat(void *data, const struct rc_candidate *const *candidates, size_t n,
                       size_t n_samples, double *samples, struct rc_error *error)
{
    (void)error;
    (void)data;
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < n_samples; i++)
            samples[c * n_samples + i] = flat(NULL, candidates[c]->procs, 1);
    return 0;
}

static void a_tie_is_decided_by_cost(void **state)
{
    enum { HOSTS = 128 };
    struct rc_candidate_host hosts[HOSTS];
    double later[HOSTS];
    struct law law = {later, 0};
    const struct rc_timing timing = {&law, flat, forecast_shares, sample_flat};
    struct rc_search_cluster clusters[] = {{.cost = 2}, {.cost = 1}};
    struct rc_search_question question = {.hosts = hosts,
                                          .usual = later,
                                          .n_hosts = HOSTS,
                                          .clusters = clusters,
                                          .n_clusters = 2,
                                          .aim = {RC_OBJECTIVE_TIME, NAN, 0.95, NAN, NULL},
                                          .shortlist = 4,
                                          .samples = 100};
    struct rc_search search;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < HOSTS; i++) {
        hosts[i] = (struct rc_candidate_host){
            .cluster = i / 64, .place = i % 64, .slots = 1, .cores = 1, .score = 1};
        later[i] = 1;
    }
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    /* 64 processes take 100.16 s, and 9 take 101.11 s: 1 % more is 101.158 s. */
    assert_int_equal(search.n_list, 4);
    assert_int_equal(search.list[0].candidate.procs, 9);
    assert_int_equal(search.list[0].candidate.cluster, 1);
    assert_non_null(strstr(search.why, "decided by cost; runner-up: "));
    rc_place_search_free(&search);
    /* On the shortlist of a given number, equal hosts are there once for each cluster. */
    question.procs = &(int64_t){9};
    question.n_procs = 1;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.n_list, 2);
    assert_int_equal(search.list[0].candidate.cluster, 1);
    assert_int_equal(search.list[0].candidate.hosts[0], 64);
    rc_place_search_free(&search);
    /* Hosts of other scores are no copies, and neither are those that a caller tries. */
    later[HOSTS - 1] = hosts[HOSTS - 1].score = 0.5;
    question.procs = &(int64_t){64};
    question.further = true;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.n_list, 2);
    rc_place_search_free(&search);
    question.procs = &(int64_t){9};
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    assert_int_equal(search.n_list, 4);
    rc_place_search_free(&search);
}

static void keeps_to_neighbours(void **state)
{
    enum { HOSTS = 8 };
    struct rc_candidate_host hosts[HOSTS];
    const double later[HOSTS] = {1, 0.1, 1, 1, 0.9, 0.1, 1, 1};
    struct law law = {later, 0};
    const struct rc_timing timing = {&law, guess, forecast_shares, sample};
    const struct rc_search_cluster cluster = {.cost = NAN, .contiguous = true};
    const int64_t procs[] = {2, 3, 5};
    struct rc_search_question question = {.hosts = hosts,
                                          .usual = later,
                                          .n_hosts = HOSTS,
                                          .clusters = &cluster,
                                          .n_clusters = 1,
                                          .procs = procs,
                                          .n_procs = 3,
                                          .aim = {RC_OBJECTIVE_TIME, NAN, 0.95, NAN, NULL},
                                          .shortlist = 9,
                                          .samples = 100};
    struct rc_search search;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < HOSTS; i++)
        hosts[i] = (struct rc_candidate_host){.place = i, .slots = 1, .cores = 1, .score = 1};
    hosts[7].out = true; /* nobody may use it */
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), 0);
    /* three neighbours without a bad one: 2 to 4 */
    assert_int_equal(search.list[0].candidate.procs, 3);
    assert_int_equal(search.list[0].candidate.hosts[0], 2);
    assert_int_equal(search.list[0].candidate.n_hosts, 3);
    for (size_t i = 0; i < search.n_list; i++)
        for (size_t k = 0; k < search.list[i].candidate.n_hosts; k++)
            assert_int_equal(search.list[i].candidate.hosts[k],
                             search.list[i].candidate.hosts[0] + k);
    rc_place_search_free(&search);
}

static void needs_room(void **state)
{
    const struct rc_candidate_host host = {.slots = 1, .cores = 1, .score = 1};
    const double later[] = {1};
    struct law law = {later, 0};
    const struct rc_timing timing = {&law, guess, forecast_shares, sample};
    const struct rc_search_cluster cluster = {.cost = NAN};
    const int64_t procs[] = {2};
    struct rc_search_question question = {.hosts = &host,
                                          .usual = later,
                                          .n_hosts = 1,
                                          .clusters = &cluster,
                                          .n_clusters = 1,
                                          .procs = procs,
                                          .n_procs = 1,
                                          .aim = {RC_OBJECTIVE_TIME, NAN, 0.95, NAN, NULL},
                                          .shortlist = 4,
                                          .samples = 100};
    struct rc_search search;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_place_search_make(&question, &timing, &search, &error), -1);
    assert_string_equal(error.text, "too many processes for the hosts; at most 1 fits");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
        cmocka_unit_test(does_not_end),
        cmocka_unit_test(compares),
        cmocka_unit_test(reason_has_limits_and_lead),
        cmocka_unit_test(ties),
        cmocka_unit_test(costs_show_on_which_side_of_the_budget_they_are),
        cmocka_unit_test(searches),
        cmocka_unit_test(a_tie_is_decided_by_cost),
        cmocka_unit_test(keeps_to_neighbours),
        cmocka_unit_test(needs_room),
    };

    return RUN_TESTS(tests);
}
