// SPDX-License-Identifier: GPL-3.0-or-later
/* launch_layout.h - how many processes a command starts, and on which hosts, read from its words.
 *
 * What the command line of a launcher does not say is looked for in a Slurm allocation and in host
 * files that the environment names, as the launcher itself would.  Nothing is guessed: what
 * cannot be read is an error. */
#ifndef RC_RUN_LAUNCH_LAYOUT_H
#define RC_RUN_LAUNCH_LAYOUT_H

#include "platform/hostlist.h"
#include "run/launcher.h"
#include "runcast.h"

enum { RC_LAUNCH_PROCESSES_MAX = 1000000000, RC_LAUNCH_PROGRAMS_SIZE = 256 };

/* What surrounds the command; tests have one of their own. */
struct rc_launch_world {
    const char *host; /* the name of this machine, which "localhost" stands for */
    /* A variable of the environment; NULL where it is not set. */
    const char *(*variable)(void *data, const char *name);
    /* The nodes of a lab by its name (NULL: the default one), in their order; or NULL. */
    int (*lab)(void *data, const char *name, struct rc_hostlist *nodes, struct rc_error *error);
    void *data;
};

struct rc_launch {
    int64_t processes;                  /* 0: to be found */
    struct rc_hostlist hosts;           /* none: to be found */
    bool local;                         /* all runs on this machine, whatever is said of hosts */
    bool hosts_wanted;                  /* it is an error where the hosts cannot be told */
    const struct rc_launcher *launcher; /* found; NULL: none that is known */
    /* The names that its processes have, between commas, as far as the command tells; else "". */
    char programs[RC_LAUNCH_PROGRAMS_SIZE];
};

/* Fills in what `launch` leaves open, from the words of a command up to a NULL.  -1, with a code for
 * what is missing, where something cannot be read. */
int rc_run_launch_read(struct rc_launch *launch, char *const *words,
                       const struct rc_launch_world *world, struct rc_error *error);
void rc_run_launch_free(struct rc_launch *launch);

/* Whether `name` is this machine, called `host`: with or without its domain, or localhost. */
bool rc_run_is_this_host(const char *name, const char *host);

#endif
