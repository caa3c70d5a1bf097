// SPDX-License-Identifier: GPL-3.0-or-later
/* launcher.h - the command lines of launchers of parallel programs, as tables. */
#ifndef RC_RUN_LAUNCHER_H
#define RC_RUN_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/* The meaning of an option of a launcher for processes and hosts. */
enum rc_launcher_meaning {
    RC_LAUNCHER_NOTHING,
    RC_LAUNCHER_PROCESSES,    /* how many */
    RC_LAUNCHER_HOSTS,        /* on which: a1:4,a2 */
    RC_LAUNCHER_NODELIST,     /* on which: a[1-4] */
    RC_LAUNCHER_HOSTFILE,     /* a file; a host without a number takes as many as it has cores */
    RC_LAUNCHER_MACHINEFILE,  /* a file; a host without a number takes one before the next does */
    RC_LAUNCHER_PER_NODE,     /* how many on each host, and so how many in all */
    RC_LAUNCHER_ROUND,        /* how many on a host before the next gets some */
    RC_LAUNCHER_ONE_PER_NODE, /* a flag: one on each */
    RC_LAUNCHER_BY_NODE,      /* a flag: to each host in turn */
    RC_LAUNCHER_MAP_BY,       /* node, slot, ppr:N:node ... */
    RC_LAUNCHER_NODES,        /* on how many hosts */
    RC_LAUNCHER_LAB,          /* in which lab of virtual nodes */
    RC_LAUNCHER_HIDES         /* places processes in an unsupported way */
};

/* A table ends with a NULL name. */
struct rc_launcher_option {
    const char *name; /* without dashes; one or two do */
    int words;        /* that follow it */
    enum rc_launcher_meaning meaning;
};

enum rc_launcher_kind {
    RC_LAUNCHER_MPIRUN, /* Open MPI or MPICH, which often have the same name */
    RC_LAUNCHER_MPICH,  /* MPICH for sure */
    RC_LAUNCHER_SRUN,
    RC_LAUNCHER_LAB_MPIRUN
};

struct rc_launcher {
    const char *name;
    enum rc_launcher_kind kind;
    const struct rc_launcher_option *options;
    const char *const *others; /* names of the options that mean nothing here: those that stand
                                  alone, that a word follows, and that two words follow */
    bool letters;              /* one letter may have its word joined to it: -n4 */
};

/* The launcher that `words` (up to a NULL) begin with, by the last part of its path, and how many
 * words its name has; NULL: unknown launcher. */
const struct rc_launcher *rc_run_launcher_find(char *const *words, size_t *n_words);

/* The option of a launcher that `word` is; `*value` is what is joined to it ("--np=4"), or NULL.
 * NULL: unknown option. */
const struct rc_launcher_option *rc_run_launcher_option_find(const struct rc_launcher *launcher,
                                                             const char *word, const char **value);

/* How many of `words` are a program that starts another one in its own place, with its options
 * (env, nice, time, numactl and the like); 0: none, or unknown. */
size_t rc_run_launcher_wrapper(char *const *words);

/* The words behind all of those; these may be none. */
char *const *rc_run_launcher_skip_wrappers(char *const *words);

/* The word of a command that is the program which a launcher starts, behind wrappers and options;
 * without a launcher, the first word behind the wrappers.  NULL: unknown. */
const char *rc_run_launcher_program(char *const *words);

#endif
