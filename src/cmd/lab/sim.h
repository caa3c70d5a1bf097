// SPDX-License-Identifier: GPL-3.0-or-later
/* sim.h - shared by the parts of 'runcast lab sim'. */
#ifndef RC_CMD_LAB_SIM_H
#define RC_CMD_LAB_SIM_H

#include "cmd/core/command.h"
#include "testbed/sim/sim.h"

struct rc_cmd_lab_sim_options {
    const char *platform_file, *load, *start, *cluster, *hosts, *network, *keep_files, *sweep;
    const char *compute_time, *plot, *db;
    int64_t seed, procs, per_host, jobs;
    double interval, history, default_speed, local_speed, size;
    bool dry_run, no_store, json;
};

/* Plots what was available before and during the run. */
int rc_cmd_lab_sim_plot(const char *path, const struct rc_sim_job *job,
                        const struct rc_sim_result *result, const struct rc_monitor *monitor,
                        struct rc_error *error);

/* 'runcast lab sim --sweep FILE'. */
int rc_cmd_lab_sweep(struct rc_invocation *invocation,
                     const struct rc_cmd_lab_sim_options *options);

#endif
