// SPDX-License-Identifier: GPL-3.0-or-later
/* node_cgroups.c - the control groups of testbeds. */
#include "testbed/nodes/node_cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cgroup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#define CORE_PREFIX "runcast-c"

/* The weight of all testbeds on a core against any one process, or group, that is not in a
 * testbed.  The larger it is, the less a testbed feels of the rest of the machine, and the more the
 * rest suffers from a busy testbed. */
#define PREFERENCE 16

enum {
    PROCS_MAX = 1 << 20, /* bytes of a list of processes that is looked at */
    KILL_ROUNDS = 500,   /* of 10 ms */
    SHARES = 100000,     /* version 1: shares of a whole core */
    WEIGHT = 5000        /* version 2: weight of a whole core */
};

/* ---- files of groups ---- */

static void sleep_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* The path of a group (name NULL: the one of the core), or of a file in it. */
static void group_path(const struct rc_group_tree *tree, int cpu, const char *name,
                       const char *file, char path[RC_GROUP_PATH + 128])
{
    snprintf(path, RC_GROUP_PATH + 128, "%s/" CORE_PREFIX "%d%s%s%s%s", tree->top, cpu,
             name ? "/" : "", name ? name : "", file ? "/" : "", file ? file : "");
}

static int set_file(const struct rc_group_tree *tree, int cpu, const char *name, const char *file,
                    const char *text, struct rc_error *error)
{
    char path[RC_GROUP_PATH + 128];
    int number;

    group_path(tree, cpu, name, file, path);
    number = rc_file_write(path, text);
    return number ? rc_error_errno(error, number, "cannot write '%s' to %s", text, path) : 0;
}

/* ---- where they can be made ---- */

static struct rc_group_tree *tree_at(struct rc_groups *groups, const struct rc_cgroup *place)
{
    for (size_t i = 0; i < groups->n; i++)
        if (strlen(groups->trees[i].top) == place->top &&
            memcmp(groups->trees[i].top, place->directory, place->top) == 0)
            return &groups->trees[i];
    if (groups->n == RC_GROUP_TREES || place->top >= RC_GROUP_PATH)
        return NULL;
    groups->trees[groups->n] = (struct rc_group_tree){.version = place->version};
    memcpy(groups->trees[groups->n].top, place->directory, place->top);
    return &groups->trees[groups->n++];
}

static bool top_has(const struct rc_cgroup *place, const char *file, const char *controller)
{
    char path[RC_GROUP_PATH + 64], words[512];

    snprintf(path, sizeof path, "%.*s/%s", (int)place->top, place->directory, file);
    return rc_file_read(path, words, sizeof words) == 0 && rc_text_has_word(words, controller, ' ');
}

/* Groups below one with processes could be made, and nothing could ever run in them. */
static int check_top(const char *top, struct rc_error *error)
{
    if (!rc_cgroup_occupied(top))
        return 0;
    rc_error_set(error,
                 "control groups cannot divide a core here: %s contains processes, as in a "
                 "container",
                 top);
    return rc_error_hint(
        error,
        "move them to a child group: mkdir -p %s/init; xargs -n1 < %s/cgroup.procs > "
        "%s/init/cgroup.procs",
        top, top, top);
}

/* Has the top of a version 2 hierarchy hand a controller down. */
static int hand_down(const struct rc_cgroup *place, const char *controller, struct rc_error *error)
{
    char top[RC_GROUP_PATH], path[RC_GROUP_PATH + 64], enable[32];
    int number;

    snprintf(top, sizeof top, "%.*s", (int)place->top, place->directory);
    snprintf(path, sizeof path, "%s/cgroup.subtree_control", top);
    snprintf(enable, sizeof enable, "+%s", controller);
    number = access(path, W_OK) ? errno : 0;
    if (number == 0 && check_top(top, error))
        return -1;
    if (number == 0 && !top_has(place, "cgroup.subtree_control", controller))
        number = rc_file_write(path, enable);
    if (number == 0)
        return 0;
    rc_error_errno(error, number,
                   "control groups cannot divide a core here: cannot write '%s' to %s", enable,
                   path);
    return rc_error_code(error, "nodes.incapable", NULL);
}

/* The tree of a controller; NULL where there is none, or where it cannot be handed down.  What a
 * testbed can do without counts only once it is handed down, so that all agree about it. */
static struct rc_group_tree *find_tree(struct rc_groups *groups, const char *controller,
                                       bool prepare, bool needed, struct rc_error *error)
{
    struct rc_cgroup place;
    enum rc_cgroup_kind kind;
    struct rc_group_tree *tree = NULL;

    if (rc_cgroup_own(controller, &place, &kind) || place.top >= RC_GROUP_PATH ||
        (place.version == 2 &&
         !top_has(&place, prepare || needed ? "cgroup.controllers" : "cgroup.subtree_control",
                  controller))) {
        rc_error_set(error, "control groups cannot divide a core here: no %s controller",
                     controller);
        rc_error_code(error, "nodes.incapable", NULL);
        return NULL;
    }
    if (!prepare || place.version == 1 || hand_down(&place, controller, error) == 0)
        tree = tree_at(groups, &place);
    return tree;
}

static int find(struct rc_groups *groups, bool prepare, struct rc_error *error)
{
    struct rc_group_tree *tree;

    memset(groups, 0, sizeof *groups);
    tree = find_tree(groups, "cpu", prepare, true, error);
    if (!tree)
        return -1;
    tree->cpu = true;
    if (tree->version == 1) /* the cpu controller of version 2 counts too */
        tree = find_tree(groups, "cpuacct", prepare, true, error);
    if (!tree)
        return -1;
    tree->cpuacct = true;
    tree = find_tree(groups, "cpuset", prepare, false, NULL);
    if (tree)
        tree->cpuset = groups->cpuset = true;
    return 0;
}

int rc_nodes_groups_find(struct rc_groups *groups, struct rc_error *error)
{
    return find(groups, false, error);
}

int rc_nodes_groups_prepare(struct rc_groups *groups, struct rc_error *error)
{
    return find(groups, true, error);
}

/* ---- making ---- */

/* In version 1 a group has no core and no memory until it is given both. */
static int set_core(const struct rc_group_tree *tree, int cpu, const char *name,
                    struct rc_error *error)
{
    char path[RC_GROUP_PATH + 64], mems[256], text[16];

    snprintf(text, sizeof text, "%d", cpu);
    if (tree->version == 1) {
        snprintf(path, sizeof path, "%s/cpuset.mems", tree->top);
        if (rc_file_read(path, mems, sizeof mems))
            return rc_error_errno(error, errno, "cannot read %s", path);
        if (set_file(tree, cpu, name, "cpuset.mems", mems, error))
            return -1;
    }
    return set_file(tree, cpu, name, "cpuset.cpus", text, error);
}

static int make_one(const struct rc_group_tree *tree, int cpu, const char *name,
                    struct rc_error *error)
{
    char path[RC_GROUP_PATH + 128];

    group_path(tree, cpu, name, NULL, path);
    if (mkdir(path, 0755) && errno != EEXIST) {
        rc_error_errno(error, errno, "cannot make the control group %s", path);
        return rc_error_code(error, "nodes.incapable", NULL);
    }
    return tree->cpuset ? set_core(tree, cpu, name, error) : 0;
}

static int make_core(const struct rc_group_tree *tree, int cpu, struct rc_error *error)
{
    char text[32];

    if (make_one(tree, cpu, NULL, error))
        return -1;
    if (tree->version == 2)
        for (int i = 0; i < 2; i++)
            if ((i ? tree->cpuset : tree->cpu) &&
                set_file(tree, cpu, NULL, "cgroup.subtree_control", i ? "+cpuset" : "+cpu", error))
                return -1;
    if (!tree->cpu)
        return 0;
    snprintf(text, sizeof text, "%d", PREFERENCE * (tree->version == 1 ? 1024 : 100));
    return set_file(tree, cpu, NULL, tree->version == 1 ? "cpu.shares" : "cpu.weight", text, error);
}

int rc_nodes_group_make(const struct rc_groups *groups, int cpu, const char *name,
                        struct rc_error *error)
{
    for (size_t i = 0; i < groups->n; i++)
        if (make_core(&groups->trees[i], cpu, error) ||
            make_one(&groups->trees[i], cpu, name, error))
            return -1;
    return 0;
}

/* ---- using ---- */

int rc_nodes_group_join(const struct rc_groups *groups, int cpu, const char *name,
                        struct rc_error *error)
{
    for (size_t i = 0; i < groups->n; i++)
        if (set_file(&groups->trees[i], cpu, name, "cgroup.procs", "0", error))
            return -1;
    return 0;
}

/* Whether this process is in a group of a testbed. */
static bool is_inside(const struct rc_group_tree *tree)
{
    static const char prefix[] = "/" CORE_PREFIX;
    const char *controller = tree->cpu ? "cpu" : tree->cpuacct ? "cpuacct" : "cpuset";
    struct rc_cgroup place;
    enum rc_cgroup_kind kind;

    return rc_cgroup_own(controller, &place, &kind) == 0 &&
           strncmp(place.directory + place.top, prefix, strlen(prefix)) == 0;
}

int rc_nodes_group_leave(const struct rc_groups *groups, struct rc_error *error)
{
    char path[RC_GROUP_PATH + 128];
    int number;

    for (size_t i = 0; i < groups->n; i++) {
        if (!is_inside(&groups->trees[i]))
            continue;
        snprintf(path, sizeof path, "%s/cgroup.procs", groups->trees[i].top);
        number = rc_file_write(path, "0");
        if (number) {
            rc_error_errno(error, number, "cannot leave the node: cannot write '0' to %s", path);
            return rc_error_hint(error, "run the command outside the lab");
        }
    }
    return 0;
}

int rc_nodes_group_weigh(const struct rc_groups *groups, int cpu, const char *name, double weight,
                         struct rc_error *error)
{
    const struct rc_group_tree *tree = &groups->trees[0]; /* that of cpu is looked for first */
    double most = tree->version == 1 ? 262144 : 10000, least = tree->version == 1 ? 2 : 1;
    char text[32];

    snprintf(text, sizeof text, "%.0f",
             fmin(most, fmax(least, weight * (tree->version == 1 ? SHARES : WEIGHT))));
    return set_file(tree, cpu, name, tree->version == 1 ? "cpu.shares" : "cpu.weight", text, error);
}

double rc_nodes_group_seconds(const struct rc_groups *groups, int cpu, const char *name)
{
    char path[RC_GROUP_PATH + 128], text[1024];
    const char *at;

    for (size_t i = 0; i < groups->n; i++) {
        const struct rc_group_tree *tree = &groups->trees[i];

        if (!tree->cpuacct)
            continue;
        group_path(tree, cpu, name, tree->version == 1 ? "cpuacct.usage" : "cpu.stat", path);
        if (rc_file_read(path, text, sizeof text))
            return NAN;
        if (tree->version == 1)
            return strtod(text, NULL) * 1e-9;
        at = strstr(text, "usage_usec ");
        return at ? strtod(at + strlen("usage_usec "), NULL) * 1e-6 : NAN;
    }
    return NAN;
}

/* The processes of a group, one on a line; NULL where there is no such group.  To be freed. */
static char *read_processes(const struct rc_group_tree *tree, int cpu, const char *name)
{
    struct rc_buffer list = RC_BUFFER_INIT(PROCS_MAX);
    char path[RC_GROUP_PATH + 128];

    group_path(tree, cpu, name, "cgroup.procs", path);
    if (rc_buffer_read_file(&list, path, NULL) || rc_buffer_add(&list, "", 0)) {
        rc_buffer_free(&list);
        return NULL;
    }
    return list.data;
}

int64_t rc_nodes_group_processes(const struct rc_groups *groups, int cpu, const char *name)
{
    char *list = read_processes(&groups->trees[0], cpu, name);
    int64_t count = 0;

    if (!list)
        return -1;
    for (const char *at = list; *at; at++)
        count += *at == '\n';
    free(list);
    return count;
}

/* ---- removing ---- */

/* 1: some process was there and was sent its end; 0: none is left. */
static int kill_once(const struct rc_group_tree *tree, int cpu, const char *name)
{
    char *list = read_processes(tree, cpu, name), *end;
    int killed = 0;

    for (char *at = list; at && *at; at = end + (*end == '\n')) {
        long pid = strtol(at, &end, 10);

        if (end == at)
            break;
        /* 0 stands for a process that this one cannot see, and for kill() for much else. */
        if (pid > 1 && pid != getpid()) {
            kill((pid_t)pid, SIGKILL);
            killed = 1;
        }
    }
    free(list);
    return killed;
}

/* The kernel may still be busy with processes that have just ended. */
static int remove_one(const char *path)
{
    for (int round = 0; rmdir(path); round++) {
        if (errno == ENOENT)
            return 0;
        if (errno != EBUSY || round == KILL_ROUNDS)
            return -1;
        sleep_a_moment();
    }
    return 0;
}

int rc_nodes_group_remove(const struct rc_groups *groups, int cpu, const char *name,
                          struct rc_error *error)
{
    char path[RC_GROUP_PATH + 128];
    int status = 0;

    /* To end takes time on the core, which a group with next to no weight would not get. */
    rc_nodes_group_weigh(groups, cpu, name, 1, NULL);
    for (size_t i = 0; i < groups->n; i++) {
        for (int round = 0; kill_once(&groups->trees[i], cpu, name) && round < KILL_ROUNDS; round++)
            sleep_a_moment();
        group_path(&groups->trees[i], cpu, name, NULL, path);
        if (remove_one(path))
            status = rc_error_errno(error, errno, "cannot remove the control group %s", path);
        group_path(&groups->trees[i], cpu, NULL, NULL, path);
        rmdir(path); /* stays while another node is in it */
    }
    return status;
}

/* Calls `each` for the groups of a core, or removes that of the core if it is empty, where `each` is
 * NULL. */
static int each_of_core(const struct rc_group_tree *tree, int cpu,
                        int (*each)(void *data, int cpu, const char *name), void *data)
{
    char path[RC_GROUP_PATH + 128];
    struct dirent *entry;
    DIR *directory;
    int status = 0;

    group_path(tree, cpu, NULL, NULL, path);
    if (!each) {
        rmdir(path);
        return 0;
    }
    directory = opendir(path);
    while (directory && status == 0 && (entry = readdir(directory)))
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            status = each(data, cpu, entry->d_name);
    if (directory)
        closedir(directory);
    return status;
}

/* The number of the core whose group this is; -1 where it is none. */
static int core_of(const char *directory)
{
    const char *digits = directory + strlen(CORE_PREFIX);
    char *end;
    long cpu;

    if (strncmp(directory, CORE_PREFIX, strlen(CORE_PREFIX)) != 0 || *digits < '0' || *digits > '9')
        return -1;
    cpu = strtol(digits, &end, 10);
    return *end == '\0' && cpu <= INT_MAX ? (int)cpu : -1;
}

int rc_nodes_group_each(const struct rc_groups *groups,
                        int (*each)(void *data, int cpu, const char *name), void *data)
{
    int status = 0;

    for (size_t i = 0; i < groups->n; i++) {
        const struct rc_group_tree *tree = &groups->trees[i];
        DIR *directory = opendir(tree->top);
        struct dirent *entry;

        while (directory && status == 0 && (entry = readdir(directory))) {
            int cpu = core_of(entry->d_name);

            if (cpu >= 0)
                status = each_of_core(tree, cpu, each, data);
        }
        if (directory)
            closedir(directory);
    }
    return status;
}

void rc_nodes_groups_tidy(const struct rc_groups *groups)
{
    rc_nodes_group_each(groups, NULL, NULL);
}
