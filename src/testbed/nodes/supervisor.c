// SPDX-License-Identifier: GPL-3.0-or-later
/* supervisor.c - the process that keeps a testbed.
 *
 * It starts the processes of core_share.h, lets them run while there is work on a core, and sees to
 * it that the nodes get their shares of the core, no more and no less, whatever the ticker and the
 * rest of the machine take of it: ten times a second it compares what the nodes of a core, and its
 * rest, have used with what they were to use, and sets the weight of the rest accordingly.
 *
 * Of a core, the testbed's nodes and rest together get some part A, and the nodes of it shares /
 * (shares + rest).  For that to be `shares`, the weight of the rest must be A - shares. Where two
 * testbeds share a core, any split of what is left between their rests gives all nodes their
 * shares, so it does not matter that nothing holds that split in place. */
#include "testbed/nodes/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "testbed/nodes/core_share.h"
#include "testbed/nodes/node_cgroups.h"
#include "testbed/nodes/virtual_network.h"
#include "testbed/nodes/testbed_state.h"

enum {
    BUSY_TICK = 50,    /* milliseconds between two looks while something runs in the testbed */
    IDLE_TICK = 200,   /* ... while nothing does */
    REPORT_TICK = 100, /* while its children get ready */
    SUPERVISOR_PRIORITY = 5
};
#define CONTROL_SECONDS 0.1 /* between two corrections of a weight */
#define IDLE_SECONDS 0.3    /* without any process before those processes are paused */
#define SMOOTHING 0.5       /* of a new measurement */

/* A core with nodes of this testbed. */
struct core {
    int cpu;
    double shares; /* of its nodes in this testbed, together */
    size_t n_nodes;
    pid_t remainder, ticker;
    bool running; /* the processes of core_share.h */
    double seen;  /* when there was last a process */
    double checked, nodes_used, remainder_used;
    double got; /* smoothed: what nodes and rest get of the core together */
};

struct supervisor {
    struct rc_groups groups;
    struct rc_testbed *testbed;
    struct core cores[RC_NODES_NODES_MAX];
    size_t n_cores;
    char remainder_name[RC_NODES_NODE_NAME + 8]; /* group of what keeps the nodes to their shares */
    int wake;
};

double rc_nodes_remainder_weight(double shares, double got)
{
    return fmax(0, fmin(1, got) - shares);
}

/* ---- setting up ---- */

static void find_cores(struct supervisor *supervisor)
{
    const struct rc_testbed *testbed = supervisor->testbed;

    for (size_t c = 0; c < supervisor->n_cores; c++) {
        supervisor->cores[c].shares = 0;
        supervisor->cores[c].n_nodes = 0;
    }
    for (size_t i = 0; i < testbed->n_nodes; i++) {
        size_t c = 0;

        while (c < supervisor->n_cores && supervisor->cores[c].cpu != testbed->nodes[i].core)
            c++;
        if (c == supervisor->n_cores)
            supervisor->cores[supervisor->n_cores++] =
                (struct core){.cpu = testbed->nodes[i].core, .got = NAN};
        supervisor->cores[c].shares += testbed->nodes[i].cpu;
        supervisor->cores[c].n_nodes++;
    }
}

/* Reads one report, in the manner of read().  A killed child reports nothing, and the pipe stays
 * open because the others have it too: 0 then. */
static ssize_t next_report(int report, struct rc_nodes_report *text)
{
    struct pollfd ready = {.fd = report, .events = POLLIN};
    siginfo_t ended = {0};
    int status;

    /* A child that failed has reported it before it ended, so the pipe is read once more. */
    do {
        bool last = ended.si_pid != 0;

        status = poll(&ready, 1, last ? 0 : REPORT_TICK);
        if (last)
            break;
        if (status == 0 && waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT))
            return -1;
    } while (status == 0);
    return status > 0 ? read(report, text, sizeof *text) : status;
}

/* Waits for one report of each of `n` children. */
static int collect(int report, size_t n, struct rc_error *error)
{
    struct rc_nodes_report text;
    int status = 0;

    for (size_t i = 0; i < n && status == 0; i++) {
        ssize_t got = next_report(report, &text);

        if (got < 0 && errno == EINTR) {
            i--;
        } else if (got != (ssize_t)sizeof text) {
            status = rc_error_set(error, "a process of the lab ended unexpectedly");
        } else if (text.status) {
            *error = text.error;
            status = -1;
        }
    }
    return status;
}

static int start_holders(struct supervisor *supervisor, int go, int report, struct rc_error *error)
{
    struct rc_testbed *testbed = supervisor->testbed;

    for (size_t i = 0; i < testbed->n_nodes; i++) {
        struct rc_nodes_node *node = &testbed->nodes[i];
        pid_t pid;

        if (rc_nodes_group_make(&supervisor->groups, node->core, node->name, error) ||
            rc_nodes_group_weigh(&supervisor->groups, node->core, node->name, node->cpu, error))
            return -1;
        pid = rc_nodes_start_holder(&supervisor->groups, testbed, i, go, report);
        if (pid < 0)
            return rc_error_errno(error, errno, "cannot start a process");
        node->holder = rc_nodes_process(pid);
    }
    return 0;
}

static int start_remainders(struct supervisor *supervisor, int report, struct rc_error *error)
{
    for (size_t c = 0; c < supervisor->n_cores; c++) {
        struct core *core = &supervisor->cores[c];

        if (rc_nodes_group_make(&supervisor->groups, core->cpu, supervisor->remainder_name,
                                error) ||
            rc_nodes_group_weigh(&supervisor->groups, core->cpu, supervisor->remainder_name,
                                 rc_nodes_remainder_weight(core->shares, 1), error))
            return -1;
        core->remainder = rc_nodes_start_remainder(&supervisor->groups, core->cpu,
                                                   supervisor->remainder_name, report);
        core->ticker = core->remainder < 0
                           ? -1
                           : rc_nodes_start_ticker(core->cpu, supervisor->testbed->grain, report);
        if (core->ticker < 0)
            return rc_error_errno(error, errno, "cannot start a process");
    }
    return 0;
}

/* A child that is continued before it has stopped itself would stop later, unnoticed. */
static int await_stops(const struct supervisor *supervisor, struct rc_error *error)
{
    size_t n = supervisor->testbed->n_nodes + 2 * supervisor->n_cores;
    int status;

    while (n > 0) {
        pid_t pid = waitpid(-1, &status, WUNTRACED);

        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0 || !WIFSTOPPED(status))
            return rc_error_set(error, "a process of the lab ended unexpectedly");
        n--;
    }
    return 0;
}

/* Everything between the pipes; what it leaves open on failure ends with the process. */
static int set_up(struct supervisor *supervisor, struct rc_error *error)
{
    struct rc_testbed *testbed = supervisor->testbed;
    int go[2], report[2];

    if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    if (unshare(CLONE_NEWNET)) {
        rc_error_errno(error, errno, "cannot make a network namespace");
        return rc_error_code(error, "nodes.incapable", NULL);
    }
    if (start_holders(supervisor, go[0], report[1], error) ||
        collect(report[0], testbed->n_nodes, error) || rc_nodes_network_switch(testbed, error))
        return -1;
    for (size_t i = 0; i < testbed->n_nodes; i++)
        if (write(go[1], "", 1) != 1)
            return rc_error_errno(error, errno, "cannot write to a pipe");
    close(go[1]);
    close(go[0]);
    if (collect(report[0], testbed->n_nodes, error) ||
        start_remainders(supervisor, report[1], error) ||
        collect(report[0], 2 * supervisor->n_cores, error) || await_stops(supervisor, error))
        return -1;
    close(report[0]);
    close(report[1]);
    return rc_nodes_write(testbed, error);
}

/* ---- keeping ---- */

static bool has_work(const struct supervisor *supervisor, const struct core *core)
{
    const struct rc_testbed *testbed = supervisor->testbed;

    for (size_t i = 0; i < testbed->n_nodes; i++)
        if (testbed->nodes[i].core == core->cpu &&
            rc_nodes_group_processes(&supervisor->groups, core->cpu, testbed->nodes[i].name) > 1)
            return true;
    return false;
}

static void signal_sharers(const struct supervisor *supervisor, struct core *core, int number)
{
    const struct rc_testbed *testbed = supervisor->testbed;

    for (size_t i = 0; i < testbed->n_nodes; i++)
        if (testbed->nodes[i].core == core->cpu)
            kill(testbed->nodes[i].holder.pid, number);
    kill(core->remainder, number);
    kill(core->ticker, number);
    core->running = number == SIGCONT;
}

static double used_by_nodes(const struct supervisor *supervisor, const struct core *core)
{
    const struct rc_testbed *testbed = supervisor->testbed;
    double used = 0;

    for (size_t i = 0; i < testbed->n_nodes; i++)
        if (testbed->nodes[i].core == core->cpu)
            used += rc_nodes_group_seconds(&supervisor->groups, core->cpu, testbed->nodes[i].name);
    return used;
}

/* Measures from here on. */
static void mark(const struct supervisor *supervisor, struct core *core, double now)
{
    core->checked = now;
    core->nodes_used = used_by_nodes(supervisor, core);
    core->remainder_used =
        rc_nodes_group_seconds(&supervisor->groups, core->cpu, supervisor->remainder_name);
}

static void correct(const struct supervisor *supervisor, struct core *core, double now)
{
    double nodes = core->nodes_used, remainder = core->remainder_used, since = now - core->checked,
           got;

    mark(supervisor, core, now);
    got = (core->nodes_used - nodes + core->remainder_used - remainder) / since;
    if (isnan(got))
        return;
    core->got = isnan(core->got) ? got : core->got + SMOOTHING * (got - core->got);
    rc_nodes_group_weigh(&supervisor->groups, core->cpu, supervisor->remainder_name,
                         rc_nodes_remainder_weight(core->shares, core->got), NULL);
}

static void share_core(const struct supervisor *supervisor, struct core *core, double now)
{
    /* A node that has a core to itself needs no others. */
    if ((core->n_nodes > 1 || core->shares < 1) && has_work(supervisor, core)) {
        core->seen = now;
        if (!core->running) {
            signal_sharers(supervisor, core, SIGCONT);
            core->got = NAN;
            mark(supervisor, core, now);
        }
    } else if (core->running && now - core->seen > IDLE_SECONDS) {
        signal_sharers(supervisor, core, SIGSTOP);
    }
    if (core->running && now - core->checked >= CONTROL_SECONDS)
        correct(supervisor, core, now);
}

/* Takes over what `testbed set` has changed. */
static void read_again(struct supervisor *supervisor)
{
    struct rc_testbed *fresh = malloc(sizeof *fresh);

    if (fresh && rc_nodes_read(supervisor->testbed->name, fresh, NULL) == 0 &&
        fresh->n_nodes == supervisor->testbed->n_nodes) {
        for (size_t i = 0; i < fresh->n_nodes; i++)
            supervisor->testbed->nodes[i].cpu = fresh->nodes[i].cpu;
        find_cores(supervisor);
    }
    free(fresh);
}

/* Children that have ended are not waited for: as long as they are not, no other process gets their
 * numbers, which are signalled here. */
_Noreturn static void run(struct supervisor *supervisor)
{
    struct rc_clock *clock = rc_clock_system();
    struct pollfd wake = {.fd = supervisor->wake, .events = POLLIN};
    bool busy = false;
    char bytes[256], path[RC_NODES_PATH];

    rc_nodes_path(supervisor->testbed->name, "lab.json", path);
    for (;;) {
        /* A testbed without its directory is not found by `testbed down`, and has nothing to
         * run. */
        if (access(path, F_OK))
            _exit(1);
        poll(&wake, 1, busy ? BUSY_TICK : IDLE_TICK);
        if (read(supervisor->wake, bytes, sizeof bytes) > 0)
            read_again(supervisor);
        busy = false;
        for (size_t c = 0; c < supervisor->n_cores; c++) {
            share_core(supervisor, &supervisor->cores[c], clock->monotonic(clock));
            busy |= supervisor->cores[c].running;
        }
    }
}

/* ---- starting ---- */

enum { REPORT_FD = 3, LOCK_FD = 4 }; /* the supervisor's descriptors, above the usual three */

/* Leaves everything of the caller's behind but the pipe and the lock. */
static int leave(int report, int lock)
{
    const struct sched_param priority = {.sched_priority = SUPERVISOR_PRIORITY};
    int nothing = open("/dev/null", O_RDWR);

    report = fcntl(report, F_DUPFD_CLOEXEC, 10); /* out of the way of what follows */
    lock = fcntl(lock, F_DUPFD_CLOEXEC, 10);
    if (nothing < 0 || report < 0 || lock < 0 || setsid() < 0 || chdir("/"))
        return -1;
    for (int fd = 0; fd < 3; fd++)
        dup2(nothing, fd);
    if (dup2(report, REPORT_FD) < 0 || dup2(lock, LOCK_FD) < 0)
        return -1;
    closefrom(LOCK_FD + 1);
    fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC);
    fcntl(LOCK_FD, F_SETFD, FD_CLOEXEC);
    for (int number = 1; number < NSIG; number++)
        signal(number, number == SIGPIPE ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, &(sigset_t){0}, NULL);
    umask(022);
    prctl(PR_SET_NAME, "rc-keeper");
    /* It does little, and that must not wait for the testbed's own load. */
    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
    return 0;
}

_Noreturn static void be_supervisor(struct rc_testbed *testbed, int report, int lock)
{
    static struct supervisor supervisor;
    struct rc_nodes_report text = {.status = -1};
    char path[RC_NODES_PATH];
    int status;

    if (leave(report, lock))
        _exit(1);
    supervisor.testbed = testbed;
    snprintf(supervisor.remainder_name, sizeof supervisor.remainder_name, "%s-rest", testbed->name);
    testbed->supervisor = rc_nodes_process(getpid());
    find_cores(&supervisor);
    rc_nodes_path(testbed->name, "wake", path);
    /* Known by its number before there is anything that it could leave behind; where the command is
     * killed, `testbed down` has to wait until then, or it would not find this process. */
    status = rc_nodes_write(testbed, &text.error);
    close(LOCK_FD);
    if (status == 0 && rc_nodes_groups_prepare(&supervisor.groups, &text.error) == 0) {
        supervisor.wake = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        text.status = supervisor.wake < 0
                          ? rc_error_errno(&text.error, errno, "cannot open %s", path)
                          : set_up(&supervisor, &text.error);
    }
    if (write(REPORT_FD, &text, sizeof text) < 0 && text.status == 0)
        text.status = errno == EPIPE ? 0 : -1; /* the reader is gone */
    if (text.status)
        _exit(1);
    close(REPORT_FD);
    run(&supervisor);
}

int rc_nodes_supervisor_start(struct rc_testbed *testbed, int lock, struct rc_error *error)
{
    struct rc_nodes_report text;
    char name[RC_NODES_NAME_MAX + 1];
    int report[2];
    ssize_t got;
    pid_t pid;

    memcpy(name, testbed->name, sizeof name);
    if (pipe2(report, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    pid = fork();
    if (pid == 0)
        be_supervisor(testbed, report[1], lock);
    close(report[1]);
    do
        got = pid < 0 ? 0 : read(report[0], &text, sizeof text);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    if (pid < 0)
        return rc_error_errno(error, errno, "cannot start the lab's supervisor");
    if (got != (ssize_t)sizeof text || text.status) {
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        if (got != (ssize_t)sizeof text)
            return rc_error_set(error, "the lab's supervisor ended unexpectedly");
        if (error)
            *error = text.error;
        return -1;
    }
    return rc_nodes_read(name, testbed, error);
}

int rc_nodes_supervisor_wake(const struct rc_testbed *testbed)
{
    char path[RC_NODES_PATH];
    int fd, status;

    rc_nodes_path(testbed->name, "wake", path);
    fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    status = write(fd, "", 1) < 0 && errno != EAGAIN ? -1 : 0;
    close(fd);
    return status;
}
