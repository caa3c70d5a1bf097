// SPDX-License-Identifier: GPL-3.0-or-later
/* db.c - 'runcast db': the store itself. */
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

static void journal_text(const void *record, char *text, size_t size)
{
    snprintf(text, size, "%s",
             ((const struct info *)record)->wal
                 ? "WAL: readers and writers do not hinder one another"
                 : "rollback: writing turns it to WAL, where that can be");
}

#define COUNT(member) RC_FIELD(struct info, INT64, is.member), .key = #member, .title = #member
static const struct rc_field info_fields[] = {
    {RC_FIELD(struct info, TEXT, path), .key = "path", .title = "path"},
    {.kind = RC_AS_COMPUTED, .title = "size", .text = size_text},
    {.kind = RC_AS_COMPUTED, .title = "journal", .text = journal_text},
    {COUNT(format)},
    {COUNT(apps)},
    {COUNT(platforms)},
    {COUNT(runs)},
    {COUNT(imports)},
    {COUNT(series)},
    {COUNT(samples)},
    {COUNT(models)},
    {COUNT(measured)},
    {COUNT(predictions)},
    {COUNT(traces)},
    {RC_FIELD(struct info, INT64, is.bytes), .key = "bytes"},
    {RC_FIELD(struct info, BOOL, wal), .key = "wal"},
    RC_FIELDS_END};

static void show_info(const struct info *info)
{
    static const struct rc_column heads[] = {{.title = "what"}, {.title = "value", .wrap = true}};
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
    struct rc_db *store = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    char path[4096] = "";
    struct info info = {.path = path};
    struct rc_error error;
    int status;

    if (!store)
        return RC_EXIT_FAILED;
    rc_cmd_db_path(options->db, path, sizeof path, NULL);
    status = rc_db_info(store, &info.is, &error);
    info.wal = info.is.wal;
    if (status)
        status = rc_cmd_fail(&error, "looking at the store");
    else if (options->json)
        rc_cmd_print_json(rc_field_json(info_fields, &info));
    else
        show_info(&info);
    rc_db_close(store);
    return status;
}

static const struct rc_command command_info = {
    .name = "info",
    .summary = "Show where the store is and how much is in it",
    .options = db_options,
    .options_size = sizeof(struct db_options),
    .run = run_info,
};

/* ---- check ---- */

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
    struct rc_db *store;
    struct rc_error error;
    uint64_t count = 0;
    int status = RC_EXIT_FAILED;

    rc_cmd_work_begin(&work, "checking");
    store = rc_cmd_open_db(options->db, RC_DB_READ, &work);
    if (store && rc_db_check(store, &work.monitor, meet_fault, &faults, &count, &error))
        rc_cmd_fail(&error, "checking the store");
    else if (store)
        status = count ? RC_EXIT_FAILED : RC_EXIT_OK;
    rc_cmd_work_end(&work);
    if (store && options->json) {
        rc_cmd_print_json(
            json_pack("{s:b, s:O}", "ok", status == RC_EXIT_OK, "faults", faults.list));
    } else if (store) {
        if (status == RC_EXIT_OK)
            puts("ok: the store is sound");
        else if (count)
            printf("%" PRIu64 " fault%s found\n", count, count == 1 ? "" : "s");
    }
    json_decref(faults.list);
    rc_db_close(store);
    return status;
}

static const struct rc_command command_check = {
    .name = "check",
    .summary = "Check that the store is sound and all in it fits together",
    .details = "Runs SQLite's own check of the file, and then checks what runcast relies on: that "
               "every import has all of its runs, every run its app, every series its count. "
               "Faults are listed, and the exit status is then 1. Nothing is changed.",
    .options = db_options,
    .options_size = sizeof(struct db_options),
    .run = run_check,
};

static const struct rc_command *const verbs[] = {&command_info, &command_check, NULL};

const struct rc_command rc_command_db = {
    .name = "db",
    .summary = "Look after the store in which all is kept",
    .children = verbs,
};
