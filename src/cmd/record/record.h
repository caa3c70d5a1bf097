// SPDX-License-Identifier: GPL-3.0-or-later
/* record.h - shared by the files of 'runcast record'. */
#ifndef RC_CMD_RECORD_RECORD_H
#define RC_CMD_RECORD_RECORD_H

#include "cmd/core/command.h"
#include "run/launch_layout.h"
#include "run/record.h"
#include "run/sensors_watch.h"

enum { RC_CMD_HOST_NAME_SIZE = 256 };

struct rc_cmd_record_options {
    const char *db, *app, *platform, *hosts, *launcher, *runcast_path, *process_names, *links,
        *output;
    struct rc_option_list params;
    int64_t procs;
    double size, interval, monitor_wait, db_wait;
    bool local, no_monitor, quiet;
};

/* The wait for another writer of the database; Ctrl-C ends it. */
struct rc_cmd_record_patience {
    struct rc_runner *runner;
    double most;
    bool over;
};

/* One call of the command. */
struct rc_cmd_record {
    const struct rc_cmd_record_options *options;
    char host[RC_CMD_HOST_NAME_SIZE], self[4096];
    struct rc_launch launch;
    struct rc_param params[RC_OPTION_LIST_MAX];
    char names[RC_OPTION_LIST_MAX][64];
    struct rc_watch_link *links;
    size_t n_links;
    struct rc_record record;
    struct rc_sensors sensors;
    struct rc_runner runner;
    struct rc_outcome outcome;
    char *hosts;
    struct rc_db *counts; /* counts the bytes that probes send; NULL: nothing does */
    struct rc_cmd_record_patience counts_patience;
    struct rc_monitor counts_monitor;
};

/* Whether it runs in virtual nodes of this machine. */
bool rc_cmd_record_in_lab(const struct rc_cmd_record *work);

/* Opens the database before the run, to count the bytes that probes of links send.  If that takes
 * more than a second, `counts` is NULL. */
void rc_cmd_record_open_counts(struct rc_cmd_record *work);

/* Stores the run, or saves it as a file, and reports which. */
void rc_cmd_record_save(struct rc_cmd_record *work);

#endif
