/* runcast.h - the public interface of libruncast.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * How long will a parallel program run on given machines, and how sure is that?
 *
 * Rules that hold for every function here:
 *  - It returns 0 (or an object) when it did its work, and -1 (or NULL) when it did not; then
 *    `*error`, where the caller gave one, says what went wrong.  `error` may always be NULL.
 *  - It never prints, never exits, and never aborts on bad input.
 *  - Numbers are in base units: seconds, bytes, bytes/s, flop/s, fractions of 1.  Points in time
 *    are seconds since 1970-01-01 UTC.  A number that is not known is NAN.
 *  - Strings are UTF-8.  `rc_thing_destroy(NULL)` and the like do nothing.
 *  - Objects belong to one thread at a time; different objects may be used by different threads.
 */
#ifndef RUNCAST_H
#define RUNCAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RC_API __attribute__((visibility("default")))
#define RC_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define RC_API
#define RC_PRINTF(format_index, first)
#endif

/* The version of the library that is linked, such as "0.1.0". */
RC_API const char *rc_version(void);

/* ------------------------------------------------------------------ errors (src/base/error.c) */

/* What went wrong.  Plain data: needs no clean-up, and may be copied. */
struct rc_error {
    char text[512];   /* what went wrong, without a full stop */
    char hint[256];   /* what to do about it; "" where nothing can be said */
    char file[256];   /* the input at fault; "" where no input is at fault */
    unsigned line;    /* in that input, from 1; 0 where not known */
    unsigned column;  /* in that line, in characters, from 1; 0 where not known */
    const char *code; /* which error it is, such as "db.newer-format", for programs that handle it;
                         NULL: one that has no code.  Static text. */
    int system;       /* other than 0: memory, a disk or the database failed, and not the input */
    char facts[256];  /* what the code is about, such as the name of an app: one fact on a line */
};

/* --------------------------------------------------- long work and waiting (src/base/progress_monitor.h) */

/* How a caller follows work that may take long.  Any member may be NULL, and so may the pointer
 * to the whole.  The functions are called from the thread that does the work. */
struct rc_monitor {
    /* `done` of `total` units are done; `total` is 0 while it is not known, and both are 0 where
     * all that is known is that the work goes on. */
    void (*advance)(void *data, uint64_t done, uint64_t total);
    /* Another process writes to the store; this one has waited for `seconds` so far. */
    void (*waiting)(void *data, double seconds);
    /* Returns other than 0 when the work should stop; it then ends with an error, undone. */
    int (*cancelled)(void *data);
    void *data;
};

/* ------------------------------------------------------------------- store (src/db/sql_statements.c) */

struct rc_db;

enum rc_db_mode {
    RC_DB_READ,  /* must exist; what is in it stays as it is */
    RC_DB_WRITE, /* must exist; an older format is brought up to date */
    RC_DB_CREATE /* as RC_DB_WRITE, and is made where there is none */
};

/* Opens the store in the file `path`.  Several processes may use one store at once: a writer
 * waits for as long as another one writes, and tells `monitor` so; readers never wait.
 * `monitor` (or NULL) must outlive the store.  A file that is no store of ours, or one of a newer
 * format, is refused and left as it is.  Close with rc_db_close(). */
RC_API struct rc_db *rc_db_open(const char *path, enum rc_db_mode mode,
                                const struct rc_monitor *monitor, struct rc_error *error);
RC_API void rc_db_close(struct rc_db *store);

/* Between the two, all reading sees the store as it was at one moment, whatever others write.  The
 * store cannot be written through this handle meanwhile; nor can it while a walk over runs is open
 * and another process has written since the walk began. */
RC_API int rc_db_hold(struct rc_db *store, struct rc_error *error);
RC_API void rc_db_release(struct rc_db *store);

/* What is in a store. */
struct rc_db_info {
    int64_t format; /* version of the schema */
    int64_t apps, platforms, runs, imports, series, samples, models, predictions, traces;
    int64_t measured; /* apps and platforms that inputs of models were measured of */
    int64_t bytes;    /* of the file */
    int64_t wal;      /* other than 0 where readers and writers do not hinder one another */
};
RC_API int rc_db_info(struct rc_db *store, struct rc_db_info *info, struct rc_error *error);

/* Checks that the file is sound and that all in it fits together.  Calls `fault` (or NULL) for each
 * fault with a sentence for people, and counts them; 0 also where faults were found, -1 where the
 * check itself could not be done. */
RC_API int rc_db_check(struct rc_db *store, const struct rc_monitor *monitor,
                       void (*fault)(void *data, const char *text), void *data, uint64_t *n_faults,
                       struct rc_error *error);

/* -------------------------------------------------------------------- runs (src/db/run.c) */

enum rc_run_status { RC_RUN_OK, RC_RUN_FAILED, RC_RUN_INTERRUPTED };

/* A named number that a run was made with, besides n and p. */
struct rc_param {
    const char *name;
    double value;
};

/* The time of a part of a run.  `process` is -1 for the whole program, `phase` "" for all phases. */
struct rc_run_time {
    const char *phase;
    int process;
    double seconds;
};

/* One execution of a program.  Strings and arrays belong to whoever filled it in. */
struct rc_run {
    int64_t id;           /* given by the store */
    const char *app;      /* never NULL, never "" */
    const char *platform; /* "" where not known */
    const char *hosts;    /* such as "a[001-004]"; "" where not known */
    double n;             /* problem size, > 0 */
    int64_t p;            /* processes, >= 1 */
    double seconds;       /* wall time, > 0 */
    double start;         /* when it started */
    double memory;        /* peak bytes of one process */
    double cpu_minavg;    /* availability of CPU: least over the hosts of the run's average */
    double cpu_avgmin;    /* ... average over the run of the least over the hosts */
    double bw_minavg;     /* the same two for bandwidth; imported runs may use any one unit */
    double bw_avgmin;
    double bytes_read;
    double bytes_written;
    enum rc_run_status status;
    int64_t import_id; /* the import that brought it; 0 for none */
    const struct rc_param *params;
    size_t n_params;
    const struct rc_run_time *times;
    size_t n_times;
};

/* Which members a reader of runs wants; `id` is always there.  What is not asked for is not
 * loaded, and left 0, NAN or "". */
enum rc_run_field {
    RC_FIELD_APP = 1 << 0,
    RC_FIELD_PLATFORM = 1 << 1,
    RC_FIELD_HOSTS = 1 << 2,
    RC_FIELD_N = 1 << 3,
    RC_FIELD_P = 1 << 4,
    RC_FIELD_SECONDS = 1 << 5,
    RC_FIELD_START = 1 << 6,
    RC_FIELD_MEMORY = 1 << 7,
    RC_FIELD_CPU_MINAVG = 1 << 8,
    RC_FIELD_CPU_AVGMIN = 1 << 9,
    RC_FIELD_BW_MINAVG = 1 << 10,
    RC_FIELD_BW_AVGMIN = 1 << 11,
    RC_FIELD_BYTES_READ = 1 << 12,
    RC_FIELD_BYTES_WRITTEN = 1 << 13,
    RC_FIELD_STATUS = 1 << 14,
    RC_FIELD_IMPORT = 1 << 15,
    RC_FIELD_PARAMS = 1 << 16,
    RC_FIELD_TIMES = 1 << 17,
    RC_FIELD_ALL = (1 << 18) - 1
};

/* Both ends belong to the range; an open end is infinite. */
struct rc_range {
    double low, high;
};

/* Which runs are meant: those that meet every condition given.  rc_db_run_filter_init() makes the
 * filter that all runs pass. */
struct rc_run_filter {
    const char *app;      /* NULL: any */
    const char *platform; /* NULL: any; "": those without one */
    double since;         /* NAN: any; otherwise those known to have started then or later */
    struct rc_range procs;
    struct rc_range size;
    int status;        /* an rc_run_status, or -1: any */
    int64_t import_id; /* 0: any */
    int64_t up_to;     /* 0: any; otherwise none with a larger id */
    const int64_t *ids;
    size_t n_ids;  /* 0: any */
    uint64_t last; /* rc_db_run_find() only: no more than the last so many; 0: all */
};

/* A filter that all runs pass. */
RC_API void rc_db_run_filter_init(struct rc_run_filter *filter);

/* Makes a run of which nothing is known: texts "", numbers NAN, status ok.  Start from it: a run of
 * zeros would claim a start in 1970 and a load of nothing. */
RC_API void rc_db_run_init(struct rc_run *run);

/* Adds one run and, if `id` is not NULL, tells the number it was given.  All or nothing.  The
 * members `id` and `import_id` are not looked at. */
RC_API int rc_db_run_add(struct rc_db *store, const struct rc_run *run, int64_t *id,
                         struct rc_error *error);

/* A walk over the runs that pass `filter`, by rising id.  `filter` (NULL: all) must outlive it,
 * and the store must outlive it too. */
struct rc_run_cursor;
RC_API struct rc_run_cursor *rc_db_run_find(struct rc_db *store, const struct rc_run_filter *filter,
                                            unsigned fields, struct rc_error *error);
/* 1: `*run` is the next one, and what it points to is good until the next call; 0: no more. */
RC_API int rc_db_run_next(struct rc_run_cursor *cursor, struct rc_run *run, struct rc_error *error);
RC_API void rc_db_run_cursor_close(struct rc_run_cursor *cursor);

/* How many runs pass the filter (NULL: all do). */
RC_API int rc_db_run_count(struct rc_db *store, const struct rc_run_filter *filter, uint64_t *count,
                           struct rc_error *error);

/* Deletes the runs that pass `filter`, all or none, and tells how many they were. */
RC_API int rc_db_run_delete(struct rc_db *store, const struct rc_run_filter *filter,
                            uint64_t *deleted, struct rc_error *error);

/* "ok", "failed" or "interrupted". */
RC_API const char *rc_db_run_status_name(enum rc_run_status status);

/* ----------------------------------------------------- runs from a table (src/db/import.c) */

struct rc_db_run_import {
    /* what the caller wants */
    const char *app;      /* for a table without a column of that name; or NULL */
    const char *platform; /* for rows that name none; or NULL */
    int skip_bad;         /* import the good rows of a table that has bad ones */
    /* Called for each bad row that is skipped, and for each column that is left out. */
    void (*note)(void *data, const struct rc_error *what);
    void *note_data;
    /* what was done */
    int64_t id;         /* of this import, or of the earlier one of the same content */
    uint64_t added;     /* runs added */
    uint64_t skipped;   /* bad rows passed over */
    int known;          /* this content was imported before: nothing was added */
    double known_since; /* when, if known */
    uint64_t deleted;   /* if known: runs of it that were deleted since */
};

/* Adds the runs of the CSV file `path` ("-": standard input), all or none.  A fault in the table
 * names its line and column. */
RC_API int rc_db_run_import(struct rc_db *store, const char *path, struct rc_db_run_import *import,
                            const struct rc_monitor *monitor, struct rc_error *error);

/* ----------------------------------------------------------------- series (src/db/series.c) */

/* What is measured where.  `peer` is "" for a host, and the far end for a link. */
struct rc_series_key {
    const char *host;
    const char *peer;
    const char *metric;
};

struct rc_sample {
    double t;
    double value;
};

struct rc_series_info {
    int64_t id;
    struct rc_series_key key;
    uint64_t samples;
    double first, last; /* times; NAN where there is no sample */
};

/* Appends samples to a series, which is made if it is new; all or none.  A sample that is there
 * already is passed over; one that differs from what is there is an error unless `replace`.
 * `*added` tells how many were new or changed. */
RC_API int rc_db_series_add(struct rc_db *store, const struct rc_series_key *key,
                            const struct rc_sample *samples, size_t n_samples, int replace,
                            uint64_t *added, struct rc_error *error);

/* Calls `each` for every series, ordered by host, peer and metric, until it returns other than 0,
 * which is then returned; members of `only` (or `only` itself) that are NULL match anything. */
RC_API int rc_db_series_list(struct rc_db *store, const struct rc_series_key *only,
                             int (*each)(void *data, const struct rc_series_info *info), void *data,
                             struct rc_error *error);

/* Calls `each` for the samples of one series with from <= t <= to (NAN: open), by rising time. */
RC_API int rc_db_series_window(struct rc_db *store, const struct rc_series_key *key, double from,
                               double to, int (*each)(void *data, const struct rc_sample *sample),
                               void *data, struct rc_error *error);

/* Deletes the samples of one series with from <= t <= to (NAN: open); a series that is left
 * without samples goes too. */
RC_API int rc_db_series_delete(struct rc_db *store, const struct rc_series_key *key, double from,
                               double to, uint64_t *deleted, struct rc_error *error);

struct rc_db_series_import {
    /* what the caller wants */
    struct rc_series_key key;
    const char *column; /* the column with the values; NULL: "value" */
    double offset;      /* added to every time in the table: when it started; 0 for none */
    int replace;        /* new values win over those in the store */
    int skip_bad;
    void (*note)(void *data, const struct rc_error *what);
    void *note_data;
    /* what was done */
    uint64_t added, there_already, skipped;
};

/* Adds the samples of the CSV file `path` ("-": standard input) with the columns `t` and `value`,
 * all or none. */
RC_API int rc_db_series_import(struct rc_db *store, const char *path,
                               struct rc_db_series_import *import, const struct rc_monitor *monitor,
                               struct rc_error *error);

/* ------------------------------------------------------- platforms (src/platform/platform.c) */

enum rc_placement_order {
    RC_PLACE_PACKED, /* a host is filled before the next one gets a process */
    RC_PLACE_SPREAD  /* one process to each host in turn */
};

struct rc_network {
    char *name;
    double bandwidth; /* bytes/s of one host's link */
    double latency;   /* seconds, one way */
};

/* Hosts of a cluster, in its order.  They may differ from one another. */
struct rc_host {
    char *name;
    int cores;
    double memory; /* bytes; NAN where not known */
    double speed;  /* flop/s of one core; NAN where not known */
};

struct rc_cluster {
    char *name;
    struct rc_host *hosts;
    size_t n_hosts;
    struct rc_network *networks; /* the first is the default */
    size_t n_networks;
    double core_hour_cost; /* in the platform's currency; NAN where not known */
    int per_host;          /* processes placed on one host; 0: as many as it has cores */
    enum rc_placement_order order;
    int contiguous; /* it only gives out hosts that are neighbours in its order */
};

struct rc_cluster_link {
    size_t cluster[2]; /* indexes into the platform's clusters */
    double bandwidth;
    double latency;
};

struct rc_platform {
    char *name;
    char *currency; /* "" if unknown */
    struct rc_cluster *clusters;
    size_t n_clusters;
    struct rc_cluster_link *links;
    size_t n_links;
};

/* Reads a platform file (docs/reference/platform-file.md).  Errors have line and key.
 * Destroy with rc_platform_destroy(). */
RC_API struct rc_platform *rc_platform_load(const char *path, struct rc_error *error);
/* The same from memory; `name` stands for the file in errors. */
RC_API struct rc_platform *rc_platform_parse(const char *text, size_t length, const char *name,
                                             struct rc_error *error);
RC_API void rc_platform_destroy(struct rc_platform *platform);

/* Processes that `host` takes under the cluster's placement. */
RC_API int rc_platform_cluster_slots(const struct rc_cluster *cluster, size_t host);
/* The same over all of its hosts. */
RC_API int64_t rc_platform_cluster_capacity(const struct rc_cluster *cluster);
/* How many of `processes` the placement puts on each host; `counts` has n_hosts places.
 * -1 where they do not fit. */
RC_API int rc_platform_cluster_place(const struct rc_cluster *cluster, int64_t processes,
                                     int *counts);
/* The bytes that the worst-off of `processes` has when so placed; NAN where a host's memory is
 * not known, or they do not fit. */
RC_API double rc_platform_cluster_memory_per_process(const struct rc_cluster *cluster,
                                                     int64_t processes);

#ifdef __cplusplus
}
#endif

#endif /* RUNCAST_H */
