// SPDX-License-Identifier: GPL-3.0-or-later
/* record.c - 'runcast trace -o DIR -- COMMAND': an MPI program is run, and its calls are
 * recorded by an object that is loaded into it. */
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

struct work {
    const struct rc_cmd_trace_record_options *options;
    struct rc_trace_directory place;
    char object[PATH_MAX];
    const char *mpi;
    char **words; /* of the command, with what the launcher needs; belongs to this */
    struct rc_runner runner;
    struct rc_outcome outcome;
};

static const char *const mpis[] = {"openmpi", "mpich", "smpi", NULL};

#define OPTION(kind_, member)                                                                      \
    RC_OPTION_OF(struct rc_cmd_trace_record_options, kind_, member), .name = #member
const struct rc_option rc_cmd_trace_record_options[] = {
    {OPTION(FILE, output), .letter = 'o', .argument = "DIR",
     .help = "the directory for the recording; is made where there is none (required)"},
    {OPTION(CHOICE, mpi), .argument = "MPI", .choices = mpis,
     .help = "the MPI that the program uses: openmpi, mpich or, where it is simulated, smpi "
             "(default: what it links)"},
    {OPTION(FLAG, force), .letter = 'f', .help = "replace the recording that is in DIR"},
    {OPTION(FLAG, quiet), .letter = 'q', .help = "do not say what was recorded"},
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
                                "%s cannot be loaded into a program: there is a blank or colon "
                                "in its path",
                                work->object);
        return 0;
    }
    rc_error_set(error, "this runcast was built without %s", work->mpi);
    return rc_error_hint(error, "apt-get install %s, and build runcast anew",
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
        rc_cmd_note("the recording is not whole: %s", set->faults.texts[0]);
    else if (fault->text[0])
        rc_cmd_note("the recording is not whole: %s%s%s; see 'runcast trace check %s'", fault->file,
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
            "runcast: recorded %" PRIu32 " rank%s: %" PRIu64 " calls in %s, as %s\n"
            "hint: runcast trace info %s\n",
            set->ranks, rc_cell_plural(set->ranks, "s"), all->calls, seconds, size,
            work->options->output);
}

/* There is no file, or none that says anything. */
static int nothing_recorded(const struct work *work, bool started)
{
    struct rc_error error;

    if (started) {
        rc_error_set(&error, "nothing was recorded: the program was ended before anything that it "
                             "did came to an end");
        rc_error_hint(&error, "a loop is written when it ends: record a run that ends by itself");
    } else {
        rc_error_set(&error, "nothing was recorded: the program did not get through MPI_Init");
        rc_error_hint(&error, "is it there, does it use MPI, and is that %s? --mpi says otherwise",
                      work->mpi);
    }
    return rc_cmd_fail(&error, "recording");
}

static int keep(const struct work *work, const struct rc_invocation *invocation, bool *recorded)
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
        return rc_cmd_fail(&error, "getting ready to run the program");
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
    kept = keep(work, invocation, &recorded);
    rc_run_trace_directory_end(&work->place, recorded);
    if (WIFSIGNALED(work->outcome.status))
        return rc_cmd_end_by(WTERMSIG(work->outcome.status));
    status = WEXITSTATUS(work->outcome.status);
    return status != 0 ? status : kept;
}

int rc_cmd_trace_record(struct rc_invocation *invocation)
{
    struct work *work = calloc(1, sizeof *work);
    struct rc_error error = {0};
    int status;

    if (!work) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "recording");
    }
    work->options = invocation->options;
    status = work->options->output ? rc_cmd_check_program(invocation->arguments[0])
                                   : rc_cmd_usage_text(invocation, "--output DIR is missing");
    if (status == RC_EXIT_OK) {
        if (rc_run_trace_find_mpi(invocation->arguments, work->options->mpi, rc_nodes_program_mpi,
                                  &work->mpi, &error) != 0 ||
            find_object(work, &error) != 0 ||
            !(work->words = rc_run_trace_words(invocation->arguments, work->mpi, &error)) ||
            rc_run_trace_directory_begin(&work->place, work->options->output, work->options->force,
                                         &error) != 0)
            status = rc_cmd_fail(&error, "recording");
        else
            status = carry_out(work, invocation);
    }
    free(work->words);
    free(work);
    return status;
}
