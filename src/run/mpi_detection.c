// SPDX-License-Identifier: GPL-3.0-or-later
/* mpi_detection.c - which MPI a program uses. */
#include "run/mpi_detection.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/process.h"
#include "run/launcher.h"

enum { OUTPUT_MAX = 1 << 20 }; /* bytes of what the loader writes */

static const struct {
    const char *text, *mpi;
} marks[] = {
    {"libmpich.so", "mpich"}, {"libmpi.so.12", "mpich"}, {"libmpi.so", "openmpi"},
    {"mpich", "mpich"},       {"hydra", "mpich"},        {"openmpi", "openmpi"},
    {"orterun", "openmpi"},   {"prterun", "openmpi"},
};

/* The first ones are names of libraries, and leave no doubt. */
enum { LIBRARY_MARKS = 3, MARKS = sizeof marks / sizeof *marks };

static const char *find_mark(const char *text, size_t n_marks)
{
    for (size_t i = 0; i < n_marks; i++)
        if (strstr(text, marks[i].text))
            return marks[i].mpi;
    return NULL;
}

/* A program may use MPI through another library. */
static const char *ask_loader(const char *program, size_t n_marks)
{
    struct rc_buffer output = RC_BUFFER_INIT(OUTPUT_MAX);
    struct rc_process_result result;
    char path[PATH_MAX];
    const char *argv[] = {"ldd", path, NULL}, *mpi = NULL;

    if (rc_process_find(program, path, sizeof path) == 0 &&
        rc_process_run(argv, NULL, &output, &result, NULL) == 0 && output.data)
        mpi = find_mark(output.data, n_marks);
    rc_buffer_free(&output);
    return mpi;
}

/* The launcher in a command, and where its program is; NULL where there is none that is known. */
static const struct rc_launcher *find_launcher(char *const *words, char real[PATH_MAX])
{
    const struct rc_launcher *launcher;
    char path[PATH_MAX];
    size_t n;

    words = rc_run_launcher_skip_wrappers(words);
    launcher = rc_run_launcher_find(words, &n);
    return launcher && rc_process_find(words[0], path, sizeof path) == 0 && realpath(path, real)
               ? launcher
               : NULL;
}

/* Processes of one MPI that the launcher of another one starts each take themselves for all of the
 * program. */
static int check_launcher(char *const *words, const char *program, struct rc_error *error)
{
    const char *linked = ask_loader(program, LIBRARY_MARKS), *launcher_of;
    char real[PATH_MAX];
    const struct rc_launcher *launcher = find_launcher(words, real);

    if (!linked || !launcher ||
        (launcher->kind != RC_LAUNCHER_MPIRUN && launcher->kind != RC_LAUNCHER_MPICH))
        return 0;
    launcher_of = find_mark(strrchr(real, '/'), MARKS); /* directories may be called anything */
    if (!launcher_of || strcmp(launcher_of, linked) == 0)
        return 0;
    rc_error_set(error, "%s belongs to %s, but %s uses %s; each process would run alone",
                 launcher->name, launcher_of, program, linked);
    return rc_error_code(error, "run.other-launcher", "%s", linked);
}

/* What starts programs of simulated clusters: smpirun, or our own command for that. */
static bool is_simulator(char *const *words)
{
    const char *name;

    words = rc_run_launcher_skip_wrappers(words);
    name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    return strcmp(name, "smpirun") == 0 ||
           (words[1] && words[2] && strcmp(words[1], "lab") == 0 && strcmp(words[2], "sim") == 0);
}

int rc_run_trace_find_mpi(char *const *words, const char *asked,
                          const char *(*inspect)(const char *program), const char **mpi,
                          struct rc_error *error)
{
    const char *program = rc_run_launcher_program(words), *linked = NULL;
    char real[PATH_MAX];

    *mpi = asked;
    if (asked && program)
        linked = ask_loader(program, LIBRARY_MARKS);
    /* With the object for another MPI it would crash. */
    if (linked && strcmp(linked, asked) != 0)
        return rc_error_set(error, "%s uses %s, not %s", program, linked, asked);
    if (!asked && program && check_launcher(words, program, error) != 0)
        return -1;
    if (!*mpi && is_simulator(words))
        *mpi = RC_TRACE_SMPI;
    if (!*mpi && program)
        *mpi = inspect(program);
    if (!*mpi && program)
        *mpi = ask_loader(program, MARKS);
    if (!*mpi) /* for example a script: then the launcher decides */
        *mpi = find_launcher(words, real) ? find_mark(real, MARKS) : NULL;
    if (!*mpi)
        return rc_error_set_code(error, "run.unknown-mpi",
                                 "unknown MPI: %s links no MPI library that runcast knows",
                                 program ? program : words[0]);
    if (strcmp(*mpi, RC_TRACE_SMPI) == 0 && !asked && !is_simulator(words))
        return rc_error_set_code(error, "run.simulated-program", "%s is for simulated clusters",
                                 program ? program : "the program");
    return 0;
}
