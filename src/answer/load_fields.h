// SPDX-License-Identifier: GPL-3.0-or-later
/* load_fields.h - loads on this machine. */
#ifndef RC_ANSWER_LOAD_FIELDS_H
#define RC_ANSWER_LOAD_FIELDS_H

#include "host/sense/cores.h"
#include "report/field.h"
#include "testbed/load/client_stream.h"
#include "testbed/load/load_processes.h"

/* One process; shares are of the time. */
struct rc_answer_load_process {
    size_t number; /* from 1 */
    double requested, used;
    double computing, communicating;
    double computing_idle, communicating_idle; /* the same on an idle core */
    struct rc_load_tally tally;
};

/* One core; parts of it. */
struct rc_answer_load_core {
    int core;
    size_t processes;
    double requested, used;
    double left;       /* to a competitor, expected */
    bool verified;     /* with a competitor */
    double competitor; /* measured */
};

/* One connection. */
struct rc_answer_load_stream {
    const char *direction;
    double requested_availability; /* of the link */
    double requested, rate;        /* bytes/s */
    double sent, arrived;          /* bytes; NAN: no report from the receiver */
    struct rc_load_tally tally;
};

/* Source of an availability that changes with time. */
struct rc_answer_load_source {
    const char *pattern; /* NULL: replayed */
    int64_t seed;
    double offset;
    const char *host, *metric, *file; /* replayed: host NULL: from the file */
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
    bool verified;                               /* with competitors */
    const struct rc_answer_load_stream *streams; /* the caller's */
    size_t n_streams;

    double fraction;                             /* cpu: of a core, for each process */
    const char *receiver;                        /* net */
    bool fixed_work;                             /* mix: shares are those on an idle core */
    double compute, communicate;                 /* mix: shares requested */
    int64_t messages;                            /* mix: of a burst */
    double message;                              /* net, mix: bytes */
    const struct rc_answer_load_source *source;  /* of availability that changes */
    double requested_availability, availability; /* of the cores; NAN: they have no load */
    size_t connections, refused;                 /* receiver */
    struct rc_load_tally total;                  /* receiver */

    json_t *notes; /* the caller's */
};

/* Of struct rc_answer_load. */
extern const struct rc_field rc_answer_load_cpu[], rc_answer_load_net[], rc_answer_load_mix[];
extern const struct rc_field rc_answer_load_follow[], rc_answer_load_receiver[];
/* Of its lists. */
extern const struct rc_field rc_answer_load_cpu_process[], rc_answer_load_mix_process[];
/* Cores under constant or changing load; without and with a competitor. */
extern const struct rc_field rc_answer_load_cpu_core[], rc_answer_load_cpu_verified[];
extern const struct rc_field rc_answer_load_follow_core[], rc_answer_load_follow_verified[];
extern const struct rc_field rc_answer_load_stream[];

/* Adds the first `n` processes of a team; each had to use the fraction `requested` of a core.  -1 if
 * memory runs out, as below. */
int rc_answer_load_add_processes(struct rc_answer_load *answer, const struct rc_load_team *team,
                                 size_t n, double requested);
/* Adds cores and what the first `n` processes used of each; competitors are the processes from
 * `first_competitor` on. */
int rc_answer_load_add_cores(struct rc_answer_load *answer, const struct rc_load_team *team,
                             const struct rc_sense_cores *cores, size_t n, size_t first_competitor);
/* The traffic of one connection. */
struct rc_answer_load_stream rc_answer_load_stream_make(const struct rc_load_tally *tally,
                                                        enum rc_load_direction direction);
/* Frees processes and cores. */
void rc_answer_load_free(struct rc_answer_load *answer);

#endif
