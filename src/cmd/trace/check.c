// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_check.c - 'runcast trace check': whether a trace is whole, and what can be read. */
#include "report/table.h"
#include "cmd/trace/trace.h"

struct check_options {
    bool json;
};

static const struct rc_option check_options[] = {
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

/* Whether it can be told how many calls are missing: not where a file ends too early. */
static bool is_known(const struct rc_profile_file *found)
{
    return !found->problem || found->summary.lost > 0;
}

static void print_files(const struct rc_profile *profile)
{
    static const struct rc_column columns[] = {{.title = "file"},
                                               {.title = "calls", .right = true},
                                               {.title = "missing", .right = true},
                                               {.title = "seconds", .right = true},
                                               {.title = "bytes", .right = true},
                                               {.title = "state", .wrap = true}};
    struct rc_table *table =
        rc_table_create(stdout, columns, sizeof columns / sizeof *columns, rc_cmd_width());

    for (size_t i = 0; table && i < profile->set->n_files; i++) {
        const struct rc_trace_summary *summary = &profile->files[i].summary;
        const char *problem = profile->files[i].problem;

        rc_table_text(table, rc_cmd_trace_name(profile->files[i].file));
        rc_table_integer(table, (long long)summary->calls);
        if (is_known(&profile->files[i]))
            rc_table_integer(table, (long long)summary->lost);
        else
            rc_table_text(table, "?");
        rc_table_number(table, (double)summary->end / 1e9);
        rc_table_integer(table, (long long)summary->bytes);
        rc_table_text(table, problem ? problem : "whole");
    }
    rc_table_finish(table);
}

static json_t *file_json(const struct rc_profile_file *found)
{
    const struct rc_trace_summary *summary = &found->summary;
    json_t *object = json_object();

    rc_json_set(object, "file", rc_json_text(rc_cmd_trace_name(found->file)));
    rc_json_set(object, "rank", json_integer(found->file->rank));
    rc_json_set(object, "thread", json_integer(found->file->thread));
    rc_json_set(object, "whole", json_boolean(!found->problem));
    rc_json_set(object, "problem", found->problem ? rc_json_text(found->problem) : json_null());
    rc_json_set(object, "calls", json_integer((json_int_t)summary->calls));
    rc_json_set(object, "missing",
                is_known(found) ? json_integer((json_int_t)summary->lost) : json_null());
    rc_json_set(object, "positions", json_integer((json_int_t)summary->positions));
    rc_json_set(object, "loops", json_integer((json_int_t)summary->loops));
    rc_json_set(object, "seconds", rc_json_number((double)summary->end / 1e9));
    rc_json_set(object, "bytes", json_integer((json_int_t)summary->bytes));
    return object;
}

static void report_json(const struct rc_profile *profile)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < profile->set->n_files; i++)
        json_array_append_new(list, file_json(&profile->files[i]));
    rc_json_set(object, "directory", rc_json_text(profile->set->directory));
    rc_json_set(object, "ranks", json_integer(profile->set->ranks));
    rc_json_set(object, "whole", json_boolean(profile->whole));
    rc_json_set(object, "files", list);
    rc_json_set(object, "faults", rc_cmd_trace_faults_json(&profile->faults));
    rc_json_set(object, "notes", rc_cmd_trace_faults_json(&profile->notes));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void print_sentences(const struct rc_faults *faults)
{
    for (size_t i = 0; i < faults->kept; i++)
        printf("%s\n", faults->texts[i]);
    if (faults->n > faults->kept)
        printf("and %llu more\n", (unsigned long long)(faults->n - faults->kept));
}

static void report(const struct rc_profile *profile)
{
    print_files(profile);
    print_sentences(&profile->faults);
    print_sentences(&profile->notes);
    printf("%s\n", profile->whole ? "the recording is whole" : "the recording is not whole");
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct rc_cmd_trace trace;
    bool whole;

    if (rc_cmd_trace_open(&trace, invocation) != 0)
        return RC_EXIT_FAILED;
    (options->json ? report_json : report)(trace.profile);
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
