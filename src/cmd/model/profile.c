// SPDX-License-Identifier: GPL-3.0-or-later
/* profile.c - 'runcast model profile': finds the share of each task in a trace. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answer/model_fields.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/unit.h"
#include "cmd/model/model.h"
#include "cmd/trace/trace.h"
#include "report/cell.h"
#include "model/structural/task_profile.h"

struct profile_options {
    const char *trace, *on, *output;
    struct rc_option_list with;
    bool json;
};

static const struct rc_option profile_option_table[] = {
    RC_CMD_OPTION(struct profile_options, trace, FILE, "trace", "DIR",
                  "trace of the program (required)"),
    RC_CMD_OPTION(
        struct profile_options, on, TEXT, "on", "NAME",
        "platform section of the model (default: none; the profile is for all platforms)"),
    RC_CMD_OPTION_WITH(
        struct profile_options, output, FILE, "output", "PATH",
        "output file or directory: also write the profile as a model file for --with",
        .letter = 'o'),
    RC_MODEL_OPTION_WITH(struct profile_options, with),
    RC_OPTION_JSON(struct profile_options),
    RC_OPTIONS_END,
};

struct profiling {
    struct rc_cmd_model_work model;
    struct rc_trace_set *trace;
    struct rc_answer_model_profile answer;
};

/* ---- for people ---- */

static void show_left(const struct rc_shares *shares)
{
    char text[RC_CELL_SIZE];

    if (shares->left < 1e-3)
        return;
    printf("\nunassigned: %s", rc_cell_percent_text(shares->left, 3, text));
    for (size_t i = 0; i < shares->n_parts; i++)
        printf("%s%s in %s", i ? ", " : "; at most ",
               rc_cell_percent_text(shares->parts[i].share, 3, text), shares->parts[i].what);
    printf("%s\n", shares->n_parts ? "; the rest is waiting" : " (waiting)");
}

static void show_small(const struct rc_shares *shares)
{
    char text[RC_CELL_SIZE];
    size_t shown = 0;

    rc_cell_percent_text(shares->omit, 3, text);
    for (size_t i = 0; i < shares->n; i++) {
        if (!shares->items[i].omitted)
            continue;
        if (shown++ == 0)
            printf("\nomitted by the model (below %s): ", text);
        printf("%s%s", shown > 1 ? ", " : "", shares->items[i].task);
    }
    if (shown)
        printf("\n");
}

static int show_text(const struct profiling *work, struct rc_error *error)
{
    const struct rc_shares *shares = &work->answer.shares;
    char time[RC_UNIT_SIZE];
    const char *section = work->answer.section;

    rc_unit_format(shares->seconds, RC_SECONDS, time);
    printf("%s%s%s: %s, %s\n\n", work->answer.model, section ? " on " : "", section ? section : "",
           work->answer.of, time);
    if (rc_field_table(stdout, rc_answer_share, shares->items, shares->n, sizeof *shares->items,
                       rc_cmd_width(), error))
        return -1;
    for (size_t i = 0; i < shares->n; i++)
        if (shares->items[i].alike > 1) {
            printf("\nTasks with the same 'traced' clause have equal parts of its time.\n");
            break;
        }
    if (shares->overlap)
        printf("\nTasks overlap; their shares are scaled to a sum of 100 %%.\n");
    show_left(shares);
    show_small(shares);
    return 0;
}

/* ---- the verb ---- */

static int describe(struct profiling *work, struct rc_error *error)
{
    struct rc_buffer of = RC_BUFFER_INIT(8192);
    char *hosts = rc_cmd_trace_hosts(work->trace);
    int failed = rc_buffer_printf(&of, "%.200s, %" PRIu32 " rank%s%s%.1000s",
                                  rc_cmd_trace_title(work->trace), work->trace->ranks,
                                  work->trace->ranks == 1 ? "" : "s", hosts ? " on " : "",
                                  hosts ? hosts : "");

    free(hosts);
    work->answer.of = of.data;
    return failed ? rc_error_no_memory(error) : 0;
}

static int look(struct profiling *work, const char *directory, struct rc_error *error)
{
    const struct rc_model *model = work->model.model;
    struct rc_answer_model_profile *answer = &work->answer;
    int status = -1, section = work->model.setting.section;
    struct rc_cmd_work progress;

    rc_cmd_work_begin(&progress, "reading");
    work->trace = rc_trace_set_open(directory, error);
    if (work->trace)
        status = rc_structural_shares_find(&answer->shares, model, section, work->trace,
                                           &progress.monitor, error);
    rc_cmd_work_end(&progress);
    if (status || describe(work, error))
        return -1;
    answer->model = model->name;
    answer->section = section < 0 ? NULL : model->sections[section].name;
    answer->statement = rc_structural_shares_statement(&answer->shares, model, section, answer->of);
    return answer->statement ? 0 : rc_error_no_memory(error);
}

/* Notes on doubtful profiles. */
static void note(const struct profiling *work)
{
    const struct rc_model *model = work->model.model;

    if (!rc_structural_shares_are_of(work->trace, model->app))
        rc_cmd_note("the model is of '%s', but the trace is of %s", model->app, work->answer.of);
    for (size_t i = 0; i < work->answer.shares.n; i++)
        if (!work->answer.shares.items[i].there)
            rc_cmd_note("the trace has nothing that matches the 'traced' clause of '%s'",
                        work->answer.shares.items[i].task);
    for (size_t i = 0; i < model->n_profile; i++)
        if (work->model.setting.section < 0 && model->profile[i].section >= 0) {
            rc_cmd_note("this profile is for all platforms, but the profile of section 'on %s' "
                        "overrides it there; use --on",
                        model->sections[model->profile[i].section].name);
            break;
        }
}

static int profile(struct profiling *work, const struct profile_options *options)
{
    struct rc_error error = {.text = ""};

    if (look(work, options->trace, &error))
        return rc_cmd_model_fail(&work->model, &error);
    if (options->output && rc_file_replace(options->output, work->answer.statement,
                                           strlen(work->answer.statement), &error))
        return rc_cmd_fail(&error, "writing the profile");
    note(work);
    work->answer.notes = rc_cmd_notes_json();
    if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_model_profile, &work->answer));
    else if (show_text(work, &error))
        return rc_cmd_model_fail(&work->model, &error);
    return RC_EXIT_OK;
}

static int run_profile(struct rc_invocation *invocation)
{
    const struct profile_options *options = invocation->options;
    const struct rc_cmd_model_choice read = {.with = options->with};
    struct profiling work = {.trace = NULL};
    int status;

    if (!options->trace)
        return rc_cmd_usage_text(invocation, "missing --trace DIR");
    status = rc_cmd_model_check_output(invocation, options->output, &read);
    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_model_begin(&work.model, "profiling", invocation->arguments[0], &options->with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_section(&work.model, invocation, options->on, false);
    if (status == RC_EXIT_OK)
        status = profile(&work, options);
    rc_structural_shares_free(&work.answer.shares);
    rc_trace_set_close(work.trace);
    free(work.answer.of);
    free(work.answer.statement);
    json_decref(work.answer.notes);
    rc_cmd_model_end(&work.model);
    return status;
}

const struct rc_command rc_command_model_profile = {
    .name = "profile",
    .summary = "Find the share of each task in a trace",
    .arguments = "FILE.rcm",
    .details =
        "The 'traced' clauses of components assign MPI calls, and computing between them, to "
        "tasks: 'traced calls Bcast, Scatterv', 'traced computing before Gatherv of rest'. If the "
        "model has none, its only task of kind computation gets all computing, and its only task "
        "of kind communication all calls.\n\n"
        "The computing time of a task is that of the rank that computes longest. The time of its "
        "calls is that of the rank that spends least time in them; the rest is waiting and belongs "
        "to the task that the others wait for. The run lasts from the end of MPI_Init to "
        "MPI_Finalize.\n\n"
        "--output writes the shares as a 'profile' statement for --with.",
    .examples = "  runcast trace record -o ga.trace -- mpirun -np 4 ./ga 400\n"
                "  runcast model profile mine.rcm --trace ga.trace --output profile.rcm\n"
                "  runcast model eval mine.rcm --with profile.rcm --set N=2000\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = profile_option_table,
    .options_size = sizeof(struct profile_options),
    .answers = {rc_answer_model_profile},
    .run = run_profile,
};
