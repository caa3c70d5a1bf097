// SPDX-License-Identifier: GPL-3.0-or-later
/* runs.c - 'runcast runs': the runs in the database; what its verbs share. */
#include "cmd/runs/runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/runs_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/core/commands.h"

const char *const rc_runs_status_choices[] = {"ok", "failed", "interrupted", NULL};

/* A small number is no time but a slip ("7" for "7d"), and a dangerous one for delete. */
static const double YEAR_1973 = 94694400;

static int read_ids(const struct rc_invocation *invocation, int64_t *ids)
{
    for (int i = 0; i < invocation->n_arguments; i++) {
        const char *text = invocation->arguments[i];

        if (rc_number_parse_integer(text, strlen(text), &ids[i]) || ids[i] < 1)
            return rc_cmd_usage_text(invocation, "'%s' is not a run number", text);
    }
    return RC_EXIT_OK;
}

int rc_cmd_runs_filter(const struct rc_invocation *invocation, const struct rc_runs_choice *choice,
                       struct rc_run_filter *filter, int64_t **ids)
{
    struct rc_error error;
    int status;

    rc_db_run_filter_init(filter);
    *ids = calloc((size_t)invocation->n_arguments + 1, sizeof **ids);
    if (!*ids) {
        rc_error_no_memory(&error);
        return rc_cmd_fail(&error, "%s", invocation->path);
    }
    status = read_ids(invocation, *ids);
    filter->ids = *ids;
    filter->n_ids = (size_t)invocation->n_arguments;
    if (!choice)
        return status;
    if (status == RC_EXIT_OK && choice->since < YEAR_1973)
        return rc_cmd_usage_text(invocation, "--since: the time is before 1973; for seven days "
                                             "ago, write 7d");
    filter->app = choice->app;
    filter->platform = choice->platform;
    filter->since = choice->since;
    filter->procs = choice->procs;
    filter->size = choice->size;
    filter->import_id = choice->import_id;
    for (int i = 0; choice->status && rc_runs_status_choices[i]; i++)
        if (strcmp(choice->status, rc_runs_status_choices[i]) == 0)
            filter->status = i;
    return status;
}

/* ---- a walk over runs ---- */

int rc_cmd_runs_write_json(struct rc_run_cursor *cursor, unsigned fields, struct rc_runs_pace *pace,
                           struct rc_error *error)
{
    struct rc_json_stream stream;
    struct rc_run run;
    int got;

    rc_json_stream_begin(&stream, stdout, rc_cmd_schema(), "runs");
    while ((got = rc_db_run_next(cursor, &run, error)) > 0 && !ferror(stdout)) {
        rc_cmd_runs_step(pace);
        if (rc_json_stream_add(&stream, rc_answer_run_json(&run, fields)))
            return rc_error_no_memory(error);
    }
    rc_json_stream_end(&stream);
    return got < 0 ? -1 : 0;
}

void rc_cmd_runs_pace_begin(struct rc_runs_pace *pace, struct rc_db *db,
                            const struct rc_run_filter *filter, const char *label)
{
    pace->done = pace->total = 0;
    rc_progress_begin(&pace->progress, stderr, rc_clock_system(), label);
    /* Output on a terminal shows the progress itself. */
    if (isatty(STDOUT_FILENO))
        pace->progress.enabled = false;
    if (pace->progress.enabled)
        rc_db_run_count(db, filter, &pace->total, NULL); /* if it fails, no percentage is shown */
}

void rc_cmd_runs_step(struct rc_runs_pace *pace)
{
    if (++pace->done % 1024 == 0)
        rc_progress_update(&pace->progress, pace->done, pace->total);
}

static const struct rc_command *const verbs[] = {&rc_command_runs_list, &rc_command_runs_show,
                                                 &rc_command_runs_export, &rc_command_runs_delete,
                                                 NULL};

const struct rc_command rc_command_runs = {
    .name = "runs",
    .summary = "List, show, export and delete runs",
    .details = "A run is one execution of a program (an app). The database has its problem size, "
               "number of processes and run time. It may also have its platform, hosts, start, "
               "memory, load, other parameters, and metadata. 'runcast record' and 'runcast "
               "import' add runs.",
    .children = verbs,
};
