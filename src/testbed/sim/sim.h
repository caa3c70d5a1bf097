// SPDX-License-Identifier: GPL-3.0-or-later
/* sim.h - simulated clusters: an MPI program under SimGrid's SMPI on a platform whose hosts and
 * links follow a load.
 *
 * Times inside are seconds from the beginning of the load's time; `base` is when that was in the
 * calendar of the database. */
#ifndef RC_TESTBED_SIM_SIM_H
#define RC_TESTBED_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "testbed/load/platform_load.h"
#include "runcast.h"
#include "stats/series/load_statistics.h"

#define RC_SIM_EVERY 10.0     /* seconds between two samples */
#define RC_SIM_HISTORY 3600.0 /* seconds of samples before a run */
#define RC_SIM_START 86400.0  /* when a run starts, unless the load was recorded */
/* The parameter of a run by which a sweep knows it again. */
#define RC_SIM_POINT "sim_point"

enum {
    RC_SIM_PROCESSES_MAX = 16384,
    RC_SIM_NAME_MAX = 128,       /* bytes of the name of an app */
    RC_SIM_OUTPUT_MAX = 1 << 20, /* bytes of what a program writes that are kept */
    RC_SIM_SAMPLES_MAX = 1 << 22 /* of one host or link */
};

/* ---- which hosts ---- */

struct rc_sim_choice {
    const struct rc_platform *platform;
    const char *cluster; /* NULL: the first */
    const char *hosts;   /* a list, of any clusters; NULL: the cluster's */
    const char *network; /* NULL: each cluster's first */
    int64_t processes;   /* 0: as many as fit */
    double speed;        /* of hosts whose speed is not known; NAN: that is an error */
    int per_host;        /* processes that a host takes; 0: by the platform's placement */
};

/* A host that has processes, with its own link into the cluster's network. */
struct rc_sim_host {
    const char *name; /* belongs to the platform */
    size_t cluster;
    int cores, processes;
    double speed, bandwidth, latency;
};

/* A link between two clusters that have processes. */
struct rc_sim_link {
    size_t cluster[2];
    double bandwidth, latency;
    char name[2 * RC_SIM_NAME_MAX + 2]; /* "A:B" */
};

struct rc_sim_layout {
    const struct rc_platform *platform;
    struct rc_sim_host *hosts;
    size_t n_hosts;
    struct rc_sim_link *links;
    size_t n_links;
    int64_t processes;
    char *text; /* the hosts as an expression */
};

/* Places the processes.  The platform must outlive the layout; free it with rc_sim_layout_free(),
 * also where this failed. */
int rc_sim_layout(const struct rc_sim_choice *choice, struct rc_sim_layout *layout,
                  struct rc_error *error);
void rc_sim_layout_free(struct rc_sim_layout *layout);

/* ---- their load ---- */

/* A host's processor, its link, or a link between clusters: its own steps and samples. */
struct rc_sim_resource {
    enum rc_load_what what;
    const char *name;               /* of the host, or of the link "A:B" */
    const struct rc_sim_link *link; /* NULL where it is a host's */
    double full; /* what an availability of 1 is: 1 of a processor, bytes/s of a link */
    struct rc_load_steps steps;
    struct rc_sample *samples; /* availability times `full`, at multiples of `every` */
    size_t n_samples;
};

/* Processors come first, in the order of the hosts, then their links, then those between
 * clusters. */
struct rc_sim_world {
    struct rc_sim_resource *resources;
    size_t n_resources, n_hosts;
    struct rc_range span; /* when all of them are known */
};

/* Lists the resources of a layout, which must outlive the world.  Free with rc_sim_world_free(). */
int rc_sim_world(const struct rc_sim_layout *layout, const struct rc_load *load,
                 struct rc_sim_world *world, struct rc_error *error);
void rc_sim_world_free(struct rc_sim_world *world);

/* Fills in the steps from `from` to `to`, which is within the world's span. */
int rc_sim_world_steps(struct rc_sim_world *world, const struct rc_load *load, uint64_t seed,
                       double from, double to, struct rc_error *error);

/* Looks at all of them, from their steps, at the multiples of `every` in that time. */
int rc_sim_world_sample(struct rc_sim_world *world, double every, double from, double to,
                        struct rc_error *error);

/* What a run saw of the processors, and of the links, by their samples. */
int rc_sim_world_statistics(const struct rc_sim_world *world, double from, double to,
                            struct rc_series_load *cpu, struct rc_series_load *bandwidth,
                            struct rc_error *error);

/* ---- files for SimGrid ---- */

/* Writes platform.xml, the file `hosts` with a host for each process, and a file for each resource
 * whose availability changes into `directory`; the names of those begin with `prefix`, because
 * SimGrid looks for them in the current directory first.  Time 0 of the files is `start`. */
int rc_sim_files_write(const struct rc_sim_layout *layout, const struct rc_sim_world *world,
                       double start, const char *directory, const char *prefix,
                       struct rc_error *error);

/* ---- programs ---- */

/* The report of a program.  Numbers that it did not report are NAN. */
struct rc_sim_output {
    char app[RC_SIM_NAME_MAX]; /* "" where it was not reported */
    double n, p, iterations, memory, operations;
    double seconds; /* as it measured them */
    double total;   /* simulated seconds from the start of the processes to the end of the last */
    bool computed;  /* for real, which takes no simulated time */
};

/* Reads what SMPI and the program wrote; `ended` is how they ended badly ("it ended with status
 * 3"), and NULL otherwise.  -1, with the reason in SimGrid's or the program's own words, where it
 * ended badly, stopped in a deadlock, or its result is wrong. */
int rc_sim_output_read(const char *text, size_t length, const char *ended,
                       struct rc_sim_output *output, struct rc_error *error);

/* Adds what the program itself wrote, without SimGrid's lines and its report, to `printed`.  The
 * report of a skeleton is not left out, since a probe reads it. */
void rc_sim_output_text(const char *text, size_t length, struct rc_buffer *printed);

/* Finds the program for `name`: a path where it has a '/', otherwise in $RUNCAST_APPS, in apps/smpi
 * beside the running program, where it is installed, and in $PATH. */
int rc_sim_find_program(const char *name, char *path, size_t size, struct rc_error *error);

/* ---- runs ---- */

/* Reads a start: a length of time from the beginning of the load's ("1d", "90min"), or a date. */
int rc_sim_start_parse(const char *text, double base, double *start, struct rc_error *error);

struct rc_sim_job {
    struct rc_sim_choice choice;
    const struct rc_load *load;
    uint64_t seed;
    double base;  /* calendar time of the load's time 0 */
    double start; /* in the load's time; NAN: RC_SIM_START, or as soon as a recorded one allows */
    double every, history;
    const char *const *program; /* its name and arguments, up to a NULL */
    double n;                   /* where the program does not report it; NAN: by its arguments */
    const char *keep;           /* a directory for the files of the simulation; NULL: none */
    double point;               /* by which a sweep knows the run again; NAN: none */
    bool measured;              /* what it computes here takes time, besides what it counts */
    double here;                /* speed of a core here, for that; NAN: that of the first host */
};

/* A run, its hosts and its load.  Free with rc_sim_result_free(). */
struct rc_sim_result {
    struct rc_sim_layout layout;
    struct rc_sim_world world; /* sampled from before the run to its end */
    struct rc_sim_output output;
    struct rc_buffer printed;          /* what the program wrote besides, also where it failed */
    double start, seconds;             /* in the load's time */
    double history_from, sampled_from; /* the second has a sample that holds at the start */
    struct rc_series_load cpu, bandwidth;
};

/* Carries out the job; nothing is stored.  `monitor` (or NULL) is asked whether to stop. */
int rc_sim_run(const struct rc_sim_job *job, struct rc_sim_result *result,
               const struct rc_monitor *monitor, struct rc_error *error);
void rc_sim_result_free(struct rc_sim_result *result);

/* Stores the run and the samples up to its start, all or nothing.  `*id` is that of the run; 0
 * where the database has a run of the same point.  A run that was computed for real is refused: its
 * seconds are only those of its messages. */
int rc_sim_store(struct rc_db *db, const struct rc_sim_job *job, const struct rc_sim_result *result,
                 int64_t *id, struct rc_error *error);

#endif
