// SPDX-License-Identifier: GPL-3.0-or-later
/* testbed_state.c - what is kept of a testbed. */
#include "testbed/nodes/testbed_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

enum { STATE_VERSION = 1 };

/* ---- places ---- */

void rc_nodes_path(const char *testbed, const char *file, char path[RC_NODES_PATH])
{
    snprintf(path, RC_NODES_PATH, RC_NODES_DIRECTORY "/%s%s%s", testbed, file ? "/" : "",
             file ? file : "");
}

int rc_nodes_directory(const char *path, bool may_be_there)
{
    if (mkdir(path, 0755))
        return may_be_there && errno == EEXIST ? 0 : -1;
    return chmod(path, 0755);
}

int rc_nodes_lock(struct rc_error *error)
{
    int fd;

    if (rc_nodes_directory("/run/runcast", true) || rc_nodes_directory(RC_NODES_DIRECTORY, true))
        return rc_error_errno(error, errno, "cannot make " RC_NODES_DIRECTORY);
    fd = open(RC_NODES_DIRECTORY "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return rc_error_errno(error, errno, "cannot open " RC_NODES_DIRECTORY "/.lock");
    while (flock(fd, LOCK_EX))
        if (errno != EINTR) {
            int number = errno;

            close(fd);
            return rc_error_errno(error, number, "cannot lock " RC_NODES_DIRECTORY);
        }
    return fd;
}

int rc_nodes_write_file(const char *testbed, const char *file, const char *text, size_t length,
                        struct rc_error *error)
{
    char path[RC_NODES_PATH];
    mode_t before = umask(022); /* programs in the nodes read them */
    int status;

    rc_nodes_path(testbed, file, path);
    status = rc_file_replace(path, text, length, error);
    umask(before);
    return status;
}

/* Removes what is in a directory, by descriptors alone: everybody may write to the nodes'
 * directories for temporary files, and could put a link in a path just before it is followed.
 * Other file systems stay. */
static int empty(int fd, dev_t device)
{
    DIR *directory = fdopendir(fd);
    struct dirent *entry;
    int status = directory ? 0 : -1, number = errno;

    while (status == 0 && (entry = readdir(directory))) {
        struct stat about;
        const char *name = entry->d_name;

        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (unlinkat(fd, name, 0) == 0 || errno == ENOENT)
            continue;
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (below < 0 || fstat(below, &about) || about.st_dev != device) {
            if (below >= 0)
                close(below);
            status = -1;
        } else {
            status = empty(below, device) || unlinkat(fd, name, AT_REMOVEDIR) ? -1 : 0;
        }
        number = errno;
    }
    if (directory)
        closedir(directory);
    else
        close(fd);
    errno = number;
    return status;
}

int rc_nodes_forget(const char *name, struct rc_error *error)
{
    char path[RC_NODES_PATH];
    struct stat about;
    int status = -1;

    rc_nodes_path(name, NULL, path);
    /* What is ending may have put another file there meanwhile. */
    for (int round = 0; round < 10 && status; round++) {
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (fd < 0)
            status = errno == ENOENT ? 0 : unlink(path);
        else if (fstat(fd, &about))
            close(fd);
        else
            status = empty(fd, about.st_dev) || rmdir(path) ? -1 : 0;
        if (status && errno != ENOTEMPTY)
            break;
    }
    return status ? rc_error_errno(error, errno, "cannot remove %s", path) : 0;
}

/* ---- processes ---- */

void rc_nodes_boot(char boot[40])
{
    rc_file_read("/proc/sys/kernel/random/boot_id", boot, 40);
}

/* The 22nd field of /proc/PID/stat, and the state; the second field may hold anything. */
static bool read_stat(pid_t pid, uint64_t *started, char *state)
{
    char path[64], text[1024];
    const char *at;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    if (pid <= 0 || rc_file_read(path, text, sizeof text) || !(at = strrchr(text, ')')) ||
        sscanf(at + 1, " %c", state) != 1)
        return false;
    for (int field = 2; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, " %" SCNu64, started) == 1;
}

struct rc_nodes_process rc_nodes_process(pid_t pid)
{
    struct rc_nodes_process process = {.pid = pid};
    char state;

    if (!read_stat(pid, &process.started, &state))
        process.pid = 0;
    return process;
}

bool rc_nodes_process_runs(const struct rc_nodes_process *process)
{
    uint64_t started;
    char state;

    return process->pid > 0 && read_stat(process->pid, &started, &state) &&
           started == process->started && state != 'Z' && state != 'X';
}

/* ---- lab.json ---- */

static json_t *process_json(const struct rc_nodes_process *process)
{
    return json_pack("{s:I, s:I}", "pid", (json_int_t)process->pid, "started",
                     (json_int_t)process->started);
}

static json_t *node_json(const struct rc_nodes_node *node)
{
    return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "name", node->name, "address", node->address,
                     "core", node->core, "cpu", rc_json_number(node->cpu), "link",
                     rc_json_number(node->link), "holder", process_json(&node->holder));
}

int rc_nodes_write(const struct rc_testbed *testbed, struct rc_error *error)
{
    json_t *nodes = json_array(), *whole;
    char *text = NULL;
    int status = -1;

    for (size_t i = 0; i < testbed->n_nodes; i++)
        json_array_append_new(nodes, node_json(&testbed->nodes[i]));
    whole = json_pack("{s:i, s:s, s:s, s:i, s:f, s:o, s:o, s:o}", "version", STATE_VERSION, "name",
                      testbed->name, "boot", testbed->boot, "subnet", testbed->subnet, "grain",
                      testbed->grain, "burst", rc_json_number(testbed->burst), "keeper",
                      process_json(&testbed->supervisor), "nodes", nodes);
    if (whole && json_array_size(nodes) == testbed->n_nodes)
        text = json_dumps(whole, JSON_INDENT(1));
    status = text ? rc_nodes_write_file(testbed->name, "lab.json", text, strlen(text), error)
                  : rc_error_no_memory(error);
    free(text);
    json_decref(whole);
    return status;
}

static int read_process(json_t *object, struct rc_nodes_process *process)
{
    json_int_t pid, started;

    if (json_unpack(object, "{s:I, s:I}", "pid", &pid, "started", &started))
        return -1;
    *process = (struct rc_nodes_process){.pid = (pid_t)pid, .started = (uint64_t)started};
    return 0;
}

static int read_node(json_t *object, struct rc_nodes_node *node)
{
    const char *name, *address;
    json_t *link, *holder;

    if (json_unpack(object, "{s:s, s:s, s:i, s:F, s:o, s:o}", "name", &name, "address", &address,
                    "core", &node->core, "cpu", &node->cpu, "link", &link, "holder", &holder) ||
        strlen(name) >= sizeof node->name || strlen(address) >= sizeof node->address ||
        read_process(holder, &node->holder))
        return -1;
    memcpy(node->name, name, strlen(name) + 1);
    memcpy(node->address, address, strlen(address) + 1);
    node->link = json_is_number(link) ? json_number_value(link) : INFINITY;
    return 0;
}

static int read_whole(json_t *whole, const char *testbed_name, struct rc_testbed *testbed)
{
    const char *name, *boot;
    json_t *supervisor, *nodes, *burst = NULL;
    int version;

    if (json_unpack(whole, "{s:i, s:s, s:s, s:i, s:F, s?o, s:o, s:o}", "version", &version, "name",
                    &name, "boot", &boot, "subnet", &testbed->subnet, "grain", &testbed->grain,
                    "burst", &burst, "keeper", &supervisor, "nodes", &nodes) ||
        version != STATE_VERSION || strcmp(name, testbed_name) != 0 ||
        strlen(boot) >= sizeof testbed->boot || read_process(supervisor, &testbed->supervisor) ||
        json_array_size(nodes) > RC_NODES_NODES_MAX)
        return -1;
    snprintf(testbed->name, sizeof testbed->name, "%s", name);
    memcpy(testbed->boot, boot, strlen(boot) + 1);
    testbed->burst = json_is_number(burst) ? json_number_value(burst) : (double)NAN;
    for (size_t i = 0; i < json_array_size(nodes); i++)
        if (read_node(json_array_get(nodes, i), &testbed->nodes[testbed->n_nodes++]))
            return -1;
    return 0;
}

int rc_nodes_read(const char *name, struct rc_testbed *testbed, struct rc_error *error)
{
    char path[RC_NODES_PATH];
    json_error_t fault;
    json_t *whole;
    int status = -1;

    memset(testbed, 0, sizeof *testbed);
    rc_nodes_path(name, "lab.json", path);
    whole = json_load_file(path, 0, &fault);
    if (whole)
        status = read_whole(whole, name, testbed);
    json_decref(whole);
    if (status) {
        rc_error_set(error, "the lab '%s' is incomplete", name);
        rc_error_code(error, "nodes.unfinished", "%s", name);
    }
    return status;
}
