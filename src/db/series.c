// SPDX-License-Identifier: GPL-3.0-or-later
/* series.c - series of samples in the store. */
#include "db/series.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"

enum { NAME_MAX_BYTES = 255, DESCRIPTION_SIZE = 3 * NAME_MAX_BYTES + 16 };

static int check_name(const char *what, const char *name, bool required, struct rc_error *error)
{
    if (!name || (required && !*name))
        return rc_error_set(error, "a series needs the name of its %s", what);
    if (strlen(name) > NAME_MAX_BYTES || !rc_text_is_printable(name, strlen(name)))
        return rc_error_set(error, "the name of the %s is too long, or not plain UTF-8 text", what);
    return 0;
}

static int check_key(const struct rc_series_key *key, struct rc_error *error)
{
    return check_name("host", key->host, true, error) ||
                   check_name("peer", key->peer, false, error) ||
                   check_name("metric", key->metric, true, error)
               ? -1
               : 0;
}

static void bind_key(sqlite3_stmt *statement, const struct rc_series_key *key)
{
    sqlite3_bind_text(statement, 1, key->host, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, key->peer, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, key->metric, -1, SQLITE_STATIC);
}

/* 1: `*id` is that of the series; 0: there is none. */
static int find_series(struct rc_db *store, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    sqlite3_stmt *find =
        rc_db_prepare(store, "SELECT id FROM series WHERE host = ? AND peer = ? AND metric = ?",
                      error);
    int code;

    if (!find)
        return -1;
    bind_key(find, key);
    code = sqlite3_step(find);
    if (code == SQLITE_ROW)
        *id = sqlite3_column_int64(find, 0);
    else if (code != SQLITE_DONE)
        rc_db_error(store, error);
    sqlite3_finalize(find);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

/* What people call a series: 'cpu' of a1, 'bw' of a1:a2. */
static void describe(const struct rc_series_key *key, char *text, size_t size)
{
    snprintf(text, size, "'%s' of %s%s%s", key->metric, key->host, *key->peer ? ":" : "",
             key->peer);
}

/* The series that is most like one that is not there. */
struct nearest {
    const struct rc_series_key *wanted;
    char found[DESCRIPTION_SIZE];
    unsigned distance;
};

static bool is_near(const char *word, const char *candidate, unsigned *distance)
{
    *distance += rc_text_distance(word, candidate);
    return strcmp(word, candidate) == 0 || rc_text_nearest(word, &candidate, 1, sizeof candidate);
}

static int compare_names(void *data, const struct rc_series_info *info)
{
    struct nearest *nearest = data;
    const struct rc_series_key *wanted = nearest->wanted, *key = &info->key;
    unsigned distance = 0;

    if (is_near(wanted->host, key->host, &distance) &&
        is_near(wanted->peer, key->peer, &distance) &&
        is_near(wanted->metric, key->metric, &distance) && distance < nearest->distance) {
        nearest->distance = distance;
        describe(key, nearest->found, sizeof nearest->found);
    }
    return 0;
}

static int no_such_series(struct rc_db *store, const struct rc_series_key *key,
                          struct rc_error *error)
{
    struct nearest nearest = {.wanted = key, .distance = UINT_MAX};
    char name[DESCRIPTION_SIZE];

    describe(key, name, sizeof name);
    rc_db_series_list(store, NULL, compare_names, &nearest, NULL);
    rc_error_set(error, "there is no series %s", name);
    if (nearest.found[0])
        return rc_error_code(error, "db.no-such-series", "%s", nearest.found);
    return rc_error_code(error, "db.no-series", NULL);
}

/* ---- writing ---- */

int rc_db_series_writer_begin(struct rc_series_writer *writer, struct rc_db *store,
                              const struct rc_series_key *key, bool replace, struct rc_error *error)
{
    sqlite3_stmt *make;
    int found, status;

    *writer = (struct rc_series_writer){.store = store, .replace = replace};
    if (check_key(key, error))
        return -1;
    found = find_series(store, key, &writer->id, error);
    if (found < 0)
        return -1;
    if (!found) {
        make =
            rc_db_prepare(store, "INSERT INTO series (host, peer, metric) VALUES (?, ?, ?)", error);
        if (!make)
            return -1;
        bind_key(make, key);
        status = rc_db_run(store, make, error);
        sqlite3_finalize(make);
        if (status)
            return -1;
        writer->id = sqlite3_last_insert_rowid(store->db);
    }
    writer->insert = rc_db_prepare(store, "INSERT OR IGNORE INTO sample VALUES (?, ?, ?)", error);
    writer->find =
        rc_db_prepare(store, "SELECT value FROM sample WHERE series_id = ? AND t = ?", error);
    writer->update =
        rc_db_prepare(store, "UPDATE sample SET value = ?3 WHERE series_id = ?1 AND t = ?2", error);
    return writer->insert && writer->find && writer->update ? 0 : -1;
}

/* A sample of that time is there already. */
static int meet_known(struct rc_series_writer *writer, const struct rc_sample *sample,
                      struct rc_error *error)
{
    char at[RC_TIME_SIZE], old[RC_NUMBER_SIZE], new[RC_NUMBER_SIZE];
    double value;

    sqlite3_bind_int64(writer->find, 1, writer->id);
    sqlite3_bind_double(writer->find, 2, sample->t);
    if (sqlite3_step(writer->find) != SQLITE_ROW) {
        rc_db_error(writer->store, error);
        sqlite3_reset(writer->find);
        return -1;
    }
    value = sqlite3_column_double(writer->find, 0);
    sqlite3_reset(writer->find);
    if (value == sample->value) {
        writer->there_already++;
        return 0;
    }
    if (!writer->replace) {
        writer->clash = true;
        rc_number_format(sample->t, at);
        rc_number_format(value, old);
        rc_number_format(sample->value, new);
        rc_error_set(error, "at t = %s there is %s already, not %s", at, old, new);
        return rc_error_code(error, "db.other-value", NULL);
    }
    sqlite3_bind_int64(writer->update, 1, writer->id);
    sqlite3_bind_double(writer->update, 2, sample->t);
    sqlite3_bind_double(writer->update, 3, sample->value);
    writer->changed++;
    return rc_db_run(writer->store, writer->update, error);
}

int rc_db_series_writer_add(struct rc_series_writer *writer, const struct rc_sample *sample,
                            struct rc_error *error)
{
    if (!isfinite(sample->t) || !isfinite(sample->value))
        return rc_error_set(error, "a sample is not a number");
    sqlite3_bind_int64(writer->insert, 1, writer->id);
    sqlite3_bind_double(writer->insert, 2, sample->t);
    sqlite3_bind_double(writer->insert, 3, sample->value);
    if (rc_db_run(writer->store, writer->insert, error))
        return -1;
    if (sqlite3_changes(writer->store->db) == 0)
        return meet_known(writer, sample, error);
    writer->added++;
    return 0;
}

int rc_db_series_writer_end(struct rc_series_writer *writer, int status, struct rc_error *error)
{
    sqlite3_stmt *count = NULL;

    if (status == 0 && writer->added > 0) {
        count = rc_db_prepare(writer->store,
                              "UPDATE series SET samples = samples + ?2 WHERE id = ?1", error);
        status = count ? 0 : -1;
    }
    if (count) {
        sqlite3_bind_int64(count, 1, writer->id);
        sqlite3_bind_int64(count, 2, (int64_t)writer->added);
        status = rc_db_run(writer->store, count, error);
    }
    sqlite3_finalize(count);
    sqlite3_finalize(writer->insert);
    sqlite3_finalize(writer->find);
    sqlite3_finalize(writer->update);
    return status;
}

int rc_db_series_add(struct rc_db *store, const struct rc_series_key *key,
                     const struct rc_sample *samples, size_t n_samples, int replace,
                     uint64_t *added, struct rc_error *error)
{
    struct rc_series_writer writer;
    int status;

    if (rc_db_begin(store, error))
        return -1;
    status = rc_db_series_writer_begin(&writer, store, key, replace != 0, error);
    for (size_t i = 0; i < n_samples && status == 0; i++)
        status = rc_db_series_writer_add(&writer, &samples[i], error);
    if (added)
        *added = writer.added + writer.changed;
    status = rc_db_series_writer_end(&writer, status, error);
    return rc_db_end(store, status, error);
}

/* ---- reading ---- */

int rc_db_series_list(struct rc_db *store, const struct rc_series_key *only,
                      int (*each)(void *data, const struct rc_series_info *info), void *data,
                      struct rc_error *error)
{
    static const struct rc_series_key any = {NULL, NULL, NULL};
    sqlite3_stmt *select =
        rc_db_prepare(store,
                      "SELECT id, host, peer, metric, samples,"
                      " (SELECT min(t) FROM sample WHERE series_id = series.id),"
                      " (SELECT max(t) FROM sample WHERE series_id = series.id)"
                      " FROM series WHERE (?1 IS NULL OR host = ?1) AND (?2 IS NULL OR peer = ?2)"
                      " AND (?3 IS NULL OR metric = ?3) ORDER BY host, peer, metric",
                      error);
    struct rc_series_info info;
    int code, status = 0;

    if (!select)
        return -1;
    bind_key(select, only ? only : &any);
    while (status == 0 && (code = sqlite3_step(select)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) {
            status = rc_db_error(store, error);
            break;
        }
        info.id = sqlite3_column_int64(select, 0);
        info.key.host = rc_db_column_text(select, 1);
        info.key.peer = rc_db_column_text(select, 2);
        info.key.metric = rc_db_column_text(select, 3);
        info.samples = (uint64_t)sqlite3_column_int64(select, 4);
        info.first = rc_db_column_number(select, 5);
        info.last = rc_db_column_number(select, 6);
        status = each(data, &info);
    }
    sqlite3_finalize(select);
    return status ? status : rc_db_stood_still(store, error);
}

static void bind_window(sqlite3_stmt *statement, int64_t id, double from, double to)
{
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_double(statement, 2, isnan(from) ? (double)-INFINITY : from);
    sqlite3_bind_double(statement, 3, isnan(to) ? (double)INFINITY : to);
}

int rc_db_series_window(struct rc_db *store, const struct rc_series_key *key, double from,
                        double to, int (*each)(void *data, const struct rc_sample *sample),
                        void *data, struct rc_error *error)
{
    struct rc_sample sample;
    sqlite3_stmt *select;
    int64_t id;
    int code, status = 0, found = check_key(key, error) ? -1 : find_series(store, key, &id, error);

    if (found <= 0)
        return found < 0 ? -1 : no_such_series(store, key, error);
    select = rc_db_prepare(store,
                           "SELECT t, value FROM sample WHERE series_id = ?1 AND t BETWEEN ?2 "
                           "AND ?3 ORDER BY t",
                           error);
    if (!select)
        return -1;
    bind_window(select, id, from, to);
    while (status == 0 && (code = sqlite3_step(select)) != SQLITE_DONE) {
        if (code != SQLITE_ROW) {
            status = rc_db_error(store, error);
            break;
        }
        sample.t = sqlite3_column_double(select, 0);
        sample.value = sqlite3_column_double(select, 1);
        status = each(data, &sample);
    }
    sqlite3_finalize(select);
    return status ? status : rc_db_stood_still(store, error);
}

struct loading {
    struct rc_sample *samples;
    size_t n, capacity, inside;
    double from;
    struct rc_error *error;
};

static int load_sample(void *data, const struct rc_sample *sample)
{
    struct loading *loading = data;
    struct rc_sample *more;

    if (loading->n == RC_SERIES_LOAD_MAX) {
        rc_error_set(loading->error, "there are more than %d samples in the window",
                     RC_SERIES_LOAD_MAX);
        return rc_error_hint(loading->error, "take a shorter window");
    }
    if (loading->n == loading->capacity) {
        loading->capacity = loading->capacity ? 2 * loading->capacity : 256;
        more = realloc(loading->samples, loading->capacity * sizeof *more);
        if (!more)
            return rc_error_no_memory(loading->error);
        loading->samples = more;
    }
    loading->inside += sample->t >= loading->from;
    loading->samples[loading->n++] = *sample;
    return 0;
}

/* The time of the last sample before `limit`; NAN where there is none. */
static int last_before(struct rc_db *store, int64_t id, double limit, double *when,
                       struct rc_error *error)
{
    sqlite3_stmt *select =
        rc_db_prepare(store, "SELECT max(t) FROM sample WHERE series_id = ?1 AND t < ?2", error);
    int code;

    if (!select)
        return -1;
    sqlite3_bind_int64(select, 1, id);
    sqlite3_bind_double(select, 2, limit);
    code = sqlite3_step(select);
    if (code == SQLITE_ROW)
        *when = rc_db_column_number(select, 0);
    else
        rc_db_error(store, error);
    sqlite3_finalize(select);
    return code == SQLITE_ROW ? 0 : -1;
}

int rc_db_series_last_begin(struct rc_db *store, const struct rc_series_key *key, double to,
                            uint64_t most, double *from, struct rc_error *error)
{
    sqlite3_stmt *select;
    int64_t id;
    int code, found = check_key(key, error) ? -1 : find_series(store, key, &id, error);

    *from = -INFINITY;
    if (found <= 0)
        return found < 0 ? -1 : no_such_series(store, key, error);
    select = rc_db_prepare(store,
                           "SELECT t FROM sample WHERE series_id = ?1 AND t <= ?2 "
                           "ORDER BY t DESC LIMIT 1 OFFSET ?3",
                           error);
    if (!select)
        return -1;
    sqlite3_bind_int64(select, 1, id);
    sqlite3_bind_double(select, 2, to);
    sqlite3_bind_int64(select, 3, (int64_t)(most - 1));
    code = sqlite3_step(select);
    if (code == SQLITE_ROW)
        *from = sqlite3_column_double(select, 0);
    else if (code != SQLITE_DONE)
        rc_db_error(store, error);
    sqlite3_finalize(select);
    return code == SQLITE_ROW || code == SQLITE_DONE ? 0 : -1;
}

static int empty_window(struct rc_db *store, const struct rc_series_key *key, int64_t id,
                        double from, double to, struct rc_error *error)
{
    char name[DESCRIPTION_SIZE], first[RC_TIME_SIZE], last[RC_TIME_SIZE], newest[RC_TIME_SIZE];
    double when = NAN;

    if (last_before(store, id, INFINITY, &when, error))
        return -1;
    describe(key, name, sizeof name);
    rc_timestamp_format(floor(from), first);
    rc_timestamp_format(ceil(to), last);
    rc_timestamp_format(ceil(when), newest); /* so that the window up to there has it inside */
    if (from > -INFINITY)
        rc_error_set(error, "the series %s has no sample from %s to %s", name, first, last);
    else
        rc_error_set(error, "the series %s has no sample up to %s", name, last);
    return rc_error_code(error, "db.no-sample", "%s%s", newest,
                         when < from ? "\n, or a longer window" : "");
}

int rc_db_series_load(struct rc_db *store, const struct rc_series_key *key, double from, double to,
                      struct rc_sample **samples, size_t *n_samples, struct rc_error *error)
{
    struct loading loading = {.from = from, .error = error};
    double start = NAN;
    int64_t id;
    int found = check_key(key, error) ? -1 : find_series(store, key, &id, error), status;

    *samples = NULL;
    *n_samples = 0;
    if (found <= 0)
        return found < 0 ? -1 : no_such_series(store, key, error);
    status = last_before(store, id, from, &start, error);
    if (status == 0)
        status = rc_db_series_window(store, key, isnan(start) ? from : start, to, load_sample,
                                     &loading, error);
    if (status == 0 && loading.inside == 0)
        status = empty_window(store, key, id, from, to, error);
    if (status) {
        free(loading.samples);
        return -1;
    }
    *samples = loading.samples;
    *n_samples = loading.n;
    return 0;
}

/* ---- deleting ---- */

static int delete_window(struct rc_db *store, int64_t id, double from, double to, uint64_t *deleted,
                         struct rc_error *error)
{
    static const char *const steps[] = {
        "DELETE FROM sample WHERE series_id = ?1 AND t BETWEEN ?2 AND ?3",
        "UPDATE series SET samples = samples - ?2 WHERE id = ?1",
        "DELETE FROM series WHERE id = ?1 AND samples = 0",
    };
    int status = 0;

    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == 0; i++) {
        sqlite3_stmt *step = rc_db_prepare(store, steps[i], error);

        if (!step)
            return -1;
        if (i == 0)
            bind_window(step, id, from, to);
        sqlite3_bind_int64(step, 1, id);
        if (i == 1)
            sqlite3_bind_int64(step, 2, (int64_t)*deleted);
        status = rc_db_run(store, step, error);
        if (i == 0)
            *deleted = (uint64_t)sqlite3_changes64(store->db);
        sqlite3_finalize(step);
    }
    return status;
}

int rc_db_series_delete(struct rc_db *store, const struct rc_series_key *key, double from,
                        double to, uint64_t *deleted, struct rc_error *error)
{
    int64_t id;
    int status;

    if (check_key(key, error) || rc_db_begin(store, error))
        return -1;
    status = find_series(store, key, &id, error);
    if (status == 0)
        status = no_such_series(store, key, error);
    else if (status == 1) {
        store->pulse = true;
        status = delete_window(store, id, from, to, deleted, error);
        store->pulse = false;
    }
    return rc_db_end(store, status, error);
}
