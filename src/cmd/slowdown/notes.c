// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - notes of 'runcast slowdown' on answers, options and calibrations. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/slowdown/slowdown.h"

/* ---- on options without effect, and on cores ---- */

static void note_memory(const struct rc_cmd_slowdown_options *options,
                        struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    char command[RC_CMD_CALIBRATE_SIZE];
    bool used = rc_observe_competitors_count(host->competitors, host->n_competitors,
                                             RC_COMPETITOR_USES_MEMORY) > 0;

    if (host->memory > 0 && !host->memory_curve)
        rc_cmd_note("memory contention is ignored: it has not been measured (use 'runcast slowdown "
                    "calibrate', then --platform and --host)");
    else if (host->memory > 0 && host->cores > 1 && host->memory_curve->n == 0)
        rc_cmd_note("memory contention is ignored: it is not in the calibration ('%s' measures it)",
                    rc_cmd_calibrate_command(slowdown->platform, &slowdown->calibration,
                                             RC_CALIBRATION_MEMORY, command));
    else if (host->memory > 0 && host->cores < 2)
        rc_cmd_note(
            "--memory-bound has no effect: on one core, only one process uses memory at a time");
    else if (host->memory > 0 && !used)
        rc_cmd_note(
            "--memory-bound has no effect: no competitor waits for memory (memory-bound=SHARE)");
    else if (used && isnan(options->memory_bound))
        rc_cmd_note("memory contention is ignored: competitors wait for memory, but --memory-bound "
                    "of the program is missing");
}

void rc_cmd_slowdown_note_use(const struct rc_cmd_slowdown_options *options,
                              struct rc_cmd_slowdown *slowdown)
{
    if (slowdown->communicating == 0 && (options->delay || options->bandwidth))
        rc_cmd_note("--%s has no effect: no competitor communicates",
                    options->delay ? "delay" : "bandwidth");
    if (slowdown->communicating < 2 && options->shared_link)
        rc_cmd_note("--shared-link has no effect: fewer than two competitors communicate");
    note_memory(options, slowdown);
}

void rc_cmd_slowdown_note_cores(struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    bool computing = rc_observe_competitors_count(host->competitors, host->n_competitors,
                                                  RC_COMPETITOR_COMPUTES) > 0;

    if (computing && slowdown->cores_from == RC_CMD_CORES_ASSUMED)
        rc_cmd_note("unknown number of cores: 1 is assumed (use --cores, or --platform and "
                    "--host)");
    if (computing && slowdown->cores_from == RC_CMD_CORES_CALIBRATED)
        rc_cmd_note("%d core%s assumed, from the calibration of '%.100s' (--cores overrides it)",
                    host->cores, host->cores == 1 ? "" : "s", slowdown->known->name);
}

/* ---- on answers ---- */

void rc_cmd_note_some(size_t *noted, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (++*noted > RC_CMD_NOTES_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(text, sizeof text);
    rc_cmd_note("%s", text);
}

void rc_cmd_note_left_off(size_t noted)
{
    if (noted > RC_CMD_NOTES_MAX)
        rc_cmd_note("%zu more notes omitted", noted - RC_CMD_NOTES_MAX);
}

void rc_cmd_note_rate(const char *option, const char *text)
{
    if (rc_slowdown_rate_is_bare(text))
        rc_cmd_note("--%s %.40s has no unit: bytes/s is assumed (write 100Mbit/s or 12.5MB/s)",
                    option, text);
}

void rc_cmd_note_delay(const struct rc_delay *delay, unsigned notes)
{
    if (notes & RC_DELAY_CLAMPED)
        rc_cmd_note("a delay curve is negative at this bandwidth; 0 is used");
    if (notes & RC_DELAY_MORE)
        rc_cmd_note("delays were measured for up to %zu communicating at once; more are "
                    "extrapolated",
                    delay->n);
    if (notes & RC_DELAY_OUTSIDE)
        rc_cmd_note(
            "the bandwidth is outside the range in which delays were measured (extrapolated)");
}

void rc_cmd_note_leaving(size_t leaving)
{
    if (leaving > 0)
        rc_cmd_note("%zu competitor%s and %s: assumed to be always present ('runcast slowdown "
                    "predict' without --model models it)",
                    leaving, leaving == 1 ? " comes" : "s come", leaving == 1 ? "goes" : "go");
}

void rc_cmd_note_cycles(size_t cycling, bool constant)
{
    if (cycling > 0)
        rc_cmd_note("cycle= of %zu competitor%s has no effect: %s", cycling,
                    cycling == 1 ? "" : "s",
                    constant ? "without changes of activity there are no phases"
                             : "the slowdown is that of a long run ('runcast slowdown predict' "
                               "without --model models cycles)");
}

void rc_cmd_note_crowded(size_t hosts, const char *source)
{
    char where[64] = "";

    if (hosts > 0)
        snprintf(where, sizeof where, " on %zu host%s", hosts, hosts == 1 ? "" : "s");
    rc_cmd_note("too many competitors to simulate%s (at most %d): the slowdown is from %s, and the "
                "variation between runs is ignored",
                where, RC_CONTENTION_COMPETITORS_MAX, source);
}

void rc_cmd_note_coreless(size_t hosts)
{
    if (hosts > 0)
        rc_cmd_note("unknown number of cores of %zu host%s: 1 is assumed (add 'cores' to the file, "
                    "or use --platform)",
                    hosts, hosts == 1 ? "" : "s");
}

/* ---- on calibrations ---- */

const char *rc_cmd_calibrate_command(const char *platform, const struct rc_calibration *calibration,
                                     unsigned parts, char text[RC_CMD_CALIBRATE_SIZE])
{
    char here[RC_CMD_PLATFORM_SIZE], names[RC_CALIBRATION_PARTS_SIZE];
    bool elsewhere =
        calibration && calibration->n_hosts > 0 &&
        (calibration->n_hosts > 1 ||
         strcmp(calibration->hosts[0].name, rc_cmd_slowdown_platform(NULL, here)) != 0);

    rc_slowdown_calibration_parts_text(parts, names);
    snprintf(text, RC_CMD_CALIBRATE_SIZE, "runcast slowdown calibrate%s%s --platform %.60s%s",
             parts == RC_CALIBRATION_ALL ? "" : " --measure ",
             parts == RC_CALIBRATION_ALL ? "" : names, platform, elsewhere ? " --hosts ..." : "");
    return text;
}

/* "'a' and 2 others" of the busy hosts; NULL if there is none. */
static const char *name_busy(const struct rc_calibration *calibration, char *text, size_t size)
{
    const char *first = NULL;
    size_t n = 0;

    for (size_t i = 0; i < calibration->n_hosts; i++)
        if (rc_slowdown_calibration_was_busy(&calibration->hosts[i]) && n++ == 0)
            first = calibration->hosts[i].name;
    if (n > 1)
        snprintf(text, size, "'%.80s' and %zu other%s", first, n - 1, n == 2 ? "" : "s");
    else if (n == 1)
        snprintf(text, size, "'%.80s'", first);
    return n > 0 ? text : NULL;
}

/* "the calibration of 'x'<before>weights,delay<after>", with the command that measures these parts;
 * nothing without parts. */
static void note_parts(const char *platform, const struct rc_calibration *calibration,
                       unsigned parts, const char *before, const char *after)
{
    char names[RC_CALIBRATION_PARTS_SIZE], command[RC_CMD_CALIBRATE_SIZE];

    rc_slowdown_calibration_parts_text(parts, names);
    if (parts && platform)
        rc_cmd_note("the calibration of '%.40s'%s%s%s ('%s' measures them again)", platform, before,
                    names, after, rc_cmd_calibrate_command(platform, calibration, parts, command));
    else if (parts)
        rc_cmd_note("the calibration in the file%s%s%s", before, names, after);
}

void rc_cmd_note_calibration(const char *platform, const struct rc_calibration *calibration,
                             unsigned parts)
{
    char hosts[120];

    note_parts(platform, calibration, calibration->quick & parts,
               " is unreliable: ", " measured with --quick");
    note_parts(platform, calibration, calibration->missing & parts,
               " was interrupted: ", " incomplete or outdated");
    if (parts && name_busy(calibration, hosts, sizeof hosts))
        rc_cmd_note(
            "the calibration %s%.40s%s is unreliable: %s may have been busy, since benchmark "
            "times differ by over 20 %%",
            platform ? "of '" : "in the file", platform ? platform : "", platform ? "'" : "",
            hosts);
}
