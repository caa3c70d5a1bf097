// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown.c - 'runcast slowdown': slowdown of a program by competing processes; code that its
 * verbs share. */
#include "cmd/slowdown/slowdown.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/unit.h"
#include "cmd/core/commands.h"
#include "model/slowdown/competitors_file.h"
#include "model/slowdown/usual_load.h"

#define MISSING_LEAST 0.1 /* competitors; fewer are noise */

/* ---- parts ---- */

int rc_cmd_slowdown_refuse(const struct rc_invocation *invocation, const char *option,
                           const struct rc_error *inner)
{
    struct rc_error error = {0};

    rc_error_set(&error, "--%s: %s", option, inner->text);
    rc_error_hint_of(&error, inner);
    return rc_cmd_usage(invocation, &error);
}

int rc_cmd_slowdown_rate(const struct rc_invocation *invocation, const char *option,
                         const char *text, double word_bytes, double *rate)
{
    struct rc_error error = {0};

    return rc_slowdown_word_rate_parse(text, word_bytes, rate, &error)
               ? rc_cmd_slowdown_refuse(invocation, option, &error)
               : RC_EXIT_OK;
}

int rc_cmd_slowdown_find(const char *db, const char *platform, struct rc_calibration *calibration,
                         struct rc_error *error)
{
    char path[4096] = "", command[RC_CMD_CALIBRATE_SIZE];
    struct rc_db *database = rc_cmd_try_db(db, RC_DB_READ, NULL, path, sizeof path, error);
    int found;

    if (!database) {
        if (*path && access(path, F_OK) != 0 && errno == ENOENT)
            rc_error_hint(error, "'%s' creates one; --db FILE or RUNCAST_DB selects another",
                          rc_cmd_calibrate_command(platform, NULL, RC_CALIBRATION_ALL, command));
        rc_cmd_fail(error, "opening the database%s%s", *path ? " " : "", path);
        *error = (struct rc_error){0};
        return -1;
    }
    found = rc_slowdown_calibration_find(database, platform, calibration, error);
    rc_db_close(database);
    return found;
}

int rc_cmd_slowdown_calibration(const char *db, const char *platform,
                                struct rc_calibration *calibration)
{
    struct rc_error error = {0};
    int found = rc_cmd_slowdown_find(db, platform, calibration, &error);

    if (found == 0) {
        rc_error_set(&error, "--platform: no calibration of '%s'", platform);
        rc_error_hint(&error, "measure it: runcast slowdown calibrate --platform %s", platform);
    }
    return found > 0       ? RC_EXIT_OK
           : error.text[0] ? rc_cmd_fail(&error, "reading the calibration")
                           : RC_EXIT_FAILED;
}

/* The calibration of this machine, if there is one: the default of --platform. */
static void try_own_calibration(const char *db, struct rc_cmd_slowdown *slowdown)
{
    char path[4096];
    struct rc_db *database = rc_cmd_try_db(db, RC_DB_READ, NULL, path, sizeof path, NULL);

    slowdown->platform = rc_cmd_slowdown_platform(NULL, slowdown->here);
    if (!database)
        return;
    slowdown->calibrated = rc_slowdown_calibration_find(database, slowdown->platform,
                                                        &slowdown->calibration, NULL) > 0;
    slowdown->own = slowdown->calibrated;
    rc_db_close(database);
}

/* Delays without --delay: those of the calibration, or an assumption (`instead`), with a note. */
static void find_delay(const struct rc_cmd_slowdown_options *options,
                       struct rc_cmd_slowdown *slowdown)
{
    const char *instead = "communicating competitors are assumed to cause no delay";
    char command[RC_CMD_CALIBRATE_SIZE];

    if (slowdown->calibrated && slowdown->calibration.delay.n > 0) {
        slowdown->delay = slowdown->calibration.delay;
        if (slowdown->own && slowdown->communicating > 0)
            rc_cmd_note("delays are from the calibration of '%.100s'", slowdown->platform);
        return;
    }
    if (options->bandwidth) {
        rc_slowdown_delay_paper(rc_cmd_word_bytes(options->word_bytes), &slowdown->delay);
        slowdown->paper_delay = true;
        instead = "the curves of the paper's Alphas (1996) are used";
    } else {
        slowdown->host.delay = NULL;
    }
    if (slowdown->communicating > 0 && slowdown->calibrated)
        rc_cmd_note("the calibration of '%.40s' has no delays ('%s'): %s", slowdown->platform,
                    rc_cmd_calibrate_command(slowdown->platform, &slowdown->calibration,
                                             RC_CALIBRATION_DELAY, command),
                    instead);
    else if (slowdown->communicating > 0)
        rc_cmd_note("no delays: %s ('runcast slowdown calibrate' measures them; or use --delay or "
                    "--platform)",
                    instead);
}

static int read_delay(const struct rc_invocation *invocation,
                      const struct rc_cmd_slowdown_options *options,
                      struct rc_cmd_slowdown *slowdown)
{
    struct rc_calibration calibration = {0};
    struct rc_error error = {0};
    int found;

    slowdown->host.delay = &slowdown->delay;
    if (!options->delay) {
        find_delay(options, slowdown);
        return RC_EXIT_OK;
    }
    found = rc_slowdown_delay_parse(options->delay, rc_cmd_word_bytes(options->word_bytes),
                                    &slowdown->delay, &error);
    slowdown->paper_delay = found > 0 && slowdown->delay.n > 0;
    if (found < 0)
        return rc_cmd_slowdown_refuse(invocation, "delay", &error);
    if (found > 0)
        return RC_EXIT_OK;
    if (rc_slowdown_calibration_open(options->delay, &calibration, &error))
        return rc_cmd_fail(&error, "reading the delays (--delay)");
    slowdown->delay = calibration.delay;
    if (slowdown->communicating > 0)
        rc_cmd_note_calibration(NULL, &calibration, RC_CALIBRATION_DELAY);
    rc_slowdown_calibration_free(&calibration);
    return RC_EXIT_OK;
}

/* The rate of a single sender when the delays were measured: the full speed of the link. */
static int take_full_speed(struct rc_cmd_slowdown *slowdown)
{
    const struct rc_calibration *calibration = &slowdown->calibration;
    double speed = slowdown->delay.curves[0].high;
    char rate[RC_UNIT_SIZE];

    if (!(speed > 0 && isfinite(speed)))
        return -1;
    rc_unit_format(speed, RC_RATE, rate);
    rc_cmd_note(
        "no --bandwidth: delays are for the full speed of the link from '%.60s' to '%.60s', "
        "%s, an upper bound",
        calibration->delay_from, calibration->delay_to, rate);
    slowdown->host.bandwidth = speed;
    return 0;
}

static int read_bandwidth(const struct rc_invocation *invocation,
                          const struct rc_cmd_slowdown_options *options,
                          struct rc_cmd_slowdown *slowdown)
{
    slowdown->host.bandwidth = NAN;
    rc_cmd_note_rate("bandwidth", options->bandwidth);
    if (options->bandwidth)
        return rc_cmd_slowdown_rate(invocation, "bandwidth", options->bandwidth,
                                    rc_cmd_word_bytes(options->word_bytes),
                                    &slowdown->host.bandwidth);
    if (!slowdown->host.delay || slowdown->delay.n == 0)
        return RC_EXIT_OK;
    if (slowdown->communicating == 0)
        slowdown->host.delay = NULL;
    else if (!slowdown->own || options->delay || take_full_speed(slowdown))
        return rc_cmd_usage_text(
            invocation,
            "--bandwidth is missing; the delay by communicating competitors depends on it");
    return RC_EXIT_OK;
}

static int read_competitors(const struct rc_invocation *invocation,
                            const struct rc_cmd_slowdown_options *options,
                            struct rc_cmd_slowdown *slowdown)
{
    struct rc_competitors *all = &slowdown->competitors;
    struct rc_error error = {0};
    struct rc_competitor competitor;
    char option[160];
    size_t count;

    for (size_t i = 0; i < options->competitors.n; i++) {
        snprintf(option, sizeof option, "competitor '%.100s'", options->competitors.items[i]);
        if (rc_observe_competitor_parse(options->competitors.items[i], &competitor, &count, &error))
            return rc_cmd_slowdown_refuse(invocation, option, &error);
        if (rc_slowdown_competitors_add(all, &competitor, count, &error))
            return rc_cmd_fail(&error, "reading the competitors");
    }
    if (options->observed && rc_slowdown_observed_open(options->observed, all, &error))
        return rc_cmd_fail(&error, "reading the observed competitors (--observed)");
    slowdown->communicating =
        rc_observe_competitors_count(all->items, all->n, RC_COMPETITOR_COMMUNICATES);
    return RC_EXIT_OK;
}

/* ---- the host ---- */

static int no_such_host(const struct rc_cmd_slowdown_options *options,
                        const struct rc_cmd_slowdown *slowdown)
{
    const char *near = rc_slowdown_calibration_near(&slowdown->calibration, options->host);
    struct rc_error error = {0};
    char missing[RC_CMD_LACKS_SIZE];

    rc_error_set(&error, "--host: no host '%s' in the calibration of '%s'", options->host,
                 options->platform);
    rc_cmd_calibration_missing(&slowdown->calibration, options->platform, options->host,
                               "weights,memory", missing);
    if (near)
        rc_error_hint(&error, "did you mean '%s'?", near);
    else
        rc_error_hint(&error, "%s", missing);
    return rc_cmd_fail(&error, "looking for the host");
}

/* `must`: a host without samples is a failure, and so is a missing database. */
static int find_usual_load(const char *db, const char *host, bool must, int cores, int procs,
                           struct rc_usual_load *usual)
{
    struct rc_clock *clock = rc_clock_system();
    struct rc_error error = {0};
    char path[4096];
    struct rc_db *database = rc_cmd_try_db(db, RC_DB_READ, NULL, path, sizeof path, &error);
    int status;

    if (!database)
        return must ? rc_cmd_fail(&error, "looking up the host '%s' (--host)", host) : RC_EXIT_OK;
    status = rc_slowdown_usual_load_find(database, host, clock->wall(clock), cores, procs, usual,
                                         &error);
    if (!status && must)
        status = rc_slowdown_usual_load_check(database, host, &error);
    rc_db_close(database);
    return status ? rc_cmd_fail(&error, "looking up the host") : RC_EXIT_OK;
}

int rc_cmd_slowdown_fill(const char *db, const char *host, bool must, int cores, int procs,
                         struct rc_competitor *competitors, size_t n, size_t *noted)
{
    size_t unknown = rc_observe_competitors_count(competitors, n, RC_COMPETITOR_UNKNOWN);
    struct rc_usual_load usual = {0};
    double missing;

    if (unknown == 0)
        return RC_EXIT_OK;
    if (host && find_usual_load(db, host, must, cores, procs, &usual))
        return RC_EXIT_FAILED;
    missing = rc_observe_competitors_missing(competitors, n, cores, &usual);
    rc_observe_competitors_fill(competitors, n, cores, &usual);
    if (missing > MISSING_LEAST)
        rc_cmd_note_some(
            noted,
            "the load of %s was higher than these competitors explain: %.2g more would "
            "compute all the time",
            host, missing);
    if (usual.samples > 0)
        rc_cmd_note_some(noted,
                         "%zu unknown competitor%s: shares are from the load of %s in the last 7 "
                         "days (CPU availability %.3g, sd %.2g; %zu samples)",
                         unknown, unknown == 1 ? "" : "s", host, usual.mean, usual.sd,
                         usual.samples);
    else
        rc_cmd_note_some(
            noted,
            "%zu unknown competitor%s, and no samples of the last 7 days%s%s: computing shares "
            "from 0 to 1 are assumed",
            unknown, unknown == 1 ? "" : "s", host ? " of " : " (--host)", host ? host : "");
    return RC_EXIT_OK;
}

/* ---- all of it ---- */

static int read_host(const struct rc_cmd_slowdown_options *options, const char *db,
                     struct rc_cmd_slowdown *slowdown)
{
    struct rc_local_host *host = &slowdown->host;
    const struct rc_slowdown_calibration_host *known = slowdown->known;
    size_t noted = 0;

    if (options->platform && options->host && !known)
        return no_such_host(options, slowdown);
    if (known) {
        host->cores = known->cores;
        host->memory_curve = &known->memory;
        slowdown->cores_from = RC_CMD_CORES_CALIBRATED;
    }
    /* The cores of the observed host take precedence over the calibration of this machine. */
    if (slowdown->competitors.cores && !(options->platform && options->host)) {
        host->cores = slowdown->competitors.cores;
        slowdown->cores_from = RC_CMD_CORES_OBSERVED;
    }
    if (options->cores) {
        host->cores = (int)options->cores;
        slowdown->cores_from = RC_CMD_CORES_GIVEN;
    }
    if (options->procs)
        host->processes = (int)options->procs;
    host->shared_link = options->shared_link;
    host->memory = isnan(options->memory_bound) ? 0 : options->memory_bound;
    host->competitors = slowdown->competitors.items;
    host->n_competitors = slowdown->competitors.n;
    return rc_cmd_slowdown_fill(db, options->host, !known, host->cores, host->processes,
                                slowdown->competitors.items, slowdown->competitors.n, &noted);
}

int rc_cmd_slowdown_read(const struct rc_invocation *invocation,
                         const struct rc_cmd_slowdown_options *options, const char *db,
                         struct rc_cmd_slowdown *slowdown)
{
    struct rc_calibration *calibration = &slowdown->calibration;
    unsigned parts = 0;
    int status;

    *slowdown = (struct rc_cmd_slowdown){.host = {.cores = 1, .processes = 1},
                                         .platform = options->platform,
                                         .model = rc_slowdown_local_model_of(options->model),
                                         .model_given = options->model != NULL};
    if ((status = rc_cmd_slowdown_check(invocation, options)) ||
        (status = read_competitors(invocation, options, slowdown)))
        return status;
    if (options->platform &&
        (status = rc_cmd_slowdown_calibration(db, options->platform, calibration)))
        return status;
    slowdown->calibrated = options->platform != NULL;
    if (!options->platform && (options->host || !options->delay))
        try_own_calibration(db, slowdown); /* --delay describes another machine */
    if (slowdown->calibrated)
        slowdown->known =
            rc_slowdown_calibration_host(calibration,
                                         options->host ? options->host : slowdown->platform);
    if (slowdown->calibrated && !slowdown->known && !options->host && calibration->n_hosts == 1)
        slowdown->known = calibration->hosts;
    if ((status = read_delay(invocation, options, slowdown)) ||
        (status = read_bandwidth(invocation, options, slowdown)) ||
        (status = rc_cmd_slowdown_check_use(invocation, options, slowdown)) ||
        (status = read_host(options, db, slowdown)))
        return status;
    rc_cmd_slowdown_note_use(options, slowdown);
    if (!options->delay && slowdown->host.delay && calibration->delay.n > 0 &&
        slowdown->communicating > 0)
        parts |= RC_CALIBRATION_DELAY;
    if (slowdown->host.memory > 0 && slowdown->known)
        parts |= RC_CALIBRATION_MEMORY;
    if (slowdown->calibrated)
        rc_cmd_note_calibration(slowdown->platform, calibration, parts);
    return RC_EXIT_OK;
}

void rc_cmd_slowdown_free(struct rc_cmd_slowdown *slowdown)
{
    free(slowdown->competitors.items);
    slowdown->competitors = (struct rc_competitors){0};
    rc_slowdown_calibration_free(&slowdown->calibration);
}

static const struct rc_command *const verbs[] = {&rc_command_slowdown_local,
                                                 &rc_command_slowdown_comm,
                                                 &rc_command_slowdown_aggregate,
                                                 &rc_command_slowdown_predict,
                                                 &rc_command_slowdown_allocate,
                                                 &rc_command_slowdown_observe,
                                                 &rc_command_slowdown_calibrate,
                                                 &rc_command_slowdown_show,
                                                 &rc_command_slowdown_burst,
                                                 &rc_command_slowdown_bench,
                                                 NULL};

const struct rc_command rc_command_slowdown = {
    .name = "slowdown",
    .summary = "Predict the slowdown of a program by competing processes",
    .details = "Computes how much longer a program takes on shared hosts and links than on idle "
               "ones. It needs no past runs: the dedicated run time and a list of competing "
               "processes are enough. The model is that of Figueira and Berman (2001).",
    .children = verbs,
};
