// SPDX-License-Identifier: GPL-3.0-or-later
/* series_batch.c - adds samples of many series, repeatedly, a few of each at a time.
 *
 * Invariant: the cached ids are those of the database after our last commit. They are dropped when
 * our transaction fails, since it may have made them, and when another process has written (PRAGMA
 * data_version), since it may have deleted the series and reused its id. */
#include "db/series_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "db/internal.h"

enum { NAME_MAX_BYTES = 255 };

struct entry {
    char *host, *peer, *metric;
    int64_t id;     /* 0: not known */
    uint64_t added; /* by the transaction that goes on */
};

struct rc_series_batch {
    struct rc_db *store;
    sqlite3_stmt *version, *find, *make, *insert, *count;
    struct entry *entries;
    size_t n, capacity;
    int64_t seen_version; /* 0: none */
};

/* ---- making ---- */

static int prepare(struct rc_series_batch *batch, struct rc_error *error)
{
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } wanted[] = {
        {&batch->version, "PRAGMA data_version"},
        {&batch->find, "SELECT id FROM series WHERE host = ? AND peer = ? AND metric = ?"},
        {&batch->make, "INSERT INTO series (host, peer, metric) VALUES (?, ?, ?)"},
        {&batch->insert, "INSERT OR IGNORE INTO sample VALUES (?, ?, ?)"},
        {&batch->count, "UPDATE series SET samples = samples + ?2 WHERE id = ?1"},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!(*wanted[i].statement = rc_db_prepare(batch->store, wanted[i].sql, error)))
            return -1;
    return 0;
}

struct rc_series_batch *rc_db_series_batch_create(struct rc_db *store, struct rc_error *error)
{
    struct rc_series_batch *batch = calloc(1, sizeof *batch);

    if (!batch) {
        rc_error_no_memory(error);
        return NULL;
    }
    batch->store = store;
    if (prepare(batch, error)) {
        rc_db_series_batch_destroy(batch);
        return NULL;
    }
    return batch;
}

void rc_db_series_batch_destroy(struct rc_series_batch *batch)
{
    if (!batch)
        return;
    sqlite3_finalize(batch->version);
    sqlite3_finalize(batch->find);
    sqlite3_finalize(batch->make);
    sqlite3_finalize(batch->insert);
    sqlite3_finalize(batch->count);
    for (size_t i = 0; i < batch->n; i++) {
        free(batch->entries[i].host);
        free(batch->entries[i].peer);
        free(batch->entries[i].metric);
    }
    free(batch->entries);
    free(batch);
}

static int check_name(const char *what, const char *name, struct rc_error *error)
{
    size_t length = name ? strlen(name) : 0;

    if (length <= NAME_MAX_BYTES && rc_text_is_printable(name ? name : "", length))
        return 0;
    return rc_error_set(error, "the name of the %s is too long or not plain UTF-8 text", what);
}

int rc_db_series_batch_series(struct rc_series_batch *batch, const struct rc_series_key *key,
                              size_t *series, struct rc_error *error)
{
    struct entry entry = {.id = 0};

    if (check_name("host", key->host, error) || check_name("peer", key->peer, error) ||
        check_name("metric", key->metric, error))
        return -1;
    if (!key->host || !*key->host || !key->metric || !*key->metric)
        return rc_error_set(error, "a series needs the names of its host and its metric");
    if (rc_array_room(&batch->entries, batch->n + 1, &batch->capacity, sizeof entry, error))
        return -1;
    entry.host = strdup(key->host);
    entry.peer = strdup(key->peer ? key->peer : "");
    entry.metric = strdup(key->metric);
    if (!entry.host || !entry.peer || !entry.metric) {
        free(entry.host);
        free(entry.peer);
        free(entry.metric);
        return rc_error_no_memory(error);
    }
    *series = batch->n;
    batch->entries[batch->n++] = entry;
    return 0;
}

/* ---- writing ---- */

static void forget_ids(struct rc_series_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++)
        batch->entries[i].id = 0;
    batch->seen_version = 0;
}

/* Drops the ids if another process has written. */
static int look_at_version(struct rc_series_batch *batch, struct rc_error *error)
{
    int64_t version = 0;
    int got = rc_db_step(batch->store, batch->version, error);

    if (got > 0)
        version = sqlite3_column_int64(batch->version, 0);
    sqlite3_reset(batch->version);
    if (got <= 0)
        return -1;
    if (version != batch->seen_version)
        forget_ids(batch);
    batch->seen_version = version;
    return 0;
}

static int find_or_make(struct rc_series_batch *batch, struct entry *entry, struct rc_error *error)
{
    int found;

    rc_db_bind(batch->find, "sss", entry->host, entry->peer, entry->metric);
    found = rc_db_step(batch->store, batch->find, error);
    if (found > 0)
        entry->id = sqlite3_column_int64(batch->find, 0);
    sqlite3_reset(batch->find);
    if (found)
        return found < 0 ? -1 : 0;
    rc_db_bind(batch->make, "sss", entry->host, entry->peer, entry->metric);
    if (rc_db_run(batch->store, batch->make, error))
        return -1;
    entry->id = sqlite3_last_insert_rowid(batch->store->db);
    return 0;
}

static int add_sample(struct rc_series_batch *batch, const struct rc_series_batch_sample *sample,
                      struct rc_error *error)
{
    struct entry *entry;

    if (sample->series >= batch->n)
        return rc_error_set(error, "a sample of an unknown series");
    if (!isfinite(sample->t) || !isfinite(sample->value))
        return rc_error_set(error, "a sample is not a number");
    entry = &batch->entries[sample->series];
    if (!entry->id && find_or_make(batch, entry, error))
        return -1;
    rc_db_bind(batch->insert, "Iff", entry->id, sample->t, sample->value);
    if (rc_db_run(batch->store, batch->insert, error))
        return -1;
    entry->added += sqlite3_changes(batch->store->db) > 0;
    return 0;
}

static int count_samples(struct rc_series_batch *batch, uint64_t *added, struct rc_error *error)
{
    for (size_t i = 0; i < batch->n; i++) {
        const struct entry *entry = &batch->entries[i];

        if (entry->added == 0)
            continue;
        *added += entry->added;
        rc_db_bind(batch->count, "II", entry->id, (int64_t)entry->added);
        if (rc_db_run(batch->store, batch->count, error))
            return -1;
    }
    return 0;
}

int rc_db_series_batch_write(struct rc_series_batch *batch,
                             const struct rc_series_batch_sample *samples, size_t n,
                             double patience, uint64_t *added, struct rc_error *error)
{
    uint64_t count = 0;
    int status;

    if (added)
        *added = 0;
    if (rc_db_begin_within(batch->store, patience, error))
        return -1;
    for (size_t i = 0; i < batch->n; i++)
        batch->entries[i].added = 0;
    status = look_at_version(batch, error);
    for (size_t i = 0; i < n && status == 0; i++)
        status = add_sample(batch, &samples[i], error);
    if (status == 0)
        status = count_samples(batch, &count, error);
    status = rc_db_end(batch->store, status, error);
    if (status)
        forget_ids(batch);
    else if (added)
        *added = count;
    return status;
}
