// SPDX-License-Identifier: GPL-3.0-or-later
/* platform_print.h - a platform on standard output, for people or for programs. */
#ifndef RC_CMD_PLATFORM_PRINT_H
#define RC_CMD_PLATFORM_PRINT_H

#include "cmd/platform/platform.h"
#include "platform/platform.h"

/* What is shown of one cluster, worked out before anything is printed. */
struct rc_platform_view {
    const struct rc_cluster *cluster;
    char *hosts; /* as an expression */
    struct rc_host_group *groups;
    int64_t n_groups;
};

/* How processes are placed, where that was asked for. */
struct rc_platform_placed {
    const struct rc_cluster *cluster; /* NULL: not asked for */
    int64_t processes;
    struct rc_host_group *groups;
    int64_t n_groups;
};

struct rc_platform_show {
    const struct rc_platform *platform;
    struct rc_platform_view *views; /* one for each cluster */
    struct rc_platform_placed placed;
};

/* -1 where memory runs out. */
int rc_cmd_platform_print_tables(const struct rc_platform_show *show, struct rc_error *error);
int rc_cmd_platform_print_json(const struct rc_platform_show *show, struct rc_error *error);

#endif
