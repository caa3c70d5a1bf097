// SPDX-License-Identifier: BSD-2-Clause
/* cgroup.h - finds control groups of Linux, version 1 or 2. */
#ifndef RC_BASE_CGROUP_H
#define RC_BASE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

/* Which kinds of control groups are mounted. */
enum rc_cgroup_kind {
    RC_CGROUP_NONE = 0,
    RC_CGROUP_V1 = 1,
    RC_CGROUP_V2 = 2,
    RC_CGROUP_HYBRID = RC_CGROUP_V1 | RC_CGROUP_V2
};
enum rc_cgroup_kind rc_cgroup_kinds(const char *mountinfo);

/* The control group of a process, for one controller. */
struct rc_cgroup {
    int version;
    char directory[4096];
    size_t top; /* the length of the part of `directory` that is the mount point */
};

/* Finds it from /proc/PID/mountinfo and /proc/PID/cgroup: in the version 1 hierarchy of
 * `controller` if there is one, otherwise in the version 2 hierarchy, which may lack that
 * controller. -1 without either. */
int rc_cgroup_find(const char *mountinfo, const char *cgroup, const char *controller,
                   struct rc_cgroup *place);

/* Cuts `directory` down to its parent; false, with nothing done, at the mount point. */
bool rc_cgroup_up(struct rc_cgroup *place);

/* The same for this process, from the kernel's own files; `*kind` is set in any case. */
int rc_cgroup_own(const char *controller, struct rc_cgroup *place, enum rc_cgroup_kind *kind);

/* Whether the groups below this one, of version 2, can have no processes because it has some itself.
 * The top of the machine's hierarchy may have both; what looks like the top to a container may not,
 * although the kernel hands the controllers cpu and cpuset down there all the same. */
bool rc_cgroup_occupied(const char *directory);

#endif
