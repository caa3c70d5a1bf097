// SPDX-License-Identifier: GPL-3.0-or-later
/* bench_protocol.h - requests to the hosts of a calibration, and their answers: one JSON object
 * per line.
 *
 * Requests go through the launcher's standard input, not its command line: no shell splits them,
 * and keys stay secret.  The answer is one line with the result, or {"error": TEXT}, after any
 * number of {"progress": [DONE, TOTAL]}.  At least one of these comes every RC_BENCH_SIGN
 * seconds, [0, 0] if nothing is known, so that a host that hangs is detected.  A request to
 * listen has two answers: when the receiver is ready, and when its load has ended. */
#ifndef RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_PROTOCOL_H
#define RC_MODEL_SLOWDOWN_CALIBRATE_BENCH_PROTOCOL_H

#include <jansson.h>

#include "model/slowdown/calibrate/bench.h"

#define RC_BENCH_SIGN 5.0
enum {
    RC_BENCH_LINE_MAX = 1 << 18, /* bytes of a line */
    RC_BENCH_PROTOCOL = 2        /* both sides must have the same */
};

enum rc_bench_kind {
    RC_BENCH_COMPUTE,
    RC_BENCH_MEMORY,
    RC_BENCH_LISTEN,
    RC_BENCH_BURSTS,
    RC_BENCH_DELAY,
    RC_BENCH_KINDS
};

/* Only the members of its kind count.  Start from {0}; free with rc_slowdown_bench_order_free(). */
struct rc_bench_order {
    enum rc_bench_kind kind;
    struct rc_slowdown_bench_compute compute;
    struct rc_slowdown_bench_memory memory;
    struct rc_slowdown_bench_bursts bursts;
    struct rc_slowdown_bench_delay delay;
    char *command;               /* of compute.command, if it was read */
    struct rc_burst *own_bursts; /* of bursts.bursts */
};
void rc_slowdown_bench_order_free(struct rc_bench_order *order);

/* NULL if out of memory. */
json_t *rc_slowdown_bench_order_json(const struct rc_bench_order *order);
/* Reads a line, without its end, from an untrusted source. */
int rc_slowdown_bench_order_read(const char *line, size_t length, struct rc_bench_order *order,
                                 struct rc_error *error);

/* Answers.  Each is -1 for another object. */
json_t *rc_slowdown_bench_numbers_json(const char *name, const double *values, size_t n);
int rc_slowdown_bench_numbers_read(const json_t *answer, const char *name, double low, double high,
                                   size_t n, double *values); /* null stands for NAN */
json_t *rc_slowdown_bench_points_json(const struct rc_delay_point *points, size_t n,
                                      double byte_seconds);
int rc_slowdown_bench_points_read(const json_t *answer, size_t n, struct rc_delay_point *points,
                                  double *byte_seconds);
json_t *rc_slowdown_bench_listening_json(const struct rc_peer *peer);
int rc_slowdown_bench_listening_read(const json_t *answer, struct rc_peer *peer); /* port and key */

#endif
