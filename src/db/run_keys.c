// SPDX-License-Identifier: GPL-3.0-or-later
/* run_keys.c - recognizes runs by a key.
 *
 * A hash table has the keys of the runs of each app, with a digest of their contents. Parameters,
 * metadata and times have no order, so their hashes are added up. */
#include "db/run_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "db/run.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* A run; of several with the same key, the first is in the hash table. An app has an entry, too,
 * with an empty key, once its runs were read. */
struct entry {
    int64_t id;
    uint64_t contents;
    struct entry *next;
    UT_hash_handle hh;
    size_t length;
    char text[]; /* app, NUL, key */
};

struct rc_run_keys {
    struct rc_db *store;
    const char *name;
    struct entry *entries;
};

struct rc_run_keys *rc_db_run_keys_create(struct rc_db *store, const char *name)
{
    struct rc_run_keys *keys = calloc(1, sizeof *keys);

    if (keys) {
        keys->store = store;
        keys->name = name;
    }
    return keys;
}

void rc_db_run_keys_destroy(struct rc_run_keys *keys)
{
    struct entry *entry, *following;

    if (!keys)
        return;
    HASH_ITER(hh, keys->entries, entry, following)
    {
        HASH_DEL(keys->entries, entry);
        for (struct entry *next; entry; entry = next) {
            next = entry->next;
            free(entry);
        }
    }
    free(keys);
}

/* The key as text; NULL: the run has none. */
static const char *key_of(const struct rc_run *run, const char *name, char number[RC_NUMBER_SIZE])
{
    for (size_t i = 0; i < run->n_meta; i++)
        if (strcmp(run->meta[i].name, name) == 0)
            return run->meta[i].text;
    for (size_t i = 0; i < run->n_params; i++)
        if (strcmp(run->params[i].name, name) == 0) {
            rc_number_format(run->params[i].value, number);
            return number;
        }
    return NULL;
}

bool rc_db_run_has_key(const struct rc_run *run, const char *name)
{
    char number[RC_NUMBER_SIZE];

    return key_of(run, name, number) != NULL;
}

/* ---- contents ---- */

/* FNV-1a, with 64 bits. */
static uint64_t hash(uint64_t sum, const void *data, size_t length)
{
    const unsigned char *at = data;

    for (size_t i = 0; i < length; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t hash_text(uint64_t sum, const char *text)
{
    return text ? hash(sum, text, strlen(text) + 1) : hash(sum, "", 1);
}

static uint64_t hash_number(uint64_t sum, double value)
{
    char number[RC_NUMBER_SIZE];

    rc_number_format(value, number);
    return hash_text(sum, number);
}

static uint64_t contents_of(const struct rc_run *run)
{
    static const uint64_t start = UINT64_C(0xcbf29ce484222325);
    const double numbers[] = {run->n,          (double)run->p,     run->seconds,
                              run->start,      run->memory,        run->cpu_minavg,
                              run->cpu_avgmin, run->bw_minavg,     run->bw_avgmin,
                              run->bytes_read, run->bytes_written, (double)run->status};
    uint64_t sum = hash_text(hash_text(start, run->platform), run->hosts);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sum = hash_number(sum, numbers[i]);
    for (size_t i = 0; i < run->n_params; i++)
        sum += hash_number(hash_text(start, run->params[i].name), run->params[i].value);
    for (size_t i = 0; i < run->n_meta; i++)
        sum += hash_text(hash_text(start, run->meta[i].name), run->meta[i].text);
    for (size_t i = 0; i < run->n_times; i++)
        sum +=
            hash_number(hash_number(hash_text(start, run->times[i].phase), run->times[i].process),
                        run->times[i].seconds);
    return sum;
}

/* ---- entries ---- */

static struct entry *make_entry(const char *app, const char *key)
{
    size_t app_length = strlen(app), key_length = strlen(key);
    struct entry *entry = calloc(1, sizeof *entry + app_length + key_length + 2);

    if (!entry)
        return NULL;
    memcpy(entry->text, app, app_length);
    memcpy(entry->text + app_length + 1, key, key_length);
    entry->length = app_length + key_length + 1;
    return entry;
}

static struct entry *find(const struct rc_run_keys *keys, const struct entry *like)
{
    struct entry *found;

    HASH_FIND(hh, keys->entries, like->text, like->length, found);
    return found;
}

/* Takes over the entry. */
static int add(struct rc_run_keys *keys, struct entry *entry, struct rc_error *error)
{
    struct entry *first = find(keys, entry);

    if (first) {
        entry->next = first->next;
        first->next = entry;
        return 0;
    }
    HASH_ADD_KEYPTR(hh, keys->entries, entry->text, entry->length, entry);
    if (entry->hh.tbl)
        return 0;
    free(entry);
    return rc_error_no_memory(error);
}

/* NULL: no memory, or the run has no key. */
static struct entry *entry_of(const struct rc_run_keys *keys, const struct rc_run *run)
{
    char number[RC_NUMBER_SIZE];
    const char *key = key_of(run, keys->name, number);
    struct entry *entry = key ? make_entry(run->app, key) : NULL;

    if (entry) {
        entry->id = run->id;
        entry->contents = contents_of(run);
    }
    return entry;
}

static int read_runs(struct rc_run_keys *keys, const char *app, struct rc_error *error)
{
    struct rc_run_filter filter;
    struct rc_run_cursor *cursor;
    struct rc_run run;
    int got;

    rc_db_run_filter_init(&filter);
    filter.app = app;
    cursor = rc_db_run_find(keys->store, &filter, RC_FIELD_ALL, error);
    got = cursor ? 1 : -1;
    while (got > 0 && (got = rc_db_run_next(cursor, &run, error)) > 0) {
        struct entry *entry;

        if (!rc_db_run_has_key(&run, keys->name))
            continue;
        entry = entry_of(keys, &run);
        if (!entry)
            got = rc_error_no_memory(error);
        else if (add(keys, entry, error))
            got = -1;
    }
    rc_db_run_cursor_close(cursor);
    return got;
}

/* Reads the runs of the app, unless it was done before. */
static int meet_app(struct rc_run_keys *keys, const char *app, struct rc_error *error)
{
    struct entry *entry = make_entry(app, "");

    if (!entry)
        return rc_error_no_memory(error);
    if (find(keys, entry)) {
        free(entry);
        return 0;
    }
    return add(keys, entry, error) || read_runs(keys, app, error) ? -1 : 0;
}

int rc_db_run_keys_look_up(struct rc_run_keys *keys, const struct rc_run *run, int64_t *id,
                           enum rc_key_match *match, struct rc_error *error)
{
    struct entry *entry, *found;

    if (meet_app(keys, run->app, error))
        return -1;
    entry = entry_of(keys, run);
    if (!entry)
        return rc_error_no_memory(error);
    found = find(keys, entry);
    if (!found) {
        *match = RC_KEY_NEW;
        entry->id = *id;
        return add(keys, entry, error);
    }
    *match = RC_KEY_DIFFERS;
    *id = found->id;
    for (; found && *match == RC_KEY_DIFFERS; found = found->next)
        if (found->contents == entry->contents)
            *match = RC_KEY_KNOWN;
    free(entry);
    return 0;
}
