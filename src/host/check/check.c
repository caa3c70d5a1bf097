// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - the table of checks, and a run of all. */
#include "host/check/check.h"

#include "base/progress_monitor.h"

static const char time_area[] = "Time", machine_area[] = "Machine", database_area[] = "Database";
static const char rights_area[] = "Permissions", virtual_area[] = "Virtual nodes";
static const char mpi_area[] = "MPI", tools_area[] = "Other programs";

const struct rc_check rc_checks[RC_CHECKS] = {
    {"clock-monotonic", time_area, "monotonic clock", "time runs and samples", true,
     rc_check_monotonic},
    {"clock-wall", time_area, "wall clock", "compare samples of several machines", true,
     rc_check_wall},
    {"cores", machine_area, "cores", "run processes in parallel", false, rc_check_cores},
    {"memory", machine_area, "memory", "run large problems", false, rc_check_memory},
    {"database", database_area, "location", "store runs, series and models", true,
     rc_check_database},
    {"user", rights_area, "user", "make virtual nodes", false, rc_check_user},
    {"perf", rights_area, "performance counters", "count the instructions of a run", false,
     rc_check_perf},
    {"ptrace", rights_area, "tracing", "inspect running programs", false, rc_check_ptrace},
    {"cgroup", virtual_area, "control groups", "limit the CPU share of virtual nodes", false,
     rc_check_cgroup},
    {"net-namespace", virtual_area, "network namespaces", "separate the networks of virtual nodes",
     false, rc_check_namespace},
    {"net-links", virtual_area, "veth and bridge", "connect virtual nodes", false, rc_check_links},
    {"net-shaping", virtual_area, "tc: tbf and netem", "set bandwidth and latency between them",
     false, rc_check_shaping},
    {"openmpi", mpi_area, "Open MPI", "build and run programs with Open MPI", false,
     rc_check_openmpi},
    {"mpich", mpi_area, "MPICH", "build and run programs with MPICH", false, rc_check_mpich},
    {"mpi-default", mpi_area, "plain mpirun, mpicc",
     "run MPI programs without choosing an MPI library", false, rc_check_default_mpi},
    {"simgrid", tools_area, "SimGrid", "run programs on simulated clusters", false,
     rc_check_simgrid},
    {"gnuplot", tools_area, "gnuplot", "draw plots", false, rc_check_program},
    {"ssh", tools_area, "ssh", "reach other machines", false, rc_check_program},
    {"srun", tools_area, "srun", "reach the machines of a Slurm cluster", false, rc_check_program},
};

int rc_check_run(const struct rc_check_context *context, struct rc_check_report *report,
                 struct rc_error *error)
{
    const struct rc_monitor *monitor = context->process.monitor;

    *report = (struct rc_check_report){.works = true};
    for (size_t i = 0; i < RC_CHECKS; i++) {
        struct rc_finding *finding = &report->findings[i];

        *finding = (struct rc_finding){.context = context, .check = rc_checks[i]};
        rc_progress_monitor_advance(monitor, i, RC_CHECKS);
        rc_checks[i].run(finding);
        if (rc_progress_monitor_check(monitor, error))
            return -1;
        report->of[finding->verdict]++;
        report->works &= finding->verdict != RC_VERDICT_BROKEN || !rc_checks[i].essential;
    }
    return 0;
}
