// SPDX-License-Identifier: GPL-3.0-or-later
/* notes.c - what verbs of 'runcast slowdown' note of answers, options and calibrations. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/slowdown/slowdown.h"

/* ---- on options that change nothing, and on cores ---- */

static void note_memory(const struct rc_cmd_slowdown_options *options,
                        struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    char command[RC_CMD_CALIBRATE_SIZE];
    bool used = rc_observe_competitors_count(host->competitors, host->n_competitors,
                                             RC_COMPETITOR_USES_MEMORY) > 0;

    if (host->memory > 0 && !host->memory_curve)
        rc_cmd_note("what others cost a program that waits for memory is not known: it is left out "
                    "(--platform and --host; 'runcast slowdown calibrate' measures it)");
    else if (host->memory > 0 && host->cores > 1 && host->memory_curve->n == 0)
        rc_cmd_note("what others cost a program that waits for memory is not in the calibration: "
                    "it is left out ('%s' measures it)",
                    rc_cmd_calibrate_command(slowdown->platform, &slowdown->calibration,
                                             RC_CALIBRATION_MEMORY, command));
    else if (host->memory > 0 && host->cores < 2)
        rc_cmd_note(
            "on one core others wait while the program uses memory: --memory changes nothing");
    else if (host->memory > 0 && !used)
        rc_cmd_note("no competitor waits for memory (memory=SHARE): --memory changes nothing");
    else if (used && isnan(options->memory))
        rc_cmd_note("competitors wait for memory, but it is not said for which part of its "
                    "computing the program does (--memory): that is left out");
}

void rc_cmd_slowdown_note_use(const struct rc_cmd_slowdown_options *options,
                              struct rc_cmd_slowdown *slowdown)
{
    if (slowdown->communicating == 0 && (options->delay || options->bandwidth))
        rc_cmd_note("no competitor communicates: --%s changes nothing",
                    options->delay ? "delay" : "bandwidth");
    if (slowdown->communicating < 2 && options->shared_link)
        rc_cmd_note("fewer than two competitors communicate: --shared-link changes nothing");
    note_memory(options, slowdown);
}

void rc_cmd_slowdown_note_cores(struct rc_cmd_slowdown *slowdown)
{
    const struct rc_local_host *host = &slowdown->host;
    bool computing = rc_observe_competitors_count(host->competitors, host->n_competitors,
                                                  RC_COMPETITOR_COMPUTES) > 0;

    if (computing && slowdown->cores_from == RC_CMD_CORES_ASSUMED)
        rc_cmd_note("it is not known how many cores the host has: one is taken (--cores, or "
                    "--platform and --host)");
    if (computing && slowdown->cores_from == RC_CMD_CORES_CALIBRATED)
        rc_cmd_note(
            "the host is taken to have %d core%s, as '%.100s' had when it was calibrated (--cores)",
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
        rc_cmd_note("%zu more notes are left off", noted - RC_CMD_NOTES_MAX);
}

void rc_cmd_note_rate(const char *option, const char *text)
{
    if (rc_slowdown_rate_is_bare(text))
        rc_cmd_note("--%s has no unit: %.40s bytes/s (write 100Mbit/s, 12.5MB/s)", option, text);
}

void rc_cmd_note_delay(const struct rc_delay *delay, unsigned notes)
{
    if (notes & RC_DELAY_CLAMPED)
        rc_cmd_note("a delay curve goes below 0 at this bandwidth; 0 was taken");
    if (notes & RC_DELAY_MORE)
        rc_cmd_note("delays are known for up to %zu communicating at once; for more the last ones "
                    "go on (extrapolated)",
                    delay->n);
    if (notes & RC_DELAY_OUTSIDE)
        rc_cmd_note("the bandwidth is outside of those at which delays were measured");
}

void rc_cmd_note_leaving(size_t leaving)
{
    if (leaving > 0)
        rc_cmd_note("%zu competitor%s and %s: taken to be there all the time ('runcast slowdown "
                    "predict' knows better)",
                    leaving, leaving == 1 ? " comes" : "s come", leaving == 1 ? "goes" : "go");
}

void rc_cmd_note_cycles(size_t cycling, bool constant)
{
    if (cycling > 0)
        rc_cmd_note("cycle= of %zu competitor%s changes nothing: %s", cycling,
                    cycling == 1 ? "" : "s",
                    constant ? "what does the same all the time has no phases"
                             : "a slowdown is that of a long run ('runcast slowdown predict' "
                               "reckons with cycles)");
}

void rc_cmd_note_coreless(size_t nodes)
{
    if (nodes > 0)
        rc_cmd_note("of %zu node%s it is not known how many cores there are: one is taken ('cores' "
                    "in the file, or --platform)",
                    nodes, nodes == 1 ? "" : "s");
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
             parts == RC_CALIBRATION_ALL ? "" : " --only ",
             parts == RC_CALIBRATION_ALL ? "" : names, platform, elsewhere ? " --hosts ..." : "");
    return text;
}

/* "'a' and 2 others" of those that were busy; NULL where none was. */
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

/* "the calibration of 'x'<before>weights,delay<after>", with the command that measures these; of no
 * parts nothing. */
static void note_parts(const char *platform, const struct rc_calibration *calibration,
                       unsigned parts, const char *before, const char *after)
{
    char names[RC_CALIBRATION_PARTS_SIZE], command[RC_CMD_CALIBRATE_SIZE];

    rc_slowdown_calibration_parts_text(parts, names);
    if (parts && platform)
        rc_cmd_note("the calibration of '%.40s'%s%s%s ('%s' measures it)", platform, before, names,
                    after, rc_cmd_calibrate_command(platform, calibration, parts, command));
    else if (parts)
        rc_cmd_note("the calibration in the file%s%s%s", before, names, after);
}

void rc_cmd_note_calibration(const char *platform, const struct rc_calibration *calibration,
                             unsigned parts)
{
    char hosts[120];

    note_parts(platform, calibration, calibration->quick & parts, " has ",
               " by --quick, which is not to be trusted");
    note_parts(platform, calibration, calibration->missing & parts, " was broken off: of ",
               " something is lacking, or older");
    if (parts && name_busy(calibration, hosts, sizeof hosts))
        rc_cmd_note("the calibration %s%.40s%s was made while %s did not seem idle: times of the "
                    "benchmark differ by over 20 %%",
                    platform ? "of '" : "in the file", platform ? platform : "",
                    platform ? "'" : "", hosts);
}
