// SPDX-License-Identifier: GPL-3.0-or-later
/* oracle.h - scenarios of simulated hosts by somebody who knows how their load is drawn, though not
 * what will be drawn: the best that a forecast could do. */
#ifndef RC_EVALUATE_ORACLE_H
#define RC_EVALUATE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "testbed/load/load_pattern.h"
#include "predict/scenario_run_time.h"

/* Hosts of a world of the load `random`, at one moment. */
struct oracle;

/* What anybody sees of the hosts' loads by the time `at`, in seconds from the beginning of the
 * world: the levels, and since when.  `bandwidth` is what a free link gives.  NULL where memory
 * runs out.  Destroy with oracle_destroy(). */
struct oracle *oracle_create(const char *const *hosts, size_t n_hosts, uint64_t seed, double at,
                             double bandwidth, struct rc_error *error);
void oracle_destroy(struct oracle *oracle);

/* Scenarios are to go that far. */
void oracle_look(struct oracle *oracle, double seconds);

/* Draws one future of CPUs and links.  It belongs to the oracle, and changes with the next one. */
void oracle_draw(struct oracle *oracle, struct rc_random *random, struct rc_predict_future *future);

#endif
