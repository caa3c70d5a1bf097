// SPDX-License-Identifier: GPL-3.0-or-later
/* trace_check.c - 'runcast trace check': whether a recording is whole, and what can be read. */
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "base/table.h"
#include "cmd/trace.h"

struct check_options {
    bool json;
};

static const struct rc_option check_options[] = {
    RC_OPTION_JSON(struct check_options),
    RC_OPTIONS_END,
};

/* What was found in one file. */
struct finding {
    const struct rc_recording_file *file;
    struct rc_trace_summary summary;
    struct rc_error error; /* text "": nothing is wrong */
};

static void look_at(struct finding *finding, const struct rc_recording_file *file)
{
    finding->file = file;
    rc_trace_check(file->path, &finding->summary, &finding->error);
}

static void print_findings(const struct finding *findings, size_t n)
{
    static const struct rc_column columns[] = {{.title = "file"},
                                               {.title = "calls", .right = true},
                                               {.title = "missing", .right = true},
                                               {.title = "seconds", .right = true},
                                               {.title = "bytes", .right = true},
                                               {.title = "state", .wrap = true}};
    struct rc_table *table =
        rc_table_create(stdout, columns, sizeof columns / sizeof *columns, rc_cmd_width());

    for (size_t i = 0; table && i < n; i++) {
        const struct rc_trace_summary *summary = &findings[i].summary;

        rc_table_text(table, rc_cmd_trace_name(findings[i].file));
        rc_table_integer(table, (long long)summary->calls);
        rc_table_integer(table, (long long)summary->lost);
        rc_table_number(table, (double)summary->end / 1e9);
        rc_table_integer(table, (long long)summary->bytes);
        rc_table_text(table, findings[i].error.text[0] ? findings[i].error.text : "whole");
    }
    rc_table_finish(table);
}

static json_t *finding_json(const struct finding *finding)
{
    const struct rc_trace_summary *summary = &finding->summary;
    const char *text = finding->error.text;
    json_t *object = json_object();

    rc_json_set(object, "file", rc_json_text(rc_cmd_trace_name(finding->file)));
    rc_json_set(object, "rank", json_integer(finding->file->rank));
    rc_json_set(object, "thread", json_integer(finding->file->thread));
    rc_json_set(object, "whole", json_boolean(!text[0]));
    rc_json_set(object, "problem", text[0] ? rc_json_text(text) : json_null());
    rc_json_set(object, "calls", json_integer((json_int_t)summary->calls));
    rc_json_set(object, "missing", json_integer((json_int_t)summary->lost));
    rc_json_set(object, "positions", json_integer((json_int_t)summary->positions));
    rc_json_set(object, "loops", json_integer((json_int_t)summary->loops));
    rc_json_set(object, "seconds", rc_json_number((double)summary->end / 1e9));
    rc_json_set(object, "bytes", json_integer((json_int_t)summary->bytes));
    return object;
}

static void report_json(const struct rc_recording *recording, const struct finding *findings,
                        bool whole)
{
    json_t *object = json_object(), *list = json_array();

    for (size_t i = 0; i < recording->n_files; i++)
        json_array_append_new(list, finding_json(&findings[i]));
    rc_json_set(object, "directory", rc_json_text(recording->directory));
    rc_json_set(object, "ranks", json_integer(recording->ranks));
    rc_json_set(object, "whole", json_boolean(whole));
    rc_json_set(object, "files", list);
    rc_json_set(object, "faults", rc_cmd_trace_faults_json(&recording->faults));
    rc_json_write(stdout, object, true);
    json_decref(object);
}

static void report(const struct rc_recording *recording, const struct finding *findings, bool whole)
{
    const struct rc_faults *faults = &recording->faults;

    print_findings(findings, recording->n_files);
    for (size_t i = 0; i < faults->kept; i++)
        printf("%s\n", faults->texts[i]);
    if (faults->n > faults->kept)
        printf("and %llu more\n", (unsigned long long)(faults->n - faults->kept));
    printf("%s\n", whole ? "The recording is whole." : "The recording is not whole.");
}

static int run_check(struct rc_invocation *invocation)
{
    const struct check_options *options = invocation->options;
    struct rc_error error = {0};
    struct rc_recording *recording = rc_recording_open(invocation->arguments[0], &error);
    struct finding *findings = recording ? calloc(recording->n_files, sizeof *findings) : NULL;
    bool whole;

    if (recording && !findings)
        rc_error_no_memory(&error);
    if (!findings) {
        rc_recording_close(recording);
        return rc_cmd_fail(&error, "%s", invocation->path);
    }
    whole = recording->faults.n == 0;
    for (size_t i = 0; i < recording->n_files; i++) {
        look_at(&findings[i], &recording->files[i]);
        whole &= !findings[i].error.text[0];
    }
    (options->json ? report_json : report)(recording, findings, whole);
    free(findings);
    rc_recording_close(recording);
    return whole ? RC_EXIT_OK : RC_EXIT_FAILED;
}

const struct rc_command rc_command_trace_check = {
    .name = "check",
    .summary = "Tell whether a recording is whole, and what can be read of it",
    .arguments = "DIR",
    .details = "Each file of the directory gets a line: how many calls can be read, how many are "
               "known to be missing, and what is wrong. The exit status is 1 where anything is.",
    .examples = "  runcast trace check DIR          # is it whole?\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = check_options,
    .options_size = sizeof(struct check_options),
    .run = run_check,
};
