// SPDX-License-Identifier: GPL-3.0-or-later
/* plot_layout.h - places of the parts of a figure, and ranges of its axes.
 *
 * They are computed here rather than by gnuplot: panels line up, all formats look alike, and data
 * outside of a given range have no influence. */
#ifndef RC_REPORT_PLOT_LAYOUT_H
#define RC_REPORT_PLOT_LAYOUT_H

#include <stdbool.h>

#include "report/plot.h"

/* In pixels. */
enum {
    RC_PLOT_WIDTH = 800,
    RC_PLOT_HEIGHT = 500,
    RC_PLOT_LEFT = 88, /* of all frames */
    RC_PLOT_RIGHT = 28,
    RC_PLOT_TITLE = 40, /* above all */
    RC_PLOT_LABEL = 24, /* of the x axis, below its numbers */
    RC_PLOT_LEGEND_ROW = 21
};

/* The most columns of text that are shown of a name. */
enum { RC_PLOT_NAME_COLUMNS = 80 };

struct rc_plot_range {
    double low, high;
};

/* A panel in its place.  Heights are parts of the figure's, from the bottom. */
struct rc_plot_panel {
    const struct rc_plot *plot, *first; /* first: of the figure */
    struct rc_plot_range x, y;
    double top, bottom; /* of its frame */
    double left, right; /* the same, as parts of the width */
    double legend;      /* the legend's upper edge */
    double label;       /* the middle of the x axis's label */
    int columns;        /* of the legend */
    bool has_numbers;   /* below the x axis */
};

/* Whether a number can stand on an axis. */
bool rc_plot_can_show(const struct rc_plot_axis *axis, double value);

/* The height of a figure, in pixels. */
int rc_plot_height(const struct rc_plot *plots);

/* Whether a series is drawn as steps. */
bool rc_plot_has_steps(const struct rc_plot_series *series);

/* Places `n_panels` panels, 1 to RC_PLOT_PANELS_MAX. -1 if one has nothing to draw. */
int rc_plot_place(const struct rc_plot *plots, size_t n_panels, struct rc_plot_panel *panels,
                  struct rc_error *error);

#endif
