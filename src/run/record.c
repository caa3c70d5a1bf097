// SPDX-License-Identifier: GPL-3.0-or-later
/* record.c - a run together with the load that it met. */
#include "run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/import_log.h"
#include "db/run.h"
#include "db/series.h"

#define PERIODS 3.0 /* that a sample is good for where no other follows it */
#define LEAST 2.0   /* seconds that it is good for in any case */

void rc_run_record_init(struct rc_record *record)
{
    *record = (struct rc_record){.source = NULL};
    rc_db_run_init(&record->run);
}

void rc_run_record_free(struct rc_record *record)
{
    rc_run_tracks_free(&record->tracks);
    json_decref(record->source);
    free(record->params);
    free(record->meta);
    rc_run_record_init(record);
}

/* How many series of a metric have samples. */
static size_t count_tracks(const struct rc_tracks *tracks, const char *metric)
{
    size_t n = 0;

    for (size_t i = 0; i < tracks->n; i++)
        n += tracks->items[i].n > 0 && strcmp(tracks->items[i].metric, metric) == 0;
    return n;
}

/* The least over some of the hosts is no answer for all of them. */
static int find_load(const struct rc_record *record, const char *metric, size_t wanted,
                     double interval, struct rc_series_load *load, struct rc_error *error)
{
    const struct rc_run *run = &record->run;

    *load = (struct rc_series_load){NAN, NAN};
    if (wanted == 0 || count_tracks(&record->tracks, metric) < wanted)
        return 0;
    return rc_run_tracks_load(&record->tracks, metric, run->start, run->start + run->seconds,
                              fmax(PERIODS * interval, LEAST), load, error);
}

int rc_run_record_fill(struct rc_record *record, const struct rc_outcome *outcome, bool here,
                       const struct rc_record_sources *sources, struct rc_error *error)
{
    struct rc_run *run = &record->run;
    struct rc_series_load cpu, bandwidth;

    run->start = outcome->start;
    run->seconds = fmax(outcome->seconds, 1e-9);
    run->status = rc_run_outcome_status(outcome);
    if (here) {
        run->memory = outcome->memory;
        run->bytes_read = outcome->bytes_read;
        run->bytes_written = outcome->bytes_written;
    }
    if (find_load(record, "cpu", sources->n_hosts, sources->host_interval, &cpu, error) ||
        find_load(record, "bandwidth", sources->n_links, sources->link_interval, &bandwidth, error))
        return -1;
    /* A sensor that measured a little more than all there is means all. */
    run->cpu_minavg = isnan(cpu.minavg) ? cpu.minavg : fmin(fmax(cpu.minavg, 0), 1);
    run->cpu_avgmin = isnan(cpu.avgmin) ? cpu.avgmin : fmin(fmax(cpu.avgmin, 0), 1);
    run->bw_minavg = bandwidth.minavg;
    run->bw_avgmin = bandwidth.avgmin;
    return 0;
}

/* ---- storing ---- */

static int add_run(struct rc_db *db, const struct rc_run *run, int64_t *id, struct rc_error *error)
{
    struct rc_run_writer writer;
    int status = rc_db_run_writer_begin(&writer, db, error);

    *id = writer.next_id;
    if (status == 0)
        status = rc_db_run_writer_add(&writer, run, error);
    return rc_db_run_writer_end(&writer, status, error);
}

static int add_track(struct rc_db *db, const struct rc_track *track, struct rc_error *error)
{
    const struct rc_series_key key = {track->host, track->peer, track->metric};
    struct rc_series_writer writer;
    int status = rc_db_series_writer_begin(&writer, db, &key, true, error);

    for (size_t i = 0; i < track->n && status == 0; i++)
        status = rc_db_series_writer_add(&writer, &track->samples[i], error);
    return rc_db_series_writer_end(&writer, status, error);
}

static int add_record(struct rc_db *db, const struct rc_record *record, const struct rc_run *run,
                      int64_t *id, struct rc_error *error)
{
    int status = add_run(db, run, id, error);

    for (size_t i = 0; i < record->tracks.n && status == 0; i++)
        status = add_track(db, &record->tracks.items[i], error);
    return status;
}

int rc_run_record_store(struct rc_db *db, const struct rc_record *record, int64_t *id,
                        struct rc_error *error)
{
    if (rc_db_run_check(&record->run, error) || rc_db_begin(db, error))
        return -1;
    return rc_db_end(db, add_record(db, record, &record->run, id, error), error);
}

/* ---- importing ---- */

static int import_new(struct rc_db *db, const struct rc_record *record, const char *path,
                      const char *digest, struct rc_db_run_import *import, struct rc_error *error)
{
    struct rc_run run = record->run;
    int64_t id;

    if (rc_db_import_add(db, digest, path, import, error))
        return -1;
    run.import_id = import->id;
    if (import->platform && !*run.platform)
        run.platform = import->platform;
    if (rc_db_run_check(&run, error) || add_record(db, record, &run, &id, error))
        return -1;
    import->added = 1;
    return rc_db_import_finish(db, import, error);
}

int rc_run_record_store_import(struct rc_db *db, const struct rc_record *record, const char *path,
                               const char *digest, struct rc_db_run_import *import,
                               struct rc_error *error)
{
    int found;

    if (rc_db_begin(db, error))
        return -1;
    found = rc_db_import_find(db, digest, import, error);
    if (found == 0)
        found = import_new(db, record, path, digest, import, error);
    return rc_db_end(db, found < 0 ? -1 : 0, error);
}
