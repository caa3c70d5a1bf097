// SPDX-License-Identifier: GPL-3.0-or-later
/* delete.c - 'runcast runs delete': deletes runs that were chosen. */
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

const struct rc_command rc_command_runs_delete = {
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
