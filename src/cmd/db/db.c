// SPDX-License-Identifier: GPL-3.0-or-later
/* db.c - 'runcast db': the store itself. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/table.h"
#include "base/unit.h"
#include "cmd/core/commands.h"

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

static void show_info(const char *path, const struct rc_db_info *info, bool as_json)
{
    static const struct rc_column heads[] = {{.title = "what"}, {.title = "value", .wrap = true}};
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {
        {"format", info->format},       {"apps", info->apps},
        {"platforms", info->platforms}, {"runs", info->runs},
        {"imports", info->imports},     {"series", info->series},
        {"samples", info->samples},     {"models", info->models},
        {"measured", info->measured},   {"predictions", info->predictions},
        {"traces", info->traces},
    };
    const size_t n_counts = sizeof counts / sizeof *counts;
    struct rc_table *table;
    json_t *object;
    char size[RC_UNIT_SIZE];

    if (as_json) {
        object = json_object();
        rc_json_set(object, "path", rc_json_text(path));
        for (size_t i = 0; i < n_counts; i++)
            rc_json_set(object, counts[i].name, json_integer(counts[i].value));
        rc_json_set(object, "bytes", json_integer(info->bytes));
        rc_json_set(object, "wal", json_boolean(info->wal));
        rc_json_write(stdout, object, true);
        json_decref(object);
        return;
    }
    table = rc_table_create(stdout, heads, 2, rc_cmd_width());
    if (!table)
        return;
    rc_table_text(table, "path");
    rc_table_text(table, path);
    rc_unit_format((double)info->bytes, RC_BYTES, size);
    rc_table_text(table, "size");
    rc_table_text(table, size);
    rc_table_text(table, "journal");
    rc_table_text(table, info->wal ? "WAL: readers and writers do not hinder one another"
                                   : "rollback: writing turns it to WAL, where that can be");
    for (size_t i = 0; i < n_counts; i++) {
        rc_table_text(table, counts[i].name);
        rc_table_integer(table, counts[i].value);
    }
    rc_table_finish(table);
}

static int run_info(struct rc_invocation *invocation)
{
    const struct db_options *options = invocation->options;
    struct rc_db *store = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    struct rc_db_info info;
    struct rc_error error;
    char path[4096] = "";
    int status = RC_EXIT_OK;

    if (!store)
        return RC_EXIT_FAILED;
    rc_cmd_db_path(options->db, path, sizeof path, NULL);
    if (rc_db_info(store, &info, &error))
        status = rc_cmd_fail(&error, "looking at the store");
    else
        show_info(path, &info, options->json);
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
    json_t *object;

    rc_cmd_work_begin(&work, "checking");
    store = rc_cmd_open_db(options->db, RC_DB_READ, &work);
    if (store && rc_db_check(store, &work.monitor, meet_fault, &faults, &count, &error))
        rc_cmd_fail(&error, "checking the store");
    else if (store)
        status = count ? RC_EXIT_FAILED : RC_EXIT_OK;
    rc_cmd_work_end(&work);
    if (store && options->json) {
        object = json_object();
        rc_json_set(object, "ok", json_boolean(status == RC_EXIT_OK));
        rc_json_set(object, "faults", json_incref(faults.list));
        rc_json_write(stdout, object, true);
        json_decref(object);
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
