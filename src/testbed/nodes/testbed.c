// SPDX-License-Identifier: GPL-3.0-or-later
/* testbed.c - making, finding and removing testbeds. */
#include "testbed/nodes/testbed.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/progress_monitor.h"
#include "testbed/nodes/node_cores.h"
#include "testbed/nodes/node_cgroups.h"
#include "testbed/nodes/supervisor.h"
#include "testbed/nodes/virtual_network.h"
#include "testbed/nodes/testbed_state.h"

int rc_nodes_possible(struct rc_error *error)
{
    struct rc_groups groups;

    if (geteuid() != 0)
        return rc_error_set_code(error, "nodes.not-root", "virtual nodes need root");
    return rc_nodes_network_possible(error) || rc_nodes_groups_find(&groups, error) ? -1 : 0;
}

int rc_nodes_check_name(const char *name, struct rc_error *error)
{
    size_t length = strlen(name);

    if (length == 0 || length > RC_NODES_NAME_MAX ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length ||
        !isalpha((unsigned char)name[0]) || !isalpha((unsigned char)name[length - 1]))
        return rc_error_set(
            error,
            "'%.40s' is not a valid name of a lab: use at most %d lower-case letters, "
            "digits and '-'; the first and the last character are letters",
            name, RC_NODES_NAME_MAX);
    return 0;
}

/* ---- finding ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds a name, if it is new; -1 where memory runs out. */
static int add_name(char ***names, size_t *n, const char *name)
{
    char **grown;

    for (size_t i = 0; i < *n; i++)
        if (strcmp((*names)[i], name) == 0)
            return 0;
    grown = realloc(*names, (*n + 1) * sizeof *grown);
    if (!grown)
        return -1;
    *names = grown;
    grown[*n] = strdup(name);
    return grown[*n] && ++*n ? 0 : -1;
}

struct name_list {
    char **names;
    size_t n;
};

/* Which testbed a group belongs to, by its name: "NAME-rest", or "NAME" and a number.  -1: to none.
 */
static int testbed_of(const char *group, char name[64])
{
    static const char rest[] = "-rest";
    size_t length = strlen(group);

    if (length >= 64)
        return -1;
    memcpy(name, group, length + 1);
    if (length > strlen(rest) && strcmp(name + length - strlen(rest), rest) == 0)
        name[length - strlen(rest)] = '\0';
    else
        while (length > 0 && isdigit((unsigned char)name[length - 1]))
            name[--length] = '\0';
    return rc_nodes_check_name(name, NULL);
}

static int add_group(void *data, int cpu, const char *group)
{
    struct name_list *list = data;
    char name[64];

    (void)cpu;
    return testbed_of(group, name) ? 0 : add_name(&list->names, &list->n, name);
}

int rc_nodes_each(int (*each)(void *data, const char *name), void *data, struct rc_error *error)
{
    DIR *directory = opendir(RC_NODES_DIRECTORY);
    struct name_list list = {0};
    struct rc_groups groups;
    struct dirent *entry;
    int status = 0;

    while (directory && status == 0 && (entry = readdir(directory)))
        if (rc_nodes_check_name(entry->d_name, NULL) == 0)
            status = add_name(&list.names, &list.n, entry->d_name);
    if (directory)
        closedir(directory);
    if (status == 0 && geteuid() == 0 && rc_nodes_groups_find(&groups, NULL) == 0)
        status = rc_nodes_group_each(&groups, add_group, &list);
    if (status)
        rc_error_no_memory(error);
    if (list.n > 0)
        qsort(list.names, list.n, sizeof *list.names, compare_names);
    for (size_t i = 0; i < list.n; i++) {
        if (status == 0)
            status = each(data, list.names[i]);
        free(list.names[i]);
    }
    free(list.names);
    return status;
}

/* The names of all testbeds, for people. */
static int join_name(void *data, const char *name)
{
    struct rc_buffer *text = data;

    rc_buffer_printf(text, "%s%s", text->length ? ", " : "", name);
    return 0;
}

static int no_such_testbed(const char *name, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(200);

    rc_error_set(error, "no lab '%s'", name);
    rc_nodes_each(join_name, &text, NULL);
    if (text.length)
        rc_error_hint(error, "the labs are: %s", text.data);
    else
        rc_error_code(error, "nodes.none", NULL);
    rc_buffer_free(&text);
    return -1;
}

int rc_nodes_load(const char *name, struct rc_testbed *testbed, struct rc_error *error)
{
    char path[RC_NODES_PATH];

    if (rc_nodes_check_name(name, error))
        return -1;
    rc_nodes_path(name, NULL, path);
    if (access(path, F_OK))
        return no_such_testbed(name, error);
    return rc_nodes_read(name, testbed, error);
}

int rc_nodes_find_node(const char *name, const char *testbed_name, struct rc_testbed *testbed,
                       size_t *node, struct rc_error *error)
{
    char guess[RC_NODES_NODE_NAME];
    size_t length = strlen(name);

    if (!testbed_name) {
        while (length > 0 && isdigit((unsigned char)name[length - 1]))
            length--;
        if (length == 0 || length == strlen(name) || length > RC_NODES_NAME_MAX)
            return rc_error_set_code(error, "nodes.no-node-name",
                                     "'%.40s' is not the name of a node", name);
        snprintf(guess, sizeof guess, "%.*s", (int)length, name);
        testbed_name = guess;
    }
    if (rc_nodes_load(testbed_name, testbed, error))
        return -1;
    for (*node = 0; *node < testbed->n_nodes; ++*node)
        if (strcmp(testbed->nodes[*node].name, name) == 0)
            return 0;
    rc_error_set(error, "the lab '%s' has no node '%.40s'", testbed->name, name);
    return rc_error_hint(error, "its nodes are %s to %s", testbed->nodes[0].name,
                         testbed->nodes[testbed->n_nodes - 1].name);
}

/* ---- making ---- */

/* What other testbeds take. */
struct others {
    const char *but;
    struct rc_nodes_cores *cores;
    bool *subnets; /* or NULL */
    char boot[40];
    struct rc_testbed testbed; /* to read into */
};

void rc_nodes_cores_take(struct rc_nodes_cores *cores, const struct rc_testbed *testbed)
{
    for (size_t i = 0; i < testbed->n_nodes; i++)
        for (size_t c = 0; c < cores->n; c++)
            if (cores->items[c].cpu == testbed->nodes[i].core)
                cores->items[c].taken += testbed->nodes[i].cpu;
}

static int add_other(void *data, const char *name)
{
    struct others *others = data;
    const struct rc_testbed *testbed = &others->testbed;

    /* What was left of an earlier life of the machine takes nothing. */
    if (strcmp(name, others->but) == 0 || rc_nodes_read(name, &others->testbed, NULL) ||
        strcmp(testbed->boot, others->boot) != 0)
        return 0;
    if (others->subnets && testbed->subnet >= 0 && testbed->subnet <= RC_NODES_SUBNETS)
        others->subnets[testbed->subnet] = true;
    rc_nodes_cores_take(others->cores, testbed);
    return 0;
}

int rc_nodes_cores_take_others(struct rc_nodes_cores *cores, const char *but, bool *subnets,
                               struct rc_error *error)
{
    struct others *others = malloc(sizeof *others);
    int status;

    if (!others)
        return rc_error_no_memory(error);
    others->but = but;
    others->cores = cores;
    others->subnets = subnets;
    rc_nodes_boot(others->boot);
    status = rc_nodes_each(add_other, others, error);
    free(others);
    return status;
}

/* Decides everything about a testbed before any of it is made. */
static int plan(const struct rc_nodes_request *request, struct rc_testbed *testbed,
                struct rc_error *error)
{
    struct rc_nodes_cores *cores = malloc(sizeof *cores);
    bool subnets[RC_NODES_SUBNETS + 1] = {false};
    int assigned[RC_NODES_NODES_MAX], status;
    double cpu;

    memset(testbed, 0, sizeof *testbed);
    snprintf(testbed->name, sizeof testbed->name, "%s", request->name);
    rc_nodes_boot(testbed->boot);
    testbed->grain = request->grain;
    testbed->burst = request->burst;
    testbed->n_nodes = (size_t)request->nodes;
    if (!cores)
        return rc_error_no_memory(error);
    status = rc_nodes_cores_find(cores, error);
    if (status == 0)
        status = rc_nodes_cores_take_others(cores, request->name, subnets, error);
    while (testbed->subnet < RC_NODES_SUBNETS && subnets[testbed->subnet])
        testbed->subnet++;
    if (status == 0)
        status =
            rc_nodes_cores_assign(cores, testbed->n_nodes, request->cpu, &cpu, assigned, error);
    for (size_t i = 0; i < testbed->n_nodes && status == 0; i++) {
        testbed->nodes[i] =
            (struct rc_nodes_node){.core = assigned[i], .cpu = cpu, .link = request->link};
        snprintf(testbed->nodes[i].name, sizeof testbed->nodes[i].name, "%s%u", testbed->name,
                 (unsigned)(i + 1) % 1000);
        snprintf(testbed->nodes[i].address, sizeof testbed->nodes[i].address, "10.213.%u.%u",
                 (unsigned)testbed->subnet % 256, (unsigned)(i + 1) % 256);
    }
    free(cores);
    return status;
}

static int write_hosts(const struct rc_testbed *testbed, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(1 << 16);
    int status = rc_buffer_add_text(&text, "127.0.0.1 localhost\n::1 localhost\n");

    for (size_t i = 0; i < testbed->n_nodes && status == 0; i++)
        status =
            rc_buffer_printf(&text, "%s %s\n", testbed->nodes[i].address, testbed->nodes[i].name);
    status = status ? rc_error_no_memory(error)
                    : rc_nodes_write_file(testbed->name, "hosts", text.data, text.length, error);
    rc_buffer_free(&text);
    return status;
}

static int name_is_taken(const char *name, struct rc_error *error)
{
    rc_error_set(error, "the lab '%s' exists already", name);
    return rc_error_code(error, "nodes.name-taken", "%s", name);
}

static int make_directory(const struct rc_testbed *testbed, struct rc_error *error)
{
    char path[RC_NODES_PATH], file[32];

    rc_nodes_path(testbed->name, NULL, path);
    if (rc_nodes_directory(path, false)) {
        if (errno != EEXIST)
            return rc_error_errno(error, errno, "cannot make %s", path);
        return name_is_taken(testbed->name, error);
    }
    rc_nodes_path(testbed->name, "wake", path);
    if (mkfifo(path, 0600))
        return rc_error_errno(error, errno, "cannot make %s", path);
    rc_nodes_path(testbed->name, "tmp", path);
    if (rc_nodes_directory(path, false))
        return rc_error_errno(error, errno, "cannot make %s", path);
    for (size_t i = 0; i < testbed->n_nodes; i++) {
        snprintf(file, sizeof file, "tmp/%s", testbed->nodes[i].name);
        rc_nodes_path(testbed->name, file, path);
        if (mkdir(path, 0755) || chmod(path, 01777))
            return rc_error_errno(error, errno, "cannot make %s", path);
    }
    return write_hosts(testbed, error);
}

static int check_request(const struct rc_nodes_request *request, struct rc_error *error)
{
    if (rc_nodes_check_name(request->name, error))
        return -1;
    if (request->nodes < 1 || request->nodes > RC_NODES_NODES_MAX)
        return rc_error_set(error, "number of nodes must be from 1 to %d", RC_NODES_NODES_MAX);
    if (!isnan(request->cpu) && !(request->cpu >= RC_NODES_CPU_LEAST && request->cpu <= 1))
        return rc_error_set(error, "CPU share must be from %g to 1", RC_NODES_CPU_LEAST);
    if (!(request->link >= RC_NODES_LINK_LEAST))
        return rc_error_set(
            error, "link rate must be at least %g kbit/s (a number without unit is in bytes/s)",
            RC_NODES_LINK_LEAST * 8e-3);
    if (!isnan(request->burst) && !(request->burst >= RC_NODES_BURST_LEAST))
        return rc_error_set(error, "link burst must be at least %g bytes, a packet",
                            RC_NODES_BURST_LEAST);
    if (!(request->grain >= RC_NODES_GRAIN_LEAST && request->grain <= RC_NODES_GRAIN_MOST))
        return rc_error_set(error, "grain must be from %g us to %g ms", RC_NODES_GRAIN_LEAST * 1e6,
                            RC_NODES_GRAIN_MOST * 1e3);
    return 0;
}

static int remove_all(const char *name, bool *found, struct rc_error *error);

int rc_nodes_up(const struct rc_nodes_request *request, struct rc_testbed *testbed,
                const struct rc_monitor *monitor, struct rc_error *error)
{
    char path[RC_NODES_PATH];
    bool found, is_new = false;
    int status = -1, lock;

    if (check_request(request, error) || rc_nodes_possible(error))
        return -1;
    lock = rc_nodes_lock(error);
    if (lock < 0)
        return -1;
    rc_nodes_path(request->name, NULL, path);
    is_new = access(path, F_OK) != 0;
    if (!is_new) {
        name_is_taken(request->name, error);
    } else if (plan(request, testbed, error) == 0) {
        /* Groups whose directory was lost would bring their processes into the new nodes. */
        status = remove_all(request->name, &found, error);
        if (status == 0)
            status = make_directory(testbed, error);
        if (status == 0)
            status = rc_nodes_supervisor_start(testbed, lock, error);
        if (status == 0 && rc_progress_monitor_cancelled(monitor))
            status = rc_error_set(error, "interrupted; the lab is removed");
    }
    if (status && is_new)
        remove_all(request->name, &found, NULL);
    close(lock);
    return status;
}

/* ---- removing ---- */

/* What is left of one testbed. */
struct leftover {
    const struct rc_groups *groups;
    const char *testbed;
    bool found;
    int status;
    struct rc_error *error;
};

static int remove_group(void *data, int cpu, const char *group)
{
    struct leftover *left = data;
    char name[64];

    if (testbed_of(group, name) || strcmp(name, left->testbed) != 0)
        return 0;
    left->found = true;
    /* This process itself may have been started in a node. */
    if (rc_nodes_group_leave(left->groups, left->error) ||
        rc_nodes_group_remove(left->groups, cpu, group, left->error))
        left->status = -1;
    return 0;
}

static int remove_all(const char *name, bool *found, struct rc_error *error)
{
    struct leftover left = {.testbed = name, .error = error};
    struct rc_testbed *testbed = malloc(sizeof *testbed);
    struct rc_groups groups;
    char path[RC_NODES_PATH], boot[40];

    rc_nodes_path(name, NULL, path);
    *found = access(path, F_OK) == 0;
    rc_nodes_boot(boot);
    /* Numbers of processes mean nothing after the machine has started anew. */
    if (testbed && *found && rc_nodes_read(name, testbed, NULL) == 0 &&
        strcmp(testbed->boot, boot) == 0)
        /* The supervisor first, so that it starts nothing anew; its children end with it. */
        for (int round = 0; round < 500 && rc_nodes_process_runs(&testbed->supervisor); round++) {
            kill(testbed->supervisor.pid, SIGKILL);
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
    free(testbed);
    if (rc_nodes_groups_find(&groups, error) == 0) {
        left.groups = &groups;
        rc_nodes_group_each(&groups, remove_group, &left);
        rc_nodes_groups_tidy(&groups);
    } else {
        left.status = -1;
    }
    *found |= left.found;
    return rc_nodes_forget(name, error) || left.status ? -1 : 0;
}

int rc_nodes_down(const char *name, bool *found, struct rc_error *error)
{
    int lock, status;

    *found = false;
    if (rc_nodes_check_name(name, error) || rc_nodes_possible(error))
        return -1;
    lock = rc_nodes_lock(error);
    if (lock < 0)
        return -1;
    status = remove_all(name, found, error);
    close(lock);
    return status;
}
