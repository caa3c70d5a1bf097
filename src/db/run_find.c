// SPDX-License-Identifier: GPL-3.0-or-later
/* run_find.c - finds, counts and deletes runs.
 *
 * The query has only the columns that the caller needs. */
#include "db/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"

enum { SQL_MAX = 1 << 22 };

const char *rc_db_run_status_name(enum rc_run_status status)
{
    static const char *const names[] = {"ok", "failed", "interrupted"};

    return (size_t)status < sizeof names / sizeof *names ? names[status] : "?";
}

void rc_db_run_filter_init(struct rc_run_filter *filter)
{
    *filter = (struct rc_run_filter){
        .since = NAN,
        .procs = {-INFINITY, INFINITY},
        .size = {-INFINITY, INFINITY},
        .status = -1,
    };
}

void rc_db_run_init(struct rc_run *run)
{
    *run = (struct rc_run){
        .app = "",
        .platform = "",
        .hosts = "",
        .n = NAN,
        .seconds = NAN,
        .start = NAN,
        .memory = NAN,
        .cpu_minavg = NAN,
        .cpu_avgmin = NAN,
        .bw_minavg = NAN,
        .bw_avgmin = NAN,
        .bytes_read = NAN,
        .bytes_written = NAN,
    };
}

/* ---- the filter as SQL ---- */

static bool bounded(const struct rc_range *range)
{
    return !isinf(range->low) || !isinf(range->high);
}

/* Conditions are written with numbered parameters, which prepare() fills in. */
static int add_conditions(struct rc_buffer *sql, const struct rc_run_filter *f)
{
    int bad = rc_buffer_add_text(sql, " WHERE 1");

    if (f->app)
        bad |= rc_buffer_add_text(sql, " AND app_id = (SELECT id FROM app WHERE name = ?1)");
    if (f->platform)
        bad |=
            rc_buffer_add_text(sql, " AND platform_id = (SELECT id FROM platform WHERE name = ?2)");
    if (!isnan(f->since))
        bad |= rc_buffer_add_text(sql, " AND start >= ?3");
    if (bounded(&f->procs))
        bad |= rc_buffer_add_text(sql, " AND p BETWEEN ?4 AND ?5");
    if (bounded(&f->size))
        bad |= rc_buffer_add_text(sql, " AND n BETWEEN ?6 AND ?7");
    if (f->status >= 0)
        bad |= rc_buffer_add_text(sql, " AND status = ?8");
    if (f->import_id)
        bad |= rc_buffer_add_text(sql, " AND import_id = ?9");
    if (f->up_to)
        bad |= rc_buffer_printf(sql, " AND id <= %" PRId64, f->up_to);
    if (f->n_ids) {
        bad |= rc_buffer_add_text(sql, " AND id IN (");
        for (size_t i = 0; i < f->n_ids; i++)
            bad |= rc_buffer_printf(sql, "%s%" PRId64, i ? "," : "", f->ids[i]);
        bad |= rc_buffer_add_text(sql, ")");
    }
    return bad;
}

/* `head`, the conditions and `tail` as a statement that is ready to run. */
static sqlite3_stmt *prepare(struct rc_db *store, const char *head,
                             const struct rc_run_filter *filter, const char *tail,
                             struct rc_error *error)
{
    struct rc_buffer sql = RC_BUFFER_INIT(SQL_MAX);
    struct rc_run_filter all;
    sqlite3_stmt *statement = NULL;

    if (!filter) {
        rc_db_run_filter_init(&all);
        filter = &all;
    }
    if (rc_buffer_add_text(&sql, head) || add_conditions(&sql, filter) ||
        rc_buffer_add_text(&sql, tail))
        sql.full ? rc_error_set(error, "too many run numbers") : rc_error_no_memory(error);
    else
        statement = rc_db_prepare(store, sql.data, error);
    if (statement)
        rc_db_bind(statement, "ssfffffiI", filter->app, filter->platform, filter->since,
                   filter->procs.low, filter->procs.high, filter->size.low, filter->size.high,
                   filter->status, filter->import_id);
    rc_buffer_free(&sql);
    return statement;
}

int rc_db_run_count(struct rc_db *store, const struct rc_run_filter *filter, uint64_t *count,
                    struct rc_error *error)
{
    sqlite3_stmt *statement = prepare(store, "SELECT count(*) FROM run", filter, "", error);
    int got = statement ? rc_db_step(store, statement, error) : -1;

    *count = got > 0 ? (uint64_t)sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return got > 0 ? 0 : -1;
}

/* ---- walking ---- */

/* The columns in the order of the bits of enum rc_run_field, up to those read otherwise. */
static const char *const column_sql[] = {
    "app_id",     "platform_id",   "hosts",      "n",          "p",         "seconds",
    "start",      "memory",        "cpu_minavg", "cpu_avgmin", "bw_minavg", "bw_avgmin",
    "bytes_read", "bytes_written", "status",     "import_id",  "params",    "meta",
};
enum { N_COLUMNS = sizeof column_sql / sizeof *column_sql };

/* Names by id, each read once: a join would look them up for every run. */
struct id_names {
    sqlite3_stmt *find;
    int64_t id; /* of the last lookup; runs of one app are adjacent */
    char *name;
    char **names; /* by id, below `size` */
    int64_t size;
};

enum { NAMES_BY_ID_MAX = 1 << 16 };

struct rc_run_cursor {
    struct rc_db *store;
    sqlite3_stmt *select, *select_times;
    unsigned fields;
    int column_of[N_COLUMNS]; /* in the result; -1: not read */
    bool ended;
    struct id_names apps, platforms;
    json_t *params_json, *meta_json; /* own the texts of `params` and `meta` */
    struct rc_param *params;
    struct rc_meta *meta;
    struct rc_run_time *times;
    size_t times_capacity;
};

static void id_names_end(struct id_names *names)
{
    for (int64_t i = 0; i < names->size; i++)
        free(names->names[i]);
    free(names->names);
    free(names->name);
    sqlite3_finalize(names->find);
}

static char *read_name(struct id_names *names, int64_t id)
{
    char *name = NULL;

    sqlite3_bind_int64(names->find, 1, id);
    if (sqlite3_step(names->find) == SQLITE_ROW)
        name = strdup(rc_db_column_text(names->find, 0));
    sqlite3_reset(names->find);
    return name;
}

static int grow_names(struct id_names *names, int64_t id)
{
    int64_t size = names->size ? names->size : 16;
    char **grown;

    while (size <= id)
        size *= 2;
    grown = realloc(names->names, (size_t)size * sizeof *grown);
    if (!grown)
        return -1;
    memset(grown + names->size, 0, (size_t)(size - names->size) * sizeof *grown);
    names->names = grown;
    names->size = size;
    return 0;
}

/* NULL if the id does not exist, or memory runs out. */
static const char *name_of(struct id_names *names, int64_t id)
{
    if (id >= 0 && id < names->size && names->names[id])
        return names->names[id];
    if (id >= 0 && id < NAMES_BY_ID_MAX) {
        if (id >= names->size && grow_names(names, id))
            return NULL;
        return names->names[id] = read_name(names, id);
    }
    if (!names->name || names->id != id) {
        free(names->name);
        names->name = read_name(names, id);
        names->id = id;
    }
    return names->name;
}

/* Rows of one app come from the index. Their ids are sorted before the rows are fetched, so the
 * table is read from front to back. (Sorting the rows would copy all of them.) */
static sqlite3_stmt *prepare_walk(struct rc_db *store, const struct rc_run_filter *filter,
                                  struct rc_buffer *head, struct rc_error *error)
{
    bool ids_first = filter && (filter->app || filter->last);
    char tail[80] = " ORDER BY id";

    if (filter && filter->last)
        snprintf(tail, sizeof tail, " ORDER BY id DESC LIMIT %" PRIu64 ") ORDER BY id",
                 filter->last < INT64_MAX ? filter->last : INT64_MAX);
    else if (ids_first)
        snprintf(tail, sizeof tail, ") ORDER BY id");
    if (rc_buffer_add_text(head,
                           ids_first ? " FROM run WHERE id IN (SELECT id FROM run" : " FROM run")) {
        rc_error_no_memory(error);
        return NULL;
    }
    return prepare(store, head->data, filter, tail, error);
}

struct rc_run_cursor *rc_db_run_find(struct rc_db *store, const struct rc_run_filter *filter,
                                     unsigned fields, struct rc_error *error)
{
    struct rc_run_cursor *cursor = calloc(1, sizeof *cursor);
    struct rc_buffer head = RC_BUFFER_INIT(SQL_MAX);
    int64_t any_times = 0;
    int next = 1, bad;

    if (!cursor) {
        rc_error_no_memory(error);
        return NULL;
    }
    cursor->store = store;
    cursor->fields = fields;
    bad = rc_buffer_add_text(&head, "SELECT id");
    for (int i = 0; i < N_COLUMNS; i++) {
        cursor->column_of[i] = fields & 1u << i ? next++ : -1;
        if (cursor->column_of[i] > 0)
            bad |= rc_buffer_printf(&head, ", %s", column_sql[i]);
    }
    if (bad)
        rc_error_no_memory(error);
    else
        cursor->select = prepare_walk(store, filter, &head, error);
    rc_buffer_free(&head);
    if (!cursor->select ||
        !(cursor->apps.find = rc_db_prepare(store, "SELECT name FROM app WHERE id = ?", error)) ||
        !(cursor->platforms.find =
              rc_db_prepare(store, "SELECT name FROM platform WHERE id = ?", error)) ||
        (fields & RC_FIELD_TIMES &&
         rc_db_integer(store, "SELECT EXISTS (SELECT 1 FROM run_time)", &any_times, error)) ||
        (any_times &&
         !(cursor->select_times = rc_db_prepare(
               store, "SELECT phase, process, seconds FROM run_time WHERE run_id = ?", error)))) {
        rc_db_run_cursor_close(cursor);
        return NULL;
    }
    return cursor;
}

/* Parses a column of JSON in place of what `*object` had: NULL for an empty one.  -1 if it is no
 * object of at most `most` members. */
static int read_object(sqlite3_stmt *s, int column, size_t most, json_t **object)
{
    const char *text = rc_db_column_text(s, column);

    json_decref(*object);
    *object = *text ? json_loads(text, 0, NULL) : NULL;
    return *text && (!json_is_object(*object) || json_object_size(*object) > most) ? -1 : 0;
}

static int read_params(struct rc_run_cursor *cursor, sqlite3_stmt *s, int column,
                       struct rc_run *run, struct rc_error *error)
{
    const char *key;
    json_t *value;

    if (read_object(s, column, RC_RUN_PARAMS_COUNT, &cursor->params_json))
        return rc_error_set(error, "the parameters of run %" PRId64 " are damaged", run->id);
    if (!cursor->params_json)
        return 0;
    if (!cursor->params && !(cursor->params = calloc(RC_RUN_PARAMS_COUNT, sizeof *cursor->params)))
        return rc_error_no_memory(error);
    json_object_foreach(cursor->params_json, key, value)
    {
        cursor->params[run->n_params].name = key;
        cursor->params[run->n_params++].value = json_number_value(value);
    }
    run->params = cursor->params;
    return 0;
}

static int read_meta(struct rc_run_cursor *cursor, sqlite3_stmt *s, int column, struct rc_run *run,
                     struct rc_error *error)
{
    const char *key;
    json_t *value;

    if (read_object(s, column, RC_RUN_META_COUNT, &cursor->meta_json))
        return rc_error_set(error, "the metadata of run %" PRId64 " are damaged", run->id);
    if (!cursor->meta_json)
        return 0;
    if (!cursor->meta && !(cursor->meta = calloc(RC_RUN_META_COUNT, sizeof *cursor->meta)))
        return rc_error_no_memory(error);
    json_object_foreach(cursor->meta_json, key, value) if (json_is_string(value))
        cursor->meta[run->n_meta++] = (struct rc_meta){key, json_string_value(value)};
    run->meta = cursor->meta;
    return 0;
}

static void forget_times(struct rc_run_cursor *cursor)
{
    for (size_t i = 0; i < cursor->times_capacity; i++) {
        free((void *)(uintptr_t)cursor->times[i].phase);
        cursor->times[i].phase = NULL;
    }
}

static int read_times(struct rc_run_cursor *cursor, struct rc_run *run, struct rc_error *error)
{
    sqlite3_stmt *s = cursor->select_times;
    struct rc_run_time *grown;
    size_t count = 0;
    int code;

    forget_times(cursor);
    sqlite3_bind_int64(s, 1, run->id);
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        if (count == cursor->times_capacity) {
            grown = realloc(cursor->times, (count ? 2 * count : 16) * sizeof *grown);
            if (!grown)
                break;
            memset(grown + count, 0, (count ? count : 16) * sizeof *grown);
            cursor->times = grown;
            cursor->times_capacity = count ? 2 * count : 16;
        }
        cursor->times[count].phase = strdup(rc_db_column_text(s, 0));
        if (!cursor->times[count].phase)
            break;
        cursor->times[count].process = sqlite3_column_int(s, 1);
        cursor->times[count++].seconds = sqlite3_column_double(s, 2);
    }
    if (code != SQLITE_DONE)
        code == SQLITE_ROW ? rc_error_no_memory(error) : rc_db_error(cursor->store, error);
    sqlite3_reset(s);
    run->times = cursor->times;
    run->n_times = count;
    return code == SQLITE_DONE ? 0 : -1;
}

static int read_names(struct rc_run_cursor *cursor, sqlite3_stmt *s, struct rc_run *run,
                      struct rc_error *error)
{
    const int *column = cursor->column_of;

    if (column[0] > 0)
        run->app = name_of(&cursor->apps, sqlite3_column_int64(s, column[0]));
    if (column[1] > 0)
        run->platform = name_of(&cursor->platforms, sqlite3_column_int64(s, column[1]));
    return (column[0] > 0 && !run->app) || (column[1] > 0 && !run->platform)
               ? rc_error_set(error, "the app or platform of run %" PRId64 " is missing", run->id)
               : 0;
}

int rc_db_run_next(struct rc_run_cursor *cursor, struct rc_run *run, struct rc_error *error)
{
    sqlite3_stmt *s = cursor->select;
    const int *column = cursor->column_of;
    int code = cursor->ended ? SQLITE_DONE : sqlite3_step(s);
    /* The numbers, in the order of column_sql from "start" to "bytes_written". */
    double *const numbers[] = {&run->start,      &run->memory,       &run->cpu_minavg,
                               &run->cpu_avgmin, &run->bw_minavg,    &run->bw_avgmin,
                               &run->bytes_read, &run->bytes_written};

    if (code == SQLITE_DONE) {
        cursor->ended = true;
        return rc_db_stood_still(cursor->store, error);
    }
    if (code != SQLITE_ROW)
        return rc_db_error(cursor->store, error);
    rc_db_run_init(run);
    run->id = sqlite3_column_int64(s, 0);
    if (read_names(cursor, s, run, error))
        return -1;
    if (column[2] > 0)
        run->hosts = rc_db_column_text(s, column[2]);
    if (column[3] > 0)
        run->n = sqlite3_column_double(s, column[3]);
    if (column[4] > 0)
        run->p = sqlite3_column_int64(s, column[4]);
    if (column[5] > 0)
        run->seconds = sqlite3_column_double(s, column[5]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (column[6 + i] > 0)
            *numbers[i] = rc_db_column_number(s, column[6 + i]);
    if (column[14] > 0)
        run->status = (enum rc_run_status)sqlite3_column_int(s, column[14]);
    if (column[15] > 0)
        run->import_id = sqlite3_column_int64(s, column[15]);
    if (column[16] > 0 && read_params(cursor, s, column[16], run, error))
        return -1;
    if (column[17] > 0 && read_meta(cursor, s, column[17], run, error))
        return -1;
    if (cursor->select_times && read_times(cursor, run, error))
        return -1;
    return 1;
}

void rc_db_run_cursor_close(struct rc_run_cursor *cursor)
{
    if (!cursor)
        return;
    sqlite3_finalize(cursor->select);
    sqlite3_finalize(cursor->select_times);
    id_names_end(&cursor->apps);
    id_names_end(&cursor->platforms);
    json_decref(cursor->params_json);
    json_decref(cursor->meta_json);
    free(cursor->params);
    free(cursor->meta);
    forget_times(cursor);
    free(cursor->times);
    free(cursor);
}

int rc_db_run_pin(struct rc_db *db, struct rc_run_filter *filter, uint64_t *count,
                  struct rc_error *error)
{
    struct rc_run_filter last = *filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got = -1;

    if (rc_db_hold(db, error))
        return -1;
    last.last = 1;
    cursor = rc_db_run_find(db, &last, 0, error);
    if (cursor && (got = rc_db_run_next(cursor, &run, error)) > 0)
        filter->up_to = run.id;
    rc_db_run_cursor_close(cursor);
    *count = 0;
    if (got > 0)
        got = rc_db_run_count(db, filter, count, error);
    rc_db_release(db);
    return got;
}

/* ---- deleting ---- */

static int run_filtered(struct rc_db *store, const char *head, const struct rc_run_filter *filter,
                        const char *tail, struct rc_error *error)
{
    sqlite3_stmt *statement = prepare(store, head, filter, tail, error);
    int status = statement ? rc_db_run(store, statement, error) : -1;

    sqlite3_finalize(statement);
    return status;
}

int rc_db_run_delete(struct rc_db *store, const struct rc_run_filter *filter, uint64_t *deleted,
                     struct rc_error *error)
{
    int status;

    if (rc_db_begin(store, error))
        return -1;
    store->pulse = true;
    status = run_filtered(store,
                          "UPDATE import SET deleted = deleted + gone FROM"
                          " (SELECT import_id, count(*) AS gone FROM run",
                          filter,
                          " AND import_id IS NOT NULL GROUP BY import_id) AS g"
                          " WHERE import.id = g.import_id",
                          error);
    if (status == 0)
        status = run_filtered(store, "DELETE FROM run", filter, "", error);
    if (status == 0)
        *deleted = (uint64_t)sqlite3_changes64(store->db);
    if (status == 0) /* the file of an import whose runs are all gone can be imported again */
        status = rc_db_execute(store, error, "DELETE FROM import WHERE deleted >= rows", "");
    store->pulse = false;
    return rc_db_end(store, status, error);
}
