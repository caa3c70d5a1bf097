// SPDX-License-Identifier: GPL-3.0-or-later
/* cgroup_tree.h - where competitors stand in the tree of control groups, as seen from this process.
 *
 * The kernel shares the cores between the groups below the top, by their weights, and what a group
 * gets between the groups and processes in it, and so on.  A competitor is met at the level at
 * which its way down the tree leaves ours: there, all that went the same way have one weight. */
#ifndef RC_HOST_SENSE_CGROUP_TREE_H
#define RC_HOST_SENSE_CGROUP_TREE_H

#include <stddef.h>
#include <sys/types.h>

#include "host/sense/own_cgroup.h"

enum { RC_SENSE_DEPTH_MAX = 16, RC_SENSE_POSITIONS_MAX = 1024 };

struct rc_sense_position {
    size_t level;  /* 0: at the top */
    int group;     /* the number of the group that it is in at that level; 0: in none */
    double weight; /* of that group; 1: that of a process of nice 0 */
    bool top;      /* it is in no group at all */
};

struct rc_sense_group_tree {
    bool there;                         /* there is more than one group to distinguish */
    size_t depth;                       /* levels above that of this process */
    double weights[RC_SENSE_DEPTH_MAX]; /* of the groups that it is in, from the top */
    /* for cgroup_tree.c alone */
    struct rc_cgroup mine;
    char *mounts;
    struct rc_sense_known {
        char *directory; /* of a competitor's group */
        size_t shared;   /* how much of it is the way to the group at that level */
        struct rc_sense_position position;
    } * items;
    size_t n;
    double weighed;
};

/* `group` is that of this process.  Where there are no control groups, `there` stays false.  End
 * with rc_sense_group_tree_end(). */
void rc_sense_group_tree_begin(struct rc_sense_group_tree *tree,
                               const struct rc_sense_group *group);
void rc_sense_group_tree_end(struct rc_sense_group_tree *tree);

/* Reads the weights again where they are some seconds old.  Groups come and go: where the table is
 * full, all positions are forgotten.  Returns whether they were: their numbers are then invalid. */
bool rc_sense_group_tree_weigh(struct rc_sense_group_tree *tree, double now);

/* The number of the position of a process, from 1 on; 0: not known. */
int rc_sense_group_tree_find(struct rc_sense_group_tree *tree, pid_t pid);
const struct rc_sense_position *rc_sense_group_tree_get(const struct rc_sense_group_tree *tree,
                                                        int number);

/* How the directory `theirs` of a group is seen from `mine`; both begin with `top` characters that
 * are the top of the tree.  Returns how much of `theirs` is the way to the group at that level; 0
 * where there is no group. */
size_t rc_sense_group_tree_compare(const char *mine, const char *theirs, size_t top, size_t *level);

#endif
