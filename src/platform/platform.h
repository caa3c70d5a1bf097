// SPDX-License-Identifier: GPL-3.0-or-later
/* platform.h - platforms: functions that runcast.h does not have. */
#ifndef RC_PLATFORM_PLATFORM_H
#define RC_PLATFORM_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum {
    RC_CORES_MAX = 65536,    /* of one host */
    RC_PER_HOST_MAX = 65536, /* processes placed on one host */
    RC_NAME_MAX = 128        /* bytes of the name of a platform, cluster or network */
};

/* Which cluster has this name, or n_clusters where none has. */
size_t rc_platform_find_cluster(const struct rc_platform *platform, const char *name);

/* A host by its name, and its cluster; NULL where there is none of that name.  `cluster` may be
 * NULL. */
const struct rc_host *rc_platform_find_host(const struct rc_platform *platform, const char *name,
                                            const struct rc_cluster **cluster);

/* Totals over the whole platform. */
size_t rc_platform_host_count(const struct rc_platform *platform);
int64_t rc_platform_core_count(const struct rc_platform *platform);
int64_t rc_platform_cluster_core_count(const struct rc_cluster *cluster);

/* All hosts of a cluster as one expression, in their order; to be freed by the caller. */
char *rc_platform_cluster_hosts(const struct rc_cluster *cluster, struct rc_error *error);

/* "packed" or "spread". */
const char *rc_platform_placement_order_name(enum rc_placement_order order);

/* Hosts of a cluster that are alike. */
struct rc_host_group {
    char *hosts; /* as an expression */
    size_t count;
    int cores;
    double memory, speed;
    int processes;         /* on each of them; 0 where no processes are placed */
    double process_memory; /* of each process */
};

/* Splits the hosts of `cluster` into groups of like ones; `processes` (or NULL) has the number on
 * each host, and then hosts with unlike numbers are unlike.  The group of the first host comes
 * first, and so on.  Returns how many there are in `*groups`, or -1.  Free with
 * rc_platform_host_groups_free(). */
int64_t rc_platform_cluster_groups(const struct rc_cluster *cluster, const int *processes,
                                   struct rc_host_group **groups, struct rc_error *error);
void rc_platform_host_groups_free(struct rc_host_group *groups, int64_t count);

#endif
