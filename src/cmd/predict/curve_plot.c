// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_plot.c - the plot of 'runcast predict': the scaling curve with its prediction interval, the
 * measured runs and the predicted run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "cmd/predict/predict.h"
#include "predict/scaling_curve.h"
#include "report/plot.h"

static void make_title(const struct rc_cmd_answer *answer, const struct rc_predict_curve *curve,
                       const char *hosts, char *title, size_t size)
{
    const struct rc_question *question = &answer->report.question;
    char n[RC_NUMBER_SIZE];

    rc_number_format_short(question->size, 6, n);
    snprintf(title, size, "%.60s", question->app);
    if (curve->over_procs)
        rc_text_append(title, size, ", size %s", n);
    else
        rc_text_append(title, size, ", %lld process%s", (long long)question->procs,
                       question->procs == 1 ? "" : "es");
    if (hosts)
        rc_text_append(title, size, ", on %.60s", hosts);
    if (answer->platform)
        rc_text_append(title, size, " (%.40s)", answer->platform);
}

/* The other coordinate of near runs, such as "size 360000 to 440000". */
static void name_near(const struct rc_predict_curve *curve, char *name, size_t size)
{
    char low[RC_NUMBER_SIZE], high[RC_NUMBER_SIZE];

    rc_number_format_short(ceil(curve->near_low), 6, low);
    rc_number_format_short(floor(curve->near_high), 6, high);
    if (curve->over_procs)
        snprintf(name, size, "size %s to %s", low, high);
    else if (strcmp(low, high) == 0)
        snprintf(name, size, "%s process%s", low, strcmp(low, "1") == 0 ? "" : "es");
    else
        snprintf(name, size, "%s to %s processes", low, high);
}

/* What the plot lacks, and what its curve holds constant. */
static void note_curve(const struct rc_cmd_answer *answer, const struct rc_predict_curve *curve,
                       const char *near)
{
    char list[400] = "", value[RC_NUMBER_SIZE];

    if (curve->measured.n + curve->near.n == 0)
        rc_cmd_note("the plot has no measured runs: the database has none of %s", near);
    for (size_t i = 0; i < answer->n_params; i++) {
        rc_number_format(answer->params[i].value, value);
        rc_text_append(list, sizeof list, "%s%s=%s", i ? ", " : "", answer->params[i].name, value);
    }
    if (*list)
        rc_cmd_note("parameters of the curve: %s", list);
}

/* Copies runs to coordinates, x before y; NULL where memory runs out. */
static double *spread(const struct rc_predict_measured_runs *runs)
{
    double *numbers = calloc(2 * runs->n + 1, sizeof *numbers);

    for (size_t i = 0; numbers && i < runs->n; i++) {
        numbers[i] = runs->runs[i].x;
        numbers[runs->n + i] = runs->runs[i].seconds;
    }
    return numbers;
}

int rc_cmd_predict_curve_plot(const struct rc_cmd_answer *answer,
                              const struct rc_predict_curve *curve, const char *hosts,
                              const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_question *question = &answer->report.question;
    double x = curve->over_procs ? (double)question->procs : question->size;
    double low, high, median = rc_value_quantile(answer->report.value, 0.5);
    double *measured = spread(&curve->measured), *near = spread(&curve->near);
    size_t n_measured = curve->measured.n, n_near = curve->near.n;
    char title[200], near_name[100], near_legend[120];
    struct rc_plot_series series[] = {
        {.name = "median, 90 % prediction interval",
         .style = RC_PLOT_LINE,
         .x = curve->x,
         .y = curve->median,
         .low = curve->low,
         .high = curve->high,
         .n = curve->n},
        {.name = n_measured ? "measured runs" : NULL,
         .style = RC_PLOT_POINTS,
         .x = measured,
         .y = measured ? measured + n_measured : NULL,
         .n = n_measured},
        {.name = n_near ? near_legend : NULL,
         .style = RC_PLOT_POINTS,
         .x = near,
         .y = near ? near + n_near : NULL,
         .n = n_near,
         .like = 2,
         .faint = true},
        {.name = "predicted run",
         .style = RC_PLOT_POINTS,
         .x = &x,
         .y = &median,
         .low = &low,
         .high = &high,
         .n = 1},
    };
    struct rc_plot plot = {.title = title,
                           .x = {.label = curve->over_procs ? "processes" : "problem size",
                                 .scale = RC_PLOT_LOG},
                           .y = {.label = "run time (s)", .scale = RC_PLOT_LOG},
                           .series = series,
                           .n_series = sizeof series / sizeof *series};
    int status = measured && near ? 0 : rc_error_no_memory(error);

    name_near(curve, near_name, sizeof near_name);
    snprintf(near_legend, sizeof near_legend, "measured runs, %s", near_name);
    note_curve(answer, curve, near_name);
    rc_value_span(answer->report.value, 0.9, &low, &high);
    make_title(answer, curve, hosts, title, sizeof title);
    if (status == 0)
        status = rc_plot_write(answer->options->plot, &plot, 1, monitor, error);
    free(measured);
    free(near);
    return status;
}
