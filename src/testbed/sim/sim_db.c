// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_db.c - a simulated run and the samples from before it, into the database in one transaction.
 *
 * What happened after the start is not stored: a forecast for the run, made at its start, could not
 * have seen it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/timestamp.h"
#include "testbed/sim/sim.h"
#include "db/run.h"
#include "db/series.h"

/* 1: the database has a run of this point; 0: it has not. */
static int is_there(struct rc_db *db, const struct rc_sim_job *job, double start,
                    struct rc_error *error)
{
    sqlite3_stmt *find;
    int code;

    if (isnan(job->point))
        return 0;
    find = rc_db_prepare(db,
                         "SELECT 1 FROM run WHERE start = ?1 AND params ->> '" RC_SIM_POINT
                         "' = ?2 LIMIT 1",
                         error);
    if (!find)
        return -1;
    sqlite3_bind_double(find, 1, start);
    sqlite3_bind_double(find, 2, job->point);
    code = sqlite3_step(find);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        rc_db_error(db, error);
    sqlite3_finalize(find);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

static int add_run(struct rc_db *db, const struct rc_sim_job *job,
                   const struct rc_sim_result *result, int64_t *id, struct rc_error *error)
{
    struct rc_param params[7];
    struct rc_run_writer writer;
    struct rc_run run;
    size_t n = 0;
    int status;

    rc_db_run_init(&run);
    run.app = result->output.app;
    run.platform = result->layout.platform->name;
    run.hosts = result->layout.text;
    run.n = result->output.n;
    run.p = result->layout.processes;
    run.seconds = result->seconds;
    run.start = job->base + result->start;
    run.memory = result->output.memory;
    run.cpu_minavg = result->cpu.minavg;
    run.cpu_avgmin = result->cpu.avgmin;
    run.bw_minavg = result->bandwidth.minavg;
    run.bw_avgmin = result->bandwidth.avgmin;
    if (!isnan(result->output.iterations))
        params[n++] = (struct rc_param){"iterations", result->output.iterations};
    params[n++] = (struct rc_param){"seed", (double)job->seed};
    params[n++] = (struct rc_param){"every", job->every};
    params[n++] = (struct rc_param){"load", (double)job->load->kind};
    if (job->measured)
        params[n++] = (struct rc_param){"measured", 1};
    if (!isnan(job->point))
        params[n++] = (struct rc_param){RC_SIM_POINT, job->point};
    run.params = params;
    run.n_params = n;
    if (rc_db_run_check(&run, error))
        return -1;
    status = rc_db_run_writer_begin(&writer, db, error);
    *id = writer.next_id;
    if (status == 0)
        status = rc_db_run_writer_add(&writer, &run, error);
    return rc_db_run_writer_end(&writer, status, error);
}

/* The error already has the values. */
static void report_conflict(const struct rc_series_key *key, double t, struct rc_error *error)
{
    const char *values = error ? strstr(error->text, "there is") : NULL;
    char when[RC_TIME_SIZE], copy[100];

    snprintf(copy, sizeof copy, "%s", values ? values : "there is another value already");
    rc_timestamp_format(t, when);
    rc_error_set(error, "%s of %s%s%s at %s: %s", key->metric, key->host, *key->peer ? ":" : "",
                 key->peer, when, copy);
    rc_error_code(error, "sim.other-samples", NULL);
}

static int add_series(struct rc_db *db, const struct rc_sim_job *job,
                      const struct rc_sim_result *result, const struct rc_sim_resource *resource,
                      struct rc_error *error)
{
    struct rc_series_key key = {resource->name, "",
                                resource->what == RC_LOAD_CPU ? "cpu" : "bandwidth"};
    const struct rc_cluster *clusters = result->layout.platform->clusters;
    struct rc_series_writer writer;
    double t = NAN;
    int status;

    if (resource->link) {
        key.host = clusters[resource->link->cluster[0]].name;
        key.peer = clusters[resource->link->cluster[1]].name;
    }
    status = rc_db_series_writer_begin(&writer, db, &key, false, error);
    for (size_t i = 0; i < resource->n_samples && status == 0; i++) {
        struct rc_sample sample = resource->samples[i];

        if (sample.t < result->history_from || sample.t > result->start)
            continue;
        t = sample.t += job->base;
        status = rc_db_series_writer_add(&writer, &sample, error);
    }
    if (status && writer.clash)
        report_conflict(&key, t, error);
    return rc_db_series_writer_end(&writer, status, error);
}

int rc_sim_store(struct rc_db *db, const struct rc_sim_job *job, const struct rc_sim_result *result,
                 int64_t *id, struct rc_error *error)
{
    int status;

    *id = 0;
    if (result->output.computed)
        return rc_error_set_code(
            error, "sim.computed",
            "the program really computed, which takes no simulated time: %g s is only the "
            "time of its messages",
            result->seconds);
    if (!(result->output.n > 0))
        return rc_error_set_code(error, "sim.unknown-size", "unknown problem size");
    if (rc_db_begin(db, error))
        return -1;
    status = is_there(db, job, job->base + result->start, error);
    if (status == 0) {
        status = add_run(db, job, result, id, error);
        for (size_t i = 0; i < result->world.n_resources && status == 0; i++)
            status = add_series(db, job, result, &result->world.resources[i], error);
    } else if (status == 1) {
        status = 0;
    }
    return rc_db_end(db, status, error);
}
