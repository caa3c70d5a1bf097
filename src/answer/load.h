// SPDX-License-Identifier: GPL-3.0-or-later
/* load.h - what processes and streams that put load on this machine did. */
#ifndef RC_ANSWER_LOAD_H
#define RC_ANSWER_LOAD_H

#include "report/field.h"
#include "testbed/load/stream.h"
#include "testbed/load/team.h"

/* One process; parts are of the time. */
struct rc_answer_load_process {
    size_t number; /* from 1 */
    double asked, used;
    double computing, communicating;             /* while others ran, too */
    double computing_alone, communicating_alone; /* ... and with the core to itself */
    struct rc_load_tally tally;
};

/* One core; parts of it. */
struct rc_answer_load_core {
    int core;
    size_t processes;
    double asked, used;
    double leaves; /* to a competitor */
    double probe;  /* what a competitor got */
};

/* One connection. */
struct rc_answer_load_stream {
    const char *direction;
    double asked_availability; /* of the link */
    double asked, rate;        /* bytes/s */
    double sent, arrived;      /* bytes; NAN: the far end did not tell */
    struct rc_load_tally tally;
};

extern const struct rc_field rc_answer_load_cpu_process[], rc_answer_load_mix_process[];
/* Cores under a fixed load, or one that changes; without and with a probe; and the probe alone. */
extern const struct rc_field rc_answer_load_cpu_core[], rc_answer_load_cpu_probed[];
extern const struct rc_field rc_answer_load_follow_core[], rc_answer_load_follow_probed[];
extern const struct rc_field rc_answer_load_probe[];
/* Of struct rc_answer_load_stream: at a rate, or as a link whose availability changes. */
extern const struct rc_field rc_answer_load_stream[], rc_answer_load_link[];

#endif
