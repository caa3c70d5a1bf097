// SPDX-License-Identifier: GPL-3.0-or-later
/* db.c - 'runcast db': the database itself. */
#include <inttypes.h>

#include "base/json.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "report/field.h"

struct db_options {
    const char *db;
    bool json;
};

static const struct rc_option db_options[] = {
    RC_OPTION_JSON(struct db_options),
    RC_OPTION_DB(struct db_options),
    RC_OPTIONS_END,
};

/* ---- info ---- */

struct info {
    const char *path;
    struct rc_db_info is;
    bool wal;
};

static void size_text(const void *record, char *text, size_t size)
{
    char bytes[RC_UNIT_SIZE];

    rc_unit_format((double)((const struct info *)record)->is.bytes, RC_BYTES, bytes);
    snprintf(text, size, "%s", bytes);
}

static void predictions_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%" PRId64 " (one of each method, and the combined one)",
             ((const struct info *)record)->is.predictions);
}

static void journal_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s",
             ((const struct info *)record)->wal
                 ? "WAL (readers and writers do not block one another)"
                 : "rollback (the next write changes it to WAL)");
}

#define COUNT(member, key_)                                                                        \
    RC_FIELD(struct info, INT64, is.member), .key = key_, .title = #member ":"
static const struct rc_field info_fields[] = {
    {RC_FIELD(struct info, TEXT, path), .key = "path", .title = "path:"},
    {.kind = RC_AS_COMPUTED, .title = "size:", .text = size_text},
    {.kind = RC_AS_COMPUTED, .title = "journal:", .text = journal_text},
    {COUNT(format, "format_version")},
    {COUNT(apps, "app_count")},
    {COUNT(platforms, "platform_count")},
    {COUNT(runs, "run_count")},
    {COUNT(imports, "import_count")},
    {COUNT(series, "series_count")},
    {COUNT(samples, "sample_count")},
    {COUNT(models, "model_count")},
    {RC_FIELD(struct info, INT64, is.measured), .key = "measured_input_count",
     .title = "measured inputs:"},
    {RC_FIELD(struct info, INT64, is.predictions), .key = "prediction_count",
     .title = "predictions:", .text = predictions_text},
    {COUNT(traces, "trace_count")},
    {RC_FIELD(struct info, INT64, is.bytes), .key = "size_bytes"},
    {RC_FIELD(struct info, BOOL, wal), .key = "wal"},
    RC_FIELDS_END};

static void show_info(const struct info *info)
{
    static const struct rc_column heads[] = {{.title = ""}, {.title = "", .wrap = true}};
    struct rc_table *table = rc_table_create(stdout, heads, 2, rc_cmd_width());

    if (!table)
        return;
    for (const struct rc_field *field = info_fields; field->kind != RC_AS_END; field++)
        if (field->title) {
            rc_table_text(table, field->title);
            rc_field_cell(table, field, info);
        }
    rc_table_finish(table);
}

static int run_info(struct rc_invocation *invocation)
{
    const struct db_options *options = invocation->options;
    struct rc_db *db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    char path[4096] = "";
    struct info info = {.path = path};
    struct rc_error error;
    int status;

    if (!db)
        return RC_EXIT_FAILED;
    rc_cmd_db_path(options->db, path, sizeof path, NULL);
    status = rc_db_info(db, &info.is, &error);
    info.wal = info.is.wal;
    if (status)
        status = rc_cmd_fail(&error, "reading the database");
    else if (options->json)
        rc_cmd_print_json(rc_field_json(info_fields, &info));
    else
        show_info(&info);
    rc_db_close(db);
    return status;
}

static const struct rc_command command_info = {
    .name = "info",
    .summary = "Show path, size and contents of the database",
    .details = "Prints the path of the database file, its size and format version, and the numbers "
               "of apps, platforms, runs, series and samples.",
    .options = db_options,
    .options_size = sizeof(struct db_options),
    .answers = {info_fields},
    .run = run_info,
};

/* ---- check ---- */

struct check {
    bool ok;
    json_t *faults;
};
static const struct rc_field check_fields[] = {{RC_FIELD(struct check, BOOL, ok), .key = "ok"},
                                               {RC_FIELD(struct check, JSON, faults),
                                                .key = "faults", .type = "strings"},
                                               RC_FIELDS_END};

struct faults {
    struct rc_cmd_work *work;
    json_t *list; /* NULL: for people */
};

static void meet_fault(void *data, const char *text)
{
    struct faults *faults = data;

    if (faults->list) {
        json_array_append_new(faults->list, rc_json_text(text));
        return;
    }
    rc_progress_end(&faults->work->progress);
    printf("fault: %s\n", text);
}

static int run_check(struct rc_invocation *invocation)
{
    const struct db_options *options = invocation->options;
    struct rc_cmd_work work;
    struct faults faults = {&work, options->json ? json_array() : NULL};
    struct rc_db *db;
    struct rc_error error;
    uint64_t count = 0;
    int status = RC_EXIT_FAILED;

    rc_cmd_work_begin(&work, "checking");
    db = rc_cmd_open_db(options->db, RC_DB_READ, &work);
    if (db && rc_db_check(db, &work.monitor, meet_fault, &faults, &count, &error))
        rc_cmd_fail(&error, "checking the database");
    else if (db)
        status = count ? RC_EXIT_FAILED : RC_EXIT_OK;
    rc_cmd_work_end(&work);
    if (db && options->json) {
        const struct check answer = {status == RC_EXIT_OK, faults.list};

        rc_cmd_print_json(rc_field_json(check_fields, &answer));
    } else if (db) {
        if (status == RC_EXIT_OK)
            puts("ok: no faults found");
        else if (count)
            printf("%" PRIu64 " fault%s found\n", count, count == 1 ? "" : "s");
    }
    json_decref(faults.list);
    rc_db_close(db);
    return status;
}

static const struct rc_command command_check = {
    .name = "check",
    .summary = "Check the database for damage",
    .details = "Runs the integrity check of SQLite, and checks that imports, runs and series are "
               "complete. Lists the faults; the exit status is 1 if there are any. Changes "
               "nothing.",
    .options = db_options,
    .options_size = sizeof(struct db_options),
    .answers = {check_fields},
    .run = run_check,
};

static const struct rc_command *const verbs[] = {&command_info, &command_check, NULL};

const struct rc_command rc_command_db = {
    .name = "db",
    .summary = "Show and check the database",
    .details = "The database is an SQLite file. It has runs, series, models, predictions and "
               "traces. Back it up with 'sqlite3 FILE \".backup COPY\"'.",
    .children = verbs,
};
