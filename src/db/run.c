// SPDX-License-Identifier: GPL-3.0-or-later
/* run.c - adds runs to the database. */
#include "db/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "db/run_csv.h"
#include "db/phase_time_columns.h"

static int check_params(const struct rc_run *run, struct rc_error *error)
{
    size_t bytes = 0;

    for (size_t i = 0; i < run->n_params; i++) {
        const struct rc_param *param = &run->params[i];

        if (!param->name || !param->name[0] || !isfinite(param->value) ||
            !rc_text_is_printable(param->name, strlen(param->name)))
            return rc_error_set(error, "a parameter needs a name and a number");
        if (rc_db_run_table_column(param->name))
            return rc_error_set(error, "'%s' is not allowed as the name of a parameter",
                                param->name);
        for (size_t j = 0; j < i && run->n_params <= RC_RUN_PARAMS_COUNT; j++)
            if (strcmp(run->params[j].name, param->name) == 0)
                return rc_error_set(error, "two parameters '%s'", param->name);
        bytes += RC_RUN_PARAM_BYTES(strlen(param->name));
    }
    if (run->n_params > RC_RUN_PARAMS_COUNT || bytes > RC_RUN_PARAMS_MAX)
        return rc_error_set(error, "too many parameters");
    return 0;
}

bool rc_db_meta_text_is_good(const char *text, size_t length)
{
    return length > 0 && length <= RC_META_TEXT_MAX && rc_text_is_printable(text, length);
}

static int check_meta(const struct rc_run *run, struct rc_error *error)
{
    size_t bytes = 0;

    for (size_t i = 0; i < run->n_meta; i++) {
        const struct rc_meta *meta = &run->meta[i];

        if (!meta->name || !meta->name[0] || strlen(meta->name) > RC_META_NAME_MAX ||
            !rc_text_is_printable(meta->name, strlen(meta->name)) || !meta->text ||
            !rc_db_meta_text_is_good(meta->text, strlen(meta->text)))
            return rc_error_set(error,
                                "metadata need a name of at most %d bytes and a text of at most "
                                "%d bytes, both plain UTF-8",
                                RC_META_NAME_MAX, RC_META_TEXT_MAX);
        for (size_t j = 0; j < i && run->n_meta <= RC_RUN_META_COUNT; j++)
            if (strcmp(run->meta[j].name, meta->name) == 0)
                return rc_error_set(error, "metadata '%s' given twice", meta->name);
        bytes += RC_RUN_META_BYTES(strlen(meta->name), strlen(meta->text));
    }
    if (run->n_meta > RC_RUN_META_COUNT || bytes > RC_RUN_META_MAX)
        return rc_error_set(error, "too much metadata");
    return 0;
}

static int check_times(const struct rc_run *run, struct rc_error *error)
{
    for (size_t i = 0; i < run->n_times; i++) {
        const struct rc_run_time *time = &run->times[i];

        if (!(time->seconds >= 0 && isfinite(time->seconds)) || time->process < -1)
            return rc_error_set(error, "a time of a process or phase is out of range");
        if (time->phase && (strlen(time->phase) > RC_PHASE_MAX ||
                            !rc_text_is_printable(time->phase, strlen(time->phase))))
            return rc_error_set(error,
                                "a phase name is longer than %d bytes or not plain "
                                "UTF-8 text",
                                RC_PHASE_MAX);
    }
    return 0;
}

int rc_db_run_check(const struct rc_run *run, struct rc_error *error)
{
    const struct {
        const char *name;
        double value, least, most;
    } numbers[] = {
        {"n", run->n, 0, INFINITY},
        {"seconds", run->seconds, 0, INFINITY},
        {"start", run->start, -INFINITY, INFINITY},
        {"memory", run->memory, 0, INFINITY},
        {"cpu_minavg", run->cpu_minavg, 0, 1},
        {"cpu_avgmin", run->cpu_avgmin, 0, 1},
        {"bw_minavg", run->bw_minavg, 0, INFINITY},
        {"bw_avgmin", run->bw_avgmin, 0, INFINITY},
        {"bytes_read", run->bytes_read, 0, INFINITY},
        {"bytes_written", run->bytes_written, 0, INFINITY},
    };
    const char *const texts[] = {run->app, run->platform, run->hosts};

    if (!run->app || !*run->app)
        return rc_error_set(error, "a run needs the name of its app");
    if (!(run->n > 0) || !(run->seconds > 0) || run->p < 1)
        return rc_error_set(error, "a run needs n > 0, p >= 1 and seconds > 0");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (isinf(numbers[i].value) || numbers[i].value < numbers[i].least ||
            numbers[i].value > numbers[i].most)
            return rc_error_set(error, "%s is out of range", numbers[i].name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && !rc_text_is_printable(texts[i], strlen(texts[i])))
            return rc_error_set(error, "a name has control characters or is not UTF-8");
    if (check_params(run, error) || check_meta(run, error))
        return -1;
    return check_times(run, error);
}

int rc_db_run_writer_begin(struct rc_run_writer *writer, struct rc_db *store,
                           struct rc_error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->store = store;
    writer->params.maximum = RC_RUN_PARAMS_MAX;
    writer->meta.maximum = RC_RUN_META_MAX;
    if (rc_db_names_begin(&writer->apps, store, "app", error) ||
        rc_db_names_begin(&writer->platforms, store, "platform", error))
        return -1;
    writer->insert = rc_db_prepare(
        store,
        "INSERT INTO run (id, app_id, platform_id, n, p, seconds, start, hosts, memory, cpu_minavg,"
        " cpu_avgmin, bw_minavg, bw_avgmin, bytes_read, bytes_written, status, import_id, params,"
        " meta) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,"
        " nullif(?17, 0), ?18, ?19)",
        error);
    if (!writer->insert || rc_db_prediction_linker_begin(&writer->linker, store, error))
        return -1;
    return rc_db_integer(store, "SELECT next FROM sequence WHERE name = 'run'", &writer->next_id,
                         error);
}

/* `from` is printable. */
static int write_text(struct rc_buffer *json, const char *from)
{
    int failed = rc_buffer_add(json, "\"", 1);

    for (const char *c = from; *c; c++) {
        if (*c == '"' || *c == '\\')
            failed |= rc_buffer_add(json, "\\", 1);
        failed |= rc_buffer_add(json, c, 1);
    }
    return failed | rc_buffer_add(json, "\"", 1);
}

static int begin_member(struct rc_buffer *json, size_t i, const char *name)
{
    int failed = rc_buffer_add(json, i ? "," : "{", 1);

    return failed | write_text(json, name) | rc_buffer_add(json, ":", 1);
}

static int write_params(struct rc_run_writer *writer, const struct rc_run *run)
{
    struct rc_buffer *text = &writer->params;
    char number[RC_NUMBER_SIZE];
    int failed = 0;

    rc_buffer_clear(text);
    for (size_t i = 0; i < run->n_params; i++) {
        failed |= begin_member(text, i, run->params[i].name);
        failed |= rc_buffer_add(text, number, rc_number_format(run->params[i].value, number));
    }
    return failed || rc_buffer_add(text, "}", run->n_params > 0) ? -1 : 0;
}

static int write_meta(struct rc_run_writer *writer, const struct rc_run *run)
{
    struct rc_buffer *text = &writer->meta;
    int failed = 0;

    rc_buffer_clear(text);
    for (size_t i = 0; i < run->n_meta; i++) {
        failed |= begin_member(text, i, run->meta[i].name);
        failed |= write_text(text, run->meta[i].text);
    }
    return failed || rc_buffer_add(text, "}", run->n_meta > 0) ? -1 : 0;
}

static int write_times(struct rc_run_writer *writer, const struct rc_run *run, int64_t id,
                       struct rc_error *error)
{
    if (run->n_times > 0 && !writer->insert_time)
        writer->insert_time =
            rc_db_prepare(writer->store,
                          "INSERT INTO run_time (run_id, phase, process, seconds) VALUES (?,?,?,?)",
                          error);
    for (size_t i = 0; i < run->n_times; i++) {
        if (!writer->insert_time)
            return -1;
        rc_db_bind(writer->insert_time, "Isif", id, run->times[i].phase ? run->times[i].phase : "",
                   run->times[i].process, run->times[i].seconds);
        if (rc_db_run(writer->store, writer->insert_time, error))
            return -1;
    }
    return 0;
}

int rc_db_run_writer_add(struct rc_run_writer *writer, const struct rc_run *run,
                         struct rc_error *error)
{
    sqlite3_stmt *s = writer->insert;
    int64_t app, platform = 0, id = writer->next_id;

    if (rc_db_names_id(&writer->apps, run->app, &app, error) ||
        (run->platform && *run->platform &&
         rc_db_names_id(&writer->platforms, run->platform, &platform, error)))
        return -1;
    if (write_params(writer, run))
        return rc_error_set(error, "too many parameters");
    if (write_meta(writer, run))
        return rc_error_set(error, "too much metadata");
    /* Import 0 is none. */
    rc_db_bind(s, "IIIfIfftfffffffiI", id, app, platform, run->n, run->p, run->seconds, run->start,
               run->hosts, run->memory, run->cpu_minavg, run->cpu_avgmin, run->bw_minavg,
               run->bw_avgmin, run->bytes_read, run->bytes_written, (int)run->status,
               run->import_id);
    sqlite3_bind_text(s, 18, run->n_params > 0 ? writer->params.data : NULL,
                      (int)writer->params.length, SQLITE_STATIC);
    sqlite3_bind_text(s, 19, run->n_meta > 0 ? writer->meta.data : NULL, (int)writer->meta.length,
                      SQLITE_STATIC);
    if (rc_db_run(writer->store, s, error) || write_times(writer, run, id, error) ||
        rc_db_prediction_linker_add(&writer->linker, run, id, error))
        return -1;
    writer->next_id++;
    return 0;
}

int rc_db_run_writer_end(struct rc_run_writer *writer, int status, struct rc_error *error)
{
    if (status == 0)
        status =
            rc_db_execute(writer->store, error, "UPDATE sequence SET next = ? WHERE name = 'run'",
                          "I", writer->next_id);
    sqlite3_finalize(writer->insert);
    sqlite3_finalize(writer->insert_time);
    rc_db_names_end(&writer->apps);
    rc_db_names_end(&writer->platforms);
    rc_db_prediction_linker_end(&writer->linker);
    rc_buffer_free(&writer->params);
    rc_buffer_free(&writer->meta);
    return status;
}

int rc_db_run_add(struct rc_db *store, const struct rc_run *run, int64_t *id,
                  struct rc_error *error)
{
    struct rc_run_writer writer;
    struct rc_run alone = *run;
    int status;

    alone.import_id = 0; /* a run that was read from a database is not part of that import here */
    if (rc_db_run_check(run, error) || rc_db_begin(store, error))
        return -1;
    status = rc_db_run_writer_begin(&writer, store, error);
    if (status == 0)
        status = rc_db_run_writer_add(&writer, &alone, error);
    if (status == 0 && id)
        *id = writer.next_id - 1;
    status = rc_db_run_writer_end(&writer, status, error);
    return rc_db_end(store, status, error);
}
