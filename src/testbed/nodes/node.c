// SPDX-License-Identifier: GPL-3.0-or-later
/* node.c - what is done with the nodes of a lab that stands: enter, change, look. */
#include "testbed/nodes/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "testbed/nodes/node_group.h"
#include "testbed/nodes/keeper.h"
#include "testbed/nodes/network.h"
#include "testbed/nodes/state.h"
#include "testbed/nodes/turns.h"
#include "host/sense/cores.h"

/* ---- entering ---- */

static int node_gone(const struct rc_nodes *lab, struct rc_error *error)
{
    struct rc_nodes_health health;

    rc_nodes_look(lab, &health);
    if (health.being_made)
        return rc_error_set(error, "the lab '%s' is still being made", lab->name);
    rc_error_set(error, "the lab '%s' is broken: its processes have ended", lab->name);
    return rc_error_hint(error, "runcast lab down --name %s; then up again", lab->name);
}

/* Enters one namespace of a process; the process is looked at again once it cannot be mistaken. */
static int enter_namespace(const struct rc_nodes *lab, const struct rc_nodes_process *process,
                           const char *kind, int type, struct rc_error *error)
{
    char path[64];
    int fd, status;

    snprintf(path, sizeof path, "/proc/%ld/ns/%s", (long)process->pid, kind);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !rc_nodes_process_runs(process)) {
        if (fd >= 0)
            close(fd);
        return node_gone(lab, error);
    }
    status = setns(fd, type);
    if (status)
        rc_error_errno(error, errno, "cannot enter the node's namespaces");
    close(fd);
    return status;
}

/* Puts the lab's /etc/hosts in place of the machine's, for this process and those below it. */
static int see_hosts(const struct rc_nodes *lab, struct rc_error *error)
{
    char path[RC_NODES_PATH];

    rc_nodes_path(lab->name, "hosts", path);
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
        return rc_error_errno(error, errno, "cannot make a mount namespace");
    /* A machine without that file has no other names to hide; its nodes go by address. */
    if (mount(path, "/etc/hosts", NULL, MS_BIND, NULL) && errno != ENOENT)
        return rc_error_errno(error, errno, "cannot put %s in place of /etc/hosts", path);
    return 0;
}

int rc_nodes_enter(const struct rc_nodes *lab, size_t node, struct rc_error *error)
{
    const struct rc_nodes_node *it = &lab->nodes[node];
    char path[RC_NODES_PATH], file[32];
    struct rc_groups groups;

    if (rc_nodes_possible(error) || rc_nodes_groups_find(&groups, error))
        return -1;
    /* The group comes first: its files are out of sight of some of what follows. */
    if (!rc_nodes_process_runs(&it->holder) || rc_nodes_keeper_wake(lab))
        return node_gone(lab, error);
    if (rc_nodes_group_join(&groups, it->core, it->name, error) ||
        rc_sense_cores_pin(it->core, error) ||
        enter_namespace(lab, &it->holder, "net", CLONE_NEWNET, error) ||
        enter_namespace(lab, &it->holder, "uts", CLONE_NEWUTS, error) || see_hosts(lab, error))
        return -1;
    rc_nodes_short_turns(lab->grain);
    snprintf(file, sizeof file, "tmp/%s", it->name);
    rc_nodes_path(lab->name, file, path);
    setenv("TMPDIR", path, 1);
    setenv("HOSTNAME", it->name, 1);
    rc_nodes_keeper_wake(lab); /* now there is a process for it to see */
    return 0;
}

/* ---- changing ---- */

struct rate_change {
    const struct rc_nodes *lab;
    const size_t *nodes;
    size_t n_nodes;
};

/* In a child of its own, because it enters one network after the other. */
static int change_rates(void *data)
{
    const struct rate_change *change = data;
    const struct rc_nodes *lab = change->lab;
    struct rc_error error = {0};
    int status;

    status = enter_namespace(lab, &lab->keeper, "net", CLONE_NEWNET, &error);
    if (status == 0)
        status = rc_nodes_network_switch_rates(lab, change->nodes, change->n_nodes, &error);
    for (size_t i = 0; i < change->n_nodes && status == 0; i++) {
        const struct rc_nodes_node *node = &lab->nodes[change->nodes[i]];

        status = enter_namespace(lab, &node->holder, "net", CLONE_NEWNET, &error);
        if (status == 0)
            status = rc_nodes_network_node_rate(lab, change->nodes[i], &error);
    }
    if (status)
        dprintf(STDOUT_FILENO, "%s", error.text);
    return status ? 1 : 0;
}

static int set_rates(const struct rc_nodes *lab, const size_t *nodes, size_t n_nodes,
                     struct rc_error *error)
{
    struct rate_change change = {lab, nodes, n_nodes};
    const struct rc_process_options options = {.seconds = 60};
    struct rc_buffer output = RC_BUFFER_INIT(1024);
    struct rc_process_result result;
    int status = rc_process_call(change_rates, &change, &options, &output, &result, error);

    if (status == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0))
        status = rc_error_set(error, "%s", output.data ? output.data : "cannot change the rate");
    rc_buffer_free(&output);
    return status;
}

static int set_shares(const struct rc_nodes *lab, const size_t *nodes, size_t n_nodes,
                      struct rc_error *error)
{
    struct rc_groups groups;

    if (rc_nodes_groups_find(&groups, error))
        return -1;
    for (size_t i = 0; i < n_nodes; i++) {
        const struct rc_nodes_node *node = &lab->nodes[nodes[i]];

        if (rc_nodes_group_weigh(&groups, node->core, node->name, node->cpu, error))
            return -1;
    }
    return 0;
}

/* What all nodes of all labs take of one core. */
struct core_sum {
    int cpu;
    double taken;
    struct rc_nodes other; /* to read into */
    const struct rc_nodes *changed;
};

static int add_to_core(void *data, const char *name)
{
    struct core_sum *sum = data;
    const struct rc_nodes *lab = sum->changed;

    if (strcmp(name, sum->changed->name) != 0) {
        if (rc_nodes_read(name, &sum->other, NULL) || strcmp(sum->other.boot, lab->boot) != 0)
            return 0; /* what was left of an earlier life of the machine takes nothing */
        lab = &sum->other;
    }
    for (size_t i = 0; i < lab->n_nodes; i++)
        if (lab->nodes[i].core == sum->cpu)
            sum->taken += lab->nodes[i].cpu;
    return 0;
}

/* Whether no core is asked for more than it has. */
static int check_cores(const struct rc_nodes *lab, const size_t *nodes, size_t n_nodes,
                       struct rc_error *error)
{
    struct core_sum *sum = malloc(sizeof *sum);
    int status = sum ? 0 : rc_error_no_memory(error);

    for (size_t i = 0; i < n_nodes && status == 0; i++) {
        sum->cpu = lab->nodes[nodes[i]].core;
        sum->taken = 0;
        sum->changed = lab;
        status = rc_nodes_each(add_to_core, sum, error);
        if (status == 0 && sum->taken > 1 + 1e-9) {
            rc_error_set(error, "core %d would have to give %.2f of itself to its nodes", sum->cpu,
                         sum->taken);
            status = rc_error_hint(error, "see 'runcast lab status' for who has how much of it");
        }
    }
    free(sum);
    return status;
}

static int change(struct rc_nodes *lab, const size_t *nodes, size_t n_nodes, double cpu,
                  double link, struct rc_error *error)
{
    struct rc_nodes *before;
    int status = 0;

    if (!rc_nodes_process_runs(&lab->keeper))
        return node_gone(lab, error);
    before = malloc(sizeof *before);
    if (!before)
        return rc_error_no_memory(error);
    memcpy(before, lab, sizeof *before);
    for (size_t i = 0; i < n_nodes; i++) {
        if (!isnan(cpu))
            lab->nodes[nodes[i]].cpu = cpu;
        if (!isnan(link))
            lab->nodes[nodes[i]].link = link;
    }
    if (!isnan(cpu) && check_cores(lab, nodes, n_nodes, error)) {
        status = -1;
    } else if ((!isnan(link) && set_rates(lab, nodes, n_nodes, error)) ||
               (!isnan(cpu) && set_shares(lab, nodes, n_nodes, error)) ||
               rc_nodes_write(lab, error)) {
        status = -1;
        if (!isnan(link))
            set_rates(before, nodes, n_nodes, NULL);
        set_shares(before, nodes, n_nodes, NULL);
    }
    free(before);
    return status == 0 && rc_nodes_keeper_wake(lab) ? node_gone(lab, error) : status;
}

int rc_nodes_set(const char *lab_name, const size_t *nodes, size_t n_nodes, double cpu, double link,
                 struct rc_nodes *lab, struct rc_error *error)
{
    int lock, status;

    if (rc_nodes_possible(error))
        return -1;
    if (!isnan(cpu) && !(cpu >= RC_NODES_CPU_LEAST && cpu <= 1))
        return rc_error_set(error, "a node's share of a core is from %g to 1", RC_NODES_CPU_LEAST);
    if (!isnan(link) && !(link >= RC_NODES_LINK_LEAST))
        return rc_error_set(error, "a link has at least %g kbit/s (a bare number is in bytes/s)",
                            RC_NODES_LINK_LEAST * 8e-3);
    lock = rc_nodes_lock(error);
    if (lock < 0)
        return -1;
    status = rc_nodes_load(lab_name, lab, error);
    if (status == 0)
        status = change(lab, nodes, n_nodes, cpu, link, error);
    close(lock);
    return status;
}

/* ---- looking ---- */

void rc_nodes_look(const struct rc_nodes *lab, struct rc_nodes_health *health)
{
    char boot[40];

    memset(health, 0, sizeof *health);
    rc_nodes_boot(boot);
    health->rebooted = strcmp(boot, lab->boot) != 0;
    health->keeper = !health->rebooted && rc_nodes_process_runs(&lab->keeper);
    /* The keeper writes down all holders at once, when everything stands. */
    health->being_made = health->keeper && lab->nodes[0].holder.pid == 0;
    for (size_t i = 0; i < lab->n_nodes; i++) {
        health->nodes_gone |= !health->being_made &&
                              (health->rebooted || !rc_nodes_process_runs(&lab->nodes[i].holder));
        health->keeps_shares |= lab->nodes[i].cpu < 1;
    }
}

int64_t rc_nodes_node_processes(const struct rc_nodes *lab, size_t node)
{
    struct rc_groups groups;
    int64_t count;

    if (rc_nodes_groups_find(&groups, NULL))
        return -1;
    count = rc_nodes_group_processes(&groups, lab->nodes[node].core, lab->nodes[node].name);
    return count > 0 && rc_nodes_process_runs(&lab->nodes[node].holder) ? count - 1 : count;
}

double rc_nodes_node_seconds(const struct rc_nodes *lab, size_t node)
{
    struct rc_groups groups;

    if (rc_nodes_groups_find(&groups, NULL))
        return NAN;
    return rc_nodes_group_seconds(&groups, lab->nodes[node].core, lab->nodes[node].name);
}
