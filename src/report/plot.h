// SPDX-License-Identifier: GPL-3.0-or-later
/* plot.h - plots in files, drawn by gnuplot.
 *
 * A figure has one panel, or several in rows. A panel has two axes, series of points, and marks on
 * the x axis. All commands share one design, with colours that are distinct for colour-blind
 * readers.
 *
 * Names, labels and titles may have any text; long ones are cut. */
#ifndef RC_REPORT_PLOT_H
#define RC_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "runcast.h"

enum {
    RC_PLOT_PANELS_MAX = 4,
    RC_PLOT_POINTS_MAX = 1 << 20 /* of all series of a figure */
};

enum rc_plot_scale {
    RC_PLOT_LINEAR,
    RC_PLOT_LOG, /* values that are not positive are omitted */
    RC_PLOT_TIME /* seconds since 1970, as dates and times of day */
};

/* If `low` and `high` are equal, the axis covers the data. */
struct rc_plot_axis {
    const char *label; /* NULL: none; below a panel that is not the last, no numbers either */
    enum rc_plot_scale scale;
    double low, high;
    double step; /* between its numbers, or their ratio on a logarithmic axis, of which some may be
                    left out; 0: as suits it; below 0: there are none */
    bool bytes;  /* numbers have units of bytes: KiB, MiB (a logarithmic axis with a step) */
    bool down;   /* it runs downwards (the y axis) */
};

enum rc_plot_style {
    RC_PLOT_LINE,  /* from point to point */
    RC_PLOT_STEPS, /* y[i] from x[i] to x[i + 1]; the last y is not used */
    RC_PLOT_POINTS,
    RC_PLOT_AREA,    /* a line, filled down to 0 */
    RC_PLOT_BARS,    /* steps, filled down to 0 */
    RC_PLOT_SPIKES,  /* a line from 0 up to each point */
    RC_PLOT_BOXES,   /* rectangles in separate colours; without points */
    RC_PLOT_DIAGONAL /* the line y = x; without points; both axes cover the same range */
};

/* A rectangle; in the legend, the first of a series stands for it. */
struct rc_plot_box {
    double left, right, low, high;
    unsigned colour;   /* 0xRRGGBB */
    const char *label; /* a text that begins at its right edge; or NULL */
};

/* Points that are not finite are gaps. */
struct rc_plot_series {
    const char *name; /* for the legend; NULL: it is not there */
    enum rc_plot_style style;
    const double *x, *y;
    const double *low, *high;  /* a band about a line or steps, or error bars of points; or NULL */
    const char *const *labels; /* texts beside the points; or NULL */
    const struct rc_plot_box *boxes;
    size_t n;       /* points, or boxes */
    int like;       /* n > 0: the colour of series n - 1 of the panel; 0: another one */
    bool faint;     /* points in a lighter colour */
    bool open;      /* points as circles */
    bool reference; /* a dashed grey line to compare with; the y axis need not cover it */
};

/* A shaded range of the x axis or, if both ends are equal, a line. */
struct rc_plot_mark {
    const char *name; /* for the legend; NULL: it is not there */
    double low, high;
};

/* A bar of colours, which stands for the legend: a logarithmic scale of bytes. */
struct rc_plot_colours {
    const char *label;
    const unsigned *shades; /* 0xRRGGBB, from left to right */
    size_t n;
    double least, most; /* at the ends, which differ by a factor of 8 or more */
};

struct rc_plot {
    const char *title; /* NULL: none; of a figure, that of the first panel counts */
    struct rc_plot_axis x, y;
    const struct rc_plot_series *series;
    size_t n_series;
    const struct rc_plot_mark *marks;
    size_t n_marks;
    const struct rc_plot_colours *colours; /* NULL: none, and a legend */
    double height;                         /* as compared with the other panels; 0: 1 */
    bool beside; /* to the right of the panel before, in its row, and as high */
    int pixels;  /* of the first panel: the height of the figure; 0: 500 */
};

/* A round number, at least a quarter of `span`: the step of an axis with few numbers. */
double rc_plot_round_step(double span);

/* The option of a command that draws a plot; `type` is the options struct of the command. */
#define RC_OPTION_PLOT(type)                                                                       \
    {                                                                                              \
        .name = "plot", .kind = RC_OPTION_FILE, .argument = "FILE",                                \
        .help = "draw a plot (.svg, .png or .pdf)", .offset = offsetof(type, plot)                 \
    }

/* Whether `path` ends in .svg, .png or .pdf. -1, with a hint, otherwise; to be called before other
 * work. */
int rc_plot_check(const char *path, struct rc_error *error);

/* Draws a figure into the file `path`, which is complete or unchanged; no other file is left. -1 if
 * gnuplot is missing or fails, or the file cannot be written. `monitor` may be NULL. */
int rc_plot_write(const char *path, const struct rc_plot *panels, size_t n_panels,
                  const struct rc_monitor *monitor, struct rc_error *error);

/* The script for gnuplot, appended to `script`. */
int rc_plot_script(const char *path, const struct rc_plot *panels, size_t n_panels,
                   struct rc_buffer *script, struct rc_error *error);

#endif
