// SPDX-License-Identifier: GPL-3.0-or-later
/* slowdown_remarks.c - what is to be known of answers of 'runcast slowdown' besides the answers. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cmd/slowdown/slowdown.h"
#include "cmd/slowdown/calibration.h"

#define LEFT_OFF "%zu more notes are left off"

void rc_cmd_remark(struct rc_cmd_remarks *remarks, const char *format, ...)
{
    va_list arguments;

    if (remarks->n == RC_CMD_REMARKS_MAX) {
        remarks->left_off++;
        return;
    }
    va_start(arguments, format);
    vsnprintf(remarks->text[remarks->n], sizeof *remarks->text, format, arguments);
    va_end(arguments);
    rc_text_mend_cut(remarks->text[remarks->n], sizeof *remarks->text);
    rc_text_clean(remarks->text[remarks->n], strlen(remarks->text[remarks->n]));
    remarks->n++;
}

void rc_cmd_remarks_show(const struct rc_cmd_remarks *remarks)
{
    for (size_t i = 0; i < remarks->n; i++) {
        printf("note: ");
        rc_option_wrap(stdout, remarks->text[i], 6, rc_cmd_width() ? rc_cmd_width() : 10000);
    }
    if (remarks->left_off > 0)
        printf("note: " LEFT_OFF "\n", remarks->left_off);
}

json_t *rc_cmd_remarks_json(const struct rc_cmd_remarks *remarks)
{
    json_t *list = json_array();

    for (size_t i = 0; i < remarks->n; i++)
        json_array_append_new(list, rc_json_text(remarks->text[i]));
    if (remarks->left_off > 0)
        json_array_append_new(list, json_sprintf(LEFT_OFF, remarks->left_off));
    return list;
}

void rc_cmd_remark_delay(struct rc_cmd_remarks *remarks, const struct rc_delay *delay,
                         unsigned notes)
{
    if (notes & RC_DELAY_CLAMPED)
        rc_cmd_remark(remarks, "a delay curve goes below 0 at this bandwidth; 0 was taken");
    if (notes & RC_DELAY_MORE)
        rc_cmd_remark(remarks,
                      "delays are known for up to %zu communicating at once; for more the last "
                      "ones go on (extrapolated)",
                      delay->n);
    if (notes & RC_DELAY_OUTSIDE)
        rc_cmd_remark(remarks, "the bandwidth is outside of those at which delays were measured");
}

void rc_cmd_remark_leaving(struct rc_cmd_remarks *remarks, size_t leaving)
{
    if (leaving > 0)
        rc_cmd_remark(remarks,
                      "%zu competitor%s and %s: taken to be there all the time ('runcast "
                      "slowdown predict' knows better)",
                      leaving, leaving == 1 ? " comes" : "s come", leaving == 1 ? "goes" : "go");
}

void rc_cmd_remark_cycles(struct rc_cmd_remarks *remarks, size_t cycling, bool constant)
{
    if (cycling > 0)
        rc_cmd_remark(remarks, "cycle= of %zu competitor%s changes nothing: %s", cycling,
                      cycling == 1 ? "" : "s",
                      constant ? "what does the same all the time has no phases"
                               : "a slowdown is that of a long run ('runcast slowdown predict' "
                                 "reckons with cycles)");
}

void rc_cmd_remark_coreless(struct rc_cmd_remarks *remarks, size_t nodes)
{
    if (nodes > 0)
        rc_cmd_remark(remarks,
                      "of %zu node%s it is not known how many cores there are: one is "
                      "taken ('cores' in the file, or --platform)",
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
static void remark_parts(struct rc_cmd_remarks *remarks, const char *platform,
                         const struct rc_calibration *calibration, unsigned parts,
                         const char *before, const char *after)
{
    char names[RC_CALIBRATION_PARTS_SIZE], command[RC_CMD_CALIBRATE_SIZE];

    rc_slowdown_calibration_parts_text(parts, names);
    if (parts && platform)
        rc_cmd_remark(remarks, "the calibration of '%.40s'%s%s%s ('%s' measures it)", platform,
                      before, names, after,
                      rc_cmd_calibrate_command(platform, calibration, parts, command));
    else if (parts)
        rc_cmd_remark(remarks, "the calibration in the file%s%s%s", before, names, after);
}

void rc_cmd_remark_calibration(struct rc_cmd_remarks *remarks, const char *platform,
                               const struct rc_calibration *calibration, unsigned parts)
{
    char hosts[120];

    remark_parts(remarks, platform, calibration, calibration->quick & parts, " has ",
                 " by --quick, which is not to be trusted");
    remark_parts(remarks, platform, calibration, calibration->lacking & parts,
                 " was broken off: of ", " something is lacking, or older");
    if (parts && name_busy(calibration, hosts, sizeof hosts))
        rc_cmd_remark(remarks,
                      "the calibration %s%.40s%s was made while %s did not seem idle: "
                      "times of the benchmark differ by over 20 %%",
                      platform ? "of '" : "in the file", platform ? platform : "",
                      platform ? "'" : "", hosts);
}
