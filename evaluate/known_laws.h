// SPDX-License-Identifier: GPL-3.0-or-later
/* known_laws.h - run times that follow a known law. */
#ifndef RC_EVALUATE_KNOWN_LAWS_H
#define RC_EVALUATE_KNOWN_LAWS_H

#include "runcast.h"

enum { TERMS = 3, LAWS = 12 };

struct law {
    const char *name;
    double shares[TERMS]; /* of the time at n = 600, P = 4, a core of 0.6 and 6 MB/s */
    double (*term)(unsigned term, double n, double p, double cpu, double bw);
};
extern const struct law laws[LAWS];

/* A term of the law for the size, processes and load of a run, in seconds. */
double law_term(const struct law *law, const struct rc_run *run, unsigned term);

#endif
