// SPDX-License-Identifier: GPL-3.0-or-later
/* delete.c - 'runcast runs delete'. */
#include "cmd/runs/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "db/run.h"

struct delete_options {
    struct rc_runs_choice choice;
    const char *db;
    bool all, yes, dry_run, json;
};

static const struct delete_options delete_defaults = {.choice = RC_RUNS_CHOICE_DEFAULT};

static const struct rc_option delete_options[] = {
    RC_RUNS_CHOICE_OPTIONS(struct delete_options),
    {RC_OPTION_OF(struct delete_options, FLAG, all), .name = "all", .help = "all runs"},
    {RC_OPTION_OF(struct delete_options, FLAG, dry_run), .name = "dry-run",
     .help = "show what would be done, and do nothing"},
    {RC_OPTION_OF(struct delete_options, FLAG, yes), .name = "yes", .letter = 'y',
     .help = "do not ask for confirmation"},
    RC_OPTION_JSON(struct delete_options),
    RC_OPTION_DB(struct delete_options),
    RC_OPTIONS_END,
};

/* Without a filter, all runs would be deleted: that takes --all. */
static bool chooses_any(const struct rc_run_filter *filter)
{
    return filter->app || filter->platform || !isnan(filter->since) || filter->status >= 0 ||
           filter->import_id || filter->n_ids || !isinf(filter->procs.low) ||
           !isinf(filter->procs.high) || !isinf(filter->size.low) || !isinf(filter->size.high);
}

static void report_deleted(const struct delete_options *options, uint64_t count)
{
    const struct rc_answer_run_deletion deletion = {count, options->dry_run};

    if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_run_deletion, &deletion));
    else
        printf("%" PRIu64 " run%s %s\n", count, count == 1 ? "" : "s",
               options->dry_run ? "would be deleted" : "deleted");
}

static int delete_chosen(const struct delete_options *options, struct rc_run_filter *filter)
{
    struct rc_cmd_work work;
    struct rc_db *db;
    struct rc_error error;
    uint64_t count = 0;
    int status = RC_EXIT_FAILED;

    rc_cmd_work_begin(&work, "deleting");
    db = rc_cmd_open_db(options->db, options->dry_run ? RC_DB_READ : RC_DB_WRITE, &work);
    if (db && rc_db_run_pin(db, filter, &count, &error)) {
        rc_cmd_fail(&error, "counting the runs");
    } else if (db && !options->dry_run && !options->yes && count > 0 &&
               !rc_cmd_confirm("delete %" PRIu64 " run%s permanently?", count,
                               count == 1 ? "" : "s")) {
        rc_cmd_note("nothing deleted");
    } else if (db && !options->dry_run && count > 0 &&
               rc_db_run_delete(db, filter, &count, &error)) {
        rc_cmd_fail(&error, "deleting the runs");
    } else if (db) {
        report_deleted(options, count);
        status = RC_EXIT_OK;
    }
    rc_db_close(db);
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
                                   "no runs chosen; give run numbers, a filter such as --app "
                                   "NAME, or --all");
    else if (status == RC_EXIT_OK && options->all && chooses_any(&filter))
        status = rc_cmd_usage_text(invocation, "--all excludes run numbers and filters");
    if (status == RC_EXIT_OK)
        status = delete_chosen(options, &filter);
    free(ids);
    return status;
}

const struct rc_command rc_command_runs_delete = {
    .name = "delete",
    .summary = "Delete runs",
    .arguments = "[ID...]",
    .details = "Deletes the runs with these numbers, or the runs that pass all filters. On a "
               "terminal, it asks for confirmation. A table can be imported again once all of its "
               "runs are deleted.",
    .examples = "  runcast runs delete 17 18            # two runs\n"
                "  runcast runs delete --import 3       # all runs of import 3\n"
                "  runcast runs delete --app old --dry-run\n",
    .most_arguments = -1,
    .options = delete_options,
    .options_size = sizeof(struct delete_options),
    .defaults = &delete_defaults,
    .answers = {rc_answer_run_deletion},
    .run = run_delete,
};
