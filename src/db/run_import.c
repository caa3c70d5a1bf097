// SPDX-License-Identifier: GPL-3.0-or-later
/* run_import.c - imports a table of runs, all of it or none.
 *
 * The first reading finds the faults, the numeric columns, and the digest of the content.  Then one
 * transaction looks up the digest and reads the table again into the database. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "db/csv_reader.h"
#include "db/import_log.h"
#include "db/run.h"
#include "db/run_column_names.h"
#include "db/run_csv.h"
#include "db/run_keys.h"

enum { NAME_MAX_BYTES = 200 };

/* How many apps of a table, and of their runs, are looked up to find out what columns are. */
enum { APPS_FOLLOWED = 16, RUNS_FOLLOWED = 1000 };

struct importing {
    struct rc_table_reader reader;
    struct rc_db_run_import *import;
    struct rc_time_zone *zone; /* NULL: UTC */
    struct rc_run_table *table;
    struct rc_run_writer *writer; /* during the second reading */
    struct rc_run_keys *keys;     /* ... or NULL */
    char *apps[APPS_FOLLOWED];    /* the first ones in the table */
    size_t n_apps;
};

static struct rc_run_table_options options_of(const struct importing *i)
{
    return (struct rc_run_table_options){
        .app = i->import->app,
        .platform = i->import->platform,
        .renames = i->import->renames,
        .n_renames = i->import->n_renames,
        .ignored = i->import->ignored,
        .n_ignored = i->import->n_ignored,
        .params = i->import->params,
        .n_params = i->import->n_params,
        .meta = i->import->meta,
        .n_meta = i->import->n_meta,
        .key = i->import->key,
        .zone = i->zone,
    };
}

static bool is_heading(void *data, const char *text)
{
    const struct rc_run_table_options options = options_of(data);

    return rc_db_run_table_knows(&options, text);
}

static int read_header(void *data, const struct rc_csv_row *row, struct rc_error *error)
{
    struct importing *i = data;
    const struct rc_run_table_options options = options_of(i);

    i->table = rc_db_run_table_create(row, i->reader.input.name, &options, error);
    return i->table ? 0 : -1;
}

static int meet_app(struct importing *i, const char *app, struct rc_error *error)
{
    for (size_t k = 0; k < i->n_apps; k++)
        if (strcmp(i->apps[k], app) == 0)
            return 0;
    if (i->n_apps == APPS_FOLLOWED)
        return 0;
    i->apps[i->n_apps] = strdup(app);
    return i->apps[i->n_apps] ? (i->n_apps++, 0) : rc_error_no_memory(error);
}

/* Whether the run is to be added. */
static int look_up_key(struct importing *i, const struct rc_run *run, unsigned line, bool *is_new,
                       struct rc_error *error)
{
    struct rc_error note;
    enum rc_key_match match;
    int64_t id = i->writer->next_id;

    if (rc_db_run_keys_look_up(i->keys, run, &id, &match, error))
        return -1;
    *is_new = match == RC_KEY_NEW;
    i->import->known_rows += match == RC_KEY_KNOWN;
    if (match != RC_KEY_DIFFERS)
        return 0;
    i->import->differing_rows++;
    rc_error_at(&note, i->reader.input.name, line, 1,
                "differs from run %lld with the same '%s'; not changed", (long long)id,
                rc_db_run_table_key(i->table));
    if (i->import->note)
        i->import->note(i->import->note_data, &note);
    return 0;
}

static enum rc_row_result read_row(void *data, const struct rc_csv_row *row, bool storing,
                                   struct rc_error *error)
{
    struct importing *i = data;
    struct rc_run run;
    bool is_new = true;

    if (rc_db_run_table_row(i->table, row, &run, error))
        return RC_ROW_BAD;
    if (!storing)
        return meet_app(i, run.app, error) ? RC_ROW_FAILED : RC_ROW_GOOD;
    if (i->keys && look_up_key(i, &run, row->line, &is_new, error))
        return RC_ROW_FAILED;
    if (!is_new)
        return RC_ROW_GOOD;
    run.import_id = i->import->id;
    if (rc_db_run_writer_add(i->writer, &run, error))
        return RC_ROW_FAILED;
    i->import->added++;
    return RC_ROW_GOOD;
}

/* ---- first reading ---- */

static void add_option(struct rc_digest *digest, const char *name, const char *value)
{
    if (!value)
        return;
    rc_digest_add(digest, name, strlen(name) + 1);
    rc_digest_add(digest, value, strlen(value) + 1);
}

/* What is a parameter of the last runs of an app remains one, and so do metadata. */
static int follow_earlier_runs(struct importing *i, struct rc_db *store, struct rc_error *error)
{
    struct rc_run_filter filter;
    int got = 0;

    rc_db_run_filter_init(&filter);
    filter.last = RUNS_FOLLOWED;
    for (size_t k = 0; k < i->n_apps && got == 0 && rc_db_run_table_is_open(i->table); k++) {
        struct rc_run_cursor *cursor;
        struct rc_run run;

        filter.app = i->apps[k];
        cursor = rc_db_run_find(store, &filter, RC_FIELD_PARAMS | RC_FIELD_META, error);
        got = cursor ? 1 : -1;
        while (got > 0 && (got = rc_db_run_next(cursor, &run, error)) > 0)
            rc_db_run_table_follow(i->table, &run);
        rc_db_run_cursor_close(cursor);
    }
    return got;
}

static int look_through(struct rc_db *store, struct importing *i,
                        char digest_text[RC_DIGEST_TEXT_SIZE], struct rc_error *error)
{
    struct rc_digest digest;
    struct rc_error mixed;

    rc_digest_begin(&digest);
    i->reader.input.digest = &digest;
    if (rc_db_table_reader_look(&i->reader, error))
        return -1;
    i->reader.input.digest = NULL;
    if (follow_earlier_runs(i, store, error))
        return -1;
    if (rc_db_run_table_settle(i->table, &mixed))
        rc_db_table_reader_fault(&i->reader, &mixed);
    if (!i->import->skip_bad && rc_db_table_reader_refuse(&i->reader, error))
        return -1;
    /* With another app or other names of columns, the same file is another table. */
    add_option(&digest, "app", i->import->app);
    add_option(&digest, "platform", i->import->platform);
    for (size_t k = 0; k < i->import->n_renames; k++)
        add_option(&digest, i->import->renames[k].heading, i->import->renames[k].name);
    for (size_t k = 0; k < i->import->n_ignored; k++)
        add_option(&digest, "ignore", i->import->ignored[k]);
    for (size_t k = 0; k < i->import->n_params; k++)
        add_option(&digest, "param", i->import->params[k]);
    for (size_t k = 0; k < i->import->n_meta; k++)
        add_option(&digest, "meta", i->import->meta[k]);
    add_option(&digest, "key", i->import->key);
    add_option(&digest, "tz", i->import->tz);
    rc_digest_end(&digest, digest_text);
    return 0;
}

/* ---- storing ---- */

static int store_rows(struct rc_db *store, struct importing *i, struct rc_error *error)
{
    struct rc_run_writer writer;
    int status = rc_db_run_writer_begin(&writer, store, error);
    int64_t first = writer.next_id;

    i->writer = &writer;
    if (status == 0 && i->import->key &&
        !(i->keys = rc_db_run_keys_create(store, rc_db_run_table_key(i->table))))
        status = rc_error_no_memory(error);
    if (status == 0)
        status = rc_db_table_reader_store(&i->reader, error);
    i->import->skipped = i->reader.skipped;
    if (status == 0 && i->import->added == 0 && i->import->skipped > 0 &&
        i->import->known_rows + i->import->differing_rows == 0)
        status =
            rc_error_set(error, "no valid rows (%llu bad)", (unsigned long long)i->import->skipped);
    if (status == 0 && !i->import->key)
        status = rc_db_import_count_repeated(store, first, i->import, error);
    return rc_db_run_writer_end(&writer, status, error);
}

static int store_import(struct rc_db *store, struct importing *i, const char *digest,
                        struct rc_error *error)
{
    int found = rc_db_import_find(store, digest, i->import, error);

    if (found)
        return found < 0 ? -1 : 0;
    if (i->import->note && i->reader.separator_note.text[0])
        i->import->note(i->import->note_data, &i->reader.separator_note);
    rc_db_run_table_describe(i->table, i->import->note, i->import->note_data);
    return rc_db_import_add(store, digest, i->reader.input.name, i->import, error) ||
                   store_rows(store, i, error) || rc_db_import_finish(store, i->import, error)
               ? -1
               : 0;
}

static bool is_name(const char *name)
{
    return *name && strlen(name) <= NAME_MAX_BYTES && rc_text_is_printable(name, strlen(name));
}

static int check_names(const struct rc_db_run_import *import, struct rc_error *error)
{
    if (import->app && !is_name(import->app))
        return rc_error_set(error,
                            "the name of the app is empty, too long or not plain UTF-8 text");
    if (import->platform && !is_name(import->platform))
        return rc_error_set(error,
                            "the name of the platform is empty, too long or not plain UTF-8 text");
    for (size_t i = 0; i < import->n_renames; i++)
        if (!is_name(import->renames[i].name))
            return rc_error_set(error,
                                "the new name of column '%.60s' is empty, too long or not plain "
                                "UTF-8 text",
                                import->renames[i].heading);
    return 0;
}

/* Whether this may be the heading of a required column. */
static bool is_likely(const char *heading)
{
    static const char *const required[] = {"app", "n", "p", "seconds"};
    size_t length = strlen(heading);

    if (length > 0 && heading[length - 1] == ':') /* a key of a YAML file */
        return false;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (rc_db_column_resembles(heading, required[i]))
            return true;
    return false;
}

/* Whether the first line other than comments has the heading of a column, with any separator.  A
 * pipe cannot be read twice, so there it is assumed. */
static bool names_columns(const char *file)
{
    static const char between[] = ",;|\t\r\n \"";
    struct stat facts;
    char line[4096] = "#";
    bool found = false;
    FILE *in;

    if (stat(file, &facts) || !S_ISREG(facts.st_mode) || !(in = fopen(file, "re")))
        return true;
    while (line[strspn(line, between)] == '#' || !line[strspn(line, between)])
        if (!fgets(line, sizeof line, in))
            break;
    fclose(in);
    for (char *rest = NULL, *name = strtok_r(line, between, &rest); name && !found;
         name = strtok_r(NULL, between, &rest))
        found = rc_db_run_table_column(name) || is_likely(name);
    return found;
}

/* A fault in a file that has no heading of a table of runs. */
static void mend_fault(const char *file, struct rc_error *error)
{
    struct rc_error fault;

    if (!error || error->line == 0 || names_columns(file))
        return;
    fault = *error;
    rc_error_at(error, fault.file, fault.line, fault.column, "not a table of runs: %.400s",
                fault.text);
    rc_error_hint_of(error, &fault);
    if (!fault.hint[0] && !fault.code)
        rc_error_hint(error, "name the columns in the first line, such as app,n,p,seconds");
}

int rc_db_run_import(struct rc_db *store, const char *path, struct rc_db_run_import *import,
                     const struct rc_monitor *monitor, struct rc_error *error)
{
    struct importing i = {.import = import};
    char digest[RC_DIGEST_TEXT_SIZE];
    int status;

    import->id = 0;
    import->added = import->skipped = import->repeated = import->deleted = 0;
    import->known_rows = import->differing_rows = 0;
    import->known = 0;
    if (check_names(import, error))
        return -1;
    if (import->tz && !(i.zone = rc_time_zone_open(import->tz, error)))
        return -1;
    status = rc_db_table_reader_open(&i.reader, path, monitor, error);
    i.reader.header = read_header;
    i.reader.row = read_row;
    i.reader.is_heading = is_heading;
    i.reader.data = &i;
    i.reader.note = import->note;
    i.reader.note_data = import->note_data;
    if (status == 0)
        status = look_through(store, &i, digest, error);
    if (status == 0 && (status = rc_db_begin(store, error)) == 0)
        status = rc_db_end(store, store_import(store, &i, digest, error), error);
    if (status && !import->n_renames && !import->n_ignored && !import->n_params &&
        !import->n_meta && !import->key)
        mend_fault(path, error);
    rc_db_run_keys_destroy(i.keys);
    rc_db_run_table_destroy(i.table);
    rc_time_zone_close(i.zone);
    for (size_t k = 0; k < i.n_apps; k++)
        free(i.apps[k]);
    rc_db_input_close(&i.reader.input);
    return status;
}
