// SPDX-License-Identifier: GPL-3.0-or-later
/* runs.h - what the verbs of 'runcast runs' share. */
#ifndef RC_CMD_RUNS_RUNS_H
#define RC_CMD_RUNS_RUNS_H

#include "answer/runs_fields.h"
#include "cmd/core/command.h"

extern const struct rc_command rc_command_runs_list;
extern const struct rc_command rc_command_runs_show;
extern const struct rc_command rc_command_runs_export;
extern const struct rc_command rc_command_runs_delete;

/* The options that choose runs. */
struct rc_runs_choice {
    const char *app, *platform, *status;
    double since;
    struct rc_range procs, size;
    int64_t import_id;
};

#define RC_RUNS_CHOICE_DEFAULT                                                                     \
    {                                                                                              \
        .since = NAN, .procs = {-INFINITY, INFINITY}, .size = { -INFINITY, INFINITY }              \
    }

extern const char *const rc_runs_status_choices[];

/* For the table of options of a command whose options struct has a member `choice`. */
#define RC_RUNS_CHOICE_OPTIONS(type)                                                               \
    {.name = "app",                                                                                \
     .letter = 'a',                                                                                \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "NAME",                                                                           \
     .help = "name of the app",                                                                    \
     .offset = offsetof(type, choice.app)},                                                        \
        {.name = "platform",                                                                       \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "NAME",                                                                       \
         .help = "name of the platform",                                                           \
         .offset = offsetof(type, choice.platform)},                                               \
        {.name = "since",                                                                          \
         .kind = RC_OPTION_SINCE,                                                                  \
         .argument = "TIME",                                                                       \
         .help = "only entries from TIME on, by the start of the run: a date and time in UTC "     \
                 "(2026-11-15T09:30), or how long ago (7d)",                                       \
         .offset = offsetof(type, choice.since)},                                                  \
        {.name = "procs",                                                                          \
         .letter = 'p',                                                                            \
         .kind = RC_OPTION_RANGE,                                                                  \
         .argument = "P|A..B",                                                                     \
         .dimension = RC_COUNT,                                                                    \
         .help = "number of processes",                                                            \
         .offset = offsetof(type, choice.procs)},                                                  \
        {.name = "size",                                                                           \
         .letter = 's',                                                                            \
         .kind = RC_OPTION_RANGE,                                                                  \
         .argument = "N|A..B",                                                                     \
         .dimension = RC_COUNT,                                                                    \
         .help = "problem size",                                                                   \
         .offset = offsetof(type, choice.size)},                                                   \
        {.name = "status",                                                                         \
         .kind = RC_OPTION_CHOICE,                                                                 \
         .argument = "STATUS",                                                                     \
         .choices = rc_runs_status_choices,                                                        \
         .help = "status of the run: ok, failed or interrupted",                                   \
         .offset = offsetof(type, choice.status)},                                                 \
    {                                                                                              \
        .name = "import", .kind = RC_OPTION_INTEGER, .argument = "NUMBER", .least = 1,             \
        .help = "number of an import", .offset = offsetof(type, choice.import_id)                  \
    }

/* Makes the filter from the options and the ids in the arguments.  Free *ids with free().  Returns
 * an exit status. */
int rc_cmd_runs_filter(const struct rc_invocation *invocation, const struct rc_runs_choice *choice,
                       struct rc_run_filter *filter, int64_t **ids);

/* All columns of a run except its parameters. */
#define RC_RUNS_ALL_COLUMNS                                                                        \
    "id,app,platform,size,procs,time_s,start,hosts,memory_bytes,cpu_minavg,cpu_avgmin,bw_minavg,"  \
    "bw_avgmin,bytes_read,bytes_written,status,import"
/* The column of that name, or of a heading of a table of runs; NULL: none.  In list.c. */
const struct rc_field *rc_cmd_runs_column(const char *name);

/* The progress of a walk whose result goes to a file or a pipe. */
struct rc_runs_pace {
    struct rc_progress progress;
    uint64_t done, total;
};
void rc_cmd_runs_pace_begin(struct rc_runs_pace *pace, struct rc_db *db,
                            const struct rc_run_filter *filter, const char *label);
void rc_cmd_runs_step(struct rc_runs_pace *pace); /* one more; end with rc_progress_end() */

/* Writes the rest of a walk to standard output: {"runs": [...]}. */
int rc_cmd_runs_write_json(struct rc_run_cursor *cursor, unsigned fields, struct rc_runs_pace *pace,
                           struct rc_error *error);

#endif
