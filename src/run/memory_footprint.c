// SPDX-License-Identifier: GPL-3.0-or-later
/* memory_footprint.c - the memory of a process and all that it started, by /proc. */
#include "run/memory_footprint.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"

void rc_run_footprint_init(struct rc_footprint *footprint)
{
    *footprint = (struct rc_footprint){.peak = NAN};
}

pid_t rc_run_footprint_parent(const char *stat)
{
    /* "PID (NAME) STATE PARENT ..."; the name may hold anything, ')' included. */
    const char *end = strrchr(stat, ')');
    int64_t parent;

    if (!end || strlen(end) < 5)
        return -1;
    end += 4;
    return rc_number_parse_integer(end, strcspn(end, " "), &parent) || parent < 0 ||
                   parent > INT32_MAX
               ? -1
               : (pid_t)parent;
}

double rc_run_footprint_bytes(const char *status, const char *name)
{
    const size_t length = strlen(name);
    int64_t kilobytes;

    for (const char *line = status; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0 || line[length] != ':')
            continue;
        line += length + 1;
        line += strspn(line, " \t");
        return rc_number_parse_integer(line, strspn(line, "0123456789"), &kilobytes) ||
                       kilobytes > INT64_MAX / 1024
                   ? (double)NAN
                   : (double)kilobytes * 1024;
    }
    return NAN;
}

/* ---- processes and those that they started ---- */

struct process {
    pid_t pid, parent;
    bool below;
};

static int by_pid(const void *a, const void *b)
{
    const struct process *left = a, *right = b;

    return (left->pid > right->pid) - (left->pid < right->pid);
}

/* All processes of this machine, ordered by number. */
static size_t list_processes(struct process **list, struct rc_error *error)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    size_t n = 0, room = 0;
    char path[64], text[1024];
    int64_t pid;

    *list = NULL;
    if (!directory) {
        rc_error_errno(error, errno, "/proc");
        return 0;
    }
    while (n < RC_FOOTPRINT_PROCESSES_MAX && (entry = readdir(directory))) {
        if (rc_number_parse_integer(entry->d_name, strlen(entry->d_name), &pid) || pid < 1)
            continue;
        snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
        if (rc_file_read(path, text, sizeof text))
            continue;
        if (rc_array_room(list, n + 1, &room, sizeof **list, error)) {
            n = 0;
            break;
        }
        (*list)[n++] = (struct process){(pid_t)pid, rc_run_footprint_parent(text), false};
    }
    closedir(directory);
    if (n > 0)
        qsort(*list, n, sizeof **list, by_pid);
    return n;
}

/* Children mostly have higher numbers than their parents, so that one or two rounds do. */
int rc_run_footprint_each(pid_t root, void (*each)(void *data, pid_t pid), void *data,
                          struct rc_error *error)
{
    struct process *list;
    size_t n = list_processes(&list, error);
    bool more = n > 0;

    while (more) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            struct process key = {.pid = list[i].parent}, *parent;

            if (list[i].below)
                continue;
            parent = bsearch(&key, list, n, sizeof *list, by_pid);
            list[i].below = list[i].pid == root || (parent && parent->below);
            more |= list[i].below;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (list[i].below)
            each(data, list[i].pid);
    free(list);
    return n > 0 ? 0 : -1;
}

/* ---- memory ---- */

static void look_at(void *data, pid_t pid)
{
    struct rc_footprint *footprint = data;
    char path[64], text[4096];
    double bytes;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    if (rc_file_read(path, text, sizeof text) == 0) {
        bytes = rc_run_footprint_bytes(text, "VmHWM");
        footprint->peak = fmax(footprint->peak, bytes); /* of a number and NAN, the number */
    }
}

int rc_run_footprint_look(struct rc_footprint *footprint, pid_t root, struct rc_error *error)
{
    return rc_run_footprint_each(root, look_at, footprint, error);
}
