// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_command.c - the command that runs a program with the object that records its calls. */
#include "run/trace_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "run/launcher.h"

enum { OUTPUT_MAX = 1 << 20 };

/* Open MPI starts processes on other hosts with the variables that it is given. */
char **rc_run_trace_words(char *const *words, const char *mpi, struct rc_error *error)
{
    static char option[] = "-x", preload[] = "LD_PRELOAD", where[] = "RUNCAST_TRACE_DIR";
    const struct rc_launcher *launcher;
    char *const *at = rc_run_launcher_skip_wrappers(words);
    size_t names, n = 0;
    char **all;

    while (words[n])
        n++;
    all = calloc(n + 5, sizeof *all);
    if (!all)
        return rc_error_null(rc_error_no_memory(error));
    n = 0;
    launcher = rc_run_launcher_find(at, &names);
    for (char *const *word = words; *word; word++) {
        all[n++] = *word;
        if (word == at && launcher && launcher->kind == RC_LAUNCHER_MPIRUN &&
            strcmp(mpi, "openmpi") == 0) {
            char *const more[] = {option, preload, option, where};

            memcpy(all + n, more, sizeof more);
            n += 4;
        }
    }
    return all;
}

int rc_run_trace_environment(const char *object, const char *directory, struct rc_error *error)
{
    const char *before = getenv("LD_PRELOAD");
    struct rc_buffer text = RC_BUFFER_INIT(OUTPUT_MAX);
    int status;

    status = rc_buffer_printf(&text, "%s%s%s", object, before && *before ? ":" : "",
                              before ? before : "");
    if (status != 0 || setenv("LD_PRELOAD", text.data, 1) != 0 ||
        setenv("RUNCAST_TRACE_DIR", directory, 1) != 0)
        status = rc_error_no_memory(error);
    rc_buffer_free(&text);
    return status;
}
