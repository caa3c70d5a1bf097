// SPDX-License-Identifier: GPL-3.0-or-later
/* launch_layout.h - reads from a command how many processes it starts, and on which hosts.
 *
 * What the command line of a launcher lacks comes from a Slurm allocation and from host files that
 * the environment names, as for the launcher itself.  A command without a known launcher is one
 * process on this machine, unless the environment has an allocation.  Nothing else is guessed: the
 * unknown is an error. */
#ifndef RC_RUN_LAUNCH_LAYOUT_H
#define RC_RUN_LAUNCH_LAYOUT_H

#include "platform/hostlist.h"
#include "run/launcher.h"
#include "runcast.h"

enum { RC_LAUNCH_PROCESSES_MAX = 1000000000, RC_LAUNCH_PROGRAMS_SIZE = 256 };

/* The surroundings of the command, which tests replace. */
struct rc_launch_world {
    const char *host; /* the name of this machine, which "localhost" stands for */
    /* A variable of the environment; NULL where it is not set. */
    const char *(*variable)(void *data, const char *name);
    /* The nodes of a lab by its name (NULL: the default one), in their order; or NULL. */
    int (*lab)(void *data, const char *name, struct rc_hostlist *nodes, struct rc_error *error);
    void *data;
};

struct rc_launch {
    int64_t processes;        /* 0: to be found */
    struct rc_hostlist hosts; /* none: to be found */
    bool local;               /* all processes run on this machine, whatever the hosts are */
    bool hosts_wanted;        /* unknown hosts are an error */
    bool assumed;             /* set if one process on this machine is only the assumption for a
                                 command without a known launcher */
    const struct rc_launcher *launcher; /* NULL: unknown */
    /* The names of its processes, separated by commas; "": unknown. */
    char programs[RC_LAUNCH_PROGRAMS_SIZE];
};

/* Fills in what `launch` leaves open, from the words of a command up to a NULL.  -1, with a code
 * for what is missing, where something cannot be read. */
int rc_run_launch_read(struct rc_launch *launch, char *const *words,
                       const struct rc_launch_world *world, struct rc_error *error);
void rc_run_launch_free(struct rc_launch *launch);

/* Whether `name` is this machine, called `host`: with or without its domain, or localhost. */
bool rc_run_is_this_host(const char *name, const char *host);

#endif
