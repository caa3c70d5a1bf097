// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_command.h - the command that runs a program with the object that records its calls. */
#ifndef RC_RUN_TRACE_COMMAND_H
#define RC_RUN_TRACE_COMMAND_H

#include "runcast.h"

/* The words of a command, with what its launcher needs so that processes on other hosts are
 * recorded too.  To be freed, the words are those given; NULL where memory runs out. */
char **rc_run_trace_words(char *const *words, const char *mpi, struct rc_error *error);

/* Sets the variables of this process by which programs load the object and find the directory. */
int rc_run_trace_environment(const char *object, const char *directory, struct rc_error *error);

#endif
