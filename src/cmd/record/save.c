// SPDX-License-Identifier: GPL-3.0-or-later
/* save.c - stores a run that 'runcast record' has made. */
#include "cmd/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS_WAIT 1.0 /* longest wait in seconds for the database before a run with link probes */

/* Whether processes of the run are on this machine, and can be measured from here. */
static bool is_here(const struct rc_cmd_record *work)
{
    if (rc_cmd_record_in_lab(work) || work->launch.hosts.count == 0)
        return true;
    for (size_t i = 0; i < work->launch.hosts.count; i++)
        if (rc_run_is_this_host(work->launch.hosts.names[i], work->host))
            return true;
    return false;
}

static void note_silent(const struct rc_cmd_record *work)
{
    char reason[RC_WATCH_REASON_SIZE] = "";
    const char *host = work->sensors.kind && isnan(work->record.run.cpu_avgmin)
                           ? work->sensors.kind->silent(work->sensors.data, reason, sizeof reason)
                           : NULL;

    if (host)
        rc_cmd_note("the load of this run is unknown: no samples from %s: %s", host, reason);
}

static void note_left_behind(const struct rc_cmd_record *work)
{
    const char *host =
        work->sensors.kind ? work->sensors.kind->left_behind(work->sensors.data) : NULL;

    if (host)
        rc_cmd_note("the launcher of %s does not end and could not be killed; it still runs", host);
}

static void note_unmeasured(const struct rc_cmd_record *work)
{
    char text[RC_WATCH_REASON_SIZE + 2 * RC_CMD_HOST_NAME_SIZE] = "";

    if (work->sensors.kind && isnan(work->record.run.bw_avgmin) &&
        work->sensors.kind->unmeasured(work->sensors.data, text, sizeof text))
        rc_cmd_note("the available bandwidth during this run is unknown: %s", text);
}

/* ---- the database ---- */

static void be_patient(void *data, double seconds)
{
    struct rc_cmd_record_patience *patience = data;

    patience->over |= seconds > patience->most;
}

static int is_over(void *data)
{
    struct rc_cmd_record_patience *patience = data;

    patience->over |= rc_run_runner_interrupted(patience->runner) != 0;
    return patience->over;
}

static int store(struct rc_cmd_record *work, int64_t *id, char *path, size_t size,
                 struct rc_error *error)
{
    struct rc_cmd_record_patience patience = {&work->runner, work->options->db_wait, false};
    const struct rc_monitor monitor = {.waiting = be_patient,
                                       .cancelled = is_over,
                                       .data = &patience};
    struct rc_db *db = rc_cmd_try_db(work->options->db, RC_DB_CREATE, &monitor, path, size, error);
    int status = db ? rc_run_record_store(db, &work->record, id, error) : -1;

    rc_db_close(db);
    return status;
}

void rc_cmd_record_open_counts(struct rc_cmd_record *work)
{
    char path[4096];

    work->counts_patience = (struct rc_cmd_record_patience){&work->runner, COUNTS_WAIT, false};
    work->counts_monitor = (struct rc_monitor){.waiting = be_patient,
                                               .cancelled = is_over,
                                               .data = &work->counts_patience};
    work->counts = rc_cmd_try_db(work->options->db, RC_DB_CREATE, &work->counts_monitor, path,
                                 sizeof path, NULL);
}

/* In the directory of the database, else here, else in that of temporary files. */
static void save_file(const struct rc_cmd_record *work, char *db_path, const struct rc_error *why)
{
    const char *temporary = getenv("TMPDIR");
    const char *directories[] = {db_path, ".", temporary && *temporary ? temporary : "/tmp", NULL};
    char *slash = strrchr(db_path, '/');
    struct rc_error error = {0};
    char path[4096];

    if (!slash)
        directories[0] = ".";
    else
        slash[slash == db_path] = '\0';
    if (rc_run_record_save(&work->record, directories, path, sizeof path, &error))
        rc_cmd_fail(&error, "saving the run, which could not be stored (%.200s)", why->text);
    else
        rc_cmd_note("the database cannot be written (%.200s); 'runcast import %s' adds this run",
                    why->text, path);
}

static void report_stored(const struct rc_cmd_record *work, int64_t id)
{
    const struct rc_run *run = &work->record.run;
    char seconds[RC_UNIT_SIZE], load[80] = "CPU availability unknown";

    if (work->options->quiet)
        return;
    rc_unit_format(run->seconds, RC_SECONDS, seconds);
    if (!isnan(run->cpu_avgmin))
        snprintf(load, sizeof load, "CPU availability %.3g", run->cpu_avgmin);
    else if (work->options->no_monitor)
        snprintf(load, sizeof load, "hosts not monitored");
    fprintf(stderr, "runcast: run %lld stored: %s, %s, %s\n", (long long)id, seconds,
            rc_db_run_status_name(run->status), load);
}

/* Notes that links were probed less often than usual. */
static void note_seldom(double link_interval)
{
    char interval[RC_UNIT_SIZE];

    if (!(link_interval > RC_WATCH_LINK_INTERVAL))
        return;
    rc_unit_format(round(link_interval), RC_SECONDS, interval);
    rc_cmd_note("a link is so fast that it is probed every %s, so that a probe is long enough",
                interval);
}

void rc_cmd_record_save(struct rc_cmd_record *work)
{
    double link_interval =
        work->sensors.kind ? work->sensors.kind->link_interval(work->sensors.data) : 0;
    const struct rc_record_sources sources = {.n_hosts = work->options->no_monitor
                                                             ? 0
                                                             : work->launch.hosts.count,
                                              .n_links = work->n_links,
                                              .host_interval = work->options->interval,
                                              .link_interval = link_interval};
    struct rc_error error = {0};
    char path[4096] = "";
    int64_t id;

    if (rc_run_record_fill(&work->record, &work->outcome, is_here(work), &sources, &error))
        rc_cmd_fail(&error, "computing the load of the run");
    if (!work->options->quiet) {
        note_silent(work);
        note_unmeasured(work);
        note_seldom(link_interval);
        note_left_behind(work);
    }
    if (store(work, &id, path, sizeof path, &error))
        save_file(work, path, &error);
    else
        report_stored(work, id);
    if (work->options->output && rc_run_record_write(&work->record, work->options->output, &error))
        rc_cmd_fail(&error, "writing the run");
}
