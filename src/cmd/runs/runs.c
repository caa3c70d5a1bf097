// SPDX-License-Identifier: GPL-3.0-or-later
/* runs.c - 'runcast runs': the runs in the store.  The verbs with more to them have files of their
 * own. */
#include "cmd/runs/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/runs_fields.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "cmd/core/commands.h"
#include "db/run.h"

const char *const rc_runs_status_choices[] = {"ok", "failed", "interrupted", NULL};

/* A small number given as a time is a slip, and a dangerous one when deleting. */
static const double YEAR_1973 = 94694400;

static int read_ids(const struct rc_invocation *invocation, int64_t *ids)
{
    for (int i = 0; i < invocation->n_arguments; i++) {
        const char *text = invocation->arguments[i];

        if (rc_number_parse_integer(text, strlen(text), &ids[i]) || ids[i] < 1)
            return rc_cmd_usage_text(invocation, "'%s' is not the number of a run", text);
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
        return rc_cmd_usage_text(invocation, "--since: that was before 1973, when no such program "
                                             "ran; 7d means seven days ago");
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

    rc_json_stream_begin(&stream, stdout, "runs");
    while ((got = rc_db_run_next(cursor, &run, error)) > 0 && !ferror(stdout)) {
        rc_cmd_runs_step(pace);
        if (rc_json_stream_add(&stream, rc_answer_run_json(&run, fields)))
            return rc_error_no_memory(error);
    }
    rc_json_stream_end(&stream);
    return got < 0 ? -1 : 0;
}

void rc_cmd_runs_pace_begin(struct rc_runs_pace *pace, struct rc_db *store,
                            const struct rc_run_filter *filter, const char *label)
{
    pace->done = pace->total = 0;
    rc_progress_begin(&pace->progress, stderr, rc_clock_system(), label);
    /* What is shown on the screen is its own progress. */
    if (isatty(STDOUT_FILENO))
        pace->progress.enabled = false;
    if (pace->progress.enabled)
        rc_db_run_count(store, filter, &pace->total, NULL); /* without it, no share is shown */
}

void rc_cmd_runs_step(struct rc_runs_pace *pace)
{
    if (++pace->done % 1024 == 0)
        rc_progress_update(&pace->progress, pace->done, pace->total);
}

/* ---- delete ---- */

struct delete_options {
    struct rc_runs_choice choice;
    const char *db;
    bool all, yes, dry_run, json;
};

static const struct delete_options delete_defaults = {.choice = RC_RUNS_CHOICE_DEFAULT};

static const struct rc_option delete_options[] = {
    RC_RUNS_CHOICE_OPTIONS(struct delete_options),
    {RC_OPTION_OF(struct delete_options, FLAG, all), .name = "all",
     .help = "every run in the store"},
    {RC_OPTION_OF(struct delete_options, FLAG, dry_run), .name = "dry-run",
     .help = "only tell how many runs it would delete"},
    {RC_OPTION_OF(struct delete_options, FLAG, yes), .name = "yes", .letter = 'y',
     .help = "do not ask, even on a terminal"},
    RC_OPTION_JSON(struct delete_options),
    RC_OPTION_DB(struct delete_options),
    RC_OPTIONS_END,
};

/* Without a filter everything would go: that must be said. */
static bool chooses_any(const struct rc_run_filter *filter)
{
    return filter->app || filter->platform || !isnan(filter->since) || filter->status >= 0 ||
           filter->import_id || filter->n_ids || !isinf(filter->procs.low) ||
           !isinf(filter->procs.high) || !isinf(filter->size.low) || !isinf(filter->size.high);
}

static void report_deleted(const struct delete_options *options, uint64_t count)
{
    if (options->json)
        rc_cmd_print_json(
            json_pack("{s:I}", options->dry_run ? "would_delete" : "deleted", (json_int_t)count));
    else
        printf("%" PRIu64 " run%s %s\n", count, count == 1 ? "" : "s",
               options->dry_run ? "would be deleted" : "deleted");
}

static int delete_chosen(const struct delete_options *options, struct rc_run_filter *filter)
{
    struct rc_cmd_work work;
    struct rc_db *store;
    struct rc_error error;
    uint64_t count = 0;
    int status = RC_EXIT_FAILED;

    rc_cmd_work_begin(&work, "deleting");
    store = rc_cmd_open_db(options->db, options->dry_run ? RC_DB_READ : RC_DB_WRITE, &work);
    if (store && rc_db_run_pin(store, filter, &count, &error)) {
        rc_cmd_fail(&error, "counting the runs");
    } else if (store && !options->dry_run && !options->yes && count > 0 &&
               !rc_cmd_confirm("delete %" PRIu64 " run%s for good?", count,
                               count == 1 ? "" : "s")) {
        rc_cmd_note("nothing was deleted");
    } else if (store && !options->dry_run && count > 0 &&
               rc_db_run_delete(store, filter, &count, &error)) {
        rc_cmd_fail(&error, "deleting the runs");
    } else if (store) {
        report_deleted(options, count);
        status = RC_EXIT_OK;
    }
    rc_db_close(store);
    rc_cmd_work_end(&work);
    return status;
}

static int run_delete(struct rc_invocation *invocation)
{
    const struct delete_options *options = invocation->options;
    struct rc_run_filter filter;
    int64_t *ids;
    int status = rc_cmd_runs_filter(invocation, &options->choice, &filter, &ids);

    if (status == RC_EXIT_OK && !options->all && !chooses_any(&filter))
        status = rc_cmd_usage_text(invocation,
                                   "say which runs: by number, by a filter, or --all of them");
    else if (status == RC_EXIT_OK && options->all && chooses_any(&filter))
        status = rc_cmd_usage_text(invocation, "--all goes with no other choice of runs");
    if (status == RC_EXIT_OK)
        status = delete_chosen(options, &filter);
    free(ids);
    return status;
}

static const struct rc_command command_delete = {
    .name = "delete",
    .summary = "Delete runs from the store",
    .arguments = "[ID...]",
    .details = "Which runs is said by their numbers or by filters, of which all must hold. On a "
               "terminal it asks first. A file whose runs are all deleted can be imported again.",
    .examples = "  runcast runs delete 17 18            # these two\n"
                "  runcast runs delete --import 3       # all that import 3 brought\n"
                "  runcast runs delete --app old --dry-run\n",
    .most_arguments = -1,
    .options = delete_options,
    .options_size = sizeof(struct delete_options),
    .defaults = &delete_defaults,
    .run = run_delete,
};

static const struct rc_command *const verbs[] = {&rc_command_runs_import, &rc_command_runs_list,
                                                 &rc_command_runs_show,   &rc_command_runs_export,
                                                 &command_delete,         NULL};

const struct rc_command rc_command_runs = {
    .name = "runs",
    .summary = "Import, list, show, export and delete runs of programs",
    .details = "A run is one execution of a program (an app): its problem size n, its number of "
               "processes p, how many seconds it took and, where known, on which platform and "
               "hosts, when, and under which load.",
    .children = verbs,
};
