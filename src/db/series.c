// SPDX-License-Identifier: GPL-3.0-or-later
/* series.c - series of samples in the database. */
#include "db/series.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/nearest_word.h"
#include "base/number.h"
#include "base/text.h"
#include "base/timestamp.h"

enum { NAME_MAX_BYTES = 255, DESCRIPTION_SIZE = 3 * NAME_MAX_BYTES + 16 };

static int check_name(const char *what, const char *name, bool required, struct rc_error *error)
{
    if (!name || (required && !*name))
        return rc_error_set(error, "a series needs the name of its %s", what);
    if (strlen(name) > NAME_MAX_BYTES || !rc_text_is_printable(name, strlen(name)))
        return rc_error_set(error, "the name of the %s is too long or not plain UTF-8 text", what);
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

/* 1: `*id` is that of the series; 0: none. */
static int find_series(struct rc_db *store, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    sqlite3_stmt *find =
        rc_db_query(store, error,
                    "SELECT id FROM series WHERE host = ? AND peer = ? AND metric = ?", "sss",
                    key->host, key->peer, key->metric);
    int found = find ? rc_db_step(store, find, error) : -1;

    if (found > 0)
        *id = sqlite3_column_int64(find, 0);
    sqlite3_finalize(find);
    return found;
}

/* A name for messages: 'cpu' of a1, 'bw' of a1:a2. */
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
    *distance += rc_nearest_distance(word, candidate);
    return strcmp(word, candidate) == 0 || rc_nearest_word(word, &candidate, 1, sizeof candidate);
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
    rc_error_set(error, "no series %s", name);
    if (nearest.found[0])
        return rc_error_code(error, "db.no-such-series", "%s", nearest.found);
    return rc_error_code(error, "db.no-series", NULL);
}

/* ---- writing ---- */

int rc_db_series_writer_begin(struct rc_series_writer *writer, struct rc_db *store,
                              const struct rc_series_key *key, bool replace, struct rc_error *error)
{
    int found;

    *writer = (struct rc_series_writer){.store = store, .replace = replace};
    found = check_key(key, error) ? -1 : find_series(store, key, &writer->id, error);
    if (found < 0)
        return -1;
    if (!found) {
        if (rc_db_execute(store, error, "INSERT INTO series (host, peer, metric) VALUES (?, ?, ?)",
                          "sss", key->host, key->peer, key->metric))
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
    int found;

    rc_db_bind(writer->find, "If", writer->id, sample->t);
    found = rc_db_step(writer->store, writer->find, error);
    value = found > 0 ? sqlite3_column_double(writer->find, 0) : (double)NAN;
    sqlite3_reset(writer->find);
    if (found <= 0)
        return -1;
    if (value == sample->value) {
        writer->there_already++;
        return 0;
    }
    if (!writer->replace) {
        writer->clash = true;
        rc_number_format(sample->t, at);
        rc_number_format(value, old);
        rc_number_format(sample->value, new);
        rc_error_set(error, "t = %s already has the value %s, not %s", at, old, new);
        return rc_error_code(error, "db.other-value", NULL);
    }
    rc_db_bind(writer->update, "Iff", writer->id, sample->t, sample->value);
    writer->changed++;
    return rc_db_run(writer->store, writer->update, error);
}

int rc_db_series_writer_add(struct rc_series_writer *writer, const struct rc_sample *sample,
                            struct rc_error *error)
{
    if (!isfinite(sample->t) || !isfinite(sample->value))
        return rc_error_set(error, "a sample is not a number");
    rc_db_bind(writer->insert, "Iff", writer->id, sample->t, sample->value);
    if (rc_db_run(writer->store, writer->insert, error))
        return -1;
    if (sqlite3_changes(writer->store->db) == 0)
        return meet_known(writer, sample, error);
    writer->added++;
    return 0;
}

int rc_db_series_writer_end(struct rc_series_writer *writer, int status, struct rc_error *error)
{
    if (status == 0 && writer->added > 0)
        status = rc_db_execute(writer->store, error,
                               "UPDATE series SET samples = samples + ?2 WHERE id = ?1", "II",
                               writer->id, (int64_t)writer->added);
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
    const struct rc_series_key any = {NULL, NULL, NULL}, *key = only ? only : &any;
    sqlite3_stmt *select =
        rc_db_query(store, error,
                    "SELECT id, host, peer, metric, samples,"
                    " (SELECT min(t) FROM sample WHERE series_id = series.id),"
                    " (SELECT max(t) FROM sample WHERE series_id = series.id)"
                    " FROM series WHERE (?1 IS NULL OR host = ?1) AND (?2 IS NULL OR peer = ?2)"
                    " AND (?3 IS NULL OR metric = ?3) ORDER BY host, peer, metric",
                    "sss", key->host, key->peer, key->metric);
    int got = -1, status = select ? 0 : -1;

    while (status == 0 && (got = rc_db_step(store, select, error)) > 0) {
        struct rc_series_info info = {.id = sqlite3_column_int64(select, 0),
                                      .key.host = rc_db_column_text(select, 1),
                                      .key.peer = rc_db_column_text(select, 2),
                                      .key.metric = rc_db_column_text(select, 3),
                                      .samples = (uint64_t)sqlite3_column_int64(select, 4),
                                      .first = rc_db_column_number(select, 5),
                                      .last = rc_db_column_number(select, 6)};

        status = each(data, &info);
    }
    sqlite3_finalize(select);
    if (status == 0)
        status = got;
    return status ? status : rc_db_stood_still(store, error);
}

static double from_or_first(double from)
{
    return isnan(from) ? (double)-INFINITY : from;
}

static double to_or_last(double to)
{
    return isnan(to) ? (double)INFINITY : to;
}

/* 1 as find_series(); a series that is not there is an error. */
static int need_series(struct rc_db *store, const struct rc_series_key *key, int64_t *id,
                       struct rc_error *error)
{
    int found = check_key(key, error) ? -1 : find_series(store, key, id, error);

    return found ? found : no_such_series(store, key, error);
}

int rc_db_series_window(struct rc_db *store, const struct rc_series_key *key, double from,
                        double to, int (*each)(void *data, const struct rc_sample *sample),
                        void *data, struct rc_error *error)
{
    sqlite3_stmt *select;
    int64_t id;
    int got = -1, status;

    if (need_series(store, key, &id, error) < 0)
        return -1;
    select = rc_db_query(store, error,
                         "SELECT t, value FROM sample WHERE series_id = ?1 AND t BETWEEN ?2 "
                         "AND ?3 ORDER BY t",
                         "Iff", id, from_or_first(from), to_or_last(to));
    status = select ? 0 : -1;
    while (status == 0 && (got = rc_db_step(store, select, error)) > 0) {
        struct rc_sample sample = {.t = sqlite3_column_double(select, 0),
                                   .value = sqlite3_column_double(select, 1)};

        status = each(data, &sample);
    }
    sqlite3_finalize(select);
    if (status == 0)
        status = got;
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

    if (loading->n == RC_SERIES_LOAD_MAX) {
        rc_error_set(loading->error, "more than %d samples in the window", RC_SERIES_LOAD_MAX);
        return rc_error_hint(loading->error, "use a shorter window");
    }
    if (rc_array_room(&loading->samples, loading->n + 1, &loading->capacity, sizeof *sample,
                      loading->error))
        return -1;
    loading->inside += sample->t >= loading->from;
    loading->samples[loading->n++] = *sample;
    return 0;
}

/* The time of the last sample before `limit`; NAN if there is none. */
static int last_before(struct rc_db *store, int64_t id, double limit, double *when,
                       struct rc_error *error)
{
    sqlite3_stmt *select =
        rc_db_query(store, error, "SELECT max(t) FROM sample WHERE series_id = ?1 AND t < ?2", "If",
                    id, limit);
    int got = select ? rc_db_step(store, select, error) : -1;

    if (got > 0)
        *when = rc_db_column_number(select, 0);
    sqlite3_finalize(select);
    return got > 0 ? 0 : -1;
}

int rc_db_series_last_begin(struct rc_db *store, const struct rc_series_key *key, double to,
                            uint64_t most, double *from, struct rc_error *error)
{
    sqlite3_stmt *select;
    int64_t id;
    int got;

    *from = -INFINITY;
    if (need_series(store, key, &id, error) < 0)
        return -1;
    select = rc_db_query(store, error,
                         "SELECT t FROM sample WHERE series_id = ?1 AND t <= ?2 "
                         "ORDER BY t DESC LIMIT 1 OFFSET ?3",
                         "IfI", id, to, (int64_t)(most - 1));
    got = select ? rc_db_step(store, select, error) : -1;
    if (got > 0)
        *from = sqlite3_column_double(select, 0);
    sqlite3_finalize(select);
    return got < 0 ? -1 : 0;
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
    int status;

    *samples = NULL;
    *n_samples = 0;
    if (need_series(store, key, &id, error) < 0)
        return -1;
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
    if (rc_db_execute(store, error,
                      "DELETE FROM sample WHERE series_id = ?1 AND t BETWEEN ?2 AND ?3", "Iff", id,
                      from_or_first(from), to_or_last(to)))
        return -1;
    *deleted = (uint64_t)sqlite3_changes64(store->db);
    return rc_db_execute(store, error, "UPDATE series SET samples = samples - ?2 WHERE id = ?1",
                         "II", id, (int64_t)*deleted) ||
                   rc_db_execute(store, error, "DELETE FROM series WHERE id = ?1 AND samples = 0",
                                 "I", id)
               ? -1
               : 0;
}

int rc_db_series_delete(struct rc_db *store, const struct rc_series_key *key, double from,
                        double to, uint64_t *deleted, struct rc_error *error)
{
    int64_t id;
    int status;

    if (rc_db_begin(store, error))
        return -1;
    status = need_series(store, key, &id, error) < 0 ? -1 : 0;
    if (status == 0) {
        store->pulse = true;
        status = delete_window(store, id, from, to, deleted, error);
        store->pulse = false;
    }
    return rc_db_end(store, status, error);
}
