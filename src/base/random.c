// SPDX-License-Identifier: GPL-3.0-or-later
/* random.c - seeded random numbers, by GSL's combined Tausworthe generator (P. L'Ecuyer, "Maximally
 * equidistributed combined Tausworthe generators", Mathematics of Computation 65, 1996; period
 * 2^88): twice as fast as its Mersenne Twister, and drawing is most of what a model costs.
 *
 * GSL takes a 32-bit seed.  Seed and stream are therefore mixed (the finaliser of splitmix64, by
 * Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014) so that
 * neighbouring seeds and streams start far apart. */
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

struct rc_random {
    gsl_rng *generator;
};

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct rc_random *rc_random_create(uint64_t seed, uint64_t stream)
{
    struct rc_random *random = calloc(1, sizeof *random);

    if (!random)
        return NULL;
    random->generator = gsl_rng_alloc(gsl_rng_taus2);
    if (!random->generator) {
        free(random);
        return NULL;
    }
    gsl_rng_set(random->generator, (unsigned long)(mix(mix(seed) ^ stream) & 0xffffffffu));
    return random;
}

void rc_random_destroy(struct rc_random *random)
{
    if (!random)
        return;
    gsl_rng_free(random->generator);
    free(random);
}

double rc_random_uniform(struct rc_random *random)
{
    return gsl_rng_uniform_pos(random->generator);
}

uint64_t rc_random_below(struct rc_random *random, uint64_t bound)
{
    uint64_t draw, limit;

    if (bound < 2)
        return 0;
    /* Numbers above the last full multiple of `bound` would favour small results. */
    limit = UINT64_MAX - UINT64_MAX % bound;
    do {
        draw = (uint64_t)gsl_rng_get(random->generator) << 32;
        draw |= gsl_rng_get(random->generator);
    } while (draw >= limit);
    return draw % bound;
}

double rc_random_normal(struct rc_random *random, double mean, double sd)
{
    return mean + gsl_ran_gaussian_ziggurat(random->generator, sd);
}

void rc_random_normals(struct rc_random *random, double mean, double sd, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = mean + gsl_ran_gaussian_ziggurat(random->generator, sd);
}

double rc_random_exponential(struct rc_random *random, double mean)
{
    return gsl_ran_exponential(random->generator, mean);
}

/* Multiples of the golden ratio. */
double rc_random_evenly(uint64_t i)
{
    double at = 0.5 + 0.6180339887498949 * (double)i;

    return fmin(fmax(at - floor(at), 1e-6), 1 - 1e-6);
}

void *rc_random_gsl(struct rc_random *random)
{
    return random->generator;
}
