// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_record.c - 'runcast trace -o DIR -- COMMAND': an MPI program is run, and its calls are
 * recorded by an object that is loaded into it. */
#include "cmd/trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/process.h"
#include "base/terminal.h"
#include "base/timestamp.h"
#include "base/unit.h"
#include "cmd/trace/place.h"
#include "testbed/nodes/mpirun.h"
#include "run/launcher.h"
#include "run/run.h"

enum { OUTPUT_MAX = 1 << 20, JSON_VERSION = 1 };

struct work {
    const struct rc_cmd_trace_record_options *options;
    struct rc_cmd_trace_place place;
    char object[PATH_MAX];
    const char *mpi;
    char **words; /* of the command, with what the launcher must be told; belongs to this */
    size_t n_words;
    struct rc_runner runner;
    struct rc_outcome outcome;
};

static const char *const mpis[] = {"openmpi", "mpich", "smpi", NULL};

const struct rc_option rc_cmd_trace_record_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = RC_OPTION_FILE,
     .argument = "DIR",
     .help = "the directory for the recording; is made where there is none (required)",
     .offset = offsetof(struct rc_cmd_trace_record_options, output)},
    {.name = "mpi",
     .kind = RC_OPTION_CHOICE,
     .argument = "MPI",
     .choices = mpis,
     .help = "the MPI that the program uses: openmpi, mpich or, where it is simulated, smpi "
             "(default: what it links)",
     .offset = offsetof(struct rc_cmd_trace_record_options, mpi)},
    {.name = "force",
     .letter = 'f',
     .kind = RC_OPTION_FLAG,
     .help = "replace the recording that is in DIR",
     .offset = offsetof(struct rc_cmd_trace_record_options, force)},
    {.name = "quiet",
     .letter = 'q',
     .kind = RC_OPTION_FLAG,
     .help = "do not say what was recorded",
     .offset = offsetof(struct rc_cmd_trace_record_options, quiet)},
    RC_OPTIONS_END,
};

/* ---- which MPI ---- */

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
    size_t n, wrapper;

    while ((wrapper = rc_run_launcher_wrapper(words)) > 0)
        words += wrapper;
    launcher = rc_run_launcher_find(words, &n);
    return launcher && rc_process_find(words[0], path, sizeof path) == 0 && realpath(path, real)
               ? launcher
               : NULL;
}

/* A script, say: then the launcher tells. */
static const char *ask_launcher(char *const *words)
{
    char real[PATH_MAX];

    return find_launcher(words, real) ? find_mark(real, MARKS) : NULL;
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
    rc_error_set(error, "%s is of %s, and %s uses %s: each of its processes would be alone",
                 launcher->name, launcher_of, program, linked);
    return rc_error_hint(error, "start it with mpirun.%s, or say --mpi %s to do so all the same",
                         linked, linked);
}

static bool is_simulated(const struct work *work)
{
    return strcmp(work->mpi, "smpi") == 0;
}

/* What starts programs of simulated clusters: smpirun, or 'runcast lab sim'. */
static bool is_simulator(char *const *words)
{
    const char *name;
    size_t wrapper;

    while ((wrapper = rc_run_launcher_wrapper(words)) > 0)
        words += wrapper;
    name = strrchr(words[0], '/') ? strrchr(words[0], '/') + 1 : words[0];
    return strcmp(name, "smpirun") == 0 ||
           (words[1] && words[2] && strcmp(words[1], "lab") == 0 && strcmp(words[2], "sim") == 0);
}

static int find_mpi(struct work *work, char *const *words, struct rc_error *error)
{
    const char *program = rc_run_launcher_program(words), *linked = NULL;

    work->mpi = work->options->mpi;
    if (work->mpi && program)
        linked = ask_loader(program, LIBRARY_MARKS);
    /* With the object for another MPI it would crash. */
    if (linked && strcmp(linked, work->mpi) != 0)
        return rc_error_set(error, "%s uses %s, not %s", program, linked, work->mpi);
    if (!work->mpi && program && check_launcher(words, program, error) != 0)
        return -1;
    if (!work->mpi && is_simulator(words))
        work->mpi = "smpi";
    if (!work->mpi && program)
        work->mpi = rc_nodes_program_mpi(program);
    if (!work->mpi && program)
        work->mpi = ask_loader(program, MARKS);
    if (!work->mpi)
        work->mpi = ask_launcher(words);
    if (!work->mpi) {
        rc_error_set(error,
                     "it cannot be told which MPI the program uses: %s links none that is "
                     "known",
                     program ? program : words[0]);
        return rc_error_hint(error,
                             "where it uses one nevertheless, say which: --mpi openmpi, --mpi "
                             "mpich, or --mpi smpi");
    }
    if (is_simulated(work) && !work->options->mpi && !is_simulator(words)) {
        rc_error_set(error, "%s is for simulated clusters", program ? program : "the program");
        return rc_error_hint(error, "run it by 'runcast lab sim', or by smpirun");
    }
    return 0;
}

/* ---- the object ---- */

/* Where it is: beside the program in a directory where runcast is built, or installed. */
static int find_object(struct work *work, struct rc_error *error)
{
    static const char *const places[] = {"/src/mpi/preload", "/../" RC_LIBRARY_NAME "/runcast"};
    char self[PATH_MAX / 2] = "", name[64], *slash;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    self[length > 0 ? length : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    snprintf(name, sizeof name, "libruncast-pmpi-%s.so", work->mpi);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(work->object, sizeof work->object, "%s%s/%s", self, places[i], name);
        if (access(work->object, R_OK) == 0)
            return 0;
    }
    snprintf(work->object, sizeof work->object, "%s/runcast/%s", RC_LIBRARY_PATH, name);
    if (access(work->object, R_OK) == 0)
        return 0;
    rc_error_set(error, "this runcast was built without %s", work->mpi);
    return rc_error_hint(error, "apt-get install %s, and build runcast anew",
                         is_simulated(work)                ? "libsimgrid-dev"
                         : strcmp(work->mpi, "mpich") == 0 ? "libmpich-dev"
                                                           : "libopenmpi-dev");
}

/* Blanks and colons divide what LD_PRELOAD names. */
static int check_object(const struct work *work, struct rc_error *error)
{
    return strpbrk(work->object, " :")
               ? rc_error_set(error,
                              "%s cannot be loaded into a program: there is a blank or colon "
                              "in its path",
                              work->object)
               : 0;
}

/* ---- the command ---- */

/* Open MPI starts processes on other hosts with the variables that it is told of. */
static int tell_launcher(struct work *work, char *const *words, int n, struct rc_error *error)
{
    static char option[] = "-x", preload[] = "LD_PRELOAD", where[] = "RUNCAST_TRACE_DIR";
    const struct rc_launcher *launcher;
    char *const *at = words;
    size_t wrapper, names;

    work->words = calloc((size_t)n + 5, sizeof *work->words);
    if (!work->words)
        return rc_error_no_memory(error);
    while ((wrapper = rc_run_launcher_wrapper(at)) > 0)
        at += wrapper;
    launcher = rc_run_launcher_find(at, &names);
    for (char *const *word = words; *word; word++) {
        work->words[work->n_words++] = *word;
        if (word == at && launcher && launcher->kind == RC_LAUNCHER_MPIRUN &&
            strcmp(work->mpi, "openmpi") == 0) {
            char *const more[] = {option, preload, option, where};

            memcpy(work->words + work->n_words, more, sizeof more);
            work->n_words += 4;
        }
    }
    return 0;
}

static int set_environment(const struct work *work, struct rc_error *error)
{
    const char *before = getenv("LD_PRELOAD");
    struct rc_buffer text = RC_BUFFER_INIT(OUTPUT_MAX);
    int status;

    status = rc_buffer_printf(&text, "%s%s%s", work->object, before && *before ? ":" : "",
                              before ? before : "");
    if (status != 0 || setenv("LD_PRELOAD", text.data, 1) != 0 ||
        setenv("RUNCAST_TRACE_DIR", work->place.directory, 1) != 0)
        status = rc_error_no_memory(error);
    rc_buffer_free(&text);
    return status;
}

/* ---- afterwards ---- */

static int exit_status(const struct work *work)
{
    return WIFSIGNALED(work->outcome.status) ? 128 + WTERMSIG(work->outcome.status)
                                             : WEXITSTATUS(work->outcome.status);
}

static json_t *about_json(const struct work *work, const struct rc_invocation *invocation,
                          const struct rc_trace_set *set)
{
    json_t *about = json_object(), *words = json_array(), *hosts = json_array();
    char began[RC_TIME_SIZE];

    rc_timestamp_format(work->outcome.start, began);
    rc_json_set(about, "version", json_integer(JSON_VERSION));
    rc_json_set(about, "runcast", rc_json_text(rc_version()));
    for (int i = 0; i < invocation->n_arguments; i++)
        json_array_append_new(words, rc_json_text(invocation->arguments[i]));
    rc_json_set(about, "command", words);
    rc_json_set(about, "began", rc_json_text(began));
    if (!is_simulated(work)) /* else the seconds here are not those of the run */
        rc_json_set(about, "seconds", rc_json_number(work->outcome.seconds));
    rc_json_set(about, "status", json_integer(exit_status(work)));
    rc_json_set(about, "mpi", rc_json_text(work->mpi));
    rc_json_set(about, "ranks", json_integer(set->ranks));
    for (uint32_t rank = 0; rank < set->ranks; rank++) {
        const struct rc_trace_set_file *file = rc_trace_set_rank(set, rank);

        json_array_append_new(hosts, file && file->has_header ? rc_json_text(file->header.host)
                                                              : json_null());
    }
    rc_json_set(about, "hosts", hosts);
    return about;
}

/* Whole, or not at all. */
static int write_about(const struct work *work, const json_t *about, struct rc_error *error)
{
    char path[PATH_MAX + 32], part[PATH_MAX + 32];
    FILE *out;
    int status = 0;

    snprintf(path, sizeof path, "%s/trace.json", work->place.directory);
    snprintf(part, sizeof part, "%s/trace.json.part", work->place.directory);
    out = fopen(part, "we");
    if (!out)
        return rc_error_errno(error, errno, "cannot make %.300s", part);
    rc_json_write(out, about, true);
    if (fflush(out) != 0 || ferror(out))
        status = rc_error_errno(error, errno, "cannot write it");
    if (fclose(out) != 0 && status == 0)
        status = rc_error_errno(error, errno, "cannot write it");
    if (status == 0 && rename(part, path) != 0)
        status = rc_error_errno(error, errno, "cannot make %.300s", path);
    if (status != 0)
        unlink(part);
    return status;
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

/* What is in all files, and what is wrong with the first that is not whole. */
static void look_at(const struct rc_trace_set *set, uint64_t *calls, uint64_t *bytes,
                    struct rc_error *fault)
{
    *calls = *bytes = 0;
    for (size_t i = 0; i < set->n_files; i++) {
        struct rc_trace_summary summary = {0};
        struct rc_error ignored = {0};

        rc_trace_check(set->files[i].path, &summary, fault->text[0] ? &ignored : fault);
        *calls += summary.calls;
        *bytes += summary.bytes;
    }
}

/* In one line. */
static void say_what(const struct work *work, const struct rc_trace_set *set, uint64_t calls,
                     uint64_t bytes)
{
    char size[RC_UNIT_SIZE], seconds[RC_UNIT_SIZE];

    if (work->options->quiet || !rc_terminal_is(stderr))
        return;
    rc_unit_format((double)bytes, RC_BYTES, size);
    rc_unit_format(work->outcome.seconds, RC_SECONDS, seconds);
    fprintf(stderr,
            "runcast: recorded %" PRIu32 " rank%s: %" PRIu64 " calls in %s, as %s\n"
            "hint: runcast trace info %s\n",
            set->ranks, set->ranks == 1 ? "" : "s", calls, seconds, size, work->options->output);
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
    uint64_t calls = 0, bytes = 0;
    json_t *about;
    int status;

    if (set)
        look_at(set, &calls, &bytes, &fault);
    *recorded = set && (calls > 0 || !fault.text[0]);
    if (!*recorded) {
        status = nothing_recorded(work, set);
        rc_trace_set_close(set);
        return status;
    }
    about = about_json(work, invocation, set);
    status = write_about(work, about, &error) ? rc_cmd_fail(&error, "recording") : RC_EXIT_OK;
    json_decref(about);
    if (status == RC_EXIT_OK) {
        say_fault(work, set, &fault);
        say_what(work, set, calls, bytes);
    }
    rc_trace_set_close(set);
    return status;
}

/* ---- all of it ---- */

/* Runs it with the object: RC_EXIT_OK once it has ended, however that was. */
static int run_program(struct work *work)
{
    const struct rc_senses senses = {0};
    struct rc_error error = {0};
    int not_started = RC_EXIT_FAILED, status;

    if (set_environment(work, &error) != 0 || rc_run_runner_begin(&work->runner, &error) != 0)
        return rc_cmd_fail(&error, "getting ready to run the program");
    status = rc_run_runner_run(&work->runner, work->words, &senses, &work->outcome, &not_started,
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
        rc_cmd_trace_place_end(&work->place, false);
        return status;
    }
    kept = keep(work, invocation, &recorded);
    rc_cmd_trace_place_end(&work->place, recorded);
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
        if (find_mpi(work, invocation->arguments, &error) != 0 || find_object(work, &error) != 0 ||
            check_object(work, &error) != 0 ||
            tell_launcher(work, invocation->arguments, invocation->n_arguments, &error) != 0 ||
            rc_cmd_trace_place_begin(&work->place, work->options->output, work->options->force,
                                     &error) != 0)
            status = rc_cmd_fail(&error, "recording");
        else
            status = carry_out(work, invocation);
    }
    free(work->words);
    free(work);
    return status;
}
