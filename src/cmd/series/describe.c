// SPDX-License-Identifier: GPL-3.0-or-later
/* describe.c - 'runcast series describe': what a series looks like. */
#include <math.h>
#include <stdlib.h>

#include "answer/series_fields.h"
#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "cmd/core/metric_units.h"
#include "cmd/series/series.h"
#include "report/cell.h"
#include "report/plot.h"

enum { NAME_SIZE = 1024, MODE_COLUMNS = 7, P_SIZE = RC_NUMBER_SIZE + 16 };

static const struct rc_cmd_series_options defaults = {.since = NAN, .until = NAN};

static const struct rc_option describe_options[] = {
    RC_OPTIONS_SERIES,
    RC_OPTIONS_SERIES_WINDOW,
    {RC_OPTION_SERIES("bins", INTEGER, bins), .argument = "N", .least = 1, .most = 1000,
     .help =
         "number of bins of a computed histogram, in the plot (default: by Scott's rule, for the "
         "spread within modes)"},
    RC_OPTION_PLOT(struct rc_cmd_series_options),
    RC_OPTIONS_SERIES_END,
};

/* ---- text ---- */

static void print_times(const char *name, const struct rc_series_description *of)
{
    char first[RC_TIME_SIZE], last[RC_TIME_SIZE], spacing[RC_UNIT_SIZE];

    rc_timestamp_format(round(of->first), first);
    rc_timestamp_format(round(of->last), last);
    rc_unit_format(of->spacing, RC_SECONDS, spacing);
    printf("%s: %zu sample%s, %s to %s", name, of->n, rc_cell_plural((long long)of->n, "s"), first,
           last);
    if (of->spacing > 0)
        printf(", %s apart", spacing);
    putchar('\n');
}

static void print_distribution(const char *metric, const struct rc_series_description *of)
{
    char first[RC_UNIT_SIZE], second[RC_UNIT_SIZE];

    rc_cmd_metric_format(metric, of->moments.low, first);
    rc_cmd_metric_format(metric, of->moments.high, second);
    printf("range: %s to %s\n", first, second);
    rc_cmd_metric_format(metric, of->moments.mean, first);
    rc_cmd_metric_format(metric, of->moments.sd, second);
    printf("mean: %s, sd: %s\n", first, second);
    printf("quantiles:");
    for (int i = 0; i < RC_SERIES_PERCENTILES; i++) {
        rc_cmd_metric_format(metric, of->quantiles[i], first);
        printf("%s P%02d %s", i ? "," : "", rc_series_percentiles[i], first);
    }
    putchar('\n');
}

static void print_in_time(const struct rc_series_description *of)
{
    const struct rc_series_locality *locality = &of->locality;
    char half[RC_UNIT_SIZE], frame[RC_UNIT_SIZE], share[RC_CELL_SIZE], number[RC_NUMBER_SIZE];

    rc_unit_format(of->half, RC_SECONDS, half);
    rc_unit_format(of->frame.seconds, RC_SECONDS, frame);
    if (!isnan(of->next)) {
        rc_number_format_short(of->next, 3, number);
        printf("autocorrelation: %s between neighbours; ", number);
        printf(isnan(of->half) ? "never below 0.5\n" : "below 0.5 after %s\n", half);
    }
    printf("time frame: %s (%s)\n", frame, rc_series_frame_source_text(of->frame.source));
    printf("temporal locality: %s", rc_answer_series_verdict(locality->verdict));
    if (locality->verdict != RC_SERIES_UNKNOWN) {
        rc_number_format_short(locality->switches_per_hour, 3, number);
        printf(
            "; it stays in its mode for %s from %s of the moments, and switches %s times per hour",
            frame, rc_cell_percent_text(locality->stays, 3, share), number);
    }
    putchar('\n');
}

static const char *p_value(double p, char text[P_SIZE])
{
    char number[RC_NUMBER_SIZE];

    rc_number_format_short(p, 2, number);
    snprintf(text, P_SIZE, p < 0.001 ? "p < 0.001" : "p = %s", number);
    return text;
}

static void print_normality(const struct rc_series_closeness *closeness)
{
    char distance[RC_NUMBER_SIZE], ks[RC_NUMBER_SIZE], p[P_SIZE], chi[RC_NUMBER_SIZE];

    if (isnan(closeness->distance) || closeness->sd == 0)
        return;
    rc_number_format_short(closeness->distance, 3, distance);
    rc_number_format_short(closeness->ks, 3, ks);
    printf("distance to a normal distribution: %s of 2; Kolmogorov-Smirnov %s", distance, ks);
    if (!isnan(closeness->ks_p)) {
        printf(" (%s)", p_value(closeness->ks_p, p));
    }
    if (closeness->cells > 0) {
        rc_number_format_short(closeness->chi_squared, 3, chi);
        printf("; chi-squared %s in %zu cells (%s)", chi, closeness->cells,
               p_value(closeness->chi_p_high, p));
    }
    putchar('\n');
}

static void print_bins(const struct rc_series_description *of)
{
    printf("bins of a histogram: %zu within modes", of->mode_bins);
    for (int rule = 0; rule < RC_SERIES_BIN_RULES; rule++)
        printf(", %zu (%s)", of->bins[rule].n,
               rc_series_bin_rule_name((enum rc_series_bin_rule)rule));
    putchar('\n');
}

static int print_modes(const struct rc_answer_series_described *described, struct rc_error *error)
{
    static const struct rc_column columns[MODE_COLUMNS] = {
        {.title = "mode", .right = true}, {.title = "mean", .right = true},
        {.title = "sd", .right = true},   {.title = "from", .right = true},
        {.title = "to", .right = true},   {.title = "share", .right = true},
        {.title = "stays", .right = true}};
    struct rc_table *table = rc_table_create(stdout, columns, MODE_COLUMNS, rc_cmd_width());

    if (!table)
        return rc_error_no_memory(error);
    for (size_t i = 0; i < described->n_modes; i++) {
        const struct rc_answer_series_mode *mode = &described->modes[i];
        const double numbers[] = {mode->mode.mean, mode->mode.sd, mode->mode.low, mode->mode.high};
        char text[RC_UNIT_SIZE];

        rc_table_integer(table, (long long)mode->number);
        for (int k = 0; k < 4; k++) {
            rc_cmd_metric_format(described->metric, numbers[k], text);
            rc_table_text(table, text);
        }
        rc_cell_percent(table, mode->mode.share, 3);
        rc_cell_quantity(table, mode->dwell, RC_SECONDS);
    }
    return rc_table_finish(table) ? rc_error_no_memory(error) : 0;
}

/* Eq. 4.10 and 4.11 say more than mean and sd only if there are several modes. */
static void print_aggregate(const char *metric, const struct rc_series_modes *modes)
{
    char mean[RC_UNIT_SIZE], sd[RC_UNIT_SIZE];

    if (modes->n_modes < 2)
        return;
    rc_cmd_metric_format(metric, modes->aggregate_mean, mean);
    rc_cmd_metric_format(metric, modes->aggregate_sd, sd);
    printf("aggregate mean: %s, aggregate sd: %s (within modes)\n", mean, sd);
}

static int print(const char *name, const struct rc_answer_series_described *described,
                 struct rc_error *error)
{
    const struct rc_series_description *of = &described->of;

    print_times(name, of);
    print_distribution(described->metric, of);
    print_in_time(of);
    print_normality(&of->closeness);
    print_bins(of);
    if (print_modes(described, error))
        return -1;
    print_aggregate(described->metric, &of->modes);
    return 0;
}

/* ---- the command ---- */

static int answer(const struct rc_cmd_series_options *options, const struct rc_series_key *key,
                  const struct rc_sample *samples, size_t n, const struct rc_monitor *monitor,
                  struct rc_error *error)
{
    const char *unit = rc_cmd_metric_unit(key->metric);
    struct rc_series_description description;
    struct rc_answer_series_described described;
    char name[NAME_SIZE];
    int status = 0;

    if (rc_series_describe(samples, n, &description, error))
        return -1;
    snprintf(name, sizeof name, "%s of %s%s%s", key->metric, key->host, *key->peer ? ":" : "",
             key->peer);
    described = rc_answer_series_described_of(key, unit, &description);
    if (options->json) {
        described.notes = rc_cmd_notes_json();
        rc_cmd_print_json(rc_field_json(rc_answer_series_described, &described));
        json_decref(described.notes);
    } else {
        status = print(name, &described, error);
    }
    return status || (options->plot &&
                      rc_cmd_series_plot(options->plot, name, key->metric, samples, n,
                                         options->bins ? (size_t)options->bins
                                                       : description.mode_bins,
                                         &description.modes, monitor, error))
               ? -1
               : 0;
}

struct loading {
    struct rc_sample *samples;
    size_t n, room;
    struct rc_error *error;
};

static int load_sample(void *data, const struct rc_sample *sample)
{
    struct loading *loading = data;

    if (rc_array_room(&loading->samples, loading->n + 1, &loading->room, sizeof *loading->samples,
                      loading->error))
        return -1;
    loading->samples[loading->n++] = *sample;
    return 0;
}

static int run_describe(struct rc_invocation *invocation)
{
    const struct rc_cmd_series_options *options = invocation->options;
    struct rc_series_key key;
    struct rc_error error = {0};
    struct loading loading = {.error = &error};
    struct rc_cmd_work work;
    struct rc_db *db;
    char text[RC_CMD_LINK_MAX];
    int status = rc_cmd_series_key(invocation, true, &key, text);

    if (status)
        return status;
    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    if (options->bins && !options->plot)
        return rc_cmd_usage_text(invocation, "--bins has no effect without --plot FILE");
    db = rc_cmd_open_db(options->db, RC_DB_READ, NULL);
    if (!db)
        return RC_EXIT_FAILED;
    rc_cmd_work_begin(&work, "describing");
    status = rc_db_series_window(db, &key, options->since, options->until, load_sample, &loading,
                                 &error);
    if (!status)
        status = answer(options, &key, loading.samples, loading.n, &work.monitor, &error);
    rc_cmd_work_end(&work);
    free(loading.samples);
    rc_db_close(db);
    return status ? rc_cmd_fail(&error, "describing the series") : RC_EXIT_OK;
}

const struct rc_command rc_command_series_describe = {
    .name = "describe",
    .summary = "Describe a series: distribution, modes and behaviour in time",
    .details =
        "Shows mean, standard deviation and quantiles; the modes around which the samples gather, "
        "and how long the series stays in each; the autocorrelation; the time frame over which "
        "the past predicts the next window; whether the series stays in one mode for that long; "
        "how "
        "far the samples are from a normal distribution; and the number of bins of a histogram "
        "by five rules. The measures are those of chapter 4 of Schopf's dissertation.\n\n"
        "--plot draws a histogram, and the samples over time, both coloured by mode. It needs "
        "gnuplot.",
    .examples = "  runcast series describe --host a001 --metric cpu --since 1d\n"
                "  runcast series describe --link a1:a2 --metric bandwidth --plot modes.svg\n",
    .options = describe_options,
    .options_size = sizeof(struct rc_cmd_series_options),
    .defaults = &defaults,
    .answers = {rc_answer_series_described},
    .run = run_describe,
};
