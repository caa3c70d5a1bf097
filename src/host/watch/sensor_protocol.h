// SPDX-License-Identifier: GPL-3.0-or-later
/* sensor_protocol.h - the lines that a sensor writes to its watcher: JSON, one object each. */
#ifndef RC_HOST_WATCH_SENSOR_PROTOCOL_H
#define RC_HOST_WATCH_SENSOR_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum {
    RC_WATCH_LINE_MAX = 4096, /* bytes of a line, without its end */
    RC_WATCH_KEY_MAX = 128,   /* bytes of a one-time key */
    RC_WATCH_TEXT_MAX = 200,  /* bytes that are kept of an error's text */
    RC_WATCH_PROTOCOL = 1
};

enum rc_watch_line_kind {
    RC_WATCH_LINE_HELLO,
    RC_WATCH_LINE_SAMPLE,
    RC_WATCH_LINE_CLOCK,
    RC_WATCH_LINE_LISTENING,
    RC_WATCH_LINE_LINK,
    RC_WATCH_LINE_ERROR,
    RC_WATCH_LINE_OTHER /* well-formed, but of a kind that a later version may know */
};

/* What a sample of a host may hold, in the order of `values` below. */
enum rc_watch_metric {
    RC_WATCH_CPU,
    RC_WATCH_MEMORY,
    RC_WATCH_LOAD1,
    RC_WATCH_LOAD5,
    RC_WATCH_LOAD15,
    RC_WATCH_IN,
    RC_WATCH_OUT,
    RC_WATCH_METRICS
};
/* The name of a metric, in lines and in the database. */
const char *rc_watch_metric_name(enum rc_watch_metric metric);

/* A line that was read; members that its kind does not have are 0, NAN or "". */
struct rc_watch_line {
    enum rc_watch_line_kind kind;
    int protocol, cores;
    int64_t id;
    double time; /* on the sensor's clock */
    double values[RC_WATCH_METRICS];
    int port;
    char key[RC_WATCH_KEY_MAX + 1]; /* printable ASCII without blanks */
    double bandwidth, latency, bytes, wants, seconds;
    char text[RC_WATCH_TEXT_MAX + 1]; /* printable */
};

/* Reads a line without its end; all numbers in it are finite and within reason afterwards.  -1,
 * with the error set, where it is none of ours. */
int rc_watch_line_read(const char *text, size_t length, struct rc_watch_line *line,
                       struct rc_error *error);

#endif
