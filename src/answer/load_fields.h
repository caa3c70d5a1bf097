// SPDX-License-Identifier: GPL-3.0-or-later
/* load_fields.h - what processes and streams that put load on this machine did. */
#ifndef RC_ANSWER_LOAD_FIELDS_H
#define RC_ANSWER_LOAD_FIELDS_H

#include "host/sense/cores.h"
#include "report/field.h"
#include "testbed/load/client_stream.h"
#include "testbed/load/load_processes.h"

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

/* What the availability that a load makes was taken from. */
struct rc_answer_load_source {
    const char *pattern, *name; /* pattern NULL: it was recorded */
    int64_t seed;
    double start;
    const char *host, *metric, *file; /* host NULL: from the file */
    double speed_up;
    bool loop;
};

/* A load as a whole.  Each kind of load has its own table of fields, and uses a part of this. */
struct rc_answer_load {
    const char *name; /* of the load */
    double seconds;
    bool interrupted;

    struct rc_answer_load_process *processes;
    size_t n_processes;
    struct rc_answer_load_core *cores;
    size_t n_cores;
    bool probed;                                 /* competitors measured what the cores leave */
    const struct rc_answer_load_stream *streams; /* the caller's */
    size_t n_streams;

    double fraction;                            /* cpu: of a core, asked of each process */
    const char *to;                             /* net: the far end */
    bool work;                                  /* mix: the parts are those when alone */
    double compute, communicate;                /* mix: parts asked */
    int64_t burst;                              /* mix: messages */
    double message;                             /* net, mix: bytes */
    const struct rc_answer_load_source *source; /* of availability that changes */
    double asked_availability, availability;    /* of the cores; NAN: they have no load */
    size_t connections, refused;                /* receiver */
    struct rc_load_tally total;                 /* receiver */
};

/* Of struct rc_answer_load. */
extern const struct rc_field rc_answer_load_cpu[], rc_answer_load_net[], rc_answer_load_mix[];
extern const struct rc_field rc_answer_load_follow[], rc_answer_load_receiver[];
/* Of its lists. */
extern const struct rc_field rc_answer_load_cpu_process[], rc_answer_load_mix_process[];
/* Cores under a fixed load, or one that changes; without and with a probe. */
extern const struct rc_field rc_answer_load_cpu_core[], rc_answer_load_cpu_probed[];
extern const struct rc_field rc_answer_load_follow_core[], rc_answer_load_follow_probed[];
extern const struct rc_field rc_answer_load_stream[];

/* Adds the first `n` processes of a team, each asked to use that fraction of a core.  -1 where memory
 * ran out, as below. */
int rc_answer_load_add_processes(struct rc_answer_load *answer, const struct rc_load_team *team,
                                 size_t n, double asked);
/* Adds cores with what the first `n` processes used of each; probes are the processes from
 * `first_probe` on. */
int rc_answer_load_add_cores(struct rc_answer_load *answer, const struct rc_load_team *team,
                             const struct rc_sense_cores *cores, size_t n, size_t first_probe);
/* What went over one connection, without its name and what was asked of it. */
struct rc_answer_load_stream rc_answer_load_stream_make(const struct rc_load_tally *tally,
                                                        enum rc_load_direction direction);
/* Frees processes and cores. */
void rc_answer_load_free(struct rc_answer_load *answer);

#endif
