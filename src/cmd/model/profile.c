// SPDX-License-Identifier: GPL-3.0-or-later
/* profile.c - 'runcast model profile': the share of each task, from a trace. */
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
    const char *trace, *on, *out;
    struct rc_option_list with;
    bool json;
};

static const struct rc_option profile_option_table[] = {
    RC_CMD_OPTION(struct profile_options, trace, FILE, "trace", "DIR",
                  "the recording, made by 'runcast trace' (required)"),
    RC_CMD_OPTION(struct profile_options, on, TEXT, "on", "PLATFORM",
                  "the part of the model that the profile is for (default: all platforms)"),
    RC_CMD_OPTION(struct profile_options, out, FILE, "out", "FILE",
                  "write the profile there too, as a file to be read with --with"),
    RC_MODEL_OPTION_WITH(struct profile_options, with),
    RC_OPTION_JSON(struct profile_options),
    RC_OPTIONS_END,
};

/* What the verb works on. */
struct profiling {
    struct rc_cmd_model_work model;
    struct rc_trace_set *recording;
    struct rc_answer_model_profile answer;
};

/* ---- for people ---- */

static void show_left(const struct rc_shares *shares)
{
    char text[RC_CELL_SIZE];

    if (shares->left < 1e-3)
        return;
    printf("\n%s belongs to no task", rc_cell_percent_text(shares->left, 3, text));
    for (size_t i = 0; i < shares->n_parts; i++)
        printf("%s%s of %s", i ? ", " : ": up to ",
               rc_cell_percent_text(shares->parts[i].share, 3, text), shares->parts[i].what);
    printf("%s\n", shares->n_parts ? "; the rest is waiting for one another"
                                   : ": it is waiting for one another");
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
            printf("\nbelow %s, and so left out of the model: ", text);
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
            printf("\ntasks with the same 'traced' clause share its time alike\n");
            break;
        }
    if (shares->overlap)
        printf(
            "\ntasks go on at the same time: their shares are made smaller, to come to 100 %%\n");
    show_left(shares);
    show_small(shares);
    return 0;
}

/* ---- the verb ---- */

static int describe(struct profiling *work, struct rc_error *error)
{
    struct rc_buffer of = RC_BUFFER_INIT(8192);
    char *hosts = rc_cmd_trace_hosts(work->recording);
    int failed = rc_buffer_printf(&of, "%.200s, %" PRIu32 " rank%s%s%.1000s",
                                  rc_cmd_trace_title(work->recording), work->recording->ranks,
                                  work->recording->ranks == 1 ? "" : "s", hosts ? " on " : "",
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
    work->recording = rc_trace_set_open(directory, error);
    if (work->recording)
        status = rc_structural_shares_find(&answer->shares, model, section, work->recording,
                                           &progress.monitor, error);
    rc_cmd_work_end(&progress);
    if (status || describe(work, error))
        return -1;
    answer->model = model->name;
    answer->section = section < 0 ? NULL : model->sections[section].name;
    answer->statement = rc_structural_shares_statement(&answer->shares, model, section, answer->of);
    return answer->statement ? 0 : rc_error_no_memory(error);
}

/* What the user would not see in the shares themselves. */
static void note(const struct profiling *work)
{
    const struct rc_model *model = work->model.model;

    if (!rc_structural_shares_are_of(work->recording, model->app))
        rc_cmd_note("the model is of '%s', and the recording of %s: is it the right one?",
                    model->app, work->answer.of);
    for (size_t i = 0; i < work->answer.shares.n; i++)
        if (!work->answer.shares.items[i].there)
            rc_cmd_note("the recording has nothing of what '%s' is traced by",
                        work->answer.shares.items[i].task);
    for (size_t i = 0; i < model->n_profile; i++)
        if (work->model.setting.section < 0 && model->profile[i].section >= 0) {
            rc_cmd_note("this profile is for all platforms, and the model's own 'on %s' goes "
                        "before it there: see --on",
                        model->sections[model->profile[i].section].name);
            break;
        }
}

static int profile(struct profiling *work, const struct profile_options *options)
{
    struct rc_error error = {.text = ""};

    if (look(work, options->trace, &error))
        return rc_cmd_model_fail(&work->model, &error);
    if (options->out && rc_file_replace(options->out, work->answer.statement,
                                        strlen(work->answer.statement), &error))
        return rc_cmd_fail(&error, "writing the profile");
    note(work);
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
    struct profiling work = {.recording = NULL};
    int status;

    if (!options->trace)
        return rc_cmd_usage_text(invocation, "say which recording: --trace DIR");
    status = rc_cmd_model_check_out(invocation, options->out, &read);
    if (status != RC_EXIT_OK)
        return status;
    status = rc_cmd_model_begin(&work.model, "profiling", invocation->arguments[0], &options->with);
    if (status == RC_EXIT_OK)
        status = rc_cmd_model_section(&work.model, invocation, options->on, false);
    if (status == RC_EXIT_OK)
        status = profile(&work, options);
    rc_structural_shares_free(&work.answer.shares);
    rc_trace_set_close(work.recording);
    free(work.answer.of);
    free(work.answer.statement);
    rc_cmd_model_end(&work.model);
    return status;
}

const struct rc_command rc_command_model_profile = {
    .name = "profile",
    .summary = "Say which share of a recorded run each task takes",
    .arguments = "FILE.rcm",
    .details =
        "The 'traced' clauses of the model's components say which MPI calls, and which computing "
        "between them, belong to a task: 'traced calls Bcast, Scatterv', 'traced computing before "
        "Gatherv of rest'. Without any, the only task of kind computation gets all computing, "
        "and the only one of kind communication all calls.\n\n"
        "A task that all ranks do counts as on the rank that computes longest, and for calls as "
        "on the one that is in them for the shortest time: what others spend in them beyond that "
        "is waiting, and belongs to the task that they wait for. The time is that between the "
        "beginning and the end of MPI.\n\n"
        "With --out, the shares are written as a 'profile' statement, to be used with --with.",
    .examples = "  runcast trace -o ga.rec -- mpirun -np 4 ./ga 400\n"
                "  runcast model profile mine.rcm --trace ga.rec --out profile.rcm\n"
                "  runcast model eval mine.rcm --with profile.rcm --set N=2000\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = profile_option_table,
    .options_size = sizeof(struct profile_options),
    .run = run_profile,
};
