// SPDX-License-Identifier: GPL-3.0-or-later
/* runs_import.c - 'runcast runs import'. */
#include "cmd/runs/runs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/json.h"
#include "base/timestamp.h"
#include "run/record.h"
#include "db/run_table.h"

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
    json_t *entry;

    if (notes->list && json_array_size(notes->list) < 1000) {
        entry = json_object();
        rc_json_set(entry, "line", json_integer(what->line));
        rc_json_set(entry, "column", json_integer(what->column));
        rc_json_set(entry, "text", rc_json_text(what->text));
        json_array_append_new(notes->list, entry);
    } else if (!notes->list && notes->count < NOTES_MAX) {
        rc_progress_end(&notes->work->progress);
        rc_cmd_note_error(what);
    }
    notes->count++;
}

static json_t *result_json(const char *file, const struct rc_db_run_import *import, json_t *notes)
{
    json_t *object = json_object();

    rc_json_set(object, "file", rc_json_text(file));
    rc_json_set(object, "import",
                import->id && (import->added || import->known) ? json_integer(import->id)
                                                               : json_null());
    rc_json_set(object, "added", json_integer((json_int_t)import->added));
    rc_json_set(object, "skipped", json_integer((json_int_t)import->skipped));
    rc_json_set(object, "known", json_boolean(import->known));
    rc_json_set(object, "notes", notes);
    return object;
}

static json_t *failure_json(const char *file, const struct rc_error *error)
{
    json_t *object = json_object();

    rc_json_set(object, "file", rc_json_text(file));
    rc_json_set(object, "error", rc_json_text(error->text));
    rc_json_set(object, "line", error->line ? json_integer(error->line) : json_null());
    rc_json_set(object, "column", error->column ? json_integer(error->column) : json_null());
    return object;
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

/* Whether the first line that is no remark has the name of a column in it, whatever is between
 * them.  What cannot be read twice is believed. */
static bool names_columns(const char *file)
{
    static const char between[] = ",;|\t\r\n \"";
    struct stat facts;
    char line[4096] = "#";
    bool found = false;
    FILE *in;

    if (stat(file, &facts) || !S_ISREG(facts.st_mode) || !(in = fopen(file, "re")))
        return true;
    while (line[strspn(line, between)] == '#' || !line[strspn(line, between)])
        if (!fgets(line, sizeof line, in))
            break;
    fclose(in);
    for (char *rest = NULL, *name = strtok_r(line, between, &rest); name && !found;
         name = strtok_r(NULL, between, &rest))
        found = rc_db_run_table_column(name) != NULL;
    return found;
}

static void tell_no_table(const char *file, struct rc_error *error)
{
    const struct rc_error fault = *error;

    if (fault.line == 0 || names_columns(file))
        return;
    rc_error_at(error, fault.file, fault.line, fault.column, "this is no table of runs: %.300s",
                fault.text);
    rc_error_hint_of(error, &fault);
    if (!fault.hint[0] && !fault.code)
        rc_error_hint(error, "the first line of a table names the columns, such as "
                             "app,n,p,seconds");
}

static int import_file(struct rc_db *store, struct rc_cmd_work *work, const char *file,
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
    struct rc_error error;
    bool record = rc_run_record_is_file(file);
    int status = record ? rc_run_record_import(store, file, &import, &error)
                        : rc_db_run_import(store, file, &import, &work->monitor, &error);

    if (status && !record)
        tell_no_table(file, &error);
    if (status) {
        rc_progress_end(&work->progress);
        json_decref(notes.list);
        if (options->json)
            json_array_append_new(results, failure_json(file, &error));
        return rc_cmd_fail(&error, "importing %s", file);
    }
    rc_progress_end(&work->progress);
    if (options->json)
        json_array_append_new(results, result_json(file, &import, notes.list));
    else
        print_result(file, &import, notes.count);
    return RC_EXIT_OK;
}

static int run_import(struct rc_invocation *invocation)
{
    const struct import_options *options = invocation->options;
    json_t *results = json_array(), *all;
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
        all = json_object();
        rc_json_set(all, "files", results);
        rc_json_write(stdout, all, true);
        json_decref(all);
    } else {
        json_decref(results);
    }
    return status;
}

const struct rc_command rc_command_runs_import = {
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
        "see 'runcast fit --parts'). Any other numeric column becomes a parameter of the run; a "
        "column of text is left out. An empty field, or NA, is unknown. Suffixes are "
        "understood (1.5h, 01:30:00, 2GiB). Lines that begin with # are remarks.\n\n"
        "A table is imported as a whole or not at all: a bad row is reported with its line and "
        "column and nothing is stored, unless --skip-bad is given. A file whose content was "
        "imported before adds nothing. Equal rows in one file are repeats, and all are kept.\n\n"
        "A file that 'runcast record' saved because it could not write to the store is imported "
        "with "
        "its samples.",
    .examples = "  runcast runs import runs.csv\n"
                "  zcat old.csv.gz | runcast runs import --platform opal -\n",
    .least_arguments = 1,
    .most_arguments = -1,
    .options = import_options,
    .options_size = sizeof(struct import_options),
    .run = run_import,
};
