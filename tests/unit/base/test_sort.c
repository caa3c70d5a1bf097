/* Sorting of numbers: few and many, of all signs and sizes, against qsort(). */
#include "unit.h"

#include <float.h>

#include "base/random.h"
#include "base/sort.h"

enum { MANY = 20000 };

static int rising(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* Those of any exponent and sign, but for what is not finite. */
static double any_number(struct rc_random *random)
{
    uint64_t bits;
    double value;

    do {
        bits = rc_random_below(random, UINT64_MAX);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void assert_sorted_as_qsort(double *values, size_t n)
{
    double *expected = malloc((n + 1) * sizeof *expected);

    assert_non_null(expected);
    memcpy(expected, values, n * sizeof *values);
    qsort(expected, n, sizeof *expected, rising);
    rc_sort_doubles(values, n);
    for (size_t i = 0; i < n; i++)
        assert_true(values[i] == expected[i]);
    free(expected);
}

static void any_number_of_any_numbers(void **state)
{
    const size_t sizes[] = {0, 1, 2, 3, 17, 998, 999, 1000, 1001, 4099, MANY};
    struct rc_random *random = rc_random_create(11, 0);
    static double values[MANY];

    (void)state;
    assert_non_null(random);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t i = 0; i < sizes[s]; i++)
            values[i] = any_number(random);
        assert_sorted_as_qsort(values, sizes[s]);
        assert_sorted_as_qsort(values, sizes[s]); /* sorted already */
        for (size_t i = 0; i < sizes[s]; i++)
            values[i] = (double)rc_random_below(random, 5); /* most are equal */
        assert_sorted_as_qsort(values, sizes[s]);
    }
    rc_random_destroy(random);
}

static void ends_of_the_range(void **state)
{
    const double found[] = {0.0,    INFINITY, -DBL_MIN, DBL_MAX, -0.0, -INFINITY,
                            5e-324, -5e-324,  -DBL_MAX, 1,       -1};
    const double expected[] = {-INFINITY, -DBL_MAX, -1, -DBL_MIN, -5e-324, -0.0,
                               0.0,       5e-324,   1,  DBL_MAX,  INFINITY};
    enum { N = sizeof found / sizeof *found, COPIES = 200 };
    static double values[N * COPIES];

    (void)state;
    for (size_t copies = 1; copies <= COPIES; copies += COPIES - 1) { /* few, and many */
        for (size_t i = 0; i < N * copies; i++)
            values[i] = found[i % N];
        rc_sort_doubles(values, N * copies);
        for (size_t i = 0; i < N * copies; i++) {
            assert_true(values[i] == expected[i / copies]);
            assert_int_equal(signbit(values[i]) != 0, signbit(expected[i / copies]) != 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_any_numbers),
        cmocka_unit_test(ends_of_the_range),
    };

    return RUN_TESTS(tests);
}
