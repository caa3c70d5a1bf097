// SPDX-License-Identifier: GPL-3.0-or-later
/* record.h - a run together with the load that it met: made, stored, or kept in a file. */
#ifndef RC_RUN_RECORD_H
#define RC_RUN_RECORD_H

#include <jansson.h>

#include "run/run.h"
#include "run/load_tracks.h"
#include "runcast.h"

enum { RC_RECORD_FILE_MAX = 1 << 29 }; /* bytes of a file with a record */

/* Start from rc_run_record_init(); free with rc_run_record_free(). */
struct rc_record {
    struct rc_run run; /* what it points to is not the record's, unless it was read from a file */
    struct rc_tracks tracks;
    json_t *source;          /* of what was read from a file; or NULL */
    struct rc_param *params; /* the same */
    struct rc_meta *meta;    /* the same */
};
void rc_run_record_init(struct rc_record *record);
void rc_run_record_free(struct rc_record *record);

/* The sources of the load, and the seconds between two samples. */
struct rc_record_sources {
    size_t n_hosts, n_links;
    double host_interval, link_interval;
};

/* Fills in what `outcome` and the tracks have: start, seconds, memory and bytes (where `here`:
 * some of its processes ran on this machine), status, and the load of the sources.  The load of a
 * set of which one tells nothing, or nothing of half of the run, is not known. */
int rc_run_record_fill(struct rc_record *record, const struct rc_outcome *outcome, bool here,
                       const struct rc_record_sources *sources, struct rc_error *error);

/* Stores the run and its samples in one transaction; `*id`: the number of the run. */
int rc_run_record_store(struct rc_db *db, const struct rc_record *record, int64_t *id,
                        struct rc_error *error);

/* Stores a record that was read from `path` and has that digest, in one transaction; `import` as
 * for rc_run_record_import(). */
int rc_run_record_store_import(struct rc_db *db, const struct rc_record *record, const char *path,
                               const char *digest, struct rc_db_run_import *import,
                               struct rc_error *error);

/* ---- files (record_file.c) ---- */

/* Writes the record as JSON to a new file: whole, or not at all.  A file of that name is an error.
 */
int rc_run_record_write(const struct rc_record *record, const char *path, struct rc_error *error);

/* Writes it to a file named after app, time and process in the first of the directories (up to a
 * NULL) that takes it, and tells where. */
int rc_run_record_save(const struct rc_record *record, const char *const *directories, char *path,
                       size_t size, struct rc_error *error);

/* The inverse, from memory; `name` stands for the file in errors. */
int rc_run_record_parse(struct rc_record *record, const char *text, size_t length, const char *name,
                        struct rc_error *error);

/* Whether the file looks like a record, and not like a table: its first letter is a '{'. */
bool rc_run_record_is_file(const char *path);

/* Adds the run of a record file and its samples to the database, all or nothing; `import` is as for
 * rc_db_run_import(), and its `app` is not looked at.  A file whose content was imported before
 * adds nothing. */
int rc_run_record_import(struct rc_db *db, const char *path, struct rc_db_run_import *import,
                         struct rc_error *error);

#endif
