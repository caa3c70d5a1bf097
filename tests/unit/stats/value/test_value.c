/* Stochastic values: the dissertation's worked examples, and the arithmetic against Monte Carlo. */
#include "unit.h"

#include "base/random.h"
#include "stats/value/job_farm.h"
#include "stats/value/internal.h"

static struct rc_value_rules rules;

/* A million draws show distances down to 0.001; under sanitizers fewer must do. */
static size_t n_draws(void)
{
    const char *sanitized = getenv("RUNCAST_SANITIZED");

    return sanitized && *sanitized == '1' ? 100000 : 1000000;
}

static const struct rc_value *kept[400];
static size_t n_kept;

/* Values made in a test are dropped at its end. */
static struct rc_value *keep(struct rc_value *value)
{
    assert_non_null(value);
    assert_true(n_kept < sizeof kept / sizeof *kept);
    kept[n_kept++] = value;
    return value;
}

static int set_up(void **state)
{
    (void)state;
    rc_value_rules_init(&rules);
    rules.random = rc_random_create(7, 0);
    n_kept = 0;
    return rules.random ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    while (n_kept > 0)
        rc_value_drop(kept[--n_kept]);
    rc_random_destroy(rules.random);
    return 0;
}

static struct rc_value *point(double x)
{
    return keep(rc_value_point(x, NULL));
}

static struct rc_value *normal(double mean, double sd)
{
    return keep(rc_value_normal(mean, sd, 0, NULL));
}

static struct rc_value *variable(double mean, double sd, uint64_t id)
{
    return keep(rc_value_normal(mean, sd, id, NULL));
}

static struct rc_value *interval(double low, double high)
{
    return keep(rc_value_interval(low, high, NULL));
}

static struct rc_value *binary(enum rc_binary operation, const struct rc_value *a,
                               const struct rc_value *b)
{
    struct rc_error error = {.text = ""};
    struct rc_value *result = rc_value_binary(operation, a, b, &rules, &error);

    if (!result)
        fail_msg("%s", error.text);
    return keep(result);
}

#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                       \
            fail_msg("%s is %.10g, not %.10g", #a, a_, b_);                                        \
    } while (0)

static void assert_moments(const struct rc_value *value, double mean, double sd)
{
    assert_close(rc_value_mean(value), mean, 1e-12 * (1 + fabs(mean)));
    assert_close(rc_value_sd(value), sd, 1e-12 * (1 + fabs(sd)));
}

static void assert_ends(const struct rc_value *value, double low, double high)
{
    assert_close(rc_value_low(value), low, 1e-12 * (1 + fabs(low)));
    assert_close(rc_value_high(value), high, 1e-12 * (1 + fabs(high)));
}

/* ---- normals ---- */

/* Table 4.1 on numbers: (8, 0.6) and (5, 0.8). */
static void table_4_1_is_followed_to_the_letter(void **state)
{
    struct rc_value *a = normal(8, 0.6), *b = normal(5, 0.8), *p = point(3);

    (void)state;
    rules.dissertation = true;
    assert_moments(binary(RC_ADD, a, p), 11, 0.6);
    assert_moments(binary(RC_MULTIPLY, p, a), 24, 1.8);
    assert_moments(binary(RC_ADD, a, b), 13, 1.0); /* sqrt(0.36 + 0.64) */
    assert_moments(binary(RC_SUBTRACT, a, b), 3, 1.0);
    assert_moments(binary(RC_MULTIPLY, a, b), 40,
                   40 * sqrt(0.075 * 0.075 + 0.16 * 0.16)); /* 7.0683... */
    assert_moments(binary(RC_DIVIDE, a, b), 1.6, 1.6 * sqrt(0.075 * 0.075 + 0.16 * 0.16));
    assert_moments(binary(RC_MULTIPLY, normal(0, 1), b), 0, 0); /* "defined to be zero" */
    rules.correlated = true;
    assert_moments(binary(RC_ADD, a, b), 13, 1.4);
    assert_moments(binary(RC_MULTIPLY, a, b), 40, 0.6 * 5 + 0.8 * 8 + 0.6 * 0.8); /* 9.88 */
}

static void products_keep_their_exact_moments(void **state)
{
    struct rc_value *a = normal(8, 0.6), *b = normal(5, 0.8);

    (void)state;
    /* Var = 64·0.64 + 25·0.36 + 0.36·0.64: with the term that Table 4.1 leaves out */
    assert_moments(binary(RC_MULTIPLY, a, b), 40, sqrt(40.96 + 9 + 0.2304));
    /* A product with a zero mean is not zero: Var = 0·… + 25·1 + 1·0.64 */
    assert_moments(binary(RC_MULTIPLY, normal(0, 1), b), 0, sqrt(25 + 0.64));
    /* X²: E = 64.36, Var = 4·64·0.36 + 2·0.1296 */
    assert_moments(binary(RC_POWER, a, point(2)), 64.36, sqrt(92.16 + 0.2592));
    a = variable(8, 0.6, 1);
    assert_moments(binary(RC_MULTIPLY, a, a), 64.36, sqrt(92.16 + 0.2592));
}

static void normals_remember_their_variables(void **state)
{
    struct rc_value *x = variable(8, 0.6, 1), *y = variable(5, 0.8, 2), *sum, *difference;

    (void)state;
    assert_moments(binary(RC_SUBTRACT, x, x), 0, 0);
    sum = binary(RC_ADD, x, y);
    assert_moments(binary(RC_SUBTRACT, sum, y), 8, 0.6);
    assert_moments(binary(RC_ADD, x, x), 16, 1.2);
    difference = binary(RC_SUBTRACT, sum, x);
    assert_moments(binary(RC_SUBTRACT, difference, y), 0, 0);
    assert_moments(binary(RC_SUBTRACT, normal(8, 0.6), normal(8, 0.6)), 0, 0.6 * sqrt(2));
    assert_close(rc_value_mean(binary(RC_DIVIDE, x, x)), 1, 1e-9);
    assert_close(rc_value_sd(binary(RC_DIVIDE, x, x)), 0, 0.02);
}

static void normals_near_zero_are_no_divisors(void **state)
{
    struct rc_error error;

    (void)state;
    assert_null(rc_value_binary(RC_DIVIDE, point(1), normal(1, 0.5), &rules, &error));
    assert_non_null(strstr(error.text, "division by a normal value that may be 0"));
    assert_null(rc_value_unary(RC_LOG, normal(1, 0.5), &rules, &error));
    assert_close(rc_value_mean(binary(RC_DIVIDE, point(10), normal(5, 0.1))), 2.0008, 1e-6);
}

/* Section 4.B.2: Max of A = (4, 0.5), B = (3, 2), C = (3, 1). */
static void max_by_mean_and_by_end_of_section_4_b_2(void **state)
{
    const struct rc_value *values[] = {normal(4, 0.5), normal(3, 2), normal(3, 1)};

    (void)state;
    rules.extreme = RC_EXTREME_MEAN;
    assert_ptr_equal(keep(rc_value_max(values, 3, &rules, NULL)), values[0]);
    rules.extreme = RC_EXTREME_END; /* upper ends 5, 7, 5 */
    assert_ptr_equal(keep(rc_value_max(values, 3, &rules, NULL)), values[1]);
    assert_ptr_equal(keep(rc_value_min(values, 3, &rules, NULL)), values[1]);
}

static void the_true_max_of_normals_agrees_with_monte_carlo(void **state)
{
    const struct rc_value *values[] = {variable(4, 0.5, 1), variable(3, 2, 2), variable(3, 1, 3)};
    struct rc_value *max = keep(rc_value_max(values, 3, &rules, NULL));
    struct rc_value *min = keep(rc_value_min(values, 3, &rules, NULL));
    double sum[2] = {0, 0}, square[2] = {0, 0};
    const int n = 1000000;

    (void)state;
    for (int i = 0; i < n; i++) {
        double a = rc_random_normal(rules.random, 4, 0.5), b = rc_random_normal(rules.random, 3, 2);
        double c = rc_random_normal(rules.random, 3, 1);
        double m = fmax(a, fmax(b, c)), l = fmin(a, fmin(b, c));

        sum[0] += m, square[0] += m * m;
        sum[1] += l, square[1] += l * l;
    }
    /* Clark's way is an approximation: it takes the larger of two for normal before the third. */
    assert_close(rc_value_mean(max), sum[0] / n, 0.01 * sum[0] / n);
    assert_close(rc_value_sd(max), sqrt(square[0] / n - sum[0] / n * (sum[0] / n)), 0.07);
    assert_close(rc_value_mean(min), sum[1] / n, 0.02);
    assert_close(rc_value_sd(min), sqrt(square[1] / n - sum[1] / n * (sum[1] / n)), 0.06);
    /* Of one and the same variable the larger is itself. */
    values[1] = values[0];
    assert_moments(keep(rc_value_max(values, 2, &rules, NULL)), 4, 0.5);
}

/* ---- intervals ---- */

/* Of sums, differences, products and quotients (unless y may be 0) of all pairs of x and twice y on
 * a grid. */
static void ends_on_grid(const double x[2], const double y[2], double least[4], double most[4])
{
    bool divides = y[0] * y[1] > 0;

    for (int k = 0; k <= 100; k++)
        for (int l = 0; l <= 100; l++) {
            double a = x[0] + k * (x[1] - x[0]) / 100, b = 2 * (y[0] + l * (y[1] - y[0]) / 100);
            double results[4] = {a + b, a - b, a * b, divides ? a / b : 0};

            /* Not fmin() and fmax(): gcc 12 for 64-bit ARM stops with an error of its own. */
            for (int m = 0; m < 4; m++) {
                if (results[m] < least[m])
                    least[m] = results[m];
                if (results[m] > most[m])
                    most[m] = results[m];
            }
        }
}

static void tables_4_2_to_4_4_hold(void **state)
{
    static const double signs[3][2] = {{2, 3}, {-2, 3}, {-3, -2}};

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct rc_value *x = interval(signs[i][0], signs[i][1]);
            struct rc_value *y = interval(2 * signs[j][0], 2 * signs[j][1]);
            struct rc_value *sum = binary(RC_ADD, x, y), *product = binary(RC_MULTIPLY, x, y);
            struct rc_value *difference = binary(RC_SUBTRACT, x, y);
            struct rc_value *quotient = j == 1 ? NULL : binary(RC_DIVIDE, x, y);
            double least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
            double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

            ends_on_grid(signs[i], signs[j], least, most);
            assert_ends(sum, least[0], most[0]);
            assert_ends(difference, least[1], most[1]);
            assert_ends(product, least[2], most[2]);
            if (quotient)
                assert_ends(quotient, least[3], most[3]);
        }
}

/* Section 4.C.2: (X - Y)/(X + Y) and 1 - 2/(1 + X/Y) with X = [4, 5], Y = [1, 2]. */
static void both_forms_of_section_4_c_2(void **state)
{
    struct rc_value *x = interval(4, 5), *y = interval(1, 2);
    struct rc_value *first = binary(RC_DIVIDE, binary(RC_SUBTRACT, x, y), binary(RC_ADD, x, y));
    struct rc_value *ratio = binary(RC_DIVIDE, x, y);
    struct rc_value *second =
        binary(RC_SUBTRACT, point(1), binary(RC_DIVIDE, point(2), binary(RC_ADD, point(1), ratio)));

    (void)state;
    assert_ends(first, 2.0 / 7, 4.0 / 5);
    assert_ends(second, 1.0 / 3, 2.0 / 3);
}

static void dividing_by_an_interval_that_holds_0_is_an_error(void **state)
{
    struct rc_error error;

    (void)state;
    assert_null(rc_value_binary(RC_DIVIDE, point(1), interval(-1, 2), &rules, &error));
    assert_string_equal(error.text, "division by a value that may be 0 (from -1 to 2)");
    assert_null(rc_value_binary(RC_DIVIDE, point(1), interval(0, 2), &rules, &error));
    assert_null(rc_value_binary(RC_DIVIDE, point(1), point(0), &rules, &error));
    assert_null(rc_value_unary(RC_LOG, interval(0, 2), &rules, &error));
    assert_null(rc_value_unary(RC_SQRT, interval(-1, 2), &rules, &error));
}

static void powers_of_intervals_know_their_turning_point(void **state)
{
    (void)state;
    assert_ends(binary(RC_POWER, interval(-2, 3), point(2)), 0, 9);
    assert_ends(binary(RC_POWER, interval(-2, 3), point(3)), -8, 27);
    assert_ends(binary(RC_POWER, interval(2, 4), interval(-1, 2)), 0.25, 16);
    assert_ends(keep(rc_value_unary(RC_ABS, interval(-2, 3), &rules, NULL)), 0, 3);
}

/* Section 1.D: machine A takes 12 s ± 5 % a unit, B 12 s ± 30 %: 17 and 13 units, 13 and 17. */
static void two_machines_of_section_1_d(void **state)
{
    struct rc_value *a = interval(12 * 0.95, 12 * 1.05), *b = interval(12 * 0.7, 12 * 1.3);
    const struct rc_value *first[] = {binary(RC_MULTIPLY, a, point(17)),
                                      binary(RC_MULTIPLY, b, point(13))};
    const struct rc_value *second[] = {binary(RC_MULTIPLY, a, point(13)),
                                       binary(RC_MULTIPLY, b, point(17))};

    (void)state;
    assert_ends(first[0], 193.8, 214.2);
    assert_ends(second[0], 148.2, 163.8);
    assert_ends(keep(rc_value_max(first, 2, &rules, NULL)), 193.8, 214.2);
    assert_ends(keep(rc_value_max(second, 2, &rules, NULL)), 148.2, 265.2);
}

/* ---- histograms ---- */

/* The intermediate results of Eq. 4.20: every bin of one with every bin of the other. */
static size_t pair_bins(const struct rc_value *a, const struct rc_value *b, struct rc_bin pairs[])
{
    size_t n_a, n_b, n = 0;
    const struct rc_bin *x = rc_value_bins(a, &n_a), *y = rc_value_bins(b, &n_b);

    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++) {
            const double one[2] = {x[i].low, x[i].high}, other[2] = {y[j].low, y[j].high};
            double ends[2];

            assert_int_equal(rc_value_interval_binary(RC_ADD, one, other, ends, NULL), 0);
            pairs[n++] = (struct rc_bin){ends[0], ends[1], x[i].p * y[j].p};
        }
    return n;
}

static void histograms_d_and_e_of_section_4_d_2(void **state)
{
    static const struct rc_bin d_bins[] = {{1, 3, 0.25}, {3, 5, 0.75}};
    static const struct rc_bin e_bins[] = {{2, 4, 0.6}, {5, 8, 0.4}};
    /* Eq. 4.20 adds the upper ends of D1 and E2 as 3 + 5; E2 ends at 8, so that it is 3 + 8. */
    static const struct rc_bin wanted[] = {{3, 7, 0.15}, {6, 11, 0.1}, {5, 9, 0.45}, {8, 13, 0.3}};
    /* Eq. 4.25: the density on each stretch, times its width */
    static const struct rc_bin density[] = {
        {3, 5, 2 * 0.15 / 4},
        {5, 6, 0.15 / 4 + 0.45 / 4},
        {6, 7, 0.15 / 4 + 0.1 / 5 + 0.45 / 4},
        {7, 8, 0.1 / 5 + 0.45 / 4},
        {8, 9, 0.1 / 5 + 0.45 / 4 + 0.3 / 5},
        {9, 11, 2 * (0.1 / 5 + 0.3 / 5)},
        {11, 13, 2 * 0.3 / 5},
    };
    struct rc_value *d = keep(rc_value_histogram(d_bins, 2, NULL));
    struct rc_value *e = keep(rc_value_histogram(e_bins, 2, NULL)), *merged;
    const struct rc_bin *bins;
    struct rc_bin pairs[4];
    size_t n;
    double sum = 0;

    (void)state;
    assert_int_equal(pair_bins(d, e, pairs), 4);
    for (int i = 0; i < 4; i++) { /* Eq. 4.21 has them in another order */
        bool found = false;

        for (int k = 0; k < 4; k++)
            found |= fabs(pairs[k].low - wanted[i].low) < 1e-12 &&
                     fabs(pairs[k].high - wanted[i].high) < 1e-12 &&
                     fabs(pairs[k].p - wanted[i].p) < 1e-12;
        assert_true(found);
    }
    merged = keep(rc_value_histogram(pairs, 4, NULL));
    bins = rc_value_bins(merged, &n);
    assert_int_equal(n, 7);
    for (size_t i = 0; i < n; i++) {
        assert_close(bins[i].low, density[i].low, 1e-12);
        assert_close(bins[i].high, density[i].high, 1e-12);
        assert_close(bins[i].p, density[i].p, 1e-12);
        sum += bins[i].p;
    }
    assert_close(sum, 1, 1e-12);
}

/* Inputs of every shape, to draw from and to take the cdf of. */
enum shape { UNIFORM, BELL, BIMODAL, HEAVY, LONG_TAIL, NEAR_ZERO, SHAPES };

static double draw(enum shape shape)
{
    double u = rc_random_uniform(rules.random);

    switch (shape) {
    case UNIFORM:
        return 1 + 4 * u;
    case BELL:
        return rc_random_normal(rules.random, 10, 1.5);
    case BIMODAL: /* two narrow modes far apart, as available CPU has them */
        return (u < 0.4 ? 0.33 : 0.94) + rc_random_normal(rules.random, 0, 0.004);
    case HEAVY: /* Pareto of index 2: no variance; cut off where one in a million lies beyond */
        return 1 / sqrt(fmax(1 - u, 1e-6));
    case LONG_TAIL:
        return exp(rc_random_normal(rules.random, 0, 0.8));
    default: /* a divisor that comes near 0 */
        return 0.002 + u * u;
    }
}

/* From many draws, as a user's histogram would come from measurements. */
static struct rc_value *histogram_of(enum shape shape)
{
    enum { EDGES = 4097 };
    static double edges[EDGES], cdf[EDGES];
    size_t n = 0, count = 2 * n_draws();
    double *draws = malloc(count * sizeof *draws);
    struct rc_value *sample, *result;

    for (size_t i = 0; i < count; i++)
        draws[i] = draw(shape);
    sample = rc_value_sample(draws, count, NULL);
    free(draws);
    for (int i = 0; i < EDGES; i++) {
        double x = rc_value_quantile(sample, (double)i / (EDGES - 1));

        if (n == 0 || x > edges[n - 1]) {
            edges[n] = x;
            cdf[n++] = (double)i / (EDGES - 1);
        }
    }
    rc_value_drop(sample);
    result = rc_value_histogram_from_cdf(edges, cdf, n, n, NULL);
    return keep(result);
}

static double ks_distance(const struct rc_value *value, const double *draws, size_t n)
{
    struct rc_value *sample = rc_value_sample(draws, n, NULL);
    double worst = 0;

    for (size_t i = 0; i <= 20000; i++) {
        double x = rc_value_quantile(sample, (double)i / 20000);
        double d = fabs(rc_value_cdf(value, x) - rc_value_cdf(sample, x));

        if (d > worst)
            worst = d;
    }
    rc_value_drop(sample);
    return worst;
}

static double apply(int operation, double a, double b)
{
    return operation == RC_ADD        ? a + b
           : operation == RC_SUBTRACT ? a - b
           : operation == RC_MULTIPLY ? a * b
           : operation == RC_DIVIDE   ? a / b
                                      : fmax(a, b);
}

static void histograms_agree_with_monte_carlo(void **state)
{
    enum { MAX = RC_POWER };
    size_t count = n_draws();
    double *draws = malloc(count * sizeof *draws), worst = 0;
    struct rc_value *inputs[SHAPES];

    (void)state;
    for (int i = 0; i < SHAPES; i++)
        inputs[i] = histogram_of((enum shape)i);
    for (int operation = RC_ADD; operation <= MAX; operation++)
        for (int i = 0; i < SHAPES; i++)
            for (int j = 0; j < SHAPES; j++) {
                const struct rc_value *both[] = {inputs[i], inputs[j]};
                struct rc_value *result = operation == MAX
                                              ? rc_value_max(both, 2, &rules, NULL)
                                              : rc_value_binary((enum rc_binary)operation, both[0],
                                                                both[1], &rules, NULL);
                double distance;
                size_t n;

                assert_non_null(result);
                rc_value_bins(result, &n);
                assert_true(n <= 256 + 32);
                for (size_t k = 0; k < count; k++) {
                    double a = draw((enum shape)i), b = draw((enum shape)j);

                    draws[k] = apply(operation, a, b);
                }
                distance = ks_distance(result, draws, count);
                rc_value_drop(result);
                if (distance > worst)
                    worst = distance;
                if (!(distance < 0.01))
                    fail_msg("operation %d on shapes %d and %d: %g", operation, i, j, distance);
            }
    print_message("# worst distance %g\n", worst);
    free(draws);
}

/* A chain of 50: sums, products with values around 1, quotients and maxima in turn. */
static void a_chain_of_fifty_operations_stays_close(void **state)
{
    enum { LENGTH = 50 };
    static const struct rc_bin around_one = {0.9, 1.1, 1};
    size_t count = n_draws();
    double *draws = malloc(count * sizeof *draws), distance;
    struct rc_value *inputs[3] = {histogram_of(UNIFORM), histogram_of(LONG_TAIL),
                                  keep(rc_value_histogram(&around_one, 1, NULL))};
    struct rc_value *chain = rc_value_keep(inputs[0]), *next;

    (void)state;
    for (size_t k = 0; k < count; k++)
        draws[k] = draw(UNIFORM);
    for (int step = 0; step < LENGTH; step++) {
        static const int operations[] = {RC_ADD, RC_MULTIPLY, RC_SUBTRACT, RC_DIVIDE, RC_POWER};
        static const int operands[] = {0, 2, 1, 2, 1};
        int operation = operations[step % 5], operand = operands[step % 5];
        const struct rc_value *both[] = {chain, inputs[operand]};

        next = operation == RC_POWER ? rc_value_max(both, 2, &rules, NULL)
                                     : rc_value_binary((enum rc_binary)operation, chain,
                                                       inputs[operand], &rules, NULL);
        assert_non_null(next);
        rc_value_drop(chain);
        chain = next;
        for (size_t k = 0; k < count; k++) {
            double b = operand == 0   ? draw(UNIFORM)
                       : operand == 1 ? draw(LONG_TAIL)
                                      : 0.9 + 0.2 * rc_random_uniform(rules.random);

            draws[k] = apply(operation, draws[k], b);
        }
    }
    distance = ks_distance(chain, draws, count);
    print_message("# distance after %d operations %g\n", LENGTH, distance);
    assert_true(distance < 0.03);
    rc_value_drop(chain);
    free(draws);
}

static void atoms_stay_atoms(void **state)
{
    static const struct rc_bin coin[] = {{0, 0, 0.5}, {1, 1, 0.5}};
    static const struct rc_bin die[] = {{0.5, 0.5, 0.25}, {0.5, 2, 0.75}};
    const struct rc_value *both[] = {keep(rc_value_histogram(coin, 2, NULL)),
                                     keep(rc_value_histogram(die, 2, NULL))};
    struct rc_value *max = keep(rc_value_max(both, 2, &rules, NULL));

    (void)state;
    /* max is 0.5 just when the coin shows 0 and the die is at its atom; it is 1 or more often */
    assert_close(rc_value_cdf(max, 0.5), 0.125, 1e-12);
    assert_close(rc_value_cdf(max, 0.499), 0, 1e-12);
    assert_close(rc_value_cdf(max, 0.999999999), 0.5 * (0.25 + 0.75 * 0.5 / 1.5), 1e-6);
    assert_close(rc_value_cdf(max, 1), 0.25 + 0.75 * 0.5 / 1.5, 1e-12);
    assert_close(rc_value_cdf(max, 2), 1, 0);
}

static void constants_only_move_and_stretch(void **state)
{
    static const struct rc_bin bins[] = {{1, 2, 0.75}, {2, 4, 0.25}};
    struct rc_value *h = keep(rc_value_histogram(bins, 2, NULL)), *moved;

    (void)state;
    moved = binary(RC_SUBTRACT, point(5400), h);
    assert_moments(moved, 5400 - rc_value_mean(h), rc_value_sd(h));
    assert_close(rc_value_cdf(moved, 5398), 0.25, 1e-12);
    moved = binary(RC_MULTIPLY, h, point(-2));
    assert_moments(moved, -2 * rc_value_mean(h), 2 * rc_value_sd(h));
    assert_moments(binary(RC_DIVIDE, h, point(4)), rc_value_mean(h) / 4, rc_value_sd(h) / 4);
    assert_moments(binary(RC_MULTIPLY, h, point(0)), 0, 0);
}

static void bad_histograms_are_refused(void **state)
{
    static const struct rc_bin low_sum = {0, 1, 0.5}, reversed = {1, 0, 1}, negative = {0, 1, -1};
    struct rc_error error;

    (void)state;
    assert_null(rc_value_histogram(&low_sum, 1, &error));
    assert_string_equal(error.text, "the probabilities of a histogram add up to 0.5, not to 1");
    assert_null(rc_value_histogram(&reversed, 1, &error));
    assert_null(rc_value_histogram(&negative, 1, &error));
    assert_null(rc_value_histogram(NULL, 0, &error));
    assert_null(rc_value_normal(0, -1, 0, &error));
    assert_null(rc_value_normal(NAN, 1, 0, &error));
    assert_null(rc_value_interval(2, 1, &error));
    assert_null(rc_value_point(INFINITY, &error));
    assert_null(rc_value_sample(NULL, 0, &error));
}

/* ---- samples, questions, conversion ---- */

static void samples_stay_dependent(void **state)
{
    struct rc_value *x = keep(rc_value_convert(normal(5, 1), RC_SAMPLE, &rules, NULL));
    struct rc_value *y = keep(rc_value_convert(normal(5, 1), RC_SAMPLE, &rules, NULL));

    (void)state;
    assert_moments(binary(RC_SUBTRACT, x, x), 0, 0);
    assert_moments(binary(RC_DIVIDE, x, x), 1, 0);
    assert_close(rc_value_sd(binary(RC_SUBTRACT, x, y)), sqrt(2), 0.04);
    assert_close(rc_value_mean(binary(RC_MULTIPLY, x, point(2))), 10, 0.05);
}

static void questions_have_their_textbook_answers(void **state)
{
    static const double draws[] = {3, 1, 2, 5, 4};
    struct rc_value *n = normal(10, 2), *i = interval(2, 6);
    struct rc_value *s = keep(rc_value_sample(draws, 5, NULL));
    double low, high;

    (void)state;
    assert_close(rc_value_quantile(n, 0.975), 10 + 2 * 1.959963985, 1e-8);
    assert_close(rc_value_cdf(n, 12), 0.8413447461, 1e-9);
    assert_close(rc_value_exceeds(n, 30) / 7.61985e-24, 1, 1e-4); /* ten sd: no cancellation */
    rc_value_span(n, 0.9, &low, &high);
    assert_close(high - low, 2 * 2 * 1.644853627, 1e-8);
    assert_close(rc_value_quantile(i, 0.25), 3, 0);
    assert_close(rc_value_sd(i), 4 / sqrt(12), 1e-12);
    assert_moments(s, 3, sqrt(2.5));
    assert_close(rc_value_quantile(s, 0.2), 1, 0);
    assert_close(rc_value_quantile(s, 0.21), 2, 0);
    assert_close(rc_value_quantile(s, 1), 5, 0);
    assert_close(rc_value_cdf(s, 3), 0.6, 1e-15);
    assert_close(rc_value_exceeds(s, 3), 0.4, 1e-15);
    assert_true(isnan(rc_value_quantile(s, 1.5)));
}

static void kinds_become_one_another(void **state)
{
    struct rc_value *n = normal(10, 2);

    (void)state;
    assert_ends(keep(rc_value_convert(n, RC_INTERVAL, &rules, NULL)), 6, 14);
    for (int from = 0; from < RC_VALUE_KINDS; from++)
        for (int to = 0; to < RC_VALUE_KINDS; to++) {
            struct rc_value *a = keep(rc_value_convert(n, (enum rc_value_kind)from, &rules, NULL));
            struct rc_value *b = keep(rc_value_convert(a, (enum rc_value_kind)to, &rules, NULL));

            assert_int_equal(rc_value_kind(b), to);
            if (to != RC_INTERVAL) /* whose mean is its middle */
                assert_close(rc_value_mean(b), rc_value_mean(a), 0.1);
            if (to != RC_POINT && to != RC_INTERVAL)
                assert_close(rc_value_sd(b), rc_value_sd(a), 0.1);
            binary(RC_ADD, a, b);
        }
    rules.random = (rc_random_destroy(rules.random), NULL);
    assert_null(rc_value_convert(n, RC_SAMPLE, &rules, NULL));
}

/* ---- job farms ---- */

/* Section 3.D.2, Tables 3.27 and 3.29: 200 jobs on Thing1, Thing2, Lorax and Picard.  They get 79,
 * 80, 20 and 21 jobs. */
static void hi_temp_on_the_pcl_cluster(void **state)
{
    const struct rc_value *times[] = {point(0.89105), point(0.87058), point(3.6618), point(3.4382)};
    double finish[4];
    struct rc_value *end = keep(rc_value_farm(times, 4, 200, &rules, finish, NULL));

    (void)state;
    assert_close(finish[0], 79 * 0.89105, 1e-9); /* 70.39 */
    assert_close(finish[1], 80 * 0.87058, 1e-9); /* 69.65 */
    assert_close(finish[2], 20 * 3.6618, 1e-9);  /* 73.24 */
    assert_close(finish[3], 21 * 3.4382, 1e-9);  /* 72.20 */
    assert_close(rc_value_mean(end), 73.236, 1e-9);
}

/* The plain way: the host that is free first gets the next job. */
static double play_plainly(const double *times, size_t n, size_t jobs)
{
    double free_at[8] = {0}, end = 0;

    for (size_t job = 0; job < jobs; job++) {
        size_t first = 0;

        for (size_t i = 1; i < n; i++)
            if (free_at[i] < free_at[first])
                first = i;
        free_at[first] += times[first];
        end = fmax(end, free_at[first]);
    }
    return end;
}

static void farms_agree_with_playing_them_through(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t n = 1 + rc_random_below(rules.random, 8), jobs = rc_random_below(rules.random, 400);
        const struct rc_value *times[8], *ranges[8];
        double numbers[8], low, high, end;
        struct rc_value *exact, *bounds;

        for (size_t i = 0; i < n; i++) {
            numbers[i] = 0.1 + 3 * rc_random_uniform(rules.random);
            times[i] = rc_value_point(numbers[i], NULL);
            ranges[i] = rc_value_interval(numbers[i] * 0.8, numbers[i] * 1.1, NULL);
        }
        end = play_plainly(numbers, n, jobs);
        exact = rc_value_farm(times, n, jobs, &rules, NULL, NULL);
        assert_close(rc_value_mean(exact), end, 1e-9 * (1 + end));
        /* The bounds hold for whatever lies between the ends. */
        bounds = rc_value_farm(ranges, n, jobs, &rules, NULL, NULL);
        low = rc_value_low(bounds), high = rc_value_high(bounds);
        for (int k = 0; k < 5; k++) {
            double tried[8];

            for (size_t i = 0; i < n; i++)
                tried[i] = numbers[i] * (0.8 + 0.3 * rc_random_uniform(rules.random));
            end = play_plainly(tried, n, jobs);
            assert_true(end >= low - 1e-9 && end <= high + 1e-9);
        }
        for (size_t i = 0; i < n; i++) {
            rc_value_drop(times[i]);
            rc_value_drop(ranges[i]);
        }
        rc_value_drop(exact);
        rc_value_drop(bounds);
    }
}

static void farms_of_uncertain_hosts(void **state)
{
    const struct rc_value *times[] = {normal(1, 0.05), normal(4, 0.2)};
    const struct rc_value *bad[] = {interval(0, 1)};
    struct rc_value *end = keep(rc_value_farm(times, 2, 1000, &rules, NULL, NULL));
    struct rc_error error;

    (void)state;
    assert_int_equal(rc_value_kind(end), RC_NORMAL);
    /* 1000 jobs at 1 + 1/4 jobs/s take 800 s; d ln T = share of each host times its deviation:
     * sqrt((0.8 * 0.05)² + (0.2 * 0.05)²) = 0.0412 */
    assert_close(rc_value_mean(end), 801, 2);
    assert_close(rc_value_sd(end), 0.0412 * 800, 1.5);
    assert_null(rc_value_farm(bad, 1, 10, &rules, NULL, &error));
    assert_non_null(strstr(error.text, "host 1"));
    assert_null(rc_value_farm(times, 0, 10, &rules, NULL, &error));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(table_4_1_is_followed_to_the_letter),
        TEST(products_keep_their_exact_moments),
        TEST(normals_remember_their_variables),
        TEST(normals_near_zero_are_no_divisors),
        TEST(max_by_mean_and_by_end_of_section_4_b_2),
        TEST(the_true_max_of_normals_agrees_with_monte_carlo),
        TEST(tables_4_2_to_4_4_hold),
        TEST(both_forms_of_section_4_c_2),
        TEST(dividing_by_an_interval_that_holds_0_is_an_error),
        TEST(powers_of_intervals_know_their_turning_point),
        TEST(two_machines_of_section_1_d),
        TEST(histograms_d_and_e_of_section_4_d_2),
        TEST(histograms_agree_with_monte_carlo),
        TEST(a_chain_of_fifty_operations_stays_close),
        TEST(atoms_stay_atoms),
        TEST(constants_only_move_and_stretch),
        TEST(bad_histograms_are_refused),
        TEST(samples_stay_dependent),
        TEST(questions_have_their_textbook_answers),
        TEST(kinds_become_one_another),
        TEST(hi_temp_on_the_pcl_cluster),
        TEST(farms_agree_with_playing_them_through),
        TEST(farms_of_uncertain_hosts),
    };

    return RUN_TESTS(tests);
}
