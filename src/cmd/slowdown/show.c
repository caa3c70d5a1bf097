// SPDX-License-Identifier: GPL-3.0-or-later
/* show.c - 'runcast slowdown show': the calibration of a platform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/timestamp.h"
#include "report/cell.h"
#include "report/plot.h"
#include "cmd/slowdown/slowdown.h"
#include "platform/hostlist.h"

enum { COLUMNS_MAX = 9, DIGITS = 4 };

const char *rc_cmd_slowdown_platform(const char *given, char name[RC_CMD_PLATFORM_SIZE])
{
    name[0] = '\0';
    if (given)
        return given;
    if (gethostname(name, RC_CMD_PLATFORM_SIZE - 1) || !rc_platform_hostlist_is_name(name))
        snprintf(name, RC_CMD_PLATFORM_SIZE, "localhost");
    return name;
}

/* ---- links: a row for each size of messages, a column for each number of them ---- */

/* Whether no burst before number `at` has its size of messages. */
static bool is_new(const struct rc_burst_table *bursts, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (bursts->items[i].burst.bytes == bursts->items[at].burst.bytes)
            return false;
    return true;
}

static void print_link(struct rc_table *table, const struct rc_slowdown_calibration_link *link,
                       const double *counts, size_t n)
{
    for (size_t i = 0; i < link->bursts.n; i++) {
        double bytes = link->bursts.items[i].burst.bytes;

        if (!is_new(&link->bursts, i))
            continue;
        rc_table_text(table, link->from);
        rc_table_text(table, link->to);
        rc_cell_short(table, bytes, DIGITS);
        for (size_t j = 0; j < n; j++) {
            const struct rc_slowdown_burst_rate *found =
                rc_slowdown_burst_find(&link->bursts, counts[j], bytes);

            rc_cell_quantity(table, found ? found->rate : NAN, RC_RATE);
        }
    }
}

static void print_links(const struct rc_calibration *calibration)
{
    struct rc_column columns[COLUMNS_MAX + 3] = {{.title = "from"},
                                                 {.title = "to"},
                                                 {.title = "message bytes", .right = true}};
    char titles[COLUMNS_MAX][RC_NUMBER_SIZE + 2];
    double counts[COLUMNS_MAX + 1];
    size_t all = rc_slowdown_calibration_counts(calibration, counts, COLUMNS_MAX + 1);
    size_t n = all < COLUMNS_MAX ? all : COLUMNS_MAX;
    struct rc_table *table;

    for (size_t i = 0; i < n; i++) {
        rc_number_format_short(counts[i], DIGITS, titles[i]);
        strcat(titles[i], " x");
        columns[3 + i] = (struct rc_column){.title = titles[i], .right = true};
    }
    printf("\nrates of bursts on idle links, by number of messages:\n\n");
    table = rc_table_create(stdout, columns, 3 + n, rc_cmd_width());
    for (size_t i = 0; table && i < calibration->n_links; i++)
        print_link(table, &calibration->links[i], counts, n);
    if (table)
        rc_table_finish(table);
    if (all > COLUMNS_MAX)
        rc_cmd_note("only the first %d numbers of messages are shown; --json has all of them",
                    COLUMNS_MAX);
}

/* ---- delays ---- */

/* "-0.2 + 0.49 k", with k in MB/s */
static void print_line(double intercept, double slope)
{
    char constant[RC_NUMBER_SIZE], factor[RC_NUMBER_SIZE];

    rc_number_format_short(intercept, 3, constant);
    rc_number_format_short(fabs(slope) * 1e6, 3, factor);
    printf("%s %c %s k\n", constant, slope < 0 ? '-' : '+', factor);
}

static void print_curve(const struct rc_delay_curve *curve, size_t i)
{
    char at[RC_NUMBER_SIZE];

    rc_number_format_short(curve->at / 1e6, DIGITS, at);
    for (int piece = 0; piece < (isinf(curve->at) ? 1 : 2); piece++) {
        printf("  i = %zu", i);
        if (!isinf(curve->at))
            printf(", k %s %s", piece ? ">=" : "<", at);
        printf(": ");
        print_line(curve->intercept[piece], curve->slope[piece]);
    }
}

static void print_delay(const struct rc_calibration *calibration)
{
    const struct rc_delay *delay = &calibration->delay;
    char cost[RC_UNIT_SIZE], low[RC_UNIT_SIZE], high[RC_UNIT_SIZE];
    bool loopback = strcmp(calibration->delay_from, calibration->delay_to) == 0;

    printf("\ndelay on %s by i competitors that each send at rate k (MB/s) %s%s:\n",
           calibration->delay_from, loopback ? "over loopback" : "to ",
           loopback ? "" : calibration->delay_to);
    for (size_t i = 0; i < delay->n; i++)
        print_curve(&delay->curves[i], i + 1);
    rc_unit_format(delay->curves[0].low, RC_RATE, low);
    rc_unit_format(delay->curves[0].high, RC_RATE, high);
    printf("  at least 0; measured for i = 1 from %s to %s\n", low, high);
    if (!isnan(calibration->byte_seconds)) {
        rc_unit_format(calibration->byte_seconds * 1e6, RC_SECONDS, cost);
        printf("CPU time of sending: %s per megabyte\n", cost);
    }
}

void rc_cmd_calibration_print(const char *platform, const struct rc_calibration *calibration)
{
    char when[RC_TIME_SIZE];

    rc_timestamp_format(floor(calibration->made), when);
    printf("calibration of %s, created %s\n", platform, when);
    if (calibration->n_hosts) {
        putchar('\n');
        rc_field_table(stdout, rc_answer_calibration_host, calibration->hosts, calibration->n_hosts,
                       sizeof *calibration->hosts, rc_cmd_width(), NULL);
    }
    if (calibration->n_links)
        print_links(calibration);
    if (calibration->delay.n)
        print_delay(calibration);
}

void rc_cmd_calibration_json(const char *platform, const struct rc_calibration *calibration)
{
    json_t *document = rc_slowdown_calibration_document(rc_slowdown_calibration_json(calibration));
    struct rc_answer_calibration answer = rc_answer_calibration_of(platform, document);

    if (!document)
        return;
    answer.notes = rc_cmd_notes_json();
    rc_cmd_print_json(rc_field_json(rc_answer_calibration, &answer));
    json_decref(answer.notes);
    json_decref(document);
}

/* ---- plot of the delay by communicating competitors ---- */

enum { SHOWN_MAX = 8, NAME_SIZE = 48 };

/* Points and line for one number of communicating competitors. */
struct shown {
    char name[NAME_SIZE];
    double *x, *y; /* measured */
    size_t n;
    double line_x[RC_DELAY_LINE], line_y[RC_DELAY_LINE];
};

static int collect(const struct rc_calibration *calibration, size_t i, struct shown *shown)
{
    shown->x = calloc(2 * calibration->n_points + 1, sizeof *shown->x);
    if (!shown->x)
        return -1;
    shown->y = shown->x + calibration->n_points;
    for (size_t p = 0; p < calibration->n_points; p++)
        if (calibration->points[p].communicating == i) {
            shown->x[shown->n] = calibration->points[p].point.k / 1e6;
            shown->y[shown->n++] = calibration->points[p].point.delay;
        }
    snprintf(shown->name, sizeof shown->name, "%zu communicating", i);
    return 0;
}

static int nothing_to_draw(const char *platform, const struct rc_calibration *calibration,
                           struct rc_error *error)
{
    char command[RC_CMD_CALIBRATE_SIZE];

    rc_error_set(error, "no delays to draw: they were not measured");
    return rc_error_hint(error, "'%s' measures them",
                         rc_cmd_calibrate_command(platform, calibration, RC_CALIBRATION_DELAY,
                                                  command));
}

int rc_cmd_calibration_plot(const char *path, const char *platform,
                            const struct rc_calibration *calibration, struct rc_error *error)
{
    size_t n = calibration->delay.n < SHOWN_MAX ? calibration->delay.n : SHOWN_MAX;
    struct shown *shown = calloc(n + 1, sizeof *shown);
    struct rc_plot_series series[2 * SHOWN_MAX];
    struct rc_plot plot = {.title = "Delay by communicating competitors",
                           .x = {.label = "rate of each competitor in MB/s"},
                           .y = {.label = "delay (share of dedicated run time)"},
                           .series = series,
                           .n_series = 2 * n};
    int status = shown ? 0 : rc_error_no_memory(error);

    if (n == 0)
        status = nothing_to_draw(platform, calibration, error);
    for (size_t i = 0; i < n && status == 0; i++) {
        if (collect(calibration, i + 1, &shown[i]))
            status = rc_error_no_memory(error);
        rc_slowdown_delay_line(&calibration->delay, i + 1, shown[i].line_x, shown[i].line_y);
        for (size_t k = 0; k < RC_DELAY_LINE; k++)
            shown[i].line_x[k] /= 1e6;
        series[2 * i] = (struct rc_plot_series){.name = shown[i].name,
                                                .style = RC_PLOT_POINTS,
                                                .x = shown[i].x,
                                                .y = shown[i].y,
                                                .n = shown[i].n};
        series[2 * i + 1] = (struct rc_plot_series){.style = RC_PLOT_LINE,
                                                    .x = shown[i].line_x,
                                                    .y = shown[i].line_y,
                                                    .n = RC_DELAY_LINE,
                                                    .like = (int)(2 * i) + 1};
    }
    if (status == 0)
        status = rc_plot_write(path, &plot, 1, NULL, error);
    for (size_t i = 0; shown && i < n; i++)
        free(shown[i].x);
    free(shown);
    return status;
}

/* ---- the verb ---- */

struct show_options {
    const char *platform, *plot, *db;
    bool json;
};

static const struct rc_option show_options[] = {
    {RC_OPTION_OF(struct show_options, TEXT, platform), .name = "platform", .argument = "NAME",
     .help = "name of the platform (default: the name of this machine)"},
    RC_OPTION_PLOT(struct show_options),
    RC_OPTION_JSON(struct show_options),
    RC_OPTION_DB(struct show_options),
    RC_OPTIONS_END,
};

static int run_show(struct rc_invocation *invocation)
{
    const struct show_options *options = invocation->options;
    struct rc_calibration calibration = {0};
    char name[RC_CMD_PLATFORM_SIZE];
    const char *platform = rc_cmd_slowdown_platform(options->platform, name);
    struct rc_error error = {0};
    int found, status;

    if (options->plot && rc_plot_check(options->plot, &error))
        return rc_cmd_usage(invocation, &error);
    found = rc_cmd_slowdown_find(options->db, platform, &calibration, &error);
    if (found == 0) {
        rc_error_set(&error, "no calibration of '%s'", platform);
        rc_error_hint(&error, "measure it: runcast slowdown calibrate --platform %s", platform);
    }
    status = found > 0       ? RC_EXIT_OK
             : error.text[0] ? rc_cmd_fail(&error, "reading the calibration")
                             : RC_EXIT_FAILED;
    if (status != RC_EXIT_OK)
        return status;
    rc_cmd_note_calibration(platform, &calibration, RC_CALIBRATION_ALL);
    if (options->json)
        rc_cmd_calibration_json(platform, &calibration);
    else
        rc_cmd_calibration_print(platform, &calibration);
    if (options->plot && rc_cmd_calibration_plot(options->plot, platform, &calibration, &error))
        status = rc_cmd_fail(&error, "drawing %s", options->plot);
    rc_slowdown_calibration_free(&calibration);
    return status;
}

const struct rc_command rc_command_slowdown_show = {
    .name = "show",
    .summary = "Show the calibration of a platform",
    .details = "Shows the results of 'runcast slowdown calibrate': weights of hosts, rates of "
               "bursts on idle links, slowdown by memory contention, and formulas of the delay by "
               "communicating competitors. --plot shows the delays in a plot.",
    .examples = "  runcast slowdown show --platform lab\n"
                "  runcast slowdown show --platform lab --plot delay.svg\n",
    .options = show_options,
    .options_size = sizeof(struct show_options),
    .answers = {rc_answer_calibration},
    .run = run_show,
};
