// SPDX-License-Identifier: GPL-3.0-or-later
/* footprint.c - the memory of a process and all that it started, by /proc. */
#include "run/footprint.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

struct process {
    pid_t pid, parent;
    bool ours;
};

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

static int by_pid(const void *a, const void *b)
{
    const struct process *left = a, *right = b;

    return (left->pid > right->pid) - (left->pid < right->pid);
}

/* All processes of this machine, ordered by number. */
static size_t list_processes(struct process **list, struct rc_error *error)
{
    DIR *directory = opendir("/proc");
    struct process *more;
    struct dirent *entry;
    size_t n = 0, capacity = 0;
    char path[64], text[512];
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
        if (rc_text_read(path, text, sizeof text))
            continue;
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            more = realloc(*list, capacity * sizeof *more);
            if (!more) {
                rc_error_no_memory(error);
                n = 0;
                break;
            }
            *list = more;
        }
        (*list)[n++] = (struct process){(pid_t)pid, rc_run_footprint_parent(text), false};
    }
    closedir(directory);
    if (n > 0)
        qsort(*list, n, sizeof **list, by_pid);
    return n;
}

static void look_at(struct rc_footprint *footprint, pid_t pid)
{
    char path[64], text[4096];
    double bytes;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    if (rc_text_read(path, text, sizeof text) == 0) {
        bytes = rc_run_footprint_bytes(text, "VmHWM");
        footprint->peak = fmax(footprint->peak, bytes); /* of a number and NAN, the number */
    }
}

/* Marks the children of marked ones until there is no more.  Children mostly have higher numbers
 * than their parents, so that one or two rounds do. */
static void mark(struct process *list, size_t n, pid_t root)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            struct process key = {.pid = list[i].parent}, *parent;

            if (list[i].ours)
                continue;
            parent = bsearch(&key, list, n, sizeof *list, by_pid);
            list[i].ours = list[i].pid == root || (parent && parent->ours);
            more |= list[i].ours;
        }
    }
}

int rc_run_footprint_look(struct rc_footprint *footprint, pid_t root, struct rc_error *error)
{
    struct process *list;
    size_t n = list_processes(&list, error);

    if (n == 0) {
        free(list);
        return -1;
    }
    mark(list, n, root);
    for (size_t i = 0; i < n; i++)
        if (list[i].ours)
            look_at(footprint, list[i].pid);
    free(list);
    return 0;
}
