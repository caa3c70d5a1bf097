// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - 'runcast trace check': whether a trace is whole. */
#include "answer/trace_fields.h"
#include "cmd/trace/trace.h"

struct check_options {
    bool json;
};

static const struct rc_option check_options[] = {
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

static void print_files(const struct rc_profile *profile)
{
    struct rc_column columns[8];
    size_t n = rc_field_columns(rc_answer_trace_file, columns, 8);
    struct rc_table *table = rc_table_create(stdout, columns, n, rc_cmd_width());

    for (size_t i = 0; table && i < profile->set->n_files; i++) {
        struct rc_answer_trace_file file = rc_answer_trace_file_of(profile->files + i);

        rc_field_row(table, rc_answer_trace_file, &file);
    }
    rc_table_finish(table);
}

static void print_check(const struct rc_profile *profile)
{
    const struct rc_faults *faults = &profile->faults;

    print_files(profile);
    for (size_t i = 0; i < faults->kept; i++)
        printf("%s\n", faults->texts[i]);
    if (faults->n > faults->kept)
        printf("and %llu more\n", (unsigned long long)(faults->n - faults->kept));
    printf("%s\n", profile->whole ? "the recording is whole" : "the recording is not whole");
    for (size_t i = 0; i < profile->notes.kept; i++)
        rc_cmd_note("%s", profile->notes.texts[i]);
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct rc_cmd_trace trace;
    bool whole;

    if (rc_cmd_trace_open(&trace, invocation) != 0)
        return RC_EXIT_FAILED;
    if (options->json)
        rc_cmd_print_json(rc_answer_trace_check(trace.profile));
    else
        print_check(trace.profile);
    whole = trace.profile->whole;
    rc_cmd_trace_close(&trace);
    return whole ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const struct rc_command rc_command_trace_check = {
    .name = "check",
    .summary = "Tell whether a recording is whole, and what can be read of it",
    .arguments = "DIR",
    .details = "Each file of the directory gets a line: how many calls can be read, how many are "
               "known to be missing, and what is wrong. Then follows what is wrong with the whole: "
               "ranks that are missing, files of another run, messages that were sent and never "
               "received, collective calls that not all ranks made. The exit status is 1 where "
               "anything is.",
    .examples = "  runcast trace check DIR          # is it whole?\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = check_options,
    .options_size = sizeof(struct check_options),
    .run = run_check,
};
