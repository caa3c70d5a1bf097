// SPDX-License-Identifier: GPL-3.0-or-later
/* programs.c - checks of the programs that runcast calls: MPIs, SimGrid, gnuplot, launchers. */
#include "host/check/check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- asking a program ---- */

enum answer { ABSENT, SILENT, ANSWERED };

enum { ANSWER_SIZE = 4096, NAMES_MAX = 4 };

/* Asks `name` for its version with `option`.  SILENT, with the reason in `text`, where it exists
 * and gives no answer; ANSWERED, with its output, also where it then fails: compiler wrappers do so
 * where there is no compiler. */
static enum answer ask(const struct rc_check_context *context, const char *name, const char *option,
                       char text[ANSWER_SIZE])
{
    const char *argv[] = {name, option, NULL};
    struct rc_buffer output = RC_BUFFER_INIT(ANSWER_SIZE - 1);
    struct rc_process_result result;
    struct rc_error error;
    enum answer answer = ANSWERED;

    text[0] = '\0';
    if (rc_process_run(argv, &context->process, &output, &result, &error)) {
        answer = result.end == RC_PROCESS_NOT_FOUND ? ABSENT : SILENT;
        snprintf(text, ANSWER_SIZE, "%s", error.text);
    } else if (result.end == RC_PROCESS_SIGNALLED) {
        answer = SILENT;
        snprintf(text, ANSWER_SIZE, "%s was killed by signal %d (%s)", name, result.status,
                 strsignal(result.status));
    } else if (!output.data || !*output.data) {
        answer = SILENT;
        snprintf(text, ANSWER_SIZE, "'%s %s' prints nothing (exit status %d)", name, option,
                 result.status);
    } else {
        snprintf(text, ANSWER_SIZE, "%s", output.data);
    }
    rc_buffer_free(&output);
    return answer;
}

/* ---- versions ---- */

/* The length of a version at `text`: digits, a dot, digits, and what hangs on them. */
static size_t version_length(const char *text)
{
    size_t digits = strspn(text, "0123456789"), length;

    if (digits == 0 || text[digits] != '.' || !isdigit((unsigned char)text[digits + 1]))
        return 0;
    for (length = digits; isalnum((unsigned char)text[length]) || text[length] == '.' ||
                          text[length] == '-' || text[length] == '+';)
        length++;
    while (!isalnum((unsigned char)text[length - 1]))
        length--;
    return length;
}

int rc_check_version(const char *text, const char *marker, char version[RC_VERSION_SIZE])
{
    static const char patch[] = " patchlevel ";
    const char *at = strstr(text, marker);
    size_t length = 0;

    version[0] = '\0';
    if (!at)
        return -1;
    for (at += strlen(marker); *at && (length = version_length(at)) == 0; at++)
        at += strspn(at, "0123456789") > 1 ? strspn(at, "0123456789") - 1 : 0;
    if (length == 0)
        return -1;
    if (strncmp(at + length, patch, sizeof patch - 1) == 0) {
        const char *level = at + length + sizeof patch - 1;

        snprintf(version, RC_VERSION_SIZE, "%.*s.%.*s", (int)length, at,
                 (int)strcspn(level, " \t\n"), level);
    } else {
        snprintf(version, RC_VERSION_SIZE, "%.*s", (int)length, at);
    }
    return 0;
}

const char *rc_check_mpi_name(const char *text)
{
    static const struct {
        const char *sign, *name;
    } known[] = {
        {"Open MPI", "Open MPI"},      {"OpenRTE", "Open MPI"}, {"Intel(R) MPI", "Intel MPI"},
        {"MVAPICH", "MVAPICH"},        {"MPICH", "MPICH"},      {"HYDRA", "MPICH"},
        {"SimGrid", "SimGrid's SMPI"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(text, known[i].sign))
            return known[i].name;
    return NULL;
}

/* ---- programs that stand alone ---- */

struct program {
    const char *name, *option;
    const char *marker;  /* the version follows it */
    const char *product; /* for people */
    const char *package; /* of Debian */
    const char *where;   /* it is of use; added to the advice to install it */
};

static void check_program(const struct program *program, struct rc_finding *finding)
{
    char text[ANSWER_SIZE], version[RC_VERSION_SIZE];
    enum answer answer = ask(finding->context, program->name, program->option, text);

    if (answer == ABSENT) {
        rc_check_fact(finding, "'%s' not found", program->name);
        rc_check_judge(finding, RC_VERDICT_MISSING, "apt-get install %s%s", program->package,
                       program->where);
    } else if (answer == ANSWERED && rc_check_version(text, program->marker, version) == 0) {
        rc_check_fact(finding, "%s %s (%s)", program->product, version, program->name);
    } else {
        text[strcspn(text, "\n")] = '\0';
        rc_check_fact(finding, "%s prints no version: %.200s", program->name, text);
        rc_check_judge(finding, RC_VERDICT_BROKEN,
                       "check the output of '%s %s'; apt-get install --reinstall %s", program->name,
                       program->option, program->package);
    }
}

void rc_check_program(struct rc_finding *finding)
{
    static const struct program programs[] = {
        {"gnuplot", "--version", "gnuplot ", "gnuplot", "gnuplot-nox", ""},
        {"ssh", "-V", "", "OpenSSH", "openssh-client", ""},
        {"srun", "--version", "slurm", "Slurm", "slurm-client",
         ", if this machine belongs to a Slurm cluster"},
    };

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, finding->check.id) == 0)
            check_program(&programs[i], finding);
}

/* ---- MPIs: a launcher and a compiler wrapper each ---- */

/* A program under the names that it may have, its own one first. */
struct part {
    const char *role; /* for people */
    const char *names[NAMES_MAX];
    const char *option;
    const char *package;
};

struct mpi {
    const char *product; /* as rc_check_mpi_name() names it */
    struct part parts[2];
};

static const struct mpi openmpi = {
    "Open MPI",
    {{"launcher", {"mpirun.openmpi", "mpirun", "mpiexec"}, "--version", "openmpi-bin"},
     {"compiler", {"mpicc.openmpi", "mpicc"}, "--showme:version", "libopenmpi-dev"}},
};

static const struct mpi mpich = {
    "MPICH",
    {{"launcher", {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun"}, "--version", "mpich"},
     {"compiler", {"mpicc.mpich", "mpicc"}, "-v", "libmpich-dev"}},
};

/* What was found of a part. */
struct found {
    enum answer answer;
    const char *name;
    char version[RC_VERSION_SIZE];
    char text[ANSWER_SIZE];
};

/* The first of the names that belongs to `product`. */
static void find_part(const struct rc_check_context *context, const struct part *part,
                      const char *product, struct found *found)
{
    char text[ANSWER_SIZE];
    enum answer answer;
    const char *says;

    *found = (struct found){.answer = ABSENT};
    for (size_t i = 0; i < NAMES_MAX && part->names[i]; i++) {
        answer = ask(context, part->names[i], part->option, text);
        says = answer == ANSWERED ? rc_check_mpi_name(text) : NULL;
        if (says && strcmp(says, product) == 0) {
            found->answer = ANSWERED;
            found->name = part->names[i];
            rc_check_version(text, "", found->version);
            return;
        }
        /* Another MPI's program under a shared name is no evidence about this one. */
        if (i == 0 && answer != ABSENT) {
            found->answer = SILENT;
            found->name = part->names[i];
            snprintf(found->text, sizeof found->text, "%.*s", (int)strcspn(text, "\n"), text);
        }
    }
}

static void check_mpi(const struct mpi *mpi, struct rc_finding *finding)
{
    struct found found[2];
    bool any = false;

    for (size_t i = 0; i < 2; i++) {
        find_part(finding->context, &mpi->parts[i], mpi->product, &found[i]);
        any |= found[i].answer == ANSWERED;
    }
    for (size_t i = 0; i < 2; i++)
        if (found[i].answer == SILENT) {
            rc_check_fact(finding, "%s does not work: %.150s", found[i].name, found[i].text);
            rc_check_judge(finding, RC_VERDICT_BROKEN,
                           "check the output of '%s %s'; apt-get install --reinstall %s",
                           found[i].name, mpi->parts[i].option, mpi->parts[i].package);
            return;
        }
    if (!any) {
        rc_check_fact(finding, "not found");
        rc_check_judge(finding, RC_VERDICT_MISSING, "apt-get install %s %s", mpi->parts[0].package,
                       mpi->parts[1].package);
        return;
    }
    rc_check_fact(finding, "%s %s (", mpi->product,
                  found[found[0].answer == ANSWERED ? 0 : 1].version);
    for (size_t i = 0; i < 2; i++) {
        if (found[i].answer == ANSWERED)
            rc_check_fact(finding, "%s%s", i ? ", " : "", found[i].name);
        else
            rc_check_fact(finding, "%sno %s", i ? ", " : "", mpi->parts[i].role);
        if (found[i].answer == ABSENT)
            rc_check_judge(finding, RC_VERDICT_LIMITED, "apt-get install %s",
                           mpi->parts[i].package);
    }
    rc_check_fact(finding, ")");
}

void rc_check_openmpi(struct rc_finding *finding)
{
    check_mpi(&openmpi, finding);
    if (finding->verdict == RC_VERDICT_OK && geteuid() == 0 && !getenv("OMPI_ALLOW_RUN_AS_ROOT"))
        rc_check_fact(finding, "; root needs --allow-run-as-root");
}

void rc_check_mpich(struct rc_finding *finding)
{
    check_mpi(&mpich, finding);
}

/* Which MPI `mpicc` is of: each kind must be asked in its own way. */
static enum answer ask_wrapper(const struct rc_check_context *context, char text[ANSWER_SIZE])
{
    enum answer answer = ask(context, "mpicc", "--showme:version", text);

    if (answer == ABSENT || (answer == ANSWERED && rc_check_mpi_name(text)))
        return answer;
    return ask(context, "mpicc", "-v", text);
}

/* Debian's mpirun and mpicc are links that belong to one of the MPIs that are installed. */
void rc_check_default_mpi(struct rc_finding *finding)
{
    static const char choose[] = "choose one MPI library: update-alternatives --config mpirun, and "
                                 "--config mpi";
    char text[ANSWER_SIZE];
    enum answer launcher, wrapper;
    const char *runs, *builds;

    launcher = ask(finding->context, "mpirun", "--version", text);
    runs = launcher == ANSWERED ? rc_check_mpi_name(text) : NULL;
    wrapper = ask_wrapper(finding->context, text);
    builds = wrapper == ANSWERED ? rc_check_mpi_name(text) : NULL;
    if (launcher == ABSENT && wrapper == ABSENT) {
        rc_check_fact(finding, "not found");
        rc_check_judge(finding, RC_VERDICT_MISSING,
                       "apt-get install mpi-default-bin mpi-default-dev");
        return;
    }
    rc_check_fact(finding, "mpirun is %s, mpicc is %s",
                  launcher == ABSENT ? "missing"
                  : runs             ? runs
                                     : "unknown",
                  wrapper == ABSENT ? "missing"
                  : builds          ? builds
                                    : "unknown");
    if (launcher == SILENT || wrapper == SILENT)
        rc_check_judge(finding, RC_VERDICT_BROKEN,
                       "check the output of 'mpirun --version' and 'mpicc -v'");
    else if (launcher == ABSENT || wrapper == ABSENT)
        rc_check_judge(finding, RC_VERDICT_LIMITED, "apt-get install %s",
                       launcher == ABSENT ? "mpi-default-bin" : "mpi-default-dev");
    else if (!runs || !builds || strcmp(runs, builds) != 0)
        rc_check_judge(finding, RC_VERDICT_LIMITED, "%s", choose);
}

/* ---- SimGrid ---- */

void rc_check_simgrid(struct rc_finding *finding)
{
    static const struct program smpirun = {"smpirun", "--version",      "",
                                           "SimGrid", "libsimgrid-dev", ""};
    static const struct program smpicc = {"smpicc",  "--version",      "",
                                          "SimGrid", "libsimgrid-dev", ""};
    struct rc_finding compiler = {.context = finding->context};

    check_program(&smpirun, finding);
    if (finding->verdict != RC_VERDICT_OK)
        return;
    check_program(&smpicc, &compiler);
    if (compiler.verdict != RC_VERDICT_OK) {
        rc_check_fact(finding, "; %s", compiler.fact);
        rc_check_judge(finding,
                       compiler.verdict == RC_VERDICT_BROKEN ? RC_VERDICT_BROKEN
                                                             : RC_VERDICT_LIMITED,
                       "%s", compiler.advice);
    }
}
