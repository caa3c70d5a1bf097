// SPDX-License-Identifier: GPL-3.0-or-later
/* record.h - what the files of 'runcast record' share. */
#ifndef RC_CMD_RECORD_RECORD_H
#define RC_CMD_RECORD_RECORD_H

#include "cmd/core/command.h"
#include "run/launch_layout.h"
#include "run/record.h"
#include "run/sensors_watch.h"

enum { RC_CMD_HOST_NAME_SIZE = 256 };

struct rc_cmd_record_options {
    const char *db, *app, *platform, *hosts, *launcher, *program, *processes, *links, *json;
    struct rc_option_list params;
    int64_t procs;
    double size, every, sense_wait, store_wait;
    bool local, no_sense, quiet;
};

/* How long another writer of the store is waited for: until Ctrl-C at most. */
struct rc_cmd_record_patience {
    struct rc_runner *runner;
    double most;
    bool over;
};

/* All that one call works on. */
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
    struct rc_db *counts; /* where what probes send is counted; NULL: nowhere */
    struct rc_cmd_record_patience counts_patience;
    struct rc_monitor counts_monitor;
};

/* Whether it runs in virtual nodes of this machine. */
bool rc_cmd_record_in_lab(const struct rc_cmd_record *work);

/* Opens the store before the run, to count in it what probes of links send; where that does not
 * work within a second, `counts` is NULL. */
void rc_cmd_record_open_counts(struct rc_cmd_record *work);

/* Stores what was recorded, or else saves it as a file, and says so. */
void rc_cmd_record_keep(struct rc_cmd_record *work);

#endif
