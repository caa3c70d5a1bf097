// SPDX-License-Identifier: GPL-3.0-or-later
/* core_share.c - the processes by which a core is shared out truly. */
#include "testbed/nodes/core_share.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "testbed/nodes/virtual_network.h"
#include "host/sense/cores.h"

enum { TICKER_PRIORITY = 10 };

/* The child's beginning: it ends with its parent, and looks like what it is in a list of processes.
 * -1 where the parent is gone already. */
static int be_child(pid_t parent, const char *name)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, name);
    return getppid() == parent ? 0 : -1;
}

static void tell(int report, int status, const struct rc_error *error)
{
    struct rc_nodes_report text = {.status = status};

    if (status)
        text.error = *error;
    if (write(report, &text, sizeof text) < 0 || status)
        _exit(1);
}

_Noreturn static void spin(void)
{
    raise(SIGSTOP);
    for (;;) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause(); /* leaves more to the other thread of the core */
#else
        __asm__ volatile("" ::: "memory");
#endif
    }
}

/* ---- holders ---- */

static int get_namespaces(const struct rc_nodes_node *node, struct rc_error *error)
{
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS)) {
        rc_error_errno(error, errno, "cannot make a network namespace");
        return rc_error_code(error, "nodes.incapable", NULL);
    }
    if (sethostname(node->name, strlen(node->name)))
        return rc_error_errno(error, errno, "cannot set a host name");
    return 0;
}

_Noreturn static void hold(const struct rc_groups *groups, const struct rc_testbed *testbed,
                           size_t node, int go, int report)
{
    const struct rc_nodes_node *it = &testbed->nodes[node];
    struct rc_error error = {0};
    char byte;
    int status;

    status = get_namespaces(it, &error) || rc_sense_cores_pin(it->core, &error) ||
                     rc_nodes_group_join(groups, it->core, it->name, &error)
                 ? -1
                 : 0;
    tell(report, status, &error);
    while (read(go, &byte, 1) < 0 && errno == EINTR)
        ;
    close(go);
    status = rc_nodes_network_node(testbed, node, &error);
    if (status == 0 && sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}))
        status = rc_error_errno(&error, errno, "cannot give a process the policy SCHED_IDLE");
    tell(report, status, &error);
    close(report);
    spin();
}

pid_t rc_nodes_start_holder(const struct rc_groups *groups, const struct rc_testbed *testbed,
                            size_t node, int go, int report)
{
    pid_t parent = getpid(), pid = fork();
    char name[16];

    if (pid != 0)
        return pid;
    snprintf(name, sizeof name, "rc-%.12s", testbed->nodes[node].name);
    if (be_child(parent, name))
        _exit(1);
    hold(groups, testbed, node, go, report);
}

/* ---- remainder and ticker ---- */

pid_t rc_nodes_start_remainder(const struct rc_groups *groups, int cpu, const char *name,
                               int report)
{
    struct rc_error error = {0};
    pid_t parent = getpid(), pid = fork();

    if (pid != 0)
        return pid;
    if (be_child(parent, "rc-rest"))
        _exit(1);
    tell(report,
         rc_sense_cores_pin(cpu, &error) || rc_nodes_group_join(groups, cpu, name, &error) ? -1 : 0,
         &error);
    close(report);
    spin();
}

_Noreturn static void pace(double grain)
{
    const long step = (long)(grain * 1e9), second = 1000000000;
    struct timespec next, now;

    raise(SIGSTOP);
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        next.tv_nsec += step;
        if (next.tv_nsec >= second) {
            next.tv_nsec -= second;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        /* After a pause it must not run after all the time that it has missed. */
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > next.tv_sec + 1)
            next = now;
    }
}

pid_t rc_nodes_start_ticker(int cpu, double grain, int report)
{
    const struct sched_param priority = {.sched_priority = TICKER_PRIORITY};
    struct rc_error error = {0};
    pid_t parent = getpid(), pid = fork();

    if (pid != 0)
        return pid;
    if (be_child(parent, "rc-pacer"))
        _exit(1);
    if (sched_setscheduler(0, SCHED_FIFO, &priority))
        setpriority(PRIO_PROCESS, 0, -20);
    prctl(PR_SET_TIMERSLACK, 1UL);
    tell(report, rc_sense_cores_pin(cpu, &error), &error);
    close(report);
    pace(grain);
}
