// SPDX-License-Identifier: GPL-3.0-or-later
/* smpi_launch.c - starting a program under SMPI.
 *
 * `smpirun` is a shell script that ends in starting `smpimain`, and breaks arguments at blanks on
 * the way; were it killed, smpimain would go on.  So smpimain, whose path stands in the script, is
 * started as the script would. */
#include "testbed/sim/smpi_launch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "base/unit.h"

enum { PATH_SIZE = 4096, SCRIPT_MAX = 1 << 18, ARGUMENTS_MAX = 1000, OPTION_SIZE = 1200 };

extern char **environ;

/* ---- finding programs ---- */

/* Whether `name` is in `directory`, or somewhere from there. */
static bool is_in(const char *directory, const char *from, const char *name, char *path,
                  size_t size)
{
    char found[PATH_SIZE];

    return directory && *directory &&
           snprintf(path, size, "%s%s/%s", directory, from, name) < (int)size &&
           rc_process_find(path, found, sizeof found) == 0;
}

int rc_sim_find_program(const char *name, char *path, size_t size, struct rc_error *error)
{
    char here[PATH_SIZE] = "", *slash;
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);

    if (strchr(name, '/')) {
        if (rc_process_find(name, path, size) == 0)
            return 0;
        return rc_error_set(error, "cannot find the program %s", name);
    }
    here[length > 0 ? length : 0] = '\0';
    if ((slash = strrchr(here, '/')))
        *slash = '\0';
    if (is_in(getenv("RUNCAST_APPS"), "", name, path, size) ||
        is_in(here, "/apps/smpi", name, path, size) ||
        is_in(here, "/../lib/runcast/apps/smpi", name, path, size) ||
        rc_process_find(name, path, size) == 0)
        return 0;
    rc_error_set(error, "cannot find the program '%s'", name);
    return rc_error_hint(error, "'make apps' in the sources of runcast builds the workloads; "
                                "RUNCAST_APPS is their directory (build/apps/smpi there)");
}

/* The text between quotes that ends in /smpimain. */
static int scan_script(const struct rc_buffer *script, char path[PATH_SIZE])
{
    static const char end[] = "/smpimain\"";
    const char *found = memmem(script->data, script->length, end, sizeof end - 1), *begin = found;

    while (begin && begin > script->data && begin[-1] != '"')
        begin--;
    return found && *begin == '/' &&
                   snprintf(path, PATH_SIZE, "%.*s", (int)(found + sizeof end - 2 - begin), begin) <
                       PATH_SIZE
               ? 0
               : -1;
}

static int find_smpimain(char path[PATH_SIZE], struct rc_error *error)
{
    struct rc_buffer script = RC_BUFFER_INIT(SCRIPT_MAX);
    char found[PATH_SIZE];
    int status = rc_process_find("smpirun", path, PATH_SIZE);

    if (status)
        return rc_error_set_code(error, "sim.no-simgrid", "cannot find SimGrid's smpirun");
    status = rc_buffer_read_file(&script, path, error);
    if (status == 0 &&
        (!script.data || scan_script(&script, path) || rc_process_find(path, found, sizeof found)))
        status = rc_error_set(error, "SimGrid's smpirun does not name smpimain");
    rc_buffer_free(&script);
    return status;
}

/* ---- running ---- */

/* The options, in the order that smpirun gives them; "%s" stands for the directory. */
static const char *const fixed_options[] = {
    "--cfg=smpi/privatization:1",
    "--cfg=smpi/hostfile:%s/hosts",
    "--cfg=smpi/tmpdir:%s",
    "--cfg=surf/precision:1e-9",
    "--cfg=network/model:SMPI",
    /* Profiles of hosts and links that change at one instant are taken for a deadlock otherwise. */
    "--cfg=network/optim:Full",
    /* With it, a link that gets faster can make the share of a message that comes the other way
     * negative, and SimGrid give up. */
    "--cfg=network/crosstraffic:no",
    "--cfg=smpi/shared-malloc:global",
    "--cfg=smpi/shared-malloc-blocksize:16777216",
    "--cfg=smpi/display-timing:yes",
    "--log=root.thres:warning",
    "--log=smpi_utils.thres:info",
    "--log=root.fmt:@%.12r@%c@%p@%m%n",
    "%s/platform.xml",
    /* SimGrid would take a --help of the program's for its own. */
    "--",
};
enum { N_FIXED = sizeof fixed_options / sizeof *fixed_options };

struct call {
    char options[N_FIXED + 2][OPTION_SIZE];
    const char *argv[ARGUMENTS_MAX + N_FIXED + 6];
    char library[OPTION_SIZE + 4096], size[64];
    const char **environment;
};

/* Computing takes the time that the program declares, and also the time measured here unless `here`
 * is NAN. */
static size_t add_computing(struct call *call, size_t n, double here)
{
    char *speed = call->options[N_FIXED + 1];

    call->argv[n++] =
        isnan(here) ? "--cfg=smpi/simulate-computation:no" : "--cfg=smpi/simulate-computation:yes";
    snprintf(speed, OPTION_SIZE, "--cfg=smpi/host-speed:%.17gf", isnan(here) ? 1e9 : here);
    call->argv[n++] = speed;
    return n;
}

static int fill_call(struct call *call, const char *smpimain, const struct rc_sim_start *start,
                     const struct rc_sim_directory *directory, struct rc_error *error)
{
    const char *const *program = start->program;
    size_t n = 0;

    call->argv[n++] = smpimain;
    call->argv[n++] = program[0];
    snprintf(call->options[N_FIXED], OPTION_SIZE, "--cfg=smpi/np:%lld",
             (long long)start->processes);
    call->argv[n++] = call->options[N_FIXED];
    n = add_computing(call, n, start->here);
    for (size_t i = 0; i < N_FIXED; i++) {
        const char *mark = strstr(fixed_options[i], "%s");

        if (mark)
            snprintf(call->options[i], OPTION_SIZE, "%.*s%s%s", (int)(mark - fixed_options[i]),
                     fixed_options[i], directory->path, mark + 2);
        call->argv[n++] = mark ? call->options[i] : fixed_options[i];
    }
    for (size_t i = 1; program[i]; i++) {
        if (i > ARGUMENTS_MAX)
            return rc_error_set(error, "more than %d arguments", ARGUMENTS_MAX);
        call->argv[n++] = program[i];
    }
    call->argv[n] = NULL;
    return 0;
}

static int fill_environment(struct call *call, int64_t processes,
                            const struct rc_sim_directory *directory, struct rc_error *error)
{
    const char *library = getenv("LD_LIBRARY_PATH");
    size_t n = 0, kept = 0;

    while (environ[n])
        n++;
    call->environment = calloc(n + 3, sizeof *call->environment);
    if (!call->environment)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LD_LIBRARY_PATH=", 16) != 0 &&
            strncmp(environ[i], "SMPI_GLOBAL_SIZE=", 17) != 0)
            call->environment[kept++] = environ[i];
    if (snprintf(call->library, sizeof call->library, "LD_LIBRARY_PATH=%s%s%s", directory->path,
                 library ? ":" : "", library ? library : "") >= (int)sizeof call->library)
        return rc_error_set(error, "LD_LIBRARY_PATH is too long");
    snprintf(call->size, sizeof call->size, "SMPI_GLOBAL_SIZE=%lld", (long long)processes);
    call->environment[kept++] = call->library;
    call->environment[kept] = call->size;
    return 0;
}

/* How it ended, in words; NULL where it ended well. */
static const char *tell_end(const struct rc_process_result *result, char *text, size_t size)
{
    const char *name = result->end == RC_PROCESS_SIGNALLED ? sigabbrev_np(result->status) : NULL;

    if (result->end == RC_PROCESS_EXITED && result->status == 0)
        return NULL;
    if (result->end == RC_PROCESS_SIGNALLED)
        snprintf(text, size, "the program was killed by signal %d%s%s%s", result->status,
                 name ? " (SIG" : "", name ? name : "", name ? ")" : "");
    else
        snprintf(text, size, "the program ended with status %d", result->status);
    return text;
}

static int carry_out(const struct call *call, const struct rc_monitor *monitor,
                     struct rc_sim_output *output, struct rc_buffer *printed,
                     struct rc_error *error)
{
    struct rc_process_options options = {.seconds = INFINITY,
                                         .environment = call->environment,
                                         .monitor = monitor};
    struct rc_buffer text = RC_BUFFER_INIT(RC_SIM_OUTPUT_MAX);
    struct rc_process_result result;
    char ended[64];
    int status = rc_process_run(call->argv, &options, &text, &result, error);

    rc_sim_output_text(text.data ? text.data : "", text.length, printed);
    if (status == 0 && result.truncated)
        status = rc_error_set(error, "the program printed more than %d bytes", RC_SIM_OUTPUT_MAX);
    if (status == 0)
        status = rc_sim_output_read(text.data ? text.data : "", text.length,
                                    tell_end(&result, ended, sizeof ended), output, error);
    rc_buffer_free(&text);
    return status;
}

int rc_sim_program_run(const struct rc_sim_start *start, const struct rc_sim_directory *directory,
                       const struct rc_monitor *monitor, struct rc_sim_output *output,
                       struct rc_buffer *printed, struct rc_error *error)
{
    char smpimain[PATH_SIZE];
    struct call *call;
    int status;

    if (find_smpimain(smpimain, error))
        return -1;
    call = calloc(1, sizeof *call);
    if (!call)
        return rc_error_no_memory(error);
    status = fill_call(call, smpimain, start, directory, error);
    if (status == 0)
        status = fill_environment(call, start->processes, directory, error);
    if (status == 0)
        status = carry_out(call, monitor, output, printed, error);
    free(call->environment);
    free(call);
    return status;
}

double rc_sim_program_size(const char *const *program)
{
    double n;

    for (size_t i = 1; program[i]; i++) {
        const char *text = strcmp(program[i], "--size") == 0        ? program[i + 1]
                           : strncmp(program[i], "--size=", 7) == 0 ? program[i] + 7
                                                                    : NULL;

        if (text && rc_unit_parse(text, strlen(text), RC_COUNT, &n, NULL) == 0)
            return n;
    }
    return NAN;
}
