// SPDX-License-Identifier: GPL-3.0-or-later
/* watcher_request.h - requests of a watcher to a sensor: one line each. */
#ifndef RC_HOST_SENSE_WATCHER_REQUEST_H
#define RC_HOST_SENSE_WATCHER_REQUEST_H

#include <stdint.h>

#include "base/socket.h"
#include "runcast.h"

enum { RC_SENSE_LINE_MAX = 1024 };

enum rc_sense_request_kind {
    RC_SENSE_CLOCK,  /* clock N */
    RC_SENSE_LISTEN, /* listen N ADDRESS|* */
    RC_SENSE_PROBE   /* probe N HOST PORT KEY BURST MOST */
};

struct rc_sense_request {
    enum rc_sense_request_kind kind;
    int64_t id;          /* 0 where the line has none that can be read */
    struct rc_peer peer; /* of a probe; of listen the address, "" for all */
    double burst, most;  /* bytes */
};

/* Reads a line, without its end.  -1, with the error set and the `id` if there is one, where it is
 * no request. */
int rc_sense_request_read(const char *line, struct rc_sense_request *request,
                          struct rc_error *error);

#endif
