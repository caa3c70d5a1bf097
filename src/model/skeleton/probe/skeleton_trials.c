// SPDX-License-Identifier: GPL-3.0-or-later
/* skeleton_trials.c - what runs of a skeleton say of the program that it stands for. */
#include "model/skeleton/probe/skeleton_trials.h"

#include <dirent.h>
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "model/skeleton/shrink/shrink.h"
#include "base/last_line.h"
#include "base/process.h"
#include "model/skeleton/emit/emit.h"

enum { MEASURED_MAX = 1 << 16, DRAWS = 1000 };

/* ---- trials ---- */

/* A line that is a skeleton's report, or NULL. */
static json_t *report_of(const char *line, size_t length)
{
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);

    if (object && json_is_string(json_object_get(object, "skeleton")) &&
        json_is_number(json_object_get(object, "seconds")) &&
        json_number_value(json_object_get(object, "seconds")) > 0)
        return object;
    json_decref(object);
    return NULL;
}

static int add_report(struct rc_trials *trials, const json_t *report, struct rc_error *error)
{
    const char *name = json_string_value(json_object_get(report, "skeleton"));

    if (trials->n == RC_TRIALS_MAX)
        return rc_error_set(error, "more than %d runs of a skeleton", RC_TRIALS_MAX);
    if (trials->n && strcmp(name, trials->skeleton))
        return rc_error_set(error, "runs of two skeletons, %s and %s", trials->skeleton, name);
    snprintf(trials->skeleton, sizeof trials->skeleton, "%s", name);
    trials->ratio = json_number_value(json_object_get(report, "ratio"));
    trials->original = json_number_value(json_object_get(report, "original"));
    trials->shortest = json_number_value(json_object_get(report, "shortest"));
    trials->simulated = json_is_true(json_object_get(report, "simulated"));
    trials->communicating +=
        (json_number_value(json_object_get(report, "communicating")) - trials->communicating) /
        (double)(trials->n + 1);
    trials->seconds[trials->n++] = json_number_value(json_object_get(report, "seconds"));
    return 0;
}

int rc_skeleton_trials_add(struct rc_trials *trials, const char *text, size_t length,
                           struct rc_error *error)
{
    const char *end = text + length;

    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        json_t *report;
        int result = 0;

        if (!stop)
            stop = end;
        report = *text == '{' ? report_of(text, (size_t)(stop - text)) : NULL;
        if (report)
            result = add_report(trials, report, error);
        json_decref(report);
        if (result)
            return -1;
        text = stop + 1;
    }
    return 0;
}

double rc_skeleton_trials_startup(const struct rc_trials *trials)
{
    return trials->n_startup ? trials->startup_sum / (double)trials->n_startup : 0;
}

double rc_skeleton_trials_mean(const struct rc_trials *trials)
{
    double sum = 0;

    for (size_t i = 0; i < trials->n; i++)
        sum += trials->seconds[i];
    return trials->n ? sum / (double)trials->n : NAN;
}

double rc_skeleton_trials_spread(const struct rc_trials *trials)
{
    double mean = rc_skeleton_trials_mean(trials), sum = 0;

    if (trials->n < 2)
        return NAN;
    for (size_t i = 0; i < trials->n; i++)
        sum += (trials->seconds[i] - mean) * (trials->seconds[i] - mean);
    return sqrt(sum / (double)(trials->n - 1)) / mean;
}

/* The same number, as far as texts show. */
static bool is_same(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

bool rc_skeleton_trials_of(const struct rc_trials *trials, double original)
{
    return !(trials->original > 0) || is_same(trials->original, original);
}

double rc_skeleton_trials_off(const struct rc_trials *trials, double original)
{
    static const double much = 1.5;
    double off = original / rc_skeleton_trials_mean(trials) / trials->ratio;

    return trials->ratio > 0 && !(off < much && off > 1 / much) ? off : 0;
}

/* How long it is meant to take; 0: not known. */
static double meant_seconds(const struct rc_trials *trials)
{
    return trials->original > 0 && trials->ratio > 0 ? trials->original / trials->ratio : 0;
}

bool rc_skeleton_trials_short(const struct rc_trials *trials)
{
    return meant_seconds(trials) > 0 &&
           rc_skeleton_shrink_is_short(meant_seconds(trials), trials->shortest);
}

/* ---- the measured ratio ---- */

static int path_of(const char *directory, const char *skeleton, char *path, size_t size,
                   struct rc_error *error)
{
    if (strchr(skeleton, '/') ||
        snprintf(path, size, "%s/skeleton-%s.json", directory, skeleton) >= (int)size)
        return rc_error_set(error, "'%s' is not the name of a skeleton", skeleton);
    return 0;
}

int rc_skeleton_measured_write(const char *directory, const struct rc_trials *trials,
                               double original, const char *program, struct rc_error *error)
{
    double spread = rc_skeleton_trials_spread(trials);
    char path[4096];
    json_t *object;
    char *text;
    int result;

    if (path_of(directory, trials->skeleton, path, sizeof path, error))
        return -1;
    object = json_pack("{s:i, s:s, s:f, s:f, s:f, s:f, s:f, s:i, s:o}", "version", 1, "skeleton",
                       trials->skeleton, "original", original, "meant", trials->ratio, "made_of",
                       trials->original, "seconds", rc_skeleton_trials_mean(trials), "ratio",
                       original / rc_skeleton_trials_mean(trials), "trials", (int)trials->n,
                       "spread", isnan(spread) ? json_null() : json_real(spread));
    if (object && program)
        json_object_set_new(object, "program", json_string(program));
    if (object)
        json_object_set_new(object, "short", json_boolean(rc_skeleton_trials_short(trials)));
    text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    result = text ? rc_file_replace(path, text, strlen(text), error) : rc_error_no_memory(error);
    free(text);
    json_decref(object);
    return result;
}

/* Whether a field has a number; one that is not there may be any. */
static bool may_be(const json_t *object, const char *name, double number)
{
    const json_t *field = json_object_get(object, name);

    return !json_is_number(field) || is_same(json_number_value(field), number);
}

int rc_skeleton_measured_read(const char *directory, const struct rc_trials *trials,
                              double original, struct rc_measured *measured, struct rc_error *error)
{
    struct rc_buffer text = RC_BUFFER_INIT(MEASURED_MAX);
    char path[4096];
    json_t *object, *spread;
    int result = 0;

    if (path_of(directory, trials->skeleton, path, sizeof path, error))
        return -1;
    if (access(path, F_OK) && errno == ENOENT)
        return 1;
    if (rc_buffer_read_file(&text, path, error)) {
        rc_buffer_free(&text);
        return -1;
    }
    object = json_loadb(text.data ? text.data : "", text.length, 0, NULL);
    spread = json_object_get(object, "spread");
    *measured =
        (struct rc_measured){.ratio = json_number_value(json_object_get(object, "ratio")),
                             .spread = json_is_number(spread) ? json_number_value(spread) : NAN,
                             .trials =
                                 (size_t)json_integer_value(json_object_get(object, "trials"))};
    if (!(measured->ratio > 0 && measured->ratio < INFINITY) || measured->trials < 1) {
        result = rc_error_set(error, "%s is damaged", path);
        rc_error_code(error, "skeleton.measurement-damaged", NULL);
    } else if (!may_be(object, "original", original) || !may_be(object, "meant", trials->ratio) ||
               !may_be(object, "made_of", trials->original)) {
        result = 2;
    }
    json_decref(object);
    rc_buffer_free(&text);
    return result;
}

/* Where the program of a measured skeleton is; "" where that is not said, or nothing is there. */
static void read_program(const char *path, char program[RC_MEASURED_PATH], bool *is_short)
{
    struct rc_buffer text = RC_BUFFER_INIT(MEASURED_MAX);
    json_t *object = NULL;
    const char *said;

    program[0] = '\0';
    if (rc_buffer_read_file(&text, path, NULL) == 0)
        object = json_loadb(text.data ? text.data : "", text.length, 0, NULL);
    said = json_string_value(json_object_get(object, "program"));
    *is_short = json_is_true(json_object_get(object, "short"));
    if (said && strlen(said) < RC_MEASURED_PATH && access(said, X_OK) == 0)
        strcpy(program, said);
    json_decref(object);
    rc_buffer_free(&text);
}

int rc_skeleton_measured_program(const char *directory, char program[RC_MEASURED_PATH])
{
    DIR *folder = opendir(directory);
    char path[RC_MEASURED_PATH], one[RC_MEASURED_PATH];
    const struct dirent *entry;
    bool is_short = false, short_found = false;
    struct stat there;
    time_t newest = 0;
    int found = 0;

    while (folder && (entry = readdir(folder))) {
        if (strncmp(entry->d_name, "skeleton-", 9) != 0 ||
            snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) >= (int)sizeof path ||
            stat(path, &there) != 0)
            continue;
        read_program(path, one, &is_short);
        if (!*one || (found && (is_short != short_found ? is_short : there.st_mtime < newest)))
            continue;
        strcpy(program, one);
        newest = there.st_mtime;
        short_found = is_short;
        found = 1;
    }
    if (folder)
        closedir(folder);
    return found;
}

/* ---- the answer ---- */

/* A time is never negative, however much trials differ.  `variance` is relative to the mean; `more`
 * is added to all draws. */
static struct rc_value *log_normal(double mean, double variance, double more,
                                   struct rc_error *error)
{
    double draws[DRAWS], squared = log1p(variance), sum = 0;

    for (int i = 0; i < DRAWS; i++) {
        draws[i] = exp(gsl_cdf_ugaussian_Pinv((i + 0.5) / DRAWS) * sqrt(squared) - squared / 2);
        sum += draws[i] / DRAWS;
    }
    for (int i = 0; i < DRAWS; i++)
        draws[i] = draws[i] * mean / sum + more;
    return rc_value_sample(draws, DRAWS, error);
}

struct rc_value *rc_skeleton_trials_predict(const struct rc_trials *trials,
                                            const struct rc_measured *measured,
                                            struct rc_error *error)
{
    double mean = rc_skeleton_trials_mean(trials) * measured->ratio;
    double spread = rc_skeleton_trials_spread(trials), error_of_it = RC_TRIALS_ERROR, variance;

    if (rc_skeleton_trials_short(trials))
        error_of_it =
            fmin(error_of_it * trials->shortest / meant_seconds(trials), RC_TRIALS_ERROR_MOST);
    variance = error_of_it * error_of_it;
    if (isnan(spread))
        spread = isnan(measured->spread) ? 0 : measured->spread;
    variance += spread * spread * (1 + 1 / (double)trials->n);
    if (!isnan(measured->spread))
        variance += measured->spread * measured->spread / (double)measured->trials;
    return log_normal(mean, variance, rc_skeleton_trials_startup(trials), error);
}

/* ---- running a skeleton ---- */

enum { OUTPUT_MAX = 16 << 20 };

/* Adds as a hint what a failed command printed: the skeleton's message, since its launcher may have
 * printed more after it, or else the last line. */
static int run_failed(const struct rc_process_result *result, const struct rc_buffer *output,
                      const char *skeleton, struct rc_error *error)
{
    const char *text = output->data ? output->data : "", *own;
    struct rc_buffer words = RC_BUFFER_INIT(OUTPUT_MAX);
    char begins[RC_EMIT_NAME + 8];

    rc_error_set(error, "the command ended with %s %d",
                 result->end == RC_PROCESS_SIGNALLED ? "signal" : "status", result->status);
    snprintf(begins, sizeof begins, "%s: rank ", skeleton);
    own = strstr(text, begins);
    if (own)
        return rc_error_hint(error, "the skeleton printed: %.*s", (int)strcspn(own, "\n"), own);
    rc_last_line(text, output->length, &words);
    if (words.length)
        rc_error_hint(error, "its last output: %s", words.data);
    rc_buffer_free(&words);
    return -1;
}

static int run_once(char *const *command, const struct rc_monitor *monitor, const char *skeleton,
                    struct rc_trials *trials, struct rc_error *error)
{
    struct rc_buffer output = RC_BUFFER_INIT(OUTPUT_MAX);
    struct rc_process_options options = {.seconds = INFINITY, .grace = 5, .monitor = monitor};
    struct rc_process_result result;
    size_t before = trials->n;
    double begun = rc_clock_read(CLOCK_MONOTONIC), took;
    int status = rc_process_run((const char *const *)command, &options, &output, &result, error);

    took = rc_clock_read(CLOCK_MONOTONIC) - begun;
    if (!status && (result.end != RC_PROCESS_EXITED || result.status))
        status = run_failed(&result, &output, skeleton, error);
    if (!status)
        status =
            rc_skeleton_trials_add(trials, output.data ? output.data : "", output.length, error);
    if (!status && trials->n == before) {
        status = rc_error_set(error, "the command is not a skeleton: it did not print a run time");
        rc_error_code(error, "skeleton.not-a-skeleton", NULL);
    }
    if (!status && trials->n == before + 1 && !trials->simulated) {
        trials->startup_sum += fmax(took - trials->seconds[before], 0);
        trials->n_startup++;
    }
    rc_buffer_free(&output);
    return status;
}

int rc_skeleton_probe_run(char *const *command, size_t times, const char *name,
                          const struct rc_monitor *monitor, struct rc_trials *trials,
                          struct rc_error *error)
{
    int status = 0;

    for (size_t i = 0; i < times && !status; i++)
        status = run_once(command, monitor, name, trials, error);
    if (status || strcmp(trials->skeleton, name) == 0)
        return status;
    rc_error_set(error, "the command ran the skeleton %s, not %s", trials->skeleton, name);
    return rc_error_hint(error, "the name of a skeleton is that of the file that was built");
}
