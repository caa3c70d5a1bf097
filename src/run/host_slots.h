// SPDX-License-Identifier: GPL-3.0-or-later
/* host_slots.h - hosts and how many processes each takes, as host files and launchers' options list
 * them. */
#ifndef RC_RUN_HOST_SLOTS_H
#define RC_RUN_HOST_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "runcast.h"

enum {
    RC_SLOTS_HOSTS_MAX = 4096,      /* hosts of one run */
    RC_SLOTS_COUNT_MAX = 1 << 20,   /* processes on one host */
    RC_HOSTFILE_SIZE_MAX = 1 << 22, /* bytes of a host file */
    RC_HOSTFILE_LINE_MAX = 4096
};

struct rc_slots_host {
    char *name;
    int64_t said;  /* processes that it was said to take, over all mentions; 0: not said */
    int64_t named; /* how often it is named */
};

/* In the order in which they are named first.  Start from {0}; free with rc_run_slots_free(). */
struct rc_slots {
    struct rc_slots_host *hosts;
    size_t n;
};
void rc_run_slots_free(struct rc_slots *slots);

/* Names a host once more; `count` 0: how many processes it takes is not said.  A user before an
 * '@' is left out. */
int rc_run_slots_add(struct rc_slots *slots, const char *name, size_t length, int64_t count,
                     struct rc_error *error);

/* A list as -H of Open MPI and -hosts of MPICH take it: "a1:4,a2,a3:2". */
int rc_run_slots_list(struct rc_slots *slots, const char *text, struct rc_error *error);

/* A host file: of Open MPI ("a1 slots=4"), of MPICH ("a1:4"), of PBS (a line for each process) or
 * of Grid Engine ("a1 4 queue ...").  '#' begins a remark.  `name` stands for the file in errors,
 * which have a line. */
int rc_run_slots_parse_file(struct rc_slots *slots, const char *text, size_t length,
                            const char *name, struct rc_error *error);
int rc_run_slots_read_file(struct rc_slots *slots, const char *path, struct rc_error *error);

#endif
