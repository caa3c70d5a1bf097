// SPDX-License-Identifier: GPL-3.0-or-later
/* node_control.c - what is done with the nodes of a testbed that stands: enter, change, look. */
#include "testbed/nodes/testbed.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "testbed/nodes/node_cores.h"
#include "testbed/nodes/node_cgroups.h"
#include "testbed/nodes/supervisor.h"
#include "testbed/nodes/virtual_network.h"
#include "testbed/nodes/testbed_state.h"
#include "host/sense/cores.h"

/* ---- entering ---- */

/* Of sched_setattr(2), as the kernel has it, first version: not all C libraries declare it, and the
 * kernel's own header does not go together with <sched.h> everywhere. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* ns; `runtime` is the slice of fair policies */
};

/* Asks for slices of that many seconds, for the calling thread and for all that it starts from now
 * on.  The kernel gives each process a slice of some milliseconds of its own CPU time; on a node of
 * 0.4 of a core that two processes share, one slice is five times as long by the clock.  Programs
 * whose ranks wait for one another more often than that would lose far more beside a competitor than
 * on a whole core.  So the processes of a node get slices as short as the testbed's grain.  Kernels
 * before 6.12 run to their own, and real-time processes have none, which is no failure. */
static void set_time_slice(double seconds)
{
    struct attributes now = {0};

    if (syscall(SYS_sched_getattr, 0, &now, (unsigned)sizeof now, 0U))
        return;
    if (now.policy != SCHED_OTHER && now.policy != SCHED_BATCH)
        return;
    now.size = sizeof now;
    now.runtime = (uint64_t)(seconds * 1e9);
    now.deadline = now.period = 0;
    syscall(SYS_sched_setattr, 0, &now, 0U);
}

static int node_gone(const struct rc_testbed *testbed, struct rc_error *error)
{
    struct rc_nodes_health health;

    rc_nodes_look(testbed, &health);
    if (health.being_made)
        return rc_error_set(error, "the lab '%s' is still being made", testbed->name);
    rc_error_set(error, "the lab '%s' is broken: its processes have ended", testbed->name);
    return rc_error_code(error, "nodes.broken", "%s", testbed->name);
}

/* Enters one namespace of a process; the process is looked at again once it cannot be mistaken. */
static int enter_namespace(const struct rc_testbed *testbed, const struct rc_nodes_process *process,
                           const char *kind, int type, struct rc_error *error)
{
    char path[64];
    int fd, status;

    snprintf(path, sizeof path, "/proc/%ld/ns/%s", (long)process->pid, kind);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !rc_nodes_process_runs(process)) {
        if (fd >= 0)
            close(fd);
        return node_gone(testbed, error);
    }
    status = setns(fd, type);
    if (status)
        rc_error_errno(error, errno, "cannot enter the node's namespaces");
    close(fd);
    return status;
}

/* Puts the testbed's /etc/hosts in place of the machine's, for this process and those below it. */
static int see_hosts(const struct rc_testbed *testbed, struct rc_error *error)
{
    char path[RC_NODES_PATH];

    rc_nodes_path(testbed->name, "hosts", path);
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return rc_error_errno(error, errno, "cannot make a mount namespace");
    /* A machine without that file has no other names to hide; its nodes go by address. */
    if (mount(path, "/etc/hosts", NULL, MS_BIND, NULL) && errno != ENOENT)
        return rc_error_errno(error, errno, "cannot replace /etc/hosts by %s", path);
    return 0;
}

int rc_nodes_enter(const struct rc_testbed *testbed, size_t node, struct rc_error *error)
{
    const struct rc_nodes_node *it = &testbed->nodes[node];
    char path[RC_NODES_PATH], file[32];
    struct rc_groups groups;

    if (rc_nodes_possible(error) || rc_nodes_groups_find(&groups, error))
        return -1;
    /* The group comes first: its files are out of sight of some of what follows. */
    if (!rc_nodes_process_runs(&it->holder) || rc_nodes_supervisor_wake(testbed))
        return node_gone(testbed, error);
    if (rc_nodes_group_join(&groups, it->core, it->name, error) ||
        rc_sense_cores_pin(it->core, error) ||
        enter_namespace(testbed, &it->holder, "net", CLONE_NEWNET, error) ||
        enter_namespace(testbed, &it->holder, "uts", CLONE_NEWUTS, error) ||
        see_hosts(testbed, error))
        return -1;
    set_time_slice(testbed->grain);
    snprintf(file, sizeof file, "tmp/%s", it->name);
    rc_nodes_path(testbed->name, file, path);
    setenv("TMPDIR", path, 1);
    setenv("HOSTNAME", it->name, 1);
    rc_nodes_supervisor_wake(testbed); /* now there is a process for it to see */
    return 0;
}

/* ---- changing ---- */

struct rate_change {
    const struct rc_testbed *testbed;
    const size_t *nodes;
    size_t n_nodes;
};

/* In a child of its own, because it enters one network after the other. */
static int change_rates(void *data)
{
    const struct rate_change *change = data;
    const struct rc_testbed *testbed = change->testbed;
    struct rc_error error = {0};
    int status;

    status = enter_namespace(testbed, &testbed->supervisor, "net", CLONE_NEWNET, &error);
    if (status == 0)
        status = rc_nodes_network_switch_rates(testbed, change->nodes, change->n_nodes, &error);
    for (size_t i = 0; i < change->n_nodes && status == 0; i++) {
        const struct rc_nodes_node *node = &testbed->nodes[change->nodes[i]];

        status = enter_namespace(testbed, &node->holder, "net", CLONE_NEWNET, &error);
        if (status == 0)
            status = rc_nodes_network_node_rate(testbed, change->nodes[i], &error);
    }
    if (status)
        dprintf(STDOUT_FILENO, "%s", error.text);
    return status ? 1 : 0;
}

static int set_rates(const struct rc_testbed *testbed, const size_t *nodes, size_t n_nodes,
                     struct rc_error *error)
{
    struct rate_change change = {testbed, nodes, n_nodes};
    const struct rc_process_options options = {.seconds = 60};
    struct rc_buffer output = RC_BUFFER_INIT(1024);
    struct rc_process_result result;
    int status = rc_process_call(change_rates, &change, &options, &output, &result, error);

    if (status == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0))
        status = rc_error_set(error, "%s", output.data ? output.data : "cannot change the rate");
    rc_buffer_free(&output);
    return status;
}

static int set_shares(const struct rc_testbed *testbed, const size_t *nodes, size_t n_nodes,
                      struct rc_error *error)
{
    struct rc_groups groups;

    if (rc_nodes_groups_find(&groups, error))
        return -1;
    for (size_t i = 0; i < n_nodes; i++) {
        const struct rc_nodes_node *node = &testbed->nodes[nodes[i]];

        if (rc_nodes_group_weigh(&groups, node->core, node->name, node->cpu, error))
            return -1;
    }
    return 0;
}

/* Whether no core is asked for more than it has. */
static int check_cores(const struct rc_testbed *testbed, const size_t *nodes, size_t n_nodes,
                       struct rc_error *error)
{
    struct rc_nodes_cores *cores = calloc(1, sizeof *cores);
    int status;

    if (!cores)
        return rc_error_no_memory(error);
    for (; cores->n < n_nodes; cores->n++)
        cores->items[cores->n].cpu = testbed->nodes[nodes[cores->n]].core;
    rc_nodes_cores_take(cores, testbed);
    status = rc_nodes_cores_take_others(cores, testbed->name, NULL, error);
    for (size_t i = 0; i < n_nodes && status == 0; i++)
        if (cores->items[i].taken > 1 + 1e-9) {
            rc_error_set(error, "core %d would need %.2f of its time for its nodes",
                         cores->items[i].cpu, cores->items[i].taken);
            status = rc_error_code(error, "nodes.core-full", NULL);
        }
    free(cores);
    return status;
}

static int change(struct rc_testbed *testbed, const size_t *nodes, size_t n_nodes, double cpu,
                  double link, struct rc_error *error)
{
    struct rc_testbed *before;
    int status = 0;

    if (!rc_nodes_process_runs(&testbed->supervisor))
        return node_gone(testbed, error);
    before = malloc(sizeof *before);
    if (!before)
        return rc_error_no_memory(error);
    memcpy(before, testbed, sizeof *before);
    for (size_t i = 0; i < n_nodes; i++) {
        if (!isnan(cpu))
            testbed->nodes[nodes[i]].cpu = cpu;
        if (!isnan(link))
            testbed->nodes[nodes[i]].link = link;
    }
    if (!isnan(cpu) && check_cores(testbed, nodes, n_nodes, error)) {
        status = -1;
    } else if ((!isnan(link) && set_rates(testbed, nodes, n_nodes, error)) ||
               (!isnan(cpu) && set_shares(testbed, nodes, n_nodes, error)) ||
               rc_nodes_write(testbed, error)) {
        status = -1;
        if (!isnan(link))
            set_rates(before, nodes, n_nodes, NULL);
        set_shares(before, nodes, n_nodes, NULL);
    }
    free(before);
    return status == 0 && rc_nodes_supervisor_wake(testbed) ? node_gone(testbed, error) : status;
}

int rc_nodes_set(const char *testbed_name, const size_t *nodes, size_t n_nodes, double cpu,
                 double link, struct rc_testbed *testbed, struct rc_error *error)
{
    int lock, status;

    if (rc_nodes_possible(error))
        return -1;
    if (!isnan(cpu) && !(cpu >= RC_NODES_CPU_LEAST && cpu <= 1))
        return rc_error_set(error, "CPU share must be from %g to 1", RC_NODES_CPU_LEAST);
    if (!isnan(link) && !(link >= RC_NODES_LINK_LEAST))
        return rc_error_set(
            error, "link rate must be at least %g kbit/s (a number without unit is in bytes/s)",
            RC_NODES_LINK_LEAST * 8e-3);
    lock = rc_nodes_lock(error);
    if (lock < 0)
        return -1;
    status = rc_nodes_load(testbed_name, testbed, error);
    if (status == 0)
        status = change(testbed, nodes, n_nodes, cpu, link, error);
    close(lock);
    return status;
}

/* ---- looking ---- */

void rc_nodes_look(const struct rc_testbed *testbed, struct rc_nodes_health *health)
{
    char boot[40];

    memset(health, 0, sizeof *health);
    rc_nodes_boot(boot);
    health->rebooted = strcmp(boot, testbed->boot) != 0;
    health->supervisor = !health->rebooted && rc_nodes_process_runs(&testbed->supervisor);
    /* The supervisor writes down all holders at once, when everything stands. */
    health->being_made = health->supervisor && testbed->nodes[0].holder.pid == 0;
    for (size_t i = 0; i < testbed->n_nodes; i++) {
        health->nodes_gone |=
            !health->being_made &&
            (health->rebooted || !rc_nodes_process_runs(&testbed->nodes[i].holder));
        health->keeps_shares |= testbed->nodes[i].cpu < 1;
    }
}

int64_t rc_nodes_node_processes(const struct rc_testbed *testbed, size_t node)
{
    struct rc_groups groups;
    int64_t count;

    if (rc_nodes_groups_find(&groups, NULL))
        return -1;
    count = rc_nodes_group_processes(&groups, testbed->nodes[node].core, testbed->nodes[node].name);
    return count > 0 && rc_nodes_process_runs(&testbed->nodes[node].holder) ? count - 1 : count;
}

double rc_nodes_node_seconds(const struct rc_testbed *testbed, size_t node)
{
    struct rc_groups groups;

    if (rc_nodes_groups_find(&groups, NULL))
        return NAN;
    return rc_nodes_group_seconds(&groups, testbed->nodes[node].core, testbed->nodes[node].name);
}
