/* series.h - what the tests of the series room share: numbers that are nearly equal, and numbers
 * drawn from distributions of known shape. */
#ifndef RC_TESTS_SERIES_H
#define RC_TESTS_SERIES_H

#include "unit.h"

#include "base/random.h"

enum shape { NORMAL, UNIFORM, EXPONENTIAL, THREE_MODES, PERCENTS, WHOLE, LEVELS };

static inline double draw(struct rc_random *random, enum shape shape)
{
    double u = rc_random_uniform(random);

    switch (shape) {
    case NORMAL:
        return rc_random_normal(random, 0.7, 0.1);
    case UNIFORM:
        return u;
    case EXPONENTIAL:
        return rc_random_exponential(random, 3);
    case THREE_MODES:
    case PERCENTS:
        u = u < 0.5 ? rc_random_normal(random, 0.94, 0.02)
                    : rc_random_normal(random, u < 0.8 ? 0.49 : 0.33, 0.03);
        return shape == PERCENTS ? round(u * 100) / 100 : u;
    case WHOLE:
        return round(rc_random_normal(random, 50, 5));
    case LEVELS:
        return u < 0.4 ? 1 : u < 0.7 ? 0.5 : 0.25;
    }
    return NAN;
}

static inline void draw_all(double *values, size_t n, enum shape shape, uint64_t seed)
{
    struct rc_random *random = rc_random_create(seed, 7);

    for (size_t i = 0; i < n; i++)
        values[i] = draw(random, shape);
    rc_random_destroy(random);
}

#endif
