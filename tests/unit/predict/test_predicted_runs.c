/* Past predictions and their runs: where in the predicted distribution the run times were. */
#include "own_store.h"

#include "db/prediction.h"
#include "predict/predicted_runs.h"

static const double now = 1.8e9;

static void predict_at(double start, size_t n_quantiles)
{
    static const double quantiles[] = {8, 9, 10, 12, 20};
    const struct rc_prediction prediction = {.app = "md",
                                             .platform = "",
                                             .method = "regress",
                                             .n = 1000,
                                             .p = 4,
                                             .hosts = "",
                                             .params = "",
                                             .start = start,
                                             .predicted = 10,
                                             .mean = 11,
                                             .lo90 = 8.5,
                                             .hi90 = 15,
                                             .quantiles = quantiles,
                                             .n_quantiles = n_quantiles};
    struct rc_error error;
    int64_t id;

    if (rc_db_prediction_add_all(store, &prediction, 1, &id, &error))
        fail_msg("%s", error.text);
}

static void run_at(double start, double seconds, enum rc_run_status status)
{
    struct rc_run run;
    struct rc_error error;
    int64_t id;

    rc_db_run_init(&run);
    run.app = "md";
    run.n = 1000;
    run.p = 4;
    run.seconds = seconds;
    run.start = start;
    run.status = status;
    if (rc_db_run_add(store, &run, &id, &error))
        fail_msg("%s", error.text);
}

static void quantiles_of_run_times(void **state)
{
    static const struct {
        double seconds;
        enum rc_run_status status;
        size_t n_quantiles;
        double quantile; /* by hand, from 8, 9, 10, 12, 20 at 0, 1/4, 1/2, 3/4, 1 */
    } cases[] = {
        {7, RC_RUN_OK, 5, 0},       {8, RC_RUN_OK, 5, 0},
        {9.5, RC_RUN_OK, 5, 0.375}, {10, RC_RUN_OK, 5, 0.5},
        {18, RC_RUN_OK, 5, 0.9375}, {30, RC_RUN_OK, 5, 1},
        {10, RC_RUN_OK, 0, NAN},    {9, RC_RUN_INTERRUPTED, 5, NAN},
    };
    const size_t n = sizeof cases / sizeof *cases;
    struct rc_history history;
    struct rc_error error;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        predict_at(now + 1000.0 * (double)i, cases[i].n_quantiles);
        run_at(now + 1000.0 * (double)i, cases[i].seconds, cases[i].status);
    }
    predict_at(now + 1e5, 5);
    assert_int_equal(rc_predict_history_load(&history, store, "md", NULL, "regress", &error), 0);
    assert_int_equal(history.n, n);
    assert_int_equal(history.waiting, 1);
    for (size_t i = 0; i < n; i++)
        if (isnan(cases[i].quantile) ? !isnan(history.entries[i].quantile)
                                     : fabs(history.entries[i].quantile - cases[i].quantile) > 1e-9)
            fail_msg("case %zu: %g", i, history.entries[i].quantile);
    rc_predict_history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(quantiles_of_run_times, open_own_store, remove_own_store),
    };

    return RUN_TESTS(tests);
}
