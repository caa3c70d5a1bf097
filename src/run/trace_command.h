// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_command.h - which MPI a program uses, and the command that runs it with the object that
 * records its calls. */
#ifndef RC_RUN_TRACE_COMMAND_H
#define RC_RUN_TRACE_COMMAND_H

#include "runcast.h"

/* The MPI of programs on simulated clusters. */
#define RC_TRACE_SMPI "smpi"

/* Finds the MPI of the program in a command (words up to a NULL), "openmpi", "mpich" or
 * RC_TRACE_SMPI: the one that is `asked` for, if that can be, or (`asked` NULL) what the program
 * links, or its launcher belongs to.  `inspect` looks into a program, and returns NULL where it
 * finds none.  -1 where none is found, or the launcher is that of another MPI. */
int rc_run_trace_find_mpi(char *const *words, const char *asked,
                          const char *(*inspect)(const char *program), const char **mpi,
                          struct rc_error *error);

/* The words of a command, with what its launcher needs so that processes on other hosts are
 * recorded too.  To be freed, the words are those given; NULL where memory runs out. */
char **rc_run_trace_words(char *const *words, const char *mpi, struct rc_error *error);

/* Sets the variables of this process by which programs load the object and find the directory. */
int rc_run_trace_environment(const char *object, const char *directory, struct rc_error *error);

#endif
