// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_writer.c - pieces of scripts for gnuplot.
 *
 * Texts are on one line in single quotes, where only a quote has a meaning for gnuplot: names cannot
 * change the plot or run commands. */
#include "report/plot_writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

void rc_plot_put(struct rc_plot_writer *writer, const char *format, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    writer->failed |= rc_buffer_add_text(writer->script, text) != 0;
}

/* A text between quotes, at most so many columns of it. */
void rc_plot_put_text(struct rc_plot_writer *writer, const char *text, size_t columns)
{
    char copy[512], quoted[2 * sizeof copy];
    size_t length = strlen(text), kept = rc_text_prefix(text, length, columns), used = 0;
    bool cut = kept < length || kept > sizeof copy;

    if (cut)
        kept = rc_text_prefix(text, kept < sizeof copy ? kept : sizeof copy, columns - 1);
    for (size_t i = 0; i < kept; i++)
        copy[i] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    rc_text_clean(copy, kept);
    for (size_t i = 0; i < kept; i++) {
        quoted[used++] = copy[i];
        if (copy[i] == '\'')
            quoted[used++] = copy[i];
    }
    rc_plot_put(writer, "'");
    writer->failed |= rc_buffer_add(writer->script, quoted, used) != 0;
    rc_plot_put(writer, cut ? "…'" : "'");
}

void rc_plot_put_number(struct rc_plot_writer *writer, double value)
{
    char text[RC_NUMBER_SIZE];

    rc_number_format(value, text);
    rc_plot_put(writer, "%s", isfinite(value) ? text : "NaN");
}

/* A place on an axis; for times, gnuplot takes a text. */
void rc_plot_put_place(struct rc_plot_writer *writer, const struct rc_plot_axis *axis, double value)
{
    const char *quote = axis->scale == RC_PLOT_TIME ? "'" : "";

    rc_plot_put(writer, "%s", quote);
    rc_plot_put_number(writer, value);
    rc_plot_put(writer, "%s", quote);
}
