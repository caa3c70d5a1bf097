// SPDX-License-Identifier: GPL-3.0-or-later
/* series.c - 'runcast series': the series of samples in the store. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "report/table.h"
#include "base/timestamp.h"
#include "cmd/core/commands.h"

enum { NOTES_MAX = 20, LINK_MAX = 600 };

/* The options that say which series is meant. */
struct which {
    const char *host, *link, *metric;
};

#define WHICH_OPTIONS(type)                                                                        \
    {.name = "host",                                                                               \
     .kind = RC_OPTION_TEXT,                                                                       \
     .argument = "HOST",                                                                           \
     .help = "the host it belongs to",                                                             \
     .offset = offsetof(type, which.host)},                                                        \
        {.name = "link",                                                                           \
         .kind = RC_OPTION_TEXT,                                                                   \
         .argument = "FROM:TO",                                                                    \
         .help = "the link it belongs to, in place of a host",                                     \
         .offset = offsetof(type, which.link)},                                                    \
    {                                                                                              \
        .name = "metric", .kind = RC_OPTION_TEXT, .argument = "METRIC",                            \
        .help = "what is measured: cpu, memory, bandwidth, or any other name",                     \
        .offset = offsetof(type, which.metric)                                                     \
    }

struct window {
    double since, until;
};

#define WINDOW_OPTIONS(type)                                                                       \
    {.name = "since",                                                                              \
     .kind = RC_OPTION_SINCE,                                                                      \
     .argument = "TIME",                                                                           \
     .help = "only samples from TIME on (2026-11-15T09:30, or 2h for two hours ago; UTC)",         \
     .offset = offsetof(type, window.since)},                                                      \
    {                                                                                              \
        .name = "until", .kind = RC_OPTION_SINCE, .argument = "TIME",                              \
        .help = "only samples up to TIME", .offset = offsetof(type, window.until)                  \
    }

/* Splits FROM:TO, or FROM>TO, into `text`, to which `key` then points. */
static int read_which(const struct rc_invocation *invocation, const struct which *which,
                      bool required, struct rc_series_key *key, char text[LINK_MAX])
{
    char *colon;

    *key = (struct rc_series_key){which->host, which->host ? "" : NULL, which->metric};
    if (which->host && which->link)
        return rc_cmd_usage_text(invocation, "--host and --link exclude one another");
    if (which->link) {
        if (snprintf(text, LINK_MAX, "%s", which->link) >= LINK_MAX ||
            !(colon = strpbrk(text, ":>")) || colon == text || !colon[1])
            return rc_cmd_usage_text(invocation, "--link: '%s' is not FROM:TO", which->link);
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

struct import_options {
    struct which which;
    const char *db, *column;
    double start;
    bool replace, skip_bad, json;
};

static const struct rc_option import_options[] = {
    WHICH_OPTIONS(struct import_options),
    {.name = "column",
     .kind = RC_OPTION_TEXT,
     .argument = "NAME",
     .help = "the column with the values (default: value)",
     .offset = offsetof(struct import_options, column)},
    {.name = "start",
     .kind = RC_OPTION_TIME,
     .argument = "TIME",
     .help = "when the table's time 0 was, for times that count from the start of the measurement",
     .offset = offsetof(struct import_options, start)},
    {.name = "replace",
     .kind = RC_OPTION_FLAG,
     .help = "let the table's values win over those in the store",
     .offset = offsetof(struct import_options, replace)},
    {.name = "skip-bad",
     .kind = RC_OPTION_FLAG,
     .help = "import the good rows of a table that has bad ones, and tell which were skipped",
     .offset = offsetof(struct import_options, skip_bad)},
    RC_OPTION_JSON(struct import_options),
    RC_OPTION_DB(struct import_options),
    RC_OPTIONS_END,
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

static void print_imported(const char *file, const struct rc_db_series_import *import, bool as_json)
{
    json_t *object;

    if (as_json) {
        object = json_object();
        rc_json_set(object, "file", rc_json_text(file));
        rc_json_set(object, "added", json_integer((json_int_t)import->added));
        rc_json_set(object, "there_already", json_integer((json_int_t)import->there_already));
        rc_json_set(object, "skipped", json_integer((json_int_t)import->skipped));
        rc_json_write(stdout, object, true);
        json_decref(object);
        return;
    }
    printf("%s: %" PRIu64 " sample%s added", file, import->added, import->added == 1 ? "" : "s");
    if (import->there_already)
        printf(", %" PRIu64 " there already", import->there_already);
    if (import->skipped)
        printf(", %" PRIu64 " bad row%s skipped", import->skipped, import->skipped == 1 ? "" : "s");
    putchar('\n');
}

static int run_import(struct rc_invocation *invocation)
{
    const struct import_options *options = invocation->options;
    const char *file = invocation->arguments[0];
    struct rc_cmd_work work;
    struct notes notes = {&work, 0};
    struct rc_db_series_import import = {
        .column = options->column,
        .offset = options->start,
        .replace = options->replace,
        .skip_bad = options->skip_bad,
        .note = take_note,
        .note_data = &notes,
    };
    struct rc_db *store;
    struct rc_error error;
    char text[LINK_MAX];
    int status = read_which(invocation, &options->which, true, &import.key, text);

    if (status)
        return status;
    rc_cmd_work_begin(&work, "importing");
    store = rc_cmd_open_db(options->db, RC_DB_CREATE, &work);
    if (!store || rc_db_series_import(store, file, &import, &work.monitor, &error))
        status = store ? RC_EXIT_USAGE : RC_EXIT_FAILED;
    rc_db_close(store);
    rc_cmd_work_end(&work);
    if (status == RC_EXIT_USAGE)
        return rc_cmd_fail(&error, "importing %s", file);
    if (status == RC_EXIT_OK) {
        if (notes.count > NOTES_MAX)
            rc_cmd_note("and %" PRIu64 " more like these", notes.count - NOTES_MAX);
        print_imported(file, &import, options->json);
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
    .options_size = sizeof(struct import_options),
    .run = run_import,
};

/* ---- list ---- */

struct list_options {
    struct which which;
    const char *db;
    bool json;
};

static const struct rc_option list_options[] = {
    WHICH_OPTIONS(struct list_options),
    RC_OPTION_JSON(struct list_options),
    RC_OPTION_DB(struct list_options),
    RC_OPTIONS_END,
};

static const struct rc_column list_columns[] = {
    {.title = "host or link"}, {.title = "metric"}, {.title = "samples", .right = true},
    {.title = "first"},        {.title = "last"},
};

struct listing {
    struct rc_table *table; /* NULL: JSON */
    struct rc_json_stream stream;
};

static int list_one(void *data, const struct rc_series_info *info)
{
    struct listing *listing = data;
    char name[LINK_MAX], when[RC_TIME_SIZE];
    json_t *object;

    if (!listing->table) {
        object = json_object();
        rc_json_set(object, "host", rc_json_text(info->key.host));
        rc_json_set(object, "peer", *info->key.peer ? rc_json_text(info->key.peer) : json_null());
        rc_json_set(object, "metric", rc_json_text(info->key.metric));
        rc_json_set(object, "samples", json_integer((json_int_t)info->samples));
        rc_json_set(object, "first", rc_json_number(info->first));
        rc_json_set(object, "last", rc_json_number(info->last));
        return rc_json_stream_add(&listing->stream, object);
    }
    snprintf(name, sizeof name, "%s%s%s", info->key.host, *info->key.peer ? ":" : "",
             info->key.peer);
    rc_table_text(listing->table, name);
    rc_table_text(listing->table, info->key.metric);
    rc_table_integer(listing->table, (long long)info->samples);
    rc_table_cell(listing->table, when, rc_timestamp_format(info->first, when));
    rc_table_cell(listing->table, when, rc_timestamp_format(info->last, when));
    return 0;
}

static int run_list(struct rc_invocation *invocation)
{
    const struct list_options *options = invocation->options;
    struct listing listing = {.table = NULL};
    struct rc_series_key key;
    struct rc_db *store;
    struct rc_error error = {0};
    char text[LINK_MAX];
    int status = read_which(invocation, &options->which, false, &key, text);

    if (status)
        return status;
    store = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!store)
        return RC_EXIT_FAILED;
    if (options->json)
        rc_json_stream_begin(&listing.stream, stdout, "series");
    else
        listing.table = rc_table_create(stdout, list_columns,
                                        sizeof list_columns / sizeof *list_columns, rc_cmd_width());
    if (!options->json && !listing.table)
        status = rc_cmd_fail(&(struct rc_error){.text = "out of memory"}, "listing the series");
    else if (rc_db_series_list(store, &key, list_one, &listing, &error))
        status = rc_cmd_fail(&error, "listing the series");
    if (options->json)
        rc_json_stream_end(&listing.stream);
    else if (listing.table)
        rc_table_finish(listing.table);
    rc_db_close(store);
    return status;
}

static const struct rc_command command_list = {
    .name = "list",
    .summary = "List the series in the store",
    .options = list_options,
    .options_size = sizeof(struct list_options),
    .run = run_list,
};

/* ---- export ---- */

struct export_options {
    struct which which;
    struct window window;
    const char *db;
    bool csv, json;
};

static const struct export_options export_defaults = {.window = {NAN, NAN}};

static const struct rc_option export_options[] = {
    WHICH_OPTIONS(struct export_options),
    WINDOW_OPTIONS(struct export_options),
    {.name = "csv",
     .kind = RC_OPTION_FLAG,
     .help = "write CSV, as 'runcast series import' reads it (the default)",
     .offset = offsetof(struct export_options, csv)},
    RC_OPTION_JSON(struct export_options),
    RC_OPTION_DB(struct export_options),
    RC_OPTIONS_END,
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
        rc_json_stream_begin(&exporting->stream, stdout, "samples");
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
    const struct export_options *options = invocation->options;
    struct exporting exporting = {.json = options->json};
    struct rc_series_key key;
    struct rc_db *store;
    struct rc_error error = {.text = "out of memory"};
    char text[LINK_MAX];
    int status = read_which(invocation, &options->which, true, &key, text);

    if (status)
        return status;
    if (options->csv && options->json)
        return rc_cmd_usage_text(invocation, "--csv and --json exclude one another");
    store = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!store)
        return RC_EXIT_FAILED;
    if (rc_db_series_window(store, &key, options->window.since, options->window.until,
                            export_sample, &exporting, &error) < 0) {
        status = rc_cmd_fail(&error, "exporting the series");
    } else {
        export_begin(&exporting);
        if (options->json)
            rc_json_stream_end(&exporting.stream);
    }
    rc_db_close(store);
    return status;
}

static const struct rc_command command_export = {
    .name = "export",
    .summary = "Write the samples of a series to standard output, with all digits",
    .examples = "  runcast series export --host a001 --metric cpu --since 1h\n",
    .options = export_options,
    .options_size = sizeof(struct export_options),
    .defaults = &export_defaults,
    .run = run_export,
};

/* ---- delete ---- */

struct delete_options {
    struct which which;
    struct window window;
    const char *db;
    bool yes, json;
};

static const struct delete_options delete_defaults = {.window = {NAN, NAN}};

static const struct rc_option delete_options[] = {
    WHICH_OPTIONS(struct delete_options),
    WINDOW_OPTIONS(struct delete_options),
    {.name = "yes",
     .letter = 'y',
     .kind = RC_OPTION_FLAG,
     .help = "do not ask, even on a terminal",
     .offset = offsetof(struct delete_options, yes)},
    RC_OPTION_JSON(struct delete_options),
    RC_OPTION_DB(struct delete_options),
    RC_OPTIONS_END,
};

static int run_delete(struct rc_invocation *invocation)
{
    const struct delete_options *options = invocation->options;
    struct rc_series_key key;
    struct rc_cmd_work work;
    struct rc_db *store;
    struct rc_error error;
    uint64_t deleted = 0;
    char text[LINK_MAX];
    int status = read_which(invocation, &options->which, true, &key, text);

    if (status)
        return status;
    if (!options->yes && !rc_cmd_confirm("delete these samples for good?")) {
        rc_cmd_note("nothing was deleted");
        return RC_EXIT_FAILED;
    }
    rc_cmd_work_begin(&work, "deleting");
    store = rc_cmd_open_db(options->db, RC_DB_WRITE, &work);
    if (!store)
        status = RC_EXIT_FAILED;
    else if (rc_db_series_delete(store, &key, options->window.since, options->window.until,
                                 &deleted, &error))
        status = rc_cmd_fail(&error, "deleting samples");
    else if (options->json)
        printf("{\"deleted\": %" PRIu64 "}\n", deleted);
    else
        printf("%" PRIu64 " sample%s deleted\n", deleted, deleted == 1 ? "" : "s");
    rc_db_close(store);
    rc_cmd_work_end(&work);
    return status;
}

static const struct rc_command command_delete = {
    .name = "delete",
    .summary = "Delete samples of a series, or all of it",
    .options = delete_options,
    .options_size = sizeof(struct delete_options),
    .defaults = &delete_defaults,
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
