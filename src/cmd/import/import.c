// SPDX-License-Identifier: GPL-3.0-or-later
/* import.c - 'runcast import'. */
#include "cmd/core/commands.h"

#include <inttypes.h>

#include "answer/runs_fields.h"
#include "base/timestamp.h"
#include "run/record.h"

enum { NOTES_MAX = 20 };

struct import_options {
    const char *db, *app, *platform;
    bool skip_bad, json;
};

static const struct rc_option import_options[] = {
    {RC_OPTION_OF(struct import_options, FLAG, skip_bad), .name = "skip-bad",
     .help = "import the good rows of a table that has bad ones, and tell which were skipped"},
    {RC_OPTION_OF(struct import_options, TEXT, app), .name = "app", .argument = "NAME",
     .help = "the app, for a table that has no such column"},
    {RC_OPTION_OF(struct import_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "the platform of rows that name none"},
    RC_OPTION_JSON(struct import_options),
    RC_OPTION_DB(struct import_options),
    RC_OPTIONS_END,
};

/* Remarks of one file: shown at once for people, kept for programs. */
struct notes {
    struct rc_cmd_work *work;
    json_t *list; /* NULL: for people */
    uint64_t count;
};

static void take_note(void *data, const struct rc_error *what)
{
    struct notes *notes = data;

    if (notes->list && json_array_size(notes->list) < 1000) {
        json_array_append_new(notes->list, rc_field_json(rc_answer_import_note, what));
    } else if (!notes->list && notes->count < NOTES_MAX) {
        rc_progress_end(&notes->work->progress);
        rc_cmd_note_error(what);
    }
    notes->count++;
}

static void print_result(const char *file, const struct rc_db_run_import *import, uint64_t notes)
{
    char when[RC_TIME_SIZE];

    if (notes > NOTES_MAX)
        rc_cmd_note("and %" PRIu64 " more like these", notes - NOTES_MAX);
    if (!import->known) {
        printf("%s: %" PRIu64 " run%s added", file, import->added, import->added == 1 ? "" : "s");
        if (import->skipped)
            printf(", %" PRIu64 " bad row%s skipped", import->skipped,
                   import->skipped == 1 ? "" : "s");
        if (import->added)
            printf(" (import %" PRId64 ")", import->id);
        putchar('\n');
        fflush(stdout); /* the next file may take long */
        if (import->skipped && import->added)
            rc_cmd_note("before you import the file again with these rows mended: 'runcast runs "
                        "delete --import %" PRId64 "'",
                        import->id);
        return;
    }
    rc_timestamp_format((double)(int64_t)import->known_since, when);
    printf("%s: nothing added: the same content was imported before (import %" PRId64 ", %s)\n",
           file, import->id, when);
    if (import->deleted)
        rc_cmd_note("%" PRIu64 " of its runs %s deleted since; 'runcast runs delete --import "
                    "%" PRId64 "' deletes the others, after which it can be imported again",
                    import->deleted, import->deleted == 1 ? "was" : "were", import->id);
}

static int import_file(struct rc_db *db, struct rc_cmd_work *work, const char *file,
                       const struct import_options *options, json_t *results)
{
    struct notes notes = {work, options->json ? json_array() : NULL, 0};
    struct rc_db_run_import import = {
        .app = options->app,
        .platform = options->platform,
        .skip_bad = options->skip_bad,
        .note = take_note,
        .note_data = &notes,
    };
    struct rc_answer_import_failure failure = {.file = file};
    struct rc_answer_import result = {.file = file, .notes = notes.list};
    json_t *answer;
    int status = rc_run_record_is_file(file)
                     ? rc_run_record_import(db, file, &import, &failure.error)
                     : rc_db_run_import(db, file, &import, &work->monitor, &failure.error);

    rc_progress_end(&work->progress);
    result.import = import.added || import.known ? import.id : 0;
    result.added = import.added;
    result.skipped = import.skipped;
    result.known = import.known;
    if (options->json) {
        answer = status ? rc_field_json(rc_answer_import_failure, &failure)
                        : rc_field_json(rc_answer_import, &result);
        json_array_append_new(results, answer);
    }
    json_decref(notes.list);
    if (status)
        return rc_cmd_fail(&failure.error, "importing %s", file);
    if (!options->json)
        print_result(file, &import, notes.count);
    return RC_EXIT_OK;
}

static int run_import(struct rc_invocation *invocation)
{
    const struct import_options *options = invocation->options;
    json_t *results = json_array();
    struct rc_cmd_work work;
    struct rc_db *store;
    char label[60];
    int status = RC_EXIT_OK;

    rc_cmd_work_begin(&work, "importing");
    store = rc_cmd_open_db(options->db, RC_DB_CREATE, &work);
    if (!store)
        status = RC_EXIT_FAILED;
    for (int i = 0; store && i < invocation->n_arguments && !rc_cmd_interrupted(); i++) {
        snprintf(label, sizeof label, "importing %s", invocation->arguments[i]);
        rc_progress_begin(&work.progress, stderr, rc_clock_system(), label);
        if (import_file(store, &work, invocation->arguments[i], options, results))
            status = RC_EXIT_FAILED;
    }
    rc_db_close(store);
    rc_cmd_work_end(&work);
    if (options->json && store) {
        rc_cmd_print_json(json_pack("{s:o}", "files", results));
    } else {
        json_decref(results);
    }
    return status;
}

const struct rc_command rc_command_import = {
    .name = "import",
    .summary = "Add the runs of a CSV table to the store",
    .arguments = "FILE.csv|RECORD.json|-...",
    .details =
        "The first line names the columns, in any order. Required: app, n (problem size), p "
        "(processes), seconds. Known: platform, hosts, start (when: 2026-11-15T09:30:00Z or "
        "seconds since 1970), memory (bytes of one process), cpu_minavg and cpu_avgmin "
        "(availability of CPU, a fraction of 1), bw_minavg and bw_avgmin (available bandwidth, in "
        "any one unit), bytes_read, bytes_written, status (ok, failed, interrupted, or a final "
        "state of Slurm's). cpu and bw alone mean cpu_minavg and bw_minavg. Times of "
        "parts of a run: time:PHASE, time:PHASE:PROCESS, time::PROCESS (processes count from 0; "
        "see 'runcast fit --phases'). Any other numeric column becomes a parameter of the run; a "
        "column of text is left out. An empty field, or NA, is unknown. Suffixes are "
        "understood (1.5h, 01:30:00, 2GiB). Lines that begin with # are remarks.\n\n"
        "A table is imported as a whole or not at all: a bad row is reported with its line and "
        "column and nothing is stored, unless --skip-bad is given. A file whose content was "
        "imported before adds nothing. Equal rows in one file are repeats, and all are kept.\n\n"
        "A file that 'runcast record' saved because it could not write to the store is imported "
        "with "
        "its samples.",
    .examples = "  runcast import runs.csv\n"
                "  zcat old.csv.gz | runcast import --platform opal -\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = import_options,
    .options_size = sizeof(struct import_options),
    .run = run_import,
};
