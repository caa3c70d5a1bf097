// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_fields.h - the fields of a platform, and of checks of platform files. */
#ifndef RC_ANSWER_PLATFORM_FIELDS_H
#define RC_ANSWER_PLATFORM_FIELDS_H

#include "platform/platform.h"
#include "report/field.h"

struct rc_answer_cluster {
    struct rc_cluster is; /* shares all that it points to with the platform */
    char *hosts;          /* as an expression */
    int64_t cores, capacity;
    double memory; /* of a process, when the cluster is full */
    struct rc_host_group *groups;
    size_t n_groups;
};

struct rc_answer_link {
    const char *from, *to; /* clusters */
    double bandwidth, latency;
};

/* How processes are placed. */
struct rc_answer_placement {
    const struct rc_cluster *on; /* NULL: none is shown */
    const char *cluster;
    int64_t processes;
    double memory;                /* of the process that has least */
    struct rc_host_group *groups; /* those with processes */
    size_t n_groups;
};

struct rc_answer_platform {
    const char *name, *currency; /* currency NULL: not known */
    size_t n_hosts;
    int64_t cores;
    struct rc_answer_cluster *clusters;
    size_t n_clusters;
    struct rc_answer_link *links;
    size_t n_links;
    struct rc_answer_placement placement;
};

/* Of struct rc_answer_platform, and of its lists. */
extern const struct rc_field rc_answer_platform[];
extern const struct rc_field rc_answer_cluster[];
extern const struct rc_field rc_answer_network[];
extern const struct rc_field rc_answer_link[];
/* Of struct rc_host_group: like hosts of a cluster, and hosts with processes. */
extern const struct rc_field rc_answer_group[];
extern const struct rc_field rc_answer_placed_group[];

/* The platform must outlive the answer.  Free with rc_answer_platform_free(), also
 * where this failed. */
int rc_answer_platform_make(const struct rc_platform *platform, struct rc_answer_platform *answer,
                            struct rc_error *error);
/* Adds the placement of so many processes on the cluster of that name; NULL: the only one. */
int rc_answer_platform_place(struct rc_answer_platform *answer, const struct rc_platform *platform,
                             const char *name, int64_t processes, struct rc_error *error);
void rc_answer_platform_free(struct rc_answer_platform *answer);

/* A check of a file. */
struct rc_answer_platform_check {
    const char *file;
    bool ok;
    const struct rc_error *error; /* of an invalid file */
    const char *name;             /* the rest is of a valid file */
    size_t clusters, hosts;
    int64_t cores;
    size_t links;
};
extern const struct rc_field rc_answer_platform_check[];

/* `platform` NULL: the file is invalid, by `error`. */
struct rc_answer_platform_check rc_answer_platform_check_make(const char *file,
                                                              const struct rc_platform *platform,
                                                              const struct rc_error *error);

#endif
