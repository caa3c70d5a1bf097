// SPDX-License-Identifier: GPL-3.0-or-later
/* curve_plot.c - the plot of 'runcast predict': the scaling curve with its prediction interval, the
 * measured runs and the predicted run. */
#include <math.h>
#include <stdlib.h>

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

int rc_cmd_predict_curve_plot(const struct rc_cmd_answer *answer,
                              const struct rc_predict_curve *curve, const char *hosts,
                              const struct rc_monitor *monitor, struct rc_error *error)
{
    const struct rc_question *question = &answer->report.question;
    double x = curve->over_procs ? (double)question->procs : question->size;
    double low, high, median = rc_value_quantile(answer->report.value, 0.5);
    double *xs = calloc(curve->n_measured + 1, sizeof *xs);
    double *seconds = calloc(curve->n_measured + 1, sizeof *seconds);
    char title[200];
    struct rc_plot_series series[] = {
        {.name = "median, 90 % prediction interval",
         .style = RC_PLOT_LINE,
         .x = curve->x,
         .y = curve->median,
         .low = curve->low,
         .high = curve->high,
         .n = curve->n},
        {.name = "measured runs",
         .style = RC_PLOT_POINTS,
         .x = xs,
         .y = seconds,
         .n = curve->n_measured},
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
    int status;

    if (!xs || !seconds) {
        free(xs);
        free(seconds);
        return rc_error_no_memory(error);
    }
    for (size_t i = 0; i < curve->n_measured; i++) {
        xs[i] = curve->measured[i].x;
        seconds[i] = curve->measured[i].seconds;
    }
    rc_value_span(answer->report.value, 0.9, &low, &high);
    make_title(answer, curve, hosts, title, sizeof title);
    status = rc_plot_write(answer->options->plot, &plot, 1, monitor, error);
    free(xs);
    free(seconds);
    return status;
}
