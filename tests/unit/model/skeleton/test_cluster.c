/* Calls as symbols: what may be taken for the same. */
#include "unit.h"

#include "base/random.h"
#include "model/skeleton/shrink/call_symbols.h"

enum { SEND = 1, ISEND = 2, RECV = 3, REDUCE = 4, SENDRECV = 5 };

static struct rc_cluster_call call(uint32_t kind, int32_t peer, uint64_t bytes)
{
    return (struct rc_cluster_call){.kind = kind, .peers = {peer, -1}, .bytes = {bytes, 0}};
}

static struct rc_clusters find(const struct rc_cluster_call *calls, size_t n, double threshold)
{
    struct rc_clusters clusters;
    struct rc_error error;

    if (rc_skeleton_clusters_find(calls, n, threshold, &clusters, &error))
        fail_msg("%s", error.text);
    return clusters;
}

static void assert_symbols(const struct rc_cluster_call *calls, size_t n, double threshold,
                           const uint32_t *expected)
{
    struct rc_clusters clusters = find(calls, n, threshold);

    assert_int_equal(clusters.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(clusters.symbols[i], expected[i]);
    rc_skeleton_clusters_free(&clusters);
}

/* ---- clusters ---- */

static void the_papers_example_is_averaged(void **state)
{
    const struct rc_cluster_call calls[] = {call(SEND, 3, 2000), call(SEND, 3, 1800)};
    struct rc_clusters clusters;

    (void)state;
    assert_near(rc_skeleton_cluster_dissimilarity(calls, calls + 1), 0.1, 1e-12);
    clusters = find(calls, 2, 0.1);
    assert_int_equal(clusters.n_symbols, 1);
    assert_int_equal(clusters.means[0].bytes[0], 1900); /* section 4.2 */
    assert_int_equal(clusters.means[0].kind, SEND);
    assert_int_equal(clusters.means[0].peers[0], 3);
    rc_skeleton_clusters_free(&clusters);
    assert_symbols(calls, 2, 0.09, (const uint32_t[]){0, 1});
}

static void equal_calls_are_one_symbol_at_zero(void **state)
{
    const struct rc_cluster_call calls[] = {call(SEND, 1, 8), call(RECV, 1, 8), call(SEND, 1, 8),
                                            call(SEND, 1, 9), call(RECV, 1, 8), call(SEND, 1, 0)};

    (void)state;
    assert_symbols(calls, COUNT(calls), 0, (const uint32_t[]){0, 1, 0, 2, 1, 3});
}

static void some_calls_are_never_alike(void **state)
{
    struct rc_cluster_call calls[] = {
        call(SEND, 1, 100),    call(SEND, 2, 100), /* other pairs */
        call(ISEND, 1, 100),                       /* does not block */
        call(REDUCE, 0, 100),  call(REDUCE, 1, 100) /* other roots */,
        call(SENDRECV, 1, 10), call(SENDRECV, 1, 10),
        call(SEND, 1, 100),
    };

    (void)state;
    calls[5].peers[1] = 2;
    calls[6].peers[1] = 3;
    calls[7].group = 1; /* another communicator */
    assert_symbols(calls, COUNT(calls), 0.99, (const uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
    assert_true(isinf(rc_skeleton_cluster_dissimilarity(calls, calls + 1)));
}

static void the_most_similar_is_taken(void **state)
{
    const struct rc_cluster_call calls[] = {call(SEND, 1, 1000), call(SEND, 1, 1300),
                                            call(SEND, 1, 1130), call(SEND, 1, 1180),
                                            call(SEND, 1, 700),  call(SEND, 1, 810)};

    (void)state;
    assert_symbols(calls, COUNT(calls), 0.2, (const uint32_t[]){0, 1, 0, 1, 2, 2});
}

static void both_sizes_count(void **state)
{
    struct rc_cluster_call calls[] = {call(SENDRECV, 1, 100), call(SENDRECV, 1, 100),
                                      call(SENDRECV, 1, 95)};

    (void)state;
    calls[0].bytes[1] = 100;
    calls[1].bytes[1] = 50;
    calls[2].bytes[1] = 52;
    assert_near(rc_skeleton_cluster_dissimilarity(calls, calls + 1), 0.5, 1e-12);
    assert_symbols(calls, 3, 0.2, (const uint32_t[]){0, 1, 1});
}

/* In a loop, B is like A at first and more like C once C has come: it stays with A all the same. */
static void equal_calls_stay_together(void **state)
{
    const struct rc_cluster_call calls[] = {call(SEND, 1, 1000), call(SEND, 1, 1150),
                                            call(SEND, 1, 1260), call(SEND, 1, 1000),
                                            call(SEND, 1, 1150), call(SEND, 1, 1260)};

    (void)state;
    assert_symbols(calls, COUNT(calls), 0.2, (const uint32_t[]){0, 0, 1, 0, 0, 1});
}

static uint32_t first_equal(const struct rc_cluster_call *calls, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (rc_skeleton_cluster_dissimilarity(calls + k, calls + i) == 0)
            return k;
    return i;
}

/* As Table 2 says it: each call that was not there before compared with all leaders before. */
static void assert_as_by_hand(const struct rc_cluster_call *calls, uint32_t n, double threshold)
{
    struct rc_clusters clusters = find(calls, n, threshold);
    uint32_t leaders[200], n_leaders = 0;

    for (uint32_t i = 0; i < n; i++) {
        double least = INFINITY;
        uint32_t best = 0;

        if (first_equal(calls, i) < i) {
            assert_int_equal(clusters.symbols[i], clusters.symbols[first_equal(calls, i)]);
            continue;
        }
        for (uint32_t k = 0; k < n_leaders; k++)
            if (rc_skeleton_cluster_dissimilarity(calls + leaders[k], calls + i) < least) {
                least = rc_skeleton_cluster_dissimilarity(calls + leaders[k], calls + i);
                best = k;
            }
        if (least > threshold) {
            best = n_leaders;
            leaders[n_leaders++] = i;
        }
        assert_int_equal(clusters.symbols[i], best);
    }
    assert_int_equal(clusters.n_symbols, n_leaders);
    rc_skeleton_clusters_free(&clusters);
}

static void random_calls_are_clustered_as_by_hand(void **state)
{
    struct rc_random *random = rc_random_create(3, 0);
    struct rc_cluster_call calls[200];

    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        uint32_t n = 1 + (uint32_t)rc_random_below(random, COUNT(calls));
        unsigned octaves = 6 + (unsigned)trial % 58;

        for (uint32_t i = 0; i < n; i++) {
            calls[i] =
                call((uint32_t)rc_random_below(random, 2), (int32_t)rc_random_below(random, 2),
                     rc_random_below(random, UINT64_C(1) << rc_random_below(random, octaves)));
            calls[i].bytes[1] = trial % 2 ? rc_random_below(random, 20) : 0;
        }
        assert_as_by_hand(calls, n, (trial % 7) * 0.05);
        assert_as_by_hand(calls, n, trial % 11 ? pow(10, -(trial % 11)) : 0.9);
    }
    rc_random_destroy(random);
}

static void odd_input_is_refused_or_empty(void **state)
{
    struct rc_clusters clusters = find(NULL, 0, 0.1);
    struct rc_error error;

    (void)state;
    assert_int_equal(clusters.n_symbols, 0);
    rc_skeleton_clusters_free(&clusters);
    assert_int_equal(rc_skeleton_clusters_find(NULL, 0, -0.1, &clusters, &error), -1);
    assert_int_equal(rc_skeleton_clusters_find(NULL, 0, 1, &clusters, &error), -1);
    assert_int_equal(rc_skeleton_clusters_find(NULL, 0, NAN, &clusters, &error), -1);
    assert_non_null(strstr(error.text, "threshold"));
    assert_int_equal(rc_skeleton_clusters_find(NULL, RC_LOOPS_LONGEST + 1, 0, &clusters, &error),
                     -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_example_is_averaged),
        cmocka_unit_test(equal_calls_are_one_symbol_at_zero),
        cmocka_unit_test(some_calls_are_never_alike),
        cmocka_unit_test(the_most_similar_is_taken),
        cmocka_unit_test(both_sizes_count),
        cmocka_unit_test(equal_calls_stay_together),
        cmocka_unit_test(random_calls_are_clustered_as_by_hand),
        cmocka_unit_test(odd_input_is_refused_or_empty),
    };

    return RUN_TESTS(tests);
}
