// SPDX-License-Identifier: GPL-3.0-or-later
/* check.c - 'runcast trace check': is a trace complete? */
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
    printf("%s\n", profile->whole ? "the trace is complete" : "the trace is not complete");
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
        rc_cmd_print_json(rc_field_json(rc_answer_trace_check, trace.profile));
    else
        print_check(trace.profile);
    whole = trace.profile->whole;
    rc_cmd_trace_close(&trace);
    return whole ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const struct rc_command rc_command_trace_check = {
    .name = "check",
    .summary = "Check that a trace is complete",
    .arguments = "DIR",
    .details =
        "Prints one line for each file of the trace: the number of calls that can be read, "
        "the number that is missing, and the fault, if any. Faults of the whole trace follow: "
        "missing ranks, files of another run, messages that were sent and never received, "
        "collective calls that not all ranks made. The exit status is 1 if there is any "
        "fault.",
    .examples = "  runcast trace check heat.trace\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = check_options,
    .options_size = sizeof(struct check_options),
    .answers = {rc_answer_trace_check},
    .run = run_check,
};
