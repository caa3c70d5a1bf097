/* runcast.h - the public interface of libruncast.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 *
 * Predicts the run time of parallel programs.
 *
 * For all functions:
 *  - They return 0 (or an object) on success, and -1 (or NULL) on failure, with the reason in
 *    `*error`.  `error` may be NULL.
 *  - They never print, exit, or abort on bad input.
 *  - Numbers are in base units: seconds, bytes, bytes/s, flop/s, fractions of 1.  Points in time
 *    are seconds since 1970-01-01 UTC.  An unknown number is NAN.
 *  - Strings are UTF-8.  `rc_thing_destroy(NULL)` and the like do nothing.
 *  - An object may be used by one thread at a time, different objects by different threads.
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

/* The version of the linked library, such as "0.1.0". */
RC_API const char *rc_version(void);

/* ------------------------------------------------------------------ errors (src/base/error.c) */

/* An error.  Plain data: it may be copied and needs no clean-up. */
struct rc_error {
    char text[512];   /* without a full stop */
    char hint[256];   /* what to do; "" if there is none */
    char file[256];   /* the input with the fault; "" if none */
    unsigned line;    /* in that input, from 1; 0 if unknown */
    unsigned column;  /* in that line, in characters, from 1; 0 if unknown */
    const char *code; /* such as "db.newer-format", for programs that handle it; NULL: none.
                         Static text. */
    int system;       /* other than 0: the fault is in memory, a disk or the database */
    char facts[256];  /* of the code, such as the name of an app: one on a line */
};

/* --------------------------------------------------- long work and waiting (src/base/progress_monitor.h) */

/* Callbacks of long work.  Any member, and the pointer to the struct, may be NULL.  They are called
 * from the thread that does the work. */
struct rc_monitor {
    /* `done` of `total` units are done; `total` is 0 while it is unknown.  Both are 0 if the work
     * only reports that it continues. */
    void (*advance)(void *data, uint64_t done, uint64_t total);
    /* Another process writes to the database; this one has waited for `seconds` so far. */
    void (*waiting)(void *data, double seconds);
    /* Returns other than 0 to stop the work, which is then undone and ends with an error. */
    int (*cancelled)(void *data);
    void *data;
};

/* ------------------------------------------------------------------- database (src/db/open.c) */

struct rc_db;

enum rc_db_mode {
    RC_DB_READ,  /* must exist; its contents do not change */
    RC_DB_WRITE, /* must exist; an older format is converted */
    RC_DB_CREATE /* as RC_DB_WRITE; is made if it does not exist */
};

/* Opens the database in the file `path`.  Several processes may use a database at once: a writer
 * waits while another one writes, and reports that to `monitor`; readers never wait.  `monitor`
 * (or NULL) must outlive the database.  A file that is not a runcast database, or of a newer
 * format, is refused and not changed.  Close with rc_db_close(). */
RC_API struct rc_db *rc_db_open(const char *path, enum rc_db_mode mode,
                                const struct rc_monitor *monitor, struct rc_error *error);
RC_API void rc_db_close(struct rc_db *db);

/* Between the two, all reads see the database as it was at one moment, whatever other processes
 * write.  Writing through this handle fails meanwhile.  It also fails while a cursor over runs is
 * open, if another process has written since the cursor was opened. */
RC_API int rc_db_hold(struct rc_db *db, struct rc_error *error);
RC_API void rc_db_release(struct rc_db *db);

/* Contents of a database. */
struct rc_db_info {
    int64_t format; /* version of the schema */
    int64_t apps, platforms, runs, imports, series, samples, models, predictions, traces;
    int64_t measured; /* apps and platforms with measured inputs of models */
    int64_t bytes;    /* of the file */
    int64_t wal;      /* other than 0: readers and writers do not block one another */
};
RC_API int rc_db_info(struct rc_db *db, struct rc_db_info *info, struct rc_error *error);

/* Checks the file and the consistency of its contents.  Calls `fault` (or NULL) with a text for each
 * fault, and counts them.  0 also if there are faults, -1 if the check failed. */
RC_API int rc_db_check(struct rc_db *db, const struct rc_monitor *monitor,
                       void (*fault)(void *data, const char *text), void *data, uint64_t *n_faults,
                       struct rc_error *error);

/* -------------------------------------------------------------------- runs (src/db/run.c) */

enum rc_run_status { RC_RUN_OK, RC_RUN_FAILED, RC_RUN_INTERRUPTED };

/* A parameter of a run, other than n and p. */
struct rc_param {
    const char *name;
    double value;
};

/* A fact about a run that is no parameter, such as the number of its job.  No model uses it. */
struct rc_meta {
    const char *name;
    const char *text; /* never "" */
};

/* The time of a phase or rank.  `process` is -1 for all ranks, `phase` "" for all phases. */
struct rc_run_time {
    const char *phase;
    int process;
    double seconds;
};

/* One execution of a program.  Strings and arrays belong to the code that filled it in. */
struct rc_run {
    int64_t id;           /* given by the database */
    const char *app;      /* never NULL, never "" */
    const char *platform; /* "" if unknown */
    const char *hosts;    /* such as "a[001-004]"; "" if unknown */
    double n;             /* problem size, > 0 */
    int64_t p;            /* processes, >= 1 */
    double seconds;       /* run time, > 0 */
    double start;         /* point in time */
    double memory;        /* peak bytes of one process */
    double cpu_minavg;    /* CPU availability: minimum over hosts of the time average */
    double cpu_avgmin;    /* time average of the minimum over hosts */
    double bw_minavg;     /* the same for bandwidth; imported runs may have any unit */
    double bw_avgmin;
    double bytes_read;
    double bytes_written;
    enum rc_run_status status;
    int64_t import_id; /* number of its import; 0: none */
    const struct rc_param *params;
    size_t n_params;
    const struct rc_meta *meta; /* each name at most once */
    size_t n_meta;
    const struct rc_run_time *times;
    size_t n_times;
};

/* Members of a run to read; `id` is always read.  Other members are not loaded, and left 0, NAN or
 * "". */
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
    RC_FIELD_META = 1 << 17,
    RC_FIELD_TIMES = 1 << 18,
    RC_FIELD_ALL = (1 << 19) - 1
};

/* Includes both ends; an open end is infinite. */
struct rc_range {
    double low, high;
};

/* A choice of runs: those that meet all conditions.  rc_db_run_filter_init() makes a filter that all
 * runs pass. */
struct rc_run_filter {
    const char *app;      /* NULL: any */
    const char *platform; /* NULL: any; "": runs without one */
    double since;         /* NAN: any; otherwise runs with a known start at that time or later */
    struct rc_range procs;
    struct rc_range size;
    int status;        /* an rc_run_status, or -1: any */
    int64_t import_id; /* 0: any */
    int64_t up_to;     /* 0: any; otherwise the largest id */
    const int64_t *ids;
    size_t n_ids;  /* 0: any */
    uint64_t last; /* rc_db_run_find() only: the last so many; 0: all */
};

/* A filter that all runs pass. */
RC_API void rc_db_run_filter_init(struct rc_run_filter *filter);

/* Makes a run with unknown values: texts "", numbers NAN, status ok.  Start from it: a run of zeros
 * would have a start in 1970 and a CPU availability of 0. */
RC_API void rc_db_run_init(struct rc_run *run);

/* Adds one run, and sets `*id` (if not NULL) to its number.  All or nothing.  The members `id` and
 * `import_id` are ignored. */
RC_API int rc_db_run_add(struct rc_db *db, const struct rc_run *run, int64_t *id,
                         struct rc_error *error);

/* A cursor over the runs that pass `filter` (NULL: all), by increasing id.  The filter and the
 * database must outlive it. */
struct rc_run_cursor;
RC_API struct rc_run_cursor *rc_db_run_find(struct rc_db *db, const struct rc_run_filter *filter,
                                            unsigned fields, struct rc_error *error);
/* 1: `*run` is the next run, valid until the next call; 0: no more. */
RC_API int rc_db_run_next(struct rc_run_cursor *cursor, struct rc_run *run, struct rc_error *error);
RC_API void rc_db_run_cursor_close(struct rc_run_cursor *cursor);

/* The number of runs that pass the filter (NULL: all). */
RC_API int rc_db_run_count(struct rc_db *db, const struct rc_run_filter *filter, uint64_t *count,
                           struct rc_error *error);

/* Deletes the runs that pass `filter`, all or none, and counts them. */
RC_API int rc_db_run_delete(struct rc_db *db, const struct rc_run_filter *filter, uint64_t *deleted,
                            struct rc_error *error);

/* "ok", "failed" or "interrupted". */
RC_API const char *rc_db_run_status_name(enum rc_run_status status);

/* ----------------------------------------------------- runs from a table (src/db/run_import.c) */

/* A column whose heading in the table is `heading` is read as `name`, such as "p". */
struct rc_db_column_rename {
    const char *heading, *name;
};

struct rc_db_run_import {
    /* what the caller asks for */
    const char *app;      /* for a table without such a column; or NULL */
    const char *platform; /* for rows without a platform; or NULL */
    const struct rc_db_column_rename *renames;
    size_t n_renames;
    const char *const *ignored; /* headings of columns to leave out */
    size_t n_ignored;
    /* Headings of the columns that are parameters.  If there are any, other columns that runcast
     * does not know are metadata; if none, their names and values decide (src/db/run_csv.h). */
    const char *const *params;
    size_t n_params;
    const char *const *meta; /* headings of columns that are metadata */
    size_t n_meta;
    /* Metadata or a parameter that identifies a run of an app; NULL: none. Rows whose key is known
     * are not added: those of runs with the same contents are counted, others noted as well. */
    const char *key;
    /* The time zone of dates without an offset, such as "Europe/Berlin" or "+02:00"; NULL: UTC. */
    const char *tz;
    int skip_bad; /* import the valid rows of a table that has bad ones */
    /* Called for each bad row that is skipped, for columns that are left out or look like IDs, for
     * the parameters and the metadata, and for parameters that are constant or depend only on p. */
    void (*note)(void *data, const struct rc_error *what);
    void *note_data;
    /* the result */
    int64_t id;          /* of this import, or of the earlier one of the same content */
    uint64_t added;      /* runs added */
    uint64_t skipped;    /* bad rows */
    uint64_t repeated;   /* runs added that equal an earlier run (app, n, p, seconds, start); 0 with
                         * a key */
    uint64_t known_rows; /* rows of known runs with the same contents; with a key */
    uint64_t differing_rows; /* ... and with other contents */
    int known;               /* this content was imported before: nothing was added */
    double known_since;      /* time of that import, if known */
    uint64_t deleted;        /* if known: number of its runs that were deleted since */
};

/* Adds the runs of the CSV file `path` ("-": standard input), all or none.  A fault in the table
 * names its line and column. */
RC_API int rc_db_run_import(struct rc_db *db, const char *path, struct rc_db_run_import *import,
                            const struct rc_monitor *monitor, struct rc_error *error);

/* ----------------------------------------------------------------- series (src/db/series.c) */

/* The name of a series.  `peer` is "" for a host, and the receiver for a link. */
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
    double first, last; /* times; NAN without samples */
};

/* Adds samples to a series, all or none.  A new series is made.  A stored sample is skipped; another
 * value for its time is an error unless `replace`.  `*added` counts new and changed samples. */
RC_API int rc_db_series_add(struct rc_db *db, const struct rc_series_key *key,
                            const struct rc_sample *samples, size_t n_samples, int replace,
                            uint64_t *added, struct rc_error *error);

/* Calls `each` for every series, ordered by host, peer and metric, until it returns other than 0,
 * which is then returned; members of `only` (or `only` itself) that are NULL match anything. */
RC_API int rc_db_series_list(struct rc_db *db, const struct rc_series_key *only,
                             int (*each)(void *data, const struct rc_series_info *info), void *data,
                             struct rc_error *error);

/* Calls `each` for the samples of one series with from <= t <= to (NAN: open), by increasing time. */
RC_API int rc_db_series_window(struct rc_db *db, const struct rc_series_key *key, double from,
                               double to, int (*each)(void *data, const struct rc_sample *sample),
                               void *data, struct rc_error *error);

/* Deletes the samples of one series with from <= t <= to (NAN: open), and the series if it has no
 * samples left. */
RC_API int rc_db_series_delete(struct rc_db *db, const struct rc_series_key *key, double from,
                               double to, uint64_t *deleted, struct rc_error *error);

struct rc_db_series_import {
    /* what the caller asks for */
    struct rc_series_key key;
    const char *column; /* the column that has the values; NULL: "value" */
    double offset;      /* added to all times: the time of 0 in the table; 0: none */
    int replace;        /* replace stored samples */
    int skip_bad;
    void (*note)(void *data, const struct rc_error *what);
    void *note_data;
    /* the result */
    uint64_t added, there_already, skipped;
};

/* Adds the samples of the CSV file `path` ("-": standard input) with the columns `t` and `value`,
 * all or none. */
RC_API int rc_db_series_import(struct rc_db *db, const char *path,
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

/* A host of a cluster. */
struct rc_host {
    char *name;
    int cores;
    double memory; /* bytes; NAN: unknown */
    double speed;  /* flop/s of one core; NAN: unknown */
};

struct rc_cluster {
    char *name;
    struct rc_host *hosts;
    size_t n_hosts;
    struct rc_network *networks; /* the first is the default */
    size_t n_networks;
    double core_hour_cost; /* in the currency of the platform; NAN: unknown */
    int per_host;          /* processes placed on one host; 0: as many as it has cores */
    enum rc_placement_order order;
    int contiguous; /* it only allocates hosts that are neighbours */
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
/* The same from memory; `name` is that of the file in errors. */
RC_API struct rc_platform *rc_platform_parse(const char *text, size_t length, const char *name,
                                             struct rc_error *error);
RC_API void rc_platform_destroy(struct rc_platform *platform);

/* The number of processes for which `host` has room under the placement of the cluster. */
RC_API int rc_platform_cluster_slots(const struct rc_cluster *cluster, size_t host);
/* The same over all of its hosts. */
RC_API int64_t rc_platform_cluster_capacity(const struct rc_cluster *cluster);
/* The number of `processes` that the placement puts on each host; `counts` has n_hosts elements.
 * -1 if they do not fit. */
RC_API int rc_platform_cluster_place(const struct rc_cluster *cluster, int64_t processes,
                                     int *counts);
/* The smallest memory of one of `processes` in this placement, in bytes; NAN if the memory of a host
 * is unknown, or they do not fit. */
RC_API double rc_platform_cluster_memory_per_process(const struct rc_cluster *cluster,
                                                     int64_t processes);

#ifdef __cplusplus
}
#endif

#endif /* RUNCAST_H */
