// SPDX-License-Identifier: GPL-3.0-or-later
/* machine.c - checks of the machine itself: clocks, cores, memory, permissions. */
#include "host/check/check.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include <hwloc.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/unit.h"
#include "host/sense/own_cgroup.h"

/* ---- clocks ---- */

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec * 1e-9;
}

/* Seconds that one reading takes: the least of a few rounds, since others may take the CPU.
 * -1 where the clock goes backwards, or fails. */
static double cost_of_reading(void)
{
    enum { ROUNDS = 10, READINGS = 2000 };
    struct timespec first, last, now = {0};
    double least = INFINITY, span;

    for (int round = 0; round < ROUNDS; round++) {
        if (clock_gettime(CLOCK_MONOTONIC, &first))
            return -1;
        last = first;
        for (int i = 0; i < READINGS; i++) {
            if (clock_gettime(CLOCK_MONOTONIC, &now) || seconds_of(&now) < seconds_of(&last))
                return -1;
            last = now;
        }
        span = seconds_of(&now) - seconds_of(&first);
        least = fmin(least, span / READINGS);
    }
    return least;
}

void rc_check_monotonic(struct rc_finding *finding)
{
    static const char place[] = "/sys/devices/system/clocksource/clocksource0/";
    char path[128], source[64], others[256], step_text[RC_UNIT_SIZE], cost_text[RC_UNIT_SIZE];
    struct timespec step;
    double cost = cost_of_reading();

    if (cost <= 0 || clock_getres(CLOCK_MONOTONIC, &step)) {
        rc_check_fact(finding, "the clock fails, stops or goes backwards");
        rc_check_judge(finding, RC_VERDICT_BROKEN,
                       "no measurement is possible; report it to the administrator of the machine");
        return;
    }
    rc_unit_format(seconds_of(&step), RC_SECONDS, step_text);
    rc_unit_format(cost, RC_SECONDS, cost_text);
    snprintf(path, sizeof path, "%scurrent_clocksource", place);
    rc_file_read(path, source, sizeof source);
    snprintf(path, sizeof path, "%savailable_clocksource", place);
    rc_file_read(path, others, sizeof others);
    rc_check_fact(finding, "steps of %s, %s per reading%s%s", step_text, cost_text,
                  source[0] ? ", from " : "", source);
    if (seconds_of(&step) <= 1e-6 && cost <= 1e-6)
        return;
    if (strcmp(source, "tsc") != 0 && rc_text_has_word(others, "tsc", ' '))
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "times of short events are coarse; try 'echo tsc > %scurrent_clocksource' "
                       "as root",
                       place);
    else
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "times of short events are coarse; ask the administrator of the (virtual) "
                       "machine for a faster clock source");
}

void rc_check_wall(struct rc_finding *finding)
{
    static const double year_2020 = 1577836800;
    struct timex state = {.modes = 0}; /* only asks */
    char error[RC_UNIT_SIZE];
    struct rc_clock *clock = rc_clock_system();
    int status;

    if (clock->wall(clock) < year_2020) {
        rc_check_fact(finding, "shows a date before 2020");
        rc_check_judge(finding, RC_VERDICT_BROKEN,
                       "set it: 'date -s ...', or apt-get install chrony");
        return;
    }
    status = adjtimex(&state);
    if (status < 0) {
        rc_check_fact(finding, "unknown whether it is synchronised (%s)", strerror(errno));
        rc_check_judge(finding, RC_VERDICT_LIMITED, "run NTP, as on the other machines");
        return;
    }
    rc_unit_format((double)state.esterror * 1e-6, RC_SECONDS, error);
    if (status != TIME_ERROR && !(state.status & STA_UNSYNC)) {
        rc_check_fact(finding, "synchronised; estimated error %s", error);
        return;
    }
    rc_check_fact(finding, "not synchronised with other machines");
    rc_check_judge(finding, RC_VERDICT_LIMITED,
                   "run NTP, as on the other machines: apt-get install "
                   "chrony");
}

/* ---- cores and memory ---- */

/* Version 1 reports "no limit" as the largest number of pages that fits. */
#define MEMORY_UNLIMITED 0x1p62

double rc_check_memory_max(const char *text)
{
    double value;

    if (strncmp(text, "max", 3) == 0)
        return INFINITY;
    if (!rc_number_scan(text, strlen(text), &value))
        return NAN;
    return value >= MEMORY_UNLIMITED ? INFINITY : value;
}

/* The tightest limit on the CPU of this process's group and of those around it; INFINITY for none.
 */
static double cpu_limit(void)
{
    struct rc_sense_group group;
    enum rc_cgroup_kind kind;

    return rc_cgroup_own("cpu", &group.cpu, &kind) ? (double)INFINITY
                                                   : rc_sense_group_quota(&group);
}

/* The same of their memory. */
static double memory_limit(void)
{
    struct rc_cgroup group;
    enum rc_cgroup_kind kind;
    double least = INFINITY;
    char path[4200], text[64];

    if (rc_cgroup_own("memory", &group, &kind))
        return INFINITY;
    do {
        snprintf(path, sizeof path, "%s/%s", group.directory,
                 group.version == 2 ? "memory.max" : "memory.limit_in_bytes");
        if (rc_file_read(path, text, sizeof text) == 0)
            least = fmin(least, rc_check_memory_max(text)); /* passes over NAN */
    } while (rc_cgroup_up(&group));
    return least;
}

/* NULL, with the finding made, where hwloc cannot look at the machine. */
static hwloc_topology_t load_topology(struct rc_finding *finding)
{
    hwloc_topology_t topology;

    if (hwloc_topology_init(&topology) == 0) {
        /* Also what this process may not use: only then can the two be compared. */
        hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_topology_load(topology) == 0)
            return topology;
        hwloc_topology_destroy(topology);
    }
    rc_check_fact(finding, "hwloc cannot read the topology");
    rc_check_judge(finding, RC_VERDICT_BROKEN,
                   "check the output of 'lstopo' (apt-get install hwloc)");
    return NULL;
}

/* How many hardware threads this process may run on. */
static int allowed_threads(hwloc_topology_t topology)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    int count = -1;

    if (set && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) == 0 &&
        hwloc_bitmap_and(set, set, hwloc_topology_get_allowed_cpuset(topology)) == 0)
        count = hwloc_bitmap_weight(set);
    hwloc_bitmap_free(set);
    return count;
}

void rc_check_cores(struct rc_finding *finding)
{
    hwloc_topology_t topology = load_topology(finding);
    int packages, cores, threads, allowed;
    double quota = cpu_limit();

    if (!topology)
        return;
    packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    threads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    allowed = allowed_threads(topology);
    hwloc_topology_destroy(topology);
    if (packages > 0 && cores > 0)
        rc_check_fact(finding, "%d core%s in %d package%s, ", cores, cores == 1 ? "" : "s",
                      packages, packages == 1 ? "" : "s");
    rc_check_fact(finding, "%d hardware thread%s", threads, threads == 1 ? "" : "s");
    if (allowed > 0 && allowed < threads) {
        rc_check_fact(finding, "; this process may run on %d of them", allowed);
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "to use all, start runcast without taskset, cpuset or container limits");
    }
    if (quota < (allowed > 0 ? allowed : threads)) {
        rc_check_fact(finding, "; its control group may use %.3g at a time", quota);
        finding->verdict = RC_VERDICT_OK; /* only the tighter limit is reported */
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "to use more, raise the CPU quota of the container or control group");
    }
}

void rc_check_memory(struct rc_finding *finding)
{
    /* As 'free' has it: the nodes that hwloc adds up can lack memory that was added to a virtual
     * machine later. */
    double group = memory_limit(),
           total = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    char total_text[RC_UNIT_SIZE], limit_text[RC_UNIT_SIZE];
    struct rlimit space;

    rc_unit_format(total, RC_BYTES, total_text);
    rc_check_fact(finding, "%s in total", total_text);
    if (group < total) {
        rc_unit_format(group, RC_BYTES, limit_text);
        rc_check_fact(finding, "; the control group of this process may use %s", limit_text);
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "to use more, raise the memory limit of the container or control group");
    }
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY &&
        (double)space.rlim_cur < total) {
        rc_unit_format((double)space.rlim_cur, RC_BYTES, limit_text);
        rc_check_fact(finding, "; one process may use %s", limit_text);
        rc_check_judge(finding, RC_VERDICT_LIMITED, "to use more, raise 'ulimit -v'");
    }
}

/* ---- permissions ---- */

int rc_check_status_hex(const char *text, const char *name, uint64_t *value)
{
    size_t length = strlen(name);
    char *end;

    for (const char *line = text; *line; line += *line == '\n') {
        if (strncmp(line, name, length) == 0 && line[length] == ':') {
            line += length + 1 + strspn(line + length + 1, " \t");
            *value = strtoull(line, &end, 16);
            return end == line ? -1 : 0;
        }
        line += strcspn(line, "\n");
    }
    return -1;
}

void rc_check_user(struct rc_finding *finding)
{
    enum { NET_ADMIN = 12, SYS_ADMIN = 21 }; /* capabilities(7) */
    char text[4096];
    uint64_t mask = 0;
    bool network, system;

    rc_file_read("/proc/self/status", text, sizeof text);
    rc_check_status_hex(text, "CapEff", &mask);
    network = mask >> NET_ADMIN & 1;
    system = mask >> SYS_ADMIN & 1;
    rc_check_fact(finding, "%s, %s CAP_NET_ADMIN, %s CAP_SYS_ADMIN",
                  geteuid() == 0 ? "root" : "not root", network ? "with" : "without",
                  system ? "with" : "without");
    if (network && system)
        return;
    if (geteuid() == 0)
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "start the container with --cap-add NET_ADMIN --cap-add SYS_ADMIN");
    else
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "run runcast as root, unless user namespaces suffice (see network "
                       "namespaces)");
}

/* Opens a counter of this very thread, in user space only; returns 0 or an errno. */
static int try_counter(uint32_t type, uint64_t config)
{
    struct perf_event_attr wanted = {
        .type = type,
        .size = sizeof wanted,
        .config = config,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    int fd = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

void rc_check_perf(struct rc_finding *finding)
{
    char level[32];
    int instructions = try_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
    int software = try_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);

    if (rc_file_read("/proc/sys/kernel/perf_event_paranoid", level, sizeof level)) {
        rc_check_fact(finding, "not in this kernel");
        rc_check_judge(finding, RC_VERDICT_MISSING, "not needed for run times and predictions");
        return;
    }
    rc_check_fact(finding, "perf_event_paranoid is %s; ", level);
    if (software == 0 && instructions == 0) {
        rc_check_fact(finding, "instructions can be counted");
    } else if (software == 0) {
        rc_check_fact(finding, "software events only: the (virtual) CPU has no counters");
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "use a machine, or a virtual machine, with a PMU");
    } else {
        rc_check_fact(finding, "no events (%s)", strerror(software));
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "as root: sysctl kernel.perf_event_paranoid=2; in a container: --cap-add "
                       "PERFMON");
    }
}

void rc_check_ptrace(struct rc_finding *finding)
{
    char scope[32];

    if (rc_file_read("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope)) {
        rc_check_fact(finding, "programs of the same user (no ptrace_scope here)");
        return;
    }
    rc_check_fact(finding, "ptrace_scope is %s", scope);
    if (strcmp(scope, "0") == 0) {
        rc_check_fact(finding, ": programs of the same user");
    } else if (strcmp(scope, "1") == 0) {
        rc_check_fact(finding, ": programs that runcast starts");
    } else {
        rc_check_fact(finding, strcmp(scope, "2") == 0 ? ": root only" : ": no programs");
        if (strcmp(scope, "2") != 0 || geteuid() != 0)
            rc_check_judge(finding, RC_VERDICT_LIMITED,
                           strcmp(scope, "2") == 0 ? "as root: sysctl kernel.yama.ptrace_scope=1"
                                                   : "only a reboot can change it");
    }
}
