// SPDX-License-Identifier: GPL-3.0-or-later
/* cgroup_tree.c - where competitors stand in the tree of control groups. */
#include "host/sense/cgroup_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"

#define WEIGH_SECONDS 10.0
enum { MOUNTS_SIZE = 1 << 18, GROUPS_SIZE = 1 << 13, PATH_SIZE = 4096 + 16 };

/* ---- weights ---- */

/* The weight of the group whose directory is the first `length` characters; -1: it has none. */
static double weight_of(int version, const char *directory, size_t length)
{
    char path[PATH_SIZE], text[32];
    double value;

    snprintf(path, sizeof path, "%.*s/%s", (int)length, directory,
             version == 1 ? "cpu.shares" : "cpu.weight");
    if (rc_file_read(path, text, sizeof text) || rc_number_parse(text, strlen(text), &value) ||
        !(value > 0))
        return -1;
    return value / (version == 1 ? 1024 : 100);
}

/* Version 2 may not share the cores between the lower groups. */
static void cut_unweighed(struct rc_cgroup *position)
{
    while (position->version == 2 && strlen(position->directory) > position->top &&
           weight_of(2, position->directory, strlen(position->directory)) < 0 &&
           rc_cgroup_up(position))
        ;
}

static double or_one(double weight)
{
    return weight > 0 ? weight : 1;
}

static void weigh_mine(struct rc_sense_group_tree *tree)
{
    const char *directory = tree->mine.directory;

    tree->depth = 0;
    for (const char *at = directory + tree->mine.top; *at;) {
        at += 1 + strcspn(at + 1, "/");
        if (tree->depth < RC_SENSE_DEPTH_MAX)
            tree->weights[tree->depth++] =
                or_one(weight_of(tree->mine.version, directory, (size_t)(at - directory)));
    }
}

static void forget(struct rc_sense_group_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++)
        free(tree->items[i].directory);
    tree->n = 0;
}

bool rc_sense_group_tree_weigh(struct rc_sense_group_tree *tree, double now)
{
    bool full = tree->n == RC_SENSE_POSITIONS_MAX;

    if (full)
        forget(tree);
    if (!tree->there || now - tree->weighed < WEIGH_SECONDS)
        return full;
    weigh_mine(tree);
    for (size_t i = 0; i < tree->n; i++)
        if (tree->items[i].position.group)
            tree->items[i].position.weight = or_one(
                weight_of(tree->mine.version, tree->items[i].directory, tree->items[i].shared));
    tree->weighed = now;
    return full;
}

/* ---- positions ---- */

void rc_sense_group_tree_begin(struct rc_sense_group_tree *tree, const struct rc_sense_group *group)
{
    *tree = (struct rc_sense_group_tree){.mine = group->cpu};
    if (!group->found)
        return;
    tree->mounts = malloc(MOUNTS_SIZE);
    if (!tree->mounts || rc_file_read("/proc/self/mountinfo", tree->mounts, MOUNTS_SIZE))
        return;
    cut_unweighed(&tree->mine);
    weigh_mine(tree);
    tree->there = true;
}

void rc_sense_group_tree_end(struct rc_sense_group_tree *tree)
{
    forget(tree);
    free(tree->items);
    free(tree->mounts);
    *tree = (struct rc_sense_group_tree){.n = 0};
}

size_t rc_sense_group_tree_compare(const char *mine, const char *theirs, size_t top, size_t *level)
{
    size_t at = top;

    *level = 0;
    for (;;) {
        size_t part;

        if (!theirs[at])
            return 0;
        part = 1 + strcspn(theirs + at + 1, "/");
        if (strncmp(mine + at, theirs + at, part) != 0 ||
            (mine[at + part] && mine[at + part] != '/'))
            return at + part;
        at += part;
        (*level)++;
    }
}

static int group_number(const struct rc_sense_group_tree *tree, const char *directory,
                        size_t length)
{
    for (size_t i = 0; i < tree->n; i++)
        if (tree->items[i].shared == length &&
            strncmp(tree->items[i].directory, directory, length) == 0)
            return (int)i + 1;
    return (int)tree->n + 1;
}

static int add_position(struct rc_sense_group_tree *tree, const struct rc_cgroup *theirs)
{
    struct rc_sense_known *more = realloc(tree->items, (tree->n + 1) * sizeof *more), *it;
    size_t top = tree->mine.top;

    if (!more)
        return 0;
    tree->items = more;
    it = &more[tree->n];
    *it = (struct rc_sense_known){.directory = strdup(theirs->directory)};
    if (!it->directory)
        return 0;
    it->shared =
        rc_sense_group_tree_compare(tree->mine.directory, it->directory, top, &it->position.level);
    it->position.top = !it->directory[top];
    it->position.weight = 1;
    if (it->shared) {
        it->position.group = group_number(tree, it->directory, it->shared);
        it->position.weight = or_one(weight_of(tree->mine.version, it->directory, it->shared));
    }
    return (int)++tree->n;
}

int rc_sense_group_tree_find(struct rc_sense_group_tree *tree, pid_t pid)
{
    char path[64], text[GROUPS_SIZE];
    struct rc_cgroup theirs;

    snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
    if (!tree->there || rc_file_read(path, text, sizeof text) ||
        rc_cgroup_find(tree->mounts, text, "cpu", &theirs) ||
        theirs.version != tree->mine.version || theirs.top != tree->mine.top)
        return 0;
    cut_unweighed(&theirs);
    for (size_t i = 0; i < tree->n; i++)
        if (strcmp(tree->items[i].directory, theirs.directory) == 0)
            return (int)i + 1;
    return tree->n < RC_SENSE_POSITIONS_MAX ? add_position(tree, &theirs) : 0;
}

const struct rc_sense_position *rc_sense_group_tree_get(const struct rc_sense_group_tree *tree,
                                                        int number)
{
    return number > 0 && (size_t)number <= tree->n ? &tree->items[number - 1].position : NULL;
}
