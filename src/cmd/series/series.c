// SPDX-License-Identifier: GPL-3.0-or-later
/* series.c - 'runcast series': measured series in the database. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/series_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "cmd/core/commands.h"
#include "cmd/series/series.h"
#include "report/cell.h"

enum { NOTES_MAX = 20, COLUMNS_MAX = 8 };

static const struct rc_cmd_series_options defaults = {.since = NAN, .until = NAN};

int rc_cmd_series_key(const struct rc_invocation *invocation, bool required,
                      struct rc_series_key *key, char text[RC_CMD_LINK_MAX])
{
    const struct rc_cmd_series_options *options = invocation->options;
    char *colon;

    *key = (struct rc_series_key){options->host, options->host ? "" : NULL, options->metric};
    if (options->host && options->link)
        return rc_cmd_usage_text(invocation, "--host excludes --link");
    if (options->link) {
        if (snprintf(text, RC_CMD_LINK_MAX, "%s", options->link) >= RC_CMD_LINK_MAX ||
            !(colon = strpbrk(text, ":>")) || colon == text || !colon[1])
            return rc_cmd_usage_text(invocation, "--link: '%s' is not FROM:TO", options->link);
        *colon = '\0';
        key->host = text;
        key->peer = colon + 1;
    }
    if (required && (!key->host || !key->metric))
        return rc_cmd_usage_text(invocation,
                                 "no series chosen; use --metric METRIC, and --host HOST or "
                                 "--link FROM:TO");
    return RC_EXIT_OK;
}

/* ---- import ---- */

static const struct rc_option import_options[] = {
    RC_OPTIONS_SERIES,
    {RC_OPTION_SERIES("column", TEXT, column), .argument = "NAME",
     .help = "column with the values (default: value)"},
    {RC_OPTION_SERIES("time-origin", TIME, time_origin), .argument = "TIME",
     .help = "date of time 0 of the table, for times counted from the start of a measurement"},
    {RC_OPTION_SERIES("replace", FLAG, replace), .help = "replace samples already in the database"},
    {RC_OPTION_SERIES("skip-bad", FLAG, skip_bad),
     .help = "import the valid rows and list the others"},
    RC_OPTIONS_SERIES_END,
};

struct notes {
    struct rc_cmd_work *work;
    uint64_t count;
};

static void take_note(void *data, const struct rc_error *what)
{
    struct notes *notes = data;

    if (notes->count++ < NOTES_MAX) {
        rc_progress_end(&notes->work->progress);
        rc_cmd_note_error(what);
    }
}

static void print_imported(const struct rc_answer_series_import *answer)
{
    const struct rc_db_series_import *import = &answer->import;

    printf("%s: %" PRIu64 " sample%s added", answer->file, import->added,
           rc_cell_plural((long long)import->added, "s"));
    if (import->there_already)
        printf(", %" PRIu64 " already stored", import->there_already);
    if (import->skipped)
        printf(", %" PRIu64 " bad row%s skipped", import->skipped,
               rc_cell_plural((long long)import->skipped, "s"));
    putchar('\n');
}

static int run_import(struct rc_invocation *invocation)
{
    const struct rc_cmd_series_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_cmd_work work;
    struct notes notes = {&work, 0};
    struct rc_answer_series_import answer = {.file = file,
                                             .import = {.column = options->column,
                                                        .offset = options->time_origin,
                                                        .replace = options->replace,
                                                        .skip_bad = options->skip_bad,
                                                        .note = take_note,
                                                        .note_data = &notes}};
    struct rc_db *db;
    struct rc_error error;
    char text[RC_CMD_LINK_MAX];
    int status = rc_cmd_series_key(invocation, true, &answer.import.key, text);

    if (status)
        return status;
    rc_cmd_work_begin(&work, "importing");
    db = rc_cmd_open_db(options->db, RC_DB_CREATE, &work);
    if (!db || rc_db_series_import(db, file, &answer.import, &work.monitor, &error))
        status = db ? RC_EXIT_USAGE : RC_EXIT_FAILED;
    rc_db_close(db);
    rc_cmd_work_end(&work);
    if (status == RC_EXIT_USAGE)
        return rc_cmd_fail(&error, "importing %s", file);
    if (status == RC_EXIT_OK) {
        if (notes.count > NOTES_MAX)
            rc_cmd_note("%" PRIu64 " more notes of this kind", notes.count - NOTES_MAX);
        if (options->json) {
            answer.notes = rc_cmd_notes_json();
            rc_cmd_print_json(rc_field_json(rc_answer_series_import, &answer));
            json_decref(answer.notes);
        } else {
            print_imported(&answer);
        }
    }
    return status;
}

static const struct rc_command command_import = {
    .name = "import",
    .summary = "Import a table of samples into a series",
    .arguments = "FILE.csv|-",
    .details = "The table is a CSV file with columns t and value. t is a date and time, or seconds "
               "since 1970; with --time-origin, seconds since that time. Samples that the database "
               "already has are skipped. A different value for a stored time is an error; "
               "--replace replaces the stored one. The table is imported completely or not at "
               "all.",
    .examples = "  runcast series import load.csv --host a001 --metric cpu\n"
                "  runcast series import bw.csv --link a1:a2 --metric bandwidth --column mbit\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = import_options,
    .options_size = sizeof(struct rc_cmd_series_options),
    .answers = {rc_answer_series_import},
    .run = run_import,
};

/* ---- list ---- */

static const struct rc_option list_options[] = {RC_OPTIONS_SERIES, RC_OPTIONS_SERIES_END};

struct listing {
    struct rc_table *table; /* NULL: JSON */
    struct rc_json_stream stream;
};

static int list_one(void *data, const struct rc_series_info *info)
{
    struct listing *listing = data;

    if (!listing->table)
        return rc_json_stream_add(&listing->stream, rc_field_json(rc_answer_series, info));
    rc_field_row(listing->table, rc_answer_series, info);
    return 0;
}

static int run_list(struct rc_invocation *invocation)
{
    const struct rc_cmd_series_options *options = invocation->options;
    struct rc_column columns[COLUMNS_MAX];
    struct listing listing = {.table = NULL};
    struct rc_series_key key;
    struct rc_db *db;
    struct rc_error error = {0};
    char text[RC_CMD_LINK_MAX];
    int status = rc_cmd_series_key(invocation, false, &key, text);

    if (status)
        return status;
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    if (options->json)
        rc_json_stream_begin(&listing.stream, stdout, rc_cmd_schema(), "series");
    else
        listing.table = rc_table_create(stdout, columns,
                                        rc_field_columns(rc_answer_series, columns, COLUMNS_MAX),
                                        rc_cmd_width());
    if (!options->json && !listing.table)
        status = rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "listing the series");
    else if (rc_db_series_list(db, &key, list_one, &listing, &error))
        status = rc_cmd_fail(&error, "listing the series");
    if (options->json)
        rc_json_stream_end(&listing.stream);
    else if (listing.table)
        rc_table_finish(listing.table);
    rc_db_close(db);
    return status;
}

static const struct rc_command command_list = {
    .name = "list",
    .summary = "List series",
    .details = "Lists host or link, metric, number of samples, and the times of the first and the "
               "last sample.",
    .examples = "  runcast series list --metric cpu\n",
    .options = list_options,
    .options_size = sizeof(struct rc_cmd_series_options),
    .rows = rc_answer_series,
    .rows_key = "series",
    .run = run_list,
};

/* ---- export ---- */

static const struct rc_option export_options[] = {
    RC_OPTIONS_SERIES,
    RC_OPTIONS_SERIES_WINDOW,
    {RC_OPTION_SERIES("csv", FLAG, csv),
     .help = "write CSV that 'runcast series import' reads (the default)"},
    RC_OPTIONS_SERIES_END,
};

/* Output begins with the first sample: without a series, standard output stays empty. */
struct exporting {
    bool json, begun;
    struct rc_json_stream stream;
};

static void export_begin(struct exporting *exporting)
{
    if (exporting->begun)
        return;
    exporting->begun = true;
    if (exporting->json)
        rc_json_stream_begin(&exporting->stream, stdout, rc_cmd_schema(), "samples");
    else
        fputs("t,value\n", stdout);
}

static int export_sample(void *data, const struct rc_sample *sample)
{
    struct exporting *exporting = data;
    char text[2 * RC_NUMBER_SIZE + 2];
    size_t length;

    export_begin(exporting);
    if (exporting->json)
        return rc_json_stream_add(&exporting->stream, rc_field_json(rc_answer_sample, sample));
    length = rc_number_format(sample->t, text);
    text[length++] = ',';
    length += rc_number_format(sample->value, text + length);
    text[length++] = '\n';
    return fwrite(text, 1, length, stdout) == length ? 0 : 1;
}

static int run_export(struct rc_invocation *invocation)
{
    const struct rc_cmd_series_options *options = invocation->options;
    struct exporting exporting = {.json = options->json};
    struct rc_series_key key;
    struct rc_db *db;
    struct rc_error error = {.text = "out of memory"};
    char text[RC_CMD_LINK_MAX];
    int status = rc_cmd_series_key(invocation, true, &key, text);

    if (status)
        return status;
    if (options->csv && options->json)
        return rc_cmd_usage_text(invocation, "--csv excludes --json");
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    if (rc_db_series_window(db, &key, options->since, options->until, export_sample, &exporting,
                            &error) < 0) {
        status = rc_cmd_fail(&error, "exporting the series");
    } else {
        export_begin(&exporting);
        if (options->json)
            rc_json_stream_end(&exporting.stream);
    }
    rc_db_close(db);
    return status;
}

static const struct rc_command command_export = {
    .name = "export",
    .summary = "Export a series",
    .details = "Writes the samples to standard output, with all digits.",
    .examples = "  runcast series export --host a001 --metric cpu --since 1h\n",
    .options = export_options,
    .options_size = sizeof(struct rc_cmd_series_options),
    .defaults = &defaults,
    .rows = rc_answer_sample,
    .rows_key = "samples",
    .run = run_export,
};

/* ---- delete ---- */

static const struct rc_option delete_options[] = {
    RC_OPTIONS_SERIES,
    RC_OPTIONS_SERIES_WINDOW,
    {RC_OPTION_SERIES("yes", FLAG, yes), .letter = 'y', .help = "do not ask for confirmation"},
    RC_OPTIONS_SERIES_END,
};

static int run_delete(struct rc_invocation *invocation)
{
    const struct rc_cmd_series_options *options = invocation->options;
    struct rc_series_key key;
    struct rc_cmd_work work;
    struct rc_db *db;
    struct rc_error error;
    struct rc_answer_series_deletion answer = {0};
    char text[RC_CMD_LINK_MAX];
    int status = rc_cmd_series_key(invocation, true, &key, text);

    if (status)
        return status;
    if (!options->yes && !rc_cmd_confirm("delete these samples permanently?")) {
        rc_cmd_note("nothing deleted");
        return RC_EXIT_FAILED;
    }
    rc_cmd_work_begin(&work, "deleting");
    db = rc_cmd_open_db(options->db, RC_DB_WRITE, &work);
    if (!db)
        status = RC_EXIT_FAILED;
    else if (rc_db_series_delete(db, &key, options->since, options->until, &answer.deleted, &error))
        status = rc_cmd_fail(&error, "deleting samples");
    else if (options->json)
        rc_cmd_print_json(rc_field_json(rc_answer_series_deletion, &answer));
    else
        printf("%" PRIu64 " sample%s deleted\n", answer.deleted, answer.deleted == 1 ? "" : "s");
    rc_db_close(db);
    rc_cmd_work_end(&work);
    return status;
}

static const struct rc_command command_delete = {
    .name = "delete",
    .summary = "Delete a series, or some of its samples",
    .details = "Deletes all samples of the series, or those between --since and --until. On a "
               "terminal, it asks for confirmation.",
    .examples = "  runcast series delete --host a001 --metric cpu --until 30d\n",
    .options = delete_options,
    .options_size = sizeof(struct rc_cmd_series_options),
    .defaults = &defaults,
    .answers = {rc_answer_series_deletion},
    .run = run_delete,
};

static const struct rc_command *const verbs[] = {&command_import, &command_list,
                                                 &command_export, &rc_command_series_describe,
                                                 &command_delete, NULL};

const struct rc_command rc_command_series = {
    .name = "series",
    .summary = "Import, list, describe, export and delete measured series",
    .details = "A series has the samples of one metric (cpu, memory, bandwidth, ...) of a host, or "
               "of a link between two hosts. 'runcast monitor', 'runcast record' and 'runcast "
               "series import' add samples.",
    .children = verbs,
};
