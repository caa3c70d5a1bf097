// SPDX-License-Identifier: GPL-3.0-or-later
/* keeper.c - the process that keeps a lab.
 *
 * It starts the ballast (ballast.h), lets it run while there is work on a core, and sees to it that
 * the nodes get their shares of the core, no more and no less, whatever the pacer and the rest of
 * the machine take of it: ten times a second it compares what the nodes of a core, and its rest, have
 * used with what they were to use, and sets the weight of the rest accordingly.
 *
 * Of a core, the lab's nodes and rest together get some part A, and the nodes of it
 * shares / (shares + rest).  For that to be `shares`, the weight of the rest must be A - shares.
 * Where two labs share a core, any split of what is left between their rests gives all nodes their
 * shares, so it does not matter that nothing holds that split in place. */
#include "testbed/nodes/keeper.h"

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
#include "testbed/nodes/ballast.h"
#include "testbed/nodes/node_group.h"
#include "testbed/nodes/network.h"
#include "testbed/nodes/state.h"

enum {
    BUSY_TICK = 50,    /* milliseconds between two looks while something runs in the lab */
    IDLE_TICK = 200,   /* ... while nothing does */
    REPORT_TICK = 100, /* while its children get ready */
    KEEPER_PRIORITY = 5
};
#define CONTROL_SECONDS 0.1 /* between two corrections of a weight */
#define IDLE_SECONDS 0.3    /* without any process before the ballast is paused */
#define SMOOTHING 0.5       /* of a new measurement */

/* A core with nodes of this lab. */
struct core {
    int cpu;
    double shares; /* of its nodes in this lab, together */
    size_t n_nodes;
    pid_t rest, pacer;
    bool running; /* the ballast */
    double seen;  /* when there was last a process */
    double checked, nodes_used, rest_used;
    double got; /* smoothed: what nodes and rest get of the core together */
};

struct keeper {
    struct rc_groups groups;
    struct rc_nodes *lab;
    struct core cores[RC_NODES_NODES_MAX];
    size_t n_cores;
    char rest_name[RC_NODES_NODE_NAME + 8];
    int wake;
};

void rc_nodes_rest_name(const struct rc_nodes *lab, char name[RC_NODES_NODE_NAME + 8])
{
    snprintf(name, RC_NODES_NODE_NAME + 8, "%s-rest", lab->name);
}

double rc_nodes_rest_weight(double shares, double got)
{
    return fmax(0, fmin(1, got) - shares);
}

/* ---- setting up ---- */

static void find_cores(struct keeper *keeper)
{
    const struct rc_nodes *lab = keeper->lab;

    for (size_t c = 0; c < keeper->n_cores; c++) {
        keeper->cores[c].shares = 0;
        keeper->cores[c].n_nodes = 0;
    }
    for (size_t i = 0; i < lab->n_nodes; i++) {
        size_t c = 0;

        while (c < keeper->n_cores && keeper->cores[c].cpu != lab->nodes[i].core)
            c++;
        if (c == keeper->n_cores)
            keeper->cores[keeper->n_cores++] = (struct core){.cpu = lab->nodes[i].core, .got = NAN};
        keeper->cores[c].shares += lab->nodes[i].cpu;
        keeper->cores[c].n_nodes++;
    }
}

/* Reads one report, in the manner of read().  Who was killed tells nothing, and the pipe stays open
 * because the others have it too: 0 then. */
static ssize_t next_report(int report, struct rc_ballast_report *text)
{
    struct pollfd ready = {.fd = report, .events = POLLIN};
    siginfo_t ended = {0};
    int status;

    /* Who failed has told before it ended, so the pipe is looked at once more. */
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
    struct rc_ballast_report text;
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

static int start_holders(struct keeper *keeper, int go, int report, struct rc_error *error)
{
    struct rc_nodes *lab = keeper->lab;

    for (size_t i = 0; i < lab->n_nodes; i++) {
        struct rc_nodes_node *node = &lab->nodes[i];
        pid_t pid;

        if (rc_nodes_group_make(&keeper->groups, node->core, node->name, error) ||
            rc_nodes_group_weigh(&keeper->groups, node->core, node->name, node->cpu, error))
            return -1;
        pid = rc_nodes_ballast_hold(&keeper->groups, lab, i, go, report);
        if (pid < 0)
            return rc_error_errno(error, errno, "cannot start a process");
        node->holder = rc_nodes_process(pid);
    }
    return 0;
}

static int start_rests(struct keeper *keeper, int report, struct rc_error *error)
{
    for (size_t c = 0; c < keeper->n_cores; c++) {
        struct core *core = &keeper->cores[c];

        if (rc_nodes_group_make(&keeper->groups, core->cpu, keeper->rest_name, error) ||
            rc_nodes_group_weigh(&keeper->groups, core->cpu, keeper->rest_name,
                                 rc_nodes_rest_weight(core->shares, 1), error))
            return -1;
        core->rest = rc_nodes_ballast_rest(&keeper->groups, core->cpu, keeper->rest_name, report);
        core->pacer =
            core->rest < 0 ? -1 : rc_nodes_ballast_pace(core->cpu, keeper->lab->grain, report);
        if (core->pacer < 0)
            return rc_error_errno(error, errno, "cannot start a process");
    }
    return 0;
}

/* A child that was told to go on before it has stopped itself would stop later, unnoticed. */
static int await_stops(const struct keeper *keeper, struct rc_error *error)
{
    size_t n = keeper->lab->n_nodes + 2 * keeper->n_cores;
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
static int set_up(struct keeper *keeper, struct rc_error *error)
{
    struct rc_nodes *lab = keeper->lab;
    int go[2], report[2];

    if (pipe2(go, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    if (unshare(CLONE_NEWNET)) {
        rc_error_errno(error, errno, "cannot make a network namespace");
        return rc_error_hint(error, "'runcast doctor' says what is missing");
    }
    if (start_holders(keeper, go[0], report[1], error) || collect(report[0], lab->n_nodes, error) ||
        rc_nodes_network_switch(lab, error))
        return -1;
    for (size_t i = 0; i < lab->n_nodes; i++)
        if (write(go[1], "", 1) != 1)
            return rc_error_errno(error, errno, "cannot write to a pipe");
    close(go[1]);
    close(go[0]);
    if (collect(report[0], lab->n_nodes, error) || start_rests(keeper, report[1], error) ||
        collect(report[0], 2 * keeper->n_cores, error) || await_stops(keeper, error))
        return -1;
    close(report[0]);
    close(report[1]);
    return rc_nodes_write(lab, error);
}

/* ---- keeping ---- */

static bool has_work(const struct keeper *keeper, const struct core *core)
{
    const struct rc_nodes *lab = keeper->lab;

    for (size_t i = 0; i < lab->n_nodes; i++)
        if (lab->nodes[i].core == core->cpu &&
            rc_nodes_group_processes(&keeper->groups, core->cpu, lab->nodes[i].name) > 1)
            return true;
    return false;
}

static void signal_ballast(const struct keeper *keeper, struct core *core, int number)
{
    const struct rc_nodes *lab = keeper->lab;

    for (size_t i = 0; i < lab->n_nodes; i++)
        if (lab->nodes[i].core == core->cpu)
            kill(lab->nodes[i].holder.pid, number);
    kill(core->rest, number);
    kill(core->pacer, number);
    core->running = number == SIGCONT;
}

static double used_by_nodes(const struct keeper *keeper, const struct core *core)
{
    const struct rc_nodes *lab = keeper->lab;
    double used = 0;

    for (size_t i = 0; i < lab->n_nodes; i++)
        if (lab->nodes[i].core == core->cpu)
            used += rc_nodes_group_seconds(&keeper->groups, core->cpu, lab->nodes[i].name);
    return used;
}

/* Measures from here on. */
static void mark(const struct keeper *keeper, struct core *core, double now)
{
    core->checked = now;
    core->nodes_used = used_by_nodes(keeper, core);
    core->rest_used = rc_nodes_group_seconds(&keeper->groups, core->cpu, keeper->rest_name);
}

static void correct(const struct keeper *keeper, struct core *core, double now)
{
    double nodes = core->nodes_used, rest = core->rest_used, since = now - core->checked, got;

    mark(keeper, core, now);
    got = (core->nodes_used - nodes + core->rest_used - rest) / since;
    if (isnan(got))
        return;
    core->got = isnan(core->got) ? got : core->got + SMOOTHING * (got - core->got);
    rc_nodes_group_weigh(&keeper->groups, core->cpu, keeper->rest_name,
                         rc_nodes_rest_weight(core->shares, core->got), NULL);
}

/* A node that has a core to itself needs no ballast. */
static bool wants_ballast(const struct core *core)
{
    return core->n_nodes > 1 || core->shares < 1;
}

static void keep_core(const struct keeper *keeper, struct core *core, double now)
{
    if (wants_ballast(core) && has_work(keeper, core)) {
        core->seen = now;
        if (!core->running) {
            signal_ballast(keeper, core, SIGCONT);
            core->got = NAN;
            mark(keeper, core, now);
        }
    } else if (core->running && now - core->seen > IDLE_SECONDS) {
        signal_ballast(keeper, core, SIGSTOP);
    }
    if (core->running && now - core->checked >= CONTROL_SECONDS)
        correct(keeper, core, now);
}

/* Takes over what `lab set` has changed. */
static void read_again(struct keeper *keeper)
{
    struct rc_nodes *fresh = malloc(sizeof *fresh);

    if (fresh && rc_nodes_read(keeper->lab->name, fresh, NULL) == 0 &&
        fresh->n_nodes == keeper->lab->n_nodes) {
        for (size_t i = 0; i < fresh->n_nodes; i++)
            keeper->lab->nodes[i].cpu = fresh->nodes[i].cpu;
        find_cores(keeper);
    }
    free(fresh);
}

/* Children that have ended are not waited for: as long as they are not, no other process gets their
 * numbers, which are signalled here. */
_Noreturn static void keep(struct keeper *keeper)
{
    struct rc_clock *clock = rc_clock_system();
    struct pollfd wake = {.fd = keeper->wake, .events = POLLIN};
    bool busy = false;
    char bytes[256], path[RC_NODES_PATH];

    rc_nodes_path(keeper->lab->name, "lab.json", path);
    for (;;) {
        /* Who has lost its directory is not found by `lab down`, and has nothing to keep. */
        if (access(path, F_OK))
            _exit(1);
        poll(&wake, 1, busy ? BUSY_TICK : IDLE_TICK);
        if (read(keeper->wake, bytes, sizeof bytes) > 0)
            read_again(keeper);
        busy = false;
        for (size_t c = 0; c < keeper->n_cores; c++) {
            keep_core(keeper, &keeper->cores[c], clock->monotonic(clock));
            busy |= keeper->cores[c].running;
        }
    }
}

/* ---- starting ---- */

enum { REPORT_FD = 3, LOCK_FD = 4 }; /* the keeper's descriptors, above the usual three */

/* Leaves everything of the caller's behind but the pipe and the lock. */
static int leave(int report, int lock)
{
    const struct sched_param priority = {.sched_priority = KEEPER_PRIORITY};
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
    /* It does little, and that must not wait for the lab's own load. */
    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority);
    return 0;
}

_Noreturn static void be_keeper(struct rc_nodes *lab, int report, int lock)
{
    static struct keeper keeper;
    struct rc_ballast_report text = {.status = -1};
    char path[RC_NODES_PATH];
    int status;

    if (leave(report, lock))
        _exit(1);
    keeper.lab = lab;
    rc_nodes_rest_name(lab, keeper.rest_name);
    lab->keeper = rc_nodes_process(getpid());
    find_cores(&keeper);
    rc_nodes_path(lab->name, "wake", path);
    /* Known by its number before there is anything that it could leave behind; where the command is
     * killed, `lab down` has to wait until then, or it would not find this process. */
    status = rc_nodes_write(lab, &text.error);
    close(LOCK_FD);
    if (status == 0 && rc_nodes_groups_prepare(&keeper.groups, &text.error) == 0) {
        keeper.wake = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        text.status = keeper.wake < 0 ? rc_error_errno(&text.error, errno, "cannot open %s", path)
                                      : set_up(&keeper, &text.error);
    }
    if (write(REPORT_FD, &text, sizeof text) < 0 && text.status == 0)
        text.status = errno == EPIPE ? 0 : -1; /* nobody is left to be told */
    if (text.status)
        _exit(1);
    close(REPORT_FD);
    keep(&keeper);
}

int rc_nodes_keeper_start(struct rc_nodes *lab, int lock, struct rc_error *error)
{
    struct rc_ballast_report text;
    char name[RC_NODES_NAME_MAX + 1];
    int report[2];
    ssize_t got;
    pid_t pid;

    memcpy(name, lab->name, sizeof name);
    if (pipe2(report, O_CLOEXEC))
        return rc_error_errno(error, errno, "cannot make a pipe");
    pid = fork();
    if (pid == 0)
        be_keeper(lab, report[1], lock);
    close(report[1]);
    do
        got = pid < 0 ? 0 : read(report[0], &text, sizeof text);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    if (pid < 0)
        return rc_error_errno(error, errno, "cannot start the lab's keeper");
    if (got != (ssize_t)sizeof text || text.status) {
        kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
        if (got != (ssize_t)sizeof text)
            return rc_error_set(error, "the lab's keeper ended unexpectedly");
        if (error)
            *error = text.error;
        return -1;
    }
    return rc_nodes_read(name, lab, error);
}

int rc_nodes_keeper_wake(const struct rc_nodes *lab)
{
    char path[RC_NODES_PATH];
    int fd, status;

    rc_nodes_path(lab->name, "wake", path);
    fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    status = write(fd, "", 1) < 0 && errno != EAGAIN ? -1 : 0;
    close(fd);
    return status;
}
