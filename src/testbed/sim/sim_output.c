// SPDX-License-Identifier: GPL-3.0-or-later
/* sim_output.c - what a simulated program and SMPI wrote.
 *
 * SimGrid's own lines are "@TIME@CATEGORY@PRIORITY@MESSAGE" (smpi_launch.c asks for that); a
 * program's report is a line with a JSON object that has "seconds".  All other
 * lines are the program's output, and so is the report of a skeleton: a probe reads it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "testbed/sim/sim.h"

enum { REPORT_MAX = 1 << 16, LINE_SIZE = 300 };

struct reading {
    struct rc_sim_output *output;
    struct rc_buffer *printed;
    char said[LINE_SIZE];     /* the program's last words */
    char reported[LINE_SIZE]; /* SimGrid's first complaint */
    char check[16];
    double wrong;
    bool aborted, foreign, deadlock;
};

static void copy_line(char printed[LINE_SIZE], const char *line, size_t length)
{
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\r'))
        length--;
    if (length == 0)
        return;
    snprintf(printed, LINE_SIZE, "%.*s", (int)(length < LINE_SIZE ? length : LINE_SIZE - 1), line);
    rc_text_mend_cut(printed, LINE_SIZE);
    rc_text_clean(printed, strlen(printed));
}

static bool contains(const char *line, size_t length, const char *printed)
{
    return memmem(line, length, printed, strlen(printed)) != NULL;
}

/* A line of SimGrid's, from its time on. */
static void read_log(struct reading *reading, const char *line, size_t length)
{
    static const char timing[] = "@smpi_utils@INFO@Simulated time";
    double time;
    size_t used = rc_number_scan(line, length, &time);
    const char *message = line;

    if (used > 0 && length - used > sizeof timing &&
        memcmp(line + used, timing, sizeof timing - 1) == 0) {
        reading->output->total = time;
        return;
    }
    if (contains(line, length, "MPI_Abort was called")) {
        reading->aborted = true;
        return;
    }
    if (contains(line, length, "Deadlock detected")) {
        reading->deadlock = true;
        return;
    }
    /* such as that a process did not return 0, or how much of the time was spent in it */
    if (contains(line, length, "@WARNING@") || contains(line, length, "@INFO@"))
        return;
    for (int i = 0; i < 3 && message; i++) {
        message = memchr(message, '@', (size_t)(line + length - message));
        message = message ? message + 1 : NULL;
    }
    if (message && !reading->reported[0])
        copy_line(reading->reported, message, (size_t)(line + length - message));
}

static double member(const json_t *report, const char *name)
{
    const json_t *value = json_object_get(report, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

enum report { NO_REPORT, PROGRAM_REPORT, SKELETON_REPORT };

/* Reads a line if it is a report, and returns whose. */
static enum report read_report(struct reading *reading, const char *line, size_t length)
{
    json_t *report =
        *line == '{' && length <= REPORT_MAX ? json_loadb(line, length, 0, NULL) : NULL;
    enum report whose = !json_is_number(json_object_get(report, "seconds"))   ? NO_REPORT
                        : json_is_string(json_object_get(report, "skeleton")) ? SKELETON_REPORT
                                                                              : PROGRAM_REPORT;
    struct rc_sim_output *output = reading->output;
    const char *app, *check;

    if (whose != NO_REPORT) {
        app = json_string_value(json_object_get(report, "app"));
        check = json_string_value(json_object_get(report, "check"));
        snprintf(output->app, sizeof output->app, "%s", app ? app : "");
        rc_text_mend_cut(output->app, sizeof output->app);
        rc_text_clean(output->app, strlen(output->app));
        snprintf(reading->check, sizeof reading->check, "%s", check ? check : "");
        output->n = member(report, "n");
        output->p = member(report, "p");
        output->iterations = member(report, "iterations");
        output->seconds = member(report, "seconds");
        output->memory = member(report, "memory");
        output->operations = member(report, "operations");
        output->computed = strcmp(reading->check, "ok") == 0;
        reading->wrong = member(report, "error");
    }
    json_decref(report);
    return whose;
}

/* What SimGrid adds to its messages, on lines of their own. */
static bool is_noise(const char *line, size_t length)
{
    static const char *const beginnings[] = {"Backtrace",
                                             "  ->",
                                             "The simulation took",
                                             "Error: Did",
                                             "You may want to use sampling functions",
                                             "Segmentation fault."};

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (length >= strlen(beginnings[i]) &&
            memcmp(line, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return contains(line, length, "seconds were actual computation");
}

static void read_line(struct reading *reading, const char *line, size_t length)
{
    if (contains(line, length, "SMPI-specific compiler"))
        reading->foreign = true;
    if (length > 0 && *line == '@')
        read_log(reading, line + 1, length - 1);
    else if (length > 0 && !is_noise(line, length)) {
        enum report whose = read_report(reading, line, length);

        if (whose == NO_REPORT)
            copy_line(reading->said, line, length);
        if (whose != PROGRAM_REPORT && reading->printed) {
            rc_buffer_add(reading->printed, line, length);
            rc_buffer_add_text(reading->printed, "\n");
        }
    }
}

/* The failure, with SimGrid's reason or the last line of the program's output. */
static int report_end(const struct reading *reading, const char *ended, struct rc_error *error)
{
    if (reading->reported[0])
        return rc_error_set(error, "%s: %s", ended, reading->reported);
    if (reading->said[0])
        return rc_error_set(error, "%s; its last output: %s", ended, reading->said);
    return rc_error_set(error, "%s, without output", ended);
}

static int judge(const struct reading *reading, const char *ended, struct rc_error *error)
{
    const struct rc_sim_output *output = reading->output;

    if (reading->foreign) {
        rc_error_set(error, "the program is not built for SMPI");
        return rc_error_hint(error,
                             "build it with smpicc, smpicxx or smpif90; 'make apps' in the sources "
                             "of runcast builds its workloads");
    }
    if (strcmp(reading->check, "wrong") == 0)
        return rc_error_set(error, "wrong result: its deviation is %g", reading->wrong);
    if (ended || reading->aborted)
        return report_end(reading, ended ? ended : "the program called MPI_Abort", error);
    if (reading->deadlock)
        return rc_error_set(error, "deadlock: all processes wait for messages");
    if (isnan(output->total))
        return rc_error_set(error, "no simulated time in the output of SimGrid");
    if (!isnan(output->seconds) && !(output->seconds > 0 && isfinite(output->seconds)))
        return rc_error_set(error, "the program reports a run time of %g s", output->seconds);
    return 0;
}

static void read_lines(struct reading *reading, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end ? (size_t)(end - (text + at)) : length - at;

        read_line(reading, text + at, line);
        at += line + 1;
    }
}

void rc_sim_output_text(const char *text, size_t length, struct rc_buffer *printed)
{
    struct rc_sim_output ignored;
    struct reading reading = {.output = &ignored, .printed = printed};

    read_lines(&reading, text, length);
}

int rc_sim_output_read(const char *text, size_t length, const char *ended,
                       struct rc_sim_output *output, struct rc_error *error)
{
    struct reading reading = {.output = output, .wrong = NAN};

    *output = (struct rc_sim_output){.n = NAN,
                                     .p = NAN,
                                     .iterations = NAN,
                                     .memory = NAN,
                                     .operations = NAN,
                                     .seconds = NAN,
                                     .total = NAN};
    read_lines(&reading, text, length);
    return judge(&reading, ended, error);
}
