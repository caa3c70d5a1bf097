// SPDX-License-Identifier: GPL-3.0-or-later
/* random.h - seeded random numbers: the same seed and stream give the same numbers anywhere. */
#ifndef RC_BASE_RANDOM_H
#define RC_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

struct rc_random;

/* Independent streams of one seed, for parts that must not affect one another. NULL if memory runs
 * out. Destroy with rc_random_destroy(). */
struct rc_random *rc_random_create(uint64_t seed, uint64_t stream);
void rc_random_destroy(struct rc_random *random);

double rc_random_uniform(struct rc_random *random);                 /* in (0, 1) */
uint64_t rc_random_below(struct rc_random *random, uint64_t bound); /* 0 .. bound-1, unbiased */
double rc_random_normal(struct rc_random *random, double mean, double sd);
/* Many of them; the same as one after the other. */
void rc_random_normals(struct rc_random *random, double mean, double sd, double *out, size_t n);
double rc_random_exponential(struct rc_random *random, double mean);

/* The i-th number of a sequence that fills 0 to 1 more evenly than random numbers do; the ends are
 * not among them. */
double rc_random_evenly(uint64_t i);

/* The GSL generator inside, for GSL's other distributions; belongs to `random`. */
void *rc_random_gsl(struct rc_random *random);

#endif
