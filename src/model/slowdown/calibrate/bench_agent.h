// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_agent.h - carries out orders of one that calibrates, on the host on which it runs. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_AGENT_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_AGENT_H

#include "runcast.h"

/* Greets with {"bench": RC_BENCH_PROTOCOL, ...} on `output`, then carries out the orders that come
 * on `input`, one after the other, until that ends, nobody reads the answers, or the monitor
 * cancels.  An order under way is broken off then.  An order that fails is answered, and no failure here. */
int rc_slowdown_bench_serve(int input, int output, const struct rc_monitor *monitor,
                            struct rc_error *error);

#endif
