// SPDX-License-Identifier: GPL-3.0-or-later
/* checks.c - the table of checks, and what their code leans on. */
#include "cmd/doctor/checks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static const char time_area[] = "Time", machine_area[] = "This machine", store_area[] = "The store";
static const char rights_area[] = "Permissions", virtual_area[] = "Virtual nodes";
static const char mpi_area[] = "MPI", tools_area[] = "Other programs";

const struct rc_check rc_doctor_checks[] = {
    {"clock-monotonic", time_area, "monotonic clock", "time runs and samples", true,
     rc_cmd_check_monotonic},
    {"clock-wall", time_area, "wall clock", "put the samples of several machines on one time base",
     true, rc_cmd_check_wall},
    {"cores", machine_area, "cores", "know how many processes can run at once", false,
     rc_cmd_check_cores},
    {"memory", machine_area, "memory", "know which problems fit", false, rc_cmd_check_memory},
    {"store", store_area, "location", "keep runs, series and models", true, rc_cmd_check_store},
    {"user", rights_area, "user", "set up virtual nodes and network loads", false,
     rc_cmd_check_user},
    {"perf", rights_area, "performance counters", "count the instructions of a run", false,
     rc_cmd_check_perf},
    {"ptrace", rights_area, "tracing", "look into programs while they run", false,
     rc_cmd_check_ptrace},
    {"cgroup", virtual_area, "control groups", "give a virtual node its share of the CPU", false,
     rc_cmd_check_cgroup},
    {"net-namespace", virtual_area, "network namespaces", "give a virtual node its own network",
     false, rc_cmd_check_namespace},
    {"net-links", virtual_area, "veth and bridge", "connect virtual nodes", false,
     rc_cmd_check_links},
    {"net-shaping", virtual_area, "tc: tbf and netem", "set bandwidth and latency between them",
     false, rc_cmd_check_shaping},
    {"openmpi", mpi_area, "Open MPI", "build and run programs with Open MPI", false,
     rc_cmd_check_openmpi},
    {"mpich", mpi_area, "MPICH", "build and run programs with MPICH", false, rc_cmd_check_mpich},
    {"mpi-default", mpi_area, "plain mpirun, mpicc", "run MPI programs that do not say which MPI",
     false, rc_cmd_check_default_mpi},
    {"simgrid", tools_area, "SimGrid", "run programs on simulated clusters", false,
     rc_cmd_check_simgrid},
    {"gnuplot", tools_area, "gnuplot", "draw plots", false, rc_cmd_check_gnuplot},
    {"ssh", tools_area, "ssh", "reach other machines", false, rc_cmd_check_ssh},
    {"srun", tools_area, "srun", "reach the machines of a Slurm cluster", false, rc_cmd_check_srun},
    {.id = NULL},
};

const char *rc_cmd_verdict_name(enum rc_verdict verdict)
{
    static const char *const names[RC_VERDICTS] = {
        [RC_VERDICT_OK] = "ok",
        [RC_VERDICT_LIMITED] = "limited",
        [RC_VERDICT_MISSING] = "missing",
        [RC_VERDICT_BROKEN] = "broken",
    };

    return names[verdict];
}

void rc_cmd_finding_fact(struct rc_finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->fact);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(finding->fact + used, sizeof finding->fact - used, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(finding->fact, sizeof finding->fact);
}

void rc_cmd_finding_judge(struct rc_finding *finding, enum rc_verdict verdict, const char *format,
                          ...)
{
    va_list arguments;

    if (verdict <= finding->verdict)
        return;
    finding->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(finding->advice, sizeof finding->advice, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(finding->advice, sizeof finding->advice);
}

int rc_cmd_doctor_find(const char *name, char *path, size_t size)
{
    static const char *const places[] = {"/usr/local/sbin", "/usr/sbin", "/sbin"};
    char place[256];

    if (rc_process_find(name, path, size) == 0)
        return 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(place, sizeof place, "%s/%s", places[i], name);
        if (rc_process_find(place, path, size) == 0)
            return 0;
    }
    return -1;
}
