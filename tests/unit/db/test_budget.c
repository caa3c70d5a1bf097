/* test_budget.c - what several processes spend together, by their store. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/probe_budget.h"
#include "db/internal.h"
#include "db/series.h"

static const struct rc_budget_request request = {
    .key = {"a", "b", "probe_bytes"}, .t = 1000, .amount = 40, .bound = 100, .window = 60};

/* Two that share a store. */
struct pair {
    char path[64];
    struct rc_db *stores[2];
    struct rc_budget *both[2];
};

static void make_pair(struct pair *pair)
{
    int fd;

    strcpy(pair->path, "/tmp/runcast-allowance-XXXXXX");
    fd = mkstemp(pair->path);
    assert_true(fd >= 0);
    close(fd);
    for (int i = 0; i < 2; i++) {
        pair->stores[i] = rc_db_open(pair->path, RC_DB_CREATE, NULL, NULL);
        assert_non_null(pair->stores[i]);
        pair->both[i] = rc_db_budget_create(pair->stores[i], NULL);
        assert_non_null(pair->both[i]);
    }
}

static void drop_pair(struct pair *pair)
{
    uint64_t faults = 1;

    assert_int_equal(rc_db_check(pair->stores[0], NULL, NULL, NULL, &faults, NULL), 0);
    assert_int_equal(faults, 0);
    for (int i = 0; i < 2; i++) {
        rc_db_budget_destroy(pair->both[i]);
        rc_db_close(pair->stores[i]);
    }
    unlink(pair->path);
}

static int take(struct pair *pair, int who, double t, double amount, double *at)
{
    struct rc_budget_request mine = request;

    mine.t = t;
    mine.amount = amount;
    return rc_db_budget_take(pair->both[who], &mine, 0.05, at, NULL);
}

static void two_do_not_take_more_than_there_is(void **state)
{
    struct pair pair;
    double at;

    (void)state;
    make_pair(&pair);
    assert_int_equal(take(&pair, 0, 1000, 40, &at), 1);
    assert_int_equal(take(&pair, 1, 1000, 40, &at), 1); /* at the same time */
    assert_true(at > 1000 && at < 1000.001);
    assert_int_equal(take(&pair, 0, 1010, 40, &at), 0);
    assert_same(at, 1060);                              /* the first leaves the window */
    assert_int_equal(take(&pair, 1, 1010, 20, &at), 1); /* what is left */
    assert_int_equal(take(&pair, 1, 1011, 1, &at), 0);
    assert_int_equal(take(&pair, 0, 1059.5, 40, &at), 0);
    assert_int_equal(take(&pair, 0, 1060.5, 40, &at), 1);
    /* Another link has its own. */
    assert_int_equal(rc_db_budget_take(
                         pair.both[1],
                         &(struct rc_budget_request){{"b", "a", "probe_bytes"}, 1011, 100, 100, 60},
                         1, &at, NULL),
                     1);
    drop_pair(&pair);
}

static void what_was_not_needed_is_given_back(void **state)
{
    struct pair pair;
    struct rc_sample *samples;
    double first, second, at;
    size_t n;

    (void)state;
    make_pair(&pair);
    assert_int_equal(take(&pair, 0, 1000, 50, &first), 1);
    assert_int_equal(take(&pair, 0, 1001, 50, &second), 1);
    assert_int_equal(rc_db_budget_settle(pair.both[0], &request.key, first, 10, NULL), 0);
    assert_int_equal(take(&pair, 1, 1002, 30, &at), 0); /* not written yet */
    assert_int_equal(rc_db_budget_flush(pair.both[0], 1, NULL), 0);
    assert_int_equal(take(&pair, 1, 1002, 30, &at), 1);
    assert_int_equal(rc_db_budget_settle(pair.both[0], &request.key, second, 0, NULL), 0);
    assert_int_equal(take(&pair, 0, 1003, 60, &at), 1); /* written with this */
    assert_int_equal(rc_db_series_load(pair.stores[1], &request.key, 0, 2000, &samples, &n, NULL),
                     0);
    assert_int_equal(n, 3); /* the one that was not needed at all is gone */
    assert_same(samples[0].value, 10);
    assert_same(samples[1].value, 30);
    assert_same(samples[2].value, 60);
    free(samples);
    drop_pair(&pair);
}

static void a_store_that_is_locked_gives_nothing(void **state)
{
    struct rc_error error = {0};
    struct pair pair;
    double at;

    (void)state;
    make_pair(&pair);
    assert_int_equal(rc_db_begin(pair.stores[1], NULL), 0);
    assert_int_equal(rc_db_budget_take(pair.both[0], &request, 0.05, &at, &error), -1);
    assert_string_equal(error.text, "another process has locked the database");
    assert_int_equal(rc_db_end(pair.stores[1], 0, NULL), 0);
    assert_int_equal(rc_db_budget_take(pair.both[0], &request, 0.05, &at, &error), 1);
    assert_same(at, request.t);
    drop_pair(&pair);
}

/* A clock that was set back leaves samples in the future: they count, and do not block for ever. */
static void the_future_counts_for_a_while(void **state)
{
    struct pair pair;
    double at;

    (void)state;
    make_pair(&pair);
    assert_int_equal(take(&pair, 0, 1050, 80, &at), 1);
    assert_int_equal(take(&pair, 0, 1000, 40, &at), 0);
    assert_int_equal(take(&pair, 0, 900, 40, &at), 1);
    drop_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_do_not_take_more_than_there_is),
        cmocka_unit_test(what_was_not_needed_is_given_back),
        cmocka_unit_test(a_store_that_is_locked_gives_nothing),
        cmocka_unit_test(the_future_counts_for_a_while),
    };

    return RUN_TESTS(tests);
}
