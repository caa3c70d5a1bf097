// SPDX-License-Identifier: GPL-3.0-or-later
/* save.c - what 'runcast record' does with a run once it has ended. */
#include "cmd/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS_WAIT 1.0 /* seconds that a program waits for the store where links are probed */

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
        rc_cmd_note("no word of %s, so that the load of this run is not known: %s", host, reason);
}

static void note_left_behind(const struct rc_cmd_record *work)
{
    const char *host =
        work->sensors.kind ? work->sensors.kind->left_behind(work->sensors.data) : NULL;

    if (host)
        rc_cmd_note("the launcher of %s does not end and could not be killed: it is left behind",
                    host);
}

static void note_unmeasured(const struct rc_cmd_record *work)
{
    char text[RC_WATCH_REASON_SIZE + 2 * RC_CMD_HOST_NAME_SIZE] = "";

    if (work->sensors.kind && isnan(work->record.run.bw_avgmin) &&
        work->sensors.kind->unmeasured(work->sensors.data, text, sizeof text))
        rc_cmd_note("the bandwidth that this run met is not known; %s", text);
}

/* ---- the store ---- */

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
    struct rc_cmd_record_patience patience = {&work->runner, work->options->store_wait, false};
    const struct rc_monitor monitor = {.waiting = be_patient,
                                       .cancelled = is_over,
                                       .data = &patience};
    struct rc_db *it = rc_cmd_try_db(work->options->db, RC_DB_CREATE, &monitor, path, size, error);
    int status = it ? rc_run_record_store(it, &work->record, id, error) : -1;

    rc_db_close(it);
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

/* Beside the store, else here, else where temporary files go. */
static void save_file(const struct rc_cmd_record *work, char *store_path,
                      const struct rc_error *why)
{
    const char *temporary = getenv("TMPDIR");
    const char *directories[] = {store_path, ".", temporary && *temporary ? temporary : "/tmp",
                                 NULL};
    char *slash = strrchr(store_path, '/');
    struct rc_error error = {0};
    char path[4096];

    if (!slash)
        directories[0] = ".";
    else
        slash[slash == store_path] = '\0';
    if (rc_run_record_save(&work->record, directories, path, sizeof path, &error))
        rc_cmd_fail(&error, "saving the record, which could not be stored (%.200s)", why->text);
    else
        rc_cmd_note("the store cannot be written (%.200s); 'runcast import %s' adds this run",
                    why->text, path);
}

static void say_what_was_stored(const struct rc_cmd_record *work, int64_t id)
{
    const struct rc_run *run = &work->record.run;
    char seconds[RC_UNIT_SIZE], load[80] = "availability unknown";

    if (work->options->quiet)
        return;
    rc_unit_format(run->seconds, RC_SECONDS, seconds);
    if (!isnan(run->cpu_avgmin))
        snprintf(load, sizeof load, "availability %.3g", run->cpu_avgmin);
    else if (work->options->no_sense)
        snprintf(load, sizeof load, "no host sensed");
    fprintf(stderr, "runcast: run %lld stored: %s, %s, %s\n", (long long)id, seconds,
            rc_db_run_status_name(run->status), load);
}

/* Says where links were probed less often than usual. */
static void note_seldom(double link_every)
{
    char every[RC_UNIT_SIZE];

    if (!(link_every > RC_WATCH_LINK_EVERY))
        return;
    rc_unit_format(round(link_every), RC_SECONDS, every);
    rc_cmd_note("a link is so fast that it is probed every %s, for each probe to be long enough "
                "within the bytes of an hour",
                every);
}

void rc_cmd_record_keep(struct rc_cmd_record *work)
{
    double link_every = work->sensors.kind ? work->sensors.kind->link_every(work->sensors.data) : 0;
    const struct rc_record_sources sources = {.n_hosts = work->options->no_sense
                                                             ? 0
                                                             : work->launch.hosts.count,
                                              .n_links = work->n_links,
                                              .host_every = work->options->every,
                                              .link_every = link_every};
    struct rc_error error = {0};
    char path[4096] = "";
    int64_t id;

    if (rc_run_record_fill(&work->record, &work->outcome, is_here(work), &sources, &error))
        rc_cmd_fail(&error, "computing the load of the run");
    if (!work->options->quiet) {
        note_silent(work);
        note_unmeasured(work);
        note_seldom(link_every);
        note_left_behind(work);
    }
    if (store(work, &id, path, sizeof path, &error))
        save_file(work, path, &error);
    else
        say_what_was_stored(work, id);
    if (work->options->json && rc_run_record_write(&work->record, work->options->json, &error))
        rc_cmd_fail(&error, "writing the record");
}
