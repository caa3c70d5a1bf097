// SPDX-License-Identifier: GPL-3.0-or-later
/* record.c - 'runcast trace record': runs an MPI program with a library loaded into it that records
 * its MPI calls. */
#include "cmd/trace/trace.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/terminal.h"
#include "mpi/trace/trace_set.h"
#include "report/cell.h"
#include "testbed/nodes/mpirun.h"
#include "run/run.h"
#include "run/mpi_detection.h"
#include "run/trace_command.h"
#include "run/trace_directory.h"

struct record_options {
    const char *output, *mpi;
    bool force, quiet;
};

struct work {
    const struct record_options *options;
    struct rc_trace_directory place;
    char object[PATH_MAX];
    const char *mpi;
    char **words; /* of the command, with what the launcher needs; belongs to this */
    struct rc_runner runner;
    struct rc_outcome outcome;
};

static const char *const mpis[] = {"openmpi", "mpich", "smpi", NULL};

#define OPTION(kind_, member) RC_OPTION_OF(struct record_options, kind_, member), .name = #member
static const struct rc_option record_options[] = {
    {OPTION(FILE, output), .letter = 'o', .argument = "PATH",
     .help = "output file or directory (required): the directory of the trace"},
    {OPTION(CHOICE, mpi), .argument = "MPI", .choices = mpis,
     .help = "MPI library: openmpi, mpich or smpi (default: the one that the program links)"},
    {OPTION(FLAG, force), .letter = 'f',
     .help = "proceed although a check failed; replaces a trace in DIR"},
    {OPTION(FLAG, quiet), .letter = 'q', .help = "print nothing but errors"},
    RC_OPTIONS_END,
};

static bool is_simulated(const struct work *work)
{
    return strcmp(work->mpi, RC_TRACE_SMPI) == 0;
}

/* ---- the object ---- */

/* Where it is: beside the program in a directory where runcast is built, or installed. */
static int find_object(struct work *work, struct rc_error *error)
{
    char self[PATH_MAX / 2] = "", *slash;
    const struct {
        const char *start, *directory;
    } places[] = {{self, "/src/mpi/preload"},
                  {self, "/../" RC_LIBRARY_NAME "/runcast"},
                  {RC_LIBRARY_PATH, "/runcast"}};
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(work->object, sizeof work->object, "%s%s/libruncast-pmpi-%s.so", places[i].start,
                 places[i].directory, work->mpi);
        if (access(work->object, R_OK) != 0)
            continue;
        if (strpbrk(work->object, " :")) /* they divide what LD_PRELOAD names */
            return rc_error_set(error,
                                "%s cannot be loaded into a program: its path has a blank or a "
                                "colon",
                                work->object);
        return 0;
    }
    rc_error_set(error, "runcast was built without %s", work->mpi);
    return rc_error_hint(error, "apt-get install %s, and build runcast again",
                         is_simulated(work)                ? "libsimgrid-dev"
                         : strcmp(work->mpi, "mpich") == 0 ? "libmpich-dev"
                                                           : "libopenmpi-dev");
}

/* ---- afterwards ---- */

static int exit_status(const struct work *work)
{
    return WIFSIGNALED(work->outcome.status) ? 128 + WTERMSIG(work->outcome.status)
                                             : WEXITSTATUS(work->outcome.status);
}

/* What is wrong with the first file that is not whole, or with how they fit. */
static void say_fault(const struct work *work, const struct rc_trace_set *set,
                      const struct rc_error *fault)
{
    if (set->faults.kept > 0)
        rc_cmd_note("the trace is not complete: %s", set->faults.texts[0]);
    else if (fault->text[0])
        rc_cmd_note("the trace is not complete: %s%s%s; see 'runcast trace check %s'", fault->file,
                    fault->file[0] ? ": " : "", fault->text, work->options->output);
}

/* In one line. */
static void say_what(const struct work *work, const struct rc_trace_set *set,
                     const struct rc_trace_summary *all)
{
    char size[RC_UNIT_SIZE], seconds[RC_UNIT_SIZE];

    if (work->options->quiet || !rc_terminal_is(stderr))
        return;
    rc_unit_format((double)all->bytes, RC_BYTES, size);
    rc_unit_format(work->outcome.seconds, RC_SECONDS, seconds);
    fprintf(stderr,
            "runcast: traced %" PRIu32 " rank%s: %" PRIu64
            " calls, run time %s, size of the trace %s\n"
            "hint: runcast trace info %s\n",
            set->ranks, rc_cell_plural(set->ranks, "s"), all->calls, seconds, size,
            work->options->output);
}

/* There is no file, or none with a call. */
static int nothing_recorded(const struct work *work, bool started)
{
    struct rc_error error;

    if (started) {
        rc_error_set(&error, "nothing was recorded: the program ended before its first loop did");
        rc_error_hint(&error, "a loop is written when it ends; trace a run that ends normally");
    } else {
        rc_error_set(&error, "nothing was recorded: the program did not complete MPI_Init");
        rc_error_hint(&error,
                      "check that the program exists and uses %s; --mpi selects another MPI",
                      work->mpi);
    }
    return rc_cmd_fail(&error, "tracing");
}

static int finish_trace(const struct work *work, const struct rc_invocation *invocation,
                        bool *recorded)
{
    struct rc_error error = {0}, fault = {0};
    struct rc_trace_set *set = rc_trace_set_open(work->place.directory, &error);
    /* The seconds here are not those of a simulated run. */
    const struct rc_trace_run run = {.command = invocation->arguments,
                                     .runcast = rc_version(),
                                     .mpi = work->mpi,
                                     .began = work->outcome.start,
                                     .seconds = is_simulated(work) ? NAN : work->outcome.seconds,
                                     .status = exit_status(work)};
    struct rc_trace_summary all = {0};
    int status;

    if (set)
        rc_trace_set_check(set, &all, &fault);
    *recorded = set && (all.calls > 0 || !fault.text[0]);
    if (!*recorded) {
        status = nothing_recorded(work, set);
        rc_trace_set_close(set);
        return status;
    }
    status =
        rc_trace_about_write(set, &run, &error) ? rc_cmd_fail(&error, "recording") : RC_EXIT_OK;
    if (status == RC_EXIT_OK) {
        say_fault(work, set, &fault);
        say_what(work, set, &all);
    }
    rc_trace_set_close(set);
    return status;
}

/* ---- all of it ---- */

/* Runs it with the object: RC_EXIT_OK once it has ended, however that was. */
static int run_program(struct work *work)
{
    const struct rc_sensors sensors = {0};
    struct rc_error error = {0};
    int not_started = RC_EXIT_FAILED, status;

    if (rc_run_trace_environment(work->object, work->place.directory, &error) != 0 ||
        rc_run_runner_begin(&work->runner, &error) != 0)
        return rc_cmd_fail(&error, "preparing the run");
    status = rc_run_runner_run(&work->runner, work->words, &sensors, &work->outcome, &not_started,
                               &error);
    rc_run_runner_end(&work->runner);
    unsetenv("LD_PRELOAD");
    if (status == 0)
        return RC_EXIT_OK;
    rc_cmd_fail(&error, "running the program");
    return not_started;
}

static int carry_out(struct work *work, const struct rc_invocation *invocation)
{
    int status = run_program(work), kept;
    bool recorded = false;

    if (status != RC_EXIT_OK) {
        rc_run_trace_directory_end(&work->place, false);
        return status;
    }
    kept = finish_trace(work, invocation, &recorded);
    rc_run_trace_directory_end(&work->place, recorded);
    if (WIFSIGNALED(work->outcome.status))
        return rc_cmd_end_by(WTERMSIG(work->outcome.status));
    status = WEXITSTATUS(work->outcome.status);
    return status != 0 ? status : kept;
}

static int run_record(struct rc_invocation *invocation)
{
    struct work *work = calloc(1, sizeof *work);
    struct rc_error error = {0};
    int status;

    if (!work) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "tracing");
    }
    work->options = invocation->options;
    status = work->options->output ? rc_cmd_check_program(invocation->arguments[0])
                                   : rc_cmd_usage_text(invocation, "missing --output DIR");
    if (status == RC_EXIT_OK) {
        if (rc_run_trace_find_mpi(invocation->arguments, work->options->mpi, rc_nodes_program_mpi,
                                  &work->mpi, &error) != 0 ||
            find_object(work, &error) != 0 ||
            !(work->words = rc_run_trace_words(invocation->arguments, work->mpi, &error)) ||
            rc_run_trace_directory_begin(&work->place, work->options->output, work->options->force,
                                         &error) != 0)
            status = rc_cmd_fail(&error, "tracing");
        else
            status = carry_out(work, invocation);
    }
    free(work->words);
    free(work);
    return status;
}

const struct rc_command rc_command_trace_record = {
    .name = "record",
    .summary = "Run an MPI program and trace it",
    .arguments = "-- COMMAND [ARGUMENT...]",
    .details =
        "Runs the command unchanged, with a library loaded into the program that records each MPI "
        "call. The library does not communicate. If it fails, it stops tracing with a message, and "
        "the program continues. Input, output, signals and exit status are those of the command. "
        "On "
        "several hosts, DIR and runcast must be on a file system that all of them share. Programs "
        "on simulated clusters ('runcast lab sim', smpirun) are traced with simulated times.",
    .examples = "  runcast trace record -o heat.trace -- mpirun -np 4 ./heat 1000\n"
                "  runcast trace record -o md.trace -- runcast lab mpirun --procs 4 ./md 4000\n"
                "  runcast trace record -o cg.trace -- \\\n"
                "      runcast lab sim --platform-file grid.yaml --procs 4 ./cg\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .command_at = 1,
    .options = record_options,
    .options_size = sizeof(struct record_options),
    .run = run_record,
};
