// SPDX-License-Identifier: GPL-3.0-or-later
/* link_transfer.h - bandwidth and latency between two hosts, by a short transfer.
 *
 * The client sends a burst of bytes and waits for a reply, again and again, as the benchmark of
 * Figueira and Berman does ("A slowdown model for applications executing on time-shared clusters
 * of workstations", IEEE TPDS 12(6), 2001, section 5.1: short bursts are hardly affected by
 * contention that slows long ones, so that a burst should be as long as the program's).  The
 * number of bursts adapts: the transfer lasts about 0.1 s, and never has more bytes than it may. */
#ifndef RC_HOST_SENSE_LINK_TRANSFER_H
#define RC_HOST_SENSE_LINK_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/socket.h"
#include "runcast.h"

#define RC_LINK_SECONDS 10.0 /* that a port is open at most, and a probe may take */

enum { RC_LINK_MESSAGE_LEAST = 16, RC_LINK_MESSAGE_MOST = 1 << 30 };

struct rc_link_result {
    double bandwidth; /* bytes/s of a burst, without latency; NAN: the transfer was too short */
    double latency;   /* seconds, one way: half of the time there and back */
    double bytes;     /* sent in all */
    double seconds;   /* that it took */
    double wants;     /* bytes of a transfer over this link that is just long enough, about */
};

/* Waits on `listener` for one probe with the key, for at most `seconds`, closes the port once it
 * has come, and serves it to its end. */
int rc_sense_link_serve(int listener, const char *key, double seconds, struct rc_error *error);

/* Probes the way to the one that serves there, in bursts of `burst` bytes and at most `most` in
 * all.  One for which `most` was too little is no failure: its bandwidth is NAN. */
int rc_sense_link_probe(const struct rc_peer *peer, double burst, double most,
                        struct rc_link_result *result, struct rc_error *error);

/* The first bytes of a message, with its length; reading gives -1 where that is impossible. */
void rc_sense_link_header_write(unsigned char header[8], uint64_t size);
int rc_sense_link_header_read(const unsigned char header[8], uint64_t *size);

/* The bandwidth by bursts of `burst` bytes that took times[0 .. n) seconds, where a short message
 * takes `round_trip` there and back.  The first half is left out where there are several: a new
 * connection starts slowly. */
double rc_sense_link_bandwidth(double burst, const double *times, size_t n, double round_trip);

/* Whether n bursts that took so many seconds in total are enough for a bandwidth. */
bool rc_sense_link_tells(double seconds, size_t n);
/* The bytes of a transfer that would, where n bursts of `burst` bytes took so long. */
double rc_sense_link_wants(double burst, double seconds, size_t n);

#endif
