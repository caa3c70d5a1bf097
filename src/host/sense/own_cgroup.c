// SPDX-License-Identifier: GPL-3.0-or-later
/* own_cgroup.c - the control group that this process is in. */
#include "host/sense/own_cgroup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "host/sense/proc_files.h"

enum { PATH_SIZE = 4096 + 64 };

static int read_file(const char *directory, const char *name, char *text, size_t size)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return rc_file_read(path, text, size);
}

static double read_number(const char *directory, const char *name)
{
    char text[64];
    double value;

    if (read_file(directory, name, text, sizeof text) ||
        rc_number_parse(text, strlen(text), &value))
        return NAN;
    return value;
}

/* The limit of one group; INFINITY where it has none. */
static double quota_of(const struct rc_cgroup *at)
{
    double cores = INFINITY, quota, period;
    char text[64];

    if (at->version == 2)
        return read_file(at->directory, "cpu.max", text, sizeof text) ||
                       rc_sense_proc_group_max_read(text, &cores)
                   ? (double)INFINITY
                   : cores;
    quota = read_number(at->directory, "cpu.cfs_quota_us");
    period = read_number(at->directory, "cpu.cfs_period_us");
    return quota > 0 && period > 0 ? quota / period : (double)INFINITY;
}

void rc_sense_group_find(struct rc_sense_group *group)
{
    enum rc_cgroup_kind kind;

    group->found = group->there = false;
    if (rc_cgroup_own("cpu", &group->cpu, &kind))
        return;
    if (group->cpu.version == 2)
        group->usage = group->cpu;
    else if (rc_cgroup_own("cpuacct", &group->usage, &kind))
        return;
    group->found = true;
    group->there = strlen(group->cpu.directory) > group->cpu.top || isfinite(quota_of(&group->cpu));
}

double rc_sense_group_used(const struct rc_sense_group *group)
{
    char text[1024];
    double used;

    if (group->usage.version == 1)
        return 1e-9 * read_number(group->usage.directory, "cpuacct.usage");
    return read_file(group->usage.directory, "cpu.stat", text, sizeof text) ||
                   rc_sense_proc_group_usage_read(text, &used)
               ? (double)NAN
               : used;
}

double rc_sense_group_quota(const struct rc_sense_group *group)
{
    struct rc_cgroup at = group->cpu;
    double least = INFINITY;

    do
        least = fmin(least, quota_of(&at));
    while (rc_cgroup_up(&at));
    return least;
}
