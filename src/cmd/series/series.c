// SPDX-License-Identifier: GPL-3.0-or-later
/* series.c - 'runcast series': the series of samples in the store. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/series_fields.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "cmd/core/commands.h"
#include "report/cell.h"

enum { NOTES_MAX = 20, LINK_MAX = 600, COLUMNS_MAX = 8 };

/* Of all verbs; each has some of them. */
struct series_options {
    const char *host, *link, *metric, *column, *db;
    double since, until, start;
    bool replace, skip_bad, csv, yes, json;
};

static const struct series_options defaults = {.since = NAN, .until = NAN};

#define OPTION(name_, kind_, member)                                                               \
    .name = name_, .kind = RC_OPTION_##kind_, .offset = offsetof(struct series_options, member)

#define WHICH_OPTIONS                                                                              \
    {OPTION("host", TEXT, host), .argument = "HOST", .help = "the host it belongs to"},            \
        {OPTION("link", TEXT, link), .argument = "FROM:TO",                                        \
         .help = "the link it belongs to, in place of a host"},                                    \
    {                                                                                              \
        OPTION("metric", TEXT, metric),                                                            \
            .argument = "METRIC",                                                                  \
            .help = "what is measured: cpu, memory, bandwidth, or any other name"                  \
    }

#define WINDOW_OPTIONS                                                                             \
    {OPTION("since", SINCE, since), .argument = "TIME",                                            \
     .help = "only samples from TIME on (2026-11-15T09:30, or 2h for two hours ago; UTC)"},        \
    {                                                                                              \
        OPTION("until", SINCE, until), .argument = "TIME", .help = "only samples up to TIME"       \
    }

#define END_OPTIONS                                                                                \
    RC_OPTION_JSON(struct series_options), RC_OPTION_DB(struct series_options), RC_OPTIONS_END

/* The series of --host, --link and --metric.  Splits FROM:TO, or FROM>TO, into `text`, to which `key`
 * then points. */
static int read_key(const struct rc_invocation *invocation, bool required,
                    struct rc_series_key *key, char text[LINK_MAX])
{
    const struct series_options *options = invocation->options;
    char *colon;

    *key = (struct rc_series_key){options->host, options->host ? "" : NULL, options->metric};
    if (options->host && options->link)
        return rc_cmd_usage_text(invocation, "--host and --link exclude one another");
    if (options->link) {
        if (snprintf(text, LINK_MAX, "%s", options->link) >= LINK_MAX ||
            !(colon = strpbrk(text, ":>")) || colon == text || !colon[1])
            return rc_cmd_usage_text(invocation, "--link: '%s' is not FROM:TO", options->link);
        *colon = '\0';
        key->host = text;
        key->peer = colon + 1;
    }
    if (required && (!key->host || !key->metric))
        return rc_cmd_usage_text(invocation, "say which series: --host HOST (or --link FROM:TO) "
                                             "and --metric METRIC");
    return RC_EXIT_OK;
}

/* ---- import ---- */

static const struct rc_option import_options[] = {
    WHICH_OPTIONS,
    {OPTION("column", TEXT, column), .argument = "NAME",
     .help = "the column with the values (default: value)"},
    {OPTION("start", TIME, start), .argument = "TIME",
     .help = "when the table's time 0 was, for times that count from the start of the measurement"},
    {OPTION("replace", FLAG, replace),
     .help = "let the table's values win over those in the store"},
    {OPTION("skip-bad", FLAG, skip_bad),
     .help = "import the good rows of a table that has bad ones, and tell which were skipped"},
    END_OPTIONS,
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
        printf(", %" PRIu64 " there already", import->there_already);
    if (import->skipped)
        printf(", %" PRIu64 " bad row%s skipped", import->skipped,
               rc_cell_plural((long long)import->skipped, "s"));
    putchar('\n');
}

static int run_import(struct rc_invocation *invocation)
{
    const struct series_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_cmd_work work;
    struct notes notes = {&work, 0};
    struct rc_answer_series_import answer = {.file = file,
                                             .import = {.column = options->column,
                                                        .offset = options->start,
                                                        .replace = options->replace,
                                                        .skip_bad = options->skip_bad,
                                                        .note = take_note,
                                                        .note_data = &notes}};
    struct rc_db *db;
    struct rc_error error;
    char text[LINK_MAX];
    int status = read_key(invocation, true, &answer.import.key, text);

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
            rc_cmd_note("and %" PRIu64 " more like these", notes.count - NOTES_MAX);
        if (options->json)
            rc_cmd_print_json(rc_field_json(rc_answer_series_import, &answer));
        else
            print_imported(&answer);
    }
    return status;
}

static const struct rc_command command_import = {
    .name = "import",
    .summary = "Add the samples of a CSV table to a series",
    .arguments = "FILE.csv|-",
    .details = "The table has a column t (seconds since 1970, a date and time, or, with --start, "
               "seconds from the start of the measurement) and a column value. Samples that are "
               "there already are passed over; a sample that contradicts the store is an error, "
               "unless --replace is given. The table is imported as a whole or not at all.",
    .examples = "  runcast series import load.csv --host a001 --metric cpu\n"
                "  runcast series import bw.csv --link a1:a2 --metric bw --start 2026-11-15\n",
    .least_arguments = 1,
    .most_arguments = 1,
    .options = import_options,
    .options_size = sizeof(struct series_options),
    .run = run_import,
};

/* ---- list ---- */

static const struct rc_option list_options[] = {WHICH_OPTIONS, END_OPTIONS};

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
    const struct series_options *options = invocation->options;
    struct rc_column columns[COLUMNS_MAX];
    struct listing listing = {.table = NULL};
    struct rc_series_key key;
    struct rc_db *db;
    struct rc_error error = {0};
    char text[LINK_MAX];
    int status = read_key(invocation, false, &key, text);

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
    .summary = "List the series in the store",
    .options = list_options,
    .options_size = sizeof(struct series_options),
    .run = run_list,
};

/* ---- export ---- */

static const struct rc_option export_options[] = {
    WHICH_OPTIONS,
    WINDOW_OPTIONS,
    {OPTION("csv", FLAG, csv),
     .help = "write CSV, as 'runcast series import' reads it (the default)"},
    END_OPTIONS,
};

/* What is written opens with the first sample, so that a series that is not there leaves nothing on
 * standard output. */
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
    json_t *pair;

    export_begin(exporting);
    if (exporting->json) {
        pair = json_array();
        json_array_append_new(pair, rc_json_number(sample->t));
        json_array_append_new(pair, rc_json_number(sample->value));
        return rc_json_stream_add(&exporting->stream, pair);
    }
    length = rc_number_format(sample->t, text);
    text[length++] = ',';
    length += rc_number_format(sample->value, text + length);
    text[length++] = '\n';
    return fwrite(text, 1, length, stdout) == length ? 0 : 1;
}

static int run_export(struct rc_invocation *invocation)
{
    const struct series_options *options = invocation->options;
    struct exporting exporting = {.json = options->json};
    struct rc_series_key key;
    struct rc_db *db;
    struct rc_error error = {.text = "out of memory"};
    char text[LINK_MAX];
    int status = read_key(invocation, true, &key, text);

    if (status)
        return status;
    if (options->csv && options->json)
        return rc_cmd_usage_text(invocation, "--csv and --json exclude one another");
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
    .summary = "Write the samples of a series to standard output, with all digits",
    .examples = "  runcast series export --host a001 --metric cpu --since 1h\n",
    .options = export_options,
    .options_size = sizeof(struct series_options),
    .defaults = &defaults,
    .run = run_export,
};

/* ---- delete ---- */

static const struct rc_option delete_options[] = {
    WHICH_OPTIONS,
    WINDOW_OPTIONS,
    {OPTION("yes", FLAG, yes), .letter = 'y', .help = "do not ask, even on a terminal"},
    END_OPTIONS,
};

static int run_delete(struct rc_invocation *invocation)
{
    const struct series_options *options = invocation->options;
    struct rc_series_key key;
    struct rc_cmd_work work;
    struct rc_db *db;
    struct rc_error error;
    uint64_t deleted = 0;
    char text[LINK_MAX];
    int status = read_key(invocation, true, &key, text);

    if (status)
        return status;
    if (!options->yes && !rc_cmd_confirm("delete these samples for good?")) {
        rc_cmd_note("nothing was deleted");
        return RC_EXIT_FAILED;
    }
    rc_cmd_work_begin(&work, "deleting");
    db = rc_cmd_open_db(options->db, RC_DB_WRITE, &work);
    if (!db)
        status = RC_EXIT_FAILED;
    else if (rc_db_series_delete(db, &key, options->since, options->until, &deleted, &error))
        status = rc_cmd_fail(&error, "deleting samples");
    else if (options->json)
        printf("{\"deleted\": %" PRIu64 "}\n", deleted);
    else
        printf("%" PRIu64 " sample%s deleted\n", deleted, deleted == 1 ? "" : "s");
    rc_db_close(db);
    rc_cmd_work_end(&work);
    return status;
}

static const struct rc_command command_delete = {
    .name = "delete",
    .summary = "Delete samples of a series, or all of it",
    .options = delete_options,
    .options_size = sizeof(struct series_options),
    .defaults = &defaults,
    .run = run_delete,
};

static const struct rc_command *const verbs[] = {&command_import, &command_list, &command_export,
                                                 &command_delete, NULL};

const struct rc_command rc_command_series = {
    .name = "series",
    .summary = "Import, list, export and delete measured series of load",
    .details = "A series is what one sensor measured over time: a metric (cpu, bandwidth, ...) of "
               "a host, or of a link between two hosts.",
    .children = verbs,
};
