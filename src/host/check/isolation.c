// SPDX-License-Identifier: GPL-3.0-or-later
/* isolation.c - checks of what virtual nodes are made of: control groups and networks.
 *
 * Permissions, security modules and missing kernel modules decide whether such a thing can be
 * made, so each is really made.  A control group is removed at once.  Everything of a network is
 * made inside a network namespace of a child process, and vanishes with it. */
#include "host/check/check.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

/* ---- control groups ---- */

/* Makes a group inside `parent`, under an unused name; returns 0 or an errno. */
static int make_group(const char *parent, char *path, size_t size)
{
    struct timespec now;
    int length;

    clock_gettime(CLOCK_REALTIME, &now);
    length = snprintf(path, size, "%s/runcast-doctor-%ld-%ld%09ld", parent, (long)getpid(),
                      (long)now.tv_sec, now.tv_nsec);
    if (length < 0 || (size_t)length >= size)
        return ENAMETOOLONG;
    return mkdir(path, 0755) ? errno : 0;
}

static void remove_group(const char *path)
{
    static const struct timespec moment = {.tv_nsec = 10000000};

    /* The kernel may still be busy with a group that was just made. */
    for (int i = 0; i < 100 && rmdir(path) && errno == EBUSY; i++)
        nanosleep(&moment, NULL);
}

/* Makes a group, sees whether its share of the CPU could be set, and removes it. */
static int try_group(const struct rc_cgroup *parent, bool *has_cpu)
{
    char path[4200], file[4300];
    sigset_t all, before;
    int number;

    /* Ctrl-C must not come between making and removing. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    number = make_group(parent->directory, path, sizeof path);
    if (number == 0) {
        snprintf(file, sizeof file, "%s/%s", path,
                 parent->version == 2 ? "cpu.weight" : "cpu.shares");
        *has_cpu = access(file, W_OK) == 0;
        remove_group(path);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return number;
}

/* Whether version 2 knows the cpu controller here, even if it does not hand it down yet. */
static bool controller_is_offered(const struct rc_cgroup *group)
{
    char path[4200], controllers[512];

    snprintf(path, sizeof path, "%s/cgroup.controllers", group->directory);
    return rc_file_read(path, controllers, sizeof controllers) == 0 &&
           rc_text_has_word(controllers, "cpu", ' ');
}

static void judge_group_denied(int number, struct rc_finding *finding)
{
    rc_check_fact(finding, "; cannot make a group (%s)", strerror(number));
    if (number == EROFS)
        rc_check_judge(finding, RC_VERDICT_MISSING,
                       "start the container with /sys/fs/cgroup writable (--privileged, or "
                       "--cgroupns=private and a read-write mount)");
    else
        rc_check_judge(finding, RC_VERDICT_MISSING, "run as root");
}

/* What the groups that can be made are good for. */
static void judge_group(const struct rc_cgroup *group, bool has_cpu, struct rc_finding *finding)
{
    const char *top = group->directory;

    rc_check_fact(finding, "; can make groups");
    if (!has_cpu && !(group->version == 2 && controller_is_offered(group))) {
        rc_check_fact(finding, ", but without the cpu controller");
        rc_check_judge(finding, RC_VERDICT_LIMITED,
                       "enable the cpu controller in the parent group, or in the kernel "
                       "(CONFIG_FAIR_GROUP_SCHED)");
    } else if (group->version == 2 && rc_cgroup_occupied(top)) {
        rc_check_fact(finding, ", but no process can run in them: %.200s contains processes", top);
        rc_check_judge(
            finding, RC_VERDICT_LIMITED,
            "move them to a child group: mkdir -p %.100s/init; xargs -n1 < %.100s/cgroup.procs > "
            "%.100s/init/cgroup.procs",
            top, top, top);
    } else {
        rc_check_fact(finding, ", with a share of the CPU%s",
                      has_cpu ? "" : " ('lab up' enables the cpu controller)");
    }
}

/* Looks at the top, where labs make their groups, and not at the group of this process. */
void rc_check_cgroup(struct rc_finding *finding)
{
    static const char *const kinds[] = {"none", "version 1", "version 2", "versions 1 and 2"};
    struct rc_cgroup group;
    enum rc_cgroup_kind kind;
    bool has_cpu = false;
    int number;

    if (rc_cgroup_own("cpu", &group, &kind)) {
        rc_check_fact(finding, "none mounted");
        rc_check_judge(finding, RC_VERDICT_MISSING,
                       "as root: mount -t cgroup2 none /sys/fs/cgroup; in a container: "
                       "--privileged");
        return;
    }
    rc_check_fact(finding, "%s", kinds[kind]);
    if (kind == RC_CGROUP_HYBRID)
        rc_check_fact(finding, "; cpu is in version %d", group.version);
    group.directory[group.top] = '\0';
    number = try_group(&group, &has_cpu);
    if (number) {
        judge_group_denied(number, finding);
        return;
    }
    judge_group(&group, has_cpu, finding);
}

/* ---- networks ---- */

enum { STEP_ARGUMENTS = 14 };

/* Something to make inside the new network. */
struct step {
    const char *name; /* for people */
    const char *argv[STEP_ARGUMENTS];
};

static const struct step link_steps[] = {
    {"veth", {"ip", "link", "add", "rcveth0", "type", "veth", "peer", "name", "rcveth1"}},
    {"bridge", {"ip", "link", "add", "rcbridge", "type", "bridge"}},
    {"veth on the bridge", {"ip", "link", "set", "rcveth0", "master", "rcbridge"}},
    {.name = NULL},
};

static const struct step shaping_steps[] = {
    {"tbf",
     {"tc", "qdisc", "replace", "dev", "lo", "root", "tbf", "rate", "100mbit", "burst", "64kb",
      "latency", "50ms"}},
    {"netem", {"tc", "qdisc", "replace", "dev", "lo", "root", "netem", "delay", "1ms"}},
    {.name = NULL},
};

/* How a child ends that could, or could not, get a network of its own. */
enum { ENTERED, ENTERED_BY_USER, SOME_STEPS_FAILED, ALL_STEPS_FAILED, NOT_ENTERED };

struct trial {
    const struct rc_process_options *process;
    const struct step *steps; /* NULL: none */
    const char *program;      /* the path of what the steps call */
};

/* Gives this process a network of its own: by its own right, or else as the root of a new user
 * namespace.  Returns ENTERED, ENTERED_BY_USER, or NOT_ENTERED with errno. */
static int enter_network(void)
{
    char map[64];
    unsigned user = geteuid(), group = getegid();

    if (unshare(CLONE_NEWNET) == 0)
        return ENTERED;
    if (errno != EPERM || unshare(CLONE_NEWUSER | CLONE_NEWNET))
        return NOT_ENTERED;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* new rights may have cleared it */
    snprintf(map, sizeof map, "0 %u 1", user);
    if ((errno = rc_file_write("/proc/self/setgroups", "deny")) ||
        (errno = rc_file_write("/proc/self/uid_map", map)))
        return NOT_ENTERED;
    snprintf(map, sizeof map, "0 %u 1", group);
    errno = rc_file_write("/proc/self/gid_map", map);
    return errno ? NOT_ENTERED : ENTERED_BY_USER;
}

/* The error message of a failed `ip` or `tc`, without its prefix. */
static const char *reason_of(struct rc_buffer *output)
{
    static const char *const ornaments[] = {"RTNETLINK answers: ", "Error: "};
    char *text = output->data;

    if (!text || !*text)
        return "unknown reason";
    text[strcspn(text, "\n")] = '\0';
    text[strlen(text) - (strlen(text) > 0 && text[strlen(text) - 1] == '.')] = '\0';
    for (size_t i = 0; i < sizeof ornaments / sizeof *ornaments; i++)
        if (strncmp(text, ornaments[i], strlen(ornaments[i])) == 0)
            return text + strlen(ornaments[i]);
    return text;
}

/* Takes one step, and reports the result on standard output; -1 where it failed. */
static int take_step(const struct trial *trial, const struct step *step)
{
    const char *argv[STEP_ARGUMENTS + 2] = {NULL};
    struct rc_buffer output = RC_BUFFER_INIT(4096);
    struct rc_process_result result;
    struct rc_error error;
    int status;

    memcpy(argv, step->argv, sizeof step->argv);
    argv[0] = trial->program;
    status = rc_process_run(argv, trial->process, &output, &result, &error);
    if (status == 0 && (result.end != RC_PROCESS_EXITED || result.status != 0))
        status = rc_error_set(&error, "%s", reason_of(&output));
    dprintf(STDOUT_FILENO, "%s: %s; ", step->name, status ? error.text : "works");
    rc_buffer_free(&output);
    return status;
}

/* The child's part. */
static int try_network(void *data)
{
    const struct trial *trial = data;
    int entered = enter_network(), taken = 0, failed = 0;

    if (entered == NOT_ENTERED) {
        dprintf(STDOUT_FILENO, "%s", strerror(errno));
        return NOT_ENTERED;
    }
    for (const struct step *step = trial->steps; step && step->name; step++, taken++)
        failed += take_step(trial, step) != 0;
    return failed == 0 ? entered : failed < taken ? SOME_STEPS_FAILED : ALL_STEPS_FAILED;
}

/* Carries a trial out; returns how the child ended, and its output in `text`. */
static int carry_out_trial(const struct rc_check_context *context, struct trial *trial, char *text,
                           size_t size)
{
    struct rc_buffer output = RC_BUFFER_INIT(4096);
    struct rc_process_options whole = context->process;
    struct rc_process_result result;
    struct rc_error error;
    int outcome = NOT_ENTERED;

    whole.seconds *= 4; /* it runs several programs, each with its own limit */
    trial->process = &context->process;
    if (rc_process_call(try_network, trial, &whole, &output, &result, &error)) {
        snprintf(text, size, "%.390s", error.text);
    } else {
        snprintf(text, size, "%s", output.data ? output.data : "");
        if (result.end == RC_PROCESS_EXITED && result.status <= NOT_ENTERED)
            outcome = result.status;
    }
    rc_buffer_free(&output);
    for (size_t end = strlen(text); end > 0 && strchr("; ", text[end - 1]); end--)
        text[end - 1] = '\0';
    return outcome;
}

/* Which setting stands in the way of a user's own namespaces; the first that does. */
static const char *namespace_advice(void)
{
    static const struct {
        const char *path, *value, *advice;
    } settings[] = {
        {"/proc/sys/user/max_net_namespaces", "0", "as root: sysctl user.max_net_namespaces=1000"},
        {"/proc/sys/user/max_user_namespaces", "0",
         "run as root, or let root run: sysctl user.max_user_namespaces=1000"},
        {"/proc/sys/kernel/unprivileged_userns_clone", "0",
         "run as root, or let root run: sysctl kernel.unprivileged_userns_clone=1"},
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
         "run as root, or let root run: sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
    };
    char value[32];

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (rc_file_read(settings[i].path, value, sizeof value) == 0 &&
            strcmp(value, settings[i].value) == 0)
            return settings[i].advice;
    return geteuid() == 0 ? "start the container with --cap-add SYS_ADMIN --cap-add NET_ADMIN"
                          : "run as root; in a container, with --cap-add SYS_ADMIN --cap-add "
                            "NET_ADMIN";
}

void rc_check_namespace(struct rc_finding *finding)
{
    struct trial trial = {.steps = NULL};
    char text[256];

    switch (carry_out_trial(finding->context, &trial, text, sizeof text)) {
    case ENTERED:
        rc_check_fact(finding, "available");
        break;
    case ENTERED_BY_USER:
        rc_check_fact(finding, "available in a user namespace");
        break;
    default:
        rc_check_fact(finding, "not available (%s)", text);
        rc_check_judge(finding, RC_VERDICT_MISSING, "%s", namespace_advice());
    }
}

/* Looks for `program` and tries what it is for. */
static void check_steps(const char *program, const struct step *steps, const char *working,
                        const char *modules, struct rc_finding *finding)
{
    char path[4096], text[400];
    struct trial trial = {.steps = steps, .program = path};
    enum rc_verdict verdict = RC_VERDICT_MISSING;

    if (rc_process_find_tool(program, path, sizeof path)) {
        rc_check_fact(finding, "'%s' not found", program);
        rc_check_judge(finding, RC_VERDICT_MISSING, "apt-get install iproute2");
        return;
    }
    switch (carry_out_trial(finding->context, &trial, text, sizeof text)) {
    case ENTERED:
    case ENTERED_BY_USER:
        rc_check_fact(finding, "%s (%.100s)", working, path);
        break;
    case SOME_STEPS_FAILED:
        verdict = RC_VERDICT_LIMITED;
        /* fall through */
    case ALL_STEPS_FAILED:
        rc_check_fact(finding, "%s", text);
        if (strstr(text, "ermi")) /* "Operation not permitted", "Permission denied" */
            rc_check_judge(finding, verdict, "%s", namespace_advice());
        else
            rc_check_judge(
                finding, verdict,
                "as root: modprobe -a %s; if the kernel lacks them, install its package of "
                "extra modules",
                modules);
        break;
    default:
        rc_check_fact(finding, "%.100s found; not tried without network namespaces", path);
        rc_check_judge(finding, RC_VERDICT_MISSING, "see network namespaces");
    }
}

void rc_check_links(struct rc_finding *finding)
{
    check_steps("ip", link_steps, "both available", "veth bridge", finding);
}

void rc_check_shaping(struct rc_finding *finding)
{
    check_steps("tc", shaping_steps, "both available", "sch_tbf sch_netem", finding);
}
