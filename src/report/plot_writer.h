// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_writer.h - pieces of scripts for gnuplot. */
#ifndef RC_REPORT_PLOT_WRITER_H
#define RC_REPORT_PLOT_WRITER_H

#include "report/plot_layout.h"

struct rc_plot_writer {
    struct rc_buffer *script;
    bool failed; /* memory ran out */
    size_t n_blocks;
};

/* Adds a short piece. */
void rc_plot_put(struct rc_plot_writer *writer, const char *format, ...) RC_PRINTF(2, 3);

/* A text between quotes, at most so many columns of it. */
void rc_plot_put_text(struct rc_plot_writer *writer, const char *text, size_t columns);

/* The shortest text that reads back as the number; NaN if it is not finite. */
void rc_plot_put_number(struct rc_plot_writer *writer, double value);

/* A place on an axis; for times, gnuplot takes a text. */
void rc_plot_put_place(struct rc_plot_writer *writer, const struct rc_plot_axis *axis,
                       double value);

/* In plot_axes.c: the scale, range and numbers of an axis, 'x' or 'y'; the labels of both axes of a
 * panel; its colour bar. */
void rc_plot_put_axis(struct rc_plot_writer *writer, char letter, const struct rc_plot_axis *axis,
                      const struct rc_plot_range *range);
void rc_plot_put_axis_labels(struct rc_plot_writer *writer, const struct rc_plot_panel *panel);
void rc_plot_put_colour_bar(struct rc_plot_writer *writer, const struct rc_plot_panel *panel);

#endif
