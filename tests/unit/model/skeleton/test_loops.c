/* Strings of calls as nested loops: the signatures that the paper prints, the fewest symbols, and
 * that nothing is lost. */
#include "unit.h"
#include "loops_text.h"

#include "base/random.h"
#include "model/skeleton/loops/loops.h"
#include "model/skeleton/loops/repeats.h"

enum { SMALL = 160, LARGE = 4096 };

static struct rc_loops find(const uint32_t *string, size_t n)
{
    struct rc_loops loops;
    struct rc_error error;

    if (rc_skeleton_loops_find(string, n, &loops, &error))
        fail_msg("%s", error.text);
    return loops;
}

static const char *letter(uint32_t symbol, const void *context)
{
    static char text[2];

    (void)context;
    text[0] = (char)symbol;
    return text;
}

/* ---- what is found ---- */

static void assert_folds(const char *letters, const char *expected, size_t symbols)
{
    uint32_t string[SMALL];
    struct rc_buffer text = RC_BUFFER_INIT(10000);
    size_t n = strlen(letters);
    struct rc_loops loops;

    assert_true(n <= COUNT(string));
    for (size_t i = 0; i < n; i++)
        string[i] = (unsigned char)letters[i];
    loops = find(string, n);
    assert_int_equal(loops_text(&loops, letter, NULL, &text), 0);
    assert_string_equal(text.data ? text.data : "", expected);
    assert_int_equal(loops.symbols, symbols);
    rc_buffer_free(&text);
    rc_skeleton_loops_free(&loops);
}

static void the_papers_example_folds_as_printed(void **state)
{
    (void)state;
    assert_folds("abbcbbcbbckaa", "a [[b]2 c]3 k [a]2", 5); /* section 4.2 */
}

static void the_smallest_period_wins(void **state)
{
    (void)state;
    assert_folds("aaaa", "[a]4", 1);
    assert_folds("abababab", "[a b]4", 2);
    assert_folds("aabaabaabaab", "[[a]2 b]4", 2);
    assert_folds("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[a]37", 1);
}

static void what_has_no_loop_stays_as_it_is(void **state)
{
    (void)state;
    assert_folds("", "", 0);
    assert_folds("a", "a", 1);
    assert_folds("abc", "a b c", 3);
    assert_folds("abcacb", "a b c a c b", 6);
}

/* Folding what is innermost first would cut these bodies at the wrong places. */
static void bodies_may_end_as_they_begin(void **state)
{
    (void)state;
    assert_folds("abbaabbaabba", "[a [b]2 a]3", 3);
    assert_folds("babxababxababxa", "[b a b x a]3", 5);
    assert_folds("abcababcababcab", "[a b c a b]3", 5);
}

static void incomplete_iterations_stay_outside(void **state)
{
    (void)state;
    assert_folds("abcabcab", "[a b c]2 a b", 5);
    assert_folds("aabaaba", "[[a]2 b]2 a", 3);
    assert_folds("abaabaa", "a [b [a]2]2", 3);
    assert_folds("aaaaabaabaab", "[a]3 [[a]2 b]3", 3);
    assert_folds("xyabcabcabzw", "x y [a b c]2 a b z w", 9);
}

static void loops_nest_deeply(void **state)
{
    uint32_t string[LARGE];
    struct rc_loops loops;
    size_t n = 1;

    (void)state;
    string[0] = 0;
    for (uint32_t level = 1; level <= 10; level++) { /* body, body, mark */
        memcpy(string + n, string, n * sizeof *string);
        n *= 2;
        string[n++] = level;
    }
    loops = find(string, n);
    assert_int_equal(loops.symbols, 11);
    assert_int_equal(loops_depth(&loops), 10);
    assert_near(rc_skeleton_loops_compression(&loops), (double)n / 11, 1e-9);
    rc_skeleton_loops_free(&loops);
}

/* Borders of bodies and of repeats do not match: each word is three of the last and two symbols. */
static void loops_that_overlap_others_are_found(void **state)
{
    uint32_t string[LARGE];
    struct rc_random *random = rc_random_create(11, 0);

    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        size_t n = 1, planted = 1;
        struct rc_loops loops;

        for (string[0] = 0; 3 * n + 2 <= LARGE; planted += 2) {
            for (size_t i = n; i < 3 * n; i++)
                string[i] = string[i - n];
            n *= 3;
            string[n++] = (uint32_t)rc_random_below(random, 2);
            string[n++] = (uint32_t)rc_random_below(random, 2);
        }
        loops = find(string, n);
        assert_true(loops.symbols <= planted);
        rc_skeleton_loops_free(&loops);
    }
    rc_random_destroy(random);
}

/* ---- the example of section 4.4: BT, class S, on node 0 ---- */

enum { P = 0, M = 20, O = 30 }; /* the symbols of Table 4, with their numbers added */

static size_t put(uint32_t *string, const uint32_t *symbols, size_t n)
{
    memcpy(string, symbols, n * sizeof *symbols);
    return n;
}

/* L_0 as printed; 37 calls. */
static size_t put_body(uint32_t *string)
{
    static const uint32_t BODY[] = {P + 1,  P + 1,  P + 7,  P + 7,  P + 4, P + 4,  P + 10, P + 10,
                                    P + 16, P + 16, P + 13, P + 13, O + 2, P + 11, P + 2,  O + 1,
                                    O + 1,  P + 12, P + 3,  O + 1,  O + 1, P + 17, P + 8,  O + 1,
                                    O + 1,  P + 18, P + 9,  O + 1,  O + 1, P + 14, P + 5,  O + 1,
                                    O + 1,  P + 15, P + 6,  O + 1,  O + 1};

    assert_int_equal(COUNT(BODY), 37);
    return put(string, BODY, COUNT(BODY));
}

static size_t put_bt(uint32_t *string)
{
    static const uint32_t HEAD[] = {M + 4, M + 5, M + 6}, BARRIER[] = {M + 2};
    static const uint32_t TAIL[] = {M + 1,  P + 1,  P + 1,  P + 7,  P + 7,  P + 4,
                                    P + 4,  P + 10, P + 10, P + 16, P + 16, P + 13,
                                    P + 13, O + 2,  M + 1,  M + 3,  M + 2};
    size_t n = put(string, HEAD, COUNT(HEAD));

    n += put_body(string + n);
    n += put(string + n, BARRIER, 1);
    for (int step = 0; step < 60; step++)
        n += put_body(string + n);
    return n + put(string + n, TAIL, COUNT(TAIL));
}

static const char *call(uint32_t symbol, const void *context)
{
    static char text[16];

    (void)context;
    snprintf(text, sizeof text, "%c%u",
             symbol < M   ? 'P'
             : symbol < O ? 'M'
                          : 'O',
             symbol - (symbol < M   ? P
                       : symbol < O ? M
                                    : O));
    return text;
}

#define EXCHANGE "[P1]2 [P7]2 [P4]2 [P10]2 [P16]2 [P13]2 O2"
#define BODY_TEXT                                                                                  \
    EXCHANGE " P11 P2 [O1]2 P12 P3 [O1]2 P17 P8 [O1]2 P18 P9 [O1]2 P14 P5 [O1]2 P15 P6 [O1]2"

static void bt_is_one_loop_of_sixty(void **state)
{
    static uint32_t string[LARGE];
    struct rc_buffer text = RC_BUFFER_INIT(10000);
    size_t n = put_bt(string);
    struct rc_loops loops;

    (void)state;
    assert_int_equal(n, 2278); /* as Table 3 says */
    loops = find(string, n);
    assert_int_equal(loops_text(&loops, call, NULL, &text), 0);
    assert_string_equal(text.data,
                        "M4 M5 M6 " BODY_TEXT " M2 [" BODY_TEXT "]60 M1 " EXCHANGE " M1 M3 M2");
    assert_int_equal(loops.symbols, 65);
    rc_buffer_free(&text);
    rc_skeleton_loops_free(&loops);
}

/* ---- nothing is lost ---- */

/* Checks the items one by one, and tells how long the string is that they stand for. */
static size_t checked_length(const struct rc_loops_item *items, size_t n, size_t *symbols)
{
    size_t length = 0;

    for (size_t i = 0; i < n; i++) {
        if (!items[i].times) {
            ++*symbols;
            length++;
            continue;
        }
        assert_true(items[i].times >= 2);
        assert_true(items[i].value >= 1 && items[i].value <= n - i - 1);
        assert_false(items[i + 1].times && items[i].value == items[i + 1].value + 1);
        length += items[i].times * checked_length(items + i + 1, items[i].value, symbols);
        i += items[i].value;
    }
    return length;
}

static void assert_stands_for(const struct rc_loops *loops, const uint32_t *string, size_t n)
{
    uint32_t *places = malloc((n + 1) * sizeof *places);
    size_t symbols = 0;

    assert_non_null(places);
    assert_int_equal(loops->length, n);
    assert_int_equal(checked_length(loops->items, loops->n, &symbols), n);
    assert_int_equal(loops->symbols, symbols);
    rc_skeleton_loops_places(loops, places);
    for (size_t i = 0; i < n; i++) {
        assert_true(places[i] < loops->n);
        assert_int_equal(loops->items[places[i]].times, 0);
        assert_int_equal(loops->items[places[i]].value, string[i]);
    }
    free(places);
}

struct nest {
    uint32_t string[LARGE];
    size_t n;
    size_t symbols; /* with which it was written */
};

/* Appends a random nest; loops that would not fit are left out. */
static void grow(struct nest *nest, struct rc_random *random, size_t room, int depth)
{
    for (uint64_t items = 1 + rc_random_below(random, 4); items > 0; items--) {
        size_t begin = nest->n, times = 2 + rc_random_below(random, 6), body;

        if (depth == 0 || rc_random_below(random, 2)) {
            if (nest->n < room) {
                nest->string[nest->n++] = (uint32_t)rc_random_below(random, 5);
                nest->symbols++;
            }
            continue;
        }
        grow(nest, random, begin + (room - begin) / times, depth - 1);
        body = nest->n - begin;
        for (size_t i = 0; i < body * (times - 1); i++)
            nest->string[nest->n++] = nest->string[begin + i];
    }
}

static void random_nests_come_back(void **state)
{
    static struct nest nest;
    struct rc_random *random = rc_random_create(7, 0);

    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        struct rc_loops loops;
        size_t breaks = trial % 3 == 2 ? 1 + rc_random_below(random, 5) : 0;

        nest.n = nest.symbols = 0;
        grow(&nest, random, trial % 50 ? 300 : LARGE, 4);
        for (size_t i = 0; i < breaks && nest.n; i++)
            nest.string[rc_random_below(random, nest.n)] = (uint32_t)rc_random_below(random, 7);
        loops = find(nest.string, nest.n);
        assert_stands_for(&loops, nest.string, nest.n);
        if (!breaks) /* it may be found shorter than it was written */
            assert_true(loops.symbols <= nest.symbols);
        rc_skeleton_loops_free(&loops);
    }
    rc_random_destroy(random);
}

static void random_strings_come_back(void **state)
{
    static uint32_t string[LARGE];
    struct rc_random *random = rc_random_create(8, 0);

    (void)state;
    for (uint64_t trial = 0; trial < 300; trial++) {
        size_t n = rc_random_below(random, trial % 10 ? 200 : LARGE);
        uint64_t alphabet = 1 + trial % 7;
        struct rc_loops loops;

        for (size_t i = 0; i < n; i++) /* also symbols that use all bits */
            string[i] = UINT32_MAX - (uint32_t)rc_random_below(random, alphabet);
        loops = find(string, n);
        assert_stands_for(&loops, string, n);
        rc_skeleton_loops_free(&loops);
    }
    rc_random_destroy(random);
}

static void fibonacci_words_come_back(void **state)
{
    static uint32_t string[LARGE];
    size_t shorter = 1, longer = 2;

    (void)state;
    string[0] = 0;
    string[1] = 1;
    while (longer + shorter <= LARGE) {
        size_t n = longer + shorter;
        struct rc_loops loops;

        memcpy(string + longer, string, shorter * sizeof *string);
        loops = find(string, n);
        assert_stands_for(&loops, string, n);
        rc_skeleton_loops_free(&loops);
        shorter = longer;
        longer = n;
    }
}

/* ---- compared with trying everything ---- */

static int has_period(const uint32_t *string, size_t n, size_t period)
{
    for (size_t i = 0; i + period < n; i++)
        if (string[i] != string[i + period])
            return 0;
    return 1;
}

/* The fewest symbols that any folding has. */
static size_t fewest(const uint32_t *string, size_t n)
{
    static size_t least[SMALL + 1][SMALL + 1];

    assert_true(n <= SMALL);
    for (size_t length = 1; length <= n; length++)
        for (size_t i = 0; i + length <= n; i++) {
            size_t best = length, end = i + length;

            for (size_t middle = i + 1; middle < end; middle++)
                if (least[i][middle] + least[middle][end] < best)
                    best = least[i][middle] + least[middle][end];
            for (size_t period = 1; period <= length / 2; period++)
                if (length % period == 0 && has_period(string + i, length, period) &&
                    least[i][i + period] < best)
                    best = least[i][i + period];
            least[i][end] = best;
        }
    return n ? least[0][n] : 0;
}

static void short_strings_have_the_fewest_symbols(void **state)
{
    uint32_t string[SMALL];

    (void)state;
    for (size_t n = 1; n <= 11; n++)
        for (uint32_t bits = 0; bits < UINT32_C(1) << n; bits++) {
            struct rc_loops loops;

            for (size_t i = 0; i < n; i++)
                string[i] = bits >> i & 1;
            loops = find(string, n);
            assert_stands_for(&loops, string, n);
            assert_int_equal(loops.symbols, fewest(string, n));
            rc_skeleton_loops_free(&loops);
        }
}

static void nests_have_the_fewest_symbols(void **state)
{
    static struct nest nest;
    struct rc_random *random = rc_random_create(9, 0);

    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        struct rc_loops loops;

        nest.n = nest.symbols = 0;
        grow(&nest, random, trial % 20 ? 64 : SMALL, 3);
        loops = find(nest.string, nest.n);
        assert_int_equal(loops.symbols, fewest(nest.string, nest.n));
        rc_skeleton_loops_free(&loops);
    }
    rc_random_destroy(random);
}

/* Looks for a repeat among those found, and whether it is there once. */
static int times_found(const struct rc_repeats *repeats, struct rc_repeat wanted)
{
    int times = 0;

    for (uint32_t i = 0; i < repeats->n; i++)
        times += repeats->at[i].begin == wanted.begin && repeats->at[i].end == wanted.end &&
                 repeats->at[i].period == wanted.period;
    return times;
}

static uint32_t check_repeats(const uint32_t *string, uint32_t n, const struct rc_repeats *repeats)
{
    uint32_t found = 0;

    for (uint32_t period = 1; period <= n / 2; period++)
        for (uint32_t i = 0, end; i + period < n; i = end - period + 1) {
            uint32_t smaller = 1;

            for (end = i + period; end < n && string[end] == string[end - period];)
                end++;
            if (end - i < 2 * period)
                continue;
            while (smaller < period && !has_period(string + i, end - i, smaller))
                smaller++;
            if (smaller < period)
                continue;
            assert_int_equal(times_found(repeats, (struct rc_repeat){i, end, period}), 1);
            found++;
        }
    return found;
}

static void every_repeat_is_found_once(void **state)
{
    struct rc_random *random = rc_random_create(10, 0);
    uint32_t string[64];

    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        uint32_t n = (uint32_t)rc_random_below(random, COUNT(string));
        uint64_t alphabet = 1 + rc_random_below(random, 3);
        struct rc_repeats repeats;
        struct rc_string_hash *lce;

        for (uint32_t i = 0; i < n; i++)
            string[i] = (uint32_t)rc_random_below(random, alphabet);
        lce = rc_skeleton_string_hash_create(string, n, 3, NULL);
        assert_non_null(lce);
        assert_int_equal(rc_skeleton_repeats_find(string, n, lce, &repeats, NULL), 0);
        assert_int_equal(check_repeats(string, n, &repeats), repeats.n);
        free(repeats.at);
        rc_skeleton_string_hash_destroy(lce);
    }
    rc_random_destroy(random);
}

static void too_long_a_string_is_refused(void **state)
{
    struct rc_loops loops;
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_skeleton_loops_find(NULL, RC_LOOPS_LONGEST + 1, &loops, &error), -1);
    assert_non_null(strstr(error.text, "are too many"));
    rc_skeleton_loops_free(&loops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_example_folds_as_printed),
        cmocka_unit_test(the_smallest_period_wins),
        cmocka_unit_test(what_has_no_loop_stays_as_it_is),
        cmocka_unit_test(bodies_may_end_as_they_begin),
        cmocka_unit_test(incomplete_iterations_stay_outside),
        cmocka_unit_test(loops_nest_deeply),
        cmocka_unit_test(loops_that_overlap_others_are_found),
        cmocka_unit_test(bt_is_one_loop_of_sixty),
        cmocka_unit_test(random_nests_come_back),
        cmocka_unit_test(random_strings_come_back),
        cmocka_unit_test(fibonacci_words_come_back),
        cmocka_unit_test(short_strings_have_the_fewest_symbols),
        cmocka_unit_test(nests_have_the_fewest_symbols),
        cmocka_unit_test(every_repeat_is_found_once),
        cmocka_unit_test(too_long_a_string_is_refused),
    };

    return RUN_TESTS(tests);
}
